/**
 * Fuzzing over real sockets: gateway and engines run on this thread, and many connections give them
 * inputs. Nothing may crash, be answered with a failure of the exchange's own, or, when it was refused,
 * have changed the state; and memory must not grow with the number of inputs.
 */
import { strictEqual } from 'node:assert/strict'
import { assert } from '../../src/base/assert.ts'
import { Prng } from '../../src/base/prng.ts'
import { limitSettings, OneThreadExchange } from '../fixtures/one-thread-exchange.ts'
import { fuzzFloods } from './floods.ts'
import { HandshakeLane, HttpLane, type Lane, MessageLane, type Reply, SocketLane } from './lanes.ts'
import { MemoryWatch } from './memory-watch.ts'
import {
  apiInput,
  formatInput,
  type Input,
  nameInput,
  proxiedInput,
  restInput,
  type Signing,
  streamInput,
} from './wire-inputs.ts'

/** What is fuzzed over sockets: gives it inputs, and returns what memory did meanwhile. */
export interface SocketTarget {
  readonly name: string
  fuzz(seed: number, inputs: number, advanced?: (count: number) => void): Promise<string>
}

interface WireTarget {
  readonly name: string
  readonly lane: (port: number) => Lane
  readonly input: (prng: Prng, signing: Signing) => Input
  /** Settings of limits; without any when left out. */
  readonly flags?: readonly string[]
  /** What must hold of the text of each answer. */
  readonly check?: (text: string) => void
}

const SBE_SESSION = '/ws-api/v3?responseFormat=sbe&sbeSchemaId=3&sbeSchemaVersion=4'

const wireTargets: readonly WireTarget[] = [
  { name: 'rest', lane: (port) => new HttpLane(port), input: restInput },
  { name: 'ws-streams', lane: (port) => new SocketLane(port, '/ws'), input: streamInput },
  {
    name: 'ws-names',
    lane: (port) => new SocketLane(port, '/ws'),
    input: nameInput,
    check: checkNames,
  },
  {
    name: 'proxies',
    lane: (port) => new HttpLane(port),
    input: proxiedInput,
    flags: ['--limits', 'off', '--trusted-proxies', '127.0.0.0/8'],
  },
  { name: 'ws-api', lane: (port) => new SocketLane(port, '/ws-api/v3'), input: apiInput },
  {
    name: 'ws-formats',
    lane: (port) => new HandshakeLane(port),
    input: formatInput,
    check: checkRefusal,
  },
  { name: 'ws-api-sbe', lane: (port) => new MessageLane(port, SBE_SESSION), input: apiInput },
]

export const socketTargets: readonly SocketTarget[] = [
  ...wireTargets.map((target) => ({
    name: target.name,
    fuzz: (seed: number, inputs: number, advanced?: (count: number) => void) =>
      fuzzWire(target, seed, inputs, advanced),
  })),
  { name: 'floods', fuzz: fuzzFloods },
]

const LANES = 32
/** Between two looks at the state. */
const BATCH = 320
/** What is no HTTP/1.1 may be refused as such. */
const VERSION_NOT_SUPPORTED = 505
/** A replacement whose cancel succeeded is answered so. */
const HALF_DONE = -2021

/** Gives the target as many inputs; answers what memory did meanwhile. */
async function fuzzWire(
  target: WireTarget,
  seed: number,
  inputs: number,
  advanced: (count: number) => void = () => {},
): Promise<string> {
  const limits = limitSettings(target.flags ?? ['--limits', 'off'])
  const exchange = await OneThreadExchange.start({ limits })
  const lanes = Array.from({ length: LANES }, () => target.lane(exchange.port))
  const prng = new Prng(seed)
  const memory = new MemoryWatch(inputs)
  try {
    for (let done = 0; done < inputs; done += BATCH) {
      const size = Math.min(BATCH, inputs - done)
      await giveBatch(target, exchange, lanes, prng, size, `seed ${seed}, inputs from ${done} on`)
      memory.look(done + size)
      advanced(size)
    }
    return memory.judge()
  } finally {
    for (const lane of lanes) lane.close()
    await exchange.close()
  }
}

async function giveBatch(
  target: WireTarget,
  exchange: OneThreadExchange,
  lanes: readonly Lane[],
  prng: Prng,
  size: number,
  where: string,
): Promise<void> {
  const signing: Signing = prng.chance(0.5) ? 'right' : 'wrong'
  const inputs = Array.from({ length: size }, () => target.input(prng, signing))
  const before = exchange.stateHash
  let next = 0
  let hasActed = false
  const work = async (lane: Lane) => {
    while (next < inputs.length) {
      const input = inputs[next++]!
      try {
        const reply = await lane.give(input)
        judge(input, reply)
        if (reply !== undefined) target.check?.(reply.text)
        if (input.mayAct && mayHaveActed(input, reply)) hasActed = true
      } catch (cause) {
        const text = input.bytes.toString('latin1')
        throw new Error(`${target.name}, ${where}: ${JSON.stringify(text)}`, { cause })
      }
    }
  }
  await Promise.all(lanes.map(work))
  if (!hasActed)
    strictEqual(exchange.stateHash, before, `${target.name}, ${where}: no state changed`)
}

/** Names that could be those of streams are kept, and no others. */
function checkNames(text: string): void {
  const { result } = JSON.parse(text)
  if (!Array.isArray(result)) return
  for (const name of result) assert(/^[!-~]{1,64}$/.test(name), `a name is kept: ${name}`)
}

/** A WebSocket is opened, or refused by an error in JSON, whatever the format that was asked for. */
function checkRefusal(text: string): void {
  if (text !== '') assert(Number.isInteger(JSON.parse(text).code), `a refusal has a code: ${text}`)
}

function judge(input: Input, reply: Reply | undefined): void {
  if (reply === undefined) {
    assert(!input.isWhole, 'what is whole is answered')
    return
  }
  const isOtherHttp = !input.isWhole && reply.status === VERSION_NOT_SUPPORTED
  assert(reply.status < 500 || isOtherHttp, `no failure of the exchange itself: ${reply.status}`)
}

/** What is cut off may have been carried out before. */
function mayHaveActed(input: Input, reply: Reply | undefined): boolean {
  if (reply === undefined) return !input.isWhole
  return reply.status === 200 || reply.text.includes(String(HALF_DONE))
}
