//! Chooses the representation of each object of private and local memory.
//!
//! An object is *direct* while every pointer into it is used only to offset it and to load, store or do atomics through
//! it: then its accesses determine the type of its elements. An object whose address escapes (to memory, a call, a
//! `select`, a comparison, a region's parameters) is in the *pool* of its address space, as words.

use clforge_basic::options::FloatAtomics;
use clforge_basic::source::Span;
use clforge_ir::analysis::CallGraph;
use clforge_ir::error::Limited;
use clforge_ir::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Reverse;
use typed_index_collections::{TiVec, ti_vec};

/// An object of private or local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKey {
    /// An alloca of a function.
    Alloca(FunctionId, Value),
    /// A local global.
    Local(GlobalId),
}

/// The representation of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// In the pool of its space.
    Pool,
    /// A variable of its own, of `i32` words, or of `i64` ones.
    Words { wide: bool },
    /// A variable of its own, whose elements are this type, `stride` bytes apart in the object.
    Elements { element: Type, stride: u64 },
}

/// An object and its representation.
#[derive(Clone, Debug)]
pub struct Object {
    pub key: ObjectKey,
    pub size: u64,
    pub align: u64,
    pub size_argument: Option<(u32, u32)>,
    pub per_work_item: u32,
    pub shape: Shape,
    /// Its declaration.
    pub span: Span,
}

/// All objects of a module.
#[derive(Default)]
pub struct Objects {
    pub list: Vec<Object>,
    pub index: FxHashMap<ObjectKey, usize>,
    /// The words of the local pool have 64 bits, since atomics of 64 bits may reach it.
    pub wide_local_pool: bool,
}

/// One access to an object.
struct ObjectUse {
    ty: Type,
    atomic: bool,
    /// Greatest common divisor of all strides and displacements from the object's address to that of the access.
    granularity: u64,
}

/// What the walk finds out about an object.
#[derive(Default)]
struct Facts {
    escapes: bool,
    accesses: Vec<ObjectUse>,
}

/// Finds all objects and chooses their shapes; `devices` are the atomic operations on floating objects that there are
/// instructions of.
pub fn find(module: &Module, devices: FloatAtomics) -> Objects {
    let mut objects = Objects::default();
    let mut facts: Vec<Facts> = Vec::new();
    for (id, global) in module.globals.iter_enumerated() {
        if global.space == Space::Local {
            objects.add(Object {
                key: ObjectKey::Local(id),
                size: global.size,
                align: global.align,
                size_argument: global.size_argument,
                per_work_item: global.per_work_item,
                shape: Shape::Pool,
                span: global.span,
            });
            facts.push(Facts::default());
        }
    }
    for (id, function) in module.functions.iter_enumerated() {
        let mut walk = Walk {
            function,
            id,
            devices,
            objects: &mut objects,
            facts: &mut facts,
            pointers: ti_vec![None; function.value_count()],
        };
        function.walk_body(|_, inst| walk.op(inst));
    }
    let Objects { list, wide_local_pool, .. } = &mut objects;
    for (object, facts) in list.iter_mut().zip(&facts) {
        object.shape = shape(facts, object);
        *wide_local_pool |= object.shape == Shape::Pool && facts.has_wide_atomics();
    }
    objects
}

impl Objects {
    fn add(&mut self, object: Object) {
        self.index.insert(object.key, self.list.len());
        self.list.push(object);
    }
}

struct Walk<'w> {
    function: &'w Function,
    id: FunctionId,
    devices: FloatAtomics,
    objects: &'w mut Objects,
    facts: &'w mut Vec<Facts>,
    /// For values that point into an object: which, and the granularity of the offset.
    pointers: TiVec<Value, Option<(usize, u64)>>,
}

