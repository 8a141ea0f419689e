//! The bounds of iterations that modules state (`KernelInterface::iteration_bound`), against loops that are executed here:
//! of random kernels, with random arguments.

use clforge_compiler::interface::ModuleInterface;
use clforge_compiler::interface::iterations::{IterationBound, LaunchFacts, UNBOUNDED};
use clforge_compiler::{Options, Source};
use fastrand::Rng;
use std::fmt::Write;

const KERNELS: u64 = 1000;
const LAUNCHES: usize = 40;
/// Tests of loops after which a launch is given up.
const MOST: u64 = 20_000;

/// The type of all values of a kernel.
#[derive(Clone, Copy)]
struct Type {
    name: &'static str,
    bits: u32,
    is_signed: bool,
}

const TYPES: [Type; 4] = [
    Type { name: "int", bits: 32, is_signed: true },
    Type { name: "uint", bits: 32, is_signed: false },
    Type { name: "long", bits: 64, is_signed: true },
    Type { name: "ulong", bits: 64, is_signed: false },
];

impl Type {
    /// A value in the type; `None` where a signed one overflows, which is undefined.
    fn of(self, value: i128) -> Option<i128> {
        let (low, high) = match self.is_signed {
            true => (-(1i128 << (self.bits - 1)), (1i128 << (self.bits - 1)) - 1),
            false => (0, (1i128 << self.bits) - 1),
        };
        if (low..=high).contains(&value) {
            return Some(value);
        }
        (!self.is_signed).then(|| value.rem_euclid(1 << self.bits))
    }
}

enum Expr {
    Number(i128),
    Argument(usize),
    Counter(usize),
    LocalId,
    LocalSize,
    GlobalId,
    Binary(char, Box<Expr>, Box<Expr>),
    Least(Box<Expr>, Box<Expr>),
}

/// How a counter changes.
enum Change {
    Add(Expr),
    Subtract(Expr),
    /// By the first one where the counter is even, else by the second one.
    AddEither(Expr, Expr),
    Double,
    Halve,
}

/// A loop with a counter, and a second test of another value or a `continue` in it.
struct Loop {
    from: Expr,
    compare: &'static str,
    bound: Expr,
    change: Change,
    /// The test is behind the body.
    tests_late: bool,
    /// Goes on only while the counter's lowest bits are not these.
    also_until: Option<i128>,
    body: Vec<Loop>,
}

struct Item {
    arguments: [i128; 3],
    local_id: i128,
    local_size: i128,
    group: i128,
}

fn random_expr(random: &mut Rng, counters: usize, depth: usize) -> Expr {
    if depth > 0 && random.u8(..3) == 0 {
        let [first, second] = [0; 2].map(|_| Box::new(random_expr(random, counters, depth - 1)));
        return match random.u8(..6) {
            0 => Expr::Least(first, second),
            op => Expr::Binary(['+', '-', '*', '/', '&'][usize::from(op) - 1], first, second),
        };
    }
    match random.u8(..10) {
        0..=2 => Expr::Number(i128::from(random.u8(..20))),
        3..=5 => Expr::Argument(random.usize(..3)),
        6 => Expr::LocalId,
        7 => Expr::LocalSize,
        8 => Expr::GlobalId,
        _ if counters > 0 => Expr::Counter(random.usize(..counters)),
        _ => Expr::Argument(0),
    }
}

fn random_loop(random: &mut Rng, counters: usize) -> Loop {
    let is_growing = random.bool();
    let step = |random: &mut Rng| match random.u8(..4) {
        0 => random_expr(random, counters, 1),
        1 => Expr::LocalSize,
        _ => Expr::Number(i128::from(random.u8(1..4))),
    };
    let change = match random.u8(..8) {
        0 => Change::AddEither(step(random), step(random)),
        1 if is_growing => Change::Double,
        1 => Change::Halve,
        _ if is_growing => Change::Add(step(random)),
        _ => Change::Subtract(step(random)),
    };
    let compare = if is_growing { ["<", "<=", "!="] } else { [">", ">=", "!="] };
    // So that no loop has a constant number of iterations, which would be executed when it is compiled.
    let added = match random.u8(..3) {
        0 => Expr::LocalSize,
        1 if counters > 0 => Expr::Counter(random.usize(..counters)),
        _ => Expr::Number(i128::from(random.u8(..20))),
    };
    let bound = Expr::Binary('+', Box::new(Expr::Argument(random.usize(..3))), Box::new(added));
    let from = random_expr(random, counters, 1);
    let (from, bound) = if is_growing { (from, bound) } else { (bound, from) };
    Loop {
        from,
        compare: compare[usize::from(random.u8(..7) / 3)],
        bound,
        change,
        tests_late: random.u8(..4) == 0,
        also_until: (random.u8(..4) == 0).then(|| i128::from(random.u8(..16))),
        body: if counters < 2 { random_body(random, counters + 1) } else { Vec::new() },
    }
}

