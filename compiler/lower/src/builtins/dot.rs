//! Integer dot products (`cl_khr_integer_dot_product` and Arm's) and operations on bit fields (`cl_khr_extended_bit_ops`).

use super::convert::saturate;
use super::{Entry, Lower, Lowered};
use clforge_ir::{BinaryOp, CompareOp, Error, Op, ScalarType, Type, UnaryOp, Value};

/// The functions of this family, by the names that the source has for them.
pub const ENTRIES: &[Entry] = &[
    ("clock_read_device", clock_device),
    ("clock_read_hilo_device", clock_hilo_device),
    ("clock_read_work_group", clock_work_group),
    ("clock_read_hilo_work_group", clock_hilo_work_group),
    ("clock_read_sub_group", clock_sub_group),
    ("clock_read_hilo_sub_group", clock_hilo_sub_group),
    ("dot_acc_sat", dot_acc_sat),
    ("arm_dot", dot),
    ("arm_dot_acc", dot_acc),
    ("arm_dot_acc_sat", dot_acc_sat),
    ("dot_4x8packed_uu_uint", packed_uu),
    ("dot_acc_sat_4x8packed_uu_uint", packed_acc_sat_uu),
    ("dot_4x8packed_ss_int", packed_ss),
    ("dot_acc_sat_4x8packed_ss_int", packed_acc_sat_ss),
    ("dot_4x8packed_us_int", packed_us),
    ("dot_acc_sat_4x8packed_us_int", packed_acc_sat_us),
    ("dot_4x8packed_su_int", packed_su),
    ("dot_acc_sat_4x8packed_su_int", packed_acc_sat_su),
    ("bitfield_insert", bitfield_insert),
    ("bitfield_extract_signed", bitfield_extract_signed),
    ("bitfield_extract_unsigned", bitfield_extract_unsigned),
    ("bit_reverse", bit_reverse),
];

/// The sum of the products of two vectors' lanes in 32 bits: 4 products of bytes fit; those of shorts wrap.
fn products(l: &mut Lower<'_, '_>, x: Value, y: Value, signed: [bool; 2]) -> Value {
    let (x, y) = (l.b.resize(x, ScalarType::I32, signed[0]), l.b.resize(y, ScalarType::I32, signed[1]));
    let products = l.b.binary(BinaryOp::Mul, x, y);
    let mut sum = l.b.extract(products, 0);
    for lane in 1..l.b.ty(products).lanes {
        let product = l.b.extract(products, lane);
        sum = l.b.binary(BinaryOp::Add, sum, product);
    }
    sum
}

fn of_vectors(l: &mut Lower<'_, '_>) -> Result<(Value, bool), Error> {
    let signed = [l.is_signed(0), l.is_signed(1)];
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    Ok((products(l, x, y, signed), signed[0] || signed[1]))
}

/// Adds the third argument, in 64 bits and back where it is to saturate.
fn accumulate(l: &mut Lower<'_, '_>, sum: Value, signed: bool, saturating: bool) -> Lowered {
    let accumulator = l.arg(2)?;
    if !saturating {
        return Ok(Some(l.b.binary(BinaryOp::Add, sum, accumulator)));
    }
    let (sum, accumulator) =
        (l.b.resize(sum, ScalarType::I64, signed), l.b.resize(accumulator, ScalarType::I64, signed));
    let total = l.b.binary(BinaryOp::Add, sum, accumulator);
    let total = saturate(l.b, total, true, ScalarType::I32, signed);
    Ok(Some(l.b.resize(total, ScalarType::I32, signed)))
}

/// `dot` of integers, `arm_dot`.
pub fn dot(l: &mut Lower<'_, '_>) -> Lowered {
    Ok(Some(of_vectors(l)?.0))
}

/// `arm_dot_acc`.
pub fn dot_acc(l: &mut Lower<'_, '_>) -> Lowered {
    let (sum, signed) = of_vectors(l)?;
    accumulate(l, sum, signed, false)
}

/// `dot_acc_sat`, `arm_dot_acc_sat`.
pub fn dot_acc_sat(l: &mut Lower<'_, '_>) -> Lowered {
    let (sum, signed) = of_vectors(l)?;
    accumulate(l, sum, signed, true)
}

fn packed(l: &mut Lower<'_, '_>, signed: [bool; 2]) -> Result<Value, Error> {
    let bytes = Type::vector(ScalarType::I8, 4);
    let (x, y) = (l.arg(0)?, l.arg(1)?);
    let (x, y) = (l.b.bitcast(x, bytes), l.b.bitcast(y, bytes));
    Ok(products(l, x, y, signed))
}

macro_rules! packed_functions {
    ($($name:ident, $saturating:ident = $signed:expr;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            packed(l, $signed).map(Some)
        }

        pub fn $saturating(l: &mut Lower<'_, '_>) -> Lowered {
            let sum = packed(l, $signed)?;
            accumulate(l, sum, $signed[0] || $signed[1], true)
        })*
    };
}

packed_functions! {
    packed_uu, packed_acc_sat_uu = [false, false];
    packed_ss, packed_acc_sat_ss = [true, true];
    packed_us, packed_acc_sat_us = [false, true];
    packed_su, packed_acc_sat_su = [true, false];
}

