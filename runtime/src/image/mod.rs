//! Images, their formats, and samplers.

mod copy;
mod description;
#[cfg(unix)]
mod descriptor;
mod format;
mod object;
mod program;
mod region;
mod sampler;
mod support;
mod texture;
mod transfer;

pub use copy::PitchedTexels;
pub use description::{ImageDescription, ImageKind};
pub use format::{ChannelOrder, ChannelType, ImageFormat};
pub use object::Image;
pub(crate) use object::Storage;
pub use region::ImageRegion;
pub use sampler::{Addressing, SampledLevels, Sampler};
pub use support::ImageSupport;
pub(crate) use texture::LAYOUT;
