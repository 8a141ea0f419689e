//! The products of cooperative matrices that a device has instructions for (VK_KHR_cooperative_matrix).

use ash::vk;
use clforge_compiler::options::{MatrixComponent, MatrixVariant, SignedComponent};

/// Those of the scope of a sub-group. None if the device does not tell.
pub(super) fn query(functions: &ash::khr::cooperative_matrix::Instance, raw: vk::PhysicalDevice) -> Vec<MatrixVariant> {
    let query = functions.fp().get_physical_device_cooperative_matrix_properties_khr;
    let mut count = 0;
    // SAFETY: the device has the extension, so the function is loaded; without an array it writes their number.
    let counted = unsafe { query(raw, &raw mut count, std::ptr::null_mut()) };
    if counted != vk::Result::SUCCESS {
        return Vec::new();
    }
    let mut properties = vec![vk::CooperativeMatrixPropertiesKHR::default(); count as usize];
    // SAFETY: the array has `count` structures of the right type.
    let filled = unsafe { query(raw, &raw mut count, properties.as_mut_ptr()) };
    if filled != vk::Result::SUCCESS {
        return Vec::new();
    }
    properties.truncate(count as usize);
    let of_sub_groups =
        |properties: &&vk::CooperativeMatrixPropertiesKHR<'_>| properties.scope == vk::ScopeKHR::SUBGROUP;
    properties.iter().filter(of_sub_groups).filter_map(variant).collect()
}

/// A product; `None` if OpenCL C has no type of its components.
fn variant(properties: &vk::CooperativeMatrixPropertiesKHR<'_>) -> Option<MatrixVariant> {
    Some(MatrixVariant {
        m: properties.m_size,
        n: properties.n_size,
        k: properties.k_size,
        a: component(properties.a_type)?,
        b: component(properties.b_type)?,
        c: component(properties.c_type)?,
        result: component(properties.result_type)?,
        saturating: properties.saturating_accumulation == vk::TRUE,
    })
}

fn component(ty: vk::ComponentTypeKHR) -> Option<SignedComponent> {
    use MatrixComponent as M;
    use vk::ComponentTypeKHR as C;
    let (component, signed) = match ty {
        C::FLOAT16 => (M::F16, true),
        C::FLOAT32 => (M::F32, true),
        C::FLOAT64 => (M::F64, true),
        C::SINT8 => (M::I8, true),
        C::SINT16 => (M::I16, true),
        C::SINT32 => (M::I32, true),
        C::SINT64 => (M::I64, true),
        C::UINT8 => (M::I8, false),
        C::UINT16 => (M::I16, false),
        C::UINT32 => (M::I32, false),
        C::UINT64 => (M::I64, false),
        _ => return None,
    };
    Some(SignedComponent { component, signed })
}

/// Whether the right factor has 8 columns of bytes: see [`Quirk::NarrowByteMatrices`](super::Quirk::NarrowByteMatrices).
pub(super) fn is_narrow_of_bytes(variant: &MatrixVariant) -> bool {
    variant.b.component == MatrixComponent::I8 && variant.n == 8
}
