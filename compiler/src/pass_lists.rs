//! The only place where passes are ordered, each with the reason for its position.

use crate::pass_manager::{Step, Step::*};
use clforge_basic::options::{OpenClVersion, Target};
use clforge_basic::workarounds::Workarounds;
use clforge_ir::pass::Alternate;
use clforge_ir::passes::{
    AddressSpaces, AtomicAdditions, CommonSubexpressions, ConstantArrays, DeadCode, DeadFunctions, DeadStores,
    IfConversion, Inline, Mem2Reg, NarrowIntegers, PointerCounters, PromoteIntegers, ScalarPromotion, Simplify,
    SingleExit, StrengthReduction, UnrollArrays, UnrollLoops, WideRotations, ZeroLocalMemory, has_initial_local_memory,
};
use clforge_ir::verify::Dialect;
use clforge_spirv::legalize::{opencl, vulkan};
use clforge_spirv::workarounds::{
    BarrierLoops, BoolBitcast, ByteSwap, DontInline, EndlessLoops, FenceScope, LiteralZeros, LocalVectors, LoopExits,
    LoopHints, LoopLimit, MaskedBarriers, NarrowBitcast, NarrowNegation, OverflowChecks, PoclMath, PrivateArrays,
    PrivatePool, SignExtension, SignedBytes, SignedProducts, SubGroupBarrier, UpperHalves, VectorDivision,
    VectorInsertion, has_barriers_in_loops,
};

/// The passes for a target, and the dialect that a module is in after them.
pub fn of(target: Target) -> (&'static [Step], Dialect) {
    match target {
        Target::Vulkan(_) => (VULKAN, Dialect::VULKAN),
        Target::OpenCl(version) => (OPENCL, Dialect::OpenCl { generic_pointers: version != OpenClVersion::V1_2 }),
    }
}

