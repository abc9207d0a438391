#include "cudart/operations.h"

#include <fmt/core.h>

#include <thread>
#include <utility>

#include "cudart/runtime.h"

namespace warpwright::cudart {
namespace {

bool& null_is_per_thread() {
  thread_local bool is = false;
  return is;
}

bool is_per_thread(cudaStream_t stream) {
  return stream == cudaStreamPerThread || (stream == nullptr && null_is_per_thread());
}

bool is_legacy(cudaStream_t stream) {
  return stream == cudaStreamLegacy || (stream == nullptr && !null_is_per_thread());
}

std::string words_for(cudaStream_t stream) {
  if (is_legacy(stream)) return default_stream_words;
  if (is_per_thread(stream)) return "the default stream of a host thread";
  return fmt::format("stream {}", stream->number);
}

}  // namespace

StreamOrder::Stream number_of(cudaStream_t stream) {
  require(stream);
  if (is_legacy(stream)) return StreamOrder::legacy;
  if (!is_per_thread(stream)) return stream->order;
  Runtime& state = runtime();
  const auto [entry, is_new] = state.stream_of_thread.try_emplace(std::this_thread::get_id());
  if (is_new) entry->second = state.order.add(true);
  return entry->second;
}

bool watches_operations() {
  const Runtime& state = runtime();
  return (state.order.has_several() || state.memory.has_shared()) && state.settings.sanitizers;
}

void issue(cudaStream_t stream, std::vector<observe::Part> parts, const std::string& kernel) {
  Runtime& state = runtime();
  const StreamOrder::Stamp stamp = state.order.issue(number_of(stream));
  if (parts.empty()) return;
  Operation operation{
      .name = kernel.empty() ? current_function() : kernel,
      .is_launch = !kernel.empty(),
      .stream = words_for(stream),
      .waits_for_default = is_legacy(stream) || is_per_thread(stream) || (stream->flags & cudaStreamNonBlocking) == 0,
      .site = call_site(),
      .stamp = stamp,
      .known = state.order.known(stamp.stream)};
  for (observe::Diagnosis& race : state.races.add(std::move(operation), std::move(parts), state.order))
    state.keep(std::move(race));
}

void issue_whole(cudaStream_t stream, const void* allocation) {
  const machine::Allocation* found = runtime().memory.find(reinterpret_cast<machine::Address>(allocation), 1);
  std::vector<observe::Part> parts;
  if (watches_operations() && found != nullptr) {
    observe::Part& part = parts.emplace_back();
    part.allocation = found->number;
    part.base = found->base;
    part.use = observe::Use::writes;
    part.bytes.add(0, found->bytes);
  }
  issue(stream, std::move(parts));
}

PerThreadDefault::PerThreadDefault() : before_(std::exchange(null_is_per_thread(), true)) {}
PerThreadDefault::~PerThreadDefault() { null_is_per_thread() = before_; }

}  // namespace warpwright::cudart
