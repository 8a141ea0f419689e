//! Rebuilds a function while replacing some of its operations and types. Most legalisation passes use it.
//!
//! A pass maps each type to one or several types, and each operation to new values or a copy; regions, terminators and
//! everything else are carried over. An old value is mapped to *parts*, one new value for each new type. The new
//! function is built with the [`Builder`], so constants are folded, and unreachable code is dropped.

use super::room::Room;
use super::*;
use clforge_basic::narrow::to_u32;
use smallvec::{SmallVec, smallvec};
use typed_index_collections::{TiVec, ti_vec};

/// The new values of an old one.
pub type Parts = SmallVec<[Value; 1]>;

/// What a pass changes.
pub trait Rewrite {
    /// The types a value of type `ty` becomes. Never empty.
    fn types(&self, ty: Type) -> SmallVec<[Type; 1]> {
        smallvec![ty]
    }

    /// The type of what a function returns in place of a value of type `ty`: one value, whatever [`Rewrite::types`] says.
    fn result(&self, ty: Type) -> Type {
        self.types(ty).first().copied().unwrap_or(ty)
    }

    /// The value that a function returns in place of an old one, where that has several parts.
    ///
    /// # Errors
    /// As for [`Rewrite::op`].
    fn returned(&mut self, _r: &mut Rewriter<'_>, _value: Value) -> Result<Option<Value>, Error> {
        Ok(None)
    }

    /// What a constant becomes, one constant for each new type, where that is not its lanes in the new types.
    fn constant(&self, _value: Value, _constant: &Constant) -> Option<SmallVec<[Constant; 2]>> {
        None
    }

    /// The parts of each result of an operation that is neither structured nor a terminator, or `None` to copy it with
    /// mapped operands (which must each be one part then).
    ///
    /// # Errors
    /// What cannot be rewritten; the caller adds the source.
    fn op(&mut self, r: &mut Rewriter<'_>, inst: &Inst) -> Result<Option<SmallVec<[Parts; 1]>>, Error>;

    /// Emits what a pass needs before a structured operation, or a terminator, of the old function.
    ///
    /// # Errors
    /// As for [`Rewrite::op`].
    fn before_control(&mut self, _r: &mut Rewriter<'_>, _id: InstId) -> Result<(), Error> {
        Ok(())
    }
}

/// What an old value has become. Small, since there is one for each value of the function.
#[derive(Clone, Copy)]
enum Mapped {
    Unknown,
    One(Value),
    /// None or several parts, by their index in [`Rewriter::several`].
    Several(u32),
}

/// The rewriting of one function.
pub struct Rewriter<'r> {
    /// The function as it was.
    pub old: &'r Function,
    /// Appends to the function as it becomes.
    pub b: Builder<'r>,
    map: TiVec<Value, Mapped>,
    several: Vec<Parts>,
    /// Without the function that is rebuilt.
    room: Room,
}

/// Rebuilds `old`, a function of the module that `room` is of; the result must replace it there.
///
/// # Errors
/// The pass's, with the place of the operation, and more instructions than there is room for.
pub fn rewrite(old: &Function, pass: &mut dyn Rewrite, room: &mut Room) -> Result<Function, Error> {
    rewrite_with(old, pass, room, |_, _| Ok(None))
}

