//! `simplify`: folds operations whose operands have become constant, among them loads of program-scope constants, and removes
//! branches on constants.
//!
//! It walks the function once in order of execution, so operands are folded before their uses. An `if` (or `switch`) on
//! a constant is replaced by the branch that is taken, `do { … } while (0)` by its body; an `if` whose branches only
//! choose between values becomes `select`. Code after an `if` or a `switch` that never completes normally is removed.

use crate::analysis::{Substitution, load_constant};
use crate::fold;
use crate::pass::{Changed, FunctionContext, FunctionPass};
use crate::*;
use typed_index_collections::TiSlice;

/// The pass.
pub struct Simplify;

impl FunctionPass for Simplify {
    fn name(&self) -> &'static str {
        "simplify"
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        if function.is_declaration() {
            return Changed::No;
        }
        let body = function.body;
        Simplifier { function, globals: context.globals, replaced: Substitution::default() }.region(body);
        Changed::Maybe
    }
}

struct Simplifier<'f> {
    function: &'f mut Function,
    globals: &'f TiSlice<GlobalId, Global>,
    replaced: Substitution,
}

/// Whether a list of instructions ends in a terminator before its end, so that nothing after it runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Continues,
    Ended,
}

impl Simplifier<'_> {
    fn region(&mut self, region: RegionId) {
        let insts = std::mem::take(&mut self.function.region_mut(region).insts);
        let mut out = Vec::with_capacity(insts.len());
        self.insts(&insts, &mut out);
        self.function.region_mut(region).insts = out;
    }

    fn insts(&mut self, insts: &[InstId], out: &mut Vec<InstId>) -> Flow {
        for id in insts {
            if self.inst(*id, out) == Flow::Ended {
                return Flow::Ended;
            }
        }
        Flow::Continues
    }

    fn inst(&mut self, id: InstId, out: &mut Vec<InstId>) -> Flow {
        let mut op = std::mem::replace(&mut self.function.inst_mut(id).op, Op::Unreachable);
        self.replaced.apply(&mut op);
        let ends = op.is_terminator();
        if let (true, [result]) = (op.is_pure(), &self.function.inst(id).results[..]) {
            let result = *result;
            match fold::reduce(self.function, op, self.function.ty(result)) {
                Ok(value) => {
                    self.replaced.insert(result, value);
                    return Flow::Continues;
                }
                Err(simplest) => op = simplest,
            }
        }
        if let (Op::Load { ptr, volatile: false, .. }, [result]) = (&op, &self.function.inst(id).results[..])
            && let Some(constant) = self.load(*ptr, self.function.ty(*result))
        {
            let (result, value) = (*result, self.function.constant(constant));
            self.replaced.insert(result, value);
            return Flow::Continues;
        }
        let structured = !op.regions().is_empty();
        self.function.inst_mut(id).op = op;
        if structured {
            return self.structured(id, out);
        }
        out.push(id);
        if ends { Flow::Ended } else { Flow::Continues }
    }

    fn load(&self, pointer: Value, ty: Type) -> Option<Constant> {
        let is_constant = |index| self.function.as_constant(index).is_some();
        load_constant(self.function, self.globals, (pointer, ty), |index| is_constant(index).then_some(index))
    }

    fn structured(&mut self, id: InstId, out: &mut Vec<InstId>) -> Flow {
        match &self.function.inst(id).op {
            Op::If { condition, then, otherwise } => {
                let (condition, then, otherwise) = (*condition, *then, *otherwise);
                if let Some(truth) = self.function.as_int(condition) {
                    return self.splice(id, if truth != 0 { then } else { otherwise }, out);
                }
                self.region(then);
                self.region(otherwise);
                if self.choose(id, condition, then, otherwise, out) {
                    return Flow::Continues;
                }
                if let Some(exit) = self.same_exit(then, otherwise) {
                    return self.inst(exit, out);
                }
                if self.leaves(then) && self.leaves(otherwise) {
                    return self.put_behind(id, then, otherwise, out);
                }
            }
            Op::Switch { selector, inputs, cases } => {
                if let Some(region) = self.taken_case(*selector, cases) {
                    let params = self.function.region(region).params.clone();
                    let inputs = inputs.clone();
                    self.replaced.extend(params, inputs);
                    return self.splice(id, region, out);
                }
                self.nested(id);
                if self.never_breaks(id) {
                    return self.end(id, out);
                }
            }
            Op::Loop { inits, body, continuing, .. } if self.runs_once(*body, *continuing) => {
                let (inits, body, continuing) = (inits.clone(), *body, *continuing);
                return self.splice_loop(id, &inits, body, continuing, out);
            }
            _ => self.nested(id),
        }
        out.push(id);
        Flow::Continues
    }

    /// Puts a structured instruction that control never leaves at its end, and drops what is behind it.
    fn end(&mut self, id: InstId, out: &mut Vec<InstId>) -> Flow {
        let span = self.function.inst(id).span;
        out.push(id);
        out.push(self.function.new_inst(Op::Unreachable, &[], span));
        Flow::Ended
    }

    /// Puts one of the branches of an `if` that both leave it behind the `if`, in place of what is there: that which continues a
    /// loop, since loops are recognised by their exits.
    fn put_behind(&mut self, id: InstId, then: RegionId, otherwise: RegionId, out: &mut Vec<InstId>) -> Flow {
        let continues = |branch| matches!(self.function.terminator(branch), Some(Op::Continue(_)));
        let branch = if continues(then) && !continues(otherwise) { then } else { otherwise };
        let behind = std::mem::take(&mut self.function.region_mut(branch).insts);
        let end = self.function.new_inst(Op::Yield(Values::new()), &[], self.function.inst(id).span);
        self.function.region_mut(branch).insts.push(end);
        self.function.inst_mut(id).results.clear();
        out.push(id);
        out.extend(behind);
        Flow::Ended
    }

    /// Whether a branch of an `if` ends otherwise than by going on behind it.
    fn leaves(&self, branch: RegionId) -> bool {
        self.function.terminator(branch).is_some_and(|end| !matches!(end, Op::Yield(_)))
    }

    /// The `continue`, `break` or `return` that is all that both branches of an `if` have.
    fn same_exit(&self, then: RegionId, otherwise: RegionId) -> Option<InstId> {
        let only = |branch: RegionId| match self.function.region(branch).insts[..] {
            [exit] if self.leaves(branch) => Some(exit),
            _ => None,
        };
        let (exit, other) = (only(then)?, only(otherwise)?);
        let is_same = self.function.inst(exit).op == self.function.inst(other).op;
        is_same.then_some(exit)
    }

    /// Whether no case of a `switch` ends in a `break` out of it, nor does a selector that has no case.
    fn never_breaks(&self, id: InstId) -> bool {
        let Op::Switch { cases, .. } = &self.function.inst(id).op else { return false };
        let is_last = |index: usize| index + 1 == cases.len();
        let leaves = |(index, case): (usize, &Case)| match self.function.terminator(case.region) {
            Some(Op::Break(_)) | None => false,
            Some(Op::Fallthrough(_)) if is_last(index) => false,
            _ => !self.breaks_inside(case.region),
        };
        cases.iter().any(|case| case.default) && cases.iter().enumerate().all(leaves)
    }

    /// Whether a loop is `do { … } while (0)` and nothing in it leaves or continues early.
    fn runs_once(&self, body: RegionId, continuing: RegionId) -> bool {
        let never = match self.function.terminator(continuing) {
            Some(Op::NextIf { condition, .. }) => self.function.as_int(*condition) == Some(0),
            _ => false,
        };
        let continues = matches!(self.function.terminator(body), Some(Op::Continue(_)));
        never && continues && !self.breaks_inside(body) && !self.continues_inside(body)
    }

    /// Whether an `if` or `switch` in the region holds a `continue` of the loop the region belongs to.
    fn continues_inside(&self, region: RegionId) -> bool {
        self.function.region(region).insts.iter().any(|id| match &self.function.inst(*id).op {
            op @ (Op::If { .. } | Op::Switch { .. }) => op.regions().into_iter().any(|nested| {
                matches!(self.function.terminator(nested), Some(Op::Continue(_))) || self.continues_inside(nested)
            }),
            _ => false,
        })
    }

    /// Puts the only round of a loop in its place.
    fn splice_loop(
        &mut self,
        id: InstId,
        inits: &[Value],
        body: RegionId,
        continuing: RegionId,
        out: &mut Vec<InstId>,
    ) -> Flow {
        let mut values = Values::from_slice(inits);
        for region in [body, continuing] {
            let Region { params, insts } = std::mem::take(self.function.region_mut(region));
            self.replaced.extend(params, values);
            let Some((last, insts)) = insts.split_last() else { return Flow::Continues };
            if self.insts(insts, out) == Flow::Ended {
                return Flow::Ended;
            }
            values = match &self.function.inst(*last).op {
                Op::Continue(values) | Op::NextIf { results: values, .. } => values.clone(),
                _ => return self.inst(*last, out),
            };
            values.iter_mut().for_each(|value| *value = self.replaced.resolve(*value));
        }
        let results = self.function.inst(id).results.clone();
        self.replaced.extend(results, values);
        Flow::Continues
    }

    fn nested(&mut self, id: InstId) {
        for region in self.function.inst(id).op.regions() {
            self.region(region);
        }
    }

    /// The case a constant selects, if it can stand alone: it ends in `break` and has no other.
    fn taken_case(&self, selector: Value, cases: &[Case]) -> Option<RegionId> {
        let bits = self.function.as_int(selector)?;
        let listed = cases.iter().find(|case| case.values.contains(&bits));
        let region = listed.or_else(|| cases.iter().find(|case| case.default))?.region;
        let ends = matches!(self.function.terminator(region), Some(Op::Break(_)));
        (ends && !self.breaks_inside(region)).then_some(region)
    }

    /// Whether an `if` in the region holds a `break` out of what the region belongs to.
    fn breaks_inside(&self, region: RegionId) -> bool {
        self.function.region(region).insts.iter().any(|id| match &self.function.inst(*id).op {
            Op::If { then, otherwise, .. } => [*then, *otherwise].into_iter().any(|branch| {
                matches!(self.function.terminator(branch), Some(Op::Break(_))) || self.breaks_inside(branch)
            }),
            _ => false,
        })
    }

    /// Puts the instructions of the only branch that is taken in place of the structured instruction.
    fn splice(&mut self, id: InstId, region: RegionId, out: &mut Vec<InstId>) -> Flow {
        let insts = std::mem::take(&mut self.function.region_mut(region).insts);
        let Some((last, insts)) = insts.split_last() else { return Flow::Continues };
        if self.insts(insts, out) == Flow::Ended {
            return Flow::Ended;
        }
        let is_switch = matches!(self.function.inst(id).op, Op::Switch { .. });
        let values = match &self.function.inst(*last).op {
            Op::Yield(values) if !is_switch => values.clone(),
            Op::Break(values) if is_switch => values.clone(),
            _ => return self.inst(*last, out),
        };
        let results = self.function.inst(id).results.clone();
        self.replaced.extend(results, values);
        Flow::Continues
    }

    /// Replaces results that are the same from both branches, and the whole `if` by selections where its branches do
    /// nothing but yield. Returns whether the `if` is gone.
    fn choose(
        &mut self,
        id: InstId,
        condition: Value,
        then: RegionId,
        otherwise: RegionId,
        out: &mut Vec<InstId>,
    ) -> bool {
        let yields = |region: RegionId| match self.function.terminator(region) {
            Some(Op::Yield(values)) => Some((values.clone(), self.function.region(region).insts.len() == 1)),
            _ => None,
        };
        let (Some((a, only_a)), Some((b, only_b))) = (yields(then), yields(otherwise)) else { return false };
        let results = self.function.inst(id).results.clone();
        let can_select = |ty: Type| ty.space().is_none() && !matches!(ty.scalar, ScalarType::Opaque(_));
        let all = only_a && only_b && results.iter().all(|result| can_select(self.function.ty(*result)));
        for (result, (a, b)) in results.into_iter().zip(a.into_iter().zip(b)) {
            if a == b {
                self.replaced.insert(result, a);
            } else if all {
                let value = self.select(id, condition, a, b, out);
                self.replaced.insert(result, value);
            }
        }
        all
    }

    fn select(&mut self, id: InstId, condition: Value, a: Value, b: Value, out: &mut Vec<InstId>) -> Value {
        let (ty, span) = (self.function.ty(a), self.function.inst(id).span);
        match fold::reduce(self.function, Op::Select { condition, if_true: a, if_false: b }, ty) {
            Ok(value) => value,
            Err(op) => {
                let select = self.function.new_inst(op, &[ty], span);
                out.push(select);
                self.function.inst(select).results[0]
            }
        }
    }
}
