//! An interpreter of the IR for tests. Memory that was never written holds 0xAA bytes, and every object has exactly the
//! alignment that it requires, so that accesses with a wrong alignment are found.
//!
//! It computes by itself: what constants are folded with is not used here, so that each can be tested against the other.

use super::*;
use std::collections::HashMap;
use typed_index_collections::{TiVec, ti_vec};

/// The bits of a value, lane by lane.
pub type Lanes = Vec<u64>;

const UNDEFINED: u64 = 0xAAAA_AAAA_AAAA_AAAA;

pub struct Machine<'m> {
    module: &'m Module,
    memory: Vec<u8>,
    globals: HashMap<GlobalId, u64>,
    /// Instructions left before the program counts as endless.
    fuel: u64,
}

enum Flow {
    Yield(Vec<Lanes>),
    Break(Vec<Lanes>),
    Continue(Vec<Lanes>),
    Fall(Vec<Lanes>),
    Next(Vec<Lanes>),
    Return(Option<Lanes>),
}

struct Frame<'m> {
    function: &'m Function,
    values: TiVec<Value, Option<Lanes>>,
}

impl<'m> Machine<'m> {
    pub fn new(module: &'m Module) -> Machine<'m> {
        Machine { module, memory: vec![0xAA; 64], globals: HashMap::new(), fuel: 2_000_000 }
    }

    /// Calls a function by name with scalar arguments; a scalar result is one lane.
    pub fn run(&mut self, name: &str, args: &[u64]) -> Option<Vec<u64>> {
        let function = self.module.functions.iter().find(|function| function.name == name).expect("the function");
        self.call(function, args.iter().map(|arg| vec![*arg]).collect())
    }

    /// Room for an object: aligned to `align`, not to twice that.
    pub fn allocate(&mut self, size: u64, align: u64) -> u64 {
        let mut at = (self.memory.len() as u64).next_multiple_of(align);
        if at.is_multiple_of(2 * align) {
            at += align;
        }
        self.memory.resize((at + size) as usize, 0xAA);
        at
    }

    pub fn write(&mut self, at: u64, bytes: &[u8]) {
        self.memory[at as usize..at as usize + bytes.len()].copy_from_slice(bytes);
    }

    pub fn read(&self, at: u64, size: u64) -> &[u8] {
        &self.memory[at as usize..(at + size) as usize]
    }

    fn call(&mut self, function: &'m Function, args: Vec<Lanes>) -> Option<Lanes> {
        let mut frame = Frame { function, values: ti_vec![None; function.value_count()] };
        assert_eq!(args.len(), function.params.len(), "arguments of {}", function.name);
        for (param, arg) in function.params.iter().zip(args) {
            frame.values[*param] = Some(arg);
        }
        match self.region(&mut frame, function.body, Vec::new()) {
            Flow::Return(value) => value,
            _ => panic!("{} does not return", function.name),
        }
    }

    fn region(&mut self, frame: &mut Frame<'m>, id: RegionId, args: Vec<Lanes>) -> Flow {
        let region = frame.function.region(id);
        for (param, arg) in region.params.iter().zip(args) {
            frame.values[*param] = Some(arg);
        }
        for inst in &region.insts {
            if let Some(flow) = self.inst(frame, *inst) {
                return flow;
            }
        }
        panic!("a region without terminator");
    }

    fn inst(&mut self, frame: &mut Frame<'m>, id: InstId) -> Option<Flow> {
        self.fuel = self.fuel.checked_sub(1).expect("the program does not end");
        let inst = frame.function.inst(id);
        let all = |values: &Values| values.iter().map(|value| frame.get(*value)).collect::<Vec<_>>();
        let results = match &inst.op {
            Op::Yield(values) => return Some(Flow::Yield(all(values))),
            Op::Break(values) => return Some(Flow::Break(all(values))),
            Op::Continue(values) => return Some(Flow::Continue(all(values))),
            Op::Fallthrough(values) => return Some(Flow::Fall(all(values))),
            Op::Next(values) => return Some(Flow::Next(all(values))),
            Op::NextIf { condition, next, results } => {
                let next =
                    if frame.get(*condition)[0] != 0 { Flow::Next(all(next)) } else { Flow::Break(all(results)) };
                return Some(next);
            }
            Op::Return(value) => return Some(Flow::Return(value.map(|value| frame.get(value)))),
            Op::Unreachable => panic!("unreachable was reached"),
            Op::Barrier { .. } => Vec::new(),
            Op::If { condition, then, otherwise } => {
                let region = if frame.get(*condition)[0] != 0 { *then } else { *otherwise };
                match self.region(frame, region, Vec::new()) {
                    Flow::Yield(values) => values,
                    flow => return Some(flow),
                }
            }
            Op::Switch { selector, inputs, cases } => {
                let (selector, inputs) = (frame.get(*selector)[0], all(inputs));
                match self.switch(frame, cases, selector, inputs) {
                    Flow::Break(values) => values,
                    flow => return Some(flow),
                }
            }
            Op::Loop { inits, body, continuing, .. } => {
                let mut carried = all(inits);
                loop {
                    let step = match self.region(frame, *body, carried) {
                        Flow::Break(values) => break values,
                        Flow::Continue(values) => values,
                        flow => return Some(flow),
                    };
                    match self.region(frame, *continuing, step) {
                        Flow::Next(values) => carried = values,
                        Flow::Break(values) => break values,
                        _ => panic!("a continuing region left"),
                    }
                }
            }
            Op::Call { function, args } => {
                let args = all(args);
                self.call(&self.module.functions[*function], args).into_iter().collect()
            }
            Op::Store { ptr, value, align, .. } => {
                let (at, ty, value) = (frame.get(*ptr)[0], frame.function.ty(*value), frame.get(*value));
                self.store(at, ty, u64::from(*align), &value);
                Vec::new()
            }
            op => vec![self.simple(frame, op, frame.function.ty(inst.results[0]))],
        };
        for (result, value) in inst.results.iter().zip(results) {
            frame.values[*result] = Some(value);
        }
        None
    }

    fn switch(&mut self, frame: &mut Frame<'m>, cases: &[Case], selector: u64, inputs: Vec<Lanes>) -> Flow {
        let listed = cases.iter().position(|case| case.values.contains(&selector));
        let mut at = listed.or_else(|| cases.iter().position(|case| case.default)).expect("a default");
        let mut inputs = inputs;
        loop {
            match self.region(frame, cases[at].region, inputs) {
                Flow::Fall(values) => inputs = values,
                flow => return flow,
            }
            at += 1;
        }
    }

    fn store(&mut self, at: u64, ty: Type, align: u64, lanes: &[u64]) {
        assert_eq!(at % align, 0, "a store of {ty} is not aligned to {align}");
        let bytes = ty.scalar.bytes() as usize;
        for (lane, value) in lanes.iter().enumerate() {
            self.write(at + (lane * bytes) as u64, &value.to_le_bytes()[..bytes]);
        }
    }

    fn simple(&mut self, frame: &Frame<'m>, op: &Op, ty: Type) -> Lanes {
        let get = |value: &Value| frame.get(*value);
        match op {
            Op::Alloca { size, align } => vec![self.allocate(*size, *align)],
            Op::Load { ptr, align, .. } => {
                let at = get(ptr)[0];
                assert_eq!(at % u64::from(*align), 0, "a load of {ty} is not aligned to {align}");
                let bytes = ty.scalar.bytes();
                let lane =
                    |lane| self.read(at + lane * bytes, bytes).iter().rev().fold(0, |v, b| v << 8 | u64::from(*b));
                (0..u64::from(ty.lanes)).map(lane).collect()
            }
            Op::GlobalAddress(global) => vec![self.global(*global)],
            Op::WorkItem { query, .. } => vec![only_work_item(*query)],
            Op::PtrAdd { base, index, stride, displacement } => {
                let index =
                    index.as_ref().map_or(0, |index| sign_extend(frame.function.ty(*index).scalar, get(index)[0]));
                let offset = index.wrapping_mul(*stride).wrapping_add(*displacement);
                vec![get(base)[0].wrapping_add(offset as u64)]
            }
            op => compute(frame.function, op, ty, |value| frame.get(value)),
        }
    }

    fn global(&mut self, id: GlobalId) -> u64 {
        if let Some(at) = self.globals.get(&id) {
            return *at;
        }
        let global = self.module.global(id);
        let at = self.allocate(global.size, global.align);
        self.globals.insert(id, at);
        if let Some(bytes) = &global.init {
            self.write(at, bytes);
        }
        for relocation in &global.relocations {
            let target = self.global(relocation.target).wrapping_add(relocation.addend as u64);
            self.write(at + relocation.offset, &target.to_le_bytes());
        }
        at
    }
}

impl Frame<'_> {
    fn get(&self, value: Value) -> Lanes {
        match self.function.as_constant(value) {
            Some(Constant::Bits { lanes, .. }) => lanes.to_vec(),
            Some(Constant::Undef(ty)) => vec![UNDEFINED & mask(ty.scalar); usize::from(ty.lanes)],
            None => self.values[value].clone().expect("a value that was computed"),
        }
    }
}

