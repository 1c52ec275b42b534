/**
 * One command to each of several symbols, in parallel as far as their matchers have room. The answer waits for all
 * of them; the first failure is the answer, and then some may have been carried out.
 */
import { Rejected } from '../../layout/accessors.gen.ts'
import { type RecordBuffer, recordType } from '../../layout/record-buffer.ts'
import type { SymbolSpec } from '../../market/listing.ts'
import type { CommandSlot, Responder } from '../context.ts'
import { type ErrorId, errorOfReject } from '../errors.ts'

/** Commands of one request under way at once. */
export const COMMANDS_AT_ONCE = 64

export interface SymbolCommands {
  readonly symbols: readonly SymbolSpec[]
  readonly responder: Responder
  /** A place in the symbol's ring; undefined when there is none. */
  claim(spec: SymbolSpec): CommandSlot | undefined
  /** Writes the command, and submits it to the collector. */
  submit(slot: CommandSlot, collector: Parameters<CommandSlot['submit']>[2]): void
  /** The answer of one symbol. */
  record(spec: SymbolSpec, buffer: RecordBuffer, at: number): void
  reply(): void
}

export class EverySymbol {
  private readonly commands: SymbolCommands
  private begun = 0
  private awaited = 0
  private hasFailed = false

  constructor(commands: SymbolCommands) {
    this.commands = commands
  }

  goOn(): void {
    const { symbols } = this.commands
    while (!this.hasFailed && this.awaited < COMMANDS_AT_ONCE && this.begun < symbols.length) {
      if (!this.send(symbols[this.begun]!)) break
    }
    if (this.hasFailed || this.awaited > 0) return
    if (this.begun === symbols.length) this.commands.reply()
    else this.fail('SERVER_BUSY')
  }

  /** Returns false when there is no room: it is tried again once another symbol has answered. */
  private send(spec: SymbolSpec): boolean {
    const { commands } = this
    const slot = commands.claim(spec)
    if (slot === undefined) return false
    this.begun++
    this.awaited++
    commands.submit(slot, {
      record: (buffer, at) => {
        if (recordType(buffer, at) !== Rejected.type) commands.record(spec, buffer, at)
        else this.fail(errorOfReject(Rejected.reason(buffer, at)))
      },
      done: () => this.answered(),
      failed: (id) => this.fail(id),
    })
    return true
  }

  private answered(): void {
    this.awaited--
    this.goOn()
  }

  private fail(id: ErrorId): void {
    if (this.hasFailed) return
    this.hasFailed = true
    this.commands.responder.error(id)
  }
}
