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
const INFINITY_OF_DOUBLE: i64 = 0x7FF << 52;
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
                *function = rewrite(function, &mut Conversions, &mut room)?;
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

struct Conversions;

impl Rewrite for Conversions {
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let Some(operand) = operand(r.old, inst) else { return Ok(None) };
        let to = r.old.ty(inst.result()?);
        let x = r.one(operand, self)?;
        let b = &mut r.b;
        let value = match (b.ty(x).scalar, to.scalar) {
            (ScalarType::F16, ScalarType::F64) => {
                let float = b.convert(ConvertOp::FExt, x, to.with_scalar(ScalarType::F32));
                double_of(b, float)
            }
            // Halves are less than 2^17.
            (ScalarType::F16, _) => {
                let word = b.convert(ConvertOp::FToS, x, to.with_scalar(ScalarType::I32));
                b.resize(word, ScalarType::I64, true)
            }
            (_, ScalarType::F64) => double_of(b, x),
            _ => integer_of(b, x),
        };
        Ok(Some(smallvec![smallvec![value]]))
    }
}

/// The sign bit of each float, in the place of the sign of 64 bits.
fn sign(b: &mut Builder<'_>, bits: Value) -> Value {
    let sign = b.binary_int(BinaryOp::And, bits, !MAGNITUDE);
    let sign = b.resize(sign, ScalarType::I64, false);
    b.binary_int(BinaryOp::Shl, sign, 32)
}

/// Floats as doubles. The bits of a float, denormal or not, are those of a double with a smaller exponent; infinities and NaNs
/// get theirs.
fn double_of(b: &mut Builder<'_>, x: Value) -> Value {
    let bits = b.to_bits(x);
    let magnitude = b.binary_int(BinaryOp::And, bits, MAGNITUDE);
    let wide = b.resize(magnitude, ScalarType::I64, false);
    let wide = b.binary_int(BinaryOp::Shl, wide, MORE_BITS);
    let double = b.ty(x).with_scalar(ScalarType::F64);
    let small = b.bitcast(wide, double);
    let factor = b.float(double, f64::from_bits(REBIAS));
    let product = b.binary(BinaryOp::FMul, small, factor);
    let finite = b.to_bits(product);
    let infinite = b.binary_int(BinaryOp::Or, wide, INFINITY_OF_DOUBLE);
    let is_finite = b.compare_int(CompareOp::ULt, magnitude, INFINITY);
    let value = b.select(is_finite, finite, infinite);
    let sign = sign(b, bits);
    let signed = b.binary(BinaryOp::Or, value, sign);
    b.bitcast(signed, double)
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
        let text = format!("func @f(%0: f32) -> {to} {{\n  %1: {to} = {op} %0\n  return %1\n}}\n");
        result(&text, &mut Conversions, |function, inst| operand(function, inst).is_some(), &[u64::from(bits)])
    }

    #[test]
    fn doubles_are_those_of_the_floats() {
        for bits in FLOATS.into_iter().flat_map(|bits| [bits, bits | 1 << 31]) {
            let (found, x) = (f64::from_bits(converted("fext", "f64", bits)), f32::from_bits(bits));
            assert!(found.to_bits() == f64::from(x).to_bits() || x.is_nan() && found.is_nan(), "{bits:x}");
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
