// Problem: code compiled with --default-stream per-thread calls the same functions by other names, which end in _ptds
// or _ptsz.
// Idea: a second name for each. Work runs in the order of the calls, so every default stream is the same.
#pragma once

/// Gives the API function `name`, defined above in the same file, the further name `name##_##ending`.
#define PER_THREAD_STREAM(name, ending) extern "C" __attribute__((alias(#name))) decltype(name) name##_##ending
