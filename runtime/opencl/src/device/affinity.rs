//! Memory that processors share, by which devices are partitioned (`CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN`), as Linux describes it
//! in files.

use opencl_sys::*;
use std::fs;
use std::path::{Path, PathBuf};

/// A kind of memory that several processors may share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Domain {
    /// A node of memory.
    Numa,
    /// A data cache of a level.
    Cache(u8),
}

/// Where Linux describes processors.
const PROCESSORS: &str = "/sys/devices/system/cpu";

/// A domain's names in OpenCL and in `cl_ext_device_fission`.
type Names = (Domain, cl_device_affinity_domain, cl_uint);

/// All domains, in the order in which a device is partitioned.
const ALL: [Names; 5] = [
    (Domain::Numa, CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_AFFINITY_DOMAIN_NUMA_EXT),
    (Domain::Cache(4), CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE, CL_AFFINITY_DOMAIN_L4_CACHE_EXT),
    (Domain::Cache(3), CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_AFFINITY_DOMAIN_L3_CACHE_EXT),
    (Domain::Cache(2), CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE, CL_AFFINITY_DOMAIN_L2_CACHE_EXT),
    (Domain::Cache(1), CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE, CL_AFFINITY_DOMAIN_L1_CACHE_EXT),
];

impl Domain {
    /// All domains, in the order in which a device is partitioned.
    pub fn all() -> impl Iterator<Item = Domain> {
        ALL.iter().map(|(domain, ..)| *domain)
    }

    /// The domain of a bit.
    pub fn of(bit: cl_device_affinity_domain) -> Option<Domain> {
        ALL.iter().find(|(_, known, _)| *known == bit).map(|(domain, ..)| *domain)
    }

    /// The domain of a name of `cl_ext_device_fission`.
    pub fn of_extension(name: u64) -> Option<Domain> {
        ALL.iter().find(|(.., known)| u64::from(*known) == name).map(|(domain, ..)| *domain)
    }

    /// Its bit.
    pub fn bit(self) -> cl_device_affinity_domain {
        ALL.iter().find(|(domain, ..)| *domain == self).map_or(0, |(_, bit, _)| *bit)
    }

    /// Its name in `cl_ext_device_fission`.
    pub fn name_of_extension(self) -> u64 {
        ALL.iter().find(|(domain, ..)| *domain == self).map_or(0, |(.., name)| (*name).into())
    }

    /// The processors that share one, by their places in a list of processors; nothing where that is unknown for one of them.
    pub fn groups(self, processors: &[usize]) -> Vec<Vec<usize>> {
        let shared = processors.iter().map(|processor| {
            let folder = Path::new(PROCESSORS).join(format!("cpu{processor}"));
            match self {
                Domain::Numa => node(&folder),
                Domain::Cache(level) => sharers(&folder, level),
            }
        });
        shared.collect::<Option<Vec<_>>>().map(|keys| grouped(&keys)).unwrap_or_default()
    }
}

/// The name of a processor's node of memory.
fn node(folder: &Path) -> Option<String> {
    let names = fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let is_node = |name: &String| name.strip_prefix("node").is_some_and(|number| number.parse::<u32>().is_ok());
    { names }.find(is_node)
}

/// The processors that share a processor's data cache of a level, as text.
fn sharers(folder: &Path, level: u8) -> Option<String> {
    let text = |folder: &PathBuf, name: &str| Some(fs::read_to_string(folder.join(name)).ok()?.trim().to_owned());
    let mut caches = fs::read_dir(folder.join("cache")).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let is_wanted = |cache: &PathBuf| {
        text(cache, "level") == Some(level.to_string()) && text(cache, "type").is_some_and(|kind| kind != "Instruction")
    };
    text(&caches.find(is_wanted)?, "shared_cpu_list")
}

/// The places of equal keys, in the order of the first ones.
fn grouped(keys: &[String]) -> Vec<Vec<usize>> {
    let mut groups: Vec<(&String, Vec<usize>)> = Vec::new();
    for (place, key) in keys.iter().enumerate() {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(place),
            None => groups.push((key, vec![place])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_processors() {
        let keys = ["0-1,4", "2-3", "0-1,4", "2-3", "0-1,4"].map(str::to_owned);
        assert_eq!(grouped(&keys), [vec![0, 2, 4], vec![1, 3]]);
        assert!(grouped(&[]).is_empty());
    }

    #[test]
    fn names_lead_back() {
        for domain in Domain::all() {
            assert_eq!(Domain::of(domain.bit()), Some(domain));
            assert_eq!(Domain::of_extension(domain.name_of_extension()), Some(domain));
        }
        assert_eq!(Domain::of(CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE), None);
        assert_eq!(Domain::of(CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE | CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE), None);
    }

    /// A folder as Linux has it: an instruction cache of level 1, and no cache of level 4.
    #[test]
    fn descriptions_of_caches() {
        let folder = tempfile::tempdir().unwrap();
        let processor = folder.path().join("cpu3");
        fs::create_dir_all(processor.join("node7")).unwrap();
        fs::create_dir_all(processor.join("nodes")).unwrap();
        let caches = [("0", "1", "Instruction", "3"), ("1", "1", "Data", "2-3"), ("2", "2", "Unified", "0-3")];
        for (index, level, kind, sharers) in caches {
            let cache = processor.join("cache").join(format!("index{index}"));
            fs::create_dir_all(&cache).unwrap();
            for (name, text) in [("level", level), ("type", kind), ("shared_cpu_list", sharers)] {
                fs::write(cache.join(name), format!("{text}\n")).unwrap();
            }
        }
        assert_eq!(node(&processor).as_deref(), Some("node7"));
        assert_eq!(sharers(&processor, 1).as_deref(), Some("2-3"));
        assert_eq!(sharers(&processor, 2).as_deref(), Some("0-3"));
        assert_eq!(sharers(&processor, 4), None);
    }
}
