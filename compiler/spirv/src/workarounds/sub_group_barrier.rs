//! `workarounds/sub_group_barrier`: replaces barriers of sub-groups by fences
//! ([`Workarounds::LAVAPIPE_SUB_GROUP_BARRIER`](clforge_basic::workarounds::Workarounds)).

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
