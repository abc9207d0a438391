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
[[gnu::weak]] decltype(copy_by_thread) copy_by_thread;
[[gnu::weak]] decltype(copy_in_order) copy_in_order;
[[gnu::weak]] decltype(fill_cells) fill_cells;
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
  const auto by_thread = [&](const std::string& name, memory::Half half, std::size_t row) {
    benchmarks.add<Copy>(
        memory::copy_by_thread != nullptr, "memory.copies/" + name + " by thread, rows of " + std::to_string(row),
        [=](const float* in, float* out, std::size_t n, cudaStream_t stream) {
          memory::copy_by_thread(half, row, in, out, n, stream);
        },
        [=](std::size_t i, std::size_t n) { return memory::place(half, row, i, n); });
  };
  for (const std::size_t stride : {1, 2, 4, 6, 8, 12, 16, 24, 32, 33})
    strided("stride " + std::to_string(stride), stride, 0);
  for (const std::size_t offset : {1, 3, 8, 13, 32}) strided("offset " + std::to_string(offset), 1, offset);
  placed("mixed", Pattern::mixed);
  placed("shared", Pattern::shared);
  placed("scattered", Pattern::scattered);
  for (const std::size_t row : {8, 32, 128}) {
    by_thread("loads", memory::Half::loads, row);
    by_thread("stores", memory::Half::stores, row);
  }
}

void add_orders(Benchmarks& benchmarks) {
  constexpr unsigned all = 31, most_blocks = 22;  // logarithms, as those of an order are
  const auto add = [&](const std::string& name, memory::Order order) {
    benchmarks.add<Ordered>(memory::copy_in_order != nullptr, "memory.orders/" + name, order);
  };
  const auto size = [](unsigned log_cells) {
    static constexpr const char* units[] = {"B", "KiB", "MiB", "GiB"};
    std::size_t number = memory::cell_floats * sizeof(float) << log_cells, unit = 0;
    for (; number >= 1024; number /= 1024) ++unit;
    return std::to_string(number) + " " + units[unit];
  };
  add("one behind the other", {});
  for (const unsigned block : {1, 2, 3, 4, 5, 6, 8, 10, 15})
    add("blocks of " + size(block), {.first = {block, block + most_blocks}});
  for (const unsigned window : {6, 10, 15, 19, 22}) add("mixed in " + size(window), {.first = {0, window}});
  // A warp's 32 cells lie within a window, which warp after warp come to in any order.
  for (const unsigned window : {6, 8, 10, 12, 15, 17, 19, 21, 22})
    add("warps within " + size(window), {.first = {5, 5 + most_blocks}, .then = {0, window}});
  add("anywhere", {.first = {0, all}});
  // Of every 128 bytes, 64 are read.
  add("every second, one behind the other", {.group_part = 1});
  for (const unsigned block : {1, 2, 3, 5, 10, 15})
    add("every second, blocks of " + size(block + 1), {.first = {block, block + most_blocks}, .group_part = 1});
  add("every second, anywhere", {.first = {0, all}, .group_part = 1});
  // The L2 holds what is read: 4 MiB, close together or not.
  add("kept in " + size(16) + ", one behind the other", {.kept = 16});
  for (const unsigned part : {0, 2, 4, 5, 6, 7, 8})
    add("kept in " + size(16 + part) + ", anywhere", {.first = {0, all}, .kept = 16, .group_part = part});
  add("kept in 512 groups of " + size(7) + ", anywhere", {.first = {0, all}, .kept = 16, .group = 7, .group_part = 8});
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
  add_orders(benchmarks);
  benchmarks.add<Field<true>>(memory::copy_column != nullptr, "memory.fields/array of structures");
  benchmarks.add<Field<false>>(memory::copy_column != nullptr, "memory.fields/structure of arrays");
  const bool has_transposes = memory::transpose_naive != nullptr;
  benchmarks.add<Matrix<true>>(has_transposes, "memory.transposes/naive", memory::transpose_naive);
  benchmarks.add<Matrix<false>>(has_transposes, "memory.transposes/plain copy", memory::copy_matrix);
  benchmarks.add<Matrix<false>>(has_transposes, "memory.transposes/cudaMemcpy", memory::copy_by_runtime);
  return bench_main(argc, argv, benchmarks.all());
}
