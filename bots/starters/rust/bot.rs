//! A whole bot in Rust, without any crate: it answers each decision with the first legal action.
//!
//! Build: rustc -O --edition 2021 -C strip=symbols -C target-feature=+crt-static -o bot bot.rs
//!
//! Each message on standard input and output comes after its length as a protobuf varint. A protobuf message is a row of
//! fields: a key (number * 8 + type, a varint), then a varint (type 0), eight bytes (type 1), a length and so many bytes
//! (type 2), or four bytes (type 5). A number that is 0 may be left out.

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

/// A Decision: its match and its number, which go back with the answer, and the codes of its legal actions.
fn answer(decision: &[u8]) -> io::Result<()> {
    let (mut match_id, mut number, mut legal): (&[u8], u64, Vec<u64>) = (&[], 0, Vec::new());
    for field in Fields(decision) {
        match field.number {
            1 => match_id = field.bytes,
            2 => number = field.value,
            4 => legal.push(Fields(field.bytes).find(|one| one.number == 1).map_or(0, |code| code.value)),
            _ => (),
        }
    }
    let chosen = legal[0]; // here your bot thinks
    let mut message = Vec::new();
    put_bytes(&mut message, 1, match_id);
    put_number(&mut message, 2, number);
    put_number(&mut message, 3, chosen);
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
