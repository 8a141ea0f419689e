//! Where the matrices of a function are in private memory. Matrices that are never needed at the same time share a *slot*,
//! and so do the matrices that a loop carries through an iteration.

use super::SubGroupSizes;
use clforge_basic::narrow::to_usize;
use clforge_ir::*;
use rustc_hash::FxHashMap;

/// The scalars of a slot, and their number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    /// With 32 or 64 bits.
    pub(super) scalar: ScalarType,
    pub(super) parts: usize,
}

impl Slot {
    fn of(matrix: MatrixType, sizes: SubGroupSizes) -> Slot {
        Slot { scalar: stored(matrix.scalar()), parts: sizes.parts(matrix) }
    }

    /// How many registers of 32 bits it takes.
    fn words(self) -> usize {
        self.parts * to_usize(u64::from(self.scalar.bits()) / 32)
    }
}

/// The type that components are stored as: drivers handle arrays of small types less well.
pub(super) fn stored(component: ScalarType) -> ScalarType {
    match component {
        ScalarType::F64 | ScalarType::I64 => component,
        _ if component.is_float() => ScalarType::F32,
        _ => ScalarType::I32,
    }
}

pub(super) struct Slots {
    pub(super) slots: Vec<Slot>,
    /// The index of each matrix's slot.
    of: FxHashMap<Value, usize>,
    /// What matrices become others before a structured operation or a terminator.
    moves: FxHashMap<InstId, Vec<(Value, Value)>>,
    /// The most words that are needed at the same time.
    pub(super) most_words: usize,
}

impl Slots {
    /// The slots of a function's matrices.
    pub(super) fn of(function: &Function, sizes: SubGroupSizes) -> Slots {
        let mut walk = Walk::new(function);
        walk.region(function.body, Targets::none(function.body));
        let most_words = most_words(&walk.lives(sizes, &|value| value));
        // The next iteration of a loop reads what it carries again.
        walk.uses.append(&mut walk.carried);
        let mut lives = walk.lives(sizes, &|value| walk.same.get(&value).copied().unwrap_or(value));
        lives.sort_by_key(|life| (life.start, life.end, life.matrices.iter().copied().min()));
        let mut slots = Slots { slots: Vec::new(), of: FxHashMap::default(), moves: walk.moves, most_words };
        let mut ends: Vec<u32> = Vec::new();
        for life in &lives {
            let is_free = |index: &usize| slots.slots[*index] == life.slot && ends[*index] < life.start;
            let index = (0..ends.len()).find(is_free).unwrap_or(ends.len());
            if index == ends.len() {
                slots.slots.push(life.slot);
                ends.push(life.end);
            }
            ends[index] = life.end;
            slots.of.extend(life.matrices.iter().map(|matrix| (*matrix, index)));
        }
        slots
    }

    /// The parts of all slots of a type, and those of the slots before one.
    pub(super) fn parts(&self, scalar: ScalarType, before: usize) -> (usize, usize) {
        let parts = |slots: &[Slot]| slots.iter().filter(|slot| slot.scalar == scalar).map(|slot| slot.parts).sum();
        (parts(&self.slots), parts(self.slots.get(..before).unwrap_or_default()))
    }

    pub(super) fn index(&self, matrix: Value) -> Option<usize> {
        self.of.get(&matrix).copied()
    }

    /// The slots between which matrices move before an operation, each from the first to the second.
    pub(super) fn moves(&self, id: InstId) -> Vec<(usize, usize)> {
        let moves = self.moves.get(&id).into_iter().flatten();
        let indices = moves.filter_map(|(from, to)| Some((self.index(*from)?, self.index(*to)?)));
        indices.filter(|(from, to)| from != to).collect()
    }
}

/// The most words of the matrices that live at the same time.
fn most_words(lives: &[Life]) -> usize {
    let starts = lives.iter().map(|life| (life.start, true, life.slot.words()));
    let ends = lives.iter().map(|life| (life.end + 1, false, life.slot.words()));
    let mut events: Vec<_> = starts.chain(ends).collect();
    events.sort_unstable();
    let (mut words, mut most) = (0, 0);
    for (_, begins, count) in events {
        words = if begins { words + count } else { words - count };
        most = most.max(words);
    }
    most
}

