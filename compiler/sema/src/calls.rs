//! Calls: user functions and their overloads, built-in functions, conversions that look like calls.

use super::conversions::AssignmentAction;
use super::names::scalar_or_vector;
use super::overload_set::{OverloadError, Types};
use super::scope::Entity;
use super::{ExprRef, Sema, suggest};
use crate::builtins::{self, BuiltinId, Resolution};
use crate::hir::types::FunctionTy;
use crate::hir::{ExprKind, FunctionId, QualTy, Scalar, Ty, TyKind};
use clforge_basic::diag::Sink;
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast;

impl<'a, 'h> Sema<'a, 'h, '_> {
    pub(super) fn call(
        &mut self,
        callee: &'a ast::Expr<'a>,
        arguments: &'a [&'a ast::Expr<'a>],
        span: Span,
    ) -> ExprRef<'h> {
        let mut target = callee;
        while let ast::ExprKind::Paren(inner) = target.kind {
            target = inner;
        }
        let ast::ExprKind::Identifier(name) = target.kind else {
            let checked = self.value(callee);
            if matches!(self.kind(checked.ty.ty), TyKind::Block(_)) {
                let values = self.arguments(arguments);
                return self.call_block(checked, values, span);
            }
            return self.not_callable(checked, span);
        };
        let entity = self.ordinary.find(name).map(|entry| entry.entity);
        match entity {
            None => self.undeclared_call(name, target.span, arguments, span),
            Some(Entity::Functions(set)) => {
                let values = self.arguments(arguments);
                self.user_call(set, name, values, target.span, span)
            }
            Some(_) => {
                let checked = self.value(callee);
                let values = self.arguments(arguments);
                match self.kind(checked.ty.ty) {
                    TyKind::Block(_) => self.call_block(checked, values, span),
                    _ => self.not_callable(checked, span),
                }
            }
        }
    }

    fn not_callable(&mut self, checked: ExprRef<'h>, span: Span) -> ExprRef<'h> {
        if checked.ty.ty != Ty::ERROR {
            let text = self.quoted(checked.ty.ty);
            self.error(span, format!("called object type {text} is not a function or function pointer"));
        }
        self.error_expr(span)
    }

    pub(super) fn arguments(&mut self, arguments: &[&'a ast::Expr<'a>]) -> Vec<ExprRef<'h>> {
        arguments.iter().map(|argument| self.value(argument)).collect()
    }

    // --- user functions ---

    fn user_call(
        &mut self,
        set: u32,
        name: Symbol,
        values: Vec<ExprRef<'h>>,
        name_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        if values.iter().any(|value| value.ty.ty == Ty::ERROR) {
            return self.error_expr(span);
        }
        let function = match self.overloads[set as usize].functions() {
            &[only] => {
                // A user's function beside a built-in one of that name is one more overload of it.
                if !self.accepts_exactly(only, &values)
                    && builtins::is_builtin(self.text(name))
                    && let Some(call) = self.try_builtin(name, &values, span)
                {
                    return call;
                }
                only
            }
            _ => match self.overload(set, &values) {
                Ok(function) => function,
                Err(error) => {
                    if error == OverloadError::NoViableFunction
                        && let Some(call) = self.try_builtin(name, &values, span)
                    {
                        return call;
                    }
                    let candidates = self.overloads[set as usize].functions().to_vec();
                    return self.no_overload(&candidates, name, &values, error, name_span, span);
                }
            },
        };
        self.call_function(function, values, name_span, span)
    }

    pub(super) fn parameters_of(&self, function: FunctionId) -> Option<&FunctionTy> {
        let signature = self.signatures.get(&function)?;
        Some(self.program.types.function_ty(signature.ty))
    }

    fn accepts_exactly(&self, function: FunctionId, values: &[ExprRef<'h>]) -> bool {
        let Some(ty) = self.parameters_of(function) else { return false };
        ty.parameters.len() == values.len() && ty.parameters.iter().zip(values).all(|(p, v)| p.ty == v.ty.ty)
    }

    fn call_function(
        &mut self,
        function: FunctionId,
        values: Vec<ExprRef<'h>>,
        name_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        let Some(signature) = self.signatures.get(&function).cloned() else { return self.error_expr(span) };
        let ty = self.program.types.function_ty(signature.ty).clone();
        let declared = self.program.functions[function].span;
        let expected = ty.parameters.len();
        if values.len() != expected && (signature.prototype || values.len() < expected) {
            let amount = if values.len() < expected { "few" } else { "many" };
            let name = self.text(self.program.functions[function].name).to_string();
            let message =
                format!("too {amount} arguments to function call, expected {expected}, have {}", values.len());
            self.error_with_note(name_span.to(span), message, declared, format!("'{name}' declared here"));
            return self.make_call(function, &[], ty.result.ty, span);
        }
        let mut converted = Vec::with_capacity(values.len());
        for (index, value) in values.iter().enumerate() {
            let argument = match ty.parameters.get(index) {
                Some(parameter) => {
                    let place = signature.parameters.get(index).copied();
                    self.convert_for_assignment(value, parameter.ty, AssignmentAction::Passing(place))
                }
                None => continue,
            };
            converted.push(argument);
        }
        self.make_call(function, &converted, ty.result.ty, span)
    }

    pub(super) fn make_call(
        &mut self,
        function: FunctionId,
        arguments: &[ExprRef<'h>],
        result: Ty,
        span: Span,
    ) -> ExprRef<'h> {
        if self.unevaluated == 0 && self.body.called.insert(function) {
            self.body.callees.push(function);
            self.first_calls.entry(function).or_insert(span);
        }
        let arguments = self.arena.alloc_slice_copy(arguments);
        self.make(ExprKind::Call { function, arguments }, result, span)
    }

    /// The overload that a call of one of several functions means.
    fn overload(&mut self, set: u32, values: &[ExprRef<'h>]) -> Result<FunctionId, OverloadError> {
        let types: Types = values.iter().map(|value| value.ty.ty).collect();
        let overloads = &self.overloads[set as usize];
        // Nothing is better than that.
        if let Some(function) = overloads.exact(&types) {
            return Ok(function);
        }
        let by_types = !values.iter().any(|value| self.is_null_constant(value));
        if by_types && let Some(chosen) = overloads.chosen(&types) {
            return chosen;
        }
        let candidates = overloads.functions().to_vec();
        let chosen = self.best_overload(&candidates, values);
        if by_types {
            self.overloads[set as usize].choose(types, chosen);
        }
        chosen
    }

    /// The overload that is better than all others in some argument and worse in none.
    fn best_overload(
        &mut self,
        candidates: &[FunctionId],
        values: &[ExprRef<'h>],
    ) -> Result<FunctionId, OverloadError> {
        let mut viable: Vec<(FunctionId, Vec<u32>)> = Vec::new();
        for candidate in candidates {
            let Some(ty) = self.parameters_of(*candidate) else { continue };
            if ty.parameters.len() != values.len() {
                continue;
            }
            let ranks: Option<Vec<u32>> =
                ty.parameters.iter().zip(values).map(|(parameter, value)| self.rank(value, parameter.ty)).collect();
            if let Some(ranks) = ranks {
                viable.push((*candidate, ranks));
            }
        }
        let better = |a: &[u32], b: &[u32]| a.iter().zip(b).all(|(a, b)| a <= b) && a != b;
        let best = viable
            .iter()
            .find(|(_, ranks)| viable.iter().all(|(_, other)| std::ptr::eq(ranks, other) || better(ranks, other)));
        let error = if viable.is_empty() { OverloadError::NoViableFunction } else { OverloadError::Ambiguous };
        best.map(|(function, _)| *function).ok_or(error)
    }

    /// The rank of the conversion of an argument to a parameter's type: 0 exact, 1 promotion, 2 conversion, 3 splat.
    pub(super) fn rank(&self, value: ExprRef<'h>, parameter: Ty) -> Option<u32> {
        let from = value.ty.ty;
        if from == parameter {
            return Some(0);
        }
        let types = &self.program.types;
        match (self.kind(from), self.kind(parameter)) {
            (TyKind::Pointer(a), TyKind::Pointer(b)) => {
                if self.is_null_constant(value) {
                    return Some(2);
                }
                let space = super::conversions::space_includes(b.space, a.space);
                match (space, a.ty == b.ty, b.ty == Ty::VOID) {
                    (true, true, _) if b.quals.contains(a.quals) => Some(1),
                    (true, true, _) | (true, _, true) => Some(2),
                    _ => None,
                }
            }
            (_, TyKind::Pointer(_)) if self.is_null_constant(value) => Some(2),
            _ => match (types.lanes(from), types.lanes(parameter)) {
                (Some((Scalar::Int(a), 1)), Some((Scalar::Int(b), 1)))
                    if a.bits() < 32 && b == crate::hir::IntKind::Int =>
                {
                    Some(1)
                }
                (Some((Scalar::Float(a), 1)), Some((Scalar::Float(b), 1))) if a < b => Some(1),
                (Some((_, 1)), Some((_, 1))) => Some(2),
                (Some((_, 1)), Some(_)) => Some(3),
                _ => None,
            },
        }
    }

    // --- undeclared functions ---

    fn undeclared_call(
        &mut self,
        name: Symbol,
        name_span: Span,
        arguments: &'a [&'a ast::Expr<'a>],
        span: Span,
    ) -> ExprRef<'h> {
        if let Some(gnu) = self.text(name).strip_prefix("__builtin_").map(str::to_string) {
            let errors = self.sink.error_count();
            if let Some(e) = self.gnu_call(&gnu, arguments, span) {
                return e;
            }
            if self.sink.error_count() > errors {
                return self.error_expr(span);
            }
            if clforge_syntax::gnu::is_known(self.text(name)) {
                let message = format!("no matching function for call to '{}'", self.text(name));
                self.error(name_span, message);
                return self.error_expr(span);
            }
        }
        let values = self.arguments(arguments);
        if values.iter().any(|value| value.ty.ty == Ty::ERROR) && self.is_known_call(name) {
            return self.error_expr(span);
        }
        if let Some(e) = self.special_call(name, &values, name_span, span) {
            return e;
        }
        if let Some(e) = self.device_call(name, &values, name_span, span) {
            return e;
        }
        if let Some(e) = self.matrix_call(name, &values, name_span, span) {
            return e;
        }
        if let Some(operation) = self.text(name).strip_prefix("__opencl_atomic_") {
            // Clang's built-in functions, of which its `atomic_…_explicit` are made.
            let function =
                if operation == "init" { "atomic_init".into() } else { format!("atomic_{operation}_explicit") };
            if let Some(e) = self.opencl_call(&function, &values, span) {
                return e;
            }
        }
        let arguments = self.builtin_arguments(&values);
        let resolution = builtins::resolve(self.names.text(name), &arguments, &mut self.program.types, self.options);
        self.resolved(resolution, name, &values, name_span, span)
    }

    fn is_known_call(&self, name: Symbol) -> bool {
        let text = self.text(name);
        builtins::is_builtin(text)
            || text.starts_with("as_")
            || text.starts_with("convert_")
            || text.starts_with("__builtin_")
    }

    /// What overload resolution asks about arguments.
    pub(super) fn builtin_arguments(&self, values: &[ExprRef<'h>]) -> Vec<builtins::Argument> {
        let argument = |value: &ExprRef<'h>| builtins::Argument { ty: value.ty, is_null: self.is_null_constant(value) };
        values.iter().map(argument).collect()
    }

    fn try_builtin(&mut self, name: Symbol, values: &[ExprRef<'h>], span: Span) -> Option<ExprRef<'h>> {
        let arguments = self.builtin_arguments(values);
        match builtins::resolve(self.names.text(name), &arguments, &mut self.program.types, self.options) {
            Resolution::Found { id, parameters, result, .. } => {
                Some(self.builtin_call(id, &parameters, result, values, span))
            }
            _ => None,
        }
    }

    fn resolved(
        &mut self,
        resolution: Resolution,
        name: Symbol,
        values: &[ExprRef<'h>],
        name_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        let text = self.text(name).to_string();
        match resolution {
            Resolution::Found { id, parameters, result, .. } => {
                self.builtin_call(id, &parameters, result, values, span)
            }
            Resolution::Unknown => {
                self.implicit_declaration(&text, name_span);
                self.error_expr(span)
            }
            Resolution::NoMatch => {
                self.no_builtin_overload(name, values, name_span);
                self.error_expr(span)
            }
            Resolution::Ambiguous { candidates } => {
                self.ambiguous_builtin(&text, values, name_span, &candidates);
                self.error_expr(span)
            }
            Resolution::Unavailable { needs } if needs.starts_with("support") => {
                self.not_supported(name_span, &format!("'{text}'"));
                self.error_expr(span)
            }
            Resolution::Unavailable { needs } => {
                self.error(name_span, format!("use of '{text}' requires {needs}"));
                self.error_expr(span)
            }
        }
    }

    fn implicit_declaration(&mut self, text: &str, span: Span) {
        if text.starts_with("__builtin_") {
            return self.error(span, format!("the built-in function '{text}' of GNU C or clang is not supported"));
        }
        let mut message = format!("implicit declaration of function '{text}' is invalid in OpenCL");
        if self.sink.error_count() <= Sink::MAX_ERRORS {
            let functions = self.ordinary.visible().filter(|entry| matches!(entry.entity, Entity::Functions(_)));
            let near = suggest::nearest(text, functions.map(|entry| self.names.text(entry.name)));
            if let Some(near) = near.or_else(|| suggest::nearest(text, builtins::names())) {
                message += &format!("; did you mean '{near}'?");
            }
        }
        let mut diagnostic = self.error_at(span, message);
        if text.starts_with("convert_") {
            diagnostic = diagnostic.with_help(
                "conversions are named convert_<type>[_sat][_rte|_rtz|_rtp|_rtn], for vector and scalar number types; \
                 '_sat' is for integer types alone",
            );
        }
        self.push(diagnostic);
    }

    pub(super) fn builtin_call(
        &mut self,
        id: BuiltinId,
        parameters: &[QualTy],
        result: Ty,
        values: &[ExprRef<'h>],
        span: Span,
    ) -> ExprRef<'h> {
        if id == builtins::PRINTF
            && let [format, arguments @ ..] = values
            && let ExprKind::Conditional { condition, then, otherwise } = format.kind
        {
            // A choice between formats is a choice between calls.
            let mut call = |format| {
                let values: Vec<ExprRef<'h>> = std::iter::once(format).chain(arguments.iter().copied()).collect();
                self.builtin_call(id, parameters, result, &values, span)
            };
            let (then, otherwise) = (call(then), call(otherwise));
            return self.make(ExprKind::Conditional { condition, then, otherwise }, result, span);
        }
        let pairs = values.iter().zip(parameters);
        let mut converted: Vec<ExprRef<'h>> = pairs
            .map(|(value, parameter)| self.convert_for_assignment(value, parameter.ty, AssignmentAction::Passing(None)))
            .collect();
        if id == builtins::PRINTF
            && let [format, arguments @ ..] = values
            && let [pointer] = converted[..]
        {
            converted = self.printf_arguments(format, pointer, arguments);
        }
        if self.unevaluated == 0 && self.body.called_builtins.insert(id) {
            self.body.builtins.push(id);
        }
        let arguments = self.arena.alloc_slice_copy(&converted);
        let call = self.make(ExprKind::Builtin { function: id, arguments }, result, span);
        let size_t = self.program.types.size_t();
        if size_t != result && builtins::returns_size(id) { self.convert(call, size_t) } else { call }
    }

    // --- conversions and constants that look like calls ---

    fn special_call(
        &mut self,
        name: Symbol,
        values: &[ExprRef<'h>],
        name_span: Span,
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let text = self.names.text(name);
        if let Some(target) = text.strip_prefix("as_") {
            let ty = match target {
                "size_t" | "uintptr_t" => self.program.types.size_t(),
                "ptrdiff_t" | "intptr_t" => self.program.types.ptrdiff_t(),
                _ => {
                    let (scalar, lanes) = scalar_or_vector(target)?;
                    self.program.types.vector(scalar, lanes)
                }
            };
            let value = self.only_argument(values, name_span)?;
            return Some(self.reinterpret(value, ty, span));
        }
        if let Some(target) = text.strip_prefix("convert_") {
            let (scalar, lanes) = scalar_or_vector(target)?;
            let ty = self.program.types.vector(scalar, lanes);
            let value = self.only_argument(values, name_span)?;
            return Some(self.explicit_conversion(value, ty, lanes, name, name_span, span));
        }
        if text == "vec_step" {
            let value = self.only_argument(values, name_span)?;
            return Some(self.vec_step(value.ty.ty, value.span, span));
        }
        None
    }

    /// The argument of a function that takes one; an error expression stands for a wrong number of them.
    fn only_argument(&mut self, values: &[ExprRef<'h>], name_span: Span) -> Option<ExprRef<'h>> {
        if let [value] = values {
            return Some(value);
        }
        let amount = if values.is_empty() { "few" } else { "many" };
        let message = format!("too {amount} arguments to function call, expected 1, have {}", values.len());
        self.error(name_span, message);
        Some(self.error_expr(name_span))
    }

    /// `convert_T(value)` (6.2.3).
    fn explicit_conversion(
        &mut self,
        value: ExprRef<'h>,
        ty: Ty,
        lanes: u8,
        name: Symbol,
        name_span: Span,
        span: Span,
    ) -> ExprRef<'h> {
        if value.ty.ty == Ty::ERROR {
            return self.error_expr(span);
        }
        match self.program.types.lanes(value.ty.ty) {
            Some((_, have)) if have == lanes => {
                let converted = self.convert(value, ty);
                self.arena.alloc(crate::hir::Expr { span, ..*converted })
            }
            _ => {
                let message = format!(
                    "no matching function for call to '{}' with an argument of type {}",
                    self.text(name),
                    self.quoted(value.ty.ty)
                );
                self.error(name_span, message);
                self.error_expr(span)
            }
        }
    }
}
