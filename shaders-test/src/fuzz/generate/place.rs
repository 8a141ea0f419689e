//! Objects and pointers: every way to access a value in scope.

use super::{Generator, INT, Space, Type, UINT, Var};
use crate::fuzz::tree::Expr;

/// What a place must be good for.
#[derive(Clone, Copy)]
pub(super) struct Need {
    /// Where it must lie.
    pub space: Option<Space>,
    /// Whether it is written.
    pub write: bool,
    /// Whether its address is taken.
    pub address: bool,
    /// What is declared in deeper blocks does not live long enough.
    pub depth: u32,
}

const READ: Need = Need { space: None, write: false, address: false, depth: u32::MAX };

/// A way into an object.
pub(super) struct Path {
    pub expr: Expr,
    ty: Type,
    space: Space,
    writable: bool,
    extent: u32,
}

impl Path {
    /// The way to a whole variable.
    pub(super) fn to(var: &Var) -> Path {
        Path {
            expr: Expr::text(None, var.text.clone()),
            ty: var.ty.clone(),
            space: var.space,
            writable: var.writable,
            extent: var.extent,
        }
    }
}

impl Generator {
    /// The value of an object.
    pub(super) fn read(&mut self, want: &Type) -> Option<Expr> {
        let place = self.place(want, READ)?;
        Some(Expr { ty: Some(want.clone()), parts: place.parts })
    }

    /// An object to assign to.
    pub(super) fn target(&mut self, want: &Type) -> Option<Expr> {
        self.place(want, Need { write: true, ..READ })
    }

    /// An object of a type.
    pub(super) fn place(&mut self, want: &Type, need: Need) -> Option<Expr> {
        let fits = |var: &&Var| var.depth <= need.depth && self.records.reaches(&var.ty, want, need.address);
        let candidates: Vec<Var> = self.scope.iter().filter(fits).cloned().collect();
        if candidates.is_empty() {
            return None;
        }
        for _ in 0..6 {
            let var = self.pick(&candidates);
            if need.write && !var.writable && !matches!(var.ty, Type::Pointer { .. }) {
                continue;
            }
            let path = self.descend(Path::to(&var), want, need.address);
            let spaces = need.space.is_none_or(|space| space == path.space);
            if spaces && (path.writable || !need.write) {
                return Some(path.expr);
            }
        }
        None
    }

    /// Follows a path to a value of type `want`, which it reaches.
    pub(super) fn descend(&mut self, mut path: Path, want: &Type, address: bool) -> Path {
        while path.ty != *want {
            path = match path.ty.clone() {
                Type::Record(index) => {
                    let members = self.records.0[index].members.clone();
                    let reaching: Vec<_> =
                        members.into_iter().filter(|(_, ty)| self.records.reaches(ty, want, address)).collect();
                    let (name, ty) = self.pick(&reaching);
                    Path { expr: Expr::new(None, &format!("@.{name}"), vec![path.expr]), ty, extent: 1, ..path }
                }
                Type::Array(element, count) => {
                    let index = self.index(count);
                    Path { expr: Expr::new(None, "@[@]", vec![path.expr, index]), ty: *element, extent: 1, ..path }
                }
                Type::Pointer { space, readonly, to } => {
                    let expr = match path.extent {
                        1 if self.chance(70) => Expr::new(None, "(*@)", vec![path.expr]),
                        extent => {
                            let index = self.index(extent);
                            if self.chance(20) {
                                Expr::new(None, "(*(@ + (@)))", vec![path.expr, index])
                            } else {
                                Expr::new(None, "@[@]", vec![path.expr, index])
                            }
                        }
                    };
                    Path { expr, ty: *to, space, writable: !readonly, extent: 1 }
                }
                Type::Vector(_, width) => {
                    let lanes = match want {
                        Type::Vector(_, n) => *n,
                        _ => 1,
                    };
                    let swizzle = self.swizzle(width, lanes, true);
                    Path { expr: Expr::new(None, &format!("@.{swizzle}"), vec![path.expr]), ty: want.clone(), ..path }
                }
                // Not reached: scalars equal what is wanted or do not reach it.
                Type::Scalar(_) => return path,
            };
        }
        path
    }

