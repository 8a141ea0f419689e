//! Random structured programs over memory must compute the same after the passes; the interpreter of the IR runs both.

use clforge_basic::options::Options;
use clforge_ir::interpret::Machine;
use clforge_ir::*;
use clforge_spirv::legalize::{Context, State};
use fastrand::Rng;

/// One of the elements of a list.
fn pick<T: Copy>(random: &mut Rng, list: &[T]) -> T {
    list[random.usize(..list.len())]
}

/// A place for the random function, and what it calls: a function without effects, two that read memory, and one that writes it.
const FUNCTIONS: &str = "func @f() {
  return
}
func @pure(%0: i32, %1: i32) -> i32 noinline {
  %2: i32 = xor %0, %1
  %3: i32 = mul %2, i32 3
  return %3
}
func @reads(%0: ptr.global, %1: i32) -> i32 noinline {
  %2: ptr.global = ptr_add %0 [4]
  %3: i32 = load align 4 %2
  %4: i32 = add %3, %1
  return %4
}
func @reads_own(%0: ptr.private, %1: i32) -> i32 noinline {
  %2: ptr.private = ptr_add %0 [4]
  %3: i32 = load align 4 %2
  %4: i32 = sub %3, %1
  return %4
}
func @writes(%0: ptr.global, %1: i32) -> i32 noinline {
  %2: i32 = call @reads(%0, %1)
  %3: ptr.global = ptr_add %0 [8]
  store align 4 %3, %2
  return %2
}
";

/// Words of each object.
const WORDS: i64 = 6;

struct Program<'p, 'f> {
    b: Builder<'f>,
    random: &'p mut Rng,
    /// `i32` values in scope.
    values: Vec<Value>,
    /// Two pointers to the same global object, and two private objects.
    objects: [Value; 4],
    /// Whether `break` may stand here, with one value.
    breakable: bool,
    /// The iteration count of the loop in which `continue` may appear, which passes it on with a value.
    turns: Option<Value>,
}

impl Program<'_, '_> {
    fn value(&mut self) -> Value {
        if self.random.usize(..4) == 0 {
            let constant = pick(self.random, &[0, 0, 1, 2, -1, 3, 100]);
            return self.b.int(Type::I32, constant);
        }
        pick(self.random, &self.values)
    }

    fn push(&mut self, op: Op, ty: Type) -> Value {
        let value = self.b.push(op, &[ty])[0];
        if ty == Type::I32 {
            self.values.push(value);
        }
        value
    }

    /// A word of some object, at a known or computed index.
    fn place(&mut self) -> Value {
        let base = pick(self.random, &self.objects);
        let ty = self.b.ty(base);
        // Of the last object only known words, so that it can be promoted.
        let known = base == self.objects[3] || self.random.usize(..3) > 0;
        if known {
            let displacement = self.random.usize(..3) as i64 * 4;
            return self.push(Op::PtrAdd { base, index: None, stride: 0, displacement }, ty);
        }
        let (value, mask) = (self.value(), self.b.int(Type::I32, 3));
        let index = Some(self.push(Op::Binary { op: BinaryOp::And, lhs: value, rhs: mask }, Type::I32));
        let displacement = self.random.usize(..2) as i64 * 4;
        self.push(Op::PtrAdd { base, index, stride: 4, displacement }, ty)
    }

    fn condition(&mut self) -> Value {
        let op = pick(self.random, &[CompareOp::Eq, CompareOp::Ne, CompareOp::SLt, CompareOp::ULe]);
        let (a, b) = (self.value(), self.value());
        self.push(Op::Compare { op, lhs: a, rhs: b }, Type::BOOL)
    }

    fn block(&mut self, depth: usize) {
        for _ in 0..3 + self.random.usize(..5) {
            match self.random.usize(..if depth > 2 { 7 } else { 11 }) {
                0 | 1 => {
                    use BinaryOp::*;
                    let op = pick(self.random, &[Add, Sub, Mul, And, Or, Xor]);
                    let (a, b) = (self.value(), self.value());
                    self.push(Op::Binary { op, lhs: a, rhs: b }, Type::I32);
                }
                2 => {
                    let condition = self.condition();
                    self.push(Op::Convert { op: ConvertOp::ZExt, operand: condition }, Type::I32);
                }
                3 | 4 => self.load(),
                5 => self.store(),
                6 => self.call(),
                7 | 8 => self.branch(depth),
                9 => self.repeat(depth),
                _ => self.choice(depth),
            }
        }
    }

