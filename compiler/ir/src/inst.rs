//! Instructions and the table of the operations that they carry. What kinds of operations there are is in `kinds.rs`,
//! and families of operations that share a row are in `operations.rs`.

use super::Intrinsic;
use super::entities::{FunctionId, GlobalId, RegionId, Value, Values, VariableId};
use super::field::Field;
use super::kinds::*;
use super::operations::{DeviceOp, EnqueueOp, GroupOp, ImageOp, MatrixOp};
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

/// The number of a sampler that is a literal, without its bits: see [`Op::HandleIndex`].
pub const SAMPLER_NUMBER: i64 = 1 << 32;

/// One case of a `switch`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    pub values: SmallVec<[u64; 2]>,
    pub default: bool,
    pub region: RegionId,
}

impl Field for LoopHint {}

impl Field for Vec<Case> {
    fn visit_regions(&self, f: &mut dyn FnMut(&RegionId)) {
        self.iter().for_each(|case| f(&case.region));
    }

    fn visit_regions_mut(&mut self, f: &mut dyn FnMut(&mut RegionId)) {
        self.iter_mut().for_each(|case| f(&mut case.region));
    }
}

/// The table of operations. `ops!(callback)` passes all rows to the macro `callback`. Such macros declare the type
/// [`Op`] here and define the visitors of operands, the printer, the reader, the binary form, and parts of the
/// verifier.
///
/// A row has the fields of the operation, then its text form, then its properties.
///
/// The text form is a list of words and marks, which stand for themselves, and fields. `[index]` is a field that is in
/// brackets if there is one, `{, operands}` one whose items each follow a comma, and a field of type `bool` is its name
/// or nothing. A field in the first place is a kind, whose words begin the text. `custom NAME` begins with that word;
/// the methods of that name print and read the rest.
///
/// The first property says what executing the operation does besides computing its results ([`Effect`]), the second
/// which part of the verifier has its rules ([`Family`](super::verify)), and the third in which dialects it is legal:
/// `always`, `until` a legalisation pass, `since` one, `opencl` (never after one), or as its `operands` decide.
macro_rules! ops {
    ($callback:ident) => {
        $callback! {
            Unary { op: UnaryOp, operand: Value } = (op operand) [Pure, Values, always];
            Binary { op: BinaryOp, lhs: Value, rhs: Value } = (op lhs "," rhs) [Pure, Values, always];
            Compare { op: CompareOp, lhs: Value, rhs: Value } = (op lhs "," rhs) [Pure, Values, always];
            /// To the type of the result.
            Convert { op: ConvertOp, operand: Value } = (op operand) [Pure, Values, always];
            /// The condition is a `bool`, scalar or with the lanes of the operands.
            Select { condition: Value, if_true: Value, if_false: Value }
                = ("select" condition "," if_true "," if_false) [Pure, Values, always];
            Extract { vector: Value, lane: u8 } = ("extract" vector lane) [Pure, Values, always];
            /// `vector` with `scalar` in one lane.
            Insert { vector: Value, scalar: Value, lane: u8 }
                = ("insert" vector "," scalar lane) [Pure, Values, always];
            /// The index is `i32`; out of range is undefined.
            ExtractDynamic { vector: Value, index: Value }
                = ("extract_dynamic" vector "," index) [Pure, Values, always];
            /// As [`Op::Insert`], with an index as [`Op::ExtractDynamic`]'s.
            InsertDynamic { vector: Value, scalar: Value, index: Value }
                = ("insert_dynamic" vector "," scalar "," index) [Pure, Values, always];
            /// A vector of as many scalars as lanes.
            Construct { elements: Values } = ("construct" elements) [Pure, Values, always];
            /// Lanes of two vectors of one type, counted through both.
            Shuffle { first: Value, second: Value, lanes: Lanes }
                = ("shuffle" first "," second lanes) [Pure, Values, always];
            /// A built-in function that the target provides by name. [`Intrinsic`] has its properties.
            Intrinsic { function: Intrinsic, args: Values } = ("intrinsic" function args) [ByKind, Values, always];
            Call { function: FunctionId, args: Values }
                = ("call" function "(" args ")") [Other, Values, always];
            /// What a sanitizer looks at that only lowering knows (`vulkan/sanitize`): `good`, a `bool` with the operands'
            /// lanes, and two numbers that describe it.
            Check { check: CheckOp, good: Value, what: Value, other: Value }
                = ("check" check good "," what "," other) [Other, Values, until Images];

            PtrAdd { base: Value, index: Option<Value>, stride: i64, displacement: i64 }
                = (custom ptr_add) [Pure, Memory, until Memory];
            GlobalAddress(global: GlobalId) = ("address" global) [Pure, Memory, until Memory];
            Alloca { size: u64, align: u64 } = ("alloca" "size" size "align" align) [Other, Memory, until Memory];
            /// `invariant`: nothing writes to the memory while the kernel is executed, as to `constant` memory.
            Load { ptr: Value, align: u32, volatile: bool, invariant: bool }
                = ("load" volatile invariant "align" align ptr) [Other, Memory, always];
            Store { ptr: Value, value: Value, align: u32, volatile: bool }
                = ("store" volatile "align" align ptr "," value) [Other, Memory, always];
            /// `unequal` orders a failed compare-exchange.
            Atomic {
                op: AtomicOp,
                ptr: Value,
                operands: SmallVec<[Value; 2]>,
                semantics: Semantics,
                unequal: MemoryOrder,
            } = ("atomic" op semantics unequal ptr {, operands}) [Other, Memory, operands];
            /// Execution barrier of `scope` with memory semantics.
            Barrier { execution: Scope, semantics: Semantics }
                = ("barrier" execution semantics) [Other, Memory, operands];
            Fence(semantics: Semantics) = ("fence" semantics) [Other, Memory, operands];
            /// An element of a variable (of its only element without index); `index` is `i32`. If the elements are
            /// vectors of 2 or 4 lanes, also a lane of one: then the index counts lanes.
            VariableLoad { variable: VariableId, index: Option<Value> }
                = ("variable_load" variable [index]) [Other, Memory, since KernelAbi];
            VariableStore { variable: VariableId, index: Option<Value>, value: Value }
                = ("variable_store" variable [index] "," value) [Other, Memory, since KernelAbi];
            VariableAtomic {
                op: AtomicOp,
                variable: VariableId,
                index: Option<Value>,
                operands: SmallVec<[Value; 2]>,
                semantics: Semantics,
                unequal: MemoryOrder,
            } = ("variable_atomic" op semantics unequal variable [index] {, operands}) [Other, Memory, operands];

            WorkItem { query: WorkItemQuery, dim: u8 } = ("work_item" query dim) [Pure, Inputs, until KernelAbi];
            /// An `i32` the device gives each invocation.
            Input { input: Input, dim: u8 } = ("input" input dim) [Pure, Inputs, since KernelAbi];
            /// The `i32` value of a specialisation constant.
            SpecConstant(id: u32) = ("spec_constant" id) [Pure, Inputs, since KernelAbi];
            /// How many elements a variable in a storage buffer has, as `i32`.
            BufferLength(variable: VariableId) = ("buffer_length" variable) [Pure, Inputs, since KernelAbi];
            /// The sampler of a literal: `CLK_` bits.
            Sampler(bits: u32) = ("sampler" bits) [Pure, Inputs, until Images];
            /// After legalisation for Vulkan: the handle in a descriptor, or in an element of an array of them
            /// of as many as the interface says.
            Resource { set: u32, binding: u32, element: Option<u32> }
                = ("resource" set binding element) [Pure, Inputs, since KernelAbi];
            /// What the memory of device queues has for an image or a sampler, as `i64`: the position of the argument of the
            /// launch's kernel, or [`SAMPLER_NUMBER`] and the bits of a literal.
            HandleIndex(handle: Value) = ("handle_index" handle) [Pure, Inputs, until Images];
            /// A counter that all work-items of the scope share, as `i64`.
            ReadClock(scope: Scope) = ("read_clock" scope) [Other, Inputs, always];

            /// Reads, writes and queries of images.
            Image { image: Value, op: ImageOp, texel: Texel } = (custom image) [ByKind, Devices, operands];
            /// An operation of the work-items of a sub-group or work-group together: never moved, removed or merged.
            /// `uniform`: all work-items of the group get here.
            Group { op: GroupOp, scope: Scope, uniform: bool } = ("group" scope uniform op) [Other, Devices, operands];
            Device(op: DeviceOp) = ("device" op) [Other, Devices, opencl];
            Matrix(op: MatrixOp) = ("matrix" op) [ByKind, Devices, always];
            /// [`MatrixOp::Load`] from an array variable of numbers, whose element `index` (`i32`) is the first, and whose
            /// elements the stride (`i32`) counts.
            MatrixVariableLoad { layout: MatrixLayout, variable: VariableId, index: Value, stride: Value }
                = ("matrix_variable_load" layout variable "," index "," stride) [Other, Memory, since KernelAbi];
            /// [`MatrixOp::Store`] to one.
            MatrixVariableStore {
                layout: MatrixLayout,
                variable: VariableId,
                index: Value,
                stride: Value,
                matrix: Value,
            } = ("matrix_variable_store" layout variable "," index "," stride "," matrix)
                [Other, Memory, since KernelAbi];
            /// What is done with a block. `kernel` is the kernel that runs it; its first parameter is a generic pointer
            /// to the block's object of `size` bytes, the others are local pointers. For each of those,
            /// [`EnqueueOp::Kernel`] has a private pointer to its `i64` size.
            Enqueue { op: EnqueueOp, kernel: FunctionId, block: Value, local_sizes: Values, size: u32, align: u32 }
                = (custom enqueue) [Other, Devices, opencl];

            If { condition: Value, then: RegionId, otherwise: RegionId }
                = ("if" condition then "else" otherwise) [Structured, Control, always];
            Switch { selector: Value, inputs: Values, cases: Vec<Case> }
                = ("switch" selector "(" inputs ")" cases) [Structured, Control, always];
            Loop { inits: Values, body: RegionId, continuing: RegionId, hint: LoopHint }
                = ("loop" "(" inits ")" hint body "continuing" continuing) [Structured, Control, always];

            Yield(values: Values) = ("yield" values) [Terminator, Control, always];
            Break(values: Values) = ("break" values) [Terminator, Control, always];
            Continue(values: Values) = ("continue" values) [Terminator, Control, always];
            Fallthrough(values: Values) = ("fallthrough" values) [Terminator, Control, always];
            Next(values: Values) = ("next" values) [Terminator, Control, always];
            NextIf { condition: Value, next: Values, results: Values }
                = ("next_if" condition "(" next ")" "(" results ")") [Terminator, Control, always];
            Return(value: Option<Value>) = ("return" value) [Terminator, Control, always];
            Unreachable = ("unreachable") [Terminator, Control, always];
        }
    };
}
pub(crate) use ops;

