//! Passes that work around defects of drivers, each for one flag of
//! [`Workarounds`](clforge_basic::workarounds::Workarounds) or one option. They run last, since later
//! simplifications would undo what they do.
//!
//! The flags that have no pass here choose what one operation becomes, and are conditions of that choice in
//! `legalize/vulkan/`, where `nvidia-wide-division` has its pass; `llvm-spirv-switch` is about basic blocks, which only the
//! emitter makes.

mod calls_after_barriers;
mod dynamic_lanes;
mod endless_loops;
mod fence_scope;
mod library;
mod loop_exits;
mod loop_limit;
mod narrow;
mod narrow_byte_swap;
mod narrow_negation;
mod narrow_popcount;
mod narrow_product;
mod narrow_saturation;
mod pocl_math;
mod private_pool;
mod sign_extension;
mod signed_products;
mod sub_group_barrier;
#[cfg(test)]
mod testing;
mod vector_insertion;
mod wide_comparisons;
mod wide_loads;

pub use calls_after_barriers::CallsAfterBarriers;
pub use dynamic_lanes::DynamicLanes;
pub use endless_loops::EndlessLoops;
pub use fence_scope::FenceScope;
pub use loop_exits::LoopExits;
pub use loop_limit::LoopLimit;
pub use narrow_byte_swap::NarrowByteSwap;
pub use narrow_negation::NarrowNegation;
pub use narrow_popcount::NarrowPopcount;
pub use narrow_product::NarrowProduct;
pub use narrow_saturation::NarrowSaturation;
pub use pocl_math::PoclMath;
pub use private_pool::PrivatePool;
pub use sign_extension::SignExtension;
pub use signed_products::SignedProducts;
pub use sub_group_barrier::SubGroupBarrier;
pub use vector_insertion::VectorInsertion;
pub use wide_comparisons::WideComparisons;
pub use wide_loads::WideLoads;
