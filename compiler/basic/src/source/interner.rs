//! Interned spellings.

use rustc_hash::FxBuildHasher;
use string_interner::{StringInterner, Symbol as _, backend::StringBackend, symbol::SymbolU32};

/// An interned string. Two symbols of one [`Interner`] are equal exactly when their texts are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(SymbolU32);

impl Symbol {
    /// A dense number, counting from 0 in order of first interning.
    pub fn index(self) -> usize {
        self.0.to_usize()
    }
}

/// Owns every spelling of a compilation.
pub struct Interner {
    strings: StringInterner<StringBackend<SymbolU32>, FxBuildHasher>,
}

/// Spellings of a small program, so that its table does not grow.
const FEW: usize = 200;

impl Interner {
    /// An empty interner; the empty string is symbol 0.
    pub fn new() -> Interner {
        let mut strings = StringInterner::with_capacity_and_hasher(FEW, FxBuildHasher);
        strings.get_or_intern("");
        Interner { strings }
    }

    /// The symbol of `text`.
    pub fn intern(&mut self, text: &str) -> Symbol {
        Symbol(self.strings.get_or_intern(text))
    }

    /// The symbol of `text` if it was interned before.
    pub fn get(&self, text: &str) -> Option<Symbol> {
        self.strings.get(text).map(Symbol)
    }

    /// The text of a symbol of this interner.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.strings.resolve(symbol.0).unwrap_or("")
    }

    /// The symbol of the empty string.
    pub fn empty(&self) -> Symbol {
        Symbol(SymbolU32::try_from_usize(0).expect("symbol 0 exists"))
    }
}

impl Default for Interner {
    fn default() -> Self {
        Interner::new()
    }
}
