//! Folding must not change what a program computes: random programs are written twice, folded and as they are, and the
//! interpreter of the IR runs both. That folds happen at all is tested by the files of `simplify`.

use crate::interpret::Machine;
use crate::twins::{Pair, first_difference, outcome, program};
use crate::*;

#[test]
fn folded_programs_compute_the_same() {
    for seed in 1..=400 {
        let (module, values) = program(seed);
        let text = || print::print(&module);
        verify::verify(&module, verify::Dialect::Core)
            .unwrap_or_else(|message| panic!("seed {seed}: {message}\n{}", text()));
        let (a, b) = (outcome(&module, "plain", values.len()), outcome(&module, "folded", values.len()));
        if let Some(index) = first_difference(&values, &a, &b) {
            let Pair { plain, folded, .. } = values[index];
            panic!("seed {seed}, value {index}: %{plain} is not %{folded}\n{}", text());
        }
    }
}

/// `f(ptr, i64, i32)` returns a pointer.
fn address(fold: impl Fn(&mut Builder<'_>, [Value; 3]) -> Value) -> (Function, Value) {
    let mut function = Function::new("f");
    function.result = Some(Type::ptr(Space::Global));
    let params = [Type::ptr(Space::Global), Type::I64, Type::I32].map(|ty| function.add_param(ty));
    let mut b = Builder::new(&mut function);
    let value = fold(&mut b, params);
    b.effect(Op::Return(Some(value)));
    (function, value)
}

#[test]
fn constants_move_into_pointer_arithmetic() {
    // base + (sext(i) * 4 + 3) * 8 + 5 is base + i * 32 + 29.
    let (function, value) = address(|b, [base, _, i]| {
        let wide = b.convert(ConvertOp::SExt, i, Type::I64);
        let four = b.int(Type::I64, 4);
        let three = b.int(Type::I64, 3);
        let scaled = b.binary(BinaryOp::Mul, wide, four);
        let index = b.binary(BinaryOp::Add, scaled, three);
        let ptr = b.ptr_add(base, index, 8);
        b.offset(ptr, 5)
    });
    let Some(Op::PtrAdd { base, index, stride, displacement }) = function.op(value) else { panic!("not ptr_add") };
    assert_eq!((*base, *index, *stride, *displacement), (function.params[0], Some(function.params[2]), 32, 29));
}

#[test]
fn a_32_bit_index_keeps_its_wrapping() {
    // i + 1 in 32 bits may wrap, so the 1 may not become part of the displacement.
    let (function, value) = address(|b, [base, _, i]| {
        let one = b.int(Type::I32, 1);
        let index = b.binary(BinaryOp::Add, i, one);
        b.ptr_add(base, index, 8)
    });
    let mut machine_module = Module::default();
    machine_module.functions.push(function.clone());
    let result = Machine::new(&machine_module).run("f", &[1 << 40, 0, 0x7FFF_FFFF]);
    assert_eq!(result, Some(vec![(1 << 40) - (1 << 31) * 8]));
    assert!(matches!(function.op(value), Some(Op::PtrAdd { displacement: 0, .. })));
}
