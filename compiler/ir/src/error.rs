//! Errors of the stages below sema: one type, with data instead of text.
//!
//! Text is made in one place, the [`Display`](fmt::Display) implementations here; [`Error::diagnostic`] makes the diagnostic.
//! A stage that does not know the source omits the span, and its caller adds it with [`Error::at`].
//!
//! An error of a user's program is a rule that can only be checked when operands are known to be constants, something
//! unsupported, or a limit with its numbers. Anything else is an internal error with the line of the compiler that
//! found it; `Option::or_internal` is for what earlier stages guarantee. The verifier and the reader of the text form
//! have errors of their own.

use super::{Space, Type};
use clforge_basic::diag::Diagnostic;
use clforge_basic::options::Target;
use clforge_basic::source::{Interner, Span, TokenTable};
use std::borrow::Cow;
use std::fmt;
use std::panic::Location;

/// Why a stage cannot continue, and the source it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    // Boxed, since most functions below sema return an error and almost none fails.
    kind: Box<ErrorKind>,
    span: Option<Span>,
    // What else was found: most often nothing, which takes no memory.
    others: Box<[Error]>,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// The program breaks a rule that only the value of a constant, or all of the program, can show to be broken.
    Invalid(Invalid),
    /// The program is valid, but this compiler or the target lacks something.
    Unsupported(Unsupported),
    /// The program exceeds a limit of the target.
    Limit(Limit),
    /// A bug in the compiler.
    Internal(Internal),
}

/// Rules of OpenCL C that are checked below sema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Invalid {
    /// The cluster size of a sub-group function is not a constant power of two.
    ClusterSize { builtin: &'static str },
    /// The format of `printf` is not a string literal.
    FormatString,
    /// A variable is used, declared `extern`, and defined nowhere.
    UndefinedVariable { name: Box<str> },
    /// A `goto` enters a statement expression.
    JumpIntoExpression,
    /// An initial value of a program-scope variable is an address outside of all of them.
    AddressInInitializer { variable: Box<str> },
}

/// What this compiler or the target lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unsupported {
    /// A built-in function: on one type, or for one API, where these are given.
    Builtin { name: &'static str, ty: Option<Type>, api: Option<Api> },
    /// A built-in function on operands of a type that is none of the IR's.
    BuiltinOnType { name: &'static str },
    /// A kernel argument of this type on Vulkan.
    KernelArgument { ty: Type },
    /// An image or a sampler that is chosen while the kernel runs.
    DynamicHandle { api: Api },
    /// A comparison of queues or device events other than with `CLK_NULL_EVENT`, for which SPIR-V has no instruction.
    HandleComparison,
    /// Sanitizers of memory in a module that enqueues kernels on the device, which do not know what those kernels may access.
    EnqueueSanitizers,
    /// A function that returns a vector of more than 4 components and cannot be inlined.
    WideResult,
    /// In a module for a translator: the work-group size in a function of kernels of several sizes.
    CalleeWorkGroupSize,
    /// With logical addresses: a pointer to a buffer as an argument of a function that cannot be inlined.
    CalleePointer,
    /// With logical addresses: an access through a pointer to a buffer that the host has stored in memory.
    HostPointer,
    /// An atomic operation on 64 bits, for devices without integers of 64 bits.
    WideAtomics,
    /// A cooperative matrix in an array whose index is not known when the program is compiled.
    MatrixInMemory,
    /// A cooperative matrix in memory of an address space that is not known when the program is compiled.
    GenericMatrix,
    /// A `case` label inside another statement of a statement expression.
    CaseInExpression,
    /// A string of `printf` that a string of SPIR-V, which is UTF-8, cannot hold.
    StringEncoding,
    /// An overload with a level of detail, in a language version before OpenCL C 2.0.
    LevelOfDetail { builtin: &'static str, extension: &'static str },
    /// Bounds checks for a target without them.
    BoundsChecks { target: Target },
    /// Accesses that are kept inside of buffers, where pointers are addresses.
    RobustAddresses,
    /// Pointers of 32 bits where they are device addresses.
    AddressBits,
    /// Sanitizers with logical addresses.
    LogicalSanitizers,
    /// The sanitizer of races on a device without integers of 64 bits.
    NarrowRaces,
    /// A feature that later targets than the one in use have.
    LaterTarget { feature: TargetFeature },
}

/// A family of targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Api {
    Vulkan,
    OpenCl,
}

