//! A whole bot in Rust that does what programs do: threads that tell one another over channels, a hash map, clocks,
//! a file of its own, a panic that is caught. It answers each decision with the legal action that its threads agree on.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::sync::{mpsc, Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};
use std::{fs, panic, process, thread};

const THREADS: u64 = 3;

fn varint(input: &mut &[u8]) -> u64 {
    let (mut value, mut shift) = (0, 0);
    loop {
        let byte = input[0];
        *input = &input[1..];
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return value;
        }
        shift += 7;
    }
}

fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

fn put_bytes(out: &mut Vec<u8>, number: u64, bytes: &[u8]) {
    put(out, number << 3 | 2);
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// The fields of a message: their numbers, their values, and their bytes.
fn fields(mut message: &[u8]) -> Vec<(u64, u64, &[u8])> {
    let mut found = Vec::new();
    while !message.is_empty() {
        let key = varint(&mut message);
        let mut value = 0;
        let length = match key & 7 {
            0 => {
                value = varint(&mut message);
                0
            }
            1 => 8,
            2 => varint(&mut message) as usize,
            _ => 4,
        };
        let (bytes, rest) = message.split_at(length);
        found.push((key >> 3, value, bytes));
        message = rest;
    }
    found
}

fn write_request(member: u64, message: &[u8]) {
    let (mut request, mut framed) = (Vec::new(), Vec::new());
    put_bytes(&mut request, member, message);
    put(&mut framed, request.len() as u64);
    framed.extend(request);
    let mut output = std::io::stdout().lock();
    output.write_all(&framed).and_then(|()| output.flush()).expect("the arena reads");
}

fn agreed(codes: &[u64]) -> u64 {
    let votes = Arc::new(Mutex::new(HashMap::new()));
    let (sender, receiver) = mpsc::channel();
    let began = Instant::now();
    let threads: Vec<_> = (0..THREADS)
        .map(|number| {
            let (votes, sender, codes) = (votes.clone(), sender.clone(), codes.to_vec());
            thread::Builder::new()
                .name(format!("voter {number}"))
                .spawn(move || {
                    *votes.lock().unwrap().entry(codes[0]).or_insert(0) += 1;
                    thread::sleep(Duration::from_micros(50));
                    sender.send(codes[0]).unwrap();
                })
                .expect("a thread starts")
        })
        .collect();
    drop(sender);
    assert!(receiver.recv_timeout(Duration::from_secs(60)).is_ok());
    threads.into_iter().for_each(|one| one.join().unwrap());
    assert!(began.elapsed() > Duration::ZERO);
    let votes = votes.lock().unwrap();
    assert_eq!(votes.values().sum::<u64>(), THREADS);
    *votes.keys().next().unwrap()
}

fn answer(decision: &[u8]) {
    let (mut id, mut number, mut codes): (&[u8], u64, Vec<u64>) = (&[], 0, Vec::new());
    for (field, value, bytes) in fields(decision) {
        match field {
            1 => id = bytes,
            2 => number = value,
            4 => codes.push(fields(bytes).iter().find(|one| one.0 == 1).map_or(0, |one| one.1)),
            _ => {}
        }
    }
    let mut message = Vec::new();
    put_bytes(&mut message, 1, id);
    for (field, value) in [(2, number), (3, agreed(&codes))] {
        put(&mut message, field << 3);
        put(&mut message, value);
    }
    write_request(2, &message);
}

fn use_everything() {
    let file = std::env::temp_dir().join("notes");
    fs::write(&file, "a note").expect("a file of its own");
    assert_eq!(fs::read_to_string(&file).unwrap(), "a note");
    assert_eq!(fs::read_dir(std::env::temp_dir()).unwrap().count(), 1);
    assert!(fs::metadata(&file).unwrap().modified().unwrap() <= SystemTime::now());
    fs::remove_file(&file).unwrap();
    assert!(thread::available_parallelism().is_ok());
    panic::set_hook(Box::new(|_| {}));
    assert!(panic::catch_unwind(|| panic!("caught")).is_err());
    let _ = panic::take_hook();
    assert!(process::id() > 0);
    assert!(std::env::current_dir().is_ok() && std::env::args().count() == 1);
}

fn main() {
    use_everything();
    write_request(1, &[1 << 3, 1]);
    let mut input = std::io::stdin().lock();
    loop {
        let (mut length, mut shift, mut byte) = (0, 0, [0x80]);
        while byte[0] >= 0x80 {
            if input.read_exact(&mut byte).is_err() {
                return;
            }
            length |= usize::from(byte[0] & 0x7f) << shift;
            shift += 7;
        }
        let mut message = vec![0; length];
        input.read_exact(&mut message).expect("a whole message");
        for (field, _, bytes) in fields(&message) {
            match field {
                3 => answer(bytes),
                7 => return,
                _ => {}
            }
        }
    }
}
