//! What a device executes natively, what modules for it emulate, and what is rejected on it, for `clforge devices`.
//!
//! The rows agree with what the runtime chooses (`Device::tuned`) and checks (`runtime/src/module/capabilities.rs`);
//! `FEATURES.md` has them as a table.

use clforge_runtime::DeviceInfo;
use serde_json::{Value, json};

/// How a device executes something.
#[derive(Debug, PartialEq, Eq)]
pub enum Execution {
    /// By the device's own feature.
    Native,
    /// By what the compiler makes of it.
    Emulated(&'static str),
    /// Modules that use it are rejected, because the device lacks these features.
    Rejected(String),
}

impl Execution {
    /// `"native"`, `{"emulated": "by this"}` or `{"rejected": "lacking this"}`.
    pub fn to_json(&self) -> Value {
        match self {
            Execution::Native => json!("native"),
            Execution::Emulated(by) => json!({ "emulated": by }),
            Execution::Rejected(lacks) => json!({ "rejected": lacks }),
        }
    }
}

/// Something that devices need not have.
pub struct Support {
    pub what: &'static str,
    pub execution: Execution,
}

/// The form of pointers to buffers that the runtime chooses.
pub fn address_format(device: &DeviceInfo) -> &'static str {
    match (device.has_feature("bufferDeviceAddress"), device.emulated_types().int64) {
        (true, false) => "physical64",
        (true, true) => "physical32x2",
        (false, _) => "logical",
    }
}

/// The memory model of modules that synchronise work-items.
pub fn memory_model(device: &DeviceInfo) -> &'static str {
    if device.has_feature("vulkanMemoryModel") { "vulkan" } else { "glsl" }
}

/// Everything that devices need not have, in the order of `FEATURES.md`.
pub fn support(device: &DeviceInfo) -> Vec<Support> {
    let emulated = device.emulated_types();
    let native_unless = |is_emulated: bool, by: &'static str| match is_emulated {
        true => Execution::Emulated(by),
        false => Execution::Native,
    };
    let lacks = |feature: &str| !device.has_feature(feature);
    let needs = |features: &[&str]| {
        let lacking: Vec<&str> = features.iter().copied().filter(|feature| lacks(feature)).collect();
        if lacking.is_empty() { Execution::Native } else { Execution::Rejected(lacking.join(", ")) }
    };
    let with_format = |feature: &'static str| {
        if device.has_feature("format feature flags 2") { Execution::Native } else { needs(&[feature]) }
    };
    // With logical addressing these are always exchanges.
    let float_add = ["bufferDeviceAddress", "shaderBufferFloat32AtomicAdd", "shaderSharedFloat32AtomicAdd"];
    let rows = [
        ("buffer addresses", native_unless(lacks("bufferDeviceAddress"), "descriptors and offsets")),
        ("int64", native_unless(emulated.int64, "pairs of words")),
        ("float64", native_unless(emulated.float64, "integers of 64 bits")),
        ("int16", native_unless(emulated.int16, "words")),
        ("int8", native_unless(emulated.int8, "words")),
        ("float16", native_unless(emulated.float16, "floats")),
        ("16-bit storage", native_unless(emulated.int16, "parts of words")),
        ("8-bit storage", native_unless(emulated.int8, "parts of words")),
        ("Vulkan memory model", native_unless(lacks("vulkanMemoryModel"), "that of GLSL")),
        ("atomic addition of floats", native_unless(float_add.into_iter().any(lacks), "exchanges")),
        ("64-bit atomics", needs(&["shaderInt64", "shaderBufferInt64Atomics", "shaderSharedInt64Atomics"])),
        ("sub-groups", native_unless(emulated.sub_groups, "sub-groups of one work-item")),
        ("sub-group arithmetic", native_unless(emulated.sub_groups || emulated.sub_group_arithmetic, "shuffles")),
        ("sub-groups of other types", native_unless(emulated.sub_groups || emulated.sub_group_types, "words")),
        ("cooperative matrices", native_unless(emulated.matrices, "shuffles")),
        ("sampled images", Execution::Native),
        ("image writes", with_format("shaderStorageImageWriteWithoutFormat")),
        ("reads of read_write images", with_format("shaderStorageImageReadWithoutFormat")),
        ("clocks", needs(&["shaderSubgroupClock", "shaderDeviceClock"])),
    ];
    rows.into_iter().map(|(what, execution)| Support { what, execution }).collect()
}

