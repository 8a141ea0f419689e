//! Programs with wide vectors must compute the same after the pass; the interpreter of the IR runs both.

use super::split;
use clforge_ir::interpret::Machine;
use clforge_ir::*;
use fastrand::Rng;
use typed_index_collections::ti_vec;

/// One of the elements of a list.
fn pick<T: Copy>(random: &mut Rng, list: &[T]) -> T {
    list[random.usize(..list.len())]
}

const SCALARS: [ScalarType; 6] =
    [ScalarType::I8, ScalarType::I16, ScalarType::I32, ScalarType::I64, ScalarType::F32, ScalarType::F64];

/// Writes random operations over values it keeps.
struct Program<'p, 'f> {
    b: Builder<'f>,
    random: &'p mut Rng,
    values: Vec<Value>,
}

impl Program<'_, '_> {
    fn any_type(&mut self) -> Type {
        let scalar = pick(self.random, &SCALARS);
        Type::vector(scalar, pick(self.random, &[1, 2, 4, 8, 8, 16, 16]))
    }

    /// A value of the type: one there is, or one made from a value there is.
    fn of(&mut self, ty: Type) -> Value {
        let known: Vec<Value> = self.values.iter().copied().filter(|value| self.b.ty(*value) == ty).collect();
        if !known.is_empty() {
            return pick(self.random, &known);
        }
        let lanes = (0..ty.lanes).map(|_| self.scalar(ty.scalar)).collect::<Vec<_>>();
        let value = self.b.construct(&lanes);
        self.values.push(value);
        value
    }

    fn scalar(&mut self, scalar: ScalarType) -> Value {
        let from = pick(self.random, &self.values);
        let lane = self.random.usize(..usize::from(self.b.ty(from).lanes)) as u8;
        let lane = self.b.extract(from, lane);
        let bits = self.b.bitcast(lane, Type::scalar(ScalarType::int(self.b.ty(lane).scalar.bits())));
        let bits = self.b.resize(bits, ScalarType::int(scalar.bits()), true);
        self.b.bitcast(bits, Type::scalar(scalar))
    }

    fn step(&mut self) {
        let ty = self.any_type();
        let value = match self.random.usize(..11) {
            0 => self.arithmetic(ty),
            1 => self.comparison(ty),
            2 => self.cast(ty),
            3 => {
                let lanes = (0..ty.lanes).map(|_| self.scalar(ty.scalar)).collect::<Vec<_>>();
                self.b.construct(&lanes)
            }
            4 if ty.lanes > 1 => {
                let (vector, scalar) = (self.of(ty), self.scalar(ty.scalar));
                let lane = self.random.usize(..usize::from(ty.lanes)) as u8;
                self.b.insert(vector, scalar, lane)
            }
            5 if ty.lanes > 1 => {
                let (vector, index) = (self.of(ty), self.index(ty));
                self.b.pure(Op::ExtractDynamic { vector, index })
            }
            6 if ty.lanes > 1 => {
                let (vector, scalar, index) = (self.of(ty), self.scalar(ty.scalar), self.index(ty));
                self.b.pure(Op::InsertDynamic { vector, scalar, index })
            }
            7 if ty.lanes > 1 => {
                let (a, b) = (self.of(ty), self.of(ty));
                let count = pick(self.random, &[2, 3, 4, 8, 16]);
                let lanes: Vec<u8> = (0..count).map(|_| self.random.usize(..usize::from(ty.lanes) * 2) as u8).collect();
                self.b.shuffle(a, b, &lanes)
            }
            8 => self.resized(ty),
            9 => self.branch(ty),
            _ => self.looped(ty),
        };
        self.values.push(value);
    }

    fn arithmetic(&mut self, ty: Type) -> Value {
        use BinaryOp::*;
        let (a, b) = (self.of(ty), self.of(ty));
        if ty.scalar.is_float() {
            let op = pick(self.random, &[FAdd, FSub, FMul]);
            return self.b.binary(op, a, b);
        }
        let op = pick(self.random, &[Add, Sub, Mul, And, Or, Xor, Shl, LShr, AShr]);
        let b = match op {
            Shl | LShr | AShr => {
                let mask = self.b.int(ty, i64::from(ty.scalar.bits()) - 1);
                self.b.binary(And, b, mask)
            }
            _ => b,
        };
        let value = self.b.binary(op, a, b);
        if self.random.usize(..2) == 0 { self.b.unary(UnaryOp::Not, value) } else { value }
    }

