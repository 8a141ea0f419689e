//! Floats that hold integers small enough for every operation to be exact, with and without contraction; and fractions
//! with the operations that are correctly rounded everywhere, with contraction off, and divisions for which correct
//! rounding is requested.

use super::expr::shape;
use super::{Generator, INT, Scalar, Type};
use crate::fuzz::tree::{Expr, Stmt};

/// Objects of type `float` and `double` hold integers of magnitude below two to this.
pub(super) const HELD_BITS: u32 = 10;

impl Generator {
    /// A float of integral value of magnitude below `2^bits`.
    pub(super) fn float(&mut self, scalar: Scalar, bits: u32, depth: u32) -> Expr {
        self.floats(scalar, 1, bits, depth)
    }

    /// As [`Self::float`], for each lane of a vector.
    pub(super) fn floats(&mut self, scalar: Scalar, width: u32, bits: u32, depth: u32) -> Expr {
        let ty = shape(scalar, width);
        // No type: only what stays in bounds may replace it, and zero does.
        let some = None;
        let spelled = self.records.name(&ty);
        if depth == 0 || bits < 4 || self.budget < 0 {
            return self.float_leaf(scalar, width, bits);
        }
        let depth = depth - 1;
        match self.below(10) {
            0..=2 => {
                let operator = self.pick(&["+", "-"]);
                let a = self.floats(scalar, width, bits - 1, depth);
                let b = self.floats(scalar, width, bits - 1, depth);
                Expr::new(some, &format!("(@ {operator} @)"), vec![a, b])
            }
            3 | 4 => {
                let a = self.floats(scalar, width, bits / 2, depth);
                let b = self.floats(scalar, width, bits / 2, depth);
                Expr::new(some, "(@ * @)", vec![a, b])
            }
            5 => {
                let condition = self.condition(depth);
                let a = self.floats(scalar, width, bits, depth);
                let b = self.floats(scalar, width, bits, depth);
                if width == 1 {
                    return Expr::new(some, "(@ ? @ : @)", vec![condition, a, b]);
                }
                let template = format!("select(@, @, ({}{width})((@) ? -1 : 0))", scalar.int(true).name());
                Expr::new(some, &template, vec![a, b, condition])
            }
            6 => {
                let a = self.floats(scalar, width, bits / 2, depth);
                let b = self.floats(scalar, width, bits / 2 - 1, depth);
                let c = self.floats(scalar, width, bits - 1, depth);
                let name = self.pick(&["fma", "mad"]);
                Expr::new(some, &format!("{name}(@, @, @)"), vec![a, b, c])
            }
            7 => {
                let name = self.pick(&["fabs", "floor", "ceil", "trunc", "rint"]);
                let a = self.floats(scalar, width, bits, depth);
                Expr::new(some, &format!("{name}(@)"), vec![a])
            }
            8 => {
                let a = self.floats(scalar, width, bits, depth);
                Expr::new(some, "(-@)", vec![a])
            }
            _ => {
                let a = self.floats(scalar, width, bits, depth);
                let b = self.floats(scalar, width, bits, depth);
                let name = self.pick(&["fmin", "fmax"]);
                Expr::new(some, &format!("{name}(@ + ({spelled})(0.5f), @)"), vec![a, b]).floored(&ty)
            }
        }
    }

    fn float_leaf(&mut self, scalar: Scalar, width: u32, bits: u32) -> Expr {
        let ty = shape(scalar, width);
        if bits >= HELD_BITS
            && self.chance(70)
            && let Some(place) = self.read(&ty)
        {
            return place.fixed();
        }
        let spelled = self.records.name(&ty);
        let mask = (1u32 << bits.min(HELD_BITS)) - 1;
        let bias = (mask >> 1) + 1;
        if self.chance(40) {
            let value = self.below(mask.max(1));
            return Expr::text(None, format!("(({spelled})({value}.0f))"));
        }
        if width == 1 {
            let value = self.int(INT, 1);
            return Expr::new(None, &format!("(({spelled})((@ & {mask}) - {}))", bias & mask), vec![value]);
        }
        let value = self.vector(INT, width, 1);
        Expr::new(None, &format!("convert_{spelled}((@ & {mask}) - {})", bias & mask), vec![value])
    }

