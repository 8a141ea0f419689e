//! Sub-devices (section 4.3, `cl_ext_device_fission`).
//!
//! Vulkan does not say where a kernel is executed. Mesa's software driver executes kernels in threads that it starts when its device
//! is created, and on Linux a thread may run where the one that has started it may. A sub-device is therefore a device of Vulkan
//! of its own, created by a thread that may run on its share of the processors only.

use super::Device;
use super::affinity::Domain;
use super::queries::compute_units;
use crate::error::{Error, Result, ensure};
use crate::handle::{Object, Ref};
use crate::info::Value;
use crate::number;
use crate::processors;
use clforge_runtime::DeviceKind;
use opencl_sys::*;

/// How a device is partitioned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Into parts of so many compute units.
    Equally(usize),
    /// Into parts of these numbers of compute units.
    ByCounts(Vec<usize>),
    /// One part, of these compute units.
    ByNames(Vec<usize>),
    /// Into parts that share memory of a kind.
    ByDomain(Domain),
}

/// What a sub-device is a part of.
pub(super) struct Part {
    parent: Ref<Device>,
    /// The processors that it consists of.
    pub processors: Vec<usize>,
    scheme: Scheme,
}

/// `cl_intel_device_partition_by_names`.
pub const CL_DEVICE_PARTITION_BY_NAMES_INTEL: cl_device_partition_property = 0x4052;
/// The end of a list of names there.
pub const NAMES_END_INTEL: cl_device_partition_property = -1;
/// The end of a list of names in `cl_ext_device_fission`.
pub const END_OF_NAMES: cl_device_partition_property_ext = !0;

impl Scheme {
    /// As `clCreateSubDevices` takes it.
    fn properties(&self) -> Vec<cl_device_partition_property> {
        let signed = |number: &usize| cl_device_partition_property::try_from(*number).unwrap_or_default();
        match self {
            Scheme::Equally(each) => vec![CL_DEVICE_PARTITION_EQUALLY, signed(each), 0],
            Scheme::ByCounts(counts) => {
                let counts = counts.iter().map(signed);
                [CL_DEVICE_PARTITION_BY_COUNTS].into_iter().chain(counts).chain([0, 0]).collect()
            }
            Scheme::ByNames(names) => {
                let names = names.iter().map(signed);
                [CL_DEVICE_PARTITION_BY_NAMES_INTEL].into_iter().chain(names).chain([NAMES_END_INTEL, 0]).collect()
            }
            Scheme::ByDomain(domain) => {
                let bit = cl_device_partition_property::try_from(domain.bit()).unwrap_or_default();
                vec![CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, bit, 0]
            }
        }
    }

    /// As `clCreateSubDevicesEXT` takes it.
    fn style(&self) -> Vec<cl_device_partition_property_ext> {
        if let Scheme::ByDomain(domain) = self {
            return vec![CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN_EXT, domain.name_of_extension(), 0];
        }
        let (name, numbers, end): (_, &[usize], &[_]) = match self {
            Scheme::Equally(each) => (CL_DEVICE_PARTITION_EQUALLY_EXT, &[*each], &[0]),
            Scheme::ByCounts(counts) => (CL_DEVICE_PARTITION_BY_COUNTS_EXT, counts, &[0, 0]),
            Scheme::ByNames(names) => (CL_DEVICE_PARTITION_BY_NAMES_EXT, names, &[END_OF_NAMES, 0]),
            Scheme::ByDomain(_) => (0, &[], &[]),
        };
        [name].into_iter().chain(numbers.iter().map(|number| *number as u64)).chain(end.iter().copied()).collect()
    }

