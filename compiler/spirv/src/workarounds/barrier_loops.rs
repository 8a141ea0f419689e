//! `workarounds/barrier_loops`: makes all work-items of a group execute the same number of iterations of a loop with a
//! barrier ([`Workarounds::LAVAPIPE_BARRIER_LOOPS`](clforge_basic::workarounds::Workarounds)).
//!
//! Before Mesa 25, llvmpipe executes both sides of every condition, including barriers that no work-item of the vector
//! reaches, and ends the other vectors of a group as soon as one vector ends. So vectors whose work-items leave a loop
//! after different numbers of iterations execute different numbers of barriers. If this cannot be excluded, the loop
//!
//! ```text
//! loop { body } continuing { step }
//! ```
//!
//! becomes one that all work-items leave together:
//!
//! ```text
//! loop {
//!   if !left { loop { body } continuing { step, and leave } }
//!   if no work-item of the group is left in the loop { break }
//!   continue
//! } continuing { next }
//! ```
//!
//! A `return` inside of such a loop becomes a `break` first: the function gets a single exit.
//!
//! The inner loop has one iteration, so that `break` and `continue` keep their meaning. An inner loop with barriers is
//! transformed too, but only the work-items that are left in the outer loop execute it. If some vectors are left in the
//! outer loop and others are not, the inner loop is only correct if its barriers are in iterations that all of them
//! execute.

use clforge_ir::analysis::{CallGraph, Divergence};
use clforge_ir::pass::{Changed, Context, Order, Pass};
use clforge_ir::passes;
use clforge_ir::*;
use typed_index_collections::TiVec;

/// The pass.
pub struct BarrierLoops;