fn random_body(random: &mut Rng, counters: usize) -> Vec<Loop> {
    (0..random.usize(..2)).map(|_| random_loop(random, counters)).collect()
}

impl Expr {
    fn print(&self) -> String {
        match self {
            Expr::Number(number) => format!("(T){number}"),
            Expr::Argument(index) => format!("a{index}"),
            Expr::Counter(index) => format!("i{index}"),
            Expr::LocalId => "(T)get_local_id(0)".into(),
            Expr::LocalSize => "(T)get_local_size(0)".into(),
            Expr::GlobalId => "(T)get_global_id(0)".into(),
            Expr::Binary('/', first, second) => format!("({} / (({} & (T)7) + (T)1))", first.print(), second.print()),
            Expr::Binary(op, first, second) => format!("({} {op} {})", first.print(), second.print()),
            Expr::Least(first, second) => format!("min({}, {})", first.print(), second.print()),
        }
    }

    fn value(&self, ty: Type, item: &Item, counters: &[i128]) -> Option<i128> {
        let of = |expr: &Expr| expr.value(ty, item, counters);
        ty.of(match self {
            Expr::Number(number) => *number,
            Expr::Argument(index) => item.arguments[*index],
            Expr::Counter(index) => counters[*index],
            Expr::LocalId => item.local_id,
            Expr::LocalSize => item.local_size,
            Expr::GlobalId => item.group * item.local_size + item.local_id,
            Expr::Binary(op, first, second) => match (op, of(first)?, of(second)?) {
                ('+', a, b) => a + b,
                ('-', a, b) => a - b,
                ('*', a, b) => a.checked_mul(b)?,
                ('/', a, b) => a / ((b & 7) + 1),
                (_, a, b) => a & b,
            },
            Expr::Least(first, second) => of(first)?.min(of(second)?),
        })
    }
}

impl Loop {
    fn test(&self, depth: usize) -> String {
        let also = self.also_until.map_or(String::new(), |bits| format!(" && (i{depth} & (T)15) != (T){bits}"));
        format!("i{depth} {} {}{also}", self.compare, self.bound.print())
    }

    fn print(&self, depth: usize, text: &mut String) {
        let change = match &self.change {
            Change::Add(step) => format!("i{depth} += {}", step.print()),
            Change::Subtract(step) => format!("i{depth} -= {}", step.print()),
            Change::AddEither(even, odd) => {
                format!("i{depth} += i{depth} & (T)1 ? {} : {}", odd.print(), even.print())
            }
            Change::Double => format!("i{depth} *= (T)2"),
            Change::Halve => format!("i{depth} /= (T)2"),
        };
        let test = self.test(depth);
        let head = if self.tests_late { "do".into() } else { format!("for (; {test}; {change})") };
        write!(text, "{{ T i{depth} = {}; {head} {{ out[0] += i{depth};", self.from.print()).unwrap();
        self.body.iter().for_each(|inner| inner.print(depth + 1, text));
        text.push_str(&if self.tests_late { format!("{change}; }} while ({test}); }}") } else { "} }".into() });
    }

