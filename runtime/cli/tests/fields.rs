//! Structures by their fields: as arguments, in buffers, and printed. Expected values are C's layout and the host's arithmetic.

mod common;

use common::expect;
use tempfile::TempDir;

fn folder_with(source: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("k.cl"), source).unwrap();
    folder
}

/// Every kind of field; what is between them is padding.
const KINDS: &str = "struct inner { char c; short s[2]; };
typedef struct { float4 pos; int n; uchar3 rgb; struct inner in[2]; union { int i; float f; }; ulong last; half h; } all;
kernel void copy(all a, global all *out, global char *raw) {
    out[get_global_id(0)] = a; out[get_global_id(0)].n += get_global_id(0);
    if (get_global_id(0) == 0) for (int i = 0; i < sizeof(all); i++) raw[i] = ((private char *)&a)[i];
}
kernel void sum(global const all *a, global float *sums) {
    int i = get_global_id(0);
    sums[i] = dot(a[i].pos, (float4)(1)) + a[i].n + a[i].in[1].s[0];
}
";

#[test]
fn arguments_and_results_by_fields() {
    let folder = folder_with(KINDS);
    let argument =
        "a=struct:pos=1,-2.5,3,4; n=7; rgb=1,2,3; in[1].s=-5,6; in[0].c=9; f=1; last=18446744073709551615; h=0.5";
    let run = ["run", "k.cl", "--kernel", "copy", "--global", "2", "--arg", argument, "--arg", "out=buffer:bytes=128"];
    let more = ["--arg", "raw=buffer:bytes=64", "--print", "out", "--print", "out::1", "--out", "raw=raw.bin"];
    let (out, _) = expect(0, &folder, &[&run[..], &more].concat());
    let element = |n: i32| {
        format!(
            "{{pos=(1,-2.5,3,4) n={n} rgb=(1,2,3) in=[{{c=9 s=[0,0]}},{{c=0 s=[-5,6]}}] {{i=1065353216|f=1}} \
             last=18446744073709551615 h=0.5}}"
        )
    };
    assert_eq!(out, format!("out: {} {}\nout: {}\n", element(7), element(8), element(7)));
    // The same structure as a C compiler lays it out.
    let mut bytes = vec![0; 64];
    for (index, value) in [1.0_f32, -2.5, 3.0, 4.0].into_iter().enumerate() {
        bytes[index * 4..][..4].copy_from_slice(&value.to_le_bytes());
    }
    bytes[16] = 7;
    bytes[20..23].copy_from_slice(&[1, 2, 3]);
    bytes[24] = 9;
    bytes[32..36].copy_from_slice(&[0xfb, 0xff, 6, 0]);
    bytes[36..40].copy_from_slice(&1.0_f32.to_le_bytes());
    bytes[40..48].fill(0xff);
    bytes[48..50].copy_from_slice(&[0, 0x38]);
    assert_eq!(std::fs::read(folder.path().join("raw.bin")).unwrap(), bytes);
}

#[test]
fn buffers_of_structures() {
    let folder = folder_with(KINDS);
    let buffer = "buffer:struct:pos=1,2,3,4;n=10|in[1].s[0]=-100|pos=0.5,0,0,0;";
    let run = ["run", "k.cl", "--kernel", "sum", "--global", "3", "--arg", buffer, "--arg", "buffer:bytes=12"];
    let (out, _) = expect(0, &folder, &[&run[..], &["--print", "sums"]].concat());
    assert_eq!(out, "sums: 20 -100 0.5\n");
}

#[test]
fn names_of_types_that_are_no_structures() {
    let folder = folder_with(
        "typedef float real; enum color { red, green }; typedef int matrix[2][3];
kernel void k(global real *a, global enum color *b, global matrix *m, real by) {
    a[get_global_id(0)] *= by; b[get_global_id(0)] = green; m[0][1][get_global_id(0)] = 5; }",
    );
    let run = ["run", "k.cl", "--global", "2", "--arg", "a=buffer:float=1,2", "--arg", "b=buffer:int=0,0"];
    let more = ["--arg", "m=buffer:bytes=24", "--arg", "by=float=1.5", "--print", "a", "--print", "b", "--print", "m"];
    assert_eq!(expect(0, &folder, &[&run[..], &more].concat()).0, "a: 1.5 3\nb: 1 1\nm: [[0,0,0],[5,5,0]]\n");
    let wrong = ["--arg", "m=buffer:bytes=24", "--arg", "by=int=1"];
    let (_, err) = expect(2, &folder, &[&run[..], &wrong].concat());
    assert!(err.contains("argument 3 'by' of kernel 'k' is 'real', but 'int' was given"), "{err}");
}