    fn comparison(&mut self, ty: Type) -> Value {
        let (a, b) = (self.of(ty), self.of(ty));
        let op = if ty.scalar.is_float() { CompareOp::FLt } else { CompareOp::SLt };
        let mut condition = self.b.compare(op, a, b);
        if self.random.usize(..3) == 0 {
            condition = self.b.extract(condition, ty.lanes - 1);
        }
        self.b.select(condition, a, b)
    }

    fn cast(&mut self, ty: Type) -> Value {
        let a = self.of(ty);
        let same = |scalar: &ScalarType| {
            let lanes = ty.bits() / scalar.bits();
            [1, 2, 4, 8, 16].contains(&lanes).then(|| Type::vector(*scalar, lanes as u8))
        };
        let types: Vec<Type> =
            SCALARS.iter().filter_map(same).filter(|to| ty.bits().is_multiple_of(to.scalar.bits())).collect();
        let to = pick(self.random, &types);
        self.b.bitcast(a, to)
    }

    fn index(&mut self, ty: Type) -> Value {
        if self.random.usize(..4) == 0 {
            let lane = self.random.usize(..usize::from(ty.lanes)) as i64;
            return self.b.int(Type::I32, lane);
        }
        let index = self.scalar(ScalarType::I32);
        let mask = self.b.int(Type::I32, i64::from(ty.lanes) - 1);
        self.b.binary(BinaryOp::And, index, mask)
    }

    fn resized(&mut self, ty: Type) -> Value {
        let a = self.of(ty);
        if ty.scalar.is_float() {
            let to = if ty.scalar == ScalarType::F32 { ScalarType::F64 } else { ScalarType::F32 };
            let op = if ty.scalar == ScalarType::F32 { ConvertOp::FExt } else { ConvertOp::FTrunc };
            return self.b.convert(op, a, ty.with_scalar(to));
        }
        let to = pick(self.random, &SCALARS[..4]);
        let signed = self.random.usize(..2) == 0;
        self.b.resize(a, to, signed)
    }

    /// An `if` with a result.
    fn branch(&mut self, ty: Type) -> Value {
        let (a, b) = (self.of(ty), self.of(ty));
        let (x, y) = (self.scalar(ScalarType::I32), self.scalar(ScalarType::I32));
        let condition = self.b.compare(CompareOp::ULt, x, y);
        let then = self.b.nested(|b| b.effect(Op::Yield([a].as_slice().into())));
        let otherwise = self.b.nested(|builder| {
            let changed = b_value(builder, b, ty);
            builder.effect(Op::Yield([changed].as_slice().into()));
        });
        self.b.push(Op::If { condition, then, otherwise }, &[ty])[0]
    }

    /// Three rounds of a loop that carries a vector.
    fn looped(&mut self, ty: Type) -> Value {
        let start = self.of(ty);
        let zero = self.b.int(Type::I32, 0);
        let body = self.b.function.new_region();
        let carried = self.b.function.add_region_param(body, ty);
        let count = self.b.function.add_region_param(body, Type::I32);
        self.b.enter(body);
        let changed = b_value(&mut self.b, carried, ty);
        let one = self.b.int(Type::I32, 1);
        let next = self.b.binary(BinaryOp::Add, count, one);
        self.b.effect(Op::Continue([changed, next].as_slice().into()));
        self.b.leave();
        let continuing = self.b.function.new_region();
        let step = self.b.function.add_region_param(continuing, ty);
        let count = self.b.function.add_region_param(continuing, Type::I32);
        self.b.enter(continuing);
        let three = self.b.int(Type::I32, 3);
        let condition = self.b.compare(CompareOp::ULt, count, three);
        let (next, results) = ([step, count].as_slice().into(), [step].as_slice().into());
        self.b.effect(Op::NextIf { condition, next, results });
        self.b.leave();
        let inits = [start, zero].as_slice().into();
        self.b.push(Op::Loop { inits, body, continuing, hint: LoopHint::None }, &[ty])[0]
    }
}

/// Another value of the type.
fn b_value(b: &mut Builder<'_>, value: Value, ty: Type) -> Value {
    match ty.scalar.is_float() {
        true => b.binary(BinaryOp::FAdd, value, value),
        false => b.binary(BinaryOp::Mul, value, value),
    }
}

const MEMORY: u64 = 2048;

