//! A cache on disk for compiled modules and drivers' pipelines.

mod disk;
mod module;

pub use disk::Cache;
pub(crate) use disk::{Key, KeyBuilder};
pub(crate) use module::to_binary;
pub use module::{Module, compile, link, translate};
