#include "keys.h"

#include <poll.h>
#include <unistd.h>

#include "process.h"

namespace warpwright::lab {

Keys::Keys() {
  if (tcgetattr(STDIN_FILENO, &before_) == 0) take_single_keys();
}

void Keys::take_single_keys() {
  termios single = before_;
  single.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
  single.c_cc[VMIN] = 0;
  single.c_cc[VTIME] = 0;
  changed_ = tcsetattr(STDIN_FILENO, TCSADRAIN, &single) == 0;
}

Keys::~Keys() {
  if (changed_) tcsetattr(STDIN_FILENO, TCSADRAIN, &before_);
}

std::optional<char> Keys::wait(int other, int milliseconds) {
  throw_if_interrupted();
  // A shell that put us into the background and back has set the terminal to its own liking meanwhile.
  termios now = {};
  if (changed_ && tcgetattr(STDIN_FILENO, &now) == 0 && (now.c_lflag & ICANON) != 0) take_single_keys();
  pollfd ends[2] = {{STDIN_FILENO, POLLIN, 0}, {other, POLLIN, 0}};
  const int ready = poll(ends, 2, milliseconds);
  throw_if_interrupted();
  if (ready <= 0 || ends[0].revents == 0) return std::nullopt;
  // An arrow or a function key sends several bytes that begin with Escape: none of them is a key of ours.
  char bytes[32];
  const ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
  if (n <= 0) return 'q';
  if (bytes[0] == '\033') return std::nullopt;
  return bytes[0];
}

}  // namespace warpwright::lab
