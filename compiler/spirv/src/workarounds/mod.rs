//! Passes that work around defects of drivers, each for one flag of
//! [`Workarounds`](clforge_basic::workarounds::Workarounds) or one option. They run last, since later
//! simplifications would undo what they do.
//!
//! The flags that have no pass here choose what one operation becomes, and are conditions of that choice in
//! `legalize/vulkan/`, where `nvidia-wide-division` and `nvidia-wide-conversions` have their passes; `llvm-spirv-switch` is
//! about basic blocks, which only the emitter makes.

use clforge_basic::source::Span;
use clforge_ir::{Function, InstId, Op, Type, Value};

mod dont_inline;
mod endless_loops;
mod fence_scope;
mod local_vectors;
mod loop_exits;
mod loop_limit;
mod narrow_bitcast;
mod narrow_negation;
mod pocl_math;
mod private_arrays;
mod private_pool;
mod sign_extension;
mod signed_products;
mod sub_group_barrier;
#[cfg(test)]
pub mod testing;
mod vector_insertion;

pub use dont_inline::DontInline;
pub use endless_loops::EndlessLoops;
pub use fence_scope::FenceScope;
pub use local_vectors::LocalVectors;
pub use loop_exits::LoopExits;
pub use loop_limit::LoopLimit;
pub use narrow_bitcast::NarrowBitcast;
pub use narrow_negation::NarrowNegation;
pub use pocl_math::PoclMath;
pub use private_arrays::PrivateArrays;
pub use private_pool::PrivatePool;
pub use sign_extension::SignExtension;
pub use signed_products::SignedProducts;
pub use sub_group_barrier::SubGroupBarrier;
pub use vector_insertion::VectorInsertion;

/// Appends an instruction with one result, which is returned.
fn append(function: &mut Function, to: &mut Vec<InstId>, (op, ty, span): (Op, Type, Span)) -> Value {
    let id = function.new_inst(op, &[ty], span);
    to.push(id);
    function.inst(id).results[0]
}
