//! Memory objects.

use super::copies::Copies;
use super::flags::Flags;
use super::maps::{MappedRegion, Maps, Occupancy};
use super::rings::PipeShape;
use super::views::{View, Views};
use crate::client::ClientMemory;
use crate::context::{Callback, Context};
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::external::External;
use crate::gl::Shared;
use crate::handle::{Kind, Object, Ref};
use crate::image::ImageShape;
use crate::info::{Info, Value, unknown};
use crate::shared::SharedRange;
use clforge_runtime as runtime;
use opencl_sys::*;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// A `cl_mem`.
pub struct Memory {
    context: Ref<Context>,
    flags: Flags,
    pub(super) size: usize,
    /// With `CL_MEM_USE_HOST_PTR`.
    host: Option<ClientMemory>,
    properties: Vec<cl_mem_properties>,
    pub(super) contents: Contents,
    maps: Maps,
    /// Images over a buffer.
    pub(super) views: Views,
    /// Levels of detail that commands have used, by their numbers.
    levels: Mutex<Vec<(u32, Ref<Memory>)>>,
    /// The shared virtual memory that it uses as the host's memory.
    shared: Option<SharedRange>,
    /// With `CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT`: its address on the only device.
    address: OnceLock<u64>,
    /// The memory of another interface that it is made of.
    external: OnceLock<Arc<External>>,
    /// The object of OpenGL that it shares.
    gl: OnceLock<Shared>,
    /// The memory of a buffer, where the host uses it in place.
    in_place: OnceLock<ClientMemory>,
    destructors: Mutex<Vec<Callback>>,
}

/// What a memory object is.
pub enum Contents {
    /// A buffer.
    Buffer(Copies<runtime::Buffer>),
    /// A part of a buffer, from a byte on.
    Part(Ref<Memory>, usize),
    /// An image.
    Image(ImageShape, Arc<Copies<runtime::Image>>),
    /// A level of detail of an image, which commands use in its place.
    Level(ImageShape, Arc<Copies<runtime::Image>>, u32),
    /// An image of one dimension over a buffer, which Vulkan has.
    BufferImage(ImageShape, Ref<Memory>),
    /// Another image over a buffer or a part of one.
    View(ImageShape, Ref<Memory>, Arc<View>),
    /// The texels of another image, with another order of channels.
    Alias(ImageShape, Ref<Memory>),
    /// A pipe.
    Pipe(PipeShape, Copies<runtime::Buffer>),
}

impl Kind for Memory {
    const INVALID: cl_int = CL_INVALID_MEM_OBJECT;
}

/// What the properties of a new memory object ask for.
#[derive(Default)]
pub struct MemoryProperties {
    /// As they were given, with the zero at their end; empty where none were.
    pub list: Vec<cl_mem_properties>,
    /// Whether the object has an address that the client knows (`CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT`).
    pub is_addressed: bool,
    /// Whether a channel or a location of its bytes is given, which only buffers have (`cl_intel_mem_channel_property`,
    /// `cl_intel_mem_alloc_buffer_location`).
    pub is_located: bool,
    /// The memory that the object is made of, where that is another interface's.
    pub external: Option<External>,
}

impl Memory {
    /// An object with contents. `host` is the client's memory, where one is used or copied.
    pub fn new(
        context: &Ref<Context>,
        flags: Flags,
        size: usize,
        host: Option<ClientMemory>,
        contents: Contents,
        properties: Vec<cl_mem_properties>,
    ) -> Ref<Memory> {
        let host = host.filter(|_| flags.has(CL_MEM_USE_HOST_PTR));
        let (maps, views, levels, destructors) =
            (Maps::default(), Views::default(), Mutex::default(), Mutex::default());
        let shared = host.as_ref().and_then(|host| context.shared().range(host.address(), size).ok().flatten());
        let context = context.clone();
        let (address, external, in_place) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let gl = OnceLock::new();
        Object::new(Memory {
            context,
            flags,
            size,
            host,
            properties,
            contents,
            maps,
            views,
            levels,
            shared,
            address,
            external,
            gl,
            in_place,
            destructors,
        })
    }

