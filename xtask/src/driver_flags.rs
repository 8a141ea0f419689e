//! The lists of workarounds and tuning in the documents, which are made from the tables in the compiler's sources. This
//! program depends on no other crate, so it reads the rows as text: one field a line, as the tables are written.

use crate::Outcome;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The tables, and the document and the name of the list that each makes.
const LISTS: [(&str, &str, &str); 2] = [
    ("compiler/basic/src/workarounds.rs", "docs/drivers.md", "workarounds"),
    ("compiler/basic/src/tuning.rs", "docs/drivers.md", "tuning"),
];
/// The list of reports, which all tables make together.
const REPORTS: (&str, &str) = ("docs/drivers/README.md", "reports");
/// How documents name the drivers.
const DRIVERS: [(&str, &str); 5] = [
    ("Lavapipe22", "lavapipe 22.3"),
    ("Lavapipe25", "lavapipe 25.0.7"),
    ("Nvidia580", "NVIDIA 580.159"),
    ("LlvmSpirv15", "llvm-spirv 15"),
    ("Pocl3", "PoCL 3.1"),
];
const CASES: &str = "shaders-test/cases/";

/// One row of a table. Fields that are missing are empty.
#[derive(Debug, Default, PartialEq)]
struct Row {
    name: String,
    drivers: Vec<String>,
    modules: String,
    /// The kind of the place, and the place.
    place: (String, String),
    evidence: Vec<String>,
    /// The kind of the report, and the file, the address or the reason.
    report: (String, String),
}

/// Checks the lists of the documents, or writes them.
pub fn check(root: &Path, write: bool, complaints: &mut Vec<String>) -> Outcome {
    let mut all = Vec::new();
    for (table, document, list) in LISTS {
        let rows = rows(&read(&root.join(table))?);
        if rows.is_empty() {
            complaints.push(format!("{table}: no rows were found"));
        }
        rows.iter().for_each(|row| files(root, table, row, complaints));
        replace(root, document, list, &flags(&rows)?, write, complaints)?;
        all.extend(rows);
    }
    let (document, list) = REPORTS;
    let text = reports(root, &all)?;
    replace(root, document, list, &text, write, complaints)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The rows of a table.
fn rows(text: &str) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    // A list of evidence may have a line for each file.
    let joined = text.replace("[\n", "[").replace(",\n            \"", ", \"");
    for line in joined.lines().map(str::trim) {
        let Some((field, value)) = line.split_once(": ") else { continue };
        let value = value.trim_end_matches(',');
        if field == "name" {
            rows.push(Row { name: quoted(value).concat(), ..Row::default() });
        }
        let Some(row) = rows.last_mut() else { continue };
        let kind = value.split('(').next().unwrap_or_default().to_owned();
        match field {
            "drivers" => row.drivers = value.trim_matches(['[', ']']).split(", ").map(str::to_owned).collect(),
            "modules" => row.modules = value.to_owned(),
            "place" => row.place = (kind, quoted(value).concat()),
            "evidence" => row.evidence = quoted(value),
            "report" => row.report = (kind, quoted(value).concat()),
            _ => {}
        }
    }
    rows
}

/// The string literals of a line.
fn quoted(text: &str) -> Vec<String> {
    text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
}

/// The files that a row names exist, and its report names the flag.
fn files(root: &Path, table: &str, row: &Row, complaints: &mut Vec<String>) {
    let name = &row.name;
    let (place, report) = (&row.place, &row.report);
    let code = (place.0 == "Code").then_some(&place.1);
    let report_file = (report.0 == "Ready").then_some(&report.1);
    for file in row.evidence.iter().chain(code).chain(report_file) {
        if !root.join(file).exists() {
            complaints.push(format!("{table}: '{name}' names '{file}', which does not exist"));
        }
    }
    if let Some(file) = report_file
        && std::fs::read_to_string(root.join(file)).is_ok_and(|text| !text.contains(&format!("`{name}`")))
    {
        complaints.push(format!("{file}: the report does not name the workaround '{name}'"));
    }
}

/// The names of drivers in documents. A driver without one is an error.
fn drivers(names: &[String]) -> Result<String, String> {
    let shown = |name: &String| {
        let found = DRIVERS.iter().find(|(known, _)| known == name);
        found.map(|(_, shown)| *shown).ok_or_else(|| format!("xtask/src/driver_flags.rs: DRIVERS has no '{name}'"))
    };
    Ok(names.iter().map(shown).collect::<Result<Vec<_>, _>>()?.join(", "))
}

/// The list of a table.
fn flags(rows: &[Row]) -> Result<String, String> {
    let mut text =
        "| flag | driver | also in | pass or file | evidence | report |\n|---|---|---|---|---|---|\n".to_owned();
    for Row { name, drivers: of, modules, place, evidence, report } in rows {
        let modules = match modules.as_str() {
            "All" => "portable modules, unknown drivers (`All`)",
            "Portable" => "portable modules (`Portable`)",
            _ => "no others (`OneDriver`)",
        };
        let evidence: Vec<String> = evidence.iter().map(|file| format!("`{}`", shown(file))).collect();
        let report = match (report.0.as_str(), report.1.as_str()) {
            ("Ready", file) => format!("[ready]({})", file.trim_start_matches("docs/")),
            ("Filed", address) => format!("[filed]({address})"),
            (_, reason) => reason.to_owned(),
        };
        let (place, of) = (&place.1, drivers(of)?);
        let _ = writeln!(text, "| `{name}` | {of} | {modules} | `{place}` | {} | {report} |", evidence.join(", "));
    }
    Ok(text)
}

