//! Operations on images, among the work-items of a group, and of OpenCL devices: families that share an instruction
//! ([`Op::Image`](super::Op::Image), [`Op::Group`](super::Op::Group), [`Op::Device`](super::Op::Device),
//! [`Op::Matrix`](super::Op::Matrix), [`Op::Enqueue`](super::Op::Enqueue)), each with named operands of its own.

use super::entities::{Value, Values};
use super::field::{Field, Kind};
use super::kinds::{
    BinaryOp, ComponentSign, ConvertOp, GroupArithmetic, GroupExtent, MatrixLayout, MatrixOverflow, UnaryOp,
};
use super::parse_error::ParseError;
use std::fmt;

/// Gives the fields of an operation that is read from the text form.
pub(super) trait FieldSource {
    /// The next word, one of `words`.
    fn word(&mut self, words: &[&'static str]) -> Result<&'static str, ParseError>;
    /// The next operand.
    fn value(&mut self) -> Result<Value, ParseError>;
}

/// A field of an operation: an operand, or a kind, which is a word of the text form.
trait Part: Field + Copy {
    fn word(&self) -> Option<&'static str>;
    fn read(source: &mut dyn FieldSource) -> Result<Self, ParseError>;
}

impl Part for Value {
    fn word(&self) -> Option<&'static str> {
        None
    }

    fn read(source: &mut dyn FieldSource) -> Result<Self, ParseError> {
        source.value()
    }
}

impl<K: Kind + Field> Part for K {
    fn word(&self) -> Option<&'static str> {
        Some(self.text())
    }

    fn read(source: &mut dyn FieldSource) -> Result<Self, ParseError> {
        let words: Vec<&'static str> = K::ALL.iter().map(|kind| kind.text()).collect();
        let word = source.word(&words)?;
        K::by_text(word).ok_or_else(|| format!("unexpected '{word}'").into())
    }
}