    /// A buffer (`clCreateBufferWithProperties`), with the contents of `host` where it is given.
    ///
    /// # Errors
    /// `CL_INVALID_BUFFER_SIZE`, `CL_INVALID_PROPERTY`, `CL_MEM_OBJECT_ALLOCATION_FAILURE`.
    pub fn buffer(
        context: &Ref<Context>,
        flags: Flags,
        size: usize,
        host: Option<ClientMemory>,
        properties: MemoryProperties,
    ) -> Result<Ref<Memory>> {
        let MemoryProperties { list, is_addressed, external, .. } = properties;
        let has_addresses = matches!(context.devices(), [device] if device.has_buffer_addresses());
        ensure(has_addresses || !is_addressed, CL_INVALID_OPERATION, "no address, or one for each of several devices")?;
        let fits = context.devices().iter().all(|device| size as u64 <= device.max_allocation());
        ensure(size > 0 && fits, CL_INVALID_BUFFER_SIZE, "no bytes, or more than a device can have in a buffer")?;
        let used = host.as_ref().filter(|_| flags.has(CL_MEM_USE_HOST_PTR));
        let shared = used.map(|host| context.shared().range(host.address(), size)).transpose();
        let shared = shared.map_err(|error| error.with_code(CL_INVALID_BUFFER_SIZE))?.flatten();
        let is_shared = shared.is_some();
        let forced = flags.has(CL_MEM_FORCE_HOST_MEMORY_INTEL);
        if forced {
            check_forced(context, flags, size, host.as_ref())?;
        }
        let external = external.map(Arc::new);
        let imported = external.clone();
        let make = move |device: &Object<Device>| match (&shared, &imported) {
            (Some(shared), _) => shared.buffer(),
            (None, Some(external)) if external.is_for(device) => external.buffer(&device.open()?, size as u64),
            (None, _) if forced && !device.uses_host_memory() => on_host(&device.open()?, size as u64),
            (None, _) => Ok(runtime::Buffer::new(&device.open()?, size as u64)?),
        };
        let copies = Copies::new(Box::new(make));
        // At once: a failure belongs to this call.
        let first = external.as_ref().and_then(|external| external.first_device()).or(context.devices().first());
        let allocated = first.map(|device| copies.on(device)).transpose();
        let first = allocated.map_err(|error| error.with_code(External::code_of_failure(external.as_deref())))?;
        if let (Some(buffer), Some(host), false) = (&first, &host, is_shared) {
            buffer.initialize(host.bytes())?;
        }
        // With several devices the contents move.
        let is_alone = context.devices().len() == 1 && !is_shared;
        let in_place = first.as_ref().filter(|_| is_alone).and_then(ClientMemory::in_place);
        let address = first.filter(|_| is_addressed).and_then(|buffer| buffer.device_address());
        let memory = Memory::new(context, flags, size, host, Contents::Buffer(copies), list);
        memory.keep_external(external);
        if let Some(in_place) = in_place.filter(|_| memory.host.is_none()) {
            memory.in_place.get_or_init(|| in_place);
        }
        if let Some(address) = address {
            let address = *memory.address.get_or_init(|| address);
            context.addressed().add(address, size as u64, Arc::downgrade(&memory) as _);
        }
        Ok(memory)
    }

    /// A part of a buffer (`clCreateSubBuffer`).
    ///
    /// # Errors
    /// `CL_INVALID_MEM_OBJECT` for a part or an image, `CL_INVALID_VALUE`, `CL_INVALID_BUFFER_SIZE`,
    /// `CL_MISALIGNED_SUB_BUFFER_OFFSET`.
    pub fn part(parent: &Ref<Memory>, flags: cl_mem_flags, origin: usize, size: usize) -> Result<Ref<Memory>> {
        let is_whole = matches!(parent.contents, Contents::Buffer(_));
        ensure(is_whole, CL_INVALID_MEM_OBJECT, "a part of something that is not a buffer")?;
        let flags = parent.flags.part(flags)?;
        ensure(size > 0, CL_INVALID_BUFFER_SIZE, "a part without bytes")?;
        let end = origin.checked_add(size).filter(|end| *end <= parent.size);
        ensure(end.is_some(), CL_INVALID_VALUE, "a part outside of the buffer")?;
        let mut devices = parent.context.devices().iter();
        let aligned = devices.any(|device| origin.is_multiple_of(device.part_alignment()));
        ensure(aligned, CL_MISALIGNED_SUB_BUFFER_OFFSET, "the part's offset is not aligned for any device")?;
        let host = parent.host.as_ref().map(|host| host.part(origin, size)).transpose()?;
        let contents = Contents::Part(parent.clone(), origin);
        Ok(Memory::new(&parent.context, flags, size, host, contents, Vec::new()))
    }

