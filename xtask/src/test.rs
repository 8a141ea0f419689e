//! `cargo xtask test`: all checks and tests, the fastest ones first.

use crate::process::{cargo, program_of, root, step, target_folder};
use crate::{Outcome, book, corpus, drivers, roots, setup, tidy, verdicts, web};

/// The crates with `publish = false`.
const UNPUBLISHED: [&str; 7] =
    ["clforge-capi", "clforge-harness", "clforge-python", "embedded-kernel", "public-api", "shaders-test", "xtask"];

/// Installs what is missing, checks form, then runs all tests.
pub fn test(full: bool) -> Outcome {
    setup::for_tests()?;
    setup::memory_allocator()?;
    setup::rust_components()?;
    step("formatting", cargo().args(["fmt", "--all", "--check"]))?;
    println!("==> tidy");
    tidy::tidy(false)?;
    step("clippy", cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    step("documentation", cargo().args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    packages(full)?;
    if full {
        println!("==> clang's verdicts");
        verdicts::verdicts(&root().join(verdicts::FOLDER))?;
        println!("==> our own kernels as a corpus");
        corpus::corpus(&corpus::Arguments::of_folder(root().join("shaders-test/programs")))?;
        setup::for_accuracy(true)?;
        let measuring = ["-p", "shaders-test", "--features", "accuracy"];
        step(
            "clippy of what measures accuracy",
            cargo().arg("clippy").args(measuring).args(["--all-targets", "--", "-D", "warnings"]),
        )?;
        step("tests of what measures accuracy", cargo().args(["test", "--lib"]).args(measuring))?;
        // Only those that have more to do then: each test program is half a minute of linking in release mode.
        for (package, test) in [
            ("shaders-test", "conversions"),
            ("shaders-test", "special_constants"),
            ("clforge-runtime", "allocations"),
            ("clforge-runtime", "mutations"),
            ("clforge-compiler", "translate"),
        ] {
            step(
                &format!("{test} at full length"),
                cargo().args(["test", "--release", "-p", package, "--test", test]).env("CLFORGE_LONG_TESTS", "1"),
            )?;
        }
        // Always the same ones: a change of the compiler is to blame when one fails.
        fuzz(&["--count", "20", "--seed", "1"].map(String::from))?;
        fuzz(&["--expressions", "--count", "5", "--seed", "1"].map(String::from))?;
        roots::roots(&[])?;
    }
    // The command is built with the tests, so that nothing is built twice.
    step("building the tests", cargo().args(["test", "--workspace", "--no-run"]))?;
    println!("==> book");
    book::check(&program_of("clforge", "dev"))?;
    web::test("dev")?;
    example_with_wgpu()?;
    drivers::check("dev")?;
    // Last, so that the end of the output is the tests' own summary.
    step("tests", cargo().args(["test", "--workspace", "--no-fail-fast"]))
}

/// The example that is a workspace of its own.
fn example_with_wgpu() -> Outcome {
    let folder = target_folder().join("wgpu");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let manifest = root().join("examples/wgpu/Cargo.toml");
    // It writes a picture to the current folder.
    let run = ["run", "--quiet", "--manifest-path"];
    step("example with wgpu", cargo().args(run).arg(manifest).arg("--target-dir").arg(&folder).current_dir(&folder))
}

/// The crates' packages as they would be published. `build`: whether each is built from its package, without this workspace.
fn packages(build: bool) -> Outcome {
    let mut package = cargo();
    package.args(["package", "--workspace", "--allow-dirty", "--quiet"]);
    UNPUBLISHED.iter().for_each(|name| {
        package.args(["--exclude", name]);
    });
    if !build {
        package.arg("--no-verify");
    }
    step("packages of the crates", &mut package)
}

/// Mutants of modules; `arguments` are those of `compiler/examples/fuzz_reader.rs`.
pub fn fuzz_reader(arguments: &[String]) -> Outcome {
    let build =
        ["run", "--quiet", "--profile", "checked", "--package", "clforge-compiler", "--example", "fuzz_reader", "--"];
    step("mutants of modules", cargo().args(build).args(arguments))
}

/// Random programs; `arguments` are those of `shaders-test/src/bin/fuzz.rs`.
pub fn fuzz(arguments: &[String]) -> Outcome {
    let build = ["run", "--quiet", "--release", "--package", "shaders-test", "--bin", "fuzz", "--"];
    step("random programs", cargo().args(build).args(arguments))
}

/// Modules under every workaround; `arguments` are those of `shaders-test/src/bin/validate.rs`.
pub fn validate(arguments: &[String]) -> Outcome {
    let build = ["run", "--quiet", "--release", "--package", "shaders-test", "--bin", "validate", "--"];
    step("modules under every workaround", cargo().args(build).args(arguments))
}

/// All overloads of the built-in functions, where the tests otherwise take a share of them.
pub fn builtins() -> Outcome {
    step(
        "overloads of built-in functions",
        cargo()
            .args(["test", "--quiet", "-p", "clforge-compiler", "--test", "builtins", "--", "--nocapture"])
            .env("CLFORGE_FULL", "1"),
    )
}

/// Lets the filetests rewrite their expectations.
pub fn bless() -> Outcome {
    step(
        "filetests, rewriting expectations",
        cargo().args(["test", "-p", "clforge-compiler", "--test", "filetests"]).env("CLFORGE_BLESS", "1"),
    )
}
