//! The conventions of the code base that can be checked automatically.

use crate::process::{cargo, files, root, status};
use crate::{Outcome, documents, driver_flags, layers};
use std::path::Path;

const MAX_LINES: usize = 800;

/// Crates whose modules are layers.
const CRATES: [&str; 19] = [
    "compiler/src",
    "compiler/basic/src",
    "compiler/ir/src",
    "compiler/library/src",
    "compiler/lower/src",
    "compiler/reader/src",
    "compiler/sema/src",
    "compiler/spirv/src",
    "compiler/syntax/src",
    "runtime/src",
    "runtime/capi/src",
    "runtime/cli/src",
    "runtime/harness/src",
    "runtime/opencl/src",
    "runtime/python/src",
    "runtime/reflect/src",
    "shaders-test/src",
    "xtask/src",
    "xtask/public-api/src",
];

/// Words that must not stand in code, in two parts each so that this file passes its own check.
const FORBIDDEN: [(&str, &str, &str); 4] = [
    ("todo", "!", "finish it, or reject it with a diagnostic that names it"),
    ("unimplemented", "!", "reject it with a diagnostic that names it"),
    ("#[ig", "nore", "a test that does not run is no test"),
    ("dbg", "!(", "left over from debugging"),
];

/// Checks every file and prints all complaints. `write`: lists in documents that are out of date are written.
pub fn tidy(write: bool) -> Outcome {
    let root = root();
    let mut complaints = Vec::new();
    for path in files(&root, "rs")? {
        let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        let text = read(&path)?;
        rust_file(&name, &text, &mut complaints);
        white_space(&name, &text, &mut complaints);
    }
    for extension in ["cl", "md", "toml", "pest"] {
        for path in files(&root, extension)? {
            let name = path.strip_prefix(&root).unwrap_or(&path).to_string_lossy().into_owned();
            white_space(&name, &read(&path)?, &mut complaints);
        }
    }
    driver_flags::check(&root, write, &mut complaints)?;
    documents::check(&root, &mut complaints)?;
    for source in CRATES {
        layers::cycles(&root.join(source), &mut complaints)?;
    }
    public_interfaces(write, &mut complaints)?;
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    match complaints.len() {
        0 => Ok(()),
        1 => Err("tidy has one complaint".into()),
        count => Err(format!("tidy has {count} complaints")),
    }
}

/// Compares the interfaces of the libraries with the lists in `docs/api/`, by a program of its own, which prints what differs.
fn public_interfaces(write: bool, complaints: &mut Vec<String>) -> Outcome {
    let mut command = cargo();
    command.args(["run", "--quiet", "--package", "public-api", "--"]).arg(root()).args(write.then_some("--write"));
    if status(&mut command)? != Some(0) {
        complaints.push("docs/api: the public interfaces are not those of the lists".into());
    }
    Ok(())
}

/// Bytes that are not UTF-8 may stand in test inputs.
fn read(path: &Path) -> Result<String, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn rust_file(name: &str, text: &str, complaints: &mut Vec<String>) {
    if !text.starts_with("//!") {
        complaints.push(format!("{name}:1: a file opens with a '//!' line that says what it is for"));
    }
    let lines = text.lines().count();
    if lines > MAX_LINES {
        complaints.push(format!("{name}: {lines} lines are too many (at most {MAX_LINES}): split it"));
    }
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or_default();
        for (first, second, advice) in FORBIDDEN {
            if code.contains(&format!("{first}{second}")) {
                complaints.push(format!("{name}:{}: '{first}{second}': {advice}", number + 1));
            }
        }
        if name.starts_with("xtask/") && code.contains(concat!("env!(\"CARGO_MANIFEST", "_DIR")) {
            let advice = "the checkout may be copied after the program was built: process::root() finds it";
            complaints.push(format!("{name}:{}: {advice}", number + 1));
        }
        if !name.starts_with("runtime/") && !name.starts_with("examples/") && is_unsafe(code) {
            complaints.push(format!("{name}:{}: unsafe code lives in runtime/ (and examples/) only", number + 1));
        }
    }
}

fn is_unsafe(code: &str) -> bool {
    ["unsafe {", "unsafe fn", "unsafe impl", "unsafe extern"]
        .iter()
        .any(|form| code.find(form).is_some_and(|at| !code[..at].contains('"')))
}

fn white_space(name: &str, text: &str, complaints: &mut Vec<String>) {
    for (number, line) in text.lines().enumerate() {
        if line.ends_with([' ', '\t', '\r']) {
            complaints.push(format!("{name}:{}: white space at the end of the line", number + 1));
        }
    }
    if !text.is_empty() && !text.ends_with('\n') {
        complaints.push(format!("{name}: the last line does not end"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(name: &str, text: &str) -> Vec<String> {
        let mut complaints = Vec::new();
        rust_file(name, text, &mut complaints);
        white_space(name, text, &mut complaints);
        complaints
    }

    #[test]
    fn a_good_file_passes() {
        assert_eq!(complaints("compiler/src/a.rs", "//! A.\nfn a() {}\n"), Vec::<String>::new());
        assert_eq!(complaints("runtime/src/a.rs", "//! A.\nunsafe fn a() {}\n"), Vec::<String>::new());
    }

    #[test]
    fn faults_are_found() {
        assert_eq!(complaints("a.rs", "fn a() {}\n").len(), 1);
        assert_eq!(complaints("a.rs", "//! A. \n").len(), 1);
        let baked = format!("//! A.\nconst A: &str = env!(\"CARGO_{}\");\n", "MANIFEST_DIR");
        assert_eq!(complaints("xtask/a.rs", &baked).len(), 1);
        assert_eq!(complaints("compiler/a.rs", "//! A.\nunsafe fn a() {}\n").len(), 1);
        assert_eq!(complaints("a.rs", &format!("//! A.\n{}{}()\n", "todo", "!")).len(), 1);
        assert_eq!(complaints("a.rs", &format!("//! A.\n{}", "\n".repeat(MAX_LINES))).len(), 1);
    }
}
