//! `vulkan/loop_limit`: loop unrolling by a factor, with an exit test in each copy, for drivers that limit the number
//! of iterations ([`CodegenOptions::unroll_factor`](clforge_basic::options::CodegenOptions::unroll_factor)).
//!
//! lavapipe before 25 leaves every loop once the work-items of a vector have made 65,535 iterations in all, silently.
//! With an unroll factor of 16 the limit is a million. The driver's compile time is quadratic in the memory accesses,
//! so large bodies are unrolled by a smaller factor. The purpose is not speed, so a hint not to unroll is ignored, which LLVM
//! gives every loop at `-O1`, except where the loop is known to have few iterations in all: so are those that record what
//! sanitizers have found, whose bodies the driver executes where nothing was found, too.
//!
//! The driver executes all copies of a body, whether or not any work-item makes so many iterations. So kernels that cannot
//! reach the limit are left unchanged, and with
//! [`CodegenOptions::few_iterations`](clforge_basic::options::CodegenOptions::few_iterations) those of which a launch knows whether
//! it can (darktable's `denoiseprofile_horiz`, three loops of 1 to 5 iterations, on llvmpipe of Mesa 22.3.6: 32 ms of processor
//! time a launch and 335 ms in the driver's compiler, and 10 and 74 unchanged).
//!
//! A loop is left unchanged if its body has a `continue` and the rest of the body cannot be moved into an `if`.

use super::iteration_bounds;
use super::loop_iterations::LIMIT;
use crate::interface::iterations::LaunchFacts;
use crate::legalize::{Context, State};
use clforge_ir::analysis::{CallGraph, FunctionEffects};
use clforge_ir::continues::{continue_at_end, continues};
use clforge_ir::copy::Copier;
use clforge_ir::pass::{Changed, FunctionContext, Order, Pass};
use clforge_ir::passes::most_trips;
use clforge_ir::verify::Legalized;
use clforge_ir::*;
use rustc_hash::FxHashMap;
use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// The most instructions of a loop's body after unrolling.
const MAX_SIZE: usize = 800;
/// The most memory accesses of a loop's body after unrolling.
const MAX_ACCESSES: usize = 64;
/// The most memory accesses of all loops of a function after unrolling, if each body had all copies: a random program of 1,300 lines
/// took llvmpipe 47 s with 4096, 20 s with 1024 and 6 s without copies.
const MAX_ALL_ACCESSES: usize = 1024;
/// The most iterations in all of the loops that are left as they are because a hint says so.
const MAX_KEPT: u64 = 4096;
/// The most `continue`s of a loop that is unrolled: each but the last nests what follows it one level deeper.
const MAX_CONTINUES: usize = 16;

/// The pass: unrolls by [`CodegenOptions::unroll_factor`](clforge_basic::options::CodegenOptions::unroll_factor) at
/// most.
pub struct LoopLimit;

impl Pass<State> for LoopLimit {
    fn name(&self) -> &'static str {
        "vulkan/loop_limit"
    }

    fn order(&self) -> Order {
        Order {
            requires: Some(Legalized::Memory),
            before: &["vulkan/loop_iterations", "vulkan/loop_ends"],
            ..Order::ANY
        }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let (copies, limit) =
            (context.options.codegen.unroll_factor as usize, context.options.codegen.max_instructions);
        let mut costs: TiVec<FunctionId, Cost> = ti_vec![Cost::default(); module.functions.len()];
        let calls = CallGraph::of(module);
        let repeated = calls.reached_from(called_in_loops(module));
        let effects = FunctionEffects::of(module);
        let unchanged = unchanged(module, &calls, context);
        let Module { functions, variables, globals, .. } = module;
        let known = FunctionContext { options: context.options, variables, globals, effects };
        let mut kept = MAX_KEPT;
        for id in calls.callees_first() {
            let function = &mut functions[id];
            if function.is_declaration() {
                continue;
            }
            let body = function.body;
            let mut unroller = Unroller { function, copies, limit, costs: &costs, known: &known, kept: &mut kept };
            let all = unroller.loops(body);
            unroller.copies = copies.min(MAX_ALL_ACCESSES / all.accesses.max(1));
            if !unchanged[id] {
                unroller.region(body, (!repeated[id]).then_some(1));
            }
            let mut cost = Cost::default();
            unroller.add_cost(body, &mut cost);
            costs[id] = cost;
        }
        Ok(Changed::Maybe)
    }
}

