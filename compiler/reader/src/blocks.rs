//! The basic blocks of a function: their instructions, their successors, and the values that several of them use.

use crate::decode::Instruction;
use crate::error::Result;
use crate::tables::{FunctionDef, Tables};
use crate::types::Kind;
use clforge_ir::LoopHint;
use rspirv::spirv::{LoopControl, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::{SmallVec, smallvec};
use std::cell::OnceCell;

/// Where control goes after a block, in numbers of blocks.
#[derive(Clone, Debug)]
pub enum Exit {
    Jump(usize),
    /// By the condition with this id.
    Branch(u32, usize, usize),
    /// By the selector with this id; one of the targets is the default.
    Switch(u32, Vec<Target>),
    /// With the id of a result, if there is one.
    Return(Option<u32>),
    Unreachable,
}

/// The cases of a switch that lead to one block.
#[derive(Clone, Debug)]
pub struct Target {
    pub values: SmallVec<[u64; 2]>,
    pub default: bool,
    pub block: usize,
}

/// A block.
#[derive(Clone, Debug)]
pub struct Block<'w> {
    pub label: u32,
    pub phis: Vec<Instruction<'w>>,
    pub instructions: Vec<Instruction<'w>>,
    pub end: Instruction<'w>,
    pub exit: Exit,
    pub hint: LoopHint,
}

/// The blocks of a function in their order.
#[derive(Debug, Default)]
pub struct Graph<'w> {
    pub blocks: Vec<Block<'w>>,
    /// The type of each result.
    pub types: FxHashMap<u32, u32>,
    /// What a phi becomes, by its result and the block that control comes from: the last where there are several.
    pub incoming: FxHashMap<(u32, u32), u32>,
    /// What a pointer was cast from.
    pub uncast: FxHashMap<u32, u32>,
    /// The instructions whose results other blocks use.
    pub crossing: Vec<Instruction<'w>>,
    /// What instructions other than copies and lifetimes use, once that is asked.
    pub used_by_bytes: OnceCell<FxHashSet<u32>>,
}

/// Reads the blocks of a function.
pub fn graph<'w>(tables: &Tables<'w>, function: &FunctionDef<'w>) -> Result<Graph<'w>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'w>> = None;
    for instruction in tables.cursor.within(function.body.0, function.body.1) {
        let mut instruction = instruction?;
        if let Some(ty) = tables.copy_of_pipe(instruction.result) {
            instruction.ty = ty;
        }
        let Some(block) = &mut open else {
            match instruction.op {
                Op::Label => open = Some(new_block(&instruction)),
                Op::Line | Op::NoLine => {}
                op => return Err(instruction.invalid(format!("{op:?} outside of a block"))),
            }
            continue;
        };
        match instruction.op {
            Op::Label => return Err(instruction.invalid("a block inside a block")),
            Op::Phi => block.phis.push(instruction),
            Op::LoopMerge => block.hint = loop_hint(&instruction, 2)?,
            Op::LoopControlINTEL => block.hint = loop_hint(&instruction, 0)?,
            Op::SelectionMerge | Op::Nop => {}
            Op::Branch | Op::BranchConditional | Op::Switch | Op::Return | Op::ReturnValue | Op::Unreachable => {
                block.end = instruction;
                blocks.extend(open.take());
            }
            _ => block.instructions.push(instruction),
        }
    }
    if open.is_some() {
        return Err(function.at.invalid("a block without an end"));
    }
    let mut graph = Graph { blocks, ..Graph::default() };
    graph.connect(tables)?;
    graph.find_incoming();
    graph.find_crossing(tables)?;
    Ok(graph)
}

fn new_block<'w>(label: &Instruction<'w>) -> Block<'w> {
    Block {
        label: label.result,
        phis: Vec::new(),
        instructions: Vec::new(),
        end: *label,
        exit: Exit::Unreachable,
        hint: LoopHint::None,
    }
}

/// What the control at an operand says of a loop.
fn loop_hint(at: &Instruction<'_>, place: usize) -> Result<LoopHint> {
    let control = LoopControl::from_bits_truncate(at.operand(place)?);
    Ok(match control {
        _ if control.contains(LoopControl::DONT_UNROLL) => LoopHint::DontUnroll,
        // Its operands come in the order of the bits.
        LoopControl::PARTIAL_COUNT => LoopHint::UnrollBy(at.operand(place + 1)?),
        _ if control.contains(LoopControl::UNROLL) => LoopHint::Unroll,
        _ => LoopHint::None,
    })
}

impl<'w> Graph<'w> {
    /// The successors of a block, one for each edge.
    pub fn successors(&self, block: usize) -> SmallVec<[usize; 4]> {
        match self.blocks.get(block).map(|block| &block.exit) {
            Some(Exit::Jump(to)) => smallvec![*to],
            Some(Exit::Branch(_, a, b)) => smallvec![*a, *b],
            Some(Exit::Switch(_, targets)) => targets.iter().map(|target| target.block).collect(),
            Some(Exit::Return(_) | Exit::Unreachable) | None => SmallVec::new(),
        }
    }

    /// Notes the operands of phis, of which there may be as many as there are blocks.
    fn find_incoming(&mut self) {
        for phi in self.blocks.iter().flat_map(|block| &block.phis) {
            for pair in phi.operands.chunks_exact(2) {
                if let [value, parent] = *pair {
                    self.incoming.insert((phi.result, parent), value);
                }
            }
        }
    }

