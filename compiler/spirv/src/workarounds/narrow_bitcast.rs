//! `workarounds/narrow_bitcast`: expands bit casts from 64 bits to four lanes of 16 bits to casts through two 32-bit
//! words ([`Workarounds::LAVAPIPE_NARROW_BITCAST`](clforge_basic::workarounds::Workarounds)).

use crate::legalize::LAST;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;
use smallvec::smallvec;

/// The pass.
pub struct NarrowBitcast;

impl FunctionPass for NarrowBitcast {
    fn name(&self) -> &'static str {
        "workarounds/narrow_bitcast"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        if !function.insts.iter().any(|inst| operand(function, inst).is_some()) {
            return Changed::No;
        }
        function.insert_before_each(|function, id, before| {
            if let Some((operand, ty)) = operand(function, function.inst(id)) {
                split(function, (id, operand, ty), before);
            }
        });
        Changed::Maybe
    }
}

/// The scalar of 64 bits whose bits become lanes of 16, and the vector's type.
fn operand(function: &Function, inst: &Inst) -> Option<(Value, Type)> {
    let Op::Convert { op: ConvertOp::Bitcast, operand } = inst.op else { return None };
    let (from, to) = (function.ty(operand), function.ty(*inst.results.first()?));
    (from.lanes == 1 && from.scalar.bits() == 64 && to.lanes == 4 && to.scalar.bits() == 16).then_some((operand, to))
}

fn split(function: &mut Function, (id, operand, ty): (InstId, Value, Type), before: &mut Vec<InstId>) {
    let span = function.inst(id).span;
    let mut insert = |op, ty| {
        let inst = function.new_inst(op, &[ty], span);
        before.push(inst);
        function.inst(inst).results[0]
    };
    let cast = |operand| Op::Convert { op: ConvertOp::Bitcast, operand };
    let words = insert(cast(operand), Type::vector(ScalarType::I32, 2));
    let [first, second] = [0, 1].map(|lane| {
        let word = insert(Op::Extract { vector: words, lane }, Type::I32);
        insert(cast(word), Type::vector(ty.scalar, 2))
    });
    function.inst_mut(id).op = Op::Shuffle { first, second, lanes: smallvec![0, 1, 2, 3] };
}
