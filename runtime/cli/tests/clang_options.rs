//! `clforge compile` as users of clang expect it: short forms, several sources, dependency files, response files, warnings by
//! name, forms of messages, arrays for C and Rust.

mod common;

use common::folder_with;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clforge"));
    command.current_dir(folder).arg("compile").args(arguments).stdin(Stdio::null());
    command.env_remove("NO_COLOR").env("TERM", "xterm");
    command
}

fn texts(run: Output) -> (String, String) {
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (text(run.stdout), text(run.stderr))
}

/// Runs, expects an exit code, and returns standard output and standard error.
#[track_caller]
fn expect(code: i32, folder: &TempDir, arguments: &[&str]) -> (String, String) {
    let run = command(folder.path(), arguments).output().expect("clforge starts");
    let status = run.status.code();
    let (out, err) = texts(run);
    assert_eq!(status, Some(code), "{arguments:?}\n{out}\n{err}");
    (out, err)
}

fn read(folder: &TempDir, name: &str) -> String {
    std::fs::read_to_string(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn words(folder: &TempDir, name: &str) -> Vec<u32> {
    let bytes = std::fs::read(folder.path().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect()
}

const SCALE: &str = "kernel void scale(global float *data, float by) {\n    data[get_global_id(0)] *= by;\n}\n";
const UNUSED: &str = "kernel void k(global int *p) {\n  int unused;\n  p[0] + 1;\n}\n";

#[test]
fn short_forms_of_the_outputs() {
    let folder = folder_with(&[("scale.cl", SCALE), ("wrong.cl", "kernel void k() { x; }\n")]);
    assert!(expect(0, &folder, &["-E", "scale.cl"]).0.contains("kernel void scale"));
    expect(0, &folder, &["-E", "scale.cl", "-o", "scale.i"]);
    assert!(read(&folder, "scale.i").contains("kernel void scale"));
    assert_eq!(expect(0, &folder, &["-S", "scale.cl"]).0, "");
    assert!(read(&folder, "scale.s").contains("OpEntryPoint"));
    expect(0, &folder, &["-c", "scale.cl", "-oscale.o"]);
    assert_eq!(words(&folder, "scale.o")[0], 0x0723_0203);
    assert_eq!(expect(0, &folder, &["-fsyntax-only", "scale.cl"]), (String::new(), String::new()));
    assert!(!folder.path().join("scale.spv").exists());
    assert!(expect(1, &folder, &["-fsyntax-only", "wrong.cl"]).1.contains("undeclared identifier 'x'"));
    assert!(expect(2, &folder, &["-S", "--emit", "ir", "scale.cl"]).1.contains("cannot be used with"));
}

#[test]
fn several_sources() {
    let files = [("a.cl", SCALE), ("x/b.cl", SCALE), ("x/a.cl", SCALE), ("wrong.cl", "kernel void k() { x; }\n")];
    let folder = folder_with(&files);
    expect(0, &folder, &["a.cl", "x/b.cl"]);
    assert_eq!(words(&folder, "a.spv"), words(&folder, "b.spv"));
    std::fs::remove_file(folder.path().join("b.spv")).unwrap();
    expect(1, &folder, &["wrong.cl", "x/b.cl"]);
    assert!(folder.path().join("b.spv").exists() && !folder.path().join("wrong.spv").exists());
    assert_eq!(expect(2, &folder, &["wrong.cl", "nowhere.cl"]).1.matches("error: ").count(), 2);
    let (out, _) = expect(0, &folder, &["-E", "a.cl", "x/b.cl"]);
    assert_eq!(out.matches("kernel void scale").count(), 2);
    assert!(expect(2, &folder, &["a.cl", "x/b.cl", "-o", "c.spv"]).1.contains("'-o' cannot be given"));
    assert!(expect(2, &folder, &["a.cl", "x/a.cl"]).1.contains("would both be 'a.spv'"));
}

#[test]
fn targets_have_aliases_and_are_listed() {
    let folder = folder_with(&[("scale.cl", SCALE)]);
    for (alias, target) in [("vulkan", "vulkan1.4"), ("opencl", "opencl3.1")] {
        expect(0, &folder, &["scale.cl", "--target", alias, "-o", "alias.spv"]);
        expect(0, &folder, &["scale.cl", "--target", target, "-o", "target.spv"]);
        assert_eq!(words(&folder, "alias.spv"), words(&folder, "target.spv"), "{alias}");
    }
    let (help, _) = expect(0, &folder, &["--help"]);
    for word in ["vulkan1.1", "opencl2.1", "vulkan:", "-fsyntax-only", "-include", "-cl-no-subgroup-ifp", "-Wno-"] {
        assert!(help.contains(word), "{word}\n{help}");
    }
}

/// The rules are those of clang 15 for the same files (`-target spir64 -c -MD`), but for the extension of the module.
#[test]
fn dependency_files() {
    let main =
        "#include \"near.h\"\n#include <far header.h>\n#include \"near.h\"\nkernel void k(global int *p) { *p = A; }\n";
    let files = [("k.cl", main), ("near.h", "#define A 1\n"), ("inc/far header.h", ""), ("first.h", "")];
    let folder = folder_with(&files);
    let options = ["-Iinc", "-include", "first.h", "k.cl"];
    let with = |more: &[&'static str]| expect(0, &folder, &[&options[..], more].concat());
    let files = "k.cl first.h near.h inc/far\\ header.h\n";
    with(&["-MD"]);
    assert_eq!(read(&folder, "k.d"), format!("k.spv: {files}"));
    with(&["-MD", "-o", "out put.x.spv"]);
    assert_eq!(read(&folder, "out put.x.d"), format!("out\\ put.x.spv: {files}"));
    with(&["--depfile", "deps"]);
    assert_eq!(read(&folder, "deps"), format!("k.spv: {files}"));
    let (out, _) = with(&["-fsyntax-only", "-MD", "-MF", "-", "-MT", "a b", "-MQ", "c d"]);
    assert_eq!(out, format!("a b c\\ d: {files}"));
    let (out, _) = with(&["-E", "-o", "k.i", "--depfile", "-", "-MP"]);
    assert_eq!(out, format!("k.i: {files}\nfirst.h:\n\nnear.h:\n\ninc/far\\ header.h:\n"));
    let (_, err) = with(&["-fsyntax-only", "-MF", "unused.d"]);
    assert!(err.contains("'-MF' has no effect without '-MD'") && !folder.path().join("unused.d").exists(), "{err}");
    std::fs::remove_file(folder.path().join("k.d")).unwrap();
    std::fs::write(folder.path().join("near.h"), "#error no\n").unwrap();
    expect(1, &folder, &[&options[..], &["-MD"]].concat());
    assert!(!folder.path().join("k.d").exists());
}

/// A source is not overwritten by what is made of it, whatever name it goes by.
#[test]
fn sources_are_kept() {
    let folder = folder_with(&[("a.cl", SCALE), ("b.cl", SCALE), ("x/c.spv.cl", SCALE)]);
    for arguments in [
        &["a.cl", "-o", "a.cl"][..],
        &["a.cl", "-o", "x/../a.cl"],
        &["a.cl", "-E", "-o", "./a.cl"],
        &["a.cl", "-MD", "-MF", "a.cl"],
        &["a.cl", "b.cl", "--depfile", "b.cl"],
        &["a.cl", "-o", "x.spv", "--depfile", "a.cl"],
        &["a.cl", "-o", "x.spv", "--reflection", "a.cl"],
    ] {
        assert!(expect(2, &folder, arguments).1.contains("is a source: it would be overwritten"), "{arguments:?}");
        assert_eq!((read(&folder, "a.cl"), read(&folder, "b.cl")), (SCALE.into(), SCALE.into()), "{arguments:?}");
    }
    let (_, err) = expect(2, &folder, &["a.cl", "-o", "x.spv", "--depfile", "x.spv"]);
    assert!(err.contains("the output and the dependency file of 'a.cl' would both be 'x.spv'"), "{err}");
    let (_, err) = expect(2, &folder, &["a.cl", "-o", "x.spv", "--reflection", "x.spv"]);
    assert!(err.contains("the output and the reflection of 'a.cl' would both be 'x.spv'"), "{err}");
    let (_, err) = expect(2, &folder, &["a.cl", "-o", "-", "--depfile", "-"]);
    assert!(err.contains("the output and the dependency file of 'a.cl' would both be '-'"), "{err}");
}

/// Nor is a file that the source includes.
#[test]
fn included_files_are_kept() {
    let source = "#include \"h.h\"\nkernel void k(global int *a) { a[0] = ONE; }\n";
    let folder = folder_with(&[("a.cl", source), ("h.h", "#define ONE 1\n")]);
    for arguments in [
        &["a.cl", "-o", "h.h"][..],
        &["a.cl", "-o", "x.spv", "--depfile", "./h.h"],
        &["a.cl", "-o", "x.spv", "--reflection", "h.h"],
        &["a.cl", "-E", "-o", "h.h"],
        &["a.cl", "--emit", "unit", "-o", "h.h"],
        &["a.cl", "-fsyntax-only", "--depfile", "h.h"],
    ] {
        assert!(expect(2, &folder, arguments).1.contains("is included: it would be overwritten"), "{arguments:?}");
        assert_eq!(read(&folder, "h.h"), "#define ONE 1\n", "{arguments:?}");
    }
}

#[test]
fn files_included_before_the_source() {
    let source = "int sum = ONE + TWO + THREE;\n";
    let files = [("k.cl", source), ("one.h", "#define ONE BASE\n"), ("inc/two.h", "#define TWO ONE\n")];
    let folder = folder_with(&files);
    let options = ["-E", "k.cl", "-DBASE=1", "-DTHREE=3", "-include", "one.h", "-Iinc"];
    let (out, _) = expect(0, &folder, &[&options[..], &["-include", "two.h"]].concat());
    assert!(out.contains("1 + 1 + 3"), "{out}");
    let (_, err) = expect(1, &folder, &[&options[..], &["-include", "nowhere.h"]].concat());
    assert!(err.contains("'nowhere.h' file not found") && err.contains("<command line>"), "{err}");
}

#[test]
fn response_files() {
    let files = [("k.cl", "int a = A;\nint b = B;\n"), ("options", "-DA='1 + 1' @more\n-E"), ("more", "\"-DB=2 * 3\"")];
    let folder = folder_with(&files);
    let (out, _) = expect(0, &folder, &["@options", "k.cl"]);
    assert!(out.contains("1 + 1") && out.contains("2 * 3"), "{out}");
}

#[test]
fn warnings_have_names_that_turn_them_on_off_and_into_errors() {
    let folder = folder_with(&[("u.cl", UNUSED)]);
    let compile = |code: i32, options: &str| {
        let mut arguments: Vec<&str> = options.split_whitespace().collect();
        arguments.extend(["-fsyntax-only", "u.cl"]);
        expect(code, &folder, &arguments).1
    };
    let value = "warning: expression result unused [-Wunused-value]";
    let variable = "warning: unused variable 'unused' [-Wunused-variable]";
    let text = compile(0, "");
    assert!(text.contains(value) && !text.contains(variable), "{text}");
    let text = compile(0, "-Wall -Wextra");
    assert!(text.contains(value) && text.contains(variable), "{text}");
    assert!(compile(0, "-Wunused-variable -Wno-unused-value").contains(variable));
    for silent in ["-Wno-unused", "-Weverything -w", "-Wall --quiet", "-Wall -Wno-everything"] {
        assert_eq!(compile(0, silent), "", "{silent}");
    }
    let text = compile(1, "-Werror");
    assert!(text.contains("error: expression result unused [-Werror,-Wunused-value]"), "{text}");
    let text = compile(1, "-Werror=unused-variable");
    assert!(text.contains(value) && text.contains("error: unused variable 'unused'"), "{text}");
    assert!(compile(0, "-Werror -Wno-error=unused").contains(value));
    let text = compile(0, "-Wno-unused-valu");
    assert!(text.contains("unknown warning option '-Wno-unused-valu'; did you mean '-Wno-unused-value'?"), "{text}");
}

#[test]
fn options_of_other_implementations_are_ignored_with_a_warning() {
    let folder = folder_with(&[("scale.cl", SCALE)]);
    let options = ["-cl-nv-maxrregcount", "32", "-cl-intel-greater-than-4GB-buffer-required", "-cl-amd-x"];
    let (_, err) = expect(0, &folder, &[&options[..], &["scale.cl"]].concat());
    assert_eq!(err.matches("is one of another implementation and is ignored").count(), 3, "{err}");
    assert_eq!(expect(0, &folder, &[&options[..], &["scale.cl", "-w"]].concat()).1, "");
}

#[test]
fn mistyped_options_have_the_nearest_option_as_suggestion() {
    let folder = folder_with(&[("scale.cl", SCALE)]);
    for (wrong, right) in [
        ("--emti", "--emit"),
        ("-emit", "--emit"),
        ("--messageformat=json", "--message-format"),
        ("--no-validat", "--no-validate"),
        ("-fsyntaxonly", "-fsyntax-only"),
        ("-inclde", "-include"),
        ("-cl-no-subgroup-ipf", "-cl-no-subgroup-ifp"),
        ("-cl-sdt=CL2.0", "-cl-std="),
    ] {
        let (_, err) = expect(2, &folder, &["scale.cl", wrong, "asm"]);
        assert!(err.contains(&format!("option '{wrong}'; did you mean '{right}'?")), "{wrong}: {err}");
    }
}

#[test]
fn forms_of_messages() {
    let folder = folder_with(&[("u.cl", "kernel void k(global int *p) {\n  p[0] == 1;\n  x;\n}\n")]);
    let (_, err) = expect(1, &folder, &["u.cl", "--message-format", "short"]);
    let lines = "u.cl:2:8: warning: equality comparison result unused [-Wunused-comparison]\n\
                 u.cl:3:3: error: use of undeclared identifier 'x'\n";
    assert_eq!(err, lines);
    let (_, err) = expect(1, &folder, &["u.cl", "--message-format=json"]);
    let objects: Vec<serde_json::Value> = err.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [warning, error] = objects.as_slice() else { panic!("{err}") };
    for (key, value) in [("file", "u.cl"), ("severity", "warning"), ("flag", "-Wunused-comparison")] {
        assert_eq!(warning[key], value, "{err}");
    }
    assert_eq!((&warning["line"], &warning["column"]), (&2.into(), &8.into()));
    assert!(warning["help"].as_str().unwrap().contains("'='") && error["flag"].is_null(), "{err}");
    std::fs::write(folder.path().join("u.h"), "int f(void) { return x; }\n").unwrap();
    std::fs::write(folder.path().join("v.cl"), "\n#include \"u.h\"\n").unwrap();
    let (_, err) = expect(1, &folder, &["v.cl", "--message-format=json"]);
    let error: serde_json::Value = serde_json::from_str(&err).unwrap();
    let [note] = error["notes"].as_array().unwrap().as_slice() else { panic!("{err}") };
    assert_eq!((&error["file"], &note["file"], &note["line"]), (&"u.h".into(), &"v.cl".into(), &2.into()), "{err}");
    let (_, err) = expect(2, &folder, &["nowhere.cl", "--message-format", "json"]);
    let error: serde_json::Value = serde_json::from_str(&err).unwrap();
    assert!(error["message"].as_str().unwrap().contains("cannot read 'nowhere.cl'") && error["file"].is_null());
    let (_, err) = expect(0, &folder, &["--verbose", "-E", "u.cl"]);
    assert!(err.contains("compiled for vulkan1.2"), "{err}");
}

#[test]
fn mistakes_in_the_command_line_have_the_form_of_other_messages() {
    let folder = folder_with(&[("u.cl", "")]);
    for (wrong, text) in [
        (&["u.cl", "--emit", "nothing"][..], "nothing"),
        (&["u.cl", "--emit"], "--emit"),
        (&["u.cl", "--no-validat"], "--no-validat"),
        (&["u.cl", "-cl-std=CL9.0"], "CL9.0"),
        (&[], "FILE"),
    ] {
        let (_, err) = expect(2, &folder, &[wrong, &["--message-format=json"]].concat());
        let error: serde_json::Value = serde_json::from_str(&err).unwrap_or_else(|_| panic!("{wrong:?}: {err}"));
        assert_eq!((&error["severity"], &error["file"]), (&"error".into(), &serde_json::Value::Null), "{err}");
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains(text) && !message.starts_with("error"), "{wrong:?}: {err}");
        let (_, err) = expect(2, &folder, &[wrong, &["--message-format", "short"]].concat());
        assert!(err.starts_with("clforge: error: ") && err.lines().count() == 1, "{wrong:?}: {err}");
    }
}

#[test]
fn colours_only_where_they_are_wanted() {
    let folder = folder_with(&[("x.cl", "kernel void k() { x; }\n")]);
    let colored = |arguments: &[&str], variable: (&str, &str)| {
        let mut command = command(folder.path(), &[&["x.cl"], arguments].concat());
        texts(command.env(variable.0, variable.1).output().unwrap()).1.contains('\u{1b}')
    };
    assert!(colored(&["--color", "always"], ("NO_COLOR", "1")));
    assert!(colored(&["--color=always"], ("TERM", "dumb")));
    // Standard error is no terminal here.
    assert!(!colored(&[], ("TERM", "xterm")) && !colored(&["--color", "never"], ("TERM", "xterm")));
    assert!(colored(&["--color", "always", "--target", "metal"], ("TERM", "xterm")));
}

/// The module as a C and as a Rust array: compilers take them, and the words are those of the module.
#[test]
fn arrays_for_c_and_rust() {
    let folder = folder_with(&[("my-scale.cl", SCALE)]);
    expect(0, &folder, &["my-scale.cl"]);
    let module = words(&folder, "my-scale.spv");
    expect(0, &folder, &["my-scale.cl", "--emit", "c-array", "-o", "module.h"]);
    let main = "#include \"module.h\"\n#include \"module.h\"\n#include <stdio.h>\n\
                int main(void) { return fwrite(my_scale_spv, 1, my_scale_spv_size, stdout) != my_scale_spv_size; }\n";
    std::fs::write(folder.path().join("main.c"), main).unwrap();
    let run = |program: &str, arguments: &[&str]| {
        let run = Command::new(program).current_dir(folder.path()).args(arguments).output();
        let run = run.unwrap_or_else(|error| panic!("these tests need {program}: {error}"));
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        run.stdout
    };
    run("cc", &["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "main.c", "-o", "main"]);
    let bytes: Vec<u8> = module.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(run("./main", &[]), bytes);
    let (rust, _) = expect(0, &folder, &["my-scale.cl", "--emit", "rust-array"]);
    let main = format!("{rust}\nfn main() {{ assert_eq!(MY_SCALE, {module:?}); }}\n");
    std::fs::write(folder.path().join("main.rs"), main).unwrap();
    run("rustc", &["--edition", "2021", "-D", "warnings", "main.rs", "-o", "main"]);
    run("./main", &[]);
}
