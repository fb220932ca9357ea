//! The holes of a text, `{name}`, and what is put into them.

/// Whether a text's holes and these values fit: each hole has a value and, of a text in which `all`
/// have to stand, each value a hole. Otherwise the program does not compile.
pub const fn check(text: &str, names: &[&str], all: bool) {
    let bytes = text.as_bytes();
    let mut used = 0_u32;
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'{' && at + 1 < bytes.len() && bytes[at + 1] == b'{' && !names.is_empty() {
            at += 2;
            continue;
        }
        if bytes[at] == b'{' {
            let end = name_end(bytes, at + 1);
            if end > at + 1 && end < bytes.len() && bytes[end] == b'}' {
                let mut name = 0;
                while name < names.len() && !stands(bytes, at + 1, end, names[name].as_bytes()) {
                    name += 1;
                }
                assert!(name < names.len(), "a hole without a value");
                used |= 1 << name;
            } else {
                assert!(names.is_empty(), "a brace that is none of a hole: write `{{`");
            }
        }
        at += 1;
    }
    assert!(!all || used == (1 << names.len()) - 1, "a value without a hole");
}

const fn name_end(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
        at += 1;
    }
    at
}

const fn stands(bytes: &[u8], start: usize, end: usize, name: &[u8]) -> bool {
    if end - start != name.len() {
        return false;
    }
    let mut at = 0;
    while at < name.len() {
        if bytes[start + at] != name[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// The names of a text's holes in written order, each as often as it stands there.
pub fn holes(text: &str) -> Vec<&str> {
    let mut names = Vec::new();
    fill(text, &mut String::new(), |name, _| names.push(name));
    names
}

/// Writes a text with its holes filled. A hole that nobody fills leaves nothing.
pub(super) fn fill<'t>(text: &'t str, out: &mut String, mut put: impl FnMut(&'t str, &mut String)) {
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        out.push_str(&rest[..at]);
        let behind = &rest[at + 1..];
        let end = name_end(behind.as_bytes(), 0);
        if rest[at..].starts_with('{') && end > 0 && behind[end..].starts_with('}') {
            put(&behind[..end], out);
            rest = &behind[end + 1..];
        } else {
            // `{{` is one brace, and so is one that is none of a hole.
            out.push_str(&rest[at..=at]);
            rest = behind.strip_prefix(&rest[at..=at]).unwrap_or(behind);
        }
    }
    out.push_str(rest);
}
