//! `workarounds/sign_extension`: widens integers from 32 to 64 bits without a sign extension instruction
//! ([`Workarounds::LAVAPIPE_SIGN_EXTENSION`](clforge_basic::workarounds::Workarounds)).

use crate::legalize::LAST;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;
use typed_index_collections::{TiVec, ti_vec};

/// The pass: `zext`, then `xor` and `sub` with the sign bit. Values that only integer sums use keep their sign extension:
/// addresses are such sums, and the driver gets them right.
pub struct SignExtension;

impl FunctionPass for SignExtension {
    fn name(&self) -> &'static str {
        "workarounds/sign_extension"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        if !function.insts.iter().any(|inst| widens(function, &inst.op)) {
            return Changed::No;
        }
        let exposed = used_outside_sums(function);
        let is_affected = |function: &Function, inst: &Inst| {
            widens(function, &inst.op) && inst.results.iter().any(|result| exposed[*result])
        };
        if !function.insts.iter().any(|inst| is_affected(function, inst)) {
            return Changed::No;
        }
        function.insert_before_each(|function, id, before| {
            if is_affected(function, function.inst(id)) {
                widen(function, id, before);
            }
        });
        Changed::Maybe
    }
}

/// Whether the operation widens signed integers from 32 to 64 bits.
fn widens(function: &Function, op: &Op) -> bool {
    matches!(op, Op::Convert { op: ConvertOp::SExt, operand } if function.ty(*operand).scalar == ScalarType::I32)
}

/// For each value whether it is used other than as a term or factor of an integer sum.
fn used_outside_sums(function: &Function) -> TiVec<Value, bool> {
    let mut exposed: TiVec<Value, bool> = ti_vec![false; function.value_count()];
    for inst in &function.insts {
        if !matches!(inst.op, Op::Binary { op: BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, .. }) {
            inst.op.for_each_operand(|value| exposed[value] = true);
        }
    }
    exposed
}

fn widen(function: &mut Function, id: InstId, before: &mut Vec<InstId>) {
    let inst = function.inst(id);
    let Op::Convert { operand, .. } = inst.op else { return };
    let (span, ty) = (inst.span, function.ty(inst.results[0]));
    let sign = function.constant(Constant::int(ty, 1 << 31));
    let mut value = operand;
    let flip = |lhs| Op::Binary { op: BinaryOp::Xor, lhs, rhs: sign };
    for op in [&(|operand| Op::Convert { op: ConvertOp::ZExt, operand }) as &dyn Fn(Value) -> Op, &flip] {
        let inst = function.new_inst(op(value), &[ty], span);
        before.push(inst);
        value = function.inst(inst).results[0];
    }
    function.inst_mut(id).op = Op::Binary { op: BinaryOp::Sub, lhs: value, rhs: sign };
}
