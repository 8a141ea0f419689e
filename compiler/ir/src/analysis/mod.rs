//! Analyses that several passes share: the call graph, walks over regions, flow of values through regions, substitution of
//! values.

mod call_graph;
mod substitution;
mod value_flow;
mod walk;

pub use call_graph::CallGraph;
pub use substitution::Substitution;
pub use value_flow::{Targets, edges, nested, receivers};
