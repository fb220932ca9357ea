//! What could stand somewhere, in an author's words.

use super::grammar::Rule;

/// How an author would call what a rule reads; `None` where it adds nothing.
pub(super) fn friendly(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::EOI => "the end of the line",
        Rule::name | Rule::any_name | Rule::called | Rule::case_value | Rule::state | Rule::state_step => "a name",
        Rule::names | Rule::member | Rule::members | Rule::column | Rule::param | Rule::table_by => "a name",
        Rule::text => "a text in quotes",
        Rule::number | Rule::amount | Rule::point_value | Rule::minus_number => "a number",
        Rule::expression | Rule::clause | Rule::operand | Rule::arm => "a value",
        _ => return None,
    })
}
