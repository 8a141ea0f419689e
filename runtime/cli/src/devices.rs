//! `clforge devices`.

use crate::cli::DevicesArguments;
use crate::crash;
use crate::failure::Failure;
use crate::output;
use crate::support::{self, Support};
use clforge_runtime::{DeviceInfo, DeviceKind, DeviceSelector, Instance, InstanceOptions, OpenClFeature, Quirk};

/// Lists the devices.
pub fn devices(arguments: &DevicesArguments) -> Result<(), Failure> {
    crash::driver_in_use();
    let devices = Instance::new(InstanceOptions::from_env())?.devices()?;
    let best = Instance::select(&devices, &DeviceSelector::Best)?;
    if arguments.json {
        let list: Vec<serde_json::Value> = devices.iter().map(|device| as_json(device, device.index == best)).collect();
        let text = serde_json::to_string_pretty(&list).map_err(|error| Failure::Device(error.to_string()))?;
        return output::stdout(format!("{text}\n").as_bytes());
    }
    let text: String = devices.iter().map(|device| describe(device, device.index == best)).collect();
    output::stdout(text.as_bytes())
}

fn as_json(device: &DeviceInfo, best: bool) -> serde_json::Value {
    let mut value = serde_json::to_value(device).unwrap_or_default();
    if let Some(object) = value.as_object_mut() {
        object.insert("default".into(), best.into());
        object.insert("linear_sub_groups".into(), device.has_quirk(Quirk::LinearSubGroups).into());
        object.insert("address_format".into(), support::address_format(device).into());
        object.insert("memory_model".into(), support::memory_model(device).into());
        let rows = support::support(device).into_iter();
        let execution = |Support { what, execution }| (what.to_string(), execution.to_json());
        object.insert("support".into(), rows.map(execution).collect::<serde_json::Map<_, _>>().into());
        object.insert("opencl_features".into(), serde_json::to_value(device.opencl_features()).unwrap_or_default());
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
    let [least, most] = limits.subgroup_size_range;
    let sub_group = match limits.subgroup_size {
        size if least == most => size.to_string(),
        size => format!("{size} (or {least} to {most})"),
    };
    let mut text = format!(
        "{mark} {}: {}\n     {kind}, Vulkan {}, driver {}, {} MiB\n     \
         work-group up to {} ({x}x{y}x{z}), local memory {} KiB, push constants {} bytes, sub-group {sub_group}\n",
        device.index,
        device.name,
        device.api_version,
        device.driver,
        device.memory >> 20,
        limits.max_work_group_invocations,
        limits.max_shared_memory >> 10,
        limits.max_push_constants,
    );
    text.extend(device.unusable.iter().map(|reason| format!("     cannot be used: {reason}\n")));
    if device.unusable.is_none() {
        text += &support::describe(device);
        text += &features(&device.opencl_features());
    }
    text.extend(device.warnings().map(|warning| format!("     warning: {warning}\n")));
    text
}

/// The features of OpenCL C that are available, in lines of a readable length, then those that are not.
fn features(features: &[OpenClFeature]) -> String {
    let mut text = String::from("     OpenCL C:");
    let mut column = text.len();
    for feature in features.iter().filter(|feature| feature.available) {
        if column + 1 + feature.name.len() > 120 {
            text += "\n              ";
            column = 14;
        }
        text += &format!(" {}", feature.name.replace(' ', "\u{a0}"));
        column += 1 + feature.name.len();
    }
    text = text.replace('\u{a0}', " ") + "\n";
    for feature in features.iter().filter(|feature| !feature.available) {
        match feature.lacks.join(", ") {
            lacks if lacks.is_empty() => {
                text += &format!("     not {}: this version of clforge lacks it\n", feature.name)
            }
            lacks => text += &format!("     not {}: the device lacks {lacks}\n", feature.name),
        }
    }
    text
}
