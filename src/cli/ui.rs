//! The language in which the command speaks: `--ui es`, or what the environment says.

use std::env;
use std::ffi::OsString;
use std::sync::OnceLock;

use cicatriz::locale::ui::{self as languages, LANGUAGES};
use cicatriz::say;
use cicatriz::wording::{Ui, Wording};

static UI: OnceLock<&'static Ui> = OnceLock::new();

/// The language of the command; English until it is known.
pub fn ui() -> &'static Ui {
    UI.get().copied().unwrap_or_else(|| Ui::english())
}

/// A text in the language of the command.
pub fn said(text: impl Into<Wording>) -> String {
    ui().say(&text.into())
}

/// Takes the language from the words of the command, or else from the environment. `Err`: one was
/// asked for that the program does not speak.
pub fn choose(words: &[OsString]) -> Result<(), Wording> {
    let variable = |name: &str| env::var_os(name).and_then(|value| value.into_string().ok()).unwrap_or_default();
    let _ = UI.set(language(flag(words).as_deref(), variable)?);
    Ok(())
}

/// What stands behind `--ui`.
fn flag(words: &[OsString]) -> Option<String> {
    let words: Vec<_> = words.iter().map(|word| word.to_string_lossy()).take_while(|word| word != "--").collect();
    words.iter().enumerate().find_map(|(at, word)| match word.strip_prefix("--ui")? {
        "" => words.get(at + 1).map(|word| word.to_string()),
        rest => rest.strip_prefix('=').map(str::to_owned),
    })
}

/// The flag, `CICATRIZ_UI`, or the locale in gettext's order: the first of `LC_ALL`, `LC_MESSAGES` and
/// `LANG` that is set, before which `LANGUAGE` lists others unless that is `C`. A language of the locale
/// that is not spoken is no fault: the next of the list, or English.
fn language(flag: Option<&str>, variable: impl Fn(&str) -> String) -> Result<&'static Ui, Wording> {
    let own = variable("CICATRIZ_UI");
    if let Some(asked) = flag.or_else(|| (!own.is_empty()).then_some(own.as_str())) {
        let known = LANGUAGES.map(|lang| format!("`{lang}`"));
        return languages::ui(asked).ok_or_else(|| {
            say!("the program does not speak `{lang}`; it speaks {known}", lang = asked, known = Wording::all_of(known))
        });
    }
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].map(&variable).into_iter().find(|value| !value.is_empty());
    let locale = locale.unwrap_or_default();
    if matches!(locale.split('.').next(), Some("" | "C" | "POSIX")) {
        return Ok(Ui::english());
    }
    let list = variable("LANGUAGE");
    let found = list.split(':').chain([locale.as_str()]).find_map(languages::ui);
    Ok(found.unwrap_or_else(|| Ui::english()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(flag: Option<&str>, set: &[(&str, &str)]) -> Result<&'static str, String> {
        let variable =
            |name: &str| set.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value).to_owned();
        language(flag, variable).map(Ui::lang).map_err(|why| why.to_string())
    }

    #[test]
    fn the_flag_then_the_own_variable_then_the_locale() {
        let spanish = ("LANG", "es_ES.UTF-8");
        assert_eq!(by(None, &[]), Ok("en"));
        assert_eq!(by(None, &[spanish]), Ok("es"));
        assert_eq!(by(None, &[spanish, ("LC_MESSAGES", "C")]), Ok("en"));
        assert_eq!(by(None, &[("LC_MESSAGES", "C.UTF-8"), ("LC_ALL", "es_MX")]), Ok("es"));
        assert_eq!(by(None, &[("LANG", "fr_FR.UTF-8"), ("LANGUAGE", "fr:es:en")]), Ok("es"));
        assert_eq!(by(None, &[("LANG", "C"), ("LANGUAGE", "es")]), Ok("en"));
        assert_eq!(by(None, &[("LANG", "fr_FR.UTF-8")]), Ok("en"));
        assert_eq!(by(None, &[spanish, ("CICATRIZ_UI", "en")]), Ok("en"));
        assert_eq!(by(Some("es-AR"), &[("CICATRIZ_UI", "en")]), Ok("es"));
    }

    #[test]
    fn a_language_asked_for_and_not_spoken_is_told() {
        let told = Err("the program does not speak `fr`; it speaks `en` and `es`".to_owned());
        assert_eq!(by(Some("fr"), &[]), told);
        assert_eq!(by(None, &[("CICATRIZ_UI", "fr")]), told);
    }

    #[test]
    fn the_flag_is_found_among_the_words() {
        let flag = |line: &str| flag(&line.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert_eq!(flag("cicatriz --ui es check x").as_deref(), Some("es"));
        assert_eq!(flag("cicatriz check x --ui=es").as_deref(), Some("es"));
        assert_eq!(flag("cicatriz check -- --ui es"), None);
        assert_eq!(flag("cicatriz --uix es"), None);
    }
}
