// The one file that sees CLI11.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>

#include "cudart/device.h"
#include "help.h"
#include "nearest.h"
#include "problem.h"
#include "request.h"

namespace warpwright::lab {
namespace {

/// A command's own help: CLI11 lays out the options, the examples are ours.
CLI::App* add(CLI::App& app, const std::string& name, const std::string& what, const std::string& examples) {
  CLI::App* command = app.add_subcommand(name, what);
  command->set_help_flag("-h,--help", "show this");
  command->footer("\nExamples\n" + examples);
  return command;
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

std::vector<std::string> names_of_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// "1048576" or "2^20".
std::uint64_t count_from(const std::string& text) {
  std::uint64_t value = 0;
  const bool power = text.substr(0, 2) == "2^";
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + (power ? 2 : 0), end, value);
  if (error != std::errc{} || rest != end || (power && value > 63)) {
    throw Problem(fmt::format("./lab profile: --n wants a whole number, such as 1048576 or 2^20, not {}", text),
                  "./lab profile --help");
  }
  return power ? std::uint64_t{1} << value : value;
}

/// Says which of a command's words was not understood, in one sentence.
[[noreturn]] void explain(const CLI::App& app, const CLI::ParseError& error) {
  const CLI::App* at = &app;
  if (const auto chosen = app.get_subcommands(); !chosen.empty()) at = chosen.front();
  const std::string help = at == &app ? "./lab --help" : "./lab " + at->get_name() + " --help";
  if (const auto left = app.remaining(true); !left.empty()) {
    const std::string& word = left.front();
    const std::string near = nearest(word, names_of_options(*at));
    const std::string where = at == &app ? "./lab" : "./lab " + at->get_name();
    throw Problem(near.empty() || word[0] != '-'
                      ? fmt::format("{} does not know what to do with {}", where, word)
                      : fmt::format("{} has no option {}; did you mean {}?", where, word, near),
                  help);
  }
  const std::string where = "./lab " + at->get_name();
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    throw Problem(fmt::format("{} wants to know more: {}", where, error.what()), help);
  }
  throw Problem(fmt::format("{}: {}", where, error.what()), help);
}

std::uint64_t whole_number(const char* option, const std::string& text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || rest != end)
    throw Problem(fmt::format("./lab {} wants a whole number, not {}", option, text), "./lab simulate --help");
  return value;
}

/// The label of the card that is meant.
std::string known_device(const std::string& name) {
  if (const cudart::Device* device = cudart::find_device(name)) return device->label;
  std::vector<std::string> labels;
  for (const cudart::Device& device : cudart::devices()) labels.emplace_back(device.label);
  const std::string near = nearest(name, labels);
  throw Problem(
      fmt::format("there is no simulated {}{} are {}", name,
                  near.empty() ? "; there" : fmt::format("; did you mean {}? There", near), cudart::names_of_devices()),
      "./lab simulate --help");
}

/// Takes what belongs to the program out of `./lab simulate PROGRAM ...`: every word behind PROGRAM that is no option
/// of ours, and all that follows "--".
std::vector<std::string> take_program_arguments(std::vector<std::string>& words) {
  const std::vector<std::string> with_value = {"--json", "--device", "--schedule", "--error-exitcode"};
  std::vector<std::string> ours, its;
  bool named = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (i < 2) {  // lab simulate
      ours.push_back(word);
    } else if (word == "--") {
      if (!named && i + 1 < words.size()) ours.insert(ours.end(), {word, words[++i]});
      its.insert(its.end(), words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    } else if (std::find(with_value.begin(), with_value.end(), word.substr(0, word.find('='))) != with_value.end()) {
      ours.push_back(word);
      if (word.find('=') == std::string::npos && i + 1 < words.size()) ours.push_back(words[++i]);
    } else if (named) {
      its.push_back(word);
    } else {
      ours.push_back(word);
      named = word[0] != '-';
    }
  }
  words = std::move(ours);
  return its;
}

}  // namespace

