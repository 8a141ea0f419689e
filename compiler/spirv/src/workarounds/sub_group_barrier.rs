//! `workarounds/sub_group_barrier`: replaces barriers of sub-groups by fences
//! ([`Workarounds::LAVAPIPE_SUB_GROUP_BARRIER`](clforge_basic::workarounds::Workarounds)).
//!
//! ```ir
//! ; pass: workarounds/sub_group_barrier
//! ; Barriers of work-groups stay, and so does the scope of what is visible.
//! func @f() {
//!   barrier sub_group acquire_release sub_group local global
//!   barrier sub_group acquire_release work_group global
//!   barrier work_group acquire_release work_group local
//!   return
//! }
//! ; ---
//! func @f() {
//!   fence acquire_release sub_group local global
//!   fence acquire_release work_group global
//!   barrier work_group acquire_release work_group local
//!   return
//! }
//! ```

use crate::legalize::LAST;
use clforge_ir::pass::{Changed, FunctionContext, FunctionPass, Order};
use clforge_ir::*;

/// The pass. A fence is enough where the work-items of a sub-group are the lanes of one instruction stream.
pub struct SubGroupBarrier;

impl FunctionPass for SubGroupBarrier {
    fn name(&self) -> &'static str {
        "workarounds/sub_group_barrier"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        for inst in &mut function.insts {
            if let Op::Barrier { execution: Scope::SubGroup, semantics } = inst.op {
                inst.op = Op::Fence(semantics);
            }
        }
        Changed::Maybe
    }
}
