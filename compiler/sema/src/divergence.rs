//! `-Wdivergent-barrier`: barriers that some work-items of a group may not reach, since the control flow around them
//! depends on the number of the work-item. The behaviour is then undefined (OpenCL C 6.15.8).

use super::Sema;
use crate::builtins;
use crate::hir::{Expr, ExprKind, PrivateVariableId, Stmt, StmtKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::source::Span;
use rustc_hash::FxHashSet;

/// Functions whose result differs between the work-items of a group.
const DIFFERING: [&str; 8] = [
    "get_global_id",
    "get_global_linear_id",
    "get_local_id",
    "get_local_linear_id",
    "get_sub_group_id",
    "get_sub_group_local_id",
    "work_group_scan_exclusive_add",
    "work_group_scan_inclusive_add",
];

/// Functions that all work-items of a group must reach.
fn is_barrier(name: &str) -> bool {
    matches!(name, "barrier" | "work_group_barrier" | "wait_group_events")
        || name.starts_with("async_work_group_")
        || name.starts_with("work_group_")
        || name.starts_with("intel_work_group_barrier_")
}

/// Most levels of an expression that are looked at.
const MAX_DEPTH: u32 = 1000;

/// What is known while a function is walked, in the order of its text.
#[derive(Default)]
struct Divergence {
    /// Variables whose values may differ between work-items.
    variables: FxHashSet<PrivateVariableId>,
    /// Conditions around that may differ.
    conditions: u32,
    /// Whether some work-items may have returned.
    may_have_returned: bool,
    depth: u32,
    found: Vec<(Span, &'static str)>,
}

impl<'h> Sema<'_, 'h, '_> {
    /// Warns of the barriers of the function whose body is checked.
    pub(super) fn divergent_barriers(&mut self, statements: &[Stmt<'h>]) {
        if !self.warns(WarningFlag::DivergentBarrier) || self.sink.has_errors() {
            return;
        }
        let mut divergence = Divergence::default();
        divergence.statements(statements);
        // Once more: a loop may begin with what it has assigned at its end.
        let variables = std::mem::take(&mut divergence.variables);
        let mut divergence = Divergence { variables, ..Divergence::default() };
        divergence.statements(statements);
        for (span, name) in divergence.found {
            let message = format!("'{name}' in control flow that may differ between the work-items of a work-group");
            self.warning(WarningFlag::DivergentBarrier, span, message);
        }
    }
}

impl Divergence {
    fn differs_here(&self) -> bool {
        self.conditions > 0 || self.may_have_returned
    }

    fn statements(&mut self, statements: &[Stmt<'_>]) {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            statements.iter().for_each(|statement| self.statement(statement));
        }
        self.depth -= 1;
    }

    fn statement(&mut self, statement: &Stmt<'_>) {
        match statement.kind {
            StmtKind::Expr(e) => self.expression(e),
            StmtKind::Declare { variable, init } => {
                let mut differs = false;
                if let Some(init) = init {
                    init.each_value(&mut |value| {
                        self.expression(value);
                        differs |= self.differs(value);
                    });
                }
                self.assigned(variable, differs);
            }
            StmtKind::Block(inner) => self.statements(inner),
            StmtKind::If { condition, then, otherwise } => {
                self.expression(condition);
                let differs = self.differs(condition);
                self.under(differs, &[then, otherwise]);
            }
            StmtKind::While { condition, body, .. } | StmtKind::DoWhile { body, condition, .. } => {
                self.expression(condition);
                let differs = self.differs(condition);
                self.under(differs, &[body]);
            }
            StmtKind::For { init, condition, step, body, .. } => {
                self.statements(init);
                condition.into_iter().for_each(|condition| self.expression(condition));
                let differs = condition.is_some_and(|condition| self.differs(condition));
                self.under(differs, &[body]);
                step.into_iter().for_each(|step| self.expression(step));
            }
            StmtKind::Switch { selector, body, .. } => {
                self.expression(selector);
                let differs = self.differs(selector);
                self.under(differs, &[body]);
            }
            StmtKind::Return(value) => {
                value.into_iter().for_each(|value| self.expression(value));
                self.may_have_returned |= self.conditions > 0;
            }
            StmtKind::Case(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Goto(_) | StmtKind::Label(_) => {}
        }
    }

    fn under(&mut self, differs: bool, bodies: &[&[Stmt<'_>]]) {
        self.conditions += u32::from(differs);
        bodies.iter().for_each(|body| self.statements(body));
        self.conditions -= u32::from(differs);
    }

    fn assigned(&mut self, variable: PrivateVariableId, differs: bool) {
        if differs || self.differs_here() {
            self.variables.insert(variable);
        }
    }

    /// Notes what an expression assigns and calls.
    fn expression(&mut self, e: &Expr<'_>) {
        self.depth += 1;
        if self.depth <= MAX_DEPTH {
            match e.kind {
                ExprKind::Assign { place, value } | ExprKind::CompoundAssign { place, value, .. } => {
                    if let ExprKind::PrivateVariable(id) = place.kind {
                        let differs = self.differs(value);
                        self.assigned(id, differs);
                    }
                }
                ExprKind::Builtin { function, .. } => {
                    let name = builtins::name(function);
                    if is_barrier(name) && self.differs_here() {
                        self.found.push((e.span, name));
                    }
                }
                ExprKind::StatementExpr { body, .. } => self.statements(body),
                _ => {}
            }
            e.each_operand(&mut |operand| self.expression(operand));
        }
        self.depth -= 1;
    }

    /// Whether the value may differ between the work-items of a group.
    fn differs(&mut self, e: &Expr<'_>) -> bool {
        self.depth += 1;
        let mut differs = match e.kind {
            _ if self.depth > MAX_DEPTH => false,
            ExprKind::PrivateVariable(id) => self.variables.contains(&id),
            ExprKind::Builtin { function, .. } => {
                let name = builtins::name(function);
                DIFFERING.contains(&name) || name.starts_with("atomic_") || name.starts_with("atom_")
            }
            _ => false,
        };
        if !differs && self.depth <= MAX_DEPTH {
            e.each_operand(&mut |operand| differs = differs || self.differs(operand));
        }
        self.depth -= 1;
        differs
    }
}
