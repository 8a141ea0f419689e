//! `dead_functions`: functions that no kernel and no exported function reaches go, and objects that nothing refers to.

use crate::pass::{Context, Pass};
use crate::*;

/// The pass.
pub struct DeadFunctions;

impl<S> Pass<S> for DeadFunctions {
    fn name(&self) -> &'static str {
        "dead_functions"
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_, S>) -> Result<(), Error> {
        dead_functions(module);
        dead_globals(module);
        Ok(())
    }
}

fn dead_functions(module: &mut Module) {
    let mut reached = vec![false; module.functions.len()];
    let roots = module.functions.iter().enumerate();
    let mut work: Vec<usize> =
        roots.filter(|(_, function)| function.kernel.is_some() || function.exported).map(|(index, _)| index).collect();
    while let Some(index) = work.pop() {
        if std::mem::replace(&mut reached[index], true) {
            continue;
        }
        let function = &module.functions[index];
        function.walk_body(|_, inst| {
            if let Op::Call { function: callee, .. } | Op::Enqueue { kernel: callee, .. } = inst.op {
                work.push(callee.0 as usize);
            }
        });
    }
    let places = places(&reached);
    let mut at = 0;
    module.functions.retain(|_| {
        at += 1;
        reached[at - 1]
    });
    for function in &mut module.functions {
        for inst in &mut function.insts {
            if let Op::Call { function: callee, .. } | Op::Enqueue { kernel: callee, .. } = &mut inst.op {
                *callee = FunctionId(place_of(&places, callee.0));
            }
        }
    }
}

/// Drops globals that are neither exported nor named by an instruction or another global that stays.
fn dead_globals(module: &mut Module) {
    let mut used = vec![false; module.globals.len()];
    let mut work = Vec::new();
    for function in &module.functions {
        function.walk_body(|_, inst| {
            if let Op::GlobalAddress(global) = inst.op {
                work.push(global.0 as usize);
            }
        });
    }
    work.extend(module.globals.iter().enumerate().filter(|(_, global)| global.exported).map(|(index, _)| index));
    while let Some(index) = work.pop() {
        if !std::mem::replace(&mut used[index], true) {
            work.extend(module.globals[index].relocations.iter().map(|relocation| relocation.target.0 as usize));
        }
    }
    let places = places(&used);
    let mut at = 0;
    module.globals.retain(|_| {
        at += 1;
        used[at - 1]
    });
    for inst in module.functions.iter_mut().flat_map(|function| &mut function.insts) {
        if let Op::GlobalAddress(global) = &mut inst.op {
            *global = GlobalId(place_of(&places, global.0));
        }
    }
    for relocation in module.globals.iter_mut().flat_map(|global| &mut global.relocations) {
        relocation.target = GlobalId(place_of(&places, relocation.target.0));
    }
}

/// Where each one that is kept goes.
fn places(kept: &[bool]) -> Vec<u32> {
    let mut next = 0;
    let place = |kept: &bool| {
        next += u32::from(*kept);
        next - u32::from(*kept)
    };
    kept.iter().map(place).collect()
}

/// Instructions that stand in no region any more may name what an earlier run has dropped.
fn place_of(places: &[u32], index: u32) -> u32 {
    places.get(index as usize).copied().unwrap_or_default()
}
