//! Statements.

use super::place::Need;
use super::{Generator, INT, MOST_ITERATIONS, MOST_NESTED, Scalar, Space, Type, UINT, Var};
use crate::fuzz::tree::{Expr, Piece, Stmt, fill};

/// What may stand where.
#[derive(Clone, Copy)]
pub(super) struct Context {
    /// `break` and `continue` leave a loop.
    pub in_loop: bool,
    /// All work-items of the group come here together: barriers are allowed.
    pub uniform: bool,
    /// Nesting of statements.
    pub nest: u32,
}

impl Context {
    pub(super) fn inner(self) -> Context {
        Context { uniform: false, nest: self.nest + 1, ..self }
    }
}

impl Generator {
    /// Statements in the current block.
    pub(super) fn statements(&mut self, count: u32, context: Context) -> Vec<Stmt> {
        let mut all = Vec::new();
        for _ in 0..count {
            if self.budget < 0 {
                break;
            }
            for stmt in self.statement(context) {
                let size = size(&stmt);
                self.size += size;
                self.budget -= i64::from(size);
                all.push(stmt);
            }
        }
        all
    }

    /// A block's statements; what they declared goes into the checksum at the end.
    pub(super) fn block(&mut self, count: u32, context: Context) -> Vec<Stmt> {
        let mark = self.enter();
        let mut all = self.statements(count, context);
        let declared: Vec<Var> = self.scope[mark..].to_vec();
        for var in declared {
            if self.chance(60) {
                all.extend(self.absorb(&var));
            }
        }
        self.leave(mark);
        all
    }

    fn statement(&mut self, context: Context) -> Vec<Stmt> {
        let few = 1 + self.below(4);
        if context.nest < 4 {
            match self.below(30) {
                0..=2 => return vec![self.if_else(few, context)],
                3 | 4 => return self.counted_loop(few, context).into_iter().collect(),
                5 => return self.while_loop(few, context).into_iter().collect(),
                6 | 7 => return vec![self.switch(context)],
                17 => return self.wrapping_loop(few, context).into_iter().collect(),
                8 | 9 if self.result.is_some() || !self.barriers => {
                    return self.jump(few, context).into_iter().collect();
                }
                10..=16 if context.uniform && self.barriers => {
                    return self.together(few, context).into_iter().collect();
                }
                _ => {}
            }
        }
        match self.below(35) {
            0..=6 => vec![self.declare()],
            7..=9 => self.declare_pointer().into_iter().collect(),
            10..=13 => self.assign().into_iter().collect(),
            14..=17 => self.compound().into_iter().collect(),
            18 => self.step().into_iter().collect(),
            19 | 20 => self.call_statement(),
            21 => self.short_circuit().into_iter().collect(),
            22 => self.byte_walk().into_iter().collect(),
            23 if self.rng.bool() => self.load_vector().into_iter().collect(),
            23 => self.store_vector().into_iter().collect(),
            24 => self.move_pointer().or_else(|| self.move_stored_pointer()).into_iter().collect(),
            25 if context.in_loop => {
                let word = self.pick(&["break", "continue"]);
                let condition = self.condition(2);
                vec![Stmt::leaf(&format!("if (@) {word};"), vec![condition])]
            }
            26 if self.result.is_some() && context.nest > 0 => vec![self.early_return()],
            27 => self.stored_pointers(),
            28 => self.rough_floats(),
            29 if !self.exits.is_empty() => vec![self.exit()],
            30 => self.special_floats(),
            _ => vec![self.mix()],
        }
    }

    /// Something into the checksum.
    fn mix(&mut self) -> Stmt {
        let scalar = if self.chance(20) { Scalar::Int { bytes: 8, signed: false } } else { UINT };
        let value = self.int(scalar, 3);
        let function = if scalar == UINT { "mix" } else { "mix2" };
        Stmt::leaf(&format!("h = {function}(h, @);"), vec![value])
    }

    /// The whole of an object into the checksum.
    pub(super) fn absorb(&mut self, var: &Var) -> Vec<Stmt> {
        if var.limit.is_some() || matches!(var.ty, Type::Pointer { .. }) || self.budget < -200 {
            return Vec::new();
        }
        let mut texts = Vec::new();
        self.absorbed(&var.text, &var.ty, 0, &mut texts);
        texts.into_iter().map(|text| Stmt::leaf(&text, Vec::new())).collect()
    }

