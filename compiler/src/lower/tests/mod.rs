//! Small programs, lowered and run by the interpreter of the IR.
