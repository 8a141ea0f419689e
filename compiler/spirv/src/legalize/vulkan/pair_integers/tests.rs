//! Operations on pairs of words, interpreted, have the results of those on 64 bits.

use super::*;
use clforge_basic::options::Options;
use clforge_ir::interpret::Machine;
use clforge_ir::read::read;
use clforge_ir::verify::{Dialect, verify};

/// Numbers at the limits of words, and others, which a linear congruential generator draws at all magnitudes.
fn numbers() -> Vec<u64> {
    let mut state = 0x0123_4567_89AB_CDEF_u64;
    let mut numbers: Vec<u64> = [0, 31, 32, 33, 62, 63].iter().map(|bit| 1_u64 << bit).collect();
    numbers.extend(numbers.clone().iter().flat_map(|number| [number - 1, !number, number.wrapping_neg()]));
    numbers.extend([3, 5, 100, 0xFFFF_FFFF, 0xFFFF_FFFF_0000_0000, 0x8000_0000_8000_0000, 1 << 24 | 1, (1 << 54) + 1]);
    numbers.extend((0..24).map(|_| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> (state >> 58)
    }));
    numbers
}

/// The function `f` of that body after the pass, run on arguments of 64 bits.
fn run(signature: &str, body: &str, args: &[u64]) -> Vec<u64> {
    let mut module = read(&format!("func @f{signature} {{\n{body}}}\n")).expect("it reads");
    let options = Options::default();
    let mut context = Context { options: &options, state: State::default() };
    PairIntegers.run(&mut module, &mut context).expect("pairs");
    verify(&module, Dialect::Vulkan(Legalized::Memory)).expect("it is legal");
    let wide = |ty| is_wide(ty);
    let any_wide = module.functions.iter().any(|function| function.values().any(|value| wide(function.ty(value))));
    assert!(!any_wide, "{}", clforge_ir::print::print(&module));
    let words: Vec<u64> = args.iter().flat_map(|arg| [arg & 0xFFFF_FFFF, arg >> 32]).collect();
    Machine::new(&module).run("f", &words).expect("a result")
}

/// The result of an operation on two numbers of 64 bits.
fn binary(op: &str, x: u64, y: u64) -> u64 {
    let words = run("(%0: i64, %1: i64) -> i64", &format!("  %2: i64 = {op} %0, %1\n  return %2\n"), &[x, y]);
    words[0] | words[1] << 32
}

#[test]
fn arithmetic_is_that_of_64_bits() {
    let numbers = numbers();
    for x in &numbers {
        for y in &numbers {
            for (op, expected) in [
                ("add", x.wrapping_add(*y)),
                ("sub", x.wrapping_sub(*y)),
                ("mul", x.wrapping_mul(*y)),
                ("and", x & y),
                ("or", x | y),
                ("xor", x ^ y),
            ] {
                assert_eq!(binary(op, *x, *y), expected, "{x} {op} {y}");
            }
            let upper = u64::try_from((u128::from(*x) * u128::from(*y)) >> 64).expect("64 bits");
            let body = "  %2: i64 = intrinsic \"u_mul_hi\" %0, %1\n  return %2\n";
            let words = run("(%0: i64, %1: i64) -> i64", body, &[*x, *y]);
            assert_eq!(words[0] | words[1] << 32, upper, "u_mul_hi {x} {y}");
            let product = i128::from(x.cast_signed()) * i128::from(y.cast_signed());
            let words = run("(%0: i64, %1: i64) -> i64", &body.replace("u_mul", "s_mul"), &[*x, *y]);
            let found = (words[0] | words[1] << 32).cast_signed();
            assert_eq!(i128::from(found), product >> 64, "s_mul_hi {x} {y}");
        }
    }
}

#[test]
fn shifts_are_those_of_64_bits() {
    for x in numbers() {
        for by in 0..64_u64 {
            let expected = [("shl", x << by), ("lshr", x >> by), ("ashr", (x.cast_signed() >> by).cast_unsigned())];
            for (op, expected) in expected {
                assert_eq!(binary(op, x, by), expected, "{x} {op} {by}");
                let body = format!("  %1: i64 = {op} %0, i64 {by}\n  return %1\n");
                let words = run("(%0: i64) -> i64", &body, &[x]);
                assert_eq!(words[0] | words[1] << 32, expected, "{x} {op} constant {by}");
            }
        }
    }
}

#[test]
fn comparisons_are_those_of_64_bits() {
    let numbers = numbers();
    for x in &numbers {
        for y in &numbers {
            let (sx, sy) = (x.cast_signed(), y.cast_signed());
            for (op, expected) in [
                ("eq", x == y),
                ("ne", x != y),
                ("ult", x < y),
                ("ule", x <= y),
                ("ugt", x > y),
                ("uge", x >= y),
                ("slt", sx < sy),
                ("sle", sx <= sy),
                ("sgt", sx > sy),
                ("sge", sx >= sy),
            ] {
                let body = format!("  %2: bool = {op} %0, %1\n  return %2\n");
                let found = run("(%0: i64, %1: i64) -> bool", &body, &[*x, *y]);
                assert_eq!(found, [u64::from(expected)], "{x} {op} {y}");
            }
        }
    }
}

#[test]
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, clippy::cast_sign_loss)] // what is tested
fn conversions_are_those_of_64_bits() {
    for x in numbers() {
        for (op, to, expected) in [
            ("utof", "f32", u64::from((x as f32).to_bits())),
            ("stof", "f32", u64::from((x.cast_signed() as f32).to_bits())),
            ("utof", "f64", (x as f64).to_bits()),
            ("stof", "f64", (x.cast_signed() as f64).to_bits()),
        ] {
            let body = format!("  %1: {to} = {op} %0\n  return %1\n");
            assert_eq!(run(&format!("(%0: i64) -> {to}"), &body, &[x]), [expected], "{op} {x} to {to}");
        }
        let back = |op: &str, bits: u64, ty: &str, int: &str| {
            let text = format!("  %1: {ty} = bitcast %0\n  %2: i64 = {op} %1\n  return %2\n");
            let words = run(&format!("(%0: {int}) -> i64"), &text, &[bits]);
            words[0] | words[1] << 32
        };
        let double = x as f64;
        if x < 1 << 63 {
            let bits = double.to_bits();
            assert_eq!(back("ftou", bits, "f64", "i64"), double as u64, "ftou {double}");
            assert_eq!(back("ftos", (-double).to_bits(), "f64", "i64"), (-double as i64).cast_unsigned());
        }
    }
}

#[test]
fn a_switch_on_64_bits_chooses_by_both_words() {
    let body = "  %1: i32 = switch %0 () case 1 4294967297 () {\n    break i32 10\n  } case 2 () {\n    break i32 20\n  } \
                case default () {\n    break i32 30\n  }\n  return %1\n";
    for (x, expected) in [(1, 10), (1 << 32 | 1, 10), (2, 20), (1 << 32 | 2, 30), (0, 30), (3, 30)] {
        assert_eq!(run("(%0: i64) -> i32", body, &[x]), [expected], "{x}");
    }
}
