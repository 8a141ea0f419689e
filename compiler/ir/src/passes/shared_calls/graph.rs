//! The control-flow graph of a function in which the calls of a function are one block.
//!
//! Only what has such a call inside, or leaves something that has one, is divided into blocks; other operations stay whole.

use super::Callee;
use crate::structurize::{BlockId, SwitchTarget};
use crate::*;
use clforge_basic::narrow::to_i64;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

/// Additions to a pointer that are repeated where it is used.
const MAX_CHAIN: usize = 16;

/// The number of a private object that the graph keeps a value in.
pub type Slot = usize;

/// What a block stores at its end.
#[derive(Clone, Copy)]
pub enum Source {
    Value(Value),
    /// The number of a call.
    Number(i64),
    /// What another object has.
    Slot(Slot),
}

/// Where control goes after a block.
#[derive(Clone)]
pub enum End {
    /// The code ends in a terminator.
    Leave,
    Jump(BlockId),
    Branch {
        condition: Value,
        then: BlockId,
        otherwise: BlockId,
    },
    Switch {
        selector: Source,
        cases: Vec<SwitchTarget>,
    },
}

/// A call that others share.
#[derive(Clone)]
pub struct SharedCall {
    pub callee: FunctionId,
    pub args: Vec<Source>,
    pub result: Option<(Slot, Type)>,
}

#[derive(Clone)]
pub struct Block {
    /// The instructions of the function.
    pub code: Vec<InstId>,
    /// Behind them.
    pub call: Option<SharedCall>,
    /// Behind that.
    pub moves: Vec<(Slot, Source)>,
    pub end: End,
}

/// The graph; it begins with block 0.
pub struct Graph {
    pub blocks: Vec<Block>,
    pub slots: Vec<Type>,
    /// The objects of values that are used in other blocks.
    pub of_value: FxHashMap<Value, Slot>,
    /// The block that computes a value.
    pub home: FxHashMap<Value, BlockId>,
    /// The block that is reached where the function ends, without code, and what it returns.
    pub exit: BlockId,
    pub returned: Option<Value>,
}

/// What surrounds a region that is divided.
enum Frame {
    If { results: Vec<Value>, after: BlockId },
    Switch { results: Vec<Value>, after: BlockId, next: Option<(BlockId, Vec<Value>)> },
    Loop { results: Vec<Value>, after: BlockId, body: (BlockId, Vec<Value>), continuing: (BlockId, Vec<Value>) },
}

/// The calls of one function.
struct Place {
    block: BlockId,
    number: Slot,
    args: Vec<Option<Slot>>,
    result: Option<Slot>,
    /// What follows each call.
    returns: Vec<BlockId>,
}

struct Divider<'f> {
    function: &'f Function,
    shared: &'f BTreeMap<FunctionId, Callee>,
    /// The operations with regions that are divided.
    divided: FxHashSet<InstId>,
    graph: Graph,
    frames: Vec<Frame>,
    places: BTreeMap<FunctionId, Place>,
    current: BlockId,
}

impl Graph {
    /// The graph of a function that calls these, each more than once. `None` if a value that must be kept in memory cannot be.
    pub fn of(function: &Function, shared: &BTreeMap<FunctionId, Callee>) -> Option<Graph> {
        let exit = 0;
        let (blocks, slots, returned) = (Vec::new(), Vec::new(), None);
        let (of_value, home) = (FxHashMap::default(), FxHashMap::default());
        let graph = Graph { blocks, slots, of_value, home, exit, returned };
        let (frames, places, divided) = (Vec::new(), BTreeMap::new(), FxHashSet::default());
        let mut divider = Divider { function, shared, divided, graph, frames, places, current: 0 };
        divider.mark(function.body);
        divider.current = divider.block();
        divider.graph.exit = divider.block();
        divider.places();
        let insts = &function.region(function.body).insts[function.private_objects()..];
        divider.insts(insts);
        divider.finish_places();
        let mut graph = divider.graph;
        graph.pass_empty_blocks();
        graph.keep_values(function)?;
        Some(graph)
    }

    /// An object for a value, if there is none yet.
    fn slot_of(&mut self, function: &Function, value: Value) -> Slot {
        let Graph { slots, of_value, .. } = self;
        *of_value.entry(value).or_insert_with(|| {
            slots.push(function.ty(value));
            slots.len() - 1
        })
    }

