//! `goto`, and `case` labels inside other statements: control flow that does not nest.
//!
//! Statements that jump, are jumped into, or hold what does are taken apart into a graph of blocks; all others stay whole
//! inside a block. [`scopes`] finds the graph's loops and what dominates what; [`emit`] makes structured IR of it: blocks
//! to which one way leads stand where that way ends, the others behind the block that dominates them. Where control may
//! arrive there on its way to something later, a state variable says where it goes. A loop that is entered at several
//! places begins with a dispatch on the state; all others are plain loops.

mod emit;
mod scopes;

use super::function::FunctionLowering;
use super::statement::loop_hint;
use crate::hir::{self, CaseLabel, Expr, Stmt, StmtKind};
use crate::ir::LoopHint;
use crate::source::Span;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Whether a function's body has jumps that do not nest.
pub(super) fn is_needed(body: &[Stmt<'_>]) -> bool {
    let facts = facts_of(body);
    facts.gotos || facts.irregular
}

/// What a statement holds that may not nest.
#[derive(Clone, Copy, Default)]
struct Facts {
    gotos: bool,
    labels: bool,
    /// A switch with case labels inside other statements.
    irregular: bool,
    /// `break`, `continue` and case labels of statements around.
    breaks: bool,
    continues: bool,
    cases: bool,
    /// Case labels of a switch around that stand inside another statement than a block.
    inner_cases: bool,
}

impl Facts {
    fn any(self) -> bool {
        self.gotos || self.labels || self.irregular || self.breaks || self.continues || self.cases
    }

    fn add(&mut self, other: Facts) {
        self.gotos |= other.gotos;
        self.labels |= other.labels;
        self.irregular |= other.irregular;
        self.breaks |= other.breaks;
        self.continues |= other.continues;
        self.cases |= other.cases;
        self.inner_cases |= other.inner_cases;
    }
}

fn facts_of(statements: &[Stmt<'_>]) -> Facts {
    let mut facts = Facts::default();
    for statement in statements {
        facts.add(facts_of_one(statement));
    }
    facts
}

fn facts_of_one(statement: &Stmt<'_>) -> Facts {
    let inner = |facts: Facts| Facts { inner_cases: facts.cases, ..facts };
    let in_loop = |body| inner(Facts { breaks: false, continues: false, ..facts_of(body) });
    match statement.kind {
        StmtKind::Goto(_) => Facts { gotos: true, ..Facts::default() },
        StmtKind::Label(_) => Facts { labels: true, ..Facts::default() },
        StmtKind::Break => Facts { breaks: true, ..Facts::default() },
        StmtKind::Continue => Facts { continues: true, ..Facts::default() },
        StmtKind::Case(_) => Facts { cases: true, ..Facts::default() },
        StmtKind::Block(body) => facts_of(body),
        StmtKind::If { then, otherwise, .. } => {
            let mut facts = facts_of(then);
            facts.add(facts_of(otherwise));
            inner(facts)
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } => in_loop(body),
        StmtKind::Switch { body, .. } => {
            let facts = facts_of(body);
            let irregular = facts.irregular || facts.inner_cases;
            Facts { breaks: false, cases: false, inner_cases: false, irregular, ..facts }
        }
        StmtKind::Expr(_) | StmtKind::Declare { .. } | StmtKind::Return(_) => Facts::default(),
    }
}

type BlockId = usize;

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
    open: FxHashMap<u32, Span>,
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

    fn add_one(&mut self, statement: &'h Stmt<'h>, targets: Targets) {
        if let StmtKind::Return(_) = statement.kind {
            self.blocks[self.current].steps.push(Step::Statement(statement));
            let dead = self.new_block();
            return self.end(End::Leave, dead);
        }
        if !facts_of_one(statement).any() {
            return self.blocks[self.current].steps.push(Step::Statement(statement));
        }
        match statement.kind {
            StmtKind::Goto(label) => {
                if !self.labels.contains_key(&label.0) {
                    self.open.insert(label.0, statement.span);
                }
                let block = self.label(label.0);
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
            StmtKind::Break => self.leave(targets.on_break, statement),
            StmtKind::Continue => self.leave(targets.on_continue, statement),
            StmtKind::Block(body) => self.add(body, targets),
            StmtKind::If { condition, then, otherwise } => {
                let (then_block, else_block, join) = (self.new_block(), self.new_block(), self.new_block());
                self.end(End::Branch(condition, then_block, else_block), then_block);
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
                self.add(body, Targets { on_break: Some(exit), on_continue: Some(test), ..targets });
                self.end(End::Jump(test), test);
                self.end(End::Branch(condition, head, exit), exit);
            }
            StmtKind::Switch { selector, cases, body } => {
                let first = self.blocks.len();
                self.blocks.resize_with(first + cases.len(), Block::default);
                let (exit, dead) = (self.new_block(), self.new_block());
                self.end(End::Switch { selector, cases, first, exit }, dead);
                self.add(body, Targets { on_break: Some(exit), first_case: Some(first), ..targets });
                self.end(End::Jump(exit), exit);
            }
            StmtKind::Expr(_) | StmtKind::Declare { .. } | StmtKind::Return(_) => {}
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
        match condition {
            Some(condition) => self.end(End::Branch(condition, first, exit), first),
            None => self.end(End::Jump(first), first),
        }
        self.add(body, Targets { on_break: Some(exit), on_continue: Some(next), ..targets });
        self.end(End::Jump(next), next);
        self.blocks[next].steps.extend(step.map(Step::Effect));
        self.end(End::Jump(head), exit);
    }

    /// `break` or `continue`; without a target the statement stays, to be told as an error where it stands.
    fn leave(&mut self, target: Option<BlockId>, statement: &'h Stmt<'h>) {
        match target {
            Some(block) => self.jump(block),
            None => self.blocks[self.current].steps.push(Step::Statement(statement)),
        }
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
        out
    }

    /// The blocks that the first one leads to, itself among them, without the exit.
    fn reached(&self, exit: Option<BlockId>) -> Vec<BlockId> {
        let mut seen = vec![false; self.blocks.len()];
        let mut pending = vec![0];
        let mut reached = Vec::new();
        while let Some(block) = pending.pop() {
            if Some(block) == exit || std::mem::replace(&mut seen[block], true) {
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
    /// The statements of a statement expression, whose jumps stay inside of it.
    pub fn inner_statements(&mut self, body: &'h [Stmt<'h>]) {
        let facts = facts_of(body);
        let leaves = facts.breaks || facts.continues || facts.cases;
        if (facts.gotos || facts.irregular) && !leaves {
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
            open: FxHashMap::default(),
            arrivals: Vec::new(),
        };
        graph.add(body, Targets::default());
        for span in std::mem::take(&mut graph.open).into_values() {
            let leaving = "'goto' out of a statement expression is";
            self.unsupported(span, if inner { leaving } else { "'goto' into a statement expression is" });
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
}
