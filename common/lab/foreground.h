// Problem: a simulated program is the user's own: it reads his keys, prints to his screen and takes his Ctrl-C.
// Idea: it runs in our place, with our standard input, output and error and in our process group, so that the terminal
// treats it as it treats us; a signal that was sent to us alone is passed on.
// Invariant: when this returns, the program is gone; what ended it is its business and not ours.
// Left out: whatever it does (recording.h).
#pragma once

#include "process.h"

namespace warpwright::lab {

struct Ending {
  int exit_status = 0;  // as a shell has it
  int signal = 0;       // the one that ended it; 0 for none
};

/// Runs a program that is named by its path. Throws Problem when it cannot be started, and Interrupted when a signal
/// came before it was.
Ending run_in_foreground(const Command& command);

}  // namespace warpwright::lab
