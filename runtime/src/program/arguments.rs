//! Arguments: the caller's values, checked against the description in the module.

use super::distinct::Distinct;
use super::encoded::{Binding, Encoded, Resource};
use super::kernel::KernelShared;
use super::launch_rules::LaunchRules;
use crate::buffer::Buffer;
use crate::error::{Error, Result};
use crate::image::{Image, ImageKind, Sampler, Storage};
use crate::narrow::to_u32;
use crate::submission::{Footprint, accessed};
use ash::vk;
use clforge_compiler::argument_info::AddressQualifier;
use clforge_compiler::interface::{Argument, ArgumentBinding, Descriptor, ImageFact, ImageFactKind};

/// A value for a kernel parameter.
#[derive(Clone, Copy)]
pub enum Arg<'a> {
    /// A buffer, for a `global` or `constant` pointer.
    Buffer(&'a Buffer),
    /// A buffer and an offset in bytes: the pointer points so many bytes past the start of the buffer.
    BufferAt(&'a Buffer, u64),
    /// A device address, for a `global` or `constant` pointer. It is not checked: see the crate's section on safety.
    Address(u64),
    /// A scalar, vector or structure in its memory layout; vectors of three components have the size of four.
    Pod(&'a [u8]),
    /// The size in bytes of the memory of a `local` pointer.
    Local(u64),
    /// A null pointer, `global` or `constant`.
    Null,
    /// An image.
    Image(&'a Image),
    /// A sampler.
    Sampler(Sampler),
}

impl<'a> Arg<'a> {
    /// A value that has the memory layout of the kernel's parameter type.
    pub fn pod<T: bytemuck::NoUninit>(value: &'a T) -> Arg<'a> {
        Arg::Pod(bytemuck::bytes_of(value))
    }

    fn describe(&self) -> String {
        match self {
            Arg::Buffer(_) | Arg::BufferAt(..) => "a buffer".into(),
            Arg::Address(_) => "a device address".into(),
            Arg::Pod(bytes) => format!("a value of {} bytes", bytes.len()),
            Arg::Local(bytes) => format!("{bytes} bytes of local memory"),
            Arg::Null => "a null pointer".into(),
            Arg::Image(_) => "an image".into(),
            Arg::Sampler(_) => "a sampler".into(),
        }
    }
}

/// Checks and encodes the arguments of a launch. The contents of `encoded` are overwritten.
///
/// # Errors
/// Those of [`crate::Kernel::launch`] that concern arguments.
pub(crate) fn encode(kernel: &KernelShared, args: &[Arg<'_>], encoded: &mut Encoded) -> Result<()> {
    let interface = kernel.interface();
    let expected = kernel.rules.argument_count;
    if args.len() != expected as usize {
        let given = to_u32(args.len());
        return Err(Error::ArgumentCount { kernel: interface.name.clone(), expected, given });
    }
    encoded.push.clear();
    encoded.push.resize(kernel.layout.push_size as usize, 0);
    encoded.plain.clear();
    encoded.plain.resize(kernel.layout.plain_size as usize, 0);
    encoded.bindings.clear();
    encoded.constants.clear();
    encoded.local_bytes = 0;
    for argument in &interface.arguments {
        let arg = args.get(argument.ordinal as usize);
        let arg = arg.ok_or_else(|| Error::Internal("an argument's ordinal is out of range".into()))?;
        Encoder { kernel, argument, arg }.encode(encoded)?;
    }
    for fact in &interface.image_facts {
        if let (Some(argument), Some(arg)) = (interface.argument(fact.ordinal), args.get(fact.ordinal as usize)) {
            Encoder { kernel, argument, arg }.fact(encoded, fact)?;
        }
    }
    find_footprint(&kernel.rules, args, &mut encoded.footprint);
    Ok(())
}

/// Replaces a footprint by that of a launch with these arguments, which were checked.
fn find_footprint(rules: &LaunchRules, args: &[Arg<'_>], footprint: &mut Footprint) {
    footprint.clear();
    let Some(accesses) = &rules.accesses else { return footprint.set_unknown() };
    for (ordinal, access) in accesses {
        match args.get(*ordinal as usize) {
            Some(Arg::Buffer(buffer) | Arg::BufferAt(buffer, _)) => {
                footprint.add(buffer.sole_address(), buffer.size(), *access);
            }
            Some(Arg::Null) => {}
            // An address may be of any buffer.
            _ => return footprint.set_unknown(),
        }
    }
}

/// Whether arguments overlap that must not, as far as is known: an address may be of any buffer, and a pointer into a buffer may be
/// moved to before it.
pub(crate) fn overlap(distinct: &Distinct, args: &[Arg<'_>]) -> bool {
    let range = |ordinal: &u32| match args.get(*ordinal as usize) {
        Some(Arg::Buffer(buffer) | Arg::BufferAt(buffer, _)) => Some(accessed(buffer.sole_address()?, buffer.size())),
        Some(Arg::Null) => Some([0, 0]),
        _ => None,
    };
    let overlap = |read: &u32, written: &u32| match (range(read), range(written)) {
        (Some(read), Some(written)) => read[0] < written[1] && written[0] < read[1],
        _ => true,
    };
    distinct.read.iter().any(|read| distinct.written.iter().any(|written| overlap(read, written)))
}

/// One argument and its value.
struct Encoder<'a> {
    kernel: &'a KernelShared,
    argument: &'a Argument,
    arg: &'a Arg<'a>,
}

impl Encoder<'_> {
    fn encode(&self, out: &mut Encoded) -> Result<()> {
        use ArgumentBinding as B;
        match self.argument.binding {
            B::StorageBuffer(at) => self.descriptor(out, at, vk::DescriptorType::STORAGE_BUFFER),
            B::UniformBuffer(at) => self.descriptor(out, at, vk::DescriptorType::UNIFORM_BUFFER),
            B::PodStorageBuffer { at, offset, size } | B::PodUniform { at, offset, size } => {
                let place = self.place(self.plain(out, at)?, offset, size)?;
                self.value(place)
            }
            B::PodPushConstant { offset, size } => {
                let place = self.place(&mut out.push, offset, size)?;
                self.value(place)
            }
            B::PointerPushConstant { offset, size } => {
                let place = self.place(&mut out.push, offset, size)?;
                self.address(place)
            }
            B::PointerUniform { at, offset, size } => {
                let place = self.place(self.plain(out, at)?, offset, size)?;
                self.address(place)
            }
            B::Workgroup { spec_id, element_size } => self.local(out, spec_id, element_size),
            B::SampledImage(at) => self.image(out, at, vk::DescriptorType::SAMPLED_IMAGE),
            B::StorageImage(at) => self.image(out, at, vk::DescriptorType::STORAGE_IMAGE),
            B::UniformTexelBuffer(at) => self.image(out, at, vk::DescriptorType::UNIFORM_TEXEL_BUFFER),
            B::StorageTexelBuffer(at) => self.image(out, at, vk::DescriptorType::STORAGE_TEXEL_BUFFER),
            B::Sampler(at) => {
                let Arg::Sampler(sampler) = *self.arg else { return Err(self.wrong_kind("a sampler")) };
                let facts = &self.kernel.interface().image_facts;
                let by_mask = |fact: &ImageFact| {
                    fact.ordinal == self.argument.ordinal && fact.kind == ImageFactKind::NormalizedSamplerMask
                };
                let bits = if facts.iter().any(by_mask) { sampler.normalized_bits() } else { sampler.bits() };
                let wrapped = self.kernel.interface().wrapped_samplers.iter();
                let mut wrapped = wrapped.filter(|wrapped| wrapped.ordinal == self.argument.ordinal);
                if let Some(wrapped) = wrapped.next().filter(|_| sampler.wraps()) {
                    out.constants.push((wrapped.spec_id, 0));
                }
                let raw = self.kernel.module.device.sampler(bits, sampler.levels)?;
                out.bindings.push(Binding {
                    at,
                    element: 0,
                    kind: vk::DescriptorType::SAMPLER,
                    resource: Resource::Sampler(raw),
                });
                Ok(())
            }
        }
    }

    fn image(&self, out: &mut Encoded, at: Descriptor, kind: vk::DescriptorType) -> Result<()> {
        let Arg::Image(image) = *self.arg else { return Err(self.wrong_kind("an image")) };
        let index = self.argument.ordinal;
        if !image.is_on(&self.kernel.module.device) {
            return Err(Error::Launch(format!("the image for argument {index} belongs to another device")));
        }
        let type_name = self.argument.info.as_ref().map_or("", |info| &info.type_name);
        let given = image.description().kind;
        if ImageKind::of_type(type_name).is_some_and(|wanted| wanted != given) {
            return Err(Error::ArgumentKind {
                kernel: self.kernel.interface().name.clone(),
                index,
                name: self.name(),
                expected: format!("an image of type '{type_name}'"),
                given: format!("an image of kind {given:?}"),
            });
        }
        let (is_storage, is_buffer) = match &*image.storage {
            Storage::Image(raw) => (raw.storage, false),
            Storage::Buffer(view, _) => (view.storage, true),
        };
        let wants_buffer =
            matches!(kind, vk::DescriptorType::UNIFORM_TEXEL_BUFFER | vk::DescriptorType::STORAGE_TEXEL_BUFFER);
        if wants_buffer != is_buffer {
            return Err(self.wrong_kind(if wants_buffer { "a buffer image" } else { "an image" }));
        }
        let wants_storage =
            matches!(kind, vk::DescriptorType::STORAGE_IMAGE | vk::DescriptorType::STORAGE_TEXEL_BUFFER);
        if wants_storage && !is_storage {
            let format = image.description().format;
            return Err(Error::Unsupported(format!("writing images of {format:?} on this device is")));
        }
        let mut bind = |element, resource| out.bindings.push(Binding { at, element, kind, resource });
        match &*image.storage {
            Storage::Buffer(view, _) => bind(0, Resource::Texels(view.raw)),
            Storage::Image(raw) if wants_storage => {
                let count = self.kernel.module.interface.descriptor_arrays.get(&at).copied().unwrap_or(1).max(1);
                (0..count).for_each(|level| bind(level, Resource::Image(raw.level_view(level))));
            }
            Storage::Image(raw) => bind(0, Resource::Image(raw.view)),
        }
        Ok(())
    }

    /// A property of an image or sampler that the kernel reads from its arguments.
    fn fact(&self, out: &mut Encoded, fact: &ImageFact) -> Result<()> {
        let number = match (fact.kind, self.arg) {
            (ImageFactKind::ChannelOrder, Arg::Image(image)) => image.reported_format().0,
            (ImageFactKind::ChannelDataType, Arg::Image(image)) => image.reported_format().1,
            (ImageFactKind::NormalizedSamplerMask, Arg::Sampler(sampler)) => sampler.bits(),
            (ImageFactKind::NullPointer, arg) => matches!(arg, Arg::Null).into(),
            _ => return Ok(()),
        };
        let place = match fact.at {
            Some(at) => self.place(self.plain(out, at)?, fact.offset, fact.size)?,
            None => self.place(&mut out.push, fact.offset, fact.size)?,
        };
        if let Some(place) = place.first_chunk_mut::<4>() {
            *place = number.to_le_bytes();
        }
        Ok(())
    }

    /// The contents of the block of plain data at a descriptor.
    fn plain<'o>(&self, out: &'o mut Encoded, at: Descriptor) -> Result<&'o mut [u8]> {
        let block = self.kernel.layout.plain.iter().find(|plain| plain.at == at);
        let block = block.and_then(|block| out.plain.get_mut(block.offset as usize..)?.get_mut(..block.size as usize));
        block.ok_or_else(|| Error::Internal("an argument has no buffer for its value".into()))
    }

    /// The bytes of an argument in a block.
    fn place<'o>(&self, block: &'o mut [u8], offset: u32, size: u32) -> Result<&'o mut [u8]> {
        let place = block.get_mut(offset as usize..).and_then(|rest| rest.get_mut(..size as usize));
        place.ok_or_else(|| Error::Internal("an argument lies outside of its block".into()))
    }

    /// Encodes plain data, or an address if the module passes pointers as plain data.
    fn value(&self, place: &mut [u8]) -> Result<()> {
        let qualifier = self.argument.info.as_ref().map(|info| info.address_qualifier);
        let qualifier = qualifier.and_then(AddressQualifier::from_cl);
        let pointer = matches!(qualifier, Some(AddressQualifier::Global | AddressQualifier::Constant));
        let Arg::Pod(bytes) = *self.arg else {
            return if pointer { self.address(place) } else { Err(self.wrong_kind("a value")) };
        };
        if bytes.len() == place.len() {
            place.copy_from_slice(bytes);
            return Ok(());
        }
        // A vector of three components has the size of four in OpenCL; some compilers store only three.
        let type_name = self.argument.info.as_ref().map_or("", |info| &info.type_name);
        if type_name.ends_with('3') && bytes.len() * 3 == place.len() * 4 {
            place.copy_from_slice(&bytes[..place.len()]);
            return Ok(());
        }
        Err(Error::ArgumentSize {
            kernel: self.kernel.interface().name.clone(),
            index: self.argument.ordinal,
            name: self.name(),
            expected: place.len() as u64,
            given: bytes.len() as u64,
        })
    }

    fn address(&self, place: &mut [u8]) -> Result<()> {
        let address = match *self.arg {
            Arg::Null => 0,
            Arg::Address(address) => address,
            Arg::Buffer(buffer) => self.buffer_address(buffer, 0)?,
            Arg::BufferAt(buffer, offset) => self.buffer_address(buffer, offset)?,
            Arg::Pod(_) | Arg::Local(_) | Arg::Image(_) | Arg::Sampler(_) => return Err(self.wrong_kind("a buffer")),
        };
        let Some(place) = place.first_chunk_mut::<8>() else {
            return Err(Error::UnusableModule("it has a pointer argument of less than 8 bytes".into()));
        };
        *place = address.to_le_bytes();
        Ok(())
    }

    fn buffer_address(&self, buffer: &Buffer, offset: u64) -> Result<u64> {
        self.check_buffer(buffer, offset)?;
        let base = buffer.device_address().ok_or_else(|| Error::MissingFeature {
            feature: "bufferDeviceAddress".into(),
            needed_by: "pointer arguments".into(),
            device: self.kernel.module.device.info().name.clone(),
        })?;
        Ok(base.wrapping_add(offset))
    }

    fn check_buffer(&self, buffer: &Buffer, offset: u64) -> Result<()> {
        if !buffer.is_on(&self.kernel.module.device) {
            let index = self.argument.ordinal;
            return Err(Error::Launch(format!("the buffer for argument {index} belongs to another device")));
        }
        buffer.check_unmapped()?;
        if offset > buffer.size() {
            return Err(Error::BufferRange { offset, size: 0, buffer: buffer.size() });
        }
        Ok(())
    }

    fn descriptor(&self, out: &mut Encoded, at: Descriptor, kind: vk::DescriptorType) -> Result<()> {
        let limits = &self.kernel.module.device.info().limits;
        let (limit, alignment) = if kind == vk::DescriptorType::STORAGE_BUFFER {
            (limits.max_storage_buffer_range, limits.min_storage_buffer_offset_alignment)
        } else {
            (limits.max_uniform_buffer_range, limits.min_uniform_buffer_offset_alignment)
        };
        let (buffer, offset) = match *self.arg {
            Arg::Buffer(buffer) => (buffer, 0),
            Arg::BufferAt(buffer, offset) => (buffer, offset),
            Arg::Null => {
                let null = self.kernel.layout.null.as_ref();
                let null = null.ok_or_else(|| Error::Internal("there is no buffer for null pointers".into()))?;
                let info = vk::DescriptorBufferInfo { buffer: null.raw, offset: 0, range: null.size };
                out.bindings.push(Binding { at, element: 0, kind, resource: Resource::Buffer(info) });
                return Ok(());
            }
            _ => return Err(self.wrong_kind("a buffer")),
        };
        self.check_buffer(buffer, offset)?;
        // Whole units of 16 bytes, which buffers have: see `Buffer::new`.
        let end = (buffer.offset + buffer.size()).next_multiple_of(16).min(buffer.raw.size);
        let offset = buffer.offset + offset;
        let range = end.saturating_sub(offset);
        if offset % alignment.max(1) != 0 || range == 0 {
            let what = "an offset into a buffer that is bound as a descriptor must be inside of it and a multiple of";
            return Err(Error::Launch(format!("{what} {alignment}, but it is {offset}")));
        }
        if range > limit.into() {
            let what = format!("bytes of the buffer for argument {}", self.argument.ordinal);
            return Err(Error::Limit { what, limit: limit.into(), requested: range });
        }
        let info = vk::DescriptorBufferInfo { buffer: buffer.raw.raw, offset, range };
        out.bindings.push(Binding { at, element: 0, kind, resource: Resource::Buffer(info) });
        Ok(())
    }

    fn local(&self, out: &mut Encoded, spec_id: u32, element_size: u32) -> Result<()> {
        let Arg::Local(bytes) = *self.arg else { return Err(self.wrong_kind("local memory")) };
        if bytes == 0 {
            return Err(self.wrong_kind("local memory of at least one byte"));
        }
        let elements = bytes.div_ceil(element_size.max(1).into());
        let total = out.local_bytes.saturating_add(elements.saturating_mul(element_size.into()));
        let limit = u64::from(self.kernel.module.device.info().limits.max_shared_memory);
        if total > limit {
            let what = format!("bytes of local memory of kernel '{}'", self.kernel.interface().name);
            return Err(Error::Limit { what, limit, requested: total });
        }
        out.local_bytes = total;
        out.constants.push((spec_id, to_u32(elements)));
        Ok(())
    }

    fn name(&self) -> String {
        self.argument.info.as_ref().map(|info| info.name.clone()).unwrap_or_default()
    }

    fn wrong_kind(&self, expected: &str) -> Error {
        Error::ArgumentKind {
            kernel: self.kernel.interface().name.clone(),
            index: self.argument.ordinal,
            name: self.name(),
            expected: match &self.argument.info {
                Some(info) if !info.type_name.is_empty() => format!("{expected} ('{}')", info.type_name),
                _ => expected.into(),
            },
            given: self.arg.describe(),
        }
    }
}
