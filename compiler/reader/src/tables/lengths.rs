//! Lengths of arrays that are operations on other constants: types are laid out before anything else can be computed.

use super::Tables;
use clforge_ir::ScalarType;
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
    let (x, y) = (a.signed(), b.signed());
    let shift = |shifted: Option<u64>| shifted.unwrap_or(0);
    let count = u32::try_from(b.bits).unwrap_or(u32::MAX);
    Some(match op {
        Op::IAdd => a.bits.wrapping_add(b.bits),
        Op::ISub => a.bits.wrapping_sub(b.bits),
        Op::IMul => a.bits.wrapping_mul(b.bits),
        Op::UDiv => a.bits.checked_div(b.bits)?,
        Op::UMod => a.bits.checked_rem(b.bits)?,
        Op::SDiv => low(x.checked_div(y)?),
        Op::SRem => low(x.checked_rem(y)?),
        Op::SMod => low(x.checked_rem(y)?.checked_add(y)?.checked_rem(y)?),
        Op::BitwiseAnd | Op::LogicalAnd => a.bits & b.bits,
        Op::BitwiseOr | Op::LogicalOr => a.bits | b.bits,
        Op::BitwiseXor | Op::LogicalNotEqual => a.bits ^ b.bits,
        Op::LogicalEqual => u64::from(a.bits == b.bits),
        Op::ShiftLeftLogical => shift(a.bits.checked_shl(count)),
        Op::ShiftRightLogical => shift(a.bits.checked_shr(count)),
        Op::ShiftRightArithmetic => low(x >> count.min(127)),
        _ => u64::from(comparison(op, a, b)?),
    })
}

fn comparison(op: Op, a: Number, b: Number) -> Option<bool> {
    let (x, y) = (a.signed(), b.signed());
    Some(match op {
        Op::IEqual => x == y,
        Op::INotEqual => x != y,
        Op::ULessThan => a.bits < b.bits,
        Op::ULessThanEqual => a.bits <= b.bits,
        Op::UGreaterThan => a.bits > b.bits,
        Op::UGreaterThanEqual => a.bits >= b.bits,
        Op::SLessThan => x < y,
        Op::SLessThanEqual => x <= y,
        Op::SGreaterThan => x > y,
        Op::SGreaterThanEqual => x >= y,
        _ => return None,
    })
}

fn low(value: i128) -> u64 {
    clforge_basic::narrow::low_u64(value)
}
