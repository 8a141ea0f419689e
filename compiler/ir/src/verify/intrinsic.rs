//! Intrinsics: operands and results by their signatures, and which of them a dialect has.

use super::*;

impl Verifier<'_> {
    pub(super) fn intrinsic(&self, intrinsic: Intrinsic, args: &[Value], found: &[Type]) -> Check {
        match intrinsic.signature() {
            Signature::Floats(count) => self.lane_wise(intrinsic, args, found, count, ScalarType::is_float)?,
            Signature::Integers(count) => self.lane_wise(intrinsic, args, found, count, ScalarType::is_int)?,
            Signature::Dot => {
                let [x, y] = exactly(intrinsic, args)?;
                let ty = self.float(intrinsic, x)?;
                self.operand(y, ty, "second operand")?;
                results(found, &[ty.lane()])?;
            }
            Signature::Words => self.lane_wise(intrinsic, args, found, 1, |scalar| scalar == ScalarType::I32)?,
            Signature::BitField => {
                let [base, first, count] = exactly(intrinsic, args)?;
                let ty = self.ty(base);
                require(ty.scalar == ScalarType::I32, Rule::Operands, || format!("the base of a field is {ty}"))?;
                self.operand(first, Type::I32, "first bit")?;
                self.operand(count, Type::I32, "number of bits")?;
                results(found, &[ty])?;
            }
            Signature::FloatAndInt => {
                let [x, n] = exactly(intrinsic, args)?;
                let ty = self.float(intrinsic, x)?;
                self.operand(n, ty.with_scalar(ScalarType::I32), "second operand")?;
                results(found, &[ty])?;
            }
            Signature::FloatToInt => {
                let [x] = exactly(intrinsic, args)?;
                let ty = self.float(intrinsic, x)?;
                results(found, &[ty.with_scalar(ScalarType::I32)])?;
            }
            Signature::FloatsAndPointer(count) => {
                let (inputs, out) = with_pointer(intrinsic, args)?;
                operands(self.types(inputs).iter().all(|ty| ty.lanes == 1), "vectors, should be scalars")?;
                self.lane_wise(intrinsic, inputs, found, count, ScalarType::is_float)?;
                self.is_pointer(out)?;
            }
            Signature::LoadHalf => {
                let [index, ptr] = exactly(intrinsic, args)?;
                self.index(index)?;
                self.is_pointer(ptr)?;
                let is_float = matches!(found, [ty] if ty.scalar == ScalarType::F32);
                require(is_float, Rule::Results, || format!("{} gives floats", intrinsic.name()))?;
            }
            Signature::StoreHalf => {
                let [value, index, ptr] = exactly(intrinsic, args)?;
                let ty = self.ty(value);
                require(matches!(ty.scalar, ScalarType::F32 | ScalarType::F64), Rule::Operands, || {
                    format!("{} of {ty}", intrinsic.name())
                })?;
                self.index(index)?;
                self.is_pointer(ptr)?;
                results(found, &[])?;
            }
            Signature::Printf => self.printf(args, found)?,
        }
        self.has_intrinsic(intrinsic, args, found)
    }

    /// Operands of one type, which is the result's.
    fn lane_wise(
        &self,
        intrinsic: Intrinsic,
        args: &[Value],
        found: &[Type],
        count: usize,
        is_good: fn(ScalarType) -> bool,
    ) -> Check {
        let [first, ..] = args else { return wrong_count(intrinsic, count, args.len()) };
        if args.len() != count {
            return wrong_count(intrinsic, count, args.len());
        }
        let ty = self.ty(*first);
        require(is_good(ty.scalar), Rule::Operands, || format!("{} of {ty}", intrinsic.name()))?;
        args.iter().try_for_each(|arg| self.operand(*arg, ty, "operand"))?;
        results(found, &[ty])
    }

    fn float(&self, intrinsic: Intrinsic, value: Value) -> Check<Type> {
        let ty = self.ty(value);
        require(ty.scalar.is_float(), Rule::Operands, || format!("{} of {ty}", intrinsic.name()))?;
        Ok(ty)
    }

    fn index(&self, value: Value) -> Check {
        operands(matches!(self.ty(value), Type::I32 | Type::I64), "the index is neither i32 nor i64")
    }

    fn is_pointer(&self, value: Value) -> Check {
        operands(self.ty(value).space().is_some(), "the last operand is not a pointer")
    }

    fn printf(&self, args: &[Value], found: &[Type]) -> Check {
        let [format, values @ ..] = args else { return violation(Rule::Operands, "printf without format") };
        let ty = self.ty(*format);
        match self.dialect.reached(Legalized::PrintfFormats) {
            true => operands(ty == Type::I32, "the format is not a number")?,
            false => operands(ty.space().is_some(), "the format is not a string")?,
        }
        let is_handle = |value: &Value| matches!(self.ty(*value).scalar, ScalarType::Opaque(_));
        operands(!values.iter().any(is_handle), "printf of a handle")?;
        results(found, &[Type::I32])
    }

    /// Whether the dialect has the intrinsic on operands of these types.
    fn has_intrinsic(&self, intrinsic: Intrinsic, args: &[Value], found: &[Type]) -> Check {
        let lanes = args.first().map_or(1, |arg| self.ty(*arg).lanes);
        let legal = match self.dialect {
            Dialect::Core => true,
            Dialect::OpenCl { .. } => match intrinsic.half_access() {
                // The value that is loaded or stored.
                Some(_) => intrinsic.is_of_opencl() && found.first().is_none_or(|ty| ty.lanes == 1) && lanes == 1,
                None => intrinsic.is_of_opencl(),
            },
            Dialect::Vulkan(_) if intrinsic == Intrinsic::Printf => !self.dialect.reached(Legalized::KernelAbi),
            Dialect::Vulkan(_) => {
                args.first().is_some_and(|arg| intrinsic.vulkan_scalars().contains(&self.ty(*arg).scalar))
            }
        };
        require(legal, Rule::Dialect, || {
            format!("the dialect {:?} has no {} of these operands", self.dialect, intrinsic.name())
        })
    }
}

fn wrong_count<T>(intrinsic: Intrinsic, expected: usize, found: usize) -> Check<T> {
    let name = intrinsic.name();
    violation(
        Rule::Operands,
        match found {
            0 => format!("{name} without operands, should have {expected}"),
            _ => format!("{name} with {found} operands, should have {expected}"),
        },
    )
}

fn exactly<const N: usize>(intrinsic: Intrinsic, args: &[Value]) -> Check<[Value; N]> {
    <[Value; N]>::try_from(args).or_else(|_| wrong_count(intrinsic, N, args.len()))
}

/// The operands before the last one, which is a pointer, and that one.
fn with_pointer(intrinsic: Intrinsic, args: &[Value]) -> Check<(&[Value], Value)> {
    match args {
        [inputs @ .., out] => Ok((inputs, *out)),
        [] => wrong_count(intrinsic, 2, 0),
    }
}
