//! The builder of a module: types and constants are unique, capabilities are declared when they are first needed.

use super::instruction::instruction;
use clforge_basic::narrow::low_u32;
use clforge_basic::options::Options;
use clforge_basic::source::Span;
use clforge_ir::error::Limited;
use clforge_ir::{Constant, Error, ScalarType, Type, constant};
use rspirv::binary::Assemble;
use rspirv::dr::{self, Operand};
use rspirv::spirv::{self, Capability, Decoration, StorageClass, Word};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Identifies a type or constant: opcode and operand words.
type Key = (spirv::Op, Vec<u32>);

/// Source places for `-g`, by the first token of a span: (file, line, column), lines and columns from 1.
#[derive(Default)]
pub struct LineTable {
    /// Names of the source files.
    pub files: Vec<String>,
    /// By the first token of an instruction's span: index of the file, line, column.
    pub places: FxHashMap<u32, (u32, u32, u32)>,
}

/// Words of an instruction.
const MAX_INSTRUCTION: usize = 65_535;
/// The bound of a module's ids (SPIR-V 2.17, Universal Limits).
const MAX_ID_BOUND: u32 = 4_194_303;
/// Characters of a debug name.
const MAX_NAME: usize = 4096;

/// Builds the module-level parts of SPIR-V.
pub struct ModuleBuilder {
    pub b: dr::Builder,
    /// The last id that [`ModuleBuilder::id`] gave.
    newest: Word,
    pub version: (u8, u8),
    interned: FxHashMap<Key, Word>,
    constants: FxHashMap<Constant, Word>,
    strings: FxHashMap<String, Word>,
    capabilities: BTreeSet<u32>,
    extensions: BTreeSet<&'static str>,
    /// Instructions after the last function: reflection, which refers to functions.
    trailing: Vec<dr::Instruction>,
    /// `OpString` of each file, and the places in them; empty without `-g`.
    files: Vec<Word>,
    places: FxHashMap<u32, (u32, u32, u32)>,
    /// `CodegenOptions::max_module_bytes`.
    max_bytes: usize,
    /// The module is for a translator. Values that are not defined are zeros, since it need not know the others.
    undefined_is_zero: bool,
    /// Halves are loaded, converted and stored only, which takes no `Float16`.
    pub only_stores_halves: bool,
}

impl ModuleBuilder {
    pub fn new(version: (u8, u8), lines: LineTable, options: &Options) -> ModuleBuilder {
        let mut b = dr::Builder::new();
        b.set_version(version.0, version.1);
        let files = lines.files.into_iter().map(|file| b.string(file)).collect();
        ModuleBuilder {
            b,
            newest: 0,
            version,
            interned: FxHashMap::default(),
            constants: FxHashMap::default(),
            strings: FxHashMap::default(),
            capabilities: BTreeSet::new(),
            extensions: BTreeSet::new(),
            trailing: Vec::new(),
            files,
            places: lines.places,
            max_bytes: options.codegen.max_module_bytes,
            undefined_is_zero: options.codegen.translatable.is_some(),
            only_stores_halves: false,
        }
    }

    /// Whether the module's version is at least `major.minor`.
    pub fn at_least(&self, major: u8, minor: u8) -> bool {
        self.version >= (major, minor)
    }

    pub fn id(&mut self) -> Word {
        self.newest = self.b.id();
        self.newest
    }

    /// Whether ids are left, asked while functions are emitted so that a module that is too large ends early.
    ///
    /// # Errors
    /// [`Limited::Ids`].
    pub fn check_ids(&self) -> Result<(), Error> {
        match self.newest {
            newest if newest >= MAX_ID_BOUND => Err(Error::limit(Limited::Ids, newest, MAX_ID_BOUND)),
            _ => Ok(()),
        }
    }

    pub fn capability(&mut self, capability: Capability) {
        if self.capabilities.insert(capability as u32) {
            self.b.capability(capability);
        }
    }

    pub fn extension(&mut self, name: &'static str) {
        if self.extensions.insert(name) {
            self.b.extension(name);
        }
    }

