//! What a device can do with the types of shared virtual memory (`cl_khr_unified_svm`).

use super::{Device, Sharing};
use crate::shared::SvmType;
use opencl_sys::*;

/// What kernels can do with memory of all types.
const BY_DEVICE: cl_svm_capabilities_khr =
    CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR | CL_SVM_CAPABILITY_DEVICE_READ_KHR | CL_SVM_CAPABILITY_DEVICE_WRITE_KHR;

const HOST_ACCESS: cl_svm_capabilities_khr = CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR;

/// Of memory that no device has for itself, in contexts of one device.
const OF_CONTEXT: cl_svm_capabilities_khr =
    CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR;

impl Device {
    /// What it can do with memory of a type; nothing if it has none.
    pub fn svm_capabilities(&self, known: SvmType) -> cl_svm_capabilities_khr {
        let (sharing, atomics) = (self.sharing(), CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR);
        let least = match known {
            SvmType::Device | SvmType::CoarseGrain => Sharing::Copies,
            SvmType::Host | SvmType::Shared | SvmType::FineGrain => Sharing::Placed,
            SvmType::System => Sharing::AllMemory,
        };
        if sharing < least {
            return 0;
        }
        // Across the bus there are no atomic operations that the host sees.
        let concurrent = CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR
            | match sharing >= Sharing::InPlace {
                true => CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR,
                false => 0,
            };
        let atomics_in_place = if sharing >= Sharing::InPlace { atomics } else { 0 };
        let indirect = CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR;
        BY_DEVICE
            | match known {
                SvmType::Device => CL_SVM_CAPABILITY_DEVICE_OWNED_KHR | atomics | indirect,
                SvmType::Host => {
                    OF_CONTEXT
                        | CL_SVM_CAPABILITY_HOST_OWNED_KHR
                        | HOST_ACCESS
                        | atomics_in_place
                        | concurrent
                        | indirect
                }
                SvmType::Shared => HOST_ACCESS | atomics_in_place | concurrent | indirect,
                SvmType::CoarseGrain => OF_CONTEXT | CL_SVM_CAPABILITY_HOST_MAP_KHR | atomics,
                SvmType::FineGrain => OF_CONTEXT | HOST_ACCESS | CL_SVM_CAPABILITY_HOST_MAP_KHR | atomics | concurrent,
                SvmType::System => {
                    let system = CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR | CL_SVM_CAPABILITY_HOST_MAP_KHR;
                    system | OF_CONTEXT | HOST_ACCESS | atomics | concurrent | indirect
                }
            }
    }
}
