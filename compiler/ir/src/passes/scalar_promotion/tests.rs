//! Loops compute the same before and after, access nothing that they did not, and places become values.

use super::*;
use crate::interpret::Machine;
use crate::passes::testing::run;
use crate::passes::{CommonSubexpressions, DeadCode, Mem2Reg, Simplify};
use crate::read::read;
use crate::verify::{Dialect, verify};
use fastrand::Rng;
use std::fmt::Write;

/// Bytes of the object that `p` points to.
const BYTES: u64 = 32;

/// Writes statements that change an accumulator.
struct Writer {
    text: String,
    /// The last name given.
    last: u32,
    /// The name of the accumulator's value.
    sum: u32,
    /// The name of the loop's counter.
    counter: u32,
}

impl Writer {
    fn value(&mut self, ty: &str, op: &str) -> u32 {
        self.last += 1;
        writeln!(self.text, "    %{}: {ty} = {op}", self.last).unwrap();
        self.last
    }

    /// The address of an element: always the same, or dependent on the counter or on a parameter.
    fn address(&mut self, random: &mut Rng) -> u32 {
        let (p, index) = (random.u8(0..2), random.u8(0..4));
        match random.u8(..6) {
            0 | 1 => self.value("ptr.global", &format!("ptr_add %{p}[{}]", index * 4)),
            2 => p.into(),
            3 | 4 => {
                let index = self.value("i32", &format!("and %{}, i32 3", self.counter));
                self.value("ptr.global", &format!("ptr_add %{p}[%{index} * 4 + 0]"))
            }
            _ => {
                let index = self.value("i32", "and %2, i32 3");
                self.value("ptr.global", &format!("ptr_add %{p}[%{index} * 4 + 0]"))
            }
        }
    }

    fn load(&mut self, address: u32) {
        let loaded = self.value("i32", &format!("load align 4 %{address}"));
        let product = self.value("i32", &format!("mul %{}, i32 31", self.sum));
        self.sum = self.value("i32", &format!("add %{product}, %{loaded}"));
    }

    fn store(&mut self, address: u32) {
        writeln!(self.text, "    store align 4 %{address}, %{}", self.sum).unwrap();
    }

    fn statement(&mut self, random: &mut Rng, depth: u32) {
        let address = self.address(random);
        match random.u8(..7) {
            0 => self.load(address),
            1 => self.store(address),
            2 if depth < 2 => self.choice(random, depth),
            3 => {
                // Of another type.
                let loaded = self.value("i16", &format!("load align 2 %{address}"));
                let loaded = self.value("i32", &format!("sext %{loaded}"));
                self.sum = self.value("i32", &format!("xor %{}, %{loaded}", self.sum));
            }
            _ => {
                self.load(address);
                self.store(address);
            }
        }
    }

    fn choice(&mut self, random: &mut Rng, depth: u32) {
        let bit = self.value("i32", &format!("and %{}, i32 1", self.sum));
        let condition = self.value("bool", &format!("ne %{bit}, i32 0"));
        let (before, outer) = (std::mem::take(&mut self.text), self.sum);
        (0..random.u8(1..3)).for_each(|_| self.statement(random, depth + 1));
        let inside = std::mem::replace(&mut self.text, before);
        let yielded = self.sum;
        self.sum = self.value("i32", &format!("if %{condition} {{"));
        writeln!(self.text, "{inside}    yield %{yielded}\n    }} else {{\n    yield %{outer}\n    }}").unwrap();
    }

    fn statements(&mut self, random: &mut Rng, most: u8) -> String {
        (0..random.u8(..=most)).for_each(|_| self.statement(random, 0));
        std::mem::take(&mut self.text)
    }
}

