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
    let run = ["run", "add.cl", "--global", "1", "--arg", "buffer:uchar=1,0,0,0", "--arg", "buffer:uint=1"];
    let more = ["--arg", "buffer:bytes=4", "--arg", "int=1", "--out", "2=sum.jpg", "--out", "0=a.png"];
    let all = [&run[..], &more].concat();
    let (_, err) = expect(0, &folder, &all);
    let wanted = "warning: argument 0 'a' of kernel 'add' is 'int*', but its buffer is given as 'uchar'";
    assert!(err.contains(wanted) && !err.contains("argument 1"), "{err}");
    assert!(err.contains("'sum.jpg' gets raw bytes") && err.contains("'a.png' gets raw bytes"), "{err}");
    for silent in ["-w", "--quiet"] {
        assert_eq!(expect(0, &folder, &[&all[..], &[silent]].concat()).1, "", "{silent}");
    }
    // Numbers of another type are an error, except bytes, as which anything may be given.
    let with = |values: &str, more: &[&str], code| {
        let arguments = ["--arg", values, "--arg", "buffer:int=1", "--arg", "buffer:bytes=4", "--arg", "1"];
        expect(code, &folder, &[&run[..4], &arguments, more].concat()).1
    };
    for (values, given) in [("double=1,2", "double"), ("float=1", "float"), ("long=1", "long"), ("short=1,2", "short")]
    {
        let wanted = format!("argument 0 'a' of kernel 'add' is 'int*', but its buffer is given as '{given}'");
        let err = with(&format!("buffer:{values}"), &[], 2);
        assert!(err.contains(&format!("error: {wanted}; --force launches the kernel nevertheless")), "{err}");
        let err = with(&format!("buffer:{values}"), &["--force"], 0);
        assert!(err.contains(&format!("warning: {wanted}\n")), "{err}");
    }
    assert_eq!(with("buffer:uint=1", &[], 0), "");
}

/// A driver that ends loops silently makes a launch fail; a module that cannot notice it is warned of behind each run, if its kernel
/// may be concerned.
#[test]
fn loops_that_a_driver_ends() {
    let source = "
        kernel void none(global int *o) { o[0] = 1; }
        kernel void few(global int *o) { for (int i = 0; i < 40; i++) for (int k = 9; k > 0; k -= 2) o[k] += i * k; }
        kernel void many(global int *o) { for (int i = 0; i < 9000000; i++) o[0] = o[0] * 3 + i; }
        kernel void unknown(global int *o) { for (int i = 0; i < o[1] + 5; i++) o[0] = o[0] * 3 + i; }
        int steps(int n) { int s = 0; while (n != 1) { n = n % 2 ? n * 3 + 1 : n / 2; s++; } return s; }
        kernel void called(global int *o) { o[0] = steps(o[1] + 27); }";
    let folder = common::folder_with(&[("k.cl", source)]);
    let (devices, _) = expect(0, &folder, &["devices", "--json"]);
    let devices: Value = serde_json::from_str(&devices).unwrap();
    let has_limit = devices[0]["quirks"].as_array().unwrap().contains(&"loop_limit".into());
    // For any device, so that nothing notices what this one does.
    expect(0, &folder, &["compile", "k.cl"]);
    for (kernel, has_loops) in [("none", false), ("few", true), ("many", true), ("unknown", true), ("called", true)] {
        let with = |file: &str, code: i32, more: &[&str]| {
            let run =
                ["run", file, "--global", "1", "--kernel", kernel, "--arg", "buffer:bytes=64", "--print", "o:int:1"];
            expect(code, &folder, &[&run[..], more].concat())
        };
        let is_ended = has_limit && kernel == "many";
        let (out, err) = with("k.cl", if is_ended { 3 } else { 0 }, &[]);
        assert!(is_ended || (out.starts_with("o: ") && err.is_empty()), "{kernel}: {out}{err}");
        assert_eq!(
            err.contains("the driver has ended a loop of kernel 'many' after 65535 iterations"),
            is_ended,
            "{err}"
        );
        for _ in 0..2 {
            let (out, err) = with("k.spv", 0, &[]);
            assert!(out.starts_with("o: "), "{out}");
            let wanted = format!("those of kernel '{kernel}' may have reached");
            assert_eq!(err.contains(&wanted), has_limit && has_loops, "{kernel}: {err}");
        }
        assert_eq!(with("k.spv", 0, &["-w"]).1, "");
    }
}

