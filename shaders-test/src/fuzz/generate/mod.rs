//! Generates programs whose results the language defines completely.
//!
//! Ranges are enforced by the text around each hole (`a[@ & 7]`, `@ / (@ | 1)`), so the reducer may replace any value
//! by another one of the right type. Expressions inside expressions have no side effects; calls that write through
//! pointers stand alone. Floats hold small integers only, so that every operation on them is exact.

mod call;
mod expr;
mod expressions;
mod float;
mod jump;
mod loops;
mod memory;
mod place;
mod program;
mod special;
mod stmt;
mod sync;
mod vector;

use super::tree::{Expr, Program};
use super::types::{INT, Record, Records, Scalar, Space, Type, UINT};

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    Generator::new(seed).program(seed)
}

/// The program of a seed, with barriers in loops whose bounds are loaded. Not every OpenCL driver gets those right: PoCL 3.1 does
/// not.
pub fn barrier_loops(seed: u64) -> Program {
    let mut generator = Generator::new(seed);
    generator.barriers = true;
    generator.barrier_loops = true;
    generator.program(seed)
}

/// The program of a seed with many kernels of one expression each.
pub fn expressions(seed: u64) -> Program {
    Generator::new(seed).expressions(seed)
}

/// Something with a name.
#[derive(Clone, Debug)]
struct Var {
    /// Its text in an expression: a name, or `slots[lid]`.
    text: String,
    ty: Type,
    /// Where it lies.
    space: Space,
    /// Elements behind it, if it is a pointer.
    extent: u32,
    writable: bool,
    /// Nesting of the block that declares it; a pointer outside must not point to it.
    depth: u32,
    /// Its values are below this (loop counters).
    limit: Option<u32>,
}

/// A function that later ones may call.
#[derive(Clone, Debug)]
struct Signature {
    name: String,
    result: Option<Type>,
    params: Vec<(Type, u32)>,
    /// Writes nothing that the caller sees.
    pure: bool,
    /// Loop iterations of a call.
    cost: u32,
    /// Expressions, with those of callees.
    size: u32,
}

struct Generator {
    rng: fastrand::Rng,
    records: Records,
    scope: Vec<Var>,
    functions: Vec<Signature>,
    depth: u32,
    names: u32,
    /// Expressions that may still be made.
    budget: i64,
    /// Iterations of the loops around the current place.
    repeat: u32,
    /// Iterations in the current function so far.
    cost: u32,
    /// Size of the current function so far, with callees.
    size: u32,
    /// What the current function returns; `None` in the kernel.
    result: Option<Type>,
    doubles: bool,
    /// Whether a float is divided by one, of which the result is compared.
    divides: bool,
    /// Whether the program has generic pointers.
    generic: bool,
    /// Whether some functions are not inlined. PoCL 3.1 has no ids of work-items in those: no function asks for them then.
    apart: bool,
    /// Whether the kernel has barriers; else it may have jumps, which become loops around the barriers too.
    barriers: bool,
    /// Whether barriers stand in loops other than reductions.
    barrier_loops: bool,
    /// Whether the kernel has a counter of the group in local memory.
    counter: bool,
    /// Whether a pointer was wanted where nothing is that it may point to.
    lacking: bool,
    /// Labels behind the blocks around the current place.
    exits: Vec<String>,
    /// Functions that statements of the kernel need.
    helpers: Vec<String>,
    /// Pointers and indices inside pointers and indices.
    nested: u32,
}

