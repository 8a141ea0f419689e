//! Lowering: converts the part of the typed program that the roots reach to structured IR.
//!
//! - Every variable is an `alloca`; `mem2reg` promotes those whose address does not escape.
//! - Records and arrays are objects in memory: [`record`] copies them, calls pass pointers to private copies.
//! - Statements become regions directly; a function with `goto`, or with `case` labels inside other statements, becomes
//!   a control-flow graph ([`control_flow`]), from which [`clforge_ir::structurize`] builds loops and conditions.
//!
//! Lowering does not depend on the target but for the set of roots, which the pipeline passes: kernels, and for OpenCL,
//! whose modules are linked, also the functions that are not `static`.

#![forbid(unsafe_code)]
// A number that is cut is a program that is compiled wrongly: `narrow` has the conversions, and says what they keep.
#![cfg_attr(not(test), warn(clippy::cast_possible_truncation, clippy::cast_possible_wrap, clippy::cast_sign_loss))]

mod block;
pub mod builtins;
mod call;
mod checks;
mod conditional;
mod context;
mod control_flow;
mod convert;
mod expression;
mod function;
mod globals;
mod initializer;
mod kernel;
mod layout;
mod linkage;
mod matrix;
mod operator;
mod place;
mod record;
mod statement;
mod switch;
mod types;

#[cfg(test)]
mod tests;

use clforge_basic::diag::Sink;
use clforge_basic::options::Options;
use clforge_basic::source::{Interner, Span, TokenTable};
use clforge_ir::error::Limited;
use clforge_ir::object::SymbolType;
use clforge_ir::{self as ir, Error};
use clforge_sema::hir::{self, TypeTable};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use typed_index_collections::{TiVec, ti_vec};

/// Where lowering begins; only what the roots reach is lowered. What is a root is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Roots<'r> {
    /// All kernels, and every function and variable that is not `static`: the module may be linked to others.
    Exports,
    /// All kernels and nothing else: the module is not linked. Of a program without kernels, what is not `static`.
    Kernels,
    /// The functions of these names: what is wanted of the built-in library.
    Functions(&'r [&'r str]),
}

/// Lowers everything the roots reach.
///
/// What is not supported is reported to `sink` at its place; the module then must not be used.
pub fn lower<'h>(
    program: &hir::Program<'h>,
    roots: Roots<'_>,
    options: &Options,
    interner: &Interner,
    table: &TokenTable,
    sink: &mut Sink,
) -> ir::Module {
    let mut module = ModuleLowering::new(program, roots, options, interner, table, sink);
    module.roots(roots);
    module.finish();
    module.module
}

/// Lowers a translation unit that is linked to others: everything that is not `static`, with the types by which the linker
/// compares what units share.
///
/// As [`lower`], which says what is reported.
pub fn lower_unit<'h>(
    program: &hir::Program<'h>,
    options: &Options,
    interner: &Interner,
    table: &TokenTable,
    sink: &mut Sink,
) -> (ir::Module, Vec<SymbolType>) {
    let mut module = ModuleLowering::new(program, Roots::Exports, options, interner, table, sink);
    module.roots(Roots::Exports);
    module.finish();
    let types = module.symbol_types();
    (module.module, types)
}

/// What lowering a module knows.
struct ModuleLowering<'a, 'h> {
    program: &'a hir::Program<'h>,
    types: &'a TypeTable,
    options: &'a Options,
    interner: &'a Interner,
    table: &'a TokenTable,
    sink: &'a mut Sink,
    /// Whether what is not `static` is seen by other modules.
    exports: bool,
    module: ir::Module,
    /// Functions by their source and whether they are the entry point: a kernel that is called is there twice.
    functions: FxHashMap<(hir::FunctionId, bool), ir::FunctionId>,
    /// Functions that have a place in the module and no body yet.
    pending: VecDeque<(hir::FunctionId, bool, ir::FunctionId)>,
    globals: TiVec<hir::ModuleVariableId, Option<ir::GlobalId>>,
    /// Globals whose initial pointers are not translated yet.
    pending_globals: Vec<hir::ModuleVariableId>,
    /// Globals made of large initialisers of local objects, by the address of the data.
    constants: FxHashMap<*const hir::ConstantData, ir::GlobalId>,
    /// Records that arguments of kernels are made of; `None` for those that are not described.
    layouts: FxHashMap<hir::types::RecordId, Option<layout::Described>>,
    /// Of the functions that have been lowered.
    instructions: usize,
    /// Whether more instructions than the options allow were found, which is reported once: nothing is lowered any more.
    too_large: bool,
}

impl<'a, 'h> ModuleLowering<'a, 'h> {
    fn new(
        program: &'a hir::Program<'h>,
        roots: Roots<'_>,
        options: &'a Options,
        interner: &'a Interner,
        table: &'a TokenTable,
        sink: &'a mut Sink,
    ) -> ModuleLowering<'a, 'h> {
        let has_kernels = program.functions.iter().any(hir::Function::is_kernel_definition);
        ModuleLowering {
            program,
            types: &program.types,
            options,
            interner,
            table,
            sink,
            exports: roots != Roots::Kernels || !has_kernels,
            module: ir::Module::default(),
            functions: FxHashMap::default(),
            pending: VecDeque::new(),
            globals: ti_vec![None; program.variables.len()],
            pending_globals: Vec::new(),
            constants: FxHashMap::default(),
            layouts: FxHashMap::default(),
            instructions: 0,
            too_large: false,
        }
    }

    /// Gives the roots a place in the module.
    fn roots(&mut self, roots: Roots<'_>) {
        let program = self.program;
        for (id, function) in program.functions.iter_enumerated() {
            let is_root = match roots {
                Roots::Exports | Roots::Kernels => function.kernel.is_some() || self.exports(function.internal),
                Roots::Functions(names) => names.contains(&self.interner.text(function.name)),
            };
            if function.body.is_some() && is_root {
                self.function(id, function.kernel.is_some());
            }
        }
        if !matches!(roots, Roots::Functions(_)) {
            self.exported_globals();
        }
    }

    /// The function's place in the module; its body comes later.
    fn function(&mut self, id: hir::FunctionId, entry: bool) -> ir::FunctionId {
        if let Some(known) = self.functions.get(&(id, entry)) {
            return *known;
        }
        let place = self.module.functions.push_and_get_key(ir::Function::new(""));
        self.functions.insert((id, entry), place);
        self.pending.push_back((id, entry, place));
        place
    }

    fn finish(&mut self) {
        while let Some((id, entry, place)) = self.pending.pop_front() {
            let lowered = function::lower(self, id, entry);
            if self.is_too_large(lowered.insts.len(), lowered.span) {
                break;
            }
            self.instructions += lowered.insts.len();
            self.module.functions[place] = lowered;
        }
    }

    /// Whether the program is too large with so many more instructions; reported the first time, at the place.
    fn is_too_large(&mut self, more: usize, span: Span) -> bool {
        let (instructions, limit) = (self.instructions.saturating_add(more), self.options.codegen.max_instructions);
        if !self.too_large && instructions > limit {
            self.report(&Error::limit(Limited::Instructions, instructions, limit).at(span));
            self.too_large = true;
        }
        self.too_large
    }

    /// Reports an error; lowering continues, so that all of them are reported.
    fn report(&mut self, error: &Error) {
        // What is missing then is not an error of its own.
        if !self.too_large {
            self.sink.push(error.diagnostic(self.table, self.interner));
        }
    }
}
