//! The tree as indented text, for `--emit ast` and tests.
