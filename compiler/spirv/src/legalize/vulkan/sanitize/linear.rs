//! Addresses as sums over the ids of work-items, for [`super::ownership`].
//!
//! A byte offset from the start of an object is, as far as it can be told, `sum of coefficient * id + rest`, where the
//! ids are those of the work-item in its group and of the group, and coefficients and the rest are polynomials over values that
//! all work-items of a launch have in common ([`Leaf`]). To the rest are added what counters of loops have grown by, as
//! far as it is known how often ([`crate::legalize::vulkan::counters`]). All numbers are those of 64 bits modulo 2^64: the 32-bit
//! arithmetic of indices differs from it by multiples of 2^32, which sums of less than 2^31 do not reach.

use crate::interface::{ModuleInterface, PushConstantKind};
use crate::legalize::vulkan::counters::{Counter, Counters};
use clforge_ir::*;
use std::collections::{BTreeMap, BTreeSet};

/// Most operations that an address is taken apart into.
const MOST_STEPS: u32 = 64;
/// Most products in a polynomial, and most factors in one of them.
const MOST_PRODUCTS: usize = 12;
const MOST_FACTORS: usize = 4;
/// The most that a counter may grow, and grow by in a step, so that it does not overflow.
pub(super) const MOST_COUNTED: i64 = 1 << 30;

/// A value that all work-items of a launch have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Leaf {
    /// A word of 32 bits of the push constants or the uniform buffer.
    Word(VariableId, u32),
    /// Two of them.
    Wide(VariableId, u32),
    /// The size of the work-group in a dimension.
    Size(u8),
    /// The number of work-groups of the dispatch in a dimension.
    Groups(u8),
    Spec(u32),
}

/// Products of leaves, with their factors. Without any it is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Polynomial(BTreeMap<Vec<Leaf>, i64>);

impl Polynomial {
    fn constant(number: i64) -> Polynomial {
        Polynomial(std::iter::once((Vec::new(), number)).filter(|(_, number)| *number != 0).collect())
    }

    fn leaf(leaf: Leaf) -> Polynomial {
        Polynomial(std::iter::once((vec![leaf], 1)).collect())
    }

    /// The products, with their factors.
    pub fn products(&self) -> impl Iterator<Item = (&[Leaf], i64)> {
        self.0.iter().map(|(leaves, factor)| (leaves.as_slice(), *factor))
    }

    /// The number that it is, if it is constant.
    pub fn as_constant(&self) -> Option<i64> {
        match self.0.len() {
            0 => Some(0),
            1 => self.0.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// Takes out what is constant.
    fn take_constant(&mut self) -> i64 {
        self.0.remove(&Vec::new()).unwrap_or(0)
    }

    fn add(&mut self, other: &Polynomial, factor: i64) -> Option<()> {
        for (leaves, number) in &other.0 {
            let sum = self.0.entry(leaves.clone()).or_default();
            *sum = sum.wrapping_add(number.wrapping_mul(factor));
        }
        self.0.retain(|_, number| *number != 0);
        (self.0.len() <= MOST_PRODUCTS).then_some(())
    }

    fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::default();
        for (leaves, number) in &self.0 {
            for (more, factor) in &other.0 {
                let mut all = [leaves.as_slice(), more].concat();
                all.sort_unstable();
                if all.len() > MOST_FACTORS {
                    return None;
                }
                product.add(&Polynomial(std::iter::once((all, 1)).collect()), number.wrapping_mul(*factor))?;
            }
        }
        Some(product)
    }

    fn has(&self, wanted: impl Fn(&Leaf) -> bool) -> bool {
        self.0.keys().flatten().any(wanted)
    }
}

/// How often a counter may have been increased: `room / step`, or never if there is no room. A negative room of an unsigned counter
/// is a large one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Trips {
    pub room: Polynomial,
    pub step: Polynomial,
    pub is_signed: bool,
}

impl Trips {
    fn as_constant(&self) -> Option<i64> {
        let (room, step) = (self.room.as_constant()?, self.step.as_constant()?);
        let is_small = step > 0 && step <= MOST_COUNTED && room <= MOST_COUNTED && (self.is_signed || room >= 0);
        is_small.then(|| room.max(0) / step)
    }
}

