//! `vulkan/memory`: lowers pointers. It chooses a representation for each memory object.
//!
//! - *Global and constant* pointers become addresses in the module's format ([`crate::address_format`]): device
//!   addresses of 64 bits, whose computations are integer arithmetic. Accesses below natural alignment are split
//!   ([`access`]). Program-scope constants are in one buffer whose address is a push constant.
//! - With logical addressing, global and constant memory is storage buffers with descriptors ([`buffers`]).
//! - *Private and local* objects are variables of their own if every pointer to them is only offset and accessed
//!   ([`objects`]). Otherwise they are words of a *pool*, and pointers to them are 32-bit byte offsets ([`pools`]).
//!   Null is 0.
//! - *Generic* pointers that `address_spaces` could not resolve carry their address space in their top bits
//!   ([`generic`]). Each access branches on these bits, unless only one object is possible ([`candidates`]).
//! - The pass writes into the interface which buffers each kernel reads and writes ([`accesses`]).
//! - With `CodegenOptions::bounds_check` a check of its range precedes each access ([`check_code`], [`check_ranges`],
//!   [`origins`]).
//!
//! A store of less than a word to words that other work-items may write (a local pool, a local object or a buffer of
//! words) is an atomic `And` and an atomic `Or`, so that neighbouring bytes are not lost. If 64-bit atomics may reach
//! the local pool, or an object that is accessed as several types, its words have 64 bits, and narrower atomics
//! exchange whole words. Sizes of `local` arguments are specialisation constants, from which the length of the pool is
//! computed.
//!
//! In modules without barriers, fences and atomics, loads and stores through addresses are private (`NonPrivatePointer`
//! is left out), except volatile ones: nothing could order the accesses of other work-items before them. Variables have
//! no volatile loads, so a fence precedes a volatile load of local or generic memory, and of a buffer with logical
//! addressing, which keeps it from being merged with an earlier one.
//!
//! The pass never uses variable pointers: see `docs/drivers.md`.

mod access;
mod accesses;
mod atomic;
mod buffers;
mod candidates;
mod check_code;
mod check_ranges;
mod data;
mod generic;
mod host_pointers;
mod invariant_loads;
mod matrices;
pub(super) mod objects;
pub(super) mod origins;
mod packed;
mod pools;
mod texel_checks;

use crate::address_format::{Address, AddressFormat, buffer_number};
use crate::interface::bounds::{AccessKind, AccessSite};
use crate::interface::{Descriptor, ModuleInterface};
use crate::legalize::vulkan::kernel_abi::{ARGUMENT_SET, PROGRAM_DATA};
use crate::legalize::{CheckedAccess, Context, State};
use access::{MemoryOperands, Offset, Place, Shared, Words};
use atomic::Atomic;
use check_code::{Checker, EntryRanges, when_allowed};
use check_ranges::{Guard, guarded, guarded_load};
use clforge_basic::narrow::to_u32;
use clforge_basic::options::{AddressBits, FloatAtomics, Options};
use clforge_basic::tuning::Tuning;
use clforge_ir::error::Unsupported;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::verify::{Dialect, Legalized};
use clforge_ir::*;
use data::DataLayout;
pub(super) use generic::is_tag_test;
use objects::{ObjectKey, Objects, Shape};
use origins::Origins;
use packed::Packing;
use pools::{Pool, Pools};
use smallvec::{SmallVec, smallvec};
use typed_index_collections::{TiVec, ti_vec};

/// The pass. It puts the program's data into the interface, and the checked accesses too. Objects or program-scope data that
/// are too large, and program-scope data with addresses outside of it, are errors.
pub struct Memory;

impl Pass<State> for Memory {
    fn name(&self) -> &'static str {
        "vulkan/memory"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::WideVectors), after: &["mem2reg"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let state = &mut context.state;
        let checked = legalize(module, &mut state.interface, context.options)?;
        // The places of other sanitizers, whose passes have run before, come first.
        let (sites, accesses): (Vec<AccessSite>, Vec<CheckedAccess>) = checked.into_iter().unzip();
        state.interface.bounds.iter_mut().for_each(|bounds| bounds.sites.extend_from_slice(&sites));
        state.checked_accesses.extend(accesses);
        Ok(Changed::Maybe)
    }

    fn establishes(&self) -> Option<Dialect> {
        Some(Dialect::Vulkan(Legalized::Memory))
    }
}

