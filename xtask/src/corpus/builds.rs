//! The build options of each program's kernels.
//!
//! Real programs give options in their host code, test suites in comments of the kernel. Options in comments are read
//! from there; options in the host programs of well-known suites are in a table, by path.

use std::path::Path;

/// How often and with which options one file is compiled. The words of one build are separated by spaces; folders are
/// relative to the file's own.
pub struct Program {
    /// What the file's path contains.
    path: &'static str,
    builds: &'static [&'static str],
}

/// The host programs' `clBuildProgram` options, first match first. Sizes are the programs' defaults.
const PROGRAMS: &[Program] = &[
    // SHOC
    Program { path: "opencl/level1/bfs/", builds: &[""] },
    Program { path: "opencl/level1/fft/", builds: SHOC_FFT },
    Program { path: "opencl/level1/gemm/", builds: SHOC_GEMM },
    Program { path: "opencl/level1/md/", builds: SHOC },
    Program { path: "opencl/level1/reduction/", builds: SHOC },
    Program { path: "opencl/level1/scan/", builds: SHOC },
    Program { path: "opencl/level1/spmv/", builds: SHOC_SPMV },
    Program { path: "opencl/level1/stencil2d/", builds: SHOC_STENCIL },
    Program { path: "opencl/level2/s3d/", builds: SHOC_S3D },
    // Rodinia
    Program { path: "opencl/b+tree/kernel/kernel_gpu_opencl_2.cl", builds: &["-I.. -DDEFAULT_ORDER_2=256"] },
    Program { path: "opencl/b+tree/kernel/", builds: &["-I.. -DDEFAULT_ORDER=256"] },
    Program { path: "opencl/heartwall/kernel/", builds: &["-I..", "-I.. -DRD_WG_SIZE=256"] },
    Program { path: "opencl/hotspot/", builds: &["-DBLOCK_SIZE=16"] },
    Program { path: "opencl/lavaMD/kernel/", builds: &["-I..", "-I.. -DRD_WG_SIZE=128"] },
    Program { path: "opencl/leukocyte/find_ellipse", builds: LEUKOCYTE },
    Program { path: "opencl/leukocyte/OpenCL/find_ellipse", builds: LEUKOCYTE },
    Program { path: "opencl/lud/", builds: &["-DBLOCK_SIZE=16"] },
    Program { path: "opencl/myocyte/kernel/", builds: &["-I.."] },
    Program { path: "opencl/nw/", builds: &["-DBLOCK_SIZE=16"] },
    Program { path: "opencl/particlefilter/", builds: &["-cl-fast-relaxed-math"] },
    Program { path: "opencl/srad/kernel/", builds: &["-I..", "-I.. -DRD_WG_SIZE=256"] },
    // clpeak
    Program { path: "src/opencl/kernels/", builds: &["-cl-mad-enable"] },
];
const SHOC: &[&str] = &["-DSINGLE_PRECISION", "-DK_DOUBLE_PRECISION"];
const SHOC_FFT: &[&str] = &[
    "-cl-mad-enable -DSINGLE_PRECISION",
    "-cl-mad-enable -DK_DOUBLE_PRECISION",
    "-cl-mad-enable -cl-fast-relaxed-math -DSINGLE_PRECISION",
];
const SHOC_GEMM: &[&str] = &["-DSINGLE_PRECISION -cl-mad-enable", "-DK_DOUBLE_PRECISION -cl-mad-enable"];
const SHOC_SPMV: &[&str] = &[
    "-DSINGLE_PRECISION",
    "-DSINGLE_PRECISION -DUSE_TEXTURE -DMAX_IMG_WIDTH=8192",
    "-DK_DOUBLE_PRECISION",
    "-DK_DOUBLE_PRECISION -DUSE_TEXTURE -DMAX_IMG_WIDTH=8192",
];
const SHOC_STENCIL: &[&str] =
    &["-DLROWS=8 -DLCOLS=256 -DSINGLE_PRECISION", "-DLROWS=8 -DLCOLS=256 -DK_DOUBLE_PRECISION"];
