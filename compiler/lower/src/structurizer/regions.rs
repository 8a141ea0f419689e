//! Builds regions from a control-flow graph.
//!
//! The units of one level are appended as *sequences*: in topological order, each after the code of its immediate
//! dominator. At each point of a sequence some targets are *in flight*: jumps to them have stored the number of their block
//! in the state variable and have fallen through to this point. If all targets in flight belong to the next unit, it
//! follows without a test; otherwise it is placed in an `if` on the state.
//!
//! This is sound because a jump inside a level goes either to a later unit, which the order has not yet appended, or back
//! to an entry of the enclosing loop, which is a `continue`; and because a unit is dominated by the one after which it is
//! appended, so that every path to it passes the test.

use super::scopes::{START, Scope, UnitId, UnitTable};
use super::{End, Graph, Step};
use crate::context::BlockId;
use crate::context::{Captured, Frame, FunctionLowering};
use crate::switch::make_case;
use clforge_basic::narrow::{to_i64, to_u32};
use clforge_ir::{self as ir, BinaryOp, Case, CompareOp, LoopHint, Op, RegionId, Type, Value, Values};
use clforge_sema::hir::{CaseLabel, Expr};
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Nesting of `if`s from which on units are appended after each other instead, each with a test of its own.
const MAX_NESTING: u32 = 32;
/// Nesting of loops from which on a loop becomes one dispatch over all its blocks: every block is an entry, so that no loop
/// is found inside.
const MAX_LOOPS: usize = 64;
/// Entries of a loop from which on the dispatch is a `switch`.
const MIN_CASES: usize = 3;

/// Targets of jumps that have not been reached yet.
type InFlight = BTreeSet<BlockId>;

/// The state of the construction.
struct RegionBuilder<'h> {
    graph: Graph<'h>,
    /// The state variable: the number of the block that control is to reach.
    state: Value,
    levels: Vec<Level>,
    units: UnitTable,
    /// The number of enclosing `if`s.
    depth: u32,
    /// Inside a `switch`, where `break` cannot leave the loop.
    in_switch: bool,
    /// Inside a block with jumps out of statement expressions: jumps only set the state, and are resolved after the block.
    captured: bool,
}

struct Level {
    scope: Scope,
    /// Blocks of outer levels that are reached by leaving the loop.
    exits: InFlight,
}

impl RegionBuilder<'_> {
    fn enter(&mut self, members: &[BlockId], entries: BTreeSet<BlockId>) {
        let graph = &self.graph;
        let scope = Scope::enter(&mut self.units, members, entries, |block| graph.successors(block));
        self.levels.push(Level { scope, exits: InFlight::new() });
    }

    /// Ends a level: the inside of the loop that is this unit of the level around it, and has these blocks. Returns the exits.
    fn leave(&mut self, blocks: &[BlockId], unit: UnitId) -> InFlight {
        self.units.leave(blocks, unit);
        self.levels.pop().map_or(InFlight::new(), |level| level.exits)
    }

    fn scope(&self) -> Option<&Scope> {
        self.levels.last().map(|level| &level.scope)
    }

    fn unit_of(&self, block: BlockId) -> Option<UnitId> {
        self.units.unit_of(block)
    }

    fn children(&self, unit: UnitId) -> Vec<UnitId> {
        let unit = self.scope().and_then(|scope| scope.units.get(unit));
        unit.map_or(Vec::new(), |unit| unit.children.clone())
    }

    /// Takes the blocks of a unit out of those in flight. Jumps go to its entries, so the others need no look: there may be
    /// as many of them as the program has labels.
    fn taken(&self, unit: UnitId, in_flight: &mut InFlight) -> InFlight {
        let unit = self.scope().and_then(|scope| scope.units.get(unit));
        let entries = unit.into_iter().flat_map(|unit| unit.entries.iter().copied());
        entries.filter(|block| in_flight.remove(block)).collect()
    }

    /// The unit of a block that can be placed at the end of its only predecessor.
    fn inlined(&self, from: UnitId, to: BlockId) -> Option<UnitId> {
        let unit = self.unit_of(to).filter(|unit| *unit > from && self.depth < MAX_NESTING && !self.captured)?;
        self.scope()?.units.get(unit).is_some_and(|unit| unit.incoming == 1).then_some(unit)
    }
}

