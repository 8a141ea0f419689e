//! Expressions and the operators and constants in them (C99 6.5, 6.4.4).

use super::{Declarator, Designator, InitializerList, Statement, TypeName};
use clforge_basic::source::{Span, Symbol};

/// An expression (C99 6.5).
#[derive(Clone, Copy, Debug)]
pub struct Expr<'a> {
    /// What it is.
    pub kind: ExprKind<'a>,
    /// The tokens it was written with.
    pub span: Span,
}

/// See [`Expr`].
#[derive(Clone, Copy, Debug)]
pub enum ExprKind<'a> {
    /// Tokens with a syntax error, which has been reported.
    Skipped,
    /// An identifier.
    Identifier(Symbol),
    /// An integer constant.
    Integer(IntegerLiteral),
    /// A floating constant.
    Floating(FloatingLiteral),
    /// A character constant's value (type `int`).
    Character(i32),
    /// Adjacent string literals joined and unescaped, without the terminating zero.
    String(&'a [u8]),
    /// `( … )`
    Paren(&'a Expr<'a>),
    /// `callee(arguments)`
    Call {
        /// The function that is called.
        callee: &'a Expr<'a>,
        /// The arguments, in source order.
        arguments: &'a [&'a Expr<'a>],
    },
    /// `base[index]`
    Index {
        /// The postfix-expression before it.
        base: &'a Expr<'a>,
        /// The index.
        index: &'a Expr<'a>,
    },
    /// `base.name` or `base->name`; vector components too.
    Member {
        /// The postfix-expression before it.
        base: &'a Expr<'a>,
        /// The name.
        name: Symbol,
        /// Where the name is.
        name_span: Span,
        /// Whether it is `->`.
        arrow: bool,
    },
    /// A unary operator other than an increment.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: &'a Expr<'a>,
    },
    /// `x++` and friends; `++x` too.
    Increment {
        /// The operand.
        operand: &'a Expr<'a>,
        /// Whether it is `--`.
        decrement: bool,
        /// Whether the operator follows the operand.
        postfix: bool,
    },
    /// A binary operator.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand.
        left: &'a Expr<'a>,
        /// The right operand.
        right: &'a Expr<'a>,
        /// Where the operator is.
        op_span: Span,
    },
    /// `=` when `op` is `None`, else `op=`.
    Assign {
        /// The operator.
        op: Option<BinaryOp>,
        /// The left operand.
        left: &'a Expr<'a>,
        /// The right operand.
        right: &'a Expr<'a>,
        /// Where the operator is.
        op_span: Span,
    },
    /// `then` is missing in GNU's `a ?: b`.
    Conditional {
        /// The controlling expression.
        condition: &'a Expr<'a>,
        /// What is evaluated or executed if the condition holds.
        then: Option<&'a Expr<'a>>,
        /// What is evaluated or executed otherwise.
        otherwise: &'a Expr<'a>,
    },
    /// `a, b, c` flat, at least two.
    Comma(&'a [&'a Expr<'a>]),
    /// `(type) operand`. `(float4)(a, b)` has a [`ExprKind::Paren`] of a [`ExprKind::Comma`] as operand: whether it is
    /// a vector literal depends on the type, which sema knows.
    Cast {
        /// The type.
        ty: &'a TypeName<'a>,
        /// The operand.
        operand: &'a Expr<'a>,
    },
    /// `(type){ … }`
    CompoundLiteral {
        /// The type.
        ty: &'a TypeName<'a>,
        /// The initialiser list.
        list: &'a InitializerList<'a>,
    },
    /// `sizeof expression`
    SizeofExpr(&'a Expr<'a>),
    /// `sizeof (type)`
    SizeofType(&'a TypeName<'a>),
    /// `_Alignof expression` (GNU C).
    AlignofExpr(&'a Expr<'a>),
    /// `_Alignof (type)`
    AlignofType(&'a TypeName<'a>),
    /// `vec_step(type)`; of an expression it is a plain call.
    VecStepType(&'a TypeName<'a>),
    /// `__builtin_astype(operand, type)`.
    AsType {
        /// The operand.
        operand: &'a Expr<'a>,
        /// The type.
        ty: &'a TypeName<'a>,
    },
    /// `__builtin_convertvector(operand, type)`.
    ConvertVector {
        /// The operand.
        operand: &'a Expr<'a>,
        /// The type.
        ty: &'a TypeName<'a>,
    },
    /// `__builtin_types_compatible_p(type, type)`.
    TypesCompatible(&'a TypeName<'a>, &'a TypeName<'a>),
    /// C11 6.5.1.1.
    Generic {
        /// The controlling expression.
        control: &'a Expr<'a>,
        /// Without a type: `default`.
        associations: &'a [(Option<&'a TypeName<'a>>, &'a Expr<'a>)],
    },
    /// `__builtin_offsetof(type, member-designator)` or `offsetof`.
    OffsetOf {
        /// The type.
        ty: &'a TypeName<'a>,
        /// The member-designator.
        path: &'a [Designator<'a>],
    },
    /// GNU `({ … })`: its compound statement.
    StatementExpr(&'a Statement<'a>),
    /// `^(params) { … }`, or with its type `^int(params) { … }`.
    Block {
        /// The type.
        ty: Option<&'a TypeName<'a>>,
        /// The parameters.
        parameters: Option<&'a Declarator<'a>>,
        /// The body.
        body: &'a Statement<'a>,
    },
}

/// Unary operators other than increments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `~`
    BitNot,
    /// `!`
    LogicalNot,
    /// `&`
    AddressOf,
    /// `*`
    Dereference,
    /// `__real__`, `__imag__`: only to reject them by name.
    Real,
    /// `__imag__`
    Imag,
}

/// Binary operators; also the operator part of compound assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `>`
    Gt,
    /// `<=`
    Le,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&`
    BitAnd,
    /// `^`
    BitXor,
    /// `|`
    BitOr,
    /// `&&`
    LogicalAnd,
    /// `||`
    LogicalOr,
}

impl BinaryOp {
    /// The operator's spelling.
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Mul => "*",
            Div => "/",
            Rem => "%",
            Add => "+",
            Sub => "-",
            Shl => "<<",
            Shr => ">>",
            Lt => "<",
            Gt => ">",
            Le => "<=",
            Ge => ">=",
            Eq => "==",
            Ne => "!=",
            BitAnd => "&",
            BitXor => "^",
            BitOr => "|",
            LogicalAnd => "&&",
            LogicalOr => "||",
        }
    }
}

/// An integer constant (C99 6.4.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerLiteral {
    /// The value.
    pub value: u64,
    /// Octal, hexadecimal and binary constants may become unsigned without a suffix.
    pub decimal: bool,
    /// Whether the suffix has a `u`.
    pub unsigned: bool,
    /// Number of `l` in the suffix.
    pub long: u8,
}

/// Suffix of a floating constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatSuffix {
    /// No suffix.
    None,
    /// `f`
    Float,
    /// `h`
    Half,
    /// `l`: reserved in OpenCL C.
    Long,
}

/// A floating constant (C99 6.4.4.2), kept as text so that sema rounds it once, to the type it ends up with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatingLiteral {
    /// Digits without the suffix: decimal or hexadecimal floating.
    pub digits: Symbol,
    /// The suffix.
    pub suffix: FloatSuffix,
}
