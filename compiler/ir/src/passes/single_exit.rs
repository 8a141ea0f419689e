//! `single_exit` gives each function one `return`, at the end of its body, so that it can be inlined.
//!
//! A `return` inside `if`s becomes a store of the result and a `yield`; the code after the `if` moves into the branch
//! that did not return. A `return` inside a loop or switch becomes a `break` and a flag that is tested after it. The
//! result and the flag are private objects, which `mem2reg` promotes. A function with many returns is wrapped in a loop
//! that runs once instead, because otherwise each `return` would add a level of nesting.
//!
//! ```ir
//! ; pass: single_exit, mem2reg
//! func @f(%0: bool, %1: i32) -> i32 {
//!   if %0 {
//!     return i32 5
//!   } else {
//!     yield
//!   }
//!   %2: i32 = add %1, i32 1
//!   return %2
//! }
//! ; ---
//! func @f(%0: bool, %1: i32) -> i32 {
//!   %2: i8, %3: i32 = if %0 {
//!     yield i8 1, i32 5
//!   } else {
//!     %4: i32 = add %1, i32 1
//!     yield i8 1, %4
//!   }
//!   return %3
//! }
//! ```

use crate::analysis::Substitution;
use crate::pass::{Changed, FunctionContext, FunctionPass, Order};
use crate::*;
use clforge_basic::narrow::to_u32;

/// More returns than this and the body becomes a loop.
const MAX_NESTED_RETURNS: usize = 16;

/// The pass. Kernels, which are never inlined, stay as they are.
pub struct SingleExit;

impl FunctionPass for SingleExit {
    fn name(&self) -> &'static str {
        "single_exit"
    }

    fn order(&self) -> Order {
        Order { before: &["inline"], ..Order::ANY }
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        if function.kernel.is_some() || function.has_single_exit() {
            return Changed::No;
        }
        merge_exits(function);
        Changed::Maybe
    }
}

/// Gives a function one `return`, at the end of its body. The result and a flag are private objects then.
pub fn merge_exits(function: &mut Function) {
    let body = function.body;
    let returns = function.return_count(body);
    let mut pass = ExitMerger::new(function);
    let flow = if returns > MAX_NESTED_RETURNS {
        pass.wrap_in_loop();
        Flow::Falls
    } else {
        let insts = std::mem::take(&mut pass.function.region_mut(body).insts);
        pass.insts(body, insts, &Context::Tail(Vec::new()))
    };
    pass.finish(flow);
}

/// What encloses a region: how a `return` leaves it.
#[derive(Clone)]
enum Context {
    /// Only `if`s up to the body: a return must leave each of them. The types of the values that `yield` passes on.
    Tail(Vec<Type>),
    /// A loop or switch with results of these types: a return breaks out of it.
    Breakable(Vec<Type>),
}

/// What a region's `if` knows of its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// Control continues after the `if`.
    Falls,
    /// The function always returned.
    Exits,
    /// The function may have returned: the flag is to be tested.
    Maybe,
    /// The end is unreachable.
    Dead,
}

struct ExitMerger<'f> {
    function: &'f mut Function,
    flag: Value,
    result: Option<(Value, Type, u32)>,
}