    pub(super) fn absorbed(&mut self, text: &str, ty: &Type, loops: u32, into: &mut Vec<String>) {
        match ty {
            Type::Scalar(scalar) => into.push(match scalar {
                Scalar::Int { bytes: 8, .. } => format!("h = mix2(h, (ulong){text});"),
                Scalar::Int { .. } => format!("h = mix(h, (uint){text});"),
                _ => format!("h = mix(h, (uint)(int){text});"),
            }),
            Type::Vector(scalar, width) => {
                let lane = self.below(*width);
                let template = if scalar.is_int() { "(uint)" } else { "(uint)(int)" };
                into.push(format!("h = mix(h, {template}{text}.s{lane:x});"));
                if *scalar == UINT && *width > 3 {
                    into.push(format!("h = mix(h, {text}.x ^ {text}.y * 3u ^ {text}.z * 5u ^ {text}.w * 7u);"));
                }
            }
            Type::Array(element, count) => {
                if self.records.has_pointer(element) {
                    return;
                }
                let counter = self.name("k");
                let mut inner = Vec::new();
                let scalars = matches!(**element, Type::Scalar(_) | Type::Vector(..));
                let affordable = self.cost + self.repeat * count <= MOST_ITERATIONS;
                if scalars && loops == 0 && affordable && self.rng.bool() {
                    self.cost += self.repeat * count;
                    self.absorbed(&format!("{text}[{counter}]"), element, 1, &mut inner);
                    let body = inner.join(" ");
                    into.push(format!("for (int {counter} = 0; {counter} < {count}; {counter}++) {{ {body} }}"));
                    return;
                }
                for index in 0..*count {
                    self.absorbed(&format!("{text}[{index}]"), element, loops, into);
                }
            }
            Type::Record(index) => {
                let record = self.records.0[*index].clone();
                let shown =
                    if record.union { 1 + self.rng.usize(0..record.members.len()) } else { record.members.len() };
                for (name, member) in record.members.iter().take(shown) {
                    self.absorbed(&format!("{text}.{name}"), member, loops, into);
                }
            }
            Type::Pointer { .. } => {}
        }
    }

    /// A variable with its initialiser.
    fn declare(&mut self) -> Stmt {
        let ty = self.object_type();
        let depth = if matches!(ty, Type::Array(..)) { 1 } else { 3 };
        let value = self.initializer(&ty, depth);
        let name = self.name("v");
        let declared = self.records.declare(&ty, &name);
        self.add(&name, ty, Space::Private, 0);
        Stmt::leaf(&format!("{declared} = @;"), vec![value])
    }

    pub(super) fn pointee(&mut self) -> Type {
        match self.below(8) {
            0..=4 => Type::Scalar(self.int_type()),
            5 => {
                let (scalar, width) = self.vector_type();
                Type::Vector(scalar, width)
            }
            _ => self.record_type().unwrap_or(Type::Scalar(INT)),
        }
    }

    fn declare_pointer(&mut self) -> Option<Stmt> {
        for _ in 0..6 {
            let to = self.pointee();
            let space = self.pick(&[
                Space::Private,
                Space::Private,
                Space::Private,
                Space::Local,
                Space::Global,
                Space::Constant,
                Space::Generic,
            ]);
            let readonly = space == Space::Constant || self.chance(25);
            let extent = self.pick(&[1, 1, 2, 4]);
            let Some(value) = self.pointer(space, readonly, &to, extent, self.depth) else { continue };
            let ty = Type::Pointer { space, readonly, to: Box::new(to) };
            let name = self.name("p");
            let declared = self.records.declare(&ty, &name);
            self.add(&name, ty, Space::Private, extent);
            return Some(Stmt::leaf(&format!("{declared} = @;"), vec![value]));
        }
        None
    }

    fn assign(&mut self) -> Option<Stmt> {
        for _ in 0..4 {
            let ty = self.value_type();
            let Some(target) = self.target(&ty) else { continue };
            let value = self.value(&ty, 3);
            return Some(Stmt::leaf("@ = @;", vec![target, value]));
        }
        None
    }

    /// `+=` and the like, where nothing overflows a signed type.
    fn compound(&mut self) -> Option<Stmt> {
        for _ in 0..4 {
            let (scalar, width) = if self.chance(25) {
                let width = self.width();
                (self.int_type(), width)
            } else {
                (self.int_type(), 1)
            };
            let ty = super::expr::shape(scalar, width);
            let Some(target) = self.target(&ty) else { continue };
            let mut operators = vec!["&=", "|=", "^=", "<<=", ">>="];
            if width > 1 || !scalar.is_signed() || scalar.bytes() < 4 {
                operators.extend(["+=", "-=", "+="]);
                if width > 1 || scalar != (Scalar::Int { bytes: 2, signed: false }) {
                    operators.push("*=");
                }
            }
            let operator = self.pick(&operators);
            if self.chance(10) && !scalar.is_signed() {
                let operator = self.pick(&["/=", "%="]);
                let value = self.value(&ty, 2);
                return Some(Stmt::leaf(&format!("@ {operator} @ | ({})1;", scalar.name()), vec![target, value]));
            }
            let widened = width > 1 && self.chance(30);
            let value = if widened { self.int(scalar, 2) } else { self.value(&ty, 3) };
            return Some(Stmt::leaf(&format!("@ {operator} @;"), vec![target, value]));
        }
        None
    }