/// Most iterations in a kernel: lavapipe 22.3 stops at 65,535 of a vector of lanes.
const MOST_ITERATIONS: u32 = 1500;
/// Most iterations of one loop nest.
const MOST_NESTED: u32 = 48;

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut rng = fastrand::Rng::with_seed(seed);
        let doubles = rng.u32(0..4) == 0;
        let generic = rng.u32(0..3) == 0;
        let apart = rng.u32(0..5) < 2;
        let barriers = rng.u32(0..3) > 0;
        Generator {
            rng,
            records: Records::default(),
            scope: Vec::new(),
            functions: Vec::new(),
            depth: 0,
            names: 0,
            budget: 0,
            repeat: 1,
            cost: 0,
            size: 0,
            result: None,
            doubles,
            divides: false,
            generic,
            apart,
            barriers,
            barrier_loops: false,
            counter: false,
            lacking: false,
            exits: Vec::new(),
            helpers: Vec::new(),
            nested: 0,
        }
    }

    /// Whether a chance of `percent` comes true.
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    fn below(&mut self, limit: u32) -> u32 {
        self.rng.u32(0..limit.max(1))
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.rng.usize(0..from.len())].clone()
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn int_type(&mut self) -> Scalar {
        let bytes = self.pick(&[1, 2, 4, 4, 4, 8]);
        Scalar::Int { bytes, signed: self.rng.bool() }
    }

    fn narrow_type(&mut self) -> Scalar {
        Scalar::Int { bytes: self.pick(&[1, 2]), signed: self.rng.bool() }
    }

    fn scalar_type(&mut self) -> Scalar {
        match self.below(10) {
            0 => Scalar::Float,
            1 if self.doubles => Scalar::Double,
            _ => self.int_type(),
        }
    }

    fn width(&mut self) -> u32 {
        self.pick(&[2, 2, 3, 4, 4, 4, 8, 16])
    }

    fn vector_type(&mut self) -> (Scalar, u32) {
        let scalar = if self.chance(8) { Scalar::Float } else { self.int_type() };
        (scalar, self.width())
    }

    /// A type that can be assigned.
    fn value_type(&mut self) -> Type {
        match self.below(10) {
            0..=4 => Type::Scalar(self.scalar_type()),
            5..=7 => {
                let (scalar, width) = self.vector_type();
                Type::Vector(scalar, width)
            }
            _ => self.record_type().unwrap_or(Type::Scalar(INT)),
        }
    }

    /// A record without pointers.
    fn record_type(&mut self) -> Option<Type> {
        let all: Vec<Type> = (0..self.records.0.len()).map(Type::Record).collect();
        let all: Vec<Type> = all.into_iter().filter(|ty| !self.records.has_pointer(ty)).collect();
        if all.is_empty() { None } else { Some(self.pick(&all)) }
    }

    fn array_of(&mut self, element: Type) -> Type {
        let count = self.pick(&[2, 3, 4, 4, 5, 8]);
        Type::Array(Box::new(element), count)
    }

    /// A type of an object: a value or an array.
    fn object_type(&mut self) -> Type {
        match self.below(10) {
            0..=6 => self.value_type(),
            7 | 8 => {
                let element = Type::Scalar(self.scalar_type());
                self.array_of(element)
            }
            _ => {
                let mut element = self.value_type();
                if self.records.layout(&element).0 > 32 {
                    element = Type::Scalar(INT);
                }
                if self.chance(15) && matches!(element, Type::Scalar(_)) {
                    element = Type::Array(Box::new(element), 2);
                }
                let count = self.pick(&[2, 3, 4]);
                Type::Array(Box::new(element), count)
            }
        }
    }

    /// Something that declares: in scope until [`Self::leave`].
    fn add(&mut self, text: &str, ty: Type, space: Space, extent: u32) {
        let var = Var { text: text.into(), ty, space, extent, writable: true, depth: self.depth, limit: None };
        self.scope.push(var);
    }

    fn read_only(&mut self) {
        if let Some(last) = self.scope.last_mut() {
            last.writable = false;
        }
    }

    fn enter(&mut self) -> usize {
        self.depth += 1;
        self.scope.len()
    }

    fn leave(&mut self, mark: usize) {
        self.depth -= 1;
        self.scope.truncate(mark);
    }

    /// A value of a type that can be assigned.
    fn value(&mut self, ty: &Type, depth: u32) -> Expr {
        match ty {
            Type::Scalar(scalar) if scalar.is_int() => self.int(*scalar, depth),
            Type::Scalar(scalar) => self.float(*scalar, float::HELD_BITS, depth),
            Type::Vector(scalar, width) => self.vector(*scalar, *width, depth),
            Type::Record(_) => self.record(ty, depth),
            Type::Array(..) | Type::Pointer { .. } => self.initializer(ty, depth),
        }
    }

    /// A value of a record: an object, the result of a call, or a literal.
    fn record(&mut self, ty: &Type, depth: u32) -> Expr {
        if depth > 0
            && self.chance(30)
            && let Some(call) = self.pure_call(ty, depth - 1)
        {
            return call;
        }
        if depth > 0 && self.chance(15) {
            let condition = self.condition(depth - 1);
            let (a, b) = (self.record(ty, depth - 1), self.record(ty, 0));
            return Expr::new(Some(ty.clone()), "(@ ? @ : @)", vec![condition, a, b]);
        }
        if self.chance(70)
            && let Some(place) = self.read(ty)
        {
            return place;
        }
        let list = self.initializer(ty, depth.min(1));
        Expr::new(Some(ty.clone()), &format!("(({})@)", self.records.name(ty)), vec![list])
    }

    /// What may stand behind `=` in a declaration.
    fn initializer(&mut self, ty: &Type, depth: u32) -> Expr {
        match ty {
            Type::Array(element, count) => {
                // What is left out is zero.
                let given = if self.chance(20) { 1 + self.below(*count) } else { *count };
                let given = if self.records.has_pointer(ty) { *count } else { given };
                let values: Vec<Expr> = (0..given).map(|_| self.initializer(element, depth)).collect();
                let holes = vec!["@"; values.len()].join(", ");
                Expr::new(None, &format!("{{{holes}}}"), values)
            }
            Type::Record(index) => self.record_list(*index, depth),
            Type::Pointer { space, readonly, to } => {
                let found = (0..4).find_map(|_| self.pointer(*space, *readonly, to, 1, self.depth));
                self.lacking |= found.is_none();
                found.unwrap_or_else(|| Expr::text(None, "0"))
            }
            _ => self.value(ty, depth),
        }
    }

    fn record_list(&mut self, index: usize, depth: u32) -> Expr {
        let Record { union, members, .. } = self.records.0[index].clone();
        let mut chosen: Vec<(String, Type)> = if union { vec![members[0].clone()] } else { members };
        let designated = self.chance(30);
        if designated {
            self.rng.shuffle(&mut chosen);
        }
        let values: Vec<Expr> = chosen.iter().map(|(_, member)| self.initializer(member, depth)).collect();
        let holes: Vec<String> =
            chosen.iter().map(|(name, _)| if designated { format!(".{name} = @") } else { "@".into() }).collect();
        Expr::new(None, &format!("{{{}}}", holes.join(", ")), values)
    }

    /// A literal with exactly this type.
    fn literal(&mut self, scalar: Scalar) -> Expr {
        let Scalar::Int { bytes, signed } = scalar else {
            let value = self.below(256);
            let suffix = if scalar == Scalar::Float { "f" } else { "" };
            return Expr::text(Some(Type::Scalar(scalar)), format!("{value}.0{suffix}"));
        };
        let bits = bytes * 8;
        let mask = u64::MAX >> (64 - bits);
        let value = match self.below(8) {
            0 => 0,
            1 => 1,
            2 => mask,
            3 => mask >> 1,
            4 => (mask >> 1) + 1,
            5 => 1 << self.below(bits),
            6 => u64::from(self.below(256)) & mask,
            _ => self.rng.u64(..) & mask,
        };
        let ty = Some(Type::Scalar(scalar));
        let small = value <= mask >> 1 && value < 1000;
        match (scalar, small) {
            (INT, true) => Expr::text(ty, format!("{value}")),
            (UINT, _) => Expr::text(ty, format!("{value:#x}u")),
            (_, true) => Expr::text(ty, format!("(({}){value})", scalar.name())),
            _ if bytes == 8 => Expr::text(ty, format!("{value:#x}{}", if signed { "UL" } else { "ul" })).cast(scalar),
            _ => Expr::text(ty, format!("(({}){value:#x}u)", scalar.name())),
        }
    }
}