impl Walk<'_> {
    fn op(&mut self, inst: &Inst) {
        let function = self.function;
        let result = inst.results.first().copied();
        match &inst.op {
            Op::Alloca { size, align } => {
                let Some(result) = result else { return };
                self.objects.add(Object {
                    key: ObjectKey::Alloca(self.id, result),
                    size: *size,
                    align: *align,
                    size_argument: None,
                    per_work_item: 0,
                    shape: Shape::Pool,
                    span: inst.span,
                });
                self.facts.push(Facts::default());
                self.pointers[result] = Some((self.facts.len() - 1, 0));
            }
            Op::GlobalAddress(global) => {
                let object = self.objects.index.get(&ObjectKey::Local(*global)).copied();
                if let (Some(result), Some(object)) = (result, object) {
                    self.pointers[result] = Some((object, 0));
                }
            }
            Op::PtrAdd { base, index, stride, displacement } => {
                if let (Some(result), Some((object, granularity))) = (result, self.pointers[*base]) {
                    let stride = if index.is_some() { stride.unsigned_abs() } else { 0 };
                    let granularity = gcd(granularity, gcd(stride, displacement.unsigned_abs()));
                    self.pointers[result] = Some((object, granularity));
                }
            }
            Op::Load { ptr, .. } => {
                let ty = result.map_or(Type::I32, |result| function.ty(result));
                self.access(*ptr, ty, false);
            }
            Op::Store { ptr, value, .. } => {
                self.escape(*value);
                self.access(*ptr, function.ty(*value), false);
            }
            Op::Atomic { op, ptr, operands, .. } => {
                let ty = result.or(operands.first().copied()).map_or(Type::I32, |value| function.ty(value));
                operands.iter().for_each(|operand| self.escape(*operand));
                self.access(*ptr, self.atomic_type(*op, ty), true);
            }
            op => op.for_each_operand(|value| self.escape(value)),
        }
    }

    /// Without an instruction for floating objects, the integer of the same bits.
    fn atomic_type(&self, op: AtomicOp, ty: Type) -> Type {
        let native = !ty.scalar.is_float() || clforge_ir::is_native_in_local_memory(&self.devices, op, ty.scalar);
        if native { ty } else { Type::scalar(ScalarType::int(ty.scalar.bits())) }
    }

    fn escape(&mut self, value: Value) {
        if let Some((object, _)) = self.pointers[value] {
            self.facts[object].escapes = true;
        }
    }

    fn access(&mut self, ptr: Value, ty: Type, atomic: bool) {
        let access = |granularity| ObjectUse { ty, atomic, granularity };
        if let Some((object, granularity)) = self.pointers[ptr] {
            self.facts[object].accesses.push(access(granularity));
        } else if matches!(self.function.ty(ptr).space(), Some(Space::Local | Space::Generic)) {
            self.objects.wide_local_pool |= access(0).is_wide_atomic();
        }
    }
}

impl ObjectUse {
    fn is_wide_atomic(&self) -> bool {
        self.atomic && self.ty.scalar.bits() == 64
    }
}

