//! `scalar_promotion` keeps the contents of a memory location that a loop loads and stores in a value while the loop
//! runs.
//!
//! ```text
//! for j in 0..n { a[i] += b[j]; }
//! ```
//!
//! loads and stores `a[i]` in each iteration, and each load waits for the store before it. If nothing else in the loop
//! may load the location, the value is loaded before the loop and stored after it. If something may (`b` may overlap
//! `a`), the stores stay and only the loads are removed. Drivers do neither (lavaMD of Rodinia on an NVIDIA H100: 13.0
//! ms, and 2.9 ms with NVIDIA's OpenCL, whose compiler promotes).
//!
//! The location is replaced by a private object, which `mem2reg` promotes:
//!
//! ```text
//! if 0 < n { t = a[i] }    loop { t += b[j] }    if 0 < n { a[i] = t }
//! ```
//!
//! The pass inserts no load or store that the original program does not execute, because other work-items may use the
//! location in that case. Therefore an access to the location must be executed in each iteration, and the condition of
//! the first iteration is tested before the loop, unless its result is known. In LLVM this is a part of LICM.

mod accesses;

use crate::analysis::{FunctionEffects, LoopShape};
use crate::copy::Copier;
use crate::pass::{Changed, FunctionContext, FunctionPass, Order};
use crate::*;
use accesses::{Access, Accesses, Interference, Place};
use clforge_basic::source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// Words of 32 bits that a loop may keep in values for this pass.
const MAX_WORDS: u64 = 32;
/// Instructions that are computed before the loop for an address or a test.
const MAX_HOISTED: usize = 16;

/// The pass.
pub struct ScalarPromotion;

impl FunctionPass for ScalarPromotion {
    fn name(&self) -> &'static str {
        "scalar_promotion"
    }

    fn order(&self) -> Order {
        Order { after: &["mem2reg"], before: &["vulkan/memory"], ..Order::ANY }
    }

    fn looks_at_calls(&self) -> bool {
        true
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        // A report counts the accesses that are out of range.
        if context.options.codegen.bounds_check || function.is_declaration() {
            return Changed::No;
        }
        let body = function.body;
        let mut promotion =
            Promotion { function, effects: &context.effects, objects: FxHashSet::default(), allocas: Vec::new() };
        promotion.region(body);
        let allocas = promotion.allocas;
        if allocas.is_empty() {
            return Changed::No;
        }
        function.region_mut(body).insts.splice(0..0, allocas);
        Changed::Maybe
    }
}

struct Promotion<'f> {
    function: &'f mut Function,
    effects: &'f FunctionEffects,
    /// The private objects that places have become.
    objects: FxHashSet<Value>,
    /// The instructions that make them.
    allocas: Vec<InstId>,
}

/// A loop whose places may be promoted.
struct Candidate {
    shape: LoopShape,
    accesses: Accesses,
    /// Where each of the instructions that no other is around is in `shape.insts`.
    positions: FxHashMap<InstId, usize>,
    /// The instructions that are executed although the first test leaves the loop.
    before_first_stay: FxHashSet<InstId>,
}

/// A place that is kept in a value.
struct Promoted<'a> {
    place: &'a Place,
    /// An access that is executed in each iteration, and instructions that compute its address, to be copied before the loop.
    access: Access,
    address: Vec<InstId>,
    /// When it is loaded before the loop, if it is.
    load: Option<When>,
    /// When it is stored after the loop; otherwise stores stay.
    store: Option<When>,
    /// The alignment that an access of each iteration has.
    align: u32,
}

/// When a loop certainly executes an access.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    /// Where its first iteration does not leave at the test.
    AfterTest,
}

/// What may compute a value before a loop.
#[derive(Clone, Copy)]
struct Known<'k> {
    /// So many of the first instructions of `shape.insts`.
    insts: usize,
    /// Values of the loop that are known nevertheless.
    also: &'k dyn Fn(Value) -> bool,
    /// Instructions between the value and this one.
    depth: usize,
}

/// What the test of the first iteration yields.
enum FirstTest {
    Stays,
    /// The loop goes on where the value is as it says.
    If(Value, bool),
}

