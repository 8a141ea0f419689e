//! Compiled modules, by source, options, included files and compiler.

use super::{Cache, Key, KeyBuilder};
use clforge_compiler::options::{IncludeLoader, IncludedFile};
use clforge_compiler::{Diagnostics, Options, Source};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

const KIND: &str = "modules";

/// A module, compiled now or before.
pub struct Module {
    /// The SPIR-V words.
    pub spirv: Vec<u32>,
    /// Warnings. A module that has any is not kept, so that they are told each time.
    pub warnings: Option<Diagnostics>,
    /// Whether it came from the cache.
    pub cached: bool,
}

/// Compiles, or finds what was compiled before from the same source, options and included files by the same compiler.
///
/// # Errors
/// What the source has.
pub fn compile(cache: &Cache, source: Source<'_>, options: &Options) -> Result<Module, Diagnostics> {
    if cache.folder().is_none() {
        let compiled = clforge_compiler::compile(source, options)?;
        return Ok(Module { spirv: compiled.spirv, warnings: Some(compiled.warnings), cached: false });
    }
    let key = key(&source, options);
    if let Some(spirv) = load(cache, &key, options) {
        return Ok(Module { spirv, warnings: None, cached: true });
    }
    let recorder = Arc::new(Recorder { inner: options.includes.clone(), seen: Mutex::default() });
    let options = Options { includes: recorder.clone(), ..options.clone() };
    let compiled = clforge_compiler::compile(source, &options)?;
    if compiled.warnings.list.is_empty() {
        let seen = std::mem::take(&mut *recorder.seen.lock().unwrap_or_else(PoisonError::into_inner));
        store(cache, &key, &seen, &compiled.spirv);
    }
    Ok(Module { spirv: compiled.spirv, warnings: Some(compiled.warnings), cached: false })
}

/// All but the included files, which are not known before the source is read.
fn key(source: &Source<'_>, options: &Options) -> Key {
    let key = KeyBuilder::new(KIND).with(compiler().as_bytes());
    key.with(source.name.as_bytes()).with(source.text).with(format!("{options:?}").as_bytes()).finish()
}

/// The compiler: its version, and the executable it is part of, since a version is built more than once.
fn compiler() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let data = std::env::current_exe().and_then(std::fs::metadata).ok();
        let built = data.as_ref().and_then(|data| data.modified().ok()?.duration_since(SystemTime::UNIX_EPOCH).ok());
        format!("{} {:?} {:?}", env!("CARGO_PKG_VERSION"), data.map(|data| data.len()), built)
    })
}

/// An `#include` and what it found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Include {
    path: String,
    from: String,
    angled: bool,
    /// Name and digest of the file; `None` where there was none.
    found: Option<(String, [u8; 32])>,
}

impl Include {
    fn new(path: &str, from: &str, angled: bool, file: Option<&IncludedFile>) -> Include {
        let found = file.map(|file| (file.name.clone(), Sha256::digest(&file.text).into()));
        Include { path: path.into(), from: from.into(), angled, found }
    }
}

/// Takes note of what is included.
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
}

/// The includes as one line of JSON, then the words.
fn store(cache: &Cache, key: &Key, includes: &[Include], spirv: &[u32]) {
    let Ok(mut contents) = serde_json::to_vec(includes) else { return };
    contents.push(b'\n');
    contents.extend(spirv.iter().flat_map(|word| word.to_le_bytes()));
    cache.store(KIND, key, &contents);
}

fn load(cache: &Cache, key: &Key, options: &Options) -> Option<Vec<u32>> {
    let contents = cache.load(KIND, key)?;
    let end = contents.iter().position(|byte| *byte == b'\n')?;
    let (includes, words) = contents.split_at_checked(end)?;
    let includes: Vec<Include> = serde_json::from_slice(includes).ok()?;
    let unchanged = |include: &Include| {
        let Include { path, from, angled, .. } = include;
        let file = options.includes.load(path, from, *angled);
        *include == Include::new(path, from, *angled, file.as_ref())
    };
    if !includes.iter().all(unchanged) {
        return None;
    }
    let words = words.get(1..)?.chunks_exact(4);
    Some(words.filter_map(|word| Some(u32::from_le_bytes(*word.first_chunk()?))).collect())
}
