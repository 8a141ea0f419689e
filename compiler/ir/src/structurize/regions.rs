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
use super::{BlockId, ControlFlow, End, SwitchTarget};
use crate::{BinaryOp, Builder, Case, CompareOp, Error, LoopHint, Op, RegionId, Type, Value, Values};
use clforge_basic::narrow::to_i64;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::collections::BTreeSet;
use std::marker::PhantomData;

/// Nesting of `if`s from which on units are appended after each other instead, each with a test of its own.
const MAX_NESTING: u32 = 32;
/// Nesting of loops from which on a loop becomes one dispatch over all its blocks: every block is an entry, so that no loop
/// is found inside.
const MAX_LOOPS: usize = 64;
/// Blocks of all loops so far, counted once for each loop around them, from which on the same holds for every loop, so that
/// work stays in proportion to the program.
const MAX_LOOP_BLOCKS: usize = 1 << 18;
/// Entries of a loop from which on the dispatch is a `switch`.
const MIN_CASES: usize = 3;
/// Entries in one such `switch`: an instruction of SPIR-V has at most 65,535 words.
const MAX_CASES: usize = 1 << 14;

/// Targets of jumps that have not been reached yet.
type InFlight = BTreeSet<BlockId>;

/// Appends a graph. `state`: a private `i32` of the graph's own. `exits`: blocks that leave the graph for something around it
/// ([`ControlFlow::leave_graph`]); `next`: the one after which the code that follows continues. Neither has code.
///
/// # Errors
/// An internal one, where the graph is not what its successors say.
pub fn structurize<'f, G: ControlFlow<'f>>(
    graph: &mut G,
    state: Value,
    exits: &[BlockId],
    next: Option<BlockId>,
) -> Result<(), Error> {
    let outside: BTreeSet<BlockId> = exits.iter().copied().chain(next).collect();
    let members = reached(graph, &outside);
    let mut builder = RegionBuilder {
        graph,
        state,
        levels: Vec::new(),
        units: UnitTable::new(members.last().map_or(0, |last| last + 1)),
        loop_blocks: 0,
        depth: 0,
        in_switch: false,
        captured: false,
        error: None,
        function: PhantomData,
    };
    builder.enter(&members, BTreeSet::from([0]));
    let mut out = builder.sequence(START, InFlight::from([0]));
    for block in exits {
        if out.remove(block) {
            builder.jump_if(&InFlight::from([*block]), &out, |this, _| this.graph.leave_graph(*block));
        }
    }
    let b = builder.b();
    if out.is_empty() && !b.is_terminated() {
        b.effect(Op::Unreachable);
    }
    builder.error.map_or(Ok(()), Err)
}

/// The blocks that are reachable from the first one, with it, without those outside.
fn reached<'f>(graph: &impl ControlFlow<'f>, outside: &BTreeSet<BlockId>) -> Vec<BlockId> {
    let mut seen: FxHashSet<BlockId> = FxHashSet::default();
    let mut pending = vec![0];
    while let Some(block) = pending.pop() {
        if !outside.contains(&block) && seen.insert(block) {
            pending.extend(graph.successors(block));
        }
    }
    let mut reached: Vec<BlockId> = seen.into_iter().collect();
    reached.sort_unstable();
    reached
}

/// The state of the construction.
struct RegionBuilder<'g, 'f, G> {
    graph: &'g mut G,
    /// The state variable: the number of the block that control is to reach.
    state: Value,
    levels: Vec<Level>,
    units: UnitTable,
    /// The number of blocks of all loops so far.
    loop_blocks: usize,
    /// The number of enclosing `if`s.
    depth: u32,
    /// Inside a `switch`, where `break` cannot leave the loop.
    in_switch: bool,
    /// Inside a block with jumps from its middle: jumps only set the state, and are resolved after the block.
    captured: bool,
    /// The first thing that went wrong.
    error: Option<Error>,
    function: PhantomData<&'f ()>,
}

struct Level {
    scope: Scope,
    /// Blocks of outer levels that are reached by leaving the loop.
    exits: InFlight,
}

