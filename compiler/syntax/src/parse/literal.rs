//! Constants and string literals (C99 6.4.4, 6.4.5; OpenCL C 6.1).

use super::Builder;
use super::expr::Node;
use crate::ast::{ExprKind, FloatSuffix, FloatingLiteral, IntegerLiteral};
use clforge_basic::diag::{Diagnostic, SourceRange, WarningFlag};
use clforge_basic::narrow::to_u32;
use clforge_basic::source::Loc;

/// A constant that is a preprocessing number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Integer(IntegerLiteral),
    /// The length of the part before the suffix.
    Floating {
        digits: usize,
        suffix: FloatSuffix,
    },
}

/// An error or warning about a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LiteralProblem {
    /// Byte offset in the spelling.
    offset: usize,
    message: String,
    /// Of a warning.
    flag: Option<WarningFlag>,
}

impl LiteralProblem {
    fn error(offset: usize, message: impl Into<String>) -> LiteralProblem {
        LiteralProblem { offset, message: message.into(), flag: None }
    }

    fn warning(flag: WarningFlag, offset: usize, message: impl Into<String>) -> LiteralProblem {
        LiteralProblem { offset, message: message.into(), flag: Some(flag) }
    }
}

/// Bytes of all string literals: a macro makes many of few characters.
const MAX_STRING_BYTES: usize = 1 << 28;

impl<'a> Builder<'a, '_, '_> {
    /// C99 6.4.4.1, 6.4.4.2.
    pub(super) fn parse_number(&self, offset: usize) -> Node<'a> {
        let symbol = self.symbol(offset);
        let span = self.span(offset, offset + 1);
        let number = parse_number(self.interner.borrow().text(symbol));
        let kind = match number {
            Ok(Number::Integer(literal)) => ExprKind::Integer(literal),
            Ok(Number::Floating { digits, suffix }) => {
                let mut interner = self.interner.borrow_mut();
                let text = interner.text(symbol);
                let digits = if digits == text.len() {
                    symbol
                } else {
                    let digits = text.get(..digits).unwrap_or_default().to_owned();
                    interner.intern(&digits)
                };
                ExprKind::Floating(FloatingLiteral { digits, suffix })
            }
            Err(problem) => {
                self.report(offset, &problem);
                return self.zero(span);
            }
        };
        self.node(kind, span, 0)
    }

    /// C99 6.4.4.4.
    pub(super) fn parse_character(&self, offset: usize) -> Node<'a> {
        let span = self.span(offset, offset + 1);
        let mut warnings = Vec::new();
        let value = parse_character(self.interner.borrow().text(self.symbol(offset)), &mut warnings);
        warnings.iter().for_each(|warning| self.report(offset, warning));
        match value {
            Ok(value) => self.node(ExprKind::Character(value), span, 0),
            Err(problem) => {
                self.report(offset, &problem);
                self.zero(span)
            }
        }
    }

    /// Adjacent string literals, joined.
    pub(super) fn parse_string(&self, lo: usize, hi: usize) -> Node<'a> {
        let mut bytes = Vec::new();
        for offset in lo..hi {
            if !self.has_string_room(offset) {
                break;
            }
            let mut warnings = Vec::new();
            let text = self.symbol(offset);
            let result = parse_string(self.interner.borrow().text(text), &mut bytes, &mut warnings);
            warnings.iter().chain(result.as_ref().err()).for_each(|problem| self.report(offset, problem));
        }
        self.node(ExprKind::String(self.arena.alloc_slice_copy(&bytes)), self.span(lo, hi), 0)
    }

    /// Whether there is room for one more string literal; the first that has none is reported.
    fn has_string_room(&self, offset: usize) -> bool {
        let before = self.string_bytes.get();
        let all = before.saturating_add(self.interner.borrow().text(self.symbol(offset)).len());
        self.string_bytes.set(all);
        if before <= MAX_STRING_BYTES && all > MAX_STRING_BYTES {
            let message = format!("string literals have more than {MAX_STRING_BYTES} bytes up to here");
            self.error(self.span(offset, offset + 1), message);
        }
        all <= MAX_STRING_BYTES
    }

    /// Reports a problem of a literal at its place inside the token.
    fn report(&self, offset: usize, problem: &LiteralProblem) {
        let Some(token) = self.token(offset) else { return };
        let length = self.interner.borrow().text(token.text).len().saturating_sub(problem.offset).max(1);
        let pos = token.loc.pos.saturating_add(to_u32(problem.offset));
        let range = SourceRange::at(Loc { pos, expansion: token.loc.expansion }, to_u32(length));
        let diagnostic = match problem.flag {
            Some(flag) => Diagnostic::warning(flag, range, &*problem.message),
            None => Diagnostic::error(range, &*problem.message),
        };
        self.sink.borrow_mut().push(diagnostic);
    }
}

