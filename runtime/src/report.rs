//! Reports of what sanitizers have found.

use clforge_compiler::diag::{Excerpt, Place};
use clforge_compiler::interface::bounds::{AccessKind, AccessSite, Check, FUNCTION_SUFFIX, Memory};
use serde_json::{Value, json};
use std::fmt;

/// Work-items of a place that its text names before the rest is only counted.
const SHOWN: usize = 3;

/// A mistake at a place in the source, of the kind that `site.check` says. An access out of range read zeros, or wrote nothing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OutOfRangeAccess {
    /// Global id of the work-item.
    pub work_item: [u64; 3],
    /// What was accessed.
    pub target: AccessTarget,
}

/// What an access that was out of range has accessed, or what else was found.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AccessTarget {
    /// Device memory.
    Address {
        /// Of the first byte.
        address: u64,
        /// The range that the access belongs to, or else the nearest.
        nearest: Option<ArgumentRange>,
    },
    /// An object of local or private memory, or where it is not known which one, all of it.
    Object {
        /// Of the first byte in the object, in bytes; negative before it.
        offset: i64,
        /// Bytes of the object; `None` where it is not known which one.
        size: Option<u64>,
    },
    /// A texel of an image.
    Texel {
        /// The coordinate, with the layer of an array; further entries are 0.
        coordinate: [i32; 3],
        /// The image's size, with 1 for the entries that it does not have, where the host knows it.
        size: Option<[u32; 3]>,
    },
    /// An access that is in conflict with an earlier one of another work-item, or with one at the same time.
    Race {
        /// In global memory the address of the first word that both access.
        address: u64,
        /// The memory that it belongs to, in global memory.
        nearest: Option<ArgumentRange>,
        /// Global id of the other work-item; `None` in launches of more than 16,384 work-groups.
        other: Option<[u64; 3]>,
        /// The place of the other access; `None` in a module of more than 4,094 places.
        other_site: Option<Box<AccessSite>>,
    },
    /// What was divided by zero.
    Dividend(i64),
    /// What was converted.
    Number(f64),
    /// An infinity or NaN, and an operand of the operation that made it.
    NotFinite {
        /// What was made.
        result: f64,
        /// The first operand, or an element of it.
        operand: f64,
    },
    /// The operands whose sum, difference, product or negative overflows.
    Operands(i64, i64),
    /// What is not below a limit: the count of a shift and the width, an index and the length of the array.
    TooGreat {
        /// The count or index.
        number: i64,
        /// The width or length.
        limit: i64,
    },
    /// The address, or the offset in an object, has this remainder divided by the alignment that it must be a multiple of.
    Misaligned {
        /// Of the address, or only of its lower bits.
        remainder: u64,
        /// In bytes.
        alignment: u64,
    },
    /// How many work-items of the work-group were at a barrier.
    Arrived {
        /// When the work-items went on that were there.
        here: u32,
        /// How many the work-group has.
        all: u32,
    },
    /// An argument that must be the same for all work-items of a group.
    Given {
        /// What the work-item has given.
        here: i64,
        /// What the first one of the group has given.
        first: i64,
    },
    /// There is nothing more to say.
    Nothing,
}

/// The memory of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgumentRange {
    /// Number of the argument, from 0.
    pub argument: u32,
    /// Its name in the source, or nothing.
    pub name: String,
    /// Address of the first byte.
    pub first: u64,
    /// Address behind the last byte.
    pub end: u64,
}

/// The accesses of one place in the source that were out of range.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlaceReport {
    /// Name of the kernel.
    pub kernel: String,
    /// Where the accesses are in the source, their size in bytes and their kind.
    pub site: AccessSite,
    /// The name of `site.argument`, or nothing.
    pub argument_name: String,
    /// How many there were.
    pub count: u32,
    /// Those that were recorded, by work-item: the first few to happen.
    pub accesses: Vec<OutOfRangeAccess>,
}

