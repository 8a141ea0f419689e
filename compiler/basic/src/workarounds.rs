//! Workarounds for defects of drivers and of other tools that consume our modules. Each is a flag of its own, so that a
//! module for a known driver has only those that it needs, and so that a flag can be removed with the last driver.
//!
//! This table is the only list of them. It makes the constants, the names, the groups, the choice for each driver and,
//! through [`Place::Pass`], the condition under which a pass runs; `cargo xtask tidy` makes the list in `docs/drivers.md`
//! of it. The report that a row names describes the defect in full; the file of the pass describes the remedy.

use crate::driver_flags::{Driver, Modules, Place, Report, Row, driver_flags, needed_by, portable};

driver_flags! {
    /// Deviations from the plainest legal SPIR-V, each for a defect of one consumer.
    ///
    /// [`Workarounds::PORTABLE`], the default, has what known Vulkan drivers need and all of them allow, so that a module
    /// which is compiled once runs everywhere. Consumers of modules for OpenCL are taken for conformant unless a flag is
    /// given.
    set Workarounds;
    groups {
        /// What NVIDIA's Vulkan driver needs.
        NVIDIA = "nvidia": [Nvidia580];
        /// What PoCL 3.1 needs of modules that come to it through llvm-spirv 15.
        POCL_THROUGH_LLVM = "pocl": [LlvmSpirv15, Pocl3];
    }

    /// `lavapipe-sign-extension`. `(long)i < c` is false if the `int` is negative and the optimiser finds `c` constant.
    /// Sign extensions from 32 to 64 bits are written as `UConvert`, `BitwiseXor` and `ISub`, unless the result is only
    /// a term of an address.
    LAVAPIPE_SIGN_EXTENSION {
        name: "lavapipe-sign-extension",
        drivers: [Lavapipe22],
        modules: All,
        place: Pass("workarounds/sign_extension"),
        evidence: [
            "shaders-test/cases/regress/compare_widened.cl",
            "shaders-test/cases/regress/compare_widened_late.cl",
        ],
        report: Ready("docs/drivers/lavapipe-sign-extension.md"),
    }
    /// `lavapipe-fence-scope`. A memory barrier of Device or Workgroup scope is executed as an execution barrier of the
    /// work-group. Fences have the scope of the queue family.
    LAVAPIPE_FENCE_SCOPE {
        name: "lavapipe-fence-scope",
        drivers: [Lavapipe22],
        modules: All,
        place: Pass("workarounds/fence_scope"),
        evidence: ["compiler/spirv/src/workarounds/fence_scope.rs"],
        report: Ready("docs/drivers/lavapipe-fence-scope.md"),
    }
    /// `lavapipe-loop-exits`. A value that is loaded in a loop and leaves it by one exit only is zero after the loop
    /// for work-items that left before others. Such loops get a second exit, which is never taken.
    LAVAPIPE_LOOP_EXITS {
        name: "lavapipe-loop-exits",
        drivers: [Lavapipe22],
        modules: All,
        place: Pass("workarounds/loop_exits"),
        evidence: ["shaders-test/cases/regress/loaded_in_loop.cl"],
        report: Ready("docs/drivers/lavapipe-loop-exits.md"),
    }
    /// `lavapipe-inactive-lanes`. Where a work-group ends within a vector, the driver computes the loops of the other lanes as well,
    /// whose loads give zero: a loop that waits for a value ends when the driver's limit of iterations is reached, which
    /// all later loops of the kernel have reached then, too. Kernels with loops begin with a `return` for such lanes.
    LAVAPIPE_INACTIVE_LANES {
        name: "lavapipe-inactive-lanes",
        drivers: [Lavapipe22],
        modules: OneDriver,
        place: Pass("workarounds/inactive_lanes"),
        evidence: ["shaders-test/cases/regress/inactive_lanes.cl"],
        report: Ready("docs/drivers/lavapipe-inactive-lanes.md"),
    }
    /// `lavapipe-broadcast-first`. `OpGroupNonUniformBroadcastFirst` of a computed float crashes. It becomes an
    /// `OpGroupNonUniformBroadcast` from the lowest active work-item.
    LAVAPIPE_BROADCAST_FIRST {
        name: "lavapipe-broadcast-first",
        drivers: [Lavapipe22],
        modules: All,
        place: Code("compiler/spirv/src/legalize/vulkan/builtins/sub_group_collectives.rs"),
        evidence: ["shaders-test/cases/groups/sub_group.cl", "shaders-test/cases/groups/sub_group_arithmetic.cl"],
        report: None("no kernel is known that fails without it"),
    }
    /// `lavapipe-shuffle-up`. `OpGroupNonUniformShuffleUp` of a computed double crashes. It becomes an
    /// `OpGroupNonUniformShuffle`.
    LAVAPIPE_SHUFFLE_UP {
        name: "lavapipe-shuffle-up",
        drivers: [Lavapipe22],
        modules: All,
        place: Code("compiler/spirv/src/legalize/vulkan/builtins/sub_group_collectives.rs"),
        evidence: ["shaders-test/cases/regress/shuffle_up.cl"],
        report: Ready("docs/drivers/lavapipe-shuffle-up.md"),
    }
    /// `lavapipe-double-to-half`. A conversion of double to half goes through float and rounds twice. The float is
    /// built from the bits of the double, rounded to odd.
    LAVAPIPE_DOUBLE_TO_HALF {
        name: "lavapipe-double-to-half",
        drivers: [Lavapipe22, Lavapipe25],
        modules: All,
        place: Code("compiler/spirv/src/legalize/vulkan/builtins/mod.rs"),
        evidence: ["shaders-test/tests/conversions.rs"],
        report: Ready("docs/drivers/lavapipe-double-to-half.md"),
    }
    /// `lavapipe-double-rint`. `RoundEven` of doubles is wrong. `rint` consists of `Floor` and comparisons.
    LAVAPIPE_DOUBLE_RINT {
        name: "lavapipe-double-rint",
        drivers: [Lavapipe22, Lavapipe25],
        modules: All,
        place: Code("compiler/spirv/src/legalize/vulkan/builtins/expand.rs"),
        evidence: ["shaders-test/tests/conversions.rs", "runtime/tests/launch.rs"],
        report: Ready("docs/drivers/lavapipe-double-rounding.md"),
    }
    /// `lavapipe-double-trunc`. `Trunc` returns doubles from 2^24 on unchanged, with their fractions. `trunc` and
    /// `round` use `Floor` of the magnitude.
    LAVAPIPE_DOUBLE_TRUNC {
        name: "lavapipe-double-trunc",
        drivers: [Lavapipe22, Lavapipe25],
        modules: All,
        place: Code("compiler/spirv/src/legalize/vulkan/builtins/expand.rs"),
        evidence: ["runtime/tests/launch.rs"],
        report: Ready("docs/drivers/lavapipe-double-rounding.md"),
    }
    /// `lavapipe-exp-log`. `Log2` of denormals and `Exp2` near 0 are less precise than OpenCL's relaxed arithmetic
    /// demands. Under relaxed arithmetic, `exp`, `exp2`, `log` and `log2` are functions of the library.
    LAVAPIPE_EXP_LOG {
        name: "lavapipe-exp-log",
        drivers: [Lavapipe22, Lavapipe25],
        modules: All,
        place: Code("compiler/spirv/src/legalize/vulkan/builtins/legalize_actions.rs"),
        evidence: ["runtime/tests/relaxed_math.rs"],
        report: Ready("docs/drivers/lavapipe-log2-of-denormals.md"),
    }
    /// `lavapipe-num-sub-groups`. `NumSubgroups` does not count a last sub-group that is not full. It is computed from
    /// the sizes.
    LAVAPIPE_NUM_SUB_GROUPS {
        name: "lavapipe-num-sub-groups",
        drivers: [Lavapipe22],
        modules: All,
        place: Code("compiler/spirv/src/legalize/vulkan/kernel_abi.rs"),
        evidence: ["runtime/tests/sub_groups.rs"],
        report: Ready("docs/drivers/lavapipe-num-sub-groups.md"),
    }
    /// `lavapipe-store-order`. A memory barrier is no instruction, so a processor may load before an earlier store is
    /// visible to others. Sequentially consistent stores are exchanges, and an exchange precedes sequentially
    /// consistent fences.
    LAVAPIPE_STORE_ORDER {
        name: "lavapipe-store-order",
        drivers: [Lavapipe22],
        modules: All,
        place: Code("compiler/spirv/src/legalize/vulkan/memory_model.rs"),
        evidence: ["shaders-test/cases/sync/litmus.cl"],
        report: Ready("docs/drivers/lavapipe-store-order.md"),
    }
    /// `lavapipe-sub-group-barrier`. A barrier of a sub-group is executed as one of the work-group. It becomes a memory
    /// barrier, which is enough for this driver, but not for those whose work-items advance independently.
    LAVAPIPE_SUB_GROUP_BARRIER {
        name: "lavapipe-sub-group-barrier",
        drivers: [Lavapipe25],
        modules: OneDriver,
        place: Pass("workarounds/sub_group_barrier"),
        evidence: ["shaders-test/cases/regress/sub_group_barrier.cl"],
        report: Ready("docs/drivers/lavapipe-sub-group-barrier.md"),
    }
    /// `lavapipe-narrow-bitcast`. The last of four lanes of 16 bits that constant 64 bits are bit-cast to is zero. The
    /// 64 bits are cast to two words, and each of these to two lanes.
    LAVAPIPE_NARROW_BITCAST {
        name: "lavapipe-narrow-bitcast",
        drivers: [Lavapipe22],
        modules: All,
        place: Pass("workarounds/narrow_bitcast"),
        evidence: ["shaders-test/cases/regress/narrow_bitcast.cl"],
        report: Ready("docs/drivers/lavapipe-narrow-bitcast.md"),
    }
    /// `lavapipe-literal-zeros`. Floating-point arithmetic with a constant zero is wrong for infinities, NaN and the
    /// sign of zero. The driver does not learn that such an operand is zero.
    LAVAPIPE_LITERAL_ZEROS {
        name: "lavapipe-literal-zeros",
        drivers: [Lavapipe22, Lavapipe25],
        modules: Portable,
        place: Pass("workarounds/literal_zeros"),
        evidence: ["shaders-test/cases/regress/literal_zeros.cl", "shaders-test/tests/special_constants.rs"],
        report: Ready("docs/drivers/llvmpipe-zero-operands.md"),
    }
    /// `lavapipe-unrolled-exits`. Unrolling loses an exit of some loops with two exits. Such loops have the control
    /// `DontUnroll`.
    LAVAPIPE_UNROLLED_EXITS {
        name: "lavapipe-unrolled-exits",
        drivers: [Lavapipe25],
        modules: Portable,
        place: Pass("workarounds/loop_hints"),
        evidence: ["shaders-test/cases/regress/unrolled_exits.cl"],
        report: Ready("docs/drivers/lavapipe-unrolled-exits.md"),
    }
    /// `lavapipe-wrapping-counters`. A loop whose counter is past its bound from the start, and gets back by wrapping around, is unrolled
    /// with a wrong number of iterations. Such loops have the control `DontUnroll`.
    LAVAPIPE_WRAPPING_COUNTERS {
        name: "lavapipe-wrapping-counters",
        drivers: [Lavapipe22, Lavapipe25],
        modules: Portable,
        place: Pass("workarounds/loop_hints"),
        evidence: ["shaders-test/cases/regress/wrapping_counters.cl"],
        report: Ready("docs/drivers/lavapipe-wrapping-counters.md"),
    }
    /// `lavapipe-unroll-hints`. A loop with the control `Unroll` becomes nested conditions, of which the driver has
    /// room for 80. Loops have no such control.
    LAVAPIPE_UNROLL_HINTS {
        name: "lavapipe-unroll-hints",
        drivers: [Lavapipe22, Lavapipe25],
        modules: Portable,
        place: Pass("workarounds/loop_hints"),
        evidence: ["shaders-test/cases/regress/unroll_bounded_by_size.cl"],
        report: Ready("docs/drivers/lavapipe-unroll-hints.md"),
    }
    /// `lavapipe-barrier-loops`. A barrier in a loop is executed in iterations that no work-item of the vector makes.
    /// All work-items make as many iterations of such loops.
    LAVAPIPE_BARRIER_LOOPS {
        name: "lavapipe-barrier-loops",
        drivers: [Lavapipe22],
        modules: Portable,
        place: Pass("workarounds/barrier_loops"),
        evidence: [
            "shaders-test/cases/regress/barriers_in_loops.cl",
            "shaders-test/cases/regress/nested_barrier_loops.cl",
        ],
        report: Ready("docs/drivers/llvmpipe-barriers-in-loops.md"),
    }
    /// `lavapipe-masked-barriers`. As `lavapipe-barrier-loops`, for a barrier in a short branch or behind a `break` or
    /// `continue`. Barriers in such loops are put into branches of their own.
    LAVAPIPE_MASKED_BARRIERS {
        name: "lavapipe-masked-barriers",
        drivers: [Lavapipe25],
        modules: Portable,
        place: Pass("workarounds/masked_barriers"),
        evidence: ["shaders-test/cases/regress/barriers_in_loops.cl"],
        report: Ready("docs/drivers/llvmpipe-barriers-in-loops.md"),
    }
    /// `nvidia-narrow-negation`. The negative of the least `char` or `short` is positive once it is widened again. The
    /// bits of narrow negatives are taken as bit fields or extended by arithmetic.
    NVIDIA_NARROW_NEGATION {
        name: "nvidia-narrow-negation",
        drivers: [Nvidia580],
        modules: Portable,
        place: Pass("workarounds/narrow_negation"),
        evidence: [
            "shaders-test/cases/regress/narrow_difference.cl",
            "shaders-test/cases/regress/stored_negative.cl",
            "shaders-test/cases/regress/signed_fields.cl",
            "shaders-test/cases/regress/negated_vectors.cl",
            "shaders-test/cases/regress/low_bits_of_negatives.cl",
        ],
        report: Ready("docs/drivers/nvidia-narrow-negation.md"),
    }
    /// `nvidia-private-pool`. A private array of which little is ever written is read as zeros if a pointer decides
    /// what is read. Pools of private objects of up to 256 bytes begin as zeros.
    NVIDIA_PRIVATE_POOL {
        name: "nvidia-private-pool",
        drivers: [Nvidia580],
        modules: Portable,
        place: Pass("workarounds/private_pool"),
        evidence: ["compiler/spirv/src/workarounds/private_pool.rs"],
        report: None("no minimal kernel is known"),
    }
    /// `nvidia-endless-loops`. Compiling a pipeline never ends for some loops without an exit; lavapipe 25.0.7 ends the process. Such
    /// loops get an exit that is never taken.
    NVIDIA_ENDLESS_LOOPS {
        name: "nvidia-endless-loops",
        drivers: [Nvidia580, Lavapipe25],
        modules: Portable,
        place: Pass("workarounds/endless_loops"),
        evidence: ["shaders-test/modules/endless_loops.spvasm", "shaders-test/cases/regress/endless_branch.cl"],
        report: Ready("docs/drivers/nvidia-endless-loops.md"),
    }
    /// `nvidia-matrix-division`. Negative quotients of cooperative matrices are -0. They are computed one component after the other.
    NVIDIA_MATRIX_DIVISION {
        name: "nvidia-matrix-division",
        drivers: [Nvidia580],
        modules: Portable,
        place: Pass("workarounds/matrix_division"),
        evidence: ["shaders-test/cases/regress/matrix_quotients.cl"],
        report: Ready("docs/drivers/nvidia-cooperative-matrices.md"),
    }
    /// `nvidia-wide-division`. A kernel with a division of 64 bits is optimised again after the driver has linked its
    /// function, into idioms that are lowered in wrong widths. Integers are divided by multiplication.
    NVIDIA_WIDE_DIVISION {
        name: "nvidia-wide-division",
        drivers: [Nvidia580],
        modules: Portable,
        place: Pass("vulkan/wide_division"),
        evidence: [
            "shaders-test/cases/regress/wide_division.cl",
            "shaders-test/cases/regress/wide_loads.cl",
            "shaders-test/cases/regress/narrow_idioms.cl",
        ],
        report: Ready("docs/drivers/nvidia-linked-functions.md"),
    }
    /// `nvidia-double-divide-sqrt`. As `nvidia-wide-division`, for quotients and square roots of doubles, which are
    /// computed by our library.
    NVIDIA_DOUBLE_DIVIDE_SQRT {
        name: "nvidia-double-divide-sqrt",
        drivers: [Nvidia580],
        modules: Portable,
        place: Code("compiler/spirv/src/legalize/vulkan/builtins/mod.rs"),
        evidence: ["shaders-test/cases/regress/narrow_idioms.cl"],
        report: Ready("docs/drivers/nvidia-linked-functions.md"),
    }
    /// `nvidia-wide-conversions`. As `nvidia-wide-division`, for conversions of narrower floating-point numbers to 64
    /// bits, which consist of conversions of words.
    NVIDIA_WIDE_CONVERSIONS {
        name: "nvidia-wide-conversions",
        drivers: [Nvidia580],
        modules: Portable,
        place: Pass("vulkan/wide_conversions"),
        evidence: ["shaders-test/cases/regress/wide_loads.cl", "shaders-test/cases/regress/narrow_idioms.cl"],
        report: Ready("docs/drivers/nvidia-linked-functions.md"),
    }
    /// `nvidia-dont-inline`. Functions that are marked `DontInline` make the GPU hang or the driver crash. Only large
    /// functions keep the mark, and only if no caller has a shape that is known to crash.
    NVIDIA_DONT_INLINE {
        name: "nvidia-dont-inline",
        drivers: [Nvidia580],
        modules: Portable,
        place: Pass("workarounds/dont_inline"),
        evidence: ["shaders-test/cases/regress/calls_after_barriers.cl"],
        report: None("seen in random programs only"),
    }
    /// `nvidia-private-calls`. A kernel does not end whose work-items take different paths to calls of a function that is not
    /// inlined and accesses a private array of the module. Such functions get pointers to arrays of the kernel.
    NVIDIA_PRIVATE_CALLS {
        name: "nvidia-private-calls",
        drivers: [Nvidia580],
        modules: Portable,
        place: Code("compiler/spirv/src/emit/vulkan/passed.rs"),
        evidence: ["shaders-test/cases/regress/divergent_calls.cl"],
        report: Ready("docs/drivers/nvidia-private-calls.md"),
    }
    /// `nvidia-signed-products`. A sign-extended integer times 2^31 is multiplied by -2^31, and one of which low bits
    /// of a product count is negated in its register. Such products are computed with other constants or as
    /// differences.
    NVIDIA_SIGNED_PRODUCTS {
        name: "nvidia-signed-products",
        drivers: [Nvidia580],
        modules: Portable,
        place: Pass("workarounds/signed_products"),
        evidence: [
            "shaders-test/cases/regress/narrow_idioms.cl",
            "shaders-test/cases/regress/signed_sums.cl",
            "shaders-test/cases/regress/signed_factors.cl",
            "shaders-test/cases/regress/negated_in_place.cl",
        ],
        report: Ready("docs/drivers/nvidia-signed-products.md"),
    }
    /// `nvidia-signed-bytes`. A sign-extended lane of a vector of bytes is converted to a floating-point type as a
    /// signed integer even where it is unsigned. The byte is taken as an unsigned field and extended by shifts.
    NVIDIA_SIGNED_BYTES {
        name: "nvidia-signed-bytes",
        drivers: [Nvidia580],
        modules: Portable,
        place: Pass("workarounds/signed_bytes"),
        evidence: ["shaders-test/cases/regress/signed_bytes.cl"],
        report: Ready("docs/drivers/nvidia-signed-bytes.md"),
    }
    /// `nvidia-vector-division`. Quotients of a vector of integers that are put behind other lanes into a vector of
    /// four are read from wrong registers. Vectors are divided lane by lane.
    NVIDIA_VECTOR_DIVISION {
        name: "nvidia-vector-division",
        drivers: [Nvidia580],
        modules: Portable,
        place: Pass("workarounds/vector_division"),
        evidence: ["shaders-test/cases/regress/divided_vectors.cl"],
        report: Ready("docs/drivers/nvidia-vector-division.md"),
    }
    /// `nvidia-bool-bitcast`. The second byte of a word that is made of Boolean values is taken to be equal to the
    /// first. Such a word is taken as a bit field before it is reinterpreted.
    NVIDIA_BOOL_BITCAST {
        name: "nvidia-bool-bitcast",
        drivers: [Nvidia580],
        modules: Portable,
        place: Pass("workarounds/bool_bitcast"),
        evidence: ["shaders-test/cases/regress/bools_as_bytes.cl"],
        report: Ready("docs/drivers/nvidia-bool-bitcast.md"),
    }
    /// `nvidia-byte-swap`. An integer of 16 bits whose bytes change places is stored as something else. Shifts that
    /// move bytes to where others come from the other side are taken as bit fields.
    NVIDIA_BYTE_SWAP {
        name: "nvidia-byte-swap",
        drivers: [Nvidia580],
        modules: Portable,
        place: Pass("workarounds/byte_swap"),
        evidence: ["shaders-test/cases/regress/byte_swap.cl", "shaders-test/cases/regress/byte_swap_in_loops.cl"],
        report: Ready("docs/drivers/nvidia-byte-swap.md"),
    }
    /// `nvidia-overflow-checks`. The test whether a product of zero-extended integers, or a sum of sign-extended bytes,
    /// fits the narrower type is wrong. The upper bits are compared instead.
    NVIDIA_OVERFLOW_CHECKS {
        name: "nvidia-overflow-checks",
        drivers: [Nvidia580],
        modules: Portable,
        place: Pass("workarounds/overflow_checks"),
        evidence: ["shaders-test/cases/regress/overflow_checks.cl"],
        report: Ready("docs/drivers/nvidia-overflow-checks.md"),
    }
    /// `nvidia-upper-halves`. The upper half of a `char` or `short` that is loaded, sign-extended and reinterpreted as
    /// a vector is zero if only that half is used. The upper lanes are taken as bit fields.
    NVIDIA_UPPER_HALVES {
        name: "nvidia-upper-halves",
        drivers: [Nvidia580],
        modules: Portable,
        place: Pass("workarounds/upper_halves"),
        evidence: ["shaders-test/cases/regress/upper_halves.cl"],
        report: Ready("docs/drivers/nvidia-upper-halves.md"),
    }
    /// `llvm-spirv-vectors`. An `OpCompositeConstruct` of a vector is taken for a constant, and one that is none
    /// crashes. Vectors are built by `OpCompositeInsert`.
    LLVM_SPIRV_VECTORS {
        name: "llvm-spirv-vectors",
        drivers: [LlvmSpirv15],
        modules: OneDriver,
        place: Pass("workarounds/vector_insertion"),
        evidence: ["compiler/spirv/src/workarounds/vector_insertion.rs"],
        report: Ready("docs/drivers/llvm-spirv-vectors.md"),
    }
    /// `llvm-spirv-switch`. A basic block that a switch reaches by several literals gets one operand of a phi, where
    /// LLVM needs one for each. Such cases are entered through a basic block of their own.
    LLVM_SPIRV_SWITCH {
        name: "llvm-spirv-switch",
        drivers: [LlvmSpirv15],
        modules: OneDriver,
        place: Code("compiler/spirv/src/emit/common/function.rs"),
        evidence: ["compiler/tests/filetests/emit/opencl/switch.cl"],
        report: Ready("docs/drivers/llvm-spirv-switch.md"),
    }
    /// `pocl-math`. `half_` functions, `fmax_common` and `fmin_common` of `OpenCL.std` are not found. They become the
    /// functions of full precision, `fmax` and `fmin`.
    POCL_MATH {
        name: "pocl-math",
        drivers: [Pocl3],
        modules: OneDriver,
        place: Pass("workarounds/pocl_math"),
        evidence: ["compiler/spirv/src/workarounds/pocl_math.rs"],
        report: Ready("docs/drivers/pocl-math.md"),
    }
}
