//! Reads files of unknown size up to a limit. It opens neither endless devices nor pipes without a writer.

use std::fs::{File, Metadata};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// The contents of a regular file of at most `limit` bytes.
///
/// # Errors
/// Those of opening and reading; [`ErrorKind::InvalidInput`] for what is no regular file, a device or a named pipe for example,
/// which is not opened; [`ErrorKind::FileTooLarge`] for more than `limit` bytes, of which none are read.
pub fn read_file(path: &Path, limit: u64) -> Result<Vec<u8>> {
    read_file_if(path, limit, |_| true)
}

/// The same of a file that a condition on its metadata holds for, which are those of the file that is read, whatever happens to
/// its name meanwhile.
///
/// # Errors
/// As for [`read_file`], and [`ErrorKind::PermissionDenied`] where the condition does not hold.
pub fn read_file_if(path: &Path, limit: u64, is_wanted: impl FnOnce(&Metadata) -> bool) -> Result<Vec<u8>> {
    // Before it is opened: that alone waits for the writer of a pipe.
    check(&std::fs::metadata(path)?, limit)?;
    let file = File::open(path)?;
    let data = file.metadata()?;
    check(&data, limit)?;
    if !is_wanted(&data) {
        return Err(ErrorKind::PermissionDenied.into());
    }
    // One more than its size, so that the end is found without growing.
    read(file, limit, usize::try_from(data.len().saturating_add(1)).unwrap_or_default())
}

/// All that comes from a stream, at most `limit` bytes.
///
/// # Errors
/// Those of reading; [`ErrorKind::FileTooLarge`] after more than `limit` bytes.
pub fn read_stream(stream: impl Read, limit: u64) -> Result<Vec<u8>> {
    read(stream, limit, 0)
}

fn read(stream: impl Read, limit: u64, expected: usize) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(expected).map_err(|_| ErrorKind::OutOfMemory)?;
    stream.take(limit.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(too_large(limit));
    }
    Ok(bytes)
}

fn check(data: &Metadata, limit: u64) -> Result<()> {
    if data.is_dir() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is a folder"));
    }
    if !data.is_file() {
        return Err(Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
    }
    if data.len() > limit { Err(too_large(limit)) } else { Ok(()) }
}

fn too_large(limit: u64) -> Error {
    Error::new(ErrorKind::FileTooLarge, format!("it is larger than the limit of {limit} bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_the_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, b"12345").unwrap();
        assert_eq!(read_file(&path, 5).unwrap(), b"12345");
        assert_eq!(read_file(&path, u64::MAX).unwrap(), b"12345");
        assert_eq!(read_file(&path, 4).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read_stream(&b"12345"[..], 5).unwrap(), b"12345");
        assert_eq!(read_stream(std::io::repeat(0), 1000).unwrap_err().kind(), ErrorKind::FileTooLarge);
        // Most of a terabyte that takes no room on disk.
        File::create(&path).unwrap().set_len(1 << 39).unwrap();
        assert_eq!(read_file(&path, 1 << 30).unwrap_err().kind(), ErrorKind::FileTooLarge);
        assert_eq!(read_file(folder.path(), 5).unwrap_err().kind(), ErrorKind::InvalidInput);
        assert_eq!(read_file(&folder.path().join("none"), 5).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[test]
    #[cfg(unix)]
    fn devices_and_pipes_are_not_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for path in [Path::new("/dev/zero"), Path::new("/dev/null"), &pipe] {
            assert_eq!(read_file(path, u64::MAX).unwrap_err().kind(), ErrorKind::InvalidInput, "{}", path.display());
        }
    }
}
