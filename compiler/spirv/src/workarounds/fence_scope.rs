//! `workarounds/fence_scope`: widens the scope of fences from the work-group to the device
//! ([`Workarounds::LAVAPIPE_FENCE_SCOPE`](clforge_basic::workarounds::Workarounds)).
//!
//! ```ir
//! ; pass: workarounds/fence_scope
//! ; Barriers keep their scope, and so do fences of other scopes.
//! func @f() {
//!   fence acquire_release work_group local
//!   fence release sub_group global
//!   barrier work_group acquire_release work_group local
//!   return
//! }
//! ; ---
//! func @f() {
//!   fence acquire_release device local
//!   fence release sub_group global
//!   barrier work_group acquire_release work_group local
//!   return
//! }
//! ```

use crate::legalize::LAST;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;

/// The pass. A wider scope is always right.
pub struct FenceScope;

impl FunctionPass for FenceScope {
    fn name(&self) -> &'static str {
        "workarounds/fence_scope"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        for inst in &mut function.insts {
            if let Op::Fence(semantics) = &mut inst.op
                && semantics.scope == Scope::WorkGroup
            {
                semantics.scope = Scope::Device;
            }
        }
        Changed::Maybe
    }
}
