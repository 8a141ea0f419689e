//! Semantic analysis over files that are accepted: each line's expected diagnostics stand in comments at its end,
//! `// error: message` or `// warning: message`; missing and unexpected diagnostics both fail. A file may name its
//! language version and target in its first line: `// -cl-std=CL2.0 --target opencl2.0`.

use bumpalo::Bump;
use clforge_basic::source::{Interner, SourceMap, TokenTable};
use clforge_compiler::diag::{Severity, Sink};
use clforge_compiler::options::ClStd;
use clforge_compiler::{Options, Source, Target};
use clforge_sema as sema;
use clforge_sema::hir::{self, ConstantData, Program};
use clforge_syntax::parse;
use clforge_syntax::preprocess;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Runs the front end and hands its results to `look`: the program, and (line, severity, message) of each diagnostic.
fn front_end<R>(
    name: &str,
    text: &str,
    look: impl FnOnce(&Program<'_>, &Interner, Vec<(u32, Severity, String)>) -> R,
) -> R {
    let first = text.lines().next().unwrap_or("");
    let word = |after: &str| first.split_once(after).and_then(|(_, rest)| rest.split_whitespace().next());
    let cl_std = word("-cl-std=").and_then(ClStd::parse);
    let target = word("--target ").and_then(Target::parse).unwrap_or(Options::default().target);
    let options = Options::default().with_cl_std(cl_std).with_target(target);
    let (mut names, mut sources, mut sink, mut table) =
        (Interner::new(), SourceMap::new(), Sink::new(), TokenTable::default());
    let source = Source { name, text: text.as_bytes() };
    let range = preprocess::preprocess(source, &options, &mut names, &mut sources, &mut sink, &mut table);
    let (tree, arena) = (Bump::new(), Bump::new());
    let unit = parse::parse(&tree, &table, range, &mut names, &mut sink, options.language.version());
    let mut program = Program::default();
    let input = sema::Input { table: &table, options: &options, is_linked: false };
    sema::check(&unit, &arena, &mut program, input, &mut names, &mut sink, false);
    let reported = sink.into_parts().0.into_iter().map(|diagnostic| {
        let place = diagnostic.range.and_then(|range| sources.locate(sources.file_loc(range.start).pos));
        let line = place.map_or(0, |(file, offset)| sources.file(file).line_column(offset).0);
        (line, diagnostic.severity, diagnostic.message)
    });
    let reported = reported.collect();
    look(&program, &names, reported)
}

/// The diagnostics that a file's comments announce.
fn expected(text: &str) -> Vec<(u32, Severity, String)> {
    let mut list = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for comment in line.split("// ").skip(1) {
            for (word, severity) in [("error: ", Severity::Error), ("warning: ", Severity::Warning)] {
                if let Some(message) = comment.strip_prefix(word) {
                    list.push((index as u32 + 1, severity, message.trim().to_string()));
                }
            }
        }
    }
    list
}

fn check_file(path: &Path, failures: &mut String) {
    let text = std::fs::read_to_string(path).expect("the test file can be read");
    let mut missing = expected(&text);
    let mut reported = front_end("test.cl", &text, |program, _, reported| {
        if reported.iter().all(|(_, severity, _)| *severity == Severity::Warning) {
            for violation in hir::verify::verify(program) {
                writeln!(failures, "{}: violation of the HIR's contract: {violation:?}", path.display())
                    .expect("strings grow");
            }
        }
        reported
    });
    reported.retain(|entry| match missing.iter().position(|wanted| wanted == entry) {
        Some(index) => {
            missing.remove(index);
            false
        }
        None => true,
    });
    for (kind, list) in [("missing", missing), ("unexpected", reported)] {
        for (line, severity, message) in list {
            writeln!(failures, "{}:{line}: {kind} {severity:?}: {message}", path.display()).expect("strings grow");
        }
    }
}

fn check_directory(name: &str) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/filetests").join(name);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&root).expect("the directory exists").map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    assert!(!files.is_empty());
    let mut failures = String::new();
    for file in &files {
        check_file(file, &mut failures);
    }
    assert!(failures.is_empty(), "\n{failures}");
}

#[test]
fn accepted_programs() {
    check_directory("sema");
}

