//! Writes a file so that it is never seen half written.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use tempfile::{Builder, NamedTempFile};

/// Links followed before it is taken for a circle.
const LINKS: usize = 40;

/// Puts a text in a file's place: it is written beside the file and then renamed, so that the file
/// holds the old text or the new one, whatever happens. Permissions stay; a link stays and what it
/// leads to is written. A read-only file, and what is no file, is refused.
pub fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let target = target(path)?;
    let old = match fs::metadata(&target) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if let Some(old) = &old {
        if !old.is_file() {
            return Err(io::Error::other("it is not a file"));
        }
        if old.permissions().readonly() {
            return Err(io::Error::new(ErrorKind::PermissionDenied, "it is read-only"));
        }
    }
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut new = beside(folder.unwrap_or(Path::new(".")))?;
    new.write_all(text.as_bytes())?;
    if let Some(old) = &old {
        keep(old, &new)?;
    }
    new.as_file().sync_all()?;
    new.persist(&target).map_err(|error| error.error)?;
    Ok(())
}

/// Where the last link leads. What it leads to need not be there.
fn target(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&path) {
            Ok(link) => path = path.parent().unwrap_or(Path::new("")).join(link),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its links lead in a circle"))
}

/// A new file in a folder, under a hidden name until it is done.
fn beside(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".cicatriz-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // As any new file; the user's mask takes away from it.
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Gives the new file the old one's owner, where that is allowed, and its permissions.
fn keep(old: &Metadata, new: &NamedTempFile) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // Not allowed to everyone, and then the file is the writer's own.
        let _ = fchown(new.as_file(), Some(old.uid()), Some(old.gid()));
    }
    new.as_file().set_permissions(old.permissions())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &Path) -> String {
        fs::read_to_string(path).expect("a text")
    }

    #[test]
    fn replaces_the_text_and_leaves_nothing_beside() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.rules");
        write_whole(&path, "uno").expect("written");
        write_whole(&path, "dos ñ").expect("written again");
        assert_eq!(read(&path), "dos ñ");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_missing_folder_and_a_folder_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(write_whole(&folder.path().join("no/a.rules"), "x").is_err());
        assert!(write_whole(folder.path(), "x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay_and_read_only_is_refused() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.rules");
        fs::write(&path, "old").expect("written");
        let mode = |bits| fs::set_permissions(&path, fs::Permissions::from_mode(bits));
        mode(0o640).expect("changed");
        write_whole(&path, "new").expect("written");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o640);
        mode(0o444).expect("changed");
        let refused = write_whole(&path, "never").expect_err("read-only");
        assert_eq!(refused.kind(), ErrorKind::PermissionDenied);
        assert_eq!(read(&path), "new");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("real")).expect("created");
        let link = folder.path().join("link.rules");
        symlink("real/a.rules", &link).expect("linked");
        write_whole(&link, "new through a dangling link").expect("written");
        write_whole(&link, "text").expect("written");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(read(&folder.path().join("real/a.rules")), "text");
        let circle = folder.path().join("circle");
        symlink("circle", &circle).expect("linked");
        assert!(write_whole(&circle, "x").is_err());
    }
}
