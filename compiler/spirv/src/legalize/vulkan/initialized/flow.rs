//! Computes the mask of each value: of a load from the object's bits, of an operation from its operands. A mask has a bit for each
//! part of the value ([`parts`]): each lane of a vector, each byte of a scalar.

use super::shadow::{self, Piece};
use super::{Here, Mask};
use clforge_basic::narrow::{to_u8, to_u32};
use clforge_ir::*;

impl Here<'_> {
    /// What must be written when an instruction is executed, and what that writes.
    pub(super) fn before(&mut self, b: &mut Builder<'_>, id: InstId) -> Result<(), Error> {
        let op = b.function.inst(id).op.clone();
        match &op {
            Op::Load { ptr, .. } => self.require(b, *ptr),
            Op::Store { ptr, value, align, .. } => {
                self.require(b, *ptr);
                let follows = self.objects.place(*ptr).is_some_and(|place| self.shadows[place.object].is_some());
                if follows {
                    self.written(b, *ptr, *value, *align);
                } else if self.objects.place(*ptr).is_none() {
                    self.require(b, *value);
                }
            }
            Op::Atomic { ptr, operands, .. } => {
                self.require(b, *ptr);
                operands.iter().for_each(|operand| self.require(b, *operand));
                let value = b.function.inst(id).results.first().or(operands.first()).copied();
                let value = value.or_internal("an atomic without value")?;
                let ty = b.ty(value);
                let align = to_u32(ty.access_size());
                let reads = !matches!(op, Op::Atomic { op: AtomicOp::Store, .. });
                if let Some(mask) = reads.then(|| self.loaded(b, *ptr, ty, align)).flatten() {
                    self.masks.insert(value, mask);
                    self.require(b, value);
                    self.masks.remove(&value);
                }
                self.set(b, *ptr, ty, align, None);
            }
            Op::PtrAdd { index, .. } => index.iter().for_each(|index| self.require(b, *index)),
            Op::ExtractDynamic { index, .. } | Op::InsertDynamic { index, .. } => self.require(b, *index),
            op if op.is_pure() || matches!(op, Op::Check { .. }) => {}
            op => op.for_each_operand(|operand| self.require(b, operand)),
        }
        Ok(())
    }

    /// The mask of what an instruction makes.
    pub(super) fn after(&mut self, b: &mut Builder<'_>, id: InstId) {
        let inst = b.function.inst(id);
        let (Some(result), op) = (inst.results.first().copied(), inst.op.clone()) else { return };
        let mask = match &op {
            Op::Load { ptr, align, .. } => {
                let is_needed = !self.objects.is_good(id)
                    && self.objects.place(*ptr).is_some_and(|place| self.shadows[place.object].is_some());
                let ty = b.ty(result);
                is_needed.then(|| self.loaded(b, *ptr, ty, *align)).flatten()
            }
            op if op.is_pure() => self.made(b, op, result),
            _ => None,
        };
        if let Some(mask) = mask.filter(|mask| !is_all(b, *mask, result)) {
            self.masks.insert(result, mask);
        }
    }

    fn pieces(&self, b: &mut Builder<'_>, ptr: Value, access: (u64, u32)) -> Vec<Piece> {
        match self.objects.place(ptr) {
            Some(place) => shadow::pieces(b, &self.objects.list[place.object], ptr, place.offset, access),
            None => Vec::new(),
        }
    }

    /// The mask of what is loaded.
    fn loaded(&mut self, b: &mut Builder<'_>, ptr: Value, ty: Type, align: u32) -> Option<Mask> {
        let place = self.objects.place(ptr)?;
        let shadow = self.shadows[place.object]?;
        let pieces = self.pieces(b, ptr, (ty.access_size(), align));
        let found: Vec<(Piece, Value)> = pieces.into_iter().map(|piece| (piece, shadow.read(b, piece))).collect();
        let mut mask = b.int(Type::I32, 0);
        if ty.lanes == 1 {
            for (piece, bits) in found {
                let ones = shadow::all(b, piece.bytes);
                let here = b.binary(BinaryOp::And, bits, ones);
                let here = b.binary_int(BinaryOp::Shl, here, piece.first.cast_signed());
                mask = b.binary(BinaryOp::Or, mask, here);
            }
            return Some(Mask { parts: mask, object: place.object });
        }
        for lane in 0..ty.lanes {
            let (start, end) = bytes_of_lane(ty, lane);
            let mut good = b.int(Type::BOOL, 1);
            for (piece, bits) in &found {
                let (first, last) = (start.max(piece.first), end.min(piece.first + piece.bytes));
                if first < last {
                    let wanted = shadow::all(b, last - first);
                    let shift = b.int(Type::I32, (first - piece.first).cast_signed());
                    let here = b.binary(BinaryOp::LShr, *bits, shift);
                    let here = b.binary(BinaryOp::And, here, wanted);
                    let here = b.compare(CompareOp::Eq, here, wanted);
                    good = b.binary(BinaryOp::And, good, here);
                }
            }
            let (bit, zero) = (b.int(Type::I32, 1 << lane), b.int(Type::I32, 0));
            let bit = b.select(good, bit, zero);
            mask = b.binary(BinaryOp::Or, mask, bit);
        }
        Some(Mask { parts: mask, object: place.object })
    }

    /// Sets the bits of what is stored. A value that is undefined leaves the bytes as if nothing had written them: a variable that is
    /// declared in a loop is a new one in each iteration.
    fn written(&mut self, b: &mut Builder<'_>, ptr: Value, value: Value, align: u32) {
        let (ty, mut mask) = (b.ty(value), self.masks.get(&value).copied());
        if b.function.is_undef(value)
            && let Some(place) = self.objects.place(ptr)
        {
            mask = Some(Mask { parts: b.int(Type::I32, 0), object: place.object });
        }
        self.set(b, ptr, ty, align, mask);
    }

    fn set(&mut self, b: &mut Builder<'_>, ptr: Value, ty: Type, align: u32, mask: Option<Mask>) {
        let Some(shadow) = self.objects.place(ptr).and_then(|place| self.shadows[place.object]) else { return };
        for piece in self.pieces(b, ptr, (ty.access_size(), align)) {
            let bits = mask.map(|mask| bits_of(b, mask.parts, ty, piece));
            shadow.write(b, piece, bits);
        }
    }

    /// The mask of a value, with all parts where nothing is known to be missing.
    fn parts(&self, b: &mut Builder<'_>, value: Value) -> Value {
        let all = all_parts(b.ty(value));
        self.masks.get(&value).map_or_else(|| b.int(Type::I32, all), |mask| mask.parts)
    }

    /// All parts of a type if a value has all of its own, else none.
    fn all_or_none(&self, b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
        let has = self.parts(b, value);
        let complete = b.compare_int(CompareOp::Eq, has, all_parts(b.ty(value)));
        let (ones, zero) = (b.int(Type::I32, all_parts(ty)), b.int(Type::I32, 0));
        b.select(complete, ones, zero)
    }

    /// 1 if a value has a lane completely, else 0.
    fn lane(&self, b: &mut Builder<'_>, value: Value, lane: u8) -> Value {
        match b.ty(value).lanes {
            1 => self.all_or_none(b, value, Type::BOOL),
            _ => {
                let parts = self.parts(b, value);
                let shifted = b.binary_int(BinaryOp::LShr, parts, i64::from(lane));
                b.binary_int(BinaryOp::And, shifted, 1)
            }
        }
    }

    /// The mask of a pure operation's result; `None` if all operands are complete.
    fn made(&mut self, b: &mut Builder<'_>, op: &Op, result: Value) -> Option<Mask> {
        let mut object = None;
        op.for_each_operand(|operand| object = object.or(self.masks.get(&operand).map(|mask| mask.object)));
        let (object, ty) = (object?, b.ty(result));
        let parts = match op {
            Op::Extract { vector, lane } => {
                let bit = self.lane(b, *vector, *lane);
                let has = b.compare_int(CompareOp::Ne, bit, 0);
                let (ones, zero) = (b.int(Type::I32, all_parts(ty)), b.int(Type::I32, 0));
                b.select(has, ones, zero)
            }
            Op::Insert { vector, scalar, lane } => {
                let (lanes, scalar) = (self.parts(b, *vector), self.lane(b, *scalar, 0));
                let kept = b.binary_int(BinaryOp::And, lanes, !(1 << lane));
                let here = b.binary_int(BinaryOp::Shl, scalar, i64::from(*lane));
                b.binary(BinaryOp::Or, kept, here)
            }
            Op::Construct { elements } => {
                let lanes = elements.iter().enumerate().map(|(lane, element)| (to_u8(lane), (*element, 0)));
                self.gathered(b, &lanes.collect::<Vec<_>>())
            }
            Op::Shuffle { first, second, lanes } => {
                let width = b.ty(*first).lanes;
                let lanes = lanes.iter().enumerate().map(|(to, from)| match *from {
                    from if from < width => (to_u8(to), (*first, from)),
                    from => (to_u8(to), (*second, from.saturating_sub(width))),
                });
                self.gathered(b, &lanes.collect::<Vec<_>>())
            }
            Op::Select { condition, if_true, if_false } if b.ty(*condition).lanes == 1 => {
                self.require(b, *condition);
                let (one, other) = (self.parts(b, *if_true), self.parts(b, *if_false));
                b.select(*condition, one, other)
            }
            Op::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), lhs, rhs } if ty == Type::BOOL => {
                self.decided(b, *op == BinaryOp::And, [*lhs, *rhs])
            }
            op if ty.lanes == 1 => match self.bytes_made(b, op, ty) {
                Some(parts) => parts,
                None => self.met(b, op, ty),
            },
            op => self.met(b, op, ty),
        };
        Some(Mask { parts, object })
    }

    /// The bytes of a scalar that an operation makes which takes bytes from one place to another, or combines those of one place.
    fn bytes_made(&self, b: &mut Builder<'_>, op: &Op, ty: Type) -> Option<Value> {
        let all = all_parts(ty);
        Some(match op {
            Op::Convert { op: ConvertOp::Trunc, operand } if b.ty(*operand).lanes == 1 => {
                let parts = self.parts(b, *operand);
                b.binary_int(BinaryOp::And, parts, all)
            }
            Op::Convert { op: ConvertOp::ZExt, operand } if b.ty(*operand).lanes == 1 => {
                let (parts, own) = (self.parts(b, *operand), all_parts(b.ty(*operand)));
                b.binary_int(BinaryOp::Or, parts, all & !own)
            }
            Op::Convert { op: ConvertOp::Bitcast, operand } if b.ty(*operand).lanes == 1 => self.parts(b, *operand),
            Op::Unary { op: UnaryOp::Not, operand } => self.parts(b, *operand),
            Op::Binary { op: op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor), lhs, rhs } => {
                let [one, other] = [(*lhs, *rhs), (*rhs, *lhs)].map(|(operand, other)| {
                    let (parts, known) = (self.parts(b, operand), decided_bytes(b, *op, other, ty));
                    b.binary_int(BinaryOp::Or, parts, known)
                });
                b.binary(BinaryOp::And, one, other)
            }
            Op::Binary { op: op @ (BinaryOp::Shl | BinaryOp::LShr), lhs, rhs } => {
                let distance = b.function.as_int(*rhs).filter(|distance| *distance < ty.bits().into())?;
                self.shifted(b, *lhs, (*op == BinaryOp::Shl, distance.cast_signed()), all)
            }
            _ => return None,
        })
    }

    /// The bytes of a scalar that is shifted by so many bits; those of zeros are complete.
    fn shifted(&self, b: &mut Builder<'_>, value: Value, (is_left, distance): (bool, i64), all: i64) -> Value {
        let parts = self.parts(b, value);
        let by = |b: &mut Builder<'_>, bytes: i64| match is_left {
            true => {
                let moved = b.binary_int(BinaryOp::Shl, parts, bytes);
                let moved = b.binary_int(BinaryOp::Or, moved, (1 << bytes) - 1);
                b.binary_int(BinaryOp::And, moved, all)
            }
            false => {
                let filled = b.binary_int(BinaryOp::Or, parts, !all);
                let moved = b.binary_int(BinaryOp::AShr, filled, bytes);
                b.binary_int(BinaryOp::And, moved, all)
            }
        };
        let whole = by(b, distance / 8);
        if distance % 8 == 0 {
            return whole;
        }
        let next = by(b, distance / 8 + 1);
        b.binary(BinaryOp::And, whole, next)
    }

    /// Lanes of other values: where to, and which of which value. One that no value has is complete.
    fn gathered(&self, b: &mut Builder<'_>, lanes: &[(u8, (Value, u8))]) -> Value {
        let mut parts = b.int(Type::I32, 0);
        for (to, (value, from)) in lanes {
            let bit = match *from < b.ty(*value).lanes {
                true => self.lane(b, *value, *from),
                false => b.int(Type::I32, 1),
            };
            let bit = b.binary_int(BinaryOp::Shl, bit, i64::from(*to));
            parts = b.binary(BinaryOp::Or, parts, bit);
        }
        parts
    }

    /// Of `a && b` or `a || b`, both of which are computed: an operand that was written may decide it alone.
    fn decided(&self, b: &mut Builder<'_>, is_and: bool, operands: [Value; 2]) -> Value {
        let [one, other] = operands.map(|operand| self.parts(b, operand));
        let mut parts = b.binary(BinaryOp::And, one, other);
        for (operand, has) in operands.into_iter().zip([one, other]) {
            let decides = if is_and { b.unary(UnaryOp::Not, operand) } else { operand };
            let zero = b.int(Type::I32, 0);
            let alone = b.select(decides, has, zero);
            parts = b.binary(BinaryOp::Or, parts, alone);
        }
        parts
    }

    /// Of an operation on vectors the lanes that all operands have; of any other all parts if all operands are complete, else none.
    fn met(&self, b: &mut Builder<'_>, op: &Op, ty: Type) -> Value {
        let mut operands = Vec::new();
        op.for_each_operand(|operand| operands.push(operand));
        let mut parts = b.int(Type::I32, all_parts(ty));
        for operand in operands {
            let here = match ty.lanes > 1 && b.ty(operand).lanes == ty.lanes {
                true => self.parts(b, operand),
                false => self.all_or_none(b, operand, ty),
            };
            parts = b.binary(BinaryOp::And, parts, here);
        }
        parts
    }
}

