//! Instructions.

use super::{FunctionId, GlobalId, RegionId, Type, Value, VariableId};
use crate::builtins::BuiltinId;
use crate::hir::EnqueueOp;
use crate::source::Span;
use smallvec::SmallVec;

/// Index of an instruction in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstId(pub u32);

/// A list of values.
pub type Values = SmallVec<[Value; 4]>;

/// Lane numbers of a shuffle; [`Lanes`] of `u8::MAX` are undefined.
pub type Lanes = SmallVec<[u8; 16]>;

/// An instruction and the values it defines.
#[derive(Clone, Debug)]
pub struct Inst {
    pub op: Op,
    pub results: SmallVec<[Value; 1]>,
    /// Source, for `-g`.
    pub span: Span,
}

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

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum LoopHint {
    #[default]
    None,
    Unroll,
    UnrollBy(u32),
    DontUnroll,
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

/// One case of a `switch`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    pub values: SmallVec<[u64; 2]>,
    pub default: bool,
    pub region: RegionId,
}

/// What an instruction does. See the module's contract.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    // --- pure ---
    Unary(UnaryOp, Value),
    Binary(BinaryOp, Value, Value),
    Compare(CompareOp, Value, Value),
    /// Condition `bool`, scalar or with the lanes of the operands.
    Select(Value, Value, Value),
    /// To the type of the result.
    Convert(ConvertOp, Value),
    Extract(Value, u8),
    /// Vector, scalar, lane.
    Insert(Value, Value, u8),
    /// The index is `i32`; out of range is undefined.
    ExtractDynamic(Value, Value),
    /// Vector, scalar, index.
    InsertDynamic(Value, Value, Value),
    /// A vector from as many scalars as lanes.
    Construct(Values),
    /// Lanes of two vectors of one type, counted through both.
    Shuffle(Value, Value, Lanes),
    PtrAdd {
        base: Value,
        index: Option<Value>,
        stride: i64,
        displacement: i64,
    },
    GlobalAddress(GlobalId),
    WorkItem {
        query: WorkItemQuery,
        dim: u8,
    },
    /// A built-in function that the target provides by name.
    Builtin {
        function: BuiltinId,
        args: Values,
    },

    /// The sampler of a literal: `CLK_` bits.
    Sampler(u32),
    /// After legalisation for Vulkan: the handle in a descriptor, or in an element of an array of them
    /// ([`crate::interface::IMAGE_LEVELS`]).
    Resource {
        set: u32,
        binding: u32,
        element: Option<u32>,
    },

    // --- memory ---
    /// Reads, writes and queries of images; see [`ImageOp`] for the operands.
    Image {
        op: ImageOp,
        texel: Texel,
        args: Values,
    },
    Alloca {
        size: u64,
        align: u64,
    },
    Load {
        ptr: Value,
        align: u32,
        volatile: bool,
    },
    Store {
        ptr: Value,
        value: Value,
        align: u32,
        volatile: bool,
    },
    /// `unequal` orders a failed compare-exchange.
    Atomic {
        op: AtomicOp,
        ptr: Value,
        operands: SmallVec<[Value; 2]>,
        semantics: Semantics,
        unequal: MemoryOrder,
    },
    /// Execution barrier of `scope` with memory semantics.
    Barrier {
        execution: Scope,
        semantics: Semantics,
    },
    Fence(Semantics),
    /// An operation of the work-items of a sub-group or work-group together: never moved, removed or merged. `uniform`:
    /// all work-items of the group get here.
    Group {
        op: GroupOp,
        scope: Scope,
        uniform: bool,
        args: Values,
    },
    Device {
        op: DeviceOp,
        args: Values,
    },
    /// What is done with a block. `kernel` is the kernel that runs it; its first parameter is a generic pointer to the
    /// block's object of `size` bytes, the others are local pointers. Operands: for [`EnqueueOp::Kernel`] queue, `i32`
    /// flags, private pointer to a range, `i32` number of events, generic pointers to the events to wait for and to the
    /// event to return, the block's object, and for each local pointer a private pointer to its `i64` size; for the
    /// others the private pointer to a range, if they take one, and the block's object. Gives an `i32`.
    Enqueue {
        op: EnqueueOp,
        kernel: FunctionId,
        size: u32,
        align: u32,
        args: Values,
    },
    /// A counter that all work-items of the scope share, as `i64`.
    ReadClock(Scope),
    Call {
        function: FunctionId,
        args: Values,
    },

    // --- after legalisation for Vulkan: memory without pointers ---
    /// An element of a variable (of its only element without index); `index` is `i32`.
    VariableLoad {
        variable: VariableId,
        index: Option<Value>,
    },
    VariableStore {
        variable: VariableId,
        index: Option<Value>,
        value: Value,
    },
    VariableAtomic {
        op: AtomicOp,
        variable: VariableId,
        index: Option<Value>,
        operands: SmallVec<[Value; 2]>,
        semantics: Semantics,
        unequal: MemoryOrder,
    },
    /// An `i32` the device gives each invocation.
    Input {
        input: Input,
        dim: u8,
    },
    /// The `i32` value of a specialisation constant.
    SpecConstant(u32),

    // --- structured control flow ---
    If {
        condition: Value,
        then: RegionId,
        otherwise: RegionId,
    },
    Switch {
        selector: Value,
        inputs: Values,
        cases: Vec<Case>,
    },
    Loop {
        inits: Values,
        body: RegionId,
        continuing: RegionId,
        hint: LoopHint,
    },

    // --- terminators ---
    Yield(Values),
    Break(Values),
    Continue(Values),
    Fallthrough(Values),
    Next(Values),
    NextIf {
        condition: Value,
        next: Values,
        results: Values,
    },
    Return(Option<Value>),
    Unreachable,
}

