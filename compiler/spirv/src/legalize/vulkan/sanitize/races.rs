//! Races: two accesses of different work-items to the same memory, one of them a write and not both atomic, that nothing orders.
//!
//! Each access to global or local memory leaves a mark in the shadow of that memory, and compares it with the marks
//! there ([`super::race_code`]). Not covered are accesses through generic pointers, in functions that are not inlined,
//! and the middle of accesses of more than four granules. Two writes of the same value are no race. A barrier orders
//! the accesses of a work-group to the memory that its flags name, so a mark has the number of such barriers before it.
//! Only atomics and fences order accesses of different work-groups, and releases are not matched with acquires: no
//! access after a fence, or after an atomic that is not relaxed, is reported until the next barrier, and in kernels
//! that have such operations accesses after a barrier are not compared with other work-groups.
//!
//! Accesses that no other work-item's can be in conflict with leave no marks ([`super::ownership`]).
//!
//! Reads from buffers that the kernel does not write are not checked, as far as the origins of pointers are known. A
//! race through a buffer that is passed for two arguments, of which one is only read, is not found.

use super::ownership::Ownership;
use super::{Here, Plan};
use crate::interface::ModuleInterface;
use crate::interface::bounds::{ACCESS_ITEM, AccessKind, AccessSite, COPYING_ITEM, Check, MANY_SITES, Memory};
use crate::legalize::vulkan::memory::origins::Root;
use clforge_basic::narrow::{to_i64, to_u32};
use clforge_ir::*;
use std::collections::BTreeSet;

/// Numbers of a granule's bits that a shift moves by.
const BITS_OF_DIGEST: i64 = 5;
/// See [`BITS_OF_DIGEST`].
const BITS_OF_EPOCH: i64 = 27;
/// The epoch of those that are not counted any more.
pub(super) const LAST_EPOCH: i64 = (1 << 11) - 1;
/// A multiplier whose product has the bits of both factors mixed in its upper ones.
const MIX: i64 = 0x9E37_79B1;

/// Granules in which a longer access leaves marks: the first ones, and the last. Drivers inline the code of each.
const MOST_MARKS: usize = 4;

/// How memory is accessed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    Read,
    /// A volatile one: programs before OpenCL 2.0 have no other way to read what atomics change.
    VolatileRead,
    /// With what is written.
    Write(Value),
    Atomic {
        writes: bool,
    },
}

impl Kind {
    /// The kind of access of a site.
    pub fn access(self) -> AccessKind {
        match self {
            Kind::Read | Kind::VolatileRead => AccessKind::Read,
            Kind::Write(_) => AccessKind::Write,
            Kind::Atomic { .. } => AccessKind::Atomic,
        }
    }

    fn writes(self) -> bool {
        matches!(self, Kind::Write(_) | Kind::Atomic { writes: true })
    }
}

/// What a kernel needs for the marks of its accesses.
pub(super) struct Races {
    /// What may be written in global memory; `None` if it is not known.
    written: Option<BTreeSet<Root>>,
    /// Whether the kernel has fences, or atomics that order other accesses.
    orders: bool,
    /// The bits of the work-item and its work-group, for global and for local memory.
    global_item: Value,
    local_item: Value,
    /// The address of the work-group's slot of the shadow of local memory, or 0.
    slot: Value,
    /// Private words: barriers so far for global and for local memory, and what orders accesses besides ([`ORDERED`],
    /// [`WAITED`]).
    global_epoch: Value,
    local_epoch: Value,
    ordered: Value,
    /// The accesses that no other work-item's can be in conflict with.
    ownership: Ownership,
}

/// Bits of what orders a work-item's accesses: with those of its work-group until the next barrier, with those of others.
pub(super) const ORDERED: [i64; 2] = [1, 2];

/// In the same word, the first bits of how many barriers for local and for global memory there were when asynchronous copies
/// were waited for.
pub(super) const WAITED: [i64; 2] = [2, 13];

fn is_ordering(op: &Op) -> bool {
    match op {
        Op::Fence(_) => true,
        Op::Atomic { semantics, .. } => semantics.order != MemoryOrder::Relaxed,
        Op::Barrier { execution, .. } => *execution != Scope::WorkGroup,
        _ => false,
    }
}

/// What an instruction of the program orders.
pub(super) enum Ordering {
    /// Accesses of a work-group before it and behind it, to these memories.
    Barrier {
        local: bool,
        global: bool,
    },
    /// What the function orders.
    Call(FunctionId),
    /// Accesses of other work-groups, too.
    Fence,
    Nothing,
}

