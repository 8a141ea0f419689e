//! Buffers and images whose memory other devices, processes and interfaces reach by a file descriptor.

use super::pool::{MemoryPool, buffer_usage};
use super::raw_buffer::{Backing, RawBuffer};
use super::sharer::{Descriptors, MemoryHandle};
use crate::error::{Error, Result};
use ash::vk;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};
use std::sync::Arc;

/// What a device must be able to do with a handle.
#[derive(Clone, Copy)]
enum Direction {
    Import,
    Export,
}

impl RawBuffer {
    /// A buffer of `size` bytes, a positive multiple of 16, whose memory can be exported.
    ///
    /// # Errors
    /// [`Error::Unsupported`] where the device cannot, [`Error::Allocation`], [`Error::OutOfMemory`].
    pub fn shareable(pool: &Arc<MemoryPool>, size: u64, handle: MemoryHandle) -> Result<RawBuffer> {
        let (mut buffer, dedicated) = unbound(pool, size, handle, Direction::Export)?;
        let mut export = vk::ExportMemoryAllocateInfo::default().handle_types(handle.vulkan());
        let allocate = vk::MemoryAllocateInfo::default().push_next(&mut export);
        // SAFETY: the device exports such handles of such buffers.
        let memory = unsafe { bind(pool, &mut buffer, allocate, u32::MAX, dedicated) }?;
        buffer.backing = Backing::Shareable { memory, handle: Some(handle) };
        Ok(buffer)
    }

    /// A buffer of `size` bytes, a positive multiple of 16, in the memory of a file descriptor.
    ///
    /// # Errors
    /// As for [`RawBuffer::shareable`]; the descriptor is closed then.
    ///
    /// # Safety
    /// The descriptor is one of memory with so many bytes, of this kind, and of this driver and device if it is opaque.
    pub unsafe fn from_descriptor(
        pool: &Arc<MemoryPool>,
        size: u64,
        handle: MemoryHandle,
        descriptor: OwnedFd,
    ) -> Result<RawBuffer> {
        let (mut buffer, dedicated) = unbound(pool, size, handle, Direction::Import)?;
        // SAFETY: the caller's promise.
        let bits = unsafe { pool.types_of(handle, &descriptor) }?;
        let mut import = vk::ImportMemoryFdInfoKHR::default().handle_type(handle.vulkan()).fd(descriptor.as_raw_fd());
        let allocate = vk::MemoryAllocateInfo::default().push_next(&mut import);
        // SAFETY: the caller's promise.
        let bound = unsafe { bind(pool, &mut buffer, allocate, bits, dedicated) };
        if matches!(buffer.backing, Backing::Shareable { .. }) {
            // It was imported: the driver owns the descriptor.
            let _ = descriptor.into_raw_fd();
        }
        bound?;
        Ok(buffer)
    }

    /// A file descriptor of the memory.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a buffer that is not from [`RawBuffer::shareable`], [`Error::Vulkan`].
    pub fn export(&self, pool: &MemoryPool) -> Result<OwnedFd> {
        let Backing::Shareable { memory, handle: Some(handle) } = &self.backing else {
            return Err(Error::Unsupported("a file descriptor of a buffer that was not created for it is".into()));
        };
        let info = vk::MemoryGetFdInfoKHR::default().memory(*memory).handle_type(handle.vulkan());
        // SAFETY: the memory was allocated to be exported as such a handle.
        let descriptor = unsafe { descriptors(pool, *handle)?.functions.get_memory_fd(&info) };
        let descriptor = descriptor.map_err(pool.device.error("vkGetMemoryFdKHR"))?;
        // SAFETY: the descriptor is new, and the caller's.
        Ok(unsafe { OwnedFd::from_raw_fd(descriptor) })
    }
}

