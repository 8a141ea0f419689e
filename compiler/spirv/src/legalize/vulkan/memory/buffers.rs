//! Storage buffers as objects, in modules with logical addresses ([`AddressFormat::Logical`]).
//!
//! A buffer of the host is an array in a variable with a descriptor: of elements of the type that all accesses of a
//! function agree on, or else of words, from which accesses are assembled as from those of local memory. Pointers that
//! are only offset and accessed have no value: an access has an index. The others are two words, an offset in bytes and
//! the number of the buffer. An access through such a pointer goes to the buffer of its origin ([`super::origins`]). If
//! there are several, the code branches on the number of the buffer; if the origin is not known, each buffer of the
//! kernel is one of them.
//!
//! Functions that take pointers to buffers are inlined, because a descriptor belongs to an argument of one kernel.

use super::access::{Offset, Place, Shared, Words};
use super::generic::{AccessFn, Choice, branches};
use super::objects::{Found, ObjectKey, Objects, Shape};
use super::origins::{Origin, Origins, Root};
use super::{Legalization, Plan};
use crate::address_format::AddressFormat;
use crate::interface::{ArgumentBinding, Descriptor, ImageFactKind, KernelInterface, ModuleInterface};
use crate::legalize::vulkan::kernel_abi::PROGRAM_DATA;
use crate::legalize::vulkan::words::load_bytes;
use clforge_ir::error::Unsupported;
use clforge_ir::rewrite::Rewriter;
use clforge_ir::*;
use smallvec::SmallVec;

/// The buffers that a pointer may point into.
type Candidates = SmallVec<[Descriptor; 2]>;

/// Adds the accesses whose pointers have values to the buffers that they may be of.
///
/// # Errors
/// A pointer argument of a function that is not inlined.
pub fn place(
    objects: &mut Objects,
    found: &mut Found,
    module: &Module,
    interface: &ModuleInterface,
    origins: &Origins,
) -> Result<(), Error> {
    for (id, pointer, access) in std::mem::take(&mut found.unplaced) {
        for at in candidates(module, interface, module.function(id), origins.of(id, pointer))? {
            let object = objects.buffer(id, at);
            found.add(object, access);
        }
    }
    Ok(())
}

/// The buffers of an origin, each once.
fn candidates(
    module: &Module,
    interface: &ModuleInterface,
    function: &Function,
    origin: &Origin,
) -> Result<Candidates, Error> {
    let kernel = interface.kernels.iter().find(|kernel| kernel.name == function.name);
    let kernel = kernel.filter(|_| function.kernel.is_some());
    let has_data = |global: &Global| global.space != Space::Local;
    let mut found = Candidates::new();
    match origin.roots() {
        Some(roots) => {
            for root in roots {
                let at = match root {
                    Root::Argument(ordinal) => Some(argument(kernel, *ordinal).ok_or_else(not_inlined)?),
                    Root::Variable(_) => Some(PROGRAM_DATA),
                    Root::Buffer(at) => Some(*at),
                    Root::Object(_) => None,
                };
                found.extend(at.filter(|at| !found.contains(at)));
            }
        }
        None => {
            let arguments = &kernel.ok_or_else(not_inlined)?.arguments;
            found.extend(arguments.iter().filter_map(|argument| storage_buffer(&argument.binding)));
            found.extend(module.globals.iter().any(has_data).then_some(PROGRAM_DATA));
        }
    }
    Ok(found)
}

fn not_inlined() -> Error {
    Error::unsupported(Unsupported::CalleePointer)
}

fn storage_buffer(binding: &ArgumentBinding) -> Option<Descriptor> {
    match binding {
        ArgumentBinding::StorageBuffer(at) => Some(*at),
        _ => None,
    }
}

fn argument(kernel: Option<&KernelInterface>, ordinal: u32) -> Option<Descriptor> {
    storage_buffer(&kernel?.argument(ordinal)?.binding)
}

/// What to call the variable of a buffer.
pub fn name(module: &Module, interface: &ModuleInterface, function: FunctionId, at: Descriptor) -> String {
    let name = &module.function(function).name;
    let kernel = interface.kernels.iter().find(|kernel| kernel.name == *name);
    let arguments = kernel.map_or(&[][..], |kernel| &kernel.arguments);
    let argument = arguments.iter().find(|argument| argument.binding == ArgumentBinding::StorageBuffer(at));
    let info = argument.and_then(|argument| argument.info.as_ref());
    match info {
        Some(info) if !info.name.is_empty() => info.name.clone(),
        _ => format!("buffer_{}_{}", at.set, at.binding),
    }
}

impl Plan {
    /// A buffer at a byte offset.
    fn buffer(&self, function: FunctionId, at: Descriptor, offset: Offset) -> Result<Place, Error> {
        let object = *self.objects.index.get(&ObjectKey::Buffer(function, at)).or_internal("unknown buffer")?;
        self.in_variable(object, Some(Shared::Buffer), offset)
    }

