//! `vulkan/emulated_matrices`: cooperative matrices become numbers that work-items exchange, for devices that lack
//! `VK_KHR_cooperative_matrix`, or lack the shapes and components that a kernel uses.
//!
//! Work-item `l` of a sub-group of `S` has the columns `l`, `l + S`, `l + 2 S`, … of each matrix, so in a product
//! `a * b + c` it computes the columns of the result from the same columns of `b`, and only the components of `a` come
//! from other work-items, one at a time. A matrix becomes as many values as a work-item of the smallest sub-group has
//! components, column by column, or as many words of private memory (`in_memory.rs`). In larger sub-groups some of them
//! are of columns past the last: they are computed with the others, and are neither loaded from places of their own nor
//! stored.
//!
//! Floating sums are `float`s at least, and sums of integers have at least 32 bits. Where they saturate they have 64
//! bits, in which sums of products of narrower integers are exact.

mod in_memory;
mod slots;

use crate::legalize::{Context, State};
use clforge_basic::matrix::MatrixComponent;
use clforge_basic::narrow::{to_i64, to_u32, to_usize};
use clforge_basic::options::Options;
use clforge_ir::error::Unsupported;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

/// Most products that are added to each component of a result without a loop. Drivers do not compile what is made of a few
/// products of 16x16 matrices without loops in minutes (hasvk and Turnip of Mesa 25, PanVK).
const MOST_TERMS: usize = 4;

/// The pass. It needs matrices to be values: those left in private memory are errors.
pub struct EmulatedMatrices;