impl<'f, G: ControlFlow<'f>> RegionBuilder<'_, 'f, G> {
    fn b(&mut self) -> &mut Builder<'f> {
        self.graph.builder()
    }

    /// Runs `fill` in a new region.
    fn region(&mut self, fill: impl FnOnce(&mut Self)) -> RegionId {
        let region = self.b().function.new_region();
        self.b().enter(region);
        fill(self);
        self.b().leave();
        region
    }

    /// Ends a region of an `if` that did not leave.
    fn end_region(&mut self) {
        if !self.b().is_terminated() {
            self.b().effect(Op::Yield(Values::new()));
        }
    }

    fn enter(&mut self, members: &[BlockId], entries: BTreeSet<BlockId>) {
        let graph = &*self.graph;
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

    /// Appends a unit and all that it dominates. Returns what is in flight after it: if nothing is, the region is terminated.
    fn sequence(&mut self, root: UnitId, in_flight: InFlight) -> InFlight {
        let pending = if root == START { self.children(START).into_iter().collect() } else { BTreeSet::from([root]) };
        self.pending_sequence(pending, in_flight)
    }

    fn pending_sequence(&mut self, mut pending: BTreeSet<UnitId>, mut in_flight: InFlight) -> InFlight {
        while let Some(unit) = pending.pop_first() {
            let here = self.taken(unit, &mut in_flight);
            if here.is_empty() {
                continue;
            }
            if in_flight.is_empty() {
                in_flight = self.unit(unit);
                pending.extend(self.children(unit));
                if in_flight.is_empty() {
                    break;
                }
                continue;
            }
            let condition = self.state_among(&here, &in_flight);
            let flat = self.depth >= MAX_NESTING;
            self.depth += 1;
            let then = self.region(|this| {
                let out = if flat { this.unit(unit) } else { this.sequence(unit, here) };
                in_flight.extend(out);
                this.end_region();
            });
            self.depth -= 1;
            if flat {
                pending.extend(self.children(unit));
            }
            let otherwise = self.region(Self::end_region);
            self.b().effect(Op::If { condition, then, otherwise });
        }
        if in_flight.is_empty() && !self.b().is_terminated() {
            self.b().effect(Op::Unreachable);
        }
        in_flight
    }

    /// Appends one unit; returns what is in flight after it.
    fn unit(&mut self, id: UnitId) -> InFlight {
        let Some(unit) = self.scope().and_then(|scope| scope.units.get(id)) else { return InFlight::new() };
        if unit.is_loop {
            let (blocks, entries) = (unit.blocks.clone(), unit.entries.clone());
            return self.append_loop(id, &blocks, entries);
        }
        match unit.blocks.first().copied() {
            Some(block) => self.block(id, block),
            None => InFlight::new(),
        }
    }

    fn block(&mut self, unit: UnitId, block: BlockId) -> InFlight {
        let targets = self.graph.enter_captured(block);
        if targets.is_empty() {
            return self.block_code(unit, block);
        }
        let mut out: InFlight = targets.into_iter().collect();
        self.captured = true;
        let body = self.region(|this| {
            out.extend(this.block_code(unit, block));
            if !this.b().is_terminated() {
                this.b().effect(Op::Break(Values::new()));
            }
        });
        self.captured = false;
        self.graph.leave_captured();
        let continuing = self.region(|this| this.b().effect(Op::Next(Values::new())));
        self.b().effect(Op::Loop { inits: Values::new(), body, continuing, hint: LoopHint::None });
        self.settle(unit, out)
    }

    fn block_code(&mut self, unit: UnitId, block: BlockId) -> InFlight {
        let end = self.graph.append(block);
        if self.b().is_terminated() {
            return InFlight::new();
        }
        match end {
            End::Leave => {
                self.error.get_or_insert(Error::internal("a block that leaves without a terminator"));
                InFlight::new()
            }
            End::Jump(to) => self.jump(unit, to),
            End::Branch { condition, then, otherwise } => self.branch(unit, condition, (then, otherwise)),
            End::Switch { selector, cases } => self.switch(unit, selector, cases),
        }
    }

    /// A jump to a block: falls through towards it, or continues or leaves the enclosing loop.
    fn jump(&mut self, from: UnitId, to: BlockId) -> InFlight {
        let (unit, one_entry) = (self.unit_of(to), self.scope().is_some_and(|scope| scope.entries.len() == 1));
        // In this order only edges to an entry of the enclosing loop lead backwards.
        let is_back = unit.is_some_and(|unit| unit <= from);
        if self.captured || !(is_back && one_entry) {
            let (state, number) = (self.state, to_i64(to));
            let b = self.b();
            let number = b.int(Type::I32, number);
            b.store(state, number, 4);
        }
        if self.captured {
            return InFlight::from([to]);
        }
        if is_back {
            self.b().effect(Op::Continue(Values::new()));
            return InFlight::new();
        }
        if unit.is_none() && self.levels.len() > 1 && !self.in_switch {
            return self.leave_loop(InFlight::from([to]));
        }
        InFlight::from([to])
    }

    fn leave_loop(&mut self, to: InFlight) -> InFlight {
        if let Some(level) = self.levels.last_mut() {
            level.exits.extend(to);
        }
        self.b().effect(Op::Break(Values::new()));
        InFlight::new()
    }

    /// A region with a block that has one predecessor, or with a jump to the block.
    fn arm(&mut self, from: UnitId, to: BlockId, out: &mut InFlight) -> RegionId {
        self.region(|this| {
            this.depth += 1;
            let inlined = this.inlined(from, to);
            out.extend(match inlined {
                Some(unit) => this.sequence(unit, InFlight::from([to])),
                None => this.jump(from, to),
            });
            this.depth -= 1;
        })
    }

    fn branch(&mut self, unit: UnitId, condition: Value, (a, b): (BlockId, BlockId)) -> InFlight {
        if let Some(known) = self.b().function.as_int(condition) {
            return self.jump(unit, if known != 0 { a } else { b });
        }
        let mut out = InFlight::new();
        let then = self.arm(unit, a, &mut out);
        let otherwise = self.arm(unit, b, &mut out);
        for region in [then, otherwise] {
            self.b().enter(region);
            self.end_region();
            self.b().leave();
        }
        self.b().effect(Op::If { condition, then, otherwise });
        if out.is_empty() {
            self.b().effect(Op::Unreachable);
        }
        out
    }

    fn switch(&mut self, unit: UnitId, selector: Value, targets: Vec<SwitchTarget>) -> InFlight {
        let around = std::mem::replace(&mut self.in_switch, true);
        let mut out = InFlight::new();
        let mut cases: Vec<Case> = Vec::with_capacity(targets.len());
        for SwitchTarget { values, default, block } in targets {
            let region = self.arm(unit, block, &mut out);
            cases.push(Case { values, default, region });
        }
        self.in_switch = around;
        self.finish_switch(selector, cases, &out);
        self.settle(unit, out)
    }

    fn finish_switch(&mut self, selector: Value, cases: Vec<Case>, out: &InFlight) {
        let b = self.b();
        for case in &cases {
            b.enter(case.region);
            if !b.is_terminated() {
                b.effect(Op::Break(Values::new()));
            }
            b.leave();
        }
        b.effect(Op::Switch { selector, inputs: Values::new(), cases });
        if out.is_empty() {
            b.effect(Op::Unreachable);
        }
    }

    fn append_loop(&mut self, unit: UnitId, blocks: &[BlockId], entries: BTreeSet<BlockId>) -> InFlight {
        self.loop_blocks += blocks.len();
        let is_flat = self.levels.len() > MAX_LOOPS || self.loop_blocks > MAX_LOOP_BLOCKS;
        let entries = if is_flat { blocks.iter().copied().collect() } else { entries };
        let first = entries.first().filter(|_| entries.len() == 1);
        let hint = first.map_or(LoopHint::None, |first| self.graph.hint(*first));
        self.enter(blocks, entries.clone());
        let around = std::mem::replace(&mut self.in_switch, false);
        let body = self.region(|this| {
            let out = if entries.len() < MIN_CASES { entries } else { this.enter_by_switch(entries) };
            let out = if out.is_empty() { out } else { this.sequence(START, out) };
            if !out.is_empty() {
                this.error.get_or_insert(Error::internal("a jump without an enclosing loop"));
            }
        });
        self.in_switch = around;
        let exits = self.leave(blocks, unit);
        let continuing = self.region(|this| this.b().effect(Op::Next(Values::new())));
        self.b().effect(Op::Loop { inits: Values::new(), body, continuing, hint });
        if exits.is_empty() {
            self.b().effect(Op::Unreachable);
        }
        self.settle(unit, exits)
    }

    /// The dispatch of a loop with many entries: those that are reached from nowhere else are cases of a `switch`. Returns
    /// what is in flight after it.
    fn enter_by_switch(&mut self, entries: InFlight) -> InFlight {
        let is_case = |entry: &BlockId| self.inlined(START, *entry).is_some();
        let cases: Vec<BlockId> = entries.iter().copied().filter(is_case).collect();
        let mut out = entries;
        if cases.len() >= MIN_CASES {
            for some in cases.chunks(MAX_CASES) {
                out.retain(|block| some.binary_search(block).is_err());
                out = self.entry_switch(some, out);
            }
        }
        out
    }

    /// A `switch` over entries of a loop; others are in flight. Returns what is in flight after it.
    fn entry_switch(&mut self, cases: &[BlockId], mut out: InFlight) -> InFlight {
        self.in_switch = true;
        let state = self.state;
        let selector = self.b().load(Type::I32, state, 4);
        let mut ir_cases: Vec<Case> = Vec::with_capacity(cases.len() + 1);
        for block in cases {
            let region = self.arm(START, *block, &mut out);
            ir_cases.push(Case { values: SmallVec::from_slice(&[*block as u64]), default: false, region });
        }
        self.in_switch = false;
        match out.is_empty() {
            true => {
                if let Some(last) = ir_cases.last_mut() {
                    last.default = true;
                }
            }
            false => {
                let region = self.b().function.new_region();
                ir_cases.push(Case { values: SmallVec::new(), default: true, region });
            }
        }
        self.finish_switch(selector, ir_cases, &out);
        self.settle(START, out)
    }

    /// After a `switch` or a loop: continues or leaves the enclosing loop where that is what is in flight, since neither can be
    /// done from inside.
    fn settle(&mut self, from: UnitId, out: InFlight) -> InFlight {
        if self.captured {
            return out;
        }
        let (inside, outside): (InFlight, InFlight) = out.into_iter().partition(|block| self.unit_of(*block).is_some());
        let (mut rest, back): (InFlight, InFlight) =
            inside.into_iter().partition(|block| self.unit_of(*block).is_some_and(|unit| unit > from));
        let leaves = self.levels.len() > 1 && !self.in_switch;
        if !back.is_empty() {
            let others: InFlight = rest.union(&outside).copied().collect();
            self.jump_if(&back, &others, |this, _| this.b().effect(Op::Continue(Values::new())));
        }
        if !outside.is_empty() && leaves {
            self.jump_if(&outside, &rest, |this, to| {
                this.leave_loop(to.clone());
            });
        } else {
            rest.extend(outside);
        }
        rest
    }

    /// `jump`, if the state is one of `targets` and not one of `others`; it is always one of both.
    fn jump_if(&mut self, targets: &InFlight, others: &InFlight, jump: impl FnOnce(&mut Self, &InFlight)) {
        if others.is_empty() {
            return jump(self, targets);
        }
        let condition = self.state_among(targets, others);
        let then = self.region(|this| jump(this, targets));
        let otherwise = self.region(Self::end_region);
        self.b().effect(Op::If { condition, then, otherwise });
    }

    /// Whether the state is one of `these` and not one of `others`: a comparison for each of whichever are fewer.
    fn state_among(&mut self, these: &InFlight, others: &InFlight) -> Value {
        let state = self.state;
        let b = self.b();
        let state = b.load(Type::I32, state, 4);
        let (op, join, fewer) = match these.len() <= others.len() {
            true => (CompareOp::Eq, BinaryOp::Or, these),
            false => (CompareOp::Ne, BinaryOp::And, others),
        };
        let mut all: Option<Value> = None;
        for block in fewer {
            let number = b.int(Type::I32, to_i64(*block));
            let compared = b.compare(op, state, number);
            all = Some(all.map_or(compared, |all| b.binary(join, all, compared)));
        }
        all.unwrap_or_else(|| b.int(Type::BOOL, 1))
    }
}