    /// Component letters or numbers.
    pub(super) fn swizzle(&mut self, width: u32, lanes: u32, distinct: bool) -> String {
        if lanes * 2 == width && width != 3 && self.chance(25) {
            return self.pick(&["lo", "hi", "even", "odd"]).into();
        }
        let mut all: Vec<u32> = (0..width).collect();
        if distinct {
            self.rng.shuffle(&mut all);
        } else {
            all = (0..lanes).map(|_| self.below(width)).collect();
        }
        all.truncate(lanes as usize);
        if width <= 4 && self.chance(60) {
            return all.iter().map(|&lane| ["x", "y", "z", "w"][lane as usize]).collect();
        }
        let digits: String = all.iter().map(|lane| format!("{lane:x}")).collect();
        format!("s{digits}")
    }

    /// An index below `count`.
    pub(super) fn index(&mut self, count: u32) -> Expr {
        let counters: Vec<Var> =
            self.scope.iter().filter(|var| var.limit.is_some_and(|limit| limit <= count)).cloned().collect();
        if !counters.is_empty() && self.chance(50) {
            let counter = self.pick(&counters);
            return Expr::text(None, counter.text);
        }
        if self.nested > 1 || self.chance(40) {
            let value = self.below(count);
            return Expr::text(Some(Type::Scalar(INT)), format!("{value}")).fixed();
        }
        let scalar = if count.is_power_of_two() { self.int_type() } else { UINT };
        self.nested += 1;
        let value = self.int(scalar, 1);
        self.nested -= 1;
        let template = if count.is_power_of_two() { format!("@ & {}", count - 1) } else { format!("@ % {count}u") };
        Expr::new(None, &template, vec![value])
    }

    /// A pointer to at least `extent` values, which live at least as long as blocks of nesting `depth`.
    pub(super) fn pointer(&mut self, space: Space, readonly: bool, to: &Type, extent: u32, depth: u32) -> Option<Expr> {
        if self.nested > 1 {
            return self.simple_pointer(space, readonly, to, extent, depth);
        }
        self.nested += 1;
        let found = self.any_pointer(space, readonly, to, extent, depth);
        self.nested -= 1;
        found
    }

    fn any_pointer(&mut self, space: Space, readonly: bool, to: &Type, extent: u32, depth: u32) -> Option<Expr> {
        for _ in 0..4 {
            let found = match self.below(12) {
                0..=2 => self.pointer_variable(space, readonly, to, extent, depth),
                3 | 4 => self.decayed_array(space, readonly, to, extent, depth),
                5 => self.pointer_of_other_sign(space, readonly, to, extent, depth),
                6 => self.pointer_into_vector(space, readonly, to, extent, depth),
                7 | 8 => {
                    let a = self.simple_pointer(space, readonly, to, extent, depth);
                    let b = self.simple_pointer(space, readonly, to, extent, depth);
                    match (a, b) {
                        (Some(a), Some(b)) => {
                            let condition = self.condition(1);
                            Some(Expr::new(None, "(@ ? @ : @)", vec![condition, a, b]))
                        }
                        _ => None,
                    }
                }
                9 if extent == 1 => self.picked_pointer(space, readonly, to, depth),
                _ => self.simple_pointer(space, readonly, to, extent, depth),
            };
            if found.is_some() {
                return found;
            }
        }
        self.simple_pointer(space, readonly, to, extent, depth)
    }

    pub(super) fn simple_pointer(
        &mut self,
        space: Space,
        readonly: bool,
        to: &Type,
        extent: u32,
        depth: u32,
    ) -> Option<Expr> {
        if space == Space::Generic {
            if !self.generic {
                return None;
            }
            if self.chance(70) {
                let made = self.made_generic(readonly, to, extent, depth);
                if made.is_some() {
                    return made;
                }
            }
        }
        if extent == 1 && self.chance(60) {
            let need = Need { space: Some(space), write: !readonly, address: true, depth };
            if let Some(place) = self.place(to, need) {
                return Some(Expr::new(None, "&@", vec![place]));
            }
        }
        self.decayed_array(space, readonly, to, extent, depth)
            .or_else(|| self.pointer_variable(space, readonly, to, extent, depth))
    }

