//! The few words that join what the rules call things, by language.

/// The few words that join what the rules call things.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Words {
    pub roll: &'static str,
    pub random: &'static str,
    pub condition: &'static str,
    pub by: &'static str,
    pub yes: &'static str,
    pub no: &'static str,
    pub none: &'static str,
    pub default: &'static str,
    pub passes: &'static str,
    pub fails: &'static str,
    pub forbidden: &'static str,
    pub spared: &'static str,
    pub not_sent: &'static str,
    pub unanswered: &'static str,
    pub instead: &'static str,
    pub run_out: &'static str,
    pub ended: &'static str,
    pub expected: &'static str,
    /// What the end of a unit of the clock is called: `turno: fin`.
    pub end: &'static str,
}

const ENGLISH: Words = Words {
    roll: "roll",
    random: "at random",
    condition: "condition",
    by: "by",
    yes: "yes",
    no: "no",
    none: "none",
    default: "by default",
    passes: "passes",
    fails: "fails",
    forbidden: "cannot",
    spared: "does not suffer",
    not_sent: "does not happen: there is nothing it could mean",
    unanswered: "nothing comes of it",
    instead: "instead",
    run_out: "the time has run out",
    ended: "it ends before its time",
    expected: "expected",
    end: "end",
};

const SPANISH: Words = Words {
    roll: "tirada",
    random: "al azar",
    condition: "estado",
    by: "por",
    yes: "sí",
    no: "no",
    none: "ninguno",
    default: "por defecto",
    passes: "lo supera",
    fails: "no lo supera",
    forbidden: "no puede",
    spared: "no sufre",
    not_sent: "no ocurre: no hay a qué se refiera",
    unanswered: "no pasa nada",
    instead: "en su lugar",
    run_out: "se ha cumplido el tiempo",
    ended: "termina antes de tiempo",
    expected: "se espera",
    end: "fin",
};

impl Words {
    /// The words of a language (`es`, `es_MX`); English where it is not known.
    pub fn of(lang: &str) -> &'static Words {
        match lang.split(['_', '-']).next() {
            Some("es") => &SPANISH,
            _ => &ENGLISH,
        }
    }
}
