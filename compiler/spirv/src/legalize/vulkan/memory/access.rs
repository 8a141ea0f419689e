//! Replaces loads and stores of any type and alignment by accesses that are legal for Vulkan: accesses to words of a
//! variable, or physical accesses with natural alignment (an access with less alignment is split).

use crate::address_format::Address;
use clforge_basic::narrow::{to_u8, to_u32, to_usize};
use clforge_ir::*;

/// A byte offset in a variable: `dynamic + constant`.
#[derive(Clone, Copy, Debug)]
pub struct Offset {
    pub dynamic: Option<Value>,
    pub constant: i64,
}

impl Offset {
    /// The offset as one `i32`.
    pub fn value(self, b: &mut Builder<'_>) -> Value {
        let constant = b.int(Type::I32, self.constant);
        match self.dynamic {
            Some(dynamic) if self.constant != 0 => b.binary(BinaryOp::Add, dynamic, constant),
            Some(dynamic) => dynamic,
            None => constant,
        }
    }

    /// The index of an element of so many bytes, a power of two, that begins there.
    pub fn element(self, b: &mut Builder<'_>, stride: u64) -> Value {
        let log2 = b.int(Type::I32, i64::from(stride.trailing_zeros()));
        let byte = self.value(b);
        b.binary(BinaryOp::LShr, byte, log2)
    }

    fn plus(self, bytes: u64) -> Offset {
        Offset { constant: self.constant.wrapping_add(bytes.cast_signed()), ..self }
    }
}

/// Memory that other invocations see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shared {
    /// Those of the work-group.
    Local,
    /// All of the device.
    Buffer,
}

impl Shared {
    /// Relaxed semantics of an atomic access.
    fn relaxed(self) -> Semantics {
        let local = Semantics::of_local_memory(MemoryOrder::Relaxed);
        match self {
            Shared::Local => local,
            Shared::Buffer => Semantics { scope: Scope::Device, local: false, global: true, ..local },
        }
    }
}

/// A variable of words, from which accesses of all types are assembled.
#[derive(Clone, Copy, Debug)]
pub struct Words {
    pub variable: VariableId,
    /// Which other invocations see it, if any.
    pub shared: Option<Shared>,
    /// Words of 64 bits, for memory that has atomics of 64 bits, instead of 32.
    pub wide: bool,
}

impl Words {
    /// Words of 32 bits that no other invocation accesses.
    pub fn of(variable: VariableId) -> Words {
        Words { variable, shared: None, wide: false }
    }

    /// The type of a word.
    pub fn ty(self) -> Type {
        if self.wide { Type::I64 } else { Type::I32 }
    }

    /// The bytes of a word.
    pub fn bytes(self) -> u64 {
        self.ty().scalar.bytes()
    }

    /// The word that contains an aligned piece, and the position of its first bit.
    pub fn find(self, b: &mut Builder<'_>, offset: Offset, piece: u64) -> (Value, Value) {
        let (bytes, ty) = (self.bytes(), self.ty());
        let log2 = b.int(Type::I32, i64::from(bytes.trailing_zeros()));
        let byte = offset.value(b);
        let index = b.binary(BinaryOp::LShr, byte, log2);
        if piece >= bytes {
            return (index, b.int(ty, 0));
        }
        let mask = b.int(Type::I32, bytes.cast_signed() - 1);
        let in_word = b.binary(BinaryOp::And, byte, mask);
        let three = b.int(Type::I32, 3);
        let shift = b.binary(BinaryOp::Shl, in_word, three);
        (index, b.resize(shift, ty.scalar, false))
    }

    /// The bits from `shift` on, as an integer of that many bytes.
    pub fn take(self, b: &mut Builder<'_>, word: Value, shift: Value, bytes: u64) -> Value {
        let shifted = b.binary(BinaryOp::LShr, word, shift);
        b.resize(shifted, ScalarType::int(to_u32(bytes) * 8), false)
    }

