//! The kinds of each family of operations: which unary operation, which comparison, which atomic, in which scope and order.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Integer negation.
    Neg,
    /// Complement; of `bool` logical not.
    Not,
    FNeg,
}

/// Lane-wise; both operands and the result have one type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    SDiv,
    UDiv,
    /// Sign of the dividend, as C's `%`.
    SRem,
    URem,
    Shl,
    LShr,
    AShr,
    /// Also of `bool`.
    And,
    Or,
    Xor,
    FAdd,
    FSub,
    FMul,
    FDiv,
}

/// Lane-wise; the result is `bool` with the operands' lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// Integers, `bool`s and pointers.
    Eq,
    Ne,
    SLt,
    SLe,
    SGt,
    SGe,
    /// Integers and pointers.
    ULt,
    ULe,
    UGt,
    UGe,
    /// Ordered: false with a NaN.
    FEq,
    /// Unordered: true with a NaN.
    FNe,
    FLt,
    FLe,
    FGt,
    FGe,
    /// Neither is NaN.
    FOrd,
    /// One is NaN.
    FUno,
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

/// Lane-wise but for `Bitcast`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConvertOp {
    /// Integer to narrower integer.
    Trunc,
    /// Also from `bool` (0 or 1).
    ZExt,
    /// Also from `bool` (0 or -1).
    SExt,
    /// To nearest even.
    FTrunc,
    FExt,
    /// Toward zero.
    FToS,
    FToU,
    /// To nearest even.
    SToF,
    UToF,
    /// Same total bits; lane 0 is the low bits.
    Bitcast,
    /// To `i64`.
    PtrToInt,
    /// From `i64`.
    IntToPtr,
    /// Another address space: to or from generic. From generic, the pointer must point into that space or be null.
    PtrCast,
    /// From generic: null where the pointer does not point into that space.
    PtrCastChecked,
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

/// Work-item functions of one dimension (6.15.1); results are `i64`, but for `WorkDim` and the sub-group ones `i32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WorkItemQuery {
    GlobalId,
    GlobalSize,
    GlobalOffset,
    LocalId,
    LocalSize,
    EnqueuedLocalSize,
    GroupId,
    NumGroups,
    WorkDim,
    GlobalLinearId,
    LocalLinearId,
    SubGroupSize,
    MaxSubGroupSize,
    NumSubGroups,
    EnqueuedNumSubGroups,
    SubGroupId,
    SubGroupLocalId,
}

/// What a Vulkan device gives each invocation, and the work-group size it was specialised for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    GlobalInvocationId,
    LocalInvocationId,
    LocalInvocationIndex,
    WorkgroupId,
    NumWorkgroups,
    WorkgroupSize,
    SubgroupSize,
    NumSubgroups,
    SubgroupId,
    SubgroupLocalInvocationId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    Load,
    Store,
    Exchange,
    /// Operands: expected, desired; the result is the old value.
    CompareExchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    SMin,
    SMax,
    UMin,
    UMax,
    /// The sum of floating numbers.
    FAdd,
    /// As `fmin`: the other one where one is a NaN (`cl_ext_float_atomics`).
    FMin,
    FMax,
}

impl AtomicOp {
    /// Whether it does arithmetic on floating objects, of which few devices have instructions.
    pub fn is_float(self) -> bool {
        matches!(self, AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax)
    }
}

/// Memory scopes, narrow to wide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scope {
    WorkItem,
    SubGroup,
    WorkGroup,
    Device,
    AllDevices,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryOrder {
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
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

impl Semantics {
    /// Of local memory, among the work-items of a work-group.
    pub fn of_local_memory(order: MemoryOrder) -> Semantics {
        Semantics { order, scope: Scope::WorkGroup, local: true, global: false, image: false }
    }
}

/// How far an arithmetic group operation reaches: the whole group, the work-items up to this one, or those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupExtent {
    Reduce,
    Inclusive,
    /// The first work-item gets the operation's identity.
    Exclusive,
}

/// What an arithmetic group operation computes; `And`, `Or` and `Xor` also of `bool`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupArithmetic {
    Add,
    Mul,
    SMin,
    SMax,
    UMin,
    UMax,
    And,
    Or,
    Xor,
    FAdd,
    FMul,
    FMin,
    FMax,
}

/// What the texels of an image operation are to the program; [`Texel::None`] where it moves none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Texel {
    None,
    F32,
    F16,
    Signed,
    Unsigned,
}