/// The table of the families: `families!(callback)` passes all of them to the macro `callback`. An operation has named
/// fields, in the order of its text form and of its binary form, and its word in the text form.
macro_rules! families {
    ($callback:ident) => {
        $callback! {
            /// What is done with an image (OpenCL C 6.15.15). Coordinates have the lanes the source gives them: lanes
            /// past the image's dimensions (and array layer) are ignored. Texels are vectors of four lanes, but
            /// unfiltered reads and writes of depth images move one scalar.
            pub enum ImageOp {
                /// A filtered texel, always of four lanes. The coordinate is `f32` or `i32`.
                Sample { sampler: Value, coordinate: Value } = "sample",
                /// As [`ImageOp::Sample`], at a level of detail (`f32`).
                SampleLod { sampler: Value, coordinate: Value, level: Value } = "sample_lod",
                /// As [`ImageOp::Sample`], with the derivatives of the coordinate.
                SampleGrad { sampler: Value, coordinate: Value, dx: Value, dy: Value } = "sample_grad",
                /// The texel at a coordinate (`i32`).
                Read { coordinate: Value } = "read",
                /// A sample (`i32`) of the texel at a coordinate (`i32`) of an image of several samples.
                ReadSample { coordinate: Value, sample: Value } = "read_sample",
                /// Writes the texel at a coordinate (`i32`).
                Write { coordinate: Value, texel: Value } = "write",
                /// As [`ImageOp::Write`], at a level of detail (`i32`).
                WriteLod { coordinate: Value, level: Value, texel: Value } = "write_lod",
                /// `i32` for each dimension, then the number of layers of an array; a vector where that is more than
                /// one.
                Size = "size",
                /// `i32`, a `CLK_` number.
                ChannelOrder = "channel_order",
                /// `i32`, a `CLK_` number.
                ChannelDataType = "channel_data_type",
                /// `i32`.
                Levels = "levels",
                /// `i32`.
                Samples = "samples",
            }

            /// What the work-items of a group compute together. Values are scalars; `ballot`s are `i32x4`, bit `i` for
            /// the work-item with sub-group local id `i`; ids, masks, deltas and sizes are `i32`.
            pub enum GroupOp {
                /// Whether the predicate (`bool`) holds in all; gives `bool`.
                All { predicate: Value } = "all",
                Any { predicate: Value } = "any",
                /// Whether all have the same value; gives `bool`.
                AllEqual { value: Value } = "all_equal",
                /// True in one work-item.
                Elect = "elect",
                /// The value of the work-item `id`: of a sub-group its local id, of a work-group its local linear id or
                /// the vector of its local ids.
                Broadcast { value: Value, id: Value } = "broadcast",
                /// From the lowest active work-item.
                BroadcastFirst { value: Value } = "broadcast_first",
                /// The work-items whose predicate (`bool`) holds.
                Ballot { predicate: Value } = "ballot",
                /// This work-item's bit of a ballot, as `bool`.
                InverseBallot { ballot: Value } = "inverse_ballot",
                /// The bit of the work-item `id`, as `bool`.
                BallotBitExtract { ballot: Value, id: Value } = "ballot_bit_extract",
                BallotBitCount { extent: GroupExtent, ballot: Value } = "ballot_bit_count",
                BallotFindLsb { ballot: Value } = "ballot_find_lsb",
                BallotFindMsb { ballot: Value } = "ballot_find_msb",
                Shuffle { value: Value, id: Value } = "shuffle",
                ShuffleXor { value: Value, mask: Value } = "shuffle_xor",
                ShuffleUp { value: Value, delta: Value } = "shuffle_up",
                ShuffleDown { value: Value, delta: Value } = "shuffle_down",
                Rotate { value: Value, delta: Value } = "rotate",
                /// Within clusters, whose size is a constant power of two.
                ClusteredRotate { value: Value, delta: Value, cluster_size: Value } = "clustered_rotate",
                Arithmetic { op: GroupArithmetic, extent: GroupExtent, value: Value } = "arithmetic",
                /// A reduction of each cluster: as many neighbours as the constant power of two says.
                ClusteredArithmetic { op: GroupArithmetic, value: Value, cluster_size: Value } = "clustered_arithmetic",
            }

            /// What only OpenCL devices do: pipes (OpenCL C 6.15.18), events and ranges of kernels enqueued on the
            /// device (6.15.19). Packets, wait lists and returned events are generic pointers; indices, counts and
            /// statuses are `i32`.
            pub enum DeviceOp {
                /// Gives an `i32`, as do the next three.
                ReadPipe { pipe: Value, packet: Value } = "read_pipe",
                WritePipe { pipe: Value, packet: Value } = "write_pipe",
                ReservedReadPipe { pipe: Value, reservation: Value, index: Value, packet: Value }
                    = "reserved_read_pipe",
                ReservedWritePipe { pipe: Value, reservation: Value, index: Value, packet: Value }
                    = "reserved_write_pipe",
                /// Gives a reservation, as do the next five.
                ReserveRead { pipe: Value, packets: Value } = "reserve_read",
                ReserveWrite { pipe: Value, packets: Value } = "reserve_write",
                WorkGroupReserveRead { pipe: Value, packets: Value } = "work_group_reserve_read",
                WorkGroupReserveWrite { pipe: Value, packets: Value } = "work_group_reserve_write",
                SubGroupReserveRead { pipe: Value, packets: Value } = "sub_group_reserve_read",
                SubGroupReserveWrite { pipe: Value, packets: Value } = "sub_group_reserve_write",
                CommitRead { pipe: Value, reservation: Value } = "commit_read",
                CommitWrite { pipe: Value, reservation: Value } = "commit_write",
                WorkGroupCommitRead { pipe: Value, reservation: Value } = "work_group_commit_read",
                WorkGroupCommitWrite { pipe: Value, reservation: Value } = "work_group_commit_write",
                SubGroupCommitRead { pipe: Value, reservation: Value } = "sub_group_commit_read",
                SubGroupCommitWrite { pipe: Value, reservation: Value } = "sub_group_commit_write",
                /// Gives a `bool`.
                IsValidReserveId { reservation: Value } = "is_valid_reserve_id",
                /// Gives an `i32`.
                PipePackets { pipe: Value } = "pipe_packets",
                /// Gives an `i32`.
                PipeMaxPackets { pipe: Value } = "pipe_max_packets",
                /// Gives an `i32`.
                EnqueueMarker { queue: Value, event_count: Value, wait_list: Value, event: Value } = "enqueue_marker",
                RetainEvent { event: Value } = "retain_event",
                ReleaseEvent { event: Value } = "release_event",
                /// Gives an event.
                CreateUserEvent = "create_user_event",
                /// Gives a `bool`.
                IsValidEvent { event: Value } = "is_valid_event",
                SetUserEventStatus { event: Value, status: Value } = "set_user_event_status",
                /// Writes to a global pointer.
                CaptureEventProfilingInfo { event: Value, info: Value, destination: Value }
                    = "capture_event_profiling_info",
                /// Gives a queue.
                DefaultQueue = "default_queue",
                /// Writes a range to a private pointer; the sizes and the offset are `i64`.
                NdRange1 { range: Value, global_size: Value, local_size: Value, offset: Value } = "nd_range1",
                /// As [`DeviceOp::NdRange1`] from pointers to two `i64`s each; null for zeros.
                NdRange2 { range: Value, global_size: Value, local_size: Value, offset: Value } = "nd_range2",
                /// As [`DeviceOp::NdRange2`] from pointers to three `i64`s each.
                NdRange3 { range: Value, global_size: Value, local_size: Value, offset: Value } = "nd_range3",
            }

            /// Operations on cooperative matrices. Those that access memory, and the multiplication, are operations of the
            /// work-items of a sub-group together. Memory has components one after the other; a stride is the distance of
            /// rows (or columns) as a number of components, an `i64`. Indices are `i32` and count the components that this
            /// work-item has.
            pub enum MatrixOp {
                Load { layout: MatrixLayout, ptr: Value, stride: Value } = "load",
                Store { layout: MatrixLayout, ptr: Value, stride: Value, matrix: Value } = "store",
                /// `a * b + c`. The result has the components of `c`, and their sign. The signs matter for integers only.
                MultiplyAdd {
                    a_sign: ComponentSign,
                    b_sign: ComponentSign,
                    c_sign: ComponentSign,
                    overflow: MatrixOverflow,
                    a: Value,
                    b: Value,
                    c: Value,
                } = "multiply_add",
                /// A matrix all of whose components are one number.
                Fill { scalar: Value } = "fill",
                /// How many components this work-item has of matrices of that type.
                Length { matrix: Value } = "length",
                Extract { matrix: Value, index: Value } = "extract",
                /// `matrix` with another component.
                Insert { matrix: Value, index: Value, scalar: Value } = "insert",
                /// Of each component, as the next two.
                Unary { op: UnaryOp, matrix: Value } = "unary",
                Binary { op: BinaryOp, lhs: Value, rhs: Value } = "binary",
                /// To the components of the result.
                Convert { op: ConvertOp, matrix: Value } = "convert",
            }

            /// What is done with a block, besides passing it. Ranges are private pointers; all give an `i32`.
            pub enum EnqueueOp {
                /// Flags and the number of events are `i32`; the events to wait for and the one to return are behind
                /// generic pointers.
                Kernel {
                    queue: Value,
                    flags: Value,
                    range: Value,
                    event_count: Value,
                    wait_list: Value,
                    event: Value,
                } = "kernel",
                WorkGroupSize = "work_group_size",
                PreferredWorkGroupSizeMultiple = "preferred_work_group_size_multiple",
                NdRangeSubGroupCount { range: Value } = "nd_range_sub_group_count",
                NdRangeMaxSubGroupSize { range: Value } = "nd_range_max_sub_group_size",
                /// The local size, in one dimension, of work-groups of that many sub-groups (`i32`); 0 where there is none.
                LocalSizeForSubGroups { count: Value } = "local_size_for_sub_groups",
                /// The most sub-groups of a work-group.
                MaxSubGroups = "max_sub_groups",
            }
        }
    };
}
pub(crate) use families;

