//! Modules with addresses of 32 bits. Their pointers have 64 bits here, so structures and arrays that contain pointers
//! are larger than in the module. Members are still found by their indices. Instructions that count the bytes of such
//! an object are not supported, except copies and lifetimes of the whole object.

use super::FunctionReader;
use crate::context::ModuleReader;
use crate::decode::Instruction;
use crate::error::Result;
use crate::types::{Kind, WIDENED as WHERE};
use clforge_ir::Type;
use rspirv::spirv::Op;

/// That a kernel's parameter points to, or is, an object that the host lays out as the module means.
pub fn check_argument(m: &ModuleReader<'_, '_>, param: &Instruction<'_>, ty: u32) -> Result<()> {
    let types = &m.tables.types;
    let pointee = match types.get(param, ty)?.kind {
        Kind::Pointer { pointee: Some(pointee), .. } => pointee,
        Kind::Pointer { .. } => return Ok(()),
        _ => ty,
    };
    match types.meant(pointee) {
        Some(_) => Err(param.unsupported(format!("a kernel's argument with pointers in it, {WHERE}"))),
        None => Ok(()),
    }
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// That a cast of a pointer does not make the bytes of an object visible that is larger than the module means.
    pub fn check_cast(&mut self, at: &Instruction<'w>) -> Result<()> {
        if !self.m.tables.types.narrow {
            return Ok(());
        }
        let known = self.known(at, at.operand(0)?)?.ty;
        let pointee = |ty: u32| match self.m.tables.types.find(ty).map(|info| &info.kind) {
            Some(Kind::Pointer { pointee, .. }) => Some(*pointee),
            _ => None,
        };
        let (from, to) = match (pointee(known), pointee(at.ty)) {
            (Some(Some(from)), Some(Some(to))) => (from, to),
            (Some(Some(typed)), Some(None)) | (Some(None), Some(Some(typed))) => return self.check_untyped(at, typed),
            _ => return Ok(()),
        };
        let types = &self.m.tables.types;
        let is_pointer = |id: u32| types.find(id).is_some_and(|info| matches!(info.kind, Kind::Pointer { .. }));
        let is_wide = |id: u32| types.meant(id).is_some();
        if from == to || !(is_wide(from) || is_wide(to)) || (is_pointer(from) && is_pointer(to)) {
            return Ok(());
        }
        let is_byte = |id: u32| types.find(id).is_some_and(|info| info.kind == Kind::Value(Type::I8));
        if is_byte(to) && !self.is_used_by_bytes(at.result) {
            return Ok(());
        }
        Err(at.unsupported(format!("a cast of a pointer to an object with pointers in it, {WHERE}")))
    }

    /// That what an untyped pointer is said to point to here has the module's size: its bytes may be seen as anything.
    pub fn check_untyped(&self, at: &Instruction<'w>, ty: u32) -> Result<()> {
        self.m.tables.types.check_untyped(at, ty)
    }

    /// As [`Self::check_untyped`], of what is loaded or stored at a pointer operand.
    pub fn check_access(&self, at: &Instruction<'w>, index: usize, ty: u32) -> Result<()> {
        let id = at.operand(index)?;
        let pointer = self.graph.types.get(&id).copied().or_else(|| self.m.type_of(id));
        let kind = pointer.and_then(|ty| self.m.tables.types.find(ty)).map(|info| &info.kind);
        match kind {
            Some(Kind::Pointer { pointee: None, .. }) => self.check_untyped(at, ty),
            _ => Ok(()),
        }
    }

    /// Whether something but a copy or a lifetime uses an id. A literal that equals it counts as well.
    fn is_used_by_bytes(&self, id: u32) -> bool {
        let used = self.graph.used_by_bytes.get_or_init(|| {
            let instructions = self.graph.blocks.iter().flat_map(|block| block.phis.iter().chain(&block.instructions));
            let whole = |op: Op| matches!(op, Op::CopyMemorySized | Op::LifetimeStart | Op::LifetimeStop);
            let ends = self.graph.blocks.iter().map(|block| &block.end);
            instructions.filter(|at| !whole(at.op)).chain(ends).flat_map(|at| at.operands).copied().collect()
        });
        used.contains(&id)
    }

    /// The bytes of a copy: those of the objects here where it copies so many as the module means.
    pub fn copied_bytes(&self, at: &Instruction<'w>, types: [Option<u32>; 2], size: u64) -> Result<u64> {
        let mut bytes = size;
        for ty in types.into_iter().flatten() {
            let Some(meant) = self.m.tables.types.meant(ty) else { continue };
            if meant.size != size {
                return Err(at.unsupported(format!("a copy of a part of an object with pointers in it, {WHERE}")));
            }
            bytes = self.m.tables.types.get(at, ty)?.size;
        }
        Ok(bytes)
    }
}
