//! `common_subexpressions`: common subexpression elimination, of pure operations, of loads, and of calls without other effects.
//!
//! Value numbering along the region tree, which is the dominator tree here: an instruction sees those before it in its region
//! and in the enclosing ones. Loads are included while nothing can have written their memory: each kind of memory has an
//! epoch that stores, calls that may write, atomics and barriers end, and a store gives the value of the next load of its
//! place. What is known of places that a store does not overlap, because they are at another distance from the same address
//! or in another variable, stays known.

use crate::analysis::{Effects, FunctionEffects, Place, Substitution};
use crate::pass::{Changed, FunctionContext, FunctionPass};
use crate::*;
use clforge_basic::narrow::to_u32;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// The pass.
pub struct CommonSubexpressions;

impl FunctionPass for CommonSubexpressions {
    fn name(&self) -> &'static str {
        "common_subexpressions"
    }

    fn looks_at_calls(&self) -> bool {
        true
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        number_values(function, context);
        Changed::Maybe
    }
}

fn number_values(function: &mut Function, context: &FunctionContext<'_>) {
    if function.is_declaration() {
        return;
    }
    let mut pass = Numbering {
        variables: context.variables,
        effects: &context.effects,
        known: Vec::new(),
        newest: FxHashMap::default(),
        replaced: Substitution::default(),
        memory: Epochs::default(),
        epochs: 0,
        writes: ti_vec![Writes::default(); function.insts.len()],
    };
    let body = function.body;
    pass.find_writes(function, body);
    pass.merge(function, body);
}

/// Memory that a write can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Memory {
    Private,
    Local,
    Global,
    /// Any of them.
    Any,
    /// Nothing writes it.
    Constant,
}

/// Most places that stay known after a store, and values among which they are looked for, the newest ones.
const MOST_KEPT: usize = 64;
const LOOKED_AT: usize = 96;

const KINDS: [Memory; 3] = [Memory::Private, Memory::Local, Memory::Global];

/// When each of [`KINDS`] was last written, as a number that grows.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
struct Epochs([u32; 3]);

/// Which of [`KINDS`] are written.
#[derive(Clone, Copy, Default)]
struct Writes([bool; 3]);

impl Writes {
    fn add(&mut self, memory: Memory) {
        for (written, kind) in self.0.iter_mut().zip(KINDS) {
            *written |= memory == kind || memory == Memory::Any;
        }
    }

    /// Whether they can change what is read from a kind of memory.
    fn reach(self, memory: Memory) -> bool {
        let mut kinds = self.0.into_iter().zip(KINDS);
        kinds.any(|(written, kind)| written && (memory == kind || memory == Memory::Any))
    }

    fn merge(&mut self, other: Writes) {
        for (written, other) in self.0.iter_mut().zip(other.0) {
            *written |= other;
        }
    }
}

/// A value that was computed, loaded or stored.
struct Known {
    hash: u64,
    /// The one before it of the same hash, as an index.
    previous: Option<u32>,
    /// What defined it: a pure operation, a load, a call, or a store of it.
    inst: InstId,
    value: Value,
    epochs: Epochs,
}

struct Numbering<'v> {
    variables: &'v TiSlice<VariableId, Variable>,
    effects: &'v FunctionEffects,
    /// In the order in which they became known; a region's end forgets those since its begin.
    known: Vec<Known>,
    /// The last of `known` of each hash.
    newest: FxHashMap<u64, u32>,
    replaced: Substitution,
    memory: Epochs,
    /// Last number given.
    epochs: u32,
    /// What each structured instruction writes.
    writes: TiVec<InstId, Writes>,
}

