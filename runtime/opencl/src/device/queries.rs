//! `clGetDeviceInfo` (table 5 of section 4.2). Properties that Vulkan does not report have the value that the
//! specification gives for "not known", or else the least value that it allows.
// A name of `cl_ext.h`.
#![allow(non_upper_case_globals)]

use super::extensions::{DOT_PRODUCT_VERSION, UPDATABLE_FIELDS};
use super::matrices::{MATRIX_ALIGNMENT, POINTER_ALIGNMENT, STRIDE_MULTIPLE};
use super::{Device, Sharing, spirv, vendor};
use crate::error::Result;
use crate::handle::Object;
use crate::info::{Info, Value, unknown, version};
use crate::number;
use crate::settings;
use clforge_runtime::{self as runtime, DeviceKind};
use opencl_sys::*;

/// Bytes of a kernel's arguments.
const MAX_ARGUMENTS: usize = 4096;
/// Bytes of a program-scope variable, and of all.
const GLOBAL_VARIABLES: usize = 1 << 16;
/// Least size in bytes of the buffer of `printf`.
const PRINTF_BUFFER: usize = 1 << 20;
/// Kernel arguments in constant memory, which is global memory.
const CONSTANT_ARGUMENTS: u32 = 64;

/// Kernel arguments that are pipes, which are global memory.
const PIPE_ARGUMENTS: u32 = 16;
/// Reservations at a time, which nothing limits; as many as a loop of one work-item makes on every driver.
const PIPE_RESERVATIONS: u32 = 1 << 14;

/// Queues on the device at a time, which nothing limits: they are names.
const DEVICE_QUEUES: u32 = 64;

// Names of `cl_ext_float_atomics`, which opencl-sys lacks.
const CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT: cl_device_info = 0x4231;
const CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT: cl_device_info = 0x4232;
const CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT: cl_device_info = 0x4233;

/// The minor versions of SPIR-V 1 that modules may have.
const SPIRV_VERSIONS: [u32; 7] = [6, 5, 4, 3, 2, 1, 0];
/// The versions of OpenCL C that programs can be compiled for: 2.0 on devices that have all of it, the last on devices of
/// OpenCL 3.1.
const C_VERSIONS: [(&str, u32); 6] = [
    ("OpenCL C", version(1, 0, 0)),
    ("OpenCL C", version(1, 1, 0)),
    ("OpenCL C", version(1, 2, 0)),
    ("OpenCL C", version(2, 0, 0)),
    ("OpenCL C", version(3, 0, 0)),
    ("OpenCL C", version(3, 1, 0)),
];

impl Info for Object<Device> {
    fn info(&self, name: cl_uint) -> Result<Value> {
        let device: &Device = self;
        if [CL_DEVICE_REFERENCE_COUNT, CL_DEVICE_REFERENCE_COUNT_EXT].contains(&name) {
            // Root devices are not counted.
            return Ok(Value::of(if self.is_part() { self.references() } else { 1 }));
        }
        let first = [identity, versions, execution, vector_widths, floating_point, memory];
        let further =
            [images, atomics, pipes, device_queues, Device::partition_info, extensions, spirv::queries, vendor::nvidia];
        first.iter().chain(&further).find_map(|group| group(device, name)).ok_or_else(|| unknown(name))
    }
}

/// Programs keep binaries by it: another build does not take them, and those without sanitizers find nothing.
fn driver_version() -> String {
    let mut version = format!("clforge {}", clforge_compiler::BUILD);
    if settings::is_set("CLFORGE_BOUNDS_CHECK") {
        version.push_str(" with bounds checks");
    }
    if let Some(list) = settings::sanitizers() {
        version.push_str(" with sanitizers ");
        version.push_str(&list);
    }
    version
}

fn identity(device: &Device, name: cl_uint) -> Option<Value> {
    let info = device.description();
    Some(match name {
        CL_DEVICE_TYPE => Value::of(device.device_type()),
        CL_DEVICE_VENDOR_ID => Value::of(settings::number("CLFORGE_DEVICE_VENDOR_ID").unwrap_or(info.vendor_id)),
        CL_DEVICE_NAME => Value::text(&info.name),
        CL_DEVICE_VENDOR => match settings::setting("CLFORGE_DEVICE_VENDOR") {
            Some(name) => Value::text(&name),
            None => Value::text(vendor(info.vendor_id)),
        },
        CL_DRIVER_VERSION => Value::text(&driver_version()),
        CL_DEVICE_PLATFORM => Value::of(device.platform),
        CL_DEVICE_AVAILABLE => Value::flag(info.unusable.is_none()),
        CL_DEVICE_COMPILER_AVAILABLE | CL_DEVICE_LINKER_AVAILABLE => Value::flag(true),
        CL_DEVICE_PROFILE => Value::text("FULL_PROFILE"),
        CL_DEVICE_ENDIAN_LITTLE => Value::flag(cfg!(target_endian = "little")),
        CL_DEVICE_HOST_UNIFIED_MEMORY => Value::flag(info.hardware.shares_memory),
        _ => return None,
    })
}

