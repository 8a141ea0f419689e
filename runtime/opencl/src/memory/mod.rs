//! Memory objects: buffers (section 5.2) and images (section 5.3), their flags and their mapped regions.

mod copies;
mod flags;
mod images;
mod maps;
mod object;

pub use flags::Flags;
pub use maps::{MappedRegion, reached_at};
pub use object::{Contents, Memory};
