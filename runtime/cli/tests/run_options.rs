//! `clforge run` and `clforge reflect`: kernels and arguments by name, warnings about what does not fit, times as JSON.

mod common;

use common::expect;
use serde_json::Value;
use tempfile::TempDir;

const ADD: &str = "kernel void add(global const int *a, global const int *b, global int *sum, int more) {\n\
                   size_t i = get_global_id(0); sum[i] = a[i] - 2 * b[i] + more; }\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join("add.cl"), ADD).unwrap();
    std::fs::write(folder.path().join("two.cl"), "kernel void f() {}\nkernel void g() {}\n").unwrap();
    std::fs::write(folder.path().join("none.cl"), "void f() {}\n").unwrap();
    folder
}

#[test]
fn a_single_kernel_needs_no_name() {
    let folder = folder();
    let (_, err) = expect(2, &folder, &["run", "two.cl", "--global", "1"]);
    assert!(err.contains("several kernels; name one with --kernel: 'f', 'g'"), "{err}");
    expect(0, &folder, &["run", "two.cl", "--global", "1", "--kernel", "g"]);
    assert!(expect(2, &folder, &["run", "none.cl", "--global", "1"]).1.contains("no kernels"));
}

#[test]
fn arguments_by_name() {
    let folder = folder();
    let run = ["run", "add.cl", "--global", "2"];
    let with = |code, words: &str| expect(code, &folder, &[&run[..], &words.split(' ').collect::<Vec<_>>()].concat());
    // Named ones in any order; the others fill the parameters that are left, in order.
    let named = "--arg more=int=5 --arg sum=buffer:bytes=8 --arg b=buffer:int=1,2 --arg a=buffer:int=10,20";
    let mixed = "--arg more=int=5 --arg buffer:int=10,20 --arg buffer:int=1,2 --arg sum=buffer:bytes=8";
    for words in [named, mixed] {
        let (out, _) = with(0, &format!("{words} --print sum --print 2:int:1 --out sum=sum.bin"));
        assert_eq!(out, "sum: 13 21\n2: 13\n");
        assert_eq!(std::fs::read(folder.path().join("sum.bin")).unwrap(), [13, 0, 0, 0, 21, 0, 0, 0]);
    }
    let (_, err) = with(2, &format!("{named} --arg smu=null"));
    assert!(err.contains("kernel 'add' has no parameter 'smu'; did you mean 'sum'?"), "{err}");
    assert!(with(2, &format!("{named} --arg a=null")).1.contains("parameter 'a' of kernel 'add' is given twice"));
    assert!(with(2, &format!("{named} --arg null")).1.contains("takes 4 arguments, but 5 were given"));
    assert!(with(2, "--arg a=null").1.contains("takes 4 arguments, but 1 was given; missing: "));
    assert!(with(2, &format!("{named} --print more")).1.contains("argument 3 'more' is not a buffer or image"));
    assert!(with(2, &format!("{named} --print nothing")).1.contains("has no parameter 'nothing'"));
}

/// Numbers are of the parameter's type; other parameters have no such values.
#[test]
fn numbers_need_no_type() {
    let source = "kernel void f(global float *o, float4 a, uchar c, float x) { o[0] = a.x + a.w + c + x; }\n";
    let folder = common::folder_with(&[("f.cl", source), ("data", "1234")]);
    let run = ["run", "f.cl", "--global", "1"];
    let with = |code, words: &str| expect(code, &folder, &[&run[..], &words.split(' ').collect::<Vec<_>>()].concat());
    let (out, _) = with(0, "--arg buffer:bytes=4 --arg 1,2,3,4 --arg 0x10 --arg -0.5 --print o");
    assert_eq!(out, "o: 20.5\n");
    let (out, _) = with(0, "--arg x=-.25e1 --arg c=200 --arg a=1,2,3,4 --arg o=buffer:bytes=4 --print o");
    assert_eq!(out, "o: 202.5\n");
    for (words, message) in [
        ("--arg buffer:bytes=4 --arg 1,2,3,4 --arg 300 --arg 1", "300 is out of range for 'uchar'"),
        ("--arg buffer:bytes=4 --arg 1,2,3,4 --arg 1 --arg 1e39", "1e39 is out of range for 'float'"),
        ("--arg buffer:bytes=4 --arg 1,2 --arg 3 --arg 1", "'float4' has 4 components, but 2 were given"),
        ("--arg buffer:bytes=4 --arg 1,2,3,4 --arg 3 --arg 1,2", "argument 3 'x' is one value of type 'float'"),
        ("--arg 4 --arg 1,2,3,4 --arg 3 --arg 1", "argument 0 'o' of kernel 'f' is 'float*', not a number"),
        ("--arg data --arg 1,2,3,4 --arg 3 --arg 1", "a file is 'buffer:file=PATH'"),
        ("--arg 1 --arg 1 --arg 1 --arg 1 --arg 1", "takes 4 arguments, but 5 were given"),
        ("--arg null --arg 1,2,3,4 --arg 3 --arg x=two", "'two' is not a number (for 'float')"),
        ("--arg x=1 --arg o=null", "missing: 'a' (float4), 'c' (uchar)"),
    ] {
        let (_, err) = with(2, words);
        assert!(err.contains(message), "{words}\n{err}");
    }
}

