// Problem: observers want a program, a launch and events; a test wants to say them in a few words.
// Idea: a Scene is a kernel written as lines of PTX text, and a launch of it. A Play tells an observer what its warps
// do.
// Left out: registers and results. Addresses come from the test.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "machine/launch.h"
#include "observe/observer.h"
#include "observe/report.h"

namespace warpwright::observe::testing {

using machine::all_lanes;
using machine::Lanes;
using machine::warp_size;

/// Pages of the host, which cost nothing until touched, so that device memory can be allocated in a test.
class Pages final : public machine::Reservation {
 public:
  explicit Pages(std::size_t bytes);
  ~Pages() override;
  machine::Address base() const override { return base_; }
  std::size_t bytes() const override { return bytes_; }
  bool commit(machine::Address, std::size_t) override { return true; }
  void release(machine::Address, std::size_t) override {}
  bool host_has(machine::Address at) const override { return at == hosts_; }
  /// The host has something of its own at this address.
  void give_host(machine::Address at) { hosts_ = at; }

 private:
  std::size_t bytes_;
  machine::Address base_ = 0;
  machine::Address hosts_ = 0;
};

struct Scene {
  Scene(std::uint64_t blocks, std::uint32_t threads);

  /// Adds an instruction, "ld.shared.f32 %f1, [%r1]" or "bar.sync 0", that stands on a line of kernel.cu; returns its
  /// pc.
  std::uint32_t at_line(std::uint32_t line, const std::string& text);
  /// The same with a whole inlining chain, innermost frame first.
  std::uint32_t in_frames(std::vector<machine::Frame> frames, const std::string& text);
  /// Adds an array behind those that exist; returns its offset in the shared window.
  std::uint32_t shared_array(const std::string& name, std::uint32_t bytes);
  std::uint32_t dynamic_array(const std::string& name, std::uint32_t bytes_at_launch);
  /// Adds a pointer parameter, or any other value of eight bytes.
  void argument(std::uint64_t value);

  Pages range{std::size_t{1} << 30};
  machine::DeviceMemory memory{range, std::size_t{1} << 20};
  machine::Program program;
  machine::Launch launch;
};

/// Tells one observer, and copies of it for other host threads, what happens.
class Play {
 public:
  Play(const Scene& scene, std::unique_ptr<Observer> observer);

  Play& begin(std::uint64_t block);
  /// Goes on with a block that has begun before.
  Play& in(std::uint64_t block);
  Play& end();
  using AddressOf = std::function<std::uint64_t(int lane)>;
  /// A memory instruction of the current block.
  Play& access(std::uint32_t pc, std::uint32_t warp, Lanes lanes, const AddressOf& address_of);
  Play& run(std::uint32_t pc, std::uint32_t count, Lanes lanes, Lanes on);
  Play& branch(std::uint32_t pc, std::uint32_t warp, Lanes lanes, Lanes taken);
  Play& arrive(std::uint32_t pc, std::uint32_t warp, Lanes lanes, std::uint32_t barrier = 0, std::uint32_t expected = 0,
               bool waits = true);
  Play& release(std::uint32_t pc, std::uint32_t barrier = 0);
  /// All threads of the block come to the barrier at `pc` and go on.
  Play& block_barrier(std::uint32_t pc);
  Play& warp_barrier(std::uint32_t pc, std::uint32_t warp, Lanes lanes = all_lanes);
  Play& shuffle(std::uint32_t pc, std::uint32_t warp, Lanes lanes, Lanes live, const std::function<Lanes(int)>& mask_of,
                const std::function<std::uint32_t(int)>& source_of);
  Play& fence(std::uint32_t pc, std::uint32_t warp, Lanes lanes, bool whole_device = true);
  Play& fault(FaultKind kind, std::uint32_t pc, std::uint32_t warp, Lanes lanes, const AddressOf& address_of = {},
              const Standstill& standstill = {});

  /// What follows is told to a fork of the observer, until `join_forks`.
  Play& on_another_thread();
  Play& join_forks(bool last_first = false);

  Report report() const;
  Metrics metrics() const { return report().metrics; }
  std::vector<Diagnosis> diagnoses() const { return report().diagnoses; }

 private:
  Where where(std::uint32_t pc, std::uint32_t warp) const { return {block_, warp, pc}; }
  Lanes launched(std::uint32_t warp) const;

  const Scene& scene_;
  std::unique_ptr<Observer> root_;
  std::vector<std::unique_ptr<Observer>> forks_;
  std::vector<machine::Profile> profiles_;  // the root's and those of the forks, until they have joined
  Observer* now_;
  std::uint64_t block_ = 0;
};

/// Lane n's address is `start + n * stride`.
inline Play::AddressOf stride(std::uint64_t start, std::int64_t apart) {
  return [=](int lane) { return start + static_cast<std::uint64_t>(apart * lane); };
}
inline Play::AddressOf all_at(std::uint64_t address) { return stride(address, 0); }
constexpr Lanes lane(int number) { return machine::lane_bit(number); }
constexpr Lanes lanes(int first, int last) { return all_lanes >> (31 - (last - first)) << first; }

}  // namespace warpwright::observe::testing
