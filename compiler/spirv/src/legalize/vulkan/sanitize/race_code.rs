//! The functions that leave marks in shadows and compare them. What a mark is, is documented in [`crate::interface::bounds`].
//!
//! A write stores its mark in the write slot by an atomic exchange, and compares the old mark, and those of reads, with
//! its own. A read does the same in the read slot, moves the old mark to a second read slot if it is of another
//! work-item, and compares the write slot. So of two concurrent accesses at least one sees the other, and if a
//! work-item other than the writer has read, one of the read slots has a mark of such a work-item.

use super::races::{LAST_EPOCH, ORDERED, WAITED};
use crate::address_format::Address;
use crate::interface::bounds::{
    ACCESS_GROUP, ACCESS_ITEM, Bounds, COPYING_ITEM, GRANULE, Memory, RANGES, SHADOW_BYTES,
};
use crate::interface::{ModuleInterface, PushConstant, PushConstantKind};
use crate::legalize::vulkan::findings::Recorder;
use crate::legalize::vulkan::findings_buffer::{if_true, push_constant};
use clforge_basic::narrow::to_i64;
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// How an access is: it writes, or it is to local memory.
const WRITES: i64 = 1;
/// See [`WRITES`].
const IS_LOCAL: i64 = 2;

/// The functions of a module.
pub(super) struct RaceCode {
    recorder: Recorder,
    /// Whether the module has asynchronous copies.
    pub has_copies: bool,
    /// Byte offset of the places of shadows.
    shadow: i64,
    group_offset: PushConstant,
    group_count: PushConstant,
    // All return the mark that is in conflict, or 0.
    /// (entry, mark, how, ordered): at an entry of a shadow.
    at_entry: FunctionId,
    /// (address, mark, how, ordered, range): in a range of the launch.
    in_range: FunctionId,
    /// The same in any range.
    in_any: FunctionId,
    /// (slot, offset, mark, how, ordered): in local memory.
    in_local: FunctionId,
}

impl RaceCode {
    /// Appends the functions to a module.
    pub fn new(module: &mut Module, interface: &ModuleInterface, recorder: Recorder) -> Result<RaceCode, Error> {
        let bounds: &Bounds = interface.bounds.as_ref().or_internal("no buffer for what is found")?;
        let first = module.functions.len();
        let [at_entry, in_range, in_any, in_local] = [0, 1, 2, 3].map(|index| FunctionId::from(first + index));
        let shadow = to_i64(bounds.shadow());
        let group_offset = push_constant(interface, PushConstantKind::RegionGroupOffset)?;
        let group_count = push_constant(interface, PushConstantKind::NumWorkgroups)?;
        let is_copy = |inst: &Inst| matches!(inst.op, Op::Check { check: CheckOp::AsyncCopy, .. });
        let has_copies = module.functions.iter().any(|function| function.insts.iter().any(is_copy));
        let code =
            RaceCode { recorder, has_copies, shadow, group_offset, group_count, at_entry, in_range, in_any, in_local };
        module.functions.push(code.entry_function());
        module.functions.push(code.range_function());
        module.functions.push(code.any_function());
        module.functions.push(code.local_function());
        Ok(code)
    }

