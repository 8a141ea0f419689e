//! Emulated matrices in private memory, for kernels that have too many components of matrices at the same time for
//! registers. Operations are loops over the components, so that the code is small, and needs few registers.

use super::slots::{Slot, Slots, stored};
use super::*;
use clforge_basic::tuning::Tuning;

/// Most words of matrices that a work-item has at the same time as values, on devices whose sub-groups may have fewer than 32
/// work-items (those of Arm, Broadcom and Intel): they have 64 to 128 registers. Drivers move what exceeds them to memory word by
/// word, and allocate registers again after each. Others have 256 registers, and more values at a time: RADV 22.3.6 makes all
/// pipelines of matrices for navi21 from values.
const MOST_WORDS: usize = 128;
/// Most components of a result that are computed in one loop over their products.
const MOST_SUMS: usize = 8;

/// Emulation with matrices in memory. A matrix has no values.
pub(super) struct InMemory {
    emulation: Emulation,
    slots: Slots,
    /// The objects of the slots of a type. One for all is so large that drivers keep it in memory: they replace accesses of small
    /// arrays by choices among all elements.
    objects: Vec<(ScalarType, Value)>,
}

impl InMemory {
    /// `None` where values are better.
    pub(super) fn of(function: &Function, emulation: Emulation, options: &Options) -> Option<InMemory> {
        let tuned = options.codegen.tuning.contains(Tuning::LAVAPIPE_MATRIX_VALUES);
        if tuned || emulation.sizes.least >= 32 || passes_matrices(function) {
            return None;
        }
        let slots = Slots::of(function, emulation.sizes);
        (slots.most_words > MOST_WORDS).then_some(InMemory { emulation, slots, objects: Vec::new() })
    }

    /// The memory of a slot, as components of a type.
    fn slot(&mut self, r: &mut Rewriter<'_>, index: usize, component: ScalarType) -> Result<Parted, Error> {
        let Slot { scalar, parts } = *self.slots.slots.get(index).or_internal("no such slot")?;
        let (all, first) = self.slots.parts(scalar, index);
        let object = match self.objects.iter().find(|(ty, _)| *ty == scalar) {
            Some((_, object)) => *object,
            None => {
                let bytes = Type::scalar(scalar).access_size();
                let object = r.b.alloca(bytes * u64::from(to_u32(all)), bytes);
                self.objects.push((scalar, object));
                object
            }
        };
        let place = Some((object, to_i64(first)));
        Ok(Parted { place, ty: Type::scalar(component), stored: Type::scalar(scalar), parts })
    }

    /// The memory of a matrix. One without any is undefined.
    fn place(&mut self, r: &mut Rewriter<'_>, matrix: Value) -> Result<Parted, Error> {
        let ty = r.old.ty(matrix).matrix().or_internal("no matrix")?;
        if let Some(index) = self.slots.index(matrix) {
            return self.slot(r, index, ty.scalar());
        }
        let (scalar, parts) = (ty.scalar(), self.emulation.sizes.parts(ty));
        Ok(Parted { place: None, ty: Type::scalar(scalar), stored: Type::scalar(stored(scalar)), parts })
    }
}

/// Whether a function takes or returns matrices, or passes them to another one.
fn passes_matrices(function: &Function) -> bool {
    let is_matrix = |value: &Value| function.ty(*value).matrix().is_some();
    function.params.iter().any(is_matrix)
        || function.insts.iter().any(|inst| match &inst.op {
            Op::Call { args, .. } => args.iter().chain(&inst.results).any(is_matrix),
            Op::Return(Some(value)) => is_matrix(value),
            _ => false,
        })
}

/// A matrix in memory.
#[derive(Clone, Copy)]
struct Parted {
    /// An object, and the number of the first component there; `None` for an undefined matrix.
    place: Option<(Value, i64)>,
    ty: Type,
    stored: Type,
    parts: usize,
}

