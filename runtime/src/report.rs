//! Reports of accesses that bounds checks have found to be out of range.

use clforge_compiler::diag::{Excerpt, Place};
use clforge_compiler::interface::bounds::{AccessKind, AccessSite, Memory};
use std::fmt;

/// Work-items of a place that its text names before the rest is only counted.
const SHOWN: usize = 3;

/// An access outside of the memory that a kernel was given. It read zeros, or wrote nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OutOfRangeAccess {
    /// Global id of the work-item.
    pub work_item: [u64; 3],
    /// What was accessed.
    pub target: AccessTarget,
}

/// What an access that was out of range has accessed.
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, PartialEq, Eq)]
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
        let AccessSite { kind, bytes: size, memory, .. } = &self.site;
        let kind = match kind {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic access",
        };
        let what = match memory {
            Memory::Image => "a texel".to_string(),
            Memory::Device | Memory::Local | Memory::Private => bytes((*size).into()),
        };
        let times = if self.count == 1 { String::new() } else { format!(", {} times", self.count) };
        format!("out-of-range {kind} of {what} by kernel '{}'{times}", self.kernel)
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
        let [x, y, z] = access.work_item;
        let size = u64::from(self.site.bytes);
        let what = match &access.target {
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
        format!("work-item ({x},{y},{z}): {what}")
    }

    fn space(&self) -> &'static str {
        if self.site.memory == Memory::Local { "local" } else { "private" }
    }

    fn object(&self) -> String {
        match (self.site.argument, self.site.variable.as_str()) {
            (Some(index), _) => argument(index, &self.argument_name),
            (None, "") if self.site.memory == Memory::Image => "the image".into(),
            (None, "") => format!("a {} object", self.space()),
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
