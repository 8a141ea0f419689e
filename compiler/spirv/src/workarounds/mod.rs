//! Passes that work around defects of drivers, each for one flag of
//! [`Workarounds`](clforge_basic::workarounds::Workarounds) or one option. They run last, since later
//! simplifications would undo what they do. Flags that only choose between forms of an instruction are read by the emitter.

mod loop_exits;
mod loop_limit;

pub use loop_exits::LoopExits;
pub use loop_limit::LoopLimit;
