//! The interface of an entry point: the variables that the kernel and its callees use.

use clforge_ir::*;
use rspirv::spirv::Word;
use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// Each kernel and the variables it may reach, each once, given the variables each function uses itself.
pub fn kernel_variables(module: &Module, used_by: &TiSlice<FunctionId, Vec<Word>>) -> Vec<(FunctionId, Vec<Word>)> {
    let callees = |function: &Function| {
        // Calls that were inlined are instructions of no region.
        let mut called: Vec<FunctionId> = Vec::new();
        function.walk_body(|_, inst| {
            called.extend(match inst.op {
                Op::Call { function, .. } => Some(function),
                _ => None,
            });
        });
        called.sort_unstable();
        called.dedup();
        called
    };
    let callees: TiVec<FunctionId, Vec<FunctionId>> = module.functions.iter().map(callees).collect();
    // The kernel that reached a function last: a mark that needs no clearing.
    let mut reached: TiVec<FunctionId, Option<FunctionId>> = ti_vec![None; callees.len()];
    let kernels = module.functions.iter_enumerated().filter(|(_, function)| function.kernel.is_some());
    let variables = kernels.map(|(kernel, _)| {
        let (mut variables, mut work) = (Vec::new(), vec![kernel]);
        while let Some(function) = work.pop() {
            if reached[function].replace(kernel) != Some(kernel) {
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
