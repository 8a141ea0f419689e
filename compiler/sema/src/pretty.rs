//! `__PRETTY_FUNCTION__`: a function's type and name as clang writes them, with every address space.

use super::Sema;
use super::functions::parameter_declarations;
use crate::hir::spelling::qualifier_text;
use crate::hir::{QualTy, TyKind};
use clforge_syntax::ast::{self, AddressSpace, TypeSpecifierKind};

/// A type whose outermost part is what a name in the source stands for.
#[derive(Clone, Copy)]
struct Spelled<'n> {
    name: Option<&'n str>,
    /// Steps of the declarator around the name.
    steps: usize,
    /// Whether it is an object's: its address space is shown.
    object: bool,
}

impl<'a> Sema<'a, '_, '_> {
    pub(super) fn pretty_function(&self, definition: &'a ast::FunctionDefinition<'a>) -> String {
        let body = self.outer_bodies.first().unwrap_or(&self.body);
        let declarations = parameter_declarations(&definition.declarator);
        let parameters: Vec<String> = body
            .variables
            .iter()
            .zip(declarations)
            .map(|(local, declaration)| {
                let spelled = self.spelled(&declaration.specifiers, declaration.declarator.derived.len(), true);
                self.pretty_type(local.ty, String::new(), spelled)
            })
            .collect();
        let parameters = if parameters.is_empty() { "void".into() } else { parameters.join(", ") };
        let function = body.function.and_then(|id| self.program.functions.get(id));
        let name = function.map_or("", |function| self.text(function.name));
        let text = format!("{name}({parameters})");
        let steps = definition.declarator.derived.len().saturating_sub(1);
        let spelled = self.spelled(&definition.specifiers, steps, false);
        let result = function.map_or(crate::hir::Ty::VOID, |function| function.result);
        self.pretty_type(QualTy::plain(result), text, spelled)
    }

    fn spelled(&self, specifiers: &ast::DeclarationSpecifiers<'a>, steps: usize, object: bool) -> Spelled<'_> {
        let name = match specifiers.ty.kind {
            TypeSpecifierKind::Name(name) => Some(self.text(name)),
            _ => None,
        };
        Spelled { name, steps, object }
    }

    fn pretty_type(&self, q: QualTy, inner: String, spelled: Spelled<'_>) -> String {
        let quals = qualifier_text(q.quals);
        let space = match q.space {
            AddressSpace::Private if spelled.object => "__private ",
            space => space.prefix(),
        };
        let next = Spelled { steps: spelled.steps.saturating_sub(1), object: true, ..spelled };
        let ends = spelled.steps == 0 && spelled.name.is_some();
        match self.kind(q.ty) {
            TyKind::Pointer(pointee) if !ends => {
                let gap = if inner.is_empty() { "" } else { " " };
                let own = format!("{quals}{space}");
                let own = if own.is_empty() { own } else { format!("{}{gap}", own.trim_end()) };
                let parenthesised = matches!(self.kind(pointee.ty), TyKind::Array(..) | TyKind::Function(_));
                let inner = if parenthesised { format!("(*{own}{inner})") } else { format!("*{own}{inner}") };
                self.pretty_type(pointee, inner, next)
            }
            TyKind::Array(element, count) if !ends => {
                let size = count.map(|count| count.to_string()).unwrap_or_default();
                let element = QualTy { space: q.space, ..element };
                self.pretty_type(element, format!("{inner}[{size}]"), next)
            }
            kind => {
                let base = match spelled.name.filter(|_| ends) {
                    Some(name) => name.to_owned(),
                    None => self.ty_text(q.ty),
                };
                let base = match kind {
                    TyKind::Image(..) => self.ty_text(q.ty),
                    _ => base,
                };
                let space = if kind == TyKind::Sampler { "" } else { space };
                let gap = if inner.is_empty() || inner.starts_with('[') { "" } else { " " };
                format!("{quals}{space}{base}{gap}{inner}")
            }
        }
    }
}
