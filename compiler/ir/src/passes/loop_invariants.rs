//! `loop_invariants` moves conditions and calls that compute the same in all iterations of a loop in front of it, with the
//! operations that they need.
//!
//! Drivers do this with single operations, but not with branches, so that a loop computes a `hypot` or a `pow` of values from
//! before it in every iteration, whose rare cases are conditions (a loop of four `hypot`s on an NVIDIA H200: 75 us, NVIDIA's
//! OpenCL 17 us). What is moved is also executed where the loop makes no iteration, so it must be harmless: it neither
//! divides nor loads, and does not loop.
//!
//! ```ir
//! ; pass: loop_invariants
//! func @f(%0: i32, %1: i32) -> i32 {
//!   %2: i32 = loop (%0, i32 0) (%3: i32, %4: i32) {
//!     %5: bool = eq %3, i32 0
//!     if %5 {
//!       break %4
//!     } else {
//!       yield
//!     }
//!     %6: i32 = mul %1, i32 5
//!     %7: bool = ult %6, i32 100
//!     %8: i32 = if %7 {
//!       %9: i32 = mul %6, %6
//!       yield %9
//!     } else {
//!       yield %1
//!     }
//!     %10: i32 = add %4, %8
//!     continue %3, %10
//!   } continuing (%11: i32, %12: i32) {
//!     %13: i32 = sub %11, i32 1
//!     next %13, %12
//!   }
//!   return %2
//! }
//! ; ---
//! func @f(%0: i32, %1: i32) -> i32 {
//!   %2: i32 = mul %1, i32 5
//!   %3: bool = ult %2, i32 100
//!   %4: i32 = if %3 {
//!     %5: i32 = mul %2, %2
//!     yield %5
//!   } else {
//!     yield %1
//!   }
//!   %6: i32 = loop (%0, i32 0) (%7: i32, %8: i32) {
//!     %9: bool = eq %7, i32 0
//!     if %9 {
//!       break %8
//!     } else {
//!       yield
//!     }
//!     %10: i32 = add %8, %4
//!     continue %7, %10
//!   } continuing (%11: i32, %12: i32) {
//!     %13: i32 = sub %11, i32 1
//!     next %13, %12
//!   }
//!   return %6
//! }
//! ```

use crate::pass::{Changed, FunctionContext, FunctionPass, Order};
use crate::*;
use rustc_hash::FxHashSet;
use typed_index_collections::{TiVec, ti_vec};

/// The most values that are carried through a loop for what is moved in front of it: they take registers in all of it.
const MAX_RESULTS: usize = 8;

/// The pass.
pub struct LoopInvariants;

impl FunctionPass for LoopInvariants {
    fn name(&self) -> &'static str {
        "loop_invariants"
    }

    fn order(&self) -> Order {
        Order { after: &["vulkan/memory", "if_conversion"], before: &["unroll_loops"], ..Order::ANY }
    }

    fn looks_at_calls(&self) -> bool {
        true
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        if function.is_declaration() || !function.ever_had(|op| matches!(op, Op::Loop { .. })) {
            return Changed::No;
        }
        let mut varies = Varies { function, context, of: ti_vec![0; function.values.len()] };
        varies.region(function.body, 0);
        let of = varies.of;
        let mut mover = Mover { function, of, changed: Changed::No };
        let body = mover.function.body;
        mover.region(body, 0);
        mover.changed
    }
}

/// For each value, the depth of the innermost loop whose iterations may change it: 0 for what is the same in all of the function.
/// Values of operations that must stay where they are have the depth of the loop around them.
struct Varies<'f> {
    function: &'f Function,
    context: &'f FunctionContext<'f>,
    of: TiVec<Value, u32>,
}