impl Ordering {
    pub fn of(op: &Op) -> Ordering {
        match op {
            Op::Barrier { execution: Scope::WorkGroup, semantics } => {
                Ordering::Barrier { local: semantics.local, global: semantics.global }
            }
            Op::Call { function, .. } => Ordering::Call(*function),
            op if is_ordering(op) => Ordering::Fence,
            _ => Ordering::Nothing,
        }
    }
}

impl Races {
    /// `None` for what is no kernel, and where races are not looked for.
    pub fn new(
        plan: &Plan,
        module: &Module,
        interface: &ModuleInterface,
        function: &mut Function,
        id: FunctionId,
    ) -> Option<Races> {
        plan.code.as_ref()?;
        function.kernel.as_ref()?;
        let orders = function.insts.iter().any(|inst| is_ordering(&inst.op));
        let mut written = Some(BTreeSet::new());
        function.walk_body(|_, inst| {
            let pointer = match &inst.op {
                Op::Store { ptr, .. } => Some(*ptr),
                Op::Atomic { ptr, op, .. } if *op != AtomicOp::Load => Some(*ptr),
                _ => None,
            };
            let may_be_global = |ptr: &Value| {
                matches!(function.ty(*ptr).space(), Some(Space::Global | Space::Constant | Space::Generic))
            };
            let Some(pointer) = pointer.filter(may_be_global) else { return };
            match plan.origins.of(id, pointer).roots() {
                Some(roots) => written.iter_mut().for_each(|written| written.extend(roots.iter().copied())),
                None => written = None,
            }
        });
        let ownership = Ownership::of(plan, module, interface, function, id);
        // They are made when the function is.
        let [number, pointer] = [Type::I64, Type::ptr(Space::Private)].map(|ty| function.undef(ty));
        Some(Races {
            written,
            orders,
            global_item: number,
            local_item: number,
            slot: number,
            global_epoch: pointer,
            local_epoch: pointer,
            ordered: pointer,
            ownership,
        })
    }

    /// Computes what is the same for all accesses of a work-item.
    pub fn begin(&mut self, b: &mut Builder<'_>, plan: &Plan, interface: &ModuleInterface) -> Result<(), Error> {
        let code = plan.code.as_ref().or_internal("no code for races")?;
        (self.global_item, self.local_item, self.slot) = code.item(b);
        let zero = b.int(Type::I32, 0);
        for word in [&mut self.global_epoch, &mut self.local_epoch, &mut self.ordered] {
            *word = b.alloca(4, 4);
            b.store(*word, zero, 4);
        }
        self.ownership.begin(b, interface, plan.recorder)
    }

