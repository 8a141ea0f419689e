//! Pairs → tree: primary expressions (C99 6.5.1), compound literals, and operands that begin with a keyword.

use pest::iterators::{Pair, Pairs};
use smallvec::SmallVec;

use super::class::TokenClass;
use super::expr::{Node, Prefix};
use super::{Builder, Keyword, Rule, offsets};
use crate::ast::{Derived, Designator, ExprKind, InitializerList, Statement, TypeName};

impl<'a> Builder<'a, '_, '_> {
    /// C99 6.5.1, and operands that begin with a keyword. `pos` moves past it.
    pub(super) fn parse_operand(
        &self,
        pos: &mut usize,
        inner: &mut Pairs<'_, Rule>,
        prefixes: &mut SmallVec<[Prefix<'a>; 4]>,
    ) -> Node<'a> {
        let lo = *pos;
        *pos += 1;
        match self.class(lo) {
            TokenClass::Identifier => self.node(ExprKind::Identifier(self.symbol(lo)), self.span(lo, lo + 1), 0),
            TokenClass::Number => self.parse_number(lo),
            TokenClass::Character => self.parse_character(lo),
            TokenClass::String => {
                while self.class(*pos) == TokenClass::String {
                    *pos += 1;
                }
                self.parse_string(lo, *pos)
            }
            TokenClass::Skipped => {
                while self.class(*pos) == TokenClass::Skipped {
                    *pos += 1;
                }
                self.node(ExprKind::Skipped, self.span(lo, *pos), 0)
            }
            TokenClass::LParen => self.parse_parenthesised(lo, pos, inner),
            TokenClass::LBrace => self.parse_compound_literal(lo, pos, inner, prefixes),
            TokenClass::KwSizeofOrAlignof => self.parse_sizeof_type(lo, pos, inner, prefixes),
            TokenClass::KwVecStep => self.parse_vec_step(lo, pos, inner),
            TokenClass::KwAstype => self.parse_astype(lo, pos, inner),
            TokenClass::KwOffsetof => self.parse_offsetof(lo, pos, inner),
            TokenClass::KwGeneric => self.parse_generic(lo, pos, inner),
            TokenClass::KwTypesCompatible => self.parse_types_compatible(lo, pos, inner),
            TokenClass::Caret => self.parse_block(lo, pos, inner),
            _ => {
                self.unexpected("operand");
                self.zero(self.span(lo, lo + 1))
            }
        }
    }

