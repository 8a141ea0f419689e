//! `vkMapMemory` with a check of what it maps.
//!
//! lavapipe 25.0.7 keeps device memory in files. If the process runs out of addresses, it does not check that `mmap`
//! failed, and returns the address `MAP_FAILED`, -1, with success. The first write to the buffer then crashes.

use ash::vk;
use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};

/// The driver's function of each device.
static DRIVERS: Mutex<Vec<(vk::Device, vk::PFN_vkMapMemory)>> = Mutex::new(Vec::new());

/// The same device, of which mapping fails where the memory would be at no address.
pub(crate) fn with_checked_mapping(device: &ash::Device) -> ash::Device {
    let mut functions = device.fp_v1_0().clone();
    {
        let mut drivers = DRIVERS.lock().unwrap_or_else(PoisonError::into_inner);
        // A device that was destroyed may have had the same handle.
        drivers.retain(|(known, _)| *known != device.handle());
        drivers.push((device.handle(), functions.map_memory));
    }
    functions.map_memory = map_memory;
    let (v1_1, v1_2, v1_3) = (device.fp_v1_1().clone(), device.fp_v1_2().clone(), device.fp_v1_3().clone());
    ash::Device::from_parts_1_3(device.handle(), functions, v1_1, v1_2, v1_3)
}

/// # Safety
/// As for the function of the driver.
unsafe extern "system" fn map_memory(
    device: vk::Device,
    memory: vk::DeviceMemory,
    offset: vk::DeviceSize,
    size: vk::DeviceSize,
    flags: vk::MemoryMapFlags,
    place: *mut *mut c_void,
) -> vk::Result {
    let driver = {
        let drivers = DRIVERS.lock().unwrap_or_else(PoisonError::into_inner);
        drivers.iter().find(|(known, _)| *known == device).map(|(_, function)| *function)
    };
    let Some(driver) = driver else { return vk::Result::ERROR_MEMORY_MAP_FAILED };
    // SAFETY: the caller's promise; the function is this device's. It has written the place if it was successful.
    unsafe {
        match driver(device, memory, offset, size, flags, place) {
            vk::Result::SUCCESS if (*place).addr() == usize::MAX => vk::Result::ERROR_MEMORY_MAP_FAILED,
            result => result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ash::vk::Handle;

    /// A driver that maps memory at the address that its handle is.
    unsafe extern "system" fn at_handle(
        _: vk::Device,
        memory: vk::DeviceMemory,
        _: vk::DeviceSize,
        _: vk::DeviceSize,
        _: vk::MemoryMapFlags,
        place: *mut *mut c_void,
    ) -> vk::Result {
        // SAFETY: the test gives a place.
        unsafe { *place = std::ptr::without_provenance_mut(memory.as_raw() as usize) };
        vk::Result::SUCCESS
    }

    #[test]
    fn memory_at_no_address_is_not_mapped() {
        let load = |name: &std::ffi::CStr| match name.to_bytes() {
            b"vkMapMemory" => at_handle as *const c_void,
            _ => std::ptr::null(),
        };
        let handle = vk::Device::from_raw(0x1234);
        // SAFETY: the function has the type of its name, and no other one is called.
        let device = with_checked_mapping(&unsafe { ash::Device::load_with(load, handle) });
        let map = |address| {
            let memory = vk::DeviceMemory::from_raw(address);
            // SAFETY: the driver above reads no memory.
            unsafe { device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty()) }
        };
        assert_eq!(map(u64::MAX), Err(vk::Result::ERROR_MEMORY_MAP_FAILED));
        assert_eq!(map(0x1000).map(|pointer| pointer.addr()), Ok(0x1000));
    }
}
