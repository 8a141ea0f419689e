//! Values of OpenCL C's built-in types as text: reading, printing, comparing types.

use half::f16;

/// A scalar type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// An integer of so many bytes.
    Int { bytes: usize, signed: bool },
    /// A floating-point number of so many bytes.
    Float { bytes: usize },
}

/// A scalar or vector type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueType {
    pub scalar: Scalar,
    /// Components: 1, 2, 3, 4, 8 or 16.
    pub width: usize,
}

impl Scalar {
    fn bytes(self) -> usize {
        match self {
            Scalar::Int { bytes, .. } | Scalar::Float { bytes } => bytes,
        }
    }
}

impl ValueType {
    /// Reads `float`, `uint4`, `unsigned int`, `size_t`, and atomic types, which have the memory layout of their value.
    pub fn parse(text: &str) -> Option<ValueType> {
        let text = match text.strip_prefix("atomic_") {
            Some(held) if held.ends_with(|digit: char| digit.is_ascii_digit()) => return None,
            Some("flag") => "int",
            Some(held) => held,
            None => text,
        };
        let stem = text.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let width = match &text[stem.len()..] {
            "" => 1,
            digits => digits.parse().ok().filter(|width| [2, 3, 4, 8, 16].contains(width))?,
        };
        let int = |bytes, signed| Scalar::Int { bytes, signed };
        let scalar = match stem {
            "char" | "signed char" => int(1, true),
            "uchar" | "unsigned char" => int(1, false),
            "short" | "signed short" => int(2, true),
            "ushort" | "unsigned short" => int(2, false),
            "int" | "signed" | "signed int" => int(4, true),
            "uint" | "unsigned" | "unsigned int" => int(4, false),
            "long" | "signed long" | "intptr_t" | "ptrdiff_t" => int(8, true),
            "ulong" | "unsigned long" | "size_t" | "uintptr_t" => int(8, false),
            "half" => Scalar::Float { bytes: 2 },
            "float" => Scalar::Float { bytes: 4 },
            "double" => Scalar::Float { bytes: 8 },
            _ => return None,
        };
        Some(ValueType { scalar, width })
    }

    /// Bytes of one value in memory: three components take the room of four.
    pub fn size(self) -> usize {
        self.scalar.bytes() * if self.width == 3 { 4 } else { self.width }
    }

    /// Whether a value of this type can be passed for one of `other`: the same but for the sign.
    pub fn fits(self, other: ValueType) -> bool {
        let float = |value: ValueType| matches!(value.scalar, Scalar::Float { .. });
        self.width == other.width && self.scalar.bytes() == other.scalar.bytes() && float(self) == float(other)
    }

    /// Whether buffers of this type and of `other` hold the same numbers, signs aside: vectors are their components in a row,
    /// but those of three have room for four.
    pub fn is_laid_out_as(self, other: ValueType) -> bool {
        let scalar = |value: ValueType| ValueType { width: 1, ..value };
        scalar(self).fits(scalar(other)) && (self.width == 3) == (other.width == 3)
    }

    /// Whether its numbers are those of `other`, signs and the room of vectors aside, or bytes, which anything can be given as.
    pub fn may_hold(self, other: ValueType) -> bool {
        let scalar = |value: ValueType| ValueType { width: 1, ..value };
        self.scalar.bytes() == 1 || scalar(self).fits(scalar(other))
    }

    /// Encodes comma-separated components of one or more values.
    pub fn encode(self, name: &str, text: &str) -> Result<Vec<u8>, String> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        if !parts.len().is_multiple_of(self.width) {
            let count = parts.len();
            return Err(format!("'{name}' has {} components, but {count} were given in '{text}'", self.width));
        }
        let mut bytes = Vec::new();
        for value in parts.chunks(self.width) {
            for part in value {
                self.scalar.encode(name, part, &mut bytes)?;
            }
            if self.width == 3 {
                bytes.extend(std::iter::repeat_n(0, self.scalar.bytes()));
            }
        }
        Ok(bytes)
    }

    /// Appends one value. `component` gives the bits of each of its components, in the low ones of the word.
    pub fn push(self, bytes: &mut Vec<u8>, mut component: impl FnMut(Scalar) -> u64) {
        let size = self.scalar.bytes();
        for _ in 0..self.width {
            bytes.extend(&component(self.scalar).to_le_bytes()[..size]);
        }
        bytes.extend(std::iter::repeat_n(0, self.size() - self.width * size));
    }

    /// Prints one value of [`ValueType::size`] bytes.
    pub fn print(self, bytes: &[u8]) -> String {
        let parts = bytes.chunks_exact(self.scalar.bytes()).take(self.width);
        let parts: Vec<String> = parts.map(|part| self.scalar.print(part)).collect();
        if self.width == 1 { parts.concat() } else { format!("({})", parts.join(",")) }
    }
}