fn versions(device: &Device, name: cl_uint) -> Option<Value> {
    Some(match name {
        CL_DEVICE_VERSION => {
            let info = device.description();
            let minor = u32::from(device.is_3_1());
            Value::text(&format!("OpenCL 3.{minor} clforge on {}, Vulkan {}", info.driver, info.api_version))
        }
        CL_DEVICE_NUMERIC_VERSION => Value::of(version(3, device.is_3_1().into(), 0)),
        // The latest version that the device has fully; `CL_DEVICE_OPENCL_C_ALL_VERSIONS` lists the others.
        CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR => Value::of(version(1, 2, 0)),
        CL_DEVICE_OPENCL_C_VERSION => Value::text("OpenCL C 1.2 clforge"),
        CL_DEVICE_OPENCL_C_ALL_VERSIONS => {
            let lacks = |number: u32| match number {
                _ if number == version(2, 0, 0) => !device.has_opencl_c_2_0(),
                _ if number == version(3, 1, 0) => !device.is_3_1(),
                _ => false,
            };
            Value::versions(C_VERSIONS.into_iter().filter(|(_, number)| !lacks(*number)))
        }
        CL_DEVICE_OPENCL_C_FEATURES => Value::versions(device.c_features()),
        CL_DEVICE_EXTENSIONS => {
            let names: Vec<_> = device.extensions().into_iter().map(|(name, _)| name).collect();
            Value::text(&names.join(" "))
        }
        CL_DEVICE_EXTENSIONS_WITH_VERSION => Value::versions(device.extensions()),
        CL_DEVICE_IL_VERSION => {
            let versions: Vec<String> = SPIRV_VERSIONS.iter().map(|minor| format!("SPIR-V_1.{minor}")).collect();
            Value::text(&versions.join(" "))
        }
        CL_DEVICE_ILS_WITH_VERSION => Value::versions(SPIRV_VERSIONS.map(|minor| ("SPIR-V", version(1, minor, 0)))),
        CL_DEVICE_BUILT_IN_KERNELS => Value::text(""),
        CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION => Value::default(),
        // None: the specification has no other way to say so than a version in this form.
        CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED => Value::text("v0000-01-01-00"),
        _ => return None,
    })
}

fn execution(device: &Device, name: cl_uint) -> Option<Value> {
    let (info, limits) = (device.description(), &device.description().limits);
    let has_sub_groups = device.has("__opencl_c_subgroups");
    let most_sub_groups = limits.max_work_group_invocations / limits.subgroup_size.max(1);
    Some(match name {
        CL_DEVICE_MAX_COMPUTE_UNITS => Value::of(compute_units(device)),
        CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS => Value::of(3u32),
        CL_DEVICE_MAX_WORK_GROUP_SIZES => Value::list(&limits.max_work_group_size.map(|size| size as usize)),
        CL_DEVICE_MAX_WORK_GROUP_SIZE => Value::of(limits.max_work_group_invocations as usize),
        CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => Value::of(limits.preferred_multiple as usize),
        // Vulkan does not tell.
        CL_DEVICE_MAX_CLOCK_FREQUENCY => Value::of(0u32),
        CL_DEVICE_ADDRESS_BITS => Value::of(64u32),
        CL_DEVICE_MAX_PARAMETER_SIZE => Value::of(MAX_ARGUMENTS),
        CL_DEVICE_EXECUTION_CAPABILITIES => Value::of(CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL),
        CL_DEVICE_QUEUE_ON_HOST_PROPERTIES => {
            Value::of(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)
        }
        CL_DEVICE_PROFILING_TIMER_RESOLUTION => Value::of(timer_resolution(info.limits.timestamp_period)),
        CL_DEVICE_PRINTF_BUFFER_SIZE => Value::of(PRINTF_BUFFER),
        CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR => {
            let always = CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR
                | CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR
                | CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR;
            let enqueues = if device.has("__opencl_c_device_enqueue") {
                CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR
            } else {
                0
            };
            Value::of(always | enqueues)
        }
        CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR => {
            Value::of(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)
        }
        // The host orders commands of different queues.
        CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR => Value::of(0u32),
        CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR => Value::list::<usize>(&[]),
        CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR => Value::of(0 as cl_command_queue_properties),
        CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR => Value::list(&device.external_memory()),
        CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR => {
            Value::list::<cl_external_memory_handle_type_khr>(&[])
        }
        CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR => Value::of(UPDATABLE_FIELDS),
        CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR => Value::list(&device.imported_semaphores()),
        CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR => Value::list(&device.exported_semaphores()),
        CL_DEVICE_SEMAPHORE_TYPES_KHR => Value::of(CL_SEMAPHORE_TYPE_BINARY_KHR),
        CL_DEVICE_PREFERRED_INTEROP_USER_SYNC => Value::flag(true),
        CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT => Value::flag(true),
        CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT => {
            Value::flag(device.has("__opencl_c_work_group_collective_functions"))
        }
        CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT => Value::flag(device.has("__opencl_c_generic_address_space")),
        CL_DEVICE_MAX_NUM_SUB_GROUPS => Value::of(if has_sub_groups { most_sub_groups } else { 0 }),
        CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS => Value::flag(false),
        _ => return None,
    })
}

