//! The order of the passes for each target. The last steps, which are tuning and most workarounds of drivers, are
//! listed in `clforge_spirv::workarounds`. The comment before a pass says why it stands there. Each pass declares what
//! it needs of its place (`Order`), and [`check`] compares this with the lists.
//!
//! The lists are the only registry of passes: [`all`] and [`by_name`] are derived from them.

use clforge_basic::options::{OpenClVersion, Options, Sanitizers, Target};
use clforge_basic::tuning::Tuning;
use clforge_basic::workarounds::Workarounds;
use clforge_ir::Module;
use clforge_ir::pass::Alternate as Alternating;
use clforge_ir::passes::{
    AddressSpaces, AtomicAdditions, CommonSubexpressions, ConstantArrays, DeadCode, DeadFunctions, DeadStores,
    FunnelShifts, IfConversion, Inline, KernelExits, LoopInvariants, Mem2Reg, NarrowIntegers, PointerCounters,
    PromoteIntegers, ScalarPromotion, SharedCalls, Simplify, SingleExit, StrengthReduction, UnrollArrays, UnrollLoops,
    WideRotations, ZeroLocalMemory, ZeroPrivateMemory, has_initial_local_memory, has_large_kernels,
};
use clforge_ir::pipeline::{self, Step::*};
use clforge_ir::verify::Dialect;
use clforge_spirv::legalize::{Pass, Step, opencl, vulkan};
use clforge_spirv::workarounds::{self, BarrierLoops, has_barriers_in_loops};
use std::collections::BTreeMap;
use std::sync::LazyLock;

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
    When(zeroes_local_memory, &[Run(&ZeroLocalMemory)]),
    // Before promotion, which makes undefined values of objects that nothing has written. The library's own objects need no zeros.
    When(|_, options| options.codegen.zero_private_memory, &[Run(&ZeroPrivateMemory)]),
    // Before passes that look at calls and memory, and before the library, because of what it makes of reservations of
    // groups.
    When(|module, _| vulkan::has_pipes(module), &[Run(&vulkan::Pipes)]),
    When(|module, _| vulkan::enqueues(module), &[Run(&vulkan::DeviceEnqueue)]),
    // `BarrierLoops` inserts work-group functions, so it runs before those become calls of the library. It needs the
    // lengths of loops, which are in private variables until `Mem2Reg`.
    When(
        |module, options| {
            options.codegen.workarounds.contains(Workarounds::LAVAPIPE_BARRIER_LOOPS) && has_barriers_in_loops(module)
        },
        &[Group(EARLY_MEM2REG), Run(&DeadCode), Run(&BarrierLoops)],
    ),
    // Before `vulkan/library`, which chooses the library function of each built-in function: `sincos` is another
    // function than `sin` and `cos`. Two calls have the same angle only if it is the same value, and angles are
    // loaded from private variables until `Mem2Reg`.
    When(
        |module, options| !options.codegen.opt_disable && vulkan::has_sine_and_cosine(module),
        &[Group(EARLY_MEM2REG), Optimize(&CommonSubexpressions), Optimize(&vulkan::Sincos)],
    ),
    // Before `vulkan/library`, because it inserts operations of sub-groups and arithmetic on halves. Matrices must be values, so
    // functions are inlined and loops over arrays of matrices unrolled first.
    When(
        vulkan::emulates_matrices,
        &[
            Run(&SingleExit),
            Run(&Inline),
            Run(&DeadFunctions),
            Group(PROMOTION),
            WhenChanged(CLEAN_UP),
            Run(&UnrollArrays),
            WhenChanged(CLEAN_UP),
            Group(PROMOTION),
            Run(&vulkan::EmulatedMatrices),
        ],
    ),
    // After the passes that make operations of sub-groups of something else. Before `Builtins`, which replaces some of
    // them by others.
    When(|_, options| options.device.emulated.sub_groups, &[Run(&vulkan::SingleSubGroups)]),
    // Before `Library` and `Builtins`, which know divisions of numbers only.
    Flagged(&workarounds::MatrixDivision, &[]),
    // Links the library functions that the program's built-in functions need.
    Run(&vulkan::Library),
    // Early, so that the code of library functions is inlined and optimised like the program's.
    Run(&vulkan::Builtins),
    // After `Builtins`, which replaces functions of doubles by library calls or instructions. Before inlining, so that
    // what replaces them is inlined like the program's code.
    When(|_, options| options.device.emulated.float64, &[Run(&vulkan::SoftDoubles)]),
    When(|_, options| options.device.emulated.float16, &[Run(&vulkan::SoftHalves)]),
    // `Inline` can only copy a body with one exit.
    Run(&SingleExit),
    // Before the passes that look at large kernels, which know less of what is inside of conditions only.
    When(|_, options| options.codegen.tuning.contains(Tuning::LAVAPIPE_LATE_BARRIER), &[Run(&KernelExits)]),
    // Before `Inline`, which would copy the functions. Arguments are only known to be the same after promotion. Sanitizers
    // would look at the objects that it creates.
    When(
        |module, options| {
            let is_wanted = options.codegen.tuning.contains(Tuning::LAVAPIPE_SHARED_CALLS);
            is_wanted && options.codegen.sanitizers().is_empty() && has_large_kernels(module)
        },
        &[Group(EARLY_MEM2REG), Run(&DeadCode), Run(&SharedCalls)],
    ),
    // Before promotion: in an inlined function it is known which object a pointer argument points to. Functions
    // without callers are removed then.
    Run(&Inline),
    Run(&DeadFunctions),
    // A string argument of `printf` that is passed through a parameter or a private variable may be a literal;
    // promotion shows it.
    When(|module, _| vulkan::has_unknown_strings(module), &[Group(EARLY_PROMOTION), WhenChanged(CLEAN_UP)]),
    // Before `KernelAbi`, which places constants in the program's data: strings that are only printed need no place
    // there.
    Run(&vulkan::PrintfFormats),
    When(|module, _| module.functions.iter().any(vulkan::prints), &[Run(&DeadCode), Run(&DeadFunctions)]),
    // Queries of an image's channels become arguments of the kernel, so `KernelAbi` must know which image is queried.
    // An image in a private variable is only known after promotion.
    When(|module, _| vulkan::has_unknown_images(module), &[Group(EARLY_PROMOTION), WhenChanged(CLEAN_UP)]),
    // Before promotion, so that by-value records and their copies can be promoted to values.
    Run(&vulkan::KernelAbi),
    // After it: it gives arguments their sizes.
    When(|_, options| options.codegen.zero_local_memory, &[Run(&vulkan::ZeroLocalArguments)]),
    // Before promotion, after which it is not known any more which variable nothing wrote. The bits that it adds for
    // scalars are promoted together with the scalars.
    When(looks_at_memory, &[Run(&vulkan::Initialized)]),
    // Runs even with `-cl-opt-disable`: `Memory` relies on few objects being left in memory.
    Group(PROMOTION),
    // After promotion, which leaves the accesses that need memory and shows their objects. Before the clean-up, which
    // moves and merges instructions, so that nearly each has its place in the source. The objects that it creates are
    // promoted below.
    When(|_, options| looks_at_operations(options), &[Run(&vulkan::Sanitize)]),
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
    // After `Memory`, which makes the last checks.
    When(
        |_, options| options.codegen.tuning.contains(Tuning::LAVAPIPE_FIRST_FINDINGS),
        &[Run(&vulkan::RecordFindings)],
    ),
    // After `Memory`, which truncates the indices of variables to 32 bits.
    Optimize(&NarrowIntegers),
    // After `Memory`, which decides which types are loaded and stored. For devices without narrow types, nothing is left
    // of them afterwards.
    When(|_, options| options.device.emulated.any_narrow(), &[Run(&vulkan::NarrowMemory), Run(&PromoteIntegers)]),
    // After `Memory`, for the same reason. Before the clean-up, because many of the extensions that it inserts are
    // common subexpressions.
    Optimize(&PromoteIntegers),
    // `Memory` has made addresses arithmetic, much of which is the same for neighbouring accesses.
    WhenChanged(CLEAN_UP),
    // After `Memory`, which inserts checks, and the clean-up, which shows what of them loops do not change. Before `UnrollLoops`,
    // which can overlap the accesses of loops without checks.
    When(hoists_checks, &[Optimize(&vulkan::HoistChecks), WhenChanged(CLEAN_UP)]),
    // After `Memory`, which inserts the tests of tags. The copy of a loop for one address space has fewer loads of
    // unknown places.
    Optimize(&vulkan::UnswitchTags),
    // This pass and the next ones are late, because a selection hides what is known on each side of a condition. They
    // are before `UnrollLoops`, which then copies less code.
    Optimize(&StrengthReduction),
    // After `StrengthReduction`, which handles divisions by powers of two. Before the clean-up, which simplifies what
    // these two expand.
    Flagged(&vulkan::WideDivision, &[]),
    Flagged(&vulkan::WideConversions, &[]),
    // Before `IfConversion`, which makes selections of its last shifts only. Unused choices are removed, so that the
    // conditions around them are smaller.
    OptimizeThen(&FunnelShifts, &[Run(&DeadCode)]),
    Optimize(&IfConversion),
    // After `IfConversion`, which treats the shifts of a rotation as cheap, but not the operations that this pass
    // replaces them with.
    Optimize(&WideRotations),
    // After `IfConversion`, which makes selections, that drivers move themselves, of small conditions. Before `UnrollLoops`,
    // which then copies less code.
    Optimize(&LoopInvariants),
    When(|_, options| !options.codegen.opt_disable, &[WhenChanged(CLEAN_UP)]),
    // After `Memory`, because the pass recognises addresses that grow by a constant. Not if `LoopLimit` would copy
    // the copies again.
    When(|_, options| options.codegen.unroll_factor == 1, &[Optimize(&UnrollLoops)]),
    When(|_, options| !options.codegen.opt_disable && options.codegen.unroll_factor == 1, &[WhenChanged(CLEAN_UP)]),
    // After all passes that make or change operations of sub-groups. Before `LoopIterations`, because it inserts loops. The clean-up
    // merges the words of what is moved twice.
    When(|_, options| options.device.emulated.sub_group_types, &[Run(&vulkan::SubGroupTypes), WhenChanged(CLEAN_UP)]),
    // `LoopLimit` copies loop-invariant computations, which the clean-up merges. After that, the iterations of loops
    // are those that the driver counts, which the two other passes need.
    When(
        |_, options| options.codegen.unroll_factor > 1,
        &[Run(&vulkan::LoopLimit), WhenChanged(CLEAN_UP), Run(&vulkan::LoopIterations), Run(&vulkan::LoopEnds)],
    ),
    // After all passes that create 64-bit arithmetic. Its divisions are expanded first. The clean-up folds what is done
    // with upper words that are known.
    When(
        |_, options| options.device.emulated.int64,
        &[Run(&vulkan::WideDivision), Run(&vulkan::PairIntegers), WhenChanged(CLEAN_UP)],
    ),
    // After all passes that change accesses to buffers or their indices. Many neighbouring accesses share a limit.
    When(|_, options| options.codegen.robust_buffer_access, &[Run(&vulkan::RestrictIndices), WhenChanged(CLEAN_UP)]),
    // After all passes that simplify atomics.
    Run(&vulkan::MemoryModel),
    // After all passes that make or simplify arithmetic, or change control flow.
    When(
        |_, options| options.codegen.translatable.is_some(),
        &[Run(&vulkan::SeparateCases), Run(&vulkan::Translatable)],
    ),
    // The workarounds are last, because simplification would undo them.
    Group(workarounds::LAST),
];