/// The places of the checked accesses are the result, since the pass does not know the sources.
fn legalize(
    module: &mut Module,
    interface: &mut ModuleInterface,
    options: &Options,
) -> Result<Vec<(AccessSite, CheckedAccess)>, Error> {
    let devices = options.device.float_atomics;
    let addresses = AddressFormat::of(options);
    let is_logical = addresses == AddressFormat::Logical;
    let is_packed = is_logical && options.language.address_bits == AddressBits::Bits32;
    let packing = is_packed.then(|| Packing::of(interface));
    let data = data::lay_out(module, interface, addresses, packing.as_ref())?;
    let offsets = data.as_ref().map_or_else(TiVec::new, |data| data.offsets.clone());
    let (mut objects, mut found) = objects::find(module, &options.device, is_logical.then_some(&offsets));
    let functions = module.functions.keys();
    let origins = Origins::find(module, interface, &objects);
    if is_logical {
        host_pointers::reject(module, &origins)?;
        buffers::place(&mut objects, &mut found, module, interface, &origins)?;
    }
    objects::choose_shapes(&mut objects, found, &options.device, addresses);
    let variables = make_variables(module, interface, &objects);
    let pools = Pools::new(module, &objects)?;
    accesses::note(module, interface, &origins);
    if options.codegen.tuning.contains(Tuning::NVIDIA_NON_WRITABLE) {
        invariant_loads::mark(module, interface, &origins);
    }
    let is_checked = options.codegen.bounds_check;
    let origins = (is_logical || is_checked).then_some(origins);
    let checker = if is_checked { Some(Checker::new(module, interface, options)?) } else { None };
    let first_site = interface.bounds.as_ref().map_or(0, |bounds| to_u32(bounds.sites.len()));
    let plan = Plan { addresses, packing, objects, pools, variables, data, checker, origins, first_site, devices };
    let mut sites = Vec::new();
    let mut room = Room::new(module, options.codegen.max_instructions);
    for function in functions {
        let old = std::mem::replace(&mut module.functions[function], Function::new(""));
        let pointers = ti_vec![None; old.value_count()];
        let ranges = EntryRanges::default();
        let mut pass = Legalization { plan: &plan, module, interface, function, pointers, ranges, sites: &mut sites };
        let mut new = rewrite(&old, &mut pass, &mut room)?;
        pass.ranges.insert(&mut new);
        module.functions[function] = new;
    }
    Ok(sites)
}

/// The locations of all objects.
struct Plan {
    addresses: AddressFormat,
    /// How pointers of 32 bits are in memory, in programs that have them.
    packing: Option<Packing>,
    objects: Objects,
    pools: Pools,
    /// The variable of each object that has one.
    variables: Vec<Option<VariableId>>,
    data: Option<DataLayout>,
    checker: Option<Checker>,
    /// Of the pointers, where accesses are checked.
    origins: Option<Origins>,
    /// The number of the first checked access.
    first_site: u32,
    devices: FloatAtomics,
}

impl Plan {
    /// What was loaded, or what is converted, as a value of a type: if that is a pointer's, from its form in memory.
    fn pointer(&self, b: &mut Builder<'_>, stored: Value, ty: Type) -> Value {
        match (&self.packing, ty.scalar) {
            (Some(packing), ScalarType::Ptr32(space)) => packing.loaded(b, stored, space),
            (_, ScalarType::Ptr(space) | ScalarType::Ptr32(space)) => self.addresses.loaded(b, stored, space),
            _ => stored,
        }
    }

    /// The number of a buffer in pointers.
    fn number(&self, at: Descriptor) -> i64 {
        self.packing.as_ref().and_then(|packing| packing.number(at)).unwrap_or_else(|| buffer_number(at))
    }
}

