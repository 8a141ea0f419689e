//! A cache on disk for compiled modules and drivers' pipelines.
//!
//! The key of a module has its source, its options, the build of the compiler (`BUILD`: the version and a digest of the
//! sources) and the files that it includes, which are looked up again each time. The key of pipelines has the module,
//! the device and the driver. Contents that are no module of the target count as missing, as do entries of another
//! user. Folders are made for the user alone. `Device::open` and `clforge run` use the cache, tests do not.

mod disk;
mod module;
mod pipelines;

pub use disk::Cache;
pub(crate) use disk::{Key, KeyBuilder};
pub(crate) use module::{ForMostLaunches, to_binary};
pub use module::{Module, compile, link, translate};
pub(crate) use pipelines::PersistentPipelineCache;
