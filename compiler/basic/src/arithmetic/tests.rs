//! Against Rust's wider integers, exact rational comparisons, and tables from IEEE 754 and the OpenCL C specification.

use super::*;

/// The numbers that a type has, in 64 bits, as 128-bit ones.
fn number(ty: Integer, value: u64) -> i128 {
    if ty.is_signed() { i128::from(value as i64) } else { i128::from(value) }
}

/// `x` modulo `2^bits`, in the range of the type.
fn modulo(bits: u32, signed: bool, x: i128) -> i128 {
    let size = 1_i128 << bits;
    let least = x.rem_euclid(size);
    if signed && least >= size / 2 { least - size } else { least }
}

/// Checks every operation on two numbers of a type.
fn check_integers(bits: u32, signed: bool, a: i128, b: i128) {
    let ty = Integer::new(bits, signed);
    let context = format!("{a} and {b} as {ty:?}");
    let (x, y) = (a as u64, b as u64);
    let same = |found: u64, exact: i128| assert_eq!(number(ty, found), modulo(bits, signed, exact), "{context}");
    same(ty.add(x, y), a + b);
    same(ty.sub(x, y), a - b);
    same(ty.mul(x, y), a.wrapping_mul(b));
    same(ty.neg(x), -a);
    same(ty.not(x), -a - 1);
    match b {
        0 => assert_eq!((ty.div(x, y), ty.rem(x, y)), (None, None), "{context}"),
        _ => {
            // Rust's division of integers is C's: toward zero.
            same(ty.div(x, y).expect("a quotient"), a / b);
            same(ty.rem(x, y).expect("a remainder"), a % b);
        }
    }
    let overflows = b != 0 && modulo(bits, signed, a / b) != a / b;
    assert_eq!(ty.division_overflows(x, y), overflows, "{context}");
    assert_eq!(ty.compare(x, y), a.cmp(&b), "{context}");
    // 6.3.j: the count is its low log2(width) bits, an unsigned number.
    let count = b.rem_euclid(i128::from(bits)) as u32;
    same(ty.shl(x, y), a << count);
    same(ty.shr(x, y), a.div_euclid(1 << count));
}

#[test]
fn integers_of_8_bits_wrap() {
    for (signed, range) in [(true, -128..128), (false, 0..256)] {
        for a in range.clone() {
            for b in range.clone() {
                check_integers(8, signed, a, b);
            }
        }
    }
}

#[test]
fn wider_integers_wrap() {
    for bits in [16, 32, 64] {
        for signed in [true, false] {
            let (least, bound) = if signed { (-(1 << (bits - 1)), 1 << (bits - 1)) } else { (0, 1_i128 << bits) };
            let near = |x: i128| (x - 2)..=(x + 2);
            let numbers: Vec<i128> = [least, 0, i128::from(bits), 1 << (bits / 2), bound / 3, bound]
                .into_iter()
                .flat_map(near)
                .filter(|x| (least..bound).contains(x))
                .collect();
            for a in &numbers {
                for b in &numbers {
                    check_integers(bits, signed, *a, *b);
                }
            }
        }
    }
}

/// Operands may have anything above the width.
#[test]
fn bits_above_the_width_do_not_matter() {
    for signed in [true, false] {
        let ty = Integer::new(8, signed);
        for (a, b) in [(0x85_u64, 0x03_u64), (0x7F, 0xFF), (0x80, 0xFF), (0, 1)] {
            let (dirty_a, dirty_b) = (a | 0xABCD_EF00, b | 0x1234_5600);
            assert_eq!(ty.add(a, b), ty.add(dirty_a, dirty_b));
            assert_eq!(ty.div(a, b), ty.div(dirty_a, dirty_b));
            assert_eq!(ty.rem(a, b), ty.rem(dirty_a, dirty_b));
            assert_eq!(ty.shr(a, 3), ty.shr(dirty_a, 3));
            assert_eq!(ty.compare(a, b), ty.compare(dirty_a, dirty_b));
            assert_eq!(ty.division_overflows(a, b), ty.division_overflows(dirty_a, dirty_b));
        }
    }
}

#[test]
fn one_bit_is_a_truth() {
    let ty = Integer::unsigned(1);
    assert_eq!((ty.mask(), ty.sign_bit(), ty.not(0), ty.not(1)), (1, 1, 1, 0));
    assert_eq!(Integer::signed(1).wrap(1), u64::MAX);
    assert_eq!(Integer::unsigned(0).mask(), 0);
}

