#include "isa/builtin.h"

#include <cstdio>
#include <cstring>
#include <string>

#include "isa/types.h"
#include "machine/access.h"
#include "machine/block.h"

namespace warpwright::isa {
namespace {

using machine::Instruction;
using machine::Storage;
using machine::Warp;

constexpr std::size_t longest_string = std::size_t{1} << 20;

/// What one lane's call passes and gets back.
class Arguments {
 public:
  Arguments(Warp& warp, const Instruction& instruction, int lane)
      : warp_(warp), site_(warp.block.program().call_sites[instruction.option]), lane_(lane) {}

  template <class T>
  T get(std::size_t index) const {
    T value{};
    if (index < site_.arguments.size()) std::memcpy(&value, place(site_.arguments[index]), sizeof value);
    return value;
  }
  template <class T>
  void give(T value) const {
    if (!site_.returns.empty()) std::memcpy(place(site_.returns[0]), &value, sizeof value);
  }

 private:
  std::byte* place(const Storage& storage) const {
    return warp_.reg<std::byte>(storage.offset) + std::size_t{storage.lane_bytes()} * lane_;
  }

  Warp& warp_;
  const machine::CallSite& site_;
  int lane_;
};

/// Reads a lane's memory through generic addresses; a wrong one ends the launch.
class Reader {
 public:
  Reader(Warp& warp, int lane) : warp_(warp), lane_(lane) {}

  template <class T>
  T value(u64 address) const {
    T value;
    std::memcpy(&value, place(address, sizeof value), sizeof value);
    return value;
  }
  std::string string(u64 address) const {
    std::string text;
    for (char c; text.size() < longest_string && (c = value<char>(address + text.size())) != 0;) text += c;
    return text;
  }

 private:
  const std::byte* place(u64 address, std::size_t bytes) const {
    machine::Block& block = warp_.block;
    const std::byte* found = nullptr;
    switch (machine::space_of(address)) {
      case machine::Space::local: {
        const u64 offset = address - machine::local_window;
        const u64 frame = block.program().local_bytes;
        if (offset <= frame && bytes <= frame - offset)
          found = block.local() + (warp_.number() * u64{machine::warp_size} + static_cast<u64>(lane_)) * frame + offset;
        break;
      }
      case machine::Space::shared: {
        const u64 offset = address - machine::shared_window;
        const u64 window = block.launch().shared_window_bytes();
        if (offset <= window && bytes <= window - offset) found = block.shared() + offset;
        break;
      }
      default:
        if (block.launch().memory->find(address, bytes) != nullptr) found = block.launch().memory->place(address);
    }
    if (found == nullptr) warp_.end_launch(observe::FaultKind::bad_call, machine::lane_bit(lane_));
    return found;
  }

  Warp& warp_;
  int lane_;
};

/// The arguments of a printf lie in a row, each aligned to its size; PTX ISA says nothing of it, the CUDA C++
/// Programming Guide's "Formatted Output" says what is printed.
class Printer {
 public:
  Printer(const Reader& reader, u64 format, u64 arguments)
      : reader_(reader), format_(reader.string(format)), next_(arguments) {}

  std::string print() {
    std::string text;
    for (std::size_t at = 0; at < format_.size();) {
      const std::size_t percent = format_.find('%', at);
      text.append(format_, at, percent - at);
      if (percent == std::string::npos) break;
      at = conversion(percent, text);
    }
    return text;
  }
  int count() const { return count_; }

 private:
  template <class T>
  T take() {
    next_ = (next_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const T value = reader_.value<T>(next_);
    next_ += sizeof(T);
    ++count_;
    return value;
  }

  /// Prints what begins with the % at `begin`; returns where it ends.
  std::size_t conversion(std::size_t begin, std::string& text) {
    std::string flags = "%";
    std::size_t at = begin + 1;
    for (; at < format_.size() && std::strchr("-+ #0123456789.*", format_[at]) != nullptr; ++at)
      flags += format_[at] == '*' ? std::to_string(take<s32>()) : std::string(1, format_[at]);
    bool is_long = false;
    for (; at < format_.size() && std::strchr("hlLjzt", format_[at]) != nullptr; ++at)
      is_long |= format_[at] != 'h' && format_[at] != 'L';
    if (at == format_.size()) {
      text.append(format_, begin, at - begin);
      return at;
    }
    switch (const char kind = format_[at++]) {
      case '%':
        text += '%';
        break;
      case 'd':
      case 'i':
        text += formatted(flags + "lld", is_long ? static_cast<long long>(take<s64>()) : take<s32>());
        break;
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        text += formatted(flags + "ll" + kind, is_long ? static_cast<unsigned long long>(take<u64>()) : take<u32>());
        break;
      case 'c':
        text += formatted(flags + kind, take<s32>());
        break;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        text += formatted(flags + kind, take<f64>());
        break;
      case 'p':
        text += formatted(flags + kind, reinterpret_cast<const void*>(take<u64>()));
        break;
      case 's': {
        const u64 address = take<u64>();
        text += formatted(flags + kind, address == 0 ? "(null)" : reader_.string(address).c_str());
        break;
      }
      default:
        text.append(format_, begin, at - begin);
    }
    return at;
  }

  template <class T>
  static std::string formatted(const std::string& format, T value) {
    // The format is the program's own, its conversion and type chosen to fit above.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    const int length = std::snprintf(nullptr, 0, format.c_str(), value);
    std::string text(static_cast<std::size_t>(length < 0 ? 0 : length), '\0');
    std::snprintf(text.data(), text.size() + 1, format.c_str(), value);
#pragma GCC diagnostic pop
    return text;
  }

  const Reader& reader_;
  std::string format_;
  u64 next_;
  int count_ = 0;
};

void vprintf(Warp& warp, const Instruction& instruction) {
  warp.block.note_unrepeatable();
  for (const int lane : machine::each_lane(warp.active)) {
    const Arguments arguments(warp, instruction, lane);
    const Reader reader(warp, lane);
    Printer printer(reader, arguments.get<u64>(0), arguments.get<u64>(1));
    const std::string text = printer.print();
    if (std::string* printed = warp.block.launch().printed) printed->append(text);
    arguments.give<s32>(printer.count());
  }
}

void assertfail(Warp& warp, const Instruction& instruction) {
  const int lane = machine::first_lane(warp.active);
  const Arguments arguments(warp, instruction, lane);
  const Reader reader(warp, lane);
  const std::string text = reader.string(arguments.get<u64>(0));
  warp.end_launch(observe::FaultKind::assertion, warp.active, text);
}

void device_malloc(Warp& warp, const Instruction& instruction) {
  warp.block.note_unrepeatable();
  for (const int lane : machine::each_lane(warp.active)) {
    const Arguments arguments(warp, instruction, lane);
    arguments.give<u64>(warp.block.launch().memory->allocate(arguments.get<u64>(0), "malloc() in a kernel"));
  }
}

void device_free(Warp& warp, const Instruction& instruction) {
  warp.block.note_unrepeatable();
  for (const int lane : machine::each_lane(warp.active)) {
    const u64 address = Arguments(warp, instruction, lane).get<u64>(0);
    if (address != 0 && !warp.block.launch().memory->free(address))
      warp.end_launch(observe::FaultKind::bad_call, machine::lane_bit(lane));
  }
}

}  // namespace

machine::Execute builtin(std::string_view name) {
  if (name == "vprintf") return &vprintf;
  if (name == "__assertfail") return &assertfail;
  if (name == "malloc") return &device_malloc;
  if (name == "free") return &device_free;
  return nullptr;
}

}  // namespace warpwright::isa
