//! The state of the function being read: the meaning of its ids, and the places of values that several basic blocks
//! use.
//!
//! Basic blocks become regions, which need not dominate each other as the basic blocks do. So a value that another
//! basic block uses is stored where it is computed and loaded where it is used. The exception is the first basic block,
//! whose code is in no nested region. A phi becomes a variable to which the predecessors store. Promotion (`mem2reg`)
//! turns these variables into values again. A structure or an array that is a value is the list of its scalars, vectors
//! and pointers.

mod arithmetic;
mod atomics;
pub mod body;
mod calls;
mod comparison;
mod composite;
mod conversion;
mod enqueue;
mod extended;
mod groups;
mod images;
pub mod instruction;
mod libcalls;
mod matrices;
pub mod memory;
mod pipes;
mod shuffles;
pub mod widened;
mod widths;

use crate::blocks::Graph;
use crate::context::{ModuleReader, Variable};
use crate::decode::Instruction;
use crate::error::{ReadError, Result};
use crate::tables::Tables;
use crate::types::{Kind, Leaf, natural_align};
use clforge_basic::narrow::to_u32;
use clforge_basic::source::Span;
use clforge_ir::{Builder, CompareOp, Constant, ConvertOp, Function, InstId, Op, ScalarType, Space, Type, Value};
use rspirv::spirv::{self, BuiltIn};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// The parts of a value: one, or those of a structure or an array in their order.
pub type Parts = SmallVec<[Value; 1]>;

/// Constants inside each other, and operations on constants.
const MAX_DEPTH: u32 = 512;

/// What an id stands for.
#[derive(Clone, Debug)]
pub enum Item {
    Parts(Parts),
    /// The address of a built-in variable, or of one of its components.
    BuiltIn(BuiltIn, Option<Value>),
    /// The address of a component of a matrix in private memory, whose type is `ty`.
    Component {
        address: Value,
        ty: u32,
        index: Value,
    },
    Sampled {
        image: Value,
        sampler: Value,
    },
}

/// An id's type and what it stands for.
#[derive(Clone, Debug)]
pub struct Known {
    pub ty: u32,
    pub item: Item,
}

impl Known {
    fn count(&self) -> usize {
        match &self.item {
            Item::Parts(parts) => parts.len(),
            _ => 1,
        }
    }
}

/// A function being read.
pub struct FunctionReader<'f, 'm, 'w, 'o> {
    pub m: &'m mut ModuleReader<'w, 'o>,
    pub b: Builder<'f>,
    pub graph: Graph<'w>,
    /// What is the same in all blocks.
    pub fixed: FxHashMap<u32, Known>,
    /// What the current block has computed, loaded, or made of constants.
    here: FxHashMap<u32, Known>,
    /// Where values are that several blocks use, a place for each part.
    slots: FxHashMap<u32, Vec<(Value, Type)>>,
    /// Where the predecessors of phis store.
    phis: FxHashMap<u32, Vec<(Value, Type)>>,
    /// Private objects, put in front of the body at the end.
    allocas: Vec<InstId>,
    /// The address of a result that is a structure, and its type.
    pub result: Option<(Value, u32)>,
    /// The block being appended.
    pub block: usize,
    pub error: Option<Box<ReadError>>,
    /// Whether the current instruction reads integers as signed.
    reads_signed: bool,
    /// The built-in variables that values with a component for each dimension were loaded from.
    dimensions: FxHashMap<u32, BuiltIn>,
    depth: u32,
}

impl<'f, 'm, 'w, 'o> FunctionReader<'f, 'm, 'w, 'o> {
    /// A reader that appends to a function's body.
    pub fn new(m: &'m mut ModuleReader<'w, 'o>, function: &'f mut Function, graph: Graph<'w>) -> Self {
        FunctionReader {
            m,
            b: Builder::new(function),
            graph,
            fixed: FxHashMap::default(),
            here: FxHashMap::default(),
            slots: FxHashMap::default(),
            phis: FxHashMap::default(),
            allocas: Vec::new(),
            result: None,
            block: 0,
            error: None,
            reads_signed: false,
            dimensions: FxHashMap::default(),
            depth: 0,
        }
    }

    /// That the module is within limits so far.
    pub fn check_room(&self, at: &Instruction<'w>) -> Result<()> {
        self.m.check_room(at, self.b.function.insts.len())
    }

    /// A private object for the whole call.
    pub fn alloca(&mut self, size: u64, align: u64) -> Value {
        let op = Op::Alloca { size, align: align.max(1) };
        let id = self.b.function.new_inst(op, &[Type::ptr(Space::Private)], self.b.span);
        self.allocas.push(id);
        self.b.function.inst(id).results[0]
    }

