//! File tests: each file has an input and the expected output.
//!
//! - `passes/<topic>/*.ir`: IR; after the line `; ---` the IR after the passes that the line `; pass: …` names. The same
//!   text in a block ```` ```ir ```` at the top of a pass's own file is a test too: the pass is then explained by an
//!   example that is checked.
//! - `hir/*.cl`: a program; after the line `// ---`, behind `// `, the typed program.
//! - `lower/*.cl`: a program; after the line `// ---`, behind `// `, its IR before all passes, which is the same for both
//!   targets.
//! - `emit/vulkan/*.cl` and `emit/opencl/*.cl`: a program; its SPIR-V assembly must have the lines `// CHECK: …` in that
//!   order (`...` in them stands for anything, `$` for the end of the line) and must be valid. `// CHECK-NOT: …` must not
//!   come before the next one. `// target: …` and `// options: -cl-…` change how it is compiled.
//! - `diagnostics/*.cl`: a program; behind each line its errors and warnings, `// error: …` and `// warning: …`; after
//!   the line `// ---`, behind `// `, all that is reported about it, as people see it. `cargo xtask test --full` asks clang about
//!   each line too; `// clang: accepts …` and `// clang: rejects …` say why it differs, and `// clang: not asked …` at
//!   the top why it could not know.
//!
//! Expected values are derived by hand from the IR's contract and the SPIR-V specification. `CLFORGE_BLESS=1` writes
//! what came out into the files, to be read line by line before it is kept.

use bumpalo::Bump;
use clforge_basic::source::{Interner, SourceMap, TokenTable};
use clforge_basic::tuning::Tuning;
use clforge_basic::workarounds::Workarounds;
use clforge_compiler::diag::{Severity, Sink};
use clforge_compiler::disassemble::disassemble;
use clforge_compiler::interface::bounds::Bounds;
use clforge_compiler::interface::{KernelInterface, PushConstant, PushConstantKind};
use clforge_compiler::options::{AddressBits, Addressing, ClStd, Sanitizers, Translatable};
use clforge_compiler::validate::{ValidateError, validate};
use clforge_compiler::warnings::WarningSetting;
use clforge_compiler::{Options, Source, Stage, Target};
use clforge_ir::verify::{Dialect, Legalized, verify};
use clforge_ir::{Function, Module, print::print, read::read};
use clforge_lower::{self as lower, Roots};
use clforge_sema as sema;
use clforge_sema::hir;
use clforge_spirv::legalize::{Context, State};
use clforge_syntax::parse;
use clforge_syntax::preprocess;
use libtest_mimic::{Arguments, Failed, Trial};
use std::path::{Path, PathBuf};

type Outcome = Result<(), Failed>;

fn main() {
    let arguments = Arguments::from_args();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let mut trials = Vec::new();
    add(&mut trials, &root, "passes", "ir", pass_file);
    add_examples(&mut trials);
    add(&mut trials, &root, "hir", "cl", hir_file);
    add(&mut trials, &root, "lower", "cl", lower_file);
    add(&mut trials, &root, "emit", "cl", emit_file);
    add(&mut trials, &root, "diagnostics", "cl", diagnostics_file);
    trials.push(Trial::test("every_pass_has_a_file", move || every_pass_has_a_file(&root.join("passes"))));
    libtest_mimic::run(&arguments, trials).exit();
}

/// One test for each file with that extension in a folder and those inside it.
fn add(trials: &mut Vec<Trial>, root: &Path, folder: &str, extension: &str, run: fn(&Path, &str) -> Outcome) {
    let files = files(&root.join(folder), extension);
    assert!(!files.is_empty(), "no files in {folder}");
    for path in files {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        trials.push(Trial::test(name, move || run(&path, &std::fs::read_to_string(&path)?)));
    }
}

/// The crates whose passes may have an example at the top of their files.
const CRATES_OF_PASSES: [&str; 2] = ["ir", "spirv"];

