//! Pointers and accesses: address arithmetic on bytes, and a cast at each access.

use super::{OpenCl, class};
use crate::emit::common::{AtomicAccess, FunctionEmitter};
use clforge_basic::narrow::to_u32;
use clforge_ir::*;
use rspirv::dr::Operand;
use rspirv::spirv::{self, Capability, MemoryAccess, Word};

pub fn scope(scope: Scope) -> spirv::Scope {
    match scope {
        Scope::WorkItem => spirv::Scope::Invocation,
        Scope::SubGroup => spirv::Scope::Subgroup,
        Scope::WorkGroup => spirv::Scope::Workgroup,
        Scope::Device => spirv::Scope::Device,
        Scope::AllDevices => spirv::Scope::CrossDevice,
    }
}

/// The semantics mask.
pub fn semantics(semantics: &Semantics) -> u32 {
    use spirv::MemorySemantics as S;
    let mut mask = match semantics.order {
        MemoryOrder::Relaxed => S::empty(),
        MemoryOrder::Acquire => S::ACQUIRE,
        MemoryOrder::Release => S::RELEASE,
        MemoryOrder::AcquireRelease => S::ACQUIRE_RELEASE,
        MemoryOrder::SequentiallyConsistent => S::SEQUENTIALLY_CONSISTENT,
    };
    if semantics.local {
        mask |= S::WORKGROUP_MEMORY;
    }
    if semantics.global {
        mask |= S::CROSS_WORKGROUP_MEMORY;
    }
    if semantics.image {
        mask |= S::IMAGE_MEMORY;
    }
    mask.bits()
}

