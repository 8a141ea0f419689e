//! Expressions and the operators and constants in them (C99 6.5, 6.4.4).

use super::{Declarator, Designator, InitializerList, Statement, TypeName};
use clforge_basic::source::{Span, Symbol};

/// An expression (C99 6.5).
#[derive(Clone, Copy, Debug)]
pub struct Expr<'a> {
    pub kind: ExprKind<'a>,
    pub span: Span,
}

/// See [`Expr`].
#[derive(Clone, Copy, Debug)]
pub enum ExprKind<'a> {
    Identifier(Symbol),
    Integer(IntegerLiteral),
    Floating(FloatingLiteral),
    /// A character constant's value (type `int`).
    Character(i32),
    /// Adjacent string literals joined and unescaped, without the terminating zero.
    String(&'a [u8]),
    Paren(&'a Expr<'a>),
    Call {
        callee: &'a Expr<'a>,
        arguments: &'a [&'a Expr<'a>],
    },
    Index {
        base: &'a Expr<'a>,
        index: &'a Expr<'a>,
    },
    /// `base.name` or `base->name`; vector components too.
    Member {
        base: &'a Expr<'a>,
        name: Symbol,
        name_span: Span,
        arrow: bool,
    },
    Unary {
        op: UnaryOp,
        operand: &'a Expr<'a>,
    },
    /// `x++` and friends; `++x` too.
    Increment {
        operand: &'a Expr<'a>,
        decrement: bool,
        postfix: bool,
    },
    Binary {
        op: BinaryOp,
        left: &'a Expr<'a>,
        right: &'a Expr<'a>,
        op_span: Span,
    },
    /// `=` when `op` is `None`, else `op=`.
    Assign {
        op: Option<BinaryOp>,
        left: &'a Expr<'a>,
        right: &'a Expr<'a>,
        op_span: Span,
    },
    /// `then` is missing in GNU's `a ?: b`.
    Conditional {
        condition: &'a Expr<'a>,
        then: Option<&'a Expr<'a>>,
        otherwise: &'a Expr<'a>,
    },
    /// `a, b, c` flat, at least two.
    Comma(&'a [&'a Expr<'a>]),
    /// `(type) operand`. `(float4)(a, b)` has a [`ExprKind::Paren`] of a [`ExprKind::Comma`] as operand: whether it is
    /// a vector literal depends on the type, which sema knows.
    Cast {
        ty: &'a TypeName<'a>,
        operand: &'a Expr<'a>,
    },
    CompoundLiteral {
        ty: &'a TypeName<'a>,
        list: &'a InitializerList<'a>,
    },
    SizeofExpr(&'a Expr<'a>),
    SizeofType(&'a TypeName<'a>),
    AlignofExpr(&'a Expr<'a>),
    AlignofType(&'a TypeName<'a>),
    /// `vec_step(type)`; of an expression it is a plain call.
    VecStepType(&'a TypeName<'a>),
    /// `__builtin_astype(operand, type)`.
    AsType {
        operand: &'a Expr<'a>,
        ty: &'a TypeName<'a>,
    },
    /// `__builtin_convertvector(operand, type)`.
    ConvertVector {
        operand: &'a Expr<'a>,
        ty: &'a TypeName<'a>,
    },
    /// `__builtin_types_compatible_p(type, type)`.
    TypesCompatible(&'a TypeName<'a>, &'a TypeName<'a>),
    /// C11 6.5.1.1.
    Generic {
        control: &'a Expr<'a>,
        /// Without a type: `default`.
        associations: &'a [(Option<&'a TypeName<'a>>, &'a Expr<'a>)],
    },
    /// `__builtin_offsetof(type, member-designator)` or `offsetof`.
    OffsetOf {
        ty: &'a TypeName<'a>,
        path: &'a [Designator<'a>],
    },
    /// GNU `({ … })`: its compound statement.
    StatementExpr(&'a Statement<'a>),
    /// `^(params) { … }`, or with its type `^int(params) { … }`.
    Block {
        ty: Option<&'a TypeName<'a>>,
        parameters: Option<&'a Declarator<'a>>,
        body: &'a Statement<'a>,
    },
}

/// Unary operators other than increments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Minus,
    /// `~`
    BitNot,
    /// `!`
    LogicalNot,
    AddressOf,
    Dereference,
    /// `__real__`, `__imag__`: only to reject them by name.
    Real,
    Imag,
}

/// Binary operators; also the operator part of compound assignments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    LogicalAnd,
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
    pub value: u64,
    /// Octal, hexadecimal and binary constants may become unsigned without a suffix.
    pub decimal: bool,
    pub unsigned: bool,
    /// Number of `l` in the suffix.
    pub long: u8,
}

/// Suffix of a floating constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatSuffix {
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
    pub suffix: FloatSuffix,
}