    /// The bits of a work-item and its work-group in marks of global and of local memory, and the address of the work-group's
    /// slot of the shadow of local memory: 0 where there is none, or where an earlier work-group has had the same bits.
    pub fn item(&self, b: &mut Builder<'_>) -> (Value, Value, Value) {
        let index = b.emit(Op::Input { input: Input::LocalInvocationIndex, dim: 0 }, Type::I32);
        let index = b.resize(index, ScalarType::I64, false);
        let index = b.binary_int(BinaryOp::And, index, (1 << ACCESS_ITEM.1) - 1);
        let index = b.binary_int(BinaryOp::Shl, index, ACCESS_ITEM.0.into());
        let [x, y, z] = [0, 1, 2].map(|dim| {
            let id = b.emit(Op::Input { input: Input::WorkgroupId, dim }, Type::I32);
            let offset = self.recorder.buffer.load(b, self.group_offset.place(dim), Type::I32);
            b.binary(BinaryOp::Add, id, offset)
        });
        let [columns, rows] = [0, 1].map(|dim| self.recorder.buffer.load(b, self.group_count.place(dim), Type::I32));
        let plane = b.binary(BinaryOp::Mul, z, rows);
        let row = b.binary(BinaryOp::Add, plane, y);
        let row = b.binary(BinaryOp::Mul, row, columns);
        let group = b.binary(BinaryOp::Add, row, x);

        let table = self.recorder.buffer.table(b).plus(self.shadow);
        let slots = table.load(b, Type::I64, 8, false);
        let bytes = table.plus(8).load(b, Type::I32, 4, false);
        let count = table.plus(12).load(b, Type::I32, 4, false);
        let one = b.int(Type::I32, 1);
        let none = b.compare_int(CompareOp::Eq, count, 0);
        let count = b.select(none, one, count);
        let (slot, turn) = (b.binary(BinaryOp::URem, group, count), b.binary(BinaryOp::UDiv, group, count));
        let [slot, bytes, group, turn] =
            [slot, bytes, group, turn].map(|value| b.resize(value, ScalarType::I64, false));
        let offset = b.binary(BinaryOp::Mul, slot, bytes);
        let slot = b.binary(BinaryOp::Add, slots, offset);
        let is_new = b.compare_int(CompareOp::ULt, turn, 1 << ACCESS_GROUP.1);
        let has_slots = b.compare_int(CompareOp::Ne, slots, 0);
        let good = b.binary(BinaryOp::And, is_new, has_slots);
        let zero = b.int(Type::I64, 0);
        let slot = b.select(good, slot, zero);
        // Higher bits are lost.
        let [global, local] = [group, turn].map(|number| {
            let number = b.binary_int(BinaryOp::Shl, number, ACCESS_GROUP.0.into());
            b.binary(BinaryOp::Or, number, index)
        });
        (global, local, slot)
    }

    /// An access at a place (an address, or an offset in local memory) with a mark.
    #[expect(clippy::too_many_arguments, reason = "each is a parameter of the function that is called")]
    pub fn access(
        &self,
        b: &mut Builder<'_>,
        memory: Memory,
        range: Option<u32>,
        slot: Value,
        [at, mark]: [Value; 2],
        writes: bool,
        site: u32,
        ordered: Value,
    ) -> Result<(), Error> {
        let site = b.int(Type::I32, site.into());
        let is_local = memory == Memory::Local;
        let how = b.int(Type::I32, if writes { WRITES } else { 0 } | if is_local { IS_LOCAL } else { 0 });
        let mut at = at;
        let found = if is_local {
            // Without the bits of a generic pointer.
            at = b.binary_int(BinaryOp::And, at, 0xFFFF_FFFF);
            b.call(self.in_local, &[slot, at, mark, how, ordered], Some(Type::I64))
        } else if let Some(range) = range {
            let range = b.int(Type::I32, range.into());
            b.call(self.in_range, &[at, mark, how, ordered, range], Some(Type::I64))
        } else {
            b.call(self.in_any, &[at, mark, how, ordered], Some(Type::I64))
        };
        let found = found.or_internal("a search for races without result")?;
        let good = b.compare_int(CompareOp::Eq, found, 0);
        self.recorder.record_unless(b, good, [found, at, site]);
        Ok(())
    }

    /// What is found at an entry of a shadow, if there is one; else 0.
    fn at_entry_if(&self, b: &mut Builder<'_>, good: Value, entry: [Value; 2], [mark, how, ordered]: [Value; 3]) {
        let zero = b.int(Type::I64, 0);
        let then = b.nested(|b| {
            let [base, offset] = entry;
            let entry = b.binary(BinaryOp::Add, base, offset);
            let found = b.call(self.at_entry, &[entry, mark, how, ordered], Some(Type::I64));
            b.effect(Op::Yield(found.into_iter().collect()));
        });
        let otherwise = b.nested(|b| b.effect(Op::Yield(smallvec![zero])));
        let found = b.push(Op::If { condition: good, then, otherwise }, &[Type::I64])[0];
        b.effect(Op::Return(Some(found)));
    }

