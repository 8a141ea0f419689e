//! Settings: environment variables, and what profile files say for programs that are named in them.
//!
//! A profile file has sections, each for the programs whose file name is the section's; `[*]` is for all programs. Lines are
//! `NAME = value` with the names of the environment variables, or empty, or begin with `#`:
//!
//! ```text
//! [some-program]
//! CLFORGE_DEVICE_VENDOR_ID = 0x10de
//! ```
//!
//! The environment has priority over files, the user's file over the system's, and a program's section over `[*]`.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The profile file for all users.
const SYSTEM_FILE: &str = "/etc/clforge/profiles.conf";
/// The largest profile file that is read, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// What the profile files say for this program; what has priority is first.
static PROFILE: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
    let program = std::env::current_exe().ok();
    let program = program.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let files = match std::env::var_os("CLFORGE_PROFILES") {
        Some(file) => vec![PathBuf::from(file)],
        None => user_file().into_iter().chain([PathBuf::from(SYSTEM_FILE)]).collect(),
    };
    files.iter().filter_map(|file| read(file)).flat_map(|text| entries(&text, program.as_deref())).collect()
});

/// The value of a setting: that of the environment variable, or of a profile file.
pub fn setting(name: &str) -> Option<String> {
    if let Some(value) = std::env::var_os(name) {
        return Some(value.to_string_lossy().into_owned());
    }
    PROFILE.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
}

/// The sanitizers of `CLFORGE_SANITIZE`, if it names any.
pub fn sanitizers() -> Option<String> {
    setting("CLFORGE_SANITIZE").filter(|list| !list.trim().is_empty())
}

/// A setting that is a number, hexadecimal with `0x` before it.
pub fn number(name: &str) -> Option<u32> {
    let value = setting(name)?;
    let number = match value.strip_prefix("0x").or(value.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16),
        None => value.parse(),
    };
    number.inspect_err(|error| tracing::warn!("{name}={value}: {error}")).ok()
}

/// Whether a setting is `1`.
pub fn is_set(name: &str) -> bool {
    setting(name).is_some_and(|value| value == "1")
}

fn user_file() -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let folder = folder.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".config")))?;
    Some(folder.join("clforge").join("profiles.conf"))
}

fn read(file: &Path) -> Option<String> {
    if std::fs::metadata(file).ok()?.len() > MOST_BYTES {
        tracing::warn!("{} is too large for a profile file", file.display());
        return None;
    }
    std::fs::read_to_string(file).inspect_err(|error| tracing::warn!("{}: {error}", file.display())).ok()
}

/// The entries of a file for a program, those of its own sections first.
fn entries(text: &str, program: Option<&str>) -> Vec<(String, String)> {
    let (mut own, mut general) = (Vec::new(), Vec::new());
    let mut section = None;
    for (number, line) in text.lines().map(str::trim).enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = Some(name.trim());
            continue;
        }
        let entry = line.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
        match entry.filter(|(name, _)| name.starts_with("CLFORGE_")) {
            Some((name, value)) if section == Some("*") => general.push((name.to_owned(), value.to_owned())),
            Some((name, value)) if section.is_some() && section == program => {
                own.push((name.to_owned(), value.to_owned()));
            }
            Some(_) => {}
            None => tracing::warn!("line {} of a profile file is no setting: {line}", number + 1),
        }
    }
    own.append(&mut general);
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_of_the_program_come_first() {
        let text = "# for all\n[*]\nCLFORGE_POLLING = 10\nCLFORGE_DEVICE=a b = c \n\n[miner]\n CLFORGE_POLLING=0\n\
                    nonsense\nPATH = /\n[other]\nCLFORGE_POLLING = 7\n[miner]\nCLFORGE_OVERLAP = 0\n";
        let of = |program| {
            let entries = entries(text, program);
            entries.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        let general = ["CLFORGE_POLLING=10", "CLFORGE_DEVICE=a b = c"];
        assert_eq!(of(Some("miner")), [&["CLFORGE_POLLING=0", "CLFORGE_OVERLAP=0"][..], &general].concat());
        assert_eq!(of(Some("*")), general);
        assert_eq!(of(None), general);
        assert_eq!(entries("CLFORGE_POLLING = 1", None), []);
    }
}