impl Promotion<'_> {
    /// Inner loops first, whose places may then be those of the outer ones.
    fn region(&mut self, region: RegionId) {
        let mut out = Vec::new();
        for id in self.function.region(region).insts.clone() {
            for nested in self.function.inst(id).op.regions() {
                self.region(nested);
            }
            let mut after = Vec::new();
            if let Some(candidate) = Candidate::of(self.function, self.effects, id) {
                self.promote(&candidate, self.function.inst(id).span, [&mut out, &mut after]);
            }
            out.push(id);
            out.append(&mut after);
        }
        self.function.region_mut(region).insts = out;
    }

    /// Promotes the places of a loop, with what is needed before and after it.
    fn promote(&mut self, candidate: &Candidate, span: Span, [before, after]: [&mut Vec<InstId>; 2]) {
        let mut promoted = candidate.choose(self.function, &self.objects);
        let mut test = None;
        if promoted.iter().any(Promoted::needs_test) {
            test = self.first_test(candidate, span, before);
            promoted.retain(|promoted| test.is_some() || !promoted.needs_test());
        }
        for promoted in &promoted {
            self.emit(promoted, test.as_ref(), span, [&mut *before, &mut *after]);
        }
    }

    /// Makes the test of the first iteration before the loop; `None` if it cannot be made there.
    fn first_test(&mut self, candidate: &Candidate, span: Span, before: &mut Vec<InstId>) -> Option<FirstTest> {
        let shape = &candidate.shape;
        let params = self.function.region(shape.body).params.clone();
        let mut values: FxHashMap<Value, Value> = params.iter().copied().zip(shape.inits.iter().copied()).collect();
        let mut chain = Vec::new();
        let known = Known { insts: shape.before_test, also: &|value| values.contains_key(&value), depth: 0 };
        candidate.chain(self.function, shape.condition, known, &mut chain)?;
        for id in chain {
            let inst = self.function.inst(id);
            let (mut op, result) = (inst.op.clone(), inst.results[0]);
            op.for_each_operand_mut(|operand| *operand = values.get(operand).copied().unwrap_or(*operand));
            let ty = self.function.ty(result);
            let value = match fold::reduce(self.function, op, ty) {
                Ok(value) => value,
                Err(op) => self.append(op, &[ty], span, before)[0],
            };
            values.insert(result, value);
        }
        let condition = values.get(&shape.condition).copied().unwrap_or(shape.condition);
        match self.function.as_int(condition) {
            Some(known) => ((known != 0) == shape.stays_if_true).then_some(FirstTest::Stays),
            None => Some(FirstTest::If(condition, shape.stays_if_true)),
        }
    }

    fn append(&mut self, op: Op, types: &[Type], span: Span, out: &mut Vec<InstId>) -> Values {
        let id = self.function.new_inst(op, types, span);
        out.push(id);
        self.function.inst(id).results.iter().copied().collect()
    }

    /// Makes an object of a place.
    fn emit(
        &mut self,
        promoted: &Promoted<'_>,
        test: Option<&FirstTest>,
        span: Span,
        [before, after]: [&mut Vec<InstId>; 2],
    ) {
        let Promoted { place, access, address, .. } = promoted;
        let mut copier = Copier { from: None, to: self.function, values: FxHashMap::default() };
        address.iter().for_each(|id| before.push(copier.inst(*id)));
        let pointer = copier.value(access.pointer);
        let align = place.own_align();
        let alloca = Op::Alloca { size: place.bytes(), align: align.into() };
        let alloca = self.function.new_inst(alloca, &[Type::ptr(Space::Private)], span);
        let object = self.function.inst(alloca).results[0];
        self.allocas.push(alloca);
        self.objects.insert(object);
        let (memory, own) = ((pointer, promoted.align), (object, align));
        if let Some(when) = promoted.load {
            self.copy(memory, own, place.ty(), (when, test), span, before);
        }
        if let Some(when) = promoted.store {
            self.copy(own, memory, place.ty(), (when, test), span, after);
        }
        self.redirect(promoted, own);
    }

    /// Copies a value from one address, whose alignment is with it, to another, where the loop reaches it.
    fn copy(
        &mut self,
        from: (Value, u32),
        to: (Value, u32),
        ty: Type,
        (when, test): (When, Option<&FirstTest>),
        span: Span,
        out: &mut Vec<InstId>,
    ) {
        let mut insts = Vec::new();
        let load = Op::Load { ptr: from.0, align: from.1, volatile: false, invariant: false };
        let value = self.append(load, &[ty], span, &mut insts)[0];
        self.append(Op::Store { ptr: to.0, value, align: to.1, volatile: false }, &[], span, &mut insts);
        let (When::AfterTest, Some(FirstTest::If(condition, stays_if_true))) = (when, test) else {
            return out.append(&mut insts);
        };
        let [stays, leaves] = [insts, Vec::new()].map(|mut insts| {
            self.append(Op::Yield(Values::new()), &[], span, &mut insts);
            let region = self.function.new_region();
            self.function.region_mut(region).insts = insts;
            region
        });
        let (then, otherwise) = if *stays_if_true { (stays, leaves) } else { (leaves, stays) };
        self.append(Op::If { condition: *condition, then, otherwise }, &[], span, out);
    }

    /// Lets the accesses of the loop be of the object; stores that stay are made of both.
    fn redirect(&mut self, promoted: &Promoted<'_>, (object, own_align): (Value, u32)) {
        let stays = promoted.store.is_none();
        for access in &promoted.place.accesses {
            if access.stores && stays {
                let Op::Store { value, .. } = self.function.inst(access.id).op else { continue };
                let store = Op::Store { ptr: object, value, align: own_align, volatile: false };
                let store = self.function.new_inst(store, &[], self.function.inst(access.id).span);
                let insts = &mut self.function.region_mut(access.region).insts;
                if let Some(at) = insts.iter().position(|id| *id == access.id) {
                    insts.insert(at + 1, store);
                }
            } else if let Op::Load { ptr, align, .. } | Op::Store { ptr, align, .. } =
                &mut self.function.inst_mut(access.id).op
            {
                (*ptr, *align) = (object, own_align);
            }
        }
    }
}

