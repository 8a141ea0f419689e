//! The identity of a device, and properties that only other programming interfaces need.

use super::features::Available;
use ash::vk;

/// A device's place on the PCI bus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PciAddress {
    /// Domain.
    pub domain: u32,
    /// Bus.
    pub bus: u32,
    /// Device on the bus.
    pub device: u32,
    /// Function of the device.
    pub function: u32,
}

/// Identity of a device, and numbers of its hardware.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Hardware {
    /// Identifies the device on every host and in every interface (`VkPhysicalDeviceIDProperties`).
    pub device_uuid: [u8; 16],
    /// Identifies the build of the driver.
    pub driver_uuid: [u8; 16],
    /// Identifies the device on Windows, with the mask of its nodes.
    pub luid: Option<([u8; 8], u32)>,
    /// Where it is on the PCI bus (VK_EXT_pci_bus_info).
    pub pci: Option<PciAddress>,
    /// Multiprocessors or the like, where an extension of the vendor's tells.
    pub compute_units: Option<u32>,
    /// Whether host and device use the same memory.
    pub shares_memory: bool,
}

/// Limits of images, in texels where nothing else is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImageLimits {
    /// Width of an image of one dimension.
    pub max_1d: u32,
    /// Width and height of an image of two dimensions.
    pub max_2d: u32,
    /// Each size of an image of three dimensions.
    pub max_3d: u32,
    /// Layers of an array.
    pub max_layers: u32,
    /// Texels of an image in a buffer.
    pub max_texel_buffer: u32,
    /// Images that a kernel may read.
    pub max_sampled: u32,
    /// Images that a kernel may write.
    pub max_storage: u32,
    /// Samplers of a kernel.
    pub max_samplers: u32,
    /// Alignment in bytes of an image's offset in a buffer.
    pub texel_buffer_alignment: u64,
}

impl ImageLimits {
    /// From Vulkan's limits.
    pub(super) fn new(limits: &vk::PhysicalDeviceLimits) -> ImageLimits {
        ImageLimits {
            max_1d: limits.max_image_dimension1_d,
            max_2d: limits.max_image_dimension2_d,
            max_3d: limits.max_image_dimension3_d,
            max_layers: limits.max_image_array_layers,
            max_texel_buffer: limits.max_texel_buffer_elements,
            max_sampled: limits.max_per_stage_descriptor_sampled_images,
            max_storage: limits.max_per_stage_descriptor_storage_images,
            max_samplers: limits.max_per_stage_descriptor_samplers,
            texel_buffer_alignment: limits.min_texel_buffer_offset_alignment,
        }
    }
}

/// Queries a device with Vulkan 1.2.
pub(super) fn query(instance: &ash::Instance, raw: vk::PhysicalDevice, available: Available<'_>) -> Hardware {
    let mut ids = vk::PhysicalDeviceIDProperties::default();
    let mut pci = vk::PhysicalDevicePCIBusInfoPropertiesEXT::default();
    let mut nvidia = vk::PhysicalDeviceShaderSMBuiltinsPropertiesNV::default();
    let mut amd = vk::PhysicalDeviceShaderCorePropertiesAMD::default();
    let has_pci = available.extension(ash::ext::pci_bus_info::NAME);
    let has_sm_builtins = available.extension(ash::nv::shader_sm_builtins::NAME);
    let has_core_properties = available.extension(ash::amd::shader_core_properties::NAME);
    let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut ids);
    if has_pci {
        properties = properties.push_next(&mut pci);
    }
    if has_sm_builtins {
        properties = properties.push_next(&mut nvidia);
    }
    if has_core_properties {
        properties = properties.push_next(&mut amd);
    }
    // SAFETY: the device has Vulkan 1.1 or later, and the extensions of the other structures.
    unsafe { instance.get_physical_device_properties2(raw, &mut properties) };
    // SAFETY: `raw` comes from this instance.
    let memory = unsafe { instance.get_physical_device_memory_properties(raw) };
    let amd_units = amd.shader_engine_count * amd.shader_arrays_per_engine_count * amd.compute_units_per_shader_array;
    let unit_count = if has_sm_builtins { nvidia.shader_sm_count } else { amd_units };
    let heaps = memory.memory_heaps_as_slice();
    Hardware {
        device_uuid: ids.device_uuid,
        driver_uuid: ids.driver_uuid,
        luid: (ids.device_luid_valid == vk::TRUE).then_some((ids.device_luid, ids.device_node_mask)),
        pci: has_pci.then_some(PciAddress {
            domain: pci.pci_domain,
            bus: pci.pci_bus,
            device: pci.pci_device,
            function: pci.pci_function,
        }),
        compute_units: (unit_count > 0).then_some(unit_count),
        shares_memory: heaps.iter().all(|heap| heap.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL)),
    }
}
