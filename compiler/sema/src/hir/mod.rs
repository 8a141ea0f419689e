//! The typed program: what sema makes of the syntax tree.
//!
//! Contract:
//! - Every name is resolved, every implicit conversion is explicit, every constant expression C requires is evaluated.
//! - An expression is a *value* or a *place* (lvalue). Places are [`ExprKind::Local`], [`ExprKind::Global`],
//!   [`ExprKind::Deref`], [`ExprKind::Field`], [`ExprKind::Lanes`], [`ExprKind::Lane`], [`ExprKind::Temporary`] and
//!   [`ExprKind::CompoundLiteral`]; all other kinds are values. [`ExprKind::Load`] turns a place into a value,
//!   [`ExprKind::AddressOf`] into a pointer; array-to-pointer decay is an `AddressOf` of the array whose type is
//!   pointer-to-element.
//! - A place's `ty.space` says where the object is; `ty.quals` whether it is `const` or `volatile`.
//! - Both operands of a [`ExprKind::Binary`] other than a shift have the same type.
//! - Comparisons and `!` give `int` (0 or 1) on scalars and a signed integer vector (0 or -1) on vectors.
//! - Conditions (`if`, loops, `?:`, `&&`, `||`) have type `bool`.
//! - Values of record type exist: [`ExprKind::Load`] of a record place, calls, assignment, `?:`.
//! - A program with errors is never given to a later stage.

#![allow(missing_docs)] // field names say it; the contract above says the rest

pub mod types;
pub mod verify;
mod walk;

use crate::builtins::BuiltinId;
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::{AddressSpace, Qualifiers};
pub use types::{FloatKind, IntKind, QualTy, Scalar, Ty, TyKind, TypeTable};

/// Links of `else if` or `?:` chains that stay nested in each other. SPIR-V allows 1,023 levels of control flow; lavapipe
/// 22.3 loses conditions beyond 80.
pub const LONGEST_CHAIN: usize = 64;

/// Index into [`Program::functions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// Index into [`Program::globals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

/// Index into [`Function::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// Index of a label in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub u32);

/// A checked program: the user's, and behind it the library functions it needs.
#[derive(Default)]
pub struct Program<'h> {
    pub types: TypeTable,
    pub functions: Vec<Function<'h>>,
    pub globals: Vec<Global>,
}

/// A function.
pub struct Function<'h> {
    pub name: Symbol,
    pub span: Span,
    pub result: Ty,
    /// The parameters are the first locals, of declarations too.
    pub parameter_count: u32,
    /// Parameters and every variable of every block that lives in private memory.
    pub locals: Vec<Local>,
    /// `None`: declared, not defined.
    pub body: Option<&'h [Stmt<'h>]>,
    pub label_count: u32,
    /// Whether statement expressions hold `goto`, `break`, `continue` or `return`.
    pub expression_jumps: bool,
    pub kernel: Option<KernelAttributes>,
    pub inline_hint: InlineHint,
    /// `static`, `inline` or overloadable: not exported from a module without kernels.
    pub internal: bool,
    /// Of the body of a block: the object its first parameter, of a block type, refers to.
    pub block: Option<BlockObject>,
    /// Functions this one calls directly, each once.
    pub callees: Vec<FunctionId>,
    /// Built-in functions it calls whose target may need a library function, each once.
    pub builtins: Vec<BuiltinId>,
}

/// The object a block literal makes: a header of [`BlockObject::HEADER`] bytes and the captured values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockObject {
    pub size: u64,
    pub align: u64,
}

