/**
 * Reference prices of a feed, on their way to the matchers of their symbols: at most ten a second for each symbol, of
 * which the newest wins. They are events of the symbols and no actions, so that a feed makes neither the control journal
 * nor memory grow: one price of a symbol is under way, and one waits.
 */
import type { Table } from '../base/cold-input.ts'
import type { Int64 } from '../base/int64.ts'
import { elapsedMs, type Time } from '../base/time.ts'
import type { SymbolId } from '../base/units.ts'
import type { SymbolSpec } from '../market/listing.ts'
import { ActionError, type ExchangeView } from './action.ts'
import { symbolNamed } from './actions/named.ts'
import { externalPriceOf, isExternal } from './actions/references.ts'
import type { Registry } from './registry.ts'

/** Between two prices of one symbol. */
const PRICE_MS = 100

/** What has become of a price: journaled, or passed by a newer one; or the sentence of its refusal. */
export type FedPrice = 'set' | 'superseded' | { readonly refused: string }

interface Waiting {
  readonly priceUnits: Int64
  readonly resolve: (fed: FedPrice) => void
}

export class ReferenceFeed {
  private readonly view: () => Pick<ExchangeView, 'ask'>
  private readonly registry: Registry
  private readonly time: Time
  private readonly symbols = new Map<SymbolId, FedSymbol>()

  constructor(view: () => Pick<ExchangeView, 'ask'>, registry: Registry, time: Time) {
    this.view = view
    this.registry = registry
    this.time = time
  }

  /** Resolves to what has become of each price, by symbol. Rejects with ActionError, and sets none, if one is no price. */
  async take(prices: Table): Promise<Readonly<Record<string, FedPrice>>> {
    const read = Object.entries(prices).map(([name, price]): [SymbolSpec, Int64] => {
      const spec = symbolNamed(name, this.registry)
      if (!isExternal(spec)) throw new ActionError(`The price of ${name} comes from no feed.`)
      return [spec, externalPriceOf(price === null ? 'none' : price, name)]
    })
    const taken = read.map(async ([spec, priceUnits]) => [
      spec.name,
      await this.symbol(spec).take(priceUnits),
    ])
    return Object.fromEntries(await Promise.all(taken))
  }

  private symbol({ id }: SymbolSpec): FedSymbol {
    const known = this.symbols.get(id)
    if (known !== undefined) return known
    const symbol = new FedSymbol(this.time, (priceUnits) =>
      this.view().ask(0, { ask: 'referencePrice', symbolId: id, priceUnits }),
    )
    this.symbols.set(id, symbol)
    return symbol
  }
}

/** The prices of one symbol. */
class FedSymbol {
  private readonly time: Time
  private readonly send: (priceUnits: Int64) => ReturnType<ExchangeView['ask']>
  private waiting: Waiting | undefined
  /** Whether a price is under way, or one was less than PRICE_MS ago. */
  private isBusy = false

  constructor(time: Time, send: (priceUnits: Int64) => ReturnType<ExchangeView['ask']>) {
    this.time = time
    this.send = send
  }

  take(priceUnits: Int64): Promise<FedPrice> {
    this.waiting?.resolve('superseded')
    return new Promise((resolve) => {
      this.waiting = { priceUnits, resolve }
      if (!this.isBusy) void this.next()
    })
  }

  private async next(): Promise<void> {
    const { waiting } = this
    this.isBusy = waiting !== undefined
    if (waiting === undefined) return
    this.waiting = undefined
    const beganMs = elapsedMs(this.time)
    try {
      const { refused } = await this.send(waiting.priceUnits)
      waiting.resolve(refused === undefined ? 'set' : { refused })
    } catch (error) {
      waiting.resolve({ refused: (error as Error).message })
    }
    const waitMs = Math.max(0, beganMs + PRICE_MS - elapsedMs(this.time))
    this.time.after(waitMs, () => void this.next())
  }
}