impl Numbering<'_> {
    /// Memory that an address of this type points into.
    fn space(ty: Type) -> Memory {
        match ty.space() {
            Some(Space::Private) => Memory::Private,
            Some(Space::Local) => Memory::Local,
            Some(Space::Constant) => Memory::Constant,
            // After legalisation addresses are integers.
            Some(Space::Global) | None => Memory::Global,
            Some(Space::Generic) => Memory::Any,
        }
    }

    fn storage(&self, variable: VariableId) -> Memory {
        match self.variables.get(variable).map(|variable| variable.storage) {
            Some(Storage::Function | Storage::Private) => Memory::Private,
            Some(Storage::Workgroup) => Memory::Local,
            Some(Storage::PushConstant | Storage::Uniform { .. }) => Memory::Constant,
            None => Memory::Any,
        }
    }

    /// What one instruction writes, nested regions aside.
    fn direct_writes(&self, function: &Function, op: &Op) -> Writes {
        let mut writes = Writes::default();
        match op {
            Op::Store { ptr, .. } => writes.add(Self::space(function.ty(*ptr))),
            Op::VariableStore { variable, .. } => writes.add(self.storage(*variable)),
            Op::Call { function, .. } if self.effects.of_call(*function) < Effects::Any => {}
            Op::Call { .. } | Op::Device { .. } | Op::Enqueue { .. } => writes.add(Memory::Any),
            // Atomics may order what others write.
            Op::Atomic { .. } | Op::VariableAtomic { .. } | Op::Barrier { .. } | Op::Fence(_) => {
                writes.add(Memory::Any)
            }
            Op::Intrinsic { function, .. } if !function.is_pure() => writes.add(Memory::Any),
            _ => {}
        }
        writes
    }

    fn find_writes(&mut self, function: &Function, region: RegionId) -> Writes {
        let mut all = Writes::default();
        for id in &function.region(region).insts {
            let op = &function.inst(*id).op;
            let mut writes = self.direct_writes(function, op);
            for nested in op.regions() {
                writes.merge(self.find_writes(function, nested));
            }
            self.writes[*id] = writes;
            all.merge(writes);
        }
        all
    }

    fn written(&mut self, writes: Writes) {
        for (epoch, written) in self.memory.0.iter_mut().zip(writes.0) {
            if written {
                self.epochs += 1;
                *epoch = self.epochs;
            }
        }
    }

    /// Merges what is equal in a region and below it.
    fn merge(&mut self, function: &mut Function, region: RegionId) {
        let insts = std::mem::take(&mut function.region_mut(region).insts);
        let mut kept = Vec::with_capacity(insts.len());
        for id in insts {
            if self.inst(function, id) {
                kept.push(id);
            }
        }
        function.region_mut(region).insts = kept;
    }

    /// [`Numbering::merge`] of a nested region, whose values nothing after it sees.
    fn region(&mut self, function: &mut Function, region: RegionId) {
        let mark = self.known.len();
        self.merge(function, region);
        for known in self.known.drain(mark..).rev() {
            match known.previous {
                Some(previous) => self.newest.insert(known.hash, previous),
                None => self.newest.remove(&known.hash),
            };
        }
    }

    /// Whether the instruction stays.
    fn inst(&mut self, function: &mut Function, id: InstId) -> bool {
        self.replaced.apply(&mut function.inst_mut(id).op);
        order(function, id);
        let inst = function.inst(id);
        let regions = inst.op.regions();
        if !regions.is_empty() {
            self.structured(function, id, &regions);
            return true;
        }
        if let Some(epochs) = self.numbered(function, &inst.op)
            && let [result] = inst.results[..]
        {
            let ty = function.ty(result);
            let same = |known: &Known| {
                known.epochs == epochs
                    && function.ty(known.value) == ty
                    && gives(&function.inst(known.inst).op, &inst.op)
            };
            let hash = hash(&inst.op, ty, epochs);
            let Some(known) = self.find(hash, same) else {
                self.enter(Known { hash, previous: None, inst: id, value: result, epochs });
                return true;
            };
            self.replaced.insert(result, known);
            return false;
        }
        let writes = self.direct_writes(function, &inst.op);
        let kept = self.kept(function, id, writes);
        self.written(writes);
        for (inst, value) in kept {
            self.accessed(function, inst, value);
        }
        if let Op::Store { value, volatile: false, .. } | Op::VariableStore { value, .. } = function.inst(id).op {
            self.accessed(function, id, value);
        }
        true
    }

    /// Accesses that a store does not overlap, to memory that it writes, and the values that their places hold.
    fn kept(&self, function: &Function, id: InstId, writes: Writes) -> Vec<(InstId, Value)> {
        let mut kept = Vec::new();
        let is_store = matches!(function.inst(id).op, Op::Store { .. } | Op::VariableStore { .. });
        let Some(written) = Place::of(function, id).filter(|_| is_store) else { return kept };
        for known in self.known.iter().rev().take(LOOKED_AT) {
            // What is not written stays known by itself.
            let is_current = |memory| writes.reach(memory) && known.epochs == self.state(memory);
            if kept.len() < MOST_KEPT
                && Place::of(function, known.inst).is_some_and(|place| place.is_apart_from(&written))
                && self.memory_of(function, &function.inst(known.inst).op).is_some_and(is_current)
            {
                kept.push((known.inst, known.value));
            }
        }
        // The newest first, so that it is found first again.
        kept.reverse();
        kept
    }

    /// The memory that a load or a store accesses.
    fn memory_of(&self, function: &Function, op: &Op) -> Option<Memory> {
        match op {
            Op::Load { ptr, volatile: false, .. } | Op::Store { ptr, volatile: false, .. } => {
                Some(Self::space(function.ty(*ptr)))
            }
            Op::VariableLoad { variable, .. } | Op::VariableStore { variable, .. } => Some(self.storage(*variable)),
            _ => None,
        }
    }

    /// After a load or a store, a load of the same place gives the value.
    fn accessed(&mut self, function: &Function, inst: InstId, value: Value) {
        let op = &function.inst(inst).op;
        let load = match op {
            Op::Load { ptr, align, .. } | Op::Store { ptr, align, .. } => {
                Op::Load { ptr: *ptr, align: *align, volatile: false }
            }
            Op::VariableLoad { variable, index } | Op::VariableStore { variable, index, .. } => {
                Op::VariableLoad { variable: *variable, index: *index }
            }
            _ => return,
        };
        let Some(memory) = self.memory_of(function, op) else { return };
        let epochs = self.state(memory);
        let hash = hash(&load, function.ty(value), epochs);
        self.enter(Known { hash, previous: None, inst, value, epochs });
    }

    /// The newest value of a hash that is the same.
    fn find(&self, hash: u64, same: impl Fn(&Known) -> bool) -> Option<Value> {
        let at = |index: u32| self.known.get(index as usize);
        let chain = std::iter::successors(at(*self.newest.get(&hash)?), |known| known.previous.and_then(at));
        chain.into_iter().find(|known| same(known)).map(|known| known.value)
    }

    /// Makes a value known, as the newest of its hash.
    fn enter(&mut self, new: Known) {
        let previous = self.newest.insert(new.hash, to_u32(self.known.len()));
        self.known.push(Known { previous, ..new });
    }

    /// The epochs that a read of some memory depends on.
    fn state(&self, memory: Memory) -> Epochs {
        let mut epochs = Epochs::default();
        for (index, kind) in KINDS.into_iter().enumerate() {
            if memory == kind || memory == Memory::Any {
                epochs.0[index] = self.memory.0[index];
            }
        }
        epochs
    }

    /// For an operation that may be merged with an equal one: the state of the memory it reads.
    fn numbered(&self, function: &Function, op: &Op) -> Option<Epochs> {
        match op {
            Op::Load { ptr, volatile: false, .. } => Some(self.state(Self::space(function.ty(*ptr)))),
            Op::VariableLoad { variable, .. } => Some(self.state(self.storage(*variable))),
            Op::Call { function, .. } => match self.effects.of_call(*function) {
                Effects::None => Some(Epochs::default()),
                Effects::Reads => Some(self.state(Memory::Any)),
                Effects::Any => None,
            },
            op if op.is_pure() => Some(Epochs::default()),
            _ => None,
        }
    }

    fn structured(&mut self, function: &mut Function, id: InstId, regions: &[RegionId]) {
        let writes = self.writes[id];
        let branches = matches!(function.inst(id).op, Op::If { .. });
        let before = self.memory;
        for region in regions {
            if branches {
                self.memory = before;
            } else {
                // Entered from an earlier round or case, after whatever is written inside.
                self.written(writes);
            }
            self.region(function, *region);
        }
        self.written(writes);
    }
}