/// What a query gives where there is one work-item: no offsets, and sizes of one.
fn only_work_item(query: WorkItemQuery) -> u64 {
    use WorkItemQuery as Q;
    match query {
        Q::GlobalSize | Q::LocalSize | Q::EnqueuedLocalSize | Q::NumGroups | Q::WorkDim => 1,
        Q::SubGroupSize | Q::MaxSubGroupSize | Q::NumSubGroups | Q::EnqueuedNumSubGroups => 1,
        Q::GlobalId | Q::GlobalOffset | Q::LocalId | Q::GroupId | Q::GlobalLinearId | Q::LocalLinearId => 0,
        Q::SubGroupId | Q::SubGroupLocalId | Q::QueueMemory => 0,
    }
}

/// What an operation computes that needs nothing but its operands, given their lanes.
pub fn compute(function: &Function, op: &Op, ty: Type, get: impl Fn(Value) -> Lanes) -> Lanes {
    let get = |value: &Value| get(*value);
    let ty_of = |value: &Value| function.ty(*value);
    match op {
        Op::Unary { op, operand } => get(operand).iter().map(|lane| unary(*op, ty.scalar, *lane)).collect(),
        Op::Binary { op, lhs, rhs } => {
            get(lhs).iter().zip(get(rhs)).map(|(a, b)| binary(*op, ty.scalar, *a, b) & mask(ty.scalar)).collect()
        }
        Op::Compare { op, lhs, rhs } => {
            let scalar = ty_of(lhs).scalar;
            get(lhs).iter().zip(get(rhs)).map(|(a, b)| u64::from(compare(*op, scalar, *a, b))).collect()
        }
        Op::Select { condition, if_true, if_false } => {
            let (condition, if_true, if_false) = (get(condition), get(if_true), get(if_false));
            let chosen =
                |lane: usize| if condition[lane % condition.len()] != 0 { if_true[lane] } else { if_false[lane] };
            (0..if_true.len()).map(chosen).collect()
        }
        Op::Convert { op, operand } => convert(*op, ty_of(operand), ty, &get(operand)),
        Op::Extract { vector, lane } => vec![get(vector)[usize::from(*lane)]],
        Op::ExtractDynamic { vector, index } => vec![get(vector)[get(index)[0] as usize]],
        Op::Insert { vector, scalar, lane } => {
            let mut lanes = get(vector);
            lanes[usize::from(*lane)] = get(scalar)[0];
            lanes
        }
        Op::InsertDynamic { vector, scalar, index } => {
            let mut lanes = get(vector);
            lanes[get(index)[0] as usize] = get(scalar)[0];
            lanes
        }
        Op::Construct { elements } => elements.iter().map(|value| get(value)[0]).collect(),
        Op::Shuffle { first, second, lanes } => {
            let both = [get(first), get(second)].concat();
            lanes.iter().map(|lane| both.get(usize::from(*lane)).copied().unwrap_or(UNDEFINED)).collect()
        }
        Op::Intrinsic { function, args } => {
            let args: Vec<Lanes> = args.iter().map(&get).collect();
            (0..args[0].len()).map(|lane| intrinsic(*function, ty.scalar, &args, lane)).collect()
        }
        other => panic!("the interpreter does not know {other:?}"),
    }
}