/// The value of a half's bits: sign, exponent and significand of IEEE 754's table 3.5, times 2^24, so an integer. `None`:
/// infinite or not a number.
fn half_by_definition(bits: u64) -> Option<i128> {
    let (exponent, fraction) = (bits >> 10 & 31, i128::from(bits & 1023));
    let magnitude = match exponent {
        0 => fraction,
        31 => return None,
        _ => (1024 + fraction) << (exponent - 1),
    };
    Some(if bits & 0x8000 != 0 { -magnitude } else { magnitude })
}

#[test]
fn bits_of_halves_have_the_values_of_the_standard() {
    let unit = f64::powi(2.0, -24);
    for bits in 0..0x1_0000 {
        let value = Float::Half.value(bits);
        match half_by_definition(bits) {
            Some(number) => {
                assert_eq!(value, number as f64 * unit, "{bits:#x}");
                assert_eq!(value.is_sign_negative(), bits & 0x8000 != 0, "{bits:#x}");
                assert_eq!(Float::Half.bits(value), bits);
            }
            None if bits & 0x3FF == 0 => {
                assert_eq!(value, if bits & 0x8000 != 0 { f64::NEG_INFINITY } else { f64::INFINITY });
                assert_eq!(Float::Half.bits(value), bits);
            }
            None => {
                assert!(value.is_nan(), "{bits:#x}");
                assert!(Float::Half.round(value).is_nan(), "{bits:#x}");
            }
        }
    }
}

/// Between two neighbours a value goes to the nearer one, and from the middle to the even one, however little it is
/// away from the middle.
#[test]
fn half_precision_rounds_once() {
    let half = Float::Half;
    for bits in 0_u64..0x7BFF {
        let (low, high) = (half.value(bits), half.value(bits + 1));
        let middle = (low + high) / 2.0;
        let even = bits + (bits & 1);
        let (below, above) = (f64::from_bits(middle.to_bits() - 1), f64::from_bits(middle.to_bits() + 1));
        for (value, expected) in [(low, bits), (below, bits), (middle, even), (above, bits + 1)] {
            assert_eq!(half.bits(value), expected, "{value:e}");
            assert_eq!(half.bits(-value), expected | 0x8000, "-{value:e}");
        }
    }
    assert_eq!(half.bits(65519.999), 0x7BFF);
    assert_eq!(half.bits(65520.0), 0x7C00);
    assert_eq!(half.bits(1e300), 0x7C00);
    assert_eq!(half.bits(1e-300), 0);
}

/// The half next to an exact quotient `n / d`, `d > 0`, in units of 2^-24: by bisection over the ordered bits.
fn nearest_half(negative: bool, n: i128, d: i128) -> u64 {
    let magnitude = n.abs();
    // Past the greatest half by half a unit of its last place.
    let bits = if magnitude >= (65520 << 24) * d {
        0x7C00
    } else {
        let value = |bits: u64| half_by_definition(bits).expect("a number");
        let (mut low, mut high) = (0_u64, 0x7BFF);
        while low < high {
            let middle = (low + high).div_ceil(2);
            if value(middle) * d <= magnitude { low = middle } else { high = middle - 1 }
        }
        let next = if low == 0x7BFF { 65536 << 24 } else { value(low + 1) };
        let (below, above) = (magnitude - value(low) * d, next * d - magnitude);
        low + u64::from(above < below || (above == below && low & 1 == 1))
    };
    bits | if negative { 0x8000 } else { 0 }
}

#[test]
fn half_arithmetic_is_rounded_once() {
    // Zeros, subnormal and normal limits, odd significands at many distances, the greatest.
    let samples: Vec<u64> =
        (0..0x7C00_u64).step_by(173).chain([0, 1, 2, 0x3FF, 0x400, 0x401, 0x3C00, 0x7BFF]).collect();
    let both_signs: Vec<u64> = samples.iter().flat_map(|bits| [*bits, *bits | 0x8000]).collect();
    let half = Float::Half;
    for x in &both_signs {
        for y in &both_signs {
            let (a, b) = (half.value(*x), half.value(*y));
            let [n, m] = [*x, *y].map(|bits| half_by_definition(bits).expect("a number"));
            let signs = (x ^ y) & 0x8000 != 0;
            let same = |found: f64, expected: u64| assert_eq!(half.bits(found), expected, "{a:e} and {b:e}");
            // An exact sum of 0 is +0, but of two -0 (6.3).
            let zero = (x & y) == 0x8000;
            same(half.add(a, b), nearest_half(n + m < 0 || (n + m == 0 && zero), n + m, 1));
            let zero = (x & !y & 0x8000) != 0 && n == 0 && m == 0;
            same(half.sub(a, b), nearest_half(n - m < 0 || (n == m && zero), n - m, 1));
            same(half.mul(a, b), nearest_half(signs, n * m, 1 << 24));
            if m != 0 {
                same(half.div(a, b), nearest_half(signs, n << 24, m.abs()));
            }
            let order = half.value(*x).partial_cmp(&half.value(*y));
            assert_eq!(order, Some(n.cmp(&m)));
        }
    }
}