    /// Objects for all values that are used in another block than the one that computes them, unless they can be computed again.
    fn keep_values(&mut self, function: &Function) -> Option<()> {
        let mut kept = Vec::new();
        for block in 0..self.blocks.len() {
            for value in self.uses(function, block) {
                leaves(function, value, &mut |leaf| {
                    if self.home.get(&leaf).is_some_and(|home| *home != block) {
                        kept.push(leaf);
                    }
                });
            }
        }
        for value in kept {
            self.slot_of(function, value);
        }
        let is_handle = |ty: &Type| matches!(ty.scalar, ScalarType::Opaque(_));
        (!self.slots.iter().any(is_handle)).then_some(())
    }

    /// The values that a block uses.
    pub fn uses(&self, function: &Function, block: BlockId) -> Vec<Value> {
        let mut uses = Vec::new();
        let Some(Block { code, call, moves, end }) = self.blocks.get(block) else { return uses };
        for id in code {
            let inst = function.inst(*id);
            inst.op.for_each_operand(|value| uses.push(value));
            for region in inst.op.regions() {
                function.walk(region, |_, inst| inst.op.for_each_operand(|value| uses.push(value)));
            }
        }
        let mut source = |source: &Source| {
            if let Source::Value(value) = source {
                uses.push(*value);
            }
        };
        call.iter().flat_map(|call| &call.args).for_each(&mut source);
        moves.iter().for_each(|(_, from)| source(from));
        match end {
            End::Branch { condition, .. } => source(&Source::Value(*condition)),
            End::Switch { selector, .. } => source(selector),
            End::Leave | End::Jump(_) => {}
        }
        if block == self.exit {
            uses.extend(self.returned);
        }
        uses.sort_unstable();
        uses.dedup();
        uses
    }

    /// Lets all jumps lead to blocks with code. Cases of a switch that arrive at the same block are one.
    fn pass_empty_blocks(&mut self) {
        for index in 0..self.blocks.len() {
            let mut end = self.blocks[index].end.clone();
            match &mut end {
                End::Leave => {}
                End::Jump(to) => *to = self.arrival(*to),
                End::Branch { then, otherwise, .. } => {
                    (*then, *otherwise) = (self.arrival(*then), self.arrival(*otherwise));
                }
                End::Switch { cases, .. } => {
                    let mut targets: Vec<SwitchTarget> = Vec::with_capacity(cases.len());
                    for case in cases.drain(..) {
                        let block = self.arrival(case.block);
                        match targets.iter_mut().find(|target| target.block == block) {
                            Some(target) => {
                                target.values.extend(case.values);
                                target.default |= case.default;
                            }
                            None => targets.push(SwitchTarget { block, ..case }),
                        }
                    }
                    *cases = targets;
                }
            }
            self.blocks[index].end = end;
        }
    }

    /// The block that a jump to this one arrives at: blocks without code are passed.
    fn arrival(&self, mut block: BlockId) -> BlockId {
        // A cycle of empty blocks is a loop of the program that does nothing.
        for _ in 0..self.blocks.len() {
            match &self.blocks[block] {
                Block { code, call: None, moves, end: End::Jump(to) }
                    if code.is_empty() && moves.is_empty() && block != self.exit =>
                {
                    block = *to;
                }
                _ => break,
            }
        }
        block
    }
}

/// The pointer that a constant number of bytes is added to, where that is the operation.
pub fn base_of(op: &Op) -> Option<Value> {
    match op {
        Op::PtrAdd { base, index: None, .. } => Some(*base),
        _ => None,
    }
}

/// Calls `f` with the values that a value is computed of where it is used: itself, or the base of an address.
fn leaves(function: &Function, value: Value, f: &mut dyn FnMut(Value)) {
    let mut leaf = value;
    for _ in 0..MAX_CHAIN {
        match function.op(leaf).and_then(base_of) {
            Some(base) => leaf = base,
            None => return f(leaf),
        }
    }
    f(value);
}

/// Whether a value is computed again where it is used, of something that is there or in memory.
pub fn is_repeated(function: &Function, value: Value) -> bool {
    let mut is_other = false;
    leaves(function, value, &mut |leaf| is_other = leaf != value);
    is_other
}