    /// Takes account of what orders accesses.
    pub fn after(&self, b: &mut Builder<'_>, orders: &Ordering, plan: &Plan) {
        let set = |b: &mut Builder<'_>, bits: i64| {
            let bits = b.int(Type::I32, bits);
            self.set_ordered(b, bits, plan);
        };
        match *orders {
            Ordering::Barrier { local, global } => {
                self.count(b, local, global);
                set(b, if self.orders { ORDERED[1] } else { 0 });
            }
            Ordering::Call(function) if plan.waiting.get(function) == Some(&true) => {
                self.count(b, true, true);
                set(b, ORDERED[1]);
                // One of its barriers may be `wait_group_events`.
                self.after_wait(b, plan);
            }
            Ordering::Fence => set(b, ORDERED[0] | ORDERED[1]),
            Ordering::Call(_) | Ordering::Nothing => {}
        }
    }

    /// Sets the bits of [`ORDERED`], and keeps the others.
    fn set_ordered(&self, b: &mut Builder<'_>, bits: Value, plan: &Plan) {
        let mut new = bits;
        if plan.has_copies() {
            let old = b.load(Type::I32, self.ordered, 4);
            let waited = b.binary_int(BinaryOp::And, old, !(ORDERED[0] | ORDERED[1]));
            new = b.binary(BinaryOp::Or, waited, bits);
        }
        b.store(self.ordered, new, 4);
    }

    /// Takes account of a barrier behind which asynchronous copies are complete.
    pub fn after_wait(&self, b: &mut Builder<'_>, plan: &Plan) {
        if !plan.has_copies() {
            return;
        }
        let old = b.load(Type::I32, self.ordered, 4);
        let mut new = b.binary_int(BinaryOp::And, old, ORDERED[0] | ORDERED[1]);
        for (epoch, bit) in [self.local_epoch, self.global_epoch].into_iter().zip(WAITED) {
            let number = b.load(Type::I32, epoch, 4);
            let number = b.binary_int(BinaryOp::Shl, number, bit);
            new = b.binary(BinaryOp::Or, new, number);
        }
        b.store(self.ordered, new, 4);
    }

    fn count(&self, b: &mut Builder<'_>, local: bool, global: bool) {
        let one = b.int(Type::I32, 1);
        for (epoch, is_counted) in [(self.local_epoch, local), (self.global_epoch, global)] {
            if is_counted {
                Races::advance(b, epoch, one);
            }
        }
    }

    /// Counts a barrier by one or nothing.
    fn advance(b: &mut Builder<'_>, epoch: Value, step: Value) {
        let number = b.load(Type::I32, epoch, 4);
        let last = b.int(Type::I32, LAST_EPOCH);
        let more = b.compare(CompareOp::ULt, number, last);
        let next = b.binary(BinaryOp::Add, number, step);
        let next = b.select(more, next, last);
        b.store(epoch, next, 4);
    }

    /// Takes account of a barrier of a work-group with flags that are not known, or none: it orders the memory that they name.
    pub fn after_flags(&self, b: &mut Builder<'_>, flags: Value, plan: &Plan) {
        let flags = b.resize(flags, ScalarType::I32, false);
        for (epoch, bit) in [(self.local_epoch, 0), (self.global_epoch, 1)] {
            let flag = b.binary_int(BinaryOp::LShr, flags, bit);
            let flag = b.binary_int(BinaryOp::And, flag, 1);
            Races::advance(b, epoch, flag);
        }
        // What a fence or an atomic before it orders stays so where the barrier orders nothing.
        let before = b.load(Type::I32, self.ordered, 4);
        let before = b.binary_int(BinaryOp::And, before, ORDERED[0] | ORDERED[1]);
        let after = b.int(Type::I32, if self.orders { ORDERED[1] } else { 0 });
        let orders = b.compare_int(CompareOp::Ne, flags, 0);
        let ordered = b.select(orders, after, before);
        self.set_ordered(b, ordered, plan);
    }

    /// Whether reads through a pointer are left out.
    fn is_unchanged(&self, roots: Option<&[Root]>) -> bool {
        match (&self.written, roots) {
            (Some(written), Some(roots)) => roots.iter().all(|root| !written.contains(root)),
            _ => false,
        }
    }
}