    fn pointer_variable(&mut self, space: Space, readonly: bool, to: &Type, extent: u32, depth: u32) -> Option<Expr> {
        let want = Type::Pointer { space, readonly, to: Box::new(to.clone()) };
        let fits = |var: &&Var| var.ty == want && var.extent >= extent && var.depth <= depth;
        let variables: Vec<Var> = self.scope.iter().filter(fits).cloned().collect();
        if variables.is_empty() {
            if extent > 1 {
                return None;
            }
            // Pointers inside arrays and records.
            return self.place(&want, Need { depth, ..READ });
        }
        let variable = self.pick(&variables);
        let spare = variable.extent - extent;
        if spare > 0 && self.chance(60) {
            let offset = self.index(spare + 1);
            return Some(Expr::new(None, &format!("({} + (@))", variable.text), vec![offset]));
        }
        Some(Expr::text(None, variable.text))
    }

    fn decayed_array(&mut self, space: Space, readonly: bool, to: &Type, extent: u32, depth: u32) -> Option<Expr> {
        let counts = [2, 3, 4, 5, 8];
        let counts: Vec<u32> = counts.into_iter().filter(|&count| count >= extent).collect();
        for _ in 0..3 {
            if counts.is_empty() {
                return None;
            }
            let count = self.pick(&counts);
            let array = Type::Array(Box::new(to.clone()), count);
            let need = Need { space: Some(space), write: !readonly, address: true, depth };
            let Some(place) = self.place(&array, need) else { continue };
            let spare = count - extent;
            if spare > 0 && self.chance(50) {
                let offset = self.index(spare + 1);
                let template = if self.rng.bool() { "(@ + (@))" } else { "&@[@]" };
                return Some(Expr::new(None, template, vec![place, offset]));
            }
            return Some(Expr::new(None, "@", vec![place]));
        }
        None
    }

    fn cast_pointer(&self, space: Space, readonly: bool, to: &Type, pointer: Expr) -> Expr {
        let target = Type::Pointer { space, readonly, to: Box::new(to.clone()) };
        Expr::new(None, &format!("(({})@)", self.records.name(&target)), vec![pointer])
    }

    fn pointer_of_other_sign(
        &mut self,
        space: Space,
        readonly: bool,
        to: &Type,
        extent: u32,
        depth: u32,
    ) -> Option<Expr> {
        let Type::Scalar(scalar) = to else { return None };
        if !scalar.is_int() {
            return None;
        }
        let other = Type::Scalar(scalar.int(!scalar.is_signed()));
        let pointer = self.simple_pointer(space, readonly, &other, extent, depth)?;
        Some(self.cast_pointer(space, readonly, to, Expr::new(None, "(@)", vec![pointer])))
    }

    /// A vector seen as an array of its components.
    fn pointer_into_vector(
        &mut self,
        space: Space,
        readonly: bool,
        to: &Type,
        extent: u32,
        depth: u32,
    ) -> Option<Expr> {
        let Type::Scalar(scalar) = to else { return None };
        let widths: Vec<u32> = [2, 4, 8, 16].into_iter().filter(|&width| width >= extent).collect();
        if widths.is_empty() {
            return None;
        }
        let vector = Type::Vector(*scalar, self.pick(&widths));
        let need = Need { space: Some(space), write: !readonly, address: true, depth };
        let place = self.place(&vector, need)?;
        Some(self.cast_pointer(space, readonly, to, Expr::new(None, "&@", vec![place])))
    }

    /// What a function that returns one of its pointers returns.
    fn picked_pointer(&mut self, space: Space, readonly: bool, to: &Type, depth: u32) -> Option<Expr> {
        let want = Type::Pointer { space, readonly, to: Box::new(to.clone()) };
        let fitting: Vec<_> = self.functions.iter().filter(|f| f.result.as_ref() == Some(&want)).cloned().collect();
        if fitting.is_empty() {
            return None;
        }
        let function = self.pick(&fitting);
        let arguments = self.arguments(&function, 1, depth)?;
        let holes = vec!["@"; arguments.len()].join(", ");
        Some(Expr::new(None, &format!("{}({holes})", function.name), arguments))
    }
}
