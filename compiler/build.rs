//! Computes a digest of the compiler's sources. It distinguishes files that were written by different builds of the
//! same version: see `BUILD` in `src/lib.rs`.

use std::fs;
use std::path::{Path, PathBuf};

fn main() {
    // Cargo starts this in the package's folder. With relative paths a copy of the checkout is built already.
    let own = Path::new(".");
    let mut files = Vec::new();
    for folder in crates(own) {
        for part in ["Cargo.toml", "build.rs", "src"].map(|name| folder.join(name)) {
            if part.exists() {
                println!("cargo::rerun-if-changed={}", part.display());
                collect(&part, &mut files);
            }
        }
    }
    // The versions of the libraries that are compiled in. A package of a registry has no such file, and needs none of this: it
    // has another version when anything in it changes, and cargo's choice of libraries is the application's.
    let lock = own.join("../Cargo.lock");
    if lock.exists() {
        println!("cargo::rerun-if-changed={}", lock.display());
        files.push(lock);
    }
    files.sort();
    let mut digest = Digest(0xcbf2_9ce4_8422_2325);
    for file in files {
        // Where the sources lie makes no difference.
        let name = file.strip_prefix(own).unwrap_or(&file);
        digest.add(name.to_string_lossy().replace('\\', "/").as_bytes());
        digest.add(&fs::read(&file).expect("the sources can be read"));
    }
    println!("cargo::rustc-env=CLFORGE_BUILD={:016x}", digest.0);
}

/// The folders of the compiler's crates: this one, and those of its layers, which lie in it where it is built from a checkout.
fn crates(own: &Path) -> Vec<PathBuf> {
    let beside = fs::read_dir(own).expect("the crate's folder can be read");
    let inner = beside.filter_map(|entry| Some(entry.ok()?.path()));
    // The fuzz targets are a workspace of their own.
    let layers = inner.filter(|folder| folder.join("Cargo.toml").exists() && !folder.ends_with("fuzz"));
    [own.to_owned()].into_iter().chain(layers).collect()
}

/// A file, or all files below a folder.
fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match fs::read_dir(path) {
        Ok(entries) => entries.filter_map(Result::ok).for_each(|entry| collect(&entry.path(), files)),
        Err(_) => files.push(path.to_owned()),
    }
}

/// FNV-1a, of parts with their lengths.
struct Digest(u64);

impl Digest {
    fn add(&mut self, part: &[u8]) {
        let length = (part.len() as u64).to_le_bytes();
        for byte in length.iter().chain(part) {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}
