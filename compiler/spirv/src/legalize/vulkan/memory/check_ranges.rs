//! The allowed ranges of an access, for [`super::check_code`]: those of the origin of its pointer ([`super::origins`]),
//! or, if the origin is unknown, all memory of the launch or of the pool. Accesses that are provably inside of their
//! object are not checked.
//!
//! An access that lands in another allocation is reported unless the origin of its pointer is unknown and the
//! allocation is the launch's too. An access of unknown origin that runs over the end of a buffer falls into the unused
//! bytes that the runtime leaves after each buffer (`GUARD_GAP` in `runtime/src/memory/raw_buffer.rs`; the largest
//! buffers have none).

use super::access::{MemoryOperands, Place, load};
use super::check_code::{Checker, Range, Verdict, when_allowed};
use super::generic::AccessFn;
use super::objects::{Object, ObjectKey};
use super::origins::{Origin, Root};
use super::pools::POOL_START;
use super::{Direct, Legalization};
use crate::address_format::Address;
use crate::interface::ArgumentBinding;
use crate::interface::bounds::{AccessKind, AccessSite, Memory};
use crate::legalize::CheckedAccess;
use clforge_basic::narrow::to_u32;
use clforge_ir::rewrite::Rewriter;
use clforge_ir::*;
use smallvec::SmallVec;

/// Most additions and casts between an address and its object.
const MOST_STEPS: usize = 64;

/// Most choices between pointers that are followed to find the one range of an access.
const MOST_CHOICES: usize = 8;

/// The check of one access.
pub(super) enum Guard {
    /// It is made already.
    Made(Verdict),
    /// It depends on the place.
    AtPlace(Ranges),
}

impl Guard {
    /// The check of an access to a variable.
    pub fn made(self) -> Option<Verdict> {
        match self {
            Guard::Made(check) => Some(check),
            Guard::AtPlace(_) => None,
        }
    }
}

/// What an access may reach in each kind of memory that its pointer may point to.
pub(super) struct Ranges {
    checker: Checker,
    bytes: u64,
    device: Option<Allowed>,
    local: Option<Allowed>,
    private: Option<Allowed>,
}

/// What an access may reach in one kind of memory.
struct Allowed {
    site: u32,
    /// None for every range of the launch.
    ranges: SmallVec<[Range; 1]>,
}

