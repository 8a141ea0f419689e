//! Makes a failing program small: deletes functions, statements and definitions, unwraps blocks, replaces expressions.
//!
//! A candidate counts if it fails in the same way. Generated programs stay well defined under all these edits: whatever
//! loses its declaration does not compile, and everything else is initialised where it is declared.

use super::tree::{Expr, Part, Piece, Program, Stmt, fill};
use super::types::{Records, Type};
use std::ops::Range;

/// Shrinks `program` while `fails` says that it still does what it should.
pub fn reduce(program: Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program;
    for _ in 0..4 {
        let before = best.print().len();
        // First kernels of many; behind the statements functions that are no longer called.
        best = shrink_functions(best, &mut fails);
        best = shrink_statements(best, &mut fails);
        best = shrink_functions(best, &mut fails);
        best = shrink_definitions(best, &mut fails);
        best = each(best, unwrap_block, &mut fails);
        best = shrink_expressions(best, &mut fails);
        best = each(best, hoist, &mut fails);
        if best.print().len() == before {
            break;
        }
    }
    best
}

/// Tries an edit at each place in turn, keeping those that do; `edit` is false when the place does not exist.
fn each(
    mut best: Program,
    edit: impl Fn(&mut Program, usize) -> Edit,
    fails: &mut impl FnMut(&Program) -> bool,
) -> Program {
    let mut at = 0;
    loop {
        let mut candidate = best.clone();
        match edit(&mut candidate, at) {
            Edit::PastEnd => return best,
            Edit::Nothing => at += 1,
            Edit::Done if candidate.print().len() < best.print().len() && fails(&candidate) => best = candidate,
            Edit::Done => at += 1,
        }
    }
}

/// What an edit did.
enum Edit {
    PastEnd,
    Nothing,
    Done,
}

fn shrink_functions(best: Program, fails: &mut impl FnMut(&Program) -> bool) -> Program {
    let remove = |program: &mut Program, range: Range<usize>| drop(program.functions.drain(range));
    shrink(best, |program| program.functions.len(), remove, fails)
}

fn shrink_statements(best: Program, fails: &mut impl FnMut(&Program) -> bool) -> Program {
    let remove = |program: &mut Program, range: Range<usize>| {
        let mut counter = 0;
        for function in &mut program.functions {
            delete(&mut function.body, &mut counter, range.clone());
        }
    };
    shrink(best, count_statements, remove, fails)
}

/// Halves, quarters, … down to single ones of the parts that `count` counts are removed from the back.
fn shrink(
    mut best: Program,
    count: impl Fn(&Program) -> usize,
    remove: impl Fn(&mut Program, Range<usize>),
    fails: &mut impl FnMut(&Program) -> bool,
) -> Program {
    let mut chunk = count(&best).div_ceil(2).max(1);
    loop {
        let mut end = count(&best);
        while end > 0 {
            let start = end.saturating_sub(chunk);
            let mut candidate = best.clone();
            remove(&mut candidate, start..end);
            if fails(&candidate) {
                best = candidate;
            }
            end = start;
        }
        if chunk == 1 {
            return best;
        }
        chunk = chunk.div_ceil(2);
    }
}

fn count_statements(program: &Program) -> usize {
    fn count(body: &[Stmt]) -> usize {
        body.iter().map(|stmt| 1 + bodies(stmt).map(|body| count(body)).sum::<usize>()).sum()
    }
    program.functions.iter().map(|function| count(&function.body)).sum()
}

fn bodies(stmt: &Stmt) -> impl Iterator<Item = &Vec<Stmt>> {
    stmt.pieces.iter().filter_map(|piece| if let Piece::Body(body) = piece { Some(body) } else { None })
}

fn delete(body: &mut Vec<Stmt>, counter: &mut usize, range: Range<usize>) {
    body.retain_mut(|stmt| {
        let deleted = range.contains(counter) && !stmt.fixed;
        *counter += 1;
        for piece in &mut stmt.pieces {
            if let Piece::Body(body) = piece {
                delete(body, counter, range.clone());
            }
        }
        !deleted
    });
}

fn shrink_definitions(mut best: Program, fails: &mut impl FnMut(&Program) -> bool) -> Program {
    for index in (0..best.definitions.len()).rev() {
        let mut candidate = best.clone();
        candidate.definitions.remove(index);
        if fails(&candidate) {
            best = candidate;
            continue;
        }
        // Members and rows of what cannot go; arguments of the kernel keep their sizes.
        let kernel = best.functions.last().map_or("", |kernel| &kernel.head);
        let name = best.definitions[index].split_whitespace().nth(1).unwrap_or_default();
        if kernel.contains(name) || best.definitions.iter().skip(index + 1).any(|later| later.contains(name)) {
            continue;
        }
        let lines = best.definitions[index].lines().count();
        for line in (1..lines).rev() {
            let mut candidate = best.clone();
            let kept = candidate.definitions[index].lines().enumerate().filter(|(n, _)| *n != line);
            candidate.definitions[index] = kept.map(|(_, text)| format!("{text}\n")).collect();
            if fails(&candidate) {
                best = candidate;
            }
        }
    }
    best
}

