//! The kinds of each family of operations: which unary operation, which comparison, which atomic, in which scope and
//! order, each with its word in the text form.

use super::field::{Field, Kind};

/// Declares enumerations whose variants are words of the text form.
macro_rules! kinds {
    ($(
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $($(#[$variant_attribute:meta])* $variant:ident = $word:literal,)*
        }
    )*) => {
        $(
            $(#[$attribute])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $name {
                $($(#[$variant_attribute])* $variant,)*
            }

            impl $name {
                /// Every one, in the order of the declaration.
                pub const ALL: &'static [$name] = &[$($name::$variant),*];

                /// Its word in the text form.
                pub fn text(self) -> &'static str {
                    match self { $($name::$variant => $word),* }
                }
            }

            impl Kind for $name {
                const ALL: &'static [$name] = $name::ALL;

                fn text(self) -> &'static str {
                    self.text()
                }
            }

            impl Field for $name {}
        )*
    };
}

kinds! {
    pub enum UnaryOp {
        /// Integer negation.
        Neg = "neg",
        /// Complement; of `bool` logical not.
        Not = "not",
        FNeg = "fneg",
    }

    /// Lane-wise; both operands and the result have one type.
    pub enum BinaryOp {
        Add = "add",
        Sub = "sub",
        Mul = "mul",
        SDiv = "sdiv",
        UDiv = "udiv",
        /// Sign of the dividend, as C's `%`.
        SRem = "srem",
        URem = "urem",
        Shl = "shl",
        LShr = "lshr",
        AShr = "ashr",
        /// Also of `bool`.
        And = "and",
        Or = "or",
        Xor = "xor",
        FAdd = "fadd",
        FSub = "fsub",
        FMul = "fmul",
        FDiv = "fdiv",
    }

    /// Lane-wise; the result is `bool` with the operands' lanes.
    pub enum CompareOp {
        /// Integers, `bool`s and pointers.
        Eq = "eq",
        Ne = "ne",
        SLt = "slt",
        SLe = "sle",
        SGt = "sgt",
        SGe = "sge",
        /// Integers and pointers.
        ULt = "ult",
        ULe = "ule",
        UGt = "ugt",
        UGe = "uge",
        /// Ordered: false with a NaN.
        FEq = "feq",
        /// Unordered: true with a NaN.
        FNe = "fne",
        FLt = "flt",
        FLe = "fle",
        FGt = "fgt",
        FGe = "fge",
        /// Neither is NaN.
        FOrd = "ford",
        /// One is NaN.
        FUno = "funo",
    }
}

impl CompareOp {
    /// With the operands exchanged: `b op a` as `a swapped(op) b`.
    pub fn swapped(self) -> CompareOp {
        use CompareOp::*;
        match self {
            SLt => SGt,
            SLe => SGe,
            SGt => SLt,
            SGe => SLe,
            ULt => UGt,
            ULe => UGe,
            UGt => ULt,
            UGe => ULe,
            FLt => FGt,
            FLe => FGe,
            FGt => FLt,
            FGe => FLe,
            Eq | Ne | FEq | FNe | FOrd | FUno => self,
        }
    }

    /// The comparison that holds exactly where this one does not. Ordered floating comparisons have none.
    pub fn inverse(self) -> Option<CompareOp> {
        use CompareOp::*;
        Some(match self {
            Eq => Ne,
            Ne => Eq,
            SLt => SGe,
            SLe => SGt,
            SGt => SLe,
            SGe => SLt,
            ULt => UGe,
            ULe => UGt,
            UGt => ULe,
            UGe => ULt,
            FEq => FNe,
            FNe => FEq,
            FOrd => FUno,
            FUno => FOrd,
            FLt | FLe | FGt | FGe => return None,
        })
    }

    /// For a signed order, the same one of unsigned numbers.
    pub fn unsigned(self) -> Option<CompareOp> {
        match self {
            CompareOp::SLt => Some(CompareOp::ULt),
            CompareOp::SLe => Some(CompareOp::ULe),
            CompareOp::SGt => Some(CompareOp::UGt),
            CompareOp::SGe => Some(CompareOp::UGe),
            _ => None,
        }
    }
}

kinds! {
    /// Lane-wise but for `Bitcast`.
    pub enum ConvertOp {
        /// Integer to narrower integer.
        Trunc = "trunc",
        /// Also from `bool` (0 or 1).
        ZExt = "zext",
        /// Also from `bool` (0 or -1).
        SExt = "sext",
        /// To nearest even.
        FTrunc = "ftrunc",
        FExt = "fext",
        /// Toward zero.
        FToS = "ftos",
        FToU = "ftou",
        /// To nearest even.
        SToF = "stof",
        UToF = "utof",
        /// Same total bits; lane 0 is the low bits.
        Bitcast = "bitcast",
        /// To `i64`.
        PtrToInt = "ptr_to_int",
        /// From `i64`.
        IntToPtr = "int_to_ptr",
        /// Another address space: to or from generic. From generic, the pointer must point into that space or be null.
        PtrCast = "ptr_cast",
        /// From generic: null where the pointer does not point into that space.
        PtrCastChecked = "ptr_cast_checked",
    }
}

/// How a number is rounded that the narrower floating type does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rounding {
    NearestEven,
    Zero,
    /// Toward positive infinity.
    Up,
    /// Toward negative infinity.
    Down,
}

