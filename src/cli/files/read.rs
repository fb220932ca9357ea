//! Reads one file.

use cicatriz::wording::Wording;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use cicatriz::diagnostics::Code;
use cicatriz::say;
use cicatriz::source::{FILE_BYTES, Source};

use super::{Unread, decode};

/// Whether a path means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The text of a file, named as the path is written; `-` is standard input, named `<stdin>`, which
/// can be read once. At most [`FILE_BYTES`] are read.
pub fn read(path: &Path) -> Result<Source, Box<Unread>> {
    let (name, bytes) = if is_stdin(path) {
        ("<stdin>".into(), limited("<stdin>", io::stdin().lock(), FILE_BYTES))
    } else {
        let name = path.to_string_lossy();
        let bytes = open(path).and_then(|file| limited(&name, file, FILE_BYTES));
        (name, bytes)
    };
    let bytes = bytes.map_err(|fault| match fault {
        Fault::Io(error) => Box::new(Unread::io(path, &error)),
        Fault::Unread(unread) => unread,
    })?;
    decode(&name, bytes)
}

enum Fault {
    Io(io::Error),
    Unread(Box<Unread>),
}

impl From<io::Error> for Fault {
    fn from(error: io::Error) -> Self {
        Fault::Io(error)
    }
}

/// Opens a file, unless it is a folder or known to be too large.
fn open(path: &Path) -> Result<File, Fault> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory).into());
    }
    if metadata.len() > FILE_BYTES as u64 {
        let size = say!("{metadata} bytes", metadata = metadata.len());
        return Err(too_large(&path.to_string_lossy(), size, FILE_BYTES));
    }
    Ok(File::open(path)?)
}

/// All bytes there are, or a fault where they are more than the limit.
fn limited(name: &str, reader: impl Read, limit: usize) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    reader.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > limit {
        return Err(too_large(name, say!("more than {limit} bytes", limit), limit));
    }
    Ok(bytes)
}

fn too_large(name: &str, size: Wording, limit: usize) -> Fault {
    let message = say!("`{name}` has {size}; at most {limit} are read", name, size, limit);
    let unread = Unread::whole(name, Code::FileLimit, message);
    Fault::Unread(Box::new(unread.help("write it as several files that `use` each other")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cicatriz::source::FileId;

    fn message(path: &Path) -> (Code, String, Option<String>) {
        let fault = read(path).expect_err("a fault").diagnostic(FileId(3));
        assert_eq!(fault.labels[0].span.file, FileId(3));
        (fault.code, fault.message.to_string(), fault.help.map(|help| help.to_string()))
    }

    #[test]
    fn a_missing_file_with_the_nearest_name() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("old_world.rules"), "x").expect("written");
        let (code, message, help) = message(&folder.path().join("old_wrold.rules"));
        assert_eq!(code, Code::FileUnreadable);
        assert!(message.starts_with("there is no file `") && message.ends_with("old_wrold.rules`"));
        assert!(help.expect("a nearest name").ends_with("old_world.rules`"));
    }

    #[test]
    fn a_folder_is_no_file() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(message(folder.path()).1.ends_with("is a folder, not a file"));
    }

    #[test]
    fn a_file_over_the_limit_is_refused_with_both_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("large.rules");
        let file = File::create(&path).expect("created");
        file.set_len(FILE_BYTES as u64 + 1).expect("stretched");
        let (code, message, _) = message(&path);
        assert_eq!(code, Code::FileLimit);
        assert!(message.ends_with("has 67108865 bytes; at most 67108864 are read"), "{message}");
    }

    #[test]
    fn a_stream_is_read_up_to_the_limit_and_no_further() {
        assert!(limited("x", io::repeat(b'a').take(8), 8).is_ok());
        let fault = limited("x", io::repeat(b'a'), 8);
        let Err(Fault::Unread(unread)) = fault else { panic!("over the limit") };
        assert_eq!(unread.diagnostic(FileId(0)).message, "`x` has more than 8 bytes; at most 8 are read");
    }

    #[test]
    fn an_empty_file_is_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("empty.rules");
        fs::write(&path, "").expect("written");
        let source = read(&path).expect("an empty text");
        assert_eq!((&*source.text, source.line_count()), ("", 1));
        assert_eq!(&*source.name, path.to_string_lossy());
    }
}
