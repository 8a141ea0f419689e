//! The declarations of a module outside of functions: names, decorations, types, constants, variables, and where its
//! functions are.

mod decorations;
mod invoked;
mod lengths;
mod pipes;

use crate::decode::{Cursor, Header, Instruction, header};
use crate::error::{ReadError, Result, unsupported_reason};
use crate::types::{Kind, Types};
use decorations::Decorations;
pub use invoked::{Invoked, invoked_operand};
pub use pipes::pipe_operand;
use rspirv::spirv::{AddressingModel, Decoration, ExecutionMode, ExecutionModel, LinkageType, Op};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// A decoration or an execution mode with its operands.
#[derive(Clone, Copy, Debug)]
pub struct Fact<'w, K> {
    pub kind: K,
    pub operands: &'w [u32],
}

/// A kernel by the name of its entry point.
#[derive(Clone, Debug)]
pub struct EntryPoint<'w> {
    pub at: Instruction<'w>,
    pub function: u32,
    pub name: String,
}

/// A function; its body are the instructions of a range of words.
#[derive(Clone, Debug)]
pub struct FunctionDef<'w> {
    pub at: Instruction<'w>,
    /// The parameters' instructions.
    pub params: Vec<Instruction<'w>>,
    /// Types of the parameters, and of the result.
    pub param_types: Vec<u32>,
    pub result: u32,
    /// The words of its blocks.
    pub body: (usize, usize),
}

/// What an imported set of instructions is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstructionSet {
    OpenCl,
    /// What computes nothing: debug information, and sets whose names begin with `NonSemantic.`.
    NonSemantic,
}

/// See the module's description.
#[derive(Debug)]
pub struct Tables<'w> {
    pub cursor: Cursor<'w>,
    /// The minor version of SPIR-V.
    pub minor: u32,
    pub sets: FxHashMap<u32, InstructionSet>,
    pub strings: FxHashMap<u32, String>,
    /// What LLVM's translator writes of kernels into strings.
    pub facts_of_kernels: BTreeSet<String>,
    pub names: FxHashMap<u32, String>,
    decorations: Decorations<'w>,
    pub entry_points: Vec<EntryPoint<'w>>,
    entry_point_names: FxHashSet<String>,
    modes: FxHashMap<u32, Vec<Fact<'w, ExecutionMode>>>,
    pub types: Types,
    /// Constants and undefined values.
    pub constants: FxHashMap<u32, Instruction<'w>>,
    /// Variables of the module, in order.
    pub variables: Vec<Instruction<'w>>,
    pub functions: Vec<FunctionDef<'w>>,
    /// Places in `functions`.
    pub function_ids: FxHashMap<u32, usize>,
    /// Whether the module may enqueue kernels.
    enqueues: bool,
    /// Functions that are enqueued.
    pub invoked: Vec<(u32, Invoked)>,
    /// The types of the parameters of functions.
    parameters: FxHashMap<u32, u32>,
    /// The types of values in functions that are pipes and no parameters.
    copies_of_pipes: FxHashMap<u32, u32>,
    /// Values of specialisation constants that replace those of the module, by their `SpecId`.
    specialized: FxHashMap<u32, u64>,
    defined: FxHashSet<u32>,
}

/// Reads what is outside of functions.
pub fn tables<'w>(words: &'w [u32], specialized: &FxHashMap<u32, u64>) -> Result<Tables<'w>> {
    let header: Header = header(words)?;
    let mut tables = Tables {
        cursor: Cursor::new(words, &header),
        minor: header.minor,
        sets: FxHashMap::default(),
        strings: FxHashMap::default(),
        facts_of_kernels: BTreeSet::new(),
        names: FxHashMap::default(),
        decorations: Decorations::default(),
        entry_points: Vec::new(),
        entry_point_names: FxHashSet::default(),
        modes: FxHashMap::default(),
        types: Types::default(),
        constants: FxHashMap::default(),
        variables: Vec::new(),
        functions: Vec::new(),
        function_ids: FxHashMap::default(),
        enqueues: false,
        invoked: Vec::new(),
        parameters: FxHashMap::default(),
        copies_of_pipes: FxHashMap::default(),
        specialized: specialized.clone(),
        defined: FxHashSet::default(),
    };
    let mut cursor = tables.cursor.clone();
    while let Some(instruction) = cursor.next() {
        let instruction = instruction?;
        match instruction.op {
            Op::Function => tables.function(&instruction, &mut cursor)?,
            _ => tables.declaration(&instruction)?,
        }
    }
    tables.resolve_pipes()?;
    tables.find_invoked()?;
    Ok(tables)
}

