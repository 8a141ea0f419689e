//! `clforge devices`.

use crate::cli::DevicesArguments;
use crate::crash;
use crate::failure::Failure;
use crate::output;
use clforge_runtime::{DeviceInfo, DeviceKind, DeviceSelector, Instance, InstanceOptions};

/// Lists the devices.
pub fn devices(arguments: &DevicesArguments) -> Result<(), Failure> {
    crash::device_in_use();
    let devices = Instance::new(InstanceOptions::from_env())?.devices()?;
    let best = Instance::select(&devices, &DeviceSelector::Best)?;
    if arguments.json {
        let list: Vec<serde_json::Value> = devices.iter().map(|device| json(device, device.index == best)).collect();
        let text = serde_json::to_string_pretty(&list).map_err(|error| Failure::Device(error.to_string()))?;
        return output::stdout(format!("{text}\n").as_bytes());
    }
    let text: String = devices.iter().map(|device| describe(device, device.index == best)).collect();
    output::stdout(text.as_bytes())
}

fn json(device: &DeviceInfo, best: bool) -> serde_json::Value {
    let mut value = serde_json::to_value(device).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.insert("default".into(), best.into());
    }
    value
}

fn describe(device: &DeviceInfo, best: bool) -> String {
    let kind = match device.kind {
        DeviceKind::DiscreteGpu => "discrete GPU",
        DeviceKind::IntegratedGpu => "integrated GPU",
        DeviceKind::VirtualGpu => "virtual GPU",
        DeviceKind::Cpu => "CPU",
        DeviceKind::Other => "other device",
    };
    let mark = if best { '*' } else { ' ' };
    let limits = &device.limits;
    let [x, y, z] = limits.max_work_group_size;
    let mut text = format!(
        "{mark} {}: {}\n     {kind}, Vulkan {}, driver {}, {} MiB\n     \
         work-group up to {} ({x}x{y}x{z}), local memory {} KiB, push constants {} bytes, sub-group {}\n",
        device.index,
        device.name,
        device.api_version,
        device.driver,
        device.memory >> 20,
        limits.max_work_group_invocations,
        limits.max_shared_memory >> 10,
        limits.max_push_constants,
        limits.subgroup_size,
    );
    let wanted = [
        ("bufferDeviceAddress", "global pointers"),
        ("vulkanMemoryModel", "memory model"),
        ("shaderFloat64", "double"),
        ("shaderFloat16", "half"),
        ("shaderInt64", "long"),
        ("shaderInt16", "short"),
        ("shaderInt8", "char"),
        ("shaderBufferInt64Atomics", "64-bit atomics"),
        ("shaderBufferFloat32AtomicAdd", "float atomics"),
    ];
    let (has, lacks): (Vec<_>, Vec<_>) = wanted.into_iter().partition(|(feature, _)| device.has_feature(feature));
    for (word, features) in [("has", has), ("lacks", lacks)] {
        if !features.is_empty() {
            let names: Vec<_> = features.into_iter().map(|(_, name)| name).collect();
            text += &format!("     {word} {}\n", names.join(", "));
        }
    }
    text.extend(device.unusable.iter().map(|reason| format!("     cannot be used: {reason}\n")));
    text.extend(device.quirks.iter().map(|quirk| format!("     warning: {}\n", quirk.description())));
    text
}
