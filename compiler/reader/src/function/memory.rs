//! Addresses, loads, stores and copies.

use super::{FunctionReader, Item, Known, Parts};
use crate::decode::Instruction;
use crate::error::Result;
use crate::types::{Kind, MAX_SIZE};
use clforge_basic::narrow::{to_i64, to_u8, to_u32};
use clforge_ir::{BinaryOp, CompareOp, LoopHint, Op as Inst, ScalarType, Space, Type, Value, Values, constant};
use rspirv::spirv::{Decoration, MemoryAccess, Op};

/// Most units of a copy that is not a loop.
const MAX_UNROLLED: u64 = 32;
/// Most scalars of a copy that goes by the object's type.
const MAX_PARTS: u64 = 64;

/// The alignment of a byte of an object.
pub fn align_at(align: u64, offset: u64) -> u64 {
    if offset == 0 { align } else { align.min(1 << offset.trailing_zeros()) }
}

/// How memory is accessed.
#[derive(Clone, Copy)]
struct Access {
    align: u64,
    volatile: bool,
}

/// Whether the first index of an access chain counts whole objects.
fn steps(op: Op) -> bool {
    matches!(
        op,
        Op::PtrAccessChain
            | Op::InBoundsPtrAccessChain
            | Op::UntypedPtrAccessChainKHR
            | Op::UntypedInBoundsPtrAccessChainKHR
    )
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// The memory operands of an instruction from an index on; `natural` is the alignment without them.
    fn access(&self, at: &Instruction<'w>, index: usize, natural: u64) -> Result<Access> {
        let Some(mask) = at.optional(index) else { return Ok(Access { align: natural, volatile: false }) };
        let mask = MemoryAccess::from_bits_truncate(mask);
        let align = match mask.contains(MemoryAccess::ALIGNED) {
            true => u64::from(at.operand(index + 1)?),
            false => natural,
        };
        if !align.is_power_of_two() {
            return Err(at.invalid(format!("the alignment {align}")));
        }
        Ok(Access { align, volatile: mask.contains(MemoryAccess::VOLATILE) })
    }

    /// A pointer operand.
    pub fn pointer(&mut self, at: &Instruction<'w>, index: usize) -> Result<Value> {
        let value = self.operand(at, index)?;
        match self.b.ty(value).space() {
            Some(_) => Ok(value),
            None => Err(at.invalid(format!("operand {index} is no pointer"))),
        }
    }

    /// The parts of an object of a type at an address.
    pub fn load_parts(
        &mut self,
        at: &Instruction<'w>,
        address: Value,
        ty: u32,
        align: u64,
        volatile: bool,
    ) -> Result<Parts> {
        let leaves = self.m.tables.types.leaves(at, ty)?;
        let mut parts = Parts::new();
        for leaf in leaves {
            let place = self.b.offset(address, to_i64(leaf.offset));
            parts.push(self.load(place, leaf.ty, align_at(align, leaf.offset), volatile));
        }
        Ok(parts)
    }

    /// Stores the parts of an object of a type, aligned as its type is.
    pub fn store_parts(&mut self, at: &Instruction<'w>, address: Value, ty: u32, parts: Parts) -> Result<()> {
        let access = Access { align: self.m.tables.types.get(at, ty)?.align, volatile: false };
        self.store_at(at, address, ty, parts, access)
    }

    fn store_at(&mut self, at: &Instruction<'w>, address: Value, ty: u32, parts: Parts, access: Access) -> Result<()> {
        let leaves = self.m.tables.types.leaves(at, ty)?;
        for (leaf, part) in leaves.into_iter().zip(parts) {
            let place = self.b.offset(address, to_i64(leaf.offset));
            self.store(place, part, align_at(access.align, leaf.offset), access.volatile);
        }
        Ok(())
    }

    /// `OpLoad`.
    pub fn load_instruction(&mut self, at: &Instruction<'w>) -> Result<()> {
        if let Item::BuiltIn(built_in, component) = self.known(at, at.operand(0)?)?.item {
            return self.load_built_in(at, built_in, component);
        }
        if let Item::Component { address, ty, index } = self.known(at, at.operand(0)?)?.item {
            let parts = self.load_parts(at, address, ty, 8, false)?;
            let matrix = parts.first().copied().ok_or_else(|| at.invalid("a matrix without a value"))?;
            let value = self.matrix_component(matrix, index);
            return self.define_value(at, value);
        }
        let address = self.pointer(at, 0)?;
        let natural = self.m.tables.types.get(at, at.ty)?.align;
        let access = self.access(at, 1, natural)?;
        self.check_access(at, 0, at.ty)?;
        let mut parts = self.load_parts(at, address, at.ty, access.align, access.volatile)?;
        if let [part] = &mut parts[..] {
            *part = self.narrowed(*part, at.ty, self.b.ty(*part));
        }
        self.define(at, Item::Parts(parts));
        Ok(())
    }

    /// `OpStore`.
    pub fn store_instruction(&mut self, at: &Instruction<'w>) -> Result<()> {
        if let Item::Component { address, ty, index } = self.known(at, at.operand(0)?)?.item {
            let parts = self.load_parts(at, address, ty, 8, false)?;
            let matrix = parts.first().copied().ok_or_else(|| at.invalid("a matrix without a value"))?;
            let scalar = self.operand(at, 1)?;
            let changed = self.with_component(at, matrix, index, scalar)?;
            self.store(address, changed, 8, false);
            return Ok(());
        }
        let (address, value) = (self.pointer(at, 0)?, at.operand(1)?);
        let ty = self.known(at, value)?.ty;
        let natural = self.m.tables.types.get(at, ty)?.align;
        let access = self.access(at, 2, natural)?;
        self.check_access(at, 0, ty)?;
        let parts = self.parts_of(at, value, ty)?;
        self.store_at(at, address, ty, parts, access)
    }

    /// `OpSizeOf`: the bytes of what a pointer points to.
    pub fn size_of(&mut self, at: &Instruction<'w>) -> Result<()> {
        let pointee = self.pointee(at, at.operand(0)?)?;
        let pointee = pointee.ok_or_else(|| at.invalid("the size of what a pointer without a type points to"))?;
        let size = match self.m.tables.types.meant(pointee) {
            Some(meant) => meant.size,
            None => self.m.tables.types.get(at, pointee)?.size,
        };
        let ty = self.m.tables.types.value(at, at.ty)?;
        if ty != Type::I32 || size > u64::from(u32::MAX) {
            return Err(at.invalid(format!("a size of {size} bytes as a value of type {ty}")));
        }
        let value = self.b.int(ty, to_i64(size));
        self.define_value(at, value)
    }

    /// `OpVariable` in a function: its object is there already.
    pub fn initialize(&mut self, at: &Instruction<'w>) -> Result<()> {
        let place = if at.op == Op::Variable { 1 } else { 2 };
        let Some(value) = at.optional(place) else { return Ok(()) };
        let address = self.value(at, at.result)?;
        let ty = self.known(at, value)?.ty;
        let parts = self.parts_of(at, value, ty)?;
        let (size, _) = self.m.object(at)?;
        if self.m.tables.types.get(at, ty)?.size > size {
            return Err(at.invalid("an initial value that is larger than its variable"));
        }
        self.store_parts(at, address, ty, parts)
    }

    /// The access chains: an address and indices, the first of which counts whole objects in `…PtrAccessChain`.
    pub fn address(&mut self, at: &Instruction<'w>) -> Result<()> {
        let untyped = super::instruction::is_untyped_address(at.op);
        let base = if untyped { 1 } else { 0 };
        if let Item::BuiltIn(built_in, None) = self.known(at, at.operand(base)?)?.item {
            let component = self.component_of(at, base, untyped)?;
            self.define(at, Item::BuiltIn(built_in, component));
            return Ok(());
        }
        let mut address = self.pointer(at, base)?;
        let mut ty = match untyped {
            true => {
                self.check_untyped(at, at.operand(0)?)?;
                at.operand(0)?
            }
            false => {
                let pointee = self.pointee(at, at.operand(0)?)?;
                pointee.ok_or_else(|| at.invalid("a pointer without a type is indexed"))?
            }
        };
        if !untyped && self.counts_bytes(at, ty)? {
            let index = self.index_of(at, 2)?;
            let address = self.step(address, index, 1);
            return self.define_value(at, address);
        }
        let mut next = base + 1;
        if steps(at.op) {
            let size = self.m.tables.types.get(at, ty)?.size;
            let index = self.index_of(at, next)?;
            address = self.step(address, index, size);
            next += 1;
        }
        for place in next..at.operands.len() {
            if self.m.tables.types.matrix(ty).is_some() {
                return self.component_address(at, (address, ty), place);
            }
            (address, ty) = self.member(at, address, ty, place)?;
        }
        self.define_value(at, address)
    }

    /// Whether the index of an array's element is a number of bytes, as LLVM's own back end (22) has it in constants: the result
    /// points to a byte, and the elements are none. Such an instruction is not valid otherwise.
    fn counts_bytes(&mut self, at: &Instruction<'w>, ty: u32) -> Result<bool> {
        let types = &self.m.tables.types;
        let (Kind::Array { element, .. }, [_, _, _]) = (&types.get(at, ty)?.kind, at.operands) else {
            return Ok(false);
        };
        let kind = |id: u32| types.find(id).map(|info| &info.kind);
        let byte = Some(&Kind::Value(Type::I8));
        let Some(Kind::Pointer { pointee: Some(pointee), .. }) = kind(at.ty) else { return Ok(false) };
        let is_mixed = kind(*pointee) == byte && kind(*element) != byte;
        Ok(is_mixed && steps(at.op) && self.constant_operand(at, 1)? == Some(0))
    }

    /// The component of a built-in variable that an address names, if it names one: by an index, by a number of components, or
    /// by bytes.
    fn component_of(&mut self, at: &Instruction<'w>, base: usize, untyped: bool) -> Result<Option<Value>> {
        if !steps(at.op) {
            return self.index_of(at, base + 1).map(Some);
        }
        let pointee = if untyped { Some(at.operand(0)?) } else { self.pointee(at, at.operand(base)?)? };
        let pointee = pointee.map(|ty| self.m.tables.types.value(at, ty)).transpose()?;
        let first = self.index_of(at, base + 1)?;
        let number = self.b.function.as_int(first);
        match pointee {
            Some(ty) if ty.is_vector() && number == Some(0) => match at.operands.len() > base + 2 {
                true => self.index_of(at, base + 2).map(Some),
                false => Ok(None),
            },
            // Components are as wide as addresses.
            Some(Type::I8) if number.is_some() => {
                let bytes = if self.m.tables.types.narrow { 4 } else { 8 };
                let component = number.map_or(0, |number| number / bytes);
                Ok(Some(self.b.int(Type::I32, to_i64(component))))
            }
            Some(ty) if !ty.is_vector() && ty.scalar.is_int() => Ok(Some(first)),
            _ => Err(at.unsupported("an address beside a built-in variable")),
        }
    }

    /// An index, signed, in 32 or 64 bits.
    fn index_of(&mut self, at: &Instruction<'w>, place: usize) -> Result<Value> {
        let index = self.operand(at, place)?;
        let ty = self.b.ty(index);
        if !ty.scalar.is_int() || ty.is_vector() {
            return Err(at.invalid(format!("operand {place} is no integer")));
        }
        Ok(if ty.scalar.bits() < 32 { self.b.resize(index, ScalarType::I32, true) } else { index })
    }

    /// `address + index * size`.
    fn step(&mut self, address: Value, index: Value, size: u64) -> Value {
        let ty = self.b.ty(index);
        match self.b.function.as_int(index) {
            Some(bits) => {
                let offset = constant::sign_extend(ty.scalar, bits).wrapping_mul(to_i64(size));
                self.b.offset(address, offset)
            }
            None => self.b.ptr_add(address, index, to_i64(size)),
        }
    }

    /// The address of a member, and its type.
    fn member(&mut self, at: &Instruction<'w>, address: Value, ty: u32, place: usize) -> Result<(Value, u32)> {
        match self.m.tables.types.get(at, ty)?.kind {
            Kind::Array { element, .. } => {
                let size = self.m.tables.types.get(at, element)?.size;
                let index = self.index_of(at, place)?;
                Ok((self.step(address, index, size), element))
            }
            Kind::Struct { .. } => {
                let index = self.constant_operand(at, place)?;
                let index = index.ok_or_else(|| at.invalid("a member of a structure by no constant"))?;
                let (member, offset, _) = self.m.tables.types.member(at, ty, index)?;
                Ok((self.b.offset(address, to_i64(offset)), member))
            }
            Kind::Value(vector) if vector.scalar.is_int() || vector.scalar.is_float() => {
                let index = self.index_of(at, place)?;
                // The type of a component has no id here that is needed: nothing can be inside of it.
                Ok((self.step(address, index, vector.scalar.bytes()), 0))
            }
            _ => Err(at.invalid(format!("%{ty} has no members"))),
        }
    }

    /// `OpCopyMemory` and `OpCopyMemorySized`.
    pub fn copy_memory(&mut self, at: &Instruction<'w>) -> Result<()> {
        let (target, source) = (self.pointer(at, 0)?, self.pointer(at, 1)?);
        let types = [self.object_type(at, 0)?, self.object_type(at, 1)?];
        if at.op == Op::CopyMemory {
            let ty = types[0].or(types[1]).ok_or_else(|| at.invalid("a copy of an unknown size"))?;
            let info = self.m.tables.types.get(at, ty)?;
            let (natural, size) = (info.align, info.size);
            let access = self.access(at, 2, natural)?;
            self.copy(target, source, size, access);
            return Ok(());
        }
        let access = self.access(at, 3, 1)?;
        let size = self.operand(at, 2)?;
        let ty = self.b.ty(size);
        if !ty.scalar.is_int() || ty.is_vector() {
            return Err(at.invalid("a size that is no integer"));
        }
        let Some(size) = self.b.function.as_int(size) else {
            let count = self.b.resize(size, ScalarType::I64, false);
            self.copy_loop(target, source, count, access);
            return Ok(());
        };
        if size > MAX_SIZE {
            return Err(at.limit(format!("a copy of {size} bytes")));
        }
        let size = self.copied_bytes(at, types, size)?;
        // An object without gaps is copied by its parts, which keeps its pointers and numbers visible as such.
        for ty in types.into_iter().flatten() {
            let info = self.m.tables.types.get(at, ty)?;
            if info.size == size && info.dense && info.leaves <= MAX_PARTS && self.is_plain(at, ty)? {
                let parts = self.load_parts(at, source, ty, access.align, access.volatile)?;
                return self.store_at(at, target, ty, parts, access);
            }
        }
        self.copy(target, source, size, access);
        Ok(())
    }

    /// `OpUntypedPrefetchKHR`: a hint.
    pub fn prefetch(&mut self, at: &Instruction<'w>) -> Result<()> {
        self.pointer(at, 0)?;
        self.index(at, 1, Type::I64).map(drop)
    }

    /// Makes a parameter that is the address of an object that of a copy of it.
    pub fn copy_parameter(&mut self, param: &Instruction<'w>) -> Result<()> {
        let source = self.value(param, param.result)?;
        let Some(ty) = self.pointee(param, param.result)?.filter(|_| self.b.ty(source) == Type::ptr(Space::Private))
        else {
            return Err(param.unsupported("a parameter by value that is no private pointer with a type"));
        };
        let info = self.m.tables.types.get(param, ty)?.clone();
        let declared = self.m.tables.fact(param.result, Decoration::Alignment).and_then(|operands| operands.first());
        let align = declared.map_or(info.align, |align| u64::from(*align));
        let access = Access { align: if align.is_power_of_two() { align } else { 1 }, volatile: false };
        let target = self.alloca(info.size, access.align);
        if info.dense && info.leaves <= MAX_PARTS && self.is_plain(param, ty)? {
            let parts = self.load_parts(param, source, ty, access.align, false)?;
            self.store_at(param, target, ty, parts, access)?;
        } else {
            self.copy(target, source, info.size, access);
        }
        let item = Item::Parts(Parts::from_slice(&[target]));
        self.fixed.insert(param.result, Known { ty: param.ty, item });
        Ok(())
    }

    /// Whether all bits of a type's values are kept when they are loaded and stored.
    fn is_plain(&self, at: &Instruction<'w>, ty: u32) -> Result<bool> {
        let leaves = self.m.tables.types.leaves(at, ty)?;
        Ok(leaves.iter().all(|leaf| leaf.ty.scalar != ScalarType::Bool))
    }

    /// The type of the object behind a pointer operand, also where the pointer was cast from one to it.
    fn object_type(&mut self, at: &Instruction<'w>, index: usize) -> Result<Option<u32>> {
        let id = at.operand(index)?;
        let id = self.graph.uncast.get(&id).copied().unwrap_or(id);
        let ty = self.graph.types.get(&id).copied();
        let ty = ty.or_else(|| self.m.type_of(id)).and_then(|ty| self.m.tables.types.find(ty));
        Ok(match ty.map(|info| &info.kind) {
            Some(Kind::Pointer { pointee, .. }) => *pointee,
            _ => None,
        })
    }

    fn copy(&mut self, target: Value, source: Value, size: u64, access: Access) {
        let unit = access.align.min(8);
        let units = size / unit;
        if units > MAX_UNROLLED {
            let count = self.b.int(Type::I64, to_i64(size));
            return self.copy_loop(target, source, count, access);
        }
        // Everything is loaded first: LLVM's own back end has such copies for `memmove` too.
        let (mut loaded, mut offset) = (Vec::new(), 0);
        while offset < size {
            let unit = unit.min(1 << (size - offset).ilog2());
            let ty = Type::scalar(ScalarType::int(to_u32(unit) * 8));
            let from = self.b.offset(source, to_i64(offset));
            loaded.push((offset, unit, self.load(from, ty, unit, access.volatile)));
            offset += unit;
        }
        for (offset, unit, value) in loaded {
            let to = self.b.offset(target, to_i64(offset));
            self.store(to, value, unit, access.volatile);
        }
    }

    /// Copies so many bytes: by the widest words that the alignment allows, and the rest by bytes.
    fn copy_loop(&mut self, target: Value, source: Value, bytes: Value, access: Access) {
        let unit = access.align.clamp(1, 8);
        let words = self.b.binary_int(BinaryOp::LShr, bytes, i64::from(unit.trailing_zeros()));
        self.loop_of(target, source, words, unit, access);
        if unit == 1 {
            return;
        }
        let rest = self.b.binary_int(BinaryOp::And, bytes, to_i64(unit - 1));
        let done = self.b.binary(BinaryOp::Sub, bytes, rest);
        let [target, source] = [target, source].map(|base| self.b.ptr_add(base, done, 1));
        self.loop_of(target, source, rest, 1, access);
    }

    fn loop_of(&mut self, target: Value, source: Value, count: Value, unit: u64, access: Access) {
        if self.b.function.as_int(count) == Some(0) {
            return;
        }
        let ty = Type::scalar(ScalarType::int(to_u32(unit) * 8));
        let zero = self.b.int(Type::I64, 0);
        let body = self.b.function.new_region();
        let index = self.b.function.add_region_param(body, Type::I64);
        self.b.enter(body);
        let more = self.b.compare(CompareOp::ULt, index, count);
        let then = self.b.nested(|b| b.effect(Inst::Yield(Values::new())));
        let otherwise = self.b.nested(|b| b.effect(Inst::Break(Values::new())));
        self.b.effect(Inst::If { condition: more, then, otherwise });
        let [from, to] = [source, target].map(|base| self.b.ptr_add(base, index, to_i64(unit)));
        let value = self.load(from, ty, unit, access.volatile);
        self.store(to, value, unit, access.volatile);
        self.b.effect(Inst::Continue(Values::from_slice(&[index])));
        self.b.leave();
        let continuing = self.b.function.new_region();
        let index = self.b.function.add_region_param(continuing, Type::I64);
        self.b.enter(continuing);
        let next = self.b.binary_int(BinaryOp::Add, index, 1);
        self.b.effect(Inst::Next(Values::from_slice(&[next])));
        self.b.leave();
        let inits = Values::from_slice(&[zero]);
        self.b.effect(Inst::Loop { inits, body, continuing, hint: LoopHint::None });
    }

    /// `OpUndef` in a function.
    pub fn undefined(&mut self, at: &Instruction<'w>) -> Result<()> {
        let leaves = self.m.tables.types.leaves(at, at.ty)?;
        let odd = self.m.tables.types.width(at.ty).is_some();
        let make = |this: &mut Self, ty| if odd { this.b.int(ty, 0) } else { this.b.undef(ty) };
        let parts = leaves.iter().map(|leaf| make(self, leaf.ty)).collect();
        self.define(at, Item::Parts(parts));
        Ok(())
    }

    /// A component of a constant or computed vector of three.
    pub fn component(&mut self, vector: Value, index: Option<Value>) -> Value {
        let Some(index) = index else { return vector };
        match self.b.function.as_int(index) {
            Some(lane) if lane < u64::from(self.b.ty(vector).lanes) => self.b.extract(vector, to_u8(lane)),
            Some(_) => {
                let ty = self.b.ty(vector).lane();
                self.b.undef(ty)
            }
            None => {
                let index = self.b.resize(index, ScalarType::I32, true);
                self.b.pure(Inst::ExtractDynamic { vector, index })
            }
        }
    }
}
