//! Compiled modules, by source, options, included files and compiler.

use super::disk::{Cache, Key, KeyBuilder};
use crate::narrow::to_u32;
use clforge_compiler::interface::{ModuleInterface, instructions};
use clforge_compiler::options::{IncludeLoader, IncludedFile, VulkanVersion};
use clforge_compiler::{BUILD, Diagnostics, Options, Source, Target, Unit};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::sync::{Arc, Mutex, PoisonError};

const KIND: &str = "modules";
/// The first bytes of a binary, with the version of its form.
const MAGIC: &[u8] = b"clforge\x03";
/// Bytes of [`BUILD`] in a binary.
const BUILD_BYTES: usize = 32;

/// Of a binary: whether it has a module for most launches, and whether that is for distinct arguments.
const HAS_OTHER: u32 = 1;
const IS_FOR_DISTINCT_ARGUMENTS: u32 = 2;

/// A module that is not right for all launches of its program: see [`crate::program`]'s variants.
pub(crate) struct ForMostLaunches<W> {
    /// The SPIR-V words.
    pub spirv: W,
    /// Whether arguments that overlap are among the launches that it is not right for.
    pub has_distinct_arguments: bool,
}

/// The form of a module that [`Module::from_binary`] reads: flags, the number of words of the module that is right for all
/// launches, that module, and the one for most launches, if there is one.
pub(crate) fn to_binary(general: &[u32], other: Option<&ForMostLaunches<&[u32]>>) -> Vec<u8> {
    let flags = match other {
        Some(ForMostLaunches { has_distinct_arguments: true, .. }) => HAS_OTHER | IS_FOR_DISTINCT_ARGUMENTS,
        Some(_) => HAS_OTHER,
        None => 0,
    };
    let others = other.map_or(&[][..], |other| other.spirv);
    let words = [flags, to_u32(general.len())].into_iter().chain(general.iter().chain(others).copied());
    let words: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    [MAGIC, &build_field(), Sha256::digest(&words).as_slice(), &words].concat()
}

fn is_for_vulkan(words: &[u32]) -> bool {
    is_module(words, Target::Vulkan(VulkanVersion::V1_2))
}

fn build_field() -> [u8; BUILD_BYTES] {
    let mut field = [0; BUILD_BYTES];
    field.iter_mut().zip(BUILD.bytes()).for_each(|(to, from)| *to = from);
    field
}

/// A SPIR-V module made by this compiler, now or in an earlier run. Values are made by [`compile`], [`link`] and [`translate`] alone, so that
/// [`crate::Program::from_module`] can rely on what they hold.
pub struct Module {
    spirv: Vec<u32>,
    /// Of a binary whose program had one.
    for_most_launches: Option<ForMostLaunches<Vec<u32>>>,
    warnings: Option<Diagnostics>,
    is_cached: bool,
}

impl Module {
    fn new(spirv: Vec<u32>, warnings: Option<Diagnostics>) -> Module {
        Module { spirv, for_most_launches: None, warnings, is_cached: false }
    }

    /// The SPIR-V words.
    pub fn spirv(&self) -> &[u32] {
        &self.spirv
    }

    pub(crate) fn for_most_launches(&self) -> Option<&ForMostLaunches<Vec<u32>>> {
        self.for_most_launches.as_ref()
    }

    /// The compiler's warnings; `None` for a module from the cache, which has none: a module with warnings is not stored, so
    /// that they are reported in each run.
    pub fn warnings(&self) -> Option<&Diagnostics> {
        self.warnings.as_ref()
    }

