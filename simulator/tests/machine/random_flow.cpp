#include "machine/random_flow.h"

#include <fmt/core.h>

#include <algorithm>

namespace warpwright::kernels {
namespace {

constexpr int deepest = 3;
constexpr std::uint32_t fuel = 12;

std::uint32_t next_state(std::uint32_t state, int block) {
  return (state ^ static_cast<std::uint32_t>(block)) * 1664525u + 1013904223u;
}

bool goes(std::uint32_t state) { return (state >> 20 & 3) != 0; }

}  // namespace

RandomFlow::RandomFlow(std::uint32_t seed, bool may_return) : random_(seed), may_return_(may_return) {
  int block = add();
  top_level_.push_back(block);
  for (int i = 0; i < 4; ++i) {
    block = statement(block, 0, nullptr);
    top_level_.push_back(block);
  }
  for (int i = 1; i < static_cast<int>(blocks_.size()); ++i) layout_.push_back(i);
  std::ranges::shuffle(layout_, random_);
  layout_.insert(layout_.begin(), 0);
}

int RandomFlow::statements(int from, int depth, const Loop* loop) {
  const unsigned count = random_() % 3;
  for (unsigned i = 0; i < count; ++i) from = statement(from, depth, loop);
  return from;
}

int RandomFlow::statement(int from, int depth, const Loop* loop) {
  if (depth == deepest || chance(15)) {
    const int next = add();
    jump(from, next);
    return next;
  }
  if ((loop != nullptr || may_return_) && chance(25)) return jump_away(from, loop);
  switch (random_() % 3) {
    case 0:
      return while_loop(from, depth + 1);
    case 1:
      return do_loop(from, depth + 1);
    default:
      return if_statement(from, depth + 1, loop);
  }
}

int RandomFlow::if_statement(int from, int depth, const Loop* loop) {
  const int yes = add();
  const int join = add();
  int no = join;
  if (chance(50)) {
    no = add();
    jump(statements(no, depth, loop), join);
  }
  chance(50) ? branch(from, yes, no, false) : branch(from, no, yes, false);
  jump(statements(yes, depth, loop), join);
  return join;
}

int RandomFlow::while_loop(int from, int depth) {
  const int header = add();
  const int body = add();
  const int after = add();
  const Loop loop{header, after};
  jump(from, header);
  branch(header, body, after, true);
  jump(statements(body, depth, &loop), header);
  return after;
}

int RandomFlow::do_loop(int from, int depth) {
  const int body = add();
  const int latch = add();
  const int after = add();
  const Loop loop{latch, after};
  jump(from, body);
  jump(statements(body, depth, &loop), latch);
  branch(latch, body, after, true);
  return after;
}

/// `if (...) break;`, `continue;` or `return;`
int RandomFlow::jump_away(int from, const Loop* loop) {
  const int leaving = add();
  const int staying = add();
  branch(from, staying, leaving, false);
  if (loop == nullptr || (may_return_ && chance(20)))
    blocks_[leaving].end = End::leave;
  else
    jump(leaving, chance(50) ? loop->breaks_to : loop->continues_at);
  return staying;
}

std::string RandomFlow::ptx() const {
  std::string text = fmt::format("ld.global.u32 %r1, [%in];\nmov.u32 %r2, {};\n", fuel);
  for (std::size_t place = 0; place < layout_.size(); ++place) {
    const int number = layout_[place];
    const Block& block = blocks_[number];
    text += fmt::format("L{}:\n{};\n", number, marker(number));
    text += fmt::format("xor.b32 %r1, %r1, {};\nmad.lo.u32 %r1, %r1, 1664525, 1013904223;\n", number);
    if (block.end == End::leave) {
      text += "st.global.u32 [%out], %r1;\nret;\n";
      continue;
    }
    if (block.end == End::branch) {
      text += "and.b32 %r3, %r1, 0x300000;\nsetp.ne.u32 %p1, %r3, 0;\n";
      if (block.burns_fuel)
        text +=
            "setp.ne.u32 %p2, %r2, 0;\nand.pred %p1, %p1, %p2;\nadd.s32 %r3, %r2, -1;\nselp.b32 %r2, %r3, 0, %p2;\n";
      text += fmt::format("@%p1 bra L{};\n", block.taken);
    }
    const int next = block.end == End::branch ? block.other : block.taken;
    if (place + 1 == layout_.size() || layout_[place + 1] != next) text += fmt::format("bra L{};\n", next);
  }
  return text;
}

RandomFlow::Path RandomFlow::follow(std::uint32_t state) const {
  Path path{state, {}};
  std::uint32_t left = fuel;
  for (int number = 0;;) {
    const Block& block = blocks_[number];
    path.blocks.push_back(number);
    path.state = next_state(path.state, number);
    if (block.end == End::leave) return path;
    bool taken = true;
    if (block.end == End::branch) {
      taken = goes(path.state) && (!block.burns_fuel || left != 0);
      if (block.burns_fuel && left != 0) --left;
    }
    number = taken ? block.taken : block.other;
  }
}

}  // namespace warpwright::kernels
