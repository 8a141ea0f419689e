//! An upper bound of the iterations of a kernel's loops, as an expression of what a launch knows.
//!
//! An expression is a list of nodes, each after those that it refers to; the last one is the bound. A node's value is an
//! interval: of an integer of so many bits in its signed interpretation, or of a count, whose lower end is 0. An operation
//! whose result may not fit the type has the whole range of the type. So the bound is right whatever the program computes, and
//! says nothing ([`UNBOUNDED`]) where it does not know better.

/// The count that is more than any.
pub const UNBOUNDED: u64 = u64::MAX;
/// The most nodes of an expression.
pub const MAX_NODES: usize = 512;

/// An upper bound of the iterations that the loops of a work-item make together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IterationBound {
    nodes: Vec<Node>,
}

/// A node of an expression. Operands are the positions of other nodes unless its operation says otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// What it computes.
    pub op: NodeOp,
    /// Bits of the integer, from 1 to 64; 64 of a count.
    pub bits: u8,
    /// The operands; those that the operation does not have are 0.
    pub operands: [u32; 3],
}

macro_rules! node_ops {
    ($($(#[$doc:meta])* $name:ident = $operands:literal;)*) => {
        /// What a node computes. Dimensions are 0 to 2.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum NodeOp {
            $($(#[$doc])* $name,)*
        }

        impl NodeOp {
            const ALL: &[(NodeOp, usize)] = &[$((NodeOp::$name, $operands),)*];

            /// How many of the operands are nodes.
            fn nodes(self) -> usize {
                NodeOp::ALL[self as usize].1
            }
        }
    };
}

node_ops! {
    /// Not known.
    Any = 0;
    /// The lower and the upper word.
    Constant = 0;
    /// 32 bits of an argument: its position, the byte.
    Argument = 0;
    /// `get_local_size`: of any work-group of the launch.
    LocalSize = 0;
    /// `get_enqueued_local_size`.
    EnqueuedLocalSize = 0;
    /// `get_local_id`.
    LocalId = 0;
    /// A global id with or without the launch's offset, or the first one of a part of the launch.
    GlobalId = 0;
    /// `get_global_size`.
    GlobalSize = 0;
    /// `get_global_offset`.
    GlobalOffset = 0;
    /// `get_group_id`, or the first one of a part of the launch.
    GroupId = 0;
    /// `get_num_groups`.
    GroupCount = 0;
    /// Two words of 32 bits: the lower and the upper half.
    Join = 2;
    /// Either of two values.
    Either = 2;
    /// Sum.
    Add = 2;
    /// Difference.
    Sub = 2;
    /// Product.
    Mul = 2;
    /// Unsigned quotient.
    UDiv = 2;
    /// Signed quotient.
    SDiv = 2;
    /// Unsigned remainder.
    URem = 2;
    /// Signed remainder.
    SRem = 2;
    /// Shift to the left.
    Shl = 2;
    /// Logical shift to the right.
    LShr = 2;
    /// Arithmetic shift to the right.
    AShr = 2;
    /// Bitwise and.
    And = 2;
    /// Bitwise or, and exclusive or.
    Or = 2;
    /// The lesser of two signed values.
    SMin = 2;
    /// The greater of two signed values.
    SMax = 2;
    /// To fewer bits.
    Trunc = 1;
    /// To more bits.
    SExt = 1;
    /// To more bits.
    ZExt = 1;
    /// The values of a counter that begins with the first operand and grows by the third one while it is not greater than the
    /// second one, in signed arithmetic.
    Rising = 3;
    /// It falls while it is not less.
    Falling = 3;
    /// In unsigned arithmetic.
    RisingUnsigned = 3;
    /// In unsigned arithmetic.
    FallingUnsigned = 3;
    /// The tests of a loop whose counter begins with the first operand and grows by the third one, as long as it is less than
    /// the second one, in signed arithmetic.
    TripsSLt = 3;
    /// As long as it is not greater.
    TripsSLe = 3;
    /// The counter falls: the third operand is negative.
    TripsSGt = 3;
    /// As long as it is not less.
    TripsSGe = 3;
    /// In unsigned arithmetic.
    TripsULt = 3;
    /// In unsigned arithmetic.
    TripsULe = 3;
    /// In unsigned arithmetic.
    TripsUGt = 3;
    /// In unsigned arithmetic.
    TripsUGe = 3;
    /// As long as it is not equal.
    TripsNe = 3;
    /// The tests of a loop whose counter begins with the first operand and is multiplied by the third one, at least 2, as long
    /// as it is less than the second one.
    Doublings = 3;
    /// Sum of counts.
    Sum = 2;
    /// Product of counts.
    Product = 2;
    /// The lesser of two counts.
    Least = 2;
}

/// What is known of a launch. What is not known may be anything.
#[derive(Clone, Copy)]
pub struct LaunchFacts<'l> {
    /// 32 bits of an argument, of its position, from a byte on; `None` where they are not known.
    pub argument: &'l dyn Fn(u32, u32) -> Option<u32>,
    /// The global size.
    pub global: [Option<u64>; 3],
    /// The global offset.
    pub offset: [Option<u64>; 3],
    /// The local size.
    pub local: [Option<u32>; 3],
}

impl LaunchFacts<'static> {
    /// Nothing is known.
    pub const NONE: LaunchFacts<'static> =
        LaunchFacts { argument: &|_, _| None, global: [None; 3], offset: [None; 3], local: [None; 3] };
    /// All arguments, sizes and offsets are 1: tells whether a bound depends on nothing but what a launch knows.
    pub const ONES: LaunchFacts<'static> =
        LaunchFacts { argument: &|_, _| Some(1), global: [Some(1); 3], offset: [Some(1); 3], local: [Some(1); 3] };
}

/// The most work-items of a work-group of any device, and the most in a dimension where the global size is not known.
const MAX_LOCAL: u64 = 1 << 16;
const MAX_GLOBAL: u64 = 1 << 62;

impl IterationBound {
    /// An expression; `None` if a node refers to one that is not before it, has no bits, or there are none or more than
    /// [`MAX_NODES`].
    pub fn new(nodes: Vec<Node>) -> Option<IterationBound> {
        let refers_back = |(index, node): (usize, &Node)| {
            let operands = node.operands.iter().take(node.op.nodes());
            (1..=64).contains(&node.bits) && operands.into_iter().all(|operand| (*operand as usize) < index)
        };
        let is_valid = (1..=MAX_NODES).contains(&nodes.len()) && nodes.iter().enumerate().all(refers_back);
        is_valid.then_some(IterationBound { nodes })
    }

    /// The expression in words of a module's reflection.
    pub fn to_words(&self) -> Vec<u32> {
        let words = |node: &Node| {
            let [a, b, c] = node.operands;
            [node.op as u32 | u32::from(node.bits) << 16, a, b, c]
        };
        self.nodes.iter().flat_map(words).collect()
    }

    /// Reads the words; `None` if they are no expression.
    pub fn from_words(words: &[u32]) -> Option<IterationBound> {
        let (nodes, rest) = words.as_chunks::<4>();
        let node = |[head, a, b, c]: &[u32; 4]| {
            let (op, _) = NodeOp::ALL.get((head & 0xffff) as usize)?;
            Some(Node { op: *op, bits: u8::try_from(head >> 16).ok()?, operands: [*a, *b, *c] })
        };
        if !rest.is_empty() {
            return None;
        }
        IterationBound::new(nodes.iter().map(node).collect::<Option<_>>()?)
    }

    /// The most iterations of a launch; [`UNBOUNDED`] where what is known does not tell.
    pub fn most(&self, launch: &LaunchFacts<'_>) -> u64 {
        let mut values: Vec<Interval> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = evaluate(node, (&values, &self.nodes), launch);
            values.push(value);
        }
        values.last().map_or(UNBOUNDED, |bound| u64::try_from(bound.high).unwrap_or(UNBOUNDED))
    }
}

