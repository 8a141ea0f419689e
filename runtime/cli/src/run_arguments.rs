//! Matches the arguments of the command line, by position or by name, with the parameters of the kernel.

use crate::arg_spec::{ArgSpec, value_type};
use crate::cli::RunArguments;
use crate::failure::{Failure, known};
use crate::fields::{self, Records};
use crate::input::is_same_file;
use crate::output::TextOutput;
use crate::terminal;
use crate::values::{ValueType, is_identifier};
use clforge_compiler::interface::{Argument, ArgumentBinding, Element, KernelInterface};
use std::fmt;
use std::path::{Path, PathBuf};

/// Extensions of pictures, so that raw bytes are not written to one.
const PICTURES: [&str; 13] =
    ["bmp", "exr", "gif", "hdr", "jpeg", "jpg", "pgm", "png", "ppm", "tga", "tif", "tiff", "webp"];

/// An argument, as `--print` and `--out` name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// Position, from 0.
    Index(usize),
    /// The parameter's name.
    Name(String),
}

impl Key {
    fn parse(text: &str) -> Option<Key> {
        if let Ok(index) = text.parse() {
            return Some(Key::Index(index));
        }
        is_identifier(text).then(|| Key::Name(text.into()))
    }

    /// The position of the argument.
    fn index(&self, kernel: &KernelInterface) -> Result<usize, Failure> {
        match self {
            Key::Index(index) => Ok(*index),
            Key::Name(name) => parameter(kernel, name),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::Index(index) => write!(f, "{index}"),
            Key::Name(name) => write!(f, "{name}"),
        }
    }
}

/// The position of a parameter.
fn parameter(kernel: &KernelInterface, name: &str) -> Result<usize, Failure> {
    let infos = kernel.arguments.iter().filter_map(|argument| Some((argument.ordinal, argument.info.as_ref()?)));
    let found = infos.clone().find(|(_, info)| info.name == name).map(|(ordinal, _)| ordinal as usize);
    found.ok_or_else(|| {
        let names: Vec<String> = infos.map(|(_, info)| info.name.clone()).filter(|name| !name.is_empty()).collect();
        if names.is_empty() {
            return Failure::Usage(format!("the module has no names of parameters, such as '{name}'"));
        }
        let available = known("parameter", name, &names);
        Failure::Usage(format!("kernel '{}' has no parameter '{name}'; {available}", kernel.name))
    })
}

/// `--print KEY[:TYPE[:COUNT]]`.
#[derive(Debug)]
pub struct Print {
    /// Which argument.
    pub key: Key,
    /// As what; `None`: as the parameter's type.
    pub value_type: Option<ValueType>,
    /// How many values; `None`: all.
    pub count: Option<usize>,
}

/// All of `--arg`, `--print` and `--out`.
pub struct GivenArguments {
    specs: Vec<(Option<String>, ArgSpec)>,
    prints: Vec<Print>,
    outs: Vec<(Key, PathBuf)>,
    /// Whether buffers may hold numbers of other sizes than their parameters say.
    force: bool,
}

/// The same for a kernel.
pub struct KernelArguments {
    /// One for each parameter.
    pub specs: Vec<ArgSpec>,
    /// With the positions.
    pub prints: Vec<(usize, Print)>,
    /// With the positions.
    pub outs: Vec<(usize, PathBuf)>,
}

impl GivenArguments {
    /// Reads the command line, and the files that arguments name.
    pub fn parse(arguments: &RunArguments, limit: u64) -> Result<GivenArguments, Failure> {
        let specs = arguments.args.iter().map(|text| ArgSpec::parse_named(text, limit));
        let given = GivenArguments {
            specs: specs.collect::<Result<_, _>>()?,
            prints: arguments.prints.iter().map(|text| print_spec(text)).collect::<Result<_, _>>()?,
            outs: arguments.outs.iter().map(|text| out_spec(text)).collect::<Result<_, _>>()?,
            force: arguments.force,
        };
        if let Some((_, path)) =
            given.outs.iter().find(|(_, path)| path != Path::new("-") && is_same_file(path, &arguments.file))
        {
            return Err(Failure::Usage(format!("--out '{}': it is the program", path.display())));
        }
        // What is wrong for every kernel is reported before a device is opened.
        if given.specs.iter().all(|(name, _)| name.is_none()) {
            let specs: Vec<&ArgSpec> = given.specs.iter().map(|(_, spec)| spec).collect();
            for key in given.prints.iter().map(|print| &print.key).chain(given.outs.iter().map(|(key, _)| key)) {
                if let Key::Index(index) = key {
                    check_is_memory(key, *index, specs.get(*index).copied())?;
                }
            }
        }
        Ok(given)
    }

