/**
 * Gateways write every declared field of each command: requests of all kinds, sent twice through memory
 * that was filled with two patterns, leave no byte of both. EngineClient writes the first bytes of each
 * command, its head, when the command is sent. A command that the schema gains is looked for at once.
 */

import fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import {
  btcusdt,
  type SentCommand,
  tapeTrade,
  trader,
} from '../../../bench/workloads/fake-context.ts'
import type { CommandSlot, Context } from '../../../src/api/context.ts'
import {
  ChainChange,
  isDetailed,
  WalletSubject,
  WithdrawalDecision,
} from '../../../src/base/codes.ts'
import {
  AccountId,
  Atoms,
  ChainId,
  Lots,
  NetworkId,
  SymbolId,
  Ticks,
} from '../../../src/base/units.ts'
import { DepthView } from '../../../src/core/views/depth.ts'
import { makeBlockTrade } from '../../../src/gateway/block-trade.ts'
import { BookLoader } from '../../../src/gateway/engine-link/book-loader.ts'
import type { ContextParts } from '../../../src/gateway/engine-link/engine-client.ts'
import { EngineClient } from '../../../src/gateway/engine-link/engine-client.ts'
import type { Markets } from '../../../src/gateway/engine-link/markets.ts'
import { Pending } from '../../../src/gateway/engine-link/pending.ts'
import { SessionOrders } from '../../../src/gateway/engine-link/session-orders.ts'
import { setReferencePrice } from '../../../src/gateway/reference-prices.ts'
import { askWallet } from '../../../src/gateway/wallet-queries.ts'
import { PlaceOrder, RecordHeader } from '../../../src/layout/accessors.gen.ts'
import { RecordBuffer } from '../../../src/layout/record-buffer.ts'
import { fieldsOf, recordBytes, schemas } from '../../../src/layout/schema.ts'
import { CommandRingProducer, commandRingBytes } from '../../../src/ring/command-ring.ts'
import type { WalletQuery } from '../../../src/shared/operator-query.ts'
import { FakedTime } from '../../fixtures/faked-time.ts'
import { PATTERNS, unwrittenFields } from '../../fixtures/poison.ts'
import { coinContext } from '../../protocol/coin-context.ts'
import { send } from '../../protocol/fake-responder.ts'
import { specialContext } from '../../protocol/special-symbols.ts'
import { tradingRequest } from '../api/trading-request.ts'

const commands = schemas.filter((it) => it.kind === 'command')
const seen = new Set<string>()

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

type Ask = () => Promise<readonly SentCommand[]>

/** Commands that `ask` sends, once with each pattern. */
async function sentTwice(ask: Ask): Promise<readonly (readonly SentCommand[])[]> {
  const { allocate } = RecordBuffer
  const all: (readonly SentCommand[])[] = []
  for (const pattern of PATTERNS) {
    const allocating = vi.spyOn(RecordBuffer, 'allocate').mockImplementation((length) => {
      const buffer = allocate(length)
      buffer.bytes.fill(pattern)
      return buffer
    })
    all.push(await ask())
    allocating.mockRestore()
  }
  return all
}

async function unwrittenIn(ask: Ask): Promise<string[]> {
  const [first, second] = await sentTwice(ask)
  expect(second!.map(({ type }) => type)).toEqual(first!.map(({ type }) => type))
  const unwritten = new Set<string>()
  for (const [i, { type, buffer }] of first!.entries()) {
    const schema = commands.find((it) => it.type === type)!
    seen.add(schema.name)
    const parts = [buffer, second![i]!.buffer].map(({ bytes }) =>
      bytes.subarray(RecordHeader.bytes, recordBytes(schema)),
    )
    const places = fieldsOf(schema).map((place) => ({
      ...place,
      offset: place.offset - RecordHeader.bytes,
    }))
    const isPlain = schema.onlyDetailed !== undefined && !isDetailed(PlaceOrder.terms(buffer, 0))
    for (const field of unwrittenFields(places, parts[0]!, parts[1]!)) {
      if (isPlain && schema.onlyDetailed!.includes(field)) continue
      unwritten.add(`${schema.name}.${field}`)
    }
  }
  return [...unwritten]
}

