//! Computes the mask of each value: of a load from the object's bits, of an operation from its operands.

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
            op if op.is_pure() => {}
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
        let (bytes, lane_bytes) = (ty.access_size(), ty.scalar.bytes());
        let pieces = self.pieces(b, ptr, (bytes, align));
        let found: Vec<(Piece, Value)> = pieces.into_iter().map(|piece| (piece, shadow.read(b, piece))).collect();
        let mut lanes = b.int(Type::I32, 0);
        for lane in 0..ty.lanes {
            let (start, end) = (u64::from(lane) * lane_bytes, u64::from(lane + 1) * lane_bytes);
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
            lanes = b.binary(BinaryOp::Or, lanes, bit);
        }
        Some(Mask { lanes, object: place.object })
    }

    /// Sets the bits of what is stored.
    fn written(&mut self, b: &mut Builder<'_>, ptr: Value, value: Value, align: u32) {
        let (ty, mask) = (b.ty(value), self.masks.get(&value).copied());
        self.set(b, ptr, ty, align, mask);
    }

    fn set(&mut self, b: &mut Builder<'_>, ptr: Value, ty: Type, align: u32, mask: Option<Mask>) {
        let Some(shadow) = self.objects.place(ptr).and_then(|place| self.shadows[place.object]) else { return };
        let lane_bytes = ty.scalar.bytes();
        for piece in self.pieces(b, ptr, (ty.access_size(), align)) {
            let bits = mask.map(|mask| {
                let mut bits = b.int(Type::I32, 0);
                for lane in 0..ty.lanes {
                    let (start, end) = (u64::from(lane) * lane_bytes, u64::from(lane + 1) * lane_bytes);
                    let (first, last) = (start.max(piece.first), end.min(piece.first + piece.bytes));
                    if first < last {
                        let ones = shadow::all(b, last - first);
                        let ones = b.binary_int(BinaryOp::Shl, ones, (first - piece.first).cast_signed());
                        let zero = b.int(Type::I32, 0);
                        let is_set = self::lane(b, mask.lanes, lane);
                        let here = b.select(is_set, ones, zero);
                        bits = b.binary(BinaryOp::Or, bits, here);
                    }
                }
                bits
            });
            shadow.write(b, piece, bits);
        }
    }

    /// The lanes that a value has, all where nothing is known to be missing.
    fn lanes(&self, b: &mut Builder<'_>, value: Value) -> Value {
        let all = (1_i64 << b.ty(value).lanes) - 1;
        self.masks.get(&value).map_or_else(|| b.int(Type::I32, all), |mask| mask.lanes)
    }

    /// The mask of a pure operation's result; `None` if all operands are complete.
    fn made(&mut self, b: &mut Builder<'_>, op: &Op, result: Value) -> Option<Mask> {
        let mut object = None;
        op.for_each_operand(|operand| object = object.or(self.masks.get(&operand).map(|mask| mask.object)));
        let object = object?;
        let count = b.ty(result).lanes;
        let lanes = match op {
            Op::Extract { vector, lane } => {
                let lanes = self.lanes(b, *vector);
                let shifted = b.binary_int(BinaryOp::LShr, lanes, i64::from(*lane));
                b.binary_int(BinaryOp::And, shifted, 1)
            }
            Op::Insert { vector, scalar, lane } => {
                let (lanes, scalar) = (self.lanes(b, *vector), self.lanes(b, *scalar));
                let kept = b.binary_int(BinaryOp::And, lanes, !(1 << lane));
                let here = b.binary_int(BinaryOp::Shl, scalar, i64::from(*lane));
                b.binary(BinaryOp::Or, kept, here)
            }
            Op::Construct { elements } => {
                let parts = elements.iter().enumerate().map(|(lane, element)| (to_u8(lane), (*element, 0)));
                self.gathered(b, &parts.collect::<Vec<_>>())
            }
            Op::Shuffle { first, second, lanes } => {
                let width = b.ty(*first).lanes;
                let parts = lanes.iter().enumerate().map(|(to, from)| match *from {
                    from if from < width => (to_u8(to), (*first, from)),
                    from => (to_u8(to), (*second, from.saturating_sub(width))),
                });
                self.gathered(b, &parts.collect::<Vec<_>>())
            }
            Op::Select { condition, if_true, if_false } if b.ty(*condition).lanes == 1 => {
                self.require(b, *condition);
                let (one, other) = (self.lanes(b, *if_true), self.lanes(b, *if_false));
                b.select(*condition, one, other)
            }
            Op::Binary { op: op @ (BinaryOp::And | BinaryOp::Or), lhs, rhs } if b.ty(result) == Type::BOOL => {
                self.decided(b, *op == BinaryOp::And, [*lhs, *rhs])
            }
            op => self.met(b, op, count),
        };
        Some(Mask { lanes, object })
    }

    /// Lanes of other values: where to, and which of which value. One that no value has is complete.
    fn gathered(&self, b: &mut Builder<'_>, parts: &[(u8, (Value, u8))]) -> Value {
        let mut lanes = b.int(Type::I32, 0);
        for (to, (value, from)) in parts {
            let bit = if *from < b.ty(*value).lanes {
                let of = self.lanes(b, *value);
                let shifted = b.binary_int(BinaryOp::LShr, of, i64::from(*from));
                b.binary_int(BinaryOp::And, shifted, 1)
            } else {
                b.int(Type::I32, 1)
            };
            let bit = b.binary_int(BinaryOp::Shl, bit, i64::from(*to));
            lanes = b.binary(BinaryOp::Or, lanes, bit);
        }
        lanes
    }

    /// Of `a && b` or `a || b`, both of which are computed: an operand that was written may decide it alone.
    fn decided(&self, b: &mut Builder<'_>, is_and: bool, operands: [Value; 2]) -> Value {
        let [one, other] = operands.map(|operand| self.lanes(b, operand));
        let mut lanes = b.binary(BinaryOp::And, one, other);
        for (operand, has) in operands.into_iter().zip([one, other]) {
            let decides = if is_and { b.unary(UnaryOp::Not, operand) } else { operand };
            let zero = b.int(Type::I32, 0);
            let alone = b.select(decides, has, zero);
            lanes = b.binary(BinaryOp::Or, lanes, alone);
        }
        lanes
    }

    /// The lanes that all operands have; of operands with another number of lanes all or none.
    fn met(&self, b: &mut Builder<'_>, op: &Op, count: u8) -> Value {
        let all = (1_i64 << count) - 1;
        let mut operands = Vec::new();
        op.for_each_operand(|operand| operands.push(operand));
        let mut lanes = b.int(Type::I32, all);
        for operand in operands {
            let mut here = self.lanes(b, operand);
            let width = b.ty(operand).lanes;
            if width != count {
                let complete = b.compare_int(CompareOp::Eq, here, (1 << width) - 1);
                let (ones, zero) = (b.int(Type::I32, all), b.int(Type::I32, 0));
                here = b.select(complete, ones, zero);
            }
            lanes = b.binary(BinaryOp::And, lanes, here);
        }
        lanes
    }
}

/// Whether a lane of a mask is set.
fn lane(b: &mut Builder<'_>, lanes: Value, lane: u8) -> Value {
    let bit = b.binary_int(BinaryOp::And, lanes, 1 << lane);
    b.compare_int(CompareOp::Ne, bit, 0)
}

/// Whether a mask is known to have all lanes of a value.
fn is_all(b: &Builder<'_>, mask: Mask, value: Value) -> bool {
    b.function.as_int(mask.lanes) == Some((1 << b.ty(value).lanes) - 1)
}
