//! `goto`: out of nested statements, backwards, and into the middle of them; case labels inside loops.

use super::stmt::{Context, text};
use super::{Generator, INT};
use crate::fuzz::tree::{Piece, Stmt, fill};

impl Generator {
    /// One of the kinds of jumps.
    pub(super) fn jump(&mut self, few: u32, context: Context) -> Option<Stmt> {
        match self.below(8) {
            0..=3 => Some(self.jump_out(few, context)),
            4 | 5 => self.jump_back(few, context),
            6 => Some(self.jump_in(few, context)),
            _ => self.cases_in_loop(few, context),
        }
    }

    /// A label behind a block, which statements inside, at any depth, may jump to.
    fn jump_out(&mut self, few: u32, context: Context) -> Stmt {
        let label = self.name("L");
        self.exits.push(label.clone());
        let mut body = self.block(few + 1, context.inner());
        let at = self.rng.usize(0..=body.len());
        // What the block declares is not known here: the condition uses outer names only.
        body.insert(at, self.exit());
        self.exits.pop();
        let head = self.pick(&["{", "if (h != 0x1234567u) {"]);
        Stmt::block(vec![text(head), Piece::Body(body), text(&format!("}} {label}: ;"))])
    }

    /// A jump to a label that is open here.
    pub(super) fn exit(&mut self) -> Stmt {
        let label = self.pick(&self.exits.clone());
        let condition = self.condition(1);
        Stmt::leaf(&format!("if (@) goto {label};"), vec![condition])
    }

    /// A loop made of a jump.
    fn jump_back(&mut self, few: u32, context: Context) -> Option<Stmt> {
        let trips = 1 + self.below(4);
        if !self.affords(trips) {
            return None;
        }
        let (label, counter) = (self.name("L"), self.name("w"));
        let body = self.in_loop(trips, |s| s.block(few, context.inner()));
        let condition = self.condition(2);
        let tail = format!("}} if (++{counter} < {trips} && @) goto {label}; }}");
        Some(Stmt::block(vec![
            text(&format!("{{ int {counter} = 0; {label}: {{")),
            Piece::Body(body),
            Piece::Parts(fill(&tail, vec![condition])),
        ]))
    }

    /// A jump over the beginning of a nested block into its middle.
    fn jump_in(&mut self, few: u32, context: Context) -> Stmt {
        let label = self.name("L");
        let (first, second) = (self.condition(1), self.condition(2));
        let inner = context.inner();
        let (a, b, c) = (self.block(1, inner), self.block(1, inner), self.block(few, inner));
        Stmt::block(vec![
            Piece::Parts(fill(&format!("{{ if (@) goto {label}; {{"), vec![first])),
            Piece::Body(a),
            Piece::Parts(fill("} if (@) { {", vec![second])),
            Piece::Body(b),
            text(&format!("}} {label}: ; {{")),
            Piece::Body(c),
            text("} } }"),
        ])
    }

    /// A switch into a loop.
    fn cases_in_loop(&mut self, few: u32, context: Context) -> Option<Stmt> {
        let trips = 1 + self.below(4);
        if !self.affords(trips) {
            return None;
        }
        let counter = self.name("w");
        let value = self.int(INT, 2);
        let inner = Context { in_loop: true, ..context.inner() };
        let (a, b, c) = self.in_loop(trips, |s| (s.block(1, inner), s.block(1, inner), s.block(few, inner)));
        let condition = self.condition(2);
        Some(Stmt::block(vec![
            Piece::Parts(fill(&format!("{{ int {counter} = {trips}; switch (@ & 3) {{ case 0: do {{ {{"), vec![value])),
            Piece::Body(a),
            text("} case 1: {"),
            Piece::Body(b),
            text("} case 3: {"),
            Piece::Body(c),
            Piece::Parts(fill(&format!("}} }} while (--{counter} > 0 && @); }} }}"), vec![condition])),
        ]))
    }
}
