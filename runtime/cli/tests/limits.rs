//! Endless inputs, endless launches, and validators that give no verdict: the command reports them and ends.
#![cfg(unix)]

mod common;

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Address space of the process in kB: an input may not eat the machine.
const MEMORY: u32 = 8_000_000;

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = "kernel void k(global float *a) { a[get_global_id(0)] += 1; }\n";
    std::fs::write(folder.path().join("a.cl"), source).expect("the source is written");
    let pipe = Command::new("mkfifo").arg(folder.path().join("pipe")).status().expect("mkfifo");
    assert!(pipe.success());
    folder
}

/// Exit code, standard output and standard error of a shell's command, in which `$0` is clforge.
#[track_caller]
fn shell(folder: &Path, script: &str) -> (i32, String, String) {
    let (out, err) = (folder.join("stdout"), folder.join("stderr"));
    let file = |path| std::fs::File::create(path).expect("a file for the output");
    let child = Command::new("sh")
        .args(["-c", &format!("ulimit -v {MEMORY}; {script}"), env!("CARGO_BIN_EXE_clforge")])
        .current_dir(folder)
        .env("CLFORGE_CACHE", "off")
        .stdin(Stdio::null())
        .stdout(file(&out))
        .stderr(file(&err))
        .spawn()
        .expect("sh starts");
    let status = common::wait(child, script);
    let text = |path| String::from_utf8_lossy(&std::fs::read(path).expect("the output")).into_owned();
    let err = text(&err);
    (status.code().unwrap_or_else(|| panic!("{script}: {status}\n{err}")), text(&out), err)
}

#[track_caller]
fn fails(folder: &Path, script: &str, code: i32, message: &str) {
    let (found, _, err) = shell(folder, script);
    assert!(found == code && err.contains(message), "{script}: {found}\n{err}");
    assert!(!err.contains("internal"), "{script}: {err}");
}

const RUN: &str = "exec \"$0\" run a.cl --kernel k --global 4";

#[test]
fn endless_inputs() {
    let folder = folder();
    let path = folder.path();
    for endless in ["/dev/zero", "pipe"] {
        let message = format!("cannot read '{endless}': it is not a regular file");
        for command in [
            format!("exec \"$0\" compile {endless} -o x.spv"),
            format!("exec \"$0\" reflect {endless}"),
            format!("exec \"$0\" run {endless} --kernel k --global 4"),
            format!("{RUN} --arg buffer:file={endless}"),
            format!("{RUN} --arg struct:file={endless}"),
            format!("{RUN} --arg image:file={endless}"),
        ] {
            fails(path, &command, 2, &message);
        }
        std::fs::write(path.join("includes.cl"), format!("#include \"{endless}\"\nkernel void k() {{}}\n")).unwrap();
        fails(path, "exec \"$0\" compile includes.cl -o x.spv", 1, "it is not a regular file");
        fails(path, "exec \"$0\" compile includes.cl -o x.spv", 1, "includes.cl:1:");
    }
    fails(
        path,
        "exec \"$0\" compile - -o x.spv < /dev/zero",
        2,
        "cannot read standard input: it is larger than the limit",
    );
    fails(path, "exec \"$0\" compile . -o x.spv", 2, "it is a folder");
    std::fs::write(path.join("folder.cl"), "#include \".\"\n").unwrap();
    fails(path, "exec \"$0\" compile folder.cl -o x.spv", 1, "it is a folder");
    fails(path, "exec \"$0\" compile @/dev/zero", 2, "cannot read '/dev/zero': it is not a regular file");
    // What the shell has opened is read.
    let (code, _, err) = shell(path, "cat a.cl | \"$0\" compile /dev/stdin -o x.spv");
    assert_eq!(code, 0, "{err}");
}

