// Problem: a plain x86-64 build uses 16-byte vectors without a 64-bit comparison, and calls the library to round a
// float or to add to a product. Most machines have better.
// Idea: a function marked WARPWRIGHT_WIDE is compiled twice, and the loader chooses: the second form is for processors
// with 32-byte vectors and fused multiply-add.
// Left out: sanitizers, which the loader's choice comes too early for, and platforms without such a loader.
#pragma once

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define WARPWRIGHT_WIDE [[gnu::target_clones("arch=x86-64-v3", "default")]]
#else
#define WARPWRIGHT_WIDE
#endif
