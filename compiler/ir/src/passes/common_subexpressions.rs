//! `common_subexpressions`: common subexpression elimination, of pure operations, of loads, and of calls without other effects.
//!
//! Value numbering along the region tree, which is the dominator tree here: an instruction sees those before it in its
//! region and in the enclosing ones. A load is replaced as long as nothing can have written its place. For each kind of
//! memory there is a history of the writes by stores, calls, atomics and barriers; a store provides the value of the
//! next load of its place. A store does not invalidate places that it cannot overlap: those at another offset from the
//! same address, and those in another variable.

mod history;

use crate::analysis::{Effects, FunctionEffects, Place, Substitution};
use crate::pass::{Changed, FunctionContext, FunctionPass};
use crate::*;
use clforge_basic::narrow::to_u32;
use history::{History, Memory, State, Writes};
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
        memory: History::default(),
        writes: ti_vec![Writes::default(); function.insts.len()],
    };
    let body = function.body;
    pass.find_writes(function, body);
    pass.merge(function, body);
}

/// A value that was computed, loaded or stored.
struct Known {
    hash: u64,
    /// The one before it of the same hash, as an index.
    previous: Option<u32>,
    /// What defined it: a pure operation, a load, a call, or a store of it.
    inst: InstId,
    value: Value,
    /// Of the memory that the value depends on.
    state: State,
}

