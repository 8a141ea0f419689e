//! Queries of `cl_nv_device_attribute_query`. Vulkan answers some, and CUDA the others, whose library takes a tenth of a second to
//! load: PyOpenCL asks every device for the size of its warps.
// Names of `cl_ext.h`.
#![allow(non_upper_case_globals)]

use super::Device;
use crate::info::Value;
use clforge_runtime::DeviceKind;
use opencl_sys::*;

// Names that headers of NVIDIA's have besides those of Khronos.
const CL_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT_NV: cl_device_info = 0x4007;
const CL_DEVICE_PCI_DOMAIN_ID_NV: cl_device_info = 0x400A;

/// A query of the extension; `None` of other names, and for devices of others.
pub fn nvidia(device: &Device, name: cl_device_info) -> Option<Value> {
    let is_of_extension = (CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV..=CL_DEVICE_PCI_DOMAIN_ID_NV).contains(&name);
    let info = device.description();
    if !is_of_extension || !info.has_nvidia_attributes() {
        return None;
    }
    match (name, info.hardware.pci) {
        (CL_DEVICE_WARP_SIZE_NV, _) => return Some(Value::of(info.limits.subgroup_size)),
        (CL_DEVICE_INTEGRATED_MEMORY_NV, _) => return Some(Value::flag(info.kind == DeviceKind::IntegratedGpu)),
        (CL_DEVICE_PCI_BUS_ID_NV, Some(pci)) => return Some(Value::of(pci.bus)),
        (CL_DEVICE_PCI_SLOT_ID_NV, Some(pci)) => return Some(Value::of(pci.device)),
        (CL_DEVICE_PCI_DOMAIN_ID_NV, Some(pci)) => return Some(Value::of(pci.domain)),
        _ => {}
    }
    let attributes = device.nvidia()?;
    let [major, minor] = attributes.compute_capability;
    let [bus, slot, domain] = attributes.pci;
    Some(match name {
        CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV => Value::of(major),
        CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV => Value::of(minor),
        CL_DEVICE_REGISTERS_PER_BLOCK_NV => Value::of(attributes.registers_per_block),
        CL_DEVICE_GPU_OVERLAP_NV => Value::flag(attributes.overlaps),
        CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV => Value::flag(attributes.has_timeout),
        CL_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT_NV => Value::of(attributes.copy_engines),
        CL_DEVICE_PCI_BUS_ID_NV => Value::of(bus),
        CL_DEVICE_PCI_SLOT_ID_NV => Value::of(slot),
        CL_DEVICE_PCI_DOMAIN_ID_NV => Value::of(domain),
        _ => return None,
    })
}