/// The passes for OpenCL. Consumers optimise for themselves.
static OPENCL: &[Step] = &[
    // First, as for Vulkan: OpenCL environments need not support initial values of local memory.
    When(zeroes_local_memory, &[Run(&ZeroLocalMemory)]),
    When(|_, options| options.codegen.zero_private_memory, &[Run(&ZeroPrivateMemory)]),
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
    When(|_, options| !options.codegen.opt_disable, &[Group(PROMOTION), WhenChanged(CLEAN_UP)]),
    // Last, because simplification would undo them.
    Group(workarounds::LAST_OPENCL),
];

/// Whether local memory begins as zeros, all of it or some.
fn zeroes_local_memory(module: &Module, options: &Options) -> bool {
    options.codegen.zero_local_memory || has_initial_local_memory(module)
}

/// Whether there are checks that `vulkan/sanitize` makes.
fn looks_at_operations(options: &Options) -> bool {
    options.codegen.sanitizers().intersects(Sanitizers::all() - Sanitizers::MEMORY)
}

/// Whether there are the checks of `vulkan/memory`.
fn hoists_checks(_: &Module, options: &Options) -> bool {
    options.codegen.sanitizers().contains(Sanitizers::ADDRESS)
}

const OPENCL_1_2: Target = Target::OpenCl(OpenClVersion::V1_2);

