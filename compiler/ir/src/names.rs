//! The words of operations in the text form, which the printer writes and the reader looks up.

use super::kinds::*;

impl GroupOp {
    /// The words of those without parts, in the text form.
    pub const WORDS: &'static [(GroupOp, &'static str)] = &[
        (GroupOp::All, "all"),
        (GroupOp::Any, "any"),
        (GroupOp::AllEqual, "all_equal"),
        (GroupOp::Elect, "elect"),
        (GroupOp::Broadcast, "broadcast"),
        (GroupOp::BroadcastFirst, "broadcast_first"),
        (GroupOp::Ballot, "ballot"),
        (GroupOp::InverseBallot, "inverse_ballot"),
        (GroupOp::BallotBitExtract, "ballot_bit_extract"),
        (GroupOp::BallotFindLsb, "ballot_find_lsb"),
        (GroupOp::BallotFindMsb, "ballot_find_msb"),
        (GroupOp::Shuffle, "shuffle"),
        (GroupOp::ShuffleXor, "shuffle_xor"),
        (GroupOp::ShuffleUp, "shuffle_up"),
        (GroupOp::ShuffleDown, "shuffle_down"),
        (GroupOp::Rotate, "rotate"),
        (GroupOp::ClusteredRotate, "clustered_rotate"),
    ];
}

impl std::fmt::Display for GroupOp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            GroupOp::BallotBitCount(extent) => write!(f, "ballot_bit_count {}", extent.text()),
            GroupOp::Arithmetic(op, extent) => write!(f, "arithmetic {} {}", op.text(), extent.text()),
            op => f.write_str(GroupOp::WORDS.iter().find(|(known, _)| known == op).map_or("?", |(_, word)| word)),
        }
    }
}

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
    ImageOp {
        Sample "sample", SampleLod "sample_lod", SampleGrad "sample_grad", Read "read", ReadSample "read_sample",
        Write "write", WriteLod "write_lod", Size "size", ChannelOrder "channel_order",
        ChannelDataType "channel_data_type", Levels "levels", Samples "samples",
    }
    DeviceOp {
        ReadPipe "read_pipe", WritePipe "write_pipe", ReservedReadPipe "reserved_read_pipe",
        ReservedWritePipe "reserved_write_pipe", ReserveRead "reserve_read", ReserveWrite "reserve_write",
        WorkGroupReserveRead "work_group_reserve_read", WorkGroupReserveWrite "work_group_reserve_write",
        SubGroupReserveRead "sub_group_reserve_read", SubGroupReserveWrite "sub_group_reserve_write",
        CommitRead "commit_read", CommitWrite "commit_write", WorkGroupCommitRead "work_group_commit_read",
        WorkGroupCommitWrite "work_group_commit_write", SubGroupCommitRead "sub_group_commit_read",
        SubGroupCommitWrite "sub_group_commit_write", IsValidReserveId "is_valid_reserve_id",
        PipePackets "pipe_packets", PipeMaxPackets "pipe_max_packets", EnqueueMarker "enqueue_marker",
        RetainEvent "retain_event", ReleaseEvent "release_event", CreateUserEvent "create_user_event",
        IsValidEvent "is_valid_event", SetUserEventStatus "set_user_event_status",
        CaptureEventProfilingInfo "capture_event_profiling_info", DefaultQueue "default_queue",
        NdRange1 "nd_range1", NdRange2 "nd_range2", NdRange3 "nd_range3",
    }
    EnqueueOp {
        Kernel "kernel", WorkGroupSize "work_group_size",
        PreferredWorkGroupSizeMultiple "preferred_work_group_size_multiple",
        NdRangeSubGroupCount "nd_range_sub_group_count", NdRangeMaxSubGroupSize "nd_range_max_sub_group_size",
    }
    Texel { None "none", F32 "f32", F16 "f16", Signed "signed", Unsigned "unsigned" }
    UnaryOp { Neg "neg", Not "not", FNeg "fneg" }
    BinaryOp { Add "add", Sub "sub", Mul "mul", SDiv "sdiv", UDiv "udiv", SRem "srem", URem "urem", Shl "shl", LShr "lshr", AShr "ashr", And "and", Or "or", Xor "xor", FAdd "fadd", FSub "fsub", FMul "fmul", FDiv "fdiv" }
    CompareOp { Eq "eq", Ne "ne", SLt "slt", SLe "sle", SGt "sgt", SGe "sge", ULt "ult", ULe "ule", UGt "ugt", UGe "uge", FEq "feq", FNe "fne", FLt "flt", FLe "fle", FGt "fgt", FGe "fge", FOrd "ford", FUno "funo" }
    ConvertOp { Trunc "trunc", ZExt "zext", SExt "sext", FTrunc "ftrunc", FExt "fext", FToS "ftos", FToU "ftou", SToF "stof", UToF "utof", Bitcast "bitcast", PtrToInt "ptr_to_int", IntToPtr "int_to_ptr", PtrCast "ptr_cast", PtrCastChecked "ptr_cast_checked" }
    WorkItemQuery { GlobalId "global_id", GlobalSize "global_size", GlobalOffset "global_offset", LocalId "local_id", LocalSize "local_size", EnqueuedLocalSize "enqueued_local_size", GroupId "group_id", NumGroups "num_groups", WorkDim "work_dim", GlobalLinearId "global_linear_id", LocalLinearId "local_linear_id", SubGroupSize "sub_group_size", MaxSubGroupSize "max_sub_group_size", NumSubGroups "num_sub_groups", EnqueuedNumSubGroups "enqueued_num_sub_groups", SubGroupId "sub_group_id", SubGroupLocalId "sub_group_local_id" }
    AtomicOp { Load "load", Store "store", Exchange "exchange", CompareExchange "compare_exchange", Add "add", Sub "sub", And "and", Or "or", Xor "xor", SMin "smin", SMax "smax", UMin "umin", UMax "umax", FAdd "fadd", FMin "fmin", FMax "fmax" }
    GroupExtent { Reduce "reduce", Inclusive "inclusive", Exclusive "exclusive", Clustered "clustered" }
    GroupArithmetic { Add "add", Mul "mul", SMin "smin", SMax "smax", UMin "umin", UMax "umax", And "and", Or "or", Xor "xor", FAdd "fadd", FMul "fmul", FMin "fmin", FMax "fmax" }
    Scope { WorkItem "work_item", SubGroup "sub_group", WorkGroup "work_group", Device "device", AllDevices "all_devices" }
    MemoryOrder { Relaxed "relaxed", Acquire "acquire", Release "release", AcquireRelease "acquire_release", SequentiallyConsistent "sequentially_consistent" }
}
