//! Rules that have been checked: ids only, nothing unresolved, nothing half-known.
//!
//! A program is made by [`crate::check`] and run by [`crate::run`]. Everything that happens is
//! code: short lists of [`Op`] for a stack machine that stops wherever it needs a die or an
//! answer. Everything that holds is a [`Clause`] under a [`Hold`]: read off the state whenever it
//! is asked for, never stored.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::dice::{Compare, Dice, Function, Operator, Pool, Rounding, Term};
use crate::plural::Plural;
use crate::source::Span;

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);
        impl $name {
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    KindId,
    TableId,
    /// A type of sheet.
    SheetId,
    EventId,
    ScenarioId,
    OptionId,
    CodeId,
    HoldId,
    WaitId,
    MessageId,
    QuestionId,
    FormId,
    /// An expectation (`then`) of a scenario.
    ExpectId,
}

/// One rule file with all it uses, ready to run.
#[derive(Debug, Clone, Default)]
pub struct Program {
    pub system: System,
    pub options: Vec<Choice>,
    pub kinds: Vec<Kind>,
    pub tables: Vec<Table>,
    pub sheets: Vec<Sheet>,
    pub events: Vec<Event>,
    pub scenarios: Vec<Scenario>,
    pub code: Vec<Code>,
    pub holds: Vec<Hold>,
    pub waits: Vec<Wait>,
    pub messages: Vec<Message>,
    /// Titles as written, for translators: `old_world/kind/condition/prone`. Running takes them
    /// from the things that bear them.
    pub titles: Vec<Message>,
    pub questions: Vec<Question>,
    pub forms: Vec<Form>,
    pub dice: Vec<Arc<Dice>>,
    pub expectations: Vec<Expectation>,
    /// The event that follows every check.
    pub check_event: Option<EventId>,
}

#[derive(Debug, Clone, Default)]
pub struct System {
    pub id: SmolStr,
    pub title: Arc<str>,
    /// Of the texts in the file: `es`.
    pub lang: SmolStr,
}

/// `option edition: srd2014 | srd2024 = srd2024`. Its value is the member's index.
#[derive(Debug, Clone)]
pub struct Choice {
    pub id: SmolStr,
    pub title: Arc<str>,
    pub members: Vec<Member>,
    pub default: u32,
}

#[derive(Debug, Clone)]
pub struct Kind {
    pub id: SmolStr,
    pub title: Arc<str>,
    pub members: Vec<Member>,
}

#[derive(Debug, Clone)]
pub struct Member {
    pub id: SmolStr,
    pub title: Arc<str>,
}

/// What a value can be. All but dice and lists are one 64-bit number at run time:
/// a member's, row's or state's index, a bit set (a kind in a set has at most 64 members),
/// yes 1 and no 0, a sheet's place in the story; [`NONE`] for none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// Whole numbers between the bounds, both included; `i64::MIN` and `i64::MAX` mean none.
    Number {
        low: i64,
        high: i64,
    },
    YesNo,
    Kind {
        kind: KindId,
        or_none: bool,
    },
    Row {
        table: TableId,
        or_none: bool,
    },
    /// The row that made a sheet which several tables make: the table's index times 2^32, and
    /// the row's.
    Made(SheetId),
    SetOfKind(KindId),
    SetOfRows(TableId),
    State(SheetId),
    /// A member of an option.
    Option(OptionId),
    Sheet {
        sheet: SheetId,
        or_none: bool,
    },
    /// Several sheets: what `ask … up to n of` gives.
    Sheets(SheetId),
    Dice,
    /// A message's index.
    Text,
}

/// None: no sheet, no member, no row.
pub const NONE: i64 = -1;

/// The largest kind or table that a set can be made of.
pub const SET_MEMBERS: usize = 64;

// ── Tables ──────────────────────────────────────────────────────────────────────────────────

