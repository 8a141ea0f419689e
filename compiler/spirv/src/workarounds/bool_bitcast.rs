//! `workarounds/bool_bitcast`: takes a word that is 0 or 1 as a bit field before it is reinterpreted as a vector of
//! narrow integers ([`Workarounds::NVIDIA_BOOL_BITCAST`](clforge_basic::workarounds::Workarounds)).

use super::bits::field;
use crate::legalize::LAST;
use clforge_ir::expand::append;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;

/// Operations that are looked at, from the word that is reinterpreted back to a Boolean value.
const MOST_OPERATIONS: u32 = 6;

/// The pass. The driver does not see through the field.
pub struct BoolBitcast;

impl FunctionPass for BoolBitcast {
    fn name(&self) -> &'static str {
        "workarounds/bool_bitcast"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        let mut changed = Changed::No;
        function.insert_before_each(|function, id, before| {
            let inst = function.inst(id);
            let Some(word) = reinterpreted_bool(function, inst) else { return };
            let span = inst.span;
            let field = field(function, Intrinsic::BitFieldUExtract, (word, 0, 8));
            let operand = append(function, before, (field, Type::I32, span));
            function.inst_mut(id).op = Op::Convert { op: ConvertOp::Bitcast, operand };
            changed = Changed::Maybe;
        });
        changed
    }
}

/// The word that is 0 or 1, if an instruction reinterprets one as a vector.
fn reinterpreted_bool(function: &Function, inst: &Inst) -> Option<Value> {
    let Op::Convert { op: ConvertOp::Bitcast, operand } = inst.op else { return None };
    let is_vector = function.ty(*inst.results.first()?).is_vector();
    (is_vector && function.ty(operand) == Type::I32 && is_bool(function, operand, MOST_OPERATIONS)).then_some(operand)
}

/// Whether an integer is 0 or 1, since it is made of Boolean values or masked.
fn is_bool(function: &Function, value: Value, operations: u32) -> bool {
    if let Some(constant) = function.as_constant(value) {
        return matches!(constant.splat_bits(), Some(0 | 1));
    }
    let Some(operations) = operations.checked_sub(1) else { return false };
    let is_bool = |value: Value| is_bool(function, value, operations);
    match function.op(value) {
        Some(Op::Convert { op: ConvertOp::ZExt, operand }) => function.ty(*operand).scalar == ScalarType::Bool,
        Some(Op::Binary { op: BinaryOp::And, lhs, rhs }) => is_bool(*lhs) || is_bool(*rhs),
        Some(Op::Binary { op: BinaryOp::Or | BinaryOp::Xor, lhs, rhs }) => is_bool(*lhs) && is_bool(*rhs),
        Some(Op::Select { if_true, if_false, .. }) => is_bool(*if_true) && is_bool(*if_false),
        _ => false,
    }
}
