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
//! becomes one that all work-items leave together ([`parts`]):
//!
//! ```text
//! loop {
//!   if !left { body }
//!   if !left { step }
//!   if no work-item of the group is left in the loop { break }
//!   continue
//! } continuing { next }
//! ```
//!
//! A loop with barriers inside of such a loop must have the same number of iterations in all vectors too, also in those
//! that have left the outer loop. So it is not put into the branch: the body is cut at it, and the work-items that do not
//! reach it count as such that have left it.
//!
//! A `return` inside of such a loop becomes a `break` first: the function gets a single exit. A function with loops with
//! barriers that such a loop calls is inlined.

mod parts;

use clforge_ir::analysis::{CallGraph, Divergence};
use clforge_ir::pass::{Changed, Context, Order, Pass};
use clforge_ir::passes;
use clforge_ir::*;
use rustc_hash::FxHashSet;
use typed_index_collections::{TiSlice, TiVec};

/// The pass.
pub struct BarrierLoops;

impl<S> Pass<S> for BarrierLoops {
    fn name(&self) -> &'static str {
        "workarounds/barrier_loops"
    }

    fn order(&self) -> Order {
        Order { after: &["mem2reg"], before: &["vulkan/library"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let mut barriers = functions_with_barriers(module);
        let mut found = divergent_loops(module, &barriers);
        if found.is_empty() {
            return Ok(Changed::No);
        }
        let called = called_loops(module, &found, &barriers);
        let mut single: Vec<_> = called.iter_enumerated().filter(|(_, called)| **called).map(|(id, _)| id).collect();
        let returning = found.iter().filter(|(id, inst)| returns(&module.functions[*id], *inst));
        single.extend(returning.map(|(id, _)| *id));
        single.sort_unstable();
        single.dedup();
        if !single.is_empty() {
            let functions = single.into_iter().filter(|id| !module.functions[*id].has_single_exit());
            functions.collect::<Vec<_>>().into_iter().for_each(|id| passes::merge_exits(&mut module.functions[id]));
            passes::inline_functions(module, context.options, &called)?;
            // Their loops have flags and results then, and callers have the loops of what they call.
            barriers = functions_with_barriers(module);
            found = divergent_loops(module, &barriers);
        }
        for of_function in found.chunk_by(|(a, _), (b, _)| a == b) {
            let Some((id, _)) = of_function.first() else { continue };
            let loops: Vec<_> = of_function.iter().map(|(_, inst)| *inst).collect();
            let function = &mut module.functions[*id];
            let objects = allocas(function);
            parts::leave_together(function, &loops, &barriers);
            passes::promote_except(function, context.options.codegen.max_instructions, &objects);
        }
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

/// The private objects of a function.
fn allocas(function: &Function) -> FxHashSet<Value> {
    let insts = function.region(function.body).insts.iter().map(|id| function.inst(*id));
    insts.filter(|inst| matches!(inst.op, Op::Alloca { .. })).flat_map(|inst| inst.results.iter().copied()).collect()
}

/// For each function whether one of these loops calls it and it has a loop with barriers, or calls a function with one.
fn called_loops(
    module: &Module,
    loops: &[(FunctionId, InstId)],
    barriers: &TiSlice<FunctionId, bool>,
) -> TiVec<FunctionId, bool> {
    let mut in_loops = Vec::new();
    for (id, inst) in loops {
        let function = &module.functions[*id];
        for region in function.inst(*inst).op.regions() {
            function.walk(region, |_, inst| {
                if let Op::Call { function, .. } = &inst.op {
                    in_loops.push(*function);
                }
            });
        }
    }
    let calls = CallGraph::of(module);
    let own = module.functions.iter_enumerated().filter(|(_, function)| has_barrier_loop(function, barriers));
    let with_loops = calls.reaching(own.map(|(id, _)| id).collect::<Vec<_>>());
    let called = calls.reached_from(in_loops);
    with_loops.into_iter().zip(called).map(|(has_loops, called)| has_loops && called).collect()
}

/// Whether a function has a loop with barriers.
fn has_barrier_loop(function: &Function, barriers: &TiSlice<FunctionId, bool>) -> bool {
    let mut any = false;
    function.walk_body(|id, inst| {
        any |= matches!(inst.op, Op::Loop { .. }) && has_barrier(function, id, barriers);
    });
    any
}

/// Whether an instruction contains a `return`, which leaves all loops around it.
fn returns(function: &Function, id: InstId) -> bool {
    function.inst(id).op.regions().into_iter().any(|region| function.return_count(region) > 0)
}

/// Whether a module has a barrier, or an operation of a work-group, in a loop, or calls a function with one there.
pub fn has_barriers_in_loops(module: &Module) -> bool {
    let barriers = functions_with_barriers(module);
    module.functions.iter().any(|function| has_barrier_loop(function, &barriers))
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
pub(super) fn has_barrier(function: &Function, id: InstId, barriers: &TiSlice<FunctionId, bool>) -> bool {
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
