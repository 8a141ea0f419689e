//! Executes one function before and after a workaround, for unit tests.

use clforge_basic::options::Options;
use clforge_ir::interpret::Machine;
use clforge_ir::read::read;
use clforge_ir::rewrite::{Rewrite, rewrite};
use clforge_ir::room::Room;
use clforge_ir::{Function, FunctionId, Inst};

/// The result of `@f`, the only function of the text, once `pass` has rewritten it and nothing is left that it replaces.
pub fn result(text: &str, pass: &mut dyn Rewrite, is_replaced: fn(&Function, &Inst) -> bool, args: &[u64]) -> u64 {
    let mut module = read(text).expect("it reads");
    let mut room = Room::new(&module, Options::default().codegen.max_instructions);
    let function = &mut module.functions[FunctionId::from(0)];
    *function = rewrite(function, pass, &mut room).expect("it rewrites");
    assert!(!function.insts.iter().any(|inst| is_replaced(function, inst)), "{text}");
    Machine::new(&module).run("f", args).expect("a result")[0]
}