impl Legalization<'_> {
    /// The check of an access, `None` where there are none or none is needed.
    pub(super) fn guard(
        &mut self,
        r: &mut Rewriter<'_>,
        ptr: Value,
        bytes: u64,
        kind: AccessKind,
    ) -> Result<Option<Guard>, Error> {
        let Some(checker) = self.plan.checker else { return Ok(None) };
        if let Some(direct) = self.pointers[ptr].clone() {
            return Ok(self.check_object(r, checker, &direct, bytes, kind)?.map(Guard::Made));
        }
        let space = r.old.ty(ptr).space();
        let memory = match space {
            Some(Space::Private) => Memory::Private,
            Some(Space::Local) => Memory::Local,
            Some(Space::Global | Space::Constant | Space::Generic) => Memory::Device,
            None => return Ok(None),
        };
        if self.is_always_within(r.old, ptr, bytes) {
            return Ok(None);
        }
        let origin = self.plan.origins.as_ref().or_internal("no origins")?.of(self.function, ptr).clone();
        let only = self.only_root(&origin);
        let mut allowed = |of: Memory| {
            let here = only.filter(|root| self.memory_of(*root) == of);
            if memory != of && space != Some(Space::Generic) {
                return Ok(None);
            }
            let ranges = self.allowed(r, checker, ptr, &origin, of)?;
            let site = AccessSite { bytes: to_u32(bytes), kind, memory: of, ..AccessSite::default() };
            Ok::<_, Error>(Some(Allowed { site: self.new_site(r, site, here), ranges }))
        };
        let (device, local) = (allowed(Memory::Device)?, allowed(Memory::Local)?);
        let private = allowed(Memory::Private)?;
        Ok(Some(Guard::AtPlace(Ranges { checker, bytes, device, local, private })))
    }

    /// Whether an access is at a constant offset that is in an object of constant size.
    fn is_always_within(&self, function: &Function, ptr: Value, bytes: u64) -> bool {
        let (mut ptr, mut at) = (ptr, 0_i64);
        for _ in 0..MOST_STEPS {
            let size = match function.op(ptr) {
                Some(Op::PtrAdd { base, index: None, displacement, .. }) => {
                    (ptr, at) = (*base, at.saturating_add(*displacement));
                    continue;
                }
                Some(Op::Convert { op: ConvertOp::PtrCast, operand }) => {
                    ptr = *operand;
                    continue;
                }
                Some(Op::Alloca { size, .. }) => *size,
                // Of a `local` argument 0: the size is known at the launch.
                Some(Op::GlobalAddress(global)) => self.module.global(*global).size,
                _ => return false,
            };
            return u64::try_from(at).is_ok_and(|at| at.checked_add(bytes).is_some_and(|end| end <= size));
        }
        false
    }

    /// Describes a place that is checked.
    pub(super) fn new_site(&mut self, r: &Rewriter<'_>, mut site: AccessSite, root: Option<Root>) -> u32 {
        let mut access = CheckedAccess { span: r.b.span, object: None };
        match root {
            Some(Root::Argument(ordinal)) => site.argument = Some(ordinal),
            Some(Root::Variable(global)) => site.variable.clone_from(&self.module.global(global).name),
            Some(Root::Object(object)) => {
                let object = &self.plan.objects.list[object];
                match (object.key, object.size_argument) {
                    (ObjectKey::Local(_), Some((spec_id, _))) => site.argument = self.local_argument(r, spec_id),
                    (ObjectKey::Local(global), None) => site.variable.clone_from(&self.module.global(global).name),
                    (ObjectKey::Alloca(..), _) => access.object = Some(object.span),
                    (ObjectKey::Buffer(..), _) => {}
                }
            }
            Some(Root::Buffer(_)) | None => {}
        }
        self.sites.push((site, access));
        self.plan.first_site + to_u32(self.sites.len()) - 1
    }

    /// The argument whose size is a specialisation constant.
    fn local_argument(&self, r: &Rewriter<'_>, constant: u32) -> Option<u32> {
        let mut kernels = self.interface.kernels.iter();
        let is_here = |binding: &ArgumentBinding| match *binding {
            ArgumentBinding::Workgroup { spec_id, .. } => spec_id == constant,
            _ => false,
        };
        let kernel = kernels.find(|kernel| kernel.name == r.old.name)?;
        kernel.arguments.iter().find(|argument| is_here(&argument.binding)).map(|argument| argument.ordinal)
    }

    /// The ranges of one kind of memory that a pointer may access.
    fn allowed(
        &mut self,
        r: &mut Rewriter<'_>,
        checker: Checker,
        ptr: Value,
        origin: &Origin,
        memory: Memory,
    ) -> Result<SmallVec<[Range; 1]>, Error> {
        if let Some(range) = self.chosen(r, checker, ptr, memory, MOST_CHOICES)? {
            return Ok(SmallVec::from_elem(range, 1));
        }
        let roots: Vec<Root> = origin.roots().unwrap_or_default().to_vec();
        let mut ranges = SmallVec::new();
        for root in roots {
            if self.memory_of(root) == memory && self.is_here(root) {
                ranges.push(self.range_of(r, checker, root)?);
            }
        }
        if ranges.is_empty() && memory != Memory::Device {
            let pool = self.pool();
            let size = if memory == Memory::Local { pool.local_size().clone() } else { pool.private_size() };
            let zero = r.b.int(Type::I64, 0);
            // Two, since the size of a pool says nothing to a user.
            ranges.extend([range_of_pool(&mut r.b, &size), (zero, zero)]);
        }
        Ok(ranges)
    }

    /// Whether the function can reach an object: pointers that were stored where it is not known may be of other kernels.
    fn is_here(&self, root: Root) -> bool {
        match root {
            Root::Object(object) => self.plan.variables[object].is_some() || self.pool().offset(object).is_some(),
            Root::Argument(_) | Root::Variable(_) | Root::Buffer(_) => true,
        }
    }

    /// The one root of a pointer that the function can reach, if it has no others.
    fn only_root(&self, origin: &Origin) -> Option<Root> {
        let mut roots = origin.roots()?.iter().copied().filter(|root| self.is_here(*root));
        roots.next().filter(|_| roots.next().is_none())
    }

    fn memory_of(&self, root: Root) -> Memory {
        match root {
            Root::Argument(_) | Root::Variable(_) | Root::Buffer(_) => Memory::Device,
            Root::Object(object) => match self.plan.objects.list[object].key {
                ObjectKey::Local(_) => Memory::Local,
                ObjectKey::Alloca(..) => Memory::Private,
                ObjectKey::Buffer(..) => Memory::Device,
            },
        }
    }

    /// The one range that a pointer may access now: that of its only root, or the range of what a
    /// condition chose.
    fn chosen(
        &mut self,
        r: &mut Rewriter<'_>,
        checker: Checker,
        ptr: Value,
        memory: Memory,
        choices: usize,
    ) -> Result<Option<Range>, Error> {
        let origin = self.plan.origins.as_ref().or_internal("no origins")?.of(self.function, ptr);
        if let Some(root) = self.only_root(origin) {
            return if self.memory_of(root) == memory { self.range_of(r, checker, root).map(Some) } else { Ok(None) };
        }
        match r.old.op(ptr) {
            Some(Op::PtrAdd { base: from, .. } | Op::Convert { op: ConvertOp::PtrCast, operand: from }) => {
                self.chosen(r, checker, *from, memory, choices)
            }
            Some(Op::Select { condition, if_true, if_false }) if choices > 0 => {
                self.either(r, checker, *condition, [*if_true, *if_false], memory, choices / 2)
            }
            Some(Op::If { condition, then, otherwise }) if choices > 0 => {
                let ValueDef::Inst(_, index) = r.old.def(ptr) else { return Ok(None) };
                let yielded = |region: RegionId| match r.old.terminator(region) {
                    Some(Op::Yield(values)) => values.get(*index as usize).copied(),
                    _ => None,
                };
                let (Some(a), Some(b)) = (yielded(*then), yielded(*otherwise)) else { return Ok(None) };
                // What is decided in the regions is not known behind them.
                self.either(r, checker, *condition, [a, b], memory, 0)
            }
            _ => Ok(None),
        }
    }

    /// The range of the one of two pointers that a condition chooses.
    fn either(
        &mut self,
        r: &mut Rewriter<'_>,
        checker: Checker,
        condition: Value,
        pointers: [Value; 2],
        memory: Memory,
        choices: usize,
    ) -> Result<Option<Range>, Error> {
        let Some(a) = self.chosen(r, checker, pointers[0], memory, choices)? else { return Ok(None) };
        let Some(b) = self.chosen(r, checker, pointers[1], memory, choices)? else { return Ok(None) };
        let condition = r.one(condition, self)?;
        Ok(Some((r.b.select(condition, a.0, b.0), r.b.select(condition, a.1, b.1))))
    }

    /// The memory of a root: addresses, or offsets in a pool.
    fn range_of(&mut self, r: &mut Rewriter<'_>, checker: Checker, root: Root) -> Result<Range, Error> {
        match root {
            Root::Argument(ordinal) => Ok(self.ranges.of(&mut r.b, checker, ordinal)),
            Root::Variable(global) => {
                let start = self.data_start(r, global)?;
                let end = Address::new(start).plus(self.module.global(global).size.cast_signed());
                Ok((start, end.pointer(&mut r.b)))
            }
            Root::Buffer(_) => Err(Error::internal("bounds checks of descriptors")),
            Root::Object(index) => {
                let object = &self.plan.objects.list[index];
                let first = self.pool_offset(r, index)?;
                let first = r.b.resize(first, ScalarType::I64, false);
                let Some(size) = object_size(&mut r.b, object) else {
                    return Ok((first, range_of_pool(&mut r.b, self.pool().local_size()).1));
                };
                let end = r.b.binary(BinaryOp::Add, first, size);
                Ok((first, end))
            }
        }
    }

    /// The check of an access to an object that has a variable of its own; `None` where it is always in the object.
    fn check_object(
        &mut self,
        r: &mut Rewriter<'_>,
        checker: Checker,
        direct: &Direct,
        bytes: u64,
        kind: AccessKind,
    ) -> Result<Option<Verdict>, Error> {
        let object = &self.plan.objects.list[direct.object];
        let memory = self.memory_of(Root::Object(direct.object));
        let mut at = r.b.int(Type::I64, direct.displacement);
        for term in &direct.terms {
            let index = r.b.resize(term.given, ScalarType::I64, true);
            let scaled = r.b.binary_int(BinaryOp::Mul, index, term.stride);
            at = r.b.binary(BinaryOp::Add, at, scaled);
        }
        let Some(end) = object_size(&mut r.b, object) else { return Ok(None) };
        if let (Some(at), Some(end)) = (r.b.function.as_int(at), r.b.function.as_int(end))
            && at.checked_add(bytes).is_some_and(|after| after <= end)
        {
            return Ok(None);
        }
        let first = r.b.int(Type::I64, 0);
        let site = AccessSite { bytes: to_u32(bytes), kind, memory, ..AccessSite::default() };
        let site = self.new_site(r, site, Some(Root::Object(direct.object)));
        checker.check(&mut r.b, at, bytes, &[(first, end)], (site, memory)).map(Some)
    }
}

