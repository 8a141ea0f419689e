//! `vulkan/hoist_checks` makes the checks of a loop's accesses before the loop.
//!
//! An access is in its range if its offset is not greater than a number (`memory/check_code.rs`), which a loop mostly does not
//! change. An offset that grows with the loop's counter is never greater if its last one is not. The loop is copied: one
//! copy has no such checks, and is executed where no check of the other one can fail. A product of matrices without
//! local memory took 4 times as long with its checks on an NVIDIA H200 before, and its loads could not overlap.
//!
//! A driver that executes both sides of each branch ([`Tuning::LAVAPIPE_FIRST_FINDINGS`]) executes the body of the other loop
//! once. `unroll_loops` leaves that loop as it is; `vulkan/loop_limit` copies the bodies of both.
//!
//! Only innermost loops without operations that work-items must execute together are copied, since work-items may take
//! either copy.

use super::counters::{Counter, counter};
use crate::legalize::{Context, State};
use clforge_basic::tuning::Tuning;
use clforge_ir::analysis::{CallGraph, LoopShape};
use clforge_ir::copy::Copier;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::room::Room;
use clforge_ir::verify::Legalized;
use clforge_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use typed_index_collections::TiVec;

/// The most instructions of a loop that is copied.
const MAX_SIZE: usize = 400;
/// The most instructions that a function grows by.
const MAX_GROWTH: usize = 4000;
/// The most values that a loop carries: where two loops have the results, drivers keep more of them in memory.
const MAX_CARRIED: usize = 32;
/// The most operations between a value and the counter.
const MAX_DEPTH: u32 = 24;
/// The greatest number of iterations, and of bytes that an offset grows by in one, for which nothing overflows.
const MOST: i64 = 1 << 31;

/// The pass.
pub struct HoistChecks;

impl Pass<State> for HoistChecks {
    fn name(&self) -> &'static str {
        "vulkan/hoist_checks"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::Memory), before: &["unroll_loops"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let together = together(module);
        let executes_both = context.options.codegen.tuning.contains(Tuning::LAVAPIPE_FIRST_FINDINGS);
        let mut room = Room::new(module, context.options.codegen.max_instructions);
        let mut changed = Changed::No;
        for function in &mut module.functions {
            room.take(function);
            if !function.is_declaration() {
                let body = function.body;
                let mut hoisting = Hoisting { function, together: &together, growth: MAX_GROWTH, executes_both };
                hoisting.region(body);
                if hoisting.growth < MAX_GROWTH {
                    changed = Changed::Maybe;
                }
            }
            room.put(function);
            room.check(0).map_err(|error| error.at(function.span))?;
        }
        Ok(changed)
    }
}

/// Whether a function has operations that work-items must execute together.
fn together(module: &Module) -> TiVec<FunctionId, bool> {
    let waits = |function: &Function| function.insts.iter().any(|inst| inst.op.is_convergent());
    let ids = module.functions.iter_enumerated().filter(|(_, function)| waits(function)).map(|(id, _)| id);
    CallGraph::of(module).reaching(ids)
}

struct Hoisting<'f> {
    function: &'f mut Function,
    together: &'f TiVec<FunctionId, bool>,
    /// Instructions that may still be added.
    growth: usize,
    /// Whether the driver executes both sides of each branch.
    executes_both: bool,
}