impl MemoryPool {
    /// Checks that the device imports such handles of images that are created so.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    pub fn check_image_import(&self, info: &vk::ImageCreateInfo<'_>, handle: MemoryHandle) -> Result<()> {
        let physical = descriptors(self, handle)?.physical;
        let mut external = vk::PhysicalDeviceExternalImageFormatInfo::default().handle_type(handle.vulkan());
        let asked = vk::PhysicalDeviceImageFormatInfo2::default()
            .format(info.format)
            .ty(info.image_type)
            .tiling(info.tiling)
            .usage(info.usage)
            .push_next(&mut external);
        let mut found = vk::ExternalImageFormatProperties::default();
        let mut properties = vk::ImageFormatProperties2::default().push_next(&mut found);
        let instance = &self.device.instance.raw;
        // SAFETY: the physical device belongs to the instance; the function is part of Vulkan 1.1.
        let known = unsafe { instance.get_physical_device_image_format_properties2(physical, &asked, &mut properties) };
        let features = found.external_memory_properties.external_memory_features;
        match known.is_ok() && features.contains(vk::ExternalMemoryFeatureFlags::IMPORTABLE) {
            true => Ok(()),
            false => Err(lacking(handle)),
        }
    }

    /// Imports the memory of an image, and binds it. `memory` is the caller's to free, also after an error.
    ///
    /// # Errors
    /// [`Error::Unsupported`], [`Error::Vulkan`]; the descriptor is closed then.
    ///
    /// # Safety
    /// The image was created for such memory, and is not bound. The descriptor is one of memory of such an image.
    pub unsafe fn import_image_memory(
        &self,
        image: vk::Image,
        handle: MemoryHandle,
        descriptor: OwnedFd,
        memory: &mut vk::DeviceMemory,
    ) -> Result<()> {
        let device = &self.device;
        let mut dedicated = vk::MemoryDedicatedRequirements::default();
        let mut requirements = vk::MemoryRequirements2::default().push_next(&mut dedicated);
        // SAFETY: the image was just created from this device; the function is part of Vulkan 1.1.
        unsafe {
            device.get_image_memory_requirements2(
                &vk::ImageMemoryRequirementsInfo2::default().image(image),
                &mut requirements,
            )
        };
        let needs = requirements.memory_requirements;
        let is_alone = dedicated.requires_dedicated_allocation | dedicated.prefers_dedicated_allocation != vk::FALSE;
        // SAFETY: the caller's promise.
        let bits = unsafe { self.types_of(handle, &descriptor) }?;
        let index = descriptors(self, handle)?.choose(needs.memory_type_bits & bits);
        let index = index.ok_or_else(|| Error::Unsupported("the memory of this file descriptor is".into()))?;
        let mut import = vk::ImportMemoryFdInfoKHR::default().handle_type(handle.vulkan()).fd(descriptor.as_raw_fd());
        let mut alone = vk::MemoryDedicatedAllocateInfo::default().image(image);
        let mut allocate = vk::MemoryAllocateInfo::default()
            .allocation_size(needs.size)
            .memory_type_index(index)
            .push_next(&mut import);
        if is_alone {
            allocate = allocate.push_next(&mut alone);
        }
        // SAFETY: the caller's promise; the type is one that the device offers for the image and the descriptor.
        *memory = unsafe { device.allocate_memory(&allocate, None) }.map_err(device.error("vkAllocateMemory"))?;
        // It was imported: the driver owns the descriptor.
        let _ = descriptor.into_raw_fd();
        // SAFETY: the memory satisfies the image's requirements; the image is not bound yet.
        unsafe { device.bind_image_memory(image, *memory, 0) }.map_err(device.error("vkBindImageMemory"))
    }

    /// The types of memory that a descriptor can be imported as.
    ///
    /// # Safety
    /// The descriptor is of this kind.
    unsafe fn types_of(&self, handle: MemoryHandle, descriptor: &OwnedFd) -> Result<u32> {
        if handle == MemoryHandle::OpaqueFd {
            return Ok(u32::MAX);
        }
        let mut found = vk::MemoryFdPropertiesKHR::default();
        let functions = &descriptors(self, handle)?.functions;
        // SAFETY: the caller's promise.
        unsafe { functions.get_memory_fd_properties(handle.vulkan(), descriptor.as_raw_fd(), &mut found) }
            .map_err(self.device.error("vkGetMemoryFdPropertiesKHR"))?;
        Ok(found.memory_type_bits)
    }
}

