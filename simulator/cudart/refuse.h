// How a function of a feature that is not simulated answers.
#pragma once

#include <driver_types.h>

namespace warpwright::cudart {

struct Feature {
  const char* words;  // "graphs of work"
  const char* hint;   // what to do instead
};

/// Tells the program's author, and returns cudaErrorNotSupported.
cudaError_t refuse(const char* function, const Feature& feature);

}  // namespace warpwright::cudart
