//! Objects of OpenGL, and images of EGL, that memory objects share (`cl_khr_gl_sharing`, `cl_khr_egl_image`). A memory object has
//! memory of its own: its contents are copied when it is acquired and released, by a context of OpenGL of the driver's own, which
//! shares the objects of the client's context and is current on a thread of the driver's own.
#![allow(unsafe_code)]

mod api;
mod binding;
mod driver;
mod formats;
mod object;
mod properties;
mod thread;

pub use api::{finish_current, has_current, has_egl, has_gl};
pub use binding::Binding;
pub use object::{Found, Shared, Surface, Target};
pub use properties::{Reference, is_property};
pub use thread::Sharing;
