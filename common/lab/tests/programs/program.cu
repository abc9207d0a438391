// A program that nobody links with the simulator, doing what its first argument says. Each word is a test of
// simulate_test.cpp.
#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int block = 64;

__global__ void greet() { printf("hello\n"); }

__global__ void twice(int* data) { data[threadIdx.x] *= 2; }

__global__ void reverse(int* data) {
  __shared__ int tile[block];
  tile[threadIdx.x] = data[threadIdx.x];
  data[threadIdx.x] = tile[block - 1 - threadIdx.x];  // no barrier
}

int* numbers() {
  int host[block];
  for (int i = 0; i < block; ++i) host[i] = i;
  int* device = nullptr;
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  return device;
}

// Frees after main, when all that knows how to report may be gone.
struct LateOwner {
  int* data = nullptr;
  ~LateOwner() { cudaFree(data); }
} late;

}  // namespace

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  late.data = numbers();
  if (std::strcmp(what, "right") == 0) {
    twice<<<1, block>>>(late.data);
    int last = 0;
    cudaMemcpy(&last, late.data + block - 1, sizeof last, cudaMemcpyDeviceToHost);
    std::printf("%d\n", last);
    for (int i = 2; i < argc; ++i) std::printf("%s\n", argv[i]);
    for (int c = std::getchar(); c != EOF; c = std::getchar()) std::putchar(c);
    return last == 2 * (block - 1) ? 7 : 1;
  }
  if (std::strcmp(what, "race") == 0)
    for (int i = 0; i < 3; ++i) reverse<<<1, block>>>(late.data);
  if (std::strcmp(what, "unread") == 0) twice<<<0, block>>>(late.data);
  if (std::strcmp(what, "read") == 0) {
    twice<<<0, block>>>(late.data);
    std::puts(cudaGetErrorName(cudaGetLastError()));
  }
  if (std::strcmp(what, "mute") == 0) greet<<<1, 1>>>();
  if (std::strcmp(what, "leak") == 0) numbers();
  if (std::strcmp(what, "beyond") == 0) twice<<<1, 2 * block>>>(late.data);
  if (std::strcmp(what, "direction") == 0) {
    int host = 0;
    cudaMemcpy(&host, late.data, sizeof host, cudaMemcpyHostToDevice);
  }
  if (std::strcmp(what, "device") == 0) {
    cudaDeviceProp properties;
    cudaGetDeviceProperties(&properties, 0);
    std::puts(properties.name);
  }
  if (std::strcmp(what, "crash") == 0) {
    twice<<<1, block>>>(late.data);
    raise(SIGSEGV);
  }
  if (std::strcmp(what, "follow") == 0) {
    twice<<<1, block>>>(late.data);
    int* data = late.data + 2;
    asm volatile("nop" : "+r"(data));  // what runs last before the access, on a line of its own
    *data = 1;
  }
  if (std::strcmp(what, "leave") == 0) _exit(0);
  if (std::strcmp(what, "wait") == 0) {
    twice<<<1, block>>>(late.data);
    std::puts("waiting");
    std::fflush(stdout);
    pause();
  }
  return 0;
}
