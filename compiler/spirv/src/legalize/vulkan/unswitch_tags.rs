//! `vulkan/unswitch_tags` tests outside of a loop which address space a generic pointer points into.
//!
//! An access through a generic pointer branches on its tag (`memory/generic.rs`), which a loop over an object's
//! elements does not change. The loop is copied for each space, so that its accesses need no branch: generic sums of 16
//! elements took 0.059 ms on an NVIDIA H100 before. Only tests of tags are hoisted, because their result is mostly the
//! same for all work-items of a group, and only out of small loops without barriers and other operations that
//! work-items must execute together.

use super::memory::is_tag_test;
use clforge_ir::copy::Copier;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::verify::Legalized;
use clforge_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most instructions of a loop that is copied.
const MAX_SIZE: usize = 80;
/// The most instructions that a function grows by.
const MAX_GROWTH: usize = 800;
/// The most instructions that compute a test.
const MAX_TEST: usize = 12;

/// The pass.
pub struct UnswitchTags;

impl FunctionPass for UnswitchTags {
    fn name(&self) -> &'static str {
        "vulkan/unswitch_tags"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::Memory), before: &["unroll_loops"], ..Order::ANY }
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        let mut has_tests = false;
        function.walk_body(|_, inst| {
            has_tests |= inst.results.first().is_some_and(|result| is_tag_test(function, *result));
        });
        if has_tests {
            let body = function.body;
            Unswitching { function, growth: MAX_GROWTH }.region(body);
        }
        if has_tests { Changed::Maybe } else { Changed::No }
    }
}

struct Unswitching<'f> {
    function: &'f mut Function,
    /// Instructions that may still be added.
    growth: usize,
}

impl Unswitching<'_> {
    fn region(&mut self, region: RegionId) {
        let mut out = Vec::new();
        for id in self.function.region(region).insts.clone() {
            if matches!(self.function.inst(id).op, Op::Loop { .. }) {
                self.unswitch(id, &mut out);
            }
            // A copy may have tests of other tags.
            for nested in self.function.inst(id).op.regions() {
                self.region(nested);
            }
            out.push(id);
        }
        self.function.region_mut(region).insts = out;
    }

    /// Replaces a loop by a condition with a copy of the loop on either side, if it tests a tag that it does not change; `out`
    /// gets the test.
    fn unswitch(&mut self, id: InstId, out: &mut Vec<InstId>) {
        let Some(size) = self.size(id).filter(|size| *size <= MAX_SIZE.min(self.growth)) else { return };
        let inside = self.defined_inside(id);
        let Some((condition, computed)) = self.invariant_test(id, &inside) else { return };
        self.growth -= size;
        let mut copier = Copier { from: None, to: self.function, values: FxHashMap::default() };
        for id in computed {
            let copy = copier.inst(id);
            out.push(copy);
        }
        let outside = copier.value(condition);
        let Inst { results, span, .. } = self.function.inst(id).clone();
        let mut tests = Vec::new();
        for region in self.function.inst(id).op.regions() {
            self.function.walk(region, |id, inst| {
                tests.extend(matches!(inst.op, Op::If { condition: tested, .. } if tested == condition).then_some(id));
            });
        }
        let sides = [1, 0].map(|truth| {
            let truth = self.function.int(Type::BOOL, truth);
            for test in &tests {
                if let Op::If { condition, .. } = &mut self.function.inst_mut(*test).op {
                    *condition = truth;
                }
            }
            let copy = Copier { from: None, to: self.function, values: FxHashMap::default() }.inst(id);
            let values: Values = self.function.inst(copy).results.iter().copied().collect();
            let end = self.function.new_inst(Op::Yield(values), &[], span);
            let side = self.function.new_region();
            self.function.region_mut(side).insts = vec![copy, end];
            side
        });
        debug_assert_eq!(results, self.function.inst(id).results, "the condition has the loop's results");
        self.function.inst_mut(id).op = Op::If { condition: outside, then: sides[0], otherwise: sides[1] };
    }

    /// The instructions of a loop; `None` where work-items must stay together.
    fn size(&self, id: InstId) -> Option<usize> {
        let mut size = Some(0);
        for region in self.function.inst(id).op.regions() {
            self.function.walk(region, |_, inst| {
                let apart = !inst.op.is_convergent() && !matches!(inst.op, Op::Call { .. });
                size = size.filter(|_| apart).map(|size| size + 1);
            });
        }
        size
    }

    fn defined_inside(&self, id: InstId) -> FxHashSet<Value> {
        let function = &self.function;
        let mut inside = FxHashSet::default();
        let mut add = |region: RegionId| inside.extend(function.region(region).params.iter().copied());
        let mut results = Vec::new();
        for region in function.inst(id).op.regions() {
            add(region);
            function.walk(region, |_, inst| {
                results.extend(inst.results.iter().copied());
                inst.op.regions().into_iter().for_each(&mut add);
            });
        }
        inside.extend(results);
        inside
    }

    /// The first condition of a loop that tests a tag and is the same in every iteration, with what computes it.
    fn invariant_test(&self, id: InstId, inside: &FxHashSet<Value>) -> Option<(Value, Vec<InstId>)> {
        self.function.inst(id).op.regions().into_iter().find_map(|region| self.test_in(region, inside))
    }

    fn test_in(&self, region: RegionId, inside: &FxHashSet<Value>) -> Option<(Value, Vec<InstId>)> {
        self.function.region(region).insts.iter().find_map(|id| {
            let op = &self.function.inst(*id).op;
            let mut regions = op.regions();
            if let Op::If { condition, then, otherwise } = op {
                // The side that is never taken in this copy has other tests.
                match self.function.as_int(*condition) {
                    Some(0) => regions.retain(|region| region == otherwise),
                    Some(_) => regions.retain(|region| region == then),
                    None => {}
                }
                let mut computed = Vec::new();
                if is_tag_test(self.function, *condition) && self.is_invariant(*condition, inside, &mut computed) {
                    return Some((*condition, computed));
                }
            }
            regions.into_iter().find_map(|region| self.test_in(region, inside))
        })
    }

    /// Whether a value is computed from values outside of the loop alone; `computed` gets the instructions, in order.
    fn is_invariant(&self, value: Value, inside: &FxHashSet<Value>, computed: &mut Vec<InstId>) -> bool {
        if !inside.contains(&value) {
            return true;
        }
        let ValueDef::Inst(id, _) = self.function.def(value) else { return false };
        if computed.contains(id) {
            return true;
        }
        let op = &self.function.inst(*id).op;
        let mut invariant = op.is_pure() && computed.len() < MAX_TEST;
        op.for_each_operand(|operand| invariant = invariant && self.is_invariant(operand, inside, computed));
        computed.push(*id);
        invariant
    }
}