    fn load(&mut self) {
        let ptr = self.place();
        self.push(Op::Load { ptr, align: 4, volatile: false, invariant: false }, Type::I32);
    }

    /// Stores to a place, now and then twice, with something between that may load what was stored first.
    fn store(&mut self) {
        let (ptr, value) = (self.place(), self.value());
        self.b.effect(Op::Store { ptr, value, align: 4, volatile: false });
        match self.random.usize(..4) {
            0 => self.load(),
            1 => self.call(),
            _ => return,
        }
        let value = self.value();
        self.b.effect(Op::Store { ptr, value, align: 4, volatile: false });
    }

    /// Calls one of [`FUNCTIONS`].
    fn call(&mut self) {
        let function = pick(self.random, &[1, 1, 2, 3, 4]);
        let value = self.value();
        let args = match function {
            1 => [value, self.value()],
            3 => [pick(self.random, &self.objects[2..]), value],
            _ => [pick(self.random, &self.objects[..2]), value],
        };
        self.push(Op::Call { function: FunctionId::from(function), args: args.as_slice().into() }, Type::I32);
    }

    /// Fills a new region and ends it; its values go out of scope.
    fn region(&mut self, depth: usize, params: usize, end: impl FnOnce(&mut Self) -> Op) -> RegionId {
        let region = self.b.function.new_region();
        let mark = self.values.len();
        for _ in 0..params {
            let param = self.b.function.add_region_param(region, Type::I32);
            self.values.push(param);
            if params == 2 && self.breakable {
                // The body of a loop: its last parameter.
                self.turns = Some(param);
            }
        }
        self.b.enter(region);
        self.block(depth + 1);
        let end = end(self);
        self.b.effect(end);
        self.b.leave();
        self.values.truncate(mark);
        region
    }

    fn branch(&mut self, depth: usize) {
        let condition = match self.random.usize(..6) {
            0 => self.b.int(Type::BOOL, 0),
            1 => self.b.int(Type::BOOL, 1),
            _ => self.condition(),
        };
        let leaves = self.breakable && self.random.usize(..3) == 0;
        let turns = self.turns.filter(|_| self.random.usize(..3) == 0);
        let then = self.region(depth, 0, |program| {
            let values: Values = [program.value()].as_slice().into();
            match turns {
                Some(turns) if !leaves => Op::Continue([values[0], turns].as_slice().into()),
                _ if leaves => Op::Break(values),
                _ => Op::Yield(values),
            }
        });
        let otherwise = self.region(depth, 0, |program| Op::Yield([program.value()].as_slice().into()));
        self.push(Op::If { condition, then, otherwise }, Type::I32);
    }

    /// Up to three rounds, carrying a value.
    fn repeat(&mut self, depth: usize) {
        let inits = [self.value(), self.b.int(Type::I32, 0)].as_slice().into();
        let outer = (std::mem::replace(&mut self.breakable, true), self.turns);
        let body = self.region(depth, 2, |program| {
            let region = program.b.region();
            let count = program.b.function.region(region).params[1];
            Op::Continue([program.value(), count].as_slice().into())
        });
        (self.breakable, self.turns) = (false, None);
        let continuing = self.region(depth, 2, |program| {
            let region = program.b.region();
            let count = program.b.function.region(region).params[1];
            let (one, three) = (program.b.int(Type::I32, 1), program.b.int(Type::I32, 3));
            let next = program.push(Op::Binary { op: BinaryOp::Add, lhs: count, rhs: one }, Type::I32);
            let condition = program.push(Op::Compare { op: CompareOp::ULt, lhs: next, rhs: three }, Type::BOOL);
            let (next, results) = ([program.value(), next].as_slice().into(), [program.value()].as_slice().into());
            Op::NextIf { condition, next, results }
        });
        (self.breakable, self.turns) = outer;
        self.push(Op::Loop { inits, body, continuing, hint: LoopHint::None }, Type::I32);
    }

