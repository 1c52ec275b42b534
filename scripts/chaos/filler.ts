/** A separate account whose orders fill a journal until a segment of it is sealed. */
import { act, actor, openAccount } from '../exchange/admin-client.ts'
import type { DemoKey, ExchangeProcess } from '../exchange/exchange-process.ts'
import { SignedClient } from '../exchange/signed-client.ts'
import { quietOrder } from './lane.ts'

const ACCOUNT = 'chaos-filler'
const LANES = 32
const ORDERS_PER_LANE = 250
const ROUNDS_MAX = 100
const SEALED = /sealed a segment of a journal/g

export class Filler {
  private readonly exchange: ExchangeProcess
  private readonly key: DemoKey
  private orders = 0

  private constructor(exchange: ExchangeProcess, key: DemoKey) {
    this.exchange = exchange
    this.key = key
  }

  static async open(exchange: ExchangeProcess): Promise<Filler> {
    const key = await openAccount(actor(exchange), ACCOUNT, { USDT: '1000000' })
    return new Filler(exchange, key)
  }

  /** Resolves once the exchange has sealed another segment, which snapshots cover. */
  async fill(): Promise<void> {
    const before = this.sealed
    for (let round = 0; this.sealed === before; round++) {
      if (round === ROUNDS_MAX) throw new Error('no segment of a journal is sealed')
      await Promise.all(Array.from({ length: LANES }, () => this.place()))
      await act(this.exchange, 'snapshot', {})
    }
  }

  private get sealed(): number {
    return [...this.exchange.output.matchAll(SEALED)].length
  }

  /** Orders that expire at once. */
  private async place(): Promise<void> {
    const { exchange } = this
    const client = new SignedClient(exchange.url, this.key, () => exchange.nowMs())
    for (let i = 0; i < ORDERS_PER_LANE; i++) {
      await client.send('POST', '/api/v3/order', quietOrder(`fill-${++this.orders}`, 0, 'IOC'))
    }
  }
}
