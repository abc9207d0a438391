#include "ptx/names.h"

#include <algorithm>
#include <charconv>

#include "ptx/failure.h"

namespace warpwright::ptx {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view in_words(Names::LabelKind kind) {
  switch (kind) {
    case Names::LabelKind::branch_targets:
      return "label of .branchtargets";
    case Names::LabelKind::prototype:
      return "label of .callprototype or .calltargets";
    default:
      return "label";
  }
}

}  // namespace

void Names::open_scope() {
  parents_.push_back(scope());
  open_.push_back(static_cast<std::uint32_t>(parents_.size() - 1));
}

void Names::close_scope() {
  while (!entries_.empty() && entries_.back().declared.scope == scope()) {
    const Entry& entry = entries_.back();
    Latest& latest = entry.is_range ? latest_range_ : latest_;
    if (entry.hidden == nothing) {
      latest.erase(entry.name);
    } else {
      latest[entry.name] = entry.hidden;
    }
    entries_.pop_back();
  }
  open_.pop_back();
}

std::string Names::spelling(std::uint32_t scope, std::string_view name) {
  if (scope == 0) return std::string(name);
  return fmt::format("{}:{}", scope, name);
}

std::string Names::declare(Entry entry, std::uint32_t line) {
  entry.declared.scope = scope();
  Latest& latest = entry.is_range ? latest_range_ : latest_;
  const auto [place, is_new] = latest.try_emplace(entry.name, entries_.size());
  if (!is_new) {
    if (entries_[place->second].declared.scope == scope()) {
      fail(line, "'{}' is declared twice in this scope", entry.name);
    }
    entry.hidden = place->second;
    place->second = entries_.size();
  }
  entries_.push_back(entry);
  return spelling(scope(), entry.name);
}

std::string Names::declare_variable(std::string_view name, std::uint32_t line) {
  return declare({name, {}, false, 0, nothing}, line);
}

std::string Names::declare_register(std::string_view name, Type type, std::uint32_t width, std::uint32_t line) {
  return declare({name, {true, type, width, 0}, false, 0, nothing}, line);
}

std::string Names::declare_registers(std::string_view stem, Type type, std::uint32_t count, std::uint32_t width,
                                     std::uint32_t line) {
  return declare({stem, {true, type, width, 0}, true, count, nothing}, line);
}

std::size_t Names::entry_of(std::string_view name) const {
  const auto found = latest_.find(name);
  return found == latest_.end() ? nothing : found->second;
}

std::size_t Names::range_of(std::string_view name) const {
  // "%r12" is number 12 of the stem "%r", or number 2 of the stem "%r1"; "%r02" is no register of "%r".
  std::size_t digits = name.size();
  while (digits > 0 && is_digit(name[digits - 1])) --digits;
  for (std::size_t at = std::max<std::size_t>(digits, 1); at < name.size(); ++at) {
    const std::string_view number = name.substr(at);
    if (number[0] == '0' && number.size() > 1) continue;
    const auto found = latest_range_.find(name.substr(0, at));
    if (found == latest_range_.end()) continue;
    std::uint32_t index = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), index);
    for (std::size_t entry = found->second; entry != nothing; entry = entries_[entry].hidden) {
      if (error == std::errc{} && index < entries_[entry].count) return entry;
    }
  }
  return nothing;
}

std::optional<Names::Declared> Names::find(std::string_view name) const {
  const std::size_t single = entry_of(name);
  const std::size_t range = range_of(name);
  if (single == nothing && range == nothing) return std::nullopt;
  // Entries grow inwards, so the later one is the inner one.
  const bool is_range = single == nothing || (range != nothing && range > single);
  return entries_[is_range ? range : single].declared;
}

std::string Names::declare_label(std::string_view name, LabelKind kind, std::uint32_t line) {
  const bool is_new = labels_.try_emplace({name, scope()}, kind).second;
  if (!is_new) fail(line, "label {} is declared twice in this scope", name);
  return spelling(scope(), name);
}

std::string Names::resolve(const LabelUse& use) const {
  for (std::uint32_t scope = use.scope;; scope = parents_[scope]) {
    const auto label = labels_.find({use.name, scope});
    if (label != labels_.end() && label->second == use.kind) return spelling(scope, use.name);
    if (label != labels_.end()) fail(use.line, "{} is not a {}", use.name, in_words(use.kind));
    if (scope == 0) fail(use.line, "{} {} is not declared", in_words(use.kind), use.name);
  }
}

}  // namespace warpwright::ptx
