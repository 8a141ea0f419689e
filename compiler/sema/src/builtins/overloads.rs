//! The listing of all overloads, for tests and documentation.

use super::convert;
use super::pattern::{Instance, Param, Pattern, SCALARS, Sig, Spaces, Target, access_bit, shape_bit, space_bit};
use super::table::TABLE;
use crate::hir::types::Scalar;
use clforge_basic::image::AccessQualifier;
use clforge_basic::image::ImageShape;
use clforge_syntax::ast::{AddressSpace, Qualifiers};
use std::fmt;

/// One overload of a built-in function, its types as OpenCL C spells them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Overload {
    /// The function's name.
    pub name: &'static str,
    /// First version of OpenCL C that has it, as `__OPENCL_C_VERSION__`.
    pub since: u16,
    /// `float4`, `void`, `event_t`, …; `void *` for a pointer of the address space in question.
    pub result: String,
    /// `float4`, `__global const float *`, `sampler_t`, `__read_only image2d_t`, …; a pointer to `void` takes any pointer.
    pub parameters: Vec<String>,
    /// Whether more arguments may follow.
    pub variadic: bool,
}

impl fmt::Display for Overload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = if self.variadic { ", ..." } else { "" };
        write!(f, "{} {}({}{more})", self.result, self.name, self.parameters.join(", "))
    }
}

/// Every overload of every built-in function that can be compiled, for each address space that a pointer may be of and each
/// image type; conversions (`convert_…`) come last.
pub fn overloads() -> Vec<Overload> {
    let mut all = Vec::new();
    for row in TABLE {
        for sig in row.sigs {
            for instance in sig.instances() {
                let of = Row { name: row.name, since: row.since, sig, instance };
                of.list(&mut all);
            }
        }
    }
    conversions(&mut all);
    all
}

/// A choice of the generic type of a row's signature.
struct Row {
    name: &'static str,
    since: u16,
    sig: &'static Sig,
    instance: Instance,
}

impl Row {
    /// All combinations of what the parameters leave open.
    fn list(&self, all: &mut Vec<Overload>) {
        let choices: Vec<Vec<String>> =
            self.sig.params.iter().map(|param| spellings(param.of(self.instance))).collect();
        let mut parameters = vec![Vec::new()];
        for spellings in &choices {
            let longer = |so_far: &Vec<String>| {
                spellings.iter().map(|one| [so_far.as_slice(), std::slice::from_ref(one)].concat()).collect::<Vec<_>>()
            };
            parameters = parameters.iter().flat_map(longer).collect();
        }
        let result = match self.sig.result {
            Pattern::Into(space) => format!("{}void *", space.prefix()),
            result => spellings(result.of(self.instance)).pop().unwrap_or_default(),
        };
        all.extend(parameters.into_iter().map(|parameters| Overload {
            name: self.name,
            since: self.since,
            result: result.clone(),
            parameters,
            variadic: self.sig.variadic,
        }));
    }
}

fn number(scalar: Scalar, lanes: u8) -> String {
    if lanes == 1 { scalar.name().into() } else { format!("{}{lanes}", scalar.name()) }
}

/// The types that fit a parameter.
fn spellings(param: Param) -> Vec<String> {
    match param {
        Param::Number(scalar, lanes) => vec![number(scalar, lanes)],
        Param::Ptr(target, quals, spaces) => pointers(target, quals, spaces),
        Param::Image(shapes, accesses) => images(shapes, accesses),
        other => vec![other.spelling()],
    }
}

fn pointers(target: Target, quals: u8, spaces: Spaces) -> Vec<String> {
    const SPACES: [AddressSpace; 5] = [
        AddressSpace::Private,
        AddressSpace::Global,
        AddressSpace::Constant,
        AddressSpace::Local,
        AddressSpace::Generic,
    ];
    let pointee = match target {
        Target::Number(scalar, lanes) => number(scalar, lanes),
        Target::Atomic(scalar) => format!("atomic_{}", scalar.name()),
        Target::Event => "event_t".into(),
        Target::Anything => "void".into(),
    };
    let quals = Qualifiers::from_bits_truncate(quals);
    let mut before = String::new();
    for (qualifier, word) in [(Qualifiers::CONST, "const "), (Qualifiers::VOLATILE, "volatile ")] {
        if quals.contains(qualifier) {
            before.push_str(word);
        }
    }
    let fitting = SPACES.into_iter().filter(|space| spaces & space_bit(*space) != 0);
    fitting.map(|space| format!("{}{before}{pointee} *", space.prefix())).collect()
}

fn images(shapes: u16, accesses: u8) -> Vec<String> {
    let access_name = |access| match access {
        AccessQualifier::ReadOnly => "__read_only",
        AccessQualifier::WriteOnly => "__write_only",
        AccessQualifier::ReadWrite => "__read_write",
    };
    let mut all = Vec::new();
    for shape in ImageShape::ALL.into_iter().filter(|shape| shapes & shape_bit(*shape) != 0) {
        for access in AccessQualifier::ALL {
            if accesses & access_bit(access) != 0 {
                all.push(format!("{} {}", access_name(access), shape.name()));
            }
        }
    }
    all
}

fn conversions(all: &mut Vec<Overload>) {
    for id in convert::ids() {
        let Some(conversion) = convert::decode(id) else { continue };
        for from in SCALARS {
            all.push(Overload {
                name: convert::name(id),
                since: 100,
                result: number(conversion.scalar, conversion.lanes),
                parameters: vec![number(from, conversion.lanes)],
                variadic: false,
            });
        }
    }
}
