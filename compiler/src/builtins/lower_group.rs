//! Functions of sub-groups (OpenCL C 6.15.19 and the `cl_khr_subgroup_…` extensions) and work-groups (6.15.18).

use super::lower::{Lower, Lowered, binary_int, compare_int};
use crate::hir::types::Scalar;
use crate::ir::{
    BinaryOp, CompareOp, GroupArithmetic, GroupExtent, GroupOp, Op, Scope, Type, Value, Values, WorkItemQuery,
};

fn group(l: &mut Lower<'_, '_>, op: GroupOp, scope: Scope, uniform: bool, args: &[Value], ty: Type) -> Value {
    l.b.push(Op::Group { op, scope, uniform, args: Values::from_slice(args) }, &[ty])[0]
}

/// An `int` predicate as `bool`.
fn predicate(l: &mut Lower<'_, '_>) -> Result<Value, String> {
    let value = l.arg(0)?;
    Ok(compare_int(l.b, CompareOp::Ne, value, 0))
}

/// An operation on a predicate whose truth comes back as `int`.
fn vote(l: &mut Lower<'_, '_>, op: GroupOp, scope: Scope, uniform: bool) -> Lowered {
    let value = predicate(l)?;
    let value = group(l, op, scope, uniform, &[value], Type::BOOL);
    l.truth(value)
}

/// An operation on a value of any type and, perhaps, more operands of 32 bits; vectors are done lane by lane.
fn exchange(l: &mut Lower<'_, '_>, op: GroupOp, uniform: bool) -> Lowered {
    let value = l.arg(0)?;
    let more: Vec<Value> = l.call.arguments.iter().skip(1).copied().collect();
    let ty = l.b.ty(value);
    let mut lanes = Vec::new();
    for lane in 0..ty.lanes {
        let mut args = vec![l.b.extract(value, lane)];
        args.extend(&more);
        lanes.push(group(l, op, Scope::SubGroup, uniform, &args, ty.lane()));
    }
    Ok(Some(l.b.construct(&lanes)))
}

/// The arithmetic of a name: `add`, `min`, …
#[derive(Clone, Copy)]
enum Kind {
    Add,
    Mul,
    Min,
    Max,
    And,
    Or,
    Xor,
}

fn arithmetic(l: &Lower<'_, '_>, kind: Kind) -> GroupArithmetic {
    use GroupArithmetic as A;
    let pick = |signed, unsigned, float| match l.scalar(0) {
        Scalar::Float(_) => float,
        Scalar::Int(int) if int.is_signed() => signed,
        _ => unsigned,
    };
    match kind {
        Kind::Add => pick(A::Add, A::Add, A::FAdd),
        Kind::Mul => pick(A::Mul, A::Mul, A::FMul),
        Kind::Min => pick(A::SMin, A::UMin, A::FMin),
        Kind::Max => pick(A::SMax, A::UMax, A::FMax),
        Kind::And => A::And,
        Kind::Or => A::Or,
        Kind::Xor => A::Xor,
    }
}

/// A reduction or scan; the second argument of a clustered one is the cluster's size.
fn reduce(l: &mut Lower<'_, '_>, kind: Kind, extent: GroupExtent, scope: Scope, uniform: bool) -> Lowered {
    let op = GroupOp::Arithmetic(arithmetic(l, kind), extent);
    let ty = l.number()?;
    let args = l.call.arguments;
    check_cluster(l, op)?;
    Ok(Some(group(l, op, scope, uniform, args, ty)))
}

/// The size of a cluster must be a constant.
fn check_cluster(l: &Lower<'_, '_>, op: GroupOp) -> Result<(), String> {
    let at = match op {
        GroupOp::Arithmetic(_, GroupExtent::Clustered) => 1,
        GroupOp::ClusteredRotate => 2,
        _ => return Ok(()),
    };
    match l.b.function.as_int(l.arg(at)?) {
        Some(size) if size.is_power_of_two() => Ok(()),
        _ => Err(format!("the cluster size of '{}' must be a constant power of two", super::name(l.id))),
    }
}