/// A count of bits (an `i32`) in the type of `like`, and that type's width minus it.
fn bit_count(l: &mut Lower<'_, '_>, count: Value, like: Value) -> (Value, Value) {
    let ty = l.b.ty(like);
    let count = l.b.resize(count, ty.scalar, false);
    let count = l.widen(count, ty.lanes);
    let width = l.b.int(ty, i64::from(ty.scalar.bits()));
    let rest = l.b.binary(BinaryOp::Sub, width, count);
    (count, rest)
}

/// A shift by less than the width: only the low bits of the count matter.
fn shift(l: &mut Lower<'_, '_>, op: BinaryOp, x: Value, count: Value) -> Value {
    let mask = i64::from(l.b.ty(x).scalar.bits()) - 1;
    let count = l.b.binary_int(BinaryOp::And, count, mask);
    l.b.binary(op, x, count)
}

/// `bitfield_insert(base, insert, offset, count)`.
pub fn bitfield_insert(l: &mut Lower<'_, '_>) -> Lowered {
    let (base, insert, offset, count) = (l.arg(0)?, l.arg(1)?, l.arg(2)?, l.arg(3)?);
    let ty = l.b.ty(base);
    let (offset, _) = bit_count(l, offset, base);
    let (count, rest) = bit_count(l, count, base);
    let ones = l.b.int(ty, -1);
    let ones = shift(l, BinaryOp::LShr, ones, rest);
    let none = l.b.compare_int(CompareOp::Eq, count, 0);
    let zero = l.b.int(ty, 0);
    let ones = l.b.select(none, zero, ones);
    let (mask, moved) = (shift(l, BinaryOp::Shl, ones, offset), shift(l, BinaryOp::Shl, insert, offset));
    let field = l.b.binary(BinaryOp::And, moved, mask);
    let keep = l.b.unary(UnaryOp::Not, mask);
    let kept = l.b.binary(BinaryOp::And, base, keep);
    Ok(Some(l.b.binary(BinaryOp::Or, kept, field)))
}

/// The field moved to the top and back down, by a shift that extends it.
fn extract(l: &mut Lower<'_, '_>, down: BinaryOp) -> Lowered {
    let (base, offset, count) = (l.arg(0)?, l.arg(1)?, l.arg(2)?);
    let ty = l.b.ty(base);
    let (offset, _) = bit_count(l, offset, base);
    let (count, rest) = bit_count(l, count, base);
    let up = l.b.binary(BinaryOp::Sub, rest, offset);
    let top = shift(l, BinaryOp::Shl, base, up);
    let field = shift(l, down, top, rest);
    let none = l.b.compare_int(CompareOp::Eq, count, 0);
    let zero = l.b.int(ty, 0);
    Ok(Some(l.b.select(none, zero, field)))
}

pub fn bitfield_extract_signed(l: &mut Lower<'_, '_>) -> Lowered {
    extract(l, BinaryOp::AShr)
}

pub fn bitfield_extract_unsigned(l: &mut Lower<'_, '_>) -> Lowered {
    extract(l, BinaryOp::LShr)
}

/// Swaps neighbouring runs of 1, 2, 4, … bits.
pub fn bit_reverse(l: &mut Lower<'_, '_>) -> Lowered {
    let mut x = l.arg(0)?;
    let bits = l.b.ty(x).scalar.bits();
    let masks = [0x5555_5555_5555_5555, 0x3333_3333_3333_3333, 0x0f0f_0f0f_0f0f_0f0f, 0x00ff_00ff_00ff_00ff];
    let masks = masks.into_iter().chain([0x0000_ffff_0000_ffff, 0x0000_0000_ffff_ffff]);
    for (step, mask) in masks.enumerate().take_while(|(step, _)| 1 << step < bits) {
        let low = l.b.binary_int(BinaryOp::And, x, mask);
        let low = l.b.binary_int(BinaryOp::Shl, low, 1 << step);
        let high = l.b.binary_int(BinaryOp::LShr, x, 1 << step);
        let high = l.b.binary_int(BinaryOp::And, high, mask);
        x = l.b.binary(BinaryOp::Or, low, high);
    }
    Ok(Some(x))
}

/// `clock_read_…`: 64 bits, or two halves.
fn clock(l: &mut Lower<'_, '_>, scope: clforge_ir::Scope, halves: bool) -> Lowered {
    let value = l.b.push(Op::ReadClock(scope), &[Type::I64]).first().copied();
    Ok(value.map(|value| if halves { l.b.bitcast(value, Type::vector(ScalarType::I32, 2)) } else { value }))
}

macro_rules! clocks {
    ($($name:ident = $scope:ident, $halves:literal;)*) => {
        $(pub fn $name(l: &mut Lower<'_, '_>) -> Lowered {
            clock(l, clforge_ir::Scope::$scope, $halves)
        })*
    };
}

clocks! {
    clock_device = Device, false;
    clock_work_group = WorkGroup, false;
    clock_sub_group = SubGroup, false;
    clock_hilo_device = Device, true;
    clock_hilo_work_group = WorkGroup, true;
    clock_hilo_sub_group = SubGroup, true;
}
