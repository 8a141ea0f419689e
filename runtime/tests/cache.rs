//! The caches on disk.

mod common;

use clforge_compiler::options::{IncludeLoader, IncludedFile};
use clforge_compiler::{Options, Source};
use clforge_runtime::cache::{self, Cache};
use clforge_runtime::{Arg, Buffer, Launch, Program};
use common::{device, values};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// Files that can be changed.
#[derive(Default)]
struct Files(Mutex<Vec<(&'static str, &'static str)>>);

impl IncludeLoader for Files {
    fn load(&self, path: &str, _: &str, _: bool) -> Option<IncludedFile> {
        let files = self.0.lock().unwrap();
        let (name, text) = files.iter().find(|(name, _)| *name == path)?;
        Some(IncludedFile { name: (*name).into(), text: text.as_bytes().to_vec() })
    }
}

#[test]
fn a_module_is_found_again_only_if_nothing_changed() {
    let folder = TempDir::new().unwrap();
    let cache = Cache::at(folder.path());
    let files = Arc::new(Files::default());
    *files.0.lock().unwrap() = vec![("a.h", "#define VALUE 5\n")];
    let options = Options::default().with_includes(files.clone());
    let text = "#include \"a.h\"\nkernel void k(global int *a) { a[0] = VALUE; }\n";
    let compile = |cache: &Cache, text: &str, options: &Options| {
        let module = cache::compile(cache, Source { name: "a.cl", text: text.as_bytes() }, options).unwrap();
        (module.is_cached(), module.spirv().to_vec())
    };
    let (cached, first) = compile(&cache, text, &options);
    assert!(!cached);
    assert_eq!(compile(&cache, text, &options), (true, first.clone()));
    assert!(!compile(&Cache::off(), text, &options).0);

    let defined = options.clone().with_macro("A", None);
    assert!(!compile(&cache, text, &defined).0, "other options");
    assert!(!compile(&cache, &format!("{text}\n"), &options).0, "another source");
    *files.0.lock().unwrap() = vec![("a.h", "#define VALUE 6\n")];
    let (cached, changed) = compile(&cache, text, &options);
    assert!(!cached && changed != first, "another included file");
    assert!(compile(&cache, text, &options).0);

    for entry in std::fs::read_dir(folder.path().join("modules")).unwrap() {
        std::fs::write(entry.unwrap().path(), b"damaged").unwrap();
    }
    assert_eq!(compile(&cache, text, &options), (false, changed.clone()));
    assert_eq!(compile(&cache, text, &options), (true, changed));

    let warns = "#warning careful\nkernel void k() {}\n";
    for _ in 0..2 {
        let module = cache::compile(&cache, Source { name: "w.cl", text: warns.as_bytes() }, &options).unwrap();
        assert!(!module.is_cached() && module.warnings().is_some_and(|warnings| warnings.list.len() == 1));
    }
    assert!(cache::compile(&cache, Source { name: "e.cl", text: b"oops" }, &options).is_err());
}

#[test]
fn pipelines_and_modules_of_a_device() {
    let folder = TempDir::new().unwrap();
    let device = device(false);
    device.0.set_cache(Cache::at(folder.path()));
    let source = "kernel void twice(global float *a, float by) { a[get_global_id(0)] *= by; }";
    for round in 0..3 {
        let buffer = Buffer::from_bytes(&device.0, &common::bytes(&[1.5f32, 2.0])).unwrap();
        let program = Program::from_source(&device.0, source, &Default::default()).unwrap();
        let kernel = program.kernel("twice").unwrap();
        kernel.launch(&Launch::new(&[2]), &[Arg::Buffer(&buffer), Arg::pod(&2.0f32)]).unwrap();
        assert_eq!(values::<f32>(&buffer.to_vec().unwrap()), [3.0, 4.0]);
        drop((program, kernel));
        for kind in ["modules", "pipelines"] {
            let files: Vec<PathBuf> =
                std::fs::read_dir(folder.path().join(kind)).unwrap().map(|entry| entry.unwrap().path()).collect();
            assert_eq!(files.len(), 1, "{kind} after round {round}");
            if round == 1 {
                let mut bytes = std::fs::read(&files[0]).unwrap();
                let last = bytes.len() - 1;
                bytes[last] ^= 0x55;
                std::fs::write(&files[0], bytes).unwrap();
            }
        }
    }
}

/// What an entry begins with, in the digest of which it cannot be told from others: see `cache/disk.rs`.
fn forged(kind: &str, name: &str, contents: &[u8]) -> Vec<u8> {
    let key: Vec<u8> = (0..64).step_by(2).map(|at| u8::from_str_radix(&name[at..at + 2], 16).unwrap()).collect();
    let mut hash = Sha256::new();
    for part in [kind.as_bytes(), &key, contents] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    [b"clforge2".as_slice(), &hash.finalize(), contents].concat()
}

/// Entries whose digest is right and whose contents are not: they are dropped and written again.
#[test]
fn contents_that_nobody_has_compiled() {
    let folder = TempDir::new().unwrap();
    let device = device(false);
    device.0.set_cache(Cache::at(folder.path()));
    let source = "kernel void twice(global float *a, float by) { a[get_global_id(0)] *= by; }";
    let run = || {
        let buffer = Buffer::from_bytes(&device.0, &common::bytes(&[1.5f32, 2.0])).unwrap();
        let program = Program::from_source(&device.0, source, &Default::default()).unwrap();
        let kernel = program.kernel("twice").unwrap();
        kernel.launch(&Launch::new(&[2]), &[Arg::Buffer(&buffer), Arg::pod(&2.0f32)]).unwrap();
        assert_eq!(values::<f32>(&buffer.to_vec().unwrap()), [3.0, 4.0]);
    };
    run();
    let module = std::fs::read(entry(folder.path(), "modules")).unwrap()[40..].to_vec();
    let magic = 0x0723_0203u32.to_le_bytes();
    let header = [magic, [0, 5, 1, 0], [0; 4], [1, 0, 0, 0], [0; 4]].concat();
    let with = |words: &[u8]| [b"[]\n".as_slice(), words].concat();
    for contents in [
        Vec::new(),
        b"no JSON\n".to_vec(),
        b"[]\n".to_vec(),
        with(b"abc"),
        with(&[0; 64]),
        with(&header),
        // An instruction of no words, and one longer than the module.
        with(&[&header[..], &[17, 0, 0, 0]].concat()),
        with(&[&header[..], &[17, 0, 255, 255]].concat()),
        module[..module.len() - 4].to_vec(),
        module[..module.len() - 1].to_vec(),
    ] {
        let path = entry(folder.path(), "modules");
        std::fs::write(&path, forged("modules", path.file_name().unwrap().to_str().unwrap(), &contents)).unwrap();
        run();
        assert!(std::fs::read(entry(folder.path(), "modules")).unwrap()[40..] == module, "{contents:?} is still there");
    }
    for contents in [&b""[..], b"nonsense", &[32, 0, 0, 0, 1, 0, 0, 0], &[0xff; 4096]] {
        let path = entry(folder.path(), "pipelines");
        std::fs::write(&path, forged("pipelines", path.file_name().unwrap().to_str().unwrap(), contents)).unwrap();
        run();
        assert!(
            std::fs::read(entry(folder.path(), "pipelines")).unwrap()[40..] != *contents,
            "{contents:?} is still there"
        );
    }
}

/// The only entry of a kind.
fn entry(folder: &Path, kind: &str) -> PathBuf {
    let mut entries = std::fs::read_dir(folder.join(kind)).unwrap();
    entries.next().expect("an entry").unwrap().path()
}
