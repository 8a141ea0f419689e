//! Loops whose iterations are all known, and the number of copies of their bodies that makes their values constants.

use crate::analysis::{LoopShape, load_constant, load_indices};
use crate::*;
use clforge_basic::narrow::to_usize;
use rustc_hash::{FxHashMap, FxHashSet};
use typed_index_collections::TiSlice;

/// The module's globals, whose constants may be loaded.
pub(super) type Globals = TiSlice<GlobalId, Global>;

/// Most iterations of a loop.
const MAX_TRIPS: usize = 128;
/// Most iterations of a loop with early exits: each of these places passes on what the iterations so far have changed.
const MAX_TRIPS_WITH_BREAKS: usize = 32;
/// Most constants that all counters of a loop may be.
const MAX_VALUES: usize = 16384;
/// How often values that turn out to be no counters are left out; others may depend on these.
const MAX_ATTEMPTS: usize = 8;
/// Operations that are followed from a counter to a value.
const MAX_DEPTH: usize = 32;

/// A loop with counters: carried values that are constants in each iteration.
pub(super) struct Counted<'g> {
    globals: &'g Globals,
    pub shape: LoopShape,
    /// Which of the carried values are counters.
    pub counters: Vec<usize>,
    /// Their values in each iteration, and at last those that the loop is left with.
    pub values: Vec<Vec<Value>>,
}

/// How a loop is unrolled: its parts in order.
#[derive(Clone)]
pub(super) struct Plan {
    pub parts: Vec<Part>,
}

impl Plan {
    /// Copies of the body.
    pub(super) fn copies(&self) -> usize {
        self.parts.iter().map(|part| part.factor).sum()
    }

    /// Whether no loop is left.
    pub(super) fn is_complete(&self) -> bool {
        self.parts.iter().all(|part| part.groups == 1)
    }

    /// Whether the loop, in which other loops may have been unrolled since it was planned, still has these iterations.
    pub(super) fn fits(&self, counted: &Counted<'_>) -> bool {
        let end = self.parts.last().map_or(0, Part::end);
        let can_be_left = |part: &Part| part.groups == 1 || counted.counter_of_groups(part).is_some();
        end == counted.trips() && self.parts.iter().all(can_be_left)
    }
}

/// Successive iterations of a loop: groups of `factor` iterations, one loop of groups if they are several.
#[derive(Clone, Copy)]
pub(super) struct Part {
    /// The first iteration.
    pub first: usize,
    pub factor: usize,
    pub groups: usize,
}

impl Part {
    /// The iteration after the last.
    pub(super) fn end(&self) -> usize {
        self.first + self.factor * self.groups
    }
}

