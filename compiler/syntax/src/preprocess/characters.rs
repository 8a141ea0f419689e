//! From bytes to characters: the encoding, line ends, and translation phase 1, trigraphs (C99 5.1.1.2, 5.2.1.1).

use std::borrow::Cow;

/// A text as the later phases read it.
pub(super) struct Decoded {
    pub text: String,
    /// Offsets in `text` of the characters that trigraphs have become.
    pub trigraphs: Vec<u32>,
}

impl Decoded {
    /// A text that the compiler has made.
    pub fn made(text: String) -> Decoded {
        Decoded { text, trigraphs: Vec::new() }
    }
}

/// Source bytes as text: what is not UTF-8 is replaced, a lone carriage return ends a line like a newline.
pub(super) fn decode(bytes: &[u8]) -> Decoded {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut text = String::from_utf8_lossy(bytes);
    let lone =
        |text: &str| memchr::memchr_iter(b'\r', text.as_bytes()).any(|at| text.as_bytes().get(at + 1) != Some(&b'\n'));
    if lone(&text) {
        text = Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"));
    }
    match without_trigraphs(&text) {
        Some(decoded) => decoded,
        None => Decoded::made(text.into_owned()),
    }
}

/// The text with each trigraph as the character that it stands for; `None` where there is none.
fn without_trigraphs(text: &str) -> Option<Decoded> {
    let mut pos = text.find("??")?;
    let mut decoded = Decoded::made(String::with_capacity(text.len()));
    let mut copied = 0;
    while let Some(offset) = text.get(pos..).and_then(|rest| rest.find("??")) {
        let at = pos + offset;
        let Some(character) = text.as_bytes().get(at + 2).copied().and_then(trigraph) else {
            // Of `???/` the last two question marks count.
            pos = at + 1;
            continue;
        };
        decoded.text.push_str(text.get(copied..at)?);
        decoded.trigraphs.push(u32::try_from(decoded.text.len()).ok()?);
        decoded.text.push(character);
        (pos, copied) = (at + 3, at + 3);
    }
    decoded.text.push_str(text.get(copied..)?);
    (!decoded.trigraphs.is_empty()).then_some(decoded)
}

/// What `??` and a character stand for.
fn trigraph(character: u8) -> Option<char> {
    Some(match character {
        b'=' => '#',
        b'(' => '[',
        b'/' => '\\',
        b')' => ']',
        b'\'' => '^',
        b'<' => '{',
        b'!' => '|',
        b'>' => '}',
        b'-' => '~',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn trigraphs() {
        let all = decode(b"??=??(??/??)??'??<??!??>??-");
        assert_eq!(all.text, "#[\\]^{|}~");
        assert_eq!(all.trigraphs, (0..9).collect::<Vec<u32>>());
        let some = decode(b"a ???! b ???= ??? ??");
        assert_eq!((some.text.as_str(), some.trigraphs), ("a ?| b ?# ??? ??", vec![3, 8]));
        assert_eq!(decode(b"no ? : at all").text, "no ? : at all");
    }
}
