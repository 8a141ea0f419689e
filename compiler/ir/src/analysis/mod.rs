//! Analyses that several passes share: the call graph, walks over regions, substitution of values.

mod call_graph;
mod substitution;
mod walk;

pub use call_graph::CallGraph;
pub use substitution::Substitution;
