#include "observe/memory_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

#include "observe/arguments.h"
#include "observe/first_faults.h"
#include "observe/report.h"
#include "observe/wording.h"

namespace warpwright::observe {
namespace {

using machine::Address;
using machine::AddressInfo;
using machine::Allocation;
using machine::Space;

/// Words for one wrong access.
struct Finding {
  std::string kind;
  std::string what;  // follows "thread (0,0,0) of block (0,0,0) "
  std::string hint;
};

constexpr const char* check_index =
    "Compare the index with the number of elements before the access. Sizes given to cudaMalloc and cudaMemcpy are in "
    "bytes.";

class Wording {
 public:
  Wording(const machine::Launch& launch, const SavedFault& fault)
      : launch_(launch),
        fault_(fault),
        instruction_(launch.program->code[fault.where.pc]),
        address_(fault.addresses[machine::first_lane(fault.lanes)]),
        verb_(does(fault.access)) {}

  Finding finding() const {
    if (fault_.kind == FaultKind::misaligned) return misaligned();
    switch (fault_.space) {
      case Space::global:
        return outside_global();
      case Space::shared:
        return outside_shared();
      case Space::local:
        return outside_local();
      case Space::param:
        return outside_parameters();
      case Space::constant:
        break;
    }
    return outside_constant();
  }

  /// The number of the allocation that a global address is in or near; 0 when it is in none.
  std::uint64_t allocation() const {
    if (fault_.space != Space::global) return 0;
    const AddressInfo info = launch_.memory->describe(address_);
    return info.allocation ? info.allocation->number : 0;
  }

 private:
  std::int64_t bytes() const { return fault_.bytes; }

  /// "reads element 1000 of", or "reads bytes 4000 to 4015 of" where the access is no single element.
  std::string touches(std::int64_t offset) const {
    if (instruction_.elements == 1 && offset % bytes() == 0)
      return fmt::format("{} element {} of", verb_, offset / bytes());
    if (bytes() == 1) return fmt::format("{} byte {} of", verb_, offset);
    return fmt::format("{} bytes {} to {} of", verb_, offset, offset + bytes() - 1);
  }

  /// How far an access at `offset` leaves an array of `size` bytes: "where the last such element is 999", "12 of them
  /// past its end".
  std::string overshoot(std::int64_t offset, std::int64_t size) const {
    if (offset < 0) return "which lies before its start";
    const std::int64_t past = std::min(offset + bytes() - size, bytes());
    if (instruction_.elements == 1 && offset % bytes() == 0)
      return size >= bytes() ? fmt::format("where the last such element is {}", size / bytes() - 1)
                             : "which has no room for one";
    if (past == bytes()) return "all of them past its end";
    return fmt::format("{} of them past its end", past);
  }

  std::string mend_of(const AddressInfo& info) const {
    const auto size = static_cast<std::int64_t>(info.allocation->bytes);
    if (instruction_.element_bytes > 1 && is_argument(launch_, info.allocation->bytes))
      return fmt::format(
          "The allocation has {} bytes, as many as the kernel is told elements: multiply the size by sizeof.", size);
    if (instruction_.elements > 1)
      return "Guard the last element of the vector, not the first, and treat what is left over one by one.";
    if (info.offset > 4 * size)
      return "Is the index compared with the number of elements before the access? If it is, did it overflow? Compute "
             "large indices in 64 bits (size_t).";
    if (info.offset < 0) return "Did the index overflow or become negative? Compute large indices in 64 bits (size_t).";
    return check_index;
  }

  /// Whether an address is so far from the allocation next to it, which is no argument's, that nobody meant this one.
  bool is_nobodys(const AddressInfo& info) const {
    constexpr std::int64_t far = 1 << 20;
    const auto past_end = info.offset - static_cast<std::int64_t>(info.allocation->bytes);
    return (past_end > far || info.offset < -far) && !argument_into(launch_, *info.allocation);
  }

