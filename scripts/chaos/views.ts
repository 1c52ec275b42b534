/** What members show of the same position: books, balances, open orders, and the past of each account. */
import { setTimeout as delay } from 'node:timers/promises'
import type { DemoKey } from '../exchange/exchange-process.ts'
import { SignedClient } from '../exchange/signed-client.ts'
import { markets } from './lane.ts'
import type { Member } from './members.ts'
import { decided, depthOf } from './recovered.ts'

const LIMIT = 1_000
/** A follower that differs for so long will not be the same any more. */
const BOUND_MS = 60_000
const PAUSE_MS = 100

export class Views {
  private readonly keys: readonly DemoKey[]

  constructor(keys: readonly DemoKey[]) {
    this.keys = keys
  }

  /**
   * Returns what the follower shows otherwise than the leader, which has come to rest, in one sentence;
   * undefined when it shows the same within a while. Calls `waits` before each further look.
   */
  async difference(
    leader: Member,
    follower: Member,
    waits: () => void,
  ): Promise<string | undefined> {
    const expected = await this.view(leader.exchange.url)
    const deadlineMs = performance.now() + BOUND_MS
    for (;;) {
      const shown = await this.view(follower.exchange.url).catch((error: Error) => [error.message])
      const at = expected.findIndex((text, i) => text !== shown[i])
      if (at === -1) return undefined
      if (performance.now() > deadlineMs) {
        return `member ${follower.number} follows, and shows ${shown[at]}; the leader ${expected[at]}`
      }
      waits()
      await delay(PAUSE_MS)
    }
  }

  private async view(url: string): Promise<readonly string[]> {
    const texts: string[] = []
    for (const { symbol } of markets) {
      texts.push(`depth ${symbol} ${JSON.stringify(await depthOf(url, symbol, LIMIT))}`)
    }
    for (const key of this.keys) {
      const client = new SignedClient(url, key)
      const ask = async (path: string, params = {}) => {
        const { body } = await decided(() => client.send('GET', `/api/v3/${path}`, params))
        texts.push(`${path} of ${key.account} ${JSON.stringify(body)}`)
      }
      await ask('account')
      await ask('openOrders')
      for (const { symbol } of markets) {
        await ask('allOrders', { symbol, limit: LIMIT })
        await ask('myTrades', { symbol, limit: LIMIT })
      }
    }
    return texts
  }
}
