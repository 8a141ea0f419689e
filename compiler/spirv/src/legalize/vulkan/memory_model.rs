//! `vulkan/memory_model`: sequential consistency, which Vulkan's memory model lacks, by fences.

use clforge_ir::pass::{Changed, Context, Pass};
use clforge_ir::verify::{Dialect, Legalized};
use clforge_ir::*;

/// The pass. Fences and barriers that are sequentially consistent have the order acquire-release. So have atomics, and a
/// fence of all memory precedes them: no access is observed before one that precedes it in the program.
pub struct MemoryModel;

impl<S> Pass<S> for MemoryModel {
    fn name(&self) -> &'static str {
        "vulkan/memory_model"
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_, S>) -> Result<Changed, Error> {
        let mut changed = Changed::No;
        for function in &mut module.functions {
            if function.insts.iter().any(|inst| is_sequentially_consistent(&inst.op)) {
                function.insert_before_each(legalize);
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }

    fn dialect(&self) -> Option<Dialect> {
        Some(Dialect::Vulkan(Legalized::MemoryModel))
    }
}

fn is_sequentially_consistent(op: &Op) -> bool {
    match op {
        Op::Atomic { semantics, unequal, .. } | Op::VariableAtomic { semantics, unequal, .. } => {
            [semantics.order, *unequal].contains(&MemoryOrder::SequentiallyConsistent)
        }
        Op::Fence(semantics) | Op::Barrier { semantics, .. } => semantics.order == MemoryOrder::SequentiallyConsistent,
        _ => false,
    }
}

fn legalize(function: &mut Function, id: InstId, before: &mut Vec<InstId>) {
    let Inst { op, span, .. } = function.inst_mut(id);
    let mut fence = None;
    match op {
        Op::Atomic { semantics, unequal, .. } | Op::VariableAtomic { semantics, unequal, .. } => {
            // Within one work-item the order of the program suffices.
            if semantics.order == MemoryOrder::SequentiallyConsistent && semantics.scope != Scope::WorkItem {
                let order = MemoryOrder::AcquireRelease;
                fence = Some((Op::Fence(Semantics { order, local: true, global: true, ..*semantics }), *span));
            }
            weaken(&mut semantics.order);
            weaken(unequal);
        }
        Op::Fence(semantics) | Op::Barrier { semantics, .. } => weaken(&mut semantics.order),
        _ => {}
    }
    if let Some((op, span)) = fence {
        before.push(function.new_inst(op, &[], span));
    }
}

fn weaken(order: &mut MemoryOrder) {
    if *order == MemoryOrder::SequentiallyConsistent {
        *order = MemoryOrder::AcquireRelease;
    }
}
