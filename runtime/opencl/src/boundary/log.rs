//! `CLFORGE_LOG`: what was called and what failed, on standard error.

use std::sync::Once;
use tracing::level_filters::LevelFilter;

/// Reads `CLFORGE_LOG` (`error`, `warn`, `info`, `debug` for calls that fail, `trace` for every call) at the first call.
pub(super) fn start() {
    static START: Once = Once::new();
    START.call_once(|| {
        let level = std::env::var("CLFORGE_LOG").ok().and_then(|level| level.parse::<LevelFilter>().ok());
        if let Some(level) = level {
            let subscriber = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr);
            // It fails where the client, being Rust itself, has a subscriber, which then gets the messages.
            let _ = subscriber.without_time().with_ansi(false).try_init();
        }
    });
}