fn vector_widths(device: &Device, name: cl_uint) -> Option<Value> {
    let if_available = |feature: &str| Value::of(u32::from(device.has(feature)));
    Some(match name {
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_INT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT => Value::of(1u32),
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE | CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE => {
            if_available("__opencl_c_fp64")
        }
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF | CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF => if_available("cl_khr_fp16"),
        _ => return None,
    })
}

/// `fma` and correctly rounded divisions are functions of the compiler's library, so every device has them. Whether
/// denormal floats are kept is tried on the device; `-cl-denorms-are-zero` only allows to flush them.
fn floating_point(device: &Device, name: cl_uint) -> Option<Value> {
    let least = CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
    let full = least | CL_FP_ROUND_TO_ZERO | CL_FP_ROUND_TO_INF | CL_FP_FMA | CL_FP_DENORM;
    Some(match name {
        CL_DEVICE_SINGLE_FP_CONFIG => {
            let denormals = if device.keeps_denormals() { CL_FP_DENORM } else { 0 };
            Value::of(least | denormals | CL_FP_FMA | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT)
        }
        CL_DEVICE_DOUBLE_FP_CONFIG => Value::of(if device.has("__opencl_c_fp64") { full } else { 0 }),
        CL_DEVICE_HALF_FP_CONFIG => Value::of(if device.has("cl_khr_fp16") { least } else { 0 }),
        _ => return None,
    })
}

/// The capabilities of memory that host and device share in place.
const FINE_GRAIN: cl_bitfield =
    CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS;

/// What kernels can do with unified shared memory.
const ACCESS: cl_bitfield = CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL;
/// The same while the host uses it, too.
const CONCURRENT_ACCESS: cl_bitfield =
    CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL;

