//! Forms of code that a driver executes faster than the plainest ones. Without them modules compute the same.

use crate::driver_flags::{Driver, Modules, Place, Report, Row, driver_flags, needed_by, portable};

driver_flags! {
    /// Forms of code for the speed of one driver. `docs/drivers.md` has the measurements.
    set Tuning;
    groups {
        /// What makes modules faster on NVIDIA's Vulkan driver.
        NVIDIA = "nvidia": [Nvidia580];
    }

    /// `lavapipe-wide-product`. `OpUMulExtended` and `OpSMulExtended` of 64 bits are slower than products of 32-bit halves,
    /// from which the upper half of a product is computed.
    LAVAPIPE_WIDE_PRODUCT {
        name: "lavapipe-wide-product",
        drivers: [Lavapipe22],
        modules: All,
        place: Code("compiler/spirv/src/legalize/vulkan/builtins/legalize_actions.rs"),
        evidence: ["docs/drivers.md"],
        report: None("a matter of speed"),
    }
    /// `lavapipe-unrolled-arrays`. LLVM takes far longer than linear time for the accesses of private arrays at variable
    /// indices, so that loops are unrolled for arrays although the copies have many other accesses.
    LAVAPIPE_UNROLLED_ARRAYS {
        name: "lavapipe-unrolled-arrays",
        drivers: [Lavapipe22, Lavapipe25],
        modules: OneDriver,
        place: Code("compiler/ir/src/passes/unroll_arrays/mod.rs"),
        evidence: ["docs/drivers.md"],
        report: None("a matter of speed"),
    }
    /// `lavapipe-inlined-calls`. The driver copies each function to each of its calls before it optimises any. All calls are
    /// replaced by optimised bodies, as far as the size of a function lets them.
    LAVAPIPE_INLINED_CALLS {
        name: "lavapipe-inlined-calls",
        drivers: [Lavapipe25],
        modules: OneDriver,
        place: Code("compiler/ir/src/passes/inline.rs"),
        evidence: ["docs/drivers.md"],
        report: None("a matter of speed"),
    }
    /// `lavapipe-shared-calls`. The driver copies each function to each of its calls, and needs time for each copy. In very large
    /// kernels the calls of a large function share one place in their caller.
    LAVAPIPE_SHARED_CALLS {
        name: "lavapipe-shared-calls",
        drivers: [Lavapipe25],
        modules: OneDriver,
        place: Code("compiler/ir/src/passes/shared_calls/mod.rs"),
        evidence: ["docs/drivers.md"],
        report: None("a matter of speed"),
    }
    /// `lavapipe-rolled-loops`. LLVM takes far longer than linear time for functions with barriers and very many accesses of
    /// memory, and for any kernel with very many operations on the execution mask. Loops that would give a function more than
    /// a thousand accesses, or kernels twice as many uses of the mask, have the control `DontUnroll`.
    LAVAPIPE_ROLLED_LOOPS {
        name: "lavapipe-rolled-loops",
        drivers: [Lavapipe25],
        modules: OneDriver,
        place: Pass("tuning/rolled_loops"),
        evidence: ["docs/drivers.md"],
        report: None("a matter of speed"),
    }
    /// `lavapipe-late-barrier`. LLVM takes quadratic time in the number of uses of a variable, as of the execution mask, unless
    /// it is used before and after a barrier. Large kernels end with a barrier and such uses.
    LAVAPIPE_LATE_BARRIER {
        name: "lavapipe-late-barrier",
        drivers: [Lavapipe25],
        modules: OneDriver,
        place: Pass("tuning/late_barrier"),
        evidence: ["docs/drivers.md"],
        report: None("a matter of speed"),
    }
    /// `lavapipe-barriers-between`. LLVM takes quadratic time in the size of a kernel for what is live across a barrier or follows
    /// each variable's definition. Large kernels have a barrier between their parts, at which the driver divides them.
    LAVAPIPE_BARRIERS_BETWEEN {
        name: "lavapipe-barriers-between",
        drivers: [Lavapipe25],
        modules: OneDriver,
        place: Pass("tuning/barriers_between"),
        evidence: ["docs/drivers.md"],
        report: None("a matter of speed"),
    }
    /// `lavapipe-first-findings`. Both sides of each branch are executed, also the one that records what a sanitizer has found.
    /// Work-items count what each site finds in variables, keep what is told of the first time, and record it where the kernel
    /// ends.
    LAVAPIPE_FIRST_FINDINGS {
        name: "lavapipe-first-findings",
        drivers: [Lavapipe22, Lavapipe25],
        modules: OneDriver,
        place: Code("compiler/spirv/src/legalize/vulkan/first_findings.rs"),
        evidence: ["docs/drivers.md"],
        report: None("a matter of speed"),
    }
    /// `lavapipe-matrix-values`. Each access of a private array at a variable index is a loop over eight work-items, so that emulated
    /// matrices stay values, however many components they have.
    LAVAPIPE_MATRIX_VALUES {
        name: "lavapipe-matrix-values",
        drivers: [Lavapipe22, Lavapipe25],
        modules: OneDriver,
        place: Code("compiler/spirv/src/legalize/vulkan/matrices/in_memory.rs"),
        evidence: ["docs/drivers.md"],
        report: None("a matter of speed"),
    }
    /// `nvidia-private-arrays`. Private arrays of up to 16 words are kept in registers, where an access at a variable index
    /// is slow. Those of 8 to 16 words that are mostly accessed in this way get a 17th word.
    NVIDIA_PRIVATE_ARRAYS {
        name: "nvidia-private-arrays",
        drivers: [Nvidia580],
        modules: OneDriver,
        place: Pass("tuning/private_arrays"),
        evidence: ["docs/drivers.md"],
        report: None("a matter of speed"),
    }
    /// `nvidia-non-writable`. Loads of memory that nothing writes while the kernel is executed are not moved over stores and
    /// barriers, and do not use the cache for such memory, unless they load a member of a structure that is `NonWritable`.
    NVIDIA_NON_WRITABLE {
        name: "nvidia-non-writable",
        drivers: [Nvidia580],
        modules: OneDriver,
        place: Code("compiler/spirv/src/emit/vulkan/addresses.rs"),
        evidence: ["docs/drivers.md"],
        report: None("a matter of speed"),
    }
    /// `nvidia-large-groups`. Loops of run-time trip counts are not unrolled where their bodies are large or write private memory.
    /// `unroll_loops` combines more iterations of them.
    NVIDIA_LARGE_GROUPS {
        name: "nvidia-large-groups",
        drivers: [Nvidia580],
        modules: OneDriver,
        place: Code("compiler/ir/src/passes/unroll_loops/mod.rs"),
        evidence: ["docs/drivers.md"],
        report: None("a matter of speed"),
    }
    /// `nvidia-local-vectors`. Elements of arrays in local memory are loaded one by one. Arrays whose neighbouring elements
    /// are loaded together become arrays of vectors.
    NVIDIA_LOCAL_VECTORS {
        name: "nvidia-local-vectors",
        drivers: [Nvidia580],
        modules: OneDriver,
        place: Pass("tuning/local_vectors"),
        evidence: ["docs/drivers.md"],
        report: None("a matter of speed"),
    }
}