impl Pass<State> for EmulatedMatrices {
    fn name(&self) -> &'static str {
        "vulkan/emulated_matrices"
    }

    fn order(&self) -> Order {
        Order { after: &["inline", "mem2reg"], before: &["vulkan/builtins"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let is_wanted = |function: &Function| is_emulated(function, context.options);
        let functions = module.functions.iter_enumerated();
        let users: Vec<FunctionId> = functions.filter(|(_, function)| is_wanted(function)).map(|(id, _)| id).collect();
        let mut room = Room::new(module, context.options.codegen.max_instructions);
        for id in &users {
            let function = &mut module.functions[*id];
            let emulation = Emulation { sizes: SubGroupSizes::of(function, context.options) };
            *function = match in_memory::InMemory::of(function, emulation, context.options) {
                Some(mut in_memory) => rewrite(function, &mut in_memory, &mut room)?,
                None => rewrite(function, &mut { emulation }, &mut room)?,
            };
        }
        Ok(if users.is_empty() { Changed::No } else { Changed::Maybe })
    }
}

/// Whether matrices of a module are emulated.
pub fn emulates_matrices(module: &Module, options: &Options) -> bool {
    module.functions.iter().any(|function| is_emulated(function, options))
}

/// Whether the matrices of a function are emulated: by the options, for translators, where accesses are checked or kept inside of
/// buffers, where the devices lack one of the matrices or products, or a type that they need, and where they lack the Vulkan
/// memory model, which modules with matrices must have.
fn is_emulated(function: &Function, options: &Options) -> bool {
    has_matrices(function)
        && (options.device.emulated.matrices
            || options.device.emulated.sub_groups
            || lacks_types(function, options)
            || !options.device.vulkan_memory_model
            || options.codegen.translatable.is_some()
            || options.codegen.bounds_check
            || options.codegen.robust_buffer_access
            || !has_variants(function, options))
}

/// Whether the type of a stride, or of the components of one of the matrices, is emulated.
fn lacks_types(function: &Function, options: &Options) -> bool {
    let emulated = options.device.emulated;
    let is_emulated = |matrix: MatrixType| match matrix.component {
        MatrixComponent::I8 => emulated.int8,
        MatrixComponent::I16 => emulated.int16,
        MatrixComponent::I32 | MatrixComponent::F32 => false,
        MatrixComponent::I64 => emulated.int64,
        MatrixComponent::F16 => emulated.float16,
        MatrixComponent::F64 => emulated.float64,
    };
    emulated.int64 || function.values().filter_map(|value| function.ty(value).matrix()).any(is_emulated)
}

/// Whether a function has cooperative matrices.
pub fn has_matrices(function: &Function) -> bool {
    function.values().any(|value| function.ty(value).matrix().is_some())
}

/// Whether the devices have the matrices and the products of a function. If nothing is known of them they have all.
fn has_variants(function: &Function, options: &Options) -> bool {
    let variants = &options.device.matrices;
    if variants.is_empty() {
        return true;
    }
    let has_type = |matrix: MatrixType| {
        let MatrixType { component, rows, columns, usage } = matrix;
        variants.iter().any(|variant| variant.has(usage, component, rows, columns))
    };
    let has_product = |op: &MatrixOp| {
        let MatrixOp::MultiplyAdd { a_sign, b_sign, c_sign, overflow, a, b, c } = *op else { return true };
        let matrix = |value: Value| function.ty(value).matrix();
        let (Some(left), Some(right), Some(sum)) = (matrix(a), matrix(b), matrix(c)) else { return true };
        variants.iter().any(|variant| {
            let same = |sign: ComponentSign, matrix: MatrixType, has: clforge_basic::matrix::SignedComponent| {
                let sign_matters = !matrix.component.is_float();
                has.component == matrix.component && (!sign_matters || has.signed == (sign == ComponentSign::Signed))
            };
            (variant.m, variant.n, variant.k) == (left.rows, right.columns, left.columns)
                && same(a_sign, left, variant.a)
                && same(b_sign, right, variant.b)
                && same(c_sign, sum, variant.c)
                && same(c_sign, sum, variant.result)
                && (sum.component.is_float() || variant.saturating == (overflow == MatrixOverflow::Saturates))
        })
    };
    function.values().filter_map(|value| function.ty(value).matrix()).all(has_type)
        && function.insts.iter().all(|inst| match &inst.op {
            Op::Matrix(op) => has_product(op),
            _ => true,
        })
}

/// The sizes that a sub-group may have.
#[derive(Clone, Copy)]
struct SubGroupSizes {
    least: u32,
    /// If it is known.
    exact: Option<u32>,
}

impl SubGroupSizes {
    fn of(function: &Function, options: &Options) -> SubGroupSizes {
        if options.device.emulated.sub_groups {
            return SubGroupSizes { least: 1, exact: Some(1) };
        }
        let required = function.kernel.as_ref().and_then(|kernel| kernel.required_sub_group_size);
        let exact = required.filter(|size| *size > 0).or(options.device.sub_group_size);
        SubGroupSizes { least: exact.unwrap_or(options.device.least_sub_group_size).max(1), exact }
    }

    /// How many columns a work-item has, or may have.
    fn columns(self, matrix: MatrixType) -> u32 {
        matrix.columns.div_ceil(self.least)
    }

    /// The values of a matrix.
    fn parts(self, matrix: MatrixType) -> usize {
        to_usize(u64::from(self.columns(matrix)) * u64::from(matrix.rows))
    }

    /// Whether each work-item has the columns that some have.
    fn are_even(self, matrix: MatrixType) -> bool {
        self.exact.is_some_and(|size| matrix.columns.is_multiple_of(size))
    }
}

#[derive(Clone, Copy)]
struct Emulation {
    sizes: SubGroupSizes,
}

/// The place of a part in a matrix.
struct Component {
    row: u32,
    /// Which of the columns that the work-item has.
    column: u32,
}

impl Rewrite for Emulation {
    fn types(&self, ty: Type) -> SmallVec<[Type; 1]> {
        match ty.matrix() {
            Some(matrix) => smallvec![Type::scalar(matrix.scalar()); self.sizes.parts(matrix)],
            None => smallvec![ty],
        }
    }

    fn constant(&self, _: Value, constant: &Constant) -> Option<SmallVec<[Constant; 2]>> {
        constant.ty().matrix()?;
        Some(self.types(constant.ty()).into_iter().map(Constant::Undef).collect())
    }

    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        use MatrixOp as M;
        let result = inst.results.first().and_then(|value| r.old.ty(*value).matrix());
        let Op::Matrix(op) = inst.op else {
            return match &inst.op {
                Op::Load { .. } if result.is_some() => Err(in_memory()),
                Op::Store { value, .. } if r.old.ty(*value).matrix().is_some() => Err(in_memory()),
                Op::Select { condition, if_true, if_false } if result.is_some() => {
                    let condition = r.one(*condition, self)?;
                    let (a, b) = (r.parts(*if_true, self)?, r.parts(*if_false, self)?);
                    let chosen = a.iter().zip(&b).map(|(a, b)| r.b.select(condition, *a, *b));
                    Ok(Some(smallvec![chosen.collect()]))
                }
                _ => Ok(None),
            };
        };
        let matrix_of = |value: Value| r.old.ty(value).matrix().or_internal("no matrix");
        let parts: Parts = match op {
            M::Load { layout, ptr, stride } => {
                let matrix = result.or_internal("a load of no matrix")?;
                let memory = self.memory(r, ptr, stride, layout)?;
                return Ok(Some(smallvec![self.load(r, matrix, memory)]));
            }
            M::Store { layout, ptr, stride, matrix } => {
                let (ty, parts) = (matrix_of(matrix)?, r.parts(matrix, self)?);
                let memory = self.memory(r, ptr, stride, layout)?;
                self.store(r, ty, &parts, memory);
                return Ok(Some(SmallVec::new()));
            }
            M::MultiplyAdd { .. } => self.multiply_add(r, op)?,
            M::Fill { scalar } => {
                let scalar = r.one(scalar, self)?;
                smallvec![scalar; self.sizes.parts(result.or_internal("no matrix")?)]
            }
            M::Length { matrix } => {
                let matrix = matrix_of(matrix)?;
                smallvec![self.length(r, matrix)]
            }
            M::Extract { matrix, index } => {
                let (parts, index) = (r.parts(matrix, self)?, r.one(index, self)?);
                let first = parts.first().copied().or_internal("a matrix without components")?;
                let others = (1..).zip(&parts[1..]);
                smallvec![others.fold(first, |found, (number, part)| {
                    let is_it = r.b.compare_int(CompareOp::Eq, index, number);
                    r.b.select(is_it, *part, found)
                })]
            }
            M::Insert { matrix, index, scalar } => {
                let (parts, index, scalar) = (r.parts(matrix, self)?, r.one(index, self)?, r.one(scalar, self)?);
                let changed = (0..).zip(&parts).map(|(number, part)| {
                    let is_it = r.b.compare_int(CompareOp::Eq, index, number);
                    r.b.select(is_it, scalar, *part)
                });
                changed.collect()
            }
            M::Unary { op, matrix } => {
                let parts = r.parts(matrix, self)?;
                parts.iter().map(|part| r.b.unary(op, *part)).collect()
            }
            M::Binary { op, lhs, rhs } => {
                let (a, b) = (r.parts(lhs, self)?, r.parts(rhs, self)?);
                a.iter().zip(&b).map(|(a, b)| r.b.binary(op, *a, *b)).collect()
            }
            M::Convert { op, matrix } => {
                let parts = r.parts(matrix, self)?;
                let to = Type::scalar(result.or_internal("no matrix")?.scalar());
                parts.iter().map(|part| r.b.convert(op, *part, to)).collect()
            }
        };
        Ok(Some(smallvec![parts]))
    }
}

