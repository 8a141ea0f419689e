//! Atomic accesses for which there is no instruction: floating-point arithmetic on devices without it, and objects of
//! 16 bits. They become compare-and-swap (CAS) loops on the integer in memory that contains the object.

use clforge_ir::*;
use smallvec::SmallVec;

/// The integer in memory that holds an object, and where in it the object is.
struct AtomicWord {
    ptr: Value,
    ty: Type,
    /// For an object of 16 bits, the bit of the word that it begins at.
    shift: Option<Value>,
}

/// The pointer to the word that contains an address.
fn aligned_pointer(b: &mut Builder<'_>, address: Value, pointer: Type) -> Value {
    let mask = b.int(Type::I64, !3);
    let aligned = b.binary(BinaryOp::And, address, mask);
    b.convert(ConvertOp::IntToPtr, aligned, pointer)
}

impl AtomicWord {
    fn of(b: &mut Builder<'_>, ptr: Value, object: Type) -> AtomicWord {
        let bits = object.scalar.bits();
        if bits >= 32 {
            return AtomicWord { ptr, ty: Type::scalar(ScalarType::int(bits)), shift: None };
        }
        let pointer = b.ty(ptr);
        let address = b.convert(ConvertOp::PtrToInt, ptr, Type::I64);
        let is_narrow = pointer.bits() == 32;
        let aligned = if is_narrow { ptr } else { aligned_pointer(b, address, pointer) };
        let low = b.resize(address, ScalarType::I32, false);
        let two = b.int(Type::I32, 2);
        let half = b.binary(BinaryOp::And, low, two);
        // A pointer of 32 bits that is made of an integer may not reach all of its buffer.
        let ptr = if is_narrow { b.ptr_add(aligned, half, -1) } else { aligned };
        let three = b.int(Type::I32, 3);
        AtomicWord { ptr, ty: Type::I32, shift: Some(b.binary(BinaryOp::Shl, half, three)) }
    }

    fn read(&self, b: &mut Builder<'_>, word: Value, object: Type) -> Value {
        let Some(shift) = self.shift else { return b.bitcast(word, object) };
        let shifted = b.binary(BinaryOp::LShr, word, shift);
        let bits = b.resize(shifted, ScalarType::I16, false);
        b.bitcast(bits, object)
    }

    fn replace(&self, b: &mut Builder<'_>, word: Value, value: Value) -> Value {
        let bits = b.to_bits(value);
        let Some(shift) = self.shift else { return bits };
        let wide = b.resize(bits, ScalarType::I32, false);
        let placed = b.binary(BinaryOp::Shl, wide, shift);
        let ones = b.int(Type::I32, 0xffff);
        let mask = b.binary(BinaryOp::Shl, ones, shift);
        let keep = b.unary(UnaryOp::Not, mask);
        let kept = b.binary(BinaryOp::And, word, keep);
        b.binary(BinaryOp::Or, kept, placed)
    }

    fn load(&self, b: &mut Builder<'_>, semantics: Semantics) -> Value {
        let (op, unequal) = (AtomicOp::Load, MemoryOrder::Relaxed);
        let load = Op::Atomic { op, ptr: self.ptr, operands: SmallVec::new(), semantics, unequal };
        b.push(load, &[self.ty])[0]
    }
}

/// Whether an object is too narrow for atomic operations.
pub fn is_narrow(object: Type) -> bool {
    object.scalar.bits() < 32
}

/// The type of the object of an atomic access.
pub fn object(function: &Function, inst: &Inst) -> Option<Type> {
    let Op::Atomic { operands, .. } = &inst.op else { return None };
    inst.results.first().or(operands.first()).map(|value| function.ty(*value))
}

/// Appends an access to an object as accesses to the integer that contains it; returns the old value.
pub fn by_compare_exchange(
    b: &mut Builder<'_>,
    (op, ptr, operands): (AtomicOp, Value, &[Value]),
    semantics: Semantics,
    object: Type,
) -> Value {
    let container = AtomicWord::of(b, ptr, object);
    if op == AtomicOp::Load {
        let word = container.load(b, semantics);
        return container.read(b, word, object);
    }
    let first = container.load(b, Semantics { order: MemoryOrder::Relaxed, ..semantics });
    let word = b.cas_loop(first, &mut |b, word| {
        let old = container.read(b, word, object);
        let new = b.updated(op, operands, old).unwrap_or(old);
        let wanted = container.replace(b, word, new);
        let (op, unequal) = (AtomicOp::CompareExchange, MemoryOrder::Relaxed);
        let operands = SmallVec::from_slice(&[word, wanted]);
        b.push(Op::Atomic { op, ptr: container.ptr, operands, semantics, unequal }, &[container.ty])[0]
    });
    container.read(b, word, object)
}