/// What only later targets of OpenCL have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetFeature {
    /// A pointer whose address space is not known when the program is compiled.
    GenericPointer,
    /// A `read_write` image.
    ReadWriteImage,
    /// A pipe.
    Pipe,
    /// The attribute `intel_reqd_sub_group_size`.
    RequiredSubGroupSize,
}

/// A limit that is exceeded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// What there is too much of.
    pub what: Limited,
    /// The amount that was found.
    pub value: u64,
    /// The most that is allowed.
    pub limit: u64,
}

/// What has a limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Limited {
    /// Bytes of a kernel's arguments in a uniform buffer.
    KernelArguments { kernel: Box<str> },
    /// Bytes of push constants that describe the ND-range.
    NdRange,
    /// Bytes of push constants that describe the ND-range and a kernel's images.
    ImageQueries { kernel: Box<str> },
    /// Bytes of program-scope variables, up to this one.
    ProgramData { variable: Box<str> },
    /// The offset of a pointer of 32 bits in the initial value of a program-scope variable.
    PackedPointer,
    /// Bytes of the objects of private memory that pointers address, or of local memory.
    Memory { space: Space },
    /// Bytes of what a `local` parameter of a kernel points to.
    LocalPointee { parameter: Box<str> },
    /// Words of a program-scope variable.
    Variable { name: Box<str> },
    /// Bytes of a string of `printf`.
    PrintfString,
    /// Bytes of the strings of all calls of `printf`, which may share them.
    PrintfStrings,
    /// Parameters of a function.
    Parameters { function: Box<str> },
    /// Values of the `case` labels of a `switch`.
    SwitchCases,
    /// Levels of nested control flow.
    Nesting,
    /// Words of a SPIR-V instruction that holds a string.
    NameWords,
    /// Words of another SPIR-V instruction.
    InstructionWords,
    /// Instructions of the IR of a program.
    Instructions,
    /// The bound of a SPIR-V module's ids.
    Ids,
    /// Bytes of a SPIR-V module.
    ModuleBytes,
}

/// A bug in the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Internal {
    /// The assumption that does not hold.
    pub message: Cow<'static, str>,
    /// Where in the compiler it was made.
    pub location: &'static Location<'static>,
}

impl Error {
    fn new(kind: ErrorKind) -> Error {
        Error { kind: Box::new(kind), span: None, others: Box::default() }
    }

    /// The program breaks a rule.
    pub fn invalid(invalid: Invalid) -> Error {
        Error::new(ErrorKind::Invalid(invalid))
    }

    /// Something is missing in this compiler or the target.
    pub fn unsupported(unsupported: Unsupported) -> Error {
        Error::new(ErrorKind::Unsupported(unsupported))
    }

    /// `value` exceeds `limit`.
    pub fn limit(what: Limited, value: impl TryInto<u64>, limit: impl TryInto<u64>) -> Error {
        let (value, limit) = (value.try_into().unwrap_or(u64::MAX), limit.try_into().unwrap_or(u64::MAX));
        Error::new(ErrorKind::Limit(Limit { what, value, limit }))
    }

    /// A bug in the compiler, at the caller.
    #[track_caller]
    pub fn internal(message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(ErrorKind::Internal(Internal { message: message.into(), location: Location::caller() }))
    }

    /// What is wrong.
    pub fn kind(&self) -> &ErrorKind {
        &self.kind
    }

    /// The source that the error is about, where it is known.
    pub fn span(&self) -> Option<Span> {
        self.span
    }

