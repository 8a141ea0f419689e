//! Vectors, structures and arrays as values.

use super::{FunctionReader, Item, Parts};
use crate::decode::Instruction;
use crate::error::Result;
use crate::types::Kind;
use clforge_basic::narrow::{to_u8, to_usize};
use clforge_ir::{Lanes, Op as Inst, ScalarType, Type, Value};
use rspirv::spirv::Op;
use smallvec::smallvec;

/// Whether an instruction is read here.
pub fn is_composite(op: Op) -> bool {
    matches!(
        op,
        Op::CompositeConstruct
            | Op::CompositeExtract
            | Op::CompositeInsert
            | Op::VectorExtractDynamic
            | Op::VectorInsertDynamic
            | Op::VectorShuffle
    )
}

/// A place in a value: its parts from one on, or a lane of that part.
struct Place {
    ty: u32,
    first: usize,
    count: usize,
    lane: Option<u32>,
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// An instruction of this file.
    pub fn composite(&mut self, at: &Instruction<'w>) -> Result<()> {
        match at.op {
            Op::CompositeConstruct => {
                let parts = self.construct(at)?;
                self.define(at, Item::Parts(parts));
                Ok(())
            }
            Op::CompositeExtract => self.extract(at),
            Op::CompositeInsert => self.insert(at),
            Op::VectorShuffle => self.shuffle(at),
            _ => self.dynamic(at),
        }
    }

    /// A value of its members, or a vector of numbers and vectors.
    pub fn construct(&mut self, at: &Instruction<'w>) -> Result<Parts> {
        let kind = self.m.tables.types.get(at, at.ty)?.kind.clone();
        if let Kind::Value(ty) = kind {
            if let Some(matrix) = ty.matrix() {
                return Ok(smallvec![self.filled_matrix(at, matrix)?]);
            }
            return self.vector(at, ty);
        }
        if !matches!(kind, Kind::Struct { .. } | Kind::Array { .. }) {
            return Err(at.invalid("the result is neither a vector nor a structure nor an array"));
        }
        // Checks that the value is not too large.
        let whole = self.m.tables.types.leaves(at, at.ty)?.len();
        let mut parts = Parts::new();
        for (index, member) in (0_u64..).zip(at.operands) {
            let (ty, _, _) = self.m.tables.types.member(at, at.ty, index)?;
            parts.extend(self.parts_of(at, *member, ty)?);
        }
        match parts.len() == whole {
            true => Ok(parts),
            false => Err(at.invalid("the value has another number of members than its type")),
        }
    }

    fn vector(&mut self, at: &Instruction<'w>, ty: Type) -> Result<Parts> {
        let mut lanes: Vec<Value> = Vec::new();
        for id in at.operands {
            let part = self.value(at, *id)?;
            let from = self.b.ty(part);
            if from.scalar != ty.scalar {
                return Err(at.invalid(format!("%{id} is of type {from}")));
            }
            for lane in 0..from.lanes {
                lanes.push(self.b.extract(part, lane));
            }
        }
        match lanes.len() == usize::from(ty.lanes) {
            true => Ok(smallvec![self.b.construct(&lanes)]),
            false => Err(at.invalid("the vector has another number of components than its type")),
        }
    }

    /// The place that literal indices name.
    fn place(&self, at: &Instruction<'w>, ty: u32, indices: &[u32]) -> Result<Place> {
        let mut place = Place { ty, first: 0, count: to_usize(self.m.tables.types.get(at, ty)?.leaves), lane: None };
        for index in indices {
            if place.lane.is_some() {
                return Err(at.invalid("more indices than the type has levels"));
            }
            let info = self.m.tables.types.get(at, place.ty)?;
            if let Kind::Value(vector) = info.kind {
                // A scalar is the vector of one component that its type may have been.
                let is_there = vector.matrix().is_some() || *index < u32::from(vector.lanes);
                place.lane =
                    Some(Some(*index).filter(|_| is_there).ok_or_else(|| at.invalid(format!("no component {index}")))?);
                continue;
            }
            let (member, _, before) = self.m.tables.types.member(at, place.ty, u64::from(*index))?;
            place.ty = member;
            place.first += to_usize(before);
            place.count = to_usize(self.m.tables.types.get(at, member)?.leaves);
        }
        Ok(place)
    }

    fn extract(&mut self, at: &Instruction<'w>) -> Result<()> {
        let id = at.operand(0)?;
        let known = self.known(at, id)?;
        if let Some(value) = self.beyond_dimensions(at, id)? {
            return self.define_value(at, value);
        }
        let place = self.place(at, known.ty, at.rest(1))?;
        let parts = self.parts_of(at, id, known.ty)?;
        let outside = || at.invalid("a member that the value does not have");
        if let Some(lane) = place.lane {
            let vector = parts.get(place.first).copied().ok_or_else(outside)?;
            let value = match self.b.ty(vector).matrix() {
                Some(_) => {
                    let index = self.b.int(Type::I32, i64::from(lane));
                    self.matrix_component(vector, index)
                }
                None => self.b.extract(vector, to_u8(lane)),
            };
            return self.define_value(at, value);
        }
        let parts: Parts = parts.get(place.first..place.first + place.count).ok_or_else(outside)?.into();
        if place.ty != at.ty {
            return Err(at.invalid("the member is of another type than the result"));
        }
        self.define(at, Item::Parts(parts));
        Ok(())
    }

