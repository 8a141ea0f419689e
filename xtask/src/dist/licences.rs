//! The licences of all that is built into a program: names as its packages state them, and the texts that they bring.

use super::output;
use crate::process::cargo;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What begins the names of files with a licence.
const NAMES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE"];

/// A line of the Apache License 2.0 that tells its text.
const APACHE: &str = "TERMS AND CONDITIONS FOR USE, REPRODUCTION, AND DISTRIBUTION";

/// The same for Debian, whose packages name the file that every system has in place of the Apache License's text.
pub fn for_debian(text: &str) -> String {
    let name = |part: &str| match part.split_once("\n\n") {
        Some((packages, licence)) if licence.contains(APACHE) => {
            format!("{packages}\n\nApache License 2.0: /usr/share/common-licenses/Apache-2.0\n")
        }
        _ => part.to_owned(),
    };
    text.split(&rule()).map(name).collect::<Vec<_>>().join(&rule())
}

/// What stands between texts.
fn rule() -> String {
    format!("\n{}\n", "-".repeat(80))
}

/// One text for all dependencies of packages: a list, then each licence's text once, with the packages that bring it.
pub fn text(target: &str, packages: &[&str]) -> Result<String, String> {
    let found = contained(target, packages)?;
    let mut text = String::from("clforge contains these packages of others:\n\n");
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (package, licence) in &found {
        text += &format!("{package}: {licence}\n");
        for found in texts_of(package)? {
            texts.entry(found).or_default().push(package.clone());
        }
    }
    text += "the standard library of Rust: MIT OR Apache-2.0\n";
    // In the order of the first package, so that the same packages make the same text.
    let mut texts: Vec<_> = texts.into_iter().map(|(text, packages)| (packages, text)).collect();
    texts.sort();
    for (packages, licence) in texts {
        text += &format!("{}{}\n\n{}\n", rule(), packages.join(", "), licence.trim_end());
    }
    Ok(text)
}

/// Names with versions, and licences, of all dependencies of packages that are not of this workspace.
pub fn contained(target: &str, packages: &[&str]) -> Result<BTreeMap<String, String>, String> {
    let mut command = cargo();
    command.args([
        "tree", "--locked", "--edges", "normal", "--prefix", "none", "--format", "{p}\t{l}", "--target", target,
    ]);
    packages.iter().for_each(|package| {
        command.args(["-p", package]);
    });
    Ok(dependencies(&output(&mut command)?))
}

/// Names with versions, and licences, of the packages in what `cargo tree` prints that are not of this workspace.
fn dependencies(tree: &str) -> BTreeMap<String, String> {
    let line = |line: &str| {
        let (package, licence) = line.split_once('\t')?;
        let mut words = package.split_whitespace();
        let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
        let is_ours = words.any(|word| word.contains('/'));
        let licence = licence.trim().trim_end_matches("(*)").trim();
        (!is_ours).then(|| (format!("{name} {version}"), licence.to_owned()))
    };
    tree.lines().filter_map(line).collect()
}

/// The texts in a package's sources.
fn texts_of(package: &str) -> Result<Vec<String>, String> {
    let folder = sources(&package.replace(' ', "-"))?;
    let entries = std::fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.filter_map(Result::ok).map(|entry| entry.path()).collect();
    files.retain(|file| {
        let name = file.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
        NAMES.iter().any(|start| name.starts_with(start)) && file.is_file()
    });
    files.sort();
    let read = |file: &PathBuf| std::fs::read(file).map_err(|error| format!("{}: {error}", file.display()));
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
    files.iter().map(|file| read(file).map(text)).collect()
}

/// Where cargo keeps the sources of a package.
fn sources(package: &str) -> Result<PathBuf, String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(Path::new(&std::env::var_os("HOME")?).join(".cargo")));
    let registries = home.unwrap_or_default().join("registry/src");
    let entries = std::fs::read_dir(&registries).map_err(|error| format!("{}: {error}", registries.display()))?;
    let mut folders = entries.filter_map(Result::ok).map(|entry| entry.path().join(package));
    folders.find(|folder| folder.is_dir()).ok_or_else(|| format!("the sources of {package} are not there"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debian_has_the_apache_license() {
        let text = format!("list\n{0}a 1\n\nMIT text\n{0}b 2, c 3\n\nApache\n{APACHE}\n", rule());
        let wanted = format!(
            "list\n{0}a 1\n\nMIT text\n{0}b 2, c 3\n\nApache License 2.0: /usr/share/common-licenses/Apache-2.0\n",
            rule()
        );
        assert_eq!(for_debian(&text), wanted);
    }

    #[test]
    fn packages_of_others_with_their_licences() {
        let tree = "clforge v0.1.0 (/a/b)\tMIT OR Apache-2.0\nash v0.38.0+1.3.281\tMIT OR Apache-2.0\n\
            libm v0.2.1\tMIT (*)\nderive v1.0.0 (proc-macro)\tMIT\nash v0.38.0+1.3.281\tMIT OR Apache-2.0 (*)\n";
        let found = dependencies(tree);
        let list: Vec<_> = found.iter().map(|(name, licence)| (name.as_str(), licence.as_str())).collect();
        assert_eq!(list, [("ash 0.38.0+1.3.281", "MIT OR Apache-2.0"), ("derive 1.0.0", "MIT"), ("libm 0.2.1", "MIT")]);
    }
}
