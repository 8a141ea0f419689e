//! Rejects accesses through pointers that only the host can have made, in modules with logical addresses.
//!
//! A pointer in memory is an offset and the number of a descriptor, which kernels store and load. The host knows only
//! addresses, which no descriptor belongs to. A program none of whose kernels stores a pointer to a buffer, or makes a
//! number of one, can only load such pointers from what the host has written.

use super::candidates::MAX_STEPS;
use super::origins::{Origin, Origins};
use clforge_ir::error::Unsupported;
use clforge_ir::*;

/// Rejects the accesses.
///
/// # Errors
/// The first access through such a pointer.
pub fn reject(module: &Module, origins: &Origins) -> Result<(), Error> {
    // Of too many buffers to tell apart the origin is unknown, too.
    if makes_pointers(module) || !takes_pointers(module) {
        return Ok(());
    }
    for (id, function) in module.functions.iter_enumerated() {
        let mut found = None;
        function.walk_body(|_, inst| {
            let pointer = match inst.op {
                Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Atomic { ptr, .. } => ptr,
                _ => return,
            };
            if found.is_none() && is_to_buffer(function, pointer) && *origins.of(id, pointer) == Origin::Unknown {
                found = Some(inst.span);
            }
        });
        if let Some(span) = found {
            return Err(Error::unsupported(Unsupported::HostPointer).at(span));
        }
    }
    Ok(())
}

/// Whether there is a pointer to a buffer in memory that the program has put there, in whatever form.
fn makes_pointers(module: &Module) -> bool {
    let stores = |function: &Function| {
        function.insts.iter().any(|inst| match &inst.op {
            Op::Store { value, .. } => is_to_buffer(function, *value),
            Op::Atomic { operands, .. } => operands.iter().any(|operand| is_to_buffer(function, *operand)),
            Op::Convert { op: ConvertOp::PtrToInt, operand } => is_to_buffer(function, *operand),
            _ => false,
        })
    };
    module.globals.iter().any(|global| !global.relocations.is_empty()) || module.functions.iter().any(stores)
}

/// Whether a pointer to a buffer comes out of memory or is made of a number.
fn takes_pointers(module: &Module) -> bool {
    let takes = |function: &Function| {
        function.insts.iter().any(|inst| match inst.op {
            Op::Load { .. } => inst.results.iter().any(|result| is_to_buffer(function, *result)),
            Op::Convert { op: ConvertOp::IntToPtr, operand } => {
                may_be_address(function, operand) && inst.results.iter().any(|result| is_to_buffer(function, *result))
            }
            _ => false,
        })
    };
    module.functions.iter().any(takes)
}

/// Whether the host may have given an address for an integer: not if it is known, or has no more than 32 bits of others. A shift or
/// a product may put two words together.
fn may_be_address(function: &Function, integer: Value) -> bool {
    use BinaryOp::{Add, And, Or, Sub, Xor};
    let mut left = vec![integer];
    for _ in 0..MAX_STEPS {
        let Some(value) = left.pop() else { return false };
        match function.op(value) {
            None if function.as_constant(value).is_some() => {}
            Some(Op::Convert { op: ConvertOp::ZExt | ConvertOp::SExt, operand })
                if function.ty(*operand).scalar.bits() <= 32 => {}
            Some(Op::Select { if_true, if_false, .. }) => left.extend([*if_true, *if_false]),
            Some(Op::Binary { op: Add | And | Or | Sub | Xor, lhs, rhs }) => left.extend([*lhs, *rhs]),
            _ => return true,
        }
    }
    true
}

fn is_to_buffer(function: &Function, value: Value) -> bool {
    matches!(function.ty(value).space(), Some(Space::Global | Space::Constant | Space::Generic))
}
