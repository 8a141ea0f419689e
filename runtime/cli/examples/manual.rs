//! Writes the command's manual pages and the completions for shells into a folder: `cargo xtask dist` packs them.
//!
//! It shares the command's definition with the command, which itself has no use for the libraries that write them.

#[allow(dead_code, reason = "only the definition of the command line is used")]
#[path = "../src/cli.rs"]
mod cli;
#[allow(dead_code, reason = "the command line names its enumerations")]
#[path = "../src/terminal.rs"]
mod terminal;

use clap_complete::Shell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Where shells look for completions below a prefix, and the names of the files.
const SHELLS: [(Shell, &str); 3] = [
    (Shell::Bash, "share/bash-completion/completions/clforge"),
    (Shell::Zsh, "share/zsh/site-functions/_clforge"),
    (Shell::Fish, "share/fish/vendor_completions.d/clforge.fish"),
];

fn main() -> io::Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("usage: manual FOLDER"))?;
    let command = cli::command(&[]).version(env!("CARGO_PKG_VERSION"));
    for (shell, path) in SHELLS {
        let path = folder.join(path);
        make_parent(&path)?;
        let mut file = fs::File::create(path)?;
        clap_complete::generate(shell, &mut command.clone(), "clforge", &mut file);
    }
    page(&command, "clforge", &folder)?;
    for subcommand in command.get_subcommands() {
        let name = format!("clforge-{}", subcommand.get_name());
        let named = subcommand.clone().display_name(&name).bin_name(format!("clforge {}", subcommand.get_name()));
        page(&named, &name, &folder)?;
    }
    Ok(())
}

/// Writes a manual page. Its date is left out, so that it is the same in every build.
fn page(command: &clap::Command, name: &str, folder: &Path) -> io::Result<()> {
    let path = folder.join(format!("share/man/man1/{name}.1"));
    make_parent(&path)?;
    let source = concat!("clforge ", env!("CARGO_PKG_VERSION"));
    let manual = clap_mangen::Man::new(command.clone()).title(name).source(source).manual("Manual of clforge").date("");
    let mut text = Vec::new();
    manual.render(&mut text)?;
    fs::write(path, text)
}

fn make_parent(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path.parent().unwrap_or(path))
}
