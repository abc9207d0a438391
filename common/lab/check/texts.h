// Problem: what people write (sources, build files, prose) should look as one hand's work, and a slip in it should
// cost a minute of a machine, not of a reviewer.
// Idea: pinned formatters and linters from cmake/linters.txt, each over the files that concern it, and a few rules
// of our own.
// Invariant: the same versions judge everywhere, and nothing outside .lab is written, unless to mend was asked for.
// Left out: an exercise that a learner is working on; its looks are nobody's business.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "context.h"

namespace warpwright::lab {

/// A rule of our own that a line breaks, or an empty text. `code` may not be wider than 120 columns; the formatters
/// do not break every comment and text.
std::string fault_of_line(std::string_view line, bool code);

/// One judge of texts. `judge` returns what is wrong, in lines for a person, or an empty text.
struct TextCheck {
  std::string name;
  std::vector<std::string> files;
  std::function<std::string(bool mend)> judge;
  std::string mend_with = {};  // a last line that says what mends it
};

/// The judges, each with its files. Installs the linters if need be; throws Problem when they cannot be had.
std::vector<TextCheck> text_checks(const Context& context);

}  // namespace warpwright::lab
