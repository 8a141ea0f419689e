//! The syntax tree: OpenCL C as written. Spans, no types; nothing is resolved but which names are types.
//!
//! Nodes live in one [`bumpalo::Bump`] per translation unit and refer to each other by `&'a`, so the tree is cheap to
//! build, to walk and to drop.

#![allow(missing_docs)] // field names are the grammar's own

mod expression;
pub mod print;

pub use expression::*;

use clforge_basic::image::AccessQualifier;
use clforge_basic::source::{Span, Symbol};

/// A whole source after preprocessing.
#[derive(Clone, Copy, Debug)]
pub struct TranslationUnit<'a> {
    /// In source order.
    pub declarations: &'a [ExternalDeclaration<'a>],
}

/// C99 6.9.
#[derive(Clone, Copy, Debug)]
pub enum ExternalDeclaration<'a> {
    /// A function with its body.
    Function(&'a FunctionDefinition<'a>),
    /// Anything else.
    Declaration(&'a Declaration<'a>),
}

/// C99 6.9.1.
#[derive(Clone, Copy, Debug)]
pub struct FunctionDefinition<'a> {
    pub specifiers: DeclarationSpecifiers<'a>,
    pub declarator: Declarator<'a>,
    /// The compound statement.
    pub body: &'a Statement<'a>,
    pub span: Span,
}

/// C99 6.7: `specifiers init-declarator-list? ;`
#[derive(Clone, Copy, Debug)]
pub struct Declaration<'a> {
    pub specifiers: DeclarationSpecifiers<'a>,
    pub declarators: &'a [InitDeclarator<'a>],
    pub span: Span,
}

/// A declarator with its initialiser.
#[derive(Clone, Copy, Debug)]
pub struct InitDeclarator<'a> {
    pub declarator: Declarator<'a>,
    pub initializer: Option<Initializer<'a>>,
    pub span: Span,
}

/// Storage class specifiers (C99 6.7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageClass {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

bitflags::bitflags! {
    /// Type qualifiers (C99 6.7.3).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    pub struct Qualifiers: u8 {
        const CONST = 1;
        const VOLATILE = 2;
        const RESTRICT = 4;
    }
}

bitflags::bitflags! {
    /// Function specifiers (C99 6.7.4, OpenCL C 6.9).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    pub struct FunctionSpecifiers: u8 {
        const INLINE = 1;
        const KERNEL = 2;
    }
}

/// Address space qualifiers (OpenCL C 6.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AddressSpace {
    Private,
    Global,
    Constant,
    Local,
    Generic,
}

impl AddressSpace {
    /// As clang writes it before a type, with a space after it; nothing for private.
    pub fn prefix(self) -> &'static str {
        match self {
            AddressSpace::Private => "",
            AddressSpace::Global => "__global ",
            AddressSpace::Constant => "__constant ",
            AddressSpace::Local => "__local ",
            AddressSpace::Generic => "__generic ",
        }
    }
}

/// Everything before the declarators.
#[derive(Clone, Copy, Debug)]
pub struct DeclarationSpecifiers<'a> {
    /// All storage classes written, with their places (more than one is an error of sema).
    pub storage: &'a [(StorageClass, Span)],
    pub function: FunctionSpecifiers,
    pub qualifiers: Qualifiers,
    /// All address spaces written (more than one is an error of sema).
    pub address_spaces: &'a [(AddressSpace, Span)],
    pub access: &'a [(AccessQualifier, Span)],
    pub ty: TypeSpecifier<'a>,
    pub attributes: &'a [Attribute<'a>],
    pub span: Span,
}

/// The type specifiers of a declaration, gathered (C99 6.7.2).
#[derive(Clone, Copy, Debug)]
pub struct TypeSpecifier<'a> {
    pub kind: TypeSpecifierKind<'a>,
    /// The specifiers alone; empty at the declaration's start when none was written.
    pub span: Span,
}