    /// Remembers the memory of another interface that it was made of, which is the driver's from now on.
    pub(super) fn keep_external(&self, external: Option<Arc<External>>) {
        if let Some(external) = external {
            external.take_over();
            self.external.get_or_init(|| external);
        }
    }

    /// The memory of another interface that it is made of.
    ///
    /// # Errors
    /// `CL_INVALID_MEM_OBJECT` for any other memory object.
    pub fn external(&self) -> Result<&External> {
        let external = self.external.get().map(|external| &**external);
        external.ok_or_else(|| Error::new(CL_INVALID_MEM_OBJECT, "a memory object that is not of external memory"))
    }

    /// Remembers the object of OpenGL that it shares, at its creation.
    pub fn keep_gl(&self, shared: Shared) {
        self.gl.get_or_init(|| shared);
    }

    /// The object of OpenGL that it shares.
    ///
    /// # Errors
    /// `CL_INVALID_GL_OBJECT` for any other memory object.
    pub fn gl(&self) -> Result<&Shared> {
        self.gl.get().ok_or_else(|| Error::new(CL_INVALID_GL_OBJECT, "a memory object that is not of OpenGL"))
    }

    /// Makes what another interface has written the contents on a device.
    ///
    /// # Errors
    /// Those of [`Copies::on`].
    pub fn renew_on(&self, device: &Object<Device>) -> Result<()> {
        match &self.contents {
            Contents::Buffer(copies) => copies.renew(device),
            Contents::Image(_, copies) => copies.renew(device),
            _ => Ok(()),
        }
    }

    /// Its context.
    pub fn context(&self) -> &Ref<Context> {
        &self.context
    }

    /// Whether it may go from device to device.
    pub(super) fn has_several_devices(&self) -> bool {
        self.context.devices().len() > 1
    }

    /// Its flags.
    pub fn flags(&self) -> Flags {
        self.flags
    }

    /// Size in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// What it is.
    pub fn contents(&self) -> &Contents {
        &self.contents
    }

    /// Whether its bytes are used in ways that commands do not tell: as shared virtual memory, by an address, or by another
    /// interface.
    pub(super) fn is_reached_otherwise(&self) -> bool {
        self.shared.is_some() || self.address.get().is_some() || self.external.get().is_some()
    }

    /// The address of the client's memory, where that is used, else zero.
    pub(super) fn host_address(&self) -> usize {
        self.host.as_ref().map_or(0, ClientMemory::address)
    }

    /// The shape of an image.
    pub fn shape(&self) -> Option<&ImageShape> {
        match &self.contents {
            Contents::Image(shape, _)
            | Contents::BufferImage(shape, _)
            | Contents::View(shape, ..)
            | Contents::Level(shape, ..)
            | Contents::Alias(shape, _) => Some(shape),
            Contents::Buffer(_) | Contents::Part(..) | Contents::Pipe(..) => None,
        }
    }

    /// Whether it is a buffer or a part of one.
    pub fn is_buffer(&self) -> bool {
        matches!(self.contents, Contents::Buffer(_) | Contents::Part(..))
    }

    /// Whether it is a pipe.
    pub fn is_pipe(&self) -> bool {
        matches!(self.contents, Contents::Pipe(..))
    }

