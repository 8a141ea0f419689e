//! `workarounds/matrix_division`: quotients of cooperative matrices are computed one component after the other
//! ([`Workarounds::NVIDIA_MATRIX_DIVISION`](clforge_basic::workarounds::Workarounds)).
//!
//! ```ir
//! ; pass: workarounds/matrix_division
//! variable @v0 "own" private i32 bytes 4
//! func @f(%0: matrix.f32.16.16.A, %1: matrix.f32.16.16.A) -> matrix.f32.16.16.A {
//!   %2: matrix.f32.16.16.A = matrix binary fdiv (%0, %1)
//!   return %2
//! }
//! ; ---
//! variable @v0 "own" private i32 bytes 4
//! func @f(%0: matrix.f32.16.16.A, %1: matrix.f32.16.16.A) -> matrix.f32.16.16.A {
//!   %2: i32 = matrix length (%0)
//!   %3: matrix.f32.16.16.A = loop (i32 0, %0) (%4: i32, %5: matrix.f32.16.16.A) {
//!     %6: f32 = matrix extract (%0, %4)
//!     %7: f32 = matrix extract (%1, %4)
//!     %8: f32 = fdiv %6, %7
//!     %9: matrix.f32.16.16.A = matrix insert (%5, %4, %8)
//!     %10: i32 = add %4, i32 1
//!     %11: bool = ult %10, %2
//!     continue %10, %11, %9
//!   } continuing (%12: i32, %13: bool, %14: matrix.f32.16.16.A) {
//!     next_if %13 (%12, %14) (%14)
//!   }
//!   return %3
//! }
//! ```

use crate::legalize::{Context, State};
use clforge_ir::expand::{Expand, expand};
use clforge_ir::pass::{Changed, Order, Pass};
use clforge_ir::room::Room;
use clforge_ir::*;

/// The pass. It runs before the divisions of components become those of the precision that OpenCL C requires.
pub struct MatrixDivision;

impl Pass<State> for MatrixDivision {
    fn name(&self) -> &'static str {
        "workarounds/matrix_division"
    }

    fn order(&self) -> Order {
        Order { before: &["vulkan/library"], ..Order::ANY }
    }

    fn run(&self, module: &mut Module, context: &mut Context<'_>) -> Result<Changed, Error> {
        let mut room = Room::new(module, context.options.codegen.max_instructions);
        let mut changed = Changed::No;
        for function in &mut module.functions {
            if function.insts.iter().any(|inst| is_quotient(&inst.op)) {
                expand(function, &mut Quotients, &mut room, |_| Ok(None))?;
                changed = Changed::Maybe;
            }
        }
        Ok(changed)
    }
}

fn is_quotient(op: &Op) -> bool {
    matches!(op, Op::Matrix(MatrixOp::Binary { op: BinaryOp::FDiv, .. }))
}

struct Quotients;

impl Expand for Quotients {
    fn replaces(&self, op: &Op) -> bool {
        is_quotient(op)
    }

    fn expand(&mut self, b: &mut Builder<'_>, inst: InstId) -> Result<Value, Error> {
        let Op::Matrix(MatrixOp::Binary { lhs, rhs, .. }) = b.function.inst(inst).op else {
            return Err(Error::internal("not a quotient of matrices"));
        };
        let ty = b.ty(lhs);
        let component = Type::scalar(ty.matrix().or_internal("not a matrix")?.scalar());
        let length = b.emit(Op::Matrix(MatrixOp::Length { matrix: lhs }), Type::I32);
        let zero = b.int(Type::I32, 0);
        let body = b.function.new_region();
        let index = b.function.add_region_param(body, Type::I32);
        let so_far = b.function.add_region_param(body, ty);
        b.enter(body);
        let [x, y] = [lhs, rhs].map(|matrix| b.emit(Op::Matrix(MatrixOp::Extract { matrix, index }), component));
        let scalar = b.binary(BinaryOp::FDiv, x, y);
        let with_it = b.emit(Op::Matrix(MatrixOp::Insert { matrix: so_far, index, scalar }), ty);
        let following = b.binary_int(BinaryOp::Add, index, 1);
        let again = b.compare(CompareOp::ULt, following, length);
        b.effect(Op::Continue(Values::from_slice(&[following, again, with_it])));
        b.leave();
        let continuing = b.function.new_region();
        let [following, again, quotients] =
            [Type::I32, Type::BOOL, ty].map(|ty| b.function.add_region_param(continuing, ty));
        b.enter(continuing);
        let (next, results) = (Values::from_slice(&[following, quotients]), Values::from_slice(&[quotients]));
        b.effect(Op::NextIf { condition: again, next, results });
        b.leave();
        let inits = Values::from_slice(&[zero, lhs]);
        Ok(b.push(Op::Loop { inits, body, continuing, hint: LoopHint::None }, &[ty])[0])
    }
}
