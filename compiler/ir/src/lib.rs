//! The intermediate representation: structured SSA between the typed program and SPIR-V.
//!
//! # Contract
//!
//! The contract of a module that any pass may read or write. [`verify`] checks it; what is legal in addition, or no longer,
//! at a point of the pipeline is a [`verify::Dialect`] (below).
//!
//! **Module.** Functions and globals. The IR contains no syntax and no ids of SPIR-V. What a target accepts is data of this
//! crate: dialects, and the columns of the table of intrinsics.
//!
//! **Values** are in SSA form and belong to one function: results of instructions, parameters of functions and of
//! regions, and constants, which are interned, are in no region and may be used everywhere. Every other value is used
//! only where its definition dominates: later in the same region, or in regions nested in later instructions of it. An
//! instruction is in one region, once.
//!
//! **Types.** `bool`, signless integers of 8 to 64 bits, `f16 f32 f64`, opaque pointers tagged with an address space
//! (`ptr`, or `ptr32` in programs whose pointers have 32 bits), opaque handles; vectors of 2, 3, 4, 8 or 16 scalars (not
//! of pointers or handles). There are no aggregates: records and arrays are in memory.
//!
//! **Operations** have named operands. Those on images, groups, pipes and events are enumerations of their own
//! ([`ImageOp`], [`GroupOp`], [`DeviceOp`], [`MatrixOp`], [`EnqueueOp`]).
//!
//! **Control flow** is a tree of regions. A region is a list of instructions that ends in exactly one terminator:
//!
//! - `if c { … } else { … }`: each region ends in `yield values` (the results of the `if`) or leaves otherwise.
//! - `switch s (inputs) { case … }`: each case region takes the inputs as parameters, entered from the head with the
//!   inputs or from the previous case's `fallthrough values`. `break values` leaves with the results. Exactly one case is
//!   the default (it may also list values). Case values are the selector's bits, zero-extended to 64, and distinct.
//! - `loop (inits) { body } continuing { … }`: the body's parameters are the carried values; it ends in
//!   `continue values`, which enters the continuing region as its parameters, or in `break values`, which leaves with the
//!   results. The continuing region ends in `next values` (back to the body) or `next_if c (values) (results)` (back to
//!   the body if `c`, else leave with the results); it has no `break`, `continue` or `return` inside.
//! - `break` means the innermost `loop` or `switch`, `continue` the innermost `loop`, from any depth of `if`.
//! - `return` is allowed anywhere but in continuing regions. `unreachable` ends a region whose end is never reached, such
//!   as after an `if`, `switch` or `loop` that no path falls out of.
//!
//! **Memory.** Pointers are byte addresses. `ptr_add base [index * stride + displacement]` is their only arithmetic;
//! `index` is a signed `i32` or `i64`, the product is taken in 64 bits. Loads and stores name a type, an alignment that
//! the address has, and volatility. An access of 3 lanes touches exactly three scalars. `bool` is never in memory (`i8` 0
//! or 1 is). `alloca` is only in the function's body region; its object is private and lives as long as the call. The
//! object's contents at entry are undefined.
//!
//! **Arithmetic.** Integer operations wrap. Division by zero and `MIN / -1` give an undefined value and do not trap. Shift
//! counts are below the width (lowering masks them). Float to integer out of range gives an undefined value. Floating
//! operations round to nearest even and are not contracted or reassociated unless the module's math options allow it.
//!
//! **Intrinsics** have the operands and the result of their [`Signature`].
//!
//! **Atomics** have the operands of their kind: none for a load, `expected` and `desired` for a compare-exchange, else
//! one value. All are of the object's type, and so is the result, the old value; a store has none.
//!
//! **Images and samplers** are handles: parameters, passed on to calls, and operands of [`Op::Image`]; `sampler` makes
//! the handle of a literal. Reads see the writes of [`ImageOp::Write`], so only queries are pure. Texels are vectors of
//! four lanes, but unfiltered reads and writes of depth images move one scalar. Coordinates have at least the image's
//! dimensions, and the layer of an array, as lanes.
//!
//! **Groups.** An operation of a group is executed by its work-items together ([`Op::Group`]).
//!
//! **Cooperative matrices** are handles of values that the work-items of a sub-group share, each of which has some of the
//! components. [`MatrixOp`] has their operations; private objects can hold them, eight bytes each.
//!
//! **Pipes and enqueueing** ([`DeviceOp`], [`Op::Enqueue`]) exist only on OpenCL devices. A range is an object of 80
//! bytes in private memory.
//!
//! **Calls** name functions of the module; there is no recursion. Records are passed as pointers to private copies that
//! the caller makes and the callee may change; a record result is written through a first pointer parameter.
//!
//! **Kernels** are functions without result. Their parameters are scalars, vectors, pointers (global, constant, or local),
//! handles, or private pointers to a by-value record ([`KernelParameter::ByValue`]).
//!
//! # Dialects
//!
//! Lowering writes [`Dialect::Core`](verify::Dialect::Core), in which the above is all. For OpenCL
//! ([`Dialect::OpenCl`](verify::Dialect::OpenCl)) there is no `dot`, intrinsics that access halves move a single one, and
//! atomics are those of integers of 32 and 64 bits, and loads, stores and exchanges of floats of these widths; environments
//! before OpenCL 2.0 have no generic pointers. For Vulkan, each legalisation pass narrows what is legal
//! ([`Legalized`](verify::Legalized), in this order):
//!
//! 1. `Builtins`: operations of sub-groups only; no queues and events of queues, which Vulkan never has; pipes and reservations are buffers and integers;
//!    of intrinsics those that Vulkan has instructions for ([`Intrinsic::vulkan_scalars`]), and `printf`; no atomics of 16
//!    bits, and no texels of halves.
//! 2. `PrintfFormats`: the first operand of `printf` is the number of its format, an `i32`, and not a pointer to it.
//! 3. `KernelAbi`: kernels have no parameters, and there is no `work_item` and no `printf`. From here on there are
//!    [`Variable`]s, which are addressed by element, `input`s, specialisation constants, `resource`s (the handle of a
//!    descriptor), and loads and stores through an `i64` that is a device address. No global is imported.
//! 4. `Images`: every handle that is an operand is a `resource`; coordinates have exactly the image's lanes, `f32` when
//!    sampled, and are normalised or not as the descriptor's sampler is. There is no `sampler` and no write to a level of
//!    detail.
//! 5. `WideVectors`: no vector has more than four lanes.
//! 6. `Memory`: there are no pointers, and no `alloca`, `ptr_add` or `address`. Addresses of global and constant memory
//!    are `i64` values, private and local memory are variables, and pointers into them `i32` byte offsets.
//! 7. `MemoryModel`: no atomic, fence or barrier is sequentially consistent; no fence is of one work-item, and barriers order
//!    memory for the work-items that meet at least.