/** Sends requests to their handlers. */
function ask(requests: readonly { id: string; query: string }[]): SentCommand[] {
  return requests.flatMap(({ id, query }) => {
    const context = specialContext()
    for (const { id: symbolId } of context.symbols) {
      context.tape(symbolId).seed([tapeTrade(Ticks(8_000))])
    }
    send(context, id, query)
    return context.sent
  })
}

test('by requests that trade', async () => {
  const requests = fc.sample(tradingRequest, { seed: 1, numRuns: 1_500 })
  expect(await unwrittenIn(async () => ask(requests))).toEqual([])
})

test('by quotes', async () => {
  const requests = [{ id: 'quoteOrders', query: 'symbol=BTCUSDT&bids=[["50000","1"]]' }]
  expect(await unwrittenIn(async () => ask(requests))).toEqual([])
})

test('by countdowns and protections', async () => {
  const requests = [
    { id: 'setCountdown', query: 'countdownTime=5000' },
    { id: 'setCountdown', query: 'symbol=BTCUSDT&countdownTime=0' },
    { id: 'countdowns', query: '' },
    { id: 'setProtection', query: 'symbol=BTCUSDT&windowMs=1000&maxFills=7&maxNotional=9' },
    { id: 'resetProtection', query: 'symbol=BTCUSDT' },
    { id: 'protections', query: '' },
  ]
  expect(await unwrittenIn(async () => ask(requests))).toEqual([])
})

/** A slot of a ring that is never full. */
const slotOf = (symbolId: number, sent: SentCommand[]): CommandSlot => {
  const buffer = RecordBuffer.allocate(256)
  const submit: CommandSlot['submit'] = (type, _bytes, collector) => {
    sent.push({ type, symbolId: SymbolId(symbolId), buffer, collector })
  }
  return { buffer, at: 0, submit }
}

test('by a block trade', async () => {
  const trade = async () => {
    const sent: SentCommand[] = []
    const command = (symbolId: number) => slotOf(symbolId, sent)
    const context = { symbols: [btcusdt], command } as unknown as Context
    const parties = { buyer: AccountId(1), seller: AccountId(2) }
    const terms = { priceTicks: Ticks(3), lots: Lots(4), rate: 5, requestId: 'a' }
    void makeBlockTrade({ ask: 'blockTrade', symbolId: SymbolId(0), ...parties, ...terms }, context)
    return sent
  }
  expect(await unwrittenIn(trade)).toEqual([])
})

test('by withdrawals and movements of funds', async () => {
  const asked = async () => {
    const context = coinContext()
    context.accounts = [{ ...trader, id: AccountId(11), name: 'bot', master: trader.id }]
    const to = `coin=USDT&network=ETH&address=0x${'ab'.repeat(20)}`
    send(context, 'withdraw', `${to}&amount=5`)
    const emails = 'fromEmail=trader@ringbook.invalid&toEmail=bot@ringbook.invalid'
    send(context, 'subAccountTransfer', `${emails}&asset=USDT&amount=5`)
    return context.sent
  }
  const { length } = await asked()
  expect([length, await unwrittenIn(asked)]).toEqual([2, []])
})

test('by what operators ask of the wallet', async () => {
  const queries: readonly WalletQuery[] = [
    { ask: 'wallet', subject: WalletSubject.DEPOSITS },
    {
      ask: 'chainSend',
      networkId: NetworkId(0),
      address: '0xab',
      tag: '',
      atoms: Atoms(7),
      requestId: '',
    },
    { ask: 'decideWithdrawal', withdrawalId: 7, decision: WithdrawalDecision.FAIL },
    { ask: 'changeChain', chainId: ChainId(0), change: ChainChange.STOP, blocks: 0 },
  ]
  const asked = async () => {
    const sent: SentCommand[] = []
    const command = (symbolId: SymbolId) => slotOf(symbolId, sent)
    const context = { command, query: command } as unknown as Context
    for (const query of queries) void askWallet(query, context)
    return sent
  }
  expect(await unwrittenIn(asked)).toEqual([])
})

