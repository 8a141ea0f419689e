//! Entries on disk. The name of each is a digest of everything that it depends on.
//!
//! An entry is a file that begins with a digest of its key and contents, so that it cannot stand for another one. It is
//! written under a temporary name and renamed, so that processes that share the folder see the whole entry or none. A
//! damaged entry counts as missing and is written again, as does an entry whose contents have another form than its
//! readers expect.

use clforge_compiler::read_file_if;
use etcetera::BaseStrategy;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs::{DirBuilder, Metadata};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// The first bytes of every entry; the digit is the version of the format.
const MAGIC: [u8; 8] = *b"clforge2";
/// Most bytes that the entries of a kind may have together. Beyond it the oldest are removed until half of it is left.
const CAPACITY: u64 = 128 << 20;

/// A digest of everything that an entry depends on.
pub(crate) type Key = [u8; 32];

/// A folder for compiled modules and drivers' pipelines. The default is none: everything is compiled in each run.
///
/// What the folder holds is given to the driver without being validated, so only the user may have write access to it. It is made
/// so, and entries of another user are not read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// No folder.
    pub fn off() -> Cache {
        Cache::default()
    }

    /// A folder, which is created when the first entry is written.
    pub fn at(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: Some(folder.into()) }
    }

    /// The folder that the environment variable `CLFORGE_CACHE` names, or none if it is `off`. If it is not set, the folder
    /// `clforge` in the user's cache folder (on Linux `$XDG_CACHE_HOME` or `~/.cache`).
    pub fn from_env() -> Cache {
        match std::env::var_os("CLFORGE_CACHE").filter(|value| !value.is_empty()) {
            Some(value) if value == "off" => Cache::off(),
            Some(folder) => Cache::at(folder),
            None => {
                let base = etcetera::choose_base_strategy().ok();
                Cache { folder: base.map(|base| base.cache_dir().join("clforge")) }
            }
        }
    }

    /// The folder, if there is one.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Makes a folder of this name in the cache's, which nobody but the user has access to, and returns its path.
    ///
    /// # Errors
    /// Those of the file system, and [`std::io::ErrorKind::NotFound`] where there is no cache.
    pub fn make_folder(&self, name: &str) -> std::io::Result<PathBuf> {
        let folder = self.folder.as_ref().ok_or(std::io::ErrorKind::NotFound)?.join(name);
        make_folder(&folder)?;
        Ok(folder)
    }

    fn path(&self, kind: &str, key: &Key) -> Option<PathBuf> {
        let name: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        Some(self.folder.as_ref()?.join(kind).join(name))
    }

    /// The contents of an entry, if it exists and is undamaged.
    pub(crate) fn load(&self, kind: &str, key: &Key) -> Option<Vec<u8>> {
        let mut bytes = read_file_if(&self.path(kind, key)?, CAPACITY, is_own).ok()?;
        let (magic, rest) = bytes.split_at_checked(MAGIC.len())?;
        let (digest, contents) = rest.split_at_checked(size_of::<Key>())?;
        if magic != MAGIC || digest != entry_digest(kind, key, contents) {
            return None;
        }
        bytes.drain(..MAGIC.len() + size_of::<Key>());
        Some(bytes)
    }

    /// Writes an entry. A failure is ignored: the next run compiles again.
    pub(crate) fn store(&self, kind: &str, key: &Key, contents: &[u8]) {
        let Some(path) = self.path(kind, key) else { return };
        let write = || -> std::io::Result<PathBuf> {
            let folder = self.make_folder(kind)?;
            let mut file = tempfile::NamedTempFile::new_in(&folder)?;
            file.write_all(&MAGIC)?;
            file.write_all(&entry_digest(kind, key, contents))?;
            file.write_all(contents)?;
            file.persist(&path)?;
            Ok(folder)
        };
        if let Ok(folder) = write() {
            make_room(&ROOMS, &folder, contents.len() as u64, CAPACITY);
        }
    }
}

/// Makes a folder, and those around it, for this user alone where they do not exist.
fn make_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Whether a file is one that this user has written.
#[cfg(unix)]
fn is_own(file: &Metadata) -> bool {
    // SAFETY: the function has no conditions.
    std::os::unix::fs::MetadataExt::uid(file) == unsafe { libc::geteuid() }
}

/// Elsewhere the folder is below one that others have no access to.
#[cfg(not(unix))]
fn is_own(_: &Metadata) -> bool {
    true
}

