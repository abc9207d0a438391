// ./lab simulate with programs that were compiled by nvcc for NVIDIA's runtime as a shared library, in a repository of
// toys that has the simulated one.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "files.h"
#include "problem.h"
#include "program_file.h"
#include "recording.h"
#include "toy_repository.h"

namespace warpwright::lab {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The number of the only line of the programs' source that holds `text`.
int line_with(const std::string& text) {
  const std::string source = read_file(PROGRAM_SOURCE);
  const std::size_t at = source.find(text);
  EXPECT_NE(at, std::string::npos) << text;
  EXPECT_EQ(source.find(text, at + 1), std::string::npos) << text;
  return 1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

class Simulate : public testing::Test {
 protected:
  Simulate() {
    std::filesystem::create_directories(toys_ / "build/sim");
    std::filesystem::create_directory_symlink(SIMULATED_LIBRARIES, toys_ / "build/sim/cudart");
  }

  Outcome simulate(std::vector<std::string> words) {
    words.insert(words.begin(), "simulate");
    return run(toys_.lab(words));
  }
  /// The same by a shell, `$0` being `lab`.
  Outcome shell(const std::string& script) {
    const Command lab = toys_.lab({});
    return run({{"sh", "-c", script, LAB}, lab.directory, lab.environment, true});
  }
  nlohmann::json json_of(const std::string& file) { return nlohmann::json::parse(toys_.text(file)); }

  ToyRepository toys_;
};

TEST_F(Simulate, LeavesInputOutputArgumentsAndStatusToTheProgram) {
  const Outcome outcome = shell("echo typed | \"$0\" simulate " PROGRAM " right --json x.json -- --device 2");
  EXPECT_EQ(outcome.output, "126\n--device\n2\ntyped\n");
  EXPECT_EQ(outcome.exit_status, 7);
  EXPECT_TRUE(has(outcome.errors, "launch 1  twice  grid 1, block 64\n")) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, ": 1 launch on the simulated H200, no mistake found\n")) << outcome.errors;
}

TEST_F(Simulate, CountsPerLaunchInJson) {
  EXPECT_EQ(simulate({PROGRAM, "race", "--json", "deep/folder/x.json"}).exit_status, 0);
  const nlohmann::json json = json_of("deep/folder/x.json");
  EXPECT_EQ(json.at("device"), "simulated H200");
  ASSERT_EQ(json.at("launches").size(), 3u);
  const nlohmann::json& launch = json.at("launches")[2];
  EXPECT_EQ(launch.at("kernel"), "reverse");
  EXPECT_EQ(launch.at("grid"), nlohmann::json({1, 1, 1}));
  EXPECT_EQ(launch.at("block"), nlohmann::json({64, 1, 1}));
  EXPECT_EQ(launch.at("metrics").at("l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"), 2);
  EXPECT_EQ(launch.at("metrics").at("l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"), 8);
  EXPECT_TRUE(has(launch.at("lines").dump(), "program.cu"));
  ASSERT_EQ(json.at("diagnoses").size(), 3u);
  const nlohmann::json& race = json.at("diagnoses")[0];
  EXPECT_EQ(race.at("kind"), "race");
  EXPECT_EQ(race.at("line"), line_with("// no barrier"));
  EXPECT_EQ(race.at("other").at("line"), line_with("tile[threadIdx.x] = data"));
}

TEST_F(Simulate, TellsAMistakeOfManyLaunchesOnceAndMayFailForIt) {
  const Outcome outcome = simulate({PROGRAM, "race", "--error-exitcode", "9"});
  EXPECT_EQ(outcome.exit_status, 9);
  EXPECT_TRUE(has(outcome.errors, "program.cu:" + std::to_string(line_with("// no barrier")) +
                                      "   data[threadIdx.x] = tile[block - 1 - threadIdx.x];"))
      << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "  seen 3 times\n")) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "3 launches on the simulated H200, 1 mistake\n")) << outcome.errors;
  EXPECT_EQ(simulate({"--error-exitcode=9", PROGRAM, "right"}).exit_status, 7) << "the program's own comes first";
  EXPECT_EQ(simulate({"--error-exitcode=9", PROGRAM}).exit_status, 0);
}

