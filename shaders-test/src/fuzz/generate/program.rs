//! Records, tables, functions and the kernel.

use super::stmt::Context;
use super::{Generator, INT, Record, Scalar, Signature, Space, Type, UINT};
use crate::backend::CORRECTLY_ROUNDED;
use crate::fuzz::tree::{Expr, Function, Program, Stmt};

/// Every program has these; the checksum must not be cheap to fold.
const HELPERS: &str = "\
#pragma OPENCL FP_CONTRACT OFF
uint mix(uint h, uint v) { h = (h ^ v) * 0x9e3779b1u; return h ^ (h >> 15); }
uint mix2(uint h, ulong v) { return mix(mix(h, (uint)v), (uint)(v >> 32)); }
";

/// How generic pointers are made. Where the driver has none, they are global addresses: on a CPU all memory has one.
const GENERIC: &str = "\
#ifdef __opencl_c_generic_address_space
#define GENERIC
#define TO(T, p) ((T)(p))
#else
#define GENERIC __global
#define TO(T, p) ((T)(ulong)(p))
#endif
";

/// Work-items, and how many of them are a group.
const ITEMS: u32 = 32;
const GROUP: u32 = 16;

const BODY: Context = Context { in_loop: false, uniform: false, nest: 0 };

impl Generator {
    pub(super) fn program(mut self, seed: u64) -> Program {
        let mut definitions = Vec::new();
        if self.generic {
            definitions.push(GENERIC.into());
        }
        for _ in 0..self.below(5) {
            let record = self.new_record();
            definitions.push(self.records.define(&record));
            self.records.0.push(record);
        }
        definitions.push(HELPERS.into());
        for _ in 0..self.below(3) {
            definitions.push(self.table());
        }
        let size = self.pick(&[300, 600, 900, 1300]);
        let mut functions = Vec::new();
        let count = self.below(5);
        for _ in 0..count {
            self.budget = size / i64::from(2 * count);
            functions.push(self.function());
        }
        self.budget = size;
        let (kernel, arguments) = self.kernel();
        functions.push(kernel);
        definitions.append(&mut self.helpers);
        let version = if self.generic { "3.0" } else { "1.2" };
        let rounded = if self.divides { format!(" {CORRECTLY_ROUNDED}") } else { String::new() };
        let directives =
            format!("// Seed {seed}.\n// OPTIONS: -cl-std=CL{version}{rounded}\n{arguments}// EXPECT: pocl\n");
        Program { directives, definitions, functions }
    }

    fn new_record(&mut self) -> Record {
        let name = self.name("S");
        if self.chance(25) {
            // Members of a union share all their bytes.
            let size = self.pick(&[4, 8, 8, 16]);
            let mut members = vec![(self.name("m"), self.int_of_size(size))];
            for _ in 0..1 + self.below(3) {
                members.push((self.name("m"), self.int_of_size(size)));
            }
            return Record { name, union: true, packed: false, members };
        }
        let pointers = self.chance(30);
        let packed = !pointers && self.chance(20);
        let mut members: Vec<(String, Type)> =
            (0..1 + self.below(5)).map(|_| (self.name("m"), self.member_type())).collect();
        if pointers {
            for _ in 0..1 + self.below(2) {
                let member = (self.name("m"), self.pointer_member());
                members.insert(self.rng.usize(0..=members.len()), member);
            }
        }
        Record { name, union: false, packed, members }
    }

    /// Integers that fill so many bytes.
    fn int_of_size(&mut self, size: u32) -> Type {
        let bytes = self.pick(&[1, 2, 4, 8, size.min(8)]).min(size);
        let scalar = Scalar::Int { bytes, signed: self.rng.bool() };
        let count = size / bytes;
        match count {
            1 => Type::Scalar(scalar),
            2 | 4 | 8 if self.rng.bool() => Type::Vector(scalar, count),
            _ => Type::Array(Box::new(Type::Scalar(scalar)), count),
        }
    }

    fn member_type(&mut self) -> Type {
        match self.below(12) {
            0..=6 => Type::Scalar(self.scalar_type()),
            7 | 8 => {
                let (scalar, _) = self.vector_type();
                let width = self.pick(&[2, 3, 4, 4, 8]);
                Type::Vector(scalar, width)
            }
            9 => self.record_type().filter(|ty| self.records.layout(ty).0 <= 48).unwrap_or(Type::Scalar(UINT)),
            _ => {
                let element = Type::Scalar(self.int_type());
                let count = self.pick(&[2, 3, 4]);
                let array = Type::Array(Box::new(element), count);
                if self.chance(15) { Type::Array(Box::new(array), 2) } else { array }
            }
        }
    }

