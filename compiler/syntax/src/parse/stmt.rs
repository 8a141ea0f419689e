//! Pairs → tree: statements (C99 6.8).

use pest::iterators::{Pair, Pairs};
use smallvec::SmallVec;

use super::class::TokenClass;
use super::types::Attributes;
use super::{Builder, Keyword, Rule, offsets};
use crate::ast::{Asm, AsmOperand, Expr, ExprKind, ForInit, Statement, StatementKind};
use clforge_basic::source::{Symbol, TokenKind};

impl<'a> Builder<'a, '_, '_> {
    /// C99 6.8: any statement or block item.
    pub(super) fn parse_statement(&self, pair: Pair<'_, Rule>) -> Statement<'a> {
        let (lo, hi) = offsets(&pair);
        let rule = pair.as_rule();
        let kind = match rule {
            // Its `;` is the next token.
            Rule::expression => {
                let expr = self.parse_expression(pair).expr;
                return Statement { kind: StatementKind::Expr(expr), span: self.span(lo, hi + 1) };
            }
            Rule::declaration => self.parse_declaration(pair).map_or(StatementKind::Empty, StatementKind::Declaration),
            Rule::compound_statement => self.parse_compound_statement(pair),
            Rule::if_statement => self.parse_if_statement(pair),
            Rule::for_statement => self.parse_for_statement(pair, lo),
            Rule::labeled_statement => {
                let (statement, declaration) = self.parse_labeled_statement(pair);
                if let Some(declaration) = declaration {
                    self.error(declaration.span, "expected expression");
                }
                return statement;
            }
            Rule::while_statement | Rule::switch_statement | Rule::do_statement => {
                self.parse_condition_and_body(pair, rule)
            }
            Rule::attributed_statement => self.parse_attributed_statement(pair, lo),
            Rule::goto_statement => {
                let (label, label_span) = self.name(lo + 1);
                StatementKind::Goto { label, label_span }
            }
            Rule::local_labels => {
                // A name, and each time a comma and a name, up to the `;`.
                let names: Vec<_> = (lo + 1..hi.saturating_sub(1)).step_by(2).map(|pos| self.name(pos)).collect();
                StatementKind::LocalLabels(self.arena.alloc_slice_copy(&names))
            }
            Rule::jump_statement if self.keyword(lo) == Some(Keyword::Break) => StatementKind::Break,
            Rule::jump_statement => StatementKind::Continue,
            Rule::return_statement => {
                StatementKind::Return(pair.into_inner().next().map(|pair| self.parse_expression(pair).expr))
            }
            Rule::asm_statement => StatementKind::Asm(self.parse_asm(pair)),
            Rule::empty_statement => StatementKind::Empty,
            Rule::skipped_statement => StatementKind::Skipped(self.skipped_names(lo, hi)),
            _ => {
                self.unexpected("statement");
                StatementKind::Empty
            }
        };
        Statement { kind, span: self.span(lo, hi) }
    }

    /// The next pair as statement.
    fn next_statement(&self, pairs: &mut Pairs<'_, Rule>, offset: usize) -> &'a Statement<'a> {
        let statement = pairs.next().map(|pair| self.parse_statement(pair));
        self.arena.alloc(statement.unwrap_or_else(|| self.empty(offset)))
    }

    /// The next pair as expression.
    fn next_expression(&self, pairs: &mut Pairs<'_, Rule>, offset: usize) -> &'a Expr<'a> {
        match pairs.next() {
            Some(pair) => self.parse_expression(pair).expr,
            None => {
                self.unexpected("statement");
                self.zero(self.span(offset, offset)).expr
            }
        }
    }

    /// GNU C's `asm`, with its template if it has the usual form.
    pub(super) fn parse_asm(&self, pair: Pair<'_, Rule>) -> &'a Asm<'a> {
        let (lo, _) = offsets(&pair);
        let mut pos = lo + 1;
        while self.class(pos) == TokenClass::AsmText {
            pos += 1;
        }
        let template = (self.class(pos) == TokenClass::LParen).then(|| self.strings(&mut (pos + 1)));
        let mut sections = pair.into_inner().map(|section| {
            let operands: SmallVec<[AsmOperand<'a>; 4]> =
                section.into_inner().map(|operand| self.parse_asm_operand(operand)).collect();
            &*self.arena.alloc_slice_copy(&operands)
        });
        let (outputs, inputs) = (sections.next().unwrap_or_default(), sections.next().unwrap_or_default());
        self.arena.alloc(Asm { template, outputs, inputs })
    }

    fn parse_asm_operand(&self, pair: Pair<'_, Rule>) -> AsmOperand<'a> {
        let (lo, hi) = offsets(&pair);
        let mut pos = lo;
        let mut name = None;
        if self.class(pos) == TokenClass::LBracket {
            name = Some(self.name(pos + 1).0);
            pos += 3;
        }
        let constraint = self.strings(&mut pos);
        let value = pair.into_inner().next().map(|pair| self.parse_expression(pair).expr);
        AsmOperand { name, constraint, value, span: self.span(lo, hi) }
    }

    /// Adjacent string literals; `pos` becomes the offset behind them.
    fn strings(&self, pos: &mut usize) -> &'a [u8] {
        let first = *pos;
        while self.class(*pos) == TokenClass::String {
            *pos += 1;
        }
        match self.parse_string(first, *pos).expr.kind {
            ExprKind::String(bytes) => bytes,
            _ => &[],
        }
    }

    /// The names that a skipped declaration may have declared.
    fn skipped_names(&self, lo: usize, hi: usize) -> &'a [Symbol] {
        if self.class(lo) != TokenClass::SkippedDeclaration {
            return &[];
        }
        let names = (lo..hi).filter(|offset| {
            let is_name = self.token(*offset).is_some_and(|token| token.kind == TokenKind::Identifier);
            is_name && self.keyword(*offset).is_none()
        });
        self.arena.alloc_slice_copy(&names.map(|offset| self.symbol(offset)).collect::<Vec<_>>())
    }

    fn empty(&self, offset: usize) -> Statement<'a> {
        Statement { kind: StatementKind::Empty, span: self.span(offset, offset) }
    }