fn memory(device: &Device, name: cl_uint) -> Option<Value> {
    let info = device.description();
    let variables = if device.has("__opencl_c_program_scope_global_variables") { GLOBAL_VARIABLES } else { 0 };
    Some(match name {
        CL_DEVICE_GLOBAL_MEM_SIZE => Value::of(info.memory),
        CL_DEVICE_MAX_MEM_ALLOC_SIZE | CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE => Value::of(device.max_allocation()),
        CL_DEVICE_MAX_CONSTANT_ARGS => Value::of(CONSTANT_ARGUMENTS),
        CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE | CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE => Value::of(variables),
        CL_DEVICE_GLOBAL_MEM_CACHE_TYPE => Value::of(device.cache().map_or(CL_NONE, |_| CL_READ_WRITE_CACHE)),
        CL_DEVICE_GLOBAL_MEM_CACHE_SIZE => Value::of(device.cache().map_or(0, |cache| cache.size)),
        CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE => Value::of(device.cache().map_or(0, |cache| cache.line)),
        CL_DEVICE_LOCAL_MEM_TYPE if info.kind == DeviceKind::Cpu => Value::of(CL_GLOBAL),
        CL_DEVICE_LOCAL_MEM_TYPE => Value::of(CL_LOCAL),
        CL_DEVICE_LOCAL_MEM_SIZE => Value::of(u64::from(info.limits.max_shared_memory)),
        CL_DEVICE_SVM_CAPABILITIES => Value::of(match device.sharing() {
            Sharing::None => 0,
            Sharing::Copies => CL_DEVICE_SVM_COARSE_GRAIN_BUFFER,
            Sharing::Placed => CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER,
            Sharing::InPlace => FINE_GRAIN,
            Sharing::AllMemory => FINE_GRAIN | CL_DEVICE_SVM_FINE_GRAIN_SYSTEM,
        }),
        CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL if device.has_shared_memory() => Value::of(ACCESS),
        CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL | CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL
            if device.sharing() >= Sharing::InPlace =>
        {
            Value::of(ACCESS | CONCURRENT_ACCESS)
        }
        CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL | CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL
            if device.sharing() == Sharing::Placed =>
        {
            Value::of(CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL)
        }
        CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL if device.sharing() == Sharing::AllMemory => {
            Value::of(ACCESS | CONCURRENT_ACCESS)
        }
        CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL
        | CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL
        | CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL
        | CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL
        | CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL => Value::of(0u64),
        CL_DEVICE_ERROR_CORRECTION_SUPPORT => Value::flag(false),
        CL_DEVICE_MEM_BASE_ADDR_ALIGN => Value::of(8 * number::count(device.part_alignment())),
        CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE => Value::of(number::count(Device::PART_ALIGNMENT)),
        _ => return None,
    })
}

fn images(device: &Device, name: cl_uint) -> Option<Value> {
    let limits = &device.description().images;
    let count = |number: u32| Value::of(if device.has_images() { number } else { 0 });
    let size = |number: u32| Value::of(if device.has_images() { number as usize } else { 0 });
    Some(match name {
        CL_DEVICE_IMAGE_SUPPORT => Value::flag(device.has_images()),
        CL_DEVICE_MAX_READ_IMAGE_ARGS => count(limits.max_sampled),
        CL_DEVICE_MAX_WRITE_IMAGE_ARGS => count(limits.max_storage),
        CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS if !device.has("__opencl_c_read_write_images") => count(0),
        CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS => count(limits.max_storage),
        CL_DEVICE_IMAGE2D_MAX_WIDTH | CL_DEVICE_IMAGE2D_MAX_HEIGHT => size(limits.max_2d),
        CL_DEVICE_IMAGE3D_MAX_WIDTH | CL_DEVICE_IMAGE3D_MAX_HEIGHT | CL_DEVICE_IMAGE3D_MAX_DEPTH => size(limits.max_3d),
        CL_DEVICE_IMAGE_MAX_BUFFER_SIZE => size(limits.max_texel_buffer),
        CL_DEVICE_IMAGE_MAX_ARRAY_SIZE => size(limits.max_layers),
        CL_DEVICE_MAX_SAMPLERS => count(limits.max_samplers),
        // In texels.
        CL_DEVICE_IMAGE_PITCH_ALIGNMENT | CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT => count(1),
        _ => return None,
    })
}

fn atomics(device: &Device, name: cl_uint) -> Option<Value> {
    let if_available = |feature: &str, bits: cl_bitfield| if device.has(feature) { bits } else { 0 };
    let orders = CL_DEVICE_ATOMIC_ORDER_RELAXED
        | if_available("__opencl_c_atomic_order_acq_rel", CL_DEVICE_ATOMIC_ORDER_ACQ_REL)
        | if_available("__opencl_c_atomic_order_seq_cst", CL_DEVICE_ATOMIC_ORDER_SEQ_CST);
    let scopes = CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP
        | if_available("__opencl_c_atomic_scope_device", CL_DEVICE_ATOMIC_SCOPE_DEVICE)
        | if_available("__opencl_c_atomic_scope_all_devices", CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES);
    Some(match name {
        CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES => Value::of(orders | scopes),
        CL_DEVICE_ATOMIC_FENCE_CAPABILITIES => {
            Value::of(orders | scopes | CL_DEVICE_ATOMIC_ORDER_ACQ_REL | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM)
        }
        CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT
        | CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT
        | CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT => Value::of(0u32),
        _ => return None,
    })
}

