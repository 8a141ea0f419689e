//! Whatever the input, `clforge compile` ends with an exit code and a message: never a signal, a panic or a hang.

mod common;

use fastrand::Rng;
use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Address space of the process in kB: a source may not eat the machine.
const MEMORY: u32 = 4_000_000;

/// Compiles `source` as `a.cl` in `folder`; exit code and standard error.
fn compile(folder: &Path, source: impl AsRef<[u8]>) -> (i32, String) {
    std::fs::write(folder.join("a.cl"), source).expect("the source is written");
    let errors = folder.join("stderr");
    // The shell sets the limit on memory, then becomes the compiler.
    let script = format!("ulimit -v {MEMORY}; exec \"$0\" compile a.cl -o a.spv --no-validate");
    let child = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_clforge")])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(std::fs::File::create(&errors).expect("a file for standard error"))
        .spawn()
        .expect("clforge starts");
    let status = common::wait(child, "clforge compile");
    let text = String::from_utf8_lossy(&std::fs::read(&errors).expect("standard error")).into_owned();
    let shown: String = text.chars().take(2000).collect();
    let code = status.code().unwrap_or_else(|| panic!("{status}\n{shown}"));
    assert!(code == 0 || code == 1, "exit code {code}\n{shown}");
    assert!(code == 0 || text.contains("error"), "no error is printed");
    assert!(!text.contains("panicked") && !text.contains("internal compiler error"), "{shown}");
    (code, text)
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Expects an error with a place, the source line and a caret.
#[track_caller]
fn error(source: &str, line: usize, column: usize, words: &str) {
    let folder = folder();
    let (code, text) = compile(folder.path(), source);
    assert_eq!(code, 1, "{source}\n{text}");
    assert!(text.contains(&format!("a.cl:{line}:{column}")), "expected {line}:{column}\n{text}");
    assert!(text.contains(words), "expected '{words}'\n{text}");
    let shown = source.lines().nth(line - 1).unwrap_or_default().trim();
    assert!(text.contains(shown) && text.contains('^'), "the line and a caret\n{text}");
}

#[test]
fn mistakes_have_a_place_and_a_caret() {
    error("kernel void k(global int *a)\n{\n    a[0] = 1 +;\n}\n", 3, 15, "expected");
    error("kernel void k(global int *a)\n{\n    a[0] = b;\n}\n", 3, 12, "'b'");
    error("kernel void k(global int *a)\n{\n    a = 1.5f;\n}\n", 3, 9, "float");
    error(
        "struct s { int x; };\nkernel void k(global int *a)\n{\n    struct s v;\n    a[0] = v;\n}\n",
        5,
        12,
        "struct s",
    );
    error("\n  #include \"nowhere.h\"\nkernel void k() {}\n", 2, 12, "nowhere.h");
    error("#define F(x) x\nkernel void k(global int *a)\n{\n    a[0] = F(1;\n}\n", 4, 12, "F");
    error("kernel void k(global int *a)\n{\n    a[0] = a.x;\n}\n", 3, 12, "structure");
    error("kernel void k(global int *a)\n{\n    f(a);\n}\n", 3, 5, "'f'");
    error("int g(int x) { return x; }\nkernel void k(global int *a)\n{\n    a[0] = g();\n}\n", 4, 12, "argument");
}

#[test]
fn what_is_not_closed_is_found() {
    error("#if 1\nkernel void k() {}\n", 1, 2, "#if");
    error("kernel void k() {}\n/* never closed\n", 2, 1, "comment");
    error("kernel void k()\n{\n    int a = 'x;\n}\n", 3, 13, "'");
    for source in
        ["kernel void k() {", "kernel void k(", "struct s {", "int a[", "int a = (", "#define", "#if", "\"abc"]
    {
        let folder = folder();
        assert_eq!(compile(folder.path(), source).0, 1, "{source}");
    }
}

#[test]
fn empty_and_nearly_empty_sources() {
    let folder = folder();
    for source in ["", "\n", ";", "\\", "//", "#", "\u{feff}", "\0", "kernel", "\\\n\\\n"] {
        compile(folder.path(), source);
    }
}

/// `prefix`, then `open` and `close` around `middle`, many times.
fn nested(prefix: &str, open: &str, middle: &str, close: &str, depth: usize) -> String {
    [prefix, &open.repeat(depth), middle, &close.repeat(depth), ";\n}\n"].concat()
}

#[test]
fn deep_nesting_ends_in_a_diagnostic() {
    const BODY: &str = "kernel void k(global int *a)\n{\n";
    const SUM: &str = "kernel void k(global int *a)\n{\n    a[0] = ";
    let folder = folder();
    let (code, text) = compile(folder.path(), nested(SUM, "(", "1", ")", 10_000));
    assert_eq!(code, 1);
    assert!(text.contains("a.cl:3:") && text.contains("nest"), "{text}");
    for depth in [10_000, 100_000] {
        compile(folder.path(), nested(SUM, "(", "1", ")", depth));
        compile(folder.path(), nested(SUM, "(", "", "", depth));
        compile(folder.path(), nested(SUM, "", "", ")", depth));
        compile(folder.path(), nested(SUM, "- ", "1", "", depth));
        compile(folder.path(), nested(SUM, "(int)", "1", "", depth));
        compile(folder.path(), nested(SUM, "1 ? ", "1", " : 2", depth));
        compile(folder.path(), nested(SUM, "a[", "0", "]", depth));
        compile(folder.path(), nested(SUM, "1 + ", "1", "", depth));
        compile(folder.path(), nested(SUM, "a[0] = ", "1", "", depth));
        compile(folder.path(), nested(SUM, "sizeof ", "1", "", depth));
        compile(folder.path(), nested(BODY, "{", "", "}", depth));
        compile(folder.path(), nested(BODY, "if (a[0]) ", "a[0] = 1", "", depth));
        compile(folder.path(), nested(BODY, "if (a[0] > 3) a[0]++; else ", "a[0] = 1", "", depth));
        compile(folder.path(), nested(BODY, "for (;;) ", "a[0] = 1", "", depth));
        compile(folder.path(), nested(BODY, "int x = ", "1", "", depth));
        compile(folder.path(), nested("kernel void k() {\nint b", "[2]", "", "", depth));
        compile(folder.path(), nested("kernel void k() {\nint ", "*", "p", "", depth));
        compile(folder.path(), nested("kernel void k() {\nint ", "(", "p", ")", depth));
        compile(folder.path(), nested("kernel void k() {\nint x[] = ", "{", "1", "}", depth));
        compile(folder.path(), nested("", "struct {", "int a;", "} b;", depth));
        compile(folder.path(), nested("", "#if 1\n", "", "#endif\n", depth));
        compile(folder.path(), nested("#if ", "(", "1", ")", depth));
        compile(folder.path(), nested("#if ", "!", "1", "", depth));
    }
}

#[test]
fn macros_that_explode_are_stopped() {
    let folder = folder();
    let mut doubling = String::from("#define A0 x x\n");
    for i in 1..40 {
        let _ = writeln!(doubling, "#define A{i} A{} A{}", i - 1, i - 1);
    }
    doubling.push_str("A39\n");
    assert_eq!(compile(folder.path(), &doubling).0, 1);
    let mut deep = String::from("#define F0(x) x\n");
    for i in 1..20_000 {
        let _ = writeln!(deep, "#define F{i}(x) F{}(x)", i - 1);
    }
    deep.push_str("kernel void k(global int *a) { a[0] = F19999(1); }\n");
    compile(folder.path(), &deep);
    let calls =
        ["#define F(x) x\nkernel void k(global int *a) { a[0] = ", &"F(".repeat(20_000), "1", &")".repeat(20_000)];
    compile(folder.path(), calls.concat() + "; }\n");
    compile(folder.path(), "#define F F\n#define G(x) G(x) F\nint F = G(G(G(1)));\n");
    compile(folder.path(), "#define P(a, b) a##b\nint x = P(P(1, 2), P(+, -)) P(/, /) ;\n");
}

#[test]
fn files_that_include_themselves_are_stopped() {
    let folder = folder();
    let (code, text) = compile(folder.path(), "#include \"a.cl\"\n");
    assert_eq!(code, 1);
    assert!(text.contains("a.cl:1:"), "{text}");
    std::fs::write(folder.path().join("b.h"), "#include \"c.h\"\n#include \"c.h\"\n").expect("b.h is written");
    std::fs::write(folder.path().join("c.h"), "#include \"b.h\"\n#include \"b.h\"\n").expect("c.h is written");
    assert_eq!(compile(folder.path(), "#include \"b.h\"\n").0, 1);
    assert_eq!(compile(folder.path(), "#include \".\"\n").0, 1);
}

#[test]
fn fifty_megabytes_end() {
    const SIZE: usize = 50_000_000;
    let folder = folder();
    let fill = |text: &str| text.repeat(SIZE / text.len());
    assert_eq!(compile(folder.path(), fill("x")).0, 1);
    assert_eq!(compile(folder.path(), fill("int f(int x) { return x + 1; }\n") + "oops").0, 1);
    assert_eq!(compile(folder.path(), fill("( + [ ; } 1.5 \"a\" #x\n")).0, 1);
    compile(folder.path(), fill("\n"));
    compile(folder.path(), fill("/* */ "));
    assert_eq!(compile(folder.path(), "kernel void k() { int a = ".to_owned() + &fill("1 + ") + "; }").0, 1);
}

#[test]
fn random_bytes_and_words_end() {
    let folder = folder();
    let mut random = Rng::with_seed(1);
    for _ in 0..40 {
        let bytes: Vec<u8> = (0..random.usize(..4000)).map(|_| random.u8(..)).collect();
        compile(folder.path(), bytes);
        let text: Vec<u8> = (0..random.usize(..2000)).map(|_| random.u8(32..127)).collect();
        compile(folder.path(), text);
    }
    let words: Vec<&str> = "kernel void int float4 struct { } ( ) [ ] ; , * & + - -> . = == ? : if else for while do \
        switch case default break continue return goto typedef enum union global local constant private const x y f 1 \
        0x7f 1.5f 'c' \"s\" sizeof # ## \n#define \n#if \n#endif \n#include \n#undef __attribute__ uchar16 inline static"
        .split(' ')
        .collect();
    for _ in 0..150 {
        let soup: Vec<&str> = (0..random.usize(..80)).map(|_| words[random.usize(..words.len())]).collect();
        compile(folder.path(), format!("kernel void k(global int *x) {{ {} }}\n", soup.join(" ")));
    }
}

/// Real programs with pieces deleted, doubled or overwritten.
#[test]
fn damaged_programs_end() {
    let folder = folder();
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shaders-test/programs");
    let mut random = Rng::with_seed(2);
    for name in ["reduction", "particles", "bitonic", "sha256", "mandelbrot", "convolution"] {
        let path = programs.join(name).join(format!("{name}.cl"));
        let original = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for _ in 0..40 {
            let mut text = original.clone();
            let from = random.usize(..text.len());
            let junk = b"(){}[];*&,.:?=+-<>#x1 \n";
            let to = (from + random.usize(..12)).min(text.len());
            match random.usize(..3) {
                0 => drop(text.drain(from..to)),
                1 => {
                    let piece = text[from..to].to_vec();
                    let at = random.usize(..text.len());
                    text.splice(at..at, piece);
                }
                _ => text[from..to].iter_mut().for_each(|byte| *byte = junk[random.usize(..junk.len())]),
            }
            compile(folder.path(), text);
        }
    }
}
