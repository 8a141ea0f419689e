//! Modules, functions, regions and values.

use super::constant::Constant;
use super::entities::{ConstantId, FunctionId, GlobalId, InstId, RegionId, Value, VariableId};
use super::inst::{Inst, Op};
use super::types::{Space, Type};
use clforge_basic::layout::{RecordLayout, ValueLayout};
use clforge_basic::narrow::to_u32;
use clforge_basic::options::AddressBits;
use clforge_basic::source::Span;
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use typed_index_collections::{TiVec, ti_vec};

/// A whole program.
#[derive(Clone, Debug, Default)]
pub struct Module {
    pub functions: TiVec<FunctionId, Function>,
    pub globals: TiVec<GlobalId, Global>,
    /// What memory has become after legalisation for Vulkan; empty before.
    pub variables: TiVec<VariableId, Variable>,
    /// The records that arguments of kernels are made of; one is behind those that it contains.
    pub records: Vec<RecordLayout>,
}

/// An array (or single element) that is addressed by element, never by pointer.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub storage: Storage,
    pub element: Type,
    pub size: VariableSize,
    /// Whether it begins as zeros; otherwise its first value is undefined. Only of private storage.
    pub zero_initialized: bool,
}

/// `clGetKernelArgInfo`'s facts. Numbers are the `cl.h` values (as the reflection set stores them).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArgumentInfo {
    /// Parameter name.
    pub name: String,
    /// Type as written, without address space: `float*`, `int4`.
    pub type_name: String,
    /// `CL_KERNEL_ARG_ADDRESS_*`.
    pub address_qualifier: u32,
    /// `CL_KERNEL_ARG_ACCESS_*`.
    pub access_qualifier: u32,
    /// `CL_KERNEL_ARG_TYPE_*` bits.
    pub type_qualifiers: u32,
}

/// Where a [`Variable`] lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Storage {
    /// Of one call of the one function that uses it.
    Function,
    /// Of one invocation.
    Private,
    Workgroup,
    PushConstant,
    Uniform {
        set: u32,
        binding: u32,
    },
    /// A buffer that the host binds: an array of as many elements as the buffer has. Two of them may be the same memory.
    StorageBuffer {
        set: u32,
        binding: u32,
    },
}

/// Bytes of a variable: `fixed`, and for each local argument its specialisation constant times the element size,
/// rounded up to 16; and bytes for each work-item of the work-group.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct VariableSize {
    pub fixed: u64,
    /// (specialisation constant id, bytes of an element)
    pub arguments: Vec<(u32, u32)>,
    pub per_work_item: u32,
}

/// An object that is not private.
#[derive(Clone, Debug)]
pub struct Global {
    pub name: String,
    /// `Constant`, `Global` or `Local`.
    pub space: Space,
    pub size: u64,
    pub align: u64,
    /// As long as `size`; `None`: zero for `Constant` and `Global`, undefined for `Local`, which has zeros or nothing.
    pub init: Option<Vec<u8>>,
    /// In the order of their offsets.
    pub relocations: Vec<Relocation>,
    pub exported: bool,
    /// Exported, and other modules may define it too: one of the definitions is kept.
    pub once: bool,
    /// Defined in another module.
    pub imported: bool,
    /// A local argument of a kernel: its size is this specialisation constant times that many bytes, not `size`.
    pub size_argument: Option<(u32, u32)>,
    /// Local memory of that many bytes for each work-item of the work-group, besides `size`.
    pub per_work_item: u32,
    /// Source, for errors.
    pub span: Span,
}

impl Global {
    /// A constant object of the module's own.
    pub fn constant(name: String, init: Vec<u8>, align: u64, span: Span) -> Global {
        Global {
            name,
            space: Space::Constant,
            size: init.len() as u64,
            align,
            init: Some(init),
            relocations: Vec::new(),
            exported: false,
            once: false,
            imported: false,
            size_argument: None,
            per_work_item: 0,
            span,
        }
    }
}

/// A pointer inside a global's initial bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Where the pointer is, of 8 bytes or as many as the program's pointers have.
    pub offset: u64,
    pub target: GlobalId,
    pub addend: i64,
}

/// A function; see the module's contract.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub kernel: Option<KernelInfo>,
    pub params: Vec<Value>,
    pub result: Option<Type>,
    pub body: RegionId,
    pub exported: bool,
    /// As [`Global::once`].
    pub once: bool,
    /// Its floating operations are exact as written whatever the math options say: the built-in library, whose
    /// error-free transformations contraction and reassociation would break.
    pub precise: bool,
    /// `Some(true)`: always inline, `Some(false)`: never.
    pub inline: Option<bool>,
    pub(super) values: TiVec<Value, (Type, ValueDef)>,
    pub insts: TiVec<InstId, Inst>,
    pub regions: TiVec<RegionId, Region>,
    /// What values that are constants are.
    pub(super) constants: TiVec<ConstantId, Constant>,
    /// The value of each constant.
    pub(super) interned: FxHashMap<Constant, Value>,
    pub span: Span,
}

