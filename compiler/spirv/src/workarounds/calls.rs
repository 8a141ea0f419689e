//! The functions of which NVIDIA's driver makes calls, which the workarounds for kernels with calls have in common.

use clforge_ir::analysis::CallGraph;
use clforge_ir::*;
use typed_index_collections::TiVec;

/// For each function whether a kernel executes it in which, or in a function of which, there is such an operation.
pub fn executed_with(module: &Module, wanted: impl Fn(&Function, &Op) -> bool) -> TiVec<FunctionId, bool> {
    let has_wanted = |function: &Function| {
        let mut found = false;
        function.walk_body(|_, inst| found |= wanted(function, &inst.op));
        found
    };
    let graph = CallGraph::of(module);
    let reaching = graph.reaching(module.functions.iter_enumerated().filter(|(_, f)| has_wanted(f)).map(|(id, _)| id));
    let is_root = |(id, function): &(FunctionId, &Function)| function.kernel.is_some() && reaching[*id];
    graph.reached_from(module.functions.iter_enumerated().filter(is_root).map(|(id, _)| id))
}

/// Whether it is a division or a square root of 64 bits, for which the driver has functions of its own.
pub fn divides_wide(function: &Function, op: &Op) -> bool {
    match op {
        Op::Binary { op: BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem, lhs, .. } => {
            function.ty(*lhs).scalar == ScalarType::I64
        }
        _ => float_division(function, op) == Some(ScalarType::F64),
    }
}

/// Whether it is a call, or an operation that the driver has a function of its own for.
pub fn calls(function: &Function, op: &Op) -> bool {
    matches!(op, Op::Call { .. }) || divides_wide(function, op) || float_division(function, op).is_some()
}

/// The type of the operands of a division or of a square root of floating-point numbers.
fn float_division(function: &Function, op: &Op) -> Option<ScalarType> {
    let operand = match op {
        Op::Binary { op: BinaryOp::FDiv, lhs, .. } => Some(lhs),
        Op::Intrinsic { function: Intrinsic::Sqrt, args } => args.first(),
        _ => None,
    };
    operand.map(|operand| function.ty(*operand).scalar)
}
