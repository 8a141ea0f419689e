//! Checks the contract of the module documentation. Runs after every pass in debug builds and tests.

use super::*;

/// Checks every function of a module.
///
/// # Errors
/// The first violation of the contract.
pub fn verify(module: &Module) -> Result<(), VerifyError> {
    for function in &module.functions {
        if function.is_declaration() {
            continue;
        }
        let mut verifier = Verifier {
            module,
            function,
            visible: vec![false; function.value_count()],
            seen: vec![false; function.regions.len()],
            context: Context::default(),
        };
        verifier.function().map_err(|error| error.in_function(function))?;
    }
    Ok(())
}

/// What encloses the region being checked.
#[derive(Clone, Default)]
struct Context {
    /// Types `yield` must have; `None` where it may not stand.
    yields: Option<Vec<Type>>,
    breaks: Option<Vec<Type>>,
    continues: Option<Vec<Type>>,
    falls: Option<Vec<Type>>,
    next: Option<(Vec<Type>, Vec<Type>)>,
    in_continuing: bool,
}

struct Verifier<'v> {
    module: &'v Module,
    function: &'v Function,
    visible: Vec<bool>,
    seen: Vec<bool>,
    context: Context,
}

const SAMPLER: Type = Type::scalar(ScalarType::Opaque(Opaque::Sampler));

type Check = Result<(), VerifyError>;

fn require(condition: bool, message: impl FnOnce() -> String) -> Check {
    if condition { Ok(()) } else { Err(message().into()) }
}

