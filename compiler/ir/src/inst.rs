//! Instructions and the operations they carry. What kinds of operations there are is in `kinds.rs`, which values and
//! regions an operation has in `operands.rs`, and its words in the text form in `names.rs`.

use super::Intrinsic;
use super::entities::{FunctionId, GlobalId, RegionId, Value, Values, VariableId};
use super::kinds::*;
use super::operations::{DeviceOp, EnqueueOp, GroupOp, ImageOp};
use super::{Error, OrInternal, ScalarType, Space, Type};
use clforge_basic::source::Span;
use smallvec::SmallVec;

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

impl Inst {
    /// The first result of an instruction that must have one.
    ///
    /// # Errors
    /// An internal one, where there is none.
    #[track_caller]
    pub fn result(&self) -> Result<Value, Error> {
        self.results.first().copied().or_internal("an instruction without result")
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum LoopHint {
    #[default]
    None,
    Unroll,
    UnrollBy(u32),
    DontUnroll,
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
    Unary {
        op: UnaryOp,
        operand: Value,
    },
    Binary {
        op: BinaryOp,
        lhs: Value,
        rhs: Value,
    },
    Compare {
        op: CompareOp,
        lhs: Value,
        rhs: Value,
    },
    /// The condition is a `bool`, scalar or with the lanes of the operands.
    Select {
        condition: Value,
        if_true: Value,
        if_false: Value,
    },
    /// To the type of the result.
    Convert {
        op: ConvertOp,
        operand: Value,
    },
    Extract {
        vector: Value,
        lane: u8,
    },
    /// `vector` with `scalar` in one lane.
    Insert {
        vector: Value,
        scalar: Value,
        lane: u8,
    },
    /// The index is `i32`; out of range is undefined.
    ExtractDynamic {
        vector: Value,
        index: Value,
    },
    /// As [`Op::Insert`], with an index as [`Op::ExtractDynamic`]'s.
    InsertDynamic {
        vector: Value,
        scalar: Value,
        index: Value,
    },
    /// A vector of as many scalars as lanes.
    Construct {
        elements: Values,
    },
    /// Lanes of two vectors of one type, counted through both.
    Shuffle {
        first: Value,
        second: Value,
        lanes: Lanes,
    },
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
    Intrinsic {
        function: Intrinsic,
        args: Values,
    },

    /// The sampler of a literal: `CLK_` bits.
    Sampler(u32),
    /// After legalisation for Vulkan: the handle in a descriptor, or in an element of an array of them
    /// of as many as the interface says.
    Resource {
        set: u32,
        binding: u32,
        element: Option<u32>,
    },

    // --- memory ---
    /// Reads, writes and queries of images.
    Image {
        op: ImageOp,
        texel: Texel,
        image: Value,
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
    },
    Device(DeviceOp),
    /// What is done with a block. `kernel` is the kernel that runs it; its first parameter is a generic pointer to the
    /// block's object of `size` bytes, the others are local pointers. For each of those, [`EnqueueOp::Kernel`] has a
    /// private pointer to its `i64` size.
    Enqueue {
        op: EnqueueOp,
        kernel: FunctionId,
        block: Value,
        local_sizes: Values,
        size: u32,
        align: u32,
    },
    /// A counter that all work-items of the scope share, as `i64`.
    ReadClock(Scope),
    Call {
        function: FunctionId,
        args: Values,
    },

    // --- after legalisation for Vulkan: memory without pointers ---
    /// An element of a variable (of its only element without index); `index` is `i32`. If the elements are vectors of 2 or 4
    /// lanes, also a lane of one: then the index counts lanes.
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
    /// repeated.
    pub fn is_pure(&self) -> bool {
        match self {
            Op::Intrinsic { function, .. } => function.is_pure(),
            Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Convert { .. }
            | Op::Extract { .. }
            | Op::Insert { .. }
            | Op::ExtractDynamic { .. }
            | Op::InsertDynamic { .. }
            | Op::Construct { .. }
            | Op::Shuffle { .. }
            | Op::PtrAdd { .. }
            | Op::GlobalAddress(_)
            | Op::WorkItem { .. }
            | Op::Input { .. }
            | Op::Sampler(_)
            | Op::Resource { .. }
            | Op::SpecConstant(_) => true,
            Op::Image { op, .. } => op.is_query(),
            _ => false,
        }
    }
}

/// The type of an operation's only result where its operands determine it; `None` where the caller must provide it.
pub fn result_type(op: &Op, type_of: impl Fn(Value) -> Type) -> Option<Type> {
    Some(match op {
        Op::Unary { operand: same, .. }
        | Op::Binary { lhs: same, .. }
        | Op::Insert { vector: same, .. }
        | Op::InsertDynamic { vector: same, .. }
        | Op::Select { if_true: same, .. }
        | Op::PtrAdd { base: same, .. } => type_of(*same),
        Op::Compare { lhs, .. } => type_of(*lhs).with_scalar(ScalarType::Bool),
        Op::Extract { vector, .. } | Op::ExtractDynamic { vector, .. } => type_of(*vector).lane(),
        Op::Construct { elements } => {
            Type::vector(elements.first().map(|value| type_of(*value))?.scalar, elements.len().try_into().ok()?)
        }
        Op::Shuffle { first, lanes, .. } => Type::vector(type_of(*first).scalar, lanes.len().try_into().ok()?),
        Op::Alloca { .. } => Type::ptr(Space::Private),
        _ => return None,
    })
}
