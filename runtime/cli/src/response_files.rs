//! Response files: `@FILE` on the command line stands for the words in the file, which may name further files.

use crate::failure::Failure;
use crate::input;
use std::ffi::OsString;
use std::iter::Peekable;
use std::path::Path;
use std::str::Chars;

/// Depth of files that name files.
const MAX_DEPTH: usize = 20;
/// Most bytes of a file.
const MAX_SIZE: u64 = 16 << 20;

/// Replaces each `@FILE` before `--` by the words of the file. As in clang, a word whose file does not exist is left alone.
///
/// # Errors
/// A file that cannot be read as text or is larger than 16 MiB, or files that name each other without end.
pub fn expand(words: impl Iterator<Item = OsString>) -> Result<Vec<OsString>, Failure> {
    let mut out = Vec::new();
    let mut words = words;
    while let Some(word) = words.next() {
        if word == "--" {
            out.push(word);
            out.extend(words);
            break;
        }
        expand_word(word, 0, &mut out)?;
    }
    Ok(out)
}

fn expand_word(word: OsString, depth: usize, out: &mut Vec<OsString>) -> Result<(), Failure> {
    let path = word.to_str().and_then(|word| word.strip_prefix('@')).filter(|path| std::fs::metadata(path).is_ok());
    let Some(path) = path else {
        out.push(word);
        return Ok(());
    };
    if depth >= MAX_DEPTH {
        return Err(Failure::Usage(format!("response file '{path}' is nested too deeply")));
    }
    let text = input::bytes(Path::new(path), MAX_SIZE)?;
    let text = String::from_utf8(text).map_err(|_| Failure::Usage(format!("response file '{path}' is not UTF-8")))?;
    words_of(&text).into_iter().try_for_each(|word| expand_word(word.into(), depth + 1, out))
}

/// The words of a text: separated by white space; quotes keep it, and a backslash the character after it.
fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text.chars().peekable();
    loop {
        while rest.next_if(|c| c.is_whitespace()).is_some() {}
        if rest.peek().is_none() {
            return words;
        }
        words.push(word_of(&mut rest));
    }
}

fn word_of(rest: &mut Peekable<Chars<'_>>) -> String {
    let mut word = String::new();
    let mut quote = None;
    while let Some(c) = rest.next_if(|c| quote.is_some() || !c.is_whitespace()) {
        match c {
            '\\' if quote != Some('\'') => word.extend(rest.next()),
            '"' | '\'' if quote.is_none() => quote = Some(c),
            _ if quote == Some(c) => quote = None,
            _ => word.push(c),
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes() {
        let text = "-DA 'two words' \"say \\\"x\\\"\"\n  a\\ b -D\"N=1 2\" '' 'back\\slash'\t";
        assert_eq!(words_of(text), ["-DA", "two words", "say \"x\"", "a b", "-DN=1 2", "", "back\\slash"]);
    }

    #[test]
    fn files_name_files_and_what_is_no_file_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("inner"), "-w x.cl").unwrap();
        std::fs::write(path("outer"), format!("-DA @{}", path("inner"))).unwrap();
        std::fs::write(path("endless"), format!("@{}", path("endless"))).unwrap();
        let message = |failure| match failure {
            Failure::Usage(message) => message,
            _ => "not a failure of usage".into(),
        };
        let expanded = |word: String| expand(["-g".into(), word.into()].into_iter()).map_err(message);
        assert_eq!(expanded(format!("@{}", path("outer"))).unwrap(), ["-g", "-DA", "-w", "x.cl"]);
        assert_eq!(expanded("@nowhere".into()).unwrap(), ["-g", "@nowhere"]);
        assert!(expanded(format!("@{}", path("endless"))).unwrap_err().contains("nested too deeply"));
        let after = ["--".into(), format!("@{}", path("outer")).into()];
        assert_eq!(expand(after.clone().into_iter()).map_err(message).unwrap(), after);
        // Neither endless devices nor files of any size.
        assert!(expanded("@/dev/zero".into()).unwrap_err().contains("not a regular file"));
        std::fs::File::create(path("large")).unwrap().set_len(MAX_SIZE + 1).unwrap();
        assert!(expanded(format!("@{}", path("large"))).unwrap_err().contains("larger than the limit"));
    }
}
