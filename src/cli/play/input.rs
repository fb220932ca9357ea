//! Where lines come from: an editing prompt in a terminal, plain lines in a pipe.

use std::io::{self, BufRead, IsTerminal};

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

/// Lines typed at the table.
pub enum Input {
    Terminal(Box<DefaultEditor>),
    Pipe,
}

/// The longest line that is read from a pipe, in bytes.
const LINE_BYTES: u64 = 64 * 1024;

impl Input {
    pub fn new() -> Self {
        if io::stdin().is_terminal()
            && let Ok(editor) = DefaultEditor::new()
        {
            return Input::Terminal(Box::new(editor));
        }
        Input::Pipe
    }

    /// Whether a prompt is shown.
    pub fn is_terminal(&self) -> bool {
        matches!(self, Input::Terminal(_))
    }

    /// The next line; none at the end, or where the player leaves.
    pub fn line(&mut self, prompt: &str) -> Option<String> {
        match self {
            Input::Terminal(editor) => loop {
                match editor.readline(prompt) {
                    Ok(line) => {
                        // A line that cannot be remembered is typed again.
                        let _ = editor.add_history_entry(&line);
                        return Some(line);
                    }
                    // Ctrl-C drops the line, not the game.
                    Err(ReadlineError::Interrupted) => {}
                    Err(_) => return None,
                }
            },
            Input::Pipe => {
                let mut bytes = Vec::new();
                let mut stdin = io::stdin().lock();
                let read = io::Read::take(&mut stdin, LINE_BYTES).read_until(b'\n', &mut bytes).ok()?;
                if read == 0 {
                    return None;
                }
                Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\n', '\r']).to_owned())
            }
        }
    }
}
