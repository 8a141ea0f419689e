//! Where the code of a module first needs each of its capabilities, for people who want to do without one.
//!
//! Places are those of `OpLine`, which modules with debug information (`-g`) have. The scan trusts nothing: what it does
//! not understand has no use.

use clforge_compiler::interface::{Instruction, InterfaceError, instructions};
use spirv::{Capability as C, Decoration, Dim, GroupOperation, MemoryAccess, MemoryModel, Op, StorageClass};
use std::collections::{HashMap, HashSet};

/// A place in a source.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct SourcePlace {
    /// The name of the file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

/// The first instruction of a module that needs a capability.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct FirstUse {
    /// The name of its kernel or function; empty where the module has no name for it.
    pub function: String,
    /// Its source, where the module has debug information.
    pub place: Option<SourcePlace>,
}

/// The first uses of a module's capabilities.
#[derive(Default)]
pub(super) struct FirstUses {
    /// By the capability's number.
    pub uses: HashMap<u32, FirstUse>,
    /// 64-bit integers are addresses of memory and nothing else.
    pub only_addresses: bool,
}

/// What is known of a type.
#[derive(Clone, Copy)]
enum Ty {
    Int(u32),
    Float(u32),
    Pointer(u32, u32),
    Image(u32, u32),
    /// Of vectors and arrays.
    Of(u32),
}

#[derive(Default)]
struct Reader {
    found: FirstUses,
    /// The first use of a 64-bit integer that is an address.
    address: Option<FirstUse>,
    types: HashMap<u32, Ty>,
    /// The types of values, by their ids.
    values: HashMap<u32, u32>,
    strings: HashMap<u32, String>,
    /// The names of functions: those of entry points, else debug names.
    names: HashMap<u32, String>,
    addresses: HashSet<u32>,
    volatile: HashSet<u32>,
    is_vulkan_model: bool,
    here: Option<FirstUse>,
}

/// Reads the first uses.
///
/// # Errors
/// [`InterfaceError`] for words that are no sequence of SPIR-V instructions.
pub(super) fn first_uses(words: &[u32]) -> Result<FirstUses, InterfaceError> {
    let all: Vec<Instruction<'_>> = instructions(words)?.collect::<Result<_, _>>()?;
    let mut reader = Reader { addresses: addresses(&all), ..Reader::default() };
    for instruction in &all {
        reader.declaration(instruction);
    }
    for instruction in &all {
        reader.step(instruction);
    }
    if let (Some(address), false) = (reader.address, reader.found.uses.contains_key(&(C::Int64 as u32))) {
        reader.found.uses.insert(C::Int64 as u32, address);
        reader.found.only_addresses = true;
    }
    Ok(reader.found)
}