/// One lane of an intrinsic that has an instruction.
fn intrinsic(function: Intrinsic, scalar: ScalarType, args: &[Lanes], lane: usize) -> u64 {
    let float = |index: usize| float_value(scalar, args[index][lane]);
    match (function, scalar) {
        (Intrinsic::Fma, ScalarType::F64) => float(0).mul_add(float(1), float(2)).to_bits(),
        (Intrinsic::NativeRsqrt, ScalarType::F32) => float_bits(scalar, float(0).sqrt().recip()),
        (Intrinsic::UMulHi, ScalarType::I32) => (args[0][lane] * args[1][lane]) >> 32,
        (Intrinsic::FindMsb, ScalarType::I32) => {
            (args[0][lane] as u32).checked_ilog2().map_or(u64::from(u32::MAX), u64::from)
        }
        (Intrinsic::BitFieldUExtract | Intrinsic::BitFieldSExtract, ScalarType::I32) => {
            let (first, unused) = (args[1][0], 32 - args[2][0]);
            let raised = ((args[0][lane] >> first) as u32) << unused;
            let signed = function == Intrinsic::BitFieldSExtract;
            u64::from(if signed { (raised.cast_signed() >> unused).cast_unsigned() } else { raised >> unused })
        }
        _ => panic!("the interpreter does not know {function:?} of {scalar:?}"),
    }
}

