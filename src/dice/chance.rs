//! Where dice come from: a seed, a list of values someone rolled by hand, or anything else.

use std::fmt;

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use super::DieFaces;

/// The die that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape<'a> {
    /// 1 up to the number, which is at least 1.
    Upto(u32),
    /// -1, 0 or 1.
    Fate,
    /// One of these, each as likely as the next. Never empty.
    List(&'a [i64]),
}

impl Shape<'_> {
    /// How many faces: at least 1 for any shape the roller asks for.
    pub fn count(self) -> u32 {
        match self {
            Shape::Upto(faces) => faces,
            Shape::Fate => 3,
            Shape::List(values) => u32::try_from(values.len()).unwrap_or(u32::MAX),
        }
    }

    /// What the face with this index shows, counted from 0. An index beyond the last is the last.
    #[inline]
    pub fn value(self, index: u32) -> i64 {
        match self {
            Shape::Upto(_) => i64::from(index) + 1,
            Shape::Fate => i64::from(index) - 1,
            Shape::List(values) => values.get(index as usize).or(values.last()).copied().unwrap_or(0),
        }
    }

    /// Whether any face shows this value.
    pub fn shows(self, value: i64) -> bool {
        match self {
            Shape::Upto(faces) => (1..=i64::from(faces)).contains(&value),
            Shape::Fate => (-1..=1).contains(&value),
            Shape::List(values) => values.contains(&value),
        }
    }
}

/// As in notation, without a count: `d6`, `dF`, `d[1, 1, 2]`.
impl fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Shape::Upto(faces) => write!(f, "d{faces}"),
            Shape::Fate => f.write_str("dF"),
            Shape::List(values) => super::print::list(f, values),
        }
    }
}

/// Why a source gave no die.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum NoDie {
    /// The values given are used up. `index` counts the dice asked for, from 0.
    TooFew {
        /// The die that was asked for.
        asked_for_faces: DieFaces,
        /// How many values there were.
        index: usize,
    },
    /// The value given is on no face of the die asked for.
    Impossible {
        /// The value given.
        value: i64,
        /// The die that was asked for.
        faces: DieFaces,
        /// Which of the values given, from 0.
        index: usize,
    },
    /// Whoever gives the dice stopped: an interruption, the end of input.
    Stopped,
}

/// Gives dice, one at a time. Picking at random among n things asks for a die of n faces.
pub trait DiceSource {
    /// What the die shows: the value on the face, never the index of the face.
    fn die(&mut self, shape: Shape<'_>) -> Result<i64, NoDie>;
}

impl<S: DiceSource + ?Sized> DiceSource for &mut S {
    #[inline]
    fn die(&mut self, shape: Shape<'_>) -> Result<i64, NoDie> {
        (**self).die(shape)
    }
}

/// Dice from a seed: the same seed gives the same dice for ever, on every machine.
///
/// The stream is that of ChaCha with 8 rounds, block counter from 0, read as little-endian words of
/// 32 bits. Its key is the seed (8 bytes, little-endian) followed by the 24 bytes
/// `cicatriz seeded dice v01`; its nonce is the number of the stream (8 bytes, little-endian).
/// A die of n faces takes one word `x`: the face is the high half of the 64-bit product `x * n`,
/// and where the low half is below `2^32 mod n` the word is left out and the next one taken, so
/// that every face is exactly as likely as the next.
#[derive(Debug, Clone)]
pub struct Seeded {
    words: ChaCha8Rng,
}

impl Seeded {
    /// Stream 0 of this seed.
    pub fn new(seed: u64) -> Self {
        Seeded::stream(seed, 0)
    }

    /// One of the 2^64 streams of this seed, each independent of the others: one a run where many
    /// runs of one seed are spread over cores or machines.
    pub fn stream(seed: u64, stream: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..].copy_from_slice(b"cicatriz seeded dice v01");
        let mut words = ChaCha8Rng::from_seed(key);
        words.set_stream(stream);
        Seeded { words }
    }

    /// The next two words of the stream as one number of 64 bits, the first word its low half.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.words.next_u64()
    }

    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        let mut product = u64::from(self.words.next_u32()) * u64::from(n);
        if (product as u32) < n {
            let unfair = n.wrapping_neg() % n.max(1);
            while (product as u32) < unfair {
                product = u64::from(self.words.next_u32()) * u64::from(n);
            }
        }
        (product >> 32) as u32
    }
}

impl DiceSource for Seeded {
    #[inline]
    fn die(&mut self, shape: Shape<'_>) -> Result<i64, NoDie> {
        let index = self.below(shape.count());
        Ok(shape.value(index))
    }
}

/// Dice that someone rolled by hand, in the order asked for, by the values their faces show.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    values: Vec<i64>,
    used: usize,
}

impl Given {
    /// These values, the first one first.
    pub fn new(values: impl Into<Vec<i64>>) -> Self {
        Given { values: values.into(), used: 0 }
    }

    /// How many values have been used.
    pub fn used(&self) -> usize {
        self.used
    }

