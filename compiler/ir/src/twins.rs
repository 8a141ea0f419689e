//! Random programs for tests of transformations. Each is built twice: unchanged, and with the constant folding of the
//! builder.

use crate::interpret::Machine;
use crate::*;
use fastrand::Rng;
use typed_index_collections::ti_vec;

/// One of the elements of a list.
fn pick<T: Copy>(random: &mut Rng, list: &[T]) -> T {
    list[random.usize(..list.len())]
}

const INTEGERS: [ScalarType; 4] = [ScalarType::I8, ScalarType::I16, ScalarType::I32, ScalarType::I64];
const FLOATS: [ScalarType; 3] = [ScalarType::F16, ScalarType::F32, ScalarType::F64];

/// A value in the plain function and in the folded one.
#[derive(Clone, Copy)]
pub struct Pair {
    /// In `plain`.
    pub plain: Value,
    /// In `folded`.
    pub folded: Value,
    /// The type of both.
    pub ty: Type,
}

struct Twins<'t> {
    plain: Builder<'t>,
    folded: Builder<'t>,
    random: &'t mut Rng,
    values: Vec<Pair>,
}

impl Twins<'_> {
    fn emit(&mut self, ty: Type, op: impl Fn(&dyn Fn(Pair) -> Value) -> Op) -> Pair {
        let plain = self.plain.push(op(&|pair: Pair| pair.plain), &[ty])[0];
        let folded = self.folded.emit(op(&|pair: Pair| pair.folded), ty);
        assert_eq!(self.folded.ty(folded), ty, "folding changes the type of {:?}", op(&|pair: Pair| pair.folded));
        let pair = Pair { plain, folded, ty };
        self.values.push(pair);
        pair
    }

    fn constant(&mut self, constant: Constant) -> Pair {
        let ty = constant.ty();
        let plain = self.plain.function.constant(constant.clone());
        Pair { plain, folded: self.folded.function.constant(constant), ty }
    }

    fn bits(&mut self, scalar: ScalarType) -> u64 {
        let any = self.random.u64(..);
        let bits = match scalar.is_float() {
            true => {
                let value = pick(self.random, &[0.0, -0.0, 1.0, -1.0, 2.0, 0.25, -8.0, 3.5, 1e-7, 65504.0]);
                pick(self.random, &[constant::float_bits(scalar, value), constant::float_bits(scalar, value), any])
            }
            false => pick(self.random, &[0, 0, 1, 1, u64::MAX, 2, 3, 8, 0xFF, 0xFFFF, 1 << (scalar.bits() - 1), any]),
        };
        bits & constant::mask(scalar)
    }

    /// A value of the type: a constant or one there is.
    fn of(&mut self, ty: Type) -> Pair {
        let known: Vec<Pair> = self.values.iter().copied().filter(|pair| pair.ty == ty).collect();
        if self.random.usize(..3) > 0 && !known.is_empty() {
            return pick(self.random, &known);
        }
        let splat = self.random.usize(..2) == 0;
        let first = self.bits(ty.scalar);
        let lanes = (0..ty.lanes).map(|_| if splat { first } else { self.bits(ty.scalar) }).collect();
        self.constant(Constant::Bits { ty, lanes })
    }

    fn any_type(&mut self, scalars: &[ScalarType]) -> Type {
        Type::vector(pick(self.random, scalars), pick(self.random, &[1, 1, 1, 2, 3, 4]))
    }

    fn integer(&mut self) -> Type {
        self.any_type(&[ScalarType::Bool, ScalarType::I8, ScalarType::I32, ScalarType::I32, ScalarType::I64])
    }

    fn step(&mut self) {
        match self.random.usize(..13) {
            12 => match self.random.usize(..5) {
                0 => self.swapped_bytes(),
                1 => self.signed_product(),
                2 => self.unsigned_byte(),
                3 => self.overflow_check(),
                _ => self.reinterpreted_bool(),
            },
            0 | 1 => self.integer_arithmetic(),
            2 => self.shift_or_division(),
            3 => {
                let ty = self.any_type(&FLOATS);
                let op = pick(self.random, &[BinaryOp::FAdd, BinaryOp::FSub, BinaryOp::FMul, BinaryOp::FDiv]);
                let (a, b) = (self.of(ty), self.of(ty));
                self.emit(ty, |v| Op::Binary { op, lhs: v(a), rhs: v(b) });
            }
            4 => {
                let float = self.random.usize(..3) == 0;
                let ty = if float { self.any_type(&FLOATS) } else { self.integer() };
                let op = match () {
                    () if float => UnaryOp::FNeg,
                    () if ty.scalar == ScalarType::Bool => UnaryOp::Not,
                    () => pick(self.random, &[UnaryOp::Neg, UnaryOp::Not]),
                };
                let a = self.of(ty);
                self.emit(ty, |v| Op::Unary { op, operand: v(a) });
            }
            5 | 6 => self.comparison(),
            7 => self.selection(),
            8 | 9 => self.conversion(),
            _ => self.lanes(),
        }
    }

    fn integer_arithmetic(&mut self) {
        use BinaryOp::*;
        let ty = self.integer();
        let ops: &[BinaryOp] =
            if ty.scalar == ScalarType::Bool { &[And, Or, Xor] } else { &[Add, Sub, Mul, And, Or, Xor, Add, Sub] };
        let op = pick(self.random, ops);
        let (a, b) = (self.of(ty), self.of(ty));
        self.emit(ty, |v| Op::Binary { op, lhs: v(a), rhs: v(b) });
    }

    fn shift_or_division(&mut self) {
        use BinaryOp::*;
        let ty = self.any_type(&INTEGERS);
        let op = pick(self.random, &[Shl, LShr, AShr, UDiv, URem, SDiv, SRem]);
        let (a, mut b) = (self.of(ty), self.of(ty));
        if matches!(op, Shl | LShr | AShr) {
            let mask = self.constant(Constant::int(ty, u64::from(ty.scalar.bits()) - 1));
            b = self.emit(ty, |v| Op::Binary { op: And, lhs: v(b), rhs: v(mask) });
            if self.random.usize(..2) == 0 {
                let count = self.random.u64(..u64::from(ty.scalar.bits()));
                b = self.constant(Constant::int(ty, count));
            }
        } else {
            // Positive, so neither zero nor -1.
            let (one, mask) = (self.constant(Constant::int(ty, 2)), self.constant(Constant::int(ty, 0x7F)));
            let some = self.emit(ty, |v| Op::Binary { op: And, lhs: v(b), rhs: v(mask) });
            b = self.emit(ty, |v| Op::Binary { op: Or, lhs: v(some), rhs: v(one) });
            if self.random.usize(..2) == 0 {
                let power = pick(self.random, &[1, 2, 4, 16]);
                b = self.constant(Constant::int(ty, power));
            }
        }
        self.emit(ty, |v| Op::Binary { op, lhs: v(a), rhs: v(b) });
    }

    /// Two shifts by bytes in opposite directions, put together.
    fn swapped_bytes(&mut self) {
        use BinaryOp::*;
        let ty = self.any_type(&[ScalarType::I16, ScalarType::I32, ScalarType::I64]);
        let (a, byte) = (self.of(ty), self.constant(Constant::int(ty, 8)));
        let odd = pick(self.random, &[8, 24, 32, 40, 56]) % u64::from(ty.scalar.bits());
        let odd = self.constant(Constant::int(ty, odd));
        let (right, sum) = (pick(self.random, &[LShr, AShr]), pick(self.random, &[Or, Xor, Add]));
        let left = self.emit(ty, |v| Op::Binary { op: Shl, lhs: v(a), rhs: v(byte) });
        let right = self.emit(ty, |v| Op::Binary { op: right, lhs: v(a), rhs: v(odd) });
        self.emit(ty, |v| Op::Binary { op: sum, lhs: v(left), rhs: v(right) });
    }

    /// Whether a product or sum of extended integers fits the type that they are extended from.
    fn overflow_check(&mut self) {
        use CompareOp::*;
        let narrow = self.any_type(&[ScalarType::I8, ScalarType::I16, ScalarType::I32]);
        let is_wide = narrow.scalar == ScalarType::I32 || self.random.usize(..4) == 0;
        let wide = narrow.with_scalar(if is_wide { ScalarType::I64 } else { ScalarType::I32 });
        let (convert, op) = pick(self.random, &[(ConvertOp::ZExt, BinaryOp::Mul), (ConvertOp::SExt, BinaryOp::Add)]);
        let [a, b] = [(); 2].map(|()| {
            let operand = self.of(narrow);
            self.emit(wide, |v| Op::Convert { op: convert, operand: v(operand) })
        });
        let value = self.emit(wide, |v| Op::Binary { op, lhs: v(a), rhs: v(b) });
        let compare = pick(self.random, &[UGt, UGe, ULt, ULe, SGt, SGe, SLt, SLe, Eq, Ne]);
        let low = if matches!(compare, Eq | Ne) {
            let low = self.emit(narrow, |v| Op::Convert { op: ConvertOp::Trunc, operand: v(value) });
            self.emit(wide, |v| Op::Convert { op: convert, operand: v(low) })
        } else {
            let bits = narrow.scalar.bits() - u32::from(op == BinaryOp::Add);
            let limit = (1 << bits) - u64::from(matches!(compare, UGt | ULe | SGt | SLe));
            self.constant(Constant::int(wide, limit))
        };
        let boolean = wide.with_scalar(ScalarType::Bool);
        self.emit(boolean, |v| Op::Compare { op: compare, lhs: v(value), rhs: v(low) });
    }

    /// A product of a sign-extended integer and a constant of more than 31 bits.
    fn signed_product(&mut self) {
        let a = self.of(Type::I32);
        let factor = pick(self.random, &[1 << 31, 0xFFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF, 0x9E37_79B9]);
        let factor = self.constant(Constant::int(Type::I64, factor));
        let a = self.emit(Type::I64, |v| Op::Convert { op: ConvertOp::SExt, operand: v(a) });
        self.emit(Type::I64, |v| Op::Binary { op: BinaryOp::Mul, lhs: v(a), rhs: v(factor) });
    }

    /// A sign-extended byte as an unsigned integer.
    fn unsigned_byte(&mut self) {
        let byte = self.of(Type::scalar(ScalarType::I8));
        let word = self.emit(Type::I32, |v| Op::Convert { op: ConvertOp::SExt, operand: v(byte) });
        self.emit(Type::scalar(ScalarType::F64), |v| Op::Convert { op: ConvertOp::UToF, operand: v(word) });
        let divisor = self.constant(Constant::int(Type::I32, 7));
        self.emit(Type::I32, |v| Op::Binary { op: BinaryOp::UDiv, lhs: v(word), rhs: v(divisor) });
    }

    /// The bytes of the result of a comparison.
    fn reinterpreted_bool(&mut self) {
        let (a, b) = (self.of(Type::I32), self.of(Type::I32));
        let less = self.emit(Type::BOOL, |v| Op::Compare { op: CompareOp::SLt, lhs: v(a), rhs: v(b) });
        let word = self.emit(Type::I32, |v| Op::Convert { op: ConvertOp::ZExt, operand: v(less) });
        let bytes = Type::vector(ScalarType::I8, 4);
        self.emit(bytes, |v| Op::Convert { op: ConvertOp::Bitcast, operand: v(word) });
    }

    fn comparison(&mut self) {
        use CompareOp::*;
        let float = self.random.usize(..4) == 0;
        let ty = if float { self.any_type(&FLOATS) } else { self.integer() };
        let ops: &[CompareOp] = match () {
            () if float => &[FEq, FNe, FLt, FLe, FGt, FGe, FOrd, FUno],
            () if ty.scalar == ScalarType::Bool => &[Eq, Ne],
            () => &[Eq, Ne, SLt, SLe, SGt, SGe, ULt, ULe, UGt, UGe],
        };
        let op = pick(self.random, ops);
        let (a, b) = (self.of(ty), self.of(ty));
        self.emit(ty.with_scalar(ScalarType::Bool), |v| Op::Compare { op, lhs: v(a), rhs: v(b) });
    }

    fn selection(&mut self) {
        let ty = self.integer();
        let lanes = pick(self.random, &[1, ty.lanes]);
        let condition = self.of(Type::vector(ScalarType::Bool, lanes));
        let (a, b) = (self.of(ty), self.of(ty));
        self.emit(ty, |v| Op::Select { condition: v(condition), if_true: v(a), if_false: v(b) });
    }

    fn conversion(&mut self) {
        use ConvertOp::*;
        let from = self.integer();
        let to = self.any_type(&INTEGERS).scalar;
        let a = self.of(from);
        if from.scalar == ScalarType::Bool || from.scalar.bits() < to.bits() {
            let op = pick(self.random, &[ZExt, SExt]);
            self.emit(from.with_scalar(to), |v| Op::Convert { op, operand: v(a) });
        } else if from.scalar.bits() > to.bits() {
            self.emit(from.with_scalar(to), |v| Op::Convert { op: Trunc, operand: v(a) });
        } else {
            let float = pick(self.random, &FLOATS);
            let op = pick(self.random, &[SToF, UToF]);
            self.emit(from.with_scalar(float), |v| Op::Convert { op, operand: v(a) });
        }
        let from = self.any_type(&FLOATS);
        let to = pick(self.random, &FLOATS);
        let a = self.of(from);
        if from.scalar != to {
            let op = if from.scalar.bits() < to.bits() { FExt } else { FTrunc };
            self.emit(from.with_scalar(to), |v| Op::Convert { op, operand: v(a) });
        }
        let from = pick(self.random, &[Type::I32, Type::I64, Type::vector(ScalarType::I8, 4)]);
        let to = match from.bits() {
            32 => pick(self.random, &[Type::I32, Type::vector(ScalarType::I16, 2), Type::vector(ScalarType::I8, 4)]),
            _ => pick(self.random, &[Type::vector(ScalarType::I32, 2), Type::vector(ScalarType::I16, 4)]),
        };
        let a = self.of(from);
        self.emit(to, |v| Op::Convert { op: Bitcast, operand: v(a) });
    }

    fn lanes(&mut self) {
        let lanes = pick(self.random, &[2, 3, 4]);
        let ty = Type::vector(pick(self.random, &[ScalarType::I8, ScalarType::I32, ScalarType::F32]), lanes);
        let lane = self.random.usize(..usize::from(lanes)) as u8;
        match self.random.usize(..6) {
            0 => {
                let a = self.of(ty);
                self.emit(ty.lane(), |v| Op::Extract { vector: v(a), lane });
            }
            1 => {
                let (a, scalar) = (self.of(ty), self.of(ty.lane()));
                self.emit(ty, |v| Op::Insert { vector: v(a), scalar: v(scalar), lane });
            }
            2 => {
                let mut vector = self.of(ty);
                for lane in 0..lanes {
                    let scalar = self.of(ty.lane());
                    vector = self.emit(ty, |v| Op::Insert { vector: v(vector), scalar: v(scalar), lane });
                }
            }
            3 => {
                let parts: Vec<Pair> = (0..lanes).map(|_| self.of(ty.lane())).collect();
                self.emit(ty, |v| Op::Construct { elements: parts.iter().map(|part| v(*part)).collect() });
            }
            4 => {
                let a = self.of(ty);
                let parts: Vec<Pair> =
                    (0..lanes).map(|lane| self.emit(ty.lane(), |v| Op::Extract { vector: v(a), lane })).collect();
                self.emit(ty, |v| Op::Construct { elements: parts.iter().map(|part| v(*part)).collect() });
            }
            _ => {
                let (a, b) = (self.of(ty), self.of(ty));
                let count = pick(self.random, &[2, 3, 4]);
                let picked: Lanes = (0..count).map(|_| self.random.usize(..usize::from(lanes) * 2) as u8).collect();
                self.emit(Type::vector(ty.scalar, count), |v| Op::Shuffle {
                    first: v(a),
                    second: v(b),
                    lanes: picked.clone(),
                });
            }
        }
    }
}

