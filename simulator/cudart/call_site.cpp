#include "cudart/call_site.h"

#include <dlfcn.h>
#include <elf.h>
#include <execinfo.h>
#include <fmt/core.h>
#include <link.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <memory>

namespace warpwright::cudart {
namespace {

constexpr int most_frames = 32;

/// An address as its module's file has it.
struct Spot {
  std::string module;
  std::uint64_t offset = 0;
};

/// Whether the module's file holds line numbers: asking addr2line in vain would cost as much as asking it.
bool has_lines(const std::string& module) {
  std::ifstream file(module, std::ios::binary);
  const auto read_at = [&file](std::uint64_t at, auto& into) {
    return static_cast<bool>(
        file.seekg(static_cast<std::streamoff>(at)).read(reinterpret_cast<char*>(&into), sizeof into));
  };
  Elf64_Ehdr header;
  Elf64_Shdr names, section;
  if (!read_at(0, header) || !read_at(header.e_shoff + header.e_shstrndx * sizeof names, names)) return false;
  for (std::uint16_t i = 0; i < header.e_shnum; ++i) {
    std::array<char, 13> name = {};
    if (read_at(header.e_shoff + i * sizeof section, section) && read_at(names.sh_offset + section.sh_name, name) &&
        std::memcmp(name.data(), ".debug_line", sizeof ".debug_line") == 0)
      return true;
    file.clear();
  }
  return false;
}

bool known_to_have_lines(const std::string& module) {
  static auto& known = *new std::map<std::string, bool>;  // asked even while the process ends
  const auto [entry, is_new] = known.try_emplace(module, false);
  if (is_new) entry->second = has_lines(module);
  return entry->second;
}

std::optional<Spot> spot_of(void* return_address) {
  char* const inside_the_call = static_cast<char*>(return_address) - 1;
  Dl_info info;
  link_map* module = nullptr;
  if (dladdr1(inside_the_call, &info, reinterpret_cast<void**>(&module), RTLD_DL_LINKMAP) == 0) return std::nullopt;
  std::string path = module->l_name;
  if (path.empty()) {  // the program itself
    std::array<char, PATH_MAX> buffer;
    const ssize_t length = readlink("/proc/self/exe", buffer.data(), buffer.size());
    if (length <= 0) return std::nullopt;
    path.assign(buffer.data(), static_cast<std::size_t>(length));
  }
  if (!known_to_have_lines(path)) return std::nullopt;
  return Spot{path, reinterpret_cast<std::uint64_t>(inside_the_call) - module->l_addr};
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

std::vector<std::string> lines_printed_by(const std::string& command) {
  std::vector<std::string> lines;
  const std::unique_ptr<FILE, int (*)(FILE*)> output(popen(command.c_str(), "r"), pclose);
  if (output == nullptr) return lines;
  std::string line;
  for (int c = std::fgetc(output.get()); c != EOF; c = std::fgetc(output.get())) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    lines.push_back(std::move(line));
    line.clear();
  }
  return lines;
}

/// "a.cu:12" and "a.cu:12 (discriminator 3)".
std::optional<HostLine> read_place(const std::string& text) {
  const std::size_t colon = text.rfind(':', text.find(" (discriminator"));
  if (colon == std::string::npos || text.starts_with("??")) return std::nullopt;
  HostLine place{text.substr(0, colon), 0};
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), place.line);
  return place.line == 0 ? std::nullopt : std::optional(place);
}

/// Under a sanitizer of GCC's or of clang's the innermost address is that of its own backtrace(). nvcc gives the
/// host code of some templates lines of its intermediate file.
bool is_of_a_library(const std::string& file) {
  for (const char* part : {".stub.c", ".cudafe1.", "/include/cuda_runtime.h", "/include/crt/", "/include/c++/",
                           "/include/cccl/", "/include/cub/", "/include/thrust/", "/include/cuda/",
                           "/include/cooperative_groups", "/simulator/cudart/", "/libsanitizer/", "/compiler-rt/"})
    if (file.find(part) != std::string::npos) return true;
  return false;
}

/// "scale", "scale<float>" and "(anonymous namespace)::scale(float*)" are the kernel scale's.
bool is_stub(const std::string& function, std::string_view kernel) {
  if (function.find("__device_stub__") != std::string::npos) return true;
  if (kernel.empty()) return false;
  const std::string_view stem = kernel.substr(0, kernel.find('<'));
  const std::size_t at = function.find(stem);
  if (at == std::string::npos || (at > 0 && function[at - 1] != ':' && function[at - 1] != ' ')) return false;
  const std::size_t behind = at + stem.size();
  return behind == function.size() || function[behind] == '(' || function[behind] == '<';
}

std::optional<HostLine> look_up(const CallSite& site, std::string_view kernel) {
  for (void* address : site) {
    const std::optional<Spot> spot = spot_of(address);
    if (!spot) continue;
    // Pairs of lines, a function and its place, for the function and those that it was inlined into.
    const std::vector<std::string> lines = lines_printed_by(
        fmt::format("LD_PRELOAD= addr2line -f -i -C -e {} {:#x} 2>/dev/null", quoted(spot->module), spot->offset));
    for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
      const std::optional<HostLine> place = read_place(lines[i + 1]);
      if (place && !is_of_a_library(place->file) && !is_stub(lines[i], kernel)) return place;
    }
  }
  return std::nullopt;
}

}  // namespace

CallSite call_site() {
  CallSite site(most_frames);
  site.resize(static_cast<std::size_t>(backtrace(site.data(), most_frames)));
  return site;
}

std::optional<HostLine> place_of(const CallSite& site, std::string_view kernel) {
  static auto& known = *new std::map<CallSite, std::optional<HostLine>>;  // as above
  const auto [entry, is_new] = known.try_emplace(site);
  if (is_new) entry->second = look_up(site, kernel);
  return entry->second;
}

}  // namespace warpwright::cudart
