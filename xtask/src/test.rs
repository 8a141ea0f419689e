//! `cargo xtask test`: everything that must hold, in the order in which it fails fastest.

use crate::process::{cargo, root, step};
use crate::{Outcome, corpus, setup, tidy};

/// Installs what is missing, checks form, then runs all tests.
pub fn test(full: bool) -> Outcome {
    setup::for_tests()?;
    setup::rust_components()?;
    step("formatting", cargo().args(["fmt", "--all", "--check"]))?;
    println!("==> tidy");
    tidy::tidy()?;
    step("clippy", cargo().args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    step(
        "documentation",
        cargo()
            .args(["doc", "--workspace", "--no-deps"])
            // Docs of a room link to its private parts, for those who read the source.
            .env("RUSTDOCFLAGS", "-D warnings -A rustdoc::private_intra_doc_links"),
    )?;
    if full {
        println!("==> our own kernels as a corpus");
        corpus::corpus(&root().join("shaders-test/programs"), &[])?;
        builtins()?;
        step("tests in release mode", cargo().args(["test", "--workspace", "--release"]))?;
    }
    // Last, so that the end of the output is the tests' own summary.
    step("tests", cargo().args(["test", "--workspace", "--no-fail-fast"]))
}

/// All overloads of the built-in functions, where the tests otherwise take a share of them.
pub fn builtins() -> Outcome {
    step(
        "overloads of built-in functions",
        cargo()
            .args(["test", "--quiet", "-p", "clforge-compiler", "--test", "builtins", "--", "--nocapture"])
            .env("CLFORGE_BUILTINS", "all"),
    )
}

/// Lets the filetests rewrite their expectations.
pub fn bless() -> Outcome {
    step(
        "filetests, rewriting expectations",
        cargo().args(["test", "-p", "clforge-compiler", "--test", "filetests"]).env("CLFORGE_BLESS", "1"),
    )
}
