//! What the IR looks like where it matters that it is this and nothing else.
