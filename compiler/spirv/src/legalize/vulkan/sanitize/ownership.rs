//! Which accesses need no marks of the race sanitizer, since no other work-item's access can be in conflict with them.
//!
//! Two accesses to the same object are in conflict if one of them writes and not both are atomic, and, in local memory, if they may
//! be in the same interval between barriers ([`super::intervals`]). An access without such partners needs no marks. Nor does
//! one all of whose partners, and itself, are where the same map of ids says ([`super::linear`]), if that map gives
//! each work-item its own bytes, whatever the counters of loops around the accesses are. Whether it does depends on the sizes
//! of the launch and on arguments, so the kernel finds out where it begins ([`Condition`]).
//!
//! Buffers that are given for two arguments are one object: accesses to one that the kernel writes are left out only if no
//! other such argument is the same memory.

use super::Plan;
use super::intervals::Intervals;
use super::linear::{Linear, MOST_COUNTED, Map, Polynomial, Trips, evaluate};
use crate::interface::{ModuleInterface, PushConstant, PushConstantKind};
use crate::legalize::vulkan::counters::Counters;
use crate::legalize::vulkan::findings::Recorder;
use crate::legalize::vulkan::findings_buffer::push_constant;
use crate::legalize::vulkan::memory::origins::Root;
use clforge_basic::narrow::to_i64;
use clforge_ir::*;
use rustc_hash::FxHashMap;

/// Most accesses of a kernel that are compared with each other.
const MOST_ACCESSES: usize = 400;
/// The bytes that a map may spread over, so that nothing overflows.
const MOST_BYTES: i64 = 1 << 31;

/// When an access needs no marks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Condition {
    /// The map, and the bytes that it must leave to each work-item.
    map: Option<(Map, i64)>,
    is_local: bool,
    /// An argument, and others that must be of other memory.
    apart: Option<(u32, Vec<u32>)>,
}

/// What is known of the accesses of a kernel.
#[derive(Default)]
pub(super) struct Ownership {
    /// The accesses that may need none, by the number of the condition; `None` if they never do.
    free: FxHashMap<InstId, Option<usize>>,
    conditions: Vec<Condition>,
    /// The values of the conditions.
    values: Vec<Value>,
}

struct Access {
    id: InstId,
    is_local: bool,
    writes: bool,
    is_atomic: bool,
    /// `None` if they are not all known.
    roots: Option<Vec<Root>>,
    /// With the least and the most bytes that are added to it.
    map: Option<(Map, (i64, i64))>,
    bytes: i64,
}

impl Access {
    fn is_in_conflict(&self, other: &Access, intervals: &Intervals) -> bool {
        let is_same = match (&self.roots, &other.roots) {
            (Some(roots), Some(others)) => roots.iter().any(|root| others.contains(root)),
            _ => true,
        };
        let is_ordered = self.is_local && !intervals.may_share(self.id, other.id);
        let is_harmless = !self.writes && !other.writes || self.is_atomic && other.is_atomic;
        self.is_local == other.is_local && is_same && !is_ordered && !is_harmless
    }

    /// Its one root.
    fn root(&self) -> Option<Root> {
        self.roots.as_ref().and_then(|roots| roots.first().filter(|_| roots.len() == 1)).copied()
    }
}

impl Ownership {
    /// Finds the accesses of a kernel.
    pub fn of(
        plan: &Plan,
        module: &Module,
        interface: &ModuleInterface,
        function: &Function,
        id: FunctionId,
    ) -> Ownership {
        let mut found = Ownership::default();
        if plan.has_copies() {
            return found;
        }
        let counters = Counters::of(function);
        let accesses = accesses(plan, &Linear { module, interface, function, counters: &counters }, id);
        if accesses.len() > MOST_ACCESSES {
            return found;
        }
        let intervals = Intervals::of(function);
        for access in &accesses {
            let partners: Vec<&Access> =
                accesses.iter().filter(|other| access.is_in_conflict(other, &intervals)).collect();
            let map = match partners[..] {
                [] => Some(None),
                _ => common_map(access, &partners).map(Some),
            };
            let (Some(map), Some(apart)) = (map, apart(access, &accesses)) else { continue };
            let number = if map.is_none() && apart.is_none() {
                None
            } else {
                Some(found.condition(Condition { map, is_local: access.is_local, apart }))
            };
            found.free.insert(access.id, number);
        }
        found
    }

    /// The number of a condition.
    fn condition(&mut self, condition: Condition) -> usize {
        self.conditions.iter().position(|known| *known == condition).unwrap_or_else(|| {
            self.conditions.push(condition);
            self.conditions.len() - 1
        })
    }

