//! Kernels in builds: `clforge_add_kernels` of the CMake package, which calls the command, with Ninja and with
//! Makefiles; and Meson.

use std::path::Path;
use std::process::Command;
use tempfile::TempDir;

const CLFORGE: &str = env!("CARGO_BIN_EXE_clforge");

const LISTS: &str = "cmake_minimum_required(VERSION 3.20)
project(kernels C)
find_package(clforge REQUIRED)
add_executable(program main.c)
clforge_add_kernels(program FILES kernels/scale.cl \"kernels/add one.cl\" OPTIONS -DBY=3 INCLUDES include EMBED
  DECLARATIONS c-header)
clforge_add_kernels(program FILES kernels/scale.cl OPTIONS -DBY=3 INCLUDES include TARGET opencl3.0)
get_target_property(modules program CLFORGE_MODULES)
message(STATUS \"modules: ${modules}.\")
";

/// One kernel by a target of its own, the other by a generator.
const MESON: &str = "project('kernels', 'c')
clforge = find_program('COMMAND')
options = ['-o', '@OUTPUT@', '--depfile', '@DEPFILE@', '-DBY=3', '-I', meson.current_source_dir() / 'include']
scale = custom_target('scale.spv',
  input: 'kernels/scale.cl',
  output: 'scale.spv',
  depfile: 'scale.spv.d',
  command: [clforge, 'compile', '@INPUT@', options])
scale_array = custom_target('scale_spv.h',
  input: 'kernels/scale.cl',
  output: 'scale_spv.h',
  depfile: 'scale_spv.h.d',
  command: [clforge, 'compile', '@INPUT@', '--emit', 'c-array', options])
scale_interface = custom_target('scale_interface.h',
  input: scale,
  output: 'scale_interface.h',
  capture: true,
  command: [clforge, 'reflect', '--emit', 'c-header', '@INPUT@'])
arrays = generator(clforge,
  output: '@BASENAME@_spv.h',
  depfile: '@BASENAME@_spv.h.d',
  arguments: ['compile', '@INPUT@', '--emit', 'c-array', options])
executable('program', 'main.c', scale_array, scale_interface, arrays.process('kernels/add_one.cl'))
";

/// It prints the size of the push constants, which depends on the included file.
const MAIN: &str = "#include \"add_one_spv.h\"
#include \"scale_interface.h\"
#include \"scale_spv.h\"
#include <stdio.h>
int main(void)
{
    printf(\"%d %d\\n\", scale_spv[0] == 0x07230203u && add_one_spv[0] == 0x07230203u, (int)SCALE_PUSH_CONSTANTS_SIZE);
    return 0;
}
";

/// Runs a command in a folder, and returns what it prints.
fn output(folder: &Path, words: &[&str]) -> String {
    let run = Command::new(words[0]).args(&words[1..]).current_dir(folder).output().expect("the program starts");
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{text}\n{}", String::from_utf8_lossy(&run.stderr));
    text
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|run| run.status.success())
}

/// The sources of a project in a new folder. `scale.cl` includes `more.h`, by which the kernel has one more argument.
fn project(build_file: &str, description: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    write(&folder, build_file, description);
    write(&folder, "main.c", MAIN);
    write(&folder, "include/more.h", "#define MORE 0\n");
    write(
        &folder,
        "kernels/scale.cl",
        "#include <more.h>\nkernel void scale(global float *a\n#if MORE\n    , float more\n#endif\n) {\n    \
         size_t i = get_global_id(0);\n    a[i] *= BY;\n#if MORE\n    a[i] += more;\n#endif\n}\n",
    );
    write(&folder, "kernels/add one.cl", "kernel void add_one(global int *a) { a[get_global_id(0)]++; }\n");
    folder
}

fn write(folder: &TempDir, name: &str, text: &str) {
    let path = folder.path().join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file of the project");
}

/// Changes the file that `scale.cl` includes. Make compares times, which must differ.
fn change(folder: &TempDir) {
    std::thread::sleep(std::time::Duration::from_millis(1100));
    write(folder, "include/more.h", "#define MORE 1\n");
}

/// A project is built, built again without work, and built again after an included file has changed.
fn build_with(generator: &str) {
    let folder = project("CMakeLists.txt", LISTS);
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../capi/cmake");
    let package = format!("-Dclforge_DIR={}", package.display());
    let command = format!("-DCLFORGE_COMMAND={CLFORGE}");
    let text = output(folder.path(), &["cmake", "-G", generator, "-S", ".", "-B", "build", &package, &command]);
    assert!(text.contains("/clforge/program/scale.spv.") && !text.contains("_spv.h"), "{text}");
    let build = || output(folder.path(), &["cmake", "--build", "build"]);
    assert!(build().contains("Compiling kernels/add one.cl for vulkan1.2"));
    assert_eq!(output(folder.path(), &["build/program"]), "1 24\n");
    assert!(folder.path().join("build/clforge/program/scale.spv").exists());
    let text = build();
    assert!(!text.contains("Compiling kernels/") && !text.contains("Describing"), "nothing has changed: {text}");
    change(&folder);
    let text = build();
    assert!(text.contains("Compiling kernels/scale.cl for opencl3.0"), "{text}");
    assert!(!text.contains("Compiling kernels/add one.cl"), "{text}");
    assert_eq!(output(folder.path(), &["build/program"]), "1 28\n");
}

#[test]
fn kernels_are_built_by_ninja() {
    if !is_installed("cmake") || !is_installed("ninja") {
        return println!("cmake or ninja is not installed: nothing is tested");
    }
    build_with("Ninja");
}

#[test]
fn kernels_are_built_by_makefiles() {
    if !is_installed("cmake") || !is_installed("make") {
        return println!("cmake or make is not installed: nothing is tested");
    }
    build_with("Unix Makefiles");
}

#[test]
fn wrong_calls_are_named() {
    if !is_installed("cmake") {
        return println!("cmake is not installed: nothing is tested");
    }
    let head = LISTS.split_once("clforge_add_kernels").expect("a call").0;
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../capi/cmake");
    for (words, message) in [
        ("kernels/scale.cl EMBED", "clforge_add_kernels: unknown argument 'kernels/scale.cl'"),
        ("OPTIONS -DBY=3", "clforge_add_kernels(program) needs FILES a.cl ..."),
        ("FILES kernels/scale.cl DECLARATIONS c", "DECLARATIONS is c-header or cpp, not 'c'"),
    ] {
        let folder = project("CMakeLists.txt", &format!("{head}clforge_add_kernels(program {words})\n"));
        let mut cmake = Command::new("cmake");
        cmake.args(["-S", ".", "-B", "build"]).arg(format!("-Dclforge_DIR={}", package.display()));
        let run = cmake.arg(format!("-DCLFORGE_COMMAND={CLFORGE}")).current_dir(folder.path()).output();
        let run = run.expect("cmake starts");
        let text = String::from_utf8_lossy(&run.stderr);
        assert!(!run.status.success() && text.contains(message), "{text}");
    }
}

#[test]
fn kernels_are_built_by_meson() {
    if !is_installed("meson") || !is_installed("ninja") {
        return println!("meson or ninja is not installed: nothing is tested");
    }
    let folder = project("meson.build", &MESON.replace("COMMAND", CLFORGE));
    std::fs::rename(folder.path().join("kernels/add one.cl"), folder.path().join("kernels/add_one.cl"))
        .expect("a name");
    output(folder.path(), &["meson", "setup", "build"]);
    let build = || output(folder.path(), &["meson", "compile", "-C", "build"]);
    let text = build();
    assert!(text.contains("scale_spv.h") && text.contains("add_one_spv.h"), "{text}");
    assert_eq!(output(folder.path(), &["build/program"]), "1 24\n");
    assert!(build().contains("no work to do"));
    change(&folder);
    let text = build();
    assert!(text.contains("scale_spv.h") && !text.contains("add_one_spv.h"), "{text}");
    assert_eq!(output(folder.path(), &["build/program"]), "1 28\n");
}
