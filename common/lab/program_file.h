// Problem: whoever names a wrong file, or a program that was linked in a way that cannot be simulated, should hear what
// to do, not an error of the system's loader.
// Idea: read the file's ELF headers before anything runs.
// Invariant: what is accepted can be started, and asks the loader for its libraries.
// Left out: libraries that a program opens later; whether CUDA was used is known when it has ended (recording.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwright::lab {

struct ProgramFile {
  std::filesystem::path path;
  std::vector<std::string> libraries;  // that it asks for by name: "libcudart.so.13"
  bool has_device_code = false;        // what nvcc puts into a program

  /// The CUDA runtime that it asks for, or empty.
  std::string cuda_runtime() const;
};

/// The program that `name` means: a path, or a name that the shell would find in PATH. Throws Problem when there is
/// none, when it is no program, or when it holds NVIDIA's runtime already, with the mend.
ProgramFile inspect_program(const std::string& name);

}  // namespace warpwright::lab
