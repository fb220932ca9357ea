//! The grammar under `grammar/`, and its pairs seen as places in the whole text.

use pest_derive::Parser;

/// Reads one piece of text by one rule.
#[derive(Parser)]
#[grammar = "../grammar/dice.pest"]
#[grammar = "../grammar/expression.pest"]
#[grammar = "../grammar/cicatriz.pest"]
pub(super) struct Grammar;

/// One node of what the grammar read.
pub(super) type Pair<'t> = pest::iterators::Pair<'t, Rule>;
