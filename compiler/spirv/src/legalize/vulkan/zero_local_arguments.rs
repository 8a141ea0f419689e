//! `vulkan/zero_local_arguments`: the memory of `local` arguments begins as zeros, as a context may ask for
//! (`cl_khr_initialize_memory`). `zero_local_memory` does so with the program's own objects.

use crate::legalize::{Context, State};
use clforge_basic::narrow::to_u32;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::room::Room;
use clforge_ir::verify::Legalized;
use clforge_ir::*;

/// The pass. The work-items of a group store the zeros, each its share of them, and meet before the kernel does anything else.
pub struct ZeroLocalArguments;

/// Instructions that one argument and one kernel take at most.
const INSTRUCTIONS: usize = 24;

impl Pass<State> for ZeroLocalArguments {
    fn name(&self) -> &'static str {
        "vulkan/zero_local_arguments"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::KernelAbi), before: &["mem2reg", "vulkan/memory"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let room = Room::new(module, context.options.codegen.max_instructions);
        let globals = &module.globals;
        let kernels = module.functions.iter_enumerated().filter(|(_, function)| function.kernel.is_some());
        let all: Vec<_> = kernels.map(|(id, function)| (id, arguments(function, globals))).collect();
        room.check(all.iter().map(|(_, arguments)| 1 + arguments.len()).sum::<usize>().saturating_mul(INSTRUCTIONS))?;
        for (id, arguments) in all.into_iter().filter(|(_, arguments)| !arguments.is_empty()) {
            store_zeros(&mut module.functions[id], &arguments);
        }
        Ok(Changed::Maybe)
    }
}

/// The memory of an argument.
struct Argument {
    global: GlobalId,
    /// The specialisation constant that counts its elements, and their bytes.
    count: u32,
    element: u32,
    align: u64,
}

/// The local arguments that a kernel uses.
fn arguments(function: &Function, globals: &typed_index_collections::TiSlice<GlobalId, Global>) -> Vec<Argument> {
    let mut used = Vec::new();
    function.walk_body(|_, inst| match inst.op {
        Op::GlobalAddress(global) if globals[global].size_argument.is_some() => used.push(global),
        _ => {}
    });
    used.sort_unstable();
    used.dedup();
    let argument = |global: GlobalId| {
        let (count, element) = globals[global].size_argument?;
        Some(Argument { global, count, element, align: globals[global].align })
    };
    used.into_iter().filter_map(argument).collect()
}

/// Puts the loops and the barrier behind the private objects at the beginning.
fn store_zeros(function: &mut Function, arguments: &[Argument]) {
    let start = function.new_region();
    let span = function.span;
    let mut b = Builder::at(function, start);
    b.span = span;
    let first = b.emit(Op::Input { input: Input::LocalInvocationIndex, dim: 0 }, Type::I32);
    let [x, y, z] = [0, 1, 2].map(|dim| b.emit(Op::Input { input: Input::WorkgroupSize, dim }, Type::I32));
    let plane = b.binary(BinaryOp::Mul, x, y);
    let items = b.binary(BinaryOp::Mul, plane, z);
    for argument in arguments {
        store_share(&mut b, argument, first, items);
    }
    let semantics = Semantics::of_local_memory(MemoryOrder::AcquireRelease);
    b.effect(Op::Barrier { execution: Scope::WorkGroup, semantics });
    function.begin_with(start);
}

/// `for (i = first; i < elements; i += items) object[i] = 0;`
fn store_share(b: &mut Builder<'_>, argument: &Argument, first: Value, items: Value) {
    // Words, or less where it is aligned to less.
    let unit: u64 = 1 << (u64::from(argument.element) | argument.align | 4).trailing_zeros();
    let object = b.emit(Op::GlobalAddress(argument.global), Type::ptr(Space::Local));
    let zero = b.int(Type::scalar(ScalarType::int(to_u32(unit * 8))), 0);
    let elements = b.emit(Op::SpecConstant(argument.count), Type::I32);
    let count = b.binary_int(BinaryOp::Mul, elements, i64::from(argument.element / to_u32(unit)));
    b.count_up((first, items), LoopHint::None, &[], |b, index| {
        let more = b.compare(CompareOp::ULt, index, count);
        b.break_unless(more, &[]);
        let place = b.ptr_add(object, index, unit.cast_signed());
        b.store(place, zero, to_u32(unit));
    });
}
