#include "cudart/stream_order.h"

#include <algorithm>

namespace warpwright::cudart {

void StreamOrder::join(Clock& clock, const Clock& other) {
  if (clock.size() < other.size()) clock.resize(other.size());
  for (Stream stream = 0; stream < other.size(); ++stream) clock[stream] = std::max(clock[stream], other[stream]);
}

StreamOrder::Stream StreamOrder::add(bool is_blocking) {
  const auto goes_on = [this](Stream number) {
    return streams_[number].is_live || at(streams_[number].known, number) > at(host_, number);
  };
  Stream number = 0;
  while (number < streams_.size() && goes_on(number)) ++number;
  if (number == streams_.size()) streams_.emplace_back();
  // The numbers of its operations go on from those of the stream before.
  streams_[number] = {true, is_blocking, host_};
  return number;
}

StreamOrder::State& StreamOrder::enter(Stream stream) {
  State& state = streams_[stream];
  join(state.known, host_);
  if (stream == legacy) {
    for (const State& other : streams_)
      if (other.is_blocking) join(state.known, other.known);
  } else if (state.is_blocking) {
    join(state.known, streams_[legacy].known);
  }
  return state;
}

StreamOrder::Stamp StreamOrder::issue(Stream stream) {
  Clock& known = enter(stream).known;
  if (known.size() <= stream) known.resize(stream + 1);
  return {stream, ++known[stream]};
}

StreamOrder::Clock StreamOrder::record(Stream stream) { return enter(stream).known; }

bool StreamOrder::host_knows(const Clock& event) const {
  for (Stream stream = 0; stream < event.size(); ++stream)
    if (event[stream] > at(host_, stream)) return false;
  return true;
}

void StreamOrder::wait(Stream stream, const Clock& event) { join(enter(stream).known, event); }

void StreamOrder::host_waits_for(Stream stream) { join(host_, enter(stream).known); }

void StreamOrder::host_waits_for_all() {
  for (const State& state : streams_) join(host_, state.known);
}

}  // namespace warpwright::cudart