/// `f(in, out)`: loads vectors, computes, stores what came out.
fn random_function(random: &mut Rng, callee: FunctionId) -> Function {
    let mut function = Function::new("f");
    let pointer = Type::ptr(Space::Global);
    let (input, output) = (function.add_param(pointer), function.add_param(pointer));
    let mut program = Program { b: Builder::new(&mut function), random, values: Vec::new() };
    for index in 0..6 {
        let scalar = pick(program.random, &SCALARS);
        let ty = Type::vector(scalar, pick(program.random, &[8, 16]));
        let ptr = program.b.offset(input, index * 128);
        let value = program.b.load(ty, ptr, scalar.bytes() as u32);
        program.values.push(value);
    }
    for _ in 0..20 {
        program.step();
    }
    let wide = program.of(Type::vector(ScalarType::I16, 16));
    let sum = program.b.call(callee, &[wide], Some(Type::I16)).expect("a result");
    program.values.push(sum);
    let mut at = 0;
    for value in program.values.clone() {
        let ty = program.b.ty(value);
        if ty.scalar != ScalarType::Bool && at + 128 <= MEMORY as i64 * 4 {
            let ptr = program.b.offset(output, at);
            program.b.store(ptr, value, ty.scalar.bytes() as u32);
            at += 128;
        }
    }
    program.b.effect(Op::Return(None));
    function
}

/// A function with a wide parameter: adds two lanes.
fn callee() -> Function {
    let mut function = Function::new("callee");
    function.result = Some(Type::I16);
    let param = function.add_param(Type::vector(ScalarType::I16, 16));
    let mut b = Builder::new(&mut function);
    let (low, high) = (b.extract(param, 2), b.extract(param, 13));
    let sum = b.binary(BinaryOp::Add, low, high);
    b.effect(Op::Return(Some(sum)));
    function
}

/// The output memory after `f`.
fn outcome(module: &Module) -> Vec<u8> {
    let mut machine = Machine::new(module);
    let (input, output) = (machine.allocate(MEMORY, 16), machine.allocate(MEMORY * 4, 16));
    let mut random = Rng::with_seed(0x1234_5678_9ABC_DEF1);
    let bytes: Vec<u8> = (0..MEMORY).map(|_| random.u8(..)).collect();
    machine.write(input, &bytes);
    machine.run("f", &[input, output]);
    machine.read(output, MEMORY * 4).to_vec()
}

/// What the pass legalises to.
const AFTER: verify::Dialect = verify::Dialect::Vulkan(verify::Legalized::WideVectors);

#[test]
fn random_programs_compute_the_same() {
    for seed in 1..=150 {
        let mut random = Rng::with_seed(seed);
        let function = random_function(&mut random, FunctionId::new(1));
        let mut module = Module { functions: ti_vec![function, callee()], ..Module::default() };
        verify::verify(&module, verify::Dialect::Core).expect("the generator keeps the contract");
        let before = outcome(&module);
        split(&mut module, usize::MAX).expect("the pass succeeds");
        let text = print::print(&module);
        verify::verify(&module, AFTER).unwrap_or_else(|message| panic!("seed {seed}: {message}\n{text}"));
        for function in &module.functions {
            let mut types = function.values().map(|value| function.ty(value));
            assert!(types.all(|ty| ty.lanes <= 4), "seed {seed}: wide vectors are left\n{text}");
        }
        assert!(outcome(&module) == before, "seed {seed}: the results differ\n{text}");
    }
}

#[test]
fn parts_keep_the_alignment_that_is_left() {
    let mut function = Function::new("f");
    let ptr = function.add_param(Type::ptr(Space::Global));
    let mut b = Builder::new(&mut function);
    let value = b.load(Type::vector(ScalarType::I8, 16), ptr, 16);
    b.store(ptr, value, 1);
    b.effect(Op::Return(None));
    let mut module = Module { functions: ti_vec![function], ..Module::default() };
    split(&mut module, usize::MAX).expect("the pass succeeds");
    let aligns = |store: bool| -> Vec<u32> {
        let insts = module.functions.raw[0].insts.iter();
        insts
            .filter_map(|inst| match inst.op {
                Op::Load { align, .. } if !store => Some(align),
                Op::Store { align, .. } if store => Some(align),
                _ => None,
            })
            .collect()
    };
    // Parts are 4 bytes: at 0, 4, 8 and 12 of something aligned to 16.
    assert_eq!(aligns(false), [16, 4, 8, 4]);
    assert_eq!(aligns(true), [1, 1, 1, 1]);
}

#[test]
fn a_wide_result_is_refused() {
    let mut function = Function::new("f");
    function.result = Some(Type::vector(ScalarType::F32, 8));
    let mut module = Module { functions: ti_vec![function], ..Module::default() };
    assert!(split(&mut module, usize::MAX).is_err());
}