/// A reduction or scan of truth values, which are `int`s.
fn logical(l: &mut Lower<'_, '_>, kind: Kind, extent: GroupExtent, scope: Scope) -> Lowered {
    let op = GroupOp::Arithmetic(arithmetic(l, kind), extent);
    check_cluster(l, op)?;
    let mut args = vec![predicate(l)?];
    args.extend(l.call.arguments.iter().skip(1));
    let value = group(l, op, scope, scope == Scope::WorkGroup, &args, Type::BOOL);
    l.truth(value)
}

macro_rules! reductions {
    ($($name:ident = $kind:ident, $extent:ident, $scope:ident, $uniform:literal;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            reduce(l, Kind::$kind, GroupExtent::$extent, Scope::$scope, $uniform)
        })*
    };
}

macro_rules! non_uniform {
    ($($kind:ident = $reduce:ident, $inclusive:ident, $exclusive:ident, $clustered:ident;)*) => {
        reductions! { $(
            $reduce = $kind, Reduce, SubGroup, false;
            $inclusive = $kind, Inclusive, SubGroup, false;
            $exclusive = $kind, Exclusive, SubGroup, false;
            $clustered = $kind, Clustered, SubGroup, false;
        )* }
    };
}

macro_rules! uniform {
    ($($kind:ident, $scope:ident = $reduce:ident, $inclusive:ident, $exclusive:ident;)*) => {
        reductions! { $(
            $reduce = $kind, Reduce, $scope, true;
            $inclusive = $kind, Inclusive, $scope, true;
            $exclusive = $kind, Exclusive, $scope, true;
        )* }
    };
}

macro_rules! logicals {
    ($($name:ident = $kind:ident, $extent:ident, $scope:ident;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            logical(l, Kind::$kind, GroupExtent::$extent, Scope::$scope)
        })*
    };
}

uniform! {
    Add, SubGroup = sub_add, sub_inclusive_add, sub_exclusive_add;
    Min, SubGroup = sub_min, sub_inclusive_min, sub_exclusive_min;
    Max, SubGroup = sub_max, sub_inclusive_max, sub_exclusive_max;
    Add, WorkGroup = work_add, work_inclusive_add, work_exclusive_add;
    Min, WorkGroup = work_min, work_inclusive_min, work_exclusive_min;
    Max, WorkGroup = work_max, work_inclusive_max, work_exclusive_max;
    Mul, WorkGroup = work_mul, work_inclusive_mul, work_exclusive_mul;
    And, WorkGroup = work_and, work_inclusive_and, work_exclusive_and;
    Or, WorkGroup = work_or, work_inclusive_or, work_exclusive_or;
    Xor, WorkGroup = work_xor, work_inclusive_xor, work_exclusive_xor;
}

non_uniform! {
    Add = add, inclusive_add, exclusive_add, clustered_add;
    Mul = mul, inclusive_mul, exclusive_mul, clustered_mul;
    Min = min, inclusive_min, exclusive_min, clustered_min;
    Max = max, inclusive_max, exclusive_max, clustered_max;
    And = and, inclusive_and, exclusive_and, clustered_and;
    Or = or, inclusive_or, exclusive_or, clustered_or;
    Xor = xor, inclusive_xor, exclusive_xor, clustered_xor;
}

logicals! {
    logical_and = And, Reduce, SubGroup;
    inclusive_logical_and = And, Inclusive, SubGroup;
    exclusive_logical_and = And, Exclusive, SubGroup;
    clustered_logical_and = And, Clustered, SubGroup;
    work_logical_and = And, Reduce, WorkGroup;
    work_inclusive_logical_and = And, Inclusive, WorkGroup;
    work_exclusive_logical_and = And, Exclusive, WorkGroup;
    logical_or = Or, Reduce, SubGroup;
    inclusive_logical_or = Or, Inclusive, SubGroup;
    exclusive_logical_or = Or, Exclusive, SubGroup;
    clustered_logical_or = Or, Clustered, SubGroup;
    work_logical_or = Or, Reduce, WorkGroup;
    work_inclusive_logical_or = Or, Inclusive, WorkGroup;
    work_exclusive_logical_or = Or, Exclusive, WorkGroup;
    logical_xor = Xor, Reduce, SubGroup;
    inclusive_logical_xor = Xor, Inclusive, SubGroup;
    exclusive_logical_xor = Xor, Exclusive, SubGroup;
    clustered_logical_xor = Xor, Clustered, SubGroup;
    work_logical_xor = Xor, Reduce, WorkGroup;
    work_inclusive_logical_xor = Xor, Inclusive, WorkGroup;
    work_exclusive_logical_xor = Xor, Exclusive, WorkGroup;
}

