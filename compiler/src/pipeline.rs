//! The stages of a compilation, in order. The order of the passes is in `pass_lists.rs`.

use crate::observer::{Observer, Stopwatch};
use crate::pass_manager::PassManager;
use crate::unit::Settings;
use crate::{Checked, Compiled, CompiledUnit, Printed, Source, Stage, Unit, pass_lists, places};
use bumpalo::Bump;
use clforge_basic::diag::{Diagnostic, Diagnostics, Excerpt, Sink};
use clforge_basic::narrow::to_u32;
use clforge_basic::options::{AddressBits, Addressing, Complaint, Options};
use clforge_basic::source::{Interner, Loc, SourceMap, Span, TokenTable};
use clforge_ir::error::Unsupported;
use clforge_ir::link;
use clforge_ir::object::Object;
use clforge_ir::passes::remove_unreached;
use clforge_ir::{self as ir, Error};
use clforge_lower::{self as lower, Roots};
use clforge_reader as reader;
use clforge_sema::{self as sema, hir};
use clforge_spirv::interface::ModuleInterface;
use clforge_spirv::interface::bounds::{BENIGN_RACE, Check, FUNCTION_SUFFIX};
use clforge_spirv::legalize::{CheckedAccess, State};
use clforge_spirv::{disassemble, emit};
use clforge_syntax::{ast, parse, preprocess};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Stack that a compilation runs on. Stages recurse along the program's nesting, which the parser bounds; this
/// is enough for the bound. It is only touched as deep as a program is nested.
const STACK_BYTES: usize = 512 << 20;
/// The least that a compilation begins with, where the process may not have more address space.
const LEAST_STACK_BYTES: usize = 16 << 20;

/// See [`crate::compile`] and [`crate::compile_observed`].
pub fn compile<'o>(
    source: Source<'_>,
    options: &'o Options,
    observer: Option<&'o mut dyn Observer>,
) -> Result<Compiled, Diagnostics> {
    on_large_stack(|| {
        let mut session = Session::new(options, observer);
        let spirv = session.source_to_ir(source).and_then(|module| session.back_end(module));
        let dependencies = session.sources.included_names();
        let (spirv, warnings) = session.finish(spirv)?;
        Ok(Compiled { spirv, warnings, dependencies })
    })
}

/// See [`crate::translate_spirv`].
pub fn translate(words: &[u32], options: &Options) -> Result<Compiled, Diagnostics> {
    let options = &for_modules(options);
    on_large_stack(|| {
        let mut session = Session::new(options, None);
        let module = session.reader(words).and_then(|object| session.resolved(object.module));
        let spirv = module.and_then(|module| session.back_end(module));
        let (spirv, warnings) = session.finish(spirv)?;
        Ok(Compiled { spirv, warnings, dependencies: Vec::new() })
    })
}

/// See [`crate::print_translation`].
pub fn print_translation(words: &[u32], options: &Options, stage: Stage) -> Result<Printed, Diagnostics> {
    let options = &for_modules(options);
    on_large_stack(|| {
        let mut session = Session::new(options, None);
        let module = session.reader(words).and_then(|object| session.resolved(object.module));
        let text = module.and_then(|module| match stage {
            Stage::Asm => session.assembly(module),
            _ => session.ir_text(module),
        });
        let (text, warnings) = session.finish(text)?;
        Ok(Printed { text, warnings, dependencies: Vec::new() })
    })
}

/// The options for modules, whose pointers have the width that the reader gives them.
fn for_modules(options: &Options) -> Options {
    options.clone().with(|options| options.language.address_bits = AddressBits::Bits64)
}

/// See [`crate::check`].
pub fn check(source: Source<'_>, options: &Options) -> Result<Checked, Diagnostics> {
    on_large_stack(|| {
        let mut session = Session::new(options, None);
        let checked = session.check_source(source);
        let dependencies = session.sources.included_names();
        let ((), warnings) = session.finish(checked)?;
        Ok(Checked { warnings, dependencies })
    })
}

/// See [`crate::print_stage`].
pub fn print_stage(source: Source<'_>, options: &Options, stage: Stage) -> Result<Printed, Diagnostics> {
    on_large_stack(|| {
        let mut session = Session::new(options, None);
        let text = match stage {
            Stage::Preprocessed => session.preprocessed_text(source),
            Stage::Ast => session.ast_text(source),
            Stage::Hir => session.hir_text(source),
            Stage::Ir => session.source_to_ir(source).and_then(|module| session.ir_text(module)),
            Stage::Asm => session.source_to_ir(source).and_then(|module| session.assembly(module)),
        };
        let dependencies = session.sources.included_names();
        let (text, warnings) = session.finish(text)?;
        Ok(Printed { text, warnings, dependencies })
    })
}

