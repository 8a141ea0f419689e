//! Places: the address of an lvalue, its known alignment, and the lanes of it that are selected.

use super::checks::{self, Length};
use super::context::{FunctionLowering, Slot};
use super::types::{align_at, element_size, in_memory, space, value_type};
use clforge_basic::options::{AddressBits, Sanitizers};
use clforge_ir::{CompareOp, ConvertOp, Op, ScalarType, Space, Type, Value};
use clforge_sema::hir::{BinaryOp, Conversion, Expr, ExprKind, Init, Lanes, Ty, TyKind};
use clforge_syntax::ast::Qualifiers;

/// An address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pointer {
    pub value: Value,
    /// What the address is known to be a multiple of.
    pub align: u64,
    /// The alignment comes from a declaration, so that a cast to a stricter type does not raise it.
    pub declared: bool,
}

/// Part of a vector object.
#[derive(Clone, Copy, Debug)]
pub(super) enum Selection {
    Whole,
    Lanes(Lanes),
    /// One lane, known at run time; where that is not sure, whether it is there.
    Lane(Value, Option<Value>),
}

/// What an lvalue designates.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub pointer: Pointer,
    pub volatile: bool,
    /// The object's type: of the whole vector where lanes are selected.
    pub ty: Ty,
    pub selection: Selection,
}

