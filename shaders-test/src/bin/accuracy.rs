//! The errors of all floating functions on a device, beside the specification's limits: `cargo xtask accuracy`.
#![forbid(unsafe_code)]

use clap::Parser;
use clforge_compiler::options::EmulatedTypes;
use clforge_runtime::DeviceSelector;
use shaders_test::accuracy::measure::{self, Effort, Found};
use shaders_test::accuracy::report::{self, Line};
use shaders_test::accuracy::rows::{Limit, ROWS, column};
use shaders_test::accuracy::vectors;
use shaders_test::hidden;
use shaders_test::oracle::conversions::{Conversion, check, values};
use shaders_test::oracle::engine::Engine;
use shaders_test::oracle::number::{SCALARS, Scalar};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

#[derive(Parser)]
#[command(about = "Errors of floating functions on a device, beside the specification's limits")]
struct Arguments {
    /// Vulkan device: a number or a part of its name; by default the best
    #[arg(long)]
    device: Option<String>,
    /// Measure the OpenCL target on the installed OpenCL driver instead
    #[arg(long)]
    opencl: bool,
    /// Random points of each function and type, beside all edge cases
    #[arg(long, default_value_t = 1 << 20)]
    samples: u64,
    /// Of functions of one float, also one argument of so many, at a random place among them; 0 for none
    #[arg(long, default_value_t = 64, value_name = "N")]
    every: u64,
    /// All 2^32 arguments of functions of one float, as --every 1
    #[arg(long)]
    exhaustive: bool,
    /// Only functions whose name has this part; the document is not written then
    #[arg(long)]
    only: Option<String>,
    /// Only this type: float, double or half; the document is not written then
    #[arg(long = "type")]
    ty: Option<String>,
    /// Threads that compare; by default one a core
    #[arg(long)]
    threads: Option<usize>,
    /// What the device is taken to lack, with commas between: only emulated floating types are measured then
    #[arg(long, value_delimiter = ',', value_name = "TYPE,…", conflicts_with = "opencl")]
    #[arg(value_parser = EmulatedTypes::NAMES)]
    emulate: Vec<String>,
    /// The document whose section is written
    #[arg(long, default_value = "docs/accuracy.md")]
    output: PathBuf,
}

const TYPES: [Scalar; 3] = [Scalar::Float, Scalar::Double, Scalar::Half];