/// Coefficients of the ids of each dimension, and the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Sum {
    /// Of the invocation's id in the dispatch, of the id in the group, and of the group's id in the dispatch.
    ids: [[Polynomial; 3]; 3],
    rest: Polynomial,
    /// Of how often counters have been increased.
    counted: BTreeMap<Value, (Polynomial, Trips)>,
}

impl Sum {
    fn of_rest(rest: Polynomial) -> Sum {
        Sum { rest, ..Sum::default() }
    }

    fn add(&mut self, other: &Sum, factor: i64) -> Option<()> {
        for (sum, more) in self.ids.iter_mut().flatten().zip(other.ids.iter().flatten()) {
            sum.add(more, factor)?;
        }
        for (counter, (coefficient, trips)) in &other.counted {
            let entry = self.counted.entry(*counter).or_insert_with(|| (Polynomial::default(), trips.clone()));
            entry.0.add(coefficient, factor)?;
        }
        self.counted.retain(|_, (coefficient, _)| *coefficient != Polynomial::default());
        self.rest.add(&other.rest, factor)
    }

    /// The rest, if there is nothing else.
    fn as_rest(&self) -> Option<&Polynomial> {
        let has_ids = self.ids.iter().flatten().any(|polynomial| *polynomial != Polynomial::default());
        (!has_ids && self.counted.is_empty()).then_some(&self.rest)
    }

    /// The product, if one of them is nothing but a rest.
    fn times(&self, other: &Sum) -> Option<Sum> {
        let (sum, factor) = match (self.as_rest(), other.as_rest()) {
            (_, Some(factor)) => (self, factor),
            (Some(factor), None) => (other, factor),
            (None, None) => return None,
        };
        let mut product = Sum::of_rest(sum.rest.times(factor)?);
        for (to, from) in product.ids.iter_mut().flatten().zip(sum.ids.iter().flatten()) {
            *to = from.times(factor)?;
        }
        for (counter, (coefficient, trips)) in &sum.counted {
            product.counted.insert(*counter, (coefficient.times(factor)?, trips.clone()));
        }
        Some(product)
    }

    /// All of its polynomials.
    fn polynomials(&self) -> impl Iterator<Item = &Polynomial> {
        let counted = self.counted.values().map(|(coefficient, _)| coefficient);
        self.ids.iter().flatten().chain([&self.rest]).chain(counted)
    }
}

/// Where a work-item accesses an object: `at` bytes from a place that is the work-item's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Map {
    /// Coefficients of the id in the group, then of the group's id, of each dimension.
    pub ids: [[Polynomial; 3]; 2],
    rest: Polynomial,
    /// What counters of loops add besides: so many times each of these.
    pub counted: BTreeMap<Polynomial, BTreeSet<Trips>>,
}

impl Map {
    /// Whether it differs from another one in nothing but counters.
    pub fn is_similar(&self, other: &Map) -> bool {
        self.ids == other.ids && self.rest == other.rest
    }

    /// The least constant that an id is multiplied by.
    fn unit(&self) -> Option<i64> {
        self.ids.iter().flatten().filter_map(Polynomial::as_constant).filter(|number| *number > 0).min()
    }

    /// Adds a counter; the first and the last byte that it moves the address by.
    fn count(&mut self, coefficient: Polynomial, trips: Trips) -> Option<(i64, i64)> {
        let mut ends = (0, 0);
        let mut coefficient = coefficient;
        if let (Some(bytes), Some(times)) = (coefficient.as_constant(), trips.as_constant()) {
            let reach = bytes.checked_mul(times)?;
            if self.unit().is_none_or(|unit| bytes.unsigned_abs() < unit.unsigned_abs()) {
                return Some((reach.min(0), reach.max(0)));
            }
            if bytes < 0 {
                ends = (reach, reach);
                coefficient = Polynomial::constant(bytes.checked_neg()?);
            }
        }
        if coefficient.as_constant().is_some_and(|bytes| bytes < 0) {
            return None;
        }
        let is_new = self.counted.insert(coefficient, BTreeSet::from([trips])).is_none();
        is_new.then_some(ends)
    }
}