impl<'g> Counted<'g> {
    /// The iterations of a loop; `None` if they are too many or depend on more than constants.
    pub(super) fn of(function: &mut Function, globals: &'g Globals, id: InstId) -> Option<Counted<'g>> {
        let shape = LoopShape::of(function, id)?;
        let is_counter = |value: Value| {
            let ty = function.ty(value);
            ty.lanes == 1 && ty.scalar.is_int() && function.as_int(value).is_some()
        };
        let counters = (0..shape.inits.len()).filter(|index| is_counter(shape.inits[*index])).collect();
        let mut counted = Counted { globals, shape, counters, values: Vec::new() };
        for _ in 0..MAX_ATTEMPTS {
            match counted.iterate(function) {
                Iterated::Ended => return Some(counted),
                Iterated::Unknown => return None,
                Iterated::NotCounters(unknown) => {
                    let unknown: FxHashSet<usize> = unknown.into_iter().collect();
                    counted.counters.retain(|counter| !unknown.contains(counter));
                }
            }
        }
        None
    }

    /// Iterations that are made.
    pub(super) fn trips(&self) -> usize {
        self.values.len() - 1
    }

    /// Whether a counter changes by the same in each iteration.
    pub(super) fn is_regular(&self, function: &Function) -> bool {
        let value = |number: usize, place: usize| function.as_int(self.values[number][place]).unwrap_or_default();
        let step = |number: usize, place: usize| {
            let mask = constant::mask(function.ty(self.values[number][place]).scalar);
            value(number + 1, place).wrapping_sub(value(number, place)) & mask
        };
        (0..self.counters.len()).any(|place| {
            let mut steps = (0..self.trips()).map(|number| step(number, place));
            let first = steps.next();
            first != Some(0) && steps.all(|step| Some(step) == first)
        })
    }

    /// The parameters of the body that are counters.
    pub(super) fn params(&self, function: &Function) -> Vec<Value> {
        let params = &function.region(self.shape.body).params;
        self.counters.iter().map(|index| params[*index]).collect()
    }

    fn iterate(&mut self, function: &mut Function) -> Iterated {
        self.values = vec![self.counters.iter().map(|index| self.shape.inits[*index]).collect()];
        loop {
            let mut iteration = self.iteration(function, self.values.len() - 1);
            let Some(condition) = iteration.int(self.shape.condition) else { return Iterated::Unknown };
            if (condition != 0) != self.shape.stays_if_true {
                return Iterated::Ended;
            }
            let is_long = self.values.len() > MAX_TRIPS;
            if is_long || self.values.len() * self.counters.len() > MAX_VALUES {
                return Iterated::Unknown;
            }
            let (mut next, mut unknown) = (Vec::new(), Vec::new());
            for index in &self.counters {
                match iteration.value(self.shape.next[*index], 0) {
                    Some(value) => next.push(value),
                    None => unknown.push(*index),
                }
            }
            if !unknown.is_empty() {
                return Iterated::NotCounters(unknown);
            }
            self.values.push(next);
        }
    }

    /// What is known in an iteration.
    pub(super) fn iteration<'f>(&'f self, function: &'f mut Function, number: usize) -> Iteration<'f> {
        let params = self.params(function);
        let known = params.into_iter().zip(self.values[number].iter().copied()).collect();
        let continuing = &function.region(self.shape.continuing).params;
        let continued = continuing.iter().copied().zip(self.shape.continued.iter().copied()).collect();
        Iteration { function, globals: self.globals, shape: &self.shape, known, continued }
    }

    /// How the loop is unrolled by as many iterations; `None`: not here. `conditions`: what some are in each iteration.
    pub(super) fn plan(&self, factor: usize, conditions: &[Vec<Value>]) -> Option<Plan> {
        let (trips, exits) = (self.trips(), self.shape.early_exits);
        if exits.continues || exits.breaks && trips > MAX_TRIPS_WITH_BREAKS {
            return None;
        }
        if factor >= trips || exits.breaks {
            return Some(Plan { parts: vec![Part { first: 0, factor: trips, groups: 1 }] });
        }
        let mut parts: Vec<Part> = Vec::new();
        for first in (0..trips).step_by(factor) {
            let group = Part { first, factor: factor.min(trips - first), groups: 1 };
            match parts.last_mut() {
                Some(part) if group.factor == factor && self.extends(part, first, conditions) => part.groups += 1,
                _ => parts.push(group),
            }
        }
        Some(Plan { parts })
    }

    /// Whether the group from `first` can be one more of a part: conditions are what they are in its other groups.
    fn extends(&self, part: &Part, first: usize, conditions: &[Vec<Value>]) -> bool {
        let extended = Part { groups: part.groups + 1, ..*part };
        conditions.iter().all(|values| values[part.first..][..part.factor] == values[first..][..part.factor])
            && self.counter_of_groups(&extended).is_some()
    }

    /// The place of a counter that differs at the end of a part from what it is where its groups begin.
    pub(super) fn counter_of_groups(&self, part: &Part) -> Option<usize> {
        let end = &self.values[part.end()];
        let mut starts = (part.first..part.end()).step_by(part.factor);
        (0..self.counters.len()).find(|place| starts.all(|start| self.values[start][*place] != end[*place]))
    }

    /// The constants that values are in the iterations; `None` for a value that is not one.
    pub(super) fn sequences(&self, function: &mut Function, values: &[Value]) -> Vec<Option<Vec<Value>>> {
        let mut sequences = vec![Some(Vec::new()); values.len()];
        for number in 0..self.trips() {
            let mut iteration = self.iteration(function, number);
            for (value, sequence) in values.iter().zip(&mut sequences) {
                *sequence = sequence.take().and_then(|mut sequence| {
                    sequence.push(iteration.value(*value, 0)?);
                    Some(sequence)
                });
            }
        }
        sequences
    }
}

/// How far iterating came.
enum Iterated {
    /// To the end.
    Ended,
    /// What decides whether the loop goes on is not known, or it goes on too long.
    Unknown,
    /// These carried values are not counters.
    NotCounters(Vec<usize>),
}

/// What is known in an iteration.
pub(super) struct Iteration<'f> {
    function: &'f mut Function,
    globals: &'f Globals,
    shape: &'f LoopShape,
    known: FxHashMap<Value, Value>,
    /// What the parameters of the part that continues the loop are.
    continued: FxHashMap<Value, Value>,
}

