//! The descriptors, push constants and specialisation constants that a module's code declares and its entry points use.

use super::declarations::{Declarations, Variable};
use clforge_compiler::interface::{Descriptor, Instruction, InterfaceError, instructions};
use spirv::Op;
use std::collections::{HashMap, HashSet};

/// The first version of SPIR-V in which an entry point lists all variables that it uses.
const LISTS_ALL_VARIABLES: u32 = 0x0001_0400;

/// Where a kernel reads a value that the host has put into a block: see [`Resources::loads`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Load {
    /// The descriptor of the block; `None` for the push constants.
    pub at: Option<Descriptor>,
    /// Offset in bytes of the first byte.
    pub offset: u64,
}

/// What the code of a valid module declares. Nothing is asserted about others, except that reading them ends.
#[derive(Default)]
pub(crate) struct Resources {
    variables: HashMap<u32, Variable>,
    /// Sizes in bytes of the blocks at descriptors, where all of it is declared.
    pub block_sizes: HashMap<Descriptor, u64>,
    /// The `SpecId`s of the work-group size, where it is made of three specialisation constants.
    pub work_group_size: Option<[u32; 3]>,
    /// The elements of arrays whose length is a specialisation constant, by its `SpecId`: their size in bytes without padding
    /// and as in C.
    pub element_sizes: HashMap<u32, (u64, u64)>,
    /// Sizes in bytes of specialisation constants, by their `SpecId`.
    pub spec_constants: HashMap<u32, u64>,
    /// The ids that each function uses, other functions included. Empty if entry points list all their variables.
    uses: HashMap<u32, HashSet<u32>>,
    /// What each function does with blocks.
    functions: HashMap<u32, Function>,
}

/// Loads from blocks: the variable, and the offset in bytes. Calls.
#[derive(Default)]
struct Function {
    loads: Vec<(u32, u64)>,
    calls: Vec<u32>,
}

impl Resources {
    /// Reads a module.
    ///
    /// # Errors
    /// [`InterfaceError`] for words that are no sequence of SPIR-V instructions.
    pub fn new(words: &[u32]) -> Result<Resources, InterfaceError> {
        let lists_all = words.get(1).is_some_and(|version| *version >= LISTS_ALL_VARIABLES);
        let mut declarations = Declarations::default();
        let mut resources = Resources::default();
        let mut function = None;
        for instruction in instructions(words)? {
            let instruction = instruction?;
            match Op::from_u32(instruction.opcode.into()) {
                Some(Op::Function) => function = instruction.word(1),
                Some(Op::FunctionEnd) => function = None,
                Some(op) => match function {
                    None => declarations.note(op, &instruction),
                    Some(function) => {
                        if !lists_all {
                            resources.uses.entry(function).or_default().extend(used_ids(op, &instruction));
                        }
                        resources.functions.entry(function).or_default().note(op, &instruction, &mut declarations);
                    }
                },
                None => {}
            }
        }
        resources.variables = declarations.variables();
        resources.block_sizes = declarations.block_sizes();
        resources.spec_constants = declarations.spec_constants();
        resources.work_group_size = declarations.work_group_size();
        resources.element_sizes = declarations.element_sizes();
        Ok(resources)
    }

    /// The values that a function, and those that it calls, reads from blocks at places that are known, each once.
    pub fn loads(&self, function: u32) -> Vec<Load> {
        let (mut loads, mut seen, mut functions) = (Vec::new(), HashSet::from([function]), vec![function]);
        while let Some(function) = functions.pop().and_then(|id| self.functions.get(&id)) {
            for (variable, offset) in &function.loads {
                let at = match self.variables.get(variable) {
                    Some(Variable::PushConstants(_)) => None,
                    Some(Variable::Descriptor(at, ..)) => Some(*at),
                    None => continue,
                };
                loads.push(Load { at, offset: *offset });
            }
            functions.extend(function.calls.iter().filter(|callee| seen.insert(**callee)));
        }
        loads.sort_unstable();
        loads.dedup();
        loads
    }

    /// Size in bytes of the block of push constants, which the kernels of a module may share; 0 without one.
    pub fn push_constants(&self) -> u64 {
        let sizes = self.variables.values().map(|variable| match variable {
            Variable::PushConstants(size) => *size,
            Variable::Descriptor(..) => 0,
        });
        sizes.max().unwrap_or(0)
    }

    /// The variables that an entry point uses. `listed` are the ids of its `OpEntryPoint`.
    pub fn used_by(&self, function: u32, listed: &[u32]) -> Vec<Variable> {
        let mut ids: HashSet<u32> = listed.iter().copied().collect();
        let mut functions = vec![function];
        while let Some(function) = functions.pop() {
            for id in self.uses.get(&function).into_iter().flatten() {
                if ids.insert(*id) && self.uses.contains_key(id) {
                    functions.push(*id);
                }
            }
        }
        ids.iter().filter_map(|id| self.variables.get(id).copied()).collect()
    }
}

/// The operands of an instruction that may be ids of variables or functions. Literals are left out of the instructions that
/// have them often; a literal of another instruction can only make a module look as if it used more than it does.
fn used_ids<'i>(op: Op, instruction: &Instruction<'i>) -> &'i [u32] {
    let operands = instruction.operands;
    let (from, to) = match op {
        Op::Load | Op::CompositeExtract => (2, 3),
        Op::Store => (0, 2),
        Op::CompositeInsert | Op::VectorShuffle => (2, 4),
        Op::ExtInst => (4, operands.len()),
        Op::Line | Op::Branch | Op::BranchConditional | Op::Switch | Op::SelectionMerge | Op::LoopMerge | Op::Label => {
            (0, 0)
        }
        _ => (0, operands.len()),
    };
    operands.get(from..to.min(operands.len())).unwrap_or_default()
}

impl Function {
    fn note(&mut self, op: Op, instruction: &Instruction<'_>, declarations: &mut Declarations) {
        match (op, instruction.operands) {
            (Op::AccessChain | Op::InBoundsAccessChain, [_, result, base, indices @ ..]) => {
                declarations.chain(*result, *base, indices);
            }
            (Op::Load, [_, _, pointer, ..]) => self.loads.extend(declarations.place(*pointer)),
            (Op::FunctionCall, [_, _, callee, ..]) => self.calls.push(*callee),
            _ => {}
        }
    }
}
