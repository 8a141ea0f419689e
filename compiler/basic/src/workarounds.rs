//! Workarounds for defects of drivers and of other tools that consume our modules. Each is a flag of its own, so that a
//! module for a known driver has only those that it needs, and so that a flag can be removed with the last driver.
//!
//! `docs/drivers.md` has the evidence and figures of each flag.

use bitflags::bitflags;
use std::fmt;

bitflags! {
    /// Deviations from the plainest legal SPIR-V, each for a defect of one consumer.
    ///
    /// [`Workarounds::PORTABLE`], the default, has what known Vulkan drivers need and all of them allow, so that a module
    /// which is compiled once runs everywhere. Consumers of modules for OpenCL are taken for conformant unless a flag is given.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub struct Workarounds: u64 {
        /// `lavapipe-sign-extension`. lavapipe 22.3 (Mesa 22.3.6, LLVM 15) takes `(long)i < c` for false when the `int` is
        /// negative and its optimiser finds `c` constant: a specialisation constant, the counter of a loop that it unrolls,
        /// or the 0 of a sign test. Sign extensions from 32 to 64 bits whose result is more than a term of an address are
        /// `UConvert`, `BitwiseXor` and `ISub`. Right in lavapipe 25.0.7 and NVIDIA 580.159. Evidence: the cases
        /// `regress/compare_widened` and `regress/compare_widened_late`.
        const LAVAPIPE_SIGN_EXTENSION = 1 << 0;
        /// `lavapipe-fence-scope`. lavapipe 22.3 executes a memory barrier of Device or Workgroup scope as an execution
        /// barrier of the work-group; in a loop whose trip count differs between vectors of 8 work-items the later ones
        /// never continue. Fences have QueueFamily scope. Right in lavapipe 25.0.7.
        const LAVAPIPE_FENCE_SCOPE = 1 << 1;
        /// `lavapipe-loop-exits`. lavapipe 22.3 gives zero for a value that was loaded in a loop and leaves it by one exit
        /// only, for work-items that left before others. Such loops get a second exit, which is never taken. Right in
        /// lavapipe 25.0.7. Evidence: the case `regress/loaded_in_loop`.
        const LAVAPIPE_LOOP_EXITS = 1 << 2;
        /// `lavapipe-broadcast-first`. lavapipe 22.3 crashes on `OpGroupNonUniformBroadcastFirst` of a computed float. It
        /// becomes an `OpGroupNonUniformBroadcast` from the lowest active work-item.
        const LAVAPIPE_BROADCAST_FIRST = 1 << 3;
        /// `lavapipe-double-to-half`. lavapipe 22.3 and 25.0.7 convert double to half by way of float and round twice. The
        /// float is made from the bits of the double, rounded to odd.
        const LAVAPIPE_DOUBLE_TO_HALF = 1 << 4;
        /// `lavapipe-double-rint`. lavapipe 22.3 rounds vectors of doubles wrongly to nearest even on processors without
        /// AVX-512: `RoundEven` of 0.5 + 2^-53 is 0 (AMD EPYC with AVX2). 25.0.7 leaves doubles from 2^24 as they are. It is
        /// made of `Floor` and comparisons. Evidence: the conversions of `double` with `_rte` in
        /// `shaders-test/tests/conversions.rs`, and `runtime/tests/launch.rs`.
        const LAVAPIPE_DOUBLE_RINT = 1 << 10;
        /// `lavapipe-wide-product`. lavapipe 22.3 takes for `OpUMulExtended` and `OpSMulExtended` of 64 bits 1.4 times
        /// the time that products of 32-bit halves take, of which the upper half of a product is made.
        const LAVAPIPE_WIDE_PRODUCT = 1 << 11;
        /// `lavapipe-double-trunc`. `Trunc` of lavapipe 22.3 and 25.0.7 leaves doubles from 2^24 as they are, with their
        /// fractions. `trunc` and `round` are made of `Floor` of the magnitude. Evidence: `runtime/tests/launch.rs`.
        const LAVAPIPE_DOUBLE_TRUNC = 1 << 13;
        /// `lavapipe-num-sub-groups`. `NumSubgroups` of lavapipe 22.3 leaves a last sub-group out that is not full: 1 for a
        /// work-group of 12 work-items in sub-groups of 8. It is computed of the sizes, all sub-groups but the last being
        /// full. Right in lavapipe 25.0.7. Evidence: `runtime/tests/sub_groups.rs`.
        const LAVAPIPE_NUM_SUB_GROUPS = 1 << 12;
        /// `lavapipe-exp-log`. `Log2` of lavapipe 22.3 and 25.0.7 takes denormals for floats of the least exponent: it is -127
        /// for 2^-141, neither its logarithm nor that of zero; and its `Exp2` is wrong by up to 3.03 ulp near 0, where OpenCL
        /// has a limit of 3 also for relaxed arithmetic. Vulkan's limit is 3 + 2|x| ulp, OpenCL's 3 + floor(2|x|), so `Exp` and
        /// `Exp2` serve where a device is known to be better than Vulkan demands. Under `-cl-unsafe-math-optimizations`,
        /// `exp`, `exp2`, `log` and `log2` are the library's. Evidence: `runtime/tests/relaxed_math.rs`.
        const LAVAPIPE_EXP_LOG = 1 << 14;
        /// `lavapipe-literal-zeros`. llvmpipe (Mesa 22.3.6 and 25.0.7, `lp_bld_arit.c`) takes for what it is not the result of
        /// floating-point arithmetic of which an operand is the constant +0 once NIR has optimised the kernel: `x / 0` is undefined
        /// (0, or what is computed of it is not executed at all), `0 / x` is 0 also for 0 and negative numbers, `x + 0` is -0 for
        /// -0, and in 22.3.6 `0 * x` is 0 for infinities and NaN. The driver does not learn that such an operand is a zero.
        /// Evidence: the cases `regress/literal_zeros` and `shaders-test/tests/special_constants.rs`.
        const LAVAPIPE_LITERAL_ZEROS = 1 << 32;
        /// `lavapipe-unrolled-exits`. lavapipe 25.0.7 unrolls loops with several exits of which one is reached after a known number
        /// of iterations, and in some of them loses that exit, where a loop with the same numbers follows. Such loops have the
        /// control `DontUnroll`. Right in lavapipe 22.3.6. Evidence: the case `regress/unrolled_exits`.
        const LAVAPIPE_UNROLLED_EXITS = 1 << 33;
        /// `lavapipe-unroll-hints`. lavapipe 22.3.6 and 25.0.7 unroll a loop with the control `Unroll` into nested conditions also
        /// where the work-group's size only bounds its length; from some 80 levels on 22.3.6 loses conditions and 25.0.7
        /// crashes. Loops have no such control. Evidence: the case `regress/unroll_bounded_by_size`.
        const LAVAPIPE_UNROLL_HINTS = 1 << 34;
        /// `lavapipe-barrier-loops`. lavapipe 22.3.6 executes a barrier in a loop in each iteration of a vector of work-items, also
        /// where none of them reaches it, and gives up the rest of a work-group whose vectors execute different numbers of
        /// barriers. All work-items make as many iterations of such loops. Evidence: the case `regress/barriers_in_loops`.
        const LAVAPIPE_BARRIER_LOOPS = 1 << 35;
        /// `lavapipe-masked-barriers`. lavapipe 25.0.7 does the same where a barrier is in a branch of less than eight instructions, or
        /// behind a `break` or `continue`. Barriers in such loops are put into branches of their own. Evidence: the case
        /// `regress/barriers_in_loops`.
        const LAVAPIPE_MASKED_BARRIERS = 1 << 36;
        /// `lavapipe-shuffle-up`. lavapipe 22.3.6 crashes in kernels with `OpGroupNonUniformShuffleUp` of a double that is not a
        /// constant. It becomes an `OpGroupNonUniformShuffle`. Right in lavapipe 25.0.7. Evidence: the case `regress/shuffle_up`.
        const LAVAPIPE_SHUFFLE_UP = 1 << 37;
        /// `lavapipe-store-order`. lavapipe 22.3 has no instruction for a memory barrier, so that a processor may load before
        /// an earlier store is visible to others. Sequentially consistent stores are exchanges, and an exchange precedes
        /// sequentially consistent fences. Right in lavapipe 25.0.7. Evidence: `store_buffering` of `sync/litmus`, in which
        /// up to 123 of 32,768 pairs of work-items on two cores both missed the other's store, in a third of its runs.
        const LAVAPIPE_STORE_ORDER = 1 << 15;
        /// `lavapipe-sub-group-barrier`. lavapipe 25.0.7 executes a barrier of a sub-group as one of the work-group, and ends
        /// the work-group at a pass in which any sub-group ends: where sub-groups execute different numbers of barriers,
        /// what the others had left is not executed. Barriers of sub-groups are memory barriers, which is enough for that
        /// driver, but not for those whose work-items advance independently: so this is not in `PORTABLE`. Right in
        /// lavapipe 22.3. Evidence: the case `regress/sub_group_barrier`.
        const LAVAPIPE_SUB_GROUP_BARRIER = 1 << 16;
        /// `lavapipe-narrow-bitcast`. lavapipe 22.3 loses the last of four lanes of 16 bits that 64 bits are bit-cast to, if it finds
        /// these constant. They are cast to two words, and each of these to two lanes. Right in lavapipe 25.0.7. Evidence: the case
        /// `regress/narrow_bitcast`.
        const LAVAPIPE_NARROW_BITCAST = 1 << 21;
        /// `nvidia-narrow-negation`. NVIDIA 580.159 takes the negative of the least `char` or `short` for positive once it
        /// is widened again, also where it finds that a difference is a negative. The bits of narrow negatives, and of
        /// differences that are truncated and widened again, are taken by `OpBitFieldSExtract`. In functions that take the low
        /// bits of a negative all narrow integers are extended with their sign by arithmetic, and not as fields: the driver converts
        /// a field to a floating type as a signed integer, also where it is converted as an unsigned one, or to divide unsigned
        /// integers. Where an integer has lanes or bits of a negative, the low ones are taken by `OpBitFieldUExtract`, since the
        /// driver masks a vector of negatives by negating narrow lanes.
        /// An integer whose lowest 8 bits are those of a negative, such as a product with 255 or a difference from a multiple of
        /// 256, counts as one, of 32 and of 64 bits. Evidence: the cases `regress/narrow_difference`, with a difference in a loop
        /// of one iteration, `regress/stored_negative`, `regress/signed_fields`, `regress/negated_vectors` and
        /// `regress/low_bits_of_negatives`.
        const NVIDIA_NARROW_NEGATION = 1 << 5;
        /// `nvidia-private-pool`. NVIDIA 580.159 reads zeros from a private array of which little is ever written, where a
        /// pointer decides what is read. Pools of private objects of up to 256 bytes begin as zeros.
        const NVIDIA_PRIVATE_POOL = 1 << 6;
        /// `nvidia-private-arrays`. NVIDIA 580.159 keeps private arrays of up to 16 words in registers, where each access at an index is
        /// a comparison and a move for each element. Those of 8 to 16 words that are mostly accessed so get a 17th. Evidence: the
        /// second pass of SHOC's radix sort on an H200, with 16 counters: 2.92 ms, with 17 of them 2.37 ms (NVIDIA's OpenCL: 2.33);
        /// 256 loads of an array of 8 words at random indices: 0.186 and 0.070 ms. Not a defect, but a matter of speed.
        const NVIDIA_PRIVATE_ARRAYS = 1 << 24;
        /// `nvidia-local-vectors`. NVIDIA 580.159 loads the elements of local arrays one by one, even neighbours. Arrays of which
        /// neighbouring elements are loaded together become arrays of vectors. Evidence: SHOC's `sgemmNN` of 2048x2048 matrices on
        /// an H100: 1.30 ms, and 0.81 with vectors (NVIDIA's OpenCL: 0.78). Not a defect, but a matter of speed.
        const NVIDIA_LOCAL_VECTORS = 1 << 25;
        /// `nvidia-endless-loops`. NVIDIA 580.159 never ends compiling some pipelines with a loop that nothing leaves: one in
        /// the branch of a conditional whose other branch has a loop of constant length. Such loops get an exit that is
        /// never taken. Evidence: the module `endless_loops` of `shaders-test/modules`.
        const NVIDIA_ENDLESS_LOOPS = 1 << 17;
        /// `nvidia-wide-division`. NVIDIA 580.159 has functions for a few operations of 64 bits in a library of its own: divisions
        /// of integers, also by constants, divisions and square roots of doubles, and conversions of narrower floating-point
        /// numbers to 64 bits. It optimises a kernel with one of them again once it has linked them, into idioms that it then
        /// lowers in wrong widths, whatever they have to do with the function. Integers are divided by multiplication. Evidence:
        /// the cases `regress/wide_division`, `regress/wide_loads` and `regress/narrow_idioms`.
        const NVIDIA_WIDE_DIVISION = 1 << 18;
        /// `nvidia-double-divide-sqrt`. NVIDIA 580.159, as described for `nvidia-wide-division`: quotients and square roots of doubles
        /// are computed by our library. Evidence: the case `regress/narrow_idioms`.
        const NVIDIA_DOUBLE_DIVIDE_SQRT = 1 << 19;
        /// `nvidia-wide-conversions`. NVIDIA 580.159, as described for `nvidia-wide-division`: conversions of narrower floating-point
        /// numbers to 64 bits are made of conversions of words. Evidence: the cases `regress/wide_loads` and
        /// `regress/narrow_idioms`.
        const NVIDIA_WIDE_CONVERSIONS = 1 << 20;
        /// `nvidia-dont-inline`. Two defects of NVIDIA 580.159 with functions that are marked `DontInline`. First, in kernels that call
        /// one, it keeps masks of the work-items that take part, and waits in some loops for work-items that are elsewhere
        /// (`WARPSYNC.ALL` in the case of a `switch` whose selector comes from a private array), so that the GPU hangs; evidence:
        /// the random program of seed 740000611. Second, it crashes when it compiles a function that accesses a private array in a
        /// loop of constant length, then has two or more barriers, and then calls one; evidence: the random program of seed
        /// 623400692, whose shape the case `regress/calls_after_barriers` has. Only large functions keep the mark, without which
        /// they would take the driver minutes, and only where no caller has the second shape.
        const NVIDIA_DONT_INLINE = 1 << 22;
        /// `nvidia-signed-products`. NVIDIA 580.159 multiplies a sign-extended integer by 2^31, also where that is a shift, as by
        /// -2^31 (`IMAD.WIDE` with -0x80000000 in the machine code of the random program of seed 690001163). Products with constants
        /// from 2^31 to 2^32 are made of those with negative ones; in sums of an integer and its product with a number that the driver may
        /// find to be 2^31 - 1, the integer is assembled of words. Where only low bits of a product count and the lower word of the
        /// constant has all bits set, it negates the integer in its register, if that is uniform, and uses the negative in place of
        /// the integer too. Products with a mask are multiplied in 32 bits, others with such constants are differences. Evidence:
        /// the cases `regress/narrow_idioms`, `regress/signed_sums` and `regress/negated_in_place`.
        const NVIDIA_SIGNED_PRODUCTS = 1 << 23;
        /// `nvidia-signed-bytes`. NVIDIA 580.159 converts a sign-extended lane of a vector of bytes to a floating type as a signed
        /// integer, also where it is converted or divided as an unsigned one: `(uint)v.x / n` and `(float)(uint)v.x` of a `char4`.
        /// There the byte is an unsigned field, extended by shifts. Evidence: the case `regress/signed_bytes`.
        const NVIDIA_SIGNED_BYTES = 1 << 26;
        /// `nvidia-vector-division`. NVIDIA 580.159 divides a vector of integers by constants, and where the quotients are not the
        /// first lanes of a vector of four that they are put into, it takes some from registers that hold something else. Vectors are
        /// divided lane by lane. Evidence: the case `regress/divided_vectors`.
        const NVIDIA_VECTOR_DIVISION = 1 << 27;
        /// `nvidia-bool-bitcast`. NVIDIA 580.159 compares the bytes of a word that is made of Boolean values with zero, and finds the
        /// second one to be what the first one is: `!as_uchar4(x > 0)`. Such a word is taken as a field before it is reinterpreted.
        /// Evidence: the case `regress/bools_as_bytes`.
        const NVIDIA_BOOL_BITCAST = 1 << 28;
        /// `nvidia-byte-swap`. NVIDIA 580.159 recognises an integer of 16 bits whose bytes change places, in most spellings, and
        /// stores something else, often zero. Shifts that move bytes to where others come from the other side are taken by
        /// `OpBitFieldUExtract` and `OpBitFieldSExtract`. Evidence: the cases `regress/byte_swap` and `regress/byte_swap_in_loops`.
        const NVIDIA_BYTE_SWAP = 1 << 29;
        /// `nvidia-overflow-checks`. NVIDIA 580.159 computes wrongly whether a product of zero-extended integers fits the type that
        /// they come from, `(ulong)a * b > UINT_MAX`, and whether a sum of sign-extended bytes does. The upper bits are compared
        /// instead. Evidence: the case `regress/overflow_checks`.
        const NVIDIA_OVERFLOW_CHECKS = 1 << 30;
        /// `nvidia-upper-halves`. NVIDIA 580.159 takes zeros for the upper half of a `char` or `short` that is loaded, sign-extended
        /// and reinterpreted as a vector, if only that half is used: `as_ushort2((int)*p).y`. The upper lanes are taken by
        /// `OpBitFieldUExtract`, and so are lanes of vectors in private arrays that are made by shifts. Evidence: the case
        /// `regress/upper_halves`.
        const NVIDIA_UPPER_HALVES = 1 << 31;
        /// `llvm-spirv-vectors`. llvm-spirv 15 takes an `OpCompositeConstruct` of a vector for a constant and crashes when
        /// it is none. Vectors are made by `OpCompositeInsert`. OpenCL targets only.
        const LLVM_SPIRV_VECTORS = 1 << 7;
        /// `llvm-spirv-switch`. llvm-spirv 15 makes one operand of a phi for a block that a switch reaches by several
        /// literals, where LLVM has one for each. Such cases are entered through a block of their own. OpenCL targets only.
        const LLVM_SPIRV_SWITCH = 1 << 8;
        /// `pocl-math`. PoCL 3.1 finds no `half_` functions, `fmax_common` and `fmin_common` of `OpenCL.std`. They are the
        /// functions of full precision, `fmax` and `fmin`. OpenCL targets only.
        const POCL_MATH = 1 << 9;

        /// What NVIDIA's Vulkan driver needs.
        const NVIDIA = Self::NVIDIA_NARROW_NEGATION.bits()
            | Self::NVIDIA_PRIVATE_POOL.bits()
            | Self::NVIDIA_PRIVATE_ARRAYS.bits()
            | Self::NVIDIA_LOCAL_VECTORS.bits()
            | Self::NVIDIA_ENDLESS_LOOPS.bits()
            | Self::NVIDIA_WIDE_DIVISION.bits()
            | Self::NVIDIA_DOUBLE_DIVIDE_SQRT.bits()
            | Self::NVIDIA_WIDE_CONVERSIONS.bits()
            | Self::NVIDIA_DONT_INLINE.bits()
            | Self::NVIDIA_SIGNED_PRODUCTS.bits()
            | Self::NVIDIA_SIGNED_BYTES.bits()
            | Self::NVIDIA_VECTOR_DIVISION.bits()
            | Self::NVIDIA_BOOL_BITCAST.bits()
            | Self::NVIDIA_BYTE_SWAP.bits()
            | Self::NVIDIA_OVERFLOW_CHECKS.bits()
            | Self::NVIDIA_UPPER_HALVES.bits();
        /// What known Vulkan drivers need, and no other is harmed by.
        const PORTABLE = Self::LAVAPIPE_SIGN_EXTENSION.bits()
            | Self::LAVAPIPE_FENCE_SCOPE.bits()
            | Self::LAVAPIPE_LOOP_EXITS.bits()
            | Self::LAVAPIPE_BROADCAST_FIRST.bits()
            | Self::LAVAPIPE_DOUBLE_TO_HALF.bits()
            | Self::LAVAPIPE_DOUBLE_RINT.bits()
            | Self::LAVAPIPE_WIDE_PRODUCT.bits()
            | Self::LAVAPIPE_NUM_SUB_GROUPS.bits()
            | Self::LAVAPIPE_DOUBLE_TRUNC.bits()
            | Self::LAVAPIPE_EXP_LOG.bits()
            | Self::LAVAPIPE_STORE_ORDER.bits()
            | Self::LAVAPIPE_NARROW_BITCAST.bits()
            | Self::LAVAPIPE_LITERAL_ZEROS.bits()
            | Self::LAVAPIPE_UNROLLED_EXITS.bits()
            | Self::LAVAPIPE_UNROLL_HINTS.bits()
            | Self::LAVAPIPE_BARRIER_LOOPS.bits()
            | Self::LAVAPIPE_MASKED_BARRIERS.bits()
            | Self::LAVAPIPE_SHUFFLE_UP.bits()
            | (Self::NVIDIA.bits() & !(Self::NVIDIA_PRIVATE_ARRAYS.bits() | Self::NVIDIA_LOCAL_VECTORS.bits()));
        /// What PoCL 3.1 needs of modules that come to it through llvm-spirv 15.
        const POCL_THROUGH_LLVM = Self::LLVM_SPIRV_VECTORS.bits()
            | Self::LLVM_SPIRV_SWITCH.bits()
            | Self::POCL_MATH.bits();
    }
}

