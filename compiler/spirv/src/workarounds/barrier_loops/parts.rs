//! Loops that all work-items of a group leave together, and the cut of their bodies at loops inside of them.
//!
//! A region is executed in parts. A *part* is a longest sequence of instructions without a loop with barriers in it; it is
//! put into an `if` whose condition is the *predicate* of the region: whether this work-item executes the region. What is
//! between two parts, a loop with barriers or a condition or `switch` around one, is executed by all work-items: its
//! regions have predicates of their own. A `break` or `continue` clears the predicates of the regions that it leaves.
//!
//! Predicates, and values that one part has from another, are private objects, which the pass promotes afterwards.

use super::has_barrier;
use clforge_basic::narrow::to_u32;
use clforge_ir::analysis::Substitution;
use clforge_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};
use typed_index_collections::TiSlice;

/// Transforms loops of a function, outer ones before inner ones. A loop is left as it is if parts of its body exchange
/// handles, which cannot be in memory.
pub fn leave_together(function: &mut Function, loops: &[InstId], barriers: &TiSlice<FunctionId, bool>) {
    let mut cutter = Cutter {
        function,
        barriers,
        exchanged: FxHashSet::default(),
        slots: FxHashMap::default(),
        done: FxHashSet::default(),
        predicates: Vec::new(),
        breaks: Target::default(),
        continues: Target::default(),
        ends: Target::default(),
    };
    for id in loops {
        if !cutter.done.contains(id) && cutter.has_only_values(*id) {
            cutter.outermost(*id);
        }
    }
}

/// A private object of one value.
#[derive(Clone, Copy)]
struct Slot {
    ptr: Value,
    ty: Type,
}

impl Slot {
    /// The type in memory, where there is no `bool`, and its alignment.
    fn stored(ty: Type) -> (Type, u64) {
        let ty = if ty.scalar == ScalarType::Bool { ty.with_scalar(ScalarType::I8) } else { ty };
        (ty, (ty.scalar.bytes() * u64::from(ty.lanes.next_power_of_two())).clamp(1, 128))
    }
}

/// Where a terminator of a region leads.
#[derive(Clone, Default)]
struct Target {
    /// What takes its values.
    values: Vec<Slot>,
    /// What it sets: that the loop is left, or the predicate of the next case of a `switch`.
    sets: Option<Slot>,
    /// The predicates of regions that it does not leave.
    kept: usize,
}

/// Notes the operands of an operation that another part defines.
fn note_uses(op: &Op, part: usize, defined: &FxHashMap<Value, usize>, exchanged: &mut FxHashSet<Value>) {
    op.for_each_operand(|value| {
        if defined.get(&value).is_some_and(|of| *of != part) {
            exchanged.insert(value);
        }
    });
}

struct Cutter<'a> {
    function: &'a mut Function,
    barriers: &'a TiSlice<FunctionId, bool>,
    /// The values that one part has from another.
    exchanged: FxHashSet<Value>,
    /// The objects of these values.
    slots: FxHashMap<Value, Slot>,
    /// The loops that are transformed.
    done: FxHashSet<InstId>,
    /// The predicates of the open regions of the innermost loop.
    predicates: Vec<Slot>,
    breaks: Target,
    continues: Target,
    /// Of `yield`, `next` and `fallthrough`.
    ends: Target,
}

