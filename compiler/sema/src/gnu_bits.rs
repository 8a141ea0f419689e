//! `__builtin_…` functions of the bits of integers: counts, orders of bits and bytes, carries, alignments.

use super::{ExprRef, Sema};
use crate::hir::{BinaryOp, ExprKind, IntKind, Lanes, Scalar, Stmt, StmtKind, Ty, TyKind, UnaryOp};
use clforge_basic::narrow::to_u32;
use clforge_basic::source::Span;

impl<'h> Sema<'_, 'h, '_> {
    /// `clz` and similar, of an operand of that width.
    pub(super) fn bits_function(
        &mut self,
        function: &str,
        value: ExprRef<'h>,
        bits: u32,
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let ty = self.program.types.intern(TyKind::Int(IntKind::of(bits, function == "clrsb")));
        let value = self.passed(value, ty);
        if let Some((known, _)) = self.folded_integer(value) {
            let result = folded(function, known, bits)?;
            return Some(self.int(result.into(), Ty::INT, span));
        }
        let result = match function {
            "ctz" | "ffs" => {
                let (declaration, value) = self.bind(value)?;
                let zero = self.int(0, ty, span);
                let negated = self.make_binary(BinaryOp::Sub, zero, value, ty, span);
                let negated = self.convert(negated, ty);
                let lowest = self.make_binary(BinaryOp::And, value, negated, ty, span);
                let leading = self.opencl_call("clz", &[lowest], span)?;
                let top = self.int(u64::from(if function == "ctz" { bits - 1 } else { bits }), ty, span);
                let result = self.make_binary(BinaryOp::Sub, top, leading, ty, span);
                let result = self.convert(result, Ty::INT);
                return Some(self.after(&[declaration], result, span));
            }
            "clrsb" => {
                // The copies of the sign behind it: zeros once the sign is taken out, without the first.
                let (declaration, value) = self.bind(value)?;
                let distance = self.int(u64::from(bits - 1), Ty::INT, span);
                let sign = self.make_binary(BinaryOp::Shr, value, distance, ty, span);
                let plain = self.make_binary(BinaryOp::Xor, value, sign, ty, span);
                let leading = self.opencl_call("clz", &[plain], span)?;
                let one = self.int(1, ty, span);
                let result = self.make_binary(BinaryOp::Sub, leading, one, ty, span);
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

    pub(super) fn swapped_bytes(&mut self, name: &str, value: ExprRef<'h>, span: Span) -> ExprRef<'h> {
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

    /// `bitreverse8` to `bitreverse64`: neighbours change places, then pairs and halves of a byte, then the bytes.
    pub(super) fn reversed_bits(&mut self, name: &str, value: ExprRef<'h>, span: Span) -> Option<ExprRef<'h>> {
        let bits: u32 = name.strip_prefix("bitreverse")?.parse().ok()?;
        let ty = self.program.types.intern(TyKind::Int(IntKind::of(bits, false)));
        let value = self.passed(value, ty);
        if let Some((known, _)) = self.folded_integer(value) {
            return Some(self.int(known.reverse_bits() >> (64 - bits), ty, span));
        }
        if let Some(reversed) = self.opencl_call("bit_reverse", &[value], span) {
            return Some(reversed);
        }
        let mut declarations = Vec::new();
        let mut value = value;
        for (distance, mask) in [(1, 0x5555_5555_5555_5555_u64), (2, 0x3333_3333_3333_3333), (4, 0x0f0f_0f0f_0f0f_0f0f)]
        {
            let (declaration, bound) = self.bind(value)?;
            declarations.push(declaration);
            let mask = self.int(mask >> (64 - bits), ty, span);
            let distance = self.int(distance, Ty::INT, span);
            let right = self.make_binary(BinaryOp::Shr, bound, distance, ty, span);
            let right = self.make_binary(BinaryOp::And, right, mask, ty, span);
            let left = self.make_binary(BinaryOp::And, bound, mask, ty, span);
            let left = self.make_binary(BinaryOp::Shl, left, distance, ty, span);
            value = self.make_binary(BinaryOp::Or, left, right, ty, span);
        }
        let value = if bits == 8 { value } else { self.swapped_bytes(&format!("bswap{bits}"), value, span) };
        Some(self.after(&declarations, value, span))
    }

    pub(super) fn rotation(&mut self, name: &str, values: &[ExprRef<'h>], span: Span) -> Option<ExprRef<'h>> {
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

    /// `addc(a, b, carry in, &carry out)` and similar.
    pub(super) fn carried(
        &mut self,
        borrow: bool,
        bits: u32,
        values: &[ExprRef<'h>],
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let [first, second, carry, target] = *values else { return None };
        let ty = self.program.types.intern(TyKind::Int(IntKind::of(bits, false)));
        let place = self.pointee(target.ty.ty).filter(|place| place.ty == ty)?;
        let (op, mut out) = (if borrow { BinaryOp::Sub } else { BinaryOp::Add }, Vec::new());
        let mut operands = [first; 3];
        for (bound, value) in operands.iter_mut().zip([first, second, carry]) {
            let value = self.passed(value, ty);
            let declared = self.bind(value)?;
            out.push(declared.0);
            *bound = declared.1;
        }
        let [first, second, carry] = operands;
        let mut step = |sema: &mut Self, left: ExprRef<'h>, right: ExprRef<'h>| {
            let result = sema.make_binary(op, left, right, ty, span);
            let (declared, result) = sema.bind(result)?;
            out.push(declared);
            let (less, more) = if borrow { (left, right) } else { (result, left) };
            Some((result, sema.make_binary(BinaryOp::Lt, less, more, Ty::INT, span)))
        };
        let (partial, first_carry) = step(self, first, second)?;
        let (result, second_carry) = step(self, partial, carry)?;
        let carries = self.make_binary(BinaryOp::Or, first_carry, second_carry, Ty::INT, span);
        let value = self.convert(carries, ty);
        let place = self.make_lvalue(ExprKind::Deref(target), place, span);
        let store = self.make(ExprKind::Assign { place, value }, ty, span);
        out.push(Stmt { kind: StmtKind::Expr(store), span });
        Some(self.after(&out, result, span))
    }

    /// `is_aligned`, `align_up`, `align_down` of an integer or a pointer; the alignment is a power of two.
    pub(super) fn alignment_function(
        &mut self,
        name: &str,
        value: ExprRef<'h>,
        to: ExprRef<'h>,
        span: Span,
    ) -> Option<ExprRef<'h>> {
        let is_pointer = self.is_pointer(value);
        let ty = match self.kind(value.ty.ty) {
            TyKind::Pointer(_) => self.program.types.size_t(),
            TyKind::Int(_) => value.ty.ty,
            _ => return None,
        };
        self.int_kind(to.ty.ty)?;
        let to = self.convert(to, ty);
        let one = self.int(1, ty, span);
        let mask = self.make_binary(BinaryOp::Sub, to, one, ty, span);
        let (mask_declared, mask) = self.bind(mask)?;
        let (declared, value) = self.bind(value)?;
        let number = self.convert(value, ty);
        let declarations = [mask_declared, declared];
        if name == "is_aligned" {
            let rest = self.make_binary(BinaryOp::And, number, mask, ty, span);
            let zero = self.int(0, ty, span);
            let aligned = self.make_binary(BinaryOp::Eq, rest, zero, Ty::INT, span);
            let aligned = self.condition_value(aligned);
            return Some(self.after(&declarations, aligned, span));
        }
        // The distance: backward the bits below the alignment, forward those of the negated value.
        let distance = if name == "align_down" {
            number
        } else {
            let zero = self.int(0, ty, span);
            self.make_binary(BinaryOp::Sub, zero, number, ty, span)
        };
        let distance = self.make_binary(BinaryOp::And, distance, mask, ty, span);
        let op = if name == "align_down" { BinaryOp::Sub } else { BinaryOp::Add };
        let moved = if is_pointer {
            let pointee = self.pointee(value.ty.ty)?;
            let bytes = self.program.types.pointer_to(crate::hir::QualTy { ty: Ty::CHAR, ..pointee });
            let pointer = self.convert(value, bytes);
            let sum = self.pointer_add(pointer, distance, op == BinaryOp::Sub, span);
            self.convert(sum, value.ty.ty)
        } else {
            self.make_binary(op, number, distance, ty, span)
        };
        Some(self.after(&declarations, moved, span))
    }

    /// Whether all bits of a floating-point number but its sign are zero.
    pub(super) fn is_zero_magnitude(&mut self, value: ExprRef<'h>, span: Span) -> Option<ExprRef<'h>> {
        let bits = to_u32(self.program.types.size_of(value.ty.ty)?) * 8;
        let ty = self.program.types.intern(TyKind::Int(IntKind::of(bits, false)));
        let pattern = self.reinterpret(value, ty, span);
        let magnitude = self.int((1 << (bits - 1)) - 1, ty, span);
        let pattern = self.make_binary(BinaryOp::And, pattern, magnitude, ty, span);
        let pattern = self.convert(pattern, Ty::BOOL);
        Some(self.make(ExprKind::Unary(UnaryOp::LogicalNot, pattern), Ty::INT, span))
    }
}

/// What a function of [`Sema::bits_function`] gives for a constant.
fn folded(function: &str, value: u64, bits: u32) -> Option<u32> {
    let low = value & (u64::MAX >> (64 - bits));
    let leading = |low: u64| low.leading_zeros() - (64 - bits);
    Some(match function {
        "clz" => leading(low),
        "ctz" => low.trailing_zeros().min(bits),
        "ffs" => {
            if low == 0 {
                0
            } else {
                low.trailing_zeros() + 1
            }
        }
        "popcount" => low.count_ones(),
        "parity" => low.count_ones() & 1,
        "clrsb" => {
            let is_negative = low >> (bits - 1) == 1;
            leading(if is_negative { !low & (u64::MAX >> (64 - bits)) } else { low }) - 1
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::folded;

    /// Values of GNU C's documentation for these functions, counted by hand.
    #[test]
    fn constants() {
        let all = |value, bits| ["clz", "ctz", "ffs", "popcount", "parity"].map(|name| folded(name, value, bits));
        assert_eq!(all(0xf0, 32), [Some(24), Some(4), Some(5), Some(4), Some(0)]);
        assert_eq!(all(1, 16), [Some(15), Some(0), Some(1), Some(1), Some(1)]);
        assert_eq!(all(1 << 40, 64), [Some(23), Some(40), Some(41), Some(1), Some(1)]);
        assert_eq!(folded("clrsb", u64::MAX, 32), Some(31));
        assert_eq!(
            (folded("clrsb", 1, 32), folded("clrsb", 0, 64), folded("ffs", 0, 32)),
            (Some(30), Some(63), Some(0))
        );
    }
}