/// Adds the variables of the objects that have one of their own.
fn make_variables(module: &mut Module, interface: &ModuleInterface, objects: &Objects) -> Vec<Option<VariableId>> {
    let mut variables = Vec::new();
    for object in &objects.list {
        let (element, stride) = match object.shape {
            Shape::Pool => {
                variables.push(None);
                continue;
            }
            Shape::Words { wide: false } => (Type::I32, 4),
            Shape::Words { wide: true } => (Type::I64, 8),
            Shape::Elements { element, stride } => (element, stride),
        };
        let (name, storage) = match object.key {
            ObjectKey::Alloca(_, value) => (format!("object_{value}"), Storage::Function),
            ObjectKey::Local(global) => (module.globals[global].name.clone(), Storage::Workgroup),
            ObjectKey::Buffer(function, Descriptor { set, binding }) => {
                let name = buffers::name(module, interface, function, Descriptor { set, binding });
                (name, Storage::StorageBuffer { set, binding })
            }
        };
        if let Storage::StorageBuffer { set, .. } = storage
            && set != ARGUMENT_SET
        {
            // One variable for all functions.
            let known = module.variables.iter_enumerated().find(|(_, variable)| variable.storage == storage);
            if let Some((known, _)) = known {
                variables.push(Some(known));
                continue;
            }
        }
        let arguments = object.size_argument.into_iter().collect();
        let per_work_item = object.per_work_item;
        let size = VariableSize { fixed: object.size.next_multiple_of(stride), arguments, per_work_item };
        let variable = Variable { name, storage, element, size, zero_initialized: false };
        variables.push(Some(module.variables.push_and_get_key(variable)));
    }
    variables
}

/// A pointer into an object that has a variable of its own: never a value.
#[derive(Clone)]
struct Direct {
    object: usize,
    terms: SmallVec<[Term; 2]>,
    displacement: i64,
}

/// An index of a pointer's offset.
#[derive(Clone, Copy)]
struct Term {
    /// As `i32`.
    index: Value,
    /// As it was given.
    given: Value,
    /// In bytes.
    stride: i64,
}

impl Direct {
    /// The byte offset in the object.
    fn offset(&self, b: &mut Builder<'_>) -> Offset {
        let mut dynamic = None;
        for Term { index, stride, .. } in &self.terms {
            let stride = b.int(Type::I32, *stride);
            let scaled = b.binary(BinaryOp::Mul, *index, stride);
            dynamic = Some(dynamic.map_or(scaled, |sum| b.binary(BinaryOp::Add, sum, scaled)));
        }
        Offset { dynamic, constant: self.displacement }
    }
}

struct Legalization<'m> {
    plan: &'m Plan,
    module: &'m Module,
    interface: &'m ModuleInterface,
    function: FunctionId,
    /// By old value.
    pointers: TiVec<Value, Option<Direct>>,
    /// What arguments may access.
    ranges: EntryRanges,
    /// Checked accesses of all functions, and where they are.
    sites: &'m mut Vec<(AccessSite, CheckedAccess)>,
}

type Results = Result<Option<SmallVec<[Parts; 1]>>, Error>;

fn result(value: Value) -> Results {
    Ok(Some(smallvec![smallvec![value]]))
}

