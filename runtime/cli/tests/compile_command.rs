//! `clforge compile` as scripts see it: what it writes for each target and kind, build options, includes, streams, and
//! what it says about wrong programs.

mod common;

use common::folder_with;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn clforge(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clforge"));
    command.current_dir(folder).args(arguments).stdin(Stdio::null()).output().expect("clforge starts")
}

/// Runs, expects an exit code, and returns standard output and standard error.
#[track_caller]
fn expect(code: i32, folder: &Path, arguments: &[&str]) -> (Vec<u8>, String) {
    let run = clforge(folder, arguments);
    let err = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(code), "{arguments:?}\n{err}");
    assert!(!err.contains("internal"), "{arguments:?}\n{err}");
    assert!(code == 0 || !err.trim().is_empty(), "{arguments:?} fails without a word");
    (run.stdout, err)
}

const SCALE: &str = "kernel void scale(global float *data, float by) {\n    data[get_global_id(0)] *= by;\n}\n";

/// A module's version word and capabilities.
fn header(bytes: &[u8]) -> (u32, Vec<u32>) {
    let words: Vec<u32> = bytes.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().unwrap())).collect();
    assert_eq!(words[0], 0x0723_0203, "the magic number");
    let capabilities = words[5..].chunks(2).take_while(|inst| inst[0] == 2 << 16 | 17).map(|inst| inst[1]);
    (words[1], capabilities.collect())
}

#[test]
fn every_target_has_its_version_and_its_capabilities() {
    let folder = folder_with(&[("scale.cl", SCALE)]);
    // The newest SPIR-V of each environment, or an older one (Vulkan specification, appendix A; OpenCL SPIR-V
    // environment, 2.1); Shader is capability 1, Kernel 6.
    for (target, newest, capability) in [
        ("vulkan1.1", 0x0001_0300, 1),
        ("vulkan1.2", 0x0001_0500, 1),
        ("vulkan1.3", 0x0001_0600, 1),
        ("vulkan1.4", 0x0001_0600, 1),
        ("opencl1.2", 0x0001_0000, 6),
        ("opencl2.0", 0x0001_0000, 6),
        ("opencl2.1", 0x0001_0000, 6),
        ("opencl2.2", 0x0001_0200, 6),
        ("opencl3.0", 0x0001_0200, 6),
        ("opencl3.1", 0x0001_0200, 6),
    ] {
        let (module, err) = expect(0, folder.path(), &["compile", "scale.cl", "--target", target, "-o", "-"]);
        assert_eq!(err, "", "{target}");
        let (version, capabilities) = header(&module);
        assert!(version <= newest, "{target}: {version:x}");
        assert!(capabilities.contains(&capability), "{target}: {capabilities:?}");
        assert!(!capabilities.contains(&(7 - capability)), "{target}: {capabilities:?}");
    }
    let (_, err) = expect(2, folder.path(), &["compile", "scale.cl", "--target", "vulkan9"]);
    assert!(err.contains("vulkan9"), "{err}");
}

#[test]
fn every_kind_of_output() {
    let folder = folder_with(&[("scale.cl", SCALE)]);
    let text = |kind| {
        let (out, err) = expect(0, folder.path(), &["compile", "scale.cl", "--emit", kind]);
        assert_eq!(err, "", "{kind}");
        String::from_utf8(out).expect("text")
    };
    assert!(text("asm").contains("OpEntryPoint GLCompute"));
    assert!(text("ir").contains("scale"));
    assert!(text("hir").contains("Builtin 'ulong' get_global_id 'ulong (uint)'"));
    assert!(text("ast").contains("get_global_id"));
    assert!(text("preprocessed").contains("kernel void scale"));
    let (_, err) = expect(2, folder.path(), &["compile", "scale.cl", "--emit", "llvm"]);
    assert!(err.contains("llvm"), "{err}");
    // Without -o the module has the source's name and lies here.
    let (out, _) = expect(0, folder.path(), &["compile", "scale.cl"]);
    assert_eq!(out, b"");
    header(&std::fs::read(folder.path().join("scale.spv")).expect("scale.spv"));
    let (_, err) = expect(2, folder.path(), &["compile", "scale.spv"]);
    assert!(err.contains("SPIR-V already"), "{err}");
}

