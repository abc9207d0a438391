#include "ptx/locations.h"

#include <limits>

#include "ptx/constant.h"
#include "ptx/failure.h"

namespace warpwright::ptx {
namespace {

constexpr std::uint64_t largest_file_number = 1 << 16;
constexpr std::uint64_t largest_line = std::numeric_limits<std::uint32_t>::max();

std::size_t mix(std::size_t seed, std::size_t value) { return (seed ^ value) * 0x9e3779b97f4a7c15u + (seed >> 29); }

}  // namespace

std::size_t Locations::Hash::operator()(const Place& place) const {
  return mix(mix(place.file, place.line), place.column);
}

std::size_t Locations::Hash::operator()(const Key& key) const {
  std::size_t hash = (*this)(key.place);
  hash = mix(hash, std::hash<std::string_view>{}(key.label));
  hash = mix(hash, static_cast<std::size_t>(key.offset));
  return mix(hash, static_cast<std::size_t>(key.inlined_at));
}

void Locations::parse_file(Lexer& lexer, Module& module) {
  const auto number = parse_count(lexer, "the number of a file", largest_file_number);
  const std::string_view path = lexer.expect(Token::Kind::string, "the path of a file in quotes");
  // A time stamp and a size may follow; nothing here needs them.
  while (lexer.accept(",")) parse_integer(lexer, "the time stamp or the size of a file");
  if (module.files.size() <= number) module.files.resize(number + 1);
  module.files[number] = path;
}

Locations::Place Locations::parse_place(Lexer& lexer) {
  Place place;
  place.file = static_cast<std::uint32_t>(parse_count(lexer, "the number of a file", largest_file_number));
  place.line = static_cast<std::uint32_t>(parse_count(lexer, "a line number", largest_line));
  place.column = static_cast<std::uint32_t>(parse_count(lexer, "a column", largest_line));
  return place;
}

void Locations::parse_loc(Lexer& lexer, Module& module) {
  const std::uint32_t ptx_line = lexer.line();
  const Place place = parse_place(lexer);
  FunctionLabel function;
  function.ptx_line = ptx_line;
  std::int32_t inlined_at = -1;
  while (lexer.accept(",")) {
    if (lexer.accept("function_name")) {
      function.label = lexer.expect(Token::Kind::word, "a label of .debug_str after function_name");
      function.offset = parse_offset(lexer);
    } else {
      lexer.expect("inlined_at", "or 'function_name' after the comma of .loc");
      inlined_at = latest_at(parse_place(lexer), ptx_line, module);
    }
  }
  // Code inlined at its own place (a recursive function, unrolled) would otherwise hang a new frame on every repeat.
  current_ = inlined_at >= 0 && repeats(inlined_at, place, function, module)
                 ? inlined_at
                 : intern(place, function, inlined_at, module);
  latest_[place] = current_;
}

bool Locations::repeats(std::int32_t location, const Place& place, const FunctionLabel& function,
                        const Module& module) const {
  const Location& other = module.locations[location];
  const FunctionLabel& other_function = functions_[location];
  return Place{other.file, other.line, other.column} == place && other_function.label == function.label &&
         other_function.offset == function.offset;
}

std::int32_t Locations::latest_at(const Place& place, std::uint32_t ptx_line, Module& module) {
  const auto found = latest_.find(place);
  if (found != latest_.end()) return found->second;
  const std::int32_t location = intern(place, {{}, 0, ptx_line}, -1, module);
  latest_[place] = location;
  return location;
}

std::int32_t Locations::intern(const Place& place, const FunctionLabel& function, std::int32_t inlined_at,
                               Module& module) {
  const auto next = static_cast<std::int32_t>(module.locations.size());
  const auto [known, is_new] = known_.try_emplace(Key{place, function.label, function.offset, inlined_at}, next);
  if (is_new) {
    module.locations.push_back({place.file, place.line, place.column, {}, inlined_at});
    functions_.push_back(function);
  }
  return known->second;
}

void Locations::begin_function() {
  current_ = -1;
  latest_.clear();
}

void Locations::parse_section(Lexer& lexer) {
  const bool holds_strings = lexer.accept(".debug_str");
  if (!holds_strings && !lexer.at(Token::Kind::directive) && !lexer.at(Token::Kind::word)) {
    lexer.fail_expecting("the name of a section");
  }
  if (!holds_strings) lexer.take();
  lexer.expect("{", "to open a section");
  holds_strings ? parse_strings(lexer) : skip_section(lexer);
  lexer.expect("}", "to close a section");
}

void Locations::skip_section(Lexer& lexer) {
  while (!lexer.at("}") && !lexer.at(Token::Kind::end)) lexer.take();
}

void Locations::parse_strings(Lexer& lexer) {
  while (!lexer.at("}")) {
    if (lexer.at(Token::Kind::word)) {
      string_labels_[lexer.take().text] = strings_.size();
      lexer.expect(":", "after a label");
      continue;
    }
    lexer.expect(".b8", "and the bytes of a string, or a label, in .debug_str");
    do {
      strings_.push_back(static_cast<char>(parse_integer(lexer, "a byte of a string")));
    } while (lexer.accept(","));
  }
}

void Locations::finish(Module& module) const {
  for (std::size_t i = 0; i < functions_.size(); ++i) {
    Location& location = module.locations[i];
    const FunctionLabel& function = functions_[i];
    if (location.file >= module.files.size()) {
      fail(function.ptx_line, ".loc names file {}, which no .file declares", location.file);
    }
    if (function.label.empty()) continue;
    const auto label = string_labels_.find(function.label);
    if (label == string_labels_.end()) {
      fail(function.ptx_line, ".loc names the function by {}, which .debug_str does not hold", function.label);
    }
    const std::size_t begin = label->second + static_cast<std::size_t>(function.offset);
    if (begin >= strings_.size()) {
      fail(function.ptx_line, ".loc names the function by an offset to {} outside .debug_str", function.label);
    }
    location.function = strings_.c_str() + begin;
  }
}

}  // namespace warpwright::ptx
