//! `clforge reflect --emit`: declarations compile, and have the offsets of `clforge reflect --json`.

use serde_json::Value;
use std::path::Path;
use std::process::Command;

const SOURCE: &str = "constant int table[3] = { 1, 2, 3 };
typedef struct { int a; float b; } pair;
typedef struct { float v[40]; } large;
kernel void few(global float *a, float by, local float *s, pair p, char3 c, uint global_size, half4 class, long type) {
    size_t i = get_global_id(0);
    s[get_local_id(0)] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = s[0] * by + table[i % 3] + p.a + c.x + get_global_size(0) + global_size + class.x + type;
}
kernel void many(global float *a, large b, read_only image2d_t im, sampler_t s, write_only image2d_t o, double A) {
    int i = get_global_id(0);
    a[i] = b.v[i % 40] + read_imagef(im, s, (int2)(i, 0)).x + get_work_dim() + get_global_offset(0) + (float)A;
    write_imagef(o, (int2)(i, 0), (float4)(1));
    if (i == 0)
        printf(\"%f\\n\", a[0]);
}
kernel void match(global int *restrict delete) { delete[0] = 1; }
";

fn output(folder: &Path, words: &[&str]) -> String {
    let run = Command::new(words[0]).args(&words[1..]).current_dir(folder).output().expect("the program starts");
    assert!(run.status.success(), "{words:?}\n{}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8_lossy(&run.stdout).into_owned()
}

/// The name that a declaration has for one that is a keyword of another language, or taken.
fn declared(name: &str) -> String {
    let renamed = ["class", "type", "match", "delete", "global_size"].contains(&name);
    if renamed { format!("{name}_") } else { name.to_owned() }
}

/// For each argument among push constants or in the uniform buffer: its structure, its name and its offset.
fn offsets(module: &Value) -> Vec<(String, String, u64)> {
    let mut all = Vec::new();
    for kernel in module["kernels"].as_array().expect("kernels") {
        for argument in kernel["arguments"].as_array().expect("arguments") {
            let (binding, name) = (&argument["binding"], argument["name"].as_str().expect("a name"));
            let block = match binding["kind"].as_str().expect("a kind") {
                kind if kind.ends_with("push_constant") => "push_constants",
                kind if kind.ends_with("uniform") => "uniforms",
                _ => continue,
            };
            let kernel = declared(kernel["name"].as_str().expect("a name"));
            let offset = binding["offset"].as_u64().expect("an offset");
            all.push((format!("{kernel}_{block}"), declared(name), offset));
        }
    }
    all
}

#[test]
fn declarations_have_the_offsets_of_the_reflection() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("k.cl"), SOURCE).expect("a source");
    let clforge = env!("CARGO_BIN_EXE_clforge");
    for (language, file) in [("c-header", "k.h"), ("cpp", "k.hpp"), ("rust", "k.rs")] {
        let text = output(folder, &[clforge, "reflect", "--emit", language, "k.cl"]);
        std::fs::write(folder.join(file), text).expect("declarations");
    }
    let module: Value = serde_json::from_str(&output(folder, &[clforge, "reflect", "--json", "k.cl"])).expect("JSON");
    let expected = offsets(&module);
    assert!(expected.iter().any(|(block, ..)| block == "many_uniforms") && expected.len() > 8, "{expected:?}");
    let lines = expected
        .iter()
        .map(|(block, name, _)| format!("    printf(\"%d\\n\", (int)offsetof(struct {block}, {name}));\n"));
    let program = format!(
        "#include \"k.h\"\n#include <stdio.h>\nint main(void)\n{{\n{}    return 0;\n}}\n",
        lines.collect::<String>()
    );
    std::fs::write(folder.join("main.c"), program).expect("a program");
    let strict = ["-Wall", "-Wextra", "-Werror", "-pedantic"];
    for standard in ["-std=c99", "-std=c11"] {
        output(folder, &[&["cc", standard, "main.c", "-o", "main"], &strict[..]].concat());
        let found = output(folder, &["./main"]);
        let wanted: String = expected.iter().map(|(.., offset)| format!("{offset}\n")).collect();
        assert_eq!(found, wanted);
    }

    let main = "#include \"k.hpp\"\nint main() { return few::S_ELEMENT_SIZE + many::IM_BINDING + \
                sizeof(many::Uniforms) == 4 + 1 + 176 && match_::PUSH_CONSTANTS_SIZE % 4 == 0 ? 0 : 1; }\n";
    std::fs::write(folder.join("main.cpp"), main).expect("a program");
    output(folder, &[&["c++", "-std=c++11", "main.cpp", "-o", "main"], &strict[..]].concat());
    output(folder, &["./main"]);
    let rustc = std::env::var("RUSTC").unwrap_or("rustc".into());
    output(folder, &[&rustc, "--edition", "2021", "--crate-type", "lib", "-D", "warnings", "k.rs"]);
}

