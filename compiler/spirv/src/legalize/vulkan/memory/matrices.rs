//! Loads and stores of cooperative matrices: through addresses, and of variables: of local memory, and of buffers that have
//! descriptors.

use super::*;

/// The memory of a matrix.
enum MatrixPlace {
    /// An address, and the stride in components.
    Address { ptr: Value, stride: Value },
    /// An element of a variable, and the stride in its elements.
    Element { variable: VariableId, index: Value, stride: Value },
}

/// A load or a store, whatever the memory is.
#[derive(Clone, Copy)]
enum MatrixAccess {
    Load { layout: MatrixLayout, ty: Type },
    Store { layout: MatrixLayout, matrix: Value },
}

impl MatrixAccess {
    /// Emits the access; a load has a value.
    fn emit(self, b: &mut Builder<'_>, place: MatrixPlace) -> Vec<Value> {
        let (op, ty) = match (self, place) {
            (MatrixAccess::Load { layout, ty }, MatrixPlace::Address { ptr, stride }) => {
                (Op::Matrix(MatrixOp::Load { layout, ptr, stride }), Some(ty))
            }
            (MatrixAccess::Load { layout, ty }, MatrixPlace::Element { variable, index, stride }) => {
                (Op::MatrixVariableLoad { layout, variable, index, stride }, Some(ty))
            }
            (MatrixAccess::Store { layout, matrix }, MatrixPlace::Address { ptr, stride }) => {
                (Op::Matrix(MatrixOp::Store { layout, ptr, stride, matrix }), None)
            }
            (MatrixAccess::Store { layout, matrix }, MatrixPlace::Element { variable, index, stride }) => {
                (Op::MatrixVariableStore { layout, variable, index, stride, matrix }, None)
            }
        };
        b.push(op, ty.as_slice()).to_vec()
    }
}

impl Legalization<'_> {
    /// An operation of [`MatrixOp`].
    pub(super) fn matrix(&mut self, r: &mut Rewriter<'_>, inst: &Inst, op: MatrixOp) -> Results {
        match op {
            MatrixOp::Load { layout, ptr, stride } if r.old.ty(ptr).space().is_some() => {
                let ty = r.old.ty(inst.result()?);
                let loaded = self.matrix_access(r, ptr, stride, ty, MatrixAccess::Load { layout, ty })?;
                result(loaded.first().copied().or_internal("a load without result")?)
            }
            MatrixOp::Store { layout, ptr, stride, matrix } if r.old.ty(ptr).space().is_some() => {
                let ty = r.old.ty(matrix);
                let matrix = r.one(matrix, self)?;
                self.matrix_access(r, ptr, stride, ty, MatrixAccess::Store { layout, matrix })?;
                Ok(Some(SmallVec::new()))
            }
            _ => Ok(None),
        }
    }

    /// Emits an access through a pointer to a matrix of a type.
    fn matrix_access(
        &mut self,
        r: &mut Rewriter<'_>,
        ptr: Value,
        stride: Value,
        ty: Type,
        access: MatrixAccess,
    ) -> Result<Vec<Value>, Error> {
        let component = ty.matrix().or_internal("no matrix")?.scalar().bytes();
        let space = r.old.ty(ptr).space();
        if space == Some(Space::Generic) {
            return Err(Error::unsupported(Unsupported::GenericMatrix));
        }
        let stride = r.one(stride, self)?;
        if self.is_logical() && matches!(space, Some(Space::Global | Space::Constant)) {
            let types: &[Type] = if matches!(access, MatrixAccess::Load { .. }) { &[ty] } else { &[] };
            let nowhere = self.pool().private.variable;
            return self.by_buffer(r, ptr, types, &mut |b, place| match place {
                // A null pointer. Matrices are not loaded from private memory, nor stored there.
                Place::Words { words, .. } if words.variable == nowhere => {
                    Ok(types.iter().map(|ty| b.undef(*ty)).collect())
                }
                place => {
                    let place = matrix_place(b, place, stride, component);
                    Ok(access.emit(b, place))
                }
            });
        }
        let place = match self.pointers[ptr].clone() {
            Some(direct) => {
                let offset = direct.offset(&mut r.b);
                // Matrices are never parts of words, which alone depend on who else sees them.
                self.plan.in_variable(direct.object, None, offset)?
            }
            None => self.place(r, ptr)?,
        };
        let place = matrix_place(&mut r.b, place, stride, component);
        Ok(access.emit(&mut r.b, place))
    }
}

/// Where a matrix with components of so many bytes and a stride in components is. Matrices are aligned to 16 bytes, whatever their
/// pointers are made of, so that they begin with an element.
fn matrix_place(b: &mut Builder<'_>, place: Place, stride: Value, component: u64) -> MatrixPlace {
    let (variable, offset, bytes) = match place {
        Place::Address(address) => return MatrixPlace::Address { ptr: address.pointer(b), stride },
        Place::Words { words, offset } => (words.variable, offset, words.bytes()),
        Place::Elements { variable, stride, offset, .. } => (variable, offset, stride),
    };
    let index = offset.element(b, bytes);
    let stride = elements(b, stride, component, bytes);
    MatrixPlace::Element { variable, index, stride }
}

/// A stride in elements of so many bytes, of one in components. Both are powers of two, and the stride is a multiple of 16 bytes.
fn elements(b: &mut Builder<'_>, stride: Value, component: u64, element: u64) -> Value {
    let stride = b.resize(stride, ScalarType::I32, false);
    let (component, element) = (component.trailing_zeros(), element.trailing_zeros());
    match component.cmp(&element) {
        std::cmp::Ordering::Equal => stride,
        std::cmp::Ordering::Less => b.binary_int(BinaryOp::LShr, stride, i64::from(element - component)),
        std::cmp::Ordering::Greater => b.binary_int(BinaryOp::Shl, stride, i64::from(component - element)),
    }
}