/// The ids from which addresses are computed: operands of the conversions to pointers, and of the integer arithmetic
/// whose results they are.
fn addresses(all: &[Instruction<'_>]) -> HashSet<u32> {
    let opcode = |instruction: &Instruction<'_>| Op::from_u32(instruction.opcode.into());
    let conversions = all.iter().filter(|one| opcode(one) == Some(Op::ConvertUToPtr));
    let mut pending: Vec<u32> = conversions.filter_map(|one| one.word(2)).collect();
    let arithmetic = all.iter().filter(|one| {
        use Op::{BitwiseAnd, CopyObject, IAdd, IMul, ISub, Phi, SConvert, Select, ShiftLeftLogical, UConvert};
        let ops = [IAdd, ISub, IMul, ShiftLeftLogical, BitwiseAnd, Select, Phi, CopyObject, UConvert, SConvert];
        opcode(one).is_some_and(|op| ops.contains(&op))
    });
    let operands: HashMap<u32, &[u32]> =
        arithmetic.filter_map(|one| Some((one.word(1)?, one.operands.get(2..)?))).collect();
    let mut found = HashSet::new();
    while let Some(id) = pending.pop() {
        if found.insert(id) {
            pending.extend(operands.get(&id).copied().unwrap_or_default());
        }
    }
    found
}

impl Reader {
    /// What functions refer to.
    fn declaration(&mut self, instruction: &Instruction<'_>) {
        let word = |index| instruction.word(index).unwrap_or(0);
        let (id, Some(op)) = (word(0), Op::from_u32(instruction.opcode.into())) else { return };
        let ty = match op {
            Op::String => {
                self.strings.extend(instruction.string(1).map(|(text, _)| (id, text)));
                return;
            }
            Op::Name => {
                let name = instruction.string(1).map(|(name, _)| name).unwrap_or_default();
                self.names.entry(id).or_insert(name);
                return;
            }
            Op::EntryPoint => {
                self.names.extend(instruction.string(2).map(|(name, _)| (word(1), name)));
                return;
            }
            Op::Decorate if word(1) == Decoration::Volatile as u32 || word(1) == Decoration::Coherent as u32 => {
                self.volatile.insert(id);
                return;
            }
            Op::MemoryModel => {
                self.is_vulkan_model = word(1) == MemoryModel::Vulkan as u32;
                return;
            }
            Op::TypeInt => Ty::Int(word(1)),
            Op::TypeFloat => Ty::Float(word(1)),
            Op::TypePointer => Ty::Pointer(word(1), word(2)),
            Op::TypeImage => Ty::Image(word(2), word(6)),
            Op::TypeVector | Op::TypeArray | Op::TypeRuntimeArray | Op::TypeSampledImage => Ty::Of(word(1)),
            _ => return,
        };
        self.types.insert(id, ty);
    }

    /// One instruction, in order.
    fn step(&mut self, instruction: &Instruction<'_>) {
        let word = |index| instruction.word(index).unwrap_or(0);
        let Some(op) = Op::from_u32(instruction.opcode.into()) else { return };
        let result = instruction.result();
        let has_type = instruction.word(1).is_some() && result == instruction.word(1);
        if let (Some(id), true) = (result, has_type) {
            self.values.insert(id, word(0));
        }
        match op {
            Op::Function => {
                let function = self.names.get(&word(1)).cloned().unwrap_or_default();
                self.here = Some(FirstUse { function, place: None });
                return;
            }
            Op::FunctionEnd => self.here = None,
            Op::Line => {
                let file = self.strings.get(&word(0)).cloned().unwrap_or_default();
                let place = Some(SourcePlace { file, line: word(1), column: word(2) });
                self.here.iter_mut().for_each(|here| here.place.clone_from(&place));
            }
            Op::NoLine => self.here.iter_mut().for_each(|here| here.place = None),
            Op::ExecutionMode => self.execution_mode(word(0), word(1)),
            _ => {}
        }
        if self.here.is_none() {
            return;
        }
        self.operation(op, instruction);
        self.memory(op, instruction);
        match has_type {
            true => self.value(word(0), result),
            // A store may be the only use of a constant.
            false if op == Op::Store => {
                let stored = word(1);
                self.values.get(&stored).copied().into_iter().for_each(|ty| self.value(ty, Some(stored)));
            }
            false => {}
        }
    }

    fn needs(&mut self, capability: C) {
        match self.found.uses.get_mut(&(capability as u32)) {
            Some(known) if known.place.is_some() => {}
            known => {
                let mut first = known.cloned();
                prefer(&mut first, self.here.as_ref());
                self.found.uses.extend(first.map(|first| (capability as u32, first)));
            }
        }
    }

    /// The modes of an entry point come before all functions.
    fn execution_mode(&mut self, function: u32, mode: u32) {
        // The modes of the float controls have the numbers of their capabilities less this.
        const DISTANCE: u32 = C::DenormPreserve as u32 - spirv::ExecutionMode::DenormPreserve as u32;
        let capability = mode.saturating_add(DISTANCE);
        if (C::DenormPreserve as u32..=C::RoundingModeRTZ as u32).contains(&capability) {
            let function = self.names.get(&function).cloned().unwrap_or_default();
            self.found.uses.entry(capability).or_insert(FirstUse { function, place: None });
        }
    }

    /// The innermost element of a type.
    fn element(&self, mut ty: u32) -> Option<Ty> {
        // Types come after their elements, so that valid modules end this long before.
        for _ in 0..8 {
            match self.types.get(&ty)? {
                Ty::Of(element) => ty = *element,
                found => return Some(*found),
            }
        }
        None
    }

    /// What the type of a value needs.
    fn value(&mut self, ty: u32, id: Option<u32>) {
        match self.element(ty) {
            Some(Ty::Int(8)) => self.needs(C::Int8),
            Some(Ty::Int(16)) => self.needs(C::Int16),
            Some(Ty::Int(64)) => match id.is_some_and(|id| self.addresses.contains(&id)) {
                true => prefer(&mut self.address, self.here.as_ref()),
                false => self.needs(C::Int64),
            },
            Some(Ty::Float(16)) => self.needs(C::Float16),
            Some(Ty::Float(64)) => self.needs(C::Float64),
            Some(Ty::Image(dim, sampled)) => self.image(dim, sampled),
            Some(Ty::Pointer(class, pointee)) => {
                if class == StorageClass::PhysicalStorageBuffer as u32 {
                    self.needs(C::PhysicalStorageBufferAddresses);
                }
                if let Some(Ty::Image(..)) = self.element(pointee) {
                    self.needs(C::StorageImageArrayDynamicIndexing);
                }
            }
            _ => {}
        }
    }

    fn image(&mut self, dim: u32, sampled: u32) {
        match (Dim::from_u32(dim), sampled) {
            (Some(Dim::Dim1D), 1) => self.needs(C::Sampled1D),
            (Some(Dim::Dim1D), _) => self.needs(C::Image1D),
            (Some(Dim::DimBuffer), 1) => self.needs(C::SampledBuffer),
            (Some(Dim::DimBuffer), _) => self.needs(C::ImageBuffer),
            _ => {}
        }
    }

    /// What a load, a store or an atomic operation needs besides its type.
    fn memory(&mut self, op: Op, instruction: &Instruction<'_>) {
        let (pointer, access) = match op {
            Op::Load => (instruction.word(2), instruction.word(3)),
            Op::Store => (instruction.word(0), instruction.word(2)),
            Op::AtomicStore => (instruction.word(0), None),
            _ if is_atomic(op) => (instruction.word(2), None),
            _ => return,
        };
        let volatile =
            MemoryAccess::VOLATILE | MemoryAccess::MAKE_POINTER_AVAILABLE | MemoryAccess::MAKE_POINTER_VISIBLE;
        let is_volatile = access.is_some_and(|bits| bits & volatile.bits() != 0);
        if self.is_vulkan_model && (is_volatile || is_atomic(op)) {
            self.needs(C::VulkanMemoryModel);
        }
        let ty = pointer.and_then(|pointer| self.types.get(self.values.get(&pointer)?)).copied();
        let Some(Ty::Pointer(class, pointee)) = ty else { return };
        let bits = match self.element(pointee) {
            Some(Ty::Int(bits) | Ty::Float(bits)) => bits,
            _ => return,
        };
        let is_buffer = [StorageClass::PhysicalStorageBuffer, StorageClass::StorageBuffer, StorageClass::Uniform]
            .iter()
            .any(|known| *known as u32 == class);
        let needed: &[C] = match bits {
            8 if is_buffer => &[C::StorageBuffer8BitAccess, C::UniformAndStorageBuffer8BitAccess],
            16 if is_buffer => &[C::StorageBuffer16BitAccess, C::UniformAndStorageBuffer16BitAccess],
            64 if is_atomic(op) && !float_atomic(op) => &[C::Int64Atomics],
            _ => &[],
        };
        needed.iter().for_each(|capability| self.needs(*capability));
        if float_atomic(op) {
            self.needs(match (op == Op::AtomicFAddEXT, bits) {
                (true, 16) => C::AtomicFloat16AddEXT,
                (true, 32) => C::AtomicFloat32AddEXT,
                (true, _) => C::AtomicFloat64AddEXT,
                (false, 16) => C::AtomicFloat16MinMaxEXT,
                (false, 32) => C::AtomicFloat32MinMaxEXT,
                (false, _) => C::AtomicFloat64MinMaxEXT,
            });
        }
    }

    /// What an operation needs by itself.
    fn operation(&mut self, op: Op, instruction: &Instruction<'_>) {
        match op {
            Op::ControlBarrier | Op::MemoryBarrier if self.is_vulkan_model => self.needs(C::VulkanMemoryModel),
            Op::ImageRead => self.needs(C::StorageImageReadWithoutFormat),
            Op::ImageWrite => self.needs(C::StorageImageWriteWithoutFormat),
            Op::ImageQuerySizeLod | Op::ImageQuerySize | Op::ImageQueryLevels | Op::ImageQuerySamples => {
                self.needs(C::ImageQuery);
            }
            Op::ReadClockKHR => self.needs(C::ShaderClockKHR),
            Op::ExpectKHR | Op::AssumeTrueKHR => self.needs(C::ExpectAssumeKHR),
            Op::SDot | Op::UDot | Op::SUDot | Op::SDotAccSat | Op::UDotAccSat | Op::SUDotAccSat => {
                for capability in [C::DotProduct, C::DotProductInputAll, C::DotProductInput4x8Bit] {
                    self.needs(capability);
                }
                self.needs(C::DotProductInput4x8BitPacked);
            }
            Op::CooperativeMatrixLoadKHR | Op::CooperativeMatrixStoreKHR | Op::CooperativeMatrixMulAddKHR => {
                self.needs(C::CooperativeMatrixKHR);
            }
            _ => {
                let operation = instruction.word(3).and_then(GroupOperation::from_u32);
                if let Some(capability) = sub_group(op, operation) {
                    self.needs(C::GroupNonUniform);
                    self.needs(capability);
                }
            }
        }
    }
}

/// Keeps the first use, or the first one that has a place: what is done at the start of a kernel has none.
fn prefer(first: &mut Option<FirstUse>, here: Option<&FirstUse>) {
    let has_place = |found: &FirstUse| found.place.is_some();
    if first.is_none() || !first.as_ref().is_some_and(has_place) && here.is_some_and(has_place) {
        *first = here.cloned();
    }
}

fn float_atomic(op: Op) -> bool {
    matches!(op, Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT)
}

fn is_atomic(op: Op) -> bool {
    (Op::AtomicLoad as u32..=Op::AtomicXor as u32).contains(&(op as u32)) || float_atomic(op)
}

/// The capability of an operation of sub-groups (SPIR-V 1.6, 3.52.24, Non-Uniform Instructions).
fn sub_group(op: Op, operation: Option<GroupOperation>) -> Option<C> {
    Some(match op {
        Op::GroupNonUniformElect => C::GroupNonUniform,
        Op::GroupNonUniformAll | Op::GroupNonUniformAny | Op::GroupNonUniformAllEqual => C::GroupNonUniformVote,
        Op::GroupNonUniformBroadcast
        | Op::GroupNonUniformBroadcastFirst
        | Op::GroupNonUniformBallot
        | Op::GroupNonUniformInverseBallot
        | Op::GroupNonUniformBallotBitExtract
        | Op::GroupNonUniformBallotBitCount
        | Op::GroupNonUniformBallotFindLSB
        | Op::GroupNonUniformBallotFindMSB => C::GroupNonUniformBallot,
        Op::GroupNonUniformShuffle | Op::GroupNonUniformShuffleXor => C::GroupNonUniformShuffle,
        Op::GroupNonUniformShuffleUp | Op::GroupNonUniformShuffleDown => C::GroupNonUniformShuffleRelative,
        Op::GroupNonUniformRotateKHR => C::GroupNonUniformRotateKHR,
        op if (Op::GroupNonUniformIAdd as u32..=Op::GroupNonUniformLogicalXor as u32).contains(&(op as u32)) => {
            match operation {
                Some(GroupOperation::ClusteredReduce) => C::GroupNonUniformClustered,
                _ => C::GroupNonUniformArithmetic,
            }
        }
        _ => return None,
    })
}
