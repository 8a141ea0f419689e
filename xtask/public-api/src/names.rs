//! What a path means in a module.

use crate::sources::{Module, Workspace};

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Named {
    /// A module of a crate.
    Module(String, Vec<String>),
    /// An item of a module of a crate.
    Item(String, Vec<String>, String),
}

/// How many `use` declarations are followed; more are a circle.
const MAX_DEPTH: usize = 16;

impl Workspace {
    pub fn module(&self, krate: &str, path: &[String]) -> Option<&Module> {
        self.crates.get(krate)?.get(path)
    }

    /// What a path means that is written in a module; `None` for what other crates have, and for what is not found.
    pub fn resolve(&self, krate: &str, module: &[String], path: &[String]) -> Option<Named> {
        self.resolve_within(krate, module, path, MAX_DEPTH)
    }

    fn resolve_within(&self, krate: &str, module: &[String], path: &[String], depth: usize) -> Option<Named> {
        let depth = depth.checked_sub(1)?;
        let (first, mut rest) = path.split_first()?;
        let mut at = match first.as_str() {
            "crate" => Named::Module(krate.into(), Vec::new()),
            "self" => Named::Module(krate.into(), module.to_vec()),
            "super" => Named::Module(krate.into(), module.split_last()?.1.to_vec()),
            name => match self.lookup(krate, module, name, depth) {
                Some(named) => named,
                None if self.crates.contains_key(name) => Named::Module(name.into(), Vec::new()),
                None => return None,
            },
        };
        while let Some((next, after)) = rest.split_first() {
            let Named::Module(krate, module) = &at else { return None };
            at = match next.as_str() {
                "super" => Named::Module(krate.clone(), module.split_last()?.1.to_vec()),
                name => self.lookup(krate, module, name, depth)?,
            };
            rest = after;
        }
        Some(at)
    }

    /// What a name means in a module.
    fn lookup(&self, krate: &str, module: &[String], name: &str, depth: usize) -> Option<Named> {
        let found = self.module(krate, module)?;
        let item = || Named::Item(krate.into(), module.to_vec(), name.into());
        if found.children.contains_key(name) {
            return Some(Named::Module(krate.into(), [module, &[name.to_owned()]].concat()));
        }
        if found.items.contains_key(name) {
            return Some(item());
        }
        let named = found.uses.iter().filter(|declaration| declaration.name == name);
        for declaration in named {
            if let Some(named) = self.resolve_within(krate, module, &declaration.path, depth) {
                return Some(named);
            }
        }
        for declaration in found.uses.iter().filter(|declaration| declaration.name == "*") {
            if let Some(Named::Module(krate, module)) = self.resolve_within(krate, module, &declaration.path, depth)
                && let Some(named) = self.lookup(&krate, &module, name, depth.checked_sub(1)?)
            {
                return Some(named);
            }
        }
        made_by_macro(found, name).then(item)
    }
}

/// Whether a call of a macro in a module declares a type of a name: `struct NAME`, `enum NAME`, or the `set NAME` of the
/// tables of drivers' flags.
pub fn made_by_macro(module: &Module, name: &str) -> bool {
    made_by_macros(module).iter().any(|made| made == name)
}

/// The names of the types that calls of macros in a module declare.
pub fn made_by_macros(module: &Module) -> Vec<String> {
    let mut names = Vec::new();
    for call in &module.calls {
        let mut declares = false;
        for token in call.clone() {
            let text = token.to_string();
            if declares {
                names.push(text.clone());
            }
            declares = matches!(text.as_str(), "struct" | "enum" | "set");
        }
    }
    names
}
