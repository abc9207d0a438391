// Kernels whose every block makes one mistake, which ends no launch; and one that ends it, in later blocks.
#pragma once

namespace warpwright::cudart::kernels {

/// All blocks store their numbers in the same words.
void race_between_blocks(int blocks, int* out);
/// Adds up what nobody has written.
void add_unwritten(int blocks, const float* in, float* out);
/// Half of the threads wait at one barrier, half at another.
void part_at_barriers(int blocks, int* out);
/// Takes the value of a lane that is not there.
void shuffle_from_nobody(int blocks, int* out);
/// Reads shared memory that no thread has written.
void read_unwritten_tile(int blocks, float* out);
/// Reads what another warp stores, without a barrier.
void race_in_blocks(int blocks, int* out);
/// An assertion that the second half of the blocks break.
void insist_on_early_blocks(int blocks);

}  // namespace warpwright::cudart::kernels
