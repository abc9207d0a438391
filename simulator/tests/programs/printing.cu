// printf() in a kernel: every conversion, in the order of the threads' work, shown when the host waits.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "device_vector.h"

namespace {

__global__ void print_all(int n, const char* name) {
  printf("%d|%5d|%-5d|%+d|%05d|%u|%x|%X|%o|%c|%s|%%|%10s|%.2s\n", -n, n, n, n, n, 4000000000u, 255, 255, 8, 'q', name,
         name, name);
  printf("%f|%.3f|%10.2e|%g|%ld|%lld|%llu|%zu|%hd|%*d\n", 1.5, 2.0f / 3, 12345.678, 1e-7, -5L, 123456789012345LL,
         18446744073709551615ULL, sizeof(int), 7, 4, n);
  const int arguments = printf("no arguments\n");
  printf("%d\n", arguments);
  printf("%d\n", printf("%d %d %d\n", 1, 2, 3));
}

__global__ void print_threads() { printf("%d:%d ", static_cast<int>(blockIdx.x), static_cast<int>(threadIdx.x)); }

/// What `work` writes to standard output.
template <class Work>
std::string output_of(Work work) {
  std::fflush(stdout);
  const int terminal = dup(STDOUT_FILENO);
  FILE* file = std::tmpfile();
  dup2(fileno(file), STDOUT_FILENO);
  work();
  std::fflush(stdout);
  dup2(terminal, STDOUT_FILENO);
  close(terminal);
  std::rewind(file);
  std::string text;
  for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}

}  // namespace

bool program() {
  const std::string word = "warp";
  const DeviceVector<char> name(std::vector<char>(word.c_str(), word.c_str() + word.size() + 1));
  const std::string all = output_of([&] {
    print_all<<<1, 1>>>(42, name.get());
    cudaDeviceSynchronize();
  });
  const std::string expected =
      "-42|   42|42   |+42|00042|4000000000|ff|FF|10|q|warp|%|      warp|wa\n"
      "1.500000|0.667|  1.23e+04|1e-07|-5|123456789012345|18446744073709551615|4|7|  42\n"
      "no arguments\n0\n1 2 3\n3\n";
  std::string early;
  const std::string threads = output_of([&] {
    early = output_of([] { print_threads<<<1, 40>>>(); });
    cudaDeviceSynchronize();
  });
  std::string in_order;
  for (int t = 0; t < 40; ++t) in_order += "0:" + std::to_string(t) + " ";
  const char* schedule = std::getenv("WARPWRIGHT_SCHEDULE");
  const bool any_order = schedule != nullptr || threads.size() == in_order.size();
  return all == expected && early.empty() && any_order && threads.find("0:31 ") != std::string::npos;
}
