// Problem: the machine with the H200 may have no toolkit and no compiler.
// Idea: a program of one file that asks the driver alone, libcuda.so.1, to run each kernel of arithmetic.cubin (or of
// arithmetic.ptx) on the operands of arithmetic.plan.
//
//   record FOLDER RESULTS
//
// FOLDER holds arithmetic.plan and arithmetic.cubin or arithmetic.ptx. A kernel whose launch fails leaves zeros, is
// named on the standard error, and makes the status 1.
#include <dlfcn.h>

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// CUDA's driver API, as far as it is used: its header belongs to a toolkit.
using Device = int;
using Pointer = unsigned long long;
struct Driver {
  int (*init)(unsigned);
  int (*device_get)(Device*, int);
  int (*device_name)(char*, int, Device);
  int (*version)(int*);
  int (*context_retain)(void**, Device);
  int (*context_set)(void*);
  int (*module_load)(void**, const void*);
  int (*function_get)(void**, void*, const char*);
  int (*allocate)(Pointer*, std::size_t);
  int (*copy_in)(Pointer, const void*, std::size_t);
  int (*copy_out)(void*, Pointer, std::size_t);
  int (*set)(Pointer, unsigned char, std::size_t);
  int (*launch)(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**);
  int (*synchronize)();

  Driver() {
    void* library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) throw std::runtime_error("there is no libcuda.so.1");
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      if (function == nullptr) throw std::runtime_error(std::string("the driver has no ") + name);
    };
    find(init, "cuInit");
    find(device_get, "cuDeviceGet");
    find(device_name, "cuDeviceGetName");
    find(version, "cuDriverGetVersion");
    find(context_retain, "cuDevicePrimaryCtxRetain");
    find(context_set, "cuCtxSetCurrent");
    find(module_load, "cuModuleLoadData");
    find(function_get, "cuModuleGetFunction");
    find(allocate, "cuMemAlloc_v2");
    find(copy_in, "cuMemcpyHtoD_v2");
    find(copy_out, "cuMemcpyDtoH_v2");
    find(set, "cuMemsetD8_v2");
    find(launch, "cuLaunchKernel");
    find(synchronize, "cuCtxSynchronize");
  }
};

void must(int error, const char* what) {
  if (error != 0) throw std::runtime_error(std::string(what) + ": the driver's error " + std::to_string(error));
}

struct Form {
  std::size_t number;
  unsigned bytes;
  std::string name;
};
struct Group {
  std::size_t tuples = 0;
  std::vector<unsigned> bytes;  // of each operand
  std::vector<Form> forms;
};

std::string contents(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<Group> read_plan(const std::string& text, std::size_t& operands_at) {
  std::vector<Group> groups;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);  // who made it
  while (std::getline(lines, line) && line != "operands") {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "group") {
      Group& group = groups.emplace_back();
      words >> group.tuples;
      for (std::string source; words >> source;) group.bytes.push_back(static_cast<unsigned>(std::stoul(source)));
    } else {
      Form form{};
      words >> form.number >> form.bytes >> std::ws;
      std::getline(words, form.name);
      groups.back().forms.push_back(form);
    }
  }
  operands_at = static_cast<std::size_t>(lines.tellg());
  return groups;
}

constexpr unsigned threads_per_block = 64;
constexpr std::size_t most_bytes = std::size_t{1} << 20;

int record(const std::string& folder, const std::string& file) {
  const std::string plan = contents(folder + "/arithmetic.plan");
  if (plan.empty()) throw std::runtime_error("there is no arithmetic.plan");
  std::size_t at = 0;
  const std::vector<Group> groups = read_plan(plan, at);

  const Driver driver;
  Device device = 0;
  void *context = nullptr, *module = nullptr;
  char name[256] = "";
  int version = 0;
  must(driver.init(0), "cuInit");
  must(driver.device_get(&device, 0), "cuDeviceGet");
  must(driver.device_name(name, sizeof name, device), "cuDeviceGetName");
  must(driver.version(&version), "cuDriverGetVersion");
  must(driver.context_retain(&context, device), "cuDevicePrimaryCtxRetain");
  must(driver.context_set(context), "cuCtxSetCurrent");
  std::string image = contents(folder + "/arithmetic.cubin");
  std::string source = "cubin";
  if (image.empty() || driver.module_load(&module, image.data()) != 0) {
    image = contents(folder + "/arithmetic.ptx");
    source = "ptx";
    must(driver.module_load(&module, image.c_str()), "cuModuleLoadData");
  }

  Pointer ins = 0, outs = 0;
  must(driver.allocate(&ins, most_bytes), "cuMemAlloc");
  must(driver.allocate(&outs, most_bytes), "cuMemAlloc");
  const std::time_t now = std::time(nullptr);
  char date[32] = "";
  std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
  std::ofstream results(file, std::ios::binary);
  results << name << ", CUDA driver " << version / 1000 << "." << version % 1000 / 10 << ", " << source << ", " << date
          << "\n";
  int failures = 0;
  std::size_t count = 0;
  for (const Group& group : groups) {
    std::vector<std::uint64_t> operands;
    for (std::size_t i = 0; i < group.tuples; ++i)
      for (const unsigned bytes : group.bytes) {
        std::uint64_t bits = 0;
        for (unsigned b = 0; b < bytes; ++b)
          bits |= std::uint64_t{static_cast<unsigned char>(plan.at(at++))} << (8 * b);
        operands.push_back(bits);
      }
    must(driver.copy_in(ins, operands.data(), 8 * operands.size()), "cuMemcpyHtoD");
    for (const Form& form : group.forms) {
      void* function = nullptr;
      void* parameters[] = {&outs, &ins};
      std::vector<std::uint64_t> out(group.tuples);
      int error = driver.function_get(&function, module, ("f" + std::to_string(form.number)).c_str());
      if (error == 0) error = driver.set(outs, 0xee, 8 * group.tuples);
      if (error == 0)
        error = driver.launch(function, static_cast<unsigned>(group.tuples / threads_per_block), 1, 1,
                              threads_per_block, 1, 1, 0, nullptr, parameters, nullptr);
      if (error == 0) error = driver.synchronize();
      if (error == 0) error = driver.copy_out(out.data(), outs, 8 * group.tuples);
      if (error != 0) {
        std::fprintf(stderr, "%s: the driver's error %d\n", form.name.c_str(), error);
        ++failures;
      }
      for (const std::uint64_t bits : out)
        for (unsigned b = 0; b < form.bytes; ++b) results.put(static_cast<char>(bits >> (8 * b)));
      ++count;
    }
  }
  results.flush();
  std::printf("%s (%s): %zu instructions, %d failed\n", name, source.c_str(), count, failures);
  return failures == 0 && results ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) {
    std::fprintf(stderr, "record FOLDER RESULTS\n");
    return 2;
  }
  try {
    return record(words[1], words[2]);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "record: %s\n", problem.what());
    return 1;
  }
}