/// The values from `low` to `high`, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Interval {
    low: i128,
    high: i128,
}

impl Interval {
    fn point(value: i128) -> Interval {
        Interval { low: value, high: value }
    }

    /// All values of a signed integer of so many bits.
    fn all(bits: u8) -> Interval {
        let half = 1i128 << (bits - 1);
        Interval { low: -half, high: half - 1 }
    }

    /// The values that fit the type as they are, or all where some do not. A single one wraps around.
    fn of(bits: u8, low: i128, high: i128) -> Interval {
        let all = Interval::all(bits);
        if low >= all.low && high <= all.high {
            return Interval { low, high };
        }
        if low == high {
            let unused = 128 - u32::from(bits);
            return Interval::point(low << unused >> unused);
        }
        all
    }

    /// As unsigned integers of so many bits.
    fn unsigned(self, bits: u8) -> Interval {
        let end = 1i128 << bits;
        match self {
            Interval { low: 0.., .. } => self,
            Interval { low, high } if high < 0 => Interval { low: low + end, high: high + end },
            _ => Interval { low: 0, high: end - 1 },
        }
    }

    fn single(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }
}

fn count(most: i128) -> Interval {
    Interval { low: 0, high: most.clamp(0, i128::from(UNBOUNDED)) }
}

fn evaluate(node: &Node, (values, nodes): (&[Interval], &[Node]), launch: &LaunchFacts<'_>) -> Interval {
    use NodeOp::*;
    let Node { op, bits, operands: [first, second, _] } = *node;
    let known =
        |value: Option<u64>| value.map_or(Interval::all(bits), |value| Interval::of(bits, value.into(), value.into()));
    let below = |end: u64| Interval::of(bits, 0, i128::from(end.saturating_sub(1)));
    match op {
        Any => Interval::all(bits),
        Constant => known(Some(u64::from(second) << 32 | u64::from(first))),
        // The value in its signed interpretation.
        Argument => match (launch.argument)(first, second) {
            Some(word) => Interval::of(bits, word.cast_signed().into(), word.cast_signed().into()),
            None => Interval::all(bits),
        },
        LocalSize | EnqueuedLocalSize | LocalId | GlobalId | GlobalSize | GlobalOffset | GroupId | GroupCount => {
            let Some(range) = Range::of(launch, first) else { return Interval::all(bits) };
            match op {
                LocalSize => Interval::of(bits, range.least_local.into(), range.most_local.into()),
                EnqueuedLocalSize if range.is_local_known => known(Some(range.most_local)),
                EnqueuedLocalSize => Interval::of(bits, 1, range.most_local.into()),
                LocalId => below(range.most_local),
                GlobalId => below(range.global.saturating_add(range.offset).saturating_add(1)),
                GlobalSize => known(launch.global[first as usize]),
                GlobalOffset => known(launch.offset[first as usize]),
                GroupId => below(range.most_groups.saturating_add(1)),
                _ => Interval::of(bits, range.least_groups.into(), range.most_groups.into()),
            }
        }
        _ => {
            let operands = node.operands.map(|operand| values.get(operand as usize).copied());
            let operand = |index: usize| operands[index].unwrap_or(Interval::all(64));
            // The bits of an operand.
            let of = |index: usize| nodes.get(node.operands[index] as usize).map_or(64, |operand| operand.bits);
            let [a, b, c] = [operand(0), operand(1), operand(2)];
            match op {
                Sum => count(a.high + b.high),
                Product => count(a.high.saturating_mul(b.high)),
                Least => count(a.high.min(b.high)),
                Doublings => doublings(bits, a, b, c),
                Rising | Falling | RisingUnsigned | FallingUnsigned => counter(op, bits, [a, b, c]),
                TripsSLt | TripsSLe | TripsSGt | TripsSGe | TripsULt | TripsULe | TripsUGt | TripsUGe | TripsNe => {
                    trips(op, (bits, of(1)), [a, b, c])
                }
                ZExt => {
                    let a = a.unsigned(of(0));
                    Interval::of(bits, a.low, a.high)
                }
                _ => arithmetic(op, bits, a, b),
            }
        }
    }
}