    /// A constant table.
    fn table(&mut self) -> String {
        let mut element = self.value_type();
        if self.records.layout(&element).0 > 64 {
            element = Type::Scalar(INT);
        }
        let ty = if self.chance(85) { Type::Array(Box::new(element), self.pick(&[4, 8, 8, 5])) } else { element };
        let name = self.name("T");
        let value = self.constant(&ty);
        let declared = self.records.declare(&ty, &name);
        self.add(&name, ty, Space::Constant, 0);
        self.read_only();
        format!("__constant {declared} = {value};\n")
    }

    /// A constant initialiser.
    fn constant(&mut self, ty: &Type) -> String {
        match ty {
            Type::Scalar(scalar) if scalar.is_int() => match &self.literal(*scalar).parts[..] {
                [super::super::tree::Part::Text(text)] => text.clone(),
                _ => "7".into(),
            },
            Type::Scalar(_) => format!("{}.0f", self.below(256)),
            Type::Vector(scalar, width) => {
                let values: Vec<String> = (0..*width).map(|_| self.constant(&Type::Scalar(*scalar))).collect();
                format!("({})({})", self.records.name(ty), values.join(", "))
            }
            Type::Array(element, count) => {
                let values: Vec<String> = (0..*count).map(|_| self.constant(element)).collect();
                format!("{{{}}}", values.join(", "))
            }
            Type::Record(index) => {
                let record = self.records.0[*index].clone();
                let shown = if record.union { 1 } else { record.members.len() };
                let values: Vec<String> = record.members[..shown].iter().map(|(_, m)| self.constant(m)).collect();
                format!("{{{}}}", values.join(", "))
            }
            Type::Pointer { .. } => "0".into(),
        }
    }

    fn function(&mut self) -> Function {
        let mark = self.enter();
        (self.cost, self.size) = (0, 0);
        let name = self.name("f");
        let mut params: Vec<(Type, u32)> = Vec::new();
        let mut heads = Vec::new();
        let mut pure = true;
        let picks = self.chance(12);
        let result = if picks {
            let to = Box::new(Type::Scalar(self.int_type()));
            let space = self.space();
            let pointer = Type::Pointer { space, readonly: false, to };
            params.extend([(pointer.clone(), 1), (pointer.clone(), 1)]);
            pointer
        } else if self.chance(60) {
            Type::Scalar(self.int_type())
        } else {
            self.value_type()
        };
        for _ in 0..1 + self.below(3) {
            params.push(self.parameter());
        }
        for (index, (ty, extent)) in params.iter().enumerate() {
            let name = match index {
                0 => "a".to_string(),
                _ => self.name("a"),
            };
            let writes = match ty {
                Type::Pointer { readonly, .. } => !readonly,
                ty => self.records.has_pointer(ty),
            };
            pure &= !writes;
            heads.push(self.records.declare(ty, &name));
            self.add(&name, ty.clone(), Space::Private, *extent);
            // What pointer parameters point to outlives the call, parameters themselves do not.
            if let (Some(last), false) = (self.scope.last_mut(), matches!(ty, Type::Pointer { .. })) {
                last.depth += 1;
            }
        }
        self.result = Some(result.clone());
        let mut body = vec![Stmt::leaf("uint h = 0x811c9dc5u;", Vec::new())];
        self.add("h", Type::Scalar(UINT), Space::Private, 0);
        self.read_only();
        if picks {
            let condition = self.condition(2);
            let value = self.returned();
            body.push(Stmt::leaf("if (@) return @;", vec![condition, value]));
        } else {
            let count = 1 + self.below(6);
            let inner = self.enter();
            body.extend(self.statements(count, BODY));
            let declared = self.scope[inner..].to_vec();
            for var in declared {
                if self.chance(40) {
                    body.extend(self.absorb(&var));
                }
            }
            body.push(self.last_return());
            self.leave(inner);
        }
        if picks {
            body.push(self.last_return());
        }
        self.result = None;
        self.leave(mark);
        let qualifier = self.pick(&["", "", "static ", "inline "]);
        let qualifier = if self.apart && self.rng.bool() { "__attribute__((noinline)) " } else { qualifier };
        let qualifier = if qualifier == "inline " { "static inline " } else { qualifier };
        let head = format!("{qualifier}{}", self.records.declare(&result, &format!("{name}({})", heads.join(", "))));
        let signature =
            Signature { name, result: Some(result), params, pure: pure && !picks, cost: self.cost, size: self.size };
        self.functions.push(signature);
        Function { head, body }
    }

    fn last_return(&mut self) -> Stmt {
        let value = self.returned();
        Stmt::leaf("return @;", vec![value]).fixed()
    }

