//! Facts about a module that are in its instructions and not in its reflection.

use clforge_compiler::interface::{Instruction, InterfaceError, ModuleInterface, instructions};
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
    /// Id of its function.
    pub function: u32,
    /// Its work-group size, as far as constants say: that of the `WorkgroupSize` constant, else of the execution mode
    /// `LocalSize` or `LocalSizeId`.
    pub local_size: Option<[u32; 3]>,
    /// Ids of the variables it uses.
    pub interface: Vec<u32>,
}

/// The facts of a module.
#[derive(Default)]
pub(crate) struct Scan {
    pub(super) capabilities: Vec<u32>,
    pub(super) float_modes: Vec<FloatMode>,
    /// Entry points for compute, by name.
    pub entry_points: HashMap<String, EntryPoint>,
    /// Built-in variables that are declared, as numbers of [`BuiltIn`].
    pub built_ins: HashSet<u32>,
    /// Sizes in bytes of `Workgroup` variables, by their ids, where no specialisation constant determines them.
    pub(super) work_group_variables: HashMap<u32, u64>,
    /// The other `Workgroup` variables, by their ids.
    pub(super) specialised_variables: HashSet<u32>,
    /// Their sizes in bytes where all specialisation constants are 0.
    pub(super) specialised_bytes: HashMap<u32, u64>,
    /// Whether entry points name all the variables that they use (SPIR-V 1.4 and later).
    pub(super) names_variables: bool,
    /// Instruction sets whose names begin with `NonSemantic.`.
    pub(super) non_semantic_sets: Vec<u32>,
    /// Whether the module's header names the library that our compiler writes SPIR-V with. Other compilers that write the reflection
    /// of kernels do not use it.
    pub(super) is_own: bool,
}

/// The generator's number of rspirv in SPIR-V's registry.
const RSPIRV: u32 = 15;

impl Scan {
    /// Reads a module.
    ///
    /// # Errors
    /// [`InterfaceError`] for words that are no sequence of SPIR-V instructions.
    pub fn new(words: &[u32]) -> Result<Scan, InterfaceError> {
        let names_variables = words.get(1).is_some_and(|version| *version >= 0x0001_0400);
        let is_own = words.get(2).is_some_and(|generator| generator >> 16 == RSPIRV);
        let mut scan = Scan { names_variables, is_own, ..Scan::default() };
        let mut sizes = Sizes::default();
        let mut types = Types::default();
        let mut least = Types { specialises: true, ..Types::default() };
        for instruction in instructions(words)? {
            let instruction = instruction?;
            types.note(&instruction);
            least.note(&instruction);
            match Op::from_u32(instruction.opcode.into()) {
                Some(Op::Capability) => scan.capabilities.extend(instruction.word(0)),
                Some(Op::EntryPoint) => scan.entry_point(&instruction),
                Some(Op::ExecutionMode | Op::ExecutionModeId) => scan.execution_mode(&instruction, &mut sizes),
                Some(Op::Constant | Op::SpecConstant) => sizes.constant(&instruction),
                Some(Op::ConstantComposite | Op::SpecConstantComposite) => sizes.composite(&instruction),
                Some(Op::ExtInstImport) => {
                    let name = instruction.string(1);
                    if name.is_some_and(|(name, _)| name.starts_with("NonSemantic.")) {
                        scan.non_semantic_sets.extend(instruction.word(0));
                    }
                }
                Some(Op::Decorate) if instruction.word(1) == Some(Decoration::BuiltIn as u32) => {
                    scan.built_ins.extend(instruction.word(2));
                    if instruction.word(2) == Some(BuiltIn::WorkgroupSize as u32) {
                        sizes.work_group_size = instruction.word(0);
                    }
                }
                Some(Op::Variable) if instruction.word(2) == Some(StorageClass::Workgroup as u32) => {
                    match types.pointee(&instruction) {
                        Some(size) => scan.work_group_variables.extend(instruction.word(1).zip(Some(size))),
                        None => {
                            scan.specialised_variables.extend(instruction.word(1));
                            scan.specialised_bytes.extend(instruction.word(1).zip(least.pointee(&instruction)));
                        }
                    }
                }
                _ => {}
            }
        }
        for entry in scan.entry_points.values_mut() {
            entry.local_size = sizes.of(entry.function);
        }
        Ok(scan)
    }

