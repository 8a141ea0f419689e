//! `?:`, and chains of it that are too long for nested control flow.
//!
//! A chain of more than `hir::LONGEST_CHAIN` conditions is split into pieces that follow each other, which limits the
//! nesting of control flow (SPIR-V allows 1,023 levels). A variable says whether a condition of an earlier piece was
//! true. Sema splits chains of `else if` in the same way (`compiler/sema/src/statements.rs`).

use super::context::FunctionLowering;
use super::place::{Place, Pointer, Selection};
use super::types::is_aggregate;
use clforge_ir::{CompareOp, Op, ScalarType, Type, Value, Values};
use clforge_sema::hir::{Expr, ExprKind, LONGEST_CHAIN, TyKind};

/// A condition and what is evaluated when it holds.
type Link<'h> = (&'h Expr<'h>, &'h Expr<'h>);

/// The links of a chain that is too long to be nested, and what is evaluated when no condition holds.
pub(super) fn long_chain<'h>(e: &'h Expr<'h>) -> Option<(Vec<Link<'h>>, &'h Expr<'h>)> {
    let next = |e: &'h Expr<'h>| match e.kind {
        ExprKind::Conditional { condition, then, otherwise } => Some(((condition, then), otherwise)),
        _ => None,
    };
    let chain = |e| std::iter::successors(next(e), move |(_, rest)| next(rest));
    chain(e).nth(LONGEST_CHAIN)?;
    let links = chain(e).map(|(link, _)| link).collect();
    Some((links, chain(e).last()?.1))
}

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    pub fn conditional(
        &mut self,
        e: &'h Expr<'h>,
        condition: &'h Expr<'h>,
        then: &'h Expr<'h>,
        otherwise: &'h Expr<'h>,
    ) -> Option<Value> {
        if let Some((links, last)) = long_chain(e) {
            return self.long_conditional(e, &links, last);
        }
        let condition = self.condition(condition);
        if let Some(known) = self.b.function.as_int(condition) {
            return self.expr(if known != 0 { then } else { otherwise });
        }
        let is_void = self.types.kind(e.ty.ty) == TyKind::Void;
        if is_void || is_aggregate(self.types, e.ty.ty) {
            self.if_else(condition, |this| this.effect(then), |this| this.effect(otherwise));
            return None;
        }
        let is_handle = matches!(self.value_type(e.ty.ty).scalar, ScalarType::Opaque(_));
        if !is_handle && self.is_cheap(then, &mut 6) && self.is_cheap(otherwise, &mut 6) {
            let (then, otherwise) = (self.value(then), self.value(otherwise));
            return Some(self.b.select(condition, then, otherwise));
        }
        let ty = self.value_type(e.ty.ty);
        let mut side = |e| {
            self.region(|this| {
                let value = this.value(e);
                this.b.effect(Op::Yield(Values::from_slice(&[value])));
            })
        };
        let (then, otherwise) = (side(then), side(otherwise));
        Some(self.b.push(Op::If { condition, then, otherwise }, &[ty])[0])
    }

    fn long_conditional(&mut self, e: &'h Expr<'h>, links: &[Link<'h>], last: &'h Expr<'h>) -> Option<Value> {
        if self.types.kind(e.ty.ty) == TyKind::Void || is_aggregate(self.types, e.ty.ty) {
            self.chain_into(None, links, last);
            return None;
        }
        let (value, align) = self.temporary(e.ty.ty);
        let pointer = Pointer { value, align, declared: true };
        self.chain_into(Some(pointer), links, last);
        Some(self.load(Place { pointer, volatile: false, ty: e.ty.ty, selection: Selection::Whole }))
    }

    /// Evaluates a long chain into an object, or for its effects: pieces of it one after the other, each of which says in
    /// a variable whether the next one is to be tried.
    pub fn chain_into(&mut self, to: Option<Pointer>, links: &[Link<'h>], last: &'h Expr<'h>) {
        let goes_on = self.alloca(4, 4);
        let pieces = links.chunks(LONGEST_CHAIN / 2);
        let final_piece = pieces.len().saturating_sub(1);
        for (index, piece) in pieces.enumerate() {
            let rest = (index == final_piece).then_some(last);
            if index == 0 {
                self.piece_into(to, goes_on, piece, rest);
                continue;
            }
            let tried = self.load_at(goes_on, Type::I32, 4, false);
            let zero = self.b.int(Type::I32, 0);
            let condition = self.b.compare(CompareOp::Ne, tried, zero);
            self.if_else(condition, |this| this.piece_into(to, goes_on, piece, rest), |_| {});
        }
    }

    /// `last`: what is evaluated when no condition of the piece holds; without it the next piece follows.
    fn piece_into(&mut self, to: Option<Pointer>, goes_on: Value, piece: &[Link<'h>], last: Option<&'h Expr<'h>>) {
        let Some(((condition, then), rest)) = piece.split_first() else {
            match last {
                Some(last) => self.link_into(to, last),
                None => self.set_flag(goes_on, 1),
            }
            return;
        };
        let condition = self.condition(condition);
        self.if_else(
            condition,
            |this| {
                this.link_into(to, then);
                this.set_flag(goes_on, 0);
            },
            |this| this.piece_into(to, goes_on, rest, last),
        );
    }

    fn link_into(&mut self, to: Option<Pointer>, e: &'h Expr<'h>) {
        match to {
            Some(to) => self.assign_into(to, e),
            None => self.effect(e),
        }
    }

    fn set_flag(&mut self, flag: Value, value: i64) {
        let value = self.b.int(Type::I32, value);
        self.store_at(flag, value, 4, false);
    }
}
