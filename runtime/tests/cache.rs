//! The caches on disk.

mod common;

use clforge_compiler::options::{IncludeLoader, IncludedFile, MacroOption};
use clforge_compiler::{Options, Source};
use clforge_runtime::cache::{self, Cache};
use clforge_runtime::{Arg, Buffer, Launch, Program};
use common::{device, values};
use std::path::PathBuf;
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
    let options = Options { includes: files.clone(), ..Options::default() };
    let text = "#include \"a.h\"\nkernel void k(global int *a) { a[0] = VALUE; }\n";
    let compile = |cache: &Cache, text: &str, options: &Options| {
        let module = cache::compile(cache, Source { name: "a.cl", text: text.as_bytes() }, options).unwrap();
        (module.is_cached(), module.spirv().to_vec())
    };
    let (cached, first) = compile(&cache, text, &options);
    assert!(!cached);
    assert_eq!(compile(&cache, text, &options), (true, first.clone()));
    assert!(!compile(&Cache::off(), text, &options).0);

    let defined = Options { macros: vec![MacroOption::Define("A".into(), None)], ..options.clone() };
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
