//! An installable OpenCL client driver: OpenCL 3.1 on Vulkan devices, 3.0 on those without sub-groups, compiled by
//! `clforge_compiler` and run by `clforge_runtime`.
//!
//! OpenCL's loaders open the library and find its functions through `clGetExtensionFunctionAddress` and the dispatch table that
//! every handle points to (`cl_khr_icd`). The functions themselves are in `boundary`: they turn pointers into values, check
//! handles, and turn errors into codes. What is behind them is safe Rust. "Section" in comments is one of the OpenCL 3.1 API
//! specification.
//!
//! The modules are layers; a module uses those above it and, in the same line, those to its left. `cargo xtask tidy` rejects
//! cycles of modules, but does not compare this table with the code:
//!
//! ```text
//! settings, sanitizer_exit                       environment variables and profiles; the exit code
//! error, number, packing, texel, region, polling codes; widths; formats that Vulkan lacks; colours; rows; waiting for a thread
//! processors, srgb                               where threads run; colours that kernels write
//! handle, info, client, gl                       objects that are alive; values of queries; memory of the client; of OpenGL
//! addressed, shared, device, platform, context   known addresses, shared virtual memory; descriptions, queries, extensions
//! descriptor, external                           what a client gives away; memory of other interfaces
//! event, queue, shared_semaphore, semaphore      states and callbacks; inbox and worker; of other interfaces; of the host
//! image, requirements, sampler, memory           shapes and formats; buffers, images, copies, maps
//! program, kernel                                builds, linking, binaries; arguments
//! commands, command_buffer                       everything that is enqueued; what is recorded, and changed later
//! boundary                                       the functions of the API
//! ```
//!
//! `boundary`, `client`, `descriptor`, `external`, `gl`, `processors`, `sanitizer_exit`, `shared` and `shared_semaphore`
//! alone are unsafe.
#![deny(missing_docs, unsafe_code, unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod addressed;
mod boundary;
mod client;
mod command_buffer;
mod commands;
mod context;
mod descriptor;
mod device;
mod error;
mod event;
mod external;
mod gl;
mod handle;
mod image;
mod info;
mod kernel;
mod memory;
mod number;
mod packing;
mod platform;
mod polling;
mod processors;
mod program;
mod queue;
mod region;
mod requirements;
mod sampler;
mod sanitizer_exit;
mod semaphore;
mod settings;
mod shared;
mod shared_semaphore;
mod srgb;
mod texel;
