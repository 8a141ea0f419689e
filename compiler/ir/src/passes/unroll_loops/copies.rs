//! Makes the loop of groups of iterations.

use super::counted::MAX_STEP;
use super::*;
use crate::copy::Copier;
use clforge_basic::source::Span;
use rustc_hash::FxHashMap;

/// Appends the loop of groups to `out`, after what computes its bound; the loop itself, which is to follow, begins where that
/// one ends.
pub(super) fn unroll(function: &mut Function, id: InstId, plan: &Plan, out: &mut Vec<InstId>) {
    let span = function.inst(id).span;
    for id in &plan.hoisted {
        out.push(*id);
    }
    let hoisted: FxHashSet<InstId> = plan.hoisted.iter().copied().collect();
    let insts = &mut function.region_mut(plan.shape.body).insts;
    insts.retain(|id| !hoisted.contains(id));
    let maps = vec![FxHashMap::default(); plan.factor];
    let mut group = Group { function, plan, span, maps, multiples: Vec::new(), hoisted };
    group.multiply_step(out);
    let test = group.distance(out);
    let body = group.function.new_region();
    let params = group.params(body);
    let mut insts = Vec::new();
    group.leave_unless(test, &params, &mut insts);
    group.counters(&mut insts);
    group.loads(&mut insts);
    let values = group.iterations(&params, &mut insts);
    insts.push(group.function.new_inst(Op::Continue(values), &[], span));
    group.function.region_mut(body).insts = insts;

    let continuing = group.function.new_region();
    let next = group.params(continuing);
    let end = group.function.new_inst(Op::Next(next), &[], span);
    group.function.region_mut(continuing).insts.push(end);
    let types: Vec<Type> = params.iter().map(|param| group.function.ty(*param)).collect();
    let inits = plan.shape.inits.clone();
    let groups = Op::Loop { inits, body, continuing, hint: LoopHint::DontUnroll };
    let groups = group.function.new_inst(groups, &types, span);
    out.push(groups);
    let rest = group.function.inst(groups).results.iter().copied().collect();
    if let Op::Loop { inits, .. } = &mut group.function.inst_mut(id).op {
        *inits = rest;
    }
}

/// What decides before each group whether all of its iterations will be made.
enum Test {
    /// The counter compares so with a limit.
    Limit(CompareOp, Value),
    /// As many steps are left to the bound.
    Steps,
}

struct Group<'f, 'p> {
    function: &'f mut Function,
    plan: &'p Plan,
    span: Span,
    /// The values of each iteration.
    maps: Vec<FxHashMap<Value, Value>>,
    /// Of a step that is not a constant: nothing, it, twice it and so on, up to as many as a group has iterations.
    multiples: Vec<Value>,
    hoisted: FxHashSet<InstId>,
}

