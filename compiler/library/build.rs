//! Compiles the library, `src/cl/library.cl`, to IR and writes the image that `src/lib.rs` reads: the index as Rust source,
//! the functions and the places of their instructions as bytes.

use bumpalo::Bump;
use clforge_basic::diag::{Diagnostics, Sink};
use clforge_basic::narrow::to_u32;
use clforge_basic::options::{ClStd, IncludeLoader, IncludedFile, Options};
use clforge_basic::source::{Interner, SourceMap, Span, TokenTable};
use clforge_ir::{FunctionId, Module, Op, encode, verify};
use clforge_lower::{self as lower, Roots};
use clforge_sema::{self as sema, hir};
use clforge_syntax::{parse, preprocess};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};
use typed_index_collections::TiVec;

/// The translation unit.
const MAIN: &str = "library.cl";

fn main() {
    // Relative to the package, where cargo starts this: a copy of the checkout is built already.
    let sources = Path::new("src/cl");
    println!("cargo::rerun-if-changed={}", sources.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut compilation = Compilation::default();
    let mut module = compilation.module(sources);
    sort_by_name(&mut module);
    let places = compilation.number_places(&mut module);
    for function in &mut module.functions {
        function.exported = false;
        function.precise = true;
    }
    if let Err(message) = verify::verify(&module, verify::Dialect::Core) {
        panic!("the library is not correct IR: {message}");
    }
    write_image(&module, &places, &out);
}

/// Finds the files of the library.
struct Loader(PathBuf);

impl IncludeLoader for Loader {
    fn load(&self, path: &str, _: &str, _: bool) -> Option<IncludedFile> {
        Some(IncludedFile { name: path.to_owned(), text: fs::read(self.0.join(path)).ok()? })
    }
}

/// What the stages share.
#[derive(Default)]
struct Compilation {
    interner: Interner,
    sources: SourceMap,
    table: TokenTable,
}

impl Compilation {
    /// The IR of the library: every function, whoever uses it. One set of options, whatever those of programs are.
    fn module(&mut self, folder: &Path) -> Module {
        let includes = Arc::new(Loader(folder.to_owned()));
        let options = Options::default().with_cl_std(ClStd::CL1_2).with_includes(includes);
        let text = fs::read_to_string(folder.join(MAIN)).expect("the library's sources are there");
        let Compilation { interner, sources, table } = self;
        let mut sink = Sink::new();
        let (arena, hir_arena) = (Bump::new(), Bump::new());
        let mut program = hir::Program::default();
        let range = preprocess::preprocess_library(MAIN, text, &options, interner, sources, &mut sink, table);
        let unit = parse::parse(&arena, table, range, interner, &mut sink, options.language.version());
        let input = sema::Input { table, options: &options, is_linked: false };
        sema::check(&unit, &hir_arena, &mut program, input, interner, &mut sink, true);
        let names: Vec<&str> = program.functions.iter().map(|function| interner.text(function.name)).collect();
        let module = match sink.has_errors() {
            true => Module::default(),
            false => lower::lower(&program, Roots::Functions(&names), &options, interner, table, &mut sink),
        };
        if sink.has_errors() {
            let (sources, names) = (std::mem::take(sources), std::mem::take(interner));
            panic!("the library has errors:\n{}", Diagnostics::new(sink, Arc::new(sources), Arc::new(names), &options));
        }
        module
    }

    /// Makes the spans of the functions and instructions numbers of places; the places, in their order.
    fn number_places(&self, module: &mut Module) -> Vec<Place> {
        // By the first token of the span, as the emitter does: what has one token has one place.
        let mut numbers = BTreeMap::new();
        let mut places = Vec::new();
        for function in &mut module.functions {
            let spans = function.insts.iter_mut().map(|inst| &mut inst.span).chain([&mut function.span]);
            for span in spans {
                let Some((file, line, column)) = self.table.place(*span, &self.sources) else { continue };
                let number = *numbers.entry(span.lo).or_insert_with(|| {
                    places.push(Place { file: file.to_owned(), line, column });
                    to_u32(places.len()) - 1
                });
                *span = Span::token(Span::LIBRARY + number);
            }
        }
        places
    }
}

/// Where something of the library is written.
struct Place {
    file: String,
    line: u32,
    column: u32,
}

/// Sorts the functions by their names, so that the index can be searched.
fn sort_by_name(module: &mut Module) {
    let mut order: TiVec<FunctionId, FunctionId> = module.functions.keys().collect();
    order.sort_by_key(|id| &module.functions[*id].name);
    let mut numbers = order.clone();
    for (new, old) in order.into_iter_enumerated() {
        numbers[old] = new;
    }
    for inst in module.functions.iter_mut().flat_map(|function| &mut function.insts) {
        if let Op::Call { function, .. } = &mut inst.op {
            *function = numbers[*function];
        }
    }
    module.functions.sort_by(|a, b| a.name.cmp(&b.name));
}

/// Writes `index.rs`, `image.bin` and `places.bin`.
fn write_image(module: &Module, places: &[Place], out: &Path) {
    let (mut image, mut index) = (Vec::new(), String::new());
    let text = &mut index;
    text.push_str("const FUNCTIONS: &[Entry] = &[\n");
    for function in &module.functions {
        let start = image.len();
        image.extend(encode::encode_function(function));
        let callees = function.insts.iter().filter_map(|inst| match inst.op {
            Op::Call { function, .. } => Some(function.number()),
            _ => None,
        });
        let callees: Vec<u32> = callees.collect();
        let bytes = start..image.len();
        writeln!(
            text,
            "Entry {{ name: {:?}, callees: &{callees:?}, bytes: ({}, {}) }},",
            function.name, bytes.start, bytes.end
        )
        .expect("strings take everything");
    }
    text.push_str("];\nconst GLOBALS: &[(usize, usize)] = &[\n");
    for global in &module.globals {
        let start = image.len();
        image.extend(encode::encode_global(global));
        writeln!(text, "({start}, {}),", image.len()).expect("strings take everything");
    }
    let mut files: Vec<&str> = places.iter().map(|place| place.file.as_str()).collect();
    files.sort_unstable();
    files.dedup();
    writeln!(text, "];\nconst FILES: &[&str] = &{files:?};").expect("strings take everything");
    let places: Vec<u8> = places.iter().flat_map(|place| packed(place, &files)).collect();
    for (name, bytes) in [("index.rs", index.as_bytes()), ("image.bin", &image), ("places.bin", &places)] {
        fs::write(out.join(name), bytes).expect("cargo's folder can be written to");
    }
}

/// A place in four bytes: file, line (low byte first), column.
fn packed(place: &Place, files: &[&str]) -> [u8; 4] {
    let file = files.binary_search(&place.file.as_str()).expect("every file is in the list");
    let [low, high] = u16::try_from(place.line).expect("few lines").to_le_bytes();
    [u8::try_from(file).expect("few files"), low, high, u8::try_from(place.column).unwrap_or(u8::MAX)]
}
