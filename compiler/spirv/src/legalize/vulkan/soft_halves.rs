//! `vulkan/soft_halves`: computes with halves in floats, for devices without `Float16`
//! ([`EmulatedTypes`](clforge_basic::options::EmulatedTypes)).
//!
//! A half in a register becomes a float that has its value; sums, products and conversions are rounded to a half each.
//! A float has more than twice the bits of a half, so rounding the rounded float gives what rounding once gives. In
//! memory, as an argument and in bitcasts a half is the integer of 16 bits that it was; conversions between both
//! compute with integers, since devices may flush denormals.
//!
//! ```ir
//! ; pass: vulkan/soft_halves
//! ; Nothing is rounded that is only moved, compared or widened.
//! func @f(%0: f16, %1: f16, %2: bool) -> f32 {
//!   %3: f16 = select %2, %0, f16 0x3c00
//!   %4: bool = flt %3, %1
//!   %5: f16 = fneg %1
//!   %6: f16 = select %4, %5, %3
//!   %7: f32 = fext %6
//!   return %7
//! }
//! ; ---
//! func @f(%0: f32, %1: f32, %2: bool) -> f32 {
//!   %3: f32 = select %2, %0, f32 0x3f800000
//!   %4: bool = flt %3, %1
//!   %5: f32 = fneg %1
//!   %6: f32 = select %4, %5, %3
//!   return %6
//! }
//! ```

use crate::legalize::{Context, State};
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite_with};
use clforge_ir::room::Room;
use clforge_ir::verify::Legalized;
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// Of a half: its magnitude, its infinity, the bits of its fraction.
const MAGNITUDE: i64 = 0x7FFF;
const INFINITY: i64 = 0x7C00;
/// Of a half that is no number, the bit that makes it quiet.
const QUIET: i64 = 0x0200;
/// Bits of the fraction that a float has more.
const MORE_BITS: i64 = 23 - 10;
/// Of a float: its magnitude, its infinity, the hidden bit.
const FLOAT_MAGNITUDE: i64 = 0x7FFF_FFFF;
const FLOAT_INFINITY: i64 = 0x7F80_0000;
const FLOAT_HIDDEN_BIT: i64 = 0x0080_0000;
/// The difference of the biases, 127 - 15, in a float's exponent.
const REBIAS: i64 = 112 << 23;
/// The least normal half, 2^-14, and the least number that is rounded to infinity, 65520, as floats.
const LEAST_NORMAL: i64 = 0x3880_0000;
const TOO_LARGE: i64 = 0x477F_F000;

/// The pass. It runs where all functions of the library are there, and before they are inlined.
pub struct SoftHalves;

