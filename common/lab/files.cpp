#include "files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "problem.h"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

/// What the user can do about a failed system call.
std::string mend_for(const char* verb, const fs::path& file, int error) {
  const fs::path folder = file.parent_path();
  if (error == EISDIR) return fmt::format("a folder is in its place; move it away: mv {0} {0}.away", file.string());
  if (verb == std::string_view("read") && (error == EACCES || error == EPERM))
    return fmt::format("let yourself read it: chmod u+r {}", file.string());
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return fmt::format("make room on the disk of {} (df -h {})", folder.string(), folder.string());
    case EROFS:
    case EACCES:
    case EPERM:
      return fmt::format("make {} writable for you (ls -ld {})", folder.string(), folder.string());
    default:
      return "";
  }
}

[[noreturn]] void fail(const char* verb, const fs::path& file, int error) {
  throw Problem(fmt::format("cannot {} {}: {}", verb, file.string(), std::strerror(error)),
                mend_for(verb, file, error));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

bool is_special(const fs::path& file) {
  std::error_code ignored;
  const fs::file_status status = fs::status(file, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

void make_folder_of(const fs::path& file) {
  std::error_code error;
  if (!file.parent_path().empty()) fs::create_directories(file.parent_path(), error);
  if (error) fail("make the folder of", file, error.value());
}

std::string name_beside(const fs::path& file) { return fmt::format("{}.{}.new", file.string(), getpid()); }

/// 0, or the system's reason.
int write_all(int out, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(out, text.data(), text.size());
    if (n >= 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

std::string read_file(const fs::path& file) {
  const Descriptor in(open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (in < 0) fail("read", file, errno);
  std::string text;
  char buffer[65536];
  for (;;) {
    const ssize_t n = read(in, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("read", file, errno);
    if (n == 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

bool can_be_read(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error) && access(file.c_str(), R_OK) == 0;
}

void write_file(const fs::path& file, std::string_view text) {
  if (is_special(file)) {
    const Descriptor out(open(file.c_str(), O_WRONLY | O_CLOEXEC));
    if (out < 0) fail("write", file, errno);
    if (const int failure = write_all(out, text); failure != 0) fail("write", file, failure);
    return;
  }
  make_folder_of(file);
  struct stat old = {};
  const mode_t mode = stat(file.c_str(), &old) == 0 ? old.st_mode & 07777 : 0666;
  const std::string beside = name_beside(file);
  int failure = 0;
  {
    const Descriptor out(open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode));
    if (out < 0) fail("write", file, errno);
    failure = write_all(out, text);
    if (failure == 0 && fsync(out) != 0) failure = errno;
  }
  if (failure == 0 && rename(beside.c_str(), file.c_str()) != 0) failure = errno;
  if (failure != 0) {
    unlink(beside.c_str());
    fail("write", file, failure);
  }
}

void check_writable(const fs::path& file) {
  if (fs::is_directory(file)) fail("write", file, EISDIR);
  if (is_special(file)) {
    if (access(file.c_str(), W_OK) != 0) fail("write", file, errno);
    return;
  }
  make_folder_of(file);
  const std::string beside = name_beside(file);
  const Descriptor out(open(beside.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  if (out < 0) fail("write", file, errno);
  unlink(beside.c_str());
}

std::string fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

}  // namespace warpwright::lab
