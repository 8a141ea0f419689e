//! Replaces functions of sub-groups that few Vulkan devices implement, or implement correctly, by functions that most
//! devices have: rotations and reductions of clusters become shuffles, and so do relative shuffles, reductions and scans
//! for devices without those ([`EmulatedTypes`](clforge_basic::options::EmulatedTypes)). For [`Workarounds::LAVAPIPE_BROADCAST_FIRST`] a
//! broadcast from the first active work-item becomes one from the work-item of that number; for
//! [`Workarounds::LAVAPIPE_SHUFFLE_UP`] the values of lower work-items are shuffled by their numbers.

use crate::legalize::vulkan::group_loops::GroupLoop;
use clforge_basic::options::Options;
use clforge_basic::workarounds::Workarounds;
use clforge_ir::*;

/// Whether [`expand`] replaces the operation.
pub fn is_expanded(op: GroupOp, options: &Options) -> bool {
    let workarounds = options.codegen.workarounds;
    let emulates = options.device.emulated.sub_group_arithmetic;
    match op {
        GroupOp::Arithmetic { .. } | GroupOp::ShuffleUp { .. } | GroupOp::ShuffleDown { .. } if emulates => true,
        GroupOp::BroadcastFirst { .. } => workarounds.contains(Workarounds::LAVAPIPE_BROADCAST_FIRST),
        GroupOp::ShuffleUp { .. } => workarounds.contains(Workarounds::LAVAPIPE_SHUFFLE_UP),
        GroupOp::Rotate { .. } | GroupOp::ClusteredRotate { .. } | GroupOp::ClusteredArithmetic { .. } => true,
        _ => false,
    }
}

/// Expands the operation.
///
/// # Errors
/// Internal ones only.
pub fn expand(b: &mut Builder<'_>, op: GroupOp) -> Result<Value, Error> {
    match op {
        GroupOp::Rotate { value, delta } => {
            let size = query(b, WorkItemQuery::MaxSubGroupSize);
            Ok(rotate(b, value, delta, size))
        }
        GroupOp::ShuffleUp { value, delta } => {
            // Around the end: what work-items get that have no lower one is undefined.
            let back = b.unary(UnaryOp::Neg, delta);
            let size = query(b, WorkItemQuery::MaxSubGroupSize);
            Ok(rotate(b, value, back, size))
        }
        GroupOp::ShuffleDown { value, delta } => {
            let id = query(b, WorkItemQuery::SubGroupLocalId);
            let source = b.binary(BinaryOp::Add, id, delta);
            Ok(shuffle(b, value, source))
        }
        GroupOp::Arithmetic { op, extent, value } => accumulate(b, op, extent, value),
        GroupOp::BroadcastFirst { value } => {
            let ballot = active(b);
            let id = group(b, GroupOp::BallotFindLsb { ballot }, Type::I32);
            let ty = b.ty(value);
            Ok(group(b, GroupOp::Broadcast { value, id }, ty))
        }
        GroupOp::ClusteredRotate { value, delta, cluster_size } => Ok(rotate(b, value, delta, cluster_size)),
        GroupOp::ClusteredArithmetic { op, value, cluster_size } => Ok(reduce(b, op, value, cluster_size)),
        _ => Err(Error::internal(format!("{op} of a sub-group is not expanded"))),
    }
}

fn query(b: &mut Builder<'_>, query: WorkItemQuery) -> Value {
    b.emit(Op::WorkItem { query, dim: 0 }, Type::I32)
}

fn group(b: &mut Builder<'_>, op: GroupOp, ty: Type) -> Value {
    b.push(Op::Group { op, scope: Scope::SubGroup, uniform: false }, &[ty])[0]
}

/// This work-item's id, that of the first one of its cluster, and the mask of ids in a cluster. Sizes are powers of two.
fn cluster(b: &mut Builder<'_>, size: Value) -> (Value, Value, Value) {
    let id = query(b, WorkItemQuery::SubGroupLocalId);
    let minus_one = b.int(Type::I32, -1);
    let mask = b.binary(BinaryOp::Add, size, minus_one);
    let outside = b.unary(UnaryOp::Not, mask);
    (id, b.binary(BinaryOp::And, id, outside), mask)
}

/// The value of the work-item `delta` further in the cluster, around its end.
fn rotate(b: &mut Builder<'_>, value: Value, delta: Value, size: Value) -> Value {
    let (id, first, mask) = cluster(b, size);
    let moved = b.binary(BinaryOp::Add, id, delta);
    let inside = b.binary(BinaryOp::And, moved, mask);
    let source = b.binary(BinaryOp::Or, first, inside);
    shuffle(b, value, source)
}

fn shuffle(b: &mut Builder<'_>, value: Value, id: Value) -> Value {
    let ty = b.ty(value);
    group(b, GroupOp::Shuffle { value, id }, ty)
}

