// Problem: a metric's name is used by the observer that counts it, by contracts, by the command line and by pages.
// Idea: every name once, here, with what it counts.
// Invariant: a name of Nsight Compute's is given only to a number that equals the hardware's counter, as measured on an
// H200 (simulator/tests/observe/h200). All others start with "ptx__": they count PTX instructions, which ptxas may
// still merge, remove or predicate.
// Left out: ratios. They do not add up over lines; divide the sums.
#pragma once

#include <string>
#include <string_view>

namespace warpwright::observe::metric {

// --- Global memory (coalescing.h, load_waits.h) ---

/// Loads: warp instructions that read global memory.
inline constexpr std::string_view global_load_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
/// Stores: warp instructions that write global memory.
inline constexpr std::string_view global_store_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum";
/// Distinct 32-byte sectors of each load, summed: what the memory system has to move.
inline constexpr std::string_view global_load_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
/// Distinct 32-byte sectors of each store, summed.
inline constexpr std::string_view global_store_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
/// Atomics and reductions on global memory: warp instructions. The hardware counts those with and without a result
/// apart, and PTX does not say which become which; their sum was the same.
inline constexpr std::string_view global_atomic_requests = "ptx__requests_mem_global_op_atom.sum";
/// Distinct 32-byte sectors of each global atomic or reduction, summed. The hardware's sum is the same where no two
/// lanes of a warp come to one element, and more where they do (simulator/tests/observe/h200).
inline constexpr std::string_view global_atomic_sectors = "ptx__sectors_mem_global_op_atom.sum";
/// Bytes that lanes asked for in global loads. Divided by 32 times the sectors: the share of moved bytes that was
/// wanted (above 1 where lanes read the same bytes).
inline constexpr std::string_view global_load_bytes = "ptx__bytes_mem_global_op_ld.sum";
/// Bytes that lanes wrote in global stores.
inline constexpr std::string_view global_store_bytes = "ptx__bytes_mem_global_op_st.sum";
/// Waits for global loads: one for each round of loads that can be under way together. Loads divided by waits are the
/// loads before the first use; their bytes divided by waits the bytes in flight.
inline constexpr std::string_view global_load_waits = "ptx__waits_mem_global_op_ld.sum";
/// Bytes that lanes updated in global atomics and reductions.
inline constexpr std::string_view global_atomic_bytes = "ptx__bytes_mem_global_op_atom.sum";

// --- Shared memory (bank_conflicts.h) ---

/// Loads: passes through the 32 banks, conflicts included.
inline constexpr std::string_view shared_load_wavefronts =
    "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
/// Stores: passes through the 32 banks, conflicts included.
inline constexpr std::string_view shared_store_wavefronts =
    "sm__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
/// Atomics: passes through the 32 banks; lanes that hit one word take turns.
inline constexpr std::string_view shared_atomic_wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum";
/// Loads: wavefronts beyond those that the width of the access needs.
inline constexpr std::string_view shared_load_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
/// Stores: wavefronts beyond those that the width of the access needs.
inline constexpr std::string_view shared_store_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum";
/// Atomics: wavefronts beyond the first.
inline constexpr std::string_view shared_atomic_conflicts =
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum";
/// Loads: warp instructions that read shared memory.
inline constexpr std::string_view shared_load_requests = "ptx__requests_mem_shared_op_ld.sum";
/// Stores: warp instructions that write shared memory.
inline constexpr std::string_view shared_store_requests = "ptx__requests_mem_shared_op_st.sum";
/// Atomics and reductions: warp instructions that update shared memory.
inline constexpr std::string_view shared_atomic_requests = "ptx__requests_mem_shared_op_atom.sum";

// --- Instructions (instructions.h) ---

/// Instructions executed by warps: one for each group of lanes that executes it together.
inline constexpr std::string_view warp_instructions = "ptx__inst_executed.sum";
/// Instructions executed by threads: active lanes, whatever their guard says.
inline constexpr std::string_view thread_instructions = "ptx__thread_inst_executed.sum";
/// Instructions executed by threads whose guard holds. Divided by 32 times the warp instructions: the warps'
/// efficiency.
inline constexpr std::string_view thread_instructions_on = "ptx__thread_inst_executed_pred_on.sum";
/// Warp instructions by opcode: `instructions_of("shfl")` is "ptx__inst_executed_op_shfl.sum". The opcode is the
/// mnemonic up to its first dot; opcodes that were never executed have no metric.
inline std::string instructions_of(std::string_view opcode) {
  return "ptx__inst_executed_op_" + std::string(opcode) + ".sum";
}

// --- Branches (divergence.h) ---

/// Conditional branches executed by warps: one for each group of lanes that executes it together.
inline constexpr std::string_view branches = "ptx__branches.sum";
/// Of those, the ones where lanes part: some take the branch, some do not.
inline constexpr std::string_view divergent_branches = "ptx__branches_divergent.sum";
/// Warps whose lanes parted at least once. By instruction: at that branch.
inline constexpr std::string_view divergent_warps = "ptx__warps_divergent.sum";
/// Warps that the launch consists of (by kernel only).
inline constexpr std::string_view launched_warps = "ptx__warps_launched.sum";
/// Blocks that the launch consists of (by kernel only).
inline constexpr std::string_view launched_blocks = "ptx__blocks_launched.sum";

// --- Barriers and shuffles (barriers.h) ---

/// Block barriers completed. Divided by the launched blocks: barriers a block.
inline constexpr std::string_view block_barriers = "ptx__barriers_block.sum";
/// Arrivals of warps at block barriers: one for each group of lanes that arrives together.
inline constexpr std::string_view block_barrier_arrivals = "ptx__barrier_arrivals_block.sum";
/// Warp barriers (bar.warp.sync) completed.
inline constexpr std::string_view warp_barriers = "ptx__barriers_warp.sum";
/// Shuffles executed by warps: one for each group of lanes that executes it together.
inline constexpr std::string_view shuffles = "ptx__shuffles.sum";

}  // namespace warpwright::observe::metric
