//! Compares our diagnostics with clang's: of the programs that test them, clang must reject the same lines, or a
//! comment on the line says why not.

use crate::process::{files, root};
use crate::{Outcome, setup};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// Where the programs are.
pub const FOLDER: &str = "compiler/tests/filetests/diagnostics";

/// Compares each file's `// error: …` lines with those where clang has an error, and prints every difference that no
/// `// clang: …` explains.
pub fn verdicts(folder: &Path) -> Outcome {
    let clang = setup::clang()?;
    let (mut complaints, mut agreed, mut explained, mut compared) = (Vec::new(), 0, 0, 0);
    for path in files(folder, "cl")? {
        let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
        let program = text.split("// ---\n").next().unwrap_or_default();
        if program.lines().any(|line| line.starts_with("// clang: not asked")) {
            continue;
        }
        compared += 1;
        let rejected = rejected_lines(clang, program)?;
        let last = program.lines().count();
        for (number, line) in (1..).zip(program.lines()) {
            let ours = line.contains("// error: ");
            let theirs = rejected.contains(&number) || (number == last && rejected.range(last..).next().is_some());
            let remark = if line.contains("// clang: accepts") {
                Some(false)
            } else if line.contains("// clang: rejects") {
                Some(true)
            } else {
                None
            };
            match (ours == theirs, remark) {
                (true, None) => agreed += usize::from(ours),
                (false, Some(expected)) if expected == theirs => explained += 1,
                (false, None) if theirs => complaints.push(format!("{name}:{number}: clang rejects this line")),
                (false, None) => complaints.push(format!("{name}:{number}: clang accepts this line")),
                _ => complaints.push(format!("{name}:{number}: the remark about clang is not true")),
            }
        }
    }
    println!(
        "{compared} files: clang rejects {agreed} of the lines that we reject; {explained} differences are explained"
    );
    complaints.iter().for_each(|complaint| eprintln!("{complaint}"));
    match complaints.len() {
        0 => Ok(()),
        count => Err(format!("clang differs in {count} lines")),
    }
}

/// Lines of a program in which clang finds an error.
fn rejected_lines(clang: &str, program: &str) -> Result<BTreeSet<usize>, String> {
    let fail = |error: std::io::Error| format!("{clang}: {error}");
    let file = tempfile::Builder::new().suffix(".cl").tempfile().map_err(fail)?;
    std::fs::write(file.path(), program).map_err(fail)?;
    let options = program.lines().find_map(|line| line.strip_prefix("// options: ")).unwrap_or_default();
    let std = options.split_whitespace().find(|option| option.starts_with("-cl-std=")).unwrap_or("-cl-std=CL1.2");
    let output = Command::new(clang)
        .args(["-x", "cl", std, "-target", "spir64", "-fsyntax-only", "-ferror-limit=0", "-fno-caret-diagnostics"])
        .args(["-Xclang", "-finclude-default-header", "-Xclang", "-fdeclare-opencl-builtins"])
        .arg(file.path())
        .env("LC_ALL", "C")
        .output()
        .map_err(fail)?;
    let prefix = format!("{}:", file.path().display());
    let errors = String::from_utf8_lossy(&output.stderr);
    let lines = errors.lines().filter_map(|line| {
        let rest = line.strip_prefix(&prefix)?;
        let (number, rest) = rest.split_once(':')?;
        let (_, rest) = rest.split_once(": ")?;
        (rest.starts_with("error: ") || rest.starts_with("fatal error: ")).then(|| number.parse().ok())?
    });
    Ok(lines.collect())
}
