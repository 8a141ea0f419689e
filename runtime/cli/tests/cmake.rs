//! `clforge_add_kernels` of the CMake package, which calls the command, with Ninja and with Makefiles.

use std::path::Path;
use std::process::Command;

const LISTS: &str = "cmake_minimum_required(VERSION 3.20)
project(kernels C)
find_package(clforge REQUIRED)
add_executable(program main.c)
clforge_add_kernels(program FILES kernels/scale.cl \"kernels/add one.cl\" OPTIONS -DBY=3 INCLUDES include EMBED)
clforge_add_kernels(program FILES kernels/scale.cl OPTIONS -DBY=3 INCLUDES include TARGET opencl3.0)
";

/// It prints the size of a module, which depends on the included file.
const MAIN: &str = "#include \"add_one_spv.h\"
#include \"scale_spv.h\"
#include <stdio.h>
int main(void)
{
    printf(\"%d %d\\n\", scale_spv[0] == 0x07230203u && add_one_spv[0] == 0x07230203u, (int)scale_spv_size);
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

/// A project is built, built again without work, and built again after an included file has changed.
fn build_with(generator: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file of the project");
    };
    write("CMakeLists.txt", LISTS);
    write("main.c", MAIN);
    write("include/more.h", "#define MORE 0\n");
    write(
        "kernels/scale.cl",
        "#include <more.h>\nkernel void scale(global float *a) {\n    size_t i = get_global_id(0);\n    a[i] *= BY;\n\
         #if MORE\n    a[i] = sin(a[i]);\n#endif\n}\n",
    );
    write("kernels/add one.cl", "kernel void add_one(global int *a) { a[get_global_id(0)]++; }\n");
    let package = Path::new(env!("CARGO_MANIFEST_DIR")).join("../capi/cmake");
    let package = format!("-Dclforge_DIR={}", package.display());
    let command = format!("-DCLFORGE_COMMAND={}", env!("CARGO_BIN_EXE_clforge"));
    output(folder.path(), &["cmake", "-G", generator, "-S", ".", "-B", "build", &package, &command]);
    let build = || output(folder.path(), &["cmake", "--build", "build"]);
    assert!(build().contains("Compiling kernels/add one.cl for vulkan1.2"));
    let first = output(folder.path(), &["build/program"]);
    assert!(first.starts_with("1 "), "{first}");
    assert!(folder.path().join("build/clforge/program/scale.spv").exists());
    assert!(!build().contains("Compiling kernels/"), "nothing has changed");
    // Make compares times, which must differ.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    write("include/more.h", "#define MORE 1\n");
    let text = build();
    assert!(text.contains("Compiling kernels/scale.cl for opencl3.0"), "{text}");
    assert!(!text.contains("Compiling kernels/add one.cl"), "{text}");
    assert_ne!(output(folder.path(), &["build/program"]), first);
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
