//! Waits for another thread by polling for a while before sleeping.

use std::time::{Duration, Instant};

/// Instructions in a row with which a thread waits between two looks.
const PAUSES: u32 = 8;

/// Lets some 100 to 400 ns go by. A thread that looks more often fetches what it looks at from the cache of the thread that is about
/// to change it, which takes that one longer.
pub fn pause() {
    (0..PAUSES).for_each(|_| std::hint::spin_loop());
}

/// Polls a condition for at most so long. Returns whether it was fulfilled.
pub fn poll(limit: Duration, is_fulfilled: impl Fn() -> bool) -> bool {
    if is_fulfilled() {
        return true;
    }
    let start = Instant::now();
    while start.elapsed() < limit {
        pause();
        if is_fulfilled() {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    #[test]
    fn polling_ends_when_the_condition_or_the_limit_says_so() {
        let left = Cell::new(5);
        let count_down = || {
            left.set(left.get() - 1);
            left.get() == 0
        };
        assert!(poll(Duration::from_secs(60), count_down));
        assert_eq!(left.get(), 0);
        assert!(!poll(Duration::ZERO, || false));
        assert!(!poll(Duration::from_millis(1), || false));
    }
}