/// See [`TypeSpecifier`].
#[derive(Clone, Copy, Debug)]
pub enum TypeSpecifierKind<'a> {
    /// No type at all ("implicit int").
    Missing,
    /// Keywords, in the order written: sema decides which combinations are types.
    Keywords(&'a [TypeKeyword]),
    /// A typedef name or predeclared type name (`float4`, `size_t`, `image2d_t`, `event_t`, …).
    Name(Symbol),
    Record(&'a RecordSpecifier<'a>),
    Enum(&'a EnumSpecifier<'a>),
    /// `typeof(expr)`.
    TypeofExpr(&'a Expr<'a>),
    /// `typeof(type)`.
    TypeofType(&'a TypeName<'a>),
    /// `_Atomic(T)`; only to say that OpenCL C lacks it.
    Atomic(&'a TypeName<'a>),
    /// No type, but `_Static_assert(condition, message);` in a declaration's place.
    StaticAssert(&'a StaticAssert<'a>),
    /// `pipe T`: the element's specifiers.
    Pipe(&'a TypeSpecifier<'a>),
    /// Two specifiers that cannot go together (`int float4`); sema reports it.
    Conflict(Symbol),
}

/// C11 6.7.10; a missing message is empty.
#[derive(Clone, Copy, Debug)]
pub struct StaticAssert<'a> {
    pub condition: &'a Expr<'a>,
    pub message: &'a [u8],
}

/// Type keywords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeKeyword {
    Void,
    Bool,
    Char,
    Short,
    Int,
    Long,
    Float,
    Double,
    Half,
    Signed,
    Unsigned,
    Complex,
    Imaginary,
    /// `__auto_type`: the initialiser's type.
    Auto,
}

/// `struct` or `union`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    Struct,
    Union,
}

/// C99 6.7.2.1.
#[derive(Clone, Copy, Debug)]
pub struct RecordSpecifier<'a> {
    pub kind: RecordKind,
    pub tag: Option<(Symbol, Span)>,
    /// `None` without braces.
    pub members: Option<&'a [MemberDeclaration<'a>]>,
    pub attributes: &'a [Attribute<'a>],
    pub span: Span,
}

/// One declaration in a record's braces; no declarators for an anonymous member.
#[derive(Clone, Copy, Debug)]
pub struct MemberDeclaration<'a> {
    pub specifiers: DeclarationSpecifiers<'a>,
    pub declarators: &'a [MemberDeclarator<'a>],
    pub span: Span,
}

/// A member, maybe a bit-field (an error in OpenCL C, which sema reports).
#[derive(Clone, Copy, Debug)]
pub struct MemberDeclarator<'a> {
    pub declarator: Declarator<'a>,
    pub bit_width: Option<&'a Expr<'a>>,
}

/// C99 6.7.2.2.
#[derive(Clone, Copy, Debug)]
pub struct EnumSpecifier<'a> {
    pub tag: Option<(Symbol, Span)>,
    /// `None` without braces.
    pub enumerators: Option<&'a [Enumerator<'a>]>,
    pub attributes: &'a [Attribute<'a>],
    pub span: Span,
}

/// `NAME = value`.
#[derive(Clone, Copy, Debug)]
pub struct Enumerator<'a> {
    pub name: Symbol,
    pub value: Option<&'a Expr<'a>>,
    pub span: Span,
}

/// C99 6.7.5, also abstract (no name).
#[derive(Clone, Copy, Debug)]
pub struct Declarator<'a> {
    pub name: Option<(Symbol, Span)>,
    /// From the name outward: `int *a[3]` gives `[Array, Pointer]`, "a is an array of pointers".
    pub derived: &'a [Derived<'a>],
    pub attributes: &'a [Attribute<'a>],
    pub span: Span,
}

/// One step of a declarator.
#[derive(Clone, Copy, Debug)]
pub enum Derived<'a> {
    Pointer {
        /// Qualifiers of the pointer itself: those after the `*`.
        qualifiers: Qualifiers,
        address_spaces: &'a [(AddressSpace, Span)],
        attributes: &'a [Attribute<'a>],
        span: Span,
    },
    Array {
        qualifiers: Qualifiers,
        is_static: bool,
        /// `[*]`
        star: bool,
        size: Option<&'a Expr<'a>>,
        span: Span,
    },
    Function {
        parameters: &'a [ParameterDeclaration<'a>],
        variadic: bool,
        /// `()`: no prototype; `(void)` has prototype and no parameters.
        prototype: bool,
        span: Span,
    },
    /// `^`
    Block { qualifiers: Qualifiers, span: Span },
}

