//! What a module costs `spirv-val`, by the measured growth of its time and memory (version 2023.1; a processor of 2021).

use crate::interface::instructions;
use rspirv::spirv;
use std::time::Duration;

/// Nesting of structured control flow that the validator gets: its time grows with the cube of it, to a minute and more.
const MAX_NESTING: usize = 128;
/// Entry points that it gets: for each pair of them it takes 24 bytes, 2.1 GB for 9,400.
const MAX_ENTRY_POINTS: u64 = 8192;
/// Time for each word: 0.78 s for 4.6 MB.
const WORD: Duration = Duration::from_nanos(650);
/// Time for each pair of basic blocks of a function: 8.9 s for 40,216 blocks, 1.05 s for 13,539.
const PAIR_OF_BLOCKS: Duration = Duration::from_nanos(6);
/// Time for the square of the nesting of each basic block: 25 s for 8,140 blocks in up to 68 loops and conditions.
const SQUARE_OF_NESTING: Duration = Duration::from_nanos(700);

/// The cost of a module.
pub(super) struct Cost {
    /// Most merge blocks that control flow is before at once.
    nesting: usize,
    entry_points: u64,
    /// Most basic blocks of a function.
    blocks: u64,
    time: Duration,
}

impl Cost {
    pub(super) fn of(words: &[u32]) -> Cost {
        let mut cost = Cost { nesting: 0, entry_points: 0, blocks: 0, time: times(WORD, words.len() as u64) };
        let (mut open, mut blocks, mut squares) = (Vec::new(), 0u64, 0u64);
        for inst in instructions(words).into_iter().flatten().flatten() {
            let code = inst.opcode;
            if code == spirv::Op::SelectionMerge as u16 || code == spirv::Op::LoopMerge as u16 {
                open.extend(inst.operands.first());
                cost.nesting = cost.nesting.max(open.len());
            } else if code == spirv::Op::Label as u16 {
                if open.last() == inst.operands.first() {
                    open.pop();
                }
                blocks += 1;
                squares += (open.len() as u64).pow(2);
            } else if code == spirv::Op::EntryPoint as u16 {
                cost.entry_points += 1;
            } else if code == spirv::Op::FunctionEnd as u16 {
                cost.blocks = cost.blocks.max(blocks);
                cost.time = cost.time.saturating_add(times(PAIR_OF_BLOCKS, blocks.saturating_mul(blocks)));
                blocks = 0;
            }
        }
        cost.time = cost.time.saturating_add(times(SQUARE_OF_NESTING, squares));
        cost
    }

    /// Why the validator does not get the module, if it should not take longer than `longest`.
    pub(super) fn refusal(&self, longest: Duration) -> Option<String> {
        if self.nesting > MAX_NESTING {
            return Some(format!("its control flow is nested {} levels deep, too many for spirv-val", self.nesting));
        }
        if self.entry_points > MAX_ENTRY_POINTS {
            return Some(format!("it has {} entry points, too many for spirv-val", self.entry_points));
        }
        if self.time > longest {
            let (blocks, seconds) = (self.blocks, self.time.as_secs());
            return Some(format!(
                "spirv-val would take about {seconds} s for it (a function has {blocks} basic blocks)"
            ));
        }
        None
    }
}

fn times(time: Duration, count: u64) -> Duration {
    let nanoseconds = time.as_nanos().saturating_mul(u128::from(count));
    Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABEL: u32 = 2 << 16 | spirv::Op::Label as u32;
    const END: u32 = 1 << 16 | spirv::Op::FunctionEnd as u32;
    const HEADER: [u32; 5] = [spirv::MAGIC_NUMBER, 0x0001_0500, 0, 100, 0];

    fn with_blocks(functions: usize, blocks: usize) -> Vec<u32> {
        let function = [[LABEL, 1].repeat(blocks), vec![END]].concat();
        [HEADER.to_vec(), function.repeat(functions)].concat()
    }

    #[test]
    fn the_blocks_of_a_function_cost_their_square() {
        let refusal = |words: &[u32], seconds| Cost::of(words).refusal(Duration::from_secs(seconds));
        assert_eq!(refusal(&with_blocks(1, 10_000), 1), None);
        assert_eq!(refusal(&with_blocks(10, 10_000), 10), None);
        let message = refusal(&with_blocks(1, 100_000), 50).unwrap();
        assert!(message.contains("about 60 s") && message.contains("100000 basic blocks"), "{message}");
    }

    #[test]
    fn entry_points_cost_memory() {
        let entry = [5 << 16 | spirv::Op::EntryPoint as u32, 5, 1, u32::from(b'k'), 0];
        let words = |count| [HEADER.to_vec(), entry.repeat(count)].concat();
        assert!(Cost::of(&words(8192)).refusal(Duration::MAX).is_none());
        assert!(Cost::of(&words(8193)).refusal(Duration::MAX).unwrap().contains("8193 entry points"));
    }
}