impl Hoisting<'_> {
    /// Recurses as deep as regions nest.
    fn region(&mut self, region: RegionId) {
        let mut out = Vec::new();
        for id in self.function.region(region).insts.clone() {
            let nested = self.function.inst(id).op.regions();
            nested.into_iter().for_each(|nested| self.region(nested));
            if matches!(self.function.inst(id).op, Op::Loop { .. }) {
                self.hoist(id, &mut out);
            }
            out.push(id);
        }
        self.function.region_mut(region).insts = out;
    }

    /// Replaces a loop by a condition with a copy of the loop on either side, if it has checks that can be made before; `out`
    /// gets these.
    fn hoist(&mut self, id: InstId, out: &mut Vec<InstId>) {
        let Some(size) = self.size(id).filter(|size| *size <= MAX_SIZE.min(self.growth)) else { return };
        let Some(shape) = LoopShape::of(self.function, id) else { return };
        let Some((param, counter)) = counter(self.function, &shape) else { return };
        if counter.is_down || shape.inits.len() > MAX_CARRIED {
            return;
        }
        let Some((before, holds, made)) = Before::checks(self.function, &shape, param, &counter, id) else { return };
        self.growth -= size;
        out.extend(before);
        self.version(id, holds, &made);
    }

    /// The instructions of a loop without others in it; `None` where work-items must stay together.
    fn size(&self, id: InstId) -> Option<usize> {
        let mut size = Some(0);
        for region in self.function.inst(id).op.regions() {
            self.function.walk(region, |_, inst| {
                let stays = match &inst.op {
                    Op::Loop { .. } => true,
                    Op::Call { function, .. } => self.together.get(*function) != Some(&false),
                    op => op.is_convergent(),
                };
                size = size.filter(|_| !stays).map(|size| size + 1);
            });
        }
        size
    }

    /// Has a copy of the loop executed where a condition holds, in which some values are true.
    fn version(&mut self, id: InstId, holds: Value, made: &[InstId]) {
        let Inst { results, span, .. } = self.function.inst(id).clone();
        let side = |function: &mut Function, is_rolled: bool| {
            let copy = Copier { from: None, to: function, values: FxHashMap::default() }.inst(id);
            if let Op::Loop { hint, .. } = &mut function.inst_mut(copy).op
                && is_rolled
            {
                *hint = LoopHint::DontUnroll;
            }
            let values: Values = function.inst(copy).results.iter().copied().collect();
            let end = function.new_inst(Op::Yield(values), &[], span);
            let side = function.new_region();
            function.region_mut(side).insts = vec![copy, end];
            side
        };
        let otherwise = side(self.function, self.executes_both);
        let zero = self.function.int(Type::I32, 0);
        for check in made {
            self.function.inst_mut(*check).op = Op::Compare { op: CompareOp::Eq, lhs: zero, rhs: zero };
        }
        let then = side(self.function, false);
        debug_assert_eq!(results, self.function.inst(id).results, "the condition has the loop's results");
        self.function.inst_mut(id).op = Op::If { condition: holds, then, otherwise };
    }
}

/// A value of a loop as it is in the first iteration, and what it grows by when the counter grows by one, a number of 64 bits;
/// nothing if it does not change.
#[derive(Clone, Copy)]
struct Affine {
    first: Value,
    growth: Option<Value>,
}

/// What is computed before a loop.
struct Before<'b, 'f> {
    b: Builder<'f>,
    shape: &'b LoopShape,
    param: Value,
    counter: &'b Counter,
    /// How much the counter may grow, a number of 64 bits.
    trips: Value,
    /// What must hold besides.
    holds: Value,
    known: FxHashMap<Value, Option<Affine>>,
}

impl Before<'_, '_> {
    /// Makes the checks of a loop: the instructions to put before it, the condition under which none fails, and the checks.
    fn checks(
        function: &mut Function,
        shape: &LoopShape,
        param: Value,
        counter: &Counter,
        id: InstId,
    ) -> Option<(Vec<InstId>, Value, Vec<InstId>)> {
        let mut tested = Vec::new();
        function.walk(shape.body, |id, inst| {
            if counter.is_tested(id) {
                tested.push((id, inst.op.clone()));
            }
        });
        let is_check = |op: &Op| matches!(op, Op::Compare { op: CompareOp::ULe, .. });
        if !tested.iter().any(|(_, op)| is_check(op)) {
            return None;
        }
        let span = function.inst(id).span;
        let region = function.new_region();
        let mut b = Builder::at(function, region);
        b.span = span;
        let holds = b.int(Type::BOOL, 1);
        let trips = b.int(Type::I64, 0);
        let mut before = Before { b, shape, param, counter, trips, holds, known: FxHashMap::default() };
        before.count()?;
        let mut made: Vec<InstId> = Vec::new();
        for (id, op) in &tested {
            let is_made = match op {
                Op::Compare { op: CompareOp::ULe, lhs, rhs } => before.check(*lhs, *rhs),
                Op::Binary { op: BinaryOp::And, lhs, rhs } => before.both(&made, *lhs, *rhs),
                _ => None,
            };
            made.extend(is_made.map(|()| *id));
        }
        let holds = before.holds;
        let insts = std::mem::take(&mut function.region_mut(region).insts);
        (!made.is_empty()).then_some((insts, holds, made))
    }

