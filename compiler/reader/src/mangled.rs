//! Names of built-in functions as C++ mangles them (Itanium ABI, 5.1): compilers use them for functions without an
//! instruction.

use clforge_sema::hir::types::{FloatKind, IntKind, Scalar};

/// Most parameters of a function, and most types that a name refers back to.
const MAX_PARAMETERS: usize = 32;

/// The type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// A number or a vector.
    Number(Scalar, u8),
    /// A pointer to numbers or vectors, of whatever address space.
    Pointer(Scalar, u8),
    /// A pointer to something else, an event, an image.
    Other,
}

/// A name that was taken apart: the function's, and the types of its parameters.
pub fn demangle(name: &str) -> Option<(&str, Vec<Parameter>)> {
    let rest = name.strip_prefix("_Z")?;
    let (name, types) = identifier(rest)?;
    let mut parser = Parser { rest: types, seen: Vec::new() };
    let mut parameters = Vec::new();
    while !parser.rest.is_empty() {
        if parameters.len() == MAX_PARAMETERS {
            return None;
        }
        parameters.extend(parser.parameter()?);
    }
    Some((name, parameters))
}

/// A length, and a name of so many bytes; what is behind it.
fn identifier(text: &str) -> Option<(&str, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (length, rest) = text.split_at_checked(digits)?;
    rest.split_at_checked(length.parse().ok()?)
}

struct Parser<'n> {
    rest: &'n str,
    /// The types that `S_` and `S0_` refer to.
    seen: Vec<Parameter>,
}

impl Parser<'_> {
    /// A parameter; `None` inside for `void`.
    fn parameter(&mut self) -> Option<Option<Parameter>> {
        if self.take("v") {
            return Some(None);
        }
        self.ty(0).map(Some)
    }

    fn take(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn remember(&mut self, ty: Parameter) -> Parameter {
        self.seen.push(ty);
        ty
    }

    fn ty(&mut self, depth: usize) -> Option<Parameter> {
        if depth > MAX_PARAMETERS || self.seen.len() > MAX_PARAMETERS {
            return None;
        }
        if self.take("S") {
            let end = self.rest.find('_')?;
            let (number, rest) = self.rest.split_at_checked(end)?;
            self.rest = rest.get(1..)?;
            let index = if number.is_empty() { 0 } else { usize::from_str_radix(number, 36).ok()?.checked_add(1)? };
            return self.seen.get(index).copied();
        }
        if self.take("P") {
            let pointee = if self.take("v") { Parameter::Other } else { self.ty(depth + 1)? };
            let pointer = match pointee {
                Parameter::Number(scalar, lanes) => Parameter::Pointer(scalar, lanes),
                _ => Parameter::Other,
            };
            return Some(self.remember(pointer));
        }
        if self.rest.starts_with(['U', 'V', 'K', 'r']) {
            // Qualifiers, which together make one type: of vendors (the address space), `volatile`, `const`.
            while self.take("U") {
                (_, self.rest) = identifier(self.rest)?;
            }
            while self.take("r") || self.take("V") || self.take("K") {}
            let ty = if self.take("v") { Parameter::Other } else { self.ty(depth + 1)? };
            return Some(self.remember(ty));
        }
        if self.take("Dv") {
            let end = self.rest.find('_')?;
            let lanes = self.rest.get(..end)?.parse().ok()?;
            self.rest = self.rest.get(end + 1..)?;
            let Parameter::Number(scalar, 1) = self.ty(depth + 1)? else { return None };
            return Some(self.remember(Parameter::Number(scalar, lanes)));
        }
        if self.rest.starts_with(|first: char| first.is_ascii_digit()) {
            (_, self.rest) = identifier(self.rest)?;
            return Some(self.remember(Parameter::Other));
        }
        self.scalar().map(|scalar| Parameter::Number(scalar, 1))
    }

    fn scalar(&mut self) -> Option<Scalar> {
        let names = [
            ("Dh", Scalar::Float(FloatKind::Half)),
            ("f", Scalar::Float(FloatKind::Float)),
            ("d", Scalar::Float(FloatKind::Double)),
            ("c", Scalar::Int(IntKind::Char)),
            ("a", Scalar::Int(IntKind::Char)),
            ("h", Scalar::Int(IntKind::UChar)),
            ("s", Scalar::Int(IntKind::Short)),
            ("t", Scalar::Int(IntKind::UShort)),
            ("i", Scalar::Int(IntKind::Int)),
            ("j", Scalar::Int(IntKind::UInt)),
            ("l", Scalar::Int(IntKind::Long)),
            ("m", Scalar::Int(IntKind::ULong)),
            ("b", Scalar::Int(IntKind::UChar)),
        ];
        names.into_iter().find(|(letter, _)| self.take(letter)).map(|(_, scalar)| scalar)
    }
}

#[cfg(test)]
mod tests {
    use super::{Parameter, demangle};
    use clforge_sema::hir::types::{FloatKind, IntKind, Scalar};

    #[test]
    fn names_are_taken_apart() {
        let (uint, float) = (Scalar::Int(IntKind::UInt), Scalar::Float(FloatKind::Float));
        let number = Parameter::Number;
        let cases = [
            ("_Z21dot_4x8packed_uu_uintjj", "dot_4x8packed_uu_uint", vec![number(uint, 1), number(uint, 1)]),
            ("_Z3dotDv4_hS_", "dot", vec![number(Scalar::Int(IntKind::UChar), 4); 2]),
            // Dv4_f is S_, the constant type S0_, the pointer S1_.
            (
                "_Z1fPU3AS1KDv4_fS_S1_",
                "f",
                vec![Parameter::Pointer(float, 4), number(float, 4), Parameter::Pointer(float, 4)],
            ),
            ("_Z7barrierv", "barrier", vec![]),
            ("_Z1g9ocl_eventPU3AS3vj", "g", vec![Parameter::Other, Parameter::Other, number(uint, 1)]),
        ];
        for (mangled, name, parameters) in cases {
            assert_eq!(demangle(mangled), Some((name, parameters)), "{mangled}");
        }
        for wrong in ["", "_Z", "_Z9", "_Z3abcS_", "_Z1fDv", "_Z1fP", "_Z1fq", "f", "_Z99999999999999999999f"] {
            assert_eq!(demangle(wrong), None, "{wrong}");
        }
    }
}
