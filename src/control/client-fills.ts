/**
 * Fills that gateways request: steps of operators' rules, and fills that accounts request for their own orders. For
 * the requests of an account the counterparty pays of each asset at most the faucet's limit since the start. The
 * account sets the price of its order, and perhaps of the orders before it, so it could take any amount otherwise.
 */
import { parseAmountLimits } from '../base/amount-limits.ts'
import { assert } from '../base/assert.ts'
import type { FillAnswer, FillRequest, Purchase } from '../sandbox/requests.ts'
import { ActionError } from './action.ts'
import type { Counterparty } from './counterparty.ts'
import { unitsOf } from './words.ts'

export class ClientFills {
  private readonly limits
  private readonly counterparty: Pick<Counterparty, 'fill'>
  /** By account and asset, as `3:USDT`: atoms. */
  private readonly received = new Map<string, bigint>()

  /** `limits` is the setting `faucet`. */
  constructor(limits: string, counterparty: Pick<Counterparty, 'fill'>) {
    const parsed = parseAmountLimits(limits)
    assert(parsed !== undefined, 'the setting was checked')
    this.limits = parsed
    this.counterparty = counterparty
  }

  async answer({ ask: _, isOwn, ...wish }: FillRequest): Promise<FillAnswer> {
    try {
      const count = (purchase: Purchase) => this.count(wish.account, purchase)
      const { account: __, ...filled } = await this.counterparty.fill(
        wish,
        isOwn ? count : undefined,
      )
      return { filled }
    } catch (error) {
      if (error instanceof ActionError) return { refused: error.message }
      throw error
    }
  }

  /** Throws ActionError beyond the limit. */
  private count(account: number, { asset, atoms }: Purchase): void {
    const limit = this.limits.of(asset)
    if (limit === undefined) throw new ActionError(`The counterparty pays clients no ${asset}.`)
    const key = `${account}:${asset}`
    const sum = (this.received.get(key) ?? 0n) + atoms
    if (sum > unitsOf(limit)) {
      throw new ActionError(
        `The counterparty pays an account at most ${limit} ${asset} for its own fills.`,
      )
    }
    this.received.set(key, sum)
  }
}