    fn insert(&mut self, at: &Instruction<'w>) -> Result<()> {
        let place = self.place(at, at.ty, at.rest(2))?;
        let mut parts = self.parts_of(at, at.operand(1)?, at.ty)?;
        let outside = || at.invalid("a member that the value does not have");
        if let Some(lane) = place.lane {
            let part = parts.get_mut(place.first).ok_or_else(outside)?;
            let vector = *part;
            let scalar = self.operand(at, 0)?;
            if self.b.ty(vector).matrix().is_some() {
                let index = self.b.int(Type::I32, i64::from(lane));
                *part = self.with_component(at, vector, index, scalar)?;
                self.define(at, Item::Parts(parts));
                return Ok(());
            }
            let lane = to_u8(lane);
            if self.b.ty(scalar) != self.b.ty(vector).lane() {
                return Err(at.invalid("the component is of another type than the vector's"));
            }
            *part = if self.b.ty(vector).is_vector() { self.b.insert(vector, scalar, lane) } else { scalar };
        } else {
            let new = self.parts_of(at, at.operand(0)?, place.ty)?;
            let old = parts.get_mut(place.first..place.first + place.count).ok_or_else(outside)?;
            if old.len() != new.len() {
                return Err(outside());
            }
            old.copy_from_slice(&new);
        }
        self.define(at, Item::Parts(parts));
        Ok(())
    }

    /// A vector operand, which may be of one component.
    fn vector_operand(&mut self, at: &Instruction<'w>, index: usize) -> Result<(Value, Type)> {
        let value = self.operand(at, index)?;
        let ty = self.b.ty(value);
        match ty.scalar.is_int() || ty.scalar.is_float() || ty.scalar == ScalarType::Bool {
            true => Ok((value, ty)),
            false => Err(at.invalid(format!("operand {index} is no vector"))),
        }
    }

    fn shuffle(&mut self, at: &Instruction<'w>) -> Result<()> {
        let result = self.m.tables.types.value(at, at.ty)?;
        let ((first, x), (second, y)) = (self.vector_operand(at, 0)?, self.vector_operand(at, 1)?);
        let chosen = at.rest(2);
        if chosen.len() != usize::from(result.lanes) || x.scalar != y.scalar || result.scalar != x.scalar {
            return Err(at.invalid("the vectors do not give one of the result's type"));
        }
        let total = u32::from(x.lanes) + u32::from(y.lanes);
        if chosen.iter().any(|lane| *lane >= total && *lane != u32::MAX) {
            return Err(at.invalid("a component that neither vector has"));
        }
        if x == y && x.is_vector() && result.is_vector() {
            let lanes: Lanes =
                chosen.iter().map(|lane| if *lane == u32::MAX { u8::MAX } else { to_u8(*lane) }).collect();
            let value = self.b.pure(Inst::Shuffle { first, second, lanes });
            return self.define_value(at, value);
        }
        // Vectors of different lengths.
        let mut lanes: Vec<Value> = Vec::new();
        for lane in chosen {
            lanes.push(match lane.checked_sub(u32::from(x.lanes)) {
                _ if *lane == u32::MAX => self.b.undef(x.lane()),
                None => self.b.extract(first, to_u8(*lane)),
                Some(lane) => self.b.extract(second, to_u8(lane)),
            });
        }
        let value = self.b.construct(&lanes);
        self.define_value(at, value)
    }

    fn dynamic(&mut self, at: &Instruction<'w>) -> Result<()> {
        let (vector, ty) = self.vector_operand(at, 0)?;
        let extracts = at.op == Op::VectorExtractDynamic;
        let place = if at.op == Op::VectorExtractDynamic { 1 } else { 2 };
        let index = self.operand(at, place)?;
        let given = self.b.ty(index);
        if !given.scalar.is_int() || given.is_vector() {
            return Err(at.invalid("the index is no integer"));
        }
        let index = self.b.resize(index, ScalarType::I32, false);
        let value = match at.op {
            _ if !ty.is_vector() && extracts => vector,
            _ if !ty.is_vector() => self.operand_of(at, 1, ty)?,
            Op::VectorExtractDynamic => self.b.pure(Inst::ExtractDynamic { vector, index }),
            _ => {
                let scalar = self.operand_of(at, 1, ty.lane())?;
                self.b.pure(Inst::InsertDynamic { vector, scalar, index })
            }
        };
        self.define_value(at, value)
    }
}
