//! A rule file with all the files it uses, read into trees.

use crate::wording::Wording;
use std::collections::HashMap;

use crate::diagnostics::{Code, Diagnostic};
use crate::say;
use crate::source::{FileId, Source, Span};
use crate::syntax::{self, tree};

/// The most files one rule file may use, directly or not.
pub const FILES: usize = 64;

/// Finds the text of a used file: given the name of the file that says `use` and what it says,
/// gives the used file's own name and text, or why there is none.
pub type Finder<'f> = dyn FnMut(&str, &str) -> Result<(String, String), Wording> + 'f;

/// Files and their trees. Used files stand before the files that use them in `order`.
#[derive(Debug, Default)]
pub struct Sources {
    pub files: Vec<Source>,
    pub trees: Vec<tree::File>,
    pub order: Vec<FileId>,
    /// What reading found.
    pub diagnostics: Vec<Diagnostic>,
}

impl Sources {
    /// Reads a file and all it uses.
    pub fn load(name: &str, text: &str, find: &mut Finder) -> Sources {
        let mut sources = Sources::default();
        let mut known = HashMap::new();
        let root = sources.add(name, text, &mut known);
        sources.follow(root, &mut Vec::new(), &mut known, find);
        sources
    }

    /// Reads a file that must not use others.
    pub fn single(name: &str, text: &str) -> Sources {
        Sources::load(name, text, &mut |_, _| Err(say!("a text without a folder cannot use other files")))
    }

    /// The file that was asked for.
    pub fn root(&self) -> FileId {
        FileId(0)
    }

    fn add(&mut self, name: &str, text: &str, known: &mut HashMap<String, FileId>) -> FileId {
        let id = FileId(self.files.len() as u16);
        let (tree, faults) = syntax::parse(id, text);
        self.files.push(Source::new(name, text));
        self.trees.push(tree);
        self.diagnostics.extend(faults);
        known.insert(name.to_owned(), id);
        id
    }

    fn follow(&mut self, file: FileId, path: &mut Vec<FileId>, known: &mut HashMap<String, FileId>, find: &mut Finder) {
        path.push(file);
        let uses: Vec<(String, Span)> = self.trees[file.0 as usize]
            .items
            .iter()
            .filter_map(|item| match &item.kind {
                tree::ItemKind::Use(text) => Some((text.value.to_string(), text.span)),
                _ => None,
            })
            .collect();
        for (wanted, span) in uses {
            let from = self.files[file.0 as usize].name.to_string();
            match find(&from, &wanted) {
                Err(why) => self.diagnostics.push(
                    Diagnostic::error(Code::UseMissing, say!("`{wanted}` cannot be read", wanted))
                        .label(span, why)
                        .help("write the path from this file's own folder: `use \"other.rules\"`"),
                ),
                Ok((name, text)) => match known.get(&name) {
                    Some(id) if path.contains(id) => self.diagnostics.push(
                        Diagnostic::error(Code::UseCircle, say!("`{wanted}` uses this file in turn", wanted))
                            .label(span, "the circle closes here")
                            .help("take this line out, or move what both need into a third file"),
                    ),
                    Some(_) => {}
                    None if self.files.len() >= FILES => self.diagnostics.push(
                        Diagnostic::error(
                            Code::FileLimit,
                            say!(
                                "this file uses more than {files} others ({value} with this one)",
                                files = FILES,
                                value = self.files.len() + 1
                            ),
                        )
                        .label(span, "one too many"),
                    ),
                    None => {
                        let id = self.add(&name, &text, known);
                        self.follow(id, path, known, find);
                    }
                },
            }
        }
        path.pop();
        self.order.push(file);
    }
}
