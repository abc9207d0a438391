// Problem: neighbouring lanes should touch neighbouring bytes of global memory; how far from that is a kernel?
// Idea: count requests and sectors of every global memory instruction (sectors.h) and keep its worst execution.
// Left out: caches. A sector counts each time that a warp instruction touches it.
#pragma once

#include <memory>

#include "observe/observer.h"

namespace warpwright::observe {

/// Counts metric::global_{load,store,atomic}_{requests,sectors,bytes}; an exemplar's cost is in sectors.
std::unique_ptr<Observer> make_coalescing();

}  // namespace warpwright::observe