const SHOC_S3D: &[&str] = &["-DSINGLE_PRECISION -DDIM=24 -DN_GP=13824", "-DK_DOUBLE_PRECISION -DDIM=24 -DN_GP=13824"];
const LEUKOCYTE: &[&str] = &["", "-D USE_IMAGE"];

/// Every set of options with which the file is built; none for a file in another language.
pub fn of(path: &Path, text: &str) -> Vec<Vec<String>> {
    let commands: Vec<Vec<String>> = text.lines().filter_map(|line| command_in(line, path)).collect();
    let mut builds: Vec<Vec<String>> = Vec::new();
    for build in commands.iter().filter(|build| !is_cpp(build)) {
        if !builds.contains(build) {
            builds.push(build.clone());
        }
    }
    if !commands.is_empty() || path.components().any(|part| part.as_os_str() == "CPlusPlus") {
        return builds;
    }
    let path = path.to_string_lossy().replace('\\', "/");
    let program = PROGRAMS.iter().find(|program| path.contains(program.path));
    let builds = program.map_or(&[""][..], |program| program.builds);
    builds.iter().map(|build| build.split_whitespace().map(String::from).collect()).collect()
}

/// C++ for OpenCL is another language.
fn is_cpp(build: &[String]) -> bool {
    build.iter().any(|option| option.starts_with("-cl-std=CLC++"))
}

/// The build options in a test's `// RUN: clspv OPTIONS FILE | …`, as `clBuildProgram` knows them. What concerns the
/// other compiler alone is left out.
fn command_in(line: &str, path: &Path) -> Option<Vec<String>> {
    let (_, command) = line.split_once("RUN:")?;
    let command = command.trim_start();
    let command = command.strip_prefix("not ").unwrap_or(command).trim_start().strip_prefix("clspv ")?;
    let folder = path.parent().unwrap_or(Path::new(".")).to_string_lossy();
    let mut words = command.split(['|', '>', '&', ';']).next()?.split_whitespace();
    let mut options = Vec::new();
    while let Some(word) = words.next() {
        let word = if word.starts_with("--") { &word[1..] } else { word };
        match word {
            "-D" | "-I" => {
                options.push(word.into());
                options.extend(words.next().map(|value| value.replace("%S", &folder)));
            }
            "-w"
            | "-cl-mad-enable"
            | "-cl-unsafe-math-optimizations"
            | "-cl-single-precision-constant"
            | "-cl-kernel-arg-info"
            | "-cl-fast-relaxed-math"
            | "-cl-finite-math-only"
            | "-cl-no-signed-zeros"
            | "-cl-denorms-are-zero"
            | "-cl-opt-disable" => options.push(word.into()),
            _ if ["-D", "-I", "-cl-std="].iter().any(|prefix| word.starts_with(prefix)) => {
                options.push(word.replace("%S", &folder));
            }
            _ => {}
        }
    }
    Some(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn builds(path: &str, text: &str) -> Vec<String> {
        of(Path::new(path), text).iter().map(|build| build.join(" ")).collect()
    }

    #[test]
    fn options_stand_in_comments() {
        let text = "// RUN: clspv %target -cl-std=CL2.0 --inline-entry-points -D N=4 %s -o %t.spv\n\
                    // RUN: clspv %target %s --cl-mad-enable -I%S/inc -o %t | FileCheck -DX=1 %s\n\
                    // RUN: clspv %target %s -cl-mad-enable -I%S/inc\n\
                    // RUN: spirv-val %t.spv\n";
        assert_eq!(builds("t/a.cl", text), ["-cl-std=CL2.0 -D N=4", "-cl-mad-enable -It/inc"]);
        assert_eq!(builds("t/a.cl", "// RUN: not clspv %s -verify"), [""]);
        assert_eq!(builds("t/a.cl", "// RUN: clspv --cl-std=CLC++2021 %s"), [""; 0]);
    }

    #[test]
    fn known_programs_have_rows() {
        assert_eq!(builds("x/opencl/nw/nw.cl", ""), ["-DBLOCK_SIZE=16"]);
        assert_eq!(builds("x/opencl/leukocyte/find_ellipse_kernel.cl", ""), ["", "-D USE_IMAGE"]);
        assert_eq!(builds("x/mine.cl", ""), [""]);
    }
}
