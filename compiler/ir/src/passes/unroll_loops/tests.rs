//! Loops of all comparisons, steps and bounds compute the same before and after.

use super::*;
use crate::interpret::Machine;
use crate::read::read;
use crate::verify::{Dialect, verify};
use clforge_basic::options::Options;
use fastrand::Rng;

/// Bytes of the object that the loops load from.
const BYTES: u64 = 256;

/// The parts of a loop; values are written as the text of the IR has them.
struct Loop {
    compare: &'static str,
    step: i64,
    ty: &'static str,
    /// Whether the counter is compared as a value of 64 bits.
    extended: bool,
    leaves_if_true: bool,
    counter_first: bool,
    adds_in_body: bool,
    /// Whether the step is no constant, and computed in the loop.
    computes_step: bool,
    /// What the body does besides.
    extra: usize,
}

/// `f(object, first, bound, step)`: the loop's count, counter and a sum that depends on the order.
fn program(l: &Loop) -> String {
    let (ty, step) = (l.ty, l.step);
    let wide = if l.extended { "i64" } else { ty };
    let compared = if l.extended { "%9" } else { "%3" };
    let extend = match (l.extended, l.compare.starts_with('s')) {
        (false, _) => String::new(),
        (true, true) => "    %9: i64 = sext %3\n".to_string(),
        (true, false) => "    %9: i64 = zext %3\n".to_string(),
    };
    let operands = if l.counter_first { format!("{compared}, %2") } else { format!("%2, {compared}") };
    let (yes, no) = match l.leaves_if_true {
        true => ("      break %3, %4, %5\n", "      yield %4\n"),
        false => ("      yield %4\n", "      break %3, %4, %5\n"),
    };
    let to_index = match (ty, l.compare.starts_with('s')) {
        ("i64", _) => "    %13: i64 = add %3, i64 3\n",
        (_, true) => "    %12: i64 = sext %3\n    %13: i64 = add %12, i64 3\n",
        (_, false) => "    %12: i64 = zext %3\n    %13: i64 = add %12, i64 3\n",
    };
    let added = |counter: &str| match l.computes_step {
        true => format!(
            "    %42: {ty} = mul %7, {ty} 1\n    %43: {ty} = xor %42, {ty} 0\n    %{}: {ty} = add %43, {counter}\n",
            40 + u8::from(counter != "%3")
        ),
        false => format!("    %{}: {ty} = add {counter}, {ty} {step}\n", 40 + u8::from(counter != "%3")),
    };
    let (next, add) = match l.adds_in_body {
        true => ("%40", added("%3")),
        false => ("%3", String::new()),
    };
    let skip = format!("    if %23 {{\n      continue {next}, %22, %22\n    }} else {{\n      yield\n    }}\n");
    let branch = "    %24: i32 = if %23 {\n      %25: i32 = mul %22, i32 7\n      yield %25\n    } else {\n      yield %22\n    }\n";
    let (extra, last) = match l.extra {
        1 => ("    store align 4 %1, %22\n", "%22"),
        2 => (skip.as_str(), "%22"),
        3 => (branch, "%24"),
        _ => ("", "%22"),
    };
    let at_end = format!("{add}{extra}    continue {next}, %5, {last}\n");
    let at_start = match l.adds_in_body {
        true => "    next %31, %32, %33\n".to_owned(),
        false => format!("{}    next %41, %32, %33\n", added("%31")),
    };
    format!(
        "func @f(%0: ptr.global, %1: ptr.local, %8: {ty}, %2: {wide}, %7: {ty}) -> i64 {{
  %50: {ty}, %51: i32, %52: i32 = loop (%8, i32 1, i32 2) (%3: {ty}, %4: i32, %5: i32) {{
{extend}    %10: bool = {compare} {operands}
    %11: i32 = if %10 {{
{yes}    }} else {{
{no}    }}
{to_index}    %14: i64 = mul %13, i64 4
    %15: i64 = and %14, i64 252
    %16: ptr.global = ptr_add %0[%15 * 1 + 0]
    %17: i32 = load align 4 %16
    %18: i32 = mul %5, i32 31
    %19: i32 = add %18, %17
    %20: i32 = xor %19, %11
    %21: i32 = lshr %20, i32 3
    %22: i32 = add %20, %21
    %26: i32 = and %22, i32 1
    %23: bool = eq %26, i32 0
{at_end}  }} continuing (%31: {ty}, %32: i32, %33: i32) {{
{at_start}  }}
  %60: i32 = mul %51, i32 3
  %61: i32 = add %60, %52
  %62: i64 = zext %61
  %63: i64 = {to_wide}
  %64: i64 = shl %63, i64 32
  %65: i64 = xor %62, %64
  return %65
}}
",
        compare = l.compare,
        to_wide = if ty == "i64" { "add %50, i64 0" } else { "zext %50" },
    )
}

