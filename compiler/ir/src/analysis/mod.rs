//! Analyses that several passes share: the call graph, divergence of loops, effects of calls, contents of constants, shapes of
//! loops, walks over regions, places of accesses, flow of values through regions, spread of facts along that flow,
//! substitution of values, powers of two that divide integers.

mod call_graph;
mod constant_data;
mod divergence;
mod effects;
mod loop_shape;
mod place;
mod spread;
mod substitution;
mod trailing_zeros;
mod value_flow;
mod walk;

pub use call_graph::CallGraph;
pub use constant_data::{GlobalPlace, load_constant, load_indices};
pub use divergence::Divergence;
pub use effects::{Effects, FunctionEffects};
pub use loop_shape::LoopShape;
pub use place::{Place, constant_offset};
pub use spread::{flows, spread, through_variables};
pub use substitution::Substitution;
pub use trailing_zeros::trailing_zeros;
pub use value_flow::{Targets, edges, nested, receivers};