/// A list of instructions that ends in a terminator.
#[derive(Clone, Debug, Default)]
pub struct Region {
    pub params: SmallVec<[Value; 2]>,
    pub insts: Vec<InstId>,
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug)]
pub enum ValueDef {
    /// By its number, so that what defines a value is small.
    Constant(ConstantId),
    /// Instruction and index of the result.
    Inst(InstId, u32),
    RegionParam(RegionId),
    FunctionParam(u32),
}

/// What makes a function a kernel.
#[derive(Clone, Debug, Default)]
pub struct KernelInfo {
    pub required_work_group_size: Option<[u32; 3]>,
    pub work_group_size_hint: Option<[u32; 3]>,
    pub required_sub_group_size: Option<u32>,
    /// A scalar or vector.
    pub vec_type_hint: Option<Type>,
    /// Whether it runs an enqueued block (OpenCL C 6.15.19): hosts do not launch it by its name.
    pub is_block: bool,
    /// The pointers, images and samplers in the block's object, which have no bits: the byte of each, and its type.
    pub references: Vec<(u32, Type)>,
    /// Attributes as `clGetKernelInfo` spells them.
    pub attributes: String,
    /// One for each parameter of the source, in order.
    pub arguments: Vec<KernelArgument>,
}

/// A kernel's parameter.
#[derive(Clone, Debug)]
pub struct KernelArgument {
    pub kind: KernelParameter,
    pub info: ArgumentInfo,
    /// What the value, or what a pointer points to, is made of, where that is more than the name of a built-in type in `info`.
    pub layout: Option<ValueLayout>,
    /// The parameter's name in the source.
    pub span: Span,
}

/// How the argument of a kernel's parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KernelParameter {
    /// A scalar or vector, in memory as OpenCL C lays it out.
    Value(Type),
    /// A global or constant pointer.
    Pointer(Space),
    /// A local pointer to elements of that size and alignment (for `void` 1).
    Local { element_size: u32, align: u32 },
    /// A record of that size and alignment; the function's parameter points to a private copy.
    ByValue { size: u32, align: u32 },
    /// An image, sampler, …
    Opaque(Type),
}

impl Module {
    /// Makes all pointers as wide as 32 bits. Objects of private memory that hold pointers keep their size, which is more than they need.
    pub fn narrow_pointers(&mut self) {
        self.functions.iter_mut().for_each(Function::narrow_pointers);
    }
}

impl Function {
    fn narrow_pointers(&mut self) {
        let narrow = |ty: &mut Type| {
            if let Some(space) = ty.space() {
                *ty = Type::pointer(space, AddressBits::Bits32);
            }
        };
        self.values.iter_mut().for_each(|(ty, _)| narrow(ty));
        self.result.iter_mut().for_each(narrow);
        for constant in &mut self.constants {
            match constant {
                Constant::Bits { ty, .. } | Constant::Undef(ty) => narrow(ty),
            }
        }
        let interned = std::mem::take(&mut self.interned);
        self.interned =
            interned.into_values().filter_map(|value| Some((self.as_constant(value)?.clone(), value))).collect();
    }

    /// A function without parameters and with an empty body region.
    pub fn new(name: impl Into<String>) -> Function {
        Function {
            name: name.into(),
            kernel: None,
            params: Vec::new(),
            result: None,
            body: RegionId::new(0),
            exported: false,
            once: false,
            precise: false,
            inline: None,
            values: TiVec::new(),
            insts: TiVec::new(),
            regions: ti_vec![Region::default()],
            constants: TiVec::new(),
            interned: FxHashMap::default(),
            span: Span::default(),
        }
    }

    /// Makes room for as much as another function has.
    pub fn reserve(&mut self, other: &Function) {
        self.values.reserve(other.values.len());
        self.insts.reserve(other.insts.len());
        self.regions.reserve(other.regions.len());
        self.constants.reserve(other.constants.len());
        self.interned.reserve(other.interned.len());
    }

    /// Adds a parameter.
    pub fn add_param(&mut self, ty: Type) -> Value {
        let value = self.new_value(ty, ValueDef::FunctionParam(to_u32(self.params.len())));
        self.params.push(value);
        value
    }

    /// Adds a value. Its definition must be made to name it too.
    pub fn new_value(&mut self, ty: Type, def: ValueDef) -> Value {
        self.values.push_and_get_key((ty, def))
    }

    /// All values ever made.
    pub fn values(&self) -> impl Iterator<Item = Value> + use<> {
        self.values.keys()
    }

    /// Number of values ever made, for tables with [`Value`]s as keys.
    pub fn value_count(&self) -> usize {
        self.values.len()
    }

    pub fn ty(&self, value: Value) -> Type {
        self.values[value].0
    }

    pub fn def(&self, value: Value) -> &ValueDef {
        &self.values[value].1
    }

    /// Changes a value's type (legalisation: pointers become integers).
    pub fn set_type(&mut self, value: Value, ty: Type) {
        self.values[value].0 = ty;
    }

