//! What both environments share: types and constants, arithmetic, and the structured control flow.

mod arithmetic;
mod atomics;
mod control_flow;
mod function;
mod groups;
mod instruction;
mod interface;
mod matrices;
mod module;
mod wide_products;

pub use atomics::AtomicAccess;
pub use function::{Environment, FunctionEmitter, emit_function};
pub use groups::{clock_scope, is_non_uniform};
pub use interface::kernel_variables;
pub use module::{LineTable, ModuleBuilder};
