//! Memory objects: buffers (section 5.2), images (section 5.3) and pipes (section 5.4), their flags and their mapped regions.

mod copies;
mod current;
mod flags;
mod images;
mod maps;
mod object;
mod pipes;
mod rings;
mod turns;
mod users;
mod views;

pub use flags::Flags;
pub use maps::{MappedRegion, reached_at};
pub use object::{Contents, Memory, MemoryProperties};
pub use pipes::PipeInfo;
