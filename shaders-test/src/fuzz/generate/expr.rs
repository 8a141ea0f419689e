//! Integer expressions.

use super::{Generator, INT, Scalar, Space, Type, UINT};
use crate::fuzz::tree::Expr;

/// Two operands and a result of one integer type, scalar or vector.
pub(super) const BINARY_BUILTINS: [&str; 8] = ["min", "max", "add_sat", "sub_sat", "hadd", "rhadd", "mul_hi", "rotate"];

impl Generator {
    /// Something for `if`, `?:`, `&&`.
    pub(super) fn condition(&mut self, depth: u32) -> Expr {
        if self.chance(40) {
            let scalar = self.int_type();
            return self.int(scalar, depth);
        }
        self.comparison(depth)
    }

    /// An `int` that is 0 or 1.
    fn comparison(&mut self, depth: u32) -> Expr {
        let int = Some(Type::Scalar(INT));
        let operator = self.pick(&["<", ">", "<=", ">=", "==", "!="]);
        let depth = depth.saturating_sub(1);
        match self.below(12) {
            0 => {
                let scalar = if self.doubles && self.rng.bool() { Scalar::Double } else { Scalar::Float };
                let (a, b) = (self.float(scalar, 20, depth), self.float(scalar, 20, depth));
                Expr::new(int, &format!("(@ {operator} @)"), vec![a, b])
            }
            1 => self.pointer_comparison().unwrap_or_else(|| self.literal(INT)),
            2 => {
                let (scalar, width) = (self.int_type().int(true), self.width());
                let v = self.vector(scalar, width, depth);
                let name = self.pick(&["any", "all"]);
                Expr::new(int, &format!("{name}(@)"), vec![v])
            }
            _ => {
                let (a, b) = (self.int_type(), self.int_type());
                let (a, b) = (self.int(a, depth), self.int(b, depth));
                Expr::new(int, &format!("(@ {operator} @)"), vec![a, b])
            }
        }
    }

    /// Whether two pointers are equal, or which comes first in an array.
    fn pointer_comparison(&mut self) -> Option<Expr> {
        if self.nested > 1 {
            return None;
        }
        let int = Some(Type::Scalar(INT));
        let space = self.pick(&[Space::Private, Space::Private, Space::Global, Space::Local]);
        let to = Type::Scalar(self.int_type());
        let operator = self.pick(&["==", "!="]);
        let a = self.pointer(space, true, &to, 1, u32::MAX)?;
        if self.chance(20) {
            return Some(Expr::new(int, &format!("((@) {operator} 0)"), vec![a]));
        }
        let b = self.pointer(space, true, &to, 1, u32::MAX)?;
        // Distinct objects differ and an object equals itself, but one past the end of another may equal either:
        // extents never reach past the end here.
        Some(Expr::new(int, &format!("((@) {operator} (@))"), vec![a, b]))
    }

