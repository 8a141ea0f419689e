//! Finds private arrays, and the loops that must be unrolled so that all indices of an array are constants.

use super::counted::{Counted, Globals, Plan, least_common_multiple, period};
use super::{Cost, MAX_BYTES};
use crate::analysis::LoopShape;
use crate::continues::{continue_at_end, continues};
use crate::*;
use clforge_basic::narrow::to_usize;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The most `continue`s of a loop: each but the last nests what follows it one level deeper.
const MAX_CONTINUES: usize = 4;
/// Bytes of an array that drivers keep in registers although some indices are not constants.
const MAX_SELECTED: u64 = 64;

/// Whether a function has a loop and an indexed pointer into private memory.
pub(super) fn has_indexed_array(function: &Function) -> bool {
    let (mut loops, mut indexed) = (false, false);
    function.walk_body(|_, inst| match &inst.op {
        Op::Loop { .. } => loops = true,
        Op::PtrAdd { base, index: Some(_), .. } => {
            indexed |= function.ty(*base).space() == Some(Space::Private);
        }
        _ => {}
    });
    loops && indexed
}

/// Whether a function has a loop with a carried integer that begins with a constant.
pub(super) fn has_counter(function: &Function) -> bool {
    let mut found = false;
    function.walk_body(|_, inst| {
        if let Op::Loop { inits, .. } = &inst.op {
            found |= inits.iter().any(|init| function.ty(*init).scalar.is_int() && function.as_int(*init).is_some());
        }
    });
    found
}

/// A private object.
pub(super) struct Array {
    /// Bytes.
    pub size: u64,
    /// The loops that must be unrolled so that all indices are constants; `None`: some never are.
    pub loops: Option<BTreeSet<InstId>>,
    /// The indices that are not constants.
    indices: FxHashSet<Value>,
}

impl Array {
    /// Whether there is a barrier in the loops that must be unrolled.
    pub(super) fn has_barriers(&self, function: &Function) -> bool {
        let mut found = false;
        for region in self.loops.iter().flatten().flat_map(|id| function.inst(*id).op.regions()) {
            function.walk(region, |_, inst| found |= matches!(inst.op, Op::Barrier { .. }));
        }
        found
    }
}

/// A loop, and what unrolling it repeats.
struct Repeated<'g> {
    counted: Counted<'g>,
    /// Its body, without that of loops in it.
    own: Cost,
    /// Accesses of arrays in it, by the array; of pointers into unknown ones with `None`.
    accessed: FxHashMap<Option<usize>, usize>,
    /// Counted loops around it, and itself.
    nest: BTreeSet<InstId>,
    /// Conditions that depend on nothing but its counters.
    conditions: Vec<Value>,
    /// What they are in each iteration.
    decided: Vec<Vec<Value>>,
}

/// The analysis of a function.
pub(super) struct Analysis<'g> {
    globals: &'g Globals,
    /// Values that are constants once these loops are unrolled.
    known: FxHashMap<Value, BTreeSet<InstId>>,
    loops: FxHashMap<InstId, Repeated<'g>>,
    /// In order of their definitions.
    arrays: Vec<Array>,
    /// Pointers into arrays.
    pointers: FxHashMap<Value, usize>,
    /// After how many iterations indices repeat.
    periods: FxHashMap<Value, usize>,
    /// Counted loops directly around loops that index arrays, and whose iterations depend on the counter of the former.
    around_dependent: BTreeSet<InstId>,
}