impl BlockObject {
    /// Size and alignment of the object (two `uint`s) and a null pointer: consumers of SPIR-V that are made of LLVM find
    /// the size there.
    pub const HEADER: u64 = 16;
    pub const HEADER_ALIGN: u64 = 8;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum InlineHint {
    #[default]
    None,
    Always,
    Never,
}

/// What a kernel's attributes and parameters say (6.9.1, 6.11.2).
#[derive(Clone, Debug, Default)]
pub struct KernelAttributes {
    pub required_work_group_size: Option<[u32; 3]>,
    pub work_group_size_hint: Option<[u32; 3]>,
    pub vec_type_hint: Option<Ty>,
    pub required_sub_group_size: Option<u32>,
    pub parameters: Vec<KernelParameter>,
}

/// A kernel parameter's facts for `clGetKernelArgInfo`.
#[derive(Clone, Debug)]
pub struct KernelParameter {
    pub name: String,
    /// As written, without address space and qualifiers: `float*`, `int4`, `struct S`.
    pub type_name: String,
    pub address_space: AddressSpace,
    pub qualifiers: Qualifiers,
}

/// A variable in private memory, or a parameter.
#[derive(Clone, Debug)]
pub struct Local {
    pub name: Symbol,
    pub ty: QualTy,
    /// At least the type's own alignment.
    pub align: u64,
    pub span: Span,
}

/// A program-scope variable, a function-scope `constant`, `static` or `local` variable, or a string literal.
#[derive(Clone, Debug)]
pub struct Global {
    pub name: Symbol,
    /// `ty.space` is `Constant`, `Global` or `Local`.
    pub ty: QualTy,
    pub align: u64,
    pub span: Span,
    /// `None` for local variables and for `extern` declarations.
    pub init: Option<ConstantData>,
    /// `static` or function scope: not exported.
    pub internal: bool,
    /// `extern` and defined nowhere in this program.
    pub external: bool,
    /// For `local` variables of function scope, the function.
    pub owner: Option<FunctionId>,
    pub is_string: bool,
}

/// The bytes of a constant object.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConstantData {
    /// As long as the object, longer where a flexible array member has elements; zero where not initialised.
    pub bytes: Vec<u8>,
    /// Pointers inside: (byte offset, what it points to, byte offset in that).
    pub relocations: Vec<(u64, GlobalId, i64)>,
    /// Sampler literals inside: none in OpenCL C but a `sampler_t` global is one: its `CLK_` bits are `bytes[0..4]`.
    pub is_sampler: bool,
}

/// A statement.
#[derive(Clone, Copy, Debug)]
pub struct Stmt<'h> {
    pub kind: StmtKind<'h>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum StmtKind<'h> {
    Expr(&'h Expr<'h>),
    /// Life of a variable begins here (again, in a loop); without initialiser its value is undefined.
    Declare {
        local: LocalId,
        init: Option<&'h Init<'h>>,
    },
    Block(&'h [Stmt<'h>]),
    If {
        condition: &'h Expr<'h>,
        then: &'h [Stmt<'h>],
        otherwise: &'h [Stmt<'h>],
    },
    While {
        condition: &'h Expr<'h>,
        body: &'h [Stmt<'h>],
        hint: LoopHint,
    },
    DoWhile {
        body: &'h [Stmt<'h>],
        condition: &'h Expr<'h>,
        hint: LoopHint,
    },
    For {
        init: &'h [Stmt<'h>],
        condition: Option<&'h Expr<'h>>,
        step: Option<&'h Expr<'h>>,
        body: &'h [Stmt<'h>],
        hint: LoopHint,
    },
    /// `cases[i]` is where [`StmtKind::Case`] `i` stands, anywhere inside the body.
    Switch {
        selector: &'h Expr<'h>,
        cases: &'h [CaseLabel],
        body: &'h [Stmt<'h>],
    },
    /// A case or default label of the innermost switch: index into its `cases`.
    Case(u32),
    Break,
    Continue,
    Return(Option<&'h Expr<'h>>),
    Goto(LabelId),
    Label(LabelId),
}

/// `opencl_unroll_hint` and `#pragma unroll`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LoopHint {
    #[default]
    None,
    Unroll,
    UnrollBy(u32),
    DontUnroll,
}

/// `case low ... high:`, or `default:` (`None`). Values are of the selector's type, sign-extended to 64 bits if signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseLabel {
    pub range: Option<(u64, u64)>,
    pub span: Span,
}

