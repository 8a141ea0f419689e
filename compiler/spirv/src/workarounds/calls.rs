//! Which operations NVIDIA's driver compiles to calls, and what is rewritten in kernels that have some.

use clforge_basic::options::Options;
use clforge_ir::analysis::CallGraph;
use clforge_ir::pass::Changed;
use clforge_ir::rewrite::{Rewrite, rewrite};
use clforge_ir::room::Room;
use clforge_ir::*;
use typed_index_collections::TiVec;

/// Rewrites the functions that have instructions to be replaced, and that a kernel executes which also executes, in any
/// function, an operation that is a cause.
///
/// # Errors
/// The pass's, and more instructions than there is room for.
pub fn rewrite_where(
    module: &mut Module,
    options: &Options,
    is_cause: impl Fn(&Function, &Op) -> bool,
    is_replaced: impl Fn(&Function, &Inst) -> bool,
    pass: &mut dyn Rewrite,
) -> Result<Changed, Error> {
    let affected = executed_with(module, is_cause);
    let (mut room, mut changed) = (Room::new(module, options.max_instructions), Changed::No);
    for (function, _) in module.functions.iter_mut().zip(affected).filter(|(_, affected)| *affected) {
        if function.insts.iter().any(|inst| is_replaced(function, inst)) {
            *function = rewrite(function, pass, &mut room)?;
            changed = Changed::Maybe;
        }
    }
    Ok(changed)
}

/// For each function whether a kernel that executes it also executes an operation that is a cause.
fn executed_with(module: &Module, is_cause: impl Fn(&Function, &Op) -> bool) -> TiVec<FunctionId, bool> {
    let has_cause = |function: &Function| {
        let mut found = false;
        function.walk_body(|_, inst| found |= is_cause(function, &inst.op));
        found
    };
    let graph = CallGraph::of(module);
    let reaching = graph.reaching(module.functions.iter_enumerated().filter(|(_, f)| has_cause(f)).map(|(id, _)| id));
    let is_root = |(id, function): &(FunctionId, &Function)| function.kernel.is_some() && reaching[*id];
    graph.reached_from(module.functions.iter_enumerated().filter(is_root).map(|(id, _)| id))
}

/// Whether it is a division or a square root of 64 bits.
pub fn is_wide_division_or_root(function: &Function, op: &Op) -> bool {
    match op {
        Op::Binary { op: BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem, lhs, .. } => {
            function.ty(*lhs).scalar == ScalarType::I64
        }
        _ => type_of_float_division_or_root(function, op) == Some(ScalarType::F64),
    }
}

/// Whether it is a call, or a division or a square root that the driver may compile to one.
pub fn makes_call(function: &Function, op: &Op) -> bool {
    matches!(op, Op::Call { .. })
        || is_wide_division_or_root(function, op)
        || type_of_float_division_or_root(function, op).is_some()
}

/// The type of the operands of a division or of a square root of floating-point numbers.
fn type_of_float_division_or_root(function: &Function, op: &Op) -> Option<ScalarType> {
    let operand = match op {
        Op::Binary { op: BinaryOp::FDiv, lhs, .. } => Some(lhs),
        Op::Intrinsic { function: Intrinsic::Sqrt | Intrinsic::HalfSqrt | Intrinsic::NativeSqrt, args } => args.first(),
        _ => None,
    };
    operand.map(|operand| function.ty(*operand).scalar)
}
