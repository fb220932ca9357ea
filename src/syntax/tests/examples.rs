//! The comment over each rule of the grammar shows what it reads: `// example: …`.

use pest::Parser;

use crate::syntax::grammar::{Grammar, Rule};

const GRAMMAR: [&str; 3] = [
    include_str!("../../../grammar/dice.pest"),
    include_str!("../../../grammar/expression.pest"),
    include_str!("../../../grammar/cicatriz.pest"),
];

/// Rules that read nothing by themselves: blanks, parts of words, where reading starts.
fn needs_no_example(rule: &str) -> bool {
    let plain = [
        "beginning",
        "before",
        "WHITESPACE",
        "COMMENT",
        "digit",
        "word_more",
        "starts",
        "a_name",
        "reserved",
        "bound",
        "inner_text",
    ];
    let ahead = ["die", "raise_or_lower", "each_name"]; // they look at what follows
    plain.contains(&rule)
        || ahead.contains(&rule)
        || rule.ends_with("_word")
        || rule.ends_with("_sign")
        || rule.starts_with("whole_")
}

#[test]
fn each_rule_reads_its_examples() {
    let rules: Vec<(String, Rule)> = Rule::all_rules().iter().map(|rule| (format!("{rule:?}"), *rule)).collect();
    let (mut without, mut wrong) = (Vec::new(), Vec::<String>::new());
    for file in GRAMMAR {
        let mut examples: Vec<&str> = Vec::new();
        for line in file.lines() {
            if let Some(example) = line.strip_prefix("// example: ") {
                examples.push(example);
                continue;
            }
            let name = line.split(" =").next().unwrap_or("").trim();
            let defines =
                line.contains('=') && name.chars().all(|c| c.is_alphanumeric() || c == '_') && !line.starts_with(' ');
            if !defines {
                continue;
            }
            let rule = rules.iter().find(|(known, _)| known == name).map(|(_, rule)| *rule);
            let rule = rule.unwrap_or_else(|| panic!("no rule `{name}`"));
            if examples.is_empty() && !needs_no_example(name) {
                without.push(name.to_owned());
            }
            for example in examples.drain(..) {
                let read = Grammar::parse(rule, example).map(|pairs| pairs.as_str().to_owned());
                if read.as_deref().ok() != Some(example) {
                    wrong.push(format!("`{name}` does not read `{example}`"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(without.is_empty(), "without an example: {without:?}");
}