    /// The compute units of each part of a device with these processors, by their numbers.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE`, `CL_DEVICE_PARTITION_FAILED`, `CL_INVALID_DEVICE_PARTITION_COUNT`, `CL_INVALID_PARTITION_NAME_EXT`.
    fn parts(&self, processors: &[usize]) -> Result<Vec<Vec<usize>>> {
        let units = processors.len();
        match self {
            Scheme::Equally(each) => {
                ensure(*each > 0, CL_INVALID_VALUE, "parts without compute units")?;
                ensure(*each <= units, CL_DEVICE_PARTITION_FAILED, "parts that are larger than the device")?;
                Ok((0..units / each).map(|part| (part * each..(part + 1) * each).collect()).collect())
            }
            Scheme::ByCounts(counts) => {
                ensure(!counts.is_empty(), CL_INVALID_VALUE, "no parts")?;
                let total = counts.iter().try_fold(0usize, |total, count| total.checked_add(*count));
                let fits = total.is_some_and(|total| total <= units) && counts.len() <= units;
                ensure(fits, CL_INVALID_DEVICE_PARTITION_COUNT, "more compute units than the device has")?;
                let mut first = 0;
                let next = |count: &usize| {
                    first += count;
                    (first - count..first).collect()
                };
                Ok(counts.iter().map(next).collect())
            }
            Scheme::ByNames(names) => {
                let known = !names.is_empty() && names.iter().all(|name| *name < units);
                let twice = names.iter().enumerate().any(|(at, name)| names.iter().take(at).any(|other| other == name));
                ensure(
                    known && !twice,
                    CL_INVALID_PARTITION_NAME_EXT,
                    "compute units that the device does not have, or one twice",
                )?;
                Ok(vec![names.clone()])
            }
            Scheme::ByDomain(domain) => {
                let parts = domain.groups(processors);
                ensure(parts.len() > 1, CL_DEVICE_PARTITION_FAILED, "no memory that only some processors share")?;
                Ok(parts)
            }
        }
    }
}

impl Device {
    /// The processors that execute its kernels, as many as it has compute units; none if that is unknown.
    fn processors(&self) -> Vec<usize> {
        if let Some(part) = &self.part {
            return part.processors.clone();
        }
        let info = self.description();
        if info.kind != DeviceKind::Cpu || !info.name.starts_with("llvmpipe") {
            return Vec::new();
        }
        let mut all = processors::own();
        all.truncate(number::size(compute_units(self).into()));
        all
    }

    /// Whether it has parts.
    pub(super) fn can_be_partitioned(&self) -> bool {
        self.processors().len() > 1
    }

    /// The kinds of memory that only some of its processors share.
    fn domains(&self) -> Vec<Domain> {
        Domain::all().filter(|domain| self.has_domain(*domain)).collect()
    }

    /// The first kind of memory that only some of its processors share, by which it is partitioned next.
    pub fn next_domain(&self) -> Option<Domain> {
        self.domains().first().copied()
    }

    /// Whether only some of its processors share memory of a kind.
    pub fn has_domain(&self, domain: Domain) -> bool {
        domain.groups(&self.processors()).len() > 1
    }

    /// Whether it is a part of another device, which is counted.
    pub fn is_part(&self) -> bool {
        self.part.is_some()
    }

    /// Whether it is a part of another device, or of a part of that one.
    pub fn is_part_of(&self, other: &Object<Device>) -> bool {
        let parent = self.part.as_ref().map(|part| &part.parent);
        parent.is_some_and(|parent| parent.handle() == other.handle() || parent.is_part_of(other))
    }