    /// Puts the private objects in front of the body.
    pub fn finish(&mut self) {
        let allocas = std::mem::take(&mut self.allocas);
        let body = self.b.function.body;
        self.b.function.region_mut(body).insts.splice(0..0, allocas);
    }

    /// Makes the places of what crosses blocks.
    pub fn make_slots(&mut self) -> Result<()> {
        let crossing = std::mem::take(&mut self.graph.crossing);
        for at in crossing {
            if self.is_storable(at.ty) {
                let places = self.places(&at)?;
                self.slots.insert(at.result, places);
            }
        }
        let phis: Vec<Instruction<'w>> = self.graph.blocks.iter().flat_map(|block| block.phis.clone()).collect();
        for at in phis {
            let places = self.places(&at)?;
            self.phis.insert(at.result, places);
        }
        Ok(())
    }

    fn is_storable(&self, ty: u32) -> bool {
        let kind = self.m.tables.types.find(ty).map(|info| &info.kind);
        !matches!(kind, None | Some(Kind::Void | Kind::SampledImage | Kind::Pointer { space: None, .. }))
    }

    fn places(&mut self, at: &Instruction<'w>) -> Result<Vec<(Value, Type)>> {
        self.check_room(at)?;
        let leaves = self.m.tables.types.leaves(at, at.ty)?;
        Ok(leaves.into_iter().map(|leaf| (self.place_of(leaf.ty), leaf.ty)).collect())
    }

    fn place_of(&mut self, ty: Type) -> Value {
        let align = natural_align(ty);
        self.alloca(align, align)
    }

    /// Stores a part: a `bool` is a byte in memory.
    pub fn store(&mut self, ptr: Value, value: Value, align: u64, volatile: bool) {
        let ty = self.b.ty(value);
        let value = match ty.scalar {
            ScalarType::Bool => self.b.convert(ConvertOp::ZExt, value, ty.with_scalar(ScalarType::I8)),
            _ => value,
        };
        let align = to_u32(align.min(natural_align(ty)).max(1));
        self.b.effect(Op::Store { ptr, value, align, volatile });
    }

    /// Loads a part.
    pub fn load(&mut self, ptr: Value, ty: Type, align: u64, volatile: bool) -> Value {
        let stored = if ty.scalar == ScalarType::Bool { ty.with_scalar(ScalarType::I8) } else { ty };
        let align = to_u32(align.min(natural_align(ty)).max(1));
        let value = self.b.push(Op::Load { ptr, align, volatile, invariant: false }, &[stored])[0];
        if stored == ty { value } else { self.b.compare_int(CompareOp::Ne, value, 0) }
    }

    /// Begins a block: loads its phis.
    pub fn begin_block(&mut self, block: usize) {
        self.block = block;
        self.here.clear();
        self.forget_place();
        let phis = self.graph.blocks[block].phis.clone();
        for at in phis {
            let places = self.phis.get(&at.result).cloned().unwrap_or_default();
            let parts = places.into_iter().map(|(place, ty)| self.load(place, ty, 8, false)).collect();
            self.define(&at, Item::Parts(parts));
        }
    }

    /// What follows is of no known line.
    pub fn forget_place(&mut self) {
        self.b.span = Span::default();
    }

    /// Stores what the phis of a successor take from the current block.
    pub fn leave_to(&mut self, successor: usize) -> Result<()> {
        let label = self.graph.blocks[self.block].label;
        let phis = self.graph.blocks[successor].phis.clone();
        for at in phis {
            self.check_room(&at)?;
            let value = self.graph.incoming.get(&(at.result, label)).copied();
            let value = value.ok_or_else(|| at.invalid(format!("no value from the block %{label}")))?;
            let parts = self.parts_of(&at, value, at.ty)?;
            let places = self.phis.get(&at.result).cloned().unwrap_or_default();
            for ((place, _), part) in places.into_iter().zip(parts) {
                self.store(place, part, 8, false);
            }
        }
        Ok(())
    }

    /// Says what the result of an instruction is.
    pub fn define(&mut self, at: &Instruction<'w>, item: Item) {
        if let (Some(slots), Item::Parts(parts)) = (self.slots.get(&at.result).cloned(), &item) {
            for ((place, _), part) in slots.into_iter().zip(parts.clone()) {
                self.store(place, part, 8, false);
            }
        }
        let known = Known { ty: at.ty, item };
        self.m.parts += known.count();
        match self.block {
            0 => self.fixed.insert(at.result, known),
            _ => self.here.insert(at.result, known),
        };
    }

