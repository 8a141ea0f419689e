//! A program in C, and the same in C++, with the shared and the static library; under valgrind where it is installed.

use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// What the static library needs of the system.
const NATIVE: [&str; 5] = ["-lpthread", "-ldl", "-lm", "-lrt", "-lgcc_s"];

/// The library that cargo has built with this test.
fn library(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    let folder = test.parent().expect("the folder of tests");
    let found = [folder.to_path_buf(), folder.join("..")].into_iter().map(|folder| folder.join(name));
    found.into_iter().find(|path| path.exists()).expect("the library")
}

/// A folder with the library as its installation has it, a header for a kernel, and the program.
struct Built {
    folder: TempDir,
}

impl Built {
    fn new(compiler: &[&str], is_static: bool) -> Built {
        Built::of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interface.c"), compiler, is_static)
    }

    fn of(program: &Path, compiler: &[&str], is_static: bool) -> Built {
        let folder = tempfile::tempdir().expect("a folder");
        let source = Path::new(env!("CARGO_MANIFEST_DIR"));
        std::fs::write(folder.path().join("by.h"), "#define BY 3\n").expect("a header");
        let mut command = Command::new(compiler[0]);
        command.args(&compiler[1..]).args(["-Wall", "-Wextra", "-Werror", "-pthread", "-o"]);
        command.arg(folder.path().join("program")).arg("-I").arg(source.join("include"));
        command.arg(program);
        if is_static {
            // Not another language's source.
            command.args(["-x", "none"]).arg(library("libclforge.a")).args(NATIVE);
        } else {
            std::fs::copy(library("libclforge.so"), folder.path().join("libclforge.so.0")).expect("the library");
            std::os::unix::fs::symlink("libclforge.so.0", folder.path().join("libclforge.so")).expect("a link");
            command.arg("-L").arg(folder.path()).arg("-lclforge");
        }
        let output = command.output().expect("these tests need a compiler for C and C++");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Built { folder }
    }

    /// Runs the program behind a command; each thread compiles some times.
    fn run(&self, before: &[&str], times: &str) {
        let program = self.folder.path().join("program");
        let words: Vec<&str> = before.iter().copied().chain(program.to_str()).collect();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(self.folder.path()).arg(times).env("LD_LIBRARY_PATH", self.folder.path());
        let output = command.output().expect("the program runs");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{errors}");
        let expected = concat!("clforge ", env!("CARGO_PKG_VERSION"), "\n");
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    }
}

const C: [&str; 3] = ["cc", "-std=c99", "-D_XOPEN_SOURCE=700"];
const CPP: [&str; 4] = ["c++", "-std=c++11", "-x", "c++"];

#[test]
fn in_c_with_the_shared_library() {
    Built::new(&C, false).run(&[], "5");
}

#[test]
fn in_c_with_the_static_library() {
    Built::new(&C, true).run(&[], "5");
}

#[test]
fn in_cpp_with_both_libraries() {
    Built::new(&CPP, false).run(&[], "5");
    Built::new(&CPP, true).run(&[], "5");
}

#[test]
fn under_valgrind() {
    if !Command::new("valgrind").arg("--version").output().is_ok_and(|run| run.status.success()) {
        println!("valgrind is not installed: nothing is tested");
        return;
    }
    // Values that are not initialised are not looked for: LLVM compares an enum's payload before its tag where the order makes no
    // difference (in `clforge_reader`, built with little optimisation), and the compiler has no unsafe code.
    let valgrind = ["valgrind", "--quiet", "--undef-value-errors=no", "--error-exitcode=9", "--leak-check=full"];
    let valgrind = [&valgrind[..], &["--show-leak-kinds=definite,indirect"]].concat();
    Built::new(&C, false).run(&valgrind, "1");
}

/// A prefix with the library, as `cargo xtask capi` makes it.
fn installed() -> TempDir {
    let prefix = tempfile::tempdir().expect("a folder");
    let (source, libraries) = (Path::new(env!("CARGO_MANIFEST_DIR")), prefix.path().join("lib"));
    for folder in ["bin", "include", "lib/cmake/clforge", "lib/pkgconfig"] {
        std::fs::create_dir_all(prefix.path().join(folder)).expect("a folder");
    }
    std::fs::copy(library("libclforge.so"), libraries.join("libclforge.so.0")).expect("the library");
    std::os::unix::fs::symlink("libclforge.so.0", libraries.join("libclforge.so")).expect("a link");
    std::fs::copy(source.join("include/clforge.h"), prefix.path().join("include/clforge.h")).expect("the header");
    for (from, to) in [
        ("clforge.pc.in", "pkgconfig/clforge.pc"),
        ("cmake/clforgeConfig.cmake", "cmake/clforge/clforgeConfig.cmake"),
        ("cmake/clforgeConfigVersion.cmake.in", "cmake/clforge/clforgeConfigVersion.cmake"),
    ] {
        let text = std::fs::read_to_string(source.join(from)).expect("a file of the package");
        let text = text.replace("@PREFIX@", prefix.path().to_str().expect("a path"));
        let text = text.replace("@LIBDIR@", "lib");
        std::fs::write(libraries.join(to), text.replace("@VERSION@", env!("CARGO_PKG_VERSION"))).expect("written");
    }
    prefix
}

