// Functions that nvcc leaves functions: plain, recursive, through pointers and virtual; arrays in local memory,
// alloca(), variables that start with addresses, a switch that may become a table, malloc() and new.
#include <cstdint>

#include "device_vector.h"

namespace {

constexpr int threads = 64;

struct Pair {
  int a;
  double b;
  float c[3];
};

__host__ __device__ __noinline__ Pair make_pair(int x, float y) {
  Pair pair;
  pair.a = x;
  pair.b = y * 2.0;
  for (int i = 0; i < 3; ++i) pair.c[i] = static_cast<float>(x + i);
  return pair;
}
__host__ __device__ __noinline__ float weigh(Pair pair, char weight) {
  return static_cast<float>(pair.a + pair.b) + pair.c[1] * weight;
}
__host__ __device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__host__ __device__ __noinline__ bool is_odd(unsigned n);
__host__ __device__ __noinline__ bool is_even(unsigned n) { return n == 0 || is_odd(n - 1); }
__host__ __device__ __noinline__ bool is_odd(unsigned n) { return n != 0 && is_even(n - 1); }

/// Recursion with an array of its own in every frame.
__host__ __device__ __noinline__ int digits(int n, int* above) {
  int own[4] = {n, n / 2, n / 3, above == nullptr ? 0 : above[n & 3]};
  if (n == 0) return own[3];
  return own[n & 3] + digits(n - 1, own);
}

__global__ void call_plainly(int* out) {
  const int t = static_cast<int>(threadIdx.x);
  int value = static_cast<int>(weigh(make_pair(t, 0.5f * t), 3));
  if (t % 3 == 0) value += fibonacci(t % 12);
  if (t % 3 == 1) value += is_even(t) ? 1000 : 2000;
  value += digits(t % 7, nullptr);
  out[t] = value;
}

int plainly(int t) {
  int value = static_cast<int>(weigh(make_pair(t, 0.5f * t), 3));
  if (t % 3 == 0) value += fibonacci(t % 12);
  if (t % 3 == 1) value += is_even(t) ? 1000 : 2000;
  return value + digits(t % 7, nullptr);
}

using Operation = int (*)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ int thrice(int x) { return 3 * x; }
__device__ __noinline__ int square(int x) { return x * x; }
__device__ Operation operations[3] = {twice, thrice, square};

struct Shape {
  __device__ virtual int area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  int side;
  __device__ explicit Square(int s) : side(s) {}
  __device__ int area() const override { return side * side; }
};
struct Bar : Shape {
  int length;
  __device__ explicit Bar(int l) : length(l) {}
  __device__ int area() const override { return 7 * length; }
};

__global__ void call_through_pointers(int* out, int shift) {
  const int t = static_cast<int>(threadIdx.x);
  const Square square_shape(t);
  const Bar bar(t);
  const Shape* shape = t % 2 == 0 ? static_cast<const Shape*>(&square_shape) : &bar;
  Shape* made = t % 5 == 0 ? static_cast<Shape*>(new Square(t + 1)) : new Bar(t + 1);
  out[t] = operations[(t + shift) % 3](t) + 10000 * shape->area() + 3 * made->area();
  delete made;
}

int through_pointers(int t, int shift) {
  const int which = (t + shift) % 3;
  const int value = which == 0 ? 2 * t : which == 1 ? 3 * t : t * t;
  return value + 10000 * (t % 2 == 0 ? t * t : 7 * t) + 3 * (t % 5 == 0 ? (t + 1) * (t + 1) : 7 * (t + 1));
}

__device__ int answer = 5;
__device__ int* to_answer = &answer;
__constant__ int* constant_to_answer = &answer;
__constant__ int weights[4] = {1, 20, 300, 4000};

__device__ __noinline__ int sum_of(int n) {
  int* row = static_cast<int*>(alloca(n * sizeof(int)));
  for (int i = 0; i < n; ++i) row[i] = i;
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += row[i * 5 % n];
  return sum;
}

__global__ void use_memory(int* out, const int* in, int n) {
  const int t = static_cast<int>(threadIdx.x);
  int table[32];
  for (int i = 0; i < 32; ++i) table[i] = i * n;
  int value = table[(t * 7) % 32] + *to_answer + *constant_to_answer + weights[t % 4];
  switch (in[t]) {
    case 0:
      value += __popc(t);
      break;
    case 1:
      value -= 3 * in[0];
      break;
    case 2:
      value ^= 0x55;
      break;
    case 3:
      value = value / 7;
      break;
    case 4:
      value *= 5;
      break;
    case 5:
      value += sum_of(t + 1);
      break;
    default:
      value = -1;
  }
  out[t] = value;
}

int of_memory(int t, int n) {
  const int weight[4] = {1, 20, 300, 4000};
  int value = (t * 7) % 32 * n + 10 + weight[t % 4];
  switch (t % 8) {
    case 0:
      return value + __builtin_popcount(static_cast<unsigned>(t));
    case 1:
      return value;
    case 2:
      return value ^ 0x55;
    case 3:
      return value / 7;
    case 4:
      return value * 5;
    case 5: {
      int sum = 0;
      for (int i = 0; i <= t; ++i) sum += i * 5 % (t + 1);
      return value + sum;
    }
    default:
      return -1;
  }
}

}  // namespace

bool program() {
  const DeviceVector<int> out(threads, -7);
  std::vector<int> kinds(threads);
  for (int t = 0; t < threads; ++t) kinds[t] = t % 8;
  const DeviceVector<int> in(kinds);
  bool right = true;
  call_plainly<<<1, threads>>>(out.get());
  const std::vector<int> plain = out.values();
  for (int t = 0; t < threads; ++t) right &= plain[t] == plainly(t);
  for (int shift = 0; shift < 3; ++shift) {
    call_through_pointers<<<1, threads>>>(out.get(), shift);
    const std::vector<int> values = out.values();
    for (int t = 0; t < threads; ++t) right &= values[t] == through_pointers(t, shift);
  }
  use_memory<<<1, threads>>>(out.get(), in.get(), 3);
  const std::vector<int> values = out.values();
  for (int t = 0; t < threads; ++t) right &= values[t] == of_memory(t, 3);
  return right && cudaDeviceSynchronize() == cudaSuccess;
}
