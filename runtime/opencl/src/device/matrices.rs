//! Cooperative matrices (`cl_khr_cooperative_matrix`, revision 1.0.0, whose names opencl-sys does not have yet).

use super::Device;
use crate::error::{Result, ensure};
use crate::info::{self, Value, version};
use clforge_compiler::options::{MatrixComponent as M, MatrixVariant, SignedComponent};
use opencl_sys::{CL_INVALID_OPERATION, CL_INVALID_VALUE, cl_uint};

/// The extension's version.
pub const MATRIX_VERSION: u32 = version(1, 0, 0);

/// `CL_DEVICE_COOPERATIVE_MATRIX_DEFAULT_SUB_GROUP_VARIANTS_KHR`.
const DEFAULT_VARIANTS: cl_uint = 0x1078;
/// `CL_DEVICE_COOPERATIVE_MATRIX_SUB_GROUP_VARIANTS_KHR`.
const VARIANTS: cl_uint = 0x1079;
/// `CL_DEVICE_COOPERATIVE_MATRIX_POINTER_ALIGNMENT_KHR`.
pub const POINTER_ALIGNMENT: cl_uint = 0x107A;
/// `CL_DEVICE_COOPERATIVE_MATRIX_STRIDE_MULTIPLE_KHR`.
pub const STRIDE_MULTIPLE: cl_uint = 0x107B;

/// What Vulkan demands of pointers to matrices and of their strides, in bytes, where rows and columns have so many.
pub const MATRIX_ALIGNMENT: cl_uint = 16;

const fn of(component: M, signed: bool) -> SignedComponent {
    SignedComponent { component, signed }
}

/// A product of matrices with 16 rows and columns of the result.
const fn emulated(k: u32, factors: SignedComponent, sum: SignedComponent, saturating: bool) -> MatrixVariant {
    MatrixVariant { m: 16, n: 16, k, a: factors, b: factors, c: sum, result: sum, saturating }
}

/// The products that are listed for devices without instructions for any.
const EMULATED: [MatrixVariant; 8] = [
    emulated(16, of(M::F16, true), of(M::F16, true), false),
    emulated(16, of(M::F16, true), of(M::F32, true), false),
    emulated(16, of(M::F32, true), of(M::F32, true), false),
    emulated(32, of(M::I8, true), of(M::I32, true), false),
    emulated(32, of(M::I8, true), of(M::I32, true), true),
    emulated(32, of(M::I8, false), of(M::I32, false), false),
    emulated(16, of(M::I16, true), of(M::I32, true), false),
    emulated(16, of(M::I32, true), of(M::I32, true), false),
];

/// That of doubles.
const OF_DOUBLES: MatrixVariant = emulated(16, of(M::F64, true), of(M::F64, true), false);

impl Device {
    /// Whether work-items of a sub-group can exchange components, for matrices that are emulated.
    pub fn has_matrices(&self) -> bool {
        self.has("__opencl_c_subgroups") && self.has("cl_khr_subgroup_shuffle")
    }

    /// The products that kernels can use: those that the device has instructions for; where it has none, the emulated ones.
    fn matrix_variants(&self) -> Vec<MatrixVariant> {
        let native = &self.description().matrices;
        if !native.is_empty() {
            return native.clone();
        }
        let has_halves = self.has("cl_khr_fp16");
        let is_of_halves = |variant: &MatrixVariant| variant.a.component == M::F16;
        let mut variants: Vec<MatrixVariant> =
            EMULATED.into_iter().filter(|variant| has_halves || !is_of_halves(variant)).collect();
        variants.extend(self.has("__opencl_c_fp64").then_some(OF_DOUBLES));
        variants
    }

    /// `clGetDeviceCooperativeMatrixInfoKHR`; `sub_group_size` is the input.
    ///
    /// # Errors
    /// `CL_INVALID_OPERATION` without the extension, `CL_INVALID_VALUE` for other names, and without the input of those that need it.
    pub fn matrix_info(&self, name: cl_uint, sub_group_size: Option<cl_uint>) -> Result<Value> {
        ensure(self.has_matrices(), CL_INVALID_OPERATION, "the device has no cooperative matrices")?;
        let variants = match name {
            DEFAULT_VARIANTS => self.matrix_variants(),
            VARIANTS => {
                ensure(sub_group_size.is_some(), CL_INVALID_VALUE, "the query needs the size of a sub-group")?;
                let is_there = sub_group_size.is_some_and(|size| self.sub_group_sizes().any(|known| known == size));
                if is_there { self.matrix_variants() } else { Vec::new() }
            }
            _ => return Err(info::unknown(name)),
        };
        Ok(Value::list(&variants.iter().flat_map(words).collect::<Vec<cl_uint>>()))
    }
}

/// `cl_device_cooperative_matrix_variant_khr`.
fn words(variant: &MatrixVariant) -> [cl_uint; 8] {
    let [a, b, c, result] = [variant.a, variant.b, variant.c, variant.result].map(component);
    [variant.m, variant.n, variant.k, a, b, c, result, variant.saturating.into()]
}

/// `cl_device_cooperative_matrix_component_type_khr`.
fn component(SignedComponent { component, signed }: SignedComponent) -> cl_uint {
    match (component, signed) {
        (M::F16, _) => 0,
        (M::F32, _) => 1,
        (M::F64, _) => 2,
        (M::I8, true) => 3,
        (M::I16, true) => 4,
        (M::I32, true) => 5,
        (M::I64, true) => 6,
        (M::I8, false) => 7,
        (M::I16, false) => 8,
        (M::I32, false) => 9,
        (M::I64, false) => 10,
    }
}
