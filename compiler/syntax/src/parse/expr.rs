//! Pairs → tree: expressions (C99 6.5). Flat lists of operands and operators are folded by precedence.

use pest::iterators::{Pair, Pairs};
use pest::pratt_parser::{Assoc, ConstPrattParser, Op, pratt_precedence};
use smallvec::SmallVec;

use super::class::TokenClass;
use super::{Builder, Keyword, MAX_EXPRESSION_DEPTH, Rule, offsets};
use crate::ast::{BinaryOp, Expr, ExprKind, IntegerLiteral, TypeName, UnaryOp};
use clforge_basic::source::{Punct, Span, TokenKind};

/// C99 6.5.5 to 6.5.17, loosest first.
static PRECEDENCE: ConstPrattParser<Rule, 13> = ConstPrattParser::new_const(pratt_precedence![
    Op::infix(Rule::comma_operator, Assoc::Left),
    Op::infix(Rule::assignment, Assoc::Right),
    Op::infix(Rule::conditional, Assoc::Right),
    Op::infix(Rule::logical_or, Assoc::Left),
    Op::infix(Rule::logical_and, Assoc::Left),
    Op::infix(Rule::bit_or, Assoc::Left),
    Op::infix(Rule::bit_xor, Assoc::Left),
    Op::infix(Rule::bit_and, Assoc::Left),
    Op::infix(Rule::equality, Assoc::Left),
    Op::infix(Rule::relational, Assoc::Left),
    Op::infix(Rule::shift, Assoc::Left),
    Op::infix(Rule::additive, Assoc::Left),
    Op::infix(Rule::multiplicative, Assoc::Left),
]);

/// What a level of an expression's tree counts; another operator of a chain counts 1.
const LEVEL: u32 = 10;

/// An expression with the depth of its tree.
#[derive(Clone, Copy)]
pub(super) struct Node<'a> {
    pub(super) expr: &'a Expr<'a>,
    pub(super) depth: u32,
}

/// What folding passes along: operands of commas are gathered, so that they stay flat.
enum Folded<'a> {
    One(Node<'a>),
    Comma(SmallVec<[&'a Expr<'a>; 8]>, u32),
}

/// A prefix operator waiting for its operand.
pub(super) enum Prefix<'a> {
    Operator(usize),
    Sizeof(usize),
    /// With the depth of the type name.
    Cast(usize, &'a TypeName<'a>, u32),
}