/// Replaces the block statement at a position by one of its bodies.
fn unwrap_block(program: &mut Program, at: usize) -> Edit {
    fn go(body: &mut [Stmt], left: &mut usize) -> Edit {
        for stmt in body {
            if stmt.pieces.len() > 1 {
                if *left == 0 {
                    let bodies: Vec<Stmt> = bodies(stmt).flatten().cloned().collect();
                    let plain = matches!(&stmt.pieces[0], Piece::Parts(parts)
                        if matches!(&parts[..], [Part::Text(text)] if text == "{"));
                    if stmt.fixed || plain {
                        return Edit::Nothing;
                    }
                    let text = |text: &str| Piece::Parts(fill(text, Vec::new()));
                    *stmt = Stmt::block(vec![text("{"), Piece::Body(bodies), text("}")]);
                    return Edit::Done;
                }
                *left -= 1;
            }
            for piece in &mut stmt.pieces {
                if let Piece::Body(body) = piece {
                    match go(body, left) {
                        Edit::PastEnd => {}
                        done => return done,
                    }
                }
            }
        }
        Edit::PastEnd
    }
    let mut left = at;
    for function in &mut program.functions {
        match go(&mut function.body, &mut left) {
            Edit::PastEnd => {}
            done => return done,
        }
    }
    Edit::PastEnd
}

/// Calls `visit` for every expression that may be replaced, outer ones first; it says whether to look inside.
fn visit_program(program: &mut Program, visit: &mut impl FnMut(&mut Expr) -> bool) {
    fn parts(list: &mut [Part], visit: &mut impl FnMut(&mut Expr) -> bool) {
        for part in list {
            if let Part::Expr(expr) = part
                && (expr.ty.is_none() || visit(expr))
            {
                parts(&mut expr.parts, visit);
            }
        }
    }
    fn body(list: &mut [Stmt], visit: &mut impl FnMut(&mut Expr) -> bool) {
        for piece in list.iter_mut().flat_map(|stmt| &mut stmt.pieces) {
            match piece {
                Piece::Parts(list) => parts(list, visit),
                Piece::Body(list) => body(list, visit),
            }
        }
    }
    for function in &mut program.functions {
        body(&mut function.body, visit);
    }
}

/// The simplest value of a type.
fn zero(ty: &Type) -> Option<String> {
    match ty {
        Type::Scalar(_) | Type::Vector(..) => Some(format!("(({})0)", Records::default().name(ty))),
        _ => None,
    }
}

/// Chunks of expressions become zero.
fn shrink_expressions(mut best: Program, fails: &mut impl FnMut(&Program) -> bool) -> Program {
    let count = |program: &mut Program| {
        let mut count = 0usize;
        visit_program(program, &mut |_| {
            count += 1;
            true
        });
        count
    };
    let mut chunk = count(&mut best).div_ceil(2).max(1);
    loop {
        let mut start = 0;
        while start < count(&mut best) {
            let mut candidate = best.clone();
            let mut counter = 0;
            visit_program(&mut candidate, &mut |expr| {
                let chosen = (start..start + chunk).contains(&counter);
                counter += 1;
                match expr.ty.as_ref().and_then(zero) {
                    Some(zero) if chosen => {
                        expr.parts = vec![Part::Text(zero)];
                        false
                    }
                    _ => true,
                }
            });
            if candidate.print().len() < best.print().len() && fails(&candidate) {
                best = candidate;
            }
            start += chunk;
        }
        if chunk == 1 {
            return best;
        }
        chunk = chunk.div_ceil(2);
    }
}

/// Replaces the expression at a position by the first part of it that has the same type.
fn hoist(program: &mut Program, at: usize) -> Edit {
    fn inner(expr: &Expr, ty: &Type) -> Option<Expr> {
        expr.parts.iter().find_map(|part| match part {
            Part::Expr(child) if child.ty.as_ref() == Some(ty) => Some(child.clone()),
            Part::Expr(child) => inner(child, ty),
            Part::Text(_) => None,
        })
    }
    let mut counter = 0;
    let mut edit = Edit::PastEnd;
    visit_program(program, &mut |expr| {
        if counter == at {
            let replacement = expr.ty.as_ref().and_then(|ty| inner(expr, ty));
            edit = if replacement.is_some() { Edit::Done } else { Edit::Nothing };
            if let Some(replacement) = replacement {
                *expr = replacement;
            }
        }
        counter += 1;
        true
    });
    edit
}
