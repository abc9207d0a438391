// memory.soa: every sector of the particles moves once.
#include "memory.h"
#include "traffic.h"

using namespace warpwright;
using memory::Particle;

namespace {

std::vector<Particle> particles_of(std::size_t n) {
  const auto floats = any_floats(4 * n, n + 1);
  std::vector<Particle> particles(n);
  for (std::size_t i = 0; i < n; ++i)
    particles[i] = {floats[4 * i], floats[4 * i + 1], floats[4 * i + 2], floats[4 * i + 3]};
  return particles;
}

/// Columns in device memory.
struct DeviceColumns {
  explicit DeviceColumns(std::size_t n)
      : x("columns.x", n), y("columns.y", n), z("columns.z", n), mass("columns.mass", n) {}
  memory::Columns pointers() const { return {x.data(), y.data(), z.data(), mass.data()}; }
  DeviceArray<float> x, y, z, mass;
};

bool expect_column(std::size_t n, const std::string& name, const DeviceArray<float>& column,
                   const std::vector<Particle>& particles, float Particle::*field) {
  std::vector<float> expected;
  for (const Particle& particle : particles) expected.push_back(particle.*field);
  return expect_floats(length(n), name, column.download(), expected, "values are copied");
}

bool expect_columns(std::size_t n) {
  if (!takes_few_blocks([] {
        const DeviceArray<Particle> few("particles", particles_of(2));
        const DeviceColumns columns(2);
        memory::soa(few.data(), columns.pointers(), 2, nullptr);
      }))
    return false;
  const auto particles = particles_of(n);
  const DeviceArray<Particle> in("particles", particles);
  const DeviceColumns out(n);
  memory::soa(in.data(), out.pointers(), n, nullptr);
  return expect_column(n, "columns.x", out.x, particles, &Particle::x) &&
         expect_column(n, "columns.y", out.y, particles, &Particle::y) &&
         expect_column(n, "columns.z", out.z, particles, &Particle::z) &&
         expect_column(n, "columns.mass", out.mass, particles, &Particle::mass);
}

}  // namespace

TEST_F(Right, SplitsEveryLength) {
  for (const std::size_t n : lengths()) {
    if (!expect_columns(n)) return;
  }
  expect_columns(long_length / 4);
}

TEST_F(Safely, TouchesNothingElse) {
  for (const std::size_t n : {1, 31, 257, 1000}) {
    const auto particles = particles_of(n);
    const DeviceArray<Particle> in("particles", particles);
    const DeviceColumns out(n);
    memory::soa(in.data(), out.pointers(), n, nullptr);
    const auto after = in.download();
    if (__builtin_memcmp(after.data(), particles.data(), n * sizeof(Particle)) != 0)
      expect(length(n), "the particles were changed, and they are read only");
  }
}

TEST_F(Contract, EverySectorIsUsedWhole) {
  constexpr std::size_t n = 1 << 14;
  const DeviceArray<Particle> in("particles", particles_of(n));
  const DeviceColumns out(n);
  const auto launch = profile([&] { memory::soa(in.data(), out.pointers(), n, nullptr); }).front();
  expect_whole_sectors(launch, 16.0 * n, 16.0 * n);
  expect_even_shares(launch, 4 * n);  // a thread may take a float
}
