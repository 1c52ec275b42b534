/**
 * Binance's generated decoders of schema 3:4 read what this exchange writes: random answers by every template, and
 * those of two exchanges at the same virtual time, one of which speaks JSON.
 */
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ExampleParams, exampleRequests } from '../../scripts/api-pages/example-requests.ts'
import { SignedClient } from '../../scripts/exchange/signed-client.ts'
import { placedOrderList } from '../../src/api/answers/order-lists.ts'
import { balanceChange } from '../../src/api/answers/user-events.ts'
import { type Operation, operations } from '../../src/api/operations/index.ts'
import { listTemplates, rowTemplates } from '../../src/api/sbe/answer-templates.ts'
import { hasMessages } from '../../src/api/sbe/operations.ts'
import { sbeOf } from '../../src/api/sbe/sbe.ts'
import { templates } from '../../src/api/sbe/templates.ts'
import { Prng } from '../../src/base/prng.ts'
import type { EmbeddedExchange, StartExchange } from '../../src/index.ts'
import { RandomRows } from '../fixtures/random-rows.ts'
import { expectTwin, readMessage } from '../fixtures/sbe.ts'
import { TestSocket } from '../fixtures/test-socket.ts'
import {
  buildOfficialDecoder,
  expectedOf,
  hasOfficialDecoder,
  officiallyDecoded,
} from './official-decoder.ts'

const BUILT = path.resolve('dist/src/index.js')
/** The clock stands still. */
const BEGIN_MS = Date.parse('2026-06-17T12:00:00Z')
const SBE = { accept: 'application/sbe', 'x-mbx-sbe': '3:4' }

describe.runIf(hasOfficialDecoder())('the official decoders', () => {
  let folder: string
  let decoder: string

  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'ringbook-decoders-'))
    decoder = buildOfficialDecoder(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function expectDecoded(messages: readonly Uint8Array[]): void {
    const decoded = officiallyDecoded(decoder, messages)
    messages.forEach((bytes, i) => {
      expect(decoded[i]).toEqual(expectedOf(readMessage(bytes)))
    })
  }

  test('read random answers', () => {
    const random = new RandomRows(new Prng(1))
    const spot = [...rowTemplates].filter(([, it]) => templates.includes(it))
    const rows = [...spot.map(([table]) => table), placedOrderList, balanceChange]
    const answers = Array.from({ length: 40 }, () => [
      ...rows.map((table) => random.one(table)),
      ...[...listTemplates.keys()].map((table) => random.many(table)),
    ]).flat()
    answers.push(random.book(5_000))
    expectDecoded(answers.map((answer) => Buffer.from(sbeOf(4, answer))))
  })

  describe('read what an exchange says, which is what JSON says', () => {
    let inMessages: Side
    let inJson: Side

    beforeAll(async () => {
      const { startExchange } = (await import(/* @vite-ignore */ BUILT)) as {
        startExchange: StartExchange
      }
      const start = async () => {
        const exchange = await startExchange({
          ...{
            process: 'child',
            clock: { at: BEGIN_MS },
            accounts: { maker: FUNDS, taker: FUNDS },
          },
          settings: { 'sbe-newest': '3:4' },
        })
        return Side.of(exchange)
      }
      ;[inMessages, inJson] = await Promise.all([start(), start()])
    })
    afterAll(() => Promise.all([inMessages, inJson].map((side) => side?.exchange.close())))

    /** The other exchange's JSON, with the ids that this one would have made. */
    const twinOf = (text: Buffer | string): unknown =>
      JSON.parse(String(text).replaceAll(inJson.generated, inMessages.generated))

    test('to each request', async () => {
      const messages: Uint8Array[] = []
      for (const id of Object.keys(exampleRequests)) {
        const operation = operations.find((one) => one.id === id)!
        // A listen key is random.
        if (!hasMessages(operation) || id.includes('istenKey')) continue
        const { bytes, status } = await inMessages.ask(operation, exampleRequests[id]!, SBE)
        const twin = await inJson.ask(operation, exampleRequests[id]!)
        expect(status, `${id}: ${twin.bytes}`).toBe(twin.status)
        expectTwin(readMessage(bytes), twinOf(twin.bytes))
        messages.push(bytes)
      }
      expectDecoded(messages)
    })

    test('in a session, events included', async () => {
      const [own, twin] = await Promise.all([
        inMessages.socket('?responseFormat=sbe&sbeSchemaId=3&sbeSchemaVersion=4'),
        inJson.socket(),
      ])
      const messages: Uint8Array[] = []
      const expectSame = async (): Promise<string> => {
        const bytes = await own.nextBytes()
        messages.push(bytes)
        const message = readMessage(bytes)
        const json = twinOf(await twin.nextText()) as { readonly event?: object }
        expectTwin(message, json.event ?? json)
        return message.name
      }
      const expectAnswer = async (method: string, params: ExampleParams): Promise<void> => {
        own.send(inMessages.frame(method, params))
        twin.send(inJson.frame(method, params))
        while ((await expectSame()) !== 'WebSocketResponse') {}
      }
      await expectAnswer('userDataStream.subscribe.signature', {})
      for (const id of Object.keys(exampleRequests)) {
        const operation = operations.find((one) => one.id === id)!
        const { wsMethod } = operation
        if (wsMethod === undefined || !hasMessages(operation) || id.includes('istenKey')) continue
        await expectAnswer(wsMethod, exampleRequests[id]!)
      }
      own.close()
      twin.close()
      const names = new Set(messages.map((bytes) => readMessage(bytes).name))
      expect([...names].sort()).toEqual([
        ...['ExecutionReportEvent', 'ListStatusEvent', 'OutboundAccountPositionEvent'],
        'WebSocketResponse',
      ])
      expectDecoded(messages)
    })
  })
})

