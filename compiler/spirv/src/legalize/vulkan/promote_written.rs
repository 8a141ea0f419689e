//! `vulkan/promote_written`: promotes the private variables that a store precedes each load of on every path, and those that
//! hold pointers.
//!
//! With `--sanitize=memory` it runs instead of `mem2reg` in front of `vulkan/initialized`, which has to see the loads of
//! variables that nothing may have written: `mem2reg` makes undefined values of them.
//!
//! ```ir
//! ; pass: vulkan/promote_written
//! func @f(%0: i32, %1: bool) -> i32 {
//!   %2: ptr.private = alloca size 4 align 4
//!   %3: ptr.private = alloca size 4 align 4
//!   store align 4 %2, %0
//!   if %1 {
//!     store align 4 %3, %0
//!     yield
//!   } else {
//!     yield
//!   }
//!   %4: i32 = load align 4 %2
//!   %5: i32 = load align 4 %3
//!   %6: i32 = add %4, %5
//!   return %6
//! }
//! ; ---
//! func @f(%0: i32, %1: bool) -> i32 {
//!   %2: ptr.private = alloca size 4 align 4
//!   if %1 {
//!     store align 4 %2, %0
//!     yield
//!   } else {
//!     yield
//!   }
//!   %3: i32 = load align 4 %2
//!   %4: i32 = add %0, %3
//!   return %4
//! }
//! ```

use super::initialized::unwritten;
use crate::legalize::{Context, State};
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::{Error, Function, Module, passes};

/// The pass.
pub struct PromoteWritten;

impl Pass<State> for PromoteWritten {
    fn name(&self) -> &'static str {
        "vulkan/promote_written"
    }

    fn order(&self) -> Order {
        Order { before: &["vulkan/initialized"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        for id in module.functions.keys() {
            let mut function = std::mem::replace(&mut module.functions[id], Function::new(""));
            let kept = unwritten(&function, module);
            passes::promote_except(&mut function, context.options.codegen.max_instructions, &kept);
            module.functions[id] = function;
        }
        Ok(Changed::Maybe)
    }
}
