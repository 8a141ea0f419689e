//! The interface of an entry point: the variables that the kernel and all it calls use.

use clforge_ir::*;
use rspirv::spirv::Word;

/// Each kernel's index and the variables it may reach, each once, given the variables each function uses itself.
pub fn kernel_variables(module: &Module, used_by: &[Vec<Word>]) -> Vec<(usize, Vec<Word>)> {
    let callees = |function: &Function| {
        let called = function.insts.iter().filter_map(|inst| match inst.op {
            Op::Call { function, .. } => Some(function.0 as usize),
            _ => None,
        });
        let mut called: Vec<usize> = called.collect();
        called.sort_unstable();
        called.dedup();
        called
    };
    let callees: Vec<Vec<usize>> = module.functions.iter().map(callees).collect();
    // The kernel that reached a function last: a mark that needs no clearing.
    let mut reached = vec![usize::MAX; callees.len()];
    let kernels = module.functions.iter().enumerate().filter(|(_, function)| function.kernel.is_some());
    let variables = kernels.map(|(kernel, _)| {
        let (mut variables, mut work) = (Vec::new(), vec![kernel]);
        while let Some(function) = work.pop() {
            if std::mem::replace(&mut reached[function], kernel) != kernel {
                variables.extend(&used_by[function]);
                work.extend(&callees[function]);
            }
        }
        variables.sort_unstable();
        variables.dedup();
        (kernel, variables)
    });
    variables.collect()
}