    pub fn name(&mut self, id: Word, name: &str) {
        if name.is_empty() {
            return;
        }
        // For people and debuggers, who do not miss the rest.
        let name = name.char_indices().nth(MAX_NAME).map_or(name, |(end, _)| &name[..end]);
        self.b.name(id, name);
    }

    /// `OpString`, once for each text: kernels have many arguments of few types.
    pub fn string(&mut self, text: &str) -> Word {
        if let Some(id) = self.strings.get(text) {
            return *id;
        }
        let id = self.b.string(text);
        self.strings.insert(text.to_owned(), id);
        id
    }

    pub fn decorate(&mut self, id: Word, decoration: Decoration, operands: impl IntoIterator<Item = Operand>) {
        self.b.decorate(id, decoration, operands);
    }

    /// Adds an instruction with a result to the section of types, constants and global variables.
    pub fn global(&mut self, op: spirv::Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let id = self.b.id();
        let inst = instruction(op, ty, Some(id), operands);
        self.b.insert_types_global_values(dr::InsertPoint::End, inst);
        id
    }

    /// The operands of `OpLine` for a span, if it has a place.
    pub fn line(&self, span: Span) -> Option<Vec<Operand>> {
        let (file, line, column) = *self.places.get(&span.lo)?;
        let file = *self.files.get(file as usize)?;
        Some(vec![Operand::IdRef(file), Operand::LiteralBit32(line), Operand::LiteralBit32(column)])
    }

    /// Adds an instruction with a result after all functions.
    pub fn trailing(&mut self, op: spirv::Op, ty: Word, operands: Vec<Operand>) -> Word {
        let id = self.b.id();
        self.trailing.push(instruction(op, Some(ty), Some(id), operands));
        id
    }

    /// The finished module's words.
    ///
    /// # Errors
    /// An instruction that is longer than SPIR-V allows, more ids, or a module of more bytes than the options allow.
    pub fn finish(self) -> Result<Vec<u32>, Error> {
        let mut size = 0_usize;
        for inst in self.b.module_ref().all_inst_iter().chain(&self.trailing) {
            let words = words_of(inst);
            size = size.saturating_add(4 * words);
            if words > MAX_INSTRUCTION {
                let is_long = |operand: &Operand| words_of_operand(operand) > MAX_INSTRUCTION / 2;
                let what = match inst.operands.iter().any(is_long) {
                    true => Limited::NameWords,
                    false => Limited::InstructionWords,
                };
                return Err(Error::limit(what, words, MAX_INSTRUCTION));
            }
        }
        if size > self.max_bytes {
            return Err(Error::limit(Limited::ModuleBytes, size, self.max_bytes));
        }
        let mut words = self.b.module().assemble();
        // The header has the bound, which no id reaches.
        match words.get(3) {
            Some(bound) if *bound > MAX_ID_BOUND => return Err(Error::limit(Limited::Ids, *bound, MAX_ID_BOUND)),
            _ => {}
        }
        for inst in &self.trailing {
            inst.assemble_into(&mut words);
        }
        Ok(words)
    }

    /// As [`ModuleBuilder::global`], once for each key.
    pub(super) fn interned(&mut self, op: spirv::Op, ty: Option<Word>, key: Vec<u32>, operands: Vec<Operand>) -> Word {
        let key = (op, key);
        if let Some(id) = self.interned.get(&key) {
            return *id;
        }
        let id = self.global(op, ty, operands);
        self.interned.insert(key, id);
        id
    }

    pub fn void(&mut self) -> Word {
        self.interned(spirv::Op::TypeVoid, None, vec![], vec![])
    }

    pub fn u32(&mut self) -> Word {
        self.scalar(ScalarType::I32)
    }

    /// The type of a scalar that is only pointed to: a half that OpenCL.std converts needs no arithmetic on halves.
    pub fn stored_scalar(&mut self, scalar: ScalarType) -> Word {
        if scalar != ScalarType::F16 {
            return self.scalar(scalar);
        }
        self.capability(Capability::Float16Buffer);
        self.interned(spirv::Op::TypeFloat, None, vec![16], vec![Operand::LiteralBit32(16)])
    }

