//! Damages modules for tests and fuzzers. It changes single instructions and operands, so that most of a module stays
//! intact and the reader gets past its first checks. The compiler itself does not use this file; the feature `mutate`
//! enables it outside of tests.

use clforge_basic::narrow::to_u32;
use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind, OperandQuantifier};
use rspirv::spirv::Op;
use std::collections::HashMap;
use std::sync::OnceLock;

/// Words of the header.
const HEADER: usize = 5;
/// Words that a module may grow to, so that repeated changes end.
const MAX_WORDS: usize = 1 << 16;
/// Numbers at which something changes.
const NUMBERS: [u32; 16] = [0, 1, 2, 3, 4, 8, 15, 16, 17, 31, 32, 33, 64, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

/// Where the numbers of a sequence of choices come from: one below the limit, which is not 0.
pub type Choose<'c> = &'c mut dyn FnMut(usize) -> usize;

/// What a word of an instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Type,
    Result,
    Id,
    Literal,
}

/// An instruction: its number, and the words behind it with what they are.
#[derive(Clone, Debug)]
struct Instruction {
    opcode: u32,
    words: Vec<u32>,
    roles: Vec<Word>,
}

/// What the ids of a module are, by the opcode that defines them and their type.
#[derive(Default)]
struct Ids {
    all: Vec<u32>,
    types: Vec<u32>,
    labels: Vec<u32>,
    by_type: HashMap<u32, Vec<u32>>,
    type_of: HashMap<u32, u32>,
}

/// A module with one to four changes; the same for the same choices.
pub fn mutate(words: &[u32], choose: Choose<'_>) -> Vec<u32> {
    let Some((header, rest)) = words.split_at_checked(HEADER) else { return words.to_vec() };
    let mut header = header.to_vec();
    let mut instructions = parse(rest);
    for _ in 0..1 + choose(4) {
        if instructions.is_empty() {
            break;
        }
        match choose(64) {
            0 => header[choose(HEADER)] = NUMBERS[choose(NUMBERS.len())],
            _ => change(&mut instructions, &mut header, choose),
        }
    }
    let mut out = header;
    for instruction in &instructions {
        let count = (to_u32(instruction.words.len()) + 1) & 0xffff;
        out.push(count << 16 | (instruction.opcode & 0xffff));
        out.extend(&instruction.words);
    }
    out.truncate(MAX_WORDS.max(words.len()));
    out
}

/// The operands of each opcode.
fn grammar(opcode: u32) -> &'static [(OperandKind, OperandQuantifier)] {
    type Operands = Vec<(OperandKind, OperandQuantifier)>;
    static GRAMMAR: OnceLock<HashMap<u32, Operands>> = OnceLock::new();
    let grammar = GRAMMAR.get_or_init(|| {
        let operands = |entry: &'static rspirv::grammar::Instruction<'static>| -> Operands {
            entry.operands.iter().map(|operand| (operand.kind, operand.quantifier)).collect()
        };
        INSTRUCTION_TABLE.iter().map(|entry| (entry.opcode as u32, operands(entry))).collect()
    });
    grammar.get(&opcode).map_or(&[], Vec::as_slice)
}

fn parse(mut words: &[u32]) -> Vec<Instruction> {
    let mut list = Vec::new();
    while let Some(first) = words.first() {
        let count = (first >> 16).max(1) as usize;
        let (whole, rest) = words.split_at(count.min(words.len()));
        let opcode = first & 0xffff;
        list.push(Instruction { opcode, words: whole[1..].to_vec(), roles: roles(opcode, &whole[1..]) });
        words = rest;
    }
    list
}

/// What the words of an instruction are, as far as its grammar says.
fn roles(opcode: u32, words: &[u32]) -> Vec<Word> {
    use OperandKind as K;
    let mut roles = Vec::with_capacity(words.len());
    for (kind, quantifier) in grammar(opcode) {
        loop {
            if roles.len() >= words.len() {
                return roles;
            }
            match kind {
                K::IdResultType => roles.push(Word::Type),
                K::IdResult => roles.push(Word::Result),
                K::IdRef | K::IdScope | K::IdMemorySemantics => roles.push(Word::Id),
                K::PairIdRefIdRef => roles.extend([Word::Id, Word::Id]),
                K::PairIdRefLiteralInteger => roles.extend([Word::Id, Word::Literal]),
                K::PairLiteralIntegerIdRef => roles.extend([Word::Literal, Word::Id]),
                K::LiteralString => {
                    let rest = words[roles.len()..].iter();
                    let length = rest.take_while(|word| word.to_le_bytes().iter().all(|byte| *byte != 0)).count() + 1;
                    roles.extend(std::iter::repeat_n(Word::Literal, length));
                }
                K::LiteralSpecConstantOpInteger => {
                    roles.push(Word::Literal);
                    roles.resize(words.len().max(roles.len()), Word::Id);
                }
                _ => roles.push(Word::Literal),
            }
            if *quantifier != OperandQuantifier::ZeroOrMore {
                break;
            }
        }
    }
    roles.resize(words.len(), Word::Literal);
    roles
}

