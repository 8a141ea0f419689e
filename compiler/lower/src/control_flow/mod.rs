//! Unstructured statements: `goto`, and `case` labels inside other statements, as a control-flow graph.
//!
//! A statement that jumps, that is the target of a jump, or that contains such a statement becomes basic blocks of the
//! graph. All other statements stay whole inside a basic block. The structurizer ([`clforge_ir::structurize`]) converts
//! the graph to regions.
//!
//! A jump out of a statement expression abandons the evaluation of an expression. The basic block with that expression
//! is placed in a loop that runs once: the jump sets the state variable and breaks. A statement expression with labels
//! has a graph of its own, and each target of its jumps outside is an exit of that graph.

mod append;
mod facts;

use super::context::{BlockId, FunctionLowering, Leave};
use super::statement::loop_hint;
use clforge_basic::source::Span;
use clforge_ir::error::Invalid;
use clforge_ir::{Error, LoopHint};
use clforge_sema::hir::{self, CaseLabel, Expr, Stmt, StmtKind};
use facts::Facts;
pub(super) use facts::is_needed;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;

#[derive(Clone, Copy)]
enum Step<'h> {
    Statement(&'h Stmt<'h>),
    Effect(&'h Expr<'h>),
}

/// The terminator of a block.
#[derive(Clone, Copy, Default)]
enum End<'h> {
    /// The function ends, or the last step does not return here.
    #[default]
    Leave,
    Jump(BlockId),
    Branch(&'h Expr<'h>, BlockId, BlockId),
    /// Blocks of the cases are `first`, `first + 1`, …
    Switch {
        selector: &'h Expr<'h>,
        cases: &'h [CaseLabel],
        first: BlockId,
        exit: BlockId,
    },
}

#[derive(Default)]
struct Block<'h> {
    steps: Vec<Step<'h>>,
    end: End<'h>,
    /// The targets of jumps out of its statement expressions.
    leaves: BTreeMap<Leave, BlockId>,
    /// The hint of the loop that begins here.
    hint: LoopHint,
}

/// The targets of `break`, `continue` and case labels of the enclosing statements.
#[derive(Clone, Copy, Default)]
struct Targets {
    on_break: Option<BlockId>,
    on_continue: Option<BlockId>,
    first_case: Option<BlockId>,
}

/// The control-flow graph of some statements.
struct Graph<'h> {
    blocks: Vec<Block<'h>>,
    current: BlockId,
    labels: FxHashMap<u32, BlockId>,
    /// A `goto` of each label that has not been found yet.
    open: FxHashMap<u32, Span>,
    /// Jumps out of the graph, each with a block that represents its target.
    exits: BTreeMap<Leave, BlockId>,
    /// Whether to look for jumps in expressions.
    in_expressions: bool,
    /// The block that a jump to each block reaches, with empty blocks threaded (jump threading).
    arrivals: Vec<BlockId>,
}

impl<'h> Graph<'h> {
    fn new_block(&mut self) -> BlockId {
        self.blocks.push(Block::default());
        self.blocks.len() - 1
    }

    /// Ends the current block; `next` becomes the current one.
    fn end(&mut self, end: End<'h>, next: BlockId) {
        self.blocks[self.current].end = end;
        self.current = next;
    }

    /// Ends the current block by a jump; statements up to the next label are unreachable.
    fn jump(&mut self, to: BlockId) {
        let dead = self.new_block();
        self.end(End::Jump(to), dead);
    }

    fn label(&mut self, label: u32) -> BlockId {
        if let Some(block) = self.labels.get(&label) {
            return *block;
        }
        let block = self.new_block();
        self.labels.insert(label, block);
        block
    }