/// Reads a preprocessing number.
///
/// # Errors
/// It is no constant of C.
pub(super) fn parse_number(text: &str) -> Result<Number, LiteralProblem> {
    let bytes = text.as_bytes();
    let second = bytes.get(1).map(u8::to_ascii_lowercase);
    match (bytes.first(), second) {
        (Some(b'0'), Some(b'x')) => parse_hexadecimal(text),
        (Some(b'0'), Some(b'b')) => parse_radix(text, 2, 2, "binary"),
        _ => parse_decimal(text),
    }
}

/// Length of the run of digits of `radix` at `from`.
fn digits(text: &str, from: usize, radix: u32) -> usize {
    let rest = text.as_bytes().get(from..).unwrap_or_default();
    rest.iter().take_while(|byte| char::from(**byte).is_digit(radix)).count()
}

fn byte(text: &str, at: usize) -> u8 {
    text.as_bytes().get(at).copied().unwrap_or(0)
}

fn parse_decimal(text: &str) -> Result<Number, LiteralProblem> {
    let whole = digits(text, 0, 10);
    let mut at = whole;
    let mut floating = false;
    if byte(text, at) == b'.' {
        floating = true;
        at += 1;
        at += digits(text, at, 10);
    }
    if matches!(byte(text, at), b'e' | b'E') {
        floating = true;
        at = parse_exponent(text, at)?;
    }
    if floating {
        return parse_float_suffix(text, at, true);
    }
    // `1f` and `08.` are floating in spirit; C says `1f` is an error, clang's message names the suffix.
    if byte(text, 0) == b'0' && whole > 1 {
        return parse_octal(text, whole);
    }
    finish_integer(text, 0, whole, 10, true)
}

fn parse_octal(text: &str, whole: usize) -> Result<Number, LiteralProblem> {
    if let Some(offset) = text.bytes().take(whole).position(|byte| byte > b'7') {
        let digit = char::from(byte(text, offset));
        return Err(LiteralProblem::error(offset, format!("invalid digit '{digit}' in octal constant")));
    }
    finish_integer(text, 1, whole, 8, false)
}

fn parse_hexadecimal(text: &str) -> Result<Number, LiteralProblem> {
    let whole = digits(text, 2, 16);
    let mut at = 2 + whole;
    let mut fraction = 0;
    let floating = byte(text, at) == b'.' || matches!(byte(text, at), b'p' | b'P');
    if byte(text, at) == b'.' {
        fraction = digits(text, at + 1, 16);
        at += 1 + fraction;
    }
    if !floating {
        return parse_radix(text, 2, 16, "hexadecimal");
    }
    if whole + fraction == 0 {
        return Err(LiteralProblem::error(2, "hexadecimal floating constant requires a digit"));
    }
    if !matches!(byte(text, at), b'p' | b'P') {
        return Err(LiteralProblem::error(at, "hexadecimal floating constant requires an exponent"));
    }
    at = parse_exponent(text, at)?;
    parse_float_suffix(text, at, false)
}

/// The exponent whose letter is at `at`; its end.
fn parse_exponent(text: &str, at: usize) -> Result<usize, LiteralProblem> {
    let mut end = at + 1;
    if matches!(byte(text, end), b'+' | b'-') {
        end += 1;
    }
    let length = digits(text, end, 10);
    if length == 0 {
        return Err(LiteralProblem::error(at, "exponent has no digits"));
    }
    Ok(end + length)
}

