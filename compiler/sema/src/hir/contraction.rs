//! Where `#pragma OPENCL FP_CONTRACT` allows `a * b + c` to be fused (OpenCL C 6.12, C99 6.5p8 and 7.12.2).

/// The states of `FP_CONTRACT` over the tokens of the program.
#[derive(Clone, Debug, Default)]
pub struct Contraction {
    /// In order: a token, and the state from there. Before the first of them, contraction is allowed.
    changes: Vec<(u32, bool)>,
}

impl Contraction {
    /// Whether the operations of an expression that begins at this token may be contracted.
    pub fn is_allowed(&self, token: u32) -> bool {
        let next = self.next_after(token);
        next.checked_sub(1).and_then(|index| self.changes.get(index)).is_none_or(|(_, allowed)| *allowed)
    }

    /// Sets the state from a token to the next change after it.
    pub fn set_from(&mut self, token: u32, allowed: bool) {
        let index = self.next_after(token);
        self.changes.insert(index, (token, allowed));
    }

    /// Ends a block whose tokens are `first` up to and without `end`: the state before it holds again.
    pub fn end_block(&mut self, first: u32, end: u32) {
        let outside = first.checked_sub(1).is_none_or(|token| self.is_allowed(token));
        if self.is_allowed(end) != outside {
            self.set_from(end, outside);
        }
    }

    fn next_after(&self, token: u32) -> usize {
        self.changes.partition_point(|(from, _)| *from <= token)
    }
}

#[cfg(test)]
mod tests {
    use super::Contraction;

    #[test]
    fn a_block_restores_the_state_before_it() {
        let mut contraction = Contraction::default();
        // Pragmas before tokens 10, 20 and 22; a block of the tokens 20 to 29 with one of 22 to 24 in it.
        contraction.set_from(10, false);
        contraction.set_from(20, true);
        contraction.set_from(22, false);
        contraction.end_block(22, 25);
        contraction.end_block(20, 30);
        let allowed = |token| contraction.is_allowed(token);
        assert!(allowed(9) && allowed(20) && allowed(21) && allowed(25) && allowed(29));
        assert!(!allowed(10) && !allowed(19) && !allowed(22) && !allowed(24) && !allowed(30) && !allowed(99));
    }
}