/// C99 6.7.5 parameter-declaration.
#[derive(Clone, Copy, Debug)]
pub struct ParameterDeclaration<'a> {
    pub specifiers: DeclarationSpecifiers<'a>,
    pub declarator: Declarator<'a>,
    pub span: Span,
}

/// C99 6.7.6.
#[derive(Clone, Copy, Debug)]
pub struct TypeName<'a> {
    pub specifiers: DeclarationSpecifiers<'a>,
    pub declarator: Declarator<'a>,
    pub span: Span,
}

/// One entry of `__attribute__((…))`.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// Without leading and trailing underscores.
    pub name: Symbol,
    pub arguments: &'a [AttributeArgument<'a>],
    pub span: Span,
}

/// An attribute's argument.
#[derive(Clone, Copy, Debug)]
pub enum AttributeArgument<'a> {
    Expr(&'a Expr<'a>),
    Type(&'a TypeName<'a>),
}

/// C99 6.7.8.
#[derive(Clone, Copy, Debug)]
pub enum Initializer<'a> {
    Expr(&'a Expr<'a>),
    List(&'a InitializerList<'a>),
}

/// `{ … }`
#[derive(Clone, Copy, Debug)]
pub struct InitializerList<'a> {
    pub items: &'a [InitializerItem<'a>],
    pub span: Span,
}

/// One initialiser of a list, with its designators.
#[derive(Clone, Copy, Debug)]
pub struct InitializerItem<'a> {
    pub designators: &'a [Designator<'a>],
    pub value: Initializer<'a>,
    pub span: Span,
}

/// `.name`, `[index]`, `[first ... last]`.
#[derive(Clone, Copy, Debug)]
pub enum Designator<'a> {
    Member(Symbol, Span),
    Index(&'a Expr<'a>),
    Range(&'a Expr<'a>, &'a Expr<'a>),
}

/// A statement or block item (C99 6.8).
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    pub kind: StatementKind<'a>,
    pub span: Span,
}

/// See [`Statement`].
#[derive(Clone, Copy, Debug)]
pub enum StatementKind<'a> {
    /// `;` or a label's missing statement.
    Empty,
    Expr(&'a Expr<'a>),
    Compound(&'a [Statement<'a>]),
    /// Only as a block item.
    Declaration(&'a Declaration<'a>),
    If {
        /// `if` and every `else if` after it, in order: long chains stay flat.
        arms: &'a [(&'a Expr<'a>, &'a Statement<'a>)],
        otherwise: Option<&'a Statement<'a>>,
    },
    While {
        condition: &'a Expr<'a>,
        body: &'a Statement<'a>,
    },
    DoWhile {
        body: &'a Statement<'a>,
        condition: &'a Expr<'a>,
    },
    For {
        init: ForInit<'a>,
        condition: Option<&'a Expr<'a>>,
        step: Option<&'a Expr<'a>>,
        body: &'a Statement<'a>,
    },
    Switch {
        selector: &'a Expr<'a>,
        body: &'a Statement<'a>,
    },
    /// `case low:` or `case low ... high:`
    Case {
        low: &'a Expr<'a>,
        high: Option<&'a Expr<'a>>,
        body: &'a Statement<'a>,
    },
    Default {
        body: &'a Statement<'a>,
    },
    Label {
        name: Symbol,
        name_span: Span,
        body: &'a Statement<'a>,
    },
    Goto {
        label: Symbol,
        label_span: Span,
    },
    /// GNU C's `__label__ a, b;`: labels of the block around alone.
    LocalLabels(&'a [(Symbol, Span)]),
    Break,
    Continue,
    Return(Option<&'a Expr<'a>>),
    /// `__attribute__((opencl_unroll_hint(4))) for …`
    Attributed {
        attributes: &'a [Attribute<'a>],
        body: &'a Statement<'a>,
    },
    /// `asm`: only to say that it is not OpenCL C.
    Asm,
}

/// The first clause of `for`.
#[derive(Clone, Copy, Debug)]
pub enum ForInit<'a> {
    None,
    Expr(&'a Expr<'a>),
    Declaration(&'a Declaration<'a>),
}
