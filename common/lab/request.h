#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace warpwright::lab {

/// What was typed, one structure a command. Names are as typed: nobody has looked them up yet.
namespace request {
struct Progress {};
struct Test {
  std::string name;
  bool solution = false;
  bool on_gpu = false;
  std::optional<std::uint64_t> schedule;
};
struct Check {
  int jobs = 0;  // 0: as many as the machine has processors
  bool texts = false;
  bool fix = false;
  bool mutants = false;
  std::string name;  // whose mutants; empty: all
};
struct Profile {
  std::string name;
  bool solution = false;
  std::optional<std::uint64_t> n;
  std::optional<int> launch;  // counted from 1; else the first of each kernel
  std::optional<int> ptx;     // the line of the source whose instructions to show
  std::optional<std::uint64_t> schedule;
  bool json = false;
  std::string html;  // the file to write; empty: none
};
struct Simulate {
  std::string program;
  std::vector<std::string> arguments;  // the program's own
  std::string json;                    // the file to write; empty: none
  std::string device;                  // empty: the usual one
  std::optional<std::uint64_t> schedule;
  int error_exit_status = 0;  // instead of the program's 0, when a mistake was found
};
struct List {
  bool json = false;
};
struct Hint {
  std::string name;
  std::optional<int> tier;
};
struct Solution {
  std::string name;
  bool anyway = false;
};
struct Reset {
  std::string name;
};
struct Docs {
  std::vector<std::string> words;  // for docs/site.py
};
/// Help or the like was printed.
struct Nothing {};
}  // namespace request

using Request =
    std::variant<request::Progress, request::Test, request::Check, request::Profile, request::Simulate, request::List,
                 request::Hint, request::Solution, request::Reset, request::Docs, request::Nothing>;

/// Reads the command line; prints help where that was asked for. Throws Problem for what cannot be meant.
Request read_arguments(int argc, const char* const* argv);

}  // namespace warpwright::lab
