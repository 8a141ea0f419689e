//! Tests of the binary form: encoding and decoding are inverse, and malformed bytes are errors.

use super::*;
use crate::print::print;
use crate::read::read;
use crate::read::tests::EVERYTHING;
use crate::{KernelArgument, KernelParameter, Type};
use clforge_basic::source::Span;

/// The module of the reader's tests, with what its text does not say.
fn module() -> Module {
    let mut module = read(EVERYTHING).unwrap_or_else(|error| panic!("{error:?}"));
    let mut token = 0;
    for function in &mut module.functions {
        for inst in &mut function.insts {
            inst.span = Span { lo: token, hi: token + 3 };
            token += 2;
        }
    }
    let kernel = module.functions.iter_mut().find_map(|function| function.kernel.as_mut()).expect("a kernel");
    kernel.attributes = "reqd_work_group_size(8,1,1)".into();
    kernel.vec_type_hint = Some(Type::I32);
    let kind = KernelParameter::ByValue { size: 12, align: 4 };
    kernel.arguments.push(KernelArgument { kind, info: Default::default(), layout: None, span: Span::default() });
    module
}

#[test]
fn what_is_decoded_is_what_was_encoded() {
    let module = module();
    let bytes = encode_module(&module);
    let decoded = decode_module(&bytes).expect("its own encoding");
    assert_eq!(print(&decoded), print(&module));
    // What the text does not say is in the bytes.
    assert_eq!(encode_module(&decoded), bytes);
    for (old, new) in module.functions.iter().zip(&decoded.functions) {
        assert_eq!(format!("{:?}", new.insts), format!("{:?}", old.insts));
        assert_eq!(format!("{:?}", new.kernel), format!("{:?}", old.kernel));
        assert_eq!(format!("{:?}", new.values), format!("{:?}", old.values));
        // Values that were never defined look like constants, and are found then.
        assert!(old.interned.iter().all(|(constant, value)| new.interned.get(constant) == Some(value)));
    }
}

#[test]
fn numbers_take_as_many_bytes_as_they_need() {
    for value in [0, 1, 0x7F, 0x80, 0x3FFF, 0x4000, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
        let mut to = Writer::default();
        to.unsigned(value);
        to.signed(value as i64);
        // Seven bits a byte.
        let expected = (64 - value.leading_zeros()).div_ceil(7).max(1);
        let mut from = Reader::new(&to.bytes, Limits::default());
        assert_eq!((from.unsigned(), from.signed()), (Ok(value), Ok(value as i64)));
        assert!(from.is_at_end());
        let mut alone = Writer::default();
        alone.unsigned(value);
        assert_eq!(alone.bytes.len(), expected as usize, "{value:#x}");
    }
    // More than 64 bits, and a number without end.
    for bytes in [[0xFF; 9].iter().copied().chain([2]).collect::<Vec<u8>>(), vec![0x80; 4]] {
        assert!(Reader::new(&bytes, Limits::default()).unsigned().is_err());
    }
}

#[test]
fn damaged_bytes_are_errors_or_other_modules() {
    let bytes = encode_module(&module());
    for length in 0..bytes.len() {
        assert!(decode_module(&bytes[..length]).is_err(), "cut off at {length}");
    }
    assert!(decode_module(&[bytes.as_slice(), &[0]].concat()).is_err(), "a byte too many");
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            // Any answer but a panic; what is decoded has all indices in range.
            if let Ok(module) = decode_module(&damaged) {
                for function in &module.functions {
                    let mut operands = 0;
                    function.insts.iter().for_each(|inst| {
                        inst.op.for_each_operand(|value| operands += usize::from(function.ty(value).lanes > 0));
                    });
                }
            }
        }
    }
}

#[test]
fn what_does_not_exist_cannot_be_named() {
    let module = module();
    let limits = Limits { functions: module.functions.len(), globals: module.globals.len(), variables: 0 };
    let caller = module.functions.iter().find(|function| function.name == "values").expect("it");
    let bytes = encode_function(caller);
    assert!(decode_function(&bytes, limits).is_ok());
    assert!(decode_function(&bytes, Limits { functions: 1, ..limits }).is_err(), "a call of the second function");
    assert!(decode_function(&bytes, Limits { globals: 0, ..limits }).is_err(), "the address of the first global");
    let bytes = encode_global(&module.globals.raw[1]);
    assert!(decode_global(&bytes, limits).is_ok());
    assert!(decode_global(&bytes, Limits { globals: 0, ..limits }).is_err(), "a relocation to the first global");
}
