//! Loads and stores of cooperative matrices: from addresses, and from variables of local memory.

use super::*;

/// The memory of a matrix.
enum MatrixPlace {
    /// An address, and the stride in components.
    Address { ptr: Value, stride: Value },
    /// An element of a variable, and the stride in its elements.
    Element { variable: VariableId, index: Value, stride: Value },
}

impl Legalization<'_> {
    /// An operation of [`MatrixOp`].
    pub(super) fn matrix(&mut self, r: &mut Rewriter<'_>, inst: &Inst, op: MatrixOp) -> Results {
        match op {
            MatrixOp::Load { layout, ptr, stride } if r.old.ty(ptr).space().is_some() => {
                let ty = r.old.ty(inst.result()?);
                let loaded = match self.matrix_place(r, ptr, stride, ty)? {
                    MatrixPlace::Address { ptr, stride } => Op::Matrix(MatrixOp::Load { layout, ptr, stride }),
                    MatrixPlace::Element { variable, index, stride } => {
                        Op::MatrixVariableLoad { layout, variable, index, stride }
                    }
                };
                result(r.b.push(loaded, &[ty])[0])
            }
            MatrixOp::Store { layout, ptr, stride, matrix } if r.old.ty(ptr).space().is_some() => {
                let ty = r.old.ty(matrix);
                let matrix = r.one(matrix, self)?;
                let stored = match self.matrix_place(r, ptr, stride, ty)? {
                    MatrixPlace::Address { ptr, stride } => Op::Matrix(MatrixOp::Store { layout, ptr, stride, matrix }),
                    MatrixPlace::Element { variable, index, stride } => {
                        Op::MatrixVariableStore { layout, variable, index, stride, matrix }
                    }
                };
                r.b.effect(stored);
                Ok(Some(SmallVec::new()))
            }
            _ => Ok(None),
        }
    }

    fn matrix_place(
        &mut self,
        r: &mut Rewriter<'_>,
        ptr: Value,
        stride: Value,
        ty: Type,
    ) -> Result<MatrixPlace, Error> {
        let component = ty.matrix().or_internal("no matrix")?.scalar().bytes();
        if r.old.ty(ptr).space() == Some(Space::Generic) {
            return Err(Error::unsupported(Unsupported::GenericMatrix));
        }
        let stride = r.one(stride, self)?;
        if let Some(direct) = self.pointers[ptr].clone() {
            let variable = self.plan.variables[direct.object].or_internal("object without variable")?;
            let bytes = match self.plan.objects.list[direct.object].shape {
                Shape::Elements { stride, .. } => stride,
                Shape::Words { wide: true } => 8,
                Shape::Words { wide: false } | Shape::Pool => 4,
            };
            // Matrices are aligned to 16 bytes, whatever their pointers are made of.
            let index = direct.offset(&mut r.b).element(&mut r.b, bytes);
            let stride = elements(&mut r.b, stride, component, bytes);
            return Ok(MatrixPlace::Element { variable, index, stride });
        }
        Ok(match self.place(r, ptr)? {
            Place::Address(address) => MatrixPlace::Address { ptr: address.pointer(&mut r.b), stride },
            Place::Words { words, offset } => {
                let index = offset.element(&mut r.b, words.bytes());
                let stride = elements(&mut r.b, stride, component, words.bytes());
                MatrixPlace::Element { variable: words.variable, index, stride }
            }
            Place::Elements { .. } => return Err(Error::internal("a matrix in a buffer of elements")),
        })
    }
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
