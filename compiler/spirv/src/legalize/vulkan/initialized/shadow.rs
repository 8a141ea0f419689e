//! Keeps one bit for each byte of an object: whether the byte was written. A word has the bits of 32 bytes. The words
//! of a private object that is only accessed at constant offsets are private objects, which are promoted to values;
//! those of others are a variable.

use super::objects::{Key, Object, Objects};
use clforge_basic::narrow::{to_i64, to_u32};
use clforge_basic::source::Span;
use clforge_ir::*;

/// Bytes of an object whose bits are in one word.
const WINDOW: u64 = 32;

/// Where an object has its bits.
#[derive(Clone, Copy, Debug)]
pub enum Shadow {
    /// A private object of words.
    Words(Value),
    /// A variable of words of the work-item.
    Private(VariableId),
    /// One of the work-group.
    Shared(VariableId),
}

/// Bytes of an access whose bits are in one word.
#[derive(Clone, Copy)]
pub struct Piece {
    /// The number of the word, and of its first bit.
    word: Value,
    shift: Value,
    /// The first of these bytes in the access, and how many.
    pub first: u64,
    pub bytes: u64,
}

/// Makes the shadows of the objects that need one.
pub fn make(function: &mut Function, module: &mut Module, objects: &Objects) -> Vec<Option<Shadow>> {
    let mut shadows = Vec::new();
    for object in &objects.list {
        if !object.is_needed {
            shadows.push(None);
            continue;
        }
        let words = object.size.div_ceil(WINDOW);
        let mut variable = |storage, arguments: Vec<(u32, u32)>| {
            let size = VariableSize { fixed: words * 4, arguments, per_work_item: 0 };
            let zero_initialized = storage == Storage::Private;
            let name = format!("written_{}", module.variables.len());
            module.variables.push_and_get_key(Variable { name, storage, element: Type::I32, size, zero_initialized })
        };
        shadows.push(Some(match object.key {
            Key::Private(_) if object.is_fixed => {
                let mut b = Builder::new(function);
                Shadow::Words(b.alloca(words * 4, 4))
            }
            Key::Private(_) => Shadow::Private(variable(Storage::Private, Vec::new())),
            Key::Local(_) => {
                let argument = object.size_argument.map(|(spec_id, bytes)| (spec_id, bytes.div_ceil(8)));
                Shadow::Shared(variable(Storage::Workgroup, argument.into_iter().collect()))
            }
        }));
    }
    shadows
}

/// Sets the bits to zero that do not begin so. The work-items of a group share those of local memory, and wait.
pub fn begin(b: &mut Builder<'_>, objects: &Objects, shadows: &[Option<Shadow>]) {
    b.span = Span::default();
    let zero = b.int(Type::I32, 0);
    let mut is_shared = false;
    for (object, shadow) in objects.list.iter().zip(shadows) {
        match shadow {
            Some(Shadow::Words(words)) => {
                for word in 0..object.size.div_ceil(WINDOW) {
                    let place = b.offset(*words, to_i64(word) * 4);
                    b.store(place, zero, 4);
                }
            }
            Some(Shadow::Shared(variable)) => {
                is_shared = true;
                let count = word_count(b, object);
                clear(b, *variable, count);
            }
            _ => {}
        }
    }
    if is_shared {
        let semantics = Semantics::of_local_memory(MemoryOrder::AcquireRelease);
        b.effect(Op::Barrier { execution: Scope::WorkGroup, semantics });
    }
}

/// The words of an object's shadow.
fn word_count(b: &mut Builder<'_>, object: &Object) -> Value {
    let Some((spec_id, bytes)) = object.size_argument else {
        return b.int(Type::I32, to_i64(object.size.div_ceil(WINDOW)));
    };
    let count = b.emit(Op::SpecConstant(spec_id), Type::I32);
    let bytes = b.binary_int(BinaryOp::Mul, count, bytes.div_ceil(8).into());
    let words = b.binary_int(BinaryOp::Add, bytes, 3);
    b.binary_int(BinaryOp::LShr, words, 2)
}

/// `for (k = 0; k < count && (i = local id + k * local size) < count; k++) variable[i] = 0;` The first condition says how many
/// iterations there are at most.
fn clear(b: &mut Builder<'_>, variable: VariableId, count: Value) {
    let first = b.emit(Op::Input { input: Input::LocalInvocationIndex, dim: 0 }, Type::I32);
    let [x, y, z] = [0, 1, 2].map(|dim| b.emit(Op::Input { input: Input::WorkgroupSize, dim }, Type::I32));
    let plane = b.binary(BinaryOp::Mul, x, y);
    let items = b.binary(BinaryOp::Mul, plane, z);
    let [zero, one] = [0, 1].map(|number| b.int(Type::I32, number));
    b.count_up((zero, one), LoopHint::None, &[], |b, step| {
        break_unless_less(b, step, count);
        let passed = b.binary(BinaryOp::Mul, step, items);
        let index = b.binary(BinaryOp::Add, first, passed);
        break_unless_less(b, index, count);
        b.effect(Op::VariableStore { variable, index: Some(index), value: zero });
    });
}

