//! The `clforge` command as scripts see it: exit codes, standard output, standard error.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

fn clforge(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_clforge"));
    command.current_dir(folder).args(arguments).env("CLFORGE_VALIDATION", "1").output().expect("clforge starts")
}

/// Runs, expects an exit code, and returns standard output and standard error.
#[track_caller]
fn expect(code: i32, folder: &Path, arguments: &[&str]) -> (String, String) {
    let run = clforge(folder, arguments);
    let out = String::from_utf8_lossy(&run.stdout).into_owned();
    let err = String::from_utf8_lossy(&run.stderr).into_owned();
    assert_eq!(run.status.code(), Some(code), "{arguments:?}\n{out}\n{err}");
    assert!(!err.contains("validation:"), "{err}");
    if code != 0 {
        assert!(!err.trim().is_empty(), "{arguments:?} fails without a word");
    }
    (out, err)
}

/// A folder with `NAME.spv`, assembled from `NAME.spvasm` of the library's tests.
fn folder_with(name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(format!("{name}.spv"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/modules").join(format!("{name}.spvasm"));
    let run = Command::new("spirv-as").args(["--target-env", "vulkan1.2", "-o"]).arg(&path).arg(&source).output();
    let run = run.expect("these tests need spirv-as (Debian: spirv-tools)");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    (folder, path)
}

const ADD: [&str; 6] = ["run", "vector_add.spv", "--kernel", "vector_add", "--global", "3"];
const ADD_ARGS: [&str; 8] =
    ["--arg", "buffer:float=1,2,3", "--arg", "buffer:float=10,20,30", "--arg", "buffer:bytes=12", "--arg", "float=0.5"];

#[test]
fn runs_a_kernel_and_prints_and_writes_the_result() {
    let (folder, _) = folder_with("vector_add");
    let more = ["--print", "2", "--print", "2:uint:1", "--out", "2=sum.bin", "--repeat", "3", "--time"];
    let (out, _) = expect(0, folder.path(), &[&ADD[..], &ADD_ARGS, &more].concat());
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "2: 6 12 18");
    assert_eq!(lines[1], format!("2: {}", 6f32.to_bits()));
    assert!(out.contains("host: best"), "{out}");
    let sum = std::fs::read(folder.path().join("sum.bin")).unwrap();
    assert_eq!(sum, [6f32, 12.0, 18.0].map(f32::to_le_bytes).concat());
}

#[test]
fn reads_and_writes_standard_streams() {
    let (folder, path) = folder_with("vector_add");
    let mut arguments = vec!["run", "-", "--kernel", "vector_add", "--global", "3"];
    arguments.extend(ADD_ARGS);
    arguments.extend(["--out", "2=-"]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_clforge"))
        .current_dir(folder.path())
        .args(&arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&std::fs::read(path).unwrap()).unwrap();
    let run = child.wait_with_output().unwrap();
    assert_eq!(run.stdout, [6f32, 12.0, 18.0].map(f32::to_le_bytes).concat());
}

#[test]
fn a_closed_pipe_is_not_an_error() {
    let (folder, _) = folder_with("vector_add");
    let mut child = Command::new(env!("CARGO_BIN_EXE_clforge"))
        .current_dir(folder.path())
        .args(["run", "--help"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let run = child.wait_with_output().unwrap();
    assert_eq!((run.status.code(), String::from_utf8_lossy(&run.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn mistakes_in_a_run_have_exit_code_2_and_say_what_is_wrong() {
    let (folder, _) = folder_with("vector_add");
    let run = |arguments: &[&str]| expect(2, folder.path(), arguments).1;
    let kernel = [&["run", "vector_add.spv", "--global", "3", "--kernel", "vector_ad"], &ADD_ARGS[..]].concat();
    assert!(run(&kernel).contains("there is no kernel 'vector_ad'; did you mean 'vector_add'?"));
    assert!(run(&[&ADD[..], &ADD_ARGS[..6]].concat()).contains("takes 4 arguments, but 3 were given"));
    let with_scale = |scale: &str| run(&[&ADD[..], &ADD_ARGS[..6], &["--arg", scale]].concat());
    assert!(with_scale("int=1").contains("argument 3 'scale' of kernel 'vector_add' is 'float', but 'int' was given"));
    assert!(with_scale("double=1").contains("is 'float', but 'double' was given"));
    assert!(with_scale("buffer:bytes=4").contains("argument 3 'scale' of kernel 'vector_add' is a value"));
    assert!(with_scale("float=x").contains("'x' is not a number"));
    assert!(with_scale("flaot=1").contains("unknown type 'flaot'"));
    let all = [&ADD[..], &ADD_ARGS].concat();
    let more = |extra: &[&str]| run(&[&all[..], extra].concat());
    assert!(more(&["--print", "3"]).contains("argument 3 is not a buffer"));
    assert!(more(&["--print", "4"]).contains("there is no argument 4"));
    assert!(more(&["--print", "2:flaot"]).contains("unknown type 'flaot'"));
    assert!(more(&["--out", "2"]).contains("give an argument's number and a file"));
    assert!(more(&["--out", "2=missing/x"]).contains("cannot write 'missing/x'"));
    assert!(more(&["--local", "1,1"]).contains("--local has 2 dimensions, but --global has 1"));
    assert!(more(&["--local", "99999999"]).contains("the device's limit is"));
    assert!(more(&["-DX"]).contains("build options do not apply to SPIR-V"));
    let global =
        |size| run(&[&["run", "vector_add.spv", "--kernel", "vector_add", "--global", size], &ADD_ARGS[..]].concat());
    assert!(global("x").contains("one to three whole numbers"));
    assert!(global("1,2,3,4").contains("one to three whole numbers"));
    assert!(global("-1").contains("one to three whole numbers"));
    assert!(run(&["run", "nowhere.cl", "--kernel", "k", "--global", "1"]).contains("cannot read 'nowhere.cl'"));
}

#[test]
fn no_such_device_has_exit_code_3() {
    let (folder, _) = folder_with("vector_add");
    let all = [&ADD[..], &ADD_ARGS, &["--device", "no such thing"]].concat();
    assert!(expect(3, folder.path(), &all).1.contains("there is no device 'no such thing'; available: 0 '"));
}

#[test]
fn no_driver_and_no_loader_have_exit_code_3() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_clforge"));
    let run = command.arg("devices").env("VK_DRIVER_FILES", "/nonexistent").env("VK_ICD_FILENAMES", "/nonexistent");
    let run = run.current_dir(folder.path()).output().unwrap();
    assert_eq!(run.status.code(), Some(3));
    let error = String::from_utf8_lossy(&run.stderr);
    assert!(error.contains("no Vulkan device on this machine"), "{error}");
    assert!(error.contains("mesa-vulkan-drivers"), "{error}");
}

#[test]
fn an_invalid_module_does_not_reach_the_driver() {
    let (folder, path) = folder_with("vector_add");
    let mut bytes = std::fs::read(&path).unwrap();
    // The last instruction but OpFunctionEnd of the code: OpReturn (253) becomes OpNop, so a block has no end.
    let at = bytes.chunks_exact(4).position(|word| word == [253, 0, 1, 0]).expect("an OpReturn") * 4;
    bytes[at] = 0;
    std::fs::write(&path, bytes).unwrap();
    let (_, error) = expect(1, folder.path(), &[&ADD[..], &ADD_ARGS].concat());
    assert!(error.contains("'vector_add.spv' is not a valid Vulkan module: "), "{error}");
}

#[test]
fn without_a_validator_there_is_a_warning_and_the_program_runs() {
    let (folder, _) = folder_with("vector_add");
    let mut command = Command::new(env!("CARGO_BIN_EXE_clforge"));
    let command = command.current_dir(folder.path()).args(ADD).args(ADD_ARGS).args(["--print", "2"]);
    let run = command.env("PATH", "/nonexistent").output().unwrap();
    assert_eq!(String::from_utf8_lossy(&run.stdout), "2: 6 12 18\n");
    assert!(
        String::from_utf8_lossy(&run.stderr)
            .contains("warning: the module was not validated: spirv-val is not installed")
    );
}

/// On lavapipe the kernel's null pointer is one in this process; elsewhere the device may well survive it.
#[test]
fn a_wild_pointer_is_an_error_message() {
    let (folder, _) = folder_with("vector_add");
    let null = ["--arg", "null"].repeat(3);
    let run = clforge(folder.path(), &[&ADD[..], &null, &["--arg", "float=1"]].concat());
    let error = String::from_utf8_lossy(&run.stderr);
    assert!(matches!(run.status.code(), Some(0 | 3)), "{:?}: {error}", run.status);
    assert!(run.status.success() || error.contains("clforge: error: "), "{error}");
}

#[test]
fn devices_as_text_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let (text, _) = expect(0, folder.path(), &["devices"]);
    assert!(text.starts_with("* 0: ") || text.starts_with("  0: "), "{text}");
    let (json, _) = expect(0, folder.path(), &["devices", "--json"]);
    let devices: serde_json::Value = serde_json::from_str(&json).unwrap();
    let devices = devices.as_array().unwrap();
    assert_eq!(devices.iter().filter(|device| device["default"] == true).count(), 1);
    for device in devices {
        assert!(device["limits"]["max_work_group_invocations"].as_u64().unwrap() >= 128);
        for feature in device["opencl_features"].as_array().unwrap() {
            let name = feature["name"].as_str().unwrap();
            let available = feature["available"].as_bool().unwrap();
            assert!(text.contains(&format!("{}{name}", if available { " " } else { "not " })), "{name}\n{text}");
            let double = device["features"].as_array().unwrap().contains(&"shaderFloat64".into());
            assert!(name != "__opencl_c_fp64" || available == double);
        }
        let addresses = device["features"].as_array().unwrap().contains(&"bufferDeviceAddress".into());
        let format = device["address_format"].as_str().unwrap();
        assert_eq!(format.starts_with("physical"), addresses);
        let model = device["memory_model"].as_str().unwrap();
        assert!(text.contains(&format!("addresses: {format}, memory model: {model}\n")), "{text}");
        assert_eq!(device["support"]["buffer addresses"] == "native", addresses);
        let lavapipe = device["driver"].as_str().unwrap().contains("Mesa 22.3");
        assert_eq!(device["quirks"].as_array().unwrap().contains(&"loop_limit".into()), lavapipe);
    }
}

/// A device without three features, whatever it has besides.
#[test]
fn what_a_device_lacks_is_listed() {
    let folder = tempfile::tempdir().unwrap();
    let masked = "shaderInt64,vulkanMemoryModel,shaderBufferInt64Atomics";
    let mut command = Command::new(env!("CARGO_BIN_EXE_clforge"));
    let run = command.current_dir(folder.path()).arg("devices").env("CLFORGE_MASK_FEATURES", masked).output().unwrap();
    let text = String::from_utf8_lossy(&run.stdout);
    assert!(run.status.success(), "{text}");
    assert!(text.contains("addresses: physical32x2, memory model: glsl\n"), "{text}");
    assert!(text.contains("int64 (by pairs of words)") && text.contains("Vulkan memory model (by that of GLSL)"));
    assert!(text.contains("64-bit atomics (lacks shaderInt64, shaderBufferInt64Atomics"), "{text}");
}

#[test]
fn reflect_as_text_and_json() {
    let (folder, _) = folder_with("vector_add");
    let (text, _) = expect(0, folder.path(), &["reflect", "vector_add.spv"]);
    assert!(text.contains("kernel vector_add (4 arguments)"), "{text}");
    assert!(text.contains("0: global const float* a - pointer push constant, offset 16, size 8"), "{text}");
    assert!(text.contains("push constant: region offset, offset 0, size 12"), "{text}");
    let (json, _) = expect(0, folder.path(), &["reflect", "--json", "vector_add.spv"]);
    let module: serde_json::Value = serde_json::from_str(&json).unwrap();
    let scale = &module["kernels"][0]["arguments"][3];
    assert_eq!((&scale["type"], &scale["binding"]["offset"]), (&"float".into(), &40.into()));

    std::fs::write(folder.path().join("bad.spv"), [3, 2, 0x23, 7, 0]).unwrap();
    std::fs::write(folder.path().join("text"), "no module").unwrap();
    assert!(expect(1, folder.path(), &["reflect", "bad.spv"]).1.contains("cut off"));
    assert!(expect(1, folder.path(), &["reflect", "text"]).1.contains("is not a SPIR-V module"));
    expect(2, folder.path(), &["reflect", "nowhere.spv"]);
    let (_, err) = expect(2, folder.path(), &["reflect", "vector_add.spv", "-o", "./vector_add.spv"]);
    assert!(err.contains("is described: it would be overwritten"), "{err}");
    let (_, err) = expect(2, folder.path(), &["link", "text", "-o", "text"]);
    assert!(err.contains("is linked: it would be overwritten"), "{err}");
}

/// Buffers of atomics are printed as what they hold.
#[test]
fn atomics_are_printed() {
    let folder = tempfile::tempdir().unwrap();
    let source = "kernel void k(global atomic_uint *a, global atomic_float *f, global size_t *s) {\n\
                  atomic_fetch_sub(a, 2u); atomic_store(f, 1.5f); s[0] = 5000000000; }\n";
    std::fs::write(folder.path().join("k.cl"), source).unwrap();
    let run = ["run", "k.cl", "-cl-std=CL2.0", "--kernel", "k", "--global", "1"];
    let args = ["--arg", "buffer:uint=1", "--arg", "buffer:bytes=4", "--arg", "buffer:bytes=8"];
    let print = ["--print", "0", "--print", "1", "--print", "2"];
    let (out, _) = expect(0, folder.path(), &[&run[..], &args, &print].concat());
    assert_eq!(out, "0: 4294967295\n1: 1.5\n2: 5000000000\n");
}

/// Less than was asked for is said.
#[test]
fn values_that_are_not_there() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.cl"), "kernel void k(global int *a) { a[0] = 7; }\n").unwrap();
    let run = |print: &str| {
        let arguments = ["run", "k.cl", "--global", "1", "--arg", "buffer:int=0,1,2,3", "--print", print];
        expect(0, folder.path(), &arguments)
    };
    let (out, err) = run("a:int:9");
    assert_eq!(out, "a: 7 1 2 3\n");
    assert!(err.contains("--print a: it has 4 values of 4 bytes, not 9"), "{err}");
    let (out, err) = run("a:long3");
    assert_eq!(out, "a:\n");
    assert!(err.contains("--print a: its last 16 bytes are no value of "), "{err}");
    assert_eq!(run("a:int:2"), ("a: 7 1\n".into(), String::new()));
}

/// A revision of the reflection that the validator does not know is no reason to refuse a module.
#[test]
fn modules_of_later_revisions_run() {
    let (folder, _) = folder_with("foreign_constant_uniform");
    let run = ["run", "foreign_constant_uniform.spv", "--kernel", "pick", "--global", "3"];
    let args = ["--arg", "buffer:bytes=12", "--arg", "uint=5", "--print", "0:uint"];
    let (out, _) = expect(0, folder.path(), &[&run[..], &args].concat());
    assert_eq!(out, "0: 307 311 307\n");
}

/// Everything that the modules of other compilers say of themselves.
#[test]
fn reflect_lists_every_binding() {
    let lists = |name: &str, lines: &[&str]| {
        let (folder, _) = folder_with(name);
        let (text, _) = expect(0, folder.path(), &["reflect", &format!("{name}.spv")]);
        for line in lines {
            assert!(text.lines().any(|found| found.trim() == *line), "no line '{line}' in\n{text}");
        }
    };
    let pod_buffer =
        ["0: pod storage buffer, set 0, binding 2, offset 0, size 4", "1: storage buffer, set 0, binding 0"];
    lists("foreign_pod_buffer", &pod_buffer);
    lists(
        "foreign_local",
        &["0: local, spec id 3, element size 4", "work-group size: specialisation constants 0, 1, 2"],
    );
    let text = "kernel void k(write_only image2d_t a, global int *b) {\n    write_imagef(a, (int2)(0), b[0], (float4)(1));\n}\n";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.cl"), text).unwrap();
    expect(0, folder.path(), &["compile", "-cl-std=CL2.0", "--bounds-check", "k.cl"]);
    let (text, _) = expect(0, folder.path(), &["reflect", "k.spv"]);
    assert!(text.contains("descriptor array: 16 descriptors - set 0, binding 1\n"), "{text}");
    assert!(text.contains("checked accesses: 4 ranges - pointer push constant, offset 16, size 8\n"), "{text}");
    assert!(text.contains("checked access 0: k.cl:2:32, read of 4 bytes, argument 1\n"), "{text}");
    assert!(text.contains("checked access 1: k.cl:2:5, write of a texel, argument 0\n"), "{text}");
    let (json, _) = expect(0, folder.path(), &["reflect", "--json", "k.spv"]);
    let module: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(module["descriptor_arrays"][0]["length"], 16);
    assert_eq!(module["checked_accesses"]["sites"][0]["line"], 2);
    let weights = "0: constant uint4* weights - uniform buffer, set 1, binding 0";
    lists(
        "foreign_uniform",
        &[weights, "2: pod uniform, set 1, binding 2, offset 8, size 8", "required work-group size: 4x1x1"],
    );
    lists(
        "foreign_images",
        &[
            "0: sampled image, set 1, binding 0",
            "1: sampler, set 1, binding 1",
            "2: storage image, set 1, binding 2",
            "sampler: mask 0x12 - set 0, binding 0",
        ],
    );
    lists(
        "foreign_offset",
        &[
            "kernel ids (1 argument)",
            "attributes: reqd_work_group_size(2,1,1)",
            "global offset: specialisation constants 10, 11, 12",
            "work dimensions: specialisation constant 13",
            "program-scope variables: 4 bytes - storage buffer, set 1, binding 0",
        ],
    );
    lists(
        "foreign_constant_uniform",
        &[
            "1: pod push constant, offset 32, size 4",
            "constant data: 32 bytes - uniform buffer, set 1, binding 0",
            "push constant: global size, offset 0, size 12",
        ],
    );
}

#[test]
fn wrong_usage_has_exit_code_2_and_help_0() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&[][..], &["frobnicate"], &["compile"], &["run"], &["compile", "--target", "metal", "x.cl"]] {
        expect(2, folder.path(), arguments);
    }
    expect(2, folder.path(), &["compile", "nowhere.cl"]);
    expect(2, folder.path(), &["compile", ".", "-o", "x"]);
    expect(2, folder.path(), &["devices", "-DX"]);
    assert!(expect(2, folder.path(), &["compile", "-cl-std=CL7", "x.cl"]).1.contains("unknown version 'CL7'"));
    let (help, _) = expect(0, folder.path(), &["compile", "--help"]);
    assert!(help.contains("-cl-fast-relaxed-math") && help.contains("--emit"), "{help}");
    let (help, _) = expect(0, folder.path(), &["run", "--help"]);
    assert!(help.contains("buffer:TYPE=v,v"), "{help}");
    let purpose = "Compile OpenCL C to SPIR-V";
    for arguments in [&["--help"][..], &["compile", "--help"]] {
        let (help, _) = expect(0, folder.path(), arguments);
        assert!(help.contains(purpose), "{help}");
    }
    expect(0, folder.path(), &["--version"]);
}

/// A picture of these texels.
fn write_png(path: &Path, width: u32, height: u32, texels: &[u8]) {
    let mut encoder = png::Encoder::new(std::fs::File::create(path).unwrap(), width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.write_header().unwrap().write_image_data(texels).unwrap();
}

fn read_png(path: &Path) -> Vec<u8> {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut texels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut texels).unwrap();
    texels
}

#[test]
fn pictures_in_and_out() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("mirror.cl"),
        "kernel void mirror(read_only image2d_t from, sampler_t s, write_only image2d_t to) {\n\
         int x = get_global_id(0), y = get_global_id(1);\n\
         write_imagef(to, (int2)(x, y), read_imagef(from, s, (int2)(get_image_width(from) - 1 - x, y))); }",
    )
    .unwrap();
    let texels: Vec<u8> = (0..24).map(|i| i * 10).collect();
    write_png(&folder.path().join("in.png"), 3, 2, &texels);
    let run = ["run", "mirror.cl", "--kernel", "mirror", "--global", "3,2"];
    let from = ["--arg", "image:file=in.png"];
    let more = ["--arg", "sampler:nearest", "--arg", "image:3x2:rgba8", "--out", "2=out.png", "--out", "2=out.bin"];
    expect(0, folder.path(), &[&run[..], &from, &more, &["--print", "2:uchar4:1"]].concat());
    let wanted: Vec<u8> = [2usize, 1, 0, 5, 4, 3].iter().flat_map(|i| texels[i * 4..i * 4 + 4].to_vec()).collect();
    assert_eq!(read_png(&folder.path().join("out.png")), wanted);
    assert_eq!(std::fs::read(folder.path().join("out.bin")).unwrap(), wanted);
    // What does not fit the parameter is reported before anything runs.
    let (_, err) = expect(2, folder.path(), &[&run[..], &["--arg", "image:3:r8"], &more].concat());
    assert!(err.contains("image2d_t"), "{err}");
    let (_, err) = expect(2, folder.path(), &[&run[..], &["--arg", "sampler:linear"], &more].concat());
    assert!(err.contains("is an image"), "{err}");
}

#[test]
fn prints_what_kernels_print() {
    let folder = tempfile::tempdir().unwrap();
    let source = "kernel void k(int n) { for (int i = 0; i < n; i++) printf(\"%s %d\\n\", \"line\", i); }";
    std::fs::write(folder.path().join("p.cl"), source).unwrap();
    let run = ["run", "p.cl", "--kernel", "k", "--global", "1", "--arg"];
    let with = |more: &[&'static str]| [&run[..], more].concat();
    assert_eq!(expect(0, folder.path(), &with(&["int=3"])).0, "line 0\nline 1\nline 2\n");
    let (out, err) = expect(0, folder.path(), &with(&["int=9", "--printf-buffer", "64"]));
    assert_eq!(out, "line 0\nline 1\nline 2\nline 3\n");
    assert!(err.contains("warning: 5 messages of printf were lost") && err.contains("--printf-buffer"), "{err}");
    assert!(expect(2, folder.path(), &with(&["int=9", "--printf-buffer", "8"])).1.contains("64 to"));

    expect(0, folder.path(), &["compile", "p.cl", "--printf-buffer", "4096", "-o", "p.spv"]);
    let (text, _) = expect(0, folder.path(), &["reflect", "p.spv"]);
    assert!(text.contains("printf buffer: 4096 bytes - pointer push constant"), "{text}");
    assert!(text.contains(": \"%s %d\\n\", arguments of 4, 4 bytes"), "{text}");
    let run = ["run", "p.spv", "--kernel", "k", "--global", "1", "--arg", "int=1"];
    assert_eq!(expect(0, folder.path(), &run).0, "line 0\n");
    let (_, err) = expect(2, folder.path(), &[&run[..], &["--printf-buffer", "4096"]].concat());
    assert!(err.contains("does not apply to SPIR-V"), "{err}");
}

/// `--bounds-check`: the result of a launch that went out of range is a list of places and exit code 1.
#[test]
fn accesses_out_of_range_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let source = "kernel void k(global int *a) {\n    a[get_global_id(0) + 2] = 1;\n}\n";
    std::fs::write(folder.path().join("k.cl"), source).unwrap();
    let run = ["run", "k.cl", "--kernel", "k", "--global", "2", "--bounds-check", "--arg"];
    let outputs = ["buffer:int=1,2", "--print", "0", "--out", "0=a.bin", "--time", "--repeat", "2"];
    let (out, err) = expect(1, folder.path(), &[&run[..], &outputs].concat());
    let wanted = "error: out-of-range write of 4 bytes by kernel 'k', 2 times\n \
                  --> k.cl:2:5\n  \
                  |\n\
                  2 |     a[get_global_id(0) + 2] = 1;\n  \
                  |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^\n  \
                  |\n  \
                  = note: work-item (0,0,0): right behind the end of argument 0 'a' (8 bytes)\n  \
                  = note: work-item (1,0,0): 4 bytes past the end of argument 0 'a' (8 bytes)\n";
    assert!(err.contains(wanted), "{err}");
    assert_eq!(err.matches("out-of-range").count(), 1, "{err}");
    assert!(out.starts_with("0: 1 2\n") && out.contains("host: best"), "{out}");
    assert_eq!(std::fs::read(folder.path().join("a.bin")).unwrap(), [1, 0, 0, 0, 2, 0, 0, 0]);
    let short = [&["--message-format", "short"], &run[..], &["buffer:int=1,2"]].concat();
    let (_, err) = expect(1, folder.path(), &short);
    let wanted =
        "k.cl:2:5: error: out-of-range write of 4 bytes by kernel 'k', 2 times; work-item (0,0,0): right behind";
    assert!(err.contains(wanted), "{err}");
    let json = [&["--message-format", "json"], &run[..], &["buffer:int=1,2"]].concat();
    let (_, err) = expect(1, folder.path(), &json);
    assert!(err.contains("\"line\":2") && err.contains("work-item (1,0,0): 4 bytes past"), "{err}");
    let (out, _) = expect(0, folder.path(), &[&run[..], &["buffer:int=1,2,3,4", "--print", "0"]].concat());
    assert_eq!(out, "0: 1 2 1 1\n");
    let arguments = ["compile", "k.cl", "--bounds-check", "--target", "opencl2.0"];
    let (_, err) = expect(1, folder.path(), &arguments);
    assert!(err.contains("sanitizers are not available for the target opencl2.0"), "{err}");
}