impl Rewrite for Legalization<'_> {
    fn types(&self, ty: Type) -> SmallVec<[Type; 1]> {
        smallvec![ty.space().map_or(ty, |space| self.plan.addresses.value_type(space))]
    }

    fn constant(&self, _: Value, constant: &Constant) -> Option<SmallVec<[Constant; 2]>> {
        if let (Some(packing), ScalarType::Ptr32(space), Constant::Bits { lanes, .. }) =
            (&self.plan.packing, constant.ty().scalar, constant)
        {
            return Some(smallvec![packing.constant(lanes.first().copied().unwrap_or(0), space)]);
        }
        self.plan.addresses.constant(constant).map(|words| smallvec![words])
    }

    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Results {
        let result_value = inst.results.first().copied();
        match &inst.op {
            // Through an address: a sanitizer's, or what `printf` writes.
            Op::Load { ptr, .. } | Op::Store { ptr, .. } | Op::Atomic { ptr, .. } if r.old.ty(*ptr) == Type::I64 => {
                Ok(None)
            }
            Op::Alloca { .. } => {
                let value = inst.result()?;
                self.object_address(r, value, ObjectKey::Alloca(self.function, value), 0)
            }
            Op::Resource { set, binding, .. }
                if result_value.is_some_and(|value| r.old.ty(value).space().is_some()) =>
            {
                let at = Descriptor { set: *set, binding: *binding };
                self.object_address(r, inst.result()?, ObjectKey::Buffer(self.function, at), 0)
            }
            Op::GlobalAddress(global) => {
                let value = inst.result()?;
                match self.module.global(*global).space {
                    Space::Local => self.object_address(r, value, ObjectKey::Local(*global), 0),
                    _ => self.data_address(r, value, *global),
                }
            }
            Op::PtrAdd { base, index, stride, displacement } => {
                let value = inst.result()?;
                self.ptr_add(r, value, *base, *index, *stride, *displacement)
            }
            Op::Load { ptr, align, volatile, invariant } => {
                let ty = r.old.ty(inst.result()?);
                let invariant = *invariant || !volatile && r.old.ty(*ptr).space() == Some(Space::Constant);
                self.load(r, *ptr, ty, MemoryOperands { align: *align, volatile: *volatile, invariant })
            }
            Op::Store { ptr, value, align, volatile } => {
                self.store(r, *ptr, *value, MemoryOperands { volatile: *volatile, ..MemoryOperands::aligned(*align) })
            }
            Op::Atomic { .. } => self.atomic(r, inst),
            Op::Matrix(op) => self.matrix(r, inst, *op),
            Op::Image { op, texel, image } => self.image(r, inst, *op, *texel, *image),
            Op::Compare { op, lhs, rhs } if r.old.ty(*lhs).space().is_some() => {
                let in_one = !matches!(op, CompareOp::Eq | CompareOp::Ne) && self.are_in_one_buffer(*lhs, *rhs);
                let (mut lhs, mut rhs) = (r.one(*lhs, self)?, r.one(*rhs, self)?);
                if in_one {
                    (lhs, rhs) = (r.b.extract(lhs, 0), r.b.extract(rhs, 0));
                }
                result(self.plan.addresses.compare(&mut r.b, *op, lhs, rhs))
            }
            Op::Convert { op: ConvertOp::PtrToInt, operand } => {
                let value = r.one(*operand, self)?;
                let space = r.old.ty(*operand).space();
                if let (Some(packing), Some(space), Type::I32) = (&self.plan.packing, space, r.old.ty(inst.result()?)) {
                    return result(packing.integer(&mut r.b, value, space));
                }
                let integer = generic::integer(&mut r.b, value, space);
                result(self.plan.addresses.stored(&mut r.b, integer))
            }
            Op::Convert { op: ConvertOp::Trunc, operand } if self.plan.packing.is_some() => {
                // The offset alone: for the difference of two pointers.
                match r.old.op(*operand) {
                    Some(Op::Convert { op: ConvertOp::PtrToInt, operand: pointer })
                        if inst.result().map(|value| r.old.ty(value)) == Ok(Type::I32)
                            && r.old.ty(*pointer).space() != Some(Space::Generic) =>
                    {
                        let pointer = r.one(*pointer, self)?;
                        result(r.b.extract(pointer, 0))
                    }
                    _ => Ok(None),
                }
            }
            Op::Convert { op: ConvertOp::IntToPtr, operand } => {
                let value = r.one(*operand, self)?;
                result(self.plan.pointer(&mut r.b, value, r.old.ty(inst.result()?)))
            }
            Op::Convert { op: ConvertOp::PtrCast, operand } => self.pointer_cast(r, *operand, result_value, false),
            Op::Convert { op: ConvertOp::PtrCastChecked, operand } => {
                self.pointer_cast(r, *operand, result_value, true)
            }
            _ => Ok(None),
        }
    }
}