#[test]
fn single_precision_is_as_rust_computes_it() {
    let special =
        [0.0, 1.0, 1.5, f32::MIN_POSITIVE, f32::from_bits(1), f32::MAX, f32::INFINITY, f32::NAN, 16_777_216.0];
    let mut random = 0x2545_F491_4F6C_DD1D_u64;
    let patterns = std::iter::repeat_with(|| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        f32::from_bits((random >> 16) as u32)
    });
    let values: Vec<f32> = special.into_iter().flat_map(|value| [value, -value]).chain(patterns.take(500)).collect();
    let single = Float::Single;
    for x in &values {
        for y in &values {
            let (a, b) = (f64::from(*x), f64::from(*y));
            for (found, expected) in [
                (single.add(a, b), x + y),
                (single.sub(a, b), x - y),
                (single.mul(a, b), x * y),
                (single.div(a, b), x / y),
            ] {
                let nan = found.is_nan() && expected.is_nan();
                assert!(nan || single.bits(found) == u64::from(expected.to_bits()), "{x:e} and {y:e}");
            }
        }
    }
}

/// IEEE 754-2019, 6.1 to 6.3 and 7.2 to 7.4.
#[test]
fn infinities_zeros_and_nans() {
    let inf = f64::INFINITY;
    for format in [Float::Half, Float::Single, Float::Double] {
        let greatest = match format {
            Float::Half => 65504.0,
            Float::Single => f64::from(f32::MAX),
            Float::Double => f64::MAX,
        };
        let same = |found: f64, expected: f64| assert_eq!(format.bits(found), format.bits(expected), "{format:?}");
        same(format.add(greatest, greatest), inf);
        same(format.mul(-greatest, 2.0), -inf);
        same(format.div(1.0, 0.0), inf);
        same(format.div(1.0, -0.0), -inf);
        same(format.div(1.0, -inf), -0.0);
        same(format.sub(1.0, 1.0), 0.0);
        same(format.add(-0.0, -0.0), -0.0);
        same(format.mul(-0.0, 5.0), -0.0);
        for invalid in [format.sub(inf, inf), format.mul(0.0, inf), format.div(0.0, 0.0), format.div(inf, inf)] {
            assert!(invalid.is_nan(), "{format:?}");
        }
    }
}

/// IEEE 754-2019, table 5.1 and 5.3: what holds of `<`, `==`, `>` and unordered.
#[test]
fn relations_are_those_of_the_standard() {
    use Relation::*;
    let orders = [Some(Ordering::Less), Some(Ordering::Equal), Some(Ordering::Greater), None];
    for (relation, expected) in [
        (Equal, [false, true, false, false]),
        (NotEqual, [true, false, true, true]),
        (Less, [true, false, false, false]),
        (LessOrEqual, [true, true, false, false]),
        (Greater, [false, false, true, false]),
        (GreaterOrEqual, [false, true, true, false]),
    ] {
        assert_eq!(orders.map(|order| relation.holds(order)), expected, "{relation:?}");
    }
}

/// The nearest number with `precision` significant bits, ties to even.
fn rounded(x: i128, precision: u32) -> i128 {
    let width = 128 - x.unsigned_abs().leading_zeros();
    let unit = 1_i128 << width.saturating_sub(precision);
    let (quotient, rest) = (x.abs() / unit, x.abs() % unit);
    let up = 2 * rest > unit || (2 * rest == unit && quotient % 2 == 1);
    (quotient + i128::from(up)) * unit * x.signum()
}