fn parse_float_suffix(text: &str, at: usize, decimal: bool) -> Result<Number, LiteralProblem> {
    let rest = text.get(at..).unwrap_or_default();
    let suffix = match rest {
        "" => FloatSuffix::None,
        "f" | "F" => FloatSuffix::Float,
        // The second form is clang's, of its `_Float16`.
        "h" | "H" | "f16" | "F16" => FloatSuffix::Half,
        "l" | "L" => FloatSuffix::Long,
        _ => {
            let kind = if decimal { "" } else { "hexadecimal " };
            return Err(LiteralProblem::error(at, format!("invalid suffix '{rest}' on {kind}floating constant")));
        }
    };
    Ok(Number::Floating { digits: at, suffix })
}

/// An integer of `radix` with its prefix of `from` bytes.
fn parse_radix(text: &str, from: usize, radix: u32, name: &str) -> Result<Number, LiteralProblem> {
    let length = digits(text, from, radix);
    let next = byte(text, from + length);
    if next.is_ascii_digit() {
        let message = format!("invalid digit '{}' in {name} constant", char::from(next));
        return Err(LiteralProblem::error(from + length, message));
    }
    if length == 0 {
        let suffix = text.get(1..).unwrap_or_default();
        return Err(LiteralProblem::error(1, format!("invalid suffix '{suffix}' on integer constant")));
    }
    finish_integer(text, from, from + length, radix, false)
}

/// The value of `text[from..end]` and the suffix after it.
fn finish_integer(text: &str, from: usize, end: usize, radix: u32, decimal: bool) -> Result<Number, LiteralProblem> {
    let suffix = text.get(end..).unwrap_or_default();
    let Some((unsigned, long)) = integer_suffix(suffix) else {
        return Err(LiteralProblem::error(end, format!("invalid suffix '{suffix}' on integer constant")));
    };
    let mut value = 0_u64;
    for digit in text.bytes().take(end).skip(from) {
        let digit = char::from(digit).to_digit(radix).unwrap_or(0);
        value = value.checked_mul(u64::from(radix)).and_then(|value| value.checked_add(u64::from(digit))).ok_or_else(
            || LiteralProblem::error(0, "integer literal is too large to be represented in any integer type"),
        )?;
    }
    Ok(Number::Integer(IntegerLiteral { value, decimal, unsigned, long }))
}

/// Whether unsigned, and the number of `l`.
fn integer_suffix(suffix: &str) -> Option<(bool, u8)> {
    let unsigned = suffix.contains(['u', 'U']);
    let rest = match suffix.strip_prefix(['u', 'U']) {
        Some(rest) => rest,
        None => suffix.strip_suffix(['u', 'U']).unwrap_or(suffix),
    };
    let long = match rest {
        "" => 0,
        "l" | "L" => 1,
        "ll" | "LL" => 2,
        _ => return None,
    };
    Some((unsigned, long))
}

/// The value of a character constant, quotes included in `text`.
///
/// Warnings go to `warnings`.
///
/// # Errors
/// It is no character constant.
fn parse_character(text: &str, warnings: &mut Vec<LiteralProblem>) -> Result<i32, LiteralProblem> {
    let (start, body) = between_quotes(text, '\'');
    if body.is_empty() {
        return Err(LiteralProblem::error(0, "empty character constant"));
    }
    if let Some((at, _)) = body.char_indices().find(|(_, c)| !c.is_ascii()) {
        return Err(LiteralProblem::error(start + at, "character too large for enclosing character literal type"));
    }
    let mut bytes = Vec::new();
    unescape(body, start, &mut bytes, warnings)?;
    match bytes.as_slice() {
        // `char` is signed in OpenCL C.
        [byte] => Ok(i32::from(byte.cast_signed())),
        bytes if bytes.len() > 4 => Err(LiteralProblem::error(0, "character constant too long for its type")),
        bytes => {
            warnings.push(LiteralProblem::warning(WarningFlag::Multichar, 0, "multi-character character constant"));
            Ok(bytes.iter().fold(0_u32, |value, byte| value << 8 | u32::from(*byte)).cast_signed())
        }
    }
}

