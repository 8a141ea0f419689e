//! Counts how many instructions a module may still get. This also bounds the memory of passes that expand one
//! instruction to many.
//!
//! A module has at most `CodegenOptions::max_instructions` in every stage: lowering stops at the statement that exceeds
//! them, a pass at the operation or the function. The SPIR-V has at most `CodegenOptions::max_module_bytes`. Other
//! things that take memory or time have limits of their own, since an input of a few megabytes may take at most 10 s
//! and 2 GB: bytes of all initial values, of the names of kernel arguments, and of the strings that calls of `printf`
//! read.

use crate::error::Limited;
use crate::{Error, Function, Module};

/// The instructions of a module, and the most that it may have.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    used: usize,
    limit: usize,
}

impl Room {
    /// What a module leaves of a limit (`CodegenOptions::max_instructions`).
    pub fn new(module: &Module, limit: usize) -> Room {
        Room { used: module.functions.iter().map(|function| function.insts.len()).sum(), limit }
    }

    /// Takes a function out of the module, that another one is to replace.
    pub fn take(&mut self, function: &Function) {
        self.used = self.used.saturating_sub(function.insts.len());
    }

    /// Puts a function into the module.
    pub fn put(&mut self, function: &Function) {
        self.used = self.used.saturating_add(function.insts.len());
    }

    /// Whether there is room for so many instructions more.
    ///
    /// # Errors
    /// [`Limited::Instructions`].
    pub fn check(&self, more: usize) -> Result<(), Error> {
        let all = self.used.saturating_add(more);
        if all > self.limit { Err(Error::limit(Limited::Instructions, all, self.limit)) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Builder, Op};

    fn function(insts: usize) -> Function {
        let mut function = Function::new("f");
        let mut b = Builder::new(&mut function);
        (0..insts).for_each(|_| b.effect(Op::Unreachable));
        function
    }

    #[test]
    fn what_replaces_a_function_has_its_room() {
        let mut module = Module::default();
        module.functions.extend([function(3), function(4)]);
        let mut room = Room::new(&module, 10);
        assert!(room.check(3).is_ok() && room.check(4).is_err());
        room.take(&function(3));
        assert!(room.check(6).is_ok() && room.check(7).is_err());
        room.put(&function(6));
        assert!(room.check(0).is_ok() && room.check(1).is_err());
    }
}
