#include "check/texts.h"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <set>

#include "check/linters.h"
#include "files.h"
#include "git.h"
#include "problem.h"

namespace warpwright::lab {
namespace {

namespace fs = std::filesystem;

/// Endings of what people write; everything else (recorded data, pictures) is not judged.
const std::set<std::string> cpp = {".h", ".cpp", ".cu"};
const std::set<std::string> cmake = {".cmake"};
const std::set<std::string> python = {".py"};
const std::set<std::string> prose = {".md"};
const std::set<std::string> other = {".txt", ".sh", ".json", ".yml", ".yaml", ".css", ".js", ".toml", ".html", ""};

/// Without git (an unpacked archive): everything but what is made here.
std::vector<std::string> files_below(const fs::path& root) {
  const std::set<std::string> made = {".git", ".lab", "build", "site"};
  std::vector<std::string> files;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::recursive_directory_iterator(); ++entry) {
    const std::string path = entry->path().lexically_relative(root).generic_string();
    if (made.count(path) != 0 || path.substr(0, 6) == "build-") {
      entry.disable_recursion_pending();
    } else {
      files.push_back(path);
    }
  }
  return files;
}

std::vector<std::string> written_files(const Context& context) {
  const Git git(context.root);
  const auto files = git.files();
  const std::set<std::string> in_work = git.edited("exercises");
  std::vector<std::string> result;
  for (const std::string& file : files ? *files : files_below(context.root)) {
    std::error_code error;
    if (in_work.count(file) == 0 && fs::is_regular_file(fs::symlink_status(context.root / file, error))) {
      result.push_back(file);
    }
  }
  return result;
}

std::vector<std::string> with_ending(const std::vector<std::string>& files, const std::set<std::string>& endings) {
  std::vector<std::string> result;
  for (const std::string& file : files) {
    const bool build_file = fs::path(file).filename() == "CMakeLists.txt";
    if (build_file ? &endings == &cmake : endings.count(fs::path(file).extension().string()) != 0)
      result.push_back(file);
  }
  return result;
}

/// Scripts of the shell, some of which only their first line tells.
std::vector<std::string> shell_scripts(const fs::path& root, const std::vector<std::string>& files) {
  std::vector<std::string> result;
  for (const std::string& file : files) {
    const std::string ending = fs::path(file).extension().string();
    if (ending == ".sh" || (ending.empty() && read_file(root / file).substr(0, 19) == "#!/usr/bin/env bash"))
      result.push_back(file);
  }
  return result;
}

std::vector<std::string> words(std::vector<std::string> options, const std::vector<std::string>& files) {
  options.insert(options.end(), files.begin(), files.end());
  return options;
}

/// What a program prints when it does not like something.
std::string complaint(const Command& command) {
  const Outcome outcome = run(command);
  if (outcome.exit_status == 0) return {};
  return outcome.output.empty() ? fmt::format("it ended with status {}\n", outcome.exit_status) : outcome.output;
}

std::string faults_of(const fs::path& root, const std::string& file) {
  const std::string text = read_file(root / file);
  const std::string ending = fs::path(file).extension().string();
  const bool code = cpp.count(ending) + cmake.count(ending) > 0 || fs::path(file).filename() == "CMakeLists.txt";
  std::string faults;
  int number = 1;
  for (std::size_t at = 0; at < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string fault = fault_of_line(std::string_view(text).substr(at, end - at), code);
    if (!fault.empty()) faults += fmt::format("{}:{}: {}\n", file, number, fault);
    at = end + 1;
  }
  if (!text.empty() && text.back() != '\n')
    faults += fmt::format("{}:{}: the last line does not end\n", file, number - 1);
  return faults;
}

}  // namespace

std::string fault_of_line(std::string_view line, bool code) {
  if (code && columns(line) > 120) return "more than 120 columns";
  if (!line.empty() && line.back() == '\r') return "a line ends as on Windows";
  if (!line.empty() && (line.back() == ' ' || line.back() == '\t')) return "spaces at the end of the line";
  if (line.find('\t') != std::string_view::npos) return "a tab";
  if (line.substr(0, 8) == "<<<<<<< " || line.substr(0, 8) == ">>>>>>> ") return "a merge was not finished";
  const std::string slash = "/";  // put together, so that this file does not break its own rule
  for (const char* folder : {"home", "root", "Users"}) {
    const std::string start = slash + folder + slash;
    const std::size_t at = line.find(start);
    if (at == std::string_view::npos) continue;
    const bool begins = at == 0 || std::string_view(" \t\"'`(=:<").find(line[at - 1]) != std::string_view::npos;
    const bool goes_on =
        at + start.size() < line.size() && std::isalnum(static_cast<unsigned char>(line[at + start.size()]));
    if (begins && goes_on) return "a path of somebody's machine";
  }
  return {};
}

std::vector<TextCheck> text_checks(const Context& context) {
  const auto files = written_files(context);
  const auto linters = std::make_shared<Linters>(context.root);
  const auto sources = with_ending(files, cpp);
  const auto build_files = with_ending(files, cmake);
  const auto scripts = with_ending(files, python);
  const auto pages = with_ending(files, prose);
  const auto shell = shell_scripts(context.root, files);
  auto all = with_ending(files, other);
  for (const auto* more : {&sources, &build_files, &scripts, &pages}) all.insert(all.end(), more->begin(), more->end());
  std::sort(all.begin(), all.end());

  const std::string by_machine = "  next: ./lab check --fix\n";
  const auto options = [](bool mend, const std::vector<std::string>& mending, const std::vector<std::string>& judging) {
    return mend ? mending : judging;
  };
  return {
      {"C++ and CUDA format", sources,
       [=](bool mend) {
         return complaint(linters->clang_format(words(options(mend, {"-i"}, {"--dry-run", "--Werror"}), sources)));
       },
       by_machine},
      {"CMake format", build_files,
       [=](bool mend) {
         return complaint(linters->gersemi(words(options(mend, {"-i"}, {"--check", "--diff"}), build_files)));
       },
       by_machine},
      {"Python", scripts,
       [=](bool mend) {
         const std::vector<std::string> lint = {"check", "--no-cache", "--output-format=concise"};
         const std::vector<std::string> format = {"format", "--no-cache"};
         return complaint(linters->ruff(words(options(mend, words(lint, {"--fix"}), lint), scripts))) +
                complaint(linters->ruff(words(options(mend, format, words(format, {"--check"})), scripts)));
       },
       by_machine},
      {"shell", shell, [=](bool) { return complaint(linters->shellcheck(words({"--external-sources"}, shell))); }},
      {"Markdown", pages,
       [=](bool mend) {
         return complaint(
             linters->rumdl(words(options(mend, {"check", "--no-cache", "--fix"}, {"check", "--no-cache"}), pages)));
       },
       by_machine},
      {"spelling", all, [=](bool) { return complaint(linters->codespell(words({}, all))); }},
      {"lines and paths", all,
       [=, root = context.root](bool) {
         std::string faults;
         for (const std::string& file : all) faults += faults_of(root, file);
         return faults;
       }},
  };
}

}  // namespace warpwright::lab
