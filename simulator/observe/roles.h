// Problem: whether two accesses race depends on what kind each of them is, and PTX has many.
// Idea: seven roles, read off a program once, and one table of which of them may meet.
// Rules: PTX ISA, "Memory Consistency Model": atomics and relaxed, acquiring or releasing accesses never race with one
// another, as long as their scopes include each other. A volatile access orders nothing; two volatile writes still
// leave it open which one stays, and a flag says nothing of volatile data without a fence between the two.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "machine/program.h"

namespace warpwright::observe {

/// What an instruction does to memory, as far as races go.
enum class Role : std::uint8_t { reads, writes, atomic, strong_read, volatile_write };

/// The roles of a program's memory instructions, by pc.
class Roles {
 public:
  struct Entry {
    Role role = Role::reads;
    bool is_volatile = false;
    bool is_data = false;          // a volatile load whose value is no flag: a flag was to say that it is there
    bool block_scope = false;      // an atomic that other blocks need not see as one (.cta)
    bool system_scope = false;     // one that host code sees too: volatile is .relaxed.sys
    bool acquires = false;         // what it reads may hand over what another thread did
    bool releases = false;         // it is a strong write: with a fence before it, it hands over
    bool releases_itself = false;  // .release or .acq_rel: no fence is needed
  };

  explicit Roles(const machine::Program& program);
  const Entry& operator[](std::uint32_t pc) const { return entries_[pc]; }
  /// Whether any thread can hand over to another by a fence and a flag.
  bool hands_over() const { return hands_over_; }

 private:
  std::vector<Entry> entries_;
  bool hands_over_ = false;
};

/// Whether two accesses to one place may race. `strangers`: they are made by different blocks.
bool conflict(const Roles::Entry& one, const Roles::Entry& other, bool strangers);

/// Whether a mnemonic such as "ld.relaxed.gpu.global.u32" has this qualifier.
bool has_part(std::string_view text, std::string_view part);

}  // namespace warpwright::observe