/// The functions that are executed for nothing but kernels which cannot reach the limit, or whose launches know whether they can:
/// notes the bounds of those.
fn unchanged(module: &Module, calls: &CallGraph, context: &mut Context<'_>) -> TiVec<FunctionId, bool> {
    let may_depend =
        context.options.codegen.few_iterations && !context.state.interface.kernels.iter().any(|k| k.enqueues);
    let (mut few, mut many) = (Vec::new(), Vec::new());
    for (id, function) in module.functions.iter_enumerated().filter(|(_, function)| function.kernel.is_some()) {
        let interface = &mut context.state.interface;
        let bound = iteration_bounds::of(module, interface, function);
        let most = bound.as_ref().map(|bound| bound.most(&LaunchFacts::NONE));
        let kernel = interface.kernels.iter_mut().find(|kernel| *kernel.name == *function.name);
        if most.is_some_and(|most| most <= u64::from(LIMIT)) {
            few.push(id);
            if let Some(kernel) = kernel {
                kernel.most_iterations = most.and_then(|most| u32::try_from(most).ok());
            }
        } else if let Some(kernel) = kernel
            && let Some(bound) = bound.filter(|_| may_depend)
        {
            few.push(id);
            kernel.iteration_bound = Some(bound);
        } else {
            many.push(id);
        }
    }
    let (few, many) = (calls.reached_from(few), calls.reached_from(many));
    few.iter().zip(&many).map(|(few, many)| *few && !*many).collect()
}

/// The functions that loops call.
fn called_in_loops(module: &Module) -> Vec<FunctionId> {
    let mut called = Vec::new();
    for function in &module.functions {
        function.walk_body(|_, inst| {
            if let Op::Loop { body, continuing, .. } = inst.op {
                for region in [body, continuing] {
                    function.walk(region, |_, inst| {
                        if let Op::Call { function, .. } = inst.op {
                            called.push(function);
                        }
                    });
                }
            }
        });
    }
    called
}

/// The cost of a region.
#[derive(Clone, Copy, Default)]
struct Cost {
    size: usize,
    accesses: usize,
}

struct Unroller<'f> {
    function: &'f mut Function,
    copies: usize,
    /// Instructions from which on the program is too large, and growing further takes memory alone.
    limit: usize,
    /// Of functions that are done. The driver inlines all calls.
    costs: &'f TiSlice<FunctionId, Cost>,
    known: &'f FunctionContext<'f>,
    /// How many iterations loops that are left as they are may still have.
    kept: &'f mut u64,
}

