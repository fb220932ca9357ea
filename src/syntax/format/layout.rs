//! Indents the lines and joins them.

use std::collections::HashMap;

use super::align::Below;
use super::comments::{Out, Trailing, join, tidy};
use super::marks::{FLUSH, PIECE, ROWS};
use super::tokens::{Line, Role, Token};
use super::width::width;

/// Blanks a brace indents by.
const STEP: usize = 2;
/// Behind this column what a block holds is no longer aligned with what follows its brace.
const FARTHEST: usize = 100;

/// The canonical text.
pub(super) fn layout(text: &str, tokens: &[Token<'_>], lines: &[Line], columns: &HashMap<usize, Below>) -> String {
    let mut layout = Layout { text, tokens, columns, blocks: vec![Block::default()], out: Vec::new(), opened: true };
    let mut waiting: Vec<&Line> = Vec::new();
    for line in lines {
        let Some(first) = tokens.get(line.tokens.start).filter(|_| !line.tokens.is_empty()) else {
            waiting.push(line);
            continue;
        };
        let indent = layout.indent(line);
        let closes = first.role == Role::BlockClose;
        let above = if closes { layout.block().content } else { indent };
        waiting.drain(..).for_each(|comment| layout.comment(comment, above));
        layout.line(line, indent, closes);
    }
    waiting.drain(..).for_each(|comment| layout.comment(comment, 0));
    join(layout.out)
}

/// An open brace: where the lines in it begin, and the one that closes it.
#[derive(Debug, Clone, Copy, Default)]
struct Block {
    content: usize,
    close: usize,
    rows: Option<Below>,
    /// Parentheses and brackets open in it.
    open: usize,
}

struct Layout<'a, 't> {
    text: &'t str,
    tokens: &'a [Token<'t>],
    columns: &'a HashMap<usize, Below>,
    blocks: Vec<Block>,
    out: Vec<Out>,
    /// The last line ends with a brace that opens, or there is none.
    opened: bool,
}

impl Layout<'_, '_> {
    fn block(&self) -> Block {
        self.blocks.last().copied().unwrap_or_default()
    }

    /// How far a line is indented.
    fn indent(&self, line: &Line) -> usize {
        let tokens = &self.tokens[line.tokens.clone()];
        let (block, first) = (self.block(), &tokens[0]);
        if first.role == Role::BlockClose {
            return block.close;
        }
        if first.flags & PIECE != 0 && block.open == 0 {
            return block.content;
        }
        let closers = tokens.iter().take_while(|token| token.role == Role::Close).count();
        if block.open > 0 {
            return block.content + STEP * block.open.saturating_sub(closers);
        }
        match block.rows {
            Some(below) if first.text == "|" => block.content + below.bar,
            Some(below) if first.role == Role::BlockOpen || first.text.starts_with('"') => block.content + below.title,
            Some(_) => block.content + 2 * STEP,
            None if first.flags & FLUSH != 0 || first.role == Role::BlockOpen => block.content,
            None => block.content + STEP,
        }
    }

    fn line(&mut self, line: &Line, indent: usize, closes: bool) {
        self.blanks(line, closes);
        let mut text = " ".repeat(indent);
        let mut at = indent;
        for (index, token) in line.tokens.clone().zip(&self.tokens[line.tokens.clone()]) {
            let first = index == line.tokens.start;
            let before = if first { 0 } else { token.before };
            text.extend(std::iter::repeat_n(' ', before));
            at += before;
            text.push_str(&token.text);
            let last = index + 1 == line.tokens.end;
            match token.role {
                Role::BlockOpen => self.open(token, at, first, last),
                Role::BlockClose if self.blocks.len() > 1 => drop(self.blocks.pop()),
                Role::Open => self.parentheses(1),
                Role::Close => self.parentheses(-1),
                _ => {}
            }
            at += token.width;
            self.opened = token.role == Role::BlockOpen;
        }
        let comment = line.comment.clone().map(|range| {
            let start = self.text[..range.start].rfind('\n').map_or(0, |i| i + 1);
            let before = &self.text[start..range.start];
            let text = tidy(&self.text[range]);
            Trailing { text, column: width(before), near: width(before) <= width(before.trim_end()) + 1 }
        });
        self.out.push(Out { text, width: at, comment });
    }

    /// A brace at the end of a line indents from its sentence; what follows another on its line
    /// is what the lines below are aligned with.
    fn open(&mut self, token: &Token<'_>, at: usize, first: bool, last: bool) {
        let base = if first { at } else { self.block().content };
        let (content, close) = match last {
            false if at + STEP <= FARTHEST => (at + STEP, at),
            _ => (base + STEP, base),
        };
        let rows = self.columns.get(&token.start).copied().filter(|_| token.flags & ROWS != 0);
        self.blocks.push(Block { content, close, rows, open: 0 });
    }

    fn parentheses(&mut self, by: isize) {
        if let Some(block) = self.blocks.last_mut() {
            block.open = block.open.saturating_add_signed(by);
        }
    }

    fn comment(&mut self, line: &Line, indent: usize) {
        self.blanks(line, false);
        let text = line.comment.clone().map(|range| tidy(&self.text[range])).unwrap_or_default();
        self.out.push(Out { text: " ".repeat(indent) + &text, width: 0, comment: None });
        self.opened = false;
    }

    /// The empty lines before a line: none at the edges of braces, one in them, two outside.
    fn blanks(&mut self, line: &Line, closes: bool) {
        let most = if self.blocks.len() > 1 { 1 } else { 2 };
        let blanks = if self.opened || closes { 0 } else { line.blanks.min(most) };
        self.out.extend((0..blanks).map(|_| Out::default()));
    }
}
