#include "cudart/session.h"

#include <cuda_runtime_api.h>
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>

#include "cudart/fault_code.h"
#include "cudart/launch.h"
#include "cudart/operations.h"
#include "cudart/runtime.h"
#include "observe/arguments.h"
#include "observe/causes.h"
#include "observe/coverage.h"
#include "observe/footprint.h"
#include "observe/observers.h"

namespace warpwright::cudart {
namespace {

// A launch of fewer blocks is over before a second host thread has started.
constexpr std::uint64_t few_blocks = 16;

/// The environment variable's number; nothing when it is not set, or is none.
template <class Number>
std::optional<Number> number_from_environment(const char* name) {
  const char* text = std::getenv(name);
  Number number = 0;
  if (text == nullptr || *text == 0) return std::nullopt;
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, number);
  return error == std::errc{} && rest == end ? std::optional(number) : std::nullopt;
}

observe::Observers observers_for(const Settings& settings) {
  observe::Observers observers = observe::faults();
  if (settings.counters) std::ranges::move(observe::counters(), std::back_inserter(observers));
  if (settings.sanitizers) std::ranges::move(observe::sanitizers(), std::back_inserter(observers));
  return observers;
}

/// Whether anybody else may write, while a launch runs, what the host can reach: another thread of the program, or,
/// where memory was registered, a process that shares it.
bool host_runs_on() {
  // Of a process with one thread: two that every directory has, and one for that thread.
  constexpr std::uintmax_t links_of_one_thread = 3;
  const unsigned ours = runtime().recorder ? runtime().recorder->threads() : 0;
  std::error_code error;
  return std::filesystem::hard_link_count("/proc/self/task", error) != links_of_one_thread + ours || error ||
         runtime().memory.has_registered_host();
}

/// Where the kernel was launched, and where the memory that a diagnosis is about came from.
void add_host_lines(observe::Report& report) {
  if (report.diagnoses.empty()) return;
  const auto launched = place_of(call_site(), report.kernel);
  for (observe::Diagnosis& diagnosis : report.diagnoses) {
    if (launched) {
      diagnosis.launch_file = launched->file;
      diagnosis.launch_line = launched->line;
    }
    const auto add = [&](const char* verb, const std::map<std::uint64_t, CallSite>& sites) {
      const auto site = sites.find(diagnosis.allocation);
      if (site == sites.end()) return;
      if (const auto place = place_of(site->second))
        diagnosis.message += fmt::format(" The memory was {} at {}:{}.", verb, place->file, place->line);
    };
    add("allocated", runtime().allocated_at);
    if (diagnosis.kind == "use after free") add("freed", runtime().freed_at);
  }
}

/// An argument that is a host pointer may be a variable's, written as if that were an array on the device.
void add_variables(observe::Report& report, const machine::Launch& launch) {
  for (observe::Diagnosis& diagnosis : report.diagnoses) {
    if (diagnosis.kind != "host pointer") continue;
    for (const observe::PointerArgument& argument : observe::pointer_arguments(launch)) {
      const auto [module, variable] = runtime().modules.variable_around(reinterpret_cast<const void*>(argument.value));
      if (variable == nullptr) continue;
      const std::string name = readable(variable->name);
      diagnosis.hint = fmt::format(
          "Argument {} is what host code knows of the variable {}, not its place on the device: use {} in the kernel "
          "by its name, or pass what cudaGetSymbolAddress gives.",
          argument.number, name, name);
    }
  }
}

}  // namespace

std::string device_name() { return std::string("simulated ") + runtime().device.label; }

Settings& settings() { return runtime().settings; }

std::optional<std::uint64_t> schedule() {
  const auto seed = number_from_environment<std::uint64_t>("WARPWRIGHT_SCHEDULE");
  return seed ? seed : settings().schedule;
}

std::vector<observe::Report> take_launches() {
  const std::lock_guard lock(runtime().mutex);
  return std::exchange(runtime().launches, {});
}

std::vector<observe::Diagnosis> take_diagnoses() {
  const std::lock_guard lock(runtime().mutex);
  runtime().races.tell_again();
  return std::exchange(runtime().diagnoses, {});
}

void reset_errors() {
  const std::lock_guard lock(runtime().mutex);
  runtime().sticky = last_error() = cudaSuccess;
}

unsigned host_threads_for(const machine::Launch& launch) {
  if (launch.program->order_dependent) return 1;
  if (const unsigned threads = number_from_environment<unsigned>("WARPWRIGHT_HOST_THREADS").value_or(0); threads > 0)
    return threads;
  if (settings().host_threads > 0) return settings().host_threads;
  if (launch.grid.count() < few_blocks) return 1;
  return std::max(1u, std::thread::hardware_concurrency());
}

std::uint64_t step_budget_for(const machine::Launch& launch) {
  constexpr std::uint64_t of_a_block = std::uint64_t{1} << 30;  // at some thirty million a second
  const auto steps = number_from_environment<std::uint64_t>("WARPWRIGHT_STEPS");
  return steps ? *steps : settings().step_budget.value_or(of_a_block / launch.warps_per_block());
}

void print_out() {
  std::string& printed = runtime().printed;
  if (printed.empty()) return;
  std::fwrite(printed.data(), 1, printed.size(), stdout);
  std::fflush(stdout);
  printed.clear();
}

void run(machine::Launch& launch, cudaStream_t stream) {
  Runtime& state = runtime();
  observe::Observers observers = observers_for(state.settings);
  auto& fault_code = static_cast<FaultCode&>(*observers.emplace_back(std::make_unique<FaultCode>()));
  observe::Footprint* footprint = nullptr;
  if (watches_operations()) {
    using Of = observe::FootprintOf;
    auto made = observe::make_footprint(state.order.has_several() ? Of::all : Of::what_the_host_reaches);
    footprint = made.get();
    observers.push_back(std::move(made));
  }

  const machine::Options options{host_threads_for(launch), step_budget_for(launch), schedule()};
  if (!state.settings.sanitizers) state.memory.give_up_contents();
  print_out();
  launch.printed = &state.printed;
  if (state.recorder) state.recorder->launch_begins(launch.program->kernel);
  launch.host_runs_on = host_runs_on();
  launch.number = ++state.launched;
  constexpr std::size_t workspace_bytes = 2 * sizeof(std::uint32_t);
  if (launch.cooperative) {
    launch.grid_workspace = state.memory.allocate(workspace_bytes, "the workspace of grid.sync()");
    std::memset(state.memory.place(launch.grid_workspace), 0, workspace_bytes);
  }
  const machine::LaunchStatus status = machine::run(launch, options, observers);
  if (launch.cooperative) state.memory.free(launch.grid_workspace);

  observe::Report report(*launch.program);
  report.kernel = launch.program->kernel;
  report.grid = launch.grid;
  report.block = launch.block;
  report.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  for (const auto& observer : observers) observer->report(report);
  observe::put_causes_first(report.diagnoses);
  add_host_lines(report);
  add_variables(report, launch);
  if (status != machine::LaunchStatus::finished)
    report.end_early();
  else if (state.settings.sanitizers)
    report.coverage = observe::coverage_of(launch);
  state.keep(std::move(report));
  const bool is_watched = footprint != nullptr && status == machine::LaunchStatus::finished;
  issue(stream, is_watched ? footprint->take_parts() : std::vector<observe::Part>{}, launch.program->kernel);
  state.sticky = fault_code.code(status);
}

}  // namespace warpwright::cudart
