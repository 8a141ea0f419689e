//! What tests of several passes share.

use crate::pass::{FunctionContext, FunctionPass};
use crate::{FunctionId, Module};
use clforge_basic::options::Options;

/// Runs passes on the first function of a module, one after the other.
pub fn run(module: &mut Module, passes: &[&dyn FunctionPass]) {
    let options = Options::default();
    let Module { functions, variables, globals, .. } = module;
    for pass in passes {
        pass.run(&mut functions[FunctionId::from(0)], &FunctionContext { options: &options, variables, globals });
    }
}