    /// Queries of partitions.
    pub(super) fn partition_info(&self, name: cl_uint) -> Option<Value> {
        let (can, part) = (self.can_be_partitioned(), self.part.as_ref());
        Some(match name {
            CL_DEVICE_PARENT_DEVICE | CL_DEVICE_PARENT_DEVICE_EXT => Value::handle(part.map(|part| &*part.parent)),
            CL_DEVICE_PARTITION_MAX_SUB_DEVICES => Value::of(if can { compute_units(self) } else { 0 }),
            CL_DEVICE_PARTITION_PROPERTIES if can => {
                let mut properties = vec![CL_DEVICE_PARTITION_EQUALLY, CL_DEVICE_PARTITION_BY_COUNTS];
                properties.extend(self.next_domain().map(|_| CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN));
                properties.push(CL_DEVICE_PARTITION_BY_NAMES_INTEL);
                Value::list(&properties)
            }
            CL_DEVICE_PARTITION_PROPERTIES => Value::of(0usize),
            CL_DEVICE_PARTITION_AFFINITY_DOMAIN => {
                let domains: cl_device_affinity_domain = self.domains().into_iter().map(Domain::bit).sum();
                let next = if domains == 0 { 0 } else { CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE };
                Value::of(domains | next)
            }
            CL_DEVICE_PARTITION_TYPE => part.map_or_else(Value::default, |part| Value::list(&part.scheme.properties())),
            CL_DEVICE_PARTITION_TYPES_EXT if can => {
                let mut types = vec![CL_DEVICE_PARTITION_EQUALLY_EXT, CL_DEVICE_PARTITION_BY_COUNTS_EXT];
                types.push(CL_DEVICE_PARTITION_BY_NAMES_EXT);
                types.extend(self.next_domain().map(|_| CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN_EXT));
                Value::list(&types)
            }
            CL_DEVICE_PARTITION_TYPES_EXT => Value::default(),
            CL_DEVICE_AFFINITY_DOMAINS_EXT => {
                let mut domains: Vec<u64> = self.domains().into_iter().map(Domain::name_of_extension).collect();
                domains.extend((!domains.is_empty()).then_some(u64::from(CL_AFFINITY_DOMAIN_NEXT_FISSIONABLE_EXT)));
                Value::list(&domains)
            }
            CL_DEVICE_PARTITION_STYLE_EXT => part.map_or_else(Value::default, |part| Value::list(&part.scheme.style())),
            _ => return None,
        })
    }
}

impl Object<Device> {
    /// The shares of its processors that its parts have.
    ///
    /// # Errors
    /// `CL_INVALID_VALUE` if it has no parts, `CL_DEVICE_PARTITION_FAILED` for a part that has none, and those of the scheme.
    pub fn shares(&self, scheme: &Scheme) -> Result<Vec<Vec<usize>>> {
        let all = self.processors();
        if all.len() < 2 {
            return Err(self.has_no_parts());
        }
        let parts = scheme.parts(&all)?.into_iter();
        Ok(parts.map(|units| units.iter().filter_map(|unit| all.get(*unit).copied()).collect()).collect())
    }

    /// The error of a device that has no parts, or none of a kind.
    pub fn has_no_parts(&self) -> Error {
        let code = if self.is_part() { CL_DEVICE_PARTITION_FAILED } else { CL_INVALID_VALUE };
        Error::new(code, "the device cannot be partitioned")
    }

    /// The part with a share.
    pub fn part(self: &Ref<Device>, processors: Vec<usize>, scheme: &Scheme) -> Ref<Device> {
        let part = Part { parent: self.clone(), processors, scheme: scheme.clone() };
        let device = Device::new(&self.instance, self.info.clone(), self.platform);
        Object::new(Device { part: Some(part), ..device })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_devices() {
        const FIVE: &[usize] = &[2, 3, 5, 7, 11];
        let code = |scheme: Scheme| scheme.parts(FIVE).err().map_or(0, |error| error.code);
        assert_eq!(Scheme::Equally(2).parts(FIVE).unwrap(), [[0, 1], [2, 3]]);
        assert_eq!(Scheme::ByCounts(vec![3, 1]).parts(FIVE).unwrap(), [vec![0, 1, 2], vec![3]]);
        assert_eq!(Scheme::ByNames(vec![4, 1]).parts(FIVE).unwrap(), [[4, 1]]);
        assert_eq!(code(Scheme::Equally(0)), CL_INVALID_VALUE);
        assert_eq!(code(Scheme::Equally(6)), CL_DEVICE_PARTITION_FAILED);
        assert_eq!(code(Scheme::ByCounts(vec![3, 3])), CL_INVALID_DEVICE_PARTITION_COUNT);
        assert_eq!(code(Scheme::ByCounts(vec![usize::MAX, 2])), CL_INVALID_DEVICE_PARTITION_COUNT);
        assert_eq!(code(Scheme::ByNames(vec![5])), CL_INVALID_PARTITION_NAME_EXT);
        assert_eq!(code(Scheme::ByNames(vec![1, 1])), CL_INVALID_PARTITION_NAME_EXT);
    }
}