impl Cutter<'_> {
    /// Finds the values that the parts of a loop exchange. Whether each of them can be in memory.
    fn has_only_values(&mut self, id: InstId) -> bool {
        let mut defined = FxHashMap::default();
        let mut part = 0;
        let mut exchanged = FxHashSet::default();
        self.exchanges(id, &mut part, &mut defined, &mut exchanged);
        let mut types = exchanged.iter().map(|value| self.function.ty(*value));
        let are_values = types.all(|ty| !matches!(ty.scalar, ScalarType::Opaque(_)));
        self.exchanged.extend(exchanged);
        are_values
    }

    /// `defined`: the part in which each value is defined. All parameters and results of what is cut are exchanged.
    fn exchanges(
        &self,
        cut: InstId,
        part: &mut usize,
        defined: &mut FxHashMap<Value, usize>,
        exchanged: &mut FxHashSet<Value>,
    ) {
        let inst = self.function.inst(cut);
        *part += 1;
        note_uses(&inst.op, *part, defined, exchanged);
        exchanged.extend(inst.results.iter().copied());
        for region in inst.op.regions() {
            let region = self.function.region(region);
            exchanged.extend(region.params.iter().copied());
            for id in &region.insts {
                if self.is_cut(*id) {
                    self.exchanges(*id, part, defined, exchanged);
                    *part += 1;
                    continue;
                }
                let inst = self.function.inst(*id);
                note_uses(&inst.op, *part, defined, exchanged);
                for nested in inst.op.regions() {
                    self.function.walk(nested, |_, inst| note_uses(&inst.op, *part, defined, exchanged));
                }
                defined.extend(inst.results.iter().map(|result| (*result, *part)));
            }
            *part += 1;
        }
    }

    /// Whether an instruction of a transformed loop is or has a loop with barriers.
    fn is_cut(&self, id: InstId) -> bool {
        let is_barrier_loop =
            |id, inst: &Inst| matches!(inst.op, Op::Loop { .. }) && has_barrier(self.function, id, self.barriers);
        let inst = self.function.inst(id);
        let mut any = is_barrier_loop(id, inst);
        for region in inst.op.regions() {
            self.function.walk(region, |id, inst| any |= is_barrier_loop(id, inst));
        }
        any
    }

    /// Transforms a loop that is in no transformed one.
    fn outermost(&mut self, id: InstId) {
        let mut regions = self.function.regions.iter_enumerated();
        let found = regions.find_map(|(region, data)| Some((region, data.insts.iter().position(|inst| *inst == id)?)));
        let Some((region, at)) = found else { return };
        let rest = self.function.region_mut(region).insts.split_off(at);
        self.whole_loop(region, id);
        let results = self.function.inst(id).results.clone();
        let mut replaced = Substitution::default();
        for result in results {
            let value = self.read(region, result);
            replaced.insert(result, value);
        }
        let rest = &rest[1..];
        self.function.region_mut(region).insts.extend(rest);
        replaced.apply_nested(self.function, rest);
    }

    /// Appends a loop to a region. The work-items of the innermost predicate enter it.
    fn whole_loop(&mut self, region: RegionId, id: InstId) {
        let Op::Loop { inits, body, continuing, .. } = self.function.inst(id).op.clone() else { return };
        self.done.insert(id);
        let [left, inside] = [Type::BOOL; 2].map(|ty| self.slot(ty));
        let has_left = match self.predicates.last().copied() {
            Some(predicate) => {
                let enters = self.load(region, predicate);
                self.at(region).unary(UnaryOp::Not, enters)
            }
            None => self.function.int(Type::BOOL, 0),
        };
        self.store(region, left, has_left);
        let params = |function: &Function, region: RegionId| function.region(region).params.clone();
        let carried = self.slots_of(&params(self.function, body));
        let continued = self.slots_of(&params(self.function, continuing));
        let results = self.slots_of(&self.function.inst(id).results.clone());
        let inits: Vec<_> = inits.iter().map(|value| self.read(region, *value)).collect();
        self.store_all(region, &carried, &inits);

        let iteration = self.function.new_region();
        let outer = (
            std::mem::replace(&mut self.predicates, vec![inside]),
            std::mem::replace(&mut self.breaks, Target { values: results, sets: Some(left), kept: 0 }),
            std::mem::replace(&mut self.continues, Target { values: continued, sets: None, kept: 0 }),
            std::mem::replace(&mut self.ends, Target { values: carried, sets: None, kept: 1 }),
        );
        for nested in [body, continuing] {
            let is_left = self.load(iteration, left);
            let is_inside = self.at(iteration).unary(UnaryOp::Not, is_left);
            self.store(iteration, inside, is_inside);
            self.region(iteration, nested);
        }
        (self.predicates, self.breaks, self.continues, self.ends) = outer;
        self.end_together(iteration, left);
        let continuing = self.function.new_region();
        self.at(continuing).effect(Op::Next(Values::new()));
        let hint = LoopHint::DontUnroll;
        self.at(region).effect(Op::Loop { inits: Values::new(), body: iteration, continuing, hint });
    }

    /// Ends an iteration: no work-item breaks until all have left.
    fn end_together(&mut self, iteration: RegionId, left: Slot) {
        let is_left = self.load(iteration, left);
        let mut b = self.at(iteration);
        let is_inside = b.unary(UnaryOp::Not, is_left);
        let op = GroupOp::Any { predicate: is_inside };
        let any = b.push(Op::Group { op, scope: Scope::WorkGroup, uniform: true }, &[Type::BOOL])[0];
        let then = b.nested(|b| b.effect(Op::Yield(Values::new())));
        let otherwise = b.nested(|b| b.effect(Op::Break(Values::new())));
        b.effect(Op::If { condition: any, then, otherwise });
        b.effect(Op::Continue(Values::new()));
    }

    /// Appends what is in one region, which has the innermost predicate, to another.
    fn region(&mut self, to: RegionId, from: RegionId) {
        let mut part = Vec::new();
        for id in std::mem::take(&mut self.function.region_mut(from).insts) {
            if !self.is_cut(id) {
                part.push(id);
                continue;
            }
            self.part(to, std::mem::take(&mut part));
            match self.function.inst(id).op.clone() {
                Op::If { condition, then, otherwise } => self.branches(to, id, condition, [then, otherwise]),
                Op::Switch { selector, inputs, cases } => self.cases(to, id, (selector, &inputs), &cases),
                _ => self.whole_loop(to, id),
            }
        }
        self.part(to, part);
    }

    fn branches(&mut self, to: RegionId, id: InstId, condition: Value, branches: [RegionId; 2]) {
        let condition = self.read(to, condition);
        let Some(predicate) = self.predicates.last().copied() else { return };
        let results = self.slots_of(&self.function.inst(id).results.clone());
        let here = self.load(to, predicate);
        let mut b = self.at(to);
        let is_false = b.unary(UnaryOp::Not, condition);
        let taken = [condition, is_false].map(|taken| b.binary(BinaryOp::And, here, taken));
        let predicates = taken.map(|taken| (self.slot(Type::BOOL), taken));
        predicates.iter().for_each(|(slot, taken)| self.store(to, *slot, *taken));
        let kept = self.predicates.len() + 1;
        let outer = std::mem::replace(&mut self.ends, Target { values: results, sets: None, kept });
        for (region, (predicate, _)) in branches.into_iter().zip(predicates) {
            self.predicates.push(predicate);
            self.region(to, region);
            self.predicates.pop();
        }
        self.ends = outer;
    }

    fn cases(&mut self, to: RegionId, id: InstId, (selector, inputs): (Value, &[Value]), cases: &[Case]) {
        let results = self.slots_of(&self.function.inst(id).results.clone());
        let predicates = self.case_predicates(to, selector, cases);
        let inputs: Vec<_> = inputs.iter().map(|value| self.read(to, *value)).collect();
        let params: Vec<_> =
            cases.iter().map(|case| self.slots_of(&self.function.region(case.region).params.clone())).collect();
        params.iter().for_each(|params| self.store_all(to, params, &inputs));
        let breaks = Target { values: results, sets: None, kept: self.predicates.len() };
        let outer = (std::mem::replace(&mut self.breaks, breaks), self.ends.clone());
        for (at, case) in cases.iter().enumerate() {
            // What falls through is in the next case.
            let values = params.get(at + 1).cloned().unwrap_or_default();
            let sets = predicates.get(at + 1).copied();
            self.ends = Target { values, sets, kept: self.predicates.len() + 1 };
            self.predicates.push(predicates[at]);
            self.region(to, case.region);
            self.predicates.pop();
        }
        (self.breaks, self.ends) = outer;
    }

    /// The predicates of the cases of a `switch`, as they are at its head.
    fn case_predicates(&mut self, to: RegionId, selector: Value, cases: &[Case]) -> Vec<Slot> {
        let selector = self.read(to, selector);
        let ty = self.function.ty(selector);
        let here = match self.predicates.last().copied() {
            Some(predicate) => self.load(to, predicate),
            None => self.function.int(Type::BOOL, 1),
        };
        let mut b = self.at(to);
        let never = b.int(Type::BOOL, 0);
        let mut any = never;
        let mut matches = Vec::new();
        for case in cases {
            let mut is_selected = never;
            for value in &case.values {
                let value = b.int(ty, value.cast_signed());
                let equal = b.compare(CompareOp::Eq, selector, value);
                is_selected = b.binary(BinaryOp::Or, is_selected, equal);
            }
            any = b.binary(BinaryOp::Or, any, is_selected);
            matches.push(is_selected);
        }
        let none = b.unary(UnaryOp::Not, any);
        let mut predicates = Vec::new();
        for (case, is_selected) in cases.iter().zip(matches) {
            let mut b = self.at(to);
            let is_selected = if case.default { b.binary(BinaryOp::Or, is_selected, none) } else { is_selected };
            let is_executed = b.binary(BinaryOp::And, here, is_selected);
            let slot = self.slot(Type::BOOL);
            self.store(to, slot, is_executed);
            predicates.push(slot);
        }
        predicates
    }

    /// Appends a part of a region.
    fn part(&mut self, to: RegionId, insts: Vec<InstId>) {
        let Some(predicate) = self.predicates.last().copied() else { return };
        if insts.is_empty() {
            return;
        }
        let condition = self.load(to, predicate);
        let inner = self.function.new_region();
        self.read_all(inner, &insts);
        let mut leaves = false;
        for id in insts {
            let inst = self.function.inst(id).clone();
            if inst.op.is_terminator() {
                self.terminator(inner, inst.op, Op::Yield(Values::new()));
                continue;
            }
            leaves |= self.leave_from(&inst.op, false);
            self.function.region_mut(inner).insts.push(id);
            for result in inst.results {
                if self.exchanged.contains(&result) {
                    let slot = self.slot_of(result);
                    self.store(inner, slot, result);
                }
            }
        }
        let then = if leaves { self.once(inner) } else { inner };
        let end = |function: &mut Function, region| {
            if function.terminator(region).is_none() {
                Builder::at(function, region).effect(Op::Yield(Values::new()));
            }
        };
        end(self.function, then);
        let otherwise = self.function.new_region();
        end(self.function, otherwise);
        self.at(to).effect(Op::If { condition, then, otherwise });
    }

    /// A region with a loop of one iteration, in which `break` and `continue` leave a part.
    fn once(&mut self, body: RegionId) -> RegionId {
        match self.function.terminator(body) {
            Some(Op::Unreachable) => {}
            end => {
                if end.is_some() {
                    self.function.region_mut(body).insts.pop();
                }
                self.at(body).effect(Op::Continue(Values::new()));
            }
        }
        let continuing = self.function.new_region();
        let mut b = self.at(continuing);
        let condition = b.int(Type::BOOL, 0);
        b.effect(Op::NextIf { condition, next: Values::new(), results: Values::new() });
        let outer = self.function.new_region();
        let op = Op::Loop { inits: Values::new(), body, continuing, hint: LoopHint::None };
        self.at(outer).effect(op);
        outer
    }

    /// Replaces what leaves the loop or `switch` from inside an instruction of a part. Whether there is any.
    fn leave_from(&mut self, op: &Op, in_switch: bool) -> bool {
        let in_switch = match op {
            Op::If { .. } => in_switch,
            Op::Switch { .. } => true,
            _ => return false,
        };
        let mut any = false;
        for region in op.regions() {
            for id in self.function.region(region).insts.clone() {
                let nested = self.function.inst(id).op.clone();
                let leave = match nested {
                    Op::Break(_) if !in_switch => Op::Break(Values::new()),
                    Op::Continue(_) => Op::Continue(Values::new()),
                    nested => {
                        any |= self.leave_from(&nested, in_switch);
                        continue;
                    }
                };
                self.function.region_mut(region).insts.pop();
                self.terminator(region, nested, leave);
                any = true;
            }
        }
        any
    }

    /// Appends what the terminator of a region does, and then `leave`.
    fn terminator(&mut self, region: RegionId, op: Op, leave: Op) {
        let (target, values) = match &op {
            Op::Break(values) => (self.breaks.clone(), values),
            Op::Continue(values) => (self.continues.clone(), values),
            Op::NextIf { condition, next, results } => {
                let breaks = self.breaks.clone();
                self.store_all(region, &breaks.values, results);
                if let Some(left) = breaks.sets {
                    let ends = self.at(region).unary(UnaryOp::Not, *condition);
                    self.store(region, left, ends);
                }
                (self.ends.clone(), next)
            }
            Op::Next(values) | Op::Yield(values) | Op::Fallthrough(values) => (self.ends.clone(), values),
            _ => return self.at(region).effect(op),
        };
        self.store_all(region, &target.values, values);
        let [never, always] = [0, 1].map(|bit| self.function.int(Type::BOOL, bit));
        if let Some(flag) = target.sets {
            self.store(region, flag, always);
        }
        let cleared: Vec<_> = self.predicates.iter().skip(target.kept).copied().collect();
        cleared.into_iter().for_each(|predicate| self.store(region, predicate, never));
        self.at(region).effect(leave);
    }

    fn at(&mut self, region: RegionId) -> Builder<'_> {
        Builder::at(self.function, region)
    }

    fn slot(&mut self, ty: Type) -> Slot {
        let (_, size) = Slot::stored(ty);
        Slot { ptr: Builder::new(self.function).alloca(size, size), ty }
    }

    fn slot_of(&mut self, value: Value) -> Slot {
        match self.slots.get(&value) {
            Some(slot) => *slot,
            None => {
                let slot = self.slot(self.function.ty(value));
                self.slots.insert(value, slot);
                slot
            }
        }
    }

    fn slots_of(&mut self, values: &[Value]) -> Vec<Slot> {
        values.iter().map(|value| self.slot_of(*value)).collect()
    }

    fn load(&mut self, region: RegionId, slot: Slot) -> Value {
        let (ty, align) = Slot::stored(slot.ty);
        let mut b = self.at(region);
        let value = b.load(ty, slot.ptr, to_u32(align));
        if ty == slot.ty {
            return value;
        }
        let zero = b.int(ty, 0);
        b.compare(CompareOp::Ne, value, zero)
    }

    fn store(&mut self, region: RegionId, slot: Slot, value: Value) {
        let (ty, align) = Slot::stored(slot.ty);
        let mut b = self.at(region);
        let value = if ty == slot.ty { value } else { b.convert(ConvertOp::ZExt, value, ty) };
        b.store(slot.ptr, value, to_u32(align));
    }

    fn store_all(&mut self, region: RegionId, slots: &[Slot], values: &[Value]) {
        slots.iter().zip(values).for_each(|(slot, value)| self.store(region, *slot, *value));
    }

    /// A value in a region outside of the part that defines it.
    fn read(&mut self, region: RegionId, value: Value) -> Value {
        match self.slots.get(&value).copied() {
            Some(slot) => self.load(region, slot),
            None => value,
        }
    }

    /// Loads what the instructions of a part have from other parts.
    fn read_all(&mut self, region: RegionId, insts: &[InstId]) {
        let mut used = Vec::new();
        let mut note = |op: &Op| {
            op.for_each_operand(|value| {
                if self.slots.contains_key(&value) {
                    used.push(value);
                }
            });
        };
        for id in insts {
            let op = &self.function.inst(*id).op;
            note(op);
            op.regions().into_iter().for_each(|nested| self.function.walk(nested, |_, inst| note(&inst.op)));
        }
        used.sort_unstable();
        used.dedup();
        let mut replaced = Substitution::default();
        for value in used {
            let loaded = self.read(region, value);
            replaced.insert(value, loaded);
        }
        replaced.apply_nested(self.function, insts);
    }
}
