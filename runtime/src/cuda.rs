//! NVIDIA's library for CUDA, where it is installed: what Vulkan does not tell of NVIDIA's devices. Nothing loads it unless it is
//! asked for.

use libloading::Library;
use std::ffi::{c_int, c_uint, c_void};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::OnceLock;

/// Names of the library.
const LIBRARY: &str = if cfg!(windows) { "nvcuda.dll" } else { "libcuda.so.1" };

/// Folders of libraries that loaders search without being told.
const FOLDERS: [&str; 6] =
    ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib", "/lib64", "/lib"];

/// Numbers of `CUdevice_attribute`.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub(crate) enum Attribute {
    WarpSize = 10,
    MaxRegistersPerBlock = 12,
    GpuOverlap = 15,
    KernelExecTimeout = 17,
    Integrated = 18,
    PciBusId = 33,
    PciDeviceId = 34,
    AsyncEngineCount = 40,
    PciDomainId = 50,
    ComputeCapabilityMajor = 75,
    ComputeCapabilityMinor = 76,
}

/// Whether the library is installed; it is not loaded.
pub(crate) fn is_installed() -> bool {
    static FOUND: OnceLock<bool> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let given = std::env::var_os("LD_LIBRARY_PATH").unwrap_or_default();
        let folders = std::env::split_paths(&given).chain(FOLDERS.map(PathBuf::from)).chain(folder_of_driver());
        let system = std::env::var_os("SystemRoot").map(|root| Path::new(&root).join("System32"));
        folders.chain(system).any(|folder| folder.is_absolute() && folder.join(LIBRARY).exists())
    })
}

/// The folder of NVIDIA's driver for Vulkan, which the process has loaded.
fn folder_of_driver() -> Option<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let mut paths = maps.lines().filter_map(|line| Some(Path::new(&line[line.find('/')?..])));
    let of_driver = |path: &&Path| path.file_name().is_some_and(|name| name.to_string_lossy().contains("nvidia"));
    paths.find(of_driver)?.parent().map(Path::to_path_buf)
}