impl Pass<State> for SoftHalves {
    fn name(&self) -> &'static str {
        "vulkan/soft_halves"
    }

    fn order(&self) -> Order {
        let after = &["vulkan/soft_doubles"];
        Order { requires: Some(Legalized::Builtins), after, before: &["inline"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let is_half = |ty: Type| ty.scalar == ScalarType::F16;
        let mut room = Room::new(module, context.options.codegen.max_instructions);
        let mut changed = Changed::No;
        for function in &mut module.functions {
            let uses = function.values().any(|value| is_half(function.ty(value)));
            if !uses && !function.result.is_some_and(is_half) {
                continue;
            }
            let is_kernel = function.kernel.is_some();
            *function = rewrite_with(function, &mut Halves, &mut room, |r, index| {
                let ty = r.old.params.get(index as usize).map(|param| r.old.ty(*param));
                Ok(ty.filter(|ty| is_half(*ty) && is_kernel).map(|ty| {
                    let bits = r.b.function.add_param(ty.with_scalar(ScalarType::I16));
                    smallvec![of_integer(&mut r.b, bits)]
                }))
            })?;
            for argument in function.kernel.iter_mut().flat_map(|kernel| &mut kernel.arguments) {
                match &mut argument.kind {
                    KernelParameter::Value(ty) if is_half(*ty) => *ty = ty.with_scalar(ScalarType::I16),
                    _ => {}
                }
            }
            changed = Changed::Maybe;
        }
        Ok(changed)
    }
}

/// The type of floats that halves become.
fn float_of(ty: Type) -> Type {
    if ty.scalar == ScalarType::F16 { ty.with_scalar(ScalarType::F32) } else { ty }
}

struct Halves;

impl Rewrite for Halves {
    fn types(&self, ty: Type) -> SmallVec<[Type; 1]> {
        smallvec![float_of(ty)]
    }

    fn constant(&self, _: Value, constant: &Constant) -> Option<SmallVec<[Constant; 2]>> {
        let ty = constant.ty();
        let (ScalarType::F16, Some(lanes)) = (ty.scalar, constant.lanes()) else { return None };
        let float = |bits: &u64| {
            let value = constant::float_value(ScalarType::F16, *bits);
            constant::float_bits(ScalarType::F32, value)
        };
        Some(smallvec![Constant::Bits { ty: float_of(ty), lanes: lanes.iter().map(float).collect() }])
    }

    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let is_half = |value: Value| r.old.ty(value).scalar == ScalarType::F16;
        let mut halves = inst.results.iter().any(|result| is_half(*result));
        inst.op.for_each_operand(|operand| halves |= is_half(operand));
        if !halves {
            return Ok(None);
        }
        let value = match &inst.op {
            Op::Load { ptr, align, volatile, invariant } => {
                let ptr = r.one(*ptr, self)?;
                let ty = r.old.ty(inst.result()?).with_scalar(ScalarType::I16);
                let bits =
                    r.b.push(Op::Load { ptr, align: *align, volatile: *volatile, invariant: *invariant }, &[ty])[0];
                of_integer(&mut r.b, bits)
            }
            Op::Store { ptr, value, align, volatile } => {
                let (ptr, value) = (r.one(*ptr, self)?, r.one(*value, self)?);
                let value = to_integer(&mut r.b, value);
                r.b.effect(Op::Store { ptr, value, align: *align, volatile: *volatile });
                return Ok(Some(SmallVec::new()));
            }
            Op::Convert { op: ConvertOp::Bitcast, operand } => {
                let (from, to) = (r.old.ty(*operand), r.old.ty(inst.result()?));
                let mut value = r.one(*operand, self)?;
                if from.scalar == ScalarType::F16 {
                    value = to_integer(&mut r.b, value);
                }
                if to.scalar == ScalarType::F16 {
                    let bits = r.b.bitcast(value, to.with_scalar(ScalarType::I16));
                    of_integer(&mut r.b, bits)
                } else {
                    r.b.bitcast(value, to)
                }
            }
            Op::Convert { op: ConvertOp::FExt | ConvertOp::FTrunc, operand } => {
                let (from, to) = (r.old.ty(*operand), r.old.ty(inst.result()?));
                let value = r.one(*operand, self)?;
                match (from.scalar, to.scalar) {
                    (ScalarType::F16, ScalarType::F32) => value,
                    (ScalarType::F16, _) => r.b.convert(ConvertOp::FExt, value, to),
                    (ScalarType::F32, _) => rounded(&mut r.b, value),
                    _ => return Err(Error::internal("a double was not rounded to half")),
                }
            }
            Op::Convert { op: ConvertOp::SToF | ConvertOp::UToF, .. }
            | Op::Binary { .. }
            | Op::Intrinsic { function: Intrinsic::Mad, .. } => {
                let value = r.copy(inst, self)?.first().copied().or_internal("no result")?;
                rounded(&mut r.b, value)
            }
            Op::Group { op: GroupOp::Arithmetic { .. } | GroupOp::ClusteredArithmetic { .. }, .. } => {
                let value = r.copy(inst, self)?.first().copied().or_internal("no result")?;
                rounded(&mut r.b, value)
            }
            // What moves values, compares them or changes their signs is the same on floats.
            _ => return Ok(None),
        };
        Ok(Some(smallvec![smallvec![value]]))
    }
}

/// The halves of integers of 16 bits, as floats.
fn of_integer(b: &mut Builder<'_>, bits: Value) -> Value {
    let bits = b.resize(bits, ScalarType::I32, false);
    of_bits(b, bits)
}

/// The bits of halves, as integers of 16 bits.
fn to_integer(b: &mut Builder<'_>, value: Value) -> Value {
    let bits = to_bits(b, value);
    b.resize(bits, ScalarType::I16, false)
}

/// A float that is rounded to a half.
fn rounded(b: &mut Builder<'_>, value: Value) -> Value {
    let bits = to_bits(b, value);
    of_bits(b, bits)
}

