//! Unusual programs: whatever the input, the command ends by itself, soon, in little memory, with a
//! diagnostic or a module.

use fastrand::Rng;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Bytes of address space a compilation may take, its stack's half gigabyte included.
const MEMORY: u64 = 3 << 30;
/// Seconds of processor time after which it counts as hung: far above what anything here takes, since growth is what
/// `runtime/tests/growth.rs` looks at.
const SECONDS: u64 = 1_000;

/// Compiles a file under the limits; the exit code and standard error.
#[track_caller]
fn compile(folder: &Path, file: &str, more: &[&str]) -> (i32, String) {
    let limits = format!("ulimit -v {} && ulimit -t {SECONDS} && exec \"$@\"", MEMORY / 1024);
    let mut command = Command::new("sh");
    command.args(["-c", &limits, "sh", env!("CARGO_BIN_EXE_clforge"), "compile", file, "-o", "out.spv"]).args(more);
    let run = command.current_dir(folder).stdin(Stdio::null()).output().expect("sh starts");
    let err = String::from_utf8_lossy(&run.stderr).into_owned();
    let code = run.status.code().unwrap_or_else(|| panic!("{file} {more:?}: {:?}\n{}", run.status, start(&err)));
    assert!(!err.contains("internal"), "{file} {more:?}: {}", start(&err));
    assert!(code == 0 || code == 1, "{file} {more:?}: {code}\n{}", start(&err));
    assert!(code == 0 || !err.trim().is_empty(), "{file} {more:?} fails without a word");
    // Diagnostics are for people: a page of them, not megabytes.
    assert!(err.len() < 1 << 20, "{} bytes of messages", err.len());
    (code, err)
}

fn start(text: &str) -> String {
    text.chars().take(2000).collect()
}

fn folder_with(name: &str, text: &[u8]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join(name), text).expect("the file is written");
    folder
}

/// A source with an error that mentions `message`.
#[track_caller]
fn fails(text: &str, message: &str) {
    let folder = folder_with("x.cl", text.as_bytes());
    let (code, err) = compile(folder.path(), "x.cl", &[]);
    assert!(code == 1 && err.contains(message), "{code}: {}", start(&err));
}

/// A source that is right, for both environments.
#[track_caller]
fn compiles(text: &str) {
    let folder = folder_with("x.cl", text.as_bytes());
    for target in ["vulkan1.2", "opencl3.0"] {
        let (code, err) = compile(folder.path(), "x.cl", &["--target", target]);
        assert_eq!(code, 0, "{target}: {}", start(&err));
    }
}

fn kernel(body: &str) -> String {
    format!("kernel void k(global int *p, int n) {{\n{body}\n}}\n")
}

/// `count` pieces, one after another.
fn each(count: usize, piece: impl Fn(usize) -> String) -> String {
    (0..count).map(piece).collect()
}

#[test]
fn nesting_is_bounded() {
    for (open, close) in [("(", ")"), ("p[", "]"), ("(int)(", ")"), ("f(", ")"), ("sizeof(", ")")] {
        fails(&kernel(&format!("p[0] = {}0{};", open.repeat(10_000), close.repeat(10_000))), "nest");
        fails(&kernel(&format!("p[0] = {}", open.repeat(10_000))), "nest");
    }
    fails(&kernel(&format!("{}{}", "{".repeat(10_000), "}".repeat(10_000))), "nest");
    fails(&kernel(&format!("int a[1] = {}1{};", "{".repeat(10_000), "}".repeat(10_000))), "nest");
    fails(&format!("#define F(x) x\nint a = {}1{};\n", "F(".repeat(10_000), ")".repeat(10_000)), "nest");
    fails(&format!("int {}x;\n", "*".repeat(10_000)), "declarator is too complex");
    compiles(&kernel(&(each(2_000, |i| format!("if (n == {i}) p[0] = {i}; else ")) + ";")));
    compiles(&kernel(&format!("p[0] = {}n;", "- ~".repeat(9_000))));
    compiles(&format!("#if {}1{}\n{}#endif\n", "(".repeat(50_000), ")".repeat(50_000), kernel("p[0] = n;")));
    compiles(&kernel(&format!("{}p[0] = 1;{}", "if (n > 1) {".repeat(200), "}".repeat(200))));
}

