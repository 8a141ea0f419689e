//! Semantic analysis: syntax tree in, typed program out.
//!
//! One pass over the tree. Names are looked up in [`scope`], declarations become HIR variables, globals and functions,
//! expressions are typed bottom-up with every implicit conversion made explicit, constant operands are folded as they
//! are built. Each mistake is reported once: whatever contains one gets [`Ty::ERROR`], which converts to and from every
//! type without a message.
//!
//! Every function is checked, whether or not a kernel reaches it. Sizes have 64 bits, and an object that no target has
//! room for is an error. Warnings are found while the tree is visited; those that need the flow of control walk the
//! typed program of one function, and only if they are enabled.

#![forbid(unsafe_code)]
// A number that is cut is a program that is compiled wrongly: `narrow` has the conversions, and says what they keep.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod assembly;
mod assignment;
mod attributes;
mod blocks;
mod body;
pub mod builtins;
mod calls;
mod candidates;
mod conditional;
mod constants;
mod conversion_warnings;
mod conversions;
mod declarations;
mod designators;
mod device;
mod divergence;
mod expressions;
mod fold;
mod functions;
mod gnu;
mod gnu_bits;
mod gnu_math;
mod gnu_memory;
mod gnu_objects;
mod gnu_overflow;
mod gnu_vectors;
pub mod hir;
mod initializers;
mod kernels;
mod literals;
mod matrices;
mod members;
mod names;
mod objects;
mod operators;
mod overload_set;
mod pointers;
mod pragmas;
mod pretty;
pub mod print;
mod printf;
mod records;
mod recursion;
mod scope;
mod statements;
mod suggest;
mod types;
mod uninitialized;
mod unused;
mod vectors;
mod warnings;

use crate::hir::types::{EnumId, FunctionTyId, RecordId};
use crate::hir::{Expr, ExprKind, FunctionId, LoopHint, ModuleVariableId, Program, QualTy, Ty};
use bumpalo::Bump;
use clforge_basic::diag::{Diagnostic, Sink, WarningFlag};
use clforge_basic::options::{ClStd, Options};
use clforge_basic::source::{Interner, Span, Symbol, TokenTable};
use clforge_syntax::ast;
use overload_set::OverloadSet;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Entity, Namespace, Tag};

/// What sema reads besides the tree.
#[derive(Clone, Copy)]
pub struct Input<'i> {
    /// The tokens the tree's spans refer to.
    pub table: &'i TokenTable,
    /// Language version, target, floating-point switches.
    pub options: &'i Options,
    /// The unit is linked to others, which may define what it declares.
    pub is_linked: bool,
}

/// The names of the functions that a unit defines.
fn defined_functions(unit: &ast::TranslationUnit<'_>) -> FxHashSet<Symbol> {
    let name = |declaration: &ast::ExternalDeclaration<'_>| match declaration {
        ast::ExternalDeclaration::Function(function) => function.declarator.name.map(|(name, _)| name),
        ast::ExternalDeclaration::Declaration(_) => None,
    };
    unit.declarations.iter().filter_map(name).collect()
}

/// Checks a unit and appends its functions and globals to `program`.
///
/// `library`: built-in library source. Its functions are internal and names may start with `__clforge_`.
/// The program may be used further only when no error was pushed.
pub fn check<'a, 'h>(
    unit: &ast::TranslationUnit<'a>,
    arena: &'h Bump,
    program: &mut Program<'h>,
    input: Input<'_>,
    interner: &mut Interner,
    sink: &mut Sink,
    library: bool,
) {
    let first_function = program.functions.next_key();
    program.types.address_bits = input.options.language.address_bits;
    let mut sema = Sema {
        arena,
        program,
        table: input.table,
        options: input.options,
        is_linked: input.is_linked,
        names: interner,
        sink,
        library,
        ordinary: Namespace::new(),
        tags: Namespace::new(),
        overloads: Vec::new(),
        members: FxHashMap::default(),
        block_functions: FxHashMap::default(),
        block_variables: FxHashMap::default(),
        first_calls: FxHashMap::default(),
        signatures: FxHashMap::default(),
        predeclared: FxHashMap::default(),
        strings: FxHashMap::default(),
        constant_bytes: 0,
        argument_names: 0,
        printed_bytes: 0,
        samplers: FxHashMap::default(),
        unroll: FxHashMap::default(),
        size_types: FxHashSet::default(),
        enumerators: FxHashMap::default(),
        statics: Vec::new(),
        one_past: false,
        packing: Vec::new(),
        body: body::Body::default(),
        outer_bodies: Vec::new(),
        unevaluated: 0,
        defined: defined_functions(unit),
        declares_printf: false,
        definition: None,
        function_objects: FxHashMap::default(),
        untyped_matrices: Vec::new(),
        watches_conversions: !library && conversion_warnings::are_watched(input.options),
    };
    sema.read_pragmas();
    for declaration in unit.declarations {
        let errors = sema.sink.error_count();
        match declaration {
            ast::ExternalDeclaration::Function(function) => sema.function_definition(function),
            ast::ExternalDeclaration::Declaration(declaration) => sema.file_scope_declaration(declaration),
        }
        sema.untyped_matrices(errors);
    }
    sema.finish_tentative_definitions();
    sema.unused_functions();
    sema.reject_recursion(first_function);
}

