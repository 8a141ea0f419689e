//! Programs in C, through the system's OpenCL loader, which finds the driver by `OCL_ICD_VENDORS` as any other program's does.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// The library that cargo has built with this test.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    let folder = test.parent().expect("the folder of tests");
    let name = format!("{}clforge_opencl{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let found = [folder.to_path_buf(), folder.join("..")].into_iter().map(|folder| folder.join(&name));
    found.into_iter().find(|path| path.exists()).expect("the driver's library")
}

/// A folder by which loaders find the driver.
fn vendors(library: &Path) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("clforge.icd"), library.to_str().expect("a path")).expect("the icd file");
    folder
}

/// Compiles and runs a program of this folder.
fn run(source: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    run_with(&library(), source, arguments, environment)
}

/// The same with a driver.
fn run_with(library: &Path, source: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    let folder = vendors(library);
    let program = folder.path().join("program");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(source);
    // By its file name: the loader's development package, which has the other name, is not needed.
    let compiled = Command::new("cc")
        .arg(source)
        .arg("-o")
        .arg(&program)
        .args(["-l:libOpenCL.so.1", "-ldl", "-lm", "-pthread"])
        .status();
    assert!(compiled.is_ok_and(|status| status.success()), "the program does not compile");
    let mut command = Command::new(&program);
    command
        .args(arguments)
        .env("OCL_ICD_VENDORS", folder.path())
        .env("CLFORGE_CACHE", "off")
        .envs(environment.iter().copied());
    command.output().expect("the program runs")
}