/// What executing an operation does besides computing its results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    /// Nothing: it may be removed, merged or repeated.
    Pure,
    /// Some of its kinds do nothing.
    ByKind,
    /// It has regions.
    Structured,
    /// It ends a region.
    Terminator,
    /// Anything else.
    Other,
}

/// Declares [`Op`].
macro_rules! declare {
    ($(
        $(#[$doc:meta])*
        $name:ident $({ $($field:ident: $ty:ty),+ $(,)? })? $(($part:ident: $part_ty:ty))? = $syntax:tt
            [$effect:ident, $($property:tt)*];
    )*) => {
        /// What an instruction does. See the module's contract.
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum Op {
            $($(#[$doc])* $name $({ $($field: $ty),+ })? $(($part_ty))?,)*
        }

        impl Op {
            /// The names of the rows.
            #[cfg(test)]
            pub const ROWS: &[&str] = &[$(stringify!($name)),*];

            fn effect(&self) -> Effect {
                match self {
                    $(Op::$name { .. } => Effect::$effect,)*
                }
            }

            /// The name of its row.
            #[cfg(test)]
            pub fn row(&self) -> &'static str {
                match self {
                    $(Op::$name { .. } => stringify!($name),)*
                }
            }
        }
    };
}

ops!(declare);

impl Op {
    /// Whether it ends a region.
    pub fn is_terminator(&self) -> bool {
        self.effect() == Effect::Terminator
    }

    /// Whether it has regions.
    #[inline]
    pub fn is_structured(&self) -> bool {
        self.effect() == Effect::Structured
    }

    /// Whether it depends on which work-items execute it together, so that no condition may be put around it that differs between
    /// them. Calls may have such operations in them.
    pub fn is_convergent(&self) -> bool {
        matches!(
            self,
            Op::Barrier { .. }
                | Op::Fence(_)
                | Op::Group { .. }
                | Op::ReadClock(_)
                | Op::Matrix(_)
                | Op::MatrixVariableLoad { .. }
                | Op::MatrixVariableStore { .. }
        )
    }

    /// Whether it computes a value from its operands and does nothing else, so that it may be removed, merged or
    /// repeated.
    pub fn is_pure(&self) -> bool {
        match self {
            Op::Intrinsic { function, .. } => function.is_pure(),
            Op::Image { op, .. } => op.is_query(),
            Op::Matrix(op) => op.is_pure(),
            op => op.effect() == Effect::Pure,
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
