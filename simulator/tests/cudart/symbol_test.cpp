#include <vector>

#include "kernels.h"
#include "session_fixture.h"

namespace warpwright::cudart {
namespace {

/// Variables start anew in each test.
class Symbol : public Session {
 protected:
  void SetUp() override {
    Session::SetUp();
    ASSERT_EQ(cudaDeviceReset(), cudaSuccess);
  }

  std::vector<int> read() {
    Buffer<int> device(8);
    kernels::read_variables(device.get());
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    std::vector<int> out(8);
    EXPECT_EQ(cudaMemcpy(out.data(), device.get(), 32, cudaMemcpyDeviceToHost), cudaSuccess);
    return out;
  }
};

TEST_F(Symbol, HasItsInitialValue) { EXPECT_EQ(read(), (std::vector<int>{5, 1, 2, 3, 4, 5, 7, 0})); }

TEST_F(Symbol, KeepsItsValueBetweenLaunches) {
  read();
  EXPECT_EQ(read(), (std::vector<int>{6, 1, 2, 3, 4, 6, 8, 0}));
}

TEST_F(Symbol, IsWrittenAndReadByTheHost) {
  const int counter = 100;
  ASSERT_EQ(cudaMemcpyToSymbol(kernels::counter(), &counter, 4, 0, cudaMemcpyHostToDevice), cudaSuccess);
  const int table[2] = {30, 40};
  ASSERT_EQ(cudaMemcpyToSymbolAsync(kernels::table(), table, 8, 8, cudaMemcpyHostToDevice, nullptr), cudaSuccess);
  EXPECT_EQ(read(), (std::vector<int>{100, 1, 2, 30, 40, 100, 7, 0}));
  int back = 0;
  ASSERT_EQ(cudaMemcpyFromSymbol(&back, kernels::counter(), 4, 0, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(back, 101);
  ASSERT_EQ(cudaMemcpyFromSymbolAsync(&back, kernels::table(), 4, 12, cudaMemcpyDeviceToHost, nullptr), cudaSuccess);
  EXPECT_EQ(back, 40);
}

TEST_F(Symbol, HasAnAddressAndASize) {
  void* address = nullptr;
  std::size_t bytes = 0;
  ASSERT_EQ(cudaGetSymbolAddress(&address, kernels::table()), cudaSuccess);
  ASSERT_EQ(cudaGetSymbolSize(&bytes, kernels::table()), cudaSuccess);
  EXPECT_EQ(bytes, 16u);
  int third = 0;
  ASSERT_EQ(cudaMemcpy(&third, static_cast<int*>(address) + 2, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(third, 3);
  ASSERT_EQ(cudaGetSymbolSize(&bytes, kernels::big()), cudaSuccess);
  EXPECT_EQ(bytes, 8192u);
}

TEST_F(Symbol, ThatIsManagedIsSharedWithTheHost) {
  EXPECT_EQ(kernels::managed(), 7);
  kernels::managed() = 70;
  EXPECT_EQ(read()[6], 70);
  EXPECT_EQ(kernels::managed(), 71);
  const Buffer<int> device(8);
  kernels::read_variables(device.get());
  EXPECT_EQ(kernels::managed(), 72);
  EXPECT_NE(the_diagnosis().message.find("host code reads element 0 (of 4 bytes) of the variable managed_variable"),
            std::string::npos);
}

TEST_F(Symbol, KeepsCopiesInside) {
  const int values[5] = {};
  EXPECT_EQ(cudaMemcpyToSymbol(kernels::table(), values, 20, 0, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  expect_said("cudaMemcpyToSymbol: copies 20 bytes at offset 0 of the variable table_variable of 16 bytes.",
              "Size and offset are in bytes.");
  EXPECT_EQ(cudaMemcpyToSymbol(kernels::table(), values, 16, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  take_diagnoses();
}

TEST_F(Symbol, IsNotAnyPointer) {
  Buffer<int> device(1);
  int value = 0;
  EXPECT_EQ(cudaMemcpyToSymbol(device.get(), &value, 4, 0, cudaMemcpyHostToDevice), cudaErrorInvalidSymbol);
  expect_said(
      "cudaMemcpyToSymbol: the symbol is no variable of a kernel's: it is an allocation of 4 bytes (cudaMalloc).",
      "Pass the __device__ or __constant__ variable itself, not a pointer, a device address or a name.");
}

TEST_F(Symbol, IsNotItsShadowOnTheHost) {
  Buffer<int> device(4);
  EXPECT_EQ(cudaMemcpy(device.get(), kernels::table(), 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  expect_said(
      "cudaMemcpy: the source is what host code knows of the variable table_variable, not its place on the "
      "device.",
      "Use cudaMemcpyToSymbol or cudaMemcpyFromSymbol, or ask cudaGetSymbolAddress for the place.");
}

TEST_F(Symbol, IsNotItsShadowWhereTheDirectionIsLeftToTheRuntime) {
  const int values[4] = {};
  EXPECT_EQ(cudaMemcpy(const_cast<void*>(kernels::table()), values, 16, cudaMemcpyDefault), cudaSuccess);
  expect_said(
      "cudaMemcpy: the destination is what host code knows of the variable table_variable, not its place on the "
      "device.",
      "Use cudaMemcpyToSymbol or cudaMemcpyFromSymbol, or ask cudaGetSymbolAddress for the place.");
}

TEST_F(Symbol, IsNotSetThroughItsShadow) {
  EXPECT_EQ(cudaMemset(const_cast<void*>(kernels::table()), 0, 16), cudaErrorInvalidValue);
  expect_said(
      "cudaMemset: the destination is what host code knows of the variable table_variable, not its place on the "
      "device.",
      "Ask cudaGetSymbolAddress for the place.");
}

TEST_F(Symbol, IsNoArgumentOfAKernel) {
  Buffer<int> out(1);
  kernels::read_word(kernels::table(), out.get());
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  const std::vector<observe::Report> launches = take_launches();
  ASSERT_EQ(launches.size(), 1u);
  ASSERT_EQ(launches[0].diagnoses.size(), 1u);
  EXPECT_EQ(launches[0].diagnoses[0].kind, "host pointer");
  EXPECT_EQ(launches[0].diagnoses[0].hint,
            "Argument 1 is what host code knows of the variable table_variable, not its place on the device: use "
            "table_variable in the kernel by its name, or pass what cudaGetSymbolAddress gives.");
}

TEST_F(Symbol, RejectsADirectionThatDoesNotFit) {
  int value = 0;
  EXPECT_EQ(cudaMemcpyToSymbol(kernels::counter(), &value, 4, 0, cudaMemcpyDeviceToHost),
            cudaErrorInvalidMemcpyDirection);
  expect_said("cudaMemcpyToSymbol: the direction does not fit a variable on the device.",
              "Pass cudaMemcpyHostToDevice or cudaMemcpyDeviceToDevice.");
}

}  // namespace
}  // namespace warpwright::cudart
