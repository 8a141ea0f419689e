//! Runs the programs of a chapter. The words behind the language of a block of code say what is done with it:
//!
//! - `sh run`: the commands are run in the chapter's own empty folder, with the built `clforge` on the search path;
//! - `python run`: the same with the Python of the environment that `cargo xtask python` makes;
//! - `fails` behind `run`: the commands must fail, instead of succeed;
//! - `needs=NAME`: the block is left out where there is no program of that name, or where no `libclforge` or `libclforge_opencl` is
//!   beside the command. Blocks with `clforge run`, `clforge devices` or an OpenCL program need a Vulkan device;
//! - `file=NAME`, in any language: the block is written to this file of the folder;
//! - `text output`: what the block before it prints. `…` stands for any text, alone on a line for any number of lines.

use super::{read, write_file};
use crate::Outcome;
use crate::capi;
use crate::process::{target_folder, works};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Seconds after which a program is stopped.
const LIMIT: &str = "120";
const ANYTHING: char = '…';
const C_LIBRARY: &str = "libclforge";
const DRIVER: &str = "libclforge_opencl";
/// What needs a Vulkan device.
const ON_DEVICES: [&str; 3] = ["clforge run", "clforge devices", "OCL_ICD_VENDORS"];

/// One block of code.
#[derive(Debug, PartialEq)]
struct Block<'t> {
    language: &'t str,
    words: Vec<&'t str>,
    /// The index of its first line.
    start: usize,
    lines: Vec<&'t str>,
}

impl<'t> Block<'t> {
    fn has(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// What stands behind `KEY=`.
    fn value(&self, key: &str) -> Option<&'t str> {
        self.words.iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    }

    fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// The blocks of a document.
fn blocks(text: &str) -> Vec<Block<'_>> {
    let (mut found, mut open): (Vec<Block>, bool) = (Vec::new(), false);
    for (number, line) in text.lines().enumerate() {
        match (open, line.strip_prefix("```")) {
            (true, Some(_)) => open = false,
            (true, None) => {
                if let Some(block) = found.last_mut() {
                    block.lines.push(line);
                }
            }
            (false, Some(info)) => {
                let mut words = info.split_whitespace();
                let language = words.next().unwrap_or_default();
                found.push(Block { language, words: words.collect(), start: number + 1, lines: Vec::new() });
                open = true;
            }
            (false, None) => {}
        }
    }
    found
}

/// Whether output is as it is expected.
fn matches(expected: &[&str], actual: &[&str]) -> bool {
    match expected.split_first() {
        None => actual.is_empty(),
        Some((line, rest)) if line.chars().eq([ANYTHING]) => {
            (0..=actual.len()).any(|skipped| matches(rest, actual.get(skipped..).unwrap_or_default()))
        }
        Some((line, rest)) => {
            actual.split_first().is_some_and(|(first, others)| line_matches(line, first) && matches(rest, others))
        }
    }
}

fn line_matches(expected: &str, actual: &str) -> bool {
    let Some((before, after)) = expected.split_once(ANYTHING) else { return expected == actual };
    let Some(rest) = actual.strip_prefix(before) else { return false };
    let ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
    ends.into_iter().any(|at| line_matches(after, rest.get(at..).unwrap_or_default()))
}

fn make_folder(folder: &Path) -> Outcome {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))
}

/// A library that was built with the command. Cargo has the newest one in the folder `deps`, whatever it was built for.
fn library(clforge: &Path, name: &str) -> Option<PathBuf> {
    let places = [format!("deps/{name}.so"), format!("{name}.so")].map(|name| clforge.with_file_name(name));
    places.into_iter().find(|place| place.is_file())
}

/// A document with the contents of some blocks replaced.
fn replaced(text: &str, replacements: &[(&Block, String)]) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    // From the end, so that the lines before keep their numbers.
    for (block, new) in replacements.iter().rev() {
        lines.splice(block.start..block.start + block.lines.len(), new.lines());
    }
    lines.join("\n") + "\n"
}