/// As [`fn@rewrite`], where `param` may replace parameters: given the index, it returns the parts to use instead.
///
/// # Errors
/// The pass's.
pub fn rewrite_with(
    old: &Function,
    pass: &mut dyn Rewrite,
    room: &mut Room,
    mut param: impl FnMut(&mut Rewriter<'_>, u32) -> Result<Option<Parts>, Error>,
) -> Result<Function, Error> {
    let mut new = Function::new(old.name.clone());
    new.reserve(old);
    new.kernel = old.kernel.clone();
    (new.exported, new.once) = (old.exported, old.once);
    new.inline = old.inline;
    new.precise = old.precise;
    new.span = old.span;
    new.result = old.result.map(|ty| pass.result(ty));
    room.take(old);
    let map = ti_vec![Mapped::Unknown; old.value_count()];
    let mut r = Rewriter { old, b: Builder::new(&mut new), map, several: Vec::new(), room: *room };
    for (index, value) in old.params.iter().enumerate() {
        let parts = match param(&mut r, to_u32(index)).map_err(|error| error.at(old.span))? {
            Some(parts) => parts,
            None => pass.types(old.ty(*value)).iter().map(|ty| r.b.function.add_param(*ty)).collect(),
        };
        r.set(*value, parts);
    }
    if !old.is_declaration() {
        r.region_body(old.body, pass).map_err(|error| error.at(r.b.span).at(old.span))?;
    }
    room.put(&new);
    Ok(new)
}

impl Rewriter<'_> {
    /// Says what an old value has become.
    pub fn set(&mut self, old: Value, parts: Parts) {
        self.map[old] = match parts[..] {
            [part] => Mapped::One(part),
            _ => {
                self.several.push(parts);
                Mapped::Several(to_u32(self.several.len() - 1))
            }
        };
    }

    /// The parts of an old value. Constants are split by lanes.
    ///
    /// # Errors
    /// When the value was never mapped: a bug of the pass.
    pub fn parts(&mut self, old: Value, pass: &dyn Rewrite) -> Result<Parts, Error> {
        match self.map[old] {
            Mapped::Unknown => {}
            Mapped::One(part) => return Ok(smallvec![part]),
            Mapped::Several(index) => return Ok(self.several[index as usize].clone()),
        }
        let Some(constant) = self.old.as_constant(old) else {
            return Err(Error::internal(format!("value %{old} has no counterpart")));
        };
        if let Some(replaced) = pass.constant(old, constant) {
            let parts: Parts = replaced.into_iter().map(|part| self.b.function.constant(part)).collect();
            self.set(old, parts.clone());
            return Ok(parts);
        }
        let mut lane = 0;
        let parts: Parts = pass
            .types(constant.ty())
            .iter()
            .map(|ty| {
                let from = lane;
                lane += usize::from(ty.lanes);
                let part = match constant {
                    Constant::Bits { lanes, .. } => Constant::Bits {
                        ty: *ty,
                        lanes: lanes
                            .iter()
                            .skip(from)
                            .take(ty.lanes.into())
                            .map(|bits| bits & constant::mask(ty.scalar))
                            .collect(),
                    },
                    Constant::Undef(_) => Constant::Undef(*ty),
                };
                self.b.function.constant(part)
            })
            .collect();
        self.set(old, parts.clone());
        Ok(parts)
    }

    /// The only part of an old value.
    ///
    /// # Errors
    /// When it has several: a bug of the pass.
    pub fn one(&mut self, old: Value, pass: &dyn Rewrite) -> Result<Value, Error> {
        if let Mapped::One(part) = self.map[old] {
            return Ok(part);
        }
        let parts = self.parts(old, pass)?;
        match parts[..] {
            [part] => Ok(part),
            _ => Err(Error::internal(format!("value %{old} has {} parts where one is needed", parts.len()))),
        }
    }

    fn flat(&mut self, values: &[Value], pass: &dyn Rewrite) -> Result<Values, Error> {
        let mut flat = Values::new();
        for value in values {
            flat.extend(self.parts(*value, pass)?);
        }
        Ok(flat)
    }

    fn region(&mut self, old: RegionId, pass: &mut dyn Rewrite) -> Result<RegionId, Error> {
        let new = self.b.function.new_region();
        let function = self.old;
        for param in &function.region(old).params {
            let types = pass.types(function.ty(*param));
            let parts = types.iter().map(|ty| self.b.function.add_region_param(new, *ty)).collect();
            self.set(*param, parts);
        }
        self.b.enter(new);
        let done = self.region_body(old, pass);
        self.b.leave();
        done.map(|()| new)
    }

    fn region_body(&mut self, old: RegionId, pass: &mut dyn Rewrite) -> Result<(), Error> {
        let function = self.old;
        let new = self.b.region();
        self.b.function.region_mut(new).insts.reserve(function.region(old).insts.len());
        for id in &function.region(old).insts {
            let inst = function.inst(*id);
            self.b.span = inst.span;
            self.room.check(self.b.function.insts.len())?;
            if inst.op.is_terminator() {
                pass.before_control(self, *id)?;
                return self.terminator(&inst.op, pass);
            }
            match &inst.op {
                Op::If { .. } | Op::Switch { .. } | Op::Loop { .. } => {
                    pass.before_control(self, *id)?;
                    self.structured(inst, pass)?;
                }
                _ => self.simple(inst, pass)?,
            }
        }
        Ok(())
    }

    fn simple(&mut self, inst: &Inst, pass: &mut dyn Rewrite) -> Result<(), Error> {
        if let Some(results) = pass.op(self, inst)? {
            for (result, parts) in inst.results.iter().zip(results) {
                self.set(*result, parts);
            }
            return Ok(());
        }
        let values = self.copy(inst, pass)?;
        for (result, value) in inst.results.iter().zip(values) {
            self.set(*result, smallvec![value]);
        }
        Ok(())
    }

    /// Copies an operation with its operands mapped, flattening the arguments of calls.
    ///
    /// # Errors
    /// When an operand has several parts where one is needed.
    pub fn copy(&mut self, inst: &Inst, pass: &dyn Rewrite) -> Result<SmallVec<[Value; 1]>, Error> {
        let mut op = inst.op.clone();
        if let Op::Call { args, .. } = &mut op {
            *args = self.flat(args, pass)?;
        } else {
            let mut error = None;
            op.for_each_operand_mut(|value| match self.one(*value, pass) {
                Ok(new) => *value = new,
                Err(found) => error = Some(found),
            });
            if let Some(error) = error {
                return Err(error);
            }
        }
        let is_call = matches!(op, Op::Call { .. });
        let new_type = |result: &Value| match self.old.ty(*result) {
            ty if is_call => pass.result(ty),
            ty => pass.types(ty)[0],
        };
        match &inst.results[..] {
            [result] => {
                let ty = new_type(result);
                Ok(if op.is_pure() { smallvec![self.b.emit(op, ty)] } else { self.b.push(op, &[ty]) })
            }
            results => {
                let types: SmallVec<[Type; 4]> = results.iter().map(new_type).collect();
                Ok(self.b.push(op, &types))
            }
        }
    }

    fn structured(&mut self, inst: &Inst, pass: &mut dyn Rewrite) -> Result<(), Error> {
        let op = match &inst.op {
            Op::If { condition, then, otherwise } => {
                let condition = self.one(*condition, pass)?;
                let then = self.region(*then, pass)?;
                Op::If { condition, then, otherwise: self.region(*otherwise, pass)? }
            }
            Op::Switch { selector, inputs, cases } => {
                let selector = self.one(*selector, pass)?;
                let inputs = self.flat(inputs, pass)?;
                let cases = cases
                    .iter()
                    .map(|case| Ok(Case { region: self.region(case.region, pass)?, ..case.clone() }))
                    .collect::<Result<_, Error>>()?;
                Op::Switch { selector, inputs, cases }
            }
            Op::Loop { inits, body, continuing, hint } => {
                let inits = self.flat(inits, pass)?;
                let body = self.region(*body, pass)?;
                Op::Loop { inits, body, continuing: self.region(*continuing, pass)?, hint: *hint }
            }
            _ => return Err(Error::internal("not a structured operation")),
        };
        let mut types: SmallVec<[Type; 4]> = SmallVec::new();
        for result in &inst.results {
            types.extend(pass.types(self.old.ty(*result)));
        }
        // The regions left the place of their last instruction.
        self.b.span = inst.span;
        let mut values = self.b.push(op, &types).into_iter();
        for result in &inst.results {
            let count = pass.types(self.old.ty(*result)).len();
            self.set(*result, values.by_ref().take(count).collect());
        }
        Ok(())
    }

    fn terminator(&mut self, op: &Op, pass: &mut dyn Rewrite) -> Result<(), Error> {
        let op = match op {
            Op::Yield(values) => Op::Yield(self.flat(values, pass)?),
            Op::Break(values) => Op::Break(self.flat(values, pass)?),
            Op::Continue(values) => Op::Continue(self.flat(values, pass)?),
            Op::Fallthrough(values) => Op::Fallthrough(self.flat(values, pass)?),
            Op::Next(values) => Op::Next(self.flat(values, pass)?),
            Op::NextIf { condition, next, results } => Op::NextIf {
                condition: self.one(*condition, pass)?,
                next: self.flat(next, pass)?,
                results: self.flat(results, pass)?,
            },
            Op::Return(None) => Op::Return(None),
            Op::Return(Some(value)) => Op::Return(Some(match pass.returned(self, *value)? {
                Some(value) => value,
                None => self.one(*value, pass)?,
            })),
            Op::Unreachable => Op::Unreachable,
            _ => return Err(Error::internal("not a terminator")),
        };
        self.b.effect(op);
        Ok(())
    }
}
