//! The one list of codes. A code never changes its meaning once released.

use std::fmt;

macro_rules! codes {
    ($($variant:ident = $text:literal,)*) => {
        /// The stable name of a kind of fault.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($variant,)* }

        impl Code {
            pub const ALL: &'static [Code] = &[$(Code::$variant,)*];

            pub fn as_str(self) -> &'static str {
                match self { $(Code::$variant => $text,)* }
            }

            pub fn parse(text: &str) -> Option<Code> {
                match text { $($text => Some(Code::$variant),)* _ => None }
            }
        }
    };
}

codes! {
    // Reading
    FileUnreadable = "file::unreadable",
    FileEncoding = "file::encoding",
    FileLimit = "file::limit",
    UseMissing = "use::missing",
    UseCircle = "use::circle",
    Syntax = "syntax",
    SyntaxDepth = "syntax::depth",
    // Tables
    TableGap = "table::gap",
    TableOverlap = "table::overlap",
    TableReversed = "table::reversed",
    TableUnreachable = "table::unreachable",
    TableUnlikely = "table::unlikely",
    // Names
    NameUnknown = "name::unknown",
    NameDuplicate = "name::duplicate",
    NameAmbiguous = "name::ambiguous",
    NameUnused = "name::unused",
    // Types
    TypeMismatch = "type::mismatch",
    TypeBounds = "type::bounds",
    // Dice
    DiceEndless = "dice::endless",
    DiceTooMany = "dice::too_many",
    DiceKeep = "dice::keep",
    DiceFaces = "dice::faces",
    DiceDialect = "dice::dialect",
    DiceUnreachable = "dice::unreachable",
    // States, events, scenarios
    StateUnknown = "state::unknown",
    StateUnreachable = "state::unreachable",
    StateDeadEnd = "state::dead_end",
    StateFinal = "state::final",
    EventCircle = "event::circle",
    EventUnanswered = "event::unanswered",
    ScenarioEndless = "scenario::endless",
    ScenarioFailed = "scenario::failed",
    // Text
    TextPlaceholder = "text::placeholder",
    TextChoices = "text::choices",
    LocaleMissing = "locale::missing",
    LocaleStale = "locale::stale",
    LocalePlural = "locale::plural",
    LocaleFile = "locale::file",
    LocaleHeader = "locale::header",
    LocalePlaceholder = "locale::placeholder",
    LocaleChoices = "locale::choices",
    LocaleBlanks = "locale::blanks",
    LocalePunctuation = "locale::punctuation",
    LocaleSame = "locale::same",
    LocaleDirection = "locale::direction",
    // While running
    RunArgument = "run::argument",
    RunTarget = "run::target",
    RunDice = "run::dice",
    RunRow = "run::row",
    RunBounds = "run::bounds",
    RunOverflow = "run::overflow",
    RunLimit = "run::limit",
    RunNone = "run::none",
    RunTransition = "run::transition",
    RunEndless = "run::endless",
    RunInternal = "run::internal",
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
