//! Lowers unary and binary operators, conditions and `++`.
//!
//! Floating-point contraction is decided here. Where `FP_CONTRACT` is on (the default), a sum with an operand that is
//! written as a product becomes the intrinsic `mad`, which may be rounded once or twice: `Fma` of GLSL.std.450 without
//! further decoration, `mad` of OpenCL.std. All other sums and products are `NoContraction`, and kernels for OpenCL are
//! `ContractionOff`, so that no consumer fuses or reassociates more than the source allows;
//! `-cl-unsafe-math-optimizations` lifts that. `fma` is an instruction on the types of
//! `DeviceFacts::fused_multiply_add`, which the runtime finds by a probe, since Vulkan has no query for it.

use super::checks;
use super::context::FunctionLowering;
use super::types::{element_size, is_signed, lanes};
use clforge_basic::options::Sanitizers;
use clforge_ir::{self as ir, CheckOp, CompareOp, ConvertOp, Intrinsic, Op, ScalarType, Space, Type, Value, Values};
use clforge_sema::hir::{BinaryOp, Conversion, Expr, ExprKind, Scalar, Ty, TyKind, UnaryOp};
use smallvec::SmallVec;

pub(super) fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge)
}

/// Whether the expression is a multiplication itself, in parentheses or not.
fn is_product(e: &Expr<'_>) -> bool {
    matches!(e.kind, ExprKind::Binary(BinaryOp::Mul, ..))
}

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    /// Binary operators and arithmetic conversions. Chains that lean to the left are long in generated code: they are
    /// walked, not recursed into.
    pub fn chain(&mut self, e: &'h Expr<'h>) -> Value {
        let mut spine: SmallVec<[&'h Expr<'h>; 8]> = SmallVec::new();
        let mut leaf = e;
        loop {
            leaf = match leaf.kind {
                ExprKind::Binary(_, left, _) => {
                    spine.push(leaf);
                    left
                }
                ExprKind::Convert(Conversion::Arithmetic, operand) if leaf.ty.ty != Ty::BOOL => {
                    spine.push(leaf);
                    operand
                }
                _ => break,
            };
        }
        let mut value = if leaf.ty.ty == Ty::BOOL { self.condition(leaf) } else { self.value(leaf) };
        let mut ty = leaf.ty.ty;
        for step in spine.into_iter().rev() {
            match step.kind {
                ExprKind::Binary(op, left, right) => {
                    let right_value = self.value(right);
                    self.b.span = step.span;
                    let products = (is_product(left), is_product(right));
                    value = match self.multiply_add(op, (value, right_value), products) {
                        Some(sum) => sum,
                        None => self.binary(op, value, right_value, (ty, right.ty.ty), step.ty.ty),
                    };
                }
                _ => value = self.arithmetic_conversion(value, ty, step.ty.ty),
            }
            ty = step.ty.ty;
        }
        value
    }

    /// An operator on values; `from` are the operands' types, `to` the result's.
    pub fn binary(&mut self, op: BinaryOp, a: Value, b: Value, from: (Ty, Ty), to: Ty) -> Value {
        if is_comparison(op) {
            let result = self.compare(op, a, b, from.0);
            return self.truth_value(result, to);
        }
        if let Some(value) = self.matrix_binary(op, a, b, from.0) {
            return value;
        }
        let Some((scalar, count)) = lanes(self.types, from.0) else {
            self.internal("an operator on operands that are not numbers");
            return a;
        };
        if scalar == Scalar::Bool && !matches!(op, BinaryOp::And | BinaryOp::Or | BinaryOp::Xor) {
            self.internal("arithmetic on 'bool'");
            return a;
        }
        let b = if self.b.ty(b).lanes == 1 { self.b.splat(b, count) } else { b };
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        if is_shift && checks::looks_for(self.m.options, Sanitizers::SHIFT) {
            let width = self.b.ty(a).scalar.bits();
            checks::shift(&mut self.b, b, width);
        }
        let b = if is_shift { self.shift_count(b, self.b.ty(a)) } else { b };
        let op = arithmetic_op(op, scalar);
        let value = self.b.binary(op, a, b);
        self.check_binary(op, is_signed(scalar), [a, b], value);
        value
    }

    /// Has sanitizers look at an operation.
    fn check_binary(&mut self, op: ir::BinaryOp, is_signed: bool, operands: [Value; 2], result: Value) {
        let check = match op {
            ir::BinaryOp::FAdd => CheckOp::FiniteSum,
            ir::BinaryOp::FSub => CheckOp::FiniteDifference,
            ir::BinaryOp::FMul => CheckOp::FiniteProduct,
            ir::BinaryOp::FDiv => CheckOp::FiniteQuotient,
            _ if is_signed && checks::looks_for(self.m.options, Sanitizers::OVERFLOW) => {
                return checks::signed(&mut self.b, op, operands, result);
            }
            _ => return,
        };
        if checks::looks_for(self.m.options, Sanitizers::FLOAT) {
            checks::finite(&mut self.b, check, &operands, operands[0], result, false);
        }
    }

    /// A sum or difference with a product, as one operation that the target may fuse, where `FP_CONTRACT` allows that.
    /// `products`: which operands are written as products.
    fn multiply_add(&mut self, op: BinaryOp, (a, b): (Value, Value), products: (bool, bool)) -> Option<Value> {
        let ty = self.b.ty(a);
        let is_sum = matches!(op, BinaryOp::Add | BinaryOp::Sub) && (products.0 || products.1);
        let is_fusible = match ty.scalar {
            ScalarType::F32 | ScalarType::F64 => true,
            ScalarType::F16 => self.m.options.contracts_halves(),
            _ => false,
        } && self.b.ty(b) == ty;
        if !(is_sum && is_fusible && self.m.program.contraction.is_allowed(self.b.span.lo)) {
            return None;
        }
        // A product of constants has become a constant, and is none of these.
        let factors = |value: Value| match self.b.function.op(value) {
            Some(Op::Binary { op: ir::BinaryOp::FMul, lhs, rhs }) => Some((*lhs, *rhs)),
            _ => None,
        };
        // The multiplication that is left without a use is removed as dead.
        let (left, right) = (products.0.then(|| factors(a)).flatten(), products.1.then(|| factors(b)).flatten());
        let ((x, y), addend) = match (left, right) {
            (Some(factors), _) if op == BinaryOp::Sub => (factors, self.b.unary(ir::UnaryOp::FNeg, b)),
            (Some(factors), _) => (factors, b),
            (None, Some((x, y))) if op == BinaryOp::Sub => ((self.b.unary(ir::UnaryOp::FNeg, x), y), a),
            (None, Some(factors)) => (factors, a),
            (None, None) => return None,
        };
        let sum = self.b.intrinsic(Intrinsic::Mad, &[x, y, addend], ty);
        if checks::looks_for(self.m.options, Sanitizers::FLOAT) {
            let check = if op == BinaryOp::Sub { CheckOp::FiniteDifference } else { CheckOp::FiniteSum };
            checks::finite(&mut self.b, check, &[x, y, addend], a, sum, false);
        }
        Some(sum)
    }

    /// A shift count modulo the width of what is shifted.
    fn shift_count(&mut self, count: Value, ty: Type) -> Value {
        let count = self.b.resize(count, ty.scalar, false);
        let mask = i64::from(ty.scalar.bits()) - 1;
        if let Some(known) = self.b.function.as_int(count) {
            return self.b.int(ty, known.cast_signed() & mask);
        }
        let mask = self.b.int(ty, mask);
        self.b.binary(ir::BinaryOp::And, count, mask)
    }

    /// A comparison as `bool`, lane by lane.
    pub fn compare(&mut self, op: BinaryOp, a: Value, b: Value, ty: Ty) -> Value {
        let (mut a, mut b) = (a, b);
        if self.b.ty(a) != self.b.ty(b) && self.b.ty(a).space().is_some() {
            let generic = self.b.ty(a).in_space(Space::Generic);
            a = self.cast_pointer(a, generic);
            b = self.cast_pointer(b, generic);
        }
        if self.b.ty(a).scalar == ScalarType::Bool && !matches!(op, BinaryOp::Eq | BinaryOp::Ne) {
            let ty = self.b.ty(a).with_scalar(ScalarType::I32);
            a = self.b.convert(ConvertOp::ZExt, a, ty);
            b = self.b.convert(ConvertOp::ZExt, b, ty);
        }
        let scalar = lanes(self.types, ty).map(|(scalar, _)| scalar);
        let float = matches!(scalar, Some(Scalar::Float(_)));
        let signed = scalar.is_some_and(is_signed);
        let op = match op {
            BinaryOp::Eq if float => CompareOp::FEq,
            BinaryOp::Eq => CompareOp::Eq,
            BinaryOp::Lt if float => CompareOp::FLt,
            BinaryOp::Lt if signed => CompareOp::SLt,
            BinaryOp::Lt => CompareOp::ULt,
            BinaryOp::Le if float => CompareOp::FLe,
            BinaryOp::Le if signed => CompareOp::SLe,
            BinaryOp::Le => CompareOp::ULe,
            BinaryOp::Gt if float => CompareOp::FGt,
            BinaryOp::Gt if signed => CompareOp::SGt,
            BinaryOp::Gt => CompareOp::UGt,
            BinaryOp::Ge if float => CompareOp::FGe,
            BinaryOp::Ge if signed => CompareOp::SGe,
            BinaryOp::Ge => CompareOp::UGe,
            _ if float => CompareOp::FNe,
            _ => CompareOp::Ne,
        };
        self.b.compare(op, a, b)
    }

    /// A truth value as the language has it: 1 in scalars, -1 in the lanes of vectors.
    pub fn truth_value(&mut self, value: Value, to: Ty) -> Value {
        let ty = self.value_type(to);
        if ty.scalar == ScalarType::Bool {
            return value;
        }
        let op = if ty.is_vector() { ConvertOp::SExt } else { ConvertOp::ZExt };
        self.b.convert(op, value, ty)
    }

    pub fn unary(&mut self, op: UnaryOp, e: &'h Expr<'h>, operand: &'h Expr<'h>) -> Value {
        if op == UnaryOp::LogicalNot {
            let truth = self.truth(operand);
            let not = self.b.unary(ir::UnaryOp::Not, truth);
            return self.truth_value(not, e.ty.ty);
        }
        let value = self.value(operand);
        if let Some(negated) = self.matrix_negation(value, e.ty.ty) {
            return negated;
        }
        let negates_signed = op == UnaryOp::Negate && self.is_signed(e.ty.ty);
        if negates_signed && checks::looks_for(self.m.options, Sanitizers::OVERFLOW) {
            checks::negation(&mut self.b, value);
        }
        let op = match op {
            UnaryOp::Negate if self.b.ty(value).scalar.is_float() => ir::UnaryOp::FNeg,
            UnaryOp::Negate => ir::UnaryOp::Neg,
            _ => ir::UnaryOp::Not,
        };
        self.b.unary(op, value)
    }

    /// A `bool` expression as a value of type `bool`.
    pub fn condition(&mut self, e: &'h Expr<'h>) -> Value {
        self.truth(e)
    }

    /// Whether an expression is not 0 (lane by lane), without making the 0 or 1 on the way.
    pub fn truth(&mut self, e: &'h Expr<'h>) -> Value {
        let mut e = e;
        let mut negate = false;
        loop {
            match e.kind {
                ExprKind::Convert(Conversion::Arithmetic, operand) if self.keeps_truth(e.ty.ty, operand.ty.ty) => {
                    e = operand;
                }
                ExprKind::Unary(UnaryOp::LogicalNot, operand) => {
                    negate = !negate;
                    e = operand;
                }
                _ => break,
            }
        }
        let value = match e.kind {
            ExprKind::Binary(op, left, right) if is_comparison(op) => {
                let (a, b) = (self.value(left), self.value(right));
                self.b.span = e.span;
                self.compare(op, a, b, left.ty.ty)
            }
            ExprKind::Logical { .. } => self.logical(e),
            ExprKind::Int(value) => self.b.int(Type::BOOL, i64::from(value != 0)),
            ExprKind::Convert(Conversion::Arithmetic, operand) if e.ty.ty == Ty::BOOL => {
                let value = self.value(operand);
                self.is_not_zero(value)
            }
            _ => {
                let value = self.value(e);
                self.is_not_zero(value)
            }
        };
        if negate { self.b.unary(ir::UnaryOp::Not, value) } else { value }
    }

    /// Whether converting changes nothing about being 0.
    fn keeps_truth(&self, to: Ty, from: Ty) -> bool {
        match (lanes(self.types, to), lanes(self.types, from)) {
            (Some((Scalar::Bool, 1)), Some((_, 1))) => true,
            (Some((Scalar::Int(to), 1)), Some((Scalar::Int(from), 1))) => to.bits() >= from.bits(),
            (Some((Scalar::Int(_) | Scalar::Float(_), 1)), Some((Scalar::Bool, 1))) => true,
            _ => false,
        }
    }

    /// `&&` and `||` as `bool`; a chain that leans to the left is walked.
    pub fn logical(&mut self, e: &'h Expr<'h>) -> Value {
        let mut spine: SmallVec<[(bool, &'h Expr<'h>); 8]> = SmallVec::new();
        let mut leaf = e;
        loop {
            leaf = match leaf.kind {
                ExprKind::Logical { and, left, right } => {
                    spine.push((and, right));
                    left
                }
                ExprKind::Convert(Conversion::Arithmetic, operand)
                    if matches!(operand.kind, ExprKind::Logical { .. }) =>
                {
                    operand
                }
                _ => break,
            };
        }
        let mut value = self.truth(leaf);
        for (and, right) in spine.into_iter().rev() {
            if self.is_cheap(right, &mut 8) {
                let right = self.truth(right);
                value = self.b.binary(if and { ir::BinaryOp::And } else { ir::BinaryOp::Or }, value, right);
                continue;
            }
            let evaluate = self.region(|this| {
                let right = this.truth(right);
                this.b.effect(Op::Yield(Values::from_slice(&[right])));
            });
            let skip = self.region(|this| {
                let known = this.b.int(Type::BOOL, i64::from(!and));
                this.b.effect(Op::Yield(Values::from_slice(&[known])));
            });
            let (then, otherwise) = if and { (evaluate, skip) } else { (skip, evaluate) };
            value = self.b.push(Op::If { condition: value, then, otherwise }, &[Type::BOOL])[0];
        }
        value
    }

    /// Whether evaluating it always, not only when needed, costs less than a branch and does nothing.
    pub fn is_cheap(&self, e: &'h Expr<'h>, budget: &mut u32) -> bool {
        let Some(left) = budget.checked_sub(1) else { return false };
        *budget = left;
        // What is executed without need must not be reported.
        let is_checked = match e.kind {
            ExprKind::Unary(op, _) => op == UnaryOp::Negate,
            ExprKind::Convert(Conversion::Arithmetic, _) => true,
            ExprKind::Binary(op, ..) => !is_comparison(op),
            _ => false,
        };
        if is_checked && checks::of_operations(self.m.options) {
            return false;
        }
        match e.kind {
            ExprKind::Int(_) | ExprKind::Float(_) => true,
            ExprKind::Load(place) => self.is_variable(place),
            ExprKind::Unary(_, a) | ExprKind::Swizzle(a, _) => self.is_cheap(a, budget),
            ExprKind::Convert(Conversion::Discard, _) => false,
            ExprKind::Convert(_, a) => self.is_cheap(a, budget),
            ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, ..) => false,
            ExprKind::Binary(_, a, b) | ExprKind::Logical { left: a, right: b, .. } => {
                self.is_cheap(a, budget) && self.is_cheap(b, budget)
            }
            _ => false,
        }
    }

    /// A scalar or vector variable, or part of one, that is read without side effect.
    fn is_variable(&self, place: &Expr<'h>) -> bool {
        let mut place = place;
        loop {
            if place.ty.quals.contains(clforge_syntax::ast::Qualifiers::VOLATILE) {
                return false;
            }
            match place.kind {
                ExprKind::PrivateVariable(_) => return !matches!(self.types.kind(place.ty.ty), TyKind::Array(..)),
                ExprKind::Field(base, _) | ExprKind::Lanes(base, _) => place = base,
                _ => return false,
            }
        }
    }

    /// A vector condition as `bool` lanes: the sign bits.
    pub fn lane_condition(&mut self, e: &'h Expr<'h>) -> Value {
        if let ExprKind::Binary(op, left, right) = e.kind
            && is_comparison(op)
        {
            let (a, b) = (self.value(left), self.value(right));
            return self.compare(op, a, b, left.ty.ty);
        }
        let value = self.value(e);
        let ty = self.b.ty(value);
        if ty.scalar == ScalarType::Bool {
            return value;
        }
        let zero = self.b.int(ty, 0);
        self.b.compare(CompareOp::SLt, value, zero)
    }

    pub fn pointer_difference(&mut self, e: &'h Expr<'h>, left: &'h Expr<'h>, right: &'h Expr<'h>) -> Value {
        let (a, b) = (self.value(left), self.value(right));
        let word = Type::scalar(ScalarType::int(8 * self.types.address_bits.bytes()));
        // The low bits of 64, since an address of 32 bits may be packed, with fewer bits of the offset.
        let [a, b] = [a, b].map(|pointer| {
            let bits = self.b.convert(ConvertOp::PtrToInt, pointer, Type::I64);
            self.b.resize(bits, word.scalar, false)
        });
        let bytes = self.b.binary(ir::BinaryOp::Sub, a, b);
        let size = element_size(self.types, left.ty.ty).max(1);
        let elements = if size.is_power_of_two() {
            let shift = self.b.int(word, i64::from(size.trailing_zeros()));
            if size == 1 { bytes } else { self.b.binary(ir::BinaryOp::AShr, bytes, shift) }
        } else {
            let size = self.b.int(word, size.cast_signed());
            self.b.binary(ir::BinaryOp::SDiv, bytes, size)
        };
        let ty = self.value_type(e.ty.ty);
        self.b.resize(elements, ty.scalar, true)
    }

    /// `++` and `--`.
    pub fn increment(&mut self, place: &'h Expr<'h>, decrement: bool, postfix: bool) -> Value {
        let at = self.place(place);
        let old = self.load(at);
        let ty = self.b.ty(old);
        let new = if ty.space().is_some() {
            let size = element_size(self.types, place.ty.ty).cast_signed();
            self.b.offset(old, if decrement { size.wrapping_neg() } else { size })
        } else if ty.scalar.is_float() {
            let one = self.b.float(ty, 1.0);
            self.b.binary(if decrement { ir::BinaryOp::FSub } else { ir::BinaryOp::FAdd }, old, one)
        } else if ty.scalar == ScalarType::Bool {
            // 6.5.2.4: as adding 1 to the promoted value and converting back.
            if decrement { self.b.unary(ir::UnaryOp::Not, old) } else { self.b.int(ty, 1) }
        } else {
            let one = self.b.int(ty, 1);
            let op = if decrement { ir::BinaryOp::Sub } else { ir::BinaryOp::Add };
            let new = self.b.binary(op, old, one);
            // Shorter scalars are promoted, and what does not fit is converted.
            let overflows = self.is_signed(place.ty.ty) && (ty.is_vector() || ty.scalar.bits() >= 32);
            self.check_binary(op, overflows, [old, one], new);
            new
        };
        self.store(at, new);
        if postfix { old } else { new }
    }

    /// `place op= value`.
    pub fn compound_assign(
        &mut self,
        place: &'h Expr<'h>,
        op: BinaryOp,
        value: &'h Expr<'h>,
        computation: Ty,
    ) -> Value {
        let right = self.value(value);
        let at = self.place(place);
        let old = self.load(at);
        let ty = place.ty.ty;
        let left = self.convert_shape(old, ty, computation);
        let right_ty = if matches!(op, BinaryOp::Shl | BinaryOp::Shr) { value.ty.ty } else { computation };
        let result = match self.multiply_add(op, (left, right), (false, is_product(value))) {
            Some(sum) => sum,
            None => self.binary(op, left, right, (computation, right_ty), computation),
        };
        let result = self.convert_shape(result, computation, ty);
        self.store(at, result);
        result
    }

    /// An arithmetic conversion that does nothing between equal types.
    fn convert_shape(&mut self, value: Value, from: Ty, to: Ty) -> Value {
        if from == to { value } else { self.arithmetic_conversion(value, from, to) }
    }
}