    /// Adds the tests of the loops; `None` where what they compute is not defined, or there are too many.
    fn execute(&self, ty: Type, item: &Item, counters: &mut Vec<i128>, tests: &mut u64) -> Option<()> {
        let depth = counters.len();
        let from = self.from.value(ty, item, counters)?;
        counters.push(from);
        let mut is_first = true;
        loop {
            *tests += 1;
            let of = |expr: &Expr, counters: &[i128]| expr.value(ty, item, counters);
            let counter = counters[depth];
            let bound = of(&self.bound, counters)?;
            let goes_on = match self.compare {
                "<" => counter < bound,
                "<=" => counter <= bound,
                ">" => counter > bound,
                ">=" => counter >= bound,
                _ => counter != bound,
            };
            let goes_on = goes_on && self.also_until.is_none_or(|bits| counter & 15 != bits);
            if *tests > MOST {
                return None;
            }
            if !(goes_on || self.tests_late && is_first) {
                // A test behind the body is not an iteration of its own.
                *tests -= u64::from(self.tests_late);
                break;
            }
            is_first = false;
            for inner in &self.body {
                inner.execute(ty, item, counters, tests)?;
            }
            let counter = match &self.change {
                Change::Add(step) => counter + of(step, counters)?,
                Change::Subtract(step) => counter - of(step, counters)?,
                Change::AddEither(even, odd) => counter + of(if counter & 1 == 1 { odd } else { even }, counters)?,
                Change::Double => counter * 2,
                Change::Halve => counter / 2,
            };
            counters[depth] = ty.of(counter)?;
        }
        counters.pop();
        Some(())
    }
}

/// The bound that the module of a kernel states.
fn bound(ty: Type, loops: &[Loop]) -> (String, Option<IterationBound>) {
    let t = ty.name;
    let mut text = format!("typedef {t} T; kernel void k(global T *out, T a0, T a1, T a2) {{\n");
    loops.iter().for_each(|outer| outer.print(0, &mut text));
    text.push_str("\n}\n");
    let options = Options::default().with_few_iterations(true).with(|options| options.codegen.unroll_factor = 16);
    let module = clforge_compiler::compile(Source { name: "k.cl", text: text.as_bytes() }, &options);
    let module = module.unwrap_or_else(|error| panic!("{error:?}\n{text}"));
    let interface = ModuleInterface::from_spirv(&module.spirv).expect("an interface");
    let bound = interface.kernels[0].iteration_bound.clone();
    (text, bound)
}

fn random_argument(random: &mut Rng, ty: Type) -> i128 {
    let high = (1i128 << (ty.bits - u32::from(ty.is_signed))) - 1;
    let near = i128::from(random.u8(..12));
    match random.u8(..8) {
        0 => high - near,
        1 if ty.is_signed => -high + near,
        2 if ty.is_signed => -near,
        3 => i128::from(random.u16(..)),
        _ => i128::from(random.u8(..60)),
    }
}

#[test]
fn no_kernel_makes_more_iterations_than_its_bound() {
    let (mut known, mut compared) = (0, 0);
    for seed in 0..KERNELS {
        let mut random = Rng::with_seed(seed);
        let ty = TYPES[random.usize(..4)];
        let loops: Vec<Loop> = (0..=random.usize(..2)).map(|_| random_loop(&mut random, 0)).collect();
        let (text, bound) = bound(ty, &loops);
        let Some(bound) = bound else { continue };
        known += 1;
        for _ in 0..LAUNCHES {
            let local_size = random.u32(1..=9);
            let groups = random.u32(1..=5);
            let item = Item {
                arguments: [0; 3].map(|_| random_argument(&mut random, ty)),
                local_id: random.u32(..local_size).into(),
                local_size: local_size.into(),
                group: random.u32(..groups).into(),
            };
            let mut tests = 0;
            let executed = loops.iter().try_for_each(|outer| outer.execute(ty, &item, &mut Vec::new(), &mut tests));
            let argument = |ordinal: u32, byte: u32| {
                let argument = item.arguments[ordinal.checked_sub(1)? as usize];
                Some((argument >> (8 * byte)) as u32)
            };
            let facts = LaunchFacts {
                argument: &argument,
                global: [Some(u64::from(local_size * groups)), Some(1), Some(1)],
                offset: [Some(0); 3],
                local: [Some(local_size), Some(1), Some(1)],
            };
            let most = bound.most(&facts);
            let is_right = executed.is_none() || tests <= most;
            assert!(is_right, "seed {seed}: {tests} tests, at most {most}, of {:?} in\n{text}", item.arguments);
            compared += u32::from(executed.is_some() && most != UNBOUNDED);
        }
    }
    // Many have no bound for good reasons: steps that may be 0, counters that may wrap around.
    assert!(known > KERNELS / 4 && compared > 3000, "{known} kernels, {compared} launches");
}
