//! Warnings about variables, labels and functions that nothing uses, variables that are used before they have a value, and those
//! that hide others.

use super::body::{FirstMention, VariableUse};
use super::scope::Entity;
use super::{ExprRef, Sema};
use crate::hir::{ExprKind, FunctionId, PrivateVariableId, TyKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::Qualifiers;
use typed_index_collections::{TiVec, ti_vec};

impl<'h> Sema<'_, 'h, '_> {
    /// A variable of a function begins its life.
    pub(super) fn watch(&mut self, local: PrivateVariableId, unused_is_fine: bool) {
        let flags = [
            WarningFlag::ConditionalUninitialized,
            WarningFlag::SometimesUninitialized,
            WarningFlag::Uninitialized,
            WarningFlag::UnusedVariable,
        ];
        if !flags.iter().any(|flag| self.warns(*flag)) {
            return;
        }
        let loops = self.body.loops;
        let single = self.body.variables.get(local).is_some_and(|local| {
            !local.ty.quals.contains(Qualifiers::VOLATILE)
                && !matches!(self.kind(local.ty.ty), TyKind::Array(..) | TyKind::Record(_))
        });
        let first = if single { FirstMention::NotYet } else { FirstMention::Past };
        if let Some(known) = self.body.uses.get_mut(local) {
            let mentioned = unused_is_fine;
            *known = VariableUse { watched: true, mentioned, has_single_value: single, first, reported: false, loops };
        }
    }

    /// The variable has its initialiser.
    pub(super) fn initialized(&mut self, local: PrivateVariableId) {
        if let Some(known) = self.body.uses.get_mut(local) {
            known.first = FirstMention::Past;
        }
    }

    /// The variable is named.
    pub(super) fn mention(&mut self, local: PrivateVariableId, span: Span) {
        let evaluated = self.unevaluated == 0;
        if let Some(known) = self.body.uses.get_mut(local) {
            known.mentioned = true;
            if evaluated {
                known.first =
                    if known.first == FirstMention::NotYet { FirstMention::At(span) } else { FirstMention::Past };
            }
        }
    }

    /// The place's value is read. A variable that nothing in the text before mentions has none yet, unless a jump back
    /// leads here.
    pub(super) fn read(&mut self, place: ExprRef<'h>) {
        let ExprKind::PrivateVariable(id) = place.kind else { return };
        if self.unevaluated > 0 || !self.body.labels.is_empty() {
            return;
        }
        let loops = self.body.loops;
        let Some(known) = self.body.uses.get(id).copied() else { return };
        if known.first != FirstMention::At(place.span) || known.loops != loops {
            return;
        }
        self.initialized(id);
        self.report_uninitialized(id, place.span);
    }

    /// Warns of the use of a variable that never has a value there.
    pub(super) fn report_uninitialized(&mut self, id: PrivateVariableId, used: Span) {
        if let Some(known) = self.body.uses.get_mut(id) {
            known.reported = true;
        }
        if let Some(local) = self.body.variables.get(id) {
            let (declared, name) = (local.span, self.text(local.name).to_string());
            let message = format!("variable '{name}' is uninitialized when used here");
            let note = format!("variable '{name}' is declared here");
            self.warn_with_note(WarningFlag::Uninitialized, used, message, declared, note);
        }
    }

    /// A variable that hides another one, of a block around it or of the program.
    pub(super) fn shadows(&mut self, name: Symbol, span: Span) {
        if !self.warns(WarningFlag::Shadow) {
            return;
        }
        let depth = self.ordinary.depth();
        let Some(hidden) = self.ordinary.find(name).filter(|hidden| (hidden.depth as usize) < depth) else { return };
        let (is_variable, previous, outermost) = (
            matches!(hidden.entity, Entity::PrivateVariable(_) | Entity::ModuleVariable(_) | Entity::Block(..)),
            hidden.span,
            hidden.depth == 0,
        );
        if is_variable {
            let what = if outermost { "variable in the global scope" } else { "local variable" };
            let message = format!("declaration shadows a {what}");
            self.warn_with_note(WarningFlag::Shadow, span, message, previous, "previous declaration is here".into());
        }
    }

    /// Variables and labels of the function that nothing names. With errors around, what is used is not known.
    pub(super) fn unused_variables(&mut self) {
        if self.library || self.sink.has_errors() {
            return self.function_objects.clear();
        }
        let mut unused: Vec<(WarningFlag, Span, String)> = Vec::new();
        for (local, known) in self.body.variables.iter().zip(&self.body.uses) {
            if known.watched && !known.mentioned {
                unused.push((
                    WarningFlag::UnusedVariable,
                    local.span,
                    format!("unused variable '{}'", self.text(local.name)),
                ));
            }
        }
        for (id, mentioned) in std::mem::take(&mut self.function_objects) {
            let Some(object) = self.program.variables.get(id).filter(|_| !mentioned) else { continue };
            let message = format!("unused variable '{}'", self.text(object.name));
            unused.push((WarningFlag::UnusedVariable, object.span, message));
        }
        for (name, label) in &self.body.labels {
            if let (Some(span), None) = (label.defined, label.used) {
                unused.push((WarningFlag::UnusedLabel, span, format!("unused label '{}'", self.text(*name))));
            }
        }
        unused.sort_by_key(|(_, span, _)| span.lo);
        for (flag, span, message) in unused {
            self.warning(flag, span, message);
        }
    }

    /// `static` functions that nothing calls.
    pub(super) fn unused_functions(&mut self) {
        if !self.warns(WarningFlag::UnusedFunction) || self.sink.has_errors() {
            return;
        }
        let mut called: TiVec<FunctionId, bool> = ti_vec![false; self.program.functions.len()];
        for callee in self.program.functions.iter().flat_map(|function| &function.callees) {
            if let Some(known) = called.get_mut(*callee) {
                *known = true;
            }
        }
        let mut statics = std::mem::take(&mut self.statics);
        statics.dedup();
        for id in statics {
            let Some(function) = self.program.functions.get(id) else { continue };
            if !called.get(id).copied().unwrap_or(true) && function.body.is_some() {
                let (span, message) = (function.span, format!("unused function '{}'", self.text(function.name)));
                self.warning(WarningFlag::UnusedFunction, span, message);
            }
        }
    }
}
