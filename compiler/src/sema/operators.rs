//! Unary and binary operators, assignment, increments, `?:` (6.3 of OpenCL C 1.2).

use super::conversions::{Purpose, is_place};
use super::fold;
use super::{E, Sema};
use crate::ast::{self, AddressSpace, Qualifiers};
use crate::hir::{BinaryOp, Conversion, ExprKind, IntKind, Scalar, Ty, TyKind, UnaryOp};
use crate::source::Span;
use smallvec::SmallVec;

/// How an operator treats its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    Arithmetic,
    /// `%`, `&`, `|`, `^`.
    Integer,
    Shift,
    Comparison,
    Logical,
}

fn classify(op: ast::BinaryOp) -> (Class, BinaryOp) {
    use ast::BinaryOp as A;
    match op {
        A::Mul => (Class::Arithmetic, BinaryOp::Mul),
        A::Div => (Class::Arithmetic, BinaryOp::Div),
        A::Add => (Class::Arithmetic, BinaryOp::Add),
        A::Sub => (Class::Arithmetic, BinaryOp::Sub),
        A::Rem => (Class::Integer, BinaryOp::Rem),
        A::BitAnd => (Class::Integer, BinaryOp::And),
        A::BitOr => (Class::Integer, BinaryOp::Or),
        A::BitXor => (Class::Integer, BinaryOp::Xor),
        A::Shl => (Class::Shift, BinaryOp::Shl),
        A::Shr => (Class::Shift, BinaryOp::Shr),
        A::Lt => (Class::Comparison, BinaryOp::Lt),
        A::Gt => (Class::Comparison, BinaryOp::Gt),
        A::Le => (Class::Comparison, BinaryOp::Le),
        A::Ge => (Class::Comparison, BinaryOp::Ge),
        A::Eq => (Class::Comparison, BinaryOp::Eq),
        A::Ne => (Class::Comparison, BinaryOp::Ne),
        A::LogicalAnd => (Class::Logical, BinaryOp::LogicalAnd),
        A::LogicalOr => (Class::Logical, BinaryOp::LogicalOr),
    }
}

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// A chain of binary operators: its left spine is walked in a loop, so that its length does not matter.
    pub(super) fn binary_spine(&mut self, e: &'a ast::Expr<'a>) -> E<'h> {
        let mut spine: SmallVec<[_; 4]> = SmallVec::new();
        let mut leftmost = e;
        while let ast::ExprKind::Binary { op, left, right, op_span } = leftmost.kind {
            spine.push((op, right, op_span, leftmost.span));
            leftmost = left;
        }
        let mut left = self.value(leftmost);
        let mut left_tree = Some(leftmost);
        let mut left_op = None;
        while let Some((op, right_tree, op_span, span)) = spine.pop() {
            let right = self.value(right_tree);
            self.precedence(op, left_op, right_tree, left.span, op_span);
            if let Some(left_tree) = left_tree.take() {
                self.self_comparison(op, left_tree, right_tree, left, op_span);
            }
            left_op = Some(op);
            left = self.binary(op, left, right, op_span, span);
        }
        left
    }

    fn binary(&mut self, op: ast::BinaryOp, left: E<'h>, right: E<'h>, op_span: Span, span: Span) -> E<'h> {
        if left.ty.ty == Ty::ERROR || right.ty.ty == Ty::ERROR {
            return self.error_expr(span);
        }
        let (class, hir_op) = classify(op);
        let pointers = self.is_pointer(left) || self.is_pointer(right);
        match class {
            Class::Logical => self.logical(hir_op, left, right, op_span, span),
            Class::Shift => self.shift(hir_op, left, right, op_span, span),
            Class::Comparison if pointers => self.compare_pointers(hir_op, left, right, op_span, span),
            Class::Arithmetic if pointers => self.pointer_arithmetic(hir_op, left, right, op_span, span),
            Class::Comparison => self.comparison(hir_op, left, right, op_span, span),
            Class::Arithmetic | Class::Integer => self.arithmetic(class, hir_op, left, right, op_span, span),
        }
    }

    pub(super) fn invalid_operands(&mut self, left: E<'h>, right: E<'h>, op_span: Span, span: Span) -> E<'h> {
        let (left, right) = (self.quoted(left.ty.ty), self.quoted(right.ty.ty));
        self.error(op_span, format!("invalid operands to binary expression ({left} and {right})"));
        self.error_expr(span)
    }

    fn arithmetic(
        &mut self,
        class: Class,
        op: BinaryOp,
        left: E<'h>,
        right: E<'h>,
        op_span: Span,
        span: Span,
    ) -> E<'h> {
        let (a, b, ty) = match self.usual_conversions(left, right, op_span) {
            Ok(converted) => converted,
            Err(true) => return self.error_expr(span),
            Err(false) => return self.invalid_operands(left, right, op_span, span),
        };
        if class == Class::Integer && !self.has_integer_lanes(ty) {
            return self.invalid_operands(left, right, op_span, span);
        }
        if matches!(op, BinaryOp::Div | BinaryOp::Rem) && matches!(b.kind, ExprKind::Int(0)) {
            let what = if op == BinaryOp::Div { "division" } else { "remainder" };
            self.warning(op_span, format!("{what} by zero is undefined"));
        }
        self.make_binary(op, a, b, ty, span)
    }

    /// Folds two literals; otherwise makes the node. `ty`: the result's type.
    pub(super) fn make_binary(&mut self, op: BinaryOp, left: E<'h>, right: E<'h>, ty: Ty, span: Span) -> E<'h> {
        if let (Some(a), Some(b)) = (self.literal(left), self.literal(right))
            && let Some((scalar, 1)) = self.program.types.lanes(left.ty.ty)
            && let Some(number) = fold::binary(op, scalar, a, b)
        {
            return self.make_number(number, ty, span);
        }
        self.make(ExprKind::Binary(op, left, right), ty, span)
    }

    fn has_integer_lanes(&self, ty: Ty) -> bool {
        matches!(self.program.types.lanes(ty), Some((Scalar::Int(_) | Scalar::Bool, _)))
    }

    /// Both operands of a shift, converted, and the result's type (6.3.j).
    fn shift_operands(&mut self, left: E<'h>, right: E<'h>, op_span: Span) -> Option<(E<'h>, E<'h>)> {
        let types = &self.program.types;
        let (Some((a, left_lanes)), Some((b, right_lanes))) = (types.lanes(left.ty.ty), types.lanes(right.ty.ty))
        else {
            self.invalid_operands(left, right, op_span, op_span);
            return None;
        };
        if matches!(a, Scalar::Float(_)) || matches!(b, Scalar::Float(_)) {
            self.invalid_operands(left, right, op_span, op_span);
            return None;
        }
        match (left_lanes, right_lanes) {
            (1, 1) => Some((self.promote(left), self.promote(right))),
            (1, _) => {
                let message = format!(
                    "requested shift is a vector of type {} but the first operand is not a vector ({})",
                    self.quoted(right.ty.ty),
                    self.quoted(left.ty.ty)
                );
                self.error(op_span, message);
                None
            }
            (_, 1) => {
                let right = self.promote(right);
                let splat = self.convert(right, left.ty.ty);
                Some((left, splat))
            }
            _ if left_lanes == right_lanes => Some((left, right)),
            _ => {
                let message = format!(
                    "vector operands do not have the same number of elements ({} and {})",
                    self.quoted(left.ty.ty),
                    self.quoted(right.ty.ty)
                );
                self.error(op_span, message);
                None
            }
        }
    }

    fn shift(&mut self, op: BinaryOp, left: E<'h>, right: E<'h>, op_span: Span, span: Span) -> E<'h> {
        match self.shift_operands(left, right, op_span) {
            Some((left, right)) => self.make_binary(op, left, right, left.ty.ty, span),
            None => self.error_expr(span),
        }
    }

    /// The signed integer type with as many lanes, as wide as the lanes (6.3.d).
    pub(super) fn truth_type(&mut self, ty: Ty) -> Ty {
        match self.program.types.lanes(ty) {
            Some((scalar, lanes)) if lanes > 1 => {
                let kind = IntKind::of(scalar.size() as u32 * 8, true);
                self.program.types.vector(Scalar::Int(kind), lanes)
            }
            _ => Ty::INT,
        }
    }

    fn comparison(&mut self, op: BinaryOp, left: E<'h>, right: E<'h>, op_span: Span, span: Span) -> E<'h> {
        match self.usual_conversions(left, right, op_span) {
            Ok((a, b, ty)) => {
                self.constant_comparison(op, left, right, op_span);
                let result = self.truth_type(ty);
                self.make_binary(op, a, b, result, span)
            }
            Err(true) => self.error_expr(span),
            Err(false) if left.ty.ty == right.ty.ty && self.is_opaque(left.ty.ty) => {
                self.make(ExprKind::Binary(op, left, right), Ty::INT, span)
            }
            Err(false) => self.invalid_operands(left, right, op_span, span),
        }
    }

    fn is_opaque(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::Event | TyKind::ClkEvent | TyKind::ReserveId | TyKind::Queue)
    }

    fn logical(&mut self, op: BinaryOp, left: E<'h>, right: E<'h>, op_span: Span, span: Span) -> E<'h> {
        let lanes = |e: E<'h>| self.program.types.lanes(e.ty.ty).map_or(0, |(_, lanes)| lanes);
        if lanes(left) > 1 || lanes(right) > 1 {
            let (a, b) = match self.usual_conversions(left, right, op_span) {
                Ok((a, b, _)) => (self.lane_truth(a), self.lane_truth(b)),
                Err(true) => return self.error_expr(span),
                Err(false) => return self.invalid_operands(left, right, op_span, span),
            };
            return self.make(ExprKind::Binary(op, a, b), a.ty.ty, span);
        }
        for operand in [left, right] {
            if lanes(operand) == 0 && !self.is_pointer(operand) {
                return self.invalid_operands(left, right, op_span, span);
            }
        }
        let (a, b) = (self.condition_value(left), self.condition_value(right));
        let and = op == BinaryOp::LogicalAnd;
        if let (ExprKind::Int(x), ExprKind::Int(y)) = (a.kind, b.kind) {
            let value = if and { x != 0 && y != 0 } else { x != 0 || y != 0 };
            return self.int(u64::from(value), Ty::INT, span);
        }
        self.make(ExprKind::Logical { and, left: a, right: b }, Ty::INT, span)
    }

    /// `v != 0` lane by lane: -1 where true.
    fn lane_truth(&mut self, e: E<'h>) -> E<'h> {
        let zero = self.int(0, Ty::INT, e.span);
        let zeros = self.convert(zero, e.ty.ty);
        let ty = self.truth_type(e.ty.ty);
        self.make(ExprKind::Binary(BinaryOp::Ne, e, zeros), ty, e.span)
    }

    /// `+ - ~ !`; the others are about pointers.
    pub(super) fn unary(&mut self, op: ast::UnaryOp, operand: &'a ast::Expr<'a>, span: Span) -> E<'h> {
        let hir_op = match op {
            ast::UnaryOp::AddressOf => return self.address_of(operand, span),
            ast::UnaryOp::Dereference => return self.dereference(operand, span),
            ast::UnaryOp::Real | ast::UnaryOp::Imag => {
                self.error(span, "complex numbers are not supported in OpenCL C");
                return self.error_expr(span);
            }
            ast::UnaryOp::Plus => None,
            ast::UnaryOp::Minus => Some(UnaryOp::Negate),
            ast::UnaryOp::BitNot => Some(UnaryOp::BitNot),
            ast::UnaryOp::LogicalNot => Some(UnaryOp::LogicalNot),
        };
        let value = self.value(operand);
        if value.ty.ty == Ty::ERROR {
            return self.error_expr(span);
        }
        let lanes = self.program.types.lanes(value.ty.ty);
        if hir_op == Some(UnaryOp::LogicalNot) {
            return self.logical_not(value, lanes.map(|(_, lanes)| lanes), span);
        }
        let Some((scalar, _)) = lanes else { return self.invalid_unary(value, span) };
        let value = self.promote(value);
        let Some(hir_op) = hir_op else { return self.arena.alloc(crate::hir::Expr { span, ..*value }) };
        if hir_op == UnaryOp::BitNot && matches!(scalar, Scalar::Float(_)) {
            return self.invalid_unary(value, span);
        }
        self.make_unary(hir_op, value, value.ty.ty, span)
    }

    fn invalid_unary(&mut self, value: E<'h>, span: Span) -> E<'h> {
        let text = self.quoted(value.ty.ty);
        self.error(span, format!("invalid argument type {text} to unary expression"));
        self.error_expr(span)
    }

    fn make_unary(&mut self, op: UnaryOp, value: E<'h>, ty: Ty, span: Span) -> E<'h> {
        if let Some(number) = self.literal(value)
            && let Some((scalar, 1)) = self.program.types.lanes(value.ty.ty)
            && let Some(folded) = fold::unary(op, scalar, number)
        {
            return self.make_number(folded, ty, span);
        }
        self.make(ExprKind::Unary(op, value), ty, span)
    }

    fn logical_not(&mut self, value: E<'h>, lanes: Option<u8>, span: Span) -> E<'h> {
        if lanes.is_some_and(|lanes| lanes > 1) {
            let ty = self.truth_type(value.ty.ty);
            return self.make(ExprKind::Unary(UnaryOp::LogicalNot, value), ty, span);
        }
        if lanes.is_none() && !self.is_pointer(value) {
            return self.invalid_unary(value, span);
        }
        let condition = self.condition_value(value);
        self.make_unary(UnaryOp::LogicalNot, condition, Ty::INT, span)
    }

    /// Whether `e` can be assigned; tells why not.
    pub(super) fn check_modifiable(&mut self, e: E<'h>, span: Span) -> bool {
        if e.ty.ty == Ty::ERROR {
            return false;
        }
        let message = if matches!(e.kind, ExprKind::Convert(..)) && self.is_written_cast(e.span) {
            "assignment to cast is illegal, lvalue casts are not supported".to_string()
        } else if !is_place(e) || is_temporary(e) {
            "expression is not assignable".to_string()
        } else if matches!(self.kind(e.ty.ty), TyKind::Array(..)) {
            format!("array type {} is not assignable", self.quoted(e.ty.ty))
        } else if e.ty.space == AddressSpace::Constant {
            "read-only variable is not assignable".to_string()
        } else if e.ty.quals.contains(Qualifiers::CONST) {
            let text = self.qual_text(crate::hir::QualTy { space: AddressSpace::Private, ..e.ty });
            match self.assigned_name(e) {
                Some((what, name)) => format!("cannot assign to {what} '{name}' with const-qualified type '{text}'"),
                None => "read-only variable is not assignable".to_string(),
            }
        } else if let Some(member) = self.const_member(e.ty.ty) {
            match self.assigned_name(e) {
                Some((what, name)) => {
                    format!("cannot assign to {what} '{name}' with const-qualified data member '{member}'")
                }
                None => format!("cannot assign to a value with const-qualified data member '{member}'"),
            }
        } else if let ExprKind::Lanes(_, lanes) = e.kind
            && has_duplicates(lanes.as_slice())
        {
            "vector is not assignable (contains duplicate components)".to_string()
        } else {
            return true;
        };
        self.error(span, message);
        false
    }

    /// What the place is, for messages about assigning to it.
    fn assigned_name(&self, e: E<'h>) -> Option<(&'static str, &str)> {
        match e.kind {
            ExprKind::Local(id) => Some(("variable", self.text(self.body.locals.get(id.0 as usize)?.name))),
            ExprKind::Global(id) => Some(("variable", self.text(self.program.globals.get(id.0 as usize)?.name))),
            ExprKind::Field(record, index) if !record.ty.quals.contains(Qualifiers::CONST) => {
                let TyKind::Record(id) = self.kind(record.ty.ty) else { return None };
                let field = self.program.types.record(id).fields.as_ref()?.get(index as usize)?;
                Some(("member", self.text(field.name?)))
            }
            _ => None,
        }
    }

    /// The name of a `const` member somewhere in a record.
    fn const_member(&self, ty: Ty) -> Option<String> {
        let TyKind::Record(id) = self.kind(ty) else { return None };
        let fields = self.program.types.record(id).fields.as_ref()?;
        fields.iter().find_map(|field| {
            let mut inner = field.ty;
            while let TyKind::Array(element, _) = self.kind(inner.ty) {
                inner = element;
            }
            match inner.quals.contains(Qualifiers::CONST) {
                true => Some(field.name.map_or(String::new(), |name| self.text(name).to_string())),
                false => self.const_member(inner.ty),
            }
        })
    }

    /// Whether an expression's text begins with a parenthesis and ends without one: `(float)x`.
    fn is_written_cast(&self, span: Span) -> bool {
        let is = |index: u32, punct| {
            let token = self.table.tokens.get(index as usize);
            token.is_some_and(|token| token.kind == crate::source::TokenKind::Punct(punct))
        };
        is(span.lo, crate::source::Punct::LParen) && !is(span.hi.saturating_sub(1), crate::source::Punct::RParen)
    }

    /// `=` and `op=`.
    pub(super) fn assign(
        &mut self,
        op: Option<ast::BinaryOp>,
        left: &'a ast::Expr<'a>,
        right: &'a ast::Expr<'a>,
        op_span: Span,
        span: Span,
    ) -> E<'h> {
        let place = self.expr(left);
        let value = self.value(right);
        if place.ty.ty == Ty::ERROR || value.ty.ty == Ty::ERROR || !self.check_modifiable(place, op_span) {
            return self.error_expr(span);
        }
        let ty = place.ty.ty;
        if matches!(self.kind(ty), TyKind::Image(..) | TyKind::Sampler | TyKind::Pipe(..)) {
            return self.invalid_operands(place, value, op_span, span);
        }
        if op.is_none() && [ty, value.ty.ty].iter().any(|ty| matches!(self.kind(*ty), TyKind::Atomic(_))) {
            let diagnostic = self.error_at(op_span, "atomic objects cannot be operands of an assignment");
            self.push(diagnostic.with_help("use 'atomic_store', 'atomic_load' or 'atomic_init'"));
            return self.error_expr(span);
        }
        self.self_assignment(op, left, right, op_span, ty);
        match op {
            None => {
                let value = self.assign_convert(value, ty, Purpose::Assigning);
                if value.ty.ty == Ty::ERROR {
                    return self.error_expr(span);
                }
                self.make(ExprKind::Assign { place, value }, ty, span)
            }
            Some(op) => self.compound_assign(op, place, value, op_span, span),
        }
    }

    fn compound_assign(&mut self, op: ast::BinaryOp, place: E<'h>, value: E<'h>, op_span: Span, span: Span) -> E<'h> {
        let ty = place.ty.ty;
        let (class, op) = classify(op);
        if self.is_pointer(place) {
            if !matches!(op, BinaryOp::Add | BinaryOp::Sub) {
                return self.invalid_operands(place, value, op_span, span);
            }
            let Some(index) = self.index_value(value) else {
                return self.invalid_operands(place, value, op_span, span);
            };
            if !self.check_pointee_complete(ty, op_span) {
                return self.error_expr(span);
            }
            let negative = op == BinaryOp::Sub;
            return self.make(ExprKind::PointerAssignAdd { place, index, negative }, ty, span);
        }
        // A stand-in for the place's value, to find the types; the place itself is read once, by the operation.
        let current = self.make(ExprKind::Load(place), ty, place.span);
        if class == Class::Shift {
            let Some((left, right)) = self.shift_operands(current, value, op_span) else {
                return self.error_expr(span);
            };
            let computation = left.ty.ty;
            return self.make(ExprKind::CompoundAssign { place, op, value: right, computation }, ty, span);
        }
        let written = value;
        let (_, value, computation) = match self.usual_conversions(current, value, op_span) {
            Ok(converted) => converted,
            Err(true) => return self.error_expr(span),
            Err(false) => return self.invalid_operands(current, written, op_span, span),
        };
        if class == Class::Integer && !self.has_integer_lanes(computation) {
            return self.invalid_operands(current, written, op_span, span);
        }
        let types = &self.program.types;
        if types.lanes(computation).map(|l| l.1) != types.lanes(ty).map(|l| l.1) {
            let message =
                format!("assigning to {} from incompatible type {}", self.quoted(ty), self.quoted(computation));
            self.error(op_span, message);
            return self.error_expr(span);
        }
        self.make(ExprKind::CompoundAssign { place, op, value, computation }, ty, span)
    }

    /// `++` and `--`.
    pub(super) fn increment(
        &mut self,
        operand: &'a ast::Expr<'a>,
        decrement: bool,
        postfix: bool,
        span: Span,
    ) -> E<'h> {
        let place = self.expr(operand);
        if !self.check_modifiable(place, span) {
            return self.error_expr(span);
        }
        let ty = place.ty.ty;
        let float_vector = matches!(self.kind(ty), TyKind::Vector(Scalar::Float(_), _));
        if float_vector || (self.program.types.lanes(ty).is_none() && !self.is_pointer(place)) {
            let verb = if decrement { "decrement" } else { "increment" };
            let text = self.quoted(ty);
            self.error(span, format!("cannot {verb} value of type {text}"));
            return self.error_expr(span);
        }
        if self.is_pointer(place) && !self.check_pointee_complete(ty, span) {
            return self.error_expr(span);
        }
        self.make(ExprKind::Increment { place, decrement, postfix }, ty, span)
    }

    /// `c ? a : b` and GNU's `a ?: b`.
    pub(super) fn conditional(
        &mut self,
        condition: &'a ast::Expr<'a>,
        then: Option<&'a ast::Expr<'a>>,
        otherwise: &'a ast::Expr<'a>,
        span: Span,
    ) -> E<'h> {
        let condition = self.value(condition);
        let Some(then) = then else {
            return self.conditional_without_middle(condition, otherwise, span);
        };
        let then = self.value(then);
        let otherwise = self.value(otherwise);
        self.conditional_values(condition, then, otherwise, span)
    }

    /// GNU's `a ?: b`: `a` is evaluated once.
    fn conditional_without_middle(&mut self, condition: E<'h>, otherwise: &'a ast::Expr<'a>, span: Span) -> E<'h> {
        let plain = matches!(condition.kind, ExprKind::Int(_) | ExprKind::Float(_));
        if plain || condition.ty.ty == Ty::ERROR || condition.ty.ty == Ty::VOID {
            let otherwise = self.value(otherwise);
            return self.conditional_values(condition, condition, otherwise, span);
        }
        let Some((declaration, condition)) = self.bind(condition) else { return self.error_expr(span) };
        let otherwise = self.value(otherwise);
        let value = self.conditional_values(condition, condition, otherwise, span);
        self.after(&[declaration], value, span)
    }

    fn conditional_values(&mut self, condition: E<'h>, then: E<'h>, otherwise: E<'h>, span: Span) -> E<'h> {
        if [condition, then, otherwise].iter().any(|e| e.ty.ty == Ty::ERROR) {
            return self.error_expr(span);
        }
        if matches!(self.kind(then.ty.ty), TyKind::Block(_)) || matches!(self.kind(otherwise.ty.ty), TyKind::Block(_)) {
            self.error(span, "block type cannot be used as expression in ternary expression in OpenCL");
            return self.error_expr(span);
        }
        if let Some((scalar, lanes)) = self.program.types.lanes(condition.ty.ty)
            && lanes > 1
        {
            return self.vector_conditional(condition, scalar, lanes, then, otherwise, span);
        }
        if matches!(self.kind(condition.ty.ty), TyKind::Float(_)) {
            // 6.3.i: "which can be a scalar or vector result except float"
            let text = self.quoted(condition.ty.ty);
            let diagnostic = self
                .error_at(condition.span, format!("used type {text} where floating point type is not allowed"))
                .with_help("compare it with zero: 'x != 0'");
            self.push(diagnostic);
            return self.error_expr(span);
        }
        if matches!(self.kind(condition.ty.ty), TyKind::Record(_)) {
            let text = self.quoted(condition.ty.ty);
            self.error(condition.span, format!("used type {text} where arithmetic or pointer type is required"));
            return self.error_expr(span);
        }
        let condition = self.condition_value(condition);
        let Some((then, otherwise)) = self.conditional_sides(then, otherwise, span) else {
            return self.error_expr(span);
        };
        match condition.kind {
            ExprKind::Int(value) if then.ty.ty != Ty::VOID => {
                if value != 0 {
                    then
                } else {
                    otherwise
                }
            }
            _ => self.make(ExprKind::Conditional { condition, then, otherwise }, then.ty.ty, span),
        }
    }

    /// Both sides brought to one type (C99 6.5.15); tells where there is none.
    fn conditional_sides(&mut self, then: E<'h>, otherwise: E<'h>, span: Span) -> Option<(E<'h>, E<'h>)> {
        let is_handle = |kind: TyKind| matches!(kind, TyKind::Image(..) | TyKind::Sampler | TyKind::Pipe(..));
        if is_handle(self.kind(then.ty.ty)) || is_handle(self.kind(otherwise.ty.ty)) {
            // They are what the kernel's arguments are, not values (6.12.b, 6.12.c).
            let (then, otherwise) = (self.quoted(then.ty.ty), self.quoted(otherwise.ty.ty));
            self.error(span, format!("incompatible operand types ({then} and {otherwise})"));
            return None;
        }
        if then.ty.ty == otherwise.ty.ty && self.program.types.lanes(then.ty.ty).is_none_or(|(_, lanes)| lanes > 1) {
            return Some((then, otherwise));
        }
        if self.is_pointer(then) || self.is_pointer(otherwise) {
            return self.conditional_pointers(then, otherwise, span);
        }
        if then.ty.ty == Ty::VOID || otherwise.ty.ty == Ty::VOID {
            return Some((self.convert(then, Ty::VOID), self.convert(otherwise, Ty::VOID)));
        }
        match self.usual_conversions(then, otherwise, span) {
            Ok((then, otherwise, _)) => Some((then, otherwise)),
            Err(true) => None,
            Err(false) => {
                let message = format!(
                    "incompatible operand types ({} and {})",
                    self.quoted(then.ty.ty),
                    self.quoted(otherwise.ty.ty)
                );
                self.error(span, message);
                None
            }
        }
    }

    /// 6.3.i: lanes chosen by the condition's lanes.
    fn vector_conditional(
        &mut self,
        condition: E<'h>,
        scalar: Scalar,
        lanes: u8,
        then: E<'h>,
        otherwise: E<'h>,
        span: Span,
    ) -> E<'h> {
        if matches!(scalar, Scalar::Float(_)) {
            let text = self.quoted(condition.ty.ty);
            self.error(condition.span, format!("used type {text} where floating point type is not allowed"));
            return self.error_expr(span);
        }
        let (then, otherwise, ty) = match self.usual_conversions(then, otherwise, span) {
            Ok(converted) => converted,
            Err(true) => return self.error_expr(span),
            Err(false) => {
                let (then, otherwise) = (self.quoted(then.ty.ty), self.quoted(otherwise.ty.ty));
                self.error(span, format!("incompatible operand types ({then} and {otherwise})"));
                return self.error_expr(span);
            }
        };
        let Some((element, result_lanes)) = self.program.types.lanes(ty) else { return self.error_expr(span) };
        let what = if element.size() != scalar.size() {
            Some("vector condition type and result type do not have elements of the same size")
        } else if result_lanes != 1 && result_lanes != lanes {
            Some("vector condition type and result type do not have the same number of elements")
        } else {
            None
        };
        if let Some(what) = what {
            let message = format!("{what} ({} and {})", self.quoted(condition.ty.ty), self.quoted(ty));
            self.error(span, message);
            return self.error_expr(span);
        }
        let ty = self.program.types.vector(element, lanes);
        let (then, otherwise) = (self.convert(then, ty), self.convert(otherwise, ty));
        self.make(ExprKind::Select { condition, then, otherwise }, ty, span)
    }

    /// An expression statement's or comma operand's value is dropped.
    pub(super) fn discard(&mut self, e: E<'h>) -> E<'h> {
        if e.ty.ty == Ty::ERROR || (is_place(e) && e.ty.quals.contains(Qualifiers::VOLATILE)) {
            return if is_place(e) { self.decay(e) } else { e };
        }
        if is_place(e) {
            // Reading an ordinary place has no effect; its operands may have.
            let value = if self.kind(e.ty.ty) == TyKind::Void { return self.discard_void(e) } else { self.decay(e) };
            return self.make(ExprKind::Convert(Conversion::Discard, value), Ty::VOID, e.span);
        }
        e
    }

    fn discard_void(&mut self, e: E<'h>) -> E<'h> {
        match e.kind {
            ExprKind::Deref(pointer) => self.convert(pointer, Ty::VOID),
            _ => self.error_expr(e.span),
        }
    }
}

/// Whether the place is part of a value put in a temporary.
fn is_temporary(mut e: E<'_>) -> bool {
    loop {
        match e.kind {
            ExprKind::Temporary(_) => return true,
            ExprKind::Field(base, _) | ExprKind::Lanes(base, _) | ExprKind::Lane(base, _) => e = base,
            _ => return false,
        }
    }
}

fn has_duplicates(lanes: &[u8]) -> bool {
    let mut seen = 0u32;
    lanes.iter().any(|lane| {
        let bit = 1u32 << (lane & 31);
        let again = seen & bit != 0;
        seen |= bit;
        again
    })
}
