// Problem: memory that nobody has written holds something all the same, and it looks like data.
// Idea: two bits for each byte of an allocation: has anybody written it, and has a launch since the host last did? The
// second tells which outputs a kernel has left out.
// Invariant: kernels' threads and the host may note at a time; a bit is never lost.
// Left out: memory that host code writes without a call (pinned and managed), and variables, which are never undefined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpwright::machine {

class Contents {
 public:
  explicit Contents(std::size_t bytes);
  ~Contents();
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  /// From here on nothing is known any more: everything counts as written.
  void give_up() { given_up_ = true; }
  bool given_up() const { return given_up_; }

  /// Whether something has been written to each of the bytes.
  bool is_defined(std::size_t offset, std::size_t bytes) const;
  /// The same by byte, of at most 32: bit n is set when byte n is undefined.
  std::uint32_t undefined(std::size_t offset, std::size_t bytes) const;
  /// Whether a launch has written the byte since the host last did.
  bool is_output(std::size_t offset) const;

  void launch_writes(std::size_t offset, std::size_t bytes);
  void host_writes(std::size_t offset, std::size_t bytes);
  /// A copy of undefined bytes was put there by a launch.
  void undefine(std::size_t offset, std::size_t bytes);
  /// What is known of `bytes` bytes of another allocation is known of these too: a copy between them.
  void copy(std::size_t offset, const Contents& from, std::size_t from_offset, std::size_t bytes);

  /// Stretches of bytes that no launch has written since the host last did, in order.
  struct Gap {
    std::size_t offset = 0, bytes = 0;
  };
  std::vector<Gap> gaps(std::size_t offset, std::size_t bytes) const;

 private:
  using Word = std::uint64_t;

  std::size_t words_;
  Word* defined_;  // a bit for each byte
  Word* launched_;
  bool given_up_ = false;
};

}  // namespace warpwright::machine
