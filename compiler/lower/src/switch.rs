//! `switch` whose case labels stand at the top of its body.

use super::context::{Frame, FunctionLowering};
use clforge_ir::{self as ir, Case, CompareOp, Op, Type, Value, Values, constant};
use clforge_sema::hir::{CaseLabel, Expr, Stmt, StmtKind, Ty};
use smallvec::SmallVec;

/// A `case` range of more values than that is a comparison.
const MAX_RANGE: u64 = 64;

/// Statements from one group of labels to the next.
#[derive(Default)]
struct Segment<'h> {
    labels: Vec<u32>,
    statements: Vec<&'h Stmt<'h>>,
}

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    pub fn switch(&mut self, selector: &'h Expr<'h>, cases: &'h [CaseLabel], body: &'h [Stmt<'h>]) {
        let span = self.b.span;
        let selector_ty = selector.ty.ty;
        let selector = self.value(selector);
        let selector = self.narrow_ranges(selector, selector_ty, cases);
        let mut segments = Vec::new();
        flatten(body, &mut segments);
        self.frames.push(Frame::default());
        let ty = self.b.ty(selector);
        let mut ir_cases: Vec<Case> = Vec::with_capacity(segments.len() + 1);
        let has_default = cases.iter().any(|case| case.range.is_none());
        let count = segments.len();
        for (index, segment) in segments.into_iter().enumerate() {
            let region = self.region(|this| this.segment(&segment.statements, index + 1 < count));
            let (values, default) = case_values(ty, cases, &segment.labels);
            ir_cases.push(Case { values, default, region });
        }
        if !has_default {
            let region = self.region(|this| this.leave_frame(true));
            ir_cases.push(Case { values: SmallVec::new(), default: true, region });
        }
        let frame = self.frames.pop();
        self.b.span = span;
        self.b.effect(Op::Switch { selector, inputs: Values::new(), cases: ir_cases });
        if frame.is_none_or(|frame| frame.breaks == 0) {
            self.b.effect(Op::Unreachable);
        }
    }

    /// One case's statements; at the end control falls into the next case, or leaves.
    fn segment(&mut self, statements: &[&'h Stmt<'h>], has_next: bool) {
        for statement in statements {
            if self.b.is_terminated() {
                return;
            }
            self.statement(statement);
        }
        if self.b.is_terminated() {
            return;
        }
        if has_next {
            self.b.effect(Op::Fallthrough(Values::new()));
        } else {
            self.leave_frame(true);
        }
    }

    /// Replaces a selector in a large range by the range's first value, which is the only label of the case.
    pub fn narrow_ranges(&mut self, selector: Value, ty: Ty, cases: &[CaseLabel]) -> Value {
        let signed = self.is_signed(ty);
        let ty = self.b.ty(selector);
        let mut result = selector;
        for (low, high) in cases.iter().filter_map(|case| case.range) {
            if high.wrapping_sub(low) < MAX_RANGE {
                continue;
            }
            let (first, last) = (self.b.int(ty, low.cast_signed()), self.b.int(ty, high.cast_signed()));
            let (at_least, at_most) =
                if signed { (CompareOp::SGe, CompareOp::SLe) } else { (CompareOp::UGe, CompareOp::ULe) };
            let above = self.b.compare(at_least, selector, first);
            let below = self.b.compare(at_most, selector, last);
            let inside = self.b.binary(ir::BinaryOp::And, above, below);
            result = self.b.select(inside, first, result);
        }
        result
    }
}

/// The values of a group of labels, and whether the default is one of them.
pub(super) fn case_values(ty: Type, cases: &[CaseLabel], labels: &[u32]) -> (SmallVec<[u64; 2]>, bool) {
    let (mut values, mut default) = (SmallVec::new(), false);
    for label in labels.iter().filter_map(|label| cases.get(*label as usize)) {
        let Some((low, high)) = label.range else {
            default = true;
            continue;
        };
        let count = high.wrapping_sub(low);
        let count = if count < MAX_RANGE { count } else { 0 };
        let mask = constant::mask(ty.scalar);
        values.extend((0..=count).map(|offset| low.wrapping_add(offset) & mask));
    }
    (values, default)
}

/// Splits a switch body at its labels, looking into blocks; what stands before the first label is never reached.
fn flatten<'h>(body: &'h [Stmt<'h>], segments: &mut Vec<Segment<'h>>) {
    for statement in body {
        match statement.kind {
            StmtKind::Case(label) => match segments.last_mut() {
                Some(segment) if segment.statements.is_empty() => segment.labels.push(label),
                _ => segments.push(Segment { labels: vec![label], statements: Vec::new() }),
            },
            StmtKind::Block(inner) => flatten(inner, segments),
            _ => {
                if let Some(segment) = segments.last_mut() {
                    segment.statements.push(statement);
                }
            }
        }
    }
}