/// From where to where in a function matrices of one slot are needed.
struct Life {
    matrices: Vec<Value>,
    slot: Slot,
    start: u32,
    end: u32,
}

/// Values that a terminator passes to, and their region.
#[derive(Clone, Copy)]
struct Target<'f>(&'f [Value], RegionId);

/// Where terminators pass values to.
#[derive(Clone, Copy)]
struct Targets<'f> {
    yielded: Target<'f>,
    fallen: Target<'f>,
    /// The results of the innermost loop.
    broken: Target<'f>,
    continued: Target<'f>,
    next: Target<'f>,
}

impl Targets<'_> {
    fn none(region: RegionId) -> Self {
        let none = Target(&[], region);
        Targets { yielded: none, fallen: none, broken: none, continued: none, next: none }
    }
}

/// Numbers the places of a function. An instruction reads its operands at an even number, and writes its results at the odd
/// number behind it.
struct Walk<'f> {
    function: &'f Function,
    position: u32,
    /// The region around a region, and the operation there that it is of.
    around: FxHashMap<RegionId, (RegionId, InstId)>,
    /// Where structured operations end.
    ends: FxHashMap<InstId, u32>,
    /// The region of each matrix, and where it is first written.
    defined: FxHashMap<Value, (RegionId, u32)>,
    uses: Vec<(Value, RegionId, u32)>,
    /// As further uses, the ends of the loops that carry matrices.
    carried: Vec<(Value, RegionId, u32)>,
    moves: FxHashMap<InstId, Vec<(Value, Value)>>,
    /// Of matrices that a loop carries, one that has the same slot.
    same: FxHashMap<Value, Value>,
}