impl Verifier<'_> {
    fn function(&mut self) -> Check {
        for param in &self.function.params {
            self.visible[param.0 as usize] = true;
        }
        if let Some(kernel) = &self.function.kernel {
            require(kernel.arguments.len() >= self.function.params.len() || self.function.params.is_empty(), || {
                "more parameters than kernel arguments".into()
            })?;
            require(self.function.result.is_none(), || "a kernel has a result".into())?;
        }
        self.region(self.function.body, self.context.clone())
    }

    fn types(&self, values: &[Value]) -> Vec<Type> {
        values.iter().map(|value| self.function.ty(*value)).collect()
    }

    fn region(&mut self, id: RegionId, context: Context) -> Check {
        require(!std::mem::replace(&mut self.seen[id.0 as usize], true), || {
            format!("region {} is nested in two places", id.0)
        })?;
        let outer = std::mem::replace(&mut self.context, context);
        let region = self.function.region(id);
        for param in &region.params {
            self.visible[param.0 as usize] = true;
        }
        let count = region.insts.len();
        require(count > 0, || format!("region {} is empty", id.0))?;
        for (index, inst) in region.insts.iter().enumerate() {
            let op = &self.function.inst(*inst).op;
            require(op.is_terminator() == (index + 1 == count), || {
                format!("a terminator must end the region and nothing else may: {op:?} at {index} of {count}")
            })?;
            self.inst(*inst, id).map_err(|error| error.in_inst(self.function, *inst))?;
        }
        for inst in &region.insts {
            for result in &self.function.inst(*inst).results {
                self.visible[result.0 as usize] = false;
            }
        }
        for param in &region.params {
            self.visible[param.0 as usize] = false;
        }
        self.context = outer;
        Ok(())
    }

    fn inst(&mut self, id: InstId, region: RegionId) -> Check {
        let inst = self.function.inst(id);
        let mut problem = None;
        inst.op.for_each_operand(|value| {
            let index = value.0 as usize;
            let constant = matches!(self.function.values.get(index), Some((_, ValueDef::Constant(_))));
            if !constant && !self.visible.get(index).copied().unwrap_or(false) {
                problem.get_or_insert(value);
            }
        });
        if let Some(value) = problem {
            return Err(format!("%{} is used where its definition does not dominate", value.0).into());
        }
        self.op(id, region)?;
        for (index, result) in inst.results.iter().enumerate() {
            let def = self.function.def(*result);
            require(matches!(def, ValueDef::Inst(of, at) if *of == id && *at as usize == index), || {
                format!("%{} does not name its definition", result.0)
            })?;
            self.visible[result.0 as usize] = true;
        }
        Ok(())
    }

    fn op(&mut self, id: InstId, region: RegionId) -> Check {
        let function = self.function;
        let inst = function.inst(id);
        let ty = |value: Value| function.ty(value);
        let results = self.types(&inst.results);
        match &inst.op {
            Op::If { .. } | Op::Switch { .. } | Op::Loop { .. } => return self.structured(id),
            op if op.is_terminator() => return self.terminator(op),
            Op::Binary { lhs: a, rhs: b, .. } => require(ty(*a) == ty(*b), || "operand types differ".into())?,
            Op::Compare { lhs: a, rhs: b, .. } => require(ty(*a) == ty(*b), || "operand types differ".into())?,
            Op::Select { condition: c, if_true: a, if_false: b } => {
                let lanes = ty(*c).lanes;
                require(ty(*c).scalar == ScalarType::Bool && (lanes == 1 || lanes == ty(*a).lanes), || {
                    "bad condition".into()
                })?;
                require(ty(*a) == ty(*b), || "operand types differ".into())?;
            }
            Op::Convert { op, operand: a } => self.convert(*op, ty(*a), results.first().copied())?,
            Op::Extract { vector: a, lane } => require(*lane < ty(*a).lanes, || "no such lane".into())?,
            Op::Insert { vector: a, scalar: b, lane } => {
                require(*lane < ty(*a).lanes && ty(*b) == ty(*a).lane(), || "bad lane or type".into())?;
            }
            Op::Construct { elements: values } => {
                require(values.iter().all(|value| ty(*value) == results[0].lane()), || "part types differ".into())?;
            }
            Op::Shuffle { first: a, second: b, lanes } => {
                let total = ty(*a).lanes * 2;
                let good = lanes.iter().all(|lane| *lane < total || *lane == u8::MAX);
                require(good && ty(*a) == ty(*b), || "bad lanes or types".into())?;
            }
            Op::PtrAdd { base, index, .. } => {
                let index = index.is_none_or(|index| matches!(ty(index), Type::I32 | Type::I64));
                require(ty(*base).space().is_some() && index, || "base or index type".into())?;
            }
            Op::Load { ptr, align, .. } => self.access(*ptr, results[0], *align)?,
            Op::Store { ptr, value, align, .. } => self.access(*ptr, ty(*value), *align)?,
            Op::Alloca { align, .. } => {
                require(region == function.body, || "alloca in a nested region".into())?;
                require(align.is_power_of_two(), || "alignment".into())?;
            }
            Op::Sampler(_) => require(results == [SAMPLER], || "not a sampler".into())?,
            Op::Image { op, image, .. } => self.image(*op, *image, &results)?,
            Op::Call { function: callee, args } => return self.call(*callee, args, &results),
            Op::Enqueue { kernel, block, local_sizes, .. } => {
                return self.enqueue(*kernel, *block, local_sizes, &results);
            }
            _ => {}
        }
        if let Some(expected) = inst::result_type(&inst.op, ty) {
            require(results == [expected], || format!("result is {results:?}, should be {expected}"))?;
        }
        Ok(())
    }

    fn access(&self, ptr: Value, ty: Type, align: u32) -> Check {
        let ptr = self.function.ty(ptr);
        require(ptr.space().is_some() || ptr == Type::I64, || "not a pointer".into())?;
        require(align.is_power_of_two(), || "alignment is not a power of two".into())?;
        require(ty.scalar != ScalarType::Bool, || "bool in memory".into())
    }

    fn convert(&self, op: ConvertOp, from: Type, to: Option<Type>) -> Check {
        use ConvertOp::*;
        let to = to.ok_or_else(|| "no result".to_owned())?;
        let lanes = from.lanes == to.lanes;
        let (f, t) = (from.scalar, to.scalar);
        let good = match op {
            Trunc => lanes && f.is_int() && t.is_int() && t.bits() < f.bits(),
            ZExt | SExt => lanes && (f.is_int() || f == ScalarType::Bool) && t.is_int() && t.bits() > f.bits(),
            FTrunc => lanes && f.is_float() && t.is_float() && t.bits() < f.bits(),
            FExt => lanes && f.is_float() && t.is_float() && t.bits() > f.bits(),
            FToS | FToU => lanes && f.is_float() && t.is_int(),
            SToF | UToF => lanes && f.is_int() && t.is_float(),
            Bitcast => from.bits() == to.bits() && f != ScalarType::Bool && t != ScalarType::Bool,
            PtrToInt => from.space().is_some() && to == Type::I64,
            IntToPtr => from == Type::I64 && to.space().is_some(),
            PtrCastChecked => from.space() == Some(Space::Generic) && to.space().is_some(),
            PtrCast => from.space().is_some() && to.space().is_some(),
        };
        require(good, || format!("{} from {from} to {to}", op.text()))
    }

    fn image(&self, op: ImageOp, image: Value, results: &[Type]) -> Check {
        let image = matches!(self.function.ty(image).scalar, ScalarType::Opaque(Opaque::Image(_)));
        require(image, || "the first operand is not an image".into())?;
        require(results.len() == usize::from(!op.is_write()), || "number of results".into())?;
        if let Some(sampler) = op.sampler() {
            require(self.function.ty(sampler) == SAMPLER, || "the second operand is not a sampler".into())?;
            require(results[0].lanes == 4, || "a sampled texel has four lanes".into())?;
        }
        Ok(())
    }

    fn enqueue(&self, kernel: FunctionId, block: Value, sizes: &[Value], results: &[Type]) -> Check {
        let kernel = self.module.functions.get(kernel.0 as usize).ok_or_else(|| "no such kernel".to_owned())?;
        let generic = Type::ptr(Space::Generic);
        let object = kernel.params.first().map(|param| kernel.ty(*param));
        require(kernel.kernel.is_some() && object == Some(generic), || "not the kernel of a block".into())?;
        require(sizes.len() < kernel.params.len(), || "number of operands".into())?;
        require(self.function.ty(block) == generic, || "the block's object is no generic pointer".into())?;
        require(results == [Type::I32], || "the result is an i32".into())
    }

    fn call(&self, callee: FunctionId, args: &[Value], results: &[Type]) -> Check {
        let callee = self.module.functions.get(callee.0 as usize).ok_or_else(|| "no such function".to_owned())?;
        let params: Vec<Type> = callee.params.iter().map(|param| callee.ty(*param)).collect();
        require(self.types(args) == params, || "argument types differ from the parameters".into())?;
        require(results == callee.result.as_slice(), || "result type differs".into())
    }

    fn structured(&mut self, id: InstId) -> Check {
        let function = self.function;
        let inst = function.inst(id);
        let results = self.types(&inst.results);
        let param_types = |region: RegionId| -> Vec<Type> {
            function.region(region).params.iter().map(|param| function.ty(*param)).collect()
        };
        let context = self.context.clone();
        match &inst.op {
            Op::If { condition, then, otherwise } => {
                require(function.ty(*condition) == Type::BOOL, || "condition is not bool".into())?;
                for region in [*then, *otherwise] {
                    require(param_types(region).is_empty(), || "an if region has parameters".into())?;
                    self.region(
                        region,
                        Context { yields: Some(results.clone()), falls: None, next: None, ..context.clone() },
                    )?;
                }
            }
            Op::Switch { inputs, cases, .. } => {
                let inputs = self.types(inputs);
                require(cases.iter().filter(|case| case.default).count() == 1, || "not one default".into())?;
                for (index, case) in cases.iter().enumerate() {
                    require(param_types(case.region) == inputs, || "case parameters differ from inputs".into())?;
                    let falls = (index + 1 < cases.len()).then(|| inputs.clone());
                    let breaks = Some(results.clone());
                    self.region(case.region, Context { yields: None, breaks, falls, next: None, ..context.clone() })?;
                }
            }
            Op::Loop { inits, body, continuing, .. } => {
                let carried = self.types(inits);
                let steps = param_types(*continuing);
                require(param_types(*body) == carried, || "body parameters differ from inits".into())?;
                let inner = Context {
                    yields: None,
                    breaks: Some(results.clone()),
                    continues: Some(steps),
                    falls: None,
                    next: None,
                    in_continuing: context.in_continuing,
                };
                self.region(*body, inner)?;
                let next = Some((carried, results));
                let inner = Context { next, in_continuing: true, ..Context::default() };
                self.region(*continuing, inner)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn terminator(&self, op: &Op) -> Check {
        let context = &self.context;
        let matches = |wanted: &Option<Vec<Type>>, values: &Values| {
            let wanted = wanted.as_ref().ok_or_else(|| "misplaced terminator".to_owned())?;
            require(self.types(values) == *wanted, || format!("values are not of types {wanted:?}"))
        };
        match op {
            Op::Yield(values) => matches(&context.yields, values),
            Op::Break(values) => matches(&context.breaks, values),
            Op::Continue(values) => matches(&context.continues, values),
            Op::Fallthrough(values) => matches(&context.falls, values),
            Op::Next(values) => matches(&context.next.as_ref().map(|next| next.0.clone()), values),
            Op::NextIf { condition, next, results } => {
                require(self.function.ty(*condition) == Type::BOOL, || "condition is not bool".into())?;
                matches(&context.next.as_ref().map(|types| types.0.clone()), next)?;
                matches(&context.next.as_ref().map(|types| types.1.clone()), results)
            }
            Op::Return(value) => {
                require(!context.in_continuing, || "return in a continuing region".into())?;
                let result = value.map(|value| self.function.ty(value));
                require(result == self.function.result, || "result type differs".into())
            }
            _ => Ok(()),
        }
    }
}
