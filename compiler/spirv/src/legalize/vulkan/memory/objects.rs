//! Chooses the representation of each object of private and local memory.
//!
//! An object is *direct* while every pointer into it is used only to offset it and to load, store or do atomics through
//! it: then its accesses determine the type of its elements. An object whose address escapes (to memory, a call, a
//! `select`, a comparison, a region's parameters) is in a *pool* of its address space, as words: see [`super::pools`].
//!
//! With logical addresses the storage buffers of the host are objects, too, which never are in a pool: see
//! [`super::buffers`].

use crate::address_format::AddressFormat;
use crate::interface::Descriptor;
use crate::legalize::vulkan::kernel_abi::{ARGUMENT_SET, PROGRAM_DATA};
use crate::legalize::vulkan::narrow_memory::is_narrow;
use clforge_basic::narrow::to_u32;
use clforge_basic::options::{DeviceFacts, EmulatedTypes, FloatAtomics};
use clforge_basic::source::Span;
use clforge_ir::*;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use typed_index_collections::{TiVec, ti_vec};

/// The bytes of a cooperative matrix in an object of private memory, in the IR.
const MATRIX_BYTES: u64 = 8;

/// The bytes that matrices in memory are aligned to, and that their strides are multiples of.
const MATRIX_ALIGNMENT: u64 = 16;

/// An object of private or local memory, or a buffer that has a descriptor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ObjectKey {
    /// An alloca of a function.
    Alloca(FunctionId, Value),
    /// A local global.
    Local(GlobalId),
    /// A storage buffer, as one function accesses it.
    Buffer(FunctionId, Descriptor),
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
    /// Its accesses alone need its address, so pointers to it have no values.
    pub is_direct: bool,
    /// The functions that refer to it, each once.
    pub users: SmallVec<[FunctionId; 1]>,
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
#[derive(Clone, Copy)]
pub struct ObjectUse {
    ty: Type,
    atomic: bool,
    /// Greatest common divisor of all strides and displacements from the object's address to that of the access.
    granularity: u64,
    /// It is of a cooperative matrix, which any elements of up to 16 bytes will do for.
    is_matrix: bool,
}

/// What the walk finds out about an object.
#[derive(Default)]
pub struct Facts {
    escapes: bool,
    accesses: Vec<ObjectUse>,
}

/// Finds all objects; [`choose_shapes`] completes them. `data`: with logical addresses, the byte offset of each program-scope
/// variable in the buffer of all of them.
pub fn find(module: &Module, devices: &DeviceFacts, data: Option<&TiVec<GlobalId, u64>>) -> (Objects, Found) {
    let mut objects = Objects::default();
    let mut facts: Vec<Facts> = Vec::new();
    let mut unplaced = Vec::new();
    for (id, global) in module.globals.iter_enumerated() {
        if global.space == Space::Local {
            objects.add(Object {
                key: ObjectKey::Local(id),
                size: global.size,
                align: global.align,
                size_argument: global.size_argument,
                per_work_item: global.per_work_item,
                shape: Shape::Pool,
                is_direct: false,
                users: SmallVec::new(),
                span: global.span,
            });
            facts.push(Facts::default());
        }
    }
    for (id, function) in module.functions.iter_enumerated() {
        let mut walk = Walk {
            function,
            id,
            devices: devices.float_atomics,
            objects: &mut objects,
            facts: &mut facts,
            unplaced: &mut unplaced,
            data,
            pointers: ti_vec![None; function.value_count()],
        };
        function.walk_body(|_, inst| walk.op(inst));
    }
    (objects, Found { facts, unplaced })
}

/// What is known of the objects' accesses.
pub struct Found {
    facts: Vec<Facts>,
    /// Accesses whose object the walk does not see: function, pointer, and the access.
    pub unplaced: Vec<(FunctionId, Value, ObjectUse)>,
}

impl Found {
    /// Adds an access to an object.
    pub fn add(&mut self, object: usize, access: ObjectUse) {
        if self.facts.len() <= object {
            self.facts.resize_with(object + 1, Facts::default);
        }
        self.facts[object].accesses.push(access);
    }
}

