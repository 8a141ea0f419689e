//! Images, their formats, and samplers.

mod description;
mod format;
mod object;
mod sampler;
mod texture;

pub use description::{ImageDescription, ImageKind};
pub use format::{ChannelOrder, ChannelType, ImageFormat};
pub use object::Image;
pub(crate) use object::Storage;
pub(crate) use sampler::CLK_NORMALIZED_COORDS_TRUE;
pub use sampler::{Addressing, Sampler};
pub(crate) use texture::LAYOUT;
