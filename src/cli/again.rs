//! Commands as they can be pasted into a shell.

use std::path::Path;

use super::{Common, Setting};

/// `cicatriz VERB FILE TARGET name=value … --set … --lang …`, with what comes behind.
pub fn command(verb: &str, file: &Path, target: &str, given: &[Setting], common: &Common, behind: &str) -> String {
    let mut words = vec!["cicatriz".to_owned(), verb.to_owned(), quoted(&file.to_string_lossy())];
    words.extend((!target.is_empty()).then(|| quoted(target)));
    words.extend(given.iter().map(|setting| quoted(&setting.to_string())));
    words.extend(common.set.iter().flat_map(|setting| ["--set".to_owned(), quoted(&setting.to_string())]));
    words.extend(common.lang.iter().flat_map(|lang| ["--lang".to_owned(), quoted(lang)]));
    words.push(behind.to_owned());
    words.join(" ")
}

/// A word that a shell takes as it stands, in quotes where it would not.
pub fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_-+./,:@%=".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_a_shell_would_read_stand_in_quotes() {
        assert_eq!(quoted("damage=2d6+3"), "damage=2d6+3");
        assert_eq!(quoted("damage=2d6!>5"), "'damage=2d6!>5'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}