/// Values are made, and what is written to standard output as data is not mixed with text.
#[test]
fn data_on_standard_output() {
    let source = "kernel void f(global const uchar *from, global uchar *to) {\n\
                  uint i = get_global_id(0); to[i] = from[i] + 1; if (i == 0) printf(\"first\\n\"); }\n";
    let folder = common::folder_with(&[("f.cl", source)]);
    let run =
        ["run", "f.cl", "--global", "4", "--arg", "buffer:uchar:range=4", "--arg", "buffer:bytes=4", "--print", "to"];
    let (out, _) = expect(0, &folder, &run);
    assert_eq!(out, "first\nto: 1 2 3 4\n");
    let (out, err) = expect(0, &folder, &[&run[..], &["--time", "--out", "to=-"]].concat());
    assert_eq!(out.as_bytes(), [1, 2, 3, 4]);
    assert!(err.contains("first\nto: 1 2 3 4\n") && err.contains("device: "), "{err}");
    let (_, err) =
        expect(2, &folder, &["run", "f.cl", "--global", "4", "--arg", "buffer:uchar:ranges=4", "--arg", "null"]);
    assert!(err.contains("'ranges': values are made by 'random' or 'range'"), "{err}");
}

/// Standard input is there once, a program is not written over, and `reflect` takes a source from standard input.
#[test]
fn one_file_for_one_purpose() {
    let folder = folder();
    let (_, err) = expect(2, &folder, &["run", "-", "--global", "1", "--arg", "buffer:file=-"]);
    assert!(err.contains("standard input cannot be read twice"), "{err}");
    let run = ["run", "add.cl", "--global", "1", "--arg", "buffer:int=1", "--arg", "buffer:int=1"];
    let more = ["--arg", "buffer:bytes=4", "--arg", "1", "--out", "sum=./add.cl"];
    let (_, err) = expect(2, &folder, &[&run[..], &more].concat());
    assert!(err.contains("--out './add.cl': it is the program"), "{err}");
    assert_eq!(std::fs::read_to_string(folder.path().join("add.cl")).unwrap(), ADD);
    let mut reflect = std::process::Command::new(env!("CARGO_BIN_EXE_clforge"));
    let source = std::fs::File::open(folder.path().join("two.cl")).unwrap();
    let run = reflect.args(["reflect", "-"]).stdin(source).output().unwrap();
    assert!(String::from_utf8_lossy(&run.stdout).contains("kernel f"), "{run:?}");
}

#[test]
fn what_is_no_module_is_not_compiled() {
    let folder = common::folder_with(&[("x.spv", "kernel void k() {}"), ("x.SPV", "\u{3}"), ("empty.spv", "")]);
    for file in ["x.spv", "x.SPV", "empty.spv"] {
        for arguments in [&["run", file, "--global", "1"][..], &["compile", file, "-o", "out"], &["reflect", file]] {
            let (_, err) = expect(1, &folder, arguments);
            assert!(err.contains(&format!("'{file}' is not a SPIR-V module")), "{arguments:?}\n{err}");
        }
    }
}

#[test]
fn what_does_not_fit_is_warned_of() {
    let folder = folder();
    let run = ["run", "add.cl", "--global", "1", "--arg", "buffer:float=1", "--arg", "buffer:uint=1"];
    let more = ["--arg", "buffer:bytes=4", "--arg", "int=1", "--out", "2=sum.jpg", "--out", "0=a.png"];
    let all = [&run[..], &more].concat();
    let (_, err) = expect(0, &folder, &all);
    let wanted = "warning: argument 0 'a' of kernel 'add' is 'int*', but its buffer is given as 'float'";
    assert!(err.contains(wanted) && !err.contains("argument 1"), "{err}");
    assert!(err.contains("'sum.jpg' gets raw bytes") && err.contains("'a.png' gets raw bytes"), "{err}");
    for silent in ["-w", "--quiet"] {
        assert_eq!(expect(0, &folder, &[&all[..], &[silent]].concat()).1, "", "{silent}");
    }
}