impl Op {
    /// Whether it ends a region.
    pub fn is_terminator(&self) -> bool {
        matches!(
            self,
            Op::Yield(_)
                | Op::Break(_)
                | Op::Continue(_)
                | Op::Fallthrough(_)
                | Op::Next(_)
                | Op::NextIf { .. }
                | Op::Return(_)
                | Op::Unreachable
        )
    }

    /// Whether it computes a value from its operands and does nothing else, so that it may be removed, merged or
    /// repeated. Built-ins are pure when their row says so.
    pub fn is_pure(&self) -> bool {
        match self {
            Op::Builtin { function, .. } => crate::builtins::is_pure(*function),
            Op::Unary(..)
            | Op::Binary(..)
            | Op::Compare(..)
            | Op::Select(..)
            | Op::Convert(..)
            | Op::Extract(..)
            | Op::Insert(..)
            | Op::ExtractDynamic(..)
            | Op::InsertDynamic(..)
            | Op::Construct(_)
            | Op::Shuffle(..)
            | Op::PtrAdd { .. }
            | Op::GlobalAddress(_)
            | Op::WorkItem { .. }
            | Op::Input { .. }
            | Op::Sampler(_)
            | Op::Resource { .. }
            | Op::SpecConstant(_) => true,
            Op::Image { op, .. } => {
                use ImageOp as I;
                matches!(op, I::Size | I::ChannelOrder | I::ChannelDataType | I::Levels | I::Samples)
            }
            _ => false,
        }
    }

    /// The regions nested directly in it, in order of execution.
    pub fn regions(&self) -> SmallVec<[RegionId; 2]> {
        match self {
            Op::If { then, otherwise, .. } => SmallVec::from_slice(&[*then, *otherwise]),
            Op::Loop { body, continuing, .. } => SmallVec::from_slice(&[*body, *continuing]),
            Op::Switch { cases, .. } => cases.iter().map(|case| case.region).collect(),
            _ => SmallVec::new(),
        }
    }

