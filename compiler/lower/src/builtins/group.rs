//! Functions of sub-groups (OpenCL C 6.15.20 and the `cl_khr_subgroup_…` extensions) and work-groups (6.15.16).

use super::{Entry, Lower, Lowered, sync};
use crate::checks;
use clforge_basic::options::Sanitizers;
use clforge_ir::error::Invalid;
use clforge_ir::{
    BinaryOp, CheckOp, CompareOp, Error, GroupArithmetic, GroupExtent, GroupOp, Op, Scope, Type, Value, WorkItemQuery,
};
use clforge_sema::hir::types::Scalar;

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("work_group_reduce_add", work_add),
    ("sub_group_reduce_add", sub_add),
    ("work_group_scan_inclusive_add", work_inclusive_add),
    ("sub_group_scan_inclusive_add", sub_inclusive_add),
    ("work_group_scan_exclusive_add", work_exclusive_add),
    ("sub_group_scan_exclusive_add", sub_exclusive_add),
    ("work_group_reduce_min", work_min),
    ("sub_group_reduce_min", sub_min),
    ("work_group_scan_inclusive_min", work_inclusive_min),
    ("sub_group_scan_inclusive_min", sub_inclusive_min),
    ("work_group_scan_exclusive_min", work_exclusive_min),
    ("sub_group_scan_exclusive_min", sub_exclusive_min),
    ("work_group_reduce_max", work_max),
    ("sub_group_reduce_max", sub_max),
    ("work_group_scan_inclusive_max", work_inclusive_max),
    ("sub_group_scan_inclusive_max", sub_inclusive_max),
    ("work_group_scan_exclusive_max", work_exclusive_max),
    ("sub_group_scan_exclusive_max", sub_exclusive_max),
    ("sub_group_non_uniform_reduce_add", add),
    ("sub_group_non_uniform_scan_inclusive_add", inclusive_add),
    ("sub_group_non_uniform_scan_exclusive_add", exclusive_add),
    ("sub_group_clustered_reduce_add", clustered_add),
    ("sub_group_non_uniform_reduce_mul", mul),
    ("sub_group_non_uniform_scan_inclusive_mul", inclusive_mul),
    ("sub_group_non_uniform_scan_exclusive_mul", exclusive_mul),
    ("sub_group_clustered_reduce_mul", clustered_mul),
    ("sub_group_non_uniform_reduce_min", min),
    ("sub_group_non_uniform_scan_inclusive_min", inclusive_min),
    ("sub_group_non_uniform_scan_exclusive_min", exclusive_min),
    ("sub_group_clustered_reduce_min", clustered_min),
    ("sub_group_non_uniform_reduce_max", max),
    ("sub_group_non_uniform_scan_inclusive_max", inclusive_max),
    ("sub_group_non_uniform_scan_exclusive_max", exclusive_max),
    ("sub_group_clustered_reduce_max", clustered_max),
    ("sub_group_non_uniform_reduce_and", and),
    ("sub_group_non_uniform_scan_inclusive_and", inclusive_and),
    ("sub_group_non_uniform_scan_exclusive_and", exclusive_and),
    ("sub_group_clustered_reduce_and", clustered_and),
    ("sub_group_non_uniform_reduce_or", or),
    ("sub_group_non_uniform_scan_inclusive_or", inclusive_or),
    ("sub_group_non_uniform_scan_exclusive_or", exclusive_or),
    ("sub_group_clustered_reduce_or", clustered_or),
    ("sub_group_non_uniform_reduce_xor", xor),
    ("sub_group_non_uniform_scan_inclusive_xor", inclusive_xor),
    ("sub_group_non_uniform_scan_exclusive_xor", exclusive_xor),
    ("sub_group_clustered_reduce_xor", clustered_xor),
    ("sub_group_non_uniform_reduce_logical_and", logical_and),
    ("sub_group_non_uniform_scan_inclusive_logical_and", inclusive_logical_and),
    ("sub_group_non_uniform_scan_exclusive_logical_and", exclusive_logical_and),
    ("sub_group_clustered_reduce_logical_and", clustered_logical_and),
    ("sub_group_non_uniform_reduce_logical_or", logical_or),
    ("sub_group_non_uniform_scan_inclusive_logical_or", inclusive_logical_or),
    ("sub_group_non_uniform_scan_exclusive_logical_or", exclusive_logical_or),
    ("sub_group_clustered_reduce_logical_or", clustered_logical_or),
    ("sub_group_non_uniform_reduce_logical_xor", logical_xor),
    ("sub_group_non_uniform_scan_inclusive_logical_xor", inclusive_logical_xor),
    ("sub_group_non_uniform_scan_exclusive_logical_xor", exclusive_logical_xor),
    ("sub_group_clustered_reduce_logical_xor", clustered_logical_xor),
    ("work_group_reduce_mul", work_mul),
    ("work_group_scan_inclusive_mul", work_inclusive_mul),
    ("work_group_scan_exclusive_mul", work_exclusive_mul),
    ("work_group_reduce_and", work_and),
    ("work_group_scan_inclusive_and", work_inclusive_and),
    ("work_group_scan_exclusive_and", work_exclusive_and),
    ("work_group_reduce_or", work_or),
    ("work_group_scan_inclusive_or", work_inclusive_or),
    ("work_group_scan_exclusive_or", work_exclusive_or),
    ("work_group_reduce_xor", work_xor),
    ("work_group_scan_inclusive_xor", work_inclusive_xor),
    ("work_group_scan_exclusive_xor", work_exclusive_xor),
    ("work_group_reduce_logical_and", work_logical_and),
    ("work_group_scan_inclusive_logical_and", work_inclusive_logical_and),
    ("work_group_scan_exclusive_logical_and", work_exclusive_logical_and),
    ("work_group_reduce_logical_or", work_logical_or),
    ("work_group_scan_inclusive_logical_or", work_inclusive_logical_or),
    ("work_group_scan_exclusive_logical_or", work_exclusive_logical_or),
    ("work_group_reduce_logical_xor", work_logical_xor),
    ("work_group_scan_inclusive_logical_xor", work_inclusive_logical_xor),
    ("work_group_scan_exclusive_logical_xor", work_exclusive_logical_xor),
    ("work_group_all", work_all),
    ("work_group_any", work_any),
    ("work_group_broadcast", work_broadcast),
    ("sub_group_all", sub_all),
    ("sub_group_non_uniform_all", all),
    ("sub_group_any", sub_any),
    ("sub_group_non_uniform_any", any),
    ("sub_group_non_uniform_all_equal", all_equal),
    ("sub_group_elect", elect),
    ("sub_group_broadcast", sub_broadcast),
    ("sub_group_non_uniform_broadcast", broadcast),
    ("sub_group_broadcast_first", broadcast_first),
    ("sub_group_shuffle", shuffle),
    ("sub_group_shuffle_xor", shuffle_xor),
    ("sub_group_shuffle_up", shuffle_up),
    ("sub_group_shuffle_down", shuffle_down),
    ("sub_group_rotate", rotate),
    ("sub_group_clustered_rotate", clustered_rotate),
    ("sub_group_ballot", ballot),
    ("sub_group_inverse_ballot", inverse_ballot),
    ("sub_group_ballot_bit_extract", ballot_bit_extract),
    ("sub_group_ballot_bit_count", ballot_bit_count),
    ("sub_group_ballot_inclusive_scan", ballot_inclusive_scan),
    ("sub_group_ballot_exclusive_scan", ballot_exclusive_scan),
    ("sub_group_ballot_find_lsb", ballot_find_lsb),
    ("sub_group_ballot_find_msb", ballot_find_msb),
    ("get_sub_group_eq_mask", eq_mask),
    ("get_sub_group_ge_mask", ge_mask),
    ("get_sub_group_gt_mask", gt_mask),
    ("get_sub_group_le_mask", le_mask),
    ("get_sub_group_lt_mask", lt_mask),
];