/// What is known of the values in a function.
pub(super) struct Linear<'f> {
    pub module: &'f Module,
    pub interface: &'f ModuleInterface,
    pub function: &'f Function,
    pub counters: &'f Counters,
}

/// The instruction that uses a value, and how many operations may still be looked at.
struct Search {
    access: InstId,
    steps: u32,
}

impl Search {
    fn step(&mut self) -> Option<()> {
        self.steps = self.steps.checked_sub(1)?;
        Some(())
    }
}

impl Linear<'_> {
    /// The map of an address that an instruction accesses, and the least and the most bytes that are added to it, where both are
    /// known. In local memory the group's id is the same for all.
    pub fn map(&self, access: InstId, ptr: Value, is_local: bool) -> Option<(Map, (i64, i64))> {
        let mut ptr = ptr;
        let mut search = Search { access, steps: MOST_STEPS };
        let mut sum = Sum::default();
        loop {
            search.step()?;
            match self.function.op(ptr)? {
                Op::PtrAdd { base, index, stride, displacement } => {
                    sum.rest.add(&Polynomial::constant(*displacement), 1)?;
                    if let Some(index) = index {
                        sum.add(&self.sum(*index, &mut search)?, *stride)?;
                    }
                    ptr = *base;
                }
                Op::Convert { op: ConvertOp::PtrCast, operand } => ptr = *operand,
                Op::GlobalAddress(_) => break,
                Op::Convert { op: ConvertOp::IntToPtr, operand } if self.wide(*operand).is_some() => break,
                _ => return None,
            }
        }
        self.by_groups(sum, is_local)
    }

    /// With ids of dispatches as those of the group and in the group. What a region begins with goes with them.
    fn by_groups(&self, mut sum: Sum, is_local: bool) -> Option<(Map, (i64, i64))> {
        let [global, local, group] = sum.ids;
        let mut ids = [local, group.clone()];
        for dim in 0..3_u8 {
            let at = usize::from(dim);
            ids[0][at].add(&global[at], 1)?;
            ids[1][at].add(&global[at].times(&Polynomial::leaf(Leaf::Size(dim)))?, 1)?;
            if is_local {
                continue;
            }
            for (coefficient, kind) in
                [(&global[at], PushConstantKind::RegionOffset), (&group[at], PushConstantKind::RegionGroupOffset)]
            {
                if let Some(leaf) = self.region(kind, dim) {
                    sum.rest.add(&coefficient.times(&Polynomial::leaf(leaf))?, -1)?;
                }
            }
        }
        if is_local {
            ids[1] = <[Polynomial; 3]>::default();
        } else {
            let mut all = ids.iter().flatten().chain([&sum.rest]);
            if all.any(|polynomial| self.depends_on_region(polynomial)) {
                return None;
            }
        }
        let at = sum.rest.take_constant();
        let mut map = Map { ids, rest: sum.rest, counted: BTreeMap::new() };
        let mut ends = (at, at);
        for (coefficient, trips) in sum.counted.into_values() {
            if [&coefficient, &trips.room, &trips.step].into_iter().any(|polynomial| self.depends_on_region(polynomial))
            {
                return None;
            }
            let (first, last) = map.count(coefficient, trips)?;
            ends = (ends.0.checked_add(first)?, ends.1.checked_add(last)?);
        }
        Some((map, ends))
    }

    /// Where a region of the launch begins.
    fn region(&self, kind: PushConstantKind, dim: u8) -> Option<Leaf> {
        let constant = self.interface.push_constants.iter().find(|constant| constant.kind == kind)?;
        let word = constant.place(dim) / 4;
        let variable = self.module.variables.position(|variable| variable.storage == Storage::PushConstant)?;
        Some(if constant.is_wide() { Leaf::Wide(variable, word) } else { Leaf::Word(variable, word) })
    }

    fn is_of_region(&self, leaf: Leaf) -> bool {
        use PushConstantKind::{RegionGroupOffset, RegionOffset};
        let kinds = [RegionOffset, RegionGroupOffset];
        kinds.into_iter().any(|kind| (0..3).any(|dim| self.region(kind, dim) == Some(leaf)))
    }

    /// Whether a polynomial may differ between the regions of a launch.
    fn depends_on_region(&self, polynomial: &Polynomial) -> bool {
        polynomial.has(|leaf| self.is_of_region(*leaf))
    }

    /// What a counter of a loop is: what it begins with, and how often it is increased.
    fn counter(&self, value: Value, counter: &Counter, search: &mut Search) -> Option<Sum> {
        let mut sum = self.sum(counter.first, search)?;
        let step = self.sum(counter.step, search)?.as_rest()?.clone();
        let limit = self.sum(counter.limit, search)?;
        let begin = sum.as_rest().filter(|begin| !self.depends_on_region(begin));
        let (outside, is_signed) = (Polynomial::constant(i64::from(!counter.is_inclusive)), counter.is_signed);
        let (coefficient, trips) = if counter.is_down {
            let mut room = begin?.clone();
            room.add(limit.as_rest()?, -1)?;
            room.add(&outside, -1)?;
            // `k--` is an addition of -1.
            let falls_by = step.as_constant()?.checked_abs()?;
            if !is_signed {
                // Else it may fall below zero, to a number that passes the test.
                let mut least = limit.as_rest()?.clone();
                least.add(&outside, 1)?;
                least.as_constant().filter(|least| *least >= falls_by)?;
            }
            (Polynomial::constant(-falls_by), Trips { room, step: Polynomial::constant(falls_by), is_signed })
        } else {
            let mut room = limit.as_rest()?.clone();
            room.add(&outside, -1)?;
            match begin {
                Some(begin) => room.add(begin, -1)?,
                // It begins with no less than 0.
                None if sum.polynomials().all(|polynomial| self.is_never_negative(polynomial)) => {}
                None => return None,
            }
            (step.clone(), Trips { room, step, is_signed })
        };
        sum.add(&Sum { counted: BTreeMap::from([(value, (coefficient, trips))]), ..Sum::default() }, 1)?;
        Some(sum)
    }

    /// Whether a polynomial is a sum of products that are not negative.
    fn is_never_negative(&self, polynomial: &Polynomial) -> bool {
        let is_count = |leaf: &Leaf| matches!(leaf, Leaf::Size(_) | Leaf::Groups(_)) || self.is_of_region(*leaf);
        polynomial.products().all(|(leaves, factor)| factor >= 0 && leaves.iter().all(is_count))
    }

    /// A value as a sum.
    fn sum(&self, value: Value, search: &mut Search) -> Option<Sum> {
        search.step()?;
        if let Some(counter) = self.counters.at(value, search.access) {
            return self.counter(value, counter, search);
        }
        let function = self.function;
        let ty = function.ty(value);
        if ty.lanes != 1 || !ty.scalar.is_int() || ty.scalar.bits() < 32 {
            return None;
        }
        if let Some(bits) = function.as_int(value) {
            return Some(Sum::of_rest(Polynomial::constant(constant::sign_extend(ty.scalar, bits))));
        }
        match function.op(value)? {
            Op::Convert { op: ConvertOp::ZExt | ConvertOp::SExt | ConvertOp::Trunc, operand } => {
                self.sum(*operand, search)
            }
            Op::Convert { op: ConvertOp::Bitcast, .. } => Some(Sum::of_rest(Polynomial::leaf(self.wide(value)?))),
            Op::Binary { op, lhs, rhs } => {
                let (mut lhs, rhs) = (self.sum(*lhs, search)?, self.sum(*rhs, search)?);
                match op {
                    BinaryOp::Add => lhs.add(&rhs, 1)?,
                    BinaryOp::Sub => lhs.add(&rhs, -1)?,
                    BinaryOp::Mul => lhs = lhs.times(&rhs)?,
                    BinaryOp::Shl => {
                        let mut count = rhs.rest.clone();
                        let bits = u32::try_from(count.take_constant()).ok().filter(|bits| *bits < 32)?;
                        if rhs != Sum::of_rest(Polynomial::constant(bits.into())) {
                            return None;
                        }
                        lhs = lhs.times(&Sum::of_rest(Polynomial::constant(1 << bits)))?;
                    }
                    _ => return None,
                }
                Some(lhs)
            }
            Op::Input { input, dim } => self.input(*input, *dim),
            Op::SpecConstant(id) => Some(Sum::of_rest(Polynomial::leaf(Leaf::Spec(*id)))),
            Op::VariableLoad { .. } => {
                let (variable, word) = self.word(value)?;
                Some(Sum::of_rest(Polynomial::leaf(Leaf::Word(variable, word))))
            }
            _ => None,
        }
    }

    fn input(&self, input: Input, dim: u8) -> Option<Sum> {
        let mut sum = Sum::default();
        let one = || Polynomial::constant(1);
        let at = usize::from(dim);
        match input {
            Input::GlobalInvocationId => *sum.ids[0].get_mut(at)? = one(),
            Input::LocalInvocationId => *sum.ids[1].get_mut(at)? = one(),
            Input::WorkgroupId => *sum.ids[2].get_mut(at)? = one(),
            Input::LocalInvocationIndex => {
                let (x, y) = (Polynomial::leaf(Leaf::Size(0)), Polynomial::leaf(Leaf::Size(1)));
                let plane = x.times(&y)?;
                sum.ids[1] = [one(), x, plane];
            }
            Input::WorkgroupSize => sum.rest = Polynomial::leaf(Leaf::Size(dim)),
            Input::NumWorkgroups => sum.rest = Polynomial::leaf(Leaf::Groups(dim)),
            _ => return None,
        }
        Some(sum)
    }

    /// A word that the host gives.
    fn word(&self, value: Value) -> Option<(VariableId, u32)> {
        let Op::VariableLoad { variable, index: Some(index) } = self.function.op(value)? else { return None };
        let storage = self.module.variables[*variable].storage;
        let is_given = matches!(storage, Storage::PushConstant | Storage::Uniform { .. });
        let index = u32::try_from(self.function.as_int(*index)?).ok()?;
        is_given.then_some((*variable, index))
    }

    /// Two words that the host gives, one after the other.
    fn wide(&self, value: Value) -> Option<Leaf> {
        let Op::Convert { op: ConvertOp::Bitcast, operand } = self.function.op(value)? else { return None };
        let Op::Construct { elements } = self.function.op(*operand)? else { return None };
        let [low, high] = elements[..] else { return None };
        let ((variable, low), high) = (self.word(low)?, self.word(high)?);
        (high == (variable, low + 1)).then_some(Leaf::Wide(variable, low))
    }
}

