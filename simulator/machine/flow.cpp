#include "machine/flow.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <span>
#include <vector>

namespace warpwright::machine {
namespace {

constexpr std::uint32_t none = 0xffffffffu;

struct BasicBlock {
  std::uint32_t first = 0;  // pc
  std::uint32_t end = 0;    // pc behind the last instruction
  std::vector<std::uint32_t> successors;
  std::vector<std::uint32_t> predecessors;
  std::uint32_t dominator = none;  // immediate
  std::uint32_t postorder = none;  // none when unreachable
};

struct Graph {
  std::vector<BasicBlock> blocks;
  std::vector<std::uint32_t> reverse_postorder;
};

bool ends_block(const Instruction& instruction) {
  return instruction.flow == Flow::branch || instruction.flow == Flow::indexed_branch ||
         instruction.flow == Flow::exit || instruction.flow == Flow::return_from_call;
}

bool falls_through(const Instruction& last) { return !ends_block(last) || last.guard != no_register; }

/// A function's pcs.
struct Range {
  std::uint32_t begin = 0, end = 0;
};

std::vector<Range> functions_of(const Program& program) {
  std::vector<Range> ranges;
  for (const Function& function : program.functions) ranges.push_back({function.begin, function.end});
  if (ranges.empty()) ranges.push_back({0, static_cast<std::uint32_t>(program.code.size())});
  return ranges;
}

std::vector<bool> find_leaders(const Program& program) {
  std::vector<bool> leader(program.code.size() + 1, false);
  for (const Range& function : functions_of(program)) leader[function.begin] = true;
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const Instruction& instruction = program.code[pc];
    if (instruction.flow == Flow::branch) leader[instruction.target] = true;
    if (instruction.flow == Flow::indexed_branch)
      for (const std::uint32_t target : program.branch_tables[instruction.option]) leader[target] = true;
    if (ends_block(instruction)) leader[pc + 1] = true;
  }
  return leader;
}

Graph build(const Program& program, const std::vector<bool>& leader, const Range& function) {
  Graph graph;
  std::vector<std::uint32_t> block_at(function.end - function.begin, none);
  for (std::uint32_t pc = function.begin; pc < function.end; ++pc) {
    if (leader[pc]) {
      block_at[pc - function.begin] = static_cast<std::uint32_t>(graph.blocks.size());
      graph.blocks.emplace_back().first = pc;
    }
    graph.blocks.back().end = pc + 1;
  }
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    const Instruction& last = program.code[graph.blocks[b].end - 1];
    const auto connect = [&](std::uint32_t pc) {
      if (pc >= function.end) return;
      graph.blocks[b].successors.push_back(block_at[pc - function.begin]);
      graph.blocks[block_at[pc - function.begin]].predecessors.push_back(b);
    };
    if (falls_through(last)) connect(graph.blocks[b].end);
    if (last.flow == Flow::branch) connect(last.target);
    if (last.flow == Flow::indexed_branch)
      for (const std::uint32_t target : program.branch_tables[last.option]) connect(target);
  }
  return graph;
}

void number(Graph& graph) {
  struct Visit {
    std::uint32_t block;
    std::size_t next;
  };
  std::vector<bool> seen(graph.blocks.size(), false);
  std::vector<Visit> stack = {{0, 0}};
  std::vector<std::uint32_t> postorder;
  seen[0] = true;
  while (!stack.empty()) {
    const std::uint32_t block = stack.back().block;
    if (stack.back().next < graph.blocks[block].successors.size()) {
      const std::uint32_t successor = graph.blocks[block].successors[stack.back().next++];
      if (!seen[successor]) {
        seen[successor] = true;
        stack.push_back({successor, 0});
      }
    } else {
      graph.blocks[block].postorder = static_cast<std::uint32_t>(postorder.size());
      postorder.push_back(block);
      stack.pop_back();
    }
  }
  graph.reverse_postorder.assign(postorder.rbegin(), postorder.rend());
}

/// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm".
void find_dominators(Graph& graph) {
  graph.blocks[0].dominator = 0;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (graph.blocks[a].postorder < graph.blocks[b].postorder) a = graph.blocks[a].dominator;
      while (graph.blocks[b].postorder < graph.blocks[a].postorder) b = graph.blocks[b].dominator;
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::uint32_t block : graph.reverse_postorder) {
      if (block == 0) continue;
      std::uint32_t dominator = none;
      for (const std::uint32_t predecessor : graph.blocks[block].predecessors) {
        if (graph.blocks[predecessor].dominator == none) continue;
        dominator = dominator == none ? predecessor : meet(predecessor, dominator);
      }
      if (graph.blocks[block].dominator != dominator) {
        graph.blocks[block].dominator = dominator;
        changed = true;
      }
    }
  }
}

bool dominates(const Graph& graph, std::uint32_t above, std::uint32_t block) {
  while (block != above && block != 0) block = graph.blocks[block].dominator;
  return block == above;
}

/// The blocks of the loop at `header`: those that reach one of its back edges without passing the header.
std::vector<bool> loop_body(const Graph& graph, std::uint32_t header) {
  std::vector<bool> body(graph.blocks.size(), false);
  std::vector<std::uint32_t> work;
  body[header] = true;
  for (const std::uint32_t tail : graph.blocks[header].predecessors)
    if (graph.blocks[tail].postorder != none && dominates(graph, header, tail) && !body[tail]) {
      body[tail] = true;
      work.push_back(tail);
    }
  while (!work.empty()) {
    const std::uint32_t block = work.back();
    work.pop_back();
    for (const std::uint32_t predecessor : graph.blocks[block].predecessors)
      if (graph.blocks[predecessor].postorder != none && !body[predecessor]) {
        body[predecessor] = true;
        work.push_back(predecessor);
      }
  }
  return body;
}

bool heads_a_loop(const Graph& graph, std::uint32_t block) {
  return std::ranges::any_of(graph.blocks[block].predecessors, [&](std::uint32_t tail) {
    return graph.blocks[tail].postorder != none && dominates(graph, block, tail);
  });
}

/// Reverse postorder, but a loop's blocks all follow its header before anything outside the loop does.
std::vector<std::uint32_t> rank_blocks(Graph& graph) {
  std::vector<std::uint32_t> ranked;
  std::vector<bool> done(graph.blocks.size(), false);
  const auto emit = [&](const auto& self, const std::vector<bool>& region) -> void {
    for (const std::uint32_t block : graph.reverse_postorder) {
      if (!region[block] || done[block]) continue;
      done[block] = true;
      ranked.push_back(block);
      if (heads_a_loop(graph, block)) self(self, loop_body(graph, block));
    }
  };
  emit(emit, std::vector<bool>(graph.blocks.size(), true));
  for (std::uint32_t block = 0; block < graph.blocks.size(); ++block)
    if (!done[block]) ranked.push_back(block);
  return ranked;
}

/// By block: those of a higher rank that it leads to, directly or by another turn of a loop that it is in.
std::vector<std::vector<std::uint32_t>> ways_of(const Graph& graph, std::span<const std::uint32_t> rank) {
  const auto count = static_cast<std::uint32_t>(graph.blocks.size());
  std::vector<std::vector<std::uint32_t>> ways(count);
  for (std::uint32_t b = 0; b < count; ++b)
    std::ranges::copy_if(graph.blocks[b].successors, std::back_inserter(ways[b]),
                         [&](std::uint32_t to) { return rank[to] > rank[b]; });
  for (const std::uint32_t header : graph.reverse_postorder) {
    if (!heads_a_loop(graph, header)) continue;
    const std::vector<bool> body = loop_body(graph, header);
    std::vector<std::uint32_t> exits;
    for (std::uint32_t b = 0; b < count; ++b)
      if (body[b])
        std::ranges::copy_if(ways[b], std::back_inserter(exits), [&](std::uint32_t to) { return !body[to]; });
    for (std::uint32_t b = 0; b < count; ++b)
      if (body[b])
        std::ranges::copy_if(exits, std::back_inserter(ways[b]), [&](std::uint32_t to) { return rank[to] > rank[b]; });
  }
  return ways;
}

