// Problem: some observers remember things about a block, and several blocks may be under way on one host thread.
// Idea: states are handed out at a block's beginning and taken back at its end; the one used last is found at once.
// Invariant: a state that was used before is handed out as it was left: its owner starts it over.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace warpwright::observe {

template <class State>
class PerBlock {
 public:
  /// A state for a block that begins: a used one, or `make()`, which returns a std::unique_ptr<State>.
  template <class Make>
  State& begin(std::uint64_t block, Make make) {
    std::unique_ptr<State> state;
    if (spare_.empty()) {
      state = make();
    } else {
      state = std::move(spare_.back());
      spare_.pop_back();
    }
    live_.push_back({block, std::move(state)});
    last_ = live_.size() - 1;
    return *live_.back().state;
  }

  /// The state of a block that has begun.
  State& at(std::uint64_t block) {
    if (live_[last_].block != block)
      for (last_ = 0; live_[last_].block != block; ++last_) {
      }
    return *live_[last_].state;
  }

  void end(std::uint64_t block) {
    at(block);
    spare_.push_back(std::move(live_[last_].state));
    live_.erase(live_.begin() + static_cast<std::ptrdiff_t>(last_));
    last_ = 0;
  }

 private:
  struct Live {
    std::uint64_t block;
    std::unique_ptr<State> state;
  };
  std::vector<Live> live_;
  std::vector<std::unique_ptr<State>> spare_;
  std::size_t last_ = 0;
};

}  // namespace warpwright::observe
