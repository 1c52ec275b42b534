/**
 * Strangers that flood and never read: many connections at once send all that they have, of requests or
 * frames whose answers are long or many, and read nothing. Meanwhile a polite client is answered; when
 * they are gone nothing is left of them: memory must not grow with their number.
 */
import { strictEqual } from 'node:assert/strict'
import { once } from 'node:events'
import net from 'node:net'
import { Prng } from '../../src/base/prng.ts'
import { handshake } from '../fixtures/handshake.ts'
import { OneThreadExchange } from '../fixtures/one-thread-exchange.ts'
import { HttpLane } from './lanes.ts'
import { MemoryWatch } from './memory-watch.ts'
import { masked } from './wire-inputs.ts'

/** Strangers at a time. */
const STRANGERS = 40
/** Bytes that one of them sends, at most about. */
const FLOOD_BYTES = 12 << 10

/** Requests of the polite client, until what is kept for strangers must be gone. */
const ASKED_MAX = 1_000

const addresses = ['/openapi.json', '/api/v3/exchangeInfo', '/api/v3/time', '/api/v3/nothing']
const PING = 0x89
const TEXT = 0x81

/** All that a stranger sends: its beginning decides how the rest is read. */
function floodOf(prng: Prng): Buffer {
  const dice = prng.below(4)
  if (dice === 0) return repeated(prng, () => request(prng.pick(addresses)))
  if (dice === 1)
    return openedAs(
      '/ws-api/v3',
      repeated(prng, () => apiFrame(prng)),
    )
  if (dice === 2)
    return openedAs(
      '/ws',
      repeated(prng, () => streamFrame(prng)),
    )
  // A body that never ends.
  const head = 'POST /api/v3/order HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n\r\n'
  return Buffer.from(head + 'a'.repeat(prng.below(FLOOD_BYTES)))
}

function repeated(prng: Prng, next: () => Buffer): Buffer {
  const parts: Buffer[] = []
  const bytes = prng.between(1, FLOOD_BYTES)
  for (let length = 0; length < bytes; length += parts.at(-1)!.length) parts.push(next())
  return Buffer.concat(parts)
}

const openedAs = (address: string, frames: Buffer): Buffer =>
  Buffer.concat([Buffer.from(handshake(address)), frames])

const request = (address: string): Buffer =>
  Buffer.from(`GET ${address} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)

function apiFrame(prng: Prng): Buffer {
  if (prng.chance(0.1)) return masked(prng, Buffer.from('p'.repeat(125)), PING)
  const method = prng.pick(['exchangeInfo', 'time', 'depth', 'order.place', 'x'])
  return masked(prng, Buffer.from(JSON.stringify({ id: prng.below(1000), method })), TEXT)
}

function streamFrame(prng: Prng): Buffer {
  const params = Array.from({ length: 20 }, () => `x${prng.below(10_000)}@trade`)
  const method = prng.pick(['SUBSCRIBE', 'LIST_SUBSCRIPTIONS', 'UNSUBSCRIBE'])
  return masked(prng, Buffer.from(JSON.stringify({ id: 1, method, params })), TEXT)
}

/** Lets as many strangers come; returns what memory did meanwhile. */
export async function fuzzFloods(
  seed: number,
  inputs: number,
  advanced: (count: number) => void = () => {},
): Promise<string> {
  const exchange = await OneThreadExchange.start()
  const polite = new HttpLane(exchange.port)
  const prng = new Prng(seed)
  const memory = new MemoryWatch(inputs)
  try {
    for (let done = 0; done < inputs; done += STRANGERS) {
      const count = Math.min(STRANGERS, inputs - done)
      const strangers = Array.from({ length: count }, () => flood(exchange.port, floodOf(prng)))
      await Promise.all(strangers.map((socket) => once(socket, 'connect')))
      for (let asked = 0; asked < 5; asked++) await askPolitely(polite)
      await Promise.all(strangers.map(leave))
      await untilNothingIsKept(exchange, polite)
      memory.look(done + count)
      advanced(count)
    }
    return memory.judge()
  } finally {
    polite.close()
    await exchange.close()
  }
}

/** The gateway sees in its next turns that the strangers are gone. */
async function untilNothingIsKept(exchange: OneThreadExchange, polite: HttpLane): Promise<void> {
  for (let asked = 0; asked < ASKED_MAX && exchange.counter('unreadBytes') > 0; asked++) {
    await askPolitely(polite)
  }
  strictEqual(exchange.counter('unreadBytes'), 0, 'nothing is kept for who is gone')
}

/** Sends all and reads nothing. */
function flood(port: number, bytes: Buffer): net.Socket {
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write(bytes)
  return socket
}

async function leave(socket: net.Socket): Promise<void> {
  if (socket.closed) return
  const closed = once(socket, 'close')
  socket.destroy()
  await closed
}

async function askPolitely(lane: HttpLane): Promise<void> {
  const input = { bytes: request('/api/v3/time'), isWhole: true, mayAct: false }
  const reply = await lane.give(input)
  strictEqual(reply?.status, 200, 'a polite client is answered')
}