fn unary(op: UnaryOp, scalar: ScalarType, a: u64) -> u64 {
    match op {
        UnaryOp::Neg => a.wrapping_neg() & mask(scalar),
        UnaryOp::Not => !a & mask(scalar),
        UnaryOp::FNeg => a ^ (1 << (scalar.bits() - 1)),
    }
}

fn binary(op: BinaryOp, scalar: ScalarType, a: u64, b: u64) -> u64 {
    let (sa, sb) = (sign_extend(scalar, a), sign_extend(scalar, b));
    let float = |f: fn(f64, f64) -> f64| float_bits(scalar, f(float_value(scalar, a), float_value(scalar, b)));
    if matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr) {
        assert!(b < u64::from(scalar.bits()), "a shift count that is not masked");
    }
    match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Sub => a.wrapping_sub(b),
        BinaryOp::Mul => a.wrapping_mul(b),
        BinaryOp::SDiv => sa.wrapping_div(sb) as u64,
        BinaryOp::UDiv => a / b,
        BinaryOp::SRem => sa.wrapping_rem(sb) as u64,
        BinaryOp::URem => a % b,
        BinaryOp::Shl => a << b,
        BinaryOp::LShr => a >> b,
        BinaryOp::AShr => (sa >> b) as u64,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::FAdd => float(|a, b| a + b),
        BinaryOp::FSub => float(|a, b| a - b),
        BinaryOp::FMul => float(|a, b| a * b),
        BinaryOp::FDiv => float(|a, b| a / b),
    }
}

fn compare(op: CompareOp, scalar: ScalarType, a: u64, b: u64) -> bool {
    let (sa, sb) = (sign_extend(scalar, a), sign_extend(scalar, b));
    let (fa, fb) = (float_value(scalar, a), float_value(scalar, b));
    match op {
        CompareOp::Eq => a == b,
        CompareOp::Ne => a != b,
        CompareOp::SLt => sa < sb,
        CompareOp::SLe => sa <= sb,
        CompareOp::SGt => sa > sb,
        CompareOp::SGe => sa >= sb,
        CompareOp::ULt => a < b,
        CompareOp::ULe => a <= b,
        CompareOp::UGt => a > b,
        CompareOp::UGe => a >= b,
        CompareOp::FEq => fa == fb,
        CompareOp::FNe => fa != fb,
        CompareOp::FLt => fa < fb,
        CompareOp::FLe => fa <= fb,
        CompareOp::FGt => fa > fb,
        CompareOp::FGe => fa >= fb,
        CompareOp::FOrd => !fa.is_nan() && !fb.is_nan(),
        CompareOp::FUno => fa.is_nan() || fb.is_nan(),
    }
}

