//! The flags that every verb takes.

use cicatriz::say;
use std::fmt;
use std::str::FromStr;

use cicatriz::diagnostics::render::Drawing;

use super::output::{self, Color, Format, Stream};
use super::ui::said;

/// Flags that may stand before or behind the verb.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Common options")]
pub struct Common {
    /// Roll the dice of this seed, a whole number; the seed used is always shown
    #[arg(long, global = true, value_name = "N")]
    pub seed: Option<u64>,

    /// Dice given by value, in order: 7,3,5
    #[arg(long, global = true, value_name = "VALUES", allow_hyphen_values = true)]
    pub dice: Option<Dice>,

    /// Set an option of the system; may be repeated
    #[arg(long, global = true, value_name = "OPTION=VALUE")]
    pub set: Vec<Setting>,

    /// Language of the rules' text: es, en, …
    #[arg(long, global = true, value_name = "LANGUAGE")]
    pub lang: Option<String>,

    /// Language of the program's own messages: en, es; by itself that of the environment (CICATRIZ_UI,
    /// else LC_ALL, LC_MESSAGES, LANG). This help and the pages of `explain` are in English
    #[arg(long, global = true, value_name = "LANGUAGE")]
    pub ui: Option<String>,

    /// Text for people, or one JSON document for scripts; odds also as csv and markdown
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    pub format: Format,

    /// Colour; by itself only in a terminal, and not where NO_COLOR is set
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

impl Common {
    /// How diagnostics are drawn on a stream.
    pub fn drawing(&self, stream: Stream) -> Drawing<'static> {
        output::drawing(self.color, stream)
    }

    /// Whether text for people is asked for.
    pub fn is_text(&self) -> bool {
        self.format == Format::Text
    }

    /// Whether one JSON document is asked for.
    pub fn json(&self) -> bool {
        self.format == Format::Json
    }
}

/// Dice given by value, in the order they are rolled: `7,3,5`, `-1,0,1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dice(pub Vec<i64>);

impl FromStr for Dice {
    type Err = String;

    fn from_str(text: &str) -> Result<Dice, String> {
        let die = |die: &str| {
            die.trim().parse().map_err(|_| match die.trim() {
                "" => said("a value is missing; write whole numbers with commas between: 7,3,5"),
                die => said(say!("`{die}` is not a whole number; write 7,3,5", die)),
            })
        };
        text.split(',').map(die).collect::<Result<_, _>>().map(Dice)
    }
}

/// `name=value`: an option of a system, or an argument of a table or scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    pub name: String,
    pub value: String,
}

impl FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Setting, String> {
        match text.split_once('=') {
            Some((name, value)) if !name.trim().is_empty() => {
                Ok(Setting { name: name.trim().to_owned(), value: value.trim().to_owned() })
            }
            Some(_) => Err(said("the name before `=` is missing; write name=value")),
            None => Err(said(say!("`=` is missing; write {text}=value", text))),
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dice_are_whole_numbers_with_commas() {
        assert_eq!("7, 3,-5".parse(), Ok(Dice(vec![7, 3, -5])));
        for wrong in ["", "7,", "x", "1.5", "99999999999999999999"] {
            assert!(wrong.parse::<Dice>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_setting_has_a_name_and_a_value() {
        let setting: Setting = "damage=1d6=x".parse().expect("a setting");
        assert_eq!((setting.name.as_str(), setting.value.as_str()), ("damage", "1d6=x"));
        assert_eq!("a=".parse::<Setting>().map(|s| s.value), Ok(String::new()));
        assert!("=1".parse::<Setting>().is_err());
        assert_eq!("edition".parse::<Setting>(), Err("`=` is missing; write edition=value".into()));
    }
}
