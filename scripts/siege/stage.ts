/** Where attacks are prepared: accounts, listings and large books, on a server without limits. */
import { type Act, openAccount } from '../exchange/admin-client.ts'
import type { DemoKey } from '../exchange/exchange-process.ts'
import { accountKeyOf } from '../load/keys.ts'
import { Target } from '../load/target.ts'
import type { Server } from './server.ts'

const CONNECTIONS = 64
const TIMEOUT_MS = 30_000
/** After so many refusals in a row the server has no room for more orders of the kind. */
const REFUSALS_MAX = 100
const ASSETS = 20

interface StagedOrder {
  readonly key: DemoKey
  readonly [param: string]: DemoKey | string
}

/** What distinguishes one bid from another. */
type Bid = Readonly<Record<'symbol' | 'price' | 'quantity', string>>

export class Stage {
  readonly act: Act
  private readonly target: Target
  private readonly scale: number

  /** The server runs without limits. `scale` is 1 for books of full size. */
  constructor(server: Server, scale: number) {
    this.act = server.act
    this.target = new Target(server.url, CONNECTIONS, TIMEOUT_MS)
    this.scale = scale
  }

  /** So many at full size; at least one. */
  size(full: number): number {
    return Math.max(1, Math.round(full * this.scale))
  }

  /** Opens an account with these funds and one HMAC key. */
  account(account: string, funds: Readonly<Record<string, string>>): Promise<DemoKey> {
    return openAccount(this.act, account, funds)
  }

  /** A key of that account for which signatures are checked by a public key. */
  async publicKey(account: string, kind: 'RSA' | 'ED25519', pem: string): Promise<DemoKey> {
    const [row] = await this.act('key-create', { account, kind, 'public-key': pem })
    return { account, apiKey: String(row!.apiKey), secretKey: '' }
  }

  /** Lists so many symbols, made of their own assets. */
  async listSymbols(count: number): Promise<void> {
    const assets = Array.from({ length: ASSETS }, (_, index) => `SIEGE${index}`)
    for (const asset of assets) await this.act('asset-list', { asset })
    const pairs = assets.flatMap((base) => assets.map((quote) => ({ base, quote })))
    const distinct = pairs.filter(({ base, quote }) => base !== quote)
    for (const pair of distinct.slice(0, count)) {
      await this.act('symbol-list', { ...pair, like: 'ETHUSDT' })
    }
  }

  /** Places so many orders, many at a time, until the server refuses one after another. */
  async orders(count: number, orderAt: (index: number) => StagedOrder): Promise<void> {
    let next = 0
    let refusals = 0
    const lane = async () => {
      while (next < count && refusals < REFUSALS_MAX) {
        const { key, ...terms } = orderAt(next++)
        const { status } = await this.target.send({
          method: 'POST',
          path: '/api/v3/order',
          params: { ...(terms as Readonly<Record<string, string>>), newOrderRespType: 'ACK' },
          key: accountKeyOf(key),
        })
        refusals = status === 200 ? 0 : refusals + 1
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, lane))
  }

  /** Opens an account with USDT and rests so many of its orders on the bid side. */
  async bidder(account: string, count: number, orderAt: (index: number) => Bid): Promise<DemoKey> {
    const key = await this.account(account, { USDT: '1000000' })
    const common = { key, side: 'BUY', type: 'LIMIT', timeInForce: 'GTC' }
    await this.orders(this.size(count), (index) => ({ ...common, ...orderAt(index) }))
    return key
  }

  close(): Promise<void> {
    return this.target.close()
  }
}
