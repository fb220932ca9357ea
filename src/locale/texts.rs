//! All texts of a program, in the order of the rules.

use std::collections::HashSet;

use crate::program::{Message, Program};

/// One text, and what kind of text it is.
#[derive(Debug, Clone, Copy)]
pub struct Told<'p> {
    pub message: &'p Message,
    /// Its place in [`Program::messages`]; none for titles of other things than rows.
    pub index: Option<usize>,
}

/// Every text that a person gets to see, titles among them, in the order of the rules. A text that
/// several sheets share is there once.
pub fn texts(program: &Program) -> Vec<Told<'_>> {
    let titles = program.titles.iter().map(|message| Told { message, index: None });
    let messages = program.messages.iter().enumerate().map(|(index, message)| Told { message, index: Some(index) });
    let mut all: Vec<Told<'_>> = titles.chain(messages).filter(|told| !told.message.one.is_empty()).collect();
    // A stable sort: what stands at one place keeps its order.
    all.sort_by_key(|told| told.message.span);
    let mut places = HashSet::with_capacity(all.len());
    let mut keys = HashSet::with_capacity(all.len());
    all.retain(|told| {
        places.insert(told.message.span) && keys.insert((told.message.path.clone(), told.message.one.clone()))
    });
    all
}