    /// A scalar's type; pointers and handles have none here.
    pub fn scalar(&mut self, scalar: ScalarType) -> Word {
        let bits = scalar.bits();
        match scalar {
            ScalarType::Bool => self.interned(spirv::Op::TypeBool, None, vec![], vec![]),
            ScalarType::F16 | ScalarType::F32 | ScalarType::F64 => {
                match scalar {
                    ScalarType::F16 if !self.only_stores_halves => self.capability(Capability::Float16),
                    ScalarType::F64 => self.capability(Capability::Float64),
                    _ => {}
                }
                self.interned(spirv::Op::TypeFloat, None, vec![bits], vec![Operand::LiteralBit32(bits)])
            }
            _ => {
                match bits {
                    8 => self.capability(Capability::Int8),
                    16 => self.capability(Capability::Int16),
                    64 => self.capability(Capability::Int64),
                    _ => {}
                }
                let operands = vec![Operand::LiteralBit32(bits), Operand::LiteralBit32(0)];
                self.interned(spirv::Op::TypeInt, None, vec![bits], operands)
            }
        }
    }

    pub fn vector(&mut self, element: Word, lanes: u8) -> Word {
        if lanes > 4 {
            self.capability(Capability::Vector16);
        }
        let lanes = u32::from(lanes);
        let operands = vec![Operand::IdRef(element), Operand::LiteralBit32(lanes)];
        self.interned(spirv::Op::TypeVector, None, vec![element, lanes], operands)
    }

    /// The type of a value without pointers or handles.
    pub fn plain_type(&mut self, ty: Type) -> Word {
        let scalar = self.scalar(ty.scalar);
        if ty.lanes > 1 { self.vector(scalar, ty.lanes) } else { scalar }
    }

    pub fn pointer(&mut self, class: StorageClass, pointee: Word) -> Word {
        let operands = vec![Operand::StorageClass(class), Operand::IdRef(pointee)];
        self.interned(spirv::Op::TypePointer, None, vec![class as u32, pointee], operands)
    }

    /// An array; with a stride it is decorated for explicit layout.
    pub fn array(&mut self, element: Word, length: Word, stride: Option<u32>) -> Word {
        let key = vec![element, length, stride.unwrap_or(0)];
        let known = self.interned.contains_key(&(spirv::Op::TypeArray, key.clone()));
        let operands = vec![Operand::IdRef(element), Operand::IdRef(length)];
        let id = self.interned(spirv::Op::TypeArray, None, key, operands);
        if let (false, Some(stride)) = (known, stride) {
            self.decorate(id, Decoration::ArrayStride, [Operand::LiteralBit32(stride)]);
        }
        id
    }

    /// An array as long as the buffer that it ends.
    pub fn runtime_array(&mut self, element: Word, stride: u32) -> Word {
        let key = vec![element, stride];
        let known = self.interned.contains_key(&(spirv::Op::TypeRuntimeArray, key.clone()));
        let id = self.interned(spirv::Op::TypeRuntimeArray, None, key, vec![Operand::IdRef(element)]);
        if !known {
            self.decorate(id, Decoration::ArrayStride, [Operand::LiteralBit32(stride)]);
        }
        id
    }

    /// A new struct type, never shared: its decorations are its own.
    pub fn new_struct(&mut self, members: &[Word]) -> Word {
        let operands = members.iter().map(|member| Operand::IdRef(*member)).collect();
        self.global(spirv::Op::TypeStruct, None, operands)
    }

    /// A struct type without decorations, once for each list of members.
    pub fn shared_struct(&mut self, members: &[Word]) -> Word {
        let operands = members.iter().map(|member| Operand::IdRef(*member)).collect();
        self.interned(spirv::Op::TypeStruct, None, members.to_vec(), operands)
    }

    pub fn function_type(&mut self, result: Word, params: &[Word]) -> Word {
        let mut key = vec![result];
        key.extend_from_slice(params);
        let operands = key.iter().map(|id| Operand::IdRef(*id)).collect();
        self.interned(spirv::Op::TypeFunction, None, key, operands)
    }