impl Varies<'_> {
    /// Finds the depths of a region's values; returns the deepest of what decides its results.
    fn region(&mut self, region: RegionId, depth: u32) -> u32 {
        let mut deepest = 0;
        for id in &self.function.region(region).insts {
            deepest = deepest.max(self.inst(*id, depth));
        }
        deepest
    }

    fn inst(&mut self, id: InstId, depth: u32) -> u32 {
        let inst = self.function.inst(id);
        let mut varies = 0;
        inst.op.for_each_operand(|operand| varies = varies.max(self.of[operand]));
        match &inst.op {
            Op::If { then, otherwise, .. } => {
                for region in [*then, *otherwise] {
                    varies = varies.max(self.region(region, depth));
                    let yields = matches!(self.function.terminator(region), Some(Op::Yield(_)));
                    varies = if yields { varies } else { depth };
                }
            }
            Op::Yield(_) => {}
            Op::Loop { body, continuing, .. } => {
                for region in [*body, *continuing] {
                    self.function.region(region).params.iter().for_each(|param| self.of[*param] = depth + 1);
                    self.region(region, depth + 1);
                }
                varies = depth;
            }
            op if !op.regions().is_empty() => {
                op.regions().into_iter().for_each(|region| {
                    self.region(region, depth);
                });
                varies = depth;
            }
            op if self.may_move(op) => {}
            _ => varies = depth,
        }
        inst.results.iter().for_each(|result| self.of[*result] = varies);
        varies
    }

    /// Whether an operation is harmless where the program does not execute it.
    fn may_move(&self, op: &Op) -> bool {
        match op {
            Op::VariableLoad { variable, .. } => {
                let storage = self.context.variables.get(*variable).map(|variable| variable.storage);
                matches!(storage, Some(Storage::PushConstant))
            }
            op => self.context.effects.is_harmless_op(self.function, op),
        }
    }
}

struct Mover<'f> {
    function: &'f mut Function,
    /// See [`Varies`].
    of: TiVec<Value, u32>,
    changed: Changed,
}

impl Mover<'_> {
    /// Moves what is invariant in the loops of a region in front of them.
    fn region(&mut self, region: RegionId, depth: u32) {
        let insts = std::mem::take(&mut self.function.region_mut(region).insts);
        let mut out = Vec::with_capacity(insts.len());
        for id in insts {
            if let Op::Loop { body, continuing, .. } = self.function.inst(id).op {
                self.region(body, depth + 1);
                self.region(continuing, depth + 1);
                self.take_invariants(body, depth + 1, &mut out);
            } else {
                for nested in self.function.inst(id).op.regions() {
                    self.region(nested, depth);
                }
            }
            out.push(id);
        }
        self.function.region_mut(region).insts = out;
    }

    /// Moves the invariant conditions and calls of a loop's body, and what they need, to `out`.
    fn take_invariants(&mut self, body: RegionId, depth: u32, out: &mut Vec<InstId>) {
        let insts = &self.function.region(body).insts;
        let mut left = MAX_RESULTS;
        let mut needed: FxHashSet<Value> = FxHashSet::default();
        let mut taken: FxHashSet<InstId> = FxHashSet::default();
        for id in insts.iter().rev() {
            let inst = self.function.inst(*id);
            let Some(first) = inst.results.first() else { continue };
            if self.of[*first] >= depth {
                continue;
            }
            let is_wanted = matches!(inst.op, Op::If { .. } | Op::Call { .. }) && inst.results.len() <= left;
            if is_wanted {
                left -= inst.results.len();
            } else if !inst.results.iter().any(|result| needed.contains(result)) {
                continue;
            }
            taken.insert(*id);
            inst.op.for_each_operand(|operand| {
                needed.insert(operand);
            });
            for nested in inst.op.regions() {
                self.function.walk(nested, |_, inner| {
                    inner.op.for_each_operand(|operand| {
                        needed.insert(operand);
                    });
                });
            }
        }
        if taken.is_empty() {
            return;
        }
        self.changed = Changed::Maybe;
        out.extend(insts.iter().filter(|id| taken.contains(id)));
        self.function.region_mut(body).insts.retain(|id| !taken.contains(id));
    }
}
