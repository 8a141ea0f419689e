//! `dead_code` removes unused instructions, including the parameters and results of structured operations that only
//! carry dead values around a loop.
//!
//! Liveness starts at effects and runs backwards: a result of an `if` keeps the values that its branches yield, and a
//! carried value of a loop keeps its initial value and the value of the next iteration. Private objects that are only
//! stored to are dead too.
//!
//! ```ir
//! ; pass: dead_code
//! ; A private object that nobody reads needs no stores; one that is read keeps them.
//! func @f(%0: i32) -> i32 {
//!   %1: ptr.private = alloca size 8 align 4
//!   %2: ptr.private = alloca size 8 align 4
//!   %3: ptr.private = ptr_add %1 [4]
//!   store align 4 %3, %0
//!   %4: ptr.private = ptr_add %2 [%0 * 4 + 0]
//!   store align 4 %4, %0
//!   %5: i32 = load align 4 %2
//!   return %5
//! }
//! ; ---
//! func @f(%0: i32) -> i32 {
//!   %1: ptr.private = alloca size 8 align 4
//!   %2: ptr.private = ptr_add %1 [%0 * 4 + 0]
//!   store align 4 %2, %0
//!   %3: i32 = load align 4 %1
//!   return %3
//! }
//! ```
//!
//! A condition whose sides only compute values is removed with its results:
//!
//! ```ir
//! ; pass: dead_code
//! func @f(%0: i32) -> i32 {
//!   %1: bool = eq %0, i32 0
//!   %2: i32 = if %1 {
//!     yield i32 7
//!   } else {
//!     %3: i32 = mul %0, %0
//!     yield %3
//!   }
//!   return %0
//! }
//! ; ---
//! func @f(%0: i32) -> i32 {
//!   return %0
//! }
//! ```

use crate::pass::{Changed, FunctionContext, FunctionPass};
use crate::*;
use clforge_basic::narrow::to_u32;
use rustc_hash::FxHashSet;
use typed_index_collections::{TiVec, ti_vec};

/// The pass.
pub struct DeadCode;

impl FunctionPass for DeadCode {
    fn name(&self) -> &'static str {
        "dead_code"
    }

    fn run(&self, function: &mut Function, _: &FunctionContext<'_>) -> Changed {
        dead_code(function);
        Changed::Maybe
    }
}

fn dead_code(function: &mut Function) {
    if function.is_declaration() {
        return;
    }
    let mut live = Liveness {
        values: ti_vec![false; function.value_count()],
        owners: ti_vec![None; function.regions.len()],
        work: Vec::new(),
        objects: Objects(ti_vec![None; function.value_count()]),
        loaded: ti_vec![false; function.value_count()],
        terminators: Vec::new(),
        choosing: FxHashSet::default(),
    };
    // Without objects there is nothing to find.
    if function.ever_had(|op| matches!(op, Op::Alloca { .. })) {
        live.find_loaded(function);
    }
    live.find_roots(function, function.body, Scopes::default());
    // Stable, so that the terminators of one target stay in the order of the program.
    live.terminators.sort_by_key(|hand| hand.target);
    while let Some(value) = live.work.pop() {
        live.propagate(function, value);
    }
    sweep(function, &live, function.body);
}

/// The structured instructions whose regions enclose a point.
#[derive(Clone, Copy, Default)]
struct Scopes {
    /// Target of `yield`.
    branch: Option<InstId>,
    /// Target of `break`.
    breakable: Option<InstId>,
    /// Target of `continue`.
    loop_: Option<InstId>,
    /// The region itself, for `fallthrough` and `next`.
    region: Option<(InstId, RegionId)>,
}

/// A terminator that hands values on, and where to.
struct Hand {
    terminator: InstId,
    target: InstId,
}

struct Liveness {
    values: TiVec<Value, bool>,
    /// The structured instruction that each region belongs to.
    owners: TiVec<RegionId, Option<InstId>>,
    work: Vec<Value>,
    objects: Objects,
    /// By private object: it is read through, or it escapes.
    loaded: TiVec<Value, bool>,
    /// All terminators that pass values to a structured instruction, sorted by that instruction.
    terminators: Vec<Hand>,
    /// The conditions whose sides only compute values.
    choosing: FxHashSet<InstId>,
}

