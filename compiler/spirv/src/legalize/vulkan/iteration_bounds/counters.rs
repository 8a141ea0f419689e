//! The tests of a loop.

use super::{Builder, Frame};
use crate::interface::iterations::NodeOp;
use clforge_ir::*;

/// Operations that are followed from a value that a loop carries to its next one, and from a test to its parts.
const MAX_DEPTH: usize = 8;
/// Tests of a loop that are looked at.
const MAX_TESTS: usize = 4;

/// What a loop does with a value that it carries.
#[derive(Clone, Copy)]
enum Change {
    /// Adds this node.
    Add(u32),
    /// Multiplies by a constant, of at least 2.
    Multiply(u64),
    /// Divides by a constant of at least 2, or shifts to the right; whether as an unsigned integer.
    Divide { unsigned: bool },
}

/// A loop, and where control goes on in it.
struct Loop {
    inits: Values,
    body: RegionId,
    continuing: RegionId,
    /// The values that each `continue` passes on.
    continued: Vec<Values>,
    /// Those of the next iteration.
    next: Values,
    /// The conditions of its tests that each iteration makes, and whether it goes on where they are true.
    tests: Vec<(Value, bool)>,
}

impl Loop {
    fn of(function: &Function, id: InstId) -> Option<Loop> {
        let Op::Loop { inits, body, continuing, .. } = &function.inst(id).op else { return None };
        let mut tests = Vec::new();
        for id in &function.region(*body).insts {
            let op = &function.inst(*id).op;
            if let Op::If { condition, then, otherwise } = op {
                let leaves = |region| matches!(function.terminator(region), Some(Op::Break(_) | Op::Return(_)));
                // A `continue` in front of the exit is another way.
                let leaves = |region| leaves(region) && !has_continue(function, region);
                match (leaves(*then), leaves(*otherwise)) {
                    (true, false) => tests.push((*condition, false)),
                    (false, true) => tests.push((*condition, true)),
                    _ => {}
                }
            }
            // What follows is not executed in each iteration.
            if continues(function, op) {
                break;
            }
        }
        let next = match function.terminator(*continuing)? {
            Op::Next(next) => next,
            Op::NextIf { condition, next, .. } => {
                tests.push((*condition, true));
                next
            }
            _ => return None,
        };
        let mut continued = Vec::new();
        collect(function, *body, &mut continued);
        let inits = inits.clone();
        Some(Loop { inits, body: *body, continuing: *continuing, continued, next: next.clone(), tests })
    }
}

/// Whether an operation has a `continue` of the loop around it.
fn continues(function: &Function, op: &Op) -> bool {
    !matches!(op, Op::Loop { .. }) && op.regions().iter().any(|region| has_continue(function, *region))
}

/// Whether a region has a `continue` of the loop around it.
fn has_continue(function: &Function, region: RegionId) -> bool {
    let mut found = Vec::new();
    collect(function, region, &mut found);
    !found.is_empty()
}

/// Adds the values of each `continue` of the loop around a region.
fn collect(function: &Function, region: RegionId, found: &mut Vec<Values>) {
    for id in &function.region(region).insts {
        match &function.inst(*id).op {
            Op::Continue(values) => found.push(values.clone()),
            Op::Loop { .. } => {}
            op => op.regions().iter().for_each(|region| collect(function, *region, found)),
        }
    }
}

impl<'m> Builder<'m> {
    /// The tests that a loop makes each time that it is executed. Notes which values its counters have.
    pub(super) fn trips(&mut self, frame: &mut Frame<'m>, id: InstId) -> Option<u32> {
        let function = frame.function;
        let found = Loop::of(function, id)?;
        let params = function.region(found.body).params.clone();
        let changes: Vec<Option<Change>> = (0..params.len()).map(|index| self.change(frame, &found, index)).collect();
        let mut most = None;
        for (condition, goes_on) in found.tests.iter().take(MAX_TESTS) {
            let mut parts = Vec::new();
            conjuncts(function, *condition, *goes_on, 0, &mut parts);
            for (op, lhs, rhs) in parts {
                for (op, counter, bound) in [(op, lhs, rhs), (op.swapped(), rhs, lhs)] {
                    if let Some(trips) = self.trips_of_test(frame, &found, &changes, (op, counter, bound)) {
                        most = Some(match most {
                            Some(most) => self.node(NodeOp::Least, 64, [most, trips, 0]),
                            None => trips,
                        });
                    }
                }
            }
        }
        most
    }