    fn choice(&mut self, depth: usize) {
        let selector = match self.random.usize(..3) {
            0 => self.b.int(Type::I32, 1),
            _ => {
                let (value, mask) = (self.value(), self.b.int(Type::I32, 3));
                self.push(Op::Binary { op: BinaryOp::And, lhs: value, rhs: mask }, Type::I32)
            }
        };
        let inputs = [self.value()].as_slice().into();
        let outer = std::mem::replace(&mut self.breakable, true);
        let mut cases = Vec::new();
        for index in 0..3_u64 {
            let falls = index < 2 && self.random.usize(..2) == 0;
            let region = self.region(depth, 1, |program| {
                let values = [program.value()].as_slice().into();
                if falls { Op::Fallthrough(values) } else { Op::Break(values) }
            });
            cases.push(Case { values: [index].as_slice().into(), default: index == 2, region });
        }
        self.breakable = outer;
        self.push(Op::Switch { selector, inputs, cases }, Type::I32);
    }
}

/// `f(object, same object, x, y)`.
fn random_function(random: &mut Rng) -> Function {
    let mut function = Function::new("f");
    let pointer = Type::ptr(Space::Global);
    let params = [pointer, pointer, Type::I32, Type::I32].map(|ty| function.add_param(ty));
    let mut b = Builder::new(&mut function);
    let private = [0, 1].map(|_| b.alloca(WORDS as u64 * 4, 4));
    for object in private {
        for word in 0..WORDS {
            let ty = b.ty(object);
            let op = Op::PtrAdd { base: object, index: None, stride: 0, displacement: word * 4 };
            let ptr = b.push(op, &[ty])[0];
            let value = b.int(Type::I32, word);
            b.store(ptr, value, 4);
        }
    }
    let objects = [params[0], params[1], private[0], private[1]];
    let mut program = Program { b, random, values: params[2..].to_vec(), objects, breakable: false, turns: None };
    program.block(0);
    // Everything that was computed last, and the private objects, into the global one.
    let (mut b, values) = (program.b, program.values);
    let store = |b: &mut Builder<'_>, word: usize, value: Value| {
        let displacement = (word as i64 + WORDS) * 4;
        let op = Op::PtrAdd { base: params[0], index: None, stride: 0, displacement };
        let ptr = b.push(op, &[pointer])[0];
        b.store(ptr, value, 4);
    };
    for (word, value) in values.iter().rev().take(8).enumerate() {
        store(&mut b, word, *value);
    }
    for (index, object) in private.into_iter().enumerate() {
        let op = Op::PtrAdd { base: object, index: None, stride: 0, displacement: 4 };
        let ptr = b.push(op, &[Type::ptr(Space::Private)])[0];
        let value = b.load(Type::I32, ptr, 4);
        store(&mut b, 8 + index, value);
    }
    b.effect(Op::Return(None));
    function
}

fn outcome(module: &Module) -> Vec<Vec<u8>> {
    let run = |x: u64, y: u64| {
        let mut machine = Machine::new(module);
        let size = (WORDS as u64 + 10) * 4;
        let object = machine.allocate(size, 4);
        machine.write(object, &(0..size).map(|byte| byte as u8).collect::<Vec<_>>());
        machine.run("f", &[object, object, x, y]);
        machine.read(object, size).to_vec()
    };
    [(0, 1), (5, 5), (0xFFFF_FFFF, 2)].map(|(x, y)| run(x, y)).to_vec()
}

/// Runs a pass, which must succeed.
fn run(name: &str, module: &mut Module) {
    let pass = clforge_compiler::pass(name).expect("a pass");
    let options = Options::default().with(|o| o.codegen.unroll_factor = 4);
    pass.run(module, &mut Context { options: &options, state: State::default() }).expect("the pass succeeds");
}

