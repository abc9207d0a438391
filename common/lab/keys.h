#pragma once

#include <termios.h>

#include <optional>

namespace warpwright::lab {

/// Single keys from the terminal, without Return and without echo, as long as it lives. Ctrl-C and Ctrl-Z
/// stay signals.
class Keys {
 public:
  Keys();
  ~Keys();
  Keys(const Keys&) = delete;
  Keys& operator=(const Keys&) = delete;

  /// Waits for a key, for `other` (a descriptor, or -1) to become readable, or for the time to pass, whichever is
  /// first. The key, if there was one; 'q' at the end of input. Throws Interrupted when a signal came.
  std::optional<char> wait(int other, int milliseconds);

 private:
  void take_single_keys();
  termios before_ = {};
  bool changed_ = false;
};

}  // namespace warpwright::lab
