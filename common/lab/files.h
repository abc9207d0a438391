#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace warpwright::lab {

/// The whole of a file. Throws Problem with the system's reason.
std::string read_file(const std::filesystem::path& file);

/// Whether it is a file, and one that this user may read.
bool can_be_read(const std::filesystem::path& file);

/// Writes a file that is whole at every moment: a new one beside it takes its place. Folders on the way are made.
/// Throws Problem with the system's reason (a full disk, a read-only folder), and then leaves the old file as it was.
/// What is no regular file, such as /dev/stdout, is written where it is.
void write_file(const std::filesystem::path& file, std::string_view text);

/// Throws Problem now if write_file() could not write the file later.
void check_writable(const std::filesystem::path& file);

/// Tells texts apart (64-bit FNV-1a, in hexadecimal); not against an adversary.
std::string fingerprint(std::string_view text);

}  // namespace warpwright::lab