    /// The buffer on a device, with the current contents but for what only images over it have: see [`Memory::read_on`].
    ///
    /// # Errors
    /// `CL_INVALID_MEM_OBJECT` for an image, and those of [`Copies::on`].
    pub fn buffer_on(&self, device: &Object<Device>) -> Result<runtime::Buffer> {
        match &self.contents {
            Contents::Buffer(copies) => copies.on(device),
            Contents::Part(parent, origin) => Ok(parent.buffer_on(device)?.slice(*origin as u64, self.size as u64)?),
            Contents::BufferImage(_, buffer) | Contents::View(_, buffer, _) => buffer.buffer_on(device),
            Contents::Image(..) | Contents::Alias(..) | Contents::Level(..) => {
                Err(Error::new(CL_INVALID_MEM_OBJECT, "an image is not a buffer"))
            }
            Contents::Pipe(..) => Err(Error::new(CL_INVALID_MEM_OBJECT, "a pipe is not a buffer")),
        }
    }

    /// The texels on a device of an image that has them in images of Vulkan, which all commands use.
    ///
    /// # Errors
    /// Those of [`Copies::on`].
    pub fn texels_on(&self, device: &Object<Device>) -> Result<Option<runtime::Image>> {
        Ok(match &self.contents {
            Contents::Image(_, copies) => Some(copies.on(device)?),
            Contents::Level(_, copies, level) => Some(copies.on(device)?.of_level(*level)?),
            Contents::Alias(shape, image) => match image.texels_on(device)? {
                Some(texels) => Some(texels.with_format(shape.description().format)?),
                None => None,
            },
            _ => None,
        })
    }

    /// Brings the current contents to a device.
    ///
    /// # Errors
    /// As for [`Copies::on`].
    pub fn bring_to(&self, device: &Object<Device>) -> Result<()> {
        match &self.contents {
            Contents::Image(_, copies) | Contents::Level(_, copies, _) => copies.on(device).map(drop),
            Contents::Alias(_, image) => image.bring_to(device),
            Contents::Pipe(_, copies) => copies.on(device).map(drop),
            _ => self.buffer_on(device).map(drop),
        }
    }

    /// What a kernel gets on a device for a buffer or a pipe.
    ///
    /// # Errors
    /// As for [`Memory::buffer_on`].
    pub fn argument_on(&self, device: &Object<Device>) -> Result<runtime::Buffer> {
        match &self.contents {
            Contents::Pipe(_, copies) => copies.on(device),
            _ => self.buffer_on(device),
        }
    }

    /// Whether the host's memory is the device's own: nothing is copied when a region is mapped.
    pub fn is_in_place(&self) -> bool {
        let own = match &self.contents {
            Contents::Part(parent, _) | Contents::BufferImage(_, parent) | Contents::View(_, parent, _)
                if self.host.is_none() =>
            {
                parent.is_in_place()
            }
            _ => self.in_place.get().is_some(),
        };
        // The texels of an image are elsewhere, also if the client has given memory for them.
        let has_texels = matches!(self.contents, Contents::Image(..) | Contents::Level(..)) || self.has_hidden_buffer();
        own || !has_texels && self.shared.as_ref().is_some_and(|shared| shared.memory.is_in_place())
    }

    /// Checks that a range is within the object.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`.
    pub fn check_range(&self, offset: usize, size: usize) -> Result<()> {
        let end = offset.checked_add(size).filter(|end| *end <= self.size);
        ensure(end.is_some(), CL_INVALID_VALUE, "a range outside of the buffer")
    }

    /// What the host may write of the bytes that the object is made of, and where among them its own begin.
    pub fn occupancy(&self) -> (&Occupancy, usize) {
        match self.parent() {
            (Some(parent), origin) => {
                let (occupancy, start) = parent.occupancy();
                (occupancy, start + origin)
            }
            (None, _) => (self.maps.occupancy(), 0),
        }
    }

    /// The mapped regions.
    pub(crate) fn maps(&self) -> &Maps {
        &self.maps
    }

