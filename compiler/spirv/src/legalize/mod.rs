//! The passes of the targets: IR to IR, in one file or folder each. `pass_lists.rs` of the compiler orders them.

mod cas_loops;
pub mod opencl;
pub mod vulkan;

use crate::interface::ModuleInterface;
use crate::interface::bounds::AccessSite;
use clforge_basic::source::Span;
use clforge_ir::pass::{self, Order};
use clforge_ir::pipeline;
use clforge_ir::verify::Legalized;

/// What the passes of a target pass on to each other and to its emitter, besides the module.
#[derive(Default)]
pub struct State {
    /// What the host must know about the module.
    pub interface: ModuleInterface,
    /// The place in the source of each checked access of the interface.
    pub checked_accesses: Vec<CheckedAccess>,
}

impl State {
    /// Adds the places that a sanitizer checks.
    pub(crate) fn add_sites(&mut self, found: Vec<(AccessSite, CheckedAccess)>) {
        let (sites, accesses): (Vec<AccessSite>, Vec<CheckedAccess>) = found.into_iter().unzip();
        self.interface.bounds.iter_mut().for_each(|bounds| bounds.sites.extend_from_slice(&sites));
        self.checked_accesses.extend(accesses);
    }
}

/// Where a checked access is in the source.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckedAccess {
    /// The access.
    pub span: Span,
    /// The declared name of the private object that the access belongs to, where that is one object with a name.
    pub object: Option<Span>,
}

/// A pass of a pipeline.
pub type Pass = dyn pass::Pass<State>;

/// What a pass may know besides the module.
pub type Context<'o> = pass::Context<'o, State>;

/// A line of a pipeline.
pub type Step = pipeline::Step<State>;

/// The passes that would undo what is written in a way that a driver does not recognise.
pub const SIMPLIFICATION: &[&str] = &["simplify", "common_subexpressions"];

/// The order of a pass whose result must reach the driver unchanged.
pub const LAST: Order = Order { requires: Some(Legalized::MemoryModel), undone_by: SIMPLIFICATION, ..Order::ANY };
