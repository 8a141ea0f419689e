//! The caches on disk, as the command uses them.

use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn command(folder: &Path, cache: &str, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clforge"));
    command
        .args(["run", "a.cl", "--kernel", "k", "--global", "2", "--arg", "buffer:int=1,2", "--print", "0"])
        .args(more)
        .current_dir(folder)
        .env("CLFORGE_CACHE", cache);
    command
}

fn check(output: &Output) {
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.contains("8 9"), "{text}");
}

#[test]
fn the_command_uses_the_cache_unless_it_is_disabled() {
    let folder = TempDir::new().unwrap();
    let source = "kernel void k(global int *a) { a[get_global_id(0)] += 7; }\n";
    std::fs::write(folder.path().join("a.cl"), source).unwrap();
    check(&command(folder.path(), "off", &[]).output().unwrap());
    check(&command(folder.path(), "kept", &["--no-cache"]).output().unwrap());
    assert!(!folder.path().join("off").exists() && !folder.path().join("kept").exists());

    // Several processes at once, then again over what they left, then over damage.
    for round in 0..3 {
        let children: Vec<_> = (0..4)
            .map(|_| {
                let mut command = command(folder.path(), "kept", &[]);
                command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped()).spawn().unwrap()
            })
            .collect();
        children.into_iter().for_each(|child| check(&child.wait_with_output().unwrap()));
        for kind in ["modules", "pipelines"] {
            let files: Vec<_> = std::fs::read_dir(folder.path().join("kept").join(kind)).unwrap().collect();
            assert_eq!(files.len(), 1, "{kind}");
            for file in files.into_iter().filter(|_| round == 1) {
                std::fs::write(file.unwrap().path(), b"nonsense").unwrap();
            }
        }
    }
    // A folder that cannot be made is no error.
    check(&command(folder.path(), "a.cl/kept", &[]).output().unwrap());
}
