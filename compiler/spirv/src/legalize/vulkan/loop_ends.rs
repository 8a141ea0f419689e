//! `vulkan/loop_ends`: lets kernels detect that a driver has ended a loop whose condition still held, for drivers that
//! end loops after a number of iterations
//! ([`CodegenOptions::unroll_factor`](clforge_basic::options::CodegenOptions::unroll_factor)). lavapipe before 25 does
//! so silently.
//!
//! ```text
//! cell = 0; loop { … cell = 1; break … }; if (cell == 0) status = 1
//! ```
//!
//! The cell is an element of a private array at an index that the driver does not know. From a variable or a value of
//! the loop the driver would conclude that the loop is only left through its exits, where the cell is 1. The host reads
//! the status, whose address is a push constant. If a loop without exits is followed by any code that is executed, the
//! driver has ended it.

use super::words::load_bytes;
use crate::address_format::{Address, AddressFormat};
use crate::legalize::{Context, State};
use clforge_ir::analysis::CallGraph;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::room::Room;
use clforge_ir::*;

/// Values of the index that the driver does not know: the two lowest bits of the address, which are 0.
const UNKNOWN: i64 = 3;

/// The pass. It changes the functions of kernels whose iterations are not known to be few
/// ([`KernelInterface::most_iterations`](crate::interface::KernelInterface::most_iterations)) and whose launches do not know it; nothing
/// may simplify loops after it.
pub struct LoopEnds;

impl Pass<State> for LoopEnds {
    fn name(&self) -> &'static str {
        "vulkan/loop_ends"
    }

    fn order(&self) -> Order {
        Order { after: &["vulkan/loop_limit"], undone_by: &["unroll_loops"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let interface = &context.state.interface;
        let Some(offset) = interface.loop_status else { return Ok(Changed::No) };
        let push = module.variables.position(|variable| variable.storage == Storage::PushConstant);
        let push_constants = push.or_internal("no push constants")?;
        let may_reach = |name: &str| {
            let limit = |most: u32| most > super::loop_iterations::LIMIT;
            let mut kernels = interface.kernels.iter().filter(|kernel| kernel.name == name);
            kernels.any(|kernel| kernel.iteration_bound.is_none() && kernel.most_iterations.is_none_or(limit))
        };
        let kernels = module.functions.iter_enumerated().filter(|(_, function)| function.kernel.is_some());
        let kernels = kernels.filter(|(_, function)| may_reach(&function.name)).map(|(id, _)| id);
        let reached = CallGraph::of(module).reached_from(kernels.collect::<Vec<_>>());
        let addresses = AddressFormat::of(context.options);
        let mut room = Room::new(module, context.options.codegen.max_instructions);
        let (mut changed, variables) = (Changed::No, &mut module.variables);
        let watched = module.functions.iter_mut().zip(reached);
        for (function, _) in watched.filter(|(function, reached)| *reached && function.has_loops()) {
            let cells = variables.push_and_get_key(Variable {
                name: "loop_ends".into(),
                storage: Storage::Function,
                element: Type::I32,
                size: VariableSize::default(),
                zero_initialized: false,
            });
            room.take(function);
            let count = watch(function, addresses, push_constants, offset, cells);
            room.put(function);
            room.check(0)?;
            variables[cells].size.fixed = (i64::from(count) + UNKNOWN).unsigned_abs() * 4;
            changed = Changed::Maybe;
        }
        if changed == Changed::No {
            context.state.interface.loop_status = None;
        }
        Ok(changed)
    }
}

/// Adds a cell and its test to each loop of a function; their number.
fn watch(
    function: &mut Function,
    addresses: AddressFormat,
    push_constants: VariableId,
    offset: u32,
    cells: VariableId,
) -> u32 {
    let body = function.body;
    let mut rest = std::mem::take(&mut function.region_mut(body).insts);
    let mut b = Builder::at(function, body);
    let status = load_bytes(&mut b, push_constants, offset, addresses.stored_type());
    let status = Address::new(status);
    let low = status.pointer(&mut b);
    let low = b.resize(low, ScalarType::I32, false);
    let base = b.binary_int(BinaryOp::And, low, UNKNOWN);
    let first = function.region(body).insts.len();
    function.region_mut(body).insts.append(&mut rest);
    let mut watcher = Watcher { function, cells, status, base, count: 0 };
    watcher.region(body, first);
    watcher.count
}

struct Watcher<'f> {
    function: &'f mut Function,
    /// The array of cells.
    cells: VariableId,
    /// The address of the status.
    status: Address,
    /// The index of the first cell.
    base: Value,
    count: u32,
}

impl Watcher<'_> {
    /// Watches the loops of a region from an instruction on.
    fn region(&mut self, region: RegionId, first: usize) {
        let insts = self.function.region_mut(region).insts.split_off(first);
        for id in insts {
            let (nested, is_loop) = {
                let op = &self.function.inst(id).op;
                (op.regions(), matches!(op, Op::Loop { .. }))
            };
            nested.iter().for_each(|nested| self.region(*nested, 0));
            if !is_loop {
                self.function.region_mut(region).insts.push(id);
                continue;
            }
            let cell = self.count;
            self.count += 1;
            let index = Builder::at(self.function, region).binary_int(BinaryOp::Add, self.base, cell.into());
            let mut has_exits = false;
            for nested in nested {
                has_exits |= self.mark_exits(nested, index);
            }
            let mut b = Builder::at(self.function, region);
            if !has_exits {
                report(&mut b, self.status);
                self.function.region_mut(region).insts.push(id);
                continue;
            }
            let zero = b.int(Type::I32, 0);
            b.effect(Op::VariableStore { variable: self.cells, index: Some(index), value: zero });
            self.function.region_mut(region).insts.push(id);
            let mut b = Builder::at(self.function, region);
            let cell = b.push(Op::VariableLoad { variable: self.cells, index: Some(index) }, &[Type::I32])[0];
            let condition = b.compare(CompareOp::Eq, cell, zero);
            let status = self.status;
            let then = b.nested(|b| {
                report(b, status);
                b.effect(Op::Yield(Values::new()));
            });
            let otherwise = b.nested(|b| b.effect(Op::Yield(Values::new())));
            b.effect(Op::If { condition, then, otherwise });
        }
    }

    /// Stores 1 in the cell of a loop at its exits in a region; whether there are any.
    fn mark_exits(&mut self, region: RegionId, index: Value) -> bool {
        let mut found = false;
        for id in self.function.region(region).insts.clone() {
            let regions = match &self.function.inst(id).op {
                // Their exits are their own.
                Op::Loop { .. } | Op::Switch { .. } => continue,
                op => op.regions(),
            };
            for nested in regions {
                found |= self.mark_exits(nested, index);
            }
        }
        let condition = match self.function.terminator(region) {
            Some(Op::Break(_)) => None,
            Some(Op::NextIf { condition, .. }) => Some(*condition),
            _ => return found,
        };
        let Some(terminator) = self.function.region_mut(region).insts.pop() else { return found };
        let mut b = Builder::at(self.function, region);
        let one = b.int(Type::I32, 1);
        let value = match condition {
            None => one,
            Some(condition) => {
                let zero = b.int(Type::I32, 0);
                b.select(condition, zero, one)
            }
        };
        b.effect(Op::VariableStore { variable: self.cells, index: Some(index), value });
        self.function.region_mut(region).insts.push(terminator);
        true
    }
}

/// Says that a loop has ended.
fn report(b: &mut Builder<'_>, status: Address) {
    let value = b.int(Type::I32, 1);
    status.store(b, value, 4, false);
}