/// Stores every value that can be stored, 32 bytes each.
fn store_all(b: &mut Builder<'_>, output: Value, values: &[Value]) {
    for (index, value) in values.iter().enumerate() {
        let mut value = *value;
        if b.ty(value).scalar == ScalarType::Bool {
            let ty = b.ty(value).with_scalar(ScalarType::I8);
            value = b.push(Op::Convert { op: ConvertOp::ZExt, operand: value }, &[ty])[0];
        }
        let displacement = index as i64 * 32;
        let ptr = b.push(Op::PtrAdd { base: output, index: None, stride: 0, displacement }, &[b.ty(output)])[0];
        b.store(ptr, value, b.ty(value).scalar.bytes() as u32);
    }
    b.effect(Op::Return(None));
}

/// Loads a value of each type from `input`.
fn inputs(b: &mut Builder<'_>, input: Value) -> Vec<Value> {
    let types =
        INTEGERS.iter().chain(&FLOATS).flat_map(|scalar| [1, 2, 3, 4].map(|lanes| Type::vector(*scalar, lanes)));
    types
        .enumerate()
        .map(|(index, ty)| {
            let displacement = index as i64 * 32;
            let ptr = b.push(Op::PtrAdd { base: input, index: None, stride: 0, displacement }, &[b.ty(input)])[0];
            b.load(ty, ptr, ty.scalar.bytes() as u32)
        })
        .collect()
}