    /// The tests of a loop that goes on while one of its counters compares so with another value.
    fn trips_of_test(
        &mut self,
        frame: &mut Frame<'m>,
        found: &Loop,
        changes: &[Option<Change>],
        (op, lhs, bound): (CompareOp, Value, Value),
    ) -> Option<u32> {
        let function = frame.function;
        let (tested, extension) = match function.op(lhs) {
            Some(Op::Convert { op: op @ (ConvertOp::SExt | ConvertOp::ZExt), operand }) => (*operand, Some(*op)),
            _ => (lhs, None),
        };
        let (index, added) = self.counter_in(frame, found, tested)?;
        let param = *function.region(found.body).params.get(index)?;
        let ty = function.ty(param);
        if ty.lanes != 1 || !ty.scalar.is_int() {
            return None;
        }
        let bits = ty.scalar.bits();
        let (init, bound_node) = (self.value(frame, *found.inits.get(index)?), self.value(frame, bound));
        let (trips, values) = match (*changes.get(index)?)? {
            Change::Add(step) => {
                let trips = compared(op, extension)?;
                let from = added.map_or(init, |added| self.node(NodeOp::Add, bits, [init, added, 0]));
                let operands = [from, bound_node, step];
                let is_plain = added.is_none() && extension.is_none();
                let values = values_of(trips).filter(|_| is_plain).map(|op| self.node(op, bits, operands));
                (self.node(trips, bits, operands), values)
            }
            Change::Multiply(factor) => {
                let is_less = matches!(op, CompareOp::SLt | CompareOp::SLe | CompareOp::ULt | CompareOp::ULe);
                if !is_less || extension.is_some() || added.is_some() {
                    return None;
                }
                let (factor, one) = (self.integer(bits, factor), self.integer(bits, 1));
                let bound = self.node(NodeOp::Add, bits, [bound_node, one, 0]);
                (self.node(NodeOp::Doublings, bits, [init, bound, factor]), None)
            }
            Change::Divide { unsigned } => {
                let bound = function.as_int(bound).map(|bits| constant::sign_extend(ty.scalar, bits));
                let ends = match op {
                    CompareOp::Ne => bound == Some(0) && unsigned,
                    CompareOp::UGt => bound.is_some() && unsigned,
                    CompareOp::UGe => bound.is_some_and(|bound| bound != 0) && unsigned,
                    CompareOp::SGt => bound.is_some_and(|bound| bound >= 0),
                    CompareOp::SGe => bound.is_some_and(|bound| bound >= 1),
                    _ => false,
                };
                if !ends || extension.is_some() || added.is_some() {
                    return None;
                }
                (self.constant(u64::from(bits) + 2), None)
            }
        };
        if let Some(values) = values {
            frame.values.insert(param, values);
        }
        Some(trips)
    }

    /// Which value that the loop carries a test is about, and what was added to it since the iteration began.
    fn counter_in(&mut self, frame: &mut Frame<'m>, found: &Loop, tested: Value) -> Option<(usize, Option<u32>)> {
        let count = frame.function.region(found.body).params.len();
        (0..count).find_map(|index| match self.change_to(frame, found, index, tested, 0)? {
            None => Some((index, None)),
            Some(Change::Add(added)) => Some((index, Some(added))),
            Some(_) => None,
        })
    }

    /// What each iteration does with a value.
    fn change(&mut self, frame: &mut Frame<'m>, found: &Loop, index: usize) -> Option<Change> {
        self.change_to(frame, found, index, *found.next.get(index)?, 0)?
    }

    /// What was done with a value that the loop carries on all ways to another one: `Some(None)` where nothing was.
    fn change_to(
        &mut self,
        frame: &mut Frame<'m>,
        found: &Loop,
        index: usize,
        value: Value,
        depth: usize,
    ) -> Option<Option<Change>> {
        let function = frame.function;
        let param = *function.region(found.body).params.get(index)?;
        if value == param {
            return Some(None);
        }
        let ty = function.ty(param);
        if depth > MAX_DEPTH || function.ty(value) != ty || ty.lanes != 1 || !ty.scalar.is_int() {
            return None;
        }
        match *function.def(value) {
            ValueDef::RegionParam(region) if region == found.continuing => {
                let index_in = function.region(region).params.iter().position(|other| *other == value)?;
                self.same(
                    frame,
                    found,
                    index,
                    found.continued.iter().map(|values| values.get(index_in).copied()),
                    depth,
                )
            }
            ValueDef::Inst(id, result) => match &function.inst(id).op {
                Op::If { then, otherwise, .. } => {
                    let yielded = |region| match function.terminator(region) {
                        Some(Op::Yield(values)) => Some(values.get(result as usize).copied()),
                        _ => None,
                    };
                    let yields = [yielded(*then), yielded(*otherwise)];
                    self.same(frame, found, index, yields.into_iter().flatten(), depth)
                }
                Op::Select { if_true, if_false, .. } => {
                    self.same(frame, found, index, [Some(*if_true), Some(*if_false)].into_iter(), depth)
                }
                Op::Binary { op, lhs, rhs } => self.changed(frame, found, index, (*op, *lhs, *rhs), depth),
                _ => None,
            },
            _ => None,
        }
    }