const RECORDS: &str = "typedef struct { char c; int d; } inner;
typedef struct { float4 pos; inner parts[2][3]; char3 rgb; struct { short class; } s; } particle;
typedef union { int i; float f; } either;
typedef struct __attribute__((packed)) { char c; int d; } tight;
kernel void k(global particle *p, particle particle, either e, tight t) {
    p[0] = particle;
    p[1].parts[0][1].d = e.i + t.d;
}
kernel void l(global particle *q) { q[0].s.class = 1; }
";

/// The same structures as C lays them out, which is how OpenCL C does (6.2.5, 6.3.5), by hand.
const HOST: &str = "#include \"r.h\"
struct inner { int8_t c; int32_t d; };
struct own { _Alignas(16) float pos[4]; struct inner parts[2][3]; _Alignas(4) int8_t rgb[4]; struct { int16_t class_; } s; };
#define SAME(member) offsetof(struct k_particle, member) == offsetof(struct own, member)
_Static_assert(SAME(pos) && SAME(parts) && SAME(rgb) && SAME(s) && SAME(s.class_), \"offsets\");
_Static_assert(sizeof(struct k_particle) == sizeof(struct own) && sizeof(struct l_particle) == sizeof(struct own), \"size\");
_Static_assert(sizeof(struct k_inner) == 8 && offsetof(struct k_inner, d) == 4, \"an inner structure\");
_Static_assert(sizeof(((struct k_push_constants *)0)->e) == 4 && sizeof(((struct k_push_constants *)0)->t) == 5, \"bytes\");
int main(void) { struct k_push_constants k = { .particle.parts[4].d = 7 }; return k.particle.parts[4].d - 7; }
";

#[test]
fn structures_have_their_members() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    std::fs::write(folder.join("r.cl"), RECORDS).expect("a source");
    let clforge = env!("CARGO_BIN_EXE_clforge");
    for (language, file) in [("c-header", "r.h"), ("cpp", "r.hpp"), ("rust", "r.rs")] {
        let text = output(folder, &[clforge, "reflect", "--emit", language, "r.cl"]);
        std::fs::write(folder.join(file), text).expect("declarations");
    }
    let strict = ["-Wall", "-Wextra", "-Werror", "-pedantic"];
    std::fs::write(folder.join("main.c"), HOST).expect("a program");
    output(folder, &[&["cc", "-std=c11", "main.c", "-o", "main"], &strict[..]].concat());
    output(folder, &["./main"]);

    let main = "#include \"r.hpp\"\nint main() { k::PushConstants all = k::PushConstants(); all.particle.s.class_ = 3;\n\
                k::particle one = all.particle; return one.s.class_ - 3; }\n";
    std::fs::write(folder.join("main.cpp"), main).expect("a program");
    output(folder, &[&["c++", "-std=c++11", "main.cpp", "-o", "main"], &strict[..]].concat());
    output(folder, &["./main"]);
    let rustc = std::env::var("RUSTC").unwrap_or("rustc".into());
    output(folder, &[&rustc, "--edition", "2021", "--crate-type", "lib", "-D", "warnings", "r.rs"]);
}

#[test]
fn modules_for_opencl_have_no_declarations() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("k.cl"), "kernel void k(global int *p) { *p = 1; }").expect("a source");
    let clforge = env!("CARGO_BIN_EXE_clforge");
    output(folder.path(), &[clforge, "compile", "--target", "opencl3.0", "k.cl", "-o", "k.spv"]);
    let run = Command::new(clforge).args(["reflect", "--emit", "rust", "k.spv"]).current_dir(folder.path()).output();
    assert_eq!(run.expect("the command runs").status.code(), Some(1));
}
