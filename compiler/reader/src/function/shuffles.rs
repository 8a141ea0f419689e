//! `SPV_INTEL_subgroups`: shuffles as in core SPIR-V, but without a scope, and with a second value for work-items
//! before the first or after the last one; blocks of memory that a sub-group reads and writes together.

use super::FunctionReader;
use crate::decode::Instruction;
use crate::error::Result;
use clforge_basic::narrow::to_i64;
use clforge_ir::{BinaryOp, CompareOp, GroupOp, Op as Inst, ScalarType, Scope, Type, Value, WorkItemQuery};
use rspirv::spirv::Op;

/// Whether an instruction is read here.
pub fn is_shuffle(op: Op) -> bool {
    matches!(
        op,
        Op::SubgroupShuffleINTEL
            | Op::SubgroupShuffleXorINTEL
            | Op::SubgroupShuffleDownINTEL
            | Op::SubgroupShuffleUpINTEL
            | Op::SubgroupBlockReadINTEL
            | Op::SubgroupBlockWriteINTEL
    )
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// An instruction of this file.
    pub fn shuffle_of_sub_group(&mut self, at: &Instruction<'w>) -> Result<()> {
        match at.op {
            Op::SubgroupBlockReadINTEL => return self.read_block(at),
            Op::SubgroupBlockWriteINTEL => return self.write_block(at),
            _ => {}
        }
        let ty = self.m.tables.types.value(at, at.ty)?;
        if !ty.scalar.is_int() && !ty.scalar.is_float() {
            return Err(at.invalid(format!("an exchange of values of type {ty}")));
        }
        let first = self.operand_of(at, 0, ty)?;
        let value = match at.op {
            Op::SubgroupShuffleINTEL => {
                let id = self.index(at, 1, Type::I32)?;
                self.exchange(first, |value| GroupOp::Shuffle { value, id })
            }
            Op::SubgroupShuffleXorINTEL => {
                let mask = self.index(at, 1, Type::I32)?;
                self.exchange(first, |value| GroupOp::ShuffleXor { value, mask })
            }
            _ => {
                let second = self.operand_of(at, 1, ty)?;
                let delta = self.index(at, 2, Type::I32)?;
                self.shuffle_of_two(at.op, first, second, delta)
            }
        };
        self.define_value(at, value)
    }

    /// Work-item `id + delta` of `first` and behind it `second`, or `id - delta` of `second` and in front of it `first`.
    fn shuffle_of_two(&mut self, op: Op, first: Value, second: Value, delta: Value) -> Value {
        let id = self.b.emit(Inst::WorkItem { query: WorkItemQuery::SubGroupLocalId, dim: 0 }, Type::I32);
        let size = self.b.emit(Inst::WorkItem { query: WorkItemQuery::MaxSubGroupSize, dim: 0 }, Type::I32);
        // The place in both values together, where the second begins at `size`.
        let place = match op {
            Op::SubgroupShuffleDownINTEL => self.b.binary(BinaryOp::Add, id, delta),
            _ => {
                let behind = self.b.binary(BinaryOp::Add, id, size);
                self.b.binary(BinaryOp::Sub, behind, delta)
            }
        };
        let is_first = self.b.compare(CompareOp::ULt, place, size);
        let over = self.b.binary(BinaryOp::Sub, place, size);
        // One of both places exists, and no other work-item may be asked.
        let (of_first, of_second) = (self.b.select(is_first, place, id), self.b.select(is_first, id, over));
        let x = self.exchange(first, |value| GroupOp::Shuffle { value, id: of_first });
        let y = self.exchange(second, |value| GroupOp::Shuffle { value, id: of_second });
        self.b.select(is_first, x, y)
    }

    /// The addresses of a work-item's numbers in a block of a sub-group: the first of all work-items, then the second, …
    fn places_in_block(&mut self, at: &Instruction<'w>, ty: Type) -> Result<Vec<Value>> {
        if !ty.scalar.is_int() {
            return Err(at.invalid(format!("a block of numbers of type {ty}")));
        }
        let base = self.pointer(at, 0)?;
        let id = self.b.emit(Inst::WorkItem { query: WorkItemQuery::SubGroupLocalId, dim: 0 }, Type::I32);
        let size = self.b.emit(Inst::WorkItem { query: WorkItemQuery::MaxSubGroupSize, dim: 0 }, Type::I32);
        let mut places = Vec::new();
        for lane in 0..ty.lanes {
            let rows = self.b.binary_int(BinaryOp::Mul, size, i64::from(lane));
            let place = self.b.binary(BinaryOp::Add, rows, id);
            let place = self.b.resize(place, ScalarType::I64, false);
            places.push(self.b.ptr_add(base, place, to_i64(ty.scalar.bytes())));
        }
        Ok(places)
    }

    fn read_block(&mut self, at: &Instruction<'w>) -> Result<()> {
        let ty = self.m.tables.types.value(at, at.ty)?;
        let places = self.places_in_block(at, ty)?;
        let load = |place: Value| self.load(place, ty.lane(), ty.scalar.bytes(), false);
        let lanes: Vec<Value> = places.into_iter().map(load).collect();
        let value = self.b.construct(&lanes);
        self.define_value(at, value)
    }

    fn write_block(&mut self, at: &Instruction<'w>) -> Result<()> {
        let data = self.operand(at, 1)?;
        let ty = self.b.ty(data);
        let places = self.places_in_block(at, ty)?;
        for (lane, place) in (0..ty.lanes).zip(places) {
            let value = self.b.extract(data, lane);
            self.store(place, value, ty.scalar.bytes(), false);
        }
        Ok(())
    }

    /// Vectors are exchanged component by component.
    fn exchange(&mut self, value: Value, op: impl Fn(Value) -> GroupOp) -> Value {
        let ty = self.b.ty(value);
        let mut lanes = Vec::new();
        for lane in 0..ty.lanes {
            let scalar = self.b.extract(value, lane);
            let inst = Inst::Group { op: op(scalar), scope: Scope::SubGroup, uniform: false };
            lanes.push(self.b.emit(inst, ty.lane()));
        }
        self.b.construct(&lanes)
    }
}
