//! `--sanitizers`: how many times as long kernels take with each sanitizer as without any.

use crate::case::Scale;
use crate::engine::{Engine, Ours};
use crate::measure::{Programs, measure};
use crate::table;
use clforge_runtime::Device;
use clforge_runtime::options::Sanitizers;
use std::fmt::Write;

/// The columns: the kinds that are measured if none are named.
const KINDS: [&str; 6] = ["address", "undefined", "memory", "sync", "race", "all"];

/// A kernel's name, its time without sanitizers in microseconds, and the ratios or why there is none.
struct Line {
    name: &'static str,
    plain: f64,
    ratios: Vec<Result<f64, String>>,
}

/// Measures the kernels whose names are wanted, and returns the table.
/// Without names of kinds it has all of [`KINDS`].
pub fn table(
    device: &Device,
    scale: Scale,
    (kinds, host_times): (&[String], bool),
    wants: &dyn Fn(&str) -> bool,
) -> Result<String, String> {
    let kinds: Vec<&str> = match kinds {
        [] => KINDS.to_vec(),
        named => named.iter().map(String::as_str).collect(),
    };
    let mut engines: Vec<Box<dyn Engine>> = Vec::new();
    for kinds in std::iter::once("").chain(kinds.iter().copied()) {
        let sanitizers = if kinds.is_empty() { Sanitizers::default() } else { Sanitizers::parse(kinds)? };
        engines.push(Box::new(Ours { device: device.clone(), disabled_passes: Vec::new(), sanitizers }));
    }
    let mut programs = Programs::default();
    let mut lines = Vec::new();
    for case in table::all().iter().filter(|case| wants(case.name)) {
        let figures = measure(case, scale, &engines, &mut programs);
        let time = |figure: &crate::report::Figure| match &figure.error {
            Some(error) => Err(error.clone()),
            None => figure.device.filter(|_| !host_times).or(figure.host).ok_or_else(|| "no time".to_owned()),
        };
        let mut times = figures.iter().map(time);
        let Some(Ok(plain)) = times.next() else { continue };
        let ratios = times.map(|time| time.map(|time| time / plain)).collect();
        let line = Line { name: case.name, plain, ratios };
        println!("{}", line.row());
        lines.push(line);
    }
    Ok(summary(&lines, &kinds))
}

impl Line {
    /// As a row of a table.
    fn row(&self) -> String {
        let mut text = format!("| {} | {:.3} |", self.name, self.plain / 1e3);
        for ratio in &self.ratios {
            let _ = match ratio {
                Ok(ratio) => write!(text, " {ratio:.2} |"),
                Err(error) => write!(text, " {} |", error.replace('|', "/")),
            };
        }
        text
    }
}

/// The table with geometric means.
fn summary(lines: &[Line], kinds: &[&str]) -> String {
    let mut text = format!("| kernel | ms | {} |\n|---|---:|{}\n", kinds.join(" | "), "---:|".repeat(kinds.len()));
    for line in lines {
        text += &line.row();
        text.push('\n');
    }
    let _ = write!(text, "| geometric mean of {} | |", lines.len());
    for kind in 0..kinds.len() {
        let logarithms: Vec<f64> =
            lines.iter().filter_map(|line| line.ratios.get(kind)?.as_ref().ok()).map(|x| x.ln()).collect();
        let mean = logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64;
        let _ = write!(text, " **{:.2}** |", mean.exp());
    }
    text
}