#[test]
fn large_programs_compile() {
    compiles(&kernel(&each(5_000, |i| format!("p[{i}] = p[{}] * n + {i};\n", i + 1))));
    compiles(&kernel(
        &(each(2_000, |i| format!("int v{i} = p[{i}];\n")) + &each(2_000, |i| format!("p[{i}] = v{i};\n"))),
    ));
    compiles(&kernel(&format!("switch (n) {{ {} }}", each(1_000, |i| format!("case {i}: p[0] = {i}; break;\n")))));
    compiles(&kernel(&format!("p[0] = {}0;", each(19_000, |i| format!("p[{i}] + ")))));
    compiles(&kernel(&each(1_000, |i| format!("if (p[{i}] == n) return;\n"))));
    compiles(&each(300, |i| format!("kernel void k{i}(global int *p) {{ p[{i}] = {i}; }}\n")));
    let parameters = each(200, |i| format!(", int a{i}"));
    compiles(&format!("kernel void k(global int *p{parameters}) {{ p[0] = a0 + a199; }}\n"));
}

/// More edges meet than an `OpPhi` can name. Not validated: spirv-val takes a minute for each.
#[test]
fn many_edges_meet() {
    for edge in ["continue", "break"] {
        let edges = format!("if (p[n++]) {edge};\n").repeat(33_000);
        let body = format!("for (int i = 0; i < p[i]; i += n) {{ {edges} p[i] = n; }} p[0] = n;");
        let folder = folder_with("x.cl", kernel(&body).as_bytes());
        let (code, err) = compile(folder.path(), "x.cl", &["--no-validate"]);
        assert_eq!(code, 0, "{edge}: {}", start(&err));
    }
}

#[test]
fn long_call_chains_and_trees_stay_small() {
    let chain = each(3_000, |i| format!("int f{}(int x) {{ return f{i}(x) * 3 + x; }}\n", i + 1));
    compiles(&format!("int f0(int x) {{ return x; }}\n{chain}{}", kernel("p[0] = f3000(n);")));
    let by_pointer = each(300, |i| format!("void f{}(int *x) {{ f{i}(x); *x += {i}; f{i}(x); }}\n", i + 1));
    compiles(&format!("void f0(int *x) {{ *x += 1; }}\n{by_pointer}{}", kernel("int v = n; f300(&v); p[0] = v;")));
}

/// More than fits in one string of the reflection, and more than fits in one constant of SPIR-V.
#[test]
fn large_tables() {
    let table = format!("constant int table[80000] = {{ {} }};\n", each(80_000, |i| format!("{},", i * 7)));
    compiles(&(table.clone() + &kernel("p[0] = table[n];")));
    let folder =
        folder_with("table.cl", (table + &kernel("p[get_global_id(0)] = table[n + get_global_id(0)];")).as_bytes());
    let mut command = Command::new(env!("CARGO_BIN_EXE_clforge"));
    command.args([
        "run",
        "table.cl",
        "--kernel",
        "k",
        "--global",
        "2",
        "--arg",
        "buffer:int=0,0",
        "--arg",
        "int=65534",
    ]);
    let run = command.args(["--print", "0"]).current_dir(folder.path()).output().expect("clforge starts");
    let err = String::from_utf8_lossy(&run.stderr);
    assert_eq!(String::from_utf8_lossy(&run.stdout), format!("0: {} {}\n", 65534 * 7, 65535 * 7), "{err}");
    fails(&("constant int table[1 << 29] = { 1 };\n".to_owned() + &kernel("p[0] = table[n];")), "too large");
}

/// Initial values take memory for each byte, not for each character.
#[test]
fn large_objects_with_short_initialisers() {
    let arrays = each(70, |i| format!("constant int a{i}[1000000] = {{ 1 }};\n"));
    fails(&(arrays + &kernel("p[0] = a0[n];")), "constant objects are too large: 272000000 bytes up to here");
    let arrays = each(2_000, |i| format!("{{ int a[20000] = {{ 1 }}; p[{i}] = a[n]; }}\n"));
    let folder = folder_with("x.cl", kernel(&arrays).as_bytes());
    compile(folder.path(), "x.cl", &["--no-validate"]);
}

