//! Lowering: what the roots of the typed program reach becomes structured IR.
//!
//! - Every variable is an `alloca`; `mem2reg` promotes those whose address does not escape.
//! - Records and arrays are objects in memory: [`record`] copies them, calls pass pointers to private copies.
//! - Statements become regions directly; a function with `goto`, or with `case` labels inside other statements, becomes
//!   a control-flow graph, from which [`structurizer`] builds loops and conditions.

#![forbid(unsafe_code)]

mod block;
mod builtins;
mod call;
mod conditional;
mod context;
mod convert;
mod expression;
mod function;
mod globals;
mod initializer;
mod kernel;
mod layout;
mod operator;
mod place;
mod record;
mod statement;
mod structurizer;
mod switch;
mod types;

#[cfg(test)]
mod tests;

use clforge_basic::diag::Sink;
use clforge_basic::options::Options;
use clforge_basic::source::{Interner, TokenTable};
use clforge_ir::error::Limited;
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

/// Instructions of a program, before anything is inlined or removed.
const MAX_INSTRUCTIONS: usize = if cfg!(test) { 1 << 16 } else { ir::MAX_INSTRUCTIONS };

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
    let has_kernels = program.functions.iter().any(hir::Function::is_kernel_definition);
    let mut module = ModuleLowering {
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
    };
    for (id, function) in program.functions.iter_enumerated() {
        let is_root = match roots {
            Roots::Exports | Roots::Kernels => function.kernel.is_some() || module.exports(function.internal),
            Roots::Functions(names) => names.contains(&interner.text(function.name)),
        };
        if function.body.is_some() && is_root {
            module.function(id, function.kernel.is_some());
        }
    }
    if let Roots::Exports | Roots::Kernels = roots {
        module.exported_globals();
    }
    module.finish()
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
}

impl ModuleLowering<'_, '_> {
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

    fn finish(mut self) -> ir::Module {
        let mut instructions = 0_usize;
        while let Some((id, entry, place)) = self.pending.pop_front() {
            let lowered = function::lower(&mut self, id, entry);
            instructions = instructions.saturating_add(lowered.insts.len());
            if instructions > MAX_INSTRUCTIONS {
                self.report(&Error::limit(Limited::Instructions, instructions, MAX_INSTRUCTIONS).at(lowered.span));
                break;
            }
            self.module.functions[place] = lowered;
        }
        self.module
    }

    /// Reports an error; lowering continues, so that all of them are reported.
    fn report(&mut self, error: &Error) {
        self.sink.push(error.diagnostic(self.table, self.interner));
    }
}
