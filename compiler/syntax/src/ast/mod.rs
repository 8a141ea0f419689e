//! The syntax tree: OpenCL C as written. It has spans and no types; no names are resolved, except which names are
//! types.
//!
//! Nodes live in one [`bumpalo::Bump`] per translation unit and refer to each other by `&'a`, so the tree is cheap to
//! build, to walk and to drop.

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
    /// The declaration specifiers.
    pub specifiers: DeclarationSpecifiers<'a>,
    /// The declarator.
    pub declarator: Declarator<'a>,
    /// The compound statement.
    pub body: &'a Statement<'a>,
    /// The tokens it was written with.
    pub span: Span,
}

/// C99 6.7: `specifiers init-declarator-list? ;`
#[derive(Clone, Copy, Debug)]
pub struct Declaration<'a> {
    /// The declaration specifiers.
    pub specifiers: DeclarationSpecifiers<'a>,
    /// The declarators, in source order.
    pub declarators: &'a [InitDeclarator<'a>],
    /// The tokens it was written with.
    pub span: Span,
}

/// A declarator with its initialiser.
#[derive(Clone, Copy, Debug)]
pub struct InitDeclarator<'a> {
    /// The declarator.
    pub declarator: Declarator<'a>,
    /// The initialiser after `=`.
    pub initializer: Option<Initializer<'a>>,
    /// The tokens it was written with.
    pub span: Span,
}

/// Storage class specifiers (C99 6.7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StorageClass {
    /// `typedef`
    Typedef,
    /// `extern`
    Extern,
    /// `static`
    Static,
    /// `auto`
    Auto,
    /// `register`
    Register,
}

bitflags::bitflags! {
    /// Type qualifiers (C99 6.7.3).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    pub struct Qualifiers: u8 {
        /// `const`
        const CONST = 1;
        /// `volatile`
        const VOLATILE = 2;
        /// `restrict`
        const RESTRICT = 4;
    }
}

bitflags::bitflags! {
    /// Function specifiers (C99 6.7.4, OpenCL C 6.9).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
    pub struct FunctionSpecifiers: u8 {
        /// `inline`
        const INLINE = 1;
        /// `kernel`
        const KERNEL = 2;
    }
}

/// Address space qualifiers (OpenCL C 6.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AddressSpace {
    /// `private`
    Private,
    /// `global`
    Global,
    /// `constant`
    Constant,
    /// `local`
    Local,
    /// `generic`
    Generic,
}

impl AddressSpace {
    /// Its keyword without underscores.
    pub fn name(self) -> &'static str {
        match self {
            AddressSpace::Private => "private",
            AddressSpace::Global => "global",
            AddressSpace::Constant => "constant",
            AddressSpace::Local => "local",
            AddressSpace::Generic => "generic",
        }
    }

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
    /// The function specifiers.
    pub function: FunctionSpecifiers,
    /// The type qualifiers.
    pub qualifiers: Qualifiers,
    /// All address spaces written (more than one is an error of sema).
    pub address_spaces: &'a [(AddressSpace, Span)],
    /// The access qualifiers.
    pub access: &'a [(AccessQualifier, Span)],
    /// The type.
    pub ty: TypeSpecifier<'a>,
    /// The `__attribute__` entries.
    pub attributes: &'a [Attribute<'a>],
    /// The tokens it was written with.
    pub span: Span,
}

/// The type specifiers of a declaration, gathered (C99 6.7.2).
#[derive(Clone, Copy, Debug)]
pub struct TypeSpecifier<'a> {
    /// What it is.
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
    /// `struct` or `union`.
    Record(&'a RecordSpecifier<'a>),
    /// `enum`.
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
    /// The controlling expression.
    pub condition: &'a Expr<'a>,
    /// The message.
    pub message: &'a [u8],
}

/// Type keywords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypeKeyword {
    /// `void`
    Void,
    /// `bool` or `_Bool`
    Bool,
    /// `char`
    Char,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `long`
    Long,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `half`
    Half,
    /// `signed`
    Signed,
    /// `unsigned`
    Unsigned,
    /// `_Complex`
    Complex,
    /// `_Imaginary`
    Imaginary,
    /// `__auto_type`: the initialiser's type.
    Auto,
}

/// `struct` or `union`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKind {
    /// `struct`
    Struct,
    /// `union`
    Union,
}

/// C99 6.7.2.1.
#[derive(Clone, Copy, Debug)]
pub struct RecordSpecifier<'a> {
    /// What it is.
    pub kind: RecordKind,
    /// The tag, if it has one.
    pub tag: Option<(Symbol, Span)>,
    /// `None` without braces.
    pub members: Option<&'a [MemberDeclaration<'a>]>,
    /// The `__attribute__` entries.
    pub attributes: &'a [Attribute<'a>],
    /// The tokens it was written with.
    pub span: Span,
}