    /// Rounded arithmetic goes into the checksum, in a way that does not tell the zeros apart.
    pub(super) fn rough_floats(&mut self) -> Vec<Stmt> {
        let scalar = if self.doubles && self.rng.bool() { Scalar::Double } else { Scalar::Float };
        let width = if self.chance(50) { 1 } else { self.width() };
        let value = self.fraction(scalar, width, 20, 3);
        let (name, ty) = (self.name("r"), shape(scalar, width));
        let declared = self.records.declare(&ty, &name);
        let lane = if width == 1 { String::new() } else { format!(".s{:x}", self.below(width)) };
        let suffix = if scalar == Scalar::Float { "f" } else { "" };
        let template = match self.below(3) {
            0 => format!("{{ {declared} = @; h = mix(h, (uint)(int)({name}{lane} * 64.0{suffix})); }}"),
            1 => format!("{{ {declared} = @; h = mix(h, (uint)convert_int_rte({name}{lane} * 64.0{suffix})); }}"),
            _ => format!("{{ {declared} = @; h = mix(h, ({name}{lane} < {}.5{suffix}) + 7u); }}", self.below(64)),
        };
        vec![Stmt::leaf(&template, vec![value])]
    }

    /// Fractions of magnitude below `2^bits`.
    fn fraction(&mut self, scalar: Scalar, width: u32, bits: u32, depth: u32) -> Expr {
        let spelled = self.records.name(&shape(scalar, width));
        let suffix = if scalar == Scalar::Float { "f" } else { "" };
        if depth == 0 || bits < 8 || self.budget < 0 {
            let value = self.floats(scalar, width, bits.clamp(4, 8), 1);
            let by = self.pick(&["0.1", "0.375", "0.7", "0.015625", "0.3333"]);
            return Expr::new(None, &format!("(@ * {by}{suffix})"), vec![value]);
        }
        let depth = depth - 1;
        let one = |s: &mut Generator, bits| s.fraction(scalar, width, bits, depth);
        match self.below(8) {
            0..=2 => {
                let operator = self.pick(&["+", "-"]);
                let operands = vec![one(self, bits - 1), one(self, bits - 1)];
                Expr::new(None, &format!("(@ {operator} @)"), operands)
            }
            3 | 4 => {
                let operands = vec![one(self, bits / 2), one(self, bits / 2)];
                Expr::new(None, "(@ * @)", operands)
            }
            5 => {
                self.divides |= scalar == Scalar::Float;
                let by = self.pick(&["3.0", "7.0", "1.7", "10.0", "255.0"]);
                let value = one(self, bits);
                Expr::new(None, &format!("(@ / {by}{suffix})"), vec![value])
            }
            6 => {
                let name = self.pick(&["floor", "ceil", "trunc", "rint", "round", "fabs"]);
                let value = one(self, bits - 1);
                Expr::new(None, &format!("{name}(@)"), vec![value])
            }
            _ => {
                self.divides |= scalar == Scalar::Float;
                let by = self.value(&shape(scalar.int(false), width), 1);
                let (value, one) = (one(self, bits), if width == 1 { "" } else { spelled.as_str() });
                let divisor = match width {
                    1 => format!("(({spelled})((@ & 15) + 1))"),
                    _ => format!("convert_{one}((@ & 15) + 1)"),
                };
                Expr::new(None, &format!("(@ / {divisor})"), vec![value, by])
            }
        }
    }

    /// A vector of floats that may be stored.
    pub(super) fn float_vector(&mut self, scalar: Scalar, width: u32, depth: u32) -> Expr {
        let mut expr = self.floats(scalar, width, HELD_BITS, depth);
        expr.ty = Some(Type::Vector(scalar, width));
        expr
    }
}

impl Expr {
    fn floored(self, _ty: &Type) -> Expr {
        Expr::new(None, "floor(@)", vec![self])
    }
}