/// How often the loop runs; `None`: more than a hundred times.
fn trips(l: &Loop, first: u64, bound: u64) -> Option<usize> {
    let mask = if l.ty == "i64" { u64::MAX } else { 0xFFFF_FFFF };
    let signed = |bits: u64, mask: u64| if mask == u64::MAX { bits as i64 } else { i64::from(bits as u32 as i32) };
    let mut count = first & mask;
    (0..100).find(|_| {
        let bound_mask = if l.extended { u64::MAX } else { mask };
        let (a, b) = match l.compare.starts_with('s') {
            true => (i128::from(signed(count, mask)), i128::from(signed(bound & bound_mask, bound_mask))),
            false => (i128::from(count), i128::from(bound & bound_mask)),
        };
        let (a, b) = if l.counter_first { (a, b) } else { (b, a) };
        let holds = match &l.compare[l.compare.len() - 2..] {
            "lt" => a < b,
            "le" => a <= b,
            "gt" => a > b,
            "ge" => a >= b,
            "eq" => a == b,
            _ => a != b,
        };
        count = count.wrapping_add_signed(l.step) & mask;
        holds == l.leaves_if_true
    })
}

fn outcome(module: &Module, first: u64, bound: u64, step: u64) -> (Option<Vec<u64>>, Vec<u8>) {
    let mut machine = Machine::new(module);
    let object = machine.allocate(BYTES, 4);
    machine.write(object, &(0..BYTES).map(|byte| (byte * 37) as u8).collect::<Vec<_>>());
    let local = machine.allocate(4, 4);
    machine.write(local, &[0; 4]);
    let result = machine.run("f", &[object, local, first, bound, step]);
    (result, machine.read(local, 4).to_vec())
}

/// A module whose first function went through the pass.
fn unrolled(before: &Module) -> (Module, Changed) {
    let mut after = before.clone();
    let options = Options::default();
    let Module { functions, variables, globals, .. } = &mut after;
    let context = FunctionContext { options: &options, variables, globals, effects: Default::default() };
    let changed = UnrollLoops.run(&mut functions[FunctionId::from(0)], &context);
    (after, changed)
}

