//! `vulkan/wide_conversions`: expands conversions of narrower floating-point numbers to 64 bits
//! ([`Workarounds::NVIDIA_WIDE_CONVERSIONS`](clforge_basic::workarounds::Workarounds)).

use super::wide_integers;
use crate::legalize::{Context, State};
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::verify::Legalized;
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// Of a float: its magnitude, and bits of the fraction that a double has more.
const MAGNITUDE: i64 = 0x7FFF_FFFF;
const MORE_BITS: i64 = 52 - 23;
/// Of a double's upper word: the bits of the exponent that a float does not have.
const MORE_EXPONENT: i64 = 0x7000_0000;
/// What a double is multiplied by that has the exponent of a float: the difference of the biases is 1023 - 127.
const REBIAS: u64 = (1023 + 1023 - 127) << 52;

/// The pass. It runs after simplification, which knows conversions, but not what they are made of.
pub struct WideConversions;

impl Pass<State> for WideConversions {
    fn name(&self) -> &'static str {
        "vulkan/wide_conversions"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::Memory), ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let (mut room, mut changed) = (Room::new(module, context.options.codegen.max_instructions), Changed::No);
        for function in &mut module.functions {
            if function.insts.iter().any(|inst| operand(function, inst).is_some()) {
                let mut conversions = Conversions {
                    finite_only: context.options.language.math.finite_only,
                    fused: context.options.device.fused_multiply_add.double,
                };
                *function = rewrite(function, &mut conversions, &mut room)?;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

/// The operand of a conversion from `float` or `half` to a type of 64 bits.
fn operand(function: &Function, inst: &Inst) -> Option<Value> {
    let Op::Convert { op: ConvertOp::FExt | ConvertOp::FToS | ConvertOp::FToU, operand } = inst.op else { return None };
    let to = function.ty(*inst.results.first()?).scalar;
    (to.bits() == 64 && function.ty(operand).scalar.bits() < 64).then_some(operand)
}

/// The operands of a sum of doubles, the first of which is converted from `float`: that operand, and the other.
fn converted_summand(function: &Function, inst: &Inst) -> Option<(Value, Value)> {
    let Op::Binary { op: BinaryOp::FAdd, lhs, rhs } = inst.op else { return None };
    [(lhs, rhs), (rhs, lhs)].into_iter().find_map(|(summand, other)| match *function.op(summand)? {
        Op::Convert { op: ConvertOp::FExt, operand } if function.ty(summand).scalar == ScalarType::F64 => {
            (function.ty(operand).scalar == ScalarType::F32).then_some((operand, other))
        }
        _ => None,
    })
}

struct Conversions {
    /// No operand is infinite or a NaN.
    finite_only: bool,
    /// A multiply-add of doubles is rounded once.
    fused: bool,
}

impl Rewrite for Conversions {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        if let Some((x, other)) = converted_summand(r.old, inst).filter(|_| self.fused) {
            // The product that a conversion ends with is exact: added to at once, it saves an operation.
            let (x, other) = (r.one(x, self)?, r.one(other, self)?);
            let (small, factor) = self.factors(&mut r.b, x);
            let sum = r.b.intrinsic(Intrinsic::Fma, &[small, factor, other], r.b.ty(other));
            return Ok(Some(smallvec![smallvec![sum]]));
        }
        let Some(operand) = operand(r.old, inst) else { return Ok(None) };
        let to = r.old.ty(inst.result()?);
        let x = r.one(operand, self)?;
        let b = &mut r.b;
        let value = match (b.ty(x).scalar, to.scalar) {
            (ScalarType::F16, ScalarType::F64) => {
                let float = b.convert(ConvertOp::FExt, x, to.with_scalar(ScalarType::F32));
                self.double_of(b, float)
            }
            // Halves are less than 2^17.
            (ScalarType::F16, _) => {
                let word = b.convert(ConvertOp::FToS, x, to.with_scalar(ScalarType::I32));
                b.resize(word, ScalarType::I64, true)
            }
            (_, ScalarType::F64) => self.double_of(b, x),
            _ => integer_of(b, x),
        };
        Ok(Some(smallvec![smallvec![value]]))
    }
}

impl Conversions {
    fn double_of(&self, b: &mut Builder<'_>, x: Value) -> Value {
        let (small, factor) = self.factors(b, x);
        b.binary(BinaryOp::FMul, small, factor)
    }

    /// Two doubles whose product, which is exact, are floats: the bits of a float, denormal or not, are those of a double with a
    /// smaller exponent.
    fn factors(&self, b: &mut Builder<'_>, x: Value) -> (Value, Value) {
        let bits = b.to_bits(x);
        let low = b.binary_int(BinaryOp::Shl, bits, MORE_BITS);
        let high = b.binary_int(BinaryOp::AShr, bits, 32 - MORE_BITS);
        let mut high = b.binary_int(BinaryOp::And, high, !MORE_EXPONENT);
        if !self.finite_only {
            // Infinities and NaNs have all bits of the exponent. So has their product with zero, which is a NaN, and that of
            // another number has none. Minus zero, since llvmpipe replaces a product with plus zero (gallivm's `lp_build_mul`).
            let zero = b.float(b.ty(x), -0.0);
            let product = b.binary(BinaryOp::FMul, x, zero);
            let product = b.to_bits(product);
            let more = b.binary_int(BinaryOp::And, product, MORE_EXPONENT);
            high = b.binary(BinaryOp::Or, high, more);
        }
        let small = wide_integers::of_words(b, low, high);
        let double = b.ty(x).with_scalar(ScalarType::F64);
        (b.bitcast(small, double), b.float(double, f64::from_bits(REBIAS)))
    }
}

/// Floats as integers of 64 bits, rounded toward zero; nothing is required of what is out of range.
fn integer_of(b: &mut Builder<'_>, x: Value) -> Value {
    let bits = b.to_bits(x);
    let magnitude = b.binary_int(BinaryOp::And, bits, MAGNITUDE);
    let magnitude = b.bitcast(magnitude, b.ty(x));
    let unsigned = wide_integers::of_float(b, magnitude);
    let sign = b.binary_int(BinaryOp::AShr, bits, 31);
    let sign = b.resize(sign, ScalarType::I64, true);
    wide_integers::with_sign(b, unsigned, sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workarounds::testing::result;

    const FLOATS: [u32; 24] = [
        0,
        1,
        2,
        0x007F_FFFF,
        0x0080_0000,
        0x0080_0001,
        0x3380_0000,
        0x3F00_0000,
        0x3F7F_FFFF,
        0x3F80_0000,
        0x3FFF_FFFF,
        0x4B7F_FFFF,
        0x4F7F_FFFF,
        0x4F80_0000,
        0x4F80_0001,
        0x4FFF_FFFF,
        0x5000_0003,
        0x5EFF_FFFF,
        0x5F00_0000,
        0x5F7F_FFFF,
        0x7F7F_FFFF,
        0x7F80_0000,
        0x7F80_0001,
        0x7FC0_0000,
    ];

    /// What `@f`, whose first argument is a float, returns.
    fn returned(text: &str, finite_only: bool, args: &[u64]) -> u64 {
        let mut conversions = Conversions { finite_only, fused: true };
        result(text, &mut conversions, |function, inst| operand(function, inst).is_some(), args)
    }

    fn converted(op: &str, to: &str, finite_only: bool, bits: u32) -> u64 {
        let text = format!("func @f(%0: f32) -> {to} {{\n  %1: {to} = {op} %0\n  return %1\n}}\n");
        returned(&text, finite_only, &[u64::from(bits)])
    }

    fn is_same(found: u64, expected: f64) -> bool {
        found == expected.to_bits() || f64::from_bits(found).is_nan() && expected.is_nan()
    }

    #[test]
    fn doubles_are_those_of_the_floats() {
        for bits in FLOATS.into_iter().flat_map(|bits| [bits, bits | 1 << 31]) {
            let x = f32::from_bits(bits);
            assert!(is_same(converted("fext", "f64", false, bits), f64::from(x)), "{bits:x}");
            assert!(!x.is_finite() || is_same(converted("fext", "f64", true, bits), f64::from(x)), "{bits:x}");
        }
    }

    #[test]
    fn sums_are_those_of_the_floats_as_doubles() {
        let text = "func @f(%0: f32, %1: f64) -> f64 {\n  %2: f64 = fext %0\n  %3: f64 = fadd %1, %2\n  return %3\n}\n";
        for bits in FLOATS.into_iter().flat_map(|bits| [bits, bits | 1 << 31]) {
            for other in [0.0, -0.0, 1.0, -1.0, 0.1, 2.0_f64.powi(-149), f64::NEG_INFINITY, f64::NAN] {
                let found = returned(text, false, &[u64::from(bits), other.to_bits()]);
                assert!(is_same(found, f64::from(f32::from_bits(bits)) + other), "{bits:x} + {other:e}");
            }
        }
    }

    #[test]
    fn integers_are_those_of_the_floats() {
        for bits in FLOATS {
            let x = f32::from_bits(bits);
            if x < 2.0_f32.powi(64) {
                assert_eq!(converted("ftou", "i64", false, bits), x as u64, "{x}");
            }
            for x in [x, -x].into_iter().filter(|x| x.abs() < 2.0_f32.powi(63)) {
                assert_eq!(converted("ftos", "i64", false, x.to_bits()).cast_signed(), x as i64, "{x}");
            }
        }
    }
}
