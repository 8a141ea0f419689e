//! The operands and results that intrinsics have.

/// The operands and the result of an intrinsic. `T` is one type throughout, a scalar or a vector; `int` has its lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// `T f(T, …)` with that many operands, floating.
    Floats(usize),
    /// `T f(T, int)`, `T` floating.
    FloatAndInt,
    /// `int f(T)`, `T` floating.
    FloatToInt,
    /// `T f(T, …, int *)` with that many operands before the pointer, `T` a floating scalar.
    FloatsAndPointer(usize),
    /// `T f(T, …)` with that many operands, integers of 8 to 64 bits.
    Integers(usize),
    /// `scalar f(T, T)`, `T` floating, `scalar` its lane.
    Dot,
    /// `int f(int)`.
    Words,
    /// `int f(int, i32, i32)`: the base, the first bit and the number of bits.
    BitField,
    /// `T f(i32 or i64, half *)`, `T` of `float`s.
    LoadHalf,
    /// `void f(T, i32 or i64, half *)`, `T` of `float`s or `double`s.
    StoreHalf,
    /// `i32 f(format, …)` with any values. The format is a pointer, or on Vulkan a number.
    Printf,
}
