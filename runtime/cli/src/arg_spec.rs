//! `--arg SPEC`: the text of a kernel argument.

use crate::failure::Failure;
use crate::generated;
use crate::images::{self, ImageSpec};
use crate::input;
use crate::known_options::suggestion;
use crate::values::{ValueType, integer, is_identifier};
use clforge_runtime::Sampler;
use std::path::Path;

/// What stands before the colon of an argument.
const KINDS: [&str; 5] = ["buffer", "local", "struct", "image", "sampler"];
/// The types of elements.
const SCALARS: [&str; 11] =
    ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "half", "float", "double"];

/// A kernel argument as given.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgSpec {
    /// The contents of a buffer, and the type of its values with the type's name where they were given as such.
    Buffer { bytes: Vec<u8>, values: Option<(String, ValueType)> },
    /// A buffer of zeros.
    Zeros(u64),
    /// Bytes of local memory.
    Local(u64),
    /// A value with its type's name.
    Value { type_name: String, value_type: ValueType, bytes: Vec<u8> },
    /// A scalar or vector of the parameter's type, which the kernel knows.
    Untyped(String),
    /// The bytes of a structure.
    Struct(Vec<u8>),
    /// A structure by its fields, which the kernel knows.
    Fields(String),
    /// A buffer of structures by their fields.
    BufferOfFields(Vec<String>),
    /// A null pointer.
    Null,
    /// An image.
    Image(ImageSpec),
    /// A sampler.
    Sampler(Sampler),
}

impl ArgSpec {
    /// Reads a specification, and the file it names, of which `limit` is the most bytes.
    pub fn parse(text: &str, limit: u64) -> Result<ArgSpec, Failure> {
        parse(text, limit).map_err(|problem| match problem {
            Failure::Usage(message) => Failure::Usage(format!("--arg '{text}': {message}")),
            other => other,
        })
    }

    /// Reads a specification, perhaps after a parameter's name: `NAME=SPEC`.
    pub fn parse_named(text: &str, limit: u64) -> Result<(Option<String>, ArgSpec), Failure> {
        let named = text.split_once('=').filter(|(name, _)| is_identifier(name) && ValueType::parse(name).is_none());
        match named {
            // Whether it is a value is known with the parameter's type.
            Some((name, spec)) if !spec.contains([':', '=']) && spec != "null" => {
                Ok((Some(name.into()), ArgSpec::Untyped(spec.into())))
            }
            Some((name, spec)) => Ok((Some(name.into()), ArgSpec::parse(spec, limit)?)),
            None => Ok((None, ArgSpec::parse(text, limit)?)),
        }
    }
}

fn parse(text: &str, limit: u64) -> Result<ArgSpec, Failure> {
    let usage = |message: &str| Err(Failure::Usage(message.into()));
    if text == "null" {
        return Ok(ArgSpec::Null);
    }
    if are_numbers(text) {
        return Ok(ArgSpec::Untyped(text.into()));
    }
    let (kind, rest) = match (text.find(':'), text.find('=')) {
        (Some(colon), Some(equals)) if equals < colon => ("", text),
        (Some(colon), _) => (&text[..colon], &text[colon + 1..]),
        _ => ("", text),
    };
    let pair = rest.split_once('=');
    match (kind, pair) {
        ("", Some((name, values))) => {
            let value_type = value_type(name)?;
            let bytes = value_type.encode(name, values).map_err(Failure::Usage)?;
            if bytes.len() != value_type.size() {
                return usage(&format!("'{name}' is one value; use 'buffer:{name}=...' for a buffer"));
            }
            Ok(ArgSpec::Value { type_name: name.into(), value_type, bytes })
        }
        ("buffer", Some(("file", path))) => {
            Ok(ArgSpec::Buffer { bytes: input::bytes(Path::new(path), limit)?, values: None })
        }
        ("buffer", Some((name, _))) if name.starts_with("struct:") => {
            let elements = rest["struct:".len()..].split('|').map(str::to_string);
            Ok(ArgSpec::BufferOfFields(elements.collect()))
        }
        ("buffer", Some(("bytes", count))) => Ok(ArgSpec::Zeros(size(count)?)),
        ("buffer", Some((typed, count))) if typed.contains(':') => {
            let (name, values) = typed.split_once(':').unwrap_or((typed, ""));
            let value_type = value_type(name)?;
            let bytes = generated::bytes(value_type, values, count, limit)?;
            Ok(ArgSpec::Buffer { bytes, values: Some((name.into(), value_type)) })
        }
        ("buffer", Some((name, values))) => {
            let value_type = value_type(name)?;
            let bytes = value_type.encode(name, values).map_err(Failure::Usage)?;
            Ok(ArgSpec::Buffer { bytes, values: Some((name.into(), value_type)) })
        }
        ("local", Some(("bytes", count))) => match size(count)? {
            0 => usage("local memory has at least one byte"),
            bytes => Ok(ArgSpec::Local(bytes)),
        },
        ("buffer", None) => usage(
            "a buffer is 'buffer:TYPE=VALUES', 'buffer:TYPE:range=N', 'buffer:TYPE:random=N', 'buffer:bytes=N' or \
             'buffer:file=PATH'",
        ),
        ("local", _) => usage("local memory is 'local:bytes=N'"),
        ("struct", Some(("file", path))) => Ok(ArgSpec::Struct(input::bytes(Path::new(path), limit)?)),
        ("struct", Some(_)) => Ok(ArgSpec::Fields(rest.into())),
        ("image", _) => ImageSpec::parse(rest, limit).map(ArgSpec::Image),
        ("sampler", None) => images::sampler(rest).map(ArgSpec::Sampler),
        _ if Path::new(text).is_file() => {
            usage("a file is 'buffer:file=PATH', or 'image:file=PATH.png'; 'clforge run --help' lists the forms")
        }
        _ => {
            let near = suggestion(kind, KINDS.into_iter());
            usage(&format!("not a kernel argument{near}; 'clforge run --help' lists the forms"))
        }
    }
}