/// Lines for people: the form of addresses, then what is native, emulated and rejected.
pub fn describe(device: &DeviceInfo) -> String {
    let [mut native, mut emulated, mut rejected] = [const { Vec::new() }; 3];
    for Support { what, execution } in support(device) {
        match execution {
            Execution::Native => native.push(what.to_string()),
            Execution::Emulated(by) => emulated.push(format!("{what} (by {by})")),
            Execution::Rejected(lacks) => rejected.push(format!("{what} (lacks {lacks})")),
        }
    }
    let mut text = format!("     addresses: {}, memory model: {}\n", address_format(device), memory_model(device));
    for (head, items) in [("native", native), ("emulated", emulated), ("rejected", rejected)] {
        text += &wrap(head, &items);
    }
    text
}

/// `head: item, item`, in lines of a readable length; nothing without items.
fn wrap(head: &str, items: &[String]) -> String {
    let mut text = String::new();
    let mut line = format!("     {head}:");
    for (index, item) in items.iter().enumerate() {
        let end = if index + 1 == items.len() { "" } else { "," };
        if line.len() + 1 + item.len() + end.len() > 120 {
            text += &line;
            text.push('\n');
            line = " ".repeat(6 + head.len());
        }
        line += &format!(" {item}{end}");
    }
    if items.is_empty() { text } else { text + &line + "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clforge_compiler::options::EmulatedTypes;

    fn device(features: &[&'static str]) -> DeviceInfo {
        let mut device = DeviceInfo::default();
        device.features = features.to_vec();
        device
    }

    #[test]
    fn address_formats_follow_the_features() {
        assert_eq!(address_format(&device(&["bufferDeviceAddress", "shaderInt64"])), "physical64");
        assert_eq!(address_format(&device(&["bufferDeviceAddress"])), "physical32x2");
        assert_eq!(address_format(&device(&["shaderInt64"])), "logical");
        assert_eq!(memory_model(&device(&["vulkanMemoryModel"])), "vulkan");
        assert_eq!(memory_model(&device(&[])), "glsl");
    }

    #[test]
    fn what_a_device_lacks_is_emulated_or_rejected() {
        let of = |features: &[&'static str], what: &str| {
            let row = support(&device(features)).into_iter().find(|row| row.what == what);
            row.expect("a row of that name").execution
        };
        assert_eq!(of(&["shaderInt64"], "int64"), Execution::Native);
        assert_eq!(of(&[], "int64"), Execution::Emulated("pairs of words"));
        // Either feature alone does not suffice.
        assert_eq!(of(&["shaderInt8"], "int8"), Execution::Emulated("words"));
        assert_eq!(of(&["shaderInt8", "storageBuffer8BitAccess"], "8-bit storage"), Execution::Native);
        assert_eq!(of(&["shaderFloat16"], "float16"), Execution::Emulated("floats"));
        let atomics = ["shaderInt64", "shaderBufferInt64Atomics"];
        assert_eq!(of(&atomics, "64-bit atomics"), Execution::Rejected("shaderSharedInt64Atomics".into()));
        assert_eq!(of(&["format feature flags 2"], "image writes"), Execution::Native);
        let alone = Execution::Emulated("sub-groups of one work-item");
        assert_eq!(of(&["subgroup basic operations"], "sub-groups"), alone);
        let of_sub_groups = EmulatedTypes::OF_SUB_GROUPS;
        assert_eq!(of(&of_sub_groups, "sub-groups"), Execution::Native);
        assert_eq!(of(&of_sub_groups, "sub-group arithmetic"), Execution::Emulated("shuffles"));
    }

    #[test]
    fn lines_are_short() {
        for features in [&["bufferDeviceAddress", "format feature flags 2"][..], &[]] {
            let text = describe(&device(features));
            assert!(text.lines().all(|line| line.len() <= 120), "{text}");
            assert!(text.ends_with('\n') && !text.contains("\n\n") && !text.contains(",\n     r"), "{text}");
        }
    }
}