/// A macro makes long names of short ones.
#[test]
fn long_names_of_arguments() {
    let long = "T".repeat(60_000);
    let kernels = |parameter: &str| each(2_000, |i| format!("kernel void k{i}(global {parameter}) {{}}\n"));
    let message = "names and types of kernel parameters have";
    fails(&format!("#define NAME {long}\n{}", kernels("int *NAME")), message);
    fails(&format!("typedef int {long};\n#define NAME {long}\n{}", kernels("NAME *p")), message);
}

/// Each use of a macro has its own bytes.
#[test]
fn many_uses_of_a_long_string() {
    let string = format!("#define STRING \"{}\"\n", "x".repeat(1_000_000));
    let uses = each(300, |i| format!("p[{i}] = STRING[n];\n"));
    fails(&(string + &kernel(&uses)), "string literals have more than 268435456 bytes up to here");
}

/// Each call reads its format.
#[test]
fn many_calls_with_a_long_format() {
    let format = format!("#define FORMAT \"%d{}\"\n", "x".repeat(100_000));
    let calls = "printf(FORMAT, n);\n".repeat(1_000);
    fails(&(format + &kernel(&calls)), "strings of calls of 'printf' have more than 67108864 bytes up to here");
}

/// A pointer that is made of another one many times over: in private memory, each access adds up all of its indices.
#[test]
fn long_chains_of_pointers() {
    for (space, object) in [("", "a"), ("global ", "p")] {
        let steps = "q += n; *q = 1; p[0] = *q;\n".repeat(20_000);
        let body = format!("int a[64]; {space}int *q = {object}; {steps} p[0] = a[n];");
        let folder = folder_with("x.cl", kernel(&body).as_bytes());
        let (code, err) = compile(folder.path(), "x.cl", &["--no-validate"]);
        match object {
            "p" => assert_eq!(code, 0, "{}", start(&err)),
            _ => assert!(code == 0 || err.contains("the program is too large"), "{}", start(&err)),
        }
    }
}

#[test]
fn macros_that_grow_without_end() {
    let doubling = each(100, |i| format!("#define B{} B{i} + B{i}\n", i + 1));
    fails(&format!("#define B0 1\n{doubling}int x = B100;\n"), "too many tokens");
    compiles(&format!(
        "#define A B\n#define B A\n#define F(x) F(x)\n#define G F(G)\n{}",
        kernel("int A = n; p[0] = A;")
    ));
}

#[test]
fn a_file_that_includes_itself() {
    let folder = folder_with("self.cl", b"#include \"self.cl\"\n");
    let (code, err) = compile(folder.path(), "self.cl", &[]);
    assert!(code == 1 && err.contains("self.cl:1:") && err.contains("nested too deeply"), "{}", start(&err));
    let folder = folder_with("twice.cl", b"#include \"twice.cl\"\n#include \"twice.cl\"\n");
    assert_eq!(compile(folder.path(), "twice.cl", &[]).0, 1);
}

#[test]
fn fifty_megabytes() {
    let size = 50 << 20;
    let words = "alpha beta 42 + ; ".repeat(size / 18);
    let folder = folder_with("words.cl", words.as_bytes());
    assert_eq!(compile(folder.path(), "words.cl", &[]).0, 1);
    let folder = folder_with("line.cl", "a".repeat(size).as_bytes());
    assert_eq!(compile(folder.path(), "line.cl", &[]).0, 1);
    let folder = folder_with("blank.cl", "\n".repeat(size).as_bytes());
    assert_eq!(compile(folder.path(), "blank.cl", &[]).0, 0);
}

#[test]
fn random_bytes_and_random_characters() {
    let mut random = Rng::with_seed(0x9e37_79b9_7f4a_7c15);
    for round in 0..20 {
        let printable = round % 2 == 0;
        let byte = |random: &mut Rng| if printable { random.u8(32..127) } else { random.u8(..) };
        let bytes: Vec<u8> = (0..1 << (round + 1).min(18)).map(|_| byte(&mut random)).collect();
        let folder = folder_with("random.cl", &bytes);
        compile(folder.path(), "random.cl", &[]);
    }
}