    /// Adds the source that the error is about, unless it is known already or `span` is empty.
    #[must_use]
    pub fn at(mut self, span: Span) -> Error {
        if self.span.is_none() && span != Span::default() {
            self.span = Some(span);
        }
        self
    }

    /// The first of several errors that a stage has found, with the others; `None` of none.
    pub fn several(errors: impl IntoIterator<Item = Error>) -> Option<Error> {
        let mut errors = errors.into_iter();
        let first = errors.next()?;
        Some(Error { others: errors.collect(), ..first })
    }

    /// This error, and those of which it is the first.
    pub fn all(&self) -> impl Iterator<Item = &Error> {
        std::iter::once(self).chain(&self.others)
    }

    /// The diagnostic for the user, of this error alone.
    pub fn diagnostic(&self, table: &TokenTable, names: &Interner) -> Diagnostic {
        let diagnostic = match &*self.kind {
            ErrorKind::Internal(internal) => Diagnostic::internal(internal),
            _ => Diagnostic::global(self.to_string()),
        };
        Diagnostic { range: self.span.map(|span| table.range(span, names)), ..diagnostic }
    }
}

/// Turns what must not be absent, and errors of libraries that must not occur, into internal errors.
pub trait OrInternal<T> {
    /// The value, or an internal error at the caller.
    ///
    /// # Errors
    /// An internal one, where there is no value.
    #[track_caller]
    fn or_internal(self, message: &'static str) -> Result<T, Error>;
}

impl<T> OrInternal<T> for Option<T> {
    #[track_caller]
    fn or_internal(self, message: &'static str) -> Result<T, Error> {
        match self {
            Some(value) => Ok(value),
            None => Err(Error::internal(message)),
        }
    }
}

impl<T, E: fmt::Debug> OrInternal<T> for Result<T, E> {
    #[track_caller]
    fn or_internal(self, message: &'static str) -> Result<T, Error> {
        match self {
            Ok(value) => Ok(value),
            Err(error) => Err(Error::internal(format!("{message}: {error:?}"))),
        }
    }
}

impl std::error::Error for Error {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &*self.kind {
            ErrorKind::Invalid(invalid) => invalid.fmt(f),
            ErrorKind::Unsupported(unsupported) => unsupported.fmt(f),
            ErrorKind::Limit(limit) => limit.fmt(f),
            ErrorKind::Internal(internal) => write!(f, "internal compiler error: {internal}"),
        }
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Invalid::ClusterSize { builtin } => {
                write!(f, "the cluster size of '{builtin}' must be a constant power of two")
            }
            Invalid::FormatString => f.write_str("format string is not a string literal"),
            Invalid::UndefinedVariable { name } => write!(f, "variable '{name}' is used but has no definition"),
            Invalid::JumpIntoExpression => {
                f.write_str("cannot jump from this 'goto' statement to its label: it enters a statement expression")
            }
            Invalid::AddressInInitializer { variable } => {
                write!(f, "an address in the initialiser of '{variable}' is out of range")
            }
        }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unsupported::Builtin { name, ty, api } => {
                write!(f, "'{name}'")?;
                if let Some(ty) = ty {
                    write!(f, " on {ty}")?;
                }
                f.write_str(" is not supported yet")?;
                api.map_or(Ok(()), |api| write!(f, " for {api}"))
            }
            Unsupported::BuiltinOnType { name } => write!(f, "'{name}' of this type is not supported yet"),
            Unsupported::KernelArgument { ty } => {
                write!(f, "kernel arguments of type {ty} are not supported yet for Vulkan")
            }
            Unsupported::DynamicHandle { api } => {
                write!(f, "an image or sampler that is chosen at run time or captured by a block is not supported yet for {api}")
            }
            Unsupported::HandleComparison => f.write_str(
                "SPIR-V for OpenCL has no comparison of queues or of events other than with CLK_NULL_EVENT",
            ),
            Unsupported::EnqueueSanitizers => f.write_str(
                "the sanitizers 'address', 'memory' and 'race' are not supported yet in programs that enqueue kernels on \
                 the device",
            ),
            Unsupported::MatrixInMemory => f.write_str(
                "an array of cooperative matrices with an index that is not known when the program is compiled",
            ),
            Unsupported::GenericMatrix => f.write_str(
                "a cooperative matrix that is loaded from or stored to either global or local memory, depending on a \
                 generic pointer",
            ),
            Unsupported::WideAtomics => f.write_str(
                "atomic operations on 64 bits need a device with 64-bit integers and atomics: they cannot be emulated",
            ),
            Unsupported::LogicalSanitizers => f.write_str(
                "sanitizers need buffer addresses: they are not supported with logical addressing",
            ),
            Unsupported::NarrowRaces => f.write_str(
                "the sanitizer 'race' needs a device with 64-bit integers and atomics: they cannot be emulated",
            ),
            Unsupported::CalleeWorkGroupSize => f.write_str(
                "a function that is not inlined asks for the work-group size, and is called by kernels of several sizes",
            ),
            Unsupported::CalleePointer => f.write_str(
                "with logical addressing, a function with a pointer to 'global' or 'constant' memory has to be inlined, and \
                 this one is too large",
            ),
            Unsupported::HostPointer => f.write_str(
                "with logical addressing, the host cannot store pointers in buffers, and no kernel of this program stores \
                 the one that is used here: pass the buffer as an argument and store an index, or use \
                 '--addressing physical64'",
            ),
            Unsupported::WideResult => f.write_str(
                "a function that returns a vector of more than 4 components and cannot be inlined is not supported yet",
            ),
            Unsupported::CaseInExpression => {
                f.write_str("a case label inside another statement of a statement expression is not supported yet")
            }
            Unsupported::StringEncoding => {
                f.write_str("a string of 'printf' is not UTF-8, as strings in SPIR-V have to be")
            }
            Unsupported::LevelOfDetail { builtin, extension } => write!(
                f,
                "'{builtin}' with a level of detail requires '{extension}', which needs OpenCL C 2.0 or newer"
            ),
            Unsupported::BoundsChecks { target } => {
                write!(f, "sanitizers are not available for the target {target}")
            }
            Unsupported::RobustAddresses => f.write_str(
                "robust access to buffers needs logical addressing for Vulkan: a device address does not tell where \
                 its buffer ends",
            ),
            Unsupported::AddressBits => f.write_str(
                "'--address-bits 32' needs '--addressing logical': a device address of Vulkan has 64 bits",
            ),
            Unsupported::LaterTarget { feature } => feature.fmt(f),
        }
    }
}