  Finding outside_global() const {
    const AddressInfo info = launch_.memory->describe(address_);
    switch (info.kind) {
      case AddressInfo::Kind::inside:
      case AddressInfo::Kind::past_end:
      case AddressInfo::Kind::before_start:
        if (is_nobodys(info) && nearest_argument(launch_, address_)) return far_outside();
        return {"out of bounds",
                fmt::format("{} {}, {}.", touches(info.offset), allocation_text(launch_, *info.allocation),
                            overshoot(info.offset, static_cast<std::int64_t>(info.allocation->bytes))),
                pitch_text(*info.allocation, mend_of(info))};
      case AddressInfo::Kind::freed:
        return {"use after free",
                fmt::format("{} {}, which has been freed.", touches(info.offset),
                            allocation_text(launch_, *info.allocation)),
                "Free memory after the last kernel that uses it, and pass no pointer that was freed."};
      case AddressInfo::Kind::null:
        return through_null();
      case AddressInfo::Kind::host:
      case AddressInfo::Kind::never_allocated:
        break;
    }
    return far_outside();
  }

  /// Device memory too, whose arrays are variables.
  Finding outside_constant() const {
    Finding finding = outside_global();
    finding.hint = "Compare the index with the number of elements before the access.";
    return finding;
  }

  Finding through_null() const {
    const auto argument = null_argument(launch_);
    return {"null pointer",
            argument ? fmt::format("{} {} through a null pointer: argument {} is null.", verb_,
                                   bytes_text(fault_.bytes), argument->number)
                     : fmt::format("{} {} through a null pointer.", verb_, bytes_text(fault_.bytes)),
            "Did cudaMalloc succeed, and was its pointer passed to the kernel?"};
  }

  /// Outside everything that the device has: an argument that is a host pointer, or a device pointer with a wild index.
  Finding far_outside() const {
    const bool is_the_hosts = launch_.memory->host_has(address_);
    if (const auto argument = nearest_argument(launch_, address_)) {
      const AddressInfo pointed = launch_.memory->describe(argument->value);
      if (pointed.allocation && !is_the_hosts) {
        const auto offset = static_cast<std::int64_t>(address_ - pointed.allocation->base);
        return {
            "out of bounds",
            fmt::format("{} {}, far outside of it.", touches(offset), allocation_text(launch_, *pointed.allocation)),
            "Did the index overflow or become negative? Compute large indices in 64 bits (size_t)."};
      }
      if (!pointed.allocation)
        return {
            "host pointer",
            fmt::format(
                "{} {} through a host pointer: argument {} points into the CPU's memory, which a kernel cannot reach.",
                verb_, bytes_text(fault_.bytes), argument->number),
            "Allocate with cudaMalloc, copy with cudaMemcpy, and pass the device pointer."};
    }
    if (is_the_hosts)
      return {
          "host pointer",
          fmt::format("{} {} through a host pointer that is no argument, so it was read from memory: it points into "
                      "the CPU's memory, which a kernel cannot reach.",
                      verb_, bytes_text(fault_.bytes)),
          "Copy what it points to as well, and store the device pointer in its place."};
    return {"out of bounds",
            fmt::format("{} {} at an address that was never allocated.", verb_, bytes_text(fault_.bytes)),
            "Is the pointer set, and is the index what you expect? A pointer that was read from memory may be the "
            "host's, or point to another thread's local variable."};
  }

  Finding outside_shared() const {
    const auto offset = static_cast<std::int64_t>(address_);
    const auto array = shared_array_at(launch_, offset);
    if (!array)
      return {"out of bounds", fmt::format("{} shared memory, of which the kernel has none.", verb_),
              "Declare a __shared__ array."};
    const std::string element = shared_element_text(launch_, fault_.where.pc, offset);
    if (array->dynamic && array->bytes == 0)
      return {
          "out of bounds",
          fmt::format("{} {}, but this launch gives the dynamic shared array {} 0 bytes.", verb_, element, array->name),
          fmt::format("Give the launch its third argument, the bytes of {}: <<<grid, block, bytes>>>.", array->name)};
    return {"out of bounds",
            fmt::format("{} {}, but {} has {}{}: {}.", verb_, element, array->name, bytes_text(array->bytes),
                        array->dynamic ? " in this launch" : "", shared_limit(*array, offset - array->offset)),
            array->dynamic ? "Check the index, and the launch's third argument: it is in bytes."
                           : "Check the index against the array's size."};
  }

