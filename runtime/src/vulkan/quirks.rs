//! What is known of drivers that Vulkan does not tell: the only place that decides by the driver's id and version.
//!
//! `DRIVERS` has a row for each driver that was tested, in its range of versions. A row says which rows of the
//! compiler's tables of workarounds and tuning hold for the driver, and which [`Quirk`]s the runtime allows for. Other
//! drivers of the same vendor are other drivers: Mesa's for NVIDIA's devices has none of what is known of NVIDIA's own.

use ash::vk;
use clforge_compiler::driver_flags::Driver;
use clforge_compiler::tuning::Tuning;
use clforge_compiler::workarounds::Workarounds;
use std::ops::RangeInclusive;

/// A property of a driver that the runtime allows for or makes use of, and that no query of Vulkan tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Quirk {
    /// At most [`Quirk::LOOP_LIMIT`] loop iterations for each group of 8 work-items in a launch.
    LoopLimit,
    /// Sub-groups are consecutive work-items and have arithmetic of all types
    /// ([`clforge_compiler::DeviceFacts::linear_sub_groups`]).
    LinearSubGroups,
    /// Queues without graphics may execute what the memory of a new pipeline held before, until the GPU has turned to
    /// another queue (seen with 580.159.04).
    StaleInstructions,
    /// `vkCmdCopyBuffer` reaches a quarter of the memory's speed (H100, 580.159: 830 GB/s of 2960); a kernel copies
    /// large ranges instead.
    SlowCopies,
    /// The clock falls to a fraction while a process without a context of CUDA leaves the device idle
    /// ([`crate::Device::keep_clock`]; H100 and H200, 580.159).
    FallingClock,
    /// Cooperative matrices of 32 rows and 8 columns of bytes are loaded and stored by rows in their first half only, so that
    /// products with them are not used (seen with 580.159.04).
    NarrowByteMatrices,
}

impl Quirk {
    /// The number of [`Quirk::LoopLimit`].
    pub const LOOP_LIMIT: u32 = 65_535;

    /// What the quirk means for programs, in a sentence; `None` if programs cannot run into it.
    pub fn warning(self) -> Option<&'static str> {
        match self {
            Quirk::LoopLimit => Some(
                "this lavapipe driver (Mesa before 25) silently ends loops after 65,535 iterations, counted over all \
                 loops of 8 neighbouring work-items: results of long loops can be wrong (Mesa 25 does not have this \
                 limit); sources compiled for this device get up to 16 iterations in each, and a launch \
                 whose loops were ended fails",
            ),
            Quirk::LinearSubGroups
            | Quirk::StaleInstructions
            | Quirk::SlowCopies
            | Quirk::FallingClock
            | Quirk::NarrowByteMatrices => None,
        }
    }
}

/// A quirk, and the features of the devices that have it.
type OnDevices = (Quirk, &'static [&'static str]);

/// A driver that was tested.
struct KnownDriver {
    id: vk::DriverId,
    /// Major versions.
    versions: RangeInclusive<u32>,
    /// The driver's name in the compiler's tables.
    name: Driver,
    quirks: &'static [OnDevices],
}

/// What is known of the driver of one device.
#[derive(Debug, PartialEq)]
pub(super) struct Known {
    pub workarounds: Workarounds,
    pub tuning: Tuning,
    pub quirks: Vec<Quirk>,
}

/// What is between Mesa 22.3 and 25.0.7 was not tested, and is treated as the former; a version that cannot be read
/// is 0.
const DRIVERS: [KnownDriver; 3] = [
    KnownDriver {
        id: vk::DriverId::MESA_LLVMPIPE,
        versions: 0..=24,
        name: Driver::Lavapipe22,
        quirks: &[(Quirk::LoopLimit, &[])],
    },
    KnownDriver { id: vk::DriverId::MESA_LLVMPIPE, versions: 25..=u32::MAX, name: Driver::Lavapipe25, quirks: &[] },
    KnownDriver {
        id: vk::DriverId::NVIDIA_PROPRIETARY,
        versions: 0..=u32::MAX,
        name: Driver::Nvidia580,
        quirks: &[
            (Quirk::LinearSubGroups, &["subgroup arithmetic operations", "shaderSubgroupExtendedTypes"]),
            (Quirk::StaleInstructions, &[]),
            (Quirk::SlowCopies, &["bufferDeviceAddress"]),
            (Quirk::FallingClock, &[]),
            (Quirk::NarrowByteMatrices, &["cooperativeMatrix"]),
        ],
    },
];

