//! The modules of the crates, as rustc finds their files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use syn::{Attribute, Item, ItemImpl, UseTree, Visibility};

/// All crates, by name.
#[derive(Default)]
pub struct Workspace {
    pub crates: BTreeMap<String, Crate>,
}

/// The modules of a crate, by their paths; the root's is empty.
pub type Crate = BTreeMap<Vec<String>, Module>;

/// A module, without what tests and nobody see.
#[derive(Default)]
pub struct Module {
    /// Declared items with a name, except modules.
    pub items: BTreeMap<String, Item>,
    /// Whether each child module is public.
    pub children: BTreeMap<String, bool>,
    pub uses: Vec<Use>,
    pub impls: Vec<ItemImpl>,
    /// The tokens of calls of macros, which may declare items.
    pub calls: Vec<proc_macro2::TokenStream>,
}

/// A name that a `use` declaration brings into a module; `*` for all names of a module.
pub struct Use {
    pub name: String,
    pub path: Vec<String>,
    pub is_public: bool,
}

impl Workspace {
    /// Loads a crate whose root is `lib.rs` in a folder.
    pub fn load(&mut self, name: &str, folder: &Path) -> Result<(), String> {
        let mut modules = Crate::new();
        load_file(&folder.join("lib.rs"), folder, &[], &mut modules)?;
        self.crates.insert(name.into(), modules);
        Ok(())
    }
}

/// Loads a file, which is the module of a path, and the files of its children in a folder.
fn load_file(file: &Path, folder: &Path, path: &[String], modules: &mut Crate) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let parsed = syn::parse_file(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    load_items(parsed.items, folder, path, modules)
}

fn load_items(items: Vec<Item>, folder: &Path, path: &[String], modules: &mut Crate) -> Result<(), String> {
    let mut module = Module::default();
    for item in items {
        if is_hidden(attributes(&item)) {
            continue;
        }
        match item {
            Item::Mod(child) => {
                let name = child.ident.to_string();
                module.children.insert(name.clone(), is_public(&child.vis));
                let path = [path, std::slice::from_ref(&name)].concat();
                match child.content {
                    Some((_, items)) => load_items(items, &folder.join(&name), &path, modules)?,
                    None => load_file(&file_of(folder, &name), &folder.join(&name), &path, modules)?,
                }
            }
            Item::Use(declaration) => {
                flatten(&declaration.tree, &mut Vec::new(), is_public(&declaration.vis), &mut module.uses);
            }
            Item::Impl(block) => module.impls.push(block),
            Item::Macro(call) if call.ident.is_none() => module.calls.push(call.mac.tokens),
            item => {
                if let Some(name) = name_of(&item) {
                    module.items.insert(name, item);
                }
            }
        }
    }
    modules.insert(path.to_vec(), module);
    Ok(())
}

fn file_of(folder: &Path, name: &str) -> PathBuf {
    let file = folder.join(format!("{name}.rs"));
    if file.exists() { file } else { folder.join(name).join("mod.rs") }
}

fn flatten(tree: &UseTree, path: &mut Vec<String>, is_public: bool, uses: &mut Vec<Use>) {
    match tree {
        UseTree::Path(part) => {
            path.push(part.ident.to_string());
            flatten(&part.tree, path, is_public, uses);
            path.pop();
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| flatten(tree, path, is_public, uses)),
        UseTree::Name(name) if name.ident == "self" => {
            let name = path.last().cloned().unwrap_or_default();
            uses.push(Use { name, path: path.clone(), is_public });
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            uses.push(Use { path: [&path[..], std::slice::from_ref(&name)].concat(), name, is_public });
        }
        UseTree::Rename(renamed) => {
            let path = [&path[..], &[renamed.ident.to_string()]].concat();
            uses.push(Use { name: renamed.rename.to_string(), path, is_public });
        }
        UseTree::Glob(_) => uses.push(Use { name: "*".into(), path: path.clone(), is_public }),
    }
}

pub fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Whether an item is for tests, or hidden from the documentation.
pub fn is_hidden(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let text = crate::text::of(attribute);
        text == "#[cfg(test)]" || text == "#[cfg(doctest)]" || text == "#[doc(hidden)]"
    })
}

pub fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

pub fn visibility(item: &Item) -> Option<&Visibility> {
    Some(match item {
        Item::Const(item) => &item.vis,
        Item::Enum(item) => &item.vis,
        Item::Fn(item) => &item.vis,
        Item::Static(item) => &item.vis,
        Item::Struct(item) => &item.vis,
        Item::Trait(item) => &item.vis,
        Item::Type(item) => &item.vis,
        Item::Union(item) => &item.vis,
        _ => return None,
    })
}

fn name_of(item: &Item) -> Option<String> {
    Some(match item {
        Item::Const(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Static(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Union(item) => item.ident.to_string(),
        _ => return None,
    })
}
