//! `goto`, and `case` labels inside other statements: control flow that does not nest.
//!
//! Statements that jump, are jumped into, or hold what does are taken apart into a graph of blocks; all others stay whole
//! inside a block. [`scopes`] finds the graph's loops and what dominates what; [`emit`] makes structured IR of it: blocks
//! to which one way leads stand where that way ends, the others behind the block that dominates them. Where control may
//! arrive there on its way to something later, a state variable says where it goes. A loop that is entered at several
//! places begins with a dispatch on the state; all others are plain loops.
//!
//! A jump out of a statement expression leaves an expression half evaluated. The block with that expression stands in a loop
//! that runs once: the jump sets the state and breaks. A statement expression with labels is a graph of its own, and what
//! it jumps to outside is one more exit of that.

mod emit;
mod facts;
mod scopes;

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
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, Copy)]
enum Step<'h> {
    Statement(&'h Stmt<'h>),
    Effect(&'h Expr<'h>),
}

/// How a block ends.
#[derive(Clone, Copy, Default)]
enum End<'h> {
    /// The end of the function, or its last step leaves.
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
    /// Where statement expressions of it jump.
    leaves: BTreeMap<Leave, BlockId>,
    /// What the program says about the loop that begins here.
    hint: LoopHint,
}

/// Where `break`, `continue` and case labels of the statements around go.
#[derive(Clone, Copy, Default)]
struct Targets {
    on_break: Option<BlockId>,
    on_continue: Option<BlockId>,
    first_case: Option<BlockId>,
}

/// Takes statements apart.
struct Graph<'h> {
    blocks: Vec<Block<'h>>,
    current: BlockId,
    labels: FxHashMap<u32, BlockId>,
    /// `goto`s by label, until the label is found.
    open: BTreeMap<u32, Span>,
    /// What jumps out of the graph: the block that stands for its target.
    exits: BTreeMap<Leave, BlockId>,
    /// Whether to look for jumps in expressions.
    in_expressions: bool,
    /// Where a jump to each block arrives, past blocks that only jump on.
    arrivals: Vec<BlockId>,
}

impl<'h> Graph<'h> {
    fn new_block(&mut self) -> BlockId {
        self.blocks.push(Block::default());
        self.blocks.len() - 1
    }

    /// Ends the current block and goes on with `next`.
    fn end(&mut self, end: End<'h>, next: BlockId) {
        self.blocks[self.current].end = end;
        self.current = next;
    }

    /// Ends the current block by a jump that does not return.
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

    /// The block that a `goto` at `span` goes to.
    fn goto(&mut self, label: u32, span: Span) -> BlockId {
        if !self.labels.contains_key(&label) {
            self.open.insert(label, span);
        }
        self.label(label)
    }

    /// The block that stands for a target outside of the graph.
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

    /// An expression belongs to the current block: notes where it jumps.
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

    /// Finds where jumps arrive, each block once.
    fn find_arrivals(&mut self) {
        self.arrivals = vec![usize::MAX; self.blocks.len()];
        for block in 0..self.blocks.len() {
            let mut path: SmallVec<[BlockId; 8]> = SmallVec::new();
            let mut at = block;
            while self.arrivals[at] == usize::MAX {
                // An empty endless loop arrives where it is entered.
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

    /// The blocks that a block may go to, as often as ways lead there: cases of one place are one way.
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

    /// The blocks that the first one leads to, itself among them, without the exits.
    fn reached(&self, exits: &BTreeSet<BlockId>) -> Vec<BlockId> {
        let mut seen = vec![false; self.blocks.len()];
        let mut pending = vec![0];
        let mut reached = Vec::new();
        while let Some(block) = pending.pop() {
            if exits.contains(&block) || std::mem::replace(&mut seen[block], true) {
                continue;
            }
            reached.push(block);
            pending.extend(self.successors(block));
        }
        reached.sort_unstable();
        reached
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

    /// Statements with jumps that do not nest; `inner`: those of a statement expression, after whose last one the code
    /// around goes on.
    pub fn graph(&mut self, body: &'h [Stmt<'h>], inner: bool) {
        let mut graph = Graph {
            blocks: vec![Block::default()],
            current: 0,
            labels: FxHashMap::default(),
            open: BTreeMap::new(),
            exits: BTreeMap::new(),
            in_expressions: self.source.expression_jumps,
            arrivals: Vec::new(),
        };
        graph.add(body, Targets::default());
        for (label, span) in std::mem::take(&mut graph.open) {
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
            // Never empty for whoever follows jumps: it is where the graph ends.
            exit
        });
        graph.find_arrivals();
        self.emit_graph(graph, exit);
    }

    /// Whether the expression being lowered may jump there.
    fn can_leave(&self, leave: Leave) -> bool {
        let captured = self.frames.iter().rev().find_map(|frame| frame.captured.as_ref());
        captured.is_some_and(|captured| captured.leaves.contains_key(&leave))
    }
}
