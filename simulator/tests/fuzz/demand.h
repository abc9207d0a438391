// How a target of the fuzzer says that a promise is broken: like a crash, so that the input is kept.
#pragma once

#include <cstdio>
#include <cstdlib>

inline void demand(bool kept, const char* promise) {
  if (kept) return;
  std::fprintf(stderr, "broken: %s\n", promise);
  std::abort();
}
