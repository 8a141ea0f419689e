//! Requests to the kernel module of NVIDIA's driver on Linux, with the structures that its published source has (`nvos.h`,
//! `ctrl2080perf.h`; the same from 580 to 595). The module checks the size of each, and refuses what it does not know.

use super::hardware::PciAddress;
use std::fs::File;
use std::mem::size_of;
use std::os::fd::AsRawFd;

/// Numbers of `ioctl`: `NV_ESC_RM_CONTROL` and `NV_ESC_RM_ALLOC`.
const CONTROL: u8 = 0x2a;
const ALLOCATE: u8 = 0x2b;
/// Classes of objects.
const NV01_ROOT_CLIENT: u32 = 0x41;
const NV01_DEVICE_0: u32 = 0x80;
const NV20_SUBDEVICE_0: u32 = 0x2080;
/// Commands.
const GPU_GET_ATTACHED_IDS: u32 = 0x201;
const GPU_GET_ID_INFO_V2: u32 = 0x205;
const GPU_GET_PCI_INFO: u32 = 0x21b;
const PERF_BOOST: u32 = 0x2080_200a;
/// Flags of [`PERF_BOOST`]: to the highest state, as a context of CUDA requests it.
const BOOST_TO_MAX: u32 = 2;
const BOOST_CUDA: u32 = 1 << 4;
/// What ends a list of devices.
const NO_GPU: u32 = u32::MAX;

/// `NVOS64_PARAMETERS`.
#[repr(C)]
struct Allocate {
    root: u32,
    parent: u32,
    object: u32,
    class: u32,
    parameters: u64,
    rights: u64,
    size: u32,
    flags: u32,
    status: u32,
}

/// `NVOS54_PARAMETERS`.
#[repr(C)]
struct Control {
    client: u32,
    object: u32,
    command: u32,
    flags: u32,
    parameters: u64,
    size: u32,
    status: u32,
}

/// `NV0000_CTRL_GPU_GET_PCI_INFO_PARAMS`.
#[repr(C)]
#[derive(Default)]
struct PciInfo {
    gpu: u32,
    domain: u32,
    bus: u16,
    slot: u16,
}

/// `NV0000_CTRL_GPU_GET_ID_INFO_V2_PARAMS`.
#[repr(C)]
#[derive(Default)]
struct IdInfo {
    gpu: u32,
    flags: u32,
    device: u32,
    subdevice: u32,
    others: [u32; 4],
}

/// `NV0080_ALLOC_PARAMETERS`.
#[repr(C)]
#[derive(Default)]
struct DeviceParameters {
    device: u32,
    client: u32,
    target_client: u32,
    target_device: u32,
    flags: u32,
    addresses: [u64; 3],
    mode: u32,
}

/// A connection to the kernel module, for one device. What was requested through it ends with it.
pub(super) struct KernelModule {
    file: File,
    client: u32,
    subdevice: u32,
}

impl KernelModule {
    /// A connection for the device at an address; `None` if the module is not that of NVIDIA's driver, is not reachable, or
    /// has other structures.
    pub fn open(address: PciAddress) -> Option<KernelModule> {
        let file = File::options().read(true).write(true).open("/dev/nvidiactl").ok()?;
        let mut module = KernelModule { file, client: 0, subdevice: 0 };
        module.client = module.allocate(0, NV01_ROOT_CLIENT, &mut [0u8; 0])?;
        let gpu = module.find(address)?;
        let mut ids = IdInfo { gpu, ..IdInfo::default() };
        module.control(module.client, GPU_GET_ID_INFO_V2, &mut ids)?;
        let mut parameters = DeviceParameters { device: ids.device, ..DeviceParameters::default() };
        let device = module.allocate(module.client, NV01_DEVICE_0, &mut parameters)?;
        module.subdevice = module.allocate(device, NV20_SUBDEVICE_0, &mut ids.subdevice)?;
        Some(module)
    }

    /// The module's number of the device at an address.
    fn find(&self, address: PciAddress) -> Option<u32> {
        let mut ids = [NO_GPU; 32];
        self.control(self.client, GPU_GET_ATTACHED_IDS, &mut ids)?;
        ids.into_iter().take_while(|id| *id != NO_GPU).find(|id| {
            let mut info = PciInfo { gpu: *id, ..PciInfo::default() };
            self.control(self.client, GPU_GET_PCI_INFO, &mut info).is_some()
                && (info.domain, u32::from(info.bus), u32::from(info.slot))
                    == (address.domain, address.bus, address.device)
        })
    }

    /// Keeps the clock from falling for so many seconds from now on, or, with `u32::MAX`, as long as the connection lives.
    /// `None` if the module refuses.
    pub fn boost(&self, seconds: u32) -> Option<()> {
        self.control(self.subdevice, PERF_BOOST, &mut [BOOST_TO_MAX | BOOST_CUDA, seconds])
    }

    /// Makes an object. Returns its handle.
    fn allocate<T>(&self, parent: u32, class: u32, parameters: &mut T) -> Option<u32> {
        let size = u32::try_from(size_of::<T>()).ok()?;
        let address = if size == 0 { 0 } else { (&raw mut *parameters) as u64 };
        let root = self.client;
        let mut request =
            Allocate { root, parent, object: 0, class, parameters: address, rights: 0, size, flags: 0, status: 0 };
        self.request(ALLOCATE, &mut request)?;
        (request.status == 0).then_some(request.object)
    }

    /// Executes a command of an object.
    fn control<T>(&self, object: u32, command: u32, parameters: &mut T) -> Option<()> {
        let size = u32::try_from(size_of::<T>()).ok()?;
        let (client, parameters) = (self.client, (&raw mut *parameters) as u64);
        let mut request = Control { client, object, command, flags: 0, parameters, size, status: 0 };
        self.request(CONTROL, &mut request)?;
        (request.status == 0).then_some(())
    }

    fn request<T>(&self, number: u8, parameters: &mut T) -> Option<()> {
        // `_IOWR('F', number, T)`.
        let request = 3 << 30 | (size_of::<T>() as libc::c_ulong) << 16 | 0x46 << 8 | libc::c_ulong::from(number);
        // SAFETY: the module reads and writes the structure, whose size is a part of the request, and the one that it points to,
        // whose size it has; both live during the call.
        let result = unsafe { libc::ioctl(self.file.as_raw_fd(), request as _, &raw mut *parameters) };
        (result == 0).then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the module's source has them.
    #[test]
    fn structures_have_the_sizes_of_the_module() {
        assert_eq!(size_of::<Allocate>(), 48);
        assert_eq!(size_of::<Control>(), 32);
        assert_eq!(size_of::<PciInfo>(), 12);
        assert_eq!(size_of::<IdInfo>(), 32);
        assert_eq!(size_of::<DeviceParameters>(), 56);
    }

    #[test]
    fn there_is_no_connection_for_a_device_that_does_not_exist() {
        let address = PciAddress { domain: 0xffff, bus: 0xff, device: 0x1f, function: 7 };
        assert!(KernelModule::open(address).is_none());
    }
}
