//! `workarounds/loop_hints`: sets or removes hints so that llvmpipe does not unroll loops which it miscompiles
//! ([`Workarounds::LAVAPIPE_UNROLL_HINTS`], [`Workarounds::LAVAPIPE_UNROLLED_EXITS`] and
//! [`Workarounds::LAVAPIPE_WRAPPING_COUNTERS`]).
//!
//! Loops of constant trip counts have already been unrolled here. For the others, a hint to unroll makes the driver
//! nest one condition for each iteration that an upper bound allows, such as the smaller of the work-group's size and a
//! number of the program. It does so up to any depth, and crashes beyond some 80.
//!
//! The driver divides the distance from a counter's first value to its bound by the step, and compares at that value. For a
//! counter that is past its bound from the start, and gets back by wrapping around, it takes the first such value that the
//! comparison confirms: `for (uint i = -9; i > 3; i++)` has 11 iterations then, and not 9.

use crate::legalize::LAST;
use clforge_basic::workarounds::Workarounds;
use clforge_ir::constant::{mask, sign_extend};
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::{BinaryOp, CompareOp, Function, InstId, LoopHint, Op, RegionId, ScalarType, Value};

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
            let wraps = workarounds.contains(Workarounds::LAVAPIPE_WRAPPING_COUNTERS) && may_wrap(function, id);
            let Op::Loop { hint, .. } = &mut function.inst_mut(id).op else { continue };
            if wraps || exits > 1 && workarounds.contains(Workarounds::LAVAPIPE_UNROLLED_EXITS) {
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

/// Whether a loop has a counter whose iterations the driver may count wrongly: it begins with a constant, and steps away from a
/// constant that it is compared with.
fn may_wrap(function: &Function, id: InstId) -> bool {
    let Op::Loop { inits, body, continuing, .. } = &function.inst(id).op else { return false };
    let (Some(Op::Next(next) | Op::NextIf { next, .. }), regions) =
        (function.terminator(*continuing), [*body, *continuing])
    else {
        return false;
    };
    inits.iter().zip(next).enumerate().any(|(index, (init, next))| {
        let Some(first) = function.as_int(*init) else { return false };
        let params = regions.map(|region| function.region(region).params.get(index).copied());
        let is_counter = |value: Value| params.contains(&Some(value));
        let Some((of, step)) = added(function, *next) else { return false };
        let scalar = function.ty(*init).scalar;
        is_counter(of)
            && compares(function, &regions, &mut |op, lhs, rhs| {
                [(lhs, rhs), (rhs, lhs)].into_iter().any(|(value, bound)| {
                    let (value, offset) = added(function, value).unwrap_or((value, 0));
                    let bound = function.as_int(bound).filter(|_| is_counter(value));
                    bound.is_some_and(|bound| leads_away(scalar, op, first.wrapping_add(offset), step, bound))
                })
            })
    })
}

/// What a constant is added to, and the constant.
fn added(function: &Function, value: Value) -> Option<(Value, u64)> {
    match function.op(value)? {
        Op::Binary { op: BinaryOp::Add, lhs, rhs } => Some((*lhs, function.as_int(*rhs)?)),
        Op::Binary { op: BinaryOp::Sub, lhs, rhs } => Some((*lhs, function.as_int(*rhs)?.wrapping_neg())),
        _ => None,
    }
}

/// Whether `found` holds for a comparison in some regions, or those nested in them.
fn compares(function: &Function, regions: &[RegionId], found: &mut dyn FnMut(CompareOp, Value, Value) -> bool) -> bool {
    regions.iter().flat_map(|region| &function.region(*region).insts).any(|id| match &function.inst(*id).op {
        Op::Compare { op, lhs, rhs } => found(*op, *lhs, *rhs),
        op => compares(function, &op.regions(), found),
    })
}

/// Whether a counter begins past a bound and steps away from it.
fn leads_away(scalar: ScalarType, op: CompareOp, first: u64, step: u64, bound: u64) -> bool {
    let (first, bound) = (first & mask(scalar), bound & mask(scalar));
    let signed = |bits: u64| sign_extend(scalar, bits & mask(scalar));
    let order = match op {
        CompareOp::ULt | CompareOp::ULe | CompareOp::UGt | CompareOp::UGe => first.cmp(&bound),
        CompareOp::SLt | CompareOp::SLe | CompareOp::SGt | CompareOp::SGe => signed(first).cmp(&signed(bound)),
        _ => return false,
    };
    let (step, distance) = (signed(step), signed(bound.wrapping_sub(first)));
    // The common `for (uint i = 9; i < 10; i--)` is right.
    if step > 0 { order.is_ge() } else { step < 0 && order.is_le() && distance < 0 }
}