fn pipes(device: &Device, name: cl_uint) -> Option<Value> {
    let count = |number: u32| Value::of(if device.has_pipes() { number } else { 0 });
    Some(match name {
        CL_DEVICE_PIPE_SUPPORT => Value::flag(device.has_pipes()),
        CL_DEVICE_MAX_PIPE_ARGS => count(PIPE_ARGUMENTS),
        CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS => count(PIPE_RESERVATIONS),
        CL_DEVICE_PIPE_MAX_PACKET_SIZE => count(Device::MAX_PACKET_SIZE),
        _ => return None,
    })
}

fn device_queues(device: &Device, name: cl_uint) -> Option<Value> {
    let has = device.has_device_enqueue();
    let bits = |bits: cl_bitfield| Value::of(if has { bits } else { 0 });
    let count = |number: u32| Value::of(if has { number } else { 0 });
    Some(match name {
        CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES => {
            bits(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE)
        }
        CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES => bits(CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT),
        CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE => count(Device::PREFERRED_QUEUE_SIZE),
        CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE => count(Device::MAX_QUEUE_SIZE),
        CL_DEVICE_MAX_ON_DEVICE_QUEUES => count(DEVICE_QUEUES),
        CL_DEVICE_MAX_ON_DEVICE_EVENTS => count(runtime::MOST_DEVICE_EVENTS),
        _ => return None,
    })
}

/// Queries of extensions.
fn extensions(device: &Device, name: cl_uint) -> Option<Value> {
    let hardware = &device.description().hardware;
    let (luid, nodes) = hardware.luid.unwrap_or_default();
    Some(match name {
        CL_DEVICE_UUID_KHR => Value::of(hardware.device_uuid),
        CL_DRIVER_UUID_KHR => Value::of(hardware.driver_uuid),
        CL_DEVICE_LUID_VALID_KHR => Value::flag(hardware.luid.is_some()),
        CL_DEVICE_LUID_KHR => Value::of(luid),
        CL_DEVICE_NODE_MASK_KHR => Value::of(nodes),
        CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT => Value::of(device.float_atomics(32)),
        CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT => Value::of(device.float_atomics(64)),
        CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT => Value::of(device.float_atomics(16)),
        CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR => {
            Value::of(device.kernel_clocks().into_iter().fold(0, |all, clock| all | clock))
        }
        CL_DEVICE_SUB_GROUP_SIZES_INTEL if device.has("__opencl_c_subgroups") => {
            Value::list(&device.sub_group_sizes().map(|size| size as usize).collect::<Vec<_>>())
        }
        POINTER_ALIGNMENT | STRIDE_MULTIPLE if device.has_matrices() => Value::of(MATRIX_ALIGNMENT),
        CL_DEVICE_PCI_BUS_INFO_KHR => {
            let pci = hardware.pci?;
            Value::list(&[pci.domain, pci.bus, pci.device, pci.function])
        }
        CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR if device.has_dot_products() => Value::of(
            CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR | CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR,
        ),
        // Six flags of what the hardware accelerates, which is not asked for: none is claimed.
        CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR
        | CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR
            if device.has_dot_products() && DOT_PRODUCT_VERSION >= version(2, 0, 0) =>
        {
            Value::list(&[0u32; 6])
        }
        _ => return None,
    })
}

/// Compute units: multiprocessors where an extension tells, threads of a processor, else 1.
pub(super) fn compute_units(device: &Device) -> u32 {
    if let Some(part) = &device.part {
        return number::count(part.processors.len());
    }
    let info = device.description();
    let threads = || std::thread::available_parallelism().map_or(1, |threads| number::count(threads.get()));
    let unknown = if info.kind == DeviceKind::Cpu { threads() } else { 1 };
    info.hardware.compute_units.unwrap_or(unknown)
}

/// Nanoseconds between ticks of the device's timestamps, at least one.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a conversion saturates, and 1 is the least"
)]
fn timer_resolution(period: f32) -> usize {
    (period.ceil() as usize).max(1)
}

/// The name of a vendor by its PCI or Khronos number.
fn vendor(id: u32) -> &'static str {
    match id {
        0x1002 => "Advanced Micro Devices, Inc.",
        0x1010 => "Imagination Technologies",
        0x106B => "Apple",
        0x10DE => "NVIDIA Corporation",
        0x13B5 => "ARM",
        0x5143 => "Qualcomm",
        0x8086 => "Intel(R) Corporation",
        0x10005 => "Mesa",
        _ => "unknown",
    }
}
