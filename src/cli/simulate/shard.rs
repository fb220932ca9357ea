//! One part of a simulation, written down so that parts from anywhere can be joined.

use std::fmt;
use std::str::FromStr;

use cicatriz::simulate::{PARTS, Part};
use cicatriz::source::Source;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::sampled::Sampled;

/// What `--shard` prints.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Which part of how many.
    pub shard: Share,
    /// The version that ran it: another may walk another way.
    pub cicatriz: String,
    /// A digest of the rules' text, with all they use.
    pub rules: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lang: Option<String>,
    pub sampled: Sampled,
}

impl Shard {
    /// Whatever is not right within a part by itself.
    pub fn fault(&self) -> Option<String> {
        let part = self.shard.0;
        let sampled = &self.sampled;
        let expected = part.runs(sampled.asked);
        if sampled.runs != expected {
            let of = sampled.asked;
            return Some(format!("part {} of {of} runs has {expected} of them, not {}", self.shard, sampled.runs));
        }
        let outcomes: Vec<u64> = sampled.outcomes.iter().map(|found| found.runs).collect();
        let turns = sampled.turns.iter().map(|turns| turns.counts.iter().map(|(_, runs)| *runs).collect());
        let sum = |runs: Vec<u64>| runs.into_iter().try_fold(0u64, u64::checked_add);
        if [outcomes].into_iter().chain(turns).any(|runs| sum(runs) != Some(sampled.runs)) {
            return Some(format!("its counts do not add up to its {} runs", sampled.runs));
        }
        None
    }

    /// In what two parts differ that belong to one simulation, in words; none where they match.
    pub fn differs(&self, other: &Shard) -> Option<String> {
        let (a, b) = (&self.sampled, &other.sampled);
        let said = |what: &str, one: String, two: String| {
            (one != two).then(|| format!("{what} is {one} in one and {two} in the other"))
        };
        said("the number of parts", self.shard.0.of.to_string(), other.shard.0.of.to_string())
            .or_else(|| said("the seed", a.seed.to_string(), b.seed.to_string()))
            .or_else(|| said("the number of runs", a.asked.to_string(), b.asked.to_string()))
            .or_else(|| said("the target", format!("`{}`", a.target), format!("`{}`", b.target)))
            .or_else(|| said("what is given", json(&a.arguments), json(&b.arguments)))
            .or_else(|| said("the choice of options", json(&a.options), json(&b.options)))
            .or_else(|| said("the language", json(&self.lang), json(&other.lang)))
            .or_else(|| said("the version", self.cicatriz.clone(), other.cicatriz.clone()))
            .or_else(|| (self.rules != other.rules).then(|| "the rule files are not the same".to_owned()))
            .or_else(|| {
                let events = |sampled: &Sampled| sampled.turns.iter().map(|t| t.event.clone()).collect::<Vec<_>>();
                (events(a) != events(b)).then(|| "other events are repeated".to_owned())
            })
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// A digest of rules and all they use, whatever their files are called.
pub fn digest(files: &[Source]) -> String {
    let mut digest = Sha256::new();
    for file in files {
        digest.update((file.text.len() as u64).to_le_bytes());
        digest.update(file.text.as_bytes());
    }
    let bytes: String = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{bytes}")
}

/// `3/16`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Share(pub Part);

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        let numbers = text.split_once('/').and_then(|(a, b)| Some((a.parse().ok()?, b.parse().ok()?)));
        let Some((number, of)) = numbers else {
            return Err("write which part of how many: 3/16".to_owned());
        };
        if of > PARTS {
            return Err(format!("at most {PARTS} parts"));
        }
        if number < 1 || number > of {
            return Err(format!("there is no part {number} of {of}; they are counted from 1"));
        }
        Ok(Share(Part { number, of }))
    }
}

impl TryFrom<String> for Share {
    type Error = String;

    fn try_from(text: String) -> Result<Share, String> {
        text.parse()
    }
}

impl From<Share> for String {
    fn from(share: Share) -> String {
        share.to_string()
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.0.number, self.0.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_one_of_those_there_are() {
        assert_eq!("3/16".parse(), Ok(Share(Part { number: 3, of: 16 })));
        for wrong in ["", "3", "0/16", "17/16", "1/0", "-1/3", "1/1000001", "a/b", "1/2/3"] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }
}
