#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "commands/commands.h"
#include "problem.h"

namespace warpwright::lab {

int run(Context& context, const request::Docs& wish) {
  std::vector<std::string> words = {"python3", context.at("docs/site.py").string()};
  words.insert(words.end(), wish.words.begin(), wish.words.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  // The site's script takes over, with the terminal and its keys.
  std::fflush(stdout);
  execvp(arguments[0], arguments.data());
  throw Problem(fmt::format("cannot run python3: {}", std::strerror(errno)), "./lab doctor");
}

}  // namespace warpwright::lab