/// The state of a check.
struct Sema<'a, 'h, 'i> {
    arena: &'h Bump,
    program: &'i mut Program<'h>,
    table: &'i TokenTable,
    options: &'i Options,
    is_linked: bool,
    names: &'i mut Interner,
    sink: &'i mut Sink,
    library: bool,
    ordinary: Namespace<Entity>,
    tags: Namespace<Tag>,
    /// What [`Entity::Functions`] indexes.
    overloads: Vec<OverloadSet>,
    /// The members of records by name, those of anonymous members too: where in the record they are.
    members: FxHashMap<(RecordId, Symbol), u32>,
    /// Functions that blocks declared before the file scope did.
    block_functions: FxHashMap<Symbol, u32>,
    /// Variables that blocks declared before the file scope did.
    block_variables: FxHashMap<Symbol, ModuleVariableId>,
    /// Where each function is called first.
    first_calls: FxHashMap<FunctionId, Span>,
    /// Of every function this unit declares.
    signatures: FxHashMap<FunctionId, Signature>,
    /// Predeclared type names met so far.
    predeclared: FxHashMap<Symbol, Option<names::Predeclared>>,
    strings: FxHashMap<&'a [u8], ModuleVariableId>,
    /// Bytes of the initial values that are kept.
    constant_bytes: u64,
    /// Bytes of the names and types of kernel parameters.
    argument_names: usize,
    /// Bytes of strings that were read for calls of `printf`.
    printed_bytes: usize,
    samplers: FxHashMap<u32, ModuleVariableId>,
    /// `#pragma unroll`, by the token it stands before.
    unroll: FxHashMap<u32, LoopHint>,
    /// Typedefs of `size_t` and similar.
    size_types: FxHashSet<Symbol>,
    /// Values of enumerations, for switches that leave some out.
    enumerators: FxHashMap<EnumId, Vec<(Symbol, u64)>>,
    /// `static` functions, for the warning about those that are not called.
    statics: Vec<FunctionId>,
    /// The next index is the operand of `&`: one past the end is in bounds.
    one_past: bool,
    /// `#pragma pack`: in order, the token each stands before and what holds from there.
    packing: Vec<(u32, Option<u64>)>,
    body: body::Body,
    /// Bodies around the block literal being checked, outermost first.
    outer_bodies: Vec<body::Body>,
    /// Depth of `sizeof` operands and similar: calls in them are not calls of the function.
    unevaluated: u32,
    /// The names of the functions that the unit defines.
    defined: FxHashSet<Symbol>,
    /// The declarator is that of `printf`, which alone is variadic.
    declares_printf: bool,
    /// The function whose body is checked.
    definition: Option<&'a ast::FunctionDefinition<'a>>,
    /// Objects outside of private memory that the function declares, and whether they are mentioned.
    function_objects: FxHashMap<ModuleVariableId, bool>,
    /// Calls that give a matrix of any type, and have no destination yet.
    untyped_matrices: Vec<Span>,
    /// Whether any warning about implicit conversions is given.
    watches_conversions: bool,
}

/// What is known of a declared function besides its HIR.
#[derive(Clone, Debug)]
struct Signature {
    ty: FunctionTyId,
    prototype: bool,
    overloadable: bool,
    /// Names and places of the parameters, for notes.
    parameters: Vec<Span>,
}

/// A checked expression.
type ExprRef<'h> = &'h Expr<'h>;

impl<'a, 'h, 'i> Sema<'a, 'h, 'i> {
    // --- building ---

    fn make(&self, kind: ExprKind<'h>, ty: Ty, span: Span) -> ExprRef<'h> {
        self.arena.alloc(Expr { kind, ty: QualTy::plain(ty), span })
    }

    fn make_lvalue(&self, kind: ExprKind<'h>, ty: QualTy, span: Span) -> ExprRef<'h> {
        self.arena.alloc(Expr { kind, ty, span })
    }

    /// Stands for an expression with an error.
    fn error_expr(&self, span: Span) -> ExprRef<'h> {
        self.make(ExprKind::Int(0), Ty::ERROR, span)
    }

    fn kind(&self, ty: Ty) -> hir::TyKind {
        self.program.types.kind(ty)
    }

    // --- diagnostics ---

    fn push(&mut self, diagnostic: Diagnostic) {
        self.sink.push(diagnostic);
    }

    fn error(&mut self, span: Span, message: impl Into<String>) {
        let diagnostic = self.error_at(span, message);
        self.push(diagnostic);
    }

    fn warning(&mut self, flag: WarningFlag, span: Span, message: impl Into<String>) {
        if self.warns(flag) {
            let range = self.table.range(span, self.names);
            self.push(Diagnostic::warning(flag, range, message));
        }
    }

    fn error_with_note(&mut self, span: Span, message: impl Into<String>, note_span: Span, note: impl Into<String>) {
        let diagnostic = self.error_at(span, message);
        let range = self.table.range(note_span, self.names);
        self.push(diagnostic.with_note(range, note));
    }

    /// An error that is not pushed yet.
    fn error_at(&self, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.table.range(span, self.names), message)
    }

    fn not_supported(&mut self, span: Span, what: &str) {
        self.error(span, format!("{what} is not supported yet"));
    }

    // --- the language version ---

    fn language(&self) -> ClStd {
        self.options.language.version()
    }

    /// Whether pointers without address space are generic (6.7.1 of 2.0, the feature of 3.0).
    fn has_generic(&self) -> bool {
        self.language() >= ClStd::CL2_0
    }

    fn default_pointee_space(&self) -> ast::AddressSpace {
        let generic = self.has_generic() && !self.library;
        if generic { ast::AddressSpace::Generic } else { ast::AddressSpace::Private }
    }

    fn text(&self, symbol: Symbol) -> &str {
        self.names.text(symbol)
    }
}