/// The functions of the device.
fn descriptors(pool: &MemoryPool, handle: MemoryHandle) -> Result<&Descriptors> {
    let shares = pool.descriptors.as_ref().filter(|shares| shares.dma_buf || handle != MemoryHandle::DmaBuf);
    shares.ok_or_else(|| lacking(handle))
}

fn lacking(handle: MemoryHandle) -> Error {
    Error::Unsupported(format!("memory by file descriptors ({handle:?}) on this device is"))
}

/// A buffer without memory, and whether its memory must be its own.
fn unbound(pool: &Arc<MemoryPool>, size: u64, handle: MemoryHandle, direction: Direction) -> Result<(RawBuffer, bool)> {
    let physical = descriptors(pool, handle)?.physical;
    let usage = buffer_usage(pool.addresses);
    let info = vk::PhysicalDeviceExternalBufferInfo::default().usage(usage).handle_type(handle.vulkan());
    let mut found = vk::ExternalBufferProperties::default();
    // SAFETY: the physical device belongs to the instance; the function is part of Vulkan 1.1.
    unsafe { pool.device.instance.raw.get_physical_device_external_buffer_properties(physical, &info, &mut found) };
    let features = found.external_memory_properties.external_memory_features;
    let needed = match direction {
        Direction::Import => vk::ExternalMemoryFeatureFlags::IMPORTABLE,
        Direction::Export => vk::ExternalMemoryFeatureFlags::EXPORTABLE,
    };
    if !features.contains(needed) {
        return Err(lacking(handle));
    }
    let mut external = vk::ExternalMemoryBufferCreateInfo::default().handle_types(handle.vulkan());
    let buffer = RawBuffer::without_memory(pool, size, Some(&mut external))?;
    Ok((buffer, features.contains(vk::ExternalMemoryFeatureFlags::DEDICATED_ONLY)))
}

/// Allocates the memory of a buffer, of a type among `bits`.
///
/// # Safety
/// `allocate` says how memory of the device is imported or exported, as the buffer was created for.
unsafe fn bind(
    pool: &MemoryPool,
    buffer: &mut RawBuffer,
    allocate: vk::MemoryAllocateInfo<'_>,
    bits: u32,
    dedicated: bool,
) -> Result<vk::DeviceMemory> {
    let device = &pool.device;
    // SAFETY: the buffer was just created from this device.
    let requirements = unsafe { device.get_buffer_memory_requirements(buffer.raw) };
    let bytes = requirements.size;
    let index = pool.descriptors.as_ref().and_then(|shares| shares.choose(requirements.memory_type_bits & bits));
    let index = index.ok_or_else(|| Error::Unsupported("the memory of this file descriptor is".into()))?;
    let mut addresses = vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
    let mut alone = vk::MemoryDedicatedAllocateInfo::default().buffer(buffer.raw);
    let mut allocate = allocate.allocation_size(bytes).memory_type_index(index);
    if pool.addresses {
        allocate = allocate.push_next(&mut addresses);
    }
    if dedicated {
        allocate = allocate.push_next(&mut alone);
    }
    // SAFETY: the caller's promise; the type is one that the device offers for the buffer, with as many bytes as it needs.
    let memory = unsafe { device.allocate_memory(&allocate, None) }.map_err(device.error("vkAllocateMemory"))?;
    // Owned by the buffer from here on.
    buffer.backing = Backing::Shareable { memory, handle: None };
    // SAFETY: the memory satisfies the buffer's requirements; the buffer is not bound yet.
    unsafe { device.bind_buffer_memory(buffer.raw, memory, 0) }.map_err(device.error("vkBindBufferMemory"))?;
    buffer.find_address();
    Ok(memory)
}