/// A reduction or scan over the active work-items of the sub-group, in order.
fn accumulate(b: &mut Builder<'_>, op: GroupArithmetic, extent: GroupExtent, value: Value) -> Result<Value, Error> {
    let ty = b.ty(value);
    // Truth values are shuffled as integers.
    let value = if ty == Type::BOOL { b.convert(ConvertOp::ZExt, value, Type::I32) } else { value };
    let carried = b.ty(value);
    let (size, id) = (query(b, WorkItemQuery::MaxSubGroupSize), query(b, WorkItemQuery::SubGroupLocalId));
    let group = GroupLoop { extent, cluster_size: None, uniform: false, size, id };
    let start = first_of_scan(b, op, carried);
    let parts = group.build(b, &[value], &[start], &mut |b, known, other| {
        let [known, other] = [known, other].map(|parts| parts[0]);
        // In this order NaNs only have a NaN for a minimum, and not the infinity of the start.
        Ok(vec![combine(b, op, other, known)])
    })?;
    let sum = parts.first().copied().or_internal("a reduction without a result")?;
    Ok(if ty == Type::BOOL { b.compare_int(CompareOp::Ne, sum, 0) } else { sum })
}

/// What an exclusive scan gives the first work-item (OpenCL C 6.15.16): of sums of floats, zero without a sign.
pub fn first_of_scan(b: &mut Builder<'_>, op: GroupArithmetic, ty: Type) -> Value {
    match op {
        GroupArithmetic::FAdd => b.float(ty, 0.0),
        GroupArithmetic::And if ty == Type::BOOL => b.int(ty, 1),
        op => identity(b, op, ty),
    }
}

/// The mask of active work-items.
fn active(b: &mut Builder<'_>) -> Value {
    let predicate = b.int(Type::BOOL, 1);
    group(b, GroupOp::Ballot { predicate }, Type::vector(ScalarType::I32, 4))
}

/// A reduction over the work-items of the cluster in order, without the inactive ones.
fn reduce(b: &mut Builder<'_>, op: GroupArithmetic, value: Value, size: Value) -> Value {
    let ty = b.ty(value);
    // Truth values are shuffled as integers.
    let carried = if ty == Type::BOOL { b.convert(ConvertOp::ZExt, value, Type::I32) } else { value };
    let carried_type = b.ty(carried);
    let (_, first, _) = cluster(b, size);
    let active = active(b);
    let start = identity(b, op, carried_type);
    let zero = b.int(Type::I32, 0);

    let body = b.function.new_region();
    let index = b.function.add_region_param(body, Type::I32);
    let sum = b.function.add_region_param(body, carried_type);
    b.enter(body);
    let source = b.binary(BinaryOp::Add, first, index);
    let other = shuffle(b, carried, source);
    let counts = group(b, GroupOp::BallotBitExtract { ballot: active, id: source }, Type::BOOL);
    let both = combine(b, op, sum, other);
    let sum = b.select(counts, both, sum);
    b.effect(Op::Continue(Values::from_slice(&[index, sum])));
    b.leave();

    let continuing = b.function.new_region();
    let index = b.function.add_region_param(continuing, Type::I32);
    let sum = b.function.add_region_param(continuing, carried_type);
    b.enter(continuing);
    let one = b.int(Type::I32, 1);
    let next = b.binary(BinaryOp::Add, index, one);
    let again = b.compare(CompareOp::ULt, next, size);
    let next = Values::from_slice(&[next, sum]);
    b.effect(Op::NextIf { condition: again, next, results: Values::from_slice(&[sum]) });
    b.leave();

    let inits = Values::from_slice(&[zero, start]);
    let sum = b.push(Op::Loop { inits, body, continuing, hint: LoopHint::None }, &[carried_type])[0];
    if ty == Type::BOOL { b.compare(CompareOp::Ne, sum, zero) } else { sum }
}

/// The identity element of an operation.
pub fn identity(b: &mut Builder<'_>, op: GroupArithmetic, ty: Type) -> Value {
    use GroupArithmetic as A;
    let bits = ty.scalar.bits();
    let least = || i64::MIN >> (64 - bits.clamp(1, 64));
    match op {
        A::Add | A::Or | A::Xor | A::UMax => b.int(ty, 0),
        A::Mul => b.int(ty, 1),
        A::And | A::UMin => b.int(ty, -1),
        A::SMin => b.int(ty, !least()),
        A::SMax => b.int(ty, least()),
        A::FAdd => b.float(ty, -0.0),
        A::FMul => b.float(ty, 1.0),
        A::FMin => b.float(ty, f64::INFINITY),
        A::FMax => b.float(ty, f64::NEG_INFINITY),
    }
}

/// Both values combined.
pub fn combine(b: &mut Builder<'_>, op: GroupArithmetic, x: Value, y: Value) -> Value {
    use GroupArithmetic as A;
    let mut choose = |compare| {
        let second = b.compare(compare, y, x);
        b.select(second, y, x)
    };
    let binary = match op {
        A::SMin => return choose(CompareOp::SLt),
        A::UMin => return choose(CompareOp::ULt),
        A::FMin => return choose(CompareOp::FLt),
        A::SMax => return choose(CompareOp::SGt),
        A::UMax => return choose(CompareOp::UGt),
        A::FMax => return choose(CompareOp::FGt),
        A::Add => BinaryOp::Add,
        A::Mul => BinaryOp::Mul,
        A::And => BinaryOp::And,
        A::Or => BinaryOp::Or,
        A::Xor => BinaryOp::Xor,
        A::FAdd => BinaryOp::FAdd,
        A::FMul => BinaryOp::FMul,
    };
    b.binary(binary, x, y)
}