/// One test for each example at the top of a pass's file.
fn add_examples(trials: &mut Vec<Trial>) {
    let compiler = Path::new(env!("CARGO_MANIFEST_DIR"));
    for path in CRATES_OF_PASSES.iter().flat_map(|name| files(&compiler.join(name).join("src"), "rs")) {
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if example(&text).is_some() {
            let name = path.strip_prefix(compiler).unwrap_or(&path).display().to_string();
            trials.push(Trial::test(name, move || example_in_head(&path)));
        }
    }
}

const EXAMPLE_START: &str = "//! ```ir\n";
const EXAMPLE_END: &str = "//! ```\n";

/// The lines of the example in a file's head, with the `//!` before each.
fn example(text: &str) -> Option<&str> {
    let start = text.find(EXAMPLE_START)? + EXAMPLE_START.len();
    let length = text[start..].find(EXAMPLE_END)?;
    Some(&text[start..start + length])
}

/// Runs the example in the head of a pass's file. What came out replaces it there with `CLFORGE_BLESS=1`.
fn example_in_head(path: &Path) -> Outcome {
    let file = std::fs::read_to_string(path)?;
    let commented = example(&file).ok_or("no example")?;
    let lines =
        commented.lines().map(|line| line.strip_prefix("//!").map(|rest| rest.strip_prefix(' ').unwrap_or(rest)));
    let lines: Option<Vec<&str>> = lines.collect();
    let text = lines.ok_or("a line of the example is no `//!` comment")?.join("\n") + "\n";
    let found = run_passes(&text)?;
    compare(&text, "", &found, |text| {
        let commented_now: String =
            text.lines().map(|line| format!("{}\n", format!("//! {line}").trim_end())).collect();
        std::fs::write(path, file.replacen(commented, &commented_now, 1))
    })
}

/// The files with that extension in a folder and those inside it.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The values of `; key: …` or `// key: …` lines.
fn settings<'t>(text: &'t str, key: &'t str) -> impl Iterator<Item = &'t str> {
    let lines = text.lines().filter_map(|line| line.strip_prefix("; ").or(line.strip_prefix("// ")));
    lines.filter_map(move |line| Some(line.strip_prefix(key)?.strip_prefix(": ")?.trim()))
}

fn options(text: &str, default_target: &str) -> Result<Options, Failed> {
    let name = settings(text, "target").next().unwrap_or(default_target);
    let target = Target::parse(name).ok_or_else(|| format!("no target {name}"))?;
    let mut options = Options::for_target(target);
    for word in settings(text, "options").flat_map(str::split_whitespace) {
        match word {
            "-cl-opt-disable" => options.codegen.opt_disable = true,
            "-cl-fast-relaxed-math" | "-cl-unsafe-math-optimizations" => assert!(options.set_flag(word)),
            "-cl-fp32-correctly-rounded-divide-sqrt" => options.language.math.correctly_rounded_divide_sqrt = true,
            "-g" => options.codegen.debug_info = true,
            "--bounds-check" => options.codegen.bounds_check = true,
            "--robust-buffer-access" => options.codegen.robust_buffer_access = true,
            "--zero-local-memory" => options.codegen.zero_local_memory = true,
            "--zero-private-memory" => options.codegen.zero_private_memory = true,
            "-w" => options.language.no_warnings = true,
            "-Werror" => options.language.warnings_are_errors = true,
            _ if word.starts_with("--sanitize=") => {
                options.codegen.set_sanitizers(Sanitizers::parse(word.trim_start_matches("--sanitize="))?);
            }
            // See `pass_file`.
            "--loop-status" => {}
            _ if word.starts_with("--device-feature=") => {
                assert!(options.device.enable_feature(word.trim_start_matches("--device-feature=")), "{word}");
            }
            _ if word.starts_with("--emulate=") => {
                assert!(options.device.emulated.add(word.trim_start_matches("--emulate=")), "{word}");
            }
            _ if word.starts_with("--least-sub-group-size=") => {
                options.device.least_sub_group_size = word.trim_start_matches("--least-sub-group-size=").parse()?;
            }
            _ if word.starts_with("--sub-group-size=") => {
                options.device.sub_group_size = Some(word.trim_start_matches("--sub-group-size=").parse()?);
            }
            "--distinct-arguments" => options.codegen.distinct_arguments = true,
            "--addressing=logical" => options.device.addressing = Addressing::Logical,
            "--address-bits=32" => options.language.address_bits = AddressBits::Bits32,
            "--memory-model=glsl" => options.device.vulkan_memory_model = false,
            "--target=webgpu" => options = options.for_web_gpu(Translatable::new([64, 1, 1])),
            _ if word.starts_with("--workarounds=") => {
                let names = word.trim_start_matches("--workarounds=");
                options.codegen.workarounds =
                    Workarounds::parse(names).map_err(|name| format!("no workaround {name}"))?;
            }
            _ if word.starts_with("--tuning=") => {
                let names = word.trim_start_matches("--tuning=");
                options.codegen.tuning = Tuning::parse(names).map_err(|name| format!("no tuning {name}"))?;
            }
            _ if word.starts_with("-W") => {
                options.language.warnings.push(WarningSetting::parse(word).ok_or_else(|| format!("no option {word}"))?);
            }
            _ => {
                let version = word.strip_prefix("-cl-std=").and_then(ClStd::parse);
                options.language.cl_std = Some(version.ok_or_else(|| format!("no option {word}"))?);
            }
        }
    }
    Ok(options)
}

