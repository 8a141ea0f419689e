//! The table: one row a function; its name, its overloads, and the version of OpenCL C that introduced it.

use super::BuiltinId;
use super::row::{Row, row};
use super::signatures::PARTS;
use clforge_basic::narrow::low_u16;

/// Number of rows.
pub const COUNT: usize = {
    let (mut total, mut part) = (0, 0);
    while part < PARTS.len() {
        total += PARTS[part].len();
        part += 1;
    }
    total
};

/// All rows; a [`BuiltinId`] is the index.
pub static TABLE: [Row; COUNT] = {
    let mut rows = [row("", &[]); COUNT];
    let (mut at, mut part) = (0, 0);
    while part < PARTS.len() {
        let mut i = 0;
        while i < PARTS[part].len() {
            rows[at] = PARTS[part][i];
            at += 1;
            i += 1;
        }
        part += 1;
    }
    rows
};

const SLOTS: usize = 2048;
const EMPTY: u16 = u16::MAX;

/// Open addressing by [`hash`], built by the Rust compiler: nothing happens at start-up.
static INDEX: [u16; SLOTS] = {
    let mut index = [EMPTY; SLOTS];
    let mut i = 0;
    while i < COUNT {
        let mut slot = hash(TABLE[i].name);
        while index[slot] != EMPTY {
            slot = (slot + 1) % SLOTS;
        }
        index[slot] = low_u16(i as u64);
        i += 1;
    }
    index
};

/// FNV-1a, folded to a slot.
const fn hash(name: &str) -> usize {
    let bytes = name.as_bytes();
    let mut hash: u32 = 0x811c_9dc5;
    let mut i = 0;
    while i < bytes.len() {
        hash = (hash ^ bytes[i] as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    ((hash ^ (hash >> 15)) as usize) % SLOTS
}

/// The row of that name.
pub const fn find(name: &str) -> Option<BuiltinId> {
    let mut slot = hash(name);
    loop {
        let id = INDEX[slot];
        if id == EMPTY {
            return None;
        }
        if same(TABLE[id as usize].name, name) {
            return Some(BuiltinId(id));
        }
        slot = (slot + 1) % SLOTS;
    }
}

/// The row of that name, which must exist: a mistake is an error of the Rust compiler where this is evaluated for a
/// constant, as it always is.
pub const fn known(name: &str) -> BuiltinId {
    match find(name) {
        Some(id) => id,
        None => panic!("no built-in function of that name"),
    }
}

const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// The row of an id; `None` for conversions, which have none.
pub fn get(id: BuiltinId) -> Option<&'static Row> {
    TABLE.get(usize::from(id.0))
}
