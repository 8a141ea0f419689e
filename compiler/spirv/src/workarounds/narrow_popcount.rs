//! `workarounds/narrow_popcount`: the bits of a narrow integer are counted with the highest of 32 set, less one
//! ([`Workarounds::NVIDIA_NARROW_POPCOUNT`](clforge_basic::workarounds::Workarounds)).

use clforge_ir::pass::{Changed, FunctionContext, FunctionPass};
use clforge_ir::*;

/// Operations that are looked through, one behind the other, to see that an operand is narrow.
const MAX_DEPTH: u32 = 8;

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
    (function.ty(operand).scalar == ScalarType::I32 && is_narrow(function, operand, MAX_DEPTH)).then_some(operand)
}

/// Whether the upper 16 bits of a value, or of each of its lanes, are seen to be zero.
fn is_narrow(function: &Function, value: Value, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1) else { return false };
    let narrow = |value: &Value| is_narrow(function, *value, depth);
    if let Some(lanes) = function.as_constant(value).and_then(Constant::lanes) {
        return lanes.iter().all(|lane| *lane <= 0xFFFF);
    }
    match function.op(value) {
        Some(Op::Convert { op: ConvertOp::ZExt, operand }) => function.ty(*operand).scalar.bits() < 32,
        Some(Op::Binary { op: BinaryOp::And | BinaryOp::URem, lhs, rhs }) => narrow(lhs) || narrow(rhs),
        Some(Op::Binary { op: BinaryOp::Or | BinaryOp::Xor, lhs, rhs }) => narrow(lhs) && narrow(rhs),
        Some(Op::Binary { op: BinaryOp::LShr, lhs, rhs }) => {
            let counts = function.as_constant(*rhs).and_then(Constant::lanes);
            narrow(lhs) || counts.is_some_and(|counts| counts.iter().all(|count| (16..32).contains(count)))
        }
        Some(Op::Binary { op: BinaryOp::UDiv, lhs, .. }) => narrow(lhs),
        Some(Op::Select { if_true, if_false, .. }) => narrow(if_true) && narrow(if_false),
        Some(Op::Extract { vector, .. }) => narrow(vector),
        Some(Op::Construct { elements }) => elements.iter().all(narrow),
        _ => false,
    }
}