#[derive(Debug, Clone)]
pub struct Table {
    pub id: SmolStr,
    pub title: Arc<str>,
    pub params: Vec<Param>,
    pub key: TableKey,
    /// Whose sheet the bodies write on, where the table says `for` or makes a sheet of an owner.
    pub subject: Option<SheetId>,
    pub makes: Option<Making>,
    pub cumulative: bool,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
    /// Every number a row answers, in ascending order without overlap.
    pub answers: Vec<Answer>,
    /// The row for all other numbers.
    pub otherwise: Option<u32>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum TableKey {
    /// Leaves a dice value; its locals are the table's arguments.
    Dice(CodeId),
    /// Looked up by a member: argument 0 is the key, and is one of `params`.
    Kind(KindId),
    /// Looked up by the row of another table: argument 0 is the key.
    Rows(TableId),
    /// Looked up by a number: argument 0 is the key.
    Number,
}

/// The sheet each row makes.
#[derive(Debug, Clone)]
pub struct Making {
    pub sheet: SheetId,
    /// Arguments and cells that the sheet keeps, by the sheet's slot.
    pub keeps: Vec<(u16, Kept)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    Argument(u16),
    Column(u16),
}

#[derive(Debug, Clone)]
pub struct Column {
    pub id: SmolStr,
    pub ty: Type,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Answer {
    pub low: i64,
    pub high: i64,
    pub row: u32,
}

#[derive(Debug, Clone)]
pub struct Row {
    pub id: SmolStr,
    /// The key as written canonically: `1-3`, `27+`, `else`, `-`.
    pub range: SmolStr,
    pub title: Option<MessageId>,
    pub prose: Option<MessageId>,
    pub cells: Vec<Cell>,
    /// Sends on to another row of the table, at most once a reading.
    pub instead: Option<Instead>,
    /// Locals: the table's arguments, then the row's own values. Self is the sheet made, or the
    /// table's subject.
    pub body: Option<CodeId>,
    /// Named values of the body that `title` and `prose` show: the local each stands in.
    /// A row read without its body shows `dice` for it, where the value is a roll.
    pub shown: Vec<Shown>,
    /// What holds on the sheet this row makes.
    pub clauses: Clauses,
    /// Values of the body that its blocks read, kept on the sheet made.
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct Shown {
    pub name: SmolStr,
    pub local: u16,
    /// As written, where the value is a roll: `1d10`.
    pub dice: Option<SmolStr>,
    pub ty: Type,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instead {
    pub row: u32,
    /// Pure; locals are the table's arguments, self the sheet asking (may be none).
    pub when: Option<CodeId>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell {
    Value(i64),
    Text(MessageId),
    /// Pure; locals are the table's arguments.
    Code(CodeId),
}

// ── Sheets ──────────────────────────────────────────────────────────────────────────────────

/// A type of sheet. A variant (`like`) begins with all its base has, at the same indices, so
/// that code written for the base runs on it.
#[derive(Debug, Clone)]
pub struct Sheet {
    pub id: SmolStr,
    pub title: Arc<str>,
    /// The type it belongs to (or a variant of that type).
    pub owner: Option<SheetId>,
    pub base: Option<SheetId>,
    /// Every slot of a sheet. Slot 0 is the state.
    pub slots: Vec<Slot>,
    pub values: Vec<Value>,
    pub checks: Vec<Check>,
    pub states: Vec<State>,
    /// The state is read off this slot.
    pub state_by: Option<StateBy>,
    /// Lists of other sheets: not stored; all sheets of that type this one owns, oldest first.
    pub lists: Vec<List>,
    pub clauses: Clauses,
    pub span: Span,
}

impl Sheet {
    pub fn is_final(&self, state: i64) -> bool {
        usize::try_from(state).ok().and_then(|s| self.states.get(s)).is_some_and(|s| s.is_final)
    }
}

/// One number of a sheet: a track, a wait's progress or a value kept from a row.
#[derive(Debug, Clone)]
pub struct Slot {
    pub id: SmolStr,
    pub title: Arc<str>,
    pub ty: Type,
    pub role: Role,
    /// Leaves the first value; self is the sheet, slots before this one are set. May roll.
    pub default: Option<CodeId>,
    /// Bounds that are worked out (pure, self is the sheet); `ty` has those that are numbers.
    pub low: Option<CodeId>,
    pub high: Option<CodeId>,
    pub stops: bool,
    pub anew: Option<EventId>,
    /// The block the track lives in. Outside it the slot has its type's zero.
    pub hold: Option<HoldId>,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    State,
    Track,
    /// Set from a row's argument, cell or body when the sheet is made; [`NONE`] otherwise.
    Kept,
    /// Of a [`HoldKind::Timer`] or of a block with tracks: 0 not begun, [`NONE`] over, else how
    /// far it has come (see the machine).
    Progress,
}

/// `value max_points = base_points`, plus what clauses add to it.
#[derive(Debug, Clone)]
pub struct Value {
    pub id: SmolStr,
    pub title: Arc<str>,
    pub params: Vec<Param>,
    pub ty: Type,
    /// Pure; locals are the arguments, self the sheet.
    pub formula: CodeId,
}

#[derive(Debug, Clone)]
pub struct Check {
    pub id: SmolStr,
    pub title: Arc<str>,
    pub params: Vec<Param>,
    /// Leaves the number rolled; locals are the arguments, self the sheet.
    pub formula: CodeId,
    /// Pure; locals are the arguments, then the number; leaves yes or no.
    pub passes: CodeId,
}

#[derive(Debug, Clone)]
pub struct State {
    pub id: SmolStr,
    pub title: Arc<str>,
    pub is_final: bool,
    /// States that `->` may lead to, as bits.
    pub next: u64,
}

#[derive(Debug, Clone)]
pub struct StateBy {
    pub slot: u16,
    /// In ascending order, covering every number.
    pub answers: Vec<Answer>,
}

#[derive(Debug, Clone)]
pub struct List {
    pub id: SmolStr,
    pub title: Arc<str>,
    pub sheet: SheetId,
    /// At most so many.
    pub most: u32,
}

#[derive(Debug, Clone)]
pub struct Param {
    pub id: SmolStr,
    pub title: Arc<str>,
    pub ty: Type,
    /// Leaves the value where none is given; locals are the arguments before it, self the sheet
    /// that is asked (none for tables and scenarios).
    pub default: Option<CodeId>,
    /// For `one of … where …`: leaves the list to pick from; self is the sheet that is asked.
    pub choices: Option<CodeId>,
}

// ── What holds ──────────────────────────────────────────────────────────────────────────────

/// Everything that holds or listens, as written on a sheet's type or on a row that makes one.
#[derive(Debug, Clone, Default)]
pub struct Clauses {
    /// In the order written.
    pub handlers: Vec<Handler>,
    pub adds: Vec<Add>,
    pub has: Vec<Has>,
    pub cannot: Vec<Cannot>,
    /// Holds that have a beginning and an end to be told: tracks, a time, `on enter`, `on leave`.
    /// An outer one stands before those inside it.
    pub phases: Vec<Phase>,
}

impl Clauses {
    /// Whether nothing holds or listens.
    pub fn is_empty(&self) -> bool {
        self.handlers.is_empty()
            && self.adds.is_empty()
            && self.has.is_empty()
            && self.cannot.is_empty()
            && self.phases.is_empty()
    }
}

/// A block: in force as long as its reason is there, and the block around it is in force.
#[derive(Debug, Clone)]
pub struct Hold {
    pub around: Option<HoldId>,
    pub kind: HoldKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum HoldKind {
    /// Pure; self is the sheet that bears the block.
    While(CodeId),
    /// In these states (bits) of the sheet that bears it: `until treated`, a state's braces,
    /// `while healed`.
    States(u64),
    /// As long as the sheet is there, whatever its state.
    Ever,
    /// From when its surroundings hold until a wait is over. Its progress stands in the slot.
    Timer { wait: WaitId, slot: u16 },
}

/// A block whose beginning and end are told.
#[derive(Debug, Clone)]
pub struct Phase {
    pub hold: HoldId,
    /// Where it is remembered whether it has begun (1) or not (0). For a timer, its own slot.
    pub slot: u16,
    /// For a `for` block: leaves how long it lasts. May roll.
    pub amount: Option<CodeId>,
    /// Tracks that live in it: set to their default as it begins.
    pub tracks: Vec<u16>,
    pub enter: Option<CodeId>,
    pub leave: Option<CodeId>,
    /// When the time has run out, and only then.
    pub then: Option<CodeId>,
}

/// When a wait is over.
#[derive(Debug, Clone, Default)]
pub struct Wait {
    /// Any of these events ends it at once.
    pub any: Vec<EventId>,
    /// These events, one after the other, end it: `end_of_next_turn` is `turn`, `turn_end`.
    pub sequence: Vec<EventId>,
    /// So many of this event end it (`for 3 day`); the number is worked out when it begins.
    pub counted: Option<EventId>,
    /// States (bits) of the sheet concerned that end it.
    pub states: u64,
    /// For what is suffered `for … then`: runs when the time has run out; self is the sufferer.
    pub then: Option<CodeId>,
}

/// `on damage(amount, type) when … { … }`
#[derive(Debug, Clone)]
pub struct Handler {
    pub event: EventId,
    pub before: bool,
    pub hold: Option<HoldId>,
    /// Pure; locals are the event's arguments, self the sheet that listens.
    pub guard: Option<CodeId>,
    pub body: CodeId,
    pub span: Span,
}

/// Where a clause has its effect: how many owners up from the sheet that bears it.
pub type Up = u8;

/// `+2 to harder(bio or tec, sight) when …`
#[derive(Debug, Clone)]
pub struct Add {
    pub up: Up,
    pub value: u16,
    /// One for each parameter of the value; `None`: any. Pure: leaves a set (for kinds and rows)
    /// or a value.
    pub args: Vec<Option<Pattern>>,
    /// Pure.
    pub amount: CodeId,
    /// Of all that say `best counts` only the greatest is added.
    pub best: bool,
    pub when: Option<CodeId>,
    pub hold: Option<HoldId>,
    pub span: Span,
}

/// What an argument must be for a clause to apply. Pure code, self is the sheet that bears it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    Equal(CodeId),
    Within(CodeId),
}

/// `has prone, badly_wounded when …`
#[derive(Debug, Clone)]
pub struct Has {
    pub up: Up,
    pub slot: u16,
    /// Pure; leaves a set.
    pub what: CodeId,
    pub when: Option<CodeId>,
    pub hold: Option<HoldId>,
    pub span: Span,
}

/// `cannot act(aim) when …`. What is forbidden does not happen, and the trace says so.
#[derive(Debug, Clone)]
pub struct Cannot {
    pub up: Up,
    pub what: Forbidden,
    pub when: Option<CodeId>,
    pub hold: Option<HoldId>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum Forbidden {
    Event {
        event: EventId,
        args: Vec<Option<Pattern>>,
    },
    /// `cannot suffer(prone)`: members of the set are not suffered. Pure.
    Suffering {
        slot: u16,
        what: CodeId,
    },
}

// ── Events ──────────────────────────────────────────────────────────────────────────────────

#[derive(Debug, Clone)]
pub struct Event {
    pub id: SmolStr,
    pub title: Arc<str>,
    pub params: Vec<Param>,
    /// For the events of clocks: how long the unit is, 0 the shortest.
    pub clock: Option<u32>,
    /// May come back to a sheet within its own cascade; each sheet answers once a cascade.
    pub spreading: bool,
    pub span: Span,
}

// ── Scenarios ───────────────────────────────────────────────────────────────────────────────

#[derive(Debug, Clone)]
pub struct Scenario {
    pub id: SmolStr,
    pub title: Arc<str>,
    pub params: Vec<Param>,
    /// Locals: the arguments, then the scenario's own values. Ends in an [`Op::Finish`],
    /// [`Op::FinishCase`] or [`Op::FinishState`].
    pub code: CodeId,
    /// Named outcomes, in order, for listings.
    pub cases: Vec<Member>,
    /// Values of dice that the scenario gives itself.
    pub dice: Option<Vec<i64>>,
    /// Where each of them stands.
    pub dice_spans: Vec<Span>,
    pub expectations: Vec<ExpectId>,
    /// How likely its outcomes have to be.
    pub chances: Vec<Chance>,
    /// Runs with other arguments and dice, each by itself.
    pub lines: Vec<CaseLine>,
    /// Where it says that its trace is kept.
    pub snapshot: Option<Span>,
    /// Whether its odds are kept, and by how much they may move.
    pub odds: Option<KeptOdds>,
    pub span: Span,
    /// From its first word to its last step.
    pub whole: Span,
}

/// `then chance(dead) < 41%`
#[derive(Debug, Clone)]
pub struct Chance {
    /// As [`crate::run::Outcome::text`] has it.
    pub outcome: SmolStr,
    pub is: ChanceIs,
    pub span: Span,
}

/// What a chance has to be. Shares are numerator and denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChanceIs {
    Compared(Compare, (i64, u64)),
    /// Both included.
    Between((i64, u64), (i64, u64)),
}

/// `snapshot odds within 0.5%`
#[derive(Debug, Clone, Copy)]
pub struct KeptOdds {
    /// The most by which any chance may move, as numerator and denominator; from 0 to 1.
    pub within: (i64, u64),
    pub span: Span,
}

/// `case health = -3, dice 2 -> unconscious`
#[derive(Debug, Clone)]
pub struct CaseLine {
    /// By the scenario's parameters; `None` where the default is taken.
    pub args: Vec<Option<Constant>>,
    /// Dice that come after the scenario's own, and where each stands.
    pub dice: Vec<(i64, Span)>,
    /// What it comes to, as [`crate::run::Outcome::text`] has it, and where that stands.
    pub comes_to: Option<(SmolStr, Span)>,
    pub span: Span,
}

/// A value that is known before anything runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Constant {
    Number(i64),
    Dice(Arc<Dice>),
}

#[derive(Debug, Clone)]
pub struct Expectation {
    pub span: Span,
    /// Where it compares: what stands on each side. The code leaves both before the answer.
    pub sides: Option<(Type, Type)>,
    pub asks: Asks,
}

/// What an expectation asks, for whoever tells that it is not met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asks {
    /// How its two sides compare.
    Compared(Compare),
    /// Whether the condition on the right is among those on the left.
    Condition,
    /// Whether there is any, or, negated, none.
    Any { negated: bool },
    /// Some yes or no.
    Other,
}

// ── Texts and questions ─────────────────────────────────────────────────────────────────────

/// A text of the rules, keyed by the path of ids: `old_world/wound/broken_leg`.
#[derive(Debug, Clone)]
pub struct Message {
    pub path: Arc<str>,
    pub one: Arc<str>,
    pub many: Option<Arc<str>>,
    /// From `///`, for translators.
    pub comment: Option<Arc<str>>,
    /// Names in braces, in the order of the locals that hold them.
    pub names: Vec<SmolStr>,
    /// In place of `one` and `many`, where a translation has other forms than these two.
    pub forms: Option<Arc<Forms>>,
    pub span: Span,
}

/// The forms of a translated text, one for each plural form of its language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forms {
    pub texts: Vec<Arc<str>>,
    pub plural: Arc<Plural>,
    /// The name in braces whose value decides; without one, the first value there is.
    pub counted: Option<SmolStr>,
}

impl Forms {
    /// The text for a number; where it is not known, as for dice not rolled, the last form, which
    /// serves most numbers.
    pub fn text(&self, number: Option<i64>) -> &str {
        let form = number.and_then(|number| self.plural.form(number.unsigned_abs()));
        let text = form.and_then(|form| self.texts.get(form)).or(self.texts.last());
        text.map_or("", |text| text)
    }
}

/// Names in braces in a text, with their place in the text's value. `{{` and `}}` are braces.
pub fn placeholders(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(open) = text[rest..].find('{').map(|i| i + rest) {
        if text[open + 1..].starts_with('{') {
            rest = open + 2;
            continue;
        }
        let Some(close) = text[open..].find('}').map(|i| i + open) else {
            found.push((open, &text[open + 1..]));
            break;
        };
        found.push((open, &text[open + 1..close]));
        rest = close + 1;
    }
    found
}

#[derive(Debug, Clone)]
pub struct Question {
    pub master: bool,
    pub id: SmolStr,
    pub text: Option<MessageId>,
    pub ty: Type,
    /// For choices among sheets: whether one is asked for, or up to so many.
    pub several: bool,
    /// Locals that the text shows, in the order of [`Message::names`].
    pub values: Box<[(u16, Type)]>,
    pub span: Span,
}

// ── Code ────────────────────────────────────────────────────────────────────────────────────

#[derive(Debug, Clone, Default)]
pub struct Code {
    pub ops: Vec<Op>,
    /// How many locals a frame has; the arguments come first.
    pub locals: u16,
    /// From this operation on, this is the sentence; ascending.
    pub places: Vec<(u32, Span)>,
    /// Where the rules go one way or the other.
    pub branches: Vec<Branch>,
}

/// A place where rules go one way or the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// The operation that decides: a jump, or the return of code that is a condition. Of rows rolled
    /// in a sentence: where this row begins.
    pub op: u32,
    /// Whether it answers yes or no; otherwise it is a row.
    pub is_condition: bool,
    /// The condition, or the row's key.
    pub span: Span,
}

/// A dice expression with holes, filled from the stack (hole 0 was pushed first). A hole takes a
/// number or a dice value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Form {
    Number(i64),
    Hole(u16),
    Term(Box<Term<Form>>),
    Pool(Box<Pool<Form>>),
    Operation(Operator, Box<Form>, Box<Form>),
    Negate(Box<Form>),
    Function(Function, Vec<Form>),
    Label(Box<Form>, Box<str>),
}

