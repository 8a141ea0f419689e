//! Files that clang accepts and that cannot compile for a target, each with the reason.

use std::path::Path;

/// One known exception.
struct Exception {
    /// The end of the file's path.
    path: &'static str,
    /// How the target's name begins.
    target: &'static str,
    reason: &'static str,
}

const NO_PIPES: &str = "expects that there are no pipes";
const EXCEPTIONS: &[Exception] = &[
    Exception { path: "test/Diagnostics/pipes-unsupported-cl2.cl", target: "vulkan", reason: NO_PIPES },
    Exception { path: "test/Diagnostics/pipes-unsupported-cl3.cl", target: "vulkan", reason: NO_PIPES },
    Exception {
        path: "test/MultipleInputs/kernel.cl",
        target: "vulkan",
        reason: "it calls a function that another file defines, and Vulkan modules have no linkage",
    },
];

/// Why a file cannot compile for a target, if that is known.
pub fn reason(path: &Path, target: &str) -> Option<&'static str> {
    let known = EXCEPTIONS.iter().find(|known| path.ends_with(known.path) && target.starts_with(known.target));
    known.map(|known| known.reason)
}
