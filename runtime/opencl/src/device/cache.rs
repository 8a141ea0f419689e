//! The caches of the processor, for devices that execute on it. Vulkan tells nothing of those of others.

use std::path::Path;

/// A cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryCache {
    /// Bytes.
    pub size: u64,
    /// Bytes of a line.
    pub line: u32,
}

impl MemoryCache {
    /// The largest one of the first processor, if the system describes it.
    pub fn of_processor() -> Option<MemoryCache> {
        MemoryCache::within(Path::new("/sys/devices/system/cpu/cpu0/cache"))
    }

    /// The largest one of a folder of Linux' description of a processor.
    fn within(folder: &Path) -> Option<MemoryCache> {
        let caches = std::fs::read_dir(folder).ok()?.filter_map(|entry| MemoryCache::at(&entry.ok()?.path()));
        caches.max_by_key(|cache| cache.size)
    }

    fn at(folder: &Path) -> Option<MemoryCache> {
        let read = |name| std::fs::read_to_string(folder.join(name)).ok();
        let (size, line) = (read("size")?, read("coherency_line_size")?);
        let size = size.trim();
        let kibibytes = size.strip_suffix('K').and_then(|size| size.parse::<u64>().ok());
        let mebibytes = size.strip_suffix('M').and_then(|size| size.parse::<u64>().ok());
        let size = kibibytes.map(|size| size << 10).or(mebibytes.map(|size| size << 20))?;
        Some(MemoryCache { size, line: line.trim().parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_cache() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(MemoryCache::within(folder.path()), None);
        for (name, size, line) in
            [("index0", "48K\n", "64\n"), ("index1", "32M\n", "128\n"), ("index2", "many\n", "64\n")]
        {
            let cache = folder.path().join(name);
            std::fs::create_dir(&cache).unwrap();
            std::fs::write(cache.join("size"), size).unwrap();
            std::fs::write(cache.join("coherency_line_size"), line).unwrap();
        }
        std::fs::write(folder.path().join("uevent"), "").unwrap();
        assert_eq!(MemoryCache::within(folder.path()), Some(MemoryCache { size: 32 << 20, line: 128 }));
        assert_eq!(MemoryCache::within(Path::new("/nowhere")), None);
    }
}