fn break_unless_less(b: &mut Builder<'_>, value: Value, limit: Value) {
    let is_less = b.compare(CompareOp::ULt, value, limit);
    b.break_unless(is_less, &[]);
}

/// The pieces of an access: at a constant offset as few as there are words, else as long as the access is aligned.
pub fn pieces(
    b: &mut Builder<'_>,
    object: &Object,
    ptr: Value,
    offset: Option<u64>,
    (bytes, align): (u64, u32),
) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut first = 0;
    if let Some(offset) = offset {
        while first < bytes {
            let at = offset + first;
            let here = (WINDOW - at % WINDOW).min(bytes - first);
            let (word, shift) = (b.int(Type::I32, to_i64(at / WINDOW)), b.int(Type::I32, to_i64(at % WINDOW)));
            pieces.push(Piece { word, shift, first, bytes: here });
            first += here;
        }
        return pieces;
    }
    let start = offset_in_object(b, ptr);
    let count = word_count(b, object);
    let last = b.binary_int(BinaryOp::Sub, count, 1);
    let step = u64::from(align.max(1)).min(WINDOW);
    while first < bytes {
        let at = b.binary_int(BinaryOp::Add, start, to_i64(first));
        let word = b.binary_int(BinaryOp::LShr, at, 5);
        // An access out of range is not to change other objects.
        let is_inside = b.compare(CompareOp::ULe, word, last);
        let word = b.select(is_inside, word, last);
        let shift = b.binary_int(BinaryOp::And, at, 31);
        pieces.push(Piece { word, shift, first, bytes: step.min(bytes - first) });
        first += step;
    }
    pieces
}

/// What is added to an object's address.
fn offset_in_object(b: &mut Builder<'_>, ptr: Value) -> Value {
    let mut sum = b.int(Type::I32, 0);
    let mut at = ptr;
    while let Some(Op::PtrAdd { base, index, stride, displacement }) = b.function.op(at).cloned() {
        if let Some(index) = index {
            let index = b.resize(index, ScalarType::I32, true);
            let scaled = b.binary_int(BinaryOp::Mul, index, stride);
            sum = b.binary(BinaryOp::Add, sum, scaled);
        }
        sum = b.binary_int(BinaryOp::Add, sum, displacement);
        at = base;
    }
    sum
}

impl Shadow {
    fn load(self, b: &mut Builder<'_>, word: Value) -> Value {
        match self {
            Shadow::Words(words) => {
                let place = b.ptr_add(words, word, 4);
                b.load(Type::I32, place, 4)
            }
            Shadow::Private(variable) => b.push(Op::VariableLoad { variable, index: Some(word) }, &[Type::I32])[0],
            Shadow::Shared(_) => self.atomic(b, AtomicOp::Load, word, None),
        }
    }

    fn store(self, b: &mut Builder<'_>, word: Value, value: Value) {
        match self {
            Shadow::Words(words) => {
                let place = b.ptr_add(words, word, 4);
                b.store(place, value, 4);
            }
            Shadow::Private(variable) | Shadow::Shared(variable) => {
                b.effect(Op::VariableStore { variable, index: Some(word), value });
            }
        }
    }

    fn atomic(self, b: &mut Builder<'_>, op: AtomicOp, index: Value, operand: Option<Value>) -> Value {
        let (Shadow::Shared(variable) | Shadow::Private(variable)) = self else { return index };
        let order = MemoryOrder::Relaxed;
        let (semantics, operands) = (Semantics::of_local_memory(order), operand.into_iter().collect());
        let op = Op::VariableAtomic { op, variable, index: Some(index), operands, semantics, unequal: order };
        b.push(op, &[Type::I32])[0]
    }

    /// The bits of a piece, from the lowest on.
    pub fn read(self, b: &mut Builder<'_>, piece: Piece) -> Value {
        let word = self.load(b, piece.word);
        b.binary(BinaryOp::LShr, word, piece.shift)
    }

    /// Sets the bits of a piece: all, or those that a value has.
    pub fn write(self, b: &mut Builder<'_>, piece: Piece, bits: Option<Value>) {
        let ones = all(b, piece.bytes);
        let mask = b.binary(BinaryOp::Shl, ones, piece.shift);
        let set = bits.map_or(mask, |bits| b.binary(BinaryOp::Shl, bits, piece.shift));
        if let Shadow::Shared(_) = self {
            if bits.is_some() {
                let kept = b.unary(UnaryOp::Not, mask);
                self.atomic(b, AtomicOp::And, piece.word, Some(kept));
            }
            self.atomic(b, AtomicOp::Or, piece.word, Some(set));
            return;
        }
        let word = self.load(b, piece.word);
        let word = match bits {
            Some(_) => {
                let kept = b.unary(UnaryOp::Not, mask);
                b.binary(BinaryOp::And, word, kept)
            }
            None => word,
        };
        let word = b.binary(BinaryOp::Or, word, set);
        self.store(b, piece.word, word);
    }
}

/// So many bits.
pub fn all(b: &mut Builder<'_>, bytes: u64) -> Value {
    let mask = if bytes >= WINDOW { -1 } else { (1_i64 << to_u32(bytes)) - 1 };
    b.int(Type::I32, mask)
}