/// One step. `a, b -> c`: takes b from the top of the stack, then a; leaves c.
#[derive(Debug, Clone, PartialEq)]
pub enum Op {
    // Values
    /// `-> n`
    Push(i64),
    /// `-> dice`: of [`Program::dice`]
    PushDice(u32),
    Load(u16),
    Store(u16),
    Drop,
    /// `a -> a, a`
    Copy,
    /// `-> sheet`: whose code this is; [`NONE`] in tables and scenarios read by themselves
    Me,
    /// `sheet -> owner`
    Owner,
    /// `-> member`: the option's
    Option(OptionId),

    // Reading a sheet
    /// `sheet -> value`
    Slot(u16),
    /// `sheet -> set`: a set of conditions with all that blocks give it and what is suffered for a time
    Conditions(u16),
    /// `sheet -> state`
    State,
    /// `sheet, args… -> value`: with what is added to it. Found in the sheet's own type.
    Value {
        value: u16,
        args: u8,
    },
    /// `sheet -> row`: the row that made it, [`NONE`] where none did
    RowOf,
    /// `sheet -> row`: likewise, for [`Type::Made`]
    MadeBy,

    // Numbers (checked: overflow is a fault)
    Add,
    Subtract,
    Multiply,
    Divide(Rounding),
    Remainder,
    Negate,
    Abs,
    Min,
    Max,
    Compare(Compare),
    Not,

