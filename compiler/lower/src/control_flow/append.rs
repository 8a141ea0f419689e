//! Appends the basic blocks of a control-flow graph of statements for the structurizer.

use super::{End, Graph, Step};
use crate::context::{BlockId, Captured, Frame, FunctionLowering, Leave};
use crate::switch::case_values;
use clforge_basic::narrow::{to_i64, to_u32};
use clforge_ir::structurize::{self, ControlFlow, SwitchTarget, structurize};
use clforge_ir::{Builder, LoopHint, Op, Type, Value, Values};
use clforge_sema::hir::{CaseLabel, Expr};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A graph with the function that it is appended to.
struct StatementGraph<'l, 'f, 'm, 'a, 'h> {
    lowering: &'l mut FunctionLowering<'f, 'm, 'a, 'h>,
    graph: Graph<'h>,
    /// The state variable of the structurizer.
    state: Value,
}

impl<'f, 'h> ControlFlow<'f> for StatementGraph<'_, 'f, '_, '_, 'h> {
    fn builder(&mut self) -> &mut Builder<'f> {
        &mut self.lowering.b
    }

    fn successors(&self, block: BlockId) -> SmallVec<[BlockId; 4]> {
        self.graph.successors(block)
    }

    fn append(&mut self, block: BlockId) -> structurize::End {
        for step in std::mem::take(&mut self.graph.blocks[block].steps) {
            match step {
                _ if self.lowering.b.is_terminated() => return structurize::End::Leave,
                Step::Statement(statement) => self.lowering.statement(statement),
                Step::Effect(effect) => self.lowering.effect(effect),
            }
        }
        if self.lowering.b.is_terminated() {
            return structurize::End::Leave;
        }
        match self.graph.blocks[block].end {
            End::Leave => {
                self.lowering.return_undefined();
                structurize::End::Leave
            }
            End::Jump(to) => structurize::End::Jump(self.graph.arrivals[to]),
            End::Branch(condition, then, otherwise) => {
                let condition = self.lowering.condition(condition);
                let [then, otherwise] = [then, otherwise].map(|block| self.graph.arrivals[block]);
                structurize::End::Branch { condition, then, otherwise }
            }
            End::Switch { selector, cases, first, exit } => self.switch(selector, cases, (first, exit)),
        }
    }

    fn hint(&self, block: BlockId) -> LoopHint {
        self.graph.blocks[block].hint
    }

    fn enter_captured(&mut self, block: BlockId) -> SmallVec<[BlockId; 4]> {
        let leaves = std::mem::take(&mut self.graph.blocks[block].leaves);
        if leaves.is_empty() {
            return SmallVec::new();
        }
        let leaves: BTreeMap<_, _> =
            leaves.into_iter().map(|(leave, target)| (leave, self.graph.arrivals[target])).collect();
        let targets = leaves.values().copied().collect();
        let captured = Captured { state: self.state, leaves: Rc::new(leaves) };
        self.lowering.frames.push(Frame { captured: Some(captured), ..Frame::default() });
        targets
    }

    fn leave_captured(&mut self) {
        self.lowering.frames.pop();
    }

    fn leave_graph(&mut self, exit: BlockId) {
        let leave = self.graph.exits.iter().find(|(_, block)| **block == exit).map(|(leave, _)| *leave);
        match leave {
            Some(leave) => {
                // The graph's own frame takes no jumps.
                let frame = self.lowering.frames.pop();
                self.lowering.leave_expression(leave);
                self.lowering.frames.extend(frame);
            }
            None => self.lowering.internal("an exit that the graph does not have"),
        }
    }
}

impl<'h> StatementGraph<'_, '_, '_, '_, 'h> {
    fn switch(
        &mut self,
        selector: &'h Expr<'h>,
        cases: &'h [CaseLabel],
        (first, exit): (BlockId, BlockId),
    ) -> structurize::End {
        let ty = selector.ty.ty;
        let selector = self.lowering.value(selector);
        let selector = self.lowering.narrow_ranges(selector, ty, cases);
        let ty = self.lowering.b.ty(selector);
        // Labels with the same target are one case, as in `Graph::successors`.
        let mut places: Vec<(BlockId, u32)> =
            (0..to_u32(cases.len())).map(|label| (self.graph.arrivals[first + label as usize], label)).collect();
        places.sort_unstable();
        let mut targets: Vec<SwitchTarget> = Vec::with_capacity(cases.len() + 1);
        for group in places.chunk_by(|a, b| a.0 == b.0) {
            let Some((block, _)) = group.first() else { continue };
            let labels: SmallVec<[u32; 4]> = group.iter().map(|(_, label)| *label).collect();
            let (values, default) = case_values(ty, cases, &labels);
            targets.push(SwitchTarget { values, default, block: *block });
        }
        if cases.iter().all(|case| case.range.is_some()) {
            targets.push(SwitchTarget { values: SmallVec::new(), default: true, block: self.graph.arrivals[exit] });
        }
        structurize::End::Switch { selector, cases: targets }
    }
}

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    /// Appends a graph; `next`: the block after which the enclosing code continues.
    pub(super) fn build_graph(&mut self, graph: Graph<'h>, next: Option<BlockId>) {
        let exits: Vec<BlockId> = graph.exits.values().copied().collect();
        let state = self.alloca(4, 4);
        self.frames.push(Frame { closed: true, ..Frame::default() });
        let mut graph = StatementGraph { lowering: self, graph, state };
        let done = structurize(&mut graph, state, &exits, next);
        self.frames.pop();
        if let Err(error) = done {
            self.m.report(&error.at(self.b.span));
        }
    }

    /// Jumps out of the middle of an expression.
    pub(crate) fn leave_captured(&mut self, captured: &Captured, leave: Leave) {
        match captured.leaves.get(&leave) {
            Some(target) => {
                let number = self.b.int(Type::I32, to_i64(*target));
                self.b.store(captured.state, number, 4);
                self.b.effect(Op::Break(Values::new()));
            }
            None => {
                self.internal("a jump that leaves no statement expression");
                self.b.effect(Op::Unreachable);
            }
        }
    }
}
