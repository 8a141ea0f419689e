//! Calls of functions that the module only declares: built-in functions of OpenCL C by their mangled names, and the
//! atomic functions of compilers' run-time libraries.

use super::FunctionReader;
use crate::decode::Instruction;
use crate::error::Result;
use crate::mangled::{Parameter, demangle};
use crate::tables::FunctionDef;
use clforge_basic::narrow::to_u32;
use clforge_ir::{AtomicOp, ConvertOp, MemoryOrder, Scope, Semantics, Space, Type, Value};
use clforge_sema::builtins::is_builtin;
use clforge_sema::hir::types::{QualTy, Scalar, Ty};

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// A call of a function that is only declared, if it is known what it does.
    pub fn library_call(&mut self, at: &Instruction<'w>, def: &FunctionDef<'w>) -> Result<bool> {
        if def.body.0 != def.body.1 {
            return Ok(false);
        }
        let Some((linkage, _)) = self.m.tables.linkage(&def.at)? else { return Ok(false) };
        if let Some(op) = linkage.strip_prefix("__atomic_") {
            return self.library_atomic(at, op);
        }
        if let "__to_global" | "__to_local" | "__to_private" = linkage.as_str() {
            return self.checked_cast(at);
        }
        let Some((name, parameters)) = demangle(&linkage) else { return Ok(false) };
        if let ("get_image_channel_order" | "get_image_channel_data_type", [Parameter::Other]) = (name, &parameters[..])
        {
            return self.channel_query(at, name == "get_image_channel_order");
        }
        if !is_builtin(name) || parameters.len() + 1 != at.operands.len() {
            return Ok(false);
        }
        let (mut args, mut types): (Vec<Value>, Vec<QualTy>) = (Vec::new(), Vec::new());
        for (index, parameter) in parameters.iter().enumerate() {
            let value = self.operand(at, index + 1)?;
            let Some(ty) = self.parameter_type(*parameter, self.b.ty(value)) else { return Ok(false) };
            args.push(value);
            types.push(QualTy::plain(ty));
        }
        let is_signed =
            |parameter: &Parameter| !matches!(parameter, Parameter::Number(Scalar::Int(kind), _) if !kind.is_signed());
        let is_void = self.m.tables.types.get(at, at.ty)?.kind == crate::types::Kind::Void;
        let result = match is_void {
            true => None,
            false => Some((self.m.tables.types.value(at, at.ty)?, parameters.iter().all(is_signed))),
        };
        match self.builtin(at, name, &args, &types, result)? {
            Some(value) => self.define_value(at, value)?,
            None if is_void => {}
            None => return Err(at.invalid(format!("'{name}' has no result"))),
        }
        Ok(true)
    }

    /// A parameter's type, if values of a type of the IR can be passed.
    fn parameter_type(&mut self, parameter: Parameter, given: Type) -> Option<Ty> {
        let fits = |scalar: Scalar, lanes: u8| {
            given.lanes == lanes && clforge_lower::builtins::ir_scalar(scalar) == given.scalar
        };
        match parameter {
            Parameter::Number(scalar, lanes) if fits(scalar, lanes) => Some(self.m.types.vector(scalar, lanes)),
            Parameter::Pointer(scalar, lanes) if given.space().is_some() => {
                let pointee = self.m.types.vector(scalar, lanes);
                Some(self.m.types.pointer_to(QualTy::plain(pointee)))
            }
            Parameter::Other if given.space().is_some() => Some(self.m.types.pointer_to(QualTy::plain(Ty::VOID))),
            _ => None,
        }
    }

    /// What clang makes of `to_global` and similar functions: null where the object is of another address space.
    fn checked_cast(&mut self, at: &Instruction<'w>) -> Result<bool> {
        if at.operands.len() != 2 {
            return Ok(false);
        }
        let (value, to) = (self.pointer(at, 1)?, self.m.tables.types.value(at, at.ty)?);
        if self.b.ty(value).space() != Some(Space::Generic) || to.space().is_none_or(|space| space == Space::Constant) {
            return Ok(false);
        }
        let value = self.b.convert(ConvertOp::PtrCastChecked, value, to);
        self.define_value(at, value)?;
        Ok(true)
    }

    /// `__atomic_load(size, object, result, order)` and `__atomic_store(size, object, value, order)`: what compilers make of
    /// accesses to atomic objects that are no calls. Values are in memory.
    fn library_atomic(&mut self, at: &Instruction<'w>, op: &str) -> Result<bool> {
        if !matches!(op, "load" | "store") || at.operands.len() != 5 {
            return Ok(false);
        }
        let ty = match self.constant_operand(at, 1)? {
            Some(4) => Type::I32,
            Some(8) => Type::I64,
            _ => return Ok(false),
        };
        let (object, memory) = (self.pointer(at, 2)?, self.pointer(at, 3)?);
        let space = self.b.ty(object).space();
        let semantics = Semantics {
            // They have no order but the strongest: `memory_order_seq_cst`.
            order: MemoryOrder::SequentiallyConsistent,
            scope: Scope::AllDevices,
            local: matches!(space, Some(Space::Local | Space::Generic)),
            global: space != Some(Space::Local),
            image: false,
        };
        let align = to_u32(ty.access_size());
        if op == "load" {
            let value = self.push_atomic(AtomicOp::Load, object, &[], semantics, MemoryOrder::Relaxed, Some(ty));
            if let Some(value) = value {
                self.b.store(memory, value, align);
            }
        } else {
            let value = self.b.load(ty, memory, align);
            self.push_atomic(AtomicOp::Store, object, &[value], semantics, MemoryOrder::Relaxed, None);
        }
        Ok(true)
    }
}