    /// Computes the conditions where the kernel begins.
    pub fn begin(&mut self, b: &mut Builder<'_>, interface: &ModuleInterface, recorder: Recorder) -> Result<(), Error> {
        for condition in &self.conditions {
            let mut holds = b.int(Type::BOOL, 1);
            if let Some((map, block)) = &condition.map {
                let sizes = Sizes::of(b, interface, recorder, condition.is_local)?;
                let is_own = sizes.gives_each_its_own(b, map, *block);
                holds = b.binary(BinaryOp::And, holds, is_own);
            }
            if let Some((argument, others)) = &condition.apart {
                let (first, end) = recorder.buffer.range(b, *argument);
                for other in others {
                    let (other_first, other_end) = recorder.buffer.range(b, *other);
                    let (behind, before) =
                        (b.compare(CompareOp::UGe, first, other_end), b.compare(CompareOp::ULe, end, other_first));
                    let is_apart = b.binary(BinaryOp::Or, behind, before);
                    holds = b.binary(BinaryOp::And, holds, is_apart);
                }
            }
            self.values.push(holds);
        }
        Ok(())
    }

    /// Whether an access may need no marks: never, always (`Some(None)`), or where a condition holds.
    pub fn when_free(&self, access: InstId) -> Option<Option<Value>> {
        let number = self.free.get(&access)?;
        match number {
            None => Some(None),
            Some(number) => self.values.get(*number).map(|value| Some(*value)),
        }
    }
}

/// The accesses of a kernel to global and local memory.
fn accesses(plan: &Plan, linear: &Linear<'_>, id: FunctionId) -> Vec<Access> {
    let function = linear.function;
    let mut accesses = Vec::new();
    function.walk_body(|inst_id, inst| {
        let (ptr, value, writes, is_atomic) = match &inst.op {
            Op::Load { ptr, volatile, .. } => (*ptr, inst.results.first().copied(), false, *volatile),
            Op::Store { ptr, value, .. } => (*ptr, Some(*value), true, false),
            Op::Atomic { op, ptr, operands, .. } => {
                (*ptr, inst.results.first().or(operands.first()).copied(), *op != AtomicOp::Load, true)
            }
            _ => return,
        };
        let is_local = match function.ty(ptr).space() {
            Some(Space::Local) => true,
            Some(Space::Global) => false,
            _ => return,
        };
        let bytes = value.map_or(0, |value| to_i64(function.ty(value).access_size()));
        let roots = plan.origins.of(id, ptr).roots().map(<[Root]>::to_vec);
        let map = linear.map(inst_id, ptr, is_local);
        accesses.push(Access { id: inst_id, is_local, writes, is_atomic, roots, map, bytes });
    });
    accesses
}

/// The map that an access and all its partners have in common, with the counters of all, and the bytes from the first to the
/// last that they access of it.
fn common_map(access: &Access, partners: &[&Access]) -> Option<(Map, i64)> {
    let root = access.root()?;
    let (map, (first, last)) = access.map.as_ref()?;
    let (mut map, mut first, mut end) = (map.clone(), *first, last.checked_add(access.bytes)?);
    for partner in partners {
        let (other, (other_first, other_last)) = partner.map.as_ref()?;
        if partner.root() != Some(root) || !other.is_similar(&map) {
            return None;
        }
        for (coefficient, trips) in &other.counted {
            map.counted.entry(coefficient.clone()).or_default().extend(trips.iter().cloned());
        }
        (first, end) = (first.min(*other_first), end.max(other_last.checked_add(partner.bytes)?));
    }
    Some((map, end.checked_sub(first)?))
}

/// The other arguments that must be of other memory than the one that is accessed; `None` where it is not known what is written.
fn apart(access: &Access, accesses: &[Access]) -> Option<Option<(u32, Vec<u32>)>> {
    if access.is_local {
        return Some(None);
    }
    let mut written = Vec::new();
    for other in accesses.iter().filter(|other| other.writes && !other.is_local) {
        written.extend(other.roots.as_ref()?.iter().copied());
    }
    let Some(Root::Argument(argument)) = access.root() else { return Some(None) };
    if !written.contains(&Root::Argument(argument)) {
        return Some(None);
    }
    let mut others: Vec<u32> = written
        .into_iter()
        .filter_map(|root| match root {
            Root::Argument(other) if other != argument => Some(other),
            _ => None,
        })
        .collect();
    others.sort_unstable();
    others.dedup();
    Some((!others.is_empty()).then_some((argument, others)))
}

/// How many ids there are of each kind in each dimension.
struct Sizes {
    /// Of work-items of a group, and of groups where those matter.
    ids: Vec<[Value; 3]>,
    /// Whether all groups have the same size.
    are_even: Value,
}

