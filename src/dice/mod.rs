//! Dice: the tree, what it can show, and the one roller.

mod tree;

pub use tree::*;