/// Runs a program, and returns what it prints; `None` where it is not installed.
fn output(command: &mut Command) -> Option<String> {
    let run = command.output().ok()?;
    let errors = String::from_utf8_lossy(&run.stderr).into_owned();
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(run.status.success(), "{text}\n{errors}");
    Some(text)
}

#[test]
fn pkg_config_finds_the_library() {
    let prefix = installed();
    let mut command = Command::new("pkg-config");
    command.args(["--cflags", "--libs", "clforge = 0.1.0"]).env("PKG_CONFIG_PATH", prefix.path().join("lib/pkgconfig"));
    let Some(flags) = output(&mut command) else {
        return println!("pkg-config is not installed: nothing is tested");
    };
    // The archive is made for /usr/local, and may be unpacked elsewhere.
    let description = prefix.path().join("lib/pkgconfig/clforge.pc");
    let text = std::fs::read_to_string(&description).expect("a description");
    std::fs::write(&description, text.replace(prefix.path().to_str().expect("a path"), "/usr/local")).expect("written");
    assert_eq!(output(command.arg("--define-prefix")).as_deref(), Some(&*flags));
    let program = prefix.path().join("program");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interface.c");
    output(Command::new("cc").args(["-pthread", "-o"]).arg(&program).arg(source).args(flags.split_whitespace()))
        .expect("a compiler for C");
    let libraries = prefix.path().join("lib");
    std::fs::write(prefix.path().join("by.h"), "#define BY 3\n").expect("a header");
    let run = output(Command::new(&program).arg(prefix.path()).arg("1").env("LD_LIBRARY_PATH", libraries));
    assert!(run.expect("the program runs").starts_with("clforge "));
}

#[test]
fn cmake_finds_the_library() {
    let (prefix, project) = (installed(), tempfile::tempdir().expect("a folder"));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interface.c");
    let lists = format!(
        "cmake_minimum_required(VERSION 3.20)\nproject(p C)\nfind_package(clforge {} REQUIRED)\n\
         add_executable(program {})\ntarget_link_libraries(program PRIVATE clforge::clforge pthread)\n",
        env!("CARGO_PKG_VERSION"),
        source.display(),
    );
    std::fs::write(project.path().join("CMakeLists.txt"), lists).expect("a project");
    let mut command = Command::new("cmake");
    command.args(["-S", ".", "-B", "build"]).current_dir(project.path());
    if output(command.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.path().display()))).is_none() {
        return println!("cmake is not installed: nothing is tested");
    }
    output(Command::new("cmake").args(["--build", "build"]).current_dir(project.path())).expect("cmake runs");
    std::fs::write(project.path().join("by.h"), "#define BY 3\n").expect("a header");
    // CMake has written the folder of the library into the program.
    let run = output(Command::new(project.path().join("build/program")).arg(project.path()).arg("1"));
    assert!(run.expect("the program runs").starts_with("clforge "));
}

#[test]
fn the_program_of_the_documentation() {
    let page = include_str!("../../../docs/c.md");
    let program = page.split("```c\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a program");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, program).expect("the program is written");
    let built = Built::of(&path, &C, false);
    let mut command = Command::new(built.folder.path().join("program"));
    let output = command.env("LD_LIBRARY_PATH", built.folder.path()).output().expect("the program runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && output.stderr.is_empty() && text.ends_with(" words\n"), "{text}");
}

/// What the library exports beside the functions of the header would collide with a program's own names.
#[test]
fn nothing_else_is_exported() {
    let header = include_str!("../include/clforge.h");
    let output = Command::new("nm").args(["-D", "--defined-only"]).arg(library("libclforge.so")).output();
    let output = output.expect("these tests need nm (Debian: binutils)");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut names: Vec<&str> = text.lines().filter_map(|line| line.split_whitespace().last()).collect();
    names.sort_unstable();
    let declared = |name: &&str| header.contains(&format!("{name}("));
    assert!(names.len() > 10 && names.iter().all(declared), "{names:?}");
}
