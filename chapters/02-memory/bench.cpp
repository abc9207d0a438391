// The chapter's kernels at size n. Compiled once; which of them a program holds, the linker decides: those that are not
// linked have no address. The two rules run on the host, and have nothing to launch.
#include "bench.h"

#include "workloads.h"

namespace memory {
[[gnu::weak]] decltype(coalesce) coalesce;
[[gnu::weak]] decltype(align_pitch) align_pitch;
[[gnu::weak]] decltype(align) align;
[[gnu::weak]] decltype(soa) soa;
[[gnu::weak]] decltype(rows_columns) rows_columns;
[[gnu::weak]] decltype(transpose_tile) transpose_tile;
[[gnu::weak]] decltype(transpose_pad) transpose_pad;
[[gnu::weak]] decltype(transpose_swizzle) transpose_swizzle;
[[gnu::weak]] decltype(cache_hints) cache_hints;
[[gnu::weak]] decltype(copy_strided) copy_strided;
[[gnu::weak]] decltype(copy_placed) copy_placed;
[[gnu::weak]] decltype(copy_x_of_particles) copy_x_of_particles;
[[gnu::weak]] decltype(copy_column) copy_column;
[[gnu::weak]] decltype(transpose_naive) transpose_naive;
[[gnu::weak]] decltype(copy_matrix) copy_matrix;
[[gnu::weak]] decltype(copy_by_runtime) copy_by_runtime;
}  // namespace memory

// The solutions, where a program holds both; see cmake/chapter.cmake. Types of the chapter's header are theirs there.
namespace solution_of_memory {
[[gnu::weak]] decltype(memory::coalesce) coalesce;
[[gnu::weak]] decltype(memory::align_pitch) align_pitch;
[[gnu::weak]] decltype(memory::align) align;
struct Particle;
struct Columns {
  float *x, *y, *z, *mass;
};
[[gnu::weak]] void soa(const Particle* particles, Columns columns, std::size_t n, cudaStream_t stream);
[[gnu::weak]] decltype(memory::rows_columns) rows_columns;
[[gnu::weak]] decltype(memory::transpose_tile) transpose_tile;
[[gnu::weak]] decltype(memory::transpose_pad) transpose_pad;
[[gnu::weak]] decltype(memory::transpose_swizzle) transpose_swizzle;
[[gnu::weak]] decltype(memory::cache_hints) cache_hints;
}  // namespace solution_of_memory

namespace {

using namespace memory::bench;
namespace answer = solution_of_memory;

void soa_of_solution(const memory::Particle* particles, memory::Columns to, std::size_t n, cudaStream_t stream) {
  answer::soa(reinterpret_cast<const answer::Particle*>(particles), {to.x, to.y, to.z, to.mass}, n, stream);
}

void add_copies(Benchmarks& benchmarks) {
  using memory::Pattern;
  const auto strided = [&](const std::string& name, std::size_t stride, std::size_t offset) {
    benchmarks.add<Copy>(
        memory::copy_strided != nullptr, "memory.copies/" + name,
        [=](const float* in, float* out, std::size_t n, cudaStream_t stream) {
          memory::copy_strided(in, out, n, stride, offset, stream);
        },
        [=](std::size_t i, std::size_t) { return i * stride + offset; });
  };
  const auto placed = [&](const std::string& name, Pattern pattern) {
    benchmarks.add<Copy>(
        memory::copy_placed != nullptr, "memory.copies/" + name,
        [=](const float* in, float* out, std::size_t n, cudaStream_t stream) {
          memory::copy_placed(pattern, in, out, n, stream);
        },
        [=](std::size_t i, std::size_t n) { return memory::place(pattern, i, n); });
  };
  for (const std::size_t stride : {1, 2, 4, 6, 8, 12, 16, 24, 32, 33})
    strided("stride " + std::to_string(stride), stride, 0);
  for (const std::size_t offset : {1, 3, 8, 13}) strided("offset " + std::to_string(offset), 1, offset);
  placed("mixed", Pattern::mixed);
  placed("shared", Pattern::shared);
  placed("scattered", Pattern::scattered);
}

}  // namespace

int main(int argc, char** argv) {
  Benchmarks benchmarks;
  benchmarks.add_both<Coalesce>("memory.coalesce", memory::coalesce, answer::coalesce);
  benchmarks.add<Align>(memory::align != nullptr, "memory.align", Align::Launcher{memory::align, memory::align_pitch});
  benchmarks.add<Align>(answer::align != nullptr, "solution.memory.align",
                        Align::Launcher{answer::align, answer::align_pitch});
  benchmarks.add_both<Soa>("memory.soa", memory::soa, answer::soa == nullptr ? nullptr : soa_of_solution);
  benchmarks.add_both<RowsColumns>("memory.rows_columns", memory::rows_columns, answer::rows_columns);
  benchmarks.add_both<Matrix<true>>("memory.transpose_tile", memory::transpose_tile, answer::transpose_tile);
  benchmarks.add_both<Matrix<true>>("memory.transpose_pad", memory::transpose_pad, answer::transpose_pad);
  benchmarks.add_both<Matrix<true>>("memory.transpose_swizzle", memory::transpose_swizzle, answer::transpose_swizzle);
  benchmarks.add_both<CacheHints>("memory.cache_hints", memory::cache_hints, answer::cache_hints);
  add_copies(benchmarks);
  benchmarks.add<Field<true>>(memory::copy_column != nullptr, "memory.fields/array of structures");
  benchmarks.add<Field<false>>(memory::copy_column != nullptr, "memory.fields/structure of arrays");
  const bool has_transposes = memory::transpose_naive != nullptr;
  benchmarks.add<Matrix<true>>(has_transposes, "memory.transposes/naive", memory::transpose_naive);
  benchmarks.add<Matrix<false>>(has_transposes, "memory.transposes/plain copy", memory::copy_matrix);
  benchmarks.add<Matrix<false>>(has_transposes, "memory.transposes/cudaMemcpy", memory::copy_by_runtime);
  return bench_main(argc, argv, benchmarks.all());
}
