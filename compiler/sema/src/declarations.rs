//! Declarations: typedefs, variables of program and function scope, prototypes.

use super::Sema;
use super::attributes::{FunctionAttributes, Layout};
use super::scope::{DeclTy, Entity};
use crate::hir::{Stmt, Ty, TyKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::{self, StorageClass, TypeSpecifierKind};
use clforge_syntax::parse::names::is_reserved_type;

/// What the specifiers of a declaration give to all of its declarators.
pub(super) struct DeclSpec<'s, 'a> {
    pub specifiers: &'s ast::DeclarationSpecifiers<'a>,
    pub base: DeclTy,
    pub storage: Option<StorageClass>,
    pub layout: Layout,
}

/// One variable being declared.
#[derive(Clone, Copy)]
pub(super) struct Variable<'a> {
    pub name: Symbol,
    pub span: Span,
    pub declared: DeclTy,
    pub storage: Option<StorageClass>,
    pub layout: Layout,
    pub initializer: Option<ast::Initializer<'a>>,
}

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// A declaration outside of functions.
    pub(super) fn file_scope_declaration(&mut self, declaration: &ast::Declaration<'a>) {
        let Some(shared) = self.shared(declaration) else { return };
        for declarator in declaration.declarators {
            if let Some(variable) = self.declarator(&shared, declarator) {
                self.program_scope_variable(variable);
            }
        }
    }

    /// A declaration among statements.
    pub(super) fn block_declaration(&mut self, declaration: &ast::Declaration<'a>, out: &mut Vec<Stmt<'h>>) {
        let Some(shared) = self.shared(declaration) else { return };
        for declarator in declaration.declarators {
            if let Some(variable) = self.declarator(&shared, declarator) {
                self.block_variable(variable, out);
            }
        }
    }

    fn shared<'s>(&mut self, declaration: &'s ast::Declaration<'a>) -> Option<DeclSpec<'s, 'a>> {
        let specifiers = &declaration.specifiers;
        if declaration.declarators.is_empty()
            && let TypeSpecifierKind::Record(record) = specifiers.ty.kind
            && record.members.is_none()
            && let Some((tag, span)) = record.tag
        {
            // `struct S;` declares S in this scope even where an outer one is visible (C99 6.7.2.3).
            if self.tags.find_here(tag).is_none() {
                let kind = record.kind;
                let id = self.forward_record(kind, tag, span);
                self.tags.declare(tag, super::scope::Tag::Record(id), span);
            }
            return None;
        }
        if let (TypeSpecifierKind::Enum(declared), []) = (specifiers.ty.kind, declaration.declarators) {
            // `enum E;`, a GNU extension, declares E for later.
            self.enum_specifier(declared, true);
            return None;
        }
        let base = match specifiers.ty.kind {
            // Each declarator has its own.
            TypeSpecifierKind::Keywords([ast::TypeKeyword::Auto]) if initialized(declaration) => DeclTy::plain(Ty::INT),
            _ => self.specifiers(specifiers),
        };
        let storage = self.storage(specifiers);
        if declaration.declarators.is_empty() {
            let declares =
                matches!(specifiers.ty.kind, TypeSpecifierKind::Record(ast::RecordSpecifier { tag: Some(_), .. }));
            if !declares && base.ty != Ty::ERROR {
                self.warning(
                    WarningFlag::MissingDeclarations,
                    declaration.span,
                    "declaration does not declare anything",
                );
            }
            return None;
        }
        Some(DeclSpec { specifiers, base, storage, layout: self.declaration_layout(specifiers.attributes) })
    }

    /// Alignment from a declaration's attributes; function attributes are read elsewhere.
    fn declaration_layout(&mut self, attributes: &[ast::Attribute<'a>]) -> Layout {
        self.layout_attributes(attributes)
    }

    /// The storage class; two of them are an error.
    pub(super) fn storage(&mut self, specifiers: &ast::DeclarationSpecifiers<'a>) -> Option<StorageClass> {
        if let [first, second, ..] = specifiers.storage
            && first.0 != second.0
        {
            self.error(second.1, "cannot combine with previous storage class specifier");
        }
        let (storage, span) = *specifiers.storage.first()?;
        let name = match storage {
            StorageClass::Auto => "auto",
            StorageClass::Register => "register",
            _ => return Some(storage),
        };
        if !self.in_function() {
            self.error(span, format!("illegal storage class on file-scoped variable '{name}'"));
        } else if self.language() < clforge_basic::options::ClStd::CL2_0 {
            self.error(span, format!("OpenCL C version 1.2 does not support the '{name}' storage class specifier"));
        }
        None
    }

    /// One declarator; `Some` when it declares a variable.
    fn declarator(&mut self, shared: &DeclSpec<'_, 'a>, declarator: &ast::InitDeclarator<'a>) -> Option<Variable<'a>> {
        let base = match (shared.specifiers.ty.kind, declarator.initializer) {
            (TypeSpecifierKind::Keywords([ast::TypeKeyword::Auto]), Some(ast::Initializer::Expr(e))) => {
                self.auto_type(shared.specifiers, e)
            }
            _ => shared.base,
        };
        self.declares_printf = declarator.declarator.name.is_some_and(|(name, _)| self.text(name) == "printf");
        let declared = self.declarator_type(base, &declarator.declarator, false);
        self.declares_printf = false;
        let declared = self.attributed_type(declared, declarator.declarator.attributes);
        let (name, span) = declarator.declarator.name?;
        let layout = shared.layout.or(self.layout_attributes(declarator.declarator.attributes));
        if shared.storage == Some(StorageClass::Typedef) {
            if declarator.initializer.is_some() {
                self.error(span, "illegal initializer (only variables can be initialized)");
            }
            self.typedef(name, declared, layout, shared, span);
            return None;
        }
        if let TyKind::Function(ty) = self.kind(declared.ty) {
            let mut attributes = FunctionAttributes::default();
            self.function_attributes(shared.specifiers.attributes, &mut attributes);
            self.function_attributes(declarator.declarator.attributes, &mut attributes);
            if declarator.initializer.is_some() {
                self.error(span, "illegal initializer (only variables can be initialized)");
            }
            if !self.restates_builtin(name, ty) {
                self.declare_function(name, span, ty, shared.specifiers, &declarator.declarator, &attributes);
            }
            return None;
        }
        if !shared.specifiers.function.is_empty() {
            let what = if shared.specifiers.function.contains(ast::FunctionSpecifiers::KERNEL) {
                "'kernel' can only be applied to functions"
            } else {
                "'inline' can only appear on functions"
            };
            self.error(span, what);
        }
        Some(Variable { name, span, declared, storage: shared.storage, layout, initializer: declarator.initializer })
    }

    /// The type that `__auto_type` deduces: that of the initialiser's value.
    fn auto_type(&mut self, specifiers: &ast::DeclarationSpecifiers<'a>, e: &'a ast::Expr<'a>) -> DeclTy {
        self.unevaluated += 1;
        let ty = self.value(e).ty.ty;
        self.unevaluated -= 1;
        let space = specifiers.address_spaces.first().map(|(space, _)| *space);
        DeclTy { ty, quals: specifiers.qualifiers, space }
    }

    fn typedef(&mut self, name: Symbol, declared: DeclTy, layout: Layout, shared: &DeclSpec<'_, 'a>, span: Span) {
        if is_reserved_type(self.text(name)) {
            // 6.3.4 forbids it, but programs do it, and drivers accept them.
            let message = format!("'{}' is a reserved type name in OpenCL C", self.text(name));
            self.warning(WarningFlag::ReservedTypes, span, message);
        }
        if let TypeSpecifierKind::Name(written) = shared.specifiers.ty.kind
            && self.is_size_type(written)
            && !matches!(self.kind(declared.ty), TyKind::Pointer(_))
        {
            self.size_types.insert(name);
        }
        if let Some(entry) = self.ordinary.find_here(name) {
            let previous = entry.span;
            let (same, text) = match entry.entity {
                Entity::Type(old) => (old.ty == declared.ty, Some(old.ty)),
                Entity::Poisoned => (true, None),
                _ => (false, None),
            };
            if !same && declared.ty != Ty::ERROR {
                let message = match text {
                    Some(old) => {
                        let (new, old) = (self.quoted(declared.ty), self.quoted(old));
                        format!("typedef redefinition with different types ({new} vs {old})")
                    }
                    None => format!("redefinition of '{}' as different kind of symbol", self.text(name)),
                };
                self.error_with_note(span, message, previous, "previous definition is here");
            }
            return;
        }
        if let TyKind::Record(id) = self.kind(declared.ty) {
            let record = &mut self.program.types.records[id];
            if record.tag.is_none() && record.typedef_name.is_none() {
                record.typedef_name = Some(name);
            }
            // `typedef struct { … } S __attribute__((aligned(16)))`
            let defines = matches!(shared.specifiers.ty.kind, TypeSpecifierKind::Record(r) if r.members.is_some());
            if defines && let Some(align) = layout.align {
                record.align = record.align.max(align);
            }
        }
        self.ordinary.declare(name, Entity::Type(declared), span);
    }

    /// `size_t`, `ptrdiff_t` and similar, also by the name of a typedef: kernels cannot take them (6.11).
    pub(super) fn is_size_type(&self, name: Symbol) -> bool {
        matches!(self.text(name), "size_t" | "ptrdiff_t" | "intptr_t" | "uintptr_t") || self.size_types.contains(&name)
    }

    /// Declares a variable of block scope; reports redefinitions.
    pub(super) fn declare_variable(&mut self, name: Symbol, entity: Entity, span: Span) {
        if !self.redeclared_here("", name, span) {
            self.ordinary.declare(name, entity, span);
        }
    }

    /// Whether a variable may have that type; reports why not.
    pub(super) fn check_variable_type(&mut self, variable: &Variable<'a>, unsized_array_ok: bool) -> bool {
        let ty = variable.declared.ty;
        let span = variable.span;
        let is_extern = variable.storage == Some(StorageClass::Extern) && variable.initializer.is_none();
        match self.kind(ty) {
            TyKind::Error => false,
            TyKind::Array(_, None) => {
                if !unsized_array_ok {
                    self.error(span, "definition of variable with array type needs an explicit size or an initializer");
                }
                unsized_array_ok
            }
            TyKind::Image(..) | TyKind::Pipe(..) => {
                let text = self.ty_text(ty);
                self.error(span, format!("type '{text}' can only be used as a function parameter in OpenCL"));
                false
            }
            // Its definition, elsewhere, has the complete type (C99 6.7p7).
            TyKind::Record(_) if is_extern => true,
            _ if self.program.types.size_of(ty).is_none() => {
                let message = format!("variable has incomplete type '{}'", self.ty_text(ty));
                match self.incomplete_note(ty) {
                    Some((place, note)) => self.error_with_note(span, message, place, note),
                    None => self.error(span, message),
                }
                false
            }
            _ => true,
        }
    }

    /// Marks a name as declared with an error.
    pub(super) fn poison(&mut self, name: Symbol, span: Span) {
        if self.ordinary.find_here(name).is_none() {
            self.ordinary.declare(name, Entity::Poisoned, span);
        }
    }

    pub(super) fn enter_scope(&mut self) {
        self.ordinary.enter();
        self.tags.enter();
    }

    pub(super) fn leave_scope(&mut self) {
        self.ordinary.leave();
        self.tags.leave();
    }
}

/// Whether every declarator has an initialiser that is an expression.
fn initialized(declaration: &ast::Declaration<'_>) -> bool {
    declaration.declarators.iter().all(|d| matches!(d.initializer, Some(ast::Initializer::Expr(_))))
}