    // Sets
    /// `member -> set`; none gives the empty set
    Single,
    Union,
    /// `a, b -> what is in a and not in b`
    Without,
    /// `member, set -> yes/no`; none is in no set
    Within,
    /// `set -> n`
    Size,

    // Lists of sheets
    /// `owner -> sheets`: all sheets of the type (or a variant) it owns, oldest first
    Owned(SheetId),
    /// `-> sheets`: all of the type (or a variant) in the story
    Everyone(SheetId),
    /// `-> sheets`
    NoSheets,
    /// `sheets, sheet -> sheets`
    Append,
    /// `sheets -> n`
    Length,
    /// `sheets, i -> sheet`; [`NONE`] beyond the end
    Nth,

    // Jumps: to an operation of the same code
    Jump(u32),
    JumpIf(u32),
    JumpUnless(u32),
    /// `n ->`: to where the number's range leads; the fault [`crate::diagnostics::Code::RunRow`] where none does
    Switch(Box<[(Answer, u32)]>, Option<u32>),
    Return,

    // Dice
    /// `holes… -> dice`
    Build {
        form: FormId,
        holes: u8,
    },
    /// `dice -> dice`
    Maximum,
    Minimum,
    Twice,
    Exploding(u32),
    /// `dice -> total`. Stops for the dice.
    Roll,
    /// `set -> member`: stops for one die with as many faces as members; none of the empty set;
    /// no die for a single member
    PickMember(Type),
    /// `sheets -> sheet`: likewise
    PickSheet,