/// Whether there are the checks of `vulkan/initialized`.
fn looks_at_memory(_: &Module, options: &Options) -> bool {
    options.codegen.sanitize.contains(Sanitizers::MEMORY)
}

/// `Mem2Reg` before `vulkan/initialized`, which needs the variables that nothing may have written.
static EARLY_MEM2REG: &[Step] = &[
    When(|module, options| !looks_at_memory(module, options), &[Run(&Mem2Reg)]),
    When(looks_at_memory, &[Run(&vulkan::PromoteWritten)]),
];

/// `PROMOTION` before `vulkan/initialized`.
static EARLY_PROMOTION: &[Step] = &[
    When(|module, options| !looks_at_memory(module, options), &[Group(PROMOTION)]),
    When(looks_at_memory, &[Run(&vulkan::PromoteWritten), Run(&AddressSpaces)]),
];

/// Promotes private objects to values. An object that is reached through a generic pointer cannot be promoted until
/// `address_spaces` has inferred the pointer's space. Each level of pointers to pointers takes a round.
static PROMOTION: &[Step] = &[
    Run(&Mem2Reg),
    Alternate(
        &Alternating { name: "address_spaces+mem2reg", first: &AddressSpaces, second: &Mem2Reg, rounds: 16 },
        &[&AddressSpaces, &Mem2Reg],
    ),
];

