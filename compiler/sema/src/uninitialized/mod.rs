//! `-Wuninitialized`, `-Wsometimes-uninitialized` and `-Wconditional-uninitialized`: variables that have no value on all or
//! some paths to a use. Most that have none on any path are found when sema visits the use (`unused.rs`), also in functions
//! with errors; the others, such as those of `x += 1` and of loops, are found here.
//!
//! The analysis is clang's `UninitializedValues`: for each variable and the end of each basic block of the control-flow
//! graph ([`graph`]) it is known whether the variable may have a value, and whether it may have none. A use that both
//! states reach is traced back: if one side of a branch always leads to the use without a value, the warning names that
//! side.

mod graph;

use super::Sema;
use crate::hir::{PrivateVariableId, Stmt};
use clforge_basic::diag::{Diagnostic, WarningFlag};
use clforge_basic::source::Span;
use graph::{Block, BlockId, Event, Graph, Terminator};
use rustc_hash::FxHashMap;

/// Most words of all states of a function; a larger function is not analysed.
const MAX_WORDS: usize = 1 << 22;
/// Most uses that are traced back in a function.
const MAX_TRACES: usize = 1000;

/// Variables, by their numbers among those that are watched, that may have no value, and those that may have one.
#[derive(Clone, PartialEq, Eq, Default)]
struct State {
    without: Vec<u64>,
    with: Vec<u64>,
}

/// What is known of one variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Value {
    Unreached,
    Uninitialized,
    Initialized,
    Either,
}

impl State {
    fn get(&self, variable: usize) -> Value {
        let bit = |words: &[u64]| words.get(variable / 64).is_some_and(|word| word >> (variable % 64) & 1 != 0);
        match (bit(&self.without), bit(&self.with)) {
            (false, false) => Value::Unreached,
            (true, false) => Value::Uninitialized,
            (false, true) => Value::Initialized,
            (true, true) => Value::Either,
        }
    }

    fn set(&mut self, variable: usize, is_initialized: bool) {
        let (word, bit) = (variable / 64, 1 << (variable % 64));
        for (words, value) in [(&mut self.without, !is_initialized), (&mut self.with, is_initialized)] {
            if let Some(word) = words.get_mut(word) {
                *word = if value { *word | bit } else { *word & !bit };
            }
        }
    }

    fn join(&mut self, other: &State) {
        for (words, more) in [(&mut self.without, &other.without), (&mut self.with, &other.with)] {
            words.iter_mut().zip(more).for_each(|(word, more)| *word |= more);
        }
    }

    fn apply(&mut self, event: &Event) {
        match *event {
            Event::Declared(variable) => self.set(variable, false),
            Event::Written(variable) => self.set(variable, true),
            Event::Read(..) => {}
        }
    }
}

/// Uses of variables that may have no value.
#[derive(Default)]
struct Uses {
    /// The first one of a variable that no path gives a value.
    always: FxHashMap<usize, Span>,
    /// Those of a variable that some paths give a value.
    sometimes: FxHashMap<usize, Vec<(BlockId, Span)>>,
}

impl Uses {
    fn of(graph: &Graph, starts: &[State]) -> Uses {
        let mut uses = Uses::default();
        let mut left = MAX_TRACES;
        for (id, block) in graph.blocks.iter().enumerate() {
            let mut state = starts[id].clone();
            for event in &block.events {
                if let Event::Read(variable, span) = *event {
                    match state.get(variable) {
                        Value::Uninitialized => {
                            let first = uses.always.entry(variable).or_insert(span);
                            *first = if span.lo < first.lo { span } else { *first };
                        }
                        Value::Either if left > 0 => {
                            left -= 1;
                            uses.sometimes.entry(variable).or_default().push((id, span));
                        }
                        _ => {}
                    }
                }
                state.apply(event);
            }
        }
        uses
    }
}