/// What programs are run with, and what became known of this machine.
pub struct Machine {
    folder: tempfile::TempDir,
    /// Where the C library is installed.
    prefix: PathBuf,
    clforge: PathBuf,
    python: PathBuf,
    search_path: std::ffi::OsString,
    /// Whether it has what blocks need.
    has: BTreeMap<String, bool>,
    run: usize,
    left_out: BTreeMap<String, usize>,
}

impl Machine {
    pub fn new(root: &Path, clforge: &Path) -> Result<Machine, String> {
        if !clforge.is_file() {
            return Err(format!("{}: there is no such command", clforge.display()));
        }
        let folder = tempfile::tempdir().map_err(|error| format!("a folder for the book's programs: {error}"))?;
        let old = std::env::var_os("PATH").unwrap_or_default();
        let first = clforge.parent().unwrap_or(root).to_path_buf();
        let paths = [first].into_iter().chain(std::env::split_paths(&old));
        let search_path = std::env::join_paths(paths).map_err(|error| format!("PATH: {error}"))?;
        let python = target_folder().join("python/test/bin/python");
        let prefix = folder.path().join("prefix");
        let library = library(clforge, C_LIBRARY);
        library.as_ref().map_or(Ok(()), |library| capi::install(library, Path::new("/"), &prefix, "lib"))?;
        let has = [(C_LIBRARY, library.is_some()), (DRIVER, self::library(clforge, DRIVER).is_some())];
        let has = has.map(|(name, has)| (name.to_owned(), has)).into();
        let (clforge, left_out) = (clforge.to_path_buf(), BTreeMap::new());
        Ok(Machine { folder, prefix, clforge, python, search_path, has, run: 0, left_out })
    }

    /// What was done, in words.
    pub fn report(&self) -> String {
        let left_out: Vec<String> = self.left_out.iter().map(|(what, count)| format!("{count} need {what}")).collect();
        let rest = if left_out.is_empty() { String::new() } else { format!(", left out: {}", left_out.join(", ")) };
        format!("{} programs of the book ran{rest}", self.run)
    }

    /// Runs the programs of a chapter and compares what they print, or writes that to the chapter.
    pub fn chapter(&mut self, name: &str, file: &Path, write: bool, complaints: &mut Vec<String>) -> Outcome {
        let text = read(file)?;
        let folder = self.folder.path().join(file.file_stem().unwrap_or_default());
        make_folder(&folder)?;
        if let Some(driver) = library(&self.clforge, DRIVER) {
            // Where `cargo xtask opencl` has it.
            make_folder(&folder.join("target/opencl"))?;
            write_file(&folder.join("target/opencl/clforge.icd"), &format!("{}\n", driver.display()))?;
        }
        let (blocks, mut replacements) = (blocks(&text), Vec::new());
        for (index, block) in blocks.iter().enumerate() {
            if let Some(file) = block.value("file") {
                let path = folder.join(file);
                make_folder(path.parent().unwrap_or(&folder))?;
                write_file(&path, &block.text())?;
            }
            if !block.has("run") || !self.allows(block) {
                continue;
            }
            let (succeeded, output) = self.output(block, &folder)?;
            if succeeded == block.has("fails") {
                let expected = if succeeded { "failed" } else { "succeeded" };
                complaints.push(format!("{name}:{}: should have {expected}:\n{output}", block.start));
            }
            let actual: Vec<&str> = output.trim_end().lines().map(str::trim_end).collect();
            let next = blocks.get(index + 1).filter(|next| next.has("output"));
            match next.filter(|next| !matches(&next.lines, &actual)) {
                Some(expected) if write => replacements.push((expected, actual.join("\n"))),
                Some(expected) => {
                    complaints.push(format!("{name}:{}: other output:\n{}", expected.start, actual.join("\n")));
                }
                None => {}
            }
        }
        if replacements.is_empty() { Ok(()) } else { write_file(file, &replaced(&text, &replacements)) }
    }

