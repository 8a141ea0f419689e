//! `goto`, and `case` labels inside other statements: control flow that does not nest.
//!
//! Statements that jump, are jumped into, or hold what does are taken apart into a graph of blocks; all others stay whole
//! inside a block. Blocks with one predecessor are put where that one ends. The rest become the cases of a `switch` on a
//! state variable inside a loop: a jump to one of them sets the state and goes around.

use super::function::FunctionLowering;
use super::switch::make_case;
use crate::hir::{CaseLabel, Expr, Stmt, StmtKind};
use crate::ir::{self, Case, CompareOp, LoopHint, Op, Type, Value, Values};
use crate::source::Span;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// Blocks nested in blocks by `if` before one becomes a case of its own.
const MAX_NESTING: u32 = 16;

/// The state at the end of a statement expression's statements.
const EXIT: i64 = -1;
const LEAVING: &str = "'goto' out of a statement expression is";

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
    /// The end of a statement expression's statements: the code around goes on.
    Exit,
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
            StmtKind::While { condition, body, .. } => self.add_loop(Some(condition), body, None, targets),
            StmtKind::For { init, condition, step, body, .. } => {
                self.add(init, targets);
                self.add_loop(condition, body, step, targets);
            }
            StmtKind::DoWhile { body, condition, .. } => {
                let (head, test, exit) = (self.new_block(), self.new_block(), self.new_block());
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
    ) {
        let (head, first, next, exit) = (self.new_block(), self.new_block(), self.new_block(), self.new_block());
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

    fn successors(&self, block: BlockId) -> SmallVec<[BlockId; 4]> {
        let mut out = SmallVec::new();
        match self.blocks[block].end {
            End::Leave | End::Exit => {}
            End::Jump(to) => out.push(to),
            End::Branch(_, a, b) => out.extend([a, b]),
            End::Switch { cases, first, exit, .. } => {
                out.extend(self.arrivals[first..first + cases.len()].iter().copied());
                if cases.iter().all(|case| case.range.is_some()) {
                    out.push(self.arrivals[exit]);
                }
            }
        }
        out
    }

    /// Makes every jump go straight to where it arrives; the number of ways into each block from blocks that are
    /// reached.
    fn finish(&mut self) -> Vec<u32> {
        self.find_arrivals();
        let mut predecessors = vec![0; self.blocks.len()];
        let mut pending = vec![0];
        predecessors[0] = 1;
        while let Some(block) = pending.pop() {
            self.blocks[block].end = match self.blocks[block].end {
                End::Jump(to) => End::Jump(self.arrivals[to]),
                End::Branch(condition, a, b) => End::Branch(condition, self.arrivals[a], self.arrivals[b]),
                end => end,
            };
            for next in self.successors(block) {
                predecessors[next] += 1;
                if predecessors[next] == 1 {
                    pending.push(next);
                }
            }
        }
        predecessors
    }
}

/// A graph on its way into the IR.
struct Dispatch<'h> {
    graph: Graph<'h>,
    predecessors: Vec<u32>,
    /// State numbers of the blocks that are cases.
    states: FxHashMap<BlockId, i64>,
    pending: Vec<BlockId>,
    state: Value,
}