    fn parameter(&mut self) -> (Type, u32) {
        if self.chance(45) {
            let to = if self.chance(70) { Type::Scalar(self.int_type()) } else { self.value_type() };
            let space = if self.chance(20) { Space::Constant } else { self.space() };
            let readonly = space == Space::Constant || self.rng.bool();
            let extent = if matches!(to, Type::Scalar(_)) { self.pick(&[1, 1, 2, 4]) } else { 1 };
            return (Type::Pointer { space, readonly, to: Box::new(to) }, extent);
        }
        match self.record_with_pointers() {
            Some(ty) if self.chance(25) => (ty, 0),
            _ => (self.value_type(), 0),
        }
    }

    /// The kernel, and the directives for its arguments.
    fn kernel(&mut self) -> (Function, String) {
        let mark = self.enter();
        (self.cost, self.size) = (0, 0);
        let mut heads = vec!["__global uint *out".to_string(), "__global const uint *in".to_string()];
        let (mut arguments, ids) = self.range();
        arguments.push_str(&format!("// ARG: buffer:uint={}\n", vec!["0"; ITEMS as usize * 12].join(",")));
        arguments.push_str(&format!("// ARG: buffer:uint={}\n", self.numbers(64, u64::from(u32::MAX))));
        let mut body = Vec::new();
        body.push(Stmt::leaf(ids, vec![]).fixed());
        body.push(Stmt::leaf("__global uint *po = out + gid * 12u;", vec![]).fixed());
        for name in ["gid", "lid"] {
            self.add(name, Type::Scalar(UINT), Space::Private, 0);
            self.read_only();
        }
        let words = |readonly| Type::Pointer { space: Space::Global, readonly, to: Box::new(Type::Scalar(UINT)) };
        self.add("po", words(false), Space::Private, 8);
        self.read_only();
        self.add("in", words(true), Space::Private, 64);
        self.read_only();
        self.record_buffer(&mut heads, &mut arguments, &mut body);
        for _ in 0..self.below(3) {
            self.plain_argument(&mut heads, &mut arguments);
        }
        body.push(Stmt::leaf("uint h = in[gid] ^ 0x811c9dc5u;", vec![]).fixed());
        self.add("h", Type::Scalar(UINT), Space::Private, 0);
        self.read_only();
        if self.chance(30) {
            self.local_argument(&mut heads, &mut arguments, &mut body);
        }
        for _ in 0..self.below(3) {
            self.local_slots(&mut body);
        }
        self.counter = self.barriers && self.chance(60);
        if self.counter {
            body.push(Stmt::leaf("__local uint lc[1];", vec![]));
        }
        let inner = self.enter();
        let count = 4 + self.below(10);
        body.extend(self.statements(count, Context { uniform: true, ..BODY }));
        let declared = self.scope[inner..].to_vec();
        for var in declared {
            if self.chance(80) {
                body.extend(self.absorb(&var));
            }
        }
        self.leave(inner);
        body.push(Stmt::leaf("po[8] = h;", vec![]).fixed());
        self.leave(mark);
        (Function { head: format!("__kernel void k({})", heads.join(", ")), body }, arguments)
    }

    /// The range's directive, and a number for each work-item and for each in its group.
    fn range(&mut self) -> (String, &'static str) {
        let line = format!("// RUN: kernel=k global={ITEMS} local={GROUP}");
        let ids = "uint gid = (uint)get_global_id(0), lid = (uint)get_local_id(0);";
        match self.below(10) {
            0..=6 => (format!("{line}\n"), ids),
            7 => (format!("{line} offset=5\n"), "uint gid = (uint)get_global_id(0) - 5u, lid = (uint)get_local_id(0);"),
            8 => (
                "// RUN: kernel=k global=8,4 local=4,4\n".into(),
                "uint lid = (uint)(get_local_id(1) * 4 + get_local_id(0)), gid = (uint)get_group_id(0) * 16u + lid;",
            ),
            _ => (
                "// RUN: kernel=k global=2,4,4 local=2,4,2\n".into(),
                "uint lid = (uint)((get_local_id(2) * 4 + get_local_id(1)) * 2 + get_local_id(0)), \
                 gid = (uint)get_group_id(2) * 16u + lid;",
            ),
        }
    }

    fn numbers(&mut self, count: u32, most: u64) -> String {
        let values: Vec<String> = (0..count).map(|_| self.rng.u64(0..=most).to_string()).collect();
        values.join(",")
    }

    fn plain_record(&mut self) -> Option<Type> {
        let all: Vec<Type> = (0..self.records.0.len()).map(Type::Record).collect();
        let all: Vec<Type> = all.into_iter().filter(|ty| self.records.is_plain(ty)).collect();
        if all.is_empty() { None } else { Some(self.pick(&all)) }
    }