/// What is known of a dimension of a launch.
struct Range {
    global: u64,
    offset: u64,
    is_local_known: bool,
    /// Work-groups at the end may be smaller.
    least_local: u64,
    most_local: u64,
    least_groups: u64,
    most_groups: u64,
}

impl Range {
    fn of(launch: &LaunchFacts<'_>, dim: u32) -> Option<Range> {
        let dim = dim as usize;
        let (known, offset, local) = (*launch.global.get(dim)?, *launch.offset.get(dim)?, *launch.local.get(dim)?);
        let global = known.unwrap_or(MAX_GLOBAL);
        let most_local = local.map_or(MAX_LOCAL, u64::from).max(1);
        let rest = known.map_or(1, |global| global % most_local);
        let least_local = match local {
            Some(_) if known.is_some() => {
                if rest == 0 {
                    most_local
                } else {
                    rest.min(most_local)
                }
            }
            _ => 1,
        };
        Some(Range {
            global,
            offset: offset.unwrap_or(MAX_GLOBAL),
            is_local_known: local.is_some(),
            least_local,
            most_local,
            least_groups: known.map_or(0, |global| global.div_ceil(most_local)),
            most_groups: if local.is_some() { global.div_ceil(most_local) } else { global },
        })
    }
}

fn arithmetic(op: NodeOp, bits: u8, a: Interval, b: Interval) -> Interval {
    use NodeOp::*;
    let all = Interval::all(bits);
    let of_ends = |of: &dyn Fn(i128, i128) -> i128| {
        let ends = [of(a.low, b.low), of(a.low, b.high), of(a.high, b.low), of(a.high, b.high)];
        let (low, high) = ends.iter().fold((ends[0], ends[0]), |(low, high), end| (low.min(*end), high.max(*end)));
        Interval::of(bits, low, high)
    };
    let are_positive = a.low >= 0 && b.low >= 1;
    let shift = u8::try_from(b.low).ok().filter(|shift| b.single().is_some() && *shift < bits);
    match op {
        Join => match (a.single(), b.single()) {
            (Some(low), Some(high)) => {
                Interval::of(bits, low & 0xffff_ffff | high << 32, low & 0xffff_ffff | high << 32)
            }
            _ => all,
        },
        Either => Interval::of(bits, a.low.min(b.low), a.high.max(b.high)),
        Add => Interval::of(bits, a.low + b.low, a.high + b.high),
        Sub => Interval::of(bits, a.low - b.high, a.high - b.low),
        Mul => of_ends(&i128::saturating_mul),
        UDiv if are_positive => of_ends(&|a, b| a / b),
        SDiv if b.low >= 1 => of_ends(&|a, b| a / b),
        URem | SRem if are_positive => Interval::of(bits, 0, a.high.min(b.high - 1)),
        URem if b.low >= 1 => Interval::of(bits, 0, b.high - 1),
        SRem if b.low >= 1 => Interval::of(bits, 1 - b.high, b.high - 1),
        Shl if shift.is_some() => Interval::of(bits, a.low << b.low, a.high << b.low),
        LShr if shift.is_some() => {
            let a = a.unsigned(bits);
            Interval::of(bits, a.low >> b.low, a.high >> b.low)
        }
        AShr if shift.is_some() => Interval::of(bits, a.low >> b.low, a.high >> b.low),
        And => match (a.single(), b.single()) {
            (Some(a), Some(b)) => Interval::point(a & b),
            _ if a.low >= 0 && b.low >= 0 => Interval { low: 0, high: a.high.min(b.high) },
            _ if a.low >= 0 => Interval { low: 0, high: a.high },
            _ if b.low >= 0 => Interval { low: 0, high: b.high },
            _ => all,
        },
        Or if a.low >= 0 && b.low >= 0 => {
            let end = (a.high | b.high).cast_unsigned().checked_add(1).map_or(0, u128::next_power_of_two);
            Interval::of(bits, 0, end.cast_signed() - 1)
        }
        SMin => Interval { low: a.low.min(b.low), high: a.high.min(b.high) },
        SMax => Interval { low: a.low.max(b.low), high: a.high.max(b.high) },
        Trunc | SExt => Interval::of(bits, a.low, a.high),
        _ => all,
    }
}

