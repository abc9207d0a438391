// The chapter's kernels at size n. Compiled once; which of them a program holds, the linker decides: those that are not
// linked have no address.
#include "bench.h"

#include "workloads.h"

namespace vectors {
[[gnu::weak]] decltype(copy4) copy4;
[[gnu::weak]] decltype(add4) add4;
[[gnu::weak]] decltype(unaligned) unaligned;
[[gnu::weak]] decltype(any_type) any_type;
[[gnu::weak]] decltype(vector_sum) vector_sum;
[[gnu::weak]] decltype(in_flight) in_flight;
[[gnu::weak]] decltype(copy_wide) copy_wide;
}  // namespace vectors

// The solutions, where a program holds both; see cmake/chapter.cmake.
namespace solution_of_vectors {
[[gnu::weak]] decltype(vectors::copy4) copy4;
[[gnu::weak]] decltype(vectors::add4) add4;
[[gnu::weak]] decltype(vectors::unaligned) unaligned;
[[gnu::weak]] decltype(vectors::any_type) any_type;
[[gnu::weak]] decltype(vectors::vector_sum) vector_sum;
[[gnu::weak]] decltype(vectors::in_flight) in_flight;
}  // namespace solution_of_vectors

int main(int argc, char** argv) {
  using namespace vectors::bench;
  namespace answer = solution_of_vectors;
  Benchmarks benchmarks;
  benchmarks.add_both<Copy4>("vectors.copy4", vectors::copy4, answer::copy4);
  benchmarks.add_both<Add4>("vectors.add4", vectors::add4, answer::add4);
  benchmarks.add_both<Unaligned>("vectors.unaligned", vectors::unaligned, answer::unaligned);
  benchmarks.add_both<AnyType>("vectors.any_type", vectors::any_type, answer::any_type);
  benchmarks.add_both<VectorSum>("vectors.vector_sum", vectors::vector_sum, answer::vector_sum);
  benchmarks.add_both<InFlight>("vectors.in_flight", vectors::in_flight, answer::in_flight);
  for (const unsigned bytes : {4u, 8u, 16u}) {
    for (const unsigned loads : {1u, 2u, 4u}) {
      const std::string way = std::to_string(loads) + " x " + std::to_string(bytes) + " bytes";
      benchmarks.add<CopyWide>(vectors::copy_wide != nullptr, "vectors.widths/" + way, Way{bytes, loads, 8});
      benchmarks.add<CopyWide>(vectors::copy_wide != nullptr, "vectors.widths/" + way + " on few warps",
                               Way{bytes, loads, 1});
    }
  }
  return bench_main(argc, argv, benchmarks.all());
}