/// Simplification and common subexpressions, unless optimisation is off; then dead code, since merging leaves some.
static CLEAN_UP: &[Step] = &[Optimize(&Simplify), Optimize(&CommonSubexpressions), Run(&DeadCode)];

/// Every pass by its name.
static REGISTRY: LazyLock<BTreeMap<&'static str, &'static Pass>> = LazyLock::new(|| {
    let places = PIPELINES.iter().flat_map(|steps| pipeline::passes(steps));
    places.map(|place| (place.pass.name(), place.pass)).collect()
});

const PIPELINES: [&[Step]; 2] = [VULKAN, OPENCL];

/// Every pass, in alphabetical order.
pub fn all() -> impl Iterator<Item = &'static Pass> {
    REGISTRY.values().copied()
}

/// The pass of that name.
pub fn by_name(name: &str) -> Option<&'static Pass> {
    REGISTRY.get(name).copied()
}

/// What is wrong with the orders of the passes. Debug builds call it once before the first pipeline runs.
pub fn check() -> Vec<String> {
    let orders = PIPELINES.iter().flat_map(|steps| pipeline::check(steps));
    let named = all().flat_map(|pass| {
        let order = pass.order();
        let names = [order.after, order.before, order.undone_by].concat();
        names.into_iter().map(move |name| (pass.name(), name))
    });
    let unknown = named.filter(|(_, name)| by_name(name).is_none());
    orders.chain(unknown.map(|(pass, name)| format!("'{pass}' names '{name}', and there is no such pass"))).collect()
}

/// See [`crate::optimization_names`].
pub fn optimization_names() -> Vec<&'static str> {
    let places = PIPELINES.iter().flat_map(|steps| pipeline::passes(steps)).filter(|place| place.is_optimization);
    let mut names: Vec<&str> = places.map(|place| place.pass.name()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use clforge_basic::driver_flags::Place;
    use clforge_basic::tuning::Tuning;

    #[test]
    fn the_orders_are_those_that_the_passes_need() {
        assert_eq!(check(), Vec::<String>::new());
    }

    /// A pass that only runs for flags is named by a row of their table, and the other way round.
    #[test]
    fn rows_of_flags_name_passes() {
        for row in Workarounds::ROWS.iter().chain(Tuning::ROWS) {
            if let Place::Pass(name) = row.place {
                assert!(by_name(name).is_some(), "{}: there is no pass '{name}'", row.name);
            }
        }
        for name in all().map(|pass| pass.name()) {
            let has_flag = Workarounds::of_pass(name).is_some() || Tuning::of_pass(name).is_some();
            let needs_flag = name.starts_with("workarounds/") || name.starts_with("tuning/");
            assert!(has_flag || !needs_flag, "no row names '{name}'");
        }
    }
}
