//! What both environments share: types and constants, arithmetic, and the structured control flow.

mod arithmetic;
mod function;
mod module;

pub use function::{Environment, FunctionEmitter, emit_function};
pub use module::{LineTable, ModuleBuilder};
