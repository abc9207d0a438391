#include <gtest/gtest.h>

#include "ctest.h"
#include "problem.h"
#include "profile_report.h"

namespace warpwright::lab {
namespace {

constexpr const char* profile = R"({"device": "simulated H200", "launches": [
  {"kernel": "sum_tiles", "grid": [4096, 1, 1], "block": [256, 1, 1],
   "metrics": {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum": 32768,
               "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 131072,
               "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum": 286720},
   "lines": [
    {"file": "v1.cu", "line": 4, "metrics": {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 131072}, "ptx": [
      {"line": 61, "text": "mul.wide.u32 %rd3, %r1, 4", "metrics": {}},
      {"line": 62, "text": "ld.global.f32 %f1, [%rd3]",
       "metrics": {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum": 131072}}]},
    {"file": "v1.cu", "line": 12, "metrics": {"l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum": 286720},
     "ptx": []}]},
  {"kernel": "sum_tiles", "grid": [16, 2, 1], "block": [256, 1, 1], "metrics": {}, "lines": []}], "diagnoses": []})";

std::vector<std::string> source(const std::string&) {
  std::vector<std::string> lines;
  for (int i = 1; i <= 20; ++i) lines.push_back("code of line " + std::to_string(i));
  return lines;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(ProfileText, ShowsTheFirstLaunchOfAKernelWithItsCounters) {
  const std::string text = as_text(ProfileReport::parse(profile), {}, source, Terminal(false, false, 120));
  EXPECT_TRUE(has(text, "launch 1  sum_tiles  grid 4,096, block 256")) << text;
  EXPECT_FALSE(has(text, "launch 2  sum_tiles")) << text;
  EXPECT_TRUE(has(text, "global loads    requests                          32,768   l1tex__t_requests")) << text;
  EXPECT_TRUE(has(text, "sectors a request                   4.00\n")) << text;
  EXPECT_FALSE(has(text, "global stores")) << "nothing was stored";
  EXPECT_TRUE(has(text, "       2  sum_tiles  16 x 2    256             0             0\n")) << text;
}

TEST(ProfileText, HasNoCountersOfALaunchThatEndedEarly) {
  const char* ended = R"({"device": "simulated H200", "launches": [{"kernel": "k", "grid": [8, 1, 1],
    "block": [32, 1, 1], "metrics": {}, "lines": [], "ended_early": true}]})";
  const std::string text = as_text(ProfileReport::parse(ended), {}, source, Terminal(false, false, 120));
  EXPECT_TRUE(has(text, "k          8     32             -             -\n")) << text;
  EXPECT_TRUE(has(text, "It ended early, with a mistake: nothing is counted.\n")) << text;
}

TEST(ProfileText, PutsTheCountersBesideTheLinesThatCausedThem) {
  const std::string text = as_text(ProfileReport::parse(profile), {}, source, Terminal(false, false, 120));
  EXPECT_TRUE(has(text, "  sectors  conflicts\n")) << text;
  EXPECT_TRUE(has(text, "  131,072               4 | code of line 4\n")) << text;
  EXPECT_TRUE(has(text, "             286,720   12 | code of line 12\n")) << text;
  EXPECT_TRUE(has(text, "    6 | code of line 6\n  ...\n")) << "a stretch without counters is left out\n" << text;
  EXPECT_FALSE(has(text, "code of line 8")) << text;
}

/// A launch whose line 7 loads with `addresses`, by lane, and costs so much.
std::string text_of_worst(const std::string& instruction, int cost, int ideal, const std::string& addresses,
                          const std::string& wavefronts = "") {
  const std::string json =
      R"({"device": "simulated H200", "launches": [{"kernel": "k", "grid": [1, 1, 1], "block": [32, 1, 1],)"
      R"( "metrics": {}, "lines": [{"file": "v.cu", "line": 7, "metrics": {}, "ptx": [{"line": 3, "text": ")" +
      instruction + R"(", "metrics": {}, "worst": {"block": 0, "warp": 0, "bytes": 4, "cost": )" +
      std::to_string(cost) + R"(, "ideal": )" + std::to_string(ideal) + R"(, "addresses": [)" + addresses + "]" +
      wavefronts + "}}]}]}]}";
  return as_text(ProfileReport::parse(json), {}, source, Terminal(false, false, 120));
}