/// Whether two values are the same address, or the same value, wherever they are used.
fn is_same(function: &Function, mut a: Value, mut b: Value) -> bool {
    for _ in 0..MAX_CHAIN {
        if a == b {
            return true;
        }
        match (function.op(a), function.op(b)) {
            (
                Some(Op::PtrAdd { base: first, index: None, displacement, .. }),
                Some(Op::PtrAdd { base: second, index: None, displacement: other, .. }),
            ) if displacement == other => (a, b) = (*first, *second),
            _ => return false,
        }
    }
    false
}

impl<'f> Divider<'f> {
    fn block(&mut self) -> BlockId {
        self.graph.blocks.push(Block { code: Vec::new(), call: None, moves: Vec::new(), end: End::Leave });
        self.graph.blocks.len() - 1
    }

    fn slot(&mut self, ty: Type) -> Slot {
        self.graph.slots.push(ty);
        self.graph.slots.len() - 1
    }

    fn shared_callee(&self, op: &Op) -> Option<FunctionId> {
        match op {
            Op::Call { function, .. } if self.shared.contains_key(function) => Some(*function),
            _ => None,
        }
    }

    /// Marks what is to be divided in a region; whether anything is, or is a call that is shared.
    fn mark(&mut self, region: RegionId) -> bool {
        let function = self.function;
        let mut any = false;
        for id in &function.region(region).insts {
            let op = &function.inst(*id).op;
            let mut is_divided = false;
            for nested in op.regions() {
                is_divided |= self.mark(nested);
            }
            if is_divided {
                self.divided.insert(*id);
            }
            any |= is_divided || self.shared_callee(op).is_some();
        }
        any
    }

    /// Whether control may leave an operation, which has no shared call inside, for one around it.
    fn escapes(&self, op: &Op) -> bool {
        let (is_loop, is_switch) = (matches!(op, Op::Loop { .. }), matches!(op, Op::Switch { .. }));
        let mut regions: Vec<(RegionId, bool, bool)> =
            op.regions().into_iter().map(|region| (region, is_loop || is_switch, is_loop)).collect();
        while let Some((region, breaks, continues)) = regions.pop() {
            for id in &self.function.region(region).insts {
                let op = &self.function.inst(*id).op;
                match op {
                    Op::Break(_) | Op::Fallthrough(_) if !breaks => return true,
                    Op::Continue(_) if !continues => return true,
                    _ => {}
                }
                let is_loop = matches!(op, Op::Loop { .. });
                let is_left = is_loop || matches!(op, Op::Switch { .. });
                regions.extend(op.regions().iter().map(|region| (*region, breaks || is_left, continues || is_loop)));
            }
        }
        false
    }

    /// A block for each function whose calls are shared.
    fn places(&mut self) {
        let mut calls: BTreeMap<FunctionId, Vec<&Values>> = BTreeMap::new();
        self.function.walk_body(|_, inst| {
            if let Op::Call { function, args } = &inst.op
                && self.shared.contains_key(function)
            {
                calls.entry(*function).or_default().push(args);
            }
        });
        for (callee, calls) in calls {
            let Some(Callee { params, result }) = self.shared.get(&callee) else { continue };
            let block = self.block();
            let mut place = Place { block, number: 0, args: Vec::new(), result: None, returns: Vec::new() };
            let mut args = Vec::new();
            for (index, ty) in params.iter().enumerate() {
                let given = calls.iter().filter_map(|args| args.get(index));
                let first = calls.first().and_then(|args| args.get(index)).filter(|first| self.is_everywhere(**first));
                let common = first.filter(|first| given.into_iter().all(|arg| is_same(self.function, **first, *arg)));
                let slot = common.is_none().then(|| self.slot(*ty));
                args.push(match (common, slot) {
                    (Some(value), _) => Source::Value(*value),
                    (None, slot) => Source::Slot(slot.unwrap_or_default()),
                });
                place.args.push(slot);
            }
            place.number = self.slot(Type::I32);
            place.result = result.map(|ty| self.slot(ty));
            let result = place.result.zip(*result);
            self.graph.blocks[block].call = Some(SharedCall { callee, args, result });
            self.places.insert(callee, place);
        }
    }

    /// Whether a value is available in every block: a parameter, a constant, or an address of these or of a private object.
    fn is_everywhere(&self, value: Value) -> bool {
        let mut everywhere = false;
        leaves(self.function, value, &mut |leaf| {
            everywhere = match self.function.def(leaf) {
                ValueDef::FunctionParam(_) | ValueDef::Constant(_) => true,
                ValueDef::Inst(..) => matches!(self.function.op(leaf), Some(Op::Alloca { .. })),
                ValueDef::RegionParam(_) => false,
            };
        });
        everywhere
    }