/// The private objects that pointers point into, if their derivation is plain; of each pointer once, since derivations may be long.
struct Objects(TiVec<Value, Option<Object>>);

#[derive(Clone, Copy)]
enum Object {
    Private(Value),
    Unknown,
}

impl Objects {
    /// Finds the object of a pointer.
    fn find(&mut self, function: &Function, ptr: Value) -> Object {
        let (mut at, mut path) = (ptr, Vec::new());
        let object = loop {
            if let Some(known) = self.0[at] {
                break known;
            }
            path.push(at);
            match function.op(at) {
                Some(Op::Alloca { .. }) => break Object::Private(at),
                Some(Op::PtrAdd { base, .. }) => at = *base,
                _ => break Object::Unknown,
            }
        };
        for value in path {
            self.0[value] = Some(object);
        }
        object
    }

    /// What was found.
    fn of(&self, ptr: Value) -> Option<Value> {
        match self.0[ptr] {
            Some(Object::Private(object)) => Some(object),
            _ => None,
        }
    }
}

impl Liveness {
    /// Marks the objects that are used otherwise than by storing into them.
    fn find_loaded(&mut self, function: &Function) {
        let (objects, loaded) = (&mut self.objects, &mut self.loaded);
        for inst in &function.insts {
            if let Op::Store { ptr, .. } = inst.op {
                objects.find(function, ptr);
            }
            let mut mark = |value: Value| {
                if function.ty(value).space() == Some(Space::Private)
                    && let Object::Private(root) = objects.find(function, value)
                {
                    loaded[root] = true;
                }
            };
            match &inst.op {
                Op::PtrAdd { .. } => {}
                Op::Store { value, volatile, ptr, .. } => {
                    mark(*value);
                    if *volatile {
                        mark(*ptr);
                    }
                }
                op => op.for_each_operand(mark),
            }
        }
    }

    fn is_dead_store(&self, op: &Op) -> bool {
        let Op::Store { ptr, volatile: false, .. } = op else { return false };
        self.objects.of(*ptr).is_some_and(|root| !self.loaded[root])
    }

    /// Marks what instructions with effects need, and finds the owners of regions, the terminators, and the conditions
    /// that only choose values. Whether the region does anything besides computing values.
    fn find_roots(&mut self, function: &Function, region: RegionId, scopes: Scopes) -> bool {
        let mut acts = false;
        for id in &function.region(region).insts {
            let op = &function.inst(*id).op;
            let mut nested_acts = false;
            for nested in op.regions() {
                self.owners[nested] = Some(*id);
                let scopes = match op {
                    Op::If { .. } => Scopes { branch: Some(*id), ..scopes },
                    Op::Switch { .. } => Scopes { breakable: Some(*id), region: Some((*id, nested)), ..scopes },
                    _ => Scopes { breakable: Some(*id), loop_: Some(*id), region: Some((*id, nested)), branch: None },
                };
                nested_acts |= self.find_roots(function, nested, scopes);
            }
            if matches!(op, Op::If { .. }) && !nested_acts {
                self.choosing.insert(*id);
            } else {
                self.root(op);
                acts |= self.acts(op);
            }
            let target = match op {
                Op::Yield(_) => scopes.branch,
                Op::Break(_) => scopes.breakable,
                Op::Continue(_) => scopes.loop_,
                Op::Fallthrough(_) | Op::Next(_) | Op::NextIf { .. } => scopes.region.map(|region| region.0),
                _ => None,
            };
            if let Some(target) = target {
                self.terminators.push(Hand { terminator: *id, target });
            }
        }
        acts
    }

    /// Whether an operation, apart from conditions that only choose values, does anything besides computing its results.
    fn acts(&self, op: &Op) -> bool {
        match op {
            Op::Yield(_) | Op::Alloca { .. } | Op::Load { volatile: false, .. } | Op::VariableLoad { .. } => false,
            Op::Store { .. } => !self.is_dead_store(op),
            op => !op.is_pure(),
        }
    }

    fn need(&mut self, value: Value) {
        if !std::mem::replace(&mut self.values[value], true) {
            self.work.push(value);
        }
    }

