//! Pointers in memory: in arrays, records, local and global memory, behind other pointers, and as integers.

use super::place::Path;
use super::{Generator, Space, Type, UINT, Var};
use crate::fuzz::tree::{Expr, Stmt};

impl Generator {
    /// A variable that holds pointers, or a pointer's way through memory.
    pub(super) fn stored_pointers(&mut self) -> Vec<Stmt> {
        match self.below(12) {
            0..=3 => self.pointer_table(),
            4 | 5 => self.pointer_record(),
            6 | 7 => self.pointer_to_pointer().into_iter().collect(),
            8 => self.as_integer().into_iter().collect(),
            _ => self.in_global_memory().into_iter().collect(),
        }
    }

    fn holder(&mut self, ty: Type) -> Vec<Stmt> {
        let before = std::mem::take(&mut self.lacking);
        let value = self.initializer(&ty, 1);
        if std::mem::replace(&mut self.lacking, before) {
            return Vec::new();
        }
        let name = self.name("t");
        let declared = self.records.declare(&ty, &name);
        self.add(&name, ty, Space::Private, 0);
        vec![Stmt::leaf(&format!("{declared} = @;"), vec![value])]
    }

    /// Space, constness and pointee of the pointers in a value.
    fn pointers_in(&self, ty: &Type, into: &mut Vec<(Space, bool, Type)>) {
        match ty {
            Type::Scalar(_) | Type::Vector(..) => {}
            Type::Array(element, _) => self.pointers_in(element, into),
            Type::Pointer { space, readonly, to } => into.push((*space, *readonly, (**to).clone())),
            Type::Record(index) => {
                for (_, member) in &self.records.0[*index].members {
                    self.pointers_in(member, into);
                }
            }
        }
    }

    /// An array of pointers.
    fn pointer_table(&mut self) -> Vec<Stmt> {
        for _ in 0..4 {
            let to = Box::new(self.pointee());
            let space = self.space();
            let element = Type::Pointer { space, readonly: false, to };
            let count = self.pick(&[2, 3, 4]);
            let made = self.holder(Type::Array(Box::new(element), count));
            if !made.is_empty() {
                return made;
            }
        }
        Vec::new()
    }

    fn pointer_record(&mut self) -> Vec<Stmt> {
        let Some(ty) = self.record_with_pointers() else { return self.pointer_table() };
        let ty = if self.chance(20) { Type::Array(Box::new(ty), 2) } else { ty };
        self.holder(ty)
    }

    /// A record with pointers in it, to be declared or passed, never assigned: it would outlive what they point to.
    pub(super) fn record_with_pointers(&mut self) -> Option<Type> {
        let all: Vec<Type> = (0..self.records.0.len()).map(Type::Record).collect();
        let all: Vec<Type> = all.into_iter().filter(|ty| self.records.has_pointer(ty)).collect();
        if all.is_empty() { None } else { Some(self.pick(&all)) }
    }

    /// The type of a pointer member.
    pub(super) fn pointer_member(&mut self) -> Type {
        let to = Box::new(self.pointee());
        let space = self.space();
        Type::Pointer { space, readonly: self.chance(30), to }
    }

    /// A space that can be written, generic only where programs have it.
    pub(super) fn space(&mut self) -> Space {
        let space = self.pick(&[Space::Private, Space::Private, Space::Global, Space::Local, Space::Generic]);
        if space == Space::Generic && !self.generic { Space::Private } else { space }
    }

    /// A pointer to a pointer variable or to a pointer in a table.
    fn pointer_to_pointer(&mut self) -> Option<Stmt> {
        let pointers: Vec<Type> = self.scope.iter().map(|var| var.ty.clone()).collect();
        let mut found = Vec::new();
        for ty in &pointers {
            self.pointers_in(ty, &mut found);
        }
        found.retain(|(_, _, to)| !matches!(to, Type::Pointer { .. }));
        if found.is_empty() {
            return None;
        }
        let (space, readonly, to) = self.pick(&found);
        let to = Type::Pointer { space, readonly, to: Box::new(to) };
        // Behind a constant one no pointer changes, so that what it points to stays long enough.
        let value = self.pointer(Space::Private, true, &to, 1, self.depth)?;
        let ty = Type::Pointer { space: Space::Private, readonly: true, to: Box::new(to) };
        let name = self.name("p");
        let declared = self.records.declare(&ty, &name);
        self.add(&name, ty, Space::Private, 1);
        Some(Stmt::leaf(&format!("{declared} = @;"), vec![value]))
    }

