//! `workarounds/vector_division`: divides vectors of integers lane by lane
//! ([`Workarounds::NVIDIA_VECTOR_DIVISION`](clforge_basic::workarounds::Workarounds)).

use crate::legalize::LAST;
use clforge_basic::source::Span;
use clforge_ir::expand::append;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;

/// The pass. The driver divides vectors by constants in a way of its own, and loses some of the quotients.
pub struct VectorDivision;

impl FunctionPass for VectorDivision {
    fn name(&self) -> &'static str {
        "workarounds/vector_division"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        let mut changed = Changed::No;
        function.insert_before_each(|function, id, before| {
            let Inst { op: Op::Binary { op, lhs, rhs }, results, span } = function.inst(id) else { return };
            let (op, operands, span) = (*op, [*lhs, *rhs], *span);
            let ty = function.ty(results[0]);
            if ty.lanes == 1 || !matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem) {
                return;
            }
            let elements = (0..ty.lanes).map(|lane| {
                let [lhs, rhs] = operands.map(|vector| lane_of(function, (vector, lane), before, span));
                append(function, before, (Op::Binary { op, lhs, rhs }, ty.lane(), span))
            });
            let elements = elements.collect();
            function.inst_mut(id).op = Op::Construct { elements };
            changed = Changed::Maybe;
        });
        changed
    }
}

/// A lane of a vector, of which nothing is extracted where the lane is a value already.
fn lane_of(function: &mut Function, (vector, lane): (Value, u8), before: &mut Vec<InstId>, span: Span) -> Value {
    let ty = function.ty(vector).lane();
    if let Some(lanes) = function.as_constant(vector).and_then(Constant::lanes) {
        let bits = lanes[usize::from(lane)];
        return function.constant(Constant::int(ty, bits));
    }
    match function.op(vector) {
        Some(Op::Construct { elements }) => elements[usize::from(lane)],
        _ => append(function, before, (Op::Extract { vector, lane }, ty, span)),
    }
}