  std::string shared_limit(const machine::SharedArray& array, std::int64_t offset) const {
    if (instruction_.elements == 1 && offset >= 0 && offset % bytes() == 0 && array.bytes >= bytes())
      return fmt::format("the last such element is {}[{}]", array.name, array.bytes / bytes() - 1);
    return offset < 0 ? fmt::format("this starts {} before it", bytes_text(-offset))
                      : fmt::format("this ends {} past it", bytes_text(offset + bytes() - array.bytes));
  }

  Finding outside_local() const {
    return {"out of bounds",
            fmt::format("{} {} at byte {} of its local memory, which has {}.", verb_, bytes_text(fault_.bytes),
                        static_cast<std::int64_t>(address_), bytes_text(launch_.program->local_bytes)),
            "Check the index of the array that the function declares."};
  }

  Finding outside_parameters() const {
    if (fault_.access != machine::AccessKind::load)
      return {"out of bounds",
              fmt::format("{} {} of a parameter of the kernel, which can be read and no more.", verb_,
                          bytes_text(fault_.bytes)),
              "Copy the parameter into a variable, and write there."};
    return {"out of bounds",
            fmt::format("{} {} at byte {} of the kernel's parameters, which have {}.", verb_, bytes_text(fault_.bytes),
                        static_cast<std::int64_t>(address_), bytes_text(launch_.program->parameter_bytes)),
            "Check the index into the parameter."};
  }

  Finding misaligned() const {
    return {"misaligned",
            fmt::format("{} {} at {}: that is not a multiple of {}.", verb_, bytes_text(fault_.bytes), place(),
                        fault_.bytes),
            fmt::format("An access of {} needs an address that is a multiple of {}: align the start of every row, or "
                        "use a narrower type.",
                        bytes_text(fault_.bytes), fault_.bytes)};
  }

  std::string place() const {
    if (fault_.space == Space::shared) {
      const auto offset = static_cast<std::int64_t>(address_);
      if (const auto array = shared_array_at(launch_, offset))
        return fmt::format("byte {} of {}", offset - array->offset, array->name);
    }
    if (fault_.space == Space::global || fault_.space == Space::constant) {
      const AddressInfo info = launch_.memory->describe(address_);
      if (info.allocation) return fmt::format("byte {} of {}", info.offset, allocation_text(launch_, *info.allocation));
    }
    return fmt::format("an address in {} memory that is {} more than a multiple of {}", name_of(fault_.space),
                       address_ % fault_.bytes, fault_.bytes);
  }

  const machine::Launch& launch_;
  const SavedFault& fault_;
  const machine::Instruction& instruction_;
  Address address_;
  std::string verb_;
};

class MemoryCheck final : public Observer {
 public:
  std::uint32_t wants() const override { return 0; }
  std::unique_ptr<Observer> fork() const override { return make_memory_check(); }
  void launch_begin(const machine::Launch& launch) override { launch_ = &launch; }

  void fault(const Fault& fault) override {
    if (fault.kind == FaultKind::out_of_bounds || fault.kind == FaultKind::misaligned) faults_.add(fault);
  }
  void join(Observer& other) override { faults_.join(static_cast<MemoryCheck&>(other).faults_); }

  void report(Report& report) const override {
    for (const SavedFault& fault : faults_.all()) {
      const Wording wording(*launch_, fault);
      Finding finding = wording.finding();
      const std::uint32_t thread =
          fault.where.warp * machine::warp_size + static_cast<std::uint32_t>(machine::first_lane(fault.lanes));
      const int others = machine::count_lanes(fault.lanes) - 1;
      Diagnosis diagnosis = diagnosis_at(*launch_->program, std::move(finding.kind), fault.where.pc);
      diagnosis.message = fmt::format("{} {}", who_text(*launch_, fault.where.block, thread), finding.what);
      if (others == 1) diagnosis.message += " Another lane of its warp is at fault too.";
      if (others > 1) diagnosis.message += fmt::format(" {} other lanes of its warp are at fault too.", others);
      diagnosis.hint = std::move(finding.hint);
      diagnosis.who = thread_of(*launch_, fault.where.block, thread);
      diagnosis.allocation = wording.allocation();
      report.diagnose(std::move(diagnosis));
    }
  }

 private:
  const machine::Launch* launch_ = nullptr;
  FirstFaults faults_;
};

}  // namespace

std::unique_ptr<Observer> make_memory_check() { return std::make_unique<MemoryCheck>(); }

}  // namespace warpwright::observe
