//! `workarounds/narrow_popcount`: the bits of a narrow integer are counted with the highest of 32 set, less one
//! ([`Workarounds::NVIDIA_NARROW_POPCOUNT`](clforge_basic::workarounds::Workarounds)).

use super::narrow::is_narrow;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass};
use clforge_ir::*;

/// The pass. The highest bit of what was an integer of 8 or 16 bits is set before its bits are counted, and one is subtracted
/// from their number, so that the driver does not count in fewer bits.
pub struct NarrowPopcount;

impl FunctionPass for NarrowPopcount {
    fn name(&self) -> &'static str {
        "workarounds/narrow_popcount"
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        if !function.insts.iter().any(|inst| operand(function, inst).is_some()) {
            return Changed::No;
        }
        function.insert_before_each(|function, id, before| {
            let Some(narrow) = operand(function, function.inst(id)) else { return };
            let (ty, span) = (function.ty(narrow), function.inst(id).span);
            let mut insert = |function: &mut Function, op| {
                let id = function.new_inst(op, &[ty], span);
                before.push(id);
                function.inst(id).results[0]
            };
            let highest = function.int(ty, i64::from(i32::MIN));
            let marked = insert(function, Op::Binary { op: BinaryOp::Or, lhs: narrow, rhs: highest });
            let count =
                insert(function, Op::Intrinsic { function: Intrinsic::Popcount, args: Values::from_slice(&[marked]) });
            let minus_one = function.int(ty, -1);
            function.inst_mut(id).op = Op::Binary { op: BinaryOp::Add, lhs: count, rhs: minus_one };
        });
        Changed::Maybe
    }
}

/// The narrow integer whose bits an instruction counts, in 32 bits.
fn operand(function: &Function, inst: &Inst) -> Option<Value> {
    let Op::Intrinsic { function: Intrinsic::Popcount, args } = &inst.op else { return None };
    let operand = *args.first()?;
    (function.ty(operand).scalar == ScalarType::I32 && is_narrow(function, operand)).then_some(operand)
}
