//! Lengths of arrays that are operations on constants. They are computed here because types are laid out before
//! anything else.

use super::Tables;
use crate::operations;
use clforge_ir::fold::evaluate;
use clforge_ir::{BinaryOp, CompareOp, ScalarType};
use rspirv::spirv::Op;

/// Most constants that a length is made of; one that is used twice counts twice.
const MAX_STEPS: u32 = 1000;

/// An integer or a `bool` (of one bit) with the width of its type.
#[derive(Clone, Copy)]
struct Number {
    bits: u64,
    width: u32,
}

impl Number {
    fn new(bits: u64, width: u32) -> Number {
        Number { bits: bits & u64::MAX >> (64 - width.clamp(1, 64)), width }
    }

    fn signed(self) -> i128 {
        let unused = 128 - self.width.clamp(1, 64);
        i128::from(self.bits) << unused >> unused
    }
}

impl Tables<'_> {
    /// The value of an integer constant that may be an operation (`OpSpecConstantOp`), its bits zero-extended.
    pub fn computed_integer(&self, id: u32) -> Option<u64> {
        let mut steps = MAX_STEPS;
        self.integer(id).or_else(|| evaluate(self, id, &mut steps).map(|number| number.bits))
    }
}

fn evaluate(tables: &Tables<'_>, id: u32, steps: &mut u32) -> Option<Number> {
    *steps = steps.checked_sub(1)?;
    let at = tables.constants.get(&id)?;
    let ty = tables.types.value(at, at.ty).ok().filter(|ty| !ty.is_vector())?;
    let width = match ty.scalar {
        ScalarType::Bool => 1,
        scalar if scalar.is_int() => tables.types.width(at.ty).unwrap_or(scalar.bits()),
        _ => return None,
    };
    if let Some(bits) = tables.scalar_bits(at) {
        return Some(Number::new(bits, width));
    }
    let (op, operands) = at.operands.split_first().filter(|_| at.op == Op::SpecConstantOp)?;
    let op = Op::from_u32(*op)?;
    if op == Op::CompositeExtract {
        let [composite, index] = operands else { return None };
        let composite = tables.constants.get(composite)?;
        let is_list = matches!(composite.op, Op::ConstantComposite | Op::SpecConstantComposite);
        let member = composite.operands.get(usize::try_from(*index).ok()?).filter(|_| is_list)?;
        return evaluate(tables, *member, steps);
    }
    let mut numbers = Vec::with_capacity(operands.len());
    for operand in operands {
        numbers.push(evaluate(tables, *operand, steps)?);
    }
    let bits = match numbers[..] {
        [a] => unary(op, a)?,
        [a, b] => binary(op, a, b)?,
        [condition, yes, no] if op == Op::Select => if condition.bits == 0 { no } else { yes }.bits,
        _ => return None,
    };
    Some(Number::new(bits, width))
}

fn unary(op: Op, a: Number) -> Option<u64> {
    Some(match op {
        Op::SNegate => a.bits.wrapping_neg(),
        Op::Not => !a.bits,
        Op::LogicalNot => u64::from(a.bits == 0),
        Op::UConvert => a.bits,
        Op::SConvert => low(a.signed()),
        _ => return None,
    })
}

fn binary(op: Op, a: Number, b: Number) -> Option<u64> {
    let (bits, values) = ([a.bits, b.bits], [a, b].map(|number| low(number.signed())));
    if op == Op::SMod {
        let remainder = evaluate::binary(BinaryOp::SRem, ScalarType::I64, values[0], values[1])?;
        let is_other_sign = remainder != 0 && (remainder ^ values[1]) >> 63 == 1;
        return Some(if is_other_sign { remainder.wrapping_add(values[1]) } else { remainder });
    }
    if let Some(op) = operations::binary(op) {
        let is_signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem | BinaryOp::AShr);
        let [x, y] = if is_signed { values } else { bits };
        return evaluate::binary(op, ScalarType::I64, x, y);
    }
    let op = operations::comparison(op)?;
    let is_signed = matches!(op, CompareOp::SLt | CompareOp::SLe | CompareOp::SGt | CompareOp::SGe);
    let [x, y] = if is_signed { values } else { bits };
    Some(u64::from(evaluate::compare(op, ScalarType::I64, x, y)))
}

fn low(value: i128) -> u64 {
    clforge_basic::narrow::low_u64(value)
}