/// Declares the families.
macro_rules! declare {
    ($(
        $(#[$attribute:meta])*
        pub enum $name:ident {
            $(
                $(#[$variant_attribute:meta])*
                $variant:ident $({ $($field:ident: $ty:ty),+ $(,)? })? = $word:literal,
            )*
        }
    )*) => {
        $(
            $(#[$attribute])*
            #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
            pub enum $name {
                $($(#[$variant_attribute])* $variant $({ $($field: $ty),+ })?,)*
            }

            impl Field for $name {
                fn visit(&self, f: &mut dyn FnMut(&Value)) {
                    match self {
                        $($name::$variant { $($($field),+)? } => { $($($field.visit(f);)+)? })*
                    }
                }

                fn visit_mut(&mut self, f: &mut dyn FnMut(&mut Value)) {
                    match self {
                        $($name::$variant { $($($field),+)? } => { $($($field.visit_mut(f);)+)? })*
                    }
                }
            }

            impl $name {
                /// All operands, in the order of the declaration.
                pub fn operands(&self) -> Values {
                    let mut operands = Values::new();
                    self.visit(&mut |value| operands.push(*value));
                    operands
                }

                /// The operation with other operands.
                ///
                /// # Errors
                /// Those of `f`.
                pub fn map<E>(mut self, mut f: impl FnMut(Value) -> Result<Value, E>) -> Result<$name, E> {
                    let mut error = None;
                    self.visit_mut(&mut |value| match f(*value) {
                        Ok(new) => *value = new,
                        Err(problem) => error = Some(problem),
                    });
                    error.map_or(Ok(self), Err)
                }

                /// Its word in the text form.
                pub fn word(&self) -> &'static str {
                    match self { $($name::$variant { .. } => $word),* }
                }

                /// The operation of a word, with the fields that `source` gives.
                pub(super) fn read(word: &str, source: &mut dyn FieldSource) -> Result<$name, ParseError> {
                    Ok(match word {
                        $($word => $name::$variant { $($($field: <$ty>::read(source)?),+)? },)*
                        _ => return Err(format!("no operation '{word}'").into()),
                    })
                }
            }

            impl fmt::Display for $name {
                /// The word of the operation and those of its kinds; the operands follow elsewhere.
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    f.write_str(self.word())?;
                    match self {
                        $($name::$variant { $($($field),+)? } => {
                            $($(if let Some(word) = $field.word() {
                                write!(f, " {word}")?;
                            })+)?
                        })*
                    }
                    Ok(())
                }
            }
        )*
    };
}

families!(declare);

impl ImageOp {
    /// Whether it reads through a sampler.
    pub fn is_sampled(&self) -> bool {
        matches!(self, ImageOp::Sample { .. } | ImageOp::SampleLod { .. } | ImageOp::SampleGrad { .. })
    }

    /// Whether it depends on the image alone, not on its texels.
    pub fn is_query(&self) -> bool {
        match self {
            ImageOp::Size | ImageOp::ChannelOrder | ImageOp::ChannelDataType | ImageOp::Levels | ImageOp::Samples => {
                true
            }
            ImageOp::Sample { .. }
            | ImageOp::SampleLod { .. }
            | ImageOp::SampleGrad { .. }
            | ImageOp::Read { .. }
            | ImageOp::ReadSample { .. }
            | ImageOp::Write { .. }
            | ImageOp::WriteLod { .. } => false,
        }
    }

    /// Whether it writes a texel.
    pub fn is_write(&self) -> bool {
        matches!(self, ImageOp::Write { .. } | ImageOp::WriteLod { .. })
    }

    /// The sampler it reads through.
    pub fn sampler(&self) -> Option<Value> {
        match self {
            ImageOp::Sample { sampler, .. }
            | ImageOp::SampleLod { sampler, .. }
            | ImageOp::SampleGrad { sampler, .. } => Some(*sampler),
            _ => None,
        }
    }
}

impl MatrixOp {
    /// Whether it computes a value from its operands and does nothing else. A multiplication is one of the sub-group's
    /// operations, and is left where it is.
    pub fn is_pure(&self) -> bool {
        !matches!(self, MatrixOp::Load { .. } | MatrixOp::Store { .. } | MatrixOp::MultiplyAdd { .. })
    }

    /// The address that it reads or writes.
    pub fn pointer(&self) -> Option<Value> {
        match self {
            MatrixOp::Load { ptr, .. } | MatrixOp::Store { ptr, .. } => Some(*ptr),
            _ => None,
        }
    }
}

impl GroupOp {
    /// The value or predicate that each work-item contributes, or the ballot that is queried.
    pub fn value(&self) -> Option<Value> {
        self.operands().first().copied()
    }
}
