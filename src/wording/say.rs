//! [`say!`](crate::say): the one way to make a text with holes, and what can stand in them.

use std::borrow::Cow;

use smol_str::SmolStr;

use super::{Part, Wording};

/// A text of ours in English, with what stands in its holes:
///
/// ```
/// use cicatriz::say;
/// let (what, left) = ("wound", 2);
/// assert_eq!(say!("there is no table called `{name}`", name = what), "there is no table called `wound`");
/// assert_eq!(say!("{left} die is left" | "{left} dice are left", left), "2 dice are left");
/// ```
///
/// Of two texts the first is for the number one; the first value is the number. For a brace write `{{`
/// where there are values, `{` where there are none. A hole without a value does not compile:
///
/// ```compile_fail
/// let name = "wound";
/// cicatriz::say!("there is no table called `{name}`");
/// ```
///
/// Nor does a value without a hole:
///
/// ```compile_fail
/// let name = "wound";
/// cicatriz::say!("there is no table called `{nam}`", name);
/// ```
#[macro_export]
macro_rules! say {
    (@value $name:ident) => { $crate::wording::Say::say(&$name) };
    (@value $name:ident $value:expr) => { $crate::wording::Say::say(&$value) };
    ($one:literal | $many:literal, $($name:ident $(= $value:expr)?),+ $(,)?) => {{
        const _: () = $crate::wording::check($many, &[$(stringify!($name)),+], true);
        const _: () = $crate::wording::check($one, &[$(stringify!($name)),+], false);
        $crate::wording::Wording::with(
            $one,
            Some($many),
            vec![$((stringify!($name), $crate::say!(@value $name $($value)?))),+],
        )
    }};
    ($text:literal $(, $name:ident $(= $value:expr)?)* $(,)?) => {{
        const _: () = $crate::wording::check($text, &[$(stringify!($name)),*], true);
        $crate::wording::Wording::with(
            $text,
            None,
            vec![$((stringify!($name), $crate::say!(@value $name $($value)?))),*],
        )
    }};
}

/// What can stand in a hole of [`say!`](crate::say).
pub trait Say {
    /// As it stands there.
    fn say(&self) -> Part;
}

impl<T: Say + ?Sized> Say for &T {
    fn say(&self) -> Part {
        (**self).say()
    }
}

impl<T: Say + ?Sized> Say for Box<T> {
    fn say(&self) -> Part {
        (**self).say()
    }
}

impl Say for Wording {
    fn say(&self) -> Part {
        Part::Wording(self.clone())
    }
}

/// The same in every language, as they show themselves.
#[macro_export]
#[doc(hidden)]
macro_rules! say_as_shown {
    ($($what:ty),*) => { $(
        impl $crate::wording::Say for $what {
            fn say(&self) -> $crate::wording::Part {
                $crate::wording::Part::Wording($crate::wording::Wording::text(self.to_string()))
            }
        }
    )* };
}

say_as_shown!(
    str,
    String,
    SmolStr,
    Cow<'_, str>,
    std::sync::Arc<str>,
    char,
    std::io::Error,
    std::path::Display<'_>,
    serde_json::Error
);

macro_rules! numbers {
    ($($number:ty),*) => { $(
        impl Say for $number {
            fn say(&self) -> Part {
                Part::Number(*self as i128)
            }
        }
    )* };
}

numbers!(u8, u16, u32, u64, usize, i8, i16, i32, i64);
