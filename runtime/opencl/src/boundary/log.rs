//! `CLFORGE_LOG`: calls and failures on standard error.
//!
//! Programs call functions at the end of the process too, in handlers of `atexit` and destructors of static objects.
//! Thread-local data no longer exist then, so this file uses none.

use crate::settings::setting;
use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::sync::Once;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Reads `CLFORGE_LOG` (`error`, `warn`, `info`, `debug` for calls that fail, `trace` for every call) at the first call.
pub(super) fn start() {
    static START: Once = Once::new();
    START.call_once(|| {
        let level = setting("CLFORGE_LOG").and_then(|level| level.parse::<LevelFilter>().ok());
        if let Some(level) = level {
            // It fails where the client, being Rust itself, has a subscriber, which then gets the messages.
            let _ = tracing::subscriber::set_global_default(Log { level });
        }
    });
}

/// Writes each event as a line: level, module and message. There are no spans.
struct Log {
    level: LevelFilter,
}

/// The text of an event: its message, and fields by their names.
struct Text(String);

impl Visit for Text {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        let _ = match field.name() {
            "message" => write!(self.0, " {value:?}"),
            name => write!(self.0, " {name}={value:?}"),
        };
    }
}

impl Subscriber for Log {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        *metadata.level() <= self.level
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(self.level)
    }

    fn event(&self, event: &Event<'_>) {
        let metadata = event.metadata();
        let mut text = Text(format!("{:>5} {}:", metadata.level(), metadata.target()));
        event.record(&mut text);
        text.0.push('\n');
        // In one piece, so that lines of several threads do not mix.
        let _ = std::io::stderr().write_all(text.0.as_bytes());
    }

    fn new_span(&self, _span: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _span: &Id, _values: &Record<'_>) {}
    fn record_follows_from(&self, _span: &Id, _follows: &Id) {}
    fn enter(&self, _span: &Id) {}
    fn exit(&self, _span: &Id) {}
}