impl fmt::Display for TargetFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TargetFeature::GenericPointer => {
                "this pointer may point into more than one address space, which needs the generic address space of \
                 OpenCL 2.0: compile with '--target opencl2.0' or later"
            }
            TargetFeature::ReadWriteImage => {
                "'read_write' images need OpenCL 2.0: compile with '--target opencl2.0' or later"
            }
            TargetFeature::Pipe => "pipes need OpenCL 2.0: compile with '--target opencl2.0' or later",
            TargetFeature::RequiredSubGroupSize => {
                "a required sub-group size needs SPIR-V 1.1: compile with '--target opencl2.2' or later"
            }
        })
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Limit { what, value, limit } = self;
        match what {
            Limited::KernelArguments { kernel } => {
                write!(f, "the arguments of kernel '{kernel}' take more than {limit} bytes")
            }
            Limited::NdRange => write!(
                f,
                "the push constants are too small for the ND-range: {value} bytes are needed, {limit} are available"
            ),
            Limited::ImageQueries { kernel } => write!(
                f,
                "the push constants are too small for the image queries of kernel '{kernel}': {value} bytes are \
                 needed, {limit} are available"
            ),
            Limited::ProgramData { variable } => {
                write!(f, "program-scope data is too large: '{variable}' makes it more than {limit} bytes")
            }
            Limited::PackedPointer => write!(
                f,
                "with '--address-bits 32', pointers in program-scope data reach the first {limit} bytes of it; one points \
                 to byte {value}"
            ),
            Limited::Memory { space } => {
                let space = if *space == Space::Local { "local" } else { "private" };
                write!(f, "the objects in {space} memory take {value} bytes, and the limit is {limit}")
            }
            Limited::LocalPointee { parameter } => {
                write!(f, "what '{parameter}' points to has {value} bytes, and the limit is {limit}")
            }
            Limited::Variable { name } => write!(f, "program-scope variable '{name}' is too large"),
            Limited::PrintfString => {
                write!(f, "a string of 'printf' has more than {limit} bytes, the most SPIR-V has")
            }
            Limited::PrintfStrings => write!(f, "strings of calls of 'printf' have more than {limit} bytes"),
            Limited::Parameters { function } => {
                write!(f, "'{function}' has more than {limit} parameters, which SPIR-V does not allow")
            }
            Limited::SwitchCases => write!(f, "a switch has more than {limit} cases, the most SPIR-V has"),
            Limited::Nesting => {
                write!(f, "control flow is nested more than {limit} levels deep, the most SPIR-V has")
            }
            Limited::NameWords => {
                write!(f, "a name is too long for SPIR-V, whose instructions have at most {limit} words")
            }
            Limited::InstructionWords => {
                write!(f, "a list of values is too long for SPIR-V, whose instructions have at most {limit} words")
            }
            Limited::Instructions => {
                write!(f, "the program is too large: it has more than {limit} instructions")
            }
            Limited::Ids => {
                write!(f, "the program is too large: its module needs {value} ids, and SPIR-V has at most {limit}")
            }
            Limited::ModuleBytes => {
                write!(f, "the program is too large: its module has {value} bytes, and the limit is {limit}")
            }
        }
    }
}

