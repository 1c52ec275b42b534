/** Collects the records that the plain twin predicts as the answer to one command. */

import type { Int64 } from '../../src/base/int64.ts'

/** Where a command came from. */
export interface Asked {
  readonly gateway: number
  readonly correlation: number
}

export type Fields = Readonly<Record<string, string | Int64>>

/** A record as the twin predicts it: the schema's fields by name, and whether it is the last one. */
export type PlainRecord = { readonly name: string; readonly last: boolean } & Readonly<
  Record<string, string | Int64 | boolean>
>

interface Entry {
  readonly name: string
  readonly fields: Fields
}

/** An execution that follows from another has no caller. */
export const NO_CALLER: Asked = { gateway: -1, correlation: 0 }

export class PlainAnswer {
  private readonly symbolId: number
  private readonly asked: Asked
  /** The events of each execution; the first is the sender's. */
  private readonly executions: Entry[][] = [[]]
  private readonly replies: Entry[] = []
  /** Whether the last execution continues in another batch. */
  isToBeContinued = false

  constructor(symbolId: number, asked: Asked) {
    this.symbolId = symbolId
    this.asked = asked
  }

  /** What is added from here on follows from the command. */
  beginTurn(): void {
    this.executions.push([])
  }

  event(name: string, fields: Fields): void {
    this.executions.at(-1)!.push({ name, fields })
  }

  reply(name: string, fields: Fields): void {
    this.replies.push({ name, fields })
  }

  get eventCount(): number {
    return this.executions.reduce((sum, { length }) => sum + length, 0)
  }

  /** Events before replies, as they are published. A reply completes the answer, else an event. */
  records(): PlainRecord[] {
    const isReplied = this.replies.length > 0
    return [
      ...this.executions.flatMap((execution, i) =>
        this.complete(
          execution,
          i === 0 ? this.asked : NO_CALLER,
          !(i === 0 && isReplied) && !(this.isToBeContinued && i === this.executions.length - 1),
        ),
      ),
      ...this.complete(this.replies, this.asked, true),
    ]
  }

  private complete(entries: readonly Entry[], asked: Asked, isWhole: boolean): PlainRecord[] {
    return entries.map(({ name, fields }, i) => ({
      name,
      last: isWhole && i === entries.length - 1,
      symbolId: this.symbolId,
      gateway: asked.gateway,
      correlation: asked.correlation,
      ...fields,
    }))
  }
}
