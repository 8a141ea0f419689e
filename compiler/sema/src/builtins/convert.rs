//! `convert_<type>[<n>][_sat][_rte|_rtz|_rtp|_rtn]`: names that are parsed instead of listed.

use super::pattern::{LANES, SCALARS};
use super::{BuiltinId, Resolution};
use crate::hir::types::{QualTy, Scalar, TypeTable};
use clforge_basic::narrow::to_u16;
use smallvec::smallvec;
use std::sync::OnceLock;

/// The rounding mode of a conversion (6.2.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// Toward zero to integers, to nearest even to floating types.
    Default,
    /// `_rte`.
    NearestEven,
    /// `_rtz`.
    Zero,
    /// `_rtp`.
    Up,
    /// `_rtn`.
    Down,
}

const ROUNDINGS: [(Rounding, &str); 5] = [
    (Rounding::Default, ""),
    (Rounding::NearestEven, "_rte"),
    (Rounding::Zero, "_rtz"),
    (Rounding::Up, "_rtp"),
    (Rounding::Down, "_rtn"),
];

/// What a `convert_` function does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// Scalar type of the result.
    pub scalar: Scalar,
    /// Number of elements of operand and result.
    pub lanes: u8,
    /// `_sat`: clamped to the range of the result's type.
    pub saturate: bool,
    /// The rounding mode.
    pub rounding: Rounding,
}

/// Ids from here on are conversions: three bits of rounding, one of saturation, three of lanes, four of type.
const FIRST: u16 = 0x4000;

/// The conversion of that name.
pub fn parse(name: &str) -> Option<BuiltinId> {
    let rest = name.strip_prefix("convert_")?;
    let (scalar, rest) = SCALARS.iter().enumerate().find_map(|(index, scalar)| {
        let rest = rest.strip_prefix(scalar.name())?;
        Some((index, rest))
    })?;
    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (digits, rest) = rest.split_at(digits);
    let lanes = match digits {
        "" => 0,
        "2" => 1,
        "3" => 2,
        "4" => 3,
        "8" => 4,
        "16" => 5,
        _ => return None,
    };
    let (saturate, rest) = match rest.strip_prefix("_sat") {
        Some(rest) => (1, rest),
        None => (0, rest),
    };
    let rounding = ROUNDINGS.iter().position(|(_, suffix)| *suffix == rest)?;
    if saturate == 1 && matches!(SCALARS.get(scalar), Some(Scalar::Float(_))) {
        return None;
    }
    Some(BuiltinId(FIRST | to_u16(scalar) << 7 | lanes << 4 | saturate << 3 | to_u16(rounding)))
}

/// The conversion that an id denotes.
pub fn decode(id: BuiltinId) -> Option<Conversion> {
    let bits = id.0.checked_sub(FIRST)?;
    Some(Conversion {
        scalar: *SCALARS.get(usize::from(bits >> 7))?,
        lanes: *LANES.get(usize::from(bits >> 4 & 7))?,
        saturate: bits >> 3 & 1 != 0,
        rounding: ROUNDINGS.get(usize::from(bits & 7))?.0,
    })
}

/// All conversions.
pub fn ids() -> impl Iterator<Item = BuiltinId> {
    let names = SCALARS.iter().flat_map(|scalar| LANES.iter().map(|lanes| (scalar.name(), *lanes)));
    let suffixes = ["", "_sat"].into_iter().flat_map(|sat| ROUNDINGS.map(|(_, rounding)| format!("{sat}{rounding}")));
    let suffixes: Vec<String> = suffixes.collect();
    names.flat_map(move |(scalar, lanes)| {
        let lanes = if lanes == 1 { String::new() } else { lanes.to_string() };
        let names = suffixes.iter().map(|suffix| format!("convert_{scalar}{lanes}{suffix}"));
        names.filter_map(|name| parse(&name)).collect::<Vec<_>>()
    })
}

/// The name of a conversion in messages, so the strings are made when they are first needed.
pub fn name(id: BuiltinId) -> &'static str {
    static NAMES: OnceLock<Vec<String>> = OnceLock::new();
    let spell = |id: BuiltinId| {
        let conversion = decode(id)?;
        let lanes = if conversion.lanes == 1 { String::new() } else { conversion.lanes.to_string() };
        let suffix = ROUNDINGS.iter().find(|(rounding, _)| *rounding == conversion.rounding)?.1;
        let saturate = if conversion.saturate { "_sat" } else { "" };
        Some(format!("convert_{}{lanes}{saturate}{suffix}", conversion.scalar.name()))
    };
    let names = NAMES.get_or_init(|| {
        (0..to_u16(SCALARS.len()) << 7).map(|bits| spell(BuiltinId(FIRST | bits)).unwrap_or_default()).collect()
    });
    id.0.checked_sub(FIRST).and_then(|index| names.get(usize::from(index))).map_or("", String::as_str)
}

/// The overload for an argument: any number of the same lanes.
pub fn resolve(name: &str, arguments: &[QualTy], types: &mut TypeTable) -> Resolution {
    let Some((id, conversion)) = parse(name).and_then(|id| Some((id, decode(id)?))) else {
        return Resolution::Unknown;
    };
    let result = types.vector(conversion.scalar, conversion.lanes);
    let parameter = match arguments {
        [one] if types.is_error(one.ty) => Some(*one),
        [one] => types
            .lanes(one.ty)
            .filter(|(_, lanes)| *lanes == conversion.lanes)
            .map(|(scalar, lanes)| QualTy::plain(types.vector(scalar, lanes))),
        _ => None,
    };
    match parameter {
        Some(parameter) => Resolution::Found { id, parameters: smallvec![parameter], result, variadic: false },
        None => Resolution::NoMatch,
    }
}
