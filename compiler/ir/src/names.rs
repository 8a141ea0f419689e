//! The words of operations in the text form, which the printer writes and the reader looks up.

use super::kinds::*;

macro_rules! texts {
    ($($name:ident { $($variant:ident $text:literal),* $(,)? })*) => {
        $(impl $name {
            /// Every one, for the reader of the text form.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// Its word in the text form.
            pub fn text(self) -> &'static str {
                match self { $($name::$variant => $text),* }
            }
        })*
    };
}

texts! {
    Input {
        GlobalInvocationId "global_invocation_id", LocalInvocationId "local_invocation_id",
        LocalInvocationIndex "local_invocation_index", WorkgroupId "workgroup_id", NumWorkgroups "num_workgroups",
        WorkgroupSize "workgroup_size", SubgroupSize "subgroup_size", NumSubgroups "num_subgroups",
        SubgroupId "subgroup_id", SubgroupLocalInvocationId "subgroup_local_invocation_id",
    }
    Texel { None "none", F32 "f32", F16 "f16", Signed "signed", Unsigned "unsigned" }
    UnaryOp { Neg "neg", Not "not", FNeg "fneg" }
    BinaryOp { Add "add", Sub "sub", Mul "mul", SDiv "sdiv", UDiv "udiv", SRem "srem", URem "urem", Shl "shl", LShr "lshr", AShr "ashr", And "and", Or "or", Xor "xor", FAdd "fadd", FSub "fsub", FMul "fmul", FDiv "fdiv" }
    CompareOp { Eq "eq", Ne "ne", SLt "slt", SLe "sle", SGt "sgt", SGe "sge", ULt "ult", ULe "ule", UGt "ugt", UGe "uge", FEq "feq", FNe "fne", FLt "flt", FLe "fle", FGt "fgt", FGe "fge", FOrd "ford", FUno "funo" }
    ConvertOp { Trunc "trunc", ZExt "zext", SExt "sext", FTrunc "ftrunc", FExt "fext", FToS "ftos", FToU "ftou", SToF "stof", UToF "utof", Bitcast "bitcast", PtrToInt "ptr_to_int", IntToPtr "int_to_ptr", PtrCast "ptr_cast", PtrCastChecked "ptr_cast_checked" }
    WorkItemQuery { GlobalId "global_id", GlobalSize "global_size", GlobalOffset "global_offset", LocalId "local_id", LocalSize "local_size", EnqueuedLocalSize "enqueued_local_size", GroupId "group_id", NumGroups "num_groups", WorkDim "work_dim", GlobalLinearId "global_linear_id", LocalLinearId "local_linear_id", SubGroupSize "sub_group_size", MaxSubGroupSize "max_sub_group_size", NumSubGroups "num_sub_groups", EnqueuedNumSubGroups "enqueued_num_sub_groups", SubGroupId "sub_group_id", SubGroupLocalId "sub_group_local_id" }
    AtomicOp { Load "load", Store "store", Exchange "exchange", CompareExchange "compare_exchange", Add "add", Sub "sub", And "and", Or "or", Xor "xor", SMin "smin", SMax "smax", UMin "umin", UMax "umax", FAdd "fadd", FMin "fmin", FMax "fmax" }
    GroupExtent { Reduce "reduce", Inclusive "inclusive", Exclusive "exclusive" }
    GroupArithmetic { Add "add", Mul "mul", SMin "smin", SMax "smax", UMin "umin", UMax "umax", And "and", Or "or", Xor "xor", FAdd "fadd", FMul "fmul", FMin "fmin", FMax "fmax" }
    Scope { WorkItem "work_item", SubGroup "sub_group", WorkGroup "work_group", Device "device", AllDevices "all_devices" }
    MemoryOrder { Relaxed "relaxed", Acquire "acquire", Release "release", AcquireRelease "acquire_release", SequentiallyConsistent "sequentially_consistent" }
}
