//! `workarounds/private_pool`: initialises small pools of private objects with zeros
//! ([`Workarounds::NVIDIA_PRIVATE_POOL`](clforge_basic::workarounds::Workarounds)).
//!
//! ```ir
//! ; pass: workarounds/private_pool
//! variable @v0 "small" private i32 bytes 256
//! variable @v1 "large" private i32 bytes 260
//! variable @v2 "local" workgroup i32 bytes 4
//! variable @v3 "object" function i32 bytes 4
//! func @f() {
//!   return
//! }
//! ; ---
//! variable @v0 "small" private i32 bytes 256 zero
//! variable @v1 "large" private i32 bytes 260
//! variable @v2 "local" workgroup i32 bytes 4
//! variable @v3 "object" function i32 bytes 4
//! func @f() {
//!   return
//! }
//! ```

use crate::legalize::LAST;
use clforge_ir::pass::{Changed, Context, Order, Pass};
use clforge_ir::*;

/// Bytes of a pool up to which it begins as zeros: larger ones were always right, and to clear them takes time.
const MAX_BYTES: u64 = 256;

/// The pass.
pub struct PrivatePool;

impl<S> Pass<S> for PrivatePool {
    fn name(&self) -> &'static str {
        "workarounds/private_pool"
    }

    fn order(&self) -> Order {
        LAST
    }

    fn run(&self, module: &mut Module, _: &mut Context<'_, S>) -> Result<Changed, Error> {
        for variable in &mut module.variables {
            if variable.storage == Storage::Private && variable.size.fixed <= MAX_BYTES {
                variable.zero_initialized = true;
            }
        }
        Ok(Changed::Maybe)
    }
}