fn in_memory() -> Error {
    Error::unsupported(Unsupported::MatrixInMemory)
}

/// The memory of a load or store.
#[derive(Clone, Copy)]
struct MatrixMemory {
    ptr: Value,
    /// In components.
    stride: Value,
    layout: MatrixLayout,
}

impl Emulation {
    fn memory(
        &self,
        r: &mut Rewriter<'_>,
        ptr: Value,
        stride: Value,
        layout: MatrixLayout,
    ) -> Result<MatrixMemory, Error> {
        Ok(MatrixMemory { ptr: r.one(ptr, self)?, stride: r.one(stride, self)?, layout })
    }

    /// The number of the work-item in its sub-group.
    fn id(&self, r: &mut Rewriter<'_>) -> Value {
        r.b.emit(Op::WorkItem { query: WorkItemQuery::SubGroupLocalId, dim: 0 }, Type::I32)
    }

    fn size(&self, r: &mut Rewriter<'_>) -> Value {
        match self.sizes.exact {
            Some(size) => r.b.int(Type::I32, i64::from(size)),
            None => r.b.emit(Op::WorkItem { query: WorkItemQuery::MaxSubGroupSize, dim: 0 }, Type::I32),
        }
    }

    /// The components of a matrix in the order of its parts.
    fn components(&self, matrix: MatrixType) -> impl Iterator<Item = Component> + use<> {
        let rows = matrix.rows;
        (0..self.sizes.columns(matrix)).flat_map(move |column| (0..rows).map(move |row| Component { row, column }))
    }

    /// The number of a column that this work-item has.
    fn column(&self, r: &mut Rewriter<'_>, number: Value) -> Value {
        let (id, size) = (self.id(r), self.size(r));
        let before = r.b.binary(BinaryOp::Mul, size, number);
        r.b.binary(BinaryOp::Add, before, id)
    }

