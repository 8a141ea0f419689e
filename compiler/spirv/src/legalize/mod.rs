//! The passes of the targets: IR to IR, in one file or folder each. `pass_lists.rs` of the compiler orders them.

mod cas_loops;
pub mod opencl;
pub mod vulkan;

use crate::interface::ModuleInterface;
use crate::workarounds::{
    BarrierLoops, BoolBitcast, ByteSwap, DontInline, EndlessLoops, FenceScope, LiteralZeros, LocalVectors, LoopExits,
    LoopHints, LoopLimit, MaskedBarriers, NarrowBitcast, NarrowNegation, OverflowChecks, PoclMath, PrivateArrays,
    PrivatePool, SignExtension, SignedBytes, SignedProducts, SubGroupBarrier, UpperHalves, VectorDivision,
    VectorInsertion,
};
use clforge_basic::source::Span;
use clforge_ir::pass;
use clforge_ir::passes::{
    AddressSpaces, AtomicAdditions, CommonSubexpressions, ConstantArrays, DeadCode, DeadFunctions, DeadStores,
    IfConversion, Inline, Mem2Reg, NarrowIntegers, PointerCounters, PromoteIntegers, ScalarPromotion, Simplify,
    SingleExit, StrengthReduction, UnrollArrays, UnrollLoops, WideRotations, ZeroLocalMemory,
};

/// What the passes of a target pass on to each other and to its emitter, besides the module.
#[derive(Default)]
pub struct State {
    /// What the host must know about the module.
    pub interface: ModuleInterface,
    /// The place in the source of each checked access of the interface.
    pub checked_accesses: Vec<CheckedAccess>,
}

/// Where a checked access is in the source.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckedAccess {
    /// The access.
    pub span: Span,
    /// The declared name of the private object that the access belongs to, where that is one object with a name.
    pub object: Option<Span>,
}

/// A pass of a pipeline.
pub type Pass = dyn pass::Pass<State>;

/// What a pass may know besides the module.
pub type Context<'o> = pass::Context<'o, State>;

/// Every pass, in the order of the names.
pub static PASSES: &[&Pass] = &[
    &AddressSpaces,
    &CommonSubexpressions,
    &AtomicAdditions,
    &ConstantArrays,
    &DeadCode,
    &DeadFunctions,
    &DeadStores,
    &IfConversion,
    &Inline,
    &Mem2Reg,
    &NarrowIntegers,
    &PointerCounters,
    &opencl::Builtins,
    &opencl::GenericPointers,
    &opencl::GenericSignatures,
    &ScalarPromotion,
    &Simplify,
    &SingleExit,
    &PromoteIntegers,
    &StrengthReduction,
    &WideRotations,
    &ZeroLocalMemory,
    &UnrollArrays,
    &UnrollLoops,
    &vulkan::Builtins,
    &vulkan::Images,
    &vulkan::KernelAbi,
    &vulkan::LoopEnds,
    &vulkan::LoopIterations,
    &vulkan::Library,
    &vulkan::Memory,
    &vulkan::MemoryModel,
    &vulkan::PrintfFormats,
    &vulkan::Sincos,
    &vulkan::SplitVectors,
    &vulkan::UnswitchTags,
    &vulkan::WideConversions,
    &vulkan::WideDivision,
    &DontInline,
    &FenceScope,
    &LiteralZeros,
    &LocalVectors,
    &LoopExits,
    &LoopHints,
    &LoopLimit,
    &MaskedBarriers,
    &NarrowBitcast,
    &NarrowNegation,
    &OverflowChecks,
    &PoclMath,
    &PrivateArrays,
    &PrivatePool,
    &SignExtension,
    &SignedBytes,
    &SignedProducts,
    &EndlessLoops,
    &SubGroupBarrier,
    &BarrierLoops,
    &BoolBitcast,
    &ByteSwap,
    &UpperHalves,
    &VectorDivision,
    &VectorInsertion,
];

/// The pass of that name.
pub fn by_name(name: &str) -> Option<&'static Pass> {
    PASSES.iter().copied().find(|pass| pass.name() == name)
}