impl Scalar {
    fn encode(self, name: &str, text: &str, bytes: &mut Vec<u8>) -> Result<(), String> {
        match self {
            Scalar::Int { bytes: size, signed } => {
                let value = integer(text).ok_or_else(|| format!("'{text}' is not an integer (for '{name}')"))?;
                let bits = 8 * size;
                let range = if signed { -(1i128 << (bits - 1))..1i128 << (bits - 1) } else { 0..1i128 << bits };
                if !range.contains(&value) {
                    return Err(format!("{text} is out of range for '{name}'"));
                }
                bytes.extend(&value.to_le_bytes()[..size]);
            }
            Scalar::Float { bytes: size } => {
                let digits = text
                    .strip_suffix(['f', 'F'])
                    .filter(|rest| rest.ends_with(|c: char| c.is_ascii_digit() || c == '.'));
                let digits = digits.unwrap_or(text);
                let wrong = || format!("'{text}' is not a number (for '{name}')");
                let is_finite = match size {
                    2 => {
                        let value = f16::from_f64(digits.parse().map_err(|_| wrong())?);
                        bytes.extend(value.to_le_bytes());
                        value.is_finite()
                    }
                    4 => {
                        let value = digits.parse::<f32>().map_err(|_| wrong())?;
                        bytes.extend(value.to_le_bytes());
                        value.is_finite()
                    }
                    _ => {
                        let value = digits.parse::<f64>().map_err(|_| wrong())?;
                        bytes.extend(value.to_le_bytes());
                        value.is_finite()
                    }
                };
                // Not `inf` and `nan`.
                if !is_finite && digits.contains(|c: char| c.is_ascii_digit()) {
                    return Err(format!("{text} is out of range for '{name}'"));
                }
            }
        }
        Ok(())
    }

    fn print(self, bytes: &[u8]) -> String {
        let mut word = [0u8; 8];
        word[..bytes.len().min(8)].copy_from_slice(&bytes[..bytes.len().min(8)]);
        let bits = u64::from_le_bytes(word);
        let [a, b, c, d, ..] = word;
        match self {
            Scalar::Int { signed: false, .. } => bits.to_string(),
            Scalar::Int { bytes: 1, .. } => i8::from_le_bytes([a]).to_string(),
            Scalar::Int { bytes: 2, .. } => i16::from_le_bytes([a, b]).to_string(),
            Scalar::Int { bytes: 4, .. } => i32::from_le_bytes([a, b, c, d]).to_string(),
            Scalar::Int { .. } => i64::from_le_bytes(word).to_string(),
            Scalar::Float { bytes: 2 } => {
                let value = f16::from_le_bytes([a, b]);
                float(f64::from(value), || value.to_string(), || format!("{:e}", value.to_f32()))
            }
            Scalar::Float { bytes: 4 } => {
                let value = f32::from_le_bytes([a, b, c, d]);
                float(value.into(), || value.to_string(), || format!("{value:e}"))
            }
            Scalar::Float { .. } => {
                let value = f64::from_bits(bits);
                float(value, || value.to_string(), || format!("{value:e}"))
            }
        }
    }
}

/// The shortest text that reads back as the same number, with an exponent where the digits would be mostly zeros.
fn float(value: f64, plain: impl Fn() -> String, exponent: impl Fn() -> String) -> String {
    let size = value.abs();
    if size.is_finite() && size != 0.0 && !(1e-5..1e16).contains(&size) { exponent() } else { plain() }
}

/// Whether a text can be a parameter's name.
pub fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric())
}

/// Decimal, or hexadecimal after `0x`.
pub fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if !digits.starts_with(|first: char| first.is_ascii_digit()) {
        return None;
    }
    let value = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(name: &str, text: &str) -> Result<Vec<u8>, String> {
        ValueType::parse(name).unwrap().encode(name, text)
    }

    #[test]
    fn values_in_memory() {
        assert_eq!(encode("int", "-2").unwrap(), (-2i32).to_le_bytes());
        assert_eq!(encode("uchar", "0xff").unwrap(), [255]);
        assert_eq!(encode("float", "1.5f").unwrap(), 1.5f32.to_le_bytes());
        assert_eq!(encode("float", "inf").unwrap(), f32::INFINITY.to_le_bytes());
        assert_eq!(encode("half", "1").unwrap(), [0, 0x3c]);
        assert_eq!(encode("char3", "1,2,3, 4,5,6").unwrap(), [1, 2, 3, 0, 4, 5, 6, 0]);
        assert_eq!(encode("ulong", "18446744073709551615").unwrap(), [255; 8]);
    }

    #[test]
    fn mistakes() {
        assert!(encode("uint", "-1").unwrap_err().contains("out of range"));
        assert!(encode("char", "128").unwrap_err().contains("out of range"));
        assert!(encode("int", "1.5").unwrap_err().contains("not an integer"));
        assert!(encode("float", "x").unwrap_err().contains("not a number"));
        assert!(encode("float4", "1,2,3").unwrap_err().contains("has 4 components, but 3 were given"));
        assert_eq!([ValueType::parse("float5"), ValueType::parse("bool"), ValueType::parse("")], [None; 3]);
    }

    #[test]
    fn printing() {
        let print = |name: &str, bytes: &[u8]| ValueType::parse(name).unwrap().print(bytes);
        assert_eq!(print("float", &0.1f32.to_le_bytes()), "0.1");
        assert_eq!(print("float", &1e30f32.to_le_bytes()), "1e30");
        assert_eq!(print("float", &f32::NAN.to_le_bytes()), "NaN");
        assert_eq!(print("char3", &[1, 255, 3, 0]), "(1,-1,3)");
        assert_eq!(print("ulong", &[255; 8]), "18446744073709551615");
        assert_eq!(print("half", &[0, 0x3c]), "1");
    }
}
