//! Processor time, which says more than the time of day on a machine that does other things, too.

use std::time::{Duration, Instant};

/// Ticks in a second of the times in `/proc`: the same number in all of Linux' ABIs.
const TICKS: u64 = 100;

/// What a process has used so far, in all of its threads; `None` where the system does not tell.
pub fn processor_time(process: u32) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    of_fields(&text)
}

/// The sum of `utime` and `stime` of a line of `/proc/PID/stat`.
fn of_fields(text: &str) -> Option<Duration> {
    // The name of the program, which may have spaces, is in parentheses.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<u64>().ok();
    let ticks = next()? + next()?;
    Some(Duration::from_millis(ticks * 1000 / TICKS))
}

/// Measures processor time of this process, or the time of day where the system does not tell it.
pub struct Stopwatch {
    start: Instant,
    used: Option<Duration>,
}

impl Stopwatch {
    pub fn start() -> Stopwatch {
        Stopwatch { start: Instant::now(), used: processor_time(std::process::id()) }
    }

    pub fn elapsed(&self) -> Duration {
        let used = processor_time(std::process::id()).zip(self.used);
        used.map_or_else(|| self.start.elapsed(), |(now, before)| now.saturating_sub(before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_behind_the_name() {
        let line = "12 (a (b) c) R 1 12 12 0 -1 4194304 100 0 0 0 250 50 7 8 20 0 1 0 900 1000 10";
        assert_eq!(of_fields(line), Some(Duration::from_secs(3)));
        assert_eq!(of_fields("12 (a) R 1"), None);
    }
}
