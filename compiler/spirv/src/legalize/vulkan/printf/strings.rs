//! Arguments of `printf` that are strings known only at run time. Their bytes are stored after the words of the record.

use clforge_basic::narrow::to_i64;
use clforge_basic::printf::{COPIED_STRING, NULL_STRING};
use clforge_ir::*;
use smallvec::smallvec;

/// A string to copy.
pub struct CopiedString {
    /// Its word of the record.
    pub word: Value,
    ptr: Value,
    /// Bytes, without the terminator.
    length: Value,
}

/// Finds the end of a string, at most as far as the size of the buffer, which has room for `capacity` words: a longer one does
/// not fit anyway.
pub fn measure(b: &mut Builder<'_>, ptr: Value, capacity: u32) -> CopiedString {
    let ty = b.ty(ptr);
    let (null, zero) = (b.int(ty, 0), b.int(Type::I32, 0));
    let exists = b.compare(CompareOp::Ne, ptr, null);
    let measured = b.nested(|b| {
        let limit = b.int(Type::I32, i64::from(capacity) * 4 + 1);
        let length = count_while(b, &mut |b, index| {
            let byte = load_byte(b, ptr, index);
            let end = b.int(Type::I8, 0);
            let goes_on = b.compare(CompareOp::Ne, byte, end);
            let is_within = b.compare(CompareOp::ULt, index, limit);
            b.binary(BinaryOp::And, goes_on, is_within)
        });
        b.effect(Op::Yield(smallvec![length]));
    });
    let nothing = b.nested(|b| b.effect(Op::Yield(smallvec![zero])));
    let length = b.push(Op::If { condition: exists, then: measured, otherwise: nothing }, &[Type::I32])[0];
    let (mark, none) =
        (b.int(Type::I32, i64::from(COPIED_STRING.cast_signed())), b.int(Type::I32, i64::from(NULL_STRING)));
    let marked = b.binary(BinaryOp::Or, length, mark);
    CopiedString { word: b.select(exists, marked, none), ptr, length }
}

/// Words of a record: `fixed` ones and those of the strings; for all that does not fit one more than `capacity`.
pub fn total_words(b: &mut Builder<'_>, fixed: u32, strings: &[CopiedString], capacity: u32) -> Value {
    let mut total = b.int(Type::I32, i64::from(fixed));
    for string in strings {
        let words = words_of(b, string);
        let sum = b.binary(BinaryOp::Add, total, words);
        let too_many = b.int(Type::I32, i64::from(capacity) + 1);
        let fits = b.compare(CompareOp::ULt, sum, too_many);
        total = b.select(fits, sum, too_many);
    }
    total
}

/// Copies the strings behind the `fixed` words of the record that begins at `start`.
pub fn write(b: &mut Builder<'_>, buffer: Value, start: Value, fixed: usize, strings: &[CopiedString]) {
    let mut to = b.ptr_add(buffer, start, 4);
    to = b.offset(to, to_i64(fixed) * 4 + 4);
    for string in strings {
        let zero = b.int(Type::I32, 0);
        let is_empty = b.compare(CompareOp::Eq, string.length, zero);
        let nothing = b.nested(|b| b.effect(Op::Yield(smallvec![])));
        let copy = b.nested(|b| {
            count_while(b, &mut |b, index| {
                let byte = load_byte(b, string.ptr, index);
                let at = b.ptr_add(to, index, 1);
                b.store(at, byte, 1);
                let one = b.int(Type::I32, 1);
                let next = b.binary(BinaryOp::Add, index, one);
                b.compare(CompareOp::ULt, next, string.length)
            });
            b.effect(Op::Yield(smallvec![]));
        });
        b.effect(Op::If { condition: is_empty, then: nothing, otherwise: copy });
        let words = words_of(b, string);
        to = b.ptr_add(to, words, 4);
    }
}

fn words_of(b: &mut Builder<'_>, string: &CopiedString) -> Value {
    let (three, two) = (b.int(Type::I32, 3), b.int(Type::I32, 2));
    let up = b.binary(BinaryOp::Add, string.length, three);
    b.binary(BinaryOp::LShr, up, two)
}

fn load_byte(b: &mut Builder<'_>, ptr: Value, index: Value) -> Value {
    let at = b.ptr_add(ptr, index, 1);
    b.load(Type::I8, at, 1)
}

/// A loop that counts up from 0 until `again` is false; returns the number for which it was.
fn count_while<'f>(b: &mut Builder<'f>, again: &mut dyn FnMut(&mut Builder<'f>, Value) -> Value) -> Value {
    let body = b.function.new_region();
    let index = b.function.add_region_param(body, Type::I32);
    b.enter(body);
    let goes_on = again(b, index);
    b.effect(Op::Continue(smallvec![index, goes_on]));
    b.leave();
    let continuing = b.function.new_region();
    let index = b.function.add_region_param(continuing, Type::I32);
    let goes_on = b.function.add_region_param(continuing, Type::BOOL);
    b.enter(continuing);
    let one = b.int(Type::I32, 1);
    let next = b.binary(BinaryOp::Add, index, one);
    b.effect(Op::NextIf { condition: goes_on, next: smallvec![next], results: smallvec![index] });
    b.leave();
    let zero = b.int(Type::I32, 0);
    b.push(Op::Loop { inits: smallvec![zero], body, continuing, hint: LoopHint::None }, &[Type::I32])[0]
}
