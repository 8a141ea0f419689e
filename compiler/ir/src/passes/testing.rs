//! Helpers that the tests of several passes share.

use crate::analysis::FunctionEffects;
use crate::pass::{FunctionContext, FunctionPass};
use crate::{FunctionId, Module};
use clforge_basic::options::Options;

/// Runs passes on the first function of a module, one after the other.
pub fn run(module: &mut Module, passes: &[&dyn FunctionPass]) {
    let options = Options::default();
    for pass in passes {
        let effects = FunctionEffects::of(module);
        let Module { functions, variables, globals, .. } = &mut *module;
        let context = FunctionContext { options: &options, variables, globals, effects };
        pass.run(&mut functions[FunctionId::from(0)], &context);
    }
}