/** Of an account at the start. */
const FUNDS = { BTC: '10', USDT: '1000000' }
const limit = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC' }
/** They leave a book, trades, and a match that was prevented. */
const ORDERS: readonly (readonly [account: string, order: ExampleParams])[] = [
  ['maker', { ...limit, side: 'SELL', quantity: '1', price: '60000' }],
  ['maker', { ...limit, side: 'BUY', quantity: '1', price: '59000' }],
  ['taker', { ...limit, side: 'BUY', quantity: '0.1', price: '60000' }],
  ['taker', { ...limit, side: 'SELL', quantity: '0.1', price: '59500' }],
  ['taker', { ...limit, side: 'BUY', quantity: '0.2', price: '59500' }],
]
/** Characters that ids which an exchange makes begin with. */
const GENERATED = 14

/** One of two exchanges, as one account sees it. */
class Side {
  readonly exchange: EmbeddedExchange
  readonly generated: string

  private constructor(exchange: EmbeddedExchange, generated: string) {
    this.exchange = exchange
    this.generated = generated
  }

  static async of(exchange: EmbeddedExchange): Promise<Side> {
    let generated = ''
    for (const [account, order] of ORDERS) {
      const { body, status } = await clientOf(exchange, account).send(
        'POST',
        '/api/v3/order',
        order,
      )
      expect(status, JSON.stringify(body)).toBe(200)
      generated = String(body.clientOrderId).slice(0, GENERATED)
    }
    return new Side(exchange, generated)
  }

  async ask(
    { method, path: of, security, signed }: Operation,
    params: ExampleParams,
    headers = {},
  ): Promise<{ readonly status: number; readonly bytes: Buffer }> {
    const { url, accounts } = this.exchange
    const query = signed
      ? clientOf(this.exchange, 'taker').sign({ ...params })
      : `${new URLSearchParams(params)}`
    const named = security === 'NONE' ? {} : { 'X-MBX-APIKEY': accounts.taker!.apiKey }
    const response = await fetch(`${url}${of}?${query}`, {
      method,
      headers: { ...headers, ...named },
    })
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }

  socket(query = ''): Promise<TestSocket> {
    return TestSocket.open(`${this.exchange.wsUrl}/ws-api/v3${query}`)
  }

  /** A request; signed, as every method takes it where the operation has a key. */
  frame(method: string, params: ExampleParams): object {
    const operation = operations.find(({ wsMethod }) => wsMethod === method)
    if (operation?.security === 'NONE') return { id: 1, method, params }
    const { apiKey, secretKey } = this.exchange.accounts.taker!
    if (operation?.signed === false) return { id: 1, method, params: { ...params, apiKey } }
    const all: Record<string, unknown> = { ...params, apiKey, timestamp: BEGIN_MS }
    const text = Object.keys(all)
      .sort()
      .map((name) => `${name}=${all[name]}`)
      .join('&')
    const signature = createHmac('sha256', secretKey).update(text).digest('hex')
    return { id: 1, method, params: { ...all, signature } }
  }
}

function clientOf({ url, accounts }: EmbeddedExchange, account: string): SignedClient {
  return new SignedClient(url, { account, ...accounts[account]! }, () => BEGIN_MS)
}
