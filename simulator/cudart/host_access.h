// Problem: host code that follows a device's pointer is killed by a signal, which does not say what is wrong.
// Idea: such an address is inaccessible here too (reservation.h). A handler of the signal says what the address is, by
// which line it was followed, where its memory was allocated and what mends it; then the program dies of the signal, as
// it does on a machine with a GPU.
// Memory that host code may reach, and should not have reached yet, it opens (host_guard.h): the access is told, and
// goes on.
// Invariant: the handler that was there before hears of every such signal, with what it is entitled to know.
// Left out: a program that installs a handler of its own later hears of it instead. And the handler does more than any
// handler may do at any time: the thread was in the middle of an access, and in no allocator.
#pragma once

#include "observe/report.h"

namespace warpwright::cudart {

/// Is done once, when the runtime starts.
void watch_host_accesses();

/// One line on standard error: where, what and what next.
void tell_on_standard_error(const observe::Diagnosis& diagnosis);

}  // namespace warpwright::cudart
