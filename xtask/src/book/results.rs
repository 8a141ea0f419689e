//! The chapter of results: conformance, performance and accuracy, as tables and plots made from the results that are kept in
//! `shaders-test/results/`, and from docs/accuracy.md, which its own measurement writes.

use super::plots::{Axis, Series, plot};
use super::read;
use crate::Outcome;
use crate::cts::results::{Outcomes, Results, Run};
use crate::process::files;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

const CONFORMANCE: &str = "shaders-test/results/cts";
const PERFORMANCE: &str = "shaders-test/results/device-bench";
const ACCURACY: &str = "docs/accuracy.md";

/// Compares the chapter and its plots with what they would be now, or writes them.
pub fn check(root: &Path, write: bool, complaints: &mut Vec<String>) -> Outcome {
    let performance = performance(root)?;
    let accuracy = accuracy(&read(&root.join(ACCURACY))?);
    let ratio =
        "time of the other driver / time of clforge; right of 1 clforge is faster; number and mark: geometric mean";
    let share = "error of a function of float / limit of OpenCL; number and mark: the greatest of them";
    let ratios = Axis {
        title: ratio.into(),
        ticks: vec![0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0],
        reference: 1.0,
        is_logarithmic: true,
    };
    let shares =
        Axis { title: share.into(), ticks: vec![0.0, 0.25, 0.5, 0.75, 1.0], reference: 1.0, is_logarithmic: false };
    let made = [
        ("results.md", chapter(root, &performance, &accuracy)?),
        ("plots/performance.svg", plot(&ratios, &performance)),
        ("plots/accuracy.svg", plot(&shares, &accuracy)),
    ];
    made.iter().try_for_each(|(name, text)| super::made(root, name, text, write, complaints))
}

fn chapter(root: &Path, performance: &[Series], accuracy: &[Series]) -> Result<String, String> {
    let mut text =
        "# Results\n\n`cargo xtask book --write` makes this chapter from the results that are kept in\n".to_owned();
    let _ = writeln!(text, "`shaders-test/results/`, and from `{ACCURACY}`.\n\n## Conformance\n");
    conformance(root, &mut text)?;
    text.push_str("\n## Performance\n\nEach dot is a kernel, each line a device and the OpenCL driver that it was compared with.\n");
    text.push_str("[Performance](../../performance.md) has the numbers and the reasons.\n\n");
    text.push_str("![Times of kernels beside other drivers](plots/performance.svg)\n\n");
    means("clforge beside another driver", "kernels", performance, &mut text);
    text.push_str("\n## Accuracy\n\nEach dot is a function of `float` with a limit.\n");
    text.push_str("[Accuracy](../../accuracy.md) has the numbers, also of `double` and `half`.\n\n");
    text.push_str("![Errors of functions beside their limits](plots/accuracy.svg)\n\n");
    means("device", "functions", accuracy, &mut text);
    Ok(text)
}

/// A table of the marks.
fn means(what: &str, of: &str, series: &[Series], text: &mut String) {
    let meaning = series.iter().find_map(|series| series.mark.as_ref()).map_or("", |(_, meaning)| meaning);
    let _ = writeln!(text, "| {what} | {of} | {meaning} |\n|---|---:|---:|");
    for Series { label, values, mark } in series {
        let mark = mark.as_ref().map_or_else(String::new, |(value, _)| format!("{value:.2}"));
        let _ = writeln!(text, "| {label} | {} | {mark} |", values.len());
    }
}

/// Khronos' tests: a row for each suite, two columns for each device.
fn conformance(root: &Path, text: &mut String) -> Outcome {
    let names = files(&root.join(CONFORMANCE), "json")?;
    let kept = names.iter().map(|file| Ok(Results::read(&read(file)?))).collect::<Result<Vec<Results>, String>>()?;
    text.push_str("Khronos' conformance tests for OpenCL, in the wimpy mode: passed / failed / skipped. ");
    text.push_str("[What is supported](../../../FEATURES.md#the-opencl-client-driver)\nhas the reason of each failure.\n\n| suite |");
    kept.iter().for_each(|results| text.push_str(&format!(" {}, {} |", results.device, results.driver)));
    text.push_str(&format!("\n|---|{}\n", "---:|".repeat(kept.len())));
    let suites: BTreeSet<&str> = kept.iter().flat_map(|results| &results.runs).map(|run| run.suite.as_str()).collect();
    let mut row = |name: &str, belongs: &dyn Fn(&&Run) -> bool| {
        let of = |results: &Results| {
            let Outcomes { pass, fail, skip } = Outcomes::of(results.runs.iter().filter(belongs));
            if pass + fail + skip == 0 { " - |".to_owned() } else { format!(" {pass} / {fail} / {skip} |") }
        };
        let _ = writeln!(text, "| {name} |{}", kept.iter().map(of).collect::<String>());
    };
    for suite in suites {
        row(suite, &|run: &&Run| run.suite == suite);
    }
    row("**all**", &|_: &&Run| true);
    Ok(())
}

