// The chapter's kernels at size n. Compiled once; which of them a program holds, the linker decides: those that are not
// linked have no address.
#include "bench.h"

#include "workloads.h"

namespace warps {
[[gnu::weak]] decltype(branch_by_warp) branch_by_warp;
[[gnu::weak]] decltype(branchless) branchless;
[[gnu::weak]] decltype(partition) partition;
[[gnu::weak]] decltype(uniform_loop) uniform_loop;
[[gnu::weak]] decltype(broadcast) broadcast;
[[gnu::weak]] decltype(warp_reduce) warp_reduce;
[[gnu::weak]] decltype(butterfly) butterfly;
[[gnu::weak]] decltype(sub_warp) sub_warp;
[[gnu::weak]] decltype(vote_search) vote_search;
[[gnu::weak]] decltype(ballot_filter) ballot_filter;
[[gnu::weak]] decltype(match_groups) match_groups;
[[gnu::weak]] decltype(block_reduce) block_reduce;
}  // namespace warps

// The solutions, where a program holds both; see cmake/chapter.cmake.
namespace solution_of_warps {
[[gnu::weak]] decltype(warps::branch_by_warp) branch_by_warp;
[[gnu::weak]] decltype(warps::branchless) branchless;
[[gnu::weak]] decltype(warps::partition) partition;
[[gnu::weak]] decltype(warps::uniform_loop) uniform_loop;
[[gnu::weak]] decltype(warps::broadcast) broadcast;
[[gnu::weak]] decltype(warps::warp_reduce) warp_reduce;
[[gnu::weak]] decltype(warps::butterfly) butterfly;
[[gnu::weak]] decltype(warps::sub_warp) sub_warp;
[[gnu::weak]] decltype(warps::vote_search) vote_search;
[[gnu::weak]] decltype(warps::ballot_filter) ballot_filter;
[[gnu::weak]] decltype(warps::match_groups) match_groups;
[[gnu::weak]] decltype(warps::block_reduce) block_reduce;
}  // namespace solution_of_warps

int main(int argc, char** argv) {
  using namespace warps::bench;
  namespace answer = solution_of_warps;
  std::vector<warpwright::Benchmark> benchmarks;
  const auto add = [&](bool is_linked, const char* name, std::unique_ptr<Workload> (*make)(std::size_t)) {
    if (is_linked) benchmarks.push_back({name, make});
  };
  add(warps::identify != nullptr, "warps.identify", warps::bench::identify);
  add(warps::branch_by_warp != nullptr, "warps.branch_by_warp", two_kinds<warps::branch_by_warp, false>);
  add(answer::branch_by_warp != nullptr, "solution.warps.branch_by_warp", two_kinds<answer::branch_by_warp, false>);
  add(warps::branchless != nullptr, "warps.branchless", warps::bench::branchless<warps::branchless>);
  add(answer::branchless != nullptr, "solution.warps.branchless", warps::bench::branchless<answer::branchless>);
  add(warps::partition != nullptr, "warps.partition", two_kinds<warps::partition, true>);
  add(answer::partition != nullptr, "solution.warps.partition", two_kinds<answer::partition, true>);
  add(warps::uniform_loop != nullptr, "warps.uniform_loop", warps::bench::uniform_loop<warps::uniform_loop>);
  add(answer::uniform_loop != nullptr, "solution.warps.uniform_loop", warps::bench::uniform_loop<answer::uniform_loop>);
  add(warps::broadcast != nullptr, "warps.broadcast", warps::bench::broadcast<warps::broadcast>);
  add(answer::broadcast != nullptr, "solution.warps.broadcast", warps::bench::broadcast<answer::broadcast>);
  add(warps::shuffles != nullptr, "warps.shuffles", warps::bench::shuffles);
  add(warps::warp_reduce != nullptr, "warps.warp_reduce", warps::bench::warp_reduce<warps::warp_reduce>);
  add(answer::warp_reduce != nullptr, "solution.warps.warp_reduce", warps::bench::warp_reduce<answer::warp_reduce>);
  add(warps::butterfly != nullptr, "warps.butterfly", warps::bench::butterfly<warps::butterfly>);
  add(answer::butterfly != nullptr, "solution.warps.butterfly", warps::bench::butterfly<answer::butterfly>);
  add(warps::sub_warp != nullptr, "warps.sub_warp", warps::bench::sub_warp<warps::sub_warp>);
  add(answer::sub_warp != nullptr, "solution.warps.sub_warp", warps::bench::sub_warp<answer::sub_warp>);
  add(warps::vote_search != nullptr, "warps.vote_search", warps::bench::vote_search<warps::vote_search>);
  add(answer::vote_search != nullptr, "solution.warps.vote_search", warps::bench::vote_search<answer::vote_search>);
  add(warps::ballot_filter != nullptr, "warps.ballot_filter", warps::bench::ballot_filter<warps::ballot_filter>);
  add(answer::ballot_filter != nullptr, "solution.warps.ballot_filter",
      warps::bench::ballot_filter<answer::ballot_filter>);
  add(warps::match_groups != nullptr, "warps.match_groups", warps::bench::match_groups<warps::match_groups>);
  add(answer::match_groups != nullptr, "solution.warps.match_groups", warps::bench::match_groups<answer::match_groups>);
  add(warps::block_reduce != nullptr, "warps.block_reduce", warps::bench::block_reduce<warps::block_reduce>);
  add(answer::block_reduce != nullptr, "solution.warps.block_reduce", warps::bench::block_reduce<answer::block_reduce>);
  using warps::Link;
  const std::pair<const char*, Link> chains[] = {{"addition", Link::addition},
                                                 {"shuffle", Link::shuffle},
                                                 {"shared memory", Link::shared_memory},
                                                 {"L1", Link::l1},
                                                 {"L2", Link::l2},
                                                 {"memory", Link::memory}};
  if (warps::follow != nullptr) {
    for (const auto& [what, link] : chains)
      benchmarks.push_back({std::string("warps.latencies/") + what,
                            [link = link](std::size_t n) { return std::make_unique<Latency>(link, n); }});
  }
  return bench_main(argc, argv, benchmarks);
}