    /// The mask of all bits of a word except those of a piece, and the piece's bits at their position.
    pub fn placed(self, b: &mut Builder<'_>, bits: Value, shift: Value) -> (Value, Value) {
        let ty = self.ty();
        let width = b.ty(bits).scalar.bits();
        let wide = b.resize(bits, ty.scalar, false);
        let wide = b.binary(BinaryOp::Shl, wide, shift);
        let ones = b.int(ty, (1_i64 << width) - 1);
        let mask = b.binary(BinaryOp::Shl, ones, shift);
        (b.unary(UnaryOp::Not, mask), wide)
    }
}

/// Memory seen as bytes.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// A variable of words, at a byte offset.
    Words { words: Words, offset: Offset },
    /// A variable of elements of one type, `stride` bytes apart, at a byte offset that is a multiple of that. What is accessed
    /// is an element, or has lanes that are.
    Elements { variable: VariableId, element: Type, stride: u64, offset: Offset },
    /// Global or constant memory.
    Address(Address),
}

impl Place {
    fn plus(self, bytes: u64) -> Place {
        match self {
            Place::Words { words, offset } => Place::Words { words, offset: offset.plus(bytes) },
            Place::Elements { variable, element, stride, offset } => {
                Place::Elements { variable, element, stride, offset: offset.plus(bytes) }
            }
            Place::Address(address) => Place::Address(address.plus(bytes.cast_signed())),
        }
    }

    /// Widest access in bytes that an alignment allows.
    fn piece(self, bytes: u64, align: u64) -> u64 {
        match self {
            Place::Words { words, .. } => bytes.min(align).min(words.bytes()),
            Place::Elements { .. } | Place::Address(_) => bytes.min(align),
        }
    }
}

/// What is known of an access: its alignment and volatility, as SPIR-V's `Memory Operands` state them, and of a load whether
/// nothing writes to the memory while the kernel is executed.
#[derive(Clone, Copy, Debug)]
pub struct MemoryOperands {
    pub align: u32,
    pub volatile: bool,
    pub invariant: bool,
}

impl MemoryOperands {
    /// An access that is not volatile, to memory that may be written.
    pub fn aligned(align: u32) -> MemoryOperands {
        MemoryOperands { align, volatile: false, invariant: false }
    }

    /// The known alignment at an offset of `bytes`.
    fn at(self, bytes: u64) -> MemoryOperands {
        let align = if bytes == 0 { self.align } else { self.align.min(1 << bytes.trailing_zeros().min(30)) };
        MemoryOperands { align, ..self }
    }
}

/// Loads a value that is legal for Vulkan, and as aligned as said.
fn load_address(b: &mut Builder<'_>, address: Address, ty: Type, access: MemoryOperands) -> Value {
    let MemoryOperands { align, volatile, invariant } = access;
    let ptr = address.pointer(b);
    b.push(Op::Load { ptr, align, volatile, invariant }, &[ty])[0]
}

/// Loads a value of a type without pointers.
pub fn load(b: &mut Builder<'_>, place: Place, ty: Type, access: MemoryOperands) -> Value {
    let bytes = ty.scalar.bytes();
    if let Place::Elements { variable, element, stride, offset } = place {
        let index = offset.element(b, stride);
        return load_elements(b, variable, Some(index), element, ty);
    }
    if let Place::Address(address) = place
        && u64::from(access.align) >= bytes
    {
        return load_address(b, address, ty, access);
    }
    let mut words = WordCache::default();
    let lanes: Vec<Value> = (0..u64::from(ty.lanes))
        .map(|lane| {
            let offset = lane * bytes;
            let bits = load_bits(b, place, offset, bytes, access, &mut words);
            b.bitcast(bits, ty.lane())
        })
        .collect();
    b.construct(&lanes)
}

