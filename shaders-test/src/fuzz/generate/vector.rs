//! Vector expressions.

use super::expr::shape;
use super::{Generator, Scalar, Space, Type};
use crate::fuzz::tree::Expr;

impl Generator {
    /// A vector of exactly this type.
    pub(super) fn vector(&mut self, scalar: Scalar, width: u32, depth: u32) -> Expr {
        if !scalar.is_int() {
            return self.float_vector(scalar, width, depth.min(2));
        }
        if depth == 0 || self.budget < 0 {
            return self.vector_leaf(scalar, width);
        }
        let depth = depth - 1;
        let ty = shape(scalar, width);
        let some = Some(ty.clone());
        let spelled = self.records.name(&ty);
        match self.below(22) {
            0..=2 => self.vector_leaf(scalar, width),
            3 | 4 => self.composed(scalar, width, depth),
            5..=8 => {
                let operator = self.pick(&["+", "-", "*", "&", "|", "^", "<<", ">>", ">>"]);
                let a = self.vector(scalar, width, depth);
                let b = if self.chance(25) { self.int(scalar, depth) } else { self.vector(scalar, width, depth) };
                let (a, b) = if self.chance(10) && !operator.contains(['<', '>']) { (b, a) } else { (a, b) };
                Expr::new(some, &format!("(@ {operator} @)"), vec![a, b])
            }
            9 => {
                let operator = self.pick(&["/", "%"]);
                let name = scalar.name();
                let (a, b) = (self.vector(scalar, width, depth), self.vector(scalar, width, depth));
                let dividend = if scalar.is_signed() { format!("(@ >> ({name})1)") } else { "@".into() };
                Expr::new(some, &format!("({dividend} {operator} (@ | ({name})1))"), vec![a, b])
            }
            10 | 11 => {
                let truth = self.truth(scalar.bytes(), width, depth);
                if scalar.is_signed() { truth } else { Expr::new(some, &format!("as_{spelled}(@)"), vec![truth]) }
            }
            12 => {
                let condition = self.truth(scalar.bytes(), width, depth);
                let (a, b) = (self.vector(scalar, width, depth), self.vector(scalar, width, depth));
                Expr::new(some, "(@ ? @ : @)", vec![condition, a, b])
            }
            13 => {
                let operator = self.pick(&["~", "-"]);
                let a = self.vector(scalar, width, depth);
                Expr::new(some, &format!("({operator}@)"), vec![a])
            }
            14 | 15 => {
                let other = self.int_type();
                let a = self.vector(other, width, depth);
                let saturating = if self.rng.bool() { "_sat" } else { "" };
                Expr::new(some, &format!("convert_{spelled}{saturating}(@)"), vec![a])
            }
            16 => self.reinterpreted(scalar, width, depth),
            17 | 18 => {
                let from = self.width();
                let swizzle = self.swizzle(from, width, false);
                let a = self.vector(scalar, from, depth);
                Expr::new(some, &format!("(@).{swizzle}"), vec![a.fixed()])
            }
            19 if width != 3 && self.rng.bool() => {
                let from = self.pick(&[2, 4, 8, 16]);
                let mask = self.vector(scalar.int(false), width, depth.min(1));
                let a = self.vector(scalar, from, depth);
                if self.rng.bool() {
                    return Expr::new(some, "shuffle(@, @)", vec![a, mask]);
                }
                let b = self.vector(scalar, from, depth);
                Expr::new(some, "shuffle2(@, @, @)", vec![a, b, mask])
            }
            19 => self.pure_call(&ty, depth).unwrap_or_else(|| self.vector_leaf(scalar, width)),
            20 => self.loaded(scalar, width).unwrap_or_else(|| self.composed(scalar, width, depth)),
            _ => self.int_builtin(scalar, width, depth),
        }
    }

    fn vector_leaf(&mut self, scalar: Scalar, width: u32) -> Expr {
        let ty = shape(scalar, width);
        if self.chance(85)
            && let Some(place) = self.read(&ty)
        {
            return place;
        }
        let count = if self.chance(40) { 1 } else { width };
        let parts: Vec<Expr> = (0..count).map(|_| self.int(scalar, 0)).collect();
        let holes = vec!["@"; parts.len()].join(", ");
        Expr::new(Some(ty.clone()), &format!("(({})({holes}))", self.records.name(&ty)), parts)
    }

    /// A vector literal of scalars and shorter vectors.
    fn composed(&mut self, scalar: Scalar, width: u32, depth: u32) -> Expr {
        let ty = shape(scalar, width);
        let mut left = width;
        let mut parts = Vec::new();
        while left > 0 {
            let fitting: Vec<u32> = [1, 1, 2, 3, 4, 8].into_iter().filter(|&n| n <= left && n < width).collect();
            let n = self.pick(&fitting);
            parts.push(self.value(&shape(scalar, n), depth.min(1)));
            left -= n;
        }
        let holes = vec!["@"; parts.len()].join(", ");
        Expr::new(Some(ty.clone()), &format!("(({})({holes}))", self.records.name(&ty)), parts)
    }

    /// A signed vector with 0 and -1 in its lanes.
    fn truth(&mut self, bytes: u32, width: u32, depth: u32) -> Expr {
        let result = Some(Type::Vector(Scalar::Int { bytes, signed: true }, width));
        let of = match bytes {
            4 if self.chance(20) => Scalar::Float,
            _ => Scalar::Int { bytes, signed: self.rng.bool() },
        };
        let a = self.vector(of, width, depth);
        if of.is_int() && self.chance(10) {
            return Expr::new(result, "(!@)", vec![a]);
        }
        let b = self.vector(of, width, depth);
        let operator = if of.is_int() && self.chance(15) {
            self.pick(&["&&", "||"])
        } else {
            self.pick(&["<", ">", "<=", ">=", "==", "!="])
        };
        Expr::new(result, &format!("(@ {operator} @)"), vec![a, b])
    }

    /// `as_type` from a vector or scalar of the same size.
    fn reinterpreted(&mut self, scalar: Scalar, width: u32, depth: u32) -> Expr {
        let ty = shape(scalar, width);
        let size = scalar.bytes() * width;
        let mut from = vec![(scalar.int(!scalar.is_signed()), width)];
        if width != 3 {
            for bytes in [1, 2, 4, 8] {
                let lanes = size / bytes;
                if [1, 2, 4, 8, 16].contains(&lanes) {
                    from.push((Scalar::Int { bytes, signed: self.rng.bool() }, lanes));
                }
            }
        }
        let (other, lanes) = self.pick(&from);
        let a = self.value(&shape(other, lanes), depth);
        Expr::new(Some(ty.clone()), &format!("as_{}(@)", self.records.name(&ty)), vec![a])
    }

    fn loaded(&mut self, scalar: Scalar, width: u32) -> Option<Expr> {
        let space = self.pick(&[Space::Private, Space::Local, Space::Global, Space::Constant]);
        let pointer = self.pointer(space, true, &Type::Scalar(scalar), width, u32::MAX)?;
        Some(Expr::new(Some(Type::Vector(scalar, width)), &format!("vload{width}(0, @)"), vec![pointer]))
    }
}
