// Problem: `.loc` names a file by number, a function by a label in `.debug_str` at the end of the text, and the line
//   that it was inlined at by nothing but file, line and column.
// Idea: intern each distinct location once. `inlined_at F L C` means the latest location at F:L:C in this function:
//   the compiler writes a chain from the outside in, and again whenever it changes.
// Invariant: a location's inlined_at is smaller than its own index, so every chain ends.
// Left out: the DWARF sections of -g -G, which are skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/lexer.h"
#include "ptx/module.h"

namespace warpwright::ptx {

/// Reads `.file`, `.loc` and `.section`, and fills Module::files and Module::locations.
class Locations {
 public:
  /// Each parses what follows the directive's own word. Throw ParseError.
  void parse_file(Lexer& lexer, Module& module);
  void parse_loc(Lexer& lexer, Module& module);
  void parse_section(Lexer& lexer);

  /// The `.loc` in force: an index into Module::locations, -1 before the first of a function.
  std::int32_t current() const { return current_; }
  void begin_function();

  /// Looks the files and the functions' names up, once the whole text is read. Throws ParseError for one that is
  /// missing.
  void finish(Module& module) const;

 private:
  struct Place {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct FunctionLabel {
    std::string_view label;  // empty in the outermost frame
    std::int64_t offset = 0;
    std::uint32_t ptx_line = 0;  // of the .loc
  };
  struct Key {
    Place place;
    std::string_view label;
    std::int64_t offset = 0;
    std::int32_t inlined_at = -1;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Place& place) const;
    std::size_t operator()(const Key& key) const;
  };

  static Place parse_place(Lexer& lexer);
  std::int32_t intern(const Place& place, const FunctionLabel& function, std::int32_t inlined_at, Module& module);
  std::int32_t latest_at(const Place& place, std::uint32_t ptx_line, Module& module);
  bool repeats(std::int32_t location, const Place& place, const FunctionLabel& function, const Module& module) const;
  void parse_strings(Lexer& lexer);
  static void skip_section(Lexer& lexer);

  std::int32_t current_ = -1;
  std::unordered_map<Key, std::int32_t, Hash> known_;
  std::unordered_map<Place, std::int32_t, Hash> latest_;  // in this function
  std::vector<FunctionLabel> functions_;                  // beside Module::locations
  std::string strings_;                                   // the bytes of .debug_str
  std::unordered_map<std::string_view, std::size_t> string_labels_;
};

}  // namespace warpwright::ptx