impl Pointer {
    fn declared(value: Value, align: u64) -> Pointer {
        Pointer { value, align: align.max(1), declared: true }
    }
}

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    /// Evaluates an lvalue up to the access.
    pub fn place(&mut self, e: &'h Expr<'h>) -> Place {
        let volatile = e.ty.quals.contains(Qualifiers::VOLATILE);
        let (pointer, outer) = match e.kind {
            ExprKind::Lanes(vector, lanes) => {
                let mut place = self.place(vector);
                place.selection = self.select_lanes(place.selection, lanes);
                place.volatile |= volatile;
                return place;
            }
            ExprKind::Lane(vector, index) => {
                let mut place = self.place(vector);
                place.selection = self.select_lane(place, index);
                place.volatile |= volatile;
                return place;
            }
            ExprKind::PrivateVariable(id) => {
                let align = self.local(id).map_or(1, |local| local.align);
                (Pointer::declared(self.slot(id), align), false)
            }
            ExprKind::ModuleVariable(id) => {
                let Some(global) = self.m.program.variables.get(id) else {
                    self.internal("an unknown global");
                    return self.temporary_place(e.ty.ty);
                };
                let ty = self.pointer_type(space(global.ty.space));
                let global_id = self.m.global(id);
                let value = self.b.emit(Op::GlobalAddress(global_id), ty);
                (Pointer::declared(value, global.align), false)
            }
            ExprKind::Deref(pointer) => (self.pointed(pointer, false), false),
            ExprKind::Field(record, index) => {
                let place = self.place(record);
                (self.field(place.pointer, record.ty.ty, index), place.volatile)
            }
            ExprKind::CompoundLiteral { variable, init } => (self.compound_literal(variable, init), false),
            ExprKind::Temporary(value) => {
                let place = self.temporary_place(e.ty.ty);
                self.assign_into(place.pointer, value);
                return place;
            }
            _ => {
                let place = self.temporary_place(e.ty.ty);
                self.assign_into(place.pointer, e);
                return place;
            }
        };
        Place { pointer, volatile: volatile || outer, ty: e.ty.ty, selection: Selection::Whole }
    }

    fn temporary_place(&mut self, ty: Ty) -> Place {
        let (value, align) = self.temporary(ty);
        Place { pointer: Pointer::declared(value, align), volatile: false, ty, selection: Selection::Whole }
    }

    fn field(&mut self, base: Pointer, record: Ty, index: u32) -> Pointer {
        let TyKind::Record(id) = self.types.kind(record) else {
            self.internal("a member of something that is not a record");
            return base;
        };
        let fields = self.types.record(id).fields.as_deref().unwrap_or_default();
        self.displaced(base, fields.get(index as usize).map_or(0, |field| field.offset))
    }

    /// `base + offset` in bytes.
    pub fn displaced(&mut self, base: Pointer, offset: u64) -> Pointer {
        if offset == 0 {
            return base;
        }
        Pointer { value: self.b.offset(base.value, offset.cast_signed()), align: align_at(base.align, offset), ..base }
    }

    fn compound_literal(&mut self, local: clforge_sema::hir::PrivateVariableId, init: &'h Init<'h>) -> Pointer {
        let (align, ty) = self.local(local).map_or((1, Ty::ERROR), |local| (local.align, local.ty.ty));
        let pointer = Pointer::declared(self.slot(local), align);
        self.initialize(pointer, ty, init);
        pointer
    }

    /// Lanes of what is already a selection.
    fn select_lanes(&mut self, of: Selection, lanes: Lanes) -> Selection {
        match of {
            Selection::Whole => Selection::Lanes(lanes),
            Selection::Lanes(inner) => {
                let mut composed = lanes;
                for lane in &mut composed.lanes[..usize::from(lanes.count.min(16))] {
                    *lane = inner.as_slice().get(usize::from(*lane)).copied().unwrap_or(Lanes::ABSENT);
                }
                Selection::Lanes(composed)
            }
            Selection::Lane(..) => of,
        }
    }

    fn select_lane(&mut self, of: Place, index: &'h Expr<'h>) -> Selection {
        let index = self.lane_index(index);
        let is_vector = value_type(self.types, of.ty).is_none_or(|ty| ty.matrix().is_none());
        if let Some(constant) = self.b.function.as_int(index).filter(|_| is_vector) {
            let mut lanes = Lanes { count: 1, lanes: [0; 16] };
            lanes.lanes[0] = (constant & 15) as u8;
            let count = value_type(self.types, of.ty).map_or(1, |ty| ty.lanes);
            if constant < u64::from(count) {
                return self.select_lanes(of.selection, lanes);
            }
        }
        match of.selection {
            Selection::Whole => Selection::Lane(index, None),
            Selection::Lanes(lanes) => {
                let present = self.is_present(index, &lanes);
                let numbers: Vec<Value> =
                    lanes.readable().as_slice().iter().map(|lane| self.b.int(Type::I32, i64::from(*lane))).collect();
                let numbers = self.b.construct(&numbers);
                Selection::Lane(self.b.pure(Op::ExtractDynamic { vector: numbers, index }), present)
            }
            Selection::Lane(..) => of.selection,
        }
    }

    /// Whether a lane chosen at run time is there, where that is not sure.
    fn is_present(&mut self, index: Value, lanes: &Lanes) -> Option<Value> {
        let mut all: Option<Value> = None;
        for (at, _) in (0..).zip(lanes.as_slice()).filter(|(_, lane)| **lane == Lanes::ABSENT) {
            let at = self.b.int(Type::I32, at);
            let other = self.b.compare(CompareOp::Ne, index, at);
            all = Some(all.map_or(other, |all| self.b.binary(clforge_ir::BinaryOp::And, all, other)));
        }
        all
    }

    fn lane_index(&mut self, index: &'h Expr<'h>) -> Value {
        let value = self.value(index);
        let signed = self.is_signed(index.ty.ty);
        self.b.resize(value, ScalarType::I32, signed)
    }

    /// A pointer's value with what is known of its alignment.
    pub fn pointer(&mut self, e: &'h Expr<'h>) -> Pointer {
        match e.kind {
            ExprKind::AddressOf(object) => match object.kind {
                ExprKind::Deref(pointer) => self.pointed(pointer, true),
                _ => {
                    let place = self.place(object);
                    self.lane_address(place)
                }
            },
            ExprKind::PointerAdd { pointer, index, negative } => {
                let base = self.pointer(pointer);
                self.add_index(base, index, negative, element_size(self.types, e.ty.ty), None)
            }
            ExprKind::Convert(Conversion::Pointer, inner) => {
                let mut base = self.pointer(inner);
                let to = self.value_type(e.ty.ty);
                base.value = self.cast_pointer(base.value, to);
                if !base.declared {
                    base.align = self.pointee_align(e.ty.ty);
                }
                base
            }
            _ => {
                let value = self.value(e);
                Pointer { value, align: self.pointee_align(e.ty.ty), declared: false }
            }
        }
    }

    /// The address that is accessed through a pointer, or that is only taken: then it may be that behind the last element of
    /// an array. A sanitizer looks at the index of an array in an object; in others it is found out of range.
    fn pointed(&mut self, e: &'h Expr<'h>, is_taken: bool) -> Pointer {
        let ExprKind::PointerAdd { pointer, index, negative: false } = e.kind else { return self.pointer(e) };
        let length = self.length_inside(pointer).map(|count| Length { count, may_be_end: is_taken });
        let base = match pointer.kind {
            ExprKind::AddressOf(Expr { kind: ExprKind::Deref(outer), .. }) => self.pointed(outer, is_taken),
            _ => self.pointer(pointer),
        };
        self.add_index(base, index, false, element_size(self.types, e.ty.ty), length)
    }

    /// The length of an array that is part of an object, where it is looked at. An array of one may stand for one of any length
    /// at the end of a structure.
    fn length_inside(&self, pointer: &'h Expr<'h>) -> Option<u64> {
        let ExprKind::AddressOf(object) = pointer.kind else { return None };
        let is_inside = matches!(object.kind, ExprKind::Deref(_) | ExprKind::Field(..));
        match self.types.kind(object.ty.ty) {
            TyKind::Array(_, count) if is_inside && checks::looks_for(self.m.options, Sanitizers::UNDEFINED) => {
                count.filter(|count| *count > 1)
            }
            _ => None,
        }
    }

    fn pointee_align(&self, pointer: Ty) -> u64 {
        match self.types.kind(pointer) {
            TyKind::Pointer(pointee) => self.types.align_of(pointee.ty),
            _ => 1,
        }
    }

    /// The address of a place; of selected lanes, that of the first.
    fn lane_address(&mut self, place: Place) -> Pointer {
        let bytes = value_type(self.types, place.ty).map_or(1, |ty| in_memory(ty).scalar.bytes());
        match place.selection {
            Selection::Whole => place.pointer,
            Selection::Lanes(lanes) => {
                let lane = lanes.readable().as_slice().first().copied().unwrap_or(0);
                self.displaced(place.pointer, u64::from(lane) * bytes)
            }
            Selection::Lane(index, _) => {
                let value = self.b.ptr_add(place.pointer.value, index, bytes.cast_signed());
                Pointer { value, align: align_at(place.pointer.align, bytes), ..place.pointer }
            }
        }
    }

    /// A pointer in another address space.
    pub fn cast_pointer(&mut self, value: Value, to: Type) -> Value {
        let from = self.b.ty(value);
        if from == to || from.space().is_none() || to.space().is_none() {
            return value;
        }
        if from.space() != Some(Space::Generic) && to.space() != Some(Space::Generic) {
            let generic = self.b.convert(ConvertOp::PtrCast, value, from.in_space(Space::Generic));
            return self.b.convert(ConvertOp::PtrCast, generic, to);
        }
        self.b.convert(ConvertOp::PtrCast, value, to)
    }

    /// `base ± index` in elements of `size` bytes; the index of an array of a length that is looked at.
    pub fn add_index(
        &mut self,
        base: Pointer,
        index: &'h Expr<'h>,
        negative: bool,
        size: u64,
        length: Option<Length>,
    ) -> Pointer {
        let (index, constant) = split_index(self, index);
        let stride = if negative { size.cast_signed().wrapping_neg() } else { size.cast_signed() };
        let displacement = constant.wrapping_mul(stride);
        let mut align = align_at(base.align, displacement.unsigned_abs());
        let index = index.map(|index| self.index_value(index));
        if let (Some(index), Some(length)) = (index, length) {
            checks::index(&mut self.b, index, constant, length);
        }
        let value = match index.map(|index| (index, self.b.function.as_int(index))) {
            _ if size == 0 => base.value,
            None if displacement == 0 => base.value,
            None => self.b.offset(base.value, displacement),
            Some((index, Some(bits))) => {
                let number = clforge_ir::constant::sign_extend(self.b.ty(index).scalar, bits);
                let displacement = displacement.wrapping_add(number.wrapping_mul(stride));
                align = align_at(base.align, displacement.unsigned_abs());
                if displacement == 0 { base.value } else { self.b.offset(base.value, displacement) }
            }
            Some((index, None)) => {
                align = align_at(align, size);
                self.b.pure(Op::PtrAdd { base: base.value, index: Some(index), stride, displacement })
            }
        };
        Pointer { value, align, ..base }
    }

    /// An index as signed `i32` or `i64`.
    fn index_value(&mut self, index: &'h Expr<'h>) -> Value {
        let value = self.value(index);
        let signed = self.is_signed(index.ty.ty);
        let ty = self.b.ty(value);
        match ty.scalar {
            ScalarType::I64 => value,
            // Addresses of 32 bits wrap as their indices do.
            ScalarType::I32 if signed || self.types.address_bits == AddressBits::Bits32 => value,
            ScalarType::I32 => self.b.resize(value, ScalarType::I64, false),
            ScalarType::Bool => self.b.convert(ConvertOp::ZExt, value, Type::I32),
            _ => self.b.resize(value, ScalarType::I32, signed),
        }
    }

    /// Reads a place that is not a record.
    pub fn load(&mut self, place: Place) -> Value {
        let ty = self.value_type(place.ty);
        let Pointer { value: ptr, align, .. } = place.pointer;
        match place.selection {
            Selection::Lane(index, _) if !self.is_private(place) => {
                let lane = in_memory(ty).lane();
                let ptr = self.b.ptr_add(ptr, index, lane.scalar.bytes().cast_signed());
                let value = self.load_at(ptr, lane, align_at(align, lane.scalar.bytes()), place.volatile);
                self.loaded(value, ty)
            }
            selection => {
                let whole = self.load_at(ptr, in_memory(ty), align, place.volatile);
                let whole = self.loaded(whole, ty);
                match selection {
                    Selection::Whole => whole,
                    Selection::Lanes(lanes) => self.b.shuffle(whole, whole, lanes.readable().as_slice()),
                    Selection::Lane(index, _) => self.extract_at(whole, index),
                }
            }
        }
    }

    /// Writes a place that is not a record. Lanes that are not selected are not touched where others may see them.
    pub fn store(&mut self, place: Place, value: Value) {
        let ty = self.value_type(place.ty);
        let Pointer { value: ptr, align, .. } = place.pointer;
        let bytes = in_memory(ty).scalar.bytes();
        if let Selection::Whole = place.selection {
            let value = self.memory_value(value);
            return self.store_at(ptr, value, align, place.volatile);
        }
        if self.is_private(place) {
            let old = self.load_at(ptr, in_memory(ty), align, false);
            let new = match place.selection {
                Selection::Lane(index, present) => {
                    let new = self.insert_at(old, index, value);
                    present.map_or(new, |present| self.b.select(present, new, old))
                }
                Selection::Lanes(lanes) => self.insert_lanes(old, value, lanes),
                Selection::Whole => value,
            };
            return self.store_at(ptr, new, align, false);
        }
        match place.selection {
            Selection::Lane(index, present) => {
                let ptr = self.b.ptr_add(ptr, index, bytes.cast_signed());
                let put = |this: &mut Self| this.store_at(ptr, value, align_at(align, bytes), place.volatile);
                match present {
                    Some(present) => self.if_else(present, put, |_| {}),
                    None => put(self),
                }
            }
            Selection::Lanes(lanes) => {
                for (from, to) in present(&lanes) {
                    let lane = self.b.extract(value, from);
                    let at = self.displaced(place.pointer, u64::from(to) * bytes);
                    self.store_at(at.value, lane, at.align, place.volatile);
                }
            }
            Selection::Whole => {}
        }
    }

    fn insert_lanes(&mut self, old: Value, value: Value, lanes: Lanes) -> Value {
        let mut new = old;
        for (from, to) in present(&lanes) {
            let lane = self.b.extract(value, from);
            new = self.b.insert(new, lane, to);
        }
        new
    }

    /// Whether a whole vector may be read and written back to change some lanes.
    fn is_private(&self, place: Place) -> bool {
        !place.volatile && self.b.ty(place.pointer.value).space() == Some(Space::Private)
    }

    fn loaded(&mut self, value: Value, ty: Type) -> Value {
        if ty.scalar != ScalarType::Bool {
            return value;
        }
        let zero = self.b.int(in_memory(ty), 0);
        self.b.compare(CompareOp::Ne, value, zero)
    }

    /// The handle a parameter holds for good.
    pub fn fixed_handle(&self, e: &Expr<'h>) -> Option<Value> {
        let ExprKind::PrivateVariable(id) = e.kind else { return None };
        match self.slots.get(id)? {
            Slot::Value(value) => Some(*value),
            Slot::Memory(_) => None,
        }
    }

    /// The sampler a program-scope or `constant` sampler is: its bits are known.
    pub fn literal_sampler(&mut self, e: &Expr<'h>) -> Option<Value> {
        let ExprKind::ModuleVariable(id) = e.kind else { return None };
        let global = self.m.program.variables.get(id)?;
        if self.types.kind(global.ty.ty) != TyKind::Sampler {
            return None;
        }
        let bits = global.init.as_ref().and_then(|data| data.bytes.first_chunk());
        let bits = bits.map_or(0, |bytes| u32::from_le_bytes(*bytes));
        let ty = self.value_type(global.ty.ty);
        Some(self.b.emit(Op::Sampler(bits), ty))
    }

    pub fn is_signed(&self, ty: Ty) -> bool {
        super::types::lanes(self.types, ty).is_some_and(|(scalar, _)| super::types::is_signed(scalar))
    }
}