impl<S> Pass<S> for BarrierLoops {
    fn name(&self) -> &'static str {
        "workarounds/barrier_loops"
    }

    fn order(&self) -> Order {
        Order { after: &["mem2reg"], before: &["vulkan/library"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_, S>) -> Result<Changed, Error> {
        let barriers = functions_with_barriers(module);
        let mut found = divergent_loops(module, &barriers);
        if found.is_empty() {
            return Ok(Changed::No);
        }
        let mut returning: Vec<_> = found.iter().filter(|(id, inst)| returns(&module.functions[*id], *inst)).collect();
        returning.dedup_by_key(|(id, _)| *id);
        if !returning.is_empty() {
            returning.into_iter().for_each(|(id, _)| passes::merge_exits(&mut module.functions[*id]));
            // Their loops have flags and results then.
            found = divergent_loops(module, &barriers);
        }
        found.into_iter().for_each(|(id, inst)| leave_together(&mut module.functions[id], inst));
        Ok(Changed::Maybe)
    }
}

/// The loops with a barrier that work-items may leave after different numbers of iterations.
fn divergent_loops(module: &Module, barriers: &TiVec<FunctionId, bool>) -> Vec<(FunctionId, InstId)> {
    let divergence = Divergence::of(module);
    let mut found = Vec::new();
    for (id, function) in module.functions.iter_enumerated() {
        function.walk_body(|inst, _| {
            if divergence.is_divergent_loop(id, inst) && has_barrier(function, inst, barriers) {
                found.push((id, inst));
            }
        });
    }
    found
}

/// Whether an instruction contains a `return`, which leaves all loops around it.
fn returns(function: &Function, id: InstId) -> bool {
    function.inst(id).op.regions().into_iter().any(|region| function.return_count(region) > 0)
}

/// Whether a module has a barrier, or an operation of a work-group, in a loop, or calls a function with one there.
pub fn has_barriers_in_loops(module: &Module) -> bool {
    let barriers = functions_with_barriers(module);
    module.functions.iter().any(|function| {
        let mut any = false;
        function.walk_body(|id, inst| {
            any |= matches!(inst.op, Op::Loop { .. }) && has_barrier(function, id, &barriers);
        });
        any
    })
}

/// For each function whether a call of it may meet a barrier of the work-group.
pub(super) fn functions_with_barriers(module: &Module) -> TiVec<FunctionId, bool> {
    let own = module.functions.iter_enumerated().filter(|(_, function)| {
        let mut any = false;
        function.walk_body(|_, inst| any |= is_barrier(&inst.op));
        any
    });
    CallGraph::of(module).reaching(own.map(|(id, _)| id).collect::<Vec<_>>())
}

/// Whether an operation is a barrier of the work-group, or will have some.
pub(super) fn is_barrier(op: &Op) -> bool {
    matches!(op, Op::Barrier { execution: Scope::WorkGroup, .. } | Op::Group { scope: Scope::WorkGroup, .. })
}

/// Whether what is nested in an instruction may meet a barrier of the work-group.
pub(super) fn has_barrier(function: &Function, id: InstId, barriers: &TiVec<FunctionId, bool>) -> bool {
    function.inst(id).op.regions().into_iter().any(|region| {
        let mut any = false;
        function.walk(region, |_, inst| {
            any |= match &inst.op {
                Op::Call { function, .. } => barriers.get(*function).is_none_or(|barrier| *barrier),
                op => is_barrier(op),
            }
        });
        any
    })
}

/// Transforms a loop.
fn leave_together(function: &mut Function, id: InstId) {
    let inst = function.inst(id);
    let Op::Loop { inits, body, continuing, hint } = inst.op.clone() else { return };
    let types =
        |function: &Function, values: &[Value]| values.iter().map(|value| function.ty(*value)).collect::<Vec<_>>();
    let results = types(function, &inst.results);
    let carried = types(function, &function.region(body).params);
    let state = [&[Type::BOOL], &results[..], &carried[..]].concat();
    if state.iter().any(|ty| matches!(ty.scalar, ScalarType::Opaque(_))) {
        return;
    }
    // The inner loop leaves with the state: whether the outer one is left, the results, and the values of the next iteration.
    let [never, always] = [0, 1].map(|bit| function.constant(Constant::int(Type::BOOL, bit)));
    let undefined =
        |function: &mut Function, types: &[Type]| types.iter().map(|ty| function.undef(*ty)).collect::<Values>();
    let (no_results, no_carried) = (undefined(function, &results), undefined(function, &carried));
    let join =
        |left: Value, results: &[Value], carried: &[Value]| -> Values { [&[left], results, carried].concat().into() };
    breaks(function, body, &mut |values| join(always, values, &no_carried));
    let step = match function.terminator(continuing).cloned() {
        Some(Op::Next(next)) => Some((always, no_results.clone(), next)),
        Some(Op::NextIf { condition, next, results }) => Some((condition, results, next)),
        // Its end is not reached.
        _ => None,
    };
    if let Some((goes_on, results, next)) = step {
        function.region_mut(continuing).insts.pop();
        let mut b = Builder::at(function, continuing);
        let ended = b.unary(UnaryOp::Not, goes_on);
        b.effect(Op::NextIf { condition: never, next: no_carried.clone(), results: join(ended, &results, &next) });
    }

    let outer = function.new_region();
    let params: Values = state.iter().map(|ty| function.add_region_param(outer, *ty)).collect();
    let mut b = Builder::at(function, outer);
    let own = b.nested(|b| {
        let inits = params[1 + results.len()..].iter().copied().collect();
        let values = b.push(Op::Loop { inits, body, continuing, hint }, &state);
        b.effect(Op::Yield(values.into_iter().collect()));
    });
    let waits = b.nested(|b| b.effect(Op::Yield(params.clone())));
    let after = b.push(Op::If { condition: params[0], then: waits, otherwise: own }, &state);
    let is_in_loop = b.unary(UnaryOp::Not, after[0]);
    let op = GroupOp::Any { predicate: is_in_loop };
    let any = b.push(Op::Group { op, scope: Scope::WorkGroup, uniform: true }, &[Type::BOOL])[0];
    let stay = b.nested(|b| b.effect(Op::Yield(Values::new())));
    let leave = b.nested(|b| b.effect(Op::Break(after[1..1 + results.len()].iter().copied().collect())));
    b.effect(Op::If { condition: any, then: stay, otherwise: leave });
    b.effect(Op::Continue(after.into_iter().collect()));
    let step = function.new_region();
    let next: Values = state.iter().map(|ty| function.add_region_param(step, *ty)).collect();
    Builder::at(function, step).effect(Op::Next(next));
    let inits = join(never, &no_results, &inits);
    function.inst_mut(id).op = Op::Loop { inits, body: outer, continuing: step, hint: LoopHint::DontUnroll };
}

/// Replaces the values of the breaks of a loop.
fn breaks(function: &mut Function, region: RegionId, values: &mut dyn FnMut(&[Value]) -> Values) {
    for id in function.region(region).insts.clone() {
        match &function.inst(id).op {
            Op::Break(old) => {
                let new = values(old);
                function.inst_mut(id).op = Op::Break(new);
            }
            Op::If { then, otherwise, .. } => {
                let nested = [*then, *otherwise];
                nested.into_iter().for_each(|nested| breaks(function, nested, values));
            }
            _ => {}
        }
    }
}