    /// A pointer that was an integer for a while.
    fn as_integer(&mut self) -> Option<Stmt> {
        let to = self.pointee();
        let (space, extent) = (self.space(), self.pick(&[1, 1, 2]));
        let value = self.pointer(space, false, &to, extent, self.depth)?;
        let ty = Type::Pointer { space, readonly: false, to: Box::new(to) };
        let (name, number) = (self.name("p"), self.name("n"));
        let (declared, spelled) = (self.records.declare(&ty, &name), self.records.name(&ty));
        self.add(&name, ty, Space::Private, extent);
        let through = self.pick(&["ulong", "uintptr_t", "size_t"]);
        Some(Stmt::leaf(
            &format!("{through} {number} = ({through})(@); {declared} = ({spelled}){number};"),
            vec![value],
        ))
    }

    /// A pointer that lies in global memory for a while, as an integer: the results must not depend on addresses.
    fn in_global_memory(&mut self) -> Option<Stmt> {
        // Only the kernel has its part of a buffer at hand.
        if self.result.is_some() {
            return self.as_integer();
        }
        let to = Type::Scalar(if self.chance(40) { UINT } else { self.int_type() });
        let space = self.pick(&[Space::Private, Space::Local, Space::Global]);
        let value = self.pointer(space, false, &to, 1, self.depth)?;
        let ty = Type::Pointer { space, readonly: false, to: Box::new(to) };
        let name = self.name("p");
        let (declared, spelled) = (self.records.declare(&ty, &name), self.records.name(&ty));
        self.add(&name, ty, Space::Private, 1);
        let memory = "((__global ulong *)po)[5]";
        let template = format!("{memory} = (ulong)(@); {declared} = ({spelled}){memory}; {memory} = 0;");
        Some(Stmt::leaf(&template, vec![value]))
    }

    /// Lets a pointer variable point elsewhere.
    pub(super) fn move_pointer(&mut self) -> Option<Stmt> {
        let pointers: Vec<Var> =
            self.scope.iter().filter(|v| v.writable && matches!(v.ty, Type::Pointer { .. })).cloned().collect();
        if pointers.is_empty() {
            return None;
        }
        let var = self.pick(&pointers);
        let Type::Pointer { space, readonly, to } = &var.ty else { return None };
        let value = self.pointer(*space, *readonly, to, var.extent, var.depth)?;
        Some(Stmt::leaf(&format!("{} = @;", var.text), vec![value]))
    }

    /// Lets a pointer in a table or record point elsewhere.
    pub(super) fn move_stored_pointer(&mut self) -> Option<Stmt> {
        let holds =
            |var: &&Var| var.writable && !matches!(var.ty, Type::Pointer { .. }) && self.records.has_pointer(&var.ty);
        let holders: Vec<Var> = self.scope.iter().filter(holds).cloned().collect();
        if holders.is_empty() {
            return None;
        }
        let var = self.pick(&holders);
        let mut found = Vec::new();
        self.pointers_in(&var.ty, &mut found);
        let (space, readonly, to) = self.pick(&found);
        let value = self.pointer(space, readonly, &to, 1, var.depth)?;
        let want = Type::Pointer { space, readonly, to: Box::new(to) };
        let path = Path::to(&var);
        let target = self.descend(path, &want, true);
        Some(Stmt::leaf("@ = @;", vec![target.expr, value]))
    }

    /// A pointer for local memory, and its first value: all of the group see what it points to.
    pub(super) fn shared_pointer(&mut self) -> Option<(Type, Expr)> {
        let to = Type::Scalar(if self.chance(50) { UINT } else { self.int_type() });
        let space = self.pick(&[Space::Local, Space::Global]);
        let value = self.pointer(space, true, &to, 1, self.depth)?;
        Some((Type::Pointer { space, readonly: true, to: Box::new(to) }, value))
    }

    /// A generic pointer to what a pointer with an address space points to.
    pub(super) fn made_generic(&mut self, readonly: bool, to: &Type, extent: u32, depth: u32) -> Option<Expr> {
        let space = self.pick(&[Space::Private, Space::Local, Space::Global]);
        let pointer = self.simple_pointer(space, readonly, to, extent, depth)?;
        let ty = Type::Pointer { space: Space::Generic, readonly, to: Box::new(to.clone()) };
        Some(Expr::new(None, &format!("TO({}, @)", self.records.name(&ty)), vec![pointer]))
    }
}
