//! Text to tree. Reading never fails: there is always a tree, and the faults beside it.

pub mod tree;
