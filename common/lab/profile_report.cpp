#include "profile_report.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "problem.h"

namespace warpwright::lab {
namespace {

/// {4096, 1, 1} as "4,096", {8, 4, 1} as "8 x 4".
std::string extent(const nlohmann::json& json) {
  std::vector<unsigned long long> sizes;
  for (const auto& size : json) sizes.push_back(size.get<unsigned long long>());
  while (sizes.size() > 1 && sizes.back() == 1) sizes.pop_back();
  std::string text;
  for (const auto size : sizes) text += (text.empty() ? "" : " x ") + thousands(size);
  return text;
}

ProfileReport::Access access_from(const nlohmann::json& json) {
  ProfileReport::Access access;
  access.block = json.at("block");
  access.warp = json.at("warp");
  access.bytes = json.at("bytes");
  access.cost = json.at("cost");
  access.ideal = json.at("ideal");
  for (std::size_t lane = 0; lane < access.addresses.size(); ++lane) {
    const auto& address = json.at("addresses").at(lane);
    if (!address.is_null()) access.addresses[lane] = address.get<std::uint64_t>();
  }
  if (!json.contains("wavefronts")) return access;
  for (const auto& wavefront : json.at("wavefronts"))
    access.wavefronts.push_back({wavefront.at("lanes"), wavefront.at("lane_of_bank")});
  return access;
}

ProfileReport::Launch launch_from(const nlohmann::json& json) {
  ProfileReport::Launch launch;
  launch.kernel = json.at("kernel");
  launch.grid = extent(json.at("grid"));
  launch.block = extent(json.at("block"));
  launch.metrics = json.at("metrics").get<Metrics>();
  launch.ended_early = json.value("ended_early", false);
  for (const auto& line : json.at("lines")) {
    launch.lines.push_back({line.at("file"), line.at("line"), line.at("metrics").get<Metrics>(), {}});
    for (const auto& ptx : line.at("ptx")) {
      launch.lines.back().ptx.push_back({ptx.at("line"), ptx.at("text"), ptx.at("metrics").get<Metrics>(), {}});
      if (ptx.contains("worst")) launch.lines.back().ptx.back().worst = access_from(ptx.at("worst"));
    }
  }
  return launch;
}

}  // namespace

ProfileReport ProfileReport::parse(std::string_view json) {
  ProfileReport report;
  try {
    const auto document = nlohmann::json::parse(json);
    report.device = document.at("device");
    for (const auto& launch : document.at("launches")) report.launches.push_back(launch_from(launch));
  } catch (const nlohmann::json::exception& error) {
    throw Problem(fmt::format("the profile that the program printed cannot be read: {}", error.what()));
  }
  return report;
}

}  // namespace warpwright::lab
