//! `shared_calls`: gives the calls of a large function one place in each of their callers, in very large kernels for drivers that
//! copy a function to each of its calls ([`Tuning::LAVAPIPE_SHARED_CALLS`](clforge_basic::tuning::Tuning)).
//!
//! The caller becomes a control-flow graph ([`graph`]), in which each call is a jump to one block that calls the function, and
//! from which control returns to what follows the call by its number. The structurizer makes of it a loop around a `switch`.
//! What lives across a block is in private objects, which `mem2reg` promotes.
//!
//! Work-items that were together at a call may be apart behind it, so a function stays as it is if it, or what it calls, has
//! operations that work-items execute together.

mod append;
mod graph;

use crate::analysis::CallGraph;
use crate::pass::{Changed, Context, Order, Pass};
use crate::*;
use append::append;
use graph::Graph;
use std::collections::BTreeMap;
use typed_index_collections::{TiVec, ti_vec};

/// Instructions of a kernel with all bodies of its calls that is compiled as it is. LLVM and the driver need some 100 us for
/// each.
const MOST_INSTS: usize = 60_000;
/// Least instructions of a body, with all bodies of its own calls, that is not copied.
const LARGE: usize = 1_000;

/// The pass.
pub struct SharedCalls;

impl<S> Pass<S> for SharedCalls {
    fn name(&self) -> &'static str {
        "shared_calls"
    }

    fn order(&self) -> Order {
        Order { after: &["single_exit"], before: &["inline"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_, S>) -> Result<Changed, Error> {
        let large = large_kernels(module, &CallGraph::of(module), &sizes(module));
        share_calls(module, large, LARGE)
    }
}

/// Shares the calls of functions with at least so many instructions, with all bodies of their calls, in these functions and those
/// that they call.
///
/// # Errors
/// An internal one of the structurizer.
pub fn share_calls(module: &mut Module, roots: Vec<FunctionId>, least: usize) -> Result<Changed, Error> {
    let calls = CallGraph::of(module);
    let mut sizes = sizes(module);
    let reached = calls.reached_from(roots);
    let is_convergent = |id: &FunctionId| reached[*id] && module.functions[*id].ever_had(Op::is_convergent);
    let convergent = calls.reaching(module.functions.keys().filter(is_convergent));
    let mut changed = Changed::No;
    for id in calls.callees_first() {
        let mut shared = BTreeMap::new();
        if reached[id] && !convergent[id] {
            shared = callees_to_share(module, calls.callees(id), &sizes, least);
        }
        if !shared.is_empty() && share(module, id, &shared)? {
            changed = Changed::Maybe;
        } else {
            shared.clear();
        }
        let copied = calls.callees(id).iter().filter(|callee| !shared.contains_key(callee));
        let size = copied.chain(shared.keys()).fold(sizes[id], |sum, callee| sum.saturating_add(sizes[*callee]));
        sizes[id] = size;
    }
    Ok(changed)
}

/// Whether a module has a kernel for which the pass could do anything.
pub fn has_large_kernels(module: &Module) -> bool {
    let calls = CallGraph::of(module);
    calls.has_calls() && !large_kernels(module, &calls, &sizes(module)).is_empty()
}

/// The kernels that would have very many instructions with all bodies of their calls.
fn large_kernels(module: &Module, calls: &CallGraph, own: &TiVec<FunctionId, usize>) -> Vec<FunctionId> {
    let sizes = calls.inlined_sizes(own.clone());
    let is_large = |id: &FunctionId| module.functions[*id].kernel.is_some() && sizes[*id] > MOST_INSTS;
    module.functions.keys().filter(is_large).collect()
}

fn sizes(module: &Module) -> TiVec<FunctionId, usize> {
    let mut sizes: TiVec<FunctionId, usize> = ti_vec![0; module.functions.len()];
    for (id, function) in module.functions.iter_enumerated() {
        function.walk_body(|_, _| sizes[id] += 1);
    }
    sizes
}

/// What the caller knows of a function whose calls share a place.
struct Callee {
    params: Vec<Type>,
    result: Option<Type>,
}

/// The large functions that are called more than once by one function.
fn callees_to_share(
    module: &Module,
    callees: &[FunctionId],
    sizes: &TiVec<FunctionId, usize>,
    least: usize,
) -> BTreeMap<FunctionId, Callee> {
    let mut counts: BTreeMap<FunctionId, usize> = BTreeMap::new();
    callees.iter().for_each(|id| *counts.entry(*id).or_default() += 1);
    let is_shared = |id: &FunctionId, count: usize| {
        let function = &module.functions[*id];
        count > 1 && sizes[*id] >= least && !function.is_declaration()
    };
    let shared = counts.into_iter().filter(|(id, count)| is_shared(id, *count));
    shared
        .map(|(id, _)| {
            let function = &module.functions[id];
            let params = function.params.iter().map(|param| function.ty(*param)).collect();
            (id, Callee { params, result: function.result })
        })
        .collect()
}

/// Gives the calls of these functions one place each. Whether it could.
fn share(module: &mut Module, caller: FunctionId, shared: &BTreeMap<FunctionId, Callee>) -> Result<bool, Error> {
    let function = &mut module.functions[caller];
    let body = function.body;
    let mut insts = std::mem::take(&mut function.region_mut(body).insts);
    // The objects begin the body.
    insts.sort_by_key(|id| !matches!(function.inst(*id).op, Op::Alloca { .. }));
    function.region_mut(body).insts = insts;
    let Some(graph) = Graph::of(function, shared) else { return Ok(false) };
    append(function, graph)?;
    Ok(true)
}
