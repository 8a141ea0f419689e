//! `SPV_INTEL_subgroups`: shuffles as in core SPIR-V, but without a scope, and with a second value for work-items
//! before the first or after the last one; blocks of memory that a sub-group reads and writes together.

use super::FunctionReader;
use crate::decode::Instruction;
use crate::error::Result;
use clforge_ir::{GroupOp, Type, Value};
use clforge_lower::builtins::intel::{exchange, places_in_block, shuffle_of_two};
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
                exchange(&mut self.b, first, |value| GroupOp::Shuffle { value, id })
            }
            Op::SubgroupShuffleXorINTEL => {
                let mask = self.index(at, 1, Type::I32)?;
                exchange(&mut self.b, first, |value| GroupOp::ShuffleXor { value, mask })
            }
            _ => {
                let second = self.operand_of(at, 1, ty)?;
                let delta = self.index(at, 2, Type::I32)?;
                shuffle_of_two(&mut self.b, at.op == Op::SubgroupShuffleUpINTEL, [first, second], delta)
            }
        };
        self.define_value(at, value)
    }

    /// The addresses of a work-item's numbers in a block of a sub-group: the first of all work-items, then the second, …
    fn places_in_block(&mut self, at: &Instruction<'w>, ty: Type) -> Result<Vec<Value>> {
        if !ty.scalar.is_int() {
            return Err(at.invalid(format!("a block of numbers of type {ty}")));
        }
        let base = self.pointer(at, 0)?;
        Ok(places_in_block(&mut self.b, base, ty))
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
}
