//! The order of the passes for each target. Nothing else orders passes. The comment before a pass says why it stands
//! there.

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
    // First, because no other pass handles initial values of local memory.
    When(|module, _| has_initial_local_memory(module), &[Run(&ZeroLocalMemory)]),
    // `BarrierLoops` inserts work-group functions, so it runs before those become calls of the library. It needs the
    // lengths of loops, which are in private variables until `Mem2Reg`.
    When(
        |module, options| {
            options.workarounds.contains(Workarounds::LAVAPIPE_BARRIER_LOOPS) && has_barriers_in_loops(module)
        },
        &[Run(&Mem2Reg), Run(&DeadCode), Run(&BarrierLoops)],
    ),
    // Before `vulkan/library`, which chooses the library function of each built-in function: `sincos` is another
    // function than `sin` and `cos`. Two calls have the same angle only if it is the same value, and angles are
    // loaded from private variables until `Mem2Reg`.
    When(
        |module, options| !options.opt_disable && vulkan::has_sine_and_cosine(module),
        &[Run(&Mem2Reg), Optimize(&CommonSubexpressions), Optimize(&vulkan::Sincos)],
    ),
    // Links the library functions that the program's built-in functions need.
    Run(&vulkan::Library),
    // Early, so that the code of library functions is inlined and optimised like the program's.
    Run(&vulkan::Builtins),
    // `Inline` can only copy a body with one exit.
    Run(&SingleExit),
    // Before promotion: in an inlined function it is known which object a pointer argument points to. Functions
    // without callers are removed then.
    Run(&Inline),
    Run(&DeadFunctions),
    // A string argument of `printf` that is passed through a parameter or a private variable may be a literal;
    // promotion shows it.
    When(|module, _| vulkan::has_unknown_strings(module), &[Group(PROMOTION), WhenChanged(CLEAN_UP)]),
    // Before `KernelAbi`, which places constants in the program's data: strings that are only printed need no place
    // there.
    Run(&vulkan::PrintfFormats),
    When(|module, _| module.functions.iter().any(vulkan::prints), &[Run(&DeadCode), Run(&DeadFunctions)]),
    // Queries of an image's channels become arguments of the kernel, so `KernelAbi` must know which image is queried.
    // An image in a private variable is only known after promotion.
    When(|module, _| vulkan::has_unknown_images(module), &[Group(PROMOTION), WhenChanged(CLEAN_UP)]),
    // Before promotion, so that by-value records and their copies can be promoted to values.
    Run(&vulkan::KernelAbi),
    // Runs even with `-cl-opt-disable`: `Memory` relies on few objects being left in memory.
    Group(PROMOTION),
    // After promotion, which turns loads and stores into values that can be simplified.
    WhenChanged(CLEAN_UP),
    // After the clean-up, which removes unused values that loops carry.
    Optimize(&PointerCounters),
    WhenChanged(CLEAN_UP),
    // After the clean-up, which exposes loop counters and their limits.
    Optimize(&UnrollArrays),
    // Unrolling has made indices of arrays constants, which are folded here.
    WhenChanged(CLEAN_UP),
    // Again: arrays with constant indices can be promoted now, and after decided conditions and merged pointers more
    // generic pointers have a single address space.
    Group(PROMOTION),
    // After promotion, which removes the unions through which programs access the bits of a float. Before `Memory`,
    // because the address space of a pointer tells whether the device has an instruction.
    Optimize(&AtomicAdditions),
    // After promotion, which has promoted the arrays that it can.
    Optimize(&ConstantArrays),
    // After promotion, so that only accesses that need memory are left. Before `Memory`, because address spaces tell
    // which accesses cannot overlap. The private objects that it creates are promoted.
    OptimizeThen(&ScalarPromotion, &[Run(&Mem2Reg), Group(CLEAN_UP)]),
    // After `CommonSubexpressions`, which replaces loads by the stored values. Before `Memory`, because address
    // spaces tell which accesses cannot overlap.
    Optimize(&DeadStores),
    // After promotion, which shows the descriptor of each sampler. A later clean-up merges the queries of sizes that
    // this pass inserts.
    Run(&vulkan::Images),
    // After promotion, so that few memory accesses are left to split. Before `Memory`, whose elements have at most
    // four lanes.
    Run(&vulkan::SplitVectors),
    // Removes constants all of whose loads were folded, so that they take no room in the program's data.
    Run(&DeadFunctions),
    // After all passes that analyse memory, because its result is address arithmetic, in which objects cannot be
    // recognised.
    Run(&vulkan::Memory),
    // After `Memory`, which truncates the indices of variables to 32 bits.
    Optimize(&NarrowIntegers),
    // After `Memory`, which decides which types are loaded and stored. Before the clean-up, because many of the
    // extensions that it inserts are common subexpressions.
    Optimize(&PromoteIntegers),
    // `Memory` has made addresses arithmetic, much of which is the same for neighbouring accesses.
    WhenChanged(CLEAN_UP),
    // After `Memory`, which inserts the tests of tags. The copy of a loop for one address space has fewer loads of
    // unknown places.
    Optimize(&vulkan::UnswitchTags),
    // This pass and the next ones are late, because a selection hides what is known on each side of a condition. They
    // are before `UnrollLoops`, which then copies less code.
    Optimize(&StrengthReduction),
    // After `StrengthReduction`, which handles divisions by powers of two. Before the clean-up, which simplifies what
    // these two expand.
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_WIDE_DIVISION), &[Run(&vulkan::WideDivision)]),
    When(
        |_, options| options.workarounds.contains(Workarounds::NVIDIA_WIDE_CONVERSIONS),
        &[Run(&vulkan::WideConversions)],
    ),
    Optimize(&IfConversion),
    // After `IfConversion`, which treats the shifts of a rotation as cheap, but not the operations that this pass
    // replaces them with.
    Optimize(&WideRotations),
    When(|_, options| !options.opt_disable, &[WhenChanged(CLEAN_UP)]),
    // After `Memory`, because the pass recognises addresses that grow by a constant. Not if `LoopLimit` would copy
    // the copies again.
    When(|_, options| options.unroll_factor == 1, &[Optimize(&UnrollLoops)]),
    When(|_, options| !options.opt_disable && options.unroll_factor == 1, &[WhenChanged(CLEAN_UP)]),
    // `LoopLimit` copies loop-invariant computations, which the clean-up merges. After that, the iterations of loops
    // are those that the driver counts, which the two other passes need.
    When(
        |_, options| options.unroll_factor > 1,
        &[Run(&LoopLimit), WhenChanged(CLEAN_UP), Run(&vulkan::LoopIterations), Run(&vulkan::LoopEnds)],
    ),
    // After all passes that simplify atomics.
    Run(&vulkan::MemoryModel),
    // The workarounds are last, because simplification would undo them. Those that rebuild functions are first among
    // them, because rebuilding folds constants. `SignedProducts` may leave dead products.
    When(
        |_, options| options.workarounds.contains(Workarounds::NVIDIA_SIGNED_PRODUCTS),
        &[Run(&SignedProducts), Run(&DeadCode)],
    ),
    // After all passes that handle variables of scalars. It may leave dead indices.
    When(
        |_, options| options.workarounds.contains(Workarounds::NVIDIA_LOCAL_VECTORS),
        &[Run(&LocalVectors), Run(&DeadCode)],
    ),
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_DONT_INLINE), &[Run(&DontInline)]),
    When(|_, options| options.workarounds.contains(Workarounds::LAVAPIPE_LOOP_EXITS), &[Run(&LoopExits)]),
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_ENDLESS_LOOPS), &[Run(&EndlessLoops)]),
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_OVERFLOW_CHECKS), &[Run(&OverflowChecks)]),
    // It may leave the divided vectors dead.
    When(
        |_, options| options.workarounds.contains(Workarounds::NVIDIA_VECTOR_DIVISION),
        &[Run(&VectorDivision), Run(&DeadCode)],
    ),
    When(|_, options| options.workarounds.contains(Workarounds::NVIDIA_BOOL_BITCAST), &[Run(&BoolBitcast)]),
    // The next two passes look for shifts, and the driver turns quotients by powers of two into shifts. So these
    // become shifts first, whether or not `StrengthReduction` ran above.
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
    // Before `LiteralZeros`, because it inserts conditions.
    When(|_, options| options.workarounds.contains(Workarounds::LAVAPIPE_MASKED_BARRIERS), &[Run(&MaskedBarriers)]),
    // After all passes that move values or insert constants.
    When(|_, options| options.workarounds.contains(Workarounds::LAVAPIPE_LITERAL_ZEROS), &[Run(&LiteralZeros)]),
    When(|_, options| options.workarounds.contains(Workarounds::LAVAPIPE_SUB_GROUP_BARRIER), &[Run(&SubGroupBarrier)]),
    // After the passes that add exits to loops.
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
    // First, as for Vulkan: OpenCL environments need not support initial values of local memory.
    When(|module, _| has_initial_local_memory(module), &[Run(&ZeroLocalMemory)]),
    Run(&opencl::Builtins),
    // OpenCL 1.2 has no generic pointers. They must be resolved even with `-cl-opt-disable`.
    When(
        |module, options| options.target == OPENCL_1_2 && opencl::has_generic_pointers(module),
        &[
            Run(&opencl::GenericSignatures),
            Run(&SingleExit),
            Run(&Inline),
            Run(&DeadFunctions),
            Group(PROMOTION),
            // Decided conditions can leave a pointer with a single address space.
            WhenChanged(CLEAN_UP),
            Group(PROMOTION),
            Run(&opencl::GenericPointers),
        ],
    ),
    // People read these modules, and values are easier to read than loads and stores of private variables.
    When(|_, options| !options.opt_disable, &[Group(PROMOTION), WhenChanged(CLEAN_UP)]),
    // Last, because simplification would undo them.
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