impl<'w> Tables<'w> {
    fn declaration(&mut self, at: &Instruction<'w>) -> Result<()> {
        match at.op {
            Op::Capability => self.enqueues |= invoked::enqueues(at.operand(0)?),
            Op::Extension | Op::Source | Op::SourceContinued | Op::SourceExtension => {}
            Op::ModuleProcessed | Op::Line | Op::NoLine | Op::Nop | Op::MemberName => {}
            Op::TypeForwardPointer => self.types.declare(at)?,
            // What the aliasing of accesses may be assumed to be.
            Op::AliasDomainDeclINTEL | Op::AliasScopeDeclINTEL | Op::AliasScopeListDeclINTEL => {}
            // What they say about members is about layouts of shaders.
            Op::MemberDecorate | Op::GroupMemberDecorate | Op::MemberDecorateString | Op::DecorationGroup => {}
            Op::ExtInstImport => {
                let set = self.instruction_set(at)?;
                self.sets.insert(at.result, set);
            }
            // Debug information is an extended instruction too.
            Op::ExtInst => {}
            Op::MemoryModel => self.memory_model(at)?,
            Op::EntryPoint => self.entry_point(at)?,
            Op::ExecutionMode | Op::ExecutionModeId => {
                let kind = ExecutionMode::from_u32(at.operand(1)?)
                    .ok_or_else(|| at.unsupported(format!("execution mode {}", at.operands[1])))?;
                let (new, modes) = (Fact { kind, operands: at.rest(2) }, self.modes.entry(at.operand(0)?).or_default());
                // The last of a kind counts, so that what many entry points of a function read is short.
                match modes.iter_mut().find(|fact| fact.kind == kind) {
                    Some(fact) => *fact = new,
                    None => modes.push(new),
                }
            }
            Op::String => {
                let (string, _) = at.string(0)?;
                if string.starts_with("kernel_arg_") {
                    self.facts_of_kernels.insert(string.clone());
                }
                self.strings.insert(at.result, string);
            }
            Op::Name => {
                self.names.insert(at.operand(0)?, at.string(1)?.0);
            }
            Op::Decorate | Op::DecorateId | Op::DecorateString => {
                // Decorations of extensions that no table knows say nothing about results.
                if let Some(kind) = Decoration::from_u32(at.operand(1)?) {
                    self.decorations.add(at.operand(0)?, Fact { kind, operands: at.rest(2) });
                }
            }
            Op::GroupDecorate => {
                self.decorations.apply(at.operand(0)?, at.rest(1));
            }
            Op::Variable | Op::UntypedVariableKHR => {
                self.define(at)?;
                self.variables.push(*at);
            }
            Op::Undef | Op::ConstantNull | Op::ConstantTrue | Op::ConstantFalse | Op::Constant => self.constant(at)?,
            Op::ConstantComposite | Op::ConstantSampler | Op::SpecConstantTrue => self.constant(at)?,
            Op::SpecConstantFalse | Op::SpecConstant | Op::SpecConstantComposite => self.constant(at)?,
            Op::SpecConstantOp | Op::ConstantFunctionPointerINTEL => self.constant(at)?,
            _ if at.ty == 0 && at.result != 0 => self.type_definition(at)?,
            Op::ConstantPipeStorage => return Err(at.unsupported(format!("{:?}{}", at.op, unsupported_reason(at.op)))),
            op => return Err(at.unsupported(format!("{op:?} is not supported outside of functions"))),
        }
        Ok(())
    }