/// Chooses the shapes of all objects, for these devices.
pub fn choose_shapes(objects: &mut Objects, found: Found, devices: &DeviceFacts, addresses: AddressFormat) {
    let Objects { list, wide_local_pool, .. } = objects;
    for (object, facts) in list.iter_mut().zip(&found.facts) {
        object.shape = shape(facts, object, addresses, devices.emulated);
        object.is_direct = !facts.escapes;
        *wide_local_pool |= object.shape == Shape::Pool && facts.has_wide_atomics();
    }
    unify_data(list);
}

/// Gives a buffer of the runtime, which all functions access, one shape: words where they differ.
fn unify_data(objects: &mut [Object]) {
    let mut shapes: FxHashMap<Descriptor, Shape> = FxHashMap::default();
    let is_argument = |at: Descriptor| at.set == ARGUMENT_SET;
    for object in objects.iter() {
        let ObjectKey::Buffer(_, at) = object.key else { continue };
        let shape = shapes.entry(at).or_insert(object.shape);
        if *shape != object.shape {
            let is_wide = |shape: Shape| shape == Shape::Words { wide: true };
            *shape = Shape::Words { wide: is_wide(*shape) || is_wide(object.shape) };
        }
    }
    for object in objects {
        if let ObjectKey::Buffer(_, at) = object.key
            && !is_argument(at)
        {
            object.shape = shapes[&at];
        }
    }
}

impl Objects {
    fn add(&mut self, object: Object) {
        self.index.insert(object.key, self.list.len());
        self.list.push(object);
    }

    /// A storage buffer, as a function accesses it.
    pub fn buffer(&mut self, function: FunctionId, at: Descriptor) -> usize {
        let key = ObjectKey::Buffer(function, at);
        if let Some(index) = self.index.get(&key) {
            return *index;
        }
        self.add(Object {
            key,
            size: 0,
            align: 16,
            size_argument: None,
            per_work_item: 0,
            shape: Shape::Words { wide: false },
            is_direct: false,
            users: smallvec![function],
            span: Span::default(),
        });
        self.list.len() - 1
    }
}