    /// Calls `f` on every value operand.
    pub fn for_each_operand(&self, mut f: impl FnMut(Value)) {
        // One list of operands for reading and rewriting: a clone of the small op is cheaper than two matches to keep
        // in step, but this runs in every pass, so both exist and `tests::operands_agree` compares them.
        match self {
            Op::Unary(_, a) | Op::Convert(_, a) | Op::Extract(a, _) => f(*a),
            Op::Binary(_, a, b) | Op::Compare(_, a, b) | Op::Insert(a, b, _) | Op::ExtractDynamic(a, b) => {
                f(*a);
                f(*b);
            }
            Op::Shuffle(a, b, _) => {
                f(*a);
                f(*b);
            }
            Op::Select(a, b, c) | Op::InsertDynamic(a, b, c) => {
                f(*a);
                f(*b);
                f(*c);
            }
            Op::PtrAdd { base, index, .. } => {
                f(*base);
                if let Some(index) = index {
                    f(*index);
                }
            }
            Op::Construct(values)
            | Op::Builtin { args: values, .. }
            | Op::Image { args: values, .. }
            | Op::Call { args: values, .. }
            | Op::Group { args: values, .. }
            | Op::Device { args: values, .. }
            | Op::Enqueue { args: values, .. }
            | Op::Loop { inits: values, .. }
            | Op::Yield(values)
            | Op::Break(values)
            | Op::Continue(values)
            | Op::Fallthrough(values)
            | Op::Next(values) => values.iter().copied().for_each(f),
            Op::Load { ptr, .. } => f(*ptr),
            Op::Store { ptr, value, .. } => {
                f(*ptr);
                f(*value);
            }
            Op::Atomic { ptr, operands, .. } => {
                f(*ptr);
                operands.iter().copied().for_each(f);
            }
            Op::VariableLoad { index, .. } => index.iter().copied().for_each(f),
            Op::VariableStore { index, value, .. } => {
                index.iter().copied().for_each(&mut f);
                f(*value);
            }
            Op::VariableAtomic { index, operands, .. } => {
                index.iter().copied().for_each(&mut f);
                operands.iter().copied().for_each(f);
            }
            Op::If { condition, .. } => f(*condition),
            Op::Switch { selector, inputs, .. } => {
                f(*selector);
                inputs.iter().copied().for_each(f);
            }
            Op::NextIf { condition, next, results } => {
                f(*condition);
                next.iter().chain(results).copied().for_each(f);
            }
            Op::Return(value) => value.iter().copied().for_each(f),
            Op::GlobalAddress(_)
            | Op::WorkItem { .. }
            | Op::Alloca { .. }
            | Op::Barrier { .. }
            | Op::Fence(_)
            | Op::ReadClock(_)
            | Op::Input { .. }
            | Op::Sampler(_)
            | Op::Resource { .. }
            | Op::SpecConstant(_)
            | Op::Unreachable => {}
        }
    }

    /// Calls `f` on every value operand, to change it.
    pub fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut Value)) {
        match self {
            Op::Unary(_, a) | Op::Convert(_, a) | Op::Extract(a, _) => f(a),
            Op::Binary(_, a, b) | Op::Compare(_, a, b) | Op::Insert(a, b, _) | Op::ExtractDynamic(a, b) => {
                f(a);
                f(b);
            }
            Op::Shuffle(a, b, _) => {
                f(a);
                f(b);
            }
            Op::Select(a, b, c) | Op::InsertDynamic(a, b, c) => {
                f(a);
                f(b);
                f(c);
            }
            Op::PtrAdd { base, index, .. } => {
                f(base);
                if let Some(index) = index {
                    f(index);
                }
            }
            Op::Construct(values)
            | Op::Builtin { args: values, .. }
            | Op::Image { args: values, .. }
            | Op::Call { args: values, .. }
            | Op::Group { args: values, .. }
            | Op::Device { args: values, .. }
            | Op::Enqueue { args: values, .. }
            | Op::Loop { inits: values, .. }
            | Op::Yield(values)
            | Op::Break(values)
            | Op::Continue(values)
            | Op::Fallthrough(values)
            | Op::Next(values) => values.iter_mut().for_each(f),
            Op::Load { ptr, .. } => f(ptr),
            Op::Store { ptr, value, .. } => {
                f(ptr);
                f(value);
            }
            Op::Atomic { ptr, operands, .. } => {
                f(ptr);
                operands.iter_mut().for_each(f);
            }
            Op::VariableLoad { index, .. } => index.iter_mut().for_each(f),
            Op::VariableStore { index, value, .. } => {
                index.iter_mut().for_each(&mut f);
                f(value);
            }
            Op::VariableAtomic { index, operands, .. } => {
                index.iter_mut().for_each(&mut f);
                operands.iter_mut().for_each(f);
            }
            Op::If { condition, .. } => f(condition),
            Op::Switch { selector, inputs, .. } => {
                f(selector);
                inputs.iter_mut().for_each(f);
            }
            Op::NextIf { condition, next, results } => {
                f(condition);
                next.iter_mut().chain(results).for_each(f);
            }
            Op::Return(value) => value.iter_mut().for_each(f),
            Op::GlobalAddress(_)
            | Op::WorkItem { .. }
            | Op::Alloca { .. }
            | Op::Barrier { .. }
            | Op::Fence(_)
            | Op::ReadClock(_)
            | Op::Input { .. }
            | Op::Sampler(_)
            | Op::Resource { .. }
            | Op::SpecConstant(_)
            | Op::Unreachable => {}
        }
    }
}

