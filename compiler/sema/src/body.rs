//! The state of the function body being checked: what clang calls a function scope.

use crate::builtins::BuiltinId;
use crate::hir::{
    CaseLabel, Function, FunctionId, LabelId, ModuleVariableId, PrivateVariable, PrivateVariableId, Stmt, Ty,
};
use clforge_basic::source::{Span, Symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use typed_index_collections::TiVec;

/// A label of the function.
#[derive(Clone, Copy, Debug)]
pub(super) struct Label {
    pub id: LabelId,
    pub defined: Option<Span>,
    pub used: Option<Span>,
}

/// A `switch` being checked.
pub(super) struct Switch {
    pub ty: Ty,
    pub cases: Vec<CaseLabel>,
    /// Single values, for duplicates.
    pub values: FxHashMap<u64, Span>,
    /// Indices of `cases` that are ranges.
    pub ranges: Vec<u32>,
    pub default: Option<Span>,
}

/// The function body being checked; its lists move into the [`Function`] at the end.
pub(super) struct Body {
    pub function: Option<FunctionId>,
    pub result: Ty,
    pub is_kernel: bool,
    pub variables: TiVec<PrivateVariableId, PrivateVariable>,
    /// Values of `const` integer variables, which array sizes may use.
    pub constants: FxHashMap<PrivateVariableId, u64>,
    pub labels: FxHashMap<Symbol, Label>,
    pub label_count: u32,
    /// Labels of blocks (`__label__`) that are open, with what they hide.
    pub local_labels: Vec<(Symbol, Option<Label>)>,
    /// Undeclared names that have been reported.
    pub undeclared: FxHashSet<Symbol>,
    /// What is known of the uses of `locals`.
    pub uses: TiVec<PrivateVariableId, VariableUse>,
    /// Whether a `return` was met.
    pub returns: bool,
    /// Whether statements are missing, since they have syntax errors: what they declare and define is not known.
    pub has_skipped: bool,
    pub loops: u32,
    pub switches: Vec<Switch>,
    /// Loops and switches around: what `break` leaves.
    pub breakable: u32,
    /// Conditions and steps of loops around: `break` and `continue` of a statement expression there are the loop's.
    pub loop_heads: u32,
    /// Statement expressions around.
    pub expressions: u32,
    /// Jumps met in statement expressions.
    pub expression_jumps: u32,
    /// Number of scopes around the body: names declared in more are its own.
    pub outer_scopes: usize,
    /// Block variables and the bodies of their blocks.
    pub blocks: FxHashMap<PrivateVariableId, FunctionId>,
    /// Of the body of a block: what it captures.
    pub captures: Vec<Capture>,
    /// The result of a block without a written one is that of its first `return`: `None` until there is one.
    pub deduced_result: Option<Option<Ty>>,
    pub callees: Vec<FunctionId>,
    pub called: FxHashSet<FunctionId>,
    pub builtins: Vec<BuiltinId>,
    pub called_builtins: FxHashSet<BuiltinId>,
    /// Tentative definitions (C99 6.9.2): zero unless a later declaration initialises them; kept from body to body.
    pub tentative: Vec<ModuleVariableId>,
}

impl Default for Body {
    fn default() -> Body {
        Body {
            function: None,
            result: Ty::VOID,
            is_kernel: false,
            variables: TiVec::new(),
            constants: FxHashMap::default(),
            labels: FxHashMap::default(),
            label_count: 0,
            local_labels: Vec::new(),
            undeclared: FxHashSet::default(),
            uses: TiVec::new(),
            returns: false,
            has_skipped: false,
            loops: 0,
            switches: Vec::new(),
            breakable: 0,
            loop_heads: 0,
            expressions: 0,
            expression_jumps: 0,
            outer_scopes: 0,
            blocks: FxHashMap::default(),
            captures: Vec::new(),
            deduced_result: None,
            callees: Vec::new(),
            called: FxHashSet::default(),
            builtins: Vec::new(),
            called_builtins: FxHashSet::default(),
            tentative: Vec::new(),
        }
    }
}

impl Body {
    /// Moves what the check of the body has found into its function.
    pub fn finish<'h>(self, function: &mut Function<'h>, statements: &'h [Stmt<'h>]) {
        function.variables = self.variables;
        function.label_count = self.label_count;
        function.expression_jumps = self.expression_jumps > 0;
        function.callees = self.callees;
        function.builtins = self.builtins;
        function.body = Some(statements);
    }
}

/// A variable of an enclosing function that a block refers to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capture {
    /// The variable of the enclosing function.
    pub outer: PrivateVariableId,
    /// The block's own copy; of an array, a pointer to it.
    pub inner: PrivateVariableId,
    /// Where the block's object holds it.
    pub offset: u64,
}

/// What is known of the uses of a variable, for the warnings about unused and uninitialized ones.
#[derive(Clone, Copy, Debug)]
pub(super) struct VariableUse {
    /// A variable that the program names: others are not watched.
    pub watched: bool,
    pub mentioned: bool,
    /// Whether it is a scalar or a vector of the program, whose value is followed through the function.
    pub has_single_value: bool,
    /// Where its first mention is while it has no value.
    pub first: FirstMention,
    /// Whether a use without a value was reported.
    pub reported: bool,
    /// Loops around the declaration.
    pub loops: u32,
}

/// The first mention of a variable, as far as it may be a use without a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum FirstMention {
    NotYet,
    At(Span),
    /// Something may have given the variable a value.
    Past,
}

impl VariableUse {
    /// Parameters, temporaries.
    pub const UNWATCHED: VariableUse = VariableUse {
        watched: false,
        mentioned: false,
        has_single_value: false,
        first: FirstMention::Past,
        reported: false,
        loops: 0,
    };
}