TEST_F(Simulate, KnowsWhichErrorsNobodyRead) {
  const Outcome unread = simulate({PROGRAM, "unread"});
  EXPECT_TRUE(has(unread.errors, "twice<<<(0,1,1), (64,1,1)>>>: a grid needs at least one block")) << unread.errors;
  EXPECT_TRUE(
      has(unread.errors,
          "unread error\n  a launch failed with cudaErrorInvalidValue (invalid argument), and the program never asked"))
      << unread.errors;
  const Outcome read = simulate({PROGRAM, "read"});
  EXPECT_EQ(read.output, "cudaErrorInvalidValue\n");
  EXPECT_FALSE(has(read.errors, "unread error")) << read.errors;
}

TEST_F(Simulate, MissesWhatKernelsPrintedAndNobodyWaitedFor) {
  const Outcome mute = simulate({PROGRAM, "mute"});
  EXPECT_EQ(mute.output, "");
  EXPECT_TRUE(has(mute.errors, "lost output\n  6 bytes that kernels have printed never appear")) << mute.errors;
  EXPECT_FALSE(has(simulate({PROGRAM, "right"}).errors, "lost output"));
}

TEST_F(Simulate, NamesTheHostsLines) {
  const std::string source = PROGRAM_SOURCE;
  const auto place = [&](const std::string& text) { return source + ":" + std::to_string(line_with(text)); };
  const Outcome zero = simulate({PROGRAM, "unread"});
  EXPECT_TRUE(has(zero.errors, "  " + place("\"unread\") == 0) twice") + "   if (std::strcmp")) << zero.errors;
  const Outcome copy = simulate({PROGRAM, "direction"});
  EXPECT_TRUE(has(copy.errors, "  " + place("cudaMemcpyHostToDevice);\n  }") + "   cudaMemcpy(&host")) << copy.errors;
  const Outcome race = simulate({PROGRAM, "race"});
  EXPECT_TRUE(has(race.errors, "  launched at " + place("reverse<<<") + "   for (int i")) << race.errors;
  const Outcome beyond = simulate({PROGRAM, "beyond", "--json", "beyond.json"});
  const nlohmann::json diagnosis = json_of("beyond.json").at("diagnoses")[0];
  EXPECT_TRUE(has(diagnosis.at("message"), "The memory was allocated at " + place("cudaMalloc(&device") + "."))
      << diagnosis;
  EXPECT_EQ(diagnosis.at("launch").at("file"), source);
  EXPECT_EQ(diagnosis.at("launch").at("line"), line_with("twice<<<1, 2 * block>>>"));
}

TEST_F(Simulate, ListsWhatIsLiveWhenEvenTheDestructorsHaveRun) {
  const Outcome leak = simulate({PROGRAM, "leak", "--json", "leak.json"});
  const std::string place = "program.cu:" + std::to_string(line_with("cudaMalloc(&device"));
  EXPECT_TRUE(has(leak.errors, "never freed: 256 bytes in 1 allocation\n")) << leak.errors;
  EXPECT_TRUE(has(leak.errors, place + ", allocation 2)\n")) << leak.errors;
  EXPECT_EQ(json_of("leak.json").at("leaks")[0].at("bytes"), 256);
  EXPECT_TRUE(json_of("leak.json").at("diagnoses").empty()) << "to end without freeing is no mistake";
  EXPECT_FALSE(has(simulate({PROGRAM, "right"}).errors, "never freed"));
  EXPECT_FALSE(has(simulate({PROGRAM, "beyond"}).errors, "never freed")) << "after a fault nothing can be freed";
}

TEST_F(Simulate, ReportsWhatHappenedBeforeACrash) {
  const Outcome crash = simulate({PROGRAM, "crash", "--json", "crash.json"});
  EXPECT_EQ(crash.exit_status, 128 + SIGSEGV);
  EXPECT_TRUE(has(crash.errors, "was ended by signal 11 (Segmentation fault)")) << crash.errors;
  EXPECT_EQ(json_of("crash.json").at("launches").size(), 1u);
  const Outcome leave = simulate({PROGRAM, "leave"});
  EXPECT_EQ(leave.exit_status, 0);
  EXPECT_TRUE(has(leave.errors, "left without exit(): leaks could not be looked for")) << leave.errors;
}