#[test]
fn mistakes_name_the_fields() {
    let folder = folder_with(KINDS);
    let fields = "the fields of 'all' are: float4 pos, int n, uchar3 rgb, struct inner in[2], union (unnamed), ulong last, half h";
    for (given, problem) in [
        ("ps=1", format!("'all' has no field 'ps'; did you mean 'pos'?; {fields}")),
        ("elsewhere=1", format!("'all' has no field 'elsewhere'; {fields}")),
        ("n", String::new()),
        ("n=1;last", format!("'last' is not FIELD=VALUES; {fields}")),
        ("pos=1,2,3", "'float4 pos' takes 4 values, but '1,2,3' has 3".into()),
        ("n=1,2", "'int n' takes 1 value, but '1,2' has 2".into()),
        ("n=x", "'x' is not an integer (for 'n')".into()),
        ("rgb=1,2,256", "256 is out of range for 'rgb'".into()),
        ("in=1", "'struct inner in[2]' is an array: name an element, like in[0]".into()),
        ("in.c=1", "'in' is an array: name an element, like in[0]".into()),
        ("in[2].c=1", "'in[2]': there is no element 2 of 2".into()),
        ("in[0][0].c=1", "'in[0][0]': it has no elements".into()),
        ("in[0=1", "'in[0': ']' is missing".into()),
        (
            "in[1]=1",
            "is given by its fields, like in[1].FIELD=VALUES; the fields of 'struct inner' are: char c, short s[2]"
                .into(),
        ),
        ("in[1].s=1", "'short in[1].s[2]' takes 2 values, but '1' has 1".into()),
        ("n.x=1", "'n' is 'int' and has no fields".into()),
        ("=1", format!("'' is not a field; {fields}")),
    ] {
        let argument = format!("struct:{given}");
        let run = ["run", "k.cl", "--kernel", "copy", "--global", "1", "--arg", &argument];
        let (_, err) = expect(2, &folder, &[&run[..], &["--arg", "buffer:bytes=64", "--arg", "null"]].concat());
        assert!(err.contains(&problem), "{given}: {err}");
    }
    let (_, err) = expect(
        2,
        &folder,
        &["run", "k.cl", "--kernel", "sum", "--global", "1", "--arg", "null", "--arg", "struct:n=1"],
    );
    assert!(err.contains("argument 1 'sums' of kernel 'sum': it is not a structure whose fields are known"), "{err}");
    let folder = folder_with("struct large { int a[100]; }; kernel void k(global struct large *p) {}");
    let run = ["run", "k.cl", "--global", "1", "--arg", "buffer:struct:a[0]=1|a[1]=2", "--max-file-size", "799"];
    let (_, err) = expect(2, &folder, &run);
    assert!(err.contains("2 of 400 bytes are more than the limit of 799 bytes"), "{err}");
}

#[test]
fn reflection_has_the_layouts() {
    let folder = folder_with(KINDS);
    let (text, _) = expect(0, &folder, &["reflect", "k.cl"]);
    let line = "all (56 bytes): float4 pos at 0, int n at 16, uchar3 rgb at 20, struct inner in[2] at 24, union (unnamed) at 36";
    assert!(
        text.contains("struct inner (6 bytes): char c at 0, short s[2] at 2\n")
            && text.contains("union (unnamed) (4 bytes, a union)"),
        "{text}"
    );
    assert!(text.contains(&line.replace("56", "64")), "{text}");
    // A module keeps them, and one without structures says nothing of them.
    expect(0, &folder, &["compile", "k.cl"]);
    let (json, _) = expect(0, &folder, &["reflect", "k.spv", "--json"]);
    let module: serde_json::Value = serde_json::from_str(&json).unwrap();
    let record = &module["kernels"][0]["arguments"][0]["layout"]["element"]["record"];
    assert_eq!(module["records"][record.as_u64().unwrap() as usize]["members"][1]["offset"], 16);
    std::fs::write(
        folder.path().join("plain.cl"),
        "kernel void k(global float4 *a, int n, constant unsigned char *b) {}",
    )
    .unwrap();
    let (assembly, _) = expect(0, &folder, &["compile", "plain.cl", "--emit", "asm"]);
    let import = assembly.lines().find(|line| line.contains("ClforgeLayouts")).unwrap();
    let set = import.split_whitespace().next().unwrap();
    // 1 to 3 are the instructions of layouts; 7 says which memory the kernel accesses.
    let of_set = |line: &&str| line.contains("OpExtInst ") && line.split_whitespace().any(|word| word == set);
    let numbers: Vec<&str> = assembly
        .lines()
        .filter(of_set)
        .filter_map(|line| line.split_whitespace().skip_while(|word| *word != set).nth(1))
        .collect();
    assert_eq!(numbers, ["7"], "{assembly}");
}

/// Types inside each other without end, and members that overlap, are printed in a time that their bytes bound.
#[test]
fn layouts_are_bounded() {
    let mut unions = String::from("union u0 { int a; };\n");
    let mut structs = String::from("struct s0 { int a; };\n");
    for level in 1..30 {
        let below = level - 1;
        unions += &format!("union u{level} {{ union u{below} a, b, c; }};\n");
    }
    for level in 1..2000 {
        structs += &format!("struct s{level} {{ struct s{} a; }};\n", level - 1);
    }
    let kernel = "kernel void k(global union u29 *u, global struct s1999 *s) { u[0].a.a.b.c; }\n";
    let folder = folder_with(&(unions + &structs + &kernel.replace("u[0].a.a.b.c;", "")));
    let run = [
        "run",
        "k.cl",
        "--global",
        "1",
        "--arg",
        "buffer:int=1",
        "--arg",
        "buffer:int=1",
        "--print",
        "u",
        "--print",
        "s",
    ];
    let (out, _) = expect(0, &folder, &run);
    assert!(out.len() < 100_000 && out.ends_with("\ns: 1 0 0 0\n"), "{} bytes", out.len());
}