/// Puts the operands of what commutes in one order: constants last, otherwise by number.
fn order(function: &mut Function, id: InstId) {
    use BinaryOp::*;
    let key = |value: Value| (function.as_constant(value).is_some(), value);
    let swap = match &function.inst(id).op {
        Op::Binary { op: Add | Mul | And | Or | Xor | FAdd | FMul, lhs, rhs } => key(*lhs) > key(*rhs),
        Op::Compare { op: CompareOp::Eq | CompareOp::Ne | CompareOp::FEq | CompareOp::FNe, lhs, rhs } => {
            key(*lhs) > key(*rhs)
        }
        _ => false,
    };
    if swap
        && let Op::Binary { lhs: a, rhs: b, .. } | Op::Compare { lhs: a, rhs: b, .. } = &mut function.inst_mut(id).op
    {
        std::mem::swap(a, b);
    }
}

fn hash(op: &Op, ty: Type, epochs: Epochs) -> u64 {
    let mut hasher = FxHasher::default();
    match op {
        // The alignment is an assertion, not part of what is read.
        Op::Load { ptr, .. } => (u8::MAX, ptr).hash(&mut hasher),
        op => op.hash(&mut hasher),
    }
    (ty, epochs).hash(&mut hasher);
    hasher.finish()
}

/// Whether `known` computes the value of `op`, in the same state of memory.
fn gives(known: &Op, op: &Op) -> bool {
    match (known, op) {
        (Op::Load { ptr: a, .. } | Op::Store { ptr: a, .. }, Op::Load { ptr: b, .. }) => a == b,
        (Op::VariableStore { variable: a, index: i, .. }, Op::VariableLoad { variable: b, index: j }) => {
            (a, i) == (b, j)
        }
        (known, op) => known == op,
    }
}