TEST_F(Simulate, SaysOfHostCodeThatItFollowedADevicePointerBeforeItDied) {
  const std::string source = PROGRAM_SOURCE;
  const Outcome outcome = simulate({PROGRAM, "follow", "--json", "follow.json"});
  EXPECT_EQ(outcome.exit_status, 128 + SIGSEGV);
  const std::string report = "device pointer\n  " + source + ":" + std::to_string(line_with("*data = 1;")) +
                             "   *data = 1;\n" +
                             "  host code writes device memory: 8 bytes into an allocation of 256 bytes (cudaMalloc).";
  EXPECT_TRUE(has(outcome.errors, report)) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "was ended by signal 11 (Segmentation fault)")) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "1 launch on the simulated H200, 1 mistake\n")) << outcome.errors;
  EXPECT_FALSE(has(outcome.errors, "warpwright: ")) << "once is enough";
  const nlohmann::json json = json_of("follow.json");
  EXPECT_EQ(json.at("launches").size(), 1u);
  ASSERT_EQ(json.at("diagnoses").size(), 1u);
  const nlohmann::json& diagnosis = json.at("diagnoses")[0];
  EXPECT_EQ(diagnosis.at("message"),
            "host code writes device memory: 8 bytes into an allocation of 256 bytes (cudaMalloc). The memory was "
            "allocated at " +
                source + ":" + std::to_string(line_with("cudaMalloc(&device")) + ".");
  EXPECT_EQ(diagnosis.at("hint"),
            "Host code cannot reach device memory: copy it with cudaMemcpy first, or allocate it with "
            "cudaMallocManaged.");
}

TEST_F(Simulate, EndsWithItsProgramWhenItIsInterrupted) {
  for (const int signal : {SIGTERM, SIGINT}) {
    const Outcome outcome =
        shell("rm -f said; touch said; \"$0\" simulate " PROGRAM
              " wait --json wait.json >said & while ! grep -q waiting said; do sleep 0.05; done; kill -" +
              std::to_string(signal) + " $!; wait $!");
    EXPECT_EQ(outcome.exit_status, 128 + signal) << outcome.errors;
    EXPECT_TRUE(has(outcome.errors, "was ended by signal " + std::to_string(signal))) << outcome.errors;
    EXPECT_EQ(json_of("wait.json").at("launches").size(), 1u);
  }
}

TEST_F(Simulate, SimulatesTheCardThatIsNamed) {
  const Outcome t4 = simulate({"--device", "nvidia-t4", PROGRAM, "device"});
  EXPECT_EQ(t4.output, "Tesla T4 (simulated)\n") << t4.errors;
  const Outcome wrong = simulate({"--device", "H20", PROGRAM});
  EXPECT_EQ(wrong.exit_status, 2);
  EXPECT_TRUE(has(wrong.errors, "there is no simulated H20; did you mean H200? There are H200, ")) << wrong.errors;
  Command by_hand = toys_.lab({"simulate", PROGRAM, "device"});
  by_hand.environment.emplace_back("WARPWRIGHT_DEVICE", "voodoo");
  const Outcome unknown = run(by_hand);
  EXPECT_NE(unknown.exit_status, 0);
  EXPECT_TRUE(has(unknown.errors, "there is no simulated voodoo; WARPWRIGHT_DEVICE can be H200, ")) << unknown.errors;
}

TEST_F(Simulate, StandsInForCuda12Too) {
  const Outcome outcome = simulate({PROGRAM_12, "right"});
  EXPECT_EQ(outcome.exit_status, 7) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "no mistake found"));
}

TEST_F(Simulate, SaysHowToCompileAProgramWithoutPtx) {
  const Outcome outcome = simulate({PROGRAM_WITHOUT_PTX, "right"});
  EXPECT_EQ(outcome.exit_status, 1) << "the kernel did not run";
  EXPECT_TRUE(has(outcome.errors, "no PTX")) << outcome.errors;
  EXPECT_TRUE(has(outcome.errors, "-gencode arch=compute_90,code=compute_90")) << outcome.errors;
}

