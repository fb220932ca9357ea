//! A file that cannot be read, told like any other fault.

use cicatriz::wording::Wording;
use std::io::{self, ErrorKind};
use std::path::Path;

use cicatriz::diagnostics::{Code, Diagnostic, nearest};
use cicatriz::say;
use cicatriz::source::{FileId, Source, Span};

/// Why a file cannot be read. The command ends with status 2.
#[derive(Debug, Clone)]
pub struct Unread {
    /// The file's name with what of its text the diagnostic shows: nothing, or up to a wrong byte.
    pub source: Source,
    diagnostic: Diagnostic,
}

impl Unread {
    /// A fault in the whole file.
    pub fn whole(name: &str, code: Code, message: impl Into<Wording>) -> Self {
        let diagnostic = Diagnostic::error(code, message).label(Span::default(), "");
        Unread { source: Source::new(name, ""), diagnostic }
    }

    /// A fault told by a diagnostic whose labels stand in this text.
    pub fn in_text(source: Source, diagnostic: Diagnostic) -> Self {
        Unread { source, diagnostic }
    }

    /// What the operating system says, with the nearest name where there is no such file.
    pub fn io(path: &Path, error: &io::Error) -> Self {
        let name = path.to_string_lossy();
        let message = match error.kind() {
            ErrorKind::NotFound => say!("there is no file `{name}`", name),
            ErrorKind::PermissionDenied => say!("`{name}` may not be read: permission denied", name),
            ErrorKind::IsADirectory => say!("`{name}` is a folder, not a file", name),
            _ => say!("`{name}` cannot be read: {error}", name, error),
        };
        let unread = Unread::whole(&name, Code::FileUnreadable, message);
        match near(path) {
            Some(near) if error.kind() == ErrorKind::NotFound => unread.help(say!("type `{near}`", near)),
            _ => unread,
        }
    }

    pub fn help(mut self, help: impl Into<Wording>) -> Self {
        self.diagnostic = self.diagnostic.help(help);
        self
    }

    /// The diagnostic, for a list of sources where [`Unread::source`] stands at `file`.
    pub fn diagnostic(&self, file: FileId) -> Diagnostic {
        let mut diagnostic = self.diagnostic.clone();
        for label in &mut diagnostic.labels {
            label.span.file = file;
        }
        diagnostic
    }
}

/// The path in the same folder whose name is nearest.
fn near(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let names: Vec<String> = folder
        .unwrap_or(Path::new("."))
        .read_dir()
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    let near = nearest(name, names.iter().map(String::as_str))?;
    Some(path.with_file_name(near).to_string_lossy().into_owned())
}
