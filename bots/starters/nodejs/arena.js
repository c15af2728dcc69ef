// The arena's play service for Node.js, without packages: gRPC over node:http2, and as much of protobuf as it needs.
'use strict'
const http2 = require('node:http2')
const net = require('node:net')

const PLAY = '/hanafuda.arena.v1.PlayService/Play'
const DRAINED = 1, SHUTTING_DOWN = 2 // GoodbyeReason
const FINAL = new Set([3, 5, 7, 9, 12, 16]) // gRPC statuses after which trying again makes no sense
const FIRST_WAIT_MS = 50, LONGEST_WAIT_MS = 5000
const ZONES = ['', 'hand', 'field', 'pile', 'stock', 'turned', 'discard', 'shown', 'bottom']
const LETTERS = ['LRxy', 'ARxy', 'LRxy', 'ARxy', 'ARxy', 'ARxy', 'ARxy', 'LAxy', 'ARxy', 'ARxy', 'LARx', 'Lxyz']
const cardText = (id) => `${(id >> 2) + 1}${LETTERS[id >> 2][id & 3]}`

// Protobuf: a message is a row of fields, each a key (number * 8 + type) and a value.

function varint(bytes, at) {
  let value = 0n
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[at++]
    value |= BigInt(byte & 0x7f) << shift
    if (byte < 0x80) return [value, at]
  }
}

// The fields of a message by number, each a list of numbers (as BigInt) and bytes.
function read(bytes) {
  const found = {}
  for (let at = 0; at < bytes.length; ) {
    let key, value, length
    ;[key, at] = varint(bytes, at)
    if ((key & 7n) === 0n) [value, at] = varint(bytes, at)
    else {
      if ((key & 7n) === 2n) [length, at] = varint(bytes, at)
      else length = (key & 7n) === 1n ? 8n : 4n
      value = bytes.subarray(at, (at += Number(length)))
    }
    ;(found[key >> 3n] ??= []).push(value)
  }
  return found
}

const number = (fields, n) => Number(fields[n]?.[0] ?? 0n)
const signed = (fields, n) => { const raw = number(fields, n); return raw & 1 ? -(raw + 1) / 2 : raw / 2 }
const text = (fields, n) => (fields[n]?.[0] ?? '').toString()

function putVarint(value) {
  const bytes = []
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) + 128)
  return Buffer.from([...bytes, value])
}

// A message from [number, value] pairs; a value is a number, a text or the bytes of a message.
function write(...fields) {
  return Buffer.concat(fields.flatMap(([n, value]) => {
    if (typeof value === 'number') return [putVarint(n * 8), putVarint(value)]
    const bytes = Buffer.from(value)
    return [putVarint(n * 8 + 2), putVarint(bytes.length), bytes]
  }))
}

function packed(values = []) {
  return values.flatMap((value) => {
    if (typeof value === 'bigint') return [Number(value)]
    const numbers = []
    for (let at = 0; at < value.length; ) { let one; [one, at] = varint(value, at); numbers.push(Number(one)) }
    return numbers
  })
}

function readDecision(bytes) {
  const fields = read(bytes), view = read(fields[3][0])
  const zones = (view[11] ?? []).map(read).map((zone) => ({
    kind: ZONES[number(zone, 1)], seat: signed(zone, 2), cards: packed(zone[3]).map(cardText), count: number(zone, 4),
  }))
  const counters = (view[12] ?? []).map(read).map((one) => ({
    name: text(one, 1), seat: signed(one, 2), value: signed(one, 3),
  }))
  return {
    match: text(fields, 1),
    number: number(fields, 2),
    legal: fields[4].map(read).map((action) => ({ code: number(action, 1), text: text(action, 2) })),
    variant: text(view, 1),
    seat: signed(view, 5),
    month: number(view, 6),
    phase: text(view, 10),
    zones,
    counters,
  }
}

const say = (line) => process.stderr.write(`${line}\n`)

