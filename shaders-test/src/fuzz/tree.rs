//! A generated program as a tree of text with holes: what the reducer deletes and replaces.

use super::types::Type;
use std::fmt::Write;

/// Text or an expression inside a larger text.
#[derive(Clone, Debug)]
pub enum Part {
    /// As it is.
    Text(String),
    /// A value.
    Expr(Expr),
}

/// An expression. Any other expression of its type may stand in its place: whatever needs a range masks it around.
#[derive(Clone, Debug)]
pub struct Expr {
    /// The type of the value; `None`: nothing may replace it (lvalues, addresses, initialiser lists).
    pub ty: Option<Type>,
    /// The text.
    pub parts: Vec<Part>,
}

impl Expr {
    /// A template in which each `@` is replaced by the next operand.
    pub fn new(ty: Option<Type>, template: &str, operands: Vec<Expr>) -> Expr {
        Expr { ty, parts: fill(template, operands) }
    }

    /// Text without operands.
    pub fn text(ty: Option<Type>, text: impl Into<String>) -> Expr {
        Expr { ty, parts: vec![Part::Text(text.into())] }
    }

    /// The same text in a place where nothing may replace it.
    pub fn fixed(mut self) -> Expr {
        self.ty = None;
        self
    }

    /// Number of expressions in it.
    pub fn size(&self) -> u32 {
        1 + self.parts.iter().map(|part| if let Part::Expr(e) = part { e.size() } else { 0 }).sum::<u32>()
    }
}

/// As for [`Expr::new`].
pub fn fill(template: &str, operands: Vec<Expr>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut operands = operands.into_iter();
    for (index, text) in template.split('@').enumerate() {
        if index > 0 {
            parts.extend(operands.next().map(Part::Expr));
        }
        if !text.is_empty() {
            parts.push(Part::Text(text.into()));
        }
    }
    parts
}

/// A piece of a statement.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Text and expressions.
    Parts(Vec<Part>),
    /// Statements between braces, which the surrounding parts hold.
    Body(Vec<Stmt>),
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Whether the reducer must leave it: initialisation of memory that has no initialisers.
    pub fixed: bool,
    /// In order.
    pub pieces: Vec<Piece>,
}

impl Stmt {
    /// A statement without inner statements.
    pub fn leaf(template: &str, operands: Vec<Expr>) -> Stmt {
        Stmt { fixed: false, pieces: vec![Piece::Parts(fill(template, operands))] }
    }

    /// A statement around others: parts, body, parts, body, …, parts.
    pub fn block(pieces: Vec<Piece>) -> Stmt {
        Stmt { fixed: false, pieces }
    }

    /// The same, never deleted.
    pub fn fixed(mut self) -> Stmt {
        self.fixed = true;
        self
    }
}

/// A function with its head (up to the brace).
#[derive(Clone, Debug)]
pub struct Function {
    /// `int f(int a)`. Where there are several kernels, the directives of a kernel stand before its head.
    pub head: String,
    /// Between the braces.
    pub body: Vec<Stmt>,
}

/// A program.
#[derive(Clone, Debug)]
pub struct Program {
    /// The case's directives.
    pub directives: String,
    /// Definitions of types and tables, in order; each may be deleted.
    pub definitions: Vec<String>,
    /// Callees first, then the kernels.
    pub functions: Vec<Function>,
}

impl Program {
    /// The source text.
    pub fn print(&self) -> String {
        let mut text = self.directives.clone();
        for definition in &self.definitions {
            text.push_str(definition);
        }
        for function in &self.functions {
            let _ = writeln!(text, "{} {{", function.head);
            print_body(&function.body, 1, &mut text);
            text.push_str("}\n");
        }
        text
    }
}

fn print_body(body: &[Stmt], indent: usize, text: &mut String) {
    for stmt in body {
        text.push_str(&"  ".repeat(indent));
        for piece in &stmt.pieces {
            match piece {
                Piece::Parts(parts) => print_parts(parts, text),
                Piece::Body(body) => {
                    text.push('\n');
                    print_body(body, indent + 1, text);
                    text.push_str(&"  ".repeat(indent));
                }
            }
        }
        text.push('\n');
    }
}

fn print_parts(parts: &[Part], text: &mut String) {
    for part in parts {
        match part {
            Part::Text(part) => text.push_str(part),
            Part::Expr(expr) => print_parts(&expr.parts, text),
        }
    }
}
