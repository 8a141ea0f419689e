//! Calls of functions of the module.

use super::{FunctionReader, Item};
use crate::decode::Instruction;
use crate::error::Result;
use crate::types::Kind;
use smallvec::smallvec;

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// A call of a function of the module.
    pub fn call(&mut self, at: &Instruction<'w>) -> Result<()> {
        let (function, def) = self.m.callee(at, at.operand(0)?)?;
        if at.operands.len() != def.params.len() + 1 || at.ty != def.result {
            return Err(at.invalid("the call does not match the function's type"));
        }
        if self.library_call(at, &def)? {
            return Ok(());
        }
        let result = self.m.tables.types.get(at, def.result)?;
        let (is_void, align) = (result.kind == Kind::Void, result.align);
        let size = result.size;
        let is_record = matches!(result.kind, Kind::Array { .. } | Kind::Struct { .. });
        let mut args = Vec::new();
        let place = is_record.then(|| self.alloca(size, align));
        args.extend(place);
        for (id, ty) in at.rest(1).iter().zip(&def.param_types) {
            args.extend(self.parts_of(at, *id, *ty)?);
        }
        if let Some(place) = place {
            self.b.call(function, &args, None);
            let parts = self.load_parts(at, place, def.result, align, false)?;
            self.define(at, Item::Parts(parts));
            return Ok(());
        }
        let ty = if is_void { None } else { Some(self.m.tables.types.value(at, def.result)?) };
        if let Some(value) = self.b.call(function, &args, ty) {
            self.define(at, Item::Parts(smallvec![value]));
        }
        Ok(())
    }
}