/// How many parts a value has that are written or not: the lanes of a vector, the bytes of a scalar.
fn parts(ty: Type) -> u32 {
    if ty.lanes > 1 { ty.lanes.into() } else { to_u32(ty.scalar.bytes()).max(1) }
}

/// The mask of a value that has all its parts.
pub(super) fn all_parts(ty: Type) -> i64 {
    (1 << parts(ty)) - 1
}

/// The first byte of a lane and that behind it.
fn bytes_of_lane(ty: Type, lane: u8) -> (u64, u64) {
    let bytes = ty.scalar.bytes();
    (u64::from(lane) * bytes, u64::from(lane + 1) * bytes)
}

/// The bits for the bytes of a piece of a value with a mask.
fn bits_of(b: &mut Builder<'_>, mask: Value, ty: Type, piece: Piece) -> Value {
    if ty.lanes == 1 {
        let (shifted, ones) =
            (b.binary_int(BinaryOp::LShr, mask, piece.first.cast_signed()), shadow::all(b, piece.bytes));
        return b.binary(BinaryOp::And, shifted, ones);
    }
    let mut bits = b.int(Type::I32, 0);
    for lane in 0..ty.lanes {
        let (start, end) = bytes_of_lane(ty, lane);
        let (first, last) = (start.max(piece.first), end.min(piece.first + piece.bytes));
        if first < last {
            let ones = shadow::all(b, last - first);
            let ones = b.binary_int(BinaryOp::Shl, ones, (first - piece.first).cast_signed());
            let zero = b.int(Type::I32, 0);
            let bit = b.binary_int(BinaryOp::And, mask, 1 << lane);
            let is_set = b.compare_int(CompareOp::Ne, bit, 0);
            let here = b.select(is_set, ones, zero);
            bits = b.binary(BinaryOp::Or, bits, here);
        }
    }
    bits
}

/// The bytes of a result that one operand decides whatever the other is: those where a constant has zeros for `and`, or ones for `or`.
fn decided_bytes(b: &Builder<'_>, op: BinaryOp, operand: Value, ty: Type) -> i64 {
    let (Some(constant), bytes) = (b.function.as_int(operand), ty.scalar.bytes()) else { return 0 };
    let byte = |at: u64| constant.to_le_bytes()[usize::try_from(at).unwrap_or(0).min(7)];
    let decides = |at: &u64| match op {
        BinaryOp::And => byte(*at) == 0,
        BinaryOp::Or => byte(*at) == 0xff,
        _ => false,
    };
    (0..bytes.min(8)).filter(decides).map(|at| 1 << at).sum()
}

/// Whether a mask is known to have all parts of a value.
fn is_all(b: &Builder<'_>, mask: Mask, value: Value) -> bool {
    b.function.as_int(mask.parts) == Some(all_parts(b.ty(value)).cast_unsigned())
}