    /// The type of signed integers of 32 bits of so many lanes, in modules for translators, to which an operation is signed if its
    /// operands are. Elsewhere operations say it, and there are no signed types.
    pub fn signed(&mut self, lanes: u8) -> Option<Word> {
        if !self.undefined_is_zero {
            return None;
        }
        let operands = vec![Operand::LiteralBit32(32), Operand::LiteralBit32(1)];
        let scalar = self.interned(spirv::Op::TypeInt, None, vec![32, 1], operands);
        Some(if lanes == 1 { scalar } else { self.vector(scalar, lanes) })
    }

    /// Zeros of a type.
    fn null(&mut self, ty: Word) -> Word {
        self.interned(spirv::Op::ConstantNull, Some(ty), vec![ty], vec![])
    }

    /// The constant that a value of a type is which is not defined; `None` where that is an instruction.
    pub fn undefined(&mut self, ty: Word) -> Option<Word> {
        self.undefined_is_zero.then(|| self.null(ty))
    }

    pub fn constant_u32(&mut self, value: u32) -> Word {
        self.constant(&Constant::int(Type::I32, u64::from(value)))
    }

    /// A constant without pointers.
    pub fn constant(&mut self, constant: &Constant) -> Word {
        if let Some(id) = self.constants.get(constant) {
            return *id;
        }
        let ty = self.plain_type(constant.ty());
        let id = match constant {
            Constant::Undef(_) if self.undefined_is_zero => self.null(ty),
            Constant::Undef(_) => self.global(spirv::Op::Undef, Some(ty), vec![]),
            Constant::Bits { ty: lane_type, lanes } => match lanes[..] {
                [bits] => self.scalar_constant(lane_type.scalar, ty, bits),
                _ => {
                    let lane = |bits: &u64| Constant::Bits { ty: lane_type.lane(), lanes: smallvec::smallvec![*bits] };
                    let parts = lanes.iter().map(|bits| Operand::IdRef(self.constant(&lane(bits)))).collect();
                    self.global(spirv::Op::ConstantComposite, Some(ty), parts)
                }
            },
        };
        self.constants.insert(constant.clone(), id);
        id
    }

    fn scalar_constant(&mut self, scalar: ScalarType, ty: Word, bits: u64) -> Word {
        let operand = match scalar {
            ScalarType::Bool => {
                let op = if bits & 1 == 1 { spirv::Op::ConstantTrue } else { spirv::Op::ConstantFalse };
                return self.global(op, Some(ty), vec![]);
            }
            scalar if scalar.bits() == 64 => Operand::LiteralBit64(bits),
            scalar => Operand::LiteralBit32(low_u32(bits & constant::mask(scalar))),
        };
        self.global(spirv::Op::Constant, Some(ty), vec![operand])
    }

    /// A handle's type.
    pub fn handle(&mut self, op: spirv::Op) -> Word {
        self.interned(op, None, vec![], vec![])
    }

    /// An image's type. `facts`: depth, arrayed, multi-sampled. The format is unknown.
    pub fn image_type(
        &mut self,
        texel: Word,
        dim: spirv::Dim,
        facts: [u32; 3],
        sampled: u32,
        access: Option<spirv::AccessQualifier>,
    ) -> Word {
        let mut operands = vec![Operand::IdRef(texel), Operand::Dim(dim)];
        operands.extend(facts.map(Operand::LiteralBit32));
        operands.extend([Operand::LiteralBit32(sampled), Operand::ImageFormat(spirv::ImageFormat::Unknown)]);
        operands.extend(access.map(Operand::AccessQualifier));
        let mut key = vec![texel, dim as u32, sampled, access.map_or(u32::MAX, |access| access as u32)];
        key.extend(facts);
        self.interned(spirv::Op::TypeImage, None, key, operands)
    }

    /// A pipe's type.
    pub fn pipe_type(&mut self, access: spirv::AccessQualifier) -> Word {
        let operands = vec![Operand::AccessQualifier(access)];
        self.interned(spirv::Op::TypePipe, None, vec![access as u32], operands)
    }