/// The bytes that a function of a [`program`] stores, 32 for each of `count` values.
pub fn outcome(module: &Module, name: &str, count: usize) -> Vec<u8> {
    let mut machine = Machine::new(module);
    let (input, output) = (machine.allocate(1024, 32), machine.allocate(count as u64 * 32, 32));
    let mut random = Rng::with_seed(0x1357_9BDF_0246_8ACE);
    let bytes: Vec<u8> = (0..1024).map(|_| random.u8(..)).collect();
    machine.write(input, &bytes);
    machine.run(name, &[input, output]);
    machine.read(output, count as u64 * 32).to_vec()
}

/// The position of the first value that is not the same in two results of [`outcome`].
pub fn first_difference(values: &[Pair], before: &[u8], after: &[u8]) -> Option<usize> {
    let stored = before.chunks(32).zip(after.chunks(32));
    values.iter().zip(stored).position(|(pair, (before, after))| !same(pair.ty, before, after))
}

/// Whether the stored values of a type are equal; NaNs are, whatever their payload. Boolean values are stored as bytes.
fn same(ty: Type, a: &[u8], b: &[u8]) -> bool {
    let ty = if ty.scalar == ScalarType::Bool { ty.with_scalar(ScalarType::I8) } else { ty };
    let bytes = ty.scalar.bytes() as usize;
    let bits = |chunk: &[u8]| chunk.iter().rev().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    let lanes = usize::from(ty.lanes) * bytes;
    a[..lanes].chunks(bytes).zip(b[..lanes].chunks(bytes)).all(|(a, b)| {
        let nan = |chunk: &[u8]| ty.scalar.is_float() && constant::float_value(ty.scalar, bits(chunk)).is_nan();
        a == b || nan(a) && nan(b)
    })
}