#![forbid(unsafe_code)]
// A number that is cut is a program that is compiled wrongly: `narrow` has the conversions, and says what they keep.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]
#![allow(missing_docs)] // field names say it; the contract above says the rest

pub mod analysis;
mod builder;
pub mod constant;
pub mod continues;
pub mod copy;
pub mod encode;
mod entities;
pub mod error;
pub mod expand;
mod field;
pub mod fold;
mod function;
mod inst;
#[cfg(any(test, feature = "interpret"))]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "it is a machine of 64 bits, for tests, and its memory is small"
)]
pub mod interpret;
mod intrinsic;
mod kinds;
pub mod link;
pub mod object;
mod operands;
mod operations;
mod parse_error;
pub mod pass;
pub mod passes;
pub mod pipeline;
pub mod print;
pub mod read;
pub mod rewrite;
pub mod room;
mod round;
mod signature;
pub mod structurize;
#[cfg(any(test, feature = "interpret"))]
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "it is for tests, and its programs are small"
)]
pub mod twins;
mod types;
mod update;
pub mod verify;

pub use builder::Builder;
pub use constant::Constant;
pub use entities::{ConstantId, FunctionId, GlobalId, InstId, RegionId, Value, Values, VariableId};
pub use error::{Error, ErrorKind, OrInternal};
pub use function::{
    ArgumentInfo, Function, Global, KernelArgument, KernelInfo, KernelParameter, Module, Region, Relocation, Storage,
    ValueDef, Variable, VariableSize,
};
pub use inst::{Case, Inst, Lanes, LoopHint, Op, SAMPLER_NUMBER};
pub use intrinsic::{HalfAccess, Intrinsic};
pub use kinds::{
    AtomicOp, BinaryOp, CheckOp, CompareOp, ComponentSign, ConvertOp, GroupArithmetic, GroupExtent, Input,
    MatrixLayout, MatrixOverflow, MemoryOrder, Rounding, Scope, Semantics, Texel, UnaryOp, WorkItemQuery,
};
pub use operations::{DeviceOp, EnqueueOp, GroupOp, ImageOp, MatrixOp};
pub use signature::Signature;
pub use types::{ImageType, MatrixType, Opaque, ScalarType, Space, Type};
pub use update::{is_native_in_buffers, is_native_in_local_memory};
