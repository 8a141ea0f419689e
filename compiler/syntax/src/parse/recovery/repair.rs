//! Repairs a function's body with a syntax error: it inserts a missing token, or skips tokens, so that the grammar
//! accepts the rest.

use crate::parse::class::TokenClass;

/// The grammar's input with what was changed in it.
#[derive(Clone)]
pub(super) struct Repair {
    /// The classes of tokens.
    pub codes: String,
    /// The offsets of inserted characters, in order.
    pub inserted: Vec<usize>,
    /// Behind what was changed last: an error up to there says that the change was not the right one.
    pub end: usize,
}

/// A kind of repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// Inserts a token in front of the error.
    Insert(TokenClass),
    /// Skips the operand of a bracket, an assignment, a `return`, … that the error is in.
    Expression,
    /// Skips the statement that the error is in, or that so many blocks around it are in.
    Statement(usize),
}

impl Repair {
    pub fn new(codes: &str) -> Repair {
        Repair { codes: codes.to_owned(), inserted: Vec::new(), end: 0 }
    }

    /// The input after a change for an error at `pos`, in the body that begins at `body`; `None` where it is not possible.
    pub fn with(&self, change: Change, body: usize, pos: usize) -> Option<Repair> {
        let mut repair = self.clone();
        match change {
            Change::Insert(class) => {
                repair.insert(pos, class)?;
                // An operand must be followed by what is there; what is behind a `;` or a bracket is something else.
                repair.end = if class == TokenClass::Skipped { pos + 1 } else { pos };
            }
            Change::Expression => {
                let (start, end) = expression(self.codes.as_bytes(), body, pos)?;
                repair.skip(start, end, TokenClass::Skipped)?;
            }
            Change::Statement(level) => {
                let (start, end) = statement(self.codes.as_bytes(), body, pos, level)?;
                let declares = TokenClass::at(self.codes.as_bytes(), start).starts_declaration();
                let class = if declares { TokenClass::SkippedDeclaration } else { TokenClass::Skipped };
                repair.skip(start, end, class)?;
            }
        }
        Some(repair)
    }

    fn insert(&mut self, pos: usize, class: TokenClass) -> Option<()> {
        self.codes.get(pos..)?;
        self.codes.insert(pos, class.code());
        let at = self.inserted.partition_point(|inserted| *inserted < pos);
        for inserted in self.inserted.iter_mut().skip(at) {
            *inserted += 1;
        }
        self.inserted.insert(at, pos);
        Some(())
    }

    fn skip(&mut self, start: usize, end: usize, class: TokenClass) -> Option<()> {
        let (before, after) = (self.codes.get(..start)?, self.codes.get(end..)?);
        let blanks = std::iter::repeat_n(class.code(), end.checked_sub(start)?);
        self.codes = before.chars().chain(blanks).chain(after.chars()).collect();
        self.end = end;
        Some(())
    }
}

/// An open bracket, and what has begun inside of it.
struct Open {
    class: TokenClass,
    /// Whether it is the brace of a block, which has statements.
    is_block: bool,
    /// The first token of the current statement.
    statement: usize,
    /// The first token of the current operand of a bracket, an assignment, a `return`, …, and whether a colon ends it.
    operand: Option<(usize, bool)>,
}

/// The brackets that are open at `pos`.
fn open_brackets(codes: &[u8], body: usize, pos: usize) -> Vec<Open> {
    let mut open: Vec<Open> = Vec::new();
    for (offset, class) in TokenClass::all(codes).enumerate().take(pos).skip(body) {
        let next = offset + 1;
        match class {
            TokenClass::LParen | TokenClass::LBracket | TokenClass::LBrace => {
                let before = offset.checked_sub(1).map_or(TokenClass::End, |before| TokenClass::at(codes, before));
                let is_list = matches!(before, TokenClass::Equals | TokenClass::Comma)
                    || before == TokenClass::LBrace && open.last().is_some_and(|open| !open.is_block);
                let is_block = class == TokenClass::LBrace && !is_list;
                let operand = (!is_block).then_some((next, false));
                open.push(Open { class, is_block, statement: next, operand });
            }
            TokenClass::RParen | TokenClass::RBracket
                if open.last().is_some_and(|open| open.class != TokenClass::LBrace) =>
            {
                open.pop();
            }
            TokenClass::RBrace => while open.pop().is_some_and(|open| open.class != TokenClass::LBrace) {},
            _ => {}
        }
        if let Some(open) = open.last_mut() {
            open.proceed(class, next);
        }
    }
    open
}