impl fmt::Display for Internal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, at {}:{}", self.message, self.location.file(), self.location.line())
    }
}

impl fmt::Display for Api {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Api::Vulkan => "Vulkan",
            Api::OpenCl => "OpenCL",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_known_place_is_kept() {
        let (none, inner, outer) = (Span::default(), Span { lo: 3, hi: 4 }, Span { lo: 1, hi: 9 });
        let error = Error::invalid(Invalid::FormatString);
        assert_eq!(error.clone().at(none).span(), None);
        assert_eq!(error.at(none).at(inner).at(outer).span(), Some(inner));
    }

    #[test]
    fn an_internal_error_names_the_line_that_found_it() {
        let here = line!();
        let errors = [
            Error::internal("a"),
            None::<u8>.or_internal("a").unwrap_err(),
            Err::<u8, _>(7).or_internal("a").unwrap_err(),
        ];
        for (error, line) in errors.iter().zip(here + 2..) {
            let ErrorKind::Internal(internal) = error.kind() else { panic!("{error}") };
            assert_eq!((internal.location.file(), internal.location.line()), (file!(), line));
        }
        assert_eq!(errors[2].to_string(), format!("internal compiler error: a: 7, at {}:{}", file!(), here + 4));
    }

    #[test]
    fn built_in_functions_are_named_with_what_is_known() {
        let text = |ty, api| Error::unsupported(Unsupported::Builtin { name: "f", ty, api }).to_string();
        assert_eq!(text(None, None), "'f' is not supported yet");
        assert_eq!(text(None, Some(Api::OpenCl)), "'f' is not supported yet for OpenCL");
        assert_eq!(text(Some(Type::F32), Some(Api::Vulkan)), "'f' on f32 is not supported yet for Vulkan");
    }

    #[test]
    fn numbers_that_do_not_fit_are_the_largest() {
        let error = Error::limit(Limited::Nesting, -1, 1023_usize);
        let ErrorKind::Limit(limit) = error.kind() else { panic!("{error}") };
        assert_eq!((limit.value, limit.limit), (u64::MAX, 1023));
    }
}