#[test]
fn integers_become_the_nearest_float() {
    for bits in 0..0x1_0000_u64 {
        for ty in [Integer::signed(16), Integer::unsigned(16)] {
            let value = number(ty, ty.wrap(bits));
            let nearest = rounded(value, 11);
            let expected = if nearest >= 65536 { f64::INFINITY } else { nearest as f64 };
            assert_eq!(Float::Half.from_integer(bits, ty), expected, "{value}");
        }
    }
    for (format, precision) in [(Float::Single, 24), (Float::Double, 53)] {
        for ty in [Integer::signed(64), Integer::unsigned(64), Integer::signed(32), Integer::unsigned(32)] {
            for shift in 0..64 {
                // Near ties, and on them with an even and an odd neighbour.
                for pattern in [0x0100_0001_u64, 0x0100_0003, 0x20_0000_0000_0001, 0x20_0000_0000_0003, 1, u64::MAX] {
                    for value in
                        [pattern << shift, (pattern << shift).wrapping_add(1), (pattern << shift).wrapping_sub(1)]
                    {
                        let value = ty.wrap(value);
                        let exact = rounded(number(ty, value), precision);
                        // Exact: so many bits fit an `f64`.
                        assert_eq!(format.from_integer(value, ty), exact as f64, "{value:#x} as {ty:?}");
                    }
                }
            }
        }
    }
    assert_eq!(Float::Half.from_integer(u64::MAX, Integer::unsigned(64)), f64::INFINITY);
    assert_eq!(Float::Half.from_integer(u64::MAX, Integer::signed(64)), -1.0);
}

#[test]
fn floats_become_integers_toward_zero() {
    for (signed, least, greatest) in [(true, -128, 127), (false, 0, 255)] {
        let ty = Integer::new(8, signed);
        for bits in 0..0x1_0000 {
            let value = Float::Half.value(bits);
            let Some(number) = half_by_definition(bits) else {
                assert_eq!(ty.from_float(value), None);
                continue;
            };
            // Rust's division of integers is toward zero.
            let whole = number / (1 << 24);
            let in_range = (least..=greatest).contains(&whole);
            assert_eq!(ty.from_float(value), in_range.then_some(whole as u64), "{value}");
            assert_eq!(ty.saturating_from_float(value), whole.clamp(least, greatest) as u64, "{value}");
        }
    }
    let (two_63, two_64) = (9_223_372_036_854_775_808.0, 18_446_744_073_709_551_616.0);
    let (below_63, below_64) = (9_223_372_036_854_774_784.0, 18_446_744_073_709_549_568.0);
    for (ty, value, exact, saturated) in [
        (Integer::signed(64), two_63, None, i64::MAX as u64),
        (Integer::signed(64), below_63, Some(0x7FFF_FFFF_FFFF_FC00), 0x7FFF_FFFF_FFFF_FC00),
        (Integer::signed(64), -two_63, Some(1 << 63), 1 << 63),
        (Integer::signed(64), -two_64, None, 1 << 63),
        (Integer::unsigned(64), two_64, None, u64::MAX),
        (Integer::unsigned(64), below_64, Some(0xFFFF_FFFF_FFFF_F800), 0xFFFF_FFFF_FFFF_F800),
        (Integer::unsigned(64), -1.0, None, 0),
        (Integer::unsigned(64), -0.75, Some(0), 0),
        (Integer::signed(32), 2_147_483_647.5, Some(0x7FFF_FFFF), 0x7FFF_FFFF),
        (Integer::signed(32), -2_147_483_648.5, Some(0xFFFF_FFFF_8000_0000), 0xFFFF_FFFF_8000_0000),
        (Integer::signed(32), 2_147_483_648.0, None, 0x7FFF_FFFF),
        (Integer::unsigned(32), f64::INFINITY, None, 0xFFFF_FFFF),
        (Integer::signed(32), f64::NEG_INFINITY, None, 0xFFFF_FFFF_8000_0000),
        (Integer::signed(32), f64::NAN, None, 0),
        (Integer::unsigned(32), f64::NAN, None, 0),
    ] {
        assert_eq!((ty.from_float(value), ty.saturating_from_float(value)), (exact, saturated), "{value} as {ty:?}");
    }
}

#[test]
fn lanes_are_taken_from_the_low_bits_on() {
    let lanes = |from: &[u64], width: u32, to: u32| -> Vec<u64> {
        (0..).map_while(|index| reinterpreted_lane(from, width, to, index)).collect()
    };
    // 6.2.4.2 on a little-endian device: the bytes of a vector in memory.
    assert_eq!(lanes(&[0x4433_2211, 0x8877_6655], 32, 8), [0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88]);
    assert_eq!(lanes(&[0x11, 0x22, 0x33, 0x44], 8, 16), [0x2211, 0x4433]);
    assert_eq!(lanes(&[0x4433_2211, 0x8877_6655], 32, 64), [0x8877_6655_4433_2211]);
    assert_eq!(lanes(&[u64::MAX, 1], 32, 32), [0xFFFF_FFFF, 1]);
    assert_eq!(lanes(&[1, 2, 3], 32, 64), [0x2_0000_0001]);
    assert_eq!(lanes(&[1], 0, 8), []);
}
