#include "cudart/busy_line.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

namespace warpwright::cudart {
namespace {

using std::chrono::milliseconds;

/// What arrives at the other end until nothing has for a while, or more than anybody expects.
std::string read_all(int descriptor, milliseconds patience) {
  std::string text;
  std::array<char, 512> buffer;
  pollfd waiting{descriptor, POLLIN, 0};
  while (text.size() < 4096 && poll(&waiting, 1, static_cast<int>(patience.count())) > 0) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

struct ABusyLine : testing::Test {
  ABusyLine() {
    EXPECT_EQ(openpty(&screen, &program, nullptr, nullptr, nullptr), 0);
    setenv("TERM", "xterm", 1);
  }
  ~ABusyLine() override {
    close(screen);
    close(program);
  }
  int screen = -1, program = -1;
};

TEST_F(ABusyLine, TellsTheKernelAndTheTimeAndIsGoneWhenTheLaunchIsOver) {
  BusyLine line(program, milliseconds(1));
  line.launch_begins("first");
  line.launch_ends();
  line.launch_begins("scale");
  EXPECT_EQ(line.threads(), 1u);
  std::string text;
  while (text.find("scale, launch 2  0 s") == std::string::npos) text += read_all(screen, milliseconds(20));
  line.launch_ends();
  text += read_all(screen, milliseconds(300));
  EXPECT_TRUE(text.ends_with("\0338\033[K")) << text;  // the cursor is where it was, and the rest of the line is clear
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

TEST_F(ABusyLine, IsNotThereBeforeItsTime) {
  BusyLine line(program, std::chrono::minutes(1));
  line.launch_begins("scale");
  EXPECT_EQ(read_all(screen, milliseconds(300)), "");
  line.launch_ends();
  EXPECT_EQ(read_all(screen, milliseconds(50)), "");
}

TEST_F(ABusyLine, IsOnlyForTerminals) {
  setenv("TERM", "dumb", 1);
  BusyLine dumb(program, milliseconds(1));
  dumb.launch_begins("scale");
  EXPECT_EQ(dumb.threads(), 0u);
  EXPECT_EQ(read_all(screen, milliseconds(300)), "");
  setenv("TERM", "xterm", 1);
  std::array<int, 2> pipe_ends;
  ASSERT_EQ(pipe(pipe_ends.data()), 0);
  BusyLine piped(pipe_ends[1], milliseconds(1));
  piped.launch_begins("scale");
  EXPECT_EQ(piped.threads(), 0u);
  EXPECT_EQ(read_all(pipe_ends[0], milliseconds(300)), "");
  for (const int end : pipe_ends) close(end);
}

}  // namespace
}  // namespace warpwright::cudart