#[test]
fn output_that_cannot_be_written() {
    let folder = folder_with(&[("scale.cl", SCALE)]);
    for place in ["missing/x.spv", ".", "scale.cl/x"] {
        let (_, err) = expect(2, folder.path(), &["compile", "scale.cl", "-o", place]);
        assert!(err.contains(&format!("cannot write '{place}'")), "{err}");
    }
    let (_, err) = expect(2, folder.path(), &["compile", "scale.cl", "-o", "/dev/full"]);
    assert!(err.contains("cannot write '/dev/full'"), "{err}");
}

#[test]
fn standard_input_and_a_closed_pipe() {
    let folder = folder_with(&[]);
    let start = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_clforge"));
        let command = command.current_dir(folder.path()).args(arguments).stdin(Stdio::piped());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("clforge starts")
    };
    let mut child = start(&["compile", "-"]);
    child.stdin.take().unwrap().write_all(SCALE.as_bytes()).unwrap();
    let run = child.wait_with_output().unwrap();
    assert_eq!(run.status.code(), Some(0), "{}", String::from_utf8_lossy(&run.stderr));
    header(&run.stdout);

    let mut child = start(&["compile", "-", "-o", "-"]);
    child.stdin.take().unwrap().write_all(b"kernel void f( {").unwrap();
    let run = child.wait_with_output().unwrap();
    assert_eq!(run.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&run.stderr).contains("<stdin>:1:16"), "{}", String::from_utf8_lossy(&run.stderr));

    let mut child = start(&["compile", "-", "--emit", "asm"]);
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(SCALE.as_bytes()).unwrap();
    let run = child.wait_with_output().unwrap();
    assert_eq!((run.status.code(), String::from_utf8_lossy(&run.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn macros_from_the_command_line() {
    let folder =
        folder_with(&[("m.cl", "int a = A; int b = B; int c = SQUARE(3);\n#ifdef GONE\n#error here\n#endif\n")]);
    let all =
        ["compile", "m.cl", "--emit", "preprocessed", "-DA", "-D", "B=7", "-DSQUARE(x)=x*x", "-DGONE", "-U", "GONE"];
    let (out, _) = expect(0, folder.path(), &all);
    let text: String = String::from_utf8(out).unwrap().split_whitespace().collect();
    assert!(text.contains("inta=1;intb=7;intc=3*3;"), "{text}");
    for (wrong, part) in [
        (&["-D"][..], "'-D' needs a macro name"),
        (&["-D", "1x"], "does not begin with a macro name"),
        (&["-I"], "'-I' needs a folder"),
        (&["-cl-std=CL4.0"], "unknown version 'CL4.0'"),
        (&["-cl-fast-math"], "unknown build option '-cl-fast-math'"),
    ] {
        let (_, err) = expect(2, folder.path(), &[&["compile", "m.cl"], wrong].concat());
        assert!(err.contains(part), "{wrong:?}: {err}");
    }
}

#[test]
fn includes_are_looked_for_beside_the_file_and_in_the_folders() {
    let folder = folder_with(&[
        ("src/main.cl", "#include \"near.h\"\n#include <far.h>\n#include NAME\nint x = NEAR + FAR + NAMED;\n"),
        ("src/near.h", "#define NEAR 1\n"),
        ("include/far.h", "#include \"sub/deep.h\"\n"),
        ("include/sub/deep.h", "#define FAR 2\n"),
        ("other/named.h", "#define NAMED 4\n"),
    ]);
    let main = ["compile", "src/main.cl", "--emit", "preprocessed", "-DNAME=<named.h>"];
    let (out, _) = expect(0, folder.path(), &[&main[..], &["-Iinclude", "-I", "other"]].concat());
    assert!(String::from_utf8_lossy(&out).contains("1 + 2 + 4"), "{}", String::from_utf8_lossy(&out));
    let (_, err) = expect(1, folder.path(), &[&main[..], &["-I", "other"]].concat());
    assert!(err.contains("src/main.cl:2:10") && err.contains("far.h"), "{err}");
}

#[test]
fn warnings_can_be_silenced_or_made_errors() {
    let folder = folder_with(&[("w.cl", "#warning look\nkernel void f(global int *p) { *p = 1; }\n")]);
    let (_, err) = expect(0, folder.path(), &["compile", "w.cl"]);
    assert!(err.contains("warning") && err.contains("w.cl:1:"), "{err}");
    assert_eq!(expect(0, folder.path(), &["compile", "w.cl", "-w"]).1, "");
    let (_, err) = expect(1, folder.path(), &["compile", "w.cl", "-Werror"]);
    assert!(err.contains("error") && err.contains("w.cl:1:"), "{err}");
}

#[test]
fn language_versions_differ() {
    let folder = folder_with(&[("v.cl", "int version = __OPENCL_C_VERSION__;\n")]);
    for (option, value) in [
        ("-cl-std=CL1.0", "100"),
        ("-cl-std=CL1.1", "110"),
        ("-cl-std=CL1.2", "120"),
        ("-cl-std=CL3.0", "300"),
        ("-cl-std=CL3.1", "310"),
    ] {
        let (out, _) = expect(0, folder.path(), &["compile", "v.cl", "--emit", "preprocessed", option]);
        assert!(
            String::from_utf8_lossy(&out).contains(&format!("= {value} ;"))
                || String::from_utf8_lossy(&out).contains(&format!("= {value};"))
        );
    }
}

/// The wrong programs of the acceptance criteria: each with the place its first error is at, a part of its message, the
/// source line that is shown, and the column of the caret below it.
#[test]
fn errors_show_file_line_column_the_line_and_a_caret() {
    for (text, place, message, line) in [
        ("kernel void f(global int *p) {\n  *p = 1 +;\n}\n", "2:11", "expected expression", "  *p = 1 +;"),
        ("kernel void f(global int *p) {\n  *p = count;\n}\n", "2:8", "'count'", "  *p = count;"),
        ("struct s { int a; };\nkernel void f(global int *p) {\n  struct s v;\n  *p = v;\n}\n", "4:8", "", "  *p = v;"),
        ("#include \"missing.h\"\n", "1:10", "'missing.h'", "#include \"missing.h\""),
        ("#define F(x) x\nint a = F(1;\n", "2:9", "macro invocation", "int a = F(1;"),
        ("#define F(x\nint a;\n", "1:12", "", "#define F(x"),
        ("#if 1\nint a;\n", "1:2", "conditional directive", "#if 1"),
        ("/* no end\n", "1:1", "comment", "/* no end"),
        ("kernel int f() { return 1; }\n", "1:8", "void", "kernel int f() { return 1; }"),
        ("kernel void f() { g(); }\n", "1:19", "'g'", "kernel void f() { g(); }"),
        ("kernel void f() { float4 v; v.w5 = 1; }\n", "1:31", "", "kernel void f() { float4 v; v.w5 = 1; }"),
        ("void f() { f(); }\nkernel void k() { f(); }\n", "1:6", "recursion", "void f() { f(); }"),
    ] {
        let folder = folder_with(&[("wrong.cl", text)]);
        let (_, err) = expect(1, folder.path(), &["compile", "wrong.cl", "-o", "x.spv"]);
        let first = err.lines().position(|shown| shown.contains("wrong.cl:")).expect("a place");
        assert!(
            err.lines().nth(first).is_some_and(|shown| shown.ends_with(&format!("wrong.cl:{place}"))),
            "{text}\n{err}"
        );
        assert!(err.lines().next().is_some_and(|shown| shown.starts_with("error") && shown.contains(message)), "{err}");
        let shown = err.lines().skip(first).position(|shown| shown.ends_with(line)).map(|shown| shown + first);
        let shown = shown.unwrap_or_else(|| panic!("no line\n{err}"));
        let column: usize = place.split_once(':').and_then(|(_, column)| column.parse().ok()).expect("a column");
        let lines: Vec<&str> = err.lines().collect();
        let start = lines[shown].len() - line.len();
        assert_eq!(lines[shown + 1].find('^'), Some(start + column - 1), "{err}");
        assert!(!folder.path().join("x.spv").exists(), "nothing is written for a wrong program");
    }
}

/// Unsupported features are reported at their place, too.
#[test]
fn what_vulkan_cannot_have_has_a_place() {
    let text = "int declared(int x);\nkernel void f(global int *p) {\n  *p = declared(1);\n}\n";
    let folder = folder_with(&[("part.cl", text)]);
    let (_, err) = expect(1, folder.path(), &["compile", "part.cl"]);
    assert!(err.contains("part.cl:1:5") && err.contains("'declared'"), "{err}");
    // OpenCL has a linker.
    let (asm, _) = expect(0, folder.path(), &["compile", "part.cl", "--target", "opencl3.0", "--emit", "asm"]);
    assert!(String::from_utf8_lossy(&asm).contains("LinkageAttributes \"declared\" Import"));
    expect(0, folder.path(), &["compile", "part.cl", "--target", "opencl3.0"]);
}

#[test]
fn passes_are_printed_and_timed() {
    let folder = folder_with(&[("scale.cl", SCALE)]);
    let arguments =
        ["compile", "scale.cl", "--print-before", "mem2reg", "--print-after", "vulkan/memory", "--time-passes"];
    let (_, err) = expect(0, folder.path(), &arguments);
    let before = err.find("; IR before mem2reg\n").expect("the IR before the pass");
    let after = err.find("; IR after vulkan/memory\n").expect("the IR after the pass");
    assert!(before < after, "in the order of the pipeline:\n{err}");
    // What promotion removes is still there before it, and legalisation for Vulkan leaves no pointer.
    assert!(err[before..after].contains("alloca"), "{err}");
    assert!(!err[after..].contains("ptr."), "{err}");
    for stage in ["preprocess", "parse", "sema", "lower", "passes", "emit", "mem2reg", "vulkan/kernel_abi"] {
        assert!(err.lines().any(|line| line.ends_with(&format!("  {stage}"))), "{stage} is timed:\n{err}");
    }
    let (_, err) = expect(2, folder.path(), &["compile", "scale.cl", "--print-after", "mem2regs"]);
    assert!(err.contains("no pass 'mem2regs'") && err.contains("vulkan/kernel_abi"), "{err}");
}

/// What is left of a function that was copied into its callers is none of the program's functions.
#[test]
fn inlined_functions_are_not_printed() {
    let text = "float square(float x) { return x * x; }\nkernel void k(global float *a) { *a = square(*a); }\n";
    let folder = folder_with(&[("k.cl", text)]);
    let (_, err) =
        expect(0, folder.path(), &["compile", "k.cl", "--print-before", "inline", "--print-after", "inline"]);
    let (before, after) = err.split_once("; IR after inline\n").expect("the IR after the pass");
    assert!(before.contains("func @square(") && before.contains("call @square"), "{err}");
    assert!(after.contains("kernel @k(") && !after.contains("func @") && !after.contains("call"), "{err}");
}

#[test]
fn outputs_have_a_folder() {
    let folder = folder_with(&[("a.cl", SCALE), ("b.cl", SCALE)]);
    expect(0, folder.path(), &["compile", "a.cl", "b.cl", "--out-dir", "out", "-MD"]);
    for name in ["a.spv", "a.d", "b.spv", "b.d"] {
        assert!(folder.path().join("out").join(name).is_file(), "{name}");
        assert!(!folder.path().join(name).exists(), "{name}");
    }
    let rule = std::fs::read_to_string(folder.path().join("out/b.d")).expect("the dependency file");
    assert!(rule.starts_with("out/b.spv: b.cl"), "{rule}");
    let (_, err) = expect(2, folder.path(), &["compile", "a.cl", "b.cl", "-o", "out"]);
    assert!(err.contains("'--out-dir'"), "{err}");
}

#[test]
fn optimizations_are_left_out() {
    let source = "kernel void k(global int *a) { a[0] = a[1] / 8; }\n";
    let folder = folder_with(&[("a.cl", source)]);
    let ir = |options: &[&str]| {
        let arguments = [&["compile", "a.cl", "--emit", "ir", "-o", "-"], options].concat();
        String::from_utf8(expect(0, folder.path(), &arguments).0).expect("text")
    };
    let divides = |text: &str| text.contains("= sdiv ");
    assert!(!divides(&ir(&[])), "{}", ir(&[]));
    let without = ir(&["--disable-pass", "simplify", "--disable-pass", "strength_reduction"]);
    assert!(divides(&without), "{without}");
    // Legality needs it.
    let (_, err) = expect(2, folder.path(), &["compile", "a.cl", "--disable-pass", "mem2reg"]);
    assert!(err.contains("simplify") && err.contains("unroll_loops"), "{err}");
}

#[test]
fn units_are_linked() {
    let square = "float square(float x) { return x * x; }\n";
    let kernel = "float square(float);\nkernel void k(global float *a) { a[0] = square(a[0]); }\n";
    let folder =
        folder_with(&[("square.cl", square), ("k.cl", kernel), ("wrong.cl", "int square(int x) { return x; }\n")]);
    let folder = folder.path();
    let quiet = |arguments: &[&str]| assert_eq!(expect(0, folder, arguments).1, "", "{arguments:?}");
    quiet(&["compile", "square.cl", "k.cl", "--emit", "unit"]);
    quiet(&["link", "square.unit", "k.unit", "-o", "a.spv"]);
    quiet(&["link", "square.unit", "-o", "library.unit", "--library"]);
    quiet(&["link", "k.cl", "library.unit", "-o", "b.spv"]);
    assert_eq!(
        header(&std::fs::read(folder.join("a.spv")).unwrap()),
        header(&std::fs::read(folder.join("b.spv")).unwrap())
    );
    let (text, _) = expect(0, folder, &["reflect", "a.spv"]);
    assert!(String::from_utf8_lossy(&text).contains("k"));
    let (_, err) = expect(1, folder, &["link", "k.unit", "-o", "c.spv"]);
    assert!(err.contains("function 'square' is called but has no definition"), "{err}");
    let (_, err) = expect(1, folder, &["link", "k.unit", "wrong.cl", "-o", "c.spv", "--message-format", "short"]);
    assert!(
        err.starts_with("k.cl:1:7: error: conflicting types for 'square': 'float (float)' vs 'int (int)'"),
        "{err}"
    );
    let (_, err) = expect(2, folder, &["link", "a.spv", "-o", "c.spv"]);
    assert!(err.contains("'a.spv' is a SPIR-V module, and not for OpenCL"), "{err}");
    expect(0, folder, &["compile", "--target", "opencl3.0", "square.cl", "-o", "square.spv"]);
    expect(0, folder, &["link", "k.unit", "square.spv", "-o", "e.spv"]);
    let (text, _) = expect(0, folder, &["reflect", "square.spv"]);
    assert!(String::from_utf8_lossy(&text).contains("exports square"));
    let (_, err) = expect(1, folder, &["compile", "square.spv", "--spec-const", "9=0x10", "-o", "d.spv"]);
    assert!(err.contains("no specialisation constant has the number 9"), "{err}");
    let (_, err) = expect(2, folder, &["compile", "square.cl", "--spec-const", "9=1", "-o", "d.spv"]);
    assert!(err.contains("--spec-const does not apply to it"), "{err}");
    let (_, err) = expect(2, folder, &["compile", "square.spv", "--spec-const", "9", "-o", "d.spv"]);
    assert!(err.contains("give ID=VALUE"), "{err}");
    let (_, err) = expect(2, folder, &["compile", "k.unit"]);
    assert!(err.contains("'k.unit' is compiled already"), "{err}");
    let mut bytes = std::fs::read(folder.join("k.unit")).unwrap();
    bytes.pop();
    std::fs::write(folder.join("k.unit"), bytes).unwrap();
    let (_, err) = expect(1, folder, &["link", "k.unit", "-o", "c.spv"]);
    assert!(err.contains("'k.unit': the unit is damaged"), "{err}");
    assert!(!folder.join("c.spv").exists());
}