impl<'a> Builder<'a, '_, '_> {
    /// C99 6.5.17, or an assignment-expression.
    pub(super) fn parse_expression(&self, pair: Pair<'_, Rule>) -> Node<'a> {
        let (lo, hi) = offsets(&pair);
        match self.fold(pair.into_inner(), lo) {
            Folded::One(node) => node,
            Folded::Comma(list, depth) => {
                let list = self.arena.alloc_slice_copy(&list);
                self.node(ExprKind::Comma(list), self.span(lo, hi), depth)
            }
        }
    }

    /// C99 6.5.2.2: the commas of an argument list.
    fn parse_arguments(&self, pair: Pair<'_, Rule>) -> (&'a [&'a Expr<'a>], u32) {
        let (lo, _) = offsets(&pair);
        match self.fold(pair.into_inner(), lo) {
            Folded::One(node) => (self.arena.alloc_slice_copy(&[node.expr]), node.depth),
            Folded::Comma(list, depth) => (self.arena.alloc_slice_copy(&list), depth),
        }
    }

    fn fold(&self, mut pairs: Pairs<'_, Rule>, lo: usize) -> Folded<'a> {
        if pairs.len() <= 1 {
            return Folded::One(match pairs.next() {
                Some(pair) => self.parse_unary_expression(pair),
                None => {
                    self.unexpected("expression");
                    self.zero(self.span(lo, lo))
                }
            });
        }
        PRECEDENCE
            .map_primary(|pair| Folded::One(self.parse_unary_expression(pair)))
            .map_infix(|left, operator, right| self.parse_infix(left, operator, right))
            .parse(pairs)
    }

    fn parse_infix(&self, left: Folded<'a>, operator: Pair<'_, Rule>, right: Folded<'a>) -> Folded<'a> {
        let right = self.single(right);
        if operator.as_rule() == Rule::comma_operator {
            let (mut list, depth) = match left {
                Folded::One(node) => (SmallVec::from_slice(&[node.expr]), node.depth),
                Folded::Comma(list, depth) => (list, depth),
            };
            list.push(right.expr);
            return Folded::Comma(list, depth.max(right.depth));
        }
        let left = self.single(left);
        let (lo, _) = offsets(&operator);
        let op_span = self.span(lo, lo + 1);
        let mut depth = left.depth.max(right.depth);
        let mut level = LEVEL;
        let (l, r) = (left.expr, right.expr);
        let kind = match operator.as_rule() {
            Rule::conditional => {
                let then = operator.into_inner().next().map(|pair| self.parse_expression(pair));
                depth = depth.max(then.map_or(0, |then| then.depth));
                ExprKind::Conditional { condition: l, then: then.map(|then| then.expr), otherwise: r }
            }
            Rule::assignment => ExprKind::Assign { op: self.binary_op(lo), left: l, right: r, op_span },
            _ => match self.binary_op(lo) {
                Some(op) => {
                    if matches!(l.kind, ExprKind::Binary { .. }) {
                        // Chains that lean to the left are walked by most stages.
                        depth = left.depth.max(right.depth + LEVEL);
                        level = 1;
                    }
                    ExprKind::Binary { op, left: l, right: r, op_span }
                }
                None => {
                    self.unexpected("expression");
                    return Folded::One(right);
                }
            },
        };
        Folded::One(self.node_above(kind, l.span.to(r.span), depth, level))
    }

    fn single(&self, folded: Folded<'a>) -> Node<'a> {
        match folded {
            Folded::One(node) => node,
            Folded::Comma(list, depth) => {
                let list = self.arena.alloc_slice_copy(&list);
                let span = match (list.first(), list.last()) {
                    (Some(first), Some(last)) => first.span.to(last.span),
                    _ => Span::default(),
                };
                self.node(ExprKind::Comma(list), span, depth)
            }
        }
    }

    /// A node one level above its deepest operand; past the limit the operand is dropped, after a diagnostic.
    pub(super) fn node(&self, kind: ExprKind<'a>, span: Span, operand_depth: u32) -> Node<'a> {
        self.node_above(kind, span, operand_depth, LEVEL)
    }

    fn node_above(&self, kind: ExprKind<'a>, span: Span, operand_depth: u32, level: u32) -> Node<'a> {
        let depth = operand_depth + level;
        if depth > MAX_EXPRESSION_DEPTH * LEVEL {
            if !self.too_deep.replace(true) {
                let place = Span::token(span.hi.saturating_sub(1));
                let message = if level == LEVEL {
                    format!("expression is nested too deeply: more than {MAX_EXPRESSION_DEPTH} levels")
                } else {
                    format!("expression is too long: more than {} operators", MAX_EXPRESSION_DEPTH * LEVEL)
                };
                self.error(place, message);
            }
            return self.zero(span);
        }
        self.depth.set(self.depth.get().max(depth));
        Node { expr: self.arena.alloc(Expr { kind, span }), depth }
    }

    /// A zero in the place of something wrong that was reported.
    pub(super) fn zero(&self, span: Span) -> Node<'a> {
        let literal = IntegerLiteral { value: 0, decimal: true, unsigned: false, long: 0 };
        Node { expr: self.arena.alloc(Expr { kind: ExprKind::Integer(literal), span }), depth: LEVEL }
    }

    /// The arithmetic operator of a token; `None` for `=`.
    fn binary_op(&self, offset: usize) -> Option<BinaryOp> {
        use Punct::*;
        let TokenKind::Punct(punct) = self.token(offset)?.kind else { return None };
        Some(match punct {
            Star | StarAssign => BinaryOp::Mul,
            Slash | SlashAssign => BinaryOp::Div,
            Percent | PercentAssign => BinaryOp::Rem,
            Plus | PlusAssign => BinaryOp::Add,
            Minus | MinusAssign => BinaryOp::Sub,
            Shl | ShlAssign => BinaryOp::Shl,
            Shr | ShrAssign => BinaryOp::Shr,
            Lt => BinaryOp::Lt,
            Gt => BinaryOp::Gt,
            Le => BinaryOp::Le,
            Ge => BinaryOp::Ge,
            EqEq => BinaryOp::Eq,
            Ne => BinaryOp::Ne,
            Amp | AmpAssign => BinaryOp::BitAnd,
            Caret | CaretAssign => BinaryOp::BitXor,
            Pipe | PipeAssign => BinaryOp::BitOr,
            AmpAmp => BinaryOp::LogicalAnd,
            PipePipe => BinaryOp::LogicalOr,
            _ => return None,
        })
    }

    fn is_punct(&self, offset: usize, punct: Punct) -> bool {
        self.token(offset).is_some_and(|token| token.kind == TokenKind::Punct(punct))
    }

    /// C99 6.5.3, with casts: prefix operators, an operand, postfix operators.
    fn parse_unary_expression(&self, pair: Pair<'_, Rule>) -> Node<'a> {
        let (lo, hi) = offsets(&pair);
        // By far the most frequent operand: a lone name or number.
        if hi == lo + 1 {
            match self.class(lo) {
                TokenClass::Identifier => {
                    return self.node(ExprKind::Identifier(self.symbol(lo)), self.span(lo, hi), 0);
                }
                TokenClass::Number => return self.parse_number(lo),
                _ => {}
            }
        }
        let mut inner = pair.into_inner();
        let mut prefixes = SmallVec::<[Prefix<'a>; 4]>::new();
        let mut pos = lo;
        loop {
            match self.class(pos) {
                TokenClass::Sign
                | TokenClass::Star
                | TokenClass::Ampersand
                | TokenClass::Not
                | TokenClass::Increment
                | TokenClass::KwRealOrImag => prefixes.push(Prefix::Operator(pos)),
                TokenClass::KwExtension => {}
                TokenClass::KwSizeofOrAlignof if !self.at_parenthesised_type(pos + 1) => {
                    prefixes.push(Prefix::Sizeof(pos))
                }
                TokenClass::LParen if self.at_parenthesised_type(pos) => {
                    let Some(pair) = inner.next() else { break };
                    let end = offsets(&pair).1;
                    let (ty, depth) = self.parse_type(pair);
                    prefixes.push(Prefix::Cast(pos, ty, depth));
                    pos = end;
                }
                _ => break,
            }
            pos += 1;
        }
        let mut node = self.parse_operand(&mut pos, &mut inner, &mut prefixes);
        node = self.parse_postfix(node, &mut pos, hi, &mut inner);
        while let Some(prefix) = prefixes.pop() {
            node = self.apply_prefix(prefix, node);
        }
        node
    }

    pub(super) fn at_parenthesised_type(&self, offset: usize) -> bool {
        self.class(offset) == TokenClass::LParen && self.class(offset + 1).starts_declaration()
    }

    fn apply_prefix(&self, prefix: Prefix<'a>, operand: Node<'a>) -> Node<'a> {
        let mut depth = operand.depth;
        let (start, kind) = match prefix {
            Prefix::Cast(start, ty, type_depth) => {
                depth = depth.max(type_depth);
                (start, ExprKind::Cast { ty, operand: operand.expr })
            }
            Prefix::Sizeof(start) if self.keyword(start) == Some(Keyword::Alignof) => {
                (start, ExprKind::AlignofExpr(operand.expr))
            }
            Prefix::Sizeof(start) => (start, ExprKind::SizeofExpr(operand.expr)),
            Prefix::Operator(start) => (start, self.unary_kind(start, operand.expr)),
        };
        let span = self.span(start, start + 1).to(operand.expr.span);
        self.node(kind, span, depth)
    }

    fn unary_kind(&self, offset: usize, operand: &'a Expr<'a>) -> ExprKind<'a> {
        let op = match self.class(offset) {
            TokenClass::Increment => {
                let decrement = self.is_punct(offset, Punct::MinusMinus);
                return ExprKind::Increment { operand, decrement, postfix: false };
            }
            TokenClass::Star => UnaryOp::Dereference,
            TokenClass::Ampersand => UnaryOp::AddressOf,
            TokenClass::KwRealOrImag if self.keyword(offset) == Some(Keyword::Real) => UnaryOp::Real,
            TokenClass::KwRealOrImag => UnaryOp::Imag,
            TokenClass::Not if self.is_punct(offset, Punct::Tilde) => UnaryOp::BitNot,
            TokenClass::Not => UnaryOp::LogicalNot,
            _ if self.is_punct(offset, Punct::Plus) => UnaryOp::Plus,
            _ => UnaryOp::Minus,
        };
        ExprKind::Unary { op, operand }
    }

    /// C99 6.5.2: calls, subscripts, members, increments after an operand.
    fn parse_postfix(&self, mut node: Node<'a>, pos: &mut usize, hi: usize, inner: &mut Pairs<'_, Rule>) -> Node<'a> {
        while *pos < hi {
            let at = *pos;
            let base = node.expr;
            let mut depth = node.depth;
            let class = self.class(at);
            let kind = match class {
                TokenClass::LParen if self.class(at + 1) == TokenClass::RParen => {
                    *pos += 2;
                    ExprKind::Call { callee: base, arguments: &[] }
                }
                TokenClass::LParen | TokenClass::LBracket => {
                    let Some(pair) = inner.next() else { return self.missing_operand(at) };
                    *pos = offsets(&pair).1 + 1;
                    if class == TokenClass::LParen {
                        let (arguments, deepest) = self.parse_arguments(pair);
                        depth = depth.max(deepest);
                        ExprKind::Call { callee: base, arguments }
                    } else {
                        let index = self.parse_expression(pair);
                        depth = depth.max(index.depth);
                        ExprKind::Index { base, index: index.expr }
                    }
                }
                TokenClass::Dot | TokenClass::Arrow => {
                    *pos += 2;
                    let (name, name_span) = self.name(at + 1);
                    ExprKind::Member { base, name, name_span, arrow: class == TokenClass::Arrow }
                }
                TokenClass::Increment => {
                    *pos += 1;
                    let decrement = self.is_punct(at, Punct::MinusMinus);
                    ExprKind::Increment { operand: base, decrement, postfix: true }
                }
                _ => return self.missing_operand(at),
            };
            node = self.node(kind, Span { lo: base.span.lo, hi: self.index(*pos) }, depth);
        }
        node
    }
}