impl Default for Workarounds {
    fn default() -> Workarounds {
        Workarounds::PORTABLE
    }
}

/// The names of `--workarounds`, single flags first.
const NAMES: [(&str, Workarounds); 42] = [
    ("lavapipe-sign-extension", Workarounds::LAVAPIPE_SIGN_EXTENSION),
    ("lavapipe-fence-scope", Workarounds::LAVAPIPE_FENCE_SCOPE),
    ("lavapipe-loop-exits", Workarounds::LAVAPIPE_LOOP_EXITS),
    ("lavapipe-broadcast-first", Workarounds::LAVAPIPE_BROADCAST_FIRST),
    ("lavapipe-double-to-half", Workarounds::LAVAPIPE_DOUBLE_TO_HALF),
    ("lavapipe-double-rint", Workarounds::LAVAPIPE_DOUBLE_RINT),
    ("lavapipe-wide-product", Workarounds::LAVAPIPE_WIDE_PRODUCT),
    ("lavapipe-num-sub-groups", Workarounds::LAVAPIPE_NUM_SUB_GROUPS),
    ("lavapipe-double-trunc", Workarounds::LAVAPIPE_DOUBLE_TRUNC),
    ("lavapipe-exp-log", Workarounds::LAVAPIPE_EXP_LOG),
    ("lavapipe-store-order", Workarounds::LAVAPIPE_STORE_ORDER),
    ("lavapipe-sub-group-barrier", Workarounds::LAVAPIPE_SUB_GROUP_BARRIER),
    ("lavapipe-narrow-bitcast", Workarounds::LAVAPIPE_NARROW_BITCAST),
    ("lavapipe-literal-zeros", Workarounds::LAVAPIPE_LITERAL_ZEROS),
    ("lavapipe-unrolled-exits", Workarounds::LAVAPIPE_UNROLLED_EXITS),
    ("lavapipe-unroll-hints", Workarounds::LAVAPIPE_UNROLL_HINTS),
    ("lavapipe-barrier-loops", Workarounds::LAVAPIPE_BARRIER_LOOPS),
    ("lavapipe-masked-barriers", Workarounds::LAVAPIPE_MASKED_BARRIERS),
    ("lavapipe-shuffle-up", Workarounds::LAVAPIPE_SHUFFLE_UP),
    ("nvidia-narrow-negation", Workarounds::NVIDIA_NARROW_NEGATION),
    ("nvidia-private-pool", Workarounds::NVIDIA_PRIVATE_POOL),
    ("nvidia-private-arrays", Workarounds::NVIDIA_PRIVATE_ARRAYS),
    ("nvidia-local-vectors", Workarounds::NVIDIA_LOCAL_VECTORS),
    ("nvidia-endless-loops", Workarounds::NVIDIA_ENDLESS_LOOPS),
    ("nvidia-wide-division", Workarounds::NVIDIA_WIDE_DIVISION),
    ("nvidia-double-divide-sqrt", Workarounds::NVIDIA_DOUBLE_DIVIDE_SQRT),
    ("nvidia-wide-conversions", Workarounds::NVIDIA_WIDE_CONVERSIONS),
    ("nvidia-dont-inline", Workarounds::NVIDIA_DONT_INLINE),
    ("nvidia-signed-products", Workarounds::NVIDIA_SIGNED_PRODUCTS),
    ("nvidia-signed-bytes", Workarounds::NVIDIA_SIGNED_BYTES),
    ("nvidia-vector-division", Workarounds::NVIDIA_VECTOR_DIVISION),
    ("nvidia-bool-bitcast", Workarounds::NVIDIA_BOOL_BITCAST),
    ("nvidia-byte-swap", Workarounds::NVIDIA_BYTE_SWAP),
    ("nvidia-overflow-checks", Workarounds::NVIDIA_OVERFLOW_CHECKS),
    ("nvidia-upper-halves", Workarounds::NVIDIA_UPPER_HALVES),
    ("llvm-spirv-vectors", Workarounds::LLVM_SPIRV_VECTORS),
    ("llvm-spirv-switch", Workarounds::LLVM_SPIRV_SWITCH),
    ("pocl-math", Workarounds::POCL_MATH),
    ("nvidia", Workarounds::NVIDIA),
    ("portable", Workarounds::PORTABLE),
    ("pocl", Workarounds::POCL_THROUGH_LLVM),
    ("none", Workarounds::empty()),
];