fn convert(op: ConvertOp, from: Type, to: Type, lanes: &[u64]) -> Lanes {
    if op == ConvertOp::Bitcast {
        let mut bytes = Vec::new();
        for lane in lanes {
            bytes.extend_from_slice(&lane.to_le_bytes()[..from.scalar.bytes() as usize]);
        }
        let chunk = |chunk: &[u8]| chunk.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
        return bytes.chunks(to.scalar.bytes() as usize).map(chunk).collect();
    }
    let (f, t) = (from.scalar, to.scalar);
    let one = |a: u64| match op {
        ConvertOp::SExt => sign_extend(f, a) as u64,
        ConvertOp::FTrunc | ConvertOp::FExt => float_bits(t, float_value(f, a)),
        ConvertOp::FToS => float_value(f, a) as i64 as u64,
        ConvertOp::FToU => float_value(f, a) as u64,
        ConvertOp::SToF => int_to_float(t, i128::from(sign_extend(f, a))),
        ConvertOp::UToF => int_to_float(t, i128::from(a)),
        _ => a,
    };
    lanes.iter().map(|lane| one(*lane) & mask(t)).collect()
}

/// An integer as a float, rounded to nearest even.
pub fn int_to_float(to: ScalarType, x: i128) -> u64 {
    match to {
        ScalarType::F32 => u64::from((x as f32).to_bits()),
        ScalarType::F64 => (x as f64).to_bits(),
        // Rust's conversion to double is exact below 2^53, and all above 2^17 is infinite in half.
        _ => float_bits(to, x as f64),
    }
}

/// The bits that a scalar has, all set.
fn mask(scalar: ScalarType) -> u64 {
    (1_u128 << scalar.bits()).wrapping_sub(1) as u64
}

fn sign_extend(scalar: ScalarType, bits: u64) -> i64 {
    match scalar.bits() {
        1 => -((bits & 1) as i64),
        8 => i64::from(bits as i8),
        16 => i64::from(bits as i16),
        32 => i64::from(bits as i32),
        _ => bits as i64,
    }
}

fn float_value(scalar: ScalarType, bits: u64) -> f64 {
    match scalar {
        ScalarType::F16 => half_value(bits),
        ScalarType::F32 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

fn float_bits(scalar: ScalarType, value: f64) -> u64 {
    match scalar {
        ScalarType::F16 => half_bits(value),
        ScalarType::F32 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

/// The value of the bits of a half: a sign, 5 bits of exponent and 10 of significand.
fn half_value(bits: u64) -> f64 {
    let (exponent, significand) = (bits >> 10 & 0x1F, (bits & 0x3FF) as f64);
    let magnitude = match exponent {
        0 => significand * f64::powi(2.0, -24),
        0x1F if significand == 0.0 => f64::INFINITY,
        0x1F => f64::NAN,
        _ => (1024.0 + significand) * f64::powi(2.0, exponent as i32 - 25),
    };
    if bits & 0x8000 != 0 { -magnitude } else { magnitude }
}

/// The bits of the nearest half. A magnitude is counted in units of its last place, which is exact but for the rounding.
fn half_bits(value: f64) -> u64 {
    let sign = if value.is_sign_negative() { 0x8000 } else { 0 };
    let magnitude = value.abs();
    let bits = if value.is_nan() {
        0x7E00
    } else if magnitude >= 65520.0 {
        0x7C00
    } else {
        let exponent = ((magnitude.to_bits() >> 52) as i32 - 1023).max(-14);
        let units = (magnitude * f64::powi(2.0, 10 - exponent)).round_ties_even() as u64;
        // The leading bit of a normal number adds one to the exponent; so does a significand rounded up to 2048.
        ((exponent + 14) as u64) * 1024 + units
    };
    sign | bits
}
