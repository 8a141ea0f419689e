//! Puts copies of the bodies of loops one after the other.

use super::analysis::decided_by;
use super::counted::{Counted, Globals, Part, Plan};
use crate::analysis::Substitution;
use crate::copy::Copier;
use crate::*;
use clforge_basic::source::Span;
use rustc_hash::FxHashMap;

/// Unrolls loops as planned, inner ones first.
pub(super) fn unroll(function: &mut Function, globals: &Globals, plans: FxHashMap<InstId, Plan>) {
    let body = function.body;
    Unroller { function, globals, plans }.region(body);
}

struct Unroller<'f> {
    function: &'f mut Function,
    globals: &'f Globals,
    plans: FxHashMap<InstId, Plan>,
}

impl Unroller<'_> {
    fn region(&mut self, region: RegionId) {
        let mut out = Vec::new();
        let mut replaced = Substitution::default();
        for id in self.function.region(region).insts.clone() {
            if !replaced.is_empty() {
                replaced.apply_nested(self.function, &[id]);
            }
            for nested in self.function.inst(id).op.regions() {
                self.region(nested);
            }
            let plan = self.plans.remove(&id);
            // Loops in it, of which it was known before what becomes of them, have changed.
            let planned = plan.and_then(|plan| Some((Counted::of(self.function, self.globals, id)?, plan)));
            let planned = planned.filter(|(counted, plan)| plan.fits(counted));
            match planned {
                Some((counted, plan)) => {
                    let span = self.function.inst(id).span;
                    let results = self.function.inst(id).results.clone();
                    let left_with = Copies { function: self.function, counted: &counted, span }.all(&plan, &mut out);
                    replaced.extend(results, left_with);
                }
                None => out.push(id),
            }
        }
        self.function.region_mut(region).insts = out;
    }
}

struct Copies<'f> {
    function: &'f mut Function,
    counted: &'f Counted<'f>,
    span: Span,
}