    // Tables
    /// `args… -> row`: rolls (or looks up), follows `instead`
    Read {
        table: TableId,
        args: u8,
    },
    /// `args…, row -> value`
    Cell {
        table: TableId,
        column: u16,
        args: u8,
    },
    /// `args… ->`: reads a row and makes it happen, on [`Op::Me`]'s sheet or its owner
    Happen {
        table: TableId,
        args: u8,
        on: On,
    },
    /// `args… ->`: makes this row happen, without dice
    Take {
        table: TableId,
        row: u32,
        args: u8,
        on: On,
    },

    // Checks
    /// `sheet, args… -> number` or, where `passes`, yes or no
    Check {
        check: u16,
        args: u8,
        passes: bool,
    },

    // What happens
    /// `sheet, value ->`
    Set {
        slot: u16,
        change: Change,
    },
    /// `sheet, set ->`, and `amount` on top where the wait counts
    Suffer {
        slot: u16,
        wait: Option<WaitId>,
    },
    /// `sheet, set ->`
    Lose {
        slot: u16,
    },
    /// `sheet ->`
    Go {
        state: u32,
    },
    /// `args… ->`, and the sheet sent to first where `to`. Without it: the sheet at the root of
    /// [`Op::Me`]; in a scenario every root sheet, in story order.
    Fire {
        event: EventId,
        args: u8,
        to: bool,
    },
    /// Shows a text with these locals.
    Say {
        message: MessageId,
        values: Box<[(u16, Type)]>,
    },
    /// `least, most, default -> answer` for numbers; `default -> answer` for yes/no and kinds;
    /// `sheets, most, default -> sheets` or `sheets, default -> sheet` for choices among sheets
    Ask(QuestionId),
    /// Ends the handler when its block has ended or its sheet's state is final.
    StillHolds,

