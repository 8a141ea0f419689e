//! Declarations as text of C, C++ and Rust.

use super::Kernel;
use super::parts::{Block, Member, Type};
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
    for record in &kernel.records {
        let shape = Shape { name: &record.name, members: &record.members, size: Some(record.size) };
        shape.write(name, language, &mut text);
    }
    for block in &kernel.blocks {
        Shape { name: block_name(block, language), members: &block.members, size: None }
            .write(name, language, &mut text);
    }
    match language {
        Language::C => {}
        Language::Cpp => text += &format!("\n}} // namespace {name}\n"),
        Language::Rust => text += "}\n",
    }
    text
}

fn block_name(block: &Block, language: Language) -> &'static str {
    match (language, block.name) {
        (Language::C, name) => name,
        (_, "push_constants") => "PushConstants",
        _ => "Uniforms",
    }
}

/// A structure to be written.
struct Shape<'a> {
    name: &'a str,
    members: &'a [Member],
    /// The bytes of the whole, where its end counts.
    size: Option<u32>,
}

impl Shape<'_> {
    fn write(&self, kernel: &str, language: Language, text: &mut String) {
        let members = || self.members.iter().map(|of| c_member(of, kernel, language)).collect::<String>();
        *text += &match language {
            Language::C => {
                let type_name = format!("{kernel}_{}", self.name);
                let asserts = self.c_asserts("_Static_assert", &format!("struct {type_name}"));
                format!(
                    "\nstruct {type_name} {{\n{}}};\n\n#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n\
                     {asserts}#endif\n",
                    members()
                )
            }
            Language::Cpp => {
                let asserts = self.c_asserts("static_assert", self.name);
                format!("\nstruct {} {{\n{}}};\n\n{asserts}", self.name, members())
            }
            Language::Rust => self.rust(),
        };
    }

    fn c_asserts(&self, keyword: &str, type_name: &str) -> String {
        let assert = |Member { name, offset, .. }: &Member| {
            format!("{keyword}(offsetof({type_name}, {name}) == {offset}, \"{type_name}.{name}\");\n")
        };
        let size = self.size.map(|size| format!("{keyword}(sizeof({type_name}) == {size}, \"{type_name}\");\n"));
        self.members.iter().map(assert).chain(size).collect()
    }

    fn rust(&self) -> String {
        let (type_name, size) = (self.name, self.size);
        let allowed = if size.is_some() { "    #[allow(non_camel_case_types)]\n" } else { "" };
        let mut text =
            format!("\n    #[repr(C)]\n{allowed}    #[derive(Clone, Copy, Debug)]\n    pub struct {type_name} {{\n");
        for Member { name, of, count, .. } in self.members {
            let of = match of {
                Type::Scalar(scalar) => scalar.rust,
                Type::Record(record) => &record.name,
            };
            let of = count.map_or_else(|| of.to_owned(), |count| format!("[{of}; {count}]"));
            let _ = writeln!(text, "        pub {name}: {of},");
        }
        text += "    }\n\n";
        for Member { name, offset, .. } in self.members {
            let _ =
                writeln!(text, "    const _: () = assert!(core::mem::offset_of!({type_name}, {name}) == {offset});");
        }
        if let Some(size) = size {
            let _ = writeln!(text, "    const _: () = assert!(core::mem::size_of::<{type_name}>() == {size});");
        }
        text
    }
}

fn c_member(member: &Member, kernel: &str, language: Language) -> String {
    let Member { name, of, count, .. } = member;
    let of = match of {
        Type::Scalar(scalar) if language == Language::Cpp && scalar.c.ends_with("_t") => format!("std::{}", scalar.c),
        Type::Scalar(scalar) => scalar.c.to_owned(),
        // With the keyword a member may have the name of its type in C++, too.
        Type::Record(record) if language == Language::Cpp => format!("struct {}", record.name),
        Type::Record(record) => format!("struct {kernel}_{}", record.name),
    };
    let count = count.map(|count| format!("[{count}]")).unwrap_or_default();
    format!("    {of} {name}{count};\n")
}