/// A case by its name, other files by their path.
fn shown(file: &str) -> &str {
    let case = file.strip_prefix(CASES).and_then(|rest| rest.strip_suffix(".cl"));
    case.unwrap_or(file)
}

/// The list of reports, with their titles.
fn reports(root: &Path, rows: &[Row]) -> Result<String, String> {
    let mut of: BTreeMap<&str, (Vec<&str>, Vec<String>)> = BTreeMap::new();
    for row in rows.iter().filter(|row| row.report.0 == "Ready") {
        let (flags, drivers) = of.entry(&row.report.1).or_default();
        flags.push(&row.name);
        drivers.extend(row.drivers.iter().filter(|driver| !drivers.contains(driver)).cloned().collect::<Vec<_>>());
    }
    let mut text = "| report | defect | driver | workaround |\n|---|---|---|---|\n".to_owned();
    for (file, (flags, of)) in of {
        let report = std::fs::read_to_string(root.join(file)).unwrap_or_default();
        let title = report.lines().next().unwrap_or_default().trim_start_matches("# ").to_owned();
        let name = file.rsplit('/').next().unwrap_or_default();
        let flags: Vec<String> = flags.iter().map(|flag| format!("`{flag}`")).collect();
        let _ = writeln!(text, "| [{name}]({name}) | {title} | {} | {} |", drivers(&of)?, flags.join(", "));
    }
    Ok(text)
}

/// Compares the list between the two marks of a document with `text`, or puts it there.
fn replace(root: &Path, document: &str, list: &str, text: &str, write: bool, complaints: &mut Vec<String>) -> Outcome {
    let found = read(&root.join(document))?;
    let (begin, end) = (format!("<!-- begin {list} -->\n\n"), format!("<!-- end {list} -->\n"));
    let parts = found.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?)));
    let Some((before, (old, after))) = parts else {
        complaints.push(format!("{document}: the marks of the list '{list}' are missing"));
        return Ok(());
    };
    if old.trim_end() == text.trim_end() {
        return Ok(());
    }
    if write {
        let new = format!("{before}{begin}{text}\n{end}{after}");
        return std::fs::write(root.join(document), new).map_err(|error| format!("{document}: {error}"));
    }
    complaints.push(format!("{document}: the list '{list}' is out of date: run cargo xtask tidy --write"));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "
    /// `first-flag`. It says: nothing.
    FIRST_FLAG {
        name: \"first-flag\",
        drivers: [Lavapipe22, Nvidia580],
        modules: All,
        place: Pass(\"workarounds/first\"),
        evidence: [
            \"shaders-test/cases/regress/a.cl\",
            \"docs/b.md\",
        ],
        report: Ready(\"docs/drivers/c.md\"),
    }
";

    #[test]
    fn rows_are_read() {
        let row = Row {
            name: "first-flag".into(),
            drivers: vec!["Lavapipe22".into(), "Nvidia580".into()],
            modules: "All".into(),
            place: ("Pass".into(), "workarounds/first".into()),
            evidence: vec!["shaders-test/cases/regress/a.cl".into(), "docs/b.md".into()],
            report: ("Ready".into(), "docs/drivers/c.md".into()),
        };
        assert_eq!(rows(TABLE), [row]);
    }

    #[test]
    fn a_row_is_a_line_of_the_list() {
        let line = "| `first-flag` | lavapipe 22.3, NVIDIA 580.159 | portable modules, unknown drivers (`All`) | \
                    `workarounds/first` | `regress/a`, `docs/b.md` | [ready](drivers/c.md) |";
        assert_eq!(flags(&rows(TABLE)).expect("known drivers").lines().nth(2), Some(line));
    }

    #[test]
    fn a_driver_without_a_name_is_an_error() {
        let rows = rows(&TABLE.replace("Nvidia580", "Nvidia999"));
        assert_eq!(flags(&rows), Err("xtask/src/driver_flags.rs: DRIVERS has no 'Nvidia999'".into()));
    }

    #[test]
    fn files_that_do_not_exist_are_found() {
        let mut complaints = Vec::new();
        files(Path::new("/nowhere"), "t.rs", &rows(TABLE)[0], &mut complaints);
        assert_eq!(complaints.len(), 3);
        assert_eq!(complaints[0], "t.rs: 'first-flag' names 'shaders-test/cases/regress/a.cl', which does not exist");
    }

    #[test]
    fn lists_are_compared_and_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let text = "a\n<!-- begin l -->\n\nold\n\n<!-- end l -->\nb\n";
        std::fs::write(folder.path().join("d.md"), text).expect("a file");
        let mut complaints = Vec::new();
        replace(folder.path(), "d.md", "l", "old\n", false, &mut complaints).expect("a file");
        assert_eq!(complaints, Vec::<String>::new());
        replace(folder.path(), "d.md", "l", "new\n", false, &mut complaints).expect("a file");
        assert_eq!(complaints, ["d.md: the list 'l' is out of date: run cargo xtask tidy --write"]);
        replace(folder.path(), "d.md", "l", "new\n", true, &mut complaints).expect("a file");
        let written = std::fs::read_to_string(folder.path().join("d.md")).expect("a file");
        assert_eq!(written, text.replace("old", "new"));
    }
}
