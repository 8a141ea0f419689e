//! `scalar_promotion` keeps what a loop loads and stores at one place in a value while the loop runs.
//!
//! ```text
//! for j in 0..n { a[i] += b[j]; }
//! ```
//!
//! loads and stores `a[i]` in each iteration, and each load waits for the store before it. Where nothing else in the loop may
//! load the place, the value is loaded before the loop and stored after it. Where something may (`b` may overlap `a`), the
//! stores stay and the loads do not. Drivers do neither (lavaMD of Rodinia on an NVIDIA H100: 13.0 ms, and 2.9 ms with NVIDIA's
//! OpenCL, whose compiler promotes).
//!
//! The place becomes a private object, of which `mem2reg` makes values:
//!
//! ```text
//! if 0 < n { t = a[i] }    loop { t += b[j] }    if 0 < n { a[i] = t }
//! ```
//!
//! Nothing is loaded or stored that the loop does not load or store: other work-items may use the place where it is not
//! reached. So the loop must reach it in each iteration, and the test of its first iteration is made before it, unless that is
//! known.

mod accesses;

use crate::analysis::LoopShape;
use crate::copy::Copier;
use crate::pass::{Changed, FunctionContext, FunctionPass};
use crate::*;
use accesses::{Access, Accesses, Place};
use clforge_basic::narrow::to_u32;
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

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        // A report counts the accesses that are out of range.
        if context.options.bounds_check || function.is_declaration() {
            return Changed::No;
        }
        let body = function.body;
        let mut promotion = Promotion { function, objects: Vec::new() };
        promotion.region(body);
        let objects = promotion.objects;
        if objects.is_empty() {
            return Changed::No;
        }
        function.region_mut(body).insts.splice(0..0, objects);
        Changed::Maybe
    }
}

struct Promotion<'f> {
    function: &'f mut Function,
    /// The private objects that places have become.
    objects: Vec<InstId>,
}

/// A place that is kept in a value.
struct Promoted {
    place: Place,
    /// Instructions that compute its address, to be copied before the loop.
    address: Vec<InstId>,
    /// Whether it is loaded before the loop, and when.
    load: Option<When>,
    /// When it is stored after the loop; otherwise stores stay.
    store: Option<When>,
}

