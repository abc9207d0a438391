// Problem: a program may pass any number as an enumerator, as C does, and one that is out of the type's range is not
// even to be read as of that type.
// Idea: it is read as the number that it is, and held against the enumerators.
#pragma once

#include <cstring>

namespace warpwright::cudart {

template <class Enum>
struct Passed {
  Passed(const Enum& enumerator) { std::memcpy(&number, &enumerator, sizeof number); }
  int number = 0;
};

}  // namespace warpwright::cudart