    /// Where the host sees the object's bytes while they are mapped.
    ///
    /// # Errors
    /// `CL_MAP_FAILURE`.
    pub fn host_copy(&self) -> Result<ClientMemory> {
        match (self.host.as_ref().or(self.in_place.get()), &self.contents) {
            (Some(host), _) => Ok(host.clone()),
            (None, Contents::Part(parent, origin)) => parent.host_copy()?.part(*origin, self.size),
            (None, Contents::BufferImage(_, buffer) | Contents::View(_, buffer, _)) => {
                buffer.host_copy()?.part(0, self.size)
            }
            (None, Contents::Alias(_, image)) => image.host_copy(),
            (None, Contents::Buffer(_) | Contents::Image(..) | Contents::Level(..) | Contents::Pipe(..)) => {
                self.maps.copy(self.size)
            }
        }
    }

    /// The copy of a buffer's contents in the host's memory as a buffer of a device, if that reaches it, and the first byte of this
    /// object there: see `maps.rs`.
    pub fn host_copy_on(&self, device: &Object<Device>) -> Option<(runtime::Buffer, usize)> {
        match (&self.host, &self.contents) {
            (None, Contents::Buffer(_)) => Some((self.maps.on(device, self.flags.has(CL_MEM_ALLOC_HOST_PTR))?, 0)),
            (None, Contents::Part(parent, origin)) => {
                parent.host_copy_on(device).map(|(buffer, start)| (buffer, start + origin))
            }
            _ => None,
        }
    }

    /// Ends the mapping of a region of the object, or of one of its levels of detail, which is returned.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if there is none at this address.
    pub fn unmap(&self, address: usize) -> Result<(Option<Ref<Memory>>, MappedRegion)> {
        let levels = self.lock_levels().clone();
        let of_level = |(_, level): (u32, Ref<Memory>)| Some((Some(level.clone()), level.maps.remove(address).ok()?));
        match levels.into_iter().find_map(of_level) {
            Some(found) => Ok(found),
            None => Ok((None, self.maps.remove(address)?)),
        }
    }

    fn lock_levels(&self) -> MutexGuard<'_, Vec<(u32, Ref<Memory>)>> {
        self.levels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A level of detail of an image by itself; the image for the first one.
    ///
    /// # Errors
    /// `CL_INVALID_MIP_LEVEL`.
    pub fn level(image: &Ref<Memory>, level: usize) -> Result<Ref<Memory>> {
        let count = image.shape().map_or(1, ImageShape::levels);
        let known = u32::try_from(level).ok().filter(|level| *level < count);
        let known = known.ok_or_else(|| Error::new(CL_INVALID_MIP_LEVEL, "the image has fewer levels of detail"))?;
        let Contents::Image(shape, copies) = &image.contents else { return Ok(image.clone()) };
        if known == 0 {
            return Ok(image.clone());
        }
        let mut levels = image.lock_levels();
        if let Some((_, memory)) = levels.iter().find(|(number, _)| *number == known) {
            return Ok(memory.clone());
        }
        let shape = shape.at_level(known);
        let contents = Contents::Level(shape, copies.clone(), known);
        let memory = Memory::new(&image.context, image.flags, shape.bytes(), None, contents, Vec::new());
        levels.push((known, memory.clone()));
        Ok(memory)
    }

    /// Registers a function that is called when the object is destroyed, the last one first.
    pub fn on_destruction(&self, callback: Callback) {
        self.destructors.lock().unwrap_or_else(PoisonError::into_inner).push(callback);
    }

    fn object_type(&self) -> cl_mem_object_type {
        match &self.contents {
            Contents::Pipe(..) => CL_MEM_OBJECT_PIPE,
            _ => self.shape().map_or(CL_MEM_OBJECT_BUFFER, ImageShape::object_type),
        }
    }

    /// Whether it is made of a buffer that the client does not know.
    fn has_hidden_buffer(&self) -> bool {
        matches!(&self.contents, Contents::View(_, _, view) if view.is_hidden())
    }