kinds! {
    /// What [`Op::Check`](super::Op::Check) is of, and what its two numbers are: integers that are extended to the lanes' type.
    pub enum CheckOp {
        /// Sums and other operations on floating numbers, whose result must be finite: the bits of an operand, and 0 where the
        /// result is no number, 1 where it is an infinity, 2 where it is a negative one.
        FiniteSum = "finite_sum",
        FiniteDifference = "finite_difference",
        FiniteProduct = "finite_product",
        FiniteQuotient = "finite_quotient",
        FiniteConversion = "finite_conversion",
        /// Of a built-in function.
        FiniteResult = "finite_result",
        /// Sums and other operations on signed integers, whose result the type must have: the operands.
        SignedSum = "signed_sum",
        SignedDifference = "signed_difference",
        SignedProduct = "signed_product",
        SignedNegation = "signed_negation",
        /// The count of a shift, which must be less than the width: both.
        ShiftCount = "shift_count",
        /// The index of an array in an object, which must be less than its length: both.
        Index = "index",
        /// How many work-items of a sub-group are at one of its barriers, and how many there are.
        SubGroupBarrier = "sub_group_barrier",
        /// An argument that must be the same for all work-items of a sub-group: it, and that of the first one.
        SubGroupArgument = "sub_group_argument",
        /// An argument that must be the same for all work-items of a work-group, which come to the barrier that follows: it, and
        /// its number from 1. The check is made when it is known what they have given.
        GroupArgument = "group_argument",
        /// No check: the flags of the barrier of a work-group that follows at once.
        BarrierFlags = "barrier_flags",
        /// No check: loads and stores that follow in the region are made by an asynchronous copy, not by the work-item.
        AsyncCopy = "async_copy",
        /// No check: asynchronous copies are complete behind the barrier that follows at once.
        AsyncWait = "async_wait",
    }

    /// Work-item functions of one dimension (6.15.1); results are `i64`, but for `WorkDim` and the sub-group ones
    /// `i32`.
    pub enum WorkItemQuery {
        GlobalId = "global_id",
        GlobalSize = "global_size",
        GlobalOffset = "global_offset",
        LocalId = "local_id",
        LocalSize = "local_size",
        EnqueuedLocalSize = "enqueued_local_size",
        GroupId = "group_id",
        NumGroups = "num_groups",
        WorkDim = "work_dim",
        GlobalLinearId = "global_linear_id",
        LocalLinearId = "local_linear_id",
        SubGroupSize = "sub_group_size",
        MaxSubGroupSize = "max_sub_group_size",
        NumSubGroups = "num_sub_groups",
        EnqueuedNumSubGroups = "enqueued_num_sub_groups",
        SubGroupId = "sub_group_id",
        SubGroupLocalId = "sub_group_local_id",
        /// An `i64`: the address of the memory of the queues that the launch enqueues to (`vulkan/device_enqueue`).
        QueueMemory = "queue_memory",
    }

    /// What a Vulkan device gives each invocation, and the work-group size it was specialised for.
    pub enum Input {
        GlobalInvocationId = "global_invocation_id",
        LocalInvocationId = "local_invocation_id",
        LocalInvocationIndex = "local_invocation_index",
        WorkgroupId = "workgroup_id",
        NumWorkgroups = "num_workgroups",
        WorkgroupSize = "workgroup_size",
        SubgroupSize = "subgroup_size",
        NumSubgroups = "num_subgroups",
        SubgroupId = "subgroup_id",
        SubgroupLocalInvocationId = "subgroup_local_invocation_id",
    }

    pub enum AtomicOp {
        Load = "load",
        Store = "store",
        Exchange = "exchange",
        /// Operands: expected, desired; the result is the old value.
        CompareExchange = "compare_exchange",
        Add = "add",
        Sub = "sub",
        And = "and",
        Or = "or",
        Xor = "xor",
        SMin = "smin",
        SMax = "smax",
        UMin = "umin",
        UMax = "umax",
        /// The sum of floating numbers.
        FAdd = "fadd",
        /// As `fmin`: the other one where one is a NaN (`cl_ext_float_atomics`).
        FMin = "fmin",
        FMax = "fmax",
    }
}