/// Values numbered in the order they appear, in each function from 0: how a pass came to its numbers is not its result.
fn renumber(text: &str) -> String {
    let mut out = String::new();
    let mut known: Vec<&str> = Vec::new();
    for line in text.lines() {
        if line.starts_with("func ") || line.starts_with("kernel ") {
            known.clear();
        }
        let mut pieces = line.split('%');
        out.push_str(pieces.next().unwrap_or(""));
        for piece in pieces {
            let (number, rest) = piece.split_at(piece.find(|c: char| !c.is_ascii_digit()).unwrap_or(piece.len()));
            let index = known.iter().position(|other| *other == number).unwrap_or_else(|| {
                known.push(number);
                known.len() - 1
            });
            out.push_str(&format!("%{index}{rest}"));
        }
        out.push('\n');
    }
    out
}

/// Compares with what follows the divider, or has `write` put the text there. `prefix` opens each of its lines.
fn compare(text: &str, prefix: &str, found: &str, write: impl FnOnce(&str) -> std::io::Result<()>) -> Outcome {
    let divider = format!("{}---\n", if prefix.is_empty() { "; " } else { prefix });
    let (input, expected) = text.split_once(&divider).unwrap_or((text, ""));
    let found: String = found.lines().map(|line| format!("{}\n", format!("{prefix}{line}").trim_end())).collect();
    if found == expected {
        return Ok(());
    }
    if std::env::var_os("CLFORGE_BLESS").is_some() {
        return Ok(write(&format!("{input}{divider}{found}"))?);
    }
    let same = found.lines().zip(expected.lines()).take_while(|(found, expected)| found == expected).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("nothing").to_owned();
    let (is, should) = (line(&found), line(expected));
    Err(format!("line {} of what came out is\n  {is}\nand should be\n  {should}\nAll of it:\n{found}", same + 1).into())
}

fn check(module: &Module, dialect: Dialect, when: &str) -> Outcome {
    verify(module, dialect).map_err(|message| format!("{when}: {message}\n{}", print(module)).into())
}

fn pass_file(path: &Path, text: &str) -> Outcome {
    compare(text, "", &run_passes(text)?, |text| std::fs::write(path, text))
}