impl Here<'_> {
    /// Leaves marks of an access, and compares it with those of others, where another work-item's may be in conflict with it.
    pub(super) fn race(
        &mut self,
        b: &mut Builder<'_>,
        id: InstId,
        ptr: Value,
        bytes: u64,
        align: u32,
        kind: Kind,
    ) -> Result<(), Error> {
        let Some(races) = &self.races else { return Ok(()) };
        match races.ownership.when_free(id) {
            None => self.marks(b, ptr, bytes, align, kind),
            Some(None) => Ok(()),
            Some(Some(condition)) => {
                let then = b.nested(|b| b.effect(Op::Yield(Values::new())));
                let otherwise = b.function.new_region();
                b.enter(otherwise);
                let done = self.marks(b, ptr, bytes, align, kind);
                b.effect(Op::Yield(Values::new()));
                b.leave();
                b.effect(Op::If { condition, then, otherwise });
                done
            }
        }
    }

    fn marks(&mut self, b: &mut Builder<'_>, ptr: Value, bytes: u64, align: u32, kind: Kind) -> Result<(), Error> {
        let Some(races) = &self.races else { return Ok(()) };
        let code = self.plan.code.as_ref().or_internal("no code for races")?;
        let roots = self.plan.origins.of(self.id, ptr).roots();
        let (memory, check, item, epoch) = match b.ty(ptr).space() {
            Some(Space::Local) => (Memory::Local, Check::LocalRace, races.local_item, races.local_epoch),
            Some(Space::Global) if kind.writes() || !races.is_unchanged(roots) => {
                (Memory::Device, Check::GlobalRace, races.global_item, races.global_epoch)
            }
            _ => return Ok(()),
        };
        let (slot, ordered) = (races.slot, races.ordered);
        let range = match self.only_root(ptr) {
            Some(Root::Argument(ordinal)) => Some(ordinal),
            _ => None,
        };
        let access = if self.copies { AccessKind::AsyncCopy } else { kind.access() };
        let site = AccessSite { bytes: to_u32(bytes), kind: access, memory, ..AccessSite::default() };
        let site = self.new_site(b, check, site, Some(ptr));
        // To the work-item whose turn it is the copy is as that of another one.
        let copying = (COPYING_ITEM << ACCESS_ITEM.0).cast_signed();
        let item = if self.copies { b.binary_int(BinaryOp::Or, item, copying) } else { item };

        let epoch = b.load(Type::I32, epoch, 4);
        let epoch = b.resize(epoch, ScalarType::I64, false);
        let epoch = b.binary_int(BinaryOp::Shl, epoch, BITS_OF_EPOCH);
        let mut mark = b.binary(BinaryOp::Or, item, epoch);
        let is_atomic = matches!(kind, Kind::Atomic { .. } | Kind::VolatileRead);
        let fixed =
            i64::from(site.min(MANY_SITES)) << crate::interface::bounds::ACCESS_SITE.0 | i64::from(is_atomic) << 4;
        mark = b.binary_int(BinaryOp::Or, mark, fixed);
        if let Kind::Write(value) = kind {
            let digest = digest(b, value);
            mark = b.binary(BinaryOp::Or, mark, digest);
        }
        let ordered = b.load(Type::I32, ordered, 4);
        let first = b.convert(ConvertOp::PtrToInt, ptr, Type::I64);
        let mut granules = granules(b, first, bytes, align);
        let most = granules.len().saturating_sub(1);
        if most >= MOST_MARKS {
            granules.drain(MOST_MARKS - 1..most);
        }
        for (offset, mask) in granules {
            let at = b.binary_int(BinaryOp::Add, first, offset);
            let mark = b.binary(BinaryOp::Or, mark, mask);
            code.access(b, memory, range, slot, [at, mark], kind.writes(), site, ordered)?;
        }
        Ok(())
    }
}

/// The granules of an access from its first byte on, by their offsets, and the bits of their bytes that are accessed.
fn granules(b: &mut Builder<'_>, first: Value, bytes: u64, align: u32) -> Vec<(i64, Value)> {
    let mut found = Vec::new();
    if align >= 4 {
        for offset in (0..bytes).step_by(4) {
            let here = (bytes - offset).min(4);
            found.push((to_i64(offset), b.int(Type::I64, (1 << here) - 1)));
        }
        return found;
    }
    let shift = b.binary_int(BinaryOp::And, first, 3);
    for start in (0..bytes).step_by(16) {
        let here = (bytes - start).min(16);
        let all = b.int(Type::I64, (1 << here) - 1);
        let all = b.binary(BinaryOp::Shl, all, shift);
        // What begins in the middle of a granule may end in one more, unless it is as aligned as it is long.
        let last = if here <= u64::from(align) { here } else { here + 3 };
        for offset in (0..last).step_by(4) {
            let mask = b.binary_int(BinaryOp::LShr, all, to_i64(offset));
            found.push((to_i64(start + offset), b.binary_int(BinaryOp::And, mask, 15)));
        }
    }
    found
}

/// A few bits of a value, in their place in a mark and not all 0. The same values have the same.
fn digest(b: &mut Builder<'_>, value: Value) -> Value {
    let mut sum = b.int(Type::I32, 0);
    let ty = b.ty(value);
    if ty.space().is_none() && ty.scalar.bits() > 1 {
        let bits = b.to_bits(value);
        for lane in 0..ty.lanes {
            let lane = b.extract(bits, lane);
            let low = b.resize(lane, ScalarType::I32, false);
            sum = b.binary(BinaryOp::Add, sum, low);
            if ty.scalar.bits() == 64 {
                let high = b.binary_int(BinaryOp::LShr, lane, 32);
                let high = b.resize(high, ScalarType::I32, false);
                sum = b.binary(BinaryOp::Xor, sum, high);
            }
            sum = b.binary_int(BinaryOp::Mul, sum, MIX);
        }
    }
    let top = b.binary_int(BinaryOp::LShr, sum, 22);
    let some = b.binary_int(BinaryOp::Or, top, 1);
    let wide = b.resize(some, ScalarType::I64, false);
    b.binary_int(BinaryOp::Shl, wide, BITS_OF_DIGEST)
}