struct Numbering<'v> {
    variables: &'v TiSlice<VariableId, Variable>,
    effects: &'v FunctionEffects,
    /// In the order in which they became known; a region's end forgets those since its begin.
    known: Vec<Known>,
    /// The last of `known` of each hash.
    newest: FxHashMap<u64, u32>,
    replaced: Substitution,
    memory: History,
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
            Some(Storage::StorageBuffer { .. }) => Memory::Global,
            None => Memory::Any,
        }
    }

    /// The place of a load or a store.
    fn place(&self, function: &Function, id: InstId) -> Option<Place> {
        let place = Place::of(function, id)?;
        Some(match function.inst(id).op {
            Op::VariableLoad { variable, .. } | Op::VariableStore { variable, .. }
                if self.storage(variable) == Memory::Global =>
            {
                place.in_buffer()
            }
            _ => place,
        })
    }

    /// What one instruction writes, nested regions aside.
    fn direct_writes(&self, function: &Function, op: &Op) -> Writes {
        let mut writes = Writes::default();
        match op {
            Op::Store { ptr, .. } => writes.add(Self::space(function.ty(*ptr))),
            Op::VariableStore { variable, .. } | Op::MatrixVariableStore { variable, .. } => {
                writes.add(self.storage(*variable));
            }
            Op::Matrix(MatrixOp::Store { ptr, .. }) => writes.add(Self::space(function.ty(*ptr))),
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
        if let Some(state) = self.numbered(function, &inst.op)
            && let [result] = inst.results[..]
        {
            let Some(known) = self.known(function, id, result, state) else {
                let hash = self.hash(function, &inst.op, function.ty(result), state);
                self.enter(Known { hash, previous: None, inst: id, value: result, state });
                return true;
            };
            self.replaced.insert(result, known);
            return false;
        }
        let writes = self.direct_writes(function, &inst.op);
        let is_store = matches!(inst.op, Op::Store { .. } | Op::VariableStore { .. });
        self.memory.write(writes, self.place(function, id).filter(|_| is_store));
        if let Op::Store { value, volatile: false, .. } | Op::VariableStore { value, .. } = inst.op {
            self.stored(function, id, value);
        }
        true
    }

    /// The value that an instruction would compute again.
    fn known(&self, function: &Function, id: InstId, result: Value, state: State) -> Option<Value> {
        let (op, ty) = (&function.inst(id).op, function.ty(result));
        let hash = self.hash(function, op, ty, state);
        let same = |known: &Known| function.ty(known.value) == ty && gives(&function.inst(known.inst).op, op);
        match self.memory_of(function, op) {
            // The newest access of the place decides: what is known of an older one was so before a write.
            Some(memory) => {
                let known = self.find(hash, same)?;
                let place = self.place(function, id);
                self.memory.is_unchanged(known.state, memory, place.as_ref()).then_some(known.value)
            }
            None => self.find(hash, |known| known.state == state && same(known)).map(|known| known.value),
        }
    }

    /// The memory that a load or a store accesses.
    fn memory_of(&self, function: &Function, op: &Op) -> Option<Memory> {
        match op {
            Op::Load { volatile: false, invariant: true, .. } => Some(Memory::Constant),
            Op::Load { ptr, volatile: false, .. } | Op::Store { ptr, volatile: false, .. } => {
                Some(Self::space(function.ty(*ptr)))
            }
            Op::VariableLoad { variable, .. } | Op::VariableStore { variable, .. } => Some(self.storage(*variable)),
            _ => None,
        }
    }

    /// After a store, a load of its place gives the value.
    fn stored(&mut self, function: &Function, inst: InstId, value: Value) {
        let op = &function.inst(inst).op;
        let load = match op {
            Op::Store { ptr, align, .. } => Op::Load { ptr: *ptr, align: *align, volatile: false, invariant: false },
            Op::VariableStore { variable, index, .. } => Op::VariableLoad { variable: *variable, index: *index },
            _ => return,
        };
        let Some(memory) = self.memory_of(function, op) else { return };
        let state = self.memory.state(memory);
        let hash = self.hash(function, &load, function.ty(value), state);
        self.enter(Known { hash, previous: None, inst, value, state });
    }

    /// Of what gives the same values: a place in memory has the same hash in every state of it.
    fn hash(&self, function: &Function, op: &Op, ty: Type, state: State) -> u64 {
        let mut hasher = FxHasher::default();
        match op {
            // The alignment is an assertion, not part of what is read.
            Op::Load { ptr, .. } => (u8::MAX, ptr).hash(&mut hasher),
            op => op.hash(&mut hasher),
        }
        let state = self.memory_of(function, op).is_none().then_some(state);
        (ty, state).hash(&mut hasher);
        hasher.finish()
    }

    /// The newest value of a hash that is the same.
    fn find(&self, hash: u64, same: impl Fn(&Known) -> bool) -> Option<&Known> {
        let at = |index: u32| self.known.get(index as usize);
        let chain = std::iter::successors(at(*self.newest.get(&hash)?), |known| known.previous.and_then(at));
        chain.into_iter().find(|known| same(known))
    }

    /// Makes a value known, as the newest of its hash.
    fn enter(&mut self, new: Known) {
        let previous = self.newest.insert(new.hash, to_u32(self.known.len()));
        self.known.push(Known { previous, ..new });
    }

    /// For an operation that may be merged with an equal one: the state of the memory it reads.
    fn numbered(&self, function: &Function, op: &Op) -> Option<State> {
        match op {
            Op::Load { volatile: false, invariant: true, .. } => Some(self.memory.state(Memory::Constant)),
            Op::Load { ptr, volatile: false, .. } => Some(self.memory.state(Self::space(function.ty(*ptr)))),
            Op::VariableLoad { variable, .. } => Some(self.memory.state(self.storage(*variable))),
            Op::Call { function, .. } => match self.effects.of_call(*function) {
                Effects::None => Some(State::default()),
                Effects::Reads => Some(self.memory.state(Memory::Any)),
                Effects::Any => None,
            },
            op if op.is_pure() => Some(State::default()),
            _ => None,
        }
    }

    fn structured(&mut self, function: &mut Function, id: InstId, regions: &[RegionId]) {
        let writes = self.writes[id];
        let branches = matches!(function.inst(id).op, Op::If { .. });
        let before = self.memory.state(Memory::Any);
        for region in regions {
            if branches {
                self.memory.return_to(before);
            } else {
                // Entered from an earlier round or case, after whatever is written inside.
                self.memory.write(writes, None);
            }
            self.region(function, *region);
        }
        self.memory.write(writes, None);
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

/// Whether `known` computes the value of `op`, if it does in the same state of memory.
fn gives(known: &Op, op: &Op) -> bool {
    match (known, op) {
        (Op::Load { ptr: a, .. } | Op::Store { ptr: a, .. }, Op::Load { ptr: b, .. }) => a == b,
        (Op::VariableStore { variable: a, index: i, .. }, Op::VariableLoad { variable: b, index: j }) => {
            (a, i) == (b, j)
        }
        (known, op) => known == op,
    }
}
