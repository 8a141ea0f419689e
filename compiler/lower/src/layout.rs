//! The layouts of kernel arguments, for hosts that name the members of records.

use super::ModuleLowering;
use clforge_basic::layout::{Element, MAX_DEPTH, MAX_LENGTHS, MAX_MEMBERS, MemberLayout, RecordLayout, ValueLayout};
use clforge_sema::hir::spelling::Spelling;
use clforge_sema::hir::types::RecordId;
use clforge_sema::hir::{Ty, TyKind};
use clforge_syntax::ast::{AddressSpace, RecordKind};

/// A record that the module describes.
#[derive(Clone, Copy)]
pub(super) struct Described {
    /// In the module's records.
    index: u32,
    /// Records inside each other, with this one.
    depth: u32,
}

/// What the argument of a kernel's parameter is made of, or what it points to. `None` where `type_name` says it, and where it is
/// too large or too deep to be described.
pub(super) fn argument(module: &mut ModuleLowering<'_, '_>, ty: Ty, type_name: &str) -> Option<ValueLayout> {
    let ty = match module.types.kind(ty) {
        TyKind::Pointer(pointee) if pointee.space == AddressSpace::Local => return None,
        TyKind::Pointer(pointee) => pointee.ty,
        _ => ty,
    };
    let (layout, _) = value(module, ty, MAX_DEPTH)?;
    let is_plain = match &layout.element {
        Element::BuiltIn(name) => layout.lengths.is_empty() && type_name.trim_end_matches('*').trim() == name,
        Element::Record(_) => false,
    };
    (!is_plain).then_some(layout)
}

/// A type, with the records inside each other in it, of which there are `room` at most.
fn value(module: &mut ModuleLowering<'_, '_>, mut ty: Ty, room: u32) -> Option<(ValueLayout, u32)> {
    let mut lengths = Vec::new();
    while let TyKind::Array(element, length) = module.types.kind(ty) {
        // A flexible array lies behind its record.
        lengths.push(u32::try_from(length.unwrap_or(0)).ok()?);
        ty = element.ty;
        if lengths.len() > MAX_LENGTHS {
            return None;
        }
    }
    let size = u32::try_from(module.types.size_of(ty)?).ok()?;
    let (element, depth) = match module.types.kind(ty) {
        TyKind::Record(id) => {
            let Described { index, depth } = record(module, id, room)?;
            (Element::Record(index), depth)
        }
        _ => (Element::BuiltIn(built_in(module, ty)?), 0),
    };
    let layout = ValueLayout { element, size, lengths };
    layout.bytes().map(|_| (layout, depth))
}

/// The name of a built-in type whose values have bytes.
fn built_in(module: &ModuleLowering<'_, '_>, ty: Ty) -> Option<String> {
    match (module.types.kind(ty), module.types.lanes(ty)) {
        (TyKind::Pointer(_), _) => Some("void*".into()),
        (TyKind::Queue, _) => Some("queue_t".into()),
        (TyKind::Atomic(scalar), _) => Some(format!("atomic_{}", scalar.name())),
        (_, Some((scalar, 1))) => Some(scalar.name().into()),
        (_, Some((scalar, lanes))) => Some(format!("{}{lanes}", scalar.name())),
        (_, None) => None,
    }
}

fn record(module: &mut ModuleLowering<'_, '_>, id: RecordId, room: u32) -> Option<Described> {
    if let Some(known) = module.layouts.get(&id) {
        return known.filter(|known| known.depth <= room);
    }
    let described = room.checked_sub(1).and_then(|room| describe(module, id, room));
    // One that is too deep here may not be elsewhere.
    if described.is_some() || room == MAX_DEPTH {
        module.layouts.insert(id, described);
    }
    described
}

fn describe(module: &mut ModuleLowering<'_, '_>, id: RecordId, room: u32) -> Option<Described> {
    let types = module.types;
    let record = types.record(id);
    let fields = record.fields.as_ref().filter(|fields| fields.len() <= MAX_MEMBERS)?;
    let mut depth = 0;
    let mut members = Vec::with_capacity(fields.len());
    for field in fields {
        let (value, below) = value(module, field.ty.ty, room)?;
        depth = depth.max(below);
        let name = field.name.map_or(String::new(), |name| module.interner.text(name).into());
        members.push(MemberLayout { name, offset: u32::try_from(field.offset).ok()?, value });
    }
    let layout = RecordLayout {
        name: Spelling::for_messages(types, module.interner).record(id),
        is_union: record.kind == RecordKind::Union,
        size: u32::try_from(record.size).ok()?,
        members,
    };
    let index = u32::try_from(module.module.records.len()).ok()?;
    module.module.records.push(layout);
    Some(Described { index, depth: depth + 1 })
}
