//! The text that is read is printed unchanged; a syntax error has its line.

use super::*;
use crate::print::print;

/// Every operation, type and attribute there is. A test demands each row of the table of operations.
pub const EVERYTHING: &str = r#"global @g0 "table" constant size 4 align 4 exported init "00ff10a0"
global @g1 "pointers" constant size 16 align 8 init "00000000000000000000000000000000" reloc 0 @g0 2 reloc 8 @g1 -8
global @g2 "scratch" local size 0 align 4 size_argument 4 16
global @g3 "for_each" local size 0 align 8 per_work_item 8
variable @v0 "push" push_constant i32 bytes 64
variable @v1 "args" uniform 0 1 i32 bytes 0
variable @v2 "shared" workgroup f32 bytes 16 + 4 * spec 5 + 8 * spec 6 per_work_item 4
variable @v3 "mine" function i32x4 bytes 64
variable @v4 "own" private i8 bytes 64
func @declared(%0: i32x16) -> f64;
func @helper(%0: i32, %1: f32x3) -> i32 noinline {
  return %0
}
func @values(%0: i32, %1: f32, %2: i32x4, %3: bool) -> i32x4 inline exported {
  %4: i32 = neg %0
  %5: i32 = add %0, i32 -5
  %6: bool = slt %5, i32 2147483647
  %7: i32 = select %6, %4, undef i32
  %8: i64 = sext %7
  %9: i32 = extract %2 3
  %10: i32x4 = insert %2, %9 1
  %11: i32 = extract_dynamic %10, %0
  %12: i32x4 = insert_dynamic %10, %11, i32 2
  %13: i32x4 = construct %0, i32 1, undef i32, %11
  %14: i32x2 = shuffle %12, %13 [0, 255]
  %15: f32 = fadd %1, f32 0x3f800000
  %16: f32 = intrinsic "sin" %15
  %17: i32x4 = and %13, i32x4 [1, -1, 0, 7]
  %18: bool = and %3, bool 1
  %20: i64 = work_item global_id 2
  %21: ptr.constant = address @g0
  %22: ptr.constant = ptr_add %21 [%20 * 4 + -8]
  %23: ptr.constant = ptr_add %22 [16]
  %24: i8 = load align 1 %23
  %25: i32 = call @helper(%0, f32x3 [0x0, 0x7fc00000, 0x80000000])
  call @nothing()
  check signed_sum %3, %4, i32 5
  return %17
}
func @nothing() {
  %0: ptr.private = alloca size 16 align 8
  store align 4 %0, i32 1
  %1: i32 = load volatile align 4 %0
  store volatile align 4 %0, %1
  %2: ptr.global = int_to_ptr i64 16
  %3: i32 = atomic add acquire_release device global acquire %2, %1
  %4: i32 = atomic load relaxed work_group local image relaxed %2
  %5: i32 = atomic compare_exchange sequentially_consistent all_devices local global relaxed %2, i32 1, i32 2
  barrier work_group acquire_release work_group local global
  fence release sub_group image
  %6: bool = eq %2, ptr.global 0
  %7: ptr.generic = ptr_cast %2
  %8: ptr.local = ptr_cast_checked %7
  %9: bool = group work_group uniform all (%6)
  %10: bool = group sub_group elect ()
  %11: i32 = group sub_group arithmetic smin exclusive (%3)
  %12: i32x4 = group sub_group ballot (%9)
  %13: i32 = group sub_group ballot_bit_count inclusive (%12)
  %14: i64 = read_clock device
  %15: ptr32.local = int_to_ptr %3
  %16: ptr32.generic = ptr_cast %15
  %17: i32 = ptr_to_int %16
  store align 4 %0, %16
  return
}
kernel @legal() exported args (value i32x3, pointer global, local 4 align 16, by_value 12 align 4, opaque image.D2.ReadOnly) work_group_size (8, 4, 1) {
  %0: i32 = variable_load @v0[i32 3]
  %1: f32 = variable_load @v2[%0]
  variable_store @v2[%0], %1
  variable_store @v4, i8 -1
  %2: i32 = variable_atomic umax relaxed work_group relaxed @v3[%0], %0
  %3: i32 = variable_atomic load relaxed work_group local relaxed @v3
  %4: i32 = input workgroup_size 1
  %5: i32 = spec_constant 3
  %6: i32 = buffer_length @v2
  return
}
func @images(%0: image.D2.ReadOnly, %1: image.D3.ReadWrite, %2: f32x2, %3: i32x4) {
  %4: sampler = sampler 20
  %5: f32x4 = image sample f32 %0, %4, %2
  %6: f32x4 = image sample_grad f32 %0, %4, %2, %2, %2
  %7: i32x4 = image read signed %1, %3
  image write unsigned %1, %3, %7
  %8: i32x3 = image size none %1
  %9: image.D1Buffer.WriteOnly = resource 0 3
  %10: i32 = image channel_order none %9
  %11: i64 = handle_index %4
  return
}
func @control(%0: i32, %1: sampler, %2: pipe.4.8.write) -> i32 {
  %3: bool = ne %0, i32 0
  %4: i32, %5: f32 = if %3 {
    yield i32 1, f32 0x0
  } else {
    return i32 5
  }
  if %3 {
    yield
  } else {
    yield
  }
  %6: i32 = switch %0 (%4, %5) case 1 18446744073709551615 (%7: i32, %8: f32) {
    fallthrough i32 3, %8
  } case 7 default (%9: i32, %10: f32) {
    break %9
  }
  %11: i32 = loop (%6, i32 0) unroll_by 4 (%12: i32, %13: i32) {
    if %3 {
      continue %12
    } else {
      break %13
    }
    unreachable
  } continuing (%14: i32) {
    next_if %3 (%14, i32 1) (%14)
  }
  loop () dont_unroll {
    loop () unroll {
      break
    } continuing {
      next
    }
    break
  } continuing {
    next
  }
  return %11
}
kernel @block(%0: ptr.generic, %1: ptr.local) args () block reference 16 image.D2.ReadOnly reference 24 ptr.global {
  return
}
func @devices(%0: i32, %1: i64x3, %2: ptr.generic, %3: ptr.private) {
  %4: queue = device default_queue ()
  %5: i32 = device enqueue_marker (%4, %0, %2, %2)
  %6: i32 = enqueue kernel @block size 16 align 8 (%4, %0, %1, %0, %2, %2, %2, %3)
  return
}
func @matrices(%0: ptr.global, %1: i64, %2: f16, %3: i32) {
  %4: matrix.f16.16.8.A = matrix load column_major (%0, %1)
  %5: matrix.f16.8.4.B = matrix fill (%2)
  %6: matrix.f32.16.4.Accumulator = matrix_variable_load row_major @v2, %3, %3
  %7: matrix.f32.16.4.Accumulator = matrix multiply_add signed unsigned signed saturates (%4, %5, %6)
  %8: i32 = matrix length (%7)
  %9: matrix.f16.16.4.Accumulator = matrix convert ftrunc (%7)
  %10: f16 = matrix extract (%9, %3)
  %11: matrix.f16.16.4.Accumulator = matrix insert (%9, %3, %10)
  %12: matrix.f16.16.4.Accumulator = matrix binary fadd (%9, %11)
  %13: matrix.f16.16.4.Accumulator = matrix unary fneg (%12)
  matrix store row_major (%0, %1, %13)
  matrix_variable_store row_major @v2, %3, %3, %7
  return
}
"#;

