//! Structured statements.

use super::context::{Frame, FunctionLowering, Leave};
use super::place::Pointer;
use super::types::is_aggregate;
use clforge_ir::error::Unsupported;
use clforge_ir::{Error, LoopHint, Op, RegionId, ScalarType, Value, Values};
use clforge_sema::hir::{self, Expr, Init, PrivateVariableId, Stmt, StmtKind};

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    /// Statements in order, up to where control leaves.
    pub fn block(&mut self, statements: &'h [Stmt<'h>]) {
        for statement in statements {
            if self.b.is_terminated() {
                return;
            }
            self.statement(statement);
        }
    }

    pub fn statement(&mut self, statement: &'h Stmt<'h>) {
        self.b.span = statement.span;
        if self.m.is_too_large(self.b.function.insts.len(), statement.span) {
            return;
        }
        match statement.kind {
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Declare { variable, init } => self.declare(variable, init),
            StmtKind::Block(body) => self.block(body),
            StmtKind::If { condition, then, otherwise } => self.if_statement(condition, then, otherwise),
            StmtKind::While { condition, body, hint } => {
                self.loop_statement(Some(condition), body, None, loop_hint(hint));
            }
            StmtKind::For { init, condition, step, body, hint } => {
                self.block(init);
                self.loop_statement(condition, body, step, loop_hint(hint));
            }
            StmtKind::DoWhile { body, condition, hint } => self.do_while(body, condition, loop_hint(hint)),
            StmtKind::Switch { selector, cases, body } => self.switch(selector, cases, body),
            StmtKind::Break => self.leave_frame(true),
            StmtKind::Continue => self.leave_frame(false),
            StmtKind::Return(value) => self.return_statement(value),
            // A label no `goto` of the body names; those of a `switch` it flattens itself.
            StmtKind::Label(_) => {}
            StmtKind::Case(_) => {
                self.m.report(&Error::unsupported(Unsupported::CaseInExpression).at(statement.span));
            }
            StmtKind::Goto(_) => self.internal("a 'goto' outside of a graph"),
        }
    }

    fn declare(&mut self, local: PrivateVariableId, init: Option<&'h Init<'h>>) {
        let Some((ty, align)) = self.local(local).map(|local| (local.ty.ty, local.align)) else {
            return self.internal("a declaration of another function's variable");
        };
        if let Some(init) = init {
            let value = self.slot(local);
            return self.initialize(Pointer { value, align, declared: true }, ty, init);
        }
        let in_loop = self.frames.iter().any(|frame| frame.is_loop);
        if in_loop && !is_aggregate(self.types, ty) {
            // The value of the iteration before is gone: saying so keeps it from being carried around the loop.
            let value = self.slot(local);
            let memory = super::types::in_memory(self.value_type(ty));
            if matches!(memory.scalar, ScalarType::Opaque(_)) {
                return;
            }
            let undefined = self.b.undef(memory);
            self.store_at(value, undefined, align, false);
        }
    }

    fn if_statement(&mut self, condition: &'h Expr<'h>, then: &'h [Stmt<'h>], otherwise: &'h [Stmt<'h>]) {
        let condition = self.condition(condition);
        if let Some(known) = self.b.function.as_int(condition) {
            return self.block(if known != 0 { then } else { otherwise });
        }
        let span = self.b.span;
        let mut side = |statements| {
            self.region(|this| {
                this.block(statements);
                this.end_region();
            })
        };
        let (then, otherwise) = (side(then), side(otherwise));
        self.b.span = span;
        self.b.effect(Op::If { condition, then, otherwise });
        if !self.falls_through(then) && !self.falls_through(otherwise) {
            self.b.effect(Op::Unreachable);
        }
    }

    pub fn falls_through(&self, region: RegionId) -> bool {
        matches!(self.b.function.terminator(region), Some(Op::Yield(_)))
    }

    /// `while` and `for`: the condition is tested where the body begins.
    fn loop_statement(
        &mut self,
        condition: Option<&'h Expr<'h>>,
        body: &'h [Stmt<'h>],
        step: Option<&'h Expr<'h>>,
        hint: LoopHint,
    ) {
        let span = self.b.span;
        self.frames.push(Frame { is_loop: true, ..Frame::default() });
        let body = self.region(|this| {
            if let Some(condition) = condition {
                this.leave_unless(condition);
            }
            this.block(body);
            this.end_iteration();
        });
        let frame = self.frames.pop();
        let continuing = self.region(|this| {
            if let Some(step) = step {
                this.b.span = step.span;
                this.effect(step);
            }
            this.b.effect(Op::Next(Values::new()));
        });
        self.b.span = span;
        self.b.effect(Op::Loop { inits: Values::new(), body, continuing, hint });
        if frame.is_none_or(|frame| frame.breaks == 0) {
            self.b.effect(Op::Unreachable);
        }
    }

    /// `if !condition break`, unless the condition is known.
    fn leave_unless(&mut self, condition: &'h Expr<'h>) {
        self.b.span = condition.span;
        let condition = self.condition(condition);
        match self.b.function.as_int(condition) {
            Some(0) => self.leave_frame(true),
            Some(_) => {}
            None => {
                let then = self.region(|this| this.b.effect(Op::Yield(Values::new())));
                let otherwise = self.region(|this| this.leave_frame(true));
                self.b.effect(Op::If { condition, then, otherwise });
            }
        }
    }

    /// The end of a loop's body.
    fn end_iteration(&mut self) {
        if !self.b.is_terminated() {
            self.leave_frame(false);
        }
    }

    fn do_while(&mut self, body: &'h [Stmt<'h>], condition: &'h Expr<'h>, hint: LoopHint) {
        let span = self.b.span;
        self.frames.push(Frame { is_loop: true, ..Frame::default() });
        let body = self.region(|this| this.block(body));
        let frame = self.frames.pop().unwrap_or(Frame { is_loop: true, ..Frame::default() });
        let mut continuing_condition = None;
        let continuing = self.region(|this| {
            this.b.span = condition.span;
            continuing_condition = Some(this.condition(condition));
        });
        let Some(condition) = continuing_condition else { return };
        let known = self.b.function.as_int(condition);
        if known == Some(0) && frame.breaks == 0 && frame.continues == 0 {
            // `do { … } while (0)` that nothing leaves early is a block.
            return self.splice(body);
        }
        if self.b.function.terminator(body).is_none() {
            self.b.enter(body);
            self.b.effect(Op::Continue(Values::new()));
            self.b.leave();
        }
        self.b.enter(continuing);
        self.b.effect(match known {
            Some(0) | None => Op::NextIf { condition, next: Values::new(), results: Values::new() },
            Some(_) => Op::Next(Values::new()),
        });
        self.b.leave();
        self.b.span = span;
        self.b.effect(Op::Loop { inits: Values::new(), body, continuing, hint });
        // Where nothing reaches the condition, only `break` leaves.
        let iterates = frame.continues > 0 || matches!(self.b.function.terminator(body), Some(Op::Continue(_)));
        let leaves = frame.breaks > 0 || (iterates && !matches!(known, Some(known) if known != 0));
        if !leaves {
            self.b.effect(Op::Unreachable);
        }
    }

    /// Moves a region's instructions to the end of the current one.
    fn splice(&mut self, region: RegionId) {
        let insts = std::mem::take(&mut self.b.function.region_mut(region).insts);
        let current = self.b.region();
        self.b.function.region_mut(current).insts.extend(insts);
    }

    /// `break` or `continue`.
    pub fn leave_frame(&mut self, is_break: bool) {
        let leaves = |frame: &&mut Frame| is_break || frame.is_loop || frame.closed || frame.captured.is_some();
        let frame = self.frames.iter_mut().rev().find(leaves);
        let Some(frame) = frame.filter(|frame| !frame.closed) else {
            self.internal("a jump out of a graph");
            return self.b.effect(Op::Unreachable);
        };
        if let Some(captured) = frame.captured.clone() {
            return self.leave_captured(&captured, if is_break { Leave::Break } else { Leave::Continue });
        }
        if is_break {
            frame.breaks += 1;
            self.b.effect(Op::Break(Values::new()));
        } else {
            frame.continues += 1;
            self.b.effect(Op::Continue(Values::new()));
        }
    }

    /// Jumps out of a statement expression.
    pub fn leave_expression(&mut self, leave: Leave) {
        match (leave, self.frames.last().and_then(|frame| frame.captured.clone())) {
            (Leave::Label(_), Some(captured)) => self.leave_captured(&captured, leave),
            (Leave::Label(_), None) => self.internal("a 'goto' outside of a graph"),
            (Leave::Break | Leave::Continue, _) => self.leave_frame(leave == Leave::Break),
        }
    }

    fn return_statement(&mut self, value: Option<&'h Expr<'h>>) {
        let mut result: Option<Value> = None;
        if let Some(value) = value {
            if let (true, Some(to)) = (is_aggregate(self.types, value.ty.ty), self.result) {
                let align = self.types.align_of(value.ty.ty);
                self.aggregate_into(Pointer { value: to, align, declared: true }, value);
            } else {
                result = self.expr(value);
            }
        }
        match (self.b.function.result, result) {
            (Some(_), None) => self.return_undefined(),
            (None, _) => self.b.effect(Op::Return(None)),
            (_, result) => self.b.effect(Op::Return(result)),
        }
    }
}

pub(super) fn loop_hint(hint: hir::LoopHint) -> LoopHint {
    match hint {
        hir::LoopHint::None => LoopHint::None,
        hir::LoopHint::Unroll => LoopHint::Unroll,
        hir::LoopHint::UnrollBy(count) => LoopHint::UnrollBy(count),
        hir::LoopHint::DontUnroll => LoopHint::DontUnroll,
    }
}
