//! The control-flow graph of a function, with the assignments and uses of the variables that are analysed.

use crate::hir::{
    CaseLabel, Conversion, Expr, ExprKind, Init, LabelId, PrivateVariableId, Stmt, StmtKind, Ty, UnaryOp,
};
use clforge_basic::source::Span;
use rustc_hash::FxHashMap;

/// The index of a block.
pub(super) type BlockId = usize;

/// Most levels of an expression or of statements; what is deeper is not analysed.
const MAX_DEPTH: u32 = 1000;

/// What happens to a variable, which has a number.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    /// Its life begins.
    Declared(usize),
    /// It gets a value, or may get one by its address.
    Written(usize),
    /// Its value is used.
    Read(usize, Span),
}

/// What decides between the successors of a block.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terminator {
    /// `if`, `?:`, `&&`, `||`, `while`, `for`, `do`, `switch`, or as a label `case` or `default`.
    pub word: &'static str,
    pub span: Span,
}

impl Terminator {
    /// When the successor of that number is taken, as clang says it.
    pub fn spelling(&self, successor: usize) -> String {
        let word = self.word;
        match (word, successor) {
            ("case" | "default", _) => format!("switch {word} is taken"),
            ("while" | "for", 0) => format!("'{word}' loop is entered"),
            ("while" | "for" | "do", 1) => format!("'{word}' loop exits because its condition is false"),
            ("do", _) => format!("'{word}' loop condition is true"),
            (_, 0) => format!("'{word}' condition is true"),
            _ => format!("'{word}' condition is false"),
        }
    }
}

/// Events without a branch between them.
#[derive(Clone, Debug, Default)]
pub(super) struct Block {
    pub events: Vec<Event>,
    pub successors: Vec<BlockId>,
    pub predecessors: Vec<BlockId>,
    pub terminator: Option<Terminator>,
    /// The label of a switch that it begins with.
    pub label: Option<Terminator>,
}

/// A function's graph.
pub(super) struct Graph {
    pub blocks: Vec<Block>,
    numbers: FxHashMap<PrivateVariableId, usize>,
    /// The block that is being filled.
    current: BlockId,
    breaks: Vec<BlockId>,
    continues: Vec<BlockId>,
    /// Of each switch around: its labels, the block that selects, and whether a default was met.
    switches: Vec<(Vec<CaseLabel>, BlockId, bool)>,
    labels: FxHashMap<LabelId, BlockId>,
    depth: u32,
    too_deep: bool,
}

impl Graph {
    /// The first block.
    pub const ENTRY: BlockId = 0;

