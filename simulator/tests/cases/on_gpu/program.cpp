// One of the cases as a program for a GPU; record.py compiles it with each. A case frees the array that holds its
// result last, and here every cudaFree() looks at what it frees (the linker's --wrap).
//
//   PROGRAM mistake|mended RUNS     prints for each run how it ended, and what its result was, as a number
//   PROGRAM mistake|mended watched  runs once and reads nothing: for compute-sanitizer, which would see the reading
#include <cuda_runtime_api.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

extern "C" void CASE(bool mended);

namespace {

bool is_watched = false;
std::uint64_t result = 0;
std::map<void*, std::size_t> sizes;

std::uint64_t number_of(const std::vector<unsigned char>& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char byte : bytes) hash = (hash ^ byte) * 0x100000001b3;
  return hash;
}

}  // namespace

extern "C" {

cudaError_t __real_cudaMalloc(void** pointer, std::size_t size);
cudaError_t __wrap_cudaMalloc(void** pointer, std::size_t size) {
  const cudaError_t error = __real_cudaMalloc(pointer, size);
  if (error == cudaSuccess) sizes[*pointer] = size;
  return error;
}

cudaError_t __real_cudaFree(void* pointer);
cudaError_t __wrap_cudaFree(void* pointer) {
  if (!is_watched) {
    std::vector<unsigned char> bytes(sizes[pointer]);
    cudaMemcpy(bytes.data(), pointer, bytes.size(), cudaMemcpyDeviceToHost);
    result = number_of(bytes);
  }
  return __real_cudaFree(pointer);
}

}  // extern "C"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const bool mended = std::strcmp(argv[1], "mended") == 0;
  is_watched = std::strcmp(argv[2], "watched") == 0;
  const int runs = is_watched ? 1 : std::atoi(argv[2]);
  for (int run = 0; run < runs; ++run) {
    CASE(mended);
    const cudaError_t finished = cudaDeviceSynchronize(), earlier = cudaGetLastError();
    std::printf("%s %016llx\n", cudaGetErrorName(finished != cudaSuccess ? finished : earlier),
                static_cast<unsigned long long>(result));
    if (finished != cudaSuccess) break;  // and so would every other run
  }
  return 0;
}
