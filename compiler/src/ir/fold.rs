//! Constant folding and algebraic identities: the value an operation would have, without making it.

use super::{Function, Op, Type, Value};

/// A value equal to what `op` of type `ty` would compute, if one exists already or is a constant.
pub fn fold(_function: &mut Function, _op: &Op, _ty: Type) -> Option<Value> {
    None
}
