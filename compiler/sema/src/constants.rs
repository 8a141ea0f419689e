//! Constant expressions: values, addresses, bytes.

use super::fold::{self, Number};
use super::{ExprRef, Sema};
use crate::hir::{BinaryOp, ConstantData, Conversion, Expr, ExprKind, Init, IntKind, ModuleVariableId, Scalar, TyKind};
use clforge_basic::arithmetic::reinterpreted_lane;
use clforge_basic::narrow::to_usize;
use clforge_syntax::ast::{AddressSpace, Qualifiers};
use smallvec::SmallVec;

type Numbers = SmallVec<[Number; 4]>;

/// Most bytes a constant object may have, and all of them together.
pub(super) const MAX_CONSTANT: u64 = 1 << 28;

impl<'h> Sema<'_, 'h, '_> {
    /// Value and signedness of an integer constant expression.
    pub(super) fn integer_constant(&self, e: ExprRef<'h>) -> Option<(u64, bool)> {
        let kind = self.int_kind(e.ty.ty)?;
        match e.kind {
            ExprKind::Int(value) => Some((value, kind.is_signed())),
            _ => None,
        }
    }

    /// Like [`Sema::integer_constant`], but constant variables count as constants too, as clang folds them.
    pub(super) fn folded_integer(&self, e: ExprRef<'h>) -> Option<(u64, bool)> {
        let kind = self.int_kind(e.ty.ty)?;
        self.evaluated_integer(e).map(|value| (value, kind.is_signed()))
    }

    /// The value only.
    pub(super) fn evaluated_integer(&self, e: ExprRef<'h>) -> Option<u64> {
        self.int_kind(e.ty.ty)?;
        match self.numbers(e)?.as_slice() {
            [Number::Int(value)] => Some(*value),
            _ => None,
        }
    }

    /// Writes the constant `e` at `offset`; false where it is not constant.
    pub(super) fn write_constant(&self, e: &Expr<'h>, offset: u64, data: &mut ConstantData) -> bool {
        let types = &self.program.types;
        if let Some((scalar, _)) = types.lanes(e.ty.ty) {
            let Some(numbers) = self.numbers(e) else { return self.write_address_number(e, offset, data) };
            let mut at = to_usize(offset);
            for number in numbers {
                let (bytes, size) = fold::bytes(number, scalar);
                let Some(target) = data.bytes.get_mut(at..at + size) else { return false };
                target.copy_from_slice(&bytes[..size]);
                at += size;
            }
            return true;
        }
        match self.kind(e.ty.ty) {
            TyKind::Pointer(_) => self.write_pointer(e, offset, data),
            TyKind::Atomic(_) => match e.kind {
                ExprKind::Convert(Conversion::Bits, inner) => self.write_constant(inner, offset, data),
                _ => false,
            },
            TyKind::Record(_) => match e.kind {
                ExprKind::Load(place) => self.write_copy(place, offset, data),
                _ => false,
            },
            _ => matches!(e.kind, ExprKind::Int(0)),
        }
    }

