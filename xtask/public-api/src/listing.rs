//! The list of a library's interface: one line for each item, field, variant, function and implementation, by its path.

use crate::names::{Named, made_by_macros};
use crate::sources::{Module, Workspace, attributes, is_hidden, is_public, visibility};
use crate::text;
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::Visit;
use syn::{Fields, ImplItem, Item, ItemImpl, TraitItem};

const HEAD: &str =
    "# The public interface: cargo xtask tidy compares this list with the sources, and writes it with --write.\n";

/// Types that fields of diagnostics have and callers only hand on: `Diagnostics::render` and `diag::Place` read them.
const OPAQUE: [&str; 3] = ["Interner", "Loc", "SourceMap"];

/// A list under way.
struct Listing<'w> {
    workspace: &'w Workspace,
    lines: BTreeSet<String>,
    /// Items and modules that are listed.
    listed: BTreeSet<Named>,
    /// What signatures name, with the line that does.
    mentioned: BTreeMap<Named, String>,
}

/// The list of a library, and complaints about what its signatures name and it does not export.
pub fn list(workspace: &Workspace, library: &str) -> Result<(String, Vec<String>), String> {
    let mut listing =
        Listing { workspace, lines: BTreeSet::new(), listed: BTreeSet::new(), mentioned: BTreeMap::new() };
    if workspace.module(library, &[]).is_none() {
        return Err(format!("there is no crate '{library}'"));
    }
    listing.module(library, library, &[]);
    let lines: String = listing.lines.iter().map(|line| format!("{line}\n")).collect();
    let is_opaque = |named: &Named| matches!(named, Named::Item(_, _, name) if OPAQUE.contains(&name.as_str()));
    let hidden = listing.mentioned.iter().filter(|(named, _)| !listing.listed.contains(named) && !is_opaque(named));
    let complaints = hidden.map(|(named, line)| match named {
        Named::Item(krate, module, name) => {
            format!(
                "{library}: '{krate}::{}' is not exported, but named by: {line}",
                [module, &[name.clone()][..]].concat().join("::")
            )
        }
        Named::Module(krate, module) => format!("{library}: '{krate}::{}' is not exported: {line}", module.join("::")),
    });
    Ok((format!("{HEAD}{lines}"), complaints.collect()))
}

impl<'w> Listing<'w> {
    fn module(&mut self, prefix: &str, krate: &str, path: &[String]) {
        let workspace = self.workspace;
        let Some(module) = workspace.module(krate, path) else { return };
        if !self.listed.insert(Named::Module(krate.into(), path.to_vec())) {
            self.lines.insert(format!("mod {prefix} = {}", [&[krate.to_owned()], path].concat().join("::")));
            return;
        }
        for (name, _) in module.children.iter().filter(|(_, is_public)| **is_public) {
            self.module(&format!("{prefix}::{name}"), krate, &[path, std::slice::from_ref(name)].concat());
        }
        for (name, item) in &module.items {
            if visibility(item).is_some_and(is_public) {
                self.item(&format!("{prefix}::{name}"), krate, path, item);
                self.listed.insert(Named::Item(krate.into(), path.to_vec(), name.clone()));
            }
        }
        for name in made_by_macros(module) {
            self.made(&format!("{prefix}::{name}"), krate, path, &name);
        }
        for used in module.uses.iter().filter(|used| used.is_public) {
            match workspace.resolve(krate, path, &used.path) {
                Some(Named::Module(krate, path)) if used.name == "*" => self.module(prefix, &krate, &path),
                Some(Named::Module(krate, path)) => self.module(&format!("{prefix}::{}", used.name), &krate, &path),
                Some(Named::Item(krate, path, name)) => {
                    self.exported(&format!("{prefix}::{}", used.name), &krate, &path, &name)
                }
                None => {
                    self.lines.insert(format!("use {prefix}::{} = {}", used.name, used.path.join("::")));
                }
            }
        }
    }

    /// An item that a module re-exports.
    fn exported(&mut self, prefix: &str, krate: &str, path: &[String], name: &str) {
        let is_first = self.listed.insert(Named::Item(krate.into(), path.to_vec(), name.into()));
        let item = self.workspace.module(krate, path).and_then(|module| module.items.get(name));
        match item {
            Some(item) if is_first || matches!(item, Item::Fn(_)) => self.item(prefix, krate, path, item),
            Some(_) => {
                let full = [&[krate.to_owned()], path, &[name.to_owned()]].concat().join("::");
                self.lines.insert(format!("use {prefix} = {full}"));
            }
            None => self.made(prefix, krate, path, name),
        }
    }

    /// A type that a macro makes.
    fn made(&mut self, prefix: &str, krate: &str, path: &[String], name: &str) {
        self.listed.insert(Named::Item(krate.into(), path.to_vec(), name.into()));
        self.lines.insert(format!("type {prefix} (a macro declares it)"));
        self.implementations(prefix, krate, path, name);
    }

