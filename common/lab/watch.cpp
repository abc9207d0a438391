#include "watch.h"

#include <sys/inotify.h>
#include <unistd.h>

namespace warpwright::lab {

FileWatch::FileWatch(std::filesystem::path file) : file_(std::move(file)) {
  inotify_ = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (inotify_ >= 0 &&
      inotify_add_watch(inotify_, file_.parent_path().c_str(), IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE) < 0) {
    close(inotify_);
    inotify_ = -1;
  }
  look(last_);
}

FileWatch::~FileWatch() {
  if (inotify_ >= 0) close(inotify_);
}

bool FileWatch::look(Look& at) const {
  struct stat status = {};
  if (stat(file_.c_str(), &status) != 0) return false;
  at = {status.st_ino, status.st_size, status.st_mtim};
  return true;
}

bool FileWatch::changed() {
  // The notices only wake: which file they name does not matter, since the file itself is looked at.
  alignas(inotify_event) char notices[4096];
  while (inotify_ >= 0 && read(inotify_, notices, sizeof notices) > 0) continue;
  Look now;
  if (!look(now)) return false;
  const bool same = now.inode == last_.inode && now.size == last_.size && now.time.tv_sec == last_.time.tv_sec &&
                    now.time.tv_nsec == last_.time.tv_nsec;
  last_ = now;
  return !same;
}

}  // namespace warpwright::lab
