//! Shared by the runtime's tests: devices with validation, and modules assembled from text.
#![allow(dead_code, reason = "no test uses all of it")]

use clforge_runtime::{Device, DeviceSelector, Instance, InstanceOptions, Program};
use std::cell::RefCell;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A device whose validation messages are checked when the test ends. Other threads wait for one until then.
pub struct Checked(pub Device, Alone);

impl Checked {
    /// Another handle of a device, for the thread that opened it.
    pub fn again(&self) -> Checked {
        Checked(self.0.clone(), Alone::new())
    }
}

impl Drop for Checked {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.0.validation_messages(), Vec::<String>::new(), "the validation layer complains");
        }
    }
}

/// The right of a thread to have devices with validation. The layer (1.3.239) finds what it knows of a device in a table
/// that it does not lock: a device that another thread makes or destroys meanwhile is a crash in the layer, about once in
/// 200 runs of `queue`.
pub struct Alone;

static DEVICES: Mutex<()> = Mutex::new(());

thread_local! {
    static HELD: RefCell<(usize, Option<MutexGuard<'static, ()>>)> = const { RefCell::new((0, None)) };
}

impl Alone {
    fn new() -> Alone {
        HELD.with_borrow_mut(|(count, guard)| {
            guard.get_or_insert_with(|| DEVICES.lock().unwrap_or_else(PoisonError::into_inner));
            *count += 1;
        });
        Alone
    }
}

impl Drop for Alone {
    fn drop(&mut self) {
        HELD.with_borrow_mut(|(count, guard)| {
            *count -= 1;
            if *count == 0 {
                *guard = None;
            }
        });
    }
}

/// The best device, with validation, unless the environment variable `CLFORGE_VALIDATION` is 0: the layer complains of drivers
/// that are newer than it. `always_stage`: as on a discrete GPU.
pub fn device(always_stage: bool) -> Checked {
    let alone = Alone::new();
    let mut options = InstanceOptions::default();
    options.validation = std::env::var_os("CLFORGE_VALIDATION").is_none_or(|value| value != "0");
    options.always_stage = always_stage;
    let instance = Instance::new(options).expect("these tests need a Vulkan loader and the validation layer");
    let device = instance.open(&DeviceSelector::Best).expect("these tests need a Vulkan device (lavapipe will do)");
    Checked(device, alone)
}

/// Assembles `tests/modules/NAME.spvasm`.
pub fn module(name: &str) -> Vec<u32> {
    assemble(&assembly(name), "vulkan1.2")
}

/// The text of `tests/modules/NAME.spvasm`.
pub fn assembly(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/modules").join(format!("{name}.spvasm"));
    std::fs::read_to_string(path).expect("a module of the tests")
}

/// Assembles a text for an environment of `spirv-as`.
pub fn assemble(text: &str, environment: &str) -> Vec<u32> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (input, output) = (folder.path().join("in.spvasm"), folder.path().join("out.spv"));
    std::fs::write(&input, text).expect("the text is written");
    let run = Command::new("spirv-as").args(["--target-env", environment, "-o"]).arg(&output).arg(&input).output();
    let run = run.expect("these tests need spirv-as (Debian: spirv-tools)");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let bytes = std::fs::read(output).expect("the assembled module");
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// A program from [`module`].
pub fn program(device: &Device, name: &str) -> Program {
    Program::from_spirv(device, &module(name)).expect("the module is good")
}

/// Values as bytes.
pub fn bytes<T: bytemuck::NoUninit>(values: &[T]) -> Vec<u8> {
    bytemuck::cast_slice(values).to_vec()
}

/// Bytes as values.
pub fn values<T: bytemuck::AnyBitPattern>(bytes: &[u8]) -> Vec<T> {
    bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect()
}
