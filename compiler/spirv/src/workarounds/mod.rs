//! Passes that write around defects of drivers, each for one flag of
//! [`Workarounds`](clforge_basic::workarounds::Workarounds) or one option. They run last: to simplify what they do is to
//! undo it. Flags that only choose between forms of an instruction are read by the emitter.

pub mod loop_exits;
pub mod loop_limit;
