// Problem: an H200 has to execute each of nearly three thousand instructions on hundreds of operands, on a machine that
// may have neither this repository nor a compiler.
// Idea: three steps. Here, `h200_recorder plan DIR` writes arithmetic.ptx, a kernel for each check, and
// arithmetic.plan, their operands; ptxas makes arithmetic.cubin of the first. There, gpu/record.cpp, which needs
// nothing but a driver, runs them. Here again, `h200_recorder pack PLAN RESULTS FILE` makes of plan and results what is
// committed, arithmetic.zst. README.md has the commands, and what the last recording was made with.
// Left out: gpu/diverged.cu, which asks questions whose answer may be that it hangs.
#include <fmt/core.h>

#include <fstream>
#include <map>
#include <string_view>

#include "h200/recording.h"

namespace warpwright::h200 {
namespace {

constexpr std::string_view module_head = ".version 8.5\n.target sm_90\n.address_size 64\n";

/// The names of machine/kernel.h, as far as checks use them.
constexpr std::string_view kernel_head = R"(
.visible .entry f{}(.param .u64 outs, .param .u64 ins) {{
.reg .pred %p<16>;
.reg .b16 %rs<16>;
.reg .b32 %r<32>, %thread, %scratch;
.reg .f32 %f<32>;
.reg .b64 %rd<32>, %outs, %ins;
.reg .f64 %fd<32>;
.shared .align 16 .b8 tile[256];
ld.param.u64 %outs, [outs];
ld.param.u64 %ins, [ins];
mov.u32 %thread, %tid.x;
mov.u32 %scratch, %ctaid.x;
mov.u32 %r0, %ntid.x;
mad.lo.u32 %scratch, %scratch, %r0, %thread;
)";

void write_module(const Checks& checks, const Recording& plan, const std::filesystem::path& file) {
  std::map<std::string, const Check*> by_name;
  for (const Check& check : checks) by_name[name_of(check)] = &check;
  std::ofstream stream(file);
  stream << module_head;
  for (std::size_t f = 0; f < plan.forms.size(); ++f)
    stream << fmt::format(kernel_head, f) << checks::body_of(*by_name.at(plan.forms[f].name)) << "ret;\n}\n";
  if (!stream.flush()) throw std::runtime_error("cannot write " + file.string());
}

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() == 2 && arguments[0] == "plan") {
    const std::filesystem::path folder = arguments[1];
    std::filesystem::create_directories(folder);
    const Checks checks = all_checks();
    const Recording planned = plan(checks);
    write_module(checks, planned, folder / "arithmetic.ptx");
    write_plan(planned, folder / "arithmetic.plan");
    fmt::print("{} instructions in {} groups\n", planned.forms.size(), planned.groups.size());
    return 0;
  }
  if (arguments.size() == 4 && arguments[0] == "pack") {
    write(read_results(arguments[1], arguments[2]), arguments[3]);
    return 0;
  }
  fmt::print(stderr, "h200_recorder plan DIR\nh200_recorder pack PLAN RESULTS FILE\n");
  return 2;
}

}  // namespace
}  // namespace warpwright::h200

int main(int count, char** words) {
  try {
    return warpwright::h200::run({words + 1, words + count});
  } catch (const std::exception& problem) {
    fmt::print(stderr, "h200_recorder: {}\n", problem.what());
    return 1;
  }
}
