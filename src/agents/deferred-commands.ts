/**
 * Commands that wait behind an unfinished one, a cancel of all orders, a cascade of stops or an auction, while
 * commands of other symbols pass. A command waits
 *
 * - while its symbol, or one of its group (core/matching/routing.ts), is unfinished;
 * - behind an earlier one of its account on its symbol, so their order is kept;
 * - behind all earlier ones of its account, if it enters an order that the account cannot pay now: a cancel
 *   among them may free the funds.
 *
 * So cancels and orders that are paid pass what waits on other symbols. Of the room a symbol takes at most half
 * of what other symbols leave, and an account a fixed number of commands; what exceeds that is refused. So a
 * command ring never stands still behind a symbol. Recovery applies events, so it does not see which command
 * passed which.
 *
 * The commands are copied, so that their slots of the command ring are free again. Written and read by one
 * matcher's thread.
 */
import { SYMBOLS_MAX } from '../base/limits.ts'
import type { Engine } from '../core/matching/engine.ts'
import {
  PlaceOrder,
  QueryBook,
  QueryCountdowns,
  QueryOpenOrders,
  QueryOrder,
  QueryProtection,
  RecordHeader,
  SetReferencePrice,
} from '../layout/accessors.gen.ts'
import { RecordBuffer, recordLength, recordType } from '../layout/record-buffer.ts'
import type { DeferredCounts } from '../ring/command-ring.ts'

/** What one matcher defers at most. */
export interface DeferralBounds {
  readonly bytes: number
  /** Commands of one account. */
  readonly accountCommands: number
}

export const deferralBounds: DeferralBounds = { bytes: 256 * 1024, accountCommands: 64 }

/** What becomes of a command that has arrived. */
export const Deferral = { PASSES: 0, WAITS: 1, REFUSED: 2 } as const
export type Deferral = (typeof Deferral)[keyof typeof Deferral]

const NO_ACCOUNT = -1

const QUERIES: ReadonlySet<number> = new Set([
  QueryOrder.type,
  QueryOpenOrders.type,
  QueryBook.type,
  QueryCountdowns.type,
  QueryProtection.type,
])

/** Whether the command changes nothing. */
export const isQuery = (commands: RecordBuffer, at: number): boolean =>
  QUERIES.has(recordType(commands, at))

/** What no account sends. */
const OF_NO_ACCOUNT: ReadonlySet<number> = new Set([QueryBook.type, SetReferencePrice.type])

/** Returns the account of a command: its first field, except where no account sends it. */
export const commandAccount = (commands: RecordBuffer, at: number): number =>
  OF_NO_ACCOUNT.has(recordType(commands, at)) ? NO_ACCOUNT : PlaceOrder.account(commands, at)

/** Whether the command at byte `at` enters an order that its account cannot pay now. */
export type LacksFunds = (commands: RecordBuffer, at: number) => boolean

/** A command, at byte `at` until it waits, then at byte 0. */
interface Deferred {
  readonly command: RecordBuffer
  readonly symbolId: number
  readonly account: number
  /** It lacked funds when it could have passed: it is not tried again while its account waits. */
  lacksFunds: boolean
}

export class DeferredCommands {
  private readonly lacksFunds: LacksFunds
  private readonly bounds: DeferralBounds
  /** Oldest first. */
  private waiting: Deferred[] = []
  /** Bytes of deferred commands, in all and by symbol id. */
  private bytes = 0
  private readonly bytesOf = new Map<number, number>()
  /** How many wait, by account. */
  private readonly countOf = new Map<number, number>()
  private readonly byGateway: { orders: number; queries: number }[] = []
  /** Ids of unfinished symbols. */
  private readonly symbols = new Set<number>()
  /** Accounts with a command that is unfinished or waits, and those by symbol whose commands wait. */
  private readonly accounts = new Set<number>()
  private readonly accountsOnSymbols = new Set<number>()

  constructor(lacksFunds: LacksFunds, bounds = deferralBounds) {
    this.lacksFunds = lacksFunds
    this.bounds = bounds
  }

  get count(): number {
    return this.waiting.length
  }

  /** Whether any command may have to wait. */
  get isActive(): boolean {
    return this.symbols.size > 0 || this.waiting.length > 0
  }

  /** How many commands of the gateway wait. */
  of(gateway: number): DeferredCounts {
    return this.countsOf(gateway)
  }