/// The values of a counter, which are not beyond the bound by more than a step.
fn counter(op: NodeOp, bits: u8, [from, bound, step]: [Interval; 3]) -> Interval {
    use NodeOp::{Falling, FallingUnsigned, RisingUnsigned};
    let all = Interval::all(bits);
    let is_unsigned = matches!(op, RisingUnsigned | FallingUnsigned);
    if is_unsigned && (from.low < 0 || bound.low < 0) {
        return all;
    }
    match op {
        Falling | FallingUnsigned if step.high <= -1 => {
            Interval::of(bits, from.low.min(bound.low + step.low), from.high)
        }
        Falling | FallingUnsigned => all,
        _ if step.low >= 1 => Interval::of(bits, from.low, from.high.max(bound.high + step.high)),
        _ => all,
    }
}

/// The most tests of a loop. The counter must not wrap around before it passes the bound, which may have more bits.
fn trips(op: NodeOp, (bits, bound_bits): (u8, u8), [from, bound, step]: [Interval; 3]) -> Interval {
    use NodeOp::*;
    let unbounded = count(i128::from(UNBOUNDED));
    if op == TripsNe {
        let Some(step) = step.single().filter(|step| step.abs() == 1) else { return unbounded };
        if let (Some(from), Some(bound)) = (from.single(), bound.single()) {
            // It goes around until it meets the bound.
            return count(((bound - from) * step).rem_euclid(1 << bits) + 1);
        }
        let (first, last) = if step > 0 { (from, bound) } else { (bound, from) };
        return if first.high <= last.low { count(last.high - first.low + 1) } else { unbounded };
    }
    let is_signed = matches!(op, TripsSLt | TripsSLe | TripsSGt | TripsSGe);
    let (from, bound, all) = if is_signed {
        (from, bound, Interval::all(bits))
    } else {
        (from.unsigned(bits), bound.unsigned(bound_bits), Interval { low: 0, high: (1 << bits) - 1 })
    };
    let last = i128::from(matches!(op, TripsSLe | TripsSGe | TripsULe | TripsUGe));
    let is_growing = matches!(op, TripsSLt | TripsSLe | TripsULt | TripsULe);
    if is_growing && step.low >= 1 && bound.high - 1 + last + step.high <= all.high {
        return count((bound.high - from.low + last).max(0) / step.low + 2);
    }
    if !is_growing && step.high <= -1 && bound.low + 1 - last + step.low >= all.low {
        return count((from.high - bound.low + last).max(0) / -step.high + 2);
    }
    unbounded
}

