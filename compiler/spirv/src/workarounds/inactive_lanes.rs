//! `workarounds/inactive_lanes`: lets the lanes of a vector that have no work-item leave a kernel with loops at its start
//! ([`Workarounds::LAVAPIPE_INACTIVE_LANES`](clforge_basic::workarounds::Workarounds)).
//!
//! ```c
//! while (text[i] != 0) i++;
//! ```
//!
//! lavapipe before 25 executes work-items in vectors. Where a work-group ends within a vector, it computes the loops of the
//! other lanes, too, and masks their memory accesses only: a masked load gives zero, and the loop above never ends for such
//! a lane, or one whose counter starts at its id and is compared for equality. It ends when the vector has made 65,535 iterations,
//! and so does every later loop of the kernel, after one more.
//!
//! The driver knows which lanes have work-items where it computes a ballot. A comparison of the local id with the local size is
//! no condition for it: an id in a dimension of size 1 is a constant.

use super::loop_exits::prepend;
use crate::legalize::LAST;
use clforge_ir::analysis::CallGraph;
use clforge_ir::pass::{Changed, Context, Order, Pass};
use clforge_ir::*;

/// The pass.
pub struct InactiveLanes;

impl<S> Pass<S> for InactiveLanes {
    fn name(&self) -> &'static str {
        "workarounds/inactive_lanes"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        // There is no ballot for a program that does not enable sub-groups of the driver.
        if context.options.device.emulated.sub_groups {
            return Ok(Changed::No);
        }
        let calls = CallGraph::of(module);
        let looping = calls.reaching(module.functions.keys().filter(|id| module.functions[*id].has_loops()));
        let mut changed = Changed::No;
        for (id, function) in module.functions.iter_mut_enumerated() {
            if function.kernel.is_some() && looping[id] {
                leave_at_start(function);
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// Begins the body with a `return` for lanes without a work-item.
fn leave_at_start(function: &mut Function) {
    let body = function.body;
    let start = function.new_region();
    let predicate = function.constant(Constant::int(Type::BOOL, 1));
    let mut b = Builder::at(function, start);
    let group = |op| Op::Group { op, scope: Scope::SubGroup, uniform: true };
    let ballot = b.emit(group(GroupOp::Ballot { predicate }), Type::vector(ScalarType::I32, 4));
    let is_active = b.emit(group(GroupOp::InverseBallot { ballot }), Type::BOOL);
    let then = b.nested(|b| b.effect(Op::Yield(Values::new())));
    let otherwise = b.nested(|b| b.effect(Op::Return(None)));
    b.effect(Op::If { condition: is_active, then, otherwise });
    prepend(function, start, body);
}
