//! Atomic instructions, barriers and fences.

use super::FunctionReader;
use crate::decode::Instruction;
use crate::error::Result;
use clforge_basic::narrow::to_u32;
use clforge_ir::{AtomicOp, CompareOp, MemoryOrder, Op as Inst, Scope, Semantics, Space, Type, Value};
use rspirv::spirv::{self, MemorySemantics, Op};
use smallvec::SmallVec;

/// Whether an instruction is read here.
pub fn is_atomic(op: Op) -> bool {
    read_modify_write(op).is_some()
        || matches!(op, Op::AtomicLoad | Op::AtomicStore | Op::AtomicIIncrement | Op::AtomicIDecrement)
        || matches!(op, Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak)
        || matches!(
            op,
            Op::AtomicFlagTestAndSet
                | Op::AtomicFlagClear
                | Op::ControlBarrier
                | Op::MemoryBarrier
                | Op::ControlBarrierArriveINTEL
                | Op::ControlBarrierWaitINTEL
        )
}

/// The operation of an instruction with a value.
fn read_modify_write(op: Op) -> Option<AtomicOp> {
    Some(match op {
        Op::AtomicExchange => AtomicOp::Exchange,
        Op::AtomicIAdd => AtomicOp::Add,
        Op::AtomicISub => AtomicOp::Sub,
        Op::AtomicSMin => AtomicOp::SMin,
        Op::AtomicUMin => AtomicOp::UMin,
        Op::AtomicSMax => AtomicOp::SMax,
        Op::AtomicUMax => AtomicOp::UMax,
        Op::AtomicAnd => AtomicOp::And,
        Op::AtomicOr => AtomicOp::Or,
        Op::AtomicXor => AtomicOp::Xor,
        Op::AtomicFAddEXT => AtomicOp::FAdd,
        Op::AtomicFMinEXT => AtomicOp::FMin,
        Op::AtomicFMaxEXT => AtomicOp::FMax,
        _ => return None,
    })
}