/// A stray access ends the process on a device whose kernels are executed in it; the message says how to find it.
#[test]
fn a_crash_says_what_to_type() {
    let folder = common::folder_with(&[("k.cl", "kernel void k(global int *a) { a[1l << 40] = 1; }\n")]);
    let run = ["run", "k.cl", "--global", "1", "--arg", "buffer:bytes=4"];
    let found = common::run(&folder, &run);
    if found.2.contains("the driver crashed") {
        assert_eq!(found.0, Some(3));
        assert!(
            found.2.contains("outside of its buffers does this: give --bounds-check to see which access"),
            "{}",
            found.2
        );
    }
    let (_, err) = expect(1, &folder, &[&run[..], &["--bounds-check"]].concat());
    assert!(err.contains("out-of-range write of 4 bytes"), "{err}");
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
    assert!(times["compilation"].as_u64().is_some_and(|time| time > 0), "{times}");
    let (text, _) = expect(0, &folder, &[&run[..], &["--time"]].concat());
    assert!(text.starts_with("compilation by the driver: "), "{text}");
    expect(2, &folder, &[&run[..], &["--json"]].concat());
}

/// What a module needs of a device and why, its data, and the words of the description.
#[test]
fn requirements_are_described() {
    let source = "constant uint table[3] = {1, 2, 0xabcd};\n\
                  kernel void k(global double *o, int i) { o[get_global_id(0)] = table[i]; }\n";
    let folder = common::folder_with(&[("k.cl", source)]);
    let (text, _) = expect(0, &folder, &["reflect", "k.cl"]);
    for line in [
        "constant data: 12 bytes - ",
        "    0100000002000000cdab0000\n",
        "\nrequires SPIR-V 1.5\n",
        "\nrequires capability Float64, Vulkan's shaderFloat64 - for double; k.cl:2:",
        "\nterms:\n",
        "    region offset: the global id of the first work-item of a dispatch",
        "    specialisation constant, spec id: ",
    ] {
        assert!(text.contains(line), "no '{line}' in\n{text}");
    }
    assert!(!text.contains("    region group offset: "), "only terms that occur: {text}");
    let (json, _) = expect(0, &folder, &["reflect", "--json", "k.cl"]);
    let module: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(module["program_data"][0]["data"], "0100000002000000cdab0000");
    let capabilities = module["requirements"]["capabilities"].as_array().unwrap();
    let double = capabilities.iter().find(|each| each["capability"] == "Float64").unwrap();
    assert_eq!((&double["features"][0], &double["reason"]), (&"shaderFloat64".into(), &"double".into()));
    assert!(module["requirements"]["extensions"].as_array().unwrap().contains(&"SPV_KHR_non_semantic_info".into()));
}

