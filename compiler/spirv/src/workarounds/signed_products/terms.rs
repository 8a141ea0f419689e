//! The terms of a sum, as a driver sees them: integers and what they are multiplied by.

use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

use super::Factor;

/// Factors of a product, one for each element.
pub type Factors = SmallVec<[i64; 4]>;

/// Operations that are looked at behind a value; what is behind these is a term of its own.
const MOST_OPERATIONS: usize = 48;

/// What is multiplied by constants, or shifted left by them, and the factors.
pub fn by_constants(function: &Function, op: &Op) -> Option<(Value, Factors)> {
    match *op {
        Op::Binary { op: BinaryOp::Mul, lhs, rhs } => {
            [(lhs, rhs), (rhs, lhs)].into_iter().find_map(|(integer, factor)| {
                let lanes = function.as_constant(factor)?.lanes()?;
                Some((integer, lanes.iter().map(|lane| lane.cast_signed()).collect()))
            })
        }
        Op::Binary { op: BinaryOp::Shl, lhs, rhs } => {
            let factors = function.as_constant(rhs)?.lanes()?.iter().map(|count| {
                let factor = 1_u64.checked_shl(u32::try_from(*count).ok()?)?;
                Some(factor.cast_signed())
            });
            Some((lhs, factors.collect::<Option<_>>()?))
        }
        _ => None,
    }
}

/// Whether the operation is that which gives some term of its result a factor from 2^31 on, below 2^32: a product with a
/// constant, or a sum of two products of one integer. The negative of such a factor counts too, except where it is the
/// constant itself. Integers whose upper words a driver can know nothing of, and those that are zero-extended, are no such
/// terms.
pub fn has_unsigned_factor(function: &Function, op: &Op) -> bool {
    let is_unsigned = |factor: i64| matches!(Factor::of(factor), Factor::Unsigned);
    let has_magnitude = |factor: i64| is_unsigned(factor) || is_unsigned(factor.wrapping_neg());
    let mut left = MOST_OPERATIONS;
    if let Some((integer, factors)) = by_constants(function, op) {
        let terms = Terms::of(function, integer, &mut left).times(&factors);
        return terms.0.iter().any(|(term, factors)| {
            factors.iter().any(|factor| if *term == integer { is_unsigned(*factor) } else { has_magnitude(*factor) })
        });
    }
    let Op::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } = *op else { return false };
    let lhs = Terms::of(function, lhs, &mut left);
    let rhs = Terms::of(function, rhs, &mut left).negative_if(op == BinaryOp::Sub);
    lhs.0.iter().any(|(integer, factors)| {
        let others = rhs.0.iter().filter(|(other, _)| other == integer).flat_map(|(_, others)| others);
        factors.iter().zip(others).any(|(a, b)| has_magnitude(a.wrapping_add(*b)))
    })
}

/// Integers and their factors.
struct Terms(SmallVec<[(Value, Factors); 4]>);

impl Terms {
    fn none() -> Terms {
        Terms(SmallVec::new())
    }

    /// The terms of a value, of which no more operations are looked at than are left.
    fn of(function: &Function, value: Value, left: &mut usize) -> Terms {
        let itself = || Terms(smallvec![(value, smallvec![1; usize::from(function.ty(value).lanes)])]);
        let Some(fewer) = left.checked_sub(1) else { return itself() };
        *left = fewer;
        let Some(op) = function.op(value) else {
            return if function.as_constant(value).is_some() { Terms::none() } else { itself() };
        };
        if let Some((integer, factors)) = by_constants(function, op) {
            return Terms::of(function, integer, left).times(&factors);
        }
        match *op {
            Op::Load { .. } | Op::Convert { op: ConvertOp::ZExt | ConvertOp::Bitcast, .. } => Terms::none(),
            Op::Binary { op: op @ (BinaryOp::Add | BinaryOp::Sub), lhs, rhs } => {
                let rhs = Terms::of(function, rhs, left).negative_if(op == BinaryOp::Sub);
                Terms::of(function, lhs, left).plus(rhs)
            }
            Op::Binary { op: BinaryOp::And, rhs, .. } if function.as_int(rhs) == Some(u64::from(u32::MAX)) => {
                Terms::none()
            }
            Op::Binary { op: BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, lhs, rhs }
            | Op::Select { if_true: lhs, if_false: rhs, .. } => {
                let mut terms = Terms::of(function, lhs, left);
                terms.0.extend(Terms::of(function, rhs, left).0);
                if function.as_constant(rhs).is_some() || terms.0.is_empty() {
                    terms.0.extend(itself().0);
                }
                terms
            }
            Op::Unary { op: UnaryOp::Neg | UnaryOp::Not, operand } => {
                Terms::of(function, operand, left).negative_if(true)
            }
            Op::Extract { vector, lane } => {
                let lane = usize::from(lane);
                let terms = Terms::of(function, vector, left).0.into_iter();
                Terms(terms.map(|(integer, factors)| (integer, smallvec![factors[lane]])).collect())
            }
            _ => itself(),
        }
    }

    fn times(mut self, by: &Factors) -> Terms {
        for (_, factors) in &mut self.0 {
            factors.iter_mut().zip(by).for_each(|(factor, by)| *factor = factor.wrapping_mul(*by));
        }
        self
    }

    fn negative_if(self, negative: bool) -> Terms {
        let lanes = self.0.first().map_or(0, |(_, factors)| factors.len());
        if negative { self.times(&smallvec![-1; lanes]) } else { self }
    }

    fn plus(mut self, others: Terms) -> Terms {
        for (integer, factors) in others.0 {
            match self.0.iter_mut().find(|(known, _)| *known == integer) {
                Some((_, sum)) => sum.iter_mut().zip(factors).for_each(|(sum, by)| *sum = sum.wrapping_add(by)),
                None => self.0.push((integer, factors)),
            }
        }
        self
    }
}
