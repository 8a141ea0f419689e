//! The typed program, which sema builds from the syntax tree.
//!
//! Contract:
//! - Every name is resolved, every implicit conversion is explicit, every constant expression C requires is evaluated.
//! - An expression is a *value* or a *place* (lvalue). Places are [`ExprKind::PrivateVariable`], [`ExprKind::ModuleVariable`],
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

mod contraction;
mod expr;
pub mod spelling;
pub mod types;
pub mod verify;
mod walk;

use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::{AddressSpace, Qualifiers};
pub use contraction::Contraction;
pub use expr::{BinaryOp, Conversion, Expr, ExprKind, Lanes, UnaryOp};
use typed_index_collections::TiVec;
pub use types::{FloatKind, IntKind, QualTy, Scalar, Ty, TyKind, TypeTable};

/// Links of `else if` or `?:` chains that stay nested in each other. SPIR-V allows 1,023 levels of control flow; lavapipe
/// 22.3 loses conditions beyond 80.
pub const LONGEST_CHAIN: usize = 64;

clforge_basic::ids! {
    /// Index into [`Program::functions`].
    FunctionId
    /// Index into [`Program::variables`].
    ModuleVariableId
    /// Index into [`Function::variables`].
    PrivateVariableId
}

/// A built-in function: its row in the table of [`crate::builtins`], or a conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BuiltinId(pub u16);

impl BuiltinId {
    /// The row in the table, or a number past its end for conversions.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Index of a label in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub u32);

/// A checked program: the user's, and behind it the library functions it needs.
#[derive(Default)]
pub struct Program<'h> {
    /// All types.
    pub types: TypeTable,
    /// All functions.
    pub functions: TiVec<FunctionId, Function<'h>>,
    /// All variables that are not in private memory.
    pub variables: TiVec<ModuleVariableId, ModuleVariable>,
    /// Where multiplications and additions of floats may be fused.
    pub contraction: Contraction,
}

/// A function.
pub struct Function<'h> {
    /// As declared.
    pub name: Symbol,
    /// Where the name is.
    pub span: Span,
    /// The type of the result.
    pub result: Ty,
    /// The parameters are the first variables, of declarations too.
    pub parameter_count: u32,
    /// Parameters and every variable of every block that lives in private memory.
    pub variables: TiVec<PrivateVariableId, PrivateVariable>,
    /// `None`: declared, not defined.
    pub body: Option<&'h [Stmt<'h>]>,
    /// One more than the highest [`LabelId`].
    pub label_count: u32,
    /// Whether statement expressions hold `goto`, `break`, `continue` or `return`.
    pub expression_jumps: bool,
    /// `Some`: it is a kernel.
    pub kernel: Option<KernelAttributes>,
    /// What its attributes say about inlining.
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

impl Function<'_> {
    /// Whether it is a kernel with a body, rather than the declaration of one.
    pub fn is_kernel_definition(&self) -> bool {
        self.kernel.is_some() && self.body.is_some()
    }
}

/// The object a block literal makes: a header of [`BlockObject::HEADER`] bytes and the captured values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockObject {
    /// In bytes, the header included.
    pub size: u64,
    /// In bytes.
    pub align: u64,
    /// Whether the block is enqueued or queried somewhere ([`ExprKind::Enqueue`]), and not only called.
    pub is_enqueued: bool,
    /// The pointers, images and samplers among the captured values: their bytes in the object, and their types.
    pub references: Vec<(u64, Ty)>,
}

impl BlockObject {
    /// The object of a block that captures nothing.
    pub const EMPTY: BlockObject = BlockObject {
        size: BlockObject::HEADER,
        align: BlockObject::HEADER_ALIGN,
        is_enqueued: false,
        references: Vec::new(),
    };
    /// Size and alignment of the object (two `uint`s) and a null pointer: consumers of SPIR-V that are made of LLVM find
    /// the size there.
    pub const HEADER: u64 = 16;
    /// The alignment of the header in bytes.
    pub const HEADER_ALIGN: u64 = 8;
}

/// What the attributes of a function say about inlining.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum InlineHint {
    /// No attribute.
    #[default]
    None,
    /// `always_inline`
    Always,
    /// `noinline`
    Never,
}

/// What a kernel's attributes and parameters say (6.9.1, 6.11.2).
#[derive(Clone, Debug, Default)]
pub struct KernelAttributes {
    /// `reqd_work_group_size`
    pub required_work_group_size: Option<[u32; 3]>,
    /// `work_group_size_hint`
    pub work_group_size_hint: Option<[u32; 3]>,
    /// `vec_type_hint`
    pub vec_type_hint: Option<Ty>,
    /// `intel_reqd_sub_group_size`
    pub required_sub_group_size: Option<u32>,
    /// In order.
    pub parameters: Vec<KernelParameter>,
}

/// A kernel parameter's facts for `clGetKernelArgInfo`.
#[derive(Clone, Debug)]
pub struct KernelParameter {
    /// As declared.
    pub name: String,
    /// As written, without address space and qualifiers: `float*`, `int4`, `struct S`.
    pub type_name: String,
    /// That of the pointee; of other parameters private.
    pub address_space: AddressSpace,
    /// Those of the pointee, and `restrict`.
    pub qualifiers: Qualifiers,
}

/// A variable in private memory, or a parameter.
#[derive(Clone, Debug)]
pub struct PrivateVariable {
    /// Empty for unnamed objects.
    pub name: Symbol,
    /// `ty.space` is `Private`.
    pub ty: QualTy,
    /// At least the type's own alignment.
    pub align: u64,
    /// Where it is declared.
    pub span: Span,
}

