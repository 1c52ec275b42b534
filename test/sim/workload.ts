/**
 * Random commands for the simulated exchange, as plain records: prices close enough to meet, ids that
 * clash, quantities at the edges of what is allowed. The same generator state gives the same command.
 */
import { OrderType, packTerms, Side, TimeInForce } from '#base/codes.ts'
import type { SymbolSpec } from '#base/listing.ts'
import type { Prng } from '#base/prng.ts'
import { RecordBuffer } from '#layout/record-buffer.ts'
import {
  type CancelOpenOrdersRecord,
  type CancelOrderRecord,
  type PlaceOrderRecord,
  type QueryBookRecord,
  type QueryOpenOrdersRecord,
  type QueryOrderRecord,
  writeCancelOpenOrders,
  writeCancelOrder,
  writePlaceOrder,
  writeQueryBook,
  writeQueryOpenOrders,
  writeQueryOrder,
} from '#layout/records.gen.ts'
import { noExtras } from '../no-extras.ts'
import { accounts, symbols } from './world.ts'

export type Command =
  | { readonly name: 'PlaceOrder'; readonly record: PlaceOrderRecord }
  | { readonly name: 'CancelOrder'; readonly record: CancelOrderRecord }
  | { readonly name: 'CancelOpenOrders'; readonly record: CancelOpenOrdersRecord }
  | { readonly name: 'QueryOrder'; readonly record: QueryOrderRecord }
  | { readonly name: 'QueryOpenOrders'; readonly record: QueryOpenOrdersRecord }
  | { readonly name: 'QueryBook'; readonly record: QueryBookRecord }

export function encode(command: Command): RecordBuffer {
  const buffer = RecordBuffer.allocate(128)
  switch (command.name) {
    case 'PlaceOrder':
      writePlaceOrder(buffer, 0, command.record)
      break
    case 'CancelOrder':
      writeCancelOrder(buffer, 0, command.record)
      break
    case 'CancelOpenOrders':
      writeCancelOpenOrders(buffer, 0, command.record)
      break
    case 'QueryOrder':
      writeQueryOrder(buffer, 0, command.record)
      break
    case 'QueryOpenOrders':
      writeQueryOpenOrders(buffer, 0, command.record)
      break
    case 'QueryBook':
      writeQueryBook(buffer, 0, command.record)
      break
  }
  return buffer
}

export class Workload {
  readonly #prng: Prng
  /** Of each symbol, where the price is about. */
  readonly #middle: number[]
  #correlation = 0

  constructor(prng: Prng) {
    this.#prng = prng
    this.#middle = symbols.map((spec) => Math.floor(Math.min(spec.priceTicksMax, 1000) / 2))
  }

  /** `openIds` are order ids that were given lately on the symbol. */
  next(spec: SymbolSpec, nowMs: number, lastOrderId: number): Command {
    const prng = this.#prng
    const account = prng.between(1, accounts.length - 1)
    const asked = {
      symbolId: spec.id,
      gateway: prng.chance(0.1) ? -1 : prng.below(4),
      correlation: ++this.#correlation,
    }
    const expiresMs = prng.chance(0.03) ? nowMs - prng.below(3) : prng.chance(0.5) ? 0 : nowMs
    const dice = prng.unit()
    if (dice < 0.68) {
      return {
        name: 'PlaceOrder',
        record: { ...asked, ...noExtras, account, ...this.#order(spec), expiresMs },
      }
    }
    const orderId = Math.max(0, lastOrderId - prng.below(12))
    const id = this.#clientOrderId()
    const [byOrderId, byClientId] = prng.pick([
      [true, false],
      [true, false],
      [false, true],
      [true, true],
      [false, false],
    ] as const)
    if (dice < 0.86) {
      const record: CancelOrderRecord = {
        ...asked,
        account,
        restrictions: prng.chance(0.7) ? 0 : prng.between(1, 2),
        orderId: byOrderId ? orderId : 0,
        expiresMs,
        origClientOrderId: byClientId ? id : '',
        clientOrderId: this.#clientOrderId(),
      }
      return { name: 'CancelOrder', record }
    }
    if (dice < 0.88) {
      const clientOrderId = this.#clientOrderId()
      const record = { ...asked, account, spare: 0, expiresMs, clientOrderId }
      return { name: 'CancelOpenOrders', record }
    }
    if (dice < 0.94) {
      const record: QueryOrderRecord = {
        ...asked,
        account,
        spare: 0,
        orderId: byOrderId ? orderId : 0,
        clientOrderId: byClientId ? id : '',
      }
      return { name: 'QueryOrder', record }
    }
    if (dice < 0.97) return { name: 'QueryOpenOrders', record: { ...asked, account, spare: 0 } }
    return { name: 'QueryBook', record: asked }
  }

  #order(
    spec: SymbolSpec,
  ): Pick<PlaceOrderRecord, 'terms' | 'priceTicks' | 'lots' | 'quoteAtoms' | 'clientOrderId'> {
    const prng = this.#prng
    const side = prng.pick([Side.BUY, Side.SELL])
    const prevention = prng.chance(0.1) ? 0 : prng.between(1, 3)
    const clientOrderId = this.#clientOrderId()
    const lots = this.#lots(spec)
    if (prng.chance(0.2)) {
      const terms = packTerms(side, OrderType.MARKET, TimeInForce.GTC, prevention as 0)
      if (prng.chance(0.5)) return { terms, priceTicks: 0, lots, quoteAtoms: 0, clientOrderId }
      const quoteAtoms = this.#quoteAtoms(spec)
      return { terms, priceTicks: 0, lots: 0, quoteAtoms, clientOrderId }
    }
    const type = prng.chance(0.15) ? OrderType.LIMIT_MAKER : OrderType.LIMIT
    const dice = prng.unit()
    const isPatient = type === OrderType.LIMIT_MAKER || dice < 0.7
    const impatient = dice < 0.85 ? TimeInForce.IOC : TimeInForce.FOK
    const timeInForce = isPatient ? TimeInForce.GTC : impatient
    const terms = packTerms(side, type, timeInForce, prevention as 0)
    return { terms, priceTicks: this.#price(spec), lots, quoteAtoms: 0, clientOrderId }
  }

  #price(spec: SymbolSpec): number {
    const prng = this.#prng
    if (prng.chance(0.01)) return prng.pick([spec.priceTicksMin, spec.priceTicksMax])
    const drift = prng.between(-1, 1)
    const middle = Math.max(10, Math.min(this.#middle[spec.id]! + drift, spec.priceTicksMax - 10))
    this.#middle[spec.id] = middle
    return Math.max(spec.priceTicksMin, middle + prng.between(-5, 5))
  }

  #lots(spec: SymbolSpec): number {
    const prng = this.#prng
    const dice = prng.unit()
    if (dice < 0.02) return spec.qtyLotsMax
    if (dice < 0.05) return Math.ceil(prng.unit() * spec.qtyLotsMax)
    if (spec.id === 3 && dice < 0.5) return Math.ceil(prng.unit() * 2e11)
    return prng.between(1, 20)
  }

  #quoteAtoms(spec: SymbolSpec): number {
    const prng = this.#prng
    const dice = prng.unit()
    if (dice < 0.02) return Number.MAX_SAFE_INTEGER
    const lot = this.#middle[spec.id]! * spec.atomsPerTickLot
    if (dice < 0.1) return prng.between(1, lot)
    return Math.ceil(prng.unit() * lot * (spec.id === 3 ? 1e11 : 40))
  }

  /** Few enough to clash. */
  #clientOrderId(): string {
    return `c-${this.#prng.below(40)}`
  }
}
