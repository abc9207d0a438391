#include "observe/progress_check.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "observe/first_faults.h"
#include "observe/report.h"
#include "observe/standstill_wording.h"
#include "observe/wording.h"

namespace warpwright::observe {
namespace {

using machine::Lanes;
using machine::warp_size;

std::uint32_t first_thread(const SavedFault& fault) {
  return fault.where.warp * warp_size + static_cast<std::uint32_t>(machine::first_lane(fault.lanes));
}

/// Threads of a block that wait at one instruction.
struct Party {
  std::uint32_t pc = 0;
  std::uint32_t first_thread = 0;
  std::vector<Lanes> by_warp;
};

class ProgressCheck final : public Observer {
 public:
  std::uint32_t wants() const override { return 0; }
  std::unique_ptr<Observer> fork() const override { return make_progress_check(); }
  void launch_begin(const machine::Launch& launch) override { launch_ = &launch; }

  void fault(const Fault& fault) override {
    if (fault.kind != FaultKind::out_of_bounds && fault.kind != FaultKind::misaligned) faults_.add(fault);
  }
  void join(Observer& other) override { faults_.join(static_cast<ProgressCheck&>(other).faults_); }

  void report(Report& report) const override {
    if (faults_.all().empty()) return;
    const SavedFault& first = faults_.all().front();
    switch (first.kind) {
      case FaultKind::deadlock:
        report.diagnose(deadlock());
        break;
      case FaultKind::livelock:
        report.diagnose(livelock(*launch_, faults_.all()));
        break;
      case FaultKind::endless:
        report.diagnose(endless(first));
        break;
      case FaultKind::assertion:
        report.diagnose(simple(first, "assertion", fmt::format("assert({}) does not hold", first.text),
                               "Look at what the expression is made of; printf() works in kernels."));
        break;
      case FaultKind::stack_overflow:
        report.diagnose(simple(first, "stack overflow", stack_overflow(first),
                               "Does the recursion end for every thread? On a GPU a thread's stack has 1024 bytes, "
                               "unless cudaDeviceSetLimit(cudaLimitStackSize, bytes) gives more; a loop needs none."));
        break;
      case FaultKind::bad_barrier:
        report.diagnose(simple(first, "bad barrier", first.text, ""));
        break;
      case FaultKind::bad_copy:
        report.diagnose(simple(first, "bad copy", first.text,
                               "Copy whole units of 16 bytes, from and to memory that has room for them, and what is "
                               "left over by ordinary loads and stores."));
        break;
      case FaultKind::bad_call:
        report.diagnose(simple(
            first, "bad call",
            first.text.empty() ? "what is called, or an address that is passed, is none of the device's" : first.text,
            first.text.empty() ? "A pointer to a function must have been taken in device code." : ""));
        break;
      default:
        report.diagnose(is_group_sync(first) && !launch_->cooperative
                            ? simple(first, "trap", "grid.sync() needs a cooperative launch, and this one is not",
                                     "Launch the kernel with cudaLaunchCooperativeKernel() instead of <<<...>>>.")
                            : trap(first));
    }
  }

 private:
  bool is_group_sync(const SavedFault& fault) const {
    return std::ranges::any_of(program().frames(fault.where.pc), [](const machine::Frame& frame) {
      return frame.file.find("cooperative_groups") != std::string::npos;
    });
  }
  const machine::Program& program() const { return *launch_->program; }

  std::vector<Party> parties() const {
    std::vector<Party> parties;
    for (const SavedFault& fault : faults_.all()) {
      auto party = std::ranges::find(parties, fault.where.pc, &Party::pc);
      if (party == parties.end())
        party = parties.insert(
            party, {fault.where.pc, first_thread(fault), std::vector<Lanes>(launch_->warps_per_block(), 0)});
      party->by_warp[fault.where.warp] |= fault.lanes;
      party->first_thread = std::min(party->first_thread, first_thread(fault));
    }
    std::ranges::sort(parties, {}, &Party::first_thread);
    return parties;
  }