    /// Finds where control goes from each block.
    fn connect(&mut self, tables: &Tables<'w>) -> Result<()> {
        let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
        for (number, block) in self.blocks.iter().enumerate() {
            for instruction in block.phis.iter().chain(&block.instructions) {
                if let (Op::Bitcast, [pointer]) = (instruction.op, instruction.operands) {
                    let pointer = self.uncast.get(pointer).copied().unwrap_or(*pointer);
                    self.uncast.insert(instruction.result, pointer);
                }
                if instruction.result != 0 {
                    self.types.insert(instruction.result, instruction.ty);
                }
            }
            numbers.insert(block.label, number);
        }
        for number in 0..self.blocks.len() {
            let exit = self.exit(tables, &self.blocks[number].end, &numbers)?;
            self.blocks[number].exit = exit;
            if self.successors(number).contains(&0) {
                return Err(self.blocks[number].end.invalid("a jump to the first block of the function"));
            }
        }
        match self.blocks.first() {
            Some(first) if !first.phis.is_empty() => Err(first.phis[0].invalid("a phi in the first block")),
            _ => Ok(()),
        }
    }

    fn exit(&self, tables: &Tables<'w>, at: &Instruction<'w>, numbers: &FxHashMap<u32, usize>) -> Result<Exit> {
        let block = |id: u32| numbers.get(&id).copied().ok_or_else(|| at.invalid(format!("%{id} is no block")));
        Ok(match at.op {
            Op::Branch => Exit::Jump(block(at.operand(0)?)?),
            Op::BranchConditional => Exit::Branch(at.operand(0)?, block(at.operand(1)?)?, block(at.operand(2)?)?),
            Op::ReturnValue => Exit::Return(Some(at.operand(0)?)),
            Op::Return => Exit::Return(None),
            Op::Switch => {
                let selector = at.operand(0)?;
                let ty = match tables.constants.get(&selector) {
                    Some(constant) => Some(constant.ty),
                    None => self.types.get(&selector).copied(),
                };
                // A parameter's type is not among those of results.
                let ty = ty.or_else(|| tables.parameter_type(selector));
                let ty = ty.ok_or_else(|| Tables::undefined(at, selector))?;
                Exit::Switch(selector, targets(tables, at, ty, block)?)
            }
            _ => Exit::Unreachable,
        })
    }

    /// Finds the values that are used in other blocks than theirs. A literal that happens to equal an id counts as a use of it,
    /// which does no harm.
    fn find_crossing(&mut self, tables: &Tables<'w>) -> Result<()> {
        let mut homes: FxHashMap<u32, (usize, &Instruction<'w>)> = FxHashMap::default();
        let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
        for (number, block) in self.blocks.iter().enumerate() {
            numbers.insert(block.label, number);
            for instruction in block.phis.iter().chain(&block.instructions) {
                // Objects are in front of the body, and have no result that changes.
                if instruction.result != 0 && instruction.op != Op::Variable && number != 0 {
                    homes.insert(instruction.result, (number, instruction));
                }
            }
        }
        let mut crossing: Vec<Instruction<'w>> = Vec::new();
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        let mut used = |id: u32, block: usize| {
            if let Some((home, instruction)) = homes.get(&id)
                && *home != block
                && seen.insert(id)
            {
                crossing.push(**instruction);
            }
        };
        for (number, block) in self.blocks.iter().enumerate() {
            for phi in &block.phis {
                for pair in phi.operands.chunks_exact(2) {
                    if let [value, parent] = pair {
                        used(*value, numbers.get(parent).copied().unwrap_or(usize::MAX));
                    }
                }
            }
            for instruction in block.instructions.iter().chain([&block.end]) {
                instruction.operands.iter().for_each(|word| used(*word, number));
            }
        }
        // What has no value cannot be used.
        crossing.retain(|at| !matches!(tables.types.find(at.ty).map(|info| &info.kind), None | Some(Kind::Void)));
        self.crossing = crossing;
        Ok(())
    }
}

/// The targets of a switch: the labels of one block together.
fn targets(
    tables: &Tables<'_>,
    at: &Instruction<'_>,
    ty: u32,
    block: impl Fn(u32) -> Result<usize>,
) -> Result<Vec<Target>> {
    let (ty, mask) = (tables.types.value(at, ty)?, tables.types.mask(ty, tables.types.value(at, ty)?));
    if !ty.scalar.is_int() || ty.is_vector() {
        return Err(at.invalid("a switch by a value that is no integer"));
    }
    let default = block(at.operand(1)?)?;
    let mut targets = vec![Target { values: SmallVec::new(), default: true, block: default }];
    let mut places: FxHashMap<usize, usize> = FxHashMap::from_iter([(default, 0)]);
    let mut seen: FxHashSet<u64> = FxHashSet::default();
    let words = if ty.scalar.bits() == 64 { 2 } else { 1 };
    let labels = at.rest(2).chunks_exact(words + 1);
    if !labels.remainder().is_empty() {
        return Err(at.invalid("a literal without a block"));
    }
    for label in labels {
        let Some((to, literal)) = label.split_last() else { continue };
        let value = literal.iter().rev().fold(0, |value, word| value << 32 | u64::from(*word)) & mask;
        if !seen.insert(value) {
            return Err(at.invalid(format!("two cases of the value {value}")));
        }
        let to = block(*to)?;
        let place = *places.entry(to).or_insert(targets.len());
        if place == targets.len() {
            targets.push(Target { values: SmallVec::new(), default: false, block: to });
        }
        targets[place].values.push(value);
    }
    Ok(targets)
}