    /// Bytes of local memory that an entry point uses, without its `local` arguments, as its reflection or the module's types
    /// state them.
    pub fn local_bytes(&self, entry: &EntryPoint, interface: &ModuleInterface) -> u64 {
        let reflected = |id: &u32| interface.work_group_variables.iter().find(|(other, _)| other == id);
        let bytes = |id: &u32| {
            let reflected = reflected(id).map_or(0, |(_, size)| u64::from(*size));
            reflected.max(self.work_group_variables.get(id).copied().unwrap_or(0))
        };
        entry.interface.iter().map(bytes).fold(0, u64::saturating_add)
    }

    /// [`Scan::local_bytes`], with variables whose size specialisation constants determine as if these were 0: our compiler's begin
    /// with what does not depend on `local` arguments.
    pub fn least_local_bytes(&self, entry: &EntryPoint, interface: &ModuleInterface) -> u64 {
        let specialised = entry.interface.iter().filter_map(|id| self.specialised_bytes.get(id));
        specialised.fold(self.local_bytes(entry, interface), |sum, bytes| sum.saturating_add(*bytes))
    }

    /// Whether specialisation constants determine how much local memory an entry point uses.
    pub fn local_memory_is_specialised(&self, entry: &EntryPoint) -> bool {
        let is_used = |id: &u32| !self.names_variables || entry.interface.contains(id);
        self.specialised_variables.iter().any(is_used)
    }

    /// Whether the module declares a built-in input.
    pub fn reads(&self, built_in: BuiltIn) -> bool {
        self.built_ins.contains(&(built_in as u32))
    }

    /// Whether kernels may ask for the number of work-groups of the dispatch. Our compiler's take that of the launch from a push
    /// constant: where they read the built-in variable, it is for a workaround, to which only its upper bound matters.
    pub fn reads_group_count(&self) -> bool {
        self.reads(BuiltIn::NumWorkgroups) && !self.is_own
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

    fn execution_mode(&mut self, instruction: &Instruction<'_>, sizes: &mut Sizes) {
        match *instruction.operands {
            [function, mode, x, y, z] if mode == ExecutionMode::LocalSize as u32 => {
                sizes.literal.insert(function, [x, y, z]);
            }
            [function, mode, x, y, z] if mode == ExecutionMode::LocalSizeId as u32 => {
                sizes.by_id.insert(function, [x, y, z]);
            }
            [_, mode, width] if is_float_control(mode) => self.float_modes.push(FloatMode { mode, width }),
            _ => {}
        }
    }
}

/// Sizes of types, where they do not depend on specialisation; without padding.
#[derive(Default)]
struct Types {
    /// Whether specialisation constants count as 0, and what is computed of them is known.
    specialises: bool,
    bytes: HashMap<u32, u64>,
    /// Constants of 32 bits.
    constants: HashMap<u32, u32>,
    /// What pointer types point to.
    pointees: HashMap<u32, u32>,
}

impl Types {
    fn note(&mut self, instruction: &Instruction<'_>) {
        let known = |id: &u32| self.bytes.get(id).copied();
        let size = match (Op::from_u32(instruction.opcode.into()), instruction.operands) {
            (Some(Op::TypeInt | Op::TypeFloat), [id, width, ..]) => Some((*id, u64::from(width / 8))),
            (Some(Op::TypeVector), [id, element, count]) => {
                known(element).map(|e| (*id, e.saturating_mul((*count).into())))
            }
            (Some(Op::TypeArray), [id, element, length]) => {
                let length = self.constants.get(length).copied();
                known(element).zip(length).map(|(e, length)| (*id, e.saturating_mul(length.into())))
            }
            (Some(Op::TypeStruct), [id, members @ ..]) => {
                let sum = members.iter().try_fold(0u64, |sum, member| sum.checked_add(known(member)?));
                sum.map(|sum| (*id, sum))
            }
            (Some(Op::TypePointer), [id, _, pointee]) => {
                self.pointees.insert(*id, *pointee);
                None
            }
            (Some(Op::Constant), [_, id, value]) => {
                self.constants.insert(*id, *value);
                None
            }
            (Some(Op::SpecConstant), [_, id, _]) if self.specialises => {
                self.constants.insert(*id, 0);
                None
            }
            (Some(Op::SpecConstantOp), [_, id, op, lhs, rhs]) if self.specialises => {
                let value = self.operation(*op, *lhs, *rhs);
                self.constants.extend(value.map(|value| (*id, value)));
                None
            }
            _ => None,
        };
        self.bytes.extend(size);
    }