impl Arguments {
    /// The types that are measured.
    fn measures(&self, ty: Scalar) -> bool {
        let emulated = [("float64", Scalar::Double), ("float16", Scalar::Half)];
        let mut emulated = emulated.into_iter().filter(|(name, _)| self.emulate.iter().any(|given| given == name));
        match &self.ty {
            Some(wanted) => wanted == ty.name(),
            None if emulated.clone().next().is_none() => true,
            None => emulated.any(|(_, emulated)| emulated == ty),
        }
    }
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let hidden = hidden::features("physical64", arguments.emulate.iter().map(String::as_str));
    let outcome = if hidden::are_hidden(&hidden) { accuracy(&arguments) } else { hidden::in_child(&hidden) };
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Whether everything is within the limits.
fn accuracy(arguments: &Arguments) -> Result<bool, String> {
    let engine = open(arguments)?;
    let title = match &arguments.emulate[..] {
        [] => engine.description(),
        emulated => format!("{}, {} emulated", engine.description(), emulated.join(" and ")),
    };
    let lost = TYPES.into_iter().map(|ty| Ok(engine.flushes_denormals(ty)?.then_some(ty)));
    let lost: Vec<Scalar> = lost.collect::<Result<Vec<_>, String>>()?.into_iter().flatten().collect();
    println!("{title}{}", lost.iter().map(|ty| format!("; loses {} denormals", ty.name())).collect::<String>());
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = arguments.threads.unwrap_or(cores);
    let every = if arguments.exhaustive { 1 } else { arguments.every };
    let effort = Effort { samples: arguments.samples, every, threads };
    println!("{:<22} {}", "", report::TYPES.map(|name| format!("{name:>16} {:>8}", "limit")).join(" "));
    let start = Instant::now();
    let mut lines = Vec::new();
    // Conversions need no functions of the type.
    let measured = |ty| engine.supports(ty);
    let wanted = |name: &str| arguments.only.as_ref().is_none_or(|part| name.contains(part.as_str()));
    for row in ROWS.iter().filter(|row| wanted(row.name)) {
        lines.push(line(arguments, row.name, row.limits, measured, |ty| {
            measure::measure(&engine, row, ty, &effort, lost.contains(&ty))
        }));
    }
    for row in vectors::rows().iter().filter(|row| wanted(&row.name)) {
        lines.push(line(arguments, &row.name, row.limits, measured, |ty| {
            vectors::measure(&engine, row, ty, &effort, lost.contains(&ty))
        }));
    }
    if wanted("convert") {
        lines.push(line(arguments, "convert_…, all modes", [Limit::Exact; 3], |_| true, |ty| conversions(&engine, ty)));
    }
    let complaints: Vec<String> = lines.iter().flat_map(Line::complaints).collect();
    println!("{:.0} s; {} complaints", start.elapsed().as_secs_f64(), complaints.len());
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    if arguments.only.is_none() && arguments.ty.is_none() {
        let introduction = introduction(arguments, &effort, &lost);
        report::update(&arguments.output, &title, &report::section(&title, &introduction, &lines))?;
        println!("written to {}", arguments.output.display());
    }
    Ok(complaints.is_empty())
}

fn open(arguments: &Arguments) -> Result<Engine, String> {
    if arguments.opencl {
        #[cfg(feature = "opencl")]
        return Engine::opencl();
        #[cfg(not(feature = "opencl"))]
        return Err("built without the feature 'opencl'".into());
    }
    let selector = match &arguments.device {
        Some(text) => text.parse().unwrap_or_default(),
        None => DeviceSelector::Best,
    };
    Engine::vulkan(&selector)
}

fn introduction(arguments: &Arguments, effort: &Effort, lost: &[Scalar]) -> String {
    let floats = match effort.every {
        _ if !arguments.measures(Scalar::Float) => String::new(),
        0 => String::new(),
        1 => "all arguments of functions of one `float`, ".into(),
        every => format!("one of each {every} successive arguments of functions of one `float`, "),
    };
    let halves = match arguments.measures(Scalar::Half) {
        true => "all arguments of functions of one `half`, ",
        false => "",
    };
    let denormals = match lost.iter().map(|ty| format!("`{}`", ty.name())).collect::<Vec<_>>().join(" and ") {
        lost if lost.is_empty() => "keeps all denormals".into(),
        lost => format!("loses denormals of {lost}"),
    };
    format!(
        "Edge cases in all combinations, {floats}{halves}and {} random points of each function and type of which not all \
         are tried. The device {denormals}.",
        effort.samples
    )
}

/// Measures a function for the types that are asked for, and prints the line.
fn line(
    arguments: &Arguments,
    name: &str,
    limits: [Limit; 3],
    supported: impl Fn(Scalar) -> bool,
    measure: impl Fn(Scalar) -> Result<Found, String>,
) -> Line {
    let found = TYPES.map(|ty| {
        (arguments.measures(ty) && supported(ty) && limits[column(ty)] != Limit::Absent).then(|| measure(ty))
    });
    let line = Line { name: name.to_string(), limits, found };
    let cells: Vec<String> = line
        .cells()
        .iter()
        .enumerate()
        .map(|(index, cell)| if index % 2 == 0 { format!("{cell:>16}") } else { format!("{cell:>8}") })
        .collect();
    println!("{name:<22} {}", cells.join(" "));
    line
}

/// All conversions from and to a floating type.
fn conversions(engine: &Engine, ty: Scalar) -> Result<Found, String> {
    let mut found = Found::default();
    for from in SCALARS {
        let targets: Vec<Scalar> = if from == ty { SCALARS.to_vec() } else { vec![ty] };
        let conversions: Vec<Conversion> = targets.into_iter().flat_map(|to| Conversion::all(from, to)).collect();
        let values = values(from, 100_000, true);
        found.points += (values.len() * conversions.len()) as u64;
        // A build that fails is an error, a wrong result is a finding; both come as text.
        if let Err(message) = check(engine, &conversions, 1, 24, &values) {
            if !message.contains(" wrong of ") {
                return Err(message);
            }
            found.wrong += message.lines().count() as u64;
            found.first_wrong = message.lines().next().unwrap_or_default().to_string();
        }
    }
    Ok(found)
}