impl Expr {
    /// The same value as a literal's exact type.
    fn cast(self, scalar: Scalar) -> Expr {
        Expr::new(Some(Type::Scalar(scalar)), &format!("(({})@)", scalar.name()), vec![self.fixed()])
    }
}

#[cfg(test)]
mod tests {
    use crate::backend::OPENCL;
    use crate::case::Case;

    /// Texts that show a construct, each in at least one program of fifty.
    const CONSTRUCTS: [&str; 44] = [
        "uchar",
        "short",
        "ulong",
        "int2",
        "int3",
        "char8",
        "long16",
        "float",
        "double",
        "struct",
        "union",
        "packed",
        "as_",
        "convert_",
        "shuffle",
        "vload",
        "vstore",
        "__global ",
        "__local ",
        "__constant ",
        "TO(",
        "*const *",
        " *__local l",
        "(ulong)(",
        "for (",
        "while (",
        "do {",
        "switch (",
        "case 0: do {",
        "goto",
        "continue;",
        "return",
        "noinline",
        "barrier(",
        "atomic_",
        "= swap",
        "/ 3.0f",
        "offset=",
        "local:bytes",
        "uchar *b",
        "INFINITY",
        " != (uchar)0x",
        "copysign(",
        "#ifdef __clang__",
    ];

    #[test]
    fn every_construct_is_generated() {
        let programs: Vec<String> = (0..300).map(|seed| super::program(seed).print()).collect();
        for construct in CONSTRUCTS {
            let count = programs.iter().filter(|text| text.contains(construct)).count();
            assert!(count >= programs.len() / 50, "'{construct}' is in {count} of {} programs", programs.len());
        }
    }

    #[test]
    fn programs_of_expressions_are_cases_that_compile() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for seed in 0..4 {
            let path = folder.path().join(format!("{seed}.cl"));
            std::fs::write(&path, super::expressions(seed).print()).expect("a file");
            let case = Case::load(&path).expect("a case");
            case.build.compile(OPENCL).expect("it compiles");
            assert!(case.runs.len() > 1 && case.runs.iter().all(|run| run.oracle));
        }
    }

    #[test]
    fn a_seed_always_gives_the_same_program() {
        assert_eq!(super::program(7).print(), super::program(7).print());
    }
}