    /// Runs a block; whether it succeeded, and what it printed.
    fn output(&mut self, block: &Block, folder: &Path) -> Result<(bool, String), String> {
        self.run += 1;
        let mut command = Command::new("timeout");
        if block.language == "python" {
            command.args([LIMIT.as_ref(), self.python.as_os_str(), "-c".as_ref()]).arg(block.text());
        } else {
            command.args([LIMIT, "sh", "-e", "-c", &format!("exec 2>&1\n{}", block.text())]);
        }
        command
            .current_dir(folder)
            .env("PATH", &self.search_path)
            .env("CLFORGE_CACHE", self.folder.path().join("cache"));
        let libraries = self.prefix.join("lib");
        command.env("PKG_CONFIG_PATH", libraries.join("pkgconfig")).env("CMAKE_PREFIX_PATH", &self.prefix);
        command.env("LD_LIBRARY_PATH", libraries);
        let ended = command.output().map_err(|error| format!("timeout: {error}"))?;
        let mut text = String::from_utf8_lossy(&ended.stdout).into_owned();
        text.push_str(&String::from_utf8_lossy(&ended.stderr));
        Ok((ended.status.success(), text))
    }

    /// Whether the machine has what a block needs; counts those that are left out.
    fn allows(&mut self, block: &Block) -> bool {
        let named = block.words.iter().filter_map(|word| word.strip_prefix("needs="));
        let mut needs: Vec<&str> = named.collect();
        if block.lines.iter().any(|line| ON_DEVICES.iter().any(|words| line.contains(words))) {
            needs.push("a Vulkan device");
        }
        if block.language == "python" {
            needs.push("cargo xtask python");
        }
        let Some(missing) = needs.into_iter().find(|need| !self.has(need)) else { return true };
        *self.left_out.entry(missing.to_owned()).or_default() += 1;
        false
    }

    fn has(&mut self, need: &str) -> bool {
        if let Some(known) = self.has.get(need) {
            return *known;
        }
        let found = match need {
            "a Vulkan device" => works(&self.clforge, &["devices"]),
            "cargo xtask python" => works(&self.python, &["-c", "import clforge, numpy"]),
            program => std::env::split_paths(&self.search_path).any(|folder| folder.join(program).is_file()),
        };
        self.has.insert(need.to_owned(), found);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_words_and_lines() {
        let found = blocks("a\n```sh run needs=cc\nb\n\nc\n```\n```text output\n```\n");
        let first = Block { language: "sh", words: vec!["run", "needs=cc"], start: 2, lines: vec!["b", "", "c"] };
        assert_eq!(found, [first, Block { language: "text", words: vec!["output"], start: 7, lines: vec![] }]);
        assert_eq!((found[0].value("needs"), found[0].value("file")), (Some("cc"), None));
    }

    #[test]
    fn outputs_are_written() {
        let text = "```text output\na\n```\n\n```text output\n```\n";
        let blocks = blocks(text);
        let new = [(&blocks[0], "b\nc".to_owned()), (&blocks[1], "d".to_owned())];
        assert_eq!(replaced(text, &new), "```text output\nb\nc\n```\n\n```text output\nd\n```\n");
    }

    #[test]
    fn outputs_are_compared() {
        assert!(matches(&["a", "b"], &["a", "b"]) && !matches(&["a"], &["a", "b"]) && !matches(&["a", "b"], &["a"]));
        assert!(
            matches(&["a", "…", "d"], &["a", "b", "c", "d"]) && matches(&["…"], &[]) && !matches(&["…", "d"], &["c"])
        );
        assert!(line_matches("best …µs, … of 1", "best 77.1µs, median of 1") && line_matches("a…", "a"));
        assert!(!line_matches("best …µs", "best 77.1ms"));
    }
}
