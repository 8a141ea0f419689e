//! The indices by which the parts of a module refer to each other.

use smallvec::SmallVec;

clforge_basic::ids! {
    /// Index of a function in its module.
    FunctionId
    /// Index of a global in its module.
    GlobalId
    /// Index of a region in its function.
    RegionId
    /// Index of a variable in its module.
    VariableId
    /// A value of a function.
    Value
    /// Index of an instruction in its function.
    InstId
    /// Index of a constant in its function.
    ConstantId
}

/// A list of values.
pub type Values = SmallVec<[Value; 4]>;
