//! Shared by the runtime's tests: devices with validation, and modules assembled from text.
#![allow(dead_code, reason = "no test uses all of it")]

use clforge_runtime::{Device, DeviceSelector, Instance, InstanceOptions, Program};
use std::path::Path;
use std::process::Command;

/// A device whose validation messages are checked when the test ends.
pub struct Checked(pub Device);

impl Drop for Checked {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(self.0.validation_messages(), Vec::<String>::new(), "the validation layer complains");
        }
    }
}

/// The best device, with validation. `always_stage`: as on a discrete GPU.
pub fn device(always_stage: bool) -> Checked {
    let options = InstanceOptions { validation: true, always_stage };
    let instance = Instance::new(options).expect("these tests need a Vulkan loader and the validation layer");
    Checked(instance.open(&DeviceSelector::Best).expect("these tests need a Vulkan device (lavapipe will do)"))
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
