#include "program_file.h"

#include <elf.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <optional>
#include <sstream>

#include "files.h"
#include "problem.h"

namespace warpwright::lab {
namespace {

constexpr const char* how_to_link = "link it with NVIDIA's runtime as a shared library: nvcc -cudart shared ...";

/// A file's ELF headers. Everything that they claim is checked against the file's size.
class Elf {
 public:
  explicit Elf(std::string bytes) : bytes_(std::move(bytes)) {
    if (const auto header = at<Elf64_Ehdr>(0)) header_ = *header;
  }

  bool is_elf() const { return bytes_.substr(0, SELFMAG) == ELFMAG; }
  bool is_for_this_machine() const {
#if defined(__aarch64__)
    constexpr int machine = EM_AARCH64;
#else
    constexpr int machine = EM_X86_64;
#endif
    return header_.e_ident[EI_CLASS] == ELFCLASS64 && header_.e_machine == machine;
  }
  bool is_program() const { return header_.e_type == ET_EXEC || header_.e_type == ET_DYN; }
  /// Asks the loader for libraries.
  bool is_dynamic() const { return segment(PT_INTERP).has_value(); }

  std::vector<std::string> libraries() const {
    std::vector<std::string> names;
    const auto dynamic = segment(PT_DYNAMIC);
    if (!dynamic) return names;
    std::vector<std::uint64_t> offsets;
    std::uint64_t table = 0;
    for (std::uint64_t i = 0; i < dynamic->p_filesz / sizeof(Elf64_Dyn); ++i) {
      const auto entry = at<Elf64_Dyn>(dynamic->p_offset + i * sizeof(Elf64_Dyn));
      if (!entry || entry->d_tag == DT_NULL) break;
      if (entry->d_tag == DT_NEEDED) offsets.push_back(entry->d_un.d_val);
      if (entry->d_tag == DT_STRTAB) table = offset_of(entry->d_un.d_ptr);
    }
    for (const std::uint64_t offset : offsets) names.push_back(text(table + offset));
    return names;
  }

  bool has_section(const std::string& name) const {
    const auto names = section(header_.e_shstrndx);
    if (!names) return false;
    for (std::uint16_t i = 0; i < header_.e_shnum; ++i)
      if (const auto one = section(i); one && text(names->sh_offset + one->sh_name) == name) return true;
    return false;
  }

 private:
  template <typename T>
  std::optional<T> at(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    return value;
  }
  std::optional<Elf64_Phdr> segment(std::uint32_t type) const {
    for (std::uint16_t i = 0; i < header_.e_phnum; ++i)
      if (auto one = at<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr)); one && one->p_type == type) return one;
    return std::nullopt;
  }
  std::optional<Elf64_Shdr> section(std::uint16_t index) const {
    return at<Elf64_Shdr>(header_.e_shoff + index * sizeof(Elf64_Shdr));
  }
  /// Where in the file an address of the running program comes from.
  std::uint64_t offset_of(std::uint64_t address) const {
    for (std::uint16_t i = 0; i < header_.e_phnum; ++i) {
      const auto one = at<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr));
      if (one && one->p_type == PT_LOAD && address >= one->p_vaddr && address - one->p_vaddr < one->p_filesz)
        return address - one->p_vaddr + one->p_offset;
    }
    return bytes_.size();
  }
  std::string text(std::uint64_t offset) const {
    if (offset >= bytes_.size()) return "";
    return bytes_.substr(offset, bytes_.find('\0', offset) - offset);
  }

  std::string bytes_;
  Elf64_Ehdr header_ = {};
};

/// What the shell would run.
std::filesystem::path locate(const std::string& name) {
  namespace fs = std::filesystem;
  if (name.find('/') != std::string::npos || fs::exists(name)) return name;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path candidate = fs::path(folder.empty() ? "." : folder) / name;
    if (fs::is_regular_file(candidate) && access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return name;
}

}  // namespace

std::string ProgramFile::cuda_runtime() const {
  for (const std::string& library : libraries)
    if (library.rfind("libcudart.so", 0) == 0) return library;
  return "";
}

ProgramFile inspect_program(const std::string& name) {
  ProgramFile program;
  program.path = locate(name);
  std::error_code ignored;
  const auto status = std::filesystem::status(program.path, ignored);
  if (!std::filesystem::exists(status)) throw Problem(fmt::format("there is no program {}", name), "ls");
  if (std::filesystem::is_directory(status)) throw Problem(fmt::format("{} is a folder, not a program", name));
  if (!std::filesystem::is_regular_file(status)) throw Problem(fmt::format("{} is not a file", name));
  const std::string extension = program.path.extension().string();
  if (extension == ".cu" || extension == ".cpp")
    throw Problem(fmt::format("{} is source code: it has to be compiled first", name),
                  fmt::format("nvcc -cudart shared -lineinfo {} -o {}", name, program.path.stem().string()));
  const Elf elf(read_file(program.path));
  if (!elf.is_elf() || !elf.is_program())
    throw Problem(fmt::format("{} is not a program that a compiler and a linker made", name),
                  "name the CUDA program itself, not a script that starts it, nor an object file");
  if (!elf.is_for_this_machine())
    throw Problem(fmt::format("{} is a program for another kind of machine", name), "compile it on this machine");
  if (access(program.path.c_str(), X_OK) != 0)
    throw Problem(fmt::format("you may not execute {}", name), fmt::format("chmod +x {}", name));
  program.libraries = elf.libraries();
  program.has_device_code = elf.has_section(".nv_fatbin") || elf.has_section(".nvFatBinSegment");
  const std::string runtime = program.cuda_runtime();
  if (!elf.is_dynamic())
    throw Problem(fmt::format("{} is linked statically, so the simulated GPU cannot take the GPU's place", name),
                  "leave -static out, and " + std::string(how_to_link));
  if (program.has_device_code && runtime.empty())
    throw Problem(fmt::format("{} holds NVIDIA's runtime itself, so the simulated GPU cannot take its place", name),
                  how_to_link);
  if (!runtime.empty() && runtime != "libcudart.so.12" && runtime != "libcudart.so.13")
    throw Problem(fmt::format("{} asks for {}, and the simulated GPU stands in for CUDA 12 and 13", name, runtime),
                  "compile it with nvcc of CUDA 12 or 13");
  return program;
}

}  // namespace warpwright::lab
