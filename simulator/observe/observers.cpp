#include "observe/observers.h"

#include <utility>

#include "observe/bank_conflicts.h"
#include "observe/barrier_divergence.h"
#include "observe/barriers.h"
#include "observe/coalescing.h"
#include "observe/definedness.h"
#include "observe/divergence.h"
#include "observe/global_race.h"
#include "observe/instructions.h"
#include "observe/load_waits.h"
#include "observe/memory_check.h"
#include "observe/progress_check.h"
#include "observe/shared_race.h"
#include "observe/shuffle_check.h"

namespace warpwright::observe {
namespace {

template <class... Made>
Observers list(Made... made) {
  Observers observers;
  (observers.push_back(std::move(made)), ...);
  return observers;
}

}  // namespace

Observers faults() { return list(make_memory_check(), make_progress_check()); }

Observers counters() {
  return list(make_coalescing(), make_bank_conflicts(), make_instructions(), make_divergence(), make_barriers(),
              make_load_waits());
}

Observers sanitizers() {
  return list(make_barrier_divergence(), make_shared_race(), make_global_race(), make_definedness(),
              make_shuffle_check());
}

}  // namespace warpwright::observe