/// An index as a term and a constant. Widening a signed term needs no instruction, and an added constant goes to the
/// displacement: `int` arithmetic that overflows is undefined, and 64-bit arithmetic wraps as addresses do.
fn split_index<'h>(cx: &FunctionLowering<'_, '_, '_, 'h>, index: &'h Expr<'h>) -> (Option<&'h Expr<'h>>, i64) {
    let mut index = index;
    if checks::looks_for(cx.m.options, Sanitizers::OVERFLOW) {
        return (Some(index), 0);
    }
    while let ExprKind::Convert(Conversion::Arithmetic, inner) = index.kind {
        let (to, from) = (cx.types.lanes(index.ty.ty), cx.types.lanes(inner.ty.ty));
        let (Some((clforge_sema::hir::Scalar::Int(to), 1)), Some((clforge_sema::hir::Scalar::Int(from), 1))) =
            (to, from)
        else {
            break;
        };
        // Every value must be kept, or be cut only above the bits of an address.
        let is_kept = match cx.types.address_bits {
            AddressBits::Bits32 => to.bits() >= 32,
            AddressBits::Bits64 => to.bits() == 64 && (from.is_signed() || from.bits() < to.bits()),
        };
        if !is_kept {
            break;
        }
        index = inner;
    }
    match index.kind {
        ExprKind::Int(value) => return (None, value.cast_signed()),
        ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right)
            if cx.is_signed(index.ty.ty) || cx.size_of(index.ty.ty) >= u64::from(cx.types.address_bits.bytes()) =>
        {
            if let ExprKind::Int(value) = right.kind {
                let value = value.cast_signed();
                return (Some(left), if op == BinaryOp::Sub { value.wrapping_neg() } else { value });
            }
        }
        _ => {}
    }
    (Some(index), 0)
}

/// The lanes of a value to store, with their destinations.
fn present(lanes: &Lanes) -> impl Iterator<Item = (u8, u8)> {
    let places = (0..).zip(lanes.as_slice().iter().copied());
    places.filter(|(_, to)| *to != Lanes::ABSENT)
}
