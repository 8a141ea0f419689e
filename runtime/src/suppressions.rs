//! What the environment says of the reports of sanitizers: which are left out (`CLFORGE_SUPPRESSIONS`), and where they are
//! written (`CLFORGE_REPORT`).
//!
//! A file of suppressions has a line for each, as those of other sanitizers: `KIND:PATTERN`, where `KIND` is a sanitizer or the
//! name of a mistake, and `PATTERN` the name of a kernel, a file or `FILE:LINE`, with `*` for any text. Empty lines and
//! those that begin with `#` say nothing.

use crate::error::{Error, Result};
use crate::report::{LaunchReport, PlaceReport};
use std::fs::OpenOptions;
use std::io::Write;
use std::sync::LazyLock;

/// A line of the file.
#[derive(Debug, PartialEq)]
struct Suppression {
    kind: String,
    pattern: String,
}

/// Those of the environment, or what is wrong with them.
static SUPPRESSIONS: LazyLock<std::result::Result<Vec<Suppression>, String>> = LazyLock::new(|| {
    let Some(file) = std::env::var_os("CLFORGE_SUPPRESSIONS") else { return Ok(Vec::new()) };
    let text = std::fs::read_to_string(&file).map_err(|error| error.to_string()).and_then(|text| parse(&text));
    text.map_err(|reason| format!("CLFORGE_SUPPRESSIONS={}: {reason}", file.display()))
});

/// Removes the places that are not to be reported.
///
/// # Errors
/// [`Error::Launch`] for a file that cannot be read or has something else in it.
pub fn apply(places: &mut Vec<PlaceReport>) -> Result<()> {
    let suppressions = SUPPRESSIONS.as_ref().map_err(|reason| Error::Launch(reason.clone()))?;
    places.retain(|place| !suppressions.iter().any(|suppression| suppression.covers(place)));
    Ok(())
}

/// Appends a report to the file that the environment names, a line of JSON for each place.
///
/// # Errors
/// [`Error::Launch`] for a file that cannot be written.
pub fn write_report(report: &LaunchReport) -> Result<()> {
    let Some(path) = std::env::var_os("CLFORGE_REPORT") else { return Ok(()) };
    let lines: String = report.places.iter().map(|place| place.json() + "\n").collect();
    // One call, so that the lines of several processes stay whole.
    let file = OpenOptions::new().create(true).append(true).open(&path);
    let written = file.and_then(|mut file| file.write_all(lines.as_bytes()));
    written.map_err(|error| Error::Launch(format!("CLFORGE_REPORT={}: {error}", path.display())))
}

fn parse(text: &str) -> std::result::Result<Vec<Suppression>, String> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let used = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    used.map(|(number, line)| match line.split_once(':') {
        Some((kind, pattern)) if !pattern.is_empty() => Ok(Suppression { kind: kind.into(), pattern: pattern.into() }),
        _ => Err(format!("line {number}: '{line}' is not KIND:PATTERN")),
    })
    .collect()
}

impl Suppression {
    fn covers(&self, place: &PlaceReport) -> bool {
        let site = &place.site;
        let is_kind = [site.check.sanitizer(), site.check.name()].contains(&&*self.kind);
        let line = format!("{}:{}", site.file, site.line);
        is_kind && [&place.kernel, &site.file, &line].iter().any(|text| matches(&self.pattern, text))
    }
}

/// Whether a text is like a pattern with `*` for any text.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = text.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        for (pattern, text) in [("a.cl", "a.cl"), ("*", ""), ("*.cl:1*", "x/a.cl:12"), ("a*b*c", "abbc"), ("a*", "a")] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("a", "ab"), ("a*a", "a"), ("*.cl", "a.cl:1"), ("", "a"), ("a*b*c", "acb")] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }

    #[test]
    fn files() {
        let parsed = parse("# intended\n\n race:histogram \nlocal-race:*.cl:7\n").unwrap();
        let expected = [("race", "histogram"), ("local-race", "*.cl:7")];
        let expected = expected.map(|(kind, pattern)| Suppression { kind: kind.into(), pattern: pattern.into() });
        assert_eq!(parsed, expected);
        assert_eq!(parse("race:a\nwhat").unwrap_err(), "line 2: 'what' is not KIND:PATTERN");
    }
}
