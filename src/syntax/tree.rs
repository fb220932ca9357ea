//! What a rule file says, as written: names are not resolved, numbers not worked out.
//! Every node knows where it stands. A part that could not be read is left out; the
//! fault stands in the diagnostics beside the tree.

use smol_str::SmolStr;

use crate::dice::{Compare, Pool, Rounding, Term};
use crate::source::Span;

/// One file.
#[derive(Debug, Clone, Default)]
pub struct File {
    pub items: Vec<Item>,
    /// False where a part could not be read. Such a file is not formatted, and what is
    /// missing in it is not taken as a fault of the rest.
    pub whole: bool,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Name {
    pub text: SmolStr,
    pub span: Span,
}

/// A string between double quotes, its escapes resolved (`\"`, `\\`, `\n`).
#[derive(Debug, Clone, PartialEq)]
pub struct Text {
    pub value: SmolStr,
    /// With the quotes.
    pub span: Span,
}

/// Something at the top of a file.
#[derive(Debug, Clone)]
pub struct Item {
    /// The lines of `///` before it, without the slashes, joined by line breaks.
    pub doc: Option<Text>,
    pub kind: ItemKind,
    /// The whole item.
    pub span: Span,
}

#[allow(clippy::large_enum_variant)] // a file has few items, and most are large ones
#[derive(Debug, Clone)]
pub enum ItemKind {
    /// `system old_world "El Viejo Mundo" lang es`
    System {
        name: Name,
        title: Option<Text>,
        lang: Option<Name>,
    },
    /// `dialect roll20`
    Dialect(Name),
    /// `option edition "Edición": srd2014 "2014" | srd2024 "2024" = srd2024`
    Option {
        name: Name,
        title: Option<Text>,
        members: Vec<Member>,
        default: Option<Name>,
    },
    /// `use "old_world.rules"`
    Use(Text),
    /// `clock turn "turno" < battle "batalla"`, from the shortest to the longest
    Clock(Vec<Member>),
    /// `time end_of_next_turn "…" = turn_end after turn`: `turn` first, then `turn_end`
    Time {
        name: Name,
        title: Option<Text>,
        event: Name,
        after: Name,
    },
    /// `kind side "Lado" = left "izquierdo" | right "derecho"`; `extend kind condition = …` adds members
    Kind {
        extend: bool,
        name: Name,
        title: Option<Text>,
        members: Vec<Member>,
    },
    Table(Table),
    Sheet(Sheet),
    Scenario(Scenario),
}

/// One name of a closed list, with its title.
#[derive(Debug, Clone)]
pub struct Member {
    pub name: Name,
    pub title: Option<Text>,
}

// ── Tables ──────────────────────────────────────────────────────────────────────────────────

/// `table wound(untreated: 0..40 = 0) "Tabla de heridas" = (1 + untreated)d10 makes injury`
#[derive(Debug, Clone)]
pub struct Table {
    /// `extend table wound { … }`: only the name, the rows and what to remove are read.
    pub extend: bool,
    pub name: Name,
    pub params: Vec<Param>,
    pub title: Option<Text>,
    pub key: Option<TableKey>,
    /// `for pilot`: whose sheet a row's body writes on.
    pub subject: Option<Name>,
    /// `makes injury`: the sheet each row makes.
    pub makes: Option<Name>,
    /// `cumulative`: every row reached applies, not only the one hit.
    pub cumulative: bool,
    pub columns: Vec<Column>,
    pub rows: Vec<Row>,
    /// `remove graze`, in an extension.
    pub removed: Vec<Name>,
    /// From the keyword to the brace.
    pub head: Span,
}

#[derive(Debug, Clone)]
pub enum TableKey {
    /// `= 2d6`
    Dice(Expr),
    /// `by site`: a kind, or the rows of another table
    Kind(Name),
    /// `by margin: 0..20`
    Number(Param),
}

/// `price: 0..1000`. One column for each member of a kind: `each attribute: -2..2`.
#[derive(Debug, Clone)]
pub struct Column {
    pub name: Name,
    /// `each KIND`: as many columns as the kind has members, in its order.
    pub each: bool,
    pub ty: Type,
}

#[derive(Debug, Clone)]
pub struct Row {
    pub doc: Option<Text>,
    pub key: Key,
    /// Absent where the key is a name, or where the row has only a text.
    pub id: Option<Name>,
    pub title: Option<Text>,
    pub cells: Vec<Expr>,
    /// The paragraph: one text, or singular and plural.
    pub prose: Vec<Text>,
    pub body: Option<Body>,
    /// The whole row.
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct Key {
    pub kind: KeyKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum KeyKind {
    /// `1-3`, `4`, `27+`, `..-12`, `2, 7-12`, each with its place. As written: may run backwards.
    Numbers(Vec<KeyRange>),
    /// A member of the table's kind.
    Name(Name),
    /// `else`: whatever no other row answers
    Else,
    /// `-`: no die answers this row; it is taken by name
    Never,
}

/// Both ends count. `None`: no bound on that side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyRange {
    pub low: Option<i64>,
    pub high: Option<i64>,
    pub span: Span,
}

// ── Sheets ──────────────────────────────────────────────────────────────────────────────────

/// `sheet injury "Herida" of character { … }`
#[derive(Debug, Clone)]
pub struct Sheet {
    /// `extend sheet character { … }`
    pub extend: bool,
    pub name: Name,
    pub title: Option<Text>,
    /// `of character`: it belongs to one.
    pub owner: Option<Name>,
    /// `like character`: everything that sheet has, changed by what stands here.
    pub like: Option<Name>,
    pub parts: Vec<Part>,
    pub head: Span,
}

/// What stands in a sheet, in a state's braces or in a block.
#[derive(Debug, Clone)]
pub struct Part {
    pub doc: Option<Text>,
    pub kind: PartKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum PartKind {
    /// `teeth "Dientes": 0..32 = 32 stops`
    Track(Track),
    /// `value attack_dice "Dados de ataque" = 3`; `value site: site = …`
    Value {
        name: Name,
        params: Vec<Param>,
        title: Option<Text>,
        ty: Option<Type>,
        formula: Expr,
    },
    /// `check endurance(need: 1..10 = 1) "Aguante" = (toughness)d10<=(skill) passes on (need)+`
    Check {
        name: Name,
        params: Vec<Param>,
        title: Option<Text>,
        formula: Expr,
        passes: Range,
    },
    /// `event act(what: action) "Actúa"`; `spreading event panic`
    Event {
        name: Name,
        params: Vec<Param>,
        title: Option<Text>,
        spreading: bool,
    },
    /// `states alive "vivo" -> dead "muerto" final`
    States(Vec<StateStep>),
    /// `state by health { -5..0 hurt "Dañado" { … } }`
    StateBy {
        track: Name,
        rows: Vec<StateRow>,
    },
    Handler(Handler),
    Block(Block),
    /// `+1 to rough_ground`, `-fewer to max_points`, `+2 to harder(bio or tec, sight) when …`
    Add {
        amount: Expr,
        value: Name,
        args: Vec<Arg>,
        best: bool,
        when: Option<Expr>,
    },
    /// `has prone, badly_wounded when …`
    Has {
        what: Vec<Expr>,
        when: Option<Expr>,
    },
    /// `cannot act(aim) when …`; `cannot suffer(prone)`
    Cannot {
        event: Name,
        args: Vec<Arg>,
        when: Option<Expr>,
    },
    /// `needed = 4`: another default for a track or formula for a value that this sheet has from elsewhere
    Default {
        name: Name,
        value: Expr,
    },
    /// `remove taken`
    Remove(Name),
}

#[derive(Debug, Clone)]
pub struct Track {
    pub name: Name,
    pub title: Option<Text>,
    pub ty: Type,
    pub default: Option<Expr>,
    /// Stays at its bound instead of leaving it.
    pub stops: bool,
    /// `anew each day_end`: goes back to its default after that event.
    pub anew: Option<Name>,
}

/// `alive "vivo" final`: one place of a chain; several names stand side by side (`-> stable, dead`).
#[derive(Debug, Clone)]
pub struct StateStep {
    pub states: Vec<StateName>,
}

#[derive(Debug, Clone)]
pub struct StateName {
    pub name: Name,
    pub title: Option<Text>,
    pub is_final: bool,
}

#[derive(Debug, Clone)]
pub struct StateRow {
    pub key: Key,
    pub state: StateName,
    pub parts: Vec<Part>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct Handler {
    pub before: bool,
    /// `replace on damage(…)`, in an extension or variant
    pub replace: bool,
    pub event: Name,
    /// Types may be left out where the event is declared elsewhere.
    pub params: Vec<Param>,
    pub title: Option<Text>,
    pub when: Option<Expr>,
    pub body: Body,
}

/// `until treated { … }`, `for 3 day { … } then recovered`
#[derive(Debug, Clone)]
pub struct Block {
    pub hold: Hold,
    pub parts: Vec<Part>,
    pub then: Option<Body>,
    pub span: Span,
}

/// What keeps a block in force.
#[derive(Debug, Clone)]
pub enum Hold {
    While(Expr),
    /// States or events: over when any of them comes.
    Until(Vec<Name>),
    For {
        amount: Expr,
        clock: Name,
    },
    Ever,
}

// ── Names with types ────────────────────────────────────────────────────────────────────────

#[derive(Debug, Clone)]
pub struct Param {
    pub name: Name,
    pub title: Option<Text>,
    pub ty: Option<Type>,
    pub default: Option<Expr>,
}

#[derive(Debug, Clone)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum TypeKind {
    /// `0..20`, `..max_health`, `0..`
    Range(Range),
    /// `number`: any whole number
    Number,
    YesNo,
    Dice,
    Text,
    /// A kind, the rows of a table, or a sheet; `or none`
    Named {
        name: Name,
        or_none: bool,
    },
    /// `set of condition`
    Set(Name),
    /// `list of injury up to 60`
    List {
        sheet: Name,
        most: Option<Expr>,
    },
    /// `one of injuries where untreated`
    OneOf(List),
    /// `up to found of character`
    UpTo {
        most: Expr,
        list: List,
    },
}

/// `1..10`, `1+` and `1..`, `..20`, `7`. Ends are numbers, names or stand in parentheses.
#[derive(Debug, Clone)]
pub struct Range {
    pub low: Option<Expr>,
    pub high: Option<Expr>,
    pub span: Span,
}

/// `other injuries where row == my row`
#[derive(Debug, Clone)]
pub struct List {
    pub other: bool,
    /// A list track, a sheet's name (all of that type in the story), a field (`by.injuries`),
    /// or a choice of several (`chosen`).
    pub of: Box<Expr>,
    pub filter: Option<Box<Expr>>,
    pub span: Span,
}

// ── Sentences ───────────────────────────────────────────────────────────────────────────────

#[derive(Debug, Clone, Default)]
pub struct Body {
    pub sentences: Vec<Sentence>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub struct Sentence {
    pub kind: SentenceKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum SentenceKind {
    /// `teeth -= lost`; `hand = random arms` (a new value, or a track); `hurt.operated = yes`
    Set {
        target: Expr,
        change: Change,
        value: Expr,
    },
    /// `suffer prone, blinded until end_of_next_turn`; `suffer in_hospital for 3 day then discharge`
    Suffer {
        what: Vec<Expr>,
        to: Option<Expr>,
        wait: Option<Wait>,
    },
    /// `lose staggered`
    Lose {
        what: Vec<Expr>,
        from: Option<Expr>,
    },
    /// `roll limb(place, lasting)`: a table, made to happen; or a check, for its own sake
    Roll(Expr),
    /// `take festering of wound`: a row without dice
    Take {
        row: Name,
        table: Name,
        args: Vec<Arg>,
    },
    /// `roll 1d20 { 1 { … } 2-9 { … } }`
    RollRows {
        dice: Expr,
        rows: Vec<InlineRow>,
    },
    If {
        arms: Vec<(Expr, Body)>,
        otherwise: Option<Body>,
    },
    /// `each injuries where treated { … }`
    Each {
        list: List,
        body: Body,
    },
    /// `ask player spend: 0..6 = 0 "¿…?"`
    Ask {
        who: Who,
        name: Name,
        ty: Type,
        default: Expr,
        question: Option<Text>,
    },
    /// One text, or singular and plural.
    Say(Vec<Text>),
    /// `-> dead`, `hurt -> treated`
    Go {
        sheet: Option<Expr>,
        state: Name,
    },
    /// `damage(5, fire) to foe`, `foe.damage(5)` is not a form
    Fire {
        event: Name,
        args: Vec<Arg>,
        to: Option<Expr>,
    },
    /// `instead next when …`, `instead torn_face`: first in a row's body
    Instead {
        row: Name,
        when: Option<Expr>,
    },
    /// In the body of a row that makes a sheet.
    Block(Block),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// `=`
    To,
    /// `+=`
    Up,
    /// `-=`
    Down,
    /// `raise x to n`: never lowers it
    Raise,
    /// `lower x to n`: never raises it
    Lower,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Player,
    Master,
}

/// How long what is suffered lasts.
#[derive(Debug, Clone)]
pub enum Wait {
    /// States or events.
    Until(Vec<Name>),
    For {
        amount: Expr,
        clock: Name,
        then: Option<Body>,
    },
}

#[derive(Debug, Clone)]
pub struct InlineRow {
    pub key: Key,
    pub body: Body,
    pub span: Span,
}

/// `damage(amount: 5)`, `damage(5)`
#[derive(Debug, Clone)]
pub struct Arg {
    pub name: Option<Name>,
    pub value: Expr,
}

// ── Expressions ─────────────────────────────────────────────────────────────────────────────

#[derive(Debug, Clone)]
pub struct Expr {
    pub kind: Box<ExprKind>,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum ExprKind {
    Number(i64),
    Yes,
    No,
    /// `none`: nobody, nothing, the empty set
    None,
    /// `all`: every member of the kind
    All,
    /// A cell of text.
    Text(Text),
    Name(Name),
    /// `my row`: of the sheet whose rules these are, inside `where` or `each`
    My(Name),
    /// `by.supplies`
    Field(Expr, Name),
    /// `harder(bio, effort)`, `max(a, b)`, `maximum(damage)`, `surgery(torso)`, `medicine(10)`
    Call(Name, Vec<Arg>),
    /// `by.medicine(10)`
    CallOf(Expr, Name, Vec<Arg>),
    /// `exploding(damage, top 2)`
    Exploding(Expr, u32),
    Dice(Term<Expr>),
    Pool(Pool<Expr>),
    /// `1d6[fire]`
    Label(Expr, SmolStr),
    /// In parentheses, kept so that `(2d6) >= 7` differs from `2d6>=7`.
    Group(Expr),
    /// `(fire, cold)`
    Set(Vec<Expr>),
    Negate(Expr),
    Not(Expr),
    Arithmetic(Arithmetic, Expr, Expr),
    Compare(Compare, Expr, Expr),
    And(Expr, Expr),
    Or(Expr, Expr),
    /// `type in immune`, `what not in (aim, move)`
    In {
        item: Expr,
        set: Expr,
        negated: bool,
    },
    /// `2 if critical else 1`
    If {
        then: Expr,
        condition: Expr,
        otherwise: Expr,
    },
    /// `roll damage`, `roll location`, `roll endurance(2)`
    Roll(Expr),
    /// `random arms`
    Random(Expr),
    /// `count injuries where untreated`
    Query {
        query: Query,
        list: List,
    },
    /// `endurance passes`, `by.recall fails`
    Passes {
        check: Expr,
        passes: bool,
    },
}

impl Expr {
    /// `prone`, `leo.down`
    pub fn is_name(&self) -> bool {
        matches!(&*self.kind, ExprKind::Name(_) | ExprKind::Field(..))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    /// `None`: the rounding is not named, which the checker takes as a fault.
    Divide(Option<Rounding>),
    Remainder,
}

#[derive(Debug, Clone)]
pub enum Query {
    Count,
    Any,
    /// `first injuries`: the oldest, or none
    First,
    /// `last injuries`: the newest, or none
    Last,
    /// `sum lost of injuries where …`
    Sum(Expr),
    /// `highest lost of injuries`; 0 where there is none
    Highest(Expr),
    Lowest(Expr),
}

// ── Scenarios ───────────────────────────────────────────────────────────────────────────────

/// `scenario to_death(untreated: 0..20 = 0) "…" { … }`
#[derive(Debug, Clone)]
pub struct Scenario {
    pub name: Name,
    pub params: Vec<Param>,
    pub title: Option<Text>,
    pub steps: Vec<Step>,
    pub head: Span,
}

#[derive(Debug, Clone)]
pub struct Step {
    pub kind: StepKind,
    pub span: Span,
}

#[derive(Debug, Clone)]
pub enum StepKind {
    /// `given creature foe { hp = 0; state = dying }`
    Given {
        sheet: Name,
        name: Option<Name>,
        sets: Vec<GivenSet>,
    },
    /// `answer spend = 2`: for every question of that name from here on
    Answer {
        name: Name,
        value: Expr,
    },
    /// `dice 7 3 5`: values of the dice, in order
    Dice(Vec<(i64, Span)>),
    /// `when damage(5, fire) to foe`
    When(Sentence),
    /// `repeat turn until stable, dead`: any of them ends it
    Repeat {
        what: Sentence,
        until: Vec<Expr>,
    },
    /// `then hp == 0`
    Then(Expr),
    /// `hurt = first injuries`, `what = roll critical(damage)`
    Let {
        name: Name,
        value: Expr,
    },
    Outcome(Outcome),
    /// `then chance(dead) < 41%`
    Chance(ChanceLine),
    /// `case health = -3, dice 2 -> unconscious`
    Case(CaseLine),
    /// `snapshot`: the trace is kept
    Snapshot,
    /// `snapshot odds within 0.5%`: the chance of every outcome is kept
    SnapshotOdds(Option<Tolerance>),
}

/// By how much a chance may move: numerator and denominator, with the place.
#[derive(Debug, Clone, Copy)]
pub struct Tolerance {
    pub share: (i64, i64),
    pub span: Span,
}

/// How likely an outcome is to be.
#[derive(Debug, Clone)]
pub struct ChanceLine {
    /// As `run` prints it.
    pub outcome: (SmolStr, Span),
    /// How it is compared; `None` between the two shares, both included.
    pub compare: Option<Compare>,
    /// Each as numerator and denominator, with its place: one, or two where it is between them.
    pub shares: Vec<((i64, i64), Span)>,
    /// `chance(dead) < 41%`
    pub span: Span,
}

/// One run of a scenario: its arguments, its dice, and what it comes to.
#[derive(Debug, Clone)]
pub struct CaseLine {
    pub args: Vec<(Name, Expr)>,
    pub dice: Vec<(i64, Span)>,
    /// As `run` prints it.
    pub comes_to: Option<(SmolStr, Span)>,
}

/// `hp = 0`, `injuries = 2 of graze, 1 of lost_arm`
#[derive(Debug, Clone)]
pub struct GivenSet {
    pub name: Name,
    pub value: GivenValue,
}

#[derive(Debug, Clone)]
pub enum GivenValue {
    One(Expr),
    /// How many of each row.
    Rows(Vec<(Expr, Name)>),
}

#[derive(Debug, Clone)]
pub enum Outcome {
    /// `outcome repeats`: how often the last `repeat` fired
    Repeats,
    /// `outcome max_hp - hp`
    Value(Expr),
    /// The first case that holds.
    Cases(Vec<OutcomeCase>),
}

#[derive(Debug, Clone)]
pub enum OutcomeCase {
    /// `festering "Herida supurante" when any injuries where row == festering`
    Named { name: Name, title: Option<Text>, when: Option<Expr> },
    /// `hurt.state, hurt.place, hurt.row`: joined by `/`
    Joined(Vec<Expr>),
}