impl<'h> Sema<'_, 'h, '_> {
    /// Warns of the variables of the function whose body is checked.
    pub(super) fn sometimes_uninitialized(&mut self, statements: &[Stmt<'h>]) {
        let flags =
            [WarningFlag::Uninitialized, WarningFlag::SometimesUninitialized, WarningFlag::ConditionalUninitialized];
        let is_wanted = flags.iter().any(|flag| self.warns(*flag));
        if !is_wanted || self.sink.has_errors() {
            return;
        }
        let watched: Vec<PrivateVariableId> =
            self.body.uses.iter_enumerated().filter(|(_, known)| known.has_single_value).map(|(id, _)| id).collect();
        if watched.is_empty() {
            return;
        }
        let numbers = watched.iter().enumerate().map(|(number, id)| (*id, number)).collect();
        let Some(graph) = Graph::of(statements, numbers) else { return };
        let words = watched.len().div_ceil(64);
        if graph.blocks.len().saturating_mul(2 * words) > MAX_WORDS {
            return;
        }
        let Some((starts, ends)) = states(&graph, words, watched.len()) else { return };
        let mut uses = Uses::of(&graph, &starts);
        for (variable, id) in watched.iter().enumerate() {
            if self.body.uses.get(*id).is_some_and(|known| known.reported) {
                continue;
            }
            if let Some(used) = uses.always.get(&variable) {
                self.report_uninitialized(*id, *used);
            } else if let Some(uses) = uses.sometimes.remove(&variable) {
                self.report_uses(*id, variable, uses, &graph, &ends);
            }
        }
    }

    /// Reports the first use that some branch leads to without a value, or else the first use.
    fn report_uses(
        &mut self,
        id: PrivateVariableId,
        variable: usize,
        mut uses: Vec<(BlockId, Span)>,
        graph: &Graph,
        ends: &[State],
    ) {
        uses.sort_by_key(|(_, span)| span.lo);
        let Some(declared) = self.body.variables.get(id) else { return };
        let (name, declared) = (self.text(declared.name).to_owned(), declared.span);
        let traced = uses.iter().map(|(block, span)| (branches(graph, ends, *block, variable), *span));
        let traced: Vec<_> = traced.collect();
        let Some((branches, used)) = traced.iter().find(|(branches, _)| !branches.is_empty()) else {
            let Some((_, used)) = traced.first() else { return };
            let message = format!("variable '{name}' may be uninitialized when used here");
            let note = format!("initialize the variable '{name}' to silence this warning");
            return self.warn_with_note(WarningFlag::ConditionalUninitialized, *used, message, declared, note);
        };
        if !self.warns(WarningFlag::SometimesUninitialized) {
            return;
        }
        for (terminator, taken) in branches {
            let message = format!("variable '{name}' is used uninitialized whenever {}", terminator.spelling(*taken));
            let range = |span| self.table.range(span, self.names);
            let diagnostic = Diagnostic::warning(WarningFlag::SometimesUninitialized, range(terminator.span), message)
                .with_note(range(*used), "uninitialized use occurs here")
                .with_note(range(declared), format!("initialize the variable '{name}' to silence this warning"));
            self.push(diagnostic);
        }
    }
}

/// What is known at the start and at the end of each block; `None` where that takes too long to find.
fn states(graph: &Graph, words: usize, variables: usize) -> Option<(Vec<State>, Vec<State>)> {
    let nothing = State { without: vec![0; words], with: vec![0; words] };
    let mut starts = vec![nothing.clone(); graph.blocks.len()];
    let mut ends = vec![nothing; graph.blocks.len()];
    (0..variables).for_each(|variable| starts[Graph::ENTRY].set(variable, false));
    let mut work: Vec<BlockId> = vec![Graph::ENTRY];
    let mut visited = vec![false; graph.blocks.len()];
    let mut steps = MAX_WORDS;
    while let Some(id) = work.pop() {
        steps = steps.checked_sub(words)?;
        let mut end = starts[id].clone();
        graph.blocks[id].events.iter().for_each(|event| end.apply(event));
        if std::mem::replace(&mut visited[id], true) && end == ends[id] {
            continue;
        }
        for successor in &graph.blocks[id].successors {
            starts[*successor].join(&end);
            work.push(*successor);
        }
        ends[id] = end;
    }
    Some((starts, ends))
}

/// The sides of branches that lead to a use in a block without a value, and always do: what ends the block, and which of its
/// successors that is.
fn branches(graph: &Graph, ends: &[State], used: BlockId, variable: usize) -> Vec<(Terminator, usize)> {
    // How many of the successors of each block lead to the use, whatever comes.
    let mut leading = vec![0; graph.blocks.len()];
    leading[used] = graph.blocks[used].successors.len();
    let mut work = vec![used];
    while let Some(id) = work.pop() {
        for predecessor in &graph.blocks[id].predecessors {
            let at_end = ends[*predecessor].get(variable);
            if matches!(at_end, Value::Initialized | Value::Unreached) {
                continue;
            }
            if at_end == Value::Either && ends[id].get(variable) == Value::Uninitialized {
                continue;
            }
            leading[*predecessor] += 1;
            if leading[*predecessor] == graph.blocks[*predecessor].successors.len() {
                work.push(*predecessor);
            }
        }
    }
    let leads = |id: BlockId| id == used || leading[id] >= graph.blocks[id].successors.len().max(1);
    let mut found = Vec::new();
    for (id, block) in graph.blocks.iter().enumerate() {
        let Block { successors, terminator, .. } = block;
        if leading[id] == 0 || leading[id] >= successors.len() || ends[id].get(variable) != Value::Uninitialized {
            continue;
        }
        for (index, successor) in successors.iter().enumerate().filter(|(_, successor)| leads(**successor)) {
            // Of a switch it is the label that says when.
            let terminator = match terminator {
                Some(Terminator { word: "switch", .. }) => graph.blocks[*successor].label,
                other => *other,
            };
            found.extend(terminator.map(|terminator| (terminator, index)));
        }
    }
    found
}