    /// The number of a granule as an offset in a shadow.
    fn scaled(b: &mut Builder<'_>, place: Value) -> Value {
        let granule = b.binary_int(BinaryOp::LShr, place, GRANULE.trailing_zeros().into());
        b.binary_int(BinaryOp::Mul, granule, SHADOW_BYTES.into())
    }

    fn range_function(&self) -> Function {
        let mut function = Function::new("race_in_range");
        let [at, mark] = [(); 2].map(|()| function.add_param(Type::I64));
        let [how, ordered, range] = [(); 3].map(|()| function.add_param(Type::I32));
        function.result = Some(Type::I64);
        let mut b = Builder::new(&mut function);
        let (table, index) = (self.recorder.buffer.table(&mut b), range);
        let ends = table.plus(RANGES.into()).element(&mut b, index, 16);
        let (first, end) = (ends.load(&mut b, Type::I64, 8, false), ends.plus(8).load(&mut b, Type::I64, 8, false));
        let bias = table.plus(self.shadow + 16).element(&mut b, index, 8).load(&mut b, Type::I64, 8, false);
        let good = within(&mut b, at, (first, end), bias);
        let offset = RaceCode::scaled(&mut b, at);
        self.at_entry_if(&mut b, good, [bias, offset], [mark, how, ordered]);
        function
    }

    fn any_function(&self) -> Function {
        let mut function = Function::new("race_in_any");
        let [at, mark] = [(); 2].map(|()| function.add_param(Type::I64));
        let [how, ordered] = [(); 2].map(|()| function.add_param(Type::I32));
        function.result = Some(Type::I64);
        let mut b = Builder::new(&mut function);
        let zero = b.int(Type::I64, 0);
        let mut found = zero;
        // Not a loop: a driver counts the iterations of those.
        for index in 0..self.recorder.ranges {
            let range = self.recorder.buffer.range(&mut b, index);
            let bias = self.recorder.buffer.table(&mut b).plus(self.shadow + 16 + i64::from(index) * 8);
            let bias = bias.load(&mut b, Type::I64, 8, false);
            let good = within(&mut b, at, range, bias);
            found = b.select(good, bias, found);
        }
        let good = b.compare(CompareOp::Ne, found, zero);
        let offset = RaceCode::scaled(&mut b, at);
        self.at_entry_if(&mut b, good, [found, offset], [mark, how, ordered]);
        function
    }

    fn local_function(&self) -> Function {
        let mut function = Function::new("race_in_local");
        let [slot, place, mark] = [(); 3].map(|()| function.add_param(Type::I64));
        let [how, ordered] = [(); 2].map(|()| function.add_param(Type::I32));
        function.result = Some(Type::I64);
        let mut b = Builder::new(&mut function);
        let offset = RaceCode::scaled(&mut b, place);
        let bytes = self.recorder.buffer.table(&mut b).plus(self.shadow + 8).load(&mut b, Type::I32, 4, false);
        let bytes = b.resize(bytes, ScalarType::I64, false);
        let inside = b.compare(CompareOp::ULt, offset, bytes);
        let has_slot = b.compare_int(CompareOp::Ne, slot, 0);
        let good = b.binary(BinaryOp::And, inside, has_slot);
        self.at_entry_if(&mut b, good, [slot, offset], [mark, how, ordered]);
        function
    }

