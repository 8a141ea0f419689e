//! What the modules of all cases and programs demand of a Vulkan device, beside the kept list `demands.txt`, so that a
//! change of the compiler that makes a module demand more is seen.
//!
//! A line has the name of a source, the SPIR-V capabilities of its module as it is compiled by default, and after `|`
//! those of the module that demands least: with logical addressing, the memory model of GLSL, and all types emulated.
//! Capabilities that every Vulkan device has are left out. `CLFORGE_BLESS=1` writes the list anew.

use clforge_compiler::options::{Addressing, EmulatedTypes};
use clforge_compiler::workarounds::Workarounds;
use clforge_compiler::{Options, Source, compile};
use clforge_runtime::requirements;
use shaders_test::backend::{Build, VULKAN};
use shaders_test::case::{self, Case};
use shaders_test::programs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const KEPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/demands.txt");

/// The sources for Vulkan: their names, and how they are built.
fn sources() -> Vec<(String, Build)> {
    let cases = case::find().unwrap().into_iter().map(|path| Case::load(&path).unwrap());
    let cases = cases.filter(|case| case.skipped("vulkan").is_none()).map(|case| (case.name, case.build));
    let programs = programs::ALL.iter().map(|program| (format!("programs/{}", program.name), program.build()));
    cases.chain(programs).collect()
}

/// The capabilities that not every device has, sorted; or that the source does not compile so.
fn demands(build: &Build, options: &Options) -> String {
    let (text, name) = (build.text().unwrap(), build.path.to_string_lossy());
    let Ok(module) = compile(Source { name: &name, text: text.as_bytes() }, options) else {
        return "rejected".into();
    };
    let capabilities = requirements(&module.spirv).unwrap().capabilities.into_iter();
    let mut names: Vec<String> =
        capabilities.filter(|one| !one.features.is_empty()).map(|one| one.capability).collect();
    names.sort();
    if names.is_empty() { "-".into() } else { names.join(" ") }
}

fn line(name: &str, build: &Build) -> String {
    let options = build.compiler_options(VULKAN).with_workarounds(Workarounds::PORTABLE);
    let mut least = options.clone();
    EmulatedTypes::NAMES.into_iter().for_each(|ty| assert!(least.device.emulated.add(ty), "{ty}"));
    least.device.addressing = Addressing::Logical;
    least.device.vulkan_memory_model = false;
    format!("{name}: {} | {}", demands(build, &options), demands(build, &least))
}

/// The lines of all sources, sorted; on all cores, since debug builds of the compiler are slow.
fn lines() -> Vec<String> {
    let (sources, next, lines) = (sources(), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((name, build)) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let line = line(name, build);
                    lines.lock().unwrap().push(line);
                }
            });
        }
    });
    let mut lines = lines.into_inner().unwrap();
    lines.sort();
    lines
}

#[test]
fn modules_demand_what_is_kept() {
    let found = lines();
    if std::env::var_os("CLFORGE_BLESS").is_some() {
        std::fs::write(KEPT, found.join("\n") + "\n").unwrap();
        return;
    }
    let kept = std::fs::read_to_string(Path::new(KEPT)).unwrap_or_default();
    let kept: Vec<&str> = kept.lines().collect();
    let more = found.iter().filter(|line| !kept.contains(&line.as_str())).map(|line| format!("+ {line}"));
    let fewer = kept.iter().filter(|line| !found.iter().any(|one| one == *line)).map(|line| format!("- {line}"));
    let mut changes: Vec<String> = more.chain(fewer).collect();
    changes.sort_by(|a, b| a[2..].cmp(&b[2..]));
    assert!(changes.is_empty(), "CLFORGE_BLESS=1 keeps this, if it is meant:\n{}", changes.join("\n"));
}
