/** An engine that shows what each command made it write, before its matcher does anything with it. */
import { Engine, type EngineOptions } from '#core/matching/engine.ts'
import type { EngineOutput } from '#core/matching/output.ts'
import type { RecordBuffer } from '#layout/record-buffer.ts'
import { RecordHeader } from '#layout/records.gen.ts'
import { type Command, decode } from './commands.ts'
import { type NamedRecord, readRecords } from './records.ts'

/** One command's execution: who asked, as the ring's slot says, and all that it caused. */
export interface Execution {
  readonly symbolId: number
  readonly gateway: number
  readonly correlation: number
  readonly timeMs: number
  /** By which it has expired or not. */
  readonly clockMs: number
  readonly command: Command
  readonly records: readonly NamedRecord[]
}

export type Watch = (execution: Execution) => void

export class WatchedEngine extends Engine {
  constructor(options: EngineOptions, watch: Watch) {
    super(options)
    watchEngine(this, watch)
  }
}

/** From now on the engine tells of each command that it executes. */
export function watchEngine(engine: Engine, watch: Watch): void {
  const execute = engine.execute.bind(engine)
  engine.execute = (
    commands: RecordBuffer,
    at: number,
    timeMs: number,
    output: EngineOutput,
    clockMs: number,
  ) => {
    const { eventsEnd, repliesEnd } = output
    const gateway = commands.i32[(at >> 2) + RecordHeader.gateway]!
    const correlation = commands.i32[(at >> 2) + RecordHeader.correlation]!
    const command = decode(commands, at)
    execute(commands, at, timeMs, output, clockMs)
    const records = [
      ...readRecords(output.events, eventsEnd, output.eventsEnd),
      ...readRecords(output.replies, repliesEnd, output.repliesEnd),
    ]
    watch({ symbolId: engine.spec.id, gateway, correlation, timeMs, clockMs, command, records })
  }
}
