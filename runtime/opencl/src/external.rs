//! Memory of other interfaces (`cl_khr_external_memory`).
#![allow(unsafe_code)]

use crate::context::Context;
#[cfg(unix)]
use crate::descriptor;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::handle::{Object, Ref};
use clforge_runtime as runtime;
use opencl_sys::*;
#[cfg(unix)]
use std::os::fd::OwnedFd;

/// Memory that another interface has exported.
pub struct External {
    devices: Vec<Ref<Device>>,
    descriptor: Descriptor,
}

/// A file descriptor of memory.
struct Descriptor {
    kind: cl_external_memory_handle_type_khr,
    /// The client's, which is its own if the import fails.
    given: i32,
    #[cfg(unix)]
    duplicate: OwnedFd,
}

impl External {
    /// The memory of a file descriptor, for some devices of a context, or all where `devices` is `None`.
    ///
    /// # Errors
    /// `CL_INVALID_DEVICE` for a device of another context, or one that does not take such memory; `CL_INVALID_PROPERTY` for what
    /// is not a descriptor.
    ///
    /// # Safety
    /// The descriptor is one of memory, as the kind says, and of this driver and device if it is opaque.
    pub unsafe fn new(
        context: &Context,
        kind: cl_external_memory_handle_type_khr,
        given: i32,
        devices: Option<Vec<Ref<Device>>>,
    ) -> Result<External> {
        let devices = devices.unwrap_or_else(|| context.devices().to_vec());
        let known = devices.iter().all(|device| context.has(device));
        ensure(known, CL_INVALID_DEVICE, "a device that the context does not have")?;
        let take = devices.iter().all(|device| device.external_memory().contains(&kind));
        ensure(take, CL_INVALID_DEVICE, "a device that does not take such memory")?;
        // SAFETY: the caller's promise.
        Ok(External { devices, descriptor: unsafe { Descriptor::new(kind, given) }? })
    }

    /// The error code of a memory object that could not be made: the driver refuses what is not such memory.
    pub fn code_of_failure(external: Option<&External>) -> cl_int {
        if external.is_some() { CL_INVALID_PROPERTY } else { CL_MEM_OBJECT_ALLOCATION_FAILURE }
    }

    /// Whether a device uses it.
    pub fn is_for(&self, device: &Object<Device>) -> bool {
        self.devices.iter().any(|known| known.handle() == device.handle())
    }

    /// The first device that uses it.
    pub fn first_device(&self) -> Option<&Ref<Device>> {
        self.devices.first()
    }

    /// The memory as a buffer of `size` bytes.
    ///
    /// # Errors
    /// Those of the device, which refuses a descriptor of something else.
    pub fn buffer(&self, device: &runtime::Device, size: u64) -> Result<runtime::Buffer> {
        self.descriptor.buffer(device, size)
    }

    /// The memory as an image.
    ///
    /// # Errors
    /// As for [`External::buffer`].
    pub fn image(&self, device: &runtime::Device, description: runtime::ImageDescription) -> Result<runtime::Image> {
        self.descriptor.image(device, description)
    }

    /// Closes the client's descriptor, which is the driver's after a successful import. To be called once.
    pub fn take_over(&self) {
        self.descriptor.close_given();
    }
}

#[cfg(unix)]
impl Descriptor {
    /// # Safety
    /// As for [`External::new`].
    unsafe fn new(kind: cl_external_memory_handle_type_khr, given: i32) -> Result<Descriptor> {
        // SAFETY: the caller's promise: it stays open during the call.
        Ok(Descriptor { kind, given, duplicate: unsafe { descriptor::duplicate(given) }? })
    }

    fn buffer(&self, device: &runtime::Device, size: u64) -> Result<runtime::Buffer> {
        // SAFETY: the promise of `new`. The driver knows how large the memory is.
        Ok(unsafe { runtime::Buffer::from_descriptor(device, size, self.handle(), self.another()?) }?)
    }

    fn image(&self, device: &runtime::Device, description: runtime::ImageDescription) -> Result<runtime::Image> {
        // SAFETY: as above.
        Ok(unsafe { runtime::Image::from_descriptor(device, description, self.handle(), self.another()?) }?)
    }

    fn handle(&self) -> runtime::MemoryHandle {
        match self.kind {
            CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR => runtime::MemoryHandle::DmaBuf,
            _ => runtime::MemoryHandle::OpaqueFd,
        }
    }

    fn another(&self) -> Result<OwnedFd> {
        self.duplicate.try_clone().map_err(|error| Error::new(CL_OUT_OF_HOST_MEMORY, error.to_string()))
    }

    fn close_given(&self) {
        descriptor::close(self.given);
    }
}

/// Other systems have no file descriptors of memory, and no device takes them.
#[cfg(not(unix))]
impl Descriptor {
    unsafe fn new(kind: cl_external_memory_handle_type_khr, given: i32) -> Result<Descriptor> {
        Err(Error::new(CL_INVALID_PROPERTY, format!("a handle of kind {kind:#x}: {given}")))
    }

    fn buffer(&self, _: &runtime::Device, _: u64) -> Result<runtime::Buffer> {
        Err(Error::internal(format!("a handle of kind {:#x}: {}", self.kind, self.given)))
    }

    fn image(&self, _: &runtime::Device, _: runtime::ImageDescription) -> Result<runtime::Image> {
        Err(Error::internal(format!("a handle of kind {:#x}: {}", self.kind, self.given)))
    }

    fn close_given(&self) {}
}