    fn entry_function(&self) -> Function {
        let mut function = Function::new("race_at_entry");
        let [entry, mark] = [(); 2].map(|()| function.add_param(Type::I64));
        let [how, ordered] = [(); 2].map(|()| function.add_param(Type::I32));
        function.result = Some(Type::I64);
        let mut b = Builder::new(&mut function);
        let entry = Address::new(entry);
        let writes = bit(&mut b, how, WRITES);
        let then = b.nested(|b| {
            let old = atomic(b, AtomicOp::Exchange, entry, Some(mark));
            let last = atomic(b, AtomicOp::Load, entry.plus(8), None);
            let other = atomic(b, AtomicOp::Load, entry.plus(16), None);
            let is_own = self.is_own(b, last, mark);
            let read = b.select(is_own, other, last);
            b.effect(Op::Yield(smallvec![old, read]));
        });
        let otherwise = b.nested(|b| {
            let old = atomic(b, AtomicOp::Exchange, entry.plus(8), Some(mark));
            let is_own = is_same(b, old, mark, ACCESS_ITEM.0);
            let is_other = b.unary(UnaryOp::Not, is_own);
            if_true(b, is_other, |b| {
                atomic(b, AtomicOp::Exchange, entry.plus(16), Some(old));
            });
            let written = atomic(b, AtomicOp::Load, entry, None);
            let zero = b.int(Type::I64, 0);
            b.effect(Op::Yield(smallvec![written, zero]));
        });
        let marks = b.push(Op::If { condition: writes, then, otherwise }, &[Type::I64, Type::I64]);
        let conflicts = [marks[0], marks[1]].map(|other| self.conflict(&mut b, other, mark, how, ordered));
        let other = b.select(conflicts[0], marks[0], marks[1]);
        let any = b.binary(BinaryOp::Or, conflicts[0], conflicts[1]);
        let zero = b.int(Type::I64, 0);
        let found = b.select(any, other, zero);
        b.effect(Op::Return(Some(found)));
        function
    }

    /// Whether two accesses are of the same work-item: two asynchronous copies are not, and none accesses a byte twice.
    fn is_own(&self, b: &mut Builder<'_>, other: Value, mark: Value) -> Value {
        let is_own = is_same(b, other, mark, ACCESS_ITEM.0);
        if !self.has_copies {
            return is_own;
        }
        let copies = is_copy(b, mark);
        and_not(b, is_own, copies)
    }

    /// Whether an access with a mark and another that has left one are in conflict, and nothing orders them.
    fn conflict(&self, b: &mut Builder<'_>, other: Value, mark: Value, how: Value, ordered: Value) -> Value {
        let (different, both) = (b.binary(BinaryOp::Xor, other, mark), b.binary(BinaryOp::And, other, mark));
        let is_there = b.compare_int(CompareOp::Ne, other, 0);
        let is_own = self.is_own(b, other, mark);
        let overlap = b.binary_int(BinaryOp::And, both, 15);
        let overlap = b.compare_int(CompareOp::Ne, overlap, 0);
        let atomic = b.binary_int(BinaryOp::And, both, 1 << 4);
        let atomic = b.compare_int(CompareOp::Ne, atomic, 0);
        // Both write the same value.
        let digests = 0x3FF << 5;
        let difference = b.binary_int(BinaryOp::And, different, digests);
        let is_equal = b.compare_int(CompareOp::Eq, difference, 0);
        let written = b.binary_int(BinaryOp::And, mark, digests);
        let has_written = b.compare_int(CompareOp::Ne, written, 0);
        let is_equal = b.binary(BinaryOp::And, is_equal, has_written);

        let epochs = LAST_EPOCH << 27;
        let difference = b.binary_int(BinaryOp::And, different, epochs);
        let same_epoch = b.compare_int(CompareOp::Eq, difference, 0);
        let epoch = b.binary_int(BinaryOp::And, mark, epochs);
        let is_counted = b.compare_int(CompareOp::Ne, epoch, epochs);
        let [is_ordered, is_ordered_with_others] = ORDERED.map(|mask| bit(b, ordered, mask));
        let inside = b.binary(BinaryOp::And, same_epoch, is_counted);
        let inside = and_not(b, inside, is_ordered);
        let is_local = bit(b, how, IS_LOCAL);
        let between = b.binary(BinaryOp::Or, is_local, is_ordered_with_others);
        let between = b.unary(UnaryOp::Not, between);
        let inside = if self.has_copies {
            let pending = is_pending(b, other, how, ordered);
            b.binary(BinaryOp::Or, inside, pending)
        } else {
            inside
        };
        let same_group = is_same(b, other, mark, ACCESS_GROUP.0);
        let unordered = b.select(same_group, inside, between);

        let found = b.binary(BinaryOp::And, is_there, overlap);
        let found = b.binary(BinaryOp::And, found, unordered);
        let found = and_not(b, found, is_own);
        let found = and_not(b, found, atomic);
        and_not(b, found, is_equal)
    }
}

