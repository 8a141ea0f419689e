//! `vulkan/wide_division`: integers of 64 bits are divided by constants through multiplication
//! ([`Workarounds::NVIDIA_WIDE_DIVISION`](clforge_basic::workarounds::Workarounds)).
//!
//! The method is that of Granlund and Montgomery, "Division by Invariant Integers using Multiplication" (PLDI 1994).

use super::builtins::wide_product;
use crate::legalize::{Context, State};
use clforge_basic::options::Options;
use clforge_ir::pass::{Changed, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// Bits of a dividend.
const WIDTH: u32 = 64;

/// The pass. It runs where the divisors that are constants are known to be, and before the last simplification.
pub struct WideDivision;

impl Pass<State> for WideDivision {
    fn name(&self) -> &'static str {
        "vulkan/wide_division"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let mut division = Division { options: context.options };
        let (mut room, mut changed) = (Room::new(module, context.options.max_instructions), Changed::No);
        for function in &mut module.functions {
            if function.insts.iter().any(|inst| operands(function, inst).is_some()) {
                *function = rewrite(function, &mut division, &mut room)?;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// The operation, the dividend and the lanes of the divisor of a division of 64 bits by a constant.
fn operands<'f>(function: &'f Function, inst: &Inst) -> Option<(BinaryOp, Value, &'f [u64])> {
    let Op::Binary { op, lhs, rhs } = inst.op else { return None };
    let divides = matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem);
    if !divides || function.ty(lhs).scalar != ScalarType::I64 {
        return None;
    }
    Some((op, lhs, function.as_constant(rhs)?.lanes()?))
}

struct Division<'o> {
    options: &'o Options,
}

impl Rewrite for Division<'_> {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let Some((op, lhs, divisors)) = operands(r.old, inst) else { return Ok(None) };
        let n = r.one(lhs, self)?;
        let mut results = Vec::new();
        for (lane, d) in (0..).zip(divisors) {
            let n = r.b.extract(n, lane);
            let quotient = match op {
                BinaryOp::SDiv | BinaryOp::SRem => self.signed(&mut r.b, n, d.cast_signed()),
                _ => self.unsigned(&mut r.b, n, *d),
            };
            results.push(match op {
                BinaryOp::UDiv | BinaryOp::SDiv => quotient,
                _ => remainder(&mut r.b, n, quotient, *d),
            });
        }
        Ok(Some(smallvec![smallvec![r.b.construct(&results)]]))
    }
}

impl Division<'_> {
    /// The quotient of signed integers, rounded toward zero: that of the magnitudes, with the sign.
    fn signed(&self, b: &mut Builder<'_>, n: Value, d: i64) -> Value {
        let sign = b.binary_int(BinaryOp::AShr, n, i64::from(WIDTH) - 1);
        let magnitude = with_sign(b, n, sign);
        let quotient = self.unsigned(b, magnitude, d.unsigned_abs());
        let sign = if d < 0 { b.unary(UnaryOp::Not, sign) } else { sign };
        with_sign(b, quotient, sign)
    }

    /// The quotient of unsigned integers. Of division by zero nothing is required.
    fn unsigned(&self, b: &mut Builder<'_>, n: Value, d: u64) -> Value {
        let i64_of = |b: &mut Builder<'_>, bits: u64| b.int(Type::I64, bits.cast_signed());
        let shift = d.saturating_sub(1).checked_ilog2().map_or(0, |log| log + 1);
        if shift == 0 {
            return n;
        }
        if d.is_power_of_two() {
            return b.binary_int(BinaryOp::LShr, n, i64::from(shift));
        }
        // 2^(shift - 1) < d < 2^shift. A factor of 64 bits, if its error does not show: it is at most 2^(shift - 1) / d.
        let scale = 1_u128 << (WIDTH + shift - 1);
        let factor = scale / u128::from(d) + 1;
        if factor * u128::from(d) - scale <= 1 << (shift - 1)
            && let Ok(factor) = u64::try_from(factor)
        {
            let factor = i64_of(b, factor);
            let product = wide_product(b, n, factor, self.options);
            return b.binary_int(BinaryOp::LShr, product, i64::from(shift) - 1);
        }
        // One of 65 bits, without its highest: (n + product) >> shift, where the sum would not fit.
        let rest = (((1_u128 << shift) - u128::from(d)) << WIDTH) / u128::from(d) + 1;
        let Ok(rest) = u64::try_from(rest) else { return n };
        let factor = i64_of(b, rest);
        let product = wide_product(b, n, factor, self.options);
        let difference = b.binary(BinaryOp::Sub, n, product);
        let half = b.binary_int(BinaryOp::LShr, difference, 1);
        let mean = b.binary(BinaryOp::Add, product, half);
        b.binary_int(BinaryOp::LShr, mean, i64::from(shift) - 1)
    }
}

