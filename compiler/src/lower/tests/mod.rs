//! Small programs, lowered and run by an interpreter of the IR.

mod interpreter;