TEST_F(Simulate, RefusesWhatIsNoProgramForIt) {
  write_file(toys_ / "script", "#!/bin/sh\n");
  write_file(toys_ / "sum.cu", "int main() {}\n");
  std::filesystem::copy_file(PROGRAM, toys_ / "unexecutable");
  std::filesystem::permissions(toys_ / "unexecutable", std::filesystem::perms::owner_read);
  const auto refused = [&](const std::string& program, const std::string& words) {
    const Outcome outcome = simulate({program});
    EXPECT_EQ(outcome.exit_status, 2) << program;
    EXPECT_TRUE(has(outcome.errors, words)) << outcome.errors;
  };
  refused("nothing", "there is no program nothing");
  refused("build", "build is a folder, not a program");
  refused("/dev/null", "/dev/null is not a file");
  refused("sum.cu", "next: nvcc -cudart shared -lineinfo sum.cu -o sum");
  refused("script", "script is not a program that a compiler and a linker made");
  refused("unexecutable", "next: chmod +x unexecutable");
  refused(LINKED_STATICALLY, "next: link it with NVIDIA's runtime as a shared library: nvcc -cudart shared");
}

TEST_F(Simulate, ReadsHeadersThatLieWithoutHarm) {
  std::string bytes = read_file(PROGRAM);
  for (std::size_t at = 16; at < 64; ++at) {
    std::string damaged = bytes;
    damaged[at] = '\xff';
    write_file(toys_ / "damaged", damaged);
    std::filesystem::permissions(toys_ / "damaged", std::filesystem::perms::owner_all);
    try {
      inspect_program((toys_ / "damaged").string());
    } catch (const Problem&) {
    }
  }
  for (const std::size_t size : {0, 3, 4, 20, 63, 64, 100, 1000}) {
    write_file(toys_ / "cut", bytes.substr(0, size));
    EXPECT_THROW(inspect_program((toys_ / "cut").string()), Problem) << size;
  }
}

TEST_F(Simulate, SaysThatAProgramDidNotUseCuda) {
  const Outcome outcome = simulate({"true"});
  EXPECT_EQ(outcome.exit_status, 0);
  EXPECT_EQ(outcome.errors, "true did not use the CUDA runtime, so there is nothing to report\n");
}

TEST_F(Simulate, SaysBeforehandThatItsFileCannotBeWritten) {
  for (const char* file : {"build", "/proc/x.json", "script/x.json"}) {
    write_file(toys_ / "script", "");
    const Outcome outcome = simulate({PROGRAM, "right", "--json", file});
    EXPECT_EQ(outcome.exit_status, 2) << file;
    EXPECT_EQ(outcome.output, "") << "the program ran";
    EXPECT_TRUE(has(outcome.errors, std::string("./lab: cannot "))) << outcome.errors;
  }
  const Outcome full = simulate({PROGRAM, "--json", "/dev/full"});
  EXPECT_EQ(full.exit_status, 2);
  EXPECT_TRUE(has(full.errors, "./lab: cannot write /dev/full: No space left on device\n")) << full.errors;
  const Outcome printed = simulate({PROGRAM, "--json", "/dev/stdout"});
  EXPECT_TRUE(has(printed.output, "\"device\": \"simulated H200\"")) << printed.errors;
}

TEST(Recording, LeavesOutALineThatWasCutOff) {
  const Recording recording = Recording::parse(
      "{\"device\": \"simulated H200\"}\n"
      "{\"launch\": {\"kernel\": \"a\"}}\n"
      "{\"launch\": {\"kern");
  EXPECT_EQ(recording.launches, 1u);
  EXPECT_FALSE(recording.ended_by_itself);
  EXPECT_TRUE(Recording::parse("").device.empty());
}

TEST(Recording, TellsTwoMistakesOfOneLineApartByTheirOtherLine) {
  const std::string race = R"({"diagnosis": {"kind": "race", "message": "m", "file": "a.cu", "line": 3, "other": )";
  const Recording recording =
      Recording::parse(race + R"({"file": "a.cu", "line": 1}}})" + "\n" + race + R"({"file": "a.cu", "line": 2}}})" +
                       "\n" + race + R"({"file": "a.cu", "line": 1}}})" + "\n");
  ASSERT_EQ(recording.mistakes.size(), 2u);
  EXPECT_EQ(recording.mistakes[0].launches, 2u);
  EXPECT_EQ(recording.mistakes[1].launches, 1u);
}

}  // namespace
}  // namespace warpwright::lab
