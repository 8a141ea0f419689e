//! The table of a corpus run: folders, totals, failures, exceptions.

use super::{Fate, NotCounted, Verdict, exceptions};
use crate::Outcome;
use std::collections::BTreeMap;
use std::path::Path;

/// Counts of one folder and target.
#[derive(Default)]
struct Row {
    files: usize,
    compiled: usize,
    valid: usize,
    /// Failures with a known reason.
    excepted: usize,
}

impl Row {
    fn add(&mut self, other: &Row) {
        self.files += other.files;
        self.compiled += other.compiled;
        self.valid += other.valid;
        self.excepted += other.excepted;
    }

    fn print(&self, name: &str, target: &str, width: usize) {
        let (files, compiled, valid) = (self.files, self.compiled, self.valid);
        let failed = files - valid - self.excepted;
        println!("{name:width$}  {target:9}  {files:>8}  {compiled:>8}  {valid:>8}  {:>8}  {failed:>8}", self.excepted);
    }
}

/// Prints everything; an error if a file failed for no known reason.
pub fn report(folder: &Path, verdicts: &[Verdict], targets: &[String], clang: bool) -> Outcome {
    let mut rows: BTreeMap<(String, &str), Row> = BTreeMap::new();
    let (mut failures, mut excepted) = (Vec::new(), Vec::new());
    for verdict in verdicts {
        let file = verdict.file.strip_prefix(folder).unwrap_or(&verdict.file);
        let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
        let name = parent.map_or(".".into(), |parent| parent.to_string_lossy().into_owned());
        for (fate, target) in verdict.fates.iter().flatten().zip(targets) {
            let row = rows.entry((name.clone(), target)).or_default();
            row.files += 1;
            row.compiled += usize::from(!matches!(fate, Fate::Failed(_)));
            row.valid += usize::from(*fate == Fate::Valid);
            let (Fate::Invalid(message) | Fate::Failed(message)) = fate else { continue };
            match exceptions::reason(&verdict.file, target) {
                Some(reason) => {
                    row.excepted += 1;
                    excepted.push(format!("{} for {target}: {reason}", file.display()));
                }
                None => failures.push(format!("{} for {target}: {message}", file.display())),
            }
        }
    }
    table(&rows, if clang { "accepted" } else { "files" });
    for (why, title) in [
        (NotCounted::OtherLanguage, "Not counted, C++ for OpenCL"),
        (NotCounted::RejectedByClang, "Not counted, rejected by clang"),
    ] {
        let files = verdicts.iter().filter(|verdict| verdict.fates == Err(why)).map(|verdict| &verdict.file);
        let files: Vec<String> =
            files.map(|file| file.strip_prefix(folder).unwrap_or(file).display().to_string()).collect();
        list(title, &files);
    }
    list("Exceptions", &excepted);
    list("Failures", &failures);
    match failures.len() {
        0 => Ok(()),
        failed => Err(format!("{failed} of {} compilations failed", rows.values().map(|row| row.files).sum::<usize>())),
    }
}

fn table(rows: &BTreeMap<(String, &str), Row>, files: &str) {
    let width = rows.keys().map(|(name, _)| name.len()).max().unwrap_or(0).max(6);
    println!(
        "{:width$}  {:9}  {files:>8}  {:>8}  {:>8}  {:>8}  {:>8}",
        "folder", "target", "compiled", "valid", "excepted", "failed"
    );
    let mut total: BTreeMap<&str, Row> = BTreeMap::new();
    for ((name, target), row) in rows {
        row.print(name, target, width);
        total.entry(target).or_default().add(row);
    }
    for (target, row) in &total {
        row.print("total", target, width);
    }
}

fn list(title: &str, lines: &[String]) {
    if !lines.is_empty() {
        println!("{title}: {}\n    {}", lines.len(), lines.join("\n    "));
    }
}
