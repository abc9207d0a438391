// Problem: a program tells what it does to a file, a line at a time, and may end at any moment (cudart/shared/).
// Idea: read the lines into the document that all tools share, and what the user is told of it.
// Invariant: a document is whole whatever the program did; a last line that was cut off is left out.
// Left out: words and columns (mistakes_text.cpp, profile_text.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "terminal.h"

namespace warpwright::lab {

/// A mistake that the simulated GPU saw, at one line, however often.
struct Mistake {
  std::string kind, message, hint, kernel;
  std::string file;  // empty: no line is known
  int line = 0;
  std::string other_file;  // where two accesses meet: the other one's
  int other_line = 0;
  std::string launch_file;  // where the kernel was launched
  int launch_line = 0;
  std::uint64_t launches = 1;  // in how many launches or calls it was seen
};

/// An array of which the launches so far have left a part as the host had it. That may be meant.
struct Gap {
  std::string kernel;
  std::uint64_t argument = 0, bytes = 0, unwritten_bytes = 0, first_unwritten = 0;
};

/// Device memory that was never freed.
struct Leak {
  std::uint64_t bytes = 0;
  std::string origin;        // what allocated it: "cudaMalloc"
  std::uint64_t number = 0;  // in order of allocation, from 1
  std::string file;          // where; empty when it is not known
  int line = 0;
};

struct Recording {
  std::string device;             // of the first process; empty: no process used the CUDA runtime
  std::string document;           // JSON: {"device", "launches", "diagnoses", "leaks"}
  std::size_t launches = 0;       // how many
  std::vector<Mistake> mistakes;  // in order of their first time
  std::vector<Mistake> warnings;  // nothing wrong comes of them as long as the program stays as it is
  std::vector<Gap> gaps;          // after each kernel's last launch
  std::vector<Leak> leaks;
  bool ended_by_itself = false;  // every process came to its exit

  /// Never fails: what is not understood is left out.
  static Recording parse(std::string_view lines);
};

/// Reads a source line; empty when it cannot be read.
using SourceLine = std::string (*)(const std::string& file, int line);

/// Each mistake: where, what, why and what next.
std::string as_text(const std::vector<Mistake>& mistakes, SourceLine source_line, const Terminal& terminal);
/// The gaps as notes; empty when there is none.
std::string as_text(const std::vector<Gap>& gaps);
/// The leaks as one note; empty when there is none. A program that ends loses nothing by them: they are no mistakes.
std::string as_text(const std::vector<Leak>& leaks);

}  // namespace warpwright::lab