/// The most tests of a loop whose counter is multiplied.
fn doublings(bits: u8, from: Interval, bound: Interval, factor: Interval) -> Interval {
    let all = Interval::all(bits);
    let fits = factor.low >= 2 && bound.low >= 0 && bound.high.saturating_mul(factor.high) <= all.high;
    count(if from.low >= 1 && fits { i128::from(bits) + 1 } else { i128::from(UNBOUNDED) })
}

#[cfg(test)]
mod tests {
    use super::NodeOp::*;
    use super::*;

    const BITS: u8 = 3;

    fn values() -> std::ops::Range<i128> {
        let all = Interval::all(BITS);
        all.low..all.high + 1
    }

    fn intervals() -> impl Iterator<Item = Interval> {
        values().flat_map(|low| (low..values().end).map(move |high| Interval { low, high }))
    }

    fn points(interval: Interval) -> std::ops::Range<i128> {
        interval.low..interval.high + 1
    }

    fn wrapped(value: i128) -> i128 {
        Interval::of(BITS, value, value).low
    }

    fn unsigned(value: i128) -> i128 {
        value & 7
    }

    /// What an operation computes, in the width of the type; `None` where it has no result.
    fn computed(op: NodeOp, a: i128, b: i128) -> Option<i128> {
        let divides = |signed: bool| if signed { b != 0 } else { unsigned(b) != 0 };
        let shifts = (0..i128::from(BITS)).contains(&unsigned(b));
        Some(wrapped(match op {
            Add => a + b,
            Sub => a - b,
            Mul => a * b,
            UDiv if divides(false) => unsigned(a) / unsigned(b),
            SDiv if divides(true) => a / b,
            URem if divides(false) => unsigned(a) % unsigned(b),
            SRem if divides(true) => a % b,
            Shl if shifts => a << unsigned(b),
            LShr if shifts => unsigned(a) >> unsigned(b),
            AShr if shifts => a >> unsigned(b),
            And => a & b,
            Or => a | b,
            SMin => a.min(b),
            SMax => a.max(b),
            _ => return None,
        }))
    }

    #[test]
    fn intervals_have_all_results() {
        let ops = [Add, Sub, Mul, UDiv, SDiv, URem, SRem, Shl, LShr, AShr, And, Or, SMin, SMax];
        for op in ops {
            for (a, b) in intervals().flat_map(|a| intervals().map(move |b| (a, b))) {
                let found = arithmetic(op, BITS, a, b);
                for (x, y) in points(a).flat_map(|x| points(b).map(move |y| (x, y))) {
                    let Some(result) = computed(op, x, y) else { continue };
                    assert!(points(found).contains(&result), "{op:?} {x} {y}: {result} is not in {found:?}");
                    // An exclusive or has no node of its own.
                    assert!(op != Or || points(found).contains(&(x ^ y)));
                }
            }
        }
    }