/// In a run, which the same lanes execute from its beginning to its end: an instruction that takes its address from the
/// same register as an earlier one, while nothing has written to that, knows its shape.
void find_known_shapes(Program& program, const std::vector<bool>& leader) {
  std::array<std::uint32_t, Instruction::shapes> kept;  // the registers whose shapes are there
  std::size_t next = 0;
  for (std::uint32_t pc = 0; pc < program.operands.size(); ++pc) {
    Instruction& instruction = program.code[pc];
    const Operands& operands = program.operands[pc];
    const bool begins = leader[pc] || pc == 0 || program.run_length[pc - 1] == 0;
    const bool is_in_run = program.run_length[pc] != 0;
    if (begins || !is_in_run) kept.fill(no_register);
    if (is_in_run && instruction.elements != 0 && instruction.source[0] != no_register) {
      auto place = std::ranges::find(kept, instruction.source[0]);
      instruction.knows_shape = place != kept.end();
      if (!instruction.knows_shape) place = kept.begin() + static_cast<std::ptrdiff_t>(next++ % kept.size());
      instruction.shape = static_cast<std::uint8_t>(place - kept.begin());
      *place = instruction.source[0];
    }
    for (std::uint32_t i = 0; i < operands.written; ++i)
      std::ranges::replace(kept, program.operand_registers[operands.first + i].offset, no_register);
  }
}

}  // namespace

void analyse_flow(Program& program) {
  const auto size = static_cast<std::uint32_t>(program.code.size());
  const std::vector<bool> leader = find_leaders(program);
  program.rank.assign(size, 0);
  program.run_length.assign(size, 0);
  if (size == 0) return;

  std::uint32_t rank = 0;
  for (const Range& function : functions_of(program)) {
    Graph graph = build(program, leader, function);
    number(graph);
    find_dominators(graph);
    for (const std::uint32_t block : rank_blocks(graph))
      for (std::uint32_t pc = graph.blocks[block].first; pc < graph.blocks[block].end; ++pc) program.rank[pc] = rank++;
  }

  for (std::uint32_t pc = size; pc-- > 0;) {
    const Instruction& instruction = program.code[pc];
    if (instruction.flow != Flow::straight || instruction.guard != no_register) continue;
    program.run_length[pc] = 1 + (pc + 1 < size && !leader[pc + 1] ? program.run_length[pc + 1] : 0);
  }
  find_known_shapes(program, leader);
}

Reach::Reach(const Program& program) {
  const std::vector<bool> leader = find_leaders(program);
  block_of_.resize(program.code.size());
  std::vector<std::uint32_t> rank;               // by block, the functions' one after the other
  std::vector<std::vector<std::uint32_t>> next;  // blocks of a higher rank
  for (const Range& function : functions_of(program)) {
    Graph graph = build(program, leader, function);
    number(graph);
    find_dominators(graph);
    const auto first = static_cast<std::uint32_t>(rank.size());
    for (const BasicBlock& block : graph.blocks) {
      for (std::uint32_t pc = block.first; pc < block.end; ++pc)
        block_of_[pc] = static_cast<std::uint32_t>(rank.size());
      rank.push_back(program.rank[block.first]);
    }
    for (const std::vector<std::uint32_t>& ways : ways_of(graph, std::span(rank).subspan(first))) {
      next.push_back(ways);
      for (std::uint32_t& to : next.back()) to += first;
    }
  }
  const std::size_t count = rank.size();
  words_ = (count + 63) / 64;
  bits_.assign(count * words_, 0);
  std::vector<std::uint32_t> last_first(count);
  std::iota(last_first.begin(), last_first.end(), 0);
  std::ranges::sort(last_first, [&](std::uint32_t a, std::uint32_t b) { return rank[a] > rank[b]; });
  for (const std::uint32_t b : last_first)
    for (const std::uint32_t to : next[b]) {
      bits_[b * words_ + to / 64] |= std::uint64_t{1} << (to % 64);
      for (std::size_t word = 0; word < words_; ++word) bits_[b * words_ + word] |= bits_[to * words_ + word];
    }
}

}  // namespace warpwright::machine