/// Appends the bytes of a string literal, quotes included in `text`.
///
/// # Errors
/// An escape sequence is wrong.
fn parse_string(text: &str, out: &mut Vec<u8>, warnings: &mut Vec<LiteralProblem>) -> Result<(), LiteralProblem> {
    let (start, body) = between_quotes(text, '"');
    unescape(body, start, out, warnings)
}

/// Offset and text between the quotes.
fn between_quotes(text: &str, quote: char) -> (usize, &str) {
    let start = text.find(quote).map_or(0, |at| at + 1);
    let body = text.get(start..).unwrap_or_default();
    (start, body.strip_suffix(quote).unwrap_or(body))
}

/// Replaces escape sequences (C99 6.4.4.4). `start` is the offset of `body` in the token.
fn unescape(
    body: &str,
    start: usize,
    out: &mut Vec<u8>,
    warnings: &mut Vec<LiteralProblem>,
) -> Result<(), LiteralProblem> {
    let mut rest = body;
    while let Some(at) = rest.find('\\') {
        let (plain, escape) = rest.split_at(at);
        out.extend_from_slice(plain.as_bytes());
        let offset = start + (body.len() - escape.len());
        rest = parse_escape(escape.get(1..).unwrap_or_default(), offset, out, warnings)?;
    }
    out.extend_from_slice(rest.as_bytes());
    Ok(())
}

/// One escape sequence without its backslash at `offset`; what follows it.
fn parse_escape<'t>(
    text: &'t str,
    offset: usize,
    out: &mut Vec<u8>,
    warnings: &mut Vec<LiteralProblem>,
) -> Result<&'t str, LiteralProblem> {
    let Some(letter) = text.chars().next() else {
        return Err(LiteralProblem::error(offset, "escape sequence without a character"));
    };
    let simple = match letter {
        'n' => b'\n',
        't' => b'\t',
        'r' => b'\r',
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' | 'E' => 27,
        '\\' | '\'' | '"' | '?' => letter as u8,
        '0'..='7' => {
            let length = digits(text, 0, 8).min(3);
            let value = u32::from_str_radix(text.get(..length).unwrap_or_default(), 8).unwrap_or(u32::MAX);
            let byte =
                u8::try_from(value).map_err(|_| LiteralProblem::error(offset, "octal escape sequence out of range"))?;
            out.push(byte);
            return Ok(text.get(length..).unwrap_or_default());
        }
        'x' => {
            let length = digits(text, 1, 16);
            if length == 0 {
                return Err(LiteralProblem::error(offset, "\\x used with no following hex digits"));
            }
            let value = text.get(1..1 + length).unwrap_or_default().trim_start_matches('0');
            let value = if value.is_empty() { "0" } else { value };
            let byte = u8::from_str_radix(value, 16)
                .map_err(|_| LiteralProblem::error(offset, "hex escape sequence out of range"))?;
            out.push(byte);
            return Ok(text.get(1 + length..).unwrap_or_default());
        }
        'u' | 'U' => {
            let length = if letter == 'u' { 4 } else { 8 };
            let hex = text.get(1..1 + length).filter(|_| digits(text, 1, 16) >= length);
            let character = hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32);
            let Some(character) = character else {
                return Err(LiteralProblem::error(offset, "incomplete or invalid universal character name"));
            };
            out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            return Ok(text.get(1 + length..).unwrap_or_default());
        }
        other => {
            warnings.push(LiteralProblem::warning(
                WarningFlag::UnknownEscapeSequence,
                offset,
                format!("unknown escape sequence '\\{other}'"),
            ));
            out.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes());
            return Ok(text.get(other.len_utf8()..).unwrap_or_default());
        }
    };
    out.push(simple);
    Ok(text.get(1..).unwrap_or_default())
}