/// The passes for Vulkan.
static VULKAN: &[Step] = &[
    // First: no other pass knows that local memory can have initial values.
    When(|module, _| has_initial_local_memory(module), &[Run(&ZeroLocalMemory)]),
    // Before the functions of work-groups become calls, since it inserts some. The lengths of loops are in variables until those are
    // promoted.
    When(
        |module, options| {
            options.workarounds.contains(Workarounds::LAVAPIPE_BARRIER_LOOPS) && has_barriers_in_loops(module)
        },
        &[Run(&Mem2Reg), Run(&DeadCode), Run(&BarrierLoops)],
    ),
    // Before what built-in functions become calls of is known. Angles are loaded from variables until those are promoted.
    When(
        |module, options| !options.opt_disable && vulkan::has_sine_and_cosine(module),
        &[Run(&Mem2Reg), Optimize(&CommonSubexpressions), Optimize(&vulkan::Sincos)],
    ),
    // What built-in functions become calls of.
    Run(&vulkan::Library),
    // Early, so that the library's code is inlined and optimised like the program's.
    Run(&vulkan::Builtins),
    // Only a body with one exit can be inlined.
    Run(&SingleExit),
    // Before promotion: inlined, a pointer names its object. What nothing uses any more takes no room in the module.
    Run(&Inline),
    Run(&DeadFunctions),
    // A string that came as an argument, or through a variable, may be a literal.
    When(|module, _| vulkan::has_unknown_strings(module), &[Group(PROMOTION), WhenChanged(CLEAN_UP)]),
    // Before the kernel ABI, so that strings that are only printed take no room in the program's data.
    Run(&vulkan::PrintfFormats),
    When(|module, _| module.functions.iter().any(vulkan::prints), &[Run(&DeadCode), Run(&DeadFunctions)]),
    // The channels of an image are arguments of the kernel, which it must be known for.
    When(|module, _| vulkan::has_unknown_images(module), &[Group(PROMOTION), WhenChanged(CLEAN_UP)]),
    // Before promotion, so that by-value records and their copies can become values.
    Run(&vulkan::KernelAbi),
    // Legality needs it: few objects are then left in memory, whatever the optimisation level.
    Group(PROMOTION),
    // Now that values are visible.
    WhenChanged(CLEAN_UP),
    // After it, which removes what nothing uses of what loops carry.
    Optimize(&PointerCounters),
    WhenChanged(CLEAN_UP),
    // Simplified, so that counters and their limits are seen.
    Optimize(&UnrollArrays),
    // The indices of arrays are constants now.
    WhenChanged(CLEAN_UP),
    // Once more: arrays whose indices are constants now, and choices that were decided and pointers that were merged, which can
    // leave fewer spaces.
    Group(PROMOTION),
    // After promotion, which makes values of the unions by which programs see a float's bits; while the spaces of pointers tell
    // what the device has instructions for.
    Optimize(&AtomicAdditions),
    // After promotion, which makes values of the arrays that can be.
    Optimize(&ConstantArrays),
    // After promotion, which leaves the accesses that need memory; while the spaces of pointers tell what cannot overlap. Its
    // objects become values.
    OptimizeThen(&ScalarPromotion, &[Run(&Mem2Reg), Group(CLEAN_UP)]),
    // After common subexpressions, which gives loads the values that were stored; while spaces tell what cannot overlap.
    Optimize(&DeadStores),
    // After promotion, which shows the descriptor of each sampler; the queries of sizes that it inserts are cleaned up later.
    Run(&vulkan::Images),
    // After promotion, so that few memory accesses are left to split; before memory, whose elements are at most 4 wide.
    Run(&vulkan::SplitVectors),
    // Constants of which every load was folded take no room in the program's data.
    Run(&DeadFunctions),
    // It must see what pointers are left, and what it makes cannot be analysed as memory any more.
    Run(&vulkan::Memory),
    // After memory, whose indices are words.
    Optimize(&NarrowIntegers),
    // After memory, which shows what is loaded and stored in narrow types; what it extends often is a common subexpression.
    Optimize(&PromoteIntegers),
    // Addresses are arithmetic now, and much of it is the same for neighbouring accesses.
    WhenChanged(CLEAN_UP),
    // After memory, which makes the tests; a copy of a loop for each space has fewer loads of unknown places.
    Optimize(&vulkan::UnswitchTags),
    // Late, since a selection hides what is known on each side; before loops are unrolled, which copies less then.
    Optimize(&StrengthReduction),
    // After it, which divides by powers of two; what is left is simplified like the program.
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_WIDE_DIVISION), &[Run(&vulkan::WideDivision)]),
    When(
        |_, options| options.workarounds.contains(Workarounds::NVIDIA_WIDE_CONVERSIONS),
        &[Run(&vulkan::WideConversions)],
    ),
    Optimize(&IfConversion),
    // After it, which takes the shifts of a rotation for cheap, but not what becomes of them.
    Optimize(&WideRotations),
    When(|_, options| !options.opt_disable, &[WhenChanged(CLEAN_UP)]),
    // Loops with a hint are left alone; addresses show how they grow. Not where each copy would be copied again.
    When(|_, options| options.unroll_factor == 1, &[Optimize(&UnrollLoops)]),
    When(|_, options| !options.opt_disable && options.unroll_factor == 1, &[WhenChanged(CLEAN_UP)]),
    // Unrolling has copied loop-invariant computations, which are common subexpressions now. Then the iterations are those that the
    // driver counts.
    When(
        |_, options| options.unroll_factor > 1,
        &[Run(&LoopLimit), WhenChanged(CLEAN_UP), Run(&vulkan::LoopIterations), Run(&vulkan::LoopEnds)],
    ),
    // After all that simplifies atomics.
    Run(&vulkan::MemoryModel),
    // Last: to simplify what they do is to undo it. First those that rebuild functions, which folds what is constant.
    // What products are made of may leave the products dead.
    When(
        |_, options| options.workarounds.contains(Workarounds::NVIDIA_SIGNED_PRODUCTS),
        &[Run(&SignedProducts), Run(&DeadCode)],
    ),
    // After all that knows variables of scalars. The indices of the scalars may be dead.
    When(
        |_, options| options.workarounds.contains(Workarounds::NVIDIA_LOCAL_VECTORS),
        &[Run(&LocalVectors), Run(&DeadCode)],
    ),
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_DONT_INLINE), &[Run(&DontInline)]),
    When(|_, options| options.workarounds.contains(Workarounds::LAVAPIPE_LOOP_EXITS), &[Run(&LoopExits)]),
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_ENDLESS_LOOPS), &[Run(&EndlessLoops)]),
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_OVERFLOW_CHECKS), &[Run(&OverflowChecks)]),
    // The vectors that were divided may be dead.
    When(
        |_, options| options.workarounds.contains(Workarounds::NVIDIA_VECTOR_DIVISION),
        &[Run(&VectorDivision), Run(&DeadCode)],
    ),
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_BOOL_BITCAST), &[Run(&BoolBitcast)]),
    // To the driver, quotients by powers of two are shifts too.
    When(
        |_, options| options.workarounds.intersects(Workarounds::NVIDIA_UPPER_HALVES | Workarounds::NVIDIA_BYTE_SWAP),
        &[When(|_, options| options.opt_disable, &[Run(&StrengthReduction)]), Optimize(&StrengthReduction)],
    ),
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_UPPER_HALVES), &[Run(&UpperHalves)]),
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_BYTE_SWAP), &[Run(&ByteSwap)]),
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_SIGNED_BYTES), &[Run(&SignedBytes)]),
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_NARROW_NEGATION), &[Run(&NarrowNegation)]),
    When(|_, options| options.workarounds.contains(Workarounds::LAVAPIPE_NARROW_BITCAST), &[Run(&NarrowBitcast)]),
    When(|_, options| options.workarounds.contains(Workarounds::LAVAPIPE_SIGN_EXTENSION), &[Run(&SignExtension)]),
    When(|_, options| options.workarounds.contains(Workarounds::LAVAPIPE_FENCE_SCOPE), &[Run(&FenceScope)]),
    // Before the next one: it makes conditions.
    When(|_, options| options.workarounds.contains(Workarounds::LAVAPIPE_MASKED_BARRIERS), &[Run(&MaskedBarriers)]),
    // After all that moves values or makes constants.
    When(|_, options| options.workarounds.contains(Workarounds::LAVAPIPE_LITERAL_ZEROS), &[Run(&LiteralZeros)]),
    When(|_, options| options.workarounds.contains(Workarounds::LAVAPIPE_SUB_GROUP_BARRIER), &[Run(&SubGroupBarrier)]),
    // After those that add exits to loops.
    When(
        |_, options| {
            options.workarounds.intersects(Workarounds::LAVAPIPE_UNROLL_HINTS | Workarounds::LAVAPIPE_UNROLLED_EXITS)
        },
        &[Run(&LoopHints)],
    ),
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_PRIVATE_ARRAYS), &[Run(&PrivateArrays)]),
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_PRIVATE_POOL), &[Run(&PrivatePool)]),
];