impl<'f> Walk<'f> {
    fn new(function: &'f Function) -> Walk<'f> {
        Walk {
            function,
            position: 0,
            around: FxHashMap::default(),
            ends: FxHashMap::default(),
            defined: FxHashMap::default(),
            uses: Vec::new(),
            carried: Vec::new(),
            moves: FxHashMap::default(),
            same: FxHashMap::default(),
        }
    }

    fn region(&mut self, region: RegionId, targets: Targets<'f>) {
        let function = self.function;
        for id in &function.region(region).insts {
            self.position += 2;
            let inst = function.inst(*id);
            if inst.op.is_structured() {
                self.structured(*id, region, targets);
            } else if inst.op.is_terminator() {
                self.terminator(*id, region, targets);
            } else {
                let place = self.position;
                // A product reads its factors while its result is written.
                let factors = match inst.op {
                    Op::Matrix(MatrixOp::MultiplyAdd { a, b, .. }) => [Some(a), Some(b)],
                    _ => [None, None],
                };
                inst.op.for_each_operand(|value| {
                    let is_late = factors.contains(&Some(value));
                    self.uses.push((value, region, place + u32::from(is_late)));
                });
                self.define(Target(&inst.results, region));
            }
        }
    }

    /// Notes that matrices are written behind this place.
    fn define(&mut self, Target(values, region): Target<'_>) {
        for value in values {
            if self.function.ty(*value).matrix().is_some() {
                self.defined.entry(*value).or_insert((region, self.position + 1));
            }
        }
    }

    /// Notes that the operation at this place passes values.
    fn pass(&mut self, id: InstId, region: RegionId, values: &[Value], target: Target<'_>) {
        self.define(target);
        for (from, to) in values.iter().zip(target.0) {
            if self.function.ty(*to).matrix().is_some() {
                self.uses.push((*from, region, self.position));
                self.moves.entry(id).or_default().push((*from, *to));
            }
        }
    }

    fn terminator(&mut self, id: InstId, region: RegionId, targets: Targets<'f>) {
        match &self.function.inst(id).op {
            Op::Yield(values) => self.pass(id, region, values, targets.yielded),
            Op::Break(values) => self.pass(id, region, values, targets.broken),
            Op::Continue(values) => self.pass(id, region, values, targets.continued),
            Op::Fallthrough(values) => self.pass(id, region, values, targets.fallen),
            Op::Next(values) => {
                self.pass(id, region, values, targets.next);
                self.unite(targets.next.0, values);
            }
            // Both are written, whatever the condition is: nothing needs what the results were before, nor what the loop
            // carried into its last iteration.
            Op::NextIf { next, results, .. } => {
                self.pass(id, region, next, targets.next);
                self.pass(id, region, results, targets.broken);
                self.unite(targets.next.0, next);
                self.unite(targets.broken.0, results);
            }
            _ => {}
        }
    }

    /// Gives what a loop carries into its next iteration, and its results, the slots of the parameters of the continuing
    /// region that they come from. Each of those gives its slot to one of either.
    fn unite(&mut self, targets: &[Value], values: &[Value]) {
        let mut given: Vec<Value> = Vec::new();
        for (to, from) in targets.iter().zip(values) {
            let is_step = matches!(self.function.def(*from), ValueDef::RegionParam(_));
            let is_own = self.defined.get(from).is_some_and(|(region, _)| self.is_continuing(*region));
            if is_step && is_own && !given.contains(from) {
                given.push(*from);
                self.same.insert(*to, *from);
            }
        }
    }

    /// Whether a region is the innermost loop's continuing region, in which the walk is.
    fn is_continuing(&self, region: RegionId) -> bool {
        self.around.get(&region).is_some_and(|(_, id)| match self.function.inst(*id).op {
            Op::Loop { continuing, .. } => continuing == region && !self.ends.contains_key(id),
            _ => false,
        })
    }

    fn structured(&mut self, id: InstId, region: RegionId, outer: Targets<'f>) {
        let function = self.function;
        let inst = function.inst(id);
        let results = Target(&inst.results, region);
        for nested in inst.op.regions() {
            self.around.insert(nested, (region, id));
        }
        match &inst.op {
            Op::Switch { inputs, cases, .. } => {
                let params = |case: &Case| Target(&function.region(case.region).params, case.region);
                cases.iter().for_each(|case| self.pass(id, region, inputs, params(case)));
                for (index, case) in cases.iter().enumerate() {
                    let fallen = cases.get(index + 1).map_or(outer.fallen, params);
                    self.region(case.region, Targets { yielded: results, fallen, ..outer });
                }
            }
            Op::Loop { inits, body, continuing, .. } => {
                let next = Target(&function.region(*body).params, *body);
                let continued = Target(&function.region(*continuing).params, *continuing);
                self.pass(id, region, inits, next);
                let targets = Targets { broken: results, continued, next, ..Targets::none(region) };
                self.region(*body, targets);
                self.region(*continuing, targets);
                // Nothing else is written there with them.
                let end = self.position + 1;
                self.carried.extend(next.0.iter().map(|param| (*param, *body, end)));
            }
            op => {
                let targets = Targets { yielded: results, ..outer };
                op.regions().into_iter().for_each(|nested| self.region(nested, targets));
            }
        }
        self.position += 2;
        self.ends.insert(id, self.position);
        // Those that no terminator passes.
        self.define(results);
    }

    /// The last place at which a use needs a matrix of a region.
    fn last_place(&self, home: RegionId, (mut region, mut place): (RegionId, u32)) -> u32 {
        while region != home {
            let Some((around, id)) = self.around.get(&region) else { break };
            region = *around;
            place = self.ends.get(id).copied().unwrap_or(place);
        }
        place
    }

    /// What `representative` names the same has one life.
    fn lives(&self, sizes: SubGroupSizes, representative: &dyn Fn(Value) -> Value) -> Vec<Life> {
        let mut lives: FxHashMap<Value, Life> = FxHashMap::default();
        for (value, (_, start)) in &self.defined {
            let Some(matrix) = self.function.ty(*value).matrix() else { continue };
            let slot = Slot::of(matrix, sizes);
            let life = lives.entry(representative(*value)).or_insert_with(|| Life {
                matrices: Vec::new(),
                slot,
                start: *start,
                end: *start,
            });
            life.matrices.push(*value);
            (life.start, life.end) = (life.start.min(*start), life.end.max(*start));
        }
        for (value, region, place) in &self.uses {
            let Some((home, _)) = self.defined.get(value) else { continue };
            if let Some(life) = lives.get_mut(&representative(*value)) {
                life.end = life.end.max(self.last_place(*home, (*region, *place)));
            }
        }
        lives.into_values().collect()
    }
}
