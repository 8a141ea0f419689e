//! Format strings of `printf` (OpenCL C 6.15.14): one parser for the compiler, which checks calls, and for runtimes,
//! which print the records that kernels have written to the buffer.
//!
//! # The buffer
//!
//! It is an array of 32-bit words. Word 0 counts the words that records take, from word 1 on; kernels add to it
//! atomically to allocate a record. A record is the `id` of its `PrintfFormat` (`clforge_spirv::interface`) and the
//! arguments, each as many bytes as the `argument_sizes` there say: bits of numbers zero-extended to words, device
//! addresses, and for string literals their number. The bytes of strings that are known only at run time
//! ([`COPIED_STRING`]) follow the arguments, in their order, each aligned to a word. A work-item whose record has no
//! room adds its words nevertheless, so the count may exceed the buffer. The last record may consist of its number
//! alone if its arguments had no room.
//!
//! Modules of this compiler reserve the last word, in which they count the messages that had no room. They declare it
//! with a format with the number [`LOST_MESSAGES`], which no complete record has.

use std::fmt;

/// Most bytes of strings that are read for the calls of a program, each of which may name the same long string.
pub const MAX_READ: usize = 64 << 20;

/// Number of the format that says that the buffer's last word counts lost messages. In the place of a record it says that
/// this one, the last, had no room.
pub const LOST_MESSAGES: u32 = u32::MAX;

/// Set in the word of an argument whose string follows the arguments; the other bits are its length in bytes.
pub const COPIED_STRING: u32 = 1 << 31;

/// In the place of a string's number: a null pointer.
pub const NULL_STRING: u32 = COPIED_STRING - 1;

/// The largest field width and precision: what every implementation of C can print (C99 7.19.6.1).
pub const MAX_FIELD: u32 = 4095;

/// A piece of a format string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece<'t> {
    /// Printed as it is.
    Text(&'t str),
    /// Takes an argument.
    Conversion(Conversion),
}

/// A conversion specification: `%`, flags, width, precision, vector, length, specifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the flags are those of C
pub struct Conversion {
    /// `-`
    pub left: bool,
    /// `+`
    pub plus: bool,
    /// ` `
    pub space: bool,
    /// `#`
    pub alternate: bool,
    /// `0`
    pub zero: bool,
    /// Least number of characters.
    pub width: u32,
    pub precision: Option<u32>,
    /// Of a vector (`v2` to `v16`), 1 for a scalar.
    pub lanes: u8,
    pub length: Length,
    pub specifier: Specifier,
}

/// A length modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// None.
    Default,
    /// `hh`
    Char,
    /// `h`
    Short,
    /// `hl`, for vectors of 32-bit elements only.
    Int,
    /// `l`
    Long,
    /// `z` or `t`, since OpenCL C 3.1: `size_t` and `ptrdiff_t`, at most 64 bits; not for vectors.
    Size,
    /// `ll` or `j`: C's, not OpenCL C's; 64 bits.
    Foreign,
}

impl Length {
    /// Bits of an integer of that length.
    pub fn integer_bits(self) -> u32 {
        match self {
            Length::Char => 8,
            Length::Short => 16,
            Length::Default | Length::Int => 32,
            Length::Long | Length::Size | Length::Foreign => 64,
        }
    }
}

/// What a conversion prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Specifier {
    /// `d`, `i`
    Signed,
    /// `u`
    Unsigned,
    /// `o`
    Octal,
    /// `x`, `X`
    Hexadecimal { upper: bool },
    /// `f`, `F`
    Fixed { upper: bool },
    /// `e`, `E`
    Exponent { upper: bool },
    /// `g`, `G`
    Shortest { upper: bool },
    /// `a`, `A`
    HexFloat { upper: bool },
    /// `c`
    Character,
    /// `s`
    String,
    /// `p`
    Pointer,
}