macro_rules! votes {
    ($($name:ident = $op:ident, $scope:ident, $uniform:literal;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            vote(l, GroupOp::$op, Scope::$scope, $uniform)
        })*
    };
}

votes! {
    work_all = All, WorkGroup, true;
    work_any = Any, WorkGroup, true;
    sub_all = All, SubGroup, true;
    sub_any = Any, SubGroup, true;
    all = All, SubGroup, false;
    any = Any, SubGroup, false;
}

macro_rules! exchanges {
    ($($name:ident = $op:ident, $uniform:literal;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            check_cluster(l, GroupOp::$op)?;
            exchange(l, GroupOp::$op, $uniform)
        })*
    };
}

exchanges! {
    sub_broadcast = Broadcast, true;
    broadcast = Broadcast, false;
    broadcast_first = BroadcastFirst, false;
    shuffle = Shuffle, false;
    shuffle_xor = ShuffleXor, false;
    shuffle_up = ShuffleUp, false;
    shuffle_down = ShuffleDown, false;
    rotate = Rotate, false;
    clustered_rotate = ClusteredRotate, false;
}

/// `work_group_broadcast(value, x[, y[, z]])`: ids become the linear one.
pub fn work_broadcast(l: &mut Lower<'_, '_>) -> Lowered {
    let value = l.arg(0)?;
    let mut id = l.arg(1)?;
    let size = |l: &mut Lower<'_, '_>, dim| l.b.emit(Op::WorkItem { query: WorkItemQuery::LocalSize, dim }, Type::I64);
    let count = l.call.arguments.len();
    if !l.options.target.is_vulkan() && count > 2 {
        // SPIR-V for OpenCL takes the ids themselves.
        let ids: Vec<Value> = l.call.arguments.iter().skip(1).copied().collect();
        let vector = l.b.construct(&ids);
        let ty = l.b.ty(value);
        return Ok(Some(group(l, GroupOp::Broadcast, Scope::WorkGroup, true, &[value, vector], ty)));
    }
    let mut stride = None;
    for dim in 1..count.saturating_sub(1) {
        let this = size(l, dim as u8 - 1);
        let so_far = stride.map_or(this, |stride| l.b.binary(BinaryOp::Mul, stride, this));
        stride = Some(so_far);
        let y = l.arg(dim + 1)?;
        let offset = l.b.binary(BinaryOp::Mul, y, so_far);
        id = l.b.binary(BinaryOp::Add, id, offset);
    }
    let ty = l.b.ty(value);
    Ok(Some(group(l, GroupOp::Broadcast, Scope::WorkGroup, true, &[value, id], ty)))
}

pub fn elect(l: &mut Lower<'_, '_>) -> Lowered {
    let value = group(l, GroupOp::Elect, Scope::SubGroup, false, &[], Type::BOOL);
    l.truth(value)
}

pub fn all_equal(l: &mut Lower<'_, '_>) -> Lowered {
    let value = l.arg(0)?;
    let value = group(l, GroupOp::AllEqual, Scope::SubGroup, false, &[value], Type::BOOL);
    l.truth(value)
}

pub fn ballot(l: &mut Lower<'_, '_>) -> Lowered {
    let (value, ty) = (predicate(l)?, l.number()?);
    Ok(Some(group(l, GroupOp::Ballot, Scope::SubGroup, false, &[value], ty)))
}

