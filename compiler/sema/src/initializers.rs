//! Initialisers (C99 6.7.8): brace elision, designators, strings, constants.

use super::conversions::AssignmentAction;
use super::{ExprRef, Sema, constants};
use crate::hir::{ConstantData, Init, InitPart, QualTy, Ty, TyKind};
use clforge_basic::diag::WarningFlag;
use clforge_basic::narrow::to_usize;
use clforge_basic::source::Span;
use clforge_syntax::ast::{self, Initializer, RecordKind};

/// Most parts one initialiser may have after its ranges are written out.
pub(super) const MAX_PARTS: usize = 1 << 24;

/// The fewest parts of which the constants are kept together where others are not constant. A smaller object is stored part by
/// part, so that it can become values.
const MIN_CONSTANTS: usize = 256;

/// The most parts that are not constant beside such constants, and at most a quarter of all.
const MAX_OTHERS: usize = 256;

/// A position in an initialiser list.
struct InitializerCursor<'a, 'h> {
    items: &'a [ast::InitializerItem<'a>],
    at: usize,
    /// Designators of the current item that are used up.
    designator: usize,
    /// The current item's value when it was checked already, to see whether braces are elided.
    checked: Option<ExprRef<'h>>,
}

impl<'a> InitializerCursor<'a, '_> {
    fn item(&self) -> Option<&'a ast::InitializerItem<'a>> {
        self.items.get(self.at)
    }

    fn advance(&mut self) {
        self.at += 1;
        self.designator = 0;
        self.checked = None;
    }
}

/// The values that an initialiser gives to subobjects.
#[derive(Default)]
pub(super) struct InitializerParts<'h> {
    pub parts: Vec<InitPart<'h>>,
    pub failed: bool,
    /// The record whose flexible array member may have elements: an object's with static storage duration (GNU).
    extensible: Option<Ty>,
    /// Where such elements end.
    end: u64,
}

/// A subobject of the object being initialised, or that object itself.
#[derive(Clone, Copy)]
pub(super) struct Subobject {
    pub ty: Ty,
    pub offset: u64,
}

