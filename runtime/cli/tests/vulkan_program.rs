//! `examples/vulkan-c/` and `examples/vulkan-cpp/`: programs in C and C++ that launch modules of the command through
//! Vulkan alone.

use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// Runs a command in a folder, and returns what it prints, errors too.
fn output(folder: &Path, words: &[&str], environment: &[(&str, &str)]) -> String {
    let mut command = Command::new(words[0]);
    let run = command.args(&words[1..]).envs(environment.iter().copied()).current_dir(folder).output();
    let run = run.expect("the program starts");
    let text = format!("{}{}", String::from_utf8_lossy(&run.stdout), String::from_utf8_lossy(&run.stderr));
    assert!(run.status.success(), "{words:?}\n{text}");
    text
}

/// A folder with the example.
fn example() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/vulkan-c");
    for file in ["main.c", "sums.cl"] {
        std::fs::copy(source.join(file), folder.path().join(file)).expect("a file of the example");
    }
    folder
}

fn has_headers() -> bool {
    let found = Path::new("/usr/include/vulkan/vulkan.h").exists();
    if !found {
        println!("the headers of Vulkan are not installed (Debian: libvulkan-dev): nothing is tested");
    }
    found
}

const CLFORGE: &str = env!("CARGO_BIN_EXE_clforge");
const CC: [&str; 9] = ["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-I.", "main.c", "-o", "sums"];

/// Under validation layers, which print what is wrong.
fn compile_and_run(folder: &Path, options: &[&str]) {
    let compile = [CLFORGE, "compile", "--emit", "c-array", "sums.cl", "-o", "sums_spv.h"];
    output(folder, &[&compile[..], options].concat(), &[]);
    output(folder, &[&CC[..], &["-lvulkan", "-lm"]].concat(), &[]);
    let text = output(folder, &["./sums"], &[("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation")]);
    assert_eq!(text, "16 sums are those of the host\n");
}

#[test]
fn the_kernel_is_launched() {
    if has_headers() {
        compile_and_run(example().path(), &[]);
    }
}

/// Without the reflection, for Vulkan 1.2 without any extension.
#[test]
fn a_module_without_reflection_needs_no_extension() {
    if !has_headers() {
        return;
    }
    let folder = example();
    let main = folder.path().join("main.c");
    let text = std::fs::read_to_string(&main).expect("the program");
    let changed = text.replace("VK_API_VERSION_1_3", "VK_API_VERSION_1_2");
    let changed = changed.replace("has_extension(extension) ? 1 : 0", "has_extension(\"none\") ? 1 : 0");
    assert_ne!(text, changed);
    std::fs::write(&main, changed).expect("the program");
    compile_and_run(folder.path(), &["--strip-reflection"]);
    output(folder.path(), &[CLFORGE, "compile", "sums.cl", "-g", "--strip-reflection", "-o", "sums.spv"], &[]);
    let bytes = std::fs::read(folder.path().join("sums.spv")).expect("a module");
    let has = |text: &[u8]| bytes.windows(text.len()).any(|window| window == text);
    assert!(!has(b"NonSemantic") && !has(b"part") && !has(b"non_semantic") && has(b"sums.cl"));
}

