//! `zero_local_memory`: stores zeros to local memory that has a null initial value, as SPIR-V of other compilers may
//! declare it, or to all of it where a context asks for that (`cl_khr_initialize_memory`).

use crate::analysis::CallGraph;
use crate::pass::{Changed, Context, Order, Pass};
use crate::room::Room;
use crate::*;
use typed_index_collections::{TiVec, ti_vec};

/// The pass. The work-items of a group store the zeros of the objects that a kernel may access, each its share of them, and
/// meet before the kernel does anything else. No object has an initial value afterwards.
pub struct ZeroLocalMemory;

/// Instructions that one object and one kernel take at most.
const INSTRUCTIONS: usize = 16;

impl<S> Pass<S> for ZeroLocalMemory {
    fn name(&self) -> &'static str {
        "zero_local_memory"
    }

    fn order(&self) -> Order {
        Order { before: &["vulkan/library", "opencl/builtins", "inline", "mem2reg"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let room = Room::new(module, context.options.codegen.max_instructions);
        let all = context.options.codegen.zero_local_memory;
        let accessed = accessed(module, &room, all)?;
        let kernels = module.functions.iter_enumerated().filter(|(_, function)| function.kernel.is_some());
        let objects: usize = kernels.map(|(id, _)| 1 + accessed[id].len()).sum();
        room.check(objects.saturating_mul(INSTRUCTIONS))?;
        for (id, function) in module.functions.iter_mut_enumerated() {
            if function.kernel.is_some() && !accessed[id].is_empty() {
                store_zeros(function, &module.globals, &accessed[id]);
            }
        }
        for global in module.globals.iter_mut().filter(|global| global.space == Space::Local) {
            global.init = None;
        }
        Ok(Changed::Maybe)
    }
}

/// Whether a module has such memory.
pub fn has_initial_local_memory(module: &Module) -> bool {
    module.globals.iter().any(|global| is_zeroed(global, false))
}

/// Whether zeros are stored to an object: to `all` of local memory, or where it has an initial value.
fn is_zeroed(global: &Global, all: bool) -> bool {
    global.space == Space::Local && (all || global.init.is_some()) && global.size > 0
}

/// The objects that each function and what it calls may access, in order.
fn accessed(module: &Module, room: &Room, zeroes_all: bool) -> Result<TiVec<FunctionId, Vec<GlobalId>>, Error> {
    let mut accessed: TiVec<FunctionId, Vec<GlobalId>> = ti_vec![Vec::new(); module.functions.len()];
    let calls = CallGraph::of(module);
    let mut all = 0;
    for id in calls.callees_first() {
        let mut own = Vec::new();
        module.functions[id].walk_body(|_, inst| match inst.op {
            Op::GlobalAddress(global) if is_zeroed(&module.globals[global], zeroes_all) => own.push(global),
            _ => {}
        });
        for callee in calls.callees(id) {
            own.extend(&accessed[*callee]);
        }
        own.sort_unstable();
        own.dedup();
        all += own.len();
        // So that a long chain of calls takes no more memory than a module may.
        room.check(all)?;
        accessed[id] = own;
    }
    Ok(accessed)
}

/// Puts the loops and the barrier behind the private objects at the beginning.
fn store_zeros(function: &mut Function, globals: &TiVec<GlobalId, Global>, accessed: &[GlobalId]) {
    let start = function.new_region();
    let span = function.span;
    let mut b = Builder::at(function, start);
    b.span = span;
    let query = |b: &mut Builder<'_>, query, dim| b.emit(Op::WorkItem { query, dim }, Type::I64);
    let first = query(&mut b, WorkItemQuery::LocalLinearId, 0);
    let [x, y, z] = [0, 1, 2].map(|dim| query(&mut b, WorkItemQuery::LocalSize, dim));
    let items = b.binary(BinaryOp::Mul, x, y);
    let items = b.binary(BinaryOp::Mul, items, z);
    for id in accessed {
        store_share(&mut b, *id, &globals[*id], first, items);
    }
    let semantics = Semantics::of_local_memory(MemoryOrder::AcquireRelease);
    b.effect(Op::Barrier { execution: Scope::WorkGroup, semantics });
    function.begin_with(start);
}

/// `for (i = first; i < words; i += items) object[i] = 0;`
fn store_share(b: &mut Builder<'_>, id: GlobalId, global: &Global, first: Value, items: Value) {
    // Words, or less where it is aligned to less.
    let unit = 1 << (global.size | global.align | 4).trailing_zeros();
    let object = b.emit(Op::GlobalAddress(id), Type::ptr(Space::Local));
    let zero = b.int(Type::scalar(ScalarType::int(unit * 8)), 0);
    let count = b.int(Type::I64, clforge_basic::narrow::to_i64(global.size / u64::from(unit)));
    b.count_up((first, items), LoopHint::None, &[], |b, index| {
        let more = b.compare(CompareOp::ULt, index, count);
        b.break_unless(more, &[]);
        let place = b.ptr_add(object, index, i64::from(unit));
        b.store(place, zero, unit);
    });
}
