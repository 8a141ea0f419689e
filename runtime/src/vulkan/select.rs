//! Which device to use.

use super::info::{DeviceInfo, DeviceKind};
use crate::error::{DRIVERS, Error, Result};
use std::convert::Infallible;
use std::str::FromStr;

/// Names a device.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum DeviceSelector {
    /// The first discrete GPU, else integrated GPU, else virtual GPU, else CPU.
    #[default]
    Best,
    /// An index as `clforge devices` prints it.
    Index(usize),
    /// A name, or part of one, in any case.
    Name(String),
}

impl FromStr for DeviceSelector {
    type Err = Infallible;

    fn from_str(text: &str) -> std::result::Result<Self, Infallible> {
        Ok(text.parse().map_or_else(|_| DeviceSelector::Name(text.into()), DeviceSelector::Index))
    }
}

/// The index in `devices` of the device that `selector` names.
pub(super) fn select(devices: &[DeviceInfo], selector: &DeviceSelector) -> Result<usize> {
    if devices.is_empty() {
        let reason = format!("the Vulkan loader lists none; is a driver installed ({DRIVERS})?");
        return Err(Error::NoDevice { reason });
    }
    let best = |filter: &dyn Fn(&DeviceInfo) -> bool| {
        let matching = devices.iter().enumerate().filter(|(_, device)| filter(device));
        matching.min_by_key(|(_, device)| rank(device)).map(|(index, _)| index)
    };
    let found = match selector {
        DeviceSelector::Best => best(&|_| true),
        DeviceSelector::Index(index) => (*index < devices.len()).then_some(*index),
        DeviceSelector::Name(name) => {
            let name = name.to_lowercase();
            best(&|device| device.name.to_lowercase() == name)
                .or_else(|| best(&|device| device.name.to_lowercase().contains(&name)))
        }
    };
    found.ok_or_else(|| Error::NoSuchDevice {
        selector: match selector {
            DeviceSelector::Best => "best".into(),
            DeviceSelector::Index(index) => index.to_string(),
            DeviceSelector::Name(name) => name.clone(),
        },
        available: devices.iter().map(|device| format!("{} '{}'", device.index, device.name)).collect(),
    })
}

/// Lower is better: devices that cannot be used are last.
fn rank(device: &DeviceInfo) -> (bool, u32) {
    let kind = match device.kind {
        DeviceKind::DiscreteGpu => 0,
        DeviceKind::IntegratedGpu => 1,
        DeviceKind::VirtualGpu => 2,
        DeviceKind::Cpu => 3,
        DeviceKind::Other => 4,
    };
    (device.unusable.is_some(), kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn device(index: usize, name: &str, kind: DeviceKind) -> DeviceInfo {
        DeviceInfo { index, name: name.into(), kind, ..DeviceInfo::default() }
    }

    #[test]
    fn discrete_before_integrated_before_cpu() {
        let cpu = device(0, "llvmpipe", DeviceKind::Cpu);
        let integrated = device(1, "Intel UHD", DeviceKind::IntegratedGpu);
        let discrete = device(2, "GeForce", DeviceKind::DiscreteGpu);
        let all = [cpu.clone(), integrated.clone(), discrete];
        assert_eq!(select(&all, &DeviceSelector::Best).ok(), Some(2));
        assert_eq!(select(&all[..2], &DeviceSelector::Best).ok(), Some(1));
        assert_eq!(select(&all[..1], &DeviceSelector::Best).ok(), Some(0));
        let broken = DeviceInfo { unusable: Some("old".into()), ..integrated };
        assert_eq!(select(&[broken, cpu], &DeviceSelector::Best).ok(), Some(1));
    }

    #[test]
    fn by_number_and_by_part_of_the_name() {
        let all = [device(0, "llvmpipe (LLVM 15)", DeviceKind::Cpu), device(1, "GeForce", DeviceKind::DiscreteGpu)];
        let select = |text: &str| select(&all, &text.parse().unwrap());
        assert_eq!(select("0").ok(), Some(0));
        assert_eq!(select("LLVM").ok(), Some(0));
        assert_eq!(select("geforce").ok(), Some(1));
        let Err(Error::NoSuchDevice { available, .. }) = select("2") else { panic!("2 exists") };
        assert_eq!(available, ["0 'llvmpipe (LLVM 15)'", "1 'GeForce'"]);
        assert!(matches!(select("radeon"), Err(Error::NoSuchDevice { .. })));
        assert!(matches!(super::select(&[], &DeviceSelector::Best), Err(Error::NoDevice { .. })));
    }
}
