/**
 * Every operation of the tables through both entrances: as the documents show it, with everything that the
 * checks can refuse, and in each of the forms that a request may take.
 */

import { exampleRequests } from '../../scripts/api-pages/example-requests.ts'
import type { DemoKey } from '../../scripts/exchange/exchange-process.ts'
import { type Operation, operations } from '../../src/api/operations/index.ts'
import { kindOf, type Param, paramNames } from '../../src/api/parameters.ts'
import { ENTRANCES, type Entrance, type Manner, type Params, type Stage } from './stage.ts'

/** Texts that each parameter is sent with: empty, illegal, too precise, too large, too long, odd. */
const texts = ['', 'ä ', '-1', '0', '1.123456789', '99999999999999999999', 'x'.repeat(40)]
const UNKNOWN_KEY = 'z'.repeat(64)

/** An order that one example places is the one that later examples query, amend and cancel. */
const inOrder = Object.keys(exampleRequests).map(
  (name) => operations.find(({ id }) => id === name)!,
)

export async function recordEveryOperation(stage: Stage): Promise<void> {
  await makeMarket(stage)
  const trader = stage.key('trader1')
  for (const entrance of ENTRANCES) {
    for (const operation of inOrder) {
      if (entrance === 'SOCKET' && operation.wsMethod === undefined) continue
      stage.note(`# ${operation.id} by ${entrance}`)
      if (operation.id === 'tradingStatus') await stage.settle()
      await new EveryRequest(stage, entrance, operation, trader).record()
    }
  }
}

/** Prices on both sides, and a last one, by which filters go. */
async function makeMarket(stage: Stage): Promise<void> {
  const place = operations.find(({ id }) => id === 'placeOrder')!
  const limit = { symbol: 'BTCUSDT', type: 'LIMIT', timeInForce: 'GTC' }
  const orders = [
    { as: 'maker', side: 'SELL', quantity: 1, price: 60_000 },
    { as: 'maker', side: 'BUY', quantity: 1, price: 59_000 },
    { as: 'taker', side: 'BUY', quantity: '0.1', price: 60_000 },
  ]
  for (const { as, ...order } of orders) {
    await stage.ask('REST', place, { ...limit, ...order }, { as: stage.key(as) })
  }
}

/** The requests of one operation through one entrance. */
class EveryRequest {
  private readonly stage: Stage
  private readonly entrance: Entrance
  private readonly operation: Operation
  private readonly key: DemoKey | undefined
  private usual: Params = {}

  constructor(stage: Stage, entrance: Entrance, operation: Operation, trader: DemoKey) {
    this.stage = stage
    this.entrance = entrance
    this.operation = operation
    this.key = operation.security === 'NONE' ? undefined : trader
  }

  async record(): Promise<void> {
    await this.stage.clock.advance(1_037)
    this.usual = await this.example()
    await this.ask(this.usual)
    await this.askIncomplete()
    await this.askWithTexts()
    await this.askInOtherForms()
    if (this.operation.security !== 'NONE') await this.askWithKeys()
    if (this.operation.signed) await this.askWithTimes()
    if (this.entrance === 'REST') await this.askRestForms()
    else await this.askFrameForms()
  }

  private ask(params: Params, manner: Manner = {}) {
    return this.stage.ask(this.entrance, this.operation, params, { as: this.key, ...manner })
  }

  /** The documents' request, with a listen key that there is. */
  private async example(): Promise<Params> {
    const example = exampleRequests[this.operation.id]!
    if (example.listenKey === undefined) return example
    const start = operations.find(({ id }) => id === 'startListenKey')!
    const { body } = await this.stage.ask(this.entrance, start, {}, { as: this.key })
    return { listenKey: (body as { listenKey: string }).listenKey }
  }

  private async askIncomplete(): Promise<void> {
    await this.ask({})
    for (const name of Object.keys(this.usual)) {
      const { [name]: _, ...others } = this.usual
      await this.ask(others)
    }
    await this.ask({ ...this.usual, symbol: 'NOSUCH' })
    await this.ask({ ...this.usual, unknown: '1' })
    const many = Array.from({ length: 40 }, (_, i): [string, string] => [`unknown${i}`, '1'])
    await this.ask({ ...this.usual, ...Object.fromEntries(many) })
  }

