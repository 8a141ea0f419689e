//! Tokens as Rust is usually written.

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};
use quote::ToTokens;

/// The text of a part of the syntax tree, on one line.
pub fn of(tree: &impl ToTokens) -> String {
    let mut text = String::new();
    write(tree.to_token_stream(), &mut text);
    text.trim().replace(",)", ")").replace(", )", ")")
}

fn write(tokens: TokenStream, text: &mut String) {
    let mut glued = true;
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{ ", " }"),
                    Delimiter::None => ("", ""),
                };
                if group.delimiter() == Delimiter::Brace && !text.ends_with(' ') {
                    text.push(' ');
                }
                text.push_str(open);
                write(group.stream(), text);
                text.push_str(close);
                glued = false;
            }
            TokenTree::Punct(mark) => {
                let mark_char = mark.as_char();
                let spaced = matches!(mark_char, '=' | '+' | '|' | '-') && !text.ends_with([' ', '-', '=', ':']);
                if spaced {
                    text.push(' ');
                }
                text.push(mark_char);
                let ends_arrow = text.ends_with("->") || text.ends_with("=>");
                if mark.spacing() == Spacing::Alone
                    && (matches!(mark_char, ',' | '=' | '+' | '|' | ';') || ends_arrow || ends_single_colon(text))
                {
                    text.push(' ');
                }
                glued = true;
            }
            TokenTree::Ident(ident) => {
                let needs_space =
                    !glued && text.ends_with(|last: char| last.is_alphanumeric() || "_)]>".contains(last));
                if needs_space {
                    text.push(' ');
                }
                text.push_str(&ident.to_string());
                glued = false;
            }
            TokenTree::Literal(literal) => {
                if !glued && text.ends_with(|last: char| last.is_alphanumeric()) {
                    text.push(' ');
                }
                text.push_str(&literal.to_string());
                glued = false;
            }
        }
        // A lifetime and what follows it: `&'a str`.
        if let Some(quote) = text.rfind('\'') {
            let name = &text[quote + 1..];
            if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_') {
                glued = false;
            }
        }
    }
}

fn ends_single_colon(text: &str) -> bool {
    text.ends_with(':') && !text.ends_with("::")
}
