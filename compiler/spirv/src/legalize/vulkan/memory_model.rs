//! `vulkan/memory_model`: replaces sequential consistency, which Vulkan's memory model lacks, by fences, and memory
//! scopes that it does not allow by wider ones.

use clforge_basic::source::Span;
use clforge_basic::workarounds::Workarounds;
use clforge_ir::pass::{Changed, Context, Order, Pass};
use clforge_ir::verify::{Dialect, Legalized};
use clforge_ir::*;
use smallvec::smallvec;

/// The pass. Fences and barriers that are sequentially consistent have the order acquire-release. So have atomics, and a
/// fence of all memory precedes them: no access is observed before one that precedes it in the program.
///
/// Semantics of a single work-item are those of no barrier (`VUID-StandaloneSpirv-None-04641`): barriers order memory for
/// the work-items that meet at least, and fences of one work-item, whose accesses are in the order of the program, are
/// removed.
///
/// With [`Workarounds::LAVAPIPE_STORE_ORDER`], stores are exchanges, and an exchange of a variable that nothing else uses
/// precedes a fence.
pub struct MemoryModel;

impl<S> Pass<S> for MemoryModel {
    fn name(&self) -> &'static str {
        "vulkan/memory_model"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::Memory), after: &["atomic_additions"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let mut changed = Changed::No;
        let exchanges = context.options.codegen.workarounds.contains(Workarounds::LAVAPIPE_STORE_ORDER);
        let orders_stores = |function: &Function| function.insts.iter().any(|inst| fence_orders_stores(&inst.op));
        let exchanged = (exchanges && module.functions.iter().any(orders_stores)).then(|| {
            let (name, storage, element) = ("fence".into(), Storage::Workgroup, Type::I32);
            let size = VariableSize { fixed: 4, ..VariableSize::default() };
            module.variables.push_and_get_key(Variable { name, storage, element, size, zero_initialized: false })
        });
        for function in &mut module.functions {
            if function.insts.iter().any(|inst| !has_legal_scope(&inst.op)) {
                legalize_scopes(function);
                changed = Changed::Maybe;
            }
            if function.insts.iter().any(|inst| is_sequentially_consistent(&inst.op)) {
                function.insert_before_each(|function, id, before| {
                    if let Some(variable) = exchanged
                        && fence_orders_stores(&function.inst(id).op)
                    {
                        before.push(exchange(function, variable, function.inst(id).span));
                    }
                    if exchanges {
                        store_by_exchange(function, id);
                    }
                    legalize(function, id, before);
                });
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }

    fn establishes(&self) -> Option<Dialect> {
        Some(Dialect::Vulkan(Legalized::MemoryModel))
    }
}

/// Whether Vulkan has the scope of memory of a fence or barrier.
fn has_legal_scope(op: &Op) -> bool {
    match op {
        Op::Fence(semantics) => semantics.scope > Scope::WorkItem,
        Op::Barrier { execution, semantics } => semantics.scope >= *execution,
        _ => true,
    }
}

fn legalize_scopes(function: &mut Function) {
    for inst in &mut function.insts {
        if let Op::Barrier { execution, semantics } = &mut inst.op {
            semantics.scope = semantics.scope.max(*execution);
        }
    }
    for region in &mut function.regions {
        region.insts.retain(|id| has_legal_scope(&function.insts[*id].op));
    }
}

/// Whether it orders a store before later loads for work-items of other work-groups: those of one work-group are executed
/// by one thread in lavapipe.
fn orders_stores(semantics: &Semantics) -> bool {
    semantics.order == MemoryOrder::SequentiallyConsistent
        && semantics.global
        && !matches!(semantics.scope, Scope::WorkItem | Scope::SubGroup | Scope::WorkGroup)
}

fn fence_orders_stores(op: &Op) -> bool {
    matches!(op, Op::Fence(semantics) | Op::Barrier { semantics, .. } if orders_stores(semantics))
}

fn store_by_exchange(function: &mut Function, id: InstId) {
    if let Op::Atomic { op: op @ AtomicOp::Store, operands, semantics, .. }
    | Op::VariableAtomic { op: op @ AtomicOp::Store, operands, semantics, .. } = &mut function.inst_mut(id).op
        && orders_stores(semantics)
    {
        *op = AtomicOp::Exchange;
        let stored = operands[0];
        let old = function.new_value(function.ty(stored), ValueDef::Inst(id, 0));
        function.inst_mut(id).results.push(old);
    }
}

/// An exchange whose result is not used: the processor's instruction for it is a full fence.
fn exchange(function: &mut Function, variable: VariableId, span: Span) -> InstId {
    let zero = function.constant(Constant::int(Type::I32, 0));
    let order = MemoryOrder::Relaxed;
    let semantics = Semantics::of_local_memory(order);
    let op = Op::VariableAtomic {
        op: AtomicOp::Exchange,
        variable,
        index: None,
        operands: smallvec![zero],
        semantics,
        unequal: MemoryOrder::Relaxed,
    };
    function.new_inst(op, &[Type::I32], span)
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
