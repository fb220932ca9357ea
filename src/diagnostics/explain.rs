//! A fault explained in depth.
