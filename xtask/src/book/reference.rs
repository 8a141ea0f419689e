//! The reference chapter: the command line as the command prints it, the environment variables that the sources read with what the
//! documents say of them, and the warnings of the compiler's table with an example from the tests of diagnostics.

use super::{made, read};
use crate::Outcome;
use crate::process::files;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

const CHAPTER: &str = "reference.md";
/// Sections of the help that several subcommands have, which stand in the chapter once.
const SHARED: [&str; 2] = ["Messages:", "Build options (those of clBuildProgram and clang):"];
/// The documents with tables of environment variables, below this heading.
const DOCUMENTS: [&str; 3] = ["docs/command.md", "docs/runtime.md", "docs/opencl-driver.md"];
const HEADING: &str = "## Environment variables";
/// The programs, by the folders of their sources.
const READERS: [(&str, &str); 4] = [
    ("runtime/src", "every program"),
    ("runtime/cli/src", "the command"),
    ("runtime/opencl/src", "OpenCL driver"),
    ("runtime/python/clforge", "Python module"),
];
const WARNINGS: &str = "compiler/basic/src/warnings.rs";
/// Programs with mistakes of every kind.
const DIAGNOSTICS: &str = "compiler/tests/filetests";

/// Compares the chapter with what it would be now, or writes that.
pub fn check(root: &Path, clforge: &Path, write: bool, complaints: &mut Vec<String>) -> Outcome {
    let text = chapter(root, clforge, complaints)?;
    made(root, CHAPTER, &text, write, complaints)
}

fn chapter(root: &Path, clforge: &Path, complaints: &mut Vec<String>) -> Result<String, String> {
    let mut text = "# Reference\n\n`cargo xtask book --write` makes this chapter from the code.\n\n".to_owned();
    text.push_str("- [Command line](#command-line)\n- [Environment variables](#environment-variables)\n");
    text.push_str("- [Warnings](#warnings)\n\n## Command line\n\n[The command](command.md) explains what the help has no room for.\n");
    command_line(clforge, &mut text)?;
    variables(root, &mut text, complaints)?;
    warnings(root, clforge, &mut text)?;
    Ok(text)
}

/// The help of the command and of each subcommand.
fn command_line(clforge: &Path, text: &mut String) -> Outcome {
    let general = help(clforge, &[])?;
    let mut shared: BTreeMap<&str, String> = BTreeMap::new();
    let mut section = |title: &str, help: &str, text: &mut String| {
        let mut kept = String::new();
        for part in parts(help) {
            match SHARED.iter().find(|heading| part.starts_with(**heading)) {
                Some(heading) => {
                    shared.entry(heading).or_insert(part);
                }
                None => kept.push_str(&(part + "\n")),
            }
        }
        let _ = write!(text, "\n### {title}\n\n```text\n{}\n```\n", kept.trim_end());
    };
    section("`clforge`", &general, text);
    for name in subcommands(&general) {
        section(&format!("`clforge {name}`"), &help(clforge, &[&name])?, text);
    }
    for (heading, part) in &shared {
        let title = heading.split([':', '(']).next().unwrap_or_default().trim();
        let _ = write!(text, "\n### {title}\n\nSeveral subcommands have them.\n\n```text\n{}\n```\n", part.trim_end());
    }
    Ok(())
}