/// A warning about the driver comes once a day and cache folder, on one line.
#[test]
fn warnings_of_drivers_are_not_repeated() {
    let folder = folder();
    let run = ["run", "two.cl", "--global", "1", "--kernel", "f"];
    assert_eq!(expect(0, &folder, &[&run[..], &["-w"]].concat()).1, "");
    assert!(expect(0, &folder, &[&run[..], &["--no-cache"]].concat()).1.lines().count() <= 1);
    assert_eq!(expect(0, &folder, &run).1, "");
    assert_eq!(expect(0, &folder, &[&run[..], &["--no-cache"]].concat()).1, "");
    let cached = std::fs::read_dir(folder.path().join("cache")).unwrap();
    assert!(cached.count() > 0, "without --no-cache there is a cache");
}

#[test]
fn times_as_json() {
    let folder = folder();
    let run = ["run", "two.cl", "--global", "4", "--kernel", "f", "--repeat", "3"];
    let (out, _) = expect(0, &folder, &[&run[..], &["--time", "--json"]].concat());
    let times: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(times["host"]["all"].as_array().unwrap().len(), 3);
    assert!(times["host"]["best"].as_u64() <= times["host"]["median"].as_u64());
    assert_eq!(times["local_size"].as_array().unwrap().len(), 3);
    assert_eq!(times["dispatches"], 1);
    expect(2, &folder, &[&run[..], &["--json"]].concat());
}

#[test]
fn sources_and_modules_for_opencl_are_described() {
    let folder = folder();
    let (text, _) = expect(0, &folder, &["reflect", "add.cl"]);
    assert!(text.contains("kernel add (4 arguments)") && text.contains("int more - "), "{text}");
    std::fs::write(folder.path().join("wrong.cl"), "kernel void k() { x; }\n").unwrap();
    assert!(expect(1, &folder, &["reflect", "wrong.cl"]).1.contains("undeclared identifier 'x'"));
    expect(0, &folder, &["compile", "two.cl", "--target", "opencl1.2"]);
    let (text, _) = expect(0, &folder, &["reflect", "two.spv"]);
    assert!(text.contains("a module for OpenCL (SPIR-V 1.0, 64-bit addresses)"), "{text}");
    assert!(text.ends_with("kernel f\nkernel g\n"), "{text}");
    let (json, _) = expect(0, &folder, &["reflect", "two.spv", "--json"]);
    let module: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&module["environment"], &module["kernels"][1]["name"]), (&"opencl".into(), &"g".into()));
    assert!(expect(2, &folder, &["reflect", "two.spv", "-DX"]).1.contains("do not apply to SPIR-V"));
    assert!(expect(2, &folder, &["run", "two.cl", "--global", "1", "-MD"]).1.contains("option of 'clforge compile'"));
}

/// The compiler makes ids of 64 bits where the range needs them; a module must have been made for such a range.
#[test]
fn ranges_beyond_32_bits() {
    let source = "kernel void k(global ulong *o) { o[get_global_id(0) - get_global_offset(0)] = get_global_id(0); }\n";
    let folder = common::folder_with(&[("k.cl", source)]);
    let more = ["--global", "2", "--offset", "1099511627776", "--arg", "buffer:bytes=16", "--print", "o"];
    let run = |file: &str, code| expect(code, &folder, &[&["run", file][..], &more].concat());
    assert_eq!(run("k.cl", 0).0, "o: 1099511627776 1099511627777\n");
    expect(0, &folder, &["compile", "k.cl", "-o", "narrow.spv"]);
    assert!(run("narrow.spv", 2).1.contains("compiled for global ids of 32 bits, without the option --wide-ids"));
    expect(0, &folder, &["compile", "k.cl", "--wide-ids", "-o", "wide.spv"]);
    assert_eq!(run("wide.spv", 0).0, "o: 1099511627776 1099511627777\n");
    let (text, _) = expect(0, &folder, &["reflect", "wide.spv"]);
    assert!(text.contains("push constant: region offset, offset 0, size 24"), "{text}");
}
