//! Tables of what was measured: lines for the terminal, and sections of `docs/accuracy.md`, one a device and driver.

use super::measure::Found;
use super::rows::Limit;
use std::fmt::Write as _;
use std::path::Path;

/// A function and what was found for `float`, `double` and `half`; errors are of building or running.
pub struct Line {
    /// The function.
    pub name: String,
    /// The limits.
    pub limits: [Limit; 3],
    /// What was found; `None` where the function was not tried.
    pub found: [Option<Result<Found, String>>; 3],
}

/// Names of the columns.
pub const TYPES: [&str; 3] = ["float", "double", "half"];

impl Line {
    /// What is wrong, in words.
    pub fn complaints(&self) -> Vec<String> {
        let mut complaints = Vec::new();
        for (ty, found) in TYPES.iter().zip(&self.found) {
            match found {
                Some(Ok(found)) if found.wrong > 0 => {
                    let mut text = format!(
                        "{} on {ty}: {} of {} results are beyond the limit; the first: {}",
                        self.name, found.wrong, found.points, found.first_wrong
                    );
                    // Of results that are right or wrong none is the worst.
                    if !found.worst.is_empty() && found.worst != found.first_wrong {
                        text += &format!("; the worst: {}", found.worst);
                    }
                    complaints.push(text.trim_end().into());
                }
                Some(Err(message)) => {
                    let message = message.lines().next().unwrap_or_default();
                    complaints.push(format!("{} on {ty}: not available: {message}", self.name));
                }
                _ => {}
            }
        }
        complaints
    }

    /// The cells: measured and limit of each type.
    pub fn cells(&self) -> Vec<String> {
        let of = |(found, limit): (&Option<Result<Found, String>>, &Limit)| [measured(found, *limit), wanted(*limit)];
        self.found.iter().zip(&self.limits).flat_map(of).collect()
    }
}

fn measured(found: &Option<Result<Found, String>>, limit: Limit) -> String {
    match (found, limit) {
        (None, _) => String::new(),
        (Some(Ok(found)), _) if found.points == 0 => String::new(),
        (Some(Err(_)), _) => "not available".into(),
        (Some(Ok(found)), Limit::Exact) => {
            if found.wrong == 0 {
                "exact".into()
            } else {
                format!("{} wrong", found.wrong)
            }
        }
        (Some(Ok(found)), Limit::Absolute(_)) => format!("{:.1e}{}", found.greatest, mark(found)),
        (Some(Ok(found)), _) if found.greatest >= 1e4 => format!("{:.1e}{}", found.greatest, mark(found)),
        (Some(Ok(found)), _) => format!("{:.3}{}", found.greatest, mark(found)),
    }
}

fn mark(found: &Found) -> String {
    if found.wrong == 0 { String::new() } else { format!(" ({} wrong)", found.wrong) }
}

fn wanted(limit: Limit) -> String {
    match limit {
        Limit::Absent => String::new(),
        Limit::Open => "open".into(),
        Limit::Ulp(limit) => format!("{limit}"),
        Limit::Exact => "exact".into(),
        Limit::Absolute(limit) => format!("{limit:e} abs."),
    }
}

/// A section: heading, introduction and table.
pub fn section(title: &str, introduction: &str, lines: &[Line]) -> String {
    let mut text = format!("## {title}\n\n{introduction}\n\n");
    text += "| function | float | limit | double | limit | half | limit |\n";
    text += "|---|---:|---:|---:|---:|---:|---:|\n";
    for line in lines {
        let _ = writeln!(text, "| {} | {} |", line.name, line.cells().join(" | "));
    }
    let complaints: Vec<String> = lines.iter().flat_map(Line::complaints).collect();
    if !complaints.is_empty() {
        text += "\nBeyond the limits, or not available:\n\n";
        for complaint in complaints {
            let _ = writeln!(text, "- {}", complaint.replace('*', "\\*"));
        }
    }
    text
}

const HEAD: &str = "# Accuracy of built-in functions\n\n\
`cargo xtask accuracy` writes this file, one section for each device and driver. Figures are the greatest errors found, \
in ulp as OpenCL C 7.4 defines them, beside the limits of the full profile; *exact* is for results that are prescribed \
to the bit, *open* for what the specification leaves to implementations. `dot` and `cross` have absolute limits, here in \
units of the square of the greatest operand times the type's epsilon. *The option* is \
`-cl-fp32-correctly-rounded-divide-sqrt`. References are MPFR's.\n";

/// Replaces the section of that title in the file, or adds it.
///
/// # Errors
/// When the file cannot be read or written.
pub fn update(path: &Path, title: &str, section: &str) -> Result<(), String> {
    let old = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => return Err(format!("{}: {error}", path.display())),
    };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    std::fs::write(path, merged(&old, title, section)).map_err(|error| format!("{}: {error}", path.display()))
}

fn merged(old: &str, title: &str, section: &str) -> String {
    let mut sections: Vec<(String, String)> = Vec::new();
    for part in old.split("\n## ").skip(1) {
        let heading = part.lines().next().unwrap_or_default().to_string();
        sections.push((heading, format!("## {}\n", part.trim_end())));
    }
    match sections.iter_mut().find(|(heading, _)| heading == title) {
        Some((_, text)) => *text = section.to_string(),
        None => sections.push((title.to_string(), section.to_string())),
    }
    let mut text = HEAD.to_string();
    for (_, section) in sections {
        text += "\n";
        text += &section;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_are_replaced_by_title() {
        let first = merged("", "A", "## A\n\none\n");
        let second = merged(&first, "B", "## B\n\ntwo\n");
        let third = merged(&second, "A", "## A\n\nthree\n");
        assert!(third.contains("three") && third.contains("two") && !third.contains("one\n"));
        assert_eq!(merged(&third, "A", "## A\n\nthree\n"), third);
    }
}