/// The module with the functions `plain` and `folded` of a seed, and the values that both store, in order.
pub fn program(seed: u64) -> (Module, Vec<Pair>) {
    let mut random = Rng::with_seed(seed);
    let [mut plain, mut folded] = ["plain", "folded"].map(Function::new);
    let pointer = Type::ptr(Space::Global);
    let params = [&mut plain, &mut folded].map(|function| (function.add_param(pointer), function.add_param(pointer)));
    let mut twins = Twins {
        plain: Builder::new(&mut plain),
        folded: Builder::new(&mut folded),
        random: &mut random,
        values: Vec::new(),
    };
    let (plain_inputs, folded_inputs) = (inputs(&mut twins.plain, params[0].0), inputs(&mut twins.folded, params[1].0));
    for (plain, folded) in plain_inputs.into_iter().zip(folded_inputs) {
        twins.values.push(Pair { plain, folded, ty: twins.plain.ty(plain) });
    }
    for _ in 0..60 {
        twins.step();
    }
    let values = twins.values.clone();
    store_all(&mut twins.plain, params[0].1, &values.iter().map(|pair| pair.plain).collect::<Vec<_>>());
    store_all(&mut twins.folded, params[1].1, &values.iter().map(|pair| pair.folded).collect::<Vec<_>>());
    (Module { functions: ti_vec![plain, folded], ..Module::default() }, values)
}