    /// The number of a column that this work-item has, or where it has none, one of a column that may be loaded.
    fn column_to_load(&self, r: &mut Rewriter<'_>, matrix: MatrixType, number: Value) -> Value {
        let column = self.column(r, number);
        if self.sizes.are_even(matrix) {
            return column;
        }
        let is_there = r.b.compare_int(CompareOp::ULt, column, i64::from(matrix.columns));
        let first = r.b.int(Type::I32, 0);
        r.b.select(is_there, column, first)
    }

    /// The address of a component.
    fn address(&self, r: &mut Rewriter<'_>, memory: MatrixMemory, ty: Type, row: Value, column: Value) -> Value {
        let bytes = to_i64(ty.access_size());
        let column = r.b.resize(column, ScalarType::I64, false);
        let row = r.b.resize(row, ScalarType::I64, false);
        let (line, along) = match memory.layout {
            MatrixLayout::RowMajor => (row, column),
            MatrixLayout::ColumnMajor => (column, row),
        };
        let start = r.b.binary(BinaryOp::Mul, line, memory.stride);
        let index = r.b.binary(BinaryOp::Add, start, along);
        r.b.ptr_add(memory.ptr, index, bytes)
    }

    fn load(&self, r: &mut Rewriter<'_>, matrix: MatrixType, memory: MatrixMemory) -> Parts {
        let ty = Type::scalar(matrix.scalar());
        let components: Vec<Component> = self.components(matrix).collect();
        let load = |component: Component| {
            let number = r.b.int(Type::I32, i64::from(component.column));
            let column = self.column_to_load(r, matrix, number);
            let row = r.b.int(Type::I32, i64::from(component.row));
            let address = self.address(r, memory, ty, row, column);
            r.b.load(ty, address, to_u32(ty.access_size()))
        };
        components.into_iter().map(load).collect()
    }

    fn store(&self, r: &mut Rewriter<'_>, matrix: MatrixType, parts: &[Value], memory: MatrixMemory) {
        let ty = Type::scalar(matrix.scalar());
        let rows = to_usize(matrix.rows);
        for (number, column_parts) in (0..).zip(parts.chunks(rows)) {
            let number = r.b.int(Type::I32, number);
            let column = self.column(r, number);
            self.where_column_is(r, matrix, column, &mut |r| {
                for (row, part) in (0..).zip(column_parts) {
                    let row = r.b.int(Type::I32, row);
                    let address = self.address(r, memory, ty, row, column);
                    r.b.store(address, *part, to_u32(ty.access_size()));
                }
            });
        }
    }

    /// Does something where a matrix has a column of that number.
    fn where_column_is(
        &self,
        r: &mut Rewriter<'_>,
        matrix: MatrixType,
        column: Value,
        put: &mut dyn FnMut(&mut Rewriter<'_>),
    ) {
        if self.sizes.are_even(matrix) {
            return put(r);
        }
        let condition = r.b.compare_int(CompareOp::ULt, column, i64::from(matrix.columns));
        let then = r.b.function.new_region();
        r.b.enter(then);
        put(r);
        r.b.effect(Op::Yield(Values::new()));
        r.b.leave();
        let otherwise = r.b.nested(|b| b.effect(Op::Yield(Values::new())));
        r.b.effect(Op::If { condition, then, otherwise });
    }

    /// How many components this work-item has.
    fn length(&self, r: &mut Rewriter<'_>, matrix: MatrixType) -> Value {
        if self.sizes.are_even(matrix) {
            return r.b.int(Type::I32, i64::from(to_u32(self.sizes.parts(matrix))));
        }
        let (id, size) = (self.id(r), self.size(r));
        let last = r.b.binary_int(BinaryOp::Add, size, i64::from(matrix.columns) - 1);
        let reach = r.b.binary(BinaryOp::Sub, last, id);
        let columns = r.b.binary(BinaryOp::UDiv, reach, size);
        r.b.binary_int(BinaryOp::Mul, columns, i64::from(matrix.rows))
    }

    /// `a * b + c`.
    fn multiply_add(&self, r: &mut Rewriter<'_>, op: MatrixOp) -> Result<Parts, Error> {
        let MatrixOp::MultiplyAdd { a_sign, b_sign, c_sign, overflow, a, b, c } = op else {
            return Err(Error::internal("not a product of matrices"));
        };
        let matrix = |r: &Rewriter<'_>, value: Value| r.old.ty(value).matrix().or_internal("no matrix");
        let (left, sum) = (matrix(r, a)?, matrix(r, c)?);
        let result = Type::scalar(sum.scalar());
        let arithmetic = Arithmetic::of(sum.scalar(), overflow);
        let (a, b, c) = (r.parts(a, self)?, r.parts(b, self)?, r.parts(c, self)?);
        let widen = |r: &mut Rewriter<'_>, parts: Parts, sign: ComponentSign| -> Parts {
            parts.into_iter().map(|part| arithmetic.widen(&mut r.b, part, sign)).collect()
        };
        let (a, b, mut sums) = (widen(r, a, a_sign), widen(r, b, b_sign), widen(r, c, c_sign));
        let (rows, inner) = (to_usize(left.rows), to_usize(left.columns));
        let product = Product { a, rows, size: self.size(r), arithmetic };
        if inner <= MOST_TERMS {
            for k in 0..inner {
                let number = r.b.int(Type::I32, to_i64(k));
                let others: Parts = b.chunks(inner).map(|column| column[k]).collect();
                self.add_terms(r, &product, number, &others, &mut sums);
            }
        } else {
            sums = self.sum_in_loop(r, &product, (b, inner), sums);
        }
        Ok(sums.into_iter().map(|sum| arithmetic.narrow(&mut r.b, sum, result, c_sign, overflow)).collect())
    }