impl Group<'_, '_> {
    fn emit(&mut self, op: Op, ty: Type, out: &mut Vec<InstId>) -> Value {
        match fold::reduce(self.function, op, ty) {
            Ok(value) => value,
            Err(op) => {
                let id = self.function.new_inst(op, &[ty], self.span);
                out.push(id);
                self.function.inst(id).results[0]
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, lhs: Value, rhs: Value, out: &mut Vec<InstId>) -> Value {
        let ty = self.function.ty(lhs);
        self.emit(Op::Binary { op, lhs, rhs }, ty, out)
    }

    fn compare(&mut self, op: CompareOp, lhs: Value, rhs: Value, out: &mut Vec<InstId>) -> Value {
        self.emit(Op::Compare { op, lhs, rhs }, Type::BOOL, out)
    }

    fn constant(&mut self, ty: Type, bits: u64) -> Value {
        self.function.constant(Constant::int(ty, bits))
    }

    /// Computes the multiples of a step that is not a constant, before the loop.
    fn multiply_step(&mut self, out: &mut Vec<InstId>) {
        let Step::Invariant(step, insts) = &self.plan.counter.step else { return };
        for id in insts {
            self.copy(*id, 0, out);
        }
        let step = self.value(0, *step);
        let ty = self.function.ty(step);
        for count in 0..=self.plan.factor as u64 {
            let count = self.constant(ty, count);
            let multiple = self.binary(BinaryOp::Mul, step, count, out);
            self.multiples.push(multiple);
        }
    }

    /// Computes what the test needs before the loop. With a positive step and `counter < bound`, all iterations of a group are
    /// made where the counter is less than the bound less the steps between the first and the last of them; where that
    /// difference would wrap, none is.
    fn distance(&mut self, out: &mut Vec<InstId>) -> Test {
        use CompareOp::*;
        let Plan { counter, factor, .. } = self.plan;
        let ty = self.function.ty(counter.bound);
        let ones = constant::mask(ty.scalar);
        let sign = ones & !(ones >> 1);
        // The test is strict; `is_strict` says whether the loop's is.
        let (is_strict, test, least) = match counter.op {
            SLt | SLe => (counter.op == SLt, SLt, sign),
            ULt | ULe => (counter.op == ULt, ULt, 0),
            SGt | SGe => (counter.op == SGt, SGt, sign - 1),
            UGt | UGe => (counter.op == UGt, UGt, ones),
            _ => return Test::Steps,
        };
        let Step::Constant(step) = counter.step else {
            return Test::Limit(test, self.limit_of_invariant_step(test, is_strict, least, out));
        };
        let between = (*factor as u64 - 1) * step.unsigned_abs() - u64::from(!is_strict);
        let between = if step > 0 { between } else { between.wrapping_neg() };
        let (least, end) = (self.constant(ty, least), self.constant(ty, least.wrapping_add(between)));
        let room = self.compare(test.swapped(), counter.bound, end, out);
        let between = self.constant(ty, between);
        let limit = self.binary(BinaryOp::Sub, counter.bound, between, out);
        let limit = self.emit(Op::Select { condition: room, if_true: limit, if_false: least }, ty, out);
        Test::Limit(test, limit)
    }

    /// The limit for a step that is not a constant: also where that is not positive or too large, no group is made.
    fn limit_of_invariant_step(
        &mut self,
        test: CompareOp,
        is_strict: bool,
        least: u64,
        out: &mut Vec<InstId>,
    ) -> Value {
        let bound = self.plan.counter.bound;
        let (ty, last) = (self.function.ty(bound), self.plan.factor - 1);
        let (step, mut between) = (self.multiples[1], self.multiples[last]);
        let step_type = self.function.ty(step);
        let (one, most) = (self.constant(step_type, 1), self.constant(step_type, MAX_STEP.cast_unsigned()));
        let below = self.binary(BinaryOp::Sub, step, one, out);
        let is_usual = self.compare(CompareOp::ULt, below, most, out);
        if step_type != ty {
            between = self.emit(Op::Convert { op: ConvertOp::ZExt, operand: between }, ty, out);
        }
        if !is_strict {
            let one = self.constant(ty, 1);
            between = self.binary(BinaryOp::Sub, between, one, out);
        }
        let least = self.constant(ty, least);
        let end = self.binary(BinaryOp::Add, least, between, out);
        let has_room = self.compare(test.swapped(), bound, end, out);
        let condition = self.emit(Op::Binary { op: BinaryOp::And, lhs: is_usual, rhs: has_room }, Type::BOOL, out);
        let limit = self.binary(BinaryOp::Sub, bound, between, out);
        self.emit(Op::Select { condition, if_true: limit, if_false: least }, ty, out)
    }

    /// Parameters of a region as those of the loop's body.
    fn params(&mut self, region: RegionId) -> Values {
        let types: Vec<Type> =
            self.function.region(self.plan.shape.body).params.iter().map(|param| self.function.ty(*param)).collect();
        types.into_iter().map(|ty| self.function.add_region_param(region, ty)).collect()
    }

    /// Leaves the loop of groups with the values that it carries, unless a whole group is left.
    fn leave_unless(&mut self, test: Test, params: &Values, out: &mut Vec<InstId>) {
        let Plan { counter, factor, .. } = self.plan;
        let at = params[counter.index];
        let condition = match test {
            Test::Limit(op, limit) => {
                let at = match counter.extension {
                    Some(op) => self.emit(Op::Convert { op, operand: at }, self.function.ty(limit), out),
                    None => at,
                };
                self.compare(op, at, limit, out)
            }
            Test::Steps => {
                let grows = counter.step.constant().is_some_and(|step| step > 0);
                let (from, to) = if grows { (at, counter.bound) } else { (counter.bound, at) };
                let left = self.binary(BinaryOp::Sub, to, from, out);
                let whole = self.constant(self.function.ty(at), *factor as u64);
                self.compare(CompareOp::UGe, left, whole, out)
            }
        };
        let (then, otherwise) = (self.function.new_region(), self.function.new_region());
        for (region, op) in [(then, Op::Yield(Values::new())), (otherwise, Op::Break(params.clone()))] {
            let id = self.function.new_inst(op, &[], self.span);
            self.function.region_mut(region).insts.push(id);
        }
        out.push(self.function.new_inst(Op::If { condition, then, otherwise }, &[], self.span));
        let old = &self.function.region(self.plan.shape.body).params;
        self.maps[0].extend(old.iter().copied().zip(params.iter().copied()));
    }

    /// The counter of each iteration.
    fn counters(&mut self, out: &mut Vec<InstId>) {
        for iteration in 1..self.plan.factor {
            let value = self.counter(iteration, out);
            self.maps[iteration].insert(self.plan.counter.param, value);
        }
    }

    /// The counter after as many iterations.
    fn counter(&mut self, iteration: usize, out: &mut Vec<InstId>) -> Value {
        let Counter { param, step, .. } = &self.plan.counter;
        match step {
            Step::Constant(step) => self.moved(*param, step.cast_unsigned(), iteration, out),
            Step::Invariant(..) => {
                let first = self.value(0, *param);
                self.binary(BinaryOp::Add, first, self.multiples[iteration], out)
            }
        }
    }

    /// A value of the first iteration and as many strides.
    fn moved(&mut self, value: Value, stride: u64, iteration: usize, out: &mut Vec<InstId>) -> Value {
        let first = self.maps[0].get(&value).copied().unwrap_or(value);
        if stride == 0 {
            return first;
        }
        let distance = self.constant(self.function.ty(first), stride.wrapping_mul(iteration as u64));
        self.binary(BinaryOp::Add, first, distance, out)
    }

    /// What does not depend on earlier iterations: each instruction for all iterations of the group.
    fn loads(&mut self, out: &mut Vec<InstId>) {
        for id in &self.plan.shape.insts {
            if !self.plan.early.contains(id) || self.hoisted.contains(id) {
                continue;
            }
            let stride = match self.function.inst(*id).results[..] {
                [result] => self.plan.strides.get(result).map(|stride| (result, stride)),
                _ => None,
            };
            self.copy(*id, 0, out);
            for iteration in 1..self.plan.factor {
                match stride {
                    Some((result, stride)) => {
                        let value = self.moved(result, stride, iteration, out);
                        self.maps[iteration].insert(result, value);
                    }
                    None => self.copy(*id, iteration, out),
                }
            }
        }
    }

    fn copy(&mut self, id: InstId, iteration: usize, out: &mut Vec<InstId>) {
        let values = std::mem::take(&mut self.maps[iteration]);
        let mut copier = Copier { from: None, to: self.function, values };
        out.push(copier.inst(id));
        self.maps[iteration] = copier.values;
    }

    fn value(&self, iteration: usize, value: Value) -> Value {
        self.maps[iteration].get(&value).copied().unwrap_or(value)
    }

    /// The other instructions of each iteration, in order; the values that the last one passes on.
    fn iterations(&mut self, params: &Values, out: &mut Vec<InstId>) -> Values {
        let plan = self.plan;
        let LoopShape { insts, yielded, continued, next, body, continuing, before_yield, .. } = &plan.shape;
        let steps = self.function.region(*continuing).insts.clone();
        let (old, passed) =
            (self.function.region(*body).params.clone(), self.function.region(*continuing).params.clone());
        let mut carried = params.clone();
        for iteration in 0..plan.factor {
            for (index, (param, value)) in old.iter().zip(&carried).enumerate() {
                if index != plan.counter.index {
                    self.maps[iteration].insert(*param, *value);
                }
            }
            for (index, id) in insts.iter().enumerate() {
                if index == *before_yield {
                    self.yield_values(iteration, yielded);
                }
                if !plan.early.contains(id) && !self.hoisted.contains(id) {
                    self.copy(*id, iteration, out);
                }
            }
            if insts.len() == *before_yield {
                self.yield_values(iteration, yielded);
            }
            let values: Vec<Value> = continued.iter().map(|value| self.value(iteration, *value)).collect();
            self.maps[iteration].extend(passed.iter().copied().zip(values));
            for id in &steps[..steps.len() - 1] {
                self.copy(*id, iteration, out);
            }
            carried = next.iter().map(|value| self.value(iteration, *value)).collect();
        }
        carried[plan.counter.index] = self.counter(plan.factor, out);
        carried
    }

    fn yield_values(&mut self, iteration: usize, yielded: &[(Value, Value)]) {
        for (result, value) in yielded {
            let value = self.value(iteration, *value);
            self.maps[iteration].insert(*result, value);
        }
    }
}