#[test]
fn random_programs_compute_the_same_after_passes() {
    let orders = [
        "simplify",
        "common_subexpressions",
        "dead_code",
        "mem2reg",
        "simplify common_subexpressions dead_code",
        "mem2reg simplify common_subexpressions dead_code simplify",
        "common_subexpressions mem2reg common_subexpressions simplify dead_code",
        "dead_stores",
        "common_subexpressions dead_stores dead_code",
        "mem2reg simplify common_subexpressions dead_code scalar_promotion dead_stores simplify",
        "if_conversion",
        "mem2reg simplify if_conversion simplify common_subexpressions dead_code",
        "mem2reg simplify unroll_loops strength_reduction wide_rotations simplify common_subexpressions dead_code",
        "vulkan/loop_limit",
        "mem2reg simplify vulkan/loop_limit simplify common_subexpressions dead_code",
    ];
    for seed in 1..=250 {
        let mut random = Rng::with_seed(seed);
        let mut module = read::read(FUNCTIONS).expect("it reads");
        module.functions[FunctionId::from(0)] = random_function(&mut random);
        verify::verify(&module, verify::Dialect::Core).expect("the generator keeps the contract");
        let before = outcome(&module);
        for order in orders {
            let mut module = module.clone();
            for name in order.split(' ') {
                run(name, &mut module);
                verify::verify(&module, verify::Dialect::Core).unwrap_or_else(|message| {
                    panic!("seed {seed}, {name} of {order}: {message}\n{}", print::print(&module))
                });
            }
            assert!(outcome(&module) == before, "seed {seed}, {order}: different\n{}", print::print(&module));
        }
    }
}

/// Calls in loops, behind `break`s and in cases share one place in their function, and compute the same.
#[test]
fn random_programs_compute_the_same_with_shared_calls() {
    let mut shared = 0;
    for seed in 1..=400 {
        let mut random = Rng::with_seed(seed);
        let mut module = read::read(FUNCTIONS).expect("it reads");
        module.functions[FunctionId::from(0)] = random_function(&mut random);
        let before = outcome(&module);
        for order in ["", "mem2reg simplify common_subexpressions dead_code"] {
            let mut module = module.clone();
            order.split_terminator(' ').for_each(|name| run(name, &mut module));
            let calls = analysis::CallGraph::of(&module).callees(FunctionId::from(0)).len();
            passes::share_calls(&mut module, vec![FunctionId::from(0)], 1).expect("it structures");
            for name in ["", "mem2reg", "simplify"] {
                if !name.is_empty() {
                    run(name, &mut module);
                }
                verify::verify(&module, verify::Dialect::Core).unwrap_or_else(|message| {
                    panic!("seed {seed}, {name} of {order}: {message}\n{}", print::print(&module))
                });
                let same = outcome(&module) == before;
                assert!(same, "seed {seed}, {name} of {order}: different\n{}", print::print(&module));
            }
            let left = analysis::CallGraph::of(&module).callees(FunctionId::from(0)).len();
            assert!(left <= 4, "seed {seed}: {left} calls");
            shared += usize::from(left < calls);
        }
    }
    assert!(shared > 100, "{shared}");
}

/// The passes must not be there for show: together they remove most of what a naive program repeats.
#[test]
fn passes_shrink_a_naive_program() {
    let text = "func @f(%0: ptr.global, %1: i32) {
  %2: i32 = add %1, i32 0
  %3: i32 = add %1, %2
  %4: i32 = add %2, %1
  %5: i32 = sub %3, %4
  %6: bool = eq %5, i32 0
  if %6 {
    store align 4 %0, %3
    yield
  } else {
    store align 4 %0, i32 5
    yield
  }
  return
}
";
    let mut module = read::read(text).expect("it reads");
    for pass in ["simplify", "common_subexpressions", "simplify", "dead_code"] {
        run(pass, &mut module);
    }
    let expected = "func @f(%0: ptr.global, %1: i32) {
  %3: i32 = add %1, %1
  store align 4 %0, %3
  return
}
";
    assert_eq!(print::print(&module), expected);
}
