//! Cooperation of the work-items of a group: barriers, local memory, atomic counters.

use super::stmt::{Context, text};
use super::{Generator, Scalar, Type, UINT, Var};
use crate::fuzz::tree::{Piece, Stmt, fill};

impl Generator {
    /// A statement with barriers in it; all work-items of the group come here.
    pub(super) fn together(&mut self, few: u32, context: Context) -> Option<Stmt> {
        if self.barrier_loops && context.nest < 2 && self.chance(40) {
            return self.barrier_loop(few, context);
        }
        match self.below(8) {
            0 | 1 => self.exchange(),
            2 => self.exchange_in_function().or_else(|| self.exchange()),
            3 => self.reduction().or_else(|| self.exchange()),
            4 => self.counted().or_else(|| self.exchange()),
            5 if context.nest < 2 => self.barrier_first(few, context).or_else(|| self.exchange()),
            5 => self.counted().or_else(|| self.exchange()),
            // The condition is the same for all of the group. In loops PoCL 3.1 gets some of these wrong.
            6 if context.nest == 0 => {
                let body = self.block(few, Context { nest: context.nest + 1, ..context });
                let head = self.pick(&["if (in[get_group_id(0)] & 1u) {", "if (get_group_id(0) == 0) {"]);
                Some(Stmt::block(vec![text(head), Piece::Body(body), text("}")]))
            }
            _ => self.through_global_memory(),
        }
    }

    /// A loop with barriers in it that ends for all work-items of the group together, after a number of iterations that no
    /// compiler can know to be the same for them.
    fn barrier_loop(&mut self, few: u32, context: Context) -> Option<Stmt> {
        let trips = 2 + self.below(3);
        if !self.affords(trips) {
            return None;
        }
        let counter = self.name("k");
        let inner = Context { in_loop: false, uniform: true, nest: context.nest + 1 };
        let body = self.in_loop(trips, |s| s.block(few, inner));
        let loaded = format!("in[get_group_id(0) + {}u]", self.below(32));
        let (head, tail) = match self.below(4) {
            0 => (format!("for (uint {counter} = 0; {counter} <= {loaded} % {trips}u; {counter}++) {{"), "}".into()),
            1 => (format!("{{ uint {counter} = {loaded} % {trips}u + 1u; while ({counter}-- > 0u) {{"), "} }".into()),
            2 => (
                format!("{{ uint {counter} = 0; do {{"),
                format!("if (({loaded} >> {counter}) & 1u) continue; h += 3u; }} while (++{counter} < {trips}u); }}"),
            ),
            _ => (
                format!("for (uint {counter} = 0; {counter} < {trips}u; {counter}++) {{"),
                format!("if (({loaded} >> {counter}) & 1u) break; h ^= {counter}; }}"),
            ),
        };
        Some(Stmt::block(vec![text(&head), Piece::Body(body), text(&tail)]))
    }

    /// A loop with barriers in its first iteration, which all work-items of the group begin, and more iterations, whose number
    /// differs. PoCL and NVIDIA's OpenCL take the number of one work-item for all: for them, which are made of clang, the barriers
    /// stand before the loop.
    fn barrier_first(&mut self, few: u32, context: Context) -> Option<Stmt> {
        let trips = 2 + self.below(3);
        if !self.affords(trips + 1) {
            return None;
        }
        let k = self.name("k");
        let inner = Context { in_loop: false, uniform: true, nest: context.nest + 1 };
        let body = self.block(few, inner);
        let rest = self.in_loop(trips, |s| s.block(2, Context { uniform: false, ..inner }));
        let value = self.int(UINT, 2);
        let (ours, before, after, end) = match self.below(3) {
            0 => ("for (; ; K++) { if (K == 0u) {", "for (; ; K++) {", "if (K >= @ % Nu) break; } }", ""),
            1 => ("while (1) { if (K < 1u) {", "while (1) {", "if (K++ >= @ % Nu) break; } }", ""),
            _ => ("again_K: if (K == 0u) {", "again_K:", "if (K++ < @ % Nu) goto again_K; }", ";"),
        };
        let named = |text: &str| text.replace('K', &k).replace('N', &trips.to_string());
        let either = |theirs: &str, ours: &str| text(&format!("\n#ifdef __clang__\n{theirs}\n#else\n{ours}\n#endif\n"));
        let (ours, before, after) = (named(ours), named(before), format!("}} {}{end}", named(after)));
        Some(Stmt::block(vec![
            text(&format!("{{ uint {k} = 0;")),
            either("{", &ours),
            Piece::Body(body),
            either(&format!("}} {before} {{"), "} {"),
            Piece::Body(rest),
            Piece::Parts(fill(&after, vec![value])),
        ]))
    }

    fn slots(&self, fits: impl Fn(&Type) -> bool) -> Vec<Var> {
        self.scope.iter().filter(|var| var.text.ends_with("[lid]") && fits(&var.ty)).cloned().collect()
    }

