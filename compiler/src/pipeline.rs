//! The only place where stages and passes are ordered; each line says why it stands where it stands.

use crate::{Checked, Compiled, Printed, Source, Stage};
use bumpalo::Bump;
use clforge_basic::diag::{Diagnostic, Diagnostics, Sink};
use clforge_basic::options::{OpenClVersion, Options, Target};
use clforge_basic::source::{Interner, SourceMap, Span, TokenTable};
use clforge_basic::workarounds::Workarounds;
use clforge_ir::error::Unsupported;
use clforge_ir::verify::{Dialect, Legalised};
use clforge_ir::{self as ir, Error, passes};
use clforge_lower::{self as lower, Roots};
use clforge_sema::{self as sema, hir};
use clforge_spirv::interface::{ModuleInterface, Printf};
use clforge_spirv::legalize::{opencl, vulkan};
use clforge_spirv::{disassemble, emit, workarounds};
use clforge_syntax::{ast, parse, preprocess};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Stack that a compilation runs on. Stages recurse along the program's nesting, which the parser bounds; this
/// is enough for the bound. It is only touched as deep as a program is nested.
const STACK_BYTES: usize = 512 << 20;

/// See [`crate::compile`].
pub fn compile(source: Source<'_>, options: &Options) -> Result<Compiled, Diagnostics> {
    on_large_stack(|| {
        let mut session = Session::new(options);
        let spirv = session.front_end(source, Stop::Never).and_then(|module| session.back_end(module));
        let dependencies = session.sources.included_names();
        let (spirv, warnings) = session.finish(spirv.and_then(Output::spirv))?;
        Ok(Compiled { spirv, warnings, dependencies })
    })
}

/// See [`crate::check`].
pub fn check(source: Source<'_>, options: &Options) -> Result<Checked, Diagnostics> {
    on_large_stack(|| {
        let mut session = Session::new(options);
        let checked = session.front_end(source, Stop::Checked);
        let dependencies = session.sources.included_names();
        let (_, warnings) = session.finish(checked)?;
        Ok(Checked { warnings, dependencies })
    })
}

/// See [`crate::print_stage`].
pub fn print_stage(source: Source<'_>, options: &Options, stage: Stage) -> Result<Printed, Diagnostics> {
    on_large_stack(|| {
        let mut session = Session::new(options);
        let stop = match stage {
            Stage::Preprocessed => Stop::Preprocessed,
            Stage::Ast => Stop::Ast,
            Stage::Ir | Stage::Asm => Stop::Never,
        };
        let output = session.front_end(source, stop);
        let text = output.and_then(|output| match (output, stage) {
            (Output::Text(text), _) => Some(text),
            (output, Stage::Ir) => session.middle(output).map(|(module, _)| ir::print::print(&module)),
            (output, _) => {
                session.back_end(output).and_then(Output::spirv).map(|words| disassemble::disassemble(&words))
            }
        });
        let dependencies = session.sources.included_names();
        let (text, warnings) = session.finish(text)?;
        Ok(Printed { text, warnings, dependencies })
    })
}

/// Runs a compilation on a stack of [`STACK_BYTES`]. Not on a thread of its own: where all cores are at work, as in a
/// parallel build, a new thread waits longer for one than a compilation takes.
fn on_large_stack<T>(run: impl FnOnce() -> Result<T, Diagnostics>) -> Result<T, Diagnostics> {
    // What a compilation that broke down leaves behind is its own and is dropped.
    let result = catch_unwind(AssertUnwindSafe(|| stacker::grow(STACK_BYTES, run)));
    result.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("unknown panic");
        Err(failed(text))
    })
}

/// Diagnostics of a compilation that broke down.
fn failed(message: &str) -> Diagnostics {
    let mut sink = Sink::new();
    sink.push(Diagnostic::internal(message));
    Diagnostics::new(sink, Arc::default(), Arc::default(), &Options::default())
}

/// How far the front end goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Preprocessed,
    Ast,
    /// After sema.
    Checked,
    Never,
}

/// What came out.
enum Output {
    Text(String),
    Module(ir::Module),
    Words(Vec<u32>),
}

impl Output {
    fn spirv(self) -> Option<Vec<u32>> {
        match self {
            Output::Words(words) => Some(words),
            _ => None,
        }
    }
}

