//! Measuring one row on every engine.

use crate::case::{Case, Scale, Setup};
use crate::engine::{Built, Engine, Prepared};
use crate::report::{Figure, Row};
use crate::sources;
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// Most launches of a row on one engine, and the time after which no more are made.
const LAUNCHES: usize = 20;
const ENOUGH: Duration = Duration::from_millis(400);
/// Fewest launches, the first of which may compile.
const LEAST: usize = 3;

/// Engine, source and options of a program.
type Key = (usize, &'static str, &'static str);

/// Builds each source once for each set of options.
#[derive(Default)]
pub struct Programs(HashMap<Key, Result<Box<dyn Built>, String>>);

impl Programs {
    fn get(&mut self, index: usize, engine: &dyn Engine, case: &Case) -> Result<&dyn Built, String> {
        let build = || engine.build(sources::text(case.file)?, case.options);
        let built = self.0.entry((index, case.file, case.options)).or_insert_with(build);
        built.as_deref().map_err(|error| first_line(error))
    }
}

/// The first line of a message.
pub fn first_line(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().chars().take(200).collect()
}

/// Measures a row. The first engine is ours.
pub fn row(case: &Case, scale: Scale, engines: &[Box<dyn Engine>], programs: &mut Programs) -> Row {
    let mut figures = engines.iter().map(|engine| engine.name()).zip(measure(case, scale, engines, programs));
    let ours = figures.next().map(|(_, figure)| figure).unwrap_or_default();
    Row { ours, theirs: figures.collect() }
}

/// Measures a kernel on engines, and compares the results with those of the first one.
pub fn measure(case: &Case, scale: Scale, engines: &[Box<dyn Engine>], programs: &mut Programs) -> Vec<Figure> {
    let setup = (case.setup)(scale);
    let mut figures = Vec::new();
    let mut first: Option<Vec<Vec<u8>>> = None;
    for (index, engine) in engines.iter().enumerate() {
        let measured = programs.get(index, engine.as_ref(), case).and_then(|built| run(built, case, &setup));
        let (figure, results) = match measured {
            Ok((figure, results)) => (figure, Some(results)),
            Err(error) => (Figure { error: Some(first_line(&error)), ..Figure::default() }, None),
        };
        let difference = first.as_ref().filter(|_| index > 0).zip(results.as_ref());
        let difference = difference.and_then(|(first, results)| case.compare.difference(first, results));
        figures.push(Figure { difference, ..figure });
        if index == 0 {
            first = results;
        }
    }
    figures
}

/// Best times, and the results of the first launch.
fn run(built: &dyn Built, case: &Case, setup: &Setup) -> Result<(Figure, Vec<Vec<u8>>), String> {
    let prepared = built.prepare(case.kernel, setup)?;
    let (_, first) = prepared.time()?;
    let results = prepared.results()?;
    Ok((Figure { first: Some(microseconds(first)), ..best(prepared.as_ref())? }, results))
}

fn best(prepared: &dyn Prepared) -> Result<Figure, String> {
    let start = Instant::now();
    let (mut device, mut host): (Option<Duration>, Option<Duration>) = (None, None);
    let mut launches = 0;
    while launches < LEAST || launches < LAUNCHES && start.elapsed() < ENOUGH {
        let (on_device, on_host) = prepared.time()?;
        device = device.into_iter().chain(on_device).min();
        host = host.into_iter().chain([on_host]).min();
        launches += 1;
    }
    Ok(Figure { device: device.map(microseconds), host: host.map(microseconds), ..Figure::default() })
}

/// A time as it is reported.
pub fn microseconds(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}