/// Whether a text looks like numbers between commas.
fn are_numbers(text: &str) -> bool {
    let is_number = |part: &str| {
        let part = part.trim().trim_start_matches(['-', '+']).trim_start_matches('.');
        part.starts_with(|c: char| c.is_ascii_digit()) || matches!(part, "nan" | "inf" | "infinity")
    };
    text.split(',').all(is_number) && !text.contains([':', '='])
}

/// The type of a name that OpenCL C has for it.
///
/// # Errors
/// [`Failure::Usage`] with the nearest name, or all of them.
pub fn value_type(name: &str) -> Result<ValueType, Failure> {
    ValueType::parse(name).ok_or_else(|| {
        let near = suggestion(name, SCALARS.into_iter());
        let list = format!("; the types are {}, and vectors like float4", SCALARS.join(", "));
        Failure::Usage(format!("unknown type '{name}'{}", if near.is_empty() { list } else { near }))
    })
}

fn size(text: &str) -> Result<u64, Failure> {
    let size = integer(text).and_then(|size| u64::try_from(size).ok());
    size.ok_or_else(|| Failure::Usage(format!("'{text}' is not a number of bytes")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<ArgSpec, String> {
        ArgSpec::parse(text, 1 << 20).map_err(|failure| match failure {
            Failure::Usage(message) => message,
            _ => panic!("not a usage error"),
        })
    }

    #[test]
    fn forms() {
        assert_eq!(parse("null"), Ok(ArgSpec::Null));
        assert_eq!(parse("buffer:bytes=16"), Ok(ArgSpec::Zeros(16)));
        let uchar = ("uchar".to_string(), ValueType::parse("uchar").unwrap());
        assert_eq!(parse("buffer:uchar=1,2"), Ok(ArgSpec::Buffer { bytes: vec![1, 2], values: Some(uchar) }));
        assert_eq!(parse("local:bytes=0x10"), Ok(ArgSpec::Local(16)));
        assert!(matches!(parse("image:64x64:rgba8"), Ok(ArgSpec::Image(_))));
        assert!(matches!(parse("sampler:clamp_to_edge,nearest,normalized"), Ok(ArgSpec::Sampler(_))));
        let Ok(ArgSpec::Value { type_name, bytes, .. }) = parse("short2=-1,2") else { panic!() };
        assert_eq!((type_name.as_str(), bytes), ("short2", vec![255, 255, 2, 0]));
    }

    #[test]
    fn names() {
        let named =
            |text: &str| ArgSpec::parse_named(text, 1 << 20).ok().map(|(name, spec)| (name.unwrap_or_default(), spec));
        assert_eq!(named("by=local:bytes=4"), Some(("by".into(), ArgSpec::Local(4))));
        assert_eq!(named("p=null"), Some(("p".into(), ArgSpec::Null)));
        assert!(matches!(named("n=int=3"), Some((name, ArgSpec::Value { .. })) if name == "n"));
        assert!(matches!(named("int=3"), Some((name, ArgSpec::Value { .. })) if name.is_empty()));
        assert_eq!(named("null"), Some((String::new(), ArgSpec::Null)));
        assert_eq!(named("n=3"), Some(("n".into(), ArgSpec::Untyped("3".into()))));
        assert_eq!(named("v=-1,.5, +2e3"), Some(("v".into(), ArgSpec::Untyped("-1,.5, +2e3".into()))));
        assert_eq!(named("0x10"), Some((String::new(), ArgSpec::Untyped("0x10".into()))));
        assert_eq!(named("x=-inf"), Some(("x".into(), ArgSpec::Untyped("-inf".into()))));
        assert_eq!(named("n=three"), Some(("n".into(), ArgSpec::Untyped("three".into()))));
    }

    #[test]
    fn mistakes() {
        for (text, part) in [
            ("", "not a kernel argument"),
            ("buffer", "not a kernel argument"),
            ("buffer:", "a buffer is 'buffer:TYPE=VALUES'"),
            ("buffer:float:400x300", "'buffer:bytes=N'"),
            ("local:float=8", "local memory is 'local:bytes=N'"),
            ("buffer:bytes=-1", "not a number of bytes"),
            ("bufer:int=1", "not a kernel argument; did you mean 'buffer'?"),
            ("buffer:flot=1", "unknown type 'flot'; did you mean 'float'?"),
            ("buffer:vector=1", "the types are char, uchar"),
            ("float=1,2", "use 'buffer:float=...'"),
            ("local:bytes=0", "at least one byte"),
            ("struct:", "not a kernel argument"),
            ("buffer:file=/nonexistent/x", "cannot read '/nonexistent/x'"),
            ("int=", "not an integer"),
            ("image:64x64", "give a size and a format"),
            ("image:64x64:rgb8", "unknown image format 'rgb8'"),
            ("image:file=/nonexistent/x", "cannot read '/nonexistent/x'"),
            ("buffer:file=/dev/zero", "cannot read '/dev/zero': it is not a regular file"),
            ("struct:file=/dev/zero", "it is not a regular file"),
            ("image:file=/dev/zero", "it is not a regular file"),
            ("buffer:file=/", "it is a folder"),
            ("sampler:wrap", "unknown sampler setting 'wrap'"),
        ] {
            let message = parse(text).unwrap_err();
            assert!(message.contains(part), "{message}");
        }
    }
}
