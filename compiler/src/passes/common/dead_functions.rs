//! `dead_functions`: functions that no kernel and no exported function reaches go.

use crate::ir::*;

/// Runs the pass.
pub fn run(module: &mut Module) {
    let mut reached = vec![false; module.functions.len()];
    let roots = module.functions.iter().enumerate();
    let mut work: Vec<usize> =
        roots.filter(|(_, function)| function.kernel.is_some() || function.exported).map(|(index, _)| index).collect();
    while let Some(index) = work.pop() {
        if std::mem::replace(&mut reached[index], true) {
            continue;
        }
        let function = &module.functions[index];
        reached_calls(function, function.body, &mut work);
    }
    let mut next = 0;
    let places: Vec<u32> = reached
        .iter()
        .map(|reached| {
            next += u32::from(*reached);
            next - u32::from(*reached)
        })
        .collect();
    let mut at = 0;
    module.functions.retain(|_| {
        at += 1;
        reached[at - 1]
    });
    for function in &mut module.functions {
        for inst in &mut function.insts {
            if let Op::Call { function: callee, .. } | Op::Enqueue { kernel: callee, .. } = &mut inst.op {
                *callee = FunctionId(places[callee.0 as usize]);
            }
        }
    }
}

/// Calls that stand in a region: instructions that passes left behind do not count.
fn reached_calls(function: &Function, region: RegionId, calls: &mut Vec<usize>) {
    for id in &function.region(region).insts {
        let op = &function.inst(*id).op;
        if let Op::Call { function: callee, .. } | Op::Enqueue { kernel: callee, .. } = op {
            calls.push(callee.0 as usize);
        }
        for nested in op.regions() {
            reached_calls(function, nested, calls);
        }
    }
}