/// All of a pool but the word that null points to.
fn range_of_pool(b: &mut Builder<'_>, size: &VariableSize) -> Range {
    let first = b.int(Type::I64, POOL_START.cast_signed());
    if size.per_work_item > 0 {
        return (first, b.int(Type::I64, i64::from(u32::MAX)));
    }
    let mut end = b.int(Type::I64, size.fixed.cast_signed());
    for (spec_id, element) in &size.arguments {
        let bytes = argument_size(b, *spec_id, *element);
        let bytes = b.binary_int(BinaryOp::Add, bytes, 15);
        let bytes = b.binary_int(BinaryOp::And, bytes, -16);
        end = b.binary(BinaryOp::Add, end, bytes);
    }
    (first, end)
}

/// The bytes of an object; `None` where they depend on the work-group: such objects are the library's.
fn object_size(b: &mut Builder<'_>, object: &Object) -> Option<Value> {
    match object.size_argument {
        _ if object.per_work_item > 0 => None,
        Some((spec_id, element)) => Some(argument_size(b, spec_id, element)),
        None => Some(b.int(Type::I64, object.size.cast_signed())),
    }
}

/// The bytes of a `local` argument.
fn argument_size(b: &mut Builder<'_>, spec_id: u32, element: u32) -> Value {
    let count = b.emit(Op::SpecConstant(spec_id), Type::I32);
    let count = b.resize(count, ScalarType::I64, false);
    b.binary_int(BinaryOp::Mul, count, i64::from(element))
}