/// The float of a half's bits, which are the lower ones of words whose others are zeros.
fn of_bits(b: &mut Builder<'_>, bits: Value) -> Value {
    let words = b.ty(bits);
    let float = words.with_scalar(ScalarType::F32);
    let magnitude = b.binary_int(BinaryOp::And, bits, MAGNITUDE);
    let raised = b.binary_int(BinaryOp::Shl, magnitude, MORE_BITS);
    let normal = b.binary_int(BinaryOp::Add, raised, REBIAS);
    // Denormals are multiples of 2^-24.
    let multiple = b.convert(ConvertOp::UToF, magnitude, float);
    let unit = b.float(float, 2.0_f64.powi(-24));
    let denormal = b.binary(BinaryOp::FMul, multiple, unit);
    let denormal = b.bitcast(denormal, words);
    let is_denormal = b.compare_int(CompareOp::ULt, magnitude, 0x0400);
    let finite = b.select(is_denormal, denormal, normal);
    let special = b.binary_int(BinaryOp::Or, raised, FLOAT_INFINITY);
    let is_special = b.compare_int(CompareOp::UGe, magnitude, INFINITY);
    let value = b.select(is_special, special, finite);
    let sign = b.binary_int(BinaryOp::And, bits, !MAGNITUDE & 0xFFFF);
    let sign = b.binary_int(BinaryOp::Shl, sign, 16);
    let value = b.binary(BinaryOp::Or, value, sign);
    b.bitcast(value, float)
}

/// The bits of the half that a float is rounded to, to nearest even.
fn to_bits(b: &mut Builder<'_>, value: Value) -> Value {
    let bits = b.to_bits(value);
    let words = b.ty(bits);
    let magnitude = b.binary_int(BinaryOp::And, bits, FLOAT_MAGNITUDE);
    let rebiased = b.binary_int(BinaryOp::Sub, magnitude, REBIAS);
    let places = b.int(words, MORE_BITS);
    let normal = rounded_shift(b, rebiased, places);
    // A denormal has the bits of the significand from 2^-24 on.
    let fraction = b.binary_int(BinaryOp::And, magnitude, FLOAT_HIDDEN_BIT - 1);
    let significand = b.binary_int(BinaryOp::Or, fraction, FLOAT_HIDDEN_BIT);
    let exponent = b.binary_int(BinaryOp::LShr, magnitude, 23);
    let lowest = b.int(words, 126);
    let places = b.binary(BinaryOp::Sub, lowest, exponent);
    let most = b.int(words, 25);
    let is_far = b.compare(CompareOp::UGt, places, most);
    let places = b.select(is_far, most, places);
    let denormal = rounded_shift(b, significand, places);
    let is_normal = b.compare_int(CompareOp::UGe, magnitude, LEAST_NORMAL);
    let finite = b.select(is_normal, normal, denormal);
    let infinity = b.int(words, INFINITY);
    let is_large = b.compare_int(CompareOp::UGe, magnitude, TOO_LARGE);
    let number = b.select(is_large, infinity, finite);
    let payload = b.binary_int(BinaryOp::LShr, fraction, MORE_BITS);
    let no_number = b.binary_int(BinaryOp::Or, payload, INFINITY | QUIET);
    let is_nan = b.compare_int(CompareOp::UGt, magnitude, FLOAT_INFINITY);
    let half = b.select(is_nan, no_number, number);
    let sign = b.binary_int(BinaryOp::LShr, bits, 16);
    let sign = b.binary_int(BinaryOp::And, sign, !MAGNITUDE & 0xFFFF);
    b.binary(BinaryOp::Or, half, sign)
}

/// A shift to the right by at least one place, rounded to nearest even.
fn rounded_shift(b: &mut Builder<'_>, value: Value, places: Value) -> Value {
    let one = b.int(b.ty(value), 1);
    let half = b.binary_int(BinaryOp::Sub, places, 1);
    let half = b.binary(BinaryOp::Shl, one, half);
    let below = b.binary_int(BinaryOp::Sub, half, 1);
    let odd = b.binary(BinaryOp::LShr, value, places);
    let odd = b.binary_int(BinaryOp::And, odd, 1);
    let sum = b.binary(BinaryOp::Add, value, below);
    let sum = b.binary(BinaryOp::Add, sum, odd);
    b.binary(BinaryOp::LShr, sum, places)
}
