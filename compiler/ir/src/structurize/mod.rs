//! The structurizer converts an arbitrary control-flow graph to structured control flow.
//!
//! [`scopes`] finds the loops (strongly connected components) and the dominator tree of the graph; [`regions`] builds
//! structured IR from them, as Ramsey, "Beyond Relooper" (ICFP 2022), does for reducible graphs: a block with one predecessor
//! is placed at the end of that predecessor, a merge block directly after its immediate dominator. Where control may also
//! bypass a merge block, a state variable holds the number of the block that it is to reach. Only a loop with several entries
//! (an irreducible one) begins with a dispatch on the state; no code is duplicated.
//!
//! The regions of blocks need not dominate each other as the blocks do: a value that another block uses is in memory.

mod regions;
mod scopes;

pub use regions::structurize;

use super::entities::Value;
use super::{Builder, LoopHint};
use smallvec::SmallVec;

/// The number of a block; a graph begins with block 0.
pub type BlockId = usize;

/// Where control goes after a block.
#[derive(Clone, Debug)]
pub enum End {
    /// Nowhere: the block's code ends in a terminator.
    Leave,
    /// To a block.
    Jump(BlockId),
    /// To one of two blocks; the condition is a `bool`.
    Branch { condition: Value, then: BlockId, otherwise: BlockId },
    /// To the block of the case that has the selector's value. One case is the default.
    Switch { selector: Value, cases: Vec<SwitchTarget> },
}

/// The cases of a switch that lead to one block.
#[derive(Clone, Debug)]
pub struct SwitchTarget {
    /// As those of [`super::Case`].
    pub values: SmallVec<[u64; 2]>,
    pub default: bool,
    pub block: BlockId,
}

/// A control-flow graph whose blocks append their own code. Empty blocks are best left out of it: its targets are the blocks
/// that jumps arrive at in the end.
pub trait ControlFlow<'f> {
    /// What the code is appended to.
    fn builder(&mut self) -> &mut Builder<'f>;

    /// The successors of a block, one for each edge: each case of [`End::Switch`] is one.
    fn successors(&self, block: BlockId) -> SmallVec<[BlockId; 4]>;

    /// Appends the code of a block, once, and says where control goes then.
    fn append(&mut self, block: BlockId) -> End;

    /// The hint of the loop that a block begins.
    fn hint(&self, _block: BlockId) -> LoopHint {
        LoopHint::None
    }

    /// The blocks that the code of a block may jump to from its middle: it stores the number of one in the state variable and
    /// leaves a loop around it by `break`. That loop is about to be entered.
    fn enter_captured(&mut self, _block: BlockId) -> SmallVec<[BlockId; 4]> {
        SmallVec::new()
    }

    /// The loop around such a block is complete.
    fn leave_captured(&mut self) {}

    /// Appends what an exit of the graph does: leave what is around the graph.
    fn leave_graph(&mut self, _exit: BlockId) {}
}
