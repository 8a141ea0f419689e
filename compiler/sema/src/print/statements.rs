//! Statements and initialisers as text.

use super::Printer;
use crate::hir::{CaseLabel, Expr, Init, InitPart, LoopHint, Stmt, StmtKind, Ty};

impl<'h> Printer<'_, 'h> {
    /// Statements below a line that says what they are.
    pub(super) fn statement_list(&mut self, title: &str, list: &[Stmt<'h>]) {
        self.group(format_args!("{title}"), |printer| printer.statements(list));
    }

    fn statements(&mut self, list: &[Stmt<'h>]) {
        for statement in list {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt<'h>) {
        match statement.kind {
            StmtKind::Expr(e) => self.expr(e),
            StmtKind::Declare { variable, init } => {
                let name = self.private_variable_name(variable);
                self.group(format_args!("Declare {name}"), |printer| {
                    init.into_iter().for_each(|init| printer.init(init))
                });
            }
            StmtKind::Block(body) => self.statement_list("Block", body),
            StmtKind::If { condition, then, otherwise } => self.group(format_args!("If"), |printer| {
                printer.part("condition", condition);
                printer.statement_list("then", then);
                if !otherwise.is_empty() {
                    printer.statement_list("otherwise", otherwise);
                }
            }),
            StmtKind::While { condition, body, hint } => {
                self.group(format_args!("While{}", hint_text(hint)), |printer| {
                    printer.part("condition", condition);
                    printer.statement_list("body", body);
                });
            }
            StmtKind::DoWhile { body, condition, hint } => {
                self.group(format_args!("DoWhile{}", hint_text(hint)), |printer| {
                    printer.statement_list("body", body);
                    printer.part("condition", condition);
                });
            }
            StmtKind::For { init, condition, step, body, hint } => {
                self.group(format_args!("For{}", hint_text(hint)), |printer| {
                    printer.statement_list("init", init);
                    condition.into_iter().for_each(|e| printer.part("condition", e));
                    step.into_iter().for_each(|e| printer.part("step", e));
                    printer.statement_list("body", body);
                });
            }
            StmtKind::Switch { selector, cases, body } => self.group(format_args!("Switch"), |printer| {
                printer.part("selector", selector);
                printer.cases(cases, selector.ty.ty);
                printer.statement_list("body", body);
            }),
            StmtKind::Case(index) => self.line(format_args!("Case {index}")),
            StmtKind::Break => self.line(format_args!("Break")),
            StmtKind::Continue => self.line(format_args!("Continue")),
            StmtKind::Return(value) => {
                self.group(format_args!("Return"), |printer| value.into_iter().for_each(|e| printer.expr(e)));
            }
            StmtKind::Goto(label) => self.line(format_args!("Goto {}", label.0)),
            StmtKind::Label(label) => self.line(format_args!("Label {}", label.0)),
        }
    }

    /// An expression below a line that says what it is.
    pub(super) fn part(&mut self, title: &str, e: &Expr<'h>) {
        self.group(format_args!("{title}"), |printer| printer.expr(e));
    }

    fn cases(&mut self, cases: &[CaseLabel], ty: Ty) {
        self.group(format_args!("cases"), |printer| {
            for (index, case) in cases.iter().enumerate() {
                let Some((low, high)) = case.range else {
                    printer.line(format_args!("{index}: default"));
                    continue;
                };
                let (first, last) = (printer.integer(low, ty), printer.integer(high, ty));
                match low == high {
                    true => printer.line(format_args!("{index}: {first}")),
                    false => printer.line(format_args!("{index}: {first} ... {last}")),
                }
            }
        });
    }

    pub(super) fn init(&mut self, init: &Init<'h>) {
        match init {
            Init::Value(value) => self.expr(value),
            Init::Parts(parts) => {
                self.group(format_args!("Parts"), |printer| {
                    parts.iter().for_each(|part| printer.init_part(part));
                });
            }
            Init::Constant(data) => self.constant(data),
            &Init::ConstantAndParts(data, parts) => {
                self.constant(data);
                self.init(&Init::Parts(parts));
            }
        }
    }

    pub(super) fn init_part(&mut self, part: &InitPart<'h>) {
        self.group(format_args!("offset {}", part.offset), |printer| printer.expr(part.value));
    }
}

fn hint_text(hint: LoopHint) -> String {
    match hint {
        LoopHint::None => String::new(),
        LoopHint::Unroll => " unroll".into(),
        LoopHint::UnrollBy(factor) => format!(" unroll({factor})"),
        LoopHint::DontUnroll => " nounroll".into(),
    }
}