    /// Returns by the number of the call.
    fn finish_places(&mut self) {
        for place in std::mem::take(&mut self.places).into_values() {
            let last = place.returns.len().saturating_sub(1);
            let case = |(number, block): (usize, &BlockId)| SwitchTarget {
                values: smallvec![number as u64],
                default: number == last,
                block: *block,
            };
            let cases = place.returns.iter().enumerate().map(case).collect();
            self.graph.blocks[place.block].end = End::Switch { selector: Source::Slot(place.number), cases };
        }
    }

    fn end(&mut self, end: End) {
        let current = self.current;
        self.graph.blocks[current].end = end;
    }

    fn moves(&mut self, to: &[Value], from: &[Value]) {
        for (to, from) in to.iter().zip(from) {
            let slot = self.graph.slot_of(self.function, *to);
            let current = self.current;
            self.graph.blocks[current].moves.push((slot, Source::Value(*from)));
        }
    }

    /// Divides the instructions of a region, from the current block on.
    fn insts(&mut self, insts: &[InstId]) {
        for id in insts {
            let inst = self.function.inst(*id);
            if let Some(callee) = self.shared_callee(&inst.op) {
                self.call(callee, inst);
                continue;
            }
            let is_divided = self.divided.contains(id) || inst.op.is_structured() && self.escapes(&inst.op);
            match &inst.op {
                Op::If { condition, then, otherwise } if is_divided => self.if_(*condition, [*then, *otherwise], inst),
                Op::Switch { selector, inputs, cases } if is_divided => self.switch(*selector, inputs, cases, inst),
                Op::Loop { inits, body, continuing, .. } if is_divided => self.loop_(inits, [*body, *continuing], inst),
                op if op.is_terminator() && self.terminator(op) => {}
                _ => {
                    let current = self.current;
                    self.graph.blocks[current].code.push(*id);
                    self.graph.home.extend(inst.results.iter().map(|result| (*result, current)));
                }
            }
        }
    }

    fn call(&mut self, callee: FunctionId, inst: &Inst) {
        let Op::Call { args, .. } = &inst.op else { return };
        let after = self.block();
        let Some(place) = self.places.get_mut(&callee) else { return };
        let number = to_i64(place.returns.len());
        place.returns.push(after);
        let block = &mut self.graph.blocks[self.current];
        let given = place.args.iter().zip(args);
        block.moves.extend(given.filter_map(|(slot, arg)| slot.map(|slot| (slot, Source::Value(*arg)))));
        block.moves.push((place.number, Source::Number(number)));
        block.end = End::Jump(place.block);
        let result = place.result;
        self.current = after;
        if let (Some(from), Some(result)) = (result, inst.results.first()) {
            let to = self.graph.slot_of(self.function, *result);
            self.graph.blocks[after].moves.push((to, Source::Slot(from)));
            self.current = self.block();
            let next = self.current;
            self.graph.blocks[after].end = End::Jump(next);
        }
    }

    fn if_(&mut self, condition: Value, regions: [RegionId; 2], inst: &Inst) {
        let [then, otherwise, after] = [self.block(), self.block(), self.block()];
        self.results(inst);
        self.end(End::Branch { condition, then, otherwise });
        self.frames.push(Frame::If { results: inst.results.to_vec(), after });
        for (block, region) in [then, otherwise].into_iter().zip(regions) {
            self.region(block, region);
        }
        self.frames.pop();
        self.current = after;
    }

    fn switch(&mut self, selector: Value, inputs: &Values, cases: &[Case], inst: &Inst) {
        let function = self.function;
        let after = self.block();
        self.results(inst);
        let blocks: Vec<BlockId> = cases.iter().map(|_| self.block()).collect();
        for case in cases {
            self.moves(&function.region(case.region).params, inputs);
        }
        let target = |(case, block): (&Case, &BlockId)| SwitchTarget {
            values: case.values.clone(),
            default: case.default,
            block: *block,
        };
        let targets = cases.iter().zip(&blocks).map(target).collect();
        self.end(End::Switch { selector: Source::Value(selector), cases: targets });
        for (index, (case, block)) in cases.iter().zip(&blocks).enumerate() {
            let next = cases.get(index + 1).zip(blocks.get(index + 1));
            let next = next.map(|(case, block)| (*block, function.region(case.region).params.to_vec()));
            self.frames.push(Frame::Switch { results: inst.results.to_vec(), after, next });
            self.region(*block, case.region);
            self.frames.pop();
        }
        self.current = after;
    }