    fn define(&mut self, at: &Instruction<'w>) -> Result<()> {
        match self.defined.insert(at.result) {
            true => Ok(()),
            false => Err(at.invalid("the id has two definitions")),
        }
    }

    fn constant(&mut self, at: &Instruction<'w>) -> Result<()> {
        self.define(at)?;
        self.constants.insert(at.result, *at);
        Ok(())
    }

    fn type_definition(&mut self, at: &Instruction<'w>) -> Result<()> {
        self.define(at)?;
        let packed = self.fact(at.result, Decoration::CPacked).is_some();
        let length = if at.op == Op::TypeArray { self.computed_integer(at.operand(1)?) } else { None };
        if at.op == Op::TypeCooperativeMatrixKHR {
            let mut numbers = [0; 4];
            for (number, id) in numbers.iter_mut().zip(at.rest(1)) {
                *number = self.computed_integer(*id).ok_or_else(|| at.invalid("a matrix of no known shape"))?;
            }
            return self.types.define_matrix(at, numbers);
        }
        self.types.define(at, length, packed)
    }

    fn instruction_set(&self, at: &Instruction<'w>) -> Result<InstructionSet> {
        let (name, _) = at.string(0)?;
        match name.as_str() {
            "OpenCL.std" => Ok(InstructionSet::OpenCl),
            "OpenCL.DebugInfo.100" | "SPIRV.debug" | "DebugInfo" => Ok(InstructionSet::NonSemantic),
            name if name.starts_with("NonSemantic.") => Ok(InstructionSet::NonSemantic),
            name => Err(at.unsupported(format!("the extended instructions '{name}' are not supported"))),
        }
    }

    fn memory_model(&mut self, at: &Instruction<'w>) -> Result<()> {
        match AddressingModel::from_u32(at.operand(0)?) {
            Some(AddressingModel::Physical64) => {}
            Some(AddressingModel::Physical32) => self.types.narrow = true,
            _ => return Err(at.unsupported("a module without physical addresses: it is not for OpenCL")),
        }
        Ok(())
    }

    fn entry_point(&mut self, at: &Instruction<'w>) -> Result<()> {
        if ExecutionModel::from_u32(at.operand(0)?) != Some(ExecutionModel::Kernel) {
            return Err(at.unsupported("an entry point that is no kernel: the module is not for OpenCL"));
        }
        let (function, (name, _)) = (at.operand(1)?, at.string(2)?);
        if !self.entry_point_names.insert(name.clone()) {
            return Err(at.invalid(format!("two entry points are named '{name}'")));
        }
        self.entry_points.push(EntryPoint { at: *at, function, name });
        Ok(())
    }

    /// Notes a function and passes its instructions.
    fn function(&mut self, at: &Instruction<'w>, cursor: &mut Cursor<'w>) -> Result<()> {
        self.define(at)?;
        let Kind::Function { result, params: param_types } = self.types.get(at, at.operand(1)?)?.kind.clone() else {
            return Err(at.invalid("the type of a function is none"));
        };
        let mut params = Vec::new();
        let mut start = None;
        for instruction in cursor.by_ref() {
            let instruction = instruction?;
            match instruction.op {
                Op::Function => return Err(instruction.invalid("a function inside a function")),
                Op::FunctionParameter if start.is_none() => {
                    self.define(&instruction)?;
                    self.parameters.insert(instruction.result, instruction.ty);
                    params.push(instruction);
                }
                Op::Line | Op::NoLine if start.is_none() => {}
                Op::FunctionEnd => {
                    if params.len() != param_types.len() {
                        return Err(at.invalid("the function has other parameters than its type"));
                    }
                    let body = (start.unwrap_or(instruction.offset), instruction.offset);
                    self.function_ids.insert(at.result, self.functions.len());
                    self.functions.push(FunctionDef { at: *at, params, param_types, result, body });
                    return Ok(());
                }
                _ => {
                    start.get_or_insert(instruction.offset);
                    if instruction.result != 0 {
                        self.define(&instruction)?;
                    }
                }
            }
        }
        Err(at.invalid("a function without end"))
    }

