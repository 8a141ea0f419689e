//! Finds the private and local objects of a function that are tracked, and the loads that follow a store to the same
//! bytes on every path.

use clforge_basic::source::Span;
use clforge_ir::analysis::constant_offset;
use clforge_ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// Objects of more bytes are not followed by bytes on the paths of a function.
const MOST_FOLLOWED: u64 = 64;
/// Bits that are followed on all paths together, at most.
const MOST_WORK: usize = 1 << 24;

/// What an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Key {
    /// The `alloca`.
    Private(Value),
    /// A local variable, or a local argument.
    Local(GlobalId),
}

/// An object whose address is only offset and accessed.
pub struct Object {
    pub key: Key,
    /// 0 of a local argument.
    pub size: u64,
    pub size_argument: Option<(u32, u32)>,
    pub span: Span,
    /// Whether all accesses are at constant offsets.
    pub is_fixed: bool,
    /// Whether there is a load that may be of bytes that nothing wrote.
    pub is_needed: bool,
    /// Whether values are stored to it that may not have been written.
    gets_suspicious: bool,
    is_rejected: bool,
}

/// The values that branches yield for results of an `if` that nothing uses: those of variables with pointers, once these are
/// promoted, in code that was inlined.
fn unused_yields(function: &Function) -> FxHashSet<(InstId, usize)> {
    let mut unused = FxHashSet::default();
    loop {
        let mut used: FxHashSet<Value> = FxHashSet::default();
        function.walk_body(|id, inst| match &inst.op {
            Op::Yield(values) => {
                let handed = values.iter().enumerate().filter(|(index, _)| !unused.contains(&(id, *index)));
                used.extend(handed.map(|(_, value)| *value));
            }
            op => op.for_each_operand(|value| used.extend([value])),
        });
        let before = unused.len();
        function.walk_body(|_, inst| {
            let Op::If { then, otherwise, .. } = &inst.op else { return };
            for (index, _) in inst.results.iter().enumerate().filter(|(_, result)| !used.contains(result)) {
                let ends = [then, otherwise].map(|region| function.region(*region).insts.last().copied());
                let yields = ends.into_iter().flatten().filter(|end| matches!(function.inst(*end).op, Op::Yield(_)));
                unused.extend(yields.map(|end| (end, index)));
            }
        });
        if unused.len() == before {
            return unused;
        }
    }
}

/// Where a pointer points: an object, and the offset in it if that is constant.
#[derive(Clone, Copy)]
pub struct Place {
    pub object: usize,
    pub offset: Option<u64>,
}

/// The objects of a function.
#[derive(Default)]
pub struct Objects {
    pub list: Vec<Object>,
    index: FxHashMap<Key, usize>,
    places: FxHashMap<Value, Place>,
    /// Loads that are known to be behind stores, with their objects.
    good: FxHashMap<InstId, usize>,
}

impl Objects {
    /// Finds them.
    pub fn find(function: &Function, module: &Module) -> Objects {
        let mut objects = Objects::default();
        let unused = unused_yields(function);
        function.walk_body(|id, inst| match &inst.op {
            Op::Yield(values) => {
                let used = values.iter().enumerate().filter(|(index, _)| !unused.contains(&(id, *index)));
                used.for_each(|(_, value)| objects.escape(*value));
            }
            _ => objects.add(function, module, inst),
        });
        let places = &mut objects.places;
        places.retain(|_, place| !objects.list[place.object].is_rejected);
        let regions = function.regions.len();
        if objects.list.len().saturating_mul(regions) <= MOST_WORK / 64 {
            let mut written = vec![0; objects.list.len()];
            objects.follow(function, function.body, &mut written);
        }
        let mut needed = Vec::new();
        for region in &function.regions {
            for id in &region.insts {
                let ptr = match &function.inst(*id).op {
                    Op::Load { ptr, .. } | Op::Atomic { ptr, .. } => *ptr,
                    _ => continue,
                };
                needed.extend(objects.place(ptr).filter(|_| !objects.is_good(*id)).map(|place| place.object));
            }
        }
        needed.into_iter().for_each(|object| objects.list[object].is_needed = true);
        while objects.spread(function) {}
        objects
    }

    /// Objects that get values which may not have been written need bits, too. Returns whether there were new ones.
    fn spread(&mut self, function: &Function) -> bool {
        let mut suspicious: FxHashSet<Value> = FxHashSet::default();
        let mut changed = false;
        function.walk_body(|id, inst| {
            let is_suspicious = match &inst.op {
                Op::Load { ptr, .. } => {
                    self.place(*ptr).is_some_and(|place| self.list[place.object].is_needed && !self.is_good(id))
                }
                Op::Store { ptr, value, .. } => {
                    if let Some(place) = self.place(*ptr).filter(|_| suspicious.contains(value)) {
                        let object = &mut self.list[place.object];
                        changed |= !object.gets_suspicious;
                        (object.is_needed, object.gets_suspicious) = (true, true);
                    }
                    false
                }
                op if op.is_pure() => {
                    let mut any = false;
                    op.for_each_operand(|operand| any |= suspicious.contains(&operand));
                    any
                }
                _ => false,
            };
            suspicious.extend(inst.results.first().filter(|_| is_suspicious));
        });
        changed
    }

    /// The private objects with a load that may be of bytes that nothing wrote.
    pub fn unwritten(&self) -> impl Iterator<Item = Value> {
        self.list.iter().filter(|object| object.is_needed && !object.is_rejected).filter_map(|object| {
            match object.key {
                Key::Private(value) => Some(value),
                Key::Local(_) => None,
            }
        })
    }

