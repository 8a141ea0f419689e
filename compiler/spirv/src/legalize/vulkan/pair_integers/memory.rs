//! Pairs of words in memory, in variables, and as results of functions.

use super::arithmetic::Pair;
use super::{Pairs, is_wide, words_of};
use clforge_ir::error::Unsupported;
use clforge_ir::rewrite::{Parts, Rewriter};
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};
use typed_index_collections::TiVec;

/// Bytes of a pair.
const PAIR: u64 = 8;
/// Most lanes of a vector whose words a function returns as one vector.
const MAX_RETURNED: u8 = 2;

/// The variables of a module.
pub(super) struct Variables {
    /// The former type of elements that were integers of 64 bits.
    elements: TiVec<VariableId, Option<Type>>,
    /// What functions return vectors in that are too long for one, where there are any.
    returned: Option<VariableId>,
}

/// The results of all functions.
pub(super) fn results(module: &Module) -> Vec<Option<Type>> {
    module.functions.iter().map(|function| function.result).collect()
}

impl Variables {
    /// Makes the elements of variables pairs of words, one of each vector's lanes after the other.
    pub fn pair(module: &mut Module) -> Variables {
        let mut elements = TiVec::new();
        for variable in &mut module.variables {
            elements.push(is_wide(variable.element).then_some(variable.element));
            if is_wide(variable.element) {
                variable.element = Type::I32X2;
            }
        }
        let is_long = |function: &Function| function.result.is_some_and(|ty| is_wide(ty) && ty.lanes > MAX_RETURNED);
        let returned = module.functions.iter().any(is_long).then(|| {
            elements.push(None);
            module.variables.push_and_get_key(Variable {
                name: "returned_words".into(),
                storage: Storage::Private,
                element: Type::I32,
                size: VariableSize { fixed: 4 * PAIR, ..VariableSize::default() },
                zero_initialized: false,
            })
        });
        Variables { elements, returned }
    }

    /// The former type of a variable's elements, if these are pairs now.
    pub fn element(&self, variable: VariableId) -> Option<Type> {
        self.elements.get(variable).copied().flatten()
    }
}

/// What a function returns in place of integers of 64 bits.
pub(super) fn returned_type(ty: Type) -> Type {
    match ty.lanes {
        1 => Type::I32X2,
        2 => Type::vector(ScalarType::I32, 4),
        // The lower words; the upper ones are in a variable.
        _ => words_of(ty),
    }
}

/// What a function returns.
pub(super) fn to_returned(b: &mut Builder<'_>, variables: &Variables, ty: Type, pair: Pair) -> Result<Value, Error> {
    match ty.lanes {
        1 => Ok(pair.to_vector(b)),
        2 => Ok(b.shuffle(pair.low, pair.high, &[0, 1, 2, 3])),
        lanes => {
            let variable = variables.returned.or_internal("no variable of returned words")?;
            for lane in 0..lanes {
                let (value, index) = (b.extract(pair.high, lane), b.int(Type::I32, lane.into()));
                b.effect(Op::VariableStore { variable, index: Some(index), value });
            }
            Ok(pair.low)
        }
    }
}

/// The words of what a function has returned.
pub(super) fn from_returned(b: &mut Builder<'_>, variables: &Variables, ty: Type, value: Value) -> Result<Pair, Error> {
    match ty.lanes {
        1 => Ok(Pair::of_vector(b, value)),
        2 => Ok(Pair { low: b.shuffle(value, value, &[0, 1]), high: b.shuffle(value, value, &[2, 3]) }),
        lanes => {
            let variable = variables.returned.or_internal("no variable of returned words")?;
            let mut words = Vec::new();
            for lane in 0..lanes {
                let index = b.int(Type::I32, lane.into());
                words.push(b.push(Op::VariableLoad { variable, index: Some(index) }, &[Type::I32])[0]);
            }
            Ok(Pair { low: value, high: b.construct(&words) })
        }
    }
}

