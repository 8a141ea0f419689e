//! Vectors: putting together, taking apart, and reordering.

use super::evaluate::Bits;
use super::*;
use crate::{Lanes, Values};
use smallvec::SmallVec;

pub fn extract(function: &mut Function, a: Value, lane: u8, ty: Type) -> Option<Folded> {
    match function.as_constant(a) {
        Some(Constant::Undef(_)) => return value(function.undef(ty)),
        Some(Constant::Bits { lanes, .. }) => {
            let lane = *lanes.get(usize::from(lane))?;
            return int(function, ty, lane);
        }
        None => {}
    }
    match function.op(a)? {
        Op::Construct { elements: values } => value(*values.get(usize::from(lane))?),
        Op::Insert { scalar, lane: at, .. } if *at == lane => value(*scalar),
        Op::Insert { vector, .. } => op(Op::Extract { vector: *vector, lane }),
        Op::Shuffle { first: x, second: y, lanes } => {
            let width = function.ty(*x).lanes;
            let from = *lanes.get(usize::from(lane))?;
            if from == u8::MAX {
                return value(function.undef(ty));
            }
            if width < 2 {
                return None;
            }
            op(if from < width {
                Op::Extract { vector: *x, lane: from }
            } else {
                Op::Extract { vector: *y, lane: from - width }
            })
        }
        _ => None,
    }
}

/// A constant index that is in range.
fn known_lane(function: &Function, vector: Value, index: Value) -> Option<u8> {
    let lane = u8::try_from(function.as_int(index)?).ok()?;
    (lane < function.ty(vector).lanes).then_some(lane)
}

pub fn extract_dynamic(function: &mut Function, a: Value, index: Value) -> Option<Folded> {
    if let Some(lane) = known_lane(function, a, index) {
        return op(Op::Extract { vector: a, lane });
    }
    if let Some(bits) = function.as_int(a) {
        let ty = function.ty(a).lane();
        return int(function, ty, bits);
    }
    match function.op(a)? {
        Op::Construct { elements: values } => {
            let first = *values.first()?;
            values.iter().all(|value| *value == first).then_some(Folded::Value(first))
        }
        _ => None,
    }
}

pub fn insert_dynamic(function: &mut Function, a: Value, scalar: Value, index: Value) -> Option<Folded> {
    let lane = known_lane(function, a, index)?;
    op(Op::Insert { vector: a, scalar, lane })
}

pub fn insert(function: &mut Function, a: Value, scalar: Value, lane: u8, ty: Type) -> Option<Folded> {
    if let (Some(vector), Some([scalar])) = (lanes_of(function, a), lanes_of(function, scalar)) {
        let mut folded = Bits::from_slice(vector);
        *folded.get_mut(usize::from(lane))? = *scalar;
        return bits(function, ty, folded);
    }
    // The same lane of the same vector.
    if let Some(Op::Extract { vector: from, lane: at }) = function.op(scalar)
        && (*from, *at) == (a, lane)
    {
        return value(a);
    }
    match function.op(a)? {
        Op::Construct { elements: values } => {
            let mut values = values.clone();
            *values.get_mut(usize::from(lane))? = scalar;
            op(Op::Construct { elements: values })
        }
        Op::Insert { vector, lane: at, .. } if *at == lane => op(Op::Insert { vector: *vector, scalar, lane }),
        Op::Insert { .. } => all_inserted(function, a, scalar, lane, ty),
        _ => None,
    }
}

/// A chain of insertions that sets every lane.
fn all_inserted(function: &Function, mut a: Value, scalar: Value, lane: u8, ty: Type) -> Option<Folded> {
    let mut lanes: SmallVec<[Option<Value>; 16]> = SmallVec::from_elem(None, ty.lanes.into());
    let mut left = ty.lanes - 1;
    *lanes.get_mut(usize::from(lane))? = Some(scalar);
    // A lane that is set twice makes the chain longer than it need be; then it stays.
    for _ in 1..ty.lanes {
        let Op::Insert { vector, scalar, lane: at } = function.op(a)? else { return None };
        let slot = lanes.get_mut(usize::from(*at))?;
        if slot.is_none() {
            *slot = Some(*scalar);
            left -= 1;
        }
        a = *vector;
    }
    if left > 0 {
        return None;
    }
    op(Op::Construct { elements: lanes.into_iter().collect::<Option<Values>>()? })
}