  /** Starts a batch: commands of these engines wait. */
  begin(unfinished: readonly Engine[]): void {
    this.symbols.clear()
    this.accounts.clear()
    this.accountsOnSymbols.clear()
    for (const engine of unfinished) this.block(engine)
  }

  /** Commands of this engine, and of the other symbols of its group, wait from now on. */
  block(engine: Engine): void {
    for (const { spec } of engine.group) this.symbols.add(spec.id)
    this.accounts.add(engine.unfinishedAccount)
  }

  /** Decides on the command at byte `at`, which has arrived, and copies it if it waits. */
  judge(commands: RecordBuffer, at: number): Deferral {
    const arrived = {
      command: commands,
      symbolId: RecordHeader.symbolId(commands, at),
      account: commandAccount(commands, at),
      lacksFunds: false,
    }
    if (!this.mustWait(arrived, at)) return Deferral.PASSES
    const bytes = recordLength(commands, at)
    if (!this.hasRoom(arrived, bytes)) return Deferral.REFUSED
    const command = RecordBuffer.allocate(bytes)
    command.bytes.set(commands.bytes.subarray(at, at + bytes))
    const deferred = { ...arrived, command }
    this.note(deferred, 1)
    this.wait(deferred)
    return Deferral.WAITS
  }

  /** Whether `release` would execute one, where no engine is unfinished. */
  canRelease(hasRoom: (gateway: number) => boolean): boolean {
    this.begin([])
    return this.waiting.some((deferred) => {
      const isFree = !this.mustWait(deferred, 0)
      this.blockBehind(deferred)
      return isFree && hasRoom(RecordHeader.gateway(deferred.command, 0))
    })
  }

  /**
   * Passes the commands that need not wait any more to `execute`, oldest first. One for which it returns
   * false waits on, and with it what waits behind it.
   */
  release(execute: (commands: RecordBuffer, at: number) => boolean): void {
    const before = this.waiting
    this.waiting = []
    for (const deferred of before) {
      if (this.mustWait(deferred, 0) || !execute(deferred.command, 0)) this.wait(deferred)
      else this.note(deferred, -1)
    }
  }

  private mustWait(deferred: Deferred, at: number): boolean {
    const { command, symbolId, account } = deferred
    if (this.symbols.has(symbolId)) return true
    if (account === NO_ACCOUNT || !this.accounts.has(account)) return false
    if (this.accountsOnSymbols.has(keyOf(deferred))) return true
    deferred.lacksFunds ||= this.lacksFunds(command, at)
    return deferred.lacksFunds
  }

  /** A symbol has half of what others leave, so that there is always room for another symbol. */
  private hasRoom({ symbolId, account }: Deferred, bytes: number): boolean {
    const own = this.bytesOf.get(symbolId) ?? 0
    const left = this.bounds.bytes - (this.bytes - own)
    if (own + bytes > left / 2) return false
    const count = this.countOf.get(account) ?? 0
    return account === NO_ACCOUNT || count < this.bounds.accountCommands
  }

  private wait(deferred: Deferred): void {
    this.waiting.push(deferred)
    this.blockBehind(deferred)
  }

  /** Later commands of the account on the symbol wait behind this one. */
  private blockBehind(deferred: Deferred): void {
    if (deferred.account === NO_ACCOUNT) return
    this.accounts.add(deferred.account)
    this.accountsOnSymbols.add(keyOf(deferred))
  }

  /** Counts one that begins to wait, 1, or waits no more, -1. */
  private note({ command, symbolId, account }: Deferred, sign: 1 | -1): void {
    const bytes = sign * command.bytes.length
    this.bytes += bytes
    add(this.bytesOf, symbolId, bytes)
    if (account !== NO_ACCOUNT) add(this.countOf, account, sign)
    const counts = this.countsOf(RecordHeader.gateway(command, 0))
    if (isQuery(command, 0)) counts.queries += sign
    else counts.orders += sign
  }

  private countsOf(gateway: number): { orders: number; queries: number } {
    this.byGateway[gateway] ??= { orders: 0, queries: 0 }
    return this.byGateway[gateway]
  }
}

const keyOf = ({ account, symbolId }: Deferred): number => account * SYMBOLS_MAX + symbolId

/** Adds to a sum, and forgets it at 0. */
function add(sums: Map<number, number>, key: number, change: number): void {
  const sum = (sums.get(key) ?? 0) + change
  if (sum === 0) sums.delete(key)
  else sums.set(key, sum)
}