TEST(ProfileText, NamesTheAccessesThatCostMoreThanTheyHaveTo) {
  std::string far_apart, scattered, lanes;
  for (int lane = 0; lane < 32; ++lane) {
    lanes += (lane == 0 ? "0" : ", -1");
    far_apart += (lane == 0 ? "" : ", ") + std::to_string(512 * lane);
    scattered += (lane == 0 ? "" : ", ") + std::to_string(512 * lane * lane);
  }
  const std::string strided = text_of_worst("st.global.f32 [%rd1], %f1", 32, 4, far_apart);
  EXPECT_TRUE(has(strided,
                  "  costs more than it has to, at worst\n    v.cu:7  global store: 32 sectors where 4 would "
                  "do; 512 bytes from lane to lane, 4 used\n"))
      << strided;
  const std::string random = text_of_worst("ld.global.f32 %f1, [%rd1]", 32, 4, scattered);
  EXPECT_TRUE(has(random, "global load: 32 sectors where 4 would do\n")) << random;
  const std::string banks = text_of_worst("@%p1 atom.shared.add.u32 %r1, [%r2], 1", 32, 1, far_apart,
                                          R"(, "wavefronts": [{"lanes": 1, "lane_of_bank": [)" + lanes + "]}]");
  EXPECT_TRUE(has(banks, "shared atomic: 32 wavefronts where 1 would do; 512 bytes from")) << banks;
  EXPECT_FALSE(has(text_of_worst("ld.global.f32 %f1, [%rd1]", 4, 4, far_apart), "costs more"));
}

TEST(ProfileText, NamesTheDearestAccessFirstAndCopiesOfOneOnce) {
  ProfileReport report =
      ProfileReport::parse(R"({"device": "simulated H200", "launches": [{"kernel": "k", "grid": [1, 1, 1],
        "block": [32, 1, 1], "metrics": {}, "lines": [{"file": "v.cu", "line": 7, "metrics": {}, "ptx": []}]}]})");
  const auto access = [](unsigned cost, unsigned ideal) {
    ProfileReport::Instruction instruction;
    instruction.text = "ld.global.f32 %f1, [%rd1]";
    instruction.worst.emplace();
    instruction.worst->bytes = 4;
    instruction.worst->cost = cost;
    instruction.worst->ideal = ideal;
    return instruction;
  };
  report.launches[0].lines[0].ptx = {access(5, 4), access(32, 4), access(5, 4), access(32, 16)};
  const std::string text = as_text(report, {}, source, Terminal(false, false, 120));
  EXPECT_TRUE(
      text.ends_with("at worst\n    v.cu:7  global load: 32 sectors where 4 would do\n"
                     "    v.cu:7  global load: 32 sectors where 16 would do\n"
                     "    v.cu:7  global load: 5 sectors where 4 would do\n"))
      << text;
}

TEST(ProfileText, ListsNoMoreLaunchesThanAnybodyReads) {
  ProfileReport report = ProfileReport::parse(profile);
  report.launches.resize(1, report.launches.front());
  report.launches.resize(1000, report.launches.front());
  const std::string text = as_text(report, Choice{900, {}}, source, Terminal(false, false, 120));
  EXPECT_TRUE(has(text, "\n      40  sum_tiles")) << text;
  EXPECT_FALSE(has(text, "\n      41  sum_tiles")) << text;
  EXPECT_TRUE(has(text, "     ...  and 960 launches more\n")) << text;
  EXPECT_TRUE(has(text, "launch 900  sum_tiles")) << text;
}

TEST(ProfileText, FitsANarrowTerminal) {
  const std::string text = as_text(ProfileReport::parse(profile), {}, source, Terminal(false, false, 60));
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    EXPECT_LE(columns(text.substr(at, end - at)), 76) << text.substr(at, end - at);
    at = end + 1;
  }
  EXPECT_FALSE(has(text, "l1tex__")) << "exact names need room";
}

TEST(ProfileText, ShowsAnotherLaunchOnRequest) {
  const auto report = ProfileReport::parse(profile);
  EXPECT_TRUE(has(as_text(report, {2, {}}, source, Terminal(false, false, 120)),
                  "launch 2  sum_tiles  grid 16 x 2, block 256"));
  EXPECT_THROW(as_text(report, {3, {}}, source, Terminal(false, false, 120)), Problem);
}

TEST(ProfileText, PutsALinesInstructionsBelowItOnRequest) {
  const auto report = ProfileReport::parse(profile);
  const std::string text = as_text(report, {{}, 4}, source, Terminal(false, false, 120));
  EXPECT_TRUE(has(text,
                  "  131,072               4 | code of line 4\n"
                  "                      ptx |   mul.wide.u32 %rd3, %r1, 4\n"
                  "  131,072             ptx |   ld.global.f32 %f1, [%rd3]\n"
                  "                        5 | code of line 5\n"))
      << text;
  EXPECT_FALSE(has(as_text(report, {{}, 12}, source, Terminal(false, false, 120)), "ptx |"));
}

TEST(ProfileText, SaysWhichLinesHaveInstructions) {
  try {
    as_text(ProfileReport::parse(profile), {{}, 5}, source, Terminal(false, false, 120));
    FAIL() << "line 5 has none";
  } catch (const Problem& problem) {
    EXPECT_STREQ(problem.what(), "no instruction of line 5 ran; these lines have some: 4, 12");
  }
}

TEST(ProfileText, CountsLinesOfAFileThatCannotBeRead) {
  const auto nothing = [](const std::string&) { return std::vector<std::string>(); };
  const std::string text = as_text(ProfileReport::parse(profile), {}, nothing, Terminal(false, false, 120));
  EXPECT_TRUE(has(text, "(the file cannot be read; its lines are not shown)"));
  EXPECT_TRUE(has(text, "   12 |\n"));
}

