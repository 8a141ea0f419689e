//! Structures by their fields: converts `pos=1,2,3,4;n=7` to bytes, and prints bytes as `{pos=(1,2,3,4) n=7}`.

use crate::failure::known;
use crate::values::{ValueType, is_identifier};
use clforge_compiler::interface::{Element, MemberLayout, RecordLayout, ValueLayout};
use std::collections::HashSet;

/// The built-in type that values of an element are read and printed as.
pub fn value_type(layout: &ValueLayout) -> Option<ValueType> {
    let Element::BuiltIn(name) = &layout.element else { return None };
    let value_type = match name.as_str() {
        "bool" => ValueType::parse("uchar"),
        "void*" => ValueType::parse(if layout.size == 4 { "uint" } else { "ulong" }),
        name => ValueType::parse(name),
    };
    value_type.filter(|value_type| value_type.size() == layout.size as usize)
}

/// A part of a record.
struct Place<'r> {
    offset: usize,
    /// Of an element.
    layout: &'r ValueLayout,
    /// What is left of its lengths.
    lengths: &'r [u32],
}

/// Structures and unions of a module.
#[derive(Clone, Copy)]
pub struct Records<'r>(pub &'r [RecordLayout]);

impl<'r> Records<'r> {
    /// The bytes of a record whose fields are given as `PATH=VALUES`, separated by semicolons; the others are zero.
    pub fn encode(self, record: u32, text: &str) -> Result<Vec<u8>, String> {
        let record = self.0.get(record as usize).ok_or("the module does not describe it")?;
        let mut bytes = vec![0; record.size as usize];
        for item in text.split(';').map(str::trim).filter(|item| !item.is_empty()) {
            let Some((path, values)) = item.split_once('=') else {
                return Err(format!("'{item}' is not FIELD=VALUES; {}", self.members(record)));
            };
            let place = self.find(record, path.trim())?;
            self.set(&place, path.trim(), values, &mut bytes)?;
        }
        Ok(bytes)
    }