impl Sizes {
    fn of(
        b: &mut Builder<'_>,
        interface: &ModuleInterface,
        recorder: Recorder,
        is_local: bool,
    ) -> Result<Sizes, Error> {
        let local = [0, 1, 2].map(|dim| {
            let size = b.emit(Op::Input { input: Input::WorkgroupSize, dim }, Type::I32);
            b.resize(size, ScalarType::I64, false)
        });
        let mut are_even = b.int(Type::BOOL, 1);
        if is_local {
            return Ok(Sizes { ids: vec![local], are_even });
        }
        let groups = push_constant(interface, PushConstantKind::NumWorkgroups)?;
        let global = push_constant(interface, PushConstantKind::GlobalSize)?;
        let load = |b: &mut Builder<'_>, constant: PushConstant, dim: u8| {
            let ty = if constant.is_wide() { Type::I64 } else { Type::I32 };
            let value = recorder.buffer.load(b, constant.place(dim), ty);
            b.resize(value, ScalarType::I64, false)
        };
        let groups = [0, 1, 2].map(|dim| load(b, groups, dim));
        for dim in 0..3_u8 {
            let at = usize::from(dim);
            let all = b.binary(BinaryOp::Mul, local[at], groups[at]);
            let items = load(b, global, dim);
            let is_even = b.compare(CompareOp::Eq, all, items);
            are_even = b.binary(BinaryOp::And, are_even, is_even);
        }
        Ok(Sizes { ids: vec![local, groups], are_even })
    }

    /// Whether a map gives each work-item `block` bytes that no other one has, for each number that a counter may have: as the
    /// digits of a number, each coefficient is greater than all that the ids and counters with smaller ones add up to.
    fn gives_each_its_own(&self, b: &mut Builder<'_>, map: &Map, block: i64) -> Value {
        let mut digits: Vec<(Value, Value)> = Vec::new();
        let zero = b.int(Type::I64, 0);
        let mut good = self.are_even;
        for (coefficients, sizes) in map.ids.iter().zip(&self.ids) {
            for (coefficient, size) in coefficients.iter().zip(sizes) {
                let last = b.binary_int(BinaryOp::Sub, *size, 1);
                if *coefficient == Polynomial::default() {
                    // All that differ in nothing else have the same bytes.
                    let is_one = b.compare(CompareOp::Eq, last, zero);
                    good = b.binary(BinaryOp::And, good, is_one);
                    continue;
                }
                let coefficient = evaluate(b, coefficient);
                digits.push((coefficient, last));
            }
        }
        for (coefficient, trips) in &map.counted {
            let mut last = zero;
            for trips in trips {
                let times = most(b, trips, &mut good);
                let is_more = b.compare(CompareOp::SGt, times, last);
                last = b.select(is_more, times, last);
            }
            digits.push((evaluate(b, coefficient), last));
        }
        let mut total = b.int(Type::I64, block);
        for (at, (coefficient, last)) in digits.iter().enumerate() {
            let mut least = b.int(Type::I64, block);
            for (other_at, (other, other_last)) in digits.iter().enumerate() {
                if other_at != at {
                    let is_less = b.compare(CompareOp::SLe, *other, *coefficient);
                    let reach = b.binary(BinaryOp::Mul, *other, *other_last);
                    let reach = b.select(is_less, reach, zero);
                    least = b.binary(BinaryOp::Add, least, reach);
                }
            }
            let is_enough = b.compare(CompareOp::SGe, *coefficient, least);
            let is_small = b.compare_int(CompareOp::SLe, *coefficient, MOST_BYTES);
            let is_good = b.binary(BinaryOp::And, is_enough, is_small);
            let is_one = b.compare(CompareOp::Eq, *last, zero);
            let is_good = b.binary(BinaryOp::Or, is_good, is_one);
            good = b.binary(BinaryOp::And, good, is_good);
            let reach = b.binary(BinaryOp::Mul, *coefficient, *last);
            total = b.binary(BinaryOp::Add, total, reach);
        }
        let is_small = b.compare_int(CompareOp::ULe, total, MOST_BYTES);
        b.binary(BinaryOp::And, good, is_small)
    }
}

/// How often a counter may be increased. It is good if that is a number without overflows.
fn most(b: &mut Builder<'_>, trips: &Trips, good: &mut Value) -> Value {
    let [room, step] = [&trips.room, &trips.step].map(|polynomial| evaluate(b, polynomial));
    let (zero, one) = (b.int(Type::I64, 0), b.int(Type::I64, 1));
    let is_positive = b.compare(CompareOp::SGt, step, zero);
    let are_small = [room, step].map(|value| b.compare_int(CompareOp::SLe, value, MOST_COUNTED));
    for condition in [is_positive, are_small[0], are_small[1]] {
        *good = b.binary(BinaryOp::And, *good, condition);
    }
    if !trips.is_signed {
        let is_number = b.compare(CompareOp::SGe, room, zero);
        *good = b.binary(BinaryOp::And, *good, is_number);
    }
    let is_some = b.compare(CompareOp::SGt, room, zero);
    let room = b.select(is_some, room, zero);
    let step = b.select(is_positive, step, one);
    if b.function.as_int(step) == Some(1) { room } else { b.binary(BinaryOp::UDiv, room, step) }
}
