//! The call graph.

use crate::{Function, FunctionId, Module, Op};
use typed_index_collections::{TiVec, ti_vec};

/// The calls of a module, as it was when the graph was made. There is no recursion in a valid module; none of the methods
/// relies on that.
pub struct CallGraph {
    /// For each function, the callee of each of its calls, in the order of the program.
    callees: TiVec<FunctionId, Vec<FunctionId>>,
    /// The number of calls of each function.
    calls: TiVec<FunctionId, usize>,
}

impl CallGraph {
    /// The graph of a module. Enqueueing a kernel is no call.
    pub fn of(module: &Module) -> CallGraph {
        let callees: TiVec<FunctionId, Vec<FunctionId>> = module.functions.iter().map(callees).collect();
        let mut calls: TiVec<FunctionId, usize> = ti_vec![0; module.functions.len()];
        for callee in callees.iter().flatten() {
            if let Some(calls) = calls.get_mut(*callee) {
                *calls += 1;
            }
        }
        CallGraph { callees, calls }
    }

    /// The callee of each call of a function, in the order of the program.
    pub fn callees(&self, caller: FunctionId) -> &[FunctionId] {
        self.callees.get(caller).map_or(&[], Vec::as_slice)
    }

    /// The number of calls of a function in the module.
    pub fn calls_of(&self, callee: FunctionId) -> usize {
        self.calls.get(callee).copied().unwrap_or(0)
    }

    /// Whether any function calls another.
    pub fn has_calls(&self) -> bool {
        self.callees.iter().any(|callees| !callees.is_empty())
    }

    /// All functions, each after those it calls.
    pub fn callees_first(&self) -> Vec<FunctionId> {
        let mut done: TiVec<FunctionId, bool> = ti_vec![false; self.callees.len()];
        let mut order = Vec::with_capacity(done.len());
        for root in self.callees.keys() {
            // Not recursive: call chains may be deep.
            let mut stack = vec![(root, false)];
            while let Some((id, finished)) = stack.pop() {
                if finished {
                    order.push(id);
                } else if let Some(done) = done.get_mut(id)
                    && !std::mem::replace(done, true)
                {
                    stack.push((id, true));
                    stack.extend(self.callees(id).iter().map(|callee| (*callee, false)));
                }
            }
        }
        order
    }

    /// All functions, each before those it calls.
    pub fn callers_first(&self) -> Vec<FunctionId> {
        let mut order = self.callees_first();
        order.reverse();
        order
    }

    /// The size of each function with everything inlined: its own, which is given, and for each call the size of the callee with
    /// everything inlined.
    pub fn inlined_sizes(&self, mut sizes: TiVec<FunctionId, usize>) -> TiVec<FunctionId, usize> {
        for id in self.callees_first() {
            let called = self.callees(id).iter().filter_map(|callee| sizes.get(*callee));
            let size = called.fold(0usize, |sum, size| sum.saturating_add(*size));
            if let Some(own) = sizes.get_mut(id) {
                *own = own.saturating_add(size);
            }
        }
        sizes
    }

    /// For each function whether one of these is it, or is called by it, directly or through others.
    pub fn reaching(&self, targets: impl IntoIterator<Item = FunctionId>) -> TiVec<FunctionId, bool> {
        let mut reaching: TiVec<FunctionId, bool> = ti_vec![false; self.callees.len()];
        for target in targets {
            if let Some(reaching) = reaching.get_mut(target) {
                *reaching = true;
            }
        }
        for id in self.callees_first() {
            let any = self.callees(id).iter().any(|callee| reaching.get(*callee) == Some(&true));
            reaching[id] |= any;
        }
        reaching
    }

    /// For each function whether it is one of these, or is called by one, directly or through others.
    pub fn reached_from(&self, roots: impl IntoIterator<Item = FunctionId>) -> TiVec<FunctionId, bool> {
        let mut reached: TiVec<FunctionId, bool> = ti_vec![false; self.callees.len()];
        let mut work: Vec<FunctionId> = roots.into_iter().collect();
        while let Some(id) = work.pop() {
            if let Some(reached) = reached.get_mut(id)
                && !std::mem::replace(reached, true)
            {
                work.extend(self.callees(id));
            }
        }
        reached
    }
}

fn callees(function: &Function) -> Vec<FunctionId> {
    let mut callees = Vec::new();
    if !function.ever_had(|op| matches!(op, Op::Call { .. })) {
        return callees;
    }
    function.walk_body(|_, inst| {
        if let Op::Call { function: callee, .. } = inst.op {
            callees.push(callee);
        }
    });
    callees
}