/// The out-of-range accesses of one launch.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LaunchReport {
    /// The places in the source, in its order.
    pub places: Vec<PlaceReport>,
    /// Number of all accesses; only the first few of each place are recorded.
    pub total: u32,
}

/// `an argument's number and name`.
fn argument(index: u32, name: &str) -> String {
    if name.is_empty() { format!("argument {index}") } else { format!("argument {index} '{name}'") }
}

/// `1 byte`, `2 bytes`.
fn bytes(count: u64) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}

impl PlaceReport {
    /// What happened, without where.
    pub fn message(&self) -> String {
        let times = if self.count == 1 { String::new() } else { format!(", {} times", self.count) };
        format!("{} by kernel '{}'{times}", self.what(), self.kernel)
    }

    /// A line of JSON: where and what, in the form of the messages of `clforge --message-format json`, with the kernel, the name
    /// of the mistake and how often it was found.
    pub fn json(&self) -> String {
        let AccessSite { file, line, column, check, .. } = &self.site;
        let note = |message: String| json!({ "file": null, "line": null, "column": null, "message": message });
        let notes: Vec<Value> = self.accesses.iter().map(|access| note(self.describe(access))).collect();
        let object = json!({
            "file": file, "line": line, "column": column, "severity": "error", "message": self.message(), "flag": null,
            "help": null, "notes": notes, "kernel": self.kernel, "check": check.name(), "count": self.count,
        });
        object.to_string()
    }

    /// The kind of mistake, and of access.
    fn what(&self) -> String {
        let AccessSite { kind, bytes: size, memory, check, .. } = &self.site;
        let kind = access_name(*kind);
        let what = match memory {
            Memory::Image => "a texel".to_string(),
            Memory::Device | Memory::Local | Memory::Private => bytes((*size).into()),
        };
        match check {
            Check::Alignment => format!("misaligned {kind} of {what}"),
            Check::LocalRace => format!("data race in local memory: {kind} of {what}"),
            Check::BenignRace => format!("intended data race: {kind} of {what}"),
            Check::GlobalRace => format!("data race in global memory: {kind} of {what}"),
            Check::DivisionByZero => "integer division by zero".into(),
            Check::DivisionOverflow => "integer division of the least value by -1".into(),
            Check::Conversion => "conversion of a number that the integer type does not have".into(),
            Check::Barrier => "barrier that not all work-items of a work-group reach".into(),
            Check::NotFinite => format!("infinity or NaN that {} makes of finite numbers", self.site.variable),
            Check::SignedOverflow => format!("{} of signed integers that overflows", self.site.variable),
            Check::ShiftCount => "shift by the width or more".into(),
            Check::ArrayIndex => "index outside of an array inside of an object".into(),
            Check::NullPointer => format!("{kind} of {what} through a null pointer"),
            Check::SubGroupBarrier => "barrier that not all work-items of a sub-group reach".into(),
            Check::GroupArgument => {
                format!("argument {} that differs between work-items of a work-group", self.site.variable)
            }
            Check::SubGroupArgument => "argument that differs between work-items of a sub-group".into(),
            Check::Uninitialized => "use of a value that nothing wrote".into(),
            _ => format!("out-of-range {kind} of {what}"),
        }
    }