/// The offsets in the program are those of the reflection.
#[test]
fn the_program_has_the_offsets_of_the_reflection() {
    let folder = example();
    output(folder.path(), &[CLFORGE, "compile", "sums.cl", "-o", "sums.spv"], &[]);
    let json = output(folder.path(), &[CLFORGE, "reflect", "--json", "sums.spv"], &[]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let program = std::fs::read_to_string(folder.path().join("main.c")).expect("the program");
    let arguments = &json["kernels"][0]["arguments"];
    for (name, value) in [
        ("REGION_OFFSET", &json["push_constants"][0]["offset"]),
        ("REGION_GROUP_OFFSET", &json["push_constants"][1]["offset"]),
        ("CONSTANT_DATA", &json["program_data"][0]["binding"]["offset"]),
        ("VALUES", &arguments[0]["binding"]["offset"]),
        ("COUNT_ARGUMENT", &arguments[1]["binding"]["offset"]),
        ("FACTOR", &arguments[2]["binding"]["offset"]),
        ("SUMS", &arguments[3]["binding"]["offset"]),
        ("WORK_GROUP_SIZE_ID", &json["work_group_size_spec_ids"][0]),
        ("PART_ID", &arguments[4]["binding"]["spec_id"]),
    ] {
        let line = format!("    {name} = {value}");
        assert!(program.lines().any(|text| text.starts_with(&line)), "{line}");
    }
    assert_eq!(json["program_data"][0]["data"], "0000803e0000003f");
}

/// The folder of the Vulkan Memory Allocator's header where CMake does not look for it by itself, or the reason why the
/// program in C++ cannot be built.
fn allocator() -> Result<Option<PathBuf>, &'static str> {
    if !Path::new("/usr/include/vulkan/vulkan_raii.hpp").exists() {
        return Err("the headers of Vulkan for C++ are not installed (Debian: libvulkan-dev)");
    }
    if !["cmake", "ninja"].iter().all(|name| Command::new(name).arg("--version").output().is_ok()) {
        return Err("cmake or ninja is not installed");
    }
    let fetched = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("vma");
    if fetched.join("vk_mem_alloc.h").exists() {
        return Ok(Some(fetched));
    }
    let installed = ["/usr/include", "/usr/include/vma", "/usr/local/include"];
    let found = installed.iter().any(|folder| Path::new(folder).join("vk_mem_alloc.h").exists());
    found.then_some(None).ok_or("vk_mem_alloc.h is not installed, and `cargo xtask test` has not fetched it")
}

/// Built by CMake, with the module and its declarations; under validation layers.
#[test]
fn the_program_in_cpp_smooths_a_picture() {
    let allocator = match allocator() {
        Ok(allocator) => allocator,
        Err(reason) => return println!("{reason}: nothing is tested"),
    };
    let folder = tempfile::tempdir().expect("a folder");
    let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = crate_folder.join("../../examples/vulkan-cpp").display().to_string();
    let package = format!("-Dclforge_DIR={}", crate_folder.join("../capi/cmake").display());
    let command = format!("-DCLFORGE_COMMAND={CLFORGE}");
    let header = allocator.map(|folder| format!("-DVMA_INCLUDE_DIR={}", folder.display()));
    let configure = ["cmake", "-G", "Ninja", "-S", &source, "-B", "build", &package, &command];
    let warnings = "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror";
    let options: Vec<&str> = header.iter().map(String::as_str).chain([warnings]).collect();
    output(folder.path(), &[&configure[..], &options].concat(), &[]);
    output(folder.path(), &["cmake", "--build", "build"], &[]);
    let text = output(folder.path(), &["build/smooth"], &[("VK_INSTANCE_LAYERS", "VK_LAYER_KHRONOS_validation")]);
    assert_eq!(text, "60000 pixels are those of the host\n");
    let picture = std::fs::read(folder.path().join("smooth.ppm")).expect("a picture");
    assert!(picture.starts_with(b"P6\n600 200\n255\n") && picture.len() == 15 + 600 * 200 * 3);

    let mut without_driver = Command::new(folder.path().join("build/smooth"));
    without_driver.current_dir(folder.path()).env_remove("VK_ICD_FILENAMES").env_remove("VK_ADD_DRIVER_FILES");
    let run = without_driver.env("VK_DRIVER_FILES", folder.path().join("none.json")).output().expect("a program");
    let text = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(run.status.code() == Some(1) && text.contains("smooth: "), "{text}");
}

/// Pointers in constant data, which the host makes of the buffer's address.
#[test]
fn relocations_are_described() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "global int x[2] = {1, 2};\nglobal int *global p = &x[1];\n\
                  kernel void k(global int *a) { a[0] = *p; x[0]++; }\n";
    std::fs::write(folder.path().join("k.cl"), source).expect("a source");
    let json = output(folder.path(), &[CLFORGE, "reflect", "--json", "-cl-std=CL2.0", "k.cl"], &[]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let data = &json["program_data"][0];
    assert_eq!(data["data"], "00000000000000000100000002000000");
    assert_eq!(data["relocations"], serde_json::json!([{ "offset": 0, "target": 12 }]));
}
