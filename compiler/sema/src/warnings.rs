//! Warnings: code that is well-formed and likely wrong. Each is checked while sema visits the expression or statement,
//! without another walk of the tree. Each has the flag that clang has for it, and is on when it is on in clang.

use super::body::Switch;
use super::{ExprRef, Sema, builtins};
use crate::hir::{BinaryOp, ExprKind, FloatKind, IntKind, QualTy, Ty, TyKind};
use clforge_basic::diag::{Diagnostic, WarningFlag};
use clforge_basic::narrow::nearest_f32;
use clforge_basic::source::{ExpansionId, Punct, Span, TokenFlags, TokenKind};
use clforge_syntax::ast::{self, Qualifiers, StatementKind, UnaryOp};

impl<'a, 'h> Sema<'a, 'h, '_> {
    fn warn_with_help(&mut self, flag: WarningFlag, span: Span, message: impl Into<String>, help: &str) {
        if self.warns(flag) {
            let range = self.table.range(span, self.names);
            self.push(Diagnostic::warning(flag, range, message).with_help(help));
        }
    }

    pub(super) fn warn_with_note(
        &mut self,
        flag: WarningFlag,
        span: Span,
        message: String,
        note_span: Span,
        note: String,
    ) {
        if self.warns(flag) {
            let note_range = self.table.range(note_span, self.names);
            let range = self.table.range(span, self.names);
            self.push(Diagnostic::warning(flag, range, message).with_note(note_range, note));
        }
    }

    /// Whether a macro wrote the first token: what macros make has its reasons.
    fn is_from_macro(&self, span: Span) -> bool {
        self.table.tokens.get(span.lo as usize).is_some_and(|token| token.loc.expansion != ExpansionId::NONE)
    }

    /// Whether a warning is given; what is not does not take the room of those that are.
    pub(super) fn warns(&self, flag: WarningFlag) -> bool {
        !self.library && self.options.language.warns(flag)
    }

    // --- unused values ---

    /// An expression whose value is dropped and that has no effect. `ty` is its type.
    pub(super) fn unused_value(&mut self, e: &'a ast::Expr<'a>, ty: QualTy, message: &str) {
        if matches!(ty.ty, Ty::ERROR | Ty::VOID)
            || ty.quals.contains(Qualifiers::VOLATILE)
            || self.is_from_macro(e.span)
        {
            return;
        }
        let Some(effectless) = effectless(e) else { return };
        match effectless.kind {
            ast::ExprKind::Binary { op, op_span, .. } => match op {
                ast::BinaryOp::Eq => {
                    let help = "use '=' to turn this equality comparison into an assignment";
                    self.warn_with_help(
                        WarningFlag::UnusedComparison,
                        op_span,
                        "equality comparison result unused",
                        help,
                    );
                }
                ast::BinaryOp::Ne => {
                    self.warning(WarningFlag::UnusedComparison, op_span, "inequality comparison result unused")
                }
                ast::BinaryOp::Lt | ast::BinaryOp::Gt | ast::BinaryOp::Le | ast::BinaryOp::Ge => {
                    self.warning(WarningFlag::UnusedComparison, op_span, "relational comparison result unused")
                }
                _ => self.warning(WarningFlag::UnusedValue, op_span, message),
            },
            _ => self.warning(WarningFlag::UnusedValue, effectless.span, message),
        }
    }

    /// A call of a built-in function that does nothing but compute its result.
    pub(super) fn unused_result(&mut self, e: &'a ast::Expr<'a>, checked: ExprRef<'h>) {
        let (ExprKind::Builtin { function, arguments }, ast::ExprKind::Call { callee, .. }) = (&checked.kind, &e.kind)
        else {
            return;
        };
        let Some(attribute) = builtins::effect_attribute(*function) else { return };
        let types = &self.program.types;
        let is_read = |argument: &ExprRef<'h>| match types.kind(argument.ty.ty) {
            TyKind::Pointer(_) => attribute == "pure",
            _ => true,
        };
        if arguments.iter().all(is_read) && checked.ty.ty != Ty::VOID && !self.is_from_macro(e.span) {
            let message = format!("ignoring return value of function declared with {attribute} attribute");
            self.warning(WarningFlag::UnusedValue, callee.span, message);
        }
    }

    // --- bodies ---

    fn is_empty_here(&self, body: &ast::Statement<'a>) -> bool {
        let Some(token) = self.table.tokens.get(body.span.lo as usize) else { return false };
        matches!(body.kind, StatementKind::Empty)
            && token.kind == TokenKind::Punct(Punct::Semi)
            && !token.flags.contains(TokenFlags::LINE_START)
            && token.loc.expansion == ExpansionId::NONE
    }

    /// `if (x);`
    pub(super) fn empty_body(&mut self, body: &ast::Statement<'a>, what: &str) {
        if self.is_empty_here(body) {
            let help = "put the semicolon on a separate line to silence this warning";
            self.warn_with_help(WarningFlag::EmptyBody, body.span, format!("{what} statement has empty body"), help);
        }
    }

    /// `for (…); { … }`: the block looks like the loop's.
    pub(super) fn empty_loop(&mut self, statement: &ast::Statement<'a>, next: Option<&ast::Statement<'a>>) {
        let (body, what) = match statement.kind {
            StatementKind::For { body, .. } => (body, "for loop"),
            StatementKind::While { body, .. } => (body, "while loop"),
            _ => return,
        };
        if next.is_some_and(|next| matches!(next.kind, StatementKind::Compound(_))) && self.is_empty_here(body) {
            let help = "put the semicolon on a separate line to silence this warning";
            self.warn_with_help(WarningFlag::EmptyBody, body.span, format!("{what} has empty body"), help);
        }
    }

    /// `if (a) if (b) x; else y;`
    pub(super) fn dangling_else(
        &mut self,
        arms: &[(&'a ast::Expr<'a>, &'a ast::Statement<'a>)],
        otherwise: Option<&'a ast::Statement<'a>>,
    ) {
        if let (Some((_, then)), None) = (arms.last(), otherwise)
            && let StatementKind::If { otherwise: Some(inner), .. } = then.kind
        {
            let place = Span::token(inner.span.lo.saturating_sub(1));
            self.warning(WarningFlag::DanglingElse, place, "add explicit braces to avoid dangling else");
        }
    }

    // --- conditions and operators ---

    /// `if (a = b)`; parentheses of its own say that it is meant.
    pub(super) fn assignment_as_condition(&mut self, e: &ast::Expr<'a>) {
        if let ast::ExprKind::Assign { op, op_span, .. } = e.kind
            && matches!(op, None | Some(ast::BinaryOp::BitOr))
        {
            let message = "using the result of an assignment as a condition without parentheses";
            let help = match op {
                None => "place parentheses around the assignment, or use '==' to compare",
                Some(_) => "place parentheses around the assignment, or use '!=' to compare",
            };
            self.warn_with_help(WarningFlag::Parentheses, op_span, message, help);
        }
    }

    /// `a && b || c`, `a & b == c`, `a << b + c`, `!a == b`. The operand on the left is that of `left_op`.
    pub(super) fn precedence(
        &mut self,
        op: ast::BinaryOp,
        left_op: Option<ast::BinaryOp>,
        right: &ast::Expr<'a>,
        left_span: Span,
        op_span: Span,
    ) {
        let right_op = match right.kind {
            ast::ExprKind::Binary { op, .. } => Some(op),
            _ => None,
        };
        for (inner, place) in [(left_op, left_span), (right_op, right.span)] {
            let Some(inner) = inner else { continue };
            let (outer_text, text) = (op.text(), inner.text());
            let (flag, message, help) = match op {
                ast::BinaryOp::LogicalOr if inner == ast::BinaryOp::LogicalAnd => (
                    WarningFlag::LogicalOpParentheses,
                    "'&&' within '||'".to_string(),
                    "place parentheses around the '&&' expression".to_string(),
                ),
                ast::BinaryOp::BitAnd | ast::BinaryOp::BitOr | ast::BinaryOp::BitXor if is_comparison(inner) => (
                    WarningFlag::Parentheses,
                    format!("'{outer_text}' has lower precedence than '{text}'; '{text}' will be evaluated first"),
                    format!("place parentheses around the '{outer_text}' expression to evaluate it first"),
                ),
                ast::BinaryOp::Shl | ast::BinaryOp::Shr if matches!(inner, ast::BinaryOp::Add | ast::BinaryOp::Sub) => {
                    (
                        WarningFlag::ShiftOpParentheses,
                        format!(
                            "operator '{outer_text}' has lower precedence than '{text}'; '{text}' will be evaluated first"
                        ),
                        format!("place parentheses around the '{text}' expression to silence this warning"),
                    )
                }
                _ => continue,
            };
            let place = if op == ast::BinaryOp::LogicalOr || matches!(op, ast::BinaryOp::Shl | ast::BinaryOp::Shr) {
                place
            } else {
                op_span
            };
            if !self.is_from_macro(op_span) {
                self.warn_with_help(flag, place, message, &help);
            }
        }
    }

    /// `x == x` and `!x == y`, at the left end of a chain of operators.
    pub(super) fn self_comparison(
        &mut self,
        op: ast::BinaryOp,
        left: &ast::Expr<'a>,
        right: &ast::Expr<'a>,
        value: ExprRef<'h>,
        op_span: Span,
    ) {
        if !is_comparison(op) || self.is_from_macro(op_span) {
            return;
        }
        if let ast::ExprKind::Unary { op: UnaryOp::LogicalNot, operand } = left.kind
            && !matches!(self.kind(value.ty.ty), TyKind::Error | TyKind::Vector(..))
            && !matches!(unparenthesized(right).kind, ast::ExprKind::Unary { op: UnaryOp::LogicalNot, .. })
            && !is_truth(operand)
        {
            let message = "logical not is only applied to the left hand side of this comparison";
            self.warn_with_help(
                WarningFlag::LogicalNotParentheses,
                left.span,
                message,
                "add parentheses after the '!' to evaluate the comparison first",
            );
        }
        let (ast::ExprKind::Identifier(a), ast::ExprKind::Identifier(b)) =
            (unparenthesized(left).kind, unparenthesized(right).kind)
        else {
            return;
        };
        if a == b && self.int_kind(value.ty.ty).is_some() && matches!(value.kind, ExprKind::Load(_)) {
            let truth = matches!(op, ast::BinaryOp::Eq | ast::BinaryOp::Le | ast::BinaryOp::Ge);
            self.warning(
                WarningFlag::TautologicalCompare,
                op_span,
                format!("self-comparison always evaluates to {truth}"),
            );
        }
    }

    /// `c == 300` where `c` is a `char`. The operands are not converted yet.
    pub(super) fn constant_comparison(&mut self, op: BinaryOp, left: ExprRef<'h>, right: ExprRef<'h>, op_span: Span) {
        let (value, constant, swapped) = match (left.kind, right.kind) {
            (ExprKind::Int(_), ExprKind::Int(_)) => return,
            (_, ExprKind::Int(constant)) => (left, (constant, right), false),
            (ExprKind::Int(constant), _) => (right, (constant, left), true),
            _ => return,
        };
        let (Some(kind), Some(constant_kind)) = (self.int_kind(value.ty.ty), self.int_kind(constant.1.ty.ty)) else {
            return;
        };
        let is_bool = value.ty.ty == Ty::BOOL;
        // Where the conversion to unsigned wraps values around, an order of them says little.
        if kind.is_signed() && !constant_kind.is_signed() || matches!(self.kind(value.ty.ty), TyKind::Enum(_)) {
            return;
        }
        let constant = number(constant.0, constant_kind);
        let (min, max) = if is_bool { (0, 1) } else { limits(kind) };
        if (min..=max).contains(&constant) || (!kind.is_signed() && constant < 0 && kind.bits() >= 32) {
            return;
        }
        let above = (constant > max) != swapped;
        let truth = match op {
            BinaryOp::Ne => true,
            BinaryOp::Lt | BinaryOp::Le => above,
            BinaryOp::Gt | BinaryOp::Ge => !above,
            _ => false,
        };
        let what = match is_bool {
            true => "boolean expression".to_string(),
            false => format!("expression of type {}", self.quoted(value.ty.ty)),
        };
        self.warning(
            WarningFlag::TautologicalConstantOutOfRangeCompare,
            op_span,
            format!("result of comparison of constant {constant} with {what} is always {truth}"),
        );
    }

    /// `x = x`
    pub(super) fn self_assignment(
        &mut self,
        op: Option<ast::BinaryOp>,
        left: &ast::Expr<'a>,
        right: &ast::Expr<'a>,
        op_span: Span,
        ty: Ty,
    ) {
        if !self.warns(WarningFlag::SelfAssign)
            || !matches!(op, None | Some(ast::BinaryOp::BitAnd | ast::BinaryOp::BitOr))
            || self.is_from_macro(op_span)
        {
            return;
        }
        if let (ast::ExprKind::Identifier(a), ast::ExprKind::Identifier(b)) =
            (unparenthesized(left).kind, unparenthesized(right).kind)
            && a == b
        {
            let text = self.quoted(ty);
            self.warning(
                WarningFlag::SelfAssign,
                op_span,
                format!("explicitly assigning value of variable of type {text} to itself"),
            );
        }
    }

    // --- constants ---

    /// A constant that its new type cannot hold.
    pub(super) fn changed_constant(&mut self, e: ExprRef<'h>, to: Ty) {
        if self.library || self.unevaluated > 0 {
            return;
        }
        match (e.kind, self.kind(to)) {
            (ExprKind::Int(bits), TyKind::Int(target)) => {
                let Some(source) = self.int_kind(e.ty.ty) else { return };
                let value = number(bits, source);
                let width = if value < 0 { 129 - (!value).leading_zeros() } else { 128 - value.leading_zeros() };
                let sign_changes = width == target.bits() && value >= 0 && target.is_signed() && source.is_signed();
                if width > target.bits() || (sign_changes && self.is_decimal(e.span)) {
                    let changed = wrapped(bits, target);
                    self.report_changed_constant(
                        WarningFlag::ConstantConversion,
                        e,
                        to,
                        &value.to_string(),
                        &changed.to_string(),
                    );
                }
            }
            (ExprKind::Int(bits), TyKind::Float(FloatKind::Float)) => {
                let Some(source) = self.int_kind(e.ty.ty) else { return };
                let value = number(bits, source);
                let changed = whole(f64::from(value as f32));
                if changed != value {
                    self.report_changed_constant(
                        WarningFlag::ImplicitConstIntFloatConversion,
                        e,
                        to,
                        &value.to_string(),
                        &changed.to_string(),
                    );
                }
            }
            (ExprKind::Float(value), TyKind::Int(target)) if self.is_floating_literal(e.span) => {
                let (min, max) = limits(target);
                let truncated = value.trunc();
                if truncated < min as f64 || truncated >= max as f64 + 1.0 {
                    let (from, to) = (self.quoted(e.ty.ty), self.quoted(to));
                    let message = format!("implicit conversion of out of range value from {from} to {to} is undefined");
                    self.warning(WarningFlag::LiteralConversion, e.span, message);
                } else if truncated != value {
                    let shown = match e.ty.ty {
                        Ty::DOUBLE => value.to_string(),
                        _ => nearest_f32(value).to_string(),
                    };
                    self.report_changed_constant(
                        WarningFlag::LiteralConversion,
                        e,
                        to,
                        &shown,
                        &whole(value).to_string(),
                    );
                }
            }
            _ => {}
        }
    }

    fn report_changed_constant(&mut self, flag: WarningFlag, e: ExprRef<'h>, to: Ty, old: &str, new: &str) {
        let (from, to) = (self.quoted(e.ty.ty), self.quoted(to));
        self.warning(
            flag,
            e.span,
            format!("implicit conversion from {from} to {to} changes value from {old} to {new}"),
        );
    }

    /// Hexadecimal constants mean their bits.
    fn is_decimal(&self, span: Span) -> bool {
        let token = self.table.tokens.get(span.hi.saturating_sub(1) as usize);
        token.is_some_and(|token| !self.text(token.text).starts_with('0'))
    }

    /// A number, with a sign perhaps: a computed value is meant as it is.
    pub(super) fn is_floating_literal(&self, span: Span) -> bool {
        let tokens = self.table.tokens.get(span.lo as usize..span.hi as usize).unwrap_or_default();
        match tokens {
            [token] => token.kind == TokenKind::Number,
            [sign, token] => sign.kind == TokenKind::Punct(Punct::Minus) && token.kind == TokenKind::Number,
            _ => false,
        }
    }

    /// A constant index outside of an array.
    pub(super) fn array_bounds(&mut self, pointer: ExprRef<'h>, index: ExprRef<'h>, one_past: bool) {
        let ExprKind::AddressOf(place) = pointer.kind else { return };
        let TyKind::Array(_, Some(length)) = self.kind(place.ty.ty) else { return };
        let (ExprKind::Int(value), Some(kind)) = (index.kind, self.int_kind(index.ty.ty)) else { return };
        // An array at the end of a struct may be a flexible array member of old C.
        let may_be_longer = length <= 1 && matches!(place.kind, ExprKind::Field(..) | ExprKind::Deref(_));
        if self.unevaluated > 0 || may_be_longer {
            return;
        }
        let value = number(value, kind);
        let length = i128::from(length);
        let message = if value < 0 {
            format!("array index {value} is before the beginning of the array")
        } else if value > length || (value == length && !one_past) {
            let plural = if length == 1 { "" } else { "s" };
            format!("array index {value} is past the end of the array (which contains {length} element{plural})")
        } else {
            return;
        };
        let declared = match place.kind {
            ExprKind::PrivateVariable(id) => self.body.variables.get(id).map(|local| (local.span, local.name)),
            ExprKind::ModuleVariable(id) => self.program.variables.get(id).map(|global| (global.span, global.name)),
            _ => None,
        };
        match declared {
            Some((place, name)) => {
                let note = format!("array '{}' declared here", self.text(name));
                self.warn_with_note(WarningFlag::ArrayBounds, index.span, message, place, note);
            }
            None => self.warning(WarningFlag::ArrayBounds, index.span, message),
        }
    }

    // --- pointers ---

    /// A cast to a pointer to something that must be aligned to more, or that may be written where the source's may not.
    pub(super) fn pointer_cast(&mut self, e: ExprRef<'h>, from: QualTy, to: QualTy, ty: Ty, span: Span) {
        let (have, want) = (self.program.types.align_of(from.ty), self.program.types.align_of(to.ty));
        let is_object = |sema: &Self, ty: Ty| sema.program.types.size_of(ty).is_some();
        let both = is_object(self, from.ty) && is_object(self, to.ty);
        if self.warns(WarningFlag::CastAlign) && both && from.space == to.space && have < want {
            let (from, to) = (self.quoted(e.ty.ty), self.quoted(ty));
            let message = format!("cast from {from} to {to} increases required alignment from {have} to {want}");
            self.warning(WarningFlag::CastAlign, span, message);
        }
        let dropped = from.quals - to.quals;
        let what = match (dropped.contains(Qualifiers::CONST), dropped.contains(Qualifiers::VOLATILE)) {
            (true, true) => "const and volatile qualifiers",
            (true, false) => "const qualifier",
            (false, true) => "volatile qualifier",
            (false, false) => return,
        };
        if self.warns(WarningFlag::CastQual) {
            let (from, to) = (self.quoted(e.ty.ty), self.quoted(ty));
            self.warning(WarningFlag::CastQual, span, format!("cast from {from} to {to} drops {what}"));
        }
    }

    // --- switches ---

    /// Values of an enumeration that a `switch` without `default` forgets.
    pub(super) fn missing_enumerators(&mut self, selector: ExprRef<'h>, switch: &Switch) {
        let TyKind::Enum(id) = self.kind(selector.ty.ty) else { return };
        if switch.default.is_some() || self.library {
            return;
        }
        let handled = |value: u64| {
            let covers = |(low, high): (u64, u64)| low <= value && value <= high;
            switch.values.contains_key(&value)
                || switch.cases.iter().any(|case| case.range.is_some_and(|range| range.0 != range.1 && covers(range)))
        };
        let missing = self.enumerators.get(&id).into_iter().flatten().filter(|(_, value)| !handled(*value));
        let names: Vec<String> = missing.map(|(name, _)| format!("'{}'", self.text(*name))).collect();
        let message = match names.as_slice() {
            [] => return,
            [one] => format!("enumeration value {one} not handled in switch"),
            [one, two] => format!("enumeration values {one} and {two} not handled in switch"),
            [one, two, three] => format!("enumeration values {one}, {two}, and {three} not handled in switch"),
            [one, two, three, ..] => {
                format!("{} enumeration values not handled in switch: {one}, {two}, {three}...", names.len())
            }
        };
        self.warning(WarningFlag::Switch, selector.span, message);
    }

    /// `int a[2][2] = { 1, 2, 3, 4 }`
    pub(super) fn missing_braces(&mut self, span: Span) {
        if self.warns(WarningFlag::MissingBraces) {
            self.warning(WarningFlag::MissingBraces, span, "suggest braces around initialization of subobject");
        }
    }
}

