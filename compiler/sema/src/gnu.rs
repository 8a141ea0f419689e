//! The `__builtin_…` functions of GNU C and clang that programs use. They are functions of OpenCL C under another name,
//! or a few operations.

use super::{ExprRef, Sema};
use crate::builtins::{self, Resolution};
use crate::hir::{Conversion, ExprKind, Init, QualTy, Stmt, StmtKind, Ty, TyKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::source::Span;
use clforge_syntax::ast;
use clforge_syntax::gnu::{self, Prefixed};

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// A call of `__builtin_name`. `None`: there is no such function, or not for these arguments.
    pub(super) fn gnu_call(
        &mut self,
        name: &str,
        arguments: &'a [&'a ast::Expr<'a>],
        span: Span,
    ) -> Option<ExprRef<'h>> {
        match (name, arguments) {
            ("constant_p", [argument]) => {
                self.unevaluated += 1;
                let value = self.value(argument);
                self.unevaluated -= 1;
                let known = self.literal(value).is_some() || matches!(argument.kind, ast::ExprKind::String(_));
                return Some(self.int(u64::from(known), Ty::INT, span));
            }
            ("choose_expr", [condition, then, otherwise]) => {
                let condition = self.value(condition);
                let Some((value, _)) = self.folded_integer(condition) else {
                    self.error(condition.span, "'__builtin_choose_expr' requires a constant expression");
                    return Some(self.error_expr(span));
                };
                // The operand that is not chosen is not evaluated, and has no influence on the type.
                return Some(self.expr(if value != 0 { then } else { otherwise }));
            }
            ("assume", [condition]) => {
                self.unevaluated += 1;
                self.value(condition);
                self.unevaluated -= 1;
                return Some(self.nothing(span));
            }
            ("unreachable", []) => return Some(self.nothing(span)),
            ("trap" | "debugtrap" | "abort", []) => {
                let message = format!("'__builtin_{name}' has no effect: work-items cannot be stopped");
                self.warning(WarningFlag::IgnoredBuiltins, span, message);
                return Some(self.nothing(span));
            }
            ("addressof", [operand]) => return Some(self.address_of(operand, span)),
            ("nan" | "nanf" | "nanl" | "nans" | "nansf" | "nansl", [text]) => {
                let ast::ExprKind::String(text) = text.kind else { return None };
                return self.nan_of(name, text, span);
            }
            ("object_size" | "dynamic_object_size", [object, _]) => {
                return self.object_size(object, arguments[1], span);
            }
            _ => {}
        }
        let values: Vec<ExprRef<'h>> = arguments.iter().map(|argument| self.value(argument)).collect();
        if values.iter().any(|value| value.ty.ty == Ty::ERROR) {
            return Some(self.error_expr(span));
        }
        match gnu::family(name)? {
            Prefixed::Integer { function, bits } => {
                let [value] = values[..] else { return None };
                self.bits_function(function, value, bits, span)
            }
            Prefixed::Math { function, precision } => self.math_function(function, precision, values, span),
            Prefixed::Class(function) => self.class_function(function, &values, span),
            Prefixed::Carry { borrow, bits } => self.carried(borrow, bits, &values, span),
            Prefixed::Overflow { operation, operands } => self.overflow(operation, operands, &values, span),
            Prefixed::Plain => self.plain_function(name, &values, span),
        }
    }

    /// An argument as a parameter of that type takes it.
    pub(super) fn passed(&mut self, value: ExprRef<'h>, ty: Ty) -> ExprRef<'h> {
        self.convert_for_assignment(value, ty, super::conversions::AssignmentAction::Passing(None))
    }

    /// An expression without value or effect.
    pub(super) fn nothing(&mut self, span: Span) -> ExprRef<'h> {
        let zero = self.int(0, Ty::INT, span);
        self.make(ExprKind::Convert(Conversion::Discard, zero), Ty::VOID, span)
    }

    /// OpenCL C's function of that name, if it takes these arguments.
    pub(super) fn opencl_call(&mut self, name: &str, values: &[ExprRef<'h>], span: Span) -> Option<ExprRef<'h>> {
        let arguments = self.builtin_arguments(values);
        match builtins::resolve(name, &arguments, &mut self.program.types, self.options) {
            Resolution::Found { id, parameters, result, .. } => {
                Some(self.builtin_call(id, &parameters, result, values, span))
            }
            _ => None,
        }
    }

    fn plain_function(&mut self, name: &str, values: &[ExprRef<'h>], span: Span) -> Option<ExprRef<'h>> {
        match (name, values) {
            ("expect", [value, _]) | ("expect_with_probability", [value, _, _]) | ("unpredictable", [value]) => {
                let value = self.cast(value, Ty::LONG, span);
                Some(self.after_values(&values[1..], value, span))
            }
            ("assume_aligned", [pointer, rest @ ..]) if self.is_pointer(pointer) => {
                Some(self.after_values(rest, pointer, span))
            }
            ("launder", [pointer]) if self.is_pointer(pointer) => Some(pointer),
            ("is_aligned" | "align_up" | "align_down", [value, to]) => self.alignment_function(name, value, to, span),
            ("prefetch", [pointer, ..]) if self.is_pointer(pointer) => Some(self.convert(pointer, Ty::VOID)),
            ("printf", [_, ..]) => self.opencl_call("printf", values, span),
            ("load_half" | "load_halff", [pointer]) => {
                let zero = self.int(0, self.program.types.size_t(), span);
                let loaded = self.opencl_call("vload_half", &[zero, pointer], span)?;
                Some(if name == "load_half" { self.convert(loaded, Ty::DOUBLE) } else { loaded })
            }
            ("store_half" | "store_halff", [value, pointer]) => {
                let value = self.passed(value, if name == "store_half" { Ty::DOUBLE } else { Ty::FLOAT });
                let zero = self.int(0, self.program.types.size_t(), span);
                self.opencl_call("vstore_half", &[value, zero, pointer], span)
            }
            ("nontemporal_store", [value, pointer]) => {
                let TyKind::Pointer(pointee) = self.kind(pointer.ty.ty) else { return None };
                let value = self.passed(value, pointee.ty);
                let place = self.make_lvalue(ExprKind::Deref(pointer), pointee, span);
                let store = self.make(ExprKind::Assign { place, value }, value.ty.ty, span);
                Some(self.convert(store, Ty::VOID))
            }
            ("isinf_sign" | "fpclassify" | "signbitf" | "signbitl", _) => self.classification(name, values, span),
            ("nontemporal_load", [pointer]) => {
                let TyKind::Pointer(pointee) = self.kind(pointer.ty.ty) else { return None };
                let place = self.make_lvalue(ExprKind::Deref(pointer), pointee, span);
                Some(self.lvalue_conversion(place))
            }
            ("inf" | "huge_val" | "infl" | "huge_vall", []) => {
                Some(self.make(ExprKind::Float(f64::INFINITY), Ty::DOUBLE, span))
            }
            ("inff" | "huge_valf", []) => Some(self.make(ExprKind::Float(f64::INFINITY), Ty::FLOAT, span)),
            ("inff16" | "huge_valf16", []) => Some(self.make(ExprKind::Float(f64::INFINITY), Ty::HALF, span)),
            ("flt_rounds", []) => Some(self.int(1, Ty::INT, span)),
            ("abs" | "labs" | "llabs", [value]) => {
                let ty = if name == "abs" { Ty::INT } else { Ty::LONG };
                let value = self.passed(value, ty);
                let result = self.opencl_call("abs", &[value], span)?;
                Some(self.convert(result, ty))
            }
            ("bswap16" | "bswap32" | "bswap64", [value]) => Some(self.swapped_bytes(name, value, span)),
            ("bitreverse8" | "bitreverse16" | "bitreverse32" | "bitreverse64", [value]) => {
                self.reversed_bits(name, value, span)
            }
            ("shufflevector", [vector, mask]) => self.opencl_call("shuffle", &[vector, mask], span),
            ("shufflevector", [first, second, lanes @ ..]) => self.shuffle(first, second, lanes, span),
            _ => self.memory_function(name, values, span),
        }
    }

    fn memory_function(&mut self, name: &str, values: &[ExprRef<'h>], span: Span) -> Option<ExprRef<'h>> {
        match (name, values) {
            ("memcpy" | "memmove" | "memcpy_inline", [to, from, count]) => {
                self.memory_copy(name, to, from, count, span)
            }
            ("mempcpy", [to, from, count]) => {
                let bytes = self.passed(count, self.program.types.size_t());
                let (declaration, bytes) = self.bind(bytes)?;
                let copied = self.memory_copy(name, to, from, bytes, span)?;
                let end = self.pointer_add(copied, bytes, false, span);
                Some(self.after(&[declaration], end, span))
            }
            ("memset", [to, byte, count]) => self.memory_fill(to, byte, count, span),
            ("bzero", [to, count]) => {
                let zero = self.int(0, Ty::INT, span);
                let filled = self.memory_fill(to, zero, count, span)?;
                Some(self.convert(filled, Ty::VOID))
            }
            ("memcmp" | "bcmp", [first, second, count]) => self.memory_comparison(first, second, count, span),
            ("strlen", [text]) => self.string_length(text, span),
            _ if name.starts_with("rotate") => self.rotation(name, values, span),
            _ => match name.strip_prefix("reduce_") {
                Some(operation) => self.reduction(operation, values, span),
                None => self.elementwise(name.strip_prefix("elementwise_")?, values, span),
            },
        }
    }

    /// `_Generic` (C11 6.5.1.1): the expression whose type is that of the controlling expression's value.
    pub(super) fn generic_selection(
        &mut self,
        control: &'a ast::Expr<'a>,
        associations: &'a [(Option<&'a ast::TypeName<'a>>, &'a ast::Expr<'a>)],
        span: Span,
    ) -> ExprRef<'h> {
        self.unevaluated += 1;
        let wanted = self.value(control).ty.ty;
        self.unevaluated -= 1;
        let mut seen: Vec<(Option<Ty>, Span)> = Vec::new();
        let (mut chosen, mut default) = (None, None);
        for (name, value) in associations {
            let place = name.map_or(value.span, |name| name.span);
            // A qualified type is no value's.
            let declared = name.map(|name| self.type_name(name));
            let ty = declared.map(|declared| if declared.quals.is_empty() { declared.ty } else { Ty::ERROR });
            if ty != Some(Ty::ERROR)
                && let Some((_, previous)) = seen.iter().find(|(old, _)| *old == ty)
            {
                let previous = *previous;
                let message = match ty {
                    Some(ty) => {
                        format!("type {} in generic association compatible with a previous one", self.quoted(ty))
                    }
                    None => "duplicate default generic association".into(),
                };
                self.error_with_note(place, message, previous, "previous association is here");
                return self.error_expr(span);
            }
            seen.push((ty, place));
            match ty {
                None => default = Some(*value),
                Some(ty) if ty == wanted => chosen = Some(*value),
                _ => {}
            }
        }
        let Some(chosen) = chosen.or(default) else {
            if wanted != Ty::ERROR {
                let message = format!(
                    "controlling expression type {} not compatible with any generic association type",
                    self.quoted(wanted)
                );
                self.error(control.span, message);
            }
            return self.error_expr(span);
        };
        for (_, other) in associations.iter().filter(|(_, other)| !std::ptr::eq(*other, chosen)) {
            self.unevaluated += 1;
            self.expr(other);
            self.unevaluated -= 1;
        }
        self.expr(chosen)
    }

    /// A value that is used more than once, put in a variable: its declaration and its value. `None` at file scope.
    pub(super) fn bind(&mut self, value: ExprRef<'h>) -> Option<(Stmt<'h>, ExprRef<'h>)> {
        if !self.in_function() {
            self.error(value.span, "initializer element is not a compile-time constant");
            return None;
        }
        let ty = QualTy::plain(value.ty.ty);
        let align = self.program.types.align_of(ty.ty);
        let variable = self.add_private_variable(self.names.empty(), ty, align, value.span);
        let init = Some(&*self.arena.alloc(Init::Value(value)));
        let place = self.make_lvalue(ExprKind::PrivateVariable(variable), ty, value.span);
        let declaration = Stmt { kind: StmtKind::Declare { variable, init }, span: value.span };
        Some((declaration, self.lvalue_conversion(place)))
    }

    /// A value after others, whose effects remain.
    fn after_values(&mut self, others: &[ExprRef<'h>], value: ExprRef<'h>, span: Span) -> ExprRef<'h> {
        let others: Vec<_> = others.iter().filter(|other| self.integer_constant(other).is_none()).collect();
        if others.is_empty() || !self.in_function() {
            return value;
        }
        let effects = others.into_iter().map(|other| Stmt { kind: StmtKind::Expr(self.discard(other)), span });
        let effects: Vec<_> = effects.collect();
        self.after(&effects, value, span)
    }

    /// A value after statements.
    pub(super) fn after(&mut self, statements: &[Stmt<'h>], value: ExprRef<'h>, span: Span) -> ExprRef<'h> {
        let body = self.arena.alloc_slice_copy(statements);
        self.make(ExprKind::StatementExpr { body, value: Some(value) }, value.ty.ty, span)
    }
}