impl Iteration<'_> {
    fn int(&mut self, value: Value) -> Option<u64> {
        let constant = self.value(value, 0)?;
        self.function.as_int(constant)
    }

    /// The constant that a value is, unless undefined.
    pub(super) fn value(&mut self, value: Value, depth: usize) -> Option<Value> {
        if let Some(constant) = self.function.as_constant(value) {
            return constant.lanes().map(|_| value);
        }
        if let Some(constant) = self.known.get(&value) {
            return Some(*constant);
        }
        if depth > MAX_DEPTH {
            return None;
        }
        let constant = match *self.function.def(value) {
            ValueDef::RegionParam(region) if region == self.shape.continuing => {
                let continued = *self.continued.get(&value)?;
                self.value(continued, depth + 1)?
            }
            ValueDef::Inst(id, place) => match self.shape.yielded.iter().find(|(result, _)| *result == value) {
                Some((_, kept)) => self.value(*kept, depth + 1)?,
                None => self.result(id, to_usize(place), depth)?,
            },
            _ => return None,
        };
        self.known.insert(value, constant);
        Some(constant)
    }

    /// The constant that both sides of a condition yield, as where both end with `k++`.
    fn same_on_both_sides(&mut self, sides: [RegionId; 2], place: usize, depth: usize) -> Option<Value> {
        let yielded = sides.map(|side| match self.function.terminator(side) {
            Some(Op::Yield(values)) => values.get(place).copied(),
            _ => None,
        });
        let [one, other] = [self.value(yielded[0]?, depth + 1)?, self.value(yielded[1]?, depth + 1)?];
        (one == other).then_some(one)
    }

    /// The result of an operation on constants.
    fn result(&mut self, id: InstId, place: usize, depth: usize) -> Option<Value> {
        let Inst { op, results, .. } = self.function.inst(id);
        if let Op::If { then, otherwise, .. } = op {
            return self.same_on_both_sides([*then, *otherwise], place, depth);
        }
        let [result] = results[..] else { return None };
        let (ty, mut op) = (self.function.ty(result), op.clone());
        if let Op::Load { ptr, volatile: false, .. } = op {
            return self.load(ptr, ty, depth);
        }
        let mut are_constants = op.is_pure();
        op.for_each_operand_mut(|operand| match are_constants.then(|| self.value(*operand, depth + 1)).flatten() {
            Some(constant) => *operand = constant,
            None => are_constants = false,
        });
        let value = are_constants.then(|| fold::reduce(self.function, op, ty).ok()).flatten()?;
        let is_defined = self.function.as_constant(value).is_some_and(|constant| constant.lanes().is_some());
        is_defined.then_some(value)
    }

    /// What a load of constant memory finds.
    fn load(&mut self, pointer: Value, ty: Type, depth: usize) -> Option<Value> {
        let mut indices = FxHashMap::default();
        for index in load_indices(self.function, pointer) {
            indices.insert(index, self.value(index, depth + 1)?);
        }
        let constant = load_constant(self.function, self.globals, (pointer, ty), |index| indices.get(&index).copied());
        constant.map(|constant| self.function.constant(constant))
    }
}

/// The least number of iterations after which values repeat.
pub(super) fn period(values: &[Value]) -> usize {
    let repeats = |period: &usize| values.iter().zip(&values[*period..]).all(|(first, later)| first == later);
    (1..values.len()).find(repeats).unwrap_or(values.len().max(1))
}

pub(super) fn least_common_multiple(a: usize, b: usize) -> usize {
    let (mut divisor, mut rest) = (a, b);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor).saturating_mul(b)
}