#[test]
fn files_larger_than_the_limit() {
    let folder = folder();
    let path = folder.path();
    std::fs::write(path.join("header.h"), "// line\n".repeat(100)).unwrap();
    std::fs::write(path.join("includes.cl"), "#include \"header.h\"\nkernel void k() {}\n").unwrap();
    std::fs::write(path.join("data"), [0; 64]).unwrap();
    let too_large = "it is larger than the limit of 10 bytes";
    fails(path, "exec \"$0\" compile a.cl -o x.spv --max-file-size 10", 2, too_large);
    fails(path, &format!("{RUN} --arg buffer:file=data --max-file-size 10"), 2, too_large);
    fails(
        path,
        "exec \"$0\" compile includes.cl -o x.spv --max-file-size 100",
        1,
        "it is larger than the limit of 100 bytes",
    );
    let (code, _, err) = shell(path, "exec \"$0\" compile includes.cl -o x.spv --max-file-size 1000");
    assert_eq!(code, 0, "{err}");
    // Most of a terabyte that takes no room on disk.
    std::fs::File::create(path.join("sparse")).unwrap().set_len(1 << 39).unwrap();
    fails(path, "exec \"$0\" compile sparse -o x.spv", 2, "it is larger than the limit");
    fails(path, &format!("{RUN} --arg buffer:file=sparse"), 2, "it is larger than the limit");
    let (code, out, err) = shell(path, &format!("{RUN} --arg buffer:file=data --print 0:float:2"));
    assert_eq!((code, out.as_str()), (0, "0: 1 1\n"), "{err}");
}

#[test]
fn launches_that_take_too_long() {
    let folder = folder();
    // Hours: lavapipe ends endless loops by itself.
    let source = "kernel void hours(global float *a) { float x = get_global_id(0);\n\
                  for (int i = 0; i < 1000; i++) x = sin(x) + a[0]; a[get_global_id(0) & 3] = x; }\n";
    std::fs::write(folder.path().join("hours.cl"), source).unwrap();
    let run = "exec \"$0\" run hours.cl --kernel hours --global 4000000000 --arg buffer:bytes=16";
    fails(folder.path(), &format!("{run} --timeout 0.5"), 3, "kernel 'hours' has not ended after 500ms");
    for wrong in ["0", "-1", "x", "inf", "1e30"] {
        fails(folder.path(), &format!("{run} --timeout={wrong}"), 2, "give a number of seconds");
    }
    let (code, _, err) = shell(folder.path(), &format!("{RUN} --arg buffer:bytes=16 --timeout 100"));
    assert_eq!(code, 0, "{err}");
}

/// A compilation takes half a gigabyte of address space for its stack where it may, and less where it may not.
#[test]
fn little_address_space() {
    let folder = folder();
    let body = |expression: &str| format!("kernel void k(global int *p, int n) {{ p[0] = {expression}; }}\n");
    let parentheses = format!("{}n{}", "(".repeat(250), ")".repeat(250));
    for (name, text) in [("unary.cl", body(&("- ~".repeat(9_000) + "n"))), ("nested.cl", body(&parentheses))] {
        std::fs::write(folder.path().join(name), text).unwrap();
        for kilobytes in [500_000, 250_000] {
            let script = format!("ulimit -v {kilobytes}; exec \"$0\" compile {name} -o x.spv --no-validate");
            let (code, _, err) = shell(folder.path(), &script);
            assert_eq!(code, 0, "{name} in {kilobytes} kB: {err}");
        }
    }
}

#[test]
fn validators_that_do_not_validate() {
    let folder = folder();
    let tools = folder.path().join("tools");
    std::fs::create_dir(&tools).unwrap();
    let validator = tools.join("spirv-val");
    let compile = "PATH=$PWD/tools exec \"$0\" compile a.cl -o x.spv";
    let run = format!("PATH=$PWD/tools {RUN} --arg buffer:bytes=16 --print 0");
    let warns = |message: &str| {
        for command in [compile, run.as_str()] {
            let _ = std::fs::remove_file(folder.path().join("x.spv"));
            let (code, out, err) = shell(folder.path(), command);
            assert_eq!(code, 0, "{err}");
            assert_eq!(err.matches("the module was not validated").count(), 1, "{err}");
            assert!(err.contains(message) && !err.contains("internal"), "{err}");
            assert!(folder.path().join("x.spv").exists() || out == "0: 1 1 1 1\n", "{out}");
        }
    };
    warns("spirv-val is not installed");
    for (script, message) in [
        ("exit 1", "spirv-val failed (exit status: 1) without a message"),
        ("echo 'error: Unrecognized target env' >&2; exit 1", "with the message 'error: Unrecognized target env'"),
        ("exit 127", "exit status: 127"),
        ("kill -9 $$", "signal: 9"),
    ] {
        std::fs::write(&validator, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&validator, std::fs::Permissions::from_mode(0o755)).unwrap();
        warns(message);
    }
    std::fs::set_permissions(&validator, std::fs::Permissions::from_mode(0o644)).unwrap();
    warns("spirv-val");
}
