// Problem: work of different streams has no order but the one that the program asks for, and the simulator runs it in
// the order of the calls, as a GPU need not.
// Idea: happens-before. Each stream counts its operations, and keeps what is known to be over when its next one begins:
// a number of operations for every stream. So does the host. Waiting, for an event or for a stream, takes over what the
// other knows.
// Rules: CUDA Programming Guide, "Asynchronous Concurrent Execution"; runtime API, "Stream synchronization behavior".
// What the host knows to be over when it asks for an operation is over before that operation. An operation of the
// legacy default stream waits for all blocking streams, and they for it.
// Invariant: an order that a program may rely on is never missing. Where the rules leave it open there is one.
// Left out: several host threads: what one of them has waited for, all know of. So a race that only their order rules
// out is never reported, and one between two of them may be missed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpwright::cudart {

class StreamOrder {
 public:
  using Stream = std::size_t;
  static constexpr Stream legacy = 0;  // the default stream, which is always there

  /// How many operations of each stream are over; streams behind the end have none.
  using Clock = std::vector<std::uint64_t>;

  /// An operation: the `count`-th of its stream, from 1.
  struct Stamp {
    Stream stream = legacy;
    std::uint64_t count = 0;
  };

  StreamOrder() : streams_(1) {}

  /// A new stream. Its number may have been another one's, of which all is over that the host can ever ask about.
  Stream add(bool is_blocking);
  /// The stream is destroyed: what is in it goes on.
  void retire(Stream stream) { streams_[stream].is_live = false; }
  /// Whether there has ever been a second stream: with one, all is ordered.
  bool has_several() const { return streams_.size() > 1; }

  /// The next operation of a stream.
  Stamp issue(Stream stream);
  /// Whether an operation is over before the last one that was issued in `stream`.
  bool is_before(const Stamp& then, Stream stream) const { return holds(streams_[stream].known, then); }
  /// What was over when that one began.
  const Clock& known(Stream stream) const { return streams_[stream].known; }
  static bool holds(const Clock& clock, const Stamp& then) { return at(clock, then.stream) >= then.count; }
  static void join(Clock& clock, const Clock& other);
  bool host_knows(const Stamp& then) const { return holds(host_, then); }
  const Clock& host() const { return host_; }
  bool host_knows(const Clock& event) const;

  /// What is over when an event that is recorded now has happened.
  Clock record(Stream stream);
  void wait(Stream stream, const Clock& event);
  void host_waits_for(const Clock& event) { join(host_, event); }
  void host_waits_for(Stream stream);
  void host_waits_for_all();

 private:
  struct State {
    bool is_live = true;
    bool is_blocking = true;
    Clock known;
  };

  static std::uint64_t at(const Clock& clock, Stream stream) { return stream < clock.size() ? clock[stream] : 0; }
  /// The stream is asked for something: what has to be over first.
  State& enter(Stream stream);

  std::vector<State> streams_;
  Clock host_;
};

}  // namespace warpwright::cudart