impl<'a, 'h> Sema<'a, 'h, '_> {
    /// The initialiser of a private object, and its type: of an array without a size, with the size that the
    /// initialiser gives it. Errors are reported.
    pub(super) fn local_initializer(
        &mut self,
        ty: QualTy,
        initializer: Initializer<'a>,
        span: Span,
    ) -> Option<(QualTy, Init<'h>)> {
        if !self.is_aggregate(ty.ty)
            && let Initializer::Expr(e) = initializer
        {
            let value = self.value(e);
            return Some((ty, self.value_init(value, ty.ty)?));
        }
        let (ty, InitializerParts { parts, .. }) = self.parts(ty, initializer, span, InitializerParts::default())?;
        if let [InitPart { offset: 0, value }] = parts.as_slice()
            && value.ty.ty == ty.ty
        {
            return Some((ty, Init::Value(value)));
        }
        if let Some(size) = self.program.types.size_of(ty.ty)
            && let Some(data) = self.constant_parts(&parts, size)
            && data.relocations.is_empty()
        {
            self.constant_bytes += size;
            return Some((ty, Init::Constant(self.arena.alloc(data))));
        }
        if parts.len() >= MIN_CONSTANTS
            && let Some(size) = self.program.types.size_of(ty.ty)
            && let Some((data, rest)) = self.mostly_constant_parts(&parts, size)
        {
            self.constant_bytes += size;
            return Some((ty, Init::ConstantAndParts(self.arena.alloc(data), self.arena.alloc_slice_copy(&rest))));
        }
        Some((ty, Init::Parts(self.arena.alloc_slice_copy(&parts))))
    }

    /// The constant parts as bytes, and the others, if these are few. A constant that overrides one of the others is one
    /// of them.
    fn mostly_constant_parts(&self, parts: &[InitPart<'h>], size: u64) -> Option<(ConstantData, Vec<InitPart<'h>>)> {
        if size > constants::MAX_CONSTANT.saturating_sub(self.constant_bytes) {
            return None;
        }
        let mut data = ConstantData { bytes: vec![0; to_usize(size)], ..ConstantData::default() };
        let (mut rest, mut ends): (Vec<InitPart<'h>>, Vec<u64>) = (Vec::new(), Vec::new());
        for part in parts {
            let end = part.offset + self.program.types.size_of(part.value.ty.ty)?;
            let overrides =
                rest.iter().zip(&ends).any(|(other, other_end)| part.offset < *other_end && other.offset < end);
            let is_constant = !overrides && self.write_constant(part.value, part.offset, &mut data);
            if is_constant && data.relocations.is_empty() {
                continue;
            }
            data.relocations.clear();
            rest.push(*part);
            ends.push(end);
            if rest.len() > MAX_OTHERS.min(parts.len() / 4) {
                return None;
            }
        }
        Some((data, rest))
    }

    /// All parts as bytes when all are constant. A private object's pointers are left to be evaluated, and all parts where the bytes
    /// of constant objects are too many.
    fn constant_parts(&self, parts: &[InitPart<'h>], size: u64) -> Option<ConstantData> {
        if size > constants::MAX_CONSTANT.saturating_sub(self.constant_bytes) {
            return None;
        }
        let mut data = ConstantData { bytes: vec![0; to_usize(size)], ..ConstantData::default() };
        parts.iter().all(|part| self.write_constant(part.value, part.offset, &mut data)).then_some(data)
    }

    /// The initialiser of an object with static storage duration. Errors are reported.
    pub(super) fn constant_initializer(
        &mut self,
        ty: QualTy,
        initializer: Initializer<'a>,
        span: Span,
    ) -> Option<(QualTy, ConstantData)> {
        let out = InitializerParts { extensible: Some(ty.ty), ..InitializerParts::default() };
        let (ty, InitializerParts { parts, end, .. }) = self.parts(ty, initializer, span, out)?;
        let size = self.program.types.size_of(ty.ty)?.max(end);
        if size > constants::MAX_CONSTANT {
            let limit = constants::MAX_CONSTANT;
            self.error(span, format!("constant object is too large: {size} bytes, and the limit is {limit}"));
            return None;
        }
        if !self.has_constant_room(size, span) {
            return None;
        }
        let mut data = ConstantData { bytes: vec![0; to_usize(size)], ..ConstantData::default() };
        for part in &parts {
            if !self.write_constant(part.value, part.offset, &mut data) {
                self.error(part.value.span, "initializer element is not a compile-time constant");
                return None;
            }
        }
        data.relocations.sort_by_key(|relocation| relocation.0);
        Some((ty, data))
    }

    /// Whether there is room for the bytes of one more object whose initial value is kept; the error is reported.
    pub(super) fn has_constant_room(&mut self, size: u64, span: Span) -> bool {
        let limit = constants::MAX_CONSTANT;
        let all = self.constant_bytes.saturating_add(size);
        if all > limit {
            self.error(
                span,
                format!("constant objects are too large: {all} bytes up to here, and the limit is {limit}"),
            );
            return false;
        }
        self.constant_bytes = all;
        true
    }

    fn is_aggregate(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::Array(..) | TyKind::Record(_))
    }

    fn parts(
        &mut self,
        ty: QualTy,
        initializer: Initializer<'a>,
        span: Span,
        mut out: InitializerParts<'h>,
    ) -> Option<(QualTy, InitializerParts<'h>)> {
        let mut count = 0;
        match initializer {
            Initializer::List(list) => count = self.braced(Subobject { ty: ty.ty, offset: 0 }, list, &mut out),
            Initializer::Expr(e) => match self.kind(ty.ty) {
                TyKind::Array(element, length) => match string_of(e) {
                    Some(bytes) if self.is_char(element.ty) => {
                        count = self.string_parts(bytes, element.ty, length, 0, e.span, &mut out);
                    }
                    _ => return self.array_from_expr(ty, e, span, out),
                },
                _ => {
                    let value = self.value(e);
                    self.part(Subobject { ty: ty.ty, offset: 0 }, value, &mut out);
                }
            },
        }
        if out.failed {
            return None;
        }
        let ty = match self.kind(ty.ty) {
            TyKind::Array(element, None) => {
                let sized = self.program.types.intern(TyKind::Array(element, Some(count)));
                QualTy { ty: sized, ..ty }
            }
            _ => ty,
        };
        Some((ty, out))
    }

    /// `int a[3] = (int[3]){1, 2, 3}` is a GNU extension; anything else is an error.
    fn array_from_expr(
        &mut self,
        ty: QualTy,
        e: &'a ast::Expr<'a>,
        span: Span,
        out: InitializerParts<'h>,
    ) -> Option<(QualTy, InitializerParts<'h>)> {
        let mut literal = e;
        while let ast::ExprKind::Paren(inner) = literal.kind {
            literal = inner;
        }
        if let ast::ExprKind::CompoundLiteral { ty: name, list } = literal.kind {
            let written = self.type_name(name).ty;
            let fits = match (self.kind(written), self.kind(ty.ty)) {
                (TyKind::Array(a, _), TyKind::Array(b, _)) => a.ty == b.ty,
                _ => false,
            };
            if fits {
                return self.parts(ty, Initializer::List(list), span, out);
            }
        }
        let checked = self.expr(e);
        if checked.ty.ty != Ty::ERROR {
            let char_array = matches!(self.kind(ty.ty), TyKind::Array(element, _) if self.is_char(element.ty));
            let wanted = if char_array { "an initializer list or string literal" } else { "an initializer list" };
            self.error(e.span, format!("array initializer must be {wanted}"));
        }
        None
    }

    fn is_char(&self, ty: Ty) -> bool {
        ty == Ty::CHAR || ty == Ty::UCHAR
    }

    /// A value for a sub-object.
    fn part(&mut self, child: Subobject, value: ExprRef<'h>, out: &mut InitializerParts<'h>) {
        let value = self.convert_for_assignment(value, child.ty, AssignmentAction::Initializing);
        if value.ty.ty == Ty::ERROR {
            out.failed = true;
        } else if out.parts.len() >= MAX_PARTS {
            if !out.failed {
                self.error(value.span, "initializer has too many elements");
            }
            out.failed = true;
        } else {
            out.parts.push(InitPart { offset: child.offset, value });
        }
    }

    /// `{ … }` for an object; for arrays the number of elements it gives.
    fn braced(&mut self, child: Subobject, list: &'a ast::InitializerList<'a>, out: &mut InitializerParts<'h>) -> u64 {
        let mut cursor = InitializerCursor { items: list.items, at: 0, designator: 0, checked: None };
        match self.kind(child.ty) {
            TyKind::Error => {
                out.failed = true;
                0
            }
            TyKind::Array(element, length) => {
                if let [item] = list.items
                    && item.designators.is_empty()
                    && let Initializer::Expr(e) = item.value
                    && let Some(bytes) = string_of(e)
                    && self.is_char(element.ty)
                {
                    return self.string_parts(bytes, element.ty, length, child.offset, e.span, out);
                }
                self.aggregate(child, &mut cursor, true, out)
            }
            TyKind::Record(_) => self.aggregate(child, &mut cursor, true, out),
            TyKind::Vector(scalar, lanes) => {
                self.braced_vector(child, scalar, lanes, list, out);
                0
            }
            _ => {
                self.braced_scalar(child, list, out);
                0
            }
        }
    }

    fn braced_vector(
        &mut self,
        child: Subobject,
        scalar: crate::hir::Scalar,
        lanes: u8,
        list: &'a ast::InitializerList<'a>,
        out: &mut InitializerParts<'h>,
    ) {
        let mut values = Vec::with_capacity(list.items.len());
        for item in list.items {
            match (item.value, item.designators) {
                (Initializer::Expr(e), []) => values.push(self.value(e)),
                _ => {
                    self.error(item.span, "expected an expression to initialize a vector component");
                    out.failed = true;
                    return;
                }
            }
        }
        if values.iter().any(|value| value.ty.ty == Ty::ERROR) {
            out.failed = true;
            return;
        }
        let value = match values.as_slice() {
            [single] if single.ty.ty == child.ty => single,
            _ => {
                let element = self.program.types.vector(scalar, 1);
                self.vector_from(child.ty, element, lanes, &values, list.span)
            }
        };
        self.part(child, value, out);
    }

    fn braced_scalar(&mut self, child: Subobject, list: &'a ast::InitializerList<'a>, out: &mut InitializerParts<'h>) {
        let [first, rest @ ..] = list.items else {
            self.error(list.span, "scalar initializer cannot be empty");
            out.failed = true;
            return;
        };
        if !first.designators.is_empty() {
            self.error(first.span, "designator in initializer for scalar type");
            out.failed = true;
            return;
        }
        match first.value {
            Initializer::Expr(e) => {
                let value = self.value(e);
                self.part(child, value, out);
            }
            Initializer::List(inner) => self.braced_scalar(child, inner, out),
        }
        if let [second, ..] = rest {
            self.warning(WarningFlag::ExcessInitializers, second.span, "excess elements in scalar initializer");
        }
    }

    /// Initialises an array or record from the cursor, until it is full or the list ends; the number of elements it has
    /// then.
    fn aggregate(
        &mut self,
        child: Subobject,
        cursor: &mut InitializerCursor<'a, 'h>,
        braced: bool,
        out: &mut InitializerParts<'h>,
    ) -> u64 {
        let mut index = 0u64;
        let mut highest = 0u64;
        let mut descending = cursor.designator > 0;
        let mut chosen = false;
        while let Some(item) = cursor.item() {
            let start = cursor.at;
            let mut last = None;
            let mut target = None;
            if cursor.designator < item.designators.len() {
                if !braced && !descending {
                    break;
                }
                let designator = &item.designators[cursor.designator];
                cursor.designator += 1;
                match self.designated(child, designator, item.span) {
                    Some(designated) => {
                        (index, last, target) = (designated.first, designated.last, designated.member);
                        chosen = true;
                    }
                    None => {
                        out.failed = true;
                        cursor.advance();
                        continue;
                    }
                }
            }
            descending = false;
            let Some(sub) = target.or_else(|| self.subobject(child, index, chosen)) else {
                if braced {
                    self.warn_excess(child.ty, item.span);
                    self.check_rest(cursor);
                }
                break;
            };
            chosen = false;
            let before = out.parts.len();
            match self.flexible_element(child.ty, index) {
                Some(element) => self.flexible(child, Subobject { ty: element, ..sub }, cursor, out),
                None => self.element(sub, cursor, out),
            }
            if braced && cursor.at > start + 1 {
                self.missing_braces(item.span);
            }
            if let Some(last) = last {
                self.repeat_parts(before, index, last, child.ty, out);
                index = last;
            }
            index = index.saturating_add(1);
            highest = highest.max(index);
            if cursor.at == start && matches!(self.kind(child.ty), TyKind::Array(_, None)) {
                // An element that takes nothing would never end.
                self.error(item.span, "initializer for an element without members");
                out.failed = true;
                cursor.advance();
            }
            if self.is_union(child.ty) {
                index = u64::MAX;
            }
        }
        highest
    }

    /// The type of the elements, if a record's member number `index` is its flexible array.
    fn flexible_element(&self, record: Ty, index: u64) -> Option<Ty> {
        let TyKind::Record(id) = self.kind(record) else { return None };
        let record = self.program.types.record(id);
        let fields = record.fields.as_ref().filter(|fields| record.flexible && index + 1 == fields.len() as u64)?;
        match self.kind(fields.last()?.ty.ty) {
            TyKind::Array(element, _) => Some(element.ty),
            _ => None,
        }
    }

    /// The elements of a flexible array member of `record` (GNU): `first` is where they begin.
    fn flexible(
        &mut self,
        record: Subobject,
        first: Subobject,
        cursor: &mut InitializerCursor<'a, 'h>,
        out: &mut InitializerParts<'h>,
    ) {
        let Some(item) = cursor.item() else { return };
        let is_empty = matches!(item.value, Initializer::List(list) if list.items.is_empty());
        let mut problem = None;
        if cursor.designator < item.designators.len() {
            problem = Some("designator into flexible array member subobject");
        } else if !is_empty && (out.extensible != Some(record.ty) || record.offset != 0) {
            problem = Some("initialization of flexible array member is not allowed");
        }
        if let Some(problem) = problem {
            self.error(item.span, problem);
            out.failed = true;
            return cursor.advance();
        }
        let open = self.program.types.intern(TyKind::Array(QualTy::plain(first.ty), None));
        let array = Subobject { ty: open, ..first };
        let string = match item.value {
            Initializer::Expr(e) => string_of(e).filter(|_| self.is_char(first.ty)).map(|bytes| (bytes, e.span)),
            Initializer::List(_) => None,
        };
        let count = match (item.value, string) {
            (Initializer::List(list), _) => {
                cursor.advance();
                self.braced(array, list, out)
            }
            (_, Some((bytes, span))) => {
                cursor.advance();
                self.string_parts(bytes, first.ty, None, first.offset, span, out)
            }
            _ => self.aggregate(array, cursor, false, out),
        };
        let size = self.program.types.size_of(first.ty).unwrap_or(0);
        out.end = out.end.max(first.offset.saturating_add(count.saturating_mul(size)));
    }

    fn is_union(&self, ty: Ty) -> bool {
        matches!(self.kind(ty), TyKind::Record(id) if self.program.types.record(id).kind == RecordKind::Union)
    }

    /// The current item, or as many as an object without braces of its own takes.
    fn element(&mut self, child: Subobject, cursor: &mut InitializerCursor<'a, 'h>, out: &mut InitializerParts<'h>) {
        let Some(item) = cursor.item() else { return };
        if cursor.designator < item.designators.len() {
            if self.is_aggregate(child.ty) {
                self.aggregate(child, cursor, false, out);
            } else {
                // A scalar has nothing to designate, which this reports.
                self.designated(child, &item.designators[cursor.designator], item.span);
                out.failed = true;
                cursor.advance();
            }
            return;
        }
        let e = match item.value {
            Initializer::List(list) => {
                cursor.advance();
                self.braced(child, list, out);
                return;
            }
            Initializer::Expr(e) => e,
        };
        if let TyKind::Array(element, length) = self.kind(child.ty) {
            match string_of(e) {
                Some(bytes) if self.is_char(element.ty) => {
                    cursor.advance();
                    self.string_parts(bytes, element.ty, length, child.offset, e.span, out);
                }
                _ => {
                    self.aggregate(child, cursor, false, out);
                }
            }
            return;
        }
        let value = match cursor.checked.take() {
            Some(value) => value,
            None => self.value(e),
        };
        if matches!(self.kind(child.ty), TyKind::Record(_)) && value.ty.ty != child.ty && value.ty.ty != Ty::ERROR {
            cursor.checked = Some(value);
            self.aggregate(child, cursor, false, out);
            return;
        }
        cursor.advance();
        self.part(child, value, out);
    }

    fn warn_excess(&mut self, ty: Ty, span: Span) {
        let what = match self.kind(ty) {
            TyKind::Array(..) => "array",
            _ if self.is_union(ty) => "union",
            _ => "struct",
        };
        self.warning(WarningFlag::ExcessInitializers, span, format!("excess elements in {what} initializer"));
    }

    /// Items that initialise nothing are still checked.
    fn check_rest(&mut self, cursor: &mut InitializerCursor<'a, 'h>) {
        while let Some(item) = cursor.item() {
            if let Initializer::Expr(e) = item.value {
                self.value(e);
            }
            cursor.advance();
        }
    }

    /// A string for an array of characters; the array's length.
    fn string_parts(
        &mut self,
        bytes: &[u8],
        element: Ty,
        length: Option<u64>,
        offset: u64,
        span: Span,
        out: &mut InitializerParts<'h>,
    ) -> u64 {
        let length = length.unwrap_or(bytes.len() as u64 + 1);
        if bytes.len() as u64 > length {
            self.warning(WarningFlag::ExcessInitializers, span, "initializer-string for char array is too long");
        }
        for (index, byte) in bytes.iter().enumerate().take(usize::try_from(length).unwrap_or(usize::MAX)) {
            let value =
                if element == Ty::CHAR { i64::from(byte.cast_signed()).cast_unsigned() } else { u64::from(*byte) };
            let value = self.int(value, element, span);
            out.parts.push(InitPart { offset: offset + index as u64, value });
        }
        length
    }
}

/// The text of a string literal, parentheses looked through.
fn string_of<'a>(mut e: &'a ast::Expr<'a>) -> Option<&'a [u8]> {
    loop {
        match e.kind {
            ast::ExprKind::Paren(inner) => e = inner,
            ast::ExprKind::String(bytes) => return Some(bytes),
            _ => return None,
        }
    }
}
