/**
 * Fills that gateways ask for: steps of operators' rules, and what accounts wish for their own orders. For the
 * wishes of an account the house pays of each asset at most the faucet's limit, in all since the start: the price of
 * its order is its own, and so may be that of the orders before it, so that it could take any amount from the house.
 */
import { parseAmountLimits } from '../base/amount-limits.ts'
import { assert } from '../base/assert.ts'
import type { FillAnswer, FillRequest, Purchase } from '../market/sandbox.ts'
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
    if (limit === undefined) throw new ActionError(`The house pays no ${asset} to clients.`)
    const place = `${account}:${asset}`
    const sum = (this.received.get(place) ?? 0n) + atoms
    if (sum > unitsOf(limit)) {
      throw new ActionError(
        `The house pays an account at most ${limit} ${asset} for its own fills.`,
      )
    }
    this.received.set(place, sum)
  }
}