impl OpenCl<'_> {
    /// Declares the objects of private memory: variables stand first in the function's first block.
    pub fn declare_objects(&mut self, f: &mut FunctionEmitter<'_>) -> Result<(), Error> {
        let function = f.function;
        let mut objects = Vec::new();
        for id in &function.region(function.body).insts {
            let inst = function.inst(*id);
            let (Op::Alloca { size, align }, Some(result)) = (&inst.op, inst.results.first()) else { continue };
            // An array of the widest word that the alignment allows, so that the type aligns it for every consumer.
            let word = ScalarType::int((*align).clamp(1, 8) as u32 * 8);
            let element = f.m.scalar(word);
            // Sema knows the limit of variables.
            let words =
                u32::try_from(size.div_ceil(word.bytes()).max(1)).or_internal("an object of more than 32 bits")?;
            let length = f.m.constant_u32(words);
            let array = f.m.array(element, length, None);
            let pointer = f.m.pointer(spirv::StorageClass::Function, array);
            let storage = vec![Operand::StorageClass(spirv::StorageClass::Function)];
            let variable = f.push(spirv::Op::Variable, pointer, storage)?;
            f.m.decorate(variable, spirv::Decoration::Alignment, [Operand::LiteralBit32(to_u32(*align))]);
            objects.push((*result, variable));
        }
        for (result, variable) in objects {
            f.define(self, result, spirv::Op::Bitcast, &[variable])?;
        }
        Ok(())
    }

    /// Addresses, offsets and pointer conversions.
    pub fn pointer_op(&mut self, f: &mut FunctionEmitter<'_>, inst: &Inst) -> Result<(), Error> {
        let result = inst.result()?;
        match &inst.op {
            Op::GlobalAddress(global) => {
                let variable = self.global_variable(f.m, *global)?;
                f.define(self, result, spirv::Op::Bitcast, &[variable])
            }
            Op::PtrAdd { base, index, stride, displacement } => {
                let offset = self.byte_offset(f, *index, *stride, *displacement)?;
                let base = f.id(self, *base);
                f.define(self, result, spirv::Op::PtrAccessChain, &[base, offset])
            }
            Op::Convert { op, operand: a } => {
                let from = f.function.ty(*a).space();
                let to = f.function.ty(result).space();
                let a = f.id(self, *a);
                if let (ConvertOp::PtrCastChecked, Some(to)) = (op, to) {
                    let (id, ty) = (f.id(self, result), f.type_of(self, result));
                    let operands = vec![Operand::IdRef(a), Operand::StorageClass(class(to))];
                    return f.push_as(id, spirv::Op::GenericCastToPtrExplicit, ty, operands);
                }
                let op = match (op, from, to) {
                    (ConvertOp::PtrToInt, ..) => spirv::Op::ConvertPtrToU,
                    (ConvertOp::IntToPtr, ..) => spirv::Op::ConvertUToPtr,
                    (_, _, Some(Space::Generic)) => spirv::Op::PtrCastToGeneric,
                    (_, Some(Space::Generic), _) => spirv::Op::GenericCastToPtr,
                    _ => spirv::Op::Bitcast,
                };
                f.define(self, result, op, &[a])
            }
            op => Err(Error::internal(format!("not a pointer operation: {op:?}"))),
        }
    }

    /// `index * stride + displacement` in as many bits as an address has.
    fn byte_offset(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        index: Option<Value>,
        stride: i64,
        displacement: i64,
    ) -> Result<Word, Error> {
        let size = Type::scalar(self.size_type());
        let long = f.type_id(self, size);
        let constant = f.m.constant(&Constant::int(size, displacement.cast_unsigned()));
        let Some(index) = index else { return Ok(constant) };
        let mut offset = f.id(self, index);
        if f.function.ty(index) != size {
            offset = f.push(spirv::Op::SConvert, long, vec![Operand::IdRef(offset)])?;
        }
        if stride != 1 {
            let stride = f.m.constant(&Constant::int(size, stride.cast_unsigned()));
            offset = f.push(spirv::Op::IMul, long, vec![Operand::IdRef(offset), Operand::IdRef(stride)])?;
        }
        if displacement != 0 {
            offset = f.push(spirv::Op::IAdd, long, vec![Operand::IdRef(offset), Operand::IdRef(constant)])?;
        }
        Ok(offset)
    }

    /// The pointer as a pointer to a value of type `ty`.
    fn typed_pointer(&mut self, f: &mut FunctionEmitter<'_>, ptr: Value, ty: Type) -> Result<Word, Error> {
        let space = f.function.ty(ptr).space().or_internal("a pointer was expected")?;
        let pointee = f.type_id(self, ty);
        let pointer = f.m.pointer(class(space), pointee);
        let ptr = f.id(self, ptr);
        if ty == Type::I8 {
            return Ok(ptr);
        }
        f.push(spirv::Op::Bitcast, pointer, vec![Operand::IdRef(ptr)])
    }

    /// Loads, stores and atomics.
    pub fn access(&mut self, f: &mut FunctionEmitter<'_>, inst: &Inst) -> Result<(), Error> {
        let operands = |align: u32, volatile: bool| {
            let volatile = if volatile { MemoryAccess::VOLATILE } else { MemoryAccess::NONE };
            [Operand::MemoryAccess(MemoryAccess::ALIGNED | volatile), Operand::LiteralBit32(align)]
        };
        match &inst.op {
            Op::Load { ptr, align, volatile, .. } => {
                let result = inst.result()?;
                let pointer = self.typed_pointer(f, *ptr, f.function.ty(result))?;
                let (id, ty) = (f.id(self, result), f.type_of(self, result));
                let mut args = vec![Operand::IdRef(pointer)];
                args.extend(operands(*align, *volatile));
                f.push_as(id, spirv::Op::Load, ty, args)
            }
            Op::Store { ptr, value, align, volatile } => {
                let pointer = self.typed_pointer(f, *ptr, f.function.ty(*value))?;
                let mut args = vec![Operand::IdRef(pointer), Operand::IdRef(f.id(self, *value))];
                args.extend(operands(*align, *volatile));
                f.effect(spirv::Op::Store, args)
            }
            Op::Atomic { op, ptr, operands, semantics, unequal } => {
                let unequal = Semantics { order: *unequal, ..*semantics };
                self.atomic(f, *op, *ptr, operands, semantics, &unequal, inst)
            }
            op => Err(Error::internal(format!("not an access: {op:?}"))),
        }
    }

    /// Loads and stores of matrices.
    pub fn matrix_access(&mut self, f: &mut FunctionEmitter<'_>, op: MatrixOp, inst: &Inst) -> Result<(), Error> {
        let (layout, ptr, stride, matrix) = match op {
            MatrixOp::Load { layout, ptr, stride } => (layout, ptr, stride, inst.result()?),
            MatrixOp::Store { layout, ptr, stride, matrix } => (layout, ptr, stride, matrix),
            _ => return Err(Error::internal("no access to a matrix")),
        };
        let ty = f.function.ty(matrix).matrix().or_internal("no matrix")?;
        let mut args = vec![Operand::IdRef(self.typed_pointer(f, ptr, Type::scalar(ty.scalar()))?)];
        let is_store = inst.results.is_empty();
        args.extend(is_store.then(|| Operand::IdRef(f.id(self, matrix))));
        args.push(Operand::IdRef(f.m.matrix_layout(layout)));
        args.push(Operand::IdRef(f.id(self, stride)));
        if is_store {
            return f.effect(spirv::Op::CooperativeMatrixStoreKHR, args);
        }
        let (id, ty) = (f.id(self, matrix), f.type_of(self, matrix));
        f.push_as(id, spirv::Op::CooperativeMatrixLoadKHR, ty, args)
    }

    #[allow(clippy::too_many_arguments)] // an atomic has that many parts
    fn atomic(
        &mut self,
        f: &mut FunctionEmitter<'_>,
        op: AtomicOp,
        ptr: Value,
        values: &[Value],
        semantics: &Semantics,
        unequal: &Semantics,
        inst: &Inst,
    ) -> Result<(), Error> {
        let value = inst.results.first().or(values.first()).or_internal("atomic without value")?;
        let ty = f.function.ty(*value);
        if ty.scalar.bits() == 64 {
            f.m.capability(Capability::Int64Atomics);
        }
        let pointer = self.typed_pointer(f, ptr, ty)?;
        if op.is_float() {
            return Err(Error::internal("an atomic operation on a floating object for OpenCL"));
        }
        let access = AtomicAccess {
            pointer,
            scope: scope(semantics.scope) as u32,
            semantics: self::semantics(semantics),
            unequal: self::semantics(unequal),
        };
        f.atomic(self, op, &access, values, inst)
    }
}
