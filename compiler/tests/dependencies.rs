//! What the compiler says about included files, and files included before the source.

use clforge_compiler::options::{IncludeLoader, IncludedFile};
use clforge_compiler::{Options, Source, Stage, check, compile, print};
use std::sync::Arc;

/// Files of the folder `inc`, each of which defines what its name says.
struct Loader;

impl IncludeLoader for Loader {
    fn load(&self, path: &str, _: &str, _: bool) -> Option<IncludedFile> {
        let text = match path {
            "once.h" => "#pragma once\n#define ONCE 1\n",
            "nested.h" => "#include \"once.h\"\n#define NESTED ONCE\n",
            "first.h" => "#define FIRST GIVEN\n",
            _ => return None,
        };
        Some(IncludedFile { name: format!("inc/{path}"), text: text.into() })
    }
}

#[test]
fn dependencies_are_all_included_files_once() {
    let text = "#include \"nested.h\"\n#include <once.h>\n#include \"nested.h\"\n#if __has_include(\"first.h\")\n#endif\n\
                kernel void k(global int *p) { *p = NESTED; }\n";
    let source = Source { name: "k.cl", text: text.as_bytes() };
    let options = Options::default().with_includes(Arc::new(Loader));
    let expected = ["inc/nested.h", "inc/once.h"];
    assert_eq!(compile(source, &options).unwrap().dependencies, expected);
    assert_eq!(check(source, &options).unwrap().dependencies, expected);
    assert_eq!(print(source, &options, Stage::Preprocessed).unwrap().dependencies, expected);
    assert_eq!(print(source, &options, Stage::Asm).unwrap().dependencies, expected);
}

#[test]
fn files_are_included_before_the_source_after_the_macros() {
    let source = Source { name: "k.cl", text: b"#ifdef ONCE\nint value = FIRST;\n#endif\n" };
    let mut options = Options::default().with_includes(Arc::new(Loader)).with_macro("GIVEN", "42");
    options.language.included = vec!["first.h".into(), "once.h".into()];
    let printed = print(source, &options, Stage::Preprocessed).unwrap();
    assert!(printed.text.contains("int value = 42;"), "{}", printed.text);
    assert_eq!(printed.dependencies, ["inc/first.h", "inc/once.h"]);
    let options = options.with(|o| o.language.included = vec!["nowhere.h".into()]);
    let message = check(source, &options).err().unwrap().render(false);
    assert!(message.starts_with("error: 'nowhere.h' file not found"), "{message}");
}

#[test]
fn checking_finds_mistakes_and_warnings() {
    let check = |text: &str| check(Source { name: "k.cl", text: text.as_bytes() }, &Options::default());
    assert!(check("kernel void k() { x; }").is_err());
    let checked = check("kernel void k(global int *p) { p[0] == 1; }").unwrap();
    assert_eq!(checked.warnings.list.len(), 1);
    assert_eq!(checked.warnings.list[0].option().as_deref(), Some("-Wunused-comparison"));
}