impl Workarounds {
    /// Every name that [`Workarounds::parse`] accepts.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMES.iter().map(|(name, _)| *name)
    }

    /// Reads a list of names, separated by commas.
    ///
    /// # Errors
    /// The first name that is unknown.
    pub fn parse(text: &str) -> Result<Workarounds, &str> {
        text.split(',').try_fold(Workarounds::empty(), |all, word| {
            let found = NAMES.iter().find(|(name, _)| *name == word.trim());
            found.map(|(_, flags)| all | *flags).ok_or(word.trim())
        })
    }
}

impl fmt::Display for Workarounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let single = NAMES.iter().filter(|(_, flags)| flags.bits().count_ones() == 1 && self.contains(*flags));
        let names: Vec<&str> = single.map(|(name, _)| *name).collect();
        if names.is_empty() { f.write_str("none") } else { f.write_str(&names.join(",")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        assert_eq!(Workarounds::parse("none"), Ok(Workarounds::empty()));
        assert_eq!(Workarounds::parse("portable"), Ok(Workarounds::default()));
        let two = Workarounds::LAVAPIPE_LOOP_EXITS | Workarounds::POCL_MATH;
        assert_eq!(Workarounds::parse("pocl-math, lavapipe-loop-exits"), Ok(two));
        assert_eq!(Workarounds::parse("portable,no-such"), Err("no-such"));
        for flags in [Workarounds::empty(), two, Workarounds::all()] {
            assert_eq!(Workarounds::parse(&flags.to_string()), Ok(flags));
        }
    }

    #[test]
    fn every_flag_has_one_name() {
        let single: Vec<Workarounds> =
            NAMES.iter().map(|(_, flags)| *flags).filter(|flags| flags.bits().count_ones() == 1).collect();
        assert_eq!(single.iter().copied().fold(Workarounds::empty(), |all, flag| all | flag), Workarounds::all());
        assert_eq!(single.len(), Workarounds::all().bits().count_ones() as usize);
    }
}