    /// The type of an image combined with a sampler.
    pub fn sampled_image_type(&mut self, image: Word) -> Word {
        self.interned(spirv::Op::TypeSampledImage, None, vec![image], vec![Operand::IdRef(image)])
    }

    /// A signed 32-bit integer: only texels tell integers' signs apart.
    pub fn i32(&mut self) -> Word {
        let operands = vec![Operand::LiteralBit32(32), Operand::LiteralBit32(1)];
        self.interned(spirv::Op::TypeInt, None, vec![32, 1], operands)
    }

    /// A composite constant.
    pub fn composite(&mut self, ty: Word, parts: Vec<Operand>) -> Word {
        self.global(spirv::Op::ConstantComposite, Some(ty), parts)
    }

    /// `OpSpecConstantOp`.
    pub fn spec_op(&mut self, op: spirv::Op, ty: Word, args: &[Word]) -> Word {
        let mut operands = vec![Operand::LiteralSpecConstantOpInteger(op)];
        operands.extend(args.iter().map(|arg| Operand::IdRef(*arg)));
        self.global(spirv::Op::SpecConstantOp, Some(ty), operands)
    }

    /// A 32-bit specialisation constant.
    pub fn spec_constant(&mut self, spec_id: u32, default: u32) -> Word {
        let ty = self.u32();
        let id = self.global(spirv::Op::SpecConstant, Some(ty), vec![Operand::LiteralBit32(default)]);
        self.decorate(id, Decoration::SpecId, [Operand::LiteralBit32(spec_id)]);
        id
    }
}

/// Words that an instruction takes in a module.
fn words_of(inst: &dr::Instruction) -> usize {
    let ids = usize::from(inst.result_type.is_some()) + usize::from(inst.result_id.is_some());
    1 + ids + inst.operands.iter().map(words_of_operand).sum::<usize>()
}

fn words_of_operand(operand: &Operand) -> usize {
    match operand {
        Operand::LiteralString(text) => text.len() / 4 + 1,
        Operand::LiteralBit64(_) => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_has_no_more_ids_than_spirv_allows() {
        let finish = |last: Word| {
            let mut m = ModuleBuilder::new((1, 3), LineTable::default(), &Options::default());
            while m.b.id() < last {}
            m.finish()
        };
        assert_eq!(finish(4_194_302).unwrap()[3], 4_194_303);
        assert_eq!(finish(4_194_303), Err(Error::limit(Limited::Ids, 4_194_304, 4_194_303)));
    }

    #[test]
    fn a_module_has_no_more_bytes_than_the_options_allow() {
        let finish = |max_module_bytes: usize| {
            let options = Options::default().with(|o| o.codegen.max_module_bytes = max_module_bytes);
            let mut m = ModuleBuilder::new((1, 3), LineTable::default(), &options);
            // Two words and five characters with their end; the second string is the first.
            assert_eq!(m.string("hello"), m.string("hello"));
            m.finish()
        };
        assert_eq!(finish(16).map(|words| words.len()), Ok(5 + 4));
        assert_eq!(finish(15), Err(Error::limit(Limited::ModuleBytes, 16, 15)));
    }

    #[test]
    fn what_is_too_long_is_named() {
        let finish = |name: usize, variables: usize| {
            let mut m = ModuleBuilder::new((1, 3), LineTable::default(), &Options::default());
            m.b.entry_point(spirv::ExecutionModel::Kernel, 1, "x".repeat(name), vec![2; variables]);
            m.finish().map(|words| words.len())
        };
        // The name has an end, and in front of it are three words.
        assert_eq!(finish(4 * 65_531, 0), Ok(5 + 65_535));
        assert_eq!(finish(4 * 65_532, 0), Err(Error::limit(Limited::NameWords, 65_536, 65_535)));
        assert_eq!(finish(3, 65_531), Ok(5 + 65_535));
        assert_eq!(finish(3, 65_532), Err(Error::limit(Limited::InstructionWords, 65_536, 65_535)));
    }
}
