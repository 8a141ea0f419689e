//! One conversion of `printf`, as C prints it (C99 7.19.6.1; OpenCL C 6.15.14 for vectors).

use crate::narrow::{to_i32, to_u32};
use clforge_compiler::interface::printf::{Conversion, Length, Specifier};

/// Digits and sign of a number, before it is padded to the field's width.
struct Number {
    /// `-`, `+`, a space, and `0x`. Padding zeros are inserted behind it.
    prefix: String,
    digits: String,
    /// Whether the flag `0` pads the field with zeros.
    fill: bool,
}

/// Appends the text of a number, a vector or a pointer, whose value is `bytes` (lowest first).
pub(super) fn number(conversion: &Conversion, bytes: &[u8], out: &mut Vec<u8>) {
    let size = element_size(conversion, bytes.len());
    for lane in 0..usize::from(conversion.lanes) {
        if lane > 0 {
            out.push(b',');
        }
        let element = bytes.get(lane * size..).unwrap_or_default();
        let mut bits = [0; 8];
        bits.iter_mut().zip(element.iter().take(size)).for_each(|(to, from)| *to = *from);
        scalar(conversion, u64::from_le_bytes(bits), to_u32(8 * size), out);
    }
}

/// Size of an element in bytes. For vectors the length modifier determines it.
fn element_size(conversion: &Conversion, bytes: usize) -> usize {
    match conversion.length {
        _ if conversion.lanes == 1 => bytes.min(8),
        Length::Char => 1,
        Length::Short => 2,
        Length::Int => 4,
        Length::Long | Length::Size | Length::Foreign => 8,
        // A vector of three elements may have the size of four.
        Length::Default => {
            let most = bytes / usize::from(conversion.lanes);
            [8, 4, 2].into_iter().find(|size| *size <= most).unwrap_or(1)
        }
    }
}

/// One number of `width` bits.
fn scalar(conversion: &Conversion, bits: u64, width: u32, out: &mut Vec<u8>) {
    let number = match conversion.specifier {
        Specifier::Character => return pad(conversion, &bits.to_le_bytes()[..1], out),
        // Strings are printed by the decoder, which knows them.
        Specifier::String => return,
        Specifier::Pointer => Number { prefix: "0x".into(), digits: format!("{bits:x}"), fill: false },
        specifier if specifier.is_float() => float(conversion, float_value(bits, width)),
        _ => integer(conversion, bits, width.min(conversion.length.integer_bits())),
    };
    let length = number.prefix.len() + number.digits.len();
    let missing = (conversion.width as usize).saturating_sub(length);
    let mut text = number.prefix;
    if number.fill && conversion.zero && !conversion.left {
        text.extend(std::iter::repeat_n('0', missing));
    }
    text += &number.digits;
    pad(conversion, text.as_bytes(), out);
}

/// Appends text, padded with spaces to the field's width.
pub(super) fn pad(conversion: &Conversion, text: &[u8], out: &mut Vec<u8>) {
    let spaces = std::iter::repeat_n(b' ', (conversion.width as usize).saturating_sub(text.len()));
    if conversion.left {
        out.extend_from_slice(text);
        out.extend(spaces);
    } else {
        out.extend(spaces);
        out.extend_from_slice(text);
    }
}

fn float_value(bits: u64, width: u32) -> f64 {
    let [a, b, c, d, ..] = bits.to_le_bytes();
    match width {
        64 => f64::from_bits(bits),
        16 => half::f16::from_le_bytes([a, b]).to_f64(),
        _ => f64::from(f32::from_le_bytes([a, b, c, d])),
    }
}

/// The sign of a signed conversion.
fn sign(conversion: &Conversion, negative: bool) -> String {
    let sign = match (negative, conversion.plus, conversion.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        _ => "",
    };
    sign.into()
}

fn integer(conversion: &Conversion, bits: u64, width: u32) -> Number {
    let unused = 64 - width.clamp(1, 64);
    let unsigned = bits << unused >> unused;
    let signed = (bits << unused).cast_signed() >> unused;
    let (mut prefix, mut digits) = match conversion.specifier {
        Specifier::Octal => (String::new(), format!("{unsigned:o}")),
        Specifier::Hexadecimal { upper } => {
            let alternate = conversion.alternate && unsigned != 0;
            let (prefix, digits) =
                if upper { ("0X", format!("{unsigned:X}")) } else { ("0x", format!("{unsigned:x}")) };
            (if alternate { prefix.into() } else { String::new() }, digits)
        }
        Specifier::Signed => (sign(conversion, signed < 0), signed.unsigned_abs().to_string()),
        _ => (String::new(), unsigned.to_string()),
    };
    if conversion.precision == Some(0) && unsigned == 0 {
        digits.clear();
    }
    let least = conversion.precision.unwrap_or(1) as usize;
    if digits.len() < least {
        digits.insert_str(0, &"0".repeat(least - digits.len()));
    }
    if conversion.specifier == Specifier::Octal && conversion.alternate && !digits.starts_with('0') {
        prefix.push('0');
    }
    Number { prefix, digits, fill: conversion.precision.is_none() }
}

