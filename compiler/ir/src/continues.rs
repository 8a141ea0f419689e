//! Gives loops a single `continue`, at the end of their body, so that copies of the body can follow each other.

use crate::analysis::Substitution;
use crate::*;

/// The number of `continue`s of a loop in a region of its body.
pub fn continues(function: &Function, region: RegionId) -> usize {
    let insts = function.region(region).insts.iter();
    insts
        .map(|id| match &function.inst(*id).op {
            Op::Continue(_) => 1,
            Op::Loop { .. } => 0,
            op => op.regions().into_iter().map(|nested| continues(function, nested)).sum(),
        })
        .sum()
}

/// Where one branch of an `if` of a loop's body ends in `continue`, moves what follows the `if` into the other branch, so that
/// the only `continue` is at the end. Those inside of a `switch` stay.
pub fn continue_at_end(function: &mut Function, body: RegionId) {
    move_behind(function, body, &mut Substitution::default());
}

/// `replaced`: results of such `if`s, and the values that the other branch yields.
fn move_behind(function: &mut Function, region: RegionId, replaced: &mut Substitution) {
    let insts = function.region(region).insts.clone();
    for (index, id) in insts.iter().copied().enumerate() {
        replaced.apply_nested(function, &[id]);
        let Op::If { condition, then, otherwise } = function.inst(id).op else { continue };
        let Some(types) = continued_types(function, [then, otherwise]) else { continue };
        let results = function.inst(id).results.clone();
        for branch in [then, otherwise] {
            if let Some(Op::Yield(yielded)) = function.terminator(branch).cloned() {
                function.region_mut(branch).insts.pop();
                replaced.extend(results.iter().copied(), yielded);
                let rest = insts[index + 1..].iter().copied();
                function.region_mut(branch).insts.extend(rest);
                move_behind(function, branch, replaced);
            }
            if let Some(Op::Continue(values)) = function.terminator(branch).cloned() {
                function.region_mut(branch).insts.pop();
                push(function, branch, Op::Yield(values));
            }
        }
        function.region_mut(region).insts.truncate(index);
        let new = function.new_inst(Op::If { condition, then, otherwise }, &types, Default::default());
        let continued = continued_values(function, new, [then, otherwise]);
        function.region_mut(region).insts.push(new);
        push(function, region, Op::Continue(continued));
        return;
    }
}

/// The types of the values that one of the regions ends in continuing the loop with.
fn continued_types(function: &Function, regions: [RegionId; 2]) -> Option<Vec<Type>> {
    regions.into_iter().find_map(|region| match function.terminator(region)? {
        Op::Continue(values) => Some(values.iter().map(|value| function.ty(*value)).collect()),
        _ => None,
    })
}

/// The results of an `if`, but what both branches yield in their places: a counter must be seen to be the same on both ways.
fn continued_values(function: &Function, id: InstId, branches: [RegionId; 2]) -> Values {
    let yielded = branches.map(|branch| match function.terminator(branch) {
        Some(Op::Yield(values)) => values.as_slice(),
        _ => &[],
    });
    let results = function.inst(id).results.iter().enumerate();
    let value = |(index, result): (usize, &Value)| match yielded.map(|values| values.get(index)) {
        [Some(one), Some(other)] if one == other => *one,
        _ => *result,
    };
    results.map(value).collect()
}

fn push(function: &mut Function, region: RegionId, op: Op) {
    let id = function.new_inst(op, &[], Default::default());
    function.region_mut(region).insts.push(id);
}