fn unparenthesized<'e, 'a>(mut e: &'e ast::Expr<'a>) -> &'e ast::Expr<'a>
where
    'a: 'e,
{
    while let ast::ExprKind::Paren(inner) = e.kind {
        e = inner;
    }
    e
}

fn is_comparison(op: ast::BinaryOp) -> bool {
    matches!(
        op,
        ast::BinaryOp::Lt
            | ast::BinaryOp::Gt
            | ast::BinaryOp::Le
            | ast::BinaryOp::Ge
            | ast::BinaryOp::Eq
            | ast::BinaryOp::Ne
    )
}

/// Whether an expression is a truth value by its look: `!` of it is one too.
fn is_truth(e: &ast::Expr<'_>) -> bool {
    match unparenthesized(e).kind {
        ast::ExprKind::Binary { op, .. } => {
            is_comparison(op) || matches!(op, ast::BinaryOp::LogicalAnd | ast::BinaryOp::LogicalOr)
        }
        ast::ExprKind::Unary { op, .. } => op == UnaryOp::LogicalNot,
        _ => false,
    }
}

/// The part of an expression whose value is computed and dropped; `None` when all of it has an effect.
fn effectless<'e, 'a>(e: &'e ast::Expr<'a>) -> Option<&'e ast::Expr<'a>>
where
    'a: 'e,
{
    let e = unparenthesized(e);
    match e.kind {
        ast::ExprKind::Identifier(_)
        | ast::ExprKind::Integer(_)
        | ast::ExprKind::Floating(_)
        | ast::ExprKind::Character(_)
        | ast::ExprKind::String(_)
        | ast::ExprKind::Index { .. }
        | ast::ExprKind::Member { .. }
        | ast::ExprKind::Unary { .. }
        | ast::ExprKind::Cast { .. }
        | ast::ExprKind::SizeofExpr(_)
        | ast::ExprKind::SizeofType(_)
        | ast::ExprKind::AlignofExpr(_)
        | ast::ExprKind::AlignofType(_)
        | ast::ExprKind::VecStepType(_)
        | ast::ExprKind::OffsetOf { .. } => Some(e),
        ast::ExprKind::Binary { op: ast::BinaryOp::LogicalAnd | ast::BinaryOp::LogicalOr, right, .. } => {
            effectless(right).map(|_| e)
        }
        ast::ExprKind::Binary { .. } => Some(e),
        ast::ExprKind::Conditional { then, otherwise, .. } => then.and_then(effectless).and(effectless(otherwise)),
        ast::ExprKind::Comma(parts) => parts.last().and_then(|last| effectless(last)),
        _ => None,
    }
}

/// A constant's bits as the number they are.
fn number(bits: u64, kind: IntKind) -> i128 {
    if kind.is_signed() { i128::from(bits.cast_signed()) } else { i128::from(bits) }
}

/// A floating number toward zero.
#[expect(clippy::cast_possible_truncation, reason = "larger numbers become the greatest, as messages show them")]
fn whole(value: f64) -> i128 {
    value as i128
}

/// What of the bits a type keeps, as a number.
fn wrapped(bits: u64, kind: IntKind) -> i128 {
    let unused = 64 - kind.bits().min(64);
    match kind.is_signed() {
        true => i128::from((bits << unused).cast_signed() >> unused),
        false => i128::from(bits << unused >> unused),
    }
}

fn limits(kind: IntKind) -> (i128, i128) {
    let bits = kind.bits();
    if kind.is_signed() { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) }
}
