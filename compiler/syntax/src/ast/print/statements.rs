//! Statements as text.

use super::Printer;
use crate::ast::{ForInit, Statement, StatementKind};

impl Printer<'_> {
    /// A statement on its own line, one level deeper.
    pub(super) fn body(&mut self, statement: &Statement<'_>) {
        self.indent += 1;
        self.line();
        self.statement(statement);
        self.indent -= 1;
    }

    pub(super) fn statement(&mut self, statement: &Statement<'_>) {
        match &statement.kind {
            StatementKind::Empty => self.put("(empty)"),
            StatementKind::Skipped(_) => self.put("(skipped)"),
            StatementKind::Expr(expr) => self.expr(expr),
            StatementKind::Compound(items) => {
                self.put("(block");
                for item in *items {
                    self.body(item);
                }
                self.put(")");
            }
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::Break => self.put("(break)"),
            StatementKind::Continue => self.put("(continue)"),
            StatementKind::Asm(_) => self.put("(asm)"),
            StatementKind::Goto { label, .. } => {
                self.put("(goto ");
                self.name(*label);
                self.put(")");
            }
            StatementKind::LocalLabels(names) => {
                self.put("(local-labels");
                for (name, _) in *names {
                    self.put(" ");
                    self.name(*name);
                }
                self.put(")");
            }
            StatementKind::Return(None) => self.put("(return)"),
            StatementKind::Return(Some(expr)) => {
                self.put("(return ");
                self.expr(expr);
                self.put(")");
            }
            _ => self.nesting_statement(statement),
        }
    }

    /// Statements with statements inside.
    fn nesting_statement(&mut self, statement: &Statement<'_>) {
        match &statement.kind {
            StatementKind::If { arms, otherwise } => {
                for (index, (condition, body)) in arms.iter().enumerate() {
                    if index > 0 {
                        self.line();
                    }
                    self.put(if index > 0 { " else-if " } else { "(if " });
                    self.expr(condition);
                    self.body(body);
                }
                if let Some(otherwise) = otherwise {
                    self.line();
                    self.put(" else");
                    self.body(otherwise);
                }
            }
            StatementKind::While { condition, body } => {
                self.put("(while ");
                self.expr(condition);
                self.body(body);
            }
            StatementKind::DoWhile { body, condition } => {
                self.put("(do-while ");
                self.expr(condition);
                self.body(body);
            }
            StatementKind::For { init, condition, step, body } => {
                self.put("(for ");
                match init {
                    ForInit::None => self.put("_"),
                    ForInit::Expr(expr) => self.expr(expr),
                    ForInit::Declaration(declaration) => self.declaration(declaration),
                }
                for clause in [condition, step] {
                    self.put("; ");
                    match clause {
                        Some(expr) => self.expr(expr),
                        None => self.put("_"),
                    }
                }
                self.body(body);
            }
            StatementKind::Switch { selector, body } => {
                self.put("(switch ");
                self.expr(selector);
                self.body(body);
            }
            StatementKind::Case { low, high, body } => {
                self.put("(case ");
                self.expr(low);
                if let Some(high) = high {
                    self.put(" ... ");
                    self.expr(high);
                }
                self.body(body);
            }
            StatementKind::Default { body } => {
                self.put("(default");
                self.body(body);
            }
            StatementKind::Label { name, body, .. } => {
                self.put("(label ");
                self.name(*name);
                self.body(body);
            }
            StatementKind::Attributed { attributes, body } => {
                self.put("(attributed");
                self.attributes(attributes);
                self.body(body);
            }
            _ => self.put("("),
        }
        self.put(")");
    }
}