    fn loop_(&mut self, inits: &Values, [body, continuing]: [RegionId; 2], inst: &Inst) {
        let function = self.function;
        let [first, continued, after] = [self.block(), self.block(), self.block()];
        self.results(inst);
        self.moves(&function.region(body).params, inits);
        self.end(End::Jump(first));
        let params = |region: RegionId| function.region(region).params.to_vec();
        let (body_start, continuing_start) = ((first, params(body)), (continued, params(continuing)));
        let results = inst.results.to_vec();
        self.frames.push(Frame::Loop { results, after, body: body_start, continuing: continuing_start });
        self.region(first, body);
        self.region(continued, continuing);
        self.frames.pop();
        self.current = after;
    }

    /// The results of an operation that is divided are in memory.
    fn results(&mut self, inst: &Inst) {
        for result in &inst.results {
            self.graph.slot_of(self.function, *result);
        }
    }

    fn region(&mut self, block: BlockId, region: RegionId) {
        let function = self.function;
        for param in &function.region(region).params {
            self.graph.slot_of(function, *param);
        }
        self.current = block;
        self.insts(&function.region(region).insts);
    }

    /// Ends the current block as a terminator says; not those that stay instructions.
    fn terminator(&mut self, op: &Op) -> bool {
        let is_breakable = |frame: &&Frame| !matches!(frame, Frame::If { .. });
        let is_loop = |frame: &&Frame| matches!(frame, Frame::Loop { .. });
        let innermost = match op {
            Op::Yield(_) => self.frames.last(),
            Op::Break(_) | Op::Fallthrough(_) => self.frames.iter().rev().find(is_breakable),
            Op::Continue(_) | Op::Next(_) | Op::NextIf { .. } => self.frames.iter().rev().find(is_loop),
            Op::Return(value) if self.frames.is_empty() => {
                self.graph.returned = *value;
                let exit = self.graph.exit;
                self.end(End::Jump(exit));
                return true;
            }
            _ => return false,
        };
        let Some(frame) = innermost else { return false };
        let (targets, to, values) = match (op, frame) {
            (Op::Yield(values), Frame::If { results, after })
            | (Op::Break(values), Frame::Switch { results, after, .. } | Frame::Loop { results, after, .. }) => {
                (results.clone(), *after, values)
            }
            (Op::Fallthrough(values), Frame::Switch { next: Some((block, params)), .. })
            | (Op::Continue(values), Frame::Loop { continuing: (block, params), .. })
            | (Op::Next(values), Frame::Loop { body: (block, params), .. }) => (params.clone(), *block, values),
            (
                Op::NextIf { condition, next, results: values },
                Frame::Loop { results, after, body: (block, params), .. },
            ) => {
                let (edges, condition) =
                    ([(*block, params.clone(), next), (*after, results.clone(), values)], *condition);
                self.next_if(condition, edges);
                return true;
            }
            _ => return false,
        };
        self.moves(&targets, values);
        self.end(End::Jump(to));
        true
    }

    /// Branches over two blocks that store the values.
    fn next_if(&mut self, condition: Value, edges: [(BlockId, Vec<Value>, &Values); 2]) {
        let [then, otherwise] = [self.block(), self.block()];
        self.end(End::Branch { condition, then, otherwise });
        for (block, (to, targets, values)) in [then, otherwise].into_iter().zip(edges) {
            self.current = block;
            self.moves(&targets, values);
            self.end(End::Jump(to));
        }
    }
}

impl Graph {
    /// The successors of a block, one for each edge.
    pub fn successors(&self, block: BlockId) -> SmallVec<[BlockId; 4]> {
        match self.blocks.get(block).map(|block| &block.end) {
            Some(End::Jump(to)) => smallvec![*to],
            Some(End::Branch { then, otherwise, .. }) => smallvec![*then, *otherwise],
            Some(End::Switch { cases, .. }) => cases.iter().map(|case| case.block).collect(),
            Some(End::Leave) | None => SmallVec::new(),
        }
    }
}