    /// The change on several ways, of which any may be taken.
    fn same(
        &mut self,
        frame: &mut Frame<'m>,
        found: &Loop,
        index: usize,
        values: impl Iterator<Item = Option<Value>>,
        depth: usize,
    ) -> Option<Option<Change>> {
        let mut all: Option<Option<Change>> = None;
        for value in values {
            let change = self.change_to(frame, found, index, value?, depth + 1)?;
            all = Some(match (all, change) {
                (None, change) => change,
                (Some(None), None) => None,
                (Some(Some(Change::Add(first))), Some(Change::Add(second))) => {
                    let bits = frame.function.ty(value?).scalar.bits();
                    let either =
                        if first == second { first } else { self.node(NodeOp::Either, bits, [first, second, 0]) };
                    Some(Change::Add(either))
                }
                _ => return None,
            });
        }
        all
    }

    fn changed(
        &mut self,
        frame: &mut Frame<'m>,
        found: &Loop,
        index: usize,
        (op, lhs, rhs): (BinaryOp, Value, Value),
        depth: usize,
    ) -> Option<Option<Change>> {
        let function = frame.function;
        let bits = function.ty(lhs).scalar.bits();
        if let Some(dividend) = halved(function, op, lhs, rhs) {
            let is_counter = matches!(self.change_to(frame, found, index, dividend, depth + 1), Some(None));
            return is_counter.then_some(Some(Change::Divide { unsigned: false }));
        }
        let (before, other) = match self.change_to(frame, found, index, lhs, depth + 1) {
            Some(before) => (before, rhs),
            None if op == BinaryOp::Add => (self.change_to(frame, found, index, rhs, depth + 1)?, lhs),
            None => return None,
        };
        let constant = function.as_int(other);
        let change = match op {
            BinaryOp::Add | BinaryOp::Sub => {
                let mut added = self.value(frame, other);
                if op == BinaryOp::Sub {
                    let zero = self.integer(bits, 0);
                    added = self.node(NodeOp::Sub, bits, [zero, added, 0]);
                }
                match before {
                    None => Change::Add(added),
                    Some(Change::Add(before)) => Change::Add(self.node(NodeOp::Add, bits, [before, added, 0])),
                    Some(_) => return None,
                }
            }
            BinaryOp::Shl if before.is_none() => {
                Change::Multiply(1 << constant.filter(|count| (1..31).contains(count))?)
            }
            BinaryOp::Mul if before.is_none() => {
                Change::Multiply(constant.filter(|factor| (2..1 << 31).contains(factor))?)
            }
            BinaryOp::LShr if before.is_none() => {
                constant.filter(|count| (1..u64::from(bits)).contains(count))?;
                Change::Divide { unsigned: true }
            }
            BinaryOp::UDiv if before.is_none() => {
                constant.filter(|divisor| *divisor >= 2)?;
                Change::Divide { unsigned: true }
            }
            BinaryOp::AShr if before.is_none() => {
                constant.filter(|count| (1..u64::from(bits)).contains(count))?;
                Change::Divide { unsigned: false }
            }
            BinaryOp::SDiv if before.is_none() => {
                constant.filter(|divisor| (2..1 << 31).contains(divisor))?;
                Change::Divide { unsigned: false }
            }
            _ => return None,
        };
        Some(Some(change))
    }
}

