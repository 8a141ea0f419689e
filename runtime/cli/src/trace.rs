//! `--print-before`, `--print-after` and `--time-passes`: a trace of a compilation on standard error.

use crate::cli::TraceArguments;
use crate::failure::Failure;
use clforge_compiler::Observer;
use std::fmt::{Display, Write};
use std::time::Duration;

/// Every pass, instead of a name.
const ALL: &str = "all";
/// A function without a name, which the IR has between a pass that leaves it without callers and the next `dead_functions`.
const LEFT_OVER: &str = "func @();\n";

/// Prints the IR around the passes that were named, as they run, and sums up times.
pub struct Trace<'a> {
    arguments: &'a TraceArguments,
    /// In the order of the first run: name, times, total.
    times: Vec<(&'static str, u32, Duration)>,
}

impl<'a> Trace<'a> {
    /// # Errors
    /// A pass that there is not.
    pub fn new(arguments: &'a TraceArguments) -> Result<Trace<'a>, Failure> {
        let known = |name: &String| name == ALL || clforge_compiler::pass_names().any(|known| known == name);
        let mut named = arguments.print_before.iter().chain(&arguments.print_after);
        if let Some(unknown) = named.find(|name| !known(name)) {
            let passes: Vec<&str> = clforge_compiler::pass_names().collect();
            return Err(Failure::Usage(format!("no pass '{unknown}'; the passes are {ALL}, {}", passes.join(", "))));
        }
        Ok(Trace { arguments, times: Vec::new() })
    }

    /// The table of `--time-passes`; nothing if it was not given.
    pub fn report(&self) -> String {
        let mut table = String::new();
        if !self.arguments.time_passes {
            return table;
        }
        table.push_str("   milliseconds  times  stage or pass\n");
        for (name, count, time) in &self.times {
            let milliseconds = time.as_secs_f64() * 1e3;
            // Writing to a string does not fail.
            let _ = writeln!(table, "{milliseconds:15.3} {count:6}  {name}");
        }
        table
    }

    fn print(wanted: &[String], pass: &str, when: &str, ir: &dyn Display) {
        if wanted.iter().any(|name| name == pass || name == ALL) {
            // Readers would take them for functions of the program.
            eprintln!("; IR {when} {pass}\n{}", ir.to_string().replace(LEFT_OVER, ""));
        }
    }
}

impl Observer for Trace<'_> {
    fn before_pass(&mut self, pass: &'static str, ir: &dyn Display) {
        Trace::print(&self.arguments.print_before, pass, "before", ir);
    }

    fn after_pass(&mut self, pass: &'static str, ir: &dyn Display) {
        Trace::print(&self.arguments.print_after, pass, "after", ir);
    }

    fn timed(&mut self, name: &'static str, time: Duration) {
        match self.times.iter_mut().find(|known| known.0 == name) {
            Some((_, count, total)) => (*count, *total) = (*count + 1, *total + time),
            None => self.times.push((name, 1, time)),
        }
    }
}
