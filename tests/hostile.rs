//! Input that is cut, flipped, cyclic or boastful: each gives an error that says what and where, soon and in little memory.
#![expect(clippy::panic, reason = "a test fails by panicking")]

#[path = "hostile/bombs.rs"]
mod bombs;
#[path = "hostile/cut.rs"]
mod cut;
#[path = "hostile/cycles.rs"]
mod cycles;
#[path = "hostile/flips.rs"]
mod flips;
#[path = "hostile/judge.rs"]
mod judge;
#[path = "hostile/validator.rs"]
mod validator;