/// The dividend of a signed division by a power of two as `strength_reduction` writes it: `x + (x < 0 ? 2^n - 1 : 0) >> n`.
fn halved(function: &Function, op: BinaryOp, sum: Value, count: Value) -> Option<Value> {
    let Some(Op::Binary { op: BinaryOp::Add, lhs: dividend, rhs: correction }) = function.op(sum) else { return None };
    let Some(Op::Binary { op: BinaryOp::LShr, lhs: signs, rhs: unused }) = function.op(*correction) else {
        return None;
    };
    let Some(Op::Binary { op: BinaryOp::AShr, lhs: same, rhs: sign }) = function.op(*signs) else { return None };
    let bits = u64::from(function.ty(sum).scalar.bits());
    let is_division = op == BinaryOp::AShr
        && same == dividend
        && function.as_int(*sign) == Some(bits - 1)
        && function.as_int(*unused)?.checked_add(function.as_int(count)?) == Some(bits);
    is_division.then_some(*dividend)
}

/// The comparisons all of which hold where a condition is true, or where it is false.
fn conjuncts(
    function: &Function,
    condition: Value,
    is_true: bool,
    depth: usize,
    found: &mut Vec<(CompareOp, Value, Value)>,
) {
    if depth > MAX_DEPTH || found.len() >= MAX_TESTS {
        return;
    }
    match function.op(condition) {
        Some(Op::Compare { op, lhs, rhs }) => {
            let op = if is_true { Some(*op) } else { op.inverse() };
            found.extend(op.map(|op| (op, *lhs, *rhs)));
        }
        Some(Op::Unary { op: UnaryOp::Not, operand }) => conjuncts(function, *operand, !is_true, depth + 1, found),
        Some(Op::Binary { op, lhs, rhs }) if *op == if is_true { BinaryOp::And } else { BinaryOp::Or } => {
            conjuncts(function, *lhs, is_true, depth + 1, found);
            conjuncts(function, *rhs, is_true, depth + 1, found);
        }
        // `a && b`, and `a || b` where it is false.
        Some(Op::Select { condition, if_true, if_false }) => {
            let shortcut = |value: &Value| function.as_int(*value) == Some(u64::from(!is_true));
            if shortcut(if_false) {
                conjuncts(function, *condition, true, depth + 1, found);
                conjuncts(function, *if_true, is_true, depth + 1, found);
            } else if shortcut(if_true) {
                conjuncts(function, *condition, false, depth + 1, found);
                conjuncts(function, *if_false, is_true, depth + 1, found);
            }
        }
        Some(Op::If { condition: outer, then, otherwise }) => {
            let ValueDef::Inst(_, index) = *function.def(condition) else { return };
            let yielded = |region| match function.terminator(region) {
                Some(Op::Yield(values)) => values.get(index as usize).copied(),
                _ => None,
            };
            let is_shortcut =
                |value: Option<Value>| value.is_some_and(|value| function.as_int(value) == Some(u64::from(!is_true)));
            if is_shortcut(yielded(*otherwise)) {
                conjuncts(function, *outer, true, depth + 1, found);
            } else if is_shortcut(yielded(*then)) {
                conjuncts(function, *outer, false, depth + 1, found);
            }
        }
        _ => {}
    }
}

/// The count of a loop that goes on while its counter, extended so, compares so with the bound.
fn compared(op: CompareOp, extension: Option<ConvertOp>) -> Option<NodeOp> {
    let (signed, unsigned) = (extension != Some(ConvertOp::ZExt), extension != Some(ConvertOp::SExt));
    match op {
        CompareOp::SLt if signed => Some(NodeOp::TripsSLt),
        CompareOp::SLe if signed => Some(NodeOp::TripsSLe),
        CompareOp::SGt if signed => Some(NodeOp::TripsSGt),
        CompareOp::SGe if signed => Some(NodeOp::TripsSGe),
        CompareOp::ULt if unsigned => Some(NodeOp::TripsULt),
        CompareOp::ULe if unsigned => Some(NodeOp::TripsULe),
        CompareOp::UGt if unsigned => Some(NodeOp::TripsUGt),
        CompareOp::UGe if unsigned => Some(NodeOp::TripsUGe),
        CompareOp::Ne if extension.is_none() => Some(NodeOp::TripsNe),
        _ => None,
    }
}

/// The values of a counter of such a loop.
fn values_of(trips: NodeOp) -> Option<NodeOp> {
    match trips {
        NodeOp::TripsSLt | NodeOp::TripsSLe => Some(NodeOp::Rising),
        NodeOp::TripsSGt | NodeOp::TripsSGe => Some(NodeOp::Falling),
        NodeOp::TripsULt | NodeOp::TripsULe => Some(NodeOp::RisingUnsigned),
        NodeOp::TripsUGt | NodeOp::TripsUGe => Some(NodeOp::FallingUnsigned),
        _ => None,
    }
}
