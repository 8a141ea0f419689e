//! Functions: their declarations, the ids of their values, and the appending of instructions. Ids are handed out on first
//! mention, not on definition, since a loop's header needs the next iteration's values before they exist.

use super::ModuleBuilder;
use super::instruction::instruction;
use super::wide_products::WideProducts;
use clforge_ir::error::Limited;
use clforge_ir::*;
use rspirv::dr::{self, Operand};
use rspirv::spirv::{self, Word};
use rustc_hash::FxHashMap;
use typed_index_collections::{TiSlice, TiVec, ti_vec};

/// What differs between SPIR-V for Vulkan and for OpenCL.
pub trait Environment {
    /// The SPIR-V type of a value.
    fn value_type(&mut self, m: &mut ModuleBuilder, ty: Type) -> Word;

    /// The type of a parameter; where it is not [`Environment::value_type`], the prologue replaces the parameter's id.
    fn param_type(&mut self, m: &mut ModuleBuilder, function: &Function, index: usize) -> Word {
        self.value_type(m, function.ty(function.params[index]))
    }

    /// The types of the parameters that a function has behind those of the IR.
    ///
    /// # Errors
    /// What the environment cannot express.
    fn more_params(&mut self, _: &mut ModuleBuilder, _: &Function) -> Result<Vec<Word>, Error> {
        Ok(Vec::new())
    }

    /// The arguments for them in a call of a function by the one being written.
    ///
    /// # Errors
    /// [`Error::internal`].
    fn more_args(&self, _: FunctionId) -> Result<Vec<Word>, Error> {
        Ok(Vec::new())
    }

    /// A constant; pointers and handles too.
    fn constant(&mut self, m: &mut ModuleBuilder, constant: &Constant) -> Word {
        m.constant(constant)
    }

    /// Emits an operation that is not arithmetic, control flow or a call.
    ///
    /// # Errors
    /// What the environment cannot express.
    fn op(&mut self, f: &mut FunctionEmitter<'_>, id: InstId) -> Result<(), Error>
    where
        Self: Sized;

    /// Whether floating results must not be contracted.
    fn no_contraction(&self, function: &Function) -> bool;

    /// Whether a phi may have one operand only for each predecessor
    /// ([`Workarounds::LLVM_SPIRV_SWITCH`](clforge_basic::workarounds::Workarounds)). Blocks are made by the emitter, so
    /// that no pass can do this.
    fn splits_switch_edges(&self) -> bool;

    /// Whether the module is for Vulkan, where the signed remainder of negative operands is undefined.
    fn is_vulkan(&self) -> bool;
}

/// Parameters of a function, a universal limit of SPIR-V (2.17).
const MAX_PARAMETERS: usize = 255;

/// Where the values of a merge come from: (predecessor label, values).
pub(super) type Edges = Vec<(Word, Vec<Word>)>;

/// A place control flow joins.
#[derive(Default)]
pub(super) struct Join {
    pub(super) label: Word,
    pub(super) edges: Edges,
}

/// Writes one function.
pub struct FunctionEmitter<'f> {
    pub m: &'f mut ModuleBuilder,
    pub function: &'f Function,
    /// SPIR-V ids of the module's functions.
    pub functions: &'f TiSlice<FunctionId, Word>,
    ids: TiVec<Value, Word>,
    /// Those of [`Environment::more_params`].
    pub more_params: Vec<Word>,
    /// Label of the block being written.
    pub(super) label: Word,
    /// Innermost loop or switch: the target of `break`.
    pub(super) breaks: Vec<Join>,
    /// Innermost loop: the target of `continue`.
    pub(super) continues: Vec<Join>,
    /// The `if` whose branch is being emitted: the target of `yield`.
    pub(super) yields: Vec<Join>,
    /// The next case.
    pub(super) falls: Vec<Join>,
    /// Results that may not be contracted.
    pub uncontracted: Vec<Word>,
    pub types: FxHashMap<Type, Word>,
    /// Source of the operation being written.
    pub(super) at: clforge_basic::source::Span,
    /// Structured operations around the one being written.
    pub(super) depth: usize,
    /// Those of them that are inside of a continuing region.
    pub(super) in_continuing: Vec<InstId>,
    /// The number of enclosing continuing regions.
    pub(super) continuing_regions: usize,
    pub(super) products: WideProducts,
    /// The variables that hold matrices for an access to a component, by their type.
    pub(super) matrix_variables: FxHashMap<Type, Word>,
}