pub(super) fn arithmetic_op(op: BinaryOp, scalar: Scalar) -> ir::BinaryOp {
    let (float, signed) = (matches!(scalar, Scalar::Float(_)), is_signed(scalar));
    match op {
        BinaryOp::Add if float => ir::BinaryOp::FAdd,
        BinaryOp::Add => ir::BinaryOp::Add,
        BinaryOp::Sub if float => ir::BinaryOp::FSub,
        BinaryOp::Sub => ir::BinaryOp::Sub,
        BinaryOp::Mul if float => ir::BinaryOp::FMul,
        BinaryOp::Mul => ir::BinaryOp::Mul,
        BinaryOp::Div if float => ir::BinaryOp::FDiv,
        BinaryOp::Div if signed => ir::BinaryOp::SDiv,
        BinaryOp::Div => ir::BinaryOp::UDiv,
        BinaryOp::Rem if signed => ir::BinaryOp::SRem,
        BinaryOp::Rem => ir::BinaryOp::URem,
        BinaryOp::Shl => ir::BinaryOp::Shl,
        BinaryOp::Shr if signed => ir::BinaryOp::AShr,
        BinaryOp::Shr => ir::BinaryOp::LShr,
        BinaryOp::Or | BinaryOp::LogicalOr => ir::BinaryOp::Or,
        BinaryOp::Xor => ir::BinaryOp::Xor,
        // Comparisons do not come here.
        _ => ir::BinaryOp::And,
    }
}