  private async askWithTexts(): Promise<void> {
    for (const { slot, alias, kind = kindOf[slot]! } of this.operation.params) {
      const name = nameOf(slot)
      for (const text of [...texts, ...(kind.values ?? [])]) {
        await this.ask({ ...this.usual, [name]: text })
      }
      if (alias === undefined) continue
      const { [name]: _, ...others } = this.usual
      await this.ask({ ...others, [nameOf(alias)]: 'by-alias' })
      await this.ask({ ...this.usual, [name]: 'one', [nameOf(alias)]: 'other' })
    }
    await this.stage.clock.advance(311)
  }

  private async askInOtherForms(): Promise<void> {
    const { exclusive = [], oneOf = [] } = this.operation
    for (const [one, other] of exclusive) {
      const both = { [nameOf(one)]: 'BTCUSDT', [nameOf(other)]: 'BTCUSDT' }
      await this.ask({ ...this.usual, ...both })
    }
    const neither = Object.entries(this.usual).filter(
      ([name]) => !oneOf.some((slot) => nameOf(slot) === name),
    )
    if (oneOf.length > 0) await this.ask(Object.fromEntries(neither))
    await this.ask({ ...this.usual, symbols: '["BTCUSDT","ETHUSDT"]' })
    const { symbol: _, ...others } = this.usual
    await this.ask({ ...others, symbols: '["BTCUSDT","ETHUSDT"]' })
    await this.ask({ ...others, symbols: '["BTCUSDT","NOSUCH"]' })
  }

  private async askWithKeys(): Promise<void> {
    const usual = this.usual
    await this.ask(usual, { apiKey: '' })
    await this.ask(usual, { apiKey: 'short' })
    await this.ask(usual, { apiKey: UNKNOWN_KEY })
    await this.ask(usual, { as: undefined })
    await this.ask(usual, { as: this.stage.key('trader2') })
  }

  private async askWithTimes(): Promise<void> {
    const usual = this.usual
    const nowMs = this.stage.clock.nowMs()
    const times = ['', '0', 'x', String(nowMs - 60_000), String(nowMs + 5_000), `${nowMs}000`]
    for (const timestamp of [undefined, ...times]) {
      await this.ask(usual, { replaced: { timestamp } })
    }
    for (const recvWindow of ['', '0', '5000.5', '1.23456', '60000', '60001', '-1', 'x']) {
      await this.ask(usual, { replaced: { recvWindow } })
    }
    for (const signature of [undefined, '', 'x', '0'.repeat(64)]) {
      await this.ask(usual, { replaced: { signature } })
    }
  }

  private async askRestForms(): Promise<void> {
    const { method } = this.operation
    const usual = this.usual
    if (method === 'GET') await this.ask(usual, { isHead: true })
    else await this.ask(usual, { inBody: true })
    for (const unit of ['MICROSECOND', 'millisecond', 'SECOND', '']) {
      await this.ask(usual, { headers: { 'X-MBX-TIME-UNIT': unit } })
    }
    const Accept = 'application/sbe, application/json'
    for (const sbe of ['1:0', 'x']) {
      await this.ask(usual, { headers: { 'X-MBX-SBE': sbe, Accept } })
    }
    await this.ask(usual, { headers: { 'X-MBX-SBE': '3:5', Accept: 'application/json' } })
    await this.ask(usual, { headers: { 'X-RINGBOOK-RECEIPT': '1' } })
    await this.ask(usual, { headers: { Origin: 'https://page.example' } })
    await this.ask(usual, { more: 'symbol=BTCUSDT&symbol=BTCUSDT' })
    await this.ask(usual, { more: 'x=%ff' })
    await this.ask(usual, { more: 'empty&&=nameless&' })
  }

  private async askFrameForms(): Promise<void> {
    const usual = this.usual
    await this.ask({ ...usual, returnRateLimits: 'false' })
    await this.ask({ ...usual, returnRateLimits: 'x' })
    await this.ask({ ...usual, receipt: 'true' })
    await this.ask({ ...usual, receipt: '' })
    await this.ask(usual, { more: ',"symbol":"BTCUSDT","symbol":"BTCUSDT"' })
    await this.ask(usual, { more: ',"limit":null' })
    await this.ask(usual, { more: ',"limit":5' })
    await this.ask(usual, { more: ',"symbols":["BTCUSDT"]' })
  }
}

const nameOf = (slot: Param): string => paramNames[slot]!
