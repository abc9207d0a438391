// Problem: while an exercise is watched, a save must be noticed at once, whatever the editor does (write in place,
// write a new file and rename it) and wherever the file lies (network and virtual drives send no notices).
// Idea: the system's notices for the file's folder (inotify) wake a wait for keys; twice a second the file's time
// and size are looked at as well.
// Invariant: a save is reported once, however it was noticed.
// Left out: what the save changed.
#pragma once

#include <sys/stat.h>

#include <filesystem>

namespace warpwright::lab {

class FileWatch {
 public:
  explicit FileWatch(std::filesystem::path file);
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  /// The file is another than when this was last asked. A file that is gone for a moment (being replaced) is no change.
  bool changed();
  /// Readable when something happened in the file's folder; -1 when the system sends no notices.
  int descriptor() const { return inotify_; }

 private:
  struct Look {
    ino_t inode = 0;
    off_t size = 0;
    timespec time = {};
  };
  bool look(Look& at) const;

  std::filesystem::path file_;
  Look last_;
  int inotify_ = -1;
};

}  // namespace warpwright::lab