    /// Marks what an instruction needs if it has effects.
    fn root(&mut self, op: &Op) {
        match op {
            Op::If { condition, .. } => self.need(*condition),
            Op::Switch { selector, .. } => self.need(*selector),
            Op::NextIf { condition, .. } => self.need(*condition),
            Op::Return(value) => value.iter().for_each(|value| self.need(*value)),
            Op::Store { .. } if self.is_dead_store(op) => {}
            Op::Store { .. } | Op::VariableStore { .. } | Op::Call { .. } => self.need_operands(op),
            Op::Atomic { .. } | Op::VariableAtomic { .. } => self.need_operands(op),
            Op::Group { .. } | Op::Device { .. } | Op::Enqueue { .. } | Op::Check { .. } => self.need_operands(op),
            Op::MatrixVariableLoad { .. } | Op::MatrixVariableStore { .. } => self.need_operands(op),
            Op::Matrix(matrix) if !matrix.is_pure() => self.need_operands(op),
            Op::Load { volatile: true, .. } => self.need_operands(op),
            Op::Image { op: ImageOp::Write { .. } | ImageOp::WriteLod { .. }, .. } => self.need_operands(op),
            Op::Intrinsic { function: builtin, .. } if !builtin.is_pure() => self.need_operands(op),
            _ => {}
        }
    }

    fn need_operands(&mut self, op: &Op) {
        op.for_each_operand(|value| self.need(value));
    }

    /// Marks what a live value is made of.
    fn propagate(&mut self, function: &Function, value: Value) {
        match function.def(value) {
            ValueDef::Inst(id, index) => {
                let (id, index) = (*id, *index as usize);
                let op = &function.inst(id).op;
                if op.regions().is_empty() {
                    return self.need_operands(op);
                }
                if let Op::If { condition, .. } = op {
                    self.need(*condition);
                }
                self.need_handed(function, id, |op| match op {
                    Op::Yield(values) | Op::Break(values) => values.get(index).copied(),
                    Op::NextIf { results, .. } => results.get(index).copied(),
                    _ => None,
                });
            }
            ValueDef::RegionParam(region) => {
                let region = *region;
                let Some(owner) = self.owners[region] else { return };
                let position = function.region(region).params.iter().position(|param| *param == value);
                let Some(index) = position else { return };
                self.need_param(function, owner, region, index);
            }
            ValueDef::Constant(_) | ValueDef::FunctionParam(_) => {}
        }
    }

    /// The terminators that pass values to a structured instruction.
    fn hands(&self, target: InstId) -> impl Iterator<Item = InstId> {
        let first = self.terminators.partition_point(|hand| hand.target < target);
        self.terminators[first..].iter().take_while(move |hand| hand.target == target).map(|hand| hand.terminator)
    }

    fn need_handed(&mut self, function: &Function, target: InstId, pick: impl Fn(&Op) -> Option<Value>) {
        let found: Vec<Value> =
            self.hands(target).filter_map(|terminator| pick(&function.inst(terminator).op)).collect();
        found.into_iter().for_each(|value| self.need(value));
    }

    fn need_param(&mut self, function: &Function, owner: InstId, region: RegionId, index: usize) {
        match &function.inst(owner).op {
            Op::Switch { inputs, .. } => {
                inputs.get(index).iter().for_each(|value| self.need(**value));
                // All cases have the same parameters; one that is needed somewhere is kept everywhere.
                if let Op::Switch { cases, .. } = &function.inst(owner).op {
                    for case in cases {
                        let param = function.region(case.region).params.get(index).copied();
                        param.iter().for_each(|param| self.need(*param));
                    }
                }
                self.need_handed(function, owner, |op| match op {
                    Op::Fallthrough(values) => values.get(index).copied(),
                    _ => None,
                });
            }
            Op::Loop { inits, body, .. } if *body == region => {
                inits.get(index).iter().for_each(|value| self.need(**value));
                self.need_handed(function, owner, |op| match op {
                    Op::Next(values) | Op::NextIf { next: values, .. } => values.get(index).copied(),
                    _ => None,
                });
            }
            Op::Loop { .. } => self.need_handed(function, owner, |op| match op {
                Op::Continue(values) => values.get(index).copied(),
                _ => None,
            }),
            _ => {}
        }
    }

    fn is_live(&self, value: Value) -> bool {
        self.values[value]
    }