  Diagnosis deadlock() const {
    const std::uint64_t block = faults_.all().front().where.block;
    const std::vector<Party> waiting = parties();
    const Party& one = waiting.front();
    Diagnosis diagnosis = diagnosis_at(program(), "deadlock", one.pc);
    diagnosis.message = fmt::format("In {}, nobody could go on: ", block_text(*launch_, block));
    for (std::size_t i = 0; i < waiting.size(); ++i)
      diagnosis.message +=
          fmt::format("{}{} waited {} at {}", i == 0 ? "" : "; ", threads_text(*launch_, waiting[i].by_warp),
                      wait_text(program(), waiting[i].pc), line_text(program(), waiting[i].pc));
    diagnosis.message +=
        waiting.size() > 1 ? ". Each waited for the others." : ". Those that they waited for never came.";
    diagnosis.hint =
        "All threads that a barrier or a mask counts must come to the same one: move it out of the condition or loop "
        "that only some of them enter.";
    diagnosis.who = thread_of(*launch_, block, one.first_thread);
    if (waiting.size() > 1)
      diagnosis.other = other_at(program(), waiting[1].pc, thread_of(*launch_, block, waiting[1].first_thread));
    return diagnosis;
  }

  Diagnosis endless(const SavedFault& fault) const {
    Diagnosis diagnosis = diagnosis_at(program(), "endless loop", fault.where.pc);
    diagnosis.message = fmt::format("The launch executed as many instructions as it may and was not done; {} was here.",
                                    who_text(*launch_, fault.where.block, first_thread(fault)));
    diagnosis.hint =
        "Does the loop's condition ever become false for every thread? If it does, and only late, let each warp "
        "execute more: WARPWRIGHT_STEPS=100000000000.";
    diagnosis.who = thread_of(*launch_, fault.where.block, first_thread(fault));
    return diagnosis;
  }

  /// A trap of the compiler's own has no line. Without -lineinfo none has one.
  Diagnosis trap(const SavedFault& fault) const {
    if (!fault.text.empty()) return simple(fault, "trap", fault.text, "Take __brkpt() out.");
    if (program().learner_frame(fault.where.pc) != nullptr)
      return simple(fault, "trap", "__trap() was called",
                    "If nothing here calls it, the compiler has put it there: read its warnings. It does so for an "
                    "atomicAdd() of a float4 in shared memory.");
    return simple(fault, "trap",
                  "__trap() was called, or the compiler has put a trap where the source does what is not allowed",
                  "Read the compiler's warnings: does the kernel write to __constant__ memory?");
  }

  std::string stack_overflow(const SavedFault& fault) const {
    const machine::Instruction& instruction = program().code[fault.where.pc];
    if (instruction.flow != machine::Flow::call) return "its stack has no room for what it asks for";
    const std::uint32_t function = program().call_sites[instruction.option].function;
    return fmt::format("calls that have not returned leave no room on its stack for another{}",
                       function == machine::CallSite::indirect ? "" : " of " + program().functions[function].name);
  }

  Diagnosis simple(const SavedFault& fault, const char* kind, const std::string& what, const char* hint) const {
    Diagnosis diagnosis = diagnosis_at(program(), kind, fault.where.pc);
    diagnosis.message =
        fmt::format("{} stopped here: {}.", who_text(*launch_, fault.where.block, first_thread(fault)), what);
    diagnosis.hint = hint;
    diagnosis.who = thread_of(*launch_, fault.where.block, first_thread(fault));
    return diagnosis;
  }

  const machine::Launch* launch_ = nullptr;
  FirstFaults faults_;
};

}  // namespace

std::unique_ptr<Observer> make_progress_check() { return std::make_unique<ProgressCheck>(); }

}  // namespace warpwright::observe
