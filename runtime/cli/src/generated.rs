//! `--arg buffer:TYPE:random=N` and the like: buffers with generated values.

use crate::failure::Failure;
use crate::values::{Scalar, ValueType, integer};
use fastrand::Rng;
use half::f16;

/// The seed of random values, which are the same in every run.
const SEED: u64 = 1;

/// How the values of a buffer are made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    /// Floating-point values from 0 to 1, integers of all values.
    Random,
    /// 0, 1, 2, …
    Range,
}

/// The bytes of `count` values, made as `values` says. `limit` is the most bytes.
pub fn bytes(value_type: ValueType, values: &str, count: &str, limit: u64) -> Result<Vec<u8>, Failure> {
    let values = match values {
        "random" => Values::Random,
        "range" => Values::Range,
        _ => return Err(Failure::Usage(format!("'{values}': values are made by 'random' or 'range'"))),
    };
    let counted = integer(count).and_then(|count| u64::try_from(count).ok());
    let count = counted.ok_or_else(|| Failure::Usage(format!("'{count}' is not a number of values")))?;
    let size = count.saturating_mul(value_type.size() as u64);
    if size > limit {
        let problem = format!("{size} bytes are more than the limit of {limit} bytes (--max-file-size)");
        return Err(Failure::Usage(problem));
    }
    let mut random = Rng::with_seed(SEED);
    let mut bytes = Vec::new();
    let room = usize::try_from(size).is_ok_and(|size| bytes.try_reserve_exact(size).is_ok());
    if !room {
        return Err(Failure::Usage(format!("there is no memory for {size} bytes")));
    }
    let mut next = 0u64;
    for _ in 0..count {
        value_type.push(&mut bytes, |scalar| {
            next += 1;
            component(scalar, values, next - 1, &mut random)
        });
    }
    Ok(bytes)
}

/// The bits of a component, in the low ones of the word. `index`: the number of components before it.
#[expect(clippy::cast_possible_truncation, reason = "a `float` is the nearest one")]
fn component(scalar: Scalar, values: Values, index: u64, random: &mut Rng) -> u64 {
    let number = match (scalar, values) {
        (Scalar::Int { .. }, Values::Random) => return random.u64(..),
        (Scalar::Int { .. }, Values::Range) => return index,
        (_, Values::Random) => random.f64(),
        (_, Values::Range) => index as f64,
    };
    match scalar {
        Scalar::Float { bytes: 2 } => f16::from_f64(number).to_bits().into(),
        Scalar::Float { bytes: 4 } => (number as f32).to_bits().into(),
        _ => number.to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(typed: &str, count: &str) -> Result<Vec<u8>, Failure> {
        let (name, values) = typed.split_once(':').unwrap();
        super::bytes(ValueType::parse(name).unwrap(), values, count, 1 << 20)
    }

    fn bytes(typed: &str, count: &str) -> Vec<u8> {
        made(typed, count).unwrap_or_else(|_| panic!("{typed} {count}"))
    }

    #[test]
    fn values_of_every_type() {
        assert_eq!(bytes("uchar:range", "3"), [0, 1, 2]);
        assert_eq!(bytes("short:range", "258")[512..], [0, 1, 1, 1]);
        assert_eq!(bytes("float:range", "2"), [0.0f32.to_le_bytes(), 1.0f32.to_le_bytes()].concat());
        // Vectors of three have room for four.
        assert_eq!(bytes("uchar3:range", "2"), [0, 1, 2, 0, 3, 4, 5, 0]);
        assert_eq!(bytes("half:range", "0x2"), [0, 0, 0, 0x3c]);
        let random = bytes("double:random", "1000");
        let values: Vec<f64> = random.as_chunks::<8>().0.iter().map(|bytes| f64::from_le_bytes(*bytes)).collect();
        assert!(values.iter().all(|value| (0.0..1.0).contains(value)));
        assert!((400.0..600.0).contains(&values.iter().sum::<f64>()));
        assert_eq!(bytes("double:random", "1000"), random);
        assert_ne!(bytes("int:random", "4")[..8], bytes("int:random", "4")[8..]);
    }

    #[test]
    fn mistakes() {
        for (typed, count, part) in [
            ("float:randm", "1", "'randm'"),
            ("float:random", "many", "'many' is not a number of values"),
            ("float:random", "-1", "'-1' is not a number of values"),
            ("float:random", "1000000000000", "more than the limit"),
        ] {
            let Err(Failure::Usage(message)) = made(typed, count) else { panic!("{typed} {count}") };
            assert!(message.contains(part), "{message}");
        }
        // The limit is the user's to raise.
        let many = super::bytes(ValueType::parse("double").unwrap(), "range", "0x1fffffffffffffff", u64::MAX);
        assert!(matches!(many, Err(Failure::Usage(message)) if message.contains("no memory for")));
    }
}
