// The shared libraries, held against the toolkit's header and NVIDIA's version names.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <regex>
#include <set>
#include <string>

namespace {

/// Every function that the header declares for others to call.
std::set<std::string> declared_functions() {
  std::set<std::string> names;
  std::ifstream header(std::string(WARPWRIGHT_TOOLKIT_INCLUDE) + "/cuda_runtime_api.h");
  const std::regex declaration(R"(^extern .*CUDARTAPI (cuda\w+)\()");
  std::smatch match;
  for (std::string line; std::getline(header, line);)
    if (std::regex_search(line, match, declaration)) names.insert(match[1]);
  return names;
}

std::set<std::string> exported(const std::string& library) {
  std::set<std::string> names;
  const std::unique_ptr<FILE, int (*)(FILE*)> list(popen(("nm -D --defined-only " + library).c_str(), "r"), pclose);
  char line[512];
  while (std::fgets(line, sizeof line, list.get()) != nullptr) {
    std::string name = line;
    name = name.substr(name.rfind(' ') + 1);
    names.insert(name.substr(0, name.find('@')));
  }
  return names;
}

TEST(Exports, AreAllThatTheHeaderDeclaresUnderTheVersionOfTheLibrary) {
  const std::set<std::string> names = declared_functions();
  EXPECT_GT(names.size(), 250u) << "the header was not understood";
  for (const auto& [file, version] : {std::pair{LIBRARY_13, "libcudart.so.13"}, {LIBRARY_12, "libcudart.so.12"}}) {
    void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    for (const std::string& name : names)
      EXPECT_NE(dlvsym(library, name.c_str(), version), nullptr) << name << " in " << version;
    for (const char* name : {"__cudaRegisterFatBinary", "__cudaLaunchKernel", "cudaMemcpyAsync_ptsz", "cudaMemcpy_ptds",
                             "cudaLaunchKernel_ptsz", "cudaGetDeviceProperties_v2", "cudaMemAdvise_v2"})
      EXPECT_NE(dlvsym(library, name, version), nullptr) << name << " in " << version;
  }
}

TEST(Exports, AreNothingElse) {
  for (const char* file : {LIBRARY_13, LIBRARY_12}) {
    const std::set<std::string> names = exported(file);
    EXPECT_GT(names.size(), 400u);
    for (const std::string& name : names)
      EXPECT_TRUE(name.starts_with("cuda") || name.starts_with("__cuda") || name.starts_with("libcudart.so")) << name;
  }
}

}  // namespace