    fn add(&mut self, statements: &'h [Stmt<'h>], targets: Targets) {
        for statement in statements {
            self.add_one(statement, targets);
        }
    }

    /// The target of a `goto` at `span`.
    fn goto(&mut self, label: u32, span: Span) -> BlockId {
        if !self.labels.contains_key(&label) {
            self.open.insert(label, span);
        }
        self.label(label)
    }

    /// The block that represents a target outside of the graph.
    fn exit(&mut self, leave: Leave) -> BlockId {
        if let Some(block) = self.exits.get(&leave) {
            return *block;
        }
        let block = self.new_block();
        self.exits.insert(leave, block);
        block
    }

    fn target(&mut self, leave: Leave, targets: Targets, span: Span) -> BlockId {
        let inside = match leave {
            Leave::Label(label) => return self.goto(label, span),
            Leave::Break => targets.on_break,
            Leave::Continue => targets.on_continue,
        };
        inside.unwrap_or_else(|| self.exit(leave))
    }

    /// Adds the jumps of an expression that the current block evaluates.
    fn evaluates(&mut self, e: &'h Expr<'h>, targets: Targets) {
        if !self.in_expressions {
            return;
        }
        for leave in facts::leaves_of(e) {
            let target = self.target(leave, targets, e.span);
            self.blocks[self.current].leaves.insert(leave, target);
        }
    }

    fn step(&mut self, statement: &'h Stmt<'h>, targets: Targets) {
        facts::each_expression(statement, &mut |e| self.evaluates(e, targets));
        self.blocks[self.current].steps.push(Step::Statement(statement));
    }

    fn branch(&mut self, condition: &'h Expr<'h>, to: (BlockId, BlockId), targets: Targets, next: BlockId) {
        self.evaluates(condition, targets);
        self.end(End::Branch(condition, to.0, to.1), next);
    }

    fn add_one(&mut self, statement: &'h Stmt<'h>, targets: Targets) {
        if let StmtKind::Return(_) = statement.kind {
            self.step(statement, targets);
            let dead = self.new_block();
            return self.end(End::Leave, dead);
        }
        if !Facts::of_one(statement, self.in_expressions).any() {
            return self.blocks[self.current].steps.push(Step::Statement(statement));
        }
        match statement.kind {
            StmtKind::Goto(label) => {
                let block = self.goto(label.0, statement.span);
                self.jump(block);
            }
            StmtKind::Label(label) => {
                self.open.remove(&label.0);
                let block = self.label(label.0);
                self.end(End::Jump(block), block);
            }
            StmtKind::Case(index) => {
                if let Some(first) = targets.first_case {
                    let block = first + index as usize;
                    self.end(End::Jump(block), block);
                }
            }
            StmtKind::Break => {
                let block = self.target(Leave::Break, targets, statement.span);
                self.jump(block);
            }
            StmtKind::Continue => {
                let block = self.target(Leave::Continue, targets, statement.span);
                self.jump(block);
            }
            StmtKind::Block(body) => self.add(body, targets),
            StmtKind::If { condition, then, otherwise } => {
                let (then_block, else_block, join) = (self.new_block(), self.new_block(), self.new_block());
                self.branch(condition, (then_block, else_block), targets, then_block);
                self.add(then, targets);
                self.end(End::Jump(join), else_block);
                self.add(otherwise, targets);
                self.end(End::Jump(join), join);
            }
            StmtKind::While { condition, body, hint } => self.add_loop(Some(condition), body, None, targets, hint),
            StmtKind::For { init, condition, step, body, hint } => {
                self.add(init, targets);
                self.add_loop(condition, body, step, targets, hint);
            }
            StmtKind::DoWhile { body, condition, hint } => {
                let (head, test, exit) = (self.new_block(), self.new_block(), self.new_block());
                self.blocks[head].hint = loop_hint(hint);
                self.end(End::Jump(head), head);
                let inside = Targets { on_break: Some(exit), on_continue: Some(test), ..targets };
                self.add(body, inside);
                self.end(End::Jump(test), test);
                self.branch(condition, (head, exit), inside, exit);
            }
            StmtKind::Switch { selector, cases, body } => {
                let first = self.blocks.len();
                self.blocks.resize_with(first + cases.len(), Block::default);
                let (exit, dead) = (self.new_block(), self.new_block());
                self.evaluates(selector, targets);
                self.end(End::Switch { selector, cases, first, exit }, dead);
                self.add(body, Targets { on_break: Some(exit), first_case: Some(first), ..targets });
                self.end(End::Jump(exit), exit);
            }
            StmtKind::Expr(_) | StmtKind::Declare { .. } | StmtKind::Return(_) => self.step(statement, targets),
        }
    }

    fn add_loop(
        &mut self,
        condition: Option<&'h Expr<'h>>,
        body: &'h [Stmt<'h>],
        step: Option<&'h Expr<'h>>,
        targets: Targets,
        hint: hir::LoopHint,
    ) {
        let (head, first, next, exit) = (self.new_block(), self.new_block(), self.new_block(), self.new_block());
        self.blocks[head].hint = loop_hint(hint);
        self.end(End::Jump(head), head);
        let inside = Targets { on_break: Some(exit), on_continue: Some(next), ..targets };
        match condition {
            Some(condition) => self.branch(condition, (first, exit), inside, first),
            None => self.end(End::Jump(first), first),
        }
        self.add(body, inside);
        self.end(End::Jump(next), next);
        if let Some(step) = step {
            self.evaluates(step, inside);
            self.blocks[next].steps.push(Step::Effect(step));
        }
        self.end(End::Jump(head), exit);
    }

    /// Threads jumps through empty blocks. Paths are shared, so that the time is linear in the number of blocks.
    fn find_arrivals(&mut self) {
        self.arrivals = vec![usize::MAX; self.blocks.len()];
        for block in 0..self.blocks.len() {
            let mut path: SmallVec<[BlockId; 8]> = SmallVec::new();
            let mut at = block;
            while self.arrivals[at] == usize::MAX {
                // Set first, so that an empty endless loop ends the walk: it reaches the block where it is entered.
                self.arrivals[at] = at;
                path.push(at);
                match self.blocks[at].end {
                    End::Jump(next) if self.blocks[at].steps.is_empty() => at = next,
                    _ => break,
                }
            }
            let arrival = self.arrivals[at];
            for passed in path {
                self.arrivals[passed] = arrival;
            }
        }
    }

    /// The successors of a block, one for each edge. All cases of a `switch` with the same target are one edge, since they
    /// become one case.
    fn successors(&self, block: BlockId) -> SmallVec<[BlockId; 4]> {
        let mut out: SmallVec<[BlockId; 4]> = SmallVec::new();
        match self.blocks[block].end {
            End::Leave => {}
            End::Jump(to) => out.push(self.arrivals[to]),
            End::Branch(_, a, b) => out.extend([self.arrivals[a], self.arrivals[b]]),
            End::Switch { cases, first, exit, .. } => {
                out.extend(self.arrivals[first..first + cases.len()].iter().copied());
                out.sort_unstable();
                out.dedup();
                if cases.iter().all(|case| case.range.is_some()) {
                    out.push(self.arrivals[exit]);
                }
            }
        }
        out.extend(self.blocks[block].leaves.values().map(|target| self.arrivals[*target]));
        out
    }
}

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    /// The statements of a statement expression.
    pub fn inner_statements(&mut self, body: &'h [Stmt<'h>]) {
        let facts = Facts::of(body, self.source.expression_jumps);
        let captured = self.frames.last().is_some_and(|frame| frame.captured.is_some());
        if facts.gotos || facts.irregular || (captured && (facts.breaks || facts.continues)) {
            self.graph(body, true);
        } else {
            self.block(body);
        }
        self.reopen();
    }

    /// Lowers statements with jumps that do not nest. `inner`: they are a statement expression, after whose last statement
    /// the enclosing expression continues.
    pub fn graph(&mut self, body: &'h [Stmt<'h>], inner: bool) {
        let mut graph = Graph {
            blocks: vec![Block::default()],
            current: 0,
            labels: FxHashMap::default(),
            open: FxHashMap::default(),
            exits: BTreeMap::new(),
            in_expressions: self.source.expression_jumps,
            arrivals: Vec::new(),
        };
        graph.add(body, Targets::default());
        let mut open: Vec<(u32, Span)> = graph.open.drain().collect();
        open.sort_unstable_by_key(|(label, _)| *label);
        for (label, span) in open {
            if self.can_leave(Leave::Label(label)) {
                let block = graph.label(label);
                graph.exits.insert(Leave::Label(label), block);
            } else {
                self.m.report(&Error::invalid(Invalid::JumpIntoExpression).at(span));
            }
        }
        let exit = inner.then(|| {
            let exit = graph.new_block();
            graph.end(End::Jump(exit), exit);
            // A jump to itself: jump threading ends here, so that the exit stays a block of its own.
            exit
        });
        graph.find_arrivals();
        self.build_graph(graph, exit);
    }

    /// Whether an enclosing graph has a target for a jump out of the expression being lowered.
    fn can_leave(&self, leave: Leave) -> bool {
        let captured = self.frames.iter().rev().find_map(|frame| frame.captured.as_ref());
        captured.is_some_and(|captured| captured.leaves.contains_key(&leave))
    }
}
