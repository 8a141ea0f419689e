//! Scopes of identifiers and name spaces (C99 6.2.1, 6.2.3).

use crate::hir::types::{EnumId, RecordId};
use crate::hir::{FunctionId, ModuleVariableId, PrivateVariableId, QualTy, Ty};
use clforge_basic::narrow::to_u32;
use clforge_basic::source::{Span, Symbol};
use clforge_syntax::ast::{AddressSpace, Qualifiers};

/// A type as declared: an address space only where one was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DeclTy {
    pub ty: Ty,
    pub quals: Qualifiers,
    pub space: Option<AddressSpace>,
}

impl DeclTy {
    /// No qualifiers, no address space.
    pub fn plain(ty: Ty) -> DeclTy {
        DeclTy { ty, quals: Qualifiers::empty(), space: None }
    }

    /// The type of an object that is in `default` unless it says otherwise.
    pub fn or_in(self, default: AddressSpace) -> QualTy {
        QualTy { ty: self.ty, quals: self.quals, space: self.space.unwrap_or(default) }
    }
}

/// What an ordinary identifier names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entity {
    PrivateVariable(PrivateVariableId),
    ModuleVariable(ModuleVariableId),
    /// Index of an overload set: one function unless `overloadable`.
    Functions(u32),
    Type(DeclTy),
    Constant {
        value: u64,
        ty: Ty,
    },
    /// A block variable of program scope: the block's body, and its type.
    Block(FunctionId, Ty),
    /// Declared with an error: uses are silent.
    Poisoned,
}

/// What a tag names.
#[derive(Clone, Copy, Debug)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// One name space of C: names to meanings, inner scopes hiding outer ones.
pub(super) struct Namespace<T> {
    /// By [`Symbol::index`]: one more than the index in `entries` of the innermost meaning.
    heads: Vec<u32>,
    entries: Vec<Entry<T>>,
    marks: Vec<usize>,
}

/// A name's meaning in one scope.
pub(super) struct Entry<T> {
    pub name: Symbol,
    pub entity: T,
    pub span: Span,
    pub depth: u32,
    outer: u32,
}

impl<T: Copy> Namespace<T> {
    pub fn new() -> Self {
        Namespace { heads: Vec::new(), entries: Vec::new(), marks: Vec::new() }
    }

    /// The innermost meaning.
    pub fn find(&self, name: Symbol) -> Option<&Entry<T>> {
        let head = *self.heads.get(name.index())?;
        self.entries.get((head as usize).checked_sub(1)?)
    }

    /// The meaning in the innermost scope only.
    pub fn find_here(&self, name: Symbol) -> Option<&Entry<T>> {
        self.find(name).filter(|entry| entry.depth as usize == self.marks.len())
    }

    /// The meaning at file scope.
    pub fn find_outermost(&self, name: Symbol) -> Option<&Entry<T>> {
        let mut head = *self.heads.get(name.index())?;
        while let Some(entry) = self.entries.get((head as usize).checked_sub(1)?) {
            if entry.depth == 0 {
                return Some(entry);
            }
            head = entry.outer;
        }
        None
    }

    /// Gives the name a meaning in the innermost scope.
    pub fn declare(&mut self, name: Symbol, entity: T, span: Span) {
        if self.heads.len() <= name.index() {
            self.heads.resize(name.index() + 1, 0);
        }
        let outer = self.heads[name.index()];
        self.entries.push(Entry { name, entity, span, depth: to_u32(self.marks.len()), outer });
        self.heads[name.index()] = to_u32(self.entries.len());
    }

    pub fn enter(&mut self) {
        self.marks.push(self.entries.len());
    }

    pub fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        while self.entries.len() > mark {
            if let Some(entry) = self.entries.pop() {
                self.heads[entry.name.index()] = entry.outer;
            }
        }
    }

    /// Number of open scopes: 0 at file scope.
    pub fn depth(&self) -> usize {
        self.marks.len()
    }

    /// Every visible meaning, outermost first.
    pub fn visible(&self) -> impl Iterator<Item = &Entry<T>> {
        self.entries.iter()
    }
}