    /// How often a loop tests its counter, which wraps around; `None` without an end. The counter's values are noted.
    fn tests(goes_on: impl Fn(i128) -> bool, from: i128, step: i128, seen: &mut Vec<i128>) -> Option<i128> {
        let mut counter = from;
        for count in 1..=16 {
            seen.push(counter);
            if !goes_on(counter) {
                return Some(count);
            }
            counter = wrapped(counter + step);
        }
        None
    }

    #[test]
    fn loops_make_no_more_tests_than_counted() {
        let loops = [
            (TripsSLt, Some(Rising)),
            (TripsSLe, Some(Rising)),
            (TripsSGt, Some(Falling)),
            (TripsSGe, Some(Falling)),
            (TripsULt, Some(RisingUnsigned)),
            (TripsULe, Some(RisingUnsigned)),
            (TripsUGt, Some(FallingUnsigned)),
            (TripsUGe, Some(FallingUnsigned)),
            (TripsNe, None),
        ];
        let narrow = |end: i128| intervals().filter(move |interval| interval.high - interval.low <= end);
        let mut bounded = 0;
        for (op, range) in loops {
            for (from, bound, step) in narrow(2)
                .flat_map(|from| narrow(1).flat_map(move |bound| narrow(1).map(move |step| (from, bound, step))))
            {
                let most = trips(op, (BITS, BITS), [from, bound, step]).high;
                let values = range.map(|range| counter(range, BITS, [from, bound, step]));
                if most == i128::from(UNBOUNDED) {
                    continue;
                }
                bounded += 1;
                for (first, last) in points(from).flat_map(|first| points(bound).map(move |last| (first, last))) {
                    let goes_on = |counter: i128| match op {
                        TripsSLt => counter < last,
                        TripsSLe => counter <= last,
                        TripsSGt => counter > last,
                        TripsSGe => counter >= last,
                        TripsULt => unsigned(counter) < unsigned(last),
                        TripsULe => unsigned(counter) <= unsigned(last),
                        TripsUGt => unsigned(counter) > unsigned(last),
                        TripsUGe => unsigned(counter) >= unsigned(last),
                        _ => counter != last,
                    };
                    for step in points(step) {
                        let mut seen = Vec::new();
                        let made = tests(goes_on, first, step, &mut seen);
                        let what = format!("{op:?} from {first} to {last} by {step}: {made:?}, {most}");
                        assert!(made.is_some_and(|made| made <= most), "{what}");
                        let are_known = |values: Interval| seen.iter().all(|counter| points(values).contains(counter));
                        assert!(values.is_none_or(are_known), "{what}, {seen:?} {values:?}");
                    }
                }
            }
        }
        assert!(bounded > 1000, "{bounded}");
    }

    #[test]
    fn expressions_are_read_back() {
        let node = |op, bits, operands| Node { op, bits, operands };
        let nodes = vec![
            node(Constant, 32, [0, 0, 0]),
            node(Argument, 32, [2, 4, 0]),
            node(Constant, 32, [1, 0, 0]),
            node(TripsSLt, 32, [0, 1, 2]),
        ];
        let bound = IterationBound::new(nodes.clone()).expect("it is valid");
        assert_eq!(IterationBound::from_words(&bound.to_words()).as_ref(), Some(&bound));
        assert_eq!(bound.most(&LaunchFacts::NONE), (1 << 31) + 1);
        let argument = |ordinal: u32, byte: u32| ((ordinal, byte) == (2, 4)).then_some(10);
        // The last test, and one for a step that does not meet the bound.
        assert_eq!(bound.most(&LaunchFacts { argument: &argument, ..LaunchFacts::NONE }), 12);
        let mut words = bound.to_words();
        words[13] = 3;
        assert_eq!(IterationBound::from_words(&words), None, "a node refers to itself");
        words[12] = 200;
        assert_eq!(IterationBound::from_words(&words), None, "there is no such operation");
        assert_eq!(IterationBound::from_words(&words[..15]), None);
        assert_eq!(IterationBound::new(vec![node(Any, 0, [0; 3])]), None);
        assert_eq!(IterationBound::new(Vec::new()), None);
    }
}
