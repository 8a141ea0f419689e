//! Loops over private arrays compute the same before and after, and their arrays become values.

use super::*;
use crate::interpret::Machine;
use crate::passes::testing::run;
use crate::passes::{DeadCode, Mem2Reg, Simplify};
use crate::read::read;
use crate::verify::{Dialect, verify};
use fastrand::Rng;

/// Elements of the array.
const ELEMENTS: i64 = 32;

/// The parts of a loop over an array of 32 words.
struct Loop {
    trips: i64,
    first: i64,
    step: i64,
    /// The index of the element that is written, and of one that is read, as instructions of `%5`, the counter, whose
    /// result is the name that follows.
    write: String,
    read: String,
    /// The bytes of a constant, in hexadecimal digits, that some indices are loaded from.
    table: String,
    /// Where the loop does something else from an iteration on.
    divided_at: Option<i64>,
    /// Iterations of a loop in it, which accesses the array too.
    inner: Option<i64>,
    /// Whether the inner loop begins with what depends on the counter.
    triangular: bool,
    /// Whether it is left in the middle, too.
    breaks: bool,
    /// Whether some iterations are left out.
    continues: bool,
    /// Whether something is done before the test.
    late_test: bool,
}

/// An index in the array that depends on the counter `%5`.
fn index(random: &mut Rng, name: u32) -> String {
    let (a, b) = (random.i64(0..5), random.i64(0..40));
    let mask = [1, 3, 7, 15, 31][random.usize(..5)];
    let value = name + 4;
    match random.u8(..5) {
        4 => format!(
            "    %{value}: i32 = and %5, i32 {mask}
    %{0}: ptr.constant = ptr_add %4[%{value} * 1 + 0]
    %{1}: i8 = load align 1 %{0}
    %{name}: i32 = zext %{1}
",
            name + 5,
            name + 6
        ),
        0 => format!("    %{value}: i32 = add %5, i32 {b}\n    %{name}: i32 = and %{value}, i32 {mask}\n"),
        1 => format!(
            "    %{}: i32 = mul %5, i32 {a}\n    %{value}: i32 = add %{}, i32 {b}\n    %{name}: i32 = and %{value}, i32 {mask}\n",
            name + 5,
            name + 5
        ),
        2 => format!("    %{value}: i32 = and %5, i32 63\n    %{name}: i32 = urem %{value}, i32 {}\n", 1 + b % 13),
        _ => format!("    %{name}: i32 = and %5, i32 31\n"),
    }
}

fn random_loop(random: &mut Rng) -> Loop {
    let chance = |random: &mut Rng, one_of: u8| random.u8(..one_of) == 0;
    let trips = [0, 1, 3, 8, 16, 30, 48, 64, 80][random.usize(..9)];
    Loop {
        trips,
        first: random.i64(0..100),
        step: [1, 1, -1, 2, 5][random.usize(..5)],
        table: (0..32).map(|_| format!("{:02x}", random.u8(..32))).collect(),
        write: index(random, 100),
        read: index(random, 110),
        divided_at: chance(random, 2).then(|| [0, 7, 16, 20, 32][random.usize(..5)]),
        inner: chance(random, 3).then(|| random.i64(0..9)),
        triangular: chance(random, 2),
        breaks: chance(random, 8),
        continues: chance(random, 8),
        late_test: chance(random, 4),
    }
}