// Plays until SIGTERM or Ctrl-C, and then on to the end of the matches under way. `choose(decision)` returns one of
// `decision.legal`, or a promise of one. Address and token come from ARENA_ADDRESS and ARENA_TOKEN.
function run({ choose, variants = [], maxMatches = 1 }) {
  const { ARENA_ADDRESS: address, ARENA_TOKEN: token } = process.env
  if (!address || !token) { say('ARENA_ADDRESS and ARENA_TOKEN are needed'); process.exit(2) }
  let stream = null, resumeToken = '', wait = FIRST_WAIT_MS, draining = false, said = ''
  const playing = new Set()

  function send(n, message) {
    if (stream === null || stream.closed || stream.destroyed) return // the arena asks again when we are back
    const request = write([n, message]), head = Buffer.alloc(5)
    head.writeUInt32BE(request.length, 1)
    stream.write(Buffer.concat([head, request]))
  }

  async function answer(bytes) {
    const decision = readDecision(bytes)
    try {
      const { code } = await choose(decision)
      send(2, write([1, decision.match], [2, decision.number], [3, code]))
    } catch (error) {
      say(`the bot failed at decision ${decision.number} of match ${decision.match}: ${error.stack}`)
      send(4, write([1, decision.match], [2, String(error).slice(0, 200)]))
    }
  }

  function handle(bytes) {
    const fields = read(bytes)
    if (fields[3]) answer(fields[3][0])
    else if (fields[2]) playing.add(text(read(fields[2][0]), 1))
    else if (fields[1]) {
      const welcome = read(fields[1][0])
      resumeToken = text(welcome, 3)
      wait = FIRST_WAIT_MS
      said = ''
      say(`connected to the arena at ${address} as ${text(welcome, 2)}`)
      if (draining) send(3, Buffer.alloc(0))
    } else if (fields[6]) {
      const match = text(read(fields[6][0]), 1)
      playing.delete(match)
      say(`match ${match} is over`)
    } else if (fields[7]) {
      const goodbye = read(fields[7][0]), reason = number(goodbye, 1)
      if (reason === DRAINED) process.exit(0)
      if (reason !== SHUTTING_DOWN) { say(`goodbye: ${text(goodbye, 2)}`); process.exit(1) }
    }
  }

  function connect() {
    const options = address.startsWith('unix:') ? { createConnection: () => net.connect(address.slice(5)) } : {}
    const session = http2.connect(address.startsWith('unix:') ? 'http://localhost' : `http://${address}`, options)
    let status = null, message = '', lost = false, pending = Buffer.alloc(0)

    function again(reason) {
      if (lost) return
      lost = true
      stream = null
      session.destroy()
      if (FINAL.has(status)) { say(`the arena refuses the bot: ${decodeURIComponent(message)}`); process.exit(1) }
      if (draining && playing.size === 0) process.exit(0)
      if (reason !== said) say(`the arena at ${address} is away (${reason}); trying again`)
      said = reason
      setTimeout(connect, wait * (0.5 + Math.random() / 2))
      wait = Math.min(2 * wait, LONGEST_WAIT_MS)
    }
    function readStatus(headers) {
      if (headers['grpc-status'] === undefined) return
      status = Number(headers['grpc-status'])
      message = headers['grpc-message'] ?? ''
    }
    session.on('error', (error) => again((error.cause ?? error).message))
    session.on('close', () => again('closed'))
    stream = session.request({
      ':method': 'POST',
      ':path': PLAY,
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: `Bearer ${token}`,
    })
    stream.on('response', readStatus)
    stream.on('trailers', readStatus)
    stream.on('error', (error) => again((error.cause ?? error).message))
    stream.on('close', () => again(message ? decodeURIComponent(message) : 'closed'))
    stream.on('data', (chunk) => {
      pending = Buffer.concat([pending, chunk])
      while (pending.length >= 5 && pending.length >= 5 + pending.readUInt32BE(1)) {
        const end = 5 + pending.readUInt32BE(1)
        handle(pending.subarray(5, end))
        pending = pending.subarray(end)
      }
    })
    send(1, write([1, 1], ...variants.map((variant) => [3, variant]), [4, maxMatches], [5, resumeToken]))
  }

  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.on(signal, () => {
      if (draining || (stream === null && playing.size === 0)) process.exit(0)
      draining = true
      send(3, Buffer.alloc(0))
    })
  }
  connect()
}

module.exports = { run }
