//! Rules about the module: globals, variables, and calls without recursion.

use super::*;
use crate::analysis::CallGraph;
use typed_index_collections::{TiVec, ti_vec};

/// Checks globals and variables.
pub(super) fn check(module: &Module, dialect: Dialect, note: &mut impl FnMut(Check)) {
    module.globals.iter().for_each(|global| note(check_global(module, global, dialect)));
    let variables = module.variables.is_empty() || dialect.reached(Legalized::KernelAbi);
    note(require(variables, Rule::Dialect, || format!("variables are not legal in the dialect {dialect:?}")));
    module.variables.iter().for_each(|variable| note(check_variable(variable)));
}

fn check_global(module: &Module, global: &Global, dialect: Dialect) -> Check {
    let fail = |message: &str| violation(Rule::Module, format!("global '{}': {message}", global.name));
    if !matches!(global.space, Space::Global | Space::Constant | Space::Local) {
        return fail("not in global, constant or local memory");
    }
    if !global.align.is_power_of_two() {
        return fail("the alignment is not a power of two");
    }
    if global.init.as_ref().is_some_and(|bytes| bytes.len() as u64 != global.size) {
        return fail("the initial bytes do not have its size");
    }
    if global.space == Space::Local && global.init.as_ref().is_some_and(|bytes| bytes.iter().any(|byte| *byte != 0)) {
        return fail("local memory that begins as something else than zeros");
    }
    if global.imported && dialect.reached(Legalized::KernelAbi) {
        return violation(Rule::Dialect, format!("global '{}' is imported", global.name));
    }
    if !global.relocations.is_sorted_by_key(|relocation| relocation.offset) {
        return fail("its relocations are not in order");
    }
    for relocation in &global.relocations {
        if module.globals.get(relocation.target).is_none() {
            return fail("a relocation to no global");
        }
        // The least that a pointer has.
        if relocation.offset.checked_add(4).is_none_or(|end| end > global.size) {
            return fail("a relocation outside of it");
        }
    }
    Ok(())
}

fn check_variable(variable: &Variable) -> Check {
    let Variable { name, storage, element, size, zero_initialized } = variable;
    let number = element.scalar.is_int() || element.scalar.is_float();
    // An array of matrices whose index is not known.
    let matrix = matches!(storage, Storage::Function | Storage::Private) && element.matrix().is_some();
    require(number || matrix, Rule::Module, || format!("variable '{name}' has elements of type {element}"))?;
    let constant = size.arguments.is_empty() && size.per_work_item == 0;
    require(!zero_initialized || (*storage == Storage::Private && constant), Rule::Module, || {
        format!("variable '{name}' begins as zeros and is not private of constant size")
    })
}

/// Checks that no function calls itself, also by way of others.
pub(super) fn check_calls(module: &Module) -> Check {
    let calls = CallGraph::of(module);
    // 0: not visited, 1: on the path, 2: done.
    let mut state: TiVec<FunctionId, u8> = ti_vec![0; module.functions.len()];
    for start in module.functions.keys() {
        let mut path = vec![(start, 0)];
        while let Some((function, next)) = path.pop() {
            state[function] = 1;
            match calls.callees(function).get(next) {
                None => state[function] = 2,
                Some(&callee) => {
                    path.push((function, next + 1));
                    require(state[callee] != 1, Rule::Module, || {
                        format!("function '{}' calls itself", module.functions[callee].name)
                    })?;
                    if state[callee] == 0 {
                        path.push((callee, 0));
                    }
                }
            }
        }
    }
    Ok(())
}
