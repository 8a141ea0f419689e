//! SHA-256 of the example messages of FIPS 180-4 and of random messages of every length around the block size.

use super::{Arg, Check, Job, Launch, linear};
use crate::data::{Random, bytes, mismatches, values};
use sha2::{Digest, Sha256};

/// Messages and digests of NIST's examples for FIPS 180-4.
const EXAMPLES: [(&str, &str); 4] = [
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ),
    (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
    ),
];

pub fn job() -> Job {
    let mut random = Random::new(10);
    let mut messages: Vec<Vec<u8>> = EXAMPLES.iter().map(|(text, _)| text.as_bytes().to_vec()).collect();
    messages.extend((0..200).map(|length| (0..length).map(|_| random.bits() as u8).collect::<Vec<u8>>()));
    let mut offsets = vec![0u32];
    let mut text = Vec::new();
    for message in &messages {
        text.extend_from_slice(message);
        offsets.push(text.len() as u32);
    }
    let count = messages.len();
    Job {
        buffers: vec![text, bytes(&offsets), vec![0; count * 32]],
        launches: vec![Launch {
            kernel: "sha256".into(),
            range: linear(count.next_multiple_of(32) as u64, 32),
            args: vec![Arg::Buffer(0), Arg::Buffer(1), Arg::Buffer(2), Arg::pod(count as u32)],
        }],
        check: Box::new(move |buffers| {
            let words: Vec<[u32; 8]> = values(&buffers[2]);
            let expected: Vec<[u32; 8]> = messages.iter().map(|m| words_of(&Sha256::digest(m))).collect();
            let from_standard: Vec<[u32; 8]> = EXAMPLES.iter().map(|(_, hex)| words_of_hex(hex)).collect();
            let examples = words.get(..EXAMPLES.len()).unwrap_or(&[]);
            Check { max_error: mismatches(&words, &expected) + mismatches(examples, &from_standard), tolerance: 0.0 }
        }),
    }
}

fn words_of(digest: &[u8]) -> [u32; 8] {
    let mut words = [0; 8];
    for (word, chunk) in words.iter_mut().zip(digest.chunks_exact(4)) {
        *word = chunk.iter().fold(0, |value, &byte| value << 8 | u32::from(byte));
    }
    words
}

fn words_of_hex(hex: &str) -> [u32; 8] {
    let mut words = [0; 8];
    for (word, i) in words.iter_mut().zip(0..) {
        *word = hex.get(i * 8..i * 8 + 8).and_then(|digits| u32::from_str_radix(digits, 16).ok()).unwrap_or(0);
    }
    words
}
