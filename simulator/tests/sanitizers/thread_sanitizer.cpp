// What ThreadSanitizer is told of the tests.
#if defined(__SANITIZE_THREAD__)

/// Where blocks of a kernel race for bytes, the host's threads that run them do, and so does the observer that tells of
/// it and looks at what is there: that is the kernel's mistake. All other bytes are the simulator's.
extern "C" const char* __tsan_default_suppressions() {
  return "race:copy_half\nrace:element_at\nrace:store_to\nrace:update_at\nrace:writes_what_is_there";
}

/// What explains an access of host code allocates memory in a signal's handler. The signal is that access's own: it
/// comes in the middle of no allocation.
extern "C" const char* __tsan_default_options() { return "report_signal_unsafe=0"; }

#endif