    /// The values that nothing has asked for yet.
    pub fn left_over(&self) -> &[i64] {
        self.values.get(self.used..).unwrap_or(&[])
    }
}

impl DiceSource for Given {
    fn die(&mut self, shape: Shape<'_>) -> Result<i64, NoDie> {
        let index = self.used;
        let Some(&value) = self.values.get(index) else {
            return Err(NoDie::TooFew { asked_for_faces: shape.into(), index });
        };
        if !shape.shows(value) {
            return Err(NoDie::Impossible { value, faces: shape.into(), index });
        }
        self.used += 1;
        Ok(value)
    }
}

/// One die as a source gave it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Throw {
    /// The die asked for.
    pub faces: DieFaces,
    /// What it showed.
    pub value: i64,
}

/// Passes the dice of another source on and remembers each: given again, they give the same roll.
#[derive(Debug, Clone)]
pub struct Recorded<S> {
    source: S,
    throws: Vec<Throw>,
}

impl<S: DiceSource> Recorded<S> {
    /// Records what this source gives.
    pub fn new(source: S) -> Self {
        Recorded { source, throws: Vec::new() }
    }

    /// Every die so far, the first one first.
    pub fn throws(&self) -> &[Throw] {
        &self.throws
    }

    /// The source, and every die it gave.
    pub fn into_parts(self) -> (S, Vec<Throw>) {
        (self.source, self.throws)
    }
}

impl<S: DiceSource> DiceSource for Recorded<S> {
    fn die(&mut self, shape: Shape<'_>) -> Result<i64, NoDie> {
        let value = self.source.die(shape)?;
        self.throws.push(Throw { faces: shape.into(), value });
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(seed: u64, faces: u32) -> Vec<i64> {
        let mut source = Seeded::new(seed);
        (0..20).map(|_| source.die(Shape::Upto(faces)).unwrap()).collect()
    }

    #[test]
    fn seed_7_gives_these_dice_for_ever() {
        assert_eq!(first(7, 6), [5, 6, 4, 3, 2, 6, 3, 3, 3, 1, 2, 4, 1, 6, 2, 3, 6, 1, 3, 2]);
        assert_eq!(first(7, 20), [16, 17, 11, 10, 4, 20, 9, 9, 9, 2, 4, 12, 3, 20, 7, 10, 19, 2, 8, 6]);
        assert_eq!(first(7, 100), [79, 84, 55, 49, 18, 98, 42, 45, 42, 9, 18, 59, 14, 100, 34, 49, 95, 6, 39, 27]);
    }

    #[test]
    fn streams_of_a_seed_part() {
        let dice = |stream| {
            let mut source = Seeded::stream(7, stream);
            (0..20).map(|_| source.die(Shape::Upto(6)).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(dice(0), first(7, 6));
        assert_ne!(dice(0), dice(1));
    }

    #[test]
    fn bits_are_two_words_of_the_stream() {
        let (mut one, mut two) = (Seeded::new(7), Seeded::new(7));
        for _ in 0..100 {
            let (low, high) = (u64::from(two.words.next_u32()), u64::from(two.words.next_u32()));
            assert_eq!(one.bits(), low | high << 32);
        }
    }

    #[test]
    fn every_face_comes_up() {
        let mut source = Seeded::new(1);
        for shape in [Shape::Upto(1), Shape::Upto(6), Shape::Fate, Shape::List(&[4, 4, 9])] {
            let mut seen: Vec<i64> = (0..500).map(|_| source.die(shape).unwrap()).collect();
            seen.sort_unstable();
            seen.dedup();
            assert!(seen.iter().all(|value| shape.shows(*value)));
            let all: Vec<i64> = (0..shape.count()).map(|index| shape.value(index)).collect();
            assert!(all.iter().all(|value| seen.contains(value)));
        }
    }

    #[test]
    fn given_dice_go_by_face_value() {
        let mut given = Given::new([-1, 3, 9]);
        assert_eq!(given.die(Shape::Fate), Ok(-1));
        assert_eq!(given.die(Shape::List(&[3, 3, 5])), Ok(3));
        assert_eq!(given.left_over(), [9]);
        let impossible = NoDie::Impossible { value: 9, faces: DieFaces::Upto(6), index: 2 };
        assert_eq!(given.die(Shape::Upto(6)), Err(impossible));
        assert_eq!(given.die(Shape::Upto(10)), Ok(9));
        let too_few = NoDie::TooFew { asked_for_faces: DieFaces::Fate, index: 3 };
        assert_eq!(given.die(Shape::Fate), Err(too_few));
        assert_eq!(given.used(), 3);
    }

    #[test]
    fn what_was_recorded_can_be_given_again() {
        let mut recorded = Recorded::new(Seeded::new(3));
        let values: Vec<i64> = (0..5).map(|_| recorded.die(Shape::Upto(8)).unwrap()).collect();
        let again: Vec<i64> = recorded.throws().iter().map(|throw| throw.value).collect();
        assert_eq!(values, again);
    }
}