Request read_arguments(int argc, const char* const* argv) {
  CLI::App app{"Warpwright", "./lab"};
  app.require_subcommand(0, 1);
  app.set_help_flag();
  bool help = false;
  app.add_flag("-h,--help", help);

  request::Test test;
  auto* test_command = add(app, "test", "Build and test an exercise, or all exercises of a chapter.",
                           "  ./lab test reduce.v1\n"
                           "  ./lab test reduce                 the whole chapter\n"
                           "  ./lab test exercises/04-reduce/v1.cu\n"
                           "  ./lab test reduce.v1 --solution\n"
                           "  ./lab test reduce.v1 --on gpu     on this machine's NVIDIA GPU\n"
                           "  ./lab test reduce.v1 --schedule 7\n\n"
                           "CTest alone does the same: ctest --preset sim -R '^reduce\\.v1$'\n");
  test_command->add_option("NAME", test.name, "exercise or chapter")->required()->type_name("");
  test_command->add_flag("--solution", test.solution, "test the reference solution instead of your file");

  std::string device = "sim";
  test_command->add_option("--on", device, "sim (the simulated GPU) or gpu (this machine's)")
      ->type_name("DEVICE")
      ->check(CLI::IsMember({"sim", "gpu"}).description(""));

  std::uint64_t seed = 0;
  const auto add_schedule = [&](CLI::App& command) {
    return command
        .add_option("--schedule", seed, "run blocks, warps and parted lanes in the order of this seed, any number")
        ->type_name("SEED");
  };
  auto* test_schedule = add_schedule(*test_command);

  request::Check check;
  auto* check_command =
      add(app, "check",
          "Prove the repository, as CI does: texts, then the build of everything, then every test but "
          "those of your exercises. Ends with CTest's closing line.",
          "  ./lab check\n"
          "  ./lab check --texts     seconds: what to run before a commit\n"
          "  ./lab check --fix       lay out sources, build files and pages as the formatters want them\n"
          "  ./lab check --mutants   give each solution every mechanical mistake: do its tests reject it? minutes\n"
          "  ./lab check --mutants reduce.v1\n"
          "  ./lab check --jobs 1\n");
  check_command->add_option("--jobs", check.jobs, "programs to run at once (default: one a processor)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024).description(""));
  check_command->add_flag("--texts", check.texts, "judge the texts only");
  check_command->add_flag("--fix", check.fix, "let the formatters change files, then judge the texts only");
  auto* mutants_option =
      check_command
          ->add_option(
              "--mutants", check.name,
              "try the tests of an exercise or a chapter (default: of all) on changed solutions, and nothing else")
          ->type_name("[NAME]")
          ->expected(0, 1);

  request::Profile profile;
  auto* profile_command =
      add(app, "profile", "Run a kernel on the simulated GPU and count, by kernel and by source line.",
          "  ./lab profile reduce.v1\n"
          "  ./lab profile reduce.v1 --solution --n 2^20\n"
          "  ./lab profile reduce.v1 --ptx 23        what the compiler made of line 23\n"
          "  ./lab profile reduce.v1 --html v1.html  its accesses, drawn: a page for a browser\n"
          "  ./lab profile reduce.v1 --json > v1.json\n");
  std::string n;
  profile_command->add_option("NAME", profile.name, "exercise")->required()->type_name("");
  profile_command->add_flag("--solution", profile.solution, "profile the reference solution instead of your file");
  int launch = 0;
  auto* size = profile_command->add_option("--n", n, "size of the input, in elements; 2^20 is a way to say 1048576")
                   ->type_name("N");
  auto* launch_option = profile_command->add_option("--launch", launch, "show this launch, counted from 1")
                            ->type_name("K")
                            ->check(CLI::Range(1, 1'000'000'000).description(""));
  int ptx = 0;
  auto* ptx_option = profile_command->add_option("--ptx", ptx, "show the PTX instructions of this line of the source")
                         ->type_name("LINE")
                         ->check(CLI::Range(1, 1'000'000'000).description(""));
  auto* json_flag = profile_command->add_flag("--json", profile.json, "all counters as JSON, for programs");
  json_flag->excludes(ptx_option);
  profile_command
      ->add_option("--html", profile.html, "write a page that draws each access: lanes, sectors, banks, wavefronts")
      ->type_name("FILE")
      ->excludes(ptx_option)
      ->excludes(json_flag);
  auto* profile_schedule = add_schedule(*profile_command);

  request::Simulate simulate;
  auto* simulate_command =
      add(app, "simulate",
          "Run a CUDA program on a simulated GPU: any that was built with nvcc -cudart shared and carries PTX. Its "
          "input, output and exit status are its own; mistakes and counters follow on standard error.",
          "  nvcc -cudart shared -lineinfo sum.cu -o sum\n"
          "  ./lab simulate ./sum 1000\n"
          "  ./lab simulate ./sum 1000 --json sum.json\n"
          "  ./lab simulate --device A100 ./sum 1000\n"
          "  ./lab simulate ./sum -- --device 0    everything behind -- is the program's\n");
  simulate_command->add_option("PROGRAM", simulate.program, "the program, and behind it its own arguments")
      ->required()
      ->type_name("");
  simulate_command->add_option("--json", simulate.json, "write what was counted and found, launch by launch")
      ->type_name("FILE");
  simulate_command
      ->add_option("--device", simulate.device, fmt::format("the card to simulate: {}", cudart::names_of_devices()))
      ->type_name("NAME");
  std::string schedule;
  auto* schedule_option =
      simulate_command->add_option("--schedule", schedule, "run warps and blocks in an order drawn from this number")
          ->type_name("SEED");
  simulate_command
      ->add_option("--error-exitcode", simulate.error_exit_status,
                   "the exit status when the program itself reports success, but a mistake was found")
      ->type_name("N")
      ->check(CLI::Range(0, 255).description(""));

  request::List list;
  auto* list_command = add(app, "list", "List the exercises, what each teaches, and which are solved.",
                           "  ./lab list\n"
                           "  ./lab list --json\n");
  list_command->add_flag("--json", list.json, "for programs");

  request::Hint hint;
  auto* hint_command =
      add(app, "hint",
          "Show the next of an exercise's three hints: the idea, where to look, pseudocode. Which were "
          "shown is remembered.",
          "  ./lab hint reduce.v1\n"
          "  ./lab hint reduce.v1 --tier 1   that one, whatever was shown before\n");
  int tier = 0;
  hint_command->add_option("NAME", hint.name, "exercise")->required()->type_name("");
  auto* tier_option =
      hint_command->add_option("--tier", tier, "1, 2 or 3")->type_name("K")->check(CLI::Range(1, 3).description(""));

  request::Solution solution;
  auto* solution_command =
      add(app, "solution", "Show the reference answer and what there is to learn from it, once your own answer passes.",
          "  ./lab solution reduce.v1\n"
          "  ./lab solution reduce.v1 --anyway\n");
  solution_command->add_option("NAME", solution.name, "exercise")->required()->type_name("");
  solution_command->add_flag("--anyway", solution.anyway, "before your own answer passes");

  request::Reset reset;
  auto* reset_command =
      add(app, "reset",
          "Put an exercise's first text back. Your file is kept in .lab/backups, and the command that "
          "brings it back is shown.",
          "  ./lab reset reduce.v1\n");
  reset_command->add_option("NAME", reset.name, "exercise")->required()->type_name("");

  request::Docs docs;
  std::string action;
  auto* docs_command = add(app, "docs", "Build the site strictly, or show it in a browser and follow what is saved.",
                           "  ./lab docs build\n"
                           "  ./lab docs serve --port 8000\n"
                           "  ./lab docs test            every page, in headless Chromium\n");
  docs_command->add_option("ACTION", action, "build, serve or test")
      ->required()
      ->type_name("")
      ->check(CLI::IsMember({"build", "serve", "test"}).description(""));
  docs_command->allow_extras();

  auto* setup_command = add(app, "setup", "Install what is missing (done by the script ./lab).", "  ./lab setup\n");
  auto* doctor_command =
      add(app, "doctor", "Say what is here and what is missing (done by the script ./lab).", "  ./lab doctor\n");

  std::vector<std::string> words(argv, argv + argc);
  if (argc > 1 && words[1] == "simulate") simulate.arguments = take_program_arguments(words);

  // CLI11 would call an unknown command a surplus argument.
  const std::vector<std::string> commands = names_of_commands(app);
  const std::string word = argc > 1 ? argv[1] : "";
  if (!word.empty() && word[0] != '-' && std::find(commands.begin(), commands.end(), word) == commands.end()) {
    if (word.find('.') != std::string::npos) {
      throw Problem(fmt::format("{} is not a command", word), "./lab test " + word);
    }
    const std::string near = nearest(word, commands);
    throw Problem(near.empty() ? fmt::format("there is no command {}", word)
                               : fmt::format("there is no command {}; did you mean ./lab {}?", word, near),
                  "./lab --help");
  }
  try {
    std::vector<std::string> backwards(words.rbegin(), words.rend() - 1);
    app.parse(std::move(backwards));
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.get_subcommands().front()->help("./lab"));
    return request::Nothing{};
  } catch (const CLI::ParseError& error) {
    explain(app, error);
  }

  if (help) {
    fmt::print("{}", help_text);
    return request::Nothing{};
  }
  if (*test_command) {
    test.on_gpu = device == "gpu";
    if (*test_schedule) test.schedule = seed;
    return test;
  }
  if (*check_command) {
    check.mutants = !mutants_option->empty();
    return check;
  }
  if (*profile_command) {
    if (*size) profile.n = count_from(n);
    if (*launch_option) profile.launch = launch;
    if (*ptx_option) profile.ptx = ptx;
    if (*profile_schedule) profile.schedule = seed;
    return profile;
  }
  if (*simulate_command) {
    if (*schedule_option) simulate.schedule = whole_number("simulate: --schedule", schedule);
    if (!simulate.device.empty()) simulate.device = known_device(simulate.device);
    return simulate;
  }
  if (*list_command) return list;
  if (*hint_command) {
    if (*tier_option) hint.tier = tier;
    return hint;
  }
  if (*solution_command) return solution;
  if (*reset_command) return reset;
  if (*docs_command) {
    docs.words = docs_command->remaining();
    docs.words.insert(docs.words.begin(), action);
    return docs;
  }
  if (*setup_command || *doctor_command) {
    throw Problem("this is done by the script ./lab at the root of the repository",
                  *setup_command ? "./lab setup" : "./lab doctor");
  }
  return request::Progress{};
}

}  // namespace warpwright::lab