impl Specifier {
    fn of(letter: char) -> Option<Specifier> {
        let upper = letter.is_ascii_uppercase();
        Some(match letter {
            'd' | 'i' => Specifier::Signed,
            'u' => Specifier::Unsigned,
            'o' => Specifier::Octal,
            'x' | 'X' => Specifier::Hexadecimal { upper },
            'f' | 'F' => Specifier::Fixed { upper },
            'e' | 'E' => Specifier::Exponent { upper },
            'g' | 'G' => Specifier::Shortest { upper },
            'a' | 'A' => Specifier::HexFloat { upper },
            'c' => Specifier::Character,
            's' => Specifier::String,
            'p' => Specifier::Pointer,
            _ => return None,
        })
    }

    /// Whether the argument is a floating number.
    pub fn is_float(self) -> bool {
        use Specifier as S;
        matches!(self, S::Fixed { .. } | S::Exponent { .. } | S::Shortest { .. } | S::HexFloat { .. })
    }
}

/// Why something that begins with `%` is no conversion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum FormatError {
    /// The string ends inside.
    Incomplete,
    /// `*` for a width or precision.
    Star,
    /// A width or precision above [`MAX_FIELD`].
    TooWide,
    /// `v` without 2, 3, 4, 8 or 16.
    Lanes,
    /// `n`, which OpenCL C lacks.
    Count,
    /// Not a specifier.
    Unknown { specifier: char },
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Incomplete => write!(f, "incomplete format specifier"),
            FormatError::Star => write!(f, "field width and precision of 'printf' cannot be '*' in OpenCL"),
            FormatError::TooWide => write!(f, "field width or precision of 'printf' is above {MAX_FIELD}"),
            FormatError::Lanes => write!(f, "a vector specifier of 'printf' is 'v2', 'v3', 'v4', 'v8' or 'v16'"),
            FormatError::Count => write!(f, "'%n' specifier not supported in OpenCL"),
            FormatError::Unknown { specifier } => write!(f, "invalid conversion specifier '{specifier}'"),
        }
    }
}

/// What is wrong, and the text that cannot be used.
pub type BadPiece<'t> = (FormatError, &'t str);

/// The pieces of a format string, in order. What is invalid is reported and skipped.
pub fn pieces(format: &str) -> impl Iterator<Item = Result<Piece<'_>, BadPiece<'_>>> {
    let mut rest = format;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some(after) = rest.strip_prefix("%%") {
            let text = &rest[..1];
            rest = after;
            return Some(Ok(Piece::Text(text)));
        }
        let Some(after) = rest.strip_prefix('%') else {
            let end = rest.find('%').unwrap_or(rest.len());
            let (text, after) = rest.split_at(end);
            rest = after;
            return Some(Ok(Piece::Text(text)));
        };
        let mut reader = Reader { rest: after };
        let conversion = reader.conversion();
        let text = &rest[..rest.len() - reader.rest.len()];
        rest = reader.rest;
        Some(match conversion {
            Ok(conversion) => Ok(Piece::Conversion(conversion)),
            Err(error) => Err((error, text)),
        })
    })
}

