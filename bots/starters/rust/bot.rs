//! A whole bot in Rust, without any crate: it takes cards where it can.
//!
//! Build: rustc -O --edition 2021 -C strip=symbols -C target-feature=+crt-static -o bot bot.rs
//!
//! Each message on standard input and output comes after its length as a protobuf varint. A protobuf message is a row
//! of fields: a key (number * 8 + type, a varint), then a varint (type 0), eight bytes (type 1), a length and so many
//! bytes (type 2), or four bytes (type 5). A number that is 0 may be left out.

use std::io::{self, ErrorKind, Read, Write};

/// A field of a message: its number, and what it holds, as a number or as bytes.
struct Field<'a> {
    number: u64,
    value: u64,
    bytes: &'a [u8],
}

/// The fields of a message.
struct Fields<'a>(&'a [u8]);

impl<'a> Iterator for Fields<'a> {
    type Item = Field<'a>;

    fn next(&mut self) -> Option<Field<'a>> {
        if self.0.is_empty() {
            return None;
        }
        let key = self.varint();
        let (value, length) = match key & 7 {
            0 => (self.varint(), 0),
            1 => (0, 8),
            2 => (0, self.varint() as usize),
            5 => (0, 4),
            other => panic!("a field of the unknown type {other}"),
        };
        let (bytes, rest) = self.0.split_at(length);
        self.0 = rest;
        Some(Field { number: key >> 3, value, bytes })
    }
}

impl Fields<'_> {
    fn varint(&mut self) -> u64 {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.0[0];
            self.0 = &self.0[1..];
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
        }
        value
    }
}

fn put(to: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        to.push(value as u8 | 0x80);
        value >>= 7;
    }
    to.push(value as u8);
}

fn put_number(to: &mut Vec<u8>, number: u64, value: u64) {
    put(to, number << 3);
    put(to, value);
}

fn put_bytes(to: &mut Vec<u8>, number: u64, bytes: &[u8]) {
    put(to, number << 3 | 2);
    put(to, bytes.len() as u64);
    to.extend(bytes);
}

/// Write a PlayRequest with one member.
fn request(member: u64, message: &[u8]) -> io::Result<()> {
    let (mut body, mut out) = (Vec::new(), Vec::new());
    put_bytes(&mut body, member, message);
    put(&mut out, body.len() as u64);
    out.extend(body);
    let mut stdout = io::stdout().lock();
    stdout.write_all(&out)?;
    stdout.flush()
}

const HELLO: u64 = 1; // members of PlayRequest
const MOVE: u64 = 2;
const DECISION: u64 = 3; // members of PlayResponse
const GOODBYE: u64 = 7;

/// A legal action: the code that answers with it, and its text, such as `1R`, `1R*1x` (which takes 1x) or `stop`.
#[derive(Default)]
struct Action {
    code: u64,
    text: String,
}

impl Action {
    fn of(message: &[u8]) -> Action {
        let mut action = Action::default();
        for field in Fields(message) {
            match field.number {
                1 => action.code = field.value,
                2 => action.text = String::from_utf8_lossy(field.bytes).into_owned(),
                _ => (),
            }
        }
        action
    }
}

/// The bot: which of the legal actions it chooses. Make this better!
fn choose(legal: &[Action]) -> &Action {
    legal.iter().find(|action| action.text.contains('*')).unwrap_or(&legal[0])
}

/// Answer a Decision: its match and its number go back with the code of the chosen action.
fn answer(decision: &[u8]) -> io::Result<()> {
    let (mut match_id, mut number, mut legal): (&[u8], u64, Vec<Action>) = (&[], 0, Vec::new());
    for field in Fields(decision) {
        match field.number {
            1 => match_id = field.bytes,
            2 => number = field.value,
            4 => legal.push(Action::of(field.bytes)),
            _ => (),
        }
    }
    let mut message = Vec::new();
    put_bytes(&mut message, 1, match_id);
    put_number(&mut message, 2, number);
    put_number(&mut message, 3, choose(&legal).code);
    request(MOVE, &message)
}

/// The next message; None at the end of the input.
fn message(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let (mut length, mut shift, mut byte) = (0, 0, [0x80]);
    while byte[0] >= 0x80 {
        match from.read_exact(&mut byte) {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(None),
            done => done?,
        }
        length |= usize::from(byte[0] & 0x7f) << shift;
        shift += 7;
    }
    let mut message = vec![0; length];
    from.read_exact(&mut message)?;
    Ok(Some(message))
}

fn main() -> io::Result<()> {
    let mut hello = Vec::new();
    put_number(&mut hello, 1, 1); // the version of the protocol
    request(HELLO, &hello)?;
    let mut stdin = io::stdin().lock();
    while let Some(message) = message(&mut stdin)? {
        for field in Fields(&message) {
            match field.number {
                DECISION => answer(field.bytes)?,
                GOODBYE => return Ok(()),
                _ => (),
            }
        }
    }
    Ok(())
}