/// The IR before the divider after the passes that the text names.
fn run_passes(text: &str) -> Result<String, Failed> {
    let input = text.split("; ---\n").next().unwrap_or(text);
    let mut module = read(input)?;
    // Variables are what memory becomes for Vulkan.
    let mut dialect = match module.variables.raw[..] {
        [] => Dialect::Core,
        _ => Dialect::Vulkan(Legalized::KernelAbi),
    };
    check(&module, dialect, "the input")?;
    // Unrolling by one would do nothing.
    let options = options(text, "vulkan1.2")?.with(|o| o.codegen.unroll_factor = 4);
    let mut state = State::default();
    let sanitizers = options.codegen.sanitizers();
    if !sanitizers.is_empty() {
        // As the kernel ABI lays it out, before the arguments.
        use PushConstantKind::{GlobalSize, NumWorkgroups, RegionGroupOffset, RegionOffset};
        let has_shadows = sanitizers.contains(Sanitizers::RACE);
        for (kind, offset) in [(RegionOffset, 0), (GlobalSize, 12), (NumWorkgroups, 32), (RegionGroupOffset, 44)] {
            if kind == RegionOffset || has_shadows {
                state.interface.push_constants.push(PushConstant { kind, offset, size: 12 });
            }
        }
        state.interface.bounds = Some(Bounds { offset: 24, ranges: 2, has_shadows, ..Bounds::default() });
    }
    if settings(text, "options").any(|words| words.contains("--loop-status")) {
        state.interface.loop_status = Some(24);
        let kernels = module.functions.iter().filter(|function| function.kernel.is_some());
        let named = |function: &Function| {
            let mut kernel = KernelInterface::default();
            kernel.name.clone_from(&function.name);
            kernel
        };
        state.interface.kernels = kernels.map(named).collect();
    }
    let mut context = Context { options: &options, state };
    let names = settings(text, "pass").next().ok_or("no '; pass:' line")?;
    for name in names.split(", ") {
        let pass = clforge_compiler::pass(name).ok_or_else(|| format!("no pass '{name}'"))?;
        pass.run(&mut module, &mut context)?;
        dialect = pass.establishes().unwrap_or(dialect);
        check(&module, dialect, name)?;
    }
    let printed = print(&module);
    let again = read(&printed).map_err(|message| format!("what came out cannot be read: {message}\n{printed}"))?;
    if print(&again) != printed {
        return Err("what came out reads and prints differently".into());
    }
    Ok(renumber(&printed))
}

/// Passes whose result is not IR, or is the library's, with the unit test that they have instead of a file.
const TESTED_ELSEWHERE: [(&str, &str); 2] = [
    ("vulkan/loop_iterations", "compiler/spirv/src/legalize/vulkan/loop_iterations.rs"),
    ("vulkan/library", "compiler/spirv/src/legalize/vulkan/builtins/tests.rs"),
];

/// Each pass of the registry is named by a `; pass:` line of a file or of an example in a head.
fn every_pass_has_a_file(root: &Path) -> Outcome {
    let compiler = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut named: Vec<String> = TESTED_ELSEWHERE.iter().map(|(name, _)| (*name).to_owned()).collect();
    let mut texts = Vec::new();
    for path in files(root, "ir") {
        texts.push(std::fs::read_to_string(path)?);
    }
    for path in CRATES_OF_PASSES.iter().flat_map(|name| files(&compiler.join(name).join("src"), "rs")) {
        texts.extend(example(&std::fs::read_to_string(path)?).map(|lines| lines.replace("//! ", "")));
    }
    for text in texts {
        let names = settings(&text, "pass").flat_map(|names| names.split(", "));
        named.extend(names.map(str::to_owned));
    }
    for (name, test) in TESTED_ELSEWHERE {
        let path = compiler.join("..").join(test);
        if !std::fs::read_to_string(path)?.contains("#[test]") {
            return Err(format!("{test} has no test of '{name}'").into());
        }
    }
    // A file names the two passes instead.
    let alternating = |name: &&str| name.contains('+');
    let missing: Vec<&str> = clforge_compiler::pass_names()
        .filter(|name| !alternating(name) && !named.iter().any(|known| known == name))
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("no file tests {}", missing.join(", ")).into()) }
}

