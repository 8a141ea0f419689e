//! What several passes ask about a module: who calls whom, what is in a region, and which value stands for another.

mod call_graph;
mod substitution;
mod walk;

pub use call_graph::CallGraph;
pub use substitution::Substitution;
