/**
 * What operators do in the simulated exchange: move money, halt, resume and delist, freeze and rename
 * accounts, and open and close symbols by auctions.
 */

import { deepStrictEqual, strictEqual } from 'node:assert/strict'
import { isCall, ReferenceCalculation, SymbolStatus } from '../../../src/base/codes.ts'
import type { Prng } from '../../../src/base/prng.ts'
import { ActionError } from '../../../src/control/action.ts'
import type { AccountSpec, SymbolSpec } from '../../../src/market/listing.ts'
import type { PlainSymbol } from '../../model/plain-exchange.ts'
import type { ProcessLifecycle } from './process-lifecycle.ts'
import { decimal } from './requests.ts'
import type { ExchangeTwin } from './twin.ts'

/** Also what was halted by name. */
const ALL = { all: true, named: true }

/** One of so many halts ends a symbol for good, while others are left to trade. */
const DELISTINGS_APART = 2n
const LISTED_MIN = 2

export interface OperatorsParts {
  readonly prng: Prng
  readonly twin: ExchangeTwin
  readonly count: (what: string) => void
}

export class Operators {
  private readonly parts: OperatorsParts

  constructor(parts: OperatorsParts) {
    this.parts = parts
  }

  async act(process: ProcessLifecycle): Promise<void> {
    const { registry } = process
    const { prng, twin, count } = this.parts
    const asset = prng.pick(registry.assets)
    const account = prng.pick(registry.accounts.slice(1))
    const act = prng.pick([
      'deposit',
      'withdraw',
      'halt',
      'resume',
      'resume',
      'resume',
      'freeze',
      'freeze',
      'cancel-orders',
    ])
    if (act === 'freeze') return this.freeze(process, account)
    if (act === 'cancel-orders') return this.cancel(process, account)
    const units = BigInt(prng.between(1, 100))
    const given = {
      account: account.name,
      asset: asset.name,
      amount: decimal(units),
      ...(act === 'withdraw' && { yes: true }),
    }
    const symbol = prng.pick(registry.symbols)
    // Both by what was drawn already, so that older seeds keep their courses until then.
    if (act === 'resume') await this.rename(process, account, Number(units))
    if (act === 'halt' && units % DELISTINGS_APART === 0n) {
      return this.delist(process, symbol)
    }
    const isMoney = act === 'deposit' || act === 'withdraw'
    const isCovered =
      act !== 'withdraw' || twin.world.ledger.available(account.id, asset.id) >= units
    const asked = isMoney ? given : act === 'halt' ? { symbol: symbol.name } : ALL
    const atoms = act === 'deposit' ? units : -units
    const mayBeDone = () => isMoney && twin.mayDeposit(account.id, asset.id, atoms)
    const isDone = await isCarriedOut(act, asked, process, mayBeDone)
    count(isDone ? act : `refused ${act}`)
    if (isMoney) strictEqual(isDone, isCovered, 'what is free may be taken')
    if (!isDone) return
    if (isMoney) twin.deposit(account.id, asset.id, atoms)
    else twin.respecify(registry.symbols)
  }

  /**
   * Sets a reference price from outside, or has two accounts trade outside of a book, perhaps as before. A matcher executes
   * either among the commands of clients, so nobody waits for it here.
   */
  async enter(process: ProcessLifecycle): Promise<void> {
    const { executor, registry } = process
    const { prng, count } = this.parts
    const { name: symbol, tickUnits, lotUnits, reference } = prng.pick(registry.symbols)
    const isExternal = reference.calculation === ReferenceCalculation.EXTERNAL
    const isPrice = isExternal && prng.chance(0.8)
    const number = prng.below(9)
    const { accounts } = registry
    const deal = {
      buyer: accounts[1 + (number % 3)]!.name,
      // Another one's terms under its id are refused.
      seller: accounts[prng.chance(0.2) ? 5 : 4]!.name,
      quantity: decimal(BigInt(lotUnits) * BigInt(1 + (number % 2))),
      id: `block-${number}`,
    }
    const price = decimal(BigInt(tickUnits) * BigInt(isPrice ? prng.between(1, 60) : 1 + number))
    const act = isPrice ? 'reference-price' : 'block-trade'
    const given = { symbol, price, ...(isPrice ? {} : deal) }
    const refused = () => count(`refused ${act}`)
    await process.turn(() => {
      void executor.act(act, given).then(() => count(act), refused)
    })
  }