fn hir_file(path: &Path, text: &str) -> Outcome {
    let options = options(text, "vulkan1.2")?;
    let program_text = text.split("// ---\n").next().unwrap_or(text);
    let source = Source { name: "test.cl", text: program_text.as_bytes() };
    let printed = clforge_compiler::print_stage(source, &options, Stage::Hir).map_err(|errors| errors.to_string())?;
    compare(text, "// ", &printed, |text| std::fs::write(path, text))
}

/// The IR must be the same for both targets.
fn lower_file(path: &Path, text: &str) -> Outcome {
    let options = options(text, "vulkan1.2")?;
    let for_vulkan = lowered(text, &options)?;
    let target = Target::parse("opencl3.0").ok_or("no target opencl3.0")?;
    let for_opencl = lowered(text, &options.with_target(target))?;
    if for_vulkan != for_opencl {
        return Err(format!("lowering depends on the target:\n{for_vulkan}\nbut for OpenCL\n{for_opencl}").into());
    }
    compare(text, "// ", &for_vulkan, |text| std::fs::write(path, text))
}

/// The IR of what the kernels of a program reach, or of the whole program if it has none.
fn lowered(text: &str, options: &Options) -> Result<String, Failed> {
    let (mut names, mut sources, mut sink, mut table) =
        (Interner::new(), SourceMap::new(), Sink::new(), TokenTable::default());
    let program_text = text.split("// ---\n").next().unwrap_or(text);
    let source = Source { name: "test.cl", text: program_text.as_bytes() };
    let range = preprocess::preprocess(source, options, &mut names, &mut sources, &mut sink, &mut table);
    let (tree, arena) = (Bump::new(), Bump::new());
    let unit = parse::parse(&tree, &table, range, &mut names, &mut sink, options.language.version());
    let mut program = hir::Program::default();
    let input = sema::Input { table: &table, options, is_linked: false };
    sema::check(&unit, &arena, &mut program, input, &mut names, &mut sink, false);
    let module = match sink.has_errors() {
        true => Module::default(),
        false => lower::lower(&program, Roots::Kernels, options, &names, &table, &mut sink),
    };
    if sink.has_errors() {
        let messages: Vec<String> = sink.into_parts().0.into_iter().map(|diagnostic| diagnostic.message).collect();
        return Err(messages.join("\n").into());
    }
    check(&module, Dialect::Core, "lowering")?;
    Ok(renumber(&print(&module)))
}

fn emit_file(path: &Path, text: &str) -> Outcome {
    let is_vulkan = path.components().any(|part| part.as_os_str() == "vulkan");
    let options = options(text, if is_vulkan { "vulkan1.2" } else { "opencl1.2" })?;
    let name: PathBuf = path.file_name().map(PathBuf::from).unwrap_or_default();
    let name = name.display().to_string();
    let source = Source { name: &name, text: text.as_bytes() };
    let compiled = clforge_compiler::compile(source, &options).map_err(|errors| errors.to_string())?;
    let assembly = disassemble(&compiled.spirv);
    match validate(&compiled.spirv, options.target) {
        Ok(()) | Err(ValidateError::TooOld(_)) => {}
        Err(ValidateError::Invalid(message)) => return Err(format!("invalid: {message}\n{assembly}").into()),
        Err(ValidateError::Unavailable(message)) => return Err(format!("spirv-val does not run: {message}").into()),
    }
    fragments(text, &assembly)
}

/// What a line's comments announce: (line, severity, message).
type Told = (usize, Severity, String);

const REMARKS: [(&str, Option<Severity>); 3] =
    [("error: ", Some(Severity::Error)), ("warning: ", Some(Severity::Warning)), ("clang: ", None)];

