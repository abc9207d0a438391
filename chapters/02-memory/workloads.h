// What the chapter's benchmark runs at size n, how its result is checked, and what it has to move. Each takes the
// function that it is to run, so that exercise, solution and what they are compared with can stand side by side.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench.h"
#include "comparisons.h"
#include "device_array.h"
#include "inputs.h"
#include "memory.h"

namespace memory::bench {

using namespace warpwright;

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
  Coalesce(decltype(memory::coalesce)* launcher, std::size_t n)
      : launcher_(launcher), values_(real_numbers(n, -1, 1, n)), in_("in", values_), out_("out", n) {}

  void run(cudaStream_t stream) override { launcher_(in_.data(), out_.data(), 3, in_.size(), stream); }
  std::optional<std::string> mismatch() override {
    return mismatch_at("out", out_.download(), [&](std::size_t i) { return 3 * values_[i]; });
  }
  double bytes() const override { return float_bytes(2 * in_.size()); }

 private:
  decltype(memory::coalesce)* launcher_;
  std::vector<float> values_;
  DeviceArray<float> in_, out_;
};

/// Rows of 1001 floats, which do not fill their sectors.
class Align : public Workload {
 public:
  /// How far rows lie apart belongs to the function.
  struct Launcher {
    decltype(memory::align)* subtract;
    decltype(memory::align_pitch)* pitch;
  };
  Align(Launcher launcher, std::size_t n)
      : launcher_(launcher),
        height_(std::max<std::size_t>(n / width, 2)),
        pitch_(launcher.pitch(width)),
        values_(real_numbers(height_ * pitch_, -1, 1, n)),
        in_("in", values_),
        out_("out", (height_ - 1) * pitch_) {}

  void run(cudaStream_t stream) override { launcher_.subtract(in_.data(), out_.data(), width, height_, stream); }
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
  double bytes() const override { return float_bytes((2 * height_ - 1) * width); }

 private:
  static constexpr std::size_t width = 1001;
  Launcher launcher_;
  std::size_t height_, pitch_;
  std::vector<float> values_;
  DeviceArray<float> in_, out_;
};

class Soa : public Workload {
 public:
  Soa(decltype(memory::soa)* launcher, std::size_t n)
      : launcher_(launcher),
        values_(real_numbers(4 * n, -1, 1, n)),
        in_("particles", n),
        x_("x", n),
        y_("y", n),
        z_("z", n),
        mass_("mass", n) {
    in_.upload({reinterpret_cast<const Particle*>(values_.data()), n});
  }

  void run(cudaStream_t stream) override {
    launcher_(in_.data(), {x_.data(), y_.data(), z_.data(), mass_.data()}, in_.size(), stream);
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
  double bytes() const override { return float_bytes(8 * in_.size()); }

 private:
  decltype(memory::soa)* launcher_;
  std::vector<float> values_;
  DeviceArray<Particle> in_;
  DeviceArray<float> x_, y_, z_, mass_;
};

class RowsColumns : public Workload {
 public:
  RowsColumns(decltype(memory::rows_columns)* launcher, std::size_t n)
      : launcher_(launcher),
        shape_(n),
        values_(whole_numbers(shape_.width * shape_.height, -8, 8, n)),
        in_("in", values_),
        row_sums_("row_sums", shape_.height),
        column_sums_("column_sums", shape_.width) {}

  void run(cudaStream_t stream) override {
    launcher_(in_.data(), row_sums_.data(), column_sums_.data(), shape_.width, shape_.height, stream);
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
  double bytes() const override { return float_bytes(2 * in_.size()); }

 private:
  decltype(memory::rows_columns)* launcher_;
  Shape shape_;
  std::vector<float> values_;
  DeviceArray<float> in_, row_sums_, column_sums_;
};

/// What makes a matrix of a matrix: transposed, or (a copy that is compared with) as it was.
template <bool transposes>
class Matrix : public Workload {
 public:
  Matrix(decltype(transpose_tile)* launcher, std::size_t n)
      : launcher_(launcher),
        shape_(n),
        values_(real_numbers(shape_.width * shape_.height, -1, 1, n)),
        in_("in", values_),
        out_("out", values_.size()) {}

  void run(cudaStream_t stream) override { launcher_(in_.data(), out_.data(), shape_.width, shape_.height, stream); }
  std::optional<std::string> mismatch() override {
    return mismatch_at("out", out_.download(), [&](std::size_t i) {
      return transposes ? values_[i % shape_.height * shape_.width + i / shape_.height] : values_[i];
    });
  }
  double bytes() const override { return float_bytes(2 * in_.size()); }

