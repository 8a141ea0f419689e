//! The functions of one name, which are found by the types of their parameters too: a program may have thousands.

use crate::hir::{FunctionId, Ty};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The types of a function's parameters, or of a call's arguments.
pub(super) type Types = SmallVec<[Ty; 4]>;

/// Why overload resolution found no function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OverloadError {
    NoViableFunction,
    Ambiguous,
}

/// What [`super::scope::Entity::Functions`] names.
#[derive(Default)]
pub(super) struct OverloadSet {
    functions: SmallVec<[FunctionId; 1]>,
    by_parameters: FxHashMap<Types, FunctionId>,
    /// What earlier calls have chosen.
    chosen: FxHashMap<Types, Result<FunctionId, OverloadError>>,
}

impl OverloadSet {
    /// In the order of their declarations.
    pub fn functions(&self) -> &[FunctionId] {
        &self.functions
    }

    /// Adds an overload.
    pub fn push(&mut self, function: FunctionId, parameters: Types) {
        self.functions.push(function);
        self.by_parameters.entry(parameters).or_insert(function);
        self.chosen.clear();
    }

    /// The overload whose parameters have exactly these types.
    pub fn exact(&self, types: &Types) -> Option<FunctionId> {
        self.by_parameters.get(types).copied()
    }

    /// What a call with arguments of these types has chosen before, if no overload came since.
    pub fn chosen(&self, arguments: &Types) -> Option<Result<FunctionId, OverloadError>> {
        self.chosen.get(arguments).copied()
    }

    /// Keeps what a call has chosen; it must not depend on the arguments' values.
    pub fn choose(&mut self, arguments: Types, chosen: Result<FunctionId, OverloadError>) {
        self.chosen.insert(arguments, chosen);
    }
}