/// One declaration in a record's braces; no declarators for an anonymous member.
#[derive(Clone, Copy, Debug)]
pub struct MemberDeclaration<'a> {
    /// The declaration specifiers.
    pub specifiers: DeclarationSpecifiers<'a>,
    /// The declarators, in source order.
    pub declarators: &'a [MemberDeclarator<'a>],
    /// The tokens it was written with.
    pub span: Span,
}

/// A member, maybe a bit-field (an error in OpenCL C, which sema reports).
#[derive(Clone, Copy, Debug)]
pub struct MemberDeclarator<'a> {
    /// The declarator.
    pub declarator: Declarator<'a>,
    /// The width of a bit-field.
    pub bit_width: Option<&'a Expr<'a>>,
}

/// C99 6.7.2.2.
#[derive(Clone, Copy, Debug)]
pub struct EnumSpecifier<'a> {
    /// The tag, if it has one.
    pub tag: Option<(Symbol, Span)>,
    /// `None` without braces.
    pub enumerators: Option<&'a [Enumerator<'a>]>,
    /// The `__attribute__` entries.
    pub attributes: &'a [Attribute<'a>],
    /// The tokens it was written with.
    pub span: Span,
}

/// `NAME = value`.
#[derive(Clone, Copy, Debug)]
pub struct Enumerator<'a> {
    /// The name.
    pub name: Symbol,
    /// The value.
    pub value: Option<&'a Expr<'a>>,
    /// The tokens it was written with.
    pub span: Span,
}

/// C99 6.7.5, also abstract (no name).
#[derive(Clone, Copy, Debug)]
pub struct Declarator<'a> {
    /// The name.
    pub name: Option<(Symbol, Span)>,
    /// From the name outward: `int *a[3]` gives `[Array, Pointer]`, "a is an array of pointers".
    pub derived: &'a [Derived<'a>],
    /// The `__attribute__` entries.
    pub attributes: &'a [Attribute<'a>],
    /// The tokens it was written with.
    pub span: Span,
}

/// One step of a declarator.
#[derive(Clone, Copy, Debug)]
pub enum Derived<'a> {
    /// `*`
    Pointer {
        /// Qualifiers of the pointer itself: those after the `*`.
        qualifiers: Qualifiers,
        /// The address space qualifiers.
        address_spaces: &'a [(AddressSpace, Span)],
        /// The `__attribute__` entries.
        attributes: &'a [Attribute<'a>],
        /// The tokens it was written with.
        span: Span,
    },
    /// `[ … ]`
    Array {
        /// The type qualifiers.
        qualifiers: Qualifiers,
        /// Whether `static` is written in the brackets.
        is_static: bool,
        /// `[*]`
        star: bool,
        /// The size, if written.
        size: Option<&'a Expr<'a>>,
        /// The tokens it was written with.
        span: Span,
    },
    /// `( … )`
    Function {
        /// The parameters.
        parameters: &'a [ParameterDeclaration<'a>],
        /// Whether `...` ends the parameters.
        variadic: bool,
        /// `()`: no prototype; `(void)` has prototype and no parameters.
        prototype: bool,
        /// The tokens it was written with.
        span: Span,
    },
    /// `^`
    Block {
        /// The type qualifiers.
        qualifiers: Qualifiers,
        /// The address spaces, with their places.
        address_spaces: &'a [(AddressSpace, Span)],
        /// The tokens it was written with.
        span: Span,
    },
}

/// C99 6.7.5 parameter-declaration.
#[derive(Clone, Copy, Debug)]
pub struct ParameterDeclaration<'a> {
    /// The declaration specifiers.
    pub specifiers: DeclarationSpecifiers<'a>,
    /// The declarator.
    pub declarator: Declarator<'a>,
    /// The tokens it was written with.
    pub span: Span,
}

/// C99 6.7.6.
#[derive(Clone, Copy, Debug)]
pub struct TypeName<'a> {
    /// The declaration specifiers.
    pub specifiers: DeclarationSpecifiers<'a>,
    /// The declarator.
    pub declarator: Declarator<'a>,
    /// The tokens it was written with.
    pub span: Span,
}

/// One entry of `__attribute__((…))`.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// Without leading and trailing underscores.
    pub name: Symbol,
    /// The arguments, in source order.
    pub arguments: &'a [AttributeArgument<'a>],
    /// The tokens it was written with.
    pub span: Span,
}

/// An attribute's argument.
#[derive(Clone, Copy, Debug)]
pub enum AttributeArgument<'a> {
    /// An expression.
    Expr(&'a Expr<'a>),
    /// A type name.
    Type(&'a TypeName<'a>),
}

/// C99 6.7.8.
#[derive(Clone, Copy, Debug)]
pub enum Initializer<'a> {
    /// An assignment-expression.
    Expr(&'a Expr<'a>),
    /// `{ … }`
    List(&'a InitializerList<'a>),
}