    /// An address as an integer that has room for it.
    fn write_address_number(&self, mut e: &Expr<'h>, offset: u64, data: &mut ConstantData) -> bool {
        let is_wide = |e: &Expr<'h>| {
            self.int_kind(e.ty.ty).is_some_and(|kind| kind.bits() == 8 * self.program.types.address_bits.bytes())
        };
        while let ExprKind::Convert(Conversion::Arithmetic, inner) = e.kind
            && is_wide(e)
            && is_wide(inner)
        {
            e = inner;
        }
        match e.kind {
            ExprKind::Convert(Conversion::PointerToInt, pointer) if is_wide(e) => {
                self.write_pointer(pointer, offset, data)
            }
            _ => false,
        }
    }

    fn write_pointer(&self, e: &Expr<'h>, offset: u64, data: &mut ConstantData) -> bool {
        if let Some(value) = self.absolute_address(e) {
            let at = to_usize(offset);
            let bytes = self.program.types.address_bits.bytes() as usize;
            let Some(target) = data.bytes.get_mut(at..at + bytes) else { return false };
            target.copy_from_slice(&value.to_le_bytes()[..bytes]);
            return true;
        }
        if let Some((global, distance)) = self.address_value(e) {
            data.relocations.push((offset, global, distance));
            return true;
        }
        match e.kind {
            ExprKind::Load(place) => self.write_copy(place, offset, data),
            ExprKind::Conditional { condition, then, otherwise } => {
                let Some(condition) = self.numbers(condition) else { return false };
                self.write_pointer(if is_true(&condition) { then } else { otherwise }, offset, data)
            }
            ExprKind::Comma(parts) => match self.constant_comma(parts) {
                Some(last) => self.write_pointer(last, offset, data),
                None => false,
            },
            _ => false,
        }
    }

    /// The last operand of commas, if all before it are constants.
    fn constant_comma(&self, parts: &[&'h Expr<'h>]) -> Option<&'h Expr<'h>> {
        let (last, before) = parts.split_last()?;
        let is_constant = |e: &&Expr<'h>| {
            let e = if let ExprKind::Convert(Conversion::Discard, inner) = e.kind { inner } else { e };
            self.numbers(e).is_some() || self.absolute_address(e).is_some() || self.address_value(e).is_some()
        };
        before.iter().all(is_constant).then_some(*last)
    }

    /// The value of a pointer that is made of an integer, as null is, and not of an object.
    fn absolute_address(&self, e: &Expr<'h>) -> Option<u64> {
        match e.kind {
            ExprKind::Int(value) => Some(value),
            ExprKind::Convert(Conversion::Pointer, inner) => self.absolute_address(inner),
            ExprKind::Convert(Conversion::IntToPointer, inner) => self.evaluated_integer(inner),
            ExprKind::AddressOf(place) => self.absolute_place(place),
            ExprKind::PointerAdd { pointer, index, negative } => {
                let address = self.absolute_address(pointer)?;
                let TyKind::Pointer(pointee) = self.kind(e.ty.ty) else { return None };
                let distance = self.evaluated_integer(index)?.wrapping_mul(self.program.types.size_of(pointee.ty)?);
                Some(if negative { address.wrapping_sub(distance) } else { address.wrapping_add(distance) })
            }
            _ => None,
        }
    }

    /// The same of a place: `((struct S *)0)->member`.
    fn absolute_place(&self, place: &Expr<'h>) -> Option<u64> {
        match place.kind {
            ExprKind::Deref(pointer) => self.absolute_address(pointer),
            ExprKind::Field(base, index) => {
                let address = self.absolute_place(base)?;
                let TyKind::Record(id) = self.kind(base.ty.ty) else { return None };
                Some(address.wrapping_add(self.program.types.record(id).fields.as_ref()?.get(index as usize)?.offset))
            }
            _ => None,
        }
    }

    /// Where a constant pointer points: the object, or none of a pointer made of an integer, and the offset.
    fn pointer_constant(&self, e: &Expr<'h>) -> Option<(Option<ModuleVariableId>, i64)> {
        match self.absolute_address(e) {
            Some(address) => Some((None, address.cast_signed())),
            None => self.address_value(e).map(|(object, offset)| (Some(object), offset)),
        }
    }

    /// A comparison of constant pointers: into one object by their offsets; those of two objects are not equal.
    fn compared_pointers(&self, op: BinaryOp, left: &Expr<'h>, right: &Expr<'h>) -> Option<Number> {
        let ((a, x), (b, y)) = (self.pointer_constant(left)?, self.pointer_constant(right)?);
        if a != b {
            return match op {
                BinaryOp::Eq => Some(Number::Int(0)),
                BinaryOp::Ne => Some(Number::Int(1)),
                _ => None,
            };
        }
        let kind = if a.is_some() { IntKind::Long } else { IntKind::ULong };
        fold::binary(op, Scalar::Int(kind), Number::Int(x.cast_unsigned()), Number::Int(y.cast_unsigned()))
    }

    /// A constant that is computed of pointers.
    fn number_of_pointers(&self, e: &Expr<'h>) -> Option<Number> {
        match e.kind {
            ExprKind::Convert(Conversion::PointerToInt, pointer) => {
                let kind = self.int_kind(e.ty.ty)?;
                Some(Number::Int(fold::wrap(kind, self.absolute_address(pointer)?)))
            }
            ExprKind::Convert(Conversion::PointerToBool, pointer) => {
                let (object, offset) = self.pointer_constant(pointer)?;
                Some(Number::Int(u64::from(object.is_some() || offset != 0)))
            }
            ExprKind::Binary(op, left, right) => self.compared_pointers(op, left, right),
            ExprKind::PointerDifference(left, right) => {
                let ((a, x), (b, y)) = (self.pointer_constant(left)?, self.pointer_constant(right)?);
                let TyKind::Pointer(pointee) = self.kind(left.ty.ty) else { return None };
                let size = self.program.types.size_of(pointee.ty)?.cast_signed();
                let quotient = x.wrapping_sub(y).checked_div(size).filter(|_| a == b)?;
                Some(Number::Int(quotient.cast_unsigned()))
            }
            _ => None,
        }
    }

    /// Copies a constant object.
    fn write_copy(&self, place: &Expr<'h>, offset: u64, data: &mut ConstantData) -> bool {
        let Some(size) = self.program.types.size_of(place.ty.ty) else { return false };
        if let ExprKind::CompoundLiteral { init, .. } = place.kind {
            return self.write_init(init, offset, data);
        }
        let Some((global, from)) = self.address(place) else { return false };
        let Some(source) = self.constant_object(global) else { return false };
        let Ok(from_index) = usize::try_from(from) else { return false };
        let Some(bytes) = source.bytes.get(from_index..from_index.saturating_add(to_usize(size))) else { return false };
        let at = to_usize(offset);
        let Some(target) = data.bytes.get_mut(at..at + bytes.len()) else { return false };
        target.copy_from_slice(bytes);
        // They are sorted.
        let from = from.cast_unsigned();
        let first = source.relocations.partition_point(|r| r.0 < from);
        let inside = source.relocations[first..].iter().take_while(|r| r.0 < from + size);
        data.relocations.extend(inside.map(|r| (r.0 - from + offset, r.1, r.2)));
        true
    }

    fn write_init(&self, init: &Init<'h>, offset: u64, data: &mut ConstantData) -> bool {
        match init {
            Init::Value(value) => self.write_constant(value, offset, data),
            Init::Parts(parts) => parts.iter().all(|part| self.write_constant(part.value, offset + part.offset, data)),
            &Init::ConstantAndParts(source, parts) => {
                self.write_init(&Init::Constant(source), offset, data)
                    && self.write_init(&Init::Parts(parts), offset, data)
            }
            Init::Constant(source) => {
                let at = to_usize(offset);
                let Some(target) = data.bytes.get_mut(at..at + source.bytes.len()) else { return false };
                target.copy_from_slice(&source.bytes);
                data.relocations.extend(source.relocations.iter().map(|r| (r.0 + offset, r.1, r.2)));
                true
            }
        }
    }

    /// The bytes of a global that can never change.
    pub(super) fn constant_object(&self, id: ModuleVariableId) -> Option<&ConstantData> {
        let global = self.program.variables.get(id)?;
        let constant = global.ty.space == AddressSpace::Constant || global.ty.quals.contains(Qualifiers::CONST);
        if constant && !global.ty.quals.contains(Qualifiers::VOLATILE) { global.init.as_ref() } else { None }
    }

    /// Object and byte offset that a pointer value points to.
    pub(super) fn address_value(&self, e: &Expr<'h>) -> Option<(ModuleVariableId, i64)> {
        match e.kind {
            ExprKind::AddressOf(place) => self.address(place),
            ExprKind::Convert(Conversion::Pointer, inner) => self.address_value(inner),
            ExprKind::PointerAdd { pointer, index, negative } => {
                let (global, offset) = self.address_value(pointer)?;
                let TyKind::Pointer(pointee) = self.kind(e.ty.ty) else { return None };
                let size = self.program.types.size_of(pointee.ty)?.cast_signed();
                let index = self.evaluated_integer(index)?.cast_signed();
                let distance = index.wrapping_mul(size);
                Some((global, if negative { offset.wrapping_sub(distance) } else { offset.wrapping_add(distance) }))
            }
            _ => None,
        }
    }

    /// Object and byte offset of a place.
    pub(super) fn address(&self, place: &Expr<'h>) -> Option<(ModuleVariableId, i64)> {
        match place.kind {
            ExprKind::ModuleVariable(id) => Some((id, 0)),
            ExprKind::Deref(pointer) => self.address_value(pointer),
            ExprKind::Field(base, index) => {
                let (global, offset) = self.address(base)?;
                let TyKind::Record(id) = self.kind(base.ty.ty) else { return None };
                let field = self.program.types.record(id).fields.as_ref()?.get(index as usize)?;
                Some((global, offset.wrapping_add(field.offset.cast_signed())))
            }
            ExprKind::Lanes(base, lanes) if lanes.count == 1 => {
                let (global, offset) = self.address(base)?;
                let (scalar, _) = self.program.types.lanes(base.ty.ty)?;
                Some((global, offset + i64::from(lanes.lanes[0]) * scalar.size().cast_signed()))
            }
            _ => None,
        }
    }

    /// The lanes of a constant arithmetic value.
    fn numbers(&self, e: &Expr<'h>) -> Option<Numbers> {
        let types = &self.program.types;
        let (scalar, lanes) = types.lanes(e.ty.ty)?;
        Some(match e.kind {
            ExprKind::Int(value) => SmallVec::from_slice(&[Number::Int(value)]),
            ExprKind::Float(value) => SmallVec::from_slice(&[Number::Float(value)]),
            ExprKind::Load(place) => self.loaded(place, scalar, lanes)?,
            ExprKind::VectorLiteral(parts) => {
                let mut all = Numbers::new();
                for part in parts {
                    all.extend(self.numbers(part)?);
                }
                all
            }
            ExprKind::Swizzle(vector, chosen) => {
                let numbers = self.numbers(vector)?;
                chosen.as_slice().iter().map(|lane| numbers.get(usize::from(*lane)).copied()).collect::<Option<_>>()?
            }
            ExprKind::Convert(Conversion::PointerToInt | Conversion::PointerToBool, _)
            | ExprKind::PointerDifference(..) => SmallVec::from_elem(self.number_of_pointers(e)?, 1),
            ExprKind::Binary(_, left, _) if matches!(self.kind(left.ty.ty), TyKind::Pointer(_)) => {
                SmallVec::from_elem(self.number_of_pointers(e)?, 1)
            }
            ExprKind::Comma(parts) => self.numbers(self.constant_comma(parts)?)?,
            ExprKind::Convert(conversion, inner) => {
                let numbers = self.numbers(inner)?;
                let (from, _) = types.lanes(inner.ty.ty)?;
                match conversion {
                    Conversion::Arithmetic => numbers.into_iter().map(|n| fold::convert(n, from, scalar)).collect(),
                    Conversion::Splat => SmallVec::from_elem(*numbers.first()?, usize::from(lanes)),
                    Conversion::Bits => reinterpret(&numbers, from, scalar, lanes)?,
                    _ => return None,
                }
            }
            ExprKind::Unary(op, inner) => {
                let (from, width) = types.lanes(inner.ty.ty)?;
                let numbers = self.numbers(inner)?;
                let result: Option<Numbers> = numbers.into_iter().map(|n| fold::unary(op, from, n)).collect();
                let truth = op == crate::hir::UnaryOp::LogicalNot && width > 1;
                if truth { truth_lanes(result?) } else { result? }
            }
            ExprKind::Binary(op, left, right) => {
                let (from, width) = types.lanes(left.ty.ty)?;
                let (a, b) = (self.numbers(left)?, self.numbers(right)?);
                let result: Option<Numbers> = a.into_iter().zip(b).map(|(a, b)| fold::binary(op, from, a, b)).collect();
                if is_truth(op) && width > 1 { truth_lanes(result?) } else { result? }
            }
            ExprKind::Logical { and, left, right } => {
                let left = is_true(&self.numbers(left)?);
                let value = if left == and { is_true(&self.numbers(right)?) } else { left };
                SmallVec::from_slice(&[Number::Int(u64::from(value))])
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let condition = is_true(&self.numbers(condition)?);
                self.numbers(if condition { then } else { otherwise })?
            }
            _ => return None,
        })
    }

    fn loaded(&self, place: &Expr<'h>, scalar: Scalar, lanes: u8) -> Option<Numbers> {
        if let ExprKind::CompoundLiteral { init: Init::Value(value), .. } = place.kind {
            return self.numbers(value);
        }
        if let ExprKind::PrivateVariable(id) = place.kind {
            return self.body.constants.get(&id).map(|value| SmallVec::from_slice(&[Number::Int(*value)]));
        }
        let (global, offset) = self.address(place)?;
        let data = self.constant_object(global)?;
        let start = usize::try_from(offset).ok()?;
        let size = to_usize(scalar.size());
        (0..usize::from(lanes))
            .map(|lane| fold::from_bytes(data.bytes.get(start.checked_add(lane * size)?..)?, scalar))
            .collect()
    }
}

fn is_truth(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Eq | Ne | Lt | Le | Gt | Ge | LogicalAnd | LogicalOr)
}

/// 1 becomes -1: truth in vectors.
fn truth_lanes(numbers: Numbers) -> Numbers {
    numbers
        .into_iter()
        .map(|number| match number {
            Number::Int(value) if value != 0 => Number::Int(u64::MAX),
            other => other,
        })
        .collect()
}

fn is_true(numbers: &Numbers) -> bool {
    match numbers.first() {
        Some(Number::Int(value)) => *value != 0,
        Some(Number::Float(value)) => *value != 0.0,
        None => false,
    }
}

fn reinterpret(numbers: &Numbers, from: Scalar, to: Scalar, lanes: u8) -> Option<Numbers> {
    let width = |scalar: Scalar| u32::try_from(scalar.size() * 8).ok();
    let (from_bits, to_bits) = (width(from)?, width(to)?);
    let bits: SmallVec<[u64; 16]> = numbers.iter().map(|number| fold::bits(*number, from)).collect();
    let lane = |index: u8| reinterpreted_lane(&bits, from_bits, to_bits, index.into());
    (0..lanes).map(|index| Some(fold::from_bits(lane(index)?, to))).collect()
}