    /// The first access of each of the first work-items, and how many more accesses there were.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let mut last = None;
        for access in &self.accesses {
            if last.replace(access.work_item) != Some(access.work_item) && notes.len() < SHOWN {
                notes.push(self.describe(access));
            }
        }
        match (self.count as usize).saturating_sub(notes.len()) {
            0 => {}
            more => notes.push(format!("and {more} more")),
        }
        notes
    }

    /// `work-item (2,0,0): 8 bytes past the end of argument 1 'out' (40 bytes)`.
    pub fn describe(&self, access: &OutOfRangeAccess) -> String {
        let size = u64::from(self.site.bytes);
        let what = match &access.target {
            AccessTarget::Race { address, nearest, other, other_site } => {
                self.race(*address, nearest.as_ref(), *other, other_site.as_deref())
            }
            AccessTarget::Dividend(value) => format!("{value} is divided"),
            AccessTarget::Number(value) => format!("the number is {value}"),
            AccessTarget::NotFinite { result, operand } => {
                format!("the first operand is {operand}, the result {result}")
            }
            AccessTarget::Operands(one, _) if self.site.variable == "negative" => format!("the operand is {one}"),
            AccessTarget::Operands(one, other) => format!("the operands are {one} and {other}"),
            AccessTarget::TooGreat { number, limit } => match self.site.check {
                Check::ShiftCount => format!("{limit} bits are shifted by {number}"),
                _ => format!("the index is {number}, the array has {limit} elements"),
            },
            AccessTarget::Given { here, first } => {
                let (difference, side) = (here.abs_diff(*first), if here > first { "more" } else { "less" });
                format!("it is {difference} {side} than that of the first work-item")
            }
            AccessTarget::Misaligned { remainder, alignment } => {
                format!("{} past a multiple of {alignment}", bytes(*remainder % alignment.max(&1)))
            }
            AccessTarget::Arrived { here, all } if here == all => {
                "the others are at another barrier, or at this one another time".into()
            }
            AccessTarget::Arrived { here, all } => format!("{here} of {all} work-items are here"),
            AccessTarget::Nothing if self.site.check == Check::Uninitialized => format!("it is of {}", self.object()),
            AccessTarget::Nothing => String::new(),
            AccessTarget::Address { .. } if !self.site.variable.is_empty() => {
                format!("outside of the variable '{}'", self.site.variable)
            }
            AccessTarget::Address { address, nearest: None } => format!("at address {address:#x}"),
            AccessTarget::Address { nearest: Some(range), .. } if range.first == range.end => {
                format!("in {}, which is null or empty", argument(range.argument, &range.name))
            }
            AccessTarget::Address { address, nearest: Some(ArgumentRange { argument: index, name, first, end }) } => {
                let offset = address.wrapping_sub(*first).cast_signed();
                distance(offset, size, end - first, &argument(*index, name))
            }
            AccessTarget::Object { size: None, .. } => format!("outside of all {} objects", self.space()),
            AccessTarget::Object { offset, size: Some(end) } => distance(*offset, size, *end, &self.object()),
            AccessTarget::Texel { coordinate, size } => texel(*coordinate, *size, &self.object()),
        };
        let colon = if what.is_empty() { "" } else { ": " };
        format!("{}{colon}{what}", work_item(access.work_item))
    }

    /// `4 bytes into argument 1 'out', which work-item (3,0,0) has read at k.cl:4:10`.
    fn race(
        &self,
        address: u64,
        nearest: Option<&ArgumentRange>,
        other: Option<[u64; 3]>,
        other_site: Option<&AccessSite>,
    ) -> String {
        let place = match nearest {
            _ if self.site.memory == Memory::Local => self.object(),
            _ if !self.site.variable.is_empty() => format!("the variable '{}'", self.site.variable),
            Some(range) => {
                let offset = address.saturating_sub(range.first);
                format!("{} into {}", bytes(offset), argument(range.argument, &range.name))
            }
            None => format!("address {address:#x}"),
        };
        let is_copy = other_site.is_some_and(|site| site.kind == AccessKind::AsyncCopy);
        let other = match other {
            _ if is_copy => "an asynchronous copy".into(),
            Some(other) => work_item(other),
            None => "a work-item of another work-group".into(),
        };
        let done = match other_site.map(|site| site.kind) {
            Some(AccessKind::Read) => "reads",
            Some(AccessKind::Write) => "writes",
            Some(AccessKind::Atomic) => "accesses by an atomic",
            Some(AccessKind::AsyncCopy) | None => "accesses",
        };
        let at = other_site.map(|site| format!(" at {}:{}:{}", site.file, site.line, site.column));
        format!("{place}, which {other} {done}{}", at.unwrap_or_default())
    }

    fn space(&self) -> &'static str {
        if self.site.memory == Memory::Local { "local" } else { "private" }
    }

    fn object(&self) -> String {
        match (self.site.argument, self.site.variable.as_str()) {
            (Some(index), _) => argument(index, &self.argument_name),
            (None, "") if self.site.memory == Memory::Image => "the image".into(),
            (None, "") => format!("a {} object", self.space()),
            (None, name) if self.site.check == Check::Uninitialized && name.ends_with(FUNCTION_SUFFIX) => {
                format!("the result of '{name}', which returns no value there")
            }
            (None, name) => format!("the {} variable '{name}'", self.space()),
        }
    }

    /// `file:line:column`.
    fn place(&self) -> String {
        let AccessSite { file, line, column, .. } = &self.site;
        format!("{file}:{line}:{column}")
    }

    /// With the line of the source and a caret, as the compiler shows its errors; without a newline at the end.
    pub fn render(&self, color: bool) -> String {
        let AccessSite { file, line, column, text, marked, .. } = &self.site;
        if text.is_empty() {
            let notes: String = self.notes().iter().map(|note| format!("\n  = note: {note}")).collect();
            return format!("error: {}\n --> {}{notes}", self.message(), self.place());
        }
        let place = Place { file: file.clone(), line: *line, column: *column };
        let excerpt = Excerpt { place, text: text.clone(), marked: marked.0 as usize..marked.1 as usize };
        excerpt.render_error(&self.message(), &self.notes(), color)
    }

    /// One line: `file:line:column: error: …`, with the first access.
    pub fn render_short(&self) -> String {
        let first = self.accesses.first().map(|access| format!("; {}", self.describe(access)));
        format!("{}: error: {}{}", self.place(), self.message(), first.unwrap_or_default())
    }
}

