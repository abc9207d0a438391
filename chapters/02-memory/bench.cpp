// The chapter's kernels at size n. Compiled once; which of them a program holds, the linker decides: those that are not
// linked have no address. The two rules run on the host, and have nothing to launch.
#include "bench.h"

#include <algorithm>

#include "comparisons.h"
#include "device_array.h"
#include "expect.h"
#include "inputs.h"
#include "memory.h"

namespace memory {
[[gnu::weak]] void coalesce(const float* in, float* out, float factor, std::size_t n, cudaStream_t stream);
[[gnu::weak]] std::size_t align_pitch(std::size_t width);
[[gnu::weak]] void align(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);
[[gnu::weak]] void soa(const Particle* particles, Columns columns, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void rows_columns(const float* in, float* row_sums, float* column_sums, std::size_t width,
                                std::size_t height, cudaStream_t stream);
[[gnu::weak]] void transpose_tile(const float* in, float* out, std::size_t width, std::size_t height,
                                  cudaStream_t stream);
[[gnu::weak]] void transpose_pad(const float* in, float* out, std::size_t width, std::size_t height,
                                 cudaStream_t stream);
[[gnu::weak]] void transpose_swizzle(const float* in, float* out, std::size_t width, std::size_t height,
                                     cudaStream_t stream);
[[gnu::weak]] void cache_hints(const float* table, const std::uint32_t* indices, float* out, std::size_t n,
                               cudaStream_t stream);
[[gnu::weak]] void copy_strided(const float* in, float* out, std::size_t n, std::size_t stride, std::size_t offset,
                                cudaStream_t stream);
[[gnu::weak]] void copy_scattered(const float* in, float* out, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void copy_x_of_particles(const Particle* particles, float* out, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void copy_column(const float* x, float* out, std::size_t n, cudaStream_t stream);
[[gnu::weak]] void transpose_naive(const float* in, float* out, std::size_t width, std::size_t height,
                                   cudaStream_t stream);
[[gnu::weak]] void copy_matrix(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);
[[gnu::weak]] void copy_by_runtime(const float* in, float* out, std::size_t width, std::size_t height,
                                   cudaStream_t stream);
}  // namespace memory

namespace {

using namespace warpwright;

/// The first place where `got` is not exactly what `expected(i)` says, in words, or nothing.
template <class Expected>
std::optional<std::string> mismatch_at(const std::string& name, const std::vector<float>& got, Expected expected) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] == expected(i)) continue;
    return name + "[" + std::to_string(i) + "] is " + std::to_string(got[i]) + ", and should be " +
           std::to_string(expected(i));
  }
  return std::nullopt;
}

/// n elements as a matrix: as square as powers of two allow, and whole rows only.
struct Shape {
  explicit Shape(std::size_t n) : width(1) {
    while (width * width < n) width *= 2;
    height = n / width;
  }
  std::size_t width, height;
};

class Coalesce : public Workload {
 public:
  explicit Coalesce(std::size_t n) : values_(real_numbers(n, -1, 1, n)), in_("in", values_), out_("out", n) {}

  void run(cudaStream_t stream) override { memory::coalesce(in_.data(), out_.data(), 3, in_.size(), stream); }
  std::optional<std::string> mismatch() override {
    return mismatch_at("out", out_.download(), [&](std::size_t i) { return 3 * values_[i]; });
  }
  double bytes() const override { return static_cast<double>(2 * in_.size() * sizeof(float)); }

 private:
  std::vector<float> values_;
  DeviceArray<float> in_, out_;
};

/// Rows of 1001 floats, which do not fill their sectors.
class Align : public Workload {
 public:
  explicit Align(std::size_t n)
      : height_(std::max<std::size_t>(n / width, 2)),
        pitch_(memory::align_pitch(width)),
        values_(real_numbers(height_ * pitch_, -1, 1, n)),
        in_("in", values_),
        out_("out", (height_ - 1) * pitch_) {}

  void run(cudaStream_t stream) override { memory::align(in_.data(), out_.data(), width, height_, stream); }
  std::optional<std::string> mismatch() override {
    // What lies in the gaps is nobody's.
    std::vector<float> rows, expected;
    const auto out = out_.download();
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (i % pitch_ >= width) continue;
      rows.push_back(out[i]);
      expected.push_back(values_[i + pitch_] - values_[i]);
    }
    return mismatch_at("the rows of out", rows, [&](std::size_t i) { return expected[i]; });
  }
  double bytes() const override { return static_cast<double>((2 * height_ - 1) * width * sizeof(float)); }

 private:
  static constexpr std::size_t width = 1001;
  std::size_t height_, pitch_;
  std::vector<float> values_;
  DeviceArray<float> in_, out_;
};

class Soa : public Workload {
 public:
  explicit Soa(std::size_t n)
      : values_(real_numbers(4 * n, -1, 1, n)),
        in_("particles", n),
        x_("x", n),
        y_("y", n),
        z_("z", n),
        mass_("mass", n) {
    in_.upload({reinterpret_cast<const memory::Particle*>(values_.data()), n});
  }

