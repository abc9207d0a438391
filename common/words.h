#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpwright {

/// 143360 as "143,360".
std::string thousands(std::uint64_t value);

/// "1 byte", "4,096 bytes": of a noun whose plural ends in s.
std::string so_many(std::uint64_t count, std::string_view noun);

/// A counter's value: whole numbers with thousands(), others with two decimals.
std::string count_text(double value);

/// The words of a CamelCase claim: "NoTwoLanesWaitForOneBank" as "no two lanes wait for one bank". Capitals in a row
/// stay together and stay capital: "KeepsNaN" is given as "keeps NaN", "ReadsTheL2Once" as "reads the L2 once".
/// A number is a word: "Sums32Values" as "sums 32 values".
std::string words_of(std::string_view claim);

/// `text` broken into lines of at most `width` columns, each after `indent` spaces; its own line breaks stay.
std::string wrap(std::string_view text, std::size_t indent, std::size_t width = 100);

/// Where a file of the repository is, wherever the program runs: its path from the repository's root made absolute.
std::string in_repository(std::string_view path);

/// A path as a reader knows it: relative to the repository where it is inside.
std::string shown_path(std::string_view path);

/// The source line, without the spaces around it; empty when the file or the line is not there. Relative paths are the
/// repository's.
std::string source_line(std::string_view path, std::uint32_t line);

}  // namespace warpwright