impl<'f> ExitMerger<'f> {
    fn new(function: &'f mut Function) -> ExitMerger<'f> {
        let ty = function.result;
        let mut b = Builder::new(function);
        let result = ty.map(|ty| {
            let size = ty.scalar.bytes() * u64::from(ty.lanes.next_power_of_two());
            (b.alloca(size, size.clamp(1, 128)), ty, size.clamp(1, 128) as u32)
        });
        let flag = b.alloca(1, 1);
        let zero = b.int(Type::I8, 0);
        let store = b.function.new_inst(Op::Store { ptr: flag, value: zero, align: 1, volatile: false }, &[], b.span);
        let body = b.function.body;
        let insts = &b.function.region(body).insts;
        let is_alloca = |id: &&InstId| matches!(b.function.inst(**id).op, Op::Alloca { .. });
        let after = insts.iter().take_while(is_alloca).count();
        function.region_mut(body).insts.insert(after, store);
        ExitMerger { function, flag, result }
    }

    fn push(&mut self, region: RegionId, op: Op) {
        let id = self.function.new_inst(op, &[], Default::default());
        self.function.region_mut(region).insts.push(id);
    }

    fn undefs(&mut self, types: &[Type]) -> Values {
        types.iter().map(|ty| self.function.undef(*ty)).collect()
    }

    /// Leaves a region as the context requires, with undefined results.
    fn exit(&mut self, region: RegionId, context: &Context) {
        let op = match context {
            Context::Tail(types) => Op::Yield(self.undefs(types)),
            Context::Breakable(types) => Op::Break(self.undefs(types)),
        };
        self.push(region, op);
    }

    /// Turns the body into a loop that runs once.
    fn wrap_in_loop(&mut self) {
        let body = self.function.body;
        let insts = std::mem::take(&mut self.function.region_mut(body).insts);
        let is_alloca = |function: &Function, id: &InstId| matches!(function.inst(*id).op, Op::Alloca { .. });
        let (allocas, rest): (Vec<_>, Vec<_>) = insts.into_iter().partition(|id| is_alloca(self.function, id));
        let (inner, continuing) = (self.function.new_region(), self.function.new_region());
        self.function.region_mut(body).insts = allocas;
        self.insts(inner, rest, &Context::Breakable(Vec::new()));
        self.push(continuing, Op::Next(Values::new()));
        let hint = LoopHint::None;
        self.push(body, Op::Loop { inits: Values::new(), body: inner, continuing, hint });
    }

    /// Ends the body with the only return.
    fn finish(mut self, flow: Flow) {
        let body = self.function.body;
        if flow == Flow::Dead {
            return;
        }
        if matches!(self.function.terminator(body), Some(Op::Yield(_))) {
            self.function.region_mut(body).insts.pop();
        }
        let mut b = Builder::at(self.function, body);
        let value = self.result.map(|(ptr, ty, align)| {
            if ty.scalar != ScalarType::Bool {
                return b.load(ty, ptr, align);
            }
            let bits = ty.with_scalar(ScalarType::I8);
            let (value, zero) = (b.load(bits, ptr, align), b.int(bits, 0));
            b.compare(CompareOp::Ne, value, zero)
        });
        self.push(body, Op::Return(value));
    }

    /// Fills a region with instructions, rewriting their returns.
    fn insts(&mut self, region: RegionId, insts: Vec<InstId>, context: &Context) -> Flow {
        let mut insts = insts.into_iter();
        while let Some(id) = insts.next() {
            let op = self.function.inst(id).op.clone();
            match &op {
                Op::Return(value) => {
                    self.store_result(region, *value);
                    self.exit(region, context);
                    return Flow::Exits;
                }
                Op::Unreachable => {
                    self.function.region_mut(region).insts.push(id);
                    return Flow::Dead;
                }
                op if op.is_terminator() => {
                    self.function.region_mut(region).insts.push(id);
                    return Flow::Falls;
                }
                op if op.regions().iter().all(|nested| self.function.return_count(*nested) == 0) => {
                    self.function.region_mut(region).insts.push(id);
                }
                Op::If { then, otherwise, .. } => {
                    let flows = self.branches(id, [*then, *otherwise], context);
                    self.function.region_mut(region).insts.push(id);
                    if matches!(context, Context::Breakable(_)) {
                        continue;
                    }
                    match flows {
                        [Flow::Falls | Flow::Dead, Flow::Falls | Flow::Dead] => {}
                        [Flow::Exits | Flow::Dead, Flow::Exits | Flow::Dead] => {
                            self.exit(region, context);
                            return Flow::Exits;
                        }
                        [Flow::Exits, Flow::Falls] => {
                            return self.move_rest(region, id, [*then, *otherwise], insts.collect(), context);
                        }
                        [Flow::Falls, Flow::Exits] => {
                            return self.move_rest(region, id, [*otherwise, *then], insts.collect(), context);
                        }
                        _ => return self.guard(region, insts.collect(), context),
                    }
                }
                op => {
                    let types = self.result_types(id);
                    for nested in op.regions() {
                        let inner = std::mem::take(&mut self.function.region_mut(nested).insts);
                        self.insts(nested, inner, &Context::Breakable(types.clone()));
                    }
                    self.function.region_mut(region).insts.push(id);
                    return self.guard(region, insts.collect(), context);
                }
            }
        }
        Flow::Falls
    }

    fn result_types(&self, id: InstId) -> Vec<Type> {
        self.function.inst(id).results.iter().map(|result| self.function.ty(*result)).collect()
    }

    fn branches(&mut self, id: InstId, regions: [RegionId; 2], context: &Context) -> [Flow; 2] {
        let types = self.result_types(id);
        let context = match context {
            Context::Tail(_) => Context::Tail(types),
            breakable => breakable.clone(),
        };
        regions.map(|nested| {
            let inner = std::mem::take(&mut self.function.region_mut(nested).insts);
            self.insts(nested, inner, &context)
        })
    }

    fn store_result(&mut self, region: RegionId, value: Option<Value>) {
        if let (Some((ptr, ty, align)), Some(value)) = (self.result, value) {
            // Memory has no `bool`.
            let value = match ty.scalar {
                ScalarType::Bool => {
                    Builder::at(self.function, region).convert(ConvertOp::ZExt, value, ty.with_scalar(ScalarType::I8))
                }
                _ => value,
            };
            self.push(region, Op::Store { ptr, value, align, volatile: false });
        }
        let value = self.function.int(Type::I8, 1);
        self.push(region, Op::Store { ptr: self.flag, value, align: 1, volatile: false });
    }

    /// One branch of the `if` always returned: the rest of the region moves into the other.
    fn move_rest(
        &mut self,
        region: RegionId,
        id: InstId,
        [exits, falls]: [RegionId; 2],
        rest: Vec<InstId>,
        context: &Context,
    ) -> Flow {
        let Context::Tail(types) = context.clone() else { return Flow::Falls };
        let handed = match self.function.terminator(falls) {
            Some(Op::Yield(values)) => values.clone(),
            _ => Values::new(),
        };
        self.function.region_mut(falls).insts.pop();
        let results = std::mem::take(&mut self.function.inst_mut(id).results);
        let mut replaced = Substitution::default();
        replaced.extend(results, handed);
        replaced.apply_nested(self.function, &rest);
        for (index, ty) in types.iter().enumerate() {
            let result = self.function.new_value(*ty, ValueDef::Inst(id, to_u32(index)));
            self.function.inst_mut(id).results.push(result);
        }
        self.function.region_mut(exits).insts.pop();
        self.exit(exits, context);
        let flow = self.insts(falls, rest, context);
        let results = self.function.inst(id).results.iter().copied().collect();
        self.push(region, Op::Yield(results));
        match flow {
            Flow::Exits | Flow::Dead => Flow::Exits,
            _ => Flow::Maybe,
        }
    }

    /// Runs the rest of the region only if the flag says that nothing has returned.
    fn guard(&mut self, region: RegionId, rest: Vec<InstId>, context: &Context) -> Flow {
        let mut b = Builder::at(self.function, region);
        let flag = b.load(Type::I8, self.flag, 1);
        let zero = b.int(Type::I8, 0);
        let condition = b.compare(CompareOp::Ne, flag, zero);
        let (then, otherwise) = (self.function.new_region(), self.function.new_region());
        if let Context::Breakable(_) = context {
            self.exit(then, context);
            self.push(otherwise, Op::Yield(Values::new()));
            self.push(region, Op::If { condition, then, otherwise });
            return self.insts(region, rest, context);
        }
        let Context::Tail(types) = context else { return Flow::Falls };
        self.exit(then, context);
        let flow = self.insts(otherwise, rest, context);
        let id = self.function.new_inst(Op::If { condition, then, otherwise }, types, Default::default());
        self.function.region_mut(region).insts.push(id);
        let results = self.function.inst(id).results.iter().copied().collect();
        self.push(region, Op::Yield(results));
        match flow {
            Flow::Exits | Flow::Dead => Flow::Exits,
            _ => Flow::Maybe,
        }
    }
}