impl Ids {
    fn of(instructions: &[Instruction]) -> Ids {
        let mut ids = Ids::default();
        for instruction in instructions {
            let word = |role: Word| {
                let at = instruction.roles.iter().position(|found| *found == role)?;
                instruction.words.get(at).copied()
            };
            let Some(result) = word(Word::Result) else { continue };
            ids.all.push(result);
            match word(Word::Type) {
                Some(ty) => {
                    ids.by_type.entry(ty).or_default().push(result);
                    ids.type_of.insert(result, ty);
                }
                None if instruction.opcode == Op::Label as u32 => ids.labels.push(result),
                None => ids.types.push(result),
            }
        }
        ids
    }

    /// Another id for one: mostly of its own kind.
    fn other(&self, id: u32, bound: u32, choose: Choose<'_>) -> u32 {
        let same = self.type_of.get(&id).and_then(|ty| self.by_type.get(ty));
        let list = match (choose(8), same) {
            (0, _) => return [0, bound, bound.wrapping_sub(1), u32::MAX][choose(4)],
            (1, _) => &self.all,
            (_, Some(same)) => same,
            _ if self.labels.contains(&id) => &self.labels,
            _ if self.types.contains(&id) => &self.types,
            _ => &self.all,
        };
        if list.is_empty() { id } else { list[choose(list.len())] }
    }
}

/// One change.
fn change(instructions: &mut Vec<Instruction>, header: &mut [u32], choose: Choose<'_>) {
    let at = choose(instructions.len());
    match choose(14) {
        0..=5 => change_word(instructions, at, header[3], choose),
        6 | 7 => change_opcode(&mut instructions[at], choose),
        8 => drop(instructions.remove(at)),
        9 => repeat(instructions, at, header, choose),
        10 => {
            let moved = instructions.remove(at);
            instructions.insert(choose(instructions.len() + 1), moved);
        }
        11 => {
            let other = choose(instructions.len());
            instructions.swap(at, other);
        }
        12 => {
            let instruction = &mut instructions[at];
            let keep = choose(instruction.words.len() + 1);
            instruction.words.truncate(keep);
            instruction.roles.truncate(keep);
        }
        _ => {
            let ids = Ids::of(instructions);
            let extra = ids.other(0, header[3], choose);
            let extra = if choose(2) == 0 { extra } else { NUMBERS[choose(NUMBERS.len())] };
            let instruction = &mut instructions[at];
            instruction.words.push(extra);
            instruction.roles.push(Word::Literal);
        }
    }
}

fn change_word(instructions: &mut [Instruction], at: usize, bound: u32, choose: Choose<'_>) {
    let ids = Ids::of(instructions);
    let instruction = &mut instructions[at];
    if instruction.words.is_empty() {
        return;
    }
    let place = choose(instruction.words.len());
    let old = instruction.words[place];
    let role = instruction.roles.get(place).copied().unwrap_or(Word::Literal);
    instruction.words[place] = match role {
        Word::Id => ids.other(old, bound, choose),
        Word::Type | Word::Result if choose(4) == 0 => ids.other(old, bound, choose),
        Word::Type => ids.types.get(choose(ids.types.len().max(1))).copied().unwrap_or(old),
        Word::Result => ids.all.get(choose(ids.all.len().max(1))).copied().unwrap_or(old),
        Word::Literal => match choose(4) {
            0 => old ^ 1 << choose(32),
            1 => old.wrapping_add(to_u32(choose(9))).wrapping_sub(4),
            _ => NUMBERS[choose(NUMBERS.len())],
        },
    };
}

/// Another opcode, mostly of the same operands.
fn change_opcode(instruction: &mut Instruction, choose: Choose<'_>) {
    let own = grammar(instruction.opcode);
    let mut likely: Vec<u32> = INSTRUCTION_TABLE.iter().map(|entry| entry.opcode as u32).collect();
    if choose(8) != 0 {
        likely.retain(|opcode| grammar(*opcode) == own);
    }
    if !likely.is_empty() {
        instruction.opcode = likely[choose(likely.len())];
    }
}

/// Repeats some instructions, with results of their own or, seldom, the same ones.
fn repeat(instructions: &mut Vec<Instruction>, at: usize, header: &mut [u32], choose: Choose<'_>) {
    let end = (at + 1 + choose(8)).min(instructions.len());
    let mut copies = instructions[at..end].to_vec();
    if choose(8) != 0 {
        let mut renamed: HashMap<u32, u32> = HashMap::new();
        for copy in &mut copies {
            for (word, role) in copy.words.iter_mut().zip(&copy.roles) {
                if *role == Word::Result {
                    renamed.insert(*word, header[3]);
                    *word = header[3];
                    header[3] = header[3].saturating_add(1);
                } else if let (Word::Id | Word::Type, Some(new)) = (role, renamed.get(word)) {
                    *word = *new;
                }
            }
        }
    }
    instructions.splice(end..end, copies);
}
