//! `vulkan/single_sub_groups`: each work-item is a sub-group of its own, for devices without operations of sub-groups
//! ([`EmulatedTypes`](clforge_basic::options::EmulatedTypes)).
//!
//! OpenCL leaves the size of sub-groups to the implementation, and barriers of sub-groups may be where the work-items of
//! a work-group diverge. Through local memory, larger sub-groups would take barriers of the whole work-group there.
//!
//! ```ir
//! ; pass: vulkan/single_sub_groups
//! func @f(%0: i32, %1: bool, %2: f32, %3: i32x4) {
//!   %4: i32 = group sub_group uniform arithmetic add reduce (%0)
//!   %5: f32 = group sub_group uniform arithmetic fmin exclusive (%2)
//!   %6: i32x4 = group sub_group ballot (%1)
//!   %7: i32 = group sub_group ballot_bit_count inclusive (%3)
//!   %8: i32 = work_item sub_group_id 0
//!   barrier sub_group acquire_release sub_group local
//!   barrier sub_group acquire_release work_group local
//!   %9: i32 = add %4, %8
//!   %10: i32 = add %9, %7
//!   %11: i32x4 = add %6, %3
//!   return
//! }
//! ; ---
//! func @f(%0: i32, %1: bool, %2: f32, %3: i32x4) {
//!   %4: i32 = zext %1
//!   %5: i32x4 = construct %4, i32 0, i32 0, i32 0
//!   %6: i32 = extract %3 0
//!   %7: i32 = and %6, i32 1
//!   %8: i64 = work_item local_linear_id 0
//!   %9: i32 = trunc %8
//!   fence acquire_release work_group local
//!   %10: i32 = add %0, %9
//!   %11: i32 = add %10, %7
//!   %12: i32x4 = add %5, %3
//!   return
//! }
//! ```

use super::builtins::first_of_scan;
use crate::legalize::{Context, State};
use clforge_ir::expand::{Expand, expand};
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::room::Room;
use clforge_ir::*;

/// The pass. It runs where the program's functions of sub-groups and those that other passes make of it are there, and
/// before those that replace some of them.
pub struct SingleSubGroups;

impl Pass<State> for SingleSubGroups {
    fn name(&self) -> &'static str {
        "vulkan/single_sub_groups"
    }

    fn order(&self) -> Order {
        Order { before: &["vulkan/library"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let mut room = Room::new(module, context.options.codegen.max_instructions);
        let mut changed = Changed::No;
        for function in &mut module.functions {
            if remove_barriers(function) {
                changed = Changed::Maybe;
            }
            if function.insts.iter().any(|inst| is_of_sub_groups(&inst.op)) {
                expand(function, &mut Single, &mut room, |_| Ok(None))?;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// A barrier of one work-item waits for nothing. What it orders for others stays. Whether there was one.
fn remove_barriers(function: &mut Function) -> bool {
    let mut changed = false;
    let regions: Vec<RegionId> = function.regions.keys().collect();
    for region in regions {
        let mut insts = std::mem::take(&mut function.region_mut(region).insts);
        insts.retain(|inst| {
            let op = &mut function.inst_mut(*inst).op;
            let Op::Barrier { execution: Scope::SubGroup, semantics } = *op else { return true };
            changed = true;
            *op = Op::Fence(semantics);
            semantics.scope > Scope::SubGroup
        });
        function.region_mut(region).insts = insts;
    }
    changed
}

fn is_of_sub_groups(op: &Op) -> bool {
    use WorkItemQuery as Q;
    match op {
        Op::Group { scope: Scope::SubGroup, .. } => true,
        Op::WorkItem { query, .. } => matches!(
            query,
            Q::SubGroupSize
                | Q::MaxSubGroupSize
                | Q::NumSubGroups
                | Q::EnqueuedNumSubGroups
                | Q::SubGroupId
                | Q::SubGroupLocalId
        ),
        _ => false,
    }
}

struct Single;

impl Expand for Single {
    fn replaces(&self, op: &Op) -> bool {
        is_of_sub_groups(op)
    }

    fn expand(&mut self, b: &mut Builder<'_>, inst: InstId) -> Result<Value, Error> {
        match b.function.inst(inst).op {
            Op::Group { op, .. } => Ok(alone(b, op)),
            Op::WorkItem { query, .. } => Ok(queried(b, query)),
            _ => Err(Error::internal("not an operation of a sub-group")),
        }
    }
}

/// The value of an operation of a sub-group that has one work-item, the number 0.
fn alone(b: &mut Builder<'_>, op: GroupOp) -> Value {
    match op {
        GroupOp::All { predicate } | GroupOp::Any { predicate } => predicate,
        GroupOp::AllEqual { .. } | GroupOp::Elect => b.int(Type::BOOL, 1),
        GroupOp::Broadcast { value, .. }
        | GroupOp::BroadcastFirst { value }
        | GroupOp::Shuffle { value, .. }
        | GroupOp::ShuffleXor { value, .. }
        | GroupOp::ShuffleUp { value, .. }
        | GroupOp::ShuffleDown { value, .. }
        | GroupOp::Rotate { value, .. }
        | GroupOp::ClusteredRotate { value, .. }
        | GroupOp::ClusteredArithmetic { value, .. } => value,
        GroupOp::Arithmetic { op, extent, value } => match extent {
            GroupExtent::Reduce | GroupExtent::Inclusive => value,
            GroupExtent::Exclusive => {
                let ty = b.ty(value);
                first_of_scan(b, op, ty)
            }
        },
        GroupOp::Ballot { predicate } => {
            let (bit, zero) = (b.convert(ConvertOp::ZExt, predicate, Type::I32), b.int(Type::I32, 0));
            b.construct(&[bit, zero, zero, zero])
        }
        GroupOp::InverseBallot { ballot } | GroupOp::BallotBitExtract { ballot, .. } => {
            let bit = only_bit(b, ballot);
            b.compare_int(CompareOp::Ne, bit, 0)
        }
        GroupOp::BallotBitCount { extent: GroupExtent::Exclusive, .. }
        | GroupOp::BallotFindLsb { .. }
        | GroupOp::BallotFindMsb { .. } => b.int(Type::I32, 0),
        GroupOp::BallotBitCount { ballot, .. } => only_bit(b, ballot),
    }
}

/// The bit of a ballot that stands for a work-item.
fn only_bit(b: &mut Builder<'_>, ballot: Value) -> Value {
    let word = b.extract(ballot, 0);
    b.binary_int(BinaryOp::And, word, 1)
}

fn queried(b: &mut Builder<'_>, query: WorkItemQuery) -> Value {
    use WorkItemQuery as Q;
    let wide = |b: &mut Builder<'_>, query, dim| b.emit(Op::WorkItem { query, dim }, Type::I64);
    let items = |b: &mut Builder<'_>, size| {
        let [x, y, z] = [0, 1, 2].map(|dim| wide(b, size, dim));
        let plane = b.binary(BinaryOp::Mul, x, y);
        b.binary(BinaryOp::Mul, plane, z)
    };
    let value = match query {
        Q::SubGroupId => wide(b, Q::LocalLinearId, 0),
        Q::NumSubGroups => items(b, Q::LocalSize),
        Q::EnqueuedNumSubGroups => items(b, Q::EnqueuedLocalSize),
        Q::SubGroupLocalId => return b.int(Type::I32, 0),
        _ => return b.int(Type::I32, 1),
    };
    b.resize(value, ScalarType::I32, false)
}
