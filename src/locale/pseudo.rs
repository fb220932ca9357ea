//! A catalog in no language: longer, with accents, in brackets. What stays plain on the screen with
//! it cannot be translated yet.

use super::extract::{entries_of, made_of};
use super::header;
use super::po::Po;
use crate::program::Program;
use crate::source::Source;

/// The name of this language; of those that stand for none.
pub const PSEUDO: &str = "qps";

/// A catalog for a program: every text readable still, 40 % longer, between `⟦` and `⟧`.
pub fn pseudo(program: &Program, files: &[Source]) -> Po {
    let mut entries = vec![header::of(&program.system.id, PSEUDO)];
    for mut entry in entries_of(program, files) {
        let mut texts = vec![told(&entry.id)];
        if let Some(plural) = &entry.plural {
            texts.push(told(plural));
        }
        entry.texts = texts;
        entries.push(entry);
    }
    made_of(entries)
}

fn told(text: &str) -> String {
    let (mut out, mut length, mut in_braces) = (String::from("⟦"), 0usize, false);
    for letter in text.chars() {
        match letter {
            '{' => in_braces = true,
            '}' => in_braces = false,
            _ => {}
        }
        length += 1;
        out.push(if in_braces { letter } else { accented(letter) });
    }
    let more = (length * 2).div_ceil(5);
    // The end of the sentence stays its end.
    let end = text.trim_end_matches(['.', '?', '!', ':', '…']).len();
    let close = &text[end..];
    out.truncate(out.len() - close.len());
    out.push(' ');
    out.push_str(&"·".repeat(more.saturating_sub(1)));
    out.push('⟧');
    out.push_str(close);
    out
}

fn accented(letter: char) -> char {
    match letter {
        'a' | 'á' => 'å',
        'e' | 'é' => 'ë',
        'i' | 'í' => 'ï',
        'o' | 'ó' => 'ø',
        'u' | 'ú' => 'ü',
        'n' => 'ñ',
        'c' => 'ç',
        's' => 'š',
        'z' => 'ž',
        'A' => 'Å',
        'E' => 'Ë',
        'I' => 'Ï',
        'O' => 'Ø',
        'U' => 'Ü',
        'C' => 'Ç',
        'S' => 'Š',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn names_in_braces_and_the_end_stay() {
        assert_eq!(told("Escupes {lost} dientes."), "⟦Ëšçüpëš {lost} dïëñtëš ·········⟧.");
        assert_eq!(told("No"), "⟦Nø ⟧");
    }
}