    /// A buffer with a record, array or vector for each work-item.
    fn record_buffer(&mut self, heads: &mut Vec<String>, arguments: &mut String, body: &mut Vec<Stmt>) {
        let ty = match self.plain_record() {
            Some(ty) if self.chance(80) => ty,
            _ => {
                let (scalar, width) = (self.int_type(), self.pick(&[2, 4, 8]));
                Type::Vector(scalar, width)
            }
        };
        let size = self.records.layout(&ty).0;
        let pointer = Type::Pointer { space: Space::Global, readonly: false, to: Box::new(ty) };
        heads.push(self.records.declare(&pointer, "gs"));
        arguments.push_str(&format!("// ARG: buffer:uchar={}\n", self.numbers(size * ITEMS, 255)));
        body.push(Stmt::leaf(&format!("{} = gs + gid;", self.records.declare(&pointer, "pg")), vec![]).fixed());
        self.add("pg", pointer, Space::Private, 1);
        self.read_only();
    }

    fn plain_argument(&mut self, heads: &mut Vec<String>, arguments: &mut String) {
        let ty = match self.plain_record() {
            Some(ty) if self.chance(50) => ty,
            _ if self.rng.bool() => Type::Scalar(self.int_type()),
            _ => {
                let (scalar, width) = (self.int_type(), self.pick(&[2, 4, 8, 16]));
                Type::Vector(scalar, width)
            }
        };
        let name = self.name("q");
        let size = self.records.layout(&ty).0;
        heads.push(self.records.declare(&ty, &name));
        let values = self.numbers(size, 255);
        arguments.push_str(&format!("// ARG: bytes={values}\n"));
        let shared = matches!(ty, Type::Record(_));
        self.add(&name, ty, Space::Private, 0);
        // PoCL 3.1 gives all work-items of a group the same copy of a record, so that one sees what another writes.
        if shared {
            self.read_only();
        }
    }

    /// An argument in local memory with a slot for each work-item of the group.
    fn local_argument(&mut self, heads: &mut Vec<String>, arguments: &mut String, body: &mut Vec<Stmt>) {
        let ty = match self.below(3) {
            0 => {
                let (scalar, width) = self.vector_type();
                Type::Vector(scalar, width)
            }
            _ => Type::Scalar(self.int_type()),
        };
        let name = self.name("l");
        let pointer = Type::Pointer { space: Space::Local, readonly: false, to: Box::new(ty.clone()) };
        heads.push(self.records.declare(&pointer, &name));
        arguments.push_str(&format!("// ARG: local:bytes={}\n", self.records.layout(&ty).0 * GROUP));
        let slot = format!("{name}[lid]");
        let mut stores = Vec::new();
        self.store_all(&slot, &ty, &mut stores);
        body.extend(stores);
        self.add(&slot, ty, Space::Local, 0);
    }

    /// Local memory with a slot for each work-item of the group.
    fn local_slots(&mut self, body: &mut Vec<Stmt>) {
        if self.chance(30)
            && let Some((ty, value)) = self.shared_pointer()
        {
            let name = self.name("l");
            let declared = self.records.declare(&ty, &format!("__local {name}[{GROUP}]"));
            body.push(Stmt::leaf(&format!("{declared};"), vec![]).fixed());
            body.push(Stmt::leaf(&format!("{name}[lid] = @;"), vec![value]).fixed());
            self.add(&format!("{name}[lid]"), ty, Space::Local, 1);
            return;
        }
        let mut ty = self.object_type();
        if self.records.layout(&ty).0 > 128 {
            ty = Type::Scalar(INT);
        }
        let name = self.name("l");
        let slots = Type::Array(Box::new(ty.clone()), GROUP);
        body.push(Stmt::leaf(&format!("__local {};", self.records.declare(&slots, &name)), vec![]).fixed());
        let slot = format!("{name}[lid]");
        let mut stores = Vec::new();
        self.store_all(&slot, &ty, &mut stores);
        body.extend(stores);
        self.add(&slot, ty, Space::Local, 0);
    }

    /// Gives a value to every part: local memory has no initialisers.
    fn store_all(&mut self, text: &str, ty: &Type, into: &mut Vec<Stmt>) {
        match ty {
            Type::Array(element, count) => {
                for index in 0..*count {
                    self.store_all(&format!("{text}[{index}]"), element, into);
                }
            }
            Type::Record(index) => {
                let record = self.records.0[*index].clone();
                let shown = if record.union { 1 } else { record.members.len() };
                for (name, member) in &record.members[..shown] {
                    self.store_all(&format!("{text}.{name}"), member, into);
                }
            }
            _ => {
                let value: Expr = self.value(ty, 1);
                into.push(Stmt::leaf(&format!("{text} = @;"), vec![value]).fixed());
            }
        }
    }
}
