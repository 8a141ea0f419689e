//! How diagnostics are shown: carets and labels, notes, macro expansions, include stacks.

use std::sync::Arc;

use clforge_basic::diag::{Diagnostic, Diagnostics, Sink, SourceRange};
use clforge_basic::options::{IncludeLoader, IncludedFile, Options};
use clforge_basic::source::{ExpansionId, Interner, Loc, SourceMap, TokenTable};

struct Loader;

impl IncludeLoader for Loader {
    fn load(&self, path: &str, _: &str, _: bool) -> Option<IncludedFile> {
        let text = if path == "deep.h" { "\n#include \"bad.h\"\n" } else { "int a;\n\tint `;\n" };
        Some(IncludedFile { name: path.into(), text: text.into() })
    }
}

/// Preprocesses a text and puts an error on each `BAD` that comes out.
fn render(text: &str, options: &Options) -> String {
    let (mut names, mut sources, mut sink, mut table) =
        (Interner::new(), SourceMap::new(), Sink::new(), TokenTable::default());
    let source = clforge_basic::Source { name: "a.cl", text: text.as_bytes() };
    clforge_syntax::preprocess::preprocess(source, options, &mut names, &mut sources, &mut sink, &mut table);
    for index in 0..table.tokens.len() as u32 {
        if names.text(table.tokens[index as usize].text) == "BAD" {
            let range = table.range(clforge_basic::source::Span::token(index), &names);
            sink.push(Diagnostic::error(range, "bad").with_label("here"));
        }
    }
    Diagnostics::new(sink, Arc::new(sources), Arc::new(names), options).render(false)
}

fn options() -> Options {
    Options::default().with_includes(Arc::new(Loader))
}

#[test]
fn caret_and_label() {
    let expected = "error: bad\n --> a.cl:2:5\n  |\n2 | x + BAD;\n  |     ^^^ here\n";
    assert_eq!(render("int y;\nx + BAD;\n", &options()), expected);
}

#[test]
fn notes_have_their_own_snippet() {
    let expected = "warning: 'X' macro redefined [-Wmacro-redefined]\n --> a.cl:2:9\n  |\n2 | #define X 2\n  |         ^\n  |\n\
        note: previous definition is here\n --> a.cl:1:9\n  |\n1 | #define X 1\n  |         -\n";
    assert_eq!(render("#define X 1\n#define X 2\n", &options()), expected);
}

#[test]
fn include_stack() {
    let text = render("// 1\n#include \"deep.h\"\n", &options());
    assert!(text.starts_with("error: stray '`' in program\n --> bad.h:2:6\n"), "{text}");
    assert!(text.contains("note: in file included from deep.h:2\n"), "{text}");
    assert!(text.contains("note: in file included from a.cl:2\n"), "{text}");
}

#[test]
fn macro_trail() {
    let text = render("#define INNER 1 + BAD\n#define OUTER(x) (INNER)\nint y = OUTER(3);\n", &options());
    let order: Vec<usize> = [
        " --> a.cl:3:9",
        "3 | int y = OUTER(3);\n  |         ^^^^^ here",
        "note: in expansion of macro 'OUTER'",
        "2 | #define OUTER(x) (INNER)\n  |                   -----",
        "note: in expansion of macro 'INNER'",
        "1 | #define INNER 1 + BAD\n  |                   ---",
    ]
    .iter()
    .map(|part| text.find(part).unwrap_or_else(|| panic!("no {part} in\n{text}")))
    .collect();
    assert!(order.is_sorted(), "{text}");
}

#[test]
fn long_macro_trail_is_cut() {
    let mut text = String::from("#define M0 BAD\n");
    for level in 1..40 {
        text.push_str(&format!("#define M{level} M{}\n", level - 1));
    }
    let text = render(&format!("{text}M39\n"), &options());
    assert_eq!(text.matches("in expansion of macro").count(), 6);
    assert!(text.contains("'M39'") && text.contains("'M0'") && text.contains("… 34 more"), "{text}");
}

#[test]
fn presumed_lines() {
    let text = render("#line 100 \"z.cl\"\n BAD\n", &options());
    assert!(text.contains(" --> z.cl:100:2\n") && text.contains("100 |  BAD\n"), "{text}");
}

#[test]
fn long_lines_are_cut() {
    let text = format!("{} BAD {}", "é ".repeat(200_000), "z ".repeat(200_000));
    let text = render(&text, &options());
    assert!(text.contains(" --> a.cl:1:400002\n"), "{}", &text[..200]);
    assert!(text.len() < 2_000 && text.contains("BAD") && text.contains("^^^ here"), "{text}");
}

#[test]
fn any_range_is_shown() {
    let mut sources = SourceMap::new();
    for text in ["", "é\t\u{1}\u{202e}x\r\n\n\tß", "\n", "no newline"] {
        sources.add("f", text.to_string(), Some(Loc::at(1)));
    }
    let mut list = vec![Diagnostic::internal("x"), Diagnostic::global("two\nlines").with_label("label")];
    for start in 0..60u32 {
        for len in [0, 1, 3, 100, u32::MAX] {
            for end in [start, start + 5, start.saturating_sub(4), u32::MAX] {
                let expansion = ExpansionId(end % 3);
                let range = SourceRange { start: Loc { pos: start, expansion }, end: Loc::at(end), end_len: len };
                list.push(Diagnostic::error(range, "m").with_label("l").with_note(range, "n").with_help("h"));
            }
        }
    }
    let (sources, names) = (Arc::new(sources), Arc::new(Interner::new()));
    let count = list.len();
    let diagnostics = Diagnostics { list, suppressed: 2, sources, names };
    for color in [false, true] {
        let text = diagnostics.render(color);
        assert!(text.ends_with("error: 2 more errors not shown\n"));
    }
    assert_eq!(diagnostics.render_short().lines().count(), count);
    assert_eq!(diagnostics.error_count(), count + 2);
}

#[test]
fn warning_options() {
    let text = "#warning w\n";
    assert!(render(text, &options()).starts_with("warning: w [-W#warnings]\n"));
    assert_eq!(render(text, &options().with(|o| o.language.no_warnings = true)), "");
    assert!(
        render(text, &options().with(|o| o.language.warnings_are_errors = true))
            .starts_with("error: w [-Werror,-W#warnings]\n")
    );
}

/// The words of a module with line information.
fn with_lines(name: &str, options: &str) -> Vec<u32> {
    let options = Options::parse(options).expect("good options");
    let source = clforge_compiler::Source { name, text: b"kernel void k(global int *o) { o[0] = 1; }\n" };
    clforge_compiler::compile(source, &options).expect("a module").spirv
}

#[test]
fn line_information_does_not_depend_on_the_spelling_of_paths() {
    let plain = with_lines("a.cl", "-g");
    for name in ["./a.cl", ".//./a.cl"] {
        assert_eq!(with_lines(name, "-g"), plain, "{name}");
    }
    assert_eq!(with_lines("/home/me/src/a.cl", "-g -fdebug-prefix-map=/home/me/src/="), plain);
    assert_ne!(with_lines("b/a.cl", "-g"), plain);
}