#[test]
fn every_operation_reads_and_prints_the_same() {
    let module = read(EVERYTHING).unwrap_or_else(|message| panic!("{message}"));
    for (line, (printed, expected)) in print(&module).lines().zip(EVERYTHING.lines()).enumerate() {
        assert_eq!(printed, expected, "line {}", line + 1);
    }
    assert_eq!(print(&module).len(), EVERYTHING.len());
}

#[test]
fn every_operation_is_in_the_text() {
    let module = read(EVERYTHING).unwrap_or_else(|message| panic!("{message}"));
    let insts = module.functions.iter().flat_map(|function| &function.insts);
    let there: Vec<&str> = insts.map(|inst| inst.op.row()).collect();
    let missing: Vec<&&str> = Op::ROWS.iter().filter(|row| !there.contains(row)).collect();
    assert!(missing.is_empty(), "no line of EVERYTHING has {missing:?}");
}

#[test]
fn operations_are_not_confused() {
    let module = read(EVERYTHING).unwrap_or_else(|message| panic!("{message}"));
    let function = &module.functions.raw[2];
    let Some(Op::PtrAdd { base, index, stride, displacement }) = function.op(Value::new(22)) else { panic!("ptr_add") };
    assert_eq!((*base, *index, *stride, *displacement), (Value::new(21), Some(Value::new(20)), 4, -8));
    assert!(matches!(function.op(Value::new(25)), Some(Op::Call { function, .. }) if *function == FunctionId::new(1)));
    assert_eq!(
        function.op(Value::new(14)),
        Some(&Op::Shuffle { first: Value::new(12), second: Value::new(13), lanes: Lanes::from_slice(&[0, u8::MAX]) })
    );
    assert_eq!(module.globals.raw[1].relocations[1], Relocation { offset: 8, target: GlobalId::new(1), addend: -8 });
    assert_eq!(module.globals.raw[0].init.as_deref(), Some([0, 255, 16, 160].as_slice()));
}

#[test]
fn mistakes_are_told_with_their_line() {
    let function = |body: &str| format!("func @f(%0: i32) {{\n{body}\n}}\n");
    let cases = [
        (function("  %1: i32 = frob %0"), "line 2: no operation 'frob'"),
        (function("  %1: i32 = add %0"), "line 2: expected ',', found Mark(\"}\")"),
        (function("  %1: i32 = neg %9"), "line 2: %9 is not defined before"),
        (function("  %0: i32 = neg %0"), "line 2: %0 is defined twice"),
        (function("  %1: i33 = neg %0"), "line 2: 'i33' is not a type"),
        (function("  %1: i32x4 = neg i32x4 [1, 2]"), "line 2: 2 lanes for i32x4"),
        (function("  call @g()"), "line 2: no function '@g'"),
        ("func @f() {\n  return\n".into(), "line 2: expected '}', found End"),
        ("what".into(), "line 1: expected 'global', 'variable', 'func' or 'kernel', found Word(\"what\")"),
        ("\n  ?".into(), "line 2: cannot read '?'"),
    ];
    for (text, expected) in cases {
        assert_eq!(read(&text).map(drop).map_err(|error| error.to_string()), Err(expected.to_owned()), "{text}");
    }
}