pub fn construct(function: &mut Function, values: &[Value], ty: Type) -> Option<Folded> {
    match function.as_constant(*values.first()?) {
        Some(Constant::Bits { .. }) => {
            let lanes: Option<Bits> = values.iter().map(|value| lanes_of(function, *value)?.first().copied()).collect();
            return bits(function, ty, lanes?);
        }
        Some(Constant::Undef(_)) => {
            let all = values.iter().all(|value| function.is_undef(*value));
            return if all { value(function.undef(ty)) } else { None };
        }
        None => {}
    }
    of_extracts(function, values, ty)
}

/// Lanes of one or two vectors.
fn of_extracts(function: &Function, values: &[Value], ty: Type) -> Option<Folded> {
    let Op::Extract { vector: first, .. } = function.op(values[0])? else { return None };
    let (first, mut second) = (*first, None);
    let of = function.ty(first);
    let mut lanes = Lanes::new();
    for scalar in values {
        let Op::Extract { vector: from, lane } = function.op(*scalar)? else { return None };
        if *from == first {
            lanes.push(*lane);
        } else if function.ty(*from) == of && *second.get_or_insert(*from) == *from {
            lanes.push(lane + of.lanes);
        } else {
            return None;
        }
    }
    if of == ty && is_identity(&lanes, 0) {
        return value(first);
    }
    op(Op::Shuffle { first, second: second.unwrap_or(first), lanes })
}

/// Whether the lanes are `start`, `start + 1`, …; undefined ones may be anything.
fn is_identity(lanes: &[u8], start: u8) -> bool {
    lanes.iter().zip(start..).all(|(lane, at)| *lane == at || *lane == u8::MAX)
}

pub fn shuffle(function: &mut Function, a: Value, b: Value, lanes: &[u8], ty: Type) -> Option<Folded> {
    let of = function.ty(a);
    let (width, defined) = (of.lanes, |lane: &&u8| **lane != u8::MAX);
    let from_a = lanes.iter().filter(defined).any(|lane| *lane < width);
    let from_b = lanes.iter().filter(defined).any(|lane| *lane >= width);
    match (from_a, from_b) {
        (false, false) => return value(function.undef(ty)),
        (true, false) if of == ty && is_identity(lanes, 0) => return value(a),
        (false, true) if of == ty && is_identity(lanes, width) => return value(b),
        // Only one vector: name only it, so that the other may be unused.
        (true, false) if a != b => return op(Op::Shuffle { first: a, second: a, lanes: lanes.into() }),
        (false, true) => {
            let lanes = lanes.iter().map(|lane| if *lane == u8::MAX { *lane } else { lane - width }).collect();
            return op(Op::Shuffle { first: b, second: b, lanes });
        }
        (true, true) if a == b => {
            let lanes = lanes.iter().map(|lane| if defined(&lane) { lane % width } else { *lane }).collect();
            return op(Op::Shuffle { first: a, second: a, lanes });
        }
        _ => {}
    }
    if let (Some(a), Some(b)) = (lanes_of(function, a), lanes_of(function, b)) {
        let lane = |lane: &u8| a.iter().chain(b).nth((*lane).into()).copied().unwrap_or(0);
        let folded = lanes.iter().map(lane).collect();
        return bits(function, ty, folded);
    }
    if a == b {
        if function.is_undef(a) {
            return value(function.undef(ty));
        }
        if let Some(Op::Shuffle { first: x, second: y, lanes: inner }) = function.op(a) {
            let through = |lane: &u8| inner.get(usize::from(*lane)).copied().unwrap_or(u8::MAX);
            return op(Op::Shuffle { first: *x, second: *y, lanes: lanes.iter().map(through).collect() });
        }
    }
    of_constructs(function, a, b, lanes, ty)
}

/// A shuffle of vectors whose scalars are at hand.
fn of_constructs(function: &mut Function, a: Value, b: Value, lanes: &[u8], ty: Type) -> Option<Folded> {
    let of = function.ty(a);
    let at_hand =
        |value: Value| matches!(function.op(value), Some(Op::Construct { .. })) || lanes_of(function, value).is_some();
    if !at_hand(a) || !at_hand(b) {
        return None;
    }
    let mut values = Values::new();
    for lane in lanes {
        if *lane == u8::MAX {
            values.push(function.undef(ty.lane()));
            continue;
        }
        let (vector, lane) = if *lane < of.lanes { (a, *lane) } else { (b, lane - of.lanes) };
        let Some(Folded::Value(scalar)) = extract(function, vector, lane, ty.lane()) else { return None };
        values.push(scalar);
    }
    op(Op::Construct { elements: values })
}