impl Candidate {
    /// A loop with places that are stored to; `None` if it has none, synchronises, or can be left elsewhere than at its test.
    fn of(function: &Function, effects: &FunctionEffects, id: InstId) -> Option<Candidate> {
        let Op::Loop { body, continuing, .. } = function.inst(id).op else { return None };
        let shape = LoopShape::of(function, id).filter(|shape| !shape.early_exits.any())?;
        let accesses = Accesses::of(function, effects, [body, continuing])?;
        accesses.stored(&FxHashSet::default()).next()?;
        let positions = shape.insts.iter().enumerate().map(|(at, id)| (*id, at)).collect();
        let mut before_first_stay: FxHashSet<InstId> = shape.insts[..shape.before_test].iter().copied().collect();
        let regions = shape.insts[..shape.before_test].iter().flat_map(|id| function.inst(*id).op.regions());
        for region in regions.chain([shape.exit_branch]) {
            function.walk(region, |id, _| {
                before_first_stay.insert(id);
            });
        }
        Some(Candidate { shape, accesses, positions, before_first_stay })
    }

    /// The places that are worth it, as many as are kept; `objects`, which other places have become, are not.
    fn choose(&self, function: &Function, objects: &FxHashSet<Value>) -> Vec<Promoted<'_>> {
        let mut words = 0;
        let mut promoted = Vec::new();
        for place in self.accesses.stored(objects) {
            let size = place.words();
            if words + size <= MAX_WORDS
                && let Some(new) = self.plan(function, place)
            {
                words += size;
                promoted.push(new);
            }
        }
        promoted
    }

    fn plan<'a>(&'a self, function: &Function, place: &'a Place) -> Option<Promoted<'a>> {
        let is_executed = |access: &&Access| self.positions.contains_key(&access.id);
        let access = *place.accesses.iter().find(is_executed)?;
        let mut address = Vec::new();
        let known = Known { insts: self.shape.insts.len(), also: &|_| false, depth: 0 };
        self.chain(function, access.pointer, known, &mut address)?;
        let interference = self.accesses.interference(place);
        if interference == Interference::Stores {
            return None;
        }
        let store = self.when(place, |access| access.stores).filter(|_| interference == Interference::None);
        let has_loads = place.accesses.iter().any(|access| !access.stores);
        // Without a load, and with a store in each iteration, what is there before the loop does not matter.
        let load = if has_loads || store.is_none() { Some(self.when(place, |_| true)?) } else { None };
        let is_certain = |access: &&Access| match self.positions.get(&access.id) {
            Some(at) => load.or(store) != Some(When::Always) || *at < self.shape.before_test,
            None => false,
        };
        let align = place.accesses.iter().filter(is_certain).map(|access| access.align).max()?;
        (has_loads || store.is_some()).then_some(Promoted { place, access, address, load, store, align })
    }

    /// When such an access of a place is certain, unless there is one that may come before that.
    fn when(&self, place: &Place, is_wanted: impl Fn(&Access) -> bool) -> Option<When> {
        let wanted = || place.accesses.iter().filter(|access| is_wanted(access));
        let first = wanted().filter_map(|access| self.positions.get(&access.id)).min()?;
        if *first < self.shape.before_test {
            return Some(When::Always);
        }
        let is_early = wanted().any(|access| self.before_first_stay.contains(&access.id));
        (!is_early).then_some(When::AfterTest)
    }

    /// Appends the pure instructions that compute a value from those that are known before the loop; `None` if it depends on
    /// others, or on too many.
    fn chain(&self, function: &Function, value: Value, known: Known<'_>, chain: &mut Vec<InstId>) -> Option<()> {
        if !self.shape.inside.contains(&value) || (known.also)(value) {
            return Some(());
        }
        let ValueDef::Inst(id, _) = *function.def(value) else { return None };
        if chain.contains(&id) {
            return Some(());
        }
        let op = &function.inst(id).op;
        let is_among = self.positions.get(&id).is_some_and(|at| *at < known.insts);
        if !is_among || !op.is_pure() || known.depth == MAX_HOISTED {
            return None;
        }
        let known = Known { depth: known.depth + 1, ..known };
        let mut found = Some(());
        op.for_each_operand(|operand| {
            found = found.and_then(|()| self.chain(function, operand, known, chain));
        });
        found?;
        chain.push(id);
        (chain.len() <= MAX_HOISTED).then_some(())
    }
}

impl Promoted<'_> {
    fn needs_test(&self) -> bool {
        [self.load, self.store].contains(&Some(When::AfterTest))
    }
}

#[cfg(test)]
mod tests;