impl Open {
    /// Notes what begins behind a token, at `next`.
    fn proceed(&mut self, class: TokenClass, next: usize) {
        match class {
            TokenClass::Semicolon | TokenClass::RBrace if self.is_block => {
                (self.statement, self.operand) = (next, None);
            }
            TokenClass::Semicolon | TokenClass::Equals | TokenClass::CompoundAssign | TokenClass::KwReturn => {
                self.operand = Some((next, false));
            }
            TokenClass::KwCase | TokenClass::Question => self.operand = Some((next, true)),
            TokenClass::Comma => self.operand = (!self.is_block).then_some((next, false)),
            TokenClass::Colon => {
                // Behind `case x:` is a statement, behind `c ? x :` an operand, unless both are the same to this.
                self.operand = self.operand.filter(|(_, ends_at_colon)| !self.is_block || !ends_at_colon);
            }
            TokenClass::KwElse | TokenClass::KwDo if self.is_block => self.operand = None,
            _ => {}
        }
    }
}

/// The operand that `pos` is in.
fn expression(codes: &[u8], body: usize, pos: usize) -> Option<(usize, usize)> {
    let open = open_brackets(codes, body, pos);
    let (start, ends_at_colon) = open.last()?.operand?;
    let mut depth = 0_u32;
    for (offset, class) in TokenClass::all(codes).enumerate().skip(pos) {
        let ends = match class {
            TokenClass::Semicolon | TokenClass::Comma => depth == 0,
            TokenClass::Colon => depth == 0 && ends_at_colon,
            TokenClass::RParen | TokenClass::RBracket | TokenClass::RBrace => depth == 0,
            // A statement: the end of the operand is missing.
            _ => depth == 0 && class.is_statement_keyword(),
        };
        if ends {
            return (start < offset).then_some((start, offset));
        }
        match class {
            TokenClass::LParen | TokenClass::LBracket | TokenClass::LBrace => depth += 1,
            TokenClass::RParen | TokenClass::RBracket | TokenClass::RBrace => depth -= 1,
            _ => {}
        }
    }
    None
}

/// The statement that `pos` is in, or that the `level`-th block around that statement is in.
fn statement(codes: &[u8], body: usize, pos: usize, level: usize) -> Option<(usize, usize)> {
    if pos <= body || pos >= codes.len() {
        return None;
    }
    let open = open_brackets(codes, body, pos);
    let mut blocks = open.iter().rev().filter(|open| open.class == TokenClass::LBrace);
    let start = blocks.nth(level)?.statement;
    let end = statement_end(codes, pos, level, TokenClass::at(codes, start).starts_declaration());
    (end > start).then_some((start, end))
}

/// Offset behind the statement that `pos` is in, `level` blocks further out. A brace does not end a declaration.
fn statement_end(codes: &[u8], pos: usize, level: usize, is_declaration: bool) -> usize {
    let (mut depth, mut left) = (0_u32, level);
    for (offset, class) in TokenClass::all(codes).enumerate().skip(pos) {
        let next = TokenClass::at(codes, offset + 1);
        match class {
            TokenClass::LParen | TokenClass::LBracket | TokenClass::LBrace => depth += 1,
            TokenClass::RBrace if depth == 0 && left == 0 => return offset,
            TokenClass::RParen | TokenClass::RBracket | TokenClass::RBrace => {
                left -= usize::from(class == TokenClass::RBrace && depth == 0);
                depth = depth.saturating_sub(1);
                let is_end = class == TokenClass::RBrace && depth == 0 && left == 0;
                if is_end && !is_declaration && !continues_statement(next) {
                    return offset + 1;
                }
            }
            TokenClass::Semicolon if depth == 0 && left == 0 && next != TokenClass::KwElse => return offset + 1,
            _ => {}
        }
    }
    codes.len()
}

/// Whether a token behind a `}` belongs to the same statement.
fn continues_statement(class: TokenClass) -> bool {
    matches!(
        class,
        TokenClass::KwElse
            | TokenClass::KwWhile
            | TokenClass::RParen
            | TokenClass::Comma
            | TokenClass::Semicolon
            | TokenClass::RBracket
    )
}
