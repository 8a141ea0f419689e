//! Declarations as text of C, C++ and Rust.

use super::{Block, Kernel, Member};
use std::fmt::Write;

/// A language of declarations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C99; offsets are asserted from C11 on.
    C,
    /// C++11.
    Cpp,
    /// Rust 1.77.
    Rust,
}

pub fn write(kernels: &[Kernel], file: &str, language: Language) -> String {
    // Neither ends the comment.
    let file: String = file.chars().filter(|c| !c.is_control()).map(|c| if c == '*' { '_' } else { c }).collect();
    let kernels: Vec<String> = kernels.iter().map(|kernel| declarations(kernel, language)).collect();
    let kernels = kernels.join("\n");
    match language {
        Language::C => format!(
            "/* The kernels of {file}; made by clforge reflect. */\n#pragma once\n\n#include <stddef.h>\n\
             #include <stdint.h>\n\n{kernels}"
        ),
        Language::Cpp => format!(
            "// The kernels of {file}; made by clforge reflect.\n#pragma once\n\n#include <cstddef>\n\
             #include <cstdint>\n\n{kernels}"
        ),
        Language::Rust => format!("// The kernels of {file}; made by clforge reflect.\n\n{kernels}"),
    }
}

/// What stands between quotation marks in each of the languages.
fn literal(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_control());
    kept.flat_map(|c| ['\\'].into_iter().filter(move |_| ['"', '\\'].contains(&c)).chain([c])).collect()
}

/// Writing to a string does not fail.
fn declarations(kernel: &Kernel, language: Language) -> String {
    let (name, entry_point) = (&kernel.name, literal(&kernel.entry_point));
    let upper = name.to_uppercase();
    let mut text = match language {
        Language::C => format!("#define {upper}_NAME \"{entry_point}\"\n"),
        Language::Cpp => format!("namespace {name} {{\n\nconstexpr char NAME[] = \"{entry_point}\";\n"),
        Language::Rust => format!(
            "#[allow(dead_code, non_snake_case)]\npub mod {name} {{\n    pub const NAME: &str = \"{entry_point}\";\n"
        ),
    };
    for (constant, value) in &kernel.constants {
        let _ = match language {
            Language::C => writeln!(text, "#define {upper}_{constant} {value}u"),
            Language::Cpp => writeln!(text, "constexpr std::uint32_t {constant} = {value};"),
            Language::Rust => writeln!(text, "    pub const {constant}: u32 = {value};"),
        };
    }
    kernel.blocks.iter().for_each(|block| structure(block, name, language, &mut text));
    match language {
        Language::C => {}
        Language::Cpp => text += &format!("\n}} // namespace {name}\n"),
        Language::Rust => text += "}\n",
    }
    text
}

fn structure(block: &Block, kernel: &str, language: Language, text: &mut String) {
    let type_name = match (language, block.name) {
        (Language::C, block) => format!("{kernel}_{block}"),
        (_, "push_constants") => "PushConstants".to_owned(),
        _ => "Uniforms".to_owned(),
    };
    let c_asserts = |keyword: &str, type_name: &str| {
        let assert = |member: &Member| {
            let (name, offset) = (&member.name, member.offset);
            format!("{keyword}(offsetof({type_name}, {name}) == {offset}, \"{type_name}.{name}\");\n")
        };
        block.members.iter().map(assert).collect::<String>()
    };
    let members = |prefix: &str| block.members.iter().map(|of| c_member(of, prefix)).collect::<String>();
    *text += &match language {
        Language::C => {
            let asserts = c_asserts("_Static_assert", &format!("struct {type_name}"));
            format!(
                "\nstruct {type_name} {{\n{}}};\n\n#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n\
                 {asserts}#endif\n",
                members("")
            )
        }
        Language::Cpp => {
            let asserts = c_asserts("static_assert", &type_name);
            format!("\nstruct {type_name} {{\n{}}};\n\n{asserts}", members("std::"))
        }
        Language::Rust => rust_structure(block, &type_name),
    };
}

fn c_member(member: &Member, prefix: &str) -> String {
    let Member { name, scalar, count, .. } = member;
    let prefix = if scalar.c.ends_with("_t") { prefix } else { "" };
    let count = count.map(|count| format!("[{count}]")).unwrap_or_default();
    format!("    {prefix}{} {name}{count};\n", scalar.c)
}

fn rust_structure(block: &Block, type_name: &str) -> String {
    let mut text = format!("\n    #[repr(C)]\n    #[derive(Clone, Copy, Debug)]\n    pub struct {type_name} {{\n");
    for Member { name, scalar, count, .. } in &block.members {
        let rust = count.map_or_else(|| scalar.rust.to_owned(), |count| format!("[{}; {count}]", scalar.rust));
        let _ = writeln!(text, "        pub {name}: {rust},");
    }
    text += "    }\n\n";
    for Member { name, offset, .. } in &block.members {
        let _ = writeln!(text, "    const _: () = assert!(core::mem::offset_of!({type_name}, {name}) == {offset});");
    }
    text
}