fn group(l: &mut Lower<'_, '_>, op: GroupOp, scope: Scope, uniform: bool, ty: Type) -> Value {
    if uniform && checks::looks_for(l.options, Sanitizers::SYNC) {
        meet(l, &op, scope);
    }
    l.b.push(Op::Group { op, scope, uniform }, &[ty])[0]
}

/// All work-items of the group must come here, with the same id of a work-item whose value they get.
fn meet(l: &mut Lower<'_, '_>, op: &GroupOp, scope: Scope) {
    let ids = match op {
        GroupOp::Broadcast { .. } => l.call.arguments.get(1..).unwrap_or_default().to_vec(),
        _ => Vec::new(),
    };
    if scope == Scope::WorkGroup {
        for (number, id) in (2..).zip(ids) {
            checks::group_argument(l.b, id, number);
        }
        checks::meeting(l.b);
        return;
    }
    sync::count_sub_group(l);
    for id in ids {
        if l.b.function.as_constant(id).is_some() {
            continue;
        }
        let ty = l.b.ty(id);
        let op = GroupOp::BroadcastFirst { value: id };
        let first = l.b.emit(Op::Group { op, scope, uniform: false }, ty);
        let same = l.b.compare(CompareOp::Eq, id, first);
        checks::check(l.b, CheckOp::SubGroupArgument, same, [id, first]);
    }
}