    fn integer_slots(&self) -> Vec<Var> {
        self.slots(|ty| matches!(ty, Type::Scalar(scalar) if scalar.is_int()))
    }

    /// Reads what another work-item has in local memory.
    fn exchange(&mut self) -> Option<Stmt> {
        let slots = self.slots(|_| true);
        if slots.is_empty() {
            return None;
        }
        let slot = self.pick(&slots);
        let distance = 1 + self.below(15);
        let name = slot.text.trim_end_matches("[lid]");
        let element = format!("{name}[(lid + {distance}u) & 15u]");
        let mut texts = Vec::new();
        match &slot.ty {
            Type::Pointer { to, .. } => self.absorbed(&format!("(*{element})"), to, 1, &mut texts),
            ty => self.absorbed(&element, ty, 1, &mut texts),
        }
        let body = texts.into_iter().map(|text| Stmt::leaf(&text, Vec::new())).collect();
        let both = "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE";
        let pointer = matches!(slot.ty, Type::Pointer { .. });
        let fence = if pointer { both } else { self.pick(&["CLK_LOCAL_MEM_FENCE", both]) };
        let after = if pointer { both } else { "CLK_LOCAL_MEM_FENCE" };
        Some(Stmt::block(vec![
            text(&format!("barrier({fence}); {{")),
            Piece::Body(body),
            text(&format!("}} barrier({after});")),
        ]))
    }

    /// The same in a helper function.
    fn exchange_in_function(&mut self) -> Option<Stmt> {
        let slot = self.integer_slots();
        let slot = if slot.is_empty() { return None } else { self.pick(&slot) };
        let Type::Scalar(scalar) = slot.ty else { return None };
        let (name, distance) = (self.name("swap"), 1 + self.below(15));
        self.helpers.push(format!(
            "uint {name}(__local {} *s, uint lid, uint h) {{\n  barrier(CLK_LOCAL_MEM_FENCE);\n  \
             h = mix2(h, (ulong)s[(lid + {distance}u) & 15u]);\n  barrier(CLK_LOCAL_MEM_FENCE);\n  return h;\n}}\n",
            scalar.name()
        ));
        Some(Stmt::leaf(&format!("h = {name}({}, lid, h);", slot.text.trim_end_matches("[lid]")), Vec::new()))
    }

    /// A sum over the group in logarithmic steps; the loop has a barrier in it.
    fn reduction(&mut self) -> Option<Stmt> {
        let slots: Vec<Var> = self
            .integer_slots()
            .into_iter()
            .filter(|var| matches!(var.ty, Type::Scalar(Scalar::Int { bytes, signed }) if !signed || bytes < 4))
            .collect();
        if slots.is_empty() || !self.affords(4) {
            return None;
        }
        let slot = self.pick(&slots);
        let name = slot.text.trim_end_matches("[lid]").to_string();
        let step = self.name("s");
        self.cost += self.repeat * 4;
        let operator = self.pick(&["+=", "^=", "-="]);
        let body = vec![
            Stmt::leaf(&format!("if (lid < {step}) {name}[lid] {operator} {name}[lid + {step}];"), Vec::new()),
            Stmt::leaf("barrier(CLK_LOCAL_MEM_FENCE);", Vec::new()).fixed(),
        ];
        Some(Stmt::block(vec![
            text(&format!("barrier(CLK_LOCAL_MEM_FENCE); for (uint {step} = 8u; {step} > 0u; {step} >>= 1) {{")),
            Piece::Body(body),
            text(&format!("}} h = mix2(h, (ulong){name}[0]); barrier(CLK_LOCAL_MEM_FENCE);")),
        ]))
    }

    /// An atomic operation on a counter of the group, whose result does not depend on the order.
    fn counted(&mut self) -> Option<Stmt> {
        if !self.counter {
            return None;
        }
        let value = self.int(UINT, 2);
        let start = self.int(UINT, 0);
        let operation = self.pick(&["add", "sub", "min", "max", "or", "and", "xor"]);
        let head = "if (lid == 0u) *lc = in[get_group_id(0)] ^ 0x5bd1e995u; barrier(CLK_LOCAL_MEM_FENCE);";
        let template = format!(
            "{head} if ((@) & 3u) atomic_{operation}(lc, @); barrier(CLK_LOCAL_MEM_FENCE); h = mix(h, *lc); \
             barrier(CLK_LOCAL_MEM_FENCE);"
        );
        Some(Stmt::leaf(&template, vec![start, value]))
    }

    /// Reads what a neighbour wrote to global memory.
    fn through_global_memory(&mut self) -> Option<Stmt> {
        let distance = 1 + self.below(15);
        let fence = "barrier(CLK_GLOBAL_MEM_FENCE);";
        let value = self.int(UINT, 2);
        let neighbour = format!("out[(gid - lid + ((lid + {distance}u) & 15u)) * 12u + 9u]");
        let parts = fill(&format!("po[9] = @; {fence} h = mix(h, {neighbour}); {fence}"), vec![value]);
        Some(Stmt::block(vec![Piece::Parts(parts)]))
    }
}