/// What is known of a driver, for a device with these features. `version` is the text of
/// `VkPhysicalDeviceDriverProperties::driverInfo`.
pub(super) fn known(id: vk::DriverId, version: &str, features: &[&str]) -> Known {
    let driver = find(id, version);
    let quirks = driver.map_or(&[][..], |driver| driver.quirks).iter();
    Known {
        workarounds: driver.map_or(Workarounds::UNKNOWN_DRIVERS, |driver| Workarounds::of_driver(driver.name)),
        tuning: driver.map_or(Tuning::UNKNOWN_DRIVERS, |driver| Tuning::of_driver(driver.name)),
        quirks: quirks
            .filter(|(_, needed)| needed.iter().all(|feature| features.contains(feature)))
            .map(|(quirk, _)| *quirk)
            .collect(),
    }
}

fn find(id: vk::DriverId, version: &str) -> Option<&'static KnownDriver> {
    let major = major_version(version).unwrap_or(0);
    DRIVERS.iter().find(|driver| driver.id == id && driver.versions.contains(&major))
}

/// The major version in `Mesa 22.3.6 (LLVM 15.0.6)` or `580.159.04`.
fn major_version(text: &str) -> Option<u32> {
    text.strip_prefix("Mesa ").unwrap_or(text).split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn major_versions_are_read() {
        assert_eq!(major_version("Mesa 22.3.6 (LLVM 15.0.6)"), Some(22));
        assert_eq!(major_version("Mesa 25.0.7-2~bpo12+1 (LLVM 15.0.6)"), Some(25));
        assert_eq!(major_version("580.159.04"), Some(580));
        assert_eq!(major_version("a build of mine"), None);
    }

    /// Features of a device that has all quirks of its driver.
    const FEATURES: [&str; 3] =
        ["bufferDeviceAddress", "subgroup arithmetic operations", "shaderSubgroupExtendedTypes"];

    /// NVK drives devices of the same vendor.
    #[test]
    fn quirks_belong_to_drivers_and_not_to_vendors() {
        let nvidia = known(vk::DriverId::NVIDIA_PROPRIETARY, "580.159.04", &FEATURES);
        let all = [Quirk::LinearSubGroups, Quirk::StaleInstructions, Quirk::SlowCopies, Quirk::FallingClock];
        assert_eq!(nvidia.quirks, all);
        assert_eq!(nvidia.workarounds, Workarounds::of_driver(Driver::Nvidia580));
        let (workarounds, tuning) = (Workarounds::UNKNOWN_DRIVERS, Tuning::UNKNOWN_DRIVERS);
        let nothing = Known { workarounds, tuning, quirks: Vec::new() };
        assert_eq!(known(vk::DriverId::MESA_NVK, "Mesa 25.0.7", &FEATURES), nothing);
    }

    #[test]
    fn quirks_belong_to_versions_and_features() {
        for (version, has_limit) in [("Mesa 22.3.6 (LLVM 15.0.6)", true), ("?", true), ("Mesa 25.0.7", false)] {
            let lavapipe = known(vk::DriverId::MESA_LLVMPIPE, version, &FEATURES);
            assert_eq!(lavapipe.quirks.contains(&Quirk::LoopLimit), has_limit, "{version}");
        }
        let old = known(vk::DriverId::NVIDIA_PROPRIETARY, "580.159.04", &FEATURES[1..2]);
        assert_eq!(old.quirks, [Quirk::StaleInstructions, Quirk::FallingClock]);
    }

    /// Each version of a driver has one row.
    #[test]
    fn ranges_of_versions_do_not_overlap() {
        for version in [0, 22, 24, 25, 26, 580, u32::MAX] {
            for id in DRIVERS.iter().map(|driver| driver.id) {
                let rows = DRIVERS.iter().filter(|driver| driver.id == id && driver.versions.contains(&version));
                assert_eq!(rows.count(), 1, "{id:?} {version}");
            }
        }
    }
}