/// An `int` predicate as `bool`.
fn predicate(l: &mut Lower<'_, '_>) -> Result<Value, Error> {
    let value = l.arg(0)?;
    Ok(l.b.compare_int(CompareOp::Ne, value, 0))
}

/// An operation on a predicate whose truth comes back as `int`.
fn vote(l: &mut Lower<'_, '_>, op: fn(Value) -> GroupOp, scope: Scope, uniform: bool) -> Lowered {
    let predicate = predicate(l)?;
    let value = group(l, op(predicate), scope, uniform, Type::BOOL);
    l.truth(value)
}

/// An operation on a value of any type, which is the first argument; vectors are done lane by lane.
fn exchange(l: &mut Lower<'_, '_>, op: impl Fn(Value) -> GroupOp, uniform: bool) -> Lowered {
    let value = l.arg(0)?;
    let ty = l.b.ty(value);
    let mut lanes = Vec::new();
    for lane in 0..ty.lanes {
        let scalar = l.b.extract(value, lane);
        lanes.push(group(l, op(scalar), Scope::SubGroup, uniform, ty.lane()));
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

/// Which work-items' values a work-item gets the result of, as the name says it.
#[derive(Clone, Copy)]
enum Reach {
    Reduce,
    Inclusive,
    Exclusive,
    Clustered,
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

/// The arithmetic operation of a name on a value; the second argument of a clustered one is the cluster's size.
fn arithmetic_op(l: &Lower<'_, '_>, kind: Kind, reach: Reach, value: Value) -> Result<GroupOp, Error> {
    let op = arithmetic(l, kind);
    Ok(match reach {
        Reach::Reduce => GroupOp::Arithmetic { op, extent: GroupExtent::Reduce, value },
        Reach::Inclusive => GroupOp::Arithmetic { op, extent: GroupExtent::Inclusive, value },
        Reach::Exclusive => GroupOp::Arithmetic { op, extent: GroupExtent::Exclusive, value },
        Reach::Clustered => GroupOp::ClusteredArithmetic { op, value, cluster_size: cluster_size(l, 1)? },
    })
}

/// A reduction or scan.
fn reduce(l: &mut Lower<'_, '_>, kind: Kind, reach: Reach, scope: Scope, uniform: bool) -> Lowered {
    let ty = l.number()?;
    let op = arithmetic_op(l, kind, reach, l.arg(0)?)?;
    Ok(Some(group(l, op, scope, uniform, ty)))
}

/// The argument that is the size of a cluster, which must be a constant.
fn cluster_size(l: &Lower<'_, '_>, index: usize) -> Result<Value, Error> {
    let value = l.arg(index)?;
    match l.b.function.as_int(value) {
        Some(size) if size.is_power_of_two() => Ok(value),
        _ => Err(Error::invalid(Invalid::ClusterSize { builtin: super::name(l.id) })),
    }
}

/// A reduction or scan of truth values, which are `int`s.
fn logical(l: &mut Lower<'_, '_>, kind: Kind, reach: Reach, scope: Scope) -> Lowered {
    let value = predicate(l)?;
    let op = arithmetic_op(l, kind, reach, value)?;
    let value = group(l, op, scope, scope == Scope::WorkGroup, Type::BOOL);
    l.truth(value)
}

macro_rules! reductions {
    ($($name:ident = $kind:ident, $reach:ident, $scope:ident, $uniform:literal;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            reduce(l, Kind::$kind, Reach::$reach, Scope::$scope, $uniform)
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
    ($($name:ident = $kind:ident, $reach:ident, $scope:ident;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            logical(l, Kind::$kind, Reach::$reach, Scope::$scope)
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
            vote(l, |predicate| GroupOp::$op { predicate }, Scope::$scope, $uniform)
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
    ($($name:ident = $op:ident { value $(, $operand:ident)? }, $uniform:literal;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            $(let $operand = l.arg(1)?;)?
            exchange(l, |value| GroupOp::$op { value $(, $operand)? }, $uniform)
        })*
    };
}

exchanges! {
    sub_broadcast = Broadcast { value, id }, true;
    broadcast = Broadcast { value, id }, false;
    broadcast_first = BroadcastFirst { value }, false;
    shuffle = Shuffle { value, id }, false;
    shuffle_xor = ShuffleXor { value, mask }, false;
    shuffle_up = ShuffleUp { value, delta }, false;
    shuffle_down = ShuffleDown { value, delta }, false;
    rotate = Rotate { value, delta }, false;
}

pub fn clustered_rotate(l: &mut Lower<'_, '_>) -> Lowered {
    let (delta, cluster_size) = (l.arg(1)?, cluster_size(l, 2)?);
    exchange(l, |value| GroupOp::ClusteredRotate { value, delta, cluster_size }, false)
}

/// `work_group_broadcast(value, x[, y[, z]])`: several ids are a vector.
pub fn work_broadcast(l: &mut Lower<'_, '_>) -> Lowered {
    let value = l.arg(0)?;
    let ids = l.call.arguments.get(1..).unwrap_or_default();
    let id = l.b.construct(ids);
    let ty = l.b.ty(value);
    Ok(Some(group(l, GroupOp::Broadcast { value, id }, Scope::WorkGroup, true, ty)))
}

pub fn elect(l: &mut Lower<'_, '_>) -> Lowered {
    let value = group(l, GroupOp::Elect, Scope::SubGroup, false, Type::BOOL);
    l.truth(value)
}

pub fn all_equal(l: &mut Lower<'_, '_>) -> Lowered {
    let value = l.arg(0)?;
    let value = group(l, GroupOp::AllEqual { value }, Scope::SubGroup, false, Type::BOOL);
    l.truth(value)
}

pub fn ballot(l: &mut Lower<'_, '_>) -> Lowered {
    let (predicate, ty) = (predicate(l)?, l.number()?);
    Ok(Some(group(l, GroupOp::Ballot { predicate }, Scope::SubGroup, false, ty)))
}

pub fn inverse_ballot(l: &mut Lower<'_, '_>) -> Lowered {
    let ballot = l.arg(0)?;
    let value = group(l, GroupOp::InverseBallot { ballot }, Scope::SubGroup, false, Type::BOOL);
    l.truth(value)
}

pub fn ballot_bit_extract(l: &mut Lower<'_, '_>) -> Lowered {
    let (ballot, id) = (l.arg(0)?, l.arg(1)?);
    let value = group(l, GroupOp::BallotBitExtract { ballot, id }, Scope::SubGroup, false, Type::BOOL);
    l.truth(value)
}

macro_rules! of_ballots {
    ($($name:ident = $op:ident $({ extent: $extent:ident })?;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            let op = GroupOp::$op { $(extent: GroupExtent::$extent,)? ballot: l.arg(0)? };
            Ok(Some(group(l, op, Scope::SubGroup, false, Type::I32)))
        })*
    };
}

of_ballots! {
    ballot_bit_count = BallotBitCount { extent: Reduce };
    ballot_inclusive_scan = BallotBitCount { extent: Inclusive };
    ballot_exclusive_scan = BallotBitCount { extent: Exclusive };
    ballot_find_lsb = BallotFindLsb;
    ballot_find_msb = BallotFindMsb;
}

/// A ballot of the ids below a number.
fn ids_below(l: &mut Lower<'_, '_>, count: Value) -> Value {
    let mut words = Vec::new();
    for word in 0..4 {
        let start = 32 * word;
        let in_word = l.b.binary_int(BinaryOp::Sub, count, start);
        let shift = l.b.binary_int(BinaryOp::And, in_word, 31);
        let one = l.b.int(Type::I32, 1);
        let bit = l.b.binary(BinaryOp::Shl, one, shift);
        let some = l.b.binary_int(BinaryOp::Sub, bit, 1);
        let none = l.b.compare_int(CompareOp::SLe, in_word, 0);
        let full = l.b.compare_int(CompareOp::SGe, in_word, 32);
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
    let keep = l.b.unary(clforge_ir::UnaryOp::Not, excluded);
    Ok(Some(l.b.binary(BinaryOp::And, below, keep)))
}

fn query(l: &mut Lower<'_, '_>, query: WorkItemQuery) -> Value {
    l.b.emit(Op::WorkItem { query, dim: 0 }, Type::I32)
}

/// This work-item's id and the one after it.
fn ids(l: &mut Lower<'_, '_>) -> (Value, Value) {
    let id = query(l, WorkItemQuery::SubGroupLocalId);
    (id, l.b.binary_int(BinaryOp::Add, id, 1))
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
