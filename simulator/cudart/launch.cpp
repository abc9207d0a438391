#include "cudart/launch.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "cudart/occupancy.h"
#include "cudart/runtime.h"

namespace warpwright::cudart {
namespace {

constexpr const char* bad_configuration = "launch configuration";
// What a launch of an impossible shape returns, as recorded on an H200 with CUDA 13. The manual and older runtimes say
// cudaErrorInvalidConfiguration.
constexpr cudaError_t impossible = cudaErrorInvalidValue;

machine::Dim3 extent_of(const dim3& extent) { return {extent.x, extent.y, extent.z}; }

std::string written(const dim3& extent) { return fmt::format("({},{},{})", extent.x, extent.y, extent.z); }

/// "reduce<<<(4,1,1), (256,1,1), 1024>>>"
std::string written(const Kernel& kernel, const Configuration& configuration) {
  const std::string shared =
      configuration.dynamic_shared_bytes > 0 ? fmt::format(", {}", configuration.dynamic_shared_bytes) : "";
  return fmt::format("{}<<<{}, {}{}>>>", kernel.name(), written(configuration.grid), written(configuration.block),
                     shared);
}

/// "2048", "64 x 32 = 2048"
std::string product_of(const dim3& extent) {
  const std::uint64_t count = std::uint64_t{extent.x} * extent.y * extent.z;
  if (count == extent.x) return fmt::format("{}", count);
  return extent.z == 1 ? fmt::format("{} x {} = {}", extent.x, extent.y, count)
                       : fmt::format("{} x {} x {} = {}", extent.x, extent.y, extent.z, count);
}

void check_axis(const char* extent, char axis, unsigned value, int most) {
  const std::string name = fmt::format("{}.{}", extent, axis);
  const bool of_grid = std::string(extent) == "gridDim";
  if (value == 0)
    fail(impossible, bad_configuration,
         fmt::format("{} needs at least one {}, and {} is 0", of_grid ? "a grid" : "a block",
                     of_grid ? "block" : "thread", name),
         of_grid ? "Return early when there is nothing to do." : "Unused dimensions of a block are 1.");
  if (value <= static_cast<unsigned>(most)) return;
  const std::string given = static_cast<int>(value) < 0
                                ? fmt::format("{} is {}, which is {} as an int", name, value, static_cast<int>(value))
                                : fmt::format("{} is {}", name, value);
  fail(impossible, bad_configuration, fmt::format("{}, and the {} allows {}", given, runtime().device.name, most),
       static_cast<int>(value) < 0 ? "A negative number was converted: check how the size is computed."
       : of_grid                   ? "Put the larger extent in x, or let each block do more in a loop."
                                   : "Use smaller blocks, and more of them.");
}

void check_threads(const machine::Program& program, const dim3& block) {
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  const auto most = static_cast<std::uint64_t>(runtime().device.max_threads_per_block);
  if (threads > most)
    fail(impossible, bad_configuration,
         fmt::format("a block of {} threads, and the {} allows {}", product_of(block), runtime().device.name, most),
         "Use smaller blocks, and more of them.");
  if (threads > program.max_threads)
    fail(impossible, bad_configuration,
         fmt::format("a block of {} threads, and the kernel's __launch_bounds__ promise at most {}", product_of(block),
                     program.max_threads),
         "Launch smaller blocks, or raise the bound.");
}

void check_shared_memory(const Kernel& kernel, const machine::Program& program, std::size_t dynamic) {
  const Device& device = runtime().device;
  const std::size_t limit = dynamic_shared_limit(kernel, program);
  const std::size_t fixed = program.static_shared_bytes;
  if (fixed > static_cast<std::size_t>(device.shared_bytes_per_block))
    fail(cudaErrorInvalidPtx, bad_configuration,
         fmt::format("the kernel declares {} bytes of shared memory, and {} can be declared with a size", fixed,
                     device.shared_bytes_per_block),
         "Declare the array `extern __shared__` and give its size at the launch.");
  if (dynamic <= limit) return;
  const auto most = static_cast<std::size_t>(device.shared_bytes_per_block_optin);
  const std::string asked =
      fixed == 0 ? fmt::format("{} bytes of shared memory", dynamic)
                 : fmt::format("{} bytes of shared memory ({} static, {} dynamic)", dynamic + fixed, fixed, dynamic);
  if (dynamic + fixed > most)
    fail(impossible, bad_configuration,
         fmt::format("{} a block, and the {} has no more than {}", asked, device.name, most), "Use a smaller tile.");
  fail(impossible, bad_configuration,
       fmt::format("{} a block, and without a special request a block gets {}", asked, limit + fixed),
       fmt::format("Request it before the launch: cudaFuncSetAttribute({}, "
                   "cudaFuncAttributeMaxDynamicSharedMemorySize, {}). The {} allows up to {} bytes in all.",
                   kernel.name(), dynamic, device.name, most));
}

/// How many of the launch's blocks the card holds at a time.
std::uint64_t resident_blocks(const machine::Program& program, const Configuration& configuration) {
  const Device& device = runtime().device;
  const auto threads = static_cast<int>(extent_of(configuration.block).count());
  const int blocks = blocks_per_multiprocessor(device, needs_of(program, threads, configuration.dynamic_shared_bytes));
  return static_cast<std::uint64_t>(blocks) * static_cast<std::uint64_t>(device.multiprocessors);
}

/// The blocks of a cooperative launch wait for one another, so all have to be on the card at a time.
void check_cooperative(const machine::Program& program, const Configuration& configuration) {
  const Device& device = runtime().device;
  const std::uint64_t most = resident_blocks(program, configuration);
  if (extent_of(configuration.grid).count() > most)
    fail(cudaErrorCooperativeLaunchTooLarge, bad_configuration,
         fmt::format("a cooperative launch of {} blocks, and the {} holds {} of them at a time, {} on each of {} "
                     "multiprocessors",
                     extent_of(configuration.grid).count(), device.name, most,
                     most / static_cast<std::uint64_t>(device.multiprocessors), device.multiprocessors),
         "Launch no more blocks than cudaOccupancyMaxActiveBlocksPerMultiprocessor times the number of "
         "multiprocessors, and let each do more in a loop.");
}

/// The kernel's parameters as it reads them, from the addresses of the arguments.
std::vector<std::byte> parameters_of(const machine::Program& program, void** arguments) {
  std::vector<std::byte> buffer(program.parameter_bytes);
  for (std::size_t i = 0; i < program.parameters.size(); ++i) {
    if (arguments == nullptr || arguments[i] == nullptr)
      fail(cudaErrorInvalidValue, "bad argument",
           fmt::format("the kernel has {} parameters, and the address of argument {} is missing",
                       program.parameters.size(), i + 1),
           "Pass an array with the address of every argument.");
    std::memcpy(buffer.data() + program.parameters[i].offset, arguments[i], program.parameters[i].bytes);
  }
  return buffer;
}

void run_checked(Kernel& kernel, const Configuration& configuration, void** arguments) {
  require(configuration.stream);
  const machine::Program& program = runtime().modules.decode(kernel);
  check_configuration(kernel, program, configuration);

  machine::Launch launch;
  launch.program = &program;
  launch.memory = &runtime().memory;
  launch.grid = extent_of(configuration.grid);
  launch.block = extent_of(configuration.block);
  launch.dynamic_shared_bytes = static_cast<std::uint32_t>(configuration.dynamic_shared_bytes);
  launch.parameters = parameters_of(program, arguments);
  launch.resident_blocks = resident_blocks(program, configuration);
  launch.multiprocessors = static_cast<std::uint32_t>(runtime().device.multiprocessors);
  launch.cooperative = configuration.cooperative;
  run(launch, configuration.stream);
}

}  // namespace

std::size_t dynamic_shared_limit(const Kernel& kernel, const machine::Program& program) {
  if (kernel.dynamic_shared_limit) return *kernel.dynamic_shared_limit;
  const auto without_asking = static_cast<std::size_t>(runtime().device.shared_bytes_per_block);
  return without_asking - std::min<std::size_t>(program.static_shared_bytes, without_asking);
}

void check_configuration(const Kernel& kernel, const machine::Program& program, const Configuration& configuration) {
  const Device& device = runtime().device;
  check_axis("gridDim", 'x', configuration.grid.x, device.max_grid_x);
  check_axis("gridDim", 'y', configuration.grid.y, device.max_grid_y);
  check_axis("gridDim", 'z', configuration.grid.z, device.max_grid_z);
  check_axis("blockDim", 'x', configuration.block.x, device.max_block_x);
  check_axis("blockDim", 'y', configuration.block.y, device.max_block_y);
  check_axis("blockDim", 'z', configuration.block.z, device.max_block_z);
  check_threads(program, configuration.block);
  check_shared_memory(kernel, program, configuration.dynamic_shared_bytes);
  if (configuration.cooperative) check_cooperative(program, configuration);
}

void launch(Kernel& kernel, const Configuration& configuration, void** arguments) {
  try {
    run_checked(kernel, configuration, arguments);
  } catch (Failure& failure) {
    failure.diagnosis.kernel = kernel.name();
    failure.diagnosis.message = fmt::format("{}: {}", written(kernel, configuration), failure.diagnosis.message);
    throw;
  }
}

}  // namespace warpwright::cudart
