//! Analyses that several passes share: the call graph, walks over regions, places of accesses, flow of values through
//! regions, substitution of values.

mod call_graph;
mod place;
mod substitution;
mod value_flow;
mod walk;

pub use call_graph::CallGraph;
pub use place::Place;
pub use substitution::Substitution;
pub use value_flow::{Targets, edges, nested, receivers};