impl Pairs<'_> {
    /// The address that is so many bytes behind a pointer, as a vector, and its alignment.
    fn address(&self, b: &mut Builder<'_>, base: Pair, bytes: u64, align: u32) -> (Value, u32) {
        let offset = Pair::constant(b, Type::I32, bytes.cast_signed());
        let align = if bytes == 0 { align } else { align.min(1 << bytes.trailing_zeros().min(30)) };
        (super::arithmetic::add(b, base, offset).to_vector(b), align)
    }

    pub(super) fn load(&self, r: &mut Rewriter<'_>, inst: &Inst, ty: Type) -> Result<Parts, Error> {
        let Op::Load { ptr, align, volatile, invariant } = inst.op else { return Err(Error::internal("not a load")) };
        let base = self.pair(r, ptr)?;
        let b = &mut r.b;
        if !is_wide(ty) {
            let (ptr, align) = self.address(b, base, 0, align);
            return Ok(smallvec![b.push(Op::Load { ptr, align, volatile, invariant }, &[ty])[0]]);
        }
        let mut lanes = Vec::new();
        for at in 0..ty.lanes {
            let (ptr, align) = self.address(b, base, u64::from(at) * PAIR, align);
            let both = b.push(Op::Load { ptr, align, volatile, invariant }, &[Type::I32X2])[0];
            lanes.push(Pair::of_vector(b, both));
        }
        Ok(Pair::of_lanes(b, &lanes).parts())
    }

    pub(super) fn store(
        &self,
        r: &mut Rewriter<'_>,
        ptr: Value,
        value: Value,
        align: u32,
        volatile: bool,
    ) -> Result<(), Error> {
        let base = self.pair(r, ptr)?;
        let ty = r.old.ty(value);
        if !is_wide(ty) {
            let value = r.one(value, self)?;
            let (ptr, align) = self.address(&mut r.b, base, 0, align);
            r.b.effect(Op::Store { ptr, value, align, volatile });
            return Ok(());
        }
        let pair = self.pair(r, value)?;
        let b = &mut r.b;
        for at in 0..ty.lanes {
            let (ptr, align) = self.address(b, base, u64::from(at) * PAIR, align);
            let value = pair.lane(b, at).to_vector(b);
            b.effect(Op::Store { ptr, value, align, volatile });
        }
        Ok(())
    }

    /// An atomic operation on 32 bits; only its address is a pair.
    pub(super) fn atomic(&self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<SmallVec<[Parts; 1]>, Error> {
        let Op::Atomic { op, ptr, operands, semantics, unequal } = &inst.op else {
            return Err(Error::internal("no atomic operation"));
        };
        let of_pairs = operands.iter().chain(&inst.results).any(|value| is_wide(r.old.ty(*value)));
        if of_pairs {
            return Err(Error::unsupported(Unsupported::WideAtomics));
        }
        let operands = operands.iter().map(|value| r.one(*value, self)).collect::<Result<_, _>>()?;
        let ptr = self.pair(r, *ptr)?.to_vector(&mut r.b);
        let types: SmallVec<[Type; 1]> = inst.results.iter().map(|result| r.old.ty(*result)).collect();
        let op = Op::Atomic { op: *op, ptr, operands, semantics: *semantics, unequal: *unequal };
        Ok(r.b.push(op, &types).into_iter().map(|value| smallvec![value]).collect())
    }

    /// The index of each pair of an access to a variable with elements of a former type.
    fn indices(
        &self,
        r: &mut Rewriter<'_>,
        variable: VariableId,
        index: Option<Value>,
        ty: Type,
    ) -> Result<Vec<Value>, Error> {
        let element = self.variables.element(variable).or_internal("a variable without pairs")?;
        let index = match index {
            Some(index) => r.one(index, self)?,
            None => r.b.int(Type::I32, 0),
        };
        // The index of one lane of a vector counts lanes already. Three lanes have the room of four.
        let stride = if ty.lanes == 1 { 1 } else { element.lanes.next_power_of_two() };
        let first = r.b.binary_int(BinaryOp::Mul, index, stride.into());
        Ok((0..ty.lanes).map(|lane| r.b.binary_int(BinaryOp::Add, first, lane.into())).collect())
    }

    pub(super) fn load_variable(
        &self,
        r: &mut Rewriter<'_>,
        variable: VariableId,
        index: Option<Value>,
        ty: Type,
    ) -> Result<Pair, Error> {
        let mut lanes = Vec::new();
        for index in self.indices(r, variable, index, ty)? {
            let both = r.b.push(Op::VariableLoad { variable, index: Some(index) }, &[Type::I32X2])[0];
            lanes.push(Pair::of_vector(&mut r.b, both));
        }
        Ok(Pair::of_lanes(&mut r.b, &lanes))
    }

    pub(super) fn store_variable(
        &self,
        r: &mut Rewriter<'_>,
        variable: VariableId,
        index: Option<Value>,
        value: Value,
    ) -> Result<(), Error> {
        let ty = r.old.ty(value);
        let pair = self.pair(r, value)?;
        for (index, lane) in self.indices(r, variable, index, ty)?.into_iter().zip(0..) {
            let value = pair.lane(&mut r.b, lane).to_vector(&mut r.b);
            r.b.effect(Op::VariableStore { variable, index: Some(index), value });
        }
        Ok(())
    }
}
