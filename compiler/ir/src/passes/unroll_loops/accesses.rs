//! The loops of functions that would have very many accesses of memory if they were unrolled.

use super::most_trips;
use crate::pass::FunctionContext;
use crate::{Function, InstId, Op, RegionId, Space, Storage, Value};

/// Accesses that llvmpipe compiles within seconds.
const MOST_ACCESSES: u64 = 1024;
/// The most iterations of loops that drivers unroll, and by how many the bound of their number is too high.
const MOST_TRIPS: u64 = 32;
const SLACK: u64 = 2;

/// The loops that [`Tuning::LAVAPIPE_ROLLED_LOOPS`](clforge_basic::tuning::Tuning) keeps: all of few iterations in a function
/// with barriers that had more than a thousand accesses of memory once they were unrolled.
pub fn loops_to_keep(function: &Function, context: &FunctionContext<'_>) -> Vec<InstId> {
    let mut loops = Vec::new();
    let has_barrier = function.insts.iter().any(|inst| matches!(inst.op, Op::Barrier { .. }));
    if !has_barrier || accesses(function, context, function.body, false, &mut loops) <= MOST_ACCESSES {
        loops.clear();
    }
    loops
}

/// Whether a function had more than a thousand accesses of memory that is not private once its loops of few iterations were
/// unrolled.
pub fn has_many_accesses(function: &Function, context: &FunctionContext<'_>) -> bool {
    accesses(function, context, function.body, true, &mut Vec::new()) > MOST_ACCESSES
}

/// The iterations of a loop that drivers unroll if its hint lets them; `None` if there may be too many.
pub fn driver_unrolls(function: &Function, context: &FunctionContext<'_>, id: InstId) -> Option<u64> {
    let bound = most_trips(function, context, id).filter(|trips| *trips <= MOST_TRIPS + SLACK)?;
    Some(bound.saturating_sub(SLACK))
}

/// The accesses of a region once the driver has unrolled its loops, which are collected. `shared`: without those of private
/// memory.
fn accesses(
    function: &Function,
    context: &FunctionContext<'_>,
    region: RegionId,
    shared: bool,
    loops: &mut Vec<InstId>,
) -> u64 {
    let counts = |ptr: Value| u64::from(!shared || function.ty(ptr).space() != Some(Space::Private));
    let mut count = 0u64;
    for id in &function.region(region).insts {
        let op = &function.inst(*id).op;
        let mut nested = 0u64;
        for inner in op.regions() {
            nested = nested.saturating_add(accesses(function, context, inner, shared, loops));
        }
        count = count.saturating_add(match op {
            Op::Loop { .. } => {
                let trips = driver_unrolls(function, context, *id);
                loops.extend(trips.map(|_| *id));
                nested.saturating_mul(trips.unwrap_or(1))
            }
            Op::Load { ptr, .. } | Op::Store { ptr, .. } => counts(*ptr),
            Op::Atomic { ptr, .. } if shared => counts(*ptr),
            Op::VariableLoad { variable, .. } | Op::VariableStore { variable, .. } => {
                u64::from(context.variables.get(*variable).is_some_and(|known| known.storage == Storage::Workgroup))
            }
            _ => nested,
        });
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::FunctionEffects;
    use crate::read::read;
    use clforge_basic::options::Options;

    /// Whether a loop of eight iterations with this number of loads is kept.
    fn is_kept(loads: usize, barrier: &str) -> bool {
        let load = "%5: i32 = load align 4 %0\n";
        let loads: String = (10..10 + loads).map(|number| load.replace("%5", &format!("%{number}"))).collect();
        let text = format!(
            "func @f(%0: ptr.global) {{
  {barrier}
  loop (i32 0) (%1: i32) {{
    %2: bool = slt %1, i32 8
    if %2 {{
      yield
    }} else {{
      break
    }}
    {loads}
    continue %1
  }} continuing (%3: i32) {{
    %4: i32 = add %3, i32 1
    next %4
  }}
  return
}}
"
        );
        let module = read(&text).unwrap();
        let options = Options::default();
        let effects = FunctionEffects::default();
        let context =
            FunctionContext { options: &options, variables: &module.variables, globals: &module.globals, effects };
        loops_to_keep(module.functions.first().unwrap(), &context).len() == 1
    }

    #[test]
    fn loops_of_many_accesses_are_kept() {
        let barrier = "barrier work_group acquire_release work_group local";
        assert!(is_kept(200, barrier));
        assert!(!is_kept(100, barrier));
        assert!(!is_kept(200, ""));
    }
}
