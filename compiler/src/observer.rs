//! Observes a compilation: the IR before and after each pass, and the time of each stage and pass.

use std::fmt::Display;
use std::time::{Duration, Instant};

/// Is called during a compilation. The IR is formatted only where it is displayed.
pub trait Observer {
    /// A pass is about to run.
    fn before_pass(&mut self, pass: &'static str, ir: &dyn Display) {
        let _ = (pass, ir);
    }

    /// A pass has run, and the IR keeps its contract.
    fn after_pass(&mut self, pass: &'static str, ir: &dyn Display) {
        let _ = (pass, ir);
    }

    /// A stage or a pass took that long. The stages are `preprocess`, `parse`, `sema`, `lower`, `passes` (all of them
    /// together) and `emit`.
    fn timed(&mut self, name: &'static str, time: Duration) {
        let _ = (name, time);
    }
}

/// Times the stages, for an observer if there is one.
pub(crate) struct Stopwatch(Option<Instant>);

impl Stopwatch {
    pub fn start(observer: &Option<&mut dyn Observer>) -> Stopwatch {
        Stopwatch(observer.is_some().then(Instant::now))
    }

    /// Tells how long it took since the start or the last lap.
    pub fn lap(&mut self, observer: &mut Option<&mut dyn Observer>, name: &'static str) {
        if let (Some(start), Some(observer)) = (self.0, observer) {
            observer.timed(name, start.elapsed());
            self.0 = Some(Instant::now());
        }
    }
}