/// A program-scope variable, a function-scope `constant`, `static` or `local` variable, or a string literal.
#[derive(Clone, Debug)]
pub struct ModuleVariable {
    /// Empty for string literals and samplers.
    pub name: Symbol,
    /// `ty.space` is `Constant`, `Global` or `Local`.
    pub ty: QualTy,
    /// At least the natural alignment of the type.
    pub align: u64,
    /// Where it is declared.
    pub span: Span,
    /// `None` for local variables and for `extern` declarations.
    pub init: Option<ConstantData>,
    /// `static` or function scope: not exported.
    pub internal: bool,
    /// `extern` and defined nowhere in this program.
    pub external: bool,
    /// For `local` variables of function scope, the function.
    pub owner: Option<FunctionId>,
    /// Whether it is a string literal, which `printf` may print.
    pub is_string: bool,
}

/// The bytes of a constant object.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct ConstantData {
    /// As long as the object, longer where a flexible array member has elements; zero where not initialised.
    pub bytes: Vec<u8>,
    /// Pointers inside: (byte offset, what it points to, byte offset in that).
    pub relocations: Vec<(u64, ModuleVariableId, i64)>,
    /// Sampler literals inside: none in OpenCL C but a `sampler_t` global is one: its `CLK_` bits are `bytes[0..4]`.
    pub is_sampler: bool,
}

/// A statement.
#[derive(Clone, Copy, Debug)]
pub struct Stmt<'h> {
    /// What it does.
    pub kind: StmtKind<'h>,
    /// For diagnostics and debug information.
    pub span: Span,
}

/// See [`Stmt`].
#[derive(Clone, Copy, Debug)]
pub enum StmtKind<'h> {
    /// The value is discarded.
    Expr(&'h Expr<'h>),
    /// Life of a variable begins here (again, in a loop); without initialiser its value is undefined.
    Declare {
        /// The variable.
        variable: PrivateVariableId,
        /// The initialiser.
        init: Option<&'h Init<'h>>,
    },
    /// `{ … }`
    Block(&'h [Stmt<'h>]),
    /// `if`
    If {
        /// Of type `bool`.
        condition: &'h Expr<'h>,
        /// Executed if the condition holds.
        then: &'h [Stmt<'h>],
        /// Executed if it does not.
        otherwise: &'h [Stmt<'h>],
    },
    /// `while`
    While {
        /// Of type `bool`.
        condition: &'h Expr<'h>,
        /// The body.
        body: &'h [Stmt<'h>],
        /// Whether to unroll.
        hint: LoopHint,
    },
    /// `do … while`
    DoWhile {
        /// The body.
        body: &'h [Stmt<'h>],
        /// Of type `bool`.
        condition: &'h Expr<'h>,
        /// Whether to unroll.
        hint: LoopHint,
    },
    /// `for`
    For {
        /// The initialiser.
        init: &'h [Stmt<'h>],
        /// Of type `bool`.
        condition: Option<&'h Expr<'h>>,
        /// Evaluated after each iteration.
        step: Option<&'h Expr<'h>>,
        /// The body.
        body: &'h [Stmt<'h>],
        /// Whether to unroll.
        hint: LoopHint,
    },
    /// `cases[i]` is where [`StmtKind::Case`] `i` stands, anywhere inside the body.
    Switch {
        /// An integer.
        selector: &'h Expr<'h>,
        /// The labels of the switch.
        cases: &'h [CaseLabel],
        /// The body.
        body: &'h [Stmt<'h>],
    },
    /// A case or default label of the innermost switch: index into its `cases`.
    Case(u32),
    /// `break`
    Break,
    /// `continue`
    Continue,
    /// `return`
    Return(Option<&'h Expr<'h>>),
    /// `goto`
    Goto(LabelId),
    /// The place that `goto` jumps to.
    Label(LabelId),
}

/// `opencl_unroll_hint` and `#pragma unroll`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LoopHint {
    /// No hint.
    #[default]
    None,
    /// Unroll it, completely if possible.
    Unroll,
    /// Unroll it by this factor.
    UnrollBy(u32),
    /// Do not unroll it.
    DontUnroll,
}

/// `case low ... high:`, or `default:` (`None`). Values are of the selector's type, sign-extended to 64 bits if signed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CaseLabel {
    /// `None`: `default`.
    pub range: Option<(u64, u64)>,
    /// Where the label is.
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
    /// Constants, and then these few parts, in order of evaluation: of large objects.
    ConstantAndParts(&'h ConstantData, &'h [InitPart<'h>]),
}

/// A value put at a byte offset; its type is the part's.
#[derive(Clone, Copy, Debug)]
pub struct InitPart<'h> {
    /// In bytes.
    pub offset: u64,
    /// The value.
    pub value: &'h Expr<'h>,
}

/// What a built-in function does with a block (6.15.19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EnqueueOp {
    /// `enqueue_kernel`.
    Kernel,
    /// `get_kernel_work_group_size`
    WorkGroupSize,
    /// `get_kernel_preferred_work_group_size_multiple`
    PreferredWorkGroupSizeMultiple,
    /// `get_kernel_sub_group_count_for_ndrange`
    NdRangeSubGroupCount,
    /// `get_kernel_max_sub_group_size_for_ndrange`
    NdRangeMaxSubGroupSize,
}

/// A call of a built-in function that takes a block.
#[derive(Clone, Copy, Debug)]
pub struct Enqueue<'h> {
    /// The function.
    pub op: EnqueueOp,
    /// What stands before the block: of [`EnqueueOp::Kernel`] queue, flags, range, number of events, events to wait for,
    /// event to return; of the others at most a range.
    pub arguments: &'h [&'h Expr<'h>],
    /// The block's body.
    pub function: FunctionId,
    /// The block itself.
    pub block: &'h Expr<'h>,
    /// Sizes of the block's local memory, `size_t`.
    pub sizes: &'h [&'h Expr<'h>],
}
