//! Marks the loads of memory that nothing writes while the kernel is executed, as the loads of `constant` memory are: of what a
//! `restrict` parameter of a kernel points to, if the kernel writes nothing through a pointer that is made of it.
//!
//! An object that a `restrict` pointer is used to access is not modified in another way (C99 6.7.3.1), so other parameters do
//! not point to it. LLVM's `NVPTX` target and `nvcc` conclude the same.

use super::origins::{Origins, Root};
use crate::interface::{Accesses, ModuleInterface};
use clforge_basic::argument_info::TypeQualifiers;
use clforge_basic::narrow::to_usize;
use clforge_ir::*;

/// Marks the loads of all kernels, whose accesses the interface has.
pub fn mark(module: &mut Module, interface: &ModuleInterface, origins: &Origins) {
    for (id, function) in module.functions.iter_mut_enumerated() {
        let Some(kernel) = &function.kernel else { continue };
        let known = interface.kernels.iter().find(|known| known.name == function.name);
        let Some(accesses) = known.and_then(|known| known.accesses.as_ref()) else { continue };
        let restricts = |argument: &KernelArgument| {
            TypeQualifiers::from_bits_truncate(argument.info.type_qualifiers).contains(TypeQualifiers::RESTRICT)
        };
        let is_invariant = |(ordinal, argument)| restricts(argument) && is_only_read(accesses, ordinal);
        let invariant: Vec<bool> = (0..).zip(&kernel.arguments).map(is_invariant).collect();
        if !invariant.contains(&true) {
            continue;
        }
        let is_of_one = |root: &Root| match root {
            Root::Argument(ordinal) => invariant.get(to_usize(*ordinal)) == Some(&true),
            _ => false,
        };
        for inst in &mut function.insts {
            if let Op::Load { ptr, volatile: false, invariant, .. } = &mut inst.op {
                let roots = origins.of(id, *ptr).roots().unwrap_or_default();
                *invariant |= !roots.is_empty() && roots.iter().all(is_of_one);
            }
        }
    }
}

/// Whether nothing is written through the pointer, or through one of unknown origin.
fn is_only_read(accesses: &Accesses, ordinal: u32) -> bool {
    let argument = accesses.of_argument(ordinal);
    argument.reads && !argument.writes && !accesses.other.writes
}
