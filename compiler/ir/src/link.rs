//! Appending one module to another.

use super::{FunctionId, GlobalId, Module, Op};

/// Moves all functions and globals of `from` behind those of `to`. Functions of `from` are internal afterwards.
pub fn append(to: &mut Module, mut from: Module) {
    let functions = to.functions.len() as u32;
    let globals = to.globals.len() as u32;
    for function in &mut from.functions {
        function.exported = false;
        for inst in &mut function.insts {
            match &mut inst.op {
                Op::Call { function, .. } | Op::Enqueue { kernel: function, .. } => {
                    *function = FunctionId(function.0 + functions)
                }
                Op::GlobalAddress(global) => *global = GlobalId(global.0 + globals),
                _ => {}
            }
        }
    }
    for global in &mut from.globals {
        for relocation in &mut global.relocations {
            relocation.target = GlobalId(relocation.target.0 + globals);
        }
    }
    to.functions.append(&mut from.functions);
    to.globals.append(&mut from.globals);
}