/// The type of an operation's only result where operands decide it; `None` where the builder must be told.
pub fn result_type(op: &Op, type_of: impl Fn(Value) -> Type) -> Option<Type> {
    Some(match op {
        Op::Unary(_, a) | Op::Binary(_, a, _) | Op::Insert(a, ..) | Op::InsertDynamic(a, ..) => type_of(*a),
        Op::Select(_, a, _) | Op::PtrAdd { base: a, .. } => type_of(*a),
        Op::Compare(_, a, _) => type_of(*a).with_scalar(super::ScalarType::Bool),
        Op::Extract(a, _) | Op::ExtractDynamic(a, _) => type_of(*a).lane(),
        Op::Construct(values) => {
            Type::vector(values.first().map(|value| type_of(*value))?.scalar, values.len().try_into().ok()?)
        }
        Op::Shuffle(a, _, lanes) => Type::vector(type_of(*a).scalar, lanes.len().try_into().ok()?),
        Op::Alloca { .. } => Type::ptr(super::Space::Private),
        _ => return None,
    })
}

impl GroupOp {
    /// The words of those without parts, in the text form.
    pub const WORDS: &'static [(GroupOp, &'static str)] = &[
        (GroupOp::All, "all"),
        (GroupOp::Any, "any"),
        (GroupOp::AllEqual, "all_equal"),
        (GroupOp::Elect, "elect"),
        (GroupOp::Broadcast, "broadcast"),
        (GroupOp::BroadcastFirst, "broadcast_first"),
        (GroupOp::Ballot, "ballot"),
        (GroupOp::InverseBallot, "inverse_ballot"),
        (GroupOp::BallotBitExtract, "ballot_bit_extract"),
        (GroupOp::BallotFindLsb, "ballot_find_lsb"),
        (GroupOp::BallotFindMsb, "ballot_find_msb"),
        (GroupOp::Shuffle, "shuffle"),
        (GroupOp::ShuffleXor, "shuffle_xor"),
        (GroupOp::ShuffleUp, "shuffle_up"),
        (GroupOp::ShuffleDown, "shuffle_down"),
        (GroupOp::Rotate, "rotate"),
        (GroupOp::ClusteredRotate, "clustered_rotate"),
    ];
}

impl std::fmt::Display for GroupOp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GroupOp::BallotBitCount(extent) => write!(f, "ballot_bit_count {}", extent.text()),
            GroupOp::Arithmetic(op, extent) => write!(f, "arithmetic {} {}", op.text(), extent.text()),
            op => f.write_str(GroupOp::WORDS.iter().find(|(known, _)| known == op).map_or("?", |(_, word)| word)),
        }
    }
}

macro_rules! texts {
    ($($name:ident { $($variant:ident $text:literal),* $(,)? })*) => {
        $(impl $name {
            /// Every one, for the reader of the text form.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// Its word in the text form.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }
        })*
    };
}