    fn parse_compound_statement(&self, pair: Pair<'_, Rule>) -> StatementKind<'a> {
        let mut items = SmallVec::<[Statement<'a>; 8]>::new();
        for pair in pair.into_inner() {
            if pair.as_rule() == Rule::labeled_statement {
                let (statement, declaration) = self.parse_labeled_statement(pair);
                items.push(statement);
                items.extend(declaration);
            } else {
                items.push(self.parse_statement(pair));
            }
        }
        StatementKind::Compound(self.arena.alloc_slice_copy(&items))
    }

    fn parse_if_statement(&self, pair: Pair<'_, Rule>) -> StatementKind<'a> {
        let (lo, _) = offsets(&pair);
        let mut inner = pair.into_inner();
        let mut arms = SmallVec::<[(&'a Expr<'a>, &'a Statement<'a>); 2]>::new();
        while inner.len() >= 2 {
            let condition = self.next_expression(&mut inner, lo);
            arms.push((condition, self.next_statement(&mut inner, lo)));
        }
        let otherwise = inner.next().map(|pair| &*self.arena.alloc(self.parse_statement(pair)));
        StatementKind::If { arms: self.arena.alloc_slice_copy(&arms), otherwise }
    }

    fn parse_condition_and_body(&self, pair: Pair<'_, Rule>, rule: Rule) -> StatementKind<'a> {
        let (lo, _) = offsets(&pair);
        let mut inner = pair.into_inner();
        if rule == Rule::do_statement {
            let body = self.next_statement(&mut inner, lo);
            return StatementKind::DoWhile { body, condition: self.next_expression(&mut inner, lo) };
        }
        let condition = self.next_expression(&mut inner, lo);
        let body = self.next_statement(&mut inner, lo);
        match rule {
            Rule::switch_statement => StatementKind::Switch { selector: condition, body },
            _ => StatementKind::While { condition, body },
        }
    }

    /// `for (init; condition; step) body`: a missing clause is known by the class of the token in its place.
    fn parse_for_statement(&self, pair: Pair<'_, Rule>, lo: usize) -> StatementKind<'a> {
        let mut inner = pair.into_inner();
        let mut pos = lo + 2;
        let mut init = ForInit::None;
        if self.class(pos) == TokenClass::Semicolon {
            pos += 1;
        } else if let Some(first) = inner.next() {
            pos = offsets(&first).1;
            if first.as_rule() == Rule::declaration {
                init = self.parse_declaration(first).map_or(ForInit::None, ForInit::Declaration);
            } else {
                init = ForInit::Expr(self.parse_expression(first).expr);
                pos += 1;
            }
        }
        let mut clause = |end: TokenClass| {
            if self.class(pos) == end {
                pos += 1;
                return None;
            }
            let pair = inner.next()?;
            pos = offsets(&pair).1 + 1;
            Some(self.parse_expression(pair).expr)
        };
        let condition = clause(TokenClass::Semicolon);
        let step = clause(TokenClass::RParen);
        let body = self.next_statement(&mut inner, lo);
        StatementKind::For { init, condition, step, body }
    }

    /// A statement behind labels. A declaration there becomes the statement after an empty labeled one: it belongs to
    /// the enclosing block.
    fn parse_labeled_statement(&self, pair: Pair<'_, Rule>) -> (Statement<'a>, Option<Statement<'a>>) {
        let (lo, hi) = offsets(&pair);
        let mut inner = pair.into_inner();
        let mut labels = SmallVec::<[(usize, StatementKind<'a>); 2]>::new();
        let placeholder: &'a Statement<'a> = self.arena.alloc(self.empty(hi));
        let mut pos = lo;
        loop {
            let start = pos;
            let kind = match self.class(pos) {
                TokenClass::LabelName => {
                    let (name, name_span) = self.name(pos);
                    pos += 2;
                    StatementKind::Label { name, name_span, body: placeholder }
                }
                TokenClass::KwDefault => {
                    pos += 2;
                    StatementKind::Default { body: placeholder }
                }
                TokenClass::KwCase => {
                    let Some(pair) = inner.next() else { break };
                    pos = offsets(&pair).1;
                    let low = self.parse_expression(pair).expr;
                    let mut high = None;
                    if self.class(pos) == TokenClass::Ellipsis
                        && let Some(pair) = inner.next()
                    {
                        pos = offsets(&pair).1;
                        high = Some(self.parse_expression(pair).expr);
                    }
                    pos += 1;
                    StatementKind::Case { low, high, body: placeholder }
                }
                _ => break,
            };
            labels.push((start, kind));
        }
        let mut declaration = None;
        let mut body = placeholder;
        let mut end = hi;
        match inner.next() {
            Some(pair) if pair.as_rule() == Rule::declaration => {
                end = pos;
                declaration = Some(self.parse_statement(pair));
            }
            Some(pair) => body = self.arena.alloc(self.parse_statement(pair)),
            None => {}
        }
        let mut statement = *body;
        while let Some((start, kind)) = labels.pop() {
            let body: &'a Statement<'a> = self.arena.alloc(statement);
            let kind = match kind {
                StatementKind::Label { name, name_span, .. } => StatementKind::Label { name, name_span, body },
                StatementKind::Case { low, high, .. } => StatementKind::Case { low, high, body },
                _ => StatementKind::Default { body },
            };
            statement = Statement { kind, span: self.span(start, end) };
        }
        (statement, declaration)
    }

    fn parse_attributed_statement(&self, pair: Pair<'_, Rule>, lo: usize) -> StatementKind<'a> {
        let mut inner = pair.into_inner();
        let mut attributes = Attributes::new();
        let mut pos = lo;
        self.parse_attributes(&mut inner, &mut attributes, &mut pos);
        let body = self.next_statement(&mut inner, pos);
        StatementKind::Attributed { attributes: self.arena.alloc_slice_copy(&attributes), body }
    }
}
