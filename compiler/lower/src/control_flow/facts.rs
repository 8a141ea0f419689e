//! Which statements contain jumps or labels that need the structurizer, in statement expressions too.

use crate::context::Leave;
use clforge_sema::hir::{Expr, ExprKind, Stmt, StmtKind};
use std::collections::BTreeSet;

/// The jumps and labels in a statement that may not nest.
#[derive(Clone, Copy, Default)]
pub(super) struct Facts {
    pub gotos: bool,
    pub labels: bool,
    /// A switch with case labels inside other statements; a loop that what follows its body may leave.
    pub irregular: bool,
    /// `break`, `continue` and case labels of statements around.
    pub breaks: bool,
    pub continues: bool,
    pub cases: bool,
    /// Case labels of a switch around that stand inside another statement than a block.
    inner_cases: bool,
    returns: bool,
}

/// Whether a function's body has jumps that do not nest. `in_expressions`: statement expressions may hold jumps.
pub(crate) fn is_needed(body: &[Stmt<'_>], in_expressions: bool) -> bool {
    let facts = Facts::of(body, in_expressions);
    facts.gotos || facts.irregular
}

impl Facts {
    /// Whether a statement must be taken apart.
    pub fn any(self) -> bool {
        self.gotos || self.labels || self.irregular || self.breaks || self.continues || self.cases
    }

    fn add(&mut self, other: Facts) {
        self.gotos |= other.gotos;
        self.labels |= other.labels;
        self.irregular |= other.irregular;
        self.breaks |= other.breaks;
        self.continues |= other.continues;
        self.cases |= other.cases;
        self.inner_cases |= other.inner_cases;
        self.returns |= other.returns;
    }

    pub fn of(statements: &[Stmt<'_>], in_expressions: bool) -> Facts {
        let mut facts = Facts::default();
        for statement in statements {
            facts.add(Facts::of_one(statement, in_expressions));
        }
        facts
    }

    pub fn of_one(statement: &Stmt<'_>, in_expressions: bool) -> Facts {
        let of = |body| Facts::of(body, in_expressions);
        let in_expression = |e: &Expr<'_>| if in_expressions { Facts::of_expression(e) } else { Facts::default() };
        let inner = |facts: Facts| Facts { inner_cases: facts.cases, ..facts };
        let in_loop = |facts: Facts| inner(Facts { breaks: false, continues: false, ..facts });
        match statement.kind {
            StmtKind::Goto(_) => Facts { gotos: true, ..Facts::default() },
            StmtKind::Label(_) => Facts { labels: true, ..Facts::default() },
            StmtKind::Break => Facts { breaks: true, ..Facts::default() },
            StmtKind::Continue => Facts { continues: true, ..Facts::default() },
            StmtKind::Case(_) => Facts { cases: true, ..Facts::default() },
            StmtKind::Block(body) => of(body),
            StmtKind::If { condition, then, otherwise } => {
                let mut facts = of(then);
                facts.add(of(otherwise));
                facts.add(in_expression(condition));
                inner(facts)
            }
            StmtKind::While { condition, body, .. } => {
                let mut facts = of(body);
                facts.add(in_expression(condition));
                in_loop(facts)
            }
            StmtKind::DoWhile { body, condition, .. } => {
                let mut facts = of(body);
                facts.add(in_expression(condition).behind_body());
                in_loop(facts)
            }
            StmtKind::For { init, condition, step, body, .. } => {
                let mut facts = of(body);
                facts.add(condition.map_or(Facts::default(), in_expression));
                facts.add(step.map_or(Facts::default(), |step| in_expression(step).behind_body()));
                let mut facts = in_loop(facts);
                facts.add(of(init));
                facts
            }
            StmtKind::Switch { selector, body, .. } => {
                let facts = of(body);
                let irregular = facts.irregular || facts.inner_cases;
                let mut facts = Facts { breaks: false, cases: false, inner_cases: false, irregular, ..facts };
                facts.add(in_expression(selector));
                facts
            }
            StmtKind::Expr(_) | StmtKind::Declare { .. } | StmtKind::Return(_) => {
                let mut facts = Facts { returns: matches!(statement.kind, StmtKind::Return(_)), ..Facts::default() };
                each_expression(statement, &mut |e| facts.add(in_expression(e)));
                facts
            }
        }
    }

    /// Of what a loop evaluates behind its body: jumps there do not nest.
    fn behind_body(self) -> Facts {
        Facts { irregular: self.irregular || self.breaks || self.continues || self.returns, ..self }
    }

    /// What an expression's statement expressions do outside of themselves.
    fn of_expression(e: &Expr<'_>) -> Facts {
        let mut facts = Facts::default();
        if let ExprKind::StatementExpr { body, value } = e.kind {
            let mut inner = Facts::of(body, true);
            inner.add(value.map_or(Facts::default(), Facts::of_expression));
            facts.gotos = inner.gotos && leaves_of(e).iter().any(|leave| matches!(leave, Leave::Label(_)));
            facts.breaks = inner.breaks;
            facts.continues = inner.continues;
            facts.returns = inner.returns;
        } else {
            e.each_operand(&mut |operand| facts.add(Facts::of_expression(operand)));
        }
        facts
    }
}

/// The expressions of a statement without statements inside.
pub(super) fn each_expression<'h>(statement: &Stmt<'h>, visit: &mut dyn FnMut(&'h Expr<'h>)) {
    match statement.kind {
        StmtKind::Expr(e) | StmtKind::Return(Some(e)) => visit(e),
        StmtKind::Declare { init: Some(init), .. } => init.each_value(visit),
        _ => {}
    }
}

/// Where the statement expressions of an expression jump out of it, each target once.
pub(super) fn leaves_of(e: &Expr<'_>) -> BTreeSet<Leave> {
    let mut jumps = Jumps::default();
    jumps.expression(e, true, true);
    let Jumps { mut leaves, labels } = jumps;
    leaves.retain(|leave| !matches!(leave, Leave::Label(label) if labels.contains(label)));
    leaves
}

#[derive(Default)]
struct Jumps {
    leaves: BTreeSet<Leave>,
    /// Labels that are defined.
    labels: BTreeSet<u32>,
}

impl Jumps {
    /// `breaks`, `continues`: whether those leave the expression.
    fn expression(&mut self, e: &Expr<'_>, breaks: bool, continues: bool) {
        if let ExprKind::StatementExpr { body, .. } = e.kind {
            self.statements(body, breaks, continues);
        }
        e.each_operand(&mut |operand| self.expression(operand, breaks, continues));
    }

    fn statements(&mut self, statements: &[Stmt<'_>], breaks: bool, continues: bool) {
        for statement in statements {
            self.statement(statement, breaks, continues);
        }
    }

    fn statement(&mut self, statement: &Stmt<'_>, breaks: bool, continues: bool) {
        match statement.kind {
            StmtKind::Goto(label) => {
                self.leaves.insert(Leave::Label(label.0));
            }
            StmtKind::Label(label) => {
                self.labels.insert(label.0);
            }
            StmtKind::Break => self.leaves.extend(breaks.then_some(Leave::Break)),
            StmtKind::Continue => self.leaves.extend(continues.then_some(Leave::Continue)),
            StmtKind::Case(_) => {}
            StmtKind::Block(body) => self.statements(body, breaks, continues),
            StmtKind::If { condition, then, otherwise } => {
                self.expression(condition, breaks, continues);
                self.statements(then, breaks, continues);
                self.statements(otherwise, breaks, continues);
            }
            StmtKind::While { condition, body, .. } | StmtKind::DoWhile { condition, body, .. } => {
                self.expression(condition, false, false);
                self.statements(body, false, false);
            }
            StmtKind::For { init, condition, step, body, .. } => {
                self.statements(init, breaks, continues);
                for e in condition.into_iter().chain(step) {
                    self.expression(e, false, false);
                }
                self.statements(body, false, false);
            }
            StmtKind::Switch { selector, body, .. } => {
                self.expression(selector, breaks, continues);
                self.statements(body, false, continues);
            }
            StmtKind::Expr(_) | StmtKind::Declare { .. } | StmtKind::Return(_) => {
                each_expression(statement, &mut |e| self.expression(e, breaks, continues));
            }
        }
    }
}
