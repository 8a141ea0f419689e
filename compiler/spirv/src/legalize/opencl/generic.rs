//! `generic`: for environments before OpenCL 2.0, which have no generic pointers.
//!
//! What takes or returns one is inlined, so that `address_spaces` sees where each comes from; a pointer that may still
//! point into more than one space is an error.

use clforge_ir::error::{TargetFeature, Unsupported};
use clforge_ir::*;

const GENERIC: Type = Type::ptr(Space::Generic);

/// The error for a generic pointer.
fn unsupported() -> Error {
    Error::unsupported(Unsupported::LaterTarget { feature: TargetFeature::GenericPointer })
}

/// Asks for functions to be inlined that take or return generic pointers. Whether any value is one.
pub fn prepare(module: &mut Module) -> bool {
    for function in &mut module.functions {
        let in_signature =
            function.result == Some(GENERIC) || function.params.iter().any(|param| function.ty(*param) == GENERIC);
        if in_signature && function.kernel.is_none() {
            function.inline = Some(true);
            // Nobody who has such pointers can be linked with it.
            function.exported = false;
        }
    }
    module
        .functions
        .iter()
        .any(|function| (0..function.value_count()).any(|index| function.ty(Value(index as u32)) == GENERIC))
}

/// Checks that no generic pointer is left.
///
/// # Errors
/// The first that is, at its place.
pub fn check(module: &Module) -> Result<(), Error> {
    for function in &module.functions {
        if function.params.iter().any(|param| function.ty(*param) == GENERIC) {
            return Err(unsupported().at(function.span));
        }
        check_region(function, function.body)?;
    }
    Ok(())
}

fn check_region(function: &Function, region: RegionId) -> Result<(), Error> {
    let is_generic = |value: &Value| function.ty(*value) == GENERIC;
    for id in &function.region(region).insts {
        let inst = function.inst(*id);
        let mut found = inst.results.iter().any(is_generic);
        inst.op.for_each_operand(|value| found |= is_generic(&value));
        if found {
            return Err(unsupported().at(inst.span));
        }
        for nested in inst.op.regions() {
            check_region(function, nested)?;
        }
    }
    Ok(())
}