  void run(cudaStream_t stream) override {
    memory::soa(in_.data(), {x_.data(), y_.data(), z_.data(), mass_.data()}, in_.size(), stream);
  }
  std::optional<std::string> mismatch() override {
    const DeviceArray<float>* const columns[] = {&x_, &y_, &z_, &mass_};
    for (std::size_t field = 0; field < 4; ++field) {
      if (auto wrong = mismatch_at("column " + std::to_string(field), columns[field]->download(),
                                   [&](std::size_t i) { return values_[4 * i + field]; }))
        return wrong;
    }
    return std::nullopt;
  }
  double bytes() const override { return static_cast<double>(2 * in_.size() * sizeof(memory::Particle)); }

 private:
  std::vector<float> values_;
  DeviceArray<memory::Particle> in_;
  DeviceArray<float> x_, y_, z_, mass_;
};

class RowsColumns : public Workload {
 public:
  explicit RowsColumns(std::size_t n)
      : shape_(n),
        values_(whole_numbers(shape_.width * shape_.height, -8, 8, n)),
        in_("in", values_),
        row_sums_("row_sums", shape_.height),
        column_sums_("column_sums", shape_.width) {}

  void run(cudaStream_t stream) override {
    memory::rows_columns(in_.data(), row_sums_.data(), column_sums_.data(), shape_.width, shape_.height, stream);
  }
  std::optional<std::string> mismatch() override {
    std::vector<float> rows(shape_.height, 0), columns(shape_.width, 0);  // whole numbers this small add up exactly
    for (std::size_t i = 0; i < values_.size(); ++i) {
      rows[i / shape_.width] += values_[i];
      columns[i % shape_.width] += values_[i];
    }
    const auto wrong = mismatch_at("row_sums", row_sums_.download(), [&](std::size_t i) { return rows[i]; });
    return wrong ? wrong
                 : mismatch_at("column_sums", column_sums_.download(), [&](std::size_t i) { return columns[i]; });
  }
  /// The matrix twice, once for each direction.
  double bytes() const override { return static_cast<double>(2 * in_.size() * sizeof(float)); }

 private:
  Shape shape_;
  std::vector<float> values_;
  DeviceArray<float> in_, row_sums_, column_sums_;
};

using Transposing = void (*)(const float* in, float* out, std::size_t width, std::size_t height, cudaStream_t stream);

class Transpose : public Workload {
 public:
  /// Whatever copies a matrix without transposing it is compared too.
  Transpose(Transposing transpose, std::size_t n, bool transposes = true)
      : transpose_(transpose),
        transposes_(transposes),
        shape_(n),
        values_(real_numbers(shape_.width * shape_.height, -1, 1, n)),
        in_("in", values_),
        out_("out", values_.size()) {}

  void run(cudaStream_t stream) override { transpose_(in_.data(), out_.data(), shape_.width, shape_.height, stream); }
  std::optional<std::string> mismatch() override {
    return mismatch_at("out", out_.download(), [&](std::size_t i) {
      return transposes_ ? values_[i % shape_.height * shape_.width + i / shape_.height] : values_[i];
    });
  }
  double bytes() const override { return static_cast<double>(2 * in_.size() * sizeof(float)); }

 private:
  Transposing transpose_;
  bool transposes_;
  Shape shape_;
  std::vector<float> values_;
  DeviceArray<float> in_, out_;
};

/// A table of 1 MiB, which the L2 holds, and n indices into it.
class CacheHints : public Workload {
 public:
  explicit CacheHints(std::size_t n)
      : table_values_(real_numbers(std::size_t{1} << 18, -1, 1, 1)),
        index_values_(n),
        table_("table", table_values_),
        indices_("indices", n),
        out_("out", n) {
    Random random(n);
    for (auto& index : index_values_) index = static_cast<std::uint32_t>(random.below(table_values_.size()));
    indices_.upload(index_values_);
  }

  void run(cudaStream_t stream) override {
    memory::cache_hints(table_.data(), indices_.data(), out_.data(), indices_.size(), stream);
  }
  std::optional<std::string> mismatch() override {
    return mismatch_at("out", out_.download(), [&](std::size_t i) { return table_values_[index_values_[i]]; });
  }
  double bytes() const override { return static_cast<double>(2 * indices_.size() * sizeof(float)); }

 private:
  std::vector<float> table_values_;
  std::vector<std::uint32_t> index_values_;
  DeviceArray<float> table_;
  DeviceArray<std::uint32_t> indices_;
  DeviceArray<float> out_;
};

/// n floats whose places lie `stride` apart, from element `offset` on; or scattered, for a stride of 0.
class Copy : public Workload {
 public:
  Copy(std::size_t n, std::size_t stride, std::size_t offset)
      : stride_(stride),
        offset_(offset),
        values_(real_numbers(std::max<std::size_t>(n * stride, n) + offset, -1, 1, n)),
        in_("in", values_),
        out_("out", n) {}

