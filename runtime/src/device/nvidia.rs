//! Attributes of NVIDIA's devices that Vulkan does not tell.

use crate::cuda::{self, Attribute, Cuda};
use crate::vulkan::DeviceInfo;

/// NVIDIA's vendor number.
const VENDOR: u32 = 0x10DE;

/// What CUDA tells of a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NvidiaAttributes {
    /// Major and minor number of the compute capability.
    pub compute_capability: [u32; 2],
    /// Registers of 32 bits of a work-group.
    pub registers_per_block: u32,
    /// Work-items of a warp.
    pub warp_size: u32,
    /// Whether it copies while it executes kernels.
    pub overlaps: bool,
    /// Whether kernels have a time limit.
    pub has_timeout: bool,
    /// Whether it uses the host's memory.
    pub is_integrated: bool,
    /// Engines that copy.
    pub copy_engines: u32,
    /// Its bus, device and domain on the PCI bus.
    pub pci: [u32; 3],
}

impl DeviceInfo {
    /// Whether [`DeviceInfo::nvidia_attributes`] can be expected: a device of NVIDIA's, and an installed library for CUDA, which is
    /// not loaded.
    pub fn has_nvidia_attributes(&self) -> bool {
        self.vendor_id == VENDOR && cuda::is_installed()
    }

    /// What CUDA tells of a device of NVIDIA's; `None` of other devices, and without its library. The first call loads and
    /// initialises that, which takes a tenth of a second or more.
    pub fn nvidia_attributes(&self) -> Option<NvidiaAttributes> {
        if !self.has_nvidia_attributes() {
            return None;
        }
        let cuda = Cuda::load()?;
        let device = cuda.device(self.hardware.device_uuid)?;
        let get = |attribute| cuda.attribute(device, attribute);
        Some(NvidiaAttributes {
            compute_capability: [get(Attribute::ComputeCapabilityMajor)?, get(Attribute::ComputeCapabilityMinor)?],
            registers_per_block: get(Attribute::MaxRegistersPerBlock)?,
            warp_size: get(Attribute::WarpSize)?,
            overlaps: get(Attribute::GpuOverlap)? != 0,
            has_timeout: get(Attribute::KernelExecTimeout)? != 0,
            is_integrated: get(Attribute::Integrated)? != 0,
            copy_engines: get(Attribute::AsyncEngineCount)?,
            pci: [get(Attribute::PciBusId)?, get(Attribute::PciDeviceId)?, get(Attribute::PciDomainId)?],
        })
    }
}
