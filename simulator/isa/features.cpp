#include "isa/features.h"

#include <algorithm>
#include <array>
#include <utility>

namespace warpwright::isa {
namespace {

constexpr std::string_view clusters = "clusters of several blocks are not simulated";
constexpr std::string_view tensor_cores = "tensor cores are not simulated";
constexpr std::string_view tensor_copies = "copies of tensors (TMA) are not simulated";
constexpr std::string_view bulk_reductions = "reductions in bulk are not simulated";
constexpr std::string_view textures = "textures are not simulated";
constexpr std::string_view surfaces = "surfaces are not simulated";
constexpr std::string_view nested_launches = "launches by kernels are not simulated";
constexpr std::string_view reserved_shared =
    "cooperative groups' tiles of several warps, which use the system's own shared memory, are not simulated";
constexpr std::string_view graphs = "graphs are not simulated";
constexpr std::string_view multicast = "memory of several GPUs at one address (multicast) is not simulated";

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::array<Entry, 21> of_mnemonics = {{{"mma", tensor_cores},
                                                 {"wmma", tensor_cores},
                                                 {"wgmma", tensor_cores},
                                                 {"tcgen05", tensor_cores},
                                                 {"ldmatrix", tensor_cores},
                                                 {"stmatrix", tensor_cores},
                                                 {"movmatrix", tensor_cores},
                                                 {"setmaxnreg", tensor_cores},
                                                 {"tex", textures},
                                                 {"tld4", textures},
                                                 {"txq", textures},
                                                 {"istypep", textures},
                                                 {"suld", surfaces},
                                                 {"sust", surfaces},
                                                 {"sured", surfaces},
                                                 {"suq", surfaces},
                                                 {"mapa", clusters},
                                                 {"getctarank", clusters},
                                                 {"clusterlaunchcontrol", clusters},
                                                 {"tensormap", tensor_copies},
                                                 {"multimem", multicast}}};

/// Qualifiers that no other part of the GPU has, in order of what they tell.
constexpr std::array<Entry, 5> of_qualifiers = {{{"tensor", tensor_copies},
                                                 {"tensormap", tensor_copies},
                                                 {"tensormap::generic", tensor_copies},
                                                 {"multicast::cluster", clusters},
                                                 {"reduce", bulk_reductions}}};

/// What names another block's shared memory. A copy in bulk from global memory writes .shared::cluster for its own.
bool is_about_a_cluster(const std::vector<std::string>& parts) {
  const auto has = [&](std::string_view part) { return std::ranges::find(parts, part) != parts.end(); };
  if (parts.front() == "barrier") return has("cluster");
  return has("shared::cluster") && (parts.front() != "cp" || has("shared::cta"));
}

std::string_view of(const ptx::Operand& operand) {
  if (operand.kind != ptx::Operand::Kind::special) return {};
  if (operand.name == "is_explicit_cluster") return clusters;
  if (operand.name.starts_with("reserved_smem_offset")) return reserved_shared;
  return operand.name == "current_graph_exec" ? graphs : std::string_view();
}

}  // namespace

std::string_view missing_feature(const ptx::Instruction& instruction) {
  const auto& parts = instruction.parts;
  const auto* mnemonic = std::ranges::find(of_mnemonics, parts.front(), &Entry::first);
  if (mnemonic != of_mnemonics.end()) return mnemonic->second;
  for (const auto& [qualifier, feature] : of_qualifiers)
    if (std::ranges::find(parts, qualifier) != parts.end()) return feature;
  if (is_about_a_cluster(parts)) return clusters;
  for (const ptx::Operand& operand : instruction.operands) {
    if (const std::string_view feature = of(operand); !feature.empty()) return feature;
    if (parts.front() == "call" && operand.name.starts_with("__cudaCDP2")) return nested_launches;
  }
  return {};
}

}  // namespace warpwright::isa
