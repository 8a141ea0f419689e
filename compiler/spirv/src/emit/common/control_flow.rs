//! Structured control flow.
//!
//! Every region becomes blocks between labels that are made beforehand; values leave regions through phis that are
//! written when all their sources are known.

use super::function::{Edges, Environment, FunctionEmitter, Join};
use clforge_basic::narrow::low_u32;
use clforge_ir::error::Limited;
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, LoopControl, SelectionControl, Word};

/// Values of a switch, a universal limit of SPIR-V (2.17).
const MAX_CASES: usize = 16_383;
/// Nesting of structured control flow, another one.
const MAX_DEPTH: usize = 1023;

impl FunctionEmitter<'_> {
    pub(super) fn region<E: Environment>(&mut self, env: &mut E, region: RegionId) -> Result<(), Error> {
        let function = self.function;
        let mut place = None;
        for id in &function.region(region).insts {
            let inst = function.inst(*id);
            self.at = inst.span;
            if place != Some(inst.span.lo)
                && let Some(line) = self.m.line(inst.span)
            {
                place = Some(inst.span.lo);
                self.effect(spirv::Op::Line, line)?;
            }
            match &inst.op {
                Op::If { .. } | Op::Switch { .. } | Op::Loop { .. } => self.structured(env, *id)?,
                op if op.is_terminator() => return self.terminator(env, op),
                _ => self.arithmetic(env, *id)?,
            }
        }
        Err(Error::internal("a region without terminator"))
    }

    fn structured<E: Environment>(&mut self, env: &mut E, id: InstId) -> Result<(), Error> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Error::limit(Limited::Nesting, self.depth, MAX_DEPTH));
        }
        if self.continuing_regions > 0 {
            self.in_continuing.push(id);
        }
        match &self.function.inst(id).op {
            Op::If { .. } => self.if_else(env, id)?,
            Op::Switch { .. } => self.switch(env, id)?,
            _ => self.loop_(env, id)?,
        }
        self.in_continuing.pop();
        self.depth -= 1;
        Ok(())
    }

    /// Writes the phis of `values`, one operand for each edge. Without edges the values are undefined.
    fn phis<E: Environment>(&mut self, env: &mut E, values: &[Value], edges: &Edges) -> Result<(), Error> {
        for (index, value) in values.iter().enumerate() {
            let id = self.id(env, *value);
            let ty = self.type_of(env, *value);
            if edges.is_empty() {
                match self.m.undefined(ty) {
                    Some(zeros) => self.push_as(id, spirv::Op::CopyObject, ty, vec![Operand::IdRef(zeros)])?,
                    None => self.push_as(id, spirv::Op::Undef, ty, vec![])?,
                }
                continue;
            }
            let mut operands = Vec::with_capacity(edges.len() * 2);
            for (label, sources) in edges {
                operands.push(Operand::IdRef(sources[index]));
                operands.push(Operand::IdRef(*label));
            }
            self.push_as(id, spirv::Op::Phi, ty, operands)?;
        }
        Ok(())
    }

    fn if_else<E: Environment>(&mut self, env: &mut E, id: InstId) -> Result<(), Error> {
        let inst = self.function.inst(id);
        let Op::If { condition, then, otherwise } = inst.op else { return Err(Error::internal("not an 'if'")) };
        let condition = self.id(env, condition);
        // No block for a side that does nothing, but one for the other side at least. PoCL 3.1 gets barriers between
        // conditional regions wrong that have an empty side.
        let merge = self.m.id();
        let mut join = Join { label: merge, edges: Edges::new() };
        let mut sides = [(then, 0), (otherwise, 0)];
        for (region, label) in sides.iter_mut().rev() {
            match self.function.region(*region).insts.first().map(|id| &self.function.inst(*id).op) {
                Some(Op::Yield(values)) if join.edges.is_empty() => {
                    *label = merge;
                    join.edges.push((self.label, self.id_list(env, values)));
                }
                _ => *label = self.m.id(),
            }
        }
        let none = Operand::SelectionControl(SelectionControl::NONE);
        self.effect(spirv::Op::SelectionMerge, vec![Operand::IdRef(merge), none])?;
        let targets = [condition, sides[0].1, sides[1].1];
        self.terminate(spirv::Op::BranchConditional, targets.map(Operand::IdRef).to_vec())?;
        self.yields.push(join);
        for (region, label) in sides {
            if label != merge {
                self.begin(label)?;
                self.region(env, region)?;
            }
        }
        let join = self.yields.pop().unwrap_or_default();
        self.begin(merge)?;
        self.phis(env, &inst.results, &join.edges)
    }

    fn switch<E: Environment>(&mut self, env: &mut E, id: InstId) -> Result<(), Error> {
        let function = self.function;
        let inst = function.inst(id);
        let Op::Switch { selector, inputs, cases } = &inst.op else { return Err(Error::internal("not a 'switch'")) };
        let wide = function.ty(*selector).scalar.bits() == 64;
        let selector = self.id(env, *selector);
        let inputs = self.id_list(env, inputs);
        let labels: Vec<Word> = cases.iter().map(|_| self.m.id()).collect();
        let merge = self.m.id();
        let none = Operand::SelectionControl(SelectionControl::NONE);
        self.effect(spirv::Op::SelectionMerge, vec![Operand::IdRef(merge), none])?;
        let default = cases.iter().zip(&labels).find(|(case, _)| case.default).map_or(merge, |(_, label)| *label);
        let mut operands = vec![Operand::IdRef(selector), Operand::IdRef(default)];
        // Cases with several predecessors are entered through a block of their own where that is needed.
        let split = env.splits_switch_edges() && !inputs.is_empty();
        let edges = |case: &Case| case.values.len() + usize::from(case.default);
        let heads: Vec<Word> =
            cases.iter().map(|case| if split && edges(case) > 1 { self.m.id() } else { self.label }).collect();
        let entry = |index: usize, head: Word| if heads[index] == head { labels[index] } else { heads[index] };
        let head = self.label;
        if let Some(index) = cases.iter().position(|case| case.default) {
            operands[1] = Operand::IdRef(entry(index, head));
        }
        for (index, case) in cases.iter().enumerate() {
            for value in &case.values {
                operands.push(match wide {
                    true => Operand::LiteralBit64(*value),
                    false => Operand::LiteralBit32(low_u32(*value)),
                });
                operands.push(Operand::IdRef(entry(index, head)));
            }
        }
        let values: usize = cases.iter().map(|case| case.values.len()).sum();
        if values > MAX_CASES {
            return Err(Error::limit(Limited::SwitchCases, values, MAX_CASES));
        }
        self.terminate(spirv::Op::Switch, operands)?;
        for (index, label) in labels.iter().enumerate() {
            if heads[index] != head {
                self.begin(heads[index])?;
                self.branch(*label)?;
            }
        }
        self.breaks.push(Join { label: merge, edges: Edges::new() });
        let mut fallen = Edges::new();
        for (index, case) in cases.iter().enumerate() {
            self.begin(labels[index])?;
            let mut edges = std::mem::take(&mut fallen);
            edges.push((heads[index], inputs.clone()));
            self.phis(env, &function.region(case.region).params, &edges)?;
            let next = labels.get(index + 1).copied().unwrap_or(merge);
            self.falls.push(Join { label: next, edges: Edges::new() });
            self.region(env, case.region)?;
            fallen = self.falls.pop().unwrap_or_default().edges;
        }
        let join = self.breaks.pop().unwrap_or_default();
        self.begin(merge)?;
        self.phis(env, &inst.results, &join.edges)
    }

    fn loop_<E: Environment>(&mut self, env: &mut E, id: InstId) -> Result<(), Error> {
        let function = self.function;
        let inst = function.inst(id);
        let Op::Loop { inits, body, continuing, hint } = &inst.op else { return Err(Error::internal("not a 'loop'")) };
        let inits = self.id_list(env, inits);
        let [header, first, next, latch, merge] = [(); 5].map(|()| self.m.id());
        let before = self.label;
        self.branch(header)?;

        self.begin(header)?;
        let back = function.terminator(*continuing);
        let carried = match back {
            Some(Op::Next(values) | Op::NextIf { next: values, .. }) => self.id_list(env, values),
            _ => return Err(Error::internal("a continuing region without 'next'")),
        };
        let edges = vec![(before, inits), (latch, carried)];
        self.phis(env, &function.region(*body).params, &edges)?;
        let (control, count) = match hint {
            LoopHint::None => (LoopControl::NONE, None),
            LoopHint::Unroll => (LoopControl::UNROLL, None),
            LoopHint::UnrollBy(count) if self.m.at_least(1, 4) => (LoopControl::PARTIAL_COUNT, Some(*count)),
            LoopHint::UnrollBy(_) => (LoopControl::UNROLL, None),
            LoopHint::DontUnroll => (LoopControl::DONT_UNROLL, None),
        };
        let mut operands = vec![Operand::IdRef(merge), Operand::IdRef(next), Operand::LoopControl(control)];
        operands.extend(count.map(Operand::LiteralBit32));
        self.effect(spirv::Op::LoopMerge, operands)?;
        self.branch(first)?;

        self.breaks.push(Join { label: merge, edges: Edges::new() });
        self.continues.push(Join { label: next, edges: Edges::new() });
        self.begin(first)?;
        self.region(env, *body)?;
        let steps = self.continues.pop().unwrap_or_default();

        self.begin(next)?;
        self.phis(env, &function.region(*continuing).params, &steps.edges)?;
        self.continuing(env, *continuing, [header, latch, merge])?;
        let join = self.breaks.pop().unwrap_or_default();
        self.begin(merge)?;
        self.phis(env, &inst.results, &join.edges)
    }

    /// The continuing region and the block that branches back.
    fn continuing<E: Environment>(
        &mut self,
        env: &mut E,
        region: RegionId,
        [header, latch, merge]: [Word; 3],
    ) -> Result<(), Error> {
        let function = self.function;
        self.continuing_regions += 1;
        for id in &function.region(region).insts {
            self.at = function.inst(*id).span;
            match &function.inst(*id).op {
                Op::If { .. } | Op::Switch { .. } | Op::Loop { .. } => self.structured(env, *id)?,
                op if op.is_terminator() => {
                    self.continuing_regions -= 1;
                    self.branch(latch)?;
                    self.begin(latch)?;
                    let Op::NextIf { condition, results, .. } = op else { return self.branch(header) };
                    let condition = self.id(env, *condition);
                    let results = self.id_list(env, results);
                    if let Some(join) = self.breaks.last_mut() {
                        join.edges.push((latch, results));
                    }
                    let targets = [condition, header, merge];
                    return self.terminate(spirv::Op::BranchConditional, targets.map(Operand::IdRef).to_vec());
                }
                _ => self.arithmetic(env, *id)?,
            }
        }
        Err(Error::internal("a region without terminator"))
    }

    fn terminator<E: Environment>(&mut self, env: &mut E, op: &Op) -> Result<(), Error> {
        let (values, joins): (&Values, fn(&mut Self) -> &mut Vec<Join>) = match op {
            Op::Yield(values) => (values, |f| &mut f.yields),
            Op::Break(values) => (values, |f| &mut f.breaks),
            Op::Continue(values) => (values, |f| &mut f.continues),
            Op::Fallthrough(values) => (values, |f| &mut f.falls),
            Op::Return(Some(value)) => {
                let id = self.id(env, *value);
                return self.terminate(spirv::Op::ReturnValue, vec![Operand::IdRef(id)]);
            }
            Op::Return(None) => return self.terminate(spirv::Op::Return, vec![]),
            _ => return self.unreachable(env),
        };
        let ids = self.id_list(env, values);
        let label = self.label;
        let join = joins(self).last_mut().or_internal("a terminator without a target")?;
        join.edges.push((label, ids));
        let target = join.label;
        self.branch(target)
    }

    /// Ends a block that is never reached. In a continuing region it joins what is around it all the same, with undefined
    /// values: all blocks of a continue construct must lead to its end, structurally, the ones never reached too.
    fn unreachable<E: Environment>(&mut self, env: &mut E) -> Result<(), Error> {
        let Some(around) = self.in_continuing.last() else { return self.terminate(spirv::Op::Unreachable, vec![]) };
        let inst = self.function.inst(*around);
        let mut values = Vec::with_capacity(inst.results.len());
        for result in &inst.results {
            let ty = self.type_of(env, *result);
            values.push(match self.m.undefined(ty) {
                Some(zeros) => zeros,
                None => self.push(spirv::Op::Undef, ty, vec![])?,
            });
        }
        let joins = if matches!(inst.op, Op::If { .. }) { &mut self.yields } else { &mut self.breaks };
        let join = joins.last_mut().or_internal("an operation without an end")?;
        join.edges.push((self.label, values));
        let target = join.label;
        self.branch(target)
    }
}