/// `f(object, a, b)`: fills an array, runs the loop, and returns a value that depends on all that it has done.
fn program(l: &Loop) -> String {
    let end = l.first + l.trips * l.step;
    let late = if l.late_test { "    %20: i32 = mul %6, i32 5\n" } else { "    %20: i32 = add %6, i32 0\n" };
    let divided = match l.divided_at {
        None => "    %30: i32 = add %20, i32 9\n".to_owned(),
        Some(at) => format!(
            "    %31: bool = slt %5, i32 {}
    %30: i32 = if %31 {{
      %32: i32 = xor %20, %1
      yield %32
    }} else {{
      %33: i32 = add %20, %2
      yield %33
    }}
",
            l.first + at * l.step
        ),
    };
    let inner = match l.inner {
        None => "    %40: i32 = add %30, i32 1\n".to_owned(),
        Some(trips) => format!(
            "    %39: i32 = and %5, i32 {}
    %40: i32 = loop (%39, %30) (%41: i32, %42: i32) {{
      %43: bool = ult %41, i32 {trips}
      if %43 {{
        yield
      }} else {{
        break %42
      }}
      %44: ptr.private = ptr_add %3[%41 * 4 + 8]
      %45: i32 = load align 4 %44
      %46: i32 = mul %42, i32 3
      %47: i32 = add %46, %45
      store align 4 %44, %47
      continue %41, %47
    }} continuing (%48: i32, %49: i32) {{
      %50: i32 = add %48, i32 1
      next %50, %49
    }}
",
            if l.triangular { 7 } else { 0 }
        ),
    };
    let other_way = |happens: bool, name: u32, way: &str| match happens {
        false => String::new(),
        true => format!(
            "    %{}: i32 = and %91, i32 7\n    %{name}: bool = eq %{}, i32 0\n    if %{name} {{\n      {way}\n    }} else {{\n      yield\n    }}\n",
            name + 1,
            name + 1
        ),
    };
    format!(
        "global @g0 \"table\" constant size 32 align 1 init \"{table}\"
func @f(%0: ptr.global, %1: i32, %2: i32) -> i32 {{
  %4: ptr.constant = address @g0
  %3: ptr.private = alloca size {bytes} align 4
  loop (i32 0) (%9: i32) {{
    %10: bool = eq %9, i32 {ELEMENTS}
    if %10 {{
      break
    }} else {{
      yield
    }}
    %11: i32 = mul %9, %1
    %12: i64 = zext %9
    %13: ptr.private = ptr_add %3[%12 * 4 + 0]
    store align 4 %13, %11
    continue %9
  }} continuing (%14: i32) {{
    %15: i32 = add %14, i32 1
    next %15
  }}
  %60: i32, %61: i32 = loop (i32 {first}, %2) (%5: i32, %6: i32) {{
{late}    %21: bool = ne %5, i32 {end}
    if %21 {{
      yield
    }} else {{
      store align 4 %0, %20
      break %5, %20
    }}
{divided}{inner}{write}{read}    %80: ptr.private = ptr_add %3[%100 * 4 + 0]
    %81: ptr.private = ptr_add %3[%110 * 4 + 0]
    %82: i32 = load align 4 %81
    %90: i32 = mul %40, i32 31
    %91: i32 = add %90, %82
{breaks}{continues}    store align 4 %80, %91
    continue %5, %91
  }} continuing (%7: i32, %8: i32) {{
    %16: i32 = add %7, i32 {step}
    next %16, %8
  }}
  %62: i32 = loop (i32 31, %61) (%63: i32, %64: i32) {{
    %65: i32 = mul %64, i32 17
    %66: bool = slt %63, i32 0
    if %66 {{
      break %65
    }} else {{
      yield
    }}
    %67: ptr.private = ptr_add %3[%63 * 4 + 0]
    %68: i32 = load align 4 %67
    %69: i32 = add %65, %68
    continue %63, %69
  }} continuing (%70: i32, %71: i32) {{
    %72: i32 = sub %70, i32 1
    next %72, %71
  }}
  %73: i32 = xor %62, %60
  return %73
}}
",
        bytes = ELEMENTS * 4,
        table = l.table,
        first = l.first,
        step = l.step,
        write = l.write,
        read = l.read,
        breaks = other_way(l.breaks, 92, "break %5, %91"),
        continues = other_way(l.continues, 94, "continue %5, %90"),
    )
}

fn outcome(module: &Module, arguments: [u64; 2]) -> (Option<Vec<u64>>, Vec<u8>) {
    let mut machine = Machine::new(module);
    let object = machine.allocate(4, 4);
    machine.write(object, &[0; 4]);
    let result = machine.run("f", &[object, arguments[0], arguments[1]]);
    (result, machine.read(object, 4).to_vec())
}

#[test]
fn loops_over_arrays_compute_the_same() {
    let mut random = Rng::with_seed(11);
    let (mut promoted, mut hinted, mut in_groups) = (0, 0, 0);
    for round in 0..1500 {
        let l = random_loop(&mut random);
        let text = program(&l);
        let before = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        verify(&before, Dialect::Core).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mut after = before.clone();
        run(&mut after, &[&UnrollArrays]);
        let printed = print::print(&after);
        verify(&after, Dialect::Core).unwrap_or_else(|error| panic!("{error}\n{printed}"));
        let mut values = after.clone();
        run(&mut values, &[&Simplify, &Mem2Reg, &DeadCode]);
        let text_of_values = print::print(&values);
        verify(&values, Dialect::Core).unwrap_or_else(|error| panic!("{error}\n{text_of_values}"));
        let is_hinted = printed.contains(" unroll ");
        hinted += usize::from(is_hinted);
        promoted += usize::from(!text_of_values.contains("alloca"));
        in_groups += usize::from(!is_hinted && printed.contains("loop ("));
        for _ in 0..3 {
            let arguments = [u64::from(random.u32(..)), u64::from(random.u32(..))];
            let expected = outcome(&before, arguments);
            assert_eq!(outcome(&after, arguments), expected, "round {round}\n{text}\n{printed}");
            assert_eq!(outcome(&values, arguments), expected, "round {round}\n{text}\n{text_of_values}");
        }
    }
    // All but those that are too large, or are left elsewhere and have many iterations.
    assert!(
        promoted > 1200 && hinted > 40 && in_groups > 300,
        "{promoted} promoted, {hinted} hinted, {in_groups} in groups"
    );
}
