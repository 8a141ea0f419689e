//! Translation units between compiling and linking.
//!
//! A unit is compiled up to lowering: its object has the IR, the types of its symbols as the source has them, and the
//! positions of its spans (`places.rs`) with those lines of the source that messages may show. Linking joins objects,
//! resolves names (`compiler/ir/src/link.rs`) and runs the passes on the result, under options that all units permit.

use clforge_basic::diag::Diagnostic;
use clforge_basic::options::{AddressBits, ClStd, MathOptions, Options, Sanitizers, Target};
use clforge_ir::encode::{decode_object, encode_object};
use clforge_ir::object::Object;
use clforge_ir::verify::{Dialect, verify};

/// The first bytes of a unit in bytes; the last one is the version of its form.
const MAGIC: &[u8] = b"clforge unit\x04";
/// Bytes of [`crate::BUILD`].
const BUILD_BYTES: usize = 32;
/// Bytes of the digest.
const DIGEST_BYTES: usize = 8;

/// A translation unit that was compiled and not linked, or a library of several: see [`crate::compile_unit`].
#[derive(Clone, Debug)]
pub struct Unit {
    pub(crate) object: Object,
    pub(crate) settings: Settings,
}

/// What a unit was compiled with that its code depends on after it was linked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Settings {
    target: Target,
    language: ClStd,
    math: MathOptions,
    flags: Flags,
    sanitize: Sanitizers,
}

bitflags::bitflags! {
    /// Options without a value.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct Flags: u8 {
        const OPT_DISABLE = 1;
        const KERNEL_ARG_INFO = 2;
        const UNIFORM_WORK_GROUP_SIZE = 4;
        const DEBUG_INFO = 8;
        const BOUNDS_CHECK = 16;
        /// The library of several units.
        const LIBRARY = 32;
        /// Options of the linker apply to it.
        const LINK_OPTIONS = 64;
        /// Pointers of 32 bits.
        const ADDRESS_BITS_32 = 128;
    }
}

/// A field of [`MathOptions`].
type Relaxation = fn(&mut MathOptions) -> &mut bool;

/// The relaxations of [`MathOptions`], each a permission that all units of a program must give.
const RELAXATIONS: [Relaxation; 6] = [
    |math| &mut math.fast_relaxed,
    |math| &mut math.mad_enable,
    |math| &mut math.finite_only,
    |math| &mut math.unsafe_optimizations,
    |math| &mut math.no_signed_zeros,
    |math| &mut math.denorms_are_zero,
];

fn permits(mut math: MathOptions, field: Relaxation) -> bool {
    *field(&mut math)
}

impl Settings {
    pub fn new(options: &Options) -> Settings {
        let mut flags = Flags::LINK_OPTIONS;
        flags.set(Flags::OPT_DISABLE, options.codegen.opt_disable);
        flags.set(Flags::KERNEL_ARG_INFO, options.codegen.kernel_arg_info);
        flags.set(Flags::UNIFORM_WORK_GROUP_SIZE, options.codegen.uniform_work_group_size);
        flags.set(Flags::DEBUG_INFO, options.codegen.debug_info);
        flags.set(Flags::BOUNDS_CHECK, options.codegen.bounds_check);
        flags.set(Flags::ADDRESS_BITS_32, options.language.address_bits == AddressBits::Bits32);
        let (language, math) = (options.language.version(), options.language.math);
        Settings { target: options.target, language, math, flags, sanitize: options.codegen.sanitize }
    }

    /// The options of a program of several units: those of the linker for what concerns the device, and of the units what all
    /// of them permit.
    pub fn options(units: &[&Unit], options: &Options) -> Result<Options, Box<Diagnostic>> {
        let mut merged = options.clone();
        for unit in units {
            let Settings { target, .. } = unit.settings;
            let fits = target == options.target || (target.is_vulkan() && options.target.is_vulkan());
            if !fits {
                let message = format!("a unit was compiled for {target} and cannot be linked for {}", options.target);
                return Err(Box::new(Diagnostic::global(message)));
            }
        }
        if let Some(first) = units.first() {
            merged.language.address_bits = first.address_bits();
        }
        if units.iter().any(|unit| unit.address_bits() != merged.language.address_bits) {
            let message = "units with pointers of 32 bits and of 64 bits cannot be linked with each other";
            return Err(Box::new(Diagnostic::global(message)));
        }
        let given: Vec<Settings> =
            units.iter().map(|unit| unit.settings.with_link_options(&options.language.math)).collect();
        for field in RELAXATIONS {
            *field(&mut merged.language.math) =
                !given.is_empty() && given.iter().all(|settings| permits(settings.math, field));
        }
        let any = |flag: Flags| given.iter().any(|settings| settings.flags.contains(flag));
        merged.language.math.correctly_rounded_divide_sqrt |=
            given.iter().any(|s| s.math.correctly_rounded_divide_sqrt);
        merged.language.math.single_precision_constant = false;
        merged.codegen.opt_disable |= any(Flags::OPT_DISABLE);
        merged.codegen.kernel_arg_info |= any(Flags::KERNEL_ARG_INFO);
        merged.codegen.debug_info |= any(Flags::DEBUG_INFO);
        merged.codegen.bounds_check |= any(Flags::BOUNDS_CHECK);
        given.iter().for_each(|settings| merged.codegen.sanitize |= settings.sanitize);
        merged.codegen.uniform_work_group_size |=
            !given.is_empty() && given.iter().all(|settings| settings.flags.contains(Flags::UNIFORM_WORK_GROUP_SIZE));
        merged.language.cl_std = given.iter().map(|settings| settings.language).max();
        Ok(merged)
    }