/// `work-item (1,0,0)`.
fn work_item([x, y, z]: [u64; 3]) -> String {
    format!("work-item ({x},{y},{z})")
}

fn access_name(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "read",
        AccessKind::Write => "write",
        AccessKind::Atomic => "atomic access",
        AccessKind::AsyncCopy => "asynchronous copy",
    }
}

/// How far an access of some bytes at an offset is outside of something.
fn distance(offset: i64, size: u64, end: u64, what: &str) -> String {
    let Ok(offset) = u64::try_from(offset) else {
        return format!("{} before {what}", bytes(offset.unsigned_abs()));
    };
    let of = format!("the end of {what} ({})", bytes(end));
    match offset.checked_sub(end) {
        Some(0) => format!("right behind {of}"),
        Some(past) => format!("{} past {of}", bytes(past)),
        None => {
            let over = offset.saturating_add(size).saturating_sub(end);
            format!("its last {} past {of}", bytes(over))
        }
    }
}

fn texel(coordinate: [i32; 3], size: Option<[u32; 3]>, what: &str) -> String {
    let [x, y, z] = coordinate;
    let size = size.map(|[x, y, z]| format!(", which has {x}x{y}x{z} texels")).unwrap_or_default();
    format!("texel ({x},{y},{z}) of {what}{size}")
}

impl LaunchReport {
    /// All accesses that were recorded, in the order of the source, then of the work-items.
    pub fn accesses(&self) -> impl Iterator<Item = (&PlaceReport, &OutOfRangeAccess)> {
        self.places.iter().flat_map(|place| place.accesses.iter().map(move |access| (place, access)))
    }
}

impl fmt::Display for LaunchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, place) in self.places.iter().enumerate() {
            let newline = if index == 0 { "" } else { "\n\n" };
            write!(f, "{newline}{}", place.render(false))?;
        }
        Ok(())
    }
}