/// A program with most of the language in it, to be damaged.
const WHOLE: &str = "
#define SQUARE(x) ((x) * (x))
typedef struct { float4 at; int count[3]; uchar tag; } item;
enum kind { SMALL = 1, LARGE = SMALL << 4 };
constant short table[] = { 1, -2, 3, [5] = 7 };
static float dot3(const float3 a, float3 b) { return a.x * b.x + dot(a.yz, b.yz); }
int find(global const item *items, int n, uchar tag) {
    for (int i = 0; i < n; ++i) {
        if (items[i].tag == tag) return i;
        else if (items[i].count[1] > LARGE) continue;
        switch (items[i].count[0]) { case 0: break; case 3: i += 2; default: n--; }
    }
    return -1;
}
void bump(local uint *shared, int *own) { *own += shared[get_local_id(0)]++; }
kernel __attribute__((reqd_work_group_size(8, 1, 1)))
void whole(global item *items, global float8 *out, local uint *shared, const int n, item one) {
    int own = n; uint8 wide = (uint8)(1, 2, 3, 4, (uint4)n); char c = 'a';
    shared[get_local_id(0)] = convert_uint_sat_rte(sin(items[0].at.s0) * 1.5e3f);
    barrier(CLK_LOCAL_MEM_FENCE);
    do { bump(shared, &own); own >>= 1; } while (own > 3 && !(own & 1));
    int i = find(items, n, (uchar)c), k = i < 0 ? 0 : i;
    items[k].at.xyz = (float3)(dot3(items[k].at.xyz, one.at.wzy), SQUARE(2.f), table[k & 3]);
    atomic_add(&items[k].count[k % 3], sizeof(item)); goto end;
    wide.odd -= wide.even;
end: out[get_global_id(0)] = as_float8(wide) + vload8(0, (global float *)out);
}
";

/// The tokens of a text, near enough.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut last = ' ';
    for character in text.chars() {
        let word = |character: char| character.is_alphanumeric() || character == '_' || character == '.';
        match tokens.last_mut() {
            Some(token) if word(character) && word(last) => token.push(character),
            _ => tokens.push(character.into()),
        }
        last = character;
    }
    tokens
}

/// Deletes, doubles, swaps and replaces tokens.
fn damage(tokens: &mut Vec<String>, random: &mut Rng) {
    const STRANGE: [&str; 24] = [
        "0",
        "-1",
        "0xffffffffffffffff",
        "1e39f",
        "'x'",
        "\"s\"",
        "float16",
        "void",
        "half",
        "event_t",
        "struct",
        "*",
        "&",
        "[",
        "]",
        "(",
        "{",
        "}",
        ";",
        "local",
        "constant",
        "return",
        "break",
        "#",
    ];
    for _ in 0..1 + random.usize(..3) {
        let (at, other) = (random.usize(..tokens.len()), random.usize(..tokens.len()));
        match random.usize(..6) {
            0 => drop(tokens.remove(at)),
            1 => tokens.insert(at, tokens[at].clone()),
            2 => tokens.swap(at, other),
            3 => tokens[at] = tokens[other].clone(),
            4 => tokens[at] = STRANGE[random.usize(..STRANGE.len())].into(),
            _ => tokens.insert(at, format!(" {} ", STRANGE[random.usize(..STRANGE.len())])),
        }
    }
}

#[test]
fn damaged_programs() {
    compiles(WHOLE);
    let folder = folder_with("x.cl", b"");
    let whole = tokens(WHOLE);
    let mut random = Rng::with_seed(0x2545_f491_4f6c_dd1d);
    let (mut good, rounds) = (0, 300);
    for round in 0..rounds {
        let mut tokens = whole.clone();
        damage(&mut tokens, &mut random);
        let mut file = std::fs::File::create(folder.path().join("x.cl")).expect("the file is made");
        file.write_all(tokens.concat().as_bytes()).expect("the file is written");
        let target = if round % 2 == 0 { "vulkan1.2" } else { "opencl3.0" };
        let (code, _) = compile(folder.path(), "x.cl", &["--target", target, "-w"]);
        good += usize::from(code == 0);
    }
    // Damage to blanks and comments does nothing; if all or none failed, the test would be asleep.
    assert!(good > 5 && good < rounds - 50, "{good} of {rounds} compile");
}