/// Bytes that may be stored in folders before their files are counted again.
type Rooms = Mutex<BTreeMap<PathBuf, u64>>;

static ROOMS: Rooms = Mutex::new(BTreeMap::new());

/// Keeps a folder, in which `size` bytes were stored, below its capacity. Its files are counted at the first time and then after
/// each sixteenth of the capacity, since other processes store there too: a program that compiles thousands of sources would
/// otherwise look at every file for each of them.
fn make_room(rooms: &Rooms, folder: &Path, size: u64, capacity: u64) {
    let mut rooms = rooms.lock().unwrap_or_else(PoisonError::into_inner);
    match rooms.get_mut(folder) {
        Some(room) if *room >= size => *room -= size,
        _ => {
            let room = capacity.saturating_sub(trim(folder, capacity)).min(capacity / 16);
            rooms.insert(folder.to_path_buf(), room);
        }
    }
}

/// The digest at the beginning of an entry.
fn entry_digest(kind: &str, key: &Key, contents: &[u8]) -> Key {
    KeyBuilder::new(kind).with(key).with(contents).finish()
}

/// Removes the oldest files of a folder until half of `capacity` bytes are left, if there are more than `capacity`. Returns how
/// many there are then.
fn trim(folder: &Path, capacity: u64) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let facts = |entry: std::fs::DirEntry| {
        let data = entry.metadata().ok()?;
        Some((data.modified().unwrap_or(SystemTime::UNIX_EPOCH), data.len(), entry.path()))
    };
    let mut files: Vec<_> = entries.filter_map(|entry| facts(entry.ok()?)).collect();
    let mut total: u64 = files.iter().map(|(_, size, _)| size).sum();
    if total <= capacity {
        return total;
    }
    files.sort();
    for (_, size, path) in files {
        if total <= capacity / 2 {
            break;
        }
        // A failure is no error: another process may have removed it.
        let _ = std::fs::remove_file(path);
        total = total.saturating_sub(size);
    }
    total
}

/// Computes a [`Key`]. The length of each part is hashed with it, so that different lists of parts differ.
pub(crate) struct KeyBuilder(Sha256);

impl KeyBuilder {
    /// `what` is the kind of entry.
    pub fn new(what: &str) -> KeyBuilder {
        KeyBuilder(Sha256::new()).with(what.as_bytes())
    }

    pub fn with(mut self, part: &[u8]) -> KeyBuilder {
        self.0.update((part.len() as u64).to_le_bytes());
        self.0.update(part);
        self
    }

