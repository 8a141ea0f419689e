//! Preprocessing tokens from bytes (C99 6.4): translation phases 2 and 3 in one pass, without copying.
//!
//! Line splices are skipped everywhere; only a token with a splice inside it is copied, to drop it. The lexer knows
//! neither files nor symbols: it takes bytes and an offset, so that it can be used for pasted tokens too.

use super::{Punct, TokenFlags, TokenKind};
use crate::narrow::low_u8;

/// What the lexer found: a kind, a byte range, and whether a splice must be dropped from the spelling.
#[derive(Clone, Copy, Debug)]
pub struct Raw {
    /// Its kind.
    pub kind: TokenKind,
    /// What stands before it.
    pub flags: TokenFlags,
    /// Offset of its first byte.
    pub start: usize,
    /// Offset past its last byte.
    pub end: usize,
    /// Whether its spelling contains line splices.
    pub spliced: bool,
}

/// White space and comments that were skipped.
#[derive(Clone, Copy, Debug)]
pub struct Trivia {
    /// Where the next token, or the newline, begins.
    pub end: usize,
    /// Whether there was any, and whether a line ended in it.
    pub flags: TokenFlags,
    /// Where a comment begins that has no end.
    pub open_comment: Option<usize>,
}

const IDENT: u8 = 1;
const DIGIT: u8 = 2;
const SPACE: u8 = 4;
const HIGH: u8 = 8;

static CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match low_u8(byte as u64) {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => IDENT,
            b'0'..=b'9' => DIGIT,
            // A NUL in a source is white space, as it is for clang.
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0 => SPACE,
            0x80.. => HIGH,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// The byte at `pos`, 0 past the end.
fn byte(text: &[u8], pos: usize) -> u8 {
    text.get(pos).copied().unwrap_or(0)
}

fn is(text: &[u8], pos: usize, mask: u8) -> bool {
    text.get(pos).is_some_and(|b| CLASS[*b as usize] & mask != 0)
}

/// Length of the line splice at `pos`: a backslash, perhaps blanks, and a newline; 0 where there is none.
fn splice_len(text: &[u8], pos: usize) -> usize {
    if byte(text, pos) != b'\\' {
        return 0;
    }
    let mut end = pos + 1;
    while end < text.len() && CLASS[text[end] as usize] & SPACE != 0 {
        end += 1;
    }
    if byte(text, end) == b'\n' { end + 1 - pos } else { 0 }
}

/// Skips line splices, if any stand at `pos`.
fn skip_splices(text: &[u8], mut pos: usize) -> usize {
    while byte(text, pos) == b'\\' {
        match splice_len(text, pos) {
            0 => break,
            len => pos += len,
        }
    }
    pos
}

/// Whether a newline at `newline` is hidden by a backslash before it.
fn is_spliced_newline(text: &[u8], newline: usize) -> bool {
    let mut pos = newline;
    while pos > 0 && CLASS[text[pos - 1] as usize] & SPACE != 0 {
        pos -= 1;
    }
    pos > 0 && text[pos - 1] == b'\\'
}

/// The end of the logical line that `pos` is in: its newline or the end of the text. Sees no comments.
pub fn line_end(text: &[u8], mut pos: usize) -> usize {
    loop {
        match text.get(pos..).and_then(|rest| memchr::memchr(b'\n', rest)) {
            None => return text.len(),
            Some(offset) if is_spliced_newline(text, pos + offset) => pos += offset + 1,
            Some(offset) => return pos + offset,
        }
    }
}

/// Past the end of the block comment whose `/*` ends at `pos`.
pub fn comment_end(text: &[u8], mut pos: usize) -> Option<usize> {
    loop {
        pos += memchr::memchr(b'*', text.get(pos..)?)? + 1;
        let next = skip_splices(text, pos);
        if byte(text, next) == b'/' {
            return Some(next + 1);
        }
    }
}

/// Skips white space and comments; newlines too unless `in_line`.
pub fn trivia(text: &[u8], mut pos: usize, in_line: bool) -> Trivia {
    let mut flags = TokenFlags::empty();
    let mut open_comment = None;
    while let Some(&b) = text.get(pos) {
        match b {
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c | 0 => {
                flags |= TokenFlags::SPACE_BEFORE;
                pos += 1;
            }
            b'\n' if !in_line => {
                flags |= TokenFlags::LINE_START;
                flags -= TokenFlags::SPACE_BEFORE;
                pos += 1;
            }
            b'/' => {
                let next = skip_splices(text, pos + 1);
                match byte(text, next) {
                    b'/' => pos = line_end(text, next + 1),
                    b'*' => {
                        pos = comment_end(text, next + 1).unwrap_or_else(|| {
                            open_comment = Some(pos);
                            text.len()
                        })
                    }
                    _ => break,
                }
                flags |= TokenFlags::SPACE_BEFORE;
            }
            b'\\' => match splice_len(text, pos) {
                0 => break,
                len => pos += len,
            },
            _ => break,
        }
    }
    Trivia { end: pos, flags, open_comment }
}

/// The token at `pos`, which is past all white space and not at the end of the text.
pub fn token(text: &[u8], pos: usize, flags: TokenFlags) -> Raw {
    let b = byte(text, pos);
    let class = CLASS[b as usize];
    let (kind, end, spliced) = if b == b'L' && byte(text, pos + 1) == b'\'' {
        // A wide character constant; the only encoding prefix of C99 that a number may have.
        quoted(text, pos + 2, b'\'')
    } else if class == IDENT {
        let (end, spliced) = word(text, pos + 1);
        (TokenKind::Identifier, end, spliced)
    } else if class == DIGIT || (b == b'.' && is(text, skip_splices(text, pos + 1), DIGIT)) {
        number(text, pos + 1, b)
    } else if b == b'"' || b == b'\'' {
        quoted(text, pos + 1, b)
    } else if class == HIGH {
        high(text, pos)
    } else if let Some((c, len)) = universal_character(text, pos).filter(|(c, _)| c.is_alphabetic()) {
        debug_assert!(c != '\\');
        let (end, _) = word(text, pos + len);
        (TokenKind::Identifier, end, true)
    } else {
        punctuator(text, pos)
    };
    Raw { kind, flags, start: pos, end, spliced }
}

/// The character that starts with a byte past ASCII, and its length.
fn high_char(text: &[u8], pos: usize) -> (char, usize) {
    let window = text.get(pos..(pos + 4).min(text.len())).unwrap_or(&[]);
    let valid = match std::str::from_utf8(window) {
        Ok(valid) => valid,
        Err(error) => std::str::from_utf8(&window[..error.valid_up_to()]).unwrap_or(""),
    };
    valid.chars().next().map_or((char::REPLACEMENT_CHARACTER, 1), |c| (c, c.len_utf8()))
}

/// The character that `\uXXXX` or `\UXXXXXXXX` at `pos` names (6.4.3), and the length of that.
fn universal_character(text: &[u8], pos: usize) -> Option<(char, usize)> {
    let len = match (byte(text, pos), byte(text, pos + 1)) {
        (b'\\', b'u') => 6,
        (b'\\', b'U') => 10,
        _ => return None,
    };
    let digits = std::str::from_utf8(text.get(pos + 2..pos + len)?).ok()?;
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
    (!c.is_ascii()).then_some((c, len))
}

/// A token that starts with a character past ASCII: an identifier when it is a letter, otherwise no token.
fn high(text: &[u8], pos: usize) -> (TokenKind, usize, bool) {
    let (c, len) = high_char(text, pos);
    if c.is_alphabetic() {
        let (end, spliced) = word(text, pos + len);
        return (TokenKind::Identifier, end, spliced);
    }
    // A byte order mark or an exotic space counts as a character of its own: the user should see it named.
    (TokenKind::Other, pos + len, false)
}

/// The end of an identifier's letters and digits from `pos` on.
fn word(text: &[u8], mut pos: usize) -> (usize, bool) {
    let mut spliced = false;
    loop {
        while is(text, pos, IDENT | DIGIT) {
            pos += 1;
        }
        match byte(text, pos) {
            b'\\' => {
                if let Some((_, len)) = universal_character(text, pos).filter(|(c, _)| c.is_alphanumeric()) {
                    spliced = true;
                    pos += len;
                    continue;
                }
                let next = skip_splices(text, pos);
                if next == pos || !is(text, next, IDENT | DIGIT) {
                    return (pos, spliced);
                }
                spliced = true;
                pos = next;
            }
            0x80.. => match high_char(text, pos) {
                (c, len) if c.is_alphanumeric() => pos += len,
                _ => return (pos, spliced),
            },
            _ => return (pos, spliced),
        }
    }
}

/// The end of a preprocessing number (6.4.8) whose last byte read is `last`.
fn number(text: &[u8], mut pos: usize, mut last: u8) -> (TokenKind, usize, bool) {
    let mut spliced = false;
    loop {
        let next = skip_splices(text, pos);
        let b = byte(text, next);
        let more = match b {
            b'.' => true,
            b'+' | b'-' => matches!(last, b'e' | b'E' | b'p' | b'P'),
            _ => is(text, next, IDENT | DIGIT),
        };
        if !more {
            return (TokenKind::Number, pos, spliced);
        }
        spliced |= next != pos;
        last = b;
        pos = next + 1;
    }
}

/// A string literal or character constant; `Other` up to the end of the line when it is not closed.
fn quoted(text: &[u8], mut pos: usize, quote: u8) -> (TokenKind, usize, bool) {
    let mut spliced = false;
    loop {
        let rest = text.get(pos..).unwrap_or(&[]);
        let Some(offset) = memchr::memchr3(quote, b'\\', b'\n', rest) else {
            return (TokenKind::Other, text.len(), spliced);
        };
        pos += offset;
        match text[pos] {
            b'\\' => match splice_len(text, pos) {
                0 => {
                    // The escaped character may itself be past a splice; an escaped newline is handled above.
                    pos = skip_splices(text, pos + 1);
                    if pos < text.len() && text[pos] != b'\n' {
                        pos += 1;
                    }
                }
                len => {
                    spliced = true;
                    pos += len;
                }
            },
            b'\n' => {
                let end = if pos > 0 && text[pos - 1] == b'\r' { pos - 1 } else { pos };
                return (TokenKind::Other, end, spliced);
            }
            _ => {
                let kind = if quote == b'"' { TokenKind::Str } else { TokenKind::Char };
                return (kind, pos + 1, spliced);
            }
        }
    }
}

/// Reads a punctuator, the longest that fits; digraphs are the punctuators that they stand for.
fn punctuator(text: &[u8], pos: usize) -> (TokenKind, usize, bool) {
    let at1 = skip_splices(text, pos + 1);
    let b1 = byte(text, at1);
    let (one, two) = (pos + 1, at1 + 1);
    let third = |wanted: u8| {
        let at2 = skip_splices(text, two);
        (byte(text, at2) == wanted).then_some(at2 + 1)
    };
    let (punct, end) = match (byte(text, pos), b1) {
        (b'{', _) => (Punct::LBrace, one),
        (b'}', _) => (Punct::RBrace, one),
        (b'(', _) => (Punct::LParen, one),
        (b')', _) => (Punct::RParen, one),
        (b'[', _) => (Punct::LBracket, one),
        (b']', _) => (Punct::RBracket, one),
        (b';', _) => (Punct::Semi, one),
        (b',', _) => (Punct::Comma, one),
        (b'?', _) => (Punct::Question, one),
        (b'~', _) => (Punct::Tilde, one),
        (b'@', _) => (Punct::At, one),
        (b'\\', _) => (Punct::Backslash, one),
        (b':', b'>') => (Punct::RBracket, two),
        (b':', _) => (Punct::Colon, one),
        (b'.', b'.') => third(b'.').map_or((Punct::Dot, one), |end| (Punct::Ellipsis, end)),
        (b'.', _) => (Punct::Dot, one),
        (b'-', b'>') => (Punct::Arrow, two),
        (b'-', b'-') => (Punct::MinusMinus, two),
        (b'-', b'=') => (Punct::MinusAssign, two),
        (b'-', _) => (Punct::Minus, one),
        (b'+', b'+') => (Punct::PlusPlus, two),
        (b'+', b'=') => (Punct::PlusAssign, two),
        (b'+', _) => (Punct::Plus, one),
        (b'*', b'=') => (Punct::StarAssign, two),
        (b'*', _) => (Punct::Star, one),
        (b'/', b'=') => (Punct::SlashAssign, two),
        (b'/', _) => (Punct::Slash, one),
        (b'%', b'=') => (Punct::PercentAssign, two),
        (b'%', b'>') => (Punct::RBrace, two),
        (b'%', b':') => percent_colon(text, two),
        (b'%', _) => (Punct::Percent, one),
        (b'&', b'&') => (Punct::AmpAmp, two),
        (b'&', b'=') => (Punct::AmpAssign, two),
        (b'&', _) => (Punct::Amp, one),
        (b'|', b'|') => (Punct::PipePipe, two),
        (b'|', b'=') => (Punct::PipeAssign, two),
        (b'|', _) => (Punct::Pipe, one),
        (b'^', b'=') => (Punct::CaretAssign, two),
        (b'^', _) => (Punct::Caret, one),
        (b'!', b'=') => (Punct::Ne, two),
        (b'!', _) => (Punct::Bang, one),
        (b'=', b'=') => (Punct::EqEq, two),
        (b'=', _) => (Punct::Assign, one),
        (b'<', b'<') => third(b'=').map_or((Punct::Shl, two), |end| (Punct::ShlAssign, end)),
        (b'<', b'=') => (Punct::Le, two),
        (b'<', b':') => (Punct::LBracket, two),
        (b'<', b'%') => (Punct::LBrace, two),
        (b'<', _) => (Punct::Lt, one),
        (b'>', b'>') => third(b'=').map_or((Punct::Shr, two), |end| (Punct::ShrAssign, end)),
        (b'>', b'=') => (Punct::Ge, two),
        (b'>', _) => (Punct::Gt, one),
        (b'#', b'#') => (Punct::HashHash, two),
        (b'#', _) => (Punct::Hash, one),
        _ => return (TokenKind::Other, one, false),
    };
    // Punctuators take their canonical spelling, so a splice inside one needs no care.
    (TokenKind::Punct(punct), end, false)
}

/// `%:` or `%:%:`.
fn percent_colon(text: &[u8], two: usize) -> (Punct, usize) {
    let at2 = skip_splices(text, two);
    let at3 = skip_splices(text, at2 + 1);
    if byte(text, at2) == b'%' && byte(text, at3) == b':' { (Punct::HashHash, at3 + 1) } else { (Punct::Hash, two) }
}

/// A spelling without its line splices.
pub fn without_splices(spelling: &str) -> String {
    let bytes = spelling.as_bytes();
    let is_quoted = bytes.contains(&b'"') || bytes.contains(&b'\'');
    let mut clean = String::with_capacity(spelling.len());
    let mut pos = 0;
    while pos < bytes.len() {
        let next = memchr::memchr(b'\\', &bytes[pos..]).map_or(bytes.len(), |offset| pos + offset);
        clean.push_str(spelling.get(pos..next).unwrap_or(""));
        match splice_len(bytes, next) {
            0 if !is_quoted && let Some((c, len)) = universal_character(bytes, next) => {
                clean.push(c);
                pos = next + len;
            }
            0 if next < bytes.len() => {
                clean.push('\\');
                pos = next + 1;
            }
            0 => pos = next,
            len => pos = next + len,
        }
    }
    clean
}

/// Whether `text` is exactly one token, and which.
pub fn single_token(text: &str) -> Option<TokenKind> {
    let bytes = text.as_bytes();
    if bytes.is_empty() || trivia(bytes, 0, false).end != 0 {
        return None;
    }
    let raw = token(bytes, 0, TokenFlags::empty());
    (raw.end == bytes.len()).then_some(raw.kind)
}

/// Past a group that a condition leaves out: the offset of the next line, from `pos` on, whose first token is `#`
/// (the offset is past the `#`), or `None` at the end of the text. Strings and comments hide what is in them.
pub fn next_directive(text: &[u8], mut pos: usize, open_comment: &mut Option<usize>) -> Option<usize> {
    loop {
        let skipped = trivia(text, pos, false);
        if skipped.open_comment.is_some() {
            *open_comment = skipped.open_comment;
        }
        pos = skipped.end;
        let b = *text.get(pos)?;
        if b == b'#' {
            return Some(pos + 1);
        }
        if b == b'%' && byte(text, skip_splices(text, pos + 1)) == b':' {
            return Some(skip_splices(text, pos + 1) + 1);
        }
        pos = skip_line(text, pos, open_comment);
    }
}

/// The end of the line (its newline or the end of the text), looking through strings and over block comments.
pub fn skip_line(text: &[u8], mut pos: usize, open_comment: &mut Option<usize>) -> usize {
    while let Some(&b) = text.get(pos) {
        match b {
            b'\n' => break,
            b'"' | b'\'' => pos = quoted(text, pos + 1, b).1.max(pos + 1),
            b'/' | b'\\' => {
                let skipped = trivia(text, pos, true);
                if skipped.open_comment.is_some() {
                    *open_comment = skipped.open_comment;
                }
                pos = if skipped.end == pos { pos + 1 } else { skipped.end };
            }
            _ => pos += 1,
        }
    }
    pos
}

/// Length in bytes of the token spelled at an offset of a text; 0 at its end.
pub fn token_len(text: &[u8], offset: usize) -> usize {
    if offset >= text.len() {
        return 0;
    }
    token(text, offset, TokenFlags::empty()).end.saturating_sub(offset)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spellings(text: &str) -> Vec<String> {
        let bytes = text.as_bytes();
        let mut pos = 0;
        let mut all = Vec::new();
        loop {
            pos = trivia(bytes, pos, false).end;
            if pos >= bytes.len() {
                return all;
            }
            let raw = token(bytes, pos, TokenFlags::empty());
            all.push(match raw.kind {
                TokenKind::Punct(punct) => punct.text().to_string(),
                _ => without_splices(&text[raw.start..raw.end]),
            });
            pos = raw.end;
        }
    }

    #[test]
    fn maximal_munch() {
        assert_eq!(spellings("x+++++y"), ["x", "++", "++", "+", "y"]);
        assert_eq!(spellings("a<<=b>>=c...d..e"), ["a", "<<=", "b", ">>=", "c", "...", "d", ".", ".", "e"]);
        assert_eq!(spellings("1.e+3f .5 0x1p-3 1..2 0xe+1"), ["1.e+3f", ".5", "0x1p-3", "1..2", "0xe+1"]);
    }

    #[test]
    fn universal_characters_are_letters() {
        assert_eq!(spellings(r"\u00e9t\u00E9 x\U000000e9 '\u00e9' \u0041"), ["été", "xé", r"'\u00e9'", "\\", "u0041"]);
        assert_eq!(spellings("L'a' La L"), ["L'a'", "La", "L"]);
    }

    #[test]
    fn digraphs() {
        assert_eq!(spellings("<: :> <% %> %: %:%:"), ["[", "]", "{", "}", "#", "##"]);
    }

    #[test]
    fn splices_are_invisible() {
        assert_eq!(spellings("fo\\\no b\\  \r\nar +\\\n= 1\\\n2.\\\n5"), ["foo", "bar", "+=", "12.5"]);
        assert_eq!(spellings("\"a\\\nb\" /\\\n* no *\\\n/ c // x\\\n y\nd"), ["\"ab\"", "c", "d"]);
        assert_eq!(spellings("foo\\\n bar"), ["foo", "bar"]);
    }

    #[test]
    fn quotes() {
        assert_eq!(spellings(r#""a\"b" '\'' "\\" x"#), [r#""a\"b""#, r"'\''", r#""\\""#, "x"]);
        assert_eq!(single_token("\"abc"), Some(TokenKind::Other));
        assert_eq!(spellings("'abc\nx"), ["'abc", "x"]);
    }

    #[test]
    fn letters_past_ascii() {
        assert_eq!(spellings("größe µ"), ["größe", "µ"]);
        assert_eq!(single_token("€"), Some(TokenKind::Other));
        assert_eq!(single_token("µ"), Some(TokenKind::Identifier));
    }

    #[test]
    fn directives_in_skipped_text() {
        let text = b"don't /* # */ x\n \"#\" \n /* a\n # */ # if" as &[u8];
        let mut open = None;
        let pos = next_directive(text, 0, &mut open);
        assert_eq!(pos.map(|pos| &text[pos..]), Some(b" if" as &[u8]));
        assert_eq!(open, None);
    }
}