impl Unroller<'_> {
    /// The cost of all loops of a region.
    fn loops(&self, region: RegionId) -> Cost {
        let mut cost = Cost::default();
        for id in &self.function.region(region).insts {
            let op = &self.function.inst(*id).op;
            for nested in op.regions() {
                if matches!(op, Op::Loop { .. }) {
                    self.add_cost(nested, &mut cost);
                } else {
                    let nested = self.loops(nested);
                    cost.size = cost.size.saturating_add(nested.size);
                    cost.accesses = cost.accesses.saturating_add(nested.accesses);
                }
            }
        }
        cost
    }

    /// Unrolls the loops of a region, inner ones first. How often the region is executed at most is given if no loop around it is
    /// unrolled.
    fn region(&mut self, region: RegionId, times: Option<u64>) {
        for id in self.function.region(region).insts.clone() {
            let op = self.function.inst(id).op.clone();
            let is_loop = matches!(op, Op::Loop { .. });
            let inside = if is_loop { times.and_then(|times| self.keep(id, times)) } else { times };
            for nested in op.regions() {
                self.region(nested, inside);
            }
            if let Op::Loop { inits, body, continuing, hint } = op
                && inside.is_none()
            {
                self.unroll(id, (inits, body, continuing), hint);
            }
        }
    }

    /// The iterations in all of a loop that is executed so often, if it can be left as it is.
    fn keep(&mut self, id: InstId, times: u64) -> Option<u64> {
        let Op::Loop { hint: LoopHint::DontUnroll, .. } = self.function.inst(id).op else { return None };
        let all = most_trips(self.function, self.known, id)?.checked_mul(times)?;
        *self.kept = self.kept.checked_sub(all)?;
        Some(all)
    }

    fn unroll(&mut self, id: InstId, (inits, body, continuing): (Values, RegionId, RegionId), hint: LoopHint) {
        let mut cost = Cost::default();
        self.add_cost(body, &mut cost);
        self.add_cost(continuing, &mut cost);
        let most = (MAX_SIZE / cost.size.max(1)).min(MAX_ACCESSES / cost.accesses.max(1)).min(self.copies);
        if most < 2 || self.function.insts.len() > self.limit {
            return;
        }
        if continues(self.function, body) > MAX_CONTINUES {
            return;
        }
        continue_at_end(self.function, body);
        let at_end = matches!(self.function.terminator(body), Some(Op::Continue(_)));
        if !at_end || continues(self.function, body) != 1 {
            return;
        }
        let params = self.function.region(body).params.clone();
        let unrolled = self.function.new_region();
        let mut values = Values::new();
        for param in &params {
            values.push(self.function.add_region_param(unrolled, self.function.ty(*param)));
        }
        for copy in 1..=most {
            let mut map: FxHashMap<Value, Value> = params.iter().copied().zip(values).collect();
            values = self.copy_list(body, unrolled, &mut map);
            if copy < most {
                map.extend(self.function.region(continuing).params.iter().copied().zip(values));
                values = self.copy_list(continuing, unrolled, &mut map);
            } else {
                self.push(unrolled, Op::Continue(values));
                break;
            }
        }
        self.function.inst_mut(id).op = Op::Loop { inits, body: unrolled, continuing, hint };
    }

    /// The cost of a region with those nested in it.
    fn add_cost(&self, region: RegionId, cost: &mut Cost) {
        self.function.walk(region, |_, inst| {
            cost.size = cost.size.saturating_add(1);
            let lanes = |value: Value| usize::from(self.function.ty(value).lanes);
            let accesses = match &inst.op {
                Op::Load { .. } | Op::VariableLoad { .. } => inst.results.first().map_or(1, |value| lanes(*value)),
                Op::Store { value, .. } | Op::VariableStore { value, .. } => lanes(*value),
                Op::Atomic { .. } | Op::VariableAtomic { .. } | Op::Image { .. } => 4,
                Op::Call { function, .. } => {
                    let callee = self.costs.get(*function).copied().unwrap_or_default();
                    cost.size = cost.size.saturating_add(callee.size);
                    callee.accesses.saturating_add(8)
                }
                Op::Barrier { .. } | Op::Group { .. } => 8,
                _ => 0,
            };
            cost.accesses = cost.accesses.saturating_add(accesses);
        });
    }

    fn push(&mut self, region: RegionId, op: Op) {
        let id = self.function.new_inst(op, &[], Default::default());
        self.function.region_mut(region).insts.push(id);
    }

    /// Copies a region's instructions to the end of another, with the values given for its parameters; the values its
    /// terminator passes on. The copy of a conditional `next` leaves the loop.
    fn copy_list(&mut self, from: RegionId, to: RegionId, values: &mut FxHashMap<Value, Value>) -> Values {
        let (mut insts, end) = (self.function.region(from).insts.clone(), self.function.terminator(from).cloned());
        insts.truncate(insts.len().saturating_sub(1));
        let mut copier = Copier { from: None, to: self.function, values: std::mem::take(values) };
        for id in insts {
            let copy = copier.inst(id);
            copier.to.region_mut(to).insts.push(copy);
        }
        let mut end = end.unwrap_or(Op::Unreachable);
        end.for_each_operand_mut(|value| *value = copier.value(*value));
        *values = copier.values;
        match end {
            Op::Continue(values) | Op::Next(values) => values,
            Op::NextIf { condition, next, results } => {
                let (then, otherwise) = (self.function.new_region(), self.function.new_region());
                self.push(then, Op::Yield(Values::new()));
                self.push(otherwise, Op::Break(results));
                self.push(to, Op::If { condition, then, otherwise });
                next
            }
            _ => Values::new(),
        }
    }
}