/// Looks at a program that has no errors.
fn accepted<R>(text: &str, look: impl FnOnce(&Program<'_>, &Interner) -> R) -> R {
    front_end("test.cl", text, |program, names, reported| {
        assert!(reported.iter().all(|(_, severity, _)| *severity == Severity::Warning), "{reported:?}");
        look(program, names)
    })
}

fn constant(text: &str, name: &str) -> ConstantData {
    accepted(text, |program, names| {
        let global =
            program.variables.iter().find(|global| names.text(global.name) == name).expect("the global exists");
        global.init.clone().expect("it is initialised")
    })
}

#[test]
fn bytes_of_constants() {
    let data = constant("constant short t[] = {1, -2, [4] = 0x1234};", "t");
    assert_eq!(data.bytes, [1, 0, 0xfe, 0xff, 0, 0, 0, 0, 0x34, 0x12]);
    let data = constant("constant struct { char c; float f; } s = { 'A', 1.5f };", "s");
    assert_eq!(data.bytes, [65, 0, 0, 0, 0, 0, 0xc0, 0x3f]);
    let data = constant("constant float4 v = (float4)(1, 2, (float2)(3)).wzyx * 2;", "v");
    let floats: Vec<u8> = [6.0f32, 6.0, 4.0, 2.0].iter().flat_map(|f| f.to_le_bytes()).collect();
    assert_eq!(data.bytes, floats);
    let data = constant("constant half h = 1.0f / 3;", "h");
    assert_eq!(data.bytes, 0x3555u16.to_le_bytes());
    let data = constant("constant char s[6] = \"abc\";", "s");
    assert_eq!(data.bytes, *b"abc\0\0\0");
    let data = constant("constant int t[2][3] = { 1, 2, 3, [1] = { [1] = 5, 6 } };", "t");
    let ints: Vec<u8> = [1i32, 2, 3, 0, 5, 6].iter().flat_map(|i| i.to_le_bytes()).collect();
    assert_eq!(data.bytes, ints);
}

#[test]
fn addresses_in_constants() {
    let text = "constant int t[4] = {0}; constant int *constant p[] = { &t[3], 0, t + 1 };";
    accepted(text, |program, _| {
        let init = program.variables.raw[1].init.as_ref().expect("initialised");
        let table = hir::ModuleVariableId::new(0);
        assert_eq!(init.relocations, [(0, table, 12), (16, table, 4)]);
        assert_eq!(init.bytes, [0; 24]);
    });
}

#[test]
fn equal_strings_and_samplers_are_one_global() {
    let text = "void f(read_only image2d_t i, constant char *s) { read_imagef(i, 0x10, (int2)(0)); \
                read_imagef(i, 0x10, (int2)(1)); printf(\"x\"); printf(\"x\"); }";
    accepted(text, |program, _| {
        assert_eq!(program.variables.iter().filter(|global| global.is_string).count(), 1);
        let samplers = program.variables.iter().filter_map(|g| g.init.as_ref()).filter(|init| init.is_sampler);
        assert_eq!(samplers.map(|init| init.bytes.clone()).collect::<Vec<_>>(), [vec![0x10, 0, 0, 0]]);
    });
}

#[test]
fn kernel_facts() {
    let text = "struct S { int a; }; typedef float real; \
        __attribute__((reqd_work_group_size(8, 4, 2))) kernel void k(global const real *restrict a, local uint *b, \
        unsigned int c, struct S d, read_only image2d_t e, constant float4 *f) {}";
    accepted(text, |program, _| {
        let kernel = program.functions.raw[0].kernel.as_ref().expect("a kernel");
        assert_eq!(kernel.required_work_group_size, Some([8, 4, 2]));
        let shown: Vec<String> = kernel
            .parameters
            .iter()
            .map(|p| format!("{} {} {:?} {:?}", p.name, p.type_name, p.address_space, p.qualifiers.bits()))
            .collect();
        assert_eq!(
            shown,
            [
                "a real* Global 5",
                "b uint* Local 0",
                "c uint Private 0",
                "d struct S Private 0",
                "e image2d_t Global 0",
                "f float4* Constant 1",
            ]
        );
    });
}

#[test]
fn callees_are_listed_once_and_not_from_sizeof() {
    let text = "int a(void) { return 1; } int b(void) { return 2; } int f(void) { return a() + a() + sizeof(b()); }";
    accepted(text, |program, _| {
        assert_eq!(program.functions.raw[2].callees, [hir::FunctionId::new(0)]);
    });
}

#[test]
fn internal_and_exported() {
    let text = "int a(void) { return 1; } static int b(void) { return 1; } inline int c(void) { return 1; }";
    accepted(text, |program, _| {
        let internal: Vec<bool> = program.functions.iter().map(|function| function.internal).collect();
        assert_eq!(internal, [false, true, true]);
    });
}