/// An initialiser of a local object.
#[derive(Clone, Copy, Debug)]
pub enum Init<'h> {
    /// One value of the object's type.
    Value(&'h Expr<'h>),
    /// All zero but for these parts, in order of evaluation; later ones override.
    Parts(&'h [InitPart<'h>]),
    /// All parts are constants, none of them an address.
    Constant(&'h ConstantData),
}

/// A value put at a byte offset; its type is the part's.
#[derive(Clone, Copy, Debug)]
pub struct InitPart<'h> {
    pub offset: u64,
    pub value: &'h Expr<'h>,
}

/// What a built-in function does with a block (6.15.17).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EnqueueOp {
    /// `enqueue_kernel`.
    Kernel,
    WorkGroupSize,
    PreferredWorkGroupSizeMultiple,
    NdRangeSubGroupCount,
    NdRangeMaxSubGroupSize,
}

/// A call of a built-in function that takes a block.
#[derive(Clone, Copy, Debug)]
pub struct Enqueue<'h> {
    pub op: EnqueueOp,
    /// What stands before the block: of [`EnqueueOp::Kernel`] queue, flags, range, number of events, events to wait for,
    /// event to return; of the others at most a range.
    pub arguments: &'h [&'h Expr<'h>],
    /// The block's body.
    pub function: FunctionId,
    pub block: &'h Expr<'h>,
    /// Sizes of the block's local memory, `size_t`.
    pub sizes: &'h [&'h Expr<'h>],
}

/// An expression: see the module's contract for values and places.
#[derive(Clone, Copy, Debug)]
pub struct Expr<'h> {
    pub kind: ExprKind<'h>,
    pub ty: QualTy,
    pub span: Span,
}

#[derive(Clone, Copy, Debug)]
pub enum ExprKind<'h> {
    // --- values ---
    /// Integer, bool or enum value: two's complement, sign-extended to 64 bits if signed. Also null (0) of pointer type.
    Int(u64),
    /// A floating value, exactly representable in its type.
    Float(f64),
    Load(&'h Expr<'h>),
    AddressOf(&'h Expr<'h>),
    /// A block literal (6.14): an object of that size and alignment with the values the block captures, each at its
    /// offset; the value refers to it. `function` is the block's body, whose [`Function::block`] describes the object.
    BlockLiteral {
        function: FunctionId,
        captures: &'h [InitPart<'h>],
    },
    /// Enqueueing a block or asking about it (6.15.17).
    Enqueue(&'h Enqueue<'h>),
    Unary(UnaryOp, &'h Expr<'h>),
    Binary(BinaryOp, &'h Expr<'h>, &'h Expr<'h>),
    /// `pointer + index` in elements of the pointee; `index` is a 64-bit or 32-bit integer of either signedness.
    PointerAdd {
        pointer: &'h Expr<'h>,
        index: &'h Expr<'h>,
        negative: bool,
    },
    /// `left - right` in elements of the pointee; `ptrdiff_t`.
    PointerDifference(&'h Expr<'h>, &'h Expr<'h>),
    /// `&&` (`and`) or `||`; operands `bool`, result `int`; the second is evaluated only when needed.
    Logical {
        and: bool,
        left: &'h Expr<'h>,
        right: &'h Expr<'h>,
    },
    /// Scalar condition (`bool`): only one side is evaluated.
    Conditional {
        condition: &'h Expr<'h>,
        then: &'h Expr<'h>,
        otherwise: &'h Expr<'h>,
    },
    /// Vector condition: both evaluated, lanes chosen by the condition's sign bits (6.5.9).
    Select {
        condition: &'h Expr<'h>,
        then: &'h Expr<'h>,
        otherwise: &'h Expr<'h>,
    },
    /// `place = value`; the value of the expression is the value assigned.
    Assign {
        place: &'h Expr<'h>,
        value: &'h Expr<'h>,
    },
    /// `place op= value`: the place is read once, converted to `computation`, combined, converted back and stored.
    /// For shifts `value` keeps its own type.
    CompoundAssign {
        place: &'h Expr<'h>,
        op: BinaryOp,
        value: &'h Expr<'h>,
        computation: Ty,
    },
    /// `pointer += index` or `-=`.
    PointerAssignAdd {
        place: &'h Expr<'h>,
        index: &'h Expr<'h>,
        negative: bool,
    },
    /// `++` and `--` on numbers, vectors and pointers.
    Increment {
        place: &'h Expr<'h>,
        decrement: bool,
        postfix: bool,
    },
    Convert(Conversion, &'h Expr<'h>),
    /// A vector from parts, scalars and vectors, whose lanes add up.
    VectorLiteral(&'h [&'h Expr<'h>]),
    /// Lanes of a vector value; their number is that of `ty`.
    Swizzle(&'h Expr<'h>, Lanes),
    Call {
        function: FunctionId,
        arguments: &'h [&'h Expr<'h>],
    },
    /// A built-in function; arguments have the overload's parameter types.
    Builtin {
        function: BuiltinId,
        arguments: &'h [&'h Expr<'h>],
    },
    /// All evaluated in order; the value of the last.
    Comma(&'h [&'h Expr<'h>]),
    /// GNU `({ … })`: statements, then the value (a void expression without).
    StatementExpr {
        body: &'h [Stmt<'h>],
        value: Option<&'h Expr<'h>>,
    },

    // --- places ---
    Local(LocalId),
    Global(GlobalId),
    /// What a pointer points to.
    Deref(&'h Expr<'h>),
    /// A member of a record place; index into the record's fields.
    Field(&'h Expr<'h>, u32),
    /// Lanes of a vector place, no lane twice when assigned.
    Lanes(&'h Expr<'h>, Lanes),
    /// One lane of a vector place, chosen at run time (`v[i]`).
    Lane(&'h Expr<'h>, &'h Expr<'h>),
    /// A value put in an unnamed private object, to take a member of it.
    Temporary(&'h Expr<'h>),
    /// An unnamed private object, initialised each time it is evaluated.
    CompoundLiteral {
        local: LocalId,
        init: &'h Init<'h>,
    },
}