/// The passes for OpenCL. Consumers optimise for themselves.
static OPENCL: &[Step] = &[
    // First, as for Vulkan: environments need not give local memory an initial value.
    When(|module, _| has_initial_local_memory(module), &[Run(&ZeroLocalMemory)]),
    Run(&opencl::Builtins),
    // Legality needs it: OpenCL 1.2 has no generic pointers.
    When(
        |module, options| options.target == OPENCL_1_2 && opencl::has_generic_pointers(module),
        &[
            Run(&opencl::GenericSignatures),
            Run(&SingleExit),
            Run(&Inline),
            Run(&DeadFunctions),
            Group(PROMOTION),
            // Choices that were decided can leave fewer spaces.
            WhenChanged(CLEAN_UP),
            Group(PROMOTION),
            Run(&opencl::GenericPointers),
        ],
    ),
    // A module that people read should not be made of loads and stores.
    When(|_, options| !options.opt_disable, &[Group(PROMOTION), WhenChanged(CLEAN_UP)]),
    // Last: to simplify what they do is to undo it.
    When(|_, options| options.workarounds.contains(Workarounds::LLVM_SPIRV_VECTORS), &[Run(&VectorInsertion)]),
    When(|_, options| options.workarounds.contains(Workarounds::POCL_MATH), &[Run(&PoclMath)]),
];

const OPENCL_1_2: Target = Target::OpenCl(OpenClVersion::V1_2);

/// Private objects become values. A generic pointer hides its object; where its space can be inferred it no longer does, and
/// then more objects can become values. Each level of pointers to pointers takes a round.
static PROMOTION: &[Step] = &[
    Run(&Mem2Reg),
    Run(&Alternate { name: "address_spaces+mem2reg", first: &AddressSpaces, second: &Mem2Reg, rounds: 16 }),
];

/// Simplification and common subexpressions, unless optimisation is off; then dead code, since merging leaves some.
static CLEAN_UP: &[Step] = &[Optimize(&Simplify), Optimize(&CommonSubexpressions), Run(&DeadCode)];

/// See [`crate::optimization_names`].
pub fn optimization_names() -> Vec<&'static str> {
    let mut names = [Step::optimizations(VULKAN), Step::optimizations(OPENCL)].concat();
    names.sort_unstable();
    names.dedup();
    names
}
