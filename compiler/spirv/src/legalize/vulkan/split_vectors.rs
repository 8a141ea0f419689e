//! `vulkan/split_vectors`: vectors of 8 and 16 become two and four vectors of 4, which is the longest vector that
//! Vulkan's SPIR-V has.
//!
//! Component-wise operations become one operation for each part, and loads and stores one access for each part.
//! Operations across lanes (shuffles, dynamic indices, bitcasts between lane widths) are expanded differently.

use crate::legalize::{Context, State};
use clforge_basic::narrow::{to_i64, to_u8};
use clforge_ir::error::Unsupported;
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::rewrite::{Parts, Rewrite, Rewriter, rewrite};
use clforge_ir::room::Room;
use clforge_ir::verify::{Dialect, Legalized};
use clforge_ir::*;
use smallvec::{SmallVec, smallvec};

#[cfg(test)]
mod tests;

/// Lanes of a part.
const PART: u8 = 4;

/// The pass. Functions with a wide result must be inlined before: one that is left is an error.
pub struct SplitVectors;

impl Pass<State> for SplitVectors {
    fn name(&self) -> &'static str {
        "vulkan/split_vectors"
    }

    fn order(&self) -> Order {
        Order { requires: Some(Legalized::Images), after: &["mem2reg"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        split(module, context.options.codegen.max_instructions)
    }

    fn establishes(&self) -> Option<Dialect> {
        Some(Dialect::Vulkan(Legalized::WideVectors))
    }
}

fn split(module: &mut Module, limit: usize) -> Result<Changed, Error> {
    let (mut room, mut changed) = (Room::new(module, limit), Changed::No);
    for function in &mut module.functions {
        if function.result.is_some_and(is_wide) {
            return Err(Error::unsupported(Unsupported::WideResult).at(function.span));
        }
        if function.values().any(|value| is_wide(function.ty(value))) {
            *function = rewrite(function, &mut WideVectors, &mut room)?;
            changed = Changed::Maybe;
        }
    }
    Ok(changed)
}

fn is_wide(ty: Type) -> bool {
    ty.lanes > PART
}

struct WideVectors;

impl Rewrite for WideVectors {
    fn types(&self, ty: Type) -> SmallVec<[Type; 1]> {
        if !is_wide(ty) {
            return smallvec![ty];
        }
        smallvec![Type::vector(ty.scalar, PART); usize::from(ty.lanes.div_ceil(PART))]
    }

    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error> {
        let result = inst.results.first().map(|result| r.old.ty(*result));
        let mut any_wide = result.is_some_and(is_wide);
        inst.op.for_each_operand(|value| any_wide |= is_wide(r.old.ty(value)));
        if !any_wide {
            return Ok(None);
        }
        match (&inst.op, result) {
            (Op::Call { .. }, None) => return Ok(None),
            (Op::Call { .. }, Some(ty)) if !is_wide(ty) => return Ok(None),
            (Op::Store { ptr, value, align, volatile }, _) => {
                self.store(r, *ptr, *value, *align, *volatile)?;
                return Ok(Some(SmallVec::new()));
            }
            _ => {}
        }
        let ty = result.ok_or_else(|| Error::internal(format!("wide operand of {:?}", inst.op)))?;
        let parts = match &inst.op {
            Op::Convert { op: ConvertOp::Bitcast, operand: a } if r.old.ty(*a).lanes != ty.lanes => {
                self.bitcast(r, *a, ty)?
            }
            Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Compare { .. }
            | Op::Select { .. }
            | Op::Convert { .. }
            | Op::Intrinsic { .. } => self.lane_wise(r, inst, ty)?,
            Op::Extract { vector, lane } => smallvec![self.lane(r, *vector, *lane)?],
            Op::ExtractDynamic { vector, index } => smallvec![self.extract_dynamic(r, *vector, *index)?],
            Op::Insert { vector, scalar, lane } => {
                let mut parts = r.parts(*vector, self)?;
                let scalar = r.one(*scalar, self)?;
                let part = parts.get_mut(usize::from(lane / PART)).or_internal("a lane out of range")?;
                *part = r.b.insert(*part, scalar, lane % PART);
                parts
            }
            Op::InsertDynamic { vector, scalar, index } => self.insert_dynamic(r, *vector, *scalar, *index)?,
            Op::Construct { elements } => {
                let scalars = elements.iter().map(|value| r.one(*value, self)).collect::<Result<Values, _>>()?;
                scalars.chunks(PART.into()).map(|chunk| r.b.construct(chunk)).collect()
            }
            Op::Shuffle { first, second, lanes } => self.shuffle(r, *first, *second, lanes)?,
            Op::Load { .. } => self.load(r, inst, ty)?,
            op => return Err(Error::internal(format!("wide vector in {op:?}"))),
        };
        Ok(Some(smallvec![parts]))
    }
}

impl WideVectors {
    /// The operation on each part; scalar operands are the same for all parts.
    fn lane_wise(&self, r: &mut Rewriter<'_>, inst: &Inst, ty: Type) -> Result<Parts, Error> {
        let mut operands: SmallVec<[Parts; 4]> = SmallVec::new();
        let mut error = None;
        inst.op.for_each_operand(|value| {
            let lanes = r.old.ty(value).lanes;
            if lanes != 1 && lanes != ty.lanes {
                error = Some(Error::internal(format!("an operand with another number of lanes in {:?}", inst.op)));
            }
            match r.parts(value, self) {
                Ok(parts) => operands.push(parts),
                Err(found) => error = Some(found),
            }
        });
        if let Some(error) = error {
            return Err(error);
        }
        let mut results = Parts::new();
        for (index, part_ty) in self.types(ty).into_iter().enumerate() {
            let mut op = inst.op.clone();
            let mut at = 0;
            op.for_each_operand_mut(|value| {
                let parts = &operands[at];
                *value = parts.get(index).or(parts.first()).copied().unwrap_or(*value);
                at += 1;
            });
            results.push(if op.is_pure() { r.b.emit(op, part_ty) } else { r.b.push(op, &[part_ty])[0] });
        }
        Ok(results)
    }

    /// One lane as a scalar, at a constant index.
    fn lane(&self, r: &mut Rewriter<'_>, vector: Value, lane: u8) -> Result<Value, Error> {
        let parts = r.parts(vector, self)?;
        let part = *parts.get(usize::from(lane / PART)).or_internal("a lane out of range")?;
        Ok(r.b.extract(part, lane % PART))
    }

    /// Lane in the part, and number of the part.
    fn split_index(&self, r: &mut Rewriter<'_>, index: Value) -> Result<(Value, Value), Error> {
        let index = r.one(index, self)?;
        let ty = r.b.ty(index);
        let (mask, shift) = (r.b.int(ty, i64::from(PART - 1)), r.b.int(ty, 2));
        Ok((r.b.binary(BinaryOp::And, index, mask), r.b.binary(BinaryOp::LShr, index, shift)))
    }

    fn extract_dynamic(&self, r: &mut Rewriter<'_>, vector: Value, index: Value) -> Result<Value, Error> {
        if let Some(lane) = constant_lane(r, vector, index) {
            return self.lane(r, vector, lane);
        }
        let parts = r.parts(vector, self)?;
        let (lane, number) = self.split_index(r, index)?;
        let mut result = None;
        for (at, part) in parts.into_iter().enumerate() {
            let scalar = r.b.pure(Op::ExtractDynamic { vector: part, index: lane });
            result = Some(match result {
                None => scalar,
                Some(before) => {
                    let here = self.is_part(r, number, at);
                    r.b.select(here, scalar, before)
                }
            });
        }
        result.or_internal("vector without parts")
    }

    fn insert_dynamic(&self, r: &mut Rewriter<'_>, vector: Value, scalar: Value, index: Value) -> Result<Parts, Error> {
        let parts = r.parts(vector, self)?;
        let constant = constant_lane(r, vector, index);
        let scalar = r.one(scalar, self)?;
        let (lane, number) = self.split_index(r, index)?;
        let mut results = Parts::new();
        for (at, part) in parts.into_iter().enumerate() {
            results.push(match constant {
                Some(lane) if usize::from(lane / PART) == at => r.b.insert(part, scalar, lane % PART),
                Some(_) => part,
                None => {
                    let changed = r.b.pure(Op::InsertDynamic { vector: part, scalar, index: lane });
                    let here = self.is_part(r, number, at);
                    r.b.select(here, changed, part)
                }
            });
        }
        Ok(results)
    }

    fn is_part(&self, r: &mut Rewriter<'_>, number: Value, at: usize) -> Value {
        let at = r.b.int(r.b.ty(number), to_i64(at));
        r.b.compare(CompareOp::Eq, number, at)
    }

    fn shuffle(&self, r: &mut Rewriter<'_>, a: Value, b: Value, lanes: &[u8]) -> Result<Parts, Error> {
        let width = r.old.ty(a).lanes;
        let part_width = width.min(PART);
        let mut sources = r.parts(a, self)?;
        sources.extend(r.parts(b, self)?);
        let scalar = r.old.ty(a).lane();
        // Both operands have whole parts, so a lane counted through both is a lane counted through all parts.
        lanes.chunks(PART.into()).map(|chunk| shuffle_part(r, &sources, part_width, scalar, chunk)).collect()
    }

    /// The same bits in other lanes: through integers as wide as the narrower part, but at most 64 bits.
    fn bitcast(&self, r: &mut Rewriter<'_>, a: Value, to: Type) -> Result<Parts, Error> {
        let parts = r.parts(a, self)?;
        let types = self.types(to);
        let from = r.old.ty(a);
        let part_bits = from.scalar.bits() * u32::from(from.lanes.min(PART));
        let unit_bits = part_bits.min(types[0].bits()).min(64);
        let unit = ScalarType::int(unit_bits);
        let mut units = Vec::new();
        for part in parts {
            let count = to_u8(part_bits / unit_bits);
            let bits = r.b.bitcast(part, Type::vector(unit, count));
            (0..count).for_each(|lane| units.push(r.b.extract(bits, lane)));
        }
        let count = (types[0].bits() / unit_bits) as usize;
        if units.len() != count * types.len() {
            return Err(Error::internal(format!("bitcast from {from} to {to}")));
        }
        let mut result = Parts::new();
        for (ty, units) in types.iter().zip(units.chunks(count)) {
            let bits = r.b.construct(units);
            result.push(r.b.bitcast(bits, *ty));
        }
        Ok(result)
    }

    fn load(&self, r: &mut Rewriter<'_>, inst: &Inst, ty: Type) -> Result<Parts, Error> {
        let Op::Load { ptr, align, volatile, invariant } = inst.op else { return Err(Error::internal("not a load")) };
        let ptr = r.one(ptr, self)?;
        let mut offset = 0;
        let mut parts = Parts::new();
        for ty in self.types(ty) {
            let (ptr, align) = part_address(r, ptr, offset, align);
            parts.push(r.b.push(Op::Load { ptr, align, volatile, invariant }, &[ty])[0]);
            offset += ty.access_size();
        }
        Ok(parts)
    }

    fn store(&self, r: &mut Rewriter<'_>, ptr: Value, value: Value, align: u32, volatile: bool) -> Result<(), Error> {
        let ptr = r.one(ptr, self)?;
        let mut offset = 0;
        for value in r.parts(value, self)? {
            let (ptr, align) = part_address(r, ptr, offset, align);
            r.b.effect(Op::Store { ptr, value, align, volatile });
            offset += r.b.ty(value).access_size();
        }
        Ok(())
    }
}

/// The pointer to a part, and its known alignment.
fn part_address(r: &mut Rewriter<'_>, ptr: Value, offset: u64, align: u32) -> (Value, u32) {
    if offset == 0 {
        return (ptr, align);
    }
    (r.b.offset(ptr, offset.cast_signed()), align.min(1 << offset.trailing_zeros().min(30)))
}

/// The lane of a dynamic index that is a constant in range.
fn constant_lane(r: &Rewriter<'_>, vector: Value, index: Value) -> Option<u8> {
    let lane = u8::try_from(r.old.as_int(index)?).ok()?;
    (lane < r.old.ty(vector).lanes).then_some(lane)
}

/// At most four lanes out of any parts.
fn shuffle_part(
    r: &mut Rewriter<'_>,
    sources: &[Value],
    part_width: u8,
    scalar: Type,
    lanes: &[u8],
) -> Result<Value, Error> {
    let place = |lane: u8| -> Option<(Value, u8)> {
        let source = sources.get(usize::from(lane / part_width))?;
        Some((*source, lane % part_width))
    };
    let mut used: SmallVec<[Value; 4]> = SmallVec::new();
    for lane in lanes.iter().filter(|lane| **lane != u8::MAX) {
        let (source, _) = place(*lane).or_internal("a lane out of range")?;
        if !used.contains(&source) {
            used.push(source);
        }
    }
    let (first, second) = match used[..] {
        [] => return Ok(r.b.undef(Type::vector(scalar.scalar, to_u8(lanes.len())))),
        [only] => (only, only),
        [first, second] => (first, second),
        _ => {
            let scalars: Values = lanes
                .iter()
                .map(|lane| match place(*lane) {
                    Some((source, lane)) => r.b.extract(source, lane),
                    None => r.b.undef(scalar),
                })
                .collect();
            return Ok(r.b.construct(&scalars));
        }
    };
    let identity = lanes.len() == usize::from(part_width)
        && lanes.iter().enumerate().all(|(at, lane)| place(*lane) == Some((first, to_u8(at))));
    if identity {
        return Ok(first);
    }
    let lanes: Lanes = lanes
        .iter()
        .map(|lane| match place(*lane) {
            Some((source, lane)) if source == first => lane,
            Some((_, lane)) => lane + part_width,
            None => u8::MAX,
        })
        .collect();
    Ok(r.b.shuffle(first, second, &lanes))
}