    /// An operation on constants of 32 bits.
    fn operation(&self, op: u32, lhs: u32, rhs: u32) -> Option<u32> {
        let [lhs, rhs] = [lhs, rhs].map(|id| self.constants.get(&id).copied());
        let (lhs, rhs) = lhs.zip(rhs)?;
        match Op::from_u32(op)? {
            Op::IAdd => Some(lhs.wrapping_add(rhs)),
            Op::IMul => Some(lhs.wrapping_mul(rhs)),
            Op::BitwiseAnd => Some(lhs & rhs),
            Op::UDiv => lhs.checked_div(rhs),
            _ => None,
        }
    }

    /// The size of what a variable holds.
    fn pointee(&self, variable: &Instruction<'_>) -> Option<u64> {
        self.bytes.get(self.pointees.get(&variable.word(0)?)?).copied()
    }
}

/// Bytes of the private variables of a module, those of all its functions together; without padding.
///
/// # Errors
/// As for [`Scan::new`].
pub(crate) fn private_bytes(words: &[u32]) -> Result<u64, InterfaceError> {
    let mut types = Types::default();
    let mut bytes = 0u64;
    for instruction in instructions(words)? {
        let instruction = instruction?;
        types.note(&instruction);
        let is_variable = Op::from_u32(instruction.opcode.into()) == Some(Op::Variable);
        let storage = instruction.word(2).and_then(StorageClass::from_u32);
        if is_variable && matches!(storage, Some(StorageClass::Function | StorageClass::Private)) {
            bytes = bytes.saturating_add(types.pointee(&instruction).unwrap_or(0));
        }
    }
    Ok(bytes)
}

/// Work-group sizes as the module spells them.
#[derive(Default)]
struct Sizes {
    /// `LocalSize`, by function.
    literal: HashMap<u32, [u32; 3]>,
    /// `LocalSizeId`: ids of constants.
    by_id: HashMap<u32, [u32; 3]>,
    /// The constant decorated with `WorkgroupSize`; it wins over execution modes.
    work_group_size: Option<u32>,
    constants: HashMap<u32, u32>,
    composites: HashMap<u32, [u32; 3]>,
}

impl Sizes {
    fn constant(&mut self, instruction: &Instruction<'_>) {
        if let [_, id, value] = *instruction.operands {
            self.constants.insert(id, value);
        }
    }

    fn composite(&mut self, instruction: &Instruction<'_>) {
        if let [_, id, x, y, z] = *instruction.operands {
            self.composites.insert(id, [x, y, z]);
        }
    }