impl AtomicOp {
    /// Whether it does arithmetic on floating objects, of which few devices have instructions.
    pub fn is_float(self) -> bool {
        matches!(self, AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax)
    }
}

kinds! {
    /// Memory scopes, narrow to wide.
    #[derive(PartialOrd, Ord)]
    pub enum Scope {
        WorkItem = "work_item",
        SubGroup = "sub_group",
        WorkGroup = "work_group",
        Device = "device",
        AllDevices = "all_devices",
    }

    pub enum MemoryOrder {
        Relaxed = "relaxed",
        Acquire = "acquire",
        Release = "release",
        AcquireRelease = "acquire_release",
        SequentiallyConsistent = "sequentially_consistent",
    }
}

/// Order of a memory operation and the spaces it orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Semantics {
    pub order: MemoryOrder,
    pub scope: Scope,
    pub local: bool,
    pub global: bool,
    pub image: bool,
}

impl Field for Semantics {}

impl Semantics {
    /// Of local memory, among the work-items of a work-group.
    pub fn of_local_memory(order: MemoryOrder) -> Semantics {
        Semantics { order, scope: Scope::WorkGroup, local: true, global: false, image: false }
    }
}

kinds! {
    /// How far an arithmetic group operation reaches: the whole group, the work-items up to this one, or those before
    /// it.
    pub enum GroupExtent {
        Reduce = "reduce",
        Inclusive = "inclusive",
        /// The first work-item gets the operation's identity.
        Exclusive = "exclusive",
    }

    /// What an arithmetic group operation computes; `And`, `Or` and `Xor` also of `bool`.
    pub enum GroupArithmetic {
        Add = "add",
        Mul = "mul",
        SMin = "smin",
        SMax = "smax",
        UMin = "umin",
        UMax = "umax",
        And = "and",
        Or = "or",
        Xor = "xor",
        FAdd = "fadd",
        FMul = "fmul",
        FMin = "fmin",
        FMax = "fmax",
    }

    /// Which components of a cooperative matrix are neighbours in memory.
    pub enum MatrixLayout {
        /// Those of a row.
        RowMajor = "row_major",
        /// Those of a column.
        ColumnMajor = "column_major",
    }

    /// Whether the components of a matrix of integers are signed numbers.
    pub enum ComponentSign {
        Unsigned = "unsigned",
        Signed = "signed",
    }

    /// What becomes of a sum of integers that its type does not have.
    pub enum MatrixOverflow {
        Wraps = "wraps",
        /// The nearest number that the type has.
        Saturates = "saturates",
    }

    /// What the texels of an image operation are to the program; [`Texel::None`] where it moves none.
    pub enum Texel {
        None = "none",
        F32 = "f32",
        F16 = "f16",
        Signed = "signed",
        Unsigned = "unsigned",
    }
}
