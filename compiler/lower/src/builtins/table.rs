//! The lowering of each built-in function, by its row in sema's table.

use super::{
    Entry, LowerFn, async_copy, atomic, device, dot, geometric, group, half_access, image, integer, intel, math,
    matrix, memory, relational, sync, work,
};
use clforge_ir::Intrinsic;
use clforge_sema::builtins::{self, BuiltinId, ROWS};

/// The lowering of calls of a built-in function.
#[derive(Clone, Copy)]
pub enum Lowering {
    /// To core IR, by a function of this crate (what LLVM calls custom lowering).
    Custom(LowerFn),
    /// To an intrinsic of the same name.
    Intrinsic(Intrinsic),
}

const FAMILIES: [&[Entry]; 17] = [
    async_copy::ENTRIES,
    atomic::ENTRIES,
    device::ENTRIES,
    matrix::ENTRIES,
    dot::ENTRIES,
    geometric::ENTRIES,
    group::ENTRIES,
    half_access::ENTRIES,
    image::ENTRIES,
    integer::ENTRIES,
    intel::ENTRIES,
    intel::BLOCKS,
    math::ENTRIES,
    memory::ENTRIES,
    relational::ENTRIES,
    sync::ENTRIES,
    work::ENTRIES,
];

/// By [`BuiltinId`]; made by the Rust compiler, so nothing happens at start-up. An entry whose name is no built-in
/// function, and a row with neither an entry nor an intrinsic of its name, are errors of the Rust compiler.
static TABLE: [Lowering; ROWS] = {
    let mut table: [Option<LowerFn>; ROWS] = [None; ROWS];
    let mut family = 0;
    while family < FAMILIES.len() {
        let mut i = 0;
        while i < FAMILIES[family].len() {
            let (name, function) = FAMILIES[family][i];
            table[builtins::known(name).index()] = Some(function);
            i += 1;
        }
        family += 1;
    }
    let mut intrinsics: [Option<Intrinsic>; ROWS] = [None; ROWS];
    let mut i = 0;
    while i < Intrinsic::ALL.len() {
        let intrinsic = Intrinsic::ALL[i];
        if let Some(id) = builtins::find(intrinsic.name()) {
            intrinsics[id.index()] = Some(intrinsic);
        }
        i += 1;
    }
    let mut complete = [Lowering::Intrinsic(Intrinsic::Printf); ROWS];
    let mut row = 0;
    while row < ROWS {
        complete[row] = match (table[row], intrinsics[row]) {
            (Some(function), _) => Lowering::Custom(function),
            (None, Some(intrinsic)) => Lowering::Intrinsic(intrinsic),
            (None, None) => panic!("a built-in function without lowering"),
        };
        row += 1;
    }
    complete
};

/// The lowering of calls of a function; `None` for conversions, which have no row.
pub fn get(id: BuiltinId) -> Option<Lowering> {
    TABLE.get(id.index()).copied()
}