/// n - quotient * d.
fn remainder(b: &mut Builder<'_>, n: Value, quotient: Value, d: u64) -> Value {
    let product = b.binary_int(BinaryOp::Mul, quotient, d.cast_signed());
    b.binary(BinaryOp::Sub, n, product)
}

/// `x`, or `-x` where the sign is -1 in place of 0.
fn with_sign(b: &mut Builder<'_>, x: Value, sign: Value) -> Value {
    let flipped = b.binary(BinaryOp::Xor, x, sign);
    b.binary(BinaryOp::Sub, flipped, sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clforge_ir::interpret::Machine;
    use clforge_ir::read::read;

    /// Numbers at the limits of words, and others, which a linear congruential generator draws at all magnitudes.
    fn numbers(count: usize) -> Vec<u64> {
        let mut state = 0x0123_4567_89AB_CDEF_u64;
        let mut numbers: Vec<u64> = (0..64).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1]).collect();
        numbers.extend([3, 5, 6, 7, 10, 100, 641, 1_000_000_007, u64::MAX, u64::MAX - 1, u64::MAX / 3]);
        numbers.extend((0..count).map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> (state >> 58)
        }));
        numbers
    }

    /// Quotients or remainders of all dividends, by the code of the pass.
    fn divided(op: &str, dividends: &[u64], divisor: u64) -> Vec<u64> {
        let divisor = divisor.cast_signed();
        let text = format!("func @f(%0: i64) -> i64 {{\n  %1: i64 = {op} %0, i64 {divisor}\n  return %1\n}}\n");
        let mut module = read(&text).expect("it reads");
        // Products of 64 bits are made of those of halves, which the interpreter knows.
        let options = Options::default();
        let mut context = Context { options: &options, state: State::default() };
        assert_eq!(WideDivision.run(&mut module, &mut context).expect("it divides"), Changed::Maybe);
        assert!(module.functions.iter().all(|f| f.insts.iter().all(|inst| operands(f, inst).is_none())));
        dividends.iter().map(|n| Machine::new(&module).run("f", &[*n]).expect("a result")[0]).collect()
    }

    fn expected(op: &str, n: u64, d: u64) -> u64 {
        let (sn, sd) = (n.cast_signed(), d.cast_signed());
        match op {
            "udiv" => n / d,
            "urem" => n % d,
            "sdiv" => sn.wrapping_div(sd).cast_unsigned(),
            _ => sn.wrapping_rem(sd).cast_unsigned(),
        }
    }

    #[test]
    fn results_are_those_of_the_division() {
        let numbers = numbers(40);
        for d in numbers.iter().filter(|d| **d != 0) {
            // Also around multiples of the divisor.
            let multiples = numbers.iter().step_by(7).map(|n| n / d * d);
            let around = multiples.flat_map(|multiple| [multiple, multiple.wrapping_sub(1)]);
            let dividends: Vec<u64> = numbers.iter().copied().chain(around).collect();
            for op in ["udiv", "urem", "sdiv", "srem"] {
                for (n, found) in dividends.iter().zip(divided(op, &dividends, *d)) {
                    assert_eq!(found, expected(op, *n, *d), "{n} {op} {d}");
                }
            }
        }
    }
}
