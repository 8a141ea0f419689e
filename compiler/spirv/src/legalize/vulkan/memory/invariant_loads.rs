//! Marks the loads of memory that nothing writes while the kernel is executed, as the loads of `constant` memory are: of what a
//! `restrict` parameter of a kernel points to, if the kernel writes nothing through a pointer that is made of it. With
//! [`CodegenOptions::distinct_arguments`](clforge_basic::options::CodegenOptions::distinct_arguments) other parameters are taken
//! for `restrict`, too.
//!
//! An object that a `restrict` pointer is used to access is not modified in another way (C99 6.7.3.1), so other parameters do
//! not point to it. LLVM's `NVPTX` target and `nvcc` conclude the same.

use super::origins::{Origins, Root};
use crate::interface::{Accesses, ModuleInterface};
use clforge_basic::argument_info::TypeQualifiers;
use clforge_basic::narrow::to_usize;
use clforge_ir::*;

/// Marks the loads of all kernels, whose accesses the interface has.
pub fn mark(module: &mut Module, interface: &ModuleInterface, origins: &Origins, distinct_arguments: bool) {
    let enqueues = interface.kernels.iter().any(|kernel| kernel.enqueues || kernel.is_block);
    let is_helper = |function: &&Function| function.kernel.is_none();
    let helpers_synchronize = module.functions.iter().filter(is_helper).any(synchronizes);
    for (id, function) in module.functions.iter_mut_enumerated() {
        let Some(kernel) = &function.kernel else { continue };
        let known = interface.kernels.iter().find(|known| known.name == function.name);
        let Some(accesses) = known.and_then(|known| known.accesses.as_ref()) else { continue };
        let is_alone = !enqueues && !helpers_synchronize && !synchronizes(function);
        let all = distinct_arguments && is_alone && accesses.other.is_none() && !has_handles(kernel);
        let restricts = |argument: &KernelArgument| {
            let qualifiers = TypeQualifiers::from_bits_truncate(argument.info.type_qualifiers);
            qualifiers.contains(TypeQualifiers::RESTRICT)
                || all && matches!(argument.kind, KernelParameter::Pointer(Space::Global))
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

/// Whether it may see what the host, other launches or other work-groups write meanwhile, which is no mistake of the program for
/// parameters that are not `restrict`.
fn synchronizes(function: &Function) -> bool {
    let is_wide =
        |semantics: &Semantics| semantics.global && matches!(semantics.scope, Scope::Device | Scope::AllDevices);
    let mut found = false;
    function.walk_body(|_, inst| {
        found |= match &inst.op {
            Op::Atomic { ptr, .. } | Op::Load { ptr, volatile: true, .. } | Op::Store { ptr, volatile: true, .. } => {
                !matches!(function.ty(*ptr).space(), Some(Space::Local | Space::Private))
            }
            Op::Fence(semantics) | Op::Barrier { semantics, .. } => is_wide(semantics),
            _ => false,
        };
    });
    found
}

/// Whether it has images, which may be of a buffer, or other parameters that are no pointers and no values.
fn has_handles(kernel: &KernelInfo) -> bool {
    kernel.arguments.iter().any(|argument| matches!(argument.kind, KernelParameter::Opaque(_)))
}

/// Whether nothing is written through the pointer, or through one of unknown origin.
fn is_only_read(accesses: &Accesses, ordinal: u32) -> bool {
    let argument = accesses.of_argument(ordinal);
    argument.reads && !argument.writes && !accesses.other.writes
}