/// `f(p, q, n)`: a loop of `n` iterations, or of three.
fn program(random: &mut Rng) -> String {
    let mut w = Writer { text: String::new(), last: 100, sum: 6, counter: 5 };
    let early = if random.bool() { String::new() } else { w.statements(random, 2) };
    let tested = w.sum;
    let exit = if random.bool() { String::new() } else { w.statements(random, 1) };
    let left = std::mem::replace(&mut w.sum, tested);
    let body = w.statements(random, 4);
    let continued = std::mem::replace(&mut w.sum, 8);
    w.counter = 7;
    let step = if random.u8(..4) > 0 { String::new() } else { w.statements(random, 1) };
    let next = w.sum;
    let bound = if random.u8(..3) > 0 { "%2" } else { "i32 3" };
    format!(
        "func @f(%0: ptr.global, %1: ptr.global, %2: i32) -> i32 {{
  %60: i32, %61: i32 = loop (i32 0, i32 7) (%5: i32, %6: i32) {{
{early}    %21: bool = slt %5, {bound}
    if %21 {{
      yield
    }} else {{
{exit}      break %5, %{left}
    }}
{body}    continue %5, %{continued}
  }} continuing (%7: i32, %8: i32) {{
{step}    %16: i32 = add %7, i32 1
    next %16, %{next}
  }}
  return %61
}}
"
    )
}

/// Where `q` points to.
#[derive(Clone, Copy)]
enum Second {
    Within(u64),
    OtherObject,
    Nowhere,
}

fn outcome(module: &Module, second: Second, count: u64) -> (Option<Vec<u64>>, Vec<u8>) {
    let mut machine = Machine::new(module);
    let objects = [machine.allocate(BYTES, 4), machine.allocate(BYTES, 4)];
    let contents: Vec<u8> = (0..BYTES as u8).map(|byte| byte.wrapping_mul(37)).collect();
    objects.iter().for_each(|object| machine.write(*object, &contents));
    let q = match second {
        Second::Within(offset) => objects[0] + offset,
        Second::OtherObject => objects[1],
        Second::Nowhere => 0,
    };
    let result = machine.run("f", &[objects[0], q, count]);
    (result, objects.iter().flat_map(|object| machine.read(*object, BYTES).to_vec()).collect())
}

#[test]
fn loops_compute_the_same() {
    let mut random = Rng::with_seed(12);
    let (mut promoted, mut without_stores) = (0, 0);
    for round in 0..3000 {
        let text = program(&mut random);
        let mut before = read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        verify(&before, Dialect::Core).unwrap_or_else(|error| panic!("{error}\n{text}"));
        // Equal addresses are one value.
        run(&mut before, &[&CommonSubexpressions]);
        let mut after = before.clone();
        run(&mut after, &[&ScalarPromotion]);
        let printed = print::print(&after);
        verify(&after, Dialect::Core).unwrap_or_else(|error| panic!("{error}\n{printed}"));
        let mut values = after.clone();
        run(&mut values, &[&Mem2Reg, &Simplify, &CommonSubexpressions, &DeadCode]);
        let text_of_values = print::print(&values);
        verify(&values, Dialect::Core).unwrap_or_else(|error| panic!("{error}\n{text_of_values}"));
        assert!(!text_of_values.contains("alloca"), "{text_of_values}");
        promoted += usize::from(printed.contains("alloca"));
        let in_loop = text_of_values.split("loop (").nth(1).and_then(|rest| rest.split("\n  }").next());
        without_stores += usize::from(printed.contains("alloca") && !in_loop.unwrap_or_default().contains("store"));
        for second in [Second::Within(0), Second::Within(4), Second::Within(8), Second::OtherObject, Second::Nowhere] {
            for count in [0, 1, 2, 5] {
                let expected = outcome(&before, second, count);
                if expected.0.is_none() {
                    // An access of nowhere: what is stored before it is not compared.
                    continue;
                }
                assert_eq!(outcome(&after, second, count), expected, "round {round}\n{text}\n{printed}");
                assert_eq!(outcome(&values, second, count), expected, "round {round}\n{text}\n{text_of_values}");
            }
        }
    }
    assert!(promoted > 300 && without_stores > 100, "{promoted} promoted, {without_stores} without stores");
}