    /// `++` and `--`.
    fn step(&mut self) -> Option<Stmt> {
        let mut scalar = self.int_type();
        if scalar.bytes() >= 4 {
            scalar = scalar.int(false);
        }
        let target = self.target(&Type::Scalar(scalar))?;
        let template = match self.below(6) {
            0 => "@++;",
            1 => "@--;",
            2 => "++@;",
            3 => "--@;",
            4 => "h = mix(h, (uint)@++);",
            _ => "h = mix(h, (uint)--@);",
        };
        Some(Stmt::leaf(template, vec![target]))
    }

    /// A call whose result becomes a variable: it may write what other expressions read.
    fn call_statement(&mut self) -> Vec<Stmt> {
        let Some((call, ty)) = self.any_call() else { return Vec::new() };
        if self.chance(25)
            && let Type::Scalar(scalar) = ty
        {
            let condition = self.condition(2);
            let name = self.name("v");
            let int = Type::Scalar(scalar);
            let declared = self.records.declare(&int, &name);
            let (template, operands) = match self.below(3) {
                0 => (format!("{declared} = @ && @;"), vec![condition, call]),
                1 => (format!("{declared} = @ || @;"), vec![condition, call]),
                _ => (format!("{declared} = @ ? @ : ({})0;", scalar.name()), vec![condition, call]),
            };
            self.add(&name, int, Space::Private, 0);
            return vec![Stmt::leaf(&template, operands)];
        }
        let name = self.name("v");
        let declared = self.records.declare(&ty, &name);
        if let (Type::Record(index), true) = (&ty, self.chance(20)) {
            // A member straight from the result.
            let record = self.records.0[*index].clone();
            let (member, member_ty) = self.pick(&record.members);
            if !matches!(member_ty, Type::Array(..)) {
                let declared = self.records.declare(&member_ty, &name);
                self.add(&name, member_ty, Space::Private, 0);
                return vec![Stmt::leaf(&format!("{declared} = @.{member};"), vec![call.fixed()])];
            }
        }
        self.add(&name, ty, Space::Private, 0);
        vec![Stmt::leaf(&format!("{declared} = @;"), vec![call])]
    }

    /// Side effects that happen only if the other side says so.
    fn short_circuit(&mut self) -> Option<Stmt> {
        let mut scalar = self.int_type();
        if scalar.bytes() >= 4 {
            scalar = scalar.int(false);
        }
        let target = self.target(&Type::Scalar(scalar))?;
        let condition = self.condition(2);
        let value = self.int(scalar, 2);
        let template = match self.below(6) {
            0 => "if (@ && (@ += @)) h ^= 0x5au;",
            1 => "if (@ || !(@ ^= @)) h += 77u;",
            2 => "h = mix(h, (uint)(@ && (@ = @)));",
            3 => "h = mix(h, (uint)(@ ? (@ -= @) : 3));",
            4 => "(@) && (@ |= @);",
            _ => "h += (@ || (@ = @, 1)) ? 5u : 9u;",
        };
        Some(Stmt::leaf(template, vec![condition, target, value]))
    }