  /** Begins a call or ends one, at once or at random within a second. */
  async changePhase(process: ProcessLifecycle): Promise<void> {
    const { registry } = process
    const { prng, twin, count } = this.parts
    const { name: symbol, id, status: present } = prng.pick(registry.symbols)
    if (registry.delistedSymbols.has(id)) return
    const ends = ['TRADING', 'TRADING', 'POST_TRADING', 'CANCEL_ONLY']
    const begins = ['AUCTION_MATCH', 'AUCTION_MATCH', 'PRE_TRADING']
    const status = prng.pick(isCall(present) ? ends : begins)
    await process.operate('symbol-phases', { symbol, 'random-end': prng.pick(['0', '1']) })
    twin.respecify(registry.symbols)
    await process.operate('symbol-status', { symbol, status })
    twin.respecify(registry.symbols)
    count(status)
  }

  /** The account trades on, and its keys and orders stay. */
  private async rename(
    process: ProcessLifecycle,
    account: AccountSpec,
    number: number,
  ): Promise<void> {
    const { twin, count } = this.parts
    const name = `account-${account.id}.${number}`
    const given = { account: account.name, name }
    if (account.name === name) return
    await process.operate('account-rename', given)
    twin.world.accounts[account.id] = { ...twin.world.accounts[account.id]!, name }
    count('rename')
  }

  /** Nothing of the symbol is open then, and nothing comes in again. */
  private async delist(process: ProcessLifecycle, symbol: SymbolSpec): Promise<void> {
    const { registry } = process
    const { twin, count } = this.parts
    if (registry.symbols.length - registry.delistedSymbols.size <= LISTED_MIN) return
    const ended = { ...symbol, status: SymbolStatus.BREAK }
    // Nothing is executed before the fact is in force, except the cancels behind it.
    twin.respecify(registry.symbols.map((spec) => (spec.id === symbol.id ? ended : spec)))
    await process.operate('symbol-delist', { symbol: symbol.name })
    strictEqual(twin.symbols[symbol.id]!.state.orders.length, 0, 'a delisting leaves nothing open')
    twin.respecify(registry.symbols)
    count('delist')
  }

  /** Cancels what an account, or all have open, on one symbol or on all. */
  private async cancel(process: ProcessLifecycle, account: AccountSpec): Promise<void> {
    const { symbols } = process.registry
    const { prng, twin, count } = this.parts
    const ofOne = prng.chance(0.5)
    const symbol = !ofOne || prng.chance(0.5) ? prng.pick(symbols) : undefined
    const given = {
      ...(ofOne ? { account: account.name } : {}),
      ...(symbol === undefined ? {} : { symbol: symbol.name }),
      ...((!ofOne || symbol === undefined) && { all: true }),
    }
    const owners = ofOne ? [account] : twin.world.accounts
    const openOf = ({ spec, market }: PlainSymbol) =>
      symbol !== undefined && symbol.id !== spec.id
        ? []
        : owners.flatMap(({ id }) => market.ofAccount(id).map(({ orderId }) => orderId))
    const before = twin.symbols.map(openOf)
    await process.operate('cancel-orders', given)
    for (const [id, plain] of twin.symbols.entries()) {
      // One matcher may work on while another waits for the quorum.
      const left = openOf(plain).filter((orderId) => before[id]!.includes(orderId))
      deepStrictEqual(left, [], 'nothing that was canceled is open')
    }
    count(ofOne ? 'cancel of an account' : 'cancel of a symbol')
  }

  /** Freezes an account, and perhaps cancels what it has open; or lifts that. */
  private async freeze(process: ProcessLifecycle, account: AccountSpec): Promise<void> {
    const { prng, twin, count } = this.parts
    const frozen = prng.chance(0.4)
    const cancels = frozen && prng.chance(0.7)
    // Nothing is executed before the fact is in force, except the cancels behind it.
    twin.world.accounts[account.id] = { ...account, frozen }
    const given = { account: account.name, frozen, 'cancel-orders': cancels }
    await process.operate('account-freeze', given)
    if (cancels) {
      for (const { market } of twin.symbols) {
        strictEqual(market.ofAccount(account.id).length, 0, 'a freeze leaves nothing open')
      }
    }
    count(cancels ? 'freeze that cancels' : frozen ? 'freeze' : 'thaw')
  }
}

/** Whether an action is not refused. Rejects when the process fails in it, and may have done it. */
async function isCarriedOut(
  name: string,
  given: Readonly<Record<string, string | boolean>>,
  process: ProcessLifecycle,
  mayBeDone: () => void,
): Promise<boolean> {
  try {
    await process.operate(name, given)
    return true
  } catch (error) {
    if (error instanceof ActionError) return false
    mayBeDone()
    throw error
  }
}