    /// As [`FunctionReader::define`], of one part.
    pub fn define_value(&mut self, at: &Instruction<'w>, value: Value) -> Result<()> {
        let ty = self.m.tables.types.value(at, at.ty)?;
        if self.b.ty(value) != ty {
            return Err(at.invalid("the operands do not give a value of the result's type"));
        }
        let value = self.narrowed(value, at.ty, ty);
        self.define(at, Item::Parts(smallvec![value]));
        Ok(())
    }

    /// What an id stands for.
    pub fn known(&mut self, at: &Instruction<'w>, id: u32) -> Result<Known> {
        if let Some(known) = self.here.get(&id).or_else(|| self.fixed.get(&id)) {
            return Ok(known.clone());
        }
        self.check_room(at)?;
        let known = self.fetch(at, id)?;
        self.m.parts += known.count();
        self.here.insert(id, known.clone());
        Ok(known)
    }

    fn fetch(&mut self, at: &Instruction<'w>, id: u32) -> Result<Known> {
        if let Some(slots) = self.slots.get(&id).cloned() {
            let parts = slots.into_iter().map(|(place, ty)| self.load(place, ty, 8, false)).collect();
            let ty = self.graph.types.get(&id).copied().unwrap_or(0);
            return Ok(Known { ty, item: Item::Parts(parts) });
        }
        if let Some(constant) = self.m.tables.constants.get(&id).copied() {
            let parts = self.constant(&constant)?;
            return Ok(Known { ty: constant.ty, item: Item::Parts(parts) });
        }
        if let Some(variable) = self.m.variable(id) {
            return Ok(self.global(variable));
        }
        if self.graph.types.contains_key(&id) {
            return Err(at.invalid(format!("%{id} is used where it is not available")));
        }
        Err(Tables::undefined(at, id))
    }

    fn global(&mut self, variable: Variable) -> Known {
        match variable {
            Variable::Global { ty, global } => {
                let space = self.m.module.global(global).space;
                let address = self.b.emit(Op::GlobalAddress(global), Type::ptr(space));
                Known { ty, item: Item::Parts(smallvec![address]) }
            }
            Variable::BuiltIn { ty, built_in } => Known { ty, item: Item::BuiltIn(built_in, None) },
        }
    }

    /// The parts of an id, whatever its type.
    pub fn parts(&mut self, at: &Instruction<'w>, id: u32) -> Result<Parts> {
        match self.known(at, id)?.item {
            Item::Parts(parts) => Ok(parts),
            _ => Err(at.invalid(format!("%{id} is no value that can be used here"))),
        }
    }

    /// The parts of an id, which must be of that type.
    pub fn parts_of(&mut self, at: &Instruction<'w>, id: u32, ty: u32) -> Result<Parts> {
        let parts = self.parts(at, id)?;
        // Comparing them is work too.
        self.m.parts += parts.len();
        let leaves: Vec<Leaf> = self.m.tables.types.leaves(at, ty)?;
        let same =
            parts.len() == leaves.len() && parts.iter().zip(&leaves).all(|(part, leaf)| self.b.ty(*part) == leaf.ty);
        if same { Ok(parts) } else { Err(at.invalid(format!("%{id} is of another type than its use"))) }
    }

    /// The only part of an operand.
    pub fn value(&mut self, at: &Instruction<'w>, id: u32) -> Result<Value> {
        match self.parts(at, id)?[..] {
            [one] => Ok(one),
            _ => Err(at.invalid(format!("%{id} is no number, vector or pointer"))),
        }
    }

    /// The operand at an index, of one part.
    pub fn operand(&mut self, at: &Instruction<'w>, index: usize) -> Result<Value> {
        let id = at.operand(index)?;
        let value = self.value(at, id)?;
        Ok(self.extended_operand(id, value))
    }

    /// The operand at an index, which must be of that type.
    pub fn operand_of(&mut self, at: &Instruction<'w>, index: usize, ty: Type) -> Result<Value> {
        let value = self.operand(at, index)?;
        if self.b.ty(value) == ty {
            return Ok(value);
        }
        Err(at.invalid(format!("operand {index} is of type {}, not {ty}", self.b.ty(value))))
    }

    /// The operand at an index, an integer (vector) that is resized without sign.
    pub fn index(&mut self, at: &Instruction<'w>, index: usize, ty: Type) -> Result<Value> {
        let value = self.operand(at, index)?;
        let given = self.b.ty(value);
        if !given.scalar.is_int() || given.lanes != ty.lanes {
            return Err(at.invalid(format!("operand {index} is of type {given}, not {ty}")));
        }
        Ok(self.b.resize(value, ty.scalar, false))
    }