/// The conversions of a format string, what is wrong left out: the arguments it takes, in order.
pub fn conversions(format: &str) -> impl Iterator<Item = Conversion> {
    pieces(format).filter_map(|piece| match piece {
        Ok(Piece::Conversion(conversion)) => Some(conversion),
        _ => None,
    })
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    /// Decimal digits, possibly none.
    fn number(&mut self) -> Result<u32, FormatError> {
        if self.eat("*") {
            return Err(FormatError::Star);
        }
        let digits = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(digits);
        self.rest = rest;
        if digits.is_empty() {
            return Ok(0);
        }
        digits.parse().ok().filter(|number| *number <= MAX_FIELD).ok_or(FormatError::TooWide)
    }

    fn lanes(&mut self) -> Result<u8, FormatError> {
        if !self.eat("v") {
            return Ok(1);
        }
        // The longer ones first: `v16` is not `v1`.
        for lanes in [16, 2, 3, 4, 8] {
            if self.eat(&lanes.to_string()) {
                return Ok(lanes);
            }
        }
        Err(FormatError::Lanes)
    }

    fn length(&mut self) -> Length {
        let known = [
            ("hh", Length::Char),
            ("hl", Length::Int),
            ("h", Length::Short),
            ("ll", Length::Foreign),
            ("l", Length::Long),
            ("j", Length::Foreign),
            ("z", Length::Size),
            ("t", Length::Size),
        ];
        known.into_iter().find(|(text, _)| self.eat(text)).map_or(Length::Default, |(_, length)| length)
    }

    /// Behind the `%`.
    fn conversion(&mut self) -> Result<Conversion, FormatError> {
        let mut flags = [false; 5];
        while let Some(flag) = ["-", "+", " ", "#", "0"].into_iter().position(|flag| self.eat(flag)) {
            flags[flag] = true;
        }
        let [left, plus, space, alternate, zero] = flags;
        let width = self.number()?;
        let precision = if self.eat(".") { Some(self.number()?) } else { None };
        let lanes = self.lanes()?;
        let length = self.length();
        let letter = self.rest.chars().next().ok_or(FormatError::Incomplete)?;
        self.rest = &self.rest[letter.len_utf8()..];
        let specifier = match letter {
            'n' => return Err(FormatError::Count),
            letter => Specifier::of(letter).ok_or(FormatError::Unknown { specifier: letter })?,
        };
        Ok(Conversion { left, plus, space, alternate, zero, width, precision, lanes, length, specifier })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn only(format: &str) -> Conversion {
        match pieces(format).collect::<Vec<_>>()[..] {
            [Ok(Piece::Conversion(conversion))] => conversion,
            ref other => panic!("{other:?}"),
        }
    }

    #[test]
    fn all_parts_of_a_conversion() {
        let all = only("%-+ #012.34v16hhX");
        assert!(all.left && all.plus && all.space && all.alternate && all.zero);
        assert_eq!((all.width, all.precision, all.lanes), (12, Some(34), 16));
        assert_eq!((all.length, all.specifier), (Length::Char, Specifier::Hexadecimal { upper: true }));
        let none = only("%d");
        assert!(!(none.left || none.plus || none.space || none.alternate || none.zero));
        assert_eq!((none.width, none.precision, none.lanes, none.length), (0, None, 1, Length::Default));
        assert_eq!(only("%.f").precision, Some(0));
        assert_eq!((only("%v2hlf").length, only("%v2hlf").lanes), (Length::Int, 2));
        assert_eq!((only("%zu").length, only("%tx").length), (Length::Size, Length::Size));
        assert_eq!((only("%jd").length, only("%lld").length), (Length::Foreign, Length::Foreign));
    }

    #[test]
    fn text_and_per_cent_signs() {
        let text: Vec<_> = pieces("a%%b%dc").filter_map(|piece| piece.ok()).collect();
        assert_eq!(text[..3], [Piece::Text("a"), Piece::Text("%"), Piece::Text("b")]);
        assert_eq!((text.len(), text[4]), (5, Piece::Text("c")));
    }

    #[test]
    fn what_is_wrong_is_told_and_skipped() {
        let wrong = |format| pieces(format).find_map(Result::err);
        assert_eq!(wrong("x%*dy"), Some((FormatError::Star, "%*")));
        assert_eq!(wrong("%.*f"), Some((FormatError::Star, "%.*")));
        assert_eq!(wrong("%5"), Some((FormatError::Incomplete, "%5")));
        assert_eq!(wrong("%"), Some((FormatError::Incomplete, "%")));
        assert_eq!(wrong("%n"), Some((FormatError::Count, "%n")));
        assert_eq!(wrong("%v5d"), Some((FormatError::Lanes, "%v")));
        assert_eq!(wrong("%4096d"), Some((FormatError::TooWide, "%4096")));
        assert_eq!(wrong("%99999999999999999999d"), Some((FormatError::TooWide, "%99999999999999999999")));
        assert_eq!(wrong("%é"), Some((FormatError::Unknown { specifier: 'é' }, "%é")));
        assert_eq!(conversions("%y%d%").count(), 1);
    }
}
