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

/// How far an arithmetic group operation reaches: the whole group, the work-items up to this one, or those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupExtent {
    Reduce,
    Inclusive,
    /// The first work-item gets the operation's identity.
    Exclusive,
    /// Aligned runs of as many work-items as the second operand says: a constant power of two.
    Clustered,
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

/// What the work-items of a group compute together. Values are scalars; `ballot`s are `i32x4`, bit `i` for the
/// work-item with sub-group local id `i`; ids are `i32`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GroupOp {
    /// Of a `bool`; gives `bool`.
    All,
    Any,
    /// Whether all have the same value; gives `bool`.
    AllEqual,
    /// True in one work-item. No operands.
    Elect,
    /// Value, id: of a sub-group one, of a work-group the local linear id.
    Broadcast,
    /// From the lowest active work-item.
    BroadcastFirst,
    /// Of a `bool`.
    Ballot,
    /// This work-item's bit of a ballot, as `bool`.
    InverseBallot,
    /// Ballot, id.
    BallotBitExtract,
    BallotBitCount(GroupExtent),
    BallotFindLsb,
    BallotFindMsb,
    /// Value, id.
    Shuffle,
    /// Value, mask.
    ShuffleXor,
    /// Value, delta.
    ShuffleUp,
    ShuffleDown,
    /// Value, delta.
    Rotate,
    /// Value, delta, constant cluster size.
    ClusteredRotate,
    Arithmetic(GroupArithmetic, GroupExtent),
}

/// What is done with an image (6.15.15). The first operand is the image's handle, and coordinates have the lanes the
/// source gives them: lanes past the image's dimensions (and array layer) are not looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageOp {
    /// Image, sampler, coordinate (`f32` or `i32`): a filtered texel, always of four lanes.
    Sample,
    /// Image, sampler, coordinate, level of detail (`f32`).
    SampleLod,
    /// Image, sampler, coordinate, derivatives in x and in y.
    SampleGrad,
    /// Image, coordinate (`i32`): the texel there, of four lanes, or its depth.
    Read,
    /// Image of several samples, coordinate (`i32`), sample (`i32`): the sample of the texel there, as [`ImageOp::Read`].
    ReadSample,
    /// Image, coordinate (`i32`), texel of four lanes, or depth.
    Write,
    /// Image, coordinate (`i32`), level of detail (`i32`), texel as for [`ImageOp::Write`].
    WriteLod,
    /// `i32` for each dimension, then the number of layers of an array; a vector where that is more than one.
    Size,
    /// `i32`, a `CLK_` number.
    ChannelOrder,
    /// `i32`, a `CLK_` number.
    ChannelDataType,
    /// `i32`.
    Levels,
    /// `i32`.
    Samples,
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

/// What only OpenCL devices do: pipes (6.15.16), events and ranges of kernels enqueued on the device (6.15.17).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeviceOp {
    /// Pipe, generic pointer to the packet; gives an `i32`.
    ReadPipe,
    WritePipe,
    /// Pipe, reservation, `i32` index, generic pointer to the packet; gives an `i32`.
    ReservedReadPipe,
    ReservedWritePipe,
    /// Pipe, `i32` number of packets; gives a reservation.
    ReserveRead,
    ReserveWrite,
    WorkGroupReserveRead,
    WorkGroupReserveWrite,
    SubGroupReserveRead,
    SubGroupReserveWrite,
    /// Pipe, reservation.
    CommitRead,
    CommitWrite,
    WorkGroupCommitRead,
    WorkGroupCommitWrite,
    SubGroupCommitRead,
    SubGroupCommitWrite,
    /// Reservation; gives a `bool`.
    IsValidReserveId,
    /// Pipe; gives an `i32`.
    PipePackets,
    PipeMaxPackets,
    /// Queue, `i32` number of events, generic pointers to those to wait for and to the one to return; gives an `i32`.
    EnqueueMarker,
    /// Event.
    RetainEvent,
    ReleaseEvent,
    /// Gives an event.
    CreateUserEvent,
    /// Event; gives a `bool`.
    IsValidEvent,
    /// Event, `i32` status.
    SetUserEventStatus,
    /// Event, `i32`, global pointer.
    CaptureEventProfilingInfo,
    /// Gives a queue.
    DefaultQueue,
    /// Private pointer to the range to make, sizes of the range and of a work-group, and the offset, as `i64`s.
    NdRange1,
    /// The same with pointers to two or three `i64`s each; null for zeros.
    NdRange2,
    NdRange3,
}

/// What is done with a block (OpenCL C 6.15.17).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EnqueueOp {
    /// `enqueue_kernel`.
    Kernel,
    WorkGroupSize,
    PreferredWorkGroupSizeMultiple,
    NdRangeSubGroupCount,
    NdRangeMaxSubGroupSize,
}
