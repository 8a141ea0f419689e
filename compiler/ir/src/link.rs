//! Appending one module to another.

use super::{FunctionId, GlobalId, Module, Op};

/// Moves all functions and globals of `from` behind those of `to`. Functions of `from` are internal afterwards.
pub fn append(to: &mut Module, mut from: Module) {
    let functions = to.functions.len();
    let globals = to.globals.len();
    let moved_function = |id: FunctionId| FunctionId::from(functions + usize::from(id));
    let moved_global = |id: GlobalId| GlobalId::from(globals + usize::from(id));
    for function in &mut from.functions {
        function.exported = false;
        for inst in &mut function.insts {
            match &mut inst.op {
                Op::Call { function, .. } | Op::Enqueue { kernel: function, .. } => {
                    *function = moved_function(*function)
                }
                Op::GlobalAddress(global) => *global = moved_global(*global),
                _ => {}
            }
        }
    }
    for global in &mut from.globals {
        for relocation in &mut global.relocations {
            relocation.target = moved_global(relocation.target);
        }
    }
    to.functions.append(&mut from.functions);
    to.globals.append(&mut from.globals);
}
