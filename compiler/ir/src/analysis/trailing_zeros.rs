//! The powers of two that divide integers.

use super::value_flow::{Targets, edges, nested};
use crate::{BinaryOp, ConvertOp, Function, Inst, Op, RegionId, UnaryOp, Value, ValueDef};
use typed_index_collections::{TiVec, ti_vec};

/// How often a function is visited: a counter that begins with a multiple and keeps being one is known after two visits.
const MAX_VISITS: usize = 8;

/// For each result and parameter of a region that is an integer of one lane, how many of its lowest bits are zero in all
/// executions, as far as is known; at least 0, and any number for what is never executed.
pub fn trailing_zeros(function: &Function) -> TiVec<Value, u32> {
    let mut known = Known { function, zeros: ti_vec![u32::MAX; function.value_count()], changed: true };
    for _ in 0..MAX_VISITS {
        if !known.changed {
            return known.zeros;
        }
        known.changed = false;
        known.region(function.body, &Targets::default());
    }
    // Only what does not change any more holds.
    ti_vec![0; function.value_count()]
}

/// What has been found out: what is not known yet has all bits zero, and each visit takes away from it.
struct Known<'f> {
    function: &'f Function,
    zeros: TiVec<Value, u32>,
    changed: bool,
}

impl Known<'_> {
    fn region(&mut self, region: RegionId, targets: &Targets) {
        let function = self.function;
        for id in &function.region(region).insts {
            let inst = function.inst(*id);
            if inst.op.regions().is_empty() {
                let zeros = self.of_result(inst);
                inst.results.iter().for_each(|result| self.limit(*result, zeros));
            }
            let mut passed = Vec::new();
            edges(function, inst, targets, &mut |from, to| passed.push((from, to)));
            for (from, to) in passed {
                let zeros = self.of(from);
                self.limit(to, zeros);
            }
            for (region, targets) in nested(function, inst, targets) {
                self.region(region, &targets);
            }
        }
    }

    fn limit(&mut self, value: Value, zeros: u32) {
        self.changed |= zeros < self.zeros[value];
        self.zeros[value] = zeros.min(self.zeros[value]);
    }

    fn of(&self, value: Value) -> u32 {
        match self.function.def(value) {
            ValueDef::Constant(_) => self.function.as_int(value).map_or(0, u64::trailing_zeros),
            ValueDef::FunctionParam(_) => 0,
            ValueDef::Inst(..) | ValueDef::RegionParam(_) => self.zeros[value],
        }
    }

    fn of_result(&self, inst: &Inst) -> u32 {
        use BinaryOp::*;
        match inst.op {
            Op::Unary { op: UnaryOp::Neg, operand }
            | Op::Convert { op: ConvertOp::SExt | ConvertOp::ZExt | ConvertOp::Trunc, operand } => self.of(operand),
            Op::Select { if_true, if_false, .. } => self.of(if_true).min(self.of(if_false)),
            Op::Binary { op, lhs, rhs } => {
                let (left, right) = (self.of(lhs), self.of(rhs));
                match op {
                    Add | Sub | Or | Xor => left.min(right),
                    And => left.max(right),
                    Mul => left.saturating_add(right),
                    Shl => {
                        left.saturating_add(self.function.as_int(rhs).and_then(|by| by.try_into().ok()).unwrap_or(0))
                    }
                    _ => 0,
                }
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FunctionId;
    use crate::read::read;

    fn of_last(text: &str) -> u32 {
        let module = read(text).expect("it reads");
        let function = &module.functions[FunctionId::from(0)];
        let zeros = trailing_zeros(function);
        let returned = function.region(function.body).insts.last().map(|id| &function.inst(*id).op);
        match returned {
            Some(Op::Return(Some(value))) => zeros[*value],
            other => panic!("it returns a value: {other:?}"),
        }
    }

    #[test]
    fn operations_keep_or_add_zeros() {
        let cases = [
            ("mul %0, i32 12", 2),
            ("shl %0, i32 5", 5),
            ("and %0, i32 -8", 3),
            ("add %0, i32 4", 0),
            ("lshr %0, i32 4", 0),
        ];
        for (op, zeros) in cases {
            assert_eq!(
                of_last(&format!("func @f(%0: i32) -> i32 {{\n  %1: i32 = {op}\n  return %1\n}}\n")),
                zeros,
                "{op}"
            );
        }
    }

    #[test]
    fn a_counter_keeps_the_zeros_of_its_start_and_step() {
        for (start, step, zeros) in [(0, 8, 3), (4, 8, 2), (16, 6, 1), (1, 8, 0)] {
            let text = format!(
                "func @f(%0: i32) -> i32 {{
  %1: i32 = loop (i32 {start}) (%2: i32) {{
    %3: bool = slt %2, %0
    if %3 {{
      yield
    }} else {{
      break %2
    }}
    continue %2
  }} continuing (%4: i32) {{
    %5: i32 = add %4, i32 {step}
    next %5
  }}
  return %1
}}
"
            );
            assert_eq!(of_last(&text), zeros, "from {start} by {step}");
        }
    }
}
