//! Replaces some operations of a function in place by others that compute the same values. Types, regions and all other
//! instructions stay, so the cost depends only on what is replaced. See [`crate::rewrite`] for passes that change
//! types.

use crate::analysis::Substitution;
use crate::room::Room;
use crate::*;

/// What a pass replaces.
pub trait Expand {
    /// Whether an operation is replaced. It has one result, and neither regions nor the place of a terminator.
    fn replaces(&self, op: &Op) -> bool;

    /// The value of an operation that is replaced, made by instructions that are appended.
    ///
    /// # Errors
    /// What cannot be expanded; the caller adds the source.
    fn expand(&mut self, b: &mut Builder<'_>, inst: InstId) -> Result<Value, Error>;
}

/// Expands operations of a function of the module that `room` is of. `begin` appends to the beginning of the body, and
/// returns a value for each parameter that it replaces; the parameters are removed then.
///
/// # Errors
/// The pass's, with the place of the operation, and more instructions than there is room for.
pub fn expand(
    function: &mut Function,
    pass: &mut dyn Expand,
    room: &mut Room,
    begin: impl FnOnce(&mut Builder<'_>) -> Result<Option<Vec<Value>>, Error>,
) -> Result<(), Error> {
    if function.is_declaration() {
        return Ok(());
    }
    let (body, span) = (function.body, function.span);
    let mut replaced = Substitution::default();
    room.take(function);
    let regions: Vec<RegionId> = function.regions.keys().collect();
    let rest = std::mem::take(&mut function.region_mut(body).insts);
    if let Some(values) = begin(&mut Builder::new(function)).map_err(|error| error.at(span))? {
        replaced.extend(std::mem::take(&mut function.params), values);
    }
    function.region_mut(body).insts.extend(rest);
    for region in regions {
        let wanted = |id: &InstId| pass.replaces(&function.inst(*id).op);
        if !function.region(region).insts.iter().any(wanted) {
            continue;
        }
        let insts = std::mem::take(&mut function.region_mut(region).insts);
        let mut b = Builder::at(function, region);
        for id in insts {
            b.span = b.function.inst(id).span;
            if pass.replaces(&b.function.inst(id).op) {
                let value = pass.expand(&mut b, id).map_err(|error| error.at(b.span).at(span))?;
                replaced.extend(b.function.inst(id).results.first().copied(), [value]);
                room.check(b.function.insts.len()).map_err(|error| error.at(b.span).at(span))?;
            } else {
                b.function.region_mut(region).insts.push(id);
            }
        }
    }
    if !replaced.is_empty() {
        function.insts.iter_mut().for_each(|inst| replaced.apply(&mut inst.op));
    }
    room.put(function);
    Ok(())
}

/// Appends an instruction with one result, which is returned.
pub fn append(
    function: &mut Function,
    to: &mut Vec<InstId>,
    (op, ty, span): (Op, Type, clforge_basic::source::Span),
) -> Value {
    let id = function.new_inst(op, &[ty], span);
    to.push(id);
    function.inst(id).results[0]
}
