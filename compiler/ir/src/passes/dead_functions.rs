//! `dead_functions` removes functions that no kernel and no exported function reaches, and globals that nothing refers to.

use crate::pass::{Changed, Context, Order, Pass};
use crate::*;
use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// The pass.
pub struct DeadFunctions;

impl<S> Pass<S> for DeadFunctions {
    fn name(&self) -> &'static str {
        "dead_functions"
    }

    fn order(&self) -> Order {
        Order { after: &["inline"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_, S>) -> Result<Changed, Error> {
        remove_unreached(module);
        Ok(Changed::Maybe)
    }
}

/// What the pass does.
pub fn remove_unreached(module: &mut Module) {
    dead_functions(module);
    dead_globals(module);
}

fn dead_functions(module: &mut Module) {
    let mut reached: TiVec<FunctionId, bool> = ti_vec![false; module.functions.len()];
    let roots = module.functions.iter_enumerated();
    let mut work: Vec<FunctionId> =
        roots.filter(|(_, function)| function.kernel.is_some() || function.exported).map(|(id, _)| id).collect();
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut reached[id], true) {
            continue;
        }
        let function = &module.functions[id];
        if !function.ever_had(|op| matches!(op, Op::Call { .. } | Op::Enqueue { .. })) {
            continue;
        }
        function.walk_body(|_, inst| {
            if let Op::Call { function: callee, .. } | Op::Enqueue { kernel: callee, .. } = inst.op {
                work.push(callee);
            }
        });
    }
    let places = places(&reached);
    let mut reached = reached.into_iter();
    module.functions.retain(|_| reached.next() == Some(true));
    for function in &mut module.functions {
        for inst in &mut function.insts {
            if let Op::Call { function: callee, .. } | Op::Enqueue { kernel: callee, .. } = &mut inst.op {
                *callee = place_of(&places, *callee);
            }
        }
    }
}

/// Drops globals that are neither exported nor named by an instruction or another global that stays.
fn dead_globals(module: &mut Module) {
    let mut used: TiVec<GlobalId, bool> = ti_vec![false; module.globals.len()];
    let mut work = Vec::new();
    for function in &module.functions {
        if !function.ever_had(|op| matches!(op, Op::GlobalAddress(_))) {
            continue;
        }
        function.walk_body(|_, inst| {
            if let Op::GlobalAddress(global) = inst.op {
                work.push(global);
            }
        });
    }
    work.extend(module.globals.iter_enumerated().filter(|(_, global)| global.exported).map(|(id, _)| id));
    while let Some(id) = work.pop() {
        if !std::mem::replace(&mut used[id], true) {
            work.extend(module.globals[id].relocations.iter().map(|relocation| relocation.target));
        }
    }
    let places = places(&used);
    let mut used = used.into_iter();
    module.globals.retain(|_| used.next() == Some(true));
    for inst in module.functions.iter_mut().flat_map(|function| &mut function.insts) {
        if let Op::GlobalAddress(global) = &mut inst.op {
            *global = place_of(&places, *global);
        }
    }
    for relocation in module.globals.iter_mut().flat_map(|global| &mut global.relocations) {
        relocation.target = place_of(&places, relocation.target);
    }
}

/// The new id of each function that is kept.
fn places<Id: From<usize>>(kept: &TiSlice<Id, bool>) -> TiVec<Id, Id> {
    let mut next = 0;
    let place = |kept: &bool| {
        next += usize::from(*kept);
        Id::from(next - usize::from(*kept))
    };
    kept.iter().map(place).collect()
}

/// Instructions that stand in no region any more may name what an earlier run has dropped.
fn place_of<Id: Copy + From<usize>>(places: &TiSlice<Id, Id>, id: Id) -> Id
where
    usize: From<Id>,
{
    places.get(id).copied().unwrap_or(Id::from(0))
}
