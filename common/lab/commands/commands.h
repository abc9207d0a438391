// One function a command, each in a file of its own. They print, and return the exit status; what stops them is a
// Problem.
#pragma once

#include "context.h"
#include "request.h"

namespace warpwright::lab {

int run(Context& context, const request::Progress& wish);
int run(Context& context, const request::Test& wish);
int run(Context& context, const request::Check& wish);
int run(Context& context, const request::Profile& wish);
int run(Context& context, const request::Simulate& wish);
int run(Context& context, const request::List& wish);
int run(Context& context, const request::Hint& wish);
int run(Context& context, const request::Solution& wish);
int run(Context& context, const request::Reset& wish);
int run(Context& context, const request::Docs& wish);

}  // namespace warpwright::lab