    /// The place that a path such as `a.b[2].c` names.
    fn find(self, record: &'r RecordLayout, path: &str) -> Result<Place<'r>, String> {
        let (mut record, mut offset, mut done) = (record, 0_usize, String::new());
        let mut steps = path.split('.').peekable();
        loop {
            let step = steps.next().unwrap_or_default();
            let (name, indices) = step.split_at(step.find('[').unwrap_or(step.len()));
            let mut place = self.member(record, name)?;
            done += step;
            index(&mut place, indices).map_err(|problem| format!("'{done}': {problem}"))?;
            offset = place.offset.saturating_add(offset);
            if steps.peek().is_none() {
                return Ok(Place { offset, ..place });
            }
            record = match &place.layout.element {
                Element::Record(inner) if place.lengths.is_empty() => {
                    self.0.get(*inner as usize).ok_or("the module does not describe it")?
                }
                Element::Record(_) => return Err(format!("'{done}' is an array: name an element, like {done}[0]")),
                Element::BuiltIn(name) => return Err(format!("'{done}' is '{name}' and has no fields")),
            };
            done.push('.');
        }
    }

    /// A member by its name, of the record or of anonymous ones in it.
    fn member(self, record: &'r RecordLayout, name: &str) -> Result<Place<'r>, String> {
        let (mut pending, mut seen, mut names) = (vec![(record, 0)], HashSet::new(), Vec::new());
        while let Some((record, start)) = pending.pop() {
            for member in &record.members {
                let offset = start + member.offset as usize;
                match &member.value.element {
                    Element::Record(inner) if member.name.is_empty() => {
                        // One that a damaged module has twice would be visited without end.
                        pending
                            .extend(self.0.get(*inner as usize).filter(|_| seen.insert(*inner)).map(|r| (r, offset)));
                    }
                    _ if member.name == name => {
                        return Ok(Place { offset, layout: &member.value, lengths: &member.value.lengths });
                    }
                    _ => names.push(member.name.clone()),
                }
            }
        }
        let members = self.members(record);
        if !is_identifier(name) {
            return Err(format!("'{name}' is not a field; {members}"));
        }
        let hint = known("field", name, &names);
        let hint = hint.split_once("? (").map_or(String::new(), |(hint, _)| format!("; {hint}?"));
        Err(format!("'{}' has no field '{name}'{hint}; {members}", record.name))
    }

    /// Writes values to where they belong.
    fn set(self, place: &Place<'r>, path: &str, values: &str, bytes: &mut [u8]) -> Result<(), String> {
        let declared = self.declaration(place.layout, place.lengths, path);
        let Some(value_type) = value_type(place.layout) else {
            return Err(match &place.layout.element {
                Element::Record(inner) if place.lengths.is_empty() => {
                    let members = self.0.get(*inner as usize).map_or(String::new(), |inner| self.members(inner));
                    format!("'{declared}' is given by its fields, like {path}.FIELD=VALUES; {members}")
                }
                Element::Record(_) => format!("'{declared}' is an array: name an element, like {path}[0]"),
                Element::BuiltIn(name) => format!("'{declared}': values of '{name}' cannot be given"),
            });
        };
        let (wanted, given) = (count(place.lengths).saturating_mul(value_type.width), values.split(',').count());
        if given != wanted {
            let s = if wanted == 1 { "" } else { "s" };
            return Err(format!("'{declared}' takes {wanted} value{s}, but '{values}' has {given}"));
        }
        let encoded = value_type.encode(path, values)?;
        match bytes.get_mut(place.offset..place.offset.saturating_add(encoded.len())) {
            Some(room) => room.copy_from_slice(&encoded),
            None => return Err(format!("'{declared}' is outside of its structure")),
        }
        Ok(())
    }

    /// The members of a record, as declared.
    pub fn members(self, record: &RecordLayout) -> String {
        let members: Vec<String> = record.members.iter().map(|member| self.member_text(member)).collect();
        format!("the fields of '{}' are: {}", record.name, members.join(", "))
    }

    /// A member as declared: `float4 pos`, `int a[3]`.
    pub fn member_text(self, member: &MemberLayout) -> String {
        self.declaration(&member.value, &member.value.lengths, &member.name)
    }

    /// A value as declared.
    pub fn declaration(self, layout: &ValueLayout, lengths: &[u32], name: &str) -> String {
        let element = match &layout.element {
            Element::BuiltIn(name) => name.as_str(),
            Element::Record(index) => self.0.get(*index as usize).map_or("struct", |record| &record.name),
        };
        let lengths: String = lengths.iter().map(|length| format!("[{length}]")).collect();
        format!("{element} {name}{lengths}").trim_end().into()
    }

    /// Prints a value.
    pub fn print(self, layout: &ValueLayout, bytes: &[u8]) -> String {
        // Members of unions overlap: what is inside each other could be printed without end.
        let mut printer = Printer { records: self.0, text: String::new(), room: bytes.len() * 4 + 1024 };
        printer.value(layout, &layout.lengths, bytes);
        printer.text
    }
}

/// Number of elements. That of a damaged module may be any.
fn count(lengths: &[u32]) -> usize {
    lengths.iter().fold(1, |count, length| count.saturating_mul(*length as usize))
}

/// Takes elements of an array: `[2][0]`.
fn index(place: &mut Place<'_>, mut indices: &str) -> Result<(), String> {
    while let Some(rest) = indices.strip_prefix('[') {
        let (number, rest) = rest.split_once(']').ok_or("']' is missing")?;
        let number: u32 = number.trim().parse().map_err(|_| format!("'{number}' is not an index"))?;
        let (length, lengths) = place.lengths.split_first().ok_or("it has no elements")?;
        if number >= *length {
            return Err(format!("there is no element {number} of {length}"));
        }
        place.lengths = lengths;
        let bytes = count(lengths).saturating_mul(place.layout.size as usize);
        place.offset = place.offset.saturating_add(bytes.saturating_mul(number as usize));
        indices = rest;
    }
    if indices.is_empty() { Ok(()) } else { Err(format!("'{indices}' is not an index")) }
}

/// Prints values of a module's types.
struct Printer<'r> {
    records: &'r [RecordLayout],
    text: String,
    /// Values that may still be printed.
    room: usize,
}

impl Printer<'_> {
    fn value(&mut self, layout: &ValueLayout, lengths: &[u32], bytes: &[u8]) {
        let Some((_, inner)) = lengths.split_first() else {
            return self.element(layout, bytes);
        };
        let size = count(inner).saturating_mul(layout.size as usize);
        self.text.push('[');
        // What has no bytes has any number of elements.
        if size > 0 {
            for (position, element) in bytes.chunks_exact(size).enumerate() {
                if position > 0 {
                    self.text.push(',');
                }
                self.value(layout, inner, element);
            }
        }
        self.text.push(']');
    }

    fn element(&mut self, layout: &ValueLayout, bytes: &[u8]) {
        if self.room == 0 {
            self.text.push('…');
            return;
        }
        self.room -= 1;
        match (&layout.element, value_type(layout)) {
            (Element::Record(index), _) => self.record(*index, bytes),
            (Element::BuiltIn(name), Some(_)) if name == "void*" => {
                let address = bytes.iter().rev().fold(0, |address: u64, byte| address << 8 | u64::from(*byte));
                self.text += &format!("{address:#x}");
            }
            (Element::BuiltIn(_), Some(value_type)) => self.text += &value_type.print(bytes),
            (Element::BuiltIn(_), None) => {
                self.text += "0x";
                self.text.extend(bytes.iter().map(|byte| format!("{byte:02x}")));
            }
        }
    }

    fn record(&mut self, index: u32, bytes: &[u8]) {
        let records = self.records;
        let Some(record) = records.get(index as usize) else { return };
        self.text.push('{');
        for (position, member) in record.members.iter().enumerate() {
            if self.room == 0 {
                self.text.push('…');
                break;
            }
            if position > 0 {
                self.text.push(if record.is_union { '|' } else { ' ' });
            }
            if !member.name.is_empty() {
                self.text += &format!("{}=", member.name);
            }
            let start = member.offset as usize;
            let end = member.value.bytes().map(|bytes| start + bytes as usize);
            let part = end.and_then(|end| bytes.get(start..end)).unwrap_or_default();
            self.value(&member.value, &member.value.lengths, part);
        }
        self.text.push('}');
    }
}
