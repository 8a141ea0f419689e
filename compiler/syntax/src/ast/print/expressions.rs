//! Expressions as text.

use super::Printer;
use crate::ast::{BinaryOp, Expr, ExprKind, FloatSuffix, IntegerLiteral, TypeName, UnaryOp};
use std::fmt::Write as _;

impl Printer<'_> {
    pub(super) fn expr(&mut self, expr: &Expr<'_>) {
        match &expr.kind {
            ExprKind::Identifier(name) => self.name(*name),
            ExprKind::Integer(literal) => self.integer(literal),
            ExprKind::Floating(literal) => {
                self.name(literal.digits);
                self.put(match literal.suffix {
                    FloatSuffix::None => "",
                    FloatSuffix::Float => "f",
                    FloatSuffix::Half => "h",
                    FloatSuffix::Long => "l",
                });
            }
            ExprKind::Character(value) => {
                let _ = write!(self.out, "(char {value})");
            }
            ExprKind::String(bytes) => {
                let _ = write!(self.out, "\"{}\"", bytes.escape_ascii());
            }
            ExprKind::Paren(inner) => self.form("paren", &[inner]),
            ExprKind::Call { callee, arguments } => {
                self.put("(call ");
                self.expr(callee);
                self.operands(arguments);
                self.put(")");
            }
            ExprKind::Index { base, index } => self.form("index", &[base, index]),
            ExprKind::Member { base, name, arrow, .. } => {
                self.put(if *arrow { "(-> " } else { "(. " });
                self.expr(base);
                self.put(" ");
                self.name(*name);
                self.put(")");
            }
            ExprKind::Unary { op, operand } => self.form(unary_text(*op), &[operand]),
            ExprKind::Increment { operand, decrement, postfix } => {
                let name = match (decrement, postfix) {
                    (false, false) => "++_",
                    (true, false) => "--_",
                    (false, true) => "_++",
                    (true, true) => "_--",
                };
                self.form(name, &[operand]);
            }
            ExprKind::Binary { .. } => self.binary(expr),
            ExprKind::Assign { op, left, right, .. } => {
                let name = format!("{}=", op.map_or("", BinaryOp::text));
                self.form(&name, &[left, right]);
            }
            ExprKind::Conditional { condition, then: Some(then), otherwise } => {
                self.form("?", &[condition, then, otherwise]);
            }
            ExprKind::Conditional { condition, then: None, otherwise } => self.form("?:", &[condition, otherwise]),
            ExprKind::Comma(list) => self.form(",", list),
            ExprKind::SizeofExpr(operand) => self.form("sizeof", &[operand]),
            ExprKind::AlignofExpr(operand) => self.form("alignof", &[operand]),
            _ => self.typed_expr(expr),
        }
    }

    /// Expressions with types or statements inside.
    fn typed_expr(&mut self, expr: &Expr<'_>) {
        match &expr.kind {
            ExprKind::Skipped => self.put("skipped"),
            ExprKind::Cast { ty, operand } => {
                self.put("(cast <");
                self.type_name(ty);
                self.put("> ");
                self.expr(operand);
            }
            ExprKind::CompoundLiteral { ty, list } => {
                self.put("(literal <");
                self.type_name(ty);
                self.put("> ");
                self.list(list);
            }
            ExprKind::SizeofType(ty) => self.of_type("sizeof", ty),
            ExprKind::AlignofType(ty) => self.of_type("alignof", ty),
            ExprKind::VecStepType(ty) => self.of_type("vec_step", ty),
            ExprKind::AsType { operand, ty } => {
                self.of_type("as_type", ty);
                self.put(" ");
                self.expr(operand);
            }
            ExprKind::ConvertVector { operand, ty } => {
                self.of_type("convert-vector", ty);
                self.put(" ");
                self.expr(operand);
            }
            ExprKind::TypesCompatible(first, second) => {
                self.of_type("types-compatible", first);
                self.of_type("", second);
            }
            ExprKind::Generic { control, associations } => {
                self.put("(generic ");
                self.expr(control);
                for (ty, value) in *associations {
                    self.put(" (");
                    match ty {
                        Some(ty) => self.type_name(ty),
                        None => self.put("default"),
                    }
                    self.put(" ");
                    self.expr(value);
                    self.put(")");
                }
                self.put(")");
            }
            ExprKind::OffsetOf { ty, path } => {
                self.of_type("offsetof", ty);
                self.put(" ");
                self.designators(path);
            }
            ExprKind::StatementExpr(body) => {
                self.put("(statement");
                self.body(body);
            }
            ExprKind::Block { ty, parameters, body } => {
                self.put("(closure");
                if let Some(ty) = ty {
                    self.put(" <");
                    self.type_name(ty);
                    self.put(">");
                }
                for step in parameters.iter().flat_map(|declarator| declarator.derived) {
                    self.put(" ");
                    self.step(step);
                }
                self.body(body);
            }
            _ => self.put("("),
        }
        self.put(")");
    }

    fn of_type(&mut self, name: &str, ty: &TypeName<'_>) {
        self.put("(");
        self.put(name);
        self.put(" <");
        self.type_name(ty);
        self.put(">");
    }

    /// `(name operand …)`
    fn form(&mut self, name: &str, operands: &[&Expr<'_>]) {
        self.put("(");
        self.put(name);
        self.operands(operands);
        self.put(")");
    }

    fn operands(&mut self, operands: &[&Expr<'_>]) {
        for operand in operands {
            self.put(" ");
            self.expr(operand);
        }
    }

    /// A chain of binary operators; its left spine may be long, so it is walked without recursion.
    fn binary(&mut self, expr: &Expr<'_>) {
        let mut rights = Vec::new();
        let mut at = expr;
        while let ExprKind::Binary { op, left, right, .. } = &at.kind {
            rights.push(*right);
            self.put("(");
            self.put(op.text());
            self.put(" ");
            at = left;
        }
        self.expr(at);
        for right in rights.iter().rev() {
            self.put(" ");
            self.expr(right);
            self.put(")");
        }
    }

    fn integer(&mut self, literal: &IntegerLiteral) {
        let _ = match literal.decimal {
            true => write!(self.out, "{}", literal.value),
            false => write!(self.out, "{:#x}", literal.value),
        };
        if literal.unsigned {
            self.put("u");
        }
        for _ in 0..literal.long {
            self.put("l");
        }
    }
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Plus => "+",
        UnaryOp::Minus => "-",
        UnaryOp::BitNot => "~",
        UnaryOp::LogicalNot => "!",
        UnaryOp::AddressOf => "&",
        UnaryOp::Dereference => "*",
        UnaryOp::Real => "__real__",
        UnaryOp::Imag => "__imag__",
    }
}