    /// The bits of an operand that is an integer constant.
    pub fn constant_operand(&mut self, at: &Instruction<'w>, index: usize) -> Result<Option<u64>> {
        let value = self.operand(at, index)?;
        Ok(self.b.function.as_int(value))
    }

    /// What the pointer operand at an index points to, as far as its type says.
    pub fn pointee(&mut self, at: &Instruction<'w>, id: u32) -> Result<Option<u32>> {
        let ty = self.known(at, id)?.ty;
        match self.m.tables.types.get(at, ty)?.kind {
            Kind::Pointer { pointee, .. } => Ok(pointee),
            _ => Err(at.invalid(format!("%{id} is no pointer"))),
        }
    }

    /// The parts of a constant.
    fn constant(&mut self, at: &Instruction<'w>) -> Result<Parts> {
        if self.depth >= MAX_DEPTH {
            return Err(at.limit(format!("more than {MAX_DEPTH} constants inside each other")));
        }
        self.depth += 1;
        let parts = self.constant_parts(at);
        self.depth -= 1;
        parts
    }

    fn constant_parts(&mut self, at: &Instruction<'w>) -> Result<Parts> {
        match at.op {
            spirv::Op::ConstantNull if self.result_matrix(at).is_some() => {
                let matrix = self.result_matrix(at).map(|matrix| self.null_matrix(matrix));
                Ok(matrix.into_iter().collect())
            }
            spirv::Op::ConstantNull => self.of_leaves(at, |_, ty| Constant::int(ty, 0)),
            spirv::Op::Undef => {
                let odd = self.m.tables.types.width(at.ty).is_some();
                self.of_leaves(at, |_, ty| if odd { Constant::int(ty, 0) } else { Constant::Undef(ty) })
            }
            // It cannot be called, so that all that matters is that it is not null, and another one for each function.
            spirv::Op::ConstantFunctionPointerINTEL => {
                let ty = self.m.tables.types.value(at, at.ty)?;
                let number = self.b.int(Type::I64, i64::from(at.operand(0)?));
                match ty.space() {
                    Some(_) => Ok(smallvec![self.b.convert(ConvertOp::IntToPtr, number, ty)]),
                    None => Err(at.invalid("a pointer to a function of a type that is no pointer")),
                }
            }
            spirv::Op::ConstantSampler => {
                let bits = images::sampler_bits(at)?;
                let ty = self.m.tables.types.value(at, at.ty)?;
                Ok(smallvec![self.b.emit(Op::Sampler(bits), ty)])
            }
            spirv::Op::ConstantComposite | spirv::Op::SpecConstantComposite => self.construct(at),
            spirv::Op::SpecConstantOp => self.constant_operation(at),
            _ => {
                let bits = self.m.tables.scalar_bits(at).ok_or_else(|| at.invalid("a constant without value"))?;
                let ty = self.m.tables.types.value(at, at.ty)?;
                if ty.is_vector() || !(ty.scalar.is_int() || ty.scalar.is_float() || ty == Type::BOOL) {
                    return Err(at.invalid("a literal of a type that is no number"));
                }
                let bits = bits & self.m.tables.types.mask(at.ty, ty);
                Ok(smallvec![self.b.function.constant(Constant::int(ty, bits))])
            }
        }
    }

    fn of_leaves(&mut self, at: &Instruction<'w>, make: impl Fn(&Self, Type) -> Constant) -> Result<Parts> {
        let leaves = self.m.tables.types.leaves(at, at.ty)?;
        let constants: Vec<Constant> = leaves.iter().map(|leaf| make(self, leaf.ty)).collect();
        Ok(constants.into_iter().map(|constant| self.b.function.constant(constant)).collect())
    }

    /// An operation on constants is read as the instruction that it names.
    fn constant_operation(&mut self, at: &Instruction<'w>) -> Result<Parts> {
        let opcode = at.operand(0)?;
        let op = spirv::Op::from_u32(opcode).ok_or_else(|| at.invalid(format!("no operation {opcode}")))?;
        let inner = Instruction { op, operands: at.rest(1), ..*at };
        if !instruction::is_pure(op) {
            return Err(at.unsupported(format!("{op:?} on constants is not supported")));
        }
        // In a block of its own: the result must not count as the first block's.
        let around = std::mem::replace(&mut self.block, usize::MAX);
        let signed = self.reads_signed;
        let done = self.instruction(&inner);
        (self.block, self.reads_signed) = (around, signed);
        done?;
        match self.here.remove(&at.result).map(|known| known.item) {
            Some(Item::Parts(parts)) => Ok(parts),
            _ => Err(at.invalid("an operation on constants without a value")),
        }
    }
}