/// Each capability has the place that needs it first: of 64-bit integers one that is no address, if there is one.
#[test]
fn requirements_have_their_places() {
    let source = "kernel void j(global int *p) { p[1] = 2; }\n\n\
                  kernel void k(global long *p, global half *h, local int *l) {\n\
                  \x20   h[2] = h[1] + (half)1;\n\
                  \x20   barrier(CLK_LOCAL_MEM_FENCE);\n\
                  \x20   long x = p[0] * 2;\n\
                  \x20   p[1] = x;\n}\n";
    let folder = common::folder_with(&[("k.cl", source), ("j.cl", "kernel void j(global int *p) { p[1] = 2; }\n")]);
    let (text, _) = expect(0, &folder, &["reflect", "k.cl"]);
    for line in [
        "PhysicalStorageBufferAddresses, Vulkan's bufferDeviceAddress - for pointers to global and constant memory; k.cl:1:32 in j: ",
        "Int64, Vulkan's shaderInt64 - for long and size_t; k.cl:6:14 in k: long x = p[0] * 2;\n",
        "Float16, Vulkan's shaderFloat16 - for half; k.cl:4:12 in k: h[2] = h[1] + (half)1;\n",
        "VulkanMemoryModel, Vulkan's vulkanMemoryModel - for barriers, fences, atomics and volatile accesses; k.cl:5:5 in k: ",
    ] {
        assert!(text.contains(&format!("\nrequires capability {line}")), "no '{line}' in\n{text}");
    }
    let (text, _) = expect(0, &folder, &["reflect", "j.cl"]);
    assert!(
        text.contains("Int64, Vulkan's shaderInt64 - for addresses of buffers; j.cl:1:32 in j: kernel void j("),
        "{text}"
    );
    expect(0, &folder, &["compile", "-g", "k.cl"]);
    let (json, _) = expect(0, &folder, &["reflect", "--json", "k.spv"]);
    let module: Value = serde_json::from_str(&json).unwrap();
    let capabilities = module["requirements"]["capabilities"].as_array().unwrap();
    let long = capabilities.iter().find(|each| each["capability"] == "Int64").unwrap();
    let place = serde_json::json!({ "file": "k.cl", "line": 6, "column": 14 });
    assert_eq!(long["first_use"], serde_json::json!({ "function": "k", "place": place }));
    expect(0, &folder, &["compile", "k.cl"]);
    let (text, _) = expect(0, &folder, &["reflect", "k.spv"]);
    assert!(text.contains("Int64, Vulkan's shaderInt64 - for long and size_t; in k\n"), "{text}");
}

/// `reflect` describes the module that `compile` makes with the same options.
#[test]
fn reflection_takes_the_options_of_compile() {
    let folder = common::folder_with(&[("k.cl", "kernel void k(global int *p) { p[get_global_id(0)] = 2; }\n")]);
    let (text, _) = expect(0, &folder, &["reflect", "--addressing", "logical", "k.cl"]);
    assert!(text.contains("global int* p - storage buffer, set 0, binding 1") && !text.contains("Int64"), "{text}");
    let (text, _) = expect(0, &folder, &["reflect", "--target", "opencl2.0", "k.cl"]);
    assert!(text.starts_with("a module for OpenCL (SPIR-V 1.0, 64-bit addresses)"), "{text}");
    let options = ["--target", "vulkan1.3", "--emulate", "int64", "--json", "k.cl"];
    let (printed, _) = expect(0, &folder, &[&["reflect"], &options[..]].concat());
    assert!(printed.contains("\"spirv_version\": \"1.6\"") && !printed.contains("\"Int64\""), "{printed}");
    let (nothing, _) = expect(0, &folder, &[&["reflect", "-o", "k.json"], &options[..]].concat());
    assert_eq!((nothing.as_str(), std::fs::read_to_string(folder.path().join("k.json")).unwrap()), ("", printed));
    expect(0, &folder, &["compile", "k.cl"]);
    let (_, error) = expect(2, &folder, &["reflect", "--addressing", "logical", "k.spv"]);
    assert!(error.contains("do not apply to SPIR-V"), "{error}");
    expect(0, &folder, &["reflect", "--no-validate", "--max-file-size", "100000", "k.spv"]);
}

#[test]
fn versions_of_everything() {
    let folder = folder();
    let version = format!("clforge {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(expect(0, &folder, &["--version"]).0, version);
    let (text, _) = expect(0, &folder, &["--version", "--verbose"]);
    assert!(text.starts_with(&version) && text.contains("\ncompiler: OpenCL C (CL1.0, "), "{text}");
    assert!(text.contains("\ndevice 0: ") && text.contains("\n    workarounds: "), "{text}");
    assert_eq!(expect(0, &folder, &["-vV"]).0, text);
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
    assert!(text.contains("\nkernel f\nkernel g\nrequires SPIR-V 1.0\nrequires capability Addresses\n"), "{text}");
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