impl Facts {
    fn has_wide_atomics(&self) -> bool {
        self.accesses.iter().any(ObjectUse::is_wide_atomic)
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The scalar a value has in memory: pointers are 64-bit integers there.
pub fn memory_scalar(scalar: ScalarType) -> ScalarType {
    if matches!(scalar, ScalarType::Ptr(_)) { ScalarType::I64 } else { scalar }
}

fn shape(facts: &Facts, object: &Object) -> Shape {
    if facts.escapes {
        return Shape::Pool;
    }
    let words = Shape::Words { wide: matches!(object.key, ObjectKey::Local(_)) && facts.has_wide_atomics() };
    let Some(first) = facts.accesses.iter().find(|access| access.atomic).or(facts.accesses.first()) else {
        return words;
    };
    let scalar = memory_scalar(first.ty.scalar);
    let bytes = scalar.bytes();
    let same_width = |access: &ObjectUse| {
        let other = memory_scalar(access.ty.scalar);
        other.bytes() == bytes && access.granularity.is_multiple_of(bytes) && (!access.atomic || other == scalar)
    };
    if !facts.accesses.iter().all(same_width) {
        return words;
    }
    let lanes = first.ty.lanes;
    let stride = bytes * u64::from(lanes.next_power_of_two());
    let same_vector = |access: &ObjectUse| {
        access.ty.lanes == lanes
            && access.granularity.is_multiple_of(stride)
            && memory_scalar(access.ty.scalar) == scalar
    };
    let whole = object.size.is_multiple_of(stride)
        && object.per_work_item == 0
        && object.size_argument.is_none_or(|(_, size)| u64::from(size).is_multiple_of(stride));
    if lanes > 1 && lanes <= 4 && whole && facts.accesses.iter().all(same_vector) {
        return Shape::Elements { element: Type::vector(scalar, lanes), stride };
    }
    if !object.size.is_multiple_of(bytes)
        || !u64::from(object.per_work_item).is_multiple_of(bytes)
        || object.size_argument.is_some_and(|(_, size)| !u64::from(size).is_multiple_of(bytes))
    {
        return words;
    }
    Shape::Elements { element: Type::scalar(scalar), stride: bytes }
}

/// A fixed offset, and the local arguments (specialisation constant, element size) that lie before it besides.
type PoolOffset = (u64, SmallVec<[(u32, u32); 2]>);

/// Byte offsets of the pooled objects, and the sizes of the pools.
pub struct PoolLayout {
    /// Of private objects: the fixed offset. Of local ones: the fixed part, with the arguments that come before.
    pub offsets: FxHashMap<usize, PoolOffset>,
    pub private_size: u64,
    pub local_size: VariableSize,
}

impl PoolLayout {
    /// Checks that offsets, which have 32 bits, reach the end of every object in its variable or pool.
    ///
    /// # Errors
    /// An object that is too large, or too far from the start of its pool.
    pub fn check(&self, module: &Module, objects: &Objects) -> Result<(), Error> {
        for (index, object) in objects.list.iter().enumerate() {
            let start = self.offsets.get(&index).map_or(0, |(offset, _)| *offset);
            let end = start.saturating_add(object.size);
            if end > MAX_BYTES {
                let (space, span) = match object.key {
                    ObjectKey::Alloca(function, _) => (Space::Private, module.function(function).span),
                    ObjectKey::Local(global) => (Space::Local, module.global(global).span),
                };
                return Err(Error::limit(Limited::Memory { space }, end, MAX_BYTES).at(span));
            }
        }
        Ok(())
    }
}

/// Bytes of a pool or an object, rounded up to elements of up to 16 bytes: their number has 32 bits.
const MAX_BYTES: u64 = u32::MAX as u64 & !15;

/// Null is offset 0, so objects start after it.
pub const POOL_START: u64 = 16;

/// Lays the pools out. A function's private objects come after those of all its callers: there is no recursion, so two
/// active calls never overlap.
pub fn lay_out(module: &Module, objects: &Objects) -> PoolLayout {
    let mut layout = PoolLayout { offsets: FxHashMap::default(), private_size: 0, local_size: VariableSize::default() };
    let mut local_end = POOL_START;
    let mut arguments: SmallVec<[(u32, u32); 2]> = SmallVec::new();
    let pooled = |object: &&(usize, &Object)| object.1.shape == Shape::Pool;
    let all: Vec<(usize, &Object)> = objects.list.iter().enumerate().collect();
    let is_local = |object: &Object| matches!(object.key, ObjectKey::Local(_));
    for (index, object) in all.iter().filter(pooled).filter(|(_, object)| is_local(object)) {
        if object.size_argument.is_none() && object.per_work_item == 0 {
            let offset = local_end.next_multiple_of(object.align.max(16));
            layout.offsets.insert(*index, (offset, SmallVec::new()));
            local_end = offset + object.size;
        }
    }
    // Sizes of arguments are multiples of their alignments, so all are aligned when those of larger ones come first.
    let by_argument =
        all.iter().filter(pooled).filter_map(|(index, object)| Some((index, object, object.size_argument?)));
    let mut by_argument: Vec<_> = by_argument.collect();
    by_argument.sort_by_key(|(_, object, _)| Reverse(object.align));
    let align = by_argument.first().map_or(16, |(_, object, _)| object.align.max(16));
    local_end = local_end.next_multiple_of(align);
    for (index, _, argument) in by_argument {
        layout.offsets.insert(*index, (local_end, arguments.clone()));
        arguments.push(argument);
    }
    // The one object whose size is the work-group's comes last: no offset depends on it.
    let mut per_work_item = 0;
    for (index, object) in all.iter().filter(pooled).filter(|(_, object)| object.per_work_item > 0) {
        layout.offsets.insert(*index, (local_end, arguments.clone()));
        per_work_item = per_work_item.max(object.per_work_item);
    }
    if !layout.offsets.is_empty() {
        layout.local_size = VariableSize { fixed: local_end, arguments: arguments.to_vec(), per_work_item };
    }
    let mut frames: TiVec<FunctionId, u64> = ti_vec![POOL_START; module.functions.len()];
    let calls = CallGraph::of(module);
    for id in calls.callers_first() {
        let mut end = frames[id];
        for (index, object) in all.iter().filter(pooled) {
            if matches!(object.key, ObjectKey::Alloca(owner, _) if owner == id) {
                let offset = end.next_multiple_of(object.align.max(4));
                layout.offsets.insert(*index, (offset, SmallVec::new()));
                end = offset + object.size;
                layout.private_size = layout.private_size.max(end.next_multiple_of(4));
            }
        }
        for callee in calls.callees(id) {
            let frame = &mut frames[*callee];
            *frame = (*frame).max(end.next_multiple_of(16));
        }
    }
    layout
}