test('by the end of a session', async () => {
  const end = async () => {
    const sent: SentCommand[] = []
    vi.useFakeTimers()
    const command = (symbolId: number) => slotOf(symbolId, sent)
    const orders = new SessionOrders(0, { command, newClientOrderId: () => 'x' }, new FakedTime())
    const session = orders.begin()!
    session.places(AccountId(1), SymbolId(0))
    orders.end(session)
    await vi.advanceTimersByTimeAsync(1)
    return sent
  }
  expect(await unwrittenIn(end)).toEqual([])
})

test('by the load of a book', async () => {
  const load = async () => {
    const sent: SentCommand[] = []
    const views = { depths: [new DepthView(btcusdt)], references: [] }
    const markets = { ...views, matcherOf: [0] } as unknown as Markets
    const command = (symbolId: SymbolId) => slotOf(symbolId, sent)
    void new BookLoader(markets, new FakedTime(), command, () => {}).load(SymbolId(0))
    await Promise.resolve()
    return sent
  }
  expect(await unwrittenIn(load)).toEqual([])
})

test('by a reference price from outside', async () => {
  const set = async () => {
    const sent: SentCommand[] = []
    const context = { command: (symbolId: SymbolId) => slotOf(symbolId, sent) }
    const query = { ask: 'referencePrice', symbolId: SymbolId(0), priceUnits: 7 } as const
    void setReferencePrice(query, context as unknown as Context)
    return sent
  }
  expect(await unwrittenIn(set)).toEqual([])
})

/** Sends one command of a type through a ring whose slots were filled. Returns its head. */
function headSent(type: number, bytes: number, pattern: number): Uint8Array {
  const ring = new CommandRingProducer(new SharedArrayBuffer(commandRingBytes(64)))
  ring.buffer.bytes.fill(pattern)
  const context = new EngineClient({
    gateway: 3,
    assets: [],
    commandRings: [ring],
    pending: new Pending(),
    markets: { symbols: [btcusdt], matcherOf: [0] },
    maintenance: new SharedArrayBuffer(4),
    clock: { wall: { elapsedNs: () => 0 } },
    counters: { add: () => {} },
    sent: () => {},
  } as unknown as ContextParts)
  const collector = { record: () => {}, done: () => {}, failed: () => {} }
  const slot = context.command(btcusdt.id, bytes)!
  slot.submit(type, bytes, collector, undefined)
  return slot.buffer.bytes.slice(slot.at, slot.at + RecordHeader.bytes)
}

const unwrittenHead = (): string[] =>
  commands.flatMap((schema) => {
    const [first, second] = PATTERNS.map((pattern) =>
      headSent(schema.type, recordBytes(schema), pattern),
    )
    return unwrittenFields(fieldsOf(schema), first!, second!).map((it) => `${schema.name}.${it}`)
  })

test('the head, by the gateway that sends', () => {
  expect(unwrittenHead()).toEqual([])
})

test.each([
  'setSymbolId',
  'setGateway',
  'setCorrelation',
] as const)('a head without %s is noticed', (setter) => {
  const header: { -readonly [Name in keyof typeof RecordHeader]: (typeof RecordHeader)[Name] } =
    RecordHeader
  const usual = header[setter]
  header[setter] = () => {}
  try {
    expect(unwrittenHead()).toHaveLength(commands.length)
  } finally {
    Object.assign(header, { [setter]: usual })
  }
})

test('each command was written', () => {
  expect(commands.filter(({ name }) => !seen.has(name)).map(({ name }) => name)).toEqual([])
})
