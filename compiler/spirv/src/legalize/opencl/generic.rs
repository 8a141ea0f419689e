//! Passes for environments before OpenCL 2.0, which have no generic pointers.
//!
//! Functions that take or return a generic pointer are inlined, so that `address_spaces` finds the origin of each; a
//! pointer that may still point into more than one space is an error.

use crate::legalize::{Context, State};
use clforge_ir::error::{TargetFeature, Unsupported};
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::verify::Dialect;
use clforge_ir::*;

/// The error for a generic pointer.
fn unsupported() -> Error {
    Error::unsupported(Unsupported::LaterTarget { feature: TargetFeature::GenericPointer })
}

/// Whether the module has generic pointers.
pub fn has_generic_pointers(module: &Module) -> bool {
    let has_value = |function: &Function| function.values().any(|value| function.ty(value).is_generic());
    module.functions.iter().any(|function| function.result.is_some_and(Type::is_generic) || has_value(function))
}

/// `opencl/generic_signatures`: marks functions that take or return generic pointers to be inlined.
pub struct GenericSignatures;

impl Pass<State> for GenericSignatures {
    fn name(&self) -> &'static str {
        "opencl/generic_signatures"
    }

    fn order(&self) -> Order {
        Order { before: &["inline"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_>) -> Result<Changed, Error> {
        for function in &mut module.functions {
            let in_signature = function.result.is_some_and(Type::is_generic)
                || function.params.iter().any(|param| function.ty(*param).is_generic());
            if in_signature && function.kernel.is_none() {
                function.inline = Some(true);
                // Nobody who has such pointers can be linked with it.
                function.exported = false;
            }
        }
        Ok(Changed::Maybe)
    }
}

/// `opencl/generic_pointers`: checks that no generic pointer is left. The first that is, is the error.
pub struct GenericPointers;

impl Pass<State> for GenericPointers {
    fn name(&self) -> &'static str {
        "opencl/generic_pointers"
    }

    fn order(&self) -> Order {
        Order { after: &["inline", "address_spaces"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_>) -> Result<Changed, Error> {
        module.functions.iter().try_for_each(check)?;
        Ok(Changed::No)
    }

    fn establishes(&self) -> Option<Dialect> {
        Some(Dialect::OpenCl { generic_pointers: false })
    }
}

fn check(function: &Function) -> Result<(), Error> {
    if function.params.iter().any(|param| function.ty(*param).is_generic()) {
        return Err(unsupported().at(function.span));
    }
    let is_generic = |value: &Value| function.ty(*value).is_generic();
    let (mut first, mut first_cast) = (None, None);
    function.walk_body(|_, inst| {
        let mut found = inst.results.iter().any(is_generic);
        inst.op.for_each_operand(|value| found |= is_generic(&value));
        // A cast says less than what merges its result with another pointer.
        let is_cast = matches!(inst.op, Op::Convert { op: ConvertOp::PtrCast, .. });
        let first = if is_cast { &mut first_cast } else { &mut first };
        if found && first.is_none() {
            *first = Some(inst.span);
        }
    });
    first.or(first_cast).map_or(Ok(()), |span| Err(unsupported().at(span)))
}
