//! Preprocessed tokens as text (`--emit preprocessed`).

use std::ops::Range;

use clforge_basic::source::lexer;
use clforge_basic::source::{ExpansionId, Interner, Punct, SourceMap, Token, TokenFlags, TokenKind, TokenTable};

/// Columns of indentation kept.
const MAX_INDENT: usize = 40;

/// Prints preprocessed tokens, with the lines and indentation of the source, so that the text gives the same tokens
/// and pragmas when it is read again.
pub fn print(table: &TokenTable, range: Range<u32>, interner: &Interner, sources: &SourceMap) -> String {
    let mut out = String::new();
    let mut pragmas = table.pragmas.iter().skip_while(|pragma| pragma.before < range.start).peekable();
    let mut previous: Option<Token> = None;
    let end = (range.end as usize).min(table.tokens.len());
    for index in range.start as usize..end {
        let token = table.tokens[index];
        let mut fresh_line = out.is_empty() || token.flags.contains(TokenFlags::LINE_START);
        while let Some(pragma) = pragmas.next_if(|pragma| pragma.before as usize <= index) {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            out.push_str("#pragma ");
            out.push_str(&pragma.text);
            out.push('\n');
            fresh_line = true;
        }
        if token.kind == TokenKind::Eof {
            break;
        }
        // A `#` that a macro made is no directive: it may not come first on its line.
        let hash = token.kind == TokenKind::Punct(Punct::Hash) && !out.ends_with('\n');
        if fresh_line && !(hash && previous.is_some()) {
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
            indent(&mut out, token, sources);
        } else if previous.is_some_and(|previous| {
            token.flags.contains(TokenFlags::SPACE_BEFORE) || fresh_line || would_paste(previous, token, interner)
        }) {
            out.push(' ');
        }
        out.push_str(interner.text(token.text));
        previous = Some(token);
    }
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

/// Repeats the white space before a token that starts a line of a file.
fn indent(out: &mut String, token: Token, sources: &SourceMap) {
    if token.loc.expansion != ExpansionId::NONE {
        return;
    }
    let Some((file, offset)) = sources.locate(token.loc.pos) else { return };
    let bytes = sources.file(file).text.as_bytes();
    let before = bytes.get(..offset as usize).unwrap_or(&[]);
    let blanks = before.iter().rev().take(MAX_INDENT).take_while(|b| matches!(b, b' ' | b'\t')).count();
    for b in &before[before.len() - blanks..] {
        out.push(*b as char);
    }
}

/// Whether two tokens without a space between them would be read as something else.
fn would_paste(left: Token, right: Token, interner: &Interner) -> bool {
    let (a, b) = (interner.text(left.text), interner.text(right.text));
    let word = |kind| matches!(kind, TokenKind::Identifier | TokenKind::Number);
    match (left.kind, right.kind) {
        (a, b) if word(a) && word(b) => true,
        (TokenKind::Number, _) => b.starts_with(['.', '+', '-']),
        (TokenKind::Punct(Punct::Dot), TokenKind::Punct(Punct::Dot) | TokenKind::Number) => true,
        (TokenKind::Punct(_), TokenKind::Punct(_)) => {
            let pasted = format!("{a}{b}");
            let bytes = pasted.as_bytes();
            lexer::trivia(bytes, 0, false).end != 0 || lexer::token(bytes, 0, TokenFlags::empty()).end != a.len()
        }
        _ => false,
    }
}
