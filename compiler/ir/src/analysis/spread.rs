//! Facts that values pass on to others: pairs of values of which the second has, or may have, something of the first, and
//! the spread of a fact along such pairs.

use super::{Targets, edges, nested};
use crate::{Function, Op, RegionId, Value, VariableId};
use rustc_hash::FxHashMap;
use typed_index_collections::TiVec;

/// The pairs of values of which the second is, or may be, the first one, has it as a lane or is a lane of it, or is the result of
/// an operation that `keeps` something of it.
pub fn flows(function: &Function, keeps: &dyn Fn(&Op) -> bool) -> Vec<(Value, Value)> {
    let mut flows = Vec::new();
    collect_flows(function, (function.body, &Targets::default()), keeps, &mut flows);
    flows
}

fn collect_flows(
    function: &Function,
    (region, targets): (RegionId, &Targets),
    keeps: &dyn Fn(&Op) -> bool,
    flows: &mut Vec<(Value, Value)>,
) {
    for id in &function.region(region).insts {
        let inst = function.inst(*id);
        edges(function, inst, targets, &mut |from, to| flows.push((from, to)));
        if let Some(result) = inst.results.first()
            && (moves_lanes(&inst.op) || keeps(&inst.op))
        {
            inst.op.for_each_operand(|operand| flows.push((operand, *result)));
        }
        for (region, targets) in nested(function, inst, targets) {
            collect_flows(function, (region, &targets), keeps, flows);
        }
    }
}

/// Whether an operation puts lanes of its operands into its result.
fn moves_lanes(op: &Op) -> bool {
    use Op::*;
    matches!(
        op,
        Extract { .. }
            | ExtractDynamic { .. }
            | Insert { .. }
            | InsertDynamic { .. }
            | Construct { .. }
            | Shuffle { .. }
    )
}

/// As [`flows`], from stores to loads of each variable in the function. The loads of a variable are joined through the first one,
/// so that there is one pair for each store and each load.
pub fn through_variables(function: &Function) -> Vec<(Value, Value)> {
    let mut flows = Vec::new();
    let mut first_loads: FxHashMap<VariableId, Value> = FxHashMap::default();
    for inst in &function.insts {
        if let (Op::VariableLoad { variable, .. }, Some(result)) = (&inst.op, inst.results.first()) {
            let first = *first_loads.entry(*variable).or_insert(*result);
            flows.push((first, *result));
        }
    }
    for inst in &function.insts {
        if let Op::VariableStore { variable, value, .. } = inst.op
            && let Some(first) = first_loads.get(&variable)
        {
            flows.push((value, *first));
        }
    }
    flows
}

/// Raises what is known of the second value of each pair to what is known of the first one. The pairs of a value are visited as
/// often as it is raised.
pub fn spread<T: Copy + Ord>(known: &mut TiVec<Value, T>, mut flows: Vec<(Value, Value)>) {
    flows.sort_unstable();
    let mut raised: Vec<Value> = flows.iter().map(|(from, _)| *from).collect();
    raised.dedup();
    while let Some(value) = raised.pop() {
        let start = flows.partition_point(|(from, _)| *from < value);
        for (_, to) in flows[start..].iter().take_while(|(from, _)| *from == value) {
            if known[value] > known[*to] {
                known[*to] = known[value];
                raised.push(*to);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::read;
    use typed_index_collections::ti_vec;

    #[test]
    fn facts_spread_through_lanes_variables_and_loops() {
        let text = "variable @v0 \"v\" private i32 bytes 4
func @f(%0: i32, %1: i32, %2: bool) -> i32 {
  %3: i32x2 = construct %0, %1
  %4: i32 = extract %3 1
  variable_store @v0, %4
  %5: i32 = variable_load @v0
  %6: i32 = loop (%5) (%7: i32) {
    continue
  } continuing {
    next_if %2 (%7) (%7)
  }
  %8: i32 = add %6, %6
  return %8
}
";
        let module = read(text).expect("it reads");
        let function = module.functions.first().expect("a function");
        let spread_from_0 = |pairs| {
            let mut known: TiVec<Value, bool> = ti_vec![false; function.value_count()];
            known[Value::from(0)] = true;
            spread(&mut known, pairs);
            known
                .iter_enumerated()
                .filter(|(_, known)| **known)
                .map(|(value, _)| usize::from(value))
                .collect::<Vec<_>>()
        };
        let named = |pairs: Vec<(Value, Value)>| spread_from_0(pairs).len();
        let plain = flows(function, &|_| false);
        assert_eq!(named(plain.clone()), 3, "the vector and its lane");
        let through = [plain, through_variables(function)].concat();
        assert_eq!(named(through.clone()), 6, "what is loaded, the parameter and the result of the loop");
        let sums = flows(function, &|op| matches!(op, Op::Binary { .. }));
        assert_eq!(named([through, sums].concat()), 7, "the sum");
    }
}
