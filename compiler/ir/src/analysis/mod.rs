//! What several passes ask about a module: who calls whom, what is in a region, where values go, and which value stands for
//! another.

mod call_graph;
mod substitution;
mod value_flow;
mod walk;

pub use call_graph::CallGraph;
pub use substitution::Substitution;
pub use value_flow::{Targets, edges, nested, receivers};
