//! `vulkan/wide_conversions`: conversions of narrower floating-point numbers to 64 bits are made of others
//! ([`Workarounds::NVIDIA_WIDE_CONVERSIONS`](clforge_basic::workarounds::Workarounds)).

use super::wide_integers;
use crate::legalize::{Context, State};
use clforge_ir::pass::{Changed, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// Of a float: its magnitude, infinity, and bits of the fraction that a double has more.
const MAGNITUDE: i64 = 0x7FFF_FFFF;
const INFINITY: i64 = 0x7F80_0000;
const MORE_BITS: i64 = 52 - 23;
/// Of a double's upper word: all but the bits of the exponent that a float does not have.
const ALL_OF_FLOAT: i64 = !0x7000_0000;
/// What a double is multiplied by that has the exponent of a float: the difference of the biases is 1023 - 127.
const REBIAS: u64 = (1023 + 1023 - 127) << 52;

/// The pass. It runs after simplification, which knows conversions, but not what they are made of.
pub struct WideConversions;

impl Pass<State> for WideConversions {
    fn name(&self) -> &'static str {
        "vulkan/wide_conversions"
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let (mut room, mut changed) = (Room::new(module, context.options.max_instructions), Changed::No);
        for function in &mut module.functions {
            if function.insts.iter().any(|inst| operand(function, inst).is_some()) {
                let finite_only = context.options.math.finite_only;
                *function = rewrite(function, &mut Conversions { finite_only }, &mut room)?;
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

struct Conversions {
    finite_only: bool,
}

impl Rewrite for Conversions {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
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
    /// Floats as doubles. The bits of a float, denormal or not, are those of a double with a smaller exponent.
    fn double_of(&self, b: &mut Builder<'_>, x: Value) -> Value {
        let bits = b.to_bits(x);
        let low = b.binary_int(BinaryOp::Shl, bits, MORE_BITS);
        let high = b.binary_int(BinaryOp::AShr, bits, 32 - MORE_BITS);
        let high = b.binary_int(BinaryOp::And, high, ALL_OF_FLOAT);
        let small = wide_integers::of_words(b, low, high);
        let double = b.ty(x).with_scalar(ScalarType::F64);
        let small = b.bitcast(small, double);
        let factor = b.float(double, f64::from_bits(REBIAS));
        let finite = b.binary(BinaryOp::FMul, small, factor);
        if self.finite_only {
            return finite;
        }
        // An infinity or a NaN has become 2^128 or more, whose exponent lacks the bits that those of a float's infinity are,
        // in the place of the upper word. The product of zero and any number but these is zero: of minus zero, since llvmpipe
        // replaces a product with plus zero (gallivm's `lp_build_mul`).
        let zero = b.float(b.ty(x), -0.0);
        let product = b.binary(BinaryOp::FMul, x, zero);
        let product = b.to_bits(product);
        let missing = b.binary_int(BinaryOp::And, product, INFINITY);
        let missing = b.resize(missing, ScalarType::I64, false);
        let missing = b.binary_int(BinaryOp::Shl, missing, 32);
        let finite = b.to_bits(finite);
        let value = b.binary(BinaryOp::Or, finite, missing);
        b.bitcast(value, double)
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

    fn converted(op: &str, to: &str, bits: u32) -> u64 {
        converted_with(false, op, to, bits)
    }

    fn converted_with(finite_only: bool, op: &str, to: &str, bits: u32) -> u64 {
        let text = format!("func @f(%0: f32) -> {to} {{\n  %1: {to} = {op} %0\n  return %1\n}}\n");
        result(
            &text,
            &mut Conversions { finite_only: false },
            |function, inst| operand(function, inst).is_some(),
            &[u64::from(bits)],
        )
    }

    #[test]
    fn doubles_are_those_of_the_floats() {
        for bits in FLOATS.into_iter().flat_map(|bits| [bits, bits | 1 << 31]) {
            let (found, x) = (f64::from_bits(converted("fext", "f64", bits)), f32::from_bits(bits));
            assert!(found.to_bits() == f64::from(x).to_bits() || x.is_nan() && found.is_nan(), "{bits:x}");
            if x.is_finite() {
                assert_eq!(converted_with(true, "fext", "f64", bits), f64::from(x).to_bits(), "{bits:x}");
            }
        }
    }

    #[test]
    fn integers_are_those_of_the_floats() {
        for bits in FLOATS {
            let x = f32::from_bits(bits);
            if x < 2.0_f32.powi(64) {
                assert_eq!(converted("ftou", "i64", bits), x as u64, "{x}");
            }
            for x in [x, -x].into_iter().filter(|x| x.abs() < 2.0_f32.powi(63)) {
                assert_eq!(converted("ftos", "i64", x.to_bits()).cast_signed(), x as i64, "{x}");
            }
        }
    }
}