    /// Where messages of kernels, printed arguments and times go.
    pub fn text_output(&self) -> TextOutput {
        let takes_stdout = self.outs.iter().any(|(_, path)| path == Path::new("-"));
        if takes_stdout { TextOutput::Stderr } else { TextOutput::Stdout }
    }

    /// The arguments in the order of the kernel's parameters. Those without a name are for the parameters that no other
    /// names, in order.
    ///
    /// # Errors
    /// [`Failure::Usage`] where they do not fit the kernel. `limit` is the most bytes of an argument.
    pub fn resolve(
        self,
        kernel: &KernelInterface,
        records: Records<'_>,
        limit: u64,
    ) -> Result<KernelArguments, Failure> {
        let mut specs = in_order(self.specs, kernel)?;
        for (index, spec) in specs.iter_mut().enumerate() {
            by_fields(kernel, index, spec, records, limit)?;
            by_type(kernel, index, spec)?;
        }
        check_types(kernel, &specs, self.force)?;
        let mut prints = Vec::new();
        for print in self.prints {
            let index = print.key.index(kernel)?;
            check_is_memory(&print.key, index, specs.get(index))?;
            prints.push((index, print));
        }
        let mut outs = Vec::new();
        for (key, path) in self.outs {
            let index = key.index(kernel)?;
            check_is_memory(&key, index, specs.get(index))?;
            warn_of_picture(&path, matches!(specs.get(index), Some(ArgSpec::Image(_))));
            outs.push((index, path));
        }
        Ok(KernelArguments { specs, prints, outs })
    }
}

fn in_order(given: Vec<(Option<String>, ArgSpec)>, kernel: &KernelInterface) -> Result<Vec<ArgSpec>, Failure> {
    let (total, count) = (given.len(), kernel.argument_count() as usize);
    let mut slots: Vec<Option<ArgSpec>> = vec![None; count];
    let mut unnamed = Vec::new();
    for (name, spec) in given {
        let Some(name) = name else {
            unnamed.push(spec);
            continue;
        };
        // `flaot=1` may be meant to be a type as well as a parameter.
        let position = parameter(kernel, &name).map_err(|failure| match (&spec, failure) {
            (ArgSpec::Untyped(_), Failure::Usage(message)) => {
                Failure::Usage(format!("unknown type '{name}', and {message}"))
            }
            (_, failure) => failure,
        })?;
        let slot = slots.get_mut(position);
        if slot.and_then(|slot| slot.replace(spec)).is_some() {
            return Err(Failure::Usage(format!("parameter '{name}' of kernel '{}' is given twice", kernel.name)));
        }
    }
    let mut unnamed = unnamed.into_iter();
    for slot in slots.iter_mut().filter(|slot| slot.is_none()) {
        *slot = unnamed.next();
    }
    if slots.iter().any(Option::is_none) || unnamed.next().is_some() {
        return Err(wrong_number(kernel, total, slots.iter().map(Option::is_some)));
    }
    Ok(slots.into_iter().flatten().collect())
}

/// That a kernel takes another number of arguments, with the parameters that have none.
fn wrong_number(kernel: &KernelInterface, given: usize, is_given: impl Iterator<Item = bool>) -> Failure {
    let missing: Vec<String> = (0..)
        .zip(is_given)
        .filter(|(_, is_given)| !is_given)
        .filter_map(|(index, _)| {
            let info = kernel.argument(index)?.info.as_ref().filter(|info| !info.name.is_empty())?;
            Some(format!("'{}' ({})", info.name, info.type_name))
        })
        .collect();
    let missing = if missing.is_empty() { String::new() } else { format!("; missing: {}", missing.join(", ")) };
    let (name, count) = (&kernel.name, kernel.argument_count());
    let (s, were) = (if count == 1 { "" } else { "s" }, if given == 1 { "was" } else { "were" });
    Failure::Usage(format!("kernel '{name}' takes {count} argument{s}, but {given} {were} given{missing}"))
}