pub fn inverse_ballot(l: &mut Lower<'_, '_>) -> Lowered {
    let value = l.arg(0)?;
    let value = group(l, GroupOp::InverseBallot, Scope::SubGroup, false, &[value], Type::BOOL);
    l.truth(value)
}

pub fn ballot_bit_extract(l: &mut Lower<'_, '_>) -> Lowered {
    let (value, id) = (l.arg(0)?, l.arg(1)?);
    let value = group(l, GroupOp::BallotBitExtract, Scope::SubGroup, false, &[value, id], Type::BOOL);
    l.truth(value)
}

macro_rules! of_ballots {
    ($($name:ident = $op:expr;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            let value = l.arg(0)?;
            Ok(Some(group(l, $op, Scope::SubGroup, false, &[value], Type::I32)))
        })*
    };
}

of_ballots! {
    ballot_bit_count = GroupOp::BallotBitCount(GroupExtent::Reduce);
    ballot_inclusive_scan = GroupOp::BallotBitCount(GroupExtent::Inclusive);
    ballot_exclusive_scan = GroupOp::BallotBitCount(GroupExtent::Exclusive);
    ballot_find_lsb = GroupOp::BallotFindLsb;
    ballot_find_msb = GroupOp::BallotFindMsb;
}

/// A ballot of the ids below a number.
fn ids_below(l: &mut Lower<'_, '_>, count: Value) -> Value {
    let mut words = Vec::new();
    for word in 0..4 {
        let start = 32 * word;
        let in_word = binary_int(l.b, BinaryOp::Sub, count, start);
        let shift = binary_int(l.b, BinaryOp::And, in_word, 31);
        let one = l.b.int(Type::I32, 1);
        let bit = l.b.binary(BinaryOp::Shl, one, shift);
        let some = binary_int(l.b, BinaryOp::Sub, bit, 1);
        let none = compare_int(l.b, CompareOp::SLe, in_word, 0);
        let full = compare_int(l.b, CompareOp::SGe, in_word, 32);
        let (zero, ones) = (l.b.int(Type::I32, 0), l.b.int(Type::I32, -1));
        let some = l.b.select(full, ones, some);
        words.push(l.b.select(none, zero, some));
    }
    l.b.construct(&words)
}

/// The ids from one count to another.
fn id_range(l: &mut Lower<'_, '_>, from: Option<Value>, to: Value) -> Lowered {
    let below = ids_below(l, to);
    let Some(from) = from else { return Ok(Some(below)) };
    let excluded = ids_below(l, from);
    let keep = l.b.unary(crate::ir::UnaryOp::Not, excluded);
    Ok(Some(l.b.binary(BinaryOp::And, below, keep)))
}

fn query(l: &mut Lower<'_, '_>, query: WorkItemQuery) -> Value {
    l.b.emit(Op::WorkItem { query, dim: 0 }, Type::I32)
}

/// This work-item's id and the one after it.
fn ids(l: &mut Lower<'_, '_>) -> (Value, Value) {
    let id = query(l, WorkItemQuery::SubGroupLocalId);
    (id, binary_int(l.b, BinaryOp::Add, id, 1))
}

pub fn eq_mask(l: &mut Lower<'_, '_>) -> Lowered {
    let (id, next) = ids(l);
    id_range(l, Some(id), next)
}

pub fn ge_mask(l: &mut Lower<'_, '_>) -> Lowered {
    let ((id, _), size) = (ids(l), query(l, WorkItemQuery::MaxSubGroupSize));
    id_range(l, Some(id), size)
}

pub fn gt_mask(l: &mut Lower<'_, '_>) -> Lowered {
    let ((_, next), size) = (ids(l), query(l, WorkItemQuery::MaxSubGroupSize));
    id_range(l, Some(next), size)
}

pub fn le_mask(l: &mut Lower<'_, '_>) -> Lowered {
    let (_, next) = ids(l);
    id_range(l, None, next)
}

pub fn lt_mask(l: &mut Lower<'_, '_>) -> Lowered {
    let (id, _) = ids(l);
    id_range(l, None, id)
}
