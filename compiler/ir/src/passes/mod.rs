//! Passes for both targets.

mod address_spaces;
mod atomic_additions;
mod common_subexpressions;
mod constant_arrays;
mod dead_code;
mod dead_functions;
mod dead_stores;
mod if_conversion;
mod inline;
mod loop_invariants;
mod mem2reg;
mod narrow_integers;
mod pointer_counters;
mod promote_integers;
mod scalar_promotion;
mod simplify;
mod single_exit;
mod strength_reduction;
#[cfg(test)]
mod testing;
mod unroll_arrays;
mod unroll_loops;
mod wide_rotations;
mod zero_local_memory;

pub use address_spaces::AddressSpaces;
pub use atomic_additions::AtomicAdditions;
pub use common_subexpressions::CommonSubexpressions;
pub use constant_arrays::ConstantArrays;
pub use dead_code::DeadCode;
pub use dead_functions::{DeadFunctions, remove_unreached};
pub use dead_stores::DeadStores;
pub use if_conversion::IfConversion;
pub use inline::{Inline, inline_functions};
pub use loop_invariants::LoopInvariants;
pub use mem2reg::{Mem2Reg, promote_except, promote_pointers};
pub use narrow_integers::NarrowIntegers;
pub use pointer_counters::PointerCounters;
pub use promote_integers::PromoteIntegers;
pub use scalar_promotion::ScalarPromotion;
pub use simplify::Simplify;
pub use single_exit::{SingleExit, merge_exits};
pub use strength_reduction::StrengthReduction;
pub use unroll_arrays::UnrollArrays;
pub use unroll_loops::{UnrollLoops, driver_unrolls, loops_to_keep, most_trips};
pub use wide_rotations::WideRotations;
pub use zero_local_memory::{ZeroLocalMemory, has_initial_local_memory};
