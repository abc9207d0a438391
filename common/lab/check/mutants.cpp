#include "check/mutants.h"

#include <algorithm>

#include "check/linters.h"
#include "verdict.h"

namespace warpwright::lab {

Mutants try_mutants(const Context& context, const std::vector<const Exercise*>& exercises, int jobs,
                    std::optional<int> sample, Activity& activity) {
  const Linters packages(context.root);
  std::vector<std::string> targets;
  std::vector<std::string> words = {"--build", context.build.string(), "--jobs", std::to_string(jobs)};
  if (sample) words.insert(words.end(), {"--sample", std::to_string(*sample)});
  for (const Exercise* exercise : exercises) {
    targets.push_back("solution." + exercise->name);
    words.push_back(exercise->name);
  }
  targets.insert(targets.end(), {"--", "-j", std::to_string(jobs)});
  Mutants result;
  const Outcome built = build(context, targets, activity);
  if (built.exit_status != 0) {
    result.report = built.output;
    return result;
  }

  Listener listener;
  listener.line = [&](std::string_view line) {
    if (line.substr(0, 1) == "[") {
      ++result.count;
      activity.step(line);
    } else {
      result.report.append(line).append("\n");
    }
  };
  listener.tick = [&] {
    activity.tick();
    return true;
  };
  result.good = run(packages.mutants(words), listener).exit_status == 0;
  return result;
}

}  // namespace warpwright::lab