impl<'g> Analysis<'g> {
    /// Analyses a function. Afterwards those of its loops that have few `continue`s, none in a `switch`, have one at the end.
    /// `weight`: as how many accesses one of an array counts that stays in memory.
    pub(super) fn of(function: &mut Function, globals: &'g Globals, weight: usize) -> Analysis<'g> {
        let (known, loops, arrays, pointers, periods, around_dependent) = Default::default();
        let mut analysis = Analysis { globals, known, loops, arrays, pointers, periods, around_dependent };
        analysis.region(function, function.body, &mut Vec::new());
        analysis.add_arrays_in_memory(weight);
        analysis.find_periods(function);
        analysis
    }

    /// Adds the accesses of arrays that do not become values, which is known once all of the function was seen. Where they have
    /// a weight, the driver unrolls the loops around them.
    fn add_arrays_in_memory(&mut self, weight: usize) {
        let arrays = &self.arrays;
        let in_memory =
            |array: usize| arrays.get(array).is_none_or(|array| array.loops.is_none() || array.size > MAX_BYTES);
        for Repeated { counted, own, accessed, .. } in self.loops.values_mut() {
            let stay = accessed.iter().filter(|(array, _)| array.is_none_or(in_memory));
            let count = stay.map(|(_, count)| count * weight).sum::<usize>().saturating_mul(counted.trips());
            own.accesses = own.accesses.saturating_add(count);
        }
    }

    /// Evaluates the indices that depend on one loop alone, and the conditions of these loops.
    fn find_periods(&mut self, function: &mut Function) {
        let mut indices: FxHashMap<InstId, Vec<Value>> = FxHashMap::default();
        for index in self.arrays.iter().filter(|array| array.loops.is_some()).flat_map(|array| &array.indices) {
            if let Some(loops) = self.known.get(index)
                && let (Some(only), 1) = (loops.first(), loops.len())
            {
                indices.entry(*only).or_default().push(*index);
            }
        }
        for (id, indices) in indices {
            let Some(Repeated { counted, conditions, decided, .. }) = self.loops.get_mut(&id) else { continue };
            let sequences = counted.sequences(function, &indices);
            let periods = indices.into_iter().zip(sequences);
            self.periods.extend(periods.filter_map(|(index, sequence)| Some((index, period(&sequence?)))));
            // What cannot be evaluated does not divide the loop.
            *decided = counted.sequences(function, conditions).into_iter().flatten().collect();
        }
    }

    /// The arrays that become values once loops are unrolled.
    pub(super) fn indexed(&self) -> impl Iterator<Item = &Array> {
        self.arrays.iter().filter(|array| array.loops.as_ref().is_some_and(|loops| !loops.is_empty()))
    }

    /// Iterations of a counted loop.
    pub(super) fn trips(&self, id: InstId) -> usize {
        self.loops.get(&id).map_or(1, |repeated| repeated.counted.trips())
    }

    /// The counted loops, inner ones first, and whether a counter of each changes by the same in each iteration: first those
    /// where none does.
    pub(super) fn counted(&self, function: &Function) -> Vec<(InstId, bool)> {
        let regular = |(id, repeated): (&InstId, &Repeated<'_>)| (*id, repeated.counted.is_regular(function));
        let mut loops: Vec<(InstId, bool)> = self.loops.iter().map(regular).collect();
        loops.sort_unstable_by_key(|(id, is_regular)| (*is_regular, Reverse(self.loops[id].nest.len()), *id));
        loops
    }

    /// For each counted loop itself and those in it.
    pub(super) fn nests(&self) -> FxHashMap<InstId, Vec<InstId>> {
        let mut nests: FxHashMap<InstId, Vec<InstId>> = FxHashMap::default();
        for (id, repeated) in &self.loops {
            repeated.nest.iter().for_each(|outer| nests.entry(*outer).or_default().push(*id));
        }
        nests
    }

    /// Counted loops directly around others that index arrays, which are counted in the copies of the former.
    pub(super) fn around_dependent(&self) -> impl Iterator<Item = InstId> {
        self.around_dependent.iter().copied()
    }

    /// Whether a loop indexes an array, and what it begins or ends with depends on the counter of the loop around it.
    fn depends_on(&self, function: &Function, id: InstId, outer: InstId) -> bool {
        let Some(shape) = LoopShape::of(function, id) else { return false };
        let of_outer = |value: Value| self.known.get(&value).is_some_and(|loops| loops.contains(&outer));
        let mut depends = shape.inits.iter().any(|init| of_outer(*init));
        if let Some(test) = function.op(shape.condition) {
            test.for_each_operand(|operand| depends |= of_outer(operand));
        }
        let mut is_indexed = false;
        function.walk(shape.body, |_, inst| {
            if let Op::PtrAdd { base, index: Some(_), .. } = inst.op {
                is_indexed |= self.pointers.contains_key(&base);
            }
        });
        depends && is_indexed
    }

    /// How to unroll a loop completely.
    pub(super) fn complete_plan(&self, id: InstId) -> Option<Plan> {
        let Repeated { counted, decided, .. } = self.loops.get(&id)?;
        counted.plan(counted.trips(), decided)
    }

    /// How to unroll a loop for these arrays; `None`: at most the driver is asked.
    pub(super) fn plan(&self, id: InstId, arrays: &[&Array]) -> Option<Plan> {
        let Repeated { counted, decided, .. } = self.loops.get(&id)?;
        let (mut factor, mut with_others) = (1, false);
        for index in arrays.iter().flat_map(|array| &array.indices) {
            match self.known.get(index) {
                Some(loops) if loops.contains(&id) && loops.len() > 1 => with_others = true,
                Some(loops) if loops.contains(&id) => {
                    factor = least_common_multiple(factor, *self.periods.get(index)?);
                }
                _ => {}
            }
        }
        counted.plan(if with_others { counted.trips() } else { factor }, decided)
    }

    /// What is there once loops are unrolled, of all that are repeated; `copies`: of the body of each loop.
    pub(super) fn cost(&self, copies: impl Fn(InstId) -> usize) -> Cost {
        self.cost_of(self.loops.keys(), copies)
    }

    /// What is there of some loops, but for loops in them, where they are repeated.
    pub(super) fn cost_of<'i>(
        &self,
        loops: impl IntoIterator<Item = &'i InstId>,
        copies: impl Fn(InstId) -> usize,
    ) -> Cost {
        let mut sum = Cost::default();
        for Repeated { own, nest, .. } in loops.into_iter().filter_map(|id| self.loops.get(id)) {
            let copies = nest.iter().map(|id| copies(*id).max(1)).fold(1, usize::saturating_mul);
            if copies > 1 {
                sum = sum.plus(own.times(copies));
            }
        }
        sum
    }

    /// Visits a region; `nest` are the loops around it, innermost last, of which only some may be counted.
    fn region(&mut self, function: &mut Function, region: RegionId, nest: &mut Vec<InstId>) {
        for id in function.region(region).insts.clone() {
            self.pointer(function, id, nest.is_empty());
            let op = &function.inst(id).op;
            let regions = op.regions();
            if let Op::Loop { body, hint, .. } = op {
                if matches!(hint, LoopHint::None | LoopHint::Unroll) {
                    self.count(function, id, *body, nest);
                }
                nest.push(id);
            } else {
                self.condition(function, id, nest);
                self.compute(function.inst(id), function);
                self.add_cost(function, id, nest);
            }
            let is_loop = nest.last() == Some(&id);
            for nested in regions {
                self.region(function, nested, nest);
            }
            if is_loop {
                nest.pop();
            }
        }
    }

    /// Adds an instruction to the cost of the loop that it is in, but for those that are constants, and accesses of private
    /// memory, once the loop is unrolled.
    fn add_cost(&mut self, function: &Function, id: InstId, nest: &[InstId]) {
        let inst = function.inst(id);
        let is_private = |pointer: Value| function.ty(pointer).space() == Some(Space::Private);
        let (vanishes, accesses) = match &inst.op {
            Op::Load { ptr, .. } | Op::Store { ptr, .. } => (is_private(*ptr), !is_private(*ptr)),
            Op::PtrAdd { base, .. } => (is_private(*base), false),
            Op::Atomic { .. } | Op::Image { .. } | Op::Call { .. } => (false, true),
            Op::Yield(_) | Op::Break(_) | Op::Continue(_) | Op::Next(_) => (true, false),
            _ => (inst.results.iter().any(|result| self.known.contains_key(result)), false),
        };
        let array = match &inst.op {
            Op::Load { ptr, .. } | Op::Store { ptr, .. } if is_private(*ptr) => Some(self.pointers.get(ptr).copied()),
            _ => None,
        };
        let innermost = nest.iter().rev().find(|id| self.loops.contains_key(*id));
        if let Some(repeated) = innermost.and_then(|id| self.loops.get_mut(id)) {
            if let Some(array) = array {
                *repeated.accessed.entry(array).or_default() += 1;
            }
            repeated.own.copied += 1;
            // What vanishes, such as what is computed of counters alone, costs nothing in a copy.
            repeated.own.expanded += if vanishes { 1 } else { expanded(function, inst) };
            repeated.own.size += usize::from(!vanishes);
            repeated.own.accesses += usize::from(accesses);
        }
    }

    /// Follows pointers into arrays. An access outside of loops may have an unknown index where drivers keep the array in registers
    /// for all others: the elements are selected then.
    fn pointer(&mut self, function: &Function, id: InstId, is_outside: bool) {
        let inst = function.inst(id);
        match &inst.op {
            Op::Alloca { size, .. } => {
                self.pointers.extend(inst.results.iter().map(|result| (*result, self.arrays.len())));
                self.arrays.push(Array { size: *size, loops: Some(BTreeSet::new()), indices: FxHashSet::default() });
            }
            Op::PtrAdd { base, index, .. } => {
                if let Some(array) = self.pointers.get(base).copied() {
                    self.pointers.extend(inst.results.iter().map(|result| (*result, array)));
                    let may_be_unknown = is_outside && self.arrays[array].size <= MAX_SELECTED;
                    let counts = |index: &&Value| !may_be_unknown || self.needs(function, **index).is_some();
                    let index = index.iter().find(counts).copied();
                    index.iter().for_each(|index| self.index(function, array, *index));
                }
                index.iter().for_each(|index| self.escape(*index));
            }
            Op::Load { volatile: false, .. } => {}
            Op::Store { value, volatile: false, .. } => self.escape(*value),
            op => op.for_each_operand(|operand| self.escape(operand)),
        }
    }

    fn index(&mut self, function: &Function, array: usize, index: Value) {
        let needed = self.needs(function, index);
        let array = &mut self.arrays[array];
        if needed.as_ref().is_some_and(|needed| !needed.is_empty()) {
            array.indices.insert(index);
        }
        array.loops = match (array.loops.take(), needed) {
            (Some(all), Some(more)) => Some(&all | &more),
            _ => None,
        };
    }

    /// A pointer into an array that is used otherwise keeps the array in memory.
    fn escape(&mut self, value: Value) {
        if let Some(array) = self.pointers.get(&value) {
            self.arrays[*array].loops = None;
        }
    }

    /// The loops that must be unrolled for a value to be a constant, if that is enough.
    fn needs(&self, function: &Function, value: Value) -> Option<BTreeSet<InstId>> {
        match function.as_constant(value) {
            Some(_) => Some(BTreeSet::new()),
            None => self.known.get(&value).cloned(),
        }
    }

    /// Whether an operation computes a constant of constants, or a pointer into a program-scope constant.
    fn is_known(&self, function: &Function, op: &Op, operands: usize) -> bool {
        match op {
            Op::Load { ptr, volatile, .. } => !volatile && function.ty(*ptr).space() == Some(Space::Constant),
            Op::GlobalAddress(id) => self.globals.get(*id).is_some_and(|global| global.space == Space::Constant),
            // The others without operands are the work-item's number, say.
            op => op.is_pure() && operands > 0,
        }
    }

    fn compute(&mut self, inst: &Inst, function: &Function) {
        let (mut needed, mut operands) = (Some(BTreeSet::new()), 0);
        inst.op.for_each_operand(|operand| {
            operands += 1;
            needed = match (needed.take(), self.needs(function, operand)) {
                (Some(all), Some(more)) => Some(&all | &more),
                _ => None,
            };
        });
        if let (true, Some(needed), [result]) = (self.is_known(function, &inst.op, operands), needed, &inst.results[..])
        {
            self.known.insert(*result, needed);
        }
    }

    fn condition(&mut self, function: &Function, id: InstId, nest: &[InstId]) {
        let Some(condition) = decided_by(&function.inst(id).op) else { return };
        if let Some(loops) = self.known.get(&condition)
            && let (Some(only), 1) = (loops.first(), loops.len())
            && nest.contains(only)
            && let Some(repeated) = self.loops.get_mut(only)
        {
            repeated.conditions.push(condition);
        }
    }

    fn count(&mut self, function: &mut Function, id: InstId, body: RegionId, nest: &[InstId]) {
        let places = continues(function, body);
        if !(1..=MAX_CONTINUES).contains(&places) {
            return;
        }
        if places > 1 {
            // Also worth it where the loop turns out not to be counted: it is the same loop.
            continue_at_end(function, body);
        }
        let Some(counted) = Counted::of(function, self.globals, id) else {
            let outer = nest.last().filter(|outer| self.loops.contains_key(*outer));
            self.around_dependent.extend(outer.filter(|outer| self.depends_on(function, id, **outer)));
            return;
        };
        for param in counted.params(function) {
            self.known.insert(param, BTreeSet::from([id]));
        }
        let around = nest.iter().copied().filter(|outer| self.loops.contains_key(outer));
        let nest = around.chain([id]).collect();
        self.loops.insert(
            id,
            Repeated {
                counted,
                nest,
                own: Cost::default(),
                accessed: FxHashMap::default(),
                conditions: Vec::new(),
                decided: Vec::new(),
            },
        );
    }
}

/// About as many instructions as later passes and drivers make of one.
fn expanded(function: &Function, inst: &Inst) -> usize {
    use BinaryOp::*;
    use Intrinsic::*;
    match &inst.op {
        Op::Call { .. } => 256,
        // A test of the space for each, which is made once for a loop that remains.
        Op::Load { ptr, .. } | Op::Store { ptr, .. } if function.ty(*ptr).space() == Some(Space::Generic) => 32,
        Op::Binary { op: UDiv | SDiv | URem | SRem, lhs, .. } => to_usize(function.ty(*lhs).scalar.bits()),
        Op::Binary { op: FDiv, .. } => 16,
        Op::Intrinsic { function: Fma | Mad | Fabs | Fmax | Fmin | FmaxCommon | FminCommon, .. } => 1,
        Op::Intrinsic { .. } => 16,
        Op::Image { .. } => 8,
        _ => 1,
    }
}

/// What decides which of several things an operation does.
pub(super) fn decided_by(op: &Op) -> Option<Value> {
    match op {
        Op::If { condition, .. } | Op::Select { condition, .. } => Some(*condition),
        Op::Switch { selector, .. } => Some(*selector),
        _ => None,
    }
}