    /// What it permits if the linker permits that as well.
    fn with_link_options(mut self, math: &MathOptions) -> Settings {
        if self.flags.contains(Flags::LINK_OPTIONS) {
            for field in RELAXATIONS {
                *field(&mut self.math) |= permits(*math, field);
            }
        }
        self
    }

    /// The settings of a library.
    pub fn library(options: &Options, takes_link_options: bool) -> Settings {
        let mut settings = Settings::new(options);
        settings.flags.insert(Flags::LIBRARY);
        settings.flags.set(Flags::LINK_OPTIONS, takes_link_options);
        settings
    }

    fn to_bytes(self) -> Vec<u8> {
        let names = [self.target.to_string(), self.language.to_string()];
        let mut bytes = vec![self.flags.bits(), self.sanitize.bits()];
        let mut math = self.math;
        bytes.extend(RELAXATIONS.map(|field| u8::from(*field(&mut math))));
        bytes.push(u8::from(math.correctly_rounded_divide_sqrt));
        for name in names {
            bytes.push(name.len().try_into().unwrap_or(u8::MAX));
            bytes.extend(name.bytes());
        }
        bytes
    }

    /// The settings, and the bytes behind them.
    fn from_bytes(bytes: &[u8]) -> Option<(Settings, &[u8])> {
        let [flags, sanitize, bytes @ ..] = bytes else { return None };
        let (relaxations, bytes) = bytes.split_first_chunk::<{ RELAXATIONS.len() }>()?;
        let (correctly_rounded, bytes) = bytes.split_first()?;
        let mut math = MathOptions { correctly_rounded_divide_sqrt: *correctly_rounded != 0, ..MathOptions::default() };
        for (field, value) in RELAXATIONS.iter().zip(relaxations) {
            *field(&mut math) = *value != 0;
        }
        let (target, bytes) = name(bytes)?;
        let (language, bytes) = name(bytes)?;
        let (target, language) = (Target::parse(target)?, ClStd::parse(language)?);
        let (flags, sanitize) = (Flags::from_bits(*flags)?, Sanitizers::from_bits(*sanitize)?);
        Some((Settings { target, language, math, flags, sanitize }, bytes))
    }
}

/// A length, and a name of so many bytes.
fn name(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let (length, bytes) = bytes.split_first()?;
    let (name, bytes) = bytes.split_at_checked(usize::from(*length))?;
    Some((std::str::from_utf8(name).ok()?, bytes))
}

impl Unit {
    /// The unit as bytes, for [`Unit::from_bytes`] of the same build of the compiler.
    pub fn to_bytes(&self) -> Vec<u8> {
        let contents = [self.settings.to_bytes(), encode_object(&self.object)].concat();
        [MAGIC, &build(), &digest(&contents), &contents].concat()
    }

    /// The unit that [`Unit::to_bytes`] wrote. Its digest shows damage; whoever makes such bytes on purpose can put any program
    /// into them, and no more: what is read is verified.
    ///
    /// # Errors
    /// What is wrong with the bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Unit, &'static str> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("this is not a compiled unit of clforge")?;
        let (made_by, rest) = rest.split_at_checked(BUILD_BYTES).ok_or("the unit is too short")?;
        if made_by != build() {
            return Err("the unit was made by another version of clforge");
        }
        let (given, contents) = rest.split_at_checked(DIGEST_BYTES).ok_or("the unit is too short")?;
        if given != digest(contents) {
            return Err("the unit is damaged");
        }
        let (settings, object) = Settings::from_bytes(contents).ok_or("the unit is damaged")?;
        let object = decode_object(object).map_err(|_| "the unit is damaged")?;
        verify(&object.module, Dialect::Core).map_err(|_| "the unit is damaged")?;
        Ok(Unit { object, settings })
    }

    /// The same unit with another name of a source in messages, where several have one.
    #[must_use]
    pub fn with_renamed_source(&self, from: &str, to: &str) -> Unit {
        let mut unit = self.clone();
        unit.object.files.iter_mut().filter(|file| *file == from).for_each(|file| to.clone_into(file));
        unit
    }

    /// Whether bytes begin as a unit does.
    pub fn is_unit(bytes: &[u8]) -> bool {
        bytes.starts_with(MAGIC)
    }

    /// Whether it is a library of units that were linked ([`crate::link_library`]).
    pub fn is_library(&self) -> bool {
        self.settings.flags.contains(Flags::LIBRARY)
    }

    /// What it was compiled for.
    pub fn target(&self) -> Target {
        self.settings.target
    }

    /// The width of its pointers.
    pub fn address_bits(&self) -> AddressBits {
        let is_narrow = self.settings.flags.contains(Flags::ADDRESS_BITS_32);
        if is_narrow { AddressBits::Bits32 } else { AddressBits::Bits64 }
    }

    /// The language version of its source.
    pub fn language(&self) -> ClStd {
        self.settings.language
    }

    /// Whether local sizes divide global sizes (`-cl-uniform-work-group-size`).
    pub fn is_uniform(&self) -> bool {
        self.settings.flags.contains(Flags::UNIFORM_WORK_GROUP_SIZE)
    }
}

fn build() -> [u8; BUILD_BYTES] {
    let mut field = [0; BUILD_BYTES];
    field.iter_mut().zip(crate::BUILD.bytes()).for_each(|(to, from)| *to = from);
    field
}

/// FNV-1a: against damage, not against intent.
fn digest(bytes: &[u8]) -> [u8; DIGEST_BYTES] {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step).to_le_bytes()
}
