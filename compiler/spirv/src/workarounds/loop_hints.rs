//! `workarounds/loop_hints`: sets or removes hints so that llvmpipe does not unroll loops which it miscompiles
//! ([`Workarounds::LAVAPIPE_UNROLL_HINTS`] and [`Workarounds::LAVAPIPE_UNROLLED_EXITS`]).
//!
//! Loops of constant trip counts have already been unrolled here. For the others, a hint to unroll makes the driver
//! nest one condition for each iteration that an upper bound allows, such as the smaller of the work-group's size and a
//! number of the program. It does so up to any depth, and crashes beyond some 80.

use crate::legalize::LAST;
use clforge_basic::workarounds::Workarounds;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::{Function, InstId, LoopHint, Op, RegionId};

/// The pass; after it nothing may add exits to loops.
pub struct LoopHints;

impl FunctionPass for LoopHints {
    fn name(&self) -> &'static str {
        "workarounds/loop_hints"
    }

    fn order(&self) -> Order {
        Order {
            undone_by: &[
                "simplify",
                "common_subexpressions",
                "workarounds/loop_exits",
                "workarounds/endless_loops",
                "workarounds/masked_barriers",
            ],
            ..LAST
        }
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        let workarounds = context.options.codegen.workarounds;
        let mut loops = Vec::new();
        count_exits(function, function.body, &mut loops);
        for (id, exits) in loops {
            let Op::Loop { hint, .. } = &mut function.inst_mut(id).op else { continue };
            if exits > 1 && workarounds.contains(Workarounds::LAVAPIPE_UNROLLED_EXITS) {
                *hint = LoopHint::DontUnroll;
            } else if workarounds.contains(Workarounds::LAVAPIPE_UNROLL_HINTS)
                && matches!(hint, LoopHint::Unroll | LoopHint::UnrollBy(_))
            {
                *hint = LoopHint::None;
            }
        }
        // Hints are no change.
        Changed::No
    }
}

/// Collects the loops of a region with the number of exits of each.
fn count_exits(function: &Function, region: RegionId, loops: &mut Vec<(InstId, usize)>) -> Exits {
    let mut exits = Exits::default();
    for id in &function.region(region).insts {
        let op = &function.inst(*id).op;
        let mut nested = Exits::default();
        for inner in op.regions() {
            nested = nested.and(count_exits(function, inner, loops));
        }
        match op {
            Op::Loop { .. } => {
                loops.push((*id, nested.breaks + nested.returns));
                nested.breaks = 0;
            }
            Op::Switch { .. } => nested.breaks = 0,
            Op::Break(_) | Op::NextIf { .. } => nested.breaks = 1,
            Op::Return(_) => nested.returns = 1,
            _ => {}
        }
        exits = exits.and(nested);
    }
    exits
}

/// How many times control leaves a region.
#[derive(Clone, Copy, Default)]
struct Exits {
    /// For the end of the innermost loop or switch around the region.
    breaks: usize,
    returns: usize,
}

impl Exits {
    fn and(self, other: Exits) -> Exits {
        Exits { breaks: self.breaks + other.breaks, returns: self.returns + other.returns }
    }
}