/// `{ … }`
#[derive(Clone, Copy, Debug)]
pub struct InitializerList<'a> {
    /// The initialisers of the list.
    pub items: &'a [InitializerItem<'a>],
    /// The tokens it was written with.
    pub span: Span,
}

/// One initialiser of a list, with its designators.
#[derive(Clone, Copy, Debug)]
pub struct InitializerItem<'a> {
    /// The designators before the value.
    pub designators: &'a [Designator<'a>],
    /// The value.
    pub value: Initializer<'a>,
    /// The tokens it was written with.
    pub span: Span,
}

/// `.name`, `[index]`, `[first ... last]`.
#[derive(Clone, Copy, Debug)]
pub enum Designator<'a> {
    /// `.name`
    Member(Symbol, Span),
    /// `[index]`
    Index(&'a Expr<'a>),
    /// `[first ... last]` (GNU C).
    Range(&'a Expr<'a>, &'a Expr<'a>),
}

/// A statement or block item (C99 6.8).
#[derive(Clone, Copy, Debug)]
pub struct Statement<'a> {
    /// What it is.
    pub kind: StatementKind<'a>,
    /// The tokens it was written with.
    pub span: Span,
}

/// See [`Statement`].
#[derive(Clone, Copy, Debug)]
pub enum StatementKind<'a> {
    /// `;` or a label's missing statement.
    Empty,
    /// A statement with a syntax error, which has been reported. The names that it may have declared.
    Skipped(&'a [Symbol]),
    /// An expression statement.
    Expr(&'a Expr<'a>),
    /// `{ … }`
    Compound(&'a [Statement<'a>]),
    /// Only as a block item.
    Declaration(&'a Declaration<'a>),
    /// `if`
    If {
        /// `if` and every `else if` after it, in order: long chains stay flat.
        arms: &'a [(&'a Expr<'a>, &'a Statement<'a>)],
        /// What is evaluated or executed otherwise.
        otherwise: Option<&'a Statement<'a>>,
    },
    /// `while`
    While {
        /// The controlling expression.
        condition: &'a Expr<'a>,
        /// The body.
        body: &'a Statement<'a>,
    },
    /// `do … while`
    DoWhile {
        /// The body.
        body: &'a Statement<'a>,
        /// The controlling expression.
        condition: &'a Expr<'a>,
    },
    /// `for`
    For {
        /// The first clause.
        init: ForInit<'a>,
        /// The controlling expression.
        condition: Option<&'a Expr<'a>>,
        /// The third clause.
        step: Option<&'a Expr<'a>>,
        /// The body.
        body: &'a Statement<'a>,
    },
    /// `switch`
    Switch {
        /// The controlling expression.
        selector: &'a Expr<'a>,
        /// The body.
        body: &'a Statement<'a>,
    },
    /// `case low:` or `case low ... high:`
    Case {
        /// The value, or the first of a range.
        low: &'a Expr<'a>,
        /// The last value of a range.
        high: Option<&'a Expr<'a>>,
        /// The body.
        body: &'a Statement<'a>,
    },
    /// `default:`
    Default {
        /// The body.
        body: &'a Statement<'a>,
    },
    /// `name:`
    Label {
        /// The name.
        name: Symbol,
        /// Where the name is.
        name_span: Span,
        /// The body.
        body: &'a Statement<'a>,
    },
    /// `goto`
    Goto {
        /// The name of the label.
        label: Symbol,
        /// Where the name is.
        label_span: Span,
    },
    /// GNU C's `__label__ a, b;`: labels of the block around alone.
    LocalLabels(&'a [(Symbol, Span)]),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return`
    Return(Option<&'a Expr<'a>>),
    /// `__attribute__((opencl_unroll_hint(4))) for …`
    Attributed {
        /// The `__attribute__` entries.
        attributes: &'a [Attribute<'a>],
        /// The body.
        body: &'a Statement<'a>,
    },
    /// `asm`
    Asm(&'a Asm<'a>),
}

/// Inline assembly of GNU C.
#[derive(Clone, Copy, Debug)]
pub struct Asm<'a> {
    /// The instructions; `None` where the statement has not the usual form.
    pub template: Option<&'a [u8]>,
    /// What it writes.
    pub outputs: &'a [AsmOperand<'a>],
    /// What it reads.
    pub inputs: &'a [AsmOperand<'a>],
}

/// An operand of inline assembly.
#[derive(Clone, Copy, Debug)]
pub struct AsmOperand<'a> {
    /// `[name]`
    pub name: Option<Symbol>,
    /// Where the operand may be, and for outputs whether it is read too.
    pub constraint: &'a [u8],
    /// The object or value; `None` where it is missing.
    pub value: Option<&'a Expr<'a>>,
    /// The whole of it.
    pub span: Span,
}

/// The first clause of `for`.
#[derive(Clone, Copy, Debug)]
pub enum ForInit<'a> {
    /// It is empty.
    None,
    /// An expression.
    Expr(&'a Expr<'a>),
    /// A declaration.
    Declaration(&'a Declaration<'a>),
}
