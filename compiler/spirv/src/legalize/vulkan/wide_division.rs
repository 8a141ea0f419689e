//! `vulkan/wide_division`: expands divisions of integers of 64 bits to multiplications
//! ([`Workarounds::NVIDIA_WIDE_DIVISION`](clforge_basic::workarounds::Workarounds)).

mod constant;
mod variable;

use super::wide_integers::with_sign;
use crate::legalize::{Context, State};
use clforge_basic::options::Options;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::verify::Legalized;
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// The pass. It runs where the divisors that are constants are known to be, and before the last simplification.
pub struct WideDivision;

impl Pass<State> for WideDivision {
    fn name(&self) -> &'static str {
        "vulkan/wide_division"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::Memory), after: &["strength_reduction"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let (mut room, mut changed) = (Room::new(module, context.options.codegen.max_instructions), Changed::No);
        for function in &mut module.functions {
            if function.insts.iter().any(|inst| operands(function, inst).is_some()) {
                let mut division = Divisions { options: context.options, last: None };
                *function = rewrite(function, &mut division, &mut room)?;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// The operation, the dividend and the divisor of a division of 64 bits.
fn operands(function: &Function, inst: &Inst) -> Option<(BinaryOp, Value, Value)> {
    let Op::Binary { op, lhs, rhs } = inst.op else { return None };
    let divides = matches!(op, BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem);
    (divides && function.ty(lhs).scalar == ScalarType::I64).then_some((op, lhs, rhs))
}

/// A division in a new function.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Division {
    region: RegionId,
    signed: bool,
    n: Value,
    d: Value,
}

struct Divisions<'o> {
    options: &'o Options,
    /// The last division, and its quotient: a program that takes the remainder mostly takes the quotient beside it.
    last: Option<(Division, Value)>,
}

impl Rewrite for Divisions<'_> {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let Some((op, n, d)) = operands(r.old, inst) else { return Ok(None) };
        let (n, d) = (r.one(n, self)?, r.one(d, self)?);
        let signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
        let division = Division { region: r.b.region(), signed, n, d };
        let known = self.last.filter(|(last, _)| *last == division).map(|(_, quotient)| quotient);
        let quotient = known.unwrap_or_else(|| self.quotient(&mut r.b, division));
        self.last = Some((division, quotient));
        let value = match op {
            BinaryOp::UDiv | BinaryOp::SDiv => quotient,
            _ => {
                let product = r.b.binary(BinaryOp::Mul, quotient, d);
                r.b.binary(BinaryOp::Sub, n, product)
            }
        };
        Ok(Some(smallvec![smallvec![value]]))
    }
}

impl Divisions<'_> {
    /// The quotient, rounded toward zero, lane by lane.
    fn quotient(&self, b: &mut Builder<'_>, Division { signed, n, d, .. }: Division) -> Value {
        let mut quotients = Vec::new();
        for lane in 0..b.ty(n).lanes {
            let (n, d) = (b.extract(n, lane), b.extract(d, lane));
            quotients.push(if signed { self.signed(b, n, d) } else { self.unsigned(b, n, d) });
        }
        b.construct(&quotients)
    }

    fn unsigned(&self, b: &mut Builder<'_>, n: Value, d: Value) -> Value {
        let fits = [n, d].map(|value| variable::fits_word(b.function, value, false));
        self.of_magnitudes(b, [n, d], fits)
    }

    /// The quotient of the magnitudes, with the sign.
    fn signed(&self, b: &mut Builder<'_>, n: Value, d: Value) -> Value {
        let sign = b.binary_int(BinaryOp::AShr, n, 63);
        let fits = [n, d].map(|value| variable::fits_word(b.function, value, true));
        let magnitude = with_sign(b, n, sign);
        let of_divisor = b.binary_int(BinaryOp::AShr, d, 63);
        let divisor = with_sign(b, d, of_divisor);
        let quotient = self.of_magnitudes(b, [magnitude, divisor], fits);
        let sign = b.binary(BinaryOp::Xor, sign, of_divisor);
        with_sign(b, quotient, sign)
    }

    /// The quotient of unsigned integers, of each of which is said whether it is seen to have at most 32 bits.
    fn of_magnitudes(&self, b: &mut Builder<'_>, [n, d]: [Value; 2], fits: [bool; 2]) -> Value {
        match (fits, b.function.as_int(d)) {
            ([true, true], _) => variable::of_words(b, n, d),
            (_, Some(d)) => constant::quotient(b, n, d, self.options),
            (_, None) => variable::quotient(b, n, d, self.options),
        }
    }
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

    /// Quotients or remainders of pairs of a dividend and a divisor, by the code of the pass; of a divisor that is known if there
    /// is one.
    fn divided(op: &str, pairs: &[[u64; 2]], divisor: Option<u64>) -> Vec<u64> {
        let known = divisor.map_or("%1".to_owned(), |d| format!("i64 {}", d.cast_signed()));
        let text = format!("func @f(%0: i64, %1: i64) -> i64 {{\n  %2: i64 = {op} %0, {known}\n  return %2\n}}\n");
        let mut module = read(&text).expect("it reads");
        // Products of 64 bits are made of those of halves, which the interpreter knows.
        let options = Options::default();
        let mut context = Context { options: &options, state: State::default() };
        assert_eq!(WideDivision.run(&mut module, &mut context).expect("it divides"), Changed::Maybe);
        assert!(module.functions.iter().all(|f| f.insts.iter().all(|inst| operands(f, inst).is_none())));
        pairs.iter().map(|pair| Machine::new(&module).run("f", pair).expect("a result")[0]).collect()
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
            let pairs: Vec<[u64; 2]> = numbers.iter().copied().chain(around).map(|n| [n, *d]).collect();
            for op in ["udiv", "urem", "sdiv", "srem"] {
                for divisor in [Some(*d), None] {
                    for ([n, d], found) in pairs.iter().zip(divided(op, &pairs, divisor)) {
                        assert_eq!(found, expected(op, *n, *d), "{n} {op} {d}, {divisor:?}");
                    }
                }
            }
        }
    }
}