/// Stores a value of a type without pointers.
pub fn store(b: &mut Builder<'_>, place: Place, value: Value, access: MemoryOperands) {
    let ty = b.ty(value);
    let bytes = ty.scalar.bytes();
    if let Place::Elements { variable, element, stride, offset } = place {
        let index = offset.element(b, stride);
        return store_elements(b, variable, Some(index), element, value);
    }
    if let Place::Address(address) = place
        && u64::from(access.align) >= bytes
    {
        return address.store(b, value, access.align, access.volatile);
    }
    if let Place::Words { .. } = place
        && bytes < 4
        && access.align >= 4
        && ty.access_size().is_multiple_of(4)
    {
        return store_packed(b, place, value, access);
    }
    for lane in 0..ty.lanes {
        let scalar = b.extract(value, lane);
        let bits = b.bitcast(scalar, Type::scalar(ScalarType::int(ty.scalar.bits())));
        let offset = u64::from(lane) * bytes;
        store_bits(b, place.plus(offset), bits, bytes, access.at(offset));
    }
}

/// Lanes below 32 bits that fill whole words.
fn store_packed(b: &mut Builder<'_>, place: Place, value: Value, access: MemoryOperands) {
    let ty = b.ty(value);
    let per_word = to_u8(4 / ty.scalar.bytes());
    for word in 0..ty.lanes / per_word {
        let lanes: Vec<u8> = (word * per_word..(word + 1) * per_word).collect();
        let part = b.shuffle(value, value, &lanes);
        let bits = b.bitcast(part, Type::I32);
        let offset = u64::from(word) * 4;
        store_bits(b, place.plus(offset), bits, 4, access.at(offset));
    }
}

/// Words loaded by one access, by their byte offset from the start, so that none is loaded twice.
#[derive(Default)]
struct WordCache(Vec<(u64, Value)>);

/// The bits of a scalar at `offset` from an access's start, as an integer of its width.
fn load_bits(
    b: &mut Builder<'_>,
    place: Place,
    offset: u64,
    bytes: u64,
    access: MemoryOperands,
    words: &mut WordCache,
) -> Value {
    let here = access.at(offset);
    let piece = place.piece(bytes, u64::from(here.align));
    if matches!(place, Place::Words { .. }) && bytes < 4 && access.align >= 4 {
        // The start is a word's start, so the word and the shift in it are known.
        let word = cached_word(b, place, offset & !3, words);
        let shift = b.int(Type::I32, (offset % 4 * 8).cast_signed());
        let shifted = b.binary(BinaryOp::LShr, word, shift);
        return b.resize(shifted, ScalarType::int(to_u32(bytes) * 8), false);
    }
    if piece == bytes {
        return load_piece(b, place.plus(offset), bytes, here);
    }
    if bytes == 8 && piece == 4 {
        let low = load_piece(b, place.plus(offset), 4, here);
        let high = load_piece(b, place.plus(offset + 4), 4, here);
        let both = b.construct(&[low, high]);
        return b.bitcast(both, Type::I64);
    }
    let ty = Type::scalar(ScalarType::int(to_u32(bytes) * 8));
    let mut bits = b.int(ty, 0);
    for at in (0..bytes).step_by(to_usize(piece)) {
        let part = load_piece(b, place.plus(offset + at), piece, here);
        let part = b.resize(part, ty.scalar, false);
        let shift = b.int(ty, (at * 8).cast_signed());
        let part = b.binary(BinaryOp::Shl, part, shift);
        bits = b.binary(BinaryOp::Or, bits, part);
    }
    bits
}

fn cached_word(b: &mut Builder<'_>, place: Place, offset: u64, words: &mut WordCache) -> Value {
    if let Some((_, word)) = words.0.iter().find(|(at, _)| *at == offset) {
        return *word;
    }
    let word = load_piece(b, place.plus(offset), 4, MemoryOperands::aligned(4));
    words.0.push((offset, word));
    word
}

/// An integer of 1, 2, 4 (or, at an address, 8) bytes that is aligned to its size.
fn load_piece(b: &mut Builder<'_>, place: Place, bytes: u64, access: MemoryOperands) -> Value {
    let ty = Type::scalar(ScalarType::int(to_u32(bytes) * 8));
    match place {
        Place::Address(address) => load_address(b, address, ty, MemoryOperands { align: to_u32(bytes), ..access }),
        Place::Elements { .. } => load(b, place, ty, access),
        Place::Words { words, offset } => {
            let (index, shift) = words.find(b, offset, bytes);
            let load = Op::VariableLoad { variable: words.variable, index: Some(index) };
            let word = b.push(load, &[words.ty()])[0];
            words.take(b, word, shift, bytes)
        }
    }
}