    /// Where a pointer points, in an object that is looked at.
    pub fn place(&self, pointer: Value) -> Option<Place> {
        self.places.get(&pointer).copied()
    }

    /// Whether what is loaded was written.
    pub fn is_good(&self, load: InstId) -> bool {
        self.good.get(&load).is_some_and(|object| !self.list[*object].gets_suspicious)
    }

    fn add(&mut self, function: &Function, module: &Module, inst: &Inst) {
        let result = inst.results.first().copied();
        match &inst.op {
            Op::Alloca { size, .. } => {
                let Some(result) = result else { return };
                self.object(result, Key::Private(result), *size, None, inst.span);
            }
            Op::GlobalAddress(id) => {
                let (Some(result), global) = (result, module.global(*id)) else { return };
                if global.space == Space::Local && global.per_work_item == 0 {
                    self.object(result, Key::Local(*id), global.size, global.size_argument, global.span);
                }
            }
            Op::PtrAdd { base, index, stride, displacement } => {
                index.iter().for_each(|index| self.escape(*index));
                let (Some(place), Some(result)) = (self.places.get(base).copied(), result) else { return };
                let more = constant_offset(function, *index, *stride, *displacement);
                let offset = place.offset.zip(more).map(|(offset, more)| offset.wrapping_add(more.cast_unsigned()));
                self.places.insert(result, Place { offset, ..place });
            }
            Op::Load { ptr, .. } => {
                if let Some(result) = result {
                    self.access(*ptr, function.ty(result));
                }
            }
            Op::Store { ptr, value, .. } => {
                self.escape(*value);
                self.access(*ptr, function.ty(*value));
            }
            Op::Atomic { ptr, operands, .. } => {
                operands.iter().for_each(|operand| self.escape(*operand));
                if let Some(value) = result.or(operands.first().copied()) {
                    self.access(*ptr, function.ty(value));
                }
            }
            op => op.for_each_operand(|value| self.escape(value)),
        }
    }

    fn object(&mut self, pointer: Value, key: Key, size: u64, size_argument: Option<(u32, u32)>, span: Span) {
        let number = self.list.len();
        let object = *self.index.entry(key).or_insert(number);
        if object == number {
            let is_library = clforge_library::place(span).is_some();
            self.list.push(Object {
                key,
                size,
                size_argument,
                span,
                is_fixed: true,
                is_needed: false,
                gets_suspicious: false,
                // A place in the library would say nothing to a user.
                is_rejected: is_library,
            });
        }
        self.places.insert(pointer, Place { object, offset: Some(0) });
    }

    fn escape(&mut self, value: Value) {
        if let Some(place) = self.places.get(&value) {
            self.list[place.object].is_rejected = true;
        }
    }

    fn access(&mut self, pointer: Value, ty: Type) {
        let Some(place) = self.places.get(&pointer) else { return };
        let object = &mut self.list[place.object];
        let bytes = ty.access_size();
        object.is_rejected |= matches!(ty.scalar, ScalarType::Opaque(_));
        object.is_fixed &= place.offset.is_some();
        if let Some(offset) = place.offset.filter(|_| object.size_argument.is_none()) {
            object.is_rejected |= offset.checked_add(bytes).is_none_or(|end| end > object.size);
        }
    }

    /// Notes the good loads of a region, from what is written before it. Returns whether control comes to its end.
    fn follow(&mut self, function: &Function, region: RegionId, written: &mut Vec<u64>) -> bool {
        for id in &function.region(region).insts {
            let inst = function.inst(*id);
            match &inst.op {
                Op::Store { ptr, value, .. } => {
                    if let Some((object, bits)) = self.bits(*ptr, function.ty(*value)) {
                        match function.is_undef(*value) {
                            true => written[object] &= !bits,
                            false => written[object] |= bits,
                        }
                    }
                }
                Op::Load { ptr, .. } => {
                    let Some(result) = inst.results.first() else { continue };
                    let found = self.bits(*ptr, function.ty(*result));
                    if let Some((object, _)) = found.filter(|(object, bits)| written[*object] & bits == *bits) {
                        self.good.insert(*id, object);
                    }
                }
                Op::If { then, otherwise, .. } => {
                    let mut other = written.clone();
                    let ends = [self.follow(function, *then, written), self.follow(function, *otherwise, &mut other)];
                    match ends {
                        [true, true] => written.iter_mut().zip(other).for_each(|(bits, other)| *bits &= other),
                        [false, true] => *written = other,
                        [true, false] => {}
                        [false, false] => return false,
                    }
                }
                // What is written in cases and in iterations may be left out.
                op => op.regions().into_iter().for_each(|region| {
                    self.follow(function, region, &mut written.clone());
                }),
            }
        }
        matches!(function.terminator(region), Some(Op::Yield(_)))
    }

    /// The bytes of an access to a small object at a constant offset.
    fn bits(&self, pointer: Value, ty: Type) -> Option<(usize, u64)> {
        let place = self.place(pointer)?;
        let object = &self.list[place.object];
        if object.size > MOST_FOLLOWED || object.size_argument.is_some() {
            return None;
        }
        let bytes = ty.access_size();
        let all = if bytes >= 64 { u64::MAX } else { (1 << bytes) - 1 };
        Some((place.object, all.checked_shl(place.offset?.try_into().ok()?)?))
    }
}