    /// An integer of exactly this type.
    pub(super) fn int(&mut self, scalar: Scalar, depth: u32) -> Expr {
        if depth == 0 || self.budget < 0 {
            return self.int_leaf(scalar);
        }
        let depth = depth - 1;
        let Scalar::Int { bytes, signed } = scalar else { return self.literal(scalar) };
        let ty = Some(Type::Scalar(scalar));
        let name = scalar.name();
        match self.below(24) {
            0..=2 => self.int_leaf(scalar),
            3..=5 => self.additive(bytes, signed, depth),
            6 => self.multiplied(bytes, signed, depth),
            7 => {
                let divisor = self.pick(&["@ | 1", "@ | 1", "@ & 15 | 16", "@ & 7 | 8"]);
                let operator = self.pick(&["/", "%"]);
                let (a, b) = (self.int(scalar, depth), self.int(scalar, depth));
                // The shift keeps the most negative value away from -1.
                let dividend = if signed { "(@ >> 1)" } else { "@" };
                Expr::new(ty, &format!("(({name})({dividend} {operator} ({divisor})))"), vec![a, b])
            }
            8 => {
                let constant = self.pick(&[2, 3, 5, 7, 8, 10, 16, 100]);
                let operator = self.pick(&["/", "%"]);
                let a = self.int(scalar, depth);
                Expr::new(ty, &format!("(({name})(@ {operator} {constant}))"), vec![a])
            }
            9 | 10 => {
                let operator = self.pick(&["&", "|", "^"]);
                let (a, b) = (self.int_type(), self.int_type());
                let (a, b) = (self.int(a, depth), self.int(b, depth));
                Expr::new(ty, &format!("(({name})(@ {operator} @))"), vec![a, b])
            }
            11 | 12 => {
                let operator = self.pick(&["<<", ">>", ">>"]);
                let count = if self.chance(40) { INT } else { self.int_type() };
                let (a, b) = (self.int(scalar, depth), self.int(count, depth));
                Expr::new(ty, &format!("(({name})(@ {operator} @))"), vec![a, b])
            }
            13 => {
                let comparison = self.comparison(depth);
                if scalar == INT { comparison } else { Expr::new(ty, &format!("(({name})@)"), vec![comparison]) }
            }
            14 => {
                let operator = self.pick(&["&&", "||"]);
                let (a, b) = (self.condition(depth), self.condition(depth));
                Expr::new(ty, &format!("(({name})(@ {operator} @))"), vec![a, b])
            }
            15 => {
                let condition = self.condition(depth);
                let (a, b) = (self.int(scalar, depth), self.int(scalar, depth));
                Expr::new(ty, &format!("(({name})(@ ? @ : @))"), vec![condition, a, b])
            }
            16 => {
                let template = match self.below(3) {
                    0 => format!("(({name})~@)"),
                    1 => format!("(({name})!@)"),
                    _ => format!("(({name})-({})@)", if bytes == 8 { "ulong" } else { "uint" }),
                };
                let a = self.int(scalar, depth);
                Expr::new(ty, &template, vec![a])
            }
            17 | 18 => self.int_conversion(scalar, depth),
            19 => {
                let width = self.width();
                let v = self.vector(scalar, width, depth);
                let swizzle = self.swizzle(width, 1, true);
                Expr::new(ty, &format!("(@).{swizzle}"), vec![v.fixed()])
            }
            20 | 21 => self.int_builtin(scalar, 1, depth),
            22 => self.pure_call(&Type::Scalar(scalar), depth).unwrap_or_else(|| self.int_leaf(scalar)),
            _ => self.odd_int(scalar, depth),
        }
    }

    fn int_leaf(&mut self, scalar: Scalar) -> Expr {
        if self.chance(20) {
            return self.literal(scalar);
        }
        if let Some(place) = self.read(&Type::Scalar(scalar)) {
            return place;
        }
        let other = self.int_type();
        match self.read(&Type::Scalar(other)) {
            Some(place) => Expr::new(Some(Type::Scalar(scalar)), &format!("(({})@)", scalar.name()), vec![place]),
            None => self.literal(scalar),
        }
    }

    fn additive(&mut self, bytes: u32, signed: bool, depth: u32) -> Expr {
        let scalar = Scalar::Int { bytes, signed };
        let (ty, name) = (Some(Type::Scalar(scalar)), scalar.name());
        let operator = self.pick(&["+", "-"]);
        if bytes < 4 {
            let (a, b) = (self.narrow_type(), self.narrow_type());
            let (a, b) = (self.int(a, depth), self.int(b, depth));
            return Expr::new(ty, &format!("(({name})(@ {operator} @))"), vec![a, b]);
        }
        if signed && self.rng.bool() {
            let (a, b) = (self.int(scalar, depth), self.int(scalar, depth));
            return Expr::new(ty, &format!("((@ >> 2) {operator} (@ >> 2))"), vec![a, b]);
        }
        let mut other = self.int_type();
        if other.bytes() > bytes {
            other = scalar;
        }
        let unsigned = scalar.int(false).name();
        let (a, b) = (self.int(scalar, depth), self.int(other, depth));
        Expr::new(ty, &format!("(({name})(({unsigned})@ {operator} @))"), vec![a, b])
    }

