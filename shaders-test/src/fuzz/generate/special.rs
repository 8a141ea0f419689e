//! Floats with special values: zeros of both signs, infinities, NaN, as constants on either side of an operation and as values that
//! only the run knows. No operation has a denormal result, which a device may flush.

use super::expr::shape;
use super::{Generator, Scalar, UINT};
use crate::fuzz::tree::{Expr, Stmt};

/// A NaN's bits are not defined, so that all go into the checksum as one.
const CONSTANTS: [&str; 11] =
    ["0.0", "-0.0", "INFINITY", "-INFINITY", "NAN", "1.0", "-1.0", "3.0", "0.5", "1e30", "-1e30"];

impl Generator {
    /// Operations on special values, whose result goes into the checksum bit by bit.
    pub(super) fn special_floats(&mut self) -> Vec<Stmt> {
        let scalar = if self.doubles && self.rng.bool() { Scalar::Double } else { Scalar::Float };
        let width = if self.chance(60) { 1 } else { self.width() };
        let (name, ty) = (self.name("z"), shape(scalar, width));
        let declared = self.records.declare(&ty, &name);
        let lane = if width == 1 { name } else { format!("{name}.s{:x}", self.below(width)) };
        let value = self.special(scalar, width, 2);
        let bits = match scalar {
            Scalar::Double => format!("mix2(h, {lane} != {lane} ? 0x7ff8000000000000ul : as_ulong({lane}))"),
            _ => format!("mix(h, {lane} != {lane} ? 0x7fc00000u : as_uint({lane}))"),
        };
        let template = match self.below(6) {
            0 => format!("{{ {declared} = @; h = mix(h, ({lane} < 1.0f) * 2u + ({lane} == 0.0f)); }}"),
            1 => format!("{{ {declared} = @; if ({lane} > 0.0f || !({lane} <= 2.0f)) h ^= 0x33u; }}"),
            2 => format!("{{ {declared} = @; h = mix(h, (uint)convert_int_sat_rtz({lane}) ^ isinf({lane})); }}"),
            _ => format!("{{ {declared} = @; h = {bits}; }}"),
        };
        vec![Stmt::leaf(&template, vec![value])]
    }

    fn special(&mut self, scalar: Scalar, width: u32, depth: u32) -> Expr {
        if depth == 0 || self.chance(15) {
            return self.special_leaf(scalar, width);
        }
        let a = self.special(scalar, width, depth - 1);
        match self.below(12) {
            0 => Expr::new(None, "(-@)", vec![a]),
            1 => Expr::new(None, "fabs(@)", vec![a]),
            2 => {
                let b = self.special(scalar, width, 0);
                // Which of two zeros is the smaller is not defined: the sum is the positive one.
                let name = self.pick(&["fmin", "fmax"]);
                Expr::new(None, &format!("({name}(@, @) + 0.0f)"), vec![a, b])
            }
            3 => {
                let b = self.special(scalar, width, 0);
                Expr::new(None, "copysign(@, @)", vec![a, b])
            }
            4 => {
                let (b, c) = (self.special(scalar, width, 0), self.special(scalar, width, 0));
                Expr::new(None, "fma(@, @, @)", vec![a, b, c])
            }
            operator => {
                let operator = ["+", "-", "*", "/", "+", "-", "*", "/"][operator as usize - 5 + self.below(2) as usize];
                self.divides |= operator == "/" && scalar == Scalar::Float;
                let b = self.special(scalar, width, depth - 1);
                let operands = if self.rng.bool() { vec![a, b] } else { vec![b, a] };
                Expr::new(None, &format!("(@ {operator} @)"), operands)
            }
        }
    }

    fn special_leaf(&mut self, scalar: Scalar, width: u32) -> Expr {
        let spelled = self.records.name(&shape(scalar, width));
        let constant = |s: &mut Generator| match s.pick(&CONSTANTS) {
            name if name.contains('N') => format!("(({}){name})", scalar.name()),
            number if scalar == Scalar::Float => format!("({number}f)"),
            number => format!("({number})"),
        };
        let (first, second) = (constant(self), constant(self));
        match self.below(4) {
            // A vector of one value.
            0 | 1 => Expr::text(None, format!("(({spelled}){first})")),
            2 => {
                let condition = self.condition(1);
                Expr::new(None, &format!("(({spelled})((@) ? {first} : {second}))"), vec![condition])
            }
            _ => {
                // A sign that only the run knows, on zero, infinity or one.
                let sign = self.int(UINT, 1);
                let template = match scalar {
                    Scalar::Double => {
                        let bits = self.pick(&["0", "0x7ff0000000000000ul", "0x3ff0000000000000ul"]);
                        format!("(({spelled})as_double(((ulong)@ << 63) | {bits}))")
                    }
                    _ => {
                        let bits = self.pick(&["0", "0x7f800000u", "0x3f800000u"]);
                        format!("(({spelled})as_float((@ << 31) | {bits}))")
                    }
                };
                Expr::new(None, &template, vec![sign])
            }
        }
    }
}
