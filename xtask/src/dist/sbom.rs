//! The list of all packages that are built into the programs (SBOM), in CycloneDX's form: names, versions, licences,
//! and the sums of what cargo downloads. The crates of this workspace are its subject, `clforge`.

use super::{licences, output};
use crate::process::root;
use std::collections::BTreeMap;
use std::process::Command;

/// The list for packages of the workspace.
pub fn text(target: &str, packages: &[&str]) -> Result<String, String> {
    let lock = root().join("Cargo.lock");
    let lock = std::fs::read_to_string(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    let sums = sums(&lock);
    let found = licences::contained(target, packages)?;
    let mut components: Vec<String> = found.iter().map(|(name, licence)| component(name, licence, &sums)).collect();
    let compiler = output(Command::new("rustc").arg("--version").current_dir(root()))?;
    let version = compiler.split_whitespace().nth(1).unwrap_or("unknown");
    components.push(described("library", "rust-standard-library", version, "MIT OR Apache-2.0", ""));
    let subject = described("application", "clforge", env!("CARGO_PKG_VERSION"), "MIT OR Apache-2.0", "");
    Ok(format!(
        "{{\n\"bomFormat\": \"CycloneDX\",\n\"specVersion\": \"1.5\",\n\"version\": 1,\n\
         \"metadata\": {{\"component\": {subject}}},\n\"components\": [\n{}\n]\n}}\n",
        components.join(",\n")
    ))
}

/// A package of others; `name` has its version.
fn component(name: &str, licence: &str, sums: &BTreeMap<String, String>) -> String {
    let (package, version) = name.split_once(' ').unwrap_or((name, ""));
    let url = format!("pkg:cargo/{package}@{}", version.replace('+', "%2B"));
    let mut rest = format!(", \"purl\": \"{url}\"");
    if let Some(sum) = sums.get(name) {
        rest += &format!(", \"hashes\": [{{\"alg\": \"SHA-256\", \"content\": \"{sum}\"}}]");
    }
    described("library", package, version, licence, &rest)
}

/// Names, versions and licences of packages have no character that JSON would escape. A slash is an older form of `OR`.
fn described(kind: &str, name: &str, version: &str, licence: &str, rest: &str) -> String {
    let licence = licence.split('/').map(str::trim).collect::<Vec<_>>().join(" OR ");
    format!(
        "{{\"type\": \"{kind}\", \"bom-ref\": \"{name} {version}\", \"name\": \"{name}\", \"version\": \"{version}\", \
         \"licenses\": [{{\"expression\": \"{licence}\"}}]{rest}}}"
    )
}

/// The sums of a lock file, by name and version.
fn sums(lock: &str) -> BTreeMap<String, String> {
    let package = |text: &str| {
        let value = |key: &str| {
            let start = format!("{key} = \"");
            text.lines().find_map(|line| line.strip_prefix(&start)?.strip_suffix('"').map(str::to_owned))
        };
        Some((format!("{} {}", value("name")?, value("version")?), value("checksum")?))
    };
    lock.split("[[package]]").filter_map(package).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_has_its_sum() {
        let lock = "[[package]]\nname = \"ash\"\nversion = \"0.38.0+1.3\"\nchecksum = \"0bb4\"\ndependencies = [\n]\n\n\
            [[package]]\nname = \"clforge\"\nversion = \"0.1.0\"\n";
        let sums = sums(lock);
        assert_eq!(sums.len(), 1);
        assert_eq!(
            component("ash 0.38.0+1.3", "MIT/Apache-2.0", &sums),
            "{\"type\": \"library\", \"bom-ref\": \"ash 0.38.0+1.3\", \"name\": \"ash\", \"version\": \"0.38.0+1.3\", \
             \"licenses\": [{\"expression\": \"MIT OR Apache-2.0\"}], \"purl\": \"pkg:cargo/ash@0.38.0%2B1.3\", \
             \"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"0bb4\"}]}"
        );
    }

    #[test]
    fn the_list_has_the_packages_of_the_command() {
        let list = text("x86_64-unknown-linux-gnu", &["clforge"]).unwrap();
        assert!(list.contains("\"name\": \"clap\"") && list.contains("\"name\": \"ash\""), "{list}");
        assert!(!list.contains("\"name\": \"clforge-"), "{list}");
    }
}
