//! Programs of many kernels, each of which computes little more than one expression from what it loads. They find
//! defects of a driver's peephole optimiser sooner than long programs do.

use super::expr::shape;
use super::{Generator, Scalar, Space, Type, UINT};
use crate::fuzz::tree::{Expr, Function, Piece, Program, Stmt, fill};

const KERNELS: u32 = 40;
const ITEMS: u32 = 8192;
const GROUP: u32 = 64;
/// Bytes that the kernels load from.
const LOADED: u32 = 1 << 16;

impl Generator {
    /// The program.
    pub(super) fn expressions(mut self, seed: u64) -> Program {
        let functions = (0..KERNELS).map(|number| self.expression_kernel(number)).collect();
        let directives = format!("// Expressions of seed {seed}.\n// OPTIONS: -cl-std=CL1.2\n");
        Program { directives, definitions: Vec::new(), functions }
    }

    fn expression_kernel(&mut self, number: u32) -> Function {
        let mark = self.enter();
        let ids = "uint gid = (uint)get_global_id(0), lid = (uint)get_local_id(0);";
        let mut body = vec![Stmt::leaf(ids, vec![]).fixed()];
        let names: &[&str] = if self.chance(30) { &["a", "gid"] } else { &["a"] };
        for name in names {
            self.add(name, Type::Scalar(UINT), Space::Private, 0);
            self.read_only();
        }
        for _ in 0..1 + self.below(3) {
            body.push(self.load());
        }
        for _ in 0..self.below(3) {
            body.push(self.intermediate());
        }
        let (result, value) = self.result();
        let (store, size) = self.store(&result);
        body.push(Stmt::leaf(&store, vec![value]).fixed());
        self.leave(mark);
        let (argument, data) = (self.rng.u32(..), self.below(1 << 16));
        let head = format!(
            "// RUN: kernel=k{number} global={ITEMS} local={GROUP}\n// ARG: buffer:bytes={}\n// ARG: buffer:random={LOADED},{data}\n\
             // ARG: uint={argument}\n// EXPECT: pocl\n\
             __kernel void k{number}(__global uchar *out, __global const uchar *in, uint a)",
            size * ITEMS
        );
        Function { head, body }
    }

    /// What the kernel computes, and its type: integers, or the bits of what they are as numbers of a floating type, to which all
    /// conversions are rounded alike.
    fn result(&mut self) -> (Type, Expr) {
        let ty = self.integers();
        let depth = 1 + self.below(4);
        let value = self.value(&ty, depth);
        if self.chance(85) {
            return (ty, value);
        }
        let float = if self.doubles { Scalar::Double } else { Scalar::Float };
        let like = |scalar| match ty {
            Type::Vector(_, width) => Type::Vector(scalar, width),
            _ => Type::Scalar(scalar),
        };
        let bits = like(Scalar::Int { bytes: float.bytes(), signed: false });
        let template = format!("as_{}(convert_{}(@))", self.records.name(&bits), self.records.name(&like(float)));
        let converted = Expr::new(Some(bits.clone()), &template, vec![value]);
        (bits, converted)
    }

    /// What stores a value to the result of the work-item, all bytes of it, and their number.
    fn store(&mut self, ty: &Type) -> (String, u32) {
        let size = self.records.layout(ty).0;
        match ty {
            // The fourth lane of a vector of three in memory has no value.
            Type::Vector(scalar, width) if *width == 3 || self.rng.bool() => {
                (format!("vstore{width}(@, gid, (__global {} *)out);", scalar.name()), width * scalar.bytes())
            }
            _ => (format!("((__global {} *)out)[gid] = @;", self.records.name(ty)), size),
        }
    }

    /// A scalar or vector of integers, more often narrow than in other programs.
    fn integers(&mut self) -> Type {
        let scalar = if self.rng.bool() { self.narrow_type() } else { self.int_type() };
        let width = if self.chance(60) { 1 } else { self.width() };
        shape(scalar, width)
    }

    /// Declares something with a value from memory.
    fn load(&mut self) -> Stmt {
        let (ty, name) = (self.integers(), self.name("x"));
        let last = LOADED / self.records.layout(&ty).0 - 1;
        let index = self.pick(&["gid", "gid", "gid + lid", "gid * 3u", "(gid >> 2)", "(gid ^ a)"]);
        let offset = self.below(last);
        let place = format!("((__global const {} *)in)[({index} + {offset}u) & {last}u]", self.records.name(&ty));
        let declared = self.records.declare(&ty, &name);
        self.add(&name, ty, Space::Private, 0);
        Stmt::leaf(&format!("{declared} = {place};"), vec![])
    }

    /// Declares something with a value that was computed, or gives another value to a variable under a condition.
    fn intermediate(&mut self) -> Stmt {
        let depth = 1 + self.below(3);
        let ty = if self.chance(15) { Type::Scalar(Scalar::Float) } else { self.integers() };
        let target = self.target(&ty);
        match target {
            Some(target) if self.rng.bool() => {
                let condition = self.condition(depth);
                let value: Expr = self.value(&ty, depth);
                let assigned = Stmt::leaf("@ = @;", vec![target, value]);
                let parts = |text: &str, operands| Piece::Parts(fill(text, operands));
                Stmt::block(vec![parts("if (@) {", vec![condition]), Piece::Body(vec![assigned]), parts("}", vec![])])
            }
            _ => {
                let (value, name) = (self.value(&ty, depth), self.name("y"));
                let declared = self.records.declare(&ty, &name);
                self.add(&name, ty, Space::Private, 0);
                Stmt::leaf(&format!("{declared} = @;"), vec![value])
            }
        }
    }
}