impl Parted {
    fn address(self, r: &mut Rewriter<'_>, (object, first): (Value, i64), index: Value) -> Value {
        let bytes = to_i64(self.stored.access_size());
        let index = r.b.resize(index, ScalarType::I64, false);
        let address = r.b.ptr_add(object, index, bytes);
        r.b.offset(address, first * bytes)
    }

    /// With floats as they are stored.
    fn widened(self) -> Parted {
        Parted { ty: if self.ty.scalar.is_float() { self.stored } else { self.ty }, ..self }
    }

    fn get(self, r: &mut Rewriter<'_>, index: Value) -> Value {
        let Some(place) = self.place else { return r.b.undef(self.ty) };
        let address = self.address(r, place, index);
        let part = r.b.load(self.stored, address, to_u32(self.stored.access_size()));
        match self.ty.scalar {
            _ if self.ty == self.stored => part,
            scalar if scalar.is_float() => r.b.convert(ConvertOp::FTrunc, part, self.ty),
            scalar => r.b.resize(part, scalar, false),
        }
    }

    fn set(self, r: &mut Rewriter<'_>, index: Value, part: Value) {
        let Some(place) = self.place else { return };
        let part = match self.ty.scalar {
            _ if self.ty == self.stored => part,
            scalar if scalar.is_float() => r.b.convert(ConvertOp::FExt, part, self.stored),
            _ => r.b.resize(part, self.stored.scalar, false),
        };
        let address = self.address(r, place, index);
        r.b.store(address, part, to_u32(self.stored.access_size()));
    }
}

/// Does something with each number below a limit, with several ones in each iteration of a loop.
fn each(r: &mut Rewriter<'_>, count: usize, action: &mut dyn FnMut(&mut Rewriter<'_>, Value)) {
    let together = (1..=4).rev().find(|together| count.is_multiple_of(*together)).unwrap_or(1);
    let limit = r.b.int(Type::I32, to_i64(count));
    in_steps(r, (limit, count), together, &mut |r, first| {
        for number in 0..together {
            let index = r.b.binary_int(BinaryOp::Add, first, to_i64(number));
            action(r, index);
        }
    });
}

/// Does something with each multiple of a step below a limit, which is at most `most`.
fn in_steps(
    r: &mut Rewriter<'_>,
    (limit, most): (Value, usize),
    step: usize,
    action: &mut dyn FnMut(&mut Rewriter<'_>, Value),
) {
    let first = r.b.int(Type::I32, 0);
    if most <= step {
        return action(r, first);
    }
    repeat(r, Counter { first, limit, step: to_i64(step) }, Parts::new(), 0, &mut |r, number, _| action(r, number));
}

/// The place of a component.
fn index(r: &mut Rewriter<'_>, column: Value, rows: usize, row: Value) -> Value {
    let before = r.b.binary_int(BinaryOp::Mul, column, to_i64(rows));
    r.b.binary(BinaryOp::Add, before, row)
}

impl Rewrite for InMemory {
    fn types(&self, ty: Type) -> SmallVec<[Type; 1]> {
        if ty.matrix().is_some() { SmallVec::new() } else { smallvec![ty] }
    }

    fn constant(&self, _: Value, constant: &Constant) -> Option<SmallVec<[Constant; 2]>> {
        constant.ty().matrix().map(|_| SmallVec::new())
    }

    fn before_control(&mut self, r: &mut Rewriter<'_>, id: InstId) -> Result<(), Error> {
        let mut moves = self.slots.moves(id);
        // Each component of all of a size is read before one is written: a matrix may take the place of one that moves, too.
        while let Some((from, _)) = moves.first() {
            let slot = *self.slots.slots.get(*from).or_internal("no such slot")?;
            let is_alike = |(from, _): &(usize, usize)| self.slots.slots.get(*from) == Some(&slot);
            let (alike, others): (Vec<_>, Vec<_>) = moves.iter().copied().partition(is_alike);
            let mut places = Vec::new();
            for (from, to) in alike {
                places.push((self.slot(r, from, slot.scalar)?, self.slot(r, to, slot.scalar)?));
            }
            each(r, slot.parts, &mut |r, index| {
                let parts: Vec<Value> = places.iter().map(|(from, _)| from.get(r, index)).collect();
                places.iter().zip(parts).for_each(|((_, to), part)| to.set(r, index, part));
            });
            moves = others;
        }
        Ok(())
    }

    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let result = inst.results.first().copied().filter(|value| r.old.ty(*value).matrix().is_some());
        match &inst.op {
            Op::Matrix(op) => self.matrix(r, *op, result),
            Op::Load { .. } if result.is_some() => Err(in_memory()),
            Op::Store { value, .. } if r.old.ty(*value).matrix().is_some() => Err(in_memory()),
            Op::Select { condition, if_true, if_false } => {
                let Some(result) = result else { return Ok(None) };
                let condition = r.one(*condition, self)?;
                let (a, b) = (self.place(r, *if_true)?, self.place(r, *if_false)?);
                self.fill(r, result, &mut |r, index| {
                    let (a, b) = (a.get(r, index), b.get(r, index));
                    r.b.select(condition, a, b)
                })
            }
            _ => Ok(None),
        }
    }
}