    /// Reads or writes the bytes of an object.
    fn byte_walk(&mut self) -> Option<Stmt> {
        let space = self.pick(&[Space::Private, Space::Private, Space::Local, Space::Global, Space::Constant]);
        let write = space != Space::Constant && self.rng.bool();
        let need = Need { space: Some(space), write, address: true, depth: u32::MAX };
        for _ in 0..5 {
            let ty = self.object_type();
            if !self.records.is_plain(&ty) {
                continue;
            }
            let Some(place) = self.place(&ty, need) else { continue };
            let size = self.records.layout(&ty).0;
            let affordable = self.cost + self.repeat * size <= MOST_ITERATIONS && self.repeat * size < 100;
            let (b, k) = (self.name("b"), self.name("k"));
            let readonly = if write || space == Space::Constant { "" } else { "const " };
            let pointer =
                format!("{}{readonly}uchar *{b} = ({}{readonly}uchar *)&@;", space.qualifier(), space.qualifier());
            if write {
                let index = self.index(size);
                let value = self.int(Scalar::Int { bytes: 1, signed: false }, 2);
                return Some(Stmt::leaf(&format!("{{ {pointer} {b}[@] ^= @; }}"), vec![place, index, value]));
            }
            if affordable && size <= 64 {
                self.cost += self.repeat * size;
                let walk = format!("for (uint {k} = 0; {k} < {size}u; {k}++) h = mix(h, {b}[{k}]);");
                return Some(Stmt::leaf(&format!("{{ {pointer} {walk} }}"), vec![place]));
            }
            let index = self.index(size);
            return Some(Stmt::leaf(&format!("{{ {pointer} h = mix(h, {b}[@]); }}"), vec![place, index]));
        }
        None
    }

    fn load_vector(&mut self) -> Option<Stmt> {
        for _ in 0..6 {
            let (scalar, width) = (self.int_type(), self.pick(&[2, 2, 3, 4, 8]));
            let space = self.pick(&[Space::Private, Space::Local, Space::Global, Space::Constant, Space::Generic]);
            let twice = self.chance(30);
            let extent = if twice { width * 2 } else { width };
            let Some(pointer) = self.pointer(space, true, &Type::Scalar(scalar), extent, u32::MAX) else { continue };
            let lane = self.below(width);
            let offset = if twice { self.index(2) } else { Expr::text(None, "0") };
            let template = format!("h = mix2(h, (ulong)(vload{width}(@, @).s{lane:x}));");
            return Some(Stmt::leaf(&template, vec![offset, pointer]));
        }
        None
    }

    fn store_vector(&mut self) -> Option<Stmt> {
        for _ in 0..4 {
            let (scalar, width) = (self.int_type(), self.pick(&[2, 3, 4, 8]));
            let space = self.space();
            let Some(pointer) = self.pointer(space, false, &Type::Scalar(scalar), width, u32::MAX) else { continue };
            let value = self.vector(scalar, width, 2);
            return Some(Stmt::leaf(&format!("vstore{width}(@, 0, @);"), vec![value, pointer]));
        }
        None
    }

    fn if_else(&mut self, few: u32, context: Context) -> Stmt {
        let condition = self.condition(3);
        let mut pieces = vec![Piece::Parts(fill("if (@) {", vec![condition]))];
        pieces.push(Piece::Body(self.block(few, context.inner())));
        if self.rng.bool() {
            pieces.push(text("} else {"));
            let few = 1 + self.below(3);
            pieces.push(Piece::Body(self.block(few, context.inner())));
        }
        pieces.push(text("}"));
        Stmt::block(pieces)
    }

    /// Room for a loop of so many iterations here.
    pub(super) fn affords(&self, trips: u32) -> bool {
        self.repeat * trips <= MOST_NESTED && self.cost + self.repeat * trips <= MOST_ITERATIONS
    }

    pub(super) fn in_loop<T>(&mut self, trips: u32, body: impl FnOnce(&mut Generator) -> T) -> T {
        let before = self.repeat;
        self.cost += self.repeat * trips;
        self.repeat *= trips;
        let result = body(self);
        self.repeat = before;
        result
    }

    fn counted_loop(&mut self, few: u32, context: Context) -> Option<Stmt> {
        let trips = 1 + self.below(6);
        if !self.affords(trips) {
            return None;
        }
        let uniform = context.uniform && self.rng.bool();
        let inner = Context { in_loop: !uniform, uniform, nest: context.nest + 1 };
        let name = self.name("i");
        let scalar = self.pick(&[INT, INT, UINT, Scalar::Int { bytes: 1, signed: false }]);
        let bound = if uniform || self.chance(60) {
            Expr::text(None, format!("{trips}"))
        } else {
            let value = self.int(UINT, 2);
            Expr::new(None, &format!("(({})(@ % {}u))", scalar.name(), trips + 1), vec![value])
        };
        let ty = scalar.name();
        let bound_name = self.name("n");
        let head = match self.below(3) {
            0 if trips > 1 && !uniform => {
                format!("for ({ty} {name} = 0, {bound_name} = @; {name} < {bound_name}; {name} += 2) {{")
            }
            1 => format!("for ({ty} {name} = 0, {bound_name} = @; {name} != {bound_name}; ++{name}) {{"),
            _ => format!("for ({ty} {name} = 0, {bound_name} = @; {name} < {bound_name}; {name}++) {{"),
        };
        let body = self.in_loop(trips, |s| {
            let mark = s.enter();
            s.add(&name, Type::Scalar(scalar), Space::Private, 0);
            if let Some(last) = s.scope.last_mut() {
                last.writable = false;
                last.limit = Some(trips);
            }
            let body = s.block(few, inner);
            s.leave(mark);
            body
        });
        Some(Stmt::block(vec![Piece::Parts(fill(&head, vec![bound])), Piece::Body(body), text("}")]))
    }