struct Walk<'w> {
    function: &'w Function,
    id: FunctionId,
    devices: FloatAtomics,
    objects: &'w mut Objects,
    facts: &'w mut Vec<Facts>,
    unplaced: &'w mut Vec<(FunctionId, Value, ObjectUse)>,
    /// See [`find`].
    data: Option<&'w TiVec<GlobalId, u64>>,
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
                    is_direct: false,
                    users: smallvec![self.id],
                    span: inst.span,
                });
                self.facts.push(Facts::default());
                self.pointers[result] = Some((self.facts.len() - 1, 0));
            }
            Op::GlobalAddress(global) => {
                if let (Some(result), Some(data)) = (result, self.data)
                    && function.ty(result).space() != Some(Space::Local)
                {
                    return self.buffer(result, PROGRAM_DATA, data[*global]);
                }
                let object = self.objects.index.get(&ObjectKey::Local(*global)).copied();
                if let (Some(result), Some(object)) = (result, object) {
                    self.pointers[result] = Some((object, 0));
                    let users = &mut self.objects.list[object].users;
                    if users.last() != Some(&self.id) {
                        users.push(self.id);
                    }
                }
            }
            Op::Resource { set, binding, .. } => {
                if let Some(result) = result
                    && function.ty(result).space().is_some()
                {
                    self.buffer(result, Descriptor { set: *set, binding: *binding }, 0);
                }
            }
            Op::PtrAdd { base, index, stride, displacement } => {
                if let (Some(result), Some((object, granularity))) = (result, self.pointers[*base]) {
                    let stride = if index.is_some() { stride.unsigned_abs() } else { 0 };
                    let granularity = gcd(granularity, gcd(stride, displacement.unsigned_abs()));
                    self.pointers[result] = Some((object, granularity));
                }
            }
            Op::Load { ptr, align, .. } => {
                let ty = result.map_or(Type::I32, |result| function.ty(result));
                self.access(*ptr, ty, false, *align);
            }
            Op::Store { ptr, value, align, .. } => {
                self.escape(*value);
                self.access(*ptr, function.ty(*value), false, *align);
            }
            Op::Atomic { op, ptr, operands, .. } => {
                let ty = result.or(operands.first().copied()).map_or(Type::I32, |value| function.ty(value));
                operands.iter().for_each(|operand| self.escape(*operand));
                self.access(*ptr, self.atomic_type(*op, ty), true, to_u32(ty.scalar.bytes()));
            }
            Op::Matrix(MatrixOp::Load { ptr, .. }) => {
                self.matrix_access(*ptr, result.map_or(Type::I32, |result| function.ty(result)));
            }
            Op::Matrix(MatrixOp::Store { ptr, matrix, .. }) => self.matrix_access(*ptr, function.ty(*matrix)),
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

    /// An address in a storage buffer.
    fn buffer(&mut self, address: Value, at: Descriptor, offset: u64) {
        let object = self.objects.buffer(self.id, at);
        if self.facts.len() <= object {
            self.facts.push(Facts::default());
        }
        self.pointers[address] = Some((object, offset));
    }

    /// An access to the components of a matrix.
    fn matrix_access(&mut self, ptr: Value, ty: Type) {
        let component = ty.matrix().map_or(ScalarType::I32, MatrixType::scalar);
        let access =
            |granularity| ObjectUse { ty: Type::scalar(component), atomic: false, granularity, is_matrix: true };
        match self.pointers[ptr] {
            Some((object, granularity)) => self.facts[object].accesses.push(access(granularity)),
            None if self.data.is_some() => self.unplaced.push((self.id, ptr, access(MATRIX_ALIGNMENT))),
            None => {}
        }
    }

    fn access(&mut self, ptr: Value, ty: Type, atomic: bool, align: u32) {
        let access = |granularity| ObjectUse { ty, atomic, granularity, is_matrix: false };
        if let Some((object, granularity)) = self.pointers[ptr] {
            self.facts[object].accesses.push(access(granularity));
            return;
        }
        match self.function.ty(ptr).space() {
            Some(Space::Local | Space::Generic) => self.objects.wide_local_pool |= access(0).is_wide_atomic(),
            Some(Space::Private) => return,
            _ => {}
        }
        if self.data.is_some() {
            self.unplaced.push((self.id, ptr, access(align.into())));
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

fn shape(facts: &Facts, object: &Object, addresses: AddressFormat, emulated: EmulatedTypes) -> Shape {
    let is_buffer = matches!(object.key, ObjectKey::Buffer(..));
    if facts.escapes && !is_buffer {
        return Shape::Pool;
    }
    let is_shared = is_buffer || matches!(object.key, ObjectKey::Local(_));
    let words = Shape::Words { wide: is_shared && facts.has_wide_atomics() };
    // Those of matrices count where there are no others.
    let has_others = facts.accesses.iter().any(|access| !access.is_matrix);
    let accesses = || facts.accesses.iter().filter(|access| !has_others || !access.is_matrix);
    let has_matrices = facts.accesses.iter().any(|access| access.is_matrix);
    let Some(first) = accesses().find(|access| access.atomic).or(accesses().next()) else {
        return words;
    };
    if first.ty.matrix().is_some() {
        let is_array = |access: &ObjectUse| access.ty == first.ty && access.granularity.is_multiple_of(MATRIX_BYTES);
        let is_whole = object.size.is_multiple_of(MATRIX_BYTES) && accesses().all(is_array);
        return if is_whole { Shape::Elements { element: first.ty, stride: MATRIX_BYTES } } else { words };
    }
    let memory_scalar = |scalar: ScalarType| addresses.memory_scalar(scalar);
    let scalar = memory_scalar(first.ty.scalar);
    if is_narrow(scalar, emulated) {
        return words;
    }
    let bytes = scalar.bytes();
    let same_width = |access: &ObjectUse| {
        let other = memory_scalar(access.ty.scalar);
        other.bytes() == bytes && access.granularity.is_multiple_of(bytes) && (!access.atomic || other == scalar)
    };
    if !accesses().all(same_width) {
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
    // The stride of a matrix is counted in elements, whose size drivers take from their type: three lanes are not as wide as
    // their stride.
    let fits = !has_matrices || lanes.is_power_of_two() && stride <= MATRIX_ALIGNMENT;
    if lanes > 1 && lanes <= 4 && whole && fits && accesses().all(same_vector) {
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
