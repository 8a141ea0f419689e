//! Errors for calls that fit no overload, or several: the candidates, nearest first, and the reason why each cannot be
//! called.

use super::conversions::space_includes;
use super::overload_set::OverloadError;
use super::{ExprRef, Sema};
use crate::builtins::{self, Candidate};
use crate::hir::{FunctionId, Ty, TyKind};
use clforge_basic::diag::{Diagnostic, Sink};
use clforge_basic::source::{Span, Symbol};

/// Functions of the program that are shown.
const SHOWN: usize = 6;

impl<'h> Sema<'_, 'h, '_> {
    /// A call that none of several functions of the program, or more than one, can take.
    pub(super) fn no_overload(
        &mut self,
        candidates: &[FunctionId],
        name: Symbol,
        values: &[ExprRef<'h>],
        error: OverloadError,
        name_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        let text = self.text(name);
        let message = match error {
            OverloadError::Ambiguous => format!("call to '{text}' is ambiguous"),
            OverloadError::NoViableFunction => format!("no matching function for call to '{text}'"),
        };
        let mut diagnostic = self.with_argument_types(self.error_at(name_span, message), values);
        for (candidate, note) in self.ordered(candidates, values, error) {
            let place = self.program.functions[candidate].span;
            diagnostic = diagnostic.with_note(self.table.range(place, self.names), note);
        }
        self.push(diagnostic);
        self.error_expr(span)
    }

    /// The candidates to be shown, nearest first, with the text about each.
    fn ordered(
        &mut self,
        candidates: &[FunctionId],
        values: &[ExprRef<'h>],
        error: OverloadError,
    ) -> Vec<(FunctionId, String)> {
        // Past the limit messages are only counted.
        if self.sink.error_count() > Sink::MAX_ERRORS {
            return Vec::new();
        }
        if error == OverloadError::Ambiguous {
            let shown = candidates.iter().take(SHOWN);
            return shown.map(|candidate| (*candidate, "candidate function".to_owned())).collect();
        }
        let mut ordered: Vec<(usize, FunctionId, String)> = Vec::new();
        for candidate in candidates {
            let Some(ty) = self.parameters_of(*candidate) else { continue };
            let parameters: Vec<Ty> = ty.parameters.iter().map(|parameter| parameter.ty).collect();
            let pairs = parameters.iter().zip(values);
            let unfit: Vec<usize> = pairs
                .enumerate()
                .filter_map(|(index, (parameter, value))| self.rank(value, *parameter).is_none().then_some(index))
                .collect();
            let missing = parameters.len().abs_diff(values.len());
            let first = unfit.first().copied().filter(|_| missing == 0);
            let why = self.why_not_viable(&parameters, false, first, values);
            let note = format!("candidate function not viable: {why}");
            ordered.push((missing.saturating_mul(100).saturating_add(unfit.len()), *candidate, note));
        }
        ordered.sort_by_key(|(distance, ..)| *distance);
        ordered.into_iter().take(SHOWN).map(|(_, candidate, note)| (candidate, note)).collect()
    }

    /// A call of a built-in function that no overload takes.
    pub(super) fn no_builtin_overload(&mut self, name: Symbol, values: &[ExprRef<'h>], name_span: Span) {
        let text = self.text(name).to_owned();
        let message = format!("no matching function for call to '{text}'");
        let mut diagnostic = self.with_argument_types(self.error_at(name_span, message), values);
        if self.sink.error_count() <= Sink::MAX_ERRORS {
            let arguments = self.builtin_arguments(values);
            for candidate in builtins::nearest(&text, &arguments, &mut self.program.types, self.options) {
                let why = self.why_not_viable(&candidate.parameters, candidate.variadic, candidate.mismatch, values);
                let note = format!("candidate function '{}' not viable: {why}", self.declaration(&text, &candidate));
                diagnostic = diagnostic.with_note(None, note);
            }
        }
        self.push(diagnostic);
    }

    /// A call of a built-in function that several overloads take equally well.
    pub(super) fn ambiguous_builtin(&mut self, text: &str, values: &[ExprRef<'h>], span: Span, candidates: &[String]) {
        let message = format!("call to '{text}' is ambiguous");
        let mut diagnostic = self.with_argument_types(self.error_at(span, message), values);
        for candidate in candidates {
            diagnostic = diagnostic.with_note(None, format!("candidate function '{candidate}'"));
        }
        self.push(diagnostic);
    }

    fn declaration(&self, name: &str, candidate: &Candidate) -> String {
        let mut parameters: Vec<String> = candidate.parameters.iter().map(|ty| self.ty_text(*ty)).collect();
        if candidate.variadic {
            parameters.push("...".into());
        }
        format!("{} {name}({})", self.ty_text(candidate.result), parameters.join(", "))
    }

    fn with_argument_types(&self, diagnostic: Diagnostic, values: &[ExprRef<'h>]) -> Diagnostic {
        if values.is_empty() {
            return diagnostic;
        }
        let types: Vec<String> = values.iter().map(|value| self.ty_text(value.ty.ty)).collect();
        diagnostic.with_label(format!("argument types: ({})", types.join(", ")))
    }

    /// What is wrong with a candidate: the number of arguments, or the argument at `mismatch`.
    fn why_not_viable(
        &self,
        parameters: &[Ty],
        variadic: bool,
        mismatch: Option<usize>,
        values: &[ExprRef<'h>],
    ) -> String {
        let unfit = mismatch.and_then(|index| Some((index, values.get(index)?.ty.ty, *parameters.get(index)?)));
        let Some((index, from, to)) = unfit else {
            let least = if variadic { "at least " } else { "" };
            let (takes, given) = (parameters.len(), values.len());
            let plural = if takes == 1 { "" } else { "s" };
            let was = if given == 1 { "was" } else { "were" };
            return format!("requires {least}{takes} argument{plural}, but {given} {was} provided");
        };
        let why = self.difference(from, to).map(|why| format!(": {why}")).unwrap_or_default();
        let (from, to) = (self.quoted(from), self.quoted(to));
        format!("no known conversion from {from} to {to} for {} argument{why}", ordinal(index + 1))
    }

    /// The one respect in which two types differ that have no conversion.
    fn difference(&self, from: Ty, to: Ty) -> Option<&'static str> {
        match (self.kind(from), self.kind(to)) {
            (TyKind::Vector(a, have), TyKind::Vector(b, want)) if a == b && have != want => {
                Some("the numbers of components differ")
            }
            (TyKind::Vector(a, have), TyKind::Vector(b, want)) if a != b && have == want => {
                Some("there are no implicit conversions between vector types")
            }
            (TyKind::Pointer(a), TyKind::Pointer(b)) if !space_includes(b.space, a.space) => {
                Some("the address spaces differ")
            }
            (TyKind::Image(a, have), TyKind::Image(b, want)) if a == b && have != want => {
                Some("the access qualifiers differ")
            }
            _ => None,
        }
    }
}

/// 1st, 2nd, 3rd, 4th, …
fn ordinal(number: usize) -> String {
    let suffix = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{suffix}")
}

#[cfg(test)]
mod tests {
    #[test]
    fn ordinals() {
        let numbers = [1, 2, 3, 4, 11, 12, 13, 21, 111, 122].map(super::ordinal);
        assert_eq!(numbers, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "111th", "122nd"]);
    }
}
