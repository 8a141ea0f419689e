//! Passes that work around defects of drivers, each for flags of
//! [`Workarounds`] or one option, and the steps that run them. They run last,
//! because simplification would undo them; a few that must run earlier are in `compiler/src/pass_lists.rs`.
//!
//! The table of the flags (`compiler/basic/src/workarounds.rs`) says which flags a pass runs for. Flags without a pass select
//! how one operation is expanded, in `legalize/vulkan/`. The passes of `nvidia-wide-division` and `nvidia-wide-conversions`
//! are there too. `llvm-spirv-switch` concerns basic blocks, which only the emitter creates.

use crate::legalize::Step;
use crate::tuning::{BarriersBetween, LateBarrier, LocalVectors, PrivateArrays, RolledLoops};
use clforge_basic::workarounds::Workarounds;
use clforge_ir::passes::{DeadCode, StrengthReduction};
use clforge_ir::pipeline::Step::{Flagged, Optimize, Run, When};

mod barrier_loops;
mod bits;
mod bool_bitcast;
mod byte_swap;
mod dont_inline;
mod endless_loops;
mod fence_scope;
mod inactive_lanes;
mod literal_zeros;
mod loop_exits;
mod loop_hints;
mod masked_barriers;
mod matrix_division;
mod narrow_bitcast;
mod narrow_negation;
mod overflow_checks;
mod pocl_math;
mod private_pool;
mod sign_extension;
mod signed_bytes;
mod signed_products;
mod sub_group_barrier;
#[cfg(test)]
pub mod testing;
#[cfg(test)]
mod tests;
mod upper_halves;
mod vector_division;
mod vector_insertion;

pub use barrier_loops::{BarrierLoops, has_barriers_in_loops};
pub use matrix_division::MatrixDivision;

/// The last steps for Vulkan.
pub static LAST: &[Step] = &[
    // Passes that rebuild functions are first, because rebuilding folds constants. `SignedProducts` may leave
    // dead products.
    Flagged(&signed_products::SignedProducts, &[Run(&DeadCode)]),
    // After all passes that handle variables of scalars. `LocalVectors` may leave dead indices.
    Flagged(&LocalVectors, &[Run(&DeadCode)]),
    Flagged(&dont_inline::DontInline, &[]),
    Flagged(&loop_exits::LoopExits, &[]),
    Flagged(&inactive_lanes::InactiveLanes, &[]),
    Flagged(&endless_loops::EndlessLoops, &[]),
    Flagged(&overflow_checks::OverflowChecks, &[]),
    // It may leave the divided vectors dead.
    Flagged(&vector_division::VectorDivision, &[Run(&DeadCode)]),
    Flagged(&bool_bitcast::BoolBitcast, &[]),
    // The next two passes look for shifts, and the driver turns quotients by powers of two into shifts. So these
    // become shifts first, whether or not `StrengthReduction` ran before.
    When(
        |_, options| {
            options.codegen.workarounds.intersects(Workarounds::NVIDIA_UPPER_HALVES | Workarounds::NVIDIA_BYTE_SWAP)
        },
        &[When(|_, options| options.codegen.opt_disable, &[Run(&StrengthReduction)]), Optimize(&StrengthReduction)],
    ),
    Flagged(&upper_halves::UpperHalves, &[]),
    Flagged(&byte_swap::ByteSwap, &[]),
    // Before `NarrowNegation`, which may extend the same byte by arithmetic instead.
    Flagged(&signed_bytes::SignedBytes, &[]),
    Flagged(&narrow_negation::NarrowNegation, &[]),
    Flagged(&narrow_bitcast::NarrowBitcast, &[]),
    Flagged(&sign_extension::SignExtension, &[]),
    Flagged(&fence_scope::FenceScope, &[]),
    // Before `LiteralZeros`, because it inserts conditions.
    Flagged(&masked_barriers::MaskedBarriers, &[]),
    // After all passes that move values or insert constants.
    Flagged(&literal_zeros::LiteralZeros, &[]),
    Flagged(&sub_group_barrier::SubGroupBarrier, &[]),
    // After the passes that add exits to loops.
    Flagged(&loop_hints::LoopHints, &[]),
    Flagged(&RolledLoops, &[]),
    // Before `LateBarrier`, which may add the last barrier.
    Flagged(&BarriersBetween, &[]),
    Flagged(&LateBarrier, &[]),
    Flagged(&PrivateArrays, &[]),
    Flagged(&private_pool::PrivatePool, &[]),
];

/// The last steps for OpenCL.
pub static LAST_OPENCL: &[Step] =
    &[Flagged(&vector_insertion::VectorInsertion, &[]), Flagged(&pocl_math::PoclMath, &[])];