fn check_is_memory(key: &Key, index: usize, spec: Option<&ArgSpec>) -> Result<(), Failure> {
    match spec {
        Some(ArgSpec::Buffer { .. } | ArgSpec::BufferOfFields(_) | ArgSpec::Zeros(_) | ArgSpec::Image(_)) => Ok(()),
        Some(_) => Err(Failure::Usage(match key {
            Key::Index(index) => format!("argument {index} is not a buffer or image"),
            Key::Name(name) => format!("argument {index} '{name}' is not a buffer or image"),
        })),
        None => Err(Failure::Usage(format!("there is no argument {index}; arguments count from 0"))),
    }
}

/// Replaces fields by the bytes of the structures that they are of.
fn by_fields(
    kernel: &KernelInterface,
    index: usize,
    spec: &mut ArgSpec,
    records: Records<'_>,
    limit: u64,
) -> Result<(), Failure> {
    let texts = match &*spec {
        ArgSpec::Fields(text) => std::slice::from_ref(text),
        ArgSpec::BufferOfFields(texts) => texts,
        _ => return Ok(()),
    };
    let argument = argument_at(kernel, index);
    let name = argument.and_then(|argument| argument.info.as_ref()).map_or("", |info| &info.name);
    let wrong = |problem: &str| {
        let name = if name.is_empty() { String::new() } else { format!(" '{name}'") };
        Failure::Usage(format!("argument {index}{name} of kernel '{}': {problem}", kernel.name))
    };
    let layout = argument.and_then(|argument| argument.layout.as_ref());
    let record = match layout.map(|layout| (&layout.element, layout.lengths.as_slice())) {
        Some((Element::Record(record), [])) => *record,
        _ if argument.is_some_and(|argument| argument.info.is_none()) => {
            return Err(wrong("the module does not say which fields it has; give its bytes, as struct:file=PATH"));
        }
        _ => return Err(wrong("it is not a structure whose fields are known")),
    };
    let size = records.0.get(record as usize).map_or(0, |record| u64::from(record.size));
    if size.saturating_mul(texts.len() as u64) > limit {
        let count = texts.len();
        return Err(wrong(&format!(
            "{count} of {size} bytes are more than the limit of {limit} bytes (--max-file-size)"
        )));
    }
    let mut bytes = Vec::new();
    for text in texts {
        bytes.extend(records.encode(record, text).map_err(|problem| wrong(&problem))?);
    }
    *spec = match &*spec {
        ArgSpec::Fields(_) => ArgSpec::Struct(bytes),
        _ => ArgSpec::Buffer { bytes, values: None },
    };
    Ok(())
}

/// Replaces numbers by the value of the parameter's type that they are.
fn by_type(kernel: &KernelInterface, index: usize, spec: &mut ArgSpec) -> Result<(), Failure> {
    let ArgSpec::Untyped(text) = &*spec else { return Ok(()) };
    // That there is no such parameter is reported with the number of those that there are.
    let Some(argument) = argument_at(kernel, index) else { return Ok(()) };
    let name = argument.info.as_ref().map_or("", |info| &info.name);
    let given = if name.is_empty() { text.clone() } else { format!("{name}={text}") };
    let wrong = |problem: String| Failure::Usage(format!("--arg '{given}': {problem}"));
    let Some(info) = &argument.info else {
        return Err(wrong(format!("the module has no type of argument {index}; give one, like int={text}")));
    };
    let (name, type_name) = (&info.name, &info.type_name);
    let is_value = matches!(
        argument.binding,
        ArgumentBinding::PodPushConstant { .. }
            | ArgumentBinding::PodUniform { .. }
            | ArgumentBinding::PodStorageBuffer { .. }
    );
    let Some(value_type) = element_type(argument).filter(|_| is_value) else {
        let what = format!("argument {index} '{name}' of kernel '{}' is '{type_name}', not a number", kernel.name);
        return Err(wrong(format!("{what}; 'clforge run --help' lists the forms")));
    };
    let bytes = value_type.encode(type_name, text).map_err(wrong)?;
    if bytes.len() != value_type.size() {
        return Err(wrong(format!("argument {index} '{name}' is one value of type '{type_name}'")));
    }
    *spec = ArgSpec::Value { type_name: type_name.clone(), value_type, bytes };
    Ok(())
}