    // Scenarios
    /// `-> sheet`: a new one at the root of the story, all slots zero
    New(SheetId),
    /// `sheet ->`: the slot's own default
    Default {
        slot: u16,
    },
    /// `sheet, value ->`: given, not told; bounds are checked
    Give {
        slot: u16,
    },
    /// `sheet, value ->`: in place of the value's formula
    GiveValue {
        value: u16,
    },
    /// `sheet ->`
    GiveState {
        state: u32,
    },
    /// `sheet ->`: begins the blocks that hold, with their tracks, firing nothing
    Settle,
    /// `owner, n ->`: so many sheets made by this row, firing nothing
    GiveRows {
        table: TableId,
        row: u32,
    },
    /// `name's answer ->`: for every question of that name from here on; the message's path names it
    Answer(SmolStr),
    /// One more turn of a `repeat`; a fault over the limit
    Again,
    /// `yes/no ->`, or `left, right, yes/no ->` where the expectation has sides
    Expect(ExpectId),
    /// `values… ->`: the outcome, joined by `/`
    Finish(Box<[Type]>),
    FinishCase(u32),
    /// The state of the first sheet given
    FinishState,
}

/// Whose sheet a table's row happens on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// So many owners up from [`Op::Me`].
    Up(Up),
    /// The first root sheet of the table's subject type; a scenario's.
    First,
    /// Nobody's: a table without a subject.
    Nobody,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    To,
    Up,
    Down,
    Raise,
    Lower,
}

#[cfg(test)]
mod tests {
    use super::placeholders;

    #[test]
    fn doubled_braces_are_braces() {
        assert_eq!(placeholders("a {b} {{c}} {d"), vec![(2, "b"), (12, "d")]);
    }
}