    fn multiplied(&mut self, bytes: u32, signed: bool, depth: u32) -> Expr {
        let scalar = Scalar::Int { bytes, signed };
        let (ty, name) = (Some(Type::Scalar(scalar)), scalar.name());
        let (a, b) = (self.int(scalar, depth), self.int(scalar, depth));
        let wide = if bytes == 8 { "ulong" } else { "uint" };
        let template = match (bytes, signed) {
            (4, true) if self.rng.bool() => "((@ >> 17) * (@ >> 17))".to_string(),
            (8, true) if self.rng.bool() => "((@ >> 33) * (@ >> 33))".to_string(),
            _ => format!("(({name})(({wide})@ * ({wide})@))"),
        };
        Expr::new(ty, &template, vec![a, b])
    }

    fn int_conversion(&mut self, scalar: Scalar, depth: u32) -> Expr {
        let (ty, name) = (Some(Type::Scalar(scalar)), scalar.name());
        let other = self.int_type();
        match self.below(6) {
            0 => {
                let a = self.int(other, depth);
                Expr::new(ty, &format!("convert_{name}_sat(@)"), vec![a])
            }
            1 => {
                let a = self.int(other, depth);
                Expr::new(ty, &format!("convert_{name}(@)"), vec![a])
            }
            2 => {
                let a = self.int(scalar.int(!scalar.is_signed()), depth);
                Expr::new(ty, &format!("as_{name}(@)"), vec![a])
            }
            3 => {
                let from = if self.doubles && self.rng.bool() { Scalar::Double } else { Scalar::Float };
                let a = self.float(from, 22, depth);
                let template = match self.below(3) {
                    0 => format!("convert_{name}_sat(@)"),
                    1 if scalar.bytes() == 4 && from == Scalar::Float => format!("as_{name}(@)"),
                    _ => format!("(({name})(int)@)"),
                };
                Expr::new(ty, &template, vec![a])
            }
            _ => {
                let a = self.int(other, depth);
                Expr::new(ty, &format!("(({name})@)"), vec![a])
            }
        }
    }

    /// A built-in function of integers, for scalars (`width` 1) and vectors.
    pub(super) fn int_builtin(&mut self, scalar: Scalar, width: u32, depth: u32) -> Expr {
        let ty = shape(scalar, width);
        let value = |s: &mut Generator, of: Scalar| s.value(&shape(of, width), depth);
        let some = Some(ty.clone());
        let signed = scalar.is_signed();
        match self.below(9) {
            0..=2 => {
                let name = self.pick(&BINARY_BUILTINS);
                let operands = vec![value(self, scalar), value(self, scalar)];
                Expr::new(some, &format!("{name}(@, @)"), operands)
            }
            3 => {
                let name = self.pick(&["clz", "popcount"]);
                let operand = value(self, scalar);
                Expr::new(some, &format!("{name}(@)"), vec![operand])
            }
            4 if !signed => {
                let of = scalar.int(self.rng.bool());
                if self.rng.bool() {
                    let operand = value(self, of);
                    // PoCL 3.1 takes the magnitude of the most negative value for undefined.
                    let name = of.name();
                    let template = match (of.is_signed(), width) {
                        (false, _) => "abs(@)".to_string(),
                        (true, 1) => format!("abs(({name})(@ | 1))"),
                        (true, _) => format!("abs(@ | ({name})1)"),
                    };
                    return Expr::new(some, &template, vec![operand]);
                }
                let operands = vec![value(self, of), value(self, of)];
                // PoCL 3.1 also takes a difference that has no room for undefined.
                let name = of.name();
                let spelled = if width == 1 { name.to_string() } else { format!("{name}{width}") };
                let template = match of.is_signed() {
                    false => "abs_diff(@, @)".to_string(),
                    true => format!("abs_diff(({spelled})(@ >> ({spelled})1), ({spelled})(@ >> ({spelled})1))"),
                };
                Expr::new(some, &template, operands)
            }
            5 => {
                let name = self.pick(&["bitselect", "mad_hi", "mad_sat"]);
                let operands = vec![value(self, scalar), value(self, scalar), value(self, scalar)];
                Expr::new(some, &format!("{name}(@, @, @)"), operands)
            }
            6 => {
                let low = self.below(64);
                let high = low + self.below(64);
                let spelled = self.records.name(&ty);
                let operand = value(self, scalar);
                Expr::new(some, &format!("clamp(@, ({spelled})({low}), ({spelled})({high}))"), vec![operand])
            }
            7 => {
                let by = scalar.int(self.rng.bool());
                let operands = vec![value(self, scalar), value(self, scalar), value(self, by)];
                Expr::new(some, "select(@, @, @)", operands)
            }
            8 if scalar.bytes() > 1 => {
                let half = Scalar::Int { bytes: scalar.bytes() / 2, signed };
                let operands = vec![value(self, half), value(self, half.int(false))];
                Expr::new(some, "upsample(@, @)", operands)
            }
            _ if scalar.bytes() == 4 => {
                let operands = vec![value(self, scalar), value(self, scalar), value(self, scalar)];
                // Signed, PoCL 3.1 counts on a sum in range.
                let template = if signed { "mad24(@ >> 17, @ >> 17, @ >> 2)" } else { "mad24(@ >> 8, @ >> 8, @)" };
                Expr::new(some, template, operands)
            }
            _ => value(self, scalar),
        }
    }