    /// A module from a file that [`crate::Program::to_binary`] has made. Its digest shows damage, and its build that another
    /// compiler made it; as with the cache, whoever makes such a file on purpose can put any module into it, so that one who
    /// loads it trusts its maker as with any other binary.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_binary(bytes: &[u8]) -> Result<Module, &'static str> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("this is not a binary of clforge")?;
        let (made_by, rest) = rest.split_at_checked(BUILD_BYTES).ok_or("the binary is too short")?;
        if made_by != build_field() {
            return Err("the binary was made by another version of clforge");
        }
        let (digest, rest) = rest.split_at_checked(size_of::<Key>()).ok_or("the binary is too short")?;
        if digest != Sha256::digest(rest).as_slice() {
            return Err("the binary is damaged");
        }
        let (words, odd) = rest.as_chunks::<4>();
        let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let damaged = "the binary holds no module";
        let [flags, length, words @ ..] = &words[..] else { return Err(damaged) };
        let (spirv, other) = words.split_at_checked(*length as usize).ok_or(damaged)?;
        let has_other = flags & HAS_OTHER != 0;
        let are_modules = [spirv, other].iter().take(1 + usize::from(has_other)).all(|words| is_for_vulkan(words));
        if !odd.is_empty() || !are_modules {
            return Err(damaged);
        }
        let has_distinct_arguments = flags & IS_FOR_DISTINCT_ARGUMENTS != 0;
        let for_most_launches = has_other.then(|| ForMostLaunches { spirv: other.to_vec(), has_distinct_arguments });
        Ok(Module { for_most_launches, is_cached: true, ..Module::new(spirv.to_vec(), None) })
    }

    /// Whether the module comes from the cache.
    pub fn is_cached(&self) -> bool {
        self.is_cached
    }
}

/// Compiles a source, or takes the module that the same compiler has made before of the same source, options and included
/// files.
///
/// # Errors
/// The diagnostics of a source that has errors.
pub fn compile(cache: &Cache, source: Source<'_>, options: &Options) -> Result<Module, Diagnostics> {
    if cache.folder().is_none() {
        let compiled = clforge_compiler::compile(source, options)?;
        return Ok(Module::new(compiled.spirv, Some(compiled.warnings)));
    }
    let key = key(&source, options);
    if let Some(spirv) = load(cache, &key, options).filter(|words| is_module(words, options.target)) {
        return Ok(Module { is_cached: true, ..Module::new(spirv, None) });
    }
    let recorder = Arc::new(Recorder { inner: options.language.includes.clone(), seen: Mutex::default() });
    let options = options.clone().with_includes(recorder.clone());
    let compiled = clforge_compiler::compile(source, &options)?;
    if compiled.warnings.list.is_empty() {
        let seen = std::mem::take(&mut *recorder.seen.lock().unwrap_or_else(PoisonError::into_inner));
        store(cache, &key, &seen, &compiled.spirv);
    }
    Ok(Module::new(compiled.spirv, Some(compiled.warnings)))
}

/// Links units, or takes the module that the same compiler has made before of the same units and options.
///
/// # Errors
/// The diagnostics of units that cannot be linked.
pub fn link(cache: &Cache, units: &[&Unit], options: &Options) -> Result<Module, Diagnostics> {
    let key = cache.folder().is_some().then(|| {
        let key = KeyBuilder::new(KIND).with(BUILD.as_bytes()).with(b"link");
        let key = units.iter().fold(key, |key, unit| key.with(&unit.to_bytes()));
        key.with(format!("{options:?}").as_bytes()).finish()
    });
    let known = key.as_ref().and_then(|key| load(cache, key, options));
    if let Some(spirv) = known.filter(|words| is_module(words, options.target)) {
        return Ok(Module { is_cached: true, ..Module::new(spirv, None) });
    }
    let compiled = clforge_compiler::link(units, options)?;
    if let Some(key) = key.filter(|_| compiled.warnings.list.is_empty()) {
        store(cache, &key, &[], &compiled.spirv);
    }
    Ok(Module::new(compiled.spirv, Some(compiled.warnings)))
}