    /// The graph of a body; `numbers`: the variables that are watched. `None` where it is too deep.
    pub fn of(statements: &[Stmt<'_>], numbers: FxHashMap<PrivateVariableId, usize>) -> Option<Graph> {
        let mut graph = Graph {
            blocks: vec![Block::default()],
            numbers,
            current: Self::ENTRY,
            breaks: Vec::new(),
            continues: Vec::new(),
            switches: Vec::new(),
            labels: FxHashMap::default(),
            depth: 0,
            too_deep: false,
        };
        graph.statements(statements);
        for id in 0..graph.blocks.len() {
            for successor in graph.blocks[id].successors.clone() {
                graph.blocks[successor].predecessors.push(id);
            }
        }
        (!graph.too_deep).then_some(graph)
    }

    fn new_block(&mut self) -> BlockId {
        self.blocks.push(Block::default());
        self.blocks.len() - 1
    }

    fn jump(&mut self, to: BlockId) {
        let current = self.current;
        self.blocks[current].successors.push(to);
    }

    /// Goes on behind a jump, where nothing arrives.
    fn unreachable(&mut self) {
        self.current = self.new_block();
    }

    fn event(&mut self, event: impl FnOnce(usize) -> Event, id: PrivateVariableId) {
        if let Some(number) = self.numbers.get(&id) {
            let event = event(*number);
            self.blocks[self.current].events.push(event);
        }
    }

    /// Whether there is room for a level more; each use is followed by [`Graph::leave`].
    fn enter(&mut self) -> bool {
        self.depth += 1;
        self.too_deep |= self.depth > MAX_DEPTH;
        !self.too_deep
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn statements(&mut self, statements: &[Stmt<'_>]) {
        if self.enter() {
            statements.iter().for_each(|statement| self.statement(statement));
        }
        self.leave();
    }

    fn statement(&mut self, statement: &Stmt<'_>) {
        match statement.kind {
            StmtKind::Expr(e) => self.value(e),
            StmtKind::Declare { variable, init } => {
                let Some(init) = init else { return self.event(Event::Declared, variable) };
                // Before it: that a variable's own value is in its initialiser is found elsewhere.
                self.event(Event::Written, variable);
                self.initializer(init);
            }
            StmtKind::Block(inner) => self.statements(inner),
            StmtKind::If { condition, then, otherwise } => {
                let [on_true, on_false, end] = [(); 3].map(|()| self.new_block());
                self.condition(condition, on_true, on_false, Terminator { word: "if", span: condition.span });
                for (start, inner) in [(on_true, then), (on_false, otherwise)] {
                    self.current = start;
                    self.statements(inner);
                    self.jump(end);
                }
                self.current = end;
            }
            StmtKind::While { condition, body, .. } => self.repeat("while", Some(condition), None, body),
            StmtKind::For { init, condition, step, body, .. } => {
                self.statements(init);
                self.repeat("for", condition, step, body);
            }
            StmtKind::DoWhile { body, condition, .. } => {
                let [start, test, end] = [(); 3].map(|()| self.new_block());
                self.jump(start);
                self.current = start;
                self.inside(body, end, test);
                self.jump(test);
                self.current = test;
                self.condition(condition, start, end, Terminator { word: "do", span: condition.span });
                self.current = end;
            }
            StmtKind::Switch { selector, cases, body } => self.switch(selector, cases, body),
            StmtKind::Case(index) => self.case(index),
            StmtKind::Break => self.leave_to(self.breaks.last().copied()),
            StmtKind::Continue => self.leave_to(self.continues.last().copied()),
            StmtKind::Return(value) => {
                value.into_iter().for_each(|value| self.value(value));
                self.unreachable();
            }
            StmtKind::Goto(label) => {
                let to = self.label(label);
                self.leave_to(Some(to));
            }
            StmtKind::Label(label) => {
                let start = self.label(label);
                self.jump(start);
                self.current = start;
            }
        }
    }

    fn label(&mut self, label: LabelId) -> BlockId {
        if let Some(known) = self.labels.get(&label) {
            return *known;
        }
        let block = self.new_block();
        self.labels.insert(label, block);
        block
    }

    fn leave_to(&mut self, to: Option<BlockId>) {
        to.into_iter().for_each(|to| self.jump(to));
        self.unreachable();
    }

    /// The body of a loop.
    fn inside(&mut self, body: &[Stmt<'_>], end: BlockId, next: BlockId) {
        self.breaks.push(end);
        self.continues.push(next);
        self.statements(body);
        self.breaks.pop();
        self.continues.pop();
    }

    fn repeat(&mut self, word: &'static str, condition: Option<&Expr<'_>>, step: Option<&Expr<'_>>, body: &[Stmt<'_>]) {
        let [test, start, next, end] = [(); 4].map(|()| self.new_block());
        self.jump(test);
        self.current = test;
        match condition {
            Some(condition) => self.condition(condition, start, end, Terminator { word, span: condition.span }),
            None => self.jump(start),
        }
        self.current = start;
        self.inside(body, end, next);
        self.jump(next);
        self.current = next;
        step.into_iter().for_each(|step| self.value(step));
        self.jump(test);
        self.current = end;
    }

    fn switch(&mut self, selector: &Expr<'_>, cases: &[CaseLabel], body: &[Stmt<'_>]) {
        self.value(selector);
        let end = self.new_block();
        let select = self.current;
        self.blocks[select].terminator = Some(Terminator { word: "switch", span: selector.span });
        self.switches.push((cases.to_vec(), select, false));
        self.breaks.push(end);
        self.unreachable();
        self.statements(body);
        self.jump(end);
        self.breaks.pop();
        if self.switches.pop().is_some_and(|(_, _, has_default)| !has_default) {
            self.blocks[select].successors.push(end);
        }
        self.current = end;
    }

    fn case(&mut self, index: u32) {
        let start = self.new_block();
        self.jump(start);
        self.current = start;
        let Some((cases, select, has_default)) = self.switches.last_mut() else { return };
        let Some(case) = cases.get(index as usize) else { return };
        let word = if case.range.is_none() { "default" } else { "case" };
        *has_default |= case.range.is_none();
        let (select, span) = (*select, case.span);
        self.blocks[start].label = Some(Terminator { word, span });
        self.blocks[select].successors.push(start);
    }

    /// A condition that decides between two blocks.
    fn condition(&mut self, e: &Expr<'_>, on_true: BlockId, on_false: BlockId, terminator: Terminator) {
        if self.enter() {
            match e.kind {
                ExprKind::Logical { and, left, right } => {
                    let second = self.new_block();
                    let word = if and { "&&" } else { "||" };
                    let first = Terminator { word, span: left.span };
                    let (yes, no) = if and { (second, on_false) } else { (on_true, second) };
                    self.condition(left, yes, no, first);
                    self.current = second;
                    self.condition(right, on_true, on_false, terminator);
                }
                ExprKind::Unary(UnaryOp::LogicalNot, inner) if inner.ty.ty == Ty::BOOL => {
                    self.condition(inner, on_false, on_true, terminator);
                }
                ExprKind::Convert(Conversion::Arithmetic, inner) if is_truth(inner) => {
                    self.condition(inner, on_true, on_false, terminator);
                }
                ExprKind::Int(value) => self.jump(if value != 0 { on_true } else { on_false }),
                _ => {
                    self.value(e);
                    let current = self.current;
                    self.blocks[current].terminator = Some(terminator);
                    self.blocks[current].successors.extend([on_true, on_false]);
                }
            }
        }
        self.leave();
    }

    fn value(&mut self, e: &Expr<'_>) {
        if self.enter() {
            self.evaluate(e);
        }
        self.leave();
    }

    fn evaluate(&mut self, e: &Expr<'_>) {
        match e.kind {
            ExprKind::Load(place) => match place.kind {
                ExprKind::PrivateVariable(id) => self.event(|number| Event::Read(number, place.span), id),
                _ => self.value(place),
            },
            // It is named: its address may be kept, or a part of it written.
            ExprKind::PrivateVariable(id) => self.event(Event::Written, id),
            ExprKind::Assign { place, value } => {
                self.value(value);
                self.value(place);
            }
            ExprKind::CompoundAssign { place, value, .. } | ExprKind::PointerAssignAdd { place, index: value, .. } => {
                self.update(place);
                self.value(value);
            }
            ExprKind::Increment { place, .. } => self.update(place),
            ExprKind::Logical { .. } => {
                let end = self.new_block();
                self.condition(e, end, end, Terminator { word: "&&", span: e.span });
                self.current = end;
            }
            ExprKind::Conditional { condition, then, otherwise } => {
                let [on_true, on_false, end] = [(); 3].map(|()| self.new_block());
                self.condition(condition, on_true, on_false, Terminator { word: "?:", span: condition.span });
                for (start, inner) in [(on_true, then), (on_false, otherwise)] {
                    self.current = start;
                    self.value(inner);
                    self.jump(end);
                }
                self.current = end;
            }
            ExprKind::StatementExpr { body, value } => {
                self.statements(body);
                value.into_iter().for_each(|value| self.value(value));
            }
            _ => e.each_operand(&mut |operand| self.value(operand)),
        }
    }

    /// What is computed from its own value has one only if it had one before.
    fn update(&mut self, place: &Expr<'_>) {
        match place.kind {
            ExprKind::PrivateVariable(id) => self.event(|number| Event::Read(number, place.span), id),
            _ => self.value(place),
        }
    }

    fn initializer(&mut self, init: &Init<'_>) {
        init.each_value(&mut |value| self.value(value));
    }
}

/// Whether an expression is a truth value that decides by its parts.
fn is_truth(e: &Expr<'_>) -> bool {
    matches!(e.kind, ExprKind::Logical { .. } | ExprKind::Unary(UnaryOp::LogicalNot, _))
}
