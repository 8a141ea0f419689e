//! Work-item functions (OpenCL C 6.15.1).

use super::{Entry, Lower, Lowered};
use clforge_basic::narrow::to_u8;
use clforge_basic::options::AddressBits;
use clforge_ir::{CompareOp, ConvertOp, Op, Type, Value, WorkItemQuery};

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("get_work_dim", work_dim),
    ("get_global_size", global_size),
    ("get_global_id", global_id),
    ("get_local_size", local_size),
    ("get_enqueued_local_size", enqueued_local_size),
    ("get_local_id", local_id),
    ("get_num_groups", num_groups),
    ("get_group_id", group_id),
    ("get_global_offset", global_offset),
    ("get_global_linear_id", global_linear_id),
    ("get_local_linear_id", local_linear_id),
    ("get_sub_group_size", sub_group_size),
    ("get_max_sub_group_size", max_sub_group_size),
    ("get_num_sub_groups", num_sub_groups),
    ("get_enqueued_num_sub_groups", enqueued_num_sub_groups),
    ("get_sub_group_id", sub_group_id),
    ("get_sub_group_local_id", sub_group_local_id),
];

fn query(l: &mut Lower<'_, '_>, query: WorkItemQuery, dim: u8, ty: Type) -> Value {
    l.b.emit(Op::WorkItem { query, dim }, ty)
}

/// A query whose value is a `size_t`, in 64 bits.
fn size_query(l: &mut Lower<'_, '_>, what: WorkItemQuery, dim: u8) -> Value {
    match l.types.address_bits {
        AddressBits::Bits32 => {
            let size = query(l, what, dim, Type::I32);
            l.b.convert(ConvertOp::ZExt, size, Type::I64)
        }
        AddressBits::Bits64 => query(l, what, dim, Type::I64),
    }
}

/// A query of the dimension that the argument says; beyond the third one the value is `beyond`.
fn by_dimension(l: &mut Lower<'_, '_>, what: WorkItemQuery, beyond: i64) -> Lowered {
    let dimension = l.arg(0)?;
    match l.b.function.as_int(dimension) {
        Some(dim @ 0..=2) => Ok(Some(size_query(l, what, to_u8(dim)))),
        Some(_) => Ok(Some(l.b.int(Type::I64, beyond))),
        None => {
            let mut value = l.b.int(Type::I64, beyond);
            for dim in (0..3).rev() {
                let this = size_query(l, what, dim);
                let chosen = l.b.compare_int(CompareOp::Eq, dimension, i64::from(dim));
                value = l.b.select(chosen, this, value);
            }
            Ok(Some(value))
        }
    }
}

macro_rules! dimension_queries {
    ($($name:ident = $query:ident, $beyond:expr;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            by_dimension(l, WorkItemQuery::$query, $beyond)
        })*
    };
}

macro_rules! plain_queries {
    ($($name:ident = $query:ident, $ty:expr;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            Ok(Some(query(l, WorkItemQuery::$query, 0, $ty)))
        })*
    };
}

dimension_queries! {
    global_size = GlobalSize, 1;
    global_id = GlobalId, 0;
    local_size = LocalSize, 1;
    enqueued_local_size = EnqueuedLocalSize, 1;
    local_id = LocalId, 0;
    num_groups = NumGroups, 1;
    group_id = GroupId, 0;
    global_offset = GlobalOffset, 0;
}

pub fn global_linear_id(l: &mut Lower<'_, '_>) -> Lowered {
    Ok(Some(size_query(l, WorkItemQuery::GlobalLinearId, 0)))
}

pub fn local_linear_id(l: &mut Lower<'_, '_>) -> Lowered {
    Ok(Some(size_query(l, WorkItemQuery::LocalLinearId, 0)))
}

plain_queries! {
    work_dim = WorkDim, Type::I32;
    sub_group_size = SubGroupSize, Type::I32;
    max_sub_group_size = MaxSubGroupSize, Type::I32;
    num_sub_groups = NumSubGroups, Type::I32;
    enqueued_num_sub_groups = EnqueuedNumSubGroups, Type::I32;
    sub_group_id = SubGroupId, Type::I32;
    sub_group_local_id = SubGroupLocalId, Type::I32;
}