/// Pictures are written as PNG and of images alone.
fn warn_of_picture(path: &Path, is_image: bool) {
    let extension = path.extension().map(|extension| extension.to_string_lossy().to_lowercase()).unwrap_or_default();
    if PICTURES.contains(&extension.as_str()) && !(is_image && extension == "png") {
        let file = path.display();
        terminal::warning(&format!("'{file}' gets raw bytes: only images are written as pictures, and only as .png"));
    }
}

fn print_spec(text: &str) -> Result<Print, Failure> {
    let wrong = |problem: &str| Failure::Usage(format!("--print {text}: {problem}"));
    let mut parts = text.splitn(3, ':');
    let key = parts.next().and_then(Key::parse);
    let key = key.ok_or_else(|| wrong("give the number or name of an argument, like 2, sum:float or 2:float:10"))?;
    let value_type = match parts.next() {
        None | Some("") => None,
        Some(name) => Some(value_type(name).map_err(|failure| match failure {
            Failure::Usage(message) => wrong(&message),
            other => other,
        })?),
    };
    let count = match parts.next() {
        None => None,
        Some(count) => Some(count.parse().map_err(|_| wrong(&format!("'{count}' is not a number of values")))?),
    };
    Ok(Print { key, value_type, count })
}

fn out_spec(text: &str) -> Result<(Key, PathBuf), Failure> {
    let pair = text.split_once('=').and_then(|(key, path)| Some((Key::parse(key)?, path)));
    match pair {
        Some((key, path)) if !path.is_empty() => Ok((key, path.into())),
        _ => Err(Failure::Usage(format!(
            "--out {text}: give an argument's number and a file, like 2=result.bin, or its name: sum=result.bin"
        ))),
    }
}

/// Compares the types of values with those of the parameters, where the module has them. A buffer may be meant to hold other
/// values than its parameter says, bytes above all; but a kernel that takes integers for floating-point numbers, or numbers of
/// another size, computes nonsense without a sign of it.
fn check_types(kernel: &KernelInterface, specs: &[ArgSpec], force: bool) -> Result<(), Failure> {
    for (index, spec) in specs.iter().enumerate() {
        let argument = argument_at(kernel, index);
        let Some((argument, info)) = argument.and_then(|argument| Some((argument, argument.info.as_ref()?))) else {
            continue;
        };
        let (name, written, kernel) = (&info.name, &info.type_name, &kernel.name);
        let own_type = element_type(argument);
        match spec {
            ArgSpec::Value { type_name, value_type, .. }
                if own_type.is_some_and(|parameter| !written.ends_with('*') && !value_type.fits(parameter)) =>
            {
                return Err(Failure::Usage(format!(
                    "argument {index} '{name}' of kernel '{kernel}' is '{written}', but '{type_name}' was given"
                )));
            }
            ArgSpec::Buffer { values: Some((type_name, value_type)), .. }
                if own_type.is_some_and(|pointee| !value_type.is_laid_out_as(pointee)) =>
            {
                let text = format!(
                    "argument {index} '{name}' of kernel '{kernel}' is '{written}', but its buffer is given as \
                     '{type_name}'"
                );
                if !force && own_type.is_some_and(|pointee| !value_type.may_hold(pointee)) {
                    return Err(Failure::Usage(format!("{text}; --force launches the kernel nevertheless")));
                }
                terminal::warning(&text);
            }
            _ => {}
        }
    }
    Ok(())
}

/// The parameter of an index.
pub fn argument_at(kernel: &KernelInterface, index: usize) -> Option<&Argument> {
    kernel.argument(u32::try_from(index).ok()?)
}

/// The built-in type of a value, or of what a pointer points to.
pub fn element_type(argument: &Argument) -> Option<ValueType> {
    match (&argument.layout, &argument.info) {
        (Some(layout), _) => fields::value_type(layout),
        (None, Some(info)) => ValueType::parse(info.type_name.trim_end_matches('*').trim()),
        (None, None) => None,
    }
}
