//! Tables of reports: on the terminal, and `docs/performance.md`.

use crate::report::{Cost, Report};
use std::fmt::Write;

const PREFACE: &str = "# Performance

Written by `cargo xtask bench device` from the results in `shaders-test/results/device-bench` and from
`shaders-test/src/bin/device_bench/evidence.md`; do not edit.

Each kernel is the same source, launched on the same device with the same arguments through this project (Vulkan) and through
an OpenCL driver. Times are the best of up to 20 launches, measured by the device, in milliseconds. The ratio is the
driver's time over ours: above 1 ours is faster. Where results differ by more than rounding allows, the row says so.
";

/// What was found out about rows, and measured with other programs.
const EVIDENCE: &str = include_str!("evidence.md");

/// The whole document.
pub fn document(reports: &[Report]) -> String {
    let tables = reports.iter().fold(PREFACE.to_owned(), |text, report| text + "\n" + &section(report));
    tables + "\n" + EVIDENCE
}

/// The section of one device.
pub fn section(report: &Report) -> String {
    let mut text = format!("## {}, {}, Vulkan {}\n\n", report.device, report.driver, report.vulkan);
    let drivers = report.drivers();
    if report.quick {
        text += "Small problems: the cost of a launch is a part of the shorter times.\n\n";
    }
    if report.host_times {
        text += "Times of the host, from enqueueing to completion.\n\n";
    }
    for driver in &drivers {
        if let Some(mean) = report.mean(driver) {
            let count = report.kernels.values().filter(|row| row.ratio(driver).is_some()).count();
            let _ = writeln!(text, "Geometric mean of {count} kernels against {driver}: **{mean:.2}**\n");
        }
    }
    heading(&mut text, "kernel, ms", &drivers);
    for (name, row) in report.order.iter().filter_map(|name| report.kernels.get_key_value(name)) {
        let ours = match (&row.ours.error, row.ours.time()) {
            (Some(error), _) => error.replace('|', "/"),
            (None, time) => time.map_or("-".into(), |time| number(time / 1e3)),
        };
        let _ = write!(text, "| {name} | {ours} |");
        for driver in &drivers {
            let figure = row.theirs.get(driver);
            let time = figure.and_then(|figure| figure.time()).map_or("-".into(), |time| number(time / 1e3));
            let note = if figure.is_some_and(|figure| figure.difference.is_some()) { " (results differ)" } else { "" };
            let _ = write!(text, " {time}{note} | {} |", ratio(row.ratio(driver)));
        }
        text.push('\n');
    }
    if !report.costs.is_empty() {
        text.push('\n');
        heading(&mut text, "cost of the runtime, µs", &drivers);
        for cost in &report.costs {
            costs(&mut text, cost, &drivers);
        }
    }
    text
}

fn heading(text: &mut String, first: &str, drivers: &[String]) {
    let _ = write!(text, "| {first} | clforge |");
    drivers.iter().for_each(|driver| _ = write!(text, " {} | ratio |", driver.replace('|', "/")));
    *text += "\n|---|---:|";
    drivers.iter().for_each(|_| text.push_str("---:|---:|"));
    text.push('\n');
}

fn costs(text: &mut String, cost: &Cost, drivers: &[String]) {
    let cell = |time: f64| match cost.bytes {
        0 => number(time),
        bytes => format!("{} ({} GB/s)", number(time), number(bytes as f64 / time / 1e3)),
    };
    let _ = write!(text, "| {} | {} |", cost.name, cost.ours.map_or("-".into(), cell));
    for driver in drivers {
        let theirs = cost.theirs.get(driver).copied().map_or("-".into(), cell);
        let _ = write!(text, " {theirs} | {} |", ratio(cost.ratio(driver)));
    }
    text.push('\n');
}

fn ratio(ratio: Option<f64>) -> String {
    ratio.map_or("-".into(), |ratio| format!("{ratio:.2}"))
}

/// Three digits, or all of larger numbers.
fn number(value: f64) -> String {
    match value {
        value if value >= 100.0 => format!("{value:.0}"),
        value if value >= 10.0 => format!("{value:.1}"),
        value if value >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}