impl<'w> FunctionReader<'_, '_, 'w, '_> {
    /// The bits of an operand that is an integer constant, which must be a word.
    fn constant_word(&mut self, at: &Instruction<'w>, index: usize) -> Result<Option<u32>> {
        let bits = self.constant_operand(at, index)?;
        let word = |bits: u64| u32::try_from(bits).map_err(|_| at.invalid(format!("operand {index} is {bits:#x}")));
        bits.map(word).transpose()
    }

    /// A scope; the widest where it is not constant.
    pub fn scope(&mut self, at: &Instruction<'w>, index: usize) -> Result<Scope> {
        Ok(match self.constant_word(at, index)?.map(spirv::Scope::from_u32) {
            None | Some(Some(spirv::Scope::CrossDevice)) => Scope::AllDevices,
            Some(Some(spirv::Scope::Device)) => Scope::Device,
            Some(Some(spirv::Scope::Workgroup)) => Scope::WorkGroup,
            Some(Some(spirv::Scope::Subgroup)) => Scope::SubGroup,
            Some(Some(spirv::Scope::Invocation)) => Scope::WorkItem,
            Some(_) => return Err(at.unsupported("a scope that OpenCL does not have")),
        })
    }

    /// Memory semantics; the strongest where they are not constant.
    fn semantics(&mut self, at: &Instruction<'w>, index: usize, scope: Scope) -> Result<Semantics> {
        use MemorySemantics as S;
        let mask = self.constant_word(at, index)?.map(S::from_bits_truncate);
        let all = S::SEQUENTIALLY_CONSISTENT | S::WORKGROUP_MEMORY | S::CROSS_WORKGROUP_MEMORY | S::IMAGE_MEMORY;
        let mask = mask.unwrap_or(all);
        let order = if mask.contains(S::SEQUENTIALLY_CONSISTENT) {
            MemoryOrder::SequentiallyConsistent
        } else if mask.contains(S::ACQUIRE_RELEASE) || mask.contains(S::ACQUIRE | S::RELEASE) {
            MemoryOrder::AcquireRelease
        } else if mask.contains(S::ACQUIRE) {
            MemoryOrder::Acquire
        } else if mask.contains(S::RELEASE) {
            MemoryOrder::Release
        } else {
            MemoryOrder::Relaxed
        };
        Ok(Semantics {
            order,
            scope,
            local: mask.contains(S::WORKGROUP_MEMORY),
            global: mask.contains(S::CROSS_WORKGROUP_MEMORY),
            image: mask.contains(S::IMAGE_MEMORY),
        })
    }

    /// The semantics of an access through a pointer: memory of its space is ordered with itself.
    fn access_semantics(&mut self, at: &Instruction<'w>, ptr: Value, semantics: usize) -> Result<Semantics> {
        let scope = self.scope(at, 1)?;
        let mut semantics = self.semantics(at, semantics, scope)?;
        let space = self.b.ty(ptr).space();
        semantics.local |= matches!(space, Some(Space::Local | Space::Generic));
        semantics.global |= space != Some(Space::Local);
        Ok(semantics)
    }

    /// An instruction of this file.
    pub fn atomic(&mut self, at: &Instruction<'w>) -> Result<()> {
        match at.op {
            Op::ControlBarrier | Op::MemoryBarrier | Op::ControlBarrierArriveINTEL | Op::ControlBarrierWaitINTEL => {
                return self.barrier(at);
            }
            Op::AtomicFlagTestAndSet | Op::AtomicFlagClear => return self.flag(at),
            _ => {}
        }
        let ptr = self.pointer(at, 0)?;
        let semantics = self.access_semantics(at, ptr, 2)?;
        if at.op == Op::AtomicStore {
            let value = self.operand(at, 3)?;
            self.check_atomic(at, AtomicOp::Store, self.b.ty(value))?;
            self.push_atomic(AtomicOp::Store, ptr, &[value], semantics, MemoryOrder::Relaxed, None);
            return Ok(());
        }
        let ty = self.m.tables.types.value(at, at.ty)?;
        let mut unequal = MemoryOrder::Relaxed;
        let mut operands: SmallVec<[Value; 2]> = SmallVec::new();
        let op = match at.op {
            Op::AtomicLoad => AtomicOp::Load,
            Op::AtomicCompareExchange | Op::AtomicCompareExchangeWeak => {
                unequal = self.access_semantics(at, ptr, 3)?.order;
                operands.push(self.operand_of(at, 5, ty)?);
                operands.push(self.operand_of(at, 4, ty)?);
                AtomicOp::CompareExchange
            }
            Op::AtomicIIncrement | Op::AtomicIDecrement => {
                self.check_atomic(at, AtomicOp::Add, ty)?;
                operands.push(self.b.int(ty, 1));
                if at.op == Op::AtomicIIncrement { AtomicOp::Add } else { AtomicOp::Sub }
            }
            op => {
                operands.push(self.operand_of(at, 3, ty)?);
                read_modify_write(op).ok_or_else(|| at.invalid("no atomic instruction"))?
            }
        };
        self.check_atomic(at, op, ty)?;
        match self.push_atomic(op, ptr, &operands, semantics, unequal, Some(ty)) {
            Some(value) => self.define_value(at, value),
            None => Err(at.invalid("an atomic instruction without a value")),
        }
    }

    /// That an atomic operation has objects of a type.
    fn check_atomic(&self, at: &Instruction<'w>, op: AtomicOp, ty: Type) -> Result<()> {
        let good = match op {
            AtomicOp::Load | AtomicOp::Store | AtomicOp::Exchange => ty.scalar.is_int() || ty.scalar.is_float(),
            AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax => ty.scalar.is_float(),
            _ => ty.scalar.is_int(),
        };
        if good && !ty.is_vector() && ty.scalar.bits() >= 16 {
            return Ok(());
        }
        Err(at.unsupported(format!("{:?} of an object of type {ty} is not supported", at.op)))
    }

    /// Appends an atomic operation; on private memory, which no other work-item can access, a plain load and store.
    pub fn push_atomic(
        &mut self,
        op: AtomicOp,
        ptr: Value,
        operands: &[Value],
        semantics: Semantics,
        unequal: MemoryOrder,
        ty: Option<Type>,
    ) -> Option<Value> {
        if self.b.ty(ptr).space() == Some(Space::Private) {
            let object = ty.or_else(|| operands.first().map(|value| self.b.ty(*value)))?;
            let align = to_u32(object.access_size());
            let old = self.b.load(object, ptr, align);
            if let Some(new) = self.b.updated(op, operands, old) {
                self.b.store(ptr, new, align);
            }
            return ty.map(|_| old);
        }
        let types: SmallVec<[Type; 1]> = ty.into_iter().collect();
        let operands = SmallVec::from_slice(operands);
        self.b.push(Inst::Atomic { op, ptr, operands, semantics, unequal }, &types).first().copied()
    }

    /// A flag is an integer of 32 bits.
    fn flag(&mut self, at: &Instruction<'w>) -> Result<()> {
        let ptr = self.pointer(at, 0)?;
        let semantics = self.access_semantics(at, ptr, 2)?;
        let set = at.op == Op::AtomicFlagTestAndSet;
        let value = self.b.int(Type::I32, i64::from(set));
        let (op, ty) = if set { (AtomicOp::Exchange, Some(Type::I32)) } else { (AtomicOp::Store, None) };
        let old = self.push_atomic(op, ptr, &[value], semantics, MemoryOrder::Relaxed, ty);
        let Some(old) = old.filter(|_| set) else { return Ok(()) };
        let was_set = self.b.compare_int(CompareOp::Ne, old, 0);
        self.define_value(at, was_set)
    }

    fn barrier(&mut self, at: &Instruction<'w>) -> Result<()> {
        if at.op == Op::MemoryBarrier {
            let scope = self.scope(at, 0)?;
            let semantics = self.semantics(at, 1, scope)?;
            // A relaxed fence does nothing.
            if semantics.order != MemoryOrder::Relaxed {
                self.b.effect(Inst::Fence(semantics));
            }
            return Ok(());
        }
        let (execution, scope) = (self.scope(at, 0)?, self.scope(at, 1)?);
        let mut semantics = self.semantics(at, 2, scope)?;
        if !matches!(execution, Scope::SubGroup | Scope::WorkGroup) {
            return Err(at.unsupported("a barrier of neither a work-group nor a sub-group"));
        }
        // Work-items meet where they wait (`SPV_INTEL_split_barrier`); what was before they arrived is seen from there on.
        if at.op == Op::ControlBarrierArriveINTEL {
            if semantics.order != MemoryOrder::Relaxed {
                semantics.order = MemoryOrder::Release;
                semantics.scope = semantics.scope.max(execution);
                self.b.effect(Inst::Fence(semantics));
            }
            return Ok(());
        }
        // No target has a barrier without memory: the cheapest one is used.
        if semantics.order == MemoryOrder::Relaxed || at.op == Op::ControlBarrierWaitINTEL {
            semantics.order = MemoryOrder::AcquireRelease;
        }
        semantics.local |= !semantics.global && !semantics.image;
        semantics.scope = semantics.scope.max(execution);
        self.b.effect(Inst::Barrier { execution, semantics });
        Ok(())
    }
}