 private:
  decltype(transpose_tile)* launcher_;
  Shape shape_;
  std::vector<float> values_;
  DeviceArray<float> in_, out_;
};

/// A table of 1 MiB, which the L2 holds, and n indices into it.
class CacheHints : public Workload {
 public:
  CacheHints(decltype(memory::cache_hints)* launcher, std::size_t n)
      : launcher_(launcher),
        table_values_(real_numbers(std::size_t{1} << 18, -1, 1, 1)),
        index_values_(n),
        table_("table", table_values_),
        indices_("indices", n),
        out_("out", n) {
    Random random(n);
    for (auto& index : index_values_) index = static_cast<std::uint32_t>(random.below(table_values_.size()));
    indices_.upload(index_values_);
  }

  void run(cudaStream_t stream) override {
    launcher_(table_.data(), indices_.data(), out_.data(), indices_.size(), stream);
  }
  std::optional<std::string> mismatch() override {
    return mismatch_at("out", out_.download(), [&](std::size_t i) { return table_values_[index_values_[i]]; });
  }
  double bytes() const override { return float_bytes(2 * indices_.size()); }

 private:
  decltype(memory::cache_hints)* launcher_;
  std::vector<float> table_values_;
  std::vector<std::uint32_t> index_values_;
  DeviceArray<float> table_;
  DeviceArray<std::uint32_t> indices_;
  DeviceArray<float> out_;
};

/// What copies of n floats take them from: enough for the widest stride. The last one made is kept, for the next copy
/// of the same size: with wide strides it is far larger than what is copied.
struct Source {
  static constexpr std::size_t widest = 33, furthest = 13;
  explicit Source(std::size_t n) : values(real_numbers(widest * n + furthest, -1, 1, n)), in("in", values) {}
  static std::shared_ptr<Source> of(std::size_t n) {
    static std::shared_ptr<Source> kept;
    if (kept == nullptr || kept->values.size() != widest * n + furthest) {
      kept.reset();  // before its successor needs the memory
      kept = std::make_shared<Source>(n);
    }
    return kept;
  }

  std::vector<float> values;
  DeviceArray<float> in;
};

/// n floats, each from a place of its own.
class Copy : public Workload {
 public:
  using Launcher = std::function<void(const float* in, float* out, std::size_t n, cudaStream_t stream)>;
  using Place = std::function<std::size_t(std::size_t i, std::size_t n)>;
  Copy(Launcher launcher, Place place, std::size_t n)
      : launcher_(std::move(launcher)), place_(std::move(place)), source_(Source::of(n)), out_("out", n) {}

  void run(cudaStream_t stream) override { launcher_(source_->in.data(), out_.data(), out_.size(), stream); }
  std::optional<std::string> mismatch() override {
    return mismatch_at("out", out_.download(), [&](std::size_t i) { return source_->values[place_(i, out_.size())]; });
  }
  double bytes() const override { return float_bytes(2 * out_.size()); }

 private:
  Launcher launcher_;
  Place place_;
  std::shared_ptr<Source> source_;
  DeviceArray<float> out_;
};

/// The first floats of n cells, in some order.
class Ordered : public Workload {
 public:
  Ordered(Order order, std::size_t n)
      : places_(order, n),
        in_("cells", places_.cells() * cell_floats * sizeof(float)),
        bytes_read_(static_cast<double>(std::min(n, std::size_t{1} << order.kept) * cell_floats * sizeof(float))),
        out_("out", n) {
    fill_cells(static_cast<float*>(in_.data()), places_.cells(), nullptr);
  }

  void run(cudaStream_t stream) override {
    copy_in_order(places_, static_cast<const float*>(in_.data()), out_.data(), out_.size(), stream);
  }
  std::optional<std::string> mismatch() override {
    return mismatch_at("out", out_.download(), [&](std::size_t i) { return number_of_cell(places_(i)); });
  }
  /// Cells are read whole.
  double bytes() const override { return bytes_read_ + float_bytes(out_.size()); }

 private:
  Places places_;
  DeviceBytes in_;
  double bytes_read_;
  DeviceArray<float> out_;
};

/// x of n particles, whose structures or columns lie in `in`.
template <bool of_structures>
class Field : public Workload {
 public:
  explicit Field(std::size_t n)
      : values_(real_numbers(of_structures ? 4 * n : n, -1, 1, n)), in_("in", values_), out_("out", n) {}

  void run(cudaStream_t stream) override {
    if constexpr (of_structures) {
      copy_x_of_particles(reinterpret_cast<const Particle*>(in_.data()), out_.data(), out_.size(), stream);
    } else {
      copy_column(in_.data(), out_.data(), out_.size(), stream);
    }
  }
  std::optional<std::string> mismatch() override {
    return mismatch_at("out", out_.download(), [&](std::size_t i) { return values_[of_structures ? 4 * i : i]; });
  }
  double bytes() const override { return float_bytes(2 * out_.size()); }

 private:
  std::vector<float> values_;
  DeviceArray<float> in_, out_;
};

}  // namespace memory::bench