    /// Stands for a pair that the grammar did not give.
    pub(super) fn missing_operand(&self, lo: usize) -> Node<'a> {
        self.unexpected("operand");
        self.zero(self.span(lo, lo + 1))
    }

    /// `( expression )` or `({ … })`.
    fn parse_parenthesised(&self, lo: usize, pos: &mut usize, inner: &mut Pairs<'_, Rule>) -> Node<'a> {
        let Some(pair) = inner.next() else { return self.missing_operand(lo) };
        *pos = offsets(&pair).1 + 1;
        let span = self.span(lo, *pos);
        if pair.as_rule() == Rule::expression {
            let node = self.parse_expression(pair);
            return self.node(ExprKind::Paren(node.expr), span, node.depth);
        }
        let (body, depth) = self.parse_body(pair);
        self.node(ExprKind::StatementExpr(body), span, depth)
    }

    /// The result of `make`, and the depth of the deepest expression that it made.
    fn with_depth<T>(&self, make: impl FnOnce() -> T) -> (T, u32) {
        let outer = self.depth.replace(0);
        let made = make();
        let depth = self.depth.get();
        self.depth.set(outer.max(depth));
        (made, depth)
    }

    /// A compound statement inside an expression.
    fn parse_body(&self, pair: Pair<'_, Rule>) -> (&'a Statement<'a>, u32) {
        self.with_depth(|| &*self.arena.alloc(self.parse_statement(pair)))
    }

    /// An initialiser list inside an expression.
    fn parse_list(&self, pair: Pair<'_, Rule>) -> (&'a InitializerList<'a>, u32) {
        self.with_depth(|| &*self.arena.alloc(self.parse_initializer_list(pair)))
    }

    /// A type name inside an expression.
    pub(super) fn parse_type(&self, pair: Pair<'_, Rule>) -> (&'a TypeName<'a>, u32) {
        self.with_depth(|| &*self.arena.alloc(self.parse_type_name(pair)))
    }

    /// The list of a compound literal, whose type the grammar took for a cast.
    fn parse_compound_literal(
        &self,
        lo: usize,
        pos: &mut usize,
        inner: &mut Pairs<'_, Rule>,
        prefixes: &mut SmallVec<[Prefix<'a>; 4]>,
    ) -> Node<'a> {
        let Some(pair) = inner.next() else { return self.missing_operand(lo) };
        *pos = offsets(&pair).1;
        let (list, depth) = self.parse_list(pair);
        match prefixes.last() {
            Some(&Prefix::Cast(start, ty, type_depth)) => {
                prefixes.pop();
                let depth = depth.max(type_depth);
                self.node(ExprKind::CompoundLiteral { ty, list }, self.span(start, *pos), depth)
            }
            _ => {
                self.error(self.span(lo, lo + 1), "expected expression");
                self.zero(self.span(lo, *pos))
            }
        }
    }

    /// `sizeof (type)`, or `sizeof` of a compound literal.
    fn parse_sizeof_type(
        &self,
        lo: usize,
        pos: &mut usize,
        inner: &mut Pairs<'_, Rule>,
        prefixes: &mut SmallVec<[Prefix<'a>; 4]>,
    ) -> Node<'a> {
        let Some(pair) = inner.next() else { return self.missing_operand(lo) };
        *pos = offsets(&pair).1 + 1;
        let (ty, type_depth) = self.parse_type(pair);
        if self.class(*pos) == TokenClass::LBrace
            && let Some(pair) = inner.next()
        {
            prefixes.push(Prefix::Sizeof(lo));
            *pos = offsets(&pair).1;
            let (list, depth) = self.parse_list(pair);
            let depth = depth.max(type_depth);
            return self.node(ExprKind::CompoundLiteral { ty, list }, self.span(lo + 1, *pos), depth);
        }
        let is_alignof = self.keyword(lo) == Some(Keyword::Alignof);
        let kind = if is_alignof { ExprKind::AlignofType(ty) } else { ExprKind::SizeofType(ty) };
        self.node(kind, self.span(lo, *pos), type_depth)
    }

    /// `vec_step(type)`; of an expression it is a call.
    fn parse_vec_step(&self, lo: usize, pos: &mut usize, inner: &mut Pairs<'_, Rule>) -> Node<'a> {
        if !self.at_parenthesised_type(lo + 1) {
            return self.node(ExprKind::Identifier(self.symbol(lo)), self.span(lo, lo + 1), 0);
        }
        let Some(pair) = inner.next() else { return self.missing_operand(lo) };
        *pos = offsets(&pair).1 + 1;
        let (ty, depth) = self.parse_type(pair);
        self.node(ExprKind::VecStepType(ty), self.span(lo, *pos), depth)
    }

    fn parse_astype(&self, lo: usize, pos: &mut usize, inner: &mut Pairs<'_, Rule>) -> Node<'a> {
        let (Some(operand), Some(ty)) = (inner.next(), inner.next()) else { return self.missing_operand(lo) };
        *pos = offsets(&ty).1 + 1;
        let operand = self.parse_expression(operand);
        let (ty, depth) = self.parse_type(ty);
        let kind = match self.keyword(lo) {
            Some(Keyword::ConvertVector) => ExprKind::ConvertVector { operand: operand.expr, ty },
            _ => ExprKind::AsType { operand: operand.expr, ty },
        };
        self.node(kind, self.span(lo, *pos), operand.depth.max(depth))
    }

    fn parse_types_compatible(&self, lo: usize, pos: &mut usize, inner: &mut Pairs<'_, Rule>) -> Node<'a> {
        let (Some(first), Some(second)) = (inner.next(), inner.next()) else { return self.missing_operand(lo) };
        *pos = offsets(&second).1 + 1;
        let (first, first_depth) = self.parse_type(first);
        let (second, second_depth) = self.parse_type(second);
        let kind = ExprKind::TypesCompatible(first, second);
        self.node(kind, self.span(lo, *pos), first_depth.max(second_depth))
    }

    /// `_Generic(expression, type: expression, default: expression)`
    fn parse_generic(&self, lo: usize, pos: &mut usize, inner: &mut Pairs<'_, Rule>) -> Node<'a> {
        let Some(control) = inner.next() else { return self.missing_operand(lo) };
        let control = self.parse_expression(control);
        let mut depth = control.depth;
        let mut associations = SmallVec::<[_; 8]>::new();
        while inner.peek().is_some_and(|pair| pair.as_rule() == Rule::generic_association) {
            let Some(pair) = inner.next() else { break };
            *pos = offsets(&pair).1 + 1;
            let mut parts = pair.into_inner();
            let (Some(first), second) = (parts.next(), parts.next()) else { return self.missing_operand(lo) };
            let (ty, value) = match second {
                Some(value) => {
                    let (ty, type_depth) = self.parse_type(first);
                    depth = depth.max(type_depth);
                    (Some(ty), value)
                }
                None => (None, first),
            };
            let value = self.parse_expression(value);
            depth = depth.max(value.depth);
            associations.push((ty, value.expr));
        }
        let associations = self.arena.alloc_slice_copy(&associations);
        self.node(ExprKind::Generic { control: control.expr, associations }, self.span(lo, *pos), depth)
    }

    /// `__builtin_offsetof(type, member.member[index])`
    fn parse_offsetof(&self, lo: usize, pos: &mut usize, inner: &mut Pairs<'_, Rule>) -> Node<'a> {
        let Some(ty) = inner.next() else { return self.missing_operand(lo) };
        let comma = offsets(&ty).1;
        let (ty, depth) = self.parse_type(ty);
        let (name, name_span) = self.name(comma + 1);
        let mut designators = SmallVec::<[_; 4]>::from_slice(&[Designator::Member(name, name_span)]);
        *pos = comma + 2;
        let rest = self.parse_designators(pos, inner);
        designators.extend_from_slice(rest);
        *pos += 1;
        let path = self.arena.alloc_slice_copy(&designators);
        self.node(ExprKind::OffsetOf { ty, path }, self.span(lo, *pos), depth)
    }

    /// `^(parameters) { … }`
    fn parse_block(&self, lo: usize, pos: &mut usize, inner: &mut Pairs<'_, Rule>) -> Node<'a> {
        let (mut ty, mut parameters, mut deepest) = (None, None, 0);
        for pair in inner.by_ref() {
            let (start, end) = offsets(&pair);
            if pair.as_rule() == Rule::type_name {
                let (name, depth) = self.parse_type(pair);
                (ty, deepest) = (Some(name), depth);
                continue;
            }
            if pair.as_rule() == Rule::parameters {
                let step: Derived<'a> = self.parse_parameters(pair);
                let derived = self.arena.alloc_slice_copy(&[step]);
                let mut declarator = self.no_declarator(start);
                declarator.derived = derived;
                declarator.span = self.span(start, end);
                parameters = Some(&*self.arena.alloc(declarator));
                continue;
            }
            *pos = end;
            let (body, depth) = self.parse_body(pair);
            return self.node(ExprKind::Block { ty, parameters, body }, self.span(lo, end), depth.max(deepest));
        }
        self.missing_operand(lo)
    }
}
