/**
 * Commands that wait behind an unfinished one, a cancel of all orders or a cascade of stops, while
 * commands of other symbols pass. A command waits while its symbol is unfinished, or while its account has
 * a command that is unfinished or waits. So commands keep their order within a symbol's book and within an
 * account, whose later orders may need the funds of earlier cancels. Recovery applies events, so it does
 * not see which command passed which.
 *
 * The commands are copied, so that their slots of the command ring are free again. Written and read by one
 * matcher's thread.
 */
import type { Engine } from '../core/matching/engine.ts'
import {
  PlaceOrder,
  QueryBook,
  QueryOpenOrders,
  QueryOrder,
  RecordHeader,
} from '../layout/accessors.gen.ts'
import { RecordBuffer, recordLength, recordType } from '../layout/record-buffer.ts'

/** Bytes of commands that one matcher holds; further ones wait in their gateway's command ring. */
export const HELD_BYTES_MAX = 256 * 1024
const NO_ACCOUNT = -1

const QUERIES: ReadonlySet<number> = new Set([
  QueryOrder.type,
  QueryOpenOrders.type,
  QueryBook.type,
])

/** Whether the command changes nothing. */
export const isQuery = (commands: RecordBuffer, at: number): boolean =>
  QUERIES.has(recordType(commands, at))

/** Returns the account of a command: its first field, except in a query of the book. */
export const commandAccount = (commands: RecordBuffer, at: number): number =>
  recordType(commands, at) === QueryBook.type ? NO_ACCOUNT : PlaceOrder.account(commands, at)

export class DeferredCommands {
  private readonly buffer: RecordBuffer
  private end = 0
  private _count = 0
  /** Ids of symbols and accounts whose commands wait. */
  private readonly symbols = new Set<number>()
  private readonly accounts = new Set<number>()

  constructor(bytes = HELD_BYTES_MAX) {
    this.buffer = RecordBuffer.allocate(bytes)
  }

  get count(): number {
    return this._count
  }

  /** Whether any command may have to wait. */
  get isActive(): boolean {
    return this.symbols.size > 0 || this._count > 0
  }

  /** Starts a batch: commands of these engines wait, and of accounts whose command is unfinished. */
  begin(unfinished: readonly Engine[]): void {
    this.symbols.clear()
    this.accounts.clear()
    for (const engine of unfinished) this.block(engine)
  }

  /** Commands of this engine wait from now on. */
  block(engine: Engine): void {
    this.symbols.add(engine.spec.id)
    this.blockAccount(engine.unfinishedAccount)
  }

  /** Whether the command at byte `at` waits. */
  mustWait(commands: RecordBuffer, at: number): boolean {
    return (
      this.symbols.has(RecordHeader.symbolId(commands, at)) ||
      this.accounts.has(commandAccount(commands, at))
    )
  }

  /** Copies a command that waits. Returns false when there is no room for it. */
  keep(commands: RecordBuffer, at: number): boolean {
    const bytes = recordLength(commands, at)
    if (this.end + bytes > this.buffer.bytes.length) return false
    this.buffer.bytes.set(commands.bytes.subarray(at, at + bytes), this.end)
    this.append(at, bytes, commands)
    return true
  }

  /** Whether `release` would execute one, where no engine is unfinished. */
  canRelease(hasRoom: (gateway: number) => boolean): boolean {
    this.begin([])
    for (let at = 0; at < this.end; at += recordLength(this.buffer, at)) {
      const isFree = !this.mustWait(this.buffer, at)
      if (isFree && hasRoom(RecordHeader.gateway(this.buffer, at))) return true
      if (isFree) this.symbols.add(RecordHeader.symbolId(this.buffer, at))
      this.blockAccount(commandAccount(this.buffer, at))
    }
    return false
  }

  /**
   * Passes the commands that need not wait any more to `execute`, oldest first. One for which it returns
   * false waits on, and with it all later ones of its account and its symbol.
   */
  release(execute: (commands: RecordBuffer, at: number) => boolean): void {
    const end = this.end
    this.end = 0
    this._count = 0
    const buffer = this.buffer
    for (let at = 0; at < end; ) {
      const bytes = recordLength(buffer, at)
      const next = at + bytes
      if (this.mustWait(buffer, at)) this.move(at, bytes)
      else if (!execute(buffer, at)) {
        this.symbols.add(RecordHeader.symbolId(buffer, at))
        this.move(at, bytes)
      }
      at = next
    }
  }

  private blockAccount(account: number): void {
    if (account !== NO_ACCOUNT) this.accounts.add(account)
  }

  private move(at: number, bytes: number): void {
    this.buffer.bytes.copyWithin(this.end, at, at + bytes)
    this.append(this.end, bytes, this.buffer)
  }

  private append(at: number, bytes: number, commands: RecordBuffer): void {
    this.blockAccount(commandAccount(commands, at))
    this.end += bytes
    this._count++
  }
}