/// Whether an access is made by an asynchronous copy.
fn is_copy(b: &mut Builder<'_>, mark: Value) -> Value {
    let item = b.binary_int(BinaryOp::And, mark, (COPYING_ITEM << ACCESS_ITEM.0).cast_signed());
    b.compare_int(CompareOp::Eq, item, (COPYING_ITEM << ACCESS_ITEM.0).cast_signed())
}

/// Whether the other access is made by an asynchronous copy that its work-group has not waited for since: a barrier does not
/// complete it.
fn is_pending(b: &mut Builder<'_>, other: Value, how: Value, ordered: Value) -> Value {
    let is_copy = is_copy(b, other);
    let is_local = bit(b, how, IS_LOCAL);
    let [local, global] = WAITED.map(|bit| {
        let epoch = b.binary_int(BinaryOp::LShr, ordered, bit);
        b.binary_int(BinaryOp::And, epoch, LAST_EPOCH)
    });
    let waited = b.select(is_local, local, global);
    let waited = b.resize(waited, ScalarType::I64, false);
    let epoch = b.binary_int(BinaryOp::LShr, other, 27);
    let epoch = b.binary_int(BinaryOp::And, epoch, LAST_EPOCH);
    let is_later = b.compare(CompareOp::UGe, epoch, waited);
    let is_counted = b.compare_int(CompareOp::Ne, epoch, LAST_EPOCH);
    let pending = b.binary(BinaryOp::And, is_copy, is_later);
    b.binary(BinaryOp::And, pending, is_counted)
}

/// Whether two marks have the same bits from one on.
fn is_same(b: &mut Builder<'_>, one: Value, other: Value, from: u32) -> Value {
    let different = b.binary(BinaryOp::Xor, one, other);
    let different = b.binary_int(BinaryOp::LShr, different, from.into());
    b.compare_int(CompareOp::Eq, different, 0)
}

fn and_not(b: &mut Builder<'_>, value: Value, other: Value) -> Value {
    let not = b.unary(UnaryOp::Not, other);
    b.binary(BinaryOp::And, value, not)
}

fn bit(b: &mut Builder<'_>, value: Value, mask: i64) -> Value {
    let bit = b.binary_int(BinaryOp::And, value, mask);
    b.compare_int(CompareOp::Ne, bit, 0)
}

/// Whether an address is in a range that has a shadow.
fn within(b: &mut Builder<'_>, at: Value, (first, end): (Value, Value), bias: Value) -> Value {
    let after = b.compare(CompareOp::UGe, at, first);
    let before = b.compare(CompareOp::ULt, at, end);
    let has_shadow = b.compare_int(CompareOp::Ne, bias, 0);
    let inside = b.binary(BinaryOp::And, after, before);
    b.binary(BinaryOp::And, inside, has_shadow)
}

/// A relaxed atomic operation on a number of a shadow.
fn atomic(b: &mut Builder<'_>, op: AtomicOp, place: Address, operand: Option<Value>) -> Value {
    let ptr = place.pointer(b);
    let order = MemoryOrder::Relaxed;
    let semantics = Semantics { order, scope: Scope::Device, local: false, global: true, image: false };
    let operands: SmallVec<[Value; 2]> = operand.into_iter().collect();
    b.push(Op::Atomic { op, ptr, operands, semantics, unequal: order }, &[Type::I64])[0]
}