/// Runs a program without arguments, which has to succeed and to print one of these texts.
fn prints_one_of(source: &str, environment: &[(&str, &str)], texts: &[&str]) {
    let output = run(source, &[], environment);
    assert!(output.status.success(), "{source}: {}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(texts.contains(&&*text), "{source}: {text}");
}

/// Where Chromium brings another driver of Vulkan.
const SWIFTSHADER: &str = "/usr/lib/chromium/vk_swiftshader_icd.json";

/// Threads that wait sleep at once, as on drivers that execute on the processor, or poll first, as on others.
const POLLING: [(&str, &str); 2] = [("CLFORGE_POLLING", "0"), ("CLFORGE_POLLING", "300")];

#[test]
fn buffers_events_and_programs() {
    for polling in POLLING {
        let output = run("buffers.c", &[], &[polling]);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{errors}");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "element 3\npassed\n");
    }
}

#[test]
fn programs_are_compiled_and_linked() {
    let output = run("link.c", &[], &[]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "passed\n");
}

/// A module for OpenCL of a kernel that stores 42, which is specialisation constant 7.
fn module() -> Vec<u8> {
    use clforge_compiler::{Options, Source, Target, compile, interface::instructions};
    const OP_DECORATE: u32 = 71;
    const OP_CONSTANT: u16 = 43;
    const OP_SPEC_CONSTANT: u32 = 50;
    const SPEC_ID: u32 = 1;
    let source = Source { name: "k.cl", text: b"kernel void k(global uint *p) { p[0] = 42; }" };
    let options = Options::for_target(Target::parse("opencl1.2").expect("a target"));
    let words = compile(source, &options).expect("the program is right").spirv;
    let (mut out, mut is_decorated) = (words[..5].to_vec(), false);
    let all: Vec<_> = instructions(&words).expect("a module").map(|instruction| instruction.expect("whole")).collect();
    let is_constant = |opcode: u16, operands: &[u32]| opcode == OP_CONSTANT && operands.get(2..) == Some(&[42]);
    let constant = all.iter().find(|each| is_constant(each.opcode, each.operands)).expect("the constant").operands[1];
    for instruction in all {
        // Types come after decorations.
        if (19..=39).contains(&instruction.opcode) && !std::mem::replace(&mut is_decorated, true) {
            out.extend([4 << 16 | OP_DECORATE, constant, SPEC_ID, 7]);
        }
        let is_it = is_constant(instruction.opcode, instruction.operands);
        let opcode = if is_it { OP_SPEC_CONSTANT } else { instruction.opcode.into() };
        out.push((instruction.operands.len() as u32 + 1) << 16 | opcode);
        out.extend(instruction.operands);
    }
    out.iter().flat_map(|word| word.to_ne_bytes()).collect()
}

#[test]
fn programs_in_an_intermediate_language() {
    let folder = tempfile::tempdir().expect("a folder");
    let (bytes, path) = (module(), folder.path().join("k.spv"));
    let swapped: Vec<u8> = bytes.as_chunks::<4>().0.iter().flat_map(|word| word.iter().rev().copied()).collect();
    for bytes in [bytes, swapped] {
        std::fs::write(&path, bytes).expect("the module is written");
        let output = run("il.c", &[path.to_str().expect("a path")], &[]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "passed\n");
    }
}

#[test]
fn what_opencl_3_1_adds() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.spv");
    std::fs::write(&path, module()).expect("the module is written");
    let output = run("version.c", &[path.to_str().expect("a path")], &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // A device without sub-groups is one of OpenCL 3.0.
    assert!(["passed\n", "3.0\n"].contains(&&*text), "{text}");
}

/// What depends on Vulkan's features is left out where the device lacks them.
#[test]
fn extensions_that_are_reported() {
    for polling in POLLING {
        let output = run("extensions.c", &[], &[polling]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        for name in ["cl_khr_priority_hints", "cl_ext_migrate_memobject", "cl_ext_immutable_memory_objects"] {
            assert!(text.lines().any(|line| line == name), "{text}");
        }
    }
}

/// The table says "yes" of every extension that is reported.
#[test]
fn the_table_of_extensions_is_true() {
    let output = run("extensions.c", &["list"], &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let table = include_str!("../../../FEATURES.md");
    for name in text.split_whitespace() {
        let row = table.lines().find(|line| line.starts_with(&format!("| `{name}` | yes")));
        assert!(row.is_some(), "{name} is reported");
    }
}

/// Ten million packets go through one of the pipes.
#[test]
fn pipes() {
    let output = run("pipes.c", &["10"], &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(["passed\n", "none\n"].contains(&&*text), "{text}");
}

#[test]
fn device_enqueue() {
    let output = run("device_enqueue.c", &[], &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// The modules of `enqueue_il.cl`: this compiler's, and those of clang and LLVM's translator where they are installed.
fn enqueueing_modules(folder: &Path, source: &Path) -> Vec<PathBuf> {
    use clforge_compiler::{Options, Source, Target, compile, options::ClStd};
    let text = std::fs::read(source).expect("the source");
    let options = Options::for_target(Target::parse("opencl3.0").expect("a target")).with_cl_std(ClStd::CL3_0);
    let words = compile(Source { name: "enqueue_il.cl", text: &text }, &options).expect("the program is right").spirv;
    let own = folder.join("own.spv");
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    std::fs::write(&own, bytes).expect("the module is written");
    let mut modules = vec![own];
    for level in ["-O0", "-O2"] {
        let [bitcode, module] = ["bc", "spv"].map(|end| folder.join(format!("clang{level}.{end}")));
        let mut clang = Command::new("clang-15");
        clang.args([level, "-emit-llvm", "-c", "-x", "cl", "-cl-std=CL2.0", "-target", "spir64"]);
        clang.args(["-Xclang", "-finclude-default-header", "-o"]).arg(&bitcode).arg(source);
        let mut translator = Command::new("llvm-spirv-15");
        translator.arg(&bitcode).arg("-o").arg(&module);
        // A module is made only where both programs exist.
        let is_done = |command: &mut Command| {
            let Ok(status) = command.status() else { return false };
            assert!(status.success(), "{command:?}");
            true
        };
        if is_done(&mut clang) && is_done(&mut translator) {
            modules.push(module);
        }
    }
    modules
}

#[test]
fn modules_whose_kernels_enqueue_others() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/enqueue_il.cl");
    let modules = enqueueing_modules(folder.path(), &source);
    let paths: Vec<&str> =
        std::iter::once(&source).chain(&modules).map(|path| path.to_str().expect("a path")).collect();
    let output = run("enqueue_il.c", &paths, &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{} modules\n", modules.len()));
}

#[test]
fn device_enqueue_with_images() {
    let output = run("enqueue_images.c", &[], &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn objects_and_their_rules() {
    let output = run("objects.c", &[], &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn copies_of_images() {
    prints_one_of("images.c", &[], &["passed\n"]);
}

#[test]
fn extensions_of_vendors() {
    let output = run("vendor.c", &[], &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).ends_with("passed\n"));
}

/// At least the device's own memory and coarse-grained memory.
#[test]
fn types_of_shared_memory() {
    let output = run("unified_svm.c", &[], &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text == "none\n" || text.trim().parse::<u32>().is_ok_and(|types| types >= 2), "{text}");
}

/// With the device that other tests have, and with SwiftShader beside it.
#[test]
fn command_buffers_for_several_queues() {
    POLLING.into_iter().for_each(|polling| prints_one_of("several_queues.c", &[polling], &["passed\n"]));
    if Path::new(SWIFTSHADER).exists() {
        prints_one_of("several_queues.c", &[("VK_ADD_DRIVER_FILES", SWIFTSHADER)], &["passed\n"]);
    }
}

#[test]
fn images_of_srgb_that_kernels_write() {
    POLLING.into_iter().for_each(|polling| prints_one_of("srgb.c", &[polling], &["passed\n", "none\n"]));
}

#[test]
fn images_of_packed_texels() {
    prints_one_of("packed.c", &[], &["passed\n", "none\n"]);
}

/// Also with a log, whose lines must not need what the process has destroyed already.
#[test]
fn calls_at_the_end_of_the_process() {
    for level in ["off", "trace"] {
        for when in ["late", "early"] {
            let output = run("exit.c", &[when], &[("CLFORGE_LOG", level)]);
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(output.status.success(), "{when}: {errors}");
            assert_eq!(String::from_utf8_lossy(&output.stdout), "released\n");
            let last = errors.lines().last().unwrap_or_default();
            assert_eq!(
                last,
                if level == "off" { "" } else { "TRACE clforge_opencl::boundary::call: clReleaseContext" }
            );
        }
    }
}

/// Or destructors of static objects do, of a pool of threads, say.
#[test]
fn handlers_wait_for_threads_that_wait() {
    for polling in POLLING.repeat(3) {
        let output = run("exit.c", &["joined"], &[polling]);
        assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "joined\n");
    }
}

/// Threads of queues must not be in a driver that is being unloaded.
#[test]
fn a_process_ends_before_its_commands() {
    for polling in POLLING.repeat(3) {
        let output = run("exit.c", &["left"], &[polling]);
        assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn a_device_that_is_not_there() {
    let output = run("buffers.c", &[], &[("CLFORGE_DEVICE", "no such device")]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success());
    let message = "clforge: error: CLFORGE_DEVICE=no such device: there is no device 'no such device'; available: 0 '";
    assert_eq!(errors.matches(message).count(), 1, "{errors}");
}

/// With all devices of this machine in one context; `VK_DRIVER_FILES` can name several drivers.
#[test]
fn contexts_over_several_devices() {
    let output = run("devices.c", &[], &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).ends_with(" devices\n"));
}

/// On devices of this machine, or parts of one.
#[test]
fn commands_on_several_devices_at_once() {
    POLLING.into_iter().for_each(|polling| prints_one_of("at_once.c", &[polling], &["passed\n", "none\n"]));
}

#[test]
fn semaphores_and_command_buffers() {
    POLLING.into_iter().for_each(|polling| prints_one_of("layers.c", &[polling], &["passed\n"]));
}

#[test]
fn launches_that_are_changed() {
    let output = run("mutable.c", &[], &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = "said 3\nsaid 40\nsaid 40\nsaid 40\nsaid 40\npassed\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), said);
}

#[test]
fn memory_of_a_program_in_vulkan() {
    prints_one_of("external.c", &[("CLFORGE_LOG", "error")], &["passed\n", "none\n"]);
}

/// EGL and OpenGL are there, without a window system: `cargo xtask test` installs them.
#[test]
fn objects_of_opengl() {
    POLLING.into_iter().for_each(|polling| prints_one_of("gl.c", &[polling, ("CLFORGE_LOG", "error")], &["passed\n"]));
}

/// The same with contexts of GLX, on an X server without a screen.
#[test]
fn objects_of_opengl_for_x() {
    let server =
        Command::new("Xvfb").args(["-displayfd", "1", "-screen", "0", "640x480x24"]).stdout(Stdio::piped()).spawn();
    let Ok(mut server) = server else {
        eprintln!("skipped: there is no Xvfb (Debian's xvfb)");
        return;
    };
    let mut number = String::new();
    let read = BufReader::new(server.stdout.take().expect("the output")).read_line(&mut number);
    let output = run("gl.c", &[&format!(":{}", number.trim())], &[("CLFORGE_LOG", "error")]);
    let ended = server.kill().and_then(|()| server.wait());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "passed\n");
    assert!(read.is_ok() && ended.is_ok(), "the X server");
}

/// Devices that are no processors, and machines with one processor, have none.
#[test]
fn sub_devices() {
    POLLING.into_iter().for_each(|polling| prints_one_of("sub_devices.c", &[polling], &["passed\n", "none\n"]));
}

/// With the device that other tests have, and with SwiftShader where Chromium brings it: lavapipe has no such semaphores.
#[test]
fn semaphores_of_a_program_in_vulkan() {
    let mut drivers = vec![None];
    if Path::new(SWIFTSHADER).exists() {
        drivers.push(Some(("VK_DRIVER_FILES", SWIFTSHADER)));
    } else {
        eprintln!("skipped with SwiftShader: Chromium is not installed");
    }
    for driver in drivers {
        for polling in POLLING {
            let environment: Vec<_> = driver.into_iter().chain([polling, ("CLFORGE_LOG", "error")]).collect();
            let output = run("external_semaphores.c", &[], &environment);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            let possible = ["none\n", "passed opaque\n", "passed sync\n", "passed opaque sync\n"];
            assert!(possible.contains(&&*text) && (driver.is_none() || text == "passed opaque\n"), "{text}");
        }
    }
}

#[test]
fn failures_are_reported_once() {
    POLLING.into_iter().for_each(|polling| prints_one_of("failures.c", &[polling], &["passed\n", "failed\n"]));
}

#[test]
fn images_over_buffers() {
    POLLING.into_iter().for_each(|polling| prints_one_of("views.c", &[polling], &["passed\n", "none\n"]));
}

#[test]
fn images_with_levels_of_detail() {
    prints_one_of("levels.c", &[], &["passed\n", "none\n"]);
}

#[test]
fn memory_that_begins_as_zeros() {
    prints_one_of("zeros.c", &[], &["passed\n"]);
}

#[test]
fn waits_for_another_queue() {
    POLLING.into_iter().for_each(|polling| prints_one_of("waits.c", &[polling], &["passed\n"]));
}

#[test]
fn timers_of_devices_and_the_host() {
    prints_one_of("timers.c", &[], &["passed\n"]);
}

#[test]
fn forked_processes() {
    let output = run("fork.c", &[], &[("CLFORGE_LOG", "error")]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{errors}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "passed\n");
    assert_eq!(errors.matches("this process was forked after a device was used").count(), 1, "{errors}");
}

#[test]
fn memory_that_runs_out() {
    let output = run("memory.c", &[], &[]);
    assert!(output.status.success(), "{}: {}", output.status, String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "passed\n");
}

#[test]
fn flushed_commands_end_one_by_one() {
    POLLING.into_iter().for_each(|polling| prints_one_of("flush.c", &[polling], &["passed\n"]));
}

#[test]
fn global_ids_of_64_bits() {
    prints_one_of("offsets.c", &[], &["passed\n"]);
}

#[test]
fn shared_virtual_memory() {
    prints_one_of("shared.c", &[], &["passed\n", "none\n"]);
}

#[test]
fn unified_shared_memory() {
    let output = run("unified.c", &[], &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let known = ["none\n", "device\n", "device\nhost and shared\n", "device\nhost and shared\nsystem\n"];
    assert!(known.contains(&&*text), "{text}");
}

/// Lists that span allocations which `clSetKernelExecInfo` names are not reported, and the kernels get their values.
#[test]
fn sanitizers_know_memory_that_kernels_reach() {
    let output = run("shared.c", &[], &[("CLFORGE_SANITIZE", "address")]);
    let reports = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && reports.is_empty(), "{reports}");
}

/// Files with reports and suppressions, the exit code, and the comment that a race is intended.
#[test]
fn reports_go_where_the_environment_says() {
    let folder = tempfile::tempdir().expect("a folder");
    let [report, suppressions] = ["report", "suppressions"].map(|name| folder.path().join(name));
    let mut settings = vec![
        ("CLFORGE_SANITIZE", "address,race"),
        ("CLFORGE_SANITIZE_EXIT", "66"),
        ("CLFORGE_REPORT", report.to_str().expect("a path")),
    ];
    let output = run("mistakes.c", &[], &settings);
    assert_eq!(output.status.code(), Some(66), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.stdout, b"finished\n");
    let lines = std::fs::read_to_string(&report).expect("a report");
    assert_eq!(lines.lines().count(), 1, "{lines}");
    assert!(lines.contains("\"kernel\":\"past_the_end\"") && lines.contains("\"check\":\"out-of-range\""), "{lines}");

    std::fs::write(&suppressions, "# intended\naddress:past_*\n").expect("a file");
    settings.push(("CLFORGE_SUPPRESSIONS", suppressions.to_str().expect("a path")));
    let output = run("mistakes.c", &[], &settings);
    assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read_to_string(&report).expect("a report"), lines);
}

/// For a short time, or for as many seconds as `CLFORGE_STRESS` says; with other random numbers each time.
#[test]
fn threads_that_do_everything_at_random() {
    let seconds = std::env::var("CLFORGE_STRESS").unwrap_or_else(|_| "3".into());
    let seed = std::time::UNIX_EPOCH.elapsed().expect("the time").as_secs().to_string();
    for polling in POLLING {
        let output = run("stress.c", &["6", &seconds, &seed], &[polling]);
        assert!(output.status.success(), "seed {seed}: {}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.starts_with("passed "), "seed {seed}: {text}");
    }
}

/// A driver with another digest of its sources, as another build of the same version has it.
fn another_build(folder: &Path) -> PathBuf {
    let (mut bytes, path) = (std::fs::read(library()).expect("the library"), folder.join("libclforge_other.so"));
    let build = clforge_compiler::BUILD.as_bytes();
    let places = bytes.windows(build.len()).enumerate().filter(|(_, part)| *part == build).map(|(at, _)| at);
    for at in places.collect::<Vec<_>>() {
        let last = &mut bytes[at + build.len() - 1];
        *last = if *last == b'0' { b'1' } else { b'0' };
    }
    std::fs::write(&path, bytes).expect("the other library");
    path
}

/// Modules are kept for the driver that made them, whichever program uses it.
#[test]
fn the_cache_knows_drivers_and_not_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let (cache, other) = (folder.path().join("cache"), another_build(folder.path()));
    let variable = [("CLFORGE_CACHE", cache.to_str().expect("a path"))];
    let modules = || std::fs::read_dir(cache.join("modules")).expect("the cache").count();
    for (library, expected) in [(library(), 1), (library(), 1), (other.clone(), 2), (other, 2)] {
        // Each time another program: it is compiled anew.
        let output = run_with(&library, "buffers.c", &[], &variable);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(modules(), expected, "{}", library.display());
    }
}

/// A Python that has PyOpenCL: the distribution's, whose package `cargo xtask test` installs, or the first in the path.
fn python() -> Option<&'static str> {
    ["/usr/bin/python3", "python3"].into_iter().find(|python| {
        let found = Command::new(python).args(["-c", "import pyopencl, mako"]).env("CLFORGE_CACHE", "off").output();
        found.is_ok_and(|output| output.status.success())
    })
}

#[test]
fn pyopencl() {
    let Some(python) = python() else {
        eprintln!("skipped: there is no PyOpenCL (Debian's python3-pyopencl)");
        return;
    };
    let (folder, program) = (vendors(&library()), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arrays.py"));
    let mut command = Command::new(python);
    command.arg(program).env("OCL_ICD_VENDORS", folder.path()).env("CLFORGE_CACHE", "off");
    // What it has compiled is not kept between runs.
    command.env("PYOPENCL_NO_CACHE", "1").env("PYOPENCL_CTX", "0").env("XDG_CACHE_HOME", folder.path());
    let output = command.output().expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "passed\n");
}

#[test]
fn failed_calls_are_logged() {
    let output = run("buffers.c", &[], &[("CLFORGE_LOG", "debug")]);
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(log.contains("clSetKernelArg = -51"), "{log}");
    assert!(log.contains("clEnqueueNDRangeKernel = -54"), "{log}");
}

/// The functions that the table lists: the kind of an entry, its name and its parameters.
fn entries() -> Vec<[&'static str; 3]> {
    let table = include_str!("../src/boundary/table.rs");
    let (_, entries) = table.split_once("\nfunctions! {").expect("the list of functions");
    let parsed = entries.split(';').filter_map(|entry| {
        let (head, parameters) = entry.split_once('(')?;
        let mut words = head.split_whitespace().rev();
        let (name, kind) = (words.next()?, words.next()?);
        Some([kind, name, parameters.split_once(')')?.0])
    });
    parsed.filter(|[_, name, _]| name.starts_with("cl")).collect()
}

/// Their names.
fn functions() -> Vec<&'static str> {
    entries().into_iter().map(|[_, name, _]| name).collect()
}

#[test]
fn wrong_handles_give_error_codes() {
    let (library, functions) = (library(), functions());
    // 114 of OpenCL 3.0, 1 of 3.1, and those of extensions.
    assert_eq!(functions.len(), 187);
    let arguments = [&[library.to_str().expect("a path")], &functions[..]].concat();
    let output = run("handles.c", &arguments, &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout), "187 functions\n");
}

/// Memory of the client is accessed within the sizes that it gives, and where a size is wrong not at all.
#[test]
fn memory_that_ends_before_an_unmapped_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, library) = (folder.path().join("k.spv"), library());
    std::fs::write(&path, module()).expect("the module is written");
    let output = run("edges.c", &[library.to_str().expect("a path"), path.to_str().expect("a path")], &[]);
    let called = String::from_utf8_lossy(&output.stdout).into_owned();
    let last = called.lines().last().unwrap_or_default();
    assert!(output.status.success(), "{last}: {} {}", output.status, String::from_utf8_lossy(&output.stderr));
    // All others have pointers among the parameters that the table does not show.
    let is_plain = |kind: &str| ["status", "address", "ignore", "refuse_status"].contains(&kind);
    let takes_memory = |[kind, _, parameters]: &[&str; 3]| !is_plain(kind) || parameters.contains('*');
    let missing = entries().into_iter().filter(takes_memory).filter(|[_, name, _]| !called.lines().any(|l| l == *name));
    assert_eq!(missing.map(|[_, name, _]| name).collect::<Vec<_>>(), [""; 0], "functions that were not called");
}