    fn while_loop(&mut self, few: u32, context: Context) -> Option<Stmt> {
        let trips = 1 + self.below(5);
        if !self.affords(trips + 1) {
            return None;
        }
        let inner = Context { in_loop: true, uniform: false, nest: context.nest + 1 };
        let name = self.name("w");
        let condition = self.condition(2);
        let body = self.in_loop(trips + 1, |s| s.block(few, inner));
        let (head, tail, condition_last) = match self.below(4) {
            0 => (format!("{{ int {name} = {trips}; do {{"), format!("}} while (--{name} > 0 && @); }}"), true),
            1 => (format!("{{ int {name} = {trips}; while ({name}-- > 0 && @) {{"), "} }".to_string(), false),
            2 => (format!("{{ int {name} = 0; while (1) {{ if (++{name} > {trips} || @) break;"), "} }".into(), false),
            _ => (
                format!("for (int {name} = 0; ; ) {{ if (@ && {name}) break; if (++{name} > {trips}) break;"),
                "}".into(),
                false,
            ),
        };
        let (first, last) = if condition_last { (vec![], vec![condition]) } else { (vec![condition], vec![]) };
        Some(Stmt::block(vec![Piece::Parts(fill(&head, first)), Piece::Body(body), Piece::Parts(fill(&tail, last))]))
    }

    fn switch(&mut self, context: Context) -> Stmt {
        let scalar = self.int_type();
        let value = self.int(scalar, 2);
        let template = if self.chance(80) { "switch (@ & 7) {" } else { "switch (@) {" };
        let mut pieces = vec![Piece::Parts(fill(template, vec![value]))];
        let mut labels: Vec<u32> = (0..8).collect();
        self.rng.shuffle(&mut labels);
        let cases = 1 + self.below(5);
        let default_at = self.below(cases + 2);
        for case in 0..cases {
            let mut head = String::new();
            if case > 0 {
                head.push_str(if self.chance(70) { "} break; " } else { "} " });
            }
            if case == default_at {
                head.push_str("default: ");
            }
            for _ in 0..1 + self.below(2) {
                if let Some(label) = labels.pop() {
                    head.push_str(&format!("case {label}: "));
                }
            }
            head.push('{');
            pieces.push(text(&head));
            let few = 1 + self.below(3);
            let mut body = self.block(few, context.inner());
            if self.chance(20) {
                let condition = self.condition(1);
                body.insert(0, Stmt::leaf("if (@) break;", vec![condition]));
            }
            pieces.push(Piece::Body(body));
        }
        pieces.push(text("} }"));
        Stmt::block(pieces)
    }

    fn early_return(&mut self) -> Stmt {
        let condition = self.condition(2);
        let value = self.returned();
        Stmt::leaf("if (@) return @;", vec![condition, value])
    }

    /// The value of a `return`, with the checksum in it where it fits.
    pub(super) fn returned(&mut self) -> Expr {
        match self.result.clone() {
            Some(Type::Scalar(scalar)) if scalar.is_int() => {
                let value = self.int(scalar, 2);
                Expr::new(None, &format!("({})(h ^ @)", scalar.name()), vec![value])
            }
            Some(Type::Pointer { space, readonly, to }) => {
                // Only parameters: locals are gone after the return.
                self.pointer(space, readonly, &to, 1, 1).unwrap_or_else(|| Expr::text(None, "a"))
            }
            Some(ty) => self.value(&ty, 2),
            None => Expr::text(None, ""),
        }
    }
}

pub(super) fn text(text: &str) -> Piece {
    Piece::Parts(fill(text, Vec::new()))
}

/// Expressions in a statement and what it holds, at least 1.
fn size(stmt: &Stmt) -> u32 {
    let of_parts = |parts: &[crate::fuzz::tree::Part]| -> u32 {
        parts.iter().map(|part| if let crate::fuzz::tree::Part::Expr(e) = part { e.size() } else { 0 }).sum()
    };
    // Bodies have been counted as they were made.
    1 + stmt.pieces.iter().map(|piece| if let Piece::Parts(parts) = piece { of_parts(parts) } else { 0 }).sum::<u32>()
}
