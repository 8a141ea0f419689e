//! Warnings of the device's known defects, once a day.

use crate::terminal;
use clforge_runtime::{Cache, DeviceInfo, Quirk};
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

/// The folder of the cache with the days of the warnings.
const FOLDER: &str = "warnings";

/// Warns of a device's defects that were not warned of today by a command with the same cache folder. Where there is none
/// (`CLFORGE_CACHE=off`, no home folder), or it cannot be written to, every command warns: there is no other place that is the
/// user's own and outlives the command. The folder is not made if `may_create` is false.
pub fn warn(device: &DeviceInfo, cache: &Cache, may_create: bool) {
    if !terminal::gives_warnings() {
        return;
    }
    for quirk in &device.quirks {
        let (name, message) = match quirk {
            Quirk::LoopLimit => (
                "loop_limit",
                "this driver silently ends long loops, so that results can be wrong; see 'clforge devices'",
            ),
        };
        if is_first_today(cache, may_create, name) {
            terminal::warning(message);
        }
    }
}

/// Whether nothing was noted under that name today; notes it.
fn is_first_today(cache: &Cache, may_create: bool, name: &str) -> bool {
    let Some(top) = cache.folder().filter(|folder| may_create || folder.is_dir()) else { return true };
    let path: PathBuf = top.join(FOLDER).join(name);
    let today = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / (24 * 60 * 60));
    let today = today.to_string();
    if std::fs::read_to_string(&path).is_ok_and(|day| day == today) {
        return false;
    }
    // Where it cannot be noted, the next command warns again.
    let _ = cache.make_folder(FOLDER).and_then(|_| std::fs::write(&path, today));
    true
}
