//! Ids: typed indices of items in the list of their kind.

/// Declares types of ids, which are the keys of `TiVec`s.
#[macro_export]
macro_rules! ids {
    ($($(#[$attribute:meta])* $name:ident)*) => {$(
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);

        impl $name {
            /// The id with a number; whether something has it is for the reader of the id to find out.
            #[inline]
            pub const fn new(number: u32) -> $name {
                $name(number)
            }

            /// The number.
            #[inline]
            pub const fn number(self) -> u32 {
                self.0
            }
        }

        impl From<usize> for $name {
            /// Limits keep lists far below 2^32 items. A larger index becomes the id of nothing, not that of another item.
            #[inline]
            fn from(index: usize) -> $name {
                $name(u32::try_from(index).unwrap_or(u32::MAX))
            }
        }

        impl From<$name> for usize {
            #[inline]
            fn from(id: $name) -> usize {
                id.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}
