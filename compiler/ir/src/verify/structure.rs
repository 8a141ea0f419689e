//! Rules about regions: how they nest, their terminators, and dominance.

use super::*;

/// What encloses the region being checked.
#[derive(Clone, Default)]
pub(super) struct Context {
    /// Types `yield` must have; `None` where it may not stand.
    yields: Option<Vec<Type>>,
    breaks: Option<Vec<Type>>,
    continues: Option<Vec<Type>>,
    falls: Option<Vec<Type>>,
    /// Types of `next`'s values and of `next_if`'s results.
    next: Option<(Vec<Type>, Vec<Type>)>,
    in_continuing: bool,
}

impl Verifier<'_> {
    pub(super) fn body(&mut self) -> Check {
        for param in &self.function.params {
            self.set_visible(*param, true);
        }
        let body = self.function.body;
        require(self.region_params(body)?.is_empty(), Rule::Placement, || "the body has parameters".into())?;
        self.region(body, Context::default())
    }

    fn set_visible(&mut self, value: Value, visible: bool) {
        if let Some(slot) = self.visible.get_mut(value) {
            *slot = visible;
        }
    }

    fn region_params(&self, region: RegionId) -> Check<Vec<Type>> {
        match self.function.regions.get(region) {
            Some(region) => Ok(self.types(&region.params)),
            None => violation(Rule::Placement, format!("there is no region {region}")),
        }
    }

    fn region(&mut self, id: RegionId, context: Context) -> Check {
        let slot = self.nested.get_mut(id);
        let twice = slot.is_none_or(|slot| std::mem::replace(slot, true));
        require(!twice, Rule::Placement, || format!("region {id} is nested in two places"))?;
        let outer = std::mem::replace(&mut self.context, context);
        let checked = self.contents(id);
        self.context = outer;
        checked
    }

    /// The parameters and instructions of a region.
    fn contents(&mut self, id: RegionId) -> Check {
        let region = self.function.region(id);
        for param in &region.params {
            require(
                matches!(self.function.def(*param), ValueDef::RegionParam(of) if *of == id),
                Rule::Placement,
                || format!("%{param} does not name its definition"),
            )?;
            self.dialect.check_type(self.ty(*param))?;
            self.set_visible(*param, true);
        }
        let count = region.insts.len();
        require(count > 0, Rule::Placement, || format!("region {id} is empty"))?;
        for (index, inst) in region.insts.iter().enumerate() {
            let checked = self.inst(*inst, id, index + 1 == count);
            self.note(checked, Some(*inst));
            // Also the results of a wrong instruction, so that its mistake is reported once.
            let results = self.function.insts.get(*inst).map(|inst| inst.results.clone()).unwrap_or_default();
            results.iter().for_each(|result| self.set_visible(*result, true));
        }
        for inst in region.insts.iter().filter_map(|inst| self.function.insts.get(*inst)) {
            inst.results.iter().for_each(|result| self.set_visible(*result, false));
        }
        for param in &region.params {
            self.set_visible(*param, false);
        }
        Ok(())
    }

    fn inst(&mut self, id: InstId, region: RegionId, is_last: bool) -> Check {
        let slot = self.placed.get_mut(id);
        let twice = slot.is_none_or(|slot| std::mem::replace(slot, true));
        require(!twice, Rule::Placement, || "an instruction is in two places".into())?;
        let inst = self.function.inst(id);
        require(inst.op.is_terminator() == is_last, Rule::Placement, || {
            "a terminator ends each region and is nowhere else".into()
        })?;
        self.dialect.check_inst(self.function, inst)?;
        self.operands_dominate(&inst.op)?;
        for result in &inst.results {
            self.dialect.check_type(self.ty(*result))?;
        }
        if let Op::If { .. } | Op::Switch { .. } | Op::Loop { .. } = inst.op {
            self.structured(id)?;
        } else if is_last {
            results(&self.types(&inst.results), &[])?;
            self.terminator(&inst.op)?;
        } else {
            self.instruction(inst, region)?;
        }
        for (result, index) in inst.results.iter().zip(0_u32..) {
            let def = self.function.def(*result);
            require(matches!(def, ValueDef::Inst(of, at) if *of == id && *at == index), Rule::Results, || {
                format!("%{result} does not name its definition")
            })?;
        }
        Ok(())
    }

    fn operands_dominate(&self, op: &Op) -> Check {
        let mut checked = Ok(());
        op.for_each_operand(|value| {
            if checked.is_ok() {
                checked = self.dominates(value);
            }
        });
        checked
    }

    fn dominates(&self, value: Value) -> Check {
        let Some(visible) = self.visible.get(value).copied() else {
            return violation(Rule::Dominance, format!("there is no value %{value}"));
        };
        if self.function.as_constant(value).is_some() {
            return self.dialect.check_type(self.ty(value));
        }
        require(visible, Rule::Dominance, || format!("%{value} is used where its definition does not dominate"))
    }

    fn structured(&mut self, id: InstId) -> Check {
        let function = self.function;
        let inst = function.inst(id);
        let result_types = self.types(&inst.results);
        let context = self.context.clone();
        match &inst.op {
            Op::If { condition, then, otherwise } => {
                self.operand(*condition, Type::BOOL, "condition")?;
                for region in [*then, *otherwise] {
                    require(self.region_params(region)?.is_empty(), Rule::Placement, || {
                        "a region of an if has parameters".into()
                    })?;
                    let yields = Some(result_types.clone());
                    self.region(region, Context { yields, falls: None, next: None, ..context.clone() })?;
                }
                Ok(())
            }
            Op::Switch { selector, inputs, cases } => self.switch(*selector, inputs, cases, &result_types),
            Op::Loop { inits, body, continuing, .. } => {
                let carried = self.types(inits);
                let steps = self.region_params(*continuing)?;
                operands(self.region_params(*body)? == carried, "the body's parameters differ from the inits")?;
                let inner = Context {
                    yields: None,
                    breaks: Some(result_types.clone()),
                    continues: Some(steps),
                    falls: None,
                    next: None,
                    in_continuing: context.in_continuing,
                };
                self.region(*body, inner)?;
                let next = Some((carried, result_types));
                self.region(*continuing, Context { next, in_continuing: true, ..Context::default() })
            }
            op => violation(Rule::Placement, format!("not a structured operation: {op:?}")),
        }
    }

    fn switch(&mut self, selector: Value, inputs: &[Value], cases: &[Case], result_types: &[Type]) -> Check {
        let ty = self.ty(selector);
        operands(ty.scalar.is_int() && ty.lanes == 1, "the selector is not an integer")?;
        operands(cases.iter().filter(|case| case.default).count() == 1, "not exactly one case is the default")?;
        let mut values: Vec<u64> = cases.iter().flat_map(|case| case.values.iter().copied()).collect();
        let mask = constant::mask(ty.scalar);
        operands(values.iter().all(|value| value & !mask == 0), "a case value is wider than the selector")?;
        values.sort_unstable();
        operands(values.windows(2).all(|pair| pair[0] != pair[1]), "two cases of one value")?;
        let (inputs, context) = (self.types(inputs), self.context.clone());
        for (index, case) in cases.iter().enumerate() {
            let params = self.region_params(case.region)?;
            operands(params == inputs, "the parameters of a case differ from the inputs")?;
            let falls = (index + 1 < cases.len()).then(|| inputs.clone());
            let breaks = Some(result_types.to_vec());
            self.region(case.region, Context { yields: None, breaks, falls, next: None, ..context.clone() })?;
        }
        Ok(())
    }

    fn terminator(&self, op: &Op) -> Check {
        let context = &self.context;
        let matches = |expected: Option<&Vec<Type>>, values: &[Value]| {
            let Some(expected) = expected else { return violation(Rule::Placement, "misplaced terminator") };
            let found = self.types(values);
            require(found == *expected, Rule::Operands, || {
                format!("the values have the types {}, should be {}", list(&found), list(expected))
            })
        };
        let next_types = context.next.as_ref().map(|types| &types.0);
        match op {
            Op::Yield(values) => matches(context.yields.as_ref(), values),
            Op::Break(values) => matches(context.breaks.as_ref(), values),
            Op::Continue(values) => matches(context.continues.as_ref(), values),
            Op::Fallthrough(values) => matches(context.falls.as_ref(), values),
            Op::Next(values) => matches(next_types, values),
            Op::NextIf { condition, next, results } => {
                self.operand(*condition, Type::BOOL, "condition")?;
                matches(next_types, next)?;
                matches(context.next.as_ref().map(|types| &types.1), results)
            }
            Op::Return(value) => {
                require(!context.in_continuing, Rule::Placement, || "return in a continuing region".into())?;
                let result = value.map(|value| self.ty(value));
                operands(result == self.function.result, "the type of the result differs from the function's")
            }
            Op::Unreachable => Ok(()),
            op => violation(Rule::Placement, format!("not a terminator: {op:?}")),
        }
    }
}