fn float(conversion: &Conversion, value: f64) -> Number {
    use Specifier as S;
    let mut prefix = sign(conversion, value.is_sign_negative());
    let magnitude = value.abs();
    let (upper, digits) = match conversion.specifier {
        S::Exponent { upper } => (upper, exponent(magnitude, precision(conversion), conversion.alternate)),
        S::Shortest { upper } => (upper, shortest(magnitude, precision(conversion), conversion.alternate)),
        S::HexFloat { upper } => (upper, hexadecimal(magnitude, conversion.precision, conversion.alternate)),
        S::Fixed { upper } => (upper, fixed(magnitude, precision(conversion), conversion.alternate)),
        _ => (false, String::new()),
    };
    let digits = match (value.is_nan(), value.is_infinite()) {
        (true, _) => "nan".into(),
        (_, true) => "inf".into(),
        _ => digits,
    };
    if value.is_finite() && matches!(conversion.specifier, S::HexFloat { .. }) {
        prefix += "0x";
    }
    let (prefix, digits) = if upper { (prefix.to_uppercase(), digits.to_uppercase()) } else { (prefix, digits) };
    Number { prefix, digits, fill: value.is_finite() }
}

/// Digits behind the point.
fn precision(conversion: &Conversion) -> usize {
    conversion.precision.unwrap_or(6) as usize
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let mut text = format!("{value:.precision$}");
    if precision == 0 && point {
        text.push('.');
    }
    text
}

/// Mantissa and decimal exponent, rounded to `precision` digits behind the point.
fn scientific(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    (mantissa.into(), exponent.parse().unwrap_or(0))
}

fn with_exponent(mut mantissa: String, exponent: i32, point: bool) -> String {
    if point && !mantissa.contains('.') {
        mantissa.push('.');
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs())
}

fn exponent(value: f64, precision: usize, point: bool) -> String {
    let (mantissa, exponent) = scientific(value, precision);
    with_exponent(mantissa, exponent, point)
}

/// `%g`: fixed or with an exponent, without trailing zeros unless the point has to stay.
fn shortest(value: f64, precision: usize, alternate: bool) -> String {
    let significant = precision.max(1);
    let (mantissa, exponent) = scientific(value, significant - 1);
    let trim = |text: String| match text.contains('.') && !alternate {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text,
    };
    if exponent < -4 || exponent >= to_i32(significant) {
        return with_exponent(trim(mantissa), exponent, alternate);
    }
    // Not negative: `exponent` is below `significant`.
    let behind = (to_i32(significant) - 1).saturating_sub(exponent).unsigned_abs() as usize;
    trim(fixed(value, behind, alternate))
}

/// `%a`, without its `0x`: as many digits as the value needs, or rounded to nearest even.
fn hexadecimal(value: f64, precision: Option<u32>, point: bool) -> String {
    const FRACTION_BITS: u32 = 52;
    let bits = value.to_bits();
    let biased = (bits >> FRACTION_BITS & 0x7ff) as i32;
    let mut mantissa = bits & ((1 << FRACTION_BITS) - 1);
    let exponent = match (biased, mantissa) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => {
            mantissa |= 1 << FRACTION_BITS;
            biased - 1023
        }
    };
    if let Some(digits @ 0..13) = precision {
        let dropped = FRACTION_BITS - digits * 4;
        let half = 1 << (dropped - 1);
        let odd = mantissa >> dropped & 1;
        mantissa = (mantissa + half - 1 + odd) >> dropped << dropped;
    }
    let mut fraction = format!("{:013x}", mantissa & ((1 << FRACTION_BITS) - 1));
    match precision {
        None => fraction.truncate(fraction.trim_end_matches('0').len()),
        Some(digits) => {
            let digits = digits as usize;
            fraction.truncate(digits);
            fraction += &"0".repeat(digits - fraction.len());
        }
    }
    let point = if point || !fraction.is_empty() { "." } else { "" };
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}{point}{fraction}p{sign}{}", mantissa >> FRACTION_BITS, exponent.unsigned_abs())
}