/// Lane numbers of a swizzle; only the first `count` mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lanes {
    pub count: u8,
    pub lanes: [u8; 16],
}

impl Lanes {
    /// The fourth lane of a vector of three, which `hi` and `odd` name: reading it gives anything, writing it does nothing.
    /// Only where places are chosen.
    pub const ABSENT: u8 = u8::MAX;

    /// The lanes to read: any for those that are absent.
    pub fn readable(&self) -> Lanes {
        Lanes { count: self.count, lanes: self.lanes.map(|lane| if lane == Lanes::ABSENT { 0 } else { lane }) }
    }

    /// The lane numbers.
    pub fn as_slice(&self) -> &[u8] {
        &self.lanes[..usize::from(self.count).min(16)]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Negate,
    BitNot,
    /// `!`: on scalars the operand is `bool` and the result `int`; on vectors any type, result signed integer vector.
    LogicalNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    /// Shifts: the right operand is an integer (vector) of any width; the count is taken modulo the left width (6.5.7).
    Shl,
    Shr,
    And,
    Or,
    Xor,
    /// Comparisons: also of pointers (same address space).
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    /// `&&` and `||` of vectors: lane-wise, both evaluated, operands signed integer vectors that are 0 or -1.
    LogicalAnd,
    LogicalOr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// Between arithmetic scalars or vectors of the same number of lanes, with C's rounding (to nearest even between
    /// floats, toward zero to integers); to `bool`: `!= 0`; `bool` in vectors gives -1 (6.4.2).
    Arithmetic,
    /// A scalar of the element type becomes all lanes.
    Splat,
    /// Same bits (`as_type`): sizes equal, or 4 lanes to 3.
    Bits,
    /// Between pointers: pointee or address space.
    Pointer,
    PointerToInt,
    IntToPointer,
    /// Pointer `!= null` as `bool`.
    PointerToBool,
    /// Any value to `void`.
    Discard,
}