/// What the command prints, without white space at the ends of lines.
fn help(clforge: &Path, words: &[&str]) -> Result<String, String> {
    let run = Command::new(clforge).args(words).arg("--help").output();
    let output = run.map_err(|error| format!("{}: {error}", clforge.display()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    if !output.status.success() || text.is_empty() {
        return Err(format!("{} {} --help: {}", clforge.display(), words.join(" "), output.status));
    }
    Ok(text.lines().map(|line| line.trim_end().to_owned() + "\n").collect())
}

/// The parts of a help text, each with its heading.
fn parts(help: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let mut blank = false;
    for line in help.lines() {
        if blank && line.ends_with(':') && !line.starts_with(' ') {
            found.push(String::new());
        }
        blank = line.is_empty();
        if let Some(last) = found.last_mut() {
            last.push_str(&format!("{line}\n"));
        }
    }
    found.iter().map(|part| part.trim_end().to_owned() + "\n").collect()
}

/// The names below `Commands:`, without `help`.
fn subcommands(help: &str) -> Vec<String> {
    let rows = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = rows.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help");
    names.map(str::to_owned).collect()
}

/// The table of environment variables: a row of a document for each that the sources read.
fn variables(root: &Path, text: &mut String, complaints: &mut Vec<String>) -> Outcome {
    let (mut rows, mut documented) = (Vec::new(), BTreeSet::new());
    for document in DOCUMENTS {
        let all = read(&root.join(document))?;
        let below = all.split_once(HEADING).map_or("", |(_, rest)| rest);
        let table = below.lines().skip_while(|line| !line.starts_with('|')).skip(2);
        for row in table.take_while(|line| line.starts_with('|')) {
            let Some((first, effect)) = row.trim_matches(['|', ' ']).split_once(" | ") else { continue };
            let names: BTreeSet<String> = names_in(first, '`');
            if documented.is_superset(&names) && !names.is_empty() {
                continue;
            }
            documented.extend(names.iter().cloned());
            rows.push((first.to_owned(), names, effect.to_owned()));
        }
    }
    let readers = readers(root)?;
    for name in readers.keys().filter(|name| !documented.contains(*name)) {
        complaints.push(format!("{name}: no table of environment variables has it: {}", DOCUMENTS.join(", ")));
    }
    for name in documented.iter().filter(|name| !readers.contains_key(*name)) {
        complaints.push(format!("{name}: a table of environment variables has it, but no source reads it"));
    }
    text.push_str("\n## Environment variables\n\n| variable | read by | effect |\n|---|---|---|\n");
    rows.sort_by_key(|(first, names, _)| (names.is_empty(), first.clone()));
    for (first, names, effect) in rows {
        let of: BTreeSet<&str> = names.iter().filter_map(|name| readers.get(name)).flatten().copied().collect();
        let of = if of.is_empty() { "the command".to_owned() } else { of.into_iter().collect::<Vec<_>>().join(", ") };
        let _ = writeln!(text, "| {first} | {of} | {effect} |");
    }
    text.push_str("\nThe loaders of Vulkan and OpenCL have variables of their own: ");
    text.push_str("[OpenCL programs on Vulkan](opencl-programs.md#environment-variables) names those that help.\n");
    Ok(())
}

/// The variables that the sources name in string literals, with the programs that read them.
fn readers(root: &Path) -> Result<BTreeMap<String, BTreeSet<&'static str>>, String> {
    let mut found: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (folder, reader) in READERS {
        for extension in ["rs", "py"] {
            for file in files(&root.join(folder), extension)? {
                let code: String = read(&file)?.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
                names_in(&code, '"').into_iter().for_each(|name| {
                    found.entry(name).or_default().insert(reader);
                });
            }
        }
    }
    Ok(found)
}

/// The names of our variables between two quotes, or behind one and before `=`.
fn names_in(text: &str, quote: char) -> BTreeSet<String> {
    let words = text.split([quote, '=']).filter(|word| word.starts_with("CLFORGE_"));
    let is_name = |word: &&str| word.chars().all(|c| c.is_ascii_uppercase() || c == '_') && !word.ends_with('_');
    words.filter(is_name).map(str::to_owned).collect()
}

/// The table of warnings.
fn warnings(root: &Path, clforge: &Path, text: &mut String) -> Outcome {
    let table = read(&root.join(WARNINGS))?;
    let (names, groups) = (flags(&table), groups(&table));
    let examples = examples(root, clforge)?;
    text.push_str("\n## Warnings\n\n`-WNAME` turns a warning on, `-Wno-NAME` off, `-Werror=NAME` makes it an error; ");
    text.push_str("the same for groups. `-Weverything`\nhas all.\n\n");
    text.push_str("| warning | default | in the groups | example |\n|---|---|---|---|\n");
    for (variant, (name, default)) in &names {
        let of = groups.iter().filter(|(group, members)| group != "everything" && members.contains(variant));
        let of: Vec<String> = of.map(|(group, _)| format!("`{group}`")).collect();
        let example = examples.get(name).map_or_else(String::new, |message| message.replace('|', "\\|"));
        let default = if *default { "on" } else { "off" };
        let _ = writeln!(text, "| `{name}` | {default} | {} | {example} |", of.join(", "));
    }
    Ok(())
}

/// The rows `Variant "name" default` of the table, by variant.
fn flags(table: &str) -> BTreeMap<String, (String, bool)> {
    let rows = table.lines().skip_while(|line| *line != "flags! {").take_while(|line| *line != "}");
    let row = |line: &str| {
        let (variant, rest) = line.trim().split_once(" \"")?;
        let (name, default) = rest.split_once("\" ")?;
        Some((variant.to_owned(), (name.to_owned(), default == "true")))
    };
    rows.filter_map(row).collect()
}

/// The groups with the variants of their members.
fn groups(table: &str) -> Vec<(String, BTreeSet<String>)> {
    let list =
        table.split_once("const GROUPS").and_then(|(_, rest)| rest.split_once("];")).map_or("", |(list, _)| list);
    let mut found: Vec<(String, BTreeSet<String>)> = Vec::new();
    for (index, part) in list.split('"').enumerate() {
        if index % 2 == 1 {
            found.push((part.to_owned(), BTreeSet::new()));
        } else if let Some((_, members)) = found.last_mut() {
            let variants = part.split("F::").skip(1);
            members.extend(variants.map(|rest| rest.chars().take_while(|c| c.is_alphanumeric()).collect::<String>()));
        }
    }
    found
}

/// The first message of each warning that the compiler gives for the tests of diagnostics, or else that they have.
fn examples(root: &Path, clforge: &Path) -> Result<BTreeMap<String, String>, String> {
    let mut compile = Command::new(clforge);
    compile.args(["compile", "-fsyntax-only", "-Weverything", "-cl-std=CL3.0", "--message-format", "short"]);
    let sources = files(&root.join(DIAGNOSTICS), "cl")?;
    let run = compile.args(&sources).current_dir(root).output();
    let output = run.map_err(|error| format!("{}: {error}", clforge.display()))?;
    let mut text = String::from_utf8_lossy(&output.stderr).into_owned();
    for source in &sources {
        text.push_str(&read(source)?);
    }
    let mut found = BTreeMap::new();
    for line in text.lines() {
        let Some((message, name)) = line.strip_suffix(']').and_then(|line| line.rsplit_once(" [-W")) else { continue };
        if let Some((_, message)) = message.split_once(" warning: ") {
            found.entry(name.to_owned()).or_insert_with(|| message.to_owned());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_has_parts_and_subcommands() {
        let help = "About\n\nCommands:\n  run  Run\n  help  Print\n\nMessages:\n  -q\n      Possible values:\n      - a\n\nEnd\n";
        assert_eq!(subcommands(help), ["run"]);
        let parts = parts(help);
        assert_eq!(parts.len(), 3);
        assert!(parts[2].starts_with("Messages:\n  -q"));
    }

    #[test]
    fn warnings_have_groups() {
        let table = "flags! {\n    // Comment.\n    One \"one\" true\n    Two \"two\" false\n}\n\
                     const GROUPS: [(&str, &[F]); 2] = [(\"all\", &[F::One, F::Two]), (\"few\", &[F::Two])];\n";
        assert_eq!(flags(table)["Two"], ("two".into(), false));
        let groups = groups(table);
        assert_eq!((groups[0].0.as_str(), groups[0].1.len(), groups[1].1.len()), ("all", 2, 1));
    }

    #[test]
    fn variables_are_names_in_quotes() {
        let found = names_in("setting(\"CLFORGE_A\") \"CLFORGE_B is\" \"CLFORGE_\" CLFORGE_C", '"');
        assert_eq!(found.into_iter().collect::<Vec<_>>(), ["CLFORGE_A"]);
        assert_eq!(names_in("`CLFORGE_X=1`, `CLFORGE_Y`", '`').len(), 2);
    }
}