    /// Changes what defines a value.
    pub fn set_def(&mut self, value: Value, def: ValueDef) {
        self.values[value].1 = def;
    }

    /// The interned constant.
    pub fn constant(&mut self, constant: Constant) -> Value {
        if let Some(value) = self.interned.get(&constant) {
            return *value;
        }
        let id = self.constants.push_and_get_key(constant.clone());
        let value = self.new_value(constant.ty(), ValueDef::Constant(id));
        self.interned.insert(constant, value);
        value
    }

    /// An integer, `bool` or null pointer constant.
    pub fn int(&mut self, ty: Type, value: i64) -> Value {
        self.constant(Constant::int(ty, value.cast_unsigned()))
    }

    pub fn undef(&mut self, ty: Type) -> Value {
        self.constant(Constant::Undef(ty))
    }

    /// The constant a value is, if it is one.
    pub fn as_constant(&self, value: Value) -> Option<&Constant> {
        match self.def(value) {
            ValueDef::Constant(id) => self.constants.get(*id),
            _ => None,
        }
    }

    /// The bits of a scalar constant or splat, zero-extended.
    pub fn as_int(&self, value: Value) -> Option<u64> {
        self.as_constant(value)?.splat_bits()
    }

    /// Whether a value is the constant that has no value.
    pub fn is_undef(&self, value: Value) -> bool {
        matches!(self.as_constant(value), Some(Constant::Undef(_)))
    }

    /// The operation that defines a value as its only result.
    pub fn op(&self, value: Value) -> Option<&Op> {
        match self.def(value) {
            ValueDef::Inst(inst, _) => Some(&self.insts[*inst].op),
            _ => None,
        }
    }

    pub fn inst(&self, id: InstId) -> &Inst {
        &self.insts[id]
    }

    pub fn inst_mut(&mut self, id: InstId) -> &mut Inst {
        &mut self.insts[id]
    }

    pub fn region(&self, id: RegionId) -> &Region {
        &self.regions[id]
    }

    pub fn region_mut(&mut self, id: RegionId) -> &mut Region {
        &mut self.regions[id]
    }

    /// A new empty region, nested in nothing yet.
    pub fn new_region(&mut self) -> RegionId {
        self.regions.push_and_get_key(Region::default())
    }

    /// The number of private objects, whose instructions the body begins with.
    pub fn private_objects(&self) -> usize {
        let is_object = |id: &&InstId| matches!(self.inst(**id).op, Op::Alloca { .. });
        self.region(self.body).insts.iter().take_while(is_object).count()
    }

    /// Moves the instructions of a region to the beginning of the body, behind the private objects.
    pub fn begin_with(&mut self, region: RegionId) {
        let insts = std::mem::take(&mut self.region_mut(region).insts);
        let (body, objects) = (self.body, self.private_objects());
        self.region_mut(body).insts.splice(objects..objects, insts);
    }

    /// Adds a parameter to a region.
    pub fn add_region_param(&mut self, region: RegionId, ty: Type) -> Value {
        let value = self.new_value(ty, ValueDef::RegionParam(region));
        self.region_mut(region).params.push(value);
        value
    }

    /// Makes an instruction with results of the given types, in no region yet.
    pub fn new_inst(&mut self, op: Op, types: &[Type], span: Span) -> InstId {
        let id = self.insts.next_key();
        // Nearly all have one result; to collect that from an iterator takes several times as long.
        let results = match types {
            [ty] => smallvec![self.new_value(*ty, ValueDef::Inst(id, 0))],
            _ => types
                .iter()
                .enumerate()
                .map(|(index, ty)| self.new_value(*ty, ValueDef::Inst(id, to_u32(index))))
                .collect(),
        };
        self.insts.push(Inst { op, results, span });
        id
    }

    /// Calls `expand` with each instruction of each region. The new instructions that it appends to the list are inserted
    /// before that instruction, which it may change; it must not change regions.
    pub fn insert_before_each(&mut self, mut expand: impl FnMut(&mut Function, InstId, &mut Vec<InstId>)) {
        for region in self.regions.keys() {
            let insts = std::mem::take(&mut self.region_mut(region).insts);
            let mut expanded = Vec::with_capacity(insts.len());
            for id in insts {
                expand(self, id, &mut expanded);
                expanded.push(id);
            }
            self.region_mut(region).insts = expanded;
        }
    }

    /// The terminator of a region, if it has one.
    pub fn terminator(&self, region: RegionId) -> Option<&Op> {
        let last = self.region(region).insts.last()?;
        Some(&self.inst(*last).op).filter(|op| op.is_terminator())
    }

    /// The body of a declaration is an empty region.
    pub fn is_declaration(&self) -> bool {
        self.region(self.body).insts.is_empty()
    }
}

impl Module {
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id]
    }

    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id]
    }

    pub fn global(&self, id: GlobalId) -> &Global {
        &self.globals[id]
    }
}
