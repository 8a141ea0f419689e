//! Statements (C99 6.8).

use super::body::{Label, Switch};
use super::conversions::AssignmentAction;
use super::{ExprRef, Sema};
use crate::hir::{CaseLabel, ExprKind, LONGEST_CHAIN, LabelId, LoopHint, QualTy, Stmt, StmtKind, Ty, TyKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::narrow::to_u32;
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::{self, ForInit, StatementKind};
use rustc_hash::FxHashMap;

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// Checks a statement and appends its HIR to `out`.
    pub(super) fn statement(&mut self, s: &'a ast::Statement<'a>, out: &mut Vec<Stmt<'h>>) {
        let span = s.span;
        if matches!(
            s.kind,
            StatementKind::Goto { .. } | StatementKind::Break | StatementKind::Continue | StatementKind::Return(_)
        ) && self.body.expressions > 0
        {
            self.body.expression_jumps += 1;
        }
        match s.kind {
            StatementKind::Empty => {}
            StatementKind::Skipped(names) => self.skipped(names, span),
            StatementKind::Expr(e) => {
                let value = self.effects(e);
                out.push(Stmt { kind: StmtKind::Expr(value), span });
            }
            StatementKind::Compound(items) => {
                self.enter_scope();
                let body = self.list(items);
                self.leave_scope();
                out.push(Stmt { kind: StmtKind::Block(body), span });
            }
            StatementKind::Declaration(declaration) => self.block_declaration(declaration, out),
            StatementKind::If { arms, otherwise } => self.if_chain(arms, otherwise, span, out),
            StatementKind::While { .. } | StatementKind::DoWhile { .. } | StatementKind::For { .. } => {
                self.loop_statement(s, LoopHint::None, out)
            }
            StatementKind::Switch { selector, body } => self.switch(selector, body, span, out),
            StatementKind::Case { low, high, body } => {
                self.case(low, high, span, out);
                self.statement(body, out);
            }
            StatementKind::Default { body } => {
                self.default(span, out);
                self.statement(body, out);
            }
            StatementKind::Label { name, name_span, body } => {
                self.define_label(name, name_span, out);
                self.statement(body, out);
            }
            StatementKind::Goto { label, label_span } => {
                let id = self.label(label, label_span, false);
                out.push(Stmt { kind: StmtKind::Goto(id), span });
            }
            StatementKind::LocalLabels(names) => {
                for (name, _) in names {
                    let hidden = self.body.labels.remove(name);
                    self.body.local_labels.push((*name, hidden));
                }
            }
            StatementKind::Break => {
                if self.body.breakable == 0 && self.body.loop_heads == 0 {
                    self.error(span, "'break' statement not in loop or switch statement");
                }
                out.push(Stmt { kind: StmtKind::Break, span });
            }
            StatementKind::Continue => {
                if self.body.loops == 0 && self.body.loop_heads == 0 {
                    self.error(span, "'continue' statement not in loop statement");
                }
                out.push(Stmt { kind: StmtKind::Continue, span });
            }
            StatementKind::Return(value) => self.return_statement(value, span, out),
            StatementKind::Attributed { attributes, body } => {
                let hint = self.loop_hint(attributes);
                match body.kind {
                    StatementKind::While { .. } | StatementKind::DoWhile { .. } | StatementKind::For { .. } => {
                        self.loop_statement(body, hint, out)
                    }
                    _ => {
                        self.reject_unroll_hint(attributes);
                        self.statement(body, out);
                    }
                }
            }
            StatementKind::Asm(asm) => self.assembly(asm, span, out),
        }
    }

    /// Block items, in the scope that is open.
    fn list(&mut self, items: &'a [ast::Statement<'a>]) -> &'h [Stmt<'h>] {
        let mut out = Vec::with_capacity(items.len());
        self.items(items, &mut out);
        self.arena.alloc_slice_copy(&out)
    }

    /// The same, to the end of `out`.
    pub(super) fn items(&mut self, items: &'a [ast::Statement<'a>], out: &mut Vec<Stmt<'h>>) {
        let around = self.body.local_labels.len();
        for (index, item) in items.iter().enumerate() {
            self.statement(item, out);
            self.empty_loop(item, items.get(index + 1));
        }
        self.close_labels(around);
        // A pragma at the start of a block holds to its end (C99 7.12.2).
        if let (Some(first), Some(last)) = (items.first(), items.last()) {
            self.program.contraction.end_block(first.span.lo, last.span.hi);
        }
    }

    /// An expression for its effects.
    fn effects(&mut self, e: &'a ast::Expr<'a>) -> ExprRef<'h> {
        let checked = self.expr(e);
        self.unused_value(e, checked.ty, "expression result unused");
        self.unused_result(e, checked);
        self.discard(checked)
    }

    /// A sub-statement: a scope of its own (C99 6.8.4, 6.8.5).
    fn sub_statement(&mut self, s: &'a ast::Statement<'a>) -> &'h [Stmt<'h>] {
        self.enter_scope();
        let body = match s.kind {
            StatementKind::Compound(items) => self.list(items),
            _ => {
                let mut out = Vec::with_capacity(1);
                self.statement(s, &mut out);
                self.arena.alloc_slice_copy(&out)
            }
        };
        self.leave_scope();
        body
    }

    fn condition(&mut self, e: &'a ast::Expr<'a>) -> ExprRef<'h> {
        self.assignment_as_condition(e);
        let value = self.value(e);
        self.condition_value(value)
    }

    fn if_chain(
        &mut self,
        arms: &'a [(&'a ast::Expr<'a>, &'a ast::Statement<'a>)],
        otherwise: Option<&'a ast::Statement<'a>>,
        span: Span,
        out: &mut Vec<Stmt<'h>>,
    ) {
        let mut checked = Vec::with_capacity(arms.len());
        for (condition, then) in arms {
            let condition = self.condition(condition);
            self.empty_body(then, "if");
            checked.push((condition, self.sub_statement(then)));
        }
        self.dangling_else(arms, otherwise);
        let mut rest: &'h [Stmt<'h>] = match otherwise {
            Some(s) => self.sub_statement(s),
            None => &[],
        };
        if checked.len() > LONGEST_CHAIN {
            return self.long_chain(&checked, rest, span, out);
        }
        while let Some((condition, then)) = checked.pop() {
            let place = if checked.is_empty() { span } else { condition.span };
            let kind = StmtKind::If { condition, then, otherwise: rest };
            rest = self.arena.alloc_slice_copy(&[Stmt { kind, span: place }]);
        }
        out.extend_from_slice(rest);
    }

    /// A chain of more `else if` than SPIR-V allows conditions inside each other: pieces of it one after the other, each
    /// of which says in a variable whether the next one is to be tried.
    fn long_chain(
        &mut self,
        arms: &[(ExprRef<'h>, &'h [Stmt<'h>])],
        otherwise: &'h [Stmt<'h>],
        span: Span,
        out: &mut Vec<Stmt<'h>>,
    ) {
        let ty = QualTy::plain(Ty::INT);
        let variable = self.add_private_variable(self.names.empty(), ty, 4, span);
        let place = self.make_lvalue(ExprKind::PrivateVariable(variable), ty, span);
        let undecided = self.set(place, 1, span);
        let found = self.set(place, 0, span);
        let pieces = arms.chunks(LONGEST_CHAIN / 2);
        let last = pieces.len().saturating_sub(1);
        for (index, piece) in pieces.enumerate() {
            let mut rest: &'h [Stmt<'h>] =
                if index == last { otherwise } else { self.arena.alloc_slice_copy(&[undecided]) };
            for (condition, then) in piece.iter().rev() {
                let mut then = then.to_vec();
                then.push(found);
                let then = self.arena.alloc_slice_copy(&then);
                let kind = StmtKind::If { condition, then, otherwise: rest };
                rest = self.arena.alloc_slice_copy(&[Stmt { kind, span: condition.span }]);
            }
            if index == 0 {
                out.extend_from_slice(rest);
                continue;
            }
            let value = self.lvalue_conversion(place);
            let condition = self.condition_value(value);
            out.push(Stmt { kind: StmtKind::If { condition, then: rest, otherwise: &[] }, span });
        }
    }

    fn set(&mut self, place: ExprRef<'h>, value: u64, span: Span) -> Stmt<'h> {
        let value = self.int(value, Ty::INT, span);
        let assignment = self.make(ExprKind::Assign { place, value }, Ty::INT, span);
        Stmt { kind: StmtKind::Expr(assignment), span }
    }

    fn loop_body(&mut self, s: &'a ast::Statement<'a>) -> &'h [Stmt<'h>] {
        self.body.loops += 1;
        self.body.breakable += 1;
        let body = self.sub_statement(s);
        self.body.loops -= 1;
        self.body.breakable -= 1;
        body
    }

    /// A loop's condition or step.
    fn loop_head(&mut self, check: impl FnOnce(&mut Self) -> ExprRef<'h>) -> ExprRef<'h> {
        self.body.loop_heads += 1;
        let checked = check(self);
        self.body.loop_heads -= 1;
        checked
    }

    fn loop_statement(&mut self, s: &'a ast::Statement<'a>, hint: LoopHint, out: &mut Vec<Stmt<'h>>) {
        let span = s.span;
        let hint = match (hint, self.unroll.get(&span.lo)) {
            (LoopHint::None, Some(pragma)) => *pragma,
            _ => hint,
        };
        let kind = match s.kind {
            StatementKind::While { condition, body } => {
                let condition = self.loop_head(|this| this.condition(condition));
                StmtKind::While { condition, body: self.loop_body(body), hint }
            }
            StatementKind::DoWhile { body, condition } => {
                let body = self.loop_body(body);
                StmtKind::DoWhile { body, condition: self.loop_head(|this| this.condition(condition)), hint }
            }
            StatementKind::For { init, condition, step, body } => {
                self.enter_scope();
                let mut first = Vec::new();
                match init {
                    ForInit::None => {}
                    ForInit::Expr(e) => {
                        let value = self.effects(e);
                        first.push(Stmt { kind: StmtKind::Expr(value), span: e.span });
                    }
                    ForInit::Declaration(declaration) => self.block_declaration(declaration, &mut first),
                }
                let condition = condition.map(|condition| self.loop_head(|this| this.condition(condition)));
                let step = step.map(|step| self.loop_head(|this| this.effects(step)));
                let body = self.loop_body(body);
                self.leave_scope();
                StmtKind::For { init: self.arena.alloc_slice_copy(&first), condition, step, body, hint }
            }
            _ => return self.statement(s, out),
        };
        out.push(Stmt { kind, span });
    }

    // --- switch ---

    fn switch(
        &mut self,
        selector: &'a ast::Expr<'a>,
        body: &'a ast::Statement<'a>,
        span: Span,
        out: &mut Vec<Stmt<'h>>,
    ) {
        let value = self.value(selector);
        let mut selector = self.promote(value);
        if selector.ty.ty != Ty::ERROR && !matches!(self.kind(selector.ty.ty), TyKind::Int(_)) {
            let text = self.quoted(value.ty.ty);
            self.error(value.span, format!("statement requires expression of integer type ({text} invalid)"));
            selector = self.error_expr(value.span);
        }
        self.body.switches.push(Switch {
            ty: selector.ty.ty,
            cases: Vec::new(),
            values: FxHashMap::default(),
            ranges: Vec::new(),
            default: None,
        });
        self.empty_body(body, "switch");
        self.body.breakable += 1;
        let body = self.sub_statement(body);
        self.body.breakable -= 1;
        let switch = self.body.switches.pop();
        if let Some(switch) = &switch {
            self.missing_enumerators(value, switch);
        }
        let cases = switch.map_or(Vec::new(), |switch| switch.cases);
        let cases = self.arena.alloc_slice_copy(&cases);
        out.push(Stmt { kind: StmtKind::Switch { selector, cases, body }, span });
    }

    fn case(&mut self, low: &'a ast::Expr<'a>, high: Option<&'a ast::Expr<'a>>, span: Span, out: &mut Vec<Stmt<'h>>) {
        let Some(ty) = self.body.switches.last().map(|switch| switch.ty) else {
            self.error(span, "'case' statement not in switch statement");
            return;
        };
        let first = self.case_value(low, ty);
        let last = match high {
            Some(high) => self.case_value(high, ty),
            None => first,
        };
        let (Some(first), Some(last)) = (first, last) else { return };
        let signed = self.int_kind(ty).is_some_and(|kind| kind.is_signed());
        let less = |a: u64, b: u64| if signed { a.cast_signed() < b.cast_signed() } else { a < b };
        if less(last, first) {
            self.warning(WarningFlag::EmptyCaseRange, span, "empty case range specified");
            return;
        }
        let overlaps = |range: (u64, u64)| !less(last, range.0) && !less(range.1, first);
        let Some(switch) = self.body.switches.last_mut() else { return };
        let single = first == last;
        let mut duplicate = if single { switch.values.get(&first).copied() } else { None };
        if duplicate.is_none() {
            // Ranges are few; single values need the search only when a range comes after them.
            let find = |cases: &[CaseLabel], index: u32| {
                cases.get(index as usize).filter(|case| case.range.is_some_and(overlaps)).map(|case| case.span)
            };
            duplicate = switch.ranges.iter().find_map(|index| find(&switch.cases, *index));
            if !single && duplicate.is_none() {
                duplicate = switch.values.iter().find(|(value, _)| overlaps((**value, **value))).map(|(_, span)| *span);
            }
        }
        let place = high.map_or(low.span, |high| low.span.to(high.span));
        let index = to_u32(switch.cases.len());
        switch.cases.push(CaseLabel { range: Some((first, last)), span: place });
        if single {
            switch.values.insert(first, place);
        } else {
            switch.ranges.push(index);
        }
        out.push(Stmt { kind: StmtKind::Case(index), span: place });
        if let Some(previous) = duplicate {
            let text = if signed { first.cast_signed().to_string() } else { first.to_string() };
            self.error_with_note(
                place,
                format!("duplicate case value '{text}'"),
                previous,
                "previous case defined here",
            );
        }
    }

    /// A case's value, converted to the selector's type.
    fn case_value(&mut self, e: &'a ast::Expr<'a>, ty: Ty) -> Option<u64> {
        let checked = self.value(e);
        if checked.ty.ty == Ty::ERROR {
            return None;
        }
        let Some((value, _)) = self.folded_integer(checked) else {
            let message = match self.int_kind(checked.ty.ty) {
                Some(_) => "expression is not an integer constant expression".to_string(),
                None => {
                    let text = self.quoted(checked.ty.ty);
                    format!("integer constant expression must have integer type, not {text}")
                }
            };
            self.error(e.span, message);
            return None;
        };
        if ty == Ty::ERROR {
            return None;
        }
        let folded = self.int(value, checked.ty.ty, e.span);
        let converted = self.convert(folded, ty);
        self.integer_constant(converted).map(|(value, _)| value)
    }

    fn default(&mut self, span: Span, out: &mut Vec<Stmt<'h>>) {
        let place = Span::token(span.lo);
        let Some(switch) = self.body.switches.last_mut() else {
            self.error(place, "'default' statement not in switch statement");
            return;
        };
        let previous = switch.default.replace(place);
        let index = to_u32(switch.cases.len());
        switch.cases.push(CaseLabel { range: None, span: place });
        out.push(Stmt { kind: StmtKind::Case(index), span: place });
        if let Some(previous) = previous {
            self.error_with_note(
                place,
                "multiple default labels in one switch",
                previous,
                "previous case defined here",
            );
        }
    }

    // --- jumps ---

    pub(super) fn define_label(&mut self, name: Symbol, span: Span, out: &mut Vec<Stmt<'h>>) {
        let id = self.label(name, span, true);
        out.push(Stmt { kind: StmtKind::Label(id), span });
    }

    fn label(&mut self, name: Symbol, span: Span, defines: bool) -> LabelId {
        let next = LabelId(self.body.label_count);
        let label = self.body.labels.entry(name).or_insert(Label { id: next, defined: None, used: None });
        let id = label.id;
        self.body.label_count += u32::from(id == next);
        if !defines {
            label.used.get_or_insert(span);
            return id;
        }
        if let Some(previous) = label.defined.replace(span) {
            let message = format!("redefinition of label '{}'", self.text(name));
            self.error_with_note(span, message, previous, "previous definition is here");
        }
        id
    }

    /// The end of a block: its local labels end, and those that they hid are visible again.
    fn close_labels(&mut self, around: usize) {
        while self.body.local_labels.len() > around
            && let Some((name, hidden)) = self.body.local_labels.pop()
        {
            let label = match hidden {
                Some(hidden) => self.body.labels.insert(name, hidden),
                None => self.body.labels.remove(&name),
            };
            if let Some(Label { defined: None, used: Some(span), .. }) = label
                && !self.body.has_skipped
            {
                let message = format!("use of undeclared label '{}'", self.text(name));
                self.error(span, message);
            }
        }
    }

    /// Reports jumps to labels that are not defined.
    pub(super) fn check_labels(&mut self) {
        if self.body.has_skipped {
            return;
        }
        let mut missing: Vec<(Span, Symbol)> = self
            .body
            .labels
            .iter()
            .filter(|(_, label)| label.defined.is_none())
            .filter_map(|(name, label)| label.used.map(|span| (span, *name)))
            .collect();
        missing.sort_by_key(|(span, _)| span.lo);
        for (span, name) in missing {
            let message = format!("use of undeclared label '{}'", self.text(name));
            self.error(span, message);
        }
    }

    /// A statement with a syntax error: what it may have declared is used without a message.
    fn skipped(&mut self, names: &[Symbol], span: Span) {
        self.body.has_skipped = true;
        for name in names {
            if self.ordinary.find(*name).is_none() {
                self.poison(*name, span);
            }
        }
    }

    fn return_statement(&mut self, value: Option<&'a ast::Expr<'a>>, span: Span, out: &mut Vec<Stmt<'h>>) {
        if let Some(deduced) = self.body.deduced_result {
            return self.deducing_return(deduced, value, span, out);
        }
        let result = self.body.result;
        self.body.returns = true;
        let function = self.body.function.and_then(|id| self.program.functions.get(id));
        let name = function.map_or(String::new(), |function| self.text(function.name).to_string());
        let Some(e) = value else {
            if result != Ty::VOID && result != Ty::ERROR {
                self.error(span, format!("non-void function '{name}' should return a value"));
            }
            out.push(Stmt { kind: StmtKind::Return(None), span });
            return;
        };
        if result == Ty::VOID {
            let checked = self.expr(e);
            if checked.ty.ty != Ty::VOID && checked.ty.ty != Ty::ERROR {
                self.error(span, format!("void function '{name}' should not return a value"));
            }
            let value = self.discard(checked);
            out.push(Stmt { kind: StmtKind::Expr(value), span: e.span });
            out.push(Stmt { kind: StmtKind::Return(None), span });
            return;
        }
        let value = self.value(e);
        let value = self.convert_for_assignment(value, result, AssignmentAction::Returning);
        out.push(Stmt { kind: StmtKind::Return(Some(value)), span });
    }
}
