//! The kernels, inside the program.

use include_dir::{Dir, include_dir};

static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/bench");

/// The text of a file of `shaders-test/bench`, by its name without `.cl`.
pub fn text(name: &str) -> Result<&'static str, String> {
    let file = FOLDER.get_file(format!("{name}.cl")).and_then(|file| file.contents_utf8());
    file.ok_or_else(|| format!("{name}.cl is not in the program"))
}