texts! {
    Input {
        GlobalInvocationId "global_invocation_id", LocalInvocationId "local_invocation_id",
        LocalInvocationIndex "local_invocation_index", WorkgroupId "workgroup_id", NumWorkgroups "num_workgroups",
        WorkgroupSize "workgroup_size", SubgroupSize "subgroup_size", NumSubgroups "num_subgroups",
        SubgroupId "subgroup_id", SubgroupLocalInvocationId "subgroup_local_invocation_id",
    }
    ImageOp {
        Sample "sample", SampleLod "sample_lod", SampleGrad "sample_grad", Read "read", ReadSample "read_sample",
        Write "write", WriteLod "write_lod", Size "size", ChannelOrder "channel_order",
        ChannelDataType "channel_data_type", Levels "levels", Samples "samples",
    }
    DeviceOp {
        ReadPipe "read_pipe", WritePipe "write_pipe", ReservedReadPipe "reserved_read_pipe",
        ReservedWritePipe "reserved_write_pipe", ReserveRead "reserve_read", ReserveWrite "reserve_write",
        WorkGroupReserveRead "work_group_reserve_read", WorkGroupReserveWrite "work_group_reserve_write",
        SubGroupReserveRead "sub_group_reserve_read", SubGroupReserveWrite "sub_group_reserve_write",
        CommitRead "commit_read", CommitWrite "commit_write", WorkGroupCommitRead "work_group_commit_read",
        WorkGroupCommitWrite "work_group_commit_write", SubGroupCommitRead "sub_group_commit_read",
        SubGroupCommitWrite "sub_group_commit_write", IsValidReserveId "is_valid_reserve_id",
        PipePackets "pipe_packets", PipeMaxPackets "pipe_max_packets", EnqueueMarker "enqueue_marker",
        RetainEvent "retain_event", ReleaseEvent "release_event", CreateUserEvent "create_user_event",
        IsValidEvent "is_valid_event", SetUserEventStatus "set_user_event_status",
        CaptureEventProfilingInfo "capture_event_profiling_info", DefaultQueue "default_queue",
        NdRange1 "nd_range1", NdRange2 "nd_range2", NdRange3 "nd_range3",
    }
    EnqueueOp {
        Kernel "kernel", WorkGroupSize "work_group_size",
        PreferredWorkGroupSizeMultiple "preferred_work_group_size_multiple",
        NdRangeSubGroupCount "nd_range_sub_group_count", NdRangeMaxSubGroupSize "nd_range_max_sub_group_size",
    }
    Texel { None "none", F32 "f32", F16 "f16", Signed "signed", Unsigned "unsigned" }
    UnaryOp { Neg "neg", Not "not", FNeg "fneg" }
    BinaryOp { Add "add", Sub "sub", Mul "mul", SDiv "sdiv", UDiv "udiv", SRem "srem", URem "urem", Shl "shl", LShr "lshr", AShr "ashr", And "and", Or "or", Xor "xor", FAdd "fadd", FSub "fsub", FMul "fmul", FDiv "fdiv" }
    CompareOp { Eq "eq", Ne "ne", SLt "slt", SLe "sle", SGt "sgt", SGe "sge", ULt "ult", ULe "ule", UGt "ugt", UGe "uge", FEq "feq", FNe "fne", FLt "flt", FLe "fle", FGt "fgt", FGe "fge", FOrd "ford", FUno "funo" }
    ConvertOp { Trunc "trunc", ZExt "zext", SExt "sext", FTrunc "ftrunc", FExt "fext", FToS "ftos", FToU "ftou", SToF "stof", UToF "utof", Bitcast "bitcast", PtrToInt "ptr_to_int", IntToPtr "int_to_ptr", PtrCast "ptr_cast", PtrCastChecked "ptr_cast_checked" }
    WorkItemQuery { GlobalId "global_id", GlobalSize "global_size", GlobalOffset "global_offset", LocalId "local_id", LocalSize "local_size", EnqueuedLocalSize "enqueued_local_size", GroupId "group_id", NumGroups "num_groups", WorkDim "work_dim", GlobalLinearId "global_linear_id", LocalLinearId "local_linear_id", SubGroupSize "sub_group_size", MaxSubGroupSize "max_sub_group_size", NumSubGroups "num_sub_groups", EnqueuedNumSubGroups "enqueued_num_sub_groups", SubGroupId "sub_group_id", SubGroupLocalId "sub_group_local_id" }
    AtomicOp { Load "load", Store "store", Exchange "exchange", CompareExchange "compare_exchange", Add "add", Sub "sub", And "and", Or "or", Xor "xor", SMin "smin", SMax "smax", UMin "umin", UMax "umax" }
    GroupExtent { Reduce "reduce", Inclusive "inclusive", Exclusive "exclusive", Clustered "clustered" }
    GroupArithmetic { Add "add", Mul "mul", SMin "smin", SMax "smax", UMin "umin", UMax "umax", And "and", Or "or", Xor "xor", FAdd "fadd", FMul "fmul", FMin "fmin", FMax "fmax" }
    Scope { WorkItem "work_item", SubGroup "sub_group", WorkGroup "work_group", Device "device", AllDevices "all_devices" }
    MemoryOrder { Relaxed "relaxed", Acquire "acquire", Release "release", AcquireRelease "acquire_release", SequentiallyConsistent "sequentially_consistent" }
}
