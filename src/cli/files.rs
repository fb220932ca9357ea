//! Files as the command line meets them: found below folders, read and decoded, written whole.

mod decode;
mod find;
mod read;
mod unread;
mod write;

pub use decode::decode;
pub use find::find;
pub use read::{is_stdin, read};
pub use unread::Unread;
pub use write::write_whole;