    /// A byte offset in an object that has a variable of its own, and who else sees it.
    pub(super) fn in_variable(&self, object: usize, shared: Option<Shared>, offset: Offset) -> Result<Place, Error> {
        let variable = self.variables[object].or_internal("an object without variable")?;
        Ok(match self.objects.list[object].shape {
            Shape::Elements { element, stride } => Place::Elements { variable, element, stride, offset },
            Shape::Words { wide } => Place::Words { words: Words { variable, shared, wide }, offset },
            Shape::Pool => return Err(Error::internal("an object of a pool with a variable")),
        })
    }
}

impl Legalization<'_> {
    /// Whether buffers are objects.
    pub(super) fn is_logical(&self) -> bool {
        self.plan.addresses == AddressFormat::Logical
    }

    /// Whether two pointers point into the same buffer, so that their order is that of their offsets.
    pub(super) fn are_in_one_buffer(&self, lhs: Value, rhs: Value) -> bool {
        let Some(origins) = self.plan.origins.as_ref().filter(|_| self.is_logical()) else { return false };
        match [lhs, rhs].map(|pointer| origins.of(self.function, pointer).roots()) {
            [Some([first]), Some([second])] => first == second && !matches!(first, Root::Object(_)),
            _ => false,
        }
    }

    /// The number of a buffer, or 0 if it is an argument that is null.
    pub(super) fn number(&self, r: &mut Rewriter<'_>, at: Descriptor) -> Result<Value, Error> {
        let number = r.b.int(Type::I32, self.plan.number(at));
        let kernel = self.interface.kernels.iter().find(|kernel| kernel.name == r.old.name);
        let fact = kernel.and_then(|kernel| {
            let argument =
                kernel.arguments.iter().find(|argument| argument.binding == ArgumentBinding::StorageBuffer(at))?;
            let mut facts = kernel.image_facts.iter().filter(|fact| fact.kind == ImageFactKind::NullPointer);
            facts.find(|fact| fact.ordinal == argument.ordinal)
        });
        let Some(fact) = fact else { return Ok(number) };
        let storage = match fact.at {
            Some(Descriptor { set, binding }) => Storage::Uniform { set, binding },
            None => Storage::PushConstant,
        };
        let variable = self.module.variables.position(|variable| variable.storage == storage);
        let variable = variable.or_internal("no variable of the arguments")?;
        let (is_null, zero) = (load_bytes(&mut r.b, variable, fact.offset, Type::I32), r.b.int(Type::I32, 0));
        let is_null = r.b.compare(CompareOp::Ne, is_null, zero);
        Ok(r.b.select(is_null, zero, number))
    }

    /// The places that a pointer to global, constant or generic memory may point to in buffers, with their numbers. `offset` is
    /// that of the pointer.
    pub(super) fn buffers(
        &self,
        function: &Function,
        ptr: Value,
        offset: Value,
    ) -> Result<SmallVec<[(Choice, Place); 2]>, Error> {
        let origin = self.plan.origins.as_ref().or_internal("no origins")?.of(self.function, ptr);
        let offset = Offset { dynamic: Some(offset), constant: 0 };
        let places = candidates(self.module, self.interface, function, origin)?.into_iter();
        places
            .map(|at| Ok((Choice::Buffer(self.plan.number(at)), self.plan.buffer(self.function, at, offset)?)))
            .collect()
    }

    /// Emits an access through a pointer to global or constant memory, with a branch for each buffer that it may point into; the
    /// results are of these types.
    pub(super) fn by_buffer(
        &mut self,
        r: &mut Rewriter<'_>,
        ptr: Value,
        types: &[Type],
        access: &mut AccessFn<'_>,
    ) -> Result<Vec<Value>, Error> {
        if let Some(direct) = self.pointers[ptr].clone() {
            let offset = direct.offset(&mut r.b);
            let ObjectKey::Buffer(function, at) = self.plan.objects.list[direct.object].key else {
                return Err(Error::internal("an object that is no buffer"));
            };
            let place = self.plan.buffer(function, at, offset)?;
            return access(&mut r.b, place);
        }
        let pointer = r.one(ptr, self)?;
        let [offset, number] = [0, 1].map(|lane| r.b.extract(pointer, lane));
        let choices = self.buffers(r.old, ptr, offset)?;
        let nowhere = self.nowhere(r);
        branches(&mut r.b, number, &choices, nowhere, types, access)
    }

    /// What null points to: a place whose contents nobody relies on.
    pub(super) fn nowhere(&self, r: &mut Rewriter<'_>) -> Place {
        let zero = r.b.int(Type::I32, 0);
        Place::Words { words: self.pool().private, offset: Offset { dynamic: Some(zero), constant: 0 } }
    }
}
