/**
 * What happens to accounts, for those who listen: reports of their orders, and after each command
 * one position of the balances that it may have changed (supplement 2e.2). Positions are read from
 * the shared ledger, which was settled before the events were published, so no position is older
 * than the reports before it, nor than the position before it.
 */
import type { BalanceRow } from '#api/context.ts'
import { ExecutionReporter } from '#api/render/execution-report.ts'
import { accountPosition } from '#api/render/user-events.ts'
import type { Clock } from '#base/clock.ts'
import type { AssetSpec, SymbolSpec } from '#base/listing.ts'
import { type RecordBuffer, recordFlags, recordType } from '#layout/record-buffer.ts'
import { EventHeader, FLAG_LAST, RecordHeader, Rejected } from '#layout/records.gen.ts'

/** A connection, or one subscription of it, that wants an account's events. */
export interface UserListener {
  readonly account: number
  readonly microseconds: boolean
  event(json: string): void
}

export interface UserStreamsParts {
  readonly symbols: readonly SymbolSpec[]
  readonly matchers: number
  readonly balance: (account: number, asset: AssetSpec) => BalanceRow
  readonly clock: Clock
}

export class UserStreams {
  readonly #parts: UserStreamsParts
  /** By matcher: each reads the whole of one event ring. */
  readonly #reporters: readonly ExecutionReporter[]
  readonly #listeners = new Map<number, Set<UserListener>>()
  /** By matcher: accounts with listeners that the command under way has touched. */
  readonly #touched: readonly Set<number>[]

  constructor(parts: UserStreamsParts) {
    this.#parts = parts
    this.#reporters = Array.from({ length: parts.matchers }, () => new ExecutionReporter())
    this.#touched = Array.from({ length: parts.matchers }, () => new Set<number>())
  }

  add(listener: UserListener): void {
    const others = this.#listeners.get(listener.account)
    if (others === undefined) this.#listeners.set(listener.account, new Set([listener]))
    else others.add(listener)
  }

  remove(listener: UserListener): void {
    const others = this.#listeners.get(listener.account)
    others?.delete(listener)
    if (others?.size === 0) this.#listeners.delete(listener.account)
  }

  /** Records of the matcher were missed: the command under way is not finished. */
  lapped(matcher: number): void {
    this.#touched[matcher]!.clear()
  }

  /** Takes in one record of a matcher's event ring. */
  record(matcher: number, buffer: RecordBuffer, at: number): void {
    if (recordType(buffer, at) >= Rejected.type) return
    const reporter = this.#reporters[matcher]!
    reporter.read(buffer, at)
    if (this.#listeners.size === 0) return
    const spec = this.#parts.symbols[buffer.i32[(at >> 2) + RecordHeader.symbolId]!]!
    this.#report(matcher, reporter.owner, false, spec, buffer, at)
    this.#report(matcher, reporter.makerOwner, true, spec, buffer, at)
    if ((recordFlags(buffer, at) & FLAG_LAST) === 0 || this.#touched[matcher]!.size === 0) return
    const updateMs = buffer.f64[(at >> 3) + EventHeader.timeMs]!
    for (const account of this.#touched[matcher]!) this.#sendPosition(account, spec, updateMs)
    this.#touched[matcher]!.clear()
  }

  #report(
    matcher: number,
    account: number,
    ofMaker: boolean,
    spec: SymbolSpec,
    buffer: RecordBuffer,
    at: number,
  ): void {
    if (account < 0 || !this.#listeners.has(account)) return
    this.#touched[matcher]!.add(account)
    const eventTimeMs = this.#parts.clock.nowMs()
    this.#send(account, (microseconds) =>
      this.#reporters[matcher]!.text(spec, buffer, at, ofMaker, { eventTimeMs, microseconds }),
    )
  }

  #sendPosition(account: number, spec: SymbolSpec, updateMs: number): void {
    const { balance, clock } = this.#parts
    const balances = [balance(account, spec.base), balance(account, spec.quote)]
    const nowMs = clock.nowMs()
    this.#send(account, (microseconds) => accountPosition(balances, updateMs, nowMs, microseconds))
  }

  #send(account: number, render: (microseconds: boolean) => string): void {
    const texts: (string | undefined)[] = [undefined, undefined]
    for (const listener of this.#listeners.get(account) ?? []) {
      const unit = listener.microseconds ? 1 : 0
      texts[unit] ??= render(listener.microseconds)
      listener.event(texts[unit])
    }
  }
}