/// Whether a loop that runs reaches a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    Always,
    /// Where its first iteration does not leave at the test.
    AfterTest,
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
            if matches!(self.function.inst(id).op, Op::Loop { .. }) {
                self.promote(id, &mut out, &mut after);
            }
            out.push(id);
            out.append(&mut after);
        }
        self.function.region_mut(region).insts = out;
    }

    /// Promotes the places of a loop, with what is needed before and after it.
    fn promote(&mut self, id: InstId, before: &mut Vec<InstId>, after: &mut Vec<InstId>) {
        let Op::Loop { body, continuing, .. } = self.function.inst(id).op else { return };
        let Some(accesses) = Accesses::of(self.function, [body, continuing]) else { return };
        let Some(shape) = LoopShape::of(self.function, id).filter(|shape| !shape.early_exits.any()) else { return };
        let mut promoted = self.choose(&shape, &accesses);
        let span = self.function.inst(id).span;
        let mut test = None;
        if promoted.iter().any(Promoted::needs_test) {
            test = self.first_test(&shape, span, before);
            promoted.retain(|promoted| test.is_some() || !promoted.needs_test());
        }
        for promoted in &promoted {
            self.emit(&accesses, promoted, test.as_ref(), span, [before, after]);
        }
    }

    /// The places that are worth it, as many as are kept.
    fn choose(&self, shape: &LoopShape, accesses: &Accesses) -> Vec<Promoted> {
        let early = self.before_first_stay(shape);
        let mut words = 0;
        let mut promoted = Vec::new();
        for place in accesses.places() {
            let size = place.words();
            if words + size <= MAX_WORDS
                && let Some(new) = self.plan(shape, accesses, &early, place)
            {
                words += size;
                promoted.push(new);
            }
        }
        promoted
    }

    /// The instructions that are executed although the first test leaves the loop: those before the test, and those of its side
    /// that leaves.
    fn before_first_stay(&self, shape: &LoopShape) -> FxHashSet<InstId> {
        let mut early: FxHashSet<InstId> = shape.insts[..shape.before_test].iter().copied().collect();
        let regions = shape.insts[..shape.before_test].iter().flat_map(|id| self.function.inst(*id).op.regions());
        for region in regions.chain([shape.exit_branch]).collect::<Vec<_>>() {
            self.function.walk(region, |id, _| {
                early.insert(id);
            });
        }
        early
    }

    fn plan(
        &self,
        shape: &LoopShape,
        accesses: &Accesses,
        early: &FxHashSet<InstId>,
        place: Place,
    ) -> Option<Promoted> {
        let address = self.chain(shape, place.pointer, shape.insts.len())?;
        let others = accesses.others(&place)?;
        let all = accesses.to(&place);
        // When such an access is certain, unless there is one that may come before that.
        let when = |wanted: &dyn Fn(&Access) -> bool| {
            let chosen: FxHashSet<InstId> =
                all.iter().filter(|access| wanted(access)).map(|access| access.id).collect();
            let at = shape.insts.iter().position(|id| chosen.contains(id))?;
            match at < shape.before_test {
                true => Some(When::Always),
                false => chosen.is_disjoint(early).then_some(When::AfterTest),
            }
        };
        let store = when(&|access| access.stores).filter(|_| !others.load);
        let has_loads = all.iter().any(|access| !access.stores);
        // Without a load, and with a store in each iteration, what is there before the loop does not matter.
        let load = if has_loads || store.is_none() { Some(when(&|_| true)?) } else { None };
        (has_loads || store.is_some()).then_some(Promoted { place, address, load, store })
    }

    /// The instructions of the loop, among the first ones, that compute a value from those from before the loop; `None` if it
    /// depends on more.
    fn chain(&self, shape: &LoopShape, value: Value, among: usize) -> Option<Vec<InstId>> {
        let (chain, needed) = self.needed(shape, value, among)?;
        needed.iter().all(|value| !shape.inside.contains(value)).then_some(chain)
    }

    /// The pure instructions of the loop, among the first ones, that compute a value, and the values they do it from; `None` if
    /// they are not pure or too many.
    fn needed(&self, shape: &LoopShape, value: Value, among: usize) -> Option<(Vec<InstId>, FxHashSet<Value>)> {
        let mut needed = FxHashSet::from_iter([value]);
        let mut chain = Vec::new();
        for id in shape.insts[..among].iter().rev() {
            let inst = self.function.inst(*id);
            if !inst.results.iter().any(|result| needed.contains(result)) {
                continue;
            }
            if !inst.op.is_pure() || chain.len() == MAX_HOISTED {
                return None;
            }
            inst.results.iter().for_each(|result| {
                needed.remove(result);
            });
            inst.op.for_each_operand(|operand| {
                needed.insert(operand);
            });
            chain.push(*id);
        }
        chain.reverse();
        Some((chain, needed))
    }

    /// Makes the test of the first iteration before the loop; `None` if it cannot be made there.
    fn first_test(&mut self, shape: &LoopShape, span: Span, before: &mut Vec<InstId>) -> Option<FirstTest> {
        let (chain, needed) = self.needed(shape, shape.condition, shape.before_test)?;
        let params = self.function.region(shape.body).params.clone();
        let mut values: FxHashMap<Value, Value> = params.iter().copied().zip(shape.inits.iter().copied()).collect();
        if needed.iter().any(|value| shape.inside.contains(value) && !values.contains_key(value)) {
            return None;
        }
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
        accesses: &Accesses,
        promoted: &Promoted,
        test: Option<&FirstTest>,
        span: Span,
        [before, after]: [&mut Vec<InstId>; 2],
    ) {
        let Promoted { place, address, .. } = promoted;
        let mut copier = Copier { from: None, to: self.function, values: FxHashMap::default() };
        address.iter().for_each(|id| before.push(copier.inst(*id)));
        let pointer = copier.value(place.pointer);
        let object = Op::Alloca { size: place.bytes(), align: place.ty.scalar.bytes() };
        let mut objects = std::mem::take(&mut self.objects);
        let object = self.append(object, &[Type::ptr(Space::Private)], span, &mut objects)[0];
        self.objects = objects;
        let (memory, own) = ((pointer, place.align), (object, to_u32(place.ty.scalar.bytes())));
        if let Some(when) = promoted.load {
            self.copy(memory, own, place.ty, (when, test), span, before);
        }
        if let Some(when) = promoted.store {
            self.copy(own, memory, place.ty, (when, test), span, after);
        }
        self.redirect(accesses, promoted, own);
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
        let load = Op::Load { ptr: from.0, align: from.1, volatile: false };
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
    fn redirect(&mut self, accesses: &Accesses, promoted: &Promoted, (object, own_align): (Value, u32)) {
        let stays = promoted.store.is_none();
        for access in accesses.to(&promoted.place) {
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

impl Promoted {
    fn needs_test(&self) -> bool {
        [self.load, self.store].contains(&Some(When::AfterTest))
    }
}

#[cfg(test)]
mod tests;