    fn odd_int(&mut self, scalar: Scalar, depth: u32) -> Expr {
        let (ty, name) = (Some(Type::Scalar(scalar)), scalar.name());
        match self.below(5) {
            0 => {
                let of = self.value_type();
                Expr::text(ty, format!("(({name})sizeof({}))", self.records.name(&of)))
            }
            1 => {
                let other = self.int_type();
                let (a, b) = (self.int(other, depth.min(1)), self.int(scalar, depth));
                Expr::new(ty, "(@, @)", vec![a, b])
            }
            2 if self.result.is_none() || !self.apart => {
                let function = self.pick(&[
                    "get_local_id(0)",
                    "get_global_id(0)",
                    "get_group_id(0)",
                    "get_local_size(0)",
                    "get_num_groups(0)",
                    "get_global_size(0)",
                    "get_global_id(1)",
                    "get_work_dim()",
                ]);
                Expr::text(ty, format!("(({name}){function})"))
            }
            3 => self.pointer_difference(scalar).unwrap_or_else(|| self.literal(scalar)),
            _ => {
                let a = self.int(UINT, depth);
                Expr::new(ty, &format!("(({name})(bool)@)"), vec![a])
            }
        }
    }

    /// The distance of two elements of an array.
    fn pointer_difference(&mut self, scalar: Scalar) -> Option<Expr> {
        let ty = Some(Type::Scalar(scalar));
        let space = self.pick(&[Space::Private, Space::Global, Space::Local, Space::Constant]);
        let need = super::place::Need { space: Some(space), write: false, address: true, depth: u32::MAX };
        let (place, count) = (0..6).find_map(|_| {
            let (element, count) = (Type::Scalar(self.int_type()), self.pick(&[2, 3, 4, 5, 8]));
            self.place(&Type::Array(Box::new(element), count), need).map(|place| (place, count))
        })?;
        let (a, b) = (self.index(count), self.index(count));
        let template = match self.below(3) {
            0 => format!("(({})(&@[@] - &@[@]))", scalar.name()),
            1 => format!("(({})((@ + (@)) - &@[@]))", scalar.name()),
            _ => format!("(({})((@ + (@)) < &@[@]))", scalar.name()),
        };
        Some(Expr::new(ty, &template, vec![place.clone(), a, place, b]))
    }
}

/// A scalar or vector type.
pub(super) fn shape(scalar: Scalar, width: u32) -> Type {
    if width == 1 { Type::Scalar(scalar) } else { Type::Vector(scalar, width) }
}