/// Emits a load at a place, of other memory where a guard does not allow it.
pub(super) fn guarded_load(
    b: &mut Builder<'_>,
    guard: Option<&Guard>,
    place: Place,
    ty: Type,
    access: MemoryOperands,
) -> Result<Value, Error> {
    if let (Some(Guard::AtPlace(guard)), Place::Address(address)) = (guard, place) {
        let at = address.pointer(b);
        let Allowed { site, ranges } = guard.device.as_ref().or_internal("an unchecked address")?;
        let check = guard.checker.check(b, at, guard.bytes, ranges, (*site, Memory::Device))?;
        let readable = check.readable(b);
        return Ok(check.load(b, ty, |b, good| {
            let from = b.select(good, at, readable);
            load(b, Place::Address(Address::new(from)), ty, access)
        }));
    }
    let load = &mut |b: &mut Builder<'_>, place| Ok(vec![load(b, place, ty, access)]);
    guarded(b, guard, place, &[ty], load)?.first().copied().or_internal("a load without result")
}

/// Emits an access at a place, in an `if` where it has a guard; the results are zeros of these types where it is false.
pub(super) fn guarded(
    b: &mut Builder<'_>,
    guard: Option<&Guard>,
    place: Place,
    types: &[Type],
    access: &mut AccessFn<'_>,
) -> Result<Vec<Value>, Error> {
    let (check, place) = match (guard, place) {
        (None, _) => (None, place),
        (Some(Guard::Made(check)), _) => (Some(*check), place),
        (Some(Guard::AtPlace(guard)), Place::Address(address)) => {
            let address = address.settled(b);
            let at = address.pointer(b);
            let Allowed { site, ranges } = guard.device.as_ref().or_internal("an unchecked address")?;
            let check = guard.checker.check(b, at, guard.bytes, ranges, (*site, Memory::Device))?;
            (Some(check), Place::Address(address))
        }
        (Some(Guard::AtPlace(_)), Place::Elements { .. }) => {
            return Err(Error::internal("a check of an element at its place"));
        }
        (Some(Guard::AtPlace(guard)), Place::Words { words, offset }) => {
            let (allowed, memory) = match words.shared.is_some() {
                true => (&guard.local, Memory::Local),
                false => (&guard.private, Memory::Private),
            };
            let Allowed { site, ranges } = allowed.as_ref().or_internal("an unchecked pool")?;
            let at = offset.value(b);
            let at = b.resize(at, ScalarType::I64, false);
            // Offsets in the object are told, where there is one.
            let (at, ranges) = match ranges[..] {
                [(first, end)] => {
                    let zero = b.int(Type::I64, 0);
                    let at = b.binary(BinaryOp::Sub, at, first);
                    (at, SmallVec::from_elem((zero, b.binary(BinaryOp::Sub, end, first)), 1))
                }
                _ => (at, ranges.clone()),
            };
            (Some(guard.checker.check(b, at, guard.bytes, &ranges, (*site, memory))?), place)
        }
    };
    when_allowed(b, check, types, &mut |b| access(b, place))
}