#[test]
fn counted_loops_compute_the_same() {
    let mut random = Rng::with_seed(5);
    let (mut count, mut compared) = (0, 0);
    for round in 0..3000 {
        let pick = |random: &mut Rng, list: &[&'static str]| list[random.usize(..list.len())];
        let l = Loop {
            compare: pick(&mut random, &["slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge", "ne", "eq"]),
            step: [1, 1, -1, 2, -3, 7, -64][random.usize(..7)],
            ty: pick(&mut random, &["i32", "i64"]),
            extended: random.u8(..4) == 0,
            leaves_if_true: random.bool(),
            counter_first: random.u8(..4) > 0,
            adds_in_body: random.bool(),
            computes_step: random.u8(..3) == 0,
            extra: random.usize(..4),
        };
        if l.extended && l.ty == "i64" {
            continue;
        }
        let text = program(&l);
        let before = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        verify(&before, Dialect::Core).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let (after, changed) = unrolled(&before);
        let printed = print::print(&after);
        verify(&after, Dialect::Core).unwrap_or_else(|error| panic!("{error}\n{printed}"));
        count += usize::from(changed == Changed::Maybe);
        for _ in 0..12 {
            let mask = if l.ty == "i64" { u64::MAX } else { 0xFFFF_FFFF };
            let near = [0, 1 << 31, (1 << 31) - 1, u64::MAX, 1 << 63, (1 << 63) - 1, 1 << 32, 40][random.usize(..8)];
            let bound = near.wrapping_add_signed(random.i64(-9..9));
            let first = bound.wrapping_add_signed(random.i64(-40..40) * if random.bool() { 1 } else { l.step });
            let (first, bound) = (first & mask, if l.extended { bound } else { bound & mask });
            if trips(&l, first, bound).is_none() {
                continue;
            }
            compared += usize::from(changed == Changed::Maybe);
            let step = l.step.cast_unsigned() & mask;
            let (expected, found) = (outcome(&before, first, bound, step), outcome(&after, first, bound, step));
            assert_eq!(found, expected, "round {round}, from {first:#x} to {bound:#x}\n{text}\n{printed}");
        }
    }
    assert!(count > 800 && compared > 4000, "{count} loops unrolled, {compared} compared");
}

/// `f(address, first, bound)`: a loop that loads and stores elements of one array, whose places are `index[0] * i + index[1]`.
fn in_place(random: &mut Rng) -> String {
    let pick = |random: &mut Rng, list: &[&'static str]| list[random.usize(..list.len())];
    let address = |random: &mut Rng, first: usize, scale: u64, extend: &str| {
        // Indices are at least 8, so that these are never negative as unsigned numbers.
        let factors = if extend == "zext" { [1, 1, 1, 2, 2, 3, 3] } else { [1, 1, 1, 2, -1, 0, 3] };
        let factor = factors[random.usize(..7)];
        let offset = [0, 0, 1, -1, 2, 5, -7][random.usize(..7)];
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|number| first + number);
        format!(
            "    %{a}: i32 = mul %5, i32 {factor}\n    %{b}: i32 = add %{a}, i32 {offset}\n    %{c}: i64 = {extend} %{b}\n    \
             %{d}: i64 = mul %{c}, i64 {scale}\n    %{e}: i64 = add %0, %{d}\n"
        )
    };
    // Those that differ never pass.
    let extends = [pick(random, &["sext", "sext", "zext"]), pick(random, &["sext", "sext", "zext"])];
    let extends = if random.u8(..4) == 0 { extends } else { [extends[0]; 2] };
    let scale = [4, 4, 8, 2][random.usize(..4)];
    let types = [pick(random, &["i16", "i32", "i64"]), pick(random, &["i16", "i32", "i64"])];
    let from = match types[0] {
        "i16" => "    %31: i32 = zext %30\n",
        "i64" => "    %31: i32 = trunc %30\n",
        _ => "    %31: i32 = add %30, i32 0\n",
    };
    let to = match types[1] {
        "i16" => "    %34: i16 = trunc %33\n",
        "i64" => "    %34: i64 = sext %33\n",
        _ => "    %34: i32 = xor %33, i32 0\n",
    };
    let (load, store) = (address(random, 10, scale, extends[0]), address(random, 20, scale, extends[1]));
    let first = format!("    %30: {} = load align 2 %14\n{from}", types[0]);
    let last = "    store align 2 %24, %34\n";
    let compute = |value: &str| format!("    %32: i32 = mul {value}, i32 31\n    %33: i32 = add %32, %6\n{to}");
    // The load may be behind the store of its iteration.
    let (body, next) = match random.u8(..3) {
        0 => (format!("{}{last}{first}    %35: i32 = xor %33, %31\n", compute("%5")), "%35"),
        _ => (format!("{first}{}{last}", compute("%31")), "%33"),
    };
    format!(
        "func @f(%0: i64, %1: i32, %2: i32) -> i32 {{
  %3: i32, %4: i32 = loop (%1, i32 7) (%5: i32, %6: i32) {{
    %7: bool = slt %5, %2
    if %7 {{
      yield
    }} else {{
      break %5, %6
    }}
{load}{store}{body}    continue %5, {next}
  }} continuing (%40: i32, %41: i32) {{
    %42: i32 = add %40, i32 1
    next %42, %41
  }}
  return %4
}}
"
    )
}

#[test]
fn loops_that_change_an_array_compute_the_same() {
    let mut random = Rng::with_seed(9);
    let mut found = 0;
    for round in 0..2000 {
        let text = in_place(&mut random);
        let before = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let (after, changed) = unrolled(&before);
        if changed == Changed::No {
            continue;
        }
        found += 1;
        let printed = print::print(&after);
        verify(&after, Dialect::VULKAN).unwrap_or_else(|error| panic!("{error}\n{printed}"));
        // Indices from -67 to 126.
        for count in [0, 1, 4, 7, 16, 39] {
            let outcome = |module: &Module| {
                let mut machine = Machine::new(module);
                let object = machine.allocate(4096, 8);
                machine.write(object, &(0..4096).map(|byte| (byte * 37 % 251) as u8).collect::<Vec<_>>());
                let first = random_first(round, count);
                let result = machine.run("f", &[object + 2048, first, first + count]);
                (result, machine.read(object, 4096).to_vec())
            };
            assert_eq!(outcome(&after), outcome(&before), "round {round}, {count} iterations\n{text}\n{printed}");
        }
    }
    assert!(found > 200, "{found} loops unrolled");
}

/// The first index of a loop: small ones only, so that no index leaves the object, and none is negative.
fn random_first(round: u64, count: u64) -> u64 {
    8 + (round + count) % 13
}