    /// Whether an instruction stays.
    fn keeps(&self, id: InstId, inst: &Inst) -> bool {
        match &inst.op {
            Op::If { .. } if self.choosing.contains(&id) => inst.results.iter().any(|result| self.is_live(*result)),
            op if op.is_terminator() || !op.regions().is_empty() => true,
            Op::Alloca { .. } | Op::Load { volatile: false, .. } | Op::VariableLoad { .. } => {
                inst.results.iter().any(|result| self.is_live(*result))
            }
            Op::Image { .. } => inst.results.is_empty() || inst.results.iter().any(|result| self.is_live(*result)),
            Op::Store { .. } => !self.is_dead_store(&inst.op),
            op if op.is_pure() => inst.results.iter().any(|result| self.is_live(*result)),
            _ => true,
        }
    }
}

/// Removes what is dead from a region and everything nested in it.
fn sweep(function: &mut Function, live: &Liveness, region: RegionId) {
    let mut kept = std::mem::take(&mut function.region_mut(region).insts);
    kept.retain(|id| live.keeps(*id, function.inst(*id)));
    for id in &kept {
        let regions = function.inst(*id).op.regions();
        if regions.is_empty() {
            continue;
        }
        trim(function, live, *id);
        for nested in regions {
            sweep(function, live, nested);
        }
    }
    function.region_mut(region).insts = kept;
}

/// Removes dead results and parameters of a structured instruction, and the operands that are passed to them.
fn trim(function: &mut Function, live: &Liveness, id: InstId) {
    let mask = |values: &[Value]| values.iter().map(|value| live.is_live(*value)).collect::<Vec<bool>>();
    let results = mask(&function.inst(id).results);
    let op = function.inst(id).op.clone();
    let params = |region: RegionId| mask(&function.region(region).params);
    let (inputs, continued) = match &op {
        Op::Switch { cases, .. } => (cases.first().map_or(Vec::new(), |case| params(case.region)), Vec::new()),
        Op::Loop { body, continuing, .. } => (params(*body), params(*continuing)),
        _ => (Vec::new(), Vec::new()),
    };
    let hands: Vec<InstId> = live.hands(id).collect();
    for terminator in hands {
        match &mut function.inst_mut(terminator).op {
            Op::Yield(values) | Op::Break(values) => filter(values, &results),
            Op::Continue(values) => filter(values, &continued),
            Op::Fallthrough(values) | Op::Next(values) => filter(values, &inputs),
            Op::NextIf { next, results: handed, .. } => {
                filter(next, &inputs);
                filter(handed, &results);
            }
            _ => {}
        }
    }
    match &mut function.inst_mut(id).op {
        Op::Switch { inputs: values, .. } | Op::Loop { inits: values, .. } => filter(values, &inputs),
        _ => {}
    }
    for (index, region) in op.regions().into_iter().enumerate() {
        let mask = if matches!(op, Op::Loop { .. }) && index == 1 { &continued } else { &inputs };
        let mut at = 0;
        function.region_mut(region).params.retain(|_| {
            at += 1;
            mask.get(at - 1).copied().unwrap_or(true)
        });
    }
    let mut at = 0;
    function.inst_mut(id).results.retain(|_| {
        at += 1;
        results[at - 1]
    });
    for (index, result) in function.inst(id).results.clone().into_iter().enumerate() {
        function.set_def(result, ValueDef::Inst(id, to_u32(index)));
    }
}

fn filter(values: &mut Values, mask: &[bool]) {
    let mut at = 0;
    values.retain(|_| {
        at += 1;
        mask.get(at - 1).copied().unwrap_or(true)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the last pointer of a chain is derived from is known of all of them then.
    #[test]
    fn each_pointer_is_followed_once() {
        let mut function = Function::new("f");
        let index = function.add_param(Type::I64);
        let mut b = Builder::new(&mut function);
        let object = b.alloca(64, 4);
        let mut chain = vec![object];
        for _ in 0..100 {
            chain.push(b.ptr_add(chain[chain.len() - 1], index, 4));
        }
        let mut objects = Objects(ti_vec![None; function.value_count()]);
        objects.find(&function, chain[100]);
        assert!(chain.iter().all(|pointer| objects.of(*pointer) == Some(object)));
        assert!(objects.0[index].is_none(), "an index is no pointer");
    }
}
