//! The trace as scripts read it: ids, numbers, and the texts of the rules.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::dice::RolledDie;

/// A value: numbers, yes and no as such, members by their ids, sets as lists of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Written {
    Nothing,
    YesNo(bool),
    Number(i64),
    Id(String),
    Ids(Vec<String>),
}

/// One entry of the trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum TraceJson {
    Roll {
        expression: String,
        dice: Vec<RolledDie>,
        total: i64,
        /// What the die picked, where it picked among several things.
        #[serde(skip_serializing_if = "Option::is_none")]
        picked: Option<Written>,
    },
    Row {
        table: String,
        id: String,
        range: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        title: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        cells: BTreeMap<String, Written>,
    },
    Instead {
        table: String,
        from: String,
        to: String,
    },
    Made {
        sheet: String,
        of: Option<String>,
        row: Option<String>,
    },
    Change {
        sheet: String,
        track: String,
        from: Written,
        to: Written,
    },
    State {
        sheet: String,
        from: String,
        to: String,
    },
    Condition {
        sheet: String,
        condition: String,
        added: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    Say {
        text: String,
    },
    Event {
        event: String,
        sheet: String,
        arguments: BTreeMap<String, Written>,
    },
    Forbidden {
        event: String,
        sheet: String,
        by: String,
    },
    Spared {
        sheet: String,
        conditions: Written,
        by: String,
    },
    Unanswered {
        event: String,
    },
    NotSent {
        event: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        sheet: Option<String>,
    },
    Ended {
        sheet: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        conditions: Option<Written>,
        run_out: bool,
    },
    Check {
        sheet: String,
        check: String,
        number: i64,
        passes: bool,
    },
    Question {
        question: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        text: Option<String>,
        answer: Written,
        default: bool,
    },
    Expect {
        met: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        left: Option<Written>,
        #[serde(skip_serializing_if = "Option::is_none")]
        right: Option<Written>,
    },
}