TEST(Profile, IsAProblemWhenItIsNotJson) { EXPECT_THROW(ProfileReport::parse("wrong result"), Problem); }

TEST(CTest, GivesATestsOwnCommand) {
  constexpr const char* tests = R"({"tests": [
    {"name": "a", "command": ["false"]},
    {"name": "reduce.v1", "command": ["cmake", "-P", "x"],
     "properties": [{"name": "WORKING_DIRECTORY", "value": "/there"},
                    {"name": "ENVIRONMENT", "value": ["A=1", "B=x=y"]}]}]})";
  const Command command = command_of_test(tests, "reduce.v1", "/build");
  EXPECT_EQ(command.arguments, (std::vector<std::string>{"cmake", "-P", "x"}));
  EXPECT_EQ(command.directory, "/there");
  ASSERT_EQ(command.environment.size(), 2u);
  EXPECT_EQ(command.environment[1], (std::pair<std::string, std::string>{"B", "x=y"}));
  EXPECT_EQ(command_of_test(tests, "a", "/build").directory, "/build");
  EXPECT_THROW(command_of_test(tests, "reduce.v2", "/build"), Problem);
}

/// A launch with a load whose lanes 0 and 1 lie in one bank, and one whose lanes lie in two sectors.
std::string accesses() {
  std::string nobody, idle;
  for (int lane = 2; lane < 32; ++lane) {
    nobody += ", null";
    idle += ", -1";
  }
  const std::string lanes = R"("block": 7, "warp": 3, "bytes": 4, "ideal": 1, "addresses": )";
  return R"({"device": "simulated H200", "launches": [{"kernel": "walk<4>", "grid": [8, 1, 1], "block": [32, 1, 1],
    "metrics": {}, "lines": [{"file": "w.cu", "line": 2, "metrics": {}, "ptx": [
      {"line": 9, "text": "add.s32 %r1, %r2, 1", "metrics": {}},
      {"line": 10, "text": "ld.shared.f32 %f1, [%r1]", "metrics": {}, "worst": {"cost": 2, )" +
         lanes + "[0, 128" + nobody + R"(], "wavefronts": [{"lanes": 1, "lane_of_bank": [0, -1)" + idle +
         R"(]}, {"lanes": 2, "lane_of_bank": [1, -1)" + idle + R"(]}]}},
      {"line": 11, "text": "ld.global.f32 %f2, [%rd1]", "metrics": {}, "worst": {"cost": 2, )" +
         lanes + "[0, 4096" + nobody + R"(]}}]}]}], "diagnoses": []})";
}

int count(const std::string& text, const std::string& part) {
  int times = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++times;
  return times;
}

std::vector<std::string> walking(const std::string&) { return {"", "if (a < b && c) walk();"}; }

TEST(ProfileHtml, DrawsEveryInstructionThatAccessesMemory) {
  const std::string page = as_html(ProfileReport::parse(accesses()), "toy.walk", walking);
  EXPECT_EQ(count(page, "<section>"), 2) << page;
  EXPECT_EQ(count(page, "<svg"), 2) << page;
  EXPECT_TRUE(has(page, "2 wavefronts where 1 would do</span>, in warp 3 of block 7")) << page;
  EXPECT_TRUE(has(page, "2 sectors where 1 would do")) << page;
  EXPECT_TRUE(has(page, "wavefront 2</text>")) << page;
  EXPECT_TRUE(has(page, "4,096</text>")) << "where the second sector begins\n" << page;
}

TEST(ProfileHtml, TellsLaneByLaneWhereItGoes) {
  const std::string page = as_html(ProfileReport::parse(accesses()), "toy.walk", walking);
  EXPECT_TRUE(has(page, "<tr><td>1<td>128<td>32<td>0<td>2</tr>")) << "lane, byte, word, bank, wavefront\n" << page;
  EXPECT_TRUE(has(page, "<tr><td>1<td>4,096<td>128</tr>")) << "lane, byte, sector\n" << page;
  EXPECT_EQ(count(page, "<tr><td>"), 4) << "no lane that takes no part\n" << page;
}

TEST(ProfileHtml, QuotesSourceAsItIsAndNeedsNothingFromElsewhere) {
  const std::string page = as_html(ProfileReport::parse(accesses()), "toy.walk", walking);
  EXPECT_TRUE(has(page, "if (a &lt; b &amp;&amp; c) walk();")) << page;
  EXPECT_TRUE(has(page, "<h2>walk&lt;4></h2>")) << page;
  EXPECT_FALSE(has(page, "http")) << page;
  EXPECT_FALSE(has(page, "<script")) << page;
}

TEST(ProfileHtml, SaysWhenThereIsNothingToDraw) {
  EXPECT_TRUE(has(as_html(ProfileReport::parse(R"({"device": "d", "launches": []})"), "toy.a", walking),
                  "No kernel was launched."));
  EXPECT_TRUE(has(as_html(ProfileReport::parse(profile), "toy.a", source), "neither global nor shared memory"));
}

}  // namespace
}  // namespace warpwright::lab
