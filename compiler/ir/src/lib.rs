//! The intermediate representation: structured SSA between the typed program and SPIR-V.
//!
//! # Contract
//!
//! **Module.** Functions and globals. `ir` knows neither syntax nor SPIR-V.
//!
//! **Values** are in SSA form and belong to one function: results of instructions, parameters of functions and of
//! regions, and interned constants, which stand nowhere and may be used everywhere. Every other value is used only where
//! its definition dominates: later in the same region, or in regions nested in later instructions of it.
//!
//! **Types.** `bool`, signless integers of 8 to 64 bits, `f16 f32 f64`, opaque pointers tagged with an address space,
//! opaque handles; vectors of 2, 3, 4, 8 or 16 scalars (not of pointers or handles). There are no aggregates: records
//! and arrays live in memory.
//!
//! **Control flow** is a tree of regions. A region is a list of instructions that ends in exactly one terminator:
//!
//! - `if c { … } else { … }`: each region ends in `yield values` (the results of the `if`) or leaves otherwise.
//! - `switch s (inputs) { case … }`: each case region takes the inputs as parameters, entered from the head with the
//!   inputs or from the previous case's `fallthrough values`. `break values` leaves with the results. Exactly one case is
//!   the default (it may also list values). Case values are the selector's bits, zero-extended to 64.
//! - `loop (inits) { body } continuing { … }`: the body's parameters are the carried values; it ends in
//!   `continue values`, which enters the continuing region as its parameters, or in `break values`, which leaves with the
//!   results. The continuing region ends in `next values` (back to the body) or `next_if c (values) (results)` (back to
//!   the body if `c`, else leave with the results); it has no `break`, `continue` or `return` inside.
//! - `break` means the innermost `loop` or `switch`, `continue` the innermost `loop`, from any depth of `if`.
//! - `return` may stand anywhere but in continuing regions. `unreachable` ends what cannot be reached; it follows an
//!   `if`, `switch` or `loop` that nothing falls out of.
//!
//! **Memory.** Pointers are byte addresses. `ptr_add base [index * stride + displacement]` is their only arithmetic;
//! `index` is a signed `i32` or `i64`, the product is taken in 64 bits. Loads and stores name a type, an alignment that
//! is true, and volatility. A 3-lane access touches exactly three scalars. `bool` is never in memory (`i8` 0 or 1 is).
//! `alloca` stands in the function's body region, not nested; its object is private and lives as long as the call. The
//! object's contents at entry are undefined.
//!
//! **Arithmetic.** Integer operations wrap. Division by zero and `MIN / -1` give an undefined value, no trap. Shift counts
//! are below the width (lowering masks them). Float to integer out of range is an undefined value. Floating operations
//! round to nearest even and are not contracted or reassociated unless the module's math options say so.
//!
//! **Images and samplers** are handles: parameters, passed on to calls, and operands of [`Op::Image`]; `sampler` makes
//! the handle of a literal. Reads see the writes of [`ImageOp::Write`], so only queries are pure. Texels are vectors of
//! four lanes but for unfiltered reads and writes of depth images, which move one scalar.
//!
//! **Pipes and enqueueing** ([`DeviceOp`], [`Op::Enqueue`]) exist on OpenCL devices alone. A range is an object of 80
//! bytes in private memory.
//!
//! **Calls** go to functions of the module, without recursion. Records are passed as pointers to private copies that the
//! caller makes and the callee may change; a record result is written through a first pointer parameter.
//!
//! **After legalisation for Vulkan** there are no pointers: addresses of global and constant memory are `i64` values (a
//! load or store through one is a physical access), private and local memory are [`Variable`]s addressed by element,
//! pointers into them `i32` byte offsets; no vector has more than four lanes, and there is no `alloca`, `ptr_add`,
//! `address`, `work_item` or `builtin` of a library function left. Kernels have no
//! parameters: a handle is a `resource` of a descriptor, used only as an operand of `image`, whose coordinates are
//! `f32` when sampled, have exactly the image's lanes, and are normalised or not as the descriptor's sampler is.
//!
//! **Kernels** are functions without result. Their parameters are scalars, vectors, pointers (global, constant, or local),
//! handles, or private pointers to a by-value record ([`KernelParameter::ByValue`]).

#![forbid(unsafe_code)]
#![allow(missing_docs)] // field names say it; the contract above says the rest

mod builder;
pub mod constant;
pub mod copy;
pub mod error;
pub mod fold;
mod function;
mod inst;
#[cfg(any(test, feature = "interpret"))]
pub mod interpret;
mod intrinsic;
mod kinds;
pub mod link;
mod names;
mod operands;
mod operations;
pub mod passes;
pub mod print;
pub mod read;
pub mod rewrite;
mod types;
mod update;
pub mod verify;

pub use builder::Builder;
pub use constant::Constant;
pub use error::{Error, ErrorKind, OrInternal};
pub use function::{
    ArgumentInfo, Function, FunctionId, Global, GlobalId, KernelArgument, KernelInfo, KernelParameter, Module, Region,
    RegionId, Relocation, Storage, Value, ValueDef, Variable, VariableId, VariableSize,
};
pub use inst::{Case, Inst, InstId, Lanes, LoopHint, Op, Values};
pub use intrinsic::Intrinsic;
pub use kinds::{
    AtomicOp, BinaryOp, CompareOp, ConvertOp, GroupArithmetic, GroupExtent, Input, MemoryOrder, Scope, Semantics,
    Texel, UnaryOp, WorkItemQuery,
};
pub use operations::{DeviceOp, EnqueueOp, GroupOp, ImageOp};
pub use types::{ImageType, Opaque, ScalarType, Space, Type};
pub use update::{is_native_in_buffers, is_native_in_local_memory};