/// Translates a module for OpenCL, or takes the one that the same compiler has made before of the same module and options.
///
/// # Errors
/// The diagnostics of a module that is invalid or uses what is not supported.
pub fn translate(cache: &Cache, words: &[u32], options: &Options) -> Result<Module, Diagnostics> {
    let key = || {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        key(&Source { name: "<spirv>", text: &bytes }, options)
    };
    let key = cache.folder().map(|_| key());
    let known = key.as_ref().and_then(|key| load(cache, key, options));
    if let Some(spirv) = known.filter(|words| is_module(words, options.target)) {
        return Ok(Module { is_cached: true, ..Module::new(spirv, None) });
    }
    let compiled = clforge_compiler::translate_spirv(words, options)?;
    if let Some(key) = &key {
        store(cache, key, &[], &compiled.spirv);
    }
    Ok(Module::new(compiled.spirv, Some(compiled.warnings)))
}

/// Whether words are a module as a compilation for this target makes them, as far as their structure and their interface say.
/// Whoever has write access to the folder can put a module there that passes for one: see [`Cache`].
fn is_module(words: &[u32], target: Target) -> bool {
    let whole = || instructions(words)?.try_for_each(|instruction| instruction.map(|_| ()));
    whole().is_ok() && (!target.is_vulkan() || ModuleInterface::from_spirv(words).is_ok())
}

/// Everything but the included files, which are known only once the source has been preprocessed: they are checked by [`load`].
fn key(source: &Source<'_>, options: &Options) -> Key {
    let key = KeyBuilder::new(KIND).with(BUILD.as_bytes());
    key.with(source.name.as_bytes()).with(source.text).with(format!("{options:?}").as_bytes()).finish()
}

/// An `#include` directive and the file that it found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Include {
    path: String,
    from: String,
    angled: bool,
    /// Name and digest of the file; `None` where none was found.
    found: Option<(String, [u8; 32])>,
}

impl Include {
    fn new(path: &str, from: &str, angled: bool, file: Option<&IncludedFile>) -> Include {
        let found = file.map(|file| (file.name.clone(), Sha256::digest(&file.text).into()));
        Include { path: path.into(), from: from.into(), angled, found }
    }
}

/// Records the files that a compilation includes.
struct Recorder {
    inner: Arc<dyn IncludeLoader>,
    seen: Mutex<Vec<Include>>,
}

impl IncludeLoader for Recorder {
    fn load(&self, path: &str, from: &str, angled: bool) -> Option<IncludedFile> {
        let file = self.inner.load(path, from, angled);
        let include = Include::new(path, from, angled, file.as_ref());
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).push(include);
        file
    }

    fn problem(&self, path: &str, from: &str, angled: bool) -> Option<String> {
        self.inner.problem(path, from, angled)
    }
}

/// Writes an entry: the includes as one line of JSON, then the words.
fn store(cache: &Cache, key: &Key, includes: &[Include], spirv: &[u32]) {
    let Ok(mut contents) = serde_json::to_vec(includes) else { return };
    contents.push(b'\n');
    contents.extend(spirv.iter().flat_map(|word| word.to_le_bytes()));
    cache.store(KIND, key, &contents);
}

/// The words of an entry, if all its includes still find the same files.
fn load(cache: &Cache, key: &Key, options: &Options) -> Option<Vec<u32>> {
    let contents = cache.load(KIND, key)?;
    let end = contents.iter().position(|byte| *byte == b'\n')?;
    let (includes, words) = contents.split_at_checked(end)?;
    let includes: Vec<Include> = serde_json::from_slice(includes).ok()?;
    let unchanged = |include: &Include| {
        let Include { path, from, angled, .. } = include;
        let file = options.language.includes.load(path, from, *angled);
        *include == Include::new(path, from, *angled, file.as_ref())
    };
    if !includes.iter().all(unchanged) {
        return None;
    }
    let (words, rest) = words.get(1..)?.as_chunks::<4>();
    rest.is_empty().then(|| words.iter().map(|word| u32::from_le_bytes(*word)).collect())
}
