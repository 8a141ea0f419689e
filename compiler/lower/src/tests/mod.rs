//! Small programs, lowered and run by the interpreter of the IR, or compared as IR.

mod control;
mod memory;
mod shape;
mod values;

use bumpalo::Bump;
use clforge_basic::Source;
use clforge_basic::diag::Sink;
use clforge_basic::options::Options;
use clforge_basic::source::{Interner, SourceMap, TokenTable};
use clforge_ir as ir;

/// The IR of a program, and the messages.
fn try_lower(text: &str) -> (ir::Module, Vec<String>) {
    lower_with(text, &Options::default())
}

/// The same with options.
fn lower_with(text: &str, options: &Options) -> (ir::Module, Vec<String>) {
    let mut sources = SourceMap::new();
    let (mut interner, mut table, mut sink) = (Interner::new(), TokenTable::default(), Sink::new());
    let source = Source { name: "test.cl", text: text.as_bytes() };
    let range =
        clforge_syntax::preprocess::preprocess(source, options, &mut interner, &mut sources, &mut sink, &mut table);
    let (syntax, typed) = (Bump::new(), Bump::new());
    let unit =
        clforge_syntax::parse::parse(&syntax, &table, range, &mut interner, &mut sink, options.language.version());
    let mut program = clforge_sema::hir::Program::default();
    let input = clforge_sema::Input { table: &table, options, is_linked: false };
    clforge_sema::check(&unit, &typed, &mut program, input, &mut interner, &mut sink, false);
    let mut module = ir::Module::default();
    if !sink.has_errors() {
        module = super::lower(&program, super::Roots::Kernels, options, &interner, &table, &mut sink);
    }
    let errors = sink.has_errors();
    let (list, _) = sink.into_parts();
    if !errors && let Err(message) = ir::verify::verify(&module, ir::verify::Dialect::Core) {
        panic!("{message}\n{}", ir::print::print(&module));
    }
    (module, list.into_iter().map(|diagnostic| diagnostic.message).collect())
}

fn lower(text: &str) -> ir::Module {
    let (module, messages) = try_lower(text);
    assert!(messages.is_empty(), "{messages:?}");
    module
}

/// What `int test(int)` gives for each argument.
fn check(text: &str, expected: &[(i32, i32)]) {
    let module = lower(text);
    for (argument, result) in expected {
        let mut machine = ir::interpret::Machine::new(&module);
        let value = machine.run("test", &[u64::from(*argument as u32)]).expect("a result");
        assert_eq!(value[0] as u32 as i32, *result, "test({argument}) of {}", &text[..text.len().min(300)]);
    }
}
