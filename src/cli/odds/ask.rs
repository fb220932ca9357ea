//! The odds of what is asked for, or why there are none.

use std::path::Path;

use cicatriz::odds::{Bounds, OddsFault, RuleOdds, of_machine, of_scenario};

use super::super::again::quoted;
use super::super::run::{Asked, Target, refuse};
use super::super::{Common, Exit, Setting};
use super::Rules;
use super::fault::diagnostic;
use super::watch::Live;

impl Rules<'_> {
    /// Exact odds; the exit to end with where there are none.
    pub fn odds(
        &self,
        asked: &Asked<'_>,
        set: &[Setting],
        watch: &mut Live,
        common: &Common,
    ) -> Result<RuleOdds, Exit> {
        let bounds = Bounds::default();
        let odds = match asked.target {
            Target::Table(_) => {
                let machine = asked.machine().map_err(|fault| refuse(&[fault], self.files, common, Exit::Usage))?;
                of_machine(&machine, &bounds, watch)
            }
            Target::Scenario(id) => of_scenario(self.program, &asked.options, id, &asked.args, &bounds, watch),
        };
        odds.map_err(|fault| self.refused(&fault, asked, set, watch, common))
    }

    fn refused(
        &self,
        fault: &OddsFault,
        asked: &Asked<'_>,
        set: &[Setting],
        watch: &mut Live,
        common: &Common,
    ) -> Exit {
        watch.clear();
        let simulate = simulate(self.path, asked, set);
        refuse(&[diagnostic(fault, Some(self.program), Some(&simulate))], self.files, common, Exit::Faults)
    }
}

/// The command that samples what cannot be worked out exactly.
fn simulate(path: &Path, asked: &Asked<'_>, set: &[Setting]) -> String {
    let mut words = vec!["cicatriz".to_owned(), "simulate".to_owned(), path.display().to_string(), asked.id.to_owned()];
    for (name, value) in asked.arguments() {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let value = match value.as_str() {
            "true" => "yes",
            "false" => "no",
            other => other,
        };
        words.push(format!("{name}={value}"));
    }
    for setting in set {
        words.extend(["--set".to_owned(), setting.to_string()]);
    }
    words.extend(["-n".to_owned(), "100000".to_owned()]);
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}
