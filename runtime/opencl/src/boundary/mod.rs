//! The functions of the API: thin and unsafe. Each reads its pointers, finds the objects of its handles, calls one safe function
//! and turns the result into a code. `table.rs` lists every function once.
// Functions have the parameters of those of the API.
#![allow(unsafe_code, clippy::too_many_arguments)]

mod arguments;
mod buffers;
mod call;
mod callbacks;
mod command_buffers;
mod contexts;
mod devices;
mod events;
mod extension_functions;
mod gl;
mod images;
mod kernels;
mod launches;
mod log;
mod maps;
mod memories;
mod mutable;
mod programs;
mod queues;
mod recording;
mod refused;
mod samplers;
mod semaphores;
mod shared;
mod table;
mod unified;
mod unified_svm;
