//! Initialisers of local objects.

use super::context::FunctionLowering;
use super::place::Pointer;
use super::record::MAX_LEAVES;
use super::types::{Leaf, leaves, space};
use clforge_ir::{Constant, Op, ScalarType, Type, Value};
use clforge_sema::hir::{ConstantData, Init, InitPart, Ty};

/// Constants of more bytes than that are copied from a constant object.
const MAX_DIRECT_BYTES: usize = 256;

/// A larger object with at most that many scalars that are not zero is filled with zeros first.
const MAX_SPARSE: usize = 16;

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    pub fn initialize(&mut self, to: Pointer, ty: Ty, init: &'h Init<'h>) {
        match init {
            Init::Value(value) => self.assign_into(to, value),
            Init::Parts(parts) => self.initialize_parts(to, ty, parts),
            Init::Constant(data) => self.initialize_constant(to, ty, data),
            Init::ConstantAndParts(data, parts) => {
                self.initialize_constant(to, ty, data);
                self.assign_parts(to, parts);
            }
        }
    }

    fn initialize_parts(&mut self, to: Pointer, ty: Ty, parts: &'h [InitPart<'h>]) {
        let mut covered: Vec<(u64, u64)> =
            parts.iter().map(|part| (part.offset, part.offset + self.size_of(part.value.ty.ty))).collect();
        covered.sort_unstable();
        // A part may override one before it, but always of the same subobject or around it.
        self.zero(to, ty, &|offset, size| {
            let next = covered.partition_point(|(start, _)| *start <= offset);
            covered[..next].iter().rev().take(4).any(|(_, end)| *end >= offset + size)
        });
        self.assign_parts(to, parts);
    }

    fn assign_parts(&mut self, to: Pointer, parts: &'h [InitPart<'h>]) {
        for part in parts {
            let at = self.displaced(to, part.offset);
            self.assign_into(at, part.value);
        }
    }

    fn initialize_constant(&mut self, to: Pointer, ty: Ty, data: &'h ConstantData) {
        if data.is_sampler {
            return self.internal("a sampler in a record");
        }
        if data.bytes.len() <= MAX_DIRECT_BYTES
            && let Some(leaves) = leaves(self.types, ty, MAX_LEAVES)
        {
            return self.store_leaves(to, &leaves, data);
        }
        if data.relocations.is_empty()
            && let Some(leaves) = self.nonzero_leaves(ty, data)
        {
            self.zero(to, ty, &|_, _| false);
            return self.store_leaves(to, &leaves, data);
        }
        let global = self.m.constant_data(data, self.types.align_of(ty), self.b.span);
        let pointer = self.pointer_type(clforge_ir::Space::Constant);
        let from = self.b.emit(Op::GlobalAddress(global), pointer);
        let from = Pointer { value: from, align: self.types.align_of(ty), declared: true };
        self.copy(to, from, ty, false, false);
    }

    /// The scalars of a large object that are not zero, if they are few.
    fn nonzero_leaves(&self, ty: Ty, data: &ConstantData) -> Option<Vec<Leaf>> {
        if data.bytes.iter().filter(|byte| **byte != 0).count() > MAX_SPARSE * 8 {
            return None;
        }
        let mut leaves = leaves(self.types, ty, data.bytes.len())?;
        leaves.retain(|leaf| (0..leaf.ty.access_size()).any(|byte| byte_at(data, leaf.offset + byte) != 0));
        (leaves.len() <= MAX_SPARSE).then_some(leaves)
    }

    fn store_leaves(&mut self, to: Pointer, leaves: &[Leaf], data: &ConstantData) {
        for leaf in leaves {
            let value = self.constant_leaf(leaf, data);
            let at = self.displaced(to, leaf.offset);
            self.store_at(at.value, value, at.align, false);
        }
    }

    /// A scalar or vector of constant bytes.
    fn constant_leaf(&mut self, leaf: &Leaf, data: &ConstantData) -> Value {
        let word = ScalarType::int(8 * self.types.address_bits.bytes());
        if (leaf.ty.space().is_some() || leaf.ty.scalar == word)
            && let Some((_, target, addend)) = data.relocations.iter().find(|(offset, ..)| *offset == leaf.offset)
        {
            return self.relocated(leaf.ty, *target, *addend);
        }
        let bytes = leaf.ty.scalar.bytes();
        let lanes = (0..u64::from(leaf.ty.lanes)).map(|lane| {
            let at = leaf.offset + lane * bytes;
            (0..bytes).fold(0, |bits, byte| bits | u64::from(byte_at(data, at + byte)) << (8 * byte))
        });
        let constant = Constant::Bits { ty: leaf.ty, lanes: lanes.collect() };
        self.b.function.constant(constant)
    }

    fn relocated(&mut self, ty: Type, target: clforge_sema::hir::ModuleVariableId, addend: i64) -> Value {
        let space =
            self.m.program.variables.get(target).map_or(clforge_ir::Space::Constant, |global| space(global.ty.space));
        let global = self.m.global(target);
        let pointer = self.pointer_type(space);
        let address = self.b.emit(Op::GlobalAddress(global), pointer);
        let address = if addend == 0 { address } else { self.b.offset(address, addend) };
        if ty.scalar.is_int() {
            return self.b.convert(clforge_ir::ConvertOp::PtrToInt, address, ty);
        }
        self.cast_pointer(address, ty)
    }
}

fn byte_at(data: &ConstantData, at: u64) -> u8 {
    usize::try_from(at).ok().and_then(|at| data.bytes.get(at)).copied().unwrap_or(0)
}