/// See [`crate::compile_unit`].
pub fn compile_unit(source: Source<'_>, options: &Options) -> Result<CompiledUnit, Diagnostics> {
    on_large_stack(|| {
        let mut session = Session::new(options, None);
        let object = session.source_to_unit(source);
        let Session { table, sources, interner, .. } = &session;
        let object = object.map(|mut object| {
            // Line tables and reports of sanitizers are made of any line.
            let all = options.codegen.debug_info || !options.codegen.sanitizers().is_empty();
            places::number(&mut object, table, sources, interner, all);
            if options.codegen.debug_info && !options.codegen.debug_prefixes.is_empty() {
                object.files.iter_mut().for_each(|file| *file = options.codegen.debug_path(file));
            }
            object
        });
        let dependencies = session.sources.included_names();
        let (object, warnings) = session.finish(object)?;
        Ok(CompiledUnit { unit: Unit { object, settings: Settings::new(options) }, warnings, dependencies })
    })
}

/// See [`crate::spirv_unit`].
pub fn spirv_unit(words: &[u32], options: &Options) -> Result<Unit, Diagnostics> {
    let options = &for_modules(options);
    on_large_stack(|| {
        let mut session = Session::new(options, None);
        let object = session.reader(words).map(|mut object| {
            // Declarations that nothing uses would be missing.
            remove_unreached(&mut object.module);
            object
        });
        let (object, _) = session.finish(object)?;
        Ok(Unit { object, settings: Settings::new(options) })
    })
}

/// See [`crate::link`].
pub fn link(units: &[&Unit], options: &Options) -> Result<Compiled, Diagnostics> {
    on_large_stack(|| {
        let merged = merged_options(units, options)?;
        let mut session = Session::new(&merged, None);
        let is_possible = session.check_address_bits();
        let object = is_possible.and_then(|()| session.link(units, link::Output::Executable));
        let spirv = object.and_then(|object| session.back_end(object.module));
        let (spirv, warnings) = session.finish(spirv)?;
        Ok(Compiled { spirv, warnings, dependencies: Vec::new() })
    })
}

/// See [`crate::link_library`].
pub fn link_library(units: &[&Unit], options: &Options, takes_link_options: bool) -> Result<Unit, Diagnostics> {
    on_large_stack(|| {
        let merged = merged_options(units, options)?;
        let mut session = Session::new(&merged, None);
        let object = session.link(units, link::Output::Library);
        let (object, _) = session.finish(object)?;
        Ok(Unit { object, settings: Settings::library(&merged, takes_link_options) })
    })
}

/// The options that the units of a program are linked with.
fn merged_options(units: &[&Unit], options: &Options) -> Result<Options, Diagnostics> {
    Settings::options(units, options).map_err(|diagnostic| {
        let mut sink = Sink::new();
        sink.push(*diagnostic);
        Diagnostics::new(sink, Arc::default(), Arc::default(), options)
    })
}

/// Runs a compilation on a stack of [`STACK_BYTES`], or of half, a quarter, … of it where there is no room for more. Not on a
/// thread of its own: where all cores are at work, as in a parallel build, a new thread waits longer for one than a
/// compilation takes.
fn on_large_stack<T>(run: impl FnOnce() -> Result<T, Diagnostics>) -> Result<T, Diagnostics> {
    let sizes = std::iter::successors(Some(STACK_BYTES), |size| Some(size / 2));
    let room = sizes.take_while(|size| *size >= LEAST_STACK_BYTES).find(|size| has_room(*size));
    let Some(size) = room else {
        let mut sink = Sink::new();
        let needed = LEAST_STACK_BYTES >> 20;
        sink.push(Diagnostic::global(format!("not enough memory for the compiler's stack of at least {needed} MiB")));
        return Err(Diagnostics::new(sink, Arc::default(), Arc::default(), &Options::default()));
    };
    // What a compilation that broke down leaves behind is its own and is dropped.
    let result = catch_unwind(AssertUnwindSafe(|| stacker::grow(size, run)));
    result.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("unknown panic");
        Err(failed(text))
    })
}

/// Whether the process may have so much more address space and leave half as much for the compilation's data. `stacker`
/// panics where it may not.
fn has_room(bytes: usize) -> bool {
    let mut reserved: Vec<u8> = Vec::new();
    let has = reserved.try_reserve_exact(bytes + bytes / 2).is_ok();
    // Otherwise an optimiser may leave out the allocation that nothing uses, and take it for successful.
    std::hint::black_box(reserved.as_ptr());
    has
}