type Results = Result<Option<SmallVec<[Parts; 1]>>, Error>;

impl InMemory {
    /// Computes each component of a result.
    fn fill(
        &mut self,
        r: &mut Rewriter<'_>,
        result: Value,
        part: &mut dyn FnMut(&mut Rewriter<'_>, Value) -> Value,
    ) -> Results {
        let to = self.place(r, result)?;
        each(r, to.parts, &mut |r, index| {
            let part = part(r, index);
            to.set(r, index, part);
        });
        Ok(Some(smallvec![Parts::new()]))
    }

    fn matrix(&mut self, r: &mut Rewriter<'_>, op: MatrixOp, result: Option<Value>) -> Results {
        use MatrixOp as M;
        let type_of = |r: &Rewriter<'_>, value: Value| r.old.ty(value).matrix().or_internal("no matrix");
        let result = || result.or_internal("an operation without matrix");
        match op {
            M::Load { layout, ptr, stride } => {
                let result = result()?;
                let (ty, to) = (type_of(r, result)?, self.place(r, result)?);
                let memory = MatrixMemory { ptr: r.one(ptr, self)?, stride: r.one(stride, self)?, layout };
                self.load(r, (ty, to), memory);
                Ok(Some(smallvec![Parts::new()]))
            }
            M::Store { layout, ptr, stride, matrix } => {
                let (ty, from) = (type_of(r, matrix)?, self.place(r, matrix)?);
                let memory = MatrixMemory { ptr: r.one(ptr, self)?, stride: r.one(stride, self)?, layout };
                self.store(r, (ty, from), memory);
                Ok(Some(SmallVec::new()))
            }
            M::MultiplyAdd { .. } => {
                self.multiply_add(r, op, result()?)?;
                Ok(Some(smallvec![Parts::new()]))
            }
            M::Fill { scalar } => {
                let scalar = r.one(scalar, self)?;
                self.fill(r, result()?, &mut |_, _| scalar)
            }
            M::Length { matrix } => {
                let ty = type_of(r, matrix)?;
                Ok(Some(smallvec![smallvec![self.emulation.length(r, ty)]]))
            }
            M::Extract { matrix, index } => {
                let (from, index) = (self.place(r, matrix)?, r.one(index, self)?);
                let (index, _) = clamped(r, index, from.parts);
                Ok(Some(smallvec![smallvec![from.get(r, index)]]))
            }
            M::Insert { matrix, index, scalar } => {
                let (from, to) = (self.place(r, matrix)?, self.place(r, result()?)?);
                let (index, scalar) = (r.one(index, self)?, r.one(scalar, self)?);
                if from.place != to.place {
                    self.fill(r, result()?, &mut |r, index| from.get(r, index))?;
                }
                let (index, is_there) = clamped(r, index, to.parts);
                let old = to.get(r, index);
                let part = r.b.select(is_there, scalar, old);
                to.set(r, index, part);
                Ok(Some(smallvec![Parts::new()]))
            }
            M::Unary { op, matrix } => {
                let from = self.place(r, matrix)?;
                self.fill(r, result()?, &mut |r, index| {
                    let part = from.get(r, index);
                    r.b.unary(op, part)
                })
            }
            M::Binary { op, lhs, rhs } => {
                let (a, b) = (self.place(r, lhs)?, self.place(r, rhs)?);
                self.fill(r, result()?, &mut |r, index| {
                    let (a, b) = (a.get(r, index), b.get(r, index));
                    r.b.binary(op, a, b)
                })
            }
            M::Convert { op, matrix } => {
                let result = result()?;
                let (from, to) = (self.place(r, matrix)?, Type::scalar(type_of(r, result)?.scalar()));
                self.fill(r, result, &mut |r, index| {
                    let part = from.get(r, index);
                    r.b.convert(op, part, to)
                })
            }
        }
    }

    /// Does something with the number of each column that this work-item has, or may have.
    fn each_column(
        &self,
        r: &mut Rewriter<'_>,
        matrix: MatrixType,
        step: usize,
        action: &mut dyn FnMut(&mut Rewriter<'_>, Value),
    ) {
        let sizes = self.emulation.sizes;
        let most = sizes.columns(matrix);
        let limit = match sizes.exact {
            Some(_) => r.b.int(Type::I32, i64::from(most)),
            None => {
                let size = self.emulation.size(r);
                let last = r.b.binary_int(BinaryOp::Add, size, i64::from(matrix.columns) - 1);
                r.b.binary(BinaryOp::UDiv, last, size)
            }
        };
        in_steps(r, (limit, to_usize(u64::from(most))), step, action);
    }

    fn load(&self, r: &mut Rewriter<'_>, (matrix, to): (MatrixType, Parted), memory: MatrixMemory) {
        let rows = to_usize(u64::from(matrix.rows));
        self.each_column(r, matrix, 1, &mut |r, number| {
            let column = self.emulation.column_to_load(r, matrix, number);
            each(r, rows, &mut |r, row| {
                let address = self.emulation.address(r, memory, to.ty, row, column);
                let part = r.b.load(to.ty, address, to_u32(to.ty.access_size()));
                let index = index(r, number, rows, row);
                to.set(r, index, part);
            });
        });
    }

    fn store(&self, r: &mut Rewriter<'_>, (matrix, from): (MatrixType, Parted), memory: MatrixMemory) {
        let rows = to_usize(u64::from(matrix.rows));
        self.each_column(r, matrix, 1, &mut |r, number| {
            let column = self.emulation.column(r, number);
            self.emulation.where_column_is(r, matrix, column, &mut |r| {
                each(r, rows, &mut |r, row| {
                    let index = index(r, number, rows, row);
                    let part = from.get(r, index);
                    let address = self.emulation.address(r, memory, from.ty, row, column);
                    r.b.store(address, part, to_u32(from.ty.access_size()));
                });
            });
        });
    }

    /// `a * b + c`: a few rows of one or two columns at a time, in a loop over the columns of `a`.
    fn multiply_add(&mut self, r: &mut Rewriter<'_>, op: MatrixOp, result: Value) -> Result<(), Error> {
        let MatrixOp::MultiplyAdd { a_sign, b_sign, c_sign, overflow, a, b, c } = op else {
            return Err(Error::internal("not a product of matrices"));
        };
        let type_of = |value: Value| r.old.ty(value).matrix().or_internal("no matrix");
        let (left, sum) = (type_of(a)?, type_of(c)?);
        let rows = to_usize(u64::from(left.rows));
        let columns = if self.emulation.sizes.columns(sum).is_multiple_of(2) { 2 } else { 1 };
        let product = Tiles {
            a: (self.place(r, a)?.widened(), a_sign),
            b: (self.place(r, b)?.widened(), b_sign),
            arithmetic: Arithmetic::of(sum.scalar(), overflow),
            rows,
            inner: to_usize(u64::from(left.columns)),
            columns,
            height: (1..=MOST_SUMS / columns).rev().find(|height| rows.is_multiple_of(*height)).unwrap_or(1),
            is_split: self.emulation.sizes.columns(left) > 1,
            size: self.emulation.size(r),
        };
        let (c, to) = (self.place(r, c)?, self.place(r, result)?);
        let arithmetic = product.arithmetic;
        self.each_column(r, sum, columns, &mut |r, column| {
            let limit = r.b.int(Type::I32, to_i64(rows));
            in_steps(r, (limit, rows), product.height, &mut |r, row| {
                let indices = product.indices(r, column, row);
                let old = indices.iter().map(|index| c.get(r, *index)).collect::<Parts>();
                let old = old.into_iter().map(|part| arithmetic.widen(&mut r.b, part, c_sign)).collect();
                let sums = product.sums(r, column, row, old);
                for (index, sum) in indices.iter().zip(sums) {
                    let part = arithmetic.narrow(&mut r.b, sum, to.ty, c_sign, overflow);
                    to.set(r, *index, part);
                }
            });
        });
        Ok(())
    }
}

/// An index that is below a number, and whether it was.
fn clamped(r: &mut Rewriter<'_>, index: Value, parts: usize) -> (Value, Value) {
    let is_there = r.b.compare_int(CompareOp::ULt, index, to_i64(parts));
    let first = r.b.int(Type::I32, 0);
    (r.b.select(is_there, index, first), is_there)
}

/// A product whose result is computed in tiles of some rows of some columns that the work-item has.
struct Tiles {
    a: (Parted, ComponentSign),
    b: (Parted, ComponentSign),
    arithmetic: Arithmetic,
    rows: usize,
    inner: usize,
    columns: usize,
    height: usize,
    /// Whether work-items have more than one column of `a`.
    is_split: bool,
    /// Of the sub-group.
    size: Value,
}

impl Tiles {
    /// Where the components of the tile at a column and a row are, column by column.
    fn indices(&self, r: &mut Rewriter<'_>, column: Value, row: Value) -> Parts {
        let first = index(r, column, self.rows, row);
        let places = (0..self.columns).flat_map(|column| (0..self.height).map(move |row| column * self.rows + row));
        places.map(|place| r.b.binary_int(BinaryOp::Add, first, to_i64(place))).collect()
    }

    /// The sums of the tile, to which all products are added.
    fn sums(&self, r: &mut Rewriter<'_>, column: Value, row: Value, old: Parts) -> Parts {
        let (first, limit) = (r.b.int(Type::I32, 0), r.b.int(Type::I32, to_i64(self.inner)));
        let count = old.len();
        let zero = first;
        repeat(r, Counter { first, limit, step: 1 }, old, count, &mut |r, number, sums| {
            let owner = r.b.binary(BinaryOp::URem, number, self.size);
            let slot = if self.is_split { r.b.binary(BinaryOp::UDiv, number, self.size) } else { zero };
            let above = index(r, slot, self.rows, row);
            let others: Parts = (0..self.columns)
                .map(|next| {
                    let column = r.b.binary_int(BinaryOp::Add, column, to_i64(next));
                    let index = index(r, column, self.inner, number);
                    let part = self.b.0.get(r, index);
                    self.arithmetic.widen(&mut r.b, part, self.b.1)
                })
                .collect();
            for next in 0..self.height {
                let index = r.b.binary_int(BinaryOp::Add, above, to_i64(next));
                let part = self.a.0.get(r, index);
                let value = self.arithmetic.widen(&mut r.b, part, self.a.1);
                // PanVK makes a loop of a shuffle.
                let factor = of_work_item(r, GroupOp::Broadcast { value, id: owner });
                for (other, column) in others.iter().zip(sums.chunks_mut(self.height)) {
                    column[next] = self.arithmetic.multiply_add(&mut r.b, factor, *other, column[next]);
                }
            }
        })
    }
}