/// What all stages of a compilation share.
struct Session<'o> {
    options: &'o Options,
    interner: Interner,
    sources: SourceMap,
    sink: Sink,
    table: TokenTable,
}

impl<'o> Session<'o> {
    fn new(options: &'o Options) -> Session<'o> {
        Session {
            options,
            interner: Interner::new(),
            sources: SourceMap::new(),
            sink: Sink::new(),
            table: TokenTable::default(),
        }
    }

    /// The result with the warnings, or the diagnostics if there was an error.
    fn finish<T>(self, result: Option<T>) -> Result<(T, Diagnostics), Diagnostics> {
        let failed = self.sink.has_errors();
        let diagnostics = Diagnostics::new(self.sink, Arc::new(self.sources), Arc::new(self.interner), self.options);
        match result {
            Some(result) if !failed && !diagnostics.has_errors() => Ok((result, diagnostics)),
            _ => Err(diagnostics),
        }
    }

    /// Source to IR.
    fn front_end(&mut self, source: Source<'_>, stop: Stop) -> Option<Output> {
        let Session { options, interner, sources, sink, table } = self;
        let range = preprocess::preprocess(source, options, interner, sources, sink, table);
        if sink.is_fatal() {
            return None;
        }
        if stop == Stop::Preprocessed {
            let text = preprocess::print(table, range, interner, sources);
            return (!sink.has_errors()).then_some(Output::Text(text));
        }
        let arena = Bump::new();
        let unit = parse::parse(&arena, table, range, interner, sink, options.language());
        if stop == Stop::Ast {
            return (!sink.has_errors()).then(|| Output::Text(ast::print::print(&unit, interner)));
        }
        // Sema runs after syntax errors too: what did parse may have mistakes worth telling in the same run.
        let hir_arena = Bump::new();
        let mut program = hir::Program::default();
        let input = sema::Input { table, options };
        sema::check(&unit, &hir_arena, &mut program, input, interner, sink, false);
        if sink.has_errors() {
            return None;
        }
        if stop == Stop::Checked {
            return Some(Output::Text(String::new()));
        }
        let module = lower::lower(&program, Roots::Program, options, interner, table, sink);
        (!sink.has_errors()).then_some(Output::Module(module))
    }

    /// IR to SPIR-V.
    fn back_end(&mut self, output: Output) -> Option<Output> {
        let (module, interface) = self.middle(output)?;
        let lines = if self.options.debug_info { self.line_table(&module) } else { emit::LineTable::default() };
        let words = match self.options.target.is_vulkan() {
            true => emit::emit_vulkan(&module, &interface, self.options, lines),
            false => emit::emit_opencl(&module, self.options, lines),
        };
        self.report(words).map(Output::Words)
    }

    /// The places of all instructions, for `-g`. What comes from a macro is placed where the macro is used.
    fn line_table(&self, module: &ir::Module) -> emit::LineTable {
        let mut lines = emit::LineTable::default();
        for inst in module.functions.iter().flat_map(|function| &function.insts) {
            if lines.places.contains_key(&inst.span.lo) {
                continue;
            }
            let Some((name, line, column)) = self.place(inst.span) else { continue };
            let known = lines.files.iter().position(|file| file == name);
            let index = known.unwrap_or_else(|| {
                lines.files.push(name.to_owned());
                lines.files.len() - 1
            });
            lines.places.insert(inst.span.lo, (index as u32, line, column));
        }
        lines
    }

    /// File, line and column where a span begins, in the program or in the library.
    fn place(&self, span: Span) -> Option<(&str, u32, u32)> {
        match clforge_library::place(span) {
            Some(place) => Some((place.file, place.line, place.column)),
            None => self.table.place(span, &self.sources),
        }
    }

    /// Where checked accesses are in the source.
    fn place_sites(&self, interface: &mut ModuleInterface, spans: &[Span]) {
        let sites = interface.bounds.iter_mut().flat_map(|bounds| &mut bounds.sites);
        for (site, span) in sites.zip(spans) {
            if let Some((file, line, column)) = self.place(*span) {
                (site.file, site.line, site.column) = (file.to_owned(), line, column);
            }
        }
    }

    /// The passes for the target.
    fn middle(&mut self, output: Output) -> Option<(ir::Module, ModuleInterface)> {
        let Output::Module(mut module) = output else { return None };
        self.verify(&module, "lower", Dialect::Core)?;
        if self.options.target.is_vulkan() {
            self.link_library(&mut module)?;
            let passed = self.vulkan_passes(&mut module);
            let interface = self.report(passed)?;
            return Some((module, interface));
        }
        if self.options.bounds_check {
            let target = self.options.target;
            return self.report(Err(Error::unsupported(Unsupported::BoundsChecks { target })));
        }
        let passed = self.opencl_passes(&mut module);
        self.report(passed)?;
        Some((module, ModuleInterface::default()))
    }

    fn vulkan_passes(&mut self, module: &mut ir::Module) -> Result<ModuleInterface, Error> {
        // Early, so that the library's code is inlined and optimised like the program's.
        vulkan::builtins::run(module, self.options)?;
        self.check(module, "vulkan/builtins", Dialect::Vulkan(Legalised::Builtins))?;
        // Before promotion: inlined, a pointer names its object. What is not used any more takes no room in the module.
        passes::inline::run(module, &self.options.math);
        passes::dead_functions::run(module);
        self.check(module, "inline", Dialect::Vulkan(Legalised::Builtins))?;
        let printf = self.number_strings(module)?;
        // Before promotion, so that by-value records and their copies can become values.
        let mut interface = vulkan::kernel_abi::run(module, printf, self.options)?;
        self.check(module, "vulkan/kernel_abi", Dialect::Vulkan(Legalised::KernelAbi))?;
        // Legality needs it too: few objects are then left in memory, whatever the optimisation level.
        mem2reg(module);
        self.check(module, "mem2reg", Dialect::Vulkan(Legalised::KernelAbi))?;
        // Now that values are visible; equal ones before dead ones, since merging leaves some dead.
        self.clean_up(module);
        self.check(module, "clean-up after mem2reg", Dialect::Vulkan(Legalised::KernelAbi))?;
        // Once more: choices that were decided, and pointers that were merged, can leave fewer spaces.
        mem2reg(module);
        self.check(module, "mem2reg after clean-up", Dialect::Vulkan(Legalised::KernelAbi))?;
        // After promotion, which shows what descriptor a sampler is; the sizes it asks for are cleaned up later.
        vulkan::images::run(module, &mut interface)?;
        self.check(module, "vulkan/images", Dialect::Vulkan(Legalised::Images))?;
        // After promotion, so that few memory accesses are left to split; before memory, whose elements are at most 4 wide.
        vulkan::split_vectors::run(module)?;
        self.check(module, "vulkan/split_vectors", Dialect::Vulkan(Legalised::WideVectors))?;
        // Last: it must see what pointers are left, and what it makes cannot be analysed as memory any more.
        let places = vulkan::memory::run(module, &mut interface, self.options.float_atomics)?;
        self.place_sites(&mut interface, &places);
        self.check(module, "vulkan/memory", Dialect::VULKAN)?;
        // Addresses are arithmetic now, and much of it is the same for neighbouring accesses.
        self.clean_up(module);
        self.check(module, "clean-up after vulkan/memory", Dialect::VULKAN)?;
        if self.options.loop_copies > 1 {
            for function in &mut module.functions {
                workarounds::loop_limit::run(function, self.options.loop_copies);
            }
            self.check(module, "workarounds/loop_limit", Dialect::VULKAN)?;
            // Copies of what does not change from one iteration to the next.
            self.clean_up(module);
            self.check(module, "clean-up after workarounds/loop_limit", Dialect::VULKAN)?;
        }
        // Last: to simplify what it does is to undo it.
        if self.options.workarounds.contains(Workarounds::LAVAPIPE_LOOP_EXITS) {
            let ir::Module { functions, variables, .. } = &mut *module;
            for function in functions {
                workarounds::loop_exits::run(function, variables);
            }
            self.check(module, "workarounds/loop_exits", Dialect::VULKAN)?;
        }
        Ok(interface)
    }

    /// Strings of `printf` become numbers; before `vulkan/kernel_abi`, so that those that are not read take no room.
    fn number_strings(&mut self, module: &mut ir::Module) -> Result<Printf, Error> {
        if vulkan::printf::has_unknown_strings(module) {
            // What came as an argument, or through a variable, may be a literal.
            mem2reg(module);
            self.clean_up(module);
        }
        let printf = vulkan::printf::number(module)?;
        if !printf.formats.is_empty() {
            passes::dead_functions::run(module);
        }
        self.check(module, "vulkan/printf", Dialect::Vulkan(Legalised::Builtins))?;
        Ok(printf)
    }

    fn opencl_passes(&mut self, module: &mut ir::Module) -> Result<(), Error> {
        let without_generic = self.options.target == Target::OpenCl(OpenClVersion::V1_2);
        // Legality needs it: the environment has no generic pointers.
        if without_generic && opencl::generic::prepare(module) {
            passes::inline::run(module, &self.options.math);
            passes::dead_functions::run(module);
            self.check(module, "inline", Dialect::Core)?;
            mem2reg(module);
            self.check(module, "mem2reg for opencl/generic", Dialect::Core)?;
            // Choices that were decided can leave fewer spaces.
            self.clean_up(module);
            mem2reg(module);
            opencl::generic::check(module)?;
        }
        // Consumers promote for themselves, but a module that people read should not be made of loads and stores.
        if !self.options.opt_disable {
            mem2reg(module);
            self.check(module, "mem2reg", Dialect::Core)?;
            self.clean_up(module);
        }
        self.check(module, "clean-up", Dialect::OpenCl { generic_pointers: !without_generic })
    }

    /// Simplification, common subexpressions and dead code, unless optimisation is off.
    fn clean_up(&self, module: &mut ir::Module) {
        let ir::Module { functions, variables, .. } = module;
        for function in functions {
            if !self.options.opt_disable {
                passes::simplify::run(function);
                passes::common_subexpressions::run(function, variables);
            }
            passes::dead_code::run(function);
        }
    }

    /// Appends the library functions that the module's built-ins need, until nothing is missing.
    fn link_library(&mut self, module: &mut ir::Module) -> Option<()> {
        loop {
            let missing = vulkan::builtins::missing_library_functions(module, &self.options.math);
            let missing = self.report(missing)?;
            if missing.is_empty() {
                return Some(());
            }
            let before = module.functions.len();
            let library = clforge_library::library_module(&missing);
            let library =
                self.report(library.map_err(|error| Error::internal(format!("built-in library: {error}"))))?;
            ir::link::append(module, library);
            if module.functions.len() == before {
                return self.report(Err(Error::internal(format!("the library lacks {missing:?}"))));
            }
        }
    }

    /// The value; an error is reported. Places in the library, which is not among the sources, are not shown.
    fn report<T>(&mut self, result: Result<T, Error>) -> Option<T> {
        let shown = |error: Error| match error.span() {
            Some(span) if clforge_library::place(span).is_some() => error.without_span(),
            _ => error,
        };
        result.map_err(|error| self.sink.push(shown(error).diagnostic(&self.table, &self.interner))).ok()
    }

    fn verify(&mut self, module: &ir::Module, after: &str, dialect: Dialect) -> Option<()> {
        let checked = self.check(module, after, dialect);
        self.report(checked)
    }

    /// The IR's contract in the dialect in force, checked after every pass in debug builds and tests.
    fn check(&self, module: &ir::Module, after: &str, dialect: Dialect) -> Result<(), Error> {
        if !cfg!(debug_assertions) {
            return Ok(());
        }
        ir::verify::verify(module, dialect)
            .map_err(|error| Error::internal(format!("after {after}: {error}")).at(error.span))
    }
}

/// Rounds of promotion and inference of address spaces: each level of pointers to pointers takes one.
const MAX_LEVELS: usize = 16;

/// Private objects become values. A generic pointer hides its object; where its space can be told it no longer does, and
/// then more objects can go.
fn mem2reg(module: &mut ir::Module) {
    for function in &mut module.functions {
        passes::mem2reg::run(function);
        for _ in 0..MAX_LEVELS {
            if !passes::address_spaces::run(function) {
                break;
            }
            passes::mem2reg::run(function);
        }
    }
}
