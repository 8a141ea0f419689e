//! Upper bounds of the iterations of a kernel's loops, in terms of what its launches know
//! ([`IterationBound`]).
//!
//! A bound is known of a loop with a counter: a value that each iteration changes by what is at least 1 (or at most -1),
//! multiplies, divides or shifts by a constant, and a test that each iteration makes compares it with another value. Both are
//! taken for all values that they can have in any iteration, so they need not be the same in all of them.

mod counters;
mod values;

use crate::interface::iterations::{IterationBound, LaunchFacts, MAX_NODES, Node, NodeOp, UNBOUNDED};
use crate::interface::{ArgumentBinding, KernelInterface, ModuleInterface, PushConstantKind};
use clforge_ir::*;
use rustc_hash::FxHashMap;

/// Calls that are followed into each other.
const MAX_CALLS: usize = 16;
/// Regions that are looked at, those of a function once for each of its calls.
const MAX_REGIONS: usize = 1 << 14;

/// The bound of a kernel; `None` where a launch cannot know it.
pub(super) fn of(module: &Module, interface: &ModuleInterface, function: &Function) -> Option<IterationBound> {
    let kernel = interface.kernels.iter().find(|kernel| *kernel.name == *function.name);
    let mut builder = Builder { module, interface, kernel, nodes: Vec::new(), known: FxHashMap::default(), regions: 0 };
    let mut frame = Frame::new(function, Vec::new(), 0);
    let bound = builder.region(&mut frame, function.body)?;
    let bound = match bound {
        Some(bound) => bound,
        None => builder.constant(0),
    };
    // The last node is the bound.
    let zero = builder.constant(0);
    builder.nodes.push(Node { op: NodeOp::Sum, bits: 64, operands: [bound, zero, 0] });
    IterationBound::new(builder.nodes).filter(|bound| bound.most(&LaunchFacts::ONES) != UNBOUNDED)
}

/// A function with its arguments, as one call executes it.
struct Frame<'m> {
    function: &'m Function,
    arguments: Vec<u32>,
    /// The nodes of values that were found, and of the parameters of loops.
    values: FxHashMap<Value, u32>,
    /// How many calls are around it.
    calls: usize,
}

impl<'m> Frame<'m> {
    fn new(function: &'m Function, arguments: Vec<u32>, calls: usize) -> Frame<'m> {
        Frame { function, arguments, values: FxHashMap::default(), calls }
    }
}

struct Builder<'m> {
    module: &'m Module,
    interface: &'m ModuleInterface,
    kernel: Option<&'m KernelInterface>,
    nodes: Vec<Node>,
    known: FxHashMap<Node, u32>,
    /// How many were looked at.
    regions: usize,
}

impl<'m> Builder<'m> {
    /// The position of a node.
    fn node(&mut self, op: NodeOp, bits: u32, operands: [u32; 3]) -> u32 {
        let node = Node { op, bits: u8::try_from(bits).unwrap_or(64), operands };
        let nodes = &mut self.nodes;
        *self.known.entry(node).or_insert_with(|| {
            nodes.push(node);
            u32::try_from(nodes.len() - 1).unwrap_or(u32::MAX)
        })
    }

    /// A number of 64 bits, or a count.
    fn constant(&mut self, value: u64) -> u32 {
        self.integer(64, value)
    }

    fn integer(&mut self, bits: u32, value: u64) -> u32 {
        self.node(NodeOp::Constant, bits, [(value & 0xffff_ffff) as u32, (value >> 32) as u32, 0])
    }

    /// The iterations of all loops of a region together: `Some(None)` if it has none, `None` where they are not known. Work-items
    /// that are executed together may take both sides of a condition.
    fn region(&mut self, frame: &mut Frame<'m>, region: RegionId) -> Option<Option<u32>> {
        self.regions += 1;
        if self.nodes.len() > MAX_NODES || self.regions > MAX_REGIONS {
            return None;
        }
        let mut sum = None;
        let function = frame.function;
        for id in &function.region(region).insts {
            let op = &function.inst(*id).op;
            let own = match op {
                Op::Loop { .. } => {
                    // First, so that loops in it know what values its counters have.
                    let trips = self.trips(frame, *id)?;
                    let mut nested = self.constant(1);
                    for region in op.regions() {
                        if let Some(more) = self.region(frame, region)? {
                            nested = self.node(NodeOp::Sum, 64, [nested, more, 0]);
                        }
                    }
                    Some(self.node(NodeOp::Product, 64, [trips, nested, 0]))
                }
                Op::Call { function, args } => self.call(frame, *function, args)?,
                op => {
                    let mut sum = None;
                    for region in op.regions() {
                        let nested = self.region(frame, region)?;
                        sum = self.sum(sum, nested);
                    }
                    sum
                }
            };
            sum = self.sum(sum, own);
        }
        Some(sum)
    }

    fn sum(&mut self, first: Option<u32>, second: Option<u32>) -> Option<u32> {
        match (first, second) {
            (Some(first), Some(second)) => Some(self.node(NodeOp::Sum, 64, [first, second, 0])),
            (first, second) => first.or(second),
        }
    }

    fn call(&mut self, frame: &mut Frame<'m>, callee: FunctionId, args: &[Value]) -> Option<Option<u32>> {
        let function = self.module.functions.get(callee).filter(|function| !function.is_declaration())?;
        if frame.calls >= MAX_CALLS {
            return None;
        }
        let arguments = args.iter().map(|arg| self.value(frame, *arg)).collect();
        self.region(&mut Frame::new(function, arguments, frame.calls + 1), function.body)
    }

    /// What is in 32 bits of a block that the host has written: of an argument, or of what it says of the launch.
    fn word(&mut self, storage: Storage, offset: u32) -> u32 {
        let inside = |(start, size): (u32, u32)| offset >= start && offset - start + 4 <= size;
        for argument in self.kernel.iter().flat_map(|kernel| &kernel.arguments) {
            let place = match (argument.binding, storage) {
                (ArgumentBinding::PodPushConstant { offset, size }, Storage::PushConstant) => Some((offset, size)),
                (ArgumentBinding::PodUniform { at, offset, size }, Storage::Uniform { set, binding })
                    if (at.set, at.binding) == (set, binding) =>
                {
                    Some((offset, size))
                }
                _ => None,
            };
            // Smaller arguments share a word with others.
            if let Some((start, size)) = place
                && inside((start, size.max(4)))
            {
                return if size < 4 {
                    self.node(NodeOp::Any, 32, [0; 3])
                } else {
                    self.node(NodeOp::Argument, 32, [argument.ordinal, offset - start, 0])
                };
            }
        }
        let fact = self.interface.push_constants.iter().find(|fact| inside((fact.offset, fact.size)));
        let (Some(fact), Storage::PushConstant) = (fact.filter(|fact| !fact.is_wide()), storage) else {
            return self.node(NodeOp::Any, 32, [0; 3]);
        };
        let op = match fact.kind {
            PushConstantKind::GlobalOffset => NodeOp::GlobalOffset,
            PushConstantKind::EnqueuedLocalSize => NodeOp::EnqueuedLocalSize,
            PushConstantKind::GlobalSize => NodeOp::GlobalSize,
            PushConstantKind::RegionOffset => NodeOp::GlobalId,
            PushConstantKind::NumWorkgroups => NodeOp::GroupCount,
            PushConstantKind::RegionGroupOffset => NodeOp::GroupId,
            PushConstantKind::WorkDim => NodeOp::Any,
        };
        self.node(op, 32, [(offset - fact.offset) / 4, 0, 0])
    }
}
