#include "recording.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace warpwright::lab {
namespace {

using Json = nlohmann::ordered_json;

Mistake mistake_from(const Json& json) {
  Mistake mistake;
  mistake.kind = json.value("kind", "");
  mistake.message = json.value("message", "");
  mistake.hint = json.value("hint", "");
  mistake.kernel = json.value("kernel", "");
  mistake.file = json.value("file", "");
  mistake.line = json.value("line", 0);
  if (const auto other = json.find("other"); other != json.end()) {
    mistake.other_file = other->value("file", "");
    mistake.other_line = other->value("line", 0);
  }
  if (const auto launch = json.find("launch"); launch != json.end()) {
    mistake.launch_file = launch->value("file", "");
    mistake.launch_line = launch->value("line", 0);
  }
  return mistake;
}

/// Two launches that make the same mistake at the same lines say so once. Without a line the words decide.
bool are_one(const Mistake& a, const Mistake& b) {
  return a.kind == b.kind && a.kernel == b.kernel && a.file == b.file && a.line == b.line &&
         a.other_file == b.other_file && a.other_line == b.other_line && (a.line != 0 || a.message == b.message);
}

void add(std::vector<Mistake>& mistakes, Mistake mistake) {
  const auto known =
      std::find_if(mistakes.begin(), mistakes.end(), [&](const Mistake& one) { return are_one(one, mistake); });
  if (known != mistakes.end())
    ++known->launches;
  else
    mistakes.push_back(std::move(mistake));
}

/// What is known of a kernel's arrays after a launch takes the place of what was known before.
void keep_gaps(std::vector<Gap>& gaps, const Json& launch) {
  const std::string kernel = launch.value("kernel", "");
  std::erase_if(gaps, [&](const Gap& gap) { return gap.kernel == kernel; });
  const auto coverage = launch.find("coverage");
  if (coverage == launch.end()) return;
  for (const Json& array : *coverage) {
    Gap gap{kernel, array.value("argument", std::uint64_t{0}), array.value("bytes", std::uint64_t{0}),
            array.value("unwritten_bytes", std::uint64_t{0}), 0};
    const auto first = array.find("gaps");
    if (first != array.end() && !first->empty()) gap.first_unwritten = first->front().value("offset", std::uint64_t{0});
    gaps.push_back(std::move(gap));
  }
}

}  // namespace

Recording Recording::parse(std::string_view lines) {
  Recording recording;
  Json document = {{"device", ""}, {"launches", Json::array()}, {"diagnoses", Json::array()}, {"leaks", Json::array()}};
  int begun = 0, ended = 0;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    Json line = Json::parse(lines.substr(at, end - at), nullptr, false);
    at = end + 1;
    if (!line.is_object() || line.empty()) continue;
    if (const auto device = line.find("device"); device != line.end()) {
      ++begun;
      if (recording.device.empty()) recording.device = device->get<std::string>();
    } else if (const auto launch = line.find("launch"); launch != line.end()) {
      keep_gaps(recording.gaps, *launch);
      document["launches"].push_back(std::move(*launch));
    } else if (const auto diagnosis = line.find("diagnosis"); diagnosis != line.end()) {
      add(diagnosis->value("warning", false) ? recording.warnings : recording.mistakes, mistake_from(*diagnosis));
      document["diagnoses"].push_back(std::move(*diagnosis));
    } else if (const auto leak = line.find("leak"); leak != line.end()) {
      recording.leaks.push_back({leak->value("bytes", std::uint64_t{0}), leak->value("origin", ""),
                                 leak->value("number", std::uint64_t{0}), leak->value("file", ""),
                                 leak->value("line", 0)});
      document["leaks"].push_back(std::move(*leak));
    } else if (line.contains("end")) {
      ++ended;
    }
  }
  document["device"] = recording.device;
  recording.launches = document["launches"].size();
  recording.ended_by_itself = begun == ended;
  recording.document = document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
  return recording;
}

}  // namespace warpwright::lab
