//! What the runtime looks up in a module beside its reflection.

use clforge_compiler::interface::{Instruction, InterfaceError, instructions};
use spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op, StorageClass};
use std::collections::{HashMap, HashSet};

/// An `OpExecutionMode` of the float controls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FloatMode {
    pub mode: u32,
    pub width: u32,
}

/// One `OpEntryPoint`.
#[derive(Clone, Debug, Default)]
pub(crate) struct EntryPoint {
    function: u32,
    /// Fixed work-group size of the `LocalSize` execution mode.
    pub local_size: Option<[u32; 3]>,
    /// Bytes of the Workgroup variables it uses, as far as the reflection tells.
    pub interface: Vec<u32>,
}

/// The facts.
#[derive(Default)]
pub(crate) struct Scan {
    pub(super) capabilities: Vec<u32>,
    pub(super) float_modes: Vec<FloatMode>,
    /// Entry points for compute, by name.
    pub entry_points: HashMap<String, EntryPoint>,
    /// Built-in variables that are declared.
    pub built_ins: HashSet<u32>,
    /// Module-scope Workgroup variables.
    pub work_group_variables: HashSet<u32>,
    /// Instruction sets whose names begin with `NonSemantic.`.
    pub(super) non_semantic_sets: Vec<u32>,
}

impl Scan {
    /// Walks over a module once.
    pub fn new(words: &[u32]) -> Result<Scan, InterfaceError> {
        let mut scan = Scan::default();
        let mut local_sizes = HashMap::new();
        for instruction in instructions(words)? {
            let instruction = instruction?;
            match Op::from_u32(instruction.opcode.into()) {
                Some(Op::Capability) => scan.capabilities.extend(instruction.word(0)),
                Some(Op::EntryPoint) => scan.entry_point(&instruction),
                Some(Op::ExecutionMode) => scan.execution_mode(&instruction, &mut local_sizes),
                Some(Op::ExtInstImport) => {
                    let name = instruction.string(1);
                    if name.is_some_and(|(name, _)| name.starts_with("NonSemantic.")) {
                        scan.non_semantic_sets.extend(instruction.word(0));
                    }
                }
                Some(Op::Decorate) if instruction.word(1) == Some(Decoration::BuiltIn as u32) => {
                    scan.built_ins.extend(instruction.word(2));
                }
                Some(Op::Variable) if instruction.word(2) == Some(StorageClass::Workgroup as u32) => {
                    scan.work_group_variables.extend(instruction.word(1));
                }
                _ => {}
            }
        }
        for entry in scan.entry_points.values_mut() {
            entry.local_size = local_sizes.get(&entry.function).copied();
        }
        Ok(scan)
    }

    /// Whether the module declares an input.
    pub fn reads(&self, built_in: BuiltIn) -> bool {
        self.built_ins.contains(&(built_in as u32))
    }

    /// Whether the module is for OpenCL rather than Vulkan.
    pub fn is_opencl(&self) -> bool {
        self.capabilities.contains(&(Capability::Kernel as u32))
    }

    fn entry_point(&mut self, instruction: &Instruction<'_>) {
        let &[model, function, ..] = instruction.operands else { return };
        let Some((name, after)) = instruction.string(2) else { return };
        if model == spirv::ExecutionModel::GLCompute as u32 {
            let interface = instruction.operands.get(after..).unwrap_or_default().to_vec();
            self.entry_points.insert(name, EntryPoint { function, local_size: None, interface });
        }
    }

    fn execution_mode(&mut self, instruction: &Instruction<'_>, local_sizes: &mut HashMap<u32, [u32; 3]>) {
        match *instruction.operands {
            [function, mode, x, y, z] if mode == ExecutionMode::LocalSize as u32 => {
                local_sizes.insert(function, [x, y, z]);
            }
            [_, mode, width] if is_float_control(mode) => self.float_modes.push(FloatMode { mode, width }),
            _ => {}
        }
    }
}

/// Whether an execution mode is one of the float controls (each has a width and a capability of the same name).
pub(super) fn is_float_control(mode: u32) -> bool {
    (ExecutionMode::DenormPreserve as u32..=ExecutionMode::RoundingModeRTZ as u32).contains(&mode)
}