impl Copies<'_> {
    /// All iterations and what is executed when the loop is left; the results of the loop. With early exits they are in a loop
    /// that runs once, so that `break` has a target.
    fn all(&mut self, plan: &Plan, out: &mut Vec<InstId>) -> Values {
        if !self.counted.shape.early_exits.breaks {
            return self.iterations(plan, out);
        }
        let (body, continuing) = (self.function.new_region(), self.function.new_region());
        let mut insts = Vec::new();
        let results = self.iterations(plan, &mut insts);
        let types: Vec<Type> = results.iter().map(|value| self.function.ty(*value)).collect();
        insts.push(self.function.new_inst(Op::Break(results), &[], self.span));
        self.function.region_mut(body).insts = insts;
        let next = self.function.new_inst(Op::Next(Values::new()), &[], self.span);
        self.function.region_mut(continuing).insts.push(next);
        let op = Op::Loop { inits: Values::new(), body, continuing, hint: LoopHint::None };
        let id = self.function.new_inst(op, &types, self.span);
        out.push(id);
        self.function.inst(id).results.iter().copied().collect()
    }

    fn iterations(&mut self, plan: &Plan, out: &mut Vec<InstId>) -> Values {
        let mut carried = self.counted.shape.inits.clone();
        for part in &plan.parts {
            self.set_counters(part.first, &mut carried);
            carried = match part.groups {
                1 => self.successive(part, carried, out),
                _ => self.groups(part, carried, out),
            };
        }
        self.set_counters(self.counted.trips(), &mut carried);
        self.last(&carried, out)
    }

    /// Puts the constants that the counters are in an iteration among the carried values.
    fn set_counters(&self, iteration: usize, carried: &mut Values) {
        for (index, value) in self.counted.counters.iter().zip(&self.counted.values[iteration]) {
            carried[*index] = *value;
        }
    }

    fn successive(&mut self, part: &Part, mut carried: Values, out: &mut Vec<InstId>) -> Values {
        for iteration in part.first..part.end() {
            self.set_counters(iteration, &mut carried);
            carried = self.iteration(&carried, out).1;
        }
        carried
    }

    /// A loop of groups of iterations; what it carries at its end.
    fn groups(&mut self, part: &Part, carried: Values, out: &mut Vec<InstId>) -> Values {
        let constants = self.constants(part);
        let types: Vec<Type> = carried.iter().map(|value| self.function.ty(*value)).collect();
        let (body, continuing) = (self.function.new_region(), self.function.new_region());
        let [params, next] = [body, continuing]
            .map(|region| types.iter().map(|ty| self.function.add_region_param(region, *ty)).collect());
        let mut insts = Vec::new();
        self.leave_at(part, &params, &mut insts);
        let (mut values, mut known) = (params, Substitution::default());
        for constants in constants {
            let (copies, next) = self.iteration(&values, &mut insts);
            for (value, constant) in constants {
                known.insert(copies.get(&value).copied().unwrap_or(value), constant);
            }
            values = next.iter().map(|value| known.resolve(*value)).collect();
        }
        known.apply_nested(self.function, &insts);
        insts.push(self.function.new_inst(Op::Continue(values), &[], self.span));
        self.function.region_mut(body).insts = insts;
        let next = self.function.new_inst(Op::Next(next), &[], self.span);
        self.function.region_mut(continuing).insts.push(next);
        let op = Op::Loop { inits: carried, body, continuing, hint: LoopHint::None };
        let id = self.function.new_inst(op, &types, self.span);
        out.push(id);
        self.function.inst(id).results.iter().copied().collect()
    }

    /// Leaves a loop of groups where a counter is at the end of the part.
    fn leave_at(&mut self, part: &Part, params: &Values, out: &mut Vec<InstId>) {
        // There is one: see `Plan::fits`.
        let place = self.counted.counter_of_groups(part).unwrap_or_default();
        let (lhs, rhs) = (params[self.counted.counters[place]], self.counted.values[part.end()][place]);
        let test = self.function.new_inst(Op::Compare { op: CompareOp::Ne, lhs, rhs }, &[Type::BOOL], self.span);
        let condition = self.function.inst(test).results[0];
        let (then, otherwise) = (self.function.new_region(), self.function.new_region());
        for (region, op) in [(then, Op::Yield(Values::new())), (otherwise, Op::Break(params.clone()))] {
            let id = self.function.new_inst(op, &[], self.span);
            self.function.region_mut(region).insts.push(id);
        }
        out.push(test);
        out.push(self.function.new_inst(Op::If { condition, then, otherwise }, &[], self.span));
    }

    /// For each iteration of a group, the indices and conditions that are the same constants in all groups.
    fn constants(&mut self, part: &Part) -> Vec<Vec<(Value, Value)>> {
        let shape = &self.counted.shape;
        let mut values = Vec::new();
        for region in [shape.body, shape.continuing] {
            self.function.walk(region, |_, inst| {
                values.extend(decided_by(&inst.op));
                if let Op::PtrAdd { index, .. } = &inst.op {
                    values.extend(*index);
                }
            });
        }
        values.retain(|value| shape.inside.contains(value));
        let of_group = |first| {
            let mut known: FxHashMap<Value, Value> = FxHashMap::default();
            for (group, number) in (first..part.end()).step_by(part.factor).enumerate() {
                let mut iteration = self.counted.iteration(self.function, number);
                for value in &values {
                    let constant = iteration.value(*value, 0);
                    match constant {
                        Some(constant) if group == 0 => {
                            known.insert(*value, constant);
                        }
                        constant if known.get(value).copied() != constant => {
                            known.remove(value);
                        }
                        _ => {}
                    }
                }
            }
            values.iter().filter_map(|value| Some((*value, *known.get(value)?))).collect()
        };
        (part.first..part.first + part.factor).map(of_group).collect()
    }

    /// An iteration; its values, and what it carries on.
    fn iteration(&mut self, carried: &Values, out: &mut Vec<InstId>) -> (FxHashMap<Value, Value>, Values) {
        let Counted { shape, .. } = self.counted;
        let mut copier = self.copier(carried);
        for (index, id) in shape.insts.iter().enumerate() {
            if index == shape.before_yield {
                copier.pass_on(&shape.yielded);
            }
            out.push(copier.0.inst(*id));
        }
        if shape.insts.len() == shape.before_yield {
            copier.pass_on(&shape.yielded);
        }
        let params = copier.0.to.region(shape.continuing).params.iter().copied();
        let passed: Vec<_> = params.zip(shape.continued.iter().copied()).collect();
        copier.pass_on(&passed);
        let steps = copier.0.to.region(shape.continuing).insts.clone();
        for id in &steps[..steps.len() - 1] {
            out.push(copier.0.inst(*id));
        }
        let next = shape.next.iter().map(|value| copier.0.value(*value)).collect();
        (copier.0.values, next)
    }

    /// What is executed when the loop is left; the results.
    fn last(&mut self, carried: &Values, out: &mut Vec<InstId>) -> Values {
        let Counted { shape, .. } = self.counted;
        let leaving = self.function.region(shape.exit_branch).insts.clone();
        let results = match self.function.terminator(shape.exit_branch) {
            Some(Op::Break(results)) => results.clone(),
            _ => Values::new(),
        };
        let Copying(mut copier) = self.copier(carried);
        for id in shape.insts[..shape.before_test].iter().chain(&leaving[..leaving.len() - 1]) {
            out.push(copier.inst(*id));
        }
        results.iter().map(|value| copier.value(*value)).collect()
    }

    fn copier(&mut self, carried: &Values) -> Copying<'_> {
        let params = self.function.region(self.counted.shape.body).params.iter().copied();
        let values = params.zip(carried.iter().copied()).collect();
        Copying(Copier { from: None, to: self.function, values })
    }
}

struct Copying<'c>(Copier<'c>);

impl Copying<'_> {
    /// Gives names that regions have for values the copies of those.
    fn pass_on(&mut self, names: &[(Value, Value)]) {
        let values: Vec<Value> = names.iter().map(|(_, value)| self.0.value(*value)).collect();
        self.0.values.extend(names.iter().map(|(name, _)| *name).zip(values));
    }
}