impl<'h> FunctionLowering<'_, '_, '_, 'h> {
    /// Appends a graph; `exit`: the block after which the enclosing code continues.
    pub(super) fn build_graph(&mut self, graph: Graph<'h>, exit: Option<BlockId>) {
        let exits: BTreeSet<BlockId> = graph.exits.values().copied().chain(exit).collect();
        let members = graph.reached(&exits);
        let state = self.alloca(4, 4);
        let units = UnitTable::new(graph.blocks.len());
        let mut e =
            RegionBuilder { graph, state, levels: Vec::new(), units, depth: 0, in_switch: false, captured: false };
        e.enter(&members, BTreeSet::from([0]));
        self.frames.push(Frame { closed: true, ..Frame::default() });
        let mut out = self.sequence(&mut e, START, InFlight::from([0]));
        self.frames.pop();
        for (leave, block) in std::mem::take(&mut e.graph.exits) {
            if out.remove(&block) {
                self.jump_if(&mut e, &InFlight::from([block]), &out, |this, _, _| this.leave_expression(leave));
            }
        }
        if out.is_empty() && !self.b.is_terminated() {
            self.b.effect(Op::Unreachable);
        }
    }

    /// Appends a unit and all that it dominates. Returns what is in flight after it: if nothing is, the region is terminated.
    fn sequence(&mut self, e: &mut RegionBuilder<'h>, root: UnitId, in_flight: InFlight) -> InFlight {
        let pending = if root == START { e.children(START).into_iter().collect() } else { BTreeSet::from([root]) };
        self.pending_sequence(e, pending, in_flight)
    }

    fn pending_sequence(
        &mut self,
        e: &mut RegionBuilder<'h>,
        mut pending: BTreeSet<UnitId>,
        mut in_flight: InFlight,
    ) -> InFlight {
        while let Some(unit) = pending.pop_first() {
            let here = e.taken(unit, &mut in_flight);
            if here.is_empty() {
                continue;
            }
            if in_flight.is_empty() {
                in_flight = self.graph_unit(e, unit);
                pending.extend(e.children(unit));
                if in_flight.is_empty() {
                    break;
                }
                continue;
            }
            let condition = self.state_among(e, &here, &in_flight);
            let flat = e.depth >= MAX_NESTING;
            e.depth += 1;
            let then = self.region(|this| {
                let out = if flat { this.graph_unit(e, unit) } else { this.sequence(e, unit, here) };
                in_flight.extend(out);
                this.end_region();
            });
            e.depth -= 1;
            if flat {
                pending.extend(e.children(unit));
            }
            let otherwise = self.region(|this| this.end_region());
            self.b.effect(Op::If { condition, then, otherwise });
        }
        if in_flight.is_empty() && !self.b.is_terminated() {
            self.b.effect(Op::Unreachable);
        }
        in_flight
    }

    /// Appends one unit; returns what is in flight after it.
    fn graph_unit(&mut self, e: &mut RegionBuilder<'h>, id: UnitId) -> InFlight {
        let Some(unit) = e.scope().and_then(|scope| scope.units.get(id)) else { return InFlight::new() };
        if unit.is_loop {
            let (blocks, entries) = (unit.blocks.clone(), unit.entries.clone());
            return self.graph_loop(e, id, &blocks, entries);
        }
        match unit.blocks.first().copied() {
            Some(block) => self.graph_block(e, id, block),
            None => InFlight::new(),
        }
    }

    fn graph_block(&mut self, e: &mut RegionBuilder<'h>, unit: UnitId, block: BlockId) -> InFlight {
        let leaves = std::mem::take(&mut e.graph.blocks[block].leaves);
        if leaves.is_empty() {
            return self.block_code(e, unit, block);
        }
        let mut out: InFlight = leaves.values().map(|target| e.graph.arrivals[*target]).collect();
        let leaves: BTreeMap<_, _> =
            leaves.into_iter().map(|(leave, target)| (leave, e.graph.arrivals[target])).collect();
        let leaves = Rc::new(leaves);
        self.frames.push(Frame { captured: Some(Captured { state: e.state, leaves }), ..Frame::default() });
        e.captured = true;
        let body = self.region(|this| {
            out.extend(this.block_code(e, unit, block));
            if !this.b.is_terminated() {
                this.b.effect(Op::Break(Values::new()));
            }
        });
        e.captured = false;
        self.frames.pop();
        let continuing = self.region(|this| this.b.effect(Op::Next(Values::new())));
        self.b.effect(Op::Loop { inits: Values::new(), body, continuing, hint: LoopHint::None });
        self.settle(e, unit, out)
    }

    fn block_code(&mut self, e: &mut RegionBuilder<'h>, unit: UnitId, block: BlockId) -> InFlight {
        for step in std::mem::take(&mut e.graph.blocks[block].steps) {
            match step {
                _ if self.b.is_terminated() => return InFlight::new(),
                Step::Statement(statement) => self.statement(statement),
                Step::Effect(effect) => self.effect(effect),
            }
        }
        if self.b.is_terminated() {
            return InFlight::new();
        }
        match e.graph.blocks[block].end {
            End::Leave => {
                self.return_undefined();
                InFlight::new()
            }
            End::Jump(to) => self.jump(e, unit, to),
            End::Branch(condition, a, b) => self.graph_branch(e, unit, condition, (a, b)),
            End::Switch { selector, cases, first, exit } => self.graph_switch(e, unit, selector, cases, (first, exit)),
        }
    }

    /// A jump to a block: falls through towards it, or continues or leaves the enclosing loop.
    fn jump(&mut self, e: &mut RegionBuilder<'h>, from: UnitId, to: BlockId) -> InFlight {
        let to = e.graph.arrivals[to];
        let (unit, one_entry) = (e.unit_of(to), e.scope().is_some_and(|scope| scope.entries.len() == 1));
        // In this order only edges to an entry of the enclosing loop lead backwards.
        let is_back = unit.is_some_and(|unit| unit <= from);
        if e.captured || !(is_back && one_entry) {
            self.set_state(e.state, to);
        }
        if e.captured {
            return InFlight::from([to]);
        }
        if is_back {
            self.b.effect(Op::Continue(Values::new()));
            return InFlight::new();
        }
        if unit.is_none() && e.levels.len() > 1 && !e.in_switch {
            return self.leave_loop(e, InFlight::from([to]));
        }
        InFlight::from([to])
    }

    fn set_state(&mut self, state: Value, to: BlockId) {
        let to = self.b.int(Type::I32, to_i64(to));
        self.store_at(state, to, 4, false);
    }

    /// Jumps out of the middle of an expression.
    pub(crate) fn leave_captured(&mut self, captured: &Captured, leave: super::Leave) {
        match captured.leaves.get(&leave) {
            Some(target) => {
                self.set_state(captured.state, *target);
                self.b.effect(Op::Break(Values::new()));
            }
            None => {
                self.internal("a jump that leaves no statement expression");
                self.b.effect(Op::Unreachable);
            }
        }
    }

    fn leave_loop(&mut self, e: &mut RegionBuilder<'h>, to: InFlight) -> InFlight {
        if let Some(level) = e.levels.last_mut() {
            level.exits.extend(to);
        }
        self.b.effect(Op::Break(Values::new()));
        InFlight::new()
    }

    /// A region with a block that has one predecessor, or with a jump to the block.
    fn graph_arm(&mut self, e: &mut RegionBuilder<'h>, from: UnitId, to: BlockId, out: &mut InFlight) -> RegionId {
        let to = e.graph.arrivals[to];
        self.region(|this| {
            e.depth += 1;
            let inlined = e.inlined(from, to);
            out.extend(match inlined {
                Some(unit) => this.sequence(e, unit, InFlight::from([to])),
                None => this.jump(e, from, to),
            });
            e.depth -= 1;
        })
    }

    fn graph_branch(
        &mut self,
        e: &mut RegionBuilder<'h>,
        unit: UnitId,
        condition: &'h Expr<'h>,
        (a, b): (BlockId, BlockId),
    ) -> InFlight {
        let condition = self.condition(condition);
        if let Some(known) = self.b.function.as_int(condition) {
            return self.jump(e, unit, if known != 0 { a } else { b });
        }
        let mut out = InFlight::new();
        let then = self.graph_arm(e, unit, a, &mut out);
        let otherwise = self.graph_arm(e, unit, b, &mut out);
        for region in [then, otherwise] {
            self.b.enter(region);
            self.end_region();
            self.b.leave();
        }
        self.b.effect(Op::If { condition, then, otherwise });
        if out.is_empty() {
            self.b.effect(Op::Unreachable);
        }
        out
    }

    fn graph_switch(
        &mut self,
        e: &mut RegionBuilder<'h>,
        unit: UnitId,
        selector: &'h Expr<'h>,
        cases: &'h [CaseLabel],
        (first, exit): (BlockId, BlockId),
    ) -> InFlight {
        let ty = selector.ty.ty;
        let selector = self.value(selector);
        let selector = self.narrow_ranges(selector, ty, cases);
        let ty = self.b.ty(selector);
        // Labels with the same target are one case, as in `Graph::successors`.
        let mut places: Vec<(BlockId, u32)> =
            (0..to_u32(cases.len())).map(|label| (e.graph.arrivals[first + label as usize], label)).collect();
        places.sort_unstable();
        let around = std::mem::replace(&mut e.in_switch, true);
        let mut out = InFlight::new();
        let mut ir_cases: Vec<Case> = Vec::with_capacity(cases.len() + 1);
        for group in places.chunk_by(|a, b| a.0 == b.0) {
            let Some((place, _)) = group.first() else { continue };
            let labels: SmallVec<[u32; 4]> = group.iter().map(|(_, label)| *label).collect();
            let region = self.graph_arm(e, unit, *place, &mut out);
            ir_cases.push(make_case(ty, cases, &labels, region));
        }
        if cases.iter().all(|case| case.range.is_some()) {
            let region = self.graph_arm(e, unit, exit, &mut out);
            ir_cases.push(Case { values: SmallVec::new(), default: true, region });
        }
        e.in_switch = around;
        self.finish_switch(selector, ir_cases, &out);
        self.settle(e, unit, out)
    }

    fn finish_switch(&mut self, selector: Value, cases: Vec<Case>, out: &InFlight) {
        for case in &cases {
            self.b.enter(case.region);
            if !self.b.is_terminated() {
                self.b.effect(Op::Break(Values::new()));
            }
            self.b.leave();
        }
        self.b.effect(Op::Switch { selector, inputs: Values::new(), cases });
        if out.is_empty() {
            self.b.effect(Op::Unreachable);
        }
    }

    fn graph_loop(
        &mut self,
        e: &mut RegionBuilder<'h>,
        unit: UnitId,
        blocks: &[BlockId],
        entries: BTreeSet<BlockId>,
    ) -> InFlight {
        let entries = if e.levels.len() > MAX_LOOPS { blocks.iter().copied().collect() } else { entries };
        let first = entries.first().filter(|_| entries.len() == 1);
        let hint = first.map_or(LoopHint::None, |first| e.graph.blocks[*first].hint);
        e.enter(blocks, entries.clone());
        let around = std::mem::replace(&mut e.in_switch, false);
        self.frames.push(Frame { is_loop: true, closed: true, ..Frame::default() });
        let body = self.region(|this| {
            let out = if entries.len() < MIN_CASES { entries } else { this.enter_by_switch(e, entries) };
            let out = if out.is_empty() { out } else { this.sequence(e, START, out) };
            if !out.is_empty() {
                this.internal("a jump without an enclosing loop");
            }
        });
        self.frames.pop();
        e.in_switch = around;
        let exits = e.leave(blocks, unit);
        let continuing = self.region(|this| this.b.effect(Op::Next(Values::new())));
        self.b.effect(Op::Loop { inits: Values::new(), body, continuing, hint });
        if exits.is_empty() {
            self.b.effect(Op::Unreachable);
        }
        self.settle(e, unit, exits)
    }

    /// The dispatch of a loop with many entries: those that are reached from nowhere else are cases of a `switch`. Returns
    /// what is in flight after it.
    fn enter_by_switch(&mut self, e: &mut RegionBuilder<'h>, entries: InFlight) -> InFlight {
        let (cases, mut out): (InFlight, InFlight) =
            entries.iter().partition(|entry| e.inlined(START, **entry).is_some());
        if cases.len() < MIN_CASES {
            return entries;
        }
        e.in_switch = true;
        let selector = self.load_at(e.state, Type::I32, 4, false);
        let mut ir_cases: Vec<Case> = Vec::with_capacity(cases.len() + 1);
        for block in cases {
            let region = self.graph_arm(e, START, block, &mut out);
            ir_cases.push(Case { values: SmallVec::from_slice(&[block as u64]), default: false, region });
        }
        e.in_switch = false;
        match out.is_empty() {
            true => {
                if let Some(last) = ir_cases.last_mut() {
                    last.default = true;
                }
            }
            false => {
                let region = self.b.function.new_region();
                ir_cases.push(Case { values: SmallVec::new(), default: true, region });
            }
        }
        self.finish_switch(selector, ir_cases, &out);
        self.settle(e, START, out)
    }

    /// After a `switch` or a loop: continues or leaves the enclosing loop where that is what is in flight, since neither can be
    /// done from inside.
    fn settle(&mut self, e: &mut RegionBuilder<'h>, from: UnitId, out: InFlight) -> InFlight {
        if e.captured {
            return out;
        }
        let (inside, outside): (InFlight, InFlight) = out.into_iter().partition(|block| e.unit_of(*block).is_some());
        let (mut rest, back): (InFlight, InFlight) =
            inside.into_iter().partition(|block| e.unit_of(*block).is_some_and(|unit| unit > from));
        let leaves = e.levels.len() > 1 && !e.in_switch;
        if !back.is_empty() {
            let others: InFlight = rest.union(&outside).copied().collect();
            self.jump_if(e, &back, &others, |this, _, _| this.b.effect(Op::Continue(Values::new())));
        }
        if !outside.is_empty() && leaves {
            self.jump_if(e, &outside, &rest, |this, e, to| {
                this.leave_loop(e, to.clone());
            });
        } else {
            rest.extend(outside);
        }
        rest
    }

    /// `jump`, if the state is one of `targets` and not one of `others`; it is always one of both.
    fn jump_if(
        &mut self,
        e: &mut RegionBuilder<'h>,
        targets: &InFlight,
        others: &InFlight,
        jump: impl FnOnce(&mut Self, &mut RegionBuilder<'h>, &InFlight),
    ) {
        if others.is_empty() {
            return jump(self, e, targets);
        }
        let condition = self.state_among(e, targets, others);
        let then = self.region(|this| jump(this, e, targets));
        let otherwise = self.region(|this| this.end_region());
        self.b.effect(Op::If { condition, then, otherwise });
    }

    /// Whether the state is one of `these` and not one of `others`: a comparison for each of whichever are fewer.
    fn state_among(&mut self, e: &RegionBuilder<'h>, these: &InFlight, others: &InFlight) -> Value {
        let state = self.load_at(e.state, Type::I32, 4, false);
        let (op, join, fewer) = match these.len() <= others.len() {
            true => (CompareOp::Eq, BinaryOp::Or, these),
            false => (CompareOp::Ne, BinaryOp::And, others),
        };
        let mut all: Option<Value> = None;
        for block in fewer {
            let number = self.b.int(Type::I32, to_i64(*block));
            let compared = self.b.compare(op, state, number);
            all = Some(all.map_or(compared, |all| self.b.binary(join, all, compared)));
        }
        all.unwrap_or_else(|| self.b.int(ir::Type::BOOL, 1))
    }
}