    fn of(&self, function: u32) -> Option<[u32; 3]> {
        let built_in = self.work_group_size.and_then(|id| self.composites.get(&id));
        let Some(ids) = built_in.or_else(|| self.by_id.get(&function)) else {
            return self.literal.get(&function).copied();
        };
        let [x, y, z] = ids.map(|id| self.constants.get(&id).copied());
        Some([x?, y?, z?])
    }
}

/// Whether an execution mode is one of the float controls (each has a width and a capability of the same name).
pub(super) fn is_float_control(mode: u32) -> bool {
    (ExecutionMode::DenormPreserve as u32..=ExecutionMode::RoundingModeRTZ as u32).contains(&mode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::module::words::{header, instruction};

    /// An entry point "k" of function 1, and what else is given.
    fn local_size(more: &[Vec<u32>]) -> Option<[u32; 3]> {
        let name = u32::from(b'k');
        let header = header(0x10600);
        let entry = instruction(Op::EntryPoint, &[spirv::ExecutionModel::GLCompute as u32, 1, name]);
        let scan = Scan::new(&[header, entry, more.concat()].concat()).unwrap();
        scan.entry_points["k"].local_size
    }

    #[test]
    fn every_spelling_of_the_work_group_size() {
        let constants = [5, 6, 7].map(|id| instruction(Op::Constant, &[2, id, id * 10])).concat();
        let literal = instruction(Op::ExecutionMode, &[1, ExecutionMode::LocalSize as u32, 4, 2, 1]);
        let by_id = instruction(Op::ExecutionModeId, &[1, ExecutionMode::LocalSizeId as u32, 7, 6, 5]);
        let decorate = instruction(Op::Decorate, &[8, Decoration::BuiltIn as u32, BuiltIn::WorkgroupSize as u32]);
        let composite = instruction(Op::ConstantComposite, &[3, 8, 5, 6, 7]);
        assert_eq!(local_size(&[]), None);
        assert_eq!(local_size(std::slice::from_ref(&literal)), Some([4, 2, 1]));
        assert_eq!(local_size(&[by_id.clone(), constants.clone()]), Some([70, 60, 50]));
        assert_eq!(local_size(&[literal, decorate, constants, composite]), Some([50, 60, 70]));
    }

    #[test]
    fn specialised_local_memory_has_a_part_that_is_known() {
        // 100 + 8 n bytes, rounded up to 16, as words.
        let constant = |id, value| instruction(Op::Constant, &[2, id, value]);
        let operation = |id, op: Op, lhs, rhs| instruction(Op::SpecConstantOp, &[2, id, op as u32, lhs, rhs]);
        let more = [
            instruction(Op::TypeInt, &[2, 32, 0]),
            [constant(3, 100), constant(4, 8), constant(5, 15), constant(6, !15), constant(7, 4)].concat(),
            instruction(Op::SpecConstant, &[2, 8, 1]),
            operation(9, Op::IMul, 8, 4),
            operation(10, Op::IAdd, 9, 3),
            operation(11, Op::IAdd, 10, 5),
            operation(12, Op::BitwiseAnd, 11, 6),
            operation(13, Op::UDiv, 12, 7),
            instruction(Op::TypeArray, &[14, 2, 13]),
            instruction(Op::TypePointer, &[15, StorageClass::Workgroup as u32, 14]),
            instruction(Op::Variable, &[15, 16, StorageClass::Workgroup as u32]),
        ];
        let name = u32::from(b'k');
        let entry = instruction(Op::EntryPoint, &[spirv::ExecutionModel::GLCompute as u32, 1, name, 16]);
        let scan = Scan::new(&[header(0x10600), entry, more.concat()].concat()).unwrap();
        let (entry, interface) = (&scan.entry_points["k"], ModuleInterface::default());
        assert_eq!(scan.local_bytes(entry, &interface), 0);
        assert_eq!(scan.least_local_bytes(entry, &interface), 112);
    }

    #[test]
    fn private_variables_count_and_others_do_not() {
        let types = [
            instruction(Op::TypeInt, &[2, 32, 0]),
            instruction(Op::Constant, &[2, 3, 100]),
            instruction(Op::TypeArray, &[4, 2, 3]),
        ];
        let variable = |class: StorageClass, pointer: u32| {
            let ty = instruction(Op::TypePointer, &[pointer, class as u32, 4]);
            [ty, instruction(Op::Variable, &[pointer, pointer + 1, class as u32])].concat()
        };
        let classes = [StorageClass::Function, StorageClass::Private, StorageClass::Workgroup];
        let variables = classes.into_iter().zip([10, 20, 30]).map(|(class, id)| variable(class, id));
        let words = [header(0x10600), types.concat(), variables.collect::<Vec<_>>().concat()].concat();
        assert_eq!(private_bytes(&words).unwrap(), 800);
    }
}
