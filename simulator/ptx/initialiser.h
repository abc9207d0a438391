// Problem: initial data are nested lists of numbers, addresses and bytes of addresses; memory wants bytes.
// Idea: write each value at its place in memory order; an address leaves eight zero bytes and a relocation.
// Invariant: nothing is written outside the variable; missing values are zero, as the PTX ISA says.
// Left out: where symbols lie, which only the loader of the module knows.
#pragma once

#include <cstddef>
#include <vector>

#include "ptx/declaration.h"
#include "ptx/lexer.h"
#include "ptx/module.h"

namespace warpwright::ptx {

/// Parses what follows the '=' of a declaration and fills variable.initial, .relocations and, for an array
/// without a size, .bytes. `extents` is its shape, outermost first. Throws ParseError.
void parse_initialiser(Lexer& lexer, const std::vector<std::size_t>& extents, Variable& variable,
                       std::vector<SymbolUse>& uses);

}  // namespace warpwright::ptx