    fn item(&mut self, prefix: &str, krate: &str, path: &[String], item: &'w Item) {
        let marks = marks(item);
        let name = prefix.rsplit("::").next().unwrap_or_default();
        match item {
            Item::Fn(item) => self.line(krate, path, signature(&item.sig, prefix), &item.sig),
            Item::Const(item) => {
                self.line(krate, path, format!("const {prefix}: {}", text::of(&item.ty)), &*item.ty);
            }
            Item::Static(item) => {
                self.line(krate, path, format!("static {prefix}: {}", text::of(&item.ty)), &*item.ty);
            }
            Item::Type(item) => {
                self.line(krate, path, format!("type {prefix} = {}", text::of(&item.ty)), &*item.ty);
            }
            Item::Struct(item) => {
                self.lines.insert(format!("struct {prefix}{}{marks}", text::of(&item.generics)));
                self.fields(krate, path, prefix, &item.fields, false);
            }
            Item::Enum(item) => {
                self.lines.insert(format!("enum {prefix}{}{marks}", text::of(&item.generics)));
                for variant in item.variants.iter().filter(|variant| !is_hidden(&variant.attrs)) {
                    let prefix = format!("{prefix}::{}", variant.ident);
                    self.lines.insert(format!("variant {prefix}"));
                    self.fields(krate, path, &prefix, &variant.fields, true);
                }
            }
            Item::Trait(item) => {
                let bounds = if item.supertraits.is_empty() {
                    String::new()
                } else {
                    format!(": {}", text::of(&item.supertraits))
                };
                self.lines.insert(format!("trait {prefix}{}{bounds}", text::of(&item.generics)));
                for part in &item.items {
                    if let TraitItem::Fn(function) = part {
                        let prefix = format!("{prefix}::{}", function.sig.ident);
                        let end = if function.default.is_some() { " (provided)" } else { "" };
                        let line = format!("{}{end}", signature(&function.sig, &prefix));
                        self.line(krate, path, line, &function.sig);
                    }
                }
            }
            _ => return,
        }
        // Re-exports may rename; implementations have the name of the declaration.
        let declared = declared_name(item).unwrap_or_else(|| name.to_owned());
        self.implementations(prefix, krate, path, &declared);
    }

    fn fields(&mut self, krate: &str, path: &[String], prefix: &str, fields: &'w Fields, all: bool) {
        for (index, field) in fields.iter().enumerate() {
            if (all || is_public(&field.vis)) && !is_hidden(&field.attrs) {
                let name = field.ident.as_ref().map_or_else(|| index.to_string(), ToString::to_string);
                let line = format!("field {prefix}::{name}: {}", text::of(&field.ty));
                self.line(krate, path, line, &field.ty);
            }
        }
    }

    /// The functions and traits of a type, from all blocks of its crate.
    fn implementations(&mut self, prefix: &str, krate: &str, path: &[String], name: &str) {
        let workspace = self.workspace;
        let target = Named::Item(krate.into(), path.to_vec(), name.into());
        let Some(modules) = workspace.crates.get(krate) else { return };
        for (module, Module { impls, .. }) in modules {
            for block in impls {
                if self.type_of(krate, module, block).as_ref() == Some(&target) {
                    self.block(prefix, krate, module, block);
                }
            }
        }
    }

    fn type_of(&self, krate: &str, module: &[String], block: &ItemImpl) -> Option<Named> {
        let syn::Type::Path(path) = &*block.self_ty else { return None };
        self.workspace.resolve(krate, module, &segments(&path.path))
    }

    fn block(&mut self, prefix: &str, krate: &str, module: &[String], block: &'w ItemImpl) {
        if let Some((not, of, _)) = &block.trait_ {
            let not = if not.is_some() { "!" } else { "" };
            let of_type = text::of(&block.self_ty);
            let generics = text::of(&block.generics);
            // A trait of the crate that nobody sees is none of the interface.
            let found = self.workspace.resolve(krate, module, &segments(of));
            if !found.is_some_and(|named| self.is_private(&named)) {
                self.lines.insert(format!("impl{generics} {not}{} for {prefix} ({of_type})", text::of(of)));
            }
            return;
        }
        for item in &block.items {
            match item {
                ImplItem::Fn(function) if is_public(&function.vis) && !is_hidden(&function.attrs) => {
                    let prefix = format!("{prefix}::{}", function.sig.ident);
                    self.line(krate, module, signature(&function.sig, &prefix), &function.sig);
                }
                ImplItem::Const(constant) if is_public(&constant.vis) && !is_hidden(&constant.attrs) => {
                    let prefix = format!("{prefix}::{}", constant.ident);
                    let line = format!("const {prefix}: {}", text::of(&constant.ty));
                    self.line(krate, module, line, &constant.ty);
                }
                _ => {}
            }
        }
    }