    pub fn finish(self) -> Key {
        self.0.finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_entries_count_as_missing() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path().join("deep"));
        let key = KeyBuilder::new("test").with(b"a").finish();
        assert_eq!(cache.load("kind", &key), None);
        cache.store("kind", &key, b"contents");
        assert_eq!(cache.load("kind", &key).as_deref(), Some(&b"contents"[..]));
        assert_eq!(cache.load("other", &key), None);
        let path = cache.path("kind", &key).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(cache.load("kind", &key), None);
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 4;
            std::fs::write(&path, &damaged).unwrap();
            assert_eq!(cache.load("kind", &key), None);
        }
        cache.store("kind", &key, b"contents");
        assert_eq!(cache.load("kind", &key).as_deref(), Some(&b"contents"[..]));
        Cache::off().store("kind", &key, b"contents");
        assert_eq!(Cache::off().load("kind", &key), None);
    }

    #[test]
    fn an_entry_does_not_stand_for_another() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let [one, other] = [b"1", b"2"].map(|name| KeyBuilder::new("test").with(name).finish());
        cache.store("kind", &one, b"contents");
        cache.store("kind", &other, b"others");
        std::fs::copy(cache.path("kind", &one).unwrap(), cache.path("kind", &other).unwrap()).unwrap();
        assert_eq!(cache.load("kind", &other), None);
        std::fs::create_dir(folder.path().join("else")).unwrap();
        std::fs::copy(cache.path("kind", &one).unwrap(), cache.path("else", &one).unwrap()).unwrap();
        assert_eq!(cache.load("else", &one), None);
        assert!(cache.load("kind", &one).is_some());
    }

    /// A pipe without a writer blocks whoever opens it to read.
    #[test]
    #[cfg(unix)]
    fn what_is_no_file_counts_as_missing_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let key = KeyBuilder::new("test").finish();
        let path = cache.path("kind", &key).unwrap();
        std::fs::create_dir(folder.path().join("kind")).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert_eq!(cache.load("kind", &key), None);
        cache.store("kind", &key, b"contents");
        assert_eq!(cache.load("kind", &key).as_deref(), Some(&b"contents"[..]));
        std::fs::remove_file(&path).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        assert_eq!(cache.load("kind", &key), None);
        cache.store("kind", &key, b"contents");
        assert!(cache.load("kind", &key).is_some() && !path.is_symlink());
        std::fs::remove_file(&path).unwrap();
        // A folder stays: nothing is stored, and nothing fails.
        std::fs::create_dir(&path).unwrap();
        cache.store("kind", &key, b"contents");
        assert_eq!(cache.load("kind", &key), None);
    }

    #[test]
    #[cfg(unix)]
    fn folders_are_for_their_user_alone() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (made, key) = (folder.path().join("made"), KeyBuilder::new("test").finish());
        let cache = Cache::at(made.join("deep"));
        cache.store("kind", &key, b"contents");
        for path in [made.clone(), made.join("deep"), made.join("deep/kind")] {
            assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o700, "{}", path.display());
        }
        assert_eq!(cache.path("kind", &key).unwrap().metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    #[cfg(unix)]
    fn entries_of_another_user_count_as_missing_and_are_replaced() {
        use std::os::unix::fs::{MetadataExt, chown};
        let folder = tempfile::tempdir().unwrap();
        let (cache, key) = (Cache::at(folder.path()), KeyBuilder::new("test").finish());
        cache.store("kind", &key, b"contents");
        let path = cache.path("kind", &key).unwrap();
        let own = path.metadata().unwrap().uid();
        if chown(&path, Some(own + 1), None).is_err() {
            eprintln!("skipped: this user cannot give files away");
            return;
        }
        assert_eq!(cache.load("kind", &key), None);
        cache.store("kind", &key, b"contents");
        assert_eq!(cache.load("kind", &key).as_deref(), Some(&b"contents"[..]));
        assert_eq!(path.metadata().unwrap().uid(), own);
    }

    #[test]
    fn parts_of_keys_are_delimited() {
        let key = |parts: &[&str]| parts.iter().fold(KeyBuilder::new("k"), |k, part| k.with(part.as_bytes())).finish();
        assert_ne!(key(&["ab", "c"]), key(&["a", "bc"]));
        assert_eq!(key(&["ab", "c"]), key(&["ab", "c"]));
    }

    #[test]
    fn the_oldest_are_removed_first() {
        let folder = tempfile::tempdir().unwrap();
        for index in 0..10u8 {
            let path = folder.path().join(index.to_string());
            std::fs::write(&path, [index; 100]).unwrap();
            let time = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(index.into());
            std::fs::File::options().write(true).open(&path).unwrap().set_modified(time).unwrap();
        }
        trim(folder.path(), 1000);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 10);
        trim(folder.path(), 999);
        let mut left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["6", "7", "8", "9"]);
    }

    #[test]
    fn files_are_counted_seldom_and_stay_below_the_capacity() {
        let (folder, rooms) = (tempfile::tempdir().unwrap(), Rooms::default());
        let (capacity, mut counted) = (32_000, 0);
        for index in 0..1000u32 {
            std::fs::write(folder.path().join(index.to_string()), [1; 100]).unwrap();
            let before = rooms.lock().unwrap().get(folder.path()).copied();
            make_room(&rooms, folder.path(), 100, capacity);
            let after = rooms.lock().unwrap()[folder.path()];
            counted += u32::from(before.is_none_or(|before| after + 100 != before));
            let files = std::fs::read_dir(folder.path()).unwrap().count() as u64;
            assert!(files * 100 <= capacity + capacity / 16, "{files} files");
        }
        assert!(counted <= 100, "counted {counted} times");
    }

    #[test]
    fn many_writers_of_one_entry() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::at(folder.path());
        let key = KeyBuilder::new("test").finish();
        std::thread::scope(|scope| {
            for byte in 0..8u8 {
                let cache = &cache;
                scope.spawn(move || {
                    for _ in 0..50 {
                        cache.store("kind", &key, &vec![byte; 10_000]);
                        let seen = cache.load("kind", &key).expect("an entry that was written is there");
                        assert!(seen.len() == 10_000 && seen.iter().all(|other| *other == seen[0]));
                    }
                });
            }
        });
        assert_eq!(std::fs::read_dir(folder.path().join("kind")).unwrap().count(), 1, "temporary files are left");
    }
}
