#include "observe/report_json.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <string_view>

#include "observe/wavefronts.h"

namespace warpwright::observe {
namespace {

using Json = nlohmann::ordered_json;

constexpr double largest_exact_integer = 9007199254740992.0;  // 2^53

Json number(double value) {
  if (value == std::floor(value) && std::abs(value) <= largest_exact_integer) return static_cast<std::int64_t>(value);
  return value;
}

Json index(const machine::Dim3& dim) { return Json::array({dim.x, dim.y, dim.z}); }

Json object(const Metrics& metrics) {
  Json result = Json::object();
  for (const auto& [name, value] : metrics) result[name] = number(value);
  return result;
}

void put_place(Json& result, const std::optional<Thread>& who, const std::string& file, std::uint32_t line) {
  if (who) {
    result["block"] = index(who->block);
    result["thread"] = index(who->thread);
  }
  if (line != 0) {
    result["file"] = file;
    result["line"] = line;
  }
}

Json object(const Diagnosis& diagnosis) {
  Json result = {{"kind", diagnosis.kind}, {"message", diagnosis.message}};
  if (diagnosis.is_warning) result["warning"] = true;
  if (!diagnosis.hint.empty()) result["hint"] = diagnosis.hint;
  if (!diagnosis.kernel.empty()) result["kernel"] = diagnosis.kernel;
  put_place(result, diagnosis.who, diagnosis.file, diagnosis.line);
  if (!diagnosis.instruction.empty()) result["instruction"] = diagnosis.instruction;
  result["count"] = diagnosis.count;
  if (diagnosis.launch_line != 0) result["launch"] = {{"file", diagnosis.launch_file}, {"line", diagnosis.launch_line}};
  if (diagnosis.other) {
    Json other = Json::object();
    const std::optional<Thread> who = diagnosis.who ? std::optional(diagnosis.other->who) : std::nullopt;
    put_place(other, who, diagnosis.other->file, diagnosis.other->line);
    result["other"] = std::move(other);
  }
  return result;
}

/// An exemplar of an instruction in shared memory is drawn by its wavefronts, too.
Json object(const Exemplar& exemplar) {
  Json addresses = Json::array();
  for (int lane = 0; lane < machine::warp_size; ++lane)
    addresses.push_back(machine::has_lane(exemplar.lanes, lane) ? Json(exemplar.addresses[lane]) : Json());
  Json result = {{"block", exemplar.block}, {"warp", exemplar.warp},   {"bytes", exemplar.bytes},
                 {"cost", exemplar.cost},   {"ideal", exemplar.ideal}, {"addresses", std::move(addresses)}};
  if (!exemplar.shared) return result;
  Json all = Json::array();
  for (const Wavefront& wavefront :
       wavefronts(*exemplar.shared, exemplar.bytes, exemplar.lanes, exemplar.addresses.data()))
    all.push_back({{"lanes", wavefront.lanes}, {"lane_of_bank", wavefront.lane}});
  result["wavefronts"] = std::move(all);
  return result;
}

Json object(const InstructionReport& instruction) {
  Json result = {{"line", instruction.ptx_line}, {"text", instruction.text}, {"metrics", object(instruction.metrics)}};
  if (instruction.worst) result["worst"] = object(*instruction.worst);
  return result;
}

Json object(const Report& launch) {
  Json lines = Json::array();
  for (const LineReport& line : launch.lines()) {
    Json instructions = Json::array();
    for (const InstructionReport* instruction : line.instructions) instructions.push_back(object(*instruction));
    lines.push_back({{"file", line.file},
                     {"line", line.line},
                     {"metrics", object(line.metrics)},
                     {"ptx", std::move(instructions)}});
  }
  Json result = {{"kernel", launch.kernel},           {"grid", index(launch.grid)},
                 {"block", index(launch.block)},      {"dynamic_shared_bytes", launch.dynamic_shared_bytes},
                 {"metrics", object(launch.metrics)}, {"lines", std::move(lines)}};
  if (launch.ended_early) result["ended_early"] = true;
  for (const Coverage& array : launch.coverage) {
    Json gaps = Json::array();
    for (const Coverage::Gap& gap : array.gaps) gaps.push_back({{"offset", gap.offset}, {"bytes", gap.bytes}});
    result["coverage"].push_back({{"argument", array.argument},
                                  {"bytes", array.bytes},
                                  {"unwritten_bytes", array.unwritten_bytes},
                                  {"gaps", std::move(gaps)}});
  }
  return result;
}

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string to_json_line(std::string_view text) { return line_of(Json(std::string(text))); }
std::string to_json_line(const Report& launch) { return line_of(object(launch)); }
std::string to_json_line(const Diagnosis& diagnosis) { return line_of(object(diagnosis)); }

std::string to_json(std::string_view device, std::span<const Report> launches, std::span<const Diagnosis> loose) {
  Json document = {{"device", device}, {"launches", Json::array()}, {"diagnoses", Json::array()}};
  for (const Report& launch : launches) {
    document["launches"].push_back(object(launch));
    for (const Diagnosis& diagnosis : launch.diagnoses) document["diagnoses"].push_back(object(diagnosis));
  }
  for (const Diagnosis& diagnosis : loose) document["diagnoses"].push_back(object(diagnosis));
  return document.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace warpwright::observe