    fn is_private(&self, named: &Named) -> bool {
        let Named::Item(krate, path, name) = named else { return false };
        let item = self.workspace.module(krate, path).and_then(|module| module.items.get(name));
        item.is_some_and(|item| !visibility(item).is_some_and(is_public))
    }

    /// A line, and what its types name.
    fn line<T: Names>(&mut self, krate: &str, module: &[String], line: String, types: &T) {
        let mut paths = Paths::default();
        types.visit(&mut paths);
        for path in paths.found {
            if let Some(named) = self.workspace.resolve(krate, module, &path) {
                self.mentioned.entry(named).or_insert_with(|| line.clone());
            }
        }
        self.lines.insert(line);
    }
}

/// What names types.
trait Names {
    fn visit(&self, paths: &mut Paths);
}

impl Names for syn::Type {
    fn visit(&self, paths: &mut Paths) {
        paths.visit_type(self);
    }
}

impl Names for syn::Signature {
    fn visit(&self, paths: &mut Paths) {
        paths.visit_signature(self);
    }
}

/// The paths in types.
#[derive(Default)]
struct Paths {
    found: Vec<Vec<String>>,
}

impl<'t> Visit<'t> for Paths {
    fn visit_path(&mut self, path: &'t syn::Path) {
        self.found.push(segments(path));
        syn::visit::visit_path(self, path);
    }
}

fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

fn signature(signature: &syn::Signature, path: &str) -> String {
    let text = text::of(signature).replacen("(mut self", "(self", 1);
    let name = format!("fn {}", signature.ident);
    text.replacen(&name, &format!("fn {path}"), 1)
}

fn declared_name(item: &Item) -> Option<String> {
    match item {
        Item::Struct(item) => Some(item.ident.to_string()),
        Item::Enum(item) => Some(item.ident.to_string()),
        _ => None,
    }
}

/// What attributes say of a type: derived traits, and whether it may get more parts.
fn marks(item: &Item) -> String {
    let mut traits = BTreeSet::new();
    let mut marks = String::new();
    for attribute in attributes(item) {
        if attribute.path().is_ident("non_exhaustive") {
            marks += " #[non_exhaustive]";
        }
        if attribute.path().is_ident("derive") {
            let _ = attribute.parse_nested_meta(|meta| {
                traits.extend(meta.path.segments.last().map(|segment| segment.ident.to_string()));
                Ok(())
            });
        }
    }
    if !traits.is_empty() {
        marks += &format!(": {}", traits.into_iter().collect::<Vec<_>>().join(" + "));
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list of a library with one other crate behind it, without its head, and the complaints.
    fn listed(library: &str, other: &str) -> (Vec<String>, Vec<String>) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut workspace = Workspace::default();
        for (name, text) in [("library", library), ("other", other)] {
            let source = folder.path().join(name);
            std::fs::create_dir_all(&source).expect("a folder");
            std::fs::write(source.join("lib.rs"), text).expect("a file");
            workspace.load(name, &source).expect("a crate");
        }
        let (list, complaints) = list(&workspace, "library").expect("a list");
        (list.lines().skip(1).map(String::from).collect(), complaints)
    }

    #[test]
    fn items_fields_and_functions_are_listed() {
        let library = "
            #[derive(Clone, Debug)] #[non_exhaustive]
            pub struct A { pub x: Vec<u8>, y: u32 }
            impl A { pub fn new(x: &[u8], n: usize) -> Option<A> { None } fn private(&self) {} }
            impl std::fmt::Display for A {}
            pub enum E { One, Two(u8) }
            mod hidden { pub fn f() {} }
            pub use hidden::f;
            #[doc(hidden)] pub fn g() {}
            #[cfg(test)] mod tests { pub fn h() {} }";
        let expected = [
            "enum library::E",
            "field library::A::x: Vec<u8>",
            "field library::E::Two::0: u8",
            "fn library::A::new(x: &[u8], n: usize) -> Option<A>",
            "fn library::f()",
            "impl std::fmt::Display for library::A (A)",
            "struct library::A #[non_exhaustive]: Clone + Debug",
            "variant library::E::One",
            "variant library::E::Two",
        ];
        assert_eq!(listed(library, ""), (expected.map(String::from).to_vec(), Vec::new()));
    }

    #[test]
    fn items_of_other_crates_have_the_path_of_the_library() {
        let (list, complaints) = listed("pub use other::inner::{self, T};", "pub mod inner { pub struct T; }");
        assert_eq!(list, ["struct library::inner::T", "use library::T = other::inner::T"]);
        assert_eq!(complaints, Vec::<String>::new());
    }

    #[test]
    fn types_that_are_not_exported_are_found() {
        let (_, complaints) = listed("pub use other::f;", "pub struct T; pub fn f() -> T { T }");
        assert_eq!(complaints, ["library: 'other::T' is not exported, but named by: fn library::f() -> T"]);
    }
}