/// The ratios of each device and driver.
fn performance(root: &Path) -> Result<Vec<Series>, String> {
    let mut found = Vec::new();
    for file in files(&root.join(PERFORMANCE), "json")? {
        found.extend(ratios(&read(&file)?));
    }
    Ok(found)
}

/// The series of a file of results, which has a line for each value, indented by its depth.
fn ratios(text: &str) -> Vec<Series> {
    let (mut found, mut path): (Vec<Series>, Vec<String>) = (Vec::new(), Vec::new());
    let (mut device, mut driver, mut clock, mut ours) = (String::new(), String::new(), "device", 0.0);
    for line in text.lines() {
        let depth = line.chars().take_while(|c| *c == ' ').count() / 2;
        let Some((name, value)) = line.trim().trim_end_matches(',').split_once("\": ") else { continue };
        path.truncate(depth.saturating_sub(1));
        path.push(name.trim_start_matches('"').to_owned());
        let keys: Vec<&str> = path.iter().map(String::as_str).collect();
        match keys[..] {
            ["device"] => device = value.trim_matches('"').to_owned(),
            ["driver"] => driver = value.trim_matches('"').to_owned(),
            ["host_times"] if value == "true" => clock = "host",
            ["kernels", _, "ours", key] if key == clock => ours = value.parse().unwrap_or(0.0),
            ["kernels", kernel, "theirs", other, key] if key == clock => {
                let label = format!("{device}, {driver}, beside {other}");
                let ratio = value.parse::<f64>().ok().map(|theirs| theirs / ours).filter(|ratio| ratio.is_normal());
                let index = found.iter().position(|series| series.label == label).unwrap_or_else(|| {
                    found.push(Series { label, values: Vec::new(), mark: None });
                    found.len() - 1
                });
                if let (Some(series), Some(ratio)) = (found.get_mut(index), ratio) {
                    series.values.push((kernel.to_owned(), ratio));
                }
            }
            _ => {}
        }
    }
    for series in &mut found {
        let sum: f64 = series.values.iter().map(|(_, ratio)| ratio.ln()).sum();
        series.mark = Some(((sum / series.values.len() as f64).exp(), "geometric mean".into()));
    }
    found
}

/// The share of its limit that each function's error is, by device.
fn accuracy(text: &str) -> Vec<Series> {
    let mut found: Vec<Series> = Vec::new();
    for line in text.lines() {
        if let Some(device) = line.strip_prefix("## ") {
            found.push(Series { label: device.to_owned(), values: Vec::new(), mark: None });
        }
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        if let (Some(series), [name, error, limit, ..]) = (found.last_mut(), &cells[..])
            && let (Ok(error), Ok(limit)) = (error.parse::<f64>(), limit.parse::<f64>())
        {
            series.values.push(((*name).to_owned(), error / limit));
        }
    }
    found.retain(|series| !series.values.is_empty());
    for series in &mut found {
        let greatest = series.values.iter().map(|(_, share)| *share).fold(0.0, f64::max);
        series.mark = Some((greatest, "greatest share of a limit".into()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_read() {
        let text = "{\n  \"device\": \"D\",\n  \"driver\": \"V\",\n  \"host_times\": false,\n  \"kernels\": {\n    \"k\": {\n      \
                    \"ours\": {\n        \"device\": 2.0,\n        \"host\": 9.0\n      },\n      \"theirs\": {\n        \
                    \"O, 1\": {\n          \"device\": 4.0,\n          \"host\": 1.0\n        }\n      }\n    }\n  }\n}\n";
        let found = ratios(text);
        assert_eq!(found[0].label, "D, V, beside O, 1");
        assert_eq!(found[0].values, [("k".to_owned(), 2.0)]);
    }

    #[test]
    fn shares_of_limits_are_read() {
        let text =
            "## D\n\n| function | float | limit |\n|---|---:|---:|\n| x + y | exact | exact |\n| cos | 1.0 | 4 |\n";
        assert_eq!(accuracy(text)[0].values, [("cos".to_owned(), 0.25)]);
    }
}