    fn require(&mut self, condition: Value) {
        self.holds = self.b.binary(BinaryOp::And, self.holds, condition);
    }

    /// Requires a number not to be negative, and to be small.
    fn require_small(&mut self, number: Value) {
        let is_small = self.b.compare_int(CompareOp::ULe, number, MOST);
        self.require(is_small);
    }

    /// Computes how much the counter may grow.
    fn count(&mut self) -> Option<()> {
        let is_signed = self.counter.is_signed;
        let limit = self.affine(self.counter.limit, 0)?;
        if limit.growth.is_some() {
            return None;
        }
        let wide = |b: &mut Builder<'_>, value: Value| {
            let ty = b.ty(value);
            let is_number = ty.lanes == 1 && matches!(ty.scalar, ScalarType::I32 | ScalarType::I64);
            is_number.then(|| b.resize(value, ScalarType::I64, is_signed))
        };
        let (first, limit) = (wide(&mut self.b, self.counter.first)?, wide(&mut self.b, limit.first)?);
        let step = self.affine(self.counter.step, 0)?;
        if step.growth.is_some() {
            return None;
        }
        let constant = self.b.function.as_int(step.first);
        let constant = constant.map(|bits| constant::sign_extend(self.b.ty(step.first).scalar, bits));
        match constant {
            Some(step) if !(1..MOST / 2).contains(&step) => return None,
            Some(_) => {}
            None => {
                let step = wide(&mut self.b, step.first)?;
                let beyond_one = self.b.binary_int(BinaryOp::Add, step, -1);
                let is_small = self.b.compare_int(CompareOp::ULt, beyond_one, MOST / 2 - 1);
                self.require(is_small);
            }
        }
        if constant != Some(1) || self.counter.is_inclusive {
            // Else the counter could overflow.
            let at_most = if is_signed { CompareOp::SLe } else { CompareOp::ULe };
            let is_small = self.b.compare_int(at_most, limit, MOST / 2);
            self.require(is_small);
        }
        self.trips = self.b.binary(BinaryOp::Sub, limit, first);
        if !self.counter.is_inclusive {
            self.trips = self.b.binary_int(BinaryOp::Add, self.trips, -1);
        }
        let trips = self.trips;
        self.require_small(trips);
        Some(())
    }

    /// Requires a value not to be greater than another one, which does not change, in any iteration.
    fn check(&mut self, value: Value, most: Value) -> Option<()> {
        if self.b.ty(value) != Type::I64 {
            return None;
        }
        let (value, most) = (self.affine(value, 0)?, self.affine(most, 0)?);
        if most.growth.is_some() {
            return None;
        }
        let begins = self.b.compare(CompareOp::ULe, value.first, most.first);
        self.require(begins);
        if let Some(growth) = value.growth {
            self.require_small(growth);
            let reach = self.b.binary(BinaryOp::Mul, growth, self.trips);
            let room = self.b.binary(BinaryOp::Sub, most.first, value.first);
            let ends = self.b.compare(CompareOp::ULe, reach, room);
            self.require(ends);
        }
        Some(())
    }

    /// Requires both conditions, of which one is a check that is made.
    fn both(&mut self, made: &[InstId], lhs: Value, rhs: Value) -> Option<()> {
        let is_made = |b: &Builder<'_>, value: Value| match b.function.def(value) {
            ValueDef::Inst(id, _) => made.contains(id),
            _ => false,
        };
        let other = match (is_made(&self.b, lhs), is_made(&self.b, rhs)) {
            (true, true) => return Some(()),
            (true, false) => rhs,
            (false, true) => lhs,
            (false, false) => return None,
        };
        let other = self.affine(other, 0)?;
        if other.growth.is_some() {
            return None;
        }
        self.require(other.first);
        Some(())
    }

    /// A value of the loop, if it is affine.
    fn affine(&mut self, value: Value, depth: u32) -> Option<Affine> {
        if value == self.param {
            let growth = self.b.int(Type::I64, 1);
            return Some(Affine { first: self.counter.first, growth: Some(growth) });
        }
        if !self.shape.inside.contains(&value) {
            return Some(Affine { first: value, growth: None });
        }
        if let Some(known) = self.known.get(&value) {
            return *known;
        }
        let found = if depth < MAX_DEPTH { self.operation(value, depth + 1) } else { None };
        self.known.insert(value, found);
        found
    }

    fn operation(&mut self, value: Value, depth: u32) -> Option<Affine> {
        let ValueDef::Inst(id, 0) = *self.b.function.def(value) else { return None };
        let op = self.b.function.inst(id).op.clone();
        if !op.is_pure() || !op.regions().is_empty() {
            return None;
        }
        let mut operands: SmallVec<[Affine; 4]> = SmallVec::new();
        let mut are_known = true;
        op.for_each_operand(|operand| {
            are_known = are_known && self.affine(operand, depth).map(|operand| operands.push(operand)).is_some();
        });
        if !are_known || !self.is_safe(&op) {
            return None;
        }
        let growth = match operands.iter().any(|operand| operand.growth.is_some()) {
            true => Some(self.growth(&op, &operands)?),
            false => None,
        };
        let (mut copied, mut firsts) = (op, operands.iter());
        copied.for_each_operand_mut(|operand| *operand = firsts.next().map_or(*operand, |known| known.first));
        let ty = self.b.ty(value);
        let first = self.b.push(copied, &[ty])[0];
        if let (Some(growth), Some(most)) = (growth, extends(self.b.function, id)) {
            // It is extended without an overflow in any iteration.
            self.require_small(growth);
            let reach = self.b.binary(BinaryOp::Mul, growth, self.trips);
            let last = self.b.binary(BinaryOp::Add, first, reach);
            let fits = self.b.compare_int(CompareOp::SLe, last, most);
            self.require(fits);
        }
        Some(Affine { first, growth })
    }

    /// Whether an operation may be executed where the loop does not execute it.
    fn is_safe(&self, op: &Op) -> bool {
        !matches!(op, Op::Binary { op: BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem, rhs, .. }
            if self.b.function.as_int(*rhs).is_none_or(|by| by == 0))
    }

    /// What the result of an operation grows by, modulo the width of its type.
    fn growth(&mut self, op: &Op, operands: &[Affine]) -> Option<Value> {
        let zero = self.b.int(Type::I64, 0);
        match (op, operands) {
            (Op::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), .. }, [one, other]) => {
                let [one, other] = [one, other].map(|operand| operand.growth.unwrap_or(zero));
                Some(self.b.binary(*op, one, other))
            }
            (
                Op::Binary { op: BinaryOp::Mul, .. },
                [Affine { growth: Some(growth), .. }, Affine { first: factor, growth: None }]
                | [Affine { first: factor, growth: None }, Affine { growth: Some(growth), .. }],
            ) => {
                let factor = self.b.resize(*factor, ScalarType::I64, true);
                Some(self.b.binary(BinaryOp::Mul, *growth, factor))
            }
            (
                Op::Binary { op: BinaryOp::Shl, .. },
                [Affine { growth: Some(growth), .. }, Affine { first: count, growth: None }],
            ) => {
                let count = self.b.function.as_int(*count).and_then(|count| i64::try_from(count).ok())?;
                (count < 32).then(|| self.b.binary_int(BinaryOp::Shl, *growth, count))
            }
            (Op::Convert { op: ConvertOp::Trunc, .. }, [Affine { growth, .. }]) => *growth,
            (Op::Convert { op: ConvertOp::SExt | ConvertOp::ZExt, operand }, [Affine { growth, .. }]) => {
                (self.b.ty(*operand) == Type::I32).then_some(*growth)?
            }
            _ => None,
        }
    }
}

/// The greatest number of the type that an instruction extends to 64 bits.
fn extends(function: &Function, id: InstId) -> Option<i64> {
    match function.inst(id).op {
        Op::Convert { op: ConvertOp::SExt, .. } => Some(i32::MAX.into()),
        Op::Convert { op: ConvertOp::ZExt, .. } => Some(u32::MAX.into()),
        _ => None,
    }
}