/// Computes polynomials.
pub(super) fn evaluate(b: &mut Builder<'_>, polynomial: &Polynomial) -> Value {
    let mut sum = b.int(Type::I64, 0);
    for (leaves, factor) in polynomial.products() {
        let mut product = b.int(Type::I64, factor);
        for leaf in leaves {
            let value = load(b, *leaf);
            product = b.binary(BinaryOp::Mul, product, value);
        }
        sum = b.binary(BinaryOp::Add, sum, product);
    }
    sum
}

/// The value of a leaf.
fn load(b: &mut Builder<'_>, leaf: Leaf) -> Value {
    let word = |b: &mut Builder<'_>, variable: VariableId, word: u32| {
        let index = b.int(Type::I32, word.into());
        b.push(Op::VariableLoad { variable, index: Some(index) }, &[Type::I32])[0]
    };
    let (value, is_signed) = match leaf {
        Leaf::Word(variable, at) => (word(b, variable, at), true),
        Leaf::Wide(variable, at) => {
            let (low, high) = (word(b, variable, at), word(b, variable, at + 1));
            let both = b.construct(&[low, high]);
            return b.bitcast(both, Type::I64);
        }
        Leaf::Size(dim) => (b.emit(Op::Input { input: Input::WorkgroupSize, dim }, Type::I32), false),
        Leaf::Groups(dim) => (b.emit(Op::Input { input: Input::NumWorkgroups, dim }, Type::I32), false),
        Leaf::Spec(id) => (b.emit(Op::SpecConstant(id), Type::I32), true),
    };
    b.resize(value, ScalarType::I64, is_signed)
}