impl Legalization<'_> {
    /// The value that replaces the address of a byte of an object.
    fn object_address(&mut self, r: &mut Rewriter<'_>, value: Value, key: ObjectKey, byte: u64) -> Results {
        let object = *self.plan.objects.index.get(&key).or_internal("unknown object")?;
        if self.plan.objects.list[object].is_direct && self.plan.variables[object].is_some() {
            let displacement = byte.cast_signed();
            self.pointers[value] = Some(Direct { object, terms: SmallVec::new(), displacement });
            return Ok(Some(smallvec![Parts::new()]));
        }
        if let ObjectKey::Buffer(_, at) = key {
            let offset = r.b.int(Type::I32, byte.cast_signed());
            let number = self.number(r, at)?;
            return result(r.b.construct(&[offset, number]));
        }
        result(self.pool_offset(r, object)?)
    }

    /// The pools of the function.
    fn pool(&self) -> &Pool {
        self.plan.pools.of(self.function)
    }

    /// The offset of an object in its pool.
    fn pool_offset(&self, r: &mut Rewriter<'_>, object: usize) -> Result<Value, Error> {
        let (fixed, arguments) = self.pool().offset(object).or_internal("an object without an offset in its pool")?;
        let mut offset = r.b.int(Type::I32, (*fixed).cast_signed());
        for (spec_id, size) in arguments {
            let count = r.b.emit(Op::SpecConstant(*spec_id), Type::I32);
            let size = r.b.int(Type::I32, i64::from(*size));
            let bytes = r.b.binary(BinaryOp::Mul, count, size);
            let fifteen = r.b.int(Type::I32, 15);
            let bytes = r.b.binary(BinaryOp::Add, bytes, fifteen);
            let mask = r.b.int(Type::I32, -16);
            let bytes = r.b.binary(BinaryOp::And, bytes, mask);
            offset = r.b.binary(BinaryOp::Add, offset, bytes);
        }
        Ok(offset)
    }

    /// The address of a constant or global object.
    fn data_address(&mut self, r: &mut Rewriter<'_>, value: Value, global: GlobalId) -> Results {
        if self.is_logical() {
            let data = self.plan.data.as_ref().or_internal("no program data")?;
            let key = ObjectKey::Buffer(self.function, PROGRAM_DATA);
            return self.object_address(r, value, key, data.offsets[global]);
        }
        result(self.data_start(r, global)?)
    }

    /// Its device address.
    fn data_start(&mut self, r: &mut Rewriter<'_>, global: GlobalId) -> Result<Value, Error> {
        let data = self.plan.data.as_ref().or_internal("no program data")?;
        let (push_constants, pointer) = data.pointer.or_internal("program data with a descriptor")?;
        let offset = Offset { dynamic: None, constant: i64::from(pointer) };
        let place = Place::Words { words: Words::of(push_constants), offset };
        let addresses = self.plan.addresses;
        let access = MemoryOperands::aligned(addresses.bytes());
        let stored = access::load(&mut r.b, place, addresses.stored_type(), access);
        let start = addresses.loaded(&mut r.b, stored, Space::Constant);
        Ok(Address::new(start).plus(data.offsets[global].cast_signed()).pointer(&mut r.b))
    }

    fn ptr_add(
        &mut self,
        r: &mut Rewriter<'_>,
        value: Value,
        base: Value,
        index: Option<Value>,
        stride: i64,
        displacement: i64,
    ) -> Results {
        let index = index.map(|index| r.one(index, self)).transpose()?;
        if let Some(mut direct) = self.pointers[base].clone() {
            if let Some(index) = index {
                let given = index;
                direct.terms.push(Term { index: r.b.resize(index, ScalarType::I32, true), given, stride });
            }
            direct.displacement = direct.displacement.wrapping_add(displacement);
            self.pointers[value] = Some(direct);
            return Ok(Some(smallvec![Parts::new()]));
        }
        let pointer = r.one(base, self)?;
        result(self.plan.addresses.offset(&mut r.b, pointer, index, stride, displacement))
    }

    /// The memory a pointer that is not an element of a variable refers to.
    fn place(&mut self, r: &mut Rewriter<'_>, ptr: Value) -> Result<Place, Error> {
        if let Some(direct) = self.pointers[ptr].clone() {
            let variable = self.plan.variables[direct.object].or_internal("object without variable")?;
            let object = &self.plan.objects.list[direct.object];
            let shared = matches!(object.key, ObjectKey::Local(_)).then_some(Shared::Local);
            let words = Words { variable, shared, wide: object.shape == Shape::Words { wide: true } };
            return Ok(Place::Words { words, offset: direct.offset(&mut r.b) });
        }
        let space = r.old.ty(ptr).space();
        let pointer = r.one(ptr, self)?;
        let words = match space {
            Some(Space::Private) => self.pool().private,
            Some(Space::Local) => self.pool().local,
            Some(Space::Global | Space::Constant) => {
                return Ok(Place::Address(Address::new(pointer)));
            }
            _ => return Err(Error::internal("an access through a pointer whose memory is not known")),
        };
        let offset = Offset { dynamic: Some(pointer), constant: 0 };
        Ok(Place::Words { words, offset })
    }

    /// The variable, element index and element type, if the pointer is to an element of a variable.
    fn element(&mut self, r: &mut Rewriter<'_>, ptr: Value) -> Option<(VariableId, Option<Value>, Type, i64)> {
        let direct = self.pointers[ptr].clone()?;
        let object = &self.plan.objects.list[direct.object];
        let Shape::Elements { element, stride } = object.shape else { return None };
        let variable = self.plan.variables[direct.object]?;
        let stride = stride.cast_signed();
        if object.size.cast_signed() == stride && object.size_argument.is_none() {
            return Some((variable, None, element, stride));
        }
        let mut index = r.b.int(Type::I32, direct.displacement / stride);
        for term in &direct.terms {
            let factor = r.b.int(Type::I32, term.stride / stride);
            let scaled = r.b.binary(BinaryOp::Mul, term.index, factor);
            index = r.b.binary(BinaryOp::Add, scaled, index);
        }
        Some((variable, Some(index), element, stride))
    }

    /// Emits an access through a pointer, with a branch for each address space if it is generic; the results are of these types.
    fn somewhere(
        &mut self,
        r: &mut Rewriter<'_>,
        ptr: Value,
        types: &[Type],
        access: &mut generic::AccessFn<'_>,
    ) -> Result<Vec<Value>, Error> {
        match r.old.ty(ptr).space() {
            Some(Space::Generic) => return self.by_tag(r, ptr, types, access),
            Some(Space::Global | Space::Constant) if self.is_logical() => {
                return self.by_buffer(r, ptr, types, access);
            }
            _ => {}
        }
        let place = self.place(r, ptr)?;
        access(&mut r.b, place)
    }

    fn load(&mut self, r: &mut Rewriter<'_>, ptr: Value, ty: Type, access: MemoryOperands) -> Results {
        let addresses = self.plan.addresses;
        let value = self.load_value(r, ptr, ty.with_scalar(addresses.memory_scalar(ty.scalar)), access)?;
        result(self.plan.pointer(&mut r.b, value, ty))
    }

    fn load_value(
        &mut self,
        r: &mut Rewriter<'_>,
        ptr: Value,
        memory_type: Type,
        access: MemoryOperands,
    ) -> Result<Value, Error> {
        if access.volatile {
            let space = r.old.ty(ptr).space();
            read_again(&mut r.b, space, self.is_logical());
        }
        let guard = self.guard(r, ptr, memory_type.access_size(), AccessKind::Read)?;
        let types = [memory_type];
        let element = self.element(r, ptr);
        if memory_type.matrix().is_some() && element.is_none() {
            return Err(Error::unsupported(Unsupported::MatrixInMemory));
        }
        let values = match element {
            Some((variable, index, element, _)) => {
                // A branch: with a choice of the element, a matrix product through local memory takes 1.3 times as long on an H200.
                when_allowed(&mut r.b, guard.and_then(Guard::made), &types, &mut |b| {
                    Ok(vec![access::load_elements(b, variable, index, element, memory_type)])
                })?
            }
            None => self.somewhere(r, ptr, &types, &mut |b, place| {
                Ok(vec![guarded_load(b, guard.as_ref(), place, memory_type, access)?])
            })?,
        };
        values.first().copied().or_internal("a load without result")
    }

    fn store(&mut self, r: &mut Rewriter<'_>, ptr: Value, value: Value, access: MemoryOperands) -> Results {
        let ty = r.old.ty(value);
        let mut value = r.one(value, self)?;
        if ty.space().is_some() {
            value = match (&self.plan.packing, ty.scalar) {
                (Some(packing), ScalarType::Ptr32(_)) => packing.stored(&mut r.b, value),
                _ => self.plan.addresses.stored(&mut r.b, value),
            };
        }
        self.store_value(r, ptr, value, access)?;
        Ok(Some(smallvec![]))
    }

    fn store_value(
        &mut self,
        r: &mut Rewriter<'_>,
        ptr: Value,
        value: Value,
        access: MemoryOperands,
    ) -> Result<(), Error> {
        let bytes = r.b.ty(value).access_size();
        let guard = self.guard(r, ptr, bytes, AccessKind::Write)?;
        let element = self.element(r, ptr);
        if r.b.ty(value).matrix().is_some() && element.is_none() {
            return Err(Error::unsupported(Unsupported::MatrixInMemory));
        }
        match element {
            Some((variable, index, element, _)) => {
                when_allowed(&mut r.b, guard.and_then(Guard::made), &[], &mut |b| {
                    access::store_elements(b, variable, index, element, value);
                    Ok(Vec::new())
                })?;
            }
            None => {
                self.somewhere(r, ptr, &[], &mut |b, place| {
                    guarded(b, guard.as_ref(), place, &[], &mut |b, place| {
                        access::store(b, place, value, access);
                        Ok(Vec::new())
                    })
                })?;
            }
        }
        Ok(())
    }

    fn atomic(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Results {
        let Op::Atomic { op, ptr, operands, semantics, unequal } = &inst.op else { return Ok(None) };
        let devices = self.plan.devices;
        let operands: Result<SmallVec<[Value; 2]>, Error> = operands.iter().map(|value| r.one(*value, self)).collect();
        let atomic = Atomic { op: *op, operands: operands?, semantics: *semantics, unequal: *unequal, devices };
        let types: Vec<Type> = inst.results.iter().map(|value| self.types(r.old.ty(*value))[0]).collect();
        let space = r.old.ty(*ptr).space();
        let ty = atomic.ty(&r.b, &types);
        if space == Some(Space::Private) {
            // Nobody else sees a private object.
            let access = MemoryOperands::aligned(to_u32(ty.scalar.bytes()));
            let old = self.load_value(r, *ptr, ty, access)?;
            if let Some(new) = atomic.new_value(&mut r.b, old) {
                self.store_value(r, *ptr, new, access)?;
            }
            return Ok(Some(types.iter().map(|_| smallvec![old]).collect()));
        }
        let guard = self.guard(r, *ptr, ty.access_size(), AccessKind::Atomic)?;
        let values = match self.element(r, *ptr) {
            Some((variable, index, element, _)) => {
                when_allowed(&mut r.b, guard.and_then(Guard::made), &types, &mut |b| {
                    atomic.on_variable(b, variable, index, element, &types)
                })?
            }
            None => self.somewhere(r, *ptr, &types, &mut |b, place| {
                guarded(b, guard.as_ref(), place, &types, &mut |b, place| atomic.at(b, place, &types))
            })?,
        };
        Ok(Some(values.into_iter().map(|value| smallvec![value]).collect()))
    }
}

/// Makes passes and drivers read memory again whose accesses are those of a variable: variables have no volatile loads, and another
/// work-item may have written what this one waits for.
fn read_again(b: &mut Builder<'_>, space: Option<Space>, is_logical: bool) {
    let local = Semantics::of_local_memory(MemoryOrder::AcquireRelease);
    let semantics = match space {
        Some(Space::Local) => local,
        Some(Space::Generic) if !is_logical => local,
        Some(Space::Generic) => Semantics { scope: Scope::Device, global: true, ..local },
        Some(Space::Global | Space::Constant) if is_logical => {
            Semantics { scope: Scope::Device, local: false, global: true, ..local }
        }
        _ => return,
    };
    b.effect(Op::Fence(semantics));
}
