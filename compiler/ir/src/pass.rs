//! A pass is a named transformation of a module. The pipeline orders passes, checks the IR after each, and prints and
//! times them. A pass never runs another, except [`Alternate`], which is made of two.

use crate::analysis::FunctionEffects;
use crate::room::Room;
use crate::verify::{Dialect, Legalized};
use crate::{Error, Function, Global, GlobalId, Module, Variable, VariableId};
use clforge_basic::options::Options;
use typed_index_collections::TiSlice;

/// What a pass may know besides the module.
pub struct Context<'o, S> {
    /// The options of the compilation.
    pub options: &'o Options,
    /// What the passes of a target pass on to each other and to its emitter.
    pub state: S,
}

/// What a pass needs of its place in a pipeline; [`crate::pipeline::check`] rejects other places. Names that a pipeline does
/// not have are not considered, since some passes serve both targets.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    /// The legalisation for Vulkan that has run before.
    pub requires: Option<Legalized>,
    /// Passes of which each has run at least once before.
    pub after: &'static [&'static str],
    /// Passes each of which runs later, though it may run before as well.
    pub before: &'static [&'static str],
    /// Passes of which none runs later, because they would undo this one.
    pub undone_by: &'static [&'static str],
}

impl Order {
    /// A pass that may stand anywhere.
    pub const ANY: Order = Order { requires: None, after: &[], before: &[], undone_by: &[] };
}

/// A transformation of a module. `S` is what the passes of a target share; passes for both targets do with any.
pub trait Pass<S>: Sync {
    /// The name in the pipeline, on the command line and in tests. Legalisation passes begin with their target, as in
    /// `vulkan/memory`.
    fn name(&self) -> &'static str;

    /// Transforms the module, and says whether it may have changed it.
    ///
    /// # Errors
    /// What the target cannot express, limits, and defects of the compiler.
    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error>;

    /// The dialect that the module is in from here on, if the pass is the one that makes it so.
    fn establishes(&self) -> Option<Dialect> {
        None
    }

    /// Where it may stand in a pipeline.
    fn order(&self) -> Order {
        Order::ANY
    }
}

/// What a function pass may know besides the function.
pub struct FunctionContext<'m> {
    /// The options of the compilation.
    pub options: &'m Options,
    /// The module's variables.
    pub variables: &'m TiSlice<VariableId, Variable>,
    /// The module's globals.
    pub globals: &'m TiSlice<GlobalId, Global>,
    /// What calls do, for passes that ask for it ([`FunctionPass::looks_at_calls`]).
    pub effects: FunctionEffects,
}

/// Whether a pass changed what it ran on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Certainly not, or only the hints of loops.
    No,
    /// It did, or it does not keep account.
    Maybe,
}

/// A transformation of one function that looks at no other, but for the effects of calls.
pub trait FunctionPass: Sync {
    /// See [`Pass::name`].
    fn name(&self) -> &'static str;

    /// See [`Pass::order`].
    fn order(&self) -> Order {
        Order::ANY
    }

    /// Whether it asks for the effects of calls.
    fn looks_at_calls(&self) -> bool {
        false
    }

    /// Transforms the function, which may be a declaration.
    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed;
}

/// A function pass runs on every function of a module.
impl<S, P: FunctionPass> Pass<S> for P {
    fn name(&self) -> &'static str {
        FunctionPass::name(self)
    }

    fn order(&self) -> Order {
        FunctionPass::order(self)
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_, S>) -> Result<Changed, Error> {
        let mut room = Room::new(module, context.options.codegen.max_instructions);
        let effects = if self.looks_at_calls() { FunctionEffects::of(module) } else { FunctionEffects::default() };
        let Module { functions, variables, globals, .. } = module;
        let context = FunctionContext { options: context.options, variables, globals, effects };
        let mut changed = Changed::No;
        for function in functions {
            room.take(function);
            if FunctionPass::run(self, function, &context) == Changed::Maybe {
                changed = Changed::Maybe;
            }
            room.put(function);
            room.check(0)?;
        }
        Ok(changed)
    }
}

/// Two function passes that each enable the other: they run alternately, until the first changes nothing.
pub struct Alternate {
    /// The name of both together.
    pub name: &'static str,
    /// The pass that says whether there is more to do.
    pub first: &'static dyn FunctionPass,
    /// The pass that follows it.
    pub second: &'static dyn FunctionPass,
    /// Rounds at most.
    pub rounds: usize,
}

impl FunctionPass for Alternate {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&self, function: &mut Function, context: &FunctionContext<'_>) -> Changed {
        for round in 0..self.rounds {
            if self.first.run(function, context) == Changed::No {
                return if round == 0 { Changed::No } else { Changed::Maybe };
            }
            self.second.run(function, context);
        }
        Changed::Maybe
    }
}