/// The program without the remarks behind its lines, and what they announce.
fn announced(program: &str) -> (String, Vec<Told>) {
    let mut stripped = String::new();
    let mut reported = Vec::new();
    for (index, line) in program.lines().enumerate() {
        let mut pieces = line.split("// ");
        let first = pieces.next().unwrap_or_default();
        let mut code = first.to_owned();
        for piece in pieces {
            let remark = REMARKS.iter().find_map(|(word, severity)| Some((piece.strip_prefix(word)?, *severity)));
            match remark {
                Some((message, Some(severity))) => reported.push((index + 1, severity, message.trim().to_owned())),
                Some((_, None)) => {}
                None => code.push_str(&format!("// {piece}")),
            }
        }
        stripped.push_str(code.trim_end());
        stripped.push('\n');
    }
    (stripped, reported)
}

fn diagnostics_file(path: &Path, text: &str) -> Outcome {
    let options = options(text, "vulkan1.2")?;
    let (program, mut missing) = announced(text.split("// ---\n").next().unwrap_or(text));
    let source = Source { name: "test.cl", text: program.as_bytes() };
    let diagnostics = match clforge_compiler::compile(source, &options) {
        Ok(compiled) => compiled.warnings,
        Err(diagnostics) => diagnostics,
    };
    let sources = &diagnostics.sources;
    let last = program.lines().count();
    let mut unexpected = Vec::new();
    for diagnostic in &diagnostics.list {
        let place = diagnostic.range.and_then(|range| sources.locate(sources.file_loc(range.start).pos));
        let line = place.map_or(0, |(file, offset)| sources.file(file).line_column(offset).0 as usize).min(last);
        let reported = (line, diagnostic.severity, diagnostic.message.clone());
        match missing.iter().position(|wanted| *wanted == reported) {
            Some(index) => {
                missing.remove(index);
            }
            None => unexpected.push(reported),
        }
    }
    let show = |what: &str, list: &[Told]| -> String {
        let lines =
            list.iter().map(|(line, severity, message)| format!("line {line}: {what} {severity:?}: {message}\n"));
        lines.collect()
    };
    if !missing.is_empty() || !unexpected.is_empty() {
        return Err((show("missing", &missing) + &show("unexpected", &unexpected)).into());
    }
    // A new file: its lines say what is expected, and the whole text is still to be blessed.
    if !text.contains("// ---\n") && std::env::var_os("CLFORGE_BLESS").is_none() {
        return Ok(());
    }
    compare(text, "// ", &diagnostics.to_string(), |text| std::fs::write(path, text))
}

/// Looks for the `CHECK` lines in order, with `CHECK-NOT` lines absent in between.
fn fragments(text: &str, assembly: &str) -> Outcome {
    let squeeze = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = assembly.lines().map(squeeze).collect();
    let mut rest = lines.iter();
    let mut forbidden: Vec<String> = Vec::new();
    let mut any = false;
    for line in text.lines().map(str::trim_start) {
        if let Some(fragment) = line.strip_prefix("// CHECK-NOT: ") {
            forbidden.push(squeeze(fragment));
        }
        let Some(fragment) = line.strip_prefix("// CHECK: ").map(squeeze) else { continue };
        any = true;
        loop {
            let line = rest.next().ok_or_else(|| format!("missing, in this order: {fragment}\n{assembly}"))?;
            if has(line, &fragment) {
                break;
            }
            absent(line, &forbidden)?;
        }
        forbidden.clear();
    }
    rest.try_for_each(|line| absent(line, &forbidden))?;
    if any { Ok(()) } else { Err("no CHECK lines".into()) }
}

fn absent(line: &str, forbidden: &[String]) -> Outcome {
    match forbidden.iter().find(|fragment| has(line, fragment)) {
        Some(fragment) => Err(format!("'{fragment}' must not be there: {line}").into()),
        None => Ok(()),
    }
}

/// Whether a line has the pieces of a fragment, in order.
fn has(line: &str, fragment: &str) -> bool {
    let line = format!("{line}$");
    let mut rest = line.as_str();
    fragment.split("...").all(|piece| match rest.split_once(piece.trim()) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}