    /// The decorations of an id, of those kinds that mean something here.
    pub fn facts(&self, id: u32) -> &[Fact<'w, Decoration>] {
        self.decorations.of(id)
    }

    /// Whether an entry point has a name.
    pub fn is_kernel_name(&self, name: &str) -> bool {
        self.entry_point_names.contains(name)
    }

    /// The type of a parameter.
    pub fn parameter_type(&self, id: u32) -> Option<u32> {
        self.parameters.get(&id).copied()
    }

    /// The type of a result where the module's says less than is known of it.
    pub fn copy_of_pipe(&self, id: u32) -> Option<u32> {
        self.copies_of_pipes.get(&id).copied()
    }

    /// How many parameters a function has.
    pub fn parameters_of(&self, function: u32) -> usize {
        let def = self.function_ids.get(&function).and_then(|place| self.functions.get(*place));
        def.map_or(0, |def| def.params.len())
    }

    /// The operands of a decoration of an id.
    pub fn fact(&self, id: u32, kind: Decoration) -> Option<&'w [u32]> {
        debug_assert!(decorations::KINDS.contains(&kind));
        self.facts(id).iter().find(|fact| fact.kind == kind).map(|fact| fact.operands)
    }

    /// The execution modes of a kernel.
    pub fn modes(&self, function: u32) -> &[Fact<'w, ExecutionMode>] {
        self.modes.get(&function).map_or(&[], Vec::as_slice)
    }

    /// The name and kind of an id's linkage.
    pub fn linkage(&self, at: &Instruction<'w>) -> Result<Option<(String, LinkageType)>> {
        let Some(operands) = self.fact(at.result, Decoration::LinkageAttributes) else { return Ok(None) };
        let decoration = Instruction { operands, ..*at };
        let (name, next) = decoration.string(0)?;
        let kind = LinkageType::from_u32(decoration.operand(next)?);
        Ok(Some((name, kind.ok_or_else(|| at.invalid("an unknown kind of linkage"))?)))
    }

    /// The bits of a scalar constant that is no operation on others.
    pub fn scalar_bits(&self, at: &Instruction<'w>) -> Option<u64> {
        let given = self.fact(at.result, Decoration::SpecId).and_then(|operands| operands.first());
        let given = given.and_then(|id| self.specialized.get(id)).copied();
        match at.op {
            Op::ConstantTrue => Some(1),
            Op::ConstantFalse | Op::ConstantNull => Some(0),
            Op::SpecConstantTrue => Some(given.map_or(1, |value| u64::from(value != 0))),
            Op::SpecConstantFalse => Some(given.map_or(0, |value| u64::from(value != 0))),
            Op::Constant | Op::SpecConstant => {
                let low = u64::from(at.optional(0)?);
                Some(given.unwrap_or_else(|| low | u64::from(at.optional(1).unwrap_or(0)) << 32))
            }
            _ => None,
        }
    }

    /// The value of an integer constant, its bits zero-extended.
    pub fn integer(&self, id: u32) -> Option<u64> {
        let at = self.constants.get(&id)?;
        let bits = self.scalar_bits(at)?;
        match self.types.find(at.ty)?.kind {
            Kind::Value(ty) if ty.scalar.is_int() => Some(bits & self.types.mask(at.ty, ty)),
            _ => None,
        }
    }

    /// The error that an id means nothing.
    pub fn undefined(at: &Instruction<'_>, id: u32) -> Box<ReadError> {
        at.invalid(format!("%{id} is not defined before it is used"))
    }
}
