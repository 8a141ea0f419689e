//! Expressions of the typed program.

use super::*;

/// An expression: see the module's contract for values and places.
#[derive(Clone, Copy, Debug)]
pub struct Expr<'h> {
    /// What it computes.
    pub kind: ExprKind<'h>,
    /// The type; of a place the type of the object.
    pub ty: QualTy,
    /// For diagnostics and debug information.
    pub span: Span,
}

/// See [`Expr`].
#[derive(Clone, Copy, Debug)]
pub enum ExprKind<'h> {
    // --- values ---
    /// Integer, bool or enum value: two's complement, sign-extended to 64 bits if signed. Also null (0) of pointer type.
    Int(u64),
    /// A floating value, exactly representable in its type.
    Float(f64),
    /// The value of the object in a place.
    Load(&'h Expr<'h>),
    /// The address of a place.
    AddressOf(&'h Expr<'h>),
    /// A block literal (6.14): an object of that size and alignment with the values the block captures, each at its
    /// offset; the value refers to it. `function` is the block's body, whose [`Function::block`] describes the object.
    BlockLiteral {
        /// The function.
        function: FunctionId,
        /// The captured values and where the object holds them.
        captures: &'h [InitPart<'h>],
    },
    /// Enqueueing a block or asking about it (6.15.19).
    Enqueue(&'h Enqueue<'h>),
    /// A unary operator.
    Unary(UnaryOp, &'h Expr<'h>),
    /// A binary operator.
    Binary(BinaryOp, &'h Expr<'h>, &'h Expr<'h>),
    /// `pointer + index` in elements of the pointee; `index` is a 64-bit or 32-bit integer of either signedness.
    PointerAdd {
        /// The pointer.
        pointer: &'h Expr<'h>,
        /// An integer.
        index: &'h Expr<'h>,
        /// Whether the index is subtracted.
        negative: bool,
    },
    /// `left - right` in elements of the pointee; `ptrdiff_t`.
    PointerDifference(&'h Expr<'h>, &'h Expr<'h>),
    /// `&&` (`and`) or `||`; operands `bool`, result `int`; the second is evaluated only when needed.
    Logical {
        /// Whether it is `&&`.
        and: bool,
        /// The left operand.
        left: &'h Expr<'h>,
        /// The right operand.
        right: &'h Expr<'h>,
    },
    /// Scalar condition (`bool`): only one side is evaluated.
    Conditional {
        /// What decides.
        condition: &'h Expr<'h>,
        /// The value if the condition holds.
        then: &'h Expr<'h>,
        /// The value if it does not.
        otherwise: &'h Expr<'h>,
    },
    /// Vector condition: both evaluated, lanes chosen by the condition's sign bits (6.5.9).
    Select {
        /// What decides.
        condition: &'h Expr<'h>,
        /// The value if the condition holds.
        then: &'h Expr<'h>,
        /// The value if it does not.
        otherwise: &'h Expr<'h>,
    },
    /// `place = value`; the value of the expression is the value assigned.
    Assign {
        /// The object.
        place: &'h Expr<'h>,
        /// The value.
        value: &'h Expr<'h>,
    },
    /// `place op= value`: the place is read once, converted to `computation`, combined, converted back and stored.
    /// For shifts `value` keeps its own type.
    CompoundAssign {
        /// The object.
        place: &'h Expr<'h>,
        /// The operator.
        op: BinaryOp,
        /// The value.
        value: &'h Expr<'h>,
        /// The type of the computation.
        computation: Ty,
    },
    /// `pointer += index` or `-=`.
    PointerAssignAdd {
        /// The object.
        place: &'h Expr<'h>,
        /// An integer.
        index: &'h Expr<'h>,
        /// Whether the index is subtracted.
        negative: bool,
    },
    /// `++` and `--` on numbers, vectors and pointers.
    Increment {
        /// The object.
        place: &'h Expr<'h>,
        /// Whether it is `--`.
        decrement: bool,
        /// Whether the operator follows the operand.
        postfix: bool,
    },
    /// A conversion.
    Convert(Conversion, &'h Expr<'h>),
    /// A vector from parts, scalars and vectors, whose lanes add up.
    VectorLiteral(&'h [&'h Expr<'h>]),
    /// Lanes of a vector value; their number is that of `ty`.
    Swizzle(&'h Expr<'h>, Lanes),
    /// A call of a function of the program.
    Call {
        /// The function.
        function: FunctionId,
        /// One for each parameter.
        arguments: &'h [&'h Expr<'h>],
    },
    /// A built-in function; arguments have the overload's parameter types.
    Builtin {
        /// The function.
        function: BuiltinId,
        /// One for each parameter.
        arguments: &'h [&'h Expr<'h>],
    },
    /// All evaluated in order; the value of the last.
    Comma(&'h [&'h Expr<'h>]),
    /// GNU `({ … })`: statements, then the value (a void expression without).
    StatementExpr {
        /// Executed before the value is computed.
        body: &'h [Stmt<'h>],
        /// The value.
        value: Option<&'h Expr<'h>>,
    },

    // --- places ---
    /// A variable of the function.
    PrivateVariable(PrivateVariableId),
    /// A variable of the program.
    ModuleVariable(ModuleVariableId),
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
        /// The object.
        variable: PrivateVariableId,
        /// Its initialiser.
        init: &'h Init<'h>,
    },
}

/// Lane numbers of a swizzle; only the first `count` mean something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lanes {
    /// The number of lanes.
    pub count: u8,
    /// Indices of lanes.
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

/// Unary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-`
    Negate,
    /// `~`
    BitNot,
    /// `!`: on scalars the operand is `bool` and the result `int`; on vectors any type, result signed integer vector.
    LogicalNot,
}

/// Binary operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// Shifts: the right operand is an integer (vector) of any width; the count is taken modulo the left width (6.5.7).
    Shl,
    /// `>>`
    Shr,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// Comparisons: also of pointers (same address space).
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `&&` and `||` of vectors: lane-wise, both evaluated, operands signed integer vectors that are 0 or -1.
    LogicalAnd,
    /// `||`
    LogicalOr,
}

/// Conversions of values.
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
    /// The address, truncated or zero-extended.
    PointerToInt,
    /// The pointer with that address.
    IntToPointer,
    /// Pointer `!= null` as `bool`.
    PointerToBool,
    /// Any value to `void`.
    Discard,
}