  void run(cudaStream_t stream) override {
    if (stride_ == 0) {
      memory::copy_scattered(in_.data(), out_.data(), out_.size(), stream);
    } else {
      memory::copy_strided(in_.data(), out_.data(), out_.size(), stride_, offset_, stream);
    }
  }
  std::optional<std::string> mismatch() override {
    return mismatch_at("out", out_.download(), [&](std::size_t i) {
      return values_[stride_ == 0 ? memory::scattered(i, out_.size()) : i * stride_ + offset_];
    });
  }
  double bytes() const override { return static_cast<double>(2 * out_.size() * sizeof(float)); }

 private:
  std::size_t stride_, offset_;
  std::vector<float> values_;
  DeviceArray<float> in_, out_;
};

/// x of n particles.
class Field : public Workload {
 public:
  Field(std::size_t n, bool from_particles)
      : from_particles_(from_particles),
        values_(real_numbers(from_particles ? 4 * n : n, -1, 1, n)),
        in_("in", values_),
        out_("out", n) {}

  void run(cudaStream_t stream) override {
    if (from_particles_) {
      memory::copy_x_of_particles(reinterpret_cast<const memory::Particle*>(in_.data()), out_.data(), out_.size(),
                                  stream);
    } else {
      memory::copy_column(in_.data(), out_.data(), out_.size(), stream);
    }
  }
  std::optional<std::string> mismatch() override {
    return mismatch_at("out", out_.download(), [&](std::size_t i) { return values_[from_particles_ ? 4 * i : i]; });
  }
  double bytes() const override { return static_cast<double>(2 * out_.size() * sizeof(float)); }

 private:
  bool from_particles_;
  std::vector<float> values_;
  DeviceArray<float> in_, out_;
};

/// Adds the benchmarks that the chapter compares with, if they are linked into this program.
void add_comparisons(std::vector<Benchmark>& benchmarks) {
  if (memory::copy_strided != nullptr) {
    const auto add_copy = [&](const std::string& name, std::size_t stride, std::size_t offset) {
      benchmarks.push_back(
          {"memory.copies/" + name, [=](std::size_t n) { return std::make_unique<Copy>(n, stride, offset); }});
    };
    for (const std::size_t stride : {1, 2, 4, 8, 16, 32, 33}) add_copy("stride " + std::to_string(stride), stride, 0);
    for (const std::size_t offset : {1, 3, 8, 13}) add_copy("offset " + std::to_string(offset), 1, offset);
    add_copy("scattered", 0, 0);
  }
  if (memory::copy_column != nullptr) {
    benchmarks.push_back(
        {"memory.fields/array of structures", [](std::size_t n) { return std::make_unique<Field>(n, true); }});
    benchmarks.push_back(
        {"memory.fields/structure of arrays", [](std::size_t n) { return std::make_unique<Field>(n, false); }});
  }
  if (memory::transpose_naive != nullptr) {
    benchmarks.push_back({"memory.transposes/naive",
                          [](std::size_t n) { return std::make_unique<Transpose>(memory::transpose_naive, n); }});
    benchmarks.push_back({"memory.transposes/plain copy",
                          [](std::size_t n) { return std::make_unique<Transpose>(memory::copy_matrix, n, false); }});
    benchmarks.push_back({"memory.transposes/cudaMemcpy", [](std::size_t n) {
                            return std::make_unique<Transpose>(memory::copy_by_runtime, n, false);
                          }});
  }
}

/// Adds a benchmark of `Kind` if what it runs is linked into this program.
template <class Kind, class Function>
void add(std::vector<Benchmark>& benchmarks, const std::string& name, Function* linked) {
  if (linked == nullptr) return;
  benchmarks.push_back({name, [](std::size_t n) { return std::make_unique<Kind>(n); }});
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<Benchmark> benchmarks;
  add<Coalesce>(benchmarks, "memory.coalesce", memory::coalesce);
  add<Align>(benchmarks, "memory.align", memory::align);
  add<Soa>(benchmarks, "memory.soa", memory::soa);
  add<RowsColumns>(benchmarks, "memory.rows_columns", memory::rows_columns);
  const std::pair<const char*, Transposing> transposes[] = {{"memory.transpose_tile", memory::transpose_tile},
                                                            {"memory.transpose_pad", memory::transpose_pad},
                                                            {"memory.transpose_swizzle", memory::transpose_swizzle}};
  for (const auto& [name, transpose] : transposes) {
    if (transpose == nullptr) continue;
    benchmarks.push_back(
        {name, [transpose = transpose](std::size_t n) { return std::make_unique<Transpose>(transpose, n); }});
  }
  add<CacheHints>(benchmarks, "memory.cache_hints", memory::cache_hints);
  add_comparisons(benchmarks);
  return bench_main(argc, argv, benchmarks);
}
