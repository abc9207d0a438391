// Problem: `{ }` opens a scope, so one function may hold a hundred different `param0`; later steps want plain names.
// Idea: a table of what each name stands for now, with what it hid beneath it; a name declared in an inner scope is
//   known outside as "NUMBER:NAME", NUMBER counting the function's scopes. No PTX identifier holds a colon.
// Invariant: two declarations of one function never share a spelling; a label is found from any scope inside its own.
// Left out: names of the module, which the parser keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx/module.h"

namespace warpwright::ptx {

/// What a function has declared: registers and variables by scope, and labels.
class Names {
 public:
  struct Declared {
    bool is_register = false;
    Type type = Type::none;
    std::uint32_t width = 1;  // of a vector register
    std::uint32_t scope = 0;  // 0 is the function's own, with its parameters

    friend bool operator==(const Declared&, const Declared&) = default;
  };

  enum class LabelKind : std::uint8_t { code, branch_targets, prototype };
  struct LabelUse {
    std::string_view name;
    LabelKind kind = LabelKind::code;
    std::uint32_t scope = 0;
    std::uint32_t line = 0;
  };

  void open_scope();
  void close_scope();
  /// The number of the scope that is open now.
  std::uint32_t scope() const { return open_.back(); }
  bool in_function_scope() const { return open_.size() == 1; }

  /// Declare in the scope that is open now and return the spelling that is unique in the function.
  /// Throw ParseError at `line` when this scope has the name already.
  std::string declare_variable(std::string_view name, std::uint32_t line);
  std::string declare_register(std::string_view name, Type type, std::uint32_t width, std::uint32_t line);
  std::string declare_registers(std::string_view stem, Type type, std::uint32_t count, std::uint32_t width,
                                std::uint32_t line);
  std::string declare_label(std::string_view name, LabelKind kind, std::uint32_t line);

  /// What a name stands for here; nothing when it is not declared.
  std::optional<Declared> find(std::string_view name) const;

  /// The spelling of the label that a use means. Call once the whole function is read: a label may follow its uses.
  /// Throws ParseError.
  std::string resolve(const LabelUse& use) const;

  /// "NAME" in the function's own scope, else "NUMBER:NAME".
  static std::string spelling(std::uint32_t scope, std::string_view name);

 private:
  static constexpr std::size_t nothing = static_cast<std::size_t>(-1);

  struct Entry {
    std::string_view name;
    Declared declared;
    bool is_range = false;
    std::uint32_t count = 0;       // of a range
    std::size_t hidden = nothing;  // the entry of the same key that this one hides
  };
  using LabelKey = std::pair<std::string_view, std::uint32_t>;  // name and scope
  using Latest = std::unordered_map<std::string_view, std::size_t>;

  std::size_t entry_of(std::string_view name) const;
  std::size_t range_of(std::string_view name) const;
  std::string declare(Entry entry, std::uint32_t line);

  std::vector<Entry> entries_;  // innermost scope last
  Latest latest_;               // single names to entries_
  Latest latest_range_;         // stems to entries_
  std::vector<std::uint32_t> open_{0};
  std::vector<std::uint32_t> parents_{0};  // of each scope, by its number
  std::map<LabelKey, LabelKind> labels_;
};

}  // namespace warpwright::ptx
