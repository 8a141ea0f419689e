//! Tests of lowering: the IR of calls is executed by the small evaluator here, and compared with what the host computes.

use super::*;
use clforge_ir::constant::{Constant, float_bits, float_value, mask, sign_extend};
use clforge_ir::interpret::{Lanes, compute, int_to_float};
use clforge_ir::{Function, Intrinsic, Op, ScalarType, Space};
use clforge_sema::hir::types::{FloatKind, IntKind, Scalar};
use clforge_syntax::ast::AddressSpace;
use half::f16;
use typed_index_collections::{TiVec, ti_vec};

/// Runs straight-line pure functions; stores are kept aside, in order.
struct Machine<'f> {
    function: &'f Function,
    values: TiVec<Value, Option<Lanes>>,
    stored: Vec<Lanes>,
}

impl<'f> Machine<'f> {
    fn run(function: &'f Function, arguments: &[Lanes]) -> Machine<'f> {
        let mut machine = Machine { function, values: ti_vec![None; function.value_count()], stored: Vec::new() };
        for (param, argument) in function.params.iter().zip(arguments) {
            machine.values[*param] = Some(argument.clone());
        }
        for inst in &function.region(function.body).insts {
            let inst = function.inst(*inst);
            match &inst.op {
                Op::Store { value, .. } => {
                    let stored = machine.get(*value);
                    machine.stored.push(stored);
                }
                op => {
                    let value = inst.results[0];
                    let lanes = machine.evaluate(op, function.ty(value));
                    machine.values[value] = Some(lanes);
                }
            }
        }
        machine
    }

    fn get(&self, value: Value) -> Lanes {
        match self.function.as_constant(value) {
            Some(Constant::Bits { lanes, .. }) => lanes.to_vec(),
            Some(Constant::Undef(ty)) => vec![0xdead; usize::from(ty.lanes)],
            None => self.values[value].clone().expect("a value is computed before its use"),
        }
    }

    fn evaluate(&self, op: &Op, ty: Type) -> Lanes {
        match op {
            Op::Intrinsic { function, args } => {
                let args: Vec<(Lanes, Type)> =
                    args.iter().map(|arg| (self.get(*arg), self.function.ty(*arg))).collect();
                intrinsic(*function, &args, ty)
            }
            op => compute(self.function, op, ty, |value| self.get(value)),
        }
    }
}

fn intrinsic(id: Intrinsic, args: &[(Lanes, Type)], ty: Type) -> Lanes {
    let per_lane =
        |f: fn(f64) -> f64| args[0].0.iter().map(|x| float_bits(ty.scalar, f(float_value(ty.scalar, *x)))).collect();
    match id.name() {
        "floor" => per_lane(f64::floor),
        "ceil" => per_lane(f64::ceil),
        "trunc" => per_lane(f64::trunc),
        "rint" => per_lane(f64::round_ties_even),
        "sqrt" | "half_sqrt" => per_lane(f64::sqrt),
        "mad" => {
            let value = |arg: usize, lane: usize| float_value(ty.scalar, args[arg].0[lane]);
            (0..args[0].0.len()).map(|i| float_bits(ty.scalar, value(0, i).mul_add(value(1, i), value(2, i)))).collect()
        }
        "fmax" | "fmax_common" | "fmin" | "fmin_common" => {
            let pairs = args[0].0.iter().zip(&args[1].0);
            let pairs = pairs.map(|(x, y)| (float_value(ty.scalar, *x), float_value(ty.scalar, *y)));
            let greatest = id.name().starts_with("fmax");
            pairs.map(|(x, y)| float_bits(ty.scalar, if greatest { x.max(y) } else { x.min(y) })).collect()
        }
        _ if id == Intrinsic::FindMsb || id == Intrinsic::FindLsb => {
            assert_eq!(ty.scalar, ScalarType::I32);
            let find = |x: &u64| match (*x as u32, id == Intrinsic::FindMsb) {
                (0, _) => u64::from(u32::MAX),
                (x, true) => u64::from(31 - x.leading_zeros()),
                (x, false) => u64::from(x.trailing_zeros()),
            };
            args[0].0.iter().map(find).collect()
        }
        // `OpBitCount`; other widths are expanded to it.
        _ if id == Intrinsic::Popcount && ty.scalar == ScalarType::I32 => {
            args[0].0.iter().map(|x| u64::from((*x as u32).count_ones())).collect()
        }
        _ => {
            let mut function = Function::new("expansion");
            let params: Vec<Value> = args.iter().map(|(_, ty)| function.add_param(*ty)).collect();
            let mut b = Builder::new(&mut function);
            let expand = clforge_spirv::legalize::vulkan::legalize_actions::expansion(id);
            let result = expand.and_then(|expand| expand(&mut b, &params, ty));
            let result = result.unwrap_or_else(|| panic!("no {}", id.name()));
            let lanes: Vec<Lanes> = args.iter().map(|(lanes, _)| lanes.clone()).collect();
            Machine::run(&function, &lanes).get(result)
        }
    }
}

/// An argument: a number, or a pointer to results of that number type.
#[derive(Clone)]
enum Arg {
    Number(Scalar, Lanes),
    Out(Scalar, u8),
}

/// Resolves, lowers and runs a call; the result and what was stored through pointers.
fn call(function: &str, args: &[Arg]) -> (Lanes, Vec<Lanes>) {
    let options = Options::default().with_cl_std(clforge_basic::options::ClStd::CL3_0);
    let mut types = TypeTable::new();
    let mut ir = Function::new("test");
    let (mut source, mut values, mut lanes) = (Vec::new(), Vec::new(), Vec::new());
    for arg in args {
        match arg {
            Arg::Number(scalar, bits) => {
                let count = bits.len() as u8;
                source.push(QualTy::plain(types.vector(*scalar, count)));
                values.push(ir.add_param(Type::vector(ir_scalar(*scalar), count)));
                lanes.push(bits.clone());
            }
            Arg::Out(scalar, count) => {
                let pointee = QualTy::plain(types.vector(*scalar, *count)).in_space(AddressSpace::Private);
                source.push(QualTy::plain(types.pointer_to(pointee)));
                values.push(ir.add_param(Type::ptr(Space::Private)));
                lanes.push(vec![0]);
            }
        }
    }
    let arguments: Vec<_> = source.iter().map(|ty| (*ty).into()).collect();
    let resolution = clforge_sema::builtins::resolve(function, &arguments, &mut types, &options);
    let clforge_sema::builtins::Resolution::Found { id, parameters, result, .. } = resolution else {
        panic!("{function}: {resolution:?}");
    };
    assert_eq!(parameters.as_slice(), source, "{function}");
    let mut b = Builder::new(&mut ir);
    let call = BuiltinCall { arguments: &values, argument_types: &source, result, into: None };
    let value = lower(&mut b, &types, &options, id, &call).expect(function);
    let machine = Machine::run(&ir, &lanes);
    let value = value.map_or(Vec::new(), |value| machine.get(value));
    (value, machine.stored)
}

const I8: Scalar = Scalar::Int(IntKind::Char);
const U8: Scalar = Scalar::Int(IntKind::UChar);
const I16: Scalar = Scalar::Int(IntKind::Short);
const U16: Scalar = Scalar::Int(IntKind::UShort);
const I32: Scalar = Scalar::Int(IntKind::Int);
const U32: Scalar = Scalar::Int(IntKind::UInt);
const I64: Scalar = Scalar::Int(IntKind::Long);
const U64: Scalar = Scalar::Int(IntKind::ULong);
const F32: Scalar = Scalar::Float(FloatKind::Float);
const F64: Scalar = Scalar::Float(FloatKind::Double);
const F16: Scalar = Scalar::Float(FloatKind::Half);

fn one(function: &str, scalar: Scalar, args: &[u64]) -> u64 {
    let args: Vec<Arg> = args.iter().map(|bits| Arg::Number(scalar, vec![*bits])).collect();
    call(function, &args).0[0]
}

/// Edges and a few numbers in between, as bits of a type of that width.
fn edges(bits: u32) -> Vec<u64> {
    let all = u64::MAX >> (64 - bits);
    let top = 1u64 << (bits - 1);
    vec![0, 1, 2, 3, 7, top - 1, top, top + 1, all, all - 1, top >> 1, all / 3, (all / 5) ^ top, 100 & all]
}

fn signed(scalar: Scalar, bits: u64) -> i128 {
    let ty = ir_scalar(scalar);
    match scalar {
        Scalar::Int(kind) if kind.is_signed() => i128::from(sign_extend(ty, bits)),
        _ => i128::from(bits),
    }
}

fn range(scalar: Scalar) -> (i128, i128) {
    let bits = scalar.size() * 8;
    match scalar {
        Scalar::Int(kind) if kind.is_signed() => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
        _ => (0, (1 << bits) - 1),
    }
}

const INTEGERS: [Scalar; 8] = [I8, U8, I16, U16, I32, U32, I64, U64];

/// Compares an integer function with a formula over wide integers, over pairs of edges, for all types.
fn check_integers(function: &str, formula: impl Fn(i128, i128, Scalar) -> i128) {
    for scalar in INTEGERS {
        let bits = scalar.size() as u32 * 8;
        for x in edges(bits) {
            for y in edges(bits) {
                let expected = formula(signed(scalar, x), signed(scalar, y), scalar) as u64 & (u64::MAX >> (64 - bits));
                assert_eq!(one(function, scalar, &[x, y]), expected, "{function}({x:#x}, {y:#x}) of {}", scalar.name());
            }
        }
    }
}

fn clamped(value: i128, scalar: Scalar) -> i128 {
    let (low, high) = range(scalar);
    value.clamp(low, high)
}

#[test]
fn two_operand_integer_functions() {
    check_integers("add_sat", |x, y, scalar| clamped(x + y, scalar));
    check_integers("sub_sat", |x, y, scalar| clamped(x - y, scalar));
    check_integers("hadd", |x, y, _| (x + y) >> 1);
    check_integers("rhadd", |x, y, _| (x + y + 1) >> 1);
    check_integers("abs_diff", |x, y, _| (x - y).abs());
    check_integers("mul_hi", |x, y, scalar| match x.checked_mul(y) {
        Some(product) => product >> (scalar.size() * 8),
        None => ((x as u128 * y as u128) >> 64) as i128,
    });
    check_integers("max", |x, y, _| x.max(y));
    check_integers("min", |x, y, _| x.min(y));
    check_integers("rotate", |x, y, scalar| {
        let bits = scalar.size() as u32 * 8;
        let (x, y) = (x as u64 & (u64::MAX >> (64 - bits)), y.rem_euclid(i128::from(bits)) as u32);
        i128::from(if y == 0 { x } else { x << y | x >> (bits - y) })
    });
}

#[test]
fn mad_sat_saturates_the_exact_value() {
    for scalar in INTEGERS {
        let bits = scalar.size() as u32 * 8;
        for x in edges(bits) {
            for y in edges(bits) {
                for z in edges(bits) {
                    // The product of two 64-bit unsigned numbers needs saturation of its own here.
                    let product = signed(scalar, x).checked_mul(signed(scalar, y)).unwrap_or(i128::MAX / 2);
                    let exact =
                        clamped(product.saturating_add(signed(scalar, z)), scalar) as u64 & (u64::MAX >> (64 - bits));
                    assert_eq!(one("mad_sat", scalar, &[x, y, z]), exact, "mad_sat({x:#x}, {y:#x}, {z:#x})");
                }
            }
        }
    }
}

#[test]
fn bit_counts() {
    for scalar in INTEGERS {
        let bits = scalar.size() as u32 * 8;
        for x in edges(bits) {
            let zeros = u64::from(x.leading_zeros() - (64 - bits));
            assert_eq!(one("clz", scalar, &[x]), zeros, "clz({x:#x})");
            assert_eq!(one("ctz", scalar, &[x]), u64::from(x.trailing_zeros().min(bits)), "ctz({x:#x})");
            assert_eq!(one("popcount", scalar, &[x]), u64::from(x.count_ones()), "popcount({x:#x})");
        }
    }
}

#[test]
fn upsample_joins_halves() {
    let args = [Arg::Number(I16, vec![0xfffe, 0x1234]), Arg::Number(U16, vec![0x8001, 0xffff])];
    assert_eq!(call("upsample", &args).0, [0xfffe_8001, 0x1234_ffff]);
}

/// Bits of interesting values of a floating type: zeros, denormals, halves, the bounds of integer types, infinities, NaN.
fn float_edges(scalar: ScalarType) -> Vec<u64> {
    let mut values =
        vec![0.0, 0.3, 0.5, 0.75, 1.0, 1.5, 2.5, 3.5, 100.25, 126.5, 127.5, 128.0, 254.5, 255.5, 256.0, 65503.0];
    values
        .extend([65504.0, 65519.9, 65520.0, 65535.5, 65536.0, 70000.0, 1e-8, 5.9e-8, 6e-8, 6.1e-5, 1e10, 1e30, 1e300]);
    for power in [31, 32, 63, 64] {
        let value = 2f64.powi(power);
        values.extend([
            value,
            f64::from_bits(value.to_bits() - 1),
            value * (1.0 - 2f64.powi(-24)),
            value * (1.0 + 2f64.powi(-23)),
        ]);
    }
    values.extend([f64::INFINITY, f64::NAN, f64::from_bits(1), 1.4e-45, 1.0 + 2f64.powi(-30), 2049.0, 2051.0]);
    let top = 1u64 << (scalar.bits() - 1);
    let bits = values.iter().map(|value| float_bits(scalar, *value));
    bits.flat_map(|bits| [bits, bits | top]).collect()
}

fn rounded(value: f64, suffix: &str) -> f64 {
    match suffix {
        "_rte" => value.round_ties_even(),
        "_rtp" => value.ceil(),
        "_rtn" => value.floor(),
        _ => value.trunc(),
    }
}

#[test]
fn floats_to_saturated_integers() {
    for from in [F16, F32, F64] {
        let ty = ir_scalar(from);
        for to in INTEGERS {
            for suffix in ["", "_rte", "_rtz", "_rtp", "_rtn"] {
                let function = format!("convert_{}_sat{suffix}", to.name());
                for bits in float_edges(ty) {
                    let value = rounded(float_value(ty, bits), suffix);
                    // `as` saturates and gives 0 for NaN.
                    let expected = clamped(value as i128, to) as u64 & mask(ir_scalar(to));
                    assert_eq!(one(&function, from, &[bits]), expected, "{function}({value:e})");
                }
            }
        }
    }
}

#[test]
fn integers_to_saturated_integers() {
    for from in INTEGERS {
        for to in INTEGERS {
            let function = format!("convert_{}_sat", to.name());
            for bits in edges(from.size() as u32 * 8) {
                let expected = clamped(signed(from, bits), to) as u64 & mask(ir_scalar(to));
                assert_eq!(one(&function, from, &[bits]), expected, "{function}({bits:#x}) from {}", from.name());
            }
        }
    }
}

/// The numbers of a type just below and above an exact integer ratio, found by search from the nearest: `compare` tells
/// how a candidate lies to the exact value.
fn directed(
    to: ScalarType,
    nearest: u64,
    suffix: &str,
    negative: bool,
    lies: impl Fn(u64) -> std::cmp::Ordering,
) -> u64 {
    use std::cmp::Ordering::{Equal, Greater, Less};
    let top = 1u64 << (to.bits() - 1);
    let toward_larger_magnitude = |bits: u64| bits + 1;
    let toward_smaller_magnitude = |bits: u64| bits - 1;
    let up = |bits: u64| if bits & top == 0 { toward_larger_magnitude(bits) } else { toward_smaller_magnitude(bits) };
    let down = |bits: u64| if bits & top == 0 { toward_smaller_magnitude(bits) } else { toward_larger_magnitude(bits) };
    match (suffix, lies(nearest)) {
        (_, Equal) => nearest,
        ("_rtp", Less) => up(nearest),
        ("_rtn", Greater) => down(nearest),
        ("_rtz", Greater) if !negative => down(nearest),
        ("_rtz", Less) if negative => up(nearest),
        _ => nearest,
    }
}

#[test]
fn floats_to_narrower_floats_in_all_modes() {
    for (from, to) in [(F32, F16), (F64, F16), (F64, F32)] {
        let (source, target) = (ir_scalar(from), ir_scalar(to));
        for suffix in ["", "_rte", "_rtz", "_rtp", "_rtn"] {
            let function = format!("convert_{}{suffix}", to.name());
            for bits in float_edges(source) {
                let value = float_value(source, bits);
                let result = one(&function, from, &[bits]);
                if value.is_nan() {
                    assert!(float_value(target, result).is_nan(), "{function}(NaN)");
                    continue;
                }
                let lies = |candidate: u64| float_value(target, candidate).total_cmp(&value);
                let nearest = float_bits(target, value);
                let expected = directed(target, nearest, suffix, value.is_sign_negative(), lies);
                assert_eq!(result, expected, "{function}({value:e})");
            }
        }
    }
    assert_eq!(one("convert_half_rtz", F32, &[u64::from(1e6f32.to_bits())]), u64::from(f16::MAX.to_bits()));
}

#[test]
fn integers_to_floats_in_all_modes() {
    for from in INTEGERS {
        let bits = from.size() as u32 * 8;
        let mut inputs = edges(bits);
        if bits >= 32 {
            inputs.extend([
                16_777_217,
                16_777_219,
                65_505,
                65_519,
                65_520,
                65_535,
                65_536,
                2049,
                0x7fff_ff80,
                0x7fff_ffc0,
            ]);
        }
        for to in [F16, F32, F64] {
            let target = ir_scalar(to);
            for suffix in ["", "_rte", "_rtz", "_rtp", "_rtn"] {
                let function = format!("convert_{}{suffix}", to.name());
                for input in &inputs {
                    let value = signed(from, *input);
                    let lies = |candidate: u64| {
                        let number = float_value(target, candidate);
                        if number.is_infinite() {
                            return number.total_cmp(&0.0);
                        }
                        // All these floats are whole numbers of fewer than 70 bits.
                        (number as i128).cmp(&value)
                    };
                    let expected = directed(target, int_to_float(target, value), suffix, value < 0, lies);
                    assert_eq!(one(&function, from, &[*input]), expected, "{function}({value}) from {}", from.name());
                }
            }
        }
    }
}

/// Bits of a float in the order of its values, for distances.
fn ulp_order(ty: ScalarType, bits: u64) -> i64 {
    let magnitude = (bits & (mask(ty) >> 1)) as i64;
    if bits >> (ty.bits() - 1) != 0 { -magnitude } else { magnitude }
}

#[test]
fn nextafter_moves_by_one() {
    for scalar in [F16, F32, F64] {
        let ty = ir_scalar(scalar);
        for x in float_edges(ty) {
            for y in float_edges(ty) {
                let result = one("nextafter", scalar, &[x, y]);
                let (from, toward) = (float_value(ty, x), float_value(ty, y));
                if from.is_nan() || toward.is_nan() {
                    assert!(float_value(ty, result).is_nan());
                } else if from == toward {
                    assert_eq!(result, y);
                } else {
                    let expected = ulp_order(ty, x) + if toward > from { 1 } else { -1 };
                    assert_eq!(ulp_order(ty, result), expected, "nextafter({from:e}, {toward:e})");
                }
            }
        }
    }
}

#[test]
fn frexp_splits_every_class() {
    for scalar in [F16, F32, F64] {
        let ty = ir_scalar(scalar);
        for x in float_edges(ty) {
            let (result, stored) = call("frexp", &[Arg::Number(scalar, vec![x]), Arg::Out(I32, 1)]);
            let (value, significand) = (float_value(ty, x), float_value(ty, result[0]));
            let exponent = sign_extend(ScalarType::I32, stored[0][0]);
            if value == 0.0 || !value.is_finite() {
                assert_eq!((result[0], exponent), (x, 0), "frexp({value:e})");
                continue;
            }
            assert!((0.5..1.0).contains(&significand.abs()), "frexp({value:e}) = {significand}");
            let half = 2f64.powi((exponent / 2) as i32);
            assert_eq!(significand * half * 2f64.powi((exponent - exponent / 2) as i32), value);
        }
    }
}

#[test]
fn fract_and_modf_keep_special_values() {
    let float = |value: f32| Arg::Number(F32, vec![u64::from(value.to_bits())]);
    let run = |function: &str, value: f32| {
        let (result, stored) = call(function, &[float(value), Arg::Out(F32, 1)]);
        (f32::from_bits(result[0] as u32), f32::from_bits(stored[0][0] as u32))
    };
    let bits = |(a, b): (f32, f32)| (a.to_bits(), b.to_bits());
    for (value, expected) in [
        (2.25, (0.25, 2.0)),
        (-0.25, (0.75, -1.0)),
        (0.0, (0.0, 0.0)),
        (-0.0, (-0.0, -0.0)),
        (-1e-20, (1.0 - f32::EPSILON / 2.0, -1.0)),
        (f32::INFINITY, (0.0, f32::INFINITY)),
        (f32::NEG_INFINITY, (-0.0, f32::NEG_INFINITY)),
    ] {
        assert_eq!(bits(run("fract", value)), bits(expected), "fract({value})");
    }
    for (value, expected) in [
        (2.25, (0.25, 2.0)),
        (-2.25, (-0.25, -2.0)),
        (-3.0, (-0.0, -3.0)),
        (f32::INFINITY, (0.0, f32::INFINITY)),
        (f32::NEG_INFINITY, (-0.0, f32::NEG_INFINITY)),
    ] {
        assert_eq!(bits(run("modf", value)), bits(expected), "modf({value})");
    }
    assert!(run("fract", f32::NAN).0.is_nan() && run("modf", f32::NAN).0.is_nan());
}

#[test]
fn float_functions_agree_with_the_host() {
    let pairs = float_edges(ScalarType::F32);
    let value = |bits: u64| f32::from_bits(bits as u32);
    let check = |function: &str, args: &[u64], expected: f32| {
        let result = value(one(function, F32, args));
        let same = result.to_bits() == expected.to_bits() || result.is_nan() && expected.is_nan();
        assert!(
            same,
            "{function}({:?}) = {result:e}, not {expected:e}",
            args.iter().map(|x| value(*x)).collect::<Vec<_>>()
        );
    };
    for x in &pairs {
        check("fabs", &[*x], value(*x).abs());
        check("round", &[*x], value(*x).round());
        let sign = if value(*x) == 0.0 {
            value(*x)
        } else if value(*x).is_nan() {
            0.0
        } else {
            value(*x).signum()
        };
        check("sign", &[*x], sign);
        for y in &pairs {
            let (a, b) = (value(*x), value(*y));
            check("copysign", &[*x, *y], a.copysign(b));
            check("fdim", &[*x, *y], if a <= b { 0.0 } else { a - b });
            if a != b {
                let magnitude = if a.abs() == b.abs() { None } else { Some(a.abs() > b.abs() || b.is_nan()) };
                if let Some(first) = magnitude {
                    check("maxmag", &[*x, *y], if first { a } else { b });
                    let first = a.abs() < b.abs() || b.is_nan();
                    check("minmag", &[*x, *y], if first { a } else { b });
                }
            }
        }
    }
}

#[test]
fn common_functions() {
    let float = |value: f32| Arg::Number(F32, vec![u64::from(value.to_bits())]);
    let run = |function: &str, args: &[f32]| {
        let args: Vec<Arg> = args.iter().map(|value| float(*value)).collect();
        f32::from_bits(call(function, &args).0[0] as u32)
    };
    assert_eq!(run("clamp", &[3.0, 0.0, 1.0]), 1.0);
    assert_eq!(run("clamp", &[-3.0, 0.0, 1.0]), 0.0);
    assert_eq!(run("mix", &[2.0, 4.0, 0.25]), 2.5);
    assert_eq!(run("step", &[2.0, 1.0]), 0.0);
    assert_eq!(run("step", &[2.0, 2.0]), 1.0);
    assert_eq!(run("smoothstep", &[0.0, 2.0, 1.0]), 0.5);
    assert_eq!(run("smoothstep", &[0.0, 2.0, 5.0]), 1.0);
    assert_eq!(run("degrees", &[std::f32::consts::PI]), 180.0);
    assert_eq!(run("radians", &[180.0]), std::f32::consts::PI);
    let vector = Arg::Number(F32, vec![u64::from(2.0f32.to_bits()); 2]);
    assert_eq!(call("max", &[vector, float(3.0)]).0, [u64::from(3.0f32.to_bits()); 2]);
}

#[test]
fn classes_of_floats() {
    for scalar in [F16, F32, F64] {
        let ty = ir_scalar(scalar);
        let least = float_value(ty, smallest_normal_bits(ty) as u64);
        for x in float_edges(ty) {
            let value = float_value(ty, x);
            let is = |function: &str| one(function, scalar, &[x]) == 1;
            assert_eq!(is("isnan"), value.is_nan());
            assert_eq!(is("isinf"), value.is_infinite());
            assert_eq!(is("isfinite"), value.is_finite());
            assert_eq!(is("isnormal"), value.is_finite() && value.abs() >= least, "isnormal({value:e})");
            assert_eq!(is("signbit"), value.is_sign_negative());
        }
    }
    let (lanes, _) = call("isnan", &[Arg::Number(F32, vec![u64::from(f32::NAN.to_bits()), 0])]);
    assert_eq!(lanes, [0xffff_ffff, 0]);
}

#[test]
fn selections() {
    let args = |c: Vec<u64>| {
        let count = c.len() as u64;
        [Arg::Number(I32, (0..count).collect()), Arg::Number(I32, (10..10 + count).collect()), Arg::Number(I32, c)]
    };
    assert_eq!(call("select", &args(vec![1])).0, [10]);
    assert_eq!(call("select", &args(vec![1, 0x8000_0000])).0, [0, 11]);
    assert_eq!(one("bitselect", U8, &[0b1100, 0b1010, 0b0110]), 0b1010);
    assert_eq!(call("any", &[Arg::Number(I32, vec![1, 2, 0x8000_0000])]).0, [1]);
    assert_eq!(call("all", &[Arg::Number(I32, vec![u64::from(u32::MAX), 1])]).0, [0]);
}

#[test]
fn geometry() {
    let vector = |values: &[f32]| Arg::Number(F32, values.iter().map(|value| u64::from(value.to_bits())).collect());
    let floats = |lanes: Lanes| lanes.iter().map(|bits| f32::from_bits(*bits as u32)).collect::<Vec<f32>>();
    let (x, y) = (vector(&[1.0, 2.0, 3.0]), vector(&[4.0, 5.0, 7.0]));
    assert_eq!(floats(call("dot", &[x.clone(), y.clone()]).0), [35.0]);
    assert_eq!(floats(call("cross", &[x, y]).0), [-1.0, 5.0, -3.0]);
    let (x, y) = (vector(&[1.0, 0.0, 0.0, 9.0]), vector(&[0.0, 1.0, 0.0, 8.0]));
    assert_eq!(floats(call("cross", &[x, y]).0), [0.0, 0.0, 1.0, 0.0]);
    assert_eq!(floats(call("length", &[vector(&[3.0, 4.0])]).0), [5.0]);
    assert_eq!(floats(call("length", &[vector(&[3e30, 4e30])]).0), [5e30]);
    assert_eq!(floats(call("length", &[vector(&[-2.0])]).0), [2.0]);
    let tiny = floats(call("length", &[vector(&[3e-30, 4e-30])]).0)[0];
    assert!((tiny / 5e-30 - 1.0).abs() < 1e-6, "{tiny:e}");
    assert_eq!(floats(call("normalize", &[vector(&[0.0, 5.0, 0.0])]).0), [0.0, 1.0, 0.0]);
    assert_eq!(floats(call("normalize", &[vector(&[0.0, 0.0])]).0), [0.0, 0.0]);
    let infinite = floats(call("normalize", &[vector(&[f32::INFINITY, 1.0, f32::NEG_INFINITY])]).0);
    let diagonal = 0.5f32.sqrt();
    assert!((infinite[0] - diagonal).abs() < 1e-6 && infinite[1] == 0.0 && (infinite[2] + diagonal).abs() < 1e-6);
}