    /// Adds the products of the components of `a` in the column of a number with the components `others` of the same row of `b`.
    fn add_terms(&self, r: &mut Rewriter<'_>, product: &Product, number: Value, others: &[Value], sums: &mut [Value]) {
        let Product { a, rows, size, arithmetic } = product;
        let owner = r.b.binary(BinaryOp::URem, number, *size);
        let slot = r.b.binary(BinaryOp::UDiv, number, *size);
        for row in 0..*rows {
            let value = self.of_column(r, a, *rows, row, slot);
            // lavapipe 22.3.6 takes 65 ms instead of 25 with broadcasts from computed ids (256 rows of `bench/cooperative.cl`).
            let factor = of_work_item(r, GroupOp::Shuffle { value, id: owner });
            for (other, column) in others.iter().zip(sums.chunks_mut(*rows)) {
                column[row] = arithmetic.multiply_add(&mut r.b, factor, *other, column[row]);
            }
        }
    }

    /// Adds all products in a loop over the columns of `a`. The components of each column of `b` take turns at the first place.
    fn sum_in_loop(&self, r: &mut Rewriter<'_>, product: &Product, (b, inner): (Parts, usize), sums: Parts) -> Parts {
        let (first, limit) = (r.b.int(Type::I32, 0), r.b.int(Type::I32, to_i64(inner)));
        let count = sums.len();
        let carried = sums.into_iter().chain(b).collect();
        repeat(r, Counter { first, limit, step: 1 }, carried, count, &mut |r, number, carried| {
            let (sums, b) = carried.split_at_mut(count);
            let others: Parts = b.chunks(inner).map(|column| column[0]).collect();
            self.add_terms(r, product, number, &others, sums);
            b.chunks_mut(inner).for_each(|column| column.rotate_left(1));
        })
    }

    /// The component of a row in one of the columns that this work-item has.
    fn of_column(&self, r: &mut Rewriter<'_>, parts: &[Value], rows: usize, row: usize, slot: Value) -> Value {
        let mut columns = (0..).zip(parts.chunks(rows));
        let first = columns.next().map(|(_, column)| column[row]);
        let Some(first) = first else { return parts[row] };
        columns.fold(first, |found, (number, column)| {
            let is_it = r.b.compare_int(CompareOp::Eq, slot, number);
            r.b.select(is_it, column[row], found)
        })
    }
}

/// What the work-items of the sub-group exchange.
fn of_work_item(r: &mut Rewriter<'_>, op: GroupOp) -> Value {
    let ty = op.value().map_or(Type::I32, |value| r.b.ty(value));
    r.b.push(Op::Group { op, scope: Scope::SubGroup, uniform: true }, &[ty])[0]
}

/// The numbers that a loop counts; the first one is below the limit.
#[derive(Clone, Copy)]
struct Counter {
    first: Value,
    limit: Value,
    step: i64,
}

/// What an iteration does with its number and with what the loop carries.
type Iteration<'i> = dyn FnMut(&mut Rewriter<'_>, Value, &mut Parts) + 'i;

