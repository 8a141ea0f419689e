//! `cargo xtask wheel` and `cargo xtask python`: the Python wheel, and its tests where it is installed.

use crate::Outcome;
use crate::dist::licences;
use crate::process::{files, root, step, target_folder};
use crate::release::{Release, check_glibc};
use crate::tools::Environment;
use std::path::{Path, PathBuf};

/// The Pythons that wheels are for, as features of the crate. The first serves 3.9 and 3.10; later ones have the buffer protocol in
/// their stable interface.
const INTERFACES: [&str; 2] = ["abi3-py39", "abi3-py311"];
/// What the tests need, besides the wheel.
const FOR_TESTS: &[&str] =
    &["pytest", "numpy", "pyopencl", "mako", "mypy", "dask", "distributed", "matplotlib", "ipython"];

/// The command and the OpenCL driver, with their places in a wheel. PyOpenCL's wheels have a loader of OpenCL that looks for
/// drivers in its own folder, where the wheels of PoCL put theirs too. It takes a name without a folder.
const PARTS: [(&str, &str); 2] =
    [("clforge", "scripts/clforge"), ("libclforge_opencl.so", "platlib/pyopencl/.libs/libclforge_opencl.so")];
const ICD: (&str, &str) = ("platlib/pyopencl/.libs/clforge.icd", "libclforge_opencl.so\n");

/// Builds the wheels into `target/wheels`.
pub fn wheel() -> Outcome {
    let release = Release::new()?;
    release.build(&["clforge", "clforge-opencl"])?;
    let package = root().join("runtime/python");
    stage(&release, &package.join("_clforge.data"))?;
    let wheels = wheels_folder();
    if wheels.exists() {
        std::fs::remove_dir_all(&wheels).map_err(|error| format!("{}: {error}", wheels.display()))?;
    }
    for interface in INTERFACES {
        let mut maturin = release.maturin()?;
        maturin.args(["--auditwheel", "check", "--no-default-features", "--features", interface, "--out"]).arg(&wheels);
        maturin.current_dir(&package);
        step(&format!("building the wheel with {interface}"), &mut maturin)?;
    }
    check_glibc(&release.built("lib_clforge.so"))?;
    for wheel in files(&wheels, "whl")? {
        let size = std::fs::metadata(&wheel).map_or(0, |data| data.len());
        println!("==> {} ({:.1} MB)", wheel.display(), size as f64 / 1e6);
    }
    Ok(())
}

/// Puts the command and the driver where maturin takes a wheel's data from.
fn stage(release: &Release, data: &Path) -> Outcome {
    for (name, place) in PARTS {
        let (from, to) = (release.built(name), data.join(place));
        check_glibc(&from)?;
        make_parent(&to)?;
        std::fs::copy(&from, &to).map_err(|error| format!("{}: {error}", from.display()))?;
    }
    let licences = licences::text(&release.target, &["clforge", "clforge-opencl", "clforge-python"])?;
    let file = data.join("data/share/doc/clforge/THIRD-PARTY-LICENCES");
    std::fs::write(&file, licences).map_err(|error| format!("{}: {error}", file.display()))?;
    let icd = data.join(ICD.0);
    std::fs::write(&icd, ICD.1).map_err(|error| format!("{}: {error}", icd.display()))
}

fn make_parent(path: &Path) -> Outcome {
    let parent = path.parent().unwrap_or(path);
    std::fs::create_dir_all(parent).map_err(|error| format!("{}: {error}", parent.display()))
}

pub fn wheels_folder() -> PathBuf {
    target_folder().join("wheels")
}

/// Builds the wheels, installs one in a new environment with numpy and PyOpenCL, and runs the tests there.
pub fn python(interpreters: &[String], built: bool, rest: &[String]) -> Outcome {
    if !built {
        wheel()?;
    }
    let default = ["python3".to_owned()];
    for interpreter in if interpreters.is_empty() { &default[..] } else { interpreters } {
        test_with(interpreter, rest)?;
    }
    Ok(())
}

fn test_with(interpreter: &str, rest: &[String]) -> Outcome {
    let environment = Environment::fresh("test", interpreter)?;
    let wheels = wheels_folder();
    let mut pip = environment.python();
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--find-links"]);
    step("pip install clforge", pip.arg(&wheels).arg("clforge"))?;
    environment.install(FOR_TESTS)?;
    let tests = root().join("runtime/python/tests");
    let mut pytest = environment.python();
    pytest.args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).arg(&tests).args(rest);
    // What a notebook would run from: no folder of the sources is imported from.
    pytest.current_dir(environment.folder()).env("PATH", environment.search_path()?).env("PIP_FIND_LINKS", &wheels);
    pytest.env("CLFORGE_DOCS", root().join("docs")).env("PYTHONDONTWRITEBYTECODE", "1");
    step(&format!("tests of the wheel with {interpreter}"), &mut pytest)
}

/// Measures how long a program that uses PyOpenCL takes to its first result, with our driver and with PoCL's wheel.
pub fn bench(repeat: usize) -> Outcome {
    let ours = Environment::fresh("bench-clforge", "python3")?;
    let mut pip = ours.python();
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--find-links"]);
    step("pip install clforge", pip.arg(wheels_folder()).arg("clforge"))?;
    ours.install(&["pyopencl"])?;
    let other = Environment::with("bench-pocl", &["pyopencl", "pocl-binary-distribution"])?;
    let named = |name: &str, of: &Environment| format!("{name}={}", of.folder().join("bin/python").display());
    let mut script = ours.python();
    script.arg(root().join("runtime/python/bench/startup.py")).args([named("clforge", &ours), named("PoCL", &other)]);
    step("time to the first result", script.arg("--repeat").arg(repeat.to_string()))
}
