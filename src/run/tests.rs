//! Rules put together by hand, and what the machine makes of them.

mod build;
mod endings;
mod fork;
mod rulings;
mod told;
mod waits;
