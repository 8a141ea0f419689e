//! Loops whose counters wrap around, of every width, upwards and downwards.

use super::stmt::{Context, text};
use super::{Generator, Scalar, Space, Type};
use crate::fuzz::tree::{Piece, Stmt};

impl Generator {
    /// A loop over a counter that passes from the largest value of its type to the smallest, or back.
    ///
    /// Signed counters are narrower than `int`: `++` of a wider one that overflows is undefined, while the conversion of an `int`
    /// to a narrower type is modular everywhere.
    pub(super) fn wrapping_loop(&mut self, few: u32, context: Context) -> Option<Stmt> {
        let trips = 1 + self.below(6);
        if !self.affords(trips) {
            return None;
        }
        let mut scalar = self.int_type();
        if scalar.bytes() >= 4 {
            scalar = scalar.int(false);
        }
        let name = self.name("i");
        let (head, tail) = self.wrapping_head(scalar, &name, trips);
        let inner = Context { in_loop: true, ..context.inner() };
        let body = self.in_loop(trips, |s| {
            let mark = s.enter();
            s.add(&name, Type::Scalar(scalar), Space::Private, 0);
            s.read_only();
            let body = s.block(few, inner);
            s.leave(mark);
            body
        });
        Some(Stmt::block(vec![text(&head), Piece::Body(body), text(&tail)]))
    }

    /// What stands before and behind the body.
    fn wrapping_head(&mut self, scalar: Scalar, name: &str, trips: u32) -> (String, String) {
        let bits = scalar.bytes() * 8;
        let mask = u64::MAX >> (64 - bits);
        // The first value of the smaller half: 0, or the least negative one.
        let least = if scalar.is_signed() { 1u64 << (bits - 1) } else { 0 };
        let step = u64::from(self.pick(&[1u32, 1, 1, 2, 3, 7]));
        let before = u64::from(self.below(trips + 1));
        let first = least.wrapping_sub(before * step) & mask;
        let end = first.wrapping_add(u64::from(trips) * step) & mask;
        let down = self.rng.bool();
        let (first, end) = if down { (end, first) } else { (first, end) };
        let ty = scalar.name();
        let value = |value: u64| format!("({ty}){value:#x}{}", if bits == 64 { "ul" } else { "u" });
        let advance = match (down, step, self.rng.bool()) {
            (false, 1, true) => format!("{name}++"),
            (true, 1, true) => format!("--{name}"),
            (false, _, _) => format!("{name} += {step}"),
            (true, _, _) => format!("{name} -= {step}"),
        };
        match self.below(3) {
            0 => (format!("for ({ty} {name} = {}; {name} != {}; {advance}) {{", value(first), value(end)), "}".into()),
            // `continue` in the body goes to the condition.
            1 => (
                format!("{{ {ty} {name} = {}; do {{", value(first)),
                format!("}} while (({advance}), {name} != {}); }}", value(end)),
            ),
            _ => (
                format!("for ({ty} {name} = {};; {advance}) {{ if ({name} == {}) break; {{", value(first), value(end)),
                "} }".into(),
            ),
        }
    }
}