    /// The object that it is made of, and the first byte in it.
    fn parent(&self) -> (Option<&Ref<Memory>>, usize) {
        match &self.contents {
            Contents::Buffer(_) | Contents::Image(..) | Contents::Level(..) | Contents::Pipe(..) => (None, 0),
            Contents::Part(parent, origin) => (Some(parent), *origin),
            Contents::BufferImage(_, of) | Contents::View(_, of, _) | Contents::Alias(_, of) => (Some(of), 0),
        }
    }
}

/// Checks a buffer that is forced into the host's memory (`cl_intel_mem_force_host_memory`).
///
/// # Errors
/// `CL_INVALID_VALUE` where a device has no such buffers; `CL_INVALID_HOST_PTR` and `CL_INVALID_BUFFER_SIZE` for memory of the
/// client's that is not whole lines of the cache.
fn check_forced(context: &Context, flags: Flags, size: usize, host: Option<&ClientMemory>) -> Result<()> {
    let can = context.devices().iter().all(|device| device.has_host_buffers());
    ensure(can, CL_INVALID_VALUE, "a device has no buffers in the host's memory")?;
    let line = context.devices().iter().map(|device| device.cache_line()).max().unwrap_or(0).max(1);
    let Some(host) = host.filter(|_| flags.has(CL_MEM_USE_HOST_PTR)) else { return Ok(()) };
    ensure(
        host.address().is_multiple_of(line),
        CL_INVALID_HOST_PTR,
        "memory that does not begin with a line of the cache",
    )?;
    ensure(size.is_multiple_of(line), CL_INVALID_BUFFER_SIZE, "memory that is not whole lines of the cache")
}

/// A buffer in the host's memory, for a device that has memory of its own.
///
/// # Errors
/// `CL_MEM_OBJECT_ALLOCATION_FAILURE`.
fn on_host(device: &runtime::Device, size: u64) -> Result<runtime::Buffer> {
    // The host may use an address.
    let found = (0..4).find_map(|_| runtime::Buffer::at_device_address(device, size));
    found.ok_or_else(|| Error::new(CL_MEM_OBJECT_ALLOCATION_FAILURE, "no buffer in the host's memory"))
}

impl Drop for Memory {
    fn drop(&mut self) {
        self.forget_view();
        let destructors = std::mem::take(self.destructors.get_mut().unwrap_or_else(PoisonError::into_inner));
        destructors.into_iter().rev().for_each(|callback| callback());
    }
}

impl Info for Object<Memory> {
    fn info(&self, name: cl_uint) -> Result<Value> {
        let (parent, origin) = self.parent();
        Ok(match name {
            CL_MEM_TYPE => Value::of(self.object_type()),
            CL_MEM_FLAGS => Value::of(self.flags.bits()),
            CL_MEM_SIZE => Value::of(self.size),
            CL_MEM_HOST_PTR => Value::of(self.host_address()),
            CL_MEM_MAP_COUNT => {
                let of_levels: u32 = self.lock_levels().iter().map(|(_, level)| level.maps.count()).sum();
                Value::of(self.maps.count() + of_levels)
            }
            CL_MEM_REFERENCE_COUNT => Value::of(self.references()),
            CL_MEM_CONTEXT => Value::handle(Some(&*self.context)),
            CL_MEM_ASSOCIATED_MEMOBJECT => {
                // The client does not know the buffer of a texture of OpenGL, either.
                let is_known = !self.has_hidden_buffer() && self.gl.get().is_none();
                Value::handle(parent.filter(|_| is_known).map(Arc::as_ref))
            }
            CL_MEM_OFFSET => Value::of(origin),
            CL_MEM_USES_SVM_POINTER => Value::flag(self.shared.is_some()),
            CL_MEM_DEVICE_ADDRESS_EXT => {
                let none = || Error::new(CL_INVALID_OPERATION, "the buffer was not created with an address");
                Value::of(*self.address.get().ok_or_else(none)?)
            }
            CL_MEM_PROPERTIES => Value::list(&self.properties),
            // A name of properties, which have 64 bits. There is one location.
            name if u64::from(name) == CL_MEM_ALLOC_BUFFER_LOCATION_INTEL => Value::of(0u32),
            _ => return Err(unknown(name)),
        })
    }
}
