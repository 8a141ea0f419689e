//! Reads values from variables of words: the push constants, and the uniform buffer of arguments.

use clforge_basic::narrow::to_u32;
use clforge_ir::*;

/// Reads a value at a byte offset of a variable of words.
pub(super) fn load_bytes(b: &mut Builder<'_>, variable: VariableId, offset: u32, ty: Type) -> Value {
    let word = |b: &mut Builder<'_>, byte: u32| {
        let index = b.int(Type::I32, i64::from(byte / 4));
        b.push(Op::VariableLoad { variable, index: Some(index) }, &[Type::I32])[0]
    };
    let size = to_u32(ty.scalar.bytes());
    let lanes: Vec<Value> = (0..u32::from(ty.lanes))
        .map(|lane| {
            let at = offset + lane * size;
            let low = word(b, at);
            match size {
                8 => {
                    let high = word(b, at + 4);
                    let both = b.construct(&[low, high]);
                    b.bitcast(both, ty.lane())
                }
                4 => b.bitcast(low, ty.lane()),
                _ => {
                    let shift = b.int(Type::I32, i64::from(at % 4 * 8));
                    let shifted = b.binary(BinaryOp::LShr, low, shift);
                    let bits = b.resize(shifted, ScalarType::int(size * 8), false);
                    b.bitcast(bits, ty.lane())
                }
            }
        })
        .collect();
    b.construct(&lanes)
}