fn store_bits(b: &mut Builder<'_>, place: Place, bits: Value, bytes: u64, access: MemoryOperands) {
    let piece = place.piece(bytes, u64::from(access.align));
    if piece == bytes {
        return store_piece(b, place, bits, bytes, access);
    }
    let ty = b.ty(bits);
    for at in (0..bytes).step_by(to_usize(piece)) {
        let shift = b.int(ty, (at * 8).cast_signed());
        let part = b.binary(BinaryOp::LShr, bits, shift);
        let part = b.resize(part, ScalarType::int(to_u32(piece) * 8), false);
        store_piece(b, place.plus(at), part, piece, access);
    }
}

fn store_piece(b: &mut Builder<'_>, place: Place, bits: Value, bytes: u64, access: MemoryOperands) {
    match place {
        Place::Address(address) => address.store(b, bits, to_u32(bytes), access.volatile),
        Place::Elements { .. } => store(b, place, bits, access),
        Place::Words { words, offset } => {
            let (index, shift) = words.find(b, offset, bytes);
            if bytes == words.bytes() {
                let store = Op::VariableStore { variable: words.variable, index: Some(index), value: bits };
                b.effect(store);
            } else {
                store_part_of_word(b, words, index, shift, bits);
            }
        }
    }
}

/// Replaces some bits of a word. Where other invocations may write the word's other bits at the same time, with atomics:
/// a plain read-modify-write loses bytes.
fn store_part_of_word(b: &mut Builder<'_>, words: Words, index: Value, shift: Value, bits: Value) {
    let (keep, placed) = words.placed(b, bits, shift);
    let (variable, index) = (words.variable, Some(index));
    let Some(shared) = words.shared else {
        let old = b.push(Op::VariableLoad { variable, index }, &[words.ty()])[0];
        let kept = b.binary(BinaryOp::And, old, keep);
        let value = b.binary(BinaryOp::Or, kept, placed);
        b.effect(Op::VariableStore { variable, index, value });
        return;
    };
    let relaxed = MemoryOrder::Relaxed;
    let semantics = shared.relaxed();
    for (op, operand) in [(AtomicOp::And, keep), (AtomicOp::Or, placed)] {
        let operands = smallvec::smallvec![operand];
        b.push(Op::VariableAtomic { op, variable, index, operands, semantics, unequal: relaxed }, &[words.ty()]);
    }
}

/// Loads from elements of a variable: one, or one for each lane.
pub fn load_elements(
    b: &mut Builder<'_>,
    variable: VariableId,
    index: Option<Value>,
    element: Type,
    memory_type: Type,
) -> Value {
    if element.lanes == memory_type.lanes {
        let value = b.push(Op::VariableLoad { variable, index }, &[element])[0];
        return b.bitcast(value, memory_type);
    }
    let mut lanes = Vec::new();
    for lane in 0..memory_type.lanes {
        let index = lane_index(b, index, lane);
        let value = b.push(Op::VariableLoad { variable, index }, &[element])[0];
        lanes.push(b.bitcast(value, memory_type.lane()));
    }
    b.construct(&lanes)
}

/// Stores to elements of a variable: one, or one for each lane.
pub fn store_elements(b: &mut Builder<'_>, variable: VariableId, index: Option<Value>, element: Type, value: Value) {
    let lanes = b.ty(value).lanes;
    if element.lanes == lanes {
        let value = b.bitcast(value, element);
        b.effect(Op::VariableStore { variable, index, value });
        return;
    }
    for lane in 0..lanes {
        let index = lane_index(b, index, lane);
        let scalar = b.extract(value, lane);
        let value = b.bitcast(scalar, element);
        b.effect(Op::VariableStore { variable, index, value });
    }
}

/// The index of a lane kept in an element of its own.
fn lane_index(b: &mut Builder<'_>, index: Option<Value>, lane: u8) -> Option<Value> {
    let index = index?;
    let lane = b.int(Type::I32, i64::from(lane));
    Some(b.binary(BinaryOp::Add, index, lane))
}
