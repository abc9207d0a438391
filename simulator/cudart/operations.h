// Problem: what is asked of a stream has to be ordered with what was asked of others, and everything that a stream can
// do is asked for by a function of its own.
// Idea: each of them issues an operation here, with the bytes that it uses; the runtime's order of streams goes on by
// one, and its races are told.
// Left out: the order itself (stream_order.h), and what a race is (stream_races.h).
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "cudart/stream_order.h"
#include "observe/uses.h"

namespace warpwright::cudart {

/// The number of a live stream in the runtime's order. Throws Failure.
StreamOrder::Stream number_of(cudaStream_t stream);

/// Whether anybody wants to know what an operation uses: not in a program with one stream and no memory that host code
/// reaches too.
bool watches_operations();

/// The API function that the calling thread is in, or the kernel that it launches, works in `stream`, after all that
/// was asked of it before.
void issue(cudaStream_t stream, std::vector<observe::Part> parts, const std::string& kernel = "");

/// All of an allocation, which comes into being or goes away in its stream.
void issue_whole(cudaStream_t stream, const void* allocation);

/// While it lives, the calling thread is in a function of code that was compiled with --default-stream per-thread: the
/// null stream is its own.
class PerThreadDefault {
 public:
  PerThreadDefault();
  ~PerThreadDefault();
  PerThreadDefault(const PerThreadDefault&) = delete;
  PerThreadDefault& operator=(const PerThreadDefault&) = delete;

 private:
  bool before_;
};

}  // namespace warpwright::cudart