/// A loop that drivers do not unroll: the code of all iterations is what it avoids. Its results are the first ones of what it
/// carries.
fn repeat(
    r: &mut Rewriter<'_>,
    counter: Counter,
    inits: Parts,
    results: usize,
    iteration: &mut Iteration<'_>,
) -> Parts {
    let types: Vec<Type> = inits.iter().map(|value| r.b.ty(*value)).collect();
    let carried = |r: &mut Rewriter<'_>, region: RegionId| -> Parts {
        types.iter().map(|ty| r.b.function.add_region_param(region, *ty)).collect()
    };
    let body = r.b.function.new_region();
    let number = r.b.function.add_region_param(body, Type::I32);
    let mut values = carried(r, body);
    r.b.enter(body);
    iteration(r, number, &mut values);
    let following = r.b.binary_int(BinaryOp::Add, number, counter.step);
    let again = r.b.compare(CompareOp::ULt, following, counter.limit);
    r.b.effect(Op::Continue([following, again].into_iter().chain(values).collect()));
    r.b.leave();
    let continuing = r.b.function.new_region();
    let following = r.b.function.add_region_param(continuing, Type::I32);
    let condition = r.b.function.add_region_param(continuing, Type::BOOL);
    let values = carried(r, continuing);
    r.b.enter(continuing);
    let next = std::iter::once(following).chain(values.iter().copied()).collect();
    let passed = values.iter().take(results).copied().collect();
    r.b.effect(Op::NextIf { condition, next, results: passed });
    r.b.leave();
    let inits = std::iter::once(counter.first).chain(inits).collect();
    let hint = LoopHint::DontUnroll;
    r.b.push(Op::Loop { inits, body, continuing, hint }, &types[..results.min(types.len())]).into_iter().collect()
}

/// What the products of two matrices have in common.
struct Product {
    /// The components of the left one that the work-item has, as numbers of the sum's type.
    a: Parts,
    rows: usize,
    /// Of the sub-group.
    size: Value,
    arithmetic: Arithmetic,
}

/// The arithmetic of the sums.
#[derive(Clone, Copy)]
struct Arithmetic {
    ty: Type,
}

impl Arithmetic {
    fn of(sum: ScalarType, overflow: MatrixOverflow) -> Arithmetic {
        Arithmetic {
            ty: match sum {
                ScalarType::F64 => Type::F64,
                _ if sum.is_float() => Type::F32,
                ScalarType::I64 => Type::I64,
                _ if overflow == MatrixOverflow::Saturates => Type::I64,
                _ => Type::I32,
            },
        }
    }

    fn widen(self, b: &mut Builder<'_>, part: Value, sign: ComponentSign) -> Value {
        let from = b.ty(part);
        match (from.scalar.bits().cmp(&self.ty.scalar.bits()), self.ty.scalar.is_float()) {
            (_, false) => b.resize(part, self.ty.scalar, sign == ComponentSign::Signed),
            (std::cmp::Ordering::Less, true) => b.convert(ConvertOp::FExt, part, self.ty),
            (std::cmp::Ordering::Equal, true) => part,
            (std::cmp::Ordering::Greater, true) => b.convert(ConvertOp::FTrunc, part, self.ty),
        }
    }

    fn multiply_add(self, b: &mut Builder<'_>, x: Value, y: Value, sum: Value) -> Value {
        if self.ty.scalar.is_float() {
            return b.intrinsic(Intrinsic::Mad, &[x, y, sum], self.ty);
        }
        let product = b.binary(BinaryOp::Mul, x, y);
        b.binary(BinaryOp::Add, product, sum)
    }

    fn narrow(self, b: &mut Builder<'_>, sum: Value, to: Type, sign: ComponentSign, overflow: MatrixOverflow) -> Value {
        if self.ty == to {
            return sum;
        }
        if self.ty.scalar.is_float() {
            return b.convert(ConvertOp::FTrunc, sum, to);
        }
        let bits = to.scalar.bits();
        let mut sum = sum;
        if overflow == MatrixOverflow::Saturates && bits < 64 {
            let (least, most) = match sign {
                ComponentSign::Signed => (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
                ComponentSign::Unsigned => (0, (1i64 << bits) - 1),
            };
            for (bound, exceeds) in [(least, CompareOp::SLt), (most, CompareOp::SGt)] {
                let over = b.compare_int(exceeds, sum, bound);
                let bound = b.int(self.ty, bound);
                sum = b.select(over, bound, sum);
            }
        }
        b.resize(sum, to.scalar, true)
    }
}
