//! `workarounds/narrow_negation`: the bits of the negative of a narrow integer are taken as a field
//! ([`Workarounds::NVIDIA_NARROW_NEGATION`](clforge_basic::workarounds::Workarounds)).

use clforge_basic::source::Span;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass};
use clforge_ir::*;

/// The pass. Integers of 8 and 16 bits are negated in 32 bits. Wherever a negated `i32` is truncated, the field of the low
/// bits, sign-extended, is truncated instead, so that the driver does not see through it.
pub struct NarrowNegation;

impl FunctionPass for NarrowNegation {
    fn name(&self) -> &'static str {
        "workarounds/narrow_negation"
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        if !function.insts.iter().any(|inst| is_affected(function, inst)) {
            return Changed::No;
        }
        function.insert_before_each(|function, id, before| {
            let inst = function.inst(id);
            if !is_affected(function, inst) {
                return;
            }
            let (op, span) = (inst.op.clone(), inst.span);
            let mut insert = |function: &mut Function, op, ty| append(function, before, (op, ty, span));
            match op {
                Op::Unary { operand, .. } => {
                    let word = function.ty(operand).with_scalar(ScalarType::I32);
                    let wide = insert(function, Op::Convert { op: ConvertOp::SExt, operand }, word);
                    let negative = insert(function, Op::Unary { op: UnaryOp::Neg, operand: wide }, word);
                    truncate_field(function, id, negative, &mut insert);
                }
                Op::Convert { operand, .. } => truncate_field(function, id, operand, &mut insert),
                _ => {}
            }
        });
        Changed::Maybe
    }
}

/// Whether it negates a narrow integer, or truncates a negated `i32` to one.
fn is_affected(function: &Function, inst: &Inst) -> bool {
    let is_narrow = |value| {
        let scalar = function.ty(value).scalar;
        scalar.is_int() && scalar.bits() < 32
    };
    match (&inst.op, inst.results.first()) {
        (Op::Unary { op: UnaryOp::Neg, .. }, Some(result)) => is_narrow(*result),
        (Op::Convert { op: ConvertOp::Trunc, operand }, Some(result)) => {
            is_narrow(*result) && is_negative_word(function, *operand)
        }
        _ => false,
    }
}

/// Appends an instruction with one result, which is returned.
fn append(function: &mut Function, to: &mut Vec<InstId>, (op, ty, span): (Op, Type, Span)) -> Value {
    let id = function.new_inst(op, &[ty], span);
    to.push(id);
    function.inst(id).results[0]
}

/// Makes `id` the truncation of the field of the low bits of `negative`.
fn truncate_field(
    function: &mut Function,
    id: InstId,
    negative: Value,
    insert: &mut dyn FnMut(&mut Function, Op, Type) -> Value,
) {
    let bits = function.ty(function.inst(id).results[0]).scalar.bits();
    let word = function.ty(negative);
    let first = function.int(Type::I32, 0);
    let count = function.int(Type::I32, i64::from(bits));
    let args = Values::from_slice(&[negative, first, count]);
    let operand = insert(function, Op::Intrinsic { function: Intrinsic::BitFieldSExtract, args }, word);
    function.inst_mut(id).op = Op::Convert { op: ConvertOp::Trunc, operand };
}

/// Whether a value is the negative of an integer of 32 bits.
fn is_negative_word(function: &Function, value: Value) -> bool {
    let ty = function.ty(value);
    ty.scalar == ScalarType::I32
        && match function.op(value) {
            Some(Op::Unary { op: UnaryOp::Neg, .. }) => true,
            Some(Op::Binary { op: BinaryOp::Sub, lhs, .. }) => {
                function.as_constant(*lhs) == Some(&Constant::int(ty, 0))
            }
            _ => false,
        }
}