/// Diagnostics of a compilation that broke down.
fn failed(message: &str) -> Diagnostics {
    let mut sink = Sink::new();
    sink.push(Diagnostic::internal(message));
    Diagnostics::new(sink, Arc::default(), Arc::default(), &Options::default())
}

/// What all stages of a compilation share.
struct Session<'o> {
    options: &'o Options,
    observer: Option<&'o mut dyn Observer>,
    interner: Interner,
    sources: SourceMap,
    sink: Sink,
    table: TokenTable,
}

impl<'o> Session<'o> {
    fn new(options: &'o Options, observer: Option<&'o mut dyn Observer>) -> Session<'o> {
        Session {
            options,
            observer,
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

    /// That the target and the addressing can have pointers as wide as the options want them.
    fn check_address_bits(&mut self) -> Option<()> {
        let is_physical = self.options.target.is_vulkan() && self.options.device.addressing == Addressing::Physical64;
        if is_physical && self.options.language.address_bits == AddressBits::Bits32 {
            return self.report(Err(Error::unsupported(Unsupported::AddressBits)));
        }
        Some(())
    }

    /// Source to tokens.
    fn preprocess(&mut self, source: Source<'_>) -> Option<Range<u32>> {
        self.check_address_bits()?;
        let Session { options, interner, sources, sink, table, observer } = self;
        let mut watch = Stopwatch::start(observer);
        for Complaint { flag, message } in &options.language.complaints {
            sink.push(Diagnostic::global_warning(*flag, message));
        }
        let tokens = preprocess::preprocess(source, options, interner, sources, sink, table);
        watch.lap(observer, "preprocess");
        (!sink.is_fatal()).then_some(tokens)
    }

    /// Tokens to the syntax tree. After syntax errors it has what did parse.
    fn parse<'a>(&mut self, tokens: Range<u32>, arena: &'a Bump) -> ast::TranslationUnit<'a> {
        let Session { options, interner, sink, table, observer, .. } = self;
        let mut watch = Stopwatch::start(observer);
        let unit = parse::parse(arena, table, tokens, interner, sink, options.language.version());
        watch.lap(observer, "parse");
        unit
    }

    /// The syntax tree to the HIR. It is checked after syntax errors too: what did parse may have mistakes worth
    /// telling in the same run.
    fn check<'h>(
        &mut self,
        unit: &ast::TranslationUnit<'_>,
        arena: &'h Bump,
        is_linked: bool,
    ) -> Option<hir::Program<'h>> {
        let Session { options, interner, sink, table, observer, .. } = self;
        let mut watch = Stopwatch::start(observer);
        let mut program = hir::Program::default();
        sema::check(unit, arena, &mut program, sema::Input { table, options, is_linked }, interner, sink, false);
        watch.lap(observer, "sema");
        (!sink.has_errors()).then_some(program)
    }

    /// The HIR to the IR of a whole program.
    fn lower(&mut self, program: &hir::Program<'_>) -> Option<ir::Module> {
        let Session { options, interner, sink, table, observer, .. } = self;
        let mut watch = Stopwatch::start(observer);
        // Modules for Vulkan are not linked.
        let roots = if options.target.is_vulkan() { Roots::Kernels } else { Roots::Exports };
        let module = lower::lower(program, roots, options, interner, table, sink);
        watch.lap(observer, "lower");
        (!sink.has_errors()).then_some(module)
    }

    /// The HIR to the IR of a unit that is linked to others, with the types of its symbols.
    fn lower_unit(&mut self, program: &hir::Program<'_>) -> Option<Object> {
        let Session { options, interner, sink, table, .. } = self;
        let (module, types) = lower::lower_unit(program, options, interner, table, sink);
        (!sink.has_errors()).then(|| Object { module, types, ..Object::default() })
    }

    /// Source to IR.
    fn source_to_ir(&mut self, source: Source<'_>) -> Option<ir::Module> {
        let (syntax, arena) = (Bump::new(), Bump::new());
        let tokens = self.preprocess(source)?;
        let unit = self.parse(tokens, &syntax);
        let program = self.check(&unit, &arena, false)?;
        self.lower(&program)
    }

    /// Source to the IR of a unit.
    fn source_to_unit(&mut self, source: Source<'_>) -> Option<Object> {
        let (syntax, arena) = (Bump::new(), Bump::new());
        let tokens = self.preprocess(source)?;
        let unit = self.parse(tokens, &syntax);
        let program = self.check(&unit, &arena, true)?;
        self.lower_unit(&program)
    }

    /// Source to diagnostics.
    fn check_source(&mut self, source: Source<'_>) -> Option<()> {
        let (syntax, arena) = (Bump::new(), Bump::new());
        let tokens = self.preprocess(source)?;
        let unit = self.parse(tokens, &syntax);
        self.check(&unit, &arena, false).map(drop)
    }

    fn preprocessed_text(&mut self, source: Source<'_>) -> Option<String> {
        let tokens = self.preprocess(source)?;
        let text = preprocess::print(&self.table, tokens, &self.interner, &self.sources);
        (!self.sink.has_errors()).then_some(text)
    }

    fn ast_text(&mut self, source: Source<'_>) -> Option<String> {
        let arena = Bump::new();
        let tokens = self.preprocess(source)?;
        let unit = self.parse(tokens, &arena);
        (!self.sink.has_errors()).then(|| ast::print::print(&unit, &self.interner))
    }

    fn hir_text(&mut self, source: Source<'_>) -> Option<String> {
        let (syntax, arena) = (Bump::new(), Bump::new());
        let tokens = self.preprocess(source)?;
        let unit = self.parse(tokens, &syntax);
        let program = self.check(&unit, &arena, false)?;
        Some(sema::print::print(&program, &self.interner))
    }

    /// The IR after all passes.
    fn ir_text(&mut self, module: ir::Module) -> Option<String> {
        self.middle(module).map(|(module, _)| ir::print::print(&module))
    }

    fn assembly(&mut self, module: ir::Module) -> Option<String> {
        self.back_end(module).map(|words| disassemble::disassemble(&words))
    }

    /// Links units. What they have kept of their sources becomes the session's source.
    fn link(&mut self, units: &[&Unit], output: link::Output) -> Option<Object> {
        let objects = units.iter().map(|unit| unit.object.clone());
        let (object, errors) = link::link(objects, output);
        self.table = places::table(&object, &mut self.sources, &mut self.interner);
        for error in &errors {
            self.sink.push(self.placed(error.diagnostic(&self.table, &self.interner)));
        }
        errors.is_empty().then_some(object)
    }

    /// A diagnostic whose place has no line to be shown, only its number.
    fn placed(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        let start = diagnostic.range.map(|range| self.sources.file_loc(range.start).pos);
        if let Some((id, offset)) = start.and_then(|pos| self.sources.locate(pos)) {
            let file = self.sources.file(id);
            if file.text.is_empty() {
                let (name, line) = file.presumed(offset);
                diagnostic.range = None;
                diagnostic = diagnostic.with_note(None, format!("in line {line} of {name}"));
            }
        }
        diagnostic
    }

    /// A module for OpenCL to IR.
    fn reader(&mut self, words: &[u32]) -> Option<Object> {
        let mut watch = Stopwatch::start(&self.observer);
        let object = match reader::read(words, &FxHashMap::default(), self.options) {
            Ok(object) => object,
            Err(error) => {
                self.sink.push(Diagnostic::global(error.to_string()));
                return None;
            }
        };
        watch.lap(&mut self.observer, "read");
        self.table = places::table(&object, &mut self.sources, &mut self.interner);
        Some(object)
    }

    /// A module without what Vulkan lacks: linkage. What a kernel calls must be there.
    fn resolved(&mut self, mut module: ir::Module) -> Option<ir::Module> {
        if !self.options.target.is_vulkan() {
            return Some(module);
        }
        let has_kernels = module.functions.iter().any(|function| function.kernel.is_some());
        for function in &mut module.functions {
            function.exported &= function.kernel.is_some() || !has_kernels;
        }
        for global in &mut module.globals {
            global.exported &= !has_kernels;
        }
        remove_unreached(&mut module);
        let missing = module.functions.iter().find(|function| function.is_declaration());
        if let Some(function) = missing {
            let message = format!("the function '{}' is used and defined in no module", function.name);
            self.sink.push(Diagnostic::global(message));
            return None;
        }
        Some(module)
    }

    /// IR to SPIR-V.
    fn back_end(&mut self, module: ir::Module) -> Option<Vec<u32>> {
        let mut watch = Stopwatch::start(&self.observer);
        let (module, interface) = self.middle(module)?;
        watch.lap(&mut self.observer, "passes");
        let lines = if self.options.codegen.debug_info { self.line_table(&module) } else { emit::LineTable::default() };
        let words = match self.options.target.is_vulkan() {
            true => emit::emit_vulkan(&module, &interface, self.options, lines),
            false => emit::emit_opencl(&module, self.options, lines),
        };
        watch.lap(&mut self.observer, "emit");
        self.report(words)
    }

    /// The places of all instructions, for `-g`. What comes from a macro is placed where the macro is used.
    fn line_table(&self, module: &ir::Module) -> emit::LineTable {
        let mut lines = emit::LineTable::default();
        let mut known: FxHashMap<&str, usize> = FxHashMap::default();
        for inst in module.functions.iter().flat_map(|function| &function.insts) {
            if lines.places.contains_key(&inst.span.lo) {
                continue;
            }
            let Some((name, line, column)) = self.place(inst.span) else { continue };
            let index = *known.entry(name).or_insert_with(|| {
                // Two spellings of a path are one file.
                let path = self.options.codegen.debug_path(name);
                let same = lines.files.iter().position(|file| *file == path);
                same.unwrap_or_else(|| {
                    lines.files.push(path);
                    lines.files.len() - 1
                })
            });
            lines.places.insert(inst.span.lo, (to_u32(index), line, column));
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

    /// Where checked accesses are in the source. The line goes along, since whoever launches a kernel may not have the source.
    fn place_sites(&self, interface: &mut ModuleInterface, accesses: &[CheckedAccess]) {
        let sites = interface.bounds.iter_mut().flat_map(|bounds| &mut bounds.sites);
        for (site, CheckedAccess { span, object }) in sites.zip(accesses) {
            if let Some(name) = object.and_then(|object| self.table.identifier(object)) {
                let is_function = object.is_some_and(|object| self.table.is_called_like(object));
                let suffix = if is_function { FUNCTION_SUFFIX } else { "" };
                site.variable = format!("{}{suffix}", self.interner.text(name));
            }
            if let Some(place) = clforge_library::place(*span) {
                (site.file, site.line, site.column) = (place.file.to_owned(), place.line, place.column);
                continue;
            }
            let range = (span.hi > 0).then(|| self.table.range(*span, &self.interner));
            let excerpt = range.and_then(|range| Excerpt::of(range, &self.sources, &self.interner));
            if let Some(Excerpt { place, text, marked }) = excerpt {
                (site.file, site.line, site.column) = (place.file, place.line, place.column);
                (site.text, site.marked) = (text, (to_u32(marked.start), to_u32(marked.end)));
            }
            let is_race = matches!(site.check, Check::LocalRace | Check::GlobalRace);
            if is_race && range.is_some_and(|range| self.line(range.start).contains(BENIGN_RACE)) {
                site.check = Check::BenignRace;
            }
        }
    }

    /// The whole line of a place.
    fn line(&self, loc: Loc) -> &str {
        let Some((id, offset)) = self.sources.locate(self.sources.file_loc(loc).pos) else { return "" };
        let file = self.sources.file(id);
        file.line_text(file.line(offset))
    }

    /// The passes for the target.
    fn middle(&mut self, mut module: ir::Module) -> Option<(ir::Module, ModuleInterface)> {
        let options = self.options;
        if !options.codegen.sanitizers().is_empty() && !options.target.is_vulkan() {
            return self.report(Err(Error::unsupported(Unsupported::BoundsChecks { target: options.target })));
        }
        let is_logical = options.target.is_vulkan() && options.device.addressing == Addressing::Logical;
        if options.codegen.robust_buffer_access && !is_logical {
            return self.report(Err(Error::unsupported(Unsupported::RobustAddresses)));
        }
        let (steps, dialect) = pass_lists::of(options.target);
        let emulating = options.with_emulation();
        let mut manager = PassManager::new(&emulating, self.observer.take());
        let passed = manager.run(steps, &mut module, dialect);
        self.observer = manager.observer;
        let State { mut interface, checked_accesses } = self.report(passed)?;
        self.place_sites(&mut interface, &checked_accesses);
        Some((module, interface))
    }

    /// The value; errors are reported. Places in the library, which is not among the sources, are not shown.
    fn report<T>(&mut self, result: Result<T, Error>) -> Option<T> {
        let error = match result {
            Ok(value) => return Some(value),
            Err(error) => error,
        };
        for error in error.all() {
            let mut diagnostic = error.diagnostic(&self.table, &self.interner);
            if error.span().is_some_and(|span| clforge_library::place(span).is_some()) {
                diagnostic.range = None;
            }
            self.sink.push(self.placed(diagnostic));
        }
        None
    }
}
