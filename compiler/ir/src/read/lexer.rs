//! Tokens of the text form.

use super::ParseError;

/// A token and the line it stands on, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token<'t> {
    pub kind: Kind<'t>,
    pub line: u32,
}

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind<'t> {
    /// `i32x4`, `ptr.global`, `add`
    Word(&'t str),
    /// `%5`
    Value(u32),
    /// `@name`
    Symbol(&'t str),
    /// As written, with sign or `0x`.
    Number(&'t str),
    /// Between the quotes, escapes not yet undone.
    Text(&'t str),
    /// `(`, `->`, …
    Mark(&'t str),
    End,
}

/// All tokens, the last one [`Kind::End`]. Lines that start with `;` are comments.
///
/// # Errors
/// A line that cannot be read.
pub fn tokens(text: &str) -> Result<Vec<Token<'_>>, ParseError> {
    let mut tokens = Vec::new();
    let mut last = 1;
    for (line, number) in text.lines().zip(1..) {
        last = number;
        let mut rest = line.trim_start();
        if rest.starts_with(';') {
            continue;
        }
        while !rest.is_empty() {
            let (kind, length) =
                token(rest).ok_or_else(|| ParseError::from(format!("cannot read '{rest}'")).on_line(number))?;
            tokens.push(Token { kind, line: number });
            rest = rest.get(length..).unwrap_or("").trim_start();
        }
    }
    tokens.push(Token { kind: Kind::End, line: last });
    Ok(tokens)
}

/// The first token and its length.
fn token(text: &str) -> Option<(Kind<'_>, usize)> {
    let first = text.chars().next()?;
    let while_ = |good: fn(char) -> bool| text[1..].find(|c| !good(c)).map_or(text.len(), |at| at + 1);
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    Some(match first {
        '%' => {
            let end = while_(|c| c.is_ascii_digit());
            (Kind::Value(text[1..end].parse().ok()?), end)
        }
        '@' => {
            let end = while_(word);
            (Kind::Symbol(&text[1..end]), end)
        }
        '"' => {
            let mut escaped = false;
            let end = text[1..].find(|c| {
                let ends = c == '"' && !escaped;
                escaped = c == '\\' && !escaped;
                ends
            })?;
            (Kind::Text(&text[1..end + 1]), end + 2)
        }
        '-' if text.starts_with("->") => (Kind::Mark("->"), 2),
        '-' | '0'..='9' => {
            let end = while_(|c| c.is_ascii_alphanumeric());
            (Kind::Number(&text[..end]), end)
        }
        c if c.is_ascii_alphabetic() || c == '_' => {
            let end = while_(word);
            (Kind::Word(&text[..end]), end)
        }
        '(' | ')' | '{' | '}' | '[' | ']' | ',' | ':' | '=' | '*' | '+' | ';' => (Kind::Mark(&text[..1]), 1),
        _ => return None,
    })
}
