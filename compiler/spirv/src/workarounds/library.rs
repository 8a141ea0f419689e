//! Kernels for which NVIDIA's driver takes functions of its library, and what is rewritten in them.
//!
//! NVIDIA 580.159 has functions for a few operations ([`is_of_library`]). It optimises a kernel again once it has linked them:
//! what was lowered before becomes idioms that the later stages get wrong in some widths, such as saturated sums, and loads
//! become narrower than they can be. Kernels without these operations had none of these defects: with each of 52 operations in
//! turn in a kernel with 44 expressions, and with three of them in kernels with 223, exactly the operations below made results
//! wrong. Conversions from half were not among them, and are counted like those from float.

use clforge_basic::options::Options;
use clforge_ir::analysis::CallGraph;
use clforge_ir::pass::Changed;
use clforge_ir::rewrite::{Rewrite, rewrite};
use clforge_ir::room::Room;
use clforge_ir::*;
use typed_index_collections::TiVec;

/// Rewrites the functions that have instructions to be replaced, and that a kernel executes which also executes, in any
/// function, an operation of the driver's library.
///
/// # Errors
/// The pass's, and more instructions than there is room for.
pub fn rewrite_where_linked(
    module: &mut Module,
    options: &Options,
    is_replaced: impl Fn(&Function, &Inst) -> bool,
    pass: &mut dyn Rewrite,
) -> Result<Changed, Error> {
    let affected = executed_with_library(module);
    let (mut room, mut changed) = (Room::new(module, options.max_instructions), Changed::No);
    for (function, _) in module.functions.iter_mut().zip(affected).filter(|(_, affected)| *affected) {
        if function.insts.iter().any(|inst| is_replaced(function, inst)) {
            *function = rewrite(function, pass, &mut room)?;
            changed = Changed::Maybe;
        }
    }
    Ok(changed)
}

/// For each function whether a kernel that executes it also executes an operation of the driver's library.
fn executed_with_library(module: &Module) -> TiVec<FunctionId, bool> {
    let has_cause = |function: &Function| {
        let mut found = false;
        function.walk_body(|_, inst| found |= is_of_library(function, inst));
        found
    };
    let graph = CallGraph::of(module);
    let reaching = graph.reaching(module.functions.iter_enumerated().filter(|(_, f)| has_cause(f)).map(|(id, _)| id));
    let is_root = |(id, function): &(FunctionId, &Function)| function.kernel.is_some() && reaching[*id];
    graph.reached_from(module.functions.iter_enumerated().filter(is_root).map(|(id, _)| id))
}

/// Whether it is a division of 64 bits, a square root of a double, or a conversion of a narrower floating-point number to a
/// type of 64 bits. Not: other conversions, also of doubles to integers and of integers to doubles; other arithmetic of
/// doubles; divisions and roots of narrower types; calls of the program's own functions.
pub fn is_of_library(function: &Function, inst: &Inst) -> bool {
    let is_wide = |value: Value| function.ty(value).scalar.bits() == 64;
    match &inst.op {
        Op::Binary {
            op: BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem | BinaryOp::FDiv,
            lhs,
            ..
        } => is_wide(*lhs),
        Op::Intrinsic { function: Intrinsic::Sqrt | Intrinsic::HalfSqrt | Intrinsic::NativeSqrt, args } => {
            args.first().is_some_and(|operand| is_wide(*operand))
        }
        Op::Convert { op: ConvertOp::FExt | ConvertOp::FToS | ConvertOp::FToU, operand } => {
            !is_wide(*operand) && inst.results.first().is_some_and(|result| is_wide(*result))
        }
        _ => false,
    }
}