/// The library, initialised.
#[derive(Clone, Copy)]
pub(crate) struct Cuda(&'static Library);

impl Cuda {
    /// Loads and initialises the library, which then stays. That takes a tenth of a second or more.
    pub(crate) fn load() -> Option<Cuda> {
        static LOADED: OnceLock<Option<Cuda>> = OnceLock::new();
        // SAFETY: it is NVIDIA's library, which the system's loader finds by this name.
        *LOADED.get_or_init(|| unsafe { Cuda::open(Path::new(LIBRARY)) })
    }

    /// The same of a file.
    ///
    /// # Safety
    /// The functions of the library have the types of `cuda.h` (CUDA 11.4 and later).
    unsafe fn open(file: &Path) -> Option<Cuda> {
        // SAFETY: the initialisers of NVIDIA's library have no requirements.
        let library = unsafe { Library::new(file) }.ok()?;
        // Never unloaded: its threads and contexts stay.
        let library: &'static Library = Box::leak(Box::new(library));
        // SAFETY: the caller's promise, here and below.
        let init = unsafe { library.get::<unsafe extern "C" fn(c_uint) -> c_int>(b"cuInit\0") }.ok()?;
        // SAFETY: it has no requirements.
        succeeded(unsafe { init(0) })?;
        Some(Cuda(library))
    }

    /// The device with a UUID.
    pub(crate) fn device(self, uuid: [u8; 16]) -> Option<c_int> {
        // SAFETY: see `open`.
        let count = unsafe { self.0.get::<unsafe extern "C" fn(*mut c_int) -> c_int>(b"cuDeviceGetCount\0") }.ok()?;
        // SAFETY: see `open`.
        let get = unsafe { self.0.get::<unsafe extern "C" fn(*mut c_int, c_int) -> c_int>(b"cuDeviceGet\0") }.ok()?;
        type GetUuid = unsafe extern "C" fn(*mut [u8; 16], c_int) -> c_int;
        // SAFETY: see `open`.
        let get_uuid = unsafe { self.0.get::<GetUuid>(b"cuDeviceGetUuid_v2\0") }.ok()?;
        let mut devices = 0;
        // SAFETY: the pointer is to an `int`.
        succeeded(unsafe { count(&mut devices) })?;
        for index in 0..devices {
            let (mut device, mut found) = (0, [0; 16]);
            // SAFETY: the index is less than the number of devices, and the pointer is to an `int`.
            succeeded(unsafe { get(&mut device, index) })?;
            // SAFETY: the device comes from `cuDeviceGet`, and the pointer is to 16 bytes.
            succeeded(unsafe { get_uuid(&mut found, device) })?;
            if found == uuid {
                return Some(device);
            }
        }
        None
    }

    /// An attribute of a device of [`Cuda::device`].
    pub(crate) fn attribute(self, device: c_int, attribute: Attribute) -> Option<u32> {
        type Get = unsafe extern "C" fn(*mut c_int, c_int, c_int) -> c_int;
        // SAFETY: see `open`.
        let get = unsafe { self.0.get::<Get>(b"cuDeviceGetAttribute\0") }.ok()?;
        let mut value = 0;
        // SAFETY: the pointer is to an `int`, and the device comes from `cuDeviceGet`.
        succeeded(unsafe { get(&mut value, attribute as c_int, device) })?;
        u32::try_from(value).ok()
    }

    /// Makes a context on a device of [`Cuda::device`], with flags of `CUctx_flags`. It is kept until the process ends, and becomes
    /// current in this thread.
    pub(crate) fn make_context(self, device: c_int, flags: c_uint) -> Option<()> {
        type Create = unsafe extern "C" fn(*mut *mut c_void, c_uint, c_int) -> c_int;
        // SAFETY: see `open`.
        let create = unsafe { self.0.get::<Create>(b"cuCtxCreate_v2\0") }.ok()?;
        let mut context = ptr::null_mut();
        // SAFETY: the pointer is to a pointer, and the device comes from `cuDeviceGet`.
        succeeded(unsafe { create(&mut context, flags, device) })
    }
}

/// Whether a function of CUDA returned `CUDA_SUCCESS`.
fn succeeded(result: c_int) -> Option<()> {
    (result == 0).then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    /// A library with the functions as `cuda.h` declares them: two devices, of the UUIDs 0 and 1, 1, ..., whose attributes are
    /// their numbers and a thousand for each device. It has no attribute 33.
    const SOURCE: &str = "#include <string.h>\n\
        static int is_ready;\n\
        int cuInit(unsigned flags) { is_ready = flags == 0; return 0; }\n\
        int cuDeviceGetCount(int *count) { *count = 2; return is_ready ? 0 : 3; }\n\
        int cuDeviceGet(int *device, int number) { *device = 7 + number; return 0; }\n\
        int cuDeviceGetUuid_v2(char *uuid, int device) { memset(uuid, device - 7, 16); return 0; }\n\
        int cuDeviceGetAttribute(int *value, int name, int device) { *value = name + 1000 * (device - 7); return name == 33; }\n";

    #[test]
    fn attributes_of_devices() {
        let folder = tempfile::tempdir().unwrap();
        let (source, library) = (folder.path().join("cuda.c"), folder.path().join("libcuda.so"));
        std::fs::write(&source, SOURCE).unwrap();
        let made = Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(&source).status();
        assert!(made.is_ok_and(|status| status.success()));
        // SAFETY: the functions have those types.
        let cuda = unsafe { Cuda::open(&library) }.unwrap();
        assert_eq!(cuda.device([2; 16]), None);
        let (first, second) = (cuda.device([0; 16]).unwrap(), cuda.device([1; 16]).unwrap());
        assert_eq!(cuda.attribute(first, Attribute::WarpSize), Some(10));
        assert_eq!(cuda.attribute(second, Attribute::ComputeCapabilityMinor), Some(1076));
        assert_eq!(cuda.attribute(second, Attribute::PciBusId), None);
        // It lacks the function.
        assert_eq!(cuda.make_context(first, 0), None);
        // SAFETY: there is no such file.
        assert!(unsafe { Cuda::open(&folder.path().join("none.so")) }.is_none());
    }
}
