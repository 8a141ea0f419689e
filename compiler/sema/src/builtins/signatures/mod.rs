//! The rows of the table of built-in functions, one file for each kind of function. What lowers their calls is in
//! `compiler/lower/src/builtins/`, mostly in the file of the same name. (The geometric functions are in `math.rs` here and in
//! `geometric.rs` there. A function without an entry there becomes the intrinsic of its name.)

mod async_copy;
mod atomic;
mod device;
mod dot;
mod group;
mod half_access;
mod image;
mod integer;
mod intel;
mod math;
mod matrix;
mod memory;
mod relational;
mod sync;
mod work;

use super::row::Row;

/// Functions that depend on nothing but their arguments and the work-item, where no argument is a pointer.
pub const CONST: [&[Row]; 6] =
    [math::MATH, math::COMMON, integer::INTEGER, relational::RELATIONAL, work::WORK, dot::DOT];

/// All rows.
pub const PARTS: [&[Row]; 17] = [
    math::MATH,
    math::COMMON,
    integer::INTEGER,
    relational::RELATIONAL,
    memory::MEMORY,
    half_access::HALF_ACCESS,
    async_copy::ASYNC_COPY,
    work::WORK,
    sync::SYNC,
    atomic::ATOMIC,
    group::GROUP,
    dot::DOT,
    image::IMAGE,
    device::DEVICE,
    matrix::MATRIX,
    intel::BLOCKS,
    intel::INTEL,
];
