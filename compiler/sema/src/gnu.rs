//! The `__builtin_…` functions of GNU C and clang that programs use. They are functions of OpenCL C under another name,
//! or a few operations.

use super::{ExprRef, Sema};
use crate::builtins::{self, Resolution};
use crate::hir::{BinaryOp, Conversion, ExprKind, Init, IntKind, Lanes, QualTy, Scalar, Stmt, StmtKind, Ty, TyKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::narrow::to_u8;
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
            ("trap", []) => {
                self.warning(
                    WarningFlag::IgnoredBuiltins,
                    span,
                    "'__builtin_trap' has no effect: work-items cannot be stopped",
                );
                return Some(self.nothing(span));
            }
            _ => {}
        }
        let values: Vec<ExprRef<'h>> = arguments.iter().map(|argument| self.value(argument)).collect();
        if values.iter().any(|value| value.ty.ty == Ty::ERROR) {
            return Some(self.error_expr(span));
        }
        match gnu::family(name)? {
            Prefixed::Integer { function, long } => {
                let [value] = values[..] else { return None };
                self.bits_function(function, value, long, span)
            }
            Prefixed::Math { function, double } => {
                let ty = if double { Ty::DOUBLE } else { Ty::FLOAT };
                let mut values = values;
                for (index, value) in values.iter_mut().enumerate() {
                    let ty = if function == "ldexp" && index == 1 { Ty::INT } else { ty };
                    *value = self.passed(value, ty);
                }
                self.opencl_call(function, &values, span)
            }
            Prefixed::Class(function) => self.opencl_call(function, &values, span),
            Prefixed::Overflow { operation, operands } => self.overflow(operation, operands, &values, span),
            Prefixed::Plain => self.plain_function(name, &values, span),
        }
    }

    /// An argument as a parameter of that type takes it.
    fn passed(&mut self, value: ExprRef<'h>, ty: Ty) -> ExprRef<'h> {
        self.convert_for_assignment(value, ty, super::conversions::AssignmentAction::Passing(None))
    }

    /// An expression without value or effect.
    fn nothing(&mut self, span: Span) -> ExprRef<'h> {
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

    /// `clz` and similar.
    fn bits_function(&mut self, function: &str, value: ExprRef<'h>, long: bool, span: Span) -> Option<ExprRef<'h>> {
        let (ty, bits) = if long { (Ty::ULONG, 64) } else { (Ty::UINT, 32) };
        let value = self.passed(value, ty);
        let result = match function {
            "ctz" | "ffs" => {
                let (declaration, value) = self.bind(value)?;
                let zero = self.int(0, ty, span);
                let negated = self.make_binary(BinaryOp::Sub, zero, value, ty, span);
                let lowest = self.make_binary(BinaryOp::And, value, negated, ty, span);
                let leading = self.opencl_call("clz", &[lowest], span)?;
                let top = self.int(if function == "ctz" { bits - 1 } else { bits }, ty, span);
                let result = self.make_binary(BinaryOp::Sub, top, leading, ty, span);
                let result = self.convert(result, Ty::INT);
                return Some(self.after(&[declaration], result, span));
            }
            "parity" => {
                let count = self.opencl_call("popcount", &[value], span)?;
                let one = self.int(1, ty, span);
                self.make_binary(BinaryOp::And, count, one, ty, span)
            }
            _ => self.opencl_call(function, &[value], span)?,
        };
        Some(self.convert(result, Ty::INT))
    }

    fn plain_function(&mut self, name: &str, values: &[ExprRef<'h>], span: Span) -> Option<ExprRef<'h>> {
        match (name, values) {
            ("expect", [value, _]) | ("expect_with_probability", [value, _, _]) => {
                Some(self.cast(value, Ty::LONG, span))
            }
            ("assume_aligned", [pointer, ..]) if self.is_pointer(pointer) => Some(pointer),
            ("nontemporal_load", [pointer]) => {
                let TyKind::Pointer(pointee) = self.kind(pointer.ty.ty) else { return None };
                let place = self.make_lvalue(ExprKind::Deref(pointer), pointee, span);
                Some(self.lvalue_conversion(place))
            }
            ("inff" | "huge_valf", []) => Some(self.make(ExprKind::Float(f64::INFINITY), Ty::FLOAT, span)),
            ("inf" | "huge_val", []) => Some(self.make(ExprKind::Float(f64::INFINITY), Ty::DOUBLE, span)),
            ("nanf", [_]) => Some(self.make(ExprKind::Float(f64::NAN), Ty::FLOAT, span)),
            ("nan", [_]) => Some(self.make(ExprKind::Float(f64::NAN), Ty::DOUBLE, span)),
            ("abs" | "labs" | "llabs", [value]) => {
                let ty = if name == "abs" { Ty::INT } else { Ty::LONG };
                let value = self.passed(value, ty);
                let result = self.opencl_call("abs", &[value], span)?;
                Some(self.convert(result, ty))
            }
            ("bswap16" | "bswap32" | "bswap64", [value]) => Some(self.swapped_bytes(name, value, span)),
            ("shufflevector", [first, second, lanes @ ..]) => self.shuffle(first, second, lanes, span),
            ("memcpy" | "memmove", [to, from, count]) => self.memory_copy(name, to, from, count, span),
            ("memset", [to, byte, count]) => self.memory_fill(to, byte, count, span),
            _ if name.starts_with("rotate") => self.rotation(name, values, span),
            _ => self.elementwise(name.strip_prefix("elementwise_")?, values, span),
        }
    }

    fn swapped_bytes(&mut self, name: &str, value: ExprRef<'h>, span: Span) -> ExprRef<'h> {
        let (kind, bytes) = match name {
            "bswap16" => (IntKind::UShort, 2),
            "bswap32" => (IntKind::UInt, 4),
            _ => (IntKind::ULong, 8),
        };
        let ty = self.program.types.intern(TyKind::Int(kind));
        let vector = self.program.types.vector(Scalar::Int(IntKind::UChar), bytes);
        let value = self.passed(value, ty);
        let value = self.reinterpret(value, vector, span);
        let mut lanes = Lanes { count: bytes, lanes: [0; 16] };
        for (lane, from) in lanes.lanes.iter_mut().zip((0..bytes).rev()) {
            *lane = from;
        }
        let swapped = self.make(ExprKind::Swizzle(value, lanes), vector, span);
        self.reinterpret(swapped, ty, span)
    }

    fn rotation(&mut self, name: &str, values: &[ExprRef<'h>], span: Span) -> Option<ExprRef<'h>> {
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let kind = IntKind::of(digits.parse().ok()?, false);
        let ty = self.program.types.intern(TyKind::Int(kind));
        let [value, count] = values else { return None };
        let value = self.passed(value, ty);
        let mut count = self.passed(count, ty);
        if name.starts_with("rotateright") {
            let zero = self.int(0, ty, span);
            count = self.make_binary(BinaryOp::Sub, zero, count, ty, span);
        }
        self.opencl_call("rotate", &[value, count], span)
    }

    fn elementwise(&mut self, name: &str, values: &[ExprRef<'h>], span: Span) -> Option<ExprRef<'h>> {
        let ty = values.first()?.ty.ty;
        let (scalar, _) = self.program.types.lanes(ty)?;
        let is_float = matches!(scalar, Scalar::Float(_));
        let function = match name {
            "abs" if is_float => "fabs",
            "max" if is_float => "fmax",
            "min" if is_float => "fmin",
            "abs" | "max" | "min" => name,
            "ceil" | "floor" | "trunc" => name,
            _ => return None,
        };
        let result = self.opencl_call(function, values, span)?;
        Some(if name == "abs" { self.reinterpret(result, ty, span) } else { result })
    }

    /// `__builtin_shufflevector(a, b, lane, …)`: lanes of both vectors one after the other; -1 is any.
    fn shuffle(
        &mut self,
        first: ExprRef<'h>,
        second: ExprRef<'h>,
        lanes: &[ExprRef<'h>],
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let TyKind::Vector(scalar, width) = self.kind(first.ty.ty) else { return None };
        if second.ty.ty != first.ty.ty || !matches!(lanes.len(), 1 | 2 | 3 | 4 | 8 | 16) {
            return None;
        }
        let element = self.program.types.vector(scalar, 1);
        let result = self.program.types.vector(scalar, to_u8(lanes.len()));
        let (first_declared, first) = self.bind(first)?;
        let (second_declared, second) = self.bind(second)?;
        let mut parts = Vec::with_capacity(lanes.len());
        for lane in lanes {
            let (index, signed) = self.folded_integer(lane)?;
            let index = if signed && index.cast_signed() == -1 { 0 } else { u8::try_from(index).ok()? };
            let (vector, index) = if index < width { (first, index) } else { (second, index - width) };
            if index >= width {
                self.error(lane.span, "index for '__builtin_shufflevector' must be less than the number of lanes");
                return Some(self.error_expr(span));
            }
            let mut one = Lanes { count: 1, lanes: [0; 16] };
            one.lanes[0] = index;
            parts.push(self.make(ExprKind::Swizzle(vector, one), element, span));
        }
        let shuffled = match parts[..] {
            [only] => only,
            _ => self.make(ExprKind::VectorLiteral(self.arena.alloc_slice_copy(&parts)), result, span),
        };
        Some(self.after(&[first_declared, second_declared], shuffled, span))
    }

    /// `__builtin_convertvector(value, type)`
    pub(super) fn convert_vector(&mut self, value: ExprRef<'h>, ty: Ty, span: Span) -> ExprRef<'h> {
        if value.ty.ty == Ty::ERROR || ty == Ty::ERROR {
            return self.error_expr(span);
        }
        match (self.kind(value.ty.ty), self.kind(ty)) {
            (TyKind::Vector(_, from), TyKind::Vector(_, to)) if from == to => self.convert(value, ty),
            _ => {
                let (from, to) = (self.quoted(value.ty.ty), self.quoted(ty));
                self.error(span, format!("'__builtin_convertvector' cannot convert {from} to {to}"));
                self.error_expr(span)
            }
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

    /// A value after statements.
    pub(super) fn after(&mut self, statements: &[Stmt<'h>], value: ExprRef<'h>, span: Span) -> ExprRef<'h> {
        let body = self.arena.alloc_slice_copy(statements);
        self.make(ExprKind::StatementExpr { body, value: Some(value) }, value.ty.ty, span)
    }
}