impl Dispatch<'_> {
    fn state_of(&mut self, block: BlockId) -> i64 {
        if let Some(state) = self.states.get(&block) {
            return *state;
        }
        let state = self.states.len() as i64;
        self.states.insert(block, state);
        self.pending.push(block);
        state
    }
}

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    /// A function's body with jumps that do not nest.
    pub fn dispatch(&mut self, body: &'h [Stmt<'h>]) {
        self.dispatch_graph(body, false);
        self.b.effect(Op::Unreachable);
    }

    /// The statements of a statement expression, whose jumps stay inside of it.
    pub fn inner_statements(&mut self, body: &'h [Stmt<'h>]) {
        let facts = facts_of(body);
        let leaves = facts.breaks || facts.continues || facts.cases;
        if (facts.gotos || facts.irregular) && !leaves {
            self.dispatch_graph(body, true);
        } else {
            self.block(body);
        }
        self.reopen();
    }

    /// `inner`: what comes after the last statement is not the function's end.
    fn dispatch_graph(&mut self, body: &'h [Stmt<'h>], inner: bool) {
        let mut graph = Graph {
            blocks: vec![Block::default()],
            current: 0,
            labels: FxHashMap::default(),
            open: FxHashMap::default(),
            arrivals: Vec::new(),
        };
        graph.add(body, Targets::default());
        for span in std::mem::take(&mut graph.open).into_values() {
            self.unsupported(span, if inner { LEAVING } else { "'goto' into a statement expression is" });
        }
        if inner {
            let last = graph.current;
            graph.blocks[last].end = End::Exit;
        }
        let predecessors = graph.finish();
        let state = self.alloca(4, 4);
        let mut dispatch = Dispatch { graph, predecessors, states: FxHashMap::default(), pending: Vec::new(), state };
        let first = dispatch.state_of(0);
        self.set_state(state, first);
        let body = self.region(|this| {
            let selector = this.load_at(state, Type::I32, 4, false);
            let mut cases = Vec::new();
            let mut next = 0;
            while let Some(block) = dispatch.pending.get(next).copied() {
                next += 1;
                let values = smallvec::smallvec![dispatch.state_of(block) as u64];
                let region = this.region(|this| {
                    this.graph_block(&mut dispatch, block, 0);
                    if !this.b.is_terminated() {
                        this.b.effect(Op::Break(Values::new()));
                    }
                });
                cases.push(Case { values, default: false, region });
            }
            if let Some(last) = cases.last_mut() {
                last.default = true;
            }
            this.b.effect(Op::Switch { selector, inputs: Values::new(), cases });
            if inner {
                let state = this.load_at(state, Type::I32, 4, false);
                let exit = this.b.int(Type::I32, EXIT);
                let condition = this.b.compare(CompareOp::Eq, state, exit);
                let then = this.region(|this| this.b.effect(Op::Break(Values::new())));
                let otherwise = this.region(|this| this.end_region());
                this.b.effect(Op::If { condition, then, otherwise });
            }
            this.b.effect(Op::Continue(Values::new()));
        });
        let continuing = self.region(|this| this.b.effect(Op::Next(Values::new())));
        self.b.effect(Op::Loop { inits: Values::new(), body, continuing, hint: LoopHint::None });
    }

    fn set_state(&mut self, at: Value, state: i64) {
        let state = self.b.int(Type::I32, state);
        self.store_at(at, state, 4, false);
    }

    /// A block and what only it leads to.
    fn graph_block(&mut self, dispatch: &mut Dispatch<'h>, block: BlockId, depth: u32) {
        let mut block = block;
        loop {
            let steps = std::mem::take(&mut dispatch.graph.blocks[block].steps);
            for step in steps {
                match step {
                    _ if self.b.is_terminated() => return,
                    Step::Statement(statement) => self.statement(statement),
                    Step::Effect(e) => self.effect(e),
                }
            }
            if self.b.is_terminated() {
                return;
            }
            match dispatch.graph.blocks[block].end {
                End::Leave => return self.return_undefined(),
                End::Exit => return self.set_state(dispatch.state, EXIT),
                End::Jump(to) if dispatch.predecessors[to] == 1 => block = to,
                End::Jump(to) => {
                    let state = dispatch.state_of(to);
                    return self.set_state(dispatch.state, state);
                }
                End::Branch(condition, a, b) => return self.graph_branch(dispatch, condition, (a, b), depth),
                End::Switch { selector, cases, first, exit } => {
                    return self.graph_switch(dispatch, selector, cases, first, exit);
                }
            }
        }
    }

    fn graph_branch(
        &mut self,
        dispatch: &mut Dispatch<'h>,
        condition: &'h Expr<'h>,
        (a, b): (BlockId, BlockId),
        depth: u32,
    ) {
        let condition = self.condition(condition);
        let mut side = |block| {
            self.region(|this| {
                if dispatch.predecessors[block] == 1 && depth < MAX_NESTING {
                    this.graph_block(dispatch, block, depth + 1);
                } else {
                    let state = dispatch.state_of(block);
                    this.set_state(dispatch.state, state);
                }
                this.end_region();
            })
        };
        let (then, otherwise) = (side(a), side(b));
        self.b.effect(Op::If { condition, then, otherwise });
        if !self.falls_through(then) && !self.falls_through(otherwise) {
            self.b.effect(Op::Unreachable);
        }
    }

    /// Sets the state to the block of the selector's case.
    fn graph_switch(
        &mut self,
        dispatch: &mut Dispatch<'h>,
        selector: &'h Expr<'h>,
        cases: &'h [CaseLabel],
        first: BlockId,
        exit: BlockId,
    ) {
        let ty = selector.ty.ty;
        let selector = self.value(selector);
        let selector = self.narrow_ranges(selector, ty, cases);
        let ty = self.b.ty(selector);
        let mut ir_cases: Vec<ir::Case> = Vec::with_capacity(cases.len() + 1);
        let mut to_block = |this: &mut Self, block| {
            let block = dispatch.graph.arrivals[block];
            this.region(|this| {
                let state = dispatch.state_of(block);
                this.set_state(dispatch.state, state);
                this.b.effect(Op::Break(Values::new()));
            })
        };
        for index in 0..cases.len() {
            let region = to_block(self, first + index);
            ir_cases.push(make_case(ty, cases, &[index as u32], region));
        }
        if cases.iter().all(|case| case.range.is_some()) {
            let region = to_block(self, exit);
            ir_cases.push(Case { values: SmallVec::new(), default: true, region });
        }
        self.b.effect(Op::Switch { selector, inputs: Values::new(), cases: ir_cases });
    }
}
