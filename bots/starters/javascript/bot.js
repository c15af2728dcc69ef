// A whole bot for Node.js, without any package: it answers each decision with the first legal action.
//
// Each message on standard input and output comes after its length as a protobuf varint. A protobuf message is a row of
// fields: a key (number * 8 + type, a varint), then a varint (type 0), eight bytes (type 1), a length and so many bytes
// (type 2), or four bytes (type 5). A number that is 0 may be left out.

const HELLO = 1, MOVE = 2 // of PlayRequest
const DECISION = 3, GOODBYE = 7 // of PlayResponse

// The varint at `at` and where it ends; null where it is cut off. As a BigInt: it may have 64 bits.
function varint(bytes, at) {
  let value = 0n
  for (let shift = 0n; at < bytes.length; shift += 7n) {
    const byte = bytes[at++]
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return [value, at]
  }
  return null
}

// The fields of a message: [number, value] with a BigInt, or the bytes.
function* fields(bytes) {
  for (let at = 0; at < bytes.length; ) {
    let key, value, length
    ;[key, at] = varint(bytes, at)
    const number = Number(key >> 3n), type = Number(key & 7n)
    if (type === 0) {
      ;[value, at] = varint(bytes, at)
    } else {
      if (type === 2) [length, at] = varint(bytes, at)
      else length = type === 1 ? 8n : 4n
      value = bytes.subarray(at, at + Number(length))
      at += Number(length)
    }
    yield [number, value]
  }
}

function putVarint(value) {
  const bytes = []
  for (; value >= 0x80n; value >>= 7n) bytes.push(Number(value & 0x7fn) | 0x80)
  bytes.push(Number(value))
  return Buffer.from(bytes)
}

const putNumber = (number, value) => Buffer.concat([putVarint(BigInt(number << 3)), putVarint(value)])
const putBytes = (number, bytes) =>
  Buffer.concat([putVarint(BigInt((number << 3) | 2)), putVarint(BigInt(bytes.length)), bytes])

function send(member, message) {
  const request = putBytes(member, message)
  process.stdout.write(Buffer.concat([putVarint(BigInt(request.length)), request]))
}

function answer(decision) {
  let match = Buffer.alloc(0), number = 0n, code = null
  for (const [field, value] of fields(decision)) {
    if (field === 1) match = value
    else if (field === 2) number = value
    else if (field === 4 && code === null) code = new Map(fields(value)).get(1) ?? 0n
  }
  send(MOVE, Buffer.concat([putBytes(1, match), putNumber(2, number), putNumber(3, code)]))
}

let read = Buffer.alloc(0)
process.stdin.on('data', (chunk) => {
  read = Buffer.concat([read, chunk])
  for (let length; (length = varint(read, 0)) !== null; ) {
    const [begin, end] = [length[1], length[1] + Number(length[0])]
    if (read.length < end) break
    for (const [field, value] of fields(read.subarray(begin, end))) {
      if (field === DECISION) answer(value)
      else if (field === GOODBYE) process.exit(0)
    }
    read = read.subarray(end)
  }
})
send(HELLO, putNumber(1, 1n))