/// Writes `function` as `id`. `prologue` runs in the entry block, before the body, given the parameters' ids.
///
/// # Errors
/// What the environment cannot express, with the place of the operation.
pub fn emit_function<E: Environment>(
    m: &mut ModuleBuilder,
    env: &mut E,
    function: &Function,
    functions: &TiSlice<FunctionId, Word>,
    id: Word,
    mut prologue: impl FnMut(&mut FunctionEmitter<'_>, &mut E) -> Result<(), Error>,
) -> Result<(), Error> {
    let result = match function.result {
        Some(ty) => env.value_type(m, ty),
        None => m.void(),
    };
    let mut params: Vec<Word> = (0..function.params.len()).map(|index| env.param_type(m, function, index)).collect();
    params.extend(env.more_params(m, function)?);
    if params.len() > MAX_PARAMETERS {
        let what = Limited::Parameters { function: function.name.as_str().into() };
        return Err(Error::limit(what, params.len(), MAX_PARAMETERS).at(function.span));
    }
    let ty = m.function_type(result, &params);
    let control = match function.inline {
        Some(true) => spirv::FunctionControl::INLINE,
        Some(false) => spirv::FunctionControl::DONT_INLINE,
        None => spirv::FunctionControl::NONE,
    };
    m.b.begin_function(result, Some(id), control, ty).or_internal("a function cannot begin")?;
    let mut ids: TiVec<Value, Word> = ti_vec![0; function.value_count()];
    let mut params = params.into_iter();
    let mut next = |m: &mut ModuleBuilder| {
        let ty = params.next()?;
        Some(m.b.function_parameter(ty).or_internal("a parameter outside of a function"))
    };
    for param in &function.params {
        ids[*param] = next(m).or_internal("a parameter without a type")??;
    }
    let mut more_params = Vec::new();
    while let Some(param) = next(m) {
        more_params.push(param?);
    }
    if !function.is_declaration() {
        let mut f = FunctionEmitter {
            m,
            function,
            functions,
            ids,
            more_params,
            label: 0,
            breaks: Vec::new(),
            continues: Vec::new(),
            yields: Vec::new(),
            falls: Vec::new(),
            uncontracted: Vec::new(),
            types: FxHashMap::default(),
            at: Default::default(),
            depth: 0,
            in_continuing: Vec::new(),
            continuing_regions: 0,
            matrix_variables: FxHashMap::default(),
            products: if env.is_vulkan() { WideProducts::of(function) } else { WideProducts::default() },
        };
        let entry = f.m.id();
        f.begin(entry)?;
        let written = prologue(&mut f, env).and_then(|()| f.region(env, function.body));
        written.map_err(|error| error.at(f.at).at(function.span))?;
        for id in std::mem::take(&mut f.uncontracted) {
            f.m.decorate(id, spirv::Decoration::NoContraction, []);
        }
    }
    m.b.end_function().or_internal("a function cannot end")
}

impl FunctionEmitter<'_> {
    /// The id of a value; constants are made on first use.
    pub fn id<E: Environment>(&mut self, env: &mut E, value: Value) -> Word {
        let known = self.ids[value];
        if known != 0 {
            return known;
        }
        let function = self.function;
        let id = match function.as_constant(value) {
            Some(constant) => env.constant(self.m, constant),
            None => self.m.id(),
        };
        self.ids[value] = id;
        id
    }

    /// Gives a parameter another id: that of its value converted to the type the function's body expects.
    pub fn replace_param(&mut self, param: Value, id: Word) {
        self.ids[param] = id;
    }

    /// Says that a value is what another id holds already. A loop header may have mentioned the value before: then it
    /// has an id of its own and needs a copy.
    pub fn alias<E: Environment>(&mut self, env: &mut E, value: Value, id: Word) -> Result<(), Error> {
        if self.ids[value] != 0 {
            return self.define(env, value, spirv::Op::CopyObject, &[id]);
        }
        self.ids[value] = id;
        Ok(())
    }

    pub(super) fn id_list<E: Environment>(&mut self, env: &mut E, values: &[Value]) -> Vec<Word> {
        values.iter().map(|value| self.id(env, *value)).collect()
    }

    /// The type id of a value.
    pub fn type_of<E: Environment>(&mut self, env: &mut E, value: Value) -> Word {
        let ty = self.function.ty(value);
        self.type_id(env, ty)
    }

    pub fn type_id<E: Environment>(&mut self, env: &mut E, ty: Type) -> Word {
        if let Some(id) = self.types.get(&ty) {
            return *id;
        }
        let id = env.value_type(self.m, ty);
        self.types.insert(ty, id);
        id
    }

    pub(super) fn begin(&mut self, label: Word) -> Result<(), Error> {
        self.label = label;
        // Not by `begin_block`, which searches the grammar for its label.
        let label = instruction(spirv::Op::Label, None, Some(label), Vec::new());
        let builder = &mut self.m.b;
        let function = builder.selected_function().or_internal("a block outside of a function")?;
        let blocks = &mut builder.module_mut().functions[function].blocks;
        blocks.push(dr::Block { label: Some(label), instructions: Vec::new() });
        let last = blocks.len() - 1;
        builder.select_block(Some(last)).or_internal("a block cannot begin")
    }

    /// Appends an instruction with a new id.
    pub fn push(&mut self, op: spirv::Op, ty: Word, operands: Vec<Operand>) -> Result<Word, Error> {
        let id = self.m.id();
        self.push_as(id, op, ty, operands)?;
        Ok(id)
    }

    /// Appends an instruction with a given id.
    pub fn push_as(&mut self, id: Word, op: spirv::Op, ty: Word, operands: Vec<Operand>) -> Result<(), Error> {
        self.raw(instruction(op, Some(ty), Some(id), operands))
    }

    /// Appends an instruction without result.
    pub fn effect(&mut self, op: spirv::Op, operands: Vec<Operand>) -> Result<(), Error> {
        self.raw(instruction(op, None, None, operands))
    }

    fn raw(&mut self, inst: dr::Instruction) -> Result<(), Error> {
        self.m.check_ids()?;
        let inserted = self.m.b.insert_into_block(dr::InsertPoint::End, inst);
        inserted.or_internal("an instruction outside of a block")
    }

    /// Ends the block.
    pub(super) fn terminate(&mut self, op: spirv::Op, operands: Vec<Operand>) -> Result<(), Error> {
        self.effect(op, operands)?;
        self.m.b.select_block(None).or_internal("a block cannot end")
    }

    pub(super) fn branch(&mut self, label: Word) -> Result<(), Error> {
        self.terminate(spirv::Op::Branch, vec![Operand::IdRef(label)])
    }
}
